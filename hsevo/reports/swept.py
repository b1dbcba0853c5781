"""The report on folders of hsevo sweep: all trials, and how their values relate to the rates.

    folders --REPORT--> ReportSection, Answer --> page.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hsevo.errors import RunError
from hsevo.files import read_table
from hsevo.learning.sweeps import ABOUT, FINAL, SCORES, TRIALS, folder
from hsevo.pictures import COLOURS, Ends, picture, tip
from hsevo.reports.charts import whole_numbers
from hsevo.reports.exhibit import (
    Answer,
    Chapter,
    Drawn,
    ReportKind,
    each_titled,
    exhibit,
    percent,
)

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

MOST = 12  # panels of parameters


@dataclass(frozen=True)
class SweptTrials:
    """A sweep by its table. keys: that vary, with what they were drawn from, in Optuna's words."""

    path: Path
    against: str
    trials: pd.DataFrame
    keys: dict[str, str]

    @classmethod
    def open(cls, path: Path) -> SweptTrials:
        """Read a folder of hsevo sweep. Raises RunError."""
        about = ABOUT.read(path)
        over, against = about.get("over"), about.get("against")
        if not isinstance(over, dict) or not isinstance(against, str):
            raise RunError(f"{path / ABOUT.name} is damaged: it lacks the keys or the opponent")
        if not (path / TRIALS).exists():
            raise RunError(f"{path} has no trial yet; continue with hsevo sweep")
        trials = read_table(path / TRIALS, ("trial", "games", *SCORES), gaps=SCORES)
        if missing := [key for key in over if key not in trials]:
            raise RunError(f"{path / TRIALS} is damaged: it has no column {missing[0]}")
        if trials["rate"].isna().all():
            raise RunError(f"no trial of {path} could run, so there is nothing to report; see"
                           f" {TRIALS}")
        for name in (f"final_{name}" for name in FINAL):  # empty, or lacking, until it is done
            trials[name] = (pd.to_numeric(trials[name], errors="coerce")
                            if name in trials else np.nan)
        trials["error"] = trials["error"].astype(object).fillna("") if "error" in trials else ""
        return cls(path, against, trials, {key: str(kind) for key, kind in over.items()})

    @property
    def rated(self) -> pd.DataFrame:
        """The trials that could run."""
        return self.trials[self.trials["rate"].notna()]

    @property
    def best(self) -> Any:
        """Row of the best trial; of equal ones, the first."""
        return self.trials.iloc[int(self.trials["rate"].argmax())]

    def values(self, row: Any) -> str:
        """Return the values of a trial in words."""
        return ", ".join(f"{key} {_shown(row[key])}" for key in self.keys)


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@exhibit("trials", "Trials")
def _trials(sweep: SweptTrials) -> Drawn:
    ordered = sweep.trials.sort_values("rate", ascending=False, kind="stable")
    page = pd.DataFrame({"trial": ordered["trial"], **{
        key: [_shown(value) for value in ordered[key]] for key in sweep.keys}})
    page["games"] = ordered["games"]
    page["score, % (95 %)"] = [percent(row) for row in ordered.to_dict("records")]
    if (sweep.trials["error"] != "").any():
        page["error"] = ordered["error"]
    return Drawn((
        f"Score of each trial's agent against {sweep.against} (a win counts 1, a draw half) in the"
        " same games, with its 95 % interval. Orange: the best trial. Line: the best score so far."
        " The table has the best first."),
        sweep.trials, picture(lambda figure: _draw_trials(figure, sweep), 3.6), page)


def _draw_trials(figure: Figure, sweep: SweptTrials) -> None:
    axes = figure.subplots()
    rated = sweep.rated
    axes.step(rated["trial"], 100 * rated["rate"].cummax(), where="post", color=COLOURS[0],
              linewidth=0.9, alpha=0.6)
    trials = rated["trial"].to_numpy(float)
    _points(axes, trials, sweep, [(trial - 0.4, trial + 0.4) for trial in trials])
    axes.set_xlabel("trial")
    whole_numbers(axes.xaxis)


def _points(axes: Axes, places: Any, sweep: SweptTrials, spans: Sequence[Ends]) -> None:
    """Draw the scores of trials with their intervals, the best one in another colour.

    places: of the trials that ran, along the axis. spans: where each says its values.
    """
    rated, best = sweep.rated, int(sweep.best["trial"])
    for place, span, row in zip(places, spans, rated.to_dict("records"), strict=True):
        rate, low, high = (100 * row[name] for name in SCORES)
        colour = COLOURS[int(row["trial"] == best)]
        axes.vlines(place, low, high, color=colour, linewidth=1)
        axes.plot(place, rate, "o", color=colour, markersize=4)
        tip(axes, span, (low, high),
            f"{folder(int(row['trial']))}: {percent(row)} %; {sweep.values(row)}")
    axes.set_ylabel("score (%)")
    axes.grid(axis="y")


@exhibit("parameters", "Scores by the value of each key")
def _parameters(sweep: SweptTrials) -> Drawn:
    shown = [*sweep.keys][:MOST]
    rest = f" The figure has the first {MOST} keys." * (len(sweep.keys) > MOST)
    return Drawn((
        "A point is a trial, with the 95 % interval of its score. Other keys differ between trials,"
        f" so a trend in one panel may come from another key.{rest}"),
        sweep.rated[["trial", *sweep.keys, *SCORES]],
        picture(lambda figure: _draw_parameters(figure, sweep, shown),
                0.4 + 2.6 * -(-len(shown) // 2)))


def _draw_parameters(figure: Figure, sweep: SweptTrials, keys: list[str]) -> None:
    rows = -(-len(keys) // 2)
    panels = figure.subplots(rows, min(len(keys), 2), sharey=True, squeeze=False).ravel()
    for axes in panels[len(keys):]:
        axes.set_visible(False)
    for axes, key in zip(panels, keys, strict=False):
        _draw_parameter(axes, sweep, key)


def _draw_parameter(axes: Axes, sweep: SweptTrials, key: str) -> None:
    """Draw the scores by a key: a number of a range, or a listed value."""
    values, kind = sweep.rated[key], sweep.keys[key]
    if kind.startswith("Categorical") or not pd.api.types.is_numeric_dtype(values):
        names = sorted(dict.fromkeys(values), key=lambda value: (isinstance(value, str), value))
        places = np.array([names.index(value) for value in values], float)
        spans = [(place - 0.3, place + 0.3) for place in places]
        axes.set_xticks(range(len(names)), [_shown(name) for name in names])
    elif "log=True" in kind:
        places = values.to_numpy(float)
        spans = [(place * 0.98, place * 1.02) for place in places]
        axes.set_xscale("log", subs=[2, 5])
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter("{x:g}")
    else:
        places = values.to_numpy(float)
        half = 0.01 * (np.ptp(places) or 1)
        spans = [(place - half, place + half) for place in places]
    _points(axes, places, sweep, spans)
    axes.set_xlabel(key)


def _best(sweep: SweptTrials) -> Answer:
    """Return the best trial, its score in new games, and what to do next."""
    best, path = sweep.best, sweep.path
    trial = path / folder(int(best["trial"]))
    failed = len(sweep.trials) - len(sweep.rated)
    says = [f"The best of {len(sweep.rated)} trials that ran, with {sweep.values(best)}: it scored"
            f" {percent(best, unit=' %')} of {int(best['games']):,} games in the sweep. The best"
            " score of many is biased upwards."]
    if failed:
        says.append(f"{failed} more had values that do not go together.")
    rates = []
    if best[[f"final_{name}" for name in FINAL]].notna().all():
        rates = [(sweep.against, f"{percent(best, 'final_rate', ' %')} of"
                                 f" {int(best['final_games']):,} new games")]
    else:
        says.append("It has not played its new games yet; continue with hsevo sweep.")
    return Answer(trial.name, says, rates,
                  {key: _shown(best[key]) for key in sweep.keys},
                  [(f"hsevo report {quote(str(trial))}", "see the run of this trial")],
                  title="Best trial", shown=trial.name)


REPORT: ReportKind = ReportKind(
    "the sweep", SweptTrials.open,
    (Chapter("Sweep", (_trials, _parameters), each_titled, apart=True),),
    lambda data: [_best(sweep) for sweep in data.runs.values()])
