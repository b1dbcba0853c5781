"""Compiled tables in the cache folder are those that these sources make; otherwise none is used."""

import hashlib
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hsevo import registration, sources
from hsevo.cards import rulesets, sequences, stored, tables
from hsevo.cards.layout import TABLES
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.sets import basic, heroes
from hsevo.cards.terms import Class

NAME = "cig2018"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of stored tables of a new cache; a source may be edited meanwhile."""
    monkeypatch.setattr(sources, "cache", lambda: tmp_path)
    monkeypatch.setattr(registration, "BEGAN", time.time() + 3600)
    return tmp_path / "tables"


def compiled(ruleset: str) -> bytes:
    """Return the table that the cards of a ruleset make now."""
    return tables._compile.__wrapped__(ruleset).table.tobytes()


def made(ruleset: str = NAME) -> bytes:
    """Return the table that a new process would use."""
    return tables.tables.__wrapped__(ruleset).tobytes()


def path_of(ruleset: str = NAME) -> Path:
    """Return the file of a ruleset's table."""
    return stored._path(ruleset, tables._made_of(ruleset))


def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let compiling fail."""
    def fail(ruleset: str) -> object:
        raise AssertionError(f"{ruleset} is compiled")

    monkeypatch.setattr(tables, "_compile", fail)


def test_a_stored_table_is_the_compiled_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = {ruleset: made(ruleset) for ruleset in SHIPPED}  # the folder is empty: compiled
    assert len([*folder.iterdir()]) == len(SHIPPED)
    no_compiler(monkeypatch)
    assert {ruleset: made(ruleset) for ruleset in SHIPPED} == first
    again = tables.tables.__wrapped__(NAME)
    assert again.dtype == TABLES
    assert again.base.shape == (1,)
    assert again.base.ctypes.data % stored.LINE == 0


def test_a_damaged_table_is_compiled_again(folder: Path) -> None:
    whole = made()
    file, = folder.iterdir()
    data = file.read_bytes()
    for damaged in (b"", data[:20], data[:32], data[:-1], bytes([data[0] ^ 1]) + data[1:],
                    data[:99] + bytes([data[99] ^ 1]) + data[100:]):
        file.write_bytes(damaged)
        assert made() == whole
        assert file.read_bytes() == data


def test_a_table_of_another_size_is_not_used(folder: Path) -> None:
    for wrong in (b"0" * 10, bytes(TABLES.itemsize + 1)):
        stored._write(path_of(), wrong)
        assert stored._read(path_of()) is None
        assert made() == compiled(NAME)


def test_a_file_of_something_else_is_compiled_again(folder: Path) -> None:
    folder.mkdir()
    other = b"no compressed table"
    path_of().write_bytes(hashlib.sha256(other).digest() + other)
    assert made() == compiled(NAME)


def test_other_sources_have_other_tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made()
    assert stored._read(path_of())
    monkeypatch.setattr(sources, "all_bytes", lambda: "0" * 32)
    assert stored._read(path_of()) is None


def test_a_source_that_was_written_since_the_process_began_is_noticed(
        folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process may have imported what was there before: its tables are not those on disk."""
    newest = max(path.stat().st_ctime for path in sources.files([""]))
    old = bytes(TABLES.itemsize)
    stored._write(path_of(), old)
    monkeypatch.setattr(registration, "BEGAN", newest + 2)
    assert made() == old
    monkeypatch.setattr(registration, "BEGAN", newest)
    assert made() == compiled(NAME)
    assert stored._read(path_of()) == old
    monkeypatch.setattr(registration, "BEGAN", newest + 2)
    monkeypatch.setattr(sources, "_all_files", lambda: [folder / "removed"])
    assert made() == compiled(NAME)


def test_the_beginning_is_before_all_imports_of_cards() -> None:
    program = ("import sys, hsevo; assert hsevo.registration.BEGAN;"
               "print([name for name in sys.modules if name.startswith('hsevo.')])")
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          check=True)
    assert told.stdout.strip() == "['hsevo.registration']"


@pytest.mark.parametrize("change", ["nothing", "ruleset", "number", "new number", "cards", "set",
                                    "hero", "sequence"])
def test_what_a_program_changes_is_stored_apart(
        change: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored._write(path_of("rise2019"), bytes(TABLES.itemsize))
    file, = folder.iterdir()
    data = file.read_bytes()
    rules = rulesets.RULESETS["rise2019"]
    if change == "ruleset":
        monkeypatch.setitem(rulesets.RULESETS, "rise2019", replace(rules, mulligan=False))
    elif change == "number":
        fields = next(fields for fields in rules.changes.values() if "cost" in fields)
        monkeypatch.setitem(fields, "cost", fields["cost"] + 1)
    elif change == "new number":
        monkeypatch.setitem(rules.changes, "CS2_182", {"cost": 9})
    elif change == "cards":
        changed = tuple(replace(card, cost=9) if card.id == "CS2_182" else card
                        for card in basic.CARDS)
        monkeypatch.setattr(basic, "CARDS", changed)
    elif change == "set":
        (where, cards), *others = rules.own_cards
        other = replace(cards[0], cost=cards[0].cost + 1)
        own = ((where, (other, *cards[1:])), *others)
        monkeypatch.setitem(rulesets.RULESETS, "rise2019", replace(rules, own_cards=own))
    elif change == "hero":
        monkeypatch.setitem(heroes.BY_CLASS, Class.MAGE, heroes.BY_CLASS[Class.HUNTER])
    elif change == "sequence":
        first = next(iter(sequences.SEQUENCES))
        monkeypatch.setitem(sequences.SEQUENCES, first, ())
    new = stored.empty().view(np.recarray)[0]
    monkeypatch.setattr(tables, "_compile", lambda ruleset: SimpleNamespace(table=new))
    assert (tables.tables.__wrapped__("rise2019") is new) == (change != "nothing")
    assert file.read_bytes() == data


def test_an_added_ruleset_is_not_stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rulesets.RULESETS, "added", rulesets.Ruleset("added", ""))
    assert made("added")
    assert not folder.exists()


def test_a_program_that_changes_a_card_before_the_tables_are_imported(tmp_path: Path) -> None:
    """Its table is not the one that a later process finds."""
    look = ("from hsevo.cards.tables import index, tables;"
            " print(tables().card[index()['CS2_231']].cost)")
    change = "from hsevo.cards.rulesets import RULESETS; RULESETS['cig2018'].changes['CS2_231'] = "
    told = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                           check=True, env=os.environ | {"HSEVO_CACHE": str(tmp_path)}).stdout
            for program in (f"{change}{{'cost': 9}}\n{look}", look)]
    assert told == ["9\n", "0\n"]


def test_only_the_newest_files_are_left(folder: Path) -> None:
    folder.mkdir()
    for number in range(stored.MOST_FILES):
        (folder / f"{number}").touch()
        os.utime(folder / f"{number}", (number, number))
    made()
    assert stored._read(path_of())
    assert len([*folder.iterdir()]) == stored.MOST_FILES
    assert not (folder / "0").exists()
    assert (folder / "1").exists()


def test_a_cache_that_cannot_be_written_is_no_error(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(sources, "cache", lambda: tmp_path / "file")
    assert made() == tables.tables(NAME).tobytes()
