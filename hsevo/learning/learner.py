"""The learner: float weights, facts of cards among them, and what it makes of a round's games.

    samples + words  --td_targets()-->  targets  --minibatches, add_gradient(), adam()-->  weights
    rows of cards = facts x matrix + what a card's number alone stands for    (CardText)

A minibatch is split into SHARDS, whatever the number of threads, and their gradients are added in
order: one seed gives the same bits on any number of threads.

`CardText` has the matrices by which cards are known by their texts, and their gradients, as in
agents/learned/text.py, in float32. A row that goes into a step of Adam is composed before it, and
its gradient goes to both parts. While it learns, the second part is left out of a share of the
cards at random (dropout, Srivastava et al. 2014): so the facts alone must do without it, as they
must for a card that was never met. All sums are added up in a fixed order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, TypeAlias

import numpy as np

from hsevo.agents.learned.nets import PARTS, quantized, quantized_text
from hsevo.agents.learned.text import ROWS, TEXT
from hsevo.agents.network.network import CARDS, LOGIT, WEIGHT, WEIGHTS
from hsevo.agents.shared.scratch import LAST, WIDE
from hsevo.cards.facts import ONE, facts, names
from hsevo.config.learning import TURN, LearnerSettings
from hsevo.learning.gradient import (
    PASS,
    adam,
    add_gradient,
    compose,
    count_cards,
    evaluate,
    spread,
    td_targets,
)
from hsevo.play.samples import SAMPLE
from hsevo.seeds import Stream, derive
from hsevo.types import Array

Known: TypeAlias = Literal["number", "text", "both"]
# A row has some thirteen facts, all of which move in a step, so each moves less; and what a number
# stands for moves less than other weights, so that it is learned after the facts. Tried were 1,
# 0.3, 0.1 and 0.03, and 1, 0.3 and 0.1: the lowest loss in other games after 593,000 positions.
TEXT_RATE, OWN_RATE = 0.1, 0.3  # times the rate of other weights
TEXT_WEIGHTS = np.dtype([(name, "f4", TEXT[name].shape) for name in ROWS], align=True)


class CardText:
    """What a learner knows of cards by their texts: matrices, the moments of Adam, dropout."""

    def __init__(self, seed: int, ruleset: str, known: Known, dropout: float) -> None:
        self.seed, self.dropout = seed, dropout if known == "both" else 1.0
        n = TEXT_WEIGHTS.itemsize // 4
        self.weights = np.zeros(1, TEXT_WEIGHTS)  # a fact that is never met counts for nothing
        self.moments = np.zeros((2, n), np.float32)
        self.gradient = np.zeros(1, TEXT_WEIGHTS)
        self._facts = _padded(ruleset)

    @property
    def flat(self) -> Array:
        """The matrices as one vector, float32 (n,), of the same memory."""
        return self.weights.view(np.float32)

    def own_scale(self, step: int) -> Array:
        """Return what cards' own weights count in a step, OWN_RATE or 0, float32 (CARDS,).

        Of texts alone none does, of both each with probability 1 - dropout. Adam moves all weights
        alike, so what counts for less is learned more slowly.
        """
        draws = derive((self.seed, Stream.DROPOUT, step), np.arange(CARDS)) >> np.uint64(11)
        return whole() * (draws >= self.dropout * 2.0**53)

    def compose(self, name: str, own: Array, rows: Array, cards: Array, keep: Array) -> None:
        """Compose the rows of some cards in part `name` of weights `rows`, both WEIGHTS (1,)."""
        compose(*self._facts, cards, keep, self.weights[name][0], own[name][0], rows[name][0])

    def spread(self, name: str, shards: Array, cards: Array, keep: Array) -> None:
        """Add the gradients of rows, float32 (s, k), to that of a matrix; see gradient.spread."""
        sums = np.zeros(TEXT[name].shape[1], np.float32)
        spread(*self._facts, cards, keep, shards, _place(WEIGHTS, name), self.gradient[name][0],
               sums)

    def learn(self, name: str, rate: float, count: float, step: float) -> None:
        """Make a step of Adam on a matrix by its gradient, which is set to 0; see gradient.adam."""
        begin = _place(TEXT_WEIGHTS, name)  # beyond len(names()) there are no facts
        adam(self.flat, self.gradient.view(np.float32)[None], self.moments[0], self.moments[1],
             begin, begin + len(names()) * TEXT[name].shape[1], TEXT_RATE * rate, count, step)


def _place(of: np.dtype[Any], name: str) -> int:
    """Return which of all numbers of a record is the first of a part."""
    return int(of.fields[name][1]) // 4  # type: ignore[index]


def whole() -> Array:
    """Return what cards' own weights count when none is left out, float32 (CARDS,)."""
    return np.full(CARDS, OWN_RATE, np.float32)


def _padded(ruleset: str) -> Sequence[Array]:
    """Return the facts of CARDS cards as `compose` takes them; those of no card are none."""
    begin, fact, value = facts(ruleset)
    more = CARDS + 1 - len(begin)
    return np.pad(begin, (0, more), mode="edge"), fact, (value / ONE).astype(np.float32)


Add: TypeAlias = Callable[[int, Array, Any], float]  # shard, what of the batch, gradient -> loss
SHARDS = 4
# The standard deviation of a layer's first weights: about 1 / sqrt(inputs of a size near 1); of
# cards a fifth, of the last layer a tenth of it.
_SCALE = {"minion": 8**-0.5, "card": 0.2 * 8**-0.5, "first": 60**-0.5, "held": 0.2 * 60**-0.5,
          "own": 0.2 * 60**-0.5, "enemy": 0.2 * 60**-0.5, "left": 0.2 * 60**-0.5,
          "rest": 0.2 * 60**-0.5,
          "second": WIDE**-0.5, "third": 0.1 * LAST**-0.5, "bias": 0.0}
assert _SCALE.keys() == set(PARTS)


def first_weights(seed: int) -> Array:
    """Return random first weights, WEIGHTS (1,): uniform, with an output near 0 everywhere."""
    weights = np.zeros(1, WEIGHTS)
    draws = derive((seed, Stream.LEARNER), np.arange(WEIGHTS.itemsize // 4)) >> np.uint64(11)
    weights.view(np.float32)[:] = (2.0 * draws / 2.0**53 - 1.0) * np.sqrt(3.0)  # deviation 1
    for name in PARTS:
        weights[name] *= _SCALE[name]
    return weights.view(np.recarray)


class ValueLearner:
    """Weights and the moments of Adam; `learn` makes steps on the samples of a round.

    known: how it knows cards, as setting learner.cards; then `weights` has in the rows of cards
    what their numbers alone stand for (times OWN_RATE), `text` the rest, and `whole` their sums.
    met (CARDS,): how often each card was seen in what it learned from.
    """

    def __init__(self, seed: int, threads: int = 1, known: Known = "number", dropout: float = 0.0,
                 ruleset: str = "cig2018") -> None:
        self.seed, self.step = seed, 0
        self.weights = first_weights(seed)
        self.text = None if known == "number" else CardText(seed, ruleset, known, dropout)
        self.met = np.zeros(CARDS, np.int64)
        k = WEIGHTS.itemsize // 4
        self.moments = np.zeros((2, k), np.float32)
        self._shards = np.zeros((SHARDS, k), np.float32)
        self.passes = np.zeros(SHARDS, PASS).view(np.recarray)
        self._pool = ThreadPoolExecutor(threads)
        # what Adam changes: cards that are known by their texts alone have no weights of their own
        own = [name for name in PARTS if known != "text" or name not in ROWS]
        self._own = [(_place(WEIGHTS, name), self.weights[name].size) for name in own]
        self.whole = self.weights
        if self.text:
            for name in ROWS:
                self.weights[name] = 0
            self.whole = self.weights.copy()

    @property
    def flat(self) -> Array:
        """The weights as one vector, float32 (k,), of the same memory."""
        return self.weights.view(np.ndarray).view(np.float32)

    def adopt(self, *players: Array) -> None:
        """Set the weights to those of a net, NET () or TEXT_NET (), as `net` returns it.

        Of several nets, to their mean (Wortsman et al. 2022).
        """
        for name in PARTS:
            own = [(net["net"] if self.text else net)[name] for net in players]
            self.weights[name] = np.mean(own, axis=0) / (LOGIT if name == "bias" else WEIGHT)
        if self.text:
            for name in ROWS:
                self.weights[name] *= (self.text.dropout < 1.0) / OWN_RATE
                self.text.weights[name] = np.mean([net["text"][name] for net in players],
                                                  axis=0) / WEIGHT

    def net(self) -> Array:
        """Return the weights as a net for agents, NET () or TEXT_NET ()."""
        return net_of(self.flat, *([self.text.flat] if self.text else []))

    def odds(self, samples: Array, words: Array) -> Array:
        """Return the log-odds of winning after each sample, float32 (n,)."""
        self.compose(samples, words)
        odds = np.zeros(len(samples), np.float32)
        cuts = np.linspace(0, len(samples), SHARDS + 1).astype(int)
        records = samples.view(np.recarray)
        self.each(lambda s: evaluate(self.whole[0], records, words, int(cuts[s]),
                                      int(cuts[s + 1]), self.passes[s], odds))
        return odds

    def learn(self, samples: Array, words: Array, rate: float, how: LearnerSettings,
              targets: Array | None = None) -> tuple[float, float]:
        """Learn from the samples of a round; return the mean loss before and in the last epoch.

        rate: of Adam. how: its trace, discount, batch and epochs count, and `expert: turn`: learn
        the values that the actors' search found, not the network's. targets: float32 (n,), to learn
        instead of TD(lambda) returns.
        """
        odds, seen = self.odds(samples, words), seen_in(samples, words)
        self.met += seen.sum(axis=0)
        if targets is None:
            values = samples["odds"] if how.expert == TURN else odds
            targets = targets_of(samples, values, how.trace, how.discount)
        won = (samples["outcome"] + 1) / 2
        before = float(np.mean(np.logaddexp(0, odds) - odds * won))
        for _ in range(how.epochs):
            total = sum(self._one_step(samples, words, order, targets, rate)
                        for order in self.batches(len(samples), how.batch))
        return before, total / max(len(samples), 1)

    def batches(self, n: int, batch: int) -> Iterator[Array]:
        """Yield the numbers below n in batches, in an order that the number of steps decides."""
        order = np.argsort(derive((self.seed, Stream.LEARNER, self.step), np.arange(n)))
        for first in range(0, n, batch):
            yield order[first:first + batch]

    def _one_step(self, samples: Array, words: Array, order: Array, targets: Array,
                  rate: float) -> float:
        """Make a step of Adam on samples `order`."""
        records = samples.view(np.recarray)
        return self.step_by(lambda s, part, gradient: float(add_gradient(
            self.whole[0], records, words, part, targets, self.passes[s], gradient)),
            order, rate, samples[order] if self.text else samples[:0], words)

    def step_by(self, add: Add, order: Array, rate: float, samples: Array, words: Array) -> float:
        """Make a step of Adam by the mean gradient over `order`; return the sum of losses.

        add: adds the gradient of some of them, in a shard, and returns the sum of their losses.
        samples: those that this takes, whose entries are in `words`.
        """
        parts, text = np.array_split(order, SHARDS), self.text
        keep, cards = self.compose(samples, words, self.step)

        def learn_text(name: str) -> None:
            assert text
            text.spread(name, self._shards, cards[name], keep)
            text.learn(name, *by)

        totals = self.each(lambda s: add(
            s, np.ascontiguousarray(parts[s]),
            self._shards[s].view(WEIGHTS).view(np.recarray)[0]))
        self.step += 1
        by = (rate, float(len(order)), float(self.step))
        if text:
            self.each(learn_text, ROWS)
        self.each(lambda part: adam(self.flat, self._shards, self.moments[0], self.moments[1],
                                    part[0], part[0] + part[1], *by), self._own)
        return float(sum(totals))

    def compose(self, samples: Array, words: Array,
                step: int | None = None) -> tuple[Array, dict[str, Array]]:
        """Compose the rows that samples need, for a step of Adam or to play.

        Return what cards' own weights count, float32 (CARDS,), and the cards of each part's rows.
        """
        keep, text, cards = whole(), self.text, dict[str, Array]()
        if text:
            seen = seen_in(samples, words)
            cards = {name: np.flatnonzero(seen[i]) for i, name in enumerate(ROWS)}
            if step is not None:
                keep = text.own_scale(step)
            for name in {*PARTS} - {*ROWS}:
                self.whole[name] = self.weights[name]
            self.each(lambda name: text.compose(name, self.weights, self.whole, cards[name], keep),
                      ROWS)
        return keep, cards

    def each(self, function: Any, over: Iterable[Any] = range(SHARDS)) -> list[Any]:
        """Return what a function gives for each of some, on the learner's threads."""
        return list(self._pool.map(function, over))

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown()


def seen_in(samples: Array, words: Array) -> Array:
    """Return how often samples need each card's row of each part, int64 (ROWS, CARDS)."""
    counts = np.zeros((len(ROWS), CARDS), np.int64)
    count_cards(samples.view(np.recarray), words, counts)
    return counts


def net_of(weights: Array, text: Array | None = None) -> Array:
    """Return weights as one vector, and matrices as another, as a net: NET () or TEXT_NET ()."""
    if text is None:
        return quantized(weights.view(WEIGHTS)[0])
    both = weights.copy().view(WEIGHTS)
    for name in ROWS:
        both[name] *= OWN_RATE
    return quantized_text(both[0], text.view(TEXT_WEIGHTS)[0])


def targets_of(samples: Array, odds: Array, trace: float, discount: float = 1.0) -> Array:
    """Return TD(lambda) returns, float32 (n,), of samples whose values are given as log-odds (n,).
    """
    targets = np.zeros(len(samples), np.float32)
    td_targets(samples.view(np.recarray), np.ascontiguousarray(odds), trace, discount, targets)
    return targets


def joined(blocks: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Join samples and words of blocks of games; games keep different numbers."""
    samples, game, at = [], 0, 0
    for some, words in blocks:
        copy = some.copy()
        copy["at"] += at
        copy["game"] += game
        at += len(words)
        game = int(copy["game"][-1]) + 1 if len(copy) else game
        samples.append(copy)
    if not samples:
        return np.zeros(0, SAMPLE), np.zeros(0, np.uint16)
    return np.concatenate(samples), np.concatenate([words for _, words in blocks])
