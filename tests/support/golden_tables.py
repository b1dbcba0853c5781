"""Golden tables: the bytes of every table that small runs and contests write, by SHA-256.

A change of structure must alter none of them. A change of rules, cards or methods alters some:
look at which and why, then `python -m tests.support.golden_tables` writes the file again, and the
commit says what changed.
"""

import hashlib
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

import hsevo
from tests.support import DATA
from tests.support.command import hsevo as command

FILE = DATA / "golden_tables.json"
TIMES = "times.csv"  # seconds, the one table that may differ
# By linear algebra, whose last digits differ between kinds of processors: of losses, for example,
# OPENBLAS_CORETYPE=Haswell and SkylakeX give 0.6746701637759631 and 0.674670163775963.
SOLVED = ("ratings.csv", "learning.csv")
DECKS = "mage,zoo-discard-warlock"
# By folder: the command, without --out. Each of them takes a second or two.
COMMANDS = {
    "evolve": "evolve --config smoke --set evolution.mu=2 --set evolution.lambda=2 --set games=1",
    "learn": "learn --config osfp-smoke --set periods=2 --set rounds=2",
    "decks": "decks evolve --config deck-smoke --set search.generations=2 --set search.first=6",
    "coevolve": "coevolve --config coevolve-smoke --set generations=2 --set hall.size=1",
    "match": f"match eva:2018 random --games 8 --decks {DECKS}",
    "arena": f"arena random eva:2018 greedy:metastone --games 8 --decks {DECKS}",
    "series": f"series eva:2018 random --series 4 --mine {DECKS} --theirs {DECKS}",
}
STEPS, GAMES = 60, 16  # of each environment


def digest(content: bytes) -> str:
    """Return the first 16 digits of the SHA-256 of some bytes."""
    return hashlib.sha256(content).hexdigest()[:16]


def rounded(path: Path) -> bytes:
    """Return a table with six digits of each number."""
    return pd.read_csv(path).to_csv(index=False, float_format="%.6g").encode()


def table_digests(folder: Path) -> dict[str, str]:
    """Return the digest of each table in a folder and its folders, by name."""
    digests = {path.relative_to(folder).as_posix(): digest(
                   rounded(path) if path.name in SOLVED else path.read_bytes())
               for path in sorted(folder.rglob("*.csv")) if path.name != TIMES}
    for path in sorted(folder.rglob("*.parquet")):
        if path.is_file():  # the file itself holds versions of pyarrow
            text = pd.read_parquet(path).to_csv(index=False)
            digests[path.relative_to(folder).as_posix()] = digest(text.encode())
    return digests


def environment_digest(history: bool) -> str:
    """Return the digest of all that an environment shows in random play, against an agent."""
    env = hsevo.make_vec("battle", num_envs=GAMES, ruleset="msg2017", seed=5,
                         decks=["mage", "shaman"], opponent="greedy:metastone", history=history)
    seen, _ = env.reset(seed=5)
    shown = hashlib.sha256()
    for step in range(STEPS):
        for name in sorted(seen):
            shown.update(seen[name].tobytes())
        seen, rewards, ended, truncated, _ = env.step(env.sample(step))
        for values in (rewards, ended, truncated):
            shown.update(values.tobytes())
    return shown.hexdigest()[:16]


def golden(work: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Play everything into a folder; yield the digests of one thing after another."""
    for name, words in COMMANDS.items():
        result = command(*words.split(), "--out", work / name)
        assert result.exit_code == 0, result.output
        yield name, table_digests(work / name)
    yield "environment", {"plain": environment_digest(history=False),
                          "with history": environment_digest(history=True)}
    page = work / "page.html"
    result = command("replay", work / "match", "--part", 1, "--html", page, "--chances", 4)
    assert result.exit_code == 0, result.output
    yield "replay", {"data of the page": digest(page_data(page).encode())}


def page_data(page: Path) -> str:
    """Return the game that a page of a replay holds, without its layout and scripts."""
    data = re.search(r'<script id="game".*?>(.*?)</script>', page.read_text(), re.DOTALL)
    assert data, "the page holds no game"
    return data[1]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE.write_text(json.dumps(dict(golden(Path(folder))), indent=1) + "\n", encoding="utf-8")
