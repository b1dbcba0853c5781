"""Strength: agents and games by name, contests, ratings, panels and studies."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
