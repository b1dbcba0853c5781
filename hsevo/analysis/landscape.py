"""The fitness landscape around an agent: each of its weights changed alone.

    variants(genome, weights) --> k x 11 vectors --landscape() over workers--> a row a variant

All variants play the very same pairs of games (lineup.py) as the agent itself, against the same
opponents: what luck decides is in all of them, so that a difference of two points shows after a
few hundred pairs. The values go from the lowest to the highest that the genome allows. The row of
a weight at 0 is its ablation: what the agent does without it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from hsevo.agents.genomes.decks import joined
from hsevo.agents.genomes.genome import Genome
from hsevo.agents.registry import EVOLVED, KINDS, NET, ROSTER, genome_of, kind_name
from hsevo.errors import AgentError
from hsevo.play.tournament import refuse_faults
from hsevo.play.workers import Executor, OnGames
from hsevo.strength import rating
from hsevo.strength.lineup import Lineup, estimate_columns, pentanomials, play, schedule
from hsevo.strength.rating import Estimate
from hsevo.strength.roster import Named, read_spec
from hsevo.types import Array

Build: TypeAlias = Callable[[Array], Array]  # vectors (n, k) -> AGENT (n,) or (n, d, d)
GRID = tuple(k / 10 for k in range(11))  # of the way from a weight's lowest value to its highest
LEAD = ["lead", "lead_low", "lead_high", "p", "changed"]
ITSELF = "as it is"  # in the place of a weight's name: the row of the agent itself


def numbers(lineup: Lineup) -> tuple[Genome, Array, Build] | None:
    """Return the genome and the weights (k,) of agent 0, and what builds others like it.

    None for a learned policy, which has none that can vary. Raises AgentError if another agent has
    none.
    """
    name, agent = lineup.names[0], lineup.players[:1]
    if kind_name(name) == NET:
        return None
    if agent.ndim == 1 and agent["kind"][0] == KINDS["eva"].chooser:  # also if no spec names it
        genome = genome_of("eva")
        return genome, agent["w"][0, :genome.size], genome.build
    named = read_spec(name) if name in ROSTER or kind_name(name) in EVOLVED else Named(agent)
    if named.genome is None or named.weights is None:
        raise AgentError(f"'{name}' has no weights to change; examine an EVA agent (eva:2018,"
                         " eva:RUN, eva:FILE#NAME), a learned one (rl:RUN), or one of"
                         f" {', '.join(kind for kind in EVOLVED if kind != 'eva')}")
    genome = named.genome

    def build(vectors: Array) -> Array:
        return replace(named, agent=genome.build(vectors)).on(lineup.decks)

    return genome, named.weights, build


def variants(genome: Genome, weights: Array) -> Array:
    """Return vectors (k * 11, k): weights (k,) with each in turn at each of GRID."""
    many = np.tile(weights, (genome.size * len(GRID), 1))
    for row, share in enumerate(GRID):
        for i in range(genome.size):
            many[i * len(GRID) + row, i] = genome.at(share)[i]
    return many


def games(lineup: Lineup) -> int:
    """Return how many games `landscape` plays."""
    changed = numbers(lineup)
    return lineup.games * (1 + (changed[0].size * len(GRID) if changed else 0))


def landscape(executor: Executor, lineup: Lineup,
              on_games: OnGames = lambda games: None) -> pd.DataFrame:
    """Play an agent and its variants against opponents.

    lineup: of one agent, agent 0, and those that it meets; one without a genome has no variants.
    on_games: called with the number of games of each block played.
    Returns a row for the agent itself, whose weight is ITSELF, and a row a variant, with columns
    weight, value (of the weight), own (the agent's), games, wins, draws, losses, rate (0 to 1, a
    draw is half a win) with rate_low and rate_high; lead, its rate less that of the agent itself,
    with lead_low, lead_high and p, two-sided; and changed, the share of pairs of games of
    which any number is another (who won, turns, margins, decisions, simulated actions): NaN of
    itself. Intervals are of 95 %, from the pairs' spread (rating.py).
    Raises GameError, with the seed, if the engine refused a game; AgentError.
    """
    base, players, changed = schedule(lineup), lineup.players, numbers(lineup)
    named: list[dict[str, Any]] = [{"weight": ITSELF, "value": np.nan, "own": np.nan}]
    if changed:
        genome, own, build = changed
        players = joined([players, build(variants(genome, own))], len(lineup.decks))
        named += [{"weight": name, "value": genome.at(share)[i], "own": own[i]}
                  for i, name in enumerate(genome.names) for share in GRID]
    others = range(len(lineup.names), len(players))
    rows = np.concatenate([base, *(_instead(base, number) for number in others)])
    results = []
    for block in play(executor, rows, players, lineup.setting):
        refuse_faults(block.results, block.rows["seed"])
        results.append(block.results)
        on_games(len(block.rows))
    table = np.concatenate(results).reshape(1 + len(others), len(base))
    lines = pd.DataFrame([name | _line(base, played, table[0]) for name, played in
                          zip(named, table, strict=True)])
    lines.loc[0, LEAD] = np.nan  # of itself over itself
    return lines


def _instead(rows: Array, number: int) -> Array:
    """Return the games of agent 0 with another agent in its place."""
    moved = rows.copy()
    for side in ("a", "b"):
        moved[side][rows[side] == 0] = number
    return moved


def _line(rows: Array, played: Array, itself: Array) -> dict[str, Any]:
    """Return a variant's results, compared with those of the agent itself."""
    mine, theirs = _points(rows, played), _points(rows, itself)
    wins, losses = (int(np.where(rows["a"] == 0, played[a], played[b]).sum())
                    for a, b in (("wins_a", "wins_b"), ("wins_b", "wins_a")))
    counts = pentanomials(rows, played, int(rows["b"].max()) + 1)[0].sum(axis=0)
    lead, p = rating.paired(mine - theirs)
    otherwise = (played != itself).reshape(-1, 2).any(axis=1)
    line: dict[str, Any] = {"games": len(rows), "wins": wins,
                            "draws": int(played["draws"].sum()), "losses": losses}
    line |= _plain("rate", rating.rate(counts)) | _plain("lead", lead)
    return line | {"p": p, "changed": float(otherwise.mean())}


def _plain(name: str, estimate: Estimate) -> dict[str, float]:
    return {key: values[0] for key, values in estimate_columns(name, [estimate]).items()}


def _points(rows: Array, played: Array) -> Array:
    """Return the score of agent 0 in each pair of games, 0 to 1."""
    won = np.where(rows["a"] == 0, played["wins_a"], played["wins_b"]) + played["draws"] / 2
    pairs: Array = won.reshape(-1, 2).mean(axis=1)
    return pairs
