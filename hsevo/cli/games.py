"""Commands that play games outside of a run: tournament, bench."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsevo.cli.shared import FOLDER, playing, rate, read_decks, warm_up, workers_options
from hsevo.errors import ConfigError

if TYPE_CHECKING:
    from hsevo.config import Config


@click.command()
@click.option("--agents", type=FOLDER, required=True, metavar="FILE",
              help="Weight vectors: CSV with the paper's acronyms as columns, YAML, or '#' lines.")
@click.option("--ruleset", default="cig2018", show_default=True, metavar="NAME")
@click.option("--information", default="fair", show_default=True, metavar="fair|leaky",
              help="May the look-ahead see what a player can't?")
@click.option("--games", type=int, default=20, show_default=True, metavar="N",
              help="Games a deck pair, of every two agents.")
@click.option("--decks", metavar="A,B,...", default="warrior,shaman,mage", show_default=True,
              help="Names, paths or deck codes; with cig2018-as-run, take mage-21.")
@click.option("--max-turns", type=int, default=89, show_default=True, metavar="N")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--out", type=FOLDER, required=True, metavar="DIR")
@workers_options
def tournament(agents: Path, out: Path, workers: int | None, backend: str | None, decks: str,
               **rules: Any) -> None:
    """Play a round robin of agents over all deck pairs.

    Writes agents.csv (agent, wins, draws, losses, rate, low, high: a 95 % interval), deck_pairs.csv
    (each agent with each deck against each deck) and matches.csv (who met whom, with the seed) to
    DIR, and the rules to tournament.yaml. hsevo report --agents FILE --tournament DIR draws it.

    \b
    hsevo tournament --agents final_populations.csv --games 20 --out published
    hsevo tournament --agents mine.yaml --decks mage,my-deck.txt --games 1000 --out mages
    hsevo tournament --agents mine.csv --ruleset cig2018-as-run --information leaky
                     --decks warrior,shaman,mage-21 --max-turns 1000 --out as-run
    """
    from hsevo.agents.weights import read_weights
    from hsevo.config import change, load

    settings = {"decks": decks.split(","), "workers.count": workers, "workers.backend": backend}
    plan = change(load("cig2018"), {"name": "tournament", **rules, **settings})
    names, weights = read_weights(agents)
    if len(names) < 2:
        raise ConfigError(f"{agents} holds one agent; a tournament needs two")
    _tournament(plan, names, weights, out)


@click.command()
@click.option("--seconds", type=click.FloatRange(0.1), default=10.0, show_default=True,
              help="Time for the speeds; compiling and starting take a minute more.")
@click.option("--agents", metavar="A,B,...",
              help="Measure these instead; panel-2026 means all of the panel of hsevo benchmark.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def bench(seconds: float, agents: str | None, as_json: bool) -> None:
    """Measure games a second, compile time, start, memory; nothing else should run meanwhile.

    Speeds are medians of five rounds, per second of CPU time of one core. Of --agents, each
    against itself, they are games, decisions, and actions that it tried out on a copy of the game.

    \b
    hsevo bench
    hsevo bench --agents panel-2026 --seconds 60
    hsevo bench --agents random,eva:2018,gsv
    """
    import json

    from hsevo.strength import bench as benches

    warm_up()
    if agents is not None:
        report, text = benches.measure_agents(_named(agents), seconds), benches.agents_text
    else:
        report = benches.measure(seconds, lambda line: click.echo(line, err=True))
        text = benches.text
    click.echo(json.dumps(report, indent=1) if as_json else text(report))


def _named(agents: str) -> list[str]:
    """Return the specs between commas, and those of the panel for its name."""
    from hsevo.strength.benchmark import NAME, read_plan

    return [spec for part in agents.split(",")
            for spec in (read_plan().agents if part == NAME else [part])]


def _tournament(plan: Config, names: Sequence[str], weights: Any, out: Path) -> None:
    from hsevo import config
    from hsevo.agents.agent import eva
    from hsevo.files import probe, refuse_full, write_whole, writing
    from hsevo.play import match
    from hsevo.play import tournament as games

    decks = read_decks(plan)
    refuse_full(out)
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    probe(out / "agents.csv")
    rules = match.Setting(ruleset=plan.ruleset, decks=tuple(decks), information=plan.information,
                          max_turns=plan.max_turns)
    pairings = games.round_robin(range(len(names)), len(decks), plan.games, (plan.seed,))
    try:
        with playing(int(pairings["games"].sum(dtype="i8")), plan.workers) as (work, meter):
            results = games.play(work, pairings, eva(weights), rules, meter.tick)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("; its games are lost, and nothing was written (hsevo arena writes"
                                " every game and can go on)") from None
    ranking = games.agents_table(names, games.tally(pairings, results, len(names)))
    games.write_table(out / "agents.csv", ranking)
    games.write_table(out / "deck_pairs.csv",
                      games.deck_pairs_table(names, decks, pairings, results))
    games.write_table(out / "matches.csv", games.matches_table(names, decks, pairings, results))
    write_whole(out / "tournament.yaml", config.dump(plan).encode())
    click.echo(f"{meter.done:,} games, {meter.speed:,.0f} games/s: {out}/agents.csv and"
               f" {out}/deck_pairs.csv\nbest: {rate(ranking.iloc[0])}")
