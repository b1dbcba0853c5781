from .match import warm_up as warm_up
from .specs import legend as legend
from .specs import short_names as short_names
from .specs import split_deck as split_deck
