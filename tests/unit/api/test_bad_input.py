"""Bad input of the Python API: one clear line each, before any game is played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo.errors import ConfigError
from hsevo.strength import champions

EVA = hsevo.Agent("eva:2018").weights
BEST = {name: float(value) for name, value in EVA.items()}
TABLE = pd.DataFrame([EVA, EVA], index=["one", "other"])
NO_NUMBER = "MA is 'x', but must be a number from 0 to 1"

CALLS: list[tuple[Callable[[], Any], str]] = [
    # decks
    (lambda: hsevo.match("eva:2018", "random", decks=[]), "decks is [], but must name at least"),
    (lambda: hsevo.match("eva:2018", "random", decks=""), "decks is [], but must name at least"),
    (lambda: hsevo.match("eva:2018", "random", decks=","), "decks is [], but must name at least"),
    (lambda: hsevo.examine("eva:2018", decks=[]), "decks is [], but must name at least"),
    (lambda: hsevo.match("eva:2018", "random", decks=3), "3 is neither a deck nor a list"),
    (lambda: hsevo.match("eva:2018", "random", decks=["mage", "mage"]), "two decks are called"),
    (lambda: hsevo.match("eva:2018", "random", decks="maeg"), "did you mean 'mage'?"),
    (lambda: hsevo.Deck("mage", hero="priest"), "the deck 'mage' is a Mage's, not a Priest's"),
    (lambda: hsevo.Deck(hsevo.Deck("mage"), hero="priest"), "is a Mage's, not a Priest's"),
    (lambda: hsevo.Deck("mage", hero="maeg"), "unknown class 'maeg'; did you mean 'Mage'?"),
    (lambda: hsevo.Deck(["Wisp"], hero=3), "the hero of a deck must be a text, not 3"),
    (lambda: hsevo.Deck(["Wisp"]), "a list of cards needs its class"),
    (lambda: hsevo.Deck("mage", name=3), "the name of a deck must be a text, not 3"),
    (lambda: hsevo.Deck(3), "a deck must be a name, a path, a code, a URL or a list"),
    (lambda: hsevo.Deck(None), "not empty"),
    (lambda: hsevo.Deck(""), "no deck ''"),
    (lambda: hsevo.Deck("mage").check(format="x"), "unknown format 'x'"),
    (lambda: hsevo.Deck("mage").check(ruleset="x"), "unknown ruleset 'x'"),
    # who plays
    (lambda: hsevo.arena([]), "no agents are given; name at least two"),
    (lambda: hsevo.arena([], out="empty"), "no agents are given"),
    (lambda: hsevo.arena("random"), "random needs an opponent"),
    (lambda: hsevo.arena(3), "int is neither an agent nor a list of agents"),
    (lambda: hsevo.arena(None), "NoneType is neither an agent"),
    (lambda: hsevo.arena(TABLE), "DataFrame is neither an agent"),
    (lambda: hsevo.tournament(["random", "eva:2018"]), "removed in version 0.6: use hsevo.arena("),
    (lambda: hsevo.match("random", "random"), "agent 'random' is given twice"),
    (lambda: hsevo.match("random", None), "not NoneType"),
    (lambda: hsevo.match("random", ["eva:2018"]), "not list"),
    (lambda: hsevo.arena(["random"], against="evva:2018"), "unknown agent 'evva:2018'"),
    (lambda: hsevo.benchmark("nobody"), "unknown agent 'nobody'"),
    # paths
    *((lambda call=call, path=path: call(path), said)
      for call in (hsevo.Run, hsevo.replay, hsevo.resume_arena, hsevo.resume_benchmark,
                   hsevo.open_match, hsevo.report, lambda path: hsevo.report(arenas=path),
                   lambda path: hsevo.report(examined=path))
      for path, said in (("x" * 300, "File name too long"), ("x\0", "there is a zero byte"))),
    # agents
    (lambda: hsevo.Agent(""), "an empty text names no agent"),
    *((lambda spec=kind + "x" * 900: hsevo.Agent(spec), "x...: File name too long")
      for kind in ("eva:", "rl:")),
    (lambda: hsevo.Agent(" "), "an empty text names no agent"),
    (lambda: hsevo.Agent("a\0b"), "unknown agent"),
    (lambda: hsevo.Agent("x" * 5000), "unknown agent"),
    (lambda: hsevo.Agent("eva:2018", kind="gsv"), "'eva:2018' is of the agent family eva, not gsv"),
    (lambda: hsevo.Agent("random", kind="eva"), "'random' is of the agent family random, not eva"),
    (lambda: hsevo.Agent(hsevo.Agent("eva:2018"), kind="gsv"), "already has an agent family"),
    (lambda: hsevo.Agent("none.yaml", kind="gsv"), "there is no file or run folder none.yaml"),
    (lambda: hsevo.Agent(Path("none.yaml"), kind="x"), "'x' is not an agent family"),
    (lambda: hsevo.Agent(BEST, kind=3), "the kind of an agent must be a text, not 3"),
    (lambda: hsevo.Agent(BEST, name=3), "the name of an agent must be a text, not 3"),
    (lambda: hsevo.Agent(BEST, kind="gsv"), "unknown weight 'HHR'"),
    (lambda: hsevo.Agent("0.1#0.2#0.3"), "3"),
    (lambda: hsevo.Agent("0.1#0.2", kind="gsv"), "only eva has '#' strings"),
    (lambda: hsevo.Agent("#".join(["0.5"] * 21) + "\n" + "#".join(["0.5"] * 21)), "has 2 lines"),
    (lambda: hsevo.Agent({**BEST, "MA": "x"}), NO_NUMBER),
    (lambda: hsevo.Agent({**BEST, "MA": None}), "MA is empty, but must be a number"),
    (lambda: hsevo.Agent({**BEST, "MA": float("nan")}), "MA is nan, but must be a number"),
    (lambda: hsevo.Agent({**BEST, "MA": 1.5}), "MA is 1.5, but must be a number from 0 to 1"),
    (lambda: hsevo.Agent({**BEST, 3: 1}), "unknown weight '3'"),
    (lambda: hsevo.Agent({}), "the weights lack HHR"),
    (lambda: hsevo.Agent(pd.concat([EVA, EVA[:1]])), "the weights contain 'HHR' twice"),
    (lambda: hsevo.Agent.of_vector([0.1, 0.2]), "must have the shape (21,), not (2,)"),
    (lambda: hsevo.Agent.of_vector(np.zeros(20)), "must have the shape (21,), not (20,)"),
    (lambda: hsevo.Agent.of_vector(["x"] * 21), "a vector of weights must be numbers"),
    (lambda: hsevo.Agent.of_vector(np.full(21, np.nan)), "HHR is nan"),
    (lambda: hsevo.Agent("random").weights, "'random' has no weights"),
    (lambda: hsevo.Agent("eva:2018").save("mine.doc"), "mine.doc"),
    # numbers
    *((lambda sprt=sprt: hsevo.match("eva:2018", "random", sprt=sprt), "a lower and a higher")
      for sprt in (3, "05", (1,), (0, 5, 10), (5, 0), ("a", "b"), (0, float("nan")))),
    *((lambda chance=chance: hsevo.match("eva:2018", "random", sprt=(0, 10), alpha=chance),
       "alpha is") for chance in (0, 0.5, -1, "x", None)),
    (lambda: hsevo.match("eva:2018", "random", sprt=(0, 10), beta=1), "beta is 1, but must be"),
    (lambda: hsevo.match("eva:2018", "random", 0), "games is 0, but must be at least 1"),
    (lambda: hsevo.match("eva:2018", "random", 1.5), "games is 1.5, but must be a whole number"),
    (lambda: hsevo.match("eva:2018", "random", seed=-1), "seed is -1, but must be at least 0"),
    (lambda: hsevo.match("eva:2018", "random", ruleset="cig"), "ruleset is 'cig'"),
    (lambda: hsevo.match("eva:2018", "random", information="x"), "information is 'x'"),
    (lambda: hsevo.match("eva:2018", "random", max_turns=0), "max_turns is 0"),
    (lambda: hsevo.match("eva:2018", "random", workers=0), "count is 0"),
    (lambda: hsevo.match("eva:2018", "random", backend="x"), "backend is 'x'"),
    (lambda: hsevo.benchmark("random", games=0), "games is 0"),
    (lambda: hsevo.benchmark("random", games_best=0), "games_best is 0"),
    (lambda: hsevo.examine("eva:2018", games=-1), "games is -1, but must be at least 1"),
    (lambda: hsevo.examine("eva:2018", profile_games=0), "profile_games is 0, but must be"),
    (lambda: hsevo.examine("eva:2018", games_best="x"), "games_best is 'x', but must be"),
    (lambda: hsevo.examine("eva:2018", against="eva:2018"), "agent 'eva:2018' is given twice"),
    (lambda: hsevo.examine("eva:2018", against="rendom"), "unknown agent 'rendom'"),
    (lambda: hsevo.examine("eva:2018", against=3), "int is neither an agent"),
    (lambda: hsevo.examine("random"), "'random' has no weights to change"),
    # bench, report, study, folders
    (lambda: hsevo.bench([]), "name at least one agent"),
    (lambda: hsevo.bench(3), "int is neither an agent"),
    (lambda: hsevo.bench([3]), "agents are measured by spec, not [3]"),
    (lambda: hsevo.bench("rendom"), "unknown agent 'rendom'; did you mean 'random'?"),
    *((lambda seconds=seconds: hsevo.bench("random", seconds=seconds), "seconds is")
      for seconds in (0, -1, "x", None, float("nan"))),
    (lambda: hsevo.report(), "give one or more run folders"),
    (lambda: hsevo.report("none"), "none"),
    (lambda: hsevo.report(3), "a report needs runs or run folders, not 3"),
    (lambda: hsevo.report({3: "none"}), "a report needs runs or run folders"),
    (lambda: hsevo.report("none", groups=1), "groups is 1, but must be a whole number from 2 to 7"),
    (lambda: hsevo.report("none", groups=8), "groups is 8, but must be"),
    (lambda: hsevo.report(arenas="nowhere"), "there is no folder nowhere"),
    (lambda: hsevo.report(arenas=3), "arenas is 3, but must be a folder"),
    (lambda: hsevo.report(examined="nowhere"), "nowhere is not a folder of a finished"),
    (lambda: hsevo.report("none", tournament="x"), "a tournament needs a file of agents"),
    (lambda: hsevo.study("none"), "no study 'none'"),
    (lambda: hsevo.study("taunts", games=0), "games is 0"),
    (lambda: hsevo.resume_arena("nowhere"), "nowhere is not an arena of hsevo"),
    (lambda: hsevo.resume_benchmark("nowhere"), "nowhere is not a benchmark of hsevo"),
    (lambda: hsevo.Run("nowhere"), "nowhere"),
    # configs and lists
    (lambda: hsevo.load_config("smoke", {3: 1}), "the key 3 of a change must be a text"),
    (lambda: hsevo.load_config("smoke", [1]), "changes is [1], but must be values by their keys"),
    (lambda: hsevo.load_config("smoke", {"evolution.mew": 1}), "unknown key 'evolution.mew'"),
    (lambda: hsevo.load_config("smok"), "no config 'smok'"),
    (lambda: hsevo.evolve("smoke", changes={"games": 0}), "games is 0"),
    (lambda: hsevo.evolve("smoke", log="tensorbored"), "did you mean 'tensorboard'?"),
    (lambda: hsevo.evolve("smoke", log=["x"]), "there is no log 'x'"),
    (lambda: hsevo.evolve("smoke", log=3), "log is 3, but must be tensorboard"),
    (lambda: hsevo.list_cards(cls="maeg"), "maeg"),
    (lambda: hsevo.list_cards(kind="x"), "x"),
    (lambda: hsevo.list_cards(ruleset="x"), "unknown ruleset 'x'"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "fragment"), CALLS, ids=[
    f"{number}-{fragment[:30]}" for number, (_, fragment) in enumerate(CALLS)])
def test_bad_input_gets_one_clear_line(call: Callable[[], Any], fragment: str, tmp_path: Path,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    def no_games(*_: Any) -> Any:
        raise AssertionError("games were begun")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hsevo.play.match.warm_up", no_games)
    monkeypatch.setattr("hsevo.experiments.playing.open_workers", no_games)
    with pytest.raises(hsevo.HsevoError) as caught:
        call()
    said = str(caught.value)
    assert fragment in said
    assert "\n" not in said.strip()
    assert "--" not in said  # it fits Python as well as a shell
    assert not [*tmp_path.iterdir()]  # and nothing was left on disk


@pytest.mark.parametrize("games", [0, -1, "x", 1.5, None, True])
def test_the_best_of_a_run_takes_a_number_of_games(games: Any, tmp_path: Path,
                                                   fake_engine: None) -> None:
    run = hsevo.evolve("smoke", out=tmp_path / "run", backend="serial",
                       changes={"evolution.generations": 1, "evolution.mu": 2,
                                "evolution.lambda": 2, "games": 1})
    for call in (run.champion, lambda number: champions.pool_size(run, number),
                 lambda number: champions.find_best(run, None, number)):  # type: ignore[arg-type]
        with pytest.raises(ConfigError, match=r"games is .* a whole number from 1"):
            call(games)
    for call in (hsevo.examine, hsevo.benchmark):
        with pytest.raises(ConfigError, match=r"games_best is .* a whole number from 1"):
            call(run, games_best=games)
