from .run import CoevolutionState as CoevolutionState
