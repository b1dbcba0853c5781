"""Analysis: what an agent's numbers are worth, how it plays, and what its decisions cost."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
