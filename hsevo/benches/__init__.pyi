from .games import UNITS as UNITS
from .games import warning as warning
