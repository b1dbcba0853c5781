"""Random decks and random moves for whole batches of games."""

import functools
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from typing import Any, TypeAlias

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards, is_legal
from hsevo.cards.terms import GROUP_CLASSES, Class
from hsevo.cards.vocabulary.model import Card
from hsevo.engine.record.state import RUNNING, STATE, TRUE_GAME
from hsevo.errors import GameError
from hsevo.play.games import N_MOVES, GameBatch
from tests.support.invariants import heads

Choose: TypeAlias = Callable[[Any, np.random.Generator], Any]  # masks -> a move of each game
Check: TypeAlias = Callable[[Any, Any, GameBatch], None]  # positions before, moves, games after

MAX_TURNS = 89
HEROES = [cls for cls in Class if cls is not Class.NEUTRAL]


def packed(dtype: Any) -> Any:
    """Return a dtype without the padding between its fields, at any depth."""
    if dtype.subdtype:
        return np.dtype((packed(dtype.base), dtype.shape))
    if dtype.names:
        return np.dtype([(name, packed(dtype[name])) for name in dtype.names])
    return dtype


PACKED = packed(STATE)


def states(games: GameBatch) -> list[bytes]:
    """Return all that makes up each game, padding between fields left out."""
    return [record.tobytes() for record in games.states.view(np.ndarray).astype(PACKED)]


def unnoted(games: GameBatch) -> list[bytes]:
    """Return `states` as they are where no deck list may be guessed, so that nothing is noted."""
    other = games.take(slice(None))
    other.states.view(np.ndarray)["evidence"] = 0
    other.states.view(np.ndarray)["sight"] = TRUE_GAME
    return states(other)


def batch_of(games: Sequence[Any], ruleset: str = "cig2018") -> GameBatch:
    """Return copies of games, records of dtype STATE or GAME, as a batch."""
    states = np.zeros(len(games), STATE)
    for i, game in enumerate(games):
        states[i] = np.frombuffer(game.tobytes()[:STATE.itemsize], STATE)[0]
    return GameBatch(states.view(np.recarray), ruleset)


def fits_class(card: Card, hero: Class) -> bool:
    classes = GROUP_CLASSES[card.group] if card.group else (card.cls, )
    return card.collectible and (hero in classes or (card.cls is Class.NEUTRAL and not card.group))


@functools.cache
def twice(ruleset: str, hero: Class) -> Any:
    """Return the cards that a class may use, each twice."""
    return np.array([id for id, card in cards(ruleset).items()
                     if fits_class(card, hero) and is_legal(id, ruleset)] * 2)


def random_deck(random: np.random.Generator, ruleset: str, size: int = 30) -> Deck:
    """Return any cards that a random class may use, at most two of each."""
    hero = HEROES[random.integers(len(HEROES))]
    chosen = random.choice(twice(ruleset, hero), size, replace=False)
    return Deck.of("random", hero.name, tuple(map(str, chosen)))


def begin(seed: int, n: int, ruleset: str = "cig2018") -> tuple[GameBatch, np.random.Generator]:
    """Begin n games of random decks."""
    random = np.random.default_rng(seed)
    sizes = random.choice([15, 30, 30, 60], (2, n))
    decks = [[random_deck(random, ruleset, size) for size in row] for row in sizes]
    seeds = random.integers(0, 2**63, n)
    ordered = bool(random.integers(2))
    return GameBatch.new(*decks, seeds, ruleset, MAX_TURNS, ordered), random


def pick(masks: Any, random: np.random.Generator) -> Any:
    """Return a random legal move of each game, 0 where there is none."""
    counts = np.count_nonzero(masks, axis=1)
    legal = np.append(np.flatnonzero(masks) % N_MOVES, 0)
    first = np.cumsum(counts) - counts
    return np.where(counts > 0, legal[first + (random.random(len(masks)) * counts).astype(int)], 0)


def play_out(games: GameBatch, random: np.random.Generator, check: Check | None = None,
             choose: Choose = pick) -> GameBatch:
    """Make random moves until every game is over; return the games, none of them lost."""
    over = []
    while len(games):
        masks = games.legal_moves()
        running = games.results == RUNNING
        assert (masks.any(axis=1) == running).all()  # some move in each, none where it is over
        if running.mean() < 0.7:
            over.append(games.take(~running))
            games, masks = games.take(running), masks[running]
        if len(games):
            moves, before = choose(masks, random), heads(games) if check else None
            with suppress(GameError) if check else nullcontext():  # a limit met: check sees it
                games.step(moves)
            if check:
                check(before, moves, games)
    whole = np.dtype((np.void, STATE.itemsize))  # else numpy would drop the padding
    records = np.concatenate([part.states.view(np.ndarray).view(whole) for part in over])
    return GameBatch(records.view(STATE).view(np.recarray), games.ruleset)
