"""`python -m tests.fake_hsevo ...`: the command line over the stand-in engine, for processes."""

from hsevo.cli import main
from hsevo.play import match
from tests import fake

if __name__ == "__main__":
    fake.install(lambda name, value: setattr(match, name, value))
    main()
