"""Train in a league, in minutes: against agents, and against what the learner was before.

    pip install -e '.[env]'        in the clone of hsevo
    python examples/league.py

The learner is the linear policy of linear_reinforce.py. After each round, a copy of it joins the
opponents, and prioritised fictitious self-play (Vinyals et al. 2019) gives each opponent the weight
(1 - w)^2, where w is the win rate of the learner in its last games against this opponent.
"""

import argparse
import sys

import numpy as np
import pandas as pd
from linear_reinforce import RATE, act, features

import hsevo
from hsevo import learning

AGENTS = ("random", "noaggression", "eva:2018")
GAMES = 128  # at once
LEAST = 0.01  # weight, so that each opponent is met now and then


class Copy:
    """A Python player of hsevo: weights of the learner, which it keeps."""

    def __init__(self, weights):
        self.weights = [weight.copy() for weight in weights]

    def decide_many(self, views):
        """Return a move of each view."""
        seen, legal = map(np.concatenate,
                          zip(*(learning.observe(view.games) for view in views), strict=True))
        luck = np.array([view.random.random((2, 1)) for view in views]).swapaxes(0, 1)
        masks = learning.masks(legal)._asdict()
        return learning.moves_of(act(self.weights, features({"observation": seen}), masks, luck)[0])


def priorities(rates):
    """Return the weight of each opponent. rates: of the learner against each, from 0 to 1."""
    return {opponent: max(LEAST, (1 - rate)**2) for opponent, rate in rates.items()}


class Learner:
    """A linear policy with its games: REINFORCE, as in linear_reinforce.py."""

    def __init__(self, opponents, seed, decks):
        self.env = hsevo.make_vec("battle", GAMES, opponent=opponents, decks=decks, seed=seed)
        self.random, self.seen = np.random.default_rng(seed), self.env.reset()[0]
        shapes = [(features(self.seen).shape[1], self.seen[mask].shape[-1])
                  for mask in ("what", "at")]
        self.weights = [np.zeros(shape) for shape in shapes]
        self.traces = [np.zeros((GAMES, *shape)) for shape in shapes]

    def play(self, games):
        """Learn from some games; return the name of the opponent and the points of each."""
        met, points = [], []
        while len(points) < games:
            actions, slopes = act(self.weights, features(self.seen), self.seen,
                                  self.random.random((2, GAMES, 1)))
            self.seen, rewards, ended, _, infos = self.env.step(actions)
            for weight, trace, slope in zip(self.weights, self.traces, slopes, strict=True):
                trace += slope
                weight += RATE / GAMES * np.tensordot(rewards[ended], trace[ended], 1)
                trace[ended] = 0
            if ended.any():
                met += infos["final_info"]["opponent"][ended].tolist()
                points += ((rewards[ended] + 1) / 2).tolist()
        return np.array(met), np.array(points)


def train(rounds=8, games=2000, seed=1, decks=("mage", "warrior", "shaman")):
    """Train in a league; return a table of the learner's results against each opponent."""
    rates, rows = {hsevo.Agent(agent): 0.5 for agent in AGENTS}, []  # of games not yet played
    learner = Learner(priorities(rates), seed, decks)
    for number in range(1, rounds + 1):
        met, points = learner.play(games)
        for agent in rates:
            if len(own := points[met == agent.name]):
                rate = hsevo.win_rate(own)
                rates[agent] = rate.value
                rows.append({"round": number, "opponent": agent.name, "games": len(own),
                             "rate": rate.value, "low": rate.low, "high": rate.high})
        table = pd.DataFrame(rows)
        print(table[table["round"] == number].to_string(index=False, float_format="%.3f"),
              flush=True)
        rates[hsevo.Agent(Copy(learner.weights), name=f"round-{number}")] = 0.5
        learner.env.set_opponents(priorities(rates))
    learner.env.close()
    return table


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("rounds", 8), ("games", 2000), ("seed", 1)):
        options.add_argument(f"--{name}", type=int, default=value)
    given = options.parse_args()
    try:
        train(**vars(given))
    except hsevo.HsevoError as error:  # gymnasium is missing: the line says how to install it
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
