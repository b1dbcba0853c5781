from .state import EvolutionState as EvolutionState
from .strategies import strategy as strategy
