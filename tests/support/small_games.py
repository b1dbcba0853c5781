"""Small games with known equilibria, on which learning algorithms are tested: trees and evaluators.

    biased_rps   rock, paper, scissors; rock beats scissors for 3, the others win 1
    kuhn         Kuhn poker: three cards, one bet (Kuhn 1950)
    leduc        Leduc hold'em: six cards of three ranks, two rounds (Southey et al. 2005)

A policy of both seats is one table, float64 (infosets, actions), rows of which sum to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

CHANCE, END = 2, 3  # who moves in a node, if neither player 0 nor 1 does


@dataclass(frozen=True)
class Chance:
    """A node where chance moves: what follows, with its probability."""

    follow: dict[Any, float]


@dataclass(frozen=True)
class Turn:
    """A node where a player moves who knows `infoset`: what follows each action."""

    player: int
    infoset: Hashable
    follow: Sequence[Any]


@dataclass(frozen=True)
class Tree:
    """A two-player zero-sum game of perfect recall; nodes from the root, parents before children.

    mover (N,), infoset (N,), payoff (N,) of player 0, children (N, A) or -1, chance (N, A).
    legal (I, A) says which actions an infoset has. levels: first nodes of all depths, and N. All
    nodes of an infoset have one depth.
    """

    mover: np.ndarray
    infoset: np.ndarray
    payoff: np.ndarray
    children: np.ndarray
    chance: np.ndarray
    legal: np.ndarray
    levels: tuple[int, ...]

    def uniform(self) -> np.ndarray:
        """Return the policy that takes every legal action alike."""
        return self.legal / self.legal.sum(1, keepdims=True)


Rules = Callable[[Any], Chance | Turn | float]


def tree(rules: Rules, root: Any = ()) -> Tree:
    """Return the tree of a game: `rules` says of a state whose turn it is, or the payoff."""
    nodes, states, levels, children = [], [root], [0], []
    while levels[-1] < len(states):
        start, end = levels[-1], len(states)
        for state in states[start:end]:
            nodes.append(rules(state))
            follow = [] if isinstance(nodes[-1], float) else list(nodes[-1].follow)
            children.append(range(len(states), len(states) + len(follow)))
            states += follow
        levels.append(end)
    return _arrays(nodes, children, tuple(levels))


def _arrays(nodes: list[Any], children: list[range], levels: tuple[int, ...]) -> Tree:
    n, most = len(nodes), max(map(len, children))
    known: dict[Hashable, int] = {}
    game = Tree(np.full(n, END), np.zeros(n, int), np.zeros(n), np.full((n, most), -1),
                np.zeros((n, most)), np.zeros((n, most), bool), levels)
    for i, (node, below) in enumerate(zip(nodes, children, strict=True)):
        game.children[i, :len(below)] = below
        if isinstance(node, float):
            game.payoff[i] = node
        elif isinstance(node, Chance):
            game.mover[i], game.chance[i, :len(below)] = CHANCE, list(node.follow.values())
        else:
            game.mover[i] = node.player
            game.infoset[i] = known.setdefault((node.player, node.infoset), len(known))
            game.legal[game.infoset[i], :len(below)] = True
    return Tree(*(getattr(game, name) for name in ("mover", "infoset", "payoff", "children",
                                                   "chance")), game.legal[:len(known)], levels)


# Evaluators


def best_response(game: Tree, policy: np.ndarray, seat: int) -> float:
    """Return what the best response of a seat, 0 or 1, wins against a policy of the other."""
    chances = _chances(game, policy)
    reach = _reach(game, np.where((game.mover == seat)[:, None], game.children >= 0, chances))
    worth = game.payoff * (1 - 2 * seat)
    for start, end in reversed(list(zip(game.levels, game.levels[1:], strict=False))):
        level = np.arange(start, end)
        below = np.where(game.children[level] >= 0, worth[game.children[level]], 0.0)
        mine = game.mover[level] == seat
        gains = np.zeros(game.legal.shape)
        np.add.at(gains, game.infoset[level[mine]], reach[level[mine], None] * below[mine])
        best = np.where(game.legal, gains, -np.inf).argmax(1)[game.infoset[level]]
        going_on = game.mover[level] != END
        answer = np.where(mine, below[np.arange(len(level)), best],
                          (chances[level] * below).sum(1))
        worth[level[going_on]] = answer[going_on]
    return float(worth[0])


def nash_conv(game: Tree, policy: np.ndarray) -> float:
    """Return what both best responses win together: 0 in an equilibrium, else more."""
    return best_response(game, policy, 0) + best_response(game, policy, 1)


def value(game: Tree, policy: np.ndarray) -> float:
    """Return the expected payoff of player 0 if both seats follow the policy."""
    return float((_reach(game, _chances(game, policy)) * game.payoff).sum())


def _chances(game: Tree, policy: np.ndarray) -> np.ndarray:
    """Return the probability of every child, (N, A)."""
    plays = (game.mover == 0) | (game.mover == 1)
    return np.where(plays[:, None], policy[game.infoset], game.chance)


def _reach(game: Tree, chances: np.ndarray) -> np.ndarray:
    """Return the product of the chances on the way to every node, (N,)."""
    reach = np.ones(len(game.mover))
    for start, end in zip(game.levels, game.levels[1:], strict=False):
        node, action = np.nonzero(game.children[start:end] >= 0)
        reach[game.children[start + node, action]] = reach[start + node] * chances[
            start + node, action]
    return reach


# The games


def biased_rps(state: tuple[int, ...]) -> Turn | float:
    """Equilibrium: rock 1/5, paper 3/5, scissors 1/5; a state is the moves so far."""
    if len(state) == 2:
        return float(np.array([[0, -1, 3], [1, 0, -1], [-3, 1, 0]])[state])
    return Turn(len(state), len(state), [(*state, move) for move in range(3)])


def kuhn(state: tuple[Any, ...]) -> Chance | Turn | float:
    """A state is the cards, and the actions as text: p (pass: check or fold) or b (bet or call)."""
    if not state:
        return Chance({(deal, ""): 1 / 6 for deal in permutations(range(3), 2)})
    cards, played = state
    higher = 1.0 if cards[0] > cards[1] else -1.0
    ends = {"pp": higher, "bb": 2 * higher, "pbb": 2 * higher, "bp": 1.0, "pbp": -1.0}
    if played in ends:
        return ends[played]
    mover = len(played) % 2
    return Turn(mover, (cards[mover], played), [(cards, played + act) for act in "pb"])


def leduc(state: tuple[Any, ...]) -> Chance | Turn | float:
    """A state is the ranks of both hands, that of the board or None, and both rounds' actions.

    Actions are f (fold), c (check or call), r (raise); ante 1, raises of 2 and then 4, at most two
    in a round.
    """
    if not state:
        return _deal((), lambda ranks: (ranks, None, ("", "")))
    hands, board, rounds = state
    now = rounds[board is not None]
    if now.endswith("f"):
        return _stakes(rounds)[1 - len(now) % 2] * (1.0 if len(now) % 2 == 0 else -1.0)
    if len(now) < 2 or not now.endswith("c"):
        return _bet(state, now)
    if board is None:
        return _deal(hands, lambda ranks: (hands, ranks[-1], rounds))
    return _stakes(rounds)[0] * _showdown(hands, board)


def _deal(dealt: tuple[int, ...], to: Callable[[tuple[int, ...]], Any]) -> Chance:
    """Return a deal of two hands, or of the board if these are dealt; two cards have each rank."""
    left = [0, 0, 1, 1, 2, 2]
    for rank in dealt:
        left.remove(rank)
    cards = list(permutations(left, 1 if dealt else 2))
    return Chance({to(ranks): cards.count(ranks) / len(cards) for ranks in cards})


def _bet(state: tuple[Any, ...], now: str) -> Turn:
    hands, board, rounds = state
    mover = len(now) % 2
    acts = "f" * now.endswith("r") + "c" + "r" * (now.count("r") < 2)
    after = [(now + act, "") if board is None else (rounds[0], now + act) for act in acts]
    return Turn(mover, (hands[mover], board, rounds), [(hands, board, one) for one in after])


def _stakes(rounds: tuple[str, str]) -> list[float]:
    """Return what both players have put in."""
    paid = [1.0, 1.0]
    for actions, size in zip(rounds, (2, 4), strict=True):
        for i, act in enumerate(actions):
            if act != "f":
                paid[i % 2] = max(paid) + size * (act == "r")
    return paid


def _showdown(hands: tuple[int, int], board: int) -> float:
    """Return 1, 0 or -1: a pair with the board wins, else the higher rank."""
    strength = [hand + 3 * (hand == board) for hand in hands]
    return float(np.sign(strength[0] - strength[1]))
