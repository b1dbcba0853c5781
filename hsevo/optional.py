"""Libraries that are optional: what is missing or broken, and how to install it, in one line."""

import warnings
from importlib import import_module
from types import ModuleType

from hsevo.errors import ConfigError, brief


def need(what: str, *modules: str, install: str) -> list[ModuleType]:
    """Return modules of optional libraries, imported.

    what: needs them, as the message begins. install: what `pip install` takes. Raises ConfigError
    if one is missing, or cannot be imported: a library may raise anything there if another one is
    missing or of a version that does not fit.

    >>> json, = need("this example", "json", install="nothing")
    >>> need("this example", "no_such_library", install="no-such-library")
    Traceback (most recent call last):
    hsevo.errors.ConfigError: this example needs no_such_library, which is ...
    """
    imported = []
    for module in modules:
        try:
            with warnings.catch_warnings():  # of old libraries about even older ones
                warnings.simplefilter("ignore")
                imported.append(import_module(module))
        except Exception as error:  # incompatible libraries may raise anything
            library = module.partition(".")[0]
            missing = isinstance(error, ModuleNotFoundError) and error.name == module
            why = ("which is not installed" if missing else
                   f"which cannot be imported ({brief(_line(error))})")
            raise ConfigError(f"{what} needs {library}, {why}; install it with: pip install"
                              f" {install}") from None
    return imported


def _line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
