"""Means over what a decision could have led to, and targets by Expected SARSA(lambda), compiled.

Numbers in brackets, as (5), are equations of docs/pages/explanation/learning.md.

With TD(lambda) a position takes over the value of the one that the player's next decision led to
with, and so the luck of what the policy drew there. Expected SARSA (van Seijen et al. 2009) takes
the mean over all options of that decision by their probabilities. With lambda (Harutyunyan et al.
2016, Q^pi(lambda); the critic of VRPO, Fan and Farina 2026)

    G = gamma (sum pi Q + lambda (G' - Q'))

where G' is the return after the next decision and Q' the value of the option taken there. On
average over what the policy draws, Q' is the mean, so that lambda weighs as it does in TD(lambda).
"""

import math

import numpy as np

from hsevo.engine.jit import F8, I8, VOID, entry_point
from hsevo.learning.gradient import FLOATS_T, PASS_T, W_T, sigmoid
from hsevo.learning.options import DECISIONS_T
from hsevo.learning.policy_gradient import NUMBERS_2_T, log_softmax, odds_of
from hsevo.play.samples import SAMPLES_T, WORDS_T


@entry_point(VOID(W_T, SAMPLES_T, WORDS_T, DECISIONS_T, I8, I8, F8, PASS_T, NUMBERS_2_T, FLOATS_T,
                  FLOATS_T, FLOATS_T), "learning of a policy")
def expect(w, options, words, decisions, first, end, temperature, x, scratch, old, values,
           expected):
    """Set expected (n,) of decisions `first` to `end` to the mean (5), sum q v.

    old, values: log q, v of options.

    q is the policy that played, v the probability of winning by the network of values.
    """
    logs = scratch[0]
    for i in range(first, end):
        d, total = decisions[i], 0.0
        for k in range(d.n):
            logs[k] = np.float64(options[d.first + k].odds) / temperature
        log_softmax(logs, d.n)
        for k in range(d.n):
            value = sigmoid(odds_of(w, options, words, d.first + k, x))
            old[d.first + k] = logs[k]
            values[d.first + k] = value
            total += math.exp(logs[k]) * value
        expected[i] = total


@entry_point(VOID(SAMPLES_T, DECISIONS_T, FLOATS_T, FLOATS_T, F8, F8, FLOATS_T),
             "learning of a policy")
def expected_targets(options, decisions, values, expected, trace, discount, targets):
    """Set targets (n,) of samples to Expected SARSA(lambda) returns (6): mean chances to win.

    values, expected: of `expect`. trace: lambda; discount: gamma, of the reward +1 or -1 at the
    end, which is 2 target - 1.

    Each player has its own chain of decisions in a game; the return after its last is the outcome.
    A single return may lie outside 0 to 1: what it is corrected by is 0 on average alone.
    """
    even = 0.5 * (1.0 - discount)
    later = np.int64(-1)  # the game of the decision after this one
    next_0, next_1 = 0.0, 0.0  # the return after a player's decision, if its next one is known
    open_0, open_1 = False, False
    for i in range(len(decisions) - 1, -1, -1):
        d = decisions[i]
        taken = options[d.chosen]
        if taken.game != later:
            open_0, open_1, later = False, False, np.int64(taken.game)
        target = 0.5 * (1.0 + taken.outcome)
        if taken.seat == 0 and open_0:
            target = next_0
        if taken.seat == 1 and open_1:
            target = next_1
        before = np.float64(expected[i]) + trace * (target - np.float64(values[d.chosen]))
        if taken.seat == 0:
            open_0, next_0 = True, even + discount * before
        else:
            open_1, next_1 = True, even + discount * before
        if d.sample >= 0:
            targets[d.sample] = target
