"""Deck building as the first branch of the end-to-end policy: a deck is 30 choices of a card.

    builder = Builder(network.cards, card_pool("cig2018"), settings)
    builder.review(classes, uniform, picks)       what it says of decks: chances, values, entropies

Each choice is a masked softmax over all cards: of the own class or neutral, at most two of each,
one of a legendary. Scores compare the cards' embeddings, which battles share, with what is chosen.
With random-CB (section IV-D) the first cards of a deck are drawn uniformly: their scores are 0, so
that they teach nothing. Compiled code chooses (acting/building.py).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from hsevo.cards.decks import SIZE
from hsevo.config.learning import NetworkSettings
from hsevo.learning.acting.pool import CardPool
from hsevo.learning.acting.shapes import LIST_SCALE, PEEK
from hsevo.learning.end_to_end.network import Reviewed, masked_log_softmax


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
