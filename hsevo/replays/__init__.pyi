from .meeting import Meeting as Meeting
from .meeting import verdict as verdict
from .replay import Option as Option
from .replay import Step as Step
from .replay import find as find
from .replay import meetings as meetings
from .replay import steps as steps
