"""What each card of a deck is worth: replaced by others, and by when it was seen.

Replaced: all copies of a card give way to a neutral card of the same cost that the deck has not, in
every pair of games another one, drawn by the seed; what the deck wins less then, on the same seeds,
the card is worth more than the pool's average neutral card of its cost.

Seen: how much the deck wins if the card was dealt at the beginning, drawn, or shown to the other
(played, mostly). This is no measure of worth alone: long games draw more cards.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from hsevo.agents.learned.nets import carried, keep
from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards, index, is_legal
from hsevo.cards.terms import Class, Rarity
from hsevo.deckbuilding.swaps import Trials, counts_of
from hsevo.engine.record.codec import CARD_MASK
from hsevo.engine.record.state import DRAW, WIN_0
from hsevo.play.games import GameBatch
from hsevo.play.workers import Executor, Job, OnGames
from hsevo.seeds import Stream, derive
from hsevo.strength import rating
from hsevo.strength.lineup import estimate_columns
from hsevo.types import Array

STAGE = 98  # of the seeds: what other games of trials do not have
SEEN = ("dealt", "drawn", "shown")
BATCH = 2000  # games at once


def values(executor: Executor, trials: Trials, deck: Deck, pairs: int,
           on_games: OnGames = lambda games: None) -> tuple[rating.Estimate, pd.DataFrame]:
    """Return the deck's own rate, and a line per card, the best first.

    pairs: of games, with the deck as it is and with each card replaced. Columns card, copies, cost,
    value, value_low, value_high (points), and for each of dealt, drawn, shown: the rate in games
    where it was, its ends, and NAME_games.
    """
    copies, known, lines = Counter(deck.ids), cards(trials.ruleset), []
    base, seen = watched(executor, trials, deck, pairs, on_games)
    for place, (id, n) in enumerate(copies.items()):
        decks = [_with(deck, id, substitute)
                 for substitute in substitutes(deck, id, trials.ruleset)]
        drawn = derive((trials.seed, 6, Stream.ARENA, place), np.arange(pairs)) % len(decks)
        scores = trials.scores_of(executor, decks, drawn.astype(np.int64), np.arange(pairs), STAGE,
                                  on_games)
        estimate = rating.paired(base - scores)[0]
        lines.append({"card": known[id].name, "copies": n, "cost": known[id].cost,
                      "value": estimate.value, "value_low": estimate.low,
                      "value_high": estimate.high})
    table = pd.concat([pd.DataFrame(lines), _rates(seen, len(copies))], axis=1)
    return (rating.rate(counts_of(base)),
            table.sort_values("value", ascending=False, kind="stable", ignore_index=True))


def substitutes(deck: Deck, id: str, ruleset: str) -> list[str]:
    """Return the neutral cards of a card's cost, or of the nearest, that may take its place."""
    known, several = cards(ruleset), deck.ids.count(id) > 1
    others = [card for card in known.values() if card.collectible and card.cls is Class.NEUTRAL
              and card.group is None and is_legal(card.id, ruleset) and card.id not in deck.ids
              and not (several and card.rarity is Rarity.LEGENDARY)]
    nearest = min(abs(card.cost - known[id].cost) for card in others)
    return [card.id for card in others if abs(card.cost - known[id].cost) == nearest]


def _with(deck: Deck, id: str, substitute: str) -> Deck:
    return Deck.of(f"{deck.name}-without-{id}", deck.hero_class,
                tuple(substitute if card == id else card for card in deck.ids))


def watched(executor: Executor, trials: Trials, deck: Deck, pairs: int,
            on_games: OnGames = lambda games: None) -> tuple[Array, dict[str, Array]]:
    """Play a deck; return its scores (pairs,), and of its games what was seen of its cards.

    The latter: "won", twice the points (m,), and of SEEN bool (m, q), for the q cards of the deck.
    """
    jobs: list[Job] = [(trials, deck, mine[at:at + BATCH], seat, *carried(trials.agents))
            for met in range(len(trials.decks)) for seat in (0, 1)
            for mine in [np.arange(met, pairs, len(trials.decks))]
            for at in range(0, len(mine), BATCH)]
    score, parts = np.zeros(pairs), []
    for (_, _, mine, *_), observed in zip(jobs, executor(watch, jobs), strict=True):
        score[mine] += observed["won"] / 4
        parts.append(observed)
        on_games(len(mine))
    return score, {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def watch(trials: Trials, deck: Deck, pairs: Array, seat: int,
          *nets: Array) -> dict[str, Array]:
    """Play a deck from one seat against one deck of the field; see `watched`."""
    keep(nets)
    met = int(pairs[0]) % len(trials.decks)
    both = [deck, trials.decks[met]]
    agents = trials.agents[[0, 1 + met]]
    first, second = (both, both[::-1])[seat]
    games = GameBatch.under(trials.setting(()), first, second, trials.seeds(pairs, STAGE))
    number = np.array([index(trials.ruleset)[id] for id in Counter(deck.ids)])
    own = games.states["side"][:, seat]
    dealt = _among(own["hand"]["card"], own["n_hand"], number)
    while games.running.any():
        games.ask(np.ascontiguousarray(agents if seat == 0 else agents[::-1]))
    own, known = games.states["side"][:, seat], games.states["evidence"][:, seat]
    left = _among(own["deck"] & CARD_MASK, own["n_deck"], number)
    won = np.select([games.results == DRAW, games.results == WIN_0 + seat], [1, 2], 0)
    copies = np.array([*Counter(deck.ids).values()])
    return {"won": won, "dealt": dealt > 0, "drawn": left < copies,
            "shown": _among(known["shown"], known["n_shown"], number) > 0}


def _among(held: Array, n: Array, numbers: Array) -> Array:
    """Return how often each card (q,) is among the first n (m,) of those held (m, k): (m, q)."""
    there = np.arange(held.shape[1]) < n[:, None]
    return np.asarray(((held[:, :, None] == numbers) & there[:, :, None]).sum(axis=1))


def _rates(seen: dict[str, Array], q: int) -> pd.DataFrame:
    """Return rates of the q cards in the games where each was dealt, drawn and shown."""
    columns: dict[str, Any] = {}
    for name in SEEN:
        counts = [np.bincount(seen["won"][seen[name][:, card]], minlength=3) for card in range(q)]
        columns |= estimate_columns(name, [rating.rate(count) for count in counts])
        columns[f"{name}_games"] = [int(count.sum()) for count in counts]
    return pd.DataFrame(columns)
