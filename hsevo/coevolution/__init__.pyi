from .experiment import CoevolutionState as CoevolutionState
