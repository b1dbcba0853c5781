"""The end-to-end network in PyTorch, which learns: see acting/shapes.py for its shape.

Figure 2 of Xiao and others (2023) is a picture without sizes; what their text says is kept:
embeddings shared over zones, an LSTM with 256 states, a masked choice of what, then of a target
given what. Where a minion goes, which their actions lack, is a third choice. They have one LSTM
step for each part of a move, here there is one a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from hsevo.config.learning import NetworkSettings
from hsevo.learning.acting.shapes import (
    LIST_SCALE,
    NUMBERED,
    kinds,
    listed,
    numbers_of,
    placed,
    places,
    pointed_at,
)
from hsevo.learning.end_to_end.recurrence import recur
from hsevo.learning.layouts import PLACES, TARGETS, ObservationBlock, blocks
from hsevo.learning.vocabulary import CARDS


class Reviewed(NamedTuple):
    """What was chosen or asked about, all (n,): log probability, value, entropy."""

    log_policy: Tensor
    value: Tensor
    entropy: Tensor


def lists(settings: NetworkSettings) -> dict[str, list[int]]:
    """Return the columns of observations that lists are in, and where they say how often, or -1.

    cards, times and of: of each place of each list, whose number is `of`.
    """
    found: dict[str, list[int]] = {"cards": [], "times": [], "of": []}
    seen = blocks(settings.history)
    for k, name in enumerate(listed(settings)):
        block = seen[name]
        columns = len(block.columns)
        for at in range(block.offset, block.end, columns):
            found["cards"].append(at)
            found["times"].append(at + 1 if columns > 1 else -1)
            found["of"].append(k)
    return found


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
        self.builder: nn.Module | None = None  # building.Builder: the branch that builds decks
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
            found, game, row = part(observations)
            number[game, first + row] = torch.arange(count, count + len(found),
                                                     device=number.device)
            first, count = first + part.block.rows, count + len(found)
            empty = found.new_zeros((n, width))
            of = game.unsqueeze(1).expand(-1, width)
            pooled += [empty.index_add(0, game, found), empty.scatter_reduce(0, of, found, "amax")]
            vectors.append(found)
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
        (found,) = self.review_each(observations, legal, (chosen,), alive)
        return found

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
