"""Experiments compared: where settings differ, their results, their bests in new games.

    runs --settings()--> what differs          population --weights()--> rank-sum tests
    statistics, references --per_execution()--> one number an execution --measures()--> intervals
    strength/bests.py --Rematch--> PLAYED_AGAIN    statistics --budgets(), warning()--> exhibits
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from hsevo.experiments.progress import duration
from hsevo.experiments.watching import spent
from hsevo.pictures import COLOURS, Picture, picture, tip
from hsevo.play.specs import short_names
from hsevo.reports import groups, rated, tables
from hsevo.reports.exhibit import Chapter, Drawn, Topic, exhibit, interval, meanings
from hsevo.reports.tables import KEY, Evolutions
from hsevo.runs.folder import RunFolder
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
        samples = {name: own["rate"].to_numpy() for name, own in here.groupby("series", sort=False)}
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


@exhibit("bests", "Best individual of each execution in new games")
def _rates(played: Rematch) -> Drawn:
    """Show the rates of bests as box plots."""
    each = " or ".join(f"{n:,}" for n in sorted({*played.bests["games"]}))
    return Drawn((
        f"Each played {each} games against each opponent, with the same shuffles for all; a draw"
        " counts half. The best individual has the highest fitness of the last generation; of a"
        " map, it is the confirmed elite. These games were not used for selection, so the rates"
        " are not biased. A dot is an execution; boxes: quartiles, with the median; whiskers: the"
        " farthest value within 1.5 box"
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
        "A12": row["a12"], "p, rank-sum": _p_value(row["p_rank_sum"]),
        "difference of means, points": interval(
            (100 * row["difference"], 100 * row["low"], 100 * row["high"]), sign=True),
        "p, Welch": _p_value(row["p_welch"])} for row in table.to_dict("records")])
    least = max(2 / comb(n + m, n) for n, m in zip(table["n_first"], table["n_second"],
                                                   strict=True))
    few = (f" With so few executions, p of the rank-sum test is at least {min(least, 1):.3f}."
           if least >= groups.ALPHA else "")
    return Drawn((
        "A sample has one rate for each execution. Wilcoxon's rank-sum test (Mann and Whitney's"
        " U), two-sided; A12 (Vargha and Delaney): how often an execution of the first series has"
        " a higher rate than one of the second, a tie counting half (0.5: no difference). The"
        " difference of the means has Welch's 95 % interval and test. All executions play the same"
        " shuffles; the intervals don't cover their luck. p is not corrected for the number of"
        f" tests ({len(table)}).{few}"), table, on_page=page)


def _p_value(p: float) -> str:
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
    return (f"Budgets differ: an execution of {most} had {games[most] / games[least]:.2f} times as"
            f" many fitness games as an execution of {least}. This may explain differences.")


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
        "Mean over the executions of each series. Durations depend on the machines on which the"
        " runs were made, and include the games against references."),
        table, on_page=page)


PLAYED_AGAIN: Chapter = Chapter(
    "Best individuals in new"
    " games", (_rates, _tests), lambda report: [] if report.bests is None else [
        Topic(Rematch(report.bests, report.names))])


NO_RESULT = {"name", "out", "workers"}  # settings that change no result
LONG = 40  # characters of a setting on the page
ENOUGH = 5  # executions, of which the medians alone make a rank-sum test: its p can be 0.008
AGAINST = "rate against "
# Measures: the name of each on the page, its unit, and its decimals.
SHOWN = {"generations": ("generations", 1, 1), "games": ("games", 1, 0),
        "best_rate": ("best of the last generation, win rate, %", 100, 1),
        "sigma": ("mean sigma, last generation", 1, 3),
        "newcomers": ("newcomers a generation *", 1, 2)}
PLANNED = ("generations", "games")  # are no outcome, and have no interval
APART = (*PLANNED, "best_rate")  # a difference of these means nothing
BY_EXECUTIONS, BY_GAMES, BY_WELCH = "over executions (Student's t)", "of games", "Welch's t"


def settings(data: Evolutions) -> pd.DataFrame:
    """Return the settings in which series differ: setting, series, value, a row for each of both.

    setting: a dotted key, as --set takes it; engine; or the cards of a deck that all have.
    value: as in JSON, and "null" for parts that a run does not have. Runs of one series may differ
    in their seed, executions and references: then it holds all values, separated by semicolons.
    """
    flat = {label: _flat(run) for label, run in data.runs.items()}
    shared = set.intersection(*({deck["name"] for deck in run.about["decks"]}
                                for run in data.runs.values()))
    for label, run in data.runs.items():
        flat[label] |= {f"cards of {deck['name']}": _said(deck) for deck in run.about["decks"]
                        if deck["name"] in shared}
    rows = []
    for key in _leaves(flat.values()):
        values: dict[str, list[str]] = {}
        for label, series in data.series.items():
            values.setdefault(series, []).append(flat[label].get(key, "null"))
        joined = {series: "; ".join(dict.fromkeys(all_)) for series, all_ in values.items()}
        if len(set(joined.values())) > 1:
            rows += [(key, series, joined[series]) for series in data.names]
    return pd.DataFrame(rows, columns=["setting", "series", "value"])


def per_execution(data: Evolutions) -> pd.DataFrame:
    """Return one number an execution and measure: KEY, measure, value, low, high.

    Measures: those of SHOWN, and AGAINST with a reference opponent. The second half is from
    the generation on that is half of the execution's last. low and high: of a rate against an
    opponent, the mean ends of the 95 % intervals of its measurements. They are of the same deals,
    so that the interval of their mean can be as wide, and is not wider.
    """
    lines = data.statistics.groupby(KEY, sort=False)
    last = lines.tail(1).set_index(KEY)
    later = _second_half(data.statistics, data)
    later = later[later["generation"] > 0]  # all of generation 0 are new
    wide = pd.DataFrame({
        "generations": last["generation"] + 1, "games": lines["games"].sum(),
        "best_rate": tables.overview(data).set_index(KEY)["rate"], "sigma": last["mean_sigma"],
        "newcomers": later.groupby(KEY)["new"].mean()})
    plain = wide.loc[last.index].reset_index().melt(KEY, var_name="measure")
    rates = _second_half(data.references, data).groupby([*KEY, "opponent"], sort=False)[
        ["rate", "rate_low", "rate_high"]].mean().reset_index()
    rates["measure"] = AGAINST + rates["opponent"].astype(str)
    rates = rates.rename(columns={"rate": "value", "rate_low": "low", "rate_high": "high"})
    parts = [plain.assign(low=np.nan, high=np.nan), rates]
    table = pd.concat([part for part in parts if len(part)], ignore_index=True)
    return table[[*KEY, "measure", "value", "low", "high"]].dropna(subset="value")


def measures(data: Evolutions) -> pd.DataFrame:
    """Return the mean of each measure over the executions of each series, and differences.

    Columns measure, series, executions, value, low, high, interval: what the 95 % interval is of,
    or "" if there is none; that of games holds no luck of the evolution. If there are two series,
    with two executions of each at least, a row with the series "FIRST - SECOND" holds their
    difference, with Welch's interval.
    """
    rows = []
    for measure, here in per_execution(data).groupby("measure", sort=False):
        samples = {name: here[here["series"] == name] for name in data.names}
        rows += [(measure, name, *_mean(sample)) for name, sample in samples.items()
                 if len(sample)]
        if (len(samples) == 2 and measure not in APART
                and min(len(sample) for sample in samples.values()) > 1):
            both = (sample["value"].to_numpy() for sample in samples.values())
            rows.append((measure, " - ".join(samples), len(here), *welch(*both)[:3],
                         BY_WELCH))
    return pd.DataFrame(rows, columns=["measure", "series", "executions", "value", "low", "high",
                                       "interval"])


def weights(data: Evolutions) -> pd.DataFrame:
    """Compare each of the weights of the last populations of two series.

    A sample is the medians of its executions, if each has ENOUGH, else all individuals. Columns
    weight, n_first, n_second, median_first, median_second, superiority, p (groups.compare),
    p_adjusted: Benjamini and Hochberg's over all weights.
    """
    from scipy.stats import false_discovery_control

    names = list(data.genome.names)
    people = data.last()[[*KEY, *names]]
    if by_medians(data):
        people = people.groupby(KEY, as_index=False)[names].median()
    first, second = (people[people["series"] == name] for name in data.names)
    table = pd.DataFrame([(name, *groups.compare(first[name], second[name])) for name in names],
                         columns=["weight", "n_first", "n_second", "median_first",
                                  "median_second", "superiority", "p"])
    return table.assign(p_adjusted=false_discovery_control(table["p"]))


def by_medians(data: Evolutions) -> bool:
    """Return whether `weights` compares medians of executions: each series has ENOUGH of them."""
    executions = data.statistics[KEY].drop_duplicates()
    return bool(executions.groupby("series").size().min() >= ENOUGH)


def _flat(run: RunFolder) -> dict[str, str]:
    """Return the settings of a run that results can depend on, by dotted keys, and its engine."""
    tree = run.config.model_dump(mode="json", by_alias=True, exclude=NO_RESULT)
    tree["decks"] = [deck["name"] for deck in run.about["decks"]]  # wherever their files were
    return dict(_leaf("", tree)) | {"engine": _said(run.about.get("engine"))}


def _leaf(key: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaf(f"{key}.{name}" if key else name, part)
    else:
        yield key, _said(value)


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _leaves(flat: Iterable[Mapping[str, str]]) -> list[str]:
    """Return all keys in order, except keys that are a section elsewhere: "rating.racing"."""
    keys = list(dict.fromkeys(key for section in flat for key in section))
    return [key for key in keys if not any(longer.startswith(f"{key}.") for longer in keys)]


def _second_half(table: pd.DataFrame, data: Evolutions) -> pd.DataFrame:
    """Return the lines from the generation on that is half of their execution's last."""
    last = data.statistics.groupby(KEY)["generation"].max().rename("last").reset_index()
    half = table.merge(last, on=KEY, how="left")
    return half[half["generation"] >= half["last"] / 2]


def _mean(sample: pd.DataFrame) -> tuple[int, float, float, float, str]:
    """Return executions, value, low, high, interval of a measure's lines of one series."""
    band = tables.mean_band(sample, ["measure"], "value").iloc[0]
    n, value = int(band["executions"]), float(band["mean"])
    if band["measure"] in PLANNED:
        return n, value, np.nan, np.nan, ""
    if n > 1:
        ends = [float(band["low"]), float(band["high"])]
        if _shown(str(band["measure"]))[1] == 100:  # Student's t knows no 0 and 100 %
            ends = [min(max(end, 0.0), 1.0) for end in ends]
        return n, value, ends[0], ends[1], BY_EXECUTIONS
    low, high = (float(sample[end].iloc[0]) for end in ("low", "high"))
    return n, value, low, high, "" if np.isnan(low) else BY_GAMES


@exhibit("settings", "What differs")
def _settings(data: Evolutions) -> Drawn:
    table = settings(data)
    wide = table.assign(value=[_cut(value) for value in table["value"]]).pivot(
        index="setting", columns="series", values="value")
    wide = wide.loc[table["setting"].unique(), data.names].rename_axis(columns=None)
    return Drawn((
        "The settings in which the series differ, by the keys that hsevo evolve --set takes; null:"
        " not set. Where runs of one series differ in seed, executions or references, all values"
        " are listed. Long values are cut here, but not in the table."), table,
        on_page=wide.reset_index())


@exhibit("side-by-side", "Outcomes")
def _measures(data: Evolutions) -> Drawn:
    table, page = measures(data), []
    names = short_names(map(str, data.references["opponent"]))
    against = {AGAINST + spec: AGAINST + name for spec, name in names.items()}
    for measure, here in table.groupby("measure", sort=False):
        words, times, digits = _shown(against.get(str(measure), str(measure)))
        if measure in PLANNED and (here["value"] % 1 == 0).all():
            digits = 0
        cells = {row["series"]: interval(
            (times * row["value"], times * row["low"], times * row["high"]),
            row["interval"] == BY_WELCH, digits) for row in here.to_dict("records")}
        page.append({"mean over executions": words} | cells)
    columns = ["mean over executions", *dict.fromkeys([*data.names, *table["series"]])]
    fixed = not any(rated.relative(run.config.rating) for run in data.runs.values())
    counts = data.statistics[KEY].drop_duplicates().groupby("series", sort=False).size()
    said = ", ".join(f"{count} of {name}" for name, count in counts.items())
    return Drawn(f"Executions: {said}. {_about(table, fixed)}", table,
                 on_page=pd.DataFrame(page).reindex(columns=columns).fillna(""),
                 terms=meanings(names))


def _about(table: pd.DataFrame, fixed: bool) -> str:
    """Return what the numbers of `measures` are, and what their intervals cover.

    fixed: whether all individuals met fixed opponents alone.
    """
    kinds = set(table["interval"])
    said = ["Games are fitness games, without the games against the external reference opponents. "
            "*: average over the second half of each execution's generations. The best of the last"
            " generation was selected by its rate, so this rate is biased upwards"
            + ("." if fixed else ". Its opponents come from its own execution, so these rates"
               " can't be compared.")]
    measured = any(name.startswith(AGAINST) for name in table["measure"])
    if measured:
        said.append("Rates: the best individual of each generation against the external reference"
                    " opponents; a draw is half a win.")
    if BY_EXECUTIONS in kinds:
        said.append("Intervals are 95 %, over executions (Student's t)."
                    + " Executions of one seed are measured with the same shuffles; the intervals"
                      " don't cover their luck." * measured)
    if BY_GAMES in kinds:
        said.append("A rate of a single execution has the mean interval of its measurements (95"
                    " %): it covers the luck of these games, not the variation between executions.")
    said.append("The difference has Welch's 95 % interval, over executions." if BY_WELCH in kinds
                else "Differences have no interval here, which needs two series with two"
                " executions each.")
    return " ".join(said)


@exhibit("weights-compared", "Weights compared")
def _weights(data: Evolutions) -> Drawn | None:
    if len(data.names) != 2:
        return None
    table, (first, second) = weights(data), data.names
    if by_medians(data):
        sample = ("A sample has one median for each execution's last population, because"
                  " individuals of one execution are related.")
    else:
        sample = ("A sample has all individuals of the last populations. Individuals of one"
                  " execution are related and not independent, so p is far too small: it compares"
                  f" two populations, not two algorithms. With {ENOUGH} executions of each series,"
                  " hsevo compares their medians.")
    significant, corrected = (int((table[name] < groups.ALPHA).sum())
                              for name in ("p", "p_adjusted"))
    return Drawn((
        f"The last populations of {first} (n = {table['n_first'][0]}) and {second} (n = "
        f"{table['n_second'][0]}), by Wilcoxon's rank-sum test of each weight, two-sided. {sample}"
        " Superiority: how often a value of the first sample is above a value of the second (0.5:"
        f" no difference). p < {groups.ALPHA:g} in {significant} of {len(table)} tests, and in"
        f" {corrected} after Benjamini and Hochberg's correction for their number."), table,
        on_page=pd.DataFrame({
            "weight": table["weight"], f"median of {first}": table["median_first"],
            f"median of {second}": table["median_second"], "superiority": table["superiority"],
            "p": [_p(p) for p in table["p"]], "p adjusted": [_p(p) for p in table["p_adjusted"]]}),
        terms=dict(data.genome.glossary))


def _shown(measure: str) -> tuple[str, float, int]:
    """Return the name of a measure on the page, its factor (1 or 100), and its decimals."""
    if measure.startswith(AGAINST):
        return f"{measure} *, %", 100, 1
    return SHOWN[measure]


def _p(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"


def _cut(value: str) -> str:
    return value if len(value) <= LONG else f"{value[:LONG - 2]} …"


def _several(data: Evolutions) -> list[Topic]:
    """Return the runs, if they are several series."""
    return [Topic(data)] if len(data.names) > 1 else []


def _note(data: Evolutions) -> str:
    few = ("" if len(data.names) == 2 else
           "Differences and weights are compared for two series: give the runs of two series.")
    return " ".join(filter(None, [warning(data), few]))


SIDE_BY_SIDE: Chapter = Chapter(
    "Side by side", (_settings, of_budgets, _measures, _weights), _several, note=_note)
