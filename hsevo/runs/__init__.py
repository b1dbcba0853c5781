"""Runs: the folder of `hsevo evolve`, its tables and checks; the checkpoints of `hsevo learn`."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
