"""End-to-end policies as agents: games move by move, folders, replays, profiles."""

import copy
import json
import re
import shutil
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import numpy as np
import pytest
import torch
from click.testing import CliRunner

import hsevo
from hsevo.agents.learned import nets
from hsevo.analysis import profile
from hsevo.cli.root import main
from hsevo.errors import AgentError, ConfigError, RunError
from hsevo.learning.acting import checkpoints
from hsevo.learning.acting.agents import PolicyBot, policy
from hsevo.learning.batch import moves_of, observe
from hsevo.learning.end_to_end.saved import alone_bytes, read_checkpoint
from hsevo.play import hosting, match
from hsevo.play.match import PAIRING, Setting
from hsevo.play.players import Decision
from hsevo.play.session import Session
from hsevo.strength.panel import Panel
from tests.torch.support import few

DECKS = ["mage", "warrior"]
TREE = "mcts:vanilla?iterations=10&rollouts=1"  # keeps its tree in other games


@pytest.fixture(scope="module")
def spec(run):
    """The policy of a small run."""
    return f"rl:{run.path}"


@pytest.fixture(scope="module")
def switched(switched_run):
    """One with a network for each class, which build their decks and see the other's."""
    return f"rl:{switched_run.path}"


def games_of(result):
    """Yield each stored game with the same game played move by move."""
    for row in result.games.to_dict("records"):
        game = hsevo.Game(row["deck_a"], row["deck_b"], [row["a"], row["b"]], int(row["seed"]))
        game.run()
        yield row, game


@pytest.mark.parametrize(("one", "other"), [
    ("learned", "eva:2018"), ("learned", "early"), ("learned", TREE), ("switched", "learned"),
    ("switched", "random")])
def test_a_game_is_that_of_a_match(spec, switched, one, other):
    named = {"learned": spec, "early": f"{spec}#period-0000", "switched": switched}
    result = hsevo.match(*(named.get(name, name) for name in (one, other)), 8, decks=DECKS,
                         workers=1)  # from either seat, with each pair of decks
    for row, game in games_of(result):
        assert (game.winner == 0, game.winner == 1) == (row["wins_a"], row["wins_b"])
        assert min(game.turn, 89) == row["turns"]


def test_probabilities_are_of_all_legal_moves(spec):
    """In every decision of some games, also in mulligans; they are those that moves are drawn by.
    """
    actor = policy(hsevo.Agent(spec).record)
    for seed in range(3):
        game, most = hsevo.Game("mage", "warrior", [spec, spec], seed), 0
        while not game.over:
            game.ask()
            assert {*game.scores} == {move.index for move in game.moves}
            assert sum(game.scores.values()) == pytest.approx(1, abs=1e-5)
            if len(game.moves) > most:
                most, chances, frozen = len(game.moves), game.scores, game.copy()
            game.step()
        n = 4000
        state = np.atleast_1d(frozen.states()[0])
        asked = frozen._bots.asked(hsevo.Agent(spec).record, state)
        seen, legal = asked.bot._seen(asked.decision)
        draws, every = np.random.default_rng(seed).random((n, 3)), np.zeros(n, int)
        chosen, _ = actor.act(seen[every], legal[every], asked.memory().copy(every), np.arange(n),
                              draws)
        moves, counts = np.unique(moves_of(chosen), return_counts=True)
        drawn = dict(zip(moves.tolist(), counts.tolist(), strict=True))
        for move, chance in chances.items():
            spread = 5 * np.sqrt(n * chance * (1 - chance)) + 1
            assert abs(drawn.get(move, 0) - n * chance) < spread


def test_asking_changes_nothing(spec):
    """Neither a seat nor a guest; one who was never asked remembers what it would have seen."""
    one, other = (hsevo.Game("mage", "warrior", [spec, "eva:2018"], 5) for _ in range(2))
    silent = hsevo.Game("mage", "warrior", [spec, "eva:2018"], 5)
    while not one.over:
        for agent in (None, f"{spec}#period-0000", "random", spec):
            other.ask(agent)
        move = one.step()
        assert other.step() == move
        silent.play(move)
        if not one.over:
            assert one.ask() == silent.ask() == other.ask()
            assert one.scores == silent.scores == other.scores
    assert str(one) == str(other) == str(silent)


def test_a_guest_plays_as_in_that_seat(spec):
    """As the one that sits there does, if the other player is no policy."""
    seated, empty = (hsevo.Game("mage", "warrior", [player, "eva:2018"], 5)
                     for player in (spec, None))
    while not seated.over:
        if seated.player == 0:
            assert empty.ask(spec) == seated.ask()
            assert empty.scores == seated.scores
        empty.play(seated.step())


@pytest.mark.parametrize("player", ["spec", "switched"])
def test_a_copy_and_a_saved_game_go_on_alike(request, tmp_path, player):
    """The file has the network itself, and the deck that it built."""
    who = request.getfixturevalue(player)
    game = hsevo.Game("mage", "warrior", [who, "eva:2018"], 8)
    for _ in range(15):
        game.step()
    twin = copy.copy(game)
    game.save(tmp_path / "game.json")
    nets._store.clear()
    loaded = hsevo.Game.load(tmp_path / "game.json")
    assert loaded.setting == game.setting
    for one in (game, twin, loaded):
        one.run()
    assert game.history == twin.history == loaded.history
    assert game.over


def test_a_folder_goes_on_and_replays_without_the_run(run, tmp_path, monkeypatch):
    shutil.copytree(run.path, tmp_path / "copy")
    monkeypatch.chdir(tmp_path)
    play = hosting.play_rows

    def stop(executor, rows, agents, setting):
        yield next(play(executor, rows, agents, setting))
        raise KeyboardInterrupt

    rules = {"games": 48, "decks": DECKS, "workers": 1}
    with monkeypatch.context() as patch:
        patch.setattr(hosting, "play_rows", stop)
        with pytest.raises(KeyboardInterrupt):
            hsevo.arena(["rl:copy", TREE, "eva:2018"], out="arena", **rules)
    shutil.rmtree("copy")
    nets._store.clear()
    again = hsevo.resume_arena("arena", workers=1)
    shutil.copytree(run.path, tmp_path / "copy")
    whole = hsevo.arena(["rl:copy", TREE, "eva:2018"], **rules)
    assert again.games.equals(whole.games)
    shutil.rmtree("copy")
    for a, b in (("rl:copy", "eva:2018"), ("eva:2018", TREE), (TREE, "rl:copy")):
        for part in (0, 9):
            assert hsevo.replay("arena", a, b, part=part).verdict()[1]
    text = str(hsevo.replay("arena", "rl:copy", "eva:2018"))
    own = [line for line in text.splitlines() if " play " in line and " % " in line]
    assert "->  play" in text
    assert len(own) > 20


def test_a_benchmark_goes_on_without_the_run(run, tmp_path, monkeypatch):
    shutil.copytree(run.path, tmp_path / "copy")
    monkeypatch.chdir(tmp_path)
    panel, play = few(["random", "eva:2018"]), hosting.play_rows
    monkeypatch.setattr(Panel, "read", lambda *_: panel)
    whole = hsevo.benchmark("rl:copy", games=18, panel="panel-2026", workers=1)

    def stop(executor, rows, agents, setting):
        yield from play(executor, rows[:18], agents, setting)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(hosting, "play_rows", stop)
        with pytest.raises(KeyboardInterrupt):
            hsevo.benchmark("rl:copy", games=18, panel="panel-2026", workers=1, out="benchmark")
    shutil.rmtree("copy")
    nets._store.clear()
    again = hsevo.resume_benchmark("benchmark", workers=1)
    assert again.games.equals(whole.games)
    assert again.table.equals(whole.table)


def test_the_command_replay_shows_probabilities(spec, tmp_path):
    out = str(tmp_path / "match")
    result = CliRunner().invoke(main, ["match", spec, "random", "--games", "4", "--decks", "mage",
                                       "--out", out])
    assert result.exit_code == 0, result.output
    page = tmp_path / "game.html"
    result = CliRunner().invoke(main, ["replay", out, "--part", "0", "--html", str(page)])
    assert result.exit_code == 0, result.output
    assert "reproduced" in result.output
    assert len(re.findall(r'"worth": ?"play [0-9.]+ %', page.read_text())) > 20


def test_a_result_in_memory_replays(spec):
    found = hsevo.match(spec, "random", 4, decks="mage", workers=1).replay()
    assert found.verdict() == ("reproduced: the game ends as stored", True)
    assert [step.options[step.taken].worth[:5] for step in found.steps[:-1]].count("play ") > 5


def test_its_profile_is_of_the_games_of_a_match(spec, tmp_path):
    out = tmp_path / "examined"
    result = CliRunner().invoke(main, ["examine", spec, "--against", "eva:2018", "--games", "18",
                                       "--decks", "mage,warrior,shaman", "--out", str(out),
                                       "--workers", "1"])
    assert result.exit_code == 0, result.output
    assert "\nrl:whole learned mage, warrior, and not shaman\n" in result.output
    found = hsevo.analysis.Examination.read(out)
    assert found.weights == ()
    assert len(found.landscape) == 1
    played = hsevo.match(spec, "eva:2018", len(found.games), decks=["mage", "warrior", "shaman"],
                         workers=1).games
    points = played["wins_a"] + played["draws"] / 2
    first = played["a"] == spec
    assert found.games["points"].tolist() == points.where(first, 1 - points).tolist()
    assert found.games["turns"].tolist() == played["turns"].tolist()
    assert found.landscape["rate"][0] == found.games["points"].mean()
    own = found.turns[found.turns["agent"] == spec]
    assert (own["spent"] >= 0).all()
    assert own[["minions", "spells", "powers"]].to_numpy().sum() > len(found.games)
    page = tmp_path / "page"
    result = CliRunner().invoke(main, ["report", "--examined", str(out), "--out", str(page)])
    assert result.exit_code == 0, result.output


def test_the_profile_of_one_that_builds_its_decks(switched):
    """Each game is dealt with the decks of its own."""
    setting = Setting(decks=hsevo_decks())
    agents = np.concatenate([hsevo.Agent(name).record for name in (switched, "random")])
    row = np.array([(0, 1, 0, 1, 1, 7)], PAIRING)
    hosted = hosting.open_game(row[0], agents, setting)
    game = hsevo.Game("mage", "warrior", [switched, "random"], 7)
    assert game.setting.decks[0].name == "built"
    while not game.over:
        assert hosted.decide() == game.ask().index
        game.play(move := game.ask())
        hosted.move(move.index)
    assert int(hosted.game["result"]) == game.result


def test_a_profile_has_games_of_compiled_agents_as_they_are(spec):
    """Beside a policy: a tree search keeps its tree."""
    agents = np.concatenate([hsevo.Agent(name).record for name in ("eva:2018", TREE, spec)])
    rows = np.array([(0, 1, 0, 1, 1, seed) for seed in range(4)], PAIRING)
    setting = Setting(decks=hsevo_decks())
    _, games = profile.play(rows, agents, setting, {})
    played = match.play_block(rows, agents[:2], setting)
    assert games["points"].tolist() == (played["wins_a"] + played["draws"] / 2).tolist()
    assert games["turns"].tolist() == played["turns"].tolist()


def hsevo_decks():
    """Return the two decks that runs of these tests learn with."""
    return tuple(hsevo.Deck(name) for name in DECKS)


def test_an_agent_for_each_deck_meets_one(spec, tmp_path):
    weights = hsevo.Agent("eva:2018").weights
    table = {f"{deck}.{name}": value for deck in DECKS for name, value in weights.items()}
    assert len(table) == 2 * len(weights)
    (tmp_path / "own.yaml").write_text(
        "mine:\n" + "".join(f"  {name}: {value}\n" for name, value in table.items()))
    one, plain = (hsevo.match(spec, other, 8, decks=DECKS, workers=1)
                  for other in (f"eva:{tmp_path / 'own.yaml'}", "eva:2018"))
    assert one.pairs.tolist() == plain.pairs.tolist()
    one.save(tmp_path / "match")  # the network once, not for each pair of decks
    text = (tmp_path / "match" / "cast.json").read_text()
    assert (text.count('"net"'), text.count('"by_decks"')) == (1, 1)
    assert hsevo.replay(tmp_path / "match", part=0).verdict()[1]


@pytest.mark.parametrize(("change", "problem"), [
    (lambda data: data.update(net=data["net"][:-40]), "damaged"),
    (lambda data: data.update(net=nets.text_of(b"no network")), "damaged"),
    (lambda data: data.update(net=nets.text_of(bytes(10**7))), "more bytes than"),
    (lambda data: data.update(kind=12), "damaged"),
    (lambda data: data.pop("net"), "damaged"),
    (lambda data: data.update(budget=[1]), "damaged"),
])
def test_a_damaged_folder_says_so(spec, tmp_path, change, problem):
    hsevo.match(spec, "random", 4, decks="mage", workers=1, out=tmp_path / "match")
    path = tmp_path / "match" / "cast.json"
    data = json.loads(path.read_text())
    change(data["agents"][0])
    path.write_text(json.dumps(data))
    nets._store.clear()
    with pytest.raises(RunError, match=problem) as raised:
        hsevo.replay(tmp_path / "match")
    assert len(str(raised.value).splitlines()) == 1


def test_bytes_that_are_no_network_say_so(spec):
    """Their digest is right, as in a file that somebody made."""
    forged = nets.hosted(nets.END_TO_END, b"no network")
    game = Session(*hsevo_decks())
    with pytest.raises(RunError, match="the network of an end-to-end policy is not a checkpoint"):
        game.ask(forged)


def test_sizes_beyond_the_parameters_take_no_memory(run):
    """Of 20 GB, as the settings of this file say."""
    kept = dict(read_checkpoint(run.path / "checkpoints" / "period-0001.pt"))
    net = {"embedding": 10_000, "width": 10_000, "lstm": 10_000}
    data = alone_bytes(kept | {"settings": kept["settings"] | {"network": net}})
    forged = nets.hosted(nets.END_TO_END, data)
    with pytest.raises(RunError, match="network of an end-to-end policy is damaged"):
        Session(*hsevo_decks()).ask(forged)


def write_forged(run, path, **changes):
    """Write a checkpoint with other parts; return its spec."""
    kept = read_checkpoint(run.path / "checkpoints" / "period-0001.pt")
    path.write_bytes(alone_bytes(kept | changes))
    return f"rl:{path}"


@pytest.mark.parametrize("parameters", [
    {"memory": torch.empty(10**10, device="meta")},
    {"memory": torch.sparse_coo_tensor([[0]], [1.0], (5,), check_invariants=True)},
    dict.fromkeys(map(str, range(3000)), torch.zeros(3 * 10**5)),
], ids=["no storage", "sparse", "one storage for all"])
def test_forged_parameters_take_no_memory(run, tmp_path, parameters):
    """They have as many bytes as the settings say, but the file has not."""
    settings = read_checkpoint(run.path / "checkpoints" / "period-0001.pt")["settings"]
    net = {"embedding": 1, "width": 1, "lstm": 10_000}
    spec = write_forged(run, tmp_path / "forged.pt", settings=settings | {"network": net},
                        network=parameters)
    with pytest.raises(RunError, match="is damaged"):
        assert hsevo.Agent(spec).record


def test_parameters_that_share_what_is_stored_are_refused(run):
    """Each is as large as the settings say, and all are views of the largest."""
    kept = read_checkpoint(run.path / "checkpoints" / "period-0001.pt")
    room = torch.zeros(max(one.numel() for one in kept["network"].values()))
    forged = {name: room[:one.numel()].view(one.shape) for name, one in kept["network"].items()}
    with pytest.raises(RunError, match="is damaged") as raised:
        checkpoints.of_bytes(alone_bytes(kept | {"network": forged}), "x")
    assert "share" in str(raised.value.__cause__)


def test_a_compressed_checkpoint_is_refused(run, tmp_path):
    """Before it is read, as it may be 1,000 times as large in memory."""
    packed = tmp_path / "packed.pt"
    with (ZipFile(run.path / "checkpoints" / "period-0001.pt") as plain,
          ZipFile(packed, "w", ZIP_DEFLATED) as out):
        for name in plain.namelist():
            out.writestr(name, plain.read(name) if "/data/" not in name else bytes(10**6))
    with pytest.raises(RunError, match="not a checkpoint") as raised:
        assert hsevo.Agent(f"rl:{packed}").record
    assert isinstance(raised.value.__cause__, BadZipFile)


def test_isolated_networks_play_their_classes_alone(switched, tmp_path):
    with pytest.raises(ConfigError, match="networks only for MAGE, WARRIOR"):
        hsevo.Game("shaman", "shaman").ask(switched)
    with pytest.raises(ConfigError, match="networks only for MAGE, WARRIOR"):
        hsevo.match(switched, "random", 4, decks="shaman", out=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_checkpoint_has_one_network_whatever_names_it(run, spec):
    last = run.path / "checkpoints" / "period-0001.pt"
    records = [hsevo.Agent(name).record.tobytes() for name in (
        spec, f"{spec}#period-0001", f"rl:{last}")]
    records.append(run.agent().record.tobytes())
    assert len({*records}) == 1
    assert run.agent("period-0000").record.tobytes() not in records
    sharper = run.agent(temperature=0.1)
    assert sharper.record.tobytes() not in records
    with pytest.raises(AgentError, match="only the options temperature and decks, not search"):
        hsevo.Agent(f"{spec}?search=turn")


def test_a_temperature_divides_the_scores_of_moves(run, spec):
    """Odds of two moves, to the power 1 / T; at 0 the best has all, and equal cards share it.

    Of a mulligan, whose moves have one part.
    """
    game = hsevo.Game("mage", "mage", seed=4, ruleset="msg2017")
    assert len(game.moves) > 3
    chances = {}
    for temperature in (1.0, 0.5, 0.0):
        game.ask(f"{spec}?temperature={temperature}")
        chances[temperature] = np.array(list(game.scores.values()))
        assert chances[temperature].sum() == pytest.approx(1, abs=1e-5)
    game.ask(spec)
    assert list(game.scores.values()) == chances[1.0].tolist()
    best = np.isclose(chances[1.0], chances[1.0].max(), rtol=1e-4)
    assert np.allclose(chances[0.0], best / best.sum(), atol=1e-4)
    both = chances[1.0] > 0.01  # where nothing is lost to rounding
    power = np.log(chances[0.5][both] / chances[0.5].max())
    assert np.allclose(power, 2 * np.log(chances[1.0][both] / chances[1.0].max()), atol=1e-2)


def test_what_is_seen_is_that_of_a_match(spec):
    """A game's own state, copied without its padding or its pending choices lost."""
    game, many = hsevo.Game("mage", "warrior", seed=4), hsevo.Games("mage", "warrior", [4])
    for _ in range(12):
        state = np.atleast_1d(game.states()[0])
        found = policy(hsevo.Agent(spec).record)
        seen, legal = PolicyBot(found)._seen(Decision(state, game.setting, 1, 4))
        expected = observe(many)
        assert np.array_equal(seen, expected[0])
        assert np.array_equal(legal, expected[1])
        move = game.ask("random")
        many.step(np.array([move.index]))
        game.play(move.index)
