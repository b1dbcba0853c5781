"""What a folder is that has no run in it: one line, with the command that takes it."""

from pathlib import Path

import pytest

from hsevo.store.kinds import no_run
from tests.support.command import hsevo


@pytest.mark.parametrize(("name", "words"), [
    ("benchmark.csv", "is a finished benchmark, not a run; call: hsevo report --arena '{}'"),
    ("ratings.csv", "is a finished arena, not a run; call: hsevo report --arena '{}'"),
    ("cast.json", "is a match, not a run; call: hsevo replay '{}'"),
    ("tournament.yaml", "is a tournament, not a run; call: hsevo replay '{0}', or hsevo report"
     " --tournament '{0}' --agents and the file of its agents"),
    ("study.yaml", "is a study, not a run; call: hsevo study '{}/study.yaml'")])
@pytest.mark.parametrize("command", [["report"], ["verify"], ["watch", "--once"]])
def test_a_folder_of_another_command_names_what_takes_it(
        tmp_path: Path, name: str, words: str, command: list[str]) -> None:
    folder = tmp_path / "my games"  # a shell needs quotes
    folder.mkdir()
    (folder / name).touch()
    result = hsevo(*command, folder)
    assert result.exit_code == 2
    assert words.format(folder) in result.output
    assert result.output.count("\n") == 1


def test_a_folder_of_nobody_is_none_of_these(tmp_path: Path) -> None:
    assert no_run(tmp_path) == ""
