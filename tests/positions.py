"""`python -m tests.positions PATH`: the engine and EVA against decision points of real games."""

import sys

from tests.rules.positions import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
