"""What a folder is that has no run in it: one line, with the command that takes it."""

from pathlib import Path

import pytest

from hsevo.store.kinds import no_run
from tests.support.command import hsevo

WORDS = {
    "benchmark.csv": "is a finished benchmark, not a run; call: hsevo report --arena '{0}'",
    "ratings.csv": "is a finished arena, not a run; call: hsevo report --arena '{0}'",
    "cast.json": "is a match, not a run; call: hsevo replay '{0}'",
    "tournament.yaml": "is a tournament of hsevo 0.5, not a run; call: hsevo replay '{0}'",
    "study.yaml": "is a study, not a run; call: hsevo report '{0}', or hsevo study"
                  " '{0}/study.yaml'"}
REPORTED = ("study.yaml",)


@pytest.mark.parametrize(("name", "command"), [
    (name, command) for name in WORDS for command in ("report", "verify", "watch --once")
    if not (command == "report" and name in REPORTED)])
def test_a_folder_of_another_command_names_what_takes_it(tmp_path: Path, name: str,
                                                         command: str) -> None:
    folder = tmp_path / "my games"  # a shell needs quotes
    folder.mkdir()
    (folder / name).touch()
    result = hsevo(*command.split(), folder)
    assert result.exit_code == 2
    assert WORDS[name].format(folder) in result.output
    assert result.output.count("\n") == 1


def test_a_folder_of_nobody_is_none_of_these(tmp_path: Path) -> None:
    assert no_run(tmp_path) == ""
