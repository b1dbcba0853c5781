"""Analyse: `examine` an agent, `report` on runs, repeat a `study`, `bench` the engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from hsevo import config
from hsevo.agents.registry import genome_of
from hsevo.analysis import examine as examination
from hsevo.analysis.examine import Examination
from hsevo.api.agents import AgentLike, as_agent, each_agent, specs_of
from hsevo.api.contests import lineup_of
from hsevo.api.decks import DeckLike
from hsevo.api.environments import aec_env, make_vec
from hsevo.api.experiment import RunFolder
from hsevo.api.pool import (
    ARGUMENTS,
    Progress,
    keeping,
    playing,
    print_line,
    warm_up,
    workers_of,
)
from hsevo.api.run import Champion, Run
from hsevo.benches import decision, environment
from hsevo.benches import games as benches
from hsevo.benches import generation as generations
from hsevo.config.named import CIG2018
from hsevo.errors import ConfigError, RunError, name_problem, quoted
from hsevo.files import check_path, claimed, marked
from hsevo.reports import answer, examined, kinds, page, sections, standings
from hsevo.reports import arenas as standing
from hsevo.reports import groups as parting
from hsevo.reports.exhibit import Section
from hsevo.strength import bests, studies, study_plans
from hsevo.strength.arena import Lineup
from hsevo.strength.benchmark import panels, read_plan
from hsevo.strength.roster import read_agents
from hsevo.strength.study_plans import Study

RunLike: TypeAlias = RunFolder | str | Path
Rematch: TypeAlias = Callable[[Mapping[str, Any]], pd.DataFrame] | None

REFERENCE = "eva:2018"  # the opponent where none is given
LONGEST = 200  # bytes of a folder's name, of which file systems take 255
OTHER = "eva:group-1"  # that of the reference itself
EXAMINE, REPORT, STUDY = "hsevo examine", "hsevo report", "hsevo study"  # what fills a folder


def examine(agent: AgentLike | Run, *, against: AgentLike | Iterable[AgentLike] = (),
            games: int = 1800, profile_games: int = examination.STYLE_GAMES,
            games_best: int = 200, decks: DeckLike | Sequence[DeckLike] | None = None,
            seed: int = 1, ruleset: str | None = None, information: str | None = None,
            max_turns: int | None = None, out: str | Path | None = None,
            workers: int | None = None, backend: str | None = None,
            progress: Progress = False,
            chosen: Callable[[Champion], object] = lambda champion: None) -> Examination:
    """Measure what each weight of an agent is worth, and how the agent plays.

    agent: any agent with weights, or a learned one, rl:RUN (its style alone); or a Run, of which
    the best is examined by the run's rules and decks, after its last population has played again
    (games_best games per pair of decks, for every two).
    against: opponents; default: the last population of a Run, or its fixed opponents if individuals
    do not meet; else eva:2018 (for eva:2018 itself, eva:group-1).
    games: of each variant (a weight at one of 11 values), at least. profile_games: how many of them
    to analyse move by move. out: a folder for the tables, which `report` draws. chosen: called with
    the best of a Run before it is examined.

    Returns an Examination with the tables `landscape` (a row a variant), `turns` and `games`.
    Raises AgentError, ConfigError, RunError, GameError.

    >>> found = hsevo.examine("eva:2018", against=["random"], games=18, profile_games=18)
    >>> found.landscape.columns[:4].tolist()
    ['weight', 'value', 'own', 'games']
    """
    rules = {"ruleset": ruleset, "information": information, "max_turns": max_turns}
    given: dict[str, Any] = {name: value for name, value in rules.items() if value is not None}
    given |= {"games": games, "seed": seed}
    profile_games = config.whole("profile_games", profile_games)
    games_best = config.whole("games_best", games_best)
    opponents = each_agent(against)
    path = Path(out) if out is not None else None
    options: dict[str, Any] = {"workers": workers, "backend": backend, "progress": progress}

    def best_of(run: Run) -> Champion:
        champion = run.champion(games_best, **options)
        chosen(champion)
        return champion

    with claimed(path, EXAMINE, examination.check_folder) if path else nullcontext():
        if isinstance(agent, Run):
            of = among_its_own(agent, opponents, decks, given, best_of)
        else:
            one = as_agent(agent)
            others = opponents or [REFERENCE if one.spec != REFERENCE else OTHER]
            of = examination.lineup(
                lineup_of([one], others, CIG2018 if decks is None else decks, **given))
        with playing(examination.games(of, profile_games), workers_of(workers, backend),
                     progress) as (executor, meter):
            found = examination.examine(executor, of, profile_games, meter.advance)
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
           backend: str | None = None, progress: Progress = False) -> Report:
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
    Report('reports/example/report.html': ... figures, ... tables)
    """
    if groups is not None:
        groups = config.whole("groups", groups, 2, parting.MOST_GROUPS)
    paths, labels = _labelled(runs)
    plan = _Sources(paths, labels, _path(agents), _path(tournament),
                    _paths("arenas", arenas), _paths("examined", examined))
    plan.check()
    genome_of(kind)  # is there such a kind?
    opponents, team = _listed(against), workers_of(workers, backend)
    if opponents and not plan.runs:
        raise ConfigError("against lets the bests of runs play; give run folders of hsevo evolve")

    def rematch(runs: Mapping[str, Any]) -> pd.DataFrame:
        lineup = bests.lineup(runs, opponents, config.whole("games", games), seed)
        with playing(lineup.games, team, progress) as (executor, meter):
            return bests.rates(runs, lineup, executor, meter.advance)

    return _write(plan, _path(out), groups, kind, _say(progress), rematch if opponents else None)


def _listed(given: str | Iterable[str]) -> list[str]:
    """Return one spec or several. Raises ConfigError."""
    found = [given] if isinstance(given, str) else [*given]
    if not all(isinstance(one, str) for one in found):
        raise ConfigError(f"against is {config.short(given)}, but must be specs of agents")
    return found


@dataclass(frozen=True)
class Report:
    """A report that was written: `page` is the file to open."""

    page: Path
    files: tuple[str, ...]  # figures and tables, relative to the page

    @property
    def figures(self) -> int:
        """How many figures there are, each as SVG and PNG."""
        return sum(name.endswith(".svg") for name in self.files)

    @property
    def tables(self) -> int:
        """How many tables there are, as CSV."""
        return sum(name.endswith(".csv") for name in self.files)

    def table(self, name: str) -> pd.DataFrame:
        """Read one of its tables by name, such as "bests-compared". Raises RunError."""
        file = f"tables/{name}.csv"
        if file not in self.files:
            raise RunError(f"{self.page} has no table {quoted(name)}")
        return pd.read_csv(self.page.parent / file)

    def __repr__(self) -> str:
        return f"Report('{self.page}': {self.figures} figures, {self.tables} tables)"

    def _repr_html_(self) -> str:
        return f"<a href='{escape(str(self.page))}'>{escape(repr(self))}</a>"


@dataclass(frozen=True)
class _Sources:
    """The sources of a report."""

    runs: tuple[Path, ...]
    labels: tuple[str, ...]  # of the runs, "" for none
    agents: Path | None
    tournament: Path | None
    arenas: tuple[Path, ...]
    examined: tuple[Path, ...]

    def check(self) -> None:
        """Raise ConfigError unless these go together."""
        if (self.runs and self.agents) or not (
                self.runs or self.agents or self.arenas or self.examined):
            raise ConfigError("give one or more run folders, a file of agents, or the folder of an"
                              " arena or of an examined agent")
        for path in (*self.runs, *self.arenas, *self.examined):
            check_path(path)
        if problem := name_problem(self.name):
            raise ConfigError(f"the name of {quoted(self.name)} {problem}; rename it")
        if self.tournament and not self.agents:
            raise ConfigError("a tournament needs a file of agents; a run has its own games")
        for what, given in (("arena", self.arenas), ("examined", self.examined)):
            folders = [folder.resolve() for folder in given]
            for folder in folders:
                if folders.count(folder) > 1:
                    raise ConfigError(f"{what} {folder} is given twice; give it once")

    @property
    def name(self) -> str:
        """What the report is called."""
        if self.agents:
            return self.agents.stem
        return (*self.runs, *self.arenas, *self.examined)[0].resolve().name

    @property
    def folder(self) -> str:
        """Its folder in reports/; one of several runs is not the report of the first alone."""
        names = "-and-".join([self.name, *(run.resolve().name for run in self.runs[1:])])
        if len(self.runs) < 2 or len(os.fsencode(names)) <= LONGEST:
            return names
        return f"{self.name}-and-{len(self.runs) - 1}-more"

    @property
    def title(self) -> str:
        """The heading of the page."""
        n = len(self.runs) - 1
        others = f" and {n} other run{'s' * (n > 1)}" if n > 0 else ""
        about = (kinds.of(self.runs).about if self.runs or self.agents else
                 "ratings" if self.arenas else "agent profile")
        return f"{self.name}{others}: {about}"

    def examinations(self) -> list[Examination]:
        """Read those that are given, and those inside the runs. Raises RunError."""
        there = [run / examination.FOLDER for run in self.runs
                 if (run / examination.FOLDER).exists()]
        given = {one.resolve(): one for one in [*there, *self.examined]}  # each once
        return [Examination.read(one) for one in given.values()]


def report_of(path: Path) -> tuple[str, list[Section], list[answer.Answer]]:
    """Return the report of one folder of any kind that has one: title, sections, answers.

    Nothing is written. Raises ConfigError, RunError, AgentError.
    """
    arena, profile = (path / "arena.yaml").is_file(), (path / "examined.yaml").is_file()
    runs = () if arena or profile else (path,)
    plan = _Sources(runs, ("",) * len(runs), None, None, (path,) * arena,
                    (path,) * (profile and not arena))
    plan.check()
    return plan.title, *_sections(plan, None, REFERENCE.partition(":")[0], lambda name: None)


def _write(plan: _Sources, out: Path | None, groups: int | None, kind: str,
           say: Callable[[str], None], rematch: Rematch = None) -> Report:
    path = out or Path("reports") / plan.folder
    page.check_folder(path)
    parts, answers = _sections(plan, groups, kind, say, rematch)
    with claimed(path, REPORT, page.check_folder), marked(path, REPORT):
        files = page.write(path, plan.title, parts, answers)
    return Report(path / page.PAGE, tuple(files))


def _sections(plan: _Sources, groups: int | None, kind: str,
              say: Callable[[str], None], rematch: Rematch = None,
              ) -> tuple[list[Section], list[answer.Answer]]:
    found = plan.examinations()
    fields = [standing.read(arena) for arena in plan.arenas]  # first: they may be damaged
    if found:
        say("the agent profile")
    profile = [examined.section(found)] if found or plan.runs else []
    sources: dict[str, Path] = {plan.agents.stem: plan.agents} if plan.agents else {}
    series: Mapping[str, str] = {}
    parts: list[Section] = []
    says = [answer.of_arena(field) for field in fields]
    if plan.agents:
        parts, first = sections.of_agents(plan.agents, kind, plan.tournament, groups, say)
        says = [first]
    elif plan.runs:
        of, asked = kinds.of(plan.runs), kinds.Asked(groups, fields, found, say, rematch)
        of.refuse_groups(groups, plan.runs[0])
        if rematch:
            of.refuse_rematch(plan.runs[0])
        data = of.load(plan.runs, plan.labels)
        parts, says = of.sections(data, asked), of.answers(data, asked)
        sources, series = {label: run.path for label, run in data.runs.items()}, data.series
        profile = profile if found or of.population else []
    parts += [*standings.of_arenas(fields, sources, series, say), *profile]
    return parts, says or [answer.of_examined(found)]


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
