"""Matches of networks: rows of `play.match.PAIRING` in, `RESULT` out, as compiled agents have them.

    for rows, results in play_rows(executor, rows, players, setting): ...

Games are played by `rounds.play`, many at once. A network draws its moves from its policy, and
builds its own decks, of the classes of those that it is dealt, if it has learned to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.cards.decks import Deck
from hsevo.engine.codec import HERO, SEATS
from hsevo.engine.state import DRAW, WIN_0, WIN_1
from hsevo.errors import ConfigError
from hsevo.learning.end_to_end.actors import Deals, begin, one_thread, run
from hsevo.learning.end_to_end.rounds import Player, play
from hsevo.learning.end_to_end.saved import check_classes
from hsevo.play.games import Games
from hsevo.play.match import RESULT, Setting
from hsevo.play.workers import Executor, OnGames

Array: TypeAlias = npt.NDArray[Any]


def play_rows(executor: Executor, rows: Array, players: Sequence[Player],
              setting: Setting) -> Iterator[tuple[Array, Array]]:
    """Play rows of one game each on the workers; yield them in order, in blocks, with results.

    Raises ConfigError for a network that can't play these decks, or not fairly.
    """
    if setting.information != "fair":
        raise ConfigError("an end-to-end policy is fair: it can't play with --information leaky")
    for player in players:
        check_classes(player, setting.decks)
    deals = Deals(np.stack([rows["a"], rows["b"]], 1), _dealt(rows, setting.decks), rows["seed"],
                  setting.ruleset, setting.max_turns)
    at = 0
    for results in run(executor, _play_block, players, deals):
        yield rows[at:at + len(results)], results
        at += len(results)


def play_all_rows(executor: Executor, rows: Array, players: Sequence[Player], setting: Setting,
                  on_games: OnGames = lambda games: None) -> tuple[Array, Array]:
    """Play rows of any number of games; return rows of one game each, and their results."""
    each = np.repeat(rows, rows["games"])
    first = np.cumsum(rows["games"]) - rows["games"]
    number = np.arange(len(each)) - np.repeat(first, rows["games"])
    each["seed"] += number.astype(np.uint64)  # as hsevo.seeds.game_seed
    each["games"] = 1
    results = []
    for _, some in play_rows(executor, each, players, setting):
        results.append(some)
        on_games(len(some))
    return each, np.concatenate(results) if results else np.zeros(0, RESULT)


def _dealt(rows: Array, decks: Sequence[Deck]) -> list[tuple[Deck, Deck]]:
    return [(decks[a], decks[b]) for a, b in zip(rows["deck_a"], rows["deck_b"], strict=True)]


def _play_block(players: Sequence[Player], deals: Deals) -> Array:
    """Play games to their ends; return their results: a job."""
    with one_thread():
        games, _, lists = begin(players, deals, random=False)
        play(games, players, deals.who, deals.seeds, lists=lists)
    return results_of(games)


def results_of(games: Games) -> Array:
    """Return the results of finished games, RESULT (n,); a is player 0.

    Decisions and simulated actions are not counted.
    """
    states, found = games.states, np.zeros(len(games), RESULT)
    found["wins_a"], found["wins_b"], found["draws"] = (
        states["result"] == one for one in (WIN_0, WIN_1, DRAW))
    healths, heroes = np.asarray(states["char"]["health"], np.int64), [HERO, SEATS + HERO]
    left = (np.maximum(healths[:, heroes], 0) + states["side"]["armor"]).T
    found["margin_a"] = found["wins_a"] * (left[0] - left[1])
    found["margin_b"] = found["wins_b"] * (left[1] - left[0])
    found["turns"] = np.minimum(states["turn"], states["max_turns"])
    return found
