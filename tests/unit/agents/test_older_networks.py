"""Networks of before decks were seen: their files and texts are read, and keep their names."""

import hashlib

import numpy as np
import pytest

from hsevo.agents.learned import nets, older
from hsevo.agents.learned.nets import read_net, write_net
from hsevo.agents.learned.text import TEXT_NET
from hsevo.agents.network.network import NET
from hsevo.cards.facts import names
from hsevo.cards.tables import ids

ROWS = ("card", "held")  # of the older layout


def old_net(dtype=older.OLD_NET):
    """Return a random network in the older layout."""
    random = np.random.default_rng(3)
    net = np.frombuffer(random.bytes(dtype.itemsize), dtype)[0].copy()
    own = net if dtype == older.OLD_NET else net["net"]
    for name in ROWS:
        own[name][len(ids("msg2017")):] = 0
    if dtype == older.OLD_TEXT_NET:
        for name in ROWS:
            net["text"][name][len(names()):] = 0
    return np.array(net, dtype)


def old_file(net, path):
    """Write a network as hsevo 0.5 wrote it before."""
    text = net.dtype == older.OLD_TEXT_NET
    own, known = net["net"] if text else net, ids("msg2017")
    arrays = {name: own[name][:len(known)] if name in ROWS else own[name]
              for name in older.OLD_NET.names}
    if text:
        facts = names()[:len(net["text"][ROWS[0]])]
        arrays |= {f"text_{name}": net["text"][name][:len(facts)] for name in ROWS}
        arrays["facts"] = np.array(facts)
    np.savez_compressed(path, format=np.array(2 if text else 1), cards=np.array(known), **arrays)


@pytest.mark.parametrize("dtype", [older.OLD_NET, older.OLD_TEXT_NET])
def test_a_file_of_before_is_read(tmp_path, dtype):
    old = old_net(dtype)
    old_file(old, tmp_path / "old.npz")
    net = read_net(tmp_path / "old.npz")
    assert net.dtype == (NET if dtype == older.OLD_NET else TEXT_NET)
    assert older.narrow(net).tobytes() == old.tobytes()
    own, before = (net, old) if dtype == older.OLD_NET else (net["net"], old["net"])
    for name in older.ADDED:
        assert not own[name].any()
    facts = older.OLD_GLOBAL
    assert (own["first"][:facts] == before["first"][:facts]).all()
    assert not own["first"][facts:facts + older.FACTS].any()
    assert (own["first"][facts + older.FACTS:] == before["first"][facts:]).all()


@pytest.mark.parametrize("dtype", [older.OLD_NET, older.OLD_TEXT_NET])
def test_it_keeps_the_digest_that_arenas_and_runs_know_it_by(dtype):
    old = old_net(dtype)
    high, low = np.frombuffer(hashlib.sha256(old.tobytes()).digest()[:8], "<u4").tolist()
    agent = nets.agent(older.widened(old))
    assert agent["w"][0, :2].tolist() == [float(high), float(low)]


def test_its_text_in_folders_is_read_and_written_as_it_was():
    net = older.widened(old_net())
    text = nets.text_of(net)
    assert nets.of_text(text, int(nets.agent(net)["kind"][0])).tobytes() == net.tobytes()


def test_a_network_that_uses_what_is_new_has_the_newer_layout(tmp_path):
    for name in older.ADDED:
        net = older.widened(old_net())
        net[name][1, 0] = 1
        assert older.narrow(net).dtype == older.FEW_NET
        path = tmp_path / f"{name}.npz"
        write_net(path, net)
        assert read_net(path).tobytes() == net.tobytes()
