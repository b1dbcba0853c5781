"""hsevo examine: an agent from near: what its weights are worth, and how it plays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsevo.cli.arena import plan_of, rules_options
from hsevo.cli.shared import FOLDER, best_of_run, names_run, playing, team_of, workers_options
from hsevo.cli.tables import paragraph, show_table
from hsevo.errors import ConfigError, RunError

if TYPE_CHECKING:
    from hsevo.analysis.examine import Examination
    from hsevo.config import Workers
    from hsevo.runs.folder import Run
    from hsevo.strength.arena import Lineup
    from hsevo.strength.rating import Estimate


EVA = "eva:2018"  # the opponent of who has no others


@click.command()
@click.argument("agent", metavar="RUN|AGENT")
@click.option("--against", metavar="A,B,...",
              help="Its opponents (hsevo agents lists some); default: those that it lived with in"
                   " the RUN, else eva:2018.")
@click.option("--games", type=int, metavar="N", default=1800, show_default=True,
              help="Of each weight at each of 11 values, at least.")
@click.option("--style-games", type=click.IntRange(1), metavar="N", default=360, show_default=True,
              help="To go through move by move, for how it plays; no more than --games.")
@click.option("--games-best", type=click.IntRange(1), default=200, show_default=True, metavar="N",
              help="Of a RUN: games a deck pair of every two of its last population, first.")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="Where to; an older examination there is replaced. Default: RUN/examined.")
@rules_options
@workers_options
def examine(agent: str, against: str | None, style_games: int, games_best: int, out: Path | None,
            workers: int | None, backend: str | None, **rules: Any) -> None:
    """Look at an agent from near: the landscape around it, and how it plays.

    \b
    hsevo examine runs/mine                     the best of a run, after its last population
                                                played again, against the others of that
    hsevo examine runs/mine --against eva:2018  against somebody that runs can be compared by
    hsevo examine eva:2018 --against eva:group-1,dl:miller --out eva-2018
    hsevo report runs/mine                      then draws what was found
    hsevo report --examined eva-2018            and this what was found of an agent

    The fitness landscape: each of the 21 weights alone is set to 0, 0.1 ... 1, the rest as it is.
    All variants play the same pairs of games, so that small differences show. A weight at 0 tells
    what it is worth; if no game goes otherwise without it, these decks don't use it.

    The style: what its turns are spent on, how much mana, whether it attacks heroes or minions, how
    soon it wins; its opponents' beside it.

    A RUN's rules and decks are its own, where the options below don't say otherwise.

    DIR has, at the end, landscape.csv (a row a variant, with 95 % intervals), turns.csv (a row a
    turn), games.csv, and examined.yaml (who, against whom, by which rules).
    """
    from hsevo.analysis import examine as examination

    team = team_of(workers, backend)
    names = against.split(",") if against else []
    path, run, of = _subject(agent, names, games_best, out, rules, team)
    with playing(examination.games(of, style_games), team) as (work, meter):
        found = examination.examine(work, of, style_games, meter.tick)
    found.write(path)
    _show(found)
    drawn = run.path if run and not out else f"--examined {path}"
    click.echo(f"\n{path}: landscape.csv, turns.csv, games.csv, examined.yaml; draw them with:"
               f" hsevo report {drawn}")


def _subject(agent: str, against: list[str], games_best: int, out: Path | None,
             rules: dict[str, Any], team: Workers) -> tuple[Path, Run | None, Lineup]:
    """Return where it goes to, the run if it is one, and who plays whom."""
    from hsevo.analysis import examine as examination
    from hsevo.runs.folder import Run
    from hsevo.strength.champions import last_population
    from hsevo.strength.roster import read_agents

    if not names_run(agent):
        if "/" in agent and not agent.startswith("eva:"):
            raise RunError(f"there is no run folder {agent}")
        read_agents([agent])  # before --out is asked for: who is nobody needs none
        if out is None:
            raise ConfigError("give --out DIR, a folder for the tables")
        examination.check_folder(out)
        plan = plan_of(agents=[agent], against=against or [EVA] * (agent != EVA), **rules)
        return out, None, examination.lineup(plan)
    path = out or Path(agent) / examination.FOLDER
    examination.check_folder(path)
    names = last_population(Run.open(Path(agent)))[0]
    anyone = next((one for one in names if f"eva:{agent}#{one}" not in against), names[0])
    _among_its_own(agent, anyone, against, rules)  # what is wrong is told before the games
    best = best_of_run(agent, games_best, team).rpartition("#")[2]
    return path, *_among_its_own(agent, best, against, rules)


def _among_its_own(path: str, name: str, against: list[str],
                   rules: dict[str, Any]) -> tuple[Run, Lineup]:
    """Return a run, and the line-up of one of it: by the run's rules where none are given."""
    from hsevo.analysis import examine as examination

    run, others = examination.companions(Path(path), name)
    own = {rule: getattr(run.config, rule) for rule in ("ruleset", "information", "max_turns")}
    given = {rule: value for rule, value in rules.items() if value is not None}
    own |= {"decks": ",".join(run.config.decks)} | given
    plan = plan_of(agents=[f"eva:{path}#{name}"], against=against or others or [EVA], **own)
    return run, examination.lineup(plan, None if "decks" in given else run)


def _show(found: Examination) -> None:
    from hsevo.analysis.profile import shares

    itself = found.landscape.iloc[0]
    click.echo(f"{found.agent} against {_whom(found.plan.against)}: {itself['games']:,} games of"
               f" each variant, rate {100 * itself['rate']:.2f} % ({100 * itself['rate_low']:.2f}"
               f" to {100 * itself['rate_high']:.2f})\n")
    without = found.landscape[found.landscape["value"] == 0].sort_values("lead", kind="stable")
    heads = ["weight", "its value", "without it", "points", "95 %", "games otherwise"]
    show_table(heads, [(row["weight"], f"{row['own']:.3f}", f"{100 * row['rate']:.2f} %",
                        f"{100 * row['lead']:+.2f}",
                        f"{100 * row['lead_low']:+.2f} to {100 * row['lead_high']:+.2f}",
                        f"{100 * row['changed']:.1f} %") for row in without.to_dict("records")],
               right=heads[1:])
    click.echo(paragraph("points: of the win rate, that the agent with that weight at 0 has more"
                         " than as it is; of 21 such intervals one misses 0 by luck alone. games"
                         " otherwise: pairs of games that went any other way.", "", ""))
    click.echo()
    styles = shares(found.turns, found.games, found.agent)
    heads = ["how it plays", "", "95 %", "its opponents", "95 % "]
    show_table(heads, [(one.says, *_cells(one.own, one.unit), *_cells(one.others, one.unit))
                       for one in styles], right=heads[1:])


def _cells(found: Estimate, unit: str) -> tuple[str, str]:
    ends = found.value, found.low, found.high
    value, low, high = ("" if end != end else f"{100 * end:.1f}" if unit else f"{end:.2f}"
                        for end in ends)
    return f"{value} {unit}".strip(), f"{low} to {high}" if low else ""


def _whom(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} opponents"
