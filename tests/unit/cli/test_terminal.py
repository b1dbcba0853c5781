"""What every command prints: within the terminal's width, and without escape codes in a pipe."""

import re
import shutil
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import Result
from rich.cells import cell_len
from rich.console import Console

from hsevo.agents.genomes.weights import write_weights
from hsevo.cli import main
from hsevo.cli.root import COMMANDS
from hsevo.cli.tables import Sheet, fitted
from hsevo.experiments.progress import Meter, Note
from hsevo.play import match
from hsevo.replays.played import PlayedGames
from hsevo.reports.report import PageReport
from hsevo.strength.games import Game
from tests.support import fake
from tests.support.command import hsevo
from tests.support.ladder import TINY

ESCAPE = re.compile(r"\x1b\[[\d;?]*[a-zA-Z]")
SERIAL = ("--backend", "serial")
LINES = (
    "evolve --config smoke --out new --backend serial",
    "learn --config osfp-smoke --set periods=1 --set rounds=1 --set games=2"
    " --set references.games=18 --workers 1 --out new",
    "coevolve --config coevolve-smoke --set generations=2 --set games=2 --set confirm.games=2"
    " --set confirm.choosing=2 --set reference.games=2 --out new --backend serial",
    "exploit random --games 2 --measure 2 --config osfp-smoke --decks mage --out new",
    "watch mine --once",
    "export-best mine --games-per-pair 2 --backend serial",
    "examine eva:2018 --against random --games 2 --style-games 1 --decks mage --out new",
    "report mine --out new",
    "verify mine",
    "play --out played --list",
    "replay real --game 1",
    "replay played --list",
    "analyse played --games 2 --players eva:2018 --agent eva:2018 --budget 99 --backend serial",
    "analyse played --at 2 --games 2 --players eva:2018 --agent eva:2018 --budget 99",
    "replay mine --list",
    "match eva:mine eva:2018 --games 36 --backend serial",
    "match eva:mine#individual-1 eva:2018 --sprt 0 400 --backend serial",
    "arena eva:mine eva:2018 greedy:metastone random --games 36 --out new --backend serial",
    "benchmark eva:mine --games 18 --backend serial",
    "benchmark --leaderboard",
    "series eva:2018 greedy:metastone --series 20 --choose best --scouting 4 --out new"
    " --backend serial",
    "meta matrix mage shaman warrior zoo-warlock --games 36 --out new --backend serial",
    "meta balance --decks mage,shaman --pilot random --most 1 --proposals 2 --games 2 --confirm 4"
    " --backend serial",
    "agents",
    "bench --agents random,eva:2018 --seconds 0.1",
    "ladder ladder.yaml --out new --backend serial",
    "study divine-shield-control --games 2 --out new --backend serial",
    "dataset random eva:2018 --games 2 --decks mage --out new --backend serial",
    "sweep smoke --over evolution.mu=2,3 --trials 1 --games 2 --final-games 2 --set"
    " evolution.generations=1 --set games=2 --set decks=[mage] --out new --backend serial",
    "cards",
    "cards list --class mage --cost 3",
    "cards show Sylvanas Kazakus",
    "decks list",
    "decks check mage mage-21",
    "decks evolve --config deck-smoke --set search.generations=2 --set search.first=5"
    " --set games=2 --set confirm.games=2 --set confirm.best=2 --out new --backend serial",
    "decks improve mage --against shaman,warrior --pilot random --swaps 2 --games 3200 --confirm 40"
    " --backend serial",
    "decks cards mage --against shaman --pilot random --games 4 --backend serial",
    "config list",
    "completion bash",
    "config schema",  # a file, whatever the terminal
)
# That print tables of numbers, which leave columns out on narrow terminals.
TABLES = ("match", "arena", "benchmark", "examine", "study", "meta", "series")
WIDE = ("arena", "benchmark", "meta")  # which in 80 columns leave out others than in 60
# That take seconds, and print as the others do.
COSTLY = ("learn", "exploit", "examine", "ladder", "bench", "analyse", "coevolve", "sweep")
# That look into games, which the stand-in has not.
REAL = ("examine", "learn", "exploit", "replay", "analyse", "play", "bench", "decks",
        "coevolve", "ladder", "dataset", "sweep")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a run of the stand-in, one of the engine, and a file of agents."""
    path = tmp_path_factory.mktemp("terminal")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        small = ("--set", "evolution.generations=1", "--set", "games=2", "--set", "decks=[mage]")
        assert hsevo("evolve", "--config", "smoke", "--out", "real", *small, *SERIAL).exit_code == 0
        _play(path / "played")
        fake.install(lambda name, value: patch.setattr(match, name, value))
        assert hsevo("evolve", "--config", "smoke", "--out", "mine", *SERIAL).exit_code == 0
    (path / "ladder.yaml").write_text(TINY)
    write_weights(path / "four.csv", list("abcd"), np.random.default_rng(5).random((4, 21)))
    return path


def _play(path: Path) -> None:
    """Make a folder of games that somebody played: one is finished, one goes on."""
    games = PlayedGames(path)
    for seed, most in ((3, 1000), (4, 3)):
        game = Game("nzoth-control-warrior", "mage", [None, "eva:wide-reply:2026"], seed)
        facts = games.new("2017-01-31T12:00:00+00:00", 0, game)
        while not game.over and len(game.history) < most:
            game.play(game.moves[0])
        games.save(facts, game)
    games.close()


def call(words: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **env: str) -> Result:
    """Call a command in the folder, and leave nothing new there."""
    monkeypatch.chdir(folder)
    if words.split()[0] not in REAL:
        fake.install(lambda name, value: monkeypatch.setattr(match, name, value))
    written = PageReport(Path("new/report.html"), ("figures/fitness.svg", "tables/fitness.csv"))
    monkeypatch.setattr("hsevo.report", lambda *_, **__: written)  # 10 s of drawing
    result = hsevo(*words.split(), **env)
    shutil.rmtree(folder / "new", ignore_errors=True)
    assert result.exit_code == 0, result.output
    assert result.stdout
    return result


def test_every_command_is_tried() -> None:
    assert {line.split()[0] for line in LINES} == {*COMMANDS}


@pytest.mark.slow
@pytest.mark.parametrize("words", LINES)
def test_lines_fit_the_terminal_and_a_pipe_gets_no_escape_codes(
        words: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (80, 60) if words.split()[0] in WIDE else (60,):
        fits(words, width, folder, monkeypatch)
    if words.split()[0] in COSTLY:
        return
    result = call(words, folder, monkeypatch, COLUMNS="60", TERM="xterm")
    assert "\x1b" not in result.output
    assert "not shown" not in result.output


def fits(words: str, width: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that no line is wider than the terminal, and no number of a table is broken."""
    result = call(words, folder, monkeypatch, FORCE_COLOR="1", TERM="xterm", COLUMNS=str(width))
    lines = [ESCAPE.sub("", line) for line in result.stdout.splitlines()]
    assert [line for line in lines if cell_len(line) > width and len(line.split()) > 1
            and "deck code" not in line and not words.startswith(("config", "completion"))] == []
    if words.split()[0] in TABLES:
        for line in lines:  # a number that is broken leaves its end alone on the next line
            assert not re.fullmatch(r" *[+-]?[\d.,]+ *", line), line


def commands(group: click.Group, *before: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command, groups first."""
    yield before
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, *before, name)
        else:
            yield (*before, name)


@pytest.mark.parametrize("words", [*commands(main)], ids=" ".join)
def test_help_teaches_with_an_example_in_80_columns(words: tuple[str, ...]) -> None:
    text = hsevo(*words, "--help").stdout
    assert [line for line in text.splitlines() if len(line) > 80] == []
    usage, _, rest = text.partition("Options:")
    assert f"\n  hsevo {' '.join(words)}".rstrip() in usage or "hsevo completion fish" in usage
    options = [line for line in rest.splitlines() if line.startswith("  -")]
    alone = [line for line in options if len(line.split()) == 2 and len(line) < 30]
    assert alone == []  # an option without a word


@pytest.mark.parametrize("width", [80, 60, 40])
def test_the_live_line_keeps_speed_and_time_left(width: int) -> None:
    text = StringIO()
    console = Console(file=text, force_terminal=True, width=width)
    with Meter(33_939_000, console) as meter:
        meter.note = Note("execution 10 of 10, generation 57 of 99",
                          ("best 2,345", "mean 1,987.5", "sigma 0.123"), "10: 57/99")
        meter.began -= 1000
        meter.advance(16_543_210)
        meter.live.refresh()
    for line in re.split(r"[\r\n]", ESCAPE.sub("", text.getvalue())):
        assert cell_len(line) <= width
    last = ESCAPE.sub("", text.getvalue()).strip().splitlines()[-1]
    assert "16,543 games/s, 17 min 31 s left" in last or "16,543 games/s, 17 min 32 s left" in last
    assert ("57 of 99" in last) is (width == 80)
    assert ("57" in last) is (width >= 60)


def test_a_table_leaves_out_what_it_may_and_no_more() -> None:
    sheet = Sheet(["agent", "rating", "lead", "lead 95 %"], [["x" * 40, "+1", "2", "1 to 3"]],
                  ["rating", "lead", "lead 95 %"])
    # 16 of the agent, 6, 4 and 9 of the numbers, 2 between each
    assert sheet.fits(41)
    assert not sheet.fits(40)
    spare = [["lead", "lead 95 %"], "rating"]
    assert fitted(sheet, spare, 41) == (sheet, [])
    assert fitted(sheet, spare, 40)[1] == ["lead", "lead 95 %"]
    assert fitted(sheet, spare, 24)[1] == ["lead", "lead 95 %"]
    narrow, left_out = fitted(sheet, spare, 23)
    assert (narrow.heads, narrow.rows) == (["agent"], [["x" * 40]])
    assert left_out == ["lead", "lead 95 %", "rating"]
