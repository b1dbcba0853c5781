from .experiment import EvolutionState as EvolutionState
from .strategies import strategy as strategy
