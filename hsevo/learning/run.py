"""`hsevo.learn` and `hsevo.Learned`: a player that learns by playing, and its run folder.

A step is a period, made by the trainer of the plan's policy. A log (TensorBoard) of a run holds a
copy of its tables, a step a period.

    learning/COLUMN                  the line of learning.csv, its seconds of CPU time
    references/OPPONENT/COLUMN       win rate with its interval, where it was measured
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, Unpack

import numpy as np
import pandas as pd

from hsevo.agents.learned.nets import refuse_unknown
from hsevo.agents.registry import NET, ROSTER
from hsevo.cards.deck_pool import DeckDraws
from hsevo.cards.decks import Deck, class_of, read_decks, refuse_lists
from hsevo.cards.terms import Class
from hsevo.config import Workers, as_whole, check_number, in_order, whole
from hsevo.config.learning import END_TO_END, SCRATCH, TD, Plan
from hsevo.errors import AgentError, ConfigError, HsevoError, RunError, names_or_count, quoted
from hsevo.experiments import watching
from hsevo.experiments.experiment import MOST, Experiment
from hsevo.experiments.loggers import LogEntry, tag
from hsevo.experiments.playing import Progress
from hsevo.experiments.progress import Meter, planned
from hsevo.generated import LearnFields, WorkersFields
from hsevo.learning import budget
from hsevo.learning import deck_building as built
from hsevo.learning.deck_building import DeckBuilding
from hsevo.learning.folder import LearnedPeriod, LearningRun, is_learning, period_name
from hsevo.learning.measures import due, games_measured, games_of_payoff, games_to_play
from hsevo.learning.plan import refuse_unused
from hsevo.learning.pretrained import check_pretrained, read_values_of, values_of
from hsevo.learning.trainers import trainer
from hsevo.learning.verify import LearningReport, games_to_verify, verify
from hsevo.objects import Fields
from hsevo.play import match
from hsevo.play.specs import short_names
from hsevo.play.workers import Executor, OnGames, open_workers
from hsevo.runs import checkpoints
from hsevo.strength.agents import Agent, AgentLike
from hsevo.strength.roster import contents, net_parts, read_agent
from hsevo.types import Array


@dataclass(frozen=True)
class LearningState(watching.State[Plan]):
    """Hold the state of a learning run; tables are empty before the first iteration."""

    learning: pd.DataFrame
    references: pd.DataFrame

    @property
    def periods(self) -> int:
        """Number of committed checkpoint intervals."""
        return len(self.learning)

    @property
    def where(self) -> str:
        """Last committed checkpoint interval, in words."""
        return (f"period {self.periods - 1} of {self.plan.periods - 1}" if self.periods
                else "no period yet")

    def lines(self, before: LearningState | None = None) -> list[str]:
        """Return one line for each checkpoint interval since an earlier state, or for all."""
        if before is None and not self.periods:
            return [self.where]
        table, since = self.references, before.periods if before else 0
        measured = dict(list(table.groupby("period"))) if len(table) else {}
        return [period_line(self.plan, row, measured.get(row["period"]))
                for row in self.learning.iloc[since:].to_dict("records")]


def period_line(plan: Plan, row: Mapping[Any, Any], measured: pd.DataFrame | None) -> str:
    """Return a checkpoint interval in words, from its lines of learning.csv and references.csv."""
    said = [f"period {row['period']} of {plan.periods - 1}: {row['positions']:,} positions, loss"
            f" {row['loss']:.4f}, pool {row['pool']}"]
    lines = [] if measured is None else measured.to_dict("records")
    names = short_names([line["opponent"] for line in lines])
    said += [f"{names[line['opponent']]} {100 * line['rate']:.1f} %"
             f" ({100 * line['rate_low']:.1f} to {100 * line['rate_high']:.1f})" for line in lines]
    return ", ".join(said)


class Learned(LearningRun, Experiment[Plan, LearnedPeriod]):
    """Open a run folder of `hsevo.learn`, finished or not.

    Parameters
    ----------
    path : str or Path
        Path of the folder, or "rl:RUN", the spec of its player.

    Raises
    ------
    RunError
        If the folder has no such run, or is damaged.

    Examples
    --------
    >>> few = {"periods": 2, "rounds": 1, "games": 4, "payoff_games": 1}
    >>> path = hsevo.learn("osfp-smoke", out="runs/learned", changes=few).path
    >>> hsevo.Learned(path)
    Learned('runs/learned': osfp-smoke, seed 1, 2 of 2 periods, done)
    >>> hsevo.Learned(path).checkpoints
    ['period-0000', 'period-0001']
    """

    FIELDS: ClassVar[Fields] = {
        **Experiment.FIELDS, "checkpoints": "checkpoints", "learning": "learning",
        "references": "references"}

    STATE, STEPS = LearningState, "periods"
    EXAMPLE = "{'periods': 4}"
    LOGS = "learning"
    STATE_AS_JSON = False

    def __init__(self, path: str | Path) -> None:
        super().__init__(_folder_of(str(path)))

    @classmethod
    def _load(cls, ruleset: str) -> None:
        match.load_rest(ruleset)

    @classmethod
    def _read_parts(cls, plan: Plan) -> tuple[Sequence[Deck], dict[str, Array],
                                             dict[str, bytes]]:
        refuse_unused(plan)
        decks = read_decks(plan.deck_names, plan.ruleset)
        if plan.shares:
            if sum(plan.shares.parts[:3]):
                refuse_lists(plan.ruleset)
            DeckDraws(plan.shares, plan.ruleset, decks)  # can decks be drawn?
        if plan.policy != END_TO_END and plan.learner.cards == "number":
            refuse_unknown(plan.ruleset, decks)
        files: dict[str, bytes] = {}
        if plan.policy == END_TO_END:
            from hsevo.learning.end_to_end import train as runs
            from hsevo.learning.end_to_end.updates import check_device

            check_device(plan.network)
            if data := runs.opponent_bytes(plan.against):
                files[runs.OPPONENT] = data
        named = [name for name in (plan.start, *(plan.pretrained or ()), plan.against)
                 if name not in (None, SCRATCH) and not (name == plan.against and files)]
        agents = {name: read_agent(name, decks,
                                   compiled=plan.policy != END_TO_END or name == plan.start)
                  for name in (*named, *plan.references.against)}
        for name, agent in agents.items():
            if agent.ndim > 1:
                raise AgentError(f"'{name}' has separate weights for each deck, which hsevo learn"
                                 " does not support")
        for name in plan.pretrained or ():
            check_pretrained(name, agents[name], plan.learner.cards)
            if plan.learner.method != TD:
                agents[values_of(name)] = read_values_of(name)
        return decks, agents, files

    @property
    def learning(self) -> pd.DataFrame:
        """One row for each checkpoint interval: games, positions, losses, opponent pool."""
        return self._now().table("learning.csv")

    @property
    def references(self) -> pd.DataFrame:
        """Win rate of the learner against each reference opponent, at each checkpoint."""
        return self._now().table("references.csv")

    @property
    def times(self) -> pd.DataFrame:
        """CPU seconds of each checkpoint interval in this process, without measurements."""
        return self._now().table("times.csv")

    @property
    def payoff(self) -> pd.DataFrame:
        """All checkpoints against all, each pair once. Empty before the end of the run."""
        return self._now().table("payoff.csv")

    @property
    def checkpoints(self) -> list[str]:
        """Names of the checkpoints, the oldest first."""
        return checkpoints.names(self.path)

    def agent(self, checkpoint: str | int = "", temperature: float | None = None) -> Agent:
        """Return the learned player of a checkpoint.

        Parameters
        ----------
        checkpoint : str or int, optional
            Name or number of the checkpoint. Default: the last.
        temperature : float, optional
            Temperature of the softmax from which actions are sampled. 0: the best action. Default:
            1 for an end-to-end policy, otherwise 0.

        Returns
        -------
        Agent
            The player.

        Raises
        ------
        AgentError
            If there is no such checkpoint.
        """
        if not isinstance(checkpoint, str) and (period := as_whole(checkpoint)) is not None:
            checkpoint = period_name(period)
        spec = f"rl:{self.path}" + (f"#{checkpoint}" if checkpoint else "")
        if temperature is not None:  # without an exponent, which specs don't have
            spec += f"?temperature={np.format_float_positional(temperature, trim='-')}"
        return Agent(spec)

    def build_decks(self, number: int = 1, *, classes: Sequence[str] = (), seed: int = 1,
                    checkpoint: str | int = "", temperature: float = 1.0) -> list[Deck]:
        """Return decks that an end-to-end policy builds.

        Parameters
        ----------
        number : int, default 1
            Number of decks of each class.
        classes : sequence of str, optional
            Classes of the decks, in order. Default: all classes of the policy.
        seed : int, default 1
            Seed of the choices.
        checkpoint : str or int, optional
            Name or number of the checkpoint. Default: the last.
        temperature : float, default 1.0
            Temperature of the choices. 0: always the best card, and therefore the same deck.

        Returns
        -------
        list of Deck
            The decks, class by class.

        Raises
        ------
        AgentError
            If the player builds no decks.
        ConfigError
            If the policy has no network for a class.
        """
        number = check_number("number", number, 1)
        seed = whole("seed", seed, 0, 2**64 - 1)
        from hsevo.learning.acting.agents import built_decks

        heroes = [class_of(name) for name in in_order("classes", classes)] or sorted(
            {Class[deck.hero_class] for deck in self.decks})
        record = self.agent(checkpoint, temperature).record
        return [Deck(deck, name=f"{deck.hero_class.lower()}-{k}") for hero in heroes
                for k, deck in enumerate(built_decks(record, hero, number, seed), 1)]

    def deck_building(self, number: int = 200, *, every: int = 1, games: int = built.GAMES,
                      pilots: AgentLike | Iterable[AgentLike] = built.PILOTS, seed: int = 1,
                      out: str | Path | None = None, progress: Progress = False,
                      **workers_fields: Unpack[WorkersFields]) -> DeckBuilding:
        """Measure how an end-to-end policy learned to build decks, and how good the decks are.

        Results are identical for any workers and backend.

        Parameters
        ----------
        number : int, default 200
            Number of decks of each class that each checkpoint builds, 1 to 10,000.
        every : int, default 1
            Use each n-th checkpoint, and the last.
        games : int, default 1800
            Minimum number of games of the decks of the last checkpoint, with each pilot against
            each type of other decks, 1 to 10,000.
        pilots : agent or iterable of agents, optional
            Agents that play both sides. "own" is the policy itself at temperature 0.
        seed : int, default 1
            Seed of choices and games.
        out : str or Path, optional
            New folder for tables and picture.
        progress : bool or callable, default False
            Show a progress bar, or call a function with the games played and in total.
        **workers_fields : WorkersFields
            `workers` and `backend`, which do not change results.

        Returns
        -------
        DeckBuilding
            Tables and picture.

        Raises
        ------
        HsevoError
            If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.
        AgentError
            If the player builds no decks, the run has no checkpoint, or a pilot is unknown.
        """
        return built.deck_building(self, number, every=every, games=games, pilots=pilots,
                                   seed=seed, out=out, progress=progress, **workers_fields)

    def resume(self, *, periods: int | None = None,  # type: ignore[override]
               workers: int | None = None, backend: str | None = None, log: Sequence[str] = (),
               progress: Progress = False) -> Self:
        """Continue to the end. A finished run is only logged.

        Parameters
        ----------
        periods : int, optional
            Continue to this number of checkpoint intervals, as if it had been planned from the
            start.
        workers : int, optional
            Number of workers. Default: one per core.
        backend : {"threads", "loky", "dask", "serial"}, optional
            How games run in parallel. It does not change results.
        log : sequence of str, optional
            Logs to write: "tensorboard".
        progress : bool or callable, default False
            Show a progress bar, or call a function with the games played and in total.

        Returns
        -------
        Self
            The finished run.

        Raises
        ------
        RunError
            If the folder is damaged or in use, or the engine or method has changed.
        ConfigError
            If the run has this number of checkpoint intervals, or its learning rate depends on
            their number.
        """
        self._resume(periods, workers, backend, log, progress)
        return self

    def lines(self) -> list[str]:
        """Return the training curve as text, with the results against reference opponents.

        Returns
        -------
        list of str
            One line for each checkpoint interval.
        """
        state: LearningState = self.state
        return state.lines() if state.periods else []

    # --- Its life

    @property
    def steps_done(self) -> int:
        """Number of committed checkpoint intervals."""
        return self.periods

    def _steps(self) -> Generator[LearnedPeriod, None, None]:
        """Learn all remaining checkpoint intervals, then let all checkpoints play each other."""
        plan = self.plan
        with trainer(plan)(self, self.executor, self.threads, self._count_games) as training:
            for number in range(self.periods, plan.periods):
                yield training.period(number)
            self._made = {"payoff.csv": self.tables["payoff.csv"].text(training.payoff())} if (
                plan.payoff_games) else {}

    def _show(self, step: LearnedPeriod, meter: Meter) -> str:
        line = period_line(self.plan, step.line, step.measured)
        meter.say(line)
        return line

    def _notes(self) -> Iterator[str]:
        """Yield notes about differences between machines."""
        if self.plan.policy == END_TO_END and self.plan.network.actors != "rounds":
            yield (f"games are played while it learns (network.actors: {self.plan.network.actors}):"
                   " no two runs are identical, and a resumed run differs too")
            return
        if self.plan.policy == END_TO_END:
            yield ("bit-identical with any number of workers, on this kind of processor with this"
                   " version of PyTorch; results differ elsewhere and on GPUs")
        if self.periods and (why := trainer(self.plan).may_differ(self)):
            yield f"{why}: results may differ from here on"

    def _games_by_step(self) -> dict[tuple[int, int], int]:
        """Return the games of each checkpoint interval, then those of the payoff matrix.

        The games of a checkpoint interval include its measurements.
        """
        plan = self.plan
        counts = {(1, period): plan.rounds * plan.games_per_round + games_measured(
            plan, range(period, period + 1)) for period in range(self.periods)}
        return counts | ({(1, plan.periods): games_of_payoff(plan)} if self.final else {})

    @property
    def _games_left(self) -> int:
        return 0 if self.final else games_to_play(self.plan, self.periods)

    def _details(self) -> dict[str, Any]:
        return {"learning": self.table("learning.csv"), "references": self.table("references.csv")}

    def _refuse_damage(self) -> None:
        if not self.final:
            with open_workers(Workers(backend="serial")) as executor, trainer(self.plan)(
                    self, executor, 1, lambda games: None):
                pass

    def _refuse_steps(self, number: int) -> None:
        """Check that the run can have a number of checkpoint intervals.

        A decreasing learning rate depends on their number.
        """
        ours = self.plan.policy == END_TO_END
        part = self.plan.network if ours else self.plan.learner
        if part.last_rate not in (None, part.rate) and self.periods:
            key = "network.last_rate" if ours else "learner.last_rate"
            raise ConfigError(
                f"{self.path} can't have {number:,} periods: its learning rate falls from"
                f" {part.rate:g} to {part.last_rate:g} over {self.plan.periods:,}, so another"
                " number changes the learning rate from the start; begin a new run with --set"
                f" periods={number} (or with {key}={part.rate:g}, which allows prolonging)")
        super()._refuse_steps(number)

    def _forget(self) -> None:
        """Remove payoff.csv, and measurements that were only due at the end."""
        last = self.periods - 1
        self._take_back_periods([last] if self.periods and not due(self.plan, last) else [])

    @classmethod
    def _to_verify(cls, path: Path) -> Self:
        """Open and lock a folder to check it, because a step replaces the learner's state."""
        return cls._hold(path)

    @property
    def _games_to_verify(self) -> int:
        """Number of games that `verify` replays."""
        return games_to_verify(self)

    def _checked(self, executor: Executor, threads: int, on_games: OnGames) -> LearningReport:
        """Replay its measurements, and repeat its first checkpoint interval."""
        return verify(self, executor, threads, on_games)

    def _entries(self) -> Iterator[LogEntry]:
        times, measured = self.table("times.csv"), self._measured()
        seconds = dict(zip(times["period"], times["cpu_seconds"], strict=True)) if (
            len(times)) else {}
        for line in self.table("learning.csv").to_dict("records"):
            number = int(line["period"])
            yield self._entry(line, seconds.get(number, 0.0), measured.get(number))

    def _entry_of(self, step: LearnedPeriod) -> LogEntry:
        return self._entry(step.line, step.seconds, step.measured)

    def _entry(self, line: Mapping[Any, Any], seconds: float,
               measured: pd.DataFrame | None) -> LogEntry:
        """Return the entry of a line of learning.csv, and of its lines of references.csv."""
        values = self.tables["learning.csv"].logged("learning", line)
        values["learning/cpu_seconds"] = float(seconds)
        for row in [] if measured is None else measured.to_dict("records"):
            values |= self.tables["references.csv"].logged(f"references/{tag(row['opponent'])}",
                                                           row)
        number = int(line["period"])
        return LogEntry(1, number, self._written(self._net(number)), values, {})

    @classmethod
    def _costs(cls, plan: Plan, parts: Any) -> Callable[[Plan], float]:
        return budget.measure(plan, *parts).run

    @classmethod
    def _fitted(cls, plan: Plan, parts: Any, minutes: float) -> tuple[Plan, str]:
        least = plan.imitates + 1 if plan.learner.method == TD else 1  # a policy may only imitate
        return planned(plan, cls.STEPS, cls._costs(plan, parts), minutes, least, MOST)


def _folder_of(name: str) -> Path:
    """Return the folder of a run that is named by its path or as rl:RUN. Raises RunError."""
    if not name.startswith(f"{NET}:") or Path(name).exists():
        return Path(name)
    if name.partition("?")[0] in ROSTER:
        raise RunError(f"{quoted(name)} is shipped without its training run; name one of your runs:"
                       f" {NET}:RUN")
    source, checkpoint, options = net_parts(name)
    if checkpoint or options:
        raise RunError(f"{quoted(name)} is one player of a run; name only the run: {NET}:{source}")
    return Path(source)


def unlearned(spec: str, decks: Iterable[Deck]) -> str:
    """Return what decks the player of a run folder learned with, if not with all of these; or "".

    In words that continue a sentence after its name. Also "" for other agents, and where the decks
    can't be read: a checkpoint's file has none.
    """
    path = Path(spec.removeprefix(f"{NET}:").partition("?")[0].partition("#")[0])
    named = spec.partition("?")[0] in ROSTER
    if named or not spec.startswith(f"{NET}:") or not is_learning(path):
        return ""
    try:
        run = LearningRun(path)
        known = run.decks
    except HsevoError:  # also of a config with keys unknown here
        return ""  # damaged; its checkpoint, which played, is not
    if run.plan.shares:
        return ""  # it learned any deck
    lists = {contents(deck) for deck in known}
    others = [deck.name for deck in decks if contents(deck) not in lists]
    learned = names_or_count(deck.name for deck in known)
    return f"learned {learned}, and not {names_or_count(others)}" if others else ""


def learn(source: str | Path | Plan = "osfp-small", changes: Mapping[str, Any] | None = None, *,
          out: str | Path | None = None, minutes: float | None = None, log: Sequence[str] = (),
          progress: Progress = False, **fields: Unpack[LearnFields]) -> Learned:
    """Train a player by self-play and play against a pool, into a run folder.

    Results are bit-identical for any workers and backend. Continue a stopped run with
    `hsevo.Learned(path).resume()`.

    Parameters
    ----------
    source : str or Path or Plan, default "osfp-small"
        Name of a learning config, path of a config, or plan.
    changes : mapping, optional
        Keys of the config with other values: {"periods": 4, "learner.trace": 0.9}.
    out : str or Path, optional
        New run folder. Default: runs/NAME-seed-SEED-DATE-TIME.
    minutes : float, optional
        Plan as many checkpoint intervals as fit into this time, in minutes. Not together with
        periods in `changes`.
    log : sequence of str, optional
        Logs to write: "tensorboard".
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : LearnFields
        Keys of the config without a point, such as `seed` or `start`, and `workers` and `backend`.

    Returns
    -------
    Learned
        The finished run.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> few = {"periods": 1, "rounds": 2, "games": 4, "payoff_games": 0}
    >>> run = hsevo.learn("osfp-smoke", seed=7, out="runs/mine", changes=few)
    >>> run.learning[["period", "games", "pool"]].values.tolist()
    [[0, 72, 1]]
    """
    return Learned._begin(
        source, changes, log=log, minutes=minutes, progress=progress,
        keywords={**fields, "out": str(out) if out else None})
