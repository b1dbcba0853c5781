"""Ten executions of the paper's experiment beside the published ten."""

from __future__ import annotations

import re

from studies.measure.figures import Figure, Figures, read
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work

RUN = Work("hsevo evolve --config cig2018 --executions 10 --out {out}", called="ten")
AGENTS = Work("python -m studies.ten_runs agents {0} {out}", (RUN,), called="ten.csv")
GAMES = Work("hsevo arena --runs {0} --ruleset cig2018 --games 36 --out {out}",
             (AGENTS,), called="ten-games")
IT = Work("python -m studies.ten_runs compare {0} {1}", (RUN, GAMES))
SAID = {  # what the docs quote of what it prints
    "spread-first": r"generation 0: standard deviation (.*)",
    "spread-ten": r"generation 10: standard deviation (.*)",
    "spread-last": r"generation 99: standard deviation (.*)",
    "middle": r"first generation from 30 to 60: (.*)",
    "lifespan": r"lifespan: mean (.*\)),",
    "newcomers": r"newcomers from generation 20 on: (.*)",
    "rate": r"here against published: (.*)", "between": r"games between them: (.*)",
    "cut-published": r"published: first peak of the silhouette at (\d+)",
    "cut-here": r"here: first peak of the silhouette at (\d+)",
    "all-published": r"published, against-all: (.*) tests",
    "all-here": r"here, against-all: (.*) tests",
    "heads-published": r"published, head-to-head: (.*) tests",
    "heads-here": r"here, head-to-head: (.*) tests"}


def quoted(text: str, pattern: str) -> str:
    """Return what a pattern finds in what was printed."""
    found = re.search(pattern, text)
    assert found, pattern
    return found[1]


def figures_of(text: str) -> dict[str, str]:
    """Return the figures, by key, of what was printed: three tables, and lines between them."""
    weights, decks, _, _, _, apart = text.strip().split("\n\n")
    return {"weights": weights + "\n", "decks": decks + "\n", "apart": apart + "\n",
            **{key: quoted(text, pattern) for key, pattern in SAID.items()}}


@recipe
def ten_runs(command: str) -> Figures:
    def part(key: str) -> Figure:
        def write(lab: Lab) -> str:
            return figures_of(lab.text(IT))[key]
        return read(write, IT)

    return {key: part(key) for key in ("weights", "decks", "apart", *SAID)}
