"""What a coevolution costs, by a sample of its games: how many generations fit into a time?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hsevo.cards.deck_pool import DeckPool
from hsevo.coevolution.course import games_of
from hsevo.coevolution.experiment import most_games
from hsevo.coevolution.pairs import Pair
from hsevo.coevolution.plan import genome_of
from hsevo.coevolution.reference import Reference
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.field import Field
from hsevo.deckbuilding.operators import random_deck
from hsevo.experiments.budget import pace
from hsevo.play.workers import open_workers
from hsevo.seeds import Stream, generator

BETWEEN = 0.1  # seconds between the games of two generations, about


def costs(plan: Plan, pool: DeckPool, field: Field,
          first: Sequence[Pair]) -> Callable[[Plan], float]:
    """Return what gives the seconds of a plan, measured by games of random decks.

    Raises GameError, WorkersError.
    """
    key, decks = (plan.seed, Stream.COEVOLUTION), len(field.decks)
    random, genome, reference = generator(key), genome_of(plan), Reference(plan, field)
    agent = genome.build(genome.default[None])
    pairs = [Pair("base", pool.deck(random_deck(pool, random), f"deck-{i}"), agent)
             for i in range(max(games_of(plan, 0) // (2 * decks), 1))]
    with open_workers(plan.workers) as executor:
        def play(games: int) -> int:
            some = pairs[:max(games // (2 * decks), 1)]
            reference.play(executor, some, 2, key)
            return len(some) * 2 * decks

        game = pace(play, 2 * decks, len(pairs) * 2 * decks)
    return lambda other: (BETWEEN * other.generations
                          + game * most_games(other, len(first), decks))
