from .budget import check_minutes as check_minutes
from .experiment import Experiment as Experiment
from .loggers import Logger as Logger
from .loggers import TensorBoard as TensorBoard
from .progress import Meter as Meter
from .progress import duration as duration
from .watching import State as State
