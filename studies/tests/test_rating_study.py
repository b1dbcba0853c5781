"""The study of ways to rate, `python -m studies.rating_study`, on a tiny run."""

from pathlib import Path

from click.testing import CliRunner

import hsevo
from studies.rating_study import WAYS, main


def test_it_judges_every_way(tmp_path: Path) -> None:
    run = hsevo.evolve("smoke", out=tmp_path / "run", backend="serial",
                       changes={"evolution.generations": 2, "evolution.mu": 2})
    result = CliRunner().invoke(main, [str(run.path), "--generation", "1", "--repeats", "2",
                                       "--truth", "4", "--workers", "1"])
    assert result.exit_code == 0, result.output
    rows = result.output.splitlines()[2:]
    assert [row[:26].rstrip() for row in rows] == [*WAYS]
    games = {way: int(row[26:].split()[0].replace(",", ""))
             for way, row in zip(WAYS, rows, strict=True)}
    assert games["paper"] == 2 * games["half the games"] == games["common random numbers"]
    assert games["racing, 5 rounds, 50 %"] <= games["paper"]
