"""Pictures of runs, drawn from tidy tables: boxes, bands and lines by generation or period.

Of evolution: by generation, a colour a series of executions. Of learning: by period, a colour a
series of runs; and all checkpoints against all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.pictures import COLOURS, INK, Picture, picture, tip, wins_of
from hsevo.play.specs import short_names
from hsevo.reports.tables import mean_band

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

BOXES = 21  # by generation, at most: more can't be distinguished
GENERATION = "generation"
SHOWN = {"field": "everyone rated", "parents": "parents only"}  # of noise.noise
TIPS = 40  # parts of a panel that say their numbers, at most
NARROW = 0.5  # where the least is more than this share of the most, an axis does not begin at 0
PERIOD = "period"
MOST_LOGGED = 8  # panels of numbers that an own strategy logs
WRITTEN = 10  # checkpoints in a matrix, at most, for numbers in its cells
NAMED = 20  # names next to a matrix, at most
LEAST = 0.2  # per cent above and below the rates of learning, at least
ASIDE = 0.1  # periods between two series in a figure of rates
BLACK = "#000000"  # on a cell, whose colour is light on every page


def boxes_by_generation(table: pd.DataFrame, series: Sequence[str], value: str, label: str,
                        most: dict[str, dict[int, int]] | None = None,
                        counted: bool = True) -> Picture:
    """Draw box plots of `value` by generation, a panel a series.

    table: columns series, generation and `value`. most: for each series, the highest possible value
    of each generation, as a dashed line; in words if it is far above. counted: values are counts or
    per cent, so that their axis has whole numbers from 0 on.
    """
    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(series), 1, squeeze=False)[:, 0]
        for axes, (name, here, colour) in zip(panels, _each(table, series), strict=True):
            shown = _thinned(here[GENERATION].unique())
            width = 0.6 * min(np.diff(shown), default=1)
            samples = [here[value][here[GENERATION] == number] for number in shown]
            _boxes(axes, samples, shown, width, colour)
            _tip_generations(axes, here, lambda rows: spread(rows[value]))
            drawn = here[here[GENERATION].isin(shown)][[GENERATION, value]]
            if counted:
                _limit(axes, drawn, (most or {}).get(name, {}))
                whole_numbers(axes.yaxis)
            if len(series) > 1:
                axes.set_title(name, loc="left")
            _by_step(axes, GENERATION, label)

    return picture(draw, 0.6 + 2.9 * len(series))


def _limit(axes: Axes, table: pd.DataFrame, limits: dict[int, int]) -> None:
    """Fit an axis to its values; from 0, unless they lie in a narrow band. limits: see above.

    table: generation and value. Generations that could not reach as much (the first, which has
    fewer opponents) don't widen a narrow band: they are written at its foot.
    """
    ends = list(limits.values())
    full = table[GENERATION].map(limits) == max(ends) if ends else table[GENERATION] >= 0
    low, high = axis_range(table[full].iloc[:, 1].min(), table[full].iloc[:, 1].max())
    below = table[~full & (table.iloc[:, 1] < low)]
    if low > 0 and len(below):
        medians = below.groupby(GENERATION).median().iloc[:, 0]
        axes.text(0.01, 0.02, "\n".join(f"↓ generation {number}: median {median:,.0f}" for
                                        number, median in list(medians.items())[:3]),
                  transform=axes.transAxes, fontsize=9, color=INK)
    if ends and low > 0 and max(ends) > high + (high - low):
        axes.text(1, 1.02, f"highest possible: {max(ends):,}", transform=axes.transAxes,
                  ha="right", va="bottom", fontsize=9, color=INK)
    elif ends:
        edges = [number - 0.5 for number in [*limits, max(limits) + 1]]
        seen = np.where(np.array(ends) < low, np.nan, ends)  # no upright line through the words
        axes.stairs(seen, edges, baseline=None, linestyle="--", color=INK, linewidth=0.9)
        high = max(high, 1.03 * max(ends))
    axes.set_ylim(low, high)


def axis_range(least: float, most: float) -> tuple[float, float]:
    """Return the ends of an axis for values >= 0: from 0, unless they lie in a narrow band."""
    if least <= NARROW * most:
        return 0.0, max(1.0, 1.05 * most)
    margin = max(0.08 * (most - least), 0.5)
    return least - margin, most + margin


def spread(values: pd.Series) -> str:
    """Return a sample in words: median, quartiles, ends, size."""
    least, low, middle, high, most = (f"{float(end):,.4g}" if abs(float(end)) < 1000 else
                                      f"{float(end):,.0f}"
                                      for end in values.quantile([0, 0.25, 0.5, 0.75, 1]))
    return (f"median {middle}, quartiles {low} to {high},\nlowest {least}, highest {most},"
            f" n = {len(values)}")


def _tip_steps(axes: Axes, table: pd.DataFrame, step: str, words: Callable[[Any], str],
               most: int | None = None) -> None:
    """Give steps tooltips with their rows of the table.

    step: its column, "generation" or "period". most: tooltips, for which steps are left out.
    """
    numbers = sorted(int(number) for number in table[step].unique())
    apart = -(-len(numbers) // most) if most and numbers else 1
    groups = dict(list(table[table[step].isin(numbers[::apart])].groupby(step)))
    for number in numbers[::apart]:
        tip(axes, (number - apart / 2, number + apart / 2), None,
            f"{step} {number}:{words(groups[number])}")


def _tip_generations(axes: Axes, table: pd.DataFrame, words: Callable[[Any], str]) -> None:
    """Give generations tooltips with their rows of the table."""
    _tip_steps(axes, table, GENERATION, lambda here: f" {words(here)}", TIPS)


def _tip_series(axes: Axes, table: pd.DataFrame, value: str, series: Sequence[str]) -> None:
    """Give generations tooltips with the mean of a value, of each series."""
    def words(here: pd.DataFrame) -> str:
        if len(series) == 1:
            return f"{here[value].iloc[0]:.4g}"
        return "".join(f"\n{name}: {mean:.4g}" for name, mean in
                       zip(here["series"], here[value], strict=True))

    means = table.groupby([GENERATION, "series"], as_index=False, sort=False)[[value]].mean()
    _tip_generations(axes, means, words)


def boxes_of(columns: Sequence[tuple[str, str]], table: pd.DataFrame, series: Sequence[str],
             label: str) -> Picture:
    """Draw a box plot of every column side by side, a colour a series.

    columns: (column, label).
    """
    def draw(figure: Figure) -> None:
        axes, width = figure.subplots(), 0.7 / len(series)
        for i, (name, here, colour) in enumerate(_each(table, series)):
            places = np.arange(len(columns)) + (i - (len(series) - 1) / 2) * width
            _boxes(axes, [here[column] for column, _ in columns], places, 0.85 * width, colour)
            for place, (column, said) in zip(places, columns, strict=True):
                tip(axes, (place - width / 2, place + width / 2), None,
                    f"{said}{f', {name}' if len(series) > 1 else ''}: {spread(here[column])}")
        axes.set_xticks(range(len(columns)), [said for _, said in columns],
                        rotation=90 if len(columns) > 10 else 0)
        axes.set_ylim(top=max(1, table[[column for column, _ in columns]].to_numpy().max()) * 1.04)
        axes.set_ylabel(label)
        if all(pd.api.types.is_integer_dtype(table[column]) for column, _ in columns):
            whole_numbers(axes.yaxis)
        axes.grid(axis="y")
        name_series(figure, series)

    return picture(draw, 3.4 + 0.25 * len(series))


def bands(table: pd.DataFrame, series: Sequence[str], middle: str, label: str) -> Picture:
    """Draw a line by generation with the band low to high, a colour a series.

    A band is cut at 2.5 times the highest line: the interval of two executions may be huge.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for _, here, colour in _each(table, series):
            axes.fill_between(here[GENERATION], here["low"], here["high"], color=colour, alpha=0.25,
                              linewidth=0)
            _line(axes, here, middle, color=colour)
        _by_step(axes, GENERATION, label)
        _tip_series(axes, table, middle, series)
        highest = table[[middle, "high"]].max().max()
        axes.set_ylim(0, 1.05 * (min(highest, 2.5 * table[middle].max()) or 1))
        name_series(figure, series)

    return picture(draw, 3.4 + 0.25 * len(series))


def cma_states(table: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw the step size and the axis ratio of CMA-ES by generation, on logarithmic axes.

    table: `tables.cma_states`.
    """
    def draw(figure: Figure) -> None:
        panels = figure.subplots(2, 1, sharex=True)
        for axes, (column, label) in zip(panels, (("sigma", "sigma"), ("axis_ratio", "axis ratio")),
                                         strict=True):
            for _, here, colour in _each(table, series):
                _mean_of_runs(axes, here, column, colour)
            _tip_series(axes, table, column, series)
            axes.set_yscale("log", subs=[2, 5])
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_minor_formatter("{x:g}")
            _by_step(axes, GENERATION, label, last=axes is panels[-1])
        name_series(figure, series)

    return picture(draw, 4.8 + 0.25 * len(series))


def logged(table: pd.DataFrame, series: Sequence[str], names: Sequence[str]) -> Picture:
    """Draw numbers by generation, a panel each. table: `tables.logged`, with these names."""
    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
        for axes, name in zip(panels, names, strict=True):
            here = table[table[name].notna()]
            for _, rows, colour in _each(here, series):
                _mean_of_runs(axes, rows, name, colour)
            _tip_series(axes, here, name, series)
            _by_step(axes, GENERATION, name, last=axes is panels[-1])
        name_series(figure, series)

    return picture(draw, 0.6 + 2.0 * len(names) + 0.25 * len(series))


def luck(table: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw `noise.share` as standard deviations: a panel each for the field and the parents."""
    def draw(figure: Figure) -> None:
        kinds = [kind for kind in SHOWN if kind in set(table["who"])]
        panels = figure.subplots(len(kinds), 1, sharex=True, squeeze=False)[:, 0]
        for axes, kind in zip(panels, kinds, strict=True):
            for _, here, colour in _each(table[table["who"] == kind], series):
                for column, style in (("observed", "-"), ("noise", "--")):
                    shown: pd.DataFrame = here.assign(points=100 * np.sqrt(here[column]))
                    _line(axes, shown, "points", style, color=colour)
            _tip_generations(axes, table[table["who"] == kind], _luck_words)
            axes.set_title(SHOWN[kind], loc="left")
            if (table.loc[table["who"] == kind, ["observed", "noise"]] > 0).any(axis=None):
                axes.set_yscale("log", subs=[2, 5])
                axes.yaxis.set_major_formatter("{x:g}")
                axes.yaxis.set_minor_formatter("{x:g}")
            _by_step(axes, GENERATION, "SD of win rates (points)", last=axes is panels[-1])
        styles = [panels[0].plot([], [], style, color=INK, label=said)[0] for style, said in (
            ("-", "observed"), ("--", "by luck alone"))]
        name_series(figure, series, styles)

    return picture(draw, 1.0 + 2.4 * table["who"].nunique() + 0.25 * len(series))


def _luck_words(here: pd.DataFrame) -> str:
    return "; ".join(f"{row['series']}: {100 * row['observed'] ** 0.5:.2f} points, by luck alone"
                     + (f" {100 * row['noise'] ** 0.5:.2f}" if row["noise"] >= 0 else " unknown")
                     for row in here.to_dict("records"))


def champion_weights(table: pd.DataFrame, series: Sequence[str], genome: Genome) -> Picture:
    """Draw each of the weights of the best by generation: thin, an execution; thick, the mean.

    table: `tables.champions`.
    """
    ticks, rows = [genome.at(share) for share in (0, 0.5, 1)], -(-genome.size // 3)

    def draw(figure: Figure) -> None:
        panels = weight_panels(figure, genome, sharex=True, sharey=genome.unit)
        for i, (axes, name) in enumerate(zip(panels, genome.names, strict=True)):
            for _, here, colour in _each(table, series):
                _mean_of_runs(axes, here, name, colour)
            _tip_series(axes, table, name, series)
            title_weight(axes, name)
            axes.set_ylim(genome.at(-0.05)[i], genome.at(1.05)[i])
            axes.set_yticks([tick[i] for tick in ticks])
            axes.grid()
        for axes in panels[-3:]:
            axes.set_xlabel(GENERATION)
            _whole_steps(axes)
        figure.supylabel("weight of the best individual", fontsize="medium")
        name_series(figure, series)

    return picture(draw, max(9.0 * rows / 7, 3.0))


def weight_panels(figure: Figure, genome: Genome, sharex: bool, sharey: bool) -> list[Axes]:
    """Return a panel for each weight of a genome, three in a row."""
    panels = figure.subplots(-(-genome.size // 3), 3, sharex=sharex, sharey=sharey,
                             squeeze=False).ravel()
    for spare in panels[genome.size:]:
        spare.set_visible(False)
    return list(panels[:genome.size])


def title_weight(axes: Axes, name: str) -> None:
    """Write the name of a weight over its panel, a long one smaller."""
    axes.set_title(name, loc="left", pad=2, fontsize="small" if len(name) > 9 else None)


def progress(table: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw the best's win rate against each opponent by generation, with intervals.

    table: KEY, generation, opponent, rate, rate_low, rate_high (0 to 1). A series with one
    execution has its intervals as bars; of several, each is a thin line, and their mean a thick one
    with its band over executions, cut where the points and their intervals end.
    """
    points = table.assign(**{end: 100 * table[end] for end in ("rate", "rate_low", "rate_high")})

    def panel(axes: Axes, opponent: str, last: bool) -> None:
        met = points[points["opponent"] == opponent]
        for _, here, colour in _each(met, series):
            _mean_of_runs(axes, here, "rate", colour)
            if here[GENERATION].is_unique:
                axes.vlines(here[GENERATION], here["rate_low"], here["rate_high"], color=colour)
                axes.plot(here[GENERATION], here["rate"], "o", markersize=3.5, color=colour)
            else:
                band = mean_band(here, [GENERATION], "rate")
                axes.fill_between(band[GENERATION], band["low"], band["high"], color=colour,
                                  alpha=0.2, linewidth=0)
        _tip_generations(axes, met, _score_words)
        _fit(axes, met["rate_low"].min(), met["rate_high"].max())
        _by_step(axes, GENERATION, "score (%)", last)

    return _against_each(points, series, panel)


def progress_by_games(table: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw the best's win rate against each opponent by the games that were played until then.

    table: KEY, generation, games_played, opponent, rate (0 to 1).
    """
    def panel(axes: Axes, opponent: str, last: bool) -> None:
        here = table[table["opponent"] == opponent].assign(score=lambda rows: 100 * rows["rate"])
        for _, own, colour in _each(here, series):
            runs = [run for _, run in own.groupby(["run", "execution"], sort=False)]
            for run in runs if len(runs) > 1 else []:
                axes.plot(run["games_played"], run["score"], color=colour, linewidth=0.8,
                          alpha=0.35)
            mean = own.groupby(GENERATION)[["games_played", "score"]].mean()
            axes.plot(mean["games_played"], mean["score"], "o-", markersize=3.5, color=colour)
        axes.set_ylabel("score (%)")
        axes.grid(axis="y")
        if last:
            axes.set_xlabel("fitness games played")
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.locator_params(axis="x", nbins=4)  # such numbers are wide

    return _against_each(table, series, panel)


def _score_words(here: pd.DataFrame) -> str:
    return "".join(f"\n{row['run']}, execution {row['execution']}: {row['rate']:.1f} %"
                   f" ({row['rate_low']:.1f} to {row['rate_high']:.1f})"
                   for row in here.to_dict("records"))


def _each(table: pd.DataFrame, series: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame, str]]:
    """Yield the name, rows and colour of each series in the table; colours follow `series`."""
    for i, name in enumerate(series):
        here = table[table["series"] == name]
        if len(here):
            yield name, here, COLOURS[i]


def _mean_of_runs(axes: Axes, here: pd.DataFrame, value: str, colour: str) -> None:
    """Draw each execution as a thin line if there are several, and their mean as a thick one."""
    runs = [run for _, run in here.groupby(["run", "execution"], sort=False)]
    for run in runs if len(runs) > 1 else []:
        axes.plot(run[GENERATION], run[value], color=colour, linewidth=0.8, alpha=0.35)
    _line(axes, here.groupby(GENERATION, as_index=False)[[value]].mean(), value, color=colour)


def _thinned(generations: Any) -> list[int]:
    """Return the generations that get a box: the first, every fifth or so, and the last."""
    numbers = sorted(int(number) for number in generations)
    steps = (step * 10**power for power in range(9) for step in (1, 2, 5))
    step = next(step for step in steps if len(numbers) / step <= BOXES - 1 or step >= 10**8)
    shown = [number for number in numbers if number % step == 0]
    if numbers[-1] - shown[-1] < 0.7 * step and len(shown) > 1 and numbers[-1] != shown[-1]:
        shown.pop()  # too close to the last to have room next to it
    return shown if shown[-1] == numbers[-1] else [*shown, numbers[-1]]


def _boxes(axes: Axes, samples: Sequence[Any], places: Any, width: float, colour: str) -> None:
    axes.boxplot(
        samples, positions=places, widths=width, manage_ticks=False, patch_artist=True,
        boxprops={"facecolor": colour, "alpha": 0.45, "edgecolor": colour},
        medianprops={"color": INK, "linewidth": 1.4}, whiskerprops={"color": colour},
        capprops={"color": colour},
        flierprops={"marker": "o", "markersize": 2.5, "markerfacecolor": colour,
                    "markeredgecolor": "none"})


def _line(axes: Axes, table: pd.DataFrame, value: str, style: str = "-", **how: Any) -> None:
    """Draw a line, with a mark where a single generation would be no line."""
    marker = "o" if len(table) < 8 else ""
    axes.plot(table[GENERATION], table[value], style, marker=marker, markersize=3.5, **how)


def _by_step(axes: Axes, step: str, label: str, last: bool = True) -> None:
    """Name the axes of a panel by generation or period; the last of several names the step."""
    if last:
        axes.set_xlabel(step)
    axes.set_ylabel(label)
    axes.grid(axis="y")
    _whole_steps(axes)


def _whole_steps(axes: Axes) -> None:
    """Put ticks on whole steps alone, also where a single one makes the axis narrow."""
    low, high = axes.get_xlim()
    if high - low <= 1:  # 1: that of a panel above
        middle = round((low + high) / 2)
        axes.set_xlim(middle - 0.5, middle + 0.5)
        axes.set_xticks([middle])
    else:
        whole_numbers(axes.xaxis)


def _fit(axes: Axes, low: float, high: float, least: float = 0) -> None:
    """Fit the axis of rates in per cent; with 50 % as a line, unless all is far from it.

    least: the margin above and below, at least.
    """
    if low - (high - low) < 50 < high + (high - low):
        axes.axhline(50, color=INK, linewidth=0.9, linestyle=":")
        low, high = min(50, low), max(50, high)
    margin = max(0.05 * (high - low), least)
    axes.set_ylim(low - margin, high + margin)


def _against_each(table: pd.DataFrame, series: Sequence[str],
                  panel: Callable[[Axes, str, bool], None]) -> Picture:
    """Draw a panel for each opponent of a table, one below the other.

    panel: draws into axes what is against an opponent; the last of them is told so.
    """
    opponents = table["opponent"].unique()
    names = short_names(opponents)

    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(opponents), 1, sharex=True, squeeze=False)[:, 0]
        for axes, opponent in zip(panels, opponents, strict=True):
            panel(axes, opponent, axes is panels[-1])
            axes.set_title(f"against {names[opponent]}", loc="left")
        name_series(figure, series)

    return picture(draw, 0.8 + 2.3 * len(opponents) + 0.25 * len(series))


def whole_numbers(axis: Any) -> None:
    """Put ticks on whole numbers alone."""
    axis.get_major_locator().set_params(integer=True)


def name_series(figure: Figure, series: Sequence[str], handles: Sequence[Any] = ()) -> None:
    """Add a legend below: the given handles, and the colours of several series."""
    empty = figure.axes[0]
    colours = [empty.plot([], [], color=COLOURS[i], linewidth=4, label=name)[0]
               for i, name in enumerate(series)] if len(series) > 1 else []
    if colours or handles:
        figure.legend(handles=[*handles, *colours], loc="outside lower center",
                      ncols=2 if handles else 1)


# --- Learning


def rates(table: pd.DataFrame, means: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw the share of games won against each opponent by period, with intervals.

    table: series, run, period, opponent, games, rate, rate_low, rate_high (0 to 1). means: the same
    without run and games, with seeds: of series of several runs. A series of one run has its
    intervals as bars; of several, each is a thin line, and the mean a thick one with its band.
    """
    ends = ["rate", "rate_low", "rate_high"]
    points, middle = (frame.assign(**{end: 100 * frame[end] for end in ends})
                      for frame in (table, means))

    def panel(axes: Axes, opponent: str, last: bool) -> None:
        here, band = (frame[frame["opponent"] == opponent] for frame in (points, middle))
        for i, name in enumerate(series):
            own, mean = (frame[frame["series"] == name] for frame in (here, band))
            aside = ASIDE * (i - (len(series) - 1) / 2)  # bars next to each other
            if own["run"].nunique() == 1:
                axes.vlines(own[PERIOD] + aside, own["rate_low"], own["rate_high"],
                            color=COLOURS[i])
                axes.plot(own[PERIOD] + aside, own["rate"], "o-", markersize=3.5, color=COLOURS[i])
                continue
            for _, run in own.groupby("run", sort=False):
                axes.plot(run[PERIOD], run["rate"], color=COLOURS[i], linewidth=0.8, alpha=0.5)
            axes.plot(mean[PERIOD], mean["rate"], "o-", markersize=3.5, color=COLOURS[i])
            axes.fill_between(mean[PERIOD], mean["rate_low"], mean["rate_high"], color=COLOURS[i],
                              alpha=0.2, linewidth=0)
        said = band.assign(run=[f"mean over {n} seeds" for n in band["seeds"]])
        _tip_periods(axes, pd.concat([here, said]), _rate_words)
        _fit(axes, here["rate_low"].min(), here["rate_high"].max(), LEAST)
        _by_step(axes, PERIOD, "games won (%)", last)

    return _against_each(points, series, panel)


def _column(axes: Axes, own: pd.DataFrame, column: str, style: str, colour: str) -> None:
    """Draw a column by period: a line, or where there is one period, a point (dashed: hollow)."""
    fill = "full" if style == "-" else "none"
    alone: dict[str, Any] = {"marker": "o", "markersize": 4, "fillstyle": fill}
    axes.plot(own[PERIOD], own[column], style, color=colour, **(alone if len(own) == 1 else {}))


def losses(table: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw the loss on a round's outcomes before it is learned from, and that of the last epoch.

    table: series, run, period, loss, loss_after.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for own, colour in _each_run(table, series):
            for column, style in (("loss", "-"), ("loss_after", "--")):
                _column(axes, own, column, style, colour)
        _tip_periods(axes, table, lambda row: f"{row['loss']:.4f}, on targets"
                                              f" {row['loss_after']:.4f}")
        _by_step(axes, PERIOD, "cross-entropy (nats)")
        name_series(figure, series, [axes.plot([], [], style, color=INK, label=said)[0] for
                                     style, said in (("-", "of outcomes, before"),
                                                     ("--", "of targets, while learning"))])

    return picture(draw, 3.4 + 0.25 * len(series))


def parts(table: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw the loss of the value and the entropy of an end-to-end policy.

    table: series, run, period, value, entropy.
    """
    def draw(figure: Figure) -> None:
        panels = figure.subplots(2, 1, sharex=True)
        for axes, column, unit in zip(panels, ("value", "entropy"), ("loss", "nats"), strict=True):
            for own, colour in _each_run(table, series):
                _column(axes, own, column, "-", colour)
            _tip_periods(axes, table, lambda row: f"value {row['value']:.4f}, entropy"
                                                  f" {row['entropy']:.4f}")
            axes.set_title(column, loc="left")
            _by_step(axes, PERIOD, unit, last=axes is panels[-1])
        name_series(figure, series)

    return picture(draw, 5.4 + 0.25 * len(series))


def builds(table: pd.DataFrame) -> Picture:
    """Draw the entropy of choices of cards by period, a line a class.

    table: period, class, entropy.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for k, (name, own) in enumerate(table.groupby("class", sort=False)):
            _column(axes, own, "entropy", "-", colour := COLOURS[k % len(COLOURS)])
            axes.plot([], [], color=colour, label=name)
        _tip_periods(axes, table.assign(run=table["class"]),
                     lambda row: f"{row['entropy']:.3f} bits, {row['different']} decks")
        axes.set_ylim(bottom=0)
        _by_step(axes, PERIOD, "bits a choice")
        figure.legend(loc="outside lower center", ncols=3)

    return picture(draw, 3.2)


def picks(table: pd.DataFrame) -> Picture:
    """Draw the chance of each class to be picked, by period: Figure 1 of Xiao and others (2023).

    table: period, class, chance.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for k, (name, own) in enumerate(table.groupby("class", sort=False)):
            own = own.assign(chance=100 * own["chance"])
            _column(axes, own, "chance", "-", colour := COLOURS[k % len(COLOURS)])
            axes.plot([], [], color=colour, label=name)
        _tip_periods(axes, table.assign(run=table["class"]),
                     lambda row: f"{100 * row['chance']:.1f} %")
        axes.set_ylim(0, 100)
        _by_step(axes, PERIOD, "picked, %")
        figure.legend(loc="outside lower center", ncols=3)

    return picture(draw, 3.2)


def pool(table: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw the members of the pool by period; a dot where the learner joined it.

    table: series, run, period, pool, added (0 or 1), reason.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for own, colour in _each_run(table, series):
            axes.step(own[PERIOD], own["pool"], where="post", color=colour)
            joined = own[own["added"] == 1]
            axes.plot(joined[PERIOD], joined["pool"], "o", markersize=4.5, color=colour)
        _tip_periods(axes, table, lambda row: f"{row['pool']} members"
                     + f", joined: {row['reason']}" * (row["added"] == 1))
        axes.set_ylim(bottom=0)
        whole_numbers(axes.yaxis)
        _by_step(axes, PERIOD, "members")
        name_series(figure, series)

    return picture(draw, 2.6 + 0.25 * len(series))


def matrix(table: pd.DataFrame, names: list[str]) -> Picture:
    """Draw the share of games that the row's checkpoint won against the column's.

    table: checkpoint, opponent, games, rate, rate_low, rate_high (0 to 1). names: of both axes.
    """
    wide = table.pivot(index="checkpoint", columns="opponent", values="rate")
    cells = 100 * wide.reindex(index=names, columns=names).to_numpy(np.float64)
    shown = [period_of(name) for name in names]
    step = -(-len(names) // NAMED)
    ticks = np.arange(0, len(names), step)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        mesh = axes.pcolormesh(cells, **wins_of(cells), edgecolors="white", linewidth=0.8)
        for i, j in np.argwhere(~np.isnan(cells)) if len(names) <= WRITTEN else ():
            axes.text(j + 0.5, i + 0.5, f"{cells[i, j]:.0f}", ha="center", va="center",
                      color=BLACK, fontsize=9.5)
        for row in table.to_dict("records"):
            i, j = names.index(row["checkpoint"]), names.index(row["opponent"])
            tip(axes, (j, j + 1), (i, i + 1), f"period {shown[i]} against {shown[j]}:"
                f" {_said({str(key): value for key, value in row.items()}, 100)}")
        axes.set_xticks(ticks + 0.5, [shown[i] for i in ticks], fontsize=9.5)
        axes.set_yticks(ticks + 0.5, [shown[i] for i in ticks], fontsize=9.5)
        axes.tick_params(length=0)
        axes.invert_yaxis()
        axes.set_aspect("equal")
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.set_ylabel("checkpoint after period")
        axes.set_xlabel("opponent: checkpoint after period")
        bar: Any = figure.colorbar(mesh, ax=axes, label="games won (%)", shrink=0.8)
        bar.solids.set_edgecolor("face")

    return picture(draw, 4.4)


def period_of(checkpoint: str) -> str:
    """Return the period after which a checkpoint was kept: "3" of "period-0003"."""
    return checkpoint.removeprefix("period-").lstrip("0") or "0"


def _each_run(table: pd.DataFrame, series: Sequence[str]) -> Iterator[tuple[pd.DataFrame, str]]:
    """Yield each run's rows and the colour of its series."""
    for _, own in table.groupby("run", sort=False):
        yield own, COLOURS[series.index(own["series"].iloc[0])]


def _tip_periods(axes: Axes, table: pd.DataFrame, words: Any) -> None:
    """Give periods tooltips with their rows of the table, one a run."""
    def of_runs(here: pd.DataFrame) -> str:
        many = here["run"].nunique() > 1
        return "".join("\n" + f"{row['run']}: " * many + words(row)
                       for row in here.to_dict("records"))

    _tip_steps(axes, table, PERIOD, of_runs)


def _rate_words(row: Any) -> str:
    return _said(row, 1)


def _said(row: Any, times: float) -> str:
    rate, low, high = (times * row[name] for name in ("rate", "rate_low", "rate_high"))
    games = f" of {row['games']:,.0f} games" if row["games"] == row["games"] else ""
    ends = f" ({low:.1f} to {high:.1f})" if low == low else ""
    return f"{rate:.1f} %{ends}{games}"
