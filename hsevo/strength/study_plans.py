"""Studies as their files say: what varies, who plays, with which decks and rules.

A study is a list of points, each a value x, in a study of several curves with the name of its line.
Game k of every point has the same seed (and in `taunts`, the same minions in both decks), so
differences between points are due to what varies more than to chance.

    option    one option of HearthSim's agent; player 0 begins
    taunts    how many of player 0's minions have Taunt; player 0 begins
    lines     whatever a line writes {x} for: options, agents, files, decks, rulesets
    unseen    the split of cards that the agent did not meet while it learned, with decks of these
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from hsevo import config
from hsevo.agents.learned.nets import read_met
from hsevo.cards.deck_pool import unseen_lists
from hsevo.cards.decks import Deck, read_deck
from hsevo.cards.tables import every_card
from hsevo.cards.unseen import unseen
from hsevo.config import (
    AnyValues,
    Count,
    Name,
    OneOrMoreNames,
    Rate,
    Section,
    Seed,
    Text,
    Turns,
    Values,
)
from hsevo.errors import AgentError, ConfigError, did_you_mean, quoted
from hsevo.play import match
from hsevo.seeds import Stream, derive
from hsevo.store.kinds import About
from hsevo.strength.roster import net_file, read_agent, torch_file
from hsevo.types import Array

ABOUT = About("study.yaml", "hsevo study")
HEARTHSIM: Literal["hearthsim"] = "hearthsim"  # the ruleset of its studies
SIZE = 30  # cards of a drawn deck
DECKS = ("deck", "opponent_deck")  # keys
SIDES = ("agent", "deck", "opponent", "opponent_deck")  # keys
MOST_GAMES = 5_000_000  # of a study, of 56 bytes each in memory
MOST_ATTACK, MOST_HEALTH = 5, 4  # of the minions in cards/sets/hearthsim.py
X = "{x}"  # in a line's texts: the value

Value: TypeAlias = float | Text


class Published(Section):
    """What the source gives: rates by x, or by line and x; the games behind each; a summary."""

    rates: dict[float, Rate] | None = None
    lines: dict[Text, dict[Value, Rate]] | None = None
    games: Count | None = None
    best: float | None = None
    says: str = ""

    def rate(self, point: Point) -> float:
        """Return the rate at a point; NaN where the source gives none."""
        known: Any = (self.lines or {}).get(point.line, {}) if point.line else self.rates or {}
        return float(known.get(point.x, np.nan))


class Point(NamedTuple):
    """A value, and the curve that it is on; "" if there is only one."""

    line: str
    x: Value


class Study(Section):
    """What all studies have: a title, an axis, the values of x, games per point."""

    SIDE: ClassVar[str] = "player 0"  # whose wins are counted, in words
    PAIR: ClassVar[int] = 1  # games that share a seed
    BLOCK: ClassVar[int] = 50  # games per job, whatever the number of workers: 0.2 s of HearthSim's

    ruleset: Text
    title: Text
    axis: Text
    seed: Seed = 1
    games: Count
    durations: AnyValues | None = None  # values of x whose numbers of turns are drawn, too
    published: Published = Published()

    @property
    @abstractmethod
    def points(self) -> list[Point]:
        """The points, curve by curve."""

    @abstractmethod
    def agents(self, point: Point) -> Array:
        """Return the agent and its opponent, AGENT (2,), read now. Raises AgentError."""

    @property
    @abstractmethod
    def players(self) -> dict[str, str]:
        """The agents, opponents and decks, by line; "" if there is only one."""

    @property
    def about(self) -> list[str]:
        """What the columns of its table mean: the values of x, whose wins these are, who plays."""
        return [self.title, f"x: {self.axis}", f"rate: games won by {self.SIDE}", *(
            f"{line or 'players'}: {players}" for line, players in self.players.items())]

    @cached_property
    def entrants(self) -> dict[Point, Array]:
        """The agent and its opponent at each point, AGENT (2,): their files are read once."""
        return {point: self.agents(point) for point in self.points}

    @abstractmethod
    def games_at(self, point: Point, games: Array) -> tuple[Array, match.Setting]:
        """Return games (n,), by number, at a point, as match.PAIRING, with their Setting.

        The agent is 0, its opponent 1. Raises ConfigError, DeckError.
        """

    def seeds(self, games: Array) -> Array:
        """Return the seeds of games (n,), by number, uint64: the same at every point."""
        return derive((self.seed, Stream.STUDY_GAME), games)


class HearthSimStudy(Study):
    """A study by HearthSim's rules: no hero powers, and player 0, the agent, begins."""

    ruleset: Literal["hearthsim"] = HEARTHSIM

    DEALT: ClassVar[str] = ""  # the decks, in words
    agent: Name
    opponent: Name
    values: Values
    max_turns: Turns = 200

    @property
    def points(self) -> list[Point]:
        """A point for each value."""
        return [Point("", x) for x in self.values]

    def agents(self, point: Point) -> Array:
        """Return the agent and its opponent, AGENT (2,). Raises AgentError."""
        return np.concatenate([read_agent(self.player(point.x)), read_agent(self.opponent)])

    def player(self, x: Any) -> str:
        """Return the spec of the agent at x."""
        return self.agent

    @property
    def players(self) -> dict[str, str]:
        """The agents and their opponents."""
        return {"": f"{self.player('x')} against {self.opponent}{self.DEALT}"}

    def games_at(self, point: Point, games: Array) -> tuple[Array, match.Setting]:
        """Return games (n,), by number, at a point: the agent is player 0. Raises DeckError."""
        decks = self.decks(point.x, games)
        own = 2 * np.arange(len(games)) % len(decks)
        rows = match.pairings(0, 1, own, own + 1, self.seeds(games))
        return rows, match.Setting(self.ruleset, decks, "fair", self.max_turns)

    @abstractmethod
    def decks(self, x: Any, games: Array) -> tuple[Deck, ...]:
        """Return the decks of games (n,) at x: of players 0 and 1 in turn, or one pair for all."""


class OptionStudy(HearthSimStudy):
    """A study that varies one option of the agent, with two decks."""

    study: Literal["option"]
    option: Text
    deck: Text
    opponent_deck: Text

    def player(self, x: Any) -> str:
        """Return the spec of the agent with its option at x."""
        sign = "&" if "?" in self.agent else "?"
        return f"{self.agent}{sign}{self.option}={number(x)}"

    @property
    def players(self) -> dict[str, str]:
        """The agents, their opponents and the decks."""
        theirs = f"{self.opponent} ({self.opponent_deck})"
        return {"": f"{self.player('x')} ({self.deck}) against {theirs}"}

    def decks(self, x: Any, games: Array) -> tuple[Deck, ...]:
        """Return the two decks of all games."""
        return self._both

    @cached_property
    def _both(self) -> tuple[Deck, ...]:
        return read_deck(self.deck), read_deck(self.opponent_deck)  # their files are read once


class TauntStudy(HearthSimStudy):
    """A study that varies how many of player 0's minions have Taunt; each game has new decks."""

    DEALT: ClassVar[str] = ", with random minions, of which x of the agent's have Taunt"
    study: Literal["taunts"]
    attack: int = MOST_ATTACK
    health: int = MOST_HEALTH

    def decks(self, x: Any, games: Array) -> tuple[Deck, ...]:
        """Return two random decks for each game; x minions of the first have Taunt.

        Minions, and which of them have Taunt, are drawn uniformly. A minion with Taunt at some x
        has it at every higher x.
        """
        k, kinds = np.asarray(games)[:, None, None], np.uint64(self.attack * self.health)
        key = (self.seed, Stream.STUDY_BODY)
        bodies = derive(key, k, np.arange(2)[:, None], np.arange(SIZE)) % kinds
        key = (self.seed, Stream.STUDY_TAUNT)
        order = np.argsort(derive(key, k[:, 0], np.arange(SIZE)), axis=1)
        taunts = np.zeros(bodies.shape, bool)
        np.put_along_axis(taunts[:, 0], order[:, :int(x)], True, axis=1)
        return tuple(self._deck(f"{k}-{player}", bodies[i, player], taunts[i, player])
                     for i, k in enumerate(games) for player in range(2))

    def _deck(self, name: str, bodies: Array, taunts: Array) -> Deck:
        ids = (f"HS_{1 + body // self.health}{1 + body % self.health}{'T' if taunt else ''}"
               for body, taunt in zip(bodies.tolist(), taunts.tolist(), strict=True))
        return Deck.of(name, "WARRIOR", tuple(ids))


class Line(Section):
    """What a curve sets otherwise than its study: {x} in a text stands for the value."""

    agent: Name | None = None
    opponent: Name | None = None
    deck: OneOrMoreNames | None = None
    opponent_deck: OneOrMoreNames | None = None
    ruleset: Text | None = None
    information: Text | None = None


class LinesStudy(Study):
    """A study of one or more curves, in games of which the agent plays each pair from both seats.

    Any text may have {x} in it, which stands for the value. All pairs of decks are played in turn.
    """

    SIDE: ClassVar[str] = "the agent"
    PAIR: ClassVar[int] = 2
    BLOCK: ClassVar[int] = 10  # a game of a tree search takes a second

    study: Literal["lines"]
    agent: Name = ""
    opponent: Name = ""
    deck: OneOrMoreNames = ""
    opponent_deck: OneOrMoreNames = ""
    ruleset: Text = "cig2018"
    information: Text = "fair"
    max_turns: Turns = 89
    values: AnyValues
    lines: dict[Name, Line]

    @property
    def points(self) -> list[Point]:
        """A point for each value of each line."""
        return [Point(line, x) for line in self.lines for x in self.values]

    @property
    def players(self) -> dict[str, str]:
        """The agents, opponents and decks, by line; x stands for the value."""
        said = {line: [", ".join(self._said(line, key)).replace(X, "x") for key in SIDES]
                for line in self.lines}
        return {line: f"{agent} ({deck}) against {opponent} ({opponent_deck})"
                for line, (agent, deck, opponent, opponent_deck) in said.items()}

    def text(self, point: Point, key: str) -> str:
        """Return what a key says at a point. Raises ConfigError if it says nothing."""
        return self._texts(point, key)[0]

    def agents(self, point: Point) -> Array:
        """Return the agent and its opponent, AGENT (2,). Raises AgentError."""
        return np.concatenate([read_agent(self.text(point, key)) for key in ("agent", "opponent")])

    def seeds(self, games: Array) -> Array:
        """Return the seeds of games (n,), by number, uint64: one for both games of a pair."""
        return super().seeds(np.asarray(games) // 2)

    def games_at(self, point: Point, games: Array) -> tuple[Array, match.Setting]:
        """Return games (n,), by number, at a point. Raises ConfigError, DeckError.

        Games 2i and 2i + 1 have one seed: the agent is player 0, then player 1.
        """
        setting, own = self._settings[point], len(self._texts(point, "deck"))
        theirs = len(setting.decks) - own
        pair, second = np.divmod(np.asarray(games), 2)
        deck, opponent_deck = np.divmod(pair % (own * theirs), theirs)
        both = match.pairs(match.pairings(0, 1, deck, own + opponent_deck, self.seeds(games)))
        return both[np.arange(len(both)), second], setting

    @cached_property
    def _settings(self) -> dict[Point, match.Setting]:
        """Return the rules and decks at each point: their files are read once."""
        return {point: self._setting(point) for point in self.points}

    def _setting(self, point: Point) -> match.Setting:
        """Return the rules at a point, and the decks: the agent's, then its opponent's."""
        texts = {key: self.text(point, key) for key in ("ruleset", "information")}
        names = self._texts(point, "deck") + self._texts(point, "opponent_deck")
        rules = config.check(config.Rules, texts | {"decks": names, "max_turns": self.max_turns},
                             f"line '{point.line}' at x = {number(point.x)}")
        decks = tuple(read_deck(name) for name in rules.decks)
        return match.Setting(rules.ruleset, decks, rules.information, rules.max_turns)

    def _texts(self, point: Point, key: str) -> list[str]:
        """Return the texts of a key at a point. Raises ConfigError if there is none."""
        return [text.replace(X, number(point.x)) for text in self._said(point.line, key)]

    def _said(self, line: str, key: str) -> list[str]:
        """Return the one or more texts of a key on a line, as written. Raises ConfigError."""
        on_line = getattr(self.lines[line], key)
        said = getattr(self, key) if on_line is None else on_line
        if not said:
            raise ConfigError(f"line '{line}' has no {key}; set it for the line or for the study")
        return [said] if isinstance(said, str) else list(said)


class UnseenLine(Line):
    """A line of a study of unseen cards."""

    met: bool = False
    """Whether the agents may have met the cards in training."""


class UnseenStudy(LinesStudy):
    """A study of lines with decks at least half of whose cards the agents did not meet.

    The values are splits of cards (cards/unseen.py). A learned agent's file says which cards it has
    met. Without `met` on its line, the agent must not have met one of the split.
    """

    study: Literal["unseen"]  # type: ignore[assignment]
    lists: Count = 3
    """Decks of each class; all pairs of decks are played in turn."""
    values: list[Name]  # type: ignore[assignment]
    lines: dict[Name, UnseenLine]  # type: ignore[assignment]

    def agents(self, point: Point) -> Array:
        """Return the agent and its opponent, AGENT (2,). Raises AgentError for a card met."""
        for key in () if self.lines[point.line].met else ("agent", "opponent"):
            _refuse_met(self.text(point, key), str(point.x))
        return super().agents(point)

    def _texts(self, point: Point, key: str) -> list[str]:
        if key in DECKS:
            return [deck.name for deck in self._decks(point)]
        return super()._texts(point, key)

    def _said(self, line: str, key: str) -> list[str]:
        return ["cards of x"] if key in DECKS else super()._said(line, key)

    def _setting(self, point: Point) -> match.Setting:
        decks = self._decks(point)
        return match.Setting(config.ruleset_of(self.text(point, "ruleset")), 2 * decks,
                             self.text(point, "information"), self.max_turns)

    def _decks(self, point: Point) -> tuple[Deck, ...]:
        return unseen_lists(str(point.x), self.lists,
                            config.ruleset_of(self.text(point, "ruleset")))


def _refuse_met(spec: str, split: str) -> None:
    """Raise AgentError for a learned agent that has met a card of a split, or may have."""
    hidden = unseen(split)
    if (path := net_file(spec)) is None:
        return
    met = None if torch_file(spec, options=True) else read_met(path)
    if met is None:
        raise AgentError(f"'{spec}': {path} does not list the cards of its training; train the"
                         " agent with this version: hsevo learn --config unseen-cards --set"
                         f" decks.without={split}")
    seen = sorted(card for card in hidden if met.get(card))  # a file has all cards of its version
    if seen:
        raise AgentError(f"'{spec}' was trained with {len(seen):,} cards of {split}, such as"
                         f" {every_card()[seen[0]].name} in {met[seen[0]]:,} positions or more;"
                         f" train it with --set decks.without={split}")


Kind: TypeAlias = OptionStudy | TauntStudy | LinesStudy | UnseenStudy
STUDIES: dict[str, type[Kind]] = {
    "option": OptionStudy, "taunts": TauntStudy, "lines": LinesStudy, "unseen": UnseenStudy}


def load_study(source: str | Path) -> Study:
    """Read the study that `source` names: a path, or a name in configs/studies, here or shipped.

    The study.yaml of a study's folder works as well. Decks are found as those of a config.
    Raises ConfigError: one line per mistake; AgentError, DeckError for what it names.
    """
    path = config.find(str(source), "configs/studies")
    tree = config.parse(config.read_text(path), str(path))
    played = tree.get("kind") == ABOUT.kind and isinstance(tree.get("study"), dict)
    tree = tree["study"] if played else tree
    return check_study(_beside(path, tree), str(path))


def _beside(path: Path, tree: dict[str, Any]) -> dict[str, Any]:
    """Return a study, or a line, with decks and database also looked for next to it, at `path`."""
    resolved = dict(tree)
    for key in set(DECKS) & set(tree):
        names = tree[key]
        resolved[key] = ([config.beside(path, name) for name in names] if isinstance(names, list)
                         else config.beside(path, names))
    method, at, database = str(tree.get("information", "")).partition("@")
    if database and (path.parent / database).exists():
        resolved["information"] = f"{method}{at}{path.parent / database}"
    if isinstance(tree.get("lines"), dict):
        resolved["lines"] = {name: _beside(path, line) if isinstance(line, dict) else line
                             for name, line in tree["lines"].items()}
    return resolved


def check_study(tree: dict[str, Any], where: str) -> Study:
    """Return the study that the tree describes; raises as `load_study`."""
    kinds = ", ".join(STUDIES)
    if "study" not in tree:
        raise ConfigError(f"{where} is not a study: it has no line 'study: KIND' ({kinds});"
                          f" to run an evolution: hsevo evolve --config {where}")
    if not isinstance(tree["study"], str) or tree["study"] not in STUDIES:
        raise ConfigError(f"{where}: study is {quoted(tree['study'])}, but must be one of {kinds}"
                          f"{did_you_mean(tree['study'], STUDIES)}")
    of_line = UnseenLine if tree["study"] == "unseen" else Line
    lines = tree.get("lines") if tree["study"] in ("lines", "unseen") else None
    for name, line in (lines.items() if isinstance(lines, dict) else ()):
        config.check(of_line, line if isinstance(line, dict) else {"agent": line},
                     f"{where}: line {quoted(name)}")
    if isinstance(values := tree.get("values"), list) and any(isinstance(x, bool) for x in values):
        raise ConfigError(f"{where}: values is {quoted(values)}, but must be numbers or names; put"
                          " yes and no in quotes")
    study = config.check(STUDIES[tree["study"]], tree, where)
    _refuse_values(study, where)
    for point in study.entrants:
        study.games_at(point, np.arange(1))
    return study


def _refuse_values(study: Kind, where: str) -> None:
    """Raise ConfigError for values that a study can't have."""
    values: list[Any] = study.values
    words = [x for x in values if isinstance(x, str)]
    mixed = 0 < len(words) < len(values) or (not words and values != sorted(values))
    if mixed or len({number(x) for x in values}) < len(values):
        raise ConfigError(f"{where}: values is {quoted(values)}, but must be different numbers,"
                          " the lowest first, or different names")
    if unknown := [x for x in study.durations or () if x not in values]:
        raise ConfigError(f"{where}: durations has {number(unknown[0])}, which is not one of the"
                          " values")
    if not study.points:
        raise ConfigError(f"{where}: lines is {{}}, but must have at least one line")
    if len(study.points) * study.games > MOST_GAMES:
        raise ConfigError(f"{where}: that is {len(study.points) * study.games:,} games, but at most"
                          f" {MOST_GAMES:,} are allowed; use fewer games or values")
    if isinstance(study, LinesStudy):
        _refuse_halves(study, where)
    if isinstance(study, UnseenStudy) and any(
            getattr(part, key) for part in (study, *study.lines.values()) for key in DECKS):
        raise ConfigError(f"{where}: decks can't be set, because a study of unseen cards has its"
                          " own; remove decks")
    if isinstance(study, TauntStudy):
        _refuse_bodies(study, where)


def _refuse_halves(study: LinesStudy, where: str) -> None:
    """Raise ConfigError for half a pair of games, and for published rates of no point."""
    if study.games % 2:
        raise ConfigError(f"{where}: games is {study.games}, but must be even: the agent plays each"
                          " pair from both seats")
    for line, rates in (study.published.lines or {}).items():
        for name, known in ((line, study.lines), *((x, study.values) for x in rates)):
            if name not in known:
                raise ConfigError(f"{where}: published.lines names {quoted(number(name))}, which is"
                                  " not in the study"
                                  f"{did_you_mean(number(name), map(number, known))}")


def _refuse_bodies(study: TauntStudy, where: str) -> None:
    """Raise ConfigError for minions that the ruleset of the study does not have."""
    if any(x != int(x) or not 0 <= x <= SIZE for x in study.values):
        raise ConfigError(f"{where}: values is {quoted(study.values)}, but must be whole numbers"
                          f" from 0 to {SIZE}: cards of a deck")
    for key, most in (("attack", MOST_ATTACK), ("health", MOST_HEALTH)):
        if not 1 <= getattr(study, key) <= most:
            raise ConfigError(f"{where}: {key} is {getattr(study, key)}, but must be from 1 to"
                              f" {most}: there are no other minions")


def number(x: Any) -> str:
    """Format a value for options and tables: 1000, -0.25, 0.00001; a name stays as it is."""
    return x if isinstance(x, str) else np.format_float_positional(x + 0.0, trim="-")
