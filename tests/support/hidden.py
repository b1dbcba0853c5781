"""Positions with everything made up that a player may not know."""

from typing import Any

import numpy as np

from hsevo.cards.tables import cards, index
from hsevo.cards.terms import Kind
from hsevo.engine.record.state import STATE
from hsevo.play.games import GameBatch
from tests.support.random_games import begin


def positions(seed: int, n: int, ruleset: str) -> GameBatch:
    """Return n positions of games of random decks, all classes among them; mulligans, choices.

    In every other one, about half of the cards left in the decks are unseen.
    """
    games, random = begin(seed, 200, ruleset)
    found = []
    while sum(map(len, found)) < n:
        found.append(games.take(random.random(len(games)) < 0.1))
        games.step(games.sample(random))
        if games.running.mean() < 0.3:
            seed += 1000
            games, random = begin(seed, 200, ruleset)
    raw = b"".join(part.states.tobytes() for part in found)
    states = np.frombuffer(raw, STATE)[:n].copy()
    side = states["side"][::2]
    side["unseen"] = random.integers(0, 2**60, side.shape) & (1 << side["n_deck"].astype(int)) - 1
    return GameBatch(states.view(np.recarray), ruleset)


def resampled(games: GameBatch, players: Any, random: np.random.Generator) -> GameBatch:
    """Return the games with everything in them that is hidden from a player of each made up."""
    other, every = games.take(slice(None)), np.arange(len(games))
    known, numbers = cards(games.ruleset), index(games.ruleset)
    playable = [numbers[id] for id, card in known.items()
                if card.kind in (Kind.MINION, Kind.SPELL, Kind.WEAPON)]
    secrets = [numbers[id] for id, card in known.items() if card.secret]
    r, n = other.states.view(np.ndarray), len(games)
    foe, own = r["side"][every, 1 - players], r["side"][every, players]
    foe["hand"]["card"] = random.choice(playable, (n, 10))
    for name in ("cost", "attack", "health"):
        foe["hand"][name] = random.integers(-3, 4, (n, 10))
    foe["deck"] = random.choice(playable, (n, 60))
    foe["secret"]["card"] = [random.choice(secrets, 5, replace=False) for _ in range(n)]
    foe["secret"]["uid"] = random.integers(1, 10_000, (n, 5))
    for side in (foe, own):
        side["deck_watch"] = random.integers(0, 2**19, n)
        side["deck_watcher"] = random.choice(playable, n)
        _shuffle(side["dead"], side["n_graves"], random)
    _resample_deck(own, playable, random)
    r["side"][every, 1 - players], r["side"][every, players] = foe, own
    for name in ("rng", "lookahead_rng"):
        r[name] = random.integers(0, 2**64, n, dtype=np.uint64)
    r["watch"] = random.integers(0, 2**19, n)
    theirs = r["me"] != players
    for name in ("choice", "aside"):
        r[name][theirs] = random.choice(playable, (theirs.sum(), r[name].shape[1]))
    r["chosen"] = random.choice(playable, n)
    return other


def _resample_deck(sides: Any, playable: list[int], random: np.random.Generator) -> None:
    """Shuffle decks, and replace what is unseen in them."""
    for side in sides:
        order, bits = random.permutation(side["n_deck"]), np.arange(60)
        unseen = (side["unseen"] >> bits[: len(order)] & 1 == 1)[order]
        made_up = random.choice(playable, len(order))
        side["deck"][: len(order)] = np.where(unseen, made_up, side["deck"][order])
        side["unseen"] = (unseen.astype(int) << bits[: len(order)]).sum()


def _shuffle(rows: Any, sizes: Any, random: np.random.Generator) -> None:
    for row, size in zip(rows, sizes, strict=True):
        random.shuffle(row[:size])
