"""Commands about an evolution: evolve, export-best."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import hsevo
from hsevo import config, runs, strength
from hsevo.cli.completion import CONFIGS, RUNS
from hsevo.cli.experiments import complete, run_options
from hsevo.cli.shared import (
    FOLDER,
    json_option,
    print_json,
    rate,
    trust_option,
    workers_options,
)
from hsevo.cli.tables import say
from hsevo.errors import RunError
from hsevo.files import probe, write_whole


@click.command()
@run_options("evolve", CONFIGS, "evolution.mu=20", "games")
@trust_option
def evolve(**options: Any) -> None:
    """Evolve the weights of an agent into a run folder.

    \b
    hsevo evolve --config cig2018                  the paper's experiment
    hsevo evolve --config cig2018 --executions 10  ten independent evolutions
    hsevo evolve --config cig2018 --set games=40 --set evolution.mu=20 --seed 7
    hsevo evolve --config cig2018 --set agent=dl   another agent family
    hsevo evolve --config cig2018 --set 'references.against=[eva:2018]'
    hsevo evolve --config cig2018 --set 'references.against=[py:bot.py#f]'
    hsevo evolve --config cig2018 --set rating.racing.rounds=5
    hsevo evolve --config cig2018 --set evolution.strategy=py:mine.py#MyEs
    hsevo evolve --config cig2018 --set rating.fitness=py:mine.py#rate
    hsevo evolve --config mine.yaml --backend dask \\
                 --set workers.scheduler=tcp://host:8786
    hsevo evolve --config cig2018 --log tensorboard
    hsevo evolve --config cig2018 --minutes 10
    hsevo evolve --resume runs/cig2018-seed-2018-20180817-120000
    hsevo evolve --resume RUN --generations 60     extend it

    Fitness is relative to the population. With references.against, hsevo also measures the best
    agent of every tenth generation against external reference opponents (references.csv). hsevo
    config show cig2018 explains the keys of the paper's experiment.

    In these examples, MyEs is your own class with the methods ask and tell. It may also have the
    methods best (the weights that you recommend) and log (numbers for statistics.csv). rate is your
    own function, which computes fitness from the results of games. The docs page "Your own
    experiment" describes both.

    Results are bit-identical with any number of workers and any backend. --resume continues a
    stopped or killed run with the same result. --resume RUN --generations N gives the same result
    as a run that was planned with N generations.

    Logs do not change results. --resume RUN --log tensorboard also writes the log of a finished
    run.
    """
    complete(hsevo.Run, "give --config NAME_OR_PATH (shipped:"
             f" {', '.join(config.names('configs'))}), or --resume RUN", _print_run, **options)


@click.command("export-best")
@click.argument("path", metavar="RUN", type=FOLDER, shell_complete=RUNS)
@click.option("--games-per-pair", "games", type=click.IntRange(1), metavar="N", default=200,
              show_default=True,
              help="Games of every two agents of the last population, for each pair of decks.")
@click.option("--format", "kind", type=click.Choice(["yaml", "csv", "sabberstone"]),
              default="yaml", show_default=True,
              help="Format of the weights. sabberstone is the competition's string with '#'.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write to this file instead of stdout.")
@workers_options
@json_option
def export_best(path: Path, games: int, kind: str, output: Path | None, workers: int | None,
                backend: str | None, as_json: bool) -> None:
    """Find the best agent of a run and print its weights.

    The fitness of one generation includes luck. Therefore the last population plays more games with
    new seeds, and hsevo selects the best agent by these games. The weights go to stdout (or FILE).
    The win rate and its 95 % interval go to stderr.

    \b
    hsevo export-best RUN > best.yaml
    hsevo export-best RUN --games-per-pair 1000 --output best.yaml
    hsevo export-best RUN --format sabberstone --output best.txt
    """
    from hsevo.agents.genomes.weights import check_format, format_weights

    run = hsevo.Run(path)
    check_format(kind, run.genome.whole or run.genome)  # before the games
    if output is not None:
        probe(output)
    best = run.champion(games, workers=workers, backend=backend, progress=True)
    say(_judgement(best.best), err=True)
    text = format_weights(kind, [best.best.name], best.best.weights[None], best.best.genome)
    try:
        if output is not None:
            write_whole(output, text.encode())
    except RunError:
        click.echo(text, nl=False)  # the games are played: the answer is not to be lost
        raise
    if as_json:
        print_json(best)
    elif output is None:
        click.echo(text, nl=False)


def _print_run(run: hsevo.Run) -> None:
    """Print where the run is and the best of its last generation, with its weights named."""
    names, rows = strength.last_population(run)
    best = strength.fittest(names, rows)
    games = sum(int(rows[name][best]) for name in ("wins", "draws", "losses"))
    counts = not (run.config.rating.in_percent or run.config.rating.fitness)
    source = (" (estimated from its race)" if run.config.rating.racing else
              f" in {games:,} games" * counts)
    how = "your strategy recommends" if run.methods.recommends else "best of the last generation"
    say(f"run folder: {run.path}\n{how}: {names[best]}, with"
        f" {runs.fitness_text(run.config, rows['fitness'][best])}{source}")
    glossary = run.genome.glossary
    width = max(map(len, glossary)) + 1
    for (name, meaning), weight in zip(glossary.items(), rows["weights"][best], strict=True):
        say(f"  {name:<{width}}{weight:.4f}  {meaning}")
    for line in _measured(run):
        say(line)
    if len(elites := run.archive):
        row = elites.iloc[0]
        value, low, high = (100 * row[f"last_{name}"] for name in ("rate", "rate_low", "rate_high"))
        say(f"map: {len(elites)} elites, with their weights and rates in new games, are in"
            f" {run.path / 'archive.csv'}; the first is individual {row['individual']:.0f}, with"
            f" {value:.1f} % ({low:.1f} to {high:.1f}) of {row['last_games']:,.0f} new games")
    if run.config.executions > 1 and run.config.rating.coevolves:
        say("Executions have different opponents, so you can't compare their wins.")
    say(f"One generation's fitness is partly luck. To name the best after more games:"
        f"\n  hsevo export-best {run.path}")


def _measured(run: hsevo.Run) -> Iterator[str]:
    """Yield the rates of the last generation's best against each reference opponent."""
    table = run.references
    for row in table[table["generation"] == table["generation"].max()].to_dict("records"):
        who = f"execution {row['execution']}, " * (run.config.executions > 1)
        value, low, high = (100 * row[f"rate{end}"] for end in ("", "_low", "_high"))
        yield (f"{who}individual-{row['individual']} against {row['opponent']}: {value:.1f} %"
               f" ({low:.1f} to {high:.1f}) of {row['games']:,} new games")


def _judgement(best: strength.Best) -> str:
    """Return which agent is best, which is second, and whether the difference is significant."""
    lines = [f"best: {rate(best.table.iloc[0])}"]
    if len(best.table) > 1:
        lines.append(f"next: {rate(best.table.iloc[1])}")
        lines.append(f"{best.z:.1f} standard errors apart: "
                     + ("the best is separable from the next" if best.separable else
                        "not separable (1.96 are needed); more --games-per-pair may help"))
    if best.table["rate"].notna().all():  # it was not alone
        lines.append(f"these games are new, against {best.against}")
        lines.append(_luck(best))
    return "\n".join(lines)


def _luck(best: strength.Best) -> str:
    """Return how the run itself rated its best, beside their rate in new games."""
    several = len(best.favourites) > 1
    who = f"the bests of the {len(best.favourites)} executions" if several else best.favourites[0]
    luck = "" if best.optimism is None else f": {100 * best.optimism:+.2f} points by luck"
    return (f"{who}, by the last generation's fitness, won {100 * best.run_rate:.2f} % there"
            f" against {best.run_against}, and {100 * best.fresh_rate:.2f} % in these games{luck}")
