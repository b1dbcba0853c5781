"""The life of a run, alike for every kind: killed it goes on; prolonged, proved, refused."""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import chdir
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo.engine.jit import INTERPRETED, fingerprint
from hsevo.errors import HsevoError, RunError
from hsevo.play import match
from hsevo.store import journal
from hsevo.store.folder import Folder
from tests.support import apart
from tests.support.command import fails
from tests.support.command import hsevo as call
from tests.support.disk import full_disk
from tests.support.folders import LEARNING
from tests.support.sums import sign_about

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plays games")
OWN = (".lock", "log.txt", "about.json", "config.yaml", "times.csv")  # of this machine and folder


@dataclass(frozen=True)
class Kind:
    """A kind of run: how it is made and opened, its command, and a plan of three small steps."""

    make: Callable[..., Any]
    opened: Callable[[Path], Any]
    command: str
    config: str
    length: str  # the key of the number of steps
    settings: dict[str, Any] = field(default_factory=dict)
    state: str = "checkpoint.json"
    table: str = "matches.csv"  # to which each step appends
    resumed: str = "generations"  # the option that prolongs

    def run(self, out: Path, steps: int = 3, **how: Any) -> Any:
        """Make a run of so many steps."""
        return self.make(self.config, out=out, changes={**self.settings, self.length: steps},
                         **{"backend": "serial", **how})

    def resume(self, path: Path, **how: Any) -> Any:
        """Open a run and let it go on."""
        return self.opened(path).resume(backend="serial", **how)

    def words(self, steps: int) -> list[str]:
        """Return the words of the command that makes such a run, but for its folder."""
        changes = {**self.settings, self.length: steps}
        return [*self.command.split(), "--config", self.config, "--backend", "serial",
                *(f"--set={key}={json.dumps(value)}" for key, value in changes.items())]


DECKS: dict[str, Any] = {"games": 2, "search.first": 8, "search.mu": 3, "search.lambda": 6,
                         "confirm.games": 4, "confirm.best": 2}
MAP = {"search.strategy": "map-elites", "search.cells": [4, 4], "confirm.elites": 2,
       "search.features": ["hand", "turns"], "pilots": ["random", "greedy:metastone"]}
KINDS = {
    "evolve": Kind(hsevo.evolve, hsevo.Run, "evolve", "smoke", "evolution.generations", {
        "evolution.mu": 2, "evolution.lambda": 2, "games": 2, "decks": ["mage"],
        "references.against": ["random"], "references.every": 2, "references.games": 4},
        table="population.csv"),
    "learn": Kind(hsevo.learn, hsevo.Learned, "learn", "osfp-smoke", "periods", {
        key: value for key, value in LEARNING.items() if key != "periods"} | {
        "learner.last_rate": 0.01}, state="state.npz", table="learning.csv", resumed="periods"),
    "decks": Kind(hsevo.evolve_decks, hsevo.DeckEvolution, "decks evolve", "deck-smoke",
                  "search.generations", DECKS),
    "map of decks": Kind(hsevo.evolve_decks, hsevo.DeckEvolution, "decks evolve", "deck-smoke",
                         "search.generations", DECKS | MAP),
    "coevolve": Kind(hsevo.coevolve, hsevo.Coevolution, "coevolve", "coevolve-smoke", "generations",
                     {"games": 2, "decks.first": 5, "decks.mu": 2, "decks.lambda": 3,
                      "weights.mu": 2, "weights.lambda": 3, "hall.size": 2, "reference.games": 2,
                      "reference.against": ["warrior"], "confirm.games": 4,
                      "confirm.choosing": 2}),
}
EACH = [kind for kind in KINDS if kind != "map of decks"]  # of which a map is one


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return what gives a finished run of a kind, which no test may change."""
    made: dict[str, Path] = {}

    def whole(kind: str) -> Path:
        if kind not in made:
            made[kind] = KINDS[kind].run(tmp_path_factory.mktemp("whole") / "run").path
        return made[kind]

    return whole


@pytest.fixture
def copies(wholes: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """Return what gives a copy of a finished run of a kind."""
    return lambda kind: Path(shutil.copytree(wholes(kind), tmp_path / kind))


def every(path: Path) -> dict[str, bytes]:
    """Return the bytes of all files of a folder."""
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*"))
            if file.is_file() and not file.is_symlink() and file.name != ".lock"}


def content(path: Path) -> dict[str, bytes]:
    """Return the bytes that depend on the plan alone."""
    return {name: data for name, data in every(path).items() if name not in OWN
            and name != "state.npz"}  # which holds times


@pytest.mark.parametrize("kind", KINDS)
def test_any_workers_give_the_same_bits(kind: str, wholes: Callable[[str], Path],
                                        tmp_path: Path) -> None:
    two = KINDS[kind].run(tmp_path / "two", workers=2, backend="threads")
    assert content(two.path) == content(wholes(kind))
    assert content(KINDS[kind].run(tmp_path / "other", seed=2).path) != content(wholes(kind))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_one_goes_on_with_the_same_bits(kind: str, tmp_path: Path) -> None:
    one, path = KINDS[kind], tmp_path / "killed"
    whole = one.run(tmp_path / "whole", 7)
    child = apart.begin(*one.words(7), "--out", path, fake=False)
    deadline = time.monotonic() + 120
    while not (path / one.state).exists():
        assert time.monotonic() < deadline, "no step within two minutes"
        time.sleep(0.005)
    child.kill()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    assert not one.opened(path).done
    with (path / one.table).open("a") as file:
        file.write("half a li")
    assert content(one.resume(path).path) == content(whole.path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_prolonged_one_is_as_if_planned_so(kind: str, copies: Callable[[str], Path],
                                             tmp_path: Path) -> None:
    one, path = KINDS[kind], copies(kind)
    one.resume(path, **{one.resumed: 5})
    assert content(path) == content(one.run(tmp_path / "planned", 5).path)
    assert one.opened(path).verify(backend="serial").problems == []
    words = (*one.command.split(), "--resume", path, f"--{one.resumed}")
    assert f"{one.resumed} is 2, but" in fails(*words, 2) or "has 5 already" in fails(*words, 2)


# --- damage


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_byte_of_any_file_is_found(kind: str, copies: Callable[[str], Path]) -> None:
    """Whichever it is: of two of every file, in one line that names the file."""
    path = copies(kind)
    for name, data in every(path).items():
        if name in ("done", "log.txt"):  # what they say counts for nothing
            continue
        for at in (len(data) // 3, 2 * len(data) // 3):
            changed = bytearray(data)
            changed[at] ^= 1
            (path / name).write_bytes(changed)
            said = fails("verify", path)
            assert name.rpartition("/")[2] in said, f"{name}, byte {at}: {said}"
            assert said.count("\n") == 1
        (path / name).write_bytes(data)
    assert call("verify", path).exit_code == 0


# A file of a folder, what stands in it instead (None: it is gone), and what is said of it.
DAMAGE: list[tuple[str, bytes | None, str]] = [
    ("about.json", None, "is not a run folder of hsevo: it has no about.json"),
    ("about.json", b"{", "about.json is damaged: "),
    ("about.json", b"[" * 200_000, "about.json is damaged"),
    ("about.json", b"[]", "about.json is damaged: it must be a mapping"),
    ("about.json", b'{"name": "other"}', "not a run folder of hsevo: its about.json was written"),
    ("about.json", b'{"kind": "KIND", "format": 99, "version": "9"}', "use hsevo 9"),
    ("config.yaml", None, "config.yaml"),
    ("config.yaml", b"seed: [", "config.yaml is not valid YAML"),
    ("STATE", None, "is missing, and the folder can't be read without it"),
    ("STATE", b"{", "STATE is damaged: "),
    ("STATE", b"PK\3\4" + bytes(90), "STATE is damaged: "),
    ("TABLE", None, "TABLE is damaged"),
    ("TABLE", b"", "TABLE is damaged: it has 0 bytes, but "),
    ("TABLE", b"x,y\n" * 60_000, "TABLE is damaged: it is not what was written"),
]


@pytest.mark.parametrize("kind", EACH)
def test_damage_is_named_in_a_line_and_nothing_is_cut_off(kind: str,
                                                          copies: Callable[[str], Path]) -> None:
    path, one = copies(kind), KINDS[kind]
    whole, wrong = every(path), []
    its = json.loads(whole["about.json"])["kind"]
    for name, data, words in DAMAGE:
        file = path / name.replace("STATE", one.state).replace("TABLE", one.table)
        says = words.replace("STATE", one.state).replace("TABLE", one.table)
        file.unlink()
        if data is not None:
            file.write_bytes(data.replace(b"KIND", its.encode()))
        before = every(path)
        for command in (("verify", path), (*one.command.split(), "--resume", path)):
            said = fails(*command)
            if says not in said or said.count("\n") != 1 or every(path) != before:
                wrong.append((name, data and data[:20], command, said))
        file.write_bytes(whole[str(file.relative_to(path))])
    assert wrong == []


@pytest.mark.parametrize("kind", EACH)
def test_a_heading_that_was_forged_with_its_sum_is_noticed(
        kind: str, copies: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two columns that change their names would change what their numbers mean."""
    path, part = copies(kind), Folder._part

    def forged(folder: Folder[Any], name: str) -> bytes:
        heading, sign, lines = part(folder, name).partition(b"\n")
        if name != KINDS[kind].table:
            return heading + sign + lines
        *others, last, end = heading.split(b",")
        return b",".join([*others, end, last]) + sign + lines

    monkeypatch.setattr(Folder, "_part", forged)
    said = call("verify", path)
    assert said.exit_code != 0
    assert "its first line is not its heading" in said.output


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders")
@pytest.mark.parametrize("kind", EACH)
def test_pipes_are_not_read_and_links_not_written_through(
        kind: str, copies: Callable[[str], Path], tmp_path: Path) -> None:
    """Who opens a pipe waits for ever; a link could lead to any file of the user."""
    path, one = copies(kind), KINDS[kind]
    for name in ("about.json", "config.yaml", one.state, *one.opened(path).growing):
        (path / name).rename(tmp_path / "kept")
        os.mkfifo(path / name)
        assert "a pipe or a device" in fails("verify", path), name
        assert "a pipe or a device" in fails(*one.command.split(), "--resume", path), name
        (path / name).unlink()
        (tmp_path / "kept").rename(path / name)
    (path / "done").unlink()
    growing = one.opened(path).growing
    assert one.table in growing
    for name in (*growing, "log.txt"):
        outside = tmp_path / "outside"
        (path / name).rename(outside)
        (path / name).symlink_to(outside)
        before = outside.read_bytes()
        assert f"{name}: it is a link" in fails(*one.command.split(), "--resume", path)
        assert outside.read_bytes() == before
        (path / name).unlink()
        outside.rename(path / name)


@pytest.mark.parametrize("kind", EACH)
def test_a_run_of_another_engine_is_read_and_does_not_go_on(
        kind: str, copies: Callable[[str], Path]) -> None:
    path, one = copies(kind), KINDS[kind]
    (path / "done").unlink()
    sign_about(path, engine="0123456789abcdef")
    before = every(path)
    with pytest.raises(HsevoError, match="the results would differ"):
        one.resume(path)
    assert every(path) == before
    assert call("watch", "--once", path).exit_code == 0


@pytest.mark.parametrize("kind", EACH)
def test_other_folders_are_refused(kind: str, wholes: Callable[[str], Path],
                                   tmp_path: Path) -> None:
    one = KINDS[kind]
    for other in {*EACH} - {kind}:
        said = fails(*one.command.split(), "--resume", wholes(other))
        assert f"is a run of hsevo {KINDS[other].command}, but this command needs a run" in said
    assert "there is no folder" in fails(*one.command.split(), "--resume", tmp_path / "none")
    (tmp_path / "file").write_text("x")
    for used in (wholes(kind), tmp_path / "file"):
        before = used.read_bytes() if used.is_file() else every(used)
        with pytest.raises(HsevoError, match=r"already exists and is not empty|is a file; choose"):
            one.run(used)
        assert before == (used.read_bytes() if used.is_file() else every(used))


# --- contests


@dataclass(frozen=True)
class Contest:
    """A kind of contest: the call that plays it and goes on with it, and what opens its folder."""

    call: Callable[..., Any]
    opened: Callable[[Path], Any]
    about: str  # the file that says what it is
    inner: str = "."  # where its games are
    other: dict[str, Any] = field(default_factory=lambda: {"seed": 2})  # settings of another

    def play(self, out: Path, **how: Any) -> Any:
        """Play it, or go on with it."""
        return self.call(out=out, **{"backend": "serial", **how})


AGENTS = ("eva:2018", "random")
CONTESTS = {
    "match": Contest(partial(hsevo.match, *AGENTS, 36), hsevo.open_match, "match.yaml"),
    "sequential match": Contest(partial(hsevo.match, *AGENTS, 360, sprt=(0, 200)),
                                hsevo.open_match, "match.yaml"),
    "data set": Contest(partial(hsevo.dataset, *AGENTS, games=36, shard_games=2),
                        hsevo.read_dataset, "dataset.yaml"),
    "arena": Contest(partial(hsevo.arena, [*AGENTS, "gsv"], 36), hsevo.resume_arena, "arena.yaml"),
    "benchmark": Contest(partial(hsevo.benchmark, AGENTS[0], games=18, panel="panel-2026"),
                         hsevo.resume_benchmark, "arena.yaml", other={"games": 36}),
    "series": Contest(partial(hsevo.series, AGENTS[0], "eva:group-1", 20, mine="mage,shaman",
                              choose="best", scouting=4, ban=True),
                      hsevo.open_series, "series.yaml"),
    "matrix": Contest(partial(hsevo.meta, ["mage", "shaman", "warrior"], "random", 20),
                      hsevo.open_meta, "arena.yaml", "matrix"),
    "exploit": Contest(partial(hsevo.exploit, "random", 1, source="osfp-smoke", measure=36),
                       lambda path: hsevo.open_match(path / "match"), "match.yaml", "match",
                       {"measure": 54}),
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return what gives a finished contest of a kind, which no test may change."""
    made: dict[str, Path] = {}

    def whole(kind: str) -> Path:
        if kind not in made:
            made[kind] = tmp_path_factory.mktemp("contest") / "mine"
            with chdir(made[kind].parent):  # the names of agents have the paths of their files
                CONTESTS[kind].play(Path("mine"))
        return made[kind]

    return whole


@pytest.fixture
def mine(kind: str, finished: Callable[[str], Path], here: Path, fake_engine: None) -> Path:
    """Return a copy of a finished contest in the folder where one stands."""
    return Path(shutil.copytree(finished(kind), "mine"))


@pytest.mark.parametrize("kind", CONTESTS)
def test_a_contest_that_was_stopped_anywhere_ends_with_the_same_bytes(
        kind: str, mine: Path, finished: Callable[[str], Path]) -> None:
    """Whole blocks count; a part of the next, of which no sum tells yet, is cut off."""
    one, games = CONTESTS[kind], mine / CONTESTS[kind].inner / "games.csv"
    lines = games.read_bytes().splitlines(keepends=True)
    for count, part in ((0, 0), (3, 0.5), (13, 1), (len(lines) - 2, 0.1)):
        for table in games.parent.glob("*.csv"):
            table.unlink()
        if count:
            journal.write(games, b"".join(lines[:count]))
            with games.open("ab") as file:
                file.write(lines[count][:int(part * len(lines[count]))])
        else:  # before the first game
            games.with_suffix(".sha256").unlink()
        if one.opened not in (hsevo.resume_arena, hsevo.resume_benchmark):  # which play on
            before = every(mine)
            with pytest.raises(RunError, match="the call that began it continues it"):
                one.opened(mine)
            assert every(mine) == before  # another process may be writing the next block
        one.play(mine)
        assert every(mine) == every(finished(kind)), (count, part)


@pytest.mark.parametrize("file", ["cast.json", "games.csv", "games.sha256"])
@pytest.mark.parametrize("kind", ["match", "arena", "series"])
def test_a_contest_whose_first_block_was_refused_can_begin_again(
        kind: str, file: str, finished: Callable[[str], Path], here: Path, fake_engine: None,
        monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        full_disk(patch, file)
        with pytest.raises(RunError, match="No space left"):
            CONTESTS[kind].play(Path("mine"))
    CONTESTS[kind].play(Path("mine"))
    assert every(Path("mine")) == every(finished(kind))


@pytest.mark.parametrize("kind", [one for one in CONTESTS if one != "exploit"])
def test_a_contest_is_the_same_with_any_workers(kind: str, finished: Callable[[str], Path],
                                                here: Path, fake_engine: None) -> None:
    CONTESTS[kind].play(Path("mine"), workers=3, backend="threads")
    assert every(Path("mine")) == every(finished(kind))


@pytest.mark.parametrize("kind", CONTESTS)
def test_a_finished_contest_is_opened_and_plays_nothing_again(
        kind: str, mine: Path, finished: Callable[[str], Path],
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "play_block", None)
    again = CONTESTS[kind].play(mine)
    if hasattr(again, "save"):
        opened = CONTESTS[kind].opened(mine)
        assert (repr(opened), opened.done) == (repr(again), again.done)
        assert opened.games.equals(again.games)
        assert every(opened.save(Path("saved"))) == every(mine)
    assert every(mine) == every(finished(kind))


@pytest.mark.parametrize("kind", ["match", "series"])
def test_a_contest_of_another_engine_is_read_and_names_it(kind: str, mine: Path) -> None:
    about = CONTESTS[kind].about
    for name in ("cast.json", about):
        (mine / name).write_text((mine / name).read_text().replace(fingerprint(), "feed" * 4))
    saved = every(CONTESTS[kind].opened(mine).save(Path("saved")))
    assert {name: saved[name] for name in ("cast.json", about)} == {
        name: (mine / name).read_bytes() for name in ("cast.json", about)}
    with pytest.raises(HsevoError, match="begun with other engine"):
        CONTESTS[kind].play(mine)


# A file of a contest; what stands in it instead (None: it is gone; two texts: one for the other);
# and what is said of it.
CONTEST_DAMAGE: list[tuple[str, bytes | tuple[bytes, bytes] | None, str]] = [
    ("ABOUT", b"{", "ABOUT is not valid YAML"),
    ("ABOUT", b"[" * 200_000, "ABOUT is not valid YAML"),
    ("ABOUT", b"[]", "ABOUT must hold 'key: value' lines"),
    ("ABOUT", b"kind: other", "ABOUT is not of this hsevo; it was written by another program"),
    ("ABOUT", (b"format: 1", b"format: 99"), "ABOUT is not of this hsevo"),
    ("ABOUT", (b"max_turns: 89", b"max_turns: 98"),
     "begun with other rules|has games of other agents, decks or settings"
     "|is an arena, not a benchmark against a panel"),
    ("ABOUT", (b"rules: ", b"rules: x"), "begun with other rules"),
    ("ABOUT", (b"max_turns: 89", b"max_turns: x"), "max_turns is 'x', but"),
    ("ABOUT", (b"agents and decks: ", b"agents and decks: x"), "begun with other agents and decks"),
    ("games.csv", None, "its SHA-256 differs from games.sha256"),
    ("games.csv", b"", "games.csv is damaged: its SHA-256 differs"),
    ("games.csv", b"x,y\n" * 60_000, "games.csv is damaged: its SHA-256 differs"),
    ("games.csv", (b",1,0,0,0,", b",0,1,0,0,"), "games.csv is damaged"),  # who won
    ("games.csv", (b"0\n", b"99999450\n"), "games.csv is damaged"),  # what no table shows
    ("games.sha256", None, "games.sha256 is missing, and the folder"),
    ("games.sha256", b"", "games.sha256 is damaged: it is not a line of sha256sum's"),
    ("games.sha256", b"0" * 64 + b"  games.csv\n", "games.csv is damaged"),
    ("games.csv", b"A PIPE", "games.csv: it is a pipe or a device"),
    ("games.csv", b"A LINK", "games.csv: it is a link"),
    ("games.sha256", b"A LINK", "games.sha256: it is a link"),
]


@pytest.mark.parametrize("kind", CONTESTS)
def test_damage_of_a_contest_is_named_in_a_line_and_left_as_it_is(kind: str, mine: Path) -> None:
    one, folder = CONTESTS[kind], mine / CONTESTS[kind].inner
    whole, wrong = every(mine), []
    for name, data, words in CONTEST_DAMAGE:
        file, outside = folder / name.replace("ABOUT", one.about), Path("outside")
        file.rename(outside)
        if data == b"A PIPE":
            os.mkfifo(file)
        elif data == b"A LINK":
            file.symlink_to(outside.absolute())
        elif isinstance(data, tuple):
            assert data[0] in outside.read_bytes()
            file.write_bytes(outside.read_bytes().replace(*data, 1))
        elif data is not None:
            file.write_bytes(data)
        before = every(mine)
        for act in (one.opened, one.play):
            try:
                act(mine)
                said = "nothing"
            except HsevoError as error:
                said = str(error)
            expected = words.replace("ABOUT", one.about).split("|")
            if not any(word in said for word in expected) or "\n" in said:
                wrong.append((name, data and data[:20], act.__name__, said))
        assert every(mine) == before, (name, data)
        file.unlink(missing_ok=True)
        outside.rename(file)
    assert wrong == []
    one.play(mine)
    assert every(mine) == whole


@pytest.mark.parametrize("kind", [one for one in CONTESTS if one != "exploit"])
def test_the_same_call_brings_a_damaged_cast_back(kind: str, mine: Path) -> None:
    whole, cast = every(mine), mine / CONTESTS[kind].inner / "cast.json"
    for data in (None, b"{}", cast.read_bytes()[:-30]):
        cast.unlink()
        if data is not None:
            cast.write_bytes(data)
        if CONTESTS[kind].about != "arena.yaml":  # which names files to read agents from anew
            with pytest.raises(HsevoError, match=r"cast\.json"):
                CONTESTS[kind].opened(mine)
        CONTESTS[kind].play(mine)
        assert every(mine) == whole


@pytest.mark.parametrize("kind", CONTESTS)
def test_folders_of_something_else_take_no_contest(kind: str, mine: Path) -> None:
    one, before = CONTESTS[kind], every(mine)
    with pytest.raises(HsevoError, match=r"[Cc]hoose another folder|finished measurement of 36"):
        one.play(mine, **one.other)
    (Path("full") / one.inner).mkdir(parents=True)
    (Path("full") / one.inner / "notes.txt").write_text("mine")
    with pytest.raises(HsevoError, match="already exists and is not empty"):
        one.play(Path("full"))
    for other in {one.about for one in CONTESTS.values()} - {one.about}:
        (mine / one.inner / one.about).rename(mine / one.inner / other)
        with pytest.raises(HsevoError, match=rf"is not .* of hsevo: it has no {one.about}"):
            one.opened(mine)
        (mine / one.inner / other).rename(mine / one.inner / one.about)
    assert every(mine) == before
    assert [path.name for path in Path("full").rglob("*.*")] == ["notes.txt"]
