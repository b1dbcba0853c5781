"""`python -m tests.twins ...`: each action twice, in games that must not differ."""

from tests.rules.twins import main

if __name__ == "__main__":
    main()
