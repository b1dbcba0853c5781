"""External-sampling MCCFR (Lanctot and others 2009) on an endgame, in plain Python.

    python examples/cfr.py [ITERATIONS] [DEALS] [SEED]

The position is known to both players, and each knows the other's cards, but not which of them are
in hand. `Game.worlds` samples the hands, so the game begins with a chance node of DEALS sampled
deals. `Game.outcomes` lists the random results of an action, and
`Game.information_state` tells which nodes a player cannot tell apart. The whole tree is built once,
so that values and exploitability are exact.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from functools import cached_property
from pathlib import Path

import hsevo

POSITION = Path(__file__).parent / "positions" / "hidden-hands.json"
ITERATIONS, DEALS = 2000, 200
Branch = list[tuple[float, "Node"]]  # probabilities and nodes


class Node:
    """Hold a decision or the end of the game."""

    def __init__(self, game: hsevo.Game) -> None:
        self.value = game.returns()[0]  # of player 0, at the end
        self.player = game.current_player  # -1 at the end
        self.key = "" if game.is_over else game.information_state(game.player).key
        self._game = game

    @cached_property
    def branches(self) -> list[Branch]:
        """The results of each legal action."""
        return [[(outcome.probability, Node(outcome.game))
                 for outcome in self._game.outcomes(action, most=1000) or []]
                for action in sorted(self._game.legal_actions())]


class Regrets:
    """Hold the regrets and the summed strategy of an information state."""

    def __init__(self, actions: int) -> None:
        self.regret, self.total = [0.0] * actions, [0.0] * actions

    def strategy(self) -> list[float]:
        """Return the current strategy by regret matching."""
        return normalised([max(regret, 0.0) for regret in self.regret])


Tables = dict[str, Regrets]
Profile = dict[str, list[float]]  # probabilities of the actions by information state


def normalised(weights: list[float]) -> list[float]:
    """Return weights as probabilities, which are equal if all weights are 0."""
    total = sum(weights)
    return [weight / total if total else 1 / len(weights) for weight in weights]


def sampled(branch: Branch, rng: random.Random) -> Node:
    """Return a random node of a branch."""
    return rng.choices([node for _, node in branch], [chance for chance, _ in branch])[0]


def walk(node: Node, learner: int, tables: Tables, rng: random.Random) -> float:
    """Return the sampled value of a node for the learner, and update the regrets below it."""
    if node.player < 0:
        return node.value if learner == 0 else -node.value
    branches = node.branches
    entry = tables.setdefault(node.key, Regrets(len(branches)))
    strategy = entry.strategy()
    if node.player != learner:
        entry.total = [sum(pair) for pair in zip(entry.total, strategy, strict=True)]
        return walk(sampled(rng.choices(branches, strategy)[0], rng), learner, tables, rng)
    values = [walk(sampled(branch, rng), learner, tables, rng) for branch in branches]
    mean = sum(p * value for p, value in zip(strategy, values, strict=True))
    entry.regret = [regret + value - mean
                    for regret, value in zip(entry.regret, values, strict=True)]
    return mean


def value_of(branch: Branch, profile: Profile) -> float:
    """Return the expected value of player 0 if both play a profile."""
    return sum(chance * (node.value if node.player < 0 else sum(
        p * value_of(below, profile)
        for p, below in zip(strategy_at(node, profile), node.branches, strict=True) if p))
        for chance, node in branch)


def strategy_at(node: Node, profile: Profile) -> list[float]:
    """Return the strategy of a profile at a node: uniform where it has none."""
    return profile.get(node.key) or normalised([0.0] * len(node.branches))


def best_response(branch: Branch, player: int, profile: Profile) -> float:
    """Return the value of a player's best response to a profile.

    branch: nodes with the probability that chance and the opponent lead to them.
    """
    value, groups, left = 0.0, defaultdict[str, Branch](list), [*branch]
    while left:
        weight, node = left.pop()
        if node.player < 0:
            value += weight * (node.value if player == 0 else -node.value)
        elif node.player == player:
            groups[node.key].append((weight, node))
        else:
            left += [(weight * p * chance, below)
                     for p, results in zip(strategy_at(node, profile), node.branches, strict=True)
                     for chance, below in results if p]
    for same in groups.values():  # the player cannot tell these nodes apart
        value += max(best_response(
            [(weight * chance, below) for weight, node in same
             for chance, below in node.branches[action]], player, profile)
            for action in range(len(same[0][1].branches)))
    return value


def exploitability(root: Branch, profile: Profile) -> float:
    """Return how much a best response gains on average over both players; 0 at an equilibrium."""
    return sum(best_response(root, player, profile) for player in (0, 1)) / 2


def deals(game: hsevo.Game, number: int) -> Branch:
    """Return deals of both hidden hands with their shares among sampled ones."""
    worlds = [world.worlds(1, 1, seed)[0] for seed, world in enumerate(game.worlds(0, number))]
    same = defaultdict[tuple[str, ...], list[hsevo.Game]](list)
    for world in worlds:
        same[tuple(world.information_state(player).key for player in (0, 1))].append(world)
    return [(len(equal) / number, Node(equal[0])) for equal in same.values()]


def solve(root: Branch, iterations: int, seed: int = 1) -> Profile:
    """Return the average strategy of both players."""
    tables: Tables = {}
    rng = random.Random(seed)
    for _ in range(iterations):
        for learner in (0, 1):
            walk(sampled(root, rng), learner, tables, rng)
    return {key: normalised(entry.total) for key, entry in tables.items()}


def main(iterations: int = ITERATIONS, number: int = DEALS, seed: int = 1) -> None:
    """Print the value and the exploitability of the average strategy as they change."""
    root = deals(hsevo.Game.at(POSITION, all_places=False), number)
    print("iterations  value of player 0  exploitability")
    for share in (0, 0.01, 0.1, 1):
        profile = solve(root, round(iterations * share), seed)
        print(f"{round(iterations * share):10} {value_of(root, profile):18.4f}"
              f" {exploitability(root, profile):15.4f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
