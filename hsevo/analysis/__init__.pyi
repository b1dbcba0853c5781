from .examine import FOLDER as FOLDER
from .examine import Examination as Examination
from .profile import shares as shares
