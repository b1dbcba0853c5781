"""The best swaps of a deck: a race of all of them, and new games that say how good the winner is.

A swap takes a card out and another one in. All swaps and the unchanged deck play against a
field, on common seeds. The race halves again and again (Karnin, Koren and Somekh, "Almost optimal
exploration in multi-armed bandits", 2013), here to a few at once:

    all swaps --> 64 --> 16 --> 4 --> the best        a quarter of the games for each step

With fewer games than two pairs for each swap, only some race, drawn by the seed. In the first step
each swap plays too few games to be judged by them alone. There a swap is worth what its card out
was worth on average with all cards in, and its card in with all cards out.

`Trials` play decks against a field on common seeds, pair by pair:

    Trials(field, pilot, ...).scores(executor, decks, pairs, stage) --> (n, len(pairs)), 0 to 1

Pair k meets deck k mod m of the field: two games with one seed, once from either seat. All decks
play the same pairs; lists that differ in one place draw the same other cards until it matters. So
most of the luck cancels out of a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from hsevo.agents.genomes.decks import joined
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import Deck, read_deck
from hsevo.errors import ConfigError, DeckError
from hsevo.play import match, tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, derive
from hsevo.strength import rating
from hsevo.strength.rating import Estimate
from hsevo.strength.roster import read_agent, split_deck
from hsevo.types import Array

TOGETHER = 256  # decks of a setting, which travels to the workers with every job


@dataclass(frozen=True)
class Trials:
    """A field of m decks, who plays them, and the pilot: agents AGENT (1 + m,), the pilot first."""

    decks: tuple[Deck, ...]
    agents: Array
    ruleset: str = "cig2018"
    max_turns: int = 89
    seed: int = 1

    @classmethod
    def of(cls, against: Sequence[str], pilot: str, ruleset: str, max_turns: int,
           seed: int) -> Trials:
        """Read a field of decks, DECK or AGENT@DECK. Raises AgentError, DeckError, ConfigError."""
        if not against:
            raise ConfigError("field is empty; name at least one deck")
        split = [split_deck(text) for text in against]
        decks = tuple(read_deck(deck or name) for name, deck in split)
        specs = [pilot, *(name if deck else pilot for name, deck in split)]
        return cls(decks, joined([read_agent(spec, None) for spec in specs], 0), ruleset,
                   max_turns, seed)

    def seeds(self, pairs: Array, stage: int) -> Array:
        """Return the seeds of pairs by number. stage: what they are played for."""
        return derive((self.seed, 3, Stream.ARENA, stage), pairs)

    def scores(self, executor: Executor, decks: Sequence[Deck], pairs: Array, stage: int,
               on_games: OnGames = lambda games: None) -> Array:
        """Play decks (n,) in pairs, (k,) for all or (n, k); return their scores (n, k)."""
        each = np.broadcast_to(pairs, (len(decks), np.shape(pairs)[-1]))
        own = np.broadcast_to(np.arange(len(decks))[:, None], each.shape)
        return self.scores_of(executor, decks, own, each, stage, on_games)

    def scores_of(self, executor: Executor, decks: Sequence[Deck], own: Array, pairs: Array,
                  stage: int, on_games: OnGames = lambda games: None) -> Array:
        """Return the scores (...) of pairs (...), each played by the deck of number own (...)."""
        scores, flat = np.zeros(own.size), own.ravel()
        for at in range(0, len(decks), TOGETHER):
            here = np.flatnonzero((flat >= at) & (flat < at + TOGETHER))
            if len(here):
                rows = self.pairings(flat[here] - at, pairs.ravel()[here], stage)
                results = tournament.play(executor, rows.ravel(), self.agents,
                                          self.setting(decks[at:at + TOGETHER]), on_games)
                scores[here] = pair_scores(results.reshape(rows.shape))
        return scores.reshape(own.shape)

    def setting(self, decks: Sequence[Deck]) -> match.Setting:
        """Return the rules of games of some decks, which have the numbers after the field's."""
        return match.Setting(self.ruleset, (*self.decks, *decks), "fair",
                             self.max_turns)

    def pairings(self, own: Array, pairs: Array, stage: int) -> Array:
        """Return match.PAIRING (k, 2) of decks (k,): each pair from seat 0, then from seat 1."""
        met = pairs % len(self.decks)
        return match.pairs(match.pairings(0, 1 + met, own + len(self.decks), met,
                                          self.seeds(pairs, stage)))


def pair_scores(results: Array) -> Array:
    """Return the scores (...) of pairs of games, match.RESULT (..., 2), 0 to 1, of the first deck.
    """
    won = results["wins_a"][..., 0] + results["wins_b"][..., 1]
    return np.asarray((2 * won + results["draws"].sum(axis=-1)) / 4)


def counts_of(scores: Array) -> Array:
    """Return how many pairs have 0, 1/2 ... 2 points, (5,), of scores (k,)."""
    return np.bincount(np.rint(4 * scores).astype(np.int64).ravel(), minlength=5)


STAY = (64, 16, 4, 1)  # swaps after each step of a race
KNOWN = 64  # pairs against each deck of the field, in the first step
CONFIRM = 99  # the stage of the last games; races have those below
LEAST_GAMES = 520  # of a race, for each deck of the field: a pair against it in the second step


@dataclass(frozen=True)
class Swap:
    """Hold a swap of cards, by id, and the result of its race.

    Attributes
    ----------
    out : str
        Card that was removed.
    into : str
        Card that was added.
    tried : int
        Number of swaps in the race.
    gain : float
        Gain in the last step of the race, in points per game. Biased upwards by selection.
    """

    out: str
    into: str
    tried: int
    gain: float


@dataclass(frozen=True)
class Comparison:
    """Compare a deck and a changed deck in the same new games.

    Attributes
    ----------
    pairs : int
        Number of pairs of games.
    before : Estimate
        Win rate of the deck.
    after : Estimate
        Win rate of the changed deck.
    gain : Estimate
        Difference of the rates.
    chance : float
        Probability that the gain is positive (normal approximation).
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
    had, cards = Counter(deck.ids), [card.id for card in pool.cards]
    least = dict(zip(cards, pool.least.tolist(), strict=True))
    outs = [id for id, n in had.items() if n > least.get(id, 0)]
    ins = [id for id, most in zip(cards, pool.most.tolist(), strict=True) if had[id] < most]
    return [(out, into) for out in outs for into in ins if out != into]


def refuse_lacking(deck: Deck, pool: DeckPool) -> None:
    """Raise DeckError if a deck lacks cards that the pool keeps: no swap would bring them."""
    for card, least in zip(pool.cards, pool.least.tolist(), strict=True):
        if (n := deck.ids.count(card.id)) < least:
            raise DeckError(f"keep has {least}x {card.name}, and '{deck.name}' has {n}; choose"
                            " cards that are in the deck")


def changed(deck: Deck, out: str, into: str) -> Deck:
    """Return a deck with one card in the place of another, which keeps all else in its place."""
    cards = list(deck.ids)
    cards[cards.index(out)] = into
    return Deck.of(f"{deck.name}-changed", deck.hero_class, tuple(cards))


def _gains(executor: Executor, trials: Trials, deck: Deck, swaps: Sequence[tuple[str, str]],
           games: int, at: tuple[int, int], on_games: OnGames) -> Array:
    """Estimate the value of each swap (n,) in points, by `games` of all together."""
    rung, stage = at[0], sum(at)
    decks = [changed(deck, *swap) for swap in swaps]
    each, m = max(games // (2 * (len(swaps) + 1)), 1), len(trials.decks)
    if rung or each >= KNOWN:
        each = max(each // m, 1) * m  # as many against each deck of the field
        scores = trials.scores(executor, [deck, *decks], np.arange(each), stage, on_games)
        return np.asarray((scores[1:] - scores[0]).mean(axis=1))
    known = KNOWN * m  # of these each swap plays a few of its own
    drawn = derive((trials.seed, 5, Stream.ARENA, stage), np.arange(len(swaps) * each)) % known
    pairs = drawn.astype(np.int64).reshape(len(swaps), each)
    base = trials.scores(executor, [deck], np.arange(known), stage, on_games)[0]
    gaps = (trials.scores(executor, decks, pairs, stage, on_games) - base[pairs]).mean(axis=1)
    return _main_effects(swaps, gaps)


def _main_effects(swaps: Sequence[tuple[str, str]], gaps: Array) -> Array:
    """Return for each swap the mean gap of its card out and of its card in, less that of all."""
    effects = np.zeros(len(swaps))
    for names in zip(*swaps, strict=True):
        _, number = np.unique(np.array(names), return_inverse=True)
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
        improvement = race(executor, trials, deck, pool, games // swaps, step, on_games)
        if improvement is None:
            return
        deck = improvement[0]
        yield improvement
