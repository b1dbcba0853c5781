"""An LSTM over whole games of different lengths, with gradients of its weights in one product.

    h = recur(lstm, inputs, alive)        as lstm(PackedSequence(inputs, alive))[0].data

PyTorch adds up a gradient of the weights for each step, of which a game has a hundred; that takes
longer than all else.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn


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
    def backward(ctx: Any, given: Tensor) -> tuple[Tensor, Tensor, None]:
        """Go back through the steps."""
        gates, states, cells, weights = ctx.saved_tensors
        m, alive, end = weights.shape[1], ctx.alive, len(gates)
        slopes = gates * (1 - gates)
        slopes[:, 2 * m:3 * m] = 1 - gates[:, 2 * m:3 * m] ** 2
        bounded = cells.tanh()
        into_cells = gates[:, 3 * m:] * (1 - bounded**2)
        before, cells_before = (_one_step_earlier(one, alive) for one in (states, cells))
        gradients = torch.empty_like(gates)
        dh, dc = gates.new_zeros((2, alive[0], m))  # of the states after a step, from later ones
        for n in reversed(alive):
            step = slice(end - n, end)
            d = given[step] + dh[:n]
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
    found, at, earlier = torch.zeros_like(rows), alive[0], 0
    for last, n in pairwise(alive):
        found[at:at + n] = rows[earlier:earlier + n]
        at, earlier = at + n, earlier + last
    return found
