"""A learner for small games: a table of logits, one of three updates, opponents asked of OSFP.

It learns as a player of Hearthstone would: from sampled games alone, in one seat of each, the seats
in turns. A step's games move the logits by

    reinforce       the plain policy gradient
    ppo             proximal policy optimisation (Schulman et al., 2017), some steps a batch
    mirror_descent  magnetic mirror descent (Sokota et al., 2023), in closed form
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hsevo.config.learning import OsfpSettings
from hsevo.learning.osfp import OSFP
from tests.support.small_games import CHANCE, END, Tree, nash_conv

# Payoffs of small games differ little between opponents: a steep f tells them apart.
STEEP = OsfpSettings(score="mean", power=32.0)
EPOCHS, CLIP = 4, 0.2  # of PPO: steps on a batch, and how far a ratio may go
# game, logits, visits, payoffs, rate, entropy -> new logits
Update = Callable[[Tree, np.ndarray, np.ndarray, np.ndarray, float, float], np.ndarray]


@dataclass(frozen=True)
class Budget:
    """How long to learn: periods of so many steps, a step of so many games; and how fast.

    rate: of the first step; it falls with the root of the step's number, from `steady` on.
    entropy: the weight of the policy's entropy. fade: whether it falls as the rate does.
    """

    periods: int = 150
    steps: int = 30
    games: int = 1024
    rate: float = 0.3
    steady: int = 100
    entropy: float = 0.02
    fade: bool = False


def reinforce(game: Tree, logits: np.ndarray, visits: np.ndarray, payoffs: np.ndarray,
              rate: float, entropy: float) -> np.ndarray:
    """Return the logits after a step up the policy gradient."""
    return logits + rate * gradient(softmax(game, logits), visits, payoffs, entropy)


def learn(game: Tree, settings: OsfpSettings, seed: int, budget: Budget,
          update: Update = reinforce) -> tuple[np.ndarray, OSFP]:
    """Learn; return the NashConv of the latest policy after every period, and the OSFP."""
    osfp, rng = OSFP(settings, seed), np.random.default_rng(seed)
    most = np.abs(game.payoff).max()
    logits, pool, curve = np.zeros(game.legal.shape), [], []
    for step in range(1, budget.periods * budget.steps + 1):
        policy = softmax(game, logits)
        opponents = osfp.ask(budget.games)
        visits, payoffs = play(game, np.array([policy, *pool]), opponents + 1, rng)
        osfp.tell(opponents, payoffs / most)
        slower = np.sqrt(max(step / budget.steady, 1.0))
        entropy = budget.entropy / slower if budget.fade else budget.entropy
        logits = update(game, logits, visits, payoffs, budget.rate / slower, entropy)
        if step % budget.steps == 0:
            latest = softmax(game, logits)
            curve.append(nash_conv(game, latest))
            if osfp.end_period().added:
                pool.append(latest)
    return np.array(curve), osfp


def softmax(game: Tree, logits: np.ndarray) -> np.ndarray:
    """Return the policy of logits; actions that are not legal have probability 0."""
    raised = np.exp(np.where(game.legal, logits - logits.max(1, keepdims=True), -np.inf))
    return raised / raised.sum(1, keepdims=True)


def play(game: Tree, policies: np.ndarray, opponents: np.ndarray, rng: np.random.Generator,
         ) -> tuple[np.ndarray, np.ndarray]:
    """Play a game against each of `opponents`, (n,) of `policies`; the learner is policy 0.

    Returns its decisions, (decisions, 3): game, infoset, action; and its payoffs, (n,).
    """
    number, node = np.arange(len(opponents)), np.zeros(len(opponents), int)
    going, visits = number, [np.zeros((0, 3), int)]
    while len(going):
        at = node[going]
        mine = game.mover[at] == going % 2
        policy = policies[np.where(mine, 0, opponents[going]), game.infoset[at]]
        chances = np.where((game.mover[at] == CHANCE)[:, None], game.chance[at], policy)
        action = _draw(chances, rng)
        visits.append(np.stack([going, game.infoset[at], action], 1)[mine])
        node[going] = game.children[at, action]
        going = going[game.mover[node[going]] != END]
    return np.concatenate(visits), game.payoff[node] * (1 - 2 * (number % 2))


def _draw(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a column for each row, (n,), drawn by its chances, (n, A)."""
    total = chances.cumsum(1)
    return (total <= (rng.random(len(chances)) * total[:, -1])[:, None]).sum(1)


def gradient(policy: np.ndarray, visits: np.ndarray, payoffs: np.ndarray, entropy: float,
             ) -> np.ndarray:
    """Return how the logits should change, (I, A): of each infoset, the mean over its visits.

    That is REINFORCE with the infoset's mean payoff as its baseline, and the policy's entropy.
    """
    infoset, action, won = visits[:, 1], visits[:, 2], payoffs[visits[:, 0]]
    count = np.bincount(infoset, minlength=len(policy))
    often = np.maximum(count, 1)
    gains = np.zeros(policy.shape)
    np.add.at(gains, (infoset, action), won - _baseline(len(policy), infoset, won)[infoset])
    # the gains of an infoset sum to 0
    return gains / often[:, None] + entropy * _evening(policy) * (count > 0)[:, None]


def ppo(game: Tree, logits: np.ndarray, visits: np.ndarray, payoffs: np.ndarray, rate: float,
        entropy: float) -> np.ndarray:
    """Return the logits after EPOCHS steps up PPO's clipped surrogate, with the same baseline."""
    played = softmax(game, logits)
    infoset, action, won = visits[:, 1], visits[:, 2], payoffs[visits[:, 0]]
    gain = won - _baseline(len(played), infoset, won)[infoset]
    better, worse = np.zeros(played.shape), np.zeros(played.shape)
    np.add.at(better, (infoset, action), np.maximum(gain, 0))
    np.add.at(worse, (infoset, action), np.minimum(gain, 0))
    count = np.bincount(infoset, minlength=len(played))[:, None]
    for _ in range(EPOCHS):
        policy = softmax(game, logits)
        ratio = policy / np.where(game.legal, played, 1.0)
        pull = ratio * (better * (ratio < 1 + CLIP) + worse * (ratio > 1 - CLIP))
        pull -= policy * pull.sum(1, keepdims=True)  # through the softmax
        logits = logits + rate * (pull / np.maximum(count, 1)
                                  + entropy * _evening(policy) * (count > 0))
    return logits


def mirror_descent(game: Tree, logits: np.ndarray, visits: np.ndarray, payoffs: np.ndarray,
                   rate: float, entropy: float) -> np.ndarray:
    """Return the logits after a step of magnetic mirror descent; the magnet is uniform.

    policy' ~ (policy exp(rate q))^(1 / (1 + rate entropy)), q the mean payoff of an action less
    that of its infoset; of an action that nobody took, 0.
    """
    infoset, action, won = visits[:, 1], visits[:, 2], payoffs[visits[:, 0]]
    gains, count = np.zeros(logits.shape), np.zeros(logits.shape)
    np.add.at(gains, (infoset, action), won - _baseline(len(logits), infoset, won)[infoset])
    np.add.at(count, (infoset, action), 1)
    moved = (logits + rate * gains / np.maximum(count, 1)) / (1 + rate * entropy)
    return np.where((count > 0).any(1, keepdims=True), moved, logits)


def _baseline(infosets: int, infoset: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the mean payoff of each infoset, (infosets,), from its visits."""
    often = np.maximum(np.bincount(infoset, minlength=infosets), 1)
    return np.bincount(infoset, won, infosets) / often


def _evening(policy: np.ndarray) -> np.ndarray:
    """Return how the entropy of a policy changes with the logits, (I, A)."""
    log = np.log(np.maximum(policy, 1e-12))
    return -policy * (log - (policy * log).sum(1, keepdims=True))
