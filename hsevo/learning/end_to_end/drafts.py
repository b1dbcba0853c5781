"""What the end-to-end learner learns from the decks that were built (acting/drafts.py).

    review(network, picked)            the branch of deck building now, of some decks
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from hsevo.cards.decks import SIZE
from hsevo.learning.acting.drafts import Draft
from hsevo.learning.end_to_end.network import Builder, Isolated, Network, Reviewed, joined
from hsevo.types import Array


class Picked(NamedTuple):
    """A draft of n decks as tensors; see acting.drafts.Draft."""

    owners: Tensor
    uniform: Tensor
    picks: Tensor
    logs: Tensor
    theirs: Tensor
    peeks: Tensor

    @classmethod
    def of(cls, draft: Draft) -> Picked:
        """Return a draft as tensors."""
        return cls(*(torch.from_numpy(getattr(draft, name)) for name in cls._fields))

    def to(self, device: str) -> Picked:
        """Return it on a device."""
        return Picked(*(part.to(device) for part in self))


def builders(player: Any, owners: Tensor, rows: Array) -> Iterator[tuple[Builder, Tensor]]:
    """Yield the branches of a player that build decks, and those of the rows that are theirs."""
    wanted = torch.from_numpy(rows)
    if isinstance(player, Network) and player.builder is not None and len(rows):
        yield player.builder, wanted
    elif isinstance(player, Isolated):
        for owner, network in player.networks.items():
            mine = wanted[owners[wanted] == int(owner)]
            yield from builders(network, owners, mine.numpy())


def review(network: Network | Isolated, draft: Picked) -> Reviewed:
    """Return what a network says now of decks that it built, each part (30, n)."""
    owners = draft.owners.cpu()
    parts, order = [], []
    for builder, rows in builders(network, owners, np.arange(len(owners))):
        there = rows.to(draft.owners.device)
        reviewed = builder.review(*(part[there] for part in (
            draft.owners, draft.uniform, draft.picks, draft.theirs, draft.peeks)))
        parts.append(Reviewed(*(part.reshape(-1, SIZE) for part in reviewed)))
        order.append(there)
    return Reviewed(*(part.T for part in joined(parts, torch.argsort(torch.cat(order)))))
