from .browse import page as page
from .database import DeckDatabase as DeckDatabase
from .decks import read_deck as read_deck
from .tables import by_name as by_name
from .tables import find_ruleset as find_ruleset
