"""Matches of end-to-end policies: PAIRING rows in, RESULT rows out, as of compiled agents.

    for rows, results in play_rows(executor, rows, players, setting): ...

Games are played by `rounds.play`, many at once; those of two compiled agents, as without it. A
policy draws its moves, and builds its own decks, of the classes of those that it
is dealt, if it has learned to. Against it, a tree search begins a new tree with each decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from hsevo.agents.learned import nets
from hsevo.agents.shared.agent import RANDOM, agent
from hsevo.cards.decks import Deck
from hsevo.learning.acting.actor import check_classes
from hsevo.learning.acting.jobs import Deals, begin, run
from hsevo.learning.acting.rounds import Player, play
from hsevo.play.hosting import results_of
from hsevo.play.match import RESULT, Setting, pairings, play_block
from hsevo.play.workers import Executor, OnGames
from hsevo.types import Array


def play_rows(executor: Executor, rows: Array, players: Sequence[Player],
              setting: Setting) -> Iterator[tuple[Array, Array]]:
    """Play rows of one game each on the workers; yield them in order, in blocks, with results.

    Raises ConfigError for a network that can't play these decks.
    """
    for player in players:
        check_classes(player, setting.decks)
    deals = Deals(np.stack([rows["a"], rows["b"]], 1), _dealt(rows, setting.decks), rows["seed"],
                  replace(setting, decks=()))
    compiled = [player for player in players if isinstance(player, np.ndarray)]
    carried = nets.carried(np.concatenate(compiled)) if compiled else ()
    at = 0
    for results in run(executor, _play_block, players, deals, carried):
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


def _play_block(players: Sequence[Player], deals: Deals, carried: Sequence[nets.Net]) -> Array:
    """Play games to their ends; return their results: a job.

    carried: the nets of compiled agents, which this process may lack.
    """
    nets.keep(carried)
    results = np.zeros(len(deals), RESULT)
    compiled = np.array([isinstance(player, np.ndarray) for player in players])[
        deals.who].all(axis=1)
    for which, play_some in ((compiled, _play_compiled), (~compiled, _play_networks)):
        if which.any():
            results[which] = play_some(players, deals.take(np.flatnonzero(which)))
    return results


def _play_compiled(players: Sequence[Player], deals: Deals) -> Array:
    """Play games of compiled agents as they play without networks; return their results."""
    own = 2 * np.arange(len(deals))
    rows = pairings(deals.who[:, 0], deals.who[:, 1], own, own + 1, deals.seeds)
    decks = tuple(deck for pair in deals.decks for deck in pair)
    absent = agent(RANDOM)
    agents = np.concatenate([player if isinstance(player, np.ndarray) else absent
                             for player in players])
    return play_block(rows, agents, replace(deals.setting, decks=decks))


def _play_networks(players: Sequence[Player], deals: Deals) -> Array:
    """Play games of networks; return their results."""
    games, _, lists = begin(players, deals, random=False)
    play(games, players, deals.who, deals.seeds, lists=lists)
    return results_of(games.states)
