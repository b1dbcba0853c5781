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
    """Hold the cost of each decision of a game.

    Chances are shares of games won, 0 to 1. A loss is the difference between the analyst's move and
    the move made, in the same determinizations with the same random numbers.

    Attributes
    ----------
    title : str
        Name of the game.
    names : tuple of str
        Names of players 0 and 1.
    agent : str
        The analyst.
    players : str
        Agent that plays the continuations.
    games : int
        Continuations played after each move.
    seed : int
        Seed of the continuations.
    decisions : pandas.DataFrame
        One row for each decision.
    game : Session
        The game.
    analysts : tuple of Seat
        The analyst, by seat.
    going_on : tuple of Seat
        Player of the continuations, by seat.

    Examples
    --------
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
        """Cost of each turn, in order. One row for each turn."""
        return decisions.by_turn(self.decisions)

    def worst(self, most: int = 5) -> pd.DataFrame:
        """Return the turns with a positive loss, the largest first.

        Parameters
        ----------
        most : int, default 5
            Maximum number of turns.

        Returns
        -------
        pandas.DataFrame
            Rows of `turns`.
        """
        turns = self.turns
        return turns[turns["loss"] > 0].sort_values("loss", ascending=False,
                                                    kind="stable").head(most)

    @property
    def lost(self) -> Estimate:
        """Mean cost of a decision, with its 95 % interval."""
        return Estimate(*decisions.mean_loss(self.decisions))

    def page(self, most: int = 5, exercises: str = "", ways: Ways = (), seat: int | None = None,
             tries: str = "") -> str:
        """Return the game as an HTML page to step through, with the turns that cost most.

        The curve shows the win probabilities of `decisions`.

        Parameters
        ----------
        most : int, default 5
            Maximum number of turns in the list.
        exercises : str, optional
            Address of a page with these turns as exercises.
        ways : sequence, optional
            Links above the title: words and address.
        seat : {0, 1}, optional
            Seat of the human, whom the page addresses. Its side is at the bottom. If a game between
            two humans was conceded, the page hides the other hand.
        tries : str, optional
            Address of a page with the position before a step. The number of the step is appended.

        Returns
        -------
        str
            The page.
        """
        names = self.names if seat is None else own.names_of(self.game, seat)
        turns = [self._costly(row, names[row["player"]], seat)
                 for row in self.worst(most).to_dict("records")]
        known = " (rl:2026 that also searches its own turn)" \
            if self.agent == ANALYST else ""
        says = ("Percentage points of win probability lost, compared with the moves of"
                f" {self.agent}{known}, from {self.games} games each that {self.players} continued"
                " for both players; with 95 % intervals. The costliest of many turns are costly"
                " partly by luck in these games.")
        curve = chances.of_decisions(self.decisions, self.game, self.games, self.players)
        around = Around(costs=CostlyTurns(says, turns, exercises), ways=ways, tries=(tries, ()))
        return own.as_page(self.game, 0, self.title.partition(":")[0], seat, curve, around)

    def _costly(self, row: Mapping[Any, Any], name: str, seat: int | None) -> Costly:
        """Return a turn of the page, with the analyst's line. name: its player's."""
        moves_made, better = (_words("; ".join(row[which]), name) for which in ("moves", "better"))
        moves = self.decisions["line"][self.decisions["step"] == row["step"]].iloc[0]
        return Costly(row["step"], _cost(row, name), moves_made, better,
                      own.line(self.game, row["step"], moves, seat))

    def write(self, path: str | Path) -> Path:
        """Write the decisions to a CSV file.

        Parameters
        ----------
        path : str or Path
            File to write.

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        RunError
            If the file cannot be written.
        """
        return write_lines(self.decisions, path)


def _words(moves: str, name: str) -> str:
    """Return moves in words, told about the player of a name, or to it."""
    return yours(moves) if name == YOU else spoken(moves)


def _cost(row: Mapping[Any, Any], name: str) -> str:
    """Return the cost of a turn, in words."""
    when = f"Turn {row['turn']}" if row["turn"] else "Mulligan"
    low, high = (f"{100 * row[end]:z.0f}" for end in ("loss_low", "loss_high"))
    whose = "" if name == YOU else f", {name}"
    return (f"{when}{whose}: {100 * row['loss']:.0f} points ({low} to {high})"
            f"{'' if row['loss_low'] > 0 else ', not sure'}")


class JudgingFields(WorkersFields, total=False):
    """Set how moves are evaluated; see `analyse`."""

    agent: AgentLike
    """The analyst; default: rl:2026?search=turn."""
    players: AgentLike
    """Agent that plays the continuations, in both seats; default: rl:2026?search=turn."""
    games: int
    """Continuations after each move; default: 100."""
    budget: int
    """Maximum number of simulated actions in each search for lethal; default: 100,000; 0: no
    search.
    """
    seed: int
    """The same seed gives the same result; default: 1."""


class AnalyseFields(JudgingFields, WhichFields, total=False):
    """Set how moves are evaluated, and name the game; see `analyse`."""

    a: str | int | None
    """First player, as in `hsevo.replay`."""
    b: str | int | None
    """Second player, as in `hsevo.replay`."""


class MistakesFields(JudgingFields, total=False):
    """Set how moves are evaluated, and select games; see `mistakes`."""

    a: str | int | None
    """First player, as in `hsevo.replay`."""
    b: str | int | None
    """Second player, as in `hsevo.replay`."""
    deck_a: str | None
    """Deck of a."""
    deck_b: str | None
    """Deck of b."""
    result: str | None
    """won, drawn or lost by a."""


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
    """Compute the cost of each decision of a game, or the best lines at a position.

    The analysis plays continuations after each move. Hidden information is random in each of them.

    Parameters
    ----------
    source : Game or Replay or Position or mapping or str or Path
        A game (folder of stored games, file of a saved game, `hsevo.Game` or `hsevo.replay`), or a
        position (`hsevo.Position`, its file or its data).
    side : {"a", "b", "both"}, default "a"
        Player whose decisions are analysed. "a" is the human, if one played. In a folder, it is
        otherwise the requested agent `a`. In a game, it is otherwise player 0.
    lines : int, default 5
        Number of lines compared at a position, 1 to 100.
    seconds : float, optional
        Time limit at a position, in seconds. No games begin after it, so the result has fewer
        `games` and depends on the machine. Default: no limit.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : AnalyseFields
        `agent` (default "rl:2026?search=turn", the analyst), `players` (default
        "rl:2026?search=turn", plays the continuations), `games` (default 100, continuations after
        each move), `budget` (default 100,000, maximum number of simulated actions in each search
        for lethal, 0: no search), `seed` (default 1), `workers` and `backend`, which do not change
        results. For a folder, also the arguments of `hsevo.replay` that select the game: `a`, `b`,
        `part`, `result` and others.

    Returns
    -------
    Analysis or BestLines
        `BestLines` for a position.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
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
        at.refuse_open("an analysis")
        _refuse(which | ({} if side is None else {"side": side}), "position")
        return best_lines(at, how, LINES if lines is None else lines, seconds)
    for name, value in (("lines", lines), ("seconds", seconds)):
        if value is not None:
            _refuse({name: value}, "game")
    return _of_game(source, side or "a", which, how)


def _of_game(source: Source, side: str, which: dict[str, Any], how: Judging) -> Analysis:
    """Return the cost of the decisions of a game."""
    title, game, first = stored_game(source, which)
    seats = [seat if first == 0 else 1 - seat for seat in _seats(side)]
    asked, going_on = analyst_of(how.agent, game), analyst_of(how.players, game)
    choices = list(decisions.choices(game, seats, asked, how.budget))
    total = how.games * sum(len(choice.moves) for choice in choices)
    with how.playing(total) as (executor, meter):
        outcomes = executor(decisions.play_on,
                            decisions.jobs(game, choices, going_on, how.games, how.seed))
        table = decisions.judged(choices, counted(outcomes, meter.advance), how.games)
    names = game.players[0].name, game.players[1].name
    return Analysis(title, names, asked[0].name, going_on[0].name, how.games, how.seed, table, game,
                    tuple(asked), tuple(going_on))


@dataclass(frozen=True)
class Mistakes:
    """Hold the cost of the decisions of many games.

    Attributes
    ----------
    analyses : tuple of Analysis
        One analysis for each game.
    shared : bool
        Whether the name "human" stands for several people.

    Examples
    --------
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
        """All decisions, as in `Analysis`, after a column `game`, from 0."""
        tables = [analysis.decisions.assign(game=k) for k, analysis in enumerate(self.analyses)]
        table = pd.concat(tables, ignore_index=True)
        return table[["game", *table.columns.drop("game")]]

    @property
    def kinds(self) -> pd.DataFrame:
        """Cost of each type of decision, the largest total first.

        Columns kind, decisions, other (the analyst had another move), loss, loss_low, loss_high,
        total.
        """
        return decisions.by_kind(self.decisions)

    @property
    def lost(self) -> Estimate:
        """Mean cost of a decision, with its 95 % interval."""
        return Estimate(*decisions.mean_loss(self.decisions))

    @property
    def habits(self) -> pd.DataFrame:
        """Cost of recurring mistakes, the largest total first.

        Columns habit, of (decisions of this type), decisions and games (with this mistake), loss
        (mean, 0 to 1), loss_low, loss_high. Intervals are simultaneous (Bonferroni) and
        cluster-robust by game.
        """
        return habits.by_habit(self.decisions)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Mistakes that recur at a significant cost, in words. Empty if there are none."""
        names = {analysis.names[seat] for analysis in self.analyses
                 for seat in set(analysis.decisions["player"])}
        return habits.sentences(self.decisions, habits.who(names, self.shared))

    @property
    def missed(self) -> int:
        """Number of turns with a missed lethal."""
        return sum(int((analysis.turns["lethal"] == "missed").sum()) for analysis in self.analyses)

    def write(self, path: str | Path) -> Path:
        """Write all decisions to a CSV file.

        Parameters
        ----------
        path : str or Path
            File to write.

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        RunError
            If the file cannot be written.
        """
        return write_lines(self.decisions, path)


def mistakes(path: str | Path, most: int = 20, *, side: str | None = None,
             progress: Progress = False, **fields: Unpack[MistakesFields]) -> Mistakes:
    """Compute the cost of the decisions of many games of a folder, by type of decision.

    Parameters
    ----------
    path : str or Path
        Folder, as in `hsevo.replay`. Of a run, the last generation.
    most : int, default 20
        Maximum number of games: the first games that fit, and the first game of each match.
    side : {"a", "b", "both"}, default "a"
        Player whose decisions are analysed, as in `hsevo.analyse`.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : MistakesFields
        `a`, `b`, `deck_a`, `deck_b` and `result` select games, as in `hsevo.replay`. `agent`,
        `players`, `games`, `budget`, `seed`, `workers` and `backend` are as in `hsevo.analyse`.

    Returns
    -------
    Mistakes
        Decisions and their costs.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
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
        raise RunError(f"{path} has no such game; list its games with hsevo replay FOLDER --list")
    return Mistakes(tuple(analyse(path, part=part, side=side, progress=progress, **fields)
                          for part in range(min(most, there))), played.shared(Path(path)))


def _seats(side: str) -> tuple[int, ...]:
    """Return the seats of a side; player a has the first seat. Raises ConfigError."""
    if side not in SIDES:
        raise ConfigError(f"side is {quoted(str(side))}, but must be one of {', '.join(SIDES)}"
                          f"{did_you_mean(str(side), SIDES)}")
    return SIDES[side]


def names_position(source: Any) -> bool:
    """Return whether a source is a position, not a game. Raises ConfigError, CardError."""
    return _position(source) is not None


def _position(source: Any) -> Position | None:
    """Return a source as a position; None if it is none. Raises ConfigError, CardError."""
    if isinstance(source, Position | Mapping):
        return as_position(source)
    if not isinstance(source, str | Path) or not Path(source).is_file():
        return None
    data = read_json(Path(source), MOST_BYTES, ConfigError, "neither a saved game nor a position")
    if not is_position(data):
        return None
    return Position.read(source)  # which may be smaller than a saved game


def _refuse(arguments: Mapping[str, Any], what: str) -> None:
    """Raise ConfigError for arguments of another kind of source."""
    if arguments:
        raise ConfigError(f"{', '.join(arguments)} can't be given: the source is a {what}")


@dataclass(frozen=True)
class BestLines:
    """Hold the best lines at a position and their win probabilities.

    If a lethal is certain, it is the only line.

    Attributes
    ----------
    position : Position
        The position.
    agent : str
        The analyst.
    players : str
        Agent that plays the continuations.
    games : int
        Continuations played after the first move of each line.
    seed : int
        Seed of the continuations.
    lethal : {"yes", "no", "chance", "unknown"}
        Whether the player to move can win in this turn. "unknown": not decided within the budget.
    lethal_least : float
        Lower bound of the probability of a lethal.
    lethal_most : float
        Upper bound of the probability of a lethal.
    lethal_line : tuple of str
        Moves of the lethal.
    lines : pandas.DataFrame
        One row for each line, the highest win probability first. Columns line, own (the analyst's
        own move), network, chance, chance_low, chance_high, behind, behind_low, behind_high.
    wanted : int
        Continuations that were requested. More than `games` if the time was up.

    Examples
    --------
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
        """Win probability after the analyst's own move. 1 if a lethal is certain.

        The best line has the highest of several estimates, so its win probability is biased
        upwards.
        """
        own = self.lines[self.lines["own"]]
        row = (self.lines if own.empty else own).iloc[0]
        return Estimate(*(float(row[name]) for name in ("chance", "chance_low", "chance_high")))

    def write(self, path: str | Path) -> Path:
        """Write the lines to a CSV file.

        Parameters
        ----------
        path : str or Path
            File to write.

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        RunError
            If the file cannot be written.
        """
        return write_lines(self.lines, path)


def best_lines(position: Position, how: Judging, most: int, seconds: float | None) -> BestLines:
    """Return the best lines at a position; for the arguments see `hsevo.analyse`.

    Raises ConfigError, AgentError, WorkersError.
    """
    whole("lines", most, 1, lines.MOST_LINES)
    end = monotonic() + _checked(seconds)
    hidden = copy(position)
    hidden.state = position.state.copy()
    hidden.state["ordered"] = 0  # the order of the deck counts as unknown
    game: Session = Game.at(hidden)
    asked, going_on = analyst_of(how.agent, game), analyst_of(how.players, game)
    proof = (lethal.LethalSearch(hidden.ruleset, budget=how.budget)
             .lethal(states_of(game, [])) if how.budget != 0 else None)
    answer = decisions.found_by(game, proof) if proof else ("", 0.0, 1.0, ())
    played = how.games
    if answer[0] == "yes":
        table = lines.sure(answer[3])
    else:
        candidates = lines.candidates(game, asked[game.player], most)
        with how.playing(how.games * len(candidates.moves)) as (executor, meter):
            outcomes = executor(decisions.play_on, decisions.jobs(
                game, [candidates], going_on, how.games, how.seed, part=lines.PART))
            parts = [*_until(end, counted(outcomes, meter.advance))]
        played = sum(part.shape[1] for part in parts)
        table = lines.judged(candidates, parts, game.player)
    return BestLines(position, asked[0].name, going_on[0].name, played, how.seed, *answer, table,
                     how.games)


def _checked(seconds: Any) -> float:
    """Return seconds, infinity for None. Raises ConfigError for an invalid time."""
    if seconds is None:
        return inf
    number = as_real(seconds)
    if number is None or not number > 0:
        raise ConfigError(f"seconds is {printable(seconds)}, but must be a number above 0")
    return number


def _until(end: float, outcomes: Iterator[Any]) -> Iterator[Any]:
    """Yield outcomes until the clock says `end`: the first, and those after it in their order."""
    for outcome in outcomes:
        yield outcome
        if monotonic() >= end:
            return


def position(source: Source, at: int, **which: Any) -> Position:
    """Return the position before a decision of a stored game, with all hidden information.

    Parameters
    ----------
    source : Game or Replay or str or Path
        The game, as in `hsevo.analyse`.
    at : int
        Number of the decision, from 0: `step` in the tables of `hsevo.analyse`.
    **which
        Arguments of `hsevo.replay` that select the game of a folder.

    Returns
    -------
    Position
        The position.

    Raises
    ------
    ConfigError
        If an argument has a wrong type or is out of range.
    RunError
        If the folder has no such game, or is damaged.
    GameError
        If there is no such decision.

    Examples
    --------
    >>> folder = hsevo.match("random", "eva:2018", games=2, out="matches/pair").path
    >>> found = hsevo.position(folder, 10, part=0)
    >>> found.write("one.json").name
    'one.json'
    """
    number = as_whole(at)
    if number is None or number < 0:
        raise GameError(f"at is {printable(at)}, but must be the number of a decision, at least 0")
    return stored_game(source, which)[1].before(number).position()


Source: TypeAlias = str | Path | Session | Replay


@dataclass(frozen=True)
class Judging:
    """Hold the settings of an analysis; see `analyse`. Raises ConfigError, AgentError."""

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
        """Return workers that play a number of games, and their progress display."""
        return playing(games, workers_of(self.workers, self.backend), self.progress)


def write_lines(table: pd.DataFrame, path: str | Path) -> Path:
    """Write a table as CSV, each line of moves as one text, and return the path. Raises RunError.
    """
    lines = {name: ["; ".join(line) for line in table[name]]
             for name in ("line", "lethal_line") if name in table}
    write_whole(Path(path), table.assign(**lines).to_csv(index=False).encode())
    return Path(path)


def counted(outcomes: Iterator[Any], advance: Any) -> Iterator[Any]:
    """Yield outcomes of continuations, and count their games."""
    for outcome in outcomes:
        advance(outcome.size)
        yield outcome


def analyst_of(agent: AgentLike, game: Session) -> list[Any]:
    """Return an agent as a player of each seat. Raises AgentError."""
    if agent is None:
        raise ConfigError("the agent is None; name an agent")
    return [as_player(agent, game.setting.decks, seat) for seat in (0, 1)]


def stored_game(source: Source, which: dict[str, Any]) -> tuple[str, Session, int]:
    """Return which game it is in words, the game, and the seat of a.

    Raises ConfigError, RunError, GameError.
    """
    if isinstance(source, str | Path):
        source, which = _game_at(Path(source), which)
    if which:
        raise ConfigError(f"{', '.join(which)} can't be given: the source is one game")
    if isinstance(source, Replay):
        game = source.session
        return str(source.meeting), game, seat_of_a(game, int(source.meeting.b_first))
    if not isinstance(source, Session):
        raise ConfigError(f"the source is {printable(source)}, but must be a folder, a file, a game"
                          " or a replay")
    return str(own.meeting(source)), source, seat_of_a(source, 0)


def _game_at(path: Path, which: dict[str, Any]) -> tuple[Session | Replay, dict[str, Any]]:
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
