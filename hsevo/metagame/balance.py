"""Changes of cards: which few make a field of decks even, and what one does to a metagame.

    search(executor, field, ...) --> Tried of each size: the changes, the rates after them
    joint_counts(before, after) --> change_table(), class_table(), change_cells()

A change is of one fact of a card by some steps, such as cost+1; the size of a proposal is the sum
of its steps. Evenness is weighed against size by keeping the best proposals of every size, of which
others are made, as the cells of MAP-Elites keep decks (Mouret and Clune 2015). De Mesentier Silva
and others ("Evolving the Hearthstone meta", 2019) search the same two objectives.

After a change, a deck that nobody plays may be the best. So decks may evolve against what was
proposed: they challenge the field, and count as decks of it if they win more than half against it.

The effect of a change is measured by the same games before and after. Every pair of games after the
change has the decks, seats and seed of one before. So differences are of pairs that share most of
their luck, and their intervals are narrower than those of two matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from hsevo.cards import tables
from hsevo.cards.decks import Deck
from hsevo.config.overlays import FACTS, written
from hsevo.errors import RunError
from hsevo.play import match, tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, derive, generator
from hsevo.strength import rating
from hsevo.strength.contest import PairedContest
from hsevo.strength.lineup import estimate_columns, sound
from hsevo.strength.matchups import RESAMPLES, Matchups, drawn_shares, interval, rates_of
from hsevo.strength.rating import Estimate
from hsevo.types import Array

Changes: TypeAlias = tuple[tuple[str, str, int], ...]  # card, fact, steps up or down; sorted
# Of a proposal and of decks that challenged the field before: those that challenge it now.
Respond: TypeAlias = Callable[[Changes, tuple[Deck, ...]], tuple[Deck, ...]]

KEPT = 5  # proposals of each size
AGAIN = 4  # times as many games of the archived proposals, with new seeds
REPLACED = 0.5  # probability that a proposal loses a step for the one that it gets
TRIES = 50  # for a proposal that was not there yet
FAR = 1000  # beyond all facts
LARGE = 1e8  # a noncentral chi square above which scipy's distribution grows inexact


class Tried(NamedTuple):
    """Hold a proposal and the resulting win rates of decks against decks.

    Attributes
    ----------
    changes : Changes
        The proposal.
    rates : ndarray of shape (n + k, n + k)
        Win rates of the n decks and the k challengers.
    challengers : tuple of Deck
        Evolved decks. They did not meet each other.
    """

    changes: Changes
    rates: Array
    challengers: tuple[Deck, ...] = ()

    @property
    def size(self) -> int:
        """Total number of steps."""
        return sum(abs(steps) for *_, steps in self.changes)

    @property
    def unevenness(self) -> float:
        """Unevenness of the decks, see `unevenness`."""
        return float(unevenness(self.rates, len(self.challengers)))


@dataclass(frozen=True)
class BalancedField:
    """Decks whose cards may change: a ruleset without changes, agents AGENT (1,), all seeds' seed.

    facts: of each deck, the facts of its cards that may change, (card, fact). only: cards that may,
    by id; none: all.
    """

    decks: tuple[Deck, ...]
    facts: tuple[tuple[tuple[str, str], ...], ...]
    agents: Array
    ruleset: str
    max_turns: int
    seed: int
    only: frozenset[str] = frozenset()

    def play(self, executor: Executor, changes: Changes, games: int, stage: int,
             on_games: OnGames, challengers: tuple[Deck, ...] = ()) -> Tried:
        """Play every two decks after some changes, `games` from either seat, on common seeds.

        Challengers meet the decks of the field alone.
        """
        n, decks = len(self.decks), (*self.decks, *challengers)
        i, j = np.triu_indices(len(decks), 1)
        i, j = i[i < n], j[i < n]
        seeds = derive((self.seed, 7, Stream.ARENA, stage), i, j)
        rows = match.pairs(match.pairings(0, 0, i, j, seeds, games))
        setting = match.Setting(overlay(self.ruleset, changes), decks, "fair",
                                self.max_turns)
        results = tournament.play(executor, rows.ravel(), self.agents, setting, on_games)
        points = (results["wins_a"] + results["draws"] / 2).reshape(rows.shape) / games
        rates = np.full((len(decks),) * 2, 0.5)
        rates[i, j] = (points[:, 0] + 1 - points[:, 1]) / 2
        rates[j, i] = 1 - rates[i, j]
        return Tried(changes, rates, challengers)

    def facts_with(self, challengers: Sequence[Deck]) -> list[tuple[tuple[str, str], ...]]:
        """Return `facts`, and those of decks that challenge the field."""
        return [*self.facts, *(facts_of(deck, self.ruleset, self.may_change)
                               for deck in challengers)]

    def may_change(self, card: str) -> bool:
        """Return whether a card may change, by its id."""
        return not self.only or card in self.only


def unevenness(rates: Array, challengers: int = 0) -> Array:
    """Return how far decks are from winning half, (...), 0 to 0.5, of rates (..., n, n).

    The root mean square, over the decks, of their rates against all others less 1/2. The last few
    may be challengers of the others, the field: of these counts by how much they win more than
    half against the field; one that wins less counts as one that wins half.
    """
    return np.asarray(np.sqrt((_gaps(rates, challengers)**2).mean(axis=-1)))


def estimated(matchups: Matchups, challengers: int = 0) -> Estimate:
    """Return how far decks are from winning half, as `unevenness`, without what chance adds.

    Of n gaps k are free, and they have a mean variance V by chance; then k U² / V is about
    noncentral chi square with k degrees of freedom, U being the unevenness of the rates and
    k T² / V the noncentrality of the true one, T. The value is sqrt(U² - V), or 0. Those of a field
    sum to 0, so that k is n - 1 without challengers; each that wins more than half adds one. One
    deck alone wins half, against itself: it is 0, without chance.
    """
    if len(matchups.decks) < 2:
        return Estimate(0.0, 0.0, 0.0)
    from scipy.optimize import brentq  # half a second to import, with the next
    from scipy.stats import ncx2, norm

    noise = float(_gaps(matchups.resampled(RESAMPLES), challengers).var(axis=0).mean())
    gaps, n = _gaps(matchups.rates, challengers), len(matchups.decks) - challengers
    free, squares = n - 1 + int((gaps[n:] > 0).sum()), float((gaps**2).mean())

    def end(share: float) -> float:
        """Return the true unevenness for which `share` of all estimates would be lower."""
        statistic, most = free * squares / noise, 4 * free * squares / noise + 100
        if statistic > LARGE:  # its root is about normal, with deviation 1
            return float(sqrt(statistic) + norm.ppf(1 - share)) * sqrt(noise / free)
        if ncx2.cdf(statistic, free, 0) <= share:
            return 0.0
        most = brentq(lambda noncentrality: ncx2.cdf(statistic, free, noncentrality) - share,
                      0, most)
        return sqrt(most * noise / free)

    return Estimate(sqrt(max(squares - noise, 0.0)), end(0.975), end(0.025))


def _gaps(rates: Array, challengers: int = 0) -> Array:
    """Return the rates of decks against all others of the field less 1/2, (..., n).

    Challengers come last; a negative gap of theirs is 0.
    """
    n = rates.shape[-1] - challengers
    gaps = (rates[..., :n] - 0.5).sum(axis=-1)
    gaps[..., :n] /= n - 1
    gaps[..., n:] = np.maximum(gaps[..., n:] / n, 0)
    return np.asarray(gaps)


def overlay(ruleset: str, changes: Changes) -> str:
    """Return a ruleset with changed cards, as an overlay's line."""
    new: dict[str, dict[str, int]] = {}
    for card, fact, steps in changes:
        new.setdefault(card, {})[fact] = tables.fact_of(card, fact, ruleset) + steps
    return written(ruleset, new)


def games_of(decks: int, proposals: int, most: int, games: int, challengers: int = 0) -> int:
    """Return how many games a search plays, at most; games: of every two decks.

    challengers: of the field at a time; the games in which they evolve are not counted.
    """
    pairs = decks * (decks - 1) // 2 + decks * challengers
    # A proposal that is worth a place plays again with new challengers.
    tried = (1 + proposals) * (2 if challengers else 1)
    return pairs * games * (tried + AGAIN * (1 + KEPT * most))


def search(executor: Executor, field: BalancedField, most: int, proposals: int, games: int,
           on_games: OnGames = lambda games: None, respond: Respond | None = None) -> list[Tried]:
    """Return no change, then the best proposal of each size up to `most`, if all before are worse.

    proposals: how many are tried. games: of every two decks, even. Those that were kept play again,
    with new seeds, before the best is chosen.

    respond: evolves decks against the field after a proposal. A proposal first meets those that
    challenged the one that it was made of. If it is worth a place even so, decks evolve against it,
    beginning with these, and it must win its place against the new ones.
    """
    def play(changes: Changes, challengers: tuple[Deck, ...], times: int = 1) -> Tried:
        return field.play(executor, changes, times * games // 2, times, on_games, challengers)

    def keep(tried: Tried, cell: list[Tried]) -> None:
        if respond and (len(cell) < KEPT or tried.unevenness < cell[-1].unevenness):
            tried = play(tried.changes, respond(tried.changes, tried.challengers))
        cell.append(tried)
        cell.sort(key=lambda trial: trial.unevenness)  # stable: of equal ones, those tried first
        del cell[KEPT:]

    cells: dict[int, list[Tried]] = {0: []}
    keep(play((), ()), cells[0])
    known: set[Changes] = {()}
    random = generator((field.seed, 8, Stream.ARENA))
    for _ in range(proposals):
        proposal = _unknown(field, cells, known, most, random)
        if proposal is None:
            break
        changes, parent = proposal
        tried = play(changes, parent.challengers)
        keep(tried, cells.setdefault(tried.size, []))
    replayed = ([play(trial.changes, trial.challengers, AGAIN) for trial in cells[size]]
                for size in sorted(cells))
    return [*front(min(cell, key=lambda trial: trial.unevenness) for cell in replayed)]


def front(tried: Sequence[Tried] | Iterator[Tried]) -> Iterator[Tried]:
    """Yield of proposals, small ones first, those that are more even than all smaller ones."""
    best = np.inf
    for trial in tried:
        if trial.unevenness < best:
            best = trial.unevenness
            yield trial


def _unknown(field: BalancedField, cells: Mapping[int, Sequence[Tried]], known: set[Changes],
             most: int, random: Random) -> tuple[Changes, Tried] | None:
    """Return a new proposal, and the proposal that it was derived from; remember it.

    None if no try finds one.
    """
    everyone = [trial for size in sorted(cells) for trial in cells[size]]
    for _ in range(TRIES):
        parent = everyone[random.randrange(len(everyone))]
        child = mutant(field, parent, most, random)
        if child not in known:
            known.add(child)
            return child, parent
    return None


def mutant(field: BalancedField, parent: Tried, most: int, random: Random) -> Changes:
    """Return a proposal with a step more than its parent, or with another step.

    The step is of a card of a deck that is drawn by how far it is from winning half; it makes a
    card of a deck above half worse, and of one below half better.
    """
    steps = {(card, fact): n for card, fact, n in parent.changes}
    if parent.size == most or (parent.size and random.random() < REPLACED):
        _step(steps, [*steps][random.randrange(len(steps))], toward=0)
    gaps, all_facts = _gaps(parent.rates, len(parent.challengers)), field.facts_with(
        parent.challengers)
    able = [i for i, facts in enumerate(all_facts) if facts]
    (deck,) = random.choices(able, [abs(float(gaps[i])) + 1e-6 for i in able])
    card, fact = all_facts[deck][random.randrange(len(all_facts[deck]))]
    better = gaps[deck] < 0
    _step(steps, (card, fact), toward=FAR if better != (fact == "cost") else -FAR)
    return tuple(sorted((*what, n) for what, n in steps.items() if _inside(field, *what, n)))


def _step(steps: dict[tuple[str, str], int], what: tuple[str, str], toward: int) -> None:
    """Change a fact by one more step towards a number of steps; drop facts with 0 steps."""
    now = steps.pop(what, 0)
    if new := now + int(np.sign(toward - now)):
        steps[what] = new


def _inside(field: BalancedField, card: str, fact: str, steps: int) -> bool:
    low, high = FACTS[fact]
    return low <= tables.fact_of(card, fact, field.ruleset) + steps <= high


def facts_of(deck: Deck, ruleset: str, allowed: Callable[[str], bool]) -> tuple[
        tuple[str, str], ...]:
    """Return the facts of a deck's cards that may change, (card, fact); cards by their names.

    allowed: of a card's id.
    """
    return tuple((tables.title(id, ruleset), fact) for id in dict.fromkeys(deck.ids)
                 if allowed(id) for fact in tables.facts_of(id, ruleset))


K = 5  # results of a pair of games: 0 to 2 points


def joint_counts(before: PairedContest, after: PairedContest) -> Array:
    """Count pairs by what they were and became: (n, n, 5, 5), [i, j, a, b] from the view of i.

    Raises RunError if the two do not have the same games.
    """
    if before.lineup.names != after.lineup.names or not np.array_equal(
            before.schedule, after.schedule) or min(before.done, after.done) < before.total:
        raise RunError("the games before and after a change differ in their pairs or seeds")
    fine = (sound(before.results) & sound(after.results))[::2]
    rows = before.schedule[::2][fine]
    was, is_now = (_points(record)[fine] for record in (before, after))
    n = len(before.lineup.names)
    counts = np.zeros((n, n, K, K), np.int64)
    np.add.at(counts, (rows["a"], rows["b"], was, is_now), 1)
    np.add.at(counts, (rows["b"], rows["a"], K - 1 - was, K - 1 - is_now), 1)
    return counts


def _points(record: PairedContest) -> Array:
    """Return twice the points (m,) of the first agent of each pair of games."""
    results = record.results
    twice_a, twice_b = (2 * results[f"wins_{side}"] + results["draws"] for side in "ab")
    return np.asarray((twice_a[::2] + twice_b[1::2]).astype(np.int64))


def change(joint: Array) -> Estimate:
    """Return by how much the rate changed, from pairs (5, 5) by what they were and became."""
    points = rating.points(np.zeros(K))
    gaps = points[None, :] - points[:, None]
    return rating.paired(np.repeat(gaps.ravel(), joint.ravel()))[0]


def change_table(decks: Matchups, joint: Array, resamples: int = RESAMPLES,
                 seed: int = 1) -> pd.DataFrame:
    """Return a line for each deck: its rate and its share of the Nash mixture, before and after.

    Columns deck, before, after (rates against all other decks), change, share_before, share_after,
    share_change; next to each except deck, its ends: before_low, before_high ...
    """
    sums = joint.sum(axis=1)
    shares = _named_shares(*_shares(joint, resamples, seed))
    return pd.DataFrame({"deck": decks.decks, **_moves(sums),
                         **{f"share_{name}": column for name, column in shares.items()}})


def class_table(decks: Matchups, joint: Array, resamples: int = RESAMPLES,
                seed: int = 1) -> pd.DataFrame:
    """Return a line for each class: the share of its decks, all together, of the Nash mixture.

    Columns class, decks (how many), before, after, change; next to the last three, their ends:
    before_low, before_high ...
    """
    classes = list(dict.fromkeys(decks.classes))
    own = np.array([[deck_class == cls for deck_class in decks.classes]
                    for cls in classes]).T  # (n, classes)
    shares = (part @ own for part in _shares(joint, resamples, seed))
    return pd.DataFrame({"class": classes, "decks": own.sum(axis=0), **_named_shares(*shares)})


def change_cells(decks: Matchups, joint: Array) -> pd.DataFrame:
    """Return a line per match-up: deck, opponent, games, before, after, change and their ends."""
    i, j = np.nonzero(joint.any(axis=(2, 3)))
    names = np.array(decks.decks, object)
    return pd.DataFrame({"deck": names[i], "opponent": names[j],
                         "games": 2 * joint[i, j].sum(axis=(1, 2)), **_moves(joint[i, j])})


def _moves(joint: Array) -> dict[str, list[float]]:
    """Return columns of the rates before and after, and of their changes, of pairs (m, 5, 5)."""
    return {**estimate_columns("before", [rating.rate(pair.sum(axis=1)) for pair in joint]),
            **estimate_columns("after", [rating.rate(pair.sum(axis=0)) for pair in joint]),
            **estimate_columns("change", [change(pair) for pair in joint])}


def _rates(joint: Array, axis: int) -> Array:
    """Return rates (n, n): before, if axis is that of what pairs became; else after."""
    rates = rates_of(joint.sum(axis=axis))
    np.fill_diagonal(rates, 0.5)
    return rates


def _named_shares(before: Array, after: Array) -> dict[str, Array]:
    """Return columns of shares, (1 + times, m): the estimates, and their ends by resampling."""
    columns: dict[str, Array] = {}
    for name, part in (("before", before), ("after", after), ("change", after - before)):
        low, high = interval(part[1:])
        columns |= {name: part[0], f"{name}_low": low, f"{name}_high": high}
    return columns


def _shares(joint: Array, times: int, seed: int) -> tuple[Array, Array]:
    """Return shares (1 + times, n) of the mixture, before and after.

    The first are the estimates, the others those of resampled pairs, with both results.
    """
    n = len(joint)
    i, j = np.triu_indices(n, 1)
    shares = drawn_shares(joint[i, j].reshape(len(i), -1), times, seed).reshape(times, -1, K, K)
    points, mixtures = rating.points(np.zeros(K)), []
    for axis in (-1, -2):
        rates = np.full((times, n, n), 0.5)
        rates[:, i, j] = shares.sum(axis=axis) @ points
        rates[:, j, i] = 1 - rates[:, i, j]
        mixtures.append(np.array([rating.nash(sample) for sample in (_rates(joint, axis), *rates)]))
    return mixtures[0], mixtures[1]
