"""Folders and files as others may send them: made, damaged, and given to every command that reads.

    python -m tests.support.hostile 1000 7 ["run,config" [60]]

tries a thousand of them from seed 7 (of these cases, for a minute at most), with all commands.

Each must end well, or with one clear line for each mistake: no other exception, nothing that a
terminal would obey, and no wait.
"""

import os
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from click.testing import CliRunner

import hsevo
from hsevo import config
from hsevo.agents.genomes.weights import write_weights
from hsevo.cli import main
from hsevo.play import match
from hsevo.play.session import Session
from hsevo.store import journal
from tests.support import ROOT, fake
from tests.support.mutations import mutate
from tests.support.sums import sign

WARNINGS = (RuntimeWarning, FutureWarning, pd.errors.DtypeWarning, pd.errors.ParserWarning)
SECONDS = 20  # for one command; they take less than one
MOST_LINES = 25  # of a message: twenty mistakes, and more
SMALL = ("--backend", "serial", "--set", "games=2", "--set", "decks=[mage, warrior]",
         "--set", "evolution.mu=3", "--set", "evolution.lambda=3")


Command: TypeAlias = Callable[[], object] | tuple[str, ...]


class Case(NamedTuple):
    """What is damaged, below a folder; and the commands that read it, as words or a call."""

    name: str
    files: Sequence[str]
    commands: Sequence[Command]
    slow: Sequence[tuple[str, ...]] = ()  # commands that take seconds: not for every test


class Words(NamedTuple):
    """What is given to a command and damaged first; the command, with that in it."""

    name: str
    words: Sequence[str]
    command: Callable[[str], Command]


RUN: list[Command] = [
    ("watch", "--once", "run"), ("verify", "run"), ("replay", "run", "--list"),
    ("export-best", "run", "--games-per-pair", "1", "--backend", "serial"),
    ("match", "eva:run", "random", "--games", "8", "--decks", "mage", "--backend", "serial"),
    ("evolve", "--resume", "run", "--backend", "serial"),
    lambda: draw("run"), lambda: hsevo.Run("run").replay(),
]
TABLES = ["population.csv", "statistics.csv", "references.csv"]
CASES = [
    Case("run", [f"run/{name}" for name in [
        "about.json", "about.json", "checkpoint.json", "checkpoint.json", "config.yaml", *TABLES,
        *TABLES, "log.txt", "done", ".lock",
        "matches.parquet/execution-01-generation-000000.parquet",
        "matches.parquet/execution-02-generation-000001.parquet"]], RUN, [
        ("report", "run", "--out", "drawn")]),
    Case("old", [f"old/{name}" for name in [
        "about.json", "checkpoint.json", "config.yaml", *TABLES, "log.txt",
        "matches.parquet/execution-01-generation-000002.parquet"]], [
        ("watch", "--once", "old"), ("verify", "old"), ("replay", "old", "--list"),
        lambda: draw("old")]),
    Case("begun", [f"begun/{name}" for name in [
        "arena.yaml", "games.csv", "games.sha256", ".lock"]], [
        ("arena", "--resume", "begun", "--backend", "serial")]),
    Case("arena", [f"arena/{name}" for name in [
        "arena.yaml", "games.csv", "games.csv", "games.sha256", "ratings.csv", "pairs.csv",
        "deck_pairs.csv", "cast.json"]], [
        ("arena", "--resume", "arena", "--backend", "serial"), ("replay", "arena", "--list"),
        lambda: hsevo.replay("arena"), lambda: standing("arena")], [
        ("report", "--arena", "arena", "--out", "drawn")]),
    Case("benchmark", [f"benchmark/{name}" for name in [
        "arena.yaml", "games.csv", "ratings.csv", "pairs.csv", "benchmark.csv", "cast.json"]], [
        ("benchmark", "--resume", "benchmark", "--backend", "serial"),
        lambda: standing("benchmark")]),
    Case("match", [f"match/{name}" for name in [
        "match.yaml", "games.csv", "pairs.csv", "cast.json", "cast.json"]], [
        ("replay", "match", "--list"), lambda: hsevo.replay("match")]),
    Case("dataset", [f"dataset/{name}" for name in [
        "dataset.yaml", "games.csv", "decisions.sha256", "decisions.parquet/part-0000000.parquet",
        "decisions.parquet/part-0000000.parquet", "cast.json"]], [
        lambda: decide("dataset"), ("replay", "dataset", "--list"),
        ("dataset", "eva:agents.csv#agent-1", "random", "--games", "18", "--shard-games", "4",
         "--out", "dataset", "--backend", "serial")]),
    Case("examined", [f"examined/{name}" for name in [
        "examined.yaml", "landscape.csv", "turns.csv", "games.csv"]], [
        lambda: profile("examined")], [("report", "--examined", "examined", "--out", "drawn")]),
    Case("played", ["played/games.csv", "played/cast.json"], [
        lambda: groups("played"), ("replay", "played", "--list"), lambda: hsevo.replay("played")], [
        ("report", "--agents", "agents.csv", "--tournament", "played", "--out", "drawn")]),
    Case("cup", [f"cup/{name}" for name in [
        "games.csv", "games.csv", "games.sha256", "match.yaml"]], [
        lambda: cup(), ("replay", "cup", "--list")]),
    Case("refers", ["agents.csv", "refers/references.csv", "refers/config.yaml"], [
        ("verify", "refers"), ("evolve", "--resume", "refers", "--backend", "serial"),
        ("watch", "--once", "refers"), lambda: begin("refers.yaml")]),
    Case("learned", [f"learned/{name}" for name in [
        "about.json", "about.json", "config.yaml", "state.npz", "learning.csv", "references.csv",
        "times.csv", "log.txt", "done", ".lock", "checkpoints/period-0000.npz"]], [
        ("watch", "--once", "learned"), ("verify", "learned"),
        ("learn", "--resume", "learned", "--backend", "serial"),
        ("match", "rl:learned", "random", "--games", "2", "--decks", "mage", "--backend",
         "serial")], [("report", "learned", "--out", "drawn")]),
    Case("drawn", ["drawn/report.html", "drawn/figures", "drawn/tables", "drawn/.unfinished"], [
        lambda: redraw("drawn")]),
    Case("config", ["mine.yaml"], [lambda: begin("mine.yaml")]),
    Case("study", ["study.yaml"], [lambda: study("study.yaml")]),
    Case("ladder", ["ladder.yaml"], [lambda: ladder("ladder.yaml")]),
    Case("weights", ["agents.csv", "agents.yaml", "agents.txt"], [
        ("match", "eva:agents.csv#agent-1", "random", "--games", "2", "--decks", "mage",
         "--backend", "serial"),
        lambda: [hsevo.agents.genomes.weights.read_weights(f"agents.{kind}")  # type: ignore[attr-defined]
                 for kind in ("csv", "yaml", "txt")]]),
    Case("deck", ["deck.txt"], [("decks", "check", "deck.txt"), (
        "match", "eva:2018", "random", "--games", "2", "--decks", "deck.txt", "--backend",
        "serial")]),
    Case("database", ["decks.csv", "lists/mage.txt"], [
        ("decks", "search", "--database", "decks.csv"), (
            "decks", "guess", "--class", "mage", "--seen", "Fireball", "--database", "lists")]),
    Case("game", ["game.json"], [lambda: Session.load("game.json")]),
    Case("world", ["world.json"], [lambda: Session.load("world.json")]),
]
FOLDERS = ["run", "arena", "match", "played", "examined", "agents.csv", "label=run", "new/a"]
WORDS = [
    Words("specs", [
        "eva:2018", "eva:agents.csv#agent-1", "eva:agents.yaml#agent-0", "eva:agents.txt",
        "eva:run", "eva:run#individual-1", "gsv?depth=2", "dl:run#2", "hearthsim?w_ds=0.5",
        "mcts?seconds=1", "tyche", "eva:2018?depth=2", "random"], lambda spec: (
        "match", "--games", "2", "--decks", "mage", "--backend", "serial", "--", spec, "random")),
    Words("agents", ["eva:agents.csv#agent-1", "gsv?depth=2", "#0.1#0.2#0.3", "eva:run#3"],
          lambda spec: lambda: hsevo.Agent(spec)),
    Words("settings", [
        "games=2", "seed=3", "evolution.mu=20", "evolution.bounds=[0, 1]", "decks=[mage, shaman]",
        "references={against: [random], games: 8}", "references.against=[eva:agents.csv#agent-1]",
        "rating.racing.rounds=5", "evolution.strategy=cma-es", "agent=gsv?depth=1", "tau=0.1",
        "workers.count=2", "workers.scheduler=tcp://a:1", "evolution.tau=null", "max_turns=9",
        "out=here", "rating.hall_of_fame=3", "evolution.epsilon=1e-5", "information=fair"],
          lambda text: lambda: settle(text)),
    Words("codes", [
        "AAEBAf0EBE2iAskD7AcNigG7ApUD4QSWBewFo7YC17YC67oCh70CwcECmMQCj9MCAA==", "mage", "deck.txt",
        "https://hearthstone.blizzard.com/deckbuilder?deckcode=AAEBAf0EBE2iAskD", "zoo.txt"],
          lambda text: ("decks", "check", "--", text)),
    Words("texts", ["fireball", "tirion fordring", "warrior", "cost 3", "CS2_029"],
          lambda text: ("cards", "show", "--", text)),
    Words("watch", FOLDERS, lambda text: ("watch", "--once", "--", text)),
    Words("verify", FOLDERS, lambda text: ("verify", "--", text)),
    Words("replay", FOLDERS, lambda text: ("replay", "--list", "--", text)),
    Words("resume", FOLDERS, lambda text: ("arena", "--resume", text, "--backend", "serial")),
    Words("report", FOLDERS, lambda text: ("report", "--groups", "3", "--out", "run", "--", text)),
]


def draw(path: str) -> None:
    """Read a run as `report` does, and make all its tables."""
    from hsevo.reports import tables
    from hsevo.reports.sections import REPORT

    data = REPORT.load([Path(path)])
    for table in (tables.overview, tables.survivors, tables.lifespans, tables.newcomers,
                  tables.sigmas, tables.champions, tables.last_matches):
        table(data)


def standing(path: str) -> None:
    """Read an arena as `report` does."""
    from hsevo.play import short_names
    from hsevo.reports import arenas

    field = arenas.read(Path(path))
    for agent, opponent in arenas.to_map(field, []):
        arenas.by_deck_pair(field, agent, opponent)
    short_names(field.names)


def profile(path: str) -> None:
    """Read an examination as `report` does."""
    from hsevo.analysis.examine import Examination
    from hsevo.analysis.profile import shares

    found = Examination.read(Path(path))
    shares(found.turns, found.games, found.agent)


def decide(path: str) -> None:
    """Read the decisions of a data set."""
    hsevo.read_dataset(path).arrays()


def groups(path: str) -> None:
    """Read the games of a file of agents as `report` does."""
    from hsevo.reports import groups as parting

    parting.deck_matrix(parting.record(parting.read_games(Path(path))))


def begin(source: str | config.Config) -> None:
    """Make the run folder of a config: a path, or the config itself."""
    plan = hsevo.load_config(source) if isinstance(source, str) else source
    shutil.rmtree("begun-run", ignore_errors=True)
    hsevo.Run.create(plan, "begun-run")


def settle(text: str) -> None:
    """Make the run folder of a config that --set changes."""
    begin(config.load("smoke", (text,)))


def cup() -> None:
    """Go on with a stopped match."""
    hsevo.match(*(f"eva:agents.csv#agent-{i}" for i in range(2)), 2600, out="cup",
                backend="serial")


def redraw(path: str) -> None:
    """Write a report where there may be an older one."""
    from hsevo.reports import page

    page.check_folder(Path(path))
    page.write(Path(path), "again", [])


def study(path: str) -> None:
    """Read a study."""
    from hsevo.strength.study_plans import load_study

    load_study(path)


def ladder(path: str) -> None:
    """Read a ladder, and resolve its rungs."""
    from hsevo.learning.ladders import load_ladder, plans_of

    plans_of(load_ladder(path))


def make(folder: Path) -> None:
    """Make all that is damaged later, whole, in an empty folder."""
    os.chdir(folder)
    random = np.random.default_rng(3)
    names = [f"agent-{i}" for i in range(3)]
    for kind in ("csv", "yaml", "txt"):
        write_weights(f"agents.{kind}", names, random.random((3, 21)))
    for words in (
            ("evolve", "--config", "smoke", *SMALL, "--out", "run", "--executions", "2", "--set",
             "evolution.generations=2", "--set", "references={against: [random], games: 8}"),
            ("arena", "random", "eva:2018", "eva:agents.csv#agent-1", "--games", "8", "--decks",
             "mage,warrior", "--out", "arena", "--backend", "serial"),
            ("arena", "--runs", "agents.csv", "--games", "18", "--out", "played", "--backend",
             "serial"),
            ("benchmark", "eva:agents.csv#agent-1", "--panel", "panel-2026",
             "--games", "18", "--out", "benchmark", "--backend", "serial"),
            ("match", "eva:agents.csv#agent-1", "random", "--games", "18", "--out", "match",
             "--backend", "serial"),
            ("dataset", "eva:agents.csv#agent-1", "random", "--games", "18", "--shard-games", "4",
             "--out", "dataset", "--backend", "serial")):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, f"{result.output} {result.exception!r}"
    shutil.copytree(ROOT / "tests" / "data" / "run-0.1.0", "old")
    shutil.copytree("arena", "begun")
    for name in ("ratings", "pairs", "deck_pairs"):
        (folder / "begun" / f"{name}.csv").unlink()
    lines = (folder / "arena" / "games.csv").read_bytes().splitlines(keepends=True)
    journal.write(folder / "begun" / "games.csv", b"".join(lines[:9]))
    shutil.copy(ROOT / "configs" / "cig2018-fast.yaml", "mine.yaml")
    shutil.copy(ROOT / "configs" / "studies" / "divine-shield.yaml", "study.yaml")
    shutil.copy(ROOT / "configs" / "ladders" / "table-1.yaml", "ladder.yaml")
    shutil.copy(ROOT / "decks" / "mage.txt", "deck.txt")
    Path("lists").mkdir()
    shutil.copy(ROOT / "decks" / "mage.txt", "lists")
    Path("decks.csv").write_text("deck,class,cards,weight,patch\n" + "".join(
        f"{name},{deck.hero},{'|'.join(deck.cards)},2,msg\n" for name, deck in (
            (name, hsevo.Deck(name)) for name in ("mage", "shaman"))))
    game = Session(*fake.DECKS[:2], seed=1)
    for _ in range(8):
        game.play(game.moves[0])
    game.save("game.json")
    game.worlds(game.player)[0].save("world.json")
    make_stopped()
    hsevo.examine("eva:2018", against=["random"], games=2, profile_games=2, decks="mage",
                  out="examined", backend="serial")


def make_stopped() -> None:
    """Make a match and runs that were stopped in their middle, and what a report wrote."""
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        hsevo.match(*(f"eva:agents.csv#agent-{i}" for i in range(2)), 2600, out="cup",
                    backend="serial", progress=stop)
    (Path("refers.yaml")).write_text(config.dump(config.change(config.load("smoke", SMALL[3::2]), {
        "references.against": ["eva:agents.csv#agent-1"], "references.games": 8,
        "references.every": 1, "evolution.generations": 2})))
    few = {"periods": 2, "rounds": 1, "games": 1, "decks": ["mage"], "payoff_games": 1,
           "references.against": ["random"], "references.games": 2}
    with suppress(KeyboardInterrupt):  # after its first period
        hsevo.learn("osfp-smoke", out="learned", backend="serial", changes=few,
                    progress=lambda done, total: stop(done, total) if done > 3 else None)
    with suppress(KeyboardInterrupt):
        hsevo.evolve("refers.yaml", out="refers", backend="serial", progress=stop)
    redraw("drawn")


def damage(path: Path, random: Random) -> str:
    """Change a file, or put something else in its place; return how."""
    odd: dict[str, Callable[[], object]] = {
        "nothing": lambda: None, "a folder": path.mkdir, "a pipe": lambda: os.mkfifo(path),
        "a link to itself": lambda: path.symlink_to(path), "a device": lambda: path.symlink_to(
            "/dev/zero"), "a link to nothing": lambda: path.symlink_to("nowhere")}
    if random.random() < 0.06:
        way = random.choice([*odd])
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        odd[way]()
        return way
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return "as odd as before"
    data = path.read_bytes() if path.exists() else b""
    path.write_bytes(mutate(data or b"x", path.suffix, random))
    return "other bytes"


def sign_again(folder: Path) -> None:
    """Put all sums right again, as somebody would who wants to hide the damage."""
    if not all(path.is_file() or path.is_dir() for path in folder.rglob("*")):
        return  # a pipe, or a device
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError,
                  hsevo.HsevoError):
        for sums in folder.glob("*.sha256"):
            if sums.with_suffix(".csv").is_file():
                journal.write(sums.with_suffix(".csv"), sums.with_suffix(".csv").read_bytes())
        if (folder / "about.json").is_file():
            sign(folder)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the main thread after so many seconds."""

    def late(*_: object) -> None:
        raise TimeoutError("it hung")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def complaint(command: Command) -> str:
    """Give a command what was damaged; return what is wrong with how it ends, "" if nothing."""
    return ends(command)[1]


def ends(command: Command) -> tuple[int, str]:
    """Return a command's exit code, 2 for an error of hsevo's; and what is wrong with its end."""
    with warnings.catch_warnings(record=True) as caught:
        for kind in WARNINGS:
            warnings.simplefilter("always", kind)
        code, said = _ends(command)
    return code, said or "".join(f"{one.filename}: {one.message!r}\n" for one in caught)


def _ends(command: Command) -> tuple[int, str]:
    try:
        with limited(SECONDS):
            if not isinstance(command, tuple):
                command()
                return 0, ""
            result = CliRunner().invoke(main, command)
    except hsevo.HsevoError as error:
        return 2, _of_text(str(error))
    except BaseException:
        return 1, traceback.format_exc()
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        return 1, "".join(traceback.format_exception(error))
    if result.exit_code == 2:
        return 2, _of_text(result.stderr)
    return result.exit_code, _of_text(result.output, 10**6)


def _of_text(text: str, most: int = MOST_LINES) -> str:
    """Say what is wrong with a text for a terminal."""
    bad = {sign for sign in text if not sign.isprintable() and sign != "\n"}
    lines = text.splitlines()
    if bad or re.search(r"^(hsevo: )?FORGED", text, re.MULTILINE):
        return f"{sorted(bad)} in {text!r}"
    if len(lines) > most or any(len(line) > 3000 for line in lines[:most]):
        return f"{len(lines)} lines, the longest of {max(map(len, lines))}: {text[:300]!r}"
    return ""


def copied(whole: Path, to: Path, folders: Collection[str]) -> None:
    """Copy all files, and some of the folders."""
    shutil.copytree(whole, to, ignore=lambda at, names: [
        name for name in names
        if Path(at) == whole and name not in folders and (whole / name).is_dir()])


def attack(whole: Path, case: Case, random: Random, every: bool) -> str:
    """Damage a copy of a case's own folders; give it to a command that reads it, or to every.

    One copy in ten is then given to the slow ones, too.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "x"
        copied(whole, folder, {file.partition("/")[0] for file in case.files})
        os.chdir(folder)
        file = random.choice(case.files)
        how = damage(folder / file, random)
        if random.random() < 0.2:
            how += f"; {damage(folder / random.choice(case.files), random)} for another"
        if random.random() < 0.5:
            how += "; signed again"
            sign_again(folder / file.partition("/")[0])
        commands = [*case.commands] if every else [random.choice(case.commands)]
        if every and random.random() < 0.1:
            commands += case.slow
        try:
            for command in commands:
                if said := complaint(command):
                    keep = Path(tempfile.mkdtemp(prefix="hostile-")) / "x"
                    shutil.copytree(folder, keep, symlinks=True, ignore=_no_pipes)
                    return f"{case.name}: {file} ({how}), {command}, kept in {keep}:\n{said}"
        finally:
            os.chdir(whole)
    return ""


def speak(whole: Path, case: Words, random: Random) -> str:
    """Give a damaged word to a command, in a copy of the folder."""
    with tempfile.TemporaryDirectory() as name:
        copied(whole, Path(name) / "x", FOLDERS)
        os.chdir(Path(name) / "x")
        data = mutate(random.choice(case.words).encode(), ".yaml", random)
        word = data.replace(b"\0", b"").decode(errors="surrogateescape")
        try:
            said = complaint(case.command(word))
        finally:
            os.chdir(whole)
    return said and f"{case.name}: {word!r}:\n{said}"


def _no_pipes(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if (Path(folder) / name).is_fifo()]


def try_many(number: int, seed: int, names: Sequence[str], seconds: float) -> None:
    """Damage so many inputs, for so long at most; print each new kind of complaint."""
    whole = Path(tempfile.mkdtemp())
    fake.install(lambda name, value: setattr(match, name, value))
    make(whole)
    cases = [case for case in (*CASES, *WORDS) if case.name in names or not names]
    random, kinds, done, began = Random(seed), Counter[str](), 0, time.monotonic()
    while done < number and time.monotonic() - began < seconds:
        done += 1
        case = random.choice(cases)
        if said := (speak(whole, case, random) if isinstance(case, Words) else
                    attack(whole, case, random, every=True)):
            kind = said.splitlines()[-1][:90]
            if not kinds[kind]:
                print(f"=== {said[:300]} ... {said[-2500:]}\n", flush=True)
            kinds[kind] += 1
    print(f"{done} damaged inputs from seed {seed} in {time.monotonic() - began:.0f} s:"
          f" {kinds.total()} complaints of {len(kinds)} kinds")


if __name__ == "__main__":
    number, seed, *more = sys.argv[1:]
    names, seconds = (*more, *("", "1e9")[len(more):])
    try_many(int(number), int(seed), names.split(",") if names else [], float(seconds))
