"""The command line of checks against a file of known outcomes: PATH [--verbose]."""

import sys
from collections.abc import Callable
from typing import Any


def run(program: str, check: Callable[[str], Any], arguments: list[str],
        agrees: Callable[[Any], bool]) -> int:
    """Check the file that is named and print the report; return 0 if everything agrees."""
    paths = [argument for argument in arguments if argument != "--verbose"]
    if len(paths) != 1:
        print(f"usage: python -m {program} PATH [--verbose]", file=sys.stderr)
        return 2
    report = check(paths[0])
    if "--verbose" in arguments:
        print(*report.lines, sep="\n")
    print(report)
    return 0 if agrees(report) else 1
