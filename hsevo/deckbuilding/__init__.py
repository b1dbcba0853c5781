"""Deck building: decks that evolve against a field, and what was found, played again."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
