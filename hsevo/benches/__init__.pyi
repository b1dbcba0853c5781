from .baseline import warning as warning
from .games import UNITS as UNITS
