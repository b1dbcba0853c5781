"""Deck building as the first branch of the end-to-end policy: a deck is 30 choices of a card.

    builder = Builder(network.cards, card_pool("cig2018"), settings)
    decks = builder.build(classes, uniform, draws)     picks, and their log probabilities
    builder.review(classes, uniform, picks)            the same now, with values and entropies

Each choice is a masked softmax over all cards: of the own class or neutral, at most two of each,
one of a legendary. Scores compare the cards' embeddings, which battles share, with what is chosen.
With random-CB (section IV-D) the first cards of a deck are drawn uniformly: their scores are 0, so
that they teach nothing.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from hsevo.cards import tables
from hsevo.cards.catalogue import classes, collectible
from hsevo.cards.decks import SIZE, Deck
from hsevo.cards.sets import heroes
from hsevo.cards.terms import Class, Rarity
from hsevo.learning import vocabulary
from hsevo.learning.end_to_end.network import Choice, NetSettings, drawn, masked_log_softmax

Array = npt.NDArray[Any]
# Random-CB: how many cards of a deck are drawn uniformly, and with what chance (section IV-D).
RANDOM_CARDS, RANDOM_CHANCES = (0, 1, 2, 4), (0.5, 0.25, 0.125, 0.125)


@dataclass(frozen=True, eq=False)
class CardPool:
    """The cards that decks of a ruleset can have.

    ids (k,). numbers: in the vocabulary, (k,). most: copies that a deck of a class may have,
    (10, k). heroes: the vocabulary's number of each class's hero, (10,).
    """

    ids: tuple[str, ...]
    numbers: Array
    most: Array
    heroes: Array

    def deck(self, hero: int, picks: Array) -> Deck:
        """Return the deck of a class with these cards, (30,)."""
        return Deck("built", Class(hero).name, tuple(self.ids[k] for k in picks))


@functools.cache
def card_pool(ruleset: str) -> CardPool:
    """Return the Standard cards of a ruleset. Raises CardError if there is no such ruleset."""
    rules, where, known = tables.find_ruleset(ruleset), tables.sets(), tables.cards(ruleset)
    ids = tuple(id for id in collectible() if id in known and where[id] in rules.sets)
    number = dict(zip(tables.ids(ruleset), vocabulary.rows(ruleset).tolist(), strict=False))
    most = np.zeros((len(Class), len(ids)), np.int64)
    for k, id in enumerate(ids):
        owners = classes(known[id])
        copies = 1 if known[id].rarity is Rarity.LEGENDARY else 2
        most[list(Class) if Class.NEUTRAL in owners else list(owners), k] = copies
    own = [number[heroes.BY_CLASS[one][0]] if one in heroes.BY_CLASS else 0 for one in Class]
    return CardPool(ids, np.array([number[id] for id in ids]), most, np.array(own))


class Builder(nn.Module):
    """The branch of deck building. cards: the embedding that it shares with the battle."""

    def __init__(self, cards: nn.Embedding, pool: CardPool, settings: NetSettings) -> None:
        super().__init__()
        self.cards, self.pool = cards, pool
        width, embedding = settings.width, settings.embedding
        self.hidden = nn.Linear(2 * embedding + 1, width)
        self.query, self.key = nn.Linear(width, width), nn.Linear(embedding, width)
        self.value = nn.Linear(width, 1)
        for name in ("numbers", "most", "heroes"):
            numbers = torch.from_numpy(getattr(pool, name))
            self.register_buffer(f"of_{name}", numbers, persistent=False)

    def scores(self, owners: Tensor, counts: Tensor, uniform: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log probabilities (n, k) of the next card, and the values (n,).

        owners (n,): classes. counts (n, k): copies chosen. uniform (n,): whether all cards that can
        be chosen have the same chance.
        """
        cards = self.cards(self.of_numbers)
        chosen, so_far = counts.to(cards.dtype), counts.sum(1, keepdim=True).to(cards.dtype)
        parts = (self.cards(self.of_heroes[owners]), chosen @ cards / 10, so_far / SIZE)
        hidden = relu(self.hidden(torch.cat(parts, 1)))
        scores = self.query(hidden) @ self.key(cards).T / self.key.out_features**0.5
        scores = torch.where(uniform.unsqueeze(1), 0.0, scores)
        return (masked_log_softmax(scores, counts < self.of_most[owners]),
                self.value(hidden).squeeze(1))

    @torch.no_grad()
    def build(self, owners: Tensor, uniform: Tensor, draws: Tensor) -> tuple[Tensor, Tensor]:
        """Choose the cards of n decks: picks (n, 30), and their log probabilities (n, 30).

        uniform (n,): how many cards of each deck are drawn uniformly. draws: (n, 30) in [0, 1).
        """
        counts = torch.zeros_like(self.of_most[owners])
        each, picks, logs = torch.arange(len(owners)), [], []
        for step in range(SIZE):
            log, _ = self.scores(owners, counts, uniform > step)
            pick = drawn(log, counts < self.of_most[owners], draws[:, step])
            counts[each, pick] += 1
            picks.append(pick)
            logs.append(log[each, pick])
        return torch.stack(picks, 1), torch.stack(logs, 1)

    def review(self, owners: Tensor, uniform: Tensor, picks: Tensor) -> Choice:
        """Return what the branch says now of n decks: parts are (n * 30,), deck after deck."""
        taken = nn.functional.one_hot(picks, len(self.pool.ids))
        counts = (taken.cumsum(1) - taken).flatten(0, 1)
        owner = owners.repeat_interleave(SIZE)
        forced = (torch.arange(SIZE, device=picks.device) < uniform.unsqueeze(1)).flatten()
        logs, values = self.scores(owner, counts, forced)
        allowed = counts < self.of_most[owner]
        entropy = -torch.where(allowed & ~forced.unsqueeze(1), logs.exp() * logs, 0).sum(1)
        return Choice(logs.gather(1, picks.reshape(-1, 1)).squeeze(1), values, entropy)


def random_cards(draws: Array) -> Array:
    """Return how many cards of decks are drawn uniformly, from draws (n,) in [0, 1)."""
    bounds = np.cumsum(RANDOM_CHANCES)
    found: Array = np.array(RANDOM_CARDS)[np.searchsorted(bounds, draws, side="right")]
    return found
