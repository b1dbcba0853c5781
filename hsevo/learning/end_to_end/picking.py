"""PH, the third stage: the policy picks its hero before a game (section IV-B of Xiao and others).

    picker = Picker(classes, factor)
    picker.chances()                 of each class, numpy float64 (classes,)
    picker.review(owners)            what it says of picks: chances, values, entropies

A policy of one step that sees nothing, as a bandit's, their equation (5). It exists while its
policy learns: in matches, classes are given.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor, nn

from hsevo.cards.terms import Class
from hsevo.learning.end_to_end.network import Reviewed
from hsevo.types import Array


class Picker(nn.Module):
    """A score of each class, and a value. factor: of its entropy in the loss."""

    def __init__(self, classes: Iterable[int], factor: float = 1.0) -> None:
        super().__init__()
        self.classes, self.factor = sorted({*classes}), factor
        self.scores = nn.Parameter(torch.zeros(len(Class)))
        self.value = nn.Parameter(torch.zeros(1))

    def logs(self) -> Tensor:
        """Return the log probabilities of its classes, in their order."""
        return torch.log_softmax(self.scores[self.classes], 0)

    def chances(self) -> Array:
        """Return the probability of each of its classes, float64, in their order."""
        with torch.no_grad():
            probabilities: Array = self.logs().double().exp().cpu().numpy()
        return probabilities / probabilities.sum()

    def picked(self, draws: Array) -> tuple[Array, Array]:
        """Return the classes that it picks by draws (n,) in [0, 1), and their log probabilities."""
        chances = self.chances()
        places = np.searchsorted(np.cumsum(chances)[:-1], draws, side="right")
        return np.array(self.classes)[places], np.log(chances[places]).astype(np.float32)

    def review(self, owners: Tensor) -> Reviewed:
        """Return what it says now of picks, classes (n,): parts are (1, n)."""
        logs = self.logs()
        entropy = -(logs.exp() * logs).sum()
        places = torch.searchsorted(torch.tensor(self.classes, device=owners.device), owners)
        return Reviewed(logs[places].unsqueeze(0), self.value.expand(1, len(owners)),
                      entropy.expand(1, len(owners)))
