"""Two targets to learn values by, each tuned alike: TD(lambda), and Expected SARSA(lambda).

    python examples/targets_to_learn.py runs/targets    stopped, the same command goes on

As ways_to_learn.py, with plain self-play and the learning rate that won there. What is tuned are
lambda and the temperature of the policy, over which Expected SARSA takes its means.
"""

import sys
from itertools import product
from pathlib import Path

from ways_to_learn import compare

import hsevo

CONFIG, RATE = "osfp-ladder-self-play", {"learner.rate": 0.003}
WAYS = {"TD": (CONFIG, RATE),
        "Expected SARSA": (CONFIG, RATE | {"learner.targets": "expected-sarsa"})}
SETTINGS = [{"learner.trace": trace, "learner.temperature": temperature}
            for trace, temperature in product((0.8, 0.95), (0.1, 0.3))]


def main():
    """Compare the two."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "runs/targets")
    compare(folder, WAYS, SETTINGS, "lambda, temperature")


if __name__ == "__main__":
    try:
        main()
    except hsevo.HsevoError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
