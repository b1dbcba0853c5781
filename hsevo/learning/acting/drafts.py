"""Drafts: the decks that policies build before a round of games.

    decks, draft = build_decks(players, who, decks, seeds, random=True)

A trajectory then begins with 30 choices of a card, before the decisions of its battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.cards.decks import SIZE, Deck
from hsevo.cards.terms import Class
from hsevo.learning.acting.actor import Actor
from hsevo.learning.acting.pool import random_cards
from hsevo.seeds import Stream, derive

Array: TypeAlias = npt.NDArray[Any]
Decks: TypeAlias = list[tuple[Deck, Deck]]  # of players 0 and 1, for each game


@dataclass(frozen=True)
class Draft:
    """How n decks were built; all but `picks` are meaningless for those that were not.

    owners: classes, (n,). uniform: how many cards random-CB drew, (n,). picks: places in the card
    pool, int64 (n, 30). logs: their log probabilities, float32 (n, 30).
    """

    owners: Array
    uniform: Array
    picks: Array
    logs: Array

    def take(self, rows: Any) -> Draft:
        """Return some of them."""
        return Draft(self.owners[rows], self.uniform[rows], self.picks[rows], self.logs[rows])

    @classmethod
    def joined(cls, drafts: Sequence[Draft | None]) -> Draft | None:
        """Return drafts as one; None if there are none."""
        some = [draft for draft in drafts if draft is not None]
        if not some:
            return None
        return cls(*(np.concatenate([getattr(one, name) for one in some])
                     for name in ("owners", "uniform", "picks", "logs")))


def uniform(clock: int, seeds: Array, seats: Array, n: int) -> Array:
    """Return numbers in [0, 1), (m, n), of players (m,) of games with these seeds, at a step."""
    bits = derive((Stream.ACT, clock), seeds[:, None], seats[:, None], np.arange(n))
    numbers: Array = (bits >> np.uint64(11)) / 2.0**53
    return numbers


def build_decks(players: Sequence[Any], who: Array, decks: Decks, seeds: Array,
                random: bool) -> tuple[Decks, Draft]:
    """Have all policies build their decks, of the classes of the decks that they were dealt.

    who: (n, 2). seeds: uint64 (n,), of the games. random: whether random-CB draws the first cards.
    Compiled agents, and policies without that branch, keep the decks that they were dealt. Returns
    the decks, and the draft of player p in game k at place 2 k + p.
    """
    owners = np.array([int(Class[deck.hero]) for pair in decks for deck in pair])
    draws = uniform(0, np.repeat(seeds, 2), np.arange(len(owners)) % 2, SIZE + 1)
    count = random_cards(draws[:, SIZE]) if random else np.zeros(len(owners), np.int64)
    draft = Draft(owners, count, np.zeros((len(owners), SIZE), np.int64),
                  np.zeros((len(owners), SIZE), np.float32))
    flat = [deck for pair in decks for deck in pair]
    for k, player in enumerate(players):
        rows = np.flatnonzero(who.ravel() == k)
        if isinstance(player, Actor) and player.pool and len(rows):
            draft.picks[rows], draft.logs[rows] = player.build(
                owners[rows], count[rows], draws[rows, :SIZE])
            for row in rows.tolist():
                flat[row] = player.pool.deck(owners[row], draft.picks[row])
    return list(zip(flat[::2], flat[1::2], strict=True)), draft
