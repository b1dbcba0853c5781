"""The end-to-end network in PyTorch, which learns: its battle, its heroes and its deck building.

    Network       the network of battles; acting/shapes.py shows its shape
    Isolated      a network for each class, behind the interface of one
    Builder       deck building as the first branch: a deck is 30 choices of a card
    recur(lstm, inputs, alive)        as lstm(PackedSequence(inputs, alive))[0].data

Figure 2 of Xiao and others (2023) is a picture without sizes; what their text says is kept:
embeddings shared over zones, an LSTM with 256 states, a masked choice of what, then of a target
given what. Where a minion goes, which their actions lack, is a third choice. They have one LSTM
step for each part of a move, here there is one a move.

`recur` is an LSTM over whole games of different lengths, with gradients of its weights in one
product. PyTorch adds up a gradient of the weights for each step, of which a game has a hundred;
that takes longer than all else.

As in section IV-G of Xiao and others (2023), isolated heroes share no parameters. The class is read
from a player's first observation of a game: a hero that is replaced can have another class.

Each choice of a Builder is a masked softmax over all cards: of the own class or neutral, at most
two of each, one of a legendary. Scores compare the cards' embeddings, which battles share, with
what is chosen. With random-CB (section IV-D) the first cards of a deck are drawn uniformly: their
scores are 0, so that they teach nothing. Compiled code chooses (acting/building.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from hsevo.cards.decks import SIZE
from hsevo.config.learning import NetworkSettings
from hsevo.learning.acting.actor import CLASS
from hsevo.learning.acting.pool import CardPool
from hsevo.learning.acting.shapes import (
    LIST_SCALE,
    NUMBERED,
    PEEK,
    kinds,
    listed,
    numbers_of,
    placed,
    places,
    pointed_at,
)
from hsevo.learning.layouts import PLACES, TARGETS, ObservationBlock, blocks
from hsevo.learning.vocabulary import CARDS


def recur(lstm: nn.LSTM, inputs: Tensor, alive: Tensor) -> Tensor:
    """Return the states (N, m) after each step; inputs (N, k) in packed order.

    alive (steps,): how many games have that step, the longest game first.
    """
    bias = lstm.bias_ih_l0 + lstm.bias_hh_l0
    gates = torch.addmm(bias, inputs, lstm.weight_ih_l0.T)
    states: Tensor = _Recurrence.apply(gates, lstm.weight_hh_l0, alive.tolist())
    return states


class _Recurrence(torch.autograd.Function):
    """From the gates of the inputs, (N, 4 m), to the states. Gates: input, forget, cell, output."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weights: Tensor, alive: list[int]) -> Tensor:
        """Go through the steps; keep the gates and the cells of each."""
        m, at = weights.shape[1], 0
        gates = torch.empty_like(inputs)
        states, cells = inputs.new_empty((2, len(inputs), m))
        h, c = inputs.new_zeros((2, alive[0], m))
        for n in alive:
            step = slice(at, at + n)
            own = torch.addmm(inputs[step], h[:n], weights.T, out=gates[step])
            own[:, :2 * m].sigmoid_()
            own[:, 2 * m:3 * m].tanh_()
            own[:, 3 * m:].sigmoid_()
            i, f, g, o = own.chunk(4, 1)
            c = torch.addcmul(f * c[:n], i, g, out=cells[step])
            h = torch.mul(o, c.tanh(), out=states[step])
            at += n
        ctx.save_for_backward(gates, states, cells, weights)
        ctx.alive = alive
        return states

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        """Go back through the steps."""
        gates, states, cells, weights = ctx.saved_tensors
        m, alive, end = weights.shape[1], ctx.alive, len(gates)
        slopes = gates * (1 - gates)
        slopes[:, 2 * m:3 * m] = 1 - gates[:, 2 * m:3 * m] ** 2
        bounded = cells.tanh()
        into_cells = gates[:, 3 * m:] * (1 - bounded**2)
        before, cells_before = (_one_step_earlier(rows, alive) for rows in (states, cells))
        gradients = torch.empty_like(gates)
        dh, dc = gates.new_zeros((2, alive[0], m))  # of the states after a step, from later ones
        for n in reversed(alive):
            step = slice(end - n, end)
            d = gradient[step] + dh[:n]
            dc[:n].addcmul_(d, into_cells[step])
            i, f, g, _ = gates[step].chunk(4, 1)
            parts = (dc[:n] * g, dc[:n] * cells_before[step], dc[:n] * i, d * bounded[step])
            own = torch.mul(torch.cat(parts, 1), slopes[step], out=gradients[step])
            dc[:n] *= f
            torch.mm(own, weights, out=dh[:n])
            end -= n
        return gradients, gradients.T @ before, None


def _one_step_earlier(rows: Tensor, alive: list[int]) -> Tensor:
    """Return rows (N, m) in packed order as they were one step earlier; zeros in the first."""
    shifted, at, earlier = torch.zeros_like(rows), alive[0], 0
    for last, n in pairwise(alive):
        shifted[at:at + n] = rows[earlier:earlier + n]
        at, earlier = at + n, earlier + last
    return shifted


class Reviewed(NamedTuple):
    """What was chosen or asked about, all (n,): log probability, value, entropy."""

    log_policy: Tensor
    value: Tensor
    entropy: Tensor


def lists(settings: NetworkSettings) -> dict[str, list[int]]:
    """Return the columns of observations that lists are in, and where they say how often, or -1.

    cards, times and of: of each place of each list, whose number is `of`.
    """
    columns_of: dict[str, list[int]] = {"cards": [], "times": [], "of": []}
    seen = blocks(settings.history)
    for k, name in enumerate(listed(settings)):
        block = seen[name]
        columns = len(block.columns)
        for at in range(block.offset, block.end, columns):
            columns_of["cards"].append(at)
            columns_of["times"].append(at + 1 if columns > 1 else -1)
            columns_of["of"].append(k)
    return columns_of


def rows_of(observations: Tensor, block: ObservationBlock) -> Tensor:
    """Return a block of observations (n, SIZE) as a table (n, rows, columns)."""
    return observations[:, block.offset:block.end].reshape(-1, *block.shape)


def scaled(numbers: Tensor) -> Tensor:
    """Return whole numbers as floats of like size: sign(x) log(1 + |x|), so 1 is 0.7, 30 is 3.4."""
    numbers = numbers.to(torch.get_default_dtype())
    return torch.sign(numbers) * torch.log1p(numbers.abs())


class Places(nn.Module):
    """The vectors of the places of one block, from their cards and numbers."""

    def __init__(self, block: ObservationBlock, cards: nn.Embedding,
                 settings: NetworkSettings) -> None:
        super().__init__()
        self.block, self.cards = block, cards
        self.texts = list(block.cards[1:])  # attached to it
        self.numbers = numbers_of(block)
        wide = settings.embedding * (2 if self.texts else 1) + len(self.numbers)
        self.layer = nn.Linear(wide, settings.width)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the vectors (m, width) of all places that are taken, and of which row they are.

        The row of the observations (m,), and of the block (m,).
        """
        table = rows_of(observations, self.block)
        game, row = torch.nonzero(table[:, :, 0], as_tuple=True)
        taken = table[game, row]
        parts = [self.cards(taken[:, 0].long())]
        if self.texts:
            place, text = torch.nonzero(texts := taken[:, self.texts], as_tuple=True)
            words = self.cards(texts[place, text].long())
            parts.append(torch.zeros_like(parts[0]).index_add(0, place, words))
        if self.numbers:
            parts.append(scaled(taken[:, self.numbers]))
        return relu(self.layer(torch.cat(parts, 1))), game, row


class Pointer(nn.Module):
    """Score places by their vectors, the state, and what was chosen before: relu, then a sum."""

    def __init__(self, kinds: Sequence[int], width: int, context: int) -> None:
        super().__init__()
        self.register_buffer("kinds", torch.tensor(kinds), persistent=False)
        self.kind = nn.Embedding(max(kinds) + 1, width)
        self.place, self.context = nn.Linear(width, width, bias=False), nn.Linear(context, width)
        self.score = nn.Linear(width, 1)

    def forward(self, places: Tensor, options: Tensor, context: Tensor, of: Tensor) -> Tensor:
        """Return the scores (k,) of options (k,), with the vectors of their places (k, width).

        context (n, context); of (k,): which of its rows is an option's.
        """
        kinds = self.kind(self.kinds[options])
        hidden = self.place(places) + kinds + self.context(context)[of]
        scores: Tensor = self.score(relu(hidden)).squeeze(1)
        return scores


class Network(nn.Module):
    """The whole network, with random parameters."""

    def __init__(self, settings: NetworkSettings) -> None:
        super().__init__()
        self.settings, self.blocks = settings, blocks(settings.history)
        self.builder: nn.Module | None = None  # Builder: the branch that builds decks
        self.picker: nn.Module | None = None  # picking.Picker: the stage that picks a hero
        width, embedding, lstm = settings.width, settings.embedding, settings.lstm
        self.cards = nn.Embedding(CARDS, embedding, padding_idx=0)
        self.places = nn.ModuleList(
            Places(self.blocks[name], self.cards, settings) for name in placed(settings))
        numbers = sum(len(numbers_of(self.blocks[name])) * self.blocks[name].rows
                      for name in NUMBERED)
        wide = (2 * width * len(placed(settings)) + embedding * (1 + len(listed(settings)))
                + numbers)
        self.trunk = nn.Linear(wide, lstm)
        self.memory = nn.LSTM(lstm, lstm)
        self.nothing = nn.Parameter(torch.zeros(width))
        self.what = Pointer(kinds("what"), width, lstm)
        self.at = Pointer(kinds("at"), width, lstm + width)
        self.where = nn.Linear(lstm + width, PLACES)
        self.value = nn.Sequential(nn.Linear(lstm, width), nn.ReLU(), nn.Linear(width, 1))
        self.n_places = places(settings)
        for part in ("what", "at"):
            self.register_buffer(f"of_{part}", torch.tensor(pointed_at(part, self.n_places)),
                                 persistent=False)
        for name, column in lists(settings).items():
            self.register_buffer(f"list_{name}", torch.tensor(column), persistent=False)

    @property
    def builds(self) -> bool:
        """Whether it builds its decks."""
        return self.builder is not None

    @property
    def shown(self) -> str:
        """What it sees of the opponent's deck."""
        return self.settings.opponent_deck

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.nothing.device

    def look(self, observations: Tensor) -> tuple[SeenPlaces, Tensor]:
        """Return the vectors of all places of n observations, and the LSTM's input (n, lstm)."""
        n, width, pooled = len(observations), self.settings.width, []
        vectors = [self.nothing.new_zeros((1, width)), self.nothing.unsqueeze(0)]
        number = observations.new_zeros((n, self.n_places + 1), dtype=torch.int64)
        number[:, -1] = 1
        first, count = 0, 2
        for part in self.places:
            encoded, game, row = part(observations)
            number[game, first + row] = torch.arange(count, count + len(encoded),
                                                     device=number.device)
            first, count = first + part.block.rows, count + len(encoded)
            empty = encoded.new_zeros((n, width))
            of = game.unsqueeze(1).expand(-1, width)
            pooled += [empty.index_add(0, game, encoded),
                       empty.scatter_reduce(0, of, encoded, "amax")]
            vectors.append(encoded)
        pooled += [self._listed(observations),
                   self.cards(rows_of(observations, self.blocks["decision"])[:, 0, 0].long())]
        for name in NUMBERED:
            table = rows_of(observations, self.blocks[name])
            pooled.append(scaled(table[:, :, numbers_of(self.blocks[name])]).flatten(1))
        seen = SeenPlaces(torch.cat(vectors), number)
        return seen, relu(self.trunk(torch.cat(pooled, 1)))

    def _listed(self, observations: Tensor) -> Tensor:
        """Return the sums, over LIST_SCALE, of the cards of each list, (n, lists * embedding)."""
        cards = observations[:, self.list_cards]
        game, place = torch.nonzero(cards, as_tuple=True)
        times = observations[game, self.list_times[place]].to(self.nothing.dtype)
        words = self.cards(cards[game, place].long())
        words = torch.where((self.list_times[place] >= 0).unsqueeze(1), words * times.unsqueeze(1),
                            words)
        lists = len(listed(self.settings))
        sums = words.new_zeros((len(observations) * lists, words.shape[1]))
        summed: Tensor = sums.index_add(0, game * lists + self.list_of[place], words) / LIST_SCALE
        return summed.reshape(len(observations), -1)

    def review(self, observations: Tensor, legal: Tensor, chosen: Tensor,
               alive: Tensor) -> Reviewed:
        """Return what the network says now of moves (n, 3) chosen in whole games.

        Rows are in the order of packed sequences: all first steps, then all second ones ...;
        alive (steps,): how many games have that step, the longest game first.
        """
        (reviewed,) = self.review_each(observations, legal, (chosen,), alive)
        return reviewed

    def review_each(self, observations: Tensor, legal: Tensor, moves: Sequence[Tensor],
                    alive: Tensor) -> list[Reviewed]:
        """Return what `review` does of several moves in each decision, each of them (n, 3).

        Two cards, or minions, that are equal have the same chance: so to learn one move of several
        that do the same is to learn them all.
        """
        places, seen = self.look(observations)
        h = recur(self.memory, seen, alive)
        allowed = legal != 0
        game, option = torch.nonzero(allowed, as_tuple=True)
        scores = self.what(places.at(game, self.of_what[option]), option, h, game)
        return [self._weigh(places, h, legal, scores, chosen) for chosen in moves]

    def _weigh(self, places: SeenPlaces, h: Tensor, legal: Tensor, scores: Tensor,
               chosen: Tensor) -> Reviewed:
        """Return what it says of moves, part by part: of what can be chosen alone.

        scores: of each legal `what`.
        """
        what, each = chosen[:, 0], torch.arange(len(h), device=h.device)
        log_policy, entropy = weighed(scores, legal != 0, what)
        ways = torch.arange(TARGETS + PLACES, device=h.device)
        open_ = ((legal[each, what].unsqueeze(1) >> ways) & 1).bool()
        context = torch.cat([h, places.at(each, self.of_what[what])], 1)
        for k, allowed in ((1, open_[:, :TARGETS]), (2, open_[:, TARGETS:])):
            (rows,) = torch.nonzero(allowed.sum(1) > 1, as_tuple=True)  # there is a choice
            some, allowed = context[rows], allowed[rows]
            game, option = torch.nonzero(allowed, as_tuple=True)
            if k == 1:
                vectors = places.at(rows[game], self.of_at[option])
                scores = self.at(vectors, option, some, game)
            else:
                scores = self.where(some)[game, option]
            logs, spread = weighed(scores, allowed, chosen[rows, k])
            log_policy = log_policy.index_add(0, rows, logs)
            entropy = entropy.index_add(0, rows, spread)
        return Reviewed(log_policy, self.value(h).squeeze(1), entropy)


class SeenPlaces(NamedTuple):
    """The vectors of an empty place, of none, and of all places that are taken, (m, width).

    number (n, places + 1): which is that of a place, in each of n observations.
    """

    vectors: Tensor
    number: Tensor

    def at(self, game: Tensor, place: Tensor) -> Tensor:
        """Return the vectors (k, width) of places (k,), each in its observation (k,)."""
        return self.vectors[self.number[game, place]]


def weighed(scores: Tensor, allowed: Tensor, chosen: Tensor) -> tuple[Tensor, Tensor]:
    """Return the log probabilities (n,) of what was chosen (n,), and the entropies (n,).

    allowed (n, k): what could be; scores: of all that could, row by row.
    """
    every = scores.new_full(allowed.shape, -1e9).masked_scatter(allowed, scores)
    logs = torch.log_softmax(every, 1)
    entropy = -torch.where(allowed, logs.exp() * logs, 0).sum(1)
    return logs.gather(1, chosen.unsqueeze(1)).squeeze(1), entropy


def masked_log_softmax(scores: Tensor, allowed: Tensor) -> Tensor:
    """Return log probabilities (n, k) of what is allowed; a very low number for all else."""
    return torch.log_softmax(torch.where(allowed, scores, -1e9), 1)


class Isolated(nn.Module):
    """Networks of classes (cards.terms.Class), which all begin as copies of one."""

    def __init__(self, network: Network, classes: Sequence[int]) -> None:
        super().__init__()
        self.settings = network.settings
        self.networks = nn.ModuleDict({
            str(owner): deepcopy(network) for owner in sorted({*classes})})

    @property
    def builds(self) -> bool:
        """Whether they build their decks."""
        return any(network.builds for network in self.networks.values())

    @property
    def shown(self) -> str:
        """What they see of the opponent's deck."""
        return self.settings.opponent_deck

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return next(self.parameters()).device

    def review(self, observations: Tensor, legal: Tensor, chosen: Tensor,
               alive: Tensor) -> Reviewed:
        """Return what each class's network says of its games; see `Network.review`."""
        (reviewed,) = self.review_each(observations, legal, (chosen,), alive)
        return reviewed

    def review_each(self, observations: Tensor, legal: Tensor, moves: Sequence[Tensor],
                    alive: Tensor) -> list[Reviewed]:
        """Return the same of several moves in each decision; see `Network.review_each`."""
        columns = torch.cat([torch.arange(int(n)) for n in alive])
        steps = torch.repeat_interleave(torch.arange(len(alive)), alive)
        classes = observations[:int(alive[0]), CLASS].cpu()[columns]
        parts, order = [], []
        for network, rows in self._rows(classes):
            left = torch.bincount(steps[rows], minlength=len(alive))
            there = rows.to(observations.device)
            parts.append(network.review_each(observations[there], legal[there],
                                             [chosen[there] for chosen in moves], left[left > 0]))
            order.append(there)
        back = torch.argsort(torch.cat(order))
        return [joined(each, back) for each in zip(*parts, strict=True)]

    def _rows(self, classes: Tensor) -> Iterator[tuple[Network, Tensor]]:
        """Yield each network that has rows, and these rows. Raises KeyError for another class."""
        for owner in torch.unique(classes).tolist():
            network: Network = self.networks[str(owner)]
            yield network, torch.nonzero(classes == owner).squeeze(1)


def joined(choices: Sequence[Reviewed], back: Tensor) -> Reviewed:
    """Return choices as one, in the order in which they were asked for."""
    return Reviewed(*(torch.cat(part)[back] for part in zip(*choices, strict=True)))


class Builder(nn.Module):
    """The branch of deck building. cards: the embedding that it shares with the battle."""

    def __init__(self, cards: nn.Embedding, pool: CardPool, settings: NetworkSettings) -> None:
        super().__init__()
        self.cards, self.pool, self.peeks = cards, pool, settings.opponent_deck == PEEK
        width, embedding = settings.width, settings.embedding
        self.hidden = nn.Linear((2 + self.peeks) * embedding + 1, width)
        self.query, self.key = nn.Linear(width, width), nn.Linear(embedding, width)
        self.value = nn.Linear(width, 1)
        for name in ("numbers", "most", "heroes"):
            numbers = torch.from_numpy(getattr(pool, name))
            self.register_buffer(f"of_{name}", numbers, persistent=False)

    def scores(self, owners: Tensor, counts: Tensor, uniform: Tensor,
               theirs: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log probabilities (n, k) of the next card, and the values (n,).

        owners (n,): classes. counts (n, k): copies chosen. uniform (n,): whether all cards that can
        be chosen have the same chance. theirs (n, k): copies seen of what the opponent chose.
        """
        cards = self.cards(self.of_numbers)
        chosen, so_far = counts.to(cards.dtype), counts.sum(1, keepdim=True).to(cards.dtype)
        parts = [self.cards(self.of_heroes[owners]), chosen @ cards / LIST_SCALE]
        if self.peeks:
            parts.append(theirs.to(cards.dtype) @ cards / LIST_SCALE)
        hidden = relu(self.hidden(torch.cat([*parts, so_far / SIZE], 1)))
        scores = self.query(hidden) @ self.key(cards).T / self.key.out_features**0.5
        scores = torch.where(uniform.unsqueeze(1), 0.0, scores)
        return (masked_log_softmax(scores, counts < self.of_most[owners]),
                self.value(hidden).squeeze(1))

    def review(self, owners: Tensor, uniform: Tensor, picks: Tensor,
               theirs: Tensor | None = None, peeks: Tensor | None = None) -> Reviewed:
        """Return what the branch says now of n decks: parts are (n * 30,), deck after deck.

        As in acting.drafts.Draft. theirs: None if nothing is seen of them.
        """
        counts = self._before(picks)
        seen = torch.zeros_like(counts)
        if self.peeks and theirs is not None and peeks is not None:
            first = torch.arange(SIZE, device=picks.device) < peeks.unsqueeze(1)
            seen = self._before(torch.where(first, theirs, -1))
        owner = owners.repeat_interleave(SIZE)
        forced = (torch.arange(SIZE, device=picks.device) < uniform.unsqueeze(1)).flatten()
        logs, values = self.scores(owner, counts, forced, seen)
        allowed = counts < self.of_most[owner]
        entropy = -torch.where(allowed & ~forced.unsqueeze(1), logs.exp() * logs, 0).sum(1)
        return Reviewed(logs.gather(1, picks.reshape(-1, 1)).squeeze(1), values, entropy)

    def _before(self, picks: Tensor) -> Tensor:
        """Return the copies (n * 30, k) of each card among those before each of n decks' picks.

        -1: none, or a card out of the pool.
        """
        cards = len(self.pool.ids)
        taken = nn.functional.one_hot(torch.where(picks < 0, cards, picks), cards + 1)[..., :cards]
        return (taken.cumsum(1) - taken).flatten(0, 1)
