"""`python -m tests.fuzz ...`: random games, every position and move of them checked."""

from tests.rules.fuzz import main

if __name__ == "__main__":
    main()
