from .experiment import Coevolving as Coevolving
from .folder import CoevolutionRun as CoevolutionRun
from .plan import load_plan as load_plan
from .state import State as State
