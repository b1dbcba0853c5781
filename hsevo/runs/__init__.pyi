from .folder import Run as Run
from .folder import Start as Start
from .individuals import fitness_text as fitness_text
from .individuals import individual_type as individual_type
from .individuals import weights_of as weights_of
from .tables import Generation as Generation
