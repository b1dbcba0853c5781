"""What people leave behind is written whole, and read with care: it may be somebody else's."""

import os
from pathlib import Path
from typing import Any

import pytest

from hsevo.errors import DeckError, RunError, WriteError
from hsevo.replays.cabinet import Cabinet, Form, as_json, numbered, put_together
from tests.support.disk import full_disk


def number_of(data: Any, name: str) -> int:
    if data["name"] != name:
        raise ValueError(f"it is {data['name']}")
    return int(data["number"])


def cabinet(path: Path, **more: Any) -> Cabinet[int]:
    def content(number: int) -> bytes:
        return as_json({"name": numbered(number), "number": number})

    return Cabinet(path / "things", number_of, content, 100, **more)


def test_things_come_back_from_their_files(tmp_path: Path) -> None:
    things = cabinet(tmp_path)
    assert things.names == []
    assert "0007" not in things
    for number in (12345, 7):
        things.put(numbered(number), number)
    (things.path / "notes.json").write_text("not of the cabinet")
    (things.path / "0008.txt").write_text("neither")
    again = cabinet(tmp_path)
    assert again.names == ["0007", "12345"]
    assert [*again] == [7, 12345]
    again.drop("0007")
    again.drop("0007")  # it may be gone
    assert again.names == ["12345"]


@pytest.mark.parametrize("text", [
    "", "{", "[]", "null", '{"name": "0001"}', '{"name": "0002", "number": 1}',
    '{"name": "0001", "number": "x"}', '{"name": "0001", "number": 1, "number": 1}',
    "[" * 100_000, '{"name": "0001", "number": 1e999}', " " * 101,
    b"\xff\xfe", '{"name": "0001", "number": 1, "more": "' + "x" * 100 + '"}'])
def test_what_is_damaged_or_forged_is_one_line_with_its_name(tmp_path: Path,
                                                             text: str | bytes) -> None:
    things = cabinet(tmp_path)
    things.put("0001", 1)
    things.file("0001").write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(RunError, match=r"things.0001\.json") as refused:
        cabinet(tmp_path).of("0001")
    assert "\n" not in str(refused.value)
    assert things.of("0001") == 1  # it was read before


def test_no_pipe_is_waited_for(tmp_path: Path) -> None:
    things = cabinet(tmp_path)
    things.path.mkdir()
    os.mkfifo(things.file("0001"))
    with pytest.raises(RunError, match="it is a pipe or a device"):
        things.of("0001")


@pytest.mark.parametrize("name", [
    "", "1", "../0001", "0001/..", "0001\x00", "0001.json", "x" * 300])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    things = cabinet(tmp_path)
    for use in (things.of, things.drop, things.file, things.__contains__):
        with pytest.raises(RunError, match="can't have a file named"):
            use(name)
    with pytest.raises(RunError, match="can't have a file named"):
        things.put(name, 1)


def test_several_things_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    first, second = cabinet(tmp_path / "first"), cabinet(tmp_path / "second")
    put_together((first, "0001", 1), (second, "0002", 2))
    with pytest.MonkeyPatch.context() as patch:
        full_disk(patch, "0009")
        with pytest.raises(WriteError):
            put_together((first, "0003", 3), (second, "0009", 9))
    assert (first.names, second.names) == (["0001"], ["0002"])
    assert not [*first.path.glob(".*")]


def test_what_is_large_is_not_kept_in_memory(tmp_path: Path) -> None:
    things = cabinet(tmp_path, keeps=False)
    things.put("0001", 1)
    things.file("0001").unlink()
    with pytest.raises(RunError, match="No such file"):
        things.of("0001")


def test_other_files_have_errors_of_their_own(tmp_path: Path) -> None:
    def load(path: Path, most: int, error: Any) -> str:
        return path.read_text()

    def shout(text: str, name: str) -> str:
        if not text:
            raise LookupError("nothing")
        return text.upper()

    decks = Cabinet(tmp_path, shout, str.encode, 100, form=Form(".txt", load, DeckError))
    decks.put("0001", "hello")
    assert decks.of("0001") == "hello"
    (tmp_path / "0002.txt").write_text("there")
    assert decks.of("0002") == "THERE"
    (tmp_path / "0003.txt").write_text("")
    with pytest.raises(DeckError, match=r"0003\.txt is damaged: nothing"):
        decks.of("0003")
