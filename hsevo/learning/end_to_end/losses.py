"""The losses of the end-to-end learner in PyTorch: V-trace targets, PPO, UPGO, value and entropy.

Equations are numbered as by Xiao and others (2023); `hsevo.learning.losses` has them in numpy, and
tests compare the two. Arrays are (T, B): step t of trajectory b, one player's decisions in one
game. Trajectories are whole games, so nothing is bootstrapped; steps after the end have reward 0,
value 0 and ratio 1, and `valid` False.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from hsevo.config.learning import NetworkSettings


class Losses(NamedTuple):
    """The parts of a loss, unweighted means over valid steps, and their weighted sum.

    teacher: the cross-entropy to a teacher's moves; 0 without one.
    """

    total: Tensor
    policy: Tensor
    upgo: Tensor
    value: Tensor
    entropy: Tensor
    teacher: Tensor

    def kickstarted(self, log_taught: Tensor, valid: Tensor, weight: float) -> Losses:
        """Return them with a teacher's moves as a further part (Schmitt and others 2018).

        log_taught (T, B): log probabilities of its moves, 0 where it says nothing. A teacher says
        one move in each decision, by which the cross-entropy to its policy is estimated.
        """
        teacher = -mean(log_taught, valid)
        return self._replace(total=self.total + weight * teacher, teacher=teacher)


class Aims(NamedTuple):
    """What a batch teaches, all (T, B) and constants to the gradients.

    values: V-trace's targets. advantages: of equation 7. gains: UPGO's G - V, and their weights,
    the clipped ratios.
    """

    values: Tensor
    advantages: Tensor
    gains: Tensor
    weights: Tensor


def vtrace(rewards: Tensor, values: Tensor, ratios: Tensor, hyper: NetworkSettings) -> Tensor:
    """Return V-trace's targets v (T, B), equation 6, from the values V (T, B).

    v_t = V_t + clip(ratio_t, rho) (r_t + gamma V_t+1 - V_t) + gamma clip(ratio_t, c) (v_t+1 -
    V_t+1): the recursive form of the sum.
    """
    weights, trace = ratios.clamp(*hyper.clip), ratios.clamp(*hyper.trace_bounds)
    later = torch.zeros_like(values[0])  # v - V of the next step
    following = torch.zeros_like(values[0])  # V of the next step
    corrections = torch.empty_like(values)
    for t in range(len(values) - 1, -1, -1):
        surprise = rewards[t] + hyper.discount * following - values[t]
        later = weights[t] * surprise + hyper.discount * trace[t] * later
        corrections[t], following = later, values[t]
    return values + corrections


def upgo_returns(rewards: Tensor, values: Tensor, gamma: float = 1.0) -> Tensor:
    """Return UPGO's returns G (T, B) (Vinyals and others 2019).

    G_t = r_t + gamma G_t+1 where the next step went at least as well as expected, that is where
    r_t+1 + gamma V_t+2 >= V_t+1; else r_t + gamma V_t+1. It follows the good ends of a game and
    cuts off the bad ones.
    """
    ahead = shifted(values)
    better = shifted(rewards + gamma * ahead >= values)
    returns = torch.empty_like(values)
    following = torch.zeros_like(values[0])
    for t in range(len(values) - 1, -1, -1):
        following = rewards[t] + gamma * torch.where(better[t], following, ahead[t])
        returns[t] = following
    return returns


def shifted(rows: Tensor) -> Tensor:
    """Return the rows one step later; after the last come zeros."""
    return torch.cat([rows[1:], torch.zeros_like(rows[:1])])


def ppo_loss(log_policy: Tensor, log_behaviour: Tensor, advantages: Tensor, valid: Tensor,
             epsilon: float) -> Tensor:
    """Return PPO's loss, equation 7: -mean min(A ratio, A clip(ratio, 1 -+ epsilon))."""
    ratios = torch.exp(log_policy - log_behaviour)
    bounded = ratios.clamp(1 - epsilon, 1 + epsilon)
    return -mean(torch.minimum(advantages * ratios, advantages * bounded), valid)


def mirror_loss(log_policy: Tensor, log_behaviour: Tensor, advantages: Tensor, valid: Tensor,
                stepsize: float) -> Tensor:
    """Return mirror descent's loss: -mean A ratio - (ratio - 1 - log ratio) / stepsize."""
    logs = torch.where(valid, log_policy - log_behaviour, 0)
    ratios = torch.exp(logs)
    return -mean(advantages * ratios - (ratios - 1 - logs) / stepsize, valid)


def policy_loss(log_policy: Tensor, log_behaviour: Tensor, aim: Aims, valid: Tensor,
                hyper: NetworkSettings) -> Tensor:
    """Return the loss of V-trace's advantages, by `network.gradient`."""
    return _gained(hyper.gradient, log_policy, log_behaviour, aim.advantages, aim, valid, hyper)


def upgo_loss(log_policy: Tensor, log_behaviour: Tensor, aim: Aims, valid: Tensor,
              hyper: NetworkSettings) -> Tensor:
    """Return UPGO's loss, that of its gains by `network.upgo_gradient`."""
    return _gained(hyper.upgo_gradient, log_policy, log_behaviour, aim.gains, aim, valid, hyper)


def _gained(form: str, log_policy: Tensor, log_behaviour: Tensor, gains: Tensor, aim: Aims,
            valid: Tensor, hyper: NetworkSettings) -> Tensor:
    """Return a form's loss of gains (T, B); equation 4 is -mean weight gain log pi."""
    if form == "ppo":
        return ppo_loss(log_policy, log_behaviour, gains, valid, hyper.epsilon)
    if form == "mmd":
        return mirror_loss(log_policy, log_behaviour, gains, valid, hyper.stepsize)
    return -mean(aim.weights * gains * log_policy, valid)


def mean(numbers: Tensor, valid: Tensor) -> Tensor:
    """Return the mean of the valid entries, by exclusion rather than by a product with 0."""
    return torch.where(valid, numbers, 0).sum() / valid.sum()


@torch.no_grad()
def aims(log_policy: Tensor, values: Tensor, log_behaviour: Tensor, rewards: Tensor, valid: Tensor,
         hyper: NetworkSettings) -> Aims:
    """Return what a batch teaches, all arguments (T, B).

    log_policy: of the chosen actions now; log_behaviour: when they were chosen. values: of the
    network now.
    """
    known = torch.where(valid, values, 0)
    ratios = torch.where(valid, torch.exp(log_policy - log_behaviour), 1)
    targets = vtrace(rewards, known, ratios, hyper)
    advantages = rewards + hyper.discount * shifted(targets) - known
    gains = upgo_returns(rewards, known, hyper.discount) - known
    return Aims(targets, advantages, gains, ratios.clamp(*hyper.clip))


def losses(log_policy: Tensor, values: Tensor, entropies: Tensor, log_behaviour: Tensor,
           valid: Tensor, aim: Aims, hyper: NetworkSettings) -> Losses:
    """Return the losses of a batch, arguments (T, B); gradients flow through the first three."""
    parts = (
        policy_loss(log_policy, log_behaviour, aim, valid, hyper),
        upgo_loss(log_policy, log_behaviour, aim, valid, hyper),
        mean((values - aim.values) ** 2, valid) / 2,
        mean(entropies, valid),
    )
    weights = (hyper.policy, hyper.upgo, hyper.value, -hyper.entropy)
    total = sum((weight * part for weight, part in zip(weights, parts, strict=True)),
                torch.zeros_like(parts[0]))
    return Losses(total, *parts, torch.zeros_like(total))
