"""Strength against CPU time a decision: `frontier`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from hsevo.agents.genomes.decks import joined
from hsevo.agents.shared.agent import AGENT
from hsevo.api.contests import benchmark_of, play_out
from hsevo.benches.games import check_seconds, machine
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError
from hsevo.experiments.playing import Progress, compiling, print_line, warm_up, workers_of
from hsevo.files import claimed, marked, write_whole, writing
from hsevo.objects import Fields
from hsevo.pictures import Picture
from hsevo.play.decision_times import Times, positions, times
from hsevo.play.python_players import refuse_values
from hsevo.play.specs import short_names
from hsevo.play.tournament import write_table
from hsevo.store.kinds import About
from hsevo.strength import frontier as frontiers
from hsevo.strength.agents import Agent, AgentLike, as_agents
from hsevo.strength.benchmark import NEWEST, Panel, joint
from hsevo.strength.roster import read_agent

ABOUT = About("frontier.yaml", "hsevo benchmark --frontier")


@dataclass(frozen=True)
class Frontier:
    """Strength against CPU time a decision; `path` is its folder, if it has one.

    panel: the name of the panel whose scale the ratings have. names, times: of the agents of the
    panel and those that were given; values, spread: their ratings in Elo, with the covariance.

    >>> len(hsevo.frontier(panel="panel-2026", seconds=0.001).table)
    15
    """

    FIELDS: ClassVar[Fields] = {
        "panel": "panel", "path": "path", "seconds": "seconds", "agents": "table",
        "budgets": "budgets"}

    panel: str
    names: tuple[str, ...]
    values: Any  # (n,)
    spread: Any  # (n, n)
    times: tuple[Times, ...]
    seconds: float
    path: Path | None = None

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row per agent, the fastest first: columns of strength.frontier.table."""
        return frontiers.table(self.names, self.values, self.spread, self.times)

    @cached_property
    def budgets(self) -> pd.DataFrame:
        """Who is best within a time, and by how much: columns of strength.frontier.budgets."""
        return frontiers.budgets(self.names, self.values, self.spread, self.times)

    @property
    def picture(self) -> Picture:
        """The picture, as `svg` and `png`: bytes of files."""
        return frontiers.draw(self.table, f"Strength against time ({self.panel})")

    def save(self, path: str | Path) -> Path:
        """Write frontier.csv, budgets.csv, frontier.svg, frontier.png, frontier.yaml to a folder.

        Raises RunError.
        """
        folder, drawn = Path(path), self.picture
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        write_table(folder / "frontier.csv", self.table)
        write_table(folder / "budgets.csv", self.budgets)
        write_whole(folder / "frontier.svg", drawn.svg)
        write_whole(folder / "frontier.png", drawn.png)
        ABOUT.write(folder, {"engine": fingerprint(), "panel": self.panel,
                             "seconds": self.seconds, "machine": machine()})
        return folder

    def __repr__(self) -> str:
        best = self.table[self.table["on_frontier"]]["agent"]
        names = short_names(self.names)
        return f"on the frontier, the fastest first: {', '.join(names[one] for one in best)}"

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False, float_format="{:.3g}".format))


def frontier(agents: AgentLike | Iterable[AgentLike] = (), games: int | None = None, *,
             panel: str = NEWEST, seconds: float = 2.0, out: str | Path | None = None,
             workers: int | None = None, backend: str | None = None,
             progress: Progress = False) -> Frontier:
    """Compare strength with CPU time a decision: who is the best of all that are as fast?

    Compared are the agents of a panel, whose ratings are frozen, and those given, each rated first
    by `games` against every agent of the panel (default: as `benchmark`). A search can be given
    with several budgets: ["eva:turn?nodes=30", "eva:turn?nodes=3000"]. Then each is asked in the
    same positions, and plays games against itself, for about so many CPU `seconds` on one core.
    Decks are those of the panel. out: a new folder for tables, picture and games; a call that was
    stopped continues with the same call. Times differ between machines, and other work on the
    machine lengthens them; the column `ratio`, to eva:2018 in the same call, depends less on both.

    Raises AgentError, ConfigError, RunError.

    >>> found = hsevo.frontier(panel="panel-2026", seconds=0.01)
    >>> found.table.agent[found.table.on_frontier].iloc[-1]
    'gsv?depth=3&nodes=100000'
    """
    check_seconds(seconds)
    field = Panel.read(panel)
    field.lineup("random", games)  # is `games` a number that can be?
    given = _others(field, as_agents(agents))
    path = Path(out) if out is not None else None
    how: dict[str, Any] = {"games": games, "workers": workers, "backend": backend,
                           "progress": progress}
    with _kept(path, field, given, games, seconds):
        values, spread = _ratings(field, given, path, how)
        players = [*map(read_agent, field.plan.agents), *(one.on(field.decks) for one in given)]
        found = Frontier(panel, (*field.plan.agents, *(one.name for one in given)), values, spread,
                         _times(field, players, seconds, progress), seconds, path)
        if path is not None:
            found.save(path)
    return found


def _others(field: Panel, given: Iterable[Agent]) -> list[Agent]:
    """Return those agents that are not in the panel itself. Raises AgentError."""
    known = {read_agent(name).tobytes() for name in field.plan.agents}
    for one in given:
        if one.deck:
            raise AgentError(f"{one.name} has a deck of its own, but agents are compared with the"
                             " decks of the panel; leave out the part from the @ on")
    return [one for one in given if one.on(field.decks).tobytes() not in known]


@contextmanager
def _kept(path: Path | None, field: Panel, given: list[Agent], games: int | None,
          seconds: float) -> Iterator[None]:
    """Claim the folder, if there is one; the same call may go on there."""
    if path is None:
        yield
        return
    players = [one.on(field.decks) for one in given]
    content = joined(players, len(field.decks)) if players else np.zeros(0, AGENT)
    refuse_values(content)
    what = repr(([one.name for one in given], field.name, games, seconds, fingerprint()))
    work = f"{ABOUT.kind} {hashlib.sha256(content.tobytes() + what.encode()).hexdigest()}"
    with claimed(path, work), marked(path, work):
        yield


def _ratings(field: Panel, given: list[Agent], path: Path | None,
             how: dict[str, Any]) -> tuple[Any, Any]:
    """Return the ratings of the panel and of those given, and their covariance."""
    return joint(field, [_counts(field, one, path and path / _folder(number, one.name), how)
                         for number, one in enumerate(given, start=1)])


def _folder(number: int, name: str) -> str:
    return f"{number}-{re.sub(r'[^A-Za-z0-9.=]+', '-', name).strip('-')}"[:60]


def _counts(field: Panel, one: Agent, path: Path | None, how: dict[str, Any]) -> Any:
    """Return the counts of an agent's pairs of games against each of the panel, (n, 5)."""
    if how["progress"] is True:
        print_line(f"{one.name} plays the panel")
    team = workers_of(how["workers"], how["backend"])
    found = play_out(benchmark_of(path, one, how["games"], field), team, how["progress"])
    return found.counts[0, 1:]


def _times(field: Panel, players: list[Any], seconds: float,
           progress: Progress) -> tuple[Times, ...]:
    """Measure all agents, one after the other."""
    warm_up(progress)
    if progress is True:
        print_line(f"measuring how long {len(players)} agents take for a decision: about"
                   f" {seconds * len(players):.0f} s")
    with compiling(progress):
        dealt = positions(field.decks)
        return tuple(times(player, dealt, seconds) for player in players)
