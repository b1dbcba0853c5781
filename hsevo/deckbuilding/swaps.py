"""The best swaps of a deck: a race of all of them, and new games that say how good the winner is.

A swap takes a card out and another one in. All play against a field with the deck as it is beside
them, on common seeds. The race halves again and again (Karnin, Koren and Somekh, "Almost optimal
exploration in multi-armed bandits", 2013), here to a few at once:

    all swaps --> 64 --> 16 --> 4 --> the best        a quarter of the games for each step

With fewer games than two pairs for each swap, only some race, drawn by the seed. In the first step
each swap plays too few games to be judged by them alone. There a swap is worth what its card out
was worth on average with all cards in, and its card in with all cards out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import Deck
from hsevo.deckbuilding.trials import Trials, counts_of
from hsevo.errors import DeckError
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, derive
from hsevo.strength import rating
from hsevo.strength.rating import Estimate
from hsevo.types import Array

STAY = (64, 16, 4, 1)  # swaps after each step of a race
KNOWN = 64  # pairs against each deck of the field, in the first step
CONFIRM = 99  # the stage of the last games; races have those below
LEAST_GAMES = 520  # of a race, for each deck of the field: a pair against it in the second step


@dataclass(frozen=True)
class Swap:
    """A card that was taken out and one that came in, by id, and what the race said of it.

    tried: swaps that raced. gain: in the last step, in points; the best of many, and so too high.
    """

    out: str
    into: str
    tried: int
    gain: float


@dataclass(frozen=True)
class Comparison:
    """A deck and a changed one in the same new games.

    before, after: their rates. gain: the difference; chance: that it is above 0 (normal).
    """

    pairs: int
    before: Estimate
    after: Estimate
    gain: Estimate
    chance: float


def race(executor: Executor, trials: Trials, deck: Deck, pool: DeckPool, games: int, step: int,
         on_games: OnGames = lambda games: None) -> tuple[Deck, Swap] | None:
    """Return the deck after the best swap, and the swap; None if no swap won anything.

    games: of the whole race, about. step: of several races, whose seeds differ.
    """
    swaps = possible(deck, pool)
    share, stage = games // len(STAY), len(STAY) * step
    if len(swaps) > share // 4:  # two pairs for each, and as many as that of the deck itself
        order = np.argsort(derive((trials.seed, 4, Stream.ARENA, stage), np.arange(len(swaps))))
        swaps = [swaps[i] for i in np.sort(order[:max(share // 4, STAY[0])])]
    if not swaps:
        return None
    tried, gains = len(swaps), np.zeros(0)
    for rung, stay in enumerate(STAY):
        gains = _gains(executor, trials, deck, swaps, share, (rung, stage), on_games)
        best = np.argsort(-gains, kind="stable")[:stay]
        swaps, gains = [swaps[i] for i in best], gains[best]
    if gains[0] <= 0:
        return None
    out, into = swaps[0]
    return changed(deck, out, into), Swap(out, into, tried, float(gains[0]))


def possible(deck: Deck, pool: DeckPool) -> list[tuple[str, str]]:
    """Return all swaps of a deck's cards for those of a pool, as ids: out, in.

    The deck's own cards need not be in the pool; those that the pool keeps stay.
    """
    had, cards = Counter(deck.cards), [card.id for card in pool.cards]
    kept = dict(zip(cards, pool.least.tolist(), strict=True))
    outs = [id for id, n in had.items() if n > kept.get(id, 0)]
    ins = [id for id, most in zip(cards, pool.most.tolist(), strict=True) if had[id] < most]
    return [(out, into) for out in outs for into in ins if out != into]


def refuse_lacking(deck: Deck, pool: DeckPool) -> None:
    """Raise DeckError if a deck lacks cards that the pool keeps: no swap would bring them."""
    for card, least in zip(pool.cards, pool.least.tolist(), strict=True):
        if (n := deck.cards.count(card.id)) < least:
            raise DeckError(f"keep has {least}x {card.name}, and '{deck.name}' has {n}; name cards"
                            " of the deck")


def changed(deck: Deck, out: str, into: str) -> Deck:
    """Return a deck with one card in the place of another, which keeps all else in its place."""
    cards = list(deck.cards)
    cards[cards.index(out)] = into
    return Deck(f"{deck.name}-changed", deck.hero, tuple(cards))


def _gains(executor: Executor, trials: Trials, deck: Deck, swaps: Sequence[tuple[str, str]],
           games: int, at: tuple[int, int], on_games: OnGames) -> Array:
    """Return what each swap (n,) is worth in points, by so many games of all."""
    rung, stage = at[0], sum(at)
    decks = [changed(deck, *swap) for swap in swaps]
    each, m = max(games // (2 * (len(swaps) + 1)), 1), len(trials.decks)
    if rung or each >= KNOWN:
        each = max(each // m, 1) * m  # as many against each deck of the field
        found = trials.scores(executor, [deck, *decks], np.arange(each), stage, on_games)
        return np.asarray((found[1:] - found[0]).mean(axis=1))
    known = KNOWN * m  # of these each swap plays a few of its own
    drawn = derive((trials.seed, 5, Stream.ARENA, stage), np.arange(len(swaps) * each)) % known
    pairs = drawn.astype(np.int64).reshape(len(swaps), each)
    base = trials.scores(executor, [deck], np.arange(known), stage, on_games)[0]
    gaps = (trials.scores(executor, decks, pairs, stage, on_games) - base[pairs]).mean(axis=1)
    return _main_effects(swaps, gaps)


def _main_effects(swaps: Sequence[tuple[str, str]], gaps: Array) -> Array:
    """Return for each swap the mean gap of its card out and of its card in, less that of all."""
    effects = np.zeros(len(swaps))
    for cards in zip(*swaps, strict=True):
        _, number = np.unique(np.array(cards), return_inverse=True)
        means = np.bincount(number, gaps) / np.bincount(number)
        effects += means[number]
    return np.asarray(effects - gaps.mean())


def compare(executor: Executor, trials: Trials, before: Deck, after: Deck, games: int,
            on_games: OnGames = lambda games: None) -> Comparison:
    """Play a deck and a changed one in the same new games, so many each, against the field."""
    pairs = np.arange(whole_pairs(games, len(trials.decks)))
    old, new = trials.scores(executor, [before, after], pairs, CONFIRM, on_games)
    gain, p = rating.paired(new - old)
    chance = 1 - p / 2 if gain.value > 0 else p / 2
    return Comparison(len(pairs), rating.rate(counts_of(old)), rating.rate(counts_of(new)), gain,
                      chance)


def whole_pairs(games: int, decks: int) -> int:
    """Return how many pairs so many games are, at least, as many against each deck of a field."""
    return decks * ceil(games / (2 * decks))


def improved(executor: Executor, trials: Trials, deck: Deck, pool: DeckPool, games: int,
             swaps: int, on_games: OnGames = lambda games: None) -> Iterator[tuple[Deck, Swap]]:
    """Yield a deck after one swap, after two ... as long as a swap wins something in its race."""
    for step in range(swaps):
        found = race(executor, trials, deck, pool, games // swaps, step, on_games)
        if found is None:
            return
        deck = found[0]
        yield found
