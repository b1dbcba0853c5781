"""The end-to-end network: an observation becomes a policy over the parts of a move, and a value.

    cards -- one embedding, shared by all zones --+-- places: heroes, minions, hand ... --+
    numbers of a place, log-scaled ---------------+                                       |
    cards of a list (deck, graveyards): the sum of their embeddings, over 10 -------------+
                                                                                          |
    value <-- LSTM (remembers the game) <-- all zones, pooled --<-------------------------+
                |                                                                         |
                +--> what (end, attacker, hero power, card ...) --> at what --> where     |
                     each scores places of the board by their vectors <-------------------+

Figure 2 of Xiao and others (2023) is a picture without sizes; what their text says is kept:
embeddings shared over zones, an LSTM with 256 states, a masked choice of what, then of a target
given what. Where a minion goes, which their actions lack, is a third choice. They have one LSTM
step for each part of a move, here there is one a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn.functional import relu
from torch.nn.utils.rnn import PackedSequence

from hsevo.config import check_number
from hsevo.engine.record.state import HAND
from hsevo.engine.view.actions import WHAT_ATTACK, WHAT_CHOOSE, WHAT_PLAY, WHAT_POWER, WHAT_THROW
from hsevo.errors import ConfigError
from hsevo.learning.layouts import PLACES, TARGETS, WHATS, Block, actions, blocks
from hsevo.learning.vocabulary import CARDS

State: TypeAlias = tuple[Tensor, ...]  # h and c of the LSTM, (n, lstm) each; isolated.py adds one

PLACED = ("hero", "power", "weapon", "own_board", "enemy_board", "hand", "choices", "thrown",
          "secrets")  # blocks of which each row is a place
LISTED = ("deck", "enemy_deck", "own_graveyard", "enemy_graveyard", "own_later", "enemy_later")
NUMBERED = ("decision", "player")
# Where the kinds of `what` begin: end, attack, hero power, plays by option, choose, throw back.
KINDS = (0, WHAT_ATTACK, WHAT_POWER, *(WHAT_PLAY + HAND * k for k in range(3)), WHAT_CHOOSE,
         WHAT_THROW)

MOST_UNITS = 10_000  # of a layer


@dataclass(frozen=True)
class NetSettings:
    """Sizes. Xiao and others tell only lstm, 256; `SMALL` is for two cores. Raises ConfigError."""

    embedding: int = 64  # numbers of a card
    width: int = 128  # numbers of a place, and hidden units of the heads
    lstm: int = 256

    def __post_init__(self) -> None:
        for key in ("embedding", "width", "lstm"):
            check_number(key, getattr(self, key), 1)
            if getattr(self, key) > MOST_UNITS:
                raise ConfigError(f"{key} is {getattr(self, key)}, but must be at most"
                                  f" {MOST_UNITS:,}")


SMALL = NetSettings(embedding=24, width=32, lstm=96)


def pointed_at(part: str) -> list[int]:
    """Return which place each index of a part of actions points at: the last one is no place."""
    table = actions()
    shapes = blocks()
    first, n = {}, 0
    for name in PLACED:
        first[name], n = n, n + shapes[name].rows
    rows = table[table.part == part]
    return [first[block] + row if block else n
            for block, row in zip(rows.block, rows.row, strict=True)]


def kinds(part: str) -> list[int]:
    """Return the kind of each index of a part: of `what` as in KINDS, of `at` none, own, enemy."""
    if part == "what":
        return [sum(first <= k for first in KINDS) - 1 for k in range(WHATS)]
    return [0, *(1 + k // (TARGETS // 2) for k in range(TARGETS - 1))]


class Choice(NamedTuple):
    """What was chosen or asked about, all (n,): log probability, value, entropy."""

    log_policy: Tensor
    value: Tensor
    entropy: Tensor


def rows_of(observations: Tensor, block: Block) -> Tensor:
    """Return a block of observations (n, SIZE) as a table (n, rows, columns)."""
    return observations[:, block.offset:block.end].reshape(-1, *block.shape)


def numbers_of(block: Block) -> list[int]:
    """Return the columns of a block that are not cards."""
    return [k for k in range(len(block.columns)) if k not in block.cards]


def scaled(numbers: Tensor) -> Tensor:
    """Return whole numbers as floats of like size: sign(x) log(1 + |x|), so 1 is 0.7, 30 is 3.4."""
    numbers = numbers.to(torch.get_default_dtype())
    return torch.sign(numbers) * torch.log1p(numbers.abs())


class Places(nn.Module):
    """The vectors of the places of one block, from their cards and numbers."""

    def __init__(self, block: Block, cards: nn.Embedding, settings: NetSettings) -> None:
        super().__init__()
        self.block, self.cards = block, cards
        self.texts = list(block.cards[1:])  # attached to it
        self.numbers = numbers_of(block)
        wide = settings.embedding * (2 if self.texts else 1) + len(self.numbers)
        self.layer = nn.Linear(wide, settings.width)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return vectors (n, rows, width), and which places are taken (n, rows, 1)."""
        table = rows_of(observations, self.block)
        card = table[:, :, 0].long()
        parts = [self.cards(card)]
        if self.texts:
            parts.append(self.cards(table[:, :, self.texts].long()).sum(2))
        if self.numbers:
            parts.append(scaled(table[:, :, self.numbers]))
        return relu(self.layer(torch.cat(parts, 2))), (card > 0).unsqueeze(2)


class Pointer(nn.Module):
    """Score places by their vectors, the state, and what was chosen before: relu, then a sum."""

    def __init__(self, kinds: Sequence[int], width: int, context: int) -> None:
        super().__init__()
        self.register_buffer("kinds", torch.tensor(kinds), persistent=False)
        self.kind = nn.Embedding(max(kinds) + 1, width)
        self.place, self.context = nn.Linear(width, width, bias=False), nn.Linear(context, width)
        self.score = nn.Linear(width, 1)

    def forward(self, places: Tensor, context: Tensor) -> Tensor:
        """Return scores (n, k) of places (n, k, width), given the context (n, context)."""
        hidden = self.place(places) + self.kind(self.kinds) + self.context(context).unsqueeze(1)
        scores: Tensor = self.score(relu(hidden)).squeeze(2)
        return scores


class Network(nn.Module):
    """The whole network, with random parameters."""

    def __init__(self, settings: NetSettings) -> None:
        super().__init__()
        self.settings, self.blocks = settings, blocks()
        self.builder: nn.Module | None = None  # building.Builder: the branch that builds decks
        self.knows = False  # whether it sees the opponent's deck list
        width, embedding, lstm = settings.width, settings.embedding, settings.lstm
        self.cards = nn.Embedding(CARDS, embedding, padding_idx=0)
        self.places = nn.ModuleList(
            Places(self.blocks[name], self.cards, settings) for name in PLACED)
        numbers = sum(len(numbers_of(self.blocks[name])) * self.blocks[name].rows
                      for name in NUMBERED)
        wide = 2 * width * len(PLACED) + embedding * (1 + len(LISTED)) + numbers
        self.trunk = nn.Linear(wide, lstm)
        self.memory = nn.LSTM(lstm, lstm)
        self.nothing = nn.Parameter(torch.zeros(width))
        self.what = Pointer(kinds("what"), width, lstm)
        self.at = Pointer(kinds("at"), width, lstm + width)
        self.where = nn.Linear(lstm + width, PLACES)
        self.value = nn.Sequential(nn.Linear(lstm, width), nn.ReLU(), nn.Linear(width, 1))
        for part in ("what", "at"):
            self.register_buffer(f"of_{part}", torch.tensor(pointed_at(part)), persistent=False)

    @property
    def builds(self) -> bool:
        """Whether it builds its decks."""
        return self.builder is not None

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.nothing.device

    def cpu_copy(self) -> Network:
        """Return it on the CPU: itself if it is there."""
        return self if self.device.type == "cpu" else deepcopy(self).cpu()

    def start(self, n: int) -> State:
        """Return the memory with which n games begin."""
        zeros = self.nothing.new_zeros((n, self.settings.lstm))
        return zeros, zeros.clone()

    def look(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return the vectors of all places (n, places + 1, width), and the LSTM's input."""
        n, seen, pooled = len(observations), [], []
        for places in self.places:
            vectors, taken = places(observations)
            seen.append(vectors)
            shown = vectors * taken
            pooled += [shown.sum(1), shown.amax(1)]
        pooled += [self._listed(rows_of(observations, self.blocks[name])) for name in LISTED]
        pooled.append(self.cards(rows_of(observations, self.blocks["decision"])[:, 0, 0].long()))
        for name in NUMBERED:
            table = rows_of(observations, self.blocks[name])
            pooled.append(scaled(table[:, :, numbers_of(self.blocks[name])]).flatten(1))
        seen.append(self.nothing.expand(n, 1, -1))
        return torch.cat(seen, 1), relu(self.trunk(torch.cat(pooled, 1)))

    def _listed(self, table: Tensor) -> Tensor:
        """Return the sum, over 10, of the cards of a list (n, rows, 1 or 2: how often)."""
        cards = self.cards(table[:, :, 0].long())
        if table.shape[2] > 1:
            cards = cards * table[:, :, 1:].to(cards.dtype)
        summed: Tensor = cards.sum(1) / 10
        return summed

    def act(self, observations: Tensor, legal: Tensor, state: State,
            draws: Tensor) -> tuple[Tensor, Choice, State]:
        """Choose a move in each of n games: its parts (n, 3), their choice, and the new memory.

        draws: (n, 3) uniform numbers in [0, 1). legal: (n, WHATS), bits of `list_choices`.
        """
        places, seen = self.look(observations)
        _, (h, c) = self.memory(seen.unsqueeze(0), (state[0].unsqueeze(0), state[1].unsqueeze(0)))
        chosen, choice = self._choose(places, h[0], legal, draws, None)
        return chosen, choice, (h[0], c[0])

    def weigh(self, observations: Tensor, legal: Tensor, state: State, chosen: Tensor) -> Tensor:
        """Return the log probabilities (k,) of moves, parts (k, 3), in one game (n = 1)."""
        places, seen = self.look(observations)
        _, (h, _) = self.memory(seen.unsqueeze(0), (state[0].unsqueeze(0), state[1].unsqueeze(0)))
        k = len(chosen)
        return self._choose(places.expand(k, -1, -1), h[0].expand(k, -1), legal.expand(k, -1),
                            None, chosen)[1].log_policy

    def review(self, observations: Tensor, legal: Tensor, chosen: Tensor,
               alive: Tensor) -> Choice:
        """Return what the network says now of moves (n, 3) chosen in whole games.

        Rows are in the order of packed sequences: all first steps, then all second ones ...;
        alive (steps,): how many games have that step, the longest game first.
        """
        places, seen = self.look(observations)
        h = self.memory(PackedSequence(seen, alive))[0].data
        return self._choose(places, h, legal, None, chosen)[1]

    def _choose(self, places: Tensor, h: Tensor, legal: Tensor, draws: Tensor | None,
                chosen: Tensor | None) -> tuple[Tensor, Choice]:
        """Draw the parts of moves, or take those that were chosen."""
        part = _Parts(draws, chosen)
        each = torch.arange(len(h), device=h.device)
        what = part.take(self.what(places[:, self.of_what], h), legal != 0)
        bits = legal[each, what].unsqueeze(1)
        context = torch.cat([h, places[each, self.of_what[what]]], 1)
        ways = torch.arange(TARGETS + PLACES, device=h.device)
        open_ = ((bits >> ways) & 1).bool()
        part.take(self.at(places[:, self.of_at], context), open_[:, :TARGETS])
        part.take(self.where(context), open_[:, TARGETS:])
        value = self.value(h).squeeze(1)
        return torch.stack(part.taken, 1), Choice(part.log_policy, value, part.entropy)


class _Parts:
    """The parts of moves, one after the other: log probabilities and entropies are added up."""

    def __init__(self, draws: Tensor | None, chosen: Tensor | None) -> None:
        self.draws, self.chosen = draws, chosen
        self.taken: list[Tensor] = []
        self.log_policy = self.entropy = torch.zeros(())

    def take(self, scores: Tensor, allowed: Tensor) -> Tensor:
        """Return the next part (n,): chosen, or drawn from the softmax of what is allowed."""
        logs = masked_log_softmax(scores, allowed)
        k = len(self.taken)
        if self.chosen is not None:
            part = self.chosen[:, k]
        else:
            assert self.draws is not None
            part = drawn(logs, allowed, self.draws[:, k])
        self.taken.append(part)
        self.log_policy = self.log_policy + logs.gather(1, part.unsqueeze(1)).squeeze(1)
        self.entropy = self.entropy - torch.where(allowed, logs.exp() * logs, 0).sum(1)
        return part


def masked_log_softmax(scores: Tensor, allowed: Tensor) -> Tensor:
    """Return log probabilities (n, k) of what is allowed; a very low number for all else."""
    return torch.log_softmax(torch.where(allowed, scores, -1e9), 1)


def drawn(logs: Tensor, allowed: Tensor, draws: Tensor) -> Tensor:
    """Return an allowed index (n,) by inverting the cumulated probabilities at draws (n,)."""
    chances = torch.where(allowed, logs.double().exp(), 0).cumsum(1)
    below = chances <= (draws * chances[:, -1]).unsqueeze(1)
    last = torch.where(allowed, torch.arange(logs.shape[1], device=logs.device), 0).amax(1)
    return torch.minimum(below.sum(1), last)
