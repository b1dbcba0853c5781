"""What a search costs, by a sample of its games: how many generations fit into a time?"""

from __future__ import annotations

from collections.abc import Callable

from hsevo.cards.deck_pool import DeckPool
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.confirm import games_to_confirm
from hsevo.deckbuilding.course import most_games
from hsevo.deckbuilding.field import Field
from hsevo.deckbuilding.games import Arena
from hsevo.deckbuilding.operators import random_deck
from hsevo.experiments.budget import pace
from hsevo.play.workers import open_workers
from hsevo.seeds import Stream, generator

BETWEEN = 0.1  # seconds between the games of two generations, about


def costs(plan: Plan, pool: DeckPool, field: Field) -> Callable[[Plan], float]:
    """Return what gives the seconds of a plan, measured by games of random decks.

    Raises GameError, WorkersError.
    """
    key = (plan.seed, Stream.DECK_SEARCH, 0)
    random, arena = generator(key), Arena(plan, field, plan.pilots)
    decks = [pool.deck(random_deck(pool, random), f"deck-{i}") for i in range(plan.search.first)]
    meetings, opponents = len(arena.deck), len(field.decks)
    with open_workers(plan.workers) as executor:
        def play(games: int) -> int:
            some = decks[:max(games // (meetings * plan.games), 1)]
            arena.play(executor, some, plan.games, key, watch=plan.watches)
            return len(some) * meetings * plan.games

        game = pace(play, meetings * plan.games, len(decks) * meetings * plan.games)

    def seconds(other: Plan) -> float:
        generations = other.search.generations
        return BETWEEN * generations + game * (most_games(other, meetings, range(generations))
                                               + games_to_confirm(other, opponents))

    return seconds
