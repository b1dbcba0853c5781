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
    """List the agents that were evolved or trained with hsevo, with their origin and proof.

    Returns
    -------
    pandas.DataFrame
        Columns champion, description, file, sha256 (of the file that `hsevo.export_champions`
        writes), command, config, seed, games, version, commit ("" if unknown), engine (of its
        origin), proof (command of a match that `hsevo.prove` replays), against, proof_games, won,
        drawn, lost, proof_sha256 (of the games.csv of the match).

    Raises
    ------
    RunError
        If a file differs from the proven file.

    Examples
    --------
    >>> hsevo.list_champions().champion.tolist()
    ['eva:wide:2026', 'eva:wide:nine-2026', 'eva:wide-reply:2026', 'rl:2026',
     'rl:2027', 'rl:ppo-2026', 'rl:text-2026']
    """
    return pd.DataFrame([_line(champion) for champion in entries.champions().values()])


def prove(champion: str, *, out: str | Path | None = None, workers: int | None = None,
          backend: Backend | None = None, progress: Progress = False) -> Match:
    """Replay the games that prove a champion, and check every result.

    Parameters
    ----------
    champion : str
        Name of a champion, see `hsevo.list_champions`.
    out : str or Path, optional
        New folder for the games, as in `hsevo.match`.
    workers : int, optional
        Number of workers. Default: one per core.
    backend : {"threads", "loky", "dask", "serial"}, optional
        How games run in parallel. It does not change results.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.

    Returns
    -------
    Match
        Result.

    Raises
    ------
    AgentError
        If there is no such champion.
    RunError
        If its file or a game differs.

    Examples
    --------
    >>> hsevo.prove("eva:wide:2026").wins
    69
    """
    shipped = entries.champion(champion)
    shipped.content()
    replayed = match(shipped.name, shipped.proof.against, shipped.proof.games,
                     decks=shipped.proof.decks, seed=shipped.proof.seed, out=out,
                     workers=workers, backend=backend, progress=progress)
    if differs := shipped.proof.refute((replayed.wins, replayed.draws, replayed.losses),
                                       replayed.games):
        raise RunError(f"the games of {shipped.name} had other results here: {differs}; this hsevo"
                       " has other rules or agents")
    return replayed


def export_champions(folder: str | Path) -> list[Path]:
    """Write the files of all champions to a new folder, with their SHA256SUMS.

    `sha256sum --check SHA256SUMS` verifies them. Use their paths as specs: eva:wide:FILE.yaml,
    rl:FILE.npz.

    Parameters
    ----------
    folder : str or Path
        New folder.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    RunError
        If the folder is not empty or cannot be written.

    Examples
    --------
    >>> hsevo.export_champions("champions")[-1].name
    'rl-text-2026.npz'
    """
    path, every = Path(folder), entries.champions().values()
    files = {path / champion.file: champion.content() for champion in every}
    refuse_full(path)
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        write_whole(file, content)
    write_whole(path / SUMS, b"".join(sums.line(champion.sha256, champion.file)
                                      for champion in every))
    return list(files)


def _line(champion: entries.ShippedChampion) -> dict[str, str | int]:
    champion.content()
    won, drawn, lost = champion.proof.result
    return {"champion": champion.name, "description": champion.says, "file": champion.file,
            "sha256": champion.sha256, "command": champion.origin["command"],
            "config": champion.option("config"), "seed": int(champion.option("seed")),
            "games": int(champion.origin["games"].replace(",", "")),
            "version": champion.origin["version"], "commit": champion.origin.get("commit", ""),
            "engine": champion.origin["engine"], "proof": champion.command,
            "against": champion.proof.against, "proof_games": champion.proof.games, "won": won,
            "drawn": drawn, "lost": lost, "proof_sha256": champion.proof.sha256}
