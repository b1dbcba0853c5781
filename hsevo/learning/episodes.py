"""Data sets as episodes of Minari: each player of a game is one, in the environment of battles.

A file of decisions ends with the last decision of a player, and an episode with what it sees of the
finished game. So the moves of each game are made again, which takes compiled code no time.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.errors import (
    ConfigError,
    GameError,
    HsevoError,
    RunError,
    WriteError,
    did_you_mean,
    printable,
    quoted,
)
from hsevo.learning.batch import History, observe
from hsevo.learning.decisions import Decisions, DecisionSet, begun
from hsevo.learning.environments import make_env
from hsevo.optional import need
from hsevo.play.match import Setting
from hsevo.strength.agents import Agent
from hsevo.strength.matches import ITSELF
from hsevo.types import Array

if TYPE_CHECKING:
    from minari import MinariDataset

LIBRARIES = "minari", "gymnasium", "minari.dataset._storages.arrow_storage"


def check_name(name: Any) -> None:
    """Raise ConfigError unless Minari can write a new data set with this name."""
    need("a data set of Minari", *LIBRARIES, install="'minari[arrow]' gymnasium")
    from minari.dataset.minari_dataset import parse_dataset_id
    from minari.storage.datasets_root_dir import get_dataset_path

    try:
        parse_dataset_id(name)
    except (TypeError, ValueError):
        raise ConfigError(f"{quoted(name)} is no name of a data set of Minari; write one such as"
                          " hsevo/eva-v0") from None
    if get_dataset_path(name).exists():
        raise ConfigError(f"Minari already has a data set {name}; choose another name, or delete"
                          f" it with: minari delete {name}")


def to_minari(data: DecisionSet, name: str, agent: str | None = None) -> MinariDataset:
    """Write a data set of Minari; see `DataSet.to_minari`."""
    check_name(name)
    if agent is not None and agent not in data.names:
        raise ConfigError(f"the data set has no agent {quoted(agent)}"
                          f"{did_you_mean(str(agent), data.names)}; it has"
                          f" {' and '.join(data.names)}")
    import minari
    from minari.storage.datasets_root_dir import get_dataset_path

    card = data.card
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an author that is not named
            storage = minari.create_dataset_from_buffers(
                name, [], env=_environment(data, agent), data_format="parquet",
                algorithm_name=" and ".join([agent] if agent else card["agents"]),
                description=f"{card['what']}. Made by hsevo {card['made by']['hsevo']}, engine"
                            f" {card['made by']['engine']}. Licence: {card['licence']}").storage
            sized, storage.get_size = storage.get_size, float  # it reads all, for each episode
            for number, batch in enumerate(data.batches()):
                first = number * data.shard_games
                storage.update_episodes(_episodes(
                    batch, data.rows[first:first + data.shard_games], first, data.lineup.setting,
                    data.history, agent))
            storage.update_metadata({"dataset_size": sized()})
            return minari.load_dataset(name)
    except BaseException as error:
        shutil.rmtree(get_dataset_path(name), ignore_errors=True)
        if isinstance(error, OSError):
            raise WriteError(f"cannot write the data set {name} of Minari:"
                             f" {printable(error.strerror or error)}") from error
        if isinstance(error, GameError):
            raise RunError(f"the moves of {data.path} can't be repeated, so it is damaged, or was"
                           f" played by another engine: {error}") from error
        raise


def _environment(data: DecisionSet, agent: str | None) -> Any:
    """Return the environment in which the games could be played, as far as names can say it."""
    plan, names = data.lineup.plan, data.names
    opponent = names[0] if names[1] == ITSELF or agent == names[1] else names[1]
    how: dict[str, Any] = {"ruleset": plan.ruleset, "max_turns": plan.max_turns,
                           "history": data.history}
    try:
        Agent(opponent)
    except HsevoError:  # it was a file, or an object
        opponent = "random"
    else:
        how["information"] = plan.information
    with suppress(HsevoError):  # drawn ones, or files
        named = data.lineup.decks[:len(plan.decks)]
        if not data.lineup.side and all(Deck(deck.name) == deck for deck in named):
            how["decks"] = [deck.name for deck in named]
    return make_env(opponent=opponent, **how)


def _episodes(batch: Decisions, rows: Array, first: int, setting: Setting, history: bool,
              agent: str | None) -> Iterator[Any]:
    """Yield the episodes of a file as buffers of Minari: players 0 and 1 of each game, in order."""
    from minari.data_collector import EpisodeBuffer

    games, starts = np.unique(batch["game"], return_index=True)
    moves = np.split(batch["move"].astype(np.int64), starts[1:])
    shown = ends(rows[games - first], setting, moves, history)
    for i, (game, start) in enumerate(zip(games, starts, strict=True)):
        for player in range(2):
            own = start + np.flatnonzero(batch["player"][start:start + len(moves[i])] == player)
            if not len(own) or agent not in (None, batch["agent"][own[0]]):
                continue
            at = own[0]
            legal = batch["legal"][own]
            yield EpisodeBuffer(
                seed=int(batch["seed"][at]),
                options={"game": int(game), "player": player} | {
                    name: str(batch[name][at]) for name in (
                        "agent", "opponent", "deck", "opponent_deck")},
                observations=np.concatenate([batch["observation"][own], shown[player, i][None]]),
                actions=batch["move"][own].astype(np.int64),
                rewards=np.where(batch["last"][own], batch["return"][own], 0).astype(float),
                terminations=batch["last"][own], truncations=np.zeros(len(own), np.bool_),
                infos={"legal": np.concatenate([legal, np.zeros_like(legal[:1])])})


def ends(rows: Array, setting: Setting, moves: Sequence[Array], history: bool) -> Array:
    """Return what players 0 and 1 see of finished games, PAIRING (n,), int16 (2, n, SIZE).

    moves: of each game. Raises GameError if one is not legal.
    """
    games = begun(rows, setting)
    past = History(games) if history else None
    every = np.zeros((len(rows), max(map(len, moves), default=0)), np.int64)
    for line, script in zip(every, moves, strict=True):
        line[:len(script)] = script
    for step in every.T:
        (past or games).step(step)
    return np.stack([observe(games, player, past)[0] for player in range(2)])
