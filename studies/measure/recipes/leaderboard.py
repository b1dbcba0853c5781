"""The strongest panel as a leaderboard, and strength against time."""

from __future__ import annotations

import shlex

import pandas as pd

from hsevo.cli.frontier import number
from hsevo.play.specs import short_names
from hsevo.strength.panel import FOLDER
from studies.measure.figures import Figures, estimate, percent, read, signed
from studies.measure.recipes import AFTER, recipe
from studies.measure.works import Lab, Work

PANEL = Work("python -m tests.support.make_panel panel-2026c --out {out}", called="panel-2026c")
AFTER["panel-2026c"] = (
    Work("python -m tests.support.make_panel panel-2026c --ship {0}", (PANEL,)),)


@recipe
def panel_2026c(command: str) -> Figures:
    def ratings(lab: Lab) -> pd.DataFrame:
        return pd.read_csv(lab.folder(PANEL) / "ratings.csv")

    def lead(lab: Lab) -> str:
        row = ratings(lab).iloc[0]
        return f"{row['lead']:.0f} Elo ({row['lead_low']:.0f} to {row['lead_high']:.0f})"

    return {"each": read(lambda lab: f"{ratings(lab)['games'].iloc[0]:,}", PANEL),
            "lead": read(lead, PANEL)}


@recipe
def leaderboard(command: str) -> Figures:
    it = Work(command)
    return {"output": read(lambda lab: "".join(
        f"{line.rstrip()}\n" for line in lab.text(it).splitlines()), it)}


@recipe
def leader_held_out(command: str) -> Figures:
    """Return the leader's rates with both kinds of decks; those of the panel's games are shipped.
    """
    pairs = pd.read_csv(FOLDER / "panel-2026c" / "pairs.csv").set_index(["agent", "opponent"])
    ratings = pd.read_csv(FOLDER / "panel-2026c" / "ratings.csv")["agent"]
    first, *others = ratings
    names = short_names(ratings)
    works = {one: Work(f"{command.replace('OPPONENT', shlex.quote(names[one]))} --json")
             for one in others}

    def table(lab: Lab) -> str:
        lines = [f"| `{names[one]}` | {percent(estimate(pairs.loc[(first, one)], 'rate'), 1)} |"
                 f" {percent(lab.json(work)['rate'], 1)} |" for one, work in works.items()]
        return "\n".join(["| against | the competition's decks | held-out lists |", "|---|---|---|",
                          *lines, ""])

    def games(lab: Lab) -> str:
        (played,) = {lab.json(work)["games"] for work in works.values()}
        return f"{played:,}"

    return {"table": read(table, *works.values()), "games": read(games, *works.values())}


@recipe
def speed_frontier(command: str) -> Figures:
    it = Work(command.replace("--out front", "--out {out}"))
    AFTER["speed-frontier"] = (
        Work("cp {0}/frontier.svg docs/pages/images/frontier.svg", (it,)),)

    def agents(lab: Lab) -> str:
        table = pd.read_csv(lab.folder(it) / "frontier.csv")
        names = short_names(table["agent"])
        bold = {True: "**", False: ""}
        lines = [f"| {bold[row['on_frontier']]}`{names[row['agent']]}`{bold[row['on_frontier']]} |"
                 f" {signed(estimate(row, 'rating', ''))} | {number(row['ms'])} |"
                 f" {row['ratio']:,.1f} |" for row in table.to_dict("records")]
        return "\n".join(["| agent | rating in Elo (95 %) | ms per decision | relative to"
                          " `eva:2018` |",
                          "|---|---|---|---|", *lines, ""])

    def best(lab: Lab) -> str:
        table = pd.read_csv(lab.folder(it) / "budgets.csv", keep_default_na=False)
        names = short_names([*table["agent"], *table["second"]])
        lines = [f"| {row['within_ms']:g} | `{names[row['agent']]}` |"
                 f" {float(row['lead']):+.0f} ({float(row['lead_low']):+.0f} to"
                 f" {float(row['lead_high']):+.0f}) | `{names[row['second']]}` |"
                 for row in table.to_dict("records") if row["second"]]
        return "\n".join(["| ms per decision | best | lead in Elo (95 %) | over |",
                          "|---|---|---|---|", *lines, ""])

    return {"agents": read(agents, it), "best": read(best, it)}
