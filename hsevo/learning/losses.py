"""What a learner minimises: V-trace, PPO, UPGO, value and entropy, as equations in numpy.

    targets, advantages = vtrace(rewards, values, discounts, ratios)
    loss = losses(logits, values, batch)      the parts, and the gradients of their sum

They are the reference for faster versions, not one themselves. Equations (6) and (7) and Table III
of Xiao et al., "Mastering Strategy Card Game (Hearthstone) with Improved Techniques" (2023);
V-trace is Espeholt et al.'s (2018), PPO Schulman et al.'s (2017), UPGO Vinyals et al.'s (2019).

Arrays have time first, (T, ...), then any number of games. values is (T + 1, ...): its last row is
the worth of what follows. discounts (T, ...) are gamma, and 0 where a game ends: many games may
follow each other in one row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hsevo.config.learning import NetworkSettings
from hsevo.types import Array


@dataclass(frozen=True)
class DecisionBatch:
    """Decisions of one player in each row, as they were played; all (T, ...) but legal.

    actions: what was chosen. legal (T, ..., A): what could be, never nothing. behaviour: the log
    probability with which the player chose. rewards, discounts: as in the module's text. weights:
    0 for padding, else 1.
    """

    actions: Array
    legal: Array
    behaviour: Array
    rewards: Array
    discounts: Array
    weights: Array


@dataclass(frozen=True)
class ReferenceLosses:
    """The parts, each a mean over the decisions, and the gradients of the total.

    total = policy + upgo + value - entropy, each times its weight. d_logits (T, ..., A), d_values
    (T, ...): the derivatives; targets and advantages are constants to them.
    """

    total: float
    policy: float
    upgo: float
    value: float
    entropy: float
    d_logits: Array
    d_values: Array


def vtrace(rewards: Array, values: Array, discounts: Array, ratios: Array,
           hyper: NetworkSettings | None = None) -> tuple[Array, Array]:
    """Return the targets v, (T + 1, ...), and the advantages r + gamma v' - V, (T, ...).

    v = V + sum_i gamma^i [prod_{j<i} clip(ratio_j, c)] clip(ratio_i, rho) delta_i, equation (6);
    `ratios` are pi / mu, (T, ...).
    """
    hyper = hyper or NetworkSettings()
    trace, rho = np.clip(ratios, *hyper.trace_bounds), np.clip(ratios, *hyper.clip)
    deltas = rho * (rewards + discounts * values[1:] - values[:-1])
    targets = np.array(values, np.float64)
    for t in reversed(range(len(rewards))):
        later = discounts[t] * trace[t] * (targets[t + 1] - values[t + 1])
        targets[t] = values[t] + deltas[t] + later
    return targets, rewards + discounts * targets[1:] - values[:-1]


def upgo(rewards: Array, values: Array, discounts: Array) -> Array:
    """Return the upgoing returns G, (T, ...): rewards as long as play is better than expected.

    G = r + gamma G' if the next action was no mistake, r' + gamma V'' >= V', else r + gamma V'.
    """
    better = rewards + discounts * values[1:] >= values[:-1]
    returns: Array = rewards + discounts * values[1:]
    for t in reversed(range(len(rewards) - 1)):
        follow = np.where(better[t + 1], returns[t + 1], values[t + 1])
        returns[t] = rewards[t] + discounts[t] * follow
    return returns


def ppo(ratios: Array, advantages: Array, epsilon: float = 0.2) -> Array:
    """Return the clipped objective of every decision, equation (7), to be maximised."""
    clipped = np.clip(ratios, 1 - epsilon, 1 + epsilon)
    objective: Array = np.minimum(ratios * advantages, clipped * advantages)
    return objective


def mirror(ratios: Array, advantages: Array, stepsize: float) -> Array:
    """Return mirror descent's objective of every decision, to be maximised.

    ratio A - KL / eta, without clipping: magnetic mirror descent (Sokota et al. 2023) but for its
    magnet. KL is the divergence of the policy that played from the policy now, estimated from what
    was chosen by ratio - 1 - log ratio, which is never below 0 and right in the mean.
    """
    objective: Array = ratios * advantages - (ratios - 1 - np.log(ratios)) / stepsize
    return objective


def log_softmax(logits: Array, legal: Array) -> Array:
    """Return the log probabilities, (..., A): -inf for what is not legal."""
    masked = np.where(legal, logits, -np.inf)
    masked = masked - masked.max(-1, keepdims=True)
    logs: Array = masked - np.log(np.exp(masked).sum(-1, keepdims=True))
    return logs


def entropies(logs: Array) -> Array:
    """Return the entropy, in nats, of log probabilities (..., A)."""
    nats: Array = -_times_log(np.exp(logs), logs).sum(-1)
    return nats


def losses(logits: Array, values: Array, batch: DecisionBatch,
           hyper: NetworkSettings | None = None) -> ReferenceLosses:
    """Return all parts with their gradients: of logits (T, ..., A) and values (T + 1, ...)."""
    hyper = hyper or NetworkSettings()
    logs = log_softmax(logits, batch.legal)
    chosen = np.take_along_axis(logs, batch.actions[..., None], -1)[..., 0]
    ratios = np.exp(chosen - batch.behaviour)
    targets, advantages = vtrace(batch.rewards, values, batch.discounts, ratios, hyper)
    gains = upgo(batch.rewards, values, batch.discounts) - values[:-1]
    errors, share = values[:-1] - targets[:-1], batch.weights / batch.weights.sum()
    policy, rising, value, entropy = (float((share * part).sum()) for part in (
        -_gained(hyper.gradient, chosen, ratios, advantages, hyper),
        -_gained(hyper.upgo_gradient, chosen, ratios, gains, hyper),
        errors**2 / 2, entropies(logs)))
    total = (hyper.policy * policy + hyper.upgo * rising + hyper.value * value
             - hyper.entropy * entropy)
    factor = (hyper.policy * _gained_slope(hyper.gradient, ratios, advantages, hyper)
              + hyper.upgo * _gained_slope(hyper.upgo_gradient, ratios, gains, hyper))
    toward = _one_hot(batch.actions, logs) - np.exp(logs)
    slope = factor[..., None] * toward + hyper.entropy * _entropy_slope(logs)
    return ReferenceLosses(total, policy, rising, value, entropy, -share[..., None] * slope,
                  hyper.value * share * errors)


def _gained(form: str, chosen: Array, ratios: Array, gains: Array, hyper: NetworkSettings) -> Array:
    """Return the objective of every decision; the ratio is a constant if it is a weight."""
    if form == "ppo":
        return ppo(ratios, gains, hyper.epsilon)
    if form == "mmd":
        return mirror(ratios, gains, hyper.stepsize)
    weighted: Array = np.clip(ratios, *hyper.clip) * gains * chosen
    return weighted


def _gained_slope(form: str, ratios: Array, gains: Array, hyper: NetworkSettings) -> Array:
    """Return the derivative of `_gained` by the log probability of what was chosen."""
    if form == "ppo":
        return _slope(ratios, gains, hyper.epsilon)
    if form == "mmd":
        return np.asarray(ratios * gains - (ratios - 1) / hyper.stepsize)
    slope: Array = np.clip(ratios, *hyper.clip) * gains
    return slope


def _slope(ratios: Array, advantages: Array, epsilon: float) -> Array:
    """Return the derivative of `ppo` by the log probability: 0 where it is clipped."""
    free = np.where(advantages > 0, ratios < 1 + epsilon, ratios > 1 - epsilon)
    return np.where(free, ratios * advantages, 0.0)


def _entropy_slope(logs: Array) -> Array:
    """Return the derivatives of the entropy by the logits, (..., A)."""
    chances = np.exp(logs)
    slope: Array = -_times_log(chances, logs) - chances * entropies(logs)[..., None]
    return slope


def _times_log(chances: Array, logs: Array) -> Array:
    """Return p log p, 0 for p = 0."""
    return chances * np.where(chances > 0, logs, 0.0)


def _one_hot(actions: Array, logs: Array) -> Array:
    """Return 1 for what was chosen, else 0, (..., A)."""
    hot: Array = actions[..., None] == np.arange(logs.shape[-1])
    return hot
