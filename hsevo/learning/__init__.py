"""Learning: games as environments for learners, and players that learn by playing."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
