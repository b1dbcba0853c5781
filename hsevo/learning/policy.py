"""The learner of a policy: PPO, or magnetic mirror descent, on all options of a round's games.

    record_options()  -->  PlayedOptions  --ActorCritic.learn()-->  weights of policy and values

Two networks of the same shape: that of values learns as `Learner` does, the log-odds of winning by
TD(lambda). The other is the policy: the softmax of its outputs for the positions that the legal
actions lead to. The advantage of an action is the TD(lambda) return from the position after it,
less what the network of values expects of the policy there: a mean over all actions, so that it
needs no value of a position before an action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hsevo.agents.learned.nets import keep
from hsevo.config.learning import LearnerSettings
from hsevo.engine.record.state import STATE
from hsevo.learning.expected import expect, expected_targets
from hsevo.learning.gradient import PASS
from hsevo.learning.learner import SHARDS, ValueLearner, joined, targets_of
from hsevo.learning.options import ALL, DECISION, Tape, record_rows
from hsevo.learning.policy_gradient import RULE, add_policy_gradient, standardise
from hsevo.play import match
from hsevo.play.entry import Command, call
from hsevo.play.samples import SAMPLE, Count
from hsevo.types import Array

# A game's room: samples, options of one, words of a position; more than is needed on average.
ROOM, OPTIONS, TAUGHT, WORDS, SPARE = 120, 10, 20, 280, 4_000
# The weight l of the level term (policy_gradient.py), tried at a temperature of 0.1; per squared
# log-odds it is l / temperature**2. Appendix any-deck-trials compares weights and levels.
LEVEL = 0.001
SURE = np.float32(0.999)  # the highest expected value; its log-odds, 7, are well within 20


class PlayedOptions(NamedTuple):
    """What the games of a round leave: see learning/options.py."""

    samples: Array  # SAMPLE: the positions that followed in the games
    words: Array
    options: Array  # SAMPLE: those that they could have gone on with
    option_words: Array
    decisions: Array  # DECISION


def record_options(pairings: Array, agents: Array, setting: match.Setting,
                   *nets: Array) -> tuple[Array, PlayedOptions]:
    """Play every game of every pairing of learned policies; return RESULT (n,) and what is left.

    As match.record_block; agent 0 is the learner. No agent may search.
    """
    keep(nets)
    rows = np.ascontiguousarray(pairings, match.PAIRING).view(np.recarray)
    results, tape = _taped(rows, agents, setting)
    return results, _cut(tape)


def _taped(rows: Any, agents: Array, setting: match.Setting, ask: int = 0) -> tuple[Array, Tape]:
    """Play every game of every pairing; return RESULT (n,) and what is recorded."""
    context = match.context(agents, setting, match.new_scratch())
    context = context._replace(tables=context.tables[0])  # a call takes long, so the record may
    room = ROOM * int(rows["games"].sum())
    while True:
        tape, results = _tape(room, ask), np.zeros(len(rows), match.RESULT).view(np.recarray)
        record_rows(context, tape, rows, results)
        if not tape.counts[Count.LOST] + tape.option_counts[Count.LOST]:
            return results.view(np.ndarray), tape
        room *= 2


def _tape(room: int, ask: int) -> Tape:
    """Return a tape with room for so many samples; ask: as in Tape."""
    def samples(n: int) -> tuple[Array, Array, Array]:
        return (np.zeros(n, SAMPLE).view(np.recarray), np.zeros(WORDS * n, np.uint16),
                np.zeros(len(Count), np.int64))

    decisions = room + SPARE
    if ask:  # all of their moves are options
        decisions = 2 * room * ask // ALL + SPARE
    options = (TAUGHT * decisions if ask else OPTIONS * room) + SPARE
    return Tape(*samples(room + SPARE), *samples(options),
                np.zeros(decisions, DECISION).view(np.recarray), np.zeros(1, np.int64),
                np.zeros(decisions if ask else 0, STATE).view(np.recarray),
                np.zeros(options if ask else 0, np.int64), ask)


def _cut(tape: Tape) -> PlayedOptions:
    """Return copies of what was recorded."""
    n, k = tape.counts, tape.option_counts
    return PlayedOptions(*(part.view(np.ndarray)[:size].copy() for part, size in (
        (tape.samples, n[Count.SAMPLES]), (tape.words, n[Count.WORDS]),
        (tape.options, k[Count.SAMPLES]), (tape.option_words, k[Count.WORDS]),
        (tape.decisions, tape.decided[0]))))


def record_taught(share: float, pairings: Array, agents: Array, setting: match.Setting,
                  *nets: Array) -> tuple[Array, PlayedOptions]:
    """Play as `record_options`, and ask a teacher, the last agent, what it would do.

    share: of the decisions about which it is asked, which alone are returned; `chosen` is its move.
    The teacher may be any compiled agent. The games go on with the learner's own move.
    """
    keep(nets)
    rows = np.ascontiguousarray(pairings, match.PAIRING).view(np.recarray)
    results, tape = _taped(rows, agents[:-1], setting, round(share * ALL))
    n = int(tape.decided[0])
    states, moves = tape.states[:n], np.zeros(n, np.int64)
    call(Command.ASK_ALL, match.context(agents[-1:], setting, match.new_scratch()), states=states,
         asked=np.zeros(n, np.int64), moves=moves)
    played = _cut(tape)
    return results, played._replace(decisions=_taught(played.decisions, tape.moves, moves))


def _taught(decisions: Array, options: Array, moves: Array) -> Array:
    """Return decisions (m,) in which a teacher's moves (n,) were chosen, if they are options."""
    after, n = decisions.copy(), decisions["n"]
    every = np.repeat(np.arange(len(n)), n)
    place = np.arange(len(every)) - np.repeat(np.cumsum(n) - n, n) + decisions["first"][every]
    same = options[place] == moves[every]
    after["chosen"] = -1
    after["chosen"][every[same]] = place[same]
    return after[after["chosen"] >= 0]


def together(blocks: Sequence[PlayedOptions]) -> PlayedOptions:
    """Join what blocks of games leave."""
    decisions, options, samples = [np.zeros(0, DECISION)], 0, 0
    for block in blocks:
        some = block.decisions.copy()
        some["first"] += options
        some["chosen"] += options
        some["sample"] += np.where(some["sample"] >= 0, samples, 0)
        options, samples = options + len(block.options), samples + len(block.samples)
        decisions.append(some)
    return PlayedOptions(*joined([(block.samples, block.words) for block in blocks]),
                  *joined([(block.options, block.option_words) for block in blocks]),
                  np.concatenate(decisions))


def expectations(net: ValueLearner, played: PlayedOptions,
                 temperature: float) -> tuple[Array, Array, Array]:
    """Return log q and the value of each option, and what is expected of q at each decision.

    All are float32; q is the policy that played, the softmax at this temperature.
    """
    options, decisions = _records(played)
    net.compose(played.options, played.option_words)
    old, values = np.zeros((2, len(options)), np.float32)
    expected = np.zeros(len(decisions), np.float32)
    cuts = np.linspace(0, len(decisions), SHARDS + 1).astype(int)
    scratch = _scratch(decisions)
    net.each(lambda s: expect(
        net.whole[0], options, played.option_words, decisions, int(cuts[s]), int(cuts[s + 1]),
        temperature, net.passes[s], scratch[s], old, values, expected))
    return old, values, expected


def expected_targets_of(net: ValueLearner, played: PlayedOptions,
                        settings: LearnerSettings) -> Array:
    """Return Expected SARSA(lambda) returns, float32 (n,), of the samples of a round."""
    _, values, expected = expectations(net, played, settings.temperature)
    targets = np.zeros(len(played.samples), np.float32)
    expected_targets(*_records(played), values, expected, settings.trace, settings.discount,
                     targets)
    return targets


class ActorCritic:
    """A network of a policy and one of values; `learn` makes steps of both on a round."""

    def __init__(self, policy: ValueLearner, values: ValueLearner,
                 settings: LearnerSettings) -> None:
        self.policy, self.values, self.settings = policy, values, settings
        policy.met = values.met  # both learn from the same games

    def learn(self, played: PlayedOptions, rate: float) -> tuple[float, float]:
        """Learn from the games of a round; return the loss of values before and in the last epoch.

        rate: of Adam, for both networks.
        """
        settings = self.settings
        advantages, levels, old = self.advantages(played)
        for _ in range(settings.epochs):
            self._improve(played, advantages, levels, old, rate)
        return self.values.learn(played.samples, played.words, rate, settings)

    def imitate(self, played: PlayedOptions, rate: float) -> tuple[float, float]:
        """Learn a teacher's moves, and values from the games; return as `learn`."""
        taught = np.zeros(len(played.options), np.float32)
        taught[played.decisions["chosen"]] = 1
        _, _, expected = expectations(self.values, played, self.settings.temperature)
        for _ in range(self.settings.epochs):
            self._improve(played, np.zeros_like(expected), levels_of(expected), taught, rate,
                          taught=True)
        return self.values.learn(played.samples, played.words, rate, self.settings)

    def advantages(self, played: PlayedOptions) -> tuple[Array, Array, Array]:
        """Return each decision's advantage and level, float32 (n,), and log q of each option.

        Advantages are scaled to the mean 0 and the deviation 1.
        """
        settings, samples, decisions = self.settings, played.samples, played.decisions
        returns = targets_of(samples, self.values.odds(samples, played.words), settings.trace,
                             settings.discount)
        old, _, expected = expectations(self.values, played, settings.temperature)
        over = (1 + played.options["outcome"][decisions["chosen"]]) / 2
        of_chosen = np.where(decisions["sample"] < 0, over,
                             np.append(returns, 0)[decisions["sample"]])
        advantages = (of_chosen - expected).astype(np.float32)
        standardise(advantages)
        return advantages, levels_of(expected), old

    def _improve(self, played: PlayedOptions, advantages: Array, levels: Array, old: Array,
                 rate: float, taught: bool = False) -> None:
        """Make a pass of the policy over the decisions that had a choice."""
        net, options, decisions = self.policy, *_records(played)
        scratch = _scratch(decisions)
        passes = np.zeros((SHARDS, scratch.shape[2]), PASS).view(np.recarray)
        free = np.flatnonzero(played.decisions["n"] > 1)

        def add(shard: int, part: Array, gradient: Any) -> float:
            return float(add_policy_gradient(
                net.whole[0], options, played.option_words, decisions, part, advantages, levels,
                old, rule(self.settings, taught), passes[shard], scratch[shard], gradient))

        for order in net.batches(len(free), self.settings.batch):
            part = free[order]
            net.step_by(add, part, rate, options_of(played, part), played.option_words)


def levels_of(expected: Array) -> Array:
    """Return the log-odds of expected values (n,), clipped by SURE, float32 (n,)."""
    sure: Array = np.clip(expected, 1 - SURE, SURE)
    levels: Array = np.log(sure / (1 - sure))
    return levels


def options_of(played: PlayedOptions, which: Array) -> Array:
    """Return the options, SAMPLE, of some decisions, by their numbers."""
    some = played.decisions[which]
    places = [np.arange(d["first"], d["first"] + d["n"]) for d in some]
    options: Array = played.options[np.concatenate(places)]
    return options


def rule(settings: LearnerSettings, taught: bool = False) -> Any:
    """Return what the loss of a decision is made of, RULE ()."""
    record = np.zeros(1, RULE).view(np.recarray)
    record.temperature, record.entropy = settings.temperature, settings.entropy
    record.level, record.taught = LEVEL, taught
    record.bound = settings.clip if settings.method == "ppo" else np.inf
    record.hold = 1 / settings.stepsize if settings.method == "mmd" else 0.0
    return record[0]


def _records(played: PlayedOptions) -> tuple[Array, Array]:
    """Return options and decisions as compiled code takes them."""
    return played.options.view(np.recarray), played.decisions.view(np.recarray)


def _scratch(decisions: Array) -> Array:
    """Return room for two numbers of each option of a decision, for each shard."""
    return np.zeros((SHARDS, 2, int(decisions["n"].max(initial=1))))
