"""Runs: the run folder, the only code that knows its files and columns."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
