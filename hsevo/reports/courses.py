"""Pictures of learning: rates, losses and pool by period, and all checkpoints against all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hsevo.pictures import COLOURS, INK, Picture, picture, tip, wins_of
from hsevo.play.specs import short_names
from hsevo.reports.charts import name_series, whole_numbers

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

PERIOD = "period"
WRITTEN = 10  # checkpoints in a matrix, at most, for numbers in its cells
NAMED = 20  # names beside a matrix, at most
ASIDE = 0.1  # periods between two series in a figure of rates
BLACK = "#000000"  # on a cell, whose colour is light on every page


def rates(table: pd.DataFrame, means: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw the share of games won against each opponent by period, with intervals.

    table: series, run, period, opponent, games, rate, rate_low, rate_high (0 to 1). means: the same
    without run and games, with seeds: of series of several runs. A series of one run has its
    intervals as bars; of several, each is a thin line, and the mean a thick one with its band.
    """
    ends = ["rate", "rate_low", "rate_high"]
    points, middle = (one.assign(**{end: 100 * one[end] for end in ends}) for one in (table, means))

    def draw(figure: Figure) -> None:
        opponents = points["opponent"].unique()
        names = short_names(opponents)
        panels = figure.subplots(len(opponents), 1, sharex=True, squeeze=False)[:, 0]
        for axes, opponent in zip(panels, opponents, strict=True):
            here, band = (one[one["opponent"] == opponent] for one in (points, middle))
            for i, name in enumerate(series):
                own, mean = (one[one["series"] == name] for one in (here, band))
                aside = ASIDE * (i - (len(series) - 1) / 2)  # bars beside each other
                if own["run"].nunique() == 1:
                    axes.vlines(own[PERIOD] + aside, own["rate_low"], own["rate_high"],
                                color=COLOURS[i])
                    axes.plot(own[PERIOD] + aside, own["rate"], "o-", markersize=3.5,
                              color=COLOURS[i])
                    continue
                for _, run in own.groupby("run", sort=False):
                    axes.plot(run[PERIOD], run["rate"], color=COLOURS[i], linewidth=0.8, alpha=0.5)
                axes.plot(mean[PERIOD], mean["rate"], "o-", markersize=3.5, color=COLOURS[i])
                axes.fill_between(mean[PERIOD], mean["rate_low"], mean["rate_high"],
                                  color=COLOURS[i], alpha=0.2, linewidth=0)
            said = band.assign(run=[f"mean over {n} seeds" for n in band["seeds"]])
            _tip_periods(axes, pd.concat([here, said]), _rate_words)
            _fit(axes, here["rate_low"].min(), here["rate_high"].max())
            axes.set_title(f"against {names[opponent]}", loc="left")
            _by_period(axes, "games won (%)", last=axes is panels[-1])
        name_series(figure, series)

    return picture(draw, 0.8 + 2.3 * table["opponent"].nunique() + 0.25 * len(series))


def _line(axes: Axes, own: pd.DataFrame, column: str, style: str, colour: str) -> None:
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
        for own, colour in _each(table, series):
            for column, style in (("loss", "-"), ("loss_after", "--")):
                _line(axes, own, column, style, colour)
        _tip_periods(axes, table, lambda row: f"{row['loss']:.4f}, on targets"
                                              f" {row['loss_after']:.4f}")
        _by_period(axes, "cross-entropy (nats)")
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
            for own, colour in _each(table, series):
                _line(axes, own, column, "-", colour)
            _tip_periods(axes, table, lambda row: f"value {row['value']:.4f}, entropy"
                                                  f" {row['entropy']:.4f}")
            axes.set_title(column, loc="left")
            _by_period(axes, unit, last=axes is panels[-1])
        name_series(figure, series)

    return picture(draw, 5.4 + 0.25 * len(series))


def builds(table: pd.DataFrame) -> Picture:
    """Draw the entropy of choices of cards by period, a line a class.

    table: period, class, entropy.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for k, (name, own) in enumerate(table.groupby("class", sort=False)):
            _line(axes, own, "entropy", "-", colour := COLOURS[k % len(COLOURS)])
            axes.plot([], [], color=colour, label=name)
        _tip_periods(axes, table.assign(run=table["class"]),
                     lambda row: f"{row['entropy']:.3f} bits, {row['different']} decks")
        axes.set_ylim(bottom=0)
        _by_period(axes, "bits a choice")
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
            _line(axes, own, "chance", "-", colour := COLOURS[k % len(COLOURS)])
            axes.plot([], [], color=colour, label=name)
        _tip_periods(axes, table.assign(run=table["class"]),
                     lambda row: f"{100 * row['chance']:.1f} %")
        axes.set_ylim(0, 100)
        _by_period(axes, "picked, %")
        figure.legend(loc="outside lower center", ncols=3)

    return picture(draw, 3.2)


def pool(table: pd.DataFrame, series: Sequence[str]) -> Picture:
    """Draw the members of the pool by period; a dot where the learner joined it.

    table: series, run, period, pool, added (0 or 1), reason.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for own, colour in _each(table, series):
            axes.step(own[PERIOD], own["pool"], where="post", color=colour)
            joined = own[own["added"] == 1]
            axes.plot(joined[PERIOD], joined["pool"], "o", markersize=4.5, color=colour)
        _tip_periods(axes, table, lambda row: f"{row['pool']} members"
                     + f", joined: {row['reason']}" * (row["added"] == 1))
        axes.set_ylim(bottom=0)
        whole_numbers(axes.yaxis)
        _by_period(axes, "members")
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
        axes.set_xlabel("its opponent: checkpoint after period")
        bar: Any = figure.colorbar(mesh, ax=axes, label="games won (%)", shrink=0.8)
        bar.solids.set_edgecolor("face")

    return picture(draw, 4.4)


def period_of(checkpoint: str) -> str:
    """Return the period after which a checkpoint was kept: "3" of "period-0003"."""
    return checkpoint.removeprefix("period-").lstrip("0") or "0"


def _each(table: pd.DataFrame, series: Sequence[str]) -> Iterator[tuple[pd.DataFrame, str]]:
    """Yield each run's rows and the colour of its series."""
    for _, own in table.groupby("run", sort=False):
        yield own, COLOURS[series.index(own["series"].iloc[0])]


def _fit(axes: Axes, low: float, high: float) -> None:
    """Fit the axis of rates; with 50 % as a line, unless all is far from it."""
    if low - (high - low) < 50 < high + (high - low):
        axes.axhline(50, color=INK, linewidth=0.9, linestyle=":")
        low, high = min(50, low), max(50, high)
    margin = max(0.05 * (high - low), 0.2)
    axes.set_ylim(low - margin, high + margin)


def _by_period(axes: Axes, label: str, last: bool = True) -> None:
    if last:
        axes.set_xlabel(PERIOD)
    axes.set_ylabel(label)
    axes.grid(axis="y")
    low, high = axes.get_xlim()
    if high - low <= 1:  # a single period; 1: that of a panel above
        middle = round((low + high) / 2)
        axes.set_xlim(middle - 0.5, middle + 0.5)
        axes.set_xticks([middle])
    else:
        whole_numbers(axes.xaxis)


def _tip_periods(axes: Axes, table: pd.DataFrame, words: Any) -> None:
    """Give periods tooltips with their rows of the table, one a run."""
    for number, here in table.groupby(PERIOD):
        middle = float(str(number))
        many = here["run"].nunique() > 1
        said = [f"{row['run']}: " * many + words(row) for row in here.to_dict("records")]
        tip(axes, (middle - 0.5, middle + 0.5), None, "\n".join([f"period {number}:", *said]))


def _rate_words(row: Any) -> str:
    return _said(row, 1)


def _said(row: Any, times: float) -> str:
    rate, low, high = (times * row[name] for name in ("rate", "rate_low", "rate_high"))
    games = f" of {row['games']:,.0f} games" if row["games"] == row["games"] else ""
    ends = f" ({low:.1f} to {high:.1f})" if low == low else ""
    return f"{rate:.1f} %{ends}{games}"
