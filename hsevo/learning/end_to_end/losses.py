"""The losses of the end-to-end learner in PyTorch: V-trace targets, PPO, UPGO, value and entropy.

Numbers in brackets, as (11), are equations of docs/pages/explanation/learning.md, after Xiao et
al., "Mastering Strategy Card Game (Hearthstone) with Improved Techniques" (2023). V-trace is
Espeholt et al.'s (2018), PPO Schulman et al.'s (2017), UPGO Vinyals et al.'s (2019).

Arrays are (T, B): step t of trajectory b, one player's decisions in one game. Trajectories are
whole games, so nothing is bootstrapped; steps after the end have reward 0, value 0 and ratio 1, and
`valid` False.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from hsevo.config.learning import NetworkSettings


class Losses(NamedTuple):
    """Hold the parts of a loss, unweighted means over valid steps, and their weighted sum.

    Attributes
    ----------
    total : Tensor
        Weighted sum.
    policy, upgo, value, entropy : Tensor
        Parts of (14).
    teacher : Tensor
        Cross-entropy to the moves of a teacher (16). 0 without a teacher.
    """

    total: Tensor
    policy: Tensor
    upgo: Tensor
    value: Tensor
    entropy: Tensor
    teacher: Tensor

    def kickstarted(self, log_taught: Tensor, valid: Tensor, weight: float) -> Losses:
        """Return the losses with the moves of a teacher as a further part (16).

        Parameters
        ----------
        log_taught : Tensor of shape (T, B)
            Log probabilities of its moves, 0 where it has none. A teacher has one move in each
            decision, by which the cross-entropy to its policy is estimated.
        valid : Tensor of bool, shape (T, B)
            Steps of the games.
        weight : float
            Weight in the total.

        Returns
        -------
        Losses
            The losses.
        """
        teacher = -mean(log_taught, valid)
        return self._replace(total=self.total + weight * teacher, teacher=teacher)


class Aims(NamedTuple):
    """Hold the targets of a batch, which are constants to the gradients.

    Attributes
    ----------
    values : Tensor of shape (T, B)
        Targets v of V-trace (11).
    advantages : Tensor of shape (T, B)
        Advantages A of (11).
    gains : Tensor of shape (T, B)
        G - V of UPGO (13).
    weights : Tensor of shape (T, B)
        Clipped ratios, the weights of the gains in (14).
    """

    values: Tensor
    advantages: Tensor
    gains: Tensor
    weights: Tensor


def vtrace(rewards: Tensor, values: Tensor, ratios: Tensor, hyper: NetworkSettings) -> Tensor:
    """Return the targets of V-trace, equation (11).

    Parameters
    ----------
    rewards, values, ratios : Tensor of shape (T, B)
        Rewards, value estimates V, and importance ratios pi / mu.
    hyper : NetworkSettings
        Settings, with the bounds of the ratios, rho (`clip`) and c (`trace_bounds`), and gamma.

    Returns
    -------
    Tensor of shape (T, B)
        Targets v.

    References
    ----------
    Espeholt, L. et al. (2018). IMPALA: Scalable Distributed Deep-RL with Importance Weighted
    Actor-Learner Architectures.
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
    """Return the upgoing returns, equation (13): rewards as long as play is better than expected.

    Parameters
    ----------
    rewards, values : Tensor of shape (T, B)
        Rewards and value estimates V.
    gamma : float, default 1.0
        Discount.

    Returns
    -------
    Tensor of shape (T, B)
        Returns G.

    References
    ----------
    Vinyals, O. et al. (2019). Grandmaster level in StarCraft II using multi-agent reinforcement
    learning. Nature 575, 350-354.
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
    """Return PPO's loss, the mean of -P, equation (12)."""
    ratios = torch.exp(log_policy - log_behaviour)
    bounded = ratios.clamp(1 - epsilon, 1 + epsilon)
    return -mean(torch.minimum(advantages * ratios, advantages * bounded), valid)


def mirror_loss(log_policy: Tensor, log_behaviour: Tensor, advantages: Tensor, valid: Tensor,
                stepsize: float) -> Tensor:
    """Return mirror descent's loss, the mean of -M, equation (15)."""
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
    """Return a form's loss of gains (T, B): (12), (15) or the middle term of (14)."""
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
    """Return the targets of a batch.

    Parameters
    ----------
    log_policy, log_behaviour : Tensor of shape (T, B)
        Log probabilities of the chosen actions now, and when they were chosen.
    values, rewards : Tensor of shape (T, B)
        Value estimates of the network now, and rewards.
    valid : Tensor of bool, shape (T, B)
        Steps of the games.
    hyper : NetworkSettings
        Settings.

    Returns
    -------
    Aims
        The targets.
    """
    known = torch.where(valid, values, 0)
    ratios = torch.where(valid, torch.exp(log_policy - log_behaviour), 1)
    targets = vtrace(rewards, known, ratios, hyper)
    advantages = rewards + hyper.discount * shifted(targets) - known
    gains = upgo_returns(rewards, known, hyper.discount) - known
    return Aims(targets, advantages, gains, ratios.clamp(*hyper.clip))


def losses(log_policy: Tensor, values: Tensor, entropies: Tensor, log_behaviour: Tensor,
           valid: Tensor, aim: Aims, hyper: NetworkSettings) -> Losses:
    """Return the losses of a batch, equation (14).

    Parameters
    ----------
    log_policy, values, entropies : Tensor of shape (T, B)
        Log probabilities of the chosen actions, value estimates, and entropies, with gradients.
    log_behaviour : Tensor of shape (T, B)
        Log probabilities when the actions were chosen.
    valid : Tensor of bool, shape (T, B)
        Steps of the games.
    aim : Aims
        Targets.
    hyper : NetworkSettings
        Settings, with the weights of the parts.

    Returns
    -------
    Losses
        The parts and their weighted sum.
    """
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
