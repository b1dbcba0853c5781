from .individuals import fitness_text as fitness_text
