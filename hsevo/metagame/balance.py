"""Which few changes of cards make a field of decks even? A search, with a place for each size.

    search(executor, field, ...) --> Tried of each size: the changes, the rates after them

A change is of one fact of a card by some steps, such as cost+1; the size of a proposal is the sum
of its steps. Evenness is weighed against size by keeping the best proposals of every size, of which
others are made, as the cells of MAP-Elites keep decks (Mouret and Clune 2015). De Mesentier Silva
and others ("Evolving the Hearthstone meta", 2019) search the same two objectives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.cards import tables
from hsevo.cards.decks import Deck
from hsevo.config.overlays import FACTS, written
from hsevo.metagame.matchups import RESAMPLES, Matchups
from hsevo.play import match, tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, derive, generator
from hsevo.strength.rating import Estimate

Array: TypeAlias = npt.NDArray[Any]
Changes: TypeAlias = tuple[tuple[str, str, int], ...]  # card, fact, steps up or down; sorted

KEPT = 5  # proposals of each size
AGAIN = 4  # times as many games of those that were kept, with new seeds
REPLACED = 0.5  # probability that a proposal loses a step for the one that it gets
TRIES = 50  # for a proposal that was not there yet
FAR = 1000  # beyond all facts
LARGE = 1e8  # a noncentral chi square above which scipy's distribution grows inexact


class Tried(NamedTuple):
    """A proposal, and the rates (n, n) of decks against decks after it."""

    changes: Changes
    rates: Array

    @property
    def size(self) -> int:
        """The sum of its steps."""
        return sum(abs(steps) for *_, steps in self.changes)

    @property
    def unevenness(self) -> float:
        """See `unevenness`."""
        return float(unevenness(self.rates))


@dataclass(frozen=True)
class Field:
    """Decks whose cards may change: a ruleset without changes, agents AGENT (1,), all seeds' seed.

    facts: of each deck, the facts of its cards that may change, (card, fact).
    """

    decks: tuple[Deck, ...]
    facts: tuple[tuple[tuple[str, str], ...], ...]
    agents: Array
    ruleset: str
    max_turns: int
    seed: int

    def play(self, executor: Executor, changes: Changes, games: int, stage: int,
             on_games: OnGames) -> Tried:
        """Play every two decks after some changes, `games` from either seat, on common seeds."""
        i, j = np.triu_indices(len(self.decks), 1)
        rows = np.zeros((len(i), 2), match.PAIRING)
        rows["deck_a"], rows["deck_b"] = np.stack([i, j], 1), np.stack([j, i], 1)
        rows["games"] = games
        rows["seed"] = derive((self.seed, 7, Stream.ARENA, stage), i, j)[:, None]
        setting = match.Setting(overlay(self.ruleset, changes), self.decks,
                                max_turns=self.max_turns)
        found = tournament.play(executor, rows.ravel(), self.agents, setting, on_games)
        points = (found["wins_a"] + found["draws"] / 2).reshape(rows.shape) / games
        rates = np.full((len(self.decks),) * 2, 0.5)
        rates[i, j] = (points[:, 0] + 1 - points[:, 1]) / 2
        rates[j, i] = 1 - rates[i, j]
        return Tried(changes, rates)


def unevenness(rates: Array) -> Array:
    """Return how far decks are from winning half, (...), 0 to 0.5, of rates (..., n, n).

    The root mean square, over the decks, of their rates against all others less 1/2.
    """
    return np.asarray(np.sqrt((_gaps(rates)**2).mean(axis=-1)))


def estimated(matchups: Matchups) -> Estimate:
    """Return how far decks are from winning half, as `unevenness`, without what chance adds.

    k = n - 1 gaps are free, as they sum to 0, and have a mean variance V by chance; then k U² / V
    is about noncentral chi square with k degrees of freedom, U being the unevenness of the rates
    and k T² / V the noncentrality of the true one, T. The value is sqrt(U² - V), or 0. One deck
    alone wins half, against itself: it is 0, without chance.
    """
    if len(matchups.decks) < 2:
        return Estimate(0.0, 0.0, 0.0)
    from scipy.optimize import brentq  # half a second to import, with the next
    from scipy.stats import ncx2, norm

    noise = float(_gaps(matchups.resampled(RESAMPLES)).var(axis=0).mean())
    free, squares = len(matchups.rates) - 1, float(unevenness(matchups.rates)) ** 2

    def end(share: float) -> float:
        """Return the true unevenness with which so much is below what was found."""
        found, most = free * squares / noise, 4 * free * squares / noise + 100
        if found > LARGE:  # its root is about normal, with deviation 1
            return float(sqrt(found) + norm.ppf(1 - share)) * sqrt(noise / free)
        if ncx2.cdf(found, free, 0) <= share:
            return 0.0
        most = brentq(lambda one: ncx2.cdf(found, free, one) - share, 0, most)
        return sqrt(most * noise / free)

    return Estimate(sqrt(max(squares - noise, 0.0)), end(0.975), end(0.025))


def _gaps(rates: Array) -> Array:
    """Return the rates of decks against all others less 1/2, (..., n)."""
    n = rates.shape[-1]
    return np.asarray((rates - 0.5).sum(axis=-1) / (n - 1))


def overlay(ruleset: str, changes: Changes) -> str:
    """Return a ruleset with changed cards, as an overlay's line."""
    new: dict[str, dict[str, int]] = {}
    for card, fact, steps in changes:
        new.setdefault(card, {})[fact] = tables.fact_of(card, fact, ruleset) + steps
    return written(ruleset, new)


def games_of(decks: int, proposals: int, most: int, games: int) -> int:
    """Return how many games a search plays, at most; games: of every two decks."""
    return decks * (decks - 1) // 2 * games * (1 + proposals + AGAIN * (1 + KEPT * most))


def search(executor: Executor, field: Field, most: int, proposals: int, games: int,
           on_games: OnGames = lambda games: None) -> list[Tried]:
    """Return the best proposal of each size up to `most`, if none and smaller ones are worse.

    proposals: how many are tried. games: of every two decks, even. Those that were kept play again,
    with new seeds, before the best is chosen.
    """
    def play(changes: Changes, times: int = 1) -> Tried:
        return field.play(executor, changes, times * games // 2, times, on_games)

    kept = {0: [play(())]}
    known: set[Changes] = {()}
    random = generator((field.seed, 8, Stream.ARENA))
    for _ in range(proposals):
        changes = _unknown(field, kept, known, most, random)
        if changes is None:
            break
        tried = play(changes)
        cell = kept.setdefault(tried.size, [])
        cell.append(tried)
        cell.sort(key=lambda one: one.unevenness)  # stable: of equal ones, those tried first
        del cell[KEPT:]
    again = ([play(one.changes, AGAIN) for one in kept[size]] for size in sorted(kept))
    best = front(min(cell, key=lambda one: one.unevenness) for cell in again)
    return [one for one in best if one.size]


def front(tried: Sequence[Tried] | Iterator[Tried]) -> Iterator[Tried]:
    """Yield of proposals, small ones first, those that are more even than all smaller ones."""
    best = np.inf
    for one in tried:
        if one.unevenness < best:
            best = one.unevenness
            yield one


def _unknown(field: Field, kept: Mapping[int, Sequence[Tried]], known: set[Changes], most: int,
             random: Random) -> Changes | None:
    """Return a proposal that was not there yet, and remember it; None if tries find none."""
    everyone = [one for size in sorted(kept) for one in kept[size]]
    for _ in range(TRIES):
        parent = everyone[random.randrange(len(everyone))]
        child = mutant(field, parent, most, random)
        if child not in known:
            known.add(child)
            return child
    return None


def mutant(field: Field, parent: Tried, most: int, random: Random) -> Changes:
    """Return a proposal with a step more than its parent, or with another step.

    The step is of a card of a deck that is drawn by how far it is from winning half; it makes a
    card of a deck above half worse, and of one below half better.
    """
    steps = {(card, fact): n for card, fact, n in parent.changes}
    if parent.size == most or (parent.size and random.random() < REPLACED):
        _step(steps, [*steps][random.randrange(len(steps))], toward=0)
    gaps = _gaps(parent.rates)
    able = [i for i, facts in enumerate(field.facts) if facts]
    (deck,) = random.choices(able, [abs(float(gaps[i])) + 1e-6 for i in able])
    card, fact = field.facts[deck][random.randrange(len(field.facts[deck]))]
    better = gaps[deck] < 0
    _step(steps, (card, fact), toward=FAR if better != (fact == "cost") else -FAR)
    return tuple(sorted((*what, n) for what, n in steps.items() if _inside(field, *what, n)))


def _step(steps: dict[tuple[str, str], int], what: tuple[str, str], toward: int) -> None:
    """Change a fact by one more step towards a number of steps; those of 0 are left out."""
    now = steps.pop(what, 0)
    if new := now + int(np.sign(toward - now)):
        steps[what] = new


def _inside(field: Field, card: str, fact: str, steps: int) -> bool:
    low, high = FACTS[fact]
    return low <= tables.fact_of(card, fact, field.ruleset) + steps <= high


def facts_of(deck: Deck, ruleset: str, allowed: Callable[[str], bool]) -> tuple[
        tuple[str, str], ...]:
    """Return the facts of a deck's cards that may change, (card, fact); cards by their names.

    allowed: of a card's id.
    """
    return tuple((tables.title(id, ruleset), fact) for id in dict.fromkeys(deck.cards)
                 if allowed(id) for fact in tables.facts_of(id, ruleset))
