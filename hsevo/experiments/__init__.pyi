from .playing import warm_up as warm_up
from .playing import workers_of as workers_of
from .progress import check_minutes as check_minutes
from .watching import State as State
