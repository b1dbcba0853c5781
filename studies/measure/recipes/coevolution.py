"""Decks and pilots that evolve together: the champion, and how much of it is the deck."""

from __future__ import annotations

import hsevo
from studies.measure.figures import Figures, percent, read
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work

SEEDS = (1, 2, 3)
HEADS = ("seed", "champion", "champion's deck with `eva:2018`", "champion's weights with `mage`",
         "`eva:2018@mage`")


def run(seed: int) -> Work:
    """Return a run of user-deck."""
    return Work(f"hsevo coevolve --config user-deck --seed {seed} --out {{out}}",
                called=f"user-deck-seed-{seed}")


def row(lab: Lab, seed: int) -> str:
    """Return the last games of a run as a line of the table."""
    rates = hsevo.Coevolution(lab.folder(run(seed))).confirmed.rename(columns={"rate": "value"})
    return f"| {seed} | {' | '.join(percent(one, 1) for one in rates.to_dict('records'))} |"


@recipe
def user_deck(command: str) -> Figures:
    works = [run(seed) for seed in SEEDS]

    def table(lab: Lab) -> str:
        return "\n".join([f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|",
                          *(row(lab, seed) for seed in SEEDS)])

    def last(lab: Lab) -> str:
        return f"{hsevo.Coevolution(lab.folder(works[0])).confirmed['games'].iloc[0]:,}"

    return {"table": read(table, *works), "last": read(last, works[0])}
