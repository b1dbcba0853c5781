"""Best responses: a deck of a class that evolves against a field of decks, under any ruleset.

    plan_of(field, "SHAMAN", "eva:2018", games, confirm, ...) --> Plan of a search (deckbuilding)
    best_response(executor, plan, field) --> Response         in memory, for many small searches

A search is a (mu+lambda) strategy with a surrogate, as `configs/decks/human-field.yaml` has it, but
compares decks by bounds. It begins with known decks of the class; the best of these, by the
search's games, plays the games that choose along with the new ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hsevo import config
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import SIZE, Deck, as_code
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.book import Rates
from hsevo.deckbuilding.confirm import deck_of
from hsevo.deckbuilding.course import DeckCourse
from hsevo.deckbuilding.field import Field, FieldGames
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream
from hsevo.strength.roster import contents
from hsevo.types import Array

MU, LAMBDA = 5, 20  # decks that stay, and new ones of a generation
EACH = 4  # games of a deck against each of the field, in a generation
AGAIN = 4  # decks that play new games at the end, of which the best is chosen
# With means, lucky new decks push out better ones that a search began with. After 20,000 games from
# four decks, two seeds each, the best won 50.5 % against these by means, and 55.5 % by bounds.
COMPARE = "bound"
LEAST_GAMES = EACH * (2 * LAMBDA + MU)  # two generations, for each deck of the field
MOST_GAMES = 10**9


class Response(NamedTuple):
    """Hold the best deck of a search.

    Attributes
    ----------
    deck : Deck
        The deck.
    rate : float
        Win rate in the games that selected it, 0 to 1. Biased upwards.
    """

    deck: Deck
    rate: float


def checked_games(name: str, games: Any, decks: int) -> int:
    """Return how many games a search has, at most, against so many decks. Raises ConfigError."""
    return config.whole(name, games, LEAST_GAMES * decks, MOST_GAMES)


def field_of(decks: Sequence[Deck], pilots: Sequence[str], agents: Mapping[str, Array],
             start: Iterable[Deck] = (), beside: Iterable[Deck] = ()) -> Field:
    """Return a field of decks, each with its pilot's name and an equal share.

    agents: AGENT (1,) by name. start: decks that a search begins with, each once. beside: decks
    that play the last games, too.
    """
    once = {contents(deck): deck for deck in start}
    return Field(tuple(decks), tuple(pilots), (1.0,) * len(decks), tuple(once.values()),
                 tuple(beside), agents)


def plan_of(field: Field, hero: str, pilot: str, games: int, confirm: int, seed: int,
            ruleset: str, max_turns: int) -> Plan:
    """Return the plan of a search for decks of a class.

    games: of the search, at most; as many generations as fit. confirm: games against each deck of
    the field at the end.
    """
    each, first = EACH * len(field.decks), max(LAMBDA, len(field.start))
    generations = max(2, 1 + (games // each - first) // (LAMBDA + MU))
    own, start, beside = ([*map(_named, decks)]
                          for decks in (field.decks, field.start, field.beside))
    return config.check(Plan, {
        "name": hero.lower(), "seed": seed, "ruleset": ruleset, "max_turns": max_turns,
        "pool": {"class": hero.lower()},
        "field": [{"deck": deck, "agent": agent}
                  for deck, agent in zip(own, field.played_by, strict=True)],
        "pilots": [pilot], "games": EACH,
        "search": {"start": start, "first": first, "mu": MU, "lambda": LAMBDA, "surrogate": 10,
                   "generations": generations, "compare": COMPARE},
        "confirm": {"games": confirm + confirm % 2, "best": AGAIN, "beside": beside},
    }, "the arguments")


def _named(deck: Deck) -> str:
    """Return a text from which any machine reads a deck: its code, if it has one."""
    return as_code(deck) if len(deck.ids) == SIZE else deck.name


def best_response(executor: Executor, plan: Plan, field: Field,
                  on_games: OnGames = lambda games: None) -> Response:
    """Search a deck, and choose it by new games, of the best few and the best it began with.

    Raises GameError, WorkersError.
    """
    course = DeckCourse(plan, DeckPool.of(plan.pool.cls, plan.ruleset), field)
    arena = FieldGames(plan, field, plan.pilots)

    def play(games: int, key: Sequence[int], numbers: Array) -> Array:
        return arena.play(executor, [deck_of(course, i) for i in numbers.tolist()], games, key,
                          on_games)

    for number in range(plan.search.generations):
        course.step(number, lambda number, new: play(
            plan.games, (plan.seed, Stream.DECK_SEARCH, number), new))
    begun = course.book.best(np.arange(len(field.start)), 1, COMPARE)
    both = np.concatenate([begun, course.strategy.stay])
    stay = both[np.sort(np.unique(both, return_index=True)[1])][:plan.confirm.best]
    results = play(plan.confirm.games, (plan.seed, Stream.DECK_CONFIRM, 0), stay)
    rates = Rates(results, course.book.weights, course.book.opponents).rate()
    best = int(np.argmax(rates))
    return Response(deck_of(course, int(stay[best])), float(rates[best]))
