"""What measures hsevo itself, for `hsevo bench`: no run loads it.

Games, memory and the figures of the last release to compare with (`games.py`), the parts of a
decision (`decision.py`), what a generation costs besides its games (`generation.py`) and
environments (`environment.py`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
