"""Devices other than the CPU, as far as a machine without a GPU can show.

PyTorch's device `meta` computes shapes alone, and refuses to mix its tensors with the CPU's as a
GPU does: a tensor that was left on the CPU is found.
"""

import pytest
import torch
from click.testing import CliRunner
from torch.fx.experimental import _config

from hsevo.cards.terms import Class
from hsevo.cli.root import main
from hsevo.config.learning import NetworkSettings
from hsevo.engine.view.actions import WHATS
from hsevo.engine.view.observe import SIZE
from hsevo.errors import ConfigError
from hsevo.learning.acting.pool import card_pool
from hsevo.learning.end_to_end.network import Builder, Network
from hsevo.learning.end_to_end.updates import LearnerBatch, check_device, loss_of

TINY = NetworkSettings(embedding=5, width=6, lstm=5)
VALID = torch.tensor([[True, True], [True, True], [True, False]])


def batch():
    """Return two trajectories, of three and two decisions, in which all is legal."""
    return LearnerBatch(torch.zeros(5, SIZE, dtype=torch.int16), torch.full((5, WHATS), -1),
                 torch.zeros(5, 3, dtype=torch.int64), torch.zeros(3, 2), torch.zeros(3, 2), VALID,
                 VALID.sum(1))


def test_the_device_refuses_what_is_on_the_cpu():
    with pytest.raises(RuntimeError):
        torch.zeros(3, device="meta") + torch.zeros(3)


@pytest.mark.parametrize("form", ["ppo", "vtrace"])
def test_all_of_an_update_is_on_the_device(form):
    """Of what depends on numbers, the device computes the largest shape."""
    network = Network(TINY).to("meta")
    optimizer = torch.optim.Adam(network.parameters())
    with _config.patch(meta_nonzero_assume_all_nonzero=True):
        lost = loss_of(network, batch().to("meta"), NetworkSettings(gradient=form))
        lost.total.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    assert {part.device.type for part in (*lost, *network.parameters())} == {"meta"}


def test_all_of_deck_building_is_on_the_device():
    network = Network(TINY)
    builder = Builder(network.cards, card_pool("cig2018"), TINY).to("meta")
    owners, uniform = (torch.full((4,), n, device="meta") for n in (int(Class.MAGE), 2))
    picks = torch.zeros(4, 30, dtype=torch.int64, device="meta")
    assert {part.device.type for part in builder.review(owners, uniform, picks)} == {"meta"}


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_one_line(tmp_path):
    result = CliRunner().invoke(main, ["learn", "--config", "end-to-end-small", "--set",
                                       "network.device=cuda", "--out", str(tmp_path / "run")])
    assert result.exit_code == 2
    (line,) = result.output.splitlines()
    assert "device is cuda, but PyTorch finds no GPU here; use cpu" in line
    assert not (tmp_path / "run").exists()


def test_each_process_needs_a_gpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    check_device(NetworkSettings(device="cuda"))
    with pytest.raises(ConfigError, match="processes is 2, but PyTorch finds 1 GPU here"):
        check_device(NetworkSettings(device="cuda", processes=2))
