"""When this process began to import hsevo, before any source of results (sources.are_imported)."""

import time

TIME = time.time()
