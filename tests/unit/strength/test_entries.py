"""Entries of a leaderboard: what is true passes, whatever is forged gets one line."""

import functools
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo import trust
from hsevo.errors import AgentError, ConfigError, RunError
from hsevo.play import python_players
from hsevo.play.match import RESULT
from hsevo.store import sums
from hsevo.strength import entries
from hsevo.strength.benchmark import Benchmark
from hsevo.strength.contest import Arena
from hsevo.strength.entries import LETTERS, read
from hsevo.strength.panel import Panel
from tests.support.command import fails
from tests.support.command import hsevo as command

SERIAL: dict[str, Any] = {"workers": 1, "backend": "serial"}
GAMES = 270  # 18 with each of 15
Change = Callable[[dict[str, Any]], object]


@pytest.fixture(autouse=True)
def _stand_in(fake_engine: None, here: Path) -> None:
    """Play on the stand-in for the engine, in an empty folder."""


def played(agent: str = "eva:turn") -> Benchmark:
    return hsevo.benchmark(agent, 18, panel="panel-2026", **SERIAL)


@functools.cache
def content(agent: str) -> bytes:
    return played(agent).submit("once.json").read_bytes()


def submitted(agent: str = "eva:turn") -> Path:
    path = Path("entry.json")
    path.write_bytes(content(agent))
    return path


def forged(path: Path, change: Change, sign: bool = True) -> Path:
    """Change an entry, and sign it again as a forger would."""
    tree = json.loads(path.read_text())
    others = tree.pop("sha256")
    others.pop("entry")
    change(tree)
    if sign:
        path.write_bytes(sums.sign(tree, "entry", tree.pop("sums", others)))
    else:
        path.write_text(json.dumps(tree | {"sha256": json.loads(path.read_text())["sha256"]}))
    return path


def other_end(tree: dict[str, Any]) -> None:
    """Change how the first game with gsv ended."""
    name = next(one for one in tree["results"] if one.startswith("gsv"))
    letters = tree["results"][name]
    tree["results"][name] = ("L" if letters[0] == "W" else "W") + letters[1:]


def consistent(tree: dict[str, Any]) -> None:
    """Change how a game ended, the totals and the rating, so that all claims agree."""
    other_end(tree)
    letters = "".join(tree["results"].values())
    tree |= {"won": letters.count("W"), "drawn": letters.count("D"), "lost": letters.count("L")}
    panel = Panel.read(tree["panel"])
    lineup = panel.lineup(tree["agent"], tree["games"])
    ends = entries._ends(lineup, tree["results"])
    tree["rating"] = vars(entries.rated(panel, entries.counts_of(panel, lineup, ends)))


# --- what is true


def test_an_entry_says_what_the_benchmark_found() -> None:
    result = played()
    found = hsevo.check_entry(result.submit("entry.json"), **SERIAL)
    assert found.rating == result.rating
    own = result.table.set_index("agent").loc["eva:turn"]
    assert found.result == tuple(own[["wins", "draws", "losses"]])
    assert (found.games, found.total, found.seed) == (GAMES, GAMES, None)
    assert repr(found).startswith("eva:turn: all 270 games had the claimed results; rating ")


def test_letters_are_of_each_game_from_the_agents_side() -> None:
    result = played()
    tree = json.loads(result.submit("entry.json").read_text())
    first, games = next(iter(tree["results"])), result.games
    games = games[(games["a"] == first) | (games["b"] == first)]
    wins = np.where(games["a"] == "eva:turn", games["wins_a"], games["wins_b"])
    assert tree["results"][first] == "".join(
        LETTERS[end] for end in np.where(games["draws"], 1, 2 * wins))


def test_a_sample_is_of_whole_pairs_and_the_seeds_own() -> None:
    entry = read(submitted())
    some = entry.pick(25, 3)
    assert len(some) == 26
    assert (some[::2] % 2 == 0).all()
    assert (some[1::2] == some[::2] + 1).all()
    assert entry.pick(25, 3).tolist() == some.tolist() != entry.pick(25, 4).tolist()
    assert entry.pick(1000, 3).tolist() == entry.pick(None, 0).tolist() == [*range(GAMES)]
    found = hsevo.check_entry(entry.path, 25, **SERIAL)
    assert found.games == 26
    assert found.seed is not None


@pytest.mark.parametrize("agent", ["gsv", "rl:2026", "rl:2027?search=turn&nodes=30",
                                   "eva:2018@secret-hunter", "mcts:vanilla"])
def test_every_kind_of_agent_can_be_checked(agent: str) -> None:
    """One of the panel, one and two networks, one with a deck of its own, a tree search."""
    path = submitted(agent)
    assert hsevo.check_entry(path, 20, seed=1, **SERIAL).agent == agent


def test_the_agent_itself_is_in_the_file() -> None:
    hsevo.Agent("eva:2018").save("mine.yaml")
    path = played("eva:mine.yaml").submit("entry.json")
    Path("mine.yaml").unlink()
    assert hsevo.check_entry(path, **SERIAL).agent == "eva:mine.yaml"


def test_a_leaderboard_has_entries_in_their_places() -> None:
    path = drawn("eva:turn", 1800)
    table = hsevo.leaderboard(path, panel="panel-2026")
    assert table["place"].tolist() == [*range(1, 17)]
    assert table["rating"].is_monotonic_decreasing
    mine = table[table["agent"] == "eva:turn"].iloc[0]
    assert (mine["entry"], mine["games"]) == ("entry.json", 15 * 1800)
    assert not read(path).unranked
    assert mine["rating"] == pytest.approx(read(path).rating.value)
    assert table["lead"].iloc[0] == pytest.approx(table["rating"].iloc[0] - table["rating"].iloc[1])


@pytest.mark.parametrize("games", [18, 1799, 1800 + 18])
def test_who_chose_the_number_of_games_has_no_place(games: int) -> None:
    path = drawn("eva:turn", games)
    with pytest.raises(RunError, match=rf"entry.json is not ranked: it has {games:,} games with"
                       r" each agent, but a leaderboard of panel-2026 ranks entries of 1,800"):
        hsevo.leaderboard(path, panel="panel-2026")


def test_a_sample_misses_the_most_that_may_be_forged_once_in_20_times() -> None:
    entry = read(submitted())
    most, pairs, trials = entry.most_forged(26), GAMES // 2, 2000
    missed = [sum(not (entry.pick(26, seed) < bad).any() for seed in range(trials)) / trials
              for bad in (most, most + 16)]  # games 0 to bad are forged
    assert missed[0] == pytest.approx(0.05, abs=0.02)
    assert missed[1] < 0.05
    assert [entry.most_forged(one) for one in (2, GAMES - 2, GAMES)] == [2 * 128, 0, 0]
    assert (pairs - 128) / pairs >= 0.05 > (pairs - 129) / pairs  # of one pair, by hand


# --- what is forged


@pytest.mark.parametrize(("change", "says"), [
    (other_end, "but its results add up to"),
    (lambda tree: tree.update(won=tree["won"] + 1), "games won, but its results add up to"),
    (lambda tree: tree["rating"].update(value=999), "claims a rating of 999"),
    (lambda tree: tree["rating"].update(low="nan"), "rating.low is 'nan', but must be a number"),
    (lambda tree: tree["rating"].update(low=float("nan")), "rating.low is nan, but must be"),
    (lambda tree: tree.update(won=float(tree["won"])), "but must be a whole number"),
    (lambda tree: tree.update(refused=False), "refused is False, but must be a whole number"),
    (lambda tree: tree["results"].update(random=["W"] * 18), "results.random is ['W', 'W', 'W',"),
    (lambda tree: tree["turns"].update(random=["9"] * 18), "turns.random.0 is '9', but must be"),
    (lambda tree: tree["turns"].update(random=[9] * 17), "with random are not 18 numbers of turns"),
    (lambda tree: tree["turns"].update(random=[10**30] * 18), "turns.random.0 is 1000"),
    (lambda tree: tree.update(place=1), "unknown key 'place'"),
    (lambda tree: tree["player"].update(strength=1), "unknown key 'player.strength'"),
    (lambda tree: tree["player"].update(kind="3"), "player.kind is '3', but must be a whole"),
    (lambda tree: tree.update(agent="py:bot.py#bot"), "but its agent is no Python player or"),
    (lambda tree: tree.update(engine="0" * 16), "was played by the engine 0000000000000000"),
    (lambda tree: tree.update(panel="panel-2027"), "there is no panel 'panel-2027'"),
    (lambda tree: tree.update({"agents and decks": "0" * 16}), "claims agents and decks 0000"),
    (lambda tree: tree["player"]["w"].__setitem__(0, 0.5), "its parameters differ from"),
    (lambda tree: tree.update(agent="mine"), "is refuted: "),
    (lambda tree: tree.update(agent="rl:2026"), "names rl:2026, but its parameters differ"),
    (lambda tree: tree.update(agent="eva:2018@mage"), "names eva:2018@mage, but its parameters"),
    (lambda tree: tree.update(agent="santos"), "names santos, but its parameters differ"),
    (lambda tree: tree.update(agent="EVA:2018"), "names EVA:2018, but its parameters differ"),
    (lambda tree: tree.update(agent="rl:2026 "), "but a name has no blanks around it"),
    (lambda tree: tree.update(agent=""), "but a name has no blanks around it"),
    (lambda tree: tree.update(seed=1), "claims seed 1, but has 2"),
    (lambda tree: tree.update(decks=["mage"]), "claims decks ['mage'], but has"),
    (lambda tree: tree.update(games=36), "are not 36 letters of LDWF"),
    (lambda tree: tree.update(games=10**12), "games"),
    (lambda tree: tree.update(games="18x"), "games is '18x', but must be a whole number"),
    (lambda tree: tree["results"].update(random="WX" * 9), "its results must be letters of LDWF"),
    (lambda tree: tree["results"].pop("random"), "its opponents differ from the panel"),
    (lambda tree: tree.pop("player"), "'player' is missing"),
    (lambda tree: tree["player"].update(kind=99), "was changed: "),
    (lambda tree: tree.update(rating=[1]), "rating is [1], but must be"),
    (lambda tree: tree.update(version=1), "has version 1, but this hsevo reads version 2"),
    (lambda tree: tree.update(format="x"), "is not an entry of hsevo benchmark --submit"),
    (lambda tree: tree.update(won=10**400), "games won, but its results add up to"),
    (lambda tree: tree.update(games=10**400), "but must be at most 1000000"),
    (lambda tree: tree.update(agent="py:/etc/passwd#x"), "but its agent is no Python player"),
    (lambda tree: tree.update(agent="\x1b[2J"), "agent is '\\x1b[2J', but must hold no control"),
    (lambda tree: tree.update(agent="=cmd()"), "must not begin with '='"),
    (lambda tree: tree.update(panel="../panels/panel-2026"), "there is no panel '../panels/panel-"),
    (lambda tree: tree["player"].update(kind=10**18), "out of bounds for int32"),
    (lambda tree: tree["player"].update(w=[0.5] * 99_999), "could not broadcast"),
    (lambda tree: tree["player"].update(net="A" * 10**6), "was changed: "),
    (lambda tree: tree.update(player={"by_decks": [[tree["player"]]]}), "(1, 1) decks, and there"),
    (lambda tree: tree.update(sums={}), "KeyError: 'games.csv'"),
])
def test_a_forged_claim_gets_one_line(change: Change, says: str) -> None:
    path = forged(submitted(), change)
    with pytest.raises(RunError, match=re.escape(says)) as found:
        hsevo.check_entry(path, **SERIAL)
    assert str(found.value).startswith("entry.json ")
    assert "\n" not in str(found.value)


def test_who_changes_the_file_alone_is_found_out_by_its_sum() -> None:
    path = forged(submitted(), other_end, sign=False)
    with pytest.raises(RunError, match="was changed: it is not what was written"):
        hsevo.check_entry(path, **SERIAL)


def test_a_result_that_was_made_up_is_refuted_by_playing() -> None:
    path = forged(submitted(), consistent)
    assert read(path).name == "eva:turn"  # its claims agree
    with pytest.raises(RunError, match=r"entry.json is refuted: 1 of 270 games had other results;"
                       r" the first, game \d+ \(seed \d+, \w+ against \w+, with gsv\S*\) was"
                       r" (won|lost|drawn) after \d+ turns, not (lost|won) after \d+ turns$"):
        hsevo.check_entry(path, **SERIAL)


def test_a_game_of_another_length_is_refuted_by_its_number() -> None:
    path = forged(submitted(), lambda tree: tree["turns"]["random"].__setitem__(3, 999))
    with pytest.raises(RunError, match=r"is refuted: 1 of 270 games had other results; the first,"
                       r" game \d+ \(seed \d+, \w+ against \w+, with random\) was"
                       r" (won|lost|drawn) after \d+ turns, not \1 after 999 turns$"):
        hsevo.check_entry(path, **SERIAL)


def test_games_of_other_moves_are_refuted_by_their_sum() -> None:
    path = forged(submitted(), lambda tree: tree.update(sums={"games.csv": "0" * 64}))
    with pytest.raises(RunError, match=r"is refuted: all games had the claimed results and"
                       r" lengths, but some had other moves: the SHA-256 of games.csv is"
                       r" [0-9a-f]{64}, not 0{64}$"):
        hsevo.check_entry(path, **SERIAL)


def test_a_python_players_entry_needs_its_name() -> None:
    Path("bot.py").write_text("def first(view):\n    return view.moves[0]\n")
    path = forged(drawn("py:bot.py#first"), lambda tree: tree.update(agent="mine"))
    problem = "names mine, but its agent is a Python player or end-to-end policy"
    with pytest.raises(RunError, match=problem):
        hsevo.check_entry(path, 2, seed=1, trust=True, **SERIAL)


@pytest.mark.parametrize(("text", "says"), [
    ("", "is damaged, or was changed"), ("[1]", "is not an entry"), ("{}", "is not an entry"),
    ("\0", "is damaged"), (None, "cannot read"),
    ('{"format": "hsevo benchmark entry", "version": 2}', "is damaged"),
])
def test_other_files_are_no_entries(text: str | None, says: str) -> None:
    path = Path("other.json")
    if text is not None:
        path.write_text(text)
    with pytest.raises(RunError, match=says) as found:
        hsevo.check_entry(path)
    assert "\n" not in str(found.value)


# --- what can't be an entry


def test_who_thinks_by_the_clock_is_refused_before_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hsevo.strength.comparing.benchmark_of", None)
    said = fails("benchmark", "mcts:vanilla?seconds=1", "--submit", "new.json")
    assert "has a time limit, so its games can't be replayed" in said
    assert not Path("new.json").exists()


def test_a_python_player_needs_its_file_and_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("bot.py").write_text("def first(view):\n    return view.moves[0]\n")
    entry = drawn("py:bot.py#first")
    monkeypatch.setattr(python_players, "_known", {})
    monkeypatch.setattr(trust, "_named", set())
    with pytest.raises(AgentError, match=r"if you trust the file, add --trust"):
        hsevo.check_entry(entry, 2, seed=1, **SERIAL)
    with pytest.raises(RunError, match=r"2 of 2 games had other results"):  # it was played
        hsevo.check_entry(entry, 2, seed=1, trust=True, **SERIAL)
    monkeypatch.setattr(python_players, "_known", {})
    Path("bot.py").write_text("def first(view):\n    return view.moves[-1]\n")
    with pytest.raises(AgentError, match=r"or a module that it imports was changed or removed"):
        hsevo.check_entry(entry, 2, seed=1, trust=True, **SERIAL)


def drawn(agent: str, games: int = 1) -> Path:
    """Write an entry that claims draws alone, without a game."""
    trust.named(agent)
    panel = Panel.read("panel-2026")
    record = Arena(panel.lineup(agent, games))
    results = np.zeros(len(record.schedule), RESULT)
    results["draws"] = 1
    record._add(results)
    Path("entry.json").write_bytes(entries.content(panel, record))
    return Path("entry.json")


def test_entries_of_other_panels_or_twice_have_no_place() -> None:
    path = drawn("eva:turn", 1800)
    with pytest.raises(RunError, match=r"entry.json is an entry of panel-2026, not of panel-2026c"):
        hsevo.leaderboard([path])
    with pytest.raises(AgentError, match="two entries have the same agent"):
        hsevo.leaderboard([path, path], panel="panel-2026")


def test_a_file_that_is_there_is_kept() -> None:
    path = submitted()
    before = path.read_bytes()
    with pytest.raises(RunError, match="already exists; choose another file for the entry"):
        played().submit(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("after", [1, 2])
def test_a_killed_submission_leaves_no_entry_and_can_be_repeated(
        after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill it at its after-th flush, with half of the file written; a kill clears nothing away."""
    result, calls, sync = played(), iter(range(1, 9)), os.fsync

    def kill(descriptor: int) -> None:
        if next(calls) == after:
            if after == 1:
                os.ftruncate(descriptor, 1000)
            raise SystemExit(9)
        sync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", kill)
        patch.setattr(Path, "unlink", lambda *_, **__: None)
        with pytest.raises(SystemExit):
            result.submit("new.json")
    if after == 1:
        assert [path.name for path in Path().iterdir()] == [".new.json.hsevo-tmp"]
        result.submit("new.json")
    assert Path("new.json").read_bytes() == content("eva:turn")  # as a whole


@pytest.mark.parametrize(("games", "seed", "says"), [
    (None, 1, "no sample is drawn"), (0, 1, "games is 0"), ("x", None, "games is 'x'"),
    (5, -1, "seed is -1"),
])
def test_bad_arguments(games: Any, seed: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        hsevo.check_entry("entry.json", games, seed=seed)


# --- the command


def test_the_command_from_submission_to_leaderboard() -> None:
    done = command("benchmark", "eva:turn", "--games", 18, "--panel", "panel-2026", "--submit",
                   "mine.json", "--backend", "serial")
    assert done.stdout.endswith("entry: mine.json\n")
    assert "note: the entry will not be ranked on a leaderboard: it has 18 games" in done.stderr
    done = command("benchmark", "--check", "mine.json", "--sample", 20, "--backend", "serial")
    assert "20 of 270 games had the claimed results" in done.stdout
    assert re.search(r"up to \d+ of the 270 games may still be forged: a sample of 20 misses"
                     r" this number in 1 of 20 cases", " ".join(done.stdout.split()))
    again = re.search(r"--seed (\d+)", done.stdout)
    assert again
    done = command("benchmark", "--check", "mine.json", "--sample", 20, "--seed", again[1],
                   "--backend", "serial", "--json")
    found = json.loads(done.stdout)
    assert found["seed"] == int(again[1])
    assert found["most_forged"] == read(Path("mine.json")).most_forged(20)
    drawn("eva:turn", 1800).rename("mine.json")
    shown = command("benchmark", "--leaderboard", "mine.json", "--panel", "panel-2026",
                    FORCE_COLOR="1", TERM="xterm", COLUMNS="80").stdout
    lines = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown).splitlines()
    assert max(map(len, lines)) <= 80
    assert any("eva:turn" in line for line in lines)
    found = json.loads(command("benchmark", "--leaderboard", "--json").stdout)
    assert (found["panel"], len(found["leaderboard"])) == ("panel-2026c", 22)


def test_a_forged_entry_has_exit_code_2() -> None:
    said = fails("benchmark", "--check", forged(submitted(), consistent), "--backend", "serial")
    assert said.splitlines()[-1].startswith("hsevo: entry.json is refuted: 1 of 270 games")
