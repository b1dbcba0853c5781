"""Learn to beat random play with a linear policy, in a minute or two: REINFORCE (Williams 1992).

    pip install -e '.[env]'        in the clone of hsevo
    python examples/linear_reinforce.py

The policy is a softmax over what to do, and one over at what; it sees the numbers of both players
and heroes. Each game adds up the gradients of its decisions, and moves the weights by its result.
"""

import argparse
import sys

import numpy as np

import hsevo
from hsevo import learning

GAMES, RATE = 256, 0.02
REPORT = 2000  # games between two printed lines


def features(seen):
    """Return the numbers of both players and heroes, and 1: float (n, f)."""
    parts = learning.split(seen["observation"])
    n = len(seen["observation"])
    numbers = [parts["player"].reshape(n, -1), parts["hero"][:, :, 1:].reshape(n, -1)]
    return np.hstack([*(np.clip(part, -50, 50) / 10 for part in numbers), np.ones((n, 1))])


def choose(weights, x, mask, luck):
    """Draw from a softmax over what the mask allows; return choices and their gradients."""
    scores = np.where(mask, x @ weights, -np.inf)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    chosen = (chances.cumsum(axis=1) > luck).argmax(axis=1)
    slope = -chances
    slope[np.arange(len(x)), chosen] += 1
    return chosen, x[:, :, None] * slope[:, None, :]


def act(weights, x, masks, luck):
    """Return actions (n, 3) and the gradients of both softmaxes. luck: (2, n, 1), from 0 to 1."""
    every = np.arange(len(x))
    what, slope_what = choose(weights[0], x, masks["what"] == 1, luck[0])
    at, slope_at = choose(weights[1], x, masks["at"][every, what] == 1, luck[1])
    where = masks["where"][every, what].argmax(axis=1)  # the leftmost place there is
    return np.stack([what, at, where], axis=1), (slope_what, slope_at)


def learn(games=30_000, seed=1, opponent="random", decks=("mage", "warrior", "shaman")):
    """Return the share of games won, among each REPORT games in turn."""
    env = hsevo.make_vec("battle", num_envs=GAMES, opponent=opponent, decks=decks, seed=seed)
    random = np.random.default_rng(seed)
    seen, _ = env.reset()
    x = features(seen)
    sizes = [mask.shape[-1] for mask in (seen["what"], seen["at"])]
    weights = [np.zeros((x.shape[1], size)) for size in sizes]
    traces = [np.zeros((GAMES, x.shape[1], size)) for size in sizes]
    results, shares = [], []
    while len(results) < games:
        actions, slopes = act(weights, x, seen, random.random((2, GAMES, 1)))
        for trace, slope in zip(traces, slopes, strict=True):
            trace += slope
        seen, rewards, ended, _, _ = env.step(actions)
        x = features(seen)
        for weight, trace in zip(weights, traces, strict=True):
            weight += RATE / GAMES * np.tensordot(rewards[ended], trace[ended], 1)
            trace[ended] = 0
        results += (rewards[ended] > 0).tolist()
        if len(results) >= REPORT * (len(shares) + 1):
            won = hsevo.win_rate(results[REPORT * len(shares):][:REPORT])
            shares.append(won.value)
            print(f"{len(results):,} games: {100 * won.value:.1f} % won"
                  f" ({100 * won.low:.1f} to {100 * won.high:.1f})", flush=True)
    env.close()
    return shares


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    try:
        learn()
    except hsevo.HsevoError as error:  # gymnasium is missing: the line says how to install it
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
