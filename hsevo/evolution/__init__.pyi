from .run import EvolutionState as EvolutionState
from .strategies import strategy as strategy
