"""Information set MCTS (Cowling, Powley and Whitehouse 2012) in plain Python.

    hsevo match py:examples/ismcts.py#decide eva:2018 --games 54
    hsevo match py:examples/ismcts.py#decide?simulations=400 eva:2018 --games 54

One tree of the player to move: each simulation samples a world, descends through the moves that are
legal in it, adds a node, and ends with random playouts in compiled code.
"""

import math
from collections.abc import Callable, Sequence

import hsevo

WORLDS = 50  # sampled at once


class Node:
    """Hold what a move was worth to the player who made it."""

    def __init__(self, player: int) -> None:
        self.player = player  # who makes the move to this node
        self.children: dict[int, Node] = {}
        self.visits = self.available = 0
        self.value = 0.0

    def select(self, legal: list[int], player: int) -> int:
        """Return an untried legal move, or the one with the highest upper confidence bound."""
        for move in legal:
            self.children.setdefault(move, Node(player)).available += 1
        untried = [move for move in legal if not self.children[move].visits]
        return untried[-1] if untried else max(legal, key=lambda move: self.children[move].bound())

    def bound(self, exploration: float = 0.5) -> float:
        """Return the upper confidence bound of the win probability."""
        bonus = math.sqrt(math.log(self.available) / self.visits)
        return self.value / self.visits + exploration * bonus


def simulate(root: Node, world: hsevo.GameState, seed: int, playouts: int = 4) -> None:
    """Descend in a world, add a node, play out, and update the nodes of the path."""
    path = [root]
    while not world.is_over and (len(path) == 1 or path[-1].visits):
        move = path[-1].select(world.legal_actions(), world.current_player)
        world.apply(move)
        path.append(path[-1].children[move])
    games = world.batch(playouts)
    games.play_out(seed)
    wins = (1 + games.returns().mean(axis=0)) / 2
    for node in path[1:]:
        node.visits += 1
        node.value += wins[node.player]


def choose(legal: Sequence[int], sample: Callable[[int, int], list[hsevo.GameState]],
           simulations: int, playouts: int = 4) -> int:
    """Return a legal move by searching in worlds: sample(n, seed) returns n of them."""
    if len(legal) == 1:
        return legal[0]
    root, worlds = Node(-1), []
    for k in range(simulations):
        if not worlds:
            worlds = sample(min(WORLDS, simulations - k), k)
        simulate(root, worlds.pop(), k, playouts)
    return max(root.children, key=lambda move: root.children[move].visits)


def decide(view: hsevo.View, simulations: int = 100, playouts: int = 4) -> int:
    """Return a move: the player of this file. playouts: from each new node."""
    return choose(view.legal, view.worlds, simulations, playouts)
