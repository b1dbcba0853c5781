"""Champions: what is shipped, how it was made, and games that prove it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from hsevo.config.models import Backend
from hsevo.errors import RunError
from hsevo.experiments.playing import Progress
from hsevo.files import refuse_full, write_whole, writing
from hsevo.store import sums
from hsevo.strength import entries
from hsevo.strength.comparing import match
from hsevo.strength.matches import Match

SUMS = "SHA256SUMS"  # as sha256sum --check reads it


def list_champions() -> pd.DataFrame:
    """List the agents that were evolved or learned here, with what made and what proves them.

    Columns champion, description; file, sha256 (as `export_champions` writes it); command, config,
    seed, games, version, commit ("" if it was not noted), engine (that made it); proof (the command
    of a match that `prove` plays again), against, proof_games, won, drawn, lost, proof_sha256 (of
    the match's games.csv). Raises RunError if a file is not the one that was proven.

    >>> hsevo.list_champions().champion.tolist()
    ['eva:wide:2026', 'eva:wide:nine-2026', 'eva:wide-reply:2026', 'rl:2026',
     'rl:ppo-2026', 'rl:text-2026']
    """
    return pd.DataFrame([_line(one) for one in entries.champions().values()])


def prove(champion: str, *, out: str | Path | None = None, workers: int | None = None,
          backend: Backend | None = None, progress: Progress = False) -> Match:
    """Play the games that prove a champion again, and check that each comes out as it did.

    out: a new folder for the games, as of `match`. Raises AgentError if it is no champion; RunError
    if its file or a game differs.

    >>> hsevo.prove("eva:wide:2026").wins
    69
    """
    one = entries.champion(champion)
    one.content()
    found = match(one.name, one.proof.against, one.proof.games, decks=one.proof.decks,
                  seed=one.proof.seed, out=out, workers=workers, backend=backend,
                  progress=progress)
    if differs := one.proof.refute((found.wins, found.draws, found.losses), found.games):
        raise RunError(f"the games of {one.name} came out otherwise here: {differs}; this hsevo has"
                       " other rules or agents")
    return found


def export_champions(folder: str | Path) -> list[Path]:
    """Write the files of all champions to a new folder, and SHA256SUMS beside them.

    `sha256sum --check SHA256SUMS` checks them. hsevo plays them by their paths: eva:wide:FILE.yaml,
    rl:FILE.npz. Raises RunError.

    >>> hsevo.export_champions("champions")[-1].name
    'rl-text-2026.npz'
    """
    path, every = Path(folder), entries.champions().values()
    files = {path / one.file: one.content() for one in every}
    refuse_full(path)
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        write_whole(file, content)
    write_whole(path / SUMS, b"".join(sums.line(one.sha256, one.file) for one in every))
    return list(files)


def _line(one: entries.ShippedChampion) -> dict[str, str | int]:
    one.content()
    won, drawn, lost = one.proof.result
    return {"champion": one.name, "description": one.says, "file": one.file, "sha256": one.sha256,
            "command": one.made["command"], "config": one.option("config"),
            "seed": int(one.option("seed")), "games": int(one.made["games"].replace(",", "")),
            "version": one.made["version"], "commit": one.made.get("commit", ""),
            "engine": one.made["engine"], "proof": one.command, "against": one.proof.against,
            "proof_games": one.proof.games, "won": won, "drawn": drawn, "lost": lost,
            "proof_sha256": one.proof.sha256}
