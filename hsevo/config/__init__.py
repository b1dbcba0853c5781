"""Configs: YAML in, frozen and checked models out; each mistake is reported in one line.

models: the sections and their keys. reading: files, single values. named: files by their names.
mistakes: error messages.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
