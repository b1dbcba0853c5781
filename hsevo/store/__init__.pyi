from .watching import signature as signature
