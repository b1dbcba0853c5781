"""Sweeps: which values of config keys make the best agents, one run for each combination tried.

    hsevo.sweep(config, {"evolution.mu": [5, 10]}) --> DIR/trial-000, DIR/trial-001 ..., trials.csv

Optuna's TPE proposes the values of a trial from those of earlier trials. A trial is worth what its
agent scores against one opponent, in the same games for all. The best of many is partly lucky, so
that it plays other games at the end, of which the rate is reported.

All of it follows from the seed and the trials so far, which are in trials.csv: a sweep that goes on
proposes what it would have proposed.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, Unpack

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.config import short
from hsevo.engine.jit import fingerprint
from hsevo.errors import ConfigError, RunError, brief, printable, quoted
from hsevo.evolution.run import Run
from hsevo.experiments.experiment import Experiment, changed
from hsevo.experiments.playing import Progress, parted, print_line, workers_of
from hsevo.files import read_table, refuse_full, write_whole
from hsevo.generated import WorkersFields
from hsevo.learning.run import Learned
from hsevo.objects import Fields
from hsevo.optional import need
from hsevo.store.kinds import About
from hsevo.strength.agents import Agent
from hsevo.strength.comparing import match
from hsevo.strength.rating import Estimate
from hsevo.trust import named

ABOUT, TRIALS = About("sweep.yaml", "hsevo sweep"), "trials.csv"
SCORES = ("rate", "rate_low", "rate_high")
FINAL = ("games", *SCORES)  # with final_ before: of the new games of the best
MOST = 10_000  # trials
Range: TypeAlias = "tuple[float, float] | Sequence[Any] | str"


class SweepFields(WorkersFields, total=False):
    """Set the games that rate the trials of a sweep; see `sweep`."""

    against: str
    """Spec of the opponent; default: eva:2018."""
    games: int
    """Minimum number of games of each trial's agent; default: 360."""
    final_games: int
    """Minimum number of new games of the best trial's agent; default: 2000."""


class Sweep:
    """Represent a sweep: its trials, and the best of them in new games.

    Parameters
    ----------
    path : Path
        Its folder.
    trials : DataFrame
        A row for each trial, as in `trials.csv`.
    run_type : type
        `hsevo.Run` or `hsevo.Learned`.

    Examples
    --------
    >>> result = hsevo.sweep("smoke", {"evolution.mu": [2]}, trials=1, games=18, final_games=36,
    ...                      changes={"evolution.generations": 1}, out="runs/one")
    >>> result
    Sweep('runs/one': 1 trials, best trial-000 with evolution.mu=2: ... of 36 new games)
    >>> result.run.best
    Agent('eva:runs/one/trial-000#individual-...')
    """

    FIELDS: ClassVar[Fields] = {"path": "path", "best": "best", "values": "values", "rate": "rate",
                                "trials": "trials"}

    def __init__(self, path: Path, trials: pd.DataFrame, run_type: type[Experiment[Any, Any]]
                 ) -> None:
        self.path, self.trials, self._type = path, trials, run_type

    @property
    def _row(self) -> Any:
        rates = self.trials["rate"].astype(float)
        return self.trials.iloc[int(rates.argmax())]

    @property
    def best(self) -> int:
        """Number of the trial with the highest rate; of equal ones, the first."""
        return int(self._row["trial"])

    @property
    def values(self) -> dict[str, Any]:
        """Values of the best trial, by config key."""
        last = self.trials.columns.get_loc("games")
        at = int(self.trials["rate"].astype(float).argmax())
        return {name: np.asarray(self.trials[name]).item(at)
                for name in self.trials.columns[1:last]}

    @property
    def run(self) -> Any:
        """Run of the best trial."""
        return self._type(self.path / folder(self.best))

    @property
    def rate(self) -> Estimate:
        """Score of the best trial's agent in new games, 0 to 1, with its 95 % interval."""
        value, low, high = (float(self._row[f"final_{name}"]) for name in SCORES)
        return Estimate(value, low, high)

    def __repr__(self) -> str:
        values = ", ".join(f"{key}={value}" for key, value in self.values.items())
        return (f"Sweep('{self.path}': {len(self.trials)} trials, best {folder(self.best)} with"
                f" {values}: {100 * self.rate.value:.2f} % ({100 * self.rate.low:.2f} to"
                f" {100 * self.rate.high:.2f}) of {int(self._row['final_games']):,} new games)")


def folder(trial: int) -> str:
    """Return the name of a trial's run folder."""
    return f"trial-{trial:03}"


def read_range(text: str) -> Range:
    """Return the ends of LOW..HIGH as a tuple, or the values of A,B,C as a list.

    Raises ConfigError.
    """
    low, dots, high = text.partition("..")
    values: list[Any] = config.parse(f"v: [{low}, {high}]" if dots else f"v: [{text}]",
                                     quoted(text))["v"]
    return (values[0], values[-1]) if dots else values


def _space(kinds: Any, over: Mapping[str, Range]) -> dict[str, Any]:
    """Return the distributions of keys, of Optuna's `kinds`. Raises ConfigError."""
    space: dict[str, Any] = {}
    for key, asked in over.items():
        log = isinstance(asked, str) and asked.endswith(":log")
        values = config.as_plain(read_range(asked.removesuffix(":log"))
                                 if isinstance(asked, str) else asked)
        if not isinstance(values, list | tuple) or not values:
            raise ConfigError(f"{key} is {short(asked)}, but must be LOW..HIGH, or a list of values"
                              " such as 5,10,20 (in Python: a tuple of two numbers, or a list)")
        if isinstance(values, list):
            if any(not isinstance(value, bool | int | float | str) for value in values):
                raise ConfigError(f"{key} is {short(asked)}, but must be a list of plain values")
            space[key] = kinds.CategoricalDistribution(values)
            continue
        low, high = ends = values if len(values) == 2 else (0, 0)
        if any(config.as_real(end) is None for end in ends) or not low < high:
            raise ConfigError(f"{key} is {short(asked)}, but must be a low and a higher number")
        if log and low <= 0:
            raise ConfigError(f"{key} is {short(asked)}, but a range with :log must begin above 0")
        whole = isinstance(low, int) and isinstance(high, int)
        kind = kinds.IntDistribution if whole else kinds.FloatDistribution
        space[key] = kind(low, high, log=log)
    if not space:
        raise ConfigError("a sweep needs keys to vary: --over evolution.mu=5,10,20")
    return space


def load_plan(source: str | Path, settings: Sequence[str] = ()) -> config.Section:
    """Return a config of hsevo evolve or hsevo learn. settings: "key=value" texts.

    Raises ConfigError.
    """
    for kind in (Run, Learned):
        try:
            config.load(source, model=kind.PLAN)
        except ConfigError:
            continue
        return config.load(source, settings, model=kind.PLAN)
    return config.load(source, settings)  # raises what is wrong with it


def sweep(source: str | Path | config.Section, over: Mapping[str, Range],
          changes: Mapping[str, Any] | None = None, *, trials: int = 20,
          out: str | Path | None = None, trust: bool = False, progress: Progress = False,
          **fields: Unpack[SweepFields]) -> Sweep:
    """Search config keys for values with which evolution or learning makes the best agents.

    Every trial is a run of `hsevo.evolve` or `hsevo.learn` with values that Optuna (TPE) proposes.
    Its agent then plays one opponent. The rate of the best of many trials is biased upwards, so
    this agent plays again with another seed. Needs optuna: ``pip install 'hsevo[research]'``.

    Parameters
    ----------
    source : str or Path or config
        Name or path of a config of `hsevo.evolve` or `hsevo.learn`, or such a config.
    over : mapping
        Values by config key: a tuple (low, high) of two numbers, a list of values, or a text such
        as "0.1..1.0", "0.001..0.1:log" or "5,10,20". Whole numbers as ends give whole numbers.
    changes : mapping, optional
        Other keys of the config with fixed values.
    trials : int, default 20
        Number of trials. Repeat the call with more trials to extend a sweep.
    out : str or Path, optional
        New folder, or the folder of the same sweep to continue. Default: runs/NAME-sweep.
    trust : bool, default False
        Run the Python files (``py:FILE.py#NAME``) that the config names.
    progress : bool or callable, default False
        Show each trial.
    **fields : SweepFields
        `against` (default "eva:2018", spec of the opponent that rates the trials), `games` (default
        360, minimum number of games of each trial's agent, with the seed of the config),
        `final_games` (default 2000, minimum number of new games of the best trial's agent, with the
        next seed), `workers` and `backend`, which do not change results.

    Returns
    -------
    Sweep
        The trials, and the best of them.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> result = hsevo.sweep("smoke", {"evolution.mu": [2, 4]}, trials=2, games=18,
    ...                      final_games=36, changes={"evolution.generations": 1}, out="runs/swept")
    >>> result.trials["trial"].tolist()
    [0, 1]
    """
    optuna, = need("hsevo sweep", "optuna", install="'hsevo[research]'")
    trials = config.whole("trials", trials, high=MOST)
    asked, workers = parted("sweep", SweepFields, fields)
    workers_of(**workers)  # refuses wrong ones
    against = asked.get("against", "eva:2018")
    games, final_games = (config.whole(name, asked.get(name, default), 1, 10**8)
                          for name, default in (("games", 360), ("final_games", 2000)))
    named(against)
    plan = source if isinstance(source, config.Section) else load_plan(source)
    kind: type[Experiment[Any, Any]] = Run if isinstance(plan, config.Config) else Learned
    base: Any = changed(plan, changes, "{'games': 4}", workers)
    Agent(against)  # refuses an unknown one
    space = _space(optuna.distributions, over)
    _refuse_unknown(base, space)
    if not isinstance(base.decks, tuple | list):
        raise ConfigError("the config draws its decks by shares, but a sweep rates agents in"
                          " matches, which need named decks; set decks to a list")
    path = Path(out) if out else Path("runs") / f"{base.name}-sweep"
    table = _opened(path, base, {key: repr(values) for key, values in space.items()},
                    {"against": against, "games": games, "final_games": final_games})
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize")
    for known in table.to_dict("records"):
        study.add_trial(_trial(optuna, space, known))

    rules = {name: getattr(base, name) for name in ("ruleset", "information", "max_turns")
             if hasattr(base, name)}  # a learner has no key information

    def measured(run: Any, count: int, seed: int) -> tuple[float, ...]:
        agent: Agent = run.best if isinstance(run, Run) else run.agent()
        result = match(agent, against, count, decks=base.decks, seed=seed, **rules, **workers)
        return result.done, result.rate.value, result.rate.low, result.rate.high

    for number in range(len(table), trials):
        study.sampler = optuna.samplers.TPESampler(seed=(base.seed + number) % 2**32)
        trial = study.ask(space)
        row: dict[str, Any] = {
            "trial": number, **trial.params, "games": 0, **dict.fromkeys(SCORES),
            "error": ""}
        try:
            run = _finished(kind, config.change(base, trial.params), path / folder(number), trust)
            row |= zip(("games", *SCORES), measured(run, games, base.seed), strict=True)
        except ConfigError as error:  # values that do not go together
            row["error"] = printable(error)
        study.tell(trial, row["rate"], state=None if row["rate"] is not None else
                   optuna.trial.TrialState.FAIL)
        table = pd.DataFrame([*table.to_dict("records"), row])
        _write(path, table)
        if progress is True:
            print_line(_line(row, [*space]))
    if table["rate"].isna().all():
        raise ConfigError(f"no trial of {path} could run; the last: {table['error'].iloc[-1]}")
    result = Sweep(path, table, kind)
    if "final_rate" not in table or pd.isna(result._row["final_rate"]):
        at = table.index[table["trial"] == result.best][0]
        for name, value in zip(FINAL, measured(result.run, final_games, base.seed + 1),
                               strict=True):
            table.loc[at, f"final_{name}"] = value
        _write(path, table)
    return result


def _refuse_unknown(base: Any, space: Mapping[str, Any]) -> None:
    """Raise ConfigError for a key that a config does not have."""
    for key, values in space.items():
        value = values.choices[0] if hasattr(values, "choices") else values.low
        try:
            config.change(base, {key: value})
        except ConfigError as error:  # another one may come from values that do not go together
            if "unknown key" in str(error):
                raise


def _opened(path: Path, base: Any, over: Mapping[str, str], how: Mapping[str, Any]) -> pd.DataFrame:
    """Return the trials of a folder, or begin it. Raises RunError if it is of another sweep."""
    plan = base.model_dump(mode="json", by_alias=True, exclude={"workers", "out"})
    about = {"engine": fingerprint(), "over": dict(over), **how, "config": plan}
    if not (path / ABOUT.name).exists():
        refuse_full(path, "")
        path.mkdir(parents=True, exist_ok=True)
        ABOUT.write(path, about)
    known = ABOUT.read(path)
    if other := [key for key, value in about.items() if known.get(key) != value]:
        raise RunError(f"{path} has a sweep with another {' and another '.join(other)}; give the"
                       " same values to continue it, or another folder (--out)")
    if not (path / TRIALS).exists():
        return pd.DataFrame()
    return read_table(path / TRIALS, ("trial", "games", *SCORES), gaps=SCORES)


def _trial(optuna: Any, space: Mapping[str, Any], row: Mapping[Any, Any]) -> Any:
    """Return a stored trial as Optuna has it. Raises RunError."""
    failed = pd.isna(row["rate"])
    try:
        params = {key: next(choice for choice in values.choices
                            if choice == row[key] or str(choice) == str(row[key]))
                  if hasattr(values, "choices") else type(values.low)(row[key])
                  for key, values in space.items()}
        return optuna.trial.create_trial(
            params=params, distributions=dict(space), value=None if failed else float(row["rate"]),
            state=optuna.trial.TrialState.FAIL if failed else optuna.trial.TrialState.COMPLETE)
    except (KeyError, ValueError, TypeError, StopIteration) as error:
        raise RunError(f"{TRIALS} is damaged: trial {brief(row.get('trial'))} has no values of this"
                       " sweep") from error


def _finished(kind: type[Experiment[Any, Any]], plan: Any, path: Path, trust: bool) -> Any:
    """Return the finished run of a trial, after making or continuing it."""
    how = {"trust": trust} if kind is Run else {}
    run = kind(path) if path.exists() else kind.create(plan, path, **how)
    if not run.done:
        run._resume(None, None, None, (), False, **how)
    return run


def _write(path: Path, table: pd.DataFrame) -> None:
    text = io.StringIO()
    table.to_csv(text, index=False, lineterminator="\n")
    write_whole(path / TRIALS, text.getvalue().encode())


def _line(row: Mapping[str, Any], keys: Sequence[str]) -> str:
    """Return a trial in words."""
    values = ", ".join(f"{key}={row[key]:.4g}" if isinstance(row[key], float) else
                       f"{key}={row[key]}" for key in keys)
    if row["rate"] is None:
        return f"{folder(row['trial'])}: {values}: {row['error']}"
    return (f"{folder(row['trial'])}: {values}: {100 * row['rate']:.1f} %"
            f" ({100 * row['rate_low']:.1f} to {100 * row['rate_high']:.1f})")
