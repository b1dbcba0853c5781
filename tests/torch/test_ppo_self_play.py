"""The one-file baseline: PPO self-play in PyTorch on `hsevo.make_vec`."""

import runpy
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch

import hsevo
from tests.support import ROOT

pytest.importorskip("gymnasium", reason="needs the extra env")
FILE = ROOT / "examples" / "ppo_self_play.py"
MADE = runpy.run_path(str(FILE))
learn, Settings, Trainer = MADE["learn"], MADE["Settings"], MADE["Trainer"]
SMALL = {"games": 32, "steps": 32, "minibatch": 256, "card": 8, "row": 16, "width": 64}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return the folder of a short training, and its last win rates."""
    learn.__globals__["OPPONENTS"] = ("random",)
    out = tmp_path_factory.mktemp("ppo") / "run"
    shown = []
    rates = learn(Settings(**SMALL, out=str(out), decisions=15_000, evaluations=1, rate=0.003,
                           evaluation_games=180), lambda text, flush: shown.append(text))
    return SimpleNamespace(out=out, rates=rates, shown=shown)


def test_it_learns_and_logs_its_curve(run):
    """Moves that are drawn from all legal ones win half of the games against random play."""
    rate = run.rates["random"]
    assert 0.6 < rate.low < rate.value < rate.high
    log = pd.read_csv(run.out / "log.csv")
    assert log["decisions"].tolist() == [1024 * (k + 1) for k in range(15)]
    assert log["random"].dropna().tolist() == [round(rate.value, 4)]
    assert len(run.shown) == 1


def test_its_player_is_the_network_that_was_evaluated(run):
    spec = f"py:{run.out / 'player.py'}#player"
    played = hsevo.match(spec, "random", 18, decks=["warrior", "shaman", "mage"])
    assert played.faults == 0
    assert played.rate.high > run.rates["random"].low
    assert played.rate.value > 0.5


def test_a_seed_gives_the_same_network():
    networks = []
    for seed in (1, 1, 2):
        trainer = Trainer(Settings(**SMALL, seed=seed))
        trainer.update(trainer.collect())
        networks.append(trainer.network.state_dict())
    first, again, other = networks
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["body.weight"], other["body.weight"])


def test_advantages_change_their_sign_where_the_other_player_acts():
    """Two decisions of A, one of B, who wins; then a new game. Undiscounted, lambda 1/2."""
    columns = [torch.tensor(one)[:, None] for one in (
        [0.0, 0.0, 1.0, 0.0], [0.25, 0.5, 0.0, 0.125], [1.0, 1.0, 0.0, 1.0],
        [1.0, -1.0, 1.0, 1.0])]
    rewards, values, goes_on, same = columns
    gain = MADE["advantages"](rewards, values, torch.tensor([0.5]), goes_on, same, 1.0, 0.5)
    # delta: 0.5 - 0.25 = 0.25; -0 - 0.5 = -0.5; 1 - 0 = 1; 0.5 - 0.125 = 0.375
    assert gain[:, 0].tolist() == [0.25 - 0.5, -0.5 - 0.5, 1.0, 0.375]


def test_the_clipped_loss_by_hand():
    given = SimpleNamespace(clip=0.2)
    policy, value, entropy = MADE["losses"](
        torch.tensor([1.5, 0.5]), torch.tensor([1.0, -1.0]), torch.tensor([1.0, 0.0]),
        torch.tensor([0.0, 0.0]), torch.tensor([2.0, 4.0]), given)
    assert policy.item() == pytest.approx(-(1.2 - 0.8) / 2)
    assert (value.item(), entropy.item()) == (0.25, -3.0)


def test_probabilities_are_of_legal_actions():
    """The log-probability is the sum over the parts; masked actions take no part in it."""
    torch.manual_seed(1)
    net = MADE["Network"]()
    seen, _ = hsevo.make_vec("battle", 64, opponent="random", seed=3).reset()
    for mask in ("what", "at", "where"):  # one legal action in each game: the last
        first = seen[mask].reshape(-1, seen[mask].shape[-1])
        last = first.shape[1] - 1 - first[:, ::-1].argmax(axis=1)
        only = np.zeros_like(first)
        only[np.arange(len(first)), last] = first.any(axis=1)
        seen[mask] = only.reshape(seen[mask].shape)
    actions, chance, entropy, _ = net(**MADE["_named"](seen))
    assert np.array_equal(actions[:, 0], seen["what"].argmax(axis=1))
    assert torch.allclose(chance, torch.zeros(64), atol=1e-5)
    assert torch.allclose(entropy, torch.zeros(64), atol=1e-5)


def test_a_folder_that_exists_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", [str(FILE), "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(FILE), run_name="__main__")
    assert stopped.value.code == 2
    assert "choose a new folder" in capsys.readouterr().err
