"""Drafts: the decks that policies build before a round of games.

    decks, draft = build_decks(players, who, decks, seeds, random=True)

A trajectory then begins with 30 choices of a card, before the decisions of its battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from hsevo.cards.decks import SIZE, Deck
from hsevo.cards.terms import Class
from hsevo.learning.acting.actor import Actor, Drafting
from hsevo.learning.acting.pool import CardPool, random_cards
from hsevo.learning.acting.shapes import PEEK
from hsevo.seeds import Stream, derive
from hsevo.types import Array

Decks: TypeAlias = list[tuple[Deck, Deck]]  # of players 0 and 1, for each game
# The random numbers of `peeked`: they belong to learning alone, so their key is not a
# `seeds.Stream`, and the engine's fingerprint does not change with them. Key: PEEKS, seed, seat.
PEEKS = 2**32 + 26


@dataclass(frozen=True)
class Draft:
    """How n decks were built; all but `picks` are meaningless for those that were not.

    owners: classes, (n,). uniform: how many cards random-CB drew, (n,). picks: places in the card
    pool, int64 (n, 30). logs: their log probabilities, float32 (n, 30). theirs: what each one's
    opponent chose, places in the pool, -1 for a card out of it, int64 (n, 30). peeks: how many of
    these it sees, (n,); before step t no more than t.
    """

    owners: Array
    uniform: Array
    picks: Array
    logs: Array
    theirs: Array
    peeks: Array

    def take(self, rows: Any) -> Draft:
        """Return some of them."""
        return Draft(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def joined(cls, drafts: Sequence[Draft | None]) -> Draft | None:
        """Return drafts as one; None if there are none."""
        some = [draft for draft in drafts if draft is not None]
        if not some:
            return None
        return cls(*(np.concatenate([getattr(draft, field.name) for draft in some])
                     for field in fields(cls)))


def uniform(clock: int, seeds: Array, seats: Array, n: int) -> Array:
    """Return numbers in [0, 1), (m, n), of players (m,) of games with these seeds, at a step."""
    bits = derive((Stream.ACT, clock), seeds[:, None], seats[:, None], np.arange(n))
    numbers: Array = (bits >> np.uint64(11)) / 2.0**53
    return numbers


def peeked(seeds: Array) -> Array:
    """Return how many cards each player sees of what the other chose, if it peeks, int64 (n, 2).

    From 0 to 30, each number with the same chance (section IV-H). seeds: uint64 (n,), of the games.
    """
    draws = derive((PEEKS,), seeds[:, None], np.arange(2))
    peeks: Array = (draws % np.uint64(SIZE + 1)).astype(np.int64)
    return peeks


def build_decks(players: Sequence[Any], who: Array, decks: Decks, seeds: Array,
                random: bool, peeks: Array) -> tuple[Decks, Draft]:
    """Let all policies build their decks, of the classes of the decks that they were dealt.

    who: (n, 2). seeds: uint64 (n,), of the games. random: whether random-CB draws the first cards.
    peeks: int64 (n, 2), how many cards of the other's each sees, if it peeks. Compiled agents, and
    policies without that branch, keep the decks that they were dealt. Returns the decks, and the
    draft of player p in game k at place 2 k + p.
    """
    owners = np.array([int(Class[deck.hero_class]) for pair in decks for deck in pair])
    n = len(owners)
    draws = uniform(0, np.repeat(seeds, 2), np.arange(n) % 2, SIZE + 1)
    count = random_cards(draws[:, SIZE]) if random else np.zeros(n, np.int64)
    seen = peeks.ravel()
    draft = Draft(owners, count, np.zeros((n, SIZE), np.int64), np.zeros((n, SIZE), np.float32),
                  np.full((n, SIZE), -1), seen)
    flat = [deck for pair in decks for deck in pair]
    parts, together = [], False
    for k, player in enumerate(players):
        rows = np.flatnonzero(who.ravel() == k)
        if isinstance(player, Actor) and player.pool and len(rows):
            parts.append((rows, player.pool, player.drafting(
                owners[rows], count[rows], draws[rows, :SIZE], seen[rows])))
            together |= player.shown == PEEK
    if together:
        _build_together(parts, flat)
    else:
        for _, _, own in parts:
            own.advance(0, SIZE)
    for rows, pool, own in parts:
        draft.picks[rows], draft.logs[rows], draft.theirs[rows] = own.deck_choices()
        for row in rows.tolist():
            flat[row] = pool.deck(owners[row], draft.picks[row])
    return list(zip(flat[::2], flat[1::2], strict=True)), draft


def _build_together(parts: Sequence[tuple[Array, CardPool, Drafting]],
                    dealt: list[Deck]) -> None:
    """Choose all cards step by step, so that who peeks sees what the other has chosen so far.

    parts: the places in `dealt` of a policy's decks, their card pool, and the decks. Of a deck that
    nobody builds, the first cards of its list are seen.
    """
    chosen = np.full((len(dealt), SIZE), "", object)  # ids, of both players of each game
    for line, deck in zip(chosen, dealt, strict=True):
        line[:len(deck.ids)] = deck.ids[:SIZE]
    places = [{id: k for k, id in enumerate(pool.ids)} for _, pool, _ in parts]
    for step in range(SIZE):
        for rows, pool, own in parts:
            own.advance(step, step + 1)
            chosen[rows, step] = [pool.ids[k] for k in own.chosen(step)]
        for (rows, _, own), place in zip(parts, places, strict=True):
            own.see(step, np.array([place.get(id, -1) for id in chosen[rows ^ 1, step]]))
