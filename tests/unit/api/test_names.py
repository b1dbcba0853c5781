"""Names of agents, decks, runs and labels: nothing that a terminal or a spreadsheet would obey."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo.agents.genomes.weights import read_weights, write_weights
from hsevo.errors import AgentError, HsevoError, name_problem, printable, unsafe
from tests.support import command
from tests.support.command import fails
from tests.support.sums import sign

BAD = {
    "escape": "a\x1b[31mred", "eight-bit escape": "a\x9b31m", "bidi": "a\u202egnp.exe",
    "isolate": "a\u2066b", "newline": "a\nhsevo: all is well", "return": "a\rb", "zero": "a\0b",
    "backspace": "a\x08\x08", "separator": "a\u2028b", "invisible": "a\u200bb", "bell": "\x07",
    "surrogate": "a\udce9", "formula": "=1+1", "plus": "+1", "minus": "-1", "at": "@SUM(1)",
    "tab": "\t=1", "long": "x" * 1001}
FINE = ["a", "eva:2018", "Müller", "玩家", "a b", "a-b", "a=b", "1", "a+b@c", "\xa0", "x" * 1000]


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
def test_a_bad_name_is_refused_in_one_plain_line(name: str, here: Path) -> None:
    eva = dict(hsevo.Agent("eva:2018").weights)
    calls: list[Callable[[], Any]] = [
        lambda: hsevo.Agent(eva, name=name), lambda: hsevo.Deck("mage", name=name),
        lambda: hsevo.Deck(["Wisp"] * 2 + ["Fireball"] * 28, hero="mage", name=name),
        lambda: hsevo.report({name: "run"}), lambda: hsevo.evolve("smoke", changes={"name": name}),
        lambda: hsevo.evolve("smoke", out=f"runs/{name}"),
        lambda: hsevo.arena([name, "random"], out="arena")]
    for call in calls:
        with pytest.raises(HsevoError) as caught:
            call()
        assert str(caught.value).isprintable()
    assert not [*here.iterdir()]
    assert name_problem(name)


@pytest.mark.parametrize("name", FINE)
def test_a_fine_name_is_not(name: str) -> None:
    assert name_problem(name) == ""
    assert hsevo.Deck("mage", name=name).name == name


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
@pytest.mark.parametrize("kind", ["csv", "yaml"])
def test_a_file_of_agents_with_a_bad_name(kind: str, name: str, here: Path) -> None:
    two = hsevo.Agent("eva:2018")._vector.repeat(2, 0)
    with pytest.raises(AgentError):
        write_weights(f"agents.{kind}", [name, "other"], two)
    write_weights(f"agents.{kind}", ["NAME", "other"], two)
    path, written = Path(f"agents.{kind}"), name.encode("utf-8", "surrogatepass")
    path.write_bytes(path.read_bytes().replace(b"NAME", written, 1))
    said, names = "", ()
    try:
        names, _ = read_weights(f"agents.{kind}")
    except HsevoError as error:
        said = str(error)
    assert said.isprintable()
    assert not any(map(name_problem, names))  # spaces around a name are none of it


def test_a_table_of_others_with_a_bad_name(here: Path) -> None:
    Path("played").mkdir()
    Path("played/games.csv").write_text("a,b,deck_a,deck_b,wins_a,wins_b,draws,faults\n"
                                        "\x1b[31mred,two,mage,mage,1,0,0,0\n")
    write_weights("agents.csv", ["one", "two"], hsevo.Agent("eva:2018")._vector.repeat(2, 0))
    said = fails("report", "--agents", "agents.csv", "--tournament", "played")
    assert "its column a has ' [31mred', which must hold no control characters" in said


def test_words_of_a_command_line(here: Path) -> None:
    """As a shell makes them of RUN/*: folders that somebody else named."""
    for name in ("a\x1b[31mred", "a\nb", "a\u202eb", os.fsdecode(b"\xff\xfe")):
        Path(name).mkdir()
        result = command.hsevo("verify", name)
        assert result.exit_code == 2
        assert "contains control characters; rename it" in result.output
        assert all(line.isprintable() for line in result.output.splitlines())


def test_errors_hold_nothing_that_a_terminal_obeys() -> None:
    assert str(HsevoError("a\x1b[2Jb\x9bc\u202ed\0e\rf\tg\nh")) == "a [2Jb c d e f g\nh"
    assert str(HsevoError()) == ""
    assert HsevoError("x").args == ("x",)  # as pickle wants it
    assert printable("a\nb") == "a b"
    assert not unsafe("a b\xa0\u3000é")


def test_what_runs_say_of_themselves(here: Path, fake_engine: None) -> None:
    run = hsevo.evolve("smoke", out="run", backend="serial", changes={"evolution.generations": 1})
    about = run.path / "about.json"
    whole = about.read_text()
    for old, new in (('"format": 3', '"format": "\\u001b[31m\\nhsevo: fine"'),
                     ('"name": "warrior"', '"name": "=1+1"'),
                     ('"name": "warrior"', '"name": "a\\u001b"'),
                     ('"hero": "WARRIOR"', '"hero": "\\u202eX"')):
        assert old in whole
        about.write_text(whole.replace(old, new))
        sign(run.path)
        with pytest.raises(HsevoError) as caught:
            hsevo.Run(run.path).champion(1)
        assert str(caught.value).isprintable()


def test_a_line_of_an_error_is_never_longer_than_a_screen() -> None:
    said = str(HsevoError("x" * 10**6 + "\nsecond"))
    assert [len(line) for line in said.splitlines()] == [2000, 6]
