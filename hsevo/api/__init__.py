"""The Python API: what the commands do, as functions and objects; `import hsevo` offers them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
