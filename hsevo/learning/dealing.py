"""Decks of an environment: each game draws one for each side, from a list or by shares.

    source = deck_source(decks, "cig2018")       names, shares, or "human:held-out"
    dealer = Dealer(own, others)                 if one of them is drawn by shares
    dealer.deal(slots, which)                    both decks of the games of some slots

Lists are drawn from in compiled code (play/environment.py). Decks by shares are those of `hsevo
learn` (cards/deck_pool.py). A deck depends on the seed of its game and on the side alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from hsevo.cards.decks import Deck, as_decks, each_deck, refuse_lists
from hsevo.config import check
from hsevo.errors import ConfigError
from hsevo.seeds import Stream, derive
from hsevo.strength.drawn import side_of
from hsevo.types import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hsevo.cards.deck_pool import DeckDraws
    from hsevo.cards.decks import DeckLike
    from hsevo.config.learning import DeckShares

DecksLike: TypeAlias = "DeckLike | Sequence[DeckLike] | Mapping[str, Any] | DeckShares"
AHEAD = 256  # games to draw at a time, if slots are few: a call takes as long as 100 of them


@dataclass(frozen=True)
class DeckSource:
    """The decks of a side: all that are listed, or examples of those that are drawn by shares."""

    decks: tuple[Deck, ...]
    draws: DeckDraws | None = None
    side: str = "known"  # whose human lists are drawn
    says: str = ""  # the shares in words

    @property
    def names(self) -> list[str]:
        """The names of the decks, or the shares in words."""
        return [self.says] if self.draws else [deck.name for deck in self.decks]

    def drawn(self, stream: int, seeds: Array) -> Sequence[Deck]:
        """Return the decks of games by their seeds, uint64 (n,). stream: separates the sides."""
        if self.draws is not None:
            decks = self.draws.numbered((Stream.DECKS, stream), seeds, self.side)
            return [_without_seed(deck) for deck in decks]
        numbers = derive((Stream.DECKS, stream), seeds) % np.uint64(len(self.decks))
        return [self.decks[k] for k in numbers]


def _without_seed(deck: Deck) -> Deck:
    """Return a deck whose name tells an opponent nothing of the seed with which it was drawn."""
    if not deck.name.startswith("drawn "):
        return deck
    digest = hashlib.sha256(" ".join(deck.ids).encode()).hexdigest()[:8]
    return Deck.of(f"drawn {digest}", deck.hero_class, deck.ids)


def deck_source(decks: Any, ruleset: str) -> DeckSource:
    """Return decks in any form: decks, shares as in a config, or a group of human lists.

    Raises ConfigError, DeckError, CardError.
    """
    from hsevo.config.learning import DeckShares

    if isinstance(decks, DeckShares):
        return _by_shares(decks, "known", ruleset, decks.says)
    if isinstance(decks, Mapping):
        shares = check(DeckShares, decks, "decks")
        return _by_shares(shares, "known", ruleset, shares.says)
    listed = [decks] if isinstance(decks, str) else each_deck(decks)
    if not listed:
        raise ConfigError("decks is empty, but must name at least one deck")
    if side := side_of(listed):
        return _by_shares(DeckShares(human=1.0), side, ruleset, str(listed[0]))
    return DeckSource(tuple(Deck(deck) for deck in listed))


def _by_shares(shares: DeckShares, side: str, ruleset: str, says: str) -> DeckSource:
    from hsevo.cards.deck_pool import DeckDraws  # imports the deck database

    files = as_decks(shares.files.decks)
    if sum(shares.parts[:3]):
        refuse_lists(ruleset)
    draws = DeckDraws(shares, ruleset, files)
    return DeckSource(draws.examples(side), draws, side, says)


class Dealer:
    """Draws the decks of both sides for games of slots, GAME_SLOT (n,).

    A call for few games would take as long as one for a hundred, so it draws for the next games of
    all slots.
    """

    def __init__(self, own: DeckSource, others: DeckSource) -> None:
        self._sources, self._ahead = (own, others), dict[int, tuple[Deck, Deck]]()

    def deal(self, slots: Array, which: Array) -> list[tuple[Deck, Deck]]:
        """Return the decks of players 0 and 1 in the games of some slots, numbers (m,) of all."""
        coming = slots["seed"] + slots["game"].astype(np.uint64)  # of the next games
        seeds = (coming[which] - np.uint64(1)).tolist()
        if not self._ahead.keys() >= {*seeds}:
            coming[which] -= np.uint64(1)
            some = np.arange(max(AHEAD // len(slots), 1), dtype=np.uint64)
            lacking = {*(coming[:, None] + some).ravel().tolist()} - self._ahead.keys()
            numbers = np.array([*lacking], np.uint64)
            both = [source.drawn(k, numbers) for k, source in enumerate(self._sources)]
            self._ahead |= zip(numbers.tolist(), zip(*both, strict=True), strict=True)
        dealt = [self._ahead.pop(seed) for seed in seeds]
        return [decks[::-1] if seat == 1 else decks
                for decks, seat in zip(dealt, slots["seat"][which].tolist(), strict=True)]

    def forget(self) -> None:
        """Drop what was drawn for coming games, as another series begins."""
        self._ahead.clear()

    def __getstate__(self) -> dict[str, Any]:
        return {"_sources": self._sources, "_ahead": {}}  # drawn again, as they were
