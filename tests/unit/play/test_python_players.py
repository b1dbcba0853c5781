"""Python players: the same games everywhere, one line for what goes wrong, no foreign code."""

import copy
import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo import trust
from hsevo.agents.learned import nets
from hsevo.errors import AgentError, ConfigError, GameError, PlayerError, RunError
from hsevo.play import hosting, python_files, python_players
from hsevo.play.python_players import TooLong, at_most
from hsevo.strength.roster import read_agent
from tests.support.command import hsevo as command

BOT = '''
from pathlib import Path

import beside  # a module beside it

with Path(__file__).with_name("ran.txt").open("a") as file:
    file.write("ran ")


def last(view):
    return view.moves[-1]


def chance(view):
    return int(view.random.choice(view.legal))


class Counting:
    """Plays by what it remembers: by turns the first and the last move."""

    def __init__(self):
        self.asked = 0

    def decide(self, view):
        self.asked += 1
        return view.legal[-1 if self.asked % 2 else 0]


class Many:
    """As `chance`, in many games at once."""

    def decide_many(self, views):
        return [chance(view) for view in views]


def deep(view, depth=1, *, how="first", **others):
    """Return the first or the last move, by its options."""
    assert others == {} or others == {"seen": True, "share": 0.5}
    return view.legal[0 if how == "first" else -depth]


class Deep:
    """As `deep`, with a memory."""

    def __init__(self, depth=1):
        self.depth = depth

    def decide(self, view):
        return view.legal[-1] if self.depth == 1 else view.legal[0]


fixed = Counting()
many = Many()
number = 7
'''


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(python_players, "_known", {})
    python_files._module.cache_clear()
    Path("beside.py").write_text("", encoding="utf-8")
    Path("bot.py").write_text(BOT, encoding="utf-8")
    return "py:bot.py"


def last(view: Any) -> Any:
    return view.moves[-1]


class Counting:
    def __init__(self) -> None:
        self.asked = 0

    def decide(self, view: Any) -> Any:
        self.asked += 1
        return view.legal[-1 if self.asked % 2 else 0]


def table(result: Any) -> Any:
    return result.games.drop(columns=["a", "b"])


@pytest.mark.parametrize("name", ["chance", "Counting"])
def test_workers_and_their_kind_change_no_game(bot: str, name: str) -> None:
    found = [table(hsevo.match(f"{bot}#{name}", "eva:2018", games=18, workers=count,
                               backend=backend))
             for count, backend in ((1, "serial"), (2, "threads"), (2, "loky"))]
    assert found[0].equals(found[1])
    assert found[0].equals(found[2])
    assert (found[0]["moves"].str.split().map(len) == found[0]["decisions"]).all()


def test_a_function_a_class_and_a_file_are_the_same_player(bot: str) -> None:
    games = [table(hsevo.match(one, "random", games=18, workers=1))
             for one in (Counting, f"{bot}#Counting")]
    assert games[0].equals(games[1])


def test_a_game_is_the_game_of_the_match(bot: str) -> None:
    """Move by move, asked in between, copied, saved and loaded."""
    result = hsevo.match(f"{bot}#Counting", "eva:2018", games=18, workers=1)
    lineup = result.lineup
    for row in result.games.itertuples():
        if row.a != f"{bot}#Counting" or row.pair > 2:
            continue
        decks = [next(deck for deck in lineup.decks if deck.name == name)
                 for name in (row.deck_a, row.deck_b)]
        game = hsevo.Game(*map(hsevo.Deck, (row.deck_a, row.deck_b)), seed=row.seed,
                          players=[f"{bot}#Counting", "eva:2018"])
        assert list(game.setting.decks) == decks
        while not game.over:
            game.ask("eva:2018" if game.player == 0 else f"{bot}#Counting")
            asked = game.ask()
            assert copy.copy(game).ask() == asked
            if len(game.history) == 9:
                game = hsevo.Game.load(game.save())
            game.play(asked)
        assert [move.index for move in game.history] == list(map(int, row.moves.split()))


def test_an_object_plays_all_games_itself() -> None:
    player = Counting()
    result = hsevo.match(player, "random", games=18, backend="serial")
    assert player.asked > 18 * 10
    assert result.names[0] == "Counting"


class Crowd:
    """Decides in many games as `chance` in one; notes for how many it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def decide_many(self, views: Any) -> Any:
        self.asked.append(len(views))
        return np.array([view.random.choice(view.legal) for view in views])


def chance(view: Any) -> Any:
    return int(view.random.choice(view.legal))


@pytest.mark.parametrize("opponent", ["eva:2018", "mcts:vanilla?iterations=2&rollouts=1", Counting])
def test_many_at_once_play_the_games_of_one_by_one(opponent: Any) -> None:
    player = Crowd()
    games = [table(hsevo.match(one, opponent, games=18, backend="serial"))
             for one in (chance, player)]
    assert games[0].equals(games[1])
    assert max(player.asked) > 1
    assert sum(player.asked) < games[0]["decisions"].sum()  # the other's decisions count there, too


def test_each_of_two_who_decide_for_many_is_asked_for_its_own_games() -> None:
    players = Crowd(), Crowd()
    games = [table(hsevo.match(*both, games=18, backend="serial")) for both in (
        [hsevo.Agent(chance, name=name) for name in "ab"],
        [hsevo.Agent(one, name=name) for one, name in zip(players, "ab", strict=True)])]
    assert games[0].equals(games[1])
    assert sum(map(sum, (one.asked for one in players))) == games[0]["decisions"].sum()


def test_many_at_once_on_any_workers_and_in_folders(bot: str) -> None:
    found = [table(hsevo.match(f"{bot}#{name}", "random", games=36, workers=workers,
                               backend=backend))
             for name, workers, backend in (("chance", 1, "serial"), ("many", 1, "serial"),
                                            ("many", 2, "threads"), ("many", 2, "loky"))]
    assert all(one.equals(found[0]) for one in found[1:])
    hsevo.arena([f"{bot}#many", "random"], games=18, out="arena")
    assert f"{bot}#many" in str(hsevo.replay("arena"))


def test_a_game_asks_for_one_of_many(bot: str) -> None:
    one, other = (hsevo.Game("mage", "warrior", players=[player, "random"], seed=4)
                  for player in (chance, f"{bot}#many"))
    for game in (one, other):
        while not game.over:
            game.step()
    assert one.history == other.history


def test_an_environment_asks_in_all_games_at_once() -> None:
    player = Crowd()
    envs = [hsevo.make_vec("battle", num_envs=6, opponent=opponent, seed=1)
            for opponent in (chance, player)]
    seen = [env.reset()[0] for env in envs]
    for step in range(150):
        assert seen[0]["observation"].tobytes() == seen[1]["observation"].tobytes()
        seen = [env.step(env.sample(step))[0] for env in envs]
    assert max(player.asked) > 1


class Wrong:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def decide_many(self, views: Any) -> Any:
        return self.answer(views)


@pytest.mark.parametrize(("answer", "said"), [
    (lambda views: views[0].legal[:1], r"returned \(\d+,\), asked for \d+ moves at once, the first"
                                       r" in turn 1 of .* with seed \d+, but decide_many must"
                                       r" return a move for each of its \d+ views"),
    (lambda views: None, "returned None, asked for .*decide_many must return a move for each"),
    (lambda views: [None for _ in views], "returned None, in turn 1 of .* with seed"),
    (lambda views: [-1 for _ in views], "the move -1, in turn 1 of"),
    (lambda views: views["no"], r"raised TypeError: .* \(test_python_players.py, line \d+\), ask"),
    (lambda views: time.sleep(9), "took more than 0.2 s for a decision, asked for .* at once")])
def test_what_goes_wrong_with_many_is_one_line(answer: Any, said: str) -> None:
    with pytest.raises(PlayerError, match=said) as found:
        hsevo.match(hsevo.Agent(Wrong(answer), seconds=0.2), "random", games=36, backend="serial")
    assert "\n" not in str(found.value)


def test_a_class_does_not_decide_for_many(bot: str) -> None:
    for player in (Crowd, f"{bot}#Many"):
        with pytest.raises(AgentError, match=r"is a class with decide_many.*give an object"):
            hsevo.match(player, "random", games=18)


def test_a_lambda_is_a_player_but_no_folder_keeps_it(tmp_path: Path) -> None:
    one = hsevo.Agent(lambda view: view.legal[-1], name="mine")
    hsevo.match(one, "random", games=18, workers=2)
    with pytest.raises(AgentError, match=r"not a function or class .* can't be stored.*py:FILE"):
        hsevo.match(one, "random", games=18, out=tmp_path / "out")
    with pytest.raises(AgentError, match=r"mine.*no spec: give it as py:FILE.py#NAME"):
        hsevo.arena([one, "random"], games=18, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    game = hsevo.Game("mage", "warrior", players=[one, "random"], seed=2)
    game.step()
    assert json.loads(json.dumps(game.save()))["players"][0]["agent"] is None


def test_a_file_knows_where_it_lies(
        bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker may stand in another folder."""
    trust.named(f"{bot}#last")
    player = python_players._player(nets.content(python_players.read("bot.py#last")))
    python_files._module.cache_clear()
    Path("ran.txt").unlink()
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    player.value()
    assert (tmp_path / "ran.txt").exists()
    assert not Path("ran.txt").exists()


def test_arena_and_benchmark(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{bot}#last", last, "random", "eva:2018"]
    result = hsevo.arena(names, games=18, workers=1)
    assert {*result.ratings["agent"]} == {f"{bot}#last", "last", "random", "eva:2018"}
    twin = result.games
    twin = twin[twin["a"].isin([f"{bot}#last", "last"]) & twin["b"].isin([f"{bot}#last", "last"])]
    assert len(twin) == 18
    assert (twin["wins_a"][::2].to_numpy() == twin["wins_a"][1::2].to_numpy()).all()  # one player
    compiled = result.games[~result.games["moves"].astype(bool)]
    assert {*compiled["a"], *compiled["b"]} == {"random", "eva:2018"}
    alone = hsevo.arena(names[2:], games=18, workers=1)
    assert len(compiled) == len(alone.games) == 18

    def quick(view: hsevo.View) -> int:  # without words for its moves, half the time of 270 games
        return view.legal[-1]

    placed = hsevo.benchmark(quick, games=18, panel="panel-2026", workers=2)
    assert placed.agent == "quick"
    assert len(placed.table) == 15 + 1


def test_a_folder_replays_without_its_players(
        bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No code of a folder runs: what is replayed and verified are the stored moves."""
    hsevo.match(f"{bot}#Counting", "eva:2018", games=18, out="games", workers=1)
    hsevo.match(f"{bot}#chance", "random", games=4, decks="mage", out="round", workers=1)
    Path("bot.py").unlink()
    Path("ran.txt").unlink()
    python_players._known.clear()
    monkeypatch.setattr(nets, "_store", {})
    for part in (0, 7):
        assert hsevo.replay("games", part=part).verdict()[1]
    text = str(hsevo.replay("games"))
    assert "-> " in text
    assert all(hsevo.replay("round", part=k).verdict()[1] for k in range(4))
    assert "Counting" in hsevo.replay("games", chances=0).html
    assert not Path("ran.txt").exists()


def test_stored_moves_are_checked(bot: str) -> None:
    hsevo.match(f"{bot}#last", "eva:2018", games=18, out="games", workers=1, decks="mage")
    whole = Path("games/games.csv").read_text(encoding="utf-8")
    Path("games/games.sha256").unlink()
    head, first, *rest = whole.splitlines()
    moves = first.rpartition(",")[2]
    for wrong, said in ((moves.split()[0] + " 3661" * 9, "plays another move"),
                        (moves + " 0", "over before"), ("x y", "are not numbers"),
                        ("9" * 30, "plays another move")):
        lines = [head, first.replace(moves, wrong), *rest]
        Path("games/games.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        if said == "are not numbers":
            with pytest.raises(RunError, match=said):
                hsevo.replay("games", part=0).verdict()
            continue
        line, fine = hsevo.replay("games", part=0).verdict()
        assert not fine
        assert said in line
    result = command("replay", "games", "--part", "0")
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def stopping(monkeypatch: pytest.MonkeyPatch, blocks: int) -> None:
    play = hosting.play_rows

    def stop(*given: Any) -> Iterator[Any]:
        for number, block in enumerate(play(*given)):
            if number == blocks:
                raise KeyboardInterrupt
            yield block

    monkeypatch.setattr(hosting, "play_rows", stop)


def test_a_stopped_match_goes_on(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {"games": 36, "workers": 1, "decks": "mage"}
    whole = hsevo.match(f"{bot}#Counting", "eva:2018", **given)
    with monkeypatch.context() as patch:
        stopping(patch, 2)
        with pytest.raises(KeyboardInterrupt):
            hsevo.match(f"{bot}#Counting", "eva:2018", out="games", **given)
    again = hsevo.match(f"{bot}#Counting", "eva:2018", out="games", **given)
    assert again.games.equals(whole.games)


def test_resuming_an_arena_runs_no_file_unless_it_is_trusted(
        bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names, given = [f"{bot}#Counting", "random"], {"games": 36, "decks": "mage"}
    whole = hsevo.arena(names, **given, workers=1)
    with monkeypatch.context() as patch:
        stopping(patch, 1)
        with pytest.raises(KeyboardInterrupt):
            hsevo.arena(names, **given, out="arena", workers=1)
    python_players._known.clear()
    python_files._module.cache_clear()
    trust._named.clear()
    Path("ran.txt").unlink()
    with pytest.raises(AgentError, match=r"'Counting' comes from a file.*--trust"):
        hsevo.resume_arena("arena", workers=1)
    assert not Path("ran.txt").exists()
    result = command("arena", "--resume", "arena")
    assert result.exit_code == 2
    assert "trust" in result.stderr
    Path("bot.py").write_text(BOT + "# another\n", encoding="utf-8")
    with pytest.raises(AgentError, match="the file or a module that it imports was changed"):
        hsevo.resume_arena("arena", trust=True, workers=1)
    Path("bot.py").write_text(BOT, encoding="utf-8")
    assert hsevo.resume_arena("arena", trust=True, workers=1).games.equals(whole.games)
    python_players._known.clear()
    Path("ran.txt").unlink()
    assert hsevo.resume_arena("arena").games.equals(whole.games)  # nothing is left to be played
    assert not Path("ran.txt").exists()


def raising(view: Any) -> Any:
    return view["no such key"]


def leaving(view: Any) -> Any:
    raise SystemExit(0)


def hanging(view: Any) -> Any:
    while True:
        time.sleep(0.01)


@pytest.mark.parametrize(("answer", "said"), [
    (None, "returned None, in turn"), ("end", "returned 'end', in turn"), (True, "returned True"),
    (3.0, "returned 3.0"), (-1, "the move -1,"), (3661, "the move 3661,"),
    ([], r"returned \[\]"), ("x" * 5000, r"returned 'xxx.*\.\.\.")])
def test_nonsense_is_one_line(answer: Any, said: str) -> None:
    one = hsevo.Agent(lambda view: answer, name="wrong")
    with pytest.raises(PlayerError, match=f"wrong .*{said}.*of .* against .* with seed") as found:
        hsevo.match(one, "random", games=18, backend="serial")
    assert "\n" not in str(found.value)


class NoName:
    def __repr__(self) -> str:
        raise ValueError


class Needing:
    def __init__(self, what: int) -> None:
        self.decide = what


class Failing:
    def __init__(self) -> None:
        raise ValueError("at once")


class Catching:
    def decide(self, view: Any) -> Any:
        try:
            time.sleep(10)
        except BaseException:  # even what stops it
            return view.legal[-1]


@pytest.mark.parametrize(("player", "said"), [
    (lambda view: NoName(), "returned a NoName, in turn"), (dict, "no method decide"),
    (Needing, r"Needing raised TypeError: .*, before its first decision"),
    (Failing, r"Failing raised ValueError: at once \(test_python_players.py, line \d+\), before"),
    (lambda: 0, r"raised TypeError: .*, in turn"),
    (hsevo.Agent(Catching, seconds=0.1), "took more than 0.1 s")])
def test_odd_players_are_one_line(player: Any, said: str) -> None:
    with pytest.raises(PlayerError, match=said) as found:
        hsevo.match(player, "random", games=18, backend="serial")
    assert "python_players.py, line" not in str(found.value).replace("test_python_players", "")


def test_a_player_that_cannot_travel_says_so() -> None:
    lock = threading.Lock()
    with pytest.raises(PlayerError, match=r"can't be sent to other processes .*--backend threads"):
        hsevo.match(lambda view: (view.legal[-1], lock)[0], "random", games=18, backend="loky",
                    workers=2)


@pytest.mark.parametrize("backend", ["serial", "threads", "loky"])
@pytest.mark.parametrize(("player", "said"), [
    (raising, r"raising raised KeyError: 'no such key' \(view.py, line \d+\)"),
    (leaving, "leaving raised SystemExit: 0"),
    (hanging, r"hanging took more than 0\.3 s for a decision.*\?seconds=N")])
def test_what_a_player_does_wrong_is_one_line(player: Any, said: str, backend: str) -> None:
    one = hsevo.Agent(player, seconds=0.3)
    with pytest.raises(PlayerError, match=said):
        hsevo.match(one, "random", games=18, backend=backend, workers=2)


def test_a_game_survives_a_player_that_fails() -> None:
    game = hsevo.Game("mage", "warrior", players=[raising, raising], seed=1)
    before = game.view(0)
    with pytest.raises(PlayerError):
        game.step()
    assert game.view(0) == before
    game.play(game.moves[0])


def test_the_games_before_a_failure_are_kept(bot: str) -> None:
    Path("bot.py").write_text(BOT + '''
def moody(view):
    if view.random.random() < 0.0003:
        raise RuntimeError("no idea")
    return view.moves[-1]
''', encoding="utf-8")
    result = command("match", f"{bot}#moody", "random", "--games", "400", "--out", "games",
                     "--decks", "mage", "--workers", "1")
    assert result.exit_code == 2
    assert "moody raised RuntimeError: no idea (bot.py, line" in result.stderr
    assert "Traceback" not in result.stderr
    assert 0 < Path("games/games.csv").read_text(encoding="utf-8").count("\n") < 400


def test_options_are_keyword_arguments(bot: str) -> None:
    given: dict[str, Any] = {"games": 18, "backend": "serial"}
    last, first = (table(hsevo.match(spec, "random", **given))
                   for spec in (f"{bot}#last", f"{bot}#deep"))
    for spec, same in (("deep?how=last", last), ("Deep", last), ("Deep?depth=2", first),
                       ("deep?how=last&depth=1&seen=true&share=0.5&seconds=5", last)):
        played = hsevo.match(f"{bot}#{spec}", "random", **given)
        assert table(played).equals(same), spec
        assert spec in played.games["a"][0]
    assert not last.equals(first)
    assert hsevo.match(f"{bot}#Deep?depth=1", f"{bot}#Deep?depth=2", **given).done == 18


def test_a_player_brings_the_modules_of_its_folder(bot: str, tmp_path: Path) -> None:
    texts = {"helper.py": "from pieces import ends\ndef pick(view):\n    return ends.last(view)\n",
             "pieces/ends.py": "from .deeper import NUMBER\nimport json\n"
                               "def last(view):\n    return view.legal[NUMBER]\n",
             "pieces/deeper.py": "NUMBER = -1\n", "json.py": "raise OSError\n"}
    Path("pieces").mkdir()
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")
    main = ("def decide(view):\n    import helper, math as m\n    import pieces.ends\n"
            "    assert m.pi and pieces.ends.last(view) == helper.pick(view)\n"
            "    return helper.pick(view)\n")
    Path("own.py").write_text(main, encoding="utf-8")
    code = python_files.Code.read("own.py", "decide")
    assert [name for name, _ in code.modules] == ["helper.py", "pieces/deeper.py", "pieces/ends.py"]
    agent = hsevo.Agent("py:own.py#decide")
    for name in texts:
        Path(name).unlink()
    played = table(hsevo.match(agent, "random", games=18, workers=2, backend="loky"))
    assert played.equals(table(hsevo.match(f"{bot}#last", "random", games=18)))
    assert "helper" not in sys.modules
    Path("helper.py").write_text("def pick(view):\n    return 0\n", encoding="utf-8")
    other = hsevo.Agent("py:own.py#decide")
    assert nets.content(other.record) != nets.content(agent.record)  # another player


@pytest.mark.parametrize(("spec", "said"), [
    ("py:none.py#f", "there is no file none.py"),
    ("py:bot.py#lst", r"no player 'lst'; did you mean 'last'\?; it defines last, chance, Counting"),
    ("py:bot.py#number", "no player 'number'"),
    ("py:bot.py", "py:FILE.py#NAME"),
    ("py:bot.py#last?second=3", r"bot.py#last has no option 'second'; did you mean .*has seconds"),
    ("py:bot.py#fixed?depth=3", "fixed is an object, so its only option is seconds"),
    ("py:bot.py#Deep?dept=3", r"Deep has no option 'dept'; did you mean 'depth'\?; it has dep"),
    ("py:bot.py#deep?view=3", "deep has no option 'view'"),
    ("py:bot.py#deep?depth", "has the option 'depth', but options are written as NAME=VALUE"),
    ("py:bot.py#last?seconds=0", "must be above 0"),
    ("py:bot.py#last?seconds=nan", "must be a number"),
    ("py:bot.py#last?seconds=x", "must be a number"),
    ("py:broken.py#f", r"cannot be run: SyntaxError: .*\(line 1\)"),
    ("py:raises.py#f", r"cannot be run: ValueError: oh \(raises.py, line 2\)"),
    ("py:leaves.py#f", "cannot be run: SystemExit: 3"),
    ("py:needs.py#f", "cannot be run: ModuleNotFoundError: No module named 'no_such_module'"),
    ("py:#f", "py:FILE.py#NAME"), ("py:", "py:FILE.py#NAME")])
def test_a_spec_that_names_none_is_one_line(bot: str, spec: str, said: str) -> None:
    for name, text in {"broken": "def f(:", "raises": "\nraise ValueError('oh')",
                       "leaves": "raise SystemExit(3)", "needs": "import no_such_module"}.items():
        Path(f"{name}.py").write_text(text, encoding="utf-8")
    with pytest.raises(AgentError, match=said) as found:
        hsevo.Agent(spec)
    assert "\n" not in str(found.value)
    result = command("match", spec, "random", "--games", "18")
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_what_plays_compiled_agents_alone_says_so(bot: str) -> None:
    for one in (last, f"{bot}#last", hsevo.Agent(last)):
        with pytest.raises(AgentError, match="not compiled"):
            hsevo.Games("mage", "mage", [1]).ask(one)
    with pytest.raises(AgentError, match="not compiled"):
        read_agent(f"{bot}#last")  # as evolve reads its opponents
    with pytest.raises(ConfigError, match="sees only public information"):
        hsevo.match(last, "random", games=18, information="leaky")
    with pytest.raises(AgentError, match="seconds needs an agent that is"):
        hsevo.Agent("eva:2018", seconds=3)


def test_the_command_plays_it(bot: str) -> None:
    result = command("match", f"{bot}#last", "random@mage", "--games", "18", "--workers", "1")
    assert result.exit_code == 0, result.output
    assert "py:bot.py#last" in result.output


def test_a_deck_of_its_own(bot: str) -> None:
    result = hsevo.match(f"{bot}#last@mage", f"{bot}#last@warrior", games=10, workers=1)
    assert {*result.games["deck_a"]} == {"mage", "warrior"}


def test_its_replay_asks_nobody(tmp_path: Path) -> None:
    asked = 0

    def player(view: Any) -> Any:
        nonlocal asked
        asked += 1
        return view.moves[-1]

    game = hsevo.Game("mage", "warrior", players=[player, "random"], seed=4)
    game.run()
    before = asked
    game.replay(tmp_path / "game.html", chances=0)
    assert asked == before > 10


def test_a_time_limit_in_any_thread() -> None:
    found = []

    def work() -> None:
        try:
            with at_most(0.2):
                while True:
                    np.zeros(3)
        except TooLong:
            found.append("too long")
        with at_most(5.0):
            found.append("in time")

    work()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert found == ["too long", "in time"] * 2


def test_a_foreign_reference_is_never_run() -> None:
    """What a folder claims to be a player is data: it has no code, and it names none to run."""
    one = nets.hosted(nets.PYTHON, b'{"name": "f", "seconds": 1, "sha256": "00"}')
    with pytest.raises((AgentError, GameError), match="a file that a folder names"):
        hsevo.Game("mage", "mage", players=[hsevo.play.session.Seat("f", one), None],
                   seed=0).run()  # its first player is the first to play


def test_it_plays_with_closed_deck_lists_and_sees_none() -> None:
    """Its compiled opponent guesses; games are the same on any workers, and move by move."""
    seen: list[object] = []

    def curious(view: hsevo.View) -> object:
        seen.append(view.opponent_deck)
        return view.moves[0]

    rules: dict[str, Any] = {"games": 18, "information": "closed", "seed": 4}
    one = hsevo.match(curious, "eva:reply?nodes=20", backend="serial", **rules)
    assert seen
    assert {*seen} == {None}
    two = hsevo.match(curious, "eva:reply?nodes=20", workers=2, backend="threads", **rules)
    assert one.games.equals(two.games)
    with pytest.raises(ConfigError, match="can't play with --information leaky"):
        hsevo.match(curious, "random", games=2, information="leaky")


def test_a_class_of_a_console_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has no file of it to look into."""
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)
    player = type("Bot", (), {"decide": lambda self, view: view.moves[-1],
                              "__module__": "__main__"})
    assert hsevo.match(player, "random", games=18, decks=["mage"], workers=1).played == 18


def test_a_timer_of_the_program_is_not_put_off() -> None:
    """Nor is one lost that comes meanwhile."""
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 100)
        with at_most(5.0):
            time.sleep(0.05)
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0.01)
        with at_most(5.0):
            time.sleep(0.05)
        end = time.monotonic() + 5
        while not rung and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert 0 < left <= 99.95
    assert rung == [signal.SIGALRM]
