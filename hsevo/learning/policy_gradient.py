"""The gradient of PPO and of magnetic mirror descent by the network's weights, compiled.

Numbers in brackets, as (7), are equations of docs/pages/explanation/learning.md. The policy (2) is
the softmax of the outputs of a decision's options over a temperature. With advantage A, and r the
probability p of what was done over that when it was played, q, a decision's loss is

    - min(r A, clip(r, 1 - c, 1 + c) A) + e sum p log p + h sum p log(p / q)

PPO (7) (Schulman et al. 2017) has h = 0, and e is the weight of the entropy. Magnetic mirror
descent (8) (Sokota et al. 2023) has no c, e is alpha, the pull of the uniform policy, and h is
1 / eta.

A constant that is added to all logits of a decision does not change the policy, so their level
would drift out of the range of the network that plays. So each loss, a teacher's too, also has
l/2 (log Z - v)^2, where Z is the sum of the exponentials of the logits, and v the log-odds of the
expected value (5) over the temperature. With v = 0 it would be the z-loss of Chowdhery et al.
(2022). If an option wins at once, its logit is fixed, and the others have nearly no probability, so
that the term has nearly no gradient.
"""

import math

import numpy as np

from hsevo.engine.jit import F8, I8, VOID, array, entry_point, kernel, record, records
from hsevo.learning.gradient import (
    FLOATS_T,
    ORDER_T,
    PASS,
    PASS_T,
    W_T,
    backward_last,
    backward_minions,
    backward_wide,
    forward,
    transpose,
)
from hsevo.learning.options import DECISION_T, DECISIONS_T
from hsevo.play.samples import SAMPLES_T, WORDS_T

RULE = np.dtype([
    ("temperature", "f8"),
    ("bound", "f8"),  # c; inf: none
    ("entropy", "f8"),  # e
    ("hold", "f8"),  # h
    ("level", "f8"),  # l
    ("taught", "i8"),  # 1: the loss is the cross-entropy to a teacher's policy
])
RULE_T, PASSES_T = record(RULE), records(PASS)
NUMBERS_T, NUMBERS_2_T = array(F8, 1), array(F8, 2)
SLIGHT = 1e-4  # slopes that are left out, where those that matter are near 1


@kernel(VOID(NUMBERS_T, I8))
def log_softmax(logits, n):
    """Replace n logits by the logs of their softmax, the policy (2)."""
    most, total = logits[0], 0.0
    for k in range(n):
        most = max(most, logits[k])
    for k in range(n):
        total += math.exp(logits[k] - most)
    most += math.log(total)
    for k in range(n):
        logits[k] -= most


@kernel(F8(NUMBERS_T, FLOATS_T, I8, I8, I8, F8, RULE_T, NUMBERS_T))
def policy_slopes(logs, old, first, n, chosen, advantage, rule, slopes):
    """Return the loss (7) or (8) of a decision, and set slopes (n,) to its slopes by the logits.

    logs (n,): log p; old: log q, that of this decision from `first` on, or the probabilities of a
    teacher; chosen: from 0.
    """
    even, near = 0.0, 0.0  # sum p log p, sum p log(p / q)
    if rule.taught:
        loss = 0.0
        for k in range(n):
            target = np.float64(old[first + k])
            slopes[k] = math.exp(logs[k]) - target
            loss -= target * logs[k]
        return loss
    for k in range(n):
        p = math.exp(logs[k])
        even += p * logs[k]
        near += p * (logs[k] - old[first + k])
    ratio = math.exp(logs[chosen] - old[first + chosen])
    gain, most = ratio * advantage, min(max(ratio, 1.0 - rule.bound), 1.0 + rule.bound) * advantage
    push = gain if gain <= most else 0.0  # beyond the clip, the loss does not change
    for k in range(n):
        p = math.exp(logs[k])
        slopes[k] = push * p + p * (rule.entropy * (logs[k] - even)
                                    + rule.hold * (logs[k] - old[first + k] - near))
    slopes[chosen] -= push
    return rule.entropy * even + rule.hold * near - min(gain, most)


@kernel(F8(W_T, SAMPLES_T, WORDS_T, I8, PASS_T))
def odds_of(w, options, words, i, x):
    """Return the log-odds of an option; x keeps the activations, unless it ended the game."""
    n = np.int64(options[i].n)
    return forward(w, words, options[i].at, n, x) if n > 0 else np.float64(options[i].odds)


@kernel(VOID(W_T, SAMPLES_T, WORDS_T, DECISION_T, PASSES_T, NUMBERS_T, F8, W_T))
def add_slopes(w, options, words, d, x, slopes, temperature, gradient):
    """Add the gradient of a decision, whose loss has `slopes` by its logits."""
    for k in range(d.n):
        at, n = options[d.first + k].at, np.int64(options[d.first + k].n)
        if n > 0 and abs(slopes[k]) > SLIGHT:
            backward_last(w, gradient, x[k], x[0], slopes[k] / temperature)
            backward_wide(gradient, words, at, n, x[k], x[0])
            backward_minions(gradient, words, at, n, x[k])


@entry_point(F8(W_T, SAMPLES_T, WORDS_T, DECISIONS_T, ORDER_T, FLOATS_T, FLOATS_T, FLOATS_T, RULE_T,
                PASSES_T, NUMBERS_2_T, W_T), "learning of a policy")
def add_policy_gradient(w, options, words, decisions, order, advantages, levels, old, rule, x,
                        scratch, gradient):
    """Add the gradient of the loss of decisions `order` by the weights; return its sum.

    advantages, levels (log-odds): of decisions; old: log q of options. x (k,), scratch (2, k): k at
    least the options of any decision.
    """
    total, logs, slopes = 0.0, scratch[0], scratch[1]
    transpose(w, x[0])
    for i in order:
        d = decisions[i]
        for k in range(d.n):
            logs[k] = odds_of(w, options, words, d.first + k, x[k]) / rule.temperature
        logit = logs[0]
        log_softmax(logs, d.n)
        total += policy_slopes(logs, old, d.first, d.n, d.chosen - d.first,
                               np.float64(advantages[i]), rule, slopes)
        off = logit - logs[0] - np.float64(levels[i]) / rule.temperature
        total += 0.5 * rule.level * off * off
        for k in range(d.n):
            slopes[k] += rule.level * off * math.exp(logs[k])
        add_slopes(w, options, words, d, x, slopes, rule.temperature, gradient)
    return total


@entry_point(VOID(FLOATS_T), "learning of a policy")
def standardise(advantages):
    """Shift and scale advantages (n,) to the mean 0 and the deviation 1, in a fixed order."""
    n, total, squares = max(len(advantages), 1), 0.0, 0.0
    for i in range(len(advantages)):
        total += np.float64(advantages[i])
    mean = total / n
    for i in range(len(advantages)):
        squares += (np.float64(advantages[i]) - mean)**2
    scale = 1.0 / (math.sqrt(squares / n) + 1e-8)
    for i in range(len(advantages)):
        advantages[i] = np.float32((np.float64(advantages[i]) - mean) * scale)
