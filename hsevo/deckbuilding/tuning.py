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
from hsevo.errors import ConfigError, DeckError
from hsevo.experiments.playing import Progress, playing, workers_of
from hsevo.generated import WorkersFields
from hsevo.objects import Fields
from hsevo.play.games import MOST_TURNS
from hsevo.seeds import MOST_SEED
from hsevo.strength.rating import Estimate

MOST_SWAPS = 10


@dataclass(frozen=True)
class Improved:
    """A deck after its best swaps; `deck` is the deck as it is if no swap won anything.

    comparison: both decks in new games against the field, in which nothing was chosen.

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
        """A line per swap: columns out, in, tried (swaps that raced), race (its gain there).

        The gain in the race is the highest of many, and so too high; `comparison` is not.
        """
        name = tables.every_card()
        return pd.DataFrame([
            {"out": name[one.out].name, "in": name[one.into].name, "tried": one.tried,
             "race": one.gain} for one in self.steps], columns=["out", "in", "tried", "race"])

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        if not self.steps:
            return f"no swap that was tried makes {self.before.name} better"
        gain = self.comparison.gain
        said = (f"{100 * gain.value:+.1f} points ({100 * gain.low:+.1f} to"
                f" {100 * gain.high:+.1f})")
        changed = f"{self.before.name} with {len(self.steps)} swap{'s' * (len(self.steps) > 1)}"
        if gain.low <= 0 <= gain.high:
            return f"{changed} is neither surely better nor worse: {said}"
        return f"{changed} is {'better' if gain.low > 0 else 'worse'}: {said}"

    def __repr__(self) -> str:
        return f"Improved({self.sentence})"


@dataclass(frozen=True)
class CardValues:
    """What each card of a deck is worth against a field; `rate`: what the deck itself won.

    table: a line per card, the best first. Columns card, copies, cost; value, value_low,
    value_high: how many points a game more the deck wins than with neutral cards of the same cost
    in the card's place (all its copies; in every pair of games another one); dealt, drawn, shown:
    the deck's rate in games where the card was in the first hand (before a mulligan), was drawn,
    was shown to the other (played, mostly), each with its ends and the number of games. Long games
    draw more cards, so drawn and shown are not worth alone.

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
    """How games of a deck against a field are played."""

    seed: int
    ruleset: str
    max_turns: int


class TuningFields(TrialFields, total=False):
    """Likewise, and which cards may come and go: keys of the pool of hsevo decks evolve."""

    sets: Iterable[str]
    collection: str | Path | None
    keep: Iterable[str]
    ban: Iterable[str]


def improve_deck(deck: DeckLike, against: DeckLike | Iterable[str], *, pilot: str = "eva:2018",
                 swaps: int = 1, games: int = 100_000, confirm: int = 4_000,
                 progress: Progress = False, **more: Unpack[TuningFields]) -> Improved:
    """Find the best swaps of cards for a deck against a field of decks.

    against: decks, or AGENT@DECK; a deck without an agent is played by the pilot. swaps: at most so
    many, one after the other. games: of all races, about. confirm: new games of the deck and of the
    changed one, each, on common seeds. more: seed, ruleset, max_turns, workers, backend; and which
    cards may come and go, as of `hsevo decks evolve`: sets, names of sets; collection, a file of
    cards that one has; keep, cards that stay ("2x Fireball"); ban, cards that may not come.

    Raises AgentError, DeckError, ConfigError, CardError.

    >>> found = hsevo.improve_deck("mage", ["shaman"], pilot="greedy:metastone", games=2000,
    ...                            confirm=100)
    >>> len(found.deck.cards), found.comparison.pairs
    (30, 50)
    """
    swaps = config.whole("swaps", swaps, 1, MOST_SWAPS)
    confirm = config.whole("confirm", confirm, 2, 10_000_000)
    cards, team, rules = _parted(more)
    trials = _trials(against, pilot, **rules)
    least = swaps * len(trials.decks) * races.LEAST_GAMES
    games = config.whole("games", games, least, 10**9)
    own = Deck(deck)
    pool = DeckPool.of(own.hero, trials.ruleset, collection=cards.pop("collection", None), **{
        name: config.in_order(name, cards.get(name, ())) for name in ("sets", "keep", "ban")})
    races.refuse_lacking(own, pool)
    trials.setting([own])  # refuses cards of another ruleset
    total = games + 4 * races.whole_pairs(confirm, len(trials.decks))
    with playing(total, workers_of(**team), progress) as (executor, meter):
        steps = [*races.improved(executor, trials, own, pool, games, swaps, meter.advance)]
        last = steps[-1][0] if steps else own
        found = races.compare(executor, trials, own, last, confirm, meter.advance)
    return Improved(own, Deck(last, name=f"{own.name}-improved") if steps else own,
                    tuple(swap for _, swap in steps), found)


def card_values(deck: DeckLike, against: DeckLike | Iterable[str], *, pilot: str = "eva:2018",
                games: int = 2000, progress: Progress = False,
                **rules: Unpack[TrialFields]) -> CardValues:
    """Measure what each card of a deck is worth against a field of decks.

    against, pilot: as of `improve_deck`, and so are seed, ruleset, max_turns, workers and backend.
    games: of the deck as it is, and again for each card.

    Raises AgentError, DeckError, ConfigError, CardError.

    >>> found = hsevo.card_values("mage", ["shaman"], pilot="greedy:metastone", games=40)
    >>> found.table["copies"].sum()
    np.int64(30)
    """
    games = config.whole("games", games, 2, 1_000_000)
    _, team, given = _parted(rules)
    trials, own = _trials(against, pilot, **given), Deck(deck)
    trials.setting([own])  # refuses cards of another ruleset
    pairs = races.whole_pairs(games, len(trials.decks))
    total = 2 * pairs * (1 + len({*own.ids}))
    with playing(total, workers_of(**team), progress) as (executor, meter):
        return CardValues(own, *worth.values(executor, trials, own, pairs, meter.advance))


def _parted(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return what is given of the cards, of the workers, and of the rules."""
    cards = {key: given[key] for key in ("sets", "collection", "keep", "ban") if key in given}
    team = {key: given[key] for key in ("workers", "backend") if key in given}
    return cards, team, {key: given[key] for key in given if key not in cards | team}


def _trials(against: Any, pilot: str, ruleset: str = "cig2018", max_turns: int = 89,
            seed: int = 1) -> Trials:
    """Return the field and its rules. Raises AgentError, DeckError, ConfigError, CardError."""
    if not isinstance(pilot, str):
        raise ConfigError(f"pilot is {config.short(pilot)}, but must be a spec, such as 'eva:2018'")
    named: list[Any] = each_deck(against)
    if bad := [one for one in named if not isinstance(one, str)]:
        raise DeckError(f"the field has {config.short(bad[0])}, but must have names of decks, or"
                        " AGENT@DECK")
    trials = Trials.of(named, pilot, tables.find_ruleset(ruleset).name,
                       config.whole("max_turns", max_turns, 1, MOST_TURNS),
                       config.whole("seed", seed, 0, MOST_SEED))
    trials.setting([])
    return trials
