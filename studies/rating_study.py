"""What the settings of `rating:` save: rate a run's generation again and again, in each way.

    python -m studies.rating_study RUN --generation 99 --repeats 30

The field of the generation (parents and offspring) is first rated with very many games: its true
strengths. Then each way of rating picks the best mu of it, so often with seeds of its own. Printed
are, with 95 % intervals over the repeats: the games it took, how many of the true best mu it
picked, and its loss: how much weaker, in points of the win rate, its picks are on average than the
true best mu (picking blindly loses what is shown in the first line).
"""

from pathlib import Path

import click
import numpy as np

from hsevo.agents.shared.agent import eva
from hsevo.config import Workers, change
from hsevo.evolution import fitness
from hsevo.play import match, tournament
from hsevo.play.workers import open_workers
from hsevo.runs.folder import RunFolder
from hsevo.runs.tables import individuals

WAYS = {
    "paper": {},
    "half the games": {"games": 10},
    "common random numbers": {"rating.common_random_numbers": True},
    "racing, 5 rounds, 95 %": {"rating.racing.rounds": 5},
    "racing, 5 rounds, 80 %": {"rating.racing.rounds": 5, "rating.racing.confidence": 0.8},
    "racing, 5 rounds, 50 %": {"rating.racing.rounds": 5, "rating.racing.confidence": 0.5},
    "common, racing 5, 80 %": {"rating.racing.rounds": 5, "rating.racing.confidence": 0.8,
                               "rating.common_random_numbers": True},
}


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--generation", type=int, required=True)
@click.option("--repeats", type=int, default=30)
@click.option("--truth", type=int, default=600, help="Games a deck pair of the true strengths.")
@click.option("--workers", type=int)
def main(path: Path, generation: int, repeats: int, truth: int, workers: int | None) -> None:
    """Print the table."""
    run = RunFolder(path)
    field = individuals(run.table(run.names[0]), 1, generation)
    agents = eva(np.ascontiguousarray(field["weights"]))
    mu, n = run.config.evolution.mu, len(field)
    nobody = fitness.Others(field[:0], np.zeros(0))
    with open_workers(Workers(count=workers)) as executor:
        def play(number: int, pairings: np.ndarray, players: np.ndarray) -> np.ndarray:
            return tournament.play(executor, pairings, agents, run.setting)

        def rate(settings: dict[str, object], seed: int) -> fitness.RatedField:
            plan = change(run.config, {"seed": seed, "games": 20, **settings})
            return fitness.rate(plan, 1, generation, field.copy(), nobody, play)

        strength = 100 * rate({"games": truth}, 2**40).fitness / ((n - 1) * 9 * truth)
        best = np.sort(strength)[-mu:].mean()
        error = 100 * 0.5 / np.sqrt((n - 1) * 9 * truth)
        click.echo(f"{path}, generation {generation}: strengths {strength.min():.2f} to"
                   f" {strength.max():.2f} %, each +- {1.96 * error:.2f}; picking blindly loses"
                   f" {best - strength.mean():.2f} points")
        click.echo(f"{'way':<26}{'games':>9}{'+-':>6}{'of the best':>13}{'+-':>6}{'loss':>8}"
                   f"{'+-':>6}")
        for way, settings in WAYS.items():
            told = [_judge(rate(settings, seed), strength, mu, best) for seed in range(repeats)]
            means = np.mean(told, axis=0)
            wide = 1.96 * np.std(told, axis=0, ddof=1) / np.sqrt(repeats)
            click.echo(f"{way:<26}{means[0]:>9,.0f}{wide[0]:>6,.0f}{means[1]:>13.2f}"
                       f"{wide[1]:>6.2f}{means[2]:>8.3f}{wide[2]:>6.3f}")


def _judge(rated: fitness.RatedField, strength: np.ndarray, mu: int, best: float) -> list[float]:
    """Return games, how many of the true best were picked, and the loss."""
    picked = np.argsort(-rated.fitness, kind="stable")[:mu]
    right = np.isin(picked, np.argsort(-strength)[:mu]).sum()
    return [float(rated.pairings["games"].sum()), float(right), best - strength[picked].mean()]


if __name__ == "__main__":
    match.warm_up()
    main()
