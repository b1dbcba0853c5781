"""The command line: parse, call one function, print. The work is done by the floors below.

Libraries are imported inside the commands: `hsevo --help` must not wait for numba and pandas.
"""

from hsevo.cli.root import main

__all__ = ["main"]
