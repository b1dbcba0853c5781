"""A growing table: what counts is read again to the byte, and what was changed is refused."""

import errno
import hashlib
import os
from pathlib import Path

import pytest

from hsevo.errors import RunError
from hsevo.store import journal
from hsevo.store.journal import Journal

BLOCKS = [b"x,wins,seed\n1,2,7\n", b"3,4,8\n5,6,9\n", b"7,8,18446744073709551615\n"]
WHOLE = b"".join(BLOCKS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a table of three blocks."""
    kept = Journal(tmp_path / "games.csv")
    for block in BLOCKS:
        kept.append(block)
    return tmp_path / "games.csv"


def test_the_sum_is_sha256sums(path: Path) -> None:
    assert path.read_bytes() == WHOLE
    assert path.with_suffix(".sha256").read_text() == (
        f"{hashlib.sha256(WHOLE).hexdigest()}  games.csv\n")


def test_what_counts_is_read_and_gone_on_with(path: Path) -> None:
    kept = Journal(path)
    assert kept.read() == len(WHOLE)
    assert kept.table(["wins"]).to_dict("list") == {"wins": [2, 4, 6, 8], "seed": [
        7, 8, 9, 2**64 - 1]}
    kept.append(b"9,10,11\n")
    assert Journal(path).read() == len(WHOLE) + 8
    journal.check(path)


def test_who_only_reads_cuts_nothing_off(path: Path) -> None:
    """Another process may be about to have its block count."""
    with path.open("ab") as file:
        file.write(b"9,10,")
    before = path.read_bytes()
    kept = Journal(path)
    assert kept.read(cut=False) == len(WHOLE)
    assert kept.table(["wins"])["wins"].tolist() == [2, 4, 6, 8]
    assert path.read_bytes() == before
    assert kept.read() == len(WHOLE)
    assert path.read_bytes() == WHOLE


@pytest.mark.parametrize("call", range(1, 13))
def test_a_block_that_the_disk_refused_can_be_appended_again(
        call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same object, whichever flush fails; and by another one."""
    flush, calls = os.fsync, iter(range(1, 10**6))

    def full(descriptor: int) -> None:
        if next(calls) == call:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    kept, failed = Journal(tmp_path / "games.csv"), 0
    for block in BLOCKS:
        try:
            kept.append(block)
        except RunError:
            failed += 1
            kept.append(block)
    assert failed == (call <= 11)
    assert Journal(tmp_path / "games.csv").read() == len(WHOLE)
    assert (tmp_path / "games.csv").read_bytes() == WHOLE


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("more", [0, 1, 6, 12])
def test_what_no_sum_tells_of_is_cut_off(number: int, more: int, tmp_path: Path) -> None:
    """A process was killed after so many blocks, and so many bytes of the next."""
    path = tmp_path / "games.csv"
    kept = Journal(path)
    for block in BLOCKS[:number]:
        kept.append(block)
    with path.open("ab") as file:
        file.write(BLOCKS[number][:more])
    if not number:  # nothing counts yet
        path.with_suffix(".sha256").write_text(f"{hashlib.sha256().hexdigest()}  games.csv\n")
    again = Journal(path)
    assert again.read() == len(b"".join(BLOCKS[:number])) == path.stat().st_size
    for block in BLOCKS[number:]:
        again.append(block)
    assert path.read_bytes() == WHOLE
    journal.check(path)


@pytest.mark.parametrize(("old", "new"), [
    (b"wins,seed", b"seed,wins"), (b"3,4", b"4,3"), (b"\n", b"\r\n"), (b"3,4,8\n", b""),
    (b"7,8,1", b"7,8,2"), (b"7,8,18446744073709551615\n", b"")])
def test_any_change_is_refused_and_nothing_is_cut(path: Path, old: bytes, new: bytes) -> None:
    changed = WHOLE.replace(old, new, 1)
    path.write_bytes(changed)
    for look in (Journal(path).read, lambda: journal.check(path)):
        with pytest.raises(RunError, match=r"games\.csv is damaged: its SHA-256 differs from"):
            look()
    assert path.read_bytes() == changed


@pytest.mark.parametrize("text", ["", "rubbish\n", "0" * 64 + "  other.csv\n", "0" * 64])
def test_a_damaged_sum_is_refused(path: Path, text: str) -> None:
    path.with_suffix(".sha256").write_text(text)
    with pytest.raises(RunError, match=r"games\.sha256 is damaged: it is not a line of sha256sum"):
        Journal(path).read()


def test_without_its_sum_a_table_does_not_count(path: Path) -> None:
    path.with_suffix(".sha256").unlink()
    with pytest.raises(RunError, match=r"games\.sha256 is missing, and the folder"):
        Journal(path).read()
    journal.check(path)  # as tables of older versions are
    assert path.read_bytes() == WHOLE


@pytest.mark.parametrize("name", ["games.csv", "games.sha256"])
def test_a_link_is_refused(path: Path, name: str) -> None:
    there = path.with_name(name)
    there.rename(path.with_name("elsewhere"))
    there.symlink_to("elsewhere")
    with pytest.raises(RunError, match="it is a link"):
        Journal(path).read()


def test_a_reader_may_come_while_lines_are_appended(
        path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between its look at the sum and its look at the lines."""
    writer = Journal(path)
    writer.read()
    read = journal.read_text

    def slow(*given: Path) -> str:
        text = read(*given)
        writer.append(b"9,10,11\n")
        return text

    monkeypatch.setattr(journal, "read_text", slow)
    journal.check(path)


@pytest.mark.parametrize("cell", ["inf", "1.5", "x", "", "9" * 30, "-1"])
def test_a_cell_that_is_no_whole_number_is_refused(tmp_path: Path, cell: str) -> None:
    """It has its sum: who changed it put that right, too. No warning of a library comes."""
    path = tmp_path / "games.csv"
    journal.write(path, b"wins,seed\n1,2\n3,%s\n" % cell.encode())
    with pytest.raises(RunError, match=r"games\.csv is damaged: "):
        Journal(path).table(["wins"])


def test_a_table_without_a_column_is_refused(path: Path) -> None:
    kept = Journal(path)
    kept.read()
    with pytest.raises(RunError, match=r"games\.csv is damaged: .*'draws'"):
        kept.table(["wins", "draws"])
