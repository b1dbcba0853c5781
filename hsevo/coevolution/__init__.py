"""Coevolution: decks and the weights of their pilots evolve against a hall of fame of both."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
