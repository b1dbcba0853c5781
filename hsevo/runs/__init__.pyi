from .tables import fitness_text as fitness_text
