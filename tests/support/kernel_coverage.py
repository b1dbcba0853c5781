"""Measure which lines of the kernels the tests run: `python -m tests.support.kernel_coverage`.

Coverage cannot look into machine code, so the kernels run as plain Python here, some hundred times
slower: every second case, under one seed instead of 8 or 120, every 60th position of real games,
the beginning of a game of each kind of agent, and a few steps of an environment.
"""

import os
import sys
import time

os.environ["NUMBA_DISABLE_JIT"] = "1"  # read when numba is imported

import coverage
import numpy as np

from tests.support import DATA, ROOT

SEED, CASE_STRIDE, POSITION_STRIDE, STEPS = 7919, 2, 60, 80
DECISIONS, FEW_DECISIONS = 6, 2  # of an agent; of a tree search, one of them a mulligan
SHORT, LONG = 24, 89  # turns of a game, of a tree search so few that its roll-outs are soon over
# With budgets that plain Python can bear: a roll-out of a tree search takes seconds.
AGENTS = ("eva:2018", "random", "noaggression", "greedy:metastone", "greedy:santos",
          "tyche:onestep", "tyche:mc?episodes=4", "dl:miller?nodes=10", "gsv?nodes=10",
          "hearthsim?nodes=10&samples=1", "eva:wide-reply?nodes=10&hands=1&ends=2",
          "mcts:vanilla?iterations=2&rollouts=1", "mcts:knowledge?iterations=2&rollouts=1",
          "mcts:alvaro?iterations=2", "rl:2026",
          "rl:2026?search=reply&nodes=10&hands=1&ends=2", "rl:2026?search=tree&iterations=3",
          "mcts:knowledge?iterations=2&rollouts=2&evolving=yes&first=1&answer=line&heuristic=eva:2018",
          "mcts:knowledge?iterations=2&rollouts=1&heuristic=gsv&tree=hearthsim&bias=child&seconds=60")
CLOSED = (("eva:2018", "closed"), ("eva:group-1", "closed:match"), ("random", "closed:uniform"))
FOLDERS = ("engine", "agents")
# What stands there and is not compiled: tables of agents, texts for people, how to compile.
NO_KERNELS = [f"*/hsevo/{name}.py" for name in (
    "agents/genomes/*", "agents/registry", "agents/options", "agents/learned/nets",
    "agents/learned/text", "agents/learned/files", "agents/learned/older",
    "agents/learned/shipped", "engine/view/show", "engine/jit", "engine/internals")]


def play_cases() -> int:
    """Play some cases; their outcomes are checked."""
    from tests.rules import test_cases as cases

    sample = cases.CASES[::CASE_STRIDE]
    for case in sample:
        cases.WORLD = cases.world(case.ruleset)
        start = cases.WORLD.load(cases.position(case))
        cases.run(case, start, SEED, [set() for _ in case.steps], {})
    return len(sample)


def play_positions() -> int:
    """Check some positions of real games."""
    from tests.rules.positions import EXCEPTIONS, Check
    from tests.support.state_adapter import exceptions, read

    check, lines = Check(exceptions(EXCEPTIONS)), list(read(DATA / "positions.dev.jsonl.xz"))
    sample = lines[::POSITION_STRIDE]
    for line in sample:
        check.position(line)
    assert not check.report.lines, check.report.lines
    return len(sample)


def play_agents() -> int:
    """Have every kind of agent play the beginning of a game."""
    from hsevo.cards.decks import read_deck
    from hsevo.play import match
    from hsevo.strength.roster import read_agent

    decks = tuple(read_deck(name) for name in ("shaman", "mage"))
    for spec, information in [*((spec, "fair") for spec in AGENTS), *CLOSED]:
        searches = spec.startswith("mcts")
        setting = match.Setting("cig2018", decks, information, SHORT if searches else LONG)
        table = match.Table(read_agent(spec), setting)
        table.deal(np.array([(0, 0, 0, 1, 1, 5)], match.PAIRING)[0], 0)
        for _ in range(FEW_DECISIONS if searches else DECISIONS):
            table.move(table.decide())
    return len(AGENTS) + len(CLOSED)


def play_battles() -> int:
    """Take some random steps in environments, with what players see."""
    from hsevo.cards.decks import read_deck
    from hsevo.learning.slots import Slots
    from hsevo.play.match import Setting

    setting = Setting("msg2017", (read_deck("warrior"), read_deck("mage")))
    slots = Slots(1, setting, (), np.arange(2), np.arange(2), known=True)
    slots.begin(SEED)
    for step in range(STEPS):
        slots.sample(np.array([step], np.uint64))
        slots.take()
    return STEPS


def measure() -> tuple[coverage.Coverage, str]:
    """Play all of it under coverage; return that and what was played."""
    sources = [str(ROOT / "hsevo" / folder) for folder in FOLDERS]
    cov = coverage.Coverage(data_file=None, source=sources, omit=NO_KERNELS, config_file=False)
    with cov.collect(), np.errstate(over="ignore"):  # random numbers wrap around
        sample = (f"{play_cases()} cases under one seed, {play_positions()} positions,"
                  f" the first decisions of {play_agents()} agents, {play_battles()} steps of an"
                  " environment")
    return cov, sample


def main() -> None:
    """Print one line, or with --verbose a table of files and lines that were not run first."""
    began = time.monotonic()
    cov, sample = measure()
    with open(os.devnull if "--verbose" not in sys.argv else sys.stdout.fileno(), "w",
              closefd="--verbose" not in sys.argv) as out:
        percent = cov.report(file=out, show_missing=True, skip_covered=True)
    print(f"kernels (hsevo/engine, hsevo/agents): {percent:.1f} % of lines in interpreted mode"
          f" ({sample}; {time.monotonic() - began:.0f} s)")


if __name__ == "__main__":
    main()
