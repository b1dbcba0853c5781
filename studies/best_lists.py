"""The human lists with which eva:2018 wins most, one of each class, against a field of decks.

    python -m studies.best_lists mage warrior midrange-hunter

Of all Standard lists of the classes of these decks: each plays 60 games against the field, the
best 20 of a class play 1,200 more, and the best of these 6,000, which are a fair measure of it. EVA
plays both sides. Printed is a JSON object: class to list, lists that were tried, and the last rate.
"""

from __future__ import annotations

import json

import click
import numpy as np
import numpy.typing as npt

from hsevo.agents.genomes.weights import EVA_2018
from hsevo.agents.shared.agent import eva
from hsevo.cards import DeckDatabase
from hsevo.cards.decks import Deck, read_deck, standard
from hsevo.cards.terms import Class
from hsevo.play.match import PAIRING, Setting, play_block

GAMES, KEPT = (60, 1_200, 6_000), (20, 1)
SEEDS = (1, 2**40, 2**41)


def rates(lists: list[Deck], field: list[Deck], games: int,
          seed: int) -> npt.NDArray[np.float64]:
    """Return the rate of each list (n,) in so many games, from either seat, against the field."""
    n, pairs = len(lists), 2 * len(field)
    rows = np.zeros((n, len(field), 2), PAIRING)
    own, other, seat = np.indices(rows.shape)
    rows["deck_a"] = np.where(seat == 0, own, n + other)
    rows["deck_b"] = np.where(seat == 0, n + other, own)
    rows["games"] = games // pairs
    rows["seed"] = seed + np.arange(rows.size).reshape(rows.shape) * 100_003
    found = play_block(rows.ravel(), eva(EVA_2018[None]), Setting(decks=(*lists, *field)))
    wins = np.where(seat.ravel() == 0, found["wins_a"], found["wins_b"]) + found["draws"] / 2
    return wins.reshape(n, pairs).sum(axis=1) / (games // pairs * pairs)


@click.command()
@click.argument("decks", nargs=-1, required=True)
def main(decks: tuple[str, ...]) -> None:
    """Play, and print."""
    field, best = [read_deck(name) for name in decks], {}
    for cls in dict.fromkeys(deck.hero_class for deck in field):
        names = DeckDatabase.load().of_class(Class[cls]).facts["deck"]
        left = [deck for deck in map(read_deck, names) if not standard(deck)]
        tried = len(left)
        for games, kept, seed in zip(GAMES, KEPT, SEEDS, strict=False):
            left = [left[i] for i in np.argsort(-rates(left, field, games, seed))[:kept]]
        rate = rates(left, field, GAMES[-1], SEEDS[-1])[0]
        best[cls] = {"list": left[0].name, "tried": tried, "rate": float(rate)}
    click.echo(json.dumps(best))


if __name__ == "__main__":
    main()
