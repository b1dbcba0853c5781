"""hsevo examine: what the weights of an agent are worth, and how it plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo import analysis, play, strength
from hsevo.cli.benchmark import names_run
from hsevo.cli.completion import AGENTS, RUN_OR_AGENT
from hsevo.cli.shared import (
    FOLDER,
    games_best_option,
    given,
    json_option,
    losing,
    plan_options,
    print_json,
    rate,
    rules_options,
    so_far,
    split,
    workers_options,
)
from hsevo.cli.tables import paragraph, say, show_table
from hsevo.errors import ConfigError, RunError

if TYPE_CHECKING:
    from hsevo.config.models import Backend


@click.command()
@click.argument("agent", metavar="RUN|AGENT", shell_complete=RUN_OR_AGENT)
@click.option("--against", metavar="A,B,...", shell_complete=AGENTS,
              help="Opponents (see hsevo agents). Default: the opponents of the RUN, or eva:2018"
                   " for an AGENT (eva:group-1 for eva:2018 itself).")
@plan_options("examine")
@click.option("--style-games", type=click.IntRange(1), metavar="N", default=360, show_default=True,
              help="Number of games to analyse move by move for the playing style.")
@games_best_option
@click.option("--out", type=FOLDER, metavar="DIR",
              help="Output folder. An older examination in it is replaced. Default: RUN/examined.")
@rules_options
@workers_options
@json_option
def examine(agent: str, against: str | None, style_games: int, games_best: int, out: Path | None,
            workers: int | None, backend: Backend | None, as_json: bool, **rules: Any) -> None:
    """Measure the value of each weight of an agent, and its playing style.

    \b
    hsevo examine runs/mine                     the best agent of a run
    hsevo examine runs/mine --against eva:2018  against a fixed opponent
    hsevo examine eva:2018 --against eva:group-1,dl:miller --out eva-2018
    hsevo report runs/mine                      figures of the results
    hsevo report --examined eva-2018            figures for a single agent

    For a RUN, the last population first plays more games to find the best agent. Opponents, rules
    and decks are as in the run unless you set them. AGENT may belong to any agent family with
    weights. For a learned agent (rl:RUN), hsevo measures only the playing style.

    For the fitness landscape, hsevo sets each weight in turn to 11 values from its lowest to its
    highest value. All variants play games with the same seeds and decks. The value of a weight is
    the win rate that the agent loses if the weight is 0. If no game changes, the weight has no
    effect with these decks.

    The playing style compares the agent with its opponents: use of mana, attacks, and length of won
    games.

    DIR contains landscape.csv (a row per variant, with 95 % intervals), turns.csv (a row per turn),
    games.csv and examined.yaml.
    """
    if not names_run(agent):
        _refuse_no_folder(agent, out)
    path = out or Path(agent) / analysis.FOLDER
    run = hsevo.Run(agent) if names_run(agent) else None
    with (losing("its games are lost. Run the command again to start over"),
          so_far(_show, as_json)):
        examined = hsevo.examine(run or agent, against=split(against), profile_games=style_games,
                                 games_best=games_best, out=path, workers=workers, backend=backend,
                                 progress=True, chosen=_print_best,
                                 **given(**rules) | _decks(rules))
    if as_json:
        print_json(examined)
        return
    _show(examined)
    drawn = run.path if run and not out else f"--examined {path}"
    say(f"\n{path}: landscape.csv, turns.csv, games.csv, examined.yaml; draw them with:"
        f" hsevo report {drawn}")


def _decks(rules: dict[str, Any]) -> dict[str, Any]:
    return {} if rules["decks"] is None else {"decks": split(rules["decks"])}


def _refuse_no_folder(agent: str, out: Path | None) -> None:
    """Raise an error if `agent` names neither a run nor an agent, or if --out is missing."""
    from hsevo.agents.registry import kind_name

    if "/" in agent and not kind_name(agent):
        raise RunError(f"there is no run folder {agent}")
    # before asking for --out: an unknown agent needs none
    strength.read_agent(agent, compiled=False)
    if out is None:
        raise ConfigError("give --out DIR, a folder for the tables")


def _print_best(champion: Any) -> None:
    say(f"new games of the last population; best: {rate(champion.ranking.iloc[0])}", err=True)


def _show(examined: analysis.Examination) -> None:
    from hsevo.cards.decks import read_deck
    from hsevo.learning.run import unlearned

    names = play.short_names([examined.agent, *examined.plan.against])
    itself, each = examined.landscape.iloc[0], " of each variant" if examined.weights else ""
    say(f"{names[examined.agent]} against {_whom(examined.plan.against, names)}:"
        f" {itself['games']:,} games{each}, rate {100 * itself['rate']:.2f} %"
        f" ({100 * itself['rate_low']:.2f} to {100 * itself['rate_high']:.2f})\n\n")
    if examined.weights:
        _show_worth(examined)
    styles = analysis.shares(examined.turns, examined.games, examined.agent)
    heads = ["how it plays", "agent", "agent 95 %", "opponents", "opponents 95 %"]
    show_table(heads, [(style.says, *_cells(style.own, style.unit),
                        *_cells(style.others, style.unit))
                       for style in styles], heads[1:], ["opponents 95 %", "opponents"])
    shown = names if len(names) == 2 else {examined.agent: names[examined.agent]}
    for line in play.legend(shown):
        say(line)
    for spec, name in names.items():
        if note := unlearned(spec, map(read_deck, examined.plan.decks)):
            say(f"{name} {note}")


def _show_worth(examined: analysis.Examination) -> None:
    table = examined.landscape
    without = table[table["value"] == 0].sort_values("lead", kind="stable")
    heads = ["weight", "its value", "without it", "without it 95 %", "points", "points 95 %",
             "games changed"]
    show_table(heads, [(row["weight"], f"{row['own']:.3f}", f"{100 * row['rate']:.2f} %",
                        f"{100 * row['rate_low']:.2f} to {100 * row['rate_high']:.2f}",
                        f"{100 * row['lead']:+.2f}",
                        f"{100 * row['lead_low']:+.2f} to {100 * row['lead_high']:+.2f}",
                        f"{100 * row['changed']:.1f} %") for row in without.to_dict("records")],
               heads[1:], ["its value", "games changed", ["without it", "without it 95 %"]])
    click.echo(paragraph("points: percentage points that the win rate gains when the weight is 0;"
                         " expect about one false positive among 20 such intervals. games"
                         " changed: pairs of games that went differently.", "", ""))
    click.echo()


def _cells(estimate: strength.Estimate, unit: str) -> tuple[str, str]:
    ends = estimate.value, estimate.low, estimate.high
    value, low, high = ("" if end != end else f"{100 * end:.1f}" if unit else f"{end:.2f}"
                        for end in ends)
    return f"{value} {unit}".strip() if value else "", f"{low} to {high}" if low else ""


def _whom(opponents: Sequence[str], names: Mapping[str, str]) -> str:
    first, *more = opponents
    return f"{len(opponents)} opponents" if more else names[first]
