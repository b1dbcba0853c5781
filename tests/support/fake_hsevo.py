"""`python -m tests.support.fake_hsevo ...`: `hsevo` on the stand-in engine."""

import signal

from hsevo.cli import main
from hsevo.play import match
from tests.support import fake

if __name__ == "__main__":
    # a shell that runs the tests in the background makes its programs ignore Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fake.install(lambda name, value: setattr(match, name, value))
    main()
