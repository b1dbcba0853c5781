"""Commands that play games outside of a run: tournament, bench."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsevo import api, benches, play
from hsevo.cli.completion import AGENTS, KINDS
from hsevo.cli.lines import tell
from hsevo.cli.shared import (
    FOLDER,
    given,
    json_option,
    print_json,
    rate,
    repeatable,
    rules_options,
    so_far,
    split,
    workers_options,
)
from hsevo.cli.tables import say, show_table
from hsevo.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 10  # agents of a tournament that was stopped


@click.command()
@click.option("--agents", type=FOLDER, required=True, metavar="FILE",
              help="Weight vectors: CSV with the paper's acronyms as columns, YAML, or '#' lines.")
@click.option("--agent", "kind", default="eva", show_default=True, metavar="KIND",
              shell_complete=KINDS,
              help="The kind of these agents (hsevo agents lists kinds).")
@click.option("--games-per-pair", "games", type=int, default=20, show_default=True, metavar="N",
              help="Games per pair of decks, for every two agents.")
@click.option("--out", type=FOLDER, required=True, metavar="DIR", help="A new folder.")
@rules_options
@workers_options
@json_option
def tournament(agents: Path, kind: str, out: Path, workers: int | None, backend: str | None,
               as_json: bool, **rules: Any) -> None:
    """Play a round robin of weight vectors over all pairs of decks.

    Writes to DIR: agents.csv (agent, wins, draws, losses, rate, and low and high, its 95 %
    interval), deck_pairs.csv (each agent with each of its decks against each deck), matches.csv
    (every match, with its seed), and tournament.yaml (the rules). A tournament that was stopped
    continues with the same command. The ruleset cig2018-as-run wants the deck mage-21: its
    simulator lacked nine cards of mage.

    \b
    hsevo tournament --agents final_populations.csv --out published
    hsevo tournament --agents mine.yaml --decks mage,my.txt --out mages
    hsevo tournament --agents mine.csv --ruleset cig2018-as-run \\
                     --information leaky --decks warrior,shaman,mage-21 \\
                     --max-turns 1000 --out as-run
    hsevo report --agents mine.csv --tournament as-run      draw the result
    """
    from hsevo.agents.genomes.weights import read_weights
    from hsevo.agents.registry import genome_of

    names, weights = read_weights(agents, genome_of(kind))
    if len(names) < 2:
        raise ConfigError(f"{agents} holds one agent; a tournament needs two")
    players = [api.Agent.of_vector(vector, name, kind)
               for name, vector in zip(names, weights, strict=True)]
    with repeatable(out), so_far(_show, as_json):
        result = api.tournament(players, out=out, workers=workers, backend=backend,
                                progress=True, **given(**rules))
    if as_json:
        print_json(result)
        return
    say(f"{result.matches['games'].sum():,} games, {result.speed:,.0f} games/s:"
        f" {out}/agents.csv and {out}/deck_pairs.csv\nbest: {rate(_ranking(result).iloc[0])}")


def _show(result: api.TournamentResult) -> None:
    """Print what is known of a tournament that was stopped, or could not be written."""
    n, decks = len(result.ranking), len(result.plan.decks)
    whole = len(result.matches) == n * (n - 1) // 2 * decks**2
    say(f"{'' if whole else 'so far, '}{result.matches['games'].sum():,} games"
        f"{'' if whole else ', in which not everyone has met everyone'}:")
    for row in _ranking(result).dropna(subset="rate").head(SHOWN).to_dict("records"):
        say(f"  {rate(row)}")


def _ranking(result: api.TournamentResult) -> pd.DataFrame:
    """Return the agents of a tournament, best first, with short names."""
    table = result.ranking
    return table.assign(agent=table["agent"].map(play.short_names(table["agent"])))


@click.command()
@click.option("--seconds", type=click.FloatRange(0.1), default=10.0, show_default=True,
              help="Time to measure speeds; compiling and starting take a minute more.")
@click.option("--agents", metavar="A,B,...", shell_complete=AGENTS,
              help="Measure these agents instead; panel-2026: all of hsevo benchmark's panel.")
@click.option("--generation", is_flag=True,
              help="Measure a generation besides its games; calculate what more workers save.")
@click.option("--environment", is_flag=True,
              help="Measure the environments for learners: steps of random play.")
@click.option("--kernel", is_flag=True,
              help="Measure the parts of a simulated action: copy, rules, score, legal moves.")
@json_option
def bench(seconds: float, agents: str | None, generation: bool, environment: bool, kernel: bool,
          as_json: bool) -> None:
    """Measure games per second, compile time, start time and memory.

    Nothing else should run meanwhile. Speeds are medians of five rounds, per second of CPU time of
    one core. With --agents, each agent plays against itself; simulated are the actions that it
    examines: on a copy of the game, or, if nothing can answer, by calculation.

    A line warns if games per step of the reference kernel differ by more than 5 % from those of the
    stored baseline.

    \b
    hsevo bench
    hsevo bench --agents panel-2026 --seconds 60
    hsevo bench --agents random,eva:2018,gsv
    hsevo bench --generation
    hsevo bench --environment
    hsevo bench --kernel
    """
    report = api.bench(None if agents is None else split(agents), seconds=seconds,
                       generation=generation, environment=environment, kernel=kernel,
                       progress=True)
    if "baseline" in report and (line := benches.warning(report)):
        tell(line)
    if as_json:
        print_json(report)
        return
    show = (_show_environment if environment else _show_generation if generation
            else _show_kernel if kernel else _show_agents if agents else _show_figures)
    show(report)
    for name, value in report["machine"].items():
        say(f"{name:<10}{value}")


def _show_figures(report: Any) -> None:
    show_table(("figure", "median", "unit", "lowest to highest"),
               [(name, number(figure["value"]), benches.UNITS[name], _range(figure))
                for name, figure in report["figures"].items()],
               ("median", "lowest to highest"), ("lowest to highest", "unit"))


def _show_generation(report: Any) -> None:
    parts = report["generation"]
    say(f"between two generations {parts['serial_ms']:.1f} ms; a commit"
        f" {parts['commit_ms']:.1f} ms, beside the games; each block of games"
        f" {parts['job_ms']:.2f} ms; {parts['games_per_second_per_core']:,.0f} games/s a core")
    say("calculated from these, for a generation of 34,200 games:")
    show_table(("workers", "seconds", "speed-up"),
               [(f"{one['workers']}", f"{one['seconds']:.2f}", f"{one['speedup']:.1f}")
                for one in parts["calculated"]], ("workers", "seconds", "speed-up"))


def _show_environment(report: Any) -> None:
    show_table(("figure", "median", "lowest to highest"),
               [(name, number(figure["value"]), _range(figure))
                for name, figure in report["environment"].items()],
               ("median", "lowest to highest"))


def _show_kernel(report: Any) -> None:
    show_table(("part", "actions", "ns an action"),
               [(name, f"{part['actions']:,}", f"{part['ns']:.0f}")
                for name, part in report["kernel"].items()], ("actions", "ns an action"))


def _show_agents(report: Any) -> None:
    heads = ("agent", "games/s", "lowest to highest", "decisions/s", "simulated/s")
    names, rows = play.short_names(report["agents"]), []
    for spec, figures in report["agents"].items():
        games, *rest = figures.values()
        rows.append((names[spec], number(games["value"]), _range(games),
                     *(f"{one['value']:,.0f}" for one in rest)))
    show_table(heads, rows, heads[1:], ("lowest to highest", "simulated/s", "decisions/s"))
    for line in play.legend(names):
        say(line)


def _range(figure: Any) -> str:
    low, high = figure["min"], figure["max"]
    return f"{number(low)} to {number(high)}" if low < high else ""


def number(value: float) -> str:
    """Return a figure with as many digits as mean something."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:,.2f}"
