from .experiment import CoevolutionState as CoevolutionState
from .experiment import Coevolving as Coevolving
from .folder import CoevolutionRun as CoevolutionRun
