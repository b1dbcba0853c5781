"""The field of a search: its decks, agents and pilots, all read, and the games against it.

    read_field(plan) --> Field     once, when a run begins; about.json keeps it
    FieldGames(plan, field, pilots).play(executor, decks, games, key) --> book.RESULT (n, m)

All decks play the same deals: the seed of a match depends on the deck of the field alone. Each
match has a mirror image with the sides swapped, so that a deck plays the deals of either seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hsevo.cards.deck_pool import NINE, known_lists
from hsevo.cards.decks import Deck, class_of, read_deck, refuse_foreign
from hsevo.cards.human_decks import PREFIX, SIDES
from hsevo.cards.tables import ids
from hsevo.cards.terms import Class
from hsevo.config.deckbuilding import HUMAN, NASH, Opponent, Plan
from hsevo.deckbuilding.book import RESULT
from hsevo.errors import ConfigError, DeckError
from hsevo.play import match, tournament
from hsevo.play.behaviour import SEEN, WATCHED, Watched
from hsevo.play.participants import agent_data, agent_of, deck_data
from hsevo.play.workers import Executor, OnGames
from hsevo.runs import checks
from hsevo.seeds import Stream, derive
from hsevo.strength.contest import Arena
from hsevo.strength.matchups import matchups_of
from hsevo.strength.rating import nash
from hsevo.strength.roster import contents, read_agent, split_deck
from hsevo.types import Array

OWN = ""  # in place of an agent: who pilots the deck of the search plays the field's deck, too


@dataclass(frozen=True, eq=False)
class Field:
    """The field, and who plays.

    decks: k of the field, each with its agent (OWN: the pilot's) and its share, to scale. start:
    decks of the first generation. beside: decks that play the last games as well. agents: all that
    are named, AGENT (1,), by their specs.
    """

    decks: tuple[Deck, ...]
    played_by: tuple[str, ...]
    shares: tuple[float, ...]
    start: tuple[Deck, ...]
    beside: tuple[Deck, ...]
    agents: Mapping[str, Array]

    def weights(self, pilots: int) -> Array:
        """Return the weights of all meetings, pilot by pilot, (pilots * k,), with sum 1."""
        each = np.tile(np.array(self.shares), pilots)
        weights: Array = each / each.sum()
        return weights

    def data(self) -> dict[str, Any]:
        """Return it as data that json.dumps takes."""
        parts = {name: [deck_data(deck) for deck in getattr(self, name)]
                 for name in ("decks", "start", "beside")}
        return {**parts, "played_by": [*self.played_by], "shares": [*self.shares],
                "agents": {name: agent_data(agent[0]) for name, agent in self.agents.items()}}

    @classmethod
    def of(cls, data: Mapping[str, Any], ruleset: str) -> Field:
        """Return the field of `data`. Raises LookupError, TypeError or ValueError if damaged."""
        decks, start, beside = (tuple(checks.deck(entry, ruleset) for entry in data[name])
                                for name in ("decks", "start", "beside"))
        if not len(decks) == len(data["played_by"]) == len(data["shares"]) or not decks:
            raise ValueError("its field is inconsistent")
        return cls(decks, tuple(map(str, data["played_by"])), tuple(map(float, data["shares"])),
                   start, beside, {name: agent_of(agent) for name, agent in data["agents"].items()})


def read_field(plan: Plan) -> Field:
    """Read the decks and agents that a plan names.

    Raises ConfigError, DeckError, AgentError; RunError for a folder of a mixture.
    """
    decks: list[Deck] = []
    played_by: list[str] = []
    shares: list[float] = []
    for row in plan.field:
        pilots: Sequence[str] = ()
        parts: Sequence[float] = ()
        if row.deck.startswith(NASH):
            row_decks, pilots, parts = _mixture(Path(row.deck.removeprefix(NASH)))
        else:
            row_decks = _lists(row, plan) if row.deck in HUMAN else [read_deck(row.deck)]
        decks += row_decks
        played_by += [row.agent or pilot for pilot in pilots or [OWN] * len(row_decks)]
        shares += [row.share * part for part in parts or [1 / len(row_decks)] * len(row_decks)]
    beside = tuple(map(read_deck, plan.confirm.beside))
    start = _start(plan)
    _refuse_twice([*zip(decks, played_by, strict=True)])
    refuse_foreign((*decks, *beside, *start), plan.ruleset)
    named = dict.fromkeys((*plan.pilots, *plan.confirm.pilots, *filter(None, played_by)))
    return Field(tuple(decks), tuple(played_by), tuple(shares), start, beside,
                 {name: read_agent(name, None) for name in named})


def _mixture(path: Path) -> tuple[list[Deck], list[str], list[float]]:
    """Return the decks of a matrix that have a share of its Nash mixture, their pilots, the shares.

    path: as of `hsevo.open_meta`. Raises RunError, ConfigError, AgentError, DeckError.
    """
    inside = path / "matrix"
    arena = Arena.open_finished(inside if inside.exists() else path)
    matchups, lineup = matchups_of(arena), arena.lineup
    shares = nash(matchups.rates)
    own = [lineup.decks[lineup.decks_of(i)[0]] for i in range(len(shares))]
    there = np.flatnonzero(shares).tolist()
    return ([own[i] for i in there], [split_deck(lineup.names[i])[0] for i in there],
            [float(shares[i]) for i in there])


def _lists(row: Opponent, plan: Plan) -> list[Deck]:
    """Return some human lists of each class that a row names, chosen by the seed."""
    decks = []
    for cls in [*map(class_of, row.classes)] or NINE:
        decks += _chosen(cls, row.deck, row.lists, plan.seed, plan.ruleset)
    return decks


def _chosen(cls: Class, named: str, n: int, seed: int, ruleset: str) -> list[Deck]:
    """Return n human lists of a class, in a random order of the seed. Raises DeckError."""
    lists, names = known_lists(cls, SIDES[named], ruleset)
    if n > len(lists):
        raise DeckError(f"{named} has {len(lists)} lists of a {cls.name.lower()}, not {n:,}; take"
                        " fewer")
    order = np.argsort(derive((seed, Stream.DECK_FIELD, int(cls)), np.arange(len(lists))))[:n]
    cards = np.array(ids(ruleset), object)
    return [Deck.of(PREFIX + str(names[i]), cls.name, tuple(cards[lists[i].astype(np.int64)]))
            for i in order]


def _start(plan: Plan) -> tuple[Deck, ...]:
    """Return the decks that the first generation has, at most as many as it holds."""
    start: list[Deck] = []
    own = class_of(plan.pool.cls)
    for name in plan.search.start:
        if name in HUMAN:
            known, _ = known_lists(own, SIDES[name], plan.ruleset)
            room = min(plan.search.first - len(start), len(known))
            start += _chosen(own, name, max(room, 0), plan.seed, plan.ruleset)
        else:
            start.append(read_deck(name))
    return tuple(start)


def _refuse_twice(rows: Sequence[tuple[Deck, str]]) -> None:
    """Raise ConfigError for a deck that one agent plays twice, or two decks of one name."""
    seen: dict[str, tuple[Any, set[str]]] = {}
    for deck, agent in rows:
        known, agents = seen.setdefault(deck.name, (contents(deck), set()))
        if known != contents(deck):
            raise ConfigError(f"field: two decks are called '{deck.name}'; rename one")
        if agent in agents:
            raise ConfigError(f"field: '{deck.name}' is listed twice; increase its share instead")
        agents.add(agent)


class FieldGames:
    """Where decks meet a field under some pilots; meetings are pilot by pilot."""

    def __init__(self, plan: Plan, field: Field, pilots: Sequence[str]) -> None:
        self.plan, self.field = plan, field
        specs = [*dict.fromkeys((*pilots, *filter(None, field.played_by)))]
        self.agents = np.concatenate([field.agents[spec] for spec in specs])
        number = {spec: i for i, spec in enumerate(specs)}
        own = [number[pilot] for pilot in pilots]
        pairs = [(pilot, pilot if spec == OWN else number[spec], j)
                 for pilot in own for j, spec in enumerate(field.played_by)]
        self.pilot, self.theirs, self.deck = np.array(pairs).T

    def pairings(self, n: int, games: int, key: Sequence[int]) -> Array:
        """Return match.PAIRING (2 n m,) of n decks, each match followed by its mirror image.

        games: of each meeting, even. Decks have the numbers after those of the field.
        """
        own = len(self.field.decks) + np.arange(n)[:, None]
        rows = match.pairings(self.pilot, self.theirs, own, self.deck, derive(key, self.deck),
                              games // 2)
        return match.pairs(rows).ravel()

    def play(self, executor: Executor, decks: Sequence[Deck], games: int, key: Sequence[int],
             on_games: OnGames = lambda games: None, watch: bool = False) -> Array:
        """Play all meetings of n decks; return book.RESULT (n, m).

        watch: note also what happens in the games, see play/behaviour.py.
        """
        setting = match.Setting(self.plan.ruleset, (*self.field.decks, *decks), "fair",
                                self.plan.max_turns)
        rows = self.pairings(len(decks), games, key)
        results = tournament.play(Watched(executor) if watch else executor, rows, self.agents,
                                  setting, on_games)
        return summed(rows, results).reshape(len(decks), len(self.deck))


def summed(rows: Array, matches: Array) -> Array:
    """Return the results of matches and their mirror images, from the first side's view."""
    results = np.zeros(len(rows) // 2, RESULT)
    results["games"] = rows["games"][::2] + rows["games"][1::2]
    results["wins"] = matches["wins_a"][::2] + matches["wins_b"][1::2]
    for name in ("draws", "turns"):
        results[name] = matches[name][::2] + matches[name][1::2]
    results["margin"] = (matches["margin_a"][::2] - matches["margin_b"][::2]
                         + matches["margin_b"][1::2] - matches["margin_a"][1::2])
    for name in SEEN if matches.dtype == WATCHED else ():
        results[name] = matches[f"{name}_a"][::2] + matches[f"{name}_b"][1::2]
    return results
