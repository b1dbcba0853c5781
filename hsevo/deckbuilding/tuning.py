"""`hsevo.improve_deck`, `hsevo.card_values`: the best swaps of a deck, what its cards are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Unpack

import pandas as pd

from hsevo import config
from hsevo.cards import tables
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import Deck, DeckLike, each_deck
from hsevo.deckbuilding import card_values as worth
from hsevo.deckbuilding import swaps as races
from hsevo.deckbuilding.swaps import Comparison, Swap, Trials
from hsevo.errors import ConfigError, DeckError, refuse_unknown
from hsevo.experiments.playing import Progress, playing, workers_of
from hsevo.generated import WorkersFields
from hsevo.objects import Fields
from hsevo.play.rules import MOST_TURNS
from hsevo.seeds import MOST_SEED
from hsevo.strength.rating import Estimate

MOST_SWAPS = 10


@dataclass(frozen=True)
class Improved:
    """Hold a deck after its best swaps of cards.

    Attributes
    ----------
    before : Deck
        The deck before the swaps.
    deck : Deck
        The deck after the swaps. The same deck if no swap was an improvement.
    steps : tuple of Swap
        The swaps.
    comparison : Comparison
        Both decks in new games against the metagame, which were not used for selection.

    Examples
    --------
    >>> found = hsevo.improve_deck("mage", ["shaman"], pilot="greedy:metastone", games=2000,
    ...                            confirm=100)
    >>> found.swaps.columns.tolist()
    ['out', 'in', 'tried', 'race']
    """

    FIELDS: ClassVar[Fields] = {
        "before": "before", "deck": "deck", "answer": "sentence", "swaps": "swaps",
        "comparison": {
            "games": lambda self: 2 * self.comparison.pairs, "before": "comparison.before",
            "after": "comparison.after", "gain": "comparison.gain",
            "chance": "comparison.chance"}}

    before: Deck
    deck: Deck
    steps: tuple[Swap, ...]
    comparison: Comparison

    @property
    def swaps(self) -> pd.DataFrame:
        """One row for each swap.

        Columns out, in, tried (number of swaps in the race), race (gain in the race). The gain in
        the race is biased upwards, because it is the highest of many. `comparison` is unbiased.
        """
        name = tables.every_card()
        return pd.DataFrame([
            {"out": name[swap.out].name, "in": name[swap.into].name, "tried": swap.tried,
             "race": swap.gain} for swap in self.steps], columns=["out", "in", "tried", "race"])

    @property
    def sentence(self) -> str:
        """Result in words."""
        if not self.steps:
            return f"none of the tested swaps improves {self.before.name}"
        gain = self.comparison.gain
        said = (f"{100 * gain.value:+.1f} points ({100 * gain.low:+.1f} to"
                f" {100 * gain.high:+.1f})")
        changed = f"{self.before.name} with {len(self.steps)} swap{'s' * (len(self.steps) > 1)}"
        if gain.low <= 0 <= gain.high:
            return f"{changed} is not significantly better or worse: {said}"
        return f"{changed} is {'better' if gain.low > 0 else 'worse'}: {said}"

    def __repr__(self) -> str:
        return f"Improved({self.sentence})"


@dataclass(frozen=True)
class CardValues:
    """Hold the value of each card of a deck against a metagame.

    Attributes
    ----------
    deck : Deck
        The deck.
    rate : Estimate
        Win rate of the deck.
    table : pandas.DataFrame
        One row for each card, the most valuable first. Columns card, copies, cost, then value,
        value_low, value_high: the gain in points per game over neutral cards of the same cost in
        place of all copies of the card. Each pair of games has another replacement. dealt, drawn
        and shown are win rates in games where the card was in the first hand (before the mulligan),
        was drawn, or was shown to the opponent, each with its interval and number of games.

    Notes
    -----
    Long games draw more cards, so drawn and shown do not measure the value of a card.

    Examples
    --------
    >>> found = hsevo.card_values("mage", ["shaman"], pilot="greedy:metastone", games=40)
    >>> found.table.columns[:6].tolist()
    ['card', 'copies', 'cost', 'value', 'value_low', 'value_high']
    """

    FIELDS: ClassVar[Fields] = {"deck": "deck", "rate": "rate", "cards": "table"}

    deck: Deck
    rate: Estimate
    table: pd.DataFrame

    def __repr__(self) -> str:
        best = self.table.iloc[0]
        return (f"CardValues({self.deck.name}: {self.rate}; {best['card']} is worth most,"
                f" {100 * best['value']:+.1f} points)")


class TrialFields(WorkersFields, total=False):
    """Set how games of a deck against a metagame are played."""

    seed: int
    """The same seed gives the same games; default: 1."""
    ruleset: str
    """Version of cards and rules; default: cig2018."""
    max_turns: int
    """Player turns after which a game is a draw; default: 89."""


class TuningFields(TrialFields, total=False):
    """Also set the card pool: keys of the pool of hsevo decks evolve."""

    sets: Iterable[str]
    """Names of sets."""
    collection: str | Path | None
    """File of your cards."""
    keep: Iterable[str]
    """Cards that stay, such as "2x Fireball"."""
    ban: Iterable[str]
    """Cards that may not be added."""


def improve_deck(deck: DeckLike, against: DeckLike | Iterable[str], *, pilot: str = "eva:2018",
                 swaps: int = 1, games: int = 100_000, confirm: int = 4_000,
                 progress: Progress = False, **more: Unpack[TuningFields]) -> Improved:
    """Find the best swaps of cards for a deck against a metagame.

    Parameters
    ----------
    deck : deck
        The deck, in any form.
    against : deck or iterable of str
        Opponent decks: decks, or AGENT@DECK. `pilot` plays a deck without an agent.
    pilot : str, default "eva:2018"
        Agent that plays the deck.
    swaps : int, default 1
        Maximum number of swaps, one after the other.
    games : int, default 100_000
        Approximate number of games of all races.
    confirm : int, default 4_000
        New games of each of the two decks, on common seeds.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **more : TuningFields
        `seed`, `ruleset`, `max_turns`, `workers` and `backend`. Card pool, as for `hsevo decks
        evolve`: `sets` (names of sets), `collection` (a file of your cards), `keep` (cards that
        stay, such as "2x Fireball") and `ban` (cards that may not be added).

    Returns
    -------
    Improved
        The changed deck, with a comparison.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> found = hsevo.improve_deck("mage", ["shaman"], pilot="greedy:metastone", games=2000,
    ...                            confirm=100)
    >>> len(found.deck.cards), found.comparison.pairs
    (30, 50)
    """
    refuse_unknown("improve_deck", more, TuningFields.__annotations__)
    swaps = config.whole("swaps", swaps, 1, MOST_SWAPS)
    confirm = config.whole("confirm", confirm, 2, 10_000_000)
    cards, worker_fields, rules = _parted(more)
    trials = _trials(against, pilot, **rules)
    least = swaps * len(trials.decks) * races.LEAST_GAMES
    games = config.whole("games", games, least, 10**9)
    own = Deck(deck)
    pool = DeckPool.of(own.hero, trials.ruleset, collection=cards.pop("collection", None), **{
        name: config.in_order(name, cards.get(name, ())) for name in ("sets", "keep", "ban")})
    races.refuse_lacking(own, pool)
    trials.setting([own])  # refuses cards of another ruleset
    total = games + 4 * races.whole_pairs(confirm, len(trials.decks))
    with playing(total, workers_of(**worker_fields), progress,
                 ruleset=trials.ruleset) as (executor, meter):
        steps = [*races.improved(executor, trials, own, pool, games, swaps, meter.advance)]
        last = steps[-1][0] if steps else own
        comparison = races.compare(executor, trials, own, last, confirm, meter.advance)
    return Improved(own, Deck(last, name=f"{own.name}-improved") if steps else own,
                    tuple(swap for _, swap in steps), comparison)


def card_values(deck: DeckLike, against: DeckLike | Iterable[str], *, pilot: str = "eva:2018",
                games: int = 2000, progress: Progress = False,
                **rules: Unpack[TrialFields]) -> CardValues:
    """Measure the value of each card of a deck against a metagame.

    Parameters
    ----------
    deck : deck
        The deck, in any form.
    against : deck or iterable of str
        Opponent decks, as in `hsevo.improve_deck`.
    pilot : str, default "eva:2018"
        Agent that plays the deck.
    games : int, default 2000
        Games of the deck, and again for each card.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **rules : TrialFields
        `seed`, `ruleset`, `max_turns`, `workers` and `backend`.

    Returns
    -------
    CardValues
        The win rate of the deck, and a table of the cards.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> found = hsevo.card_values("mage", ["shaman"], pilot="greedy:metastone", games=40)
    >>> found.table["copies"].sum()
    np.int64(30)
    """
    refuse_unknown("card_values", rules, TrialFields.__annotations__)
    games = config.whole("games", games, 2, 1_000_000)
    _, worker_fields, trial_fields = _parted(rules)
    trials, own = _trials(against, pilot, **trial_fields), Deck(deck)
    trials.setting([own])  # refuses cards of another ruleset
    pairs = races.whole_pairs(games, len(trials.decks))
    total = 2 * pairs * (1 + len({*own.ids}))
    with playing(total, workers_of(**worker_fields), progress,
                 ruleset=trials.ruleset) as (executor, meter):
        return CardValues(own, *worth.values(executor, trials, own, pairs, meter.advance))


def _parted(fields: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Split keywords into those of the cards, of the workers, and of the rules."""
    cards = {key: fields[key] for key in ("sets", "collection", "keep", "ban") if key in fields}
    worker_fields = {key: fields[key] for key in ("workers", "backend") if key in fields}
    return cards, worker_fields, {key: fields[key] for key in fields
                                  if key not in cards | worker_fields}


def _trials(against: Any, pilot: str, ruleset: str = "cig2018", max_turns: int = 89,
            seed: int = 1) -> Trials:
    """Return the field and its rules. Raises AgentError, DeckError, ConfigError, CardError."""
    if not isinstance(pilot, str):
        raise ConfigError(f"pilot is {config.short(pilot)}, but must be a spec, such as 'eva:2018'")
    named: list[Any] = each_deck(against)
    if bad := [name for name in named if not isinstance(name, str)]:
        raise DeckError(f"field has {config.short(bad[0])}, but must contain names of decks or"
                        " AGENT@DECK")
    trials = Trials.of(named, pilot, tables.find_ruleset(ruleset).name,
                       config.whole("max_turns", max_turns, 1, MOST_TURNS),
                       config.whole("seed", seed, 0, MOST_SEED))
    trials.setting([])
    return trials
