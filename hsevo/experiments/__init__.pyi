from .progress import check_minutes as check_minutes
from .watching import State as State
