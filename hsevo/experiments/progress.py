"""Progress of a long job: a live line, and how many steps fit into a number of minutes.

    Meter                                   on stderr: a live line in a terminal, else plain lines
    check_minutes(minutes, key)             before anything is measured
    pace(play, least, most)                 seconds of a game, or of what else is sampled
    planned(plan, key, cost, minutes)       the plan with as many steps as fit

A kind of experiment measures what its steps cost on this machine, with its own workers.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import NamedTuple, Self, TypeAlias, TypeVar

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn

from hsevo import config
from hsevo.config import as_real, short
from hsevo.errors import ConfigError

PLAIN_SECONDS = 10.0  # between the plain lines of a job without steps
BAR = 5  # columns reserved for the bar of the live line


class _Live(Progress):
    """The live line, below what `above` returns."""

    above: Callable[[], Iterable[RenderableType]] = tuple

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from self.above()
        yield from super().get_renderables()


class Note(NamedTuple):
    """What to show besides the games; `brief` replaces `place` in a narrow terminal."""

    place: str = ""
    figures: tuple[str, ...] = ()
    brief: str = ""

    def first(self, number: int) -> str:
        """Return the place and the first figures."""
        return ": ".join(filter(None, (self.place, ", ".join(self.figures[:number]))))

    def __str__(self) -> str:
        return self.first(len(self.figures))


class Meter:
    """Counts games and shows progress; use it in a `with`, and pass `advance` as `on_games`.

    above: what to show over the live line in a terminal, asked for several times a second.
    call: a progress callback, called with (games done, games in all) after every block.
    before: games that were played earlier; they count, except for the speed.
    """

    def __init__(self, total: int, console: Console | None = None,
                 above: Callable[[], Iterable[RenderableType]] = tuple,
                 call: Callable[[int, int], object] | None = None, before: int = 0) -> None:
        self.console = console or Console(stderr=True)
        self.total, self.done, self.before, self.call = total, before, before, call
        self.began = self.spoke = time.monotonic()
        self.note = Note()
        self.live = _Live(TextColumn("{task.description}"), BarColumn(None),
                          console=self.console, transient=True,
                          disable=not self.console.is_terminal or self.console.quiet)
        self.live.above = above
        self.task = self.live.add_task(self.short(), total=total, completed=before)

    def __enter__(self) -> Self:
        self.live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.live.stop()

    @property
    def speed(self) -> float:
        """Games a second since the meter began."""
        return (self.done - self.before) / max(time.monotonic() - self.began, 1e-9)

    def advance(self, games: int) -> None:
        """Count finished games; without a live line, print a plain line now and then."""
        self.done += games
        if self.call:
            self.call(self.done, self.total)
        self.live.update(self.task, completed=self.done, description=self.short())
        now = time.monotonic()
        if not (self.console.is_terminal or self.note.place) and now - self.spoke >= PLAIN_SECONDS:
            self.spoke = now
            self.say(self.text())

    def text(self) -> str:
        """Return the state in one line: note, games, speed and time left."""
        return ", ".join(filter(None, (str(self.note), self._games, *self._pace)))

    def short(self) -> str:
        """Return as much of the state as fits the live line; with its speed, once known."""
        width = self.console.width - BAR
        note, games = self.note, self._games
        choices = [(str(note), games), (str(note),), (note.first(1), games), (note.first(1),),
                   (note.place,), (note.brief,), ()]
        lines = [", ".join(filter(None, (*parts, *self._pace))) for parts in choices]
        return next((line for line in lines if len(line) <= width), lines[-1])

    @property
    def _games(self) -> str:
        return f"{self.done:,} of {self.total:,} games"

    @property
    def _pace(self) -> tuple[str, ...]:
        if self.done == self.before:
            return ()  # nothing is known yet
        left = (self.total - self.done) / self.speed
        return speed_text(self.speed), f"{duration(left)} left"

    def say(self, line: str) -> None:
        """Print a permanent line."""
        self.console.print(line, highlight=False, soft_wrap=True, markup=False)

    def step(self, note: Note, total: int) -> str:
        """Show a finished step in the live line, or print a plain line. Return the line.

        total: how many games there are in all, at most; racing may have saved some.
        """
        self.note, self.total = note, total
        self.live.update(self.task, total=self.total, description=self.short())
        line = self.text()
        if not self.console.is_terminal:
            self.say(line)
        return line


def speed_text(games: float) -> str:
    """Format games a second as 12 games/s; slower than one, as 24 games/min."""
    return f"{games:,.0f} games/s" if games >= 1 else f"{60 * games:,.0f} games/min"


def duration(seconds: float) -> str:
    """Format a time as 42 s, 3 min 20 s or 2 h 05 min."""
    if seconds == float("inf"):
        return "unknown time"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


P = TypeVar("P", bound=config.Section)
Sample: TypeAlias = Callable[[int], int]  # plays about n games, and returns the exact number
SECONDS = 2.0  # of samples of each kind, at least
LONGEST = 60 * 24 * 366  # minutes to plan for


def check_minutes(minutes: float | None, key: str, changed: Iterable[str] = ()) -> None:
    """Raise ConfigError for no number of minutes, or if the key that they plan is changed, too."""
    if minutes is None:
        return
    number = as_real(minutes)
    if number is None or not 0 < number <= LONGEST:
        raise ConfigError(f"minutes is {short(minutes)}, but must be a number above 0,"
                          f" and at most {LONGEST:,}")
    if {key, key.partition(".")[0]} & {*changed}:
        raise ConfigError(f"minutes and {key} can't be combined: minutes set the"
                          f" {key.rpartition('.')[2]}; leave one out")


def pace(play: Sample, least: int, most: int) -> float:
    """Return how long one of what is sampled takes, in seconds; 0 if there is nothing.

    least, most: how many at once, first and later. The first are not counted: with them, workers
    load the engine.
    """
    games, played, seconds = min(least, most), 0, 0.0
    if not games:
        return 0.0
    play(games)
    while seconds < SECONDS:
        began = time.perf_counter()
        played += play(games)
        seconds += time.perf_counter() - began
        games = min(4 * games, most)
    return seconds / played


def fitting(cost: Callable[[int], float], seconds: float, least: int, most: int) -> int:
    """Return how many steps fit, at most `most`; 0 if fewer than `least`.

    cost: the seconds of so many steps, which grow with their number.
    """
    if cost(least) > seconds:
        return 0
    high = least
    while high < most and cost(high) <= seconds:
        high = min(2 * high, most)
    return least - 1 + bisect_right(range(least, high + 1), seconds, key=cost)


def planned(plan: P, key: str, cost: Callable[[P], float], minutes: float, least: int = 1,
            most: int = 1_000_000, of: str = "") -> tuple[P, str]:
    """Return the plan with as many steps as fit, and what was planned, in words.

    key: of their number, as "evolution.generations". cost: the seconds of a plan. of: what a step
    is of, in words. Raises ConfigError if fewer than `least` fit.
    """
    def seconds(number: int) -> float:
        return cost(config.change(plan, {key: number}))

    step = key.rpartition(".")[2].removesuffix("s")
    number = fitting(seconds, 60 * minutes, least, most)
    if not number:
        many = f"{least:,} {step}s{of} take" if least > 1 else f"one {step}{of} takes"
        raise ConfigError(f"minutes is {minutes:g}, but {many} about"
                          f" {duration(max(seconds(least), 1))} on this machine; set more minutes")
    return config.change(plan, {key: number}), (
        f"{number:,} {step}{'s' * (number > 1)} fit{'s' * (number == 1)} into {minutes:g}"
        f" minute{'s' * (minutes != 1)}; to repeat this run, use --set {key}={number}")
