"""Hero isolation: a network for each class, behind the interface of one.

As in section IV-G of Xiao and others (2023), heroes share no parameters. Which one plays is read
from a player's first observation of a game: a hero that is replaced can have another class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy

import torch
from torch import Tensor, nn

from hsevo.learning.acting.actor import CLASS
from hsevo.learning.end_to_end.network import Network, Reviewed


class Isolated(nn.Module):
    """Networks of classes (cards.terms.Class), which all begin as copies of one."""

    def __init__(self, network: Network, classes: Sequence[int]) -> None:
        super().__init__()
        self.settings = network.settings
        self.networks = nn.ModuleDict({str(one): deepcopy(network) for one in sorted({*classes})})

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
        (found,) = self.review_each(observations, legal, (chosen,), alive)
        return found

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
        for one in torch.unique(classes).tolist():
            network: Network = self.networks[str(one)]
            yield network, torch.nonzero(classes == one).squeeze(1)


def joined(choices: Sequence[Reviewed], back: Tensor) -> Reviewed:
    """Return choices as one, in the order in which they were asked for."""
    return Reviewed(*(torch.cat(part)[back] for part in zip(*choices, strict=True)))
