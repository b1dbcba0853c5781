"""`python -m tests.scenarios PATH`: the engine against positions whose outcomes are known."""

import sys

from tests.rules.scenarios import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
