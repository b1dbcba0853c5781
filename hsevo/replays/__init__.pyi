from .replay import Meeting as Meeting
from .replay import Option as Option
from .replay import Step as Step
from .replay import find as find
from .replay import meetings as meetings
from .replay import steps as steps
from .replay import verdict as verdict
