"""What arguments may be: whole numbers of any library, and several values in an order."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo import config
from hsevo.agents.learned import nets
from hsevo.errors import AgentError, ConfigError, DeckError, HsevoError

NUMBERS: list[Callable[[int], Any]] = [
    np.int64, np.int32, np.uint16, lambda n: pd.Series([n])[0], lambda n: np.array(n),
    lambda n: pd.array([n], dtype="Int64")[0]]
FEW: dict[str, Any] = {"decks": ["mage", "warrior"], "workers": 1}
MAGE: dict[str, Any] = {"me": {"class": "mage", "deck": ["Wisp"]}, "opponent": {"class": "mage"}}


def one_game(**given: Any) -> Any:
    return hsevo.Game("mage", "warrior", players=["random", "random"], **given)


# Each takes one argument that must be a whole number, with one that is right.
TAKERS: dict[str, tuple[Callable[..., Any], str, int]] = {
    f"{name} {key}": (call, key, value) for name, call, given in [
        ("match", lambda **new: hsevo.match("random", "noaggression", **{"games": 8, **FEW, **new}),
         {"games": 8, "seed": 7, "max_turns": 9, "workers": 1}),
        ("arena", lambda **new: hsevo.arena(["random", "noaggression"], **{
            "games": 8, **FEW, **new}), {"games": 8, "seed": 7, "max_turns": 9, "workers": 1}),
        ("study", lambda **new: hsevo.study("divine-shield-control", **{"games": 2, **new}),
         {"games": 2, "seed": 7}),
        ("Game", one_game, {"seed": 7, "max_turns": 9}),
        ("whole", lambda count: config.whole("most", count, 1, 10), {"count": 3}),
        ("make_vec", lambda **new: hsevo.make_vec(**new).reset(),
         {"num_envs": 2, "seed": 7, "max_turns": 9, "threads": 1}),
        ("make_env", lambda **new: hsevo.make_env(**new).reset(), {"seed": 7, "max_turns": 9}),
        ("aec_env", lambda **new: hsevo.aec_env(**new).reset(), {"seed": 7, "max_turns": 9}),
        ("reset", lambda **new: hsevo.make_vec().reset(**new), {"seed": 7}),
        ("Games", lambda **new: hsevo.Games("mage", "mage", [1], **new), {"max_turns": 9}),
        ("Games seed", lambda seed: hsevo.Games("mage", "mage", [seed]), {"seed": 7}),
        ("Games.sample", lambda random: hsevo.Games("mage", "mage", [1]).sample(random),
         {"random": 7}),
        ("view", lambda player: one_game().view(player), {"player": 1}),
        ("config", lambda mu: config.change(config.load("cig2018"), {"evolution.mu": mu}),
         {"mu": 4}),
        ("position", lambda seed: hsevo.Position(MAGE | {"seed": seed}), {"seed": 7}),
        ("improve_deck", lambda **new: hsevo.improve_deck("mage", ["shaman"], pilot="random", **{
            "games": 520, "confirm": 2, "swaps": 1, "max_turns": 9, "workers": 1, **new}),
         {"games": 520, "confirm": 2, "seed": 7}),
    ] for key, value in given.items()}


@pytest.mark.parametrize("name", TAKERS)
def test_whole_numbers_of_any_library_are_taken(name: str) -> None:
    """They give what an int gives; True and parts of a number are none."""
    call, key, value = TAKERS[name]
    wanted = repr(call(**{key: value}))
    for number in NUMBERS[:1] if "improve" in name else NUMBERS:
        assert same(repr(call(**{key: number(value)})), wanted)
    for wrong in (True, np.bool_(True), 1.5, np.float64(value + 0.5), str(value)):
        with pytest.raises((HsevoError, ValueError)) as refused:
            call(**{key: wrong})
        assert "\n" not in str(refused.value)


def same(one: str, other: str) -> bool:
    """Compare what objects say, without their addresses."""
    return one.partition(" at 0x")[0] == other.partition(" at 0x")[0]


def test_numbers_of_a_library_stay_in_no_file(tmp_path: Path) -> None:
    """JSON takes none."""
    game = one_game(seed=np.int64(7), max_turns=np.int32(9))
    game.run()
    game.save(tmp_path / "game.json")
    place = hsevo.Position({**MAGE, "seed": np.int64(3), "me": {**MAGE["me"],
                                                               "crystals": np.int8(4)}})
    assert hsevo.Position.read(place.write(tmp_path / "place.json")) == place
    run = hsevo.evolve("smoke", changes={"evolution.generations": np.int64(1)}, seed=np.int64(3),
                       out=tmp_path / "run", workers=np.int8(1))
    assert run.config.evolution.generations == 1
    again = hsevo.evolve("smoke", changes={"evolution.generations": 1}, seed=3,
                         out=tmp_path / "again", workers=1)
    assert run.statistics.equals(again.statistics)


# -- an order -------------------------------------------------------------------------------------

TWO = {"mage", "warrior"}
ORDERED: dict[str, tuple[Callable[[Any], Any], type[Exception]]] = {
    "match decks": (lambda given: hsevo.match("random", "eva:2018", 18, decks=given), DeckError),
    "arena decks": (lambda given: hsevo.arena(["random", "eva:2018"], 8, decks=given), DeckError),
    "benchmark decks": (lambda given: hsevo.meta(given, "random"), DeckError),
    "make_vec decks": (lambda given: hsevo.make_vec(decks=given), DeckError),
    "make_vec opponent_decks": (lambda given: hsevo.make_vec(opponent_decks=given), DeckError),
    "make_env decks": (lambda given: hsevo.make_env(decks=given), DeckError),
    "aec_env deck_0": (lambda given: hsevo.aec_env(given), DeckError),
    "Games decks_0": (lambda given: hsevo.Games(given, "mage", [1, 2]), DeckError),
    "Game deck_0": (lambda given: hsevo.Game(given, "mage"), DeckError),
    "Deck cards": (lambda given: hsevo.Deck(given, hero="mage"), DeckError),
    "series mine": (lambda given: hsevo.series("random", "eva:2018", mine=given), DeckError),
    "export_decks": (hsevo.export_decks, DeckError),
    "improve_deck against": (lambda given: hsevo.improve_deck("mage", given), DeckError),
    "improve_deck ban": (lambda given: hsevo.improve_deck("mage", ["shaman"], ban=given),
                         ConfigError),
    "guess_deck seen": (lambda given: hsevo.guess_deck("mage", given), ConfigError),
    "arena agents": (hsevo.arena, AgentError),
    "arena against": (lambda given: hsevo.arena(["random"], against=given), AgentError),
    "examine against": (lambda given: hsevo.examine("random", against=given), AgentError),
    "Games.ask": (lambda given: hsevo.Games("mage", "mage", [1, 2]).ask(given), AgentError),
    "Games seeds": (lambda given: hsevo.Games("mage", "mage", {1, 2}), ValueError),
    "Game players": (lambda given: hsevo.Game("mage", "mage", players=given), ConfigError),
    "leaderboard": (hsevo.leaderboard, ConfigError),
    "report arenas": (lambda given: hsevo.report(arenas=given), ConfigError),
}


@pytest.mark.parametrize("name", ORDERED)
def test_a_set_is_refused_as_it_has_no_order(name: str) -> None:
    call, error = ORDERED[name]
    for given in (TWO, frozenset(TWO)):
        with pytest.raises(error) as refused:
            call(given)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [name for name in ORDERED if "deck" in name and (
    "seen" not in name and "ban" not in name and "cards" not in name)])
def test_nested_lists_of_decks_are_refused_in_one_line(name: str) -> None:
    call, _ = ORDERED[name]
    for given in ([["mage"], ["warrior"]], ["mage", ["warrior"]], (("mage",), ("mage",)),
                  [TWO], ["mage", 3], ["mage", None]):
        with pytest.raises(DeckError) as refused:
            call(given)
        assert "\n" not in str(refused.value)


def test_a_list_of_any_library_is_an_order() -> None:
    found = [hsevo.match("random", "noaggression", 8, decks=given, workers=1).games
             for given in (["mage", "warrior"], ("mage", "warrior"), np.array(["mage", "warrior"]),
                           pd.Series(["mage", "warrior"]), iter(["mage", "warrior"]),
                           "mage,warrior")]
    assert all(found[0].equals(other) for other in found)


# -- networks -------------------------------------------------------------------------------------


def test_a_network_is_read_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Asked by its name or file again and again; a file that has changed is read anew."""
    games, read, digests = hsevo.Games("mage", "warrior", [1, 2]), [], []
    file = tmp_path / "net.npz"
    for source in ("rl:2026", f"rl:{file}"):
        if source != "rl:2026":
            nets.write_net(file, nets.network("2026"))
        games.take(slice(None)).ask(source)
        with monkeypatch.context() as now:
            now.setattr(nets, "read_bytes", lambda path: read.append(path))
            now.setattr(nets, "_digest", lambda net: digests.append(net))
            wanted = games.take(slice(None)).ask(hsevo.Agent("rl:2026").record).tolist()
            assert games.take(slice(None)).ask(source).tolist() == wanted
    assert (read, digests) == ([], [])
    file.write_bytes(b"damaged")
    with pytest.raises(AgentError, match="is damaged, or not a network"):
        games.ask(f"rl:{file}")
