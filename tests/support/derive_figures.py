"""Derive figures of docs/figures.yml again: `python -m tests.support.derive_figures`.

Prints a line for each that has a `check`, and exits with 1 if one comes out differently.
"""

import sys
from collections.abc import Mapping
from typing import Any

import hsevo
from hsevo.strength.rating import Estimate
from tests.docs import figures


def derive(check: Mapping[str, Any]) -> dict[str, str]:
    """Play the match of a check; return all that a page could quote of it."""
    rules = {key: value for key, value in check.items() if key not in ("match", "often")}
    result = hsevo.match(*check["match"], **rules)
    rate = Estimate(*(100 * part for part in (
        result.rate.value, result.rate.low, result.rate.high)))
    return {"rate": f"{rate.value:.2f} % ({rate.low:.2f} to {rate.high:.2f})",
            "elo": f"{result.elo.value:+.1f} ({result.elo.low:+.1f} to {result.elo.high:+.1f})",
            "games": f"{result.played:,}", "half": f"{(rate.high - rate.low) / 2:.2f}",
            "verdict": str(result.verdict)}


def main() -> int:
    """Derive all; return 1 if any comes out differently."""
    wrong = 0
    for one in figures.read():
        if "check" in one:
            found = derive(one["check"])
            same = all(found[key] == value for key, value in one["figures"].items())
            wrong += not same
            print(f"{'agrees' if same else 'DIFFERS'}: {one['name']}: {found['rate']}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
