"""Drafts: the decks that networks build before a round of games, and what they learn from them.

    decks, draft = build_decks(players, who, decks, seeds, random=True)
    review(network, draft)             the branch of deck building now, of some of them

A trajectory then begins with 30 choices of a card, before the decisions of its battle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hsevo.cards.decks import SIZE, Deck
from hsevo.cards.terms import Class
from hsevo.learning.end_to_end.building import Builder, random_cards
from hsevo.learning.end_to_end.isolated import Isolated, joined
from hsevo.learning.end_to_end.network import Choice, Network
from hsevo.seeds import Stream, derive

Array: TypeAlias = npt.NDArray[Any]
Decks: TypeAlias = list[tuple[Deck, Deck]]  # of players 0 and 1, for each game


@dataclass(frozen=True)
class Draft:
    """How n decks were built; all but `picks` are meaningless for those that were not.

    owners: classes, (n,). uniform: how many cards random-CB drew, (n,). picks: places in the card
    pool, (n, 30). logs: their log probabilities, (n, 30).
    """

    owners: Tensor
    uniform: Tensor
    picks: Tensor
    logs: Tensor

    def take(self, rows: Any) -> Draft:
        """Return some of them."""
        return Draft(self.owners[rows], self.uniform[rows], self.picks[rows], self.logs[rows])

    def to(self, device: str) -> Draft:
        """Return them on a device."""
        return Draft(*(getattr(self, name).to(device)
                       for name in ("owners", "uniform", "picks", "logs")))


    @classmethod
    def joined(cls, drafts: Sequence[Draft | None]) -> Draft | None:
        """Return drafts as one; None if there are none."""
        some = [draft for draft in drafts if draft is not None]
        if not some:
            return None
        return cls(*(torch.cat([getattr(one, name) for one in some])
                     for name in ("owners", "uniform", "picks", "logs")))


def uniform(clock: int, seeds: Array, seats: Array, n: int) -> Array:
    """Return numbers in [0, 1), (m, n), of players (m,) of games with these seeds, at a step."""
    bits = derive((Stream.ACT, clock), seeds[:, None], seats[:, None], np.arange(n))
    numbers: Array = (bits >> np.uint64(11)) / 2.0**53
    return numbers


def build_decks(players: Sequence[Any], who: Array, decks: Decks, seeds: Array,
                random: bool) -> tuple[Decks, Draft]:
    """Have all networks build their decks, of the classes of the decks that they were dealt.

    who: (n, 2). seeds: uint64 (n,), of the games. random: whether random-CB draws the first cards.
    Compiled agents, and networks without that branch, keep the decks that they were dealt. Returns
    the decks, and the draft of player p in game k at place 2 k + p.
    """
    owners = torch.tensor([int(Class[deck.hero]) for pair in decks for deck in pair])
    draws = uniform(0, np.repeat(seeds, 2), np.arange(len(owners)) % 2, SIZE + 1)
    count = random_cards(draws[:, SIZE]) if random else np.zeros(len(owners), np.int64)
    draft = Draft(owners, torch.from_numpy(count), torch.zeros((len(owners), SIZE)).long(),
                  torch.zeros((len(owners), SIZE)))
    flat = [deck for pair in decks for deck in pair]
    for k, player in enumerate(players):
        for builder, rows in builders(player, owners, np.flatnonzero(who.ravel() == k)):
            _build(builder, rows, draft, draws, flat)
    return list(zip(flat[::2], flat[1::2], strict=True)), draft


def _build(builder: Builder, rows: Tensor, draft: Draft, draws: Array, decks: list[Deck]) -> None:
    """Build the decks of some rows, into the draft and the list."""
    device = builder.key.weight.device
    picks, logs = builder.build(draft.owners[rows].to(device), draft.uniform[rows].to(device),
                                torch.from_numpy(draws)[rows].to(device))
    draft.picks[rows], draft.logs[rows] = picks.cpu(), logs.cpu()
    for row, cards in zip(rows.tolist(), picks.tolist(), strict=True):
        decks[row] = builder.pool.deck(int(draft.owners[row]), np.array(cards))


def builders(player: Any, owners: Tensor, rows: Array) -> Iterator[tuple[Builder, Tensor]]:
    """Yield the branches of a player that build decks, and those of the rows that are theirs."""
    wanted = torch.from_numpy(rows)
    if isinstance(player, Network) and player.builder is not None and len(rows):
        yield player.builder, wanted
    elif isinstance(player, Isolated):
        for one, network in player.networks.items():
            mine = wanted[owners[wanted] == int(one)]
            yield from builders(network, owners, mine.numpy())


def review(network: Network | Isolated, draft: Draft) -> Choice:
    """Return what a network says now of decks that it built, each part (30, n)."""
    owners = draft.owners.cpu()
    parts, order = [], []
    for builder, rows in builders(network, owners, np.arange(len(owners))):
        there = rows.to(draft.owners.device)
        one = builder.review(draft.owners[there], draft.uniform[there], draft.picks[there])
        parts.append(Choice(*(part.reshape(-1, SIZE) for part in one)))
        order.append(there)
    return Choice(*(part.T for part in joined(parts, torch.argsort(torch.cat(order)))))
