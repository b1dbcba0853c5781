"""Play games: results of pairings of agents and decks; one game or many, move by move."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
