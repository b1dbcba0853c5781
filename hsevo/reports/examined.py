"""Examined agents: the fitness landscape, what each weight is worth, the agent profile.

From folders of hsevo examine; several agents stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.analysis import profile as style
from hsevo.analysis.examine import Examination
from hsevo.analysis.landscape import GRID, ITSELF
from hsevo.analysis.profile import ACTIONS, SAID, StyleShare, mean_ratio
from hsevo.errors import ConfigError
from hsevo.pictures import COLOURS, INK, LOST, WON, Picture, picture, tip
from hsevo.play.specs import short_names
from hsevo.reports.charts import name_series, title_weight, weight_panels, whole_numbers
from hsevo.reports.exhibit import Chapter, Drawn, exhibit
from hsevo.reports.groups import ALPHA

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

SHADES = (*COLOURS[:5], COLOURS[6])  # of actions; the sixth colour is too near the first on black
STEP = 0.5 / (len(GRID) - 1)  # half the way between two points of the landscape
FEWEST = 30  # turns behind a point by turn, at least
SIDES = ("the agent", "its opponents")
LINES = dict(zip(SIDES, ("-", "--"), strict=True))
Named: TypeAlias = dict[str, Examination]  # by a short name of the agent


def by_name(examined: Sequence[Examination]) -> Named:
    """Return examinations by the short name of the agent; a second one of an agent has a number.

    Raises ConfigError if there are more of them than COLOURS, or they have different weights.
    """
    if len(examined) > len(COLOURS):
        raise ConfigError(f"{len(examined)} examined agents, but a report can draw at most"
                          f" {len(COLOURS)}; make several reports")
    agents: Named = {}
    names = short_names(examination.agent for examination in examined)
    for examination in examined:
        if examination.weights != examined[0].weights:
            raise ConfigError(f"{examination.agent} has a different set of weights than"
                              f" {examined[0].agent}; make a report for each")
        earlier = sum(known.agent == examination.agent for known in agents.values())
        agents[names[examination.agent] + f" ({earlier + 1})" * bool(earlier)] = examination
    return agents


def _genome(agents: Named) -> Genome | None:
    return next(iter(agents.values())).genome


def _setting(agents: Named) -> str:
    """Return which agents are shown, against which opponents, by which rules."""
    said = []
    for name, examination in agents.items():
        plan = examination.plan
        first, *more = short_names(plan.against).values()
        whom = f"{1 + len(more)} opponents ({first} ...)" if more else first
        said.append(f"{name} against {whom}, with {len(plan.decks)} decks, {plan.ruleset},"
                    f" {plan.information}")
    return "; ".join(said) + "."


def _all(agents: Named, table: Callable[[Examination], pd.DataFrame]) -> pd.DataFrame:
    """Return a table of every agent, one below the other, with a column `examined` for its name."""
    parts = []
    for name, examination in agents.items():
        parts.append(table(examination).copy())
        parts[-1].insert(0, "examined", name)
    return pd.concat(parts, ignore_index=True)


@exhibit("landscape", "Fitness landscape around the agent")
def _landscape(agents: Named) -> Drawn | None:
    if (genome := _genome(agents)) is None:
        return None
    table = _all(agents, lambda result: result.landscape.assign(
        p_adjusted=_adjusted(result.landscape)))
    games = _range(table["games"])
    per = genome.size * len(GRID)
    sure, others = table["p_adjusted"] < ALPHA, table["weight"] != ITSELF
    said = _each(table, lambda here: (
        f"{int((sure & others & (table['lead'] > 0))[here.index].sum())} score more,"
        f" {int((sure & others & (table['lead'] < 0))[here.index].sum())} less"))
    return Drawn((
        f"Win rate as one weight is changed and the other {genome.size - 1} stay as they are. "
        f"Dotted: the agent's own weight and win rate. {games} games per point. All points use the"
        " same pairs of games, so luck matters less between points of one agent than their 95 %"
        f" intervals (shaded) suggest. Where a line is flat, the weight matters little. Of {per}"
        f" variants, compared with the agent itself, {said} (p < {ALPHA:g}, after Benjamini and"
        " Hochberg's correction)."),
        table, _draw_landscape(table, list(agents), genome), terms=dict(genome.glossary))


def _draw_landscape(table: pd.DataFrame, names: Sequence[str], genome: Genome) -> Picture:
    ticks, rows = [genome.at(share) for share in (0, 0.5, 1)], -(-genome.size // 3)
    scale = genome.at(1) - genome.at(0)

    def draw(figure: Figure) -> None:
        panels = weight_panels(figure, genome, sharex=genome.unit, sharey=True)
        for i, (axes, weight) in enumerate(zip(panels, genome.names, strict=True)):
            for name, colour in zip(names, COLOURS, strict=False):
                here = table[table["examined"] == name]
                line = here[here["weight"] == weight]
                itself = here[here["weight"] == ITSELF].iloc[0]
                axes.fill_between(line["value"], 100 * line["rate_low"], 100 * line["rate_high"],
                                  color=colour, alpha=0.25, linewidth=0)
                axes.plot(line["value"], 100 * line["rate"], color=colour)
                axes.axvline(line["own"].iloc[0], color=colour, linestyle=":", linewidth=1.2)
                axes.axhline(100 * itself["rate"], color=colour, linestyle=":", linewidth=0.8)
            for _, here in table[table["weight"] == weight].groupby("value"):
                value = float(here["value"].iloc[0])
                tip(axes, (value - STEP * scale[i], value + STEP * scale[i]), None,
                    f"{weight} = {value:g}" + "".join(
                        f"\n{row['examined']}: {100 * row['rate']:.1f} %"
                        f" ({100 * row['rate_low']:.1f} to {100 * row['rate_high']:.1f})"
                        for row in here.to_dict("records")))
            title_weight(axes, weight)
            axes.set_xlim(genome.at(-0.03)[i], genome.at(1.03)[i])
            axes.set_xticks([tick[i] for tick in ticks], [f"{tick[i]:g}" for tick in ticks])
            axes.grid()
        for axes in panels[-3:]:
            axes.set_xlabel("weight")
        figure.supylabel("score (%)", fontsize="medium")
        name_series(figure, names)

    return picture(draw, max(9.0 * rows / 7, 3.0) + 0.25 * len(names))


def _adjusted(table: pd.DataFrame) -> pd.Series:
    """Return the p of variants, after Benjamini and Hochberg's correction for their number."""
    from scipy.stats import false_discovery_control

    p = table["p"].dropna()
    return pd.Series(false_discovery_control(p), p.index)


def _each(table: pd.DataFrame, says: Callable[[pd.DataFrame], str]) -> str:
    """Join the texts about agents, each after its name if there are several."""
    parts = {str(name): says(here) for name, here in table.groupby("examined", sort=False)}
    return "; ".join(f"{name}: {part}" if len(parts) > 1 else part for name, part in parts.items())


@exhibit("worth", "Contribution of each weight")
def _worth(agents: Named) -> Drawn | None:
    if (genome := _genome(agents)) is None:
        return None

    def worth(result: Examination) -> pd.DataFrame:
        without = result.landscape[result.landscape["value"] == 0]
        return without.assign(worth=-without["lead"], worth_low=-without["lead_high"],
                              worth_high=-without["lead_low"], p_adjusted=_adjusted(without))[
            ["weight", "own", "games", "rate", "rate_low", "rate_high", "worth", "worth_low",
             "worth_high", "p", "p_adjusted", "changed"]]

    table = _all(agents, worth)
    sure = table[table["p_adjusted"] < ALPHA]
    good, bad = (_listed_each(table, rows) for rows in (sure[sure["worth"] > 0],
                                                        sure[sure["worth"] < 0]))
    idle = _listed_each(table, table[(table["changed"] == 0) & (table["own"] > 0)])
    bare = _listed_each(table, table[table["own"] == 0])
    return Drawn((
        "Percentage points of win rate lost when the weight is set to 0. Bars: 95 % intervals,"
        f" from the pairs of games that both variants played ({_range(table['games'])} games)."
        f" Weights that help, p < {ALPHA:g} after Benjamini and Hochberg's correction for"
        f" {genome.size}: {good}. Weights that hurt, by the same test: {bad}. Weights that changed"
        f" no game: {idle}. Weights that are already 0: {bare}."),
        table, _draw_worth(table, list(agents), genome), terms=dict(genome.glossary))


def _listed_each(table: pd.DataFrame, some: pd.DataFrame) -> str:
    """List the weights of some rows of a table, of every agent."""
    return _each(table, lambda here: ", ".join(here["weight"][here.index.isin(some.index)])
                 or "none")


def _draw_worth(table: pd.DataFrame, names: Sequence[str], genome: Genome) -> Picture:
    def draw(figure: Figure) -> None:
        axes, apart = figure.subplots(), 0.7 / len(names)
        for i, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
            here = table[table["examined"] == name]
            y = np.arange(len(here)) + (i - (len(names) - 1) / 2) * apart
            axes.hlines(y, 100 * here["worth_low"], 100 * here["worth_high"], color=colour)
            axes.plot(100 * here["worth"], y, "o", markersize=4, color=colour)
            for at, row in zip(y, here.to_dict("records"), strict=True):
                tip(axes, None, (at - apart / 2, at + apart / 2),
                    f"{row['weight']}, {name}: {100 * row['worth']:+.1f} points"
                    f" ({100 * row['worth_low']:+.1f} to {100 * row['worth_high']:+.1f})")
        axes.axvline(0, color=INK, linewidth=0.9, linestyle=":")
        axes.set_yticks(range(genome.size), genome.names)
        axes.invert_yaxis()
        axes.set_xlabel("contribution (percentage points of win rate)")
        axes.grid()
        name_series(figure, names)

    return picture(draw, max(4 * genome.size / 15, 2.0) + 0.25 * len(names))


@exhibit("style", "How it plays")
def _style(agents: Named) -> Drawn:
    def shares(result: Examination) -> pd.DataFrame:
        style_shares = style.shares(result.turns, result.games, result.agent)
        return pd.DataFrame([_share_line(share, side) for share in style_shares for side in SIDES])

    table = _all(agents, shares)
    on_page = pd.DataFrame({
        "how it plays": [row["figure"] for row in table.to_dict("records")],
        "who": [_who(row["examined"], row["side"], agents) for row in table.to_dict("records")],
        "(95 %)": [_value(row) for row in table.to_dict("records")]})
    wide = on_page.pivot(index="how it plays", columns="who", values="(95 %)")
    wide = wide.loc[on_page["how it plays"].unique(), on_page["who"].unique()]
    return Drawn((
        f"From {_count(agents)} games, turn by turn, with 95 % intervals over pairs of games."
        " Opponents: their play in the same games."), table,
        on_page=wide.rename_axis(columns=None).reset_index(),
        terms={name: examination.agent for name, examination in agents.items()
               if name != examination.agent})


def _share_line(share: StyleShare, side: str) -> dict[str, object]:
    estimate = share.own if side == SIDES[0] else share.others
    return {"figure": share.says, "unit": share.unit or "number", "side": side,
            "value": estimate.value, "low": estimate.low, "high": estimate.high}


def _value(row: Mapping[Any, Any]) -> str:
    many, places = (100, 1) if row["unit"] == "%" else (1, 2)
    value, low, high = (f"{many * row[end]:.{places}f}" for end in ("value", "low", "high"))
    return "" if value == "nan" else (f"{value}{' %' if many == 100 else ''}"
                                      + (f" ({low} to {high})" if low != "nan" else ""))


def _who(name: str, side: str, agents: Named) -> str:
    return side if len(agents) == 1 else f"{name}, {side}"


@exhibit("actions", "Actions by turn")
def _actions(agents: Named) -> Drawn:
    table = _all(agents, lambda result: _by_turn(result, lambda here: {
        name: here[name].mean() for name in ACTIONS}))
    return Drawn((
        f"Mean number of actions in a player's own turn, from {_count(agents)} games."
        f" Turns that fewer than {FEWEST} games reached are left out."), table,
        _draw_actions(table, list(agents)))


def _by_turn(result: Examination,
             measure: Callable[[pd.DataFrame], dict[str, float]]) -> pd.DataFrame:
    """Return a row a side and turn: side, turn, turns (how many), and what `measure` returns."""
    turns, rows = style.with_sums(result.turns), []
    for side, mine in zip(SIDES, (True, False), strict=True):
        for turn, here in turns[(turns["agent"] == result.agent) == mine].groupby("turn"):
            if len(here) >= FEWEST or turn == 1:
                rows.append({"side": side, "turn": turn, "turns": len(here)} | measure(here))
    return pd.DataFrame(rows)


def _draw_actions(table: pd.DataFrame, names: Sequence[str]) -> Picture:
    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(names), 2, sharex=True, sharey=True, squeeze=False)
        for row, name in zip(panels, names, strict=True):
            for axes, side in zip(row, SIDES, strict=True):
                here = table[(table["examined"] == name) & (table["side"] == side)]
                below = np.zeros(len(here))
                for action, colour in zip(ACTIONS, SHADES, strict=True):
                    axes.bar(here["turn"], here[action], bottom=below, width=0.85, color=colour,
                             label=SAID[action])
                    below = below + here[action].to_numpy()
                for turn in here.to_dict("records"):
                    tip(axes, (turn["turn"] - 0.5, turn["turn"] + 0.5), None, "\n".join(
                        [f"turn {turn['turn']}", *(f"{SAID[action]}: {turn[action]:.2f}"
                                                   for action in ACTIONS)]))
                axes.set_title(side, loc="left")
                axes.grid(axis="y")
            if len(names) > 1:  # as wide as both
                row[0].set_title(f"{name}\n{SIDES[0]}", loc="left")
        for axes in panels[-1]:
            axes.set_xlabel("own turn")
            whole_numbers(axes.xaxis)
        figure.supylabel("actions a turn", fontsize="medium")
        figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center",
                      ncols=3, fontsize=10)

    return picture(draw, 1.2 + 2.5 * len(names))


@exhibit("mana", "Mana spent by turn")
def _mana(agents: Named) -> Drawn:
    return _share(agents, "mana spent (%)", "spent", "had", (
        "Share of a turn's mana that went into cards and hero powers. Turns cut short by the end of"
        " the game are left out."))


@exhibit("attacks", "Heroes attacked by turn")
def _attacks(agents: Named) -> Drawn:
    return _share(agents, "attacks on the hero (%)", "at_heroes", "attacks", (
        "Share of attacks that hit the enemy hero; the rest are trades with minions."))


def _share(agents: Named, label: str, above: str, below: str, means: str) -> Drawn:
    """Show a share by turn: `above` divided by `below`; means: what it is, in words."""
    def measure(here: pd.DataFrame) -> dict[str, float]:
        turns = here[~here["over"]] if below == "had" else here
        estimate = mean_ratio(turns, above, below)
        return {"share": estimate.value, "low": estimate.low, "high": estimate.high}

    table = _all(agents, lambda result: _by_turn(result, measure))
    return Drawn((
        f"{means} {_sides(agents)} Shaded: 95 % intervals over the pairs of {_count(agents)}"
        " games."), table,
        _draw_share(table, list(agents), label))


def _sides(agents: Named) -> str:
    return ("Solid: the agent; dashed: its opponents." if len(agents) == 1 else
            "The agents; their opponents are only in the table.")


def _draw_share(table: pd.DataFrame, names: Sequence[str], label: str) -> Picture:
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for name, colour in zip(names, COLOURS, strict=False):
            for side, line in list(LINES.items())[:1 if len(names) > 1 else 2]:
                here = table[(table["examined"] == name) & (table["side"] == side)]
                low, high = (100 * here[name].clip(0, 1) for name in ("low", "high"))
                axes.fill_between(here["turn"], low, high, color=colour, alpha=0.2, linewidth=0)
                axes.plot(here["turn"], 100 * here["share"], line, color=colour)
        for _, here in table.groupby("turn"):
            turn = int(here["turn"].iloc[0])
            tip(axes, (turn - 0.5, turn + 0.5), None, "\n".join(
                f"{row['examined']}, {row['side']}, turn {turn}: {100 * row['share']:.1f} %"
                for row in here.to_dict("records")))
        _by_own_turn(axes, label)
        axes.set_ylim(0, 102)
        name_series(figure, names, [] if len(names) > 1 else [
            axes.plot([], [], line, color=INK, label=side)[0] for side, line in LINES.items()])

    return picture(draw, 3.4 + 0.25 * len(names))


@exhibit("victory", "Round of victory")
def _ends(agents: Named) -> Drawn:
    def ends(result: Examination) -> pd.DataFrame:
        games = style.round_of(result.games)
        counts = games.groupby(["round", "points"]).size().unstack(fill_value=0)
        counts = counts.reindex(columns=[1.0, 0.5, 0.0], fill_value=0)
        counts.columns = pd.Index(["won", "drawn", "lost"])
        return counts.reset_index()

    table = _all(agents, ends)
    drawn = _each(table, lambda here: str(int(here["drawn"].sum())))
    return Drawn((
        f"The round (a turn of each player) in which its {_count(agents)} games ended. Blue,"
        f" upwards: won; orange, downwards: lost. Draws, only in the table: {drawn}."), table,
        _draw_ends(table, list(agents)))


def _draw_ends(table: pd.DataFrame, names: Sequence[str]) -> Picture:
    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
        for axes, name in zip(panels, names, strict=True):
            here = table[table["examined"] == name]
            axes.bar(here["round"], here["won"], width=0.85, color=WON)
            axes.bar(here["round"], -here["lost"], width=0.85, color=LOST)
            for row in here.to_dict("records"):
                tip(axes, (row["round"] - 0.5, row["round"] + 0.5), None,
                    f"round {row['round']}: {row['won']} won, {row['lost']} lost")
            axes.axhline(0, color=INK, linewidth=0.9)
            axes.yaxis.set_major_formatter(lambda value, place: f"{abs(value):g}")
            _by_own_turn(axes, "lost ← games → won")
            axes.set_xlabel("round" if axes is panels[-1] else "")
            if len(names) > 1:
                axes.set_title(name, loc="left")

    return picture(draw, 0.6 + 2.5 * len(names))


def _by_own_turn(axes: Axes, label: str) -> None:
    axes.set_xlabel("own turn")
    axes.set_ylabel(label)
    axes.grid(axis="y")
    whole_numbers(axes.xaxis)


def _range(values: pd.Series) -> str:
    least, most = values.min(), values.max()
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def _count(agents: Named) -> str:
    return " and ".join(f"{len(examination.games):,}" for examination in agents.values())


def _unexamined(agents: Named) -> str:
    return "" if agents else ("Run hsevo examine RUN to see how much each weight contributes, and"
                              " how the agent plays.")


PROFILE = Chapter("Agent profile", (_landscape, _worth, _style, _actions, _mana, _attacks, _ends),
               note=_setting, needs=_unexamined)
