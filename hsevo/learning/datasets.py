"""`hsevo.dataset`: games of two agents as data for offline RL and imitation.

A data set is the folder of a match (strength/contest.py) that keeps, besides its games, what both
players saw and did in them:

    dataset.yaml        as match.yaml           decisions.parquet/   a file for every `shard_games`
    games.csv, ...      as of a match           decisions.sha256     a line for each of them
    card.json           what all of it is       README.md            the same for people

A file counts once its games are in games.csv; it is written before, and its sum between the two.
So what a killed process wrote of it is written again, and alike.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from hsevo import config
from hsevo.agents.learned.nets import NOT_COMPILED, carried
from hsevo.cards.decks import DeckLike
from hsevo.config.contests import DatasetSettings
from hsevo.config.named import CIG2018
from hsevo.errors import AgentError, ConfigError, RunError
from hsevo.experiments.playing import ARGUMENTS, Progress, parted, workers_of
from hsevo.files import (
    LOCK,
    append,
    read_bytes,
    read_text,
    refuse_full,
    refuse_link,
    undamaged,
    write_whole,
    writing,
)
from hsevo.generated import DatasetFields
from hsevo.learning.data_card import card_of, readme_of
from hsevo.learning.decisions import Decisions, read_file, record_file, sizes
from hsevo.learning.episodes import check_name, to_minari
from hsevo.objects import Fields
from hsevo.play import match as engine
from hsevo.play import players as hosted
from hsevo.play.hosting import PlayedBlock
from hsevo.play.workers import Executor, OnGames
from hsevo.store import sums
from hsevo.store.kinds import About
from hsevo.strength.agents import AgentLike
from hsevo.strength.comparing import lineup_of_two, play_out
from hsevo.strength.lineup import Lineup
from hsevo.strength.matches import Match
from hsevo.types import Array

if TYPE_CHECKING:
    from minari import MinariDataset

PARTS, SUMS = "decisions.parquet", "decisions.sha256"


def part_name(number: int) -> str:
    """Return the name of a file of decisions; names sort in order of games."""
    return f"part-{number:07}.parquet"


def _line(number: int, digest: str) -> bytes:
    """Return the line of a file of decisions in SUMS; all are of one length."""
    return sums.line(digest, f"{PARTS}/{part_name(number)}")


class DataSet(Match):
    """Hold the games of two agents, with all decisions of both players.

    It is a `Match`, so it also has the result of the games.

    Parameters
    ----------
    lineup : Lineup
        Agents, decks and rules.
    path : Path
        Folder of the data set.
    history : bool, default False
        Whether observations include the history of the game.
    shard_games : int, default 400
        Number of games in each file.
    """

    ABOUT = About("dataset.yaml", "hsevo dataset")
    NOUN = "a data set"
    path: Path

    def __init__(self, lineup: Lineup, path: Path, history: bool = False,
                 shard_games: int = 400) -> None:
        self.history, self.shard_games = history, shard_games
        super().__init__(lineup, path)

    @property
    def FIELDS(self) -> Fields:
        """Fields of its JSON object: those of a match, and its decisions and files."""
        return {"path": "path", "decisions": "decisions", "files": lambda self: len(self.files),
                "history": "history", **super().FIELDS}

    # -- what it has

    @property
    def decisions(self) -> int:
        """Number of decisions of both players."""
        return int(self._decisions.sum())

    @property
    def _decisions(self) -> Array:
        """Return the number of stored decisions of each game; none of those that were refused."""
        return np.where(self.results["faults"] > 0, 0, self.results["decisions"])

    @property
    def files(self) -> list[Path]:
        """Parquet files, in the order of their games."""
        return [self.path / PARTS / part_name(number)
                for number in range(-(-self.done // self.shard_games))]

    @property
    def card(self) -> dict[str, Any]:
        """Content of card.json: agents, decks, rules, versions, licence and all columns."""
        return card_of(self)

    def batches(self) -> Iterator[dict[str, Array]]:
        """Yield the decisions file by file.

        Yields
        ------
        dict of str to ndarray
            Columns with one row for each decision, as in `arrays`.

        Raises
        ------
        RunError
            If a file is missing or damaged.
        """
        known = self._sums()
        for number in range(len(self.files)):
            yield self._read(number, known)

    def arrays(self) -> dict[str, Array]:
        """Return all decisions, in the order of games and steps.

        Returns
        -------
        dict of str to ndarray
            Columns with one row for each decision. "observation" is int16 (n, 1055), or (n, 1235)
            with the history, and "legal" is uint32 (n, 58), which `learning.masks` and
            `learning.move_masks` turn into masks. `card` describes all columns.

        Raises
        ------
        RunError
            If a file is missing or damaged.
        ConfigError
            If the decisions do not fit in memory. Use `batches`.

        Examples
        --------
        >>> data = hsevo.dataset("eva:2018", "random", "data/small", games=18)
        >>> arrays = data.arrays()
        >>> arrays["observation"].shape == (data.decisions, 1055)
        True
        """
        each = sum(np.dtype(kind).itemsize * n for kind, n in sizes(self.history).values())
        config.refuse_memory(self.decisions, "decisions", 2 * each, "read them file by file, with"
                             " batches()")
        parts = [*self.batches()]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def to_minari(self, name: str, agent: str | None = None) -> MinariDataset:
        """Write the decisions as a data set of Minari, an episode for each player of a game.

        Parameters
        ----------
        name : str
            Name of the new data set of Minari, such as "hsevo/eva-v0". It is in the folder of
            Minari, which the environment variable MINARI_DATASETS_PATH can change.
        agent : str, optional
            Only store the decisions of this agent. Default: of both.

        Returns
        -------
        MinariDataset
            The data set, which `minari.load_dataset` also returns.

        Raises
        ------
        ConfigError
            If an argument is invalid, or Minari is missing (install it with pip install -e
            '.[minari]').
        RunError
            If a file is missing or damaged, if another engine played the games so that their
            moves can't be repeated, or if Minari cannot write.

        Notes
        -----
        Observations, actions and rewards are those of the environment "hsevo/battle-v0", against
        the other agent. The last observation of an episode shows the finished game.
        """
        return to_minari(self, name, agent)

    def save(self, path: str | Path) -> Path:
        """Copy the folder.

        Parameters
        ----------
        path : str or Path
            New folder.

        Returns
        -------
        Path
            Path of the folder.

        Raises
        ------
        RunError
            If the folder cannot be written.
        """
        folder = Path(path)
        refuse_full(folder)
        with writing(folder):
            shutil.copytree(self.path, folder, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns(LOCK))
        return folder

    # -- the folder

    def _course(self) -> dict[str, Any]:
        """Return fingerprints of all inputs that determine the games and the files."""
        return super()._course() | {"history": self.history, "shard_games": self.shard_games}

    def _take(self, about: dict[str, Any]) -> None:
        """Take over what observations and files are like. Raises ConfigError."""
        keys: dict[str, Any] = {name: about[name] for name in ("history", "shard_games")
                                if name in about}
        asked = config.check(DatasetSettings, keys, str(self.path / self.ABOUT.name))
        self.history, self.shard_games = asked.history, asked.shard_games

    @property
    def _keeps(self) -> bool:
        """Whether the folder has files of decisions."""
        return (self.path / PARTS).exists()

    def _play(self, executor: Executor, on_games: OnGames) -> None:
        """Play and record the games that are left, file by file. Raises RunError."""
        lineup, number = self.lineup, self._cut()
        first, left, names = self.done, self.left, lineup.names
        blocks = [left[at:at + self.shard_games] for at in range(0, len(left), self.shard_games)]
        jobs = ((first + at * self.shard_games, *_alone(block, lineup), names, self.history,
                 *carried(lineup.players)) for at, block in enumerate(blocks))
        for block, (results, data) in zip(blocks, executor(record_file, jobs), strict=True):
            self._write_part(number, data)
            self.add_block(PlayedBlock(block, results))
            number += 1
            on_games(len(block))

    def _cut(self) -> int:
        """Remove the files that do not count; return how many do. Raises RunError."""
        if self.done % self.shard_games and self.done < self.total:
            raise RunError(f"{self.path} is damaged: games.csv ends within a file of decisions")
        folder, known = self.path / PARTS, self.files
        for path in (folder, self.path / SUMS):
            refuse_link(path)
        if known:
            wanted = [f"{PARTS}/{path.name}" for path in known]
            if [*self._sums()][:len(wanted)] != wanted:
                raise RunError(f"{self.path / SUMS} is damaged: it lacks files of games.csv")
            if missing := next((path for path in known if not path.is_file()), None):
                raise RunError(f"{missing} is damaged: it is missing")
        with writing(folder):
            for path in folder.glob("part-*.parquet"):
                if path not in known:
                    path.unlink()
        return len(known)

    def _write_part(self, number: int, data: bytes) -> None:
        """Write a file of decisions, and its sum. Raises RunError."""
        folder, line = self.path / PARTS, _line(number, sums.of(data))
        with writing(folder):
            folder.mkdir(exist_ok=True)
        try:
            write_whole(folder / part_name(number), data)
            append(self.path / SUMS, line, number * len(line))
        except RunError:
            if not number:  # nothing is begun
                with suppress(OSError):
                    (self.path / SUMS).unlink(missing_ok=True)
                    (folder / part_name(0)).unlink(missing_ok=True)
                    folder.rmdir()
            raise

    def _sums(self) -> dict[str, str]:
        """Return the sums of files of decisions by their names. Raises RunError."""
        with undamaged(self.path / SUMS):
            return sums.read(read_text(self.path / SUMS))

    def _read(self, number: int, known: Mapping[str, str]) -> Decisions:
        """Return the decisions in a file. known: the sums of all. Raises RunError."""
        import pyarrow as pa

        path, first = self.files[number], number * self.shard_games
        rows, data = self._decisions[first:first + self.shard_games], read_bytes(path)
        names = (*self.names, *(deck.name for deck in self.lineup.decks))
        with undamaged(path):
            if sums.of(data) != known.get(f"{PARTS}/{path.name}"):
                raise ValueError(sums.DIFFERS)
            try:
                return read_file(data, self.history, int(rows.sum()), first, len(rows), names)
            except (OSError, pa.ArrowException) as error:
                raise ValueError(str(error)) from None

    def _write_tables(self, folder: Path) -> None:
        super()._write_tables(folder)
        write_whole(folder / "card.json", (json.dumps(self.card, indent=1) + "\n").encode())
        write_whole(folder / "README.md", readme_of(self.card).encode())

    def __repr__(self) -> str:
        if not self.finished:
            return self._standing
        return (f"DataSet({self.decisions:,} decisions of {' and '.join(self.names)} in"
                f" {self.done:,} games, in {self.path})")


def _alone(rows: Array, lineup: Lineup) -> tuple[Array, Array, engine.Setting]:
    """Return games with the agents and decks that they need, numbered among these."""
    used, places = np.unique([rows["deck_a"], rows["deck_b"]], return_inverse=True)
    own = rows.copy()
    own["deck_a"], own["deck_b"] = places.reshape(2, -1)
    players, setting = lineup.players, lineup.setting
    if players.ndim > 1:
        players = players[:, used][:, :, used]
    some = engine.Setting(setting.ruleset, tuple(setting.decks[i] for i in used),
                          setting.information, setting.max_turns, setting.all_places)
    return own, players, some


def dataset(a: AgentLike, b: AgentLike, out: str | Path, games: int = 2000, *,
            decks: DeckLike | Sequence[DeckLike] = CIG2018, minari: str | None = None,
            progress: Progress = False, **fields: Unpack[DatasetFields]) -> DataSet:
    """Play two agents against each other, and store all decisions of both as Parquet files.

    Parameters
    ----------
    a, b : agent
        Agents in any form that `hsevo.Agent` accepts, except Python players and end-to-end
        policies. Both may be the same.
    out : str or Path
        New folder. Repeat the call to continue a stopped data set.
    games : int, default 2000
        Minimum number of games, rounded up to complete rounds of all pairs of decks.
    decks : deck or sequence of decks, default the three decks of CIG2018
        Decks that every agent plays, as in `hsevo.match`, also "human:known" and "human:held-out".
    minari : str, optional
        Also write a data set of Minari with this name, as `DataSet.to_minari` does.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : DatasetFields
        `history` (observations include the history of the game, default: False), `shard_games`
        (games in each file, default: 400), and rules and workers: `seed`, `ruleset`,
        `information`, `max_turns`, `workers` and `backend`, as in `hsevo.match`.

    Returns
    -------
    DataSet
        The data set.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Notes
    -----
    The games are those of `hsevo.match` with the same arguments. The files have the same bytes with
    any number of workers. The observation and legal actions of a row contain only what the
    player to move may know.

    Examples
    --------
    >>> data = hsevo.dataset("eva:2018", "random", "data/drawn", games=20, decks="human:known")
    >>> data.arrays()["return"].max()
    np.int8(1)
    """
    settings, worker_fields = parted("dataset", DatasetFields, fields)
    asked = config.check(DatasetSettings, {"games": games, **settings}, ARGUMENTS)
    workers = workers_of(**worker_fields)
    lineup = lineup_of_two(a, b, decks, itself=True, **asked.rules)
    for name, player in zip(lineup.names, lineup.players, strict=True):
        if hosted.among(player):
            raise AgentError(f"'{name}' {NOT_COMPILED}")
    if not isinstance(out, str | Path):
        raise ConfigError(f"out is {config.short(out)}, but must be the path of a folder")
    if minari is not None:
        check_name(minari)
    data = play_out(DataSet(lineup, Path(out), asked.history, asked.shard_games), workers,
                    progress, load=lambda: engine.compile_all(lineup.setting.ruleset))
    if minari is not None:
        data.to_minari(minari)
    return data


def read_dataset(path: str | Path) -> DataSet:
    """Open the folder of a finished data set.

    To continue a stopped data set, repeat the call of `hsevo.dataset` that began it.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Returns
    -------
    DataSet
        The data set. `arrays` returns its decisions, and `batches` yields them file by file.

    Raises
    ------
    RunError
        If the folder has no finished data set, or is damaged.
    ConfigError
        If dataset.yaml is damaged.

    Examples
    --------
    >>> path = hsevo.dataset("eva:2018", "random", "data/stored", games=18).path
    >>> hsevo.read_dataset(path)
    DataSet(... decisions of eva:2018 and random in 18 games, in data/stored)
    """
    return DataSet.open_finished(path)
