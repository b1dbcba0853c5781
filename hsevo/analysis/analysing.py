"""`hsevo.analyse`, `hsevo.mistakes`, `hsevo.position`: what decisions cost, by playing on.

    analyse(game or folder)   what each decision of a stored game cost
    analyse(position)         what the best lines are worth there
    mistakes(folder)          what decisions cost over many stored games
    position(game, at)        the position of a stored game at a decision
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, TypeAlias, Unpack, overload

import pandas as pd

from hsevo.config import as_real, as_whole, whole
from hsevo.errors import (
    ConfigError,
    GameError,
    RunError,
    did_you_mean,
    printable,
    quoted,
    refuse_unknown,
)
from hsevo.experiments.playing import Progress, playing, workers_of
from hsevo.files import check_path, read_json, write_whole
from hsevo.generated import WorkersFields
from hsevo.objects import Fields
from hsevo.play.participants import MOST_BYTES
from hsevo.play.position import Position, is_position
from hsevo.play.session import Seat, Session
from hsevo.replays import chances, decisions, habits, lethal, lines, own, played
from hsevo.replays.chances import states_of
from hsevo.replays.lines import LINES
from hsevo.replays.page import Around, Costly, CostlyTurns, Ways
from hsevo.replays.played import is_folder
from hsevo.replays.replay import spoken
from hsevo.replays.stored import PlayedReplay, Replay, WhichFields, meetings, replay
from hsevo.replays.wording import YOU, yours
from hsevo.strength.agents import AgentLike, refuse_hosted
from hsevo.strength.games import Game, as_player, as_position
from hsevo.strength.rating import Estimate

# It searches its turn: without, it overlooks a win that takes two attacks, and so would they both.
ANALYST = "rl:2026?search=turn"
SIDES = {"a": (0,), "b": (1,), "both": (0, 1)}


@dataclass(frozen=True)
class Analysis:
    """What the decisions of a game cost.

    title: which game. names: of players 0 and 1. agent: the analyst. players: who played on.
    games: that were played on after each move. seed: of these games. game: itself. analysts,
    going_on: the analyst and who played on, by seat.
    decisions: a row each, see replays.decisions.judged; chances are the share of games that were
    won, 0 to 1, and a loss is the difference between the analyst's move and the one that was made,
    in the same worlds with the same random numbers.

    >>> game = hsevo.Game("mage", "warrior", players=["random", "eva:2018"], seed=3)
    >>> game.run()
    >>> found = hsevo.analyse(game, games=20)
    >>> found.turns.columns[:4].tolist()
    ['turn', 'player', 'step', 'loss']
    >>> found.worst(1)["loss"].item() > 0
    True
    """

    FIELDS: ClassVar[Fields] = {
        "title": "title", "players": "names", "agent": "agent", "played_on_by": "players",
        "games": "games", "seed": "seed", "loss": "lost", "turns": "turns",
        "decisions": "decisions"}

    title: str
    names: tuple[str, str]
    agent: str
    players: str
    games: int
    seed: int
    decisions: pd.DataFrame
    game: Session = field(repr=False, compare=False)
    analysts: tuple[Seat, ...] = field(repr=False, compare=False)
    going_on: tuple[Seat, ...] = field(repr=False, compare=False)

    @property
    def turns(self) -> pd.DataFrame:
        """What each turn cost: a row each, in order; see replays.decisions.by_turn."""
        return decisions.by_turn(self.decisions)

    def worst(self, most: int = 5) -> pd.DataFrame:
        """Return the turns that cost most, the dearest first: those with a loss above 0."""
        turns = self.turns
        return turns[turns["loss"] > 0].sort_values("loss", ascending=False,
                                                    kind="stable").head(most)

    @property
    def lost(self) -> Estimate:
        """What a decision cost on average, with its 95 % interval."""
        return Estimate(*decisions.mean_loss(self.decisions))

    def page(self, most: int = 5, exercises: str = "", ways: Ways = (), seat: int | None = None,
             tries: str = "") -> str:
        """Return the game as a page to step through, as HTML, beside the turns that cost most.

        The chances to win that it draws are those of `decisions`. exercises: the address of a page
        on which they are exercises, for a link. ways: links above the title, as words and address.
        seat: of the human whose page it is, 0 or 1, who is spoken to: whose side is below, and from
        whom the other's cards are hidden if a game of two was given up. tries: the address of a
        page with the position before a step, whose number is added to it.
        """
        names = self.names if seat is None else own.names_of(self.game, seat)
        turns = [self._costly(row, names[row["player"]], seat)
                 for row in self.worst(most).to_dict("records")]
        known = " (that is rl:2026, which also searches its own turn)" \
            if self.agent == ANALYST else ""
        says = (f"Points of the chance to win, against the moves of {self.agent}{known}, by"
                f" {self.games} games each that {self.players} played on for both; with 95 %"
                " intervals. The costliest of many turns were in part unlucky in these games.")
        curve = chances.of_decisions(self.decisions, self.game, self.games, self.players)
        around = Around(costs=CostlyTurns(says, turns, exercises), ways=ways, tries=(tries, ()))
        return own.as_page(self.game, 0, self.title.partition(":")[0], seat, curve, around)

    def _costly(self, row: Mapping[Any, Any], name: str, seat: int | None) -> Costly:
        """Return a turn of the page, with the analyst's line. name: of who made it."""
        made, better = (_words("; ".join(row[which]), name) for which in ("moves", "better"))
        moves = self.decisions["line"][self.decisions["step"] == row["step"]].iloc[0]
        return Costly(row["step"], _cost(row, name), made, better,
                      own.line(self.game, row["step"], moves, seat))

    def write(self, path: str | Path) -> Path:
        """Write the decisions as CSV, and return the path. Raises RunError."""
        return write_lines(self.decisions, path)


def _words(moves: str, name: str) -> str:
    """Return moves as they are told of the player of a name, or to it."""
    return yours(moves) if name == YOU else spoken(moves)


def _cost(row: Mapping[Any, Any], name: str) -> str:
    """Return what a turn cost, in words."""
    when = f"Turn {row['turn']}" if row["turn"] else "Mulligan"
    low, high = (f"{100 * row[end]:z.0f}" for end in ("loss_low", "loss_high"))
    whose = "" if name == YOU else f", {name}"
    return (f"{when}{whose}: {100 * row['loss']:.0f} points ({low} to {high})"
            f"{'' if row['loss_low'] > 0 else ', not sure'}")


class JudgingFields(WorkersFields, total=False):
    """How moves are judged; see `Judging`."""

    agent: AgentLike
    players: AgentLike
    games: int
    budget: int
    seed: int


class AnalyseFields(JudgingFields, WhichFields, total=False):
    """How moves are judged, and in which game; see `analyse`."""

    a: str | int | None
    b: str | int | None


class MistakesFields(JudgingFields, total=False):
    """How moves are judged, and in which games; see `mistakes`."""

    a: str | int | None
    b: str | int | None
    deck_a: str | None
    deck_b: str | None
    result: str | None


@overload
def analyse(source: Position | Mapping[str, Any], *, side: str | None = ...,
            lines: int | None = ..., seconds: float | None = ..., progress: Progress = ...,
            **fields: Unpack[AnalyseFields]) -> BestLines: ...


@overload
def analyse(source: Session | Replay, *, side: str | None = ...,
            lines: int | None = ..., seconds: float | None = ..., progress: Progress = ...,
            **fields: Unpack[AnalyseFields]) -> Analysis: ...


@overload
def analyse(source: str | Path, *, side: str | None = ...,
            lines: int | None = ..., seconds: float | None = ..., progress: Progress = ...,
            **fields: Unpack[AnalyseFields]) -> Any: ...


def analyse(source: Any, *, side: str | None = None,
            lines: int | None = None, seconds: float | None = None, progress: Progress = False,
            **fields: Unpack[AnalyseFields]) -> Analysis | BestLines:
    """Return what the decisions of a game cost, or the best lines at a position, by playing on.

    source: a folder of stored games, a saved game's file, an `hsevo.Game`, or an `hsevo.replay`; or
    an `hsevo.Position`, its file or its data, which has a `BestLines`.
    side: whose decisions: "a" (the default), "b" or "both". a is the human if one played; of a
    folder, else, the a that was asked for; of a game, else, player 0. lines: of a position, how
    many are compared, 1 to 100; default: 5. seconds: of a position, after how many no more games
    begin, so that the result is that of fewer `games`, how many depending on the machine; default:
    all are played.

    fields: agent="rl:2026?search=turn", the analyst, whose moves are compared with those that were
    made, or with each other; players="rl:2026?search=turn", who plays on, in both seats; games=100
    that are played on after each of the moves, each in a world in which what the player can't see
    is random; budget=100_000 actions to simulate in search of a lethal at each decision, at most,
    0: no search; seed=1, which gives the same result with any workers and backend; and of a folder,
    which game, with the arguments of `hsevo.replay`: a, b, part, result ...

    Raises ConfigError, AgentError, CardError, RunError, GameError, WorkersError.

    >>> folder = hsevo.match("random", "eva:2018", games=2, out="matches/two").path
    >>> hsevo.analyse(folder, part=0, games=20).names
    ('random', 'eva:2018')
    """
    refuse_unknown("analyse", fields, AnalyseFields.__annotations__)
    judged: dict[str, Any] = {
        key: value for key, value in fields.items() if key in JudgingFields.__annotations__}
    which = {key: value for key, value in fields.items() if key not in judged}
    how = Judging(**judged, progress=progress)
    if (at := _position(source)) is not None:
        _refuse(which | ({} if side is None else {"side": side}), "position")
        return best_lines(at, how, LINES if lines is None else lines, seconds)
    for name, value in (("lines", lines), ("seconds", seconds)):
        if value is not None:
            _refuse({name: value}, "game")
    return _of_game(source, side or "a", which, how)


def _of_game(source: Source, side: str, which: dict[str, Any], how: Judging) -> Analysis:
    """Return what the decisions of a game cost."""
    title, game, first = stored_game(source, which)
    seats = [seat if first == 0 else 1 - seat for seat in _seats(side)]
    asked, going_on = analyst_of(how.agent, game), analyst_of(how.players, game)
    found = list(decisions.choices(game, seats, asked, how.budget))
    total = how.games * sum(len(one.moves) for one in found)
    with how.playing(total) as (executor, meter):
        outcomes = executor(decisions.play_on,
                            decisions.jobs(game, found, going_on, how.games, how.seed))
        table = decisions.judged(found, counted(outcomes, meter.advance), how.games)
    names = game.players[0].name, game.players[1].name
    return Analysis(title, names, asked[0].name, going_on[0].name, how.games, how.seed, table, game,
                    tuple(asked), tuple(going_on))


@dataclass(frozen=True)
class Mistakes:
    """What the decisions of many games cost.

    analyses: one a game. shared: whether several people are called "human" in them.

    >>> folder = hsevo.match("random", "eva:2018", games=4, out="matches/four").path
    >>> found = hsevo.mistakes(folder, 2, a="random", games=10)
    >>> found.kinds.columns[:4].tolist()
    ['kind', 'decisions', 'other', 'loss']
    """

    FIELDS: ClassVar[Fields] = {
        "games": lambda self: len(self.analyses), "loss": "lost", "missed_lethals": "missed",
        "sentences": "sentences", "kinds": "kinds", "habits": "habits", "decisions": "decisions"}

    analyses: tuple[Analysis, ...]
    shared: bool = False

    @property
    def decisions(self) -> pd.DataFrame:
        """All decisions, as of `Analysis`, with the column `game` before them, from 0."""
        tables = [one.decisions.assign(game=k) for k, one in enumerate(self.analyses)]
        table = pd.concat(tables, ignore_index=True)
        return table[["game", *table.columns.drop("game")]]

    @property
    def kinds(self) -> pd.DataFrame:
        """What decisions of each kind cost; see replays.decisions.by_kind."""
        return decisions.by_kind(self.decisions)

    @property
    def lost(self) -> Estimate:
        """What a decision cost on average, with its 95 % interval."""
        return Estimate(*decisions.mean_loss(self.decisions))

    @property
    def habits(self) -> pd.DataFrame:
        """Which mistakes came again, and what they cost; see replays.habits.by_habit."""
        return habits.by_habit(self.decisions)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What surely costs something again and again, in words; () if nothing does."""
        names = {one.names[seat] for one in self.analyses for seat in set(one.decisions["player"])}
        return habits.sentences(self.decisions, habits.who(names, self.shared))

    @property
    def missed(self) -> int:
        """In how many turns a lethal was missed."""
        return sum(int((one.turns["lethal"] == "missed").sum()) for one in self.analyses)

    def write(self, path: str | Path) -> Path:
        """Write all decisions as CSV, and return the path. Raises RunError."""
        return write_lines(self.decisions, path)


def mistakes(path: str | Path, most: int = 20, *, side: str | None = None,
             progress: Progress = False, **fields: Unpack[MistakesFields]) -> Mistakes:
    """Return what the decisions of many games of a folder cost, by kind of decision.

    path: as of `hsevo.replay`; of a run, the last generation. most: how many of the games that fit,
    the first ones, and the first game of each match. side: as of `hsevo.analyse`. fields: a, b,
    deck_a, deck_b and result, as of `hsevo.replay`; agent, players, games, budget, seed, workers
    and backend, as of `hsevo.analyse`.

    Raises ConfigError, AgentError, RunError, GameError, WorkersError.

    >>> folder = hsevo.match("random", "eva:2018", games=2, out="matches/some").path
    >>> len(hsevo.mistakes(folder, 1, a="random", games=2).analyses)
    1
    """
    refuse_unknown("mistakes", fields, MistakesFields.__annotations__)
    number = as_whole(most)
    if number is None or number < 1:
        raise ConfigError(f"most is {printable(most)}, but must be a whole number, at least 1")
    which: dict[str, Any] = {key: value for key, value in fields.items()
                             if key not in JudgingFields.__annotations__}
    there = len(meetings(path, **which))
    if not there:
        raise RunError(f"{path} has no such game; hsevo replay FOLDER --list shows those it has")
    return Mistakes(tuple(analyse(path, part=part, side=side, progress=progress, **fields)
                          for part in range(min(most, there))), played.shared(Path(path)))


def _seats(side: str) -> tuple[int, ...]:
    """Return the seats of a side, if a sits in the first. Raises ConfigError."""
    if side not in SIDES:
        raise ConfigError(f"side is {quoted(str(side))}, but must be one of {', '.join(SIDES)}"
                          f"{did_you_mean(str(side), SIDES)}")
    return SIDES[side]


def names_position(source: Any) -> bool:
    """Return whether a source is a position, not a game. Raises ConfigError, CardError."""
    return _position(source) is not None


def _position(source: Any) -> Position | None:
    """Return the position that a source is; None if it is none. Raises ConfigError, CardError."""
    if isinstance(source, Position | Mapping):
        return as_position(source)
    if not isinstance(source, str | Path) or not Path(source).is_file():
        return None
    data = read_json(Path(source), MOST_BYTES, ConfigError, "neither a saved game nor a position")
    if not is_position(data):
        return None
    return Position.read(source)  # which may be smaller than a saved game


def _refuse(given: Mapping[str, Any], what: str) -> None:
    """Raise ConfigError for arguments of another kind of source."""
    if given:
        raise ConfigError(f"{', '.join(given)} can't be given: the source is a {what}")


@dataclass(frozen=True)
class BestLines:
    """What can be done at a position, and what it is worth.

    agent: the analyst. players: who played on. games: that were played on after each line's first
    move. wanted: how many of them were asked for; more, if the time was up. seed: of these games.
    lethal: whether the player to move can win in this turn, "yes", "no", "chance" or "unknown"
    (not decided within the budget), with the bounds of the probability, and lethal_line what does
    so. lines: a row each, see replays.lines.judged, the highest chance first. If a lethal is sure,
    it is the only line.

    >>> side = {"class": "mage", "deck_list": "mage", "hand": ["Frostbolt", "Polymorph"]}
    >>> found = hsevo.analyse(hsevo.Position({"me": side, "opponent": side, "turn": 5}), games=20)
    >>> found.lethal
    'no'
    >>> found.lines.columns[:4].tolist()
    ['line', 'own', 'network', 'chance']
    >>> bool(found.chance.low < found.chance.value < found.chance.high)
    True
    """

    FIELDS: ClassVar[Fields] = {
        "position": "position.data", "agent": "agent", "played_on_by": "players",
        "games": "games", "seed": "seed", "chance": "chance",
        "lethal": {"answer": "lethal", "least": "lethal_least", "most": "lethal_most",
                   "line": "lethal_line"}, "lines": "lines"}

    position: Position
    agent: str
    players: str
    games: int
    seed: int
    lethal: str
    lethal_least: float
    lethal_most: float
    lethal_line: tuple[str, ...]
    lines: pd.DataFrame
    wanted: int

    @property
    def chance(self) -> Estimate:
        """The chance to win after the analyst's own move, or 1 if a lethal is sure.

        That of the best line is the highest of several estimates, so it is more often too high.
        """
        own = self.lines[self.lines["own"]]
        row = (self.lines if own.empty else own).iloc[0]
        return Estimate(*(float(row[name]) for name in ("chance", "chance_low", "chance_high")))

    def write(self, path: str | Path) -> Path:
        """Write the lines as CSV, and return the path. Raises RunError."""
        return write_lines(self.lines, path)


def best_lines(position: Position, how: Judging, most: int, seconds: float | None) -> BestLines:
    """Return what can be done at a position; for the arguments see `hsevo.analyse`.

    Raises ConfigError, AgentError, WorkersError.
    """
    whole("lines", most, 1, lines.MOST_LINES)
    end = monotonic() + _checked(seconds)
    hidden = copy(position)
    hidden.state = position.state.copy()
    hidden.state["ordered"] = 0  # what comes next counts as unknown
    game: Session = Game.at(hidden)
    asked, going_on = analyst_of(how.agent, game), analyst_of(how.players, game)
    proof = (lethal.LethalSearch(hidden.ruleset, budget=how.budget)
             .lethal(states_of(game, [])) if how.budget != 0 else None)
    answer = decisions.found_by(game, proof) if proof else ("", 0.0, 1.0, ())
    played = how.games
    if answer[0] == "yes":
        table = lines.sure(answer[3])
    else:
        found = lines.candidates(game, asked[game.player], most)
        with how.playing(how.games * len(found.moves)) as (executor, meter):
            outcomes = executor(decisions.play_on, decisions.jobs(
                game, [found], going_on, how.games, how.seed, part=lines.PART))
            parts = [*_until(end, counted(outcomes, meter.advance))]
        played = sum(part.shape[1] for part in parts)
        table = lines.judged(found, parts, game.player)
    return BestLines(position, asked[0].name, going_on[0].name, played, how.seed, *answer, table,
                     how.games)


def _checked(seconds: Any) -> float:
    """Return seconds, infinity for None. Raises ConfigError for what is no time."""
    if seconds is None:
        return inf
    found = as_real(seconds)
    if found is None or not found > 0:
        raise ConfigError(f"seconds is {printable(seconds)}, but must be a number above 0")
    return found


def _until(end: float, outcomes: Iterator[Any]) -> Iterator[Any]:
    """Yield outcomes until the clock says `end`: the first, and those after it in their order."""
    for one in outcomes:
        yield one
        if monotonic() >= end:
            return


def position(source: Source, at: int, **which: Any) -> Position:
    """Return the position before a decision of a stored game, with all that was hidden.

    source, which: as of `hsevo.analyse`. at: the number of the decision, from 0: `step` in its
    tables. Raises ConfigError, RunError, GameError.

    >>> folder = hsevo.match("random", "eva:2018", games=2, out="matches/pair").path
    >>> found = hsevo.position(folder, 10, part=0)
    >>> found.write("one.json").name
    'one.json'
    """
    number = as_whole(at)
    if number is None or number < 0:
        raise GameError(f"at is {printable(at)}, but must be the number of a decision, from 0")
    return stored_game(source, which)[1].before(number).position()


Source: TypeAlias = str | Path | Session | Replay


@dataclass(frozen=True)
class Judging:
    """How moves are judged: the analyst, who plays on after them, and how often; see `analyse`.

    Raises ConfigError, AgentError.
    """

    agent: AgentLike = ANALYST
    players: AgentLike = ANALYST
    games: int = decisions.WORLDS
    budget: int = lethal.BUDGET
    seed: int = 1
    workers: int | None = None
    backend: str | None = None
    progress: Progress = False

    def __post_init__(self) -> None:
        refuse_hosted([self.players])
        whole("games", self.games, 1, decisions.MOST_WORLDS)
        if self.budget != 0:
            whole("budget", self.budget, 1, lethal.MOST_BUDGET)

    def playing(self, games: int) -> AbstractContextManager[tuple[Any, Any]]:
        """Return workers that play so many games, and a meter of them."""
        return playing(games, workers_of(self.workers, self.backend), self.progress)


def write_lines(table: pd.DataFrame, path: str | Path) -> Path:
    """Write a table as CSV, each line of moves as one text, and return the path. Raises RunError.
    """
    lines = {name: ["; ".join(line) for line in table[name]]
             for name in ("line", "lethal_line") if name in table}
    write_whole(Path(path), table.assign(**lines).to_csv(index=False).encode())
    return Path(path)


def counted(outcomes: Iterator[Any], advance: Any) -> Iterator[Any]:
    """Yield outcomes of games that were played on, and tell how many each is."""
    for one in outcomes:
        advance(one.size)
        yield one


def analyst_of(agent: AgentLike, game: Session) -> list[Any]:
    """Return an agent as a player of each seat. Raises AgentError."""
    if agent is None:
        raise ConfigError("the agent is None, but must be one")
    return [as_player(agent, game.setting.decks, seat) for seat in (0, 1)]


def stored_game(source: Source, which: dict[str, Any]) -> tuple[str, Session, int]:
    """Return which game it is in words, the game, and the seat of a.

    Raises ConfigError, RunError, GameError.
    """
    if isinstance(source, str | Path):
        source, which = _found(Path(source), which)
    if which:
        raise ConfigError(f"{', '.join(which)} can't be given: the source is one game")
    if isinstance(source, Replay):
        game = source.session
        return str(source.meeting), game, seat_of_a(game, int(source.meeting.b_first))
    if not isinstance(source, Session):
        raise ConfigError(f"the source is {printable(source)}, but must be a folder, a file, a game"
                          " or a replay")
    return str(own.meeting(source)), source, seat_of_a(source, 0)


def _found(path: Path, which: dict[str, Any]) -> tuple[Session | Replay, dict[str, Any]]:
    """Return the game of a path, and the arguments that were not needed to find it."""
    check_path(path)
    if not path.is_file():
        return replay(path, **which), {}
    if is_folder(path.parent.parent) and path.stem.isdecimal():
        return PlayedReplay(path.parent.parent, int(path.stem)), which
    return Session.load(path), which


def seat_of_a(game: Session, otherwise: int) -> int:
    """Return the seat of the human, if one alone has no agent."""
    human = [seat for seat, player in enumerate(game.players) if player.agent is None]
    return human[0] if len(human) == 1 else otherwise
