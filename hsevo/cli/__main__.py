"""`python -m hsevo.cli` is the command `hsevo`."""

import sys

from hsevo.cli import main

sys.exit(main())
