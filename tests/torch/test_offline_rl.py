"""The one-file example that clones the play of a data set."""

import runpy

import numpy as np
import pytest
import torch

import hsevo
from hsevo import learning
from tests.support import ROOT

FILE = ROOT / "examples" / "offline_rl.py"
MADE = runpy.run_path(str(FILE))
Policy, clone, minibatches = MADE["Policy"], MADE["clone"], MADE["minibatches"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Return a data set of 90 games."""
    return hsevo.dataset("eva:2018", "eva:2018", tmp_path_factory.mktemp("eva") / "data", games=90,
                         shard_games=40, workers=1)


def test_the_saved_player_plays_what_was_learned(data, tmp_path, monkeypatch, capsys):
    """Draws from all legal actions win half of the games against random play."""
    out = tmp_path / "new" / "clone"
    monkeypatch.setattr("sys.argv", [str(FILE), str(data.path), "--out", str(out), "--epochs", "2",
                                     "--games", "18"])
    runpy.run_path(str(FILE), run_name="__main__")
    first, last, random, eva = capsys.readouterr().out.splitlines()
    assert (first[:8], last[:8]) == ("epoch 1:", "epoch 2:")
    assert float(last.split()[2]) > 45  # a legal action drawn at random: about 20
    assert random.endswith("against random")
    assert eva.endswith("against eva:2018")
    played = hsevo.match(f"py:{out / 'player.py'}#player", "random", 18)
    assert played.faults == 0
    assert played.rate.value > 0.8
    assert random == f"{played.rate.percent()} against random"


def test_held_out_games_are_not_learned(data):
    arrays, random = data.arrays(), np.random.default_rng(1)
    held_out = np.isin(arrays["game"] // 2, [0, 10, 20, 30, 40])
    for held, winners, expected in ((True, False, held_out), (False, False, ~held_out),
                                    (False, True, ~held_out & (arrays["return"] == 1))):
        parts = [[seen, legal, actions.numpy()] for seen, legal, actions in minibatches(
            data, random, held, winners, size=100)]
        assert max(len(part[0]) for part in parts) == 100
        seen, legal, actions = map(np.concatenate, zip(*parts, strict=True))
        assert len(seen) == expected.sum() > 0
        rows = np.hstack([seen, legal, actions])
        wanted = np.hstack([arrays["observation"], arrays["legal"], *(
            arrays[part][:, None] for part in ("what", "at", "where"))])[expected]
        assert sorted(map(bytes, rows)) == sorted(map(bytes, wanted.astype(rows.dtype)))


def test_probabilities_of_legal_actions_add_up_to_one(data):
    torch.manual_seed(1)
    seen, legal, _ = next(minibatches(data, np.random.default_rng(1), size=20))
    what, at, where = learning.masks(legal)
    mask = what[:, :, None, None] & at[..., None] & where[:, :, None, :]
    game, *parts = np.nonzero(mask)
    actions = torch.from_numpy(np.stack(parts, 1))
    with torch.no_grad():
        policy = Policy()
        chances = policy(seen[game], legal[game], actions)[1].exp().numpy()
        likeliest, chance = policy(seen, legal)
    assert np.allclose(np.bincount(game, chances), 1, atol=1e-5)
    assert mask[np.arange(20), *likeliest.numpy().T].all()
    chosen = actions == likeliest[game]
    assert np.allclose(chances[chosen.all(1).numpy()], chance.exp().numpy(), atol=1e-6)


def test_a_seed_gives_the_same_policy(tmp_path):
    data = hsevo.dataset("random", "random", tmp_path / "data", games=18, workers=1)
    first, again, other = (clone(data, epochs=1, seed=seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["chosen.weight"], other["chosen.weight"])


@pytest.mark.parametrize(("words", "said"), [
    (["data", "--out", "."], "--out . exists; choose a new folder"),
    (["data"], "data is not a data set of hsevo: it has no dataset.yaml"),
])
def test_bad_input_is_one_line(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(FILE), *words])
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(FILE), run_name="__main__")
    assert stopped.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith(f"error: {said}")
    assert list(tmp_path.iterdir()) == []
