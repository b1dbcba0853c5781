from .layouts import actions as actions
from .layouts import blocks as blocks
from .layouts import layout as layout
from .layouts import split as split
from .vocabulary import card_names as card_names
