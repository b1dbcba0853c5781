"""Replays: games played again, as text, as a page, as HSReplay XML."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
