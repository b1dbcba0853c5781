"""The losses in PyTorch: numbers worked out by hand, and gradients by finite differences."""

import math

import pytest
import torch

from hsevo.config.learning import NetworkSettings
from hsevo.learning.end_to_end.losses import (
    Aims,
    aims,
    losses,
    ppo_loss,
    upgo_loss,
    upgo_returns,
    vtrace,
)

HYPER = NetworkSettings()


def column(*numbers: float) -> torch.Tensor:
    """Return a trajectory, (T, 1), in double precision."""
    return torch.tensor(numbers, dtype=torch.float64)[:, None]


def test_vtrace_by_hand():
    """Ratio 2 is clipped to 1.007. Last: 0.25 + 0.5 (1 - 0.25) = 0.625.

    First: delta = 0.25 - 0.5, so 0.5 + 1.007 (-0.25 + (0.625 - 0.25)) = 0.625875.
    """
    targets = vtrace(column(0, 1), column(0.5, 0.25), column(2, 0.5), HYPER)
    assert targets.flatten().tolist() == pytest.approx([0.625875, 0.625])


def test_vtrace_keeps_a_trace_of_a_move_that_is_hardly_made_any_more():
    """Ratio 1e-6 counts as 0.001: 0.5 + 0.001 (1 - 0.5); before: 0 + (0.5 + 0.0005)."""
    targets = vtrace(column(0, 1), column(0, 0.5), column(1, 1e-6), HYPER)
    assert targets.flatten().tolist() == pytest.approx([0.5005, 0.5005])


def test_vtrace_on_policy_is_the_outcome_with_gamma_1():
    targets = vtrace(column(0, 0, -1), column(0.9, -0.3, 0.1), column(1, 1, 1), HYPER)
    assert targets.flatten().tolist() == pytest.approx([-1, -1, -1])


def test_vtrace_discounts():
    """gamma 0.5, ratios 1: the outcome, halved each step."""
    targets = vtrace(column(0, 0, 1), column(0.2, 0.3, 0.4), column(1, 1, 1),
                     NetworkSettings(discount=0.5))
    assert targets.flatten().tolist() == pytest.approx([0.25, 0.5, 1])


def test_upgo_cuts_off_what_went_worse_than_expected():
    """Values 0.1, 0.6, 0.2 and a win: step 1 expected 0.6 and went to 0.2, which is worse.

    So G_2 = 1 and G_1 = G_2 (0 + 0 + 1 >= 0.2), but G_0 = V_1 = 0.6 (0.2 < 0.6).
    """
    returns = upgo_returns(column(0, 0, 1), column(0.1, 0.6, 0.2))
    assert returns.flatten().tolist() == pytest.approx([0.6, 1, 1])


def test_upgo_after_a_loss_goes_back_to_the_value():
    """The last step is worse than expected (-1 < 0.5), so G_0 = V_1."""
    returns = upgo_returns(column(0, -1), column(0, 0.5))
    assert returns.flatten().tolist() == pytest.approx([0.5, -1])


@pytest.mark.parametrize(("ratio", "advantage", "gain"), [
    (1.5, 1, 1.2), (0.5, 1, 0.5), (1.5, -1, -1.5), (0.5, -1, -0.8), (1.1, 2, 2.2),
])  # fmt: skip
def test_ppo_by_hand(ratio, advantage, gain):
    valid = torch.tensor([[True]])
    loss = ppo_loss(column(math.log(ratio)), column(0), column(advantage), valid, 0.2)
    assert float(loss) == pytest.approx(-gain)


def test_all_parts_by_hand():
    """One trajectory of two steps, on policy, lost; another one that is one step shorter, won.

    Values 0.5, 0.25 and 0, targets -1, -1 and 1: value loss (1.5^2 + 1.25^2 + 1) / 3 / 2. PPO with
    ratios 1: -(-1.5 - 1.25 + 1) / 3. UPGO: G = 0.25, -1 and 1: -(-0.25 ln 0.5 - 1.25 ln 0.25 + ln
    0.5) / 3. Entropies 0.6, 0.3, 0.9: 0.6.
    """
    logs = torch.tensor([[0.5, 0.5], [0.25, 9.0]], dtype=torch.float64).log()
    values = torch.tensor([[0.5, 0], [0.25, 9.0]], dtype=torch.float64)
    rewards = torch.tensor([[0, 1], [-1, 0]], dtype=torch.float64)
    entropies = torch.tensor([[0.6, 0.9], [0.3, 9.0]], dtype=torch.float64)
    valid = torch.tensor([[True, True], [True, False]])
    aim = aims(logs, values, logs, rewards, valid, HYPER)
    found = losses(logs, values, entropies, logs, valid, aim, HYPER)
    upgo = -(-0.25 * math.log(0.5) - 1.25 * math.log(0.25) + math.log(0.5)) / 3
    value = (1.5**2 + 1.25**2 + 1) / 6
    assert [part.item() for part in found[1:]] == pytest.approx([1.75 / 3, upgo, value, 0.6, 0])
    assert found.total.item() == pytest.approx(total := 1.75 / 3 + upgo + value - 0.01 * 0.6)
    # A teacher's moves have the chances 0.5, 0.2 and 0.1.
    taught = torch.tensor([[0.5, 0.1], [0.2, 9.0]], dtype=torch.float64).log()
    found = found.kickstarted(taught, valid, 0.7)
    assert found.teacher.item() == pytest.approx(math.log(100) / 3)
    assert found.total.item() == pytest.approx(total + 0.7 * math.log(100) / 3)


def test_gradients_by_finite_differences():
    """Of all parts, in what they have gradients in; entries after the end have none."""
    generator = torch.Generator().manual_seed(1)

    def some() -> torch.Tensor:
        return torch.randn((4, 3), generator=generator, dtype=torch.float64)

    logs, values, entropies = (some().requires_grad_() for _ in range(3))
    valid = torch.arange(4)[:, None] < torch.tensor([4, 2, 1])
    aim, behaviour = Aims(some(), some(), some(), some()), logs.detach() + 0.05 * some()
    hyper = NetworkSettings(policy=0.7, upgo=1.3, value=0.9, entropy=0.2)
    assert torch.autograd.gradcheck(
        lambda *ours: losses(*ours, behaviour, valid, aim, hyper).total,
        (logs, values, entropies))
    losses(logs, values, entropies, behaviour, valid, aim, hyper).total.backward()
    for part in (logs, values, entropies):
        assert part.grad is not None
        assert (part.grad[~valid] == 0).all()
        assert (part.grad[valid] != 0).any()


def test_the_policy_gradient_is_the_textbook_one():
    """On policy, PPO's and UPGO's gradients are -A times the gradient of log pi."""
    logs = torch.randn((3, 2), dtype=torch.float64).requires_grad_()
    valid, advantages = torch.ones((3, 2), dtype=torch.bool), torch.randn(3, 2).double()
    aim = Aims(advantages, advantages, advantages, torch.ones_like(advantages))
    for loss in (ppo_loss(logs, logs.detach(), advantages, valid, 0.2),
                 upgo_loss(logs, logs.detach(), aim, valid, HYPER)):
        (gradient,) = torch.autograd.grad(loss, logs)
        assert torch.allclose(gradient, -advantages / 6)


@pytest.mark.parametrize(("form", "gained"), [
    ("vtrace", 0.8 * math.log(0.5)), ("ppo", 1.2 * 0.8), ("mmd", 1.6 - (1 - math.log(2)) / 2)])
def test_each_form_of_a_gain_by_hand(form, gained):
    """One decision of chance 1/2, and 1/4 when it was played: the ratio 2 is clipped to 1 or 1.2.

    V = 0.2 and the game is won, so that both gains, A and G - V, are 0.8. The step size is 2.
    """
    hyper = NetworkSettings(gradient=form, upgo_gradient=form, trace_clip=(0.0, 1.0),
                            clip=(0.0, 1.0), stepsize=2.0)
    logs, before, values = column(math.log(0.5)), column(math.log(0.25)), column(0.2)
    valid = torch.tensor([[True]])
    aim = aims(logs, values, before, column(1), valid, hyper)
    found = losses(logs, values, column(0.7), before, valid, aim, hyper)
    assert (found.policy.item(), found.upgo.item()) == pytest.approx((-gained, -gained))
    assert found.value.item() == pytest.approx(0.32)


def test_vtrace_has_bounds_of_its_own_for_trace_and_difference():
    """Ratios 2, 0.5 and 0.0001; bounds 1.5 of differences, 1 of the trace. A game of 3, won."""
    hyper = NetworkSettings(trace_clip=(0.0, 1.0), clip=(0.0, 1.5))
    targets = vtrace(column(0, 0, 1), column(0.5, 0.2, -0.4), column(2, 0.5, 0.0001), hyper)
    middle = 0.2 - 0.3 + 0.5 * 0.00014
    assert targets.flatten().tolist() == pytest.approx(
        [0.5 - 0.45 + (middle - 0.2), middle, -0.4 + 0.0001 * 1.4])
