"""Train the end-to-end policy from nothing on one deck; stop it at any time, and it goes on.

    pip install -e '.[torch]'                       in the clone of hsevo
    python examples/end_to_end.py mage.pt 50        50 rounds of 64 games: some minutes on one core

Every ten rounds it saves a checkpoint and plays 400 games against random play and EVA.
"""

import sys
from pathlib import Path

from hsevo.errors import HsevoError

try:
    from hsevo import config
    from hsevo.config.learning import Plan
    from hsevo.learning.end_to_end.learner import Learner, win_rate
except HsevoError as missing:  # PyTorch: the line says how to install it
    print(f"error: {missing}", file=sys.stderr)
    sys.exit(2)

EVERY = 10  # rounds between two checkpoints


def learn(path, rounds, plan, games=400):
    """Go on until a learner has played so many rounds; print and return what was measured."""
    learner = Learner.load(path) if path.exists() else Learner(plan)
    measured = []
    while learner.number < rounds:
        report = learner.round()
        print(f"round {report.number}: {report.decisions:,} decisions, entropy"
              f" {report.entropy:.2f}, value loss {report.value:.2f}", flush=True)
        if learner.number % EVERY == 0 or learner.number == rounds:
            learner.save(path)
            measured.append([win_rate(learner, one, games, seed=learner.number)
                             for one in ("random", "eva:2018")])
            print("  against random {}, against eva:2018 {}".format(
                *(rate.percent() for rate in measured[-1])), flush=True)
    return measured


def main(arguments):
    """Learn as the command line says; return its exit code, 2 for bad input."""
    match arguments:
        case [file, rounds] if rounds.isdecimal():
            try:
                learn(Path(file), int(rounds), config.load("end-to-end-small", model=Plan))
            except HsevoError as error:
                print(f"error: {error}", file=sys.stderr)
                return 2
            return 0
        case [] | ["--help"]:
            print(__doc__.strip())
            return 0
        case _:
            print(__doc__.strip(), file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
