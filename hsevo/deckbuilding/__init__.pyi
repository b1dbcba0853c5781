from .experiment import DeckSearch as DeckSearch
from .folder import DeckRun as DeckRun
from .plan import load_plan as load_plan
from .state import State as State
