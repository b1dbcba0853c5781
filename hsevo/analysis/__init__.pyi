from .analysing import names_position as names_position
from .examine import FOLDER as FOLDER
from .examine import Examination as Examination
from .profile import shares as shares
