"""The bests of executions of several series in new games: box plots, tests, budgets.

    strength/bests.py --Rematch--> PLAYED_AGAIN      statistics --budgets(), warning()--> exhibits
"""

from __future__ import annotations

import warnings
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from hsevo.experiments.progress import duration
from hsevo.experiments.watching import spent
from hsevo.pictures import COLOURS, Picture, picture, tip
from hsevo.play.specs import short_names
from hsevo.reports import groups
from hsevo.reports.exhibit import Chapter, Drawn, Topic, exhibit, interval, meanings
from hsevo.reports.tables import KEY, Evolutions
from hsevo.types import Array

if TYPE_CHECKING:
    from hsevo.pictures import Figure

ALL = "mean over opponents"
EQUAL = 1.01  # times as many games: budgets that differ by less are the same
TESTS = ["opponent", "first", "second", "n_first", "n_second", "median_first", "median_second",
         "a12", "p_rank_sum", "difference", "low", "high", "p_welch"]


def keyed(data: Evolutions, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rates of bests (strength.bests.rates) with the series of each run."""
    return table.assign(series=table["run"].map(data.series))[
        [*KEY, *(name for name in table if name not in KEY)]]


def tests(table: pd.DataFrame) -> pd.DataFrame:
    """Compare the rates of every two series; a sample has one rate for each execution.

    table: KEY, opponent, rate. Columns TESTS: a12 is Vargha and Delaney's, of the first over the
    second; p_rank_sum is of Wilcoxon's rank-sum test (Mann and Whitney's U); difference is of the
    means, with Welch's 95 % interval and p. All tests are two-sided.
    """
    rows = []
    means = table.groupby(KEY, as_index=False, sort=False)["rate"].mean().assign(opponent=ALL)
    several = [means] if table["opponent"].nunique() > 1 else []
    whole = pd.concat([table, *several])
    for opponent, here in whole.groupby("opponent", sort=False):
        samples = {name: one["rate"].to_numpy() for name, one in here.groupby("series", sort=False)}
        for first, second in combinations(samples, 2):
            n, m, *medians, a12, p = groups.compare(samples[first], samples[second])
            rows.append((opponent, first, second, n, m, *medians, a12, p,
                         *welch(samples[first], samples[second])))
    return pd.DataFrame(rows, columns=TESTS)


def welch(first: Array, second: Array) -> tuple[float, float, float, float]:
    """Return the difference of the means, the ends of its 95 % interval, and p, by Welch's t.

    All but the difference are NaN if a sample has one value, or neither varies.
    """
    from scipy.stats import ttest_ind

    gap = float(first.mean() - second.mean())
    if min(len(first), len(second)) < 2 or np.ptp(first) == np.ptp(second) == 0:
        return gap, np.nan, np.nan, np.nan
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # one does not vary
        test = ttest_ind(first, second, equal_var=False)
    ends = test.confidence_interval(0.95)
    return gap, float(ends.low), float(ends.high), float(test.pvalue)


class Rematch(NamedTuple):
    """The rates of bests in new games, and the series in the order of their colours."""

    bests: pd.DataFrame
    series: list[str]

    @property
    def names(self) -> dict[str, str]:
        """The short names of the opponents."""
        return short_names(map(str, self.bests["opponent"]))


@exhibit("bests", "The best of each execution in new games")
def _rates(played: Rematch) -> Drawn:
    """Show the rates of bests as box plots."""
    each = " or ".join(f"{n:,}" for n in sorted({*played.bests["games"]}))
    return Drawn((
        f"Each played {each} games against each opponent, with the same deals for all; a draw"
        " counts half. It is the best by the fitness of the last generation, or of a map the one"
        " that was confirmed. These games chose nothing, so the rates are not biased. A dot is an"
        " execution; boxes: quartiles, with the median; whiskers: the farthest value within 1.5 box"
        " heights."), played.bests, _boxes(played.bests, played.series),
        terms=meanings(played.names))


@exhibit("bests-compared", "Tests of the differences")
def _tests(played: Rematch) -> Drawn | None:
    """Show the tests of differences between the rates of series."""
    if len(played.series) < 2:
        return None
    table, names = tests(played.bests), played.names
    page = pd.DataFrame([{
        "against": names.get(row["opponent"], row["opponent"]),
        "series": f"{row['first']} - {row['second']}",
        "executions": f"{row['n_first']} and {row['n_second']}",
        "medians, %": f"{100 * row['median_first']:.1f} and {100 * row['median_second']:.1f}",
        "A12": row["a12"], "p, rank-sum": _p(row["p_rank_sum"]),
        "difference of means, points": interval(
            (100 * row["difference"], 100 * row["low"], 100 * row["high"]), sign=True),
        "p, Welch": _p(row["p_welch"])} for row in table.to_dict("records")])
    least = max(2 / comb(n + m, n) for n, m in zip(table["n_first"], table["n_second"],
                                                   strict=True))
    few = (f" With so few executions the rank-sum test's p is at least {min(least, 1):.3f}."
           if least >= groups.ALPHA else "")
    return Drawn((
        "A sample has one rate for each execution. Wilcoxon's rank-sum test (Mann and Whitney's U),"
        " two-sided; A12 (Vargha and Delaney): how often an execution of the first series has a"
        " higher rate than one of the second, a tie counting half (0.5: no difference). The"
        " difference of the means has Welch's 95 % interval and test. All executions play the same"
        " deals, whose luck these intervals don't cover. p is not corrected for the number of tests"
        f" ({len(table)}).{few}"), table, on_page=page)


def _p(p: float) -> str:
    return "" if p != p else f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"


def _boxes(bests: pd.DataFrame, series: list[str]) -> Picture:
    opponents = list(dict.fromkeys(map(str, bests["opponent"])))
    names = short_names(opponents)

    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(opponents), 1, sharex=True, squeeze=False)[:, 0]
        for axes, opponent in zip(panels, opponents, strict=True):
            here = bests[bests["opponent"] == opponent]
            for i, name in enumerate(series):
                rates = 100 * here["rate"][here["series"] == name]
                axes.boxplot([rates], positions=[i], widths=0.5, showfliers=False,
                             medianprops={"color": COLOURS[i]})
                axes.plot(i + np.linspace(-0.12, 0.12, len(rates)), rates, "o", markersize=4,
                          color=COLOURS[i])
                tip(axes, (i - 0.4, i + 0.4), None, f"{name}, against {names[opponent]}: "
                    + ", ".join(f"{rate:.1f} %" for rate in rates))
            axes.set_title(f"against {names[opponent]}", loc="left")
            axes.set_ylabel("score (%)")
            axes.grid(axis="y")
            axes.set_xticks(range(len(series)), series)

    return picture(draw, 0.8 + 2.3 * len(opponents))


def budgets(data: Evolutions) -> pd.DataFrame:
    """Return what an execution of each series cost, on average.

    Columns series, executions, generations, games (of fitness), reference_games, seconds (NaN where
    a log does not say them).
    """
    lines = data.statistics.groupby(KEY, sort=False).agg(
        generations=("generation", "count"), games=("games", "sum")).reset_index()
    measured: dict[Any, int] = (data.references.groupby(KEY)["games"].sum().to_dict()
                                if len(data.references) else {})
    lines["reference_games"] = [int(measured.get(tuple(key), 0))
                                for key in lines[KEY].itertuples(index=False)]
    table = lines.groupby("series", sort=False)[["generations", "games", "reference_games"]].mean()
    counts = lines.groupby("series", sort=False).size()
    times = {name: sum(spent(run.path) for label, run in data.runs.items()
                       if data.series[label] == name) for name in data.names}
    return table.assign(executions=counts, seconds=[times[name] / counts[name] or np.nan
                                                    for name in table.index]).reset_index()[
        ["series", "executions", "generations", "games", "reference_games", "seconds"]]


def warning(data: Evolutions) -> str:
    """Return a warning if the executions of some series had more games than those of others."""
    table = budgets(data)
    games = dict(zip(table["series"], table["games"], strict=True))
    most, least = max(games, key=games.__getitem__), min(games, key=games.__getitem__)
    if games[most] <= EQUAL * games[least]:
        return ""
    return (f"Budgets differ: an execution of {most} had {games[most] / games[least]:.2f} times the"
            f" games of fitness of one of {least}. Differences may be due to that.")


@exhibit("budgets", "Budgets")
def of_budgets(data: Evolutions) -> Drawn:
    """Show the budgets of the series side by side."""
    table = budgets(data)
    page = pd.DataFrame({
        "series": table["series"], "executions": table["executions"],
        "generations": [f"{n:,.4g}" for n in table["generations"]],
        "games of fitness": [f"{n:,.0f}" for n in table["games"]],
        "games against references": [f"{n:,.0f}" for n in table["reference_games"]],
        "duration": [duration(n) if n == n else "not recorded" for n in table["seconds"]]})
    return Drawn((
        "What an execution had, on average over those of its series. Durations are of the machines"
        " on which the runs were made, and include the games against references."),
        table, on_page=page)


PLAYED_AGAIN: Chapter = Chapter(
    "Bests in new games", (_rates, _tests), lambda report: [] if report.bests is None else [
        Topic(Rematch(report.bests, report.names))])
