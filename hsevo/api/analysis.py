"""Analyse: `examine` an agent, `report` on runs, repeat a `study`, `bench` the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, Unpack

import pandas as pd

from hsevo import config
from hsevo.agents.registry import genome_of
from hsevo.analysis import examine as examination
from hsevo.analysis.examine import Examination
from hsevo.api.contests import lineup_of
from hsevo.api.environments import aec_env, make_vec
from hsevo.api.experiment import RunFolder
from hsevo.api.run import Champion, Run
from hsevo.benches import decision, environment
from hsevo.benches import games as benches
from hsevo.benches import generation as generations
from hsevo.cards.decks import DeckLike
from hsevo.config.contests import ExamineSettings
from hsevo.config.named import CIG2018
from hsevo.errors import ConfigError, name_problem, quoted
from hsevo.experiments.playing import (
    ARGUMENTS,
    Progress,
    keeping,
    parted,
    playing,
    print_line,
    warm_up,
    workers_of,
)
from hsevo.files import claimed, marked
from hsevo.generated import ExamineFields
from hsevo.objects import Fields
from hsevo.reports import groups as parting
from hsevo.reports.exhibit import Besides
from hsevo.reports.report import PageReport, Sources, write
from hsevo.strength import bests, studies, study_plans
from hsevo.strength.agents import AgentLike, as_agent, each_agent, specs_of
from hsevo.strength.arena import Lineup
from hsevo.strength.benchmark import panels, read_plan
from hsevo.strength.roster import read_agents
from hsevo.strength.study_plans import Study

RunLike: TypeAlias = RunFolder | str | Path

REFERENCE = "eva:2018"  # the opponent where none is given
OTHER = "eva:group-1"  # that of the reference itself
EXAMINE, STUDY = "hsevo examine", "hsevo study"  # what fills a folder


def examine(agent: AgentLike | Run, *, against: AgentLike | Iterable[AgentLike] = (),
            decks: DeckLike | Sequence[DeckLike] | None = None, out: str | Path | None = None,
            progress: Progress = False,
            chosen: Callable[[Champion], object] = lambda champion: None,
            **fields: Unpack[ExamineFields]) -> Examination:
    """Measure what each weight of an agent is worth, and how the agent plays.

    agent: any agent with weights, or a learned one, rl:RUN (its style alone); or a Run, of which
    the best is examined by the run's rules and decks, after its last population has played again
    (games_best games per pair of decks, for every two).
    against: opponents; default: the last population of a Run, or its fixed opponents if individuals
    do not meet; else eva:2018 (for eva:2018 itself, eva:group-1). out: a folder for the tables,
    which `report` draws. chosen: called with the best of a Run before it is examined.
    fields: games=1800, of each variant (a weight at one of 11 values), at least; profile_games=360,
    how many of them to analyse move by move; games_best=200; seed=1; ruleset, information and
    max_turns, of a Run its own by default; workers and backend.

    Returns an Examination with the tables `landscape` (a row a variant), `turns` and `games`.
    Raises AgentError, ConfigError, RunError, GameError.

    >>> found = hsevo.examine("eva:2018", against=["random"], games=18, profile_games=18)
    >>> found.landscape.columns[:4].tolist()
    ['weight', 'value', 'own', 'games']
    """
    given, team = parted("examine", ExamineFields, fields)
    own = {key: given.pop(key) for key in ExamineSettings.model_fields if key in given}
    asked = config.check(ExamineSettings, own, ARGUMENTS)
    rules = {"games": asked.games, "seed": asked.seed,
             **{key: value for key, value in given.items() if value is not None}}
    opponents = each_agent(against)
    path = Path(out) if out is not None else None

    def best_of(run: Run) -> Champion:
        champion = run.champion(asked.games_best, progress=progress, **team)
        chosen(champion)
        return champion

    with claimed(path, EXAMINE, examination.check_folder) if path else nullcontext():
        if isinstance(agent, Run):
            of = among_its_own(agent, opponents, decks, rules, best_of)
        else:
            one = as_agent(agent)
            others = opponents or [REFERENCE if one.spec != REFERENCE else OTHER]
            of = examination.lineup(
                lineup_of([one], others, CIG2018 if decks is None else decks, **rules))
        with playing(examination.games(of, asked.profile_games), workers_of(**team),
                     progress) as (executor, meter):
            found = examination.examine(executor, of, asked.profile_games, meter.advance)
        if path is not None:
            with keeping(lambda: found), marked(path, EXAMINE):
                found.write(path)
    return found


def among_its_own(run: Run, against: list[AgentLike],
                  decks: DeckLike | Sequence[DeckLike] | None, given: dict[str, Any],
                  best_of: Callable[[Run], Champion]) -> Lineup:
    """Return the line-up of the best of a run, by the run's rules unless others are given.

    Errors are raised before games are played to find the best.
    """
    rules = ("ruleset", "information", "max_turns")
    own = {rule: getattr(run.config, rule) for rule in rules} | given
    chosen = run.folder.own_decks if decks is None else decks
    names = [str(agent.spec) for agent in run.agents]

    def of(name: str) -> Lineup:
        others = against or examination.companions(run.folder, name.rpartition("#")[2])
        return examination.lineup(lineup_of([name], others or [REFERENCE], chosen, **own))

    taken = {as_agent(one).spec for one in against}
    of(next((name for name in names if name not in taken), names[0]))
    return of(str(best_of(run).spec))


def report(*runs: RunLike | Mapping[str, RunLike], out: str | Path | None = None,
           agents: str | Path | None = None, tournament: str | Path | None = None,
           examined: str | Path | Iterable[str | Path] = (),
           arenas: str | Path | Iterable[str | Path] = (),
           groups: int | None = None, kind: str = "eva", against: Iterable[str] = (),
           games: int = 360, seed: int = 1, workers: int | None = None,
           backend: str | None = None, progress: Progress = False) -> PageReport:
    """Write a report: one page, with figures (SVG, PNG) and tables (CSV) beside it.

    runs: runs or their folders; {"label": run} labels them. Runs of `evolve` that differ only in
    their seed are executions of one experiment, others are compared; runs of `learn` stand beside
    each other, with the mean win rate of those that differ only in their seed and its 95 % interval
    (Student's t over seeds). Folders of `study` and of studies with participants are reported, too.
    agents: a file of weights instead of runs, of this kind; tournament: the folder of `arena` with
    their games. examined, arenas: folders written by `examine` and by `arena` or `benchmark`.
    groups: the number of groups of solutions, 2 to 7. out: default reports/NAME, of several runs
    reports/NAME-and-NAME; an older report in it is replaced.
    against: the specs of agents that the best of each execution plays in new games, at least
    `games` with each and with this seed. Then the report has box plots of their rates, and tests of
    the differences between experiments: Wilcoxon's rank-sum test, A12 and Welch's t-test, with
    executions as units.

    Raises ConfigError, RunError, AgentError, WorkersError, GameError.

    >>> run = hsevo.evolve("smoke", seed=2, out="runs/reported")
    >>> hsevo.report(run, out="reports/example")
    PageReport('reports/example/report.html': ... figures, ... tables)
    """
    if groups is not None:
        groups = config.whole("groups", groups, 2, parting.MOST_GROUPS)
    paths, labels = _labelled(runs)
    sources = Sources(paths, labels, _path(agents), kind, _path(tournament),
                      _paths("arenas", arenas), _paths("examined", examined))
    sources.check()
    genome_of(kind)  # is there such a kind?
    opponents, team = _listed(against), workers_of(workers, backend)
    if opponents and not paths:
        raise ConfigError("against lets the bests of runs play; give run folders of hsevo evolve")

    def rematch(runs: Mapping[str, Any]) -> pd.DataFrame:
        lineup = bests.lineup(runs, opponents, config.whole("games", games), seed)
        with playing(lineup.games, team, progress) as (executor, meter):
            return bests.rates(runs, lineup, executor, meter.advance)

    besides = Besides(groups, rematch=rematch if opponents else None)
    return write(sources, _path(out), besides, _say(progress))


def _listed(given: str | Iterable[str]) -> list[str]:
    """Return one spec or several. Raises ConfigError."""
    found = [given] if isinstance(given, str) else [*given]
    if not all(isinstance(one, str) for one in found):
        raise ConfigError(f"against is {config.short(given)}, but must be specs of agents")
    return found


def _labelled(runs: Sequence[Any]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    paths: list[Path] = []
    labels: list[str] = []
    for one in runs:
        for label, run in (one.items() if isinstance(one, Mapping) else [("", one)]):
            if not isinstance(run, RunFolder | str | Path) or not isinstance(label, str):
                raise ConfigError(f"a report is of runs and run folders, not {config.short(one)}")
            if problem := name_problem(label):
                raise ConfigError(f"the label {quoted(label)} {problem}")
            paths.append(run.path if isinstance(run, RunFolder) else Path(run))
            labels.append(label)
    return tuple(paths), tuple(labels)


def _paths(what: str, given: str | Path | Iterable[str | Path]) -> tuple[Path, ...]:
    """Return one folder or several. Raises ConfigError."""
    listed = [given] if isinstance(given, str | Path) else given
    found = config.in_order(what, listed) if isinstance(listed, Iterable) else [None]
    if not all(isinstance(one, str | Path) for one in found):
        raise ConfigError(f"{what} is {config.short(given)}, but must be a folder or a list of"
                          " folders")
    return tuple(Path(one) for one in found if one is not None)


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _say(progress: Progress) -> Callable[[str], None]:
    def say(name: str) -> None:
        if progress is True:
            print_line(f"drawing {name} ...")
    return say


@dataclass(frozen=True)
class StudyResult:
    """The result of a study: `table` has a row per point; `path` is its folder, if any.

    `plan.about` says what x is, whose wins the rates count, and who plays.
    """

    FIELDS: ClassVar[Fields] = {
        "path": "path", "plan": lambda self: self.plan.model_dump(), "x": "plan.axis",
        "players": "plan.players", "curve": "table"}

    record: studies.Record
    path: Path | None = None

    @property
    def plan(self) -> Study:
        """The study that was played."""
        return self.record.study

    @property
    def results(self) -> Any:
        """Every game from the agent's side, match.RESULT (points, games)."""
        return self.record.results

    @property
    def table(self) -> pd.DataFrame:
        """The points as curve.csv has them: rates with their 95 % intervals."""
        return studies.curve(self.record)

    @property
    def times(self) -> pd.DataFrame:
        """What the games of each point cost, as times.csv has it: CPU time, of both players."""
        return self.record.times()

    def _repr_html_(self) -> str:
        about = "".join(f"<p>{escape(line)}</p>" for line in self.plan.about)
        return about + str(self.table.to_html(index=False))


def study(source: str | Path, *, games: int | None = None, seed: int | None = None,
          out: str | Path | None = None, workers: int | None = None,
          backend: str | None = None, progress: Progress = False) -> StudyResult:
    """Play a study, such as a published one: how often an agent wins as something changes.

    source: the name of a study, such as "divine-shield" or "taunts", or its path. games: per point;
    default: as in the study. out: a new folder for curve.csv, plots, study.yaml and every game; a
    study that was stopped continues with the same call, a finished one with more games.

    Raises ConfigError, AgentError, DeckError, GameError, RunError.

    >>> hsevo.study("divine-shield-control", games=100).table.columns[:5].tolist()
    ['x', 'games', 'wins', 'draws', 'rate']
    """
    plan = study_plans.load_study(source)
    changed = {name: value for name, value in (("games", games), ("seed", seed))
               if value is not None}
    if changed:
        plan = study_plans.check_study(plan.model_dump() | changed, ARGUMENTS)
    team = workers_of(workers, backend)
    if out is None:
        return _study(studies.Record(plan), team, progress)
    path, work = Path(out), f"{STUDY} {studies.digest(plan)}"
    with (claimed(path, work, partial(studies.check_folder, plan)), marked(path, work)):
        result = _study(studies.Record(plan, path), team, progress, path)
        with keeping(lambda: result):
            studies.write(path, result.record)
    return result


def _study(record: studies.Record, team: Any, progress: Progress,
           path: Path | None = None) -> StudyResult:
    """Play what is left of a study."""
    result = StudyResult(record, path)
    with (keeping(lambda: result if record.done else None),
          playing(record.total, team, progress, before=record.done) as (executor, meter)):
        studies.play(executor, record.study, meter.advance, record)
    return result


def bench(agents: str | Iterable[str] | None = None, *, seconds: float = 10.0,
          generation: bool = False, environment: bool = False, kernel: bool = False,
          progress: Progress = False) -> dict[str, Any]:
    """Measure games per second, compile time, start time and memory.

    Nothing else should run meanwhile. agents: measure these instead, each against itself; the name
    of a panel, such as "panel-2026", means all its agents. generation: measure what a generation of
    the paper's experiment costs besides its games, and calculate what more workers save.
    environment: measure `hsevo.make_vec` and `hsevo.aec_env` instead, by random play.
    kernel: measure the parts of a simulated action instead.
    Returns {"figures", "baseline", "machine", "hsevo"}, ready for JSON; baseline says by how much
    the ratios to the reference kernel differ from those of a stored version, as fractions.
    Raises AgentError, ConfigError.

    >>> sorted(hsevo.bench(["random"], seconds=0.5))
    ['agents', 'hsevo', 'machine']
    """
    def say(line: str) -> None:
        if progress is True:
            print_line(line)

    benches.check_seconds(seconds)
    if (agents is not None) + generation + environment + kernel > 1:
        raise ConfigError("agents, generation, environment and kernel can't be combined")
    if environment:
        return _bench_environments(seconds, progress)
    if generation or kernel:
        warm_up(progress)
        return (decision.measure(seconds) if kernel
                else generations.report() | benches.about(seconds))
    if agents is None:
        warm_up(progress)
        found: dict[str, Any] = benches.measure(seconds, say)
        return found
    named = [spec for part in specs_of(agents) for spec in
             (read_plan(part).agents if part in panels() else [part])]
    read_agents(named)  # before the engine is compiled
    warm_up(progress)
    measured: dict[str, Any] = benches.measure_agents(named, seconds)
    return measured


def _bench_environments(seconds: float, progress: Progress) -> dict[str, Any]:
    """Measure random play: through compiled code alone, Gymnasium (also against EVA), AEC."""
    first = make_vec(num_envs=environment.GAMES)
    against = make_vec(num_envs=environment.GAMES, opponent="eva:2018")
    warm_up(progress)
    found = environment.measure({"vector": first, "against_eva": against}, aec_env(), seconds)
    first.close()
    against.close()
    return {"environment": found} | benches.about(seconds)
