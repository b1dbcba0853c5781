"""The command line: parse, call what `import hsevo` offers, print.

A command's module is imported when it is used: `hsevo --help` must not wait for numba and pandas.
"""

from hsevo.cli.root import main

__all__ = ["main"]
