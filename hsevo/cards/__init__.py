"""Cards as data: vocabulary, sets, rulesets, tables for the kernels, decks, wording."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
