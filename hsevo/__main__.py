"""`python -m hsevo` is the command `hsevo`."""

import sys

from hsevo.cli import main

sys.exit(main(prog_name="hsevo"))
