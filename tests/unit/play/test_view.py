"""Views: what a player may not know may be anything, and the view is the same to the byte."""

import json
from typing import Any

import numpy as np
import pytest

from hsevo.cards.tables import cards, index
from hsevo.cards.terms import Kind
from hsevo.engine.state import STATE
from hsevo.play.games import Games
from hsevo.play.view import view
from tests.support.random_games import HEROES, begin


def positions(seed: int, n: int, ruleset: str) -> Games:
    """Return n positions of games of random decks, all classes among them; mulligans, choices."""
    games, random = begin(seed, 200, ruleset)
    found = []
    while sum(map(len, found)) < n:
        found.append(games.take(random.random(len(games)) < 0.1))
        games.step(games.sample(random))
        if games.running.mean() < 0.3:
            seed += 1000
            games, random = begin(seed, 200, ruleset)
    raw = b"".join(part.states.tobytes() for part in found)
    return Games(np.frombuffer(raw, STATE)[:n].copy().view(np.recarray), ruleset)


def resampled(games: Games, players: Any, random: np.random.Generator) -> Games:
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
    _shuffle(own["deck"], own["n_deck"], random)
    r["side"][every, 1 - players], r["side"][every, players] = foe, own
    for name in ("rng", "lookahead_rng"):
        r[name] = random.integers(0, 2**64, n, dtype=np.uint64)
    r["watch"] = random.integers(0, 2**19, n)
    theirs = r["me"] != players
    for name in ("choice", "aside"):
        r[name][theirs] = random.choice(playable, (theirs.sum(), r[name].shape[1]))
    r["chosen"] = random.choice(playable, n)
    return other


def _shuffle(rows: Any, sizes: Any, random: np.random.Generator) -> None:
    for row, size in zip(rows, sizes, strict=True):
        random.shuffle(row[:size])


def views(games: Games, players: Any) -> list[bytes]:
    prices, masks = games.costs(), games.legal_moves()
    held = games.states["side"]["n_hand"]
    return [json.dumps(view(games.states[i], int(p), games.ruleset,
                            prices[i, p, :held[i, p]].tolist(),
                            np.flatnonzero(masks[i]).tolist())).encode()
            for i, p in enumerate(players)]


def check(n: int, seed: int, ruleset: str) -> None:
    random = np.random.default_rng(seed)
    games = positions(seed, n, ruleset)
    heroes = games.states["side"]["cls"]
    assert {*heroes.ravel().tolist()} == {int(hero) for hero in HEROES}
    for players in (np.arange(n) % 2, 1 - np.arange(n) % 2):
        other = resampled(games, players, random)
        decks = [each.states["side"]["deck"] for each in (games, other)]
        assert (decks[0] != decks[1]).any(axis=(1, 2)).all()
        assert views(games, players) == views(other, players)


@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017"])
def test_a_view_holds_nothing_that_is_hidden(ruleset: str) -> None:
    check(500, 3, ruleset)


@pytest.mark.slow
def test_ten_thousand_views_hold_nothing_that_is_hidden() -> None:
    check(5000, 4, "cig2018")
    check(5000, 5, "msg2017")


@pytest.mark.parametrize(("mine", "name"), [
    (True, "hand"), (True, "deck"), (True, "n_secrets"), (True, "mana"), (False, "n_hand"),
    (False, "n_deck"), (False, "n_secrets"), (False, "armor"), (False, "fatigue")])
def test_what_a_view_shows_does_change_it(mine: bool, name: str) -> None:
    """So the test above can fail."""
    n = 1500 if name == "n_secrets" else 300
    games = positions(6, n, "cig2018")
    players = np.arange(n) % 2
    other, every = games.take(slice(None)), np.arange(n)
    whose = players if mine else 1 - players
    side = other.states.view(np.ndarray)["side"][every, whose]
    if name in ("hand", "deck"):
        (side["hand"]["card"] if name == "hand" else side["deck"])[:] = index()["CS2_029"]
    else:
        side[name] = np.maximum(side[name] - 1, 0) if name.startswith("n_") else side[name] + 1
    other.states.view(np.ndarray)["side"][every, whose] = side
    changed = [x != y for x, y in zip(views(games, players), views(other, players), strict=True)]
    assert sum(changed) >= (300 if not name.startswith("n_") else 1)
