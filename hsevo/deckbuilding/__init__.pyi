from .experiment import DeckSearch as DeckSearch
from .experiment import DeckState as DeckState
from .folder import DeckRun as DeckRun
