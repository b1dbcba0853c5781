"""hsevo match, hsevo arena, hsevo agents: honest comparisons of agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, isnan
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from hsevo.cli.shared import FOLDER, playing, team_of, workers_options
from hsevo.cli.tables import show_table
from hsevo.errors import AgentError, ConfigError, GameError, RunError, WorkersError

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from hsevo.config import Workers
    from hsevo.strength.arena import Arena, Plan, Record
    from hsevo.strength.rating import Sprt

CIG2018 = "warrior,shaman,mage"
TABLE_SECONDS = 2.0  # between two looks at the table while an arena runs


def rules_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how games are played; each is None if it was not given."""
    for option in (
        click.option("--max-turns", type=int, metavar="N", help="Then it is a draw; default: 89."),
        click.option("--information", metavar="fair|leaky",
                     help="May look-aheads see what a player can't? Default: fair."),
        click.option("--ruleset", metavar="NAME", help="Default: cig2018."),
        click.option("--seed", type=int, help="The same seed gives the same games; default: 1."),
        click.option("--decks", metavar="A,B,...",
                     help=f"Names, paths or deck codes, all against all; default: {CIG2018}."),
    ):
        command = option(command)
    return command


@click.command()
def agents() -> None:
    """List the agents that can be named, and what each is.

    An agent is named by a short spec. Its options, if it has any, come after a '?':

    \b
    hsevo match eva:2018 random
    hsevo match 'AGENT?OPTION=3&OTHER=60' eva:2018
    hsevo match eva:runs/mine eva:2018          the best of a run's last generation
    hsevo match eva:runs/mine#individual-7 eva:best.yaml
    """
    from hsevo.strength.roster import ROSTER, choices

    rows = []
    for name, entry in ROSTER.items():
        rows.append((name, entry.says))
        rows += [("", f"?{key}={choices(option)}") for key, option in entry.options.items()]
    rows += [("eva:RUN", "EVA with a run's weights: the best of its last population"),
             ("eva:RUN#ID", "EVA with a run's weights: an individual of its last population"),
             ("eva:FILE#NAME", "EVA with weights from a file; #NAME if it holds several")]
    show_table(("agent", "what it is"), rows)


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--games", type=int, default=2000, metavar="N", show_default=True,
              help="At least so many, up to whole rounds of all deck pairs from either side.")
@click.option("--sprt", type=(float, float), metavar="ELO0 ELO1",
              help="Stop when sure that A is ELO0 Elo better than B, or ELO1.")
@click.option("--alpha", type=click.FloatRange(0, 0.5, True, True), default=0.05,
              show_default=True, help="Chance that --sprt accepts ELO1 if ELO0 is true.")
@click.option("--beta", type=click.FloatRange(0, 0.5, True, True), default=0.05,
              show_default=True, help="Chance that --sprt accepts ELO0 if ELO1 is true.")
@rules_options
@workers_options
def match(a: str, b: str, games: int, sprt: tuple[float, float] | None, alpha: float, beta: float,
          workers: int | None, backend: str | None, **rules: Any) -> None:
    """Play two agents against each other; is A better than B, and how sure is that?

    Games come in pairs: the same seed and decks, once from each side, so that each agent plays the
    very same cards and luck with them cancels out. Printed are, with 95 % intervals from the
    spread of the pairs, the rate (a draw is half a win), the Elo difference, and the normalised
    Elo difference (in standard deviations of a game: the larger, the fewer games show it).

    \b
    hsevo match eva:2018 random --games 200
    hsevo match eva:best.yaml eva:2018 --decks mage,shaman --seed 7
    hsevo match eva:best.yaml eva:2018 --sprt 0 10 --games 100000

    --sprt plays until a sequential probability ratio test is sure, but no more than --games. It is
    looked at after fixed numbers of games: no result depends on the number of workers.
    """
    from hsevo.strength.arena import Lineup, contest

    team, test = team_of(workers, backend), _sprt(sprt, alpha, beta)
    lineup = Lineup.of(plan_of(agents=[a, b], against=[], games=games, **rules))
    with playing(lineup.games, team) as (work, meter):
        record = contest(work, lineup, test, meter.tick)
    click.echo("\n".join(_match_lines(record, test)))


@click.command()
@click.argument("agents", nargs=-1, metavar="AGENT...")
@click.option("--against", metavar="A,B,...",
              help="A gauntlet: every AGENT meets these alone, instead of every other.")
@click.option("--games", type=int, metavar="N",
              help="Of every two, at least, up to whole rounds of all deck pairs from either side;"
                   " default: 360.")
@click.option("--out", type=FOLDER, metavar="DIR", help="A new folder for games and tables.")
@click.option("--resume", type=FOLDER, metavar="DIR", help="Go on with one that was stopped.")
@rules_options
@workers_options
def arena(agents: tuple[str, ...], out: Path | None, resume: Path | None, workers: int | None,
          backend: str | None, **plan: Any) -> None:
    """Play many agents against each other, and rate them.

    \b
    hsevo arena random eva:2018 eva:runs/mine --games 1000 --out mine
    hsevo arena eva:a.yaml eva:b.yaml --against random,eva:2018 --out gauntlet
    hsevo arena --resume mine

    Games come in pairs, as in hsevo match. DIR has, at the end, ratings.csv (Bradley-Terry
    ratings in Elo, whose mean is 0, and the lead over the next one, with 95 % intervals: an agent
    is surely ahead if its lead's interval is above 0), pairs.csv (each against each, for a
    rating hides who beats whom), deck_pairs.csv (the same, by decks), and games.csv, every game,
    as it is played. nash is how much of each agent is in the mixture that no agent beats: the best
    one alone, or all of a cycle.

    An arena that was stopped, or killed, goes on with --resume and ends with the same bits.
    """
    team = team_of(workers, backend)
    played = _resumed(resume, agents, out, plan) if resume else _created(agents, out, plan)
    try:
        play_arena(played, team)
        ratings = played.tables()["ratings"]
    finally:
        played.close()
    heads, rows = _cells(ratings)
    show_table(heads, rows, right=heads[1:])
    click.echo(f"{len(played.record.rows):,} games: {played.path}/ratings.csv, pairs.csv,"
               f" deck_pairs.csv and games.csv{_mixture(ratings)}")


def plan_of(**settings: Any) -> Plan:
    """Return the plan of what was given on the command line; the rest is as in the plan."""
    from hsevo.config import check
    from hsevo.strength.arena import Plan

    decks = settings.pop("decks", None)
    tree = {name: value for name, value in settings.items() if value is not None}
    return check(Plan, tree | {"decks": (decks or CIG2018).split(",")}, "the command line")


def _sprt(ends: tuple[float, float] | None, alpha: float, beta: float) -> Sprt | None:
    from hsevo.strength.rating import Sprt

    if ends is None:
        return None
    if not -10_000 < ends[0] < ends[1] < 10_000:
        raise ConfigError(f"--sprt {ends[0]:g} {ends[1]:g}: must be a lower and a higher number of"
                          " Elo, such as 0 10")
    return Sprt(*ends, alpha, beta)


def _created(agents: tuple[str, ...], out: Path | None, plan: dict[str, Any]) -> Arena:
    from hsevo.strength.arena import Arena

    if not agents:
        raise AgentError("name the agents of the arena (hsevo agents lists them), or --resume DIR")
    if out is None:
        raise ConfigError("give --out DIR, a new folder for the games and tables")
    against = plan.pop("against")
    return Arena.create(out, plan_of(agents=list(agents), **plan,
                                   against=against.split(",") if against else []))


def _resumed(path: Path, agents: tuple[str, ...], out: Path | None,
             plan: dict[str, Any]) -> Arena:
    from hsevo.strength.arena import Arena

    given = [name for name, value in plan.items() if value is not None]
    words = [*agents, *(["--out"] if out else []),
             *("--" + name.replace("_", "-") for name in given)]
    if words:
        raise ConfigError(f"--resume goes on with what the arena was begun with: leave {words[0]}"
                          " out")
    return Arena.resume(path)


def play_arena(arena: Arena, team: Workers, command: str = "arena") -> None:
    """Play an arena to its end; say how to go on if it is stopped."""
    resume = f"; go on with: hsevo {command} --resume {arena.path}"
    board = _Board(arena.record)
    try:
        with playing(len(arena.record.left()), team, board) as (work, meter):
            arena.play(work, meter.tick)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(resume) from None
    except (RunError, WorkersError, GameError) as error:
        raise type(error)(f"{error}{resume}") from error


class _Board:
    """The live table of an arena: where everyone stands, once everyone has met."""

    def __init__(self, record: Record) -> None:
        self.record, self.drawn = record, -inf
        self.tables: tuple[Table, ...] = ()

    def __call__(self) -> Iterable[Table]:
        """Return the table, drawn anew now and then, or nothing as long as there is none."""
        from hsevo.strength.arena import standings

        if monotonic() - self.drawn >= TABLE_SECONDS:
            self.drawn, ratings = monotonic(), standings(self.record)
            self.tables = () if ratings is None else (_table(ratings),)
        return self.tables


def _table(ratings: pd.DataFrame) -> Table:
    from rich.table import Table

    heads, rows = _cells(ratings)
    table = Table(heads[0], box=None, pad_edge=False)
    for head in heads[1:]:
        table.add_column(head, justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def _cells(ratings: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows of arena.ratings_table, as text."""
    heads = ["agent", "rating", "95 %", "lead", "95 %", "rate %", "95 %", "games", "faults"]
    rows = [[row["agent"], f"{row['rating']:+.0f}", f"{row['low']:+.0f} to {row['high']:+.0f}",
             *_lead(row), f"{100 * row['rate']:.1f}",
             f"{100 * row['rate_low']:.1f} to {100 * row['rate_high']:.1f}",
             f"{row['games']:,}", f"{row['faults']:,}"] for row in ratings.to_dict("records")]
    if "nash" in ratings:
        heads.append("nash %")
        for row, part in zip(rows, ratings["nash"], strict=True):
            row.append(f"{100 * part:.0f}")
    return heads, rows


def _lead(row: Any) -> list[str]:
    if isnan(row["lead"]):  # the last
        return ["", ""]
    return [f"{row['lead']:+.0f}", f"{row['lead_low']:+.0f} to {row['lead_high']:+.0f}"]


def _mixture(ratings: pd.DataFrame) -> str:
    """Return a line on who is in the Nash mixture, if it is not one agent alone."""
    if "nash" not in ratings or ratings["nash"].max() > 1 - 1e-9:
        return ""
    inside = ratings[ratings["nash"] > 0].sort_values("nash", ascending=False, kind="stable")
    parts = ", ".join(f"{row['agent']} {100 * row['nash']:.0f} %"
                      for row in inside.to_dict("records"))
    return f"\nno agent beats all others; nobody beats the mixture of {parts}"


def _match_lines(record: Record, sprt: Sprt | None) -> list[str]:
    """Say how a match ended."""
    from hsevo.strength.arena import pairs_table

    plan, row = record.lineup.plan, pairs_table(record).iloc[0]
    counts = record.counts[0, 1]
    percent = [f"{100 * row[name]:.2f}" for name in ("rate", "rate_low", "rate_high")]
    lines = [f"{row['agent']} against {row['opponent']}: {row['games']:,} games in"
             f" {row['games'] // 2:,} pairs, {len(plan.decks) ** 2} deck pairs, {plan.ruleset},"
             f" {plan.information}",
             f"  won {row['wins']:,}, drawn {row['draws']:,}, lost {row['losses']:,};"
             f" faults {row['faults']:,}{_fault(record)}",
             f"  rate  {percent[0]} % ({percent[1]} to {percent[2]})"]
    lines += [f"  {word:<6}{row[name]:+.1f} ({row[name + '_low']:+.1f} to"
              f" {row[name + '_high']:+.1f})" for word, name in (("Elo", "elo"), ("nElo", "nelo"))]
    lines.append("  pairs with 0, 0.5, 1, 1.5, 2 points: " + ", ".join(f"{n:,}" for n in counts))
    return lines + ([_sprt_line(sprt, counts)] if sprt else [])


def _fault(record: Record) -> str:
    """Say which game the engine refused first, if any."""
    seeds = record.rows["seed"][record.results["faults"] > 0]
    return f" (of hsevo; the first in the game of seed {seeds[0]})" if len(seeds) else ""


def _sprt_line(sprt: Sprt, counts: Any) -> str:
    low, high = sprt.bounds
    ends = {"H0": f"H0 accepted, {sprt.elo0:+g} Elo", "H1": f"H1 accepted, {sprt.elo1:+g} Elo"}
    says = ends.get(sprt.verdict(counts) or "", "not sure yet; more --games may tell")
    return (f"  LLR   {sprt.llr(counts):+.2f} ({low:+.2f} to {high:+.2f}) for {sprt.elo0:+g}"
            f" against {sprt.elo1:+g} Elo: {says}")
