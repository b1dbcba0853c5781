"""hsevo bench: speed, compile time and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo import benches, play
from hsevo.cli.completion import AGENTS
from hsevo.cli.lines import tell
from hsevo.cli.shared import (
    json_option,
    print_json,
    split,
)
from hsevo.cli.tables import say, show_table

if TYPE_CHECKING:
    pass


@click.command()
@click.option("--seconds", type=click.FloatRange(0.1), default=10.0, show_default=True,
              help="Seconds to measure speeds. Compile time and start time take another minute.")
@click.option("--agents", metavar="A,B,...", shell_complete=AGENTS,
              help="Measure these agents instead. The name of a panel stands for all its agents.")
@click.option("--generation", is_flag=True,
              help="Measure a whole generation, and compute the gain from more workers.")
@click.option("--environment", is_flag=True,
              help="Measure the learning environments with random play.")
@click.option("--kernel", is_flag=True,
              help="Measure the parts of a simulated action: copy, rules, score, and legal moves.")
@json_option
def bench(seconds: float, agents: str | None, generation: bool, environment: bool, kernel: bool,
          as_json: bool) -> None:
    """Measure games per second, compile time, start time and memory.

    Do not run other programs at the same time. Speeds are medians of five repetitions, per second
    of CPU time of one core. With --agents, each agent plays against itself, and the column
    simulated/s counts the actions that the agent simulates.

    hsevo also times a fixed loop, the reference kernel, which depends only on your machine. You get
    a warning if the speed relative to this loop differs by more than 5 % from the stored baseline.

    \b
    hsevo bench
    hsevo bench --agents panel-2026 --seconds 60
    hsevo bench --agents random,eva:2018,gsv
    hsevo bench --generation
    hsevo bench --environment
    hsevo bench --kernel
    """
    report = hsevo.bench(None if agents is None else split(agents), seconds=seconds,
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
    dask = parts["dask_job_ms"] is not None
    if dask:
        say(f"each block of games with Dask {parts['dask_job_ms']:.1f} ms of the main process")
    say("calculated from these, for a generation of 34,200 games:")
    heading = ("workers", "seconds", "speed-up", "speed-up with Dask")[:4 if dask else 3]
    show_table(heading, [(f"{row['workers']}", f"{row['seconds']:.2f}", f"{row['speedup']:.1f}",
                          f"{row['dask_speedup'] or 0:.1f}")[:len(heading)]
                         for row in parts["calculated"]], heading)


def _show_environment(report: Any) -> None:
    show_table(("figure", "median", "lowest to highest"),
               [(name, number(figure["value"]), _range(figure))
                for name, figure in report["environment"].items()],
               ("median", "lowest to highest"))


def _show_kernel(report: Any) -> None:
    show_table(("part", "actions", "ns per action"),
               [(name, f"{part['actions']:,}", f"{part['ns']:.0f}")
                for name, part in report["kernel"].items()], ("actions", "ns per action"))


def _show_agents(report: Any) -> None:
    heads = ("agent", "games/s", "lowest to highest", "decisions/s", "simulated/s")
    names, rows = play.short_names(report["agents"]), []
    for spec, figures in report["agents"].items():
        games, *rest = figures.values()
        rows.append((names[spec], number(games["value"]), _range(games),
                     *(f"{figure['value']:,.0f}" for figure in rest)))
    show_table(heads, rows, heads[1:], ("lowest to highest", "simulated/s", "decisions/s"))
    for line in play.legend(names):
        say(line)


def _range(figure: Any) -> str:
    low, high = figure["min"], figure["max"]
    return f"{number(low)} to {number(high)}" if low < high else ""


def number(value: float) -> str:
    """Return a figure with as many digits as mean something."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:,.2f}"
