"""`python -m tests.support.fake_hsevo ...`: `hsevo` on the stand-in engine."""

from hsevo.cli import main
from hsevo.play import match
from tests.support import fake

if __name__ == "__main__":
    fake.install(lambda name, value: setattr(match, name, value))
    main()
