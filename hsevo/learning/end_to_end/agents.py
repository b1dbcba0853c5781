"""End-to-end policies as agents: the family "end-to-end" of play/players.py.

    read(source)               the policy of a checkpoint; its network is kept by agents/learned
    play_rows, play_block      matches of AGENT records, some of which are such networks
    bot(agent)                 one that is asked move by move
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch

from hsevo.agents.genomes.decks import seated
from hsevo.agents.learned import nets
from hsevo.agents.registry import PROBABILITIES
from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import Deck
from hsevo.engine.record.state import Phase
from hsevo.learning.batch import moves_of, observe, parts_of
from hsevo.learning.end_to_end import matches
from hsevo.learning.end_to_end.actors import one_thread
from hsevo.learning.end_to_end.drafts import build_decks, uniform
from hsevo.learning.end_to_end.learner import SERIAL
from hsevo.learning.end_to_end.network import State
from hsevo.learning.end_to_end.rounds import ENEMY_DECK, PARTS, Player, Policy
from hsevo.learning.end_to_end.saved import (
    alone_bytes,
    check_classes,
    network_of,
    read_checkpoint,
    undamaged,
)
from hsevo.learning.slots import deck_lists
from hsevo.play.games import Games
from hsevo.play.match import RESULT, Setting
from hsevo.play.players import Decision
from hsevo.play.workers import Executor, open_workers

Array: TypeAlias = npt.NDArray[Any]
SCORED, BATCHED, RECORDED, CLOSED = PROBABILITIES, True, False, False  # see players.Family


def read(source: str) -> Array:
    """Return the policy of a checkpoint, AGENT (1,). Raises RunError."""
    path = Path(source)
    kept = read_checkpoint(path)
    with undamaged(path):
        data = alone_bytes(kept)
        network_of(kept, "cpu")
    return nets.hosted(nets.END_TO_END, data)


def packed(agents: Array) -> None:
    """Return None: another process needs nothing but the networks, which jobs carry."""


def unpack(packed: None) -> None:
    """Do nothing."""


def player(agent: Array) -> Player:
    """Return an agent, AGENT (1,), as this package plays it. Raises AgentError, RunError."""
    return _policy(agent) if agent["kind"][0] == nets.END_TO_END else agent


def _policy(agent: Array) -> Policy:
    return _network(nets.content(agent))


@functools.lru_cache(maxsize=16)
def _network(data: bytes) -> Policy:
    name = "the network of an end-to-end policy"
    kept = read_checkpoint(name, data)
    with undamaged(name):
        return network_of(kept, "cpu").eval()


def check(agents: Array, decks: Sequence[Deck]) -> None:
    """Raise ConfigError if a policy among agents, AGENT (...), can't play one of these decks."""
    for one in agents:
        check_classes(_policy(np.array([one], AGENT)), decks)


def traits(agent: Array) -> str:
    """Return whether a policy builds its decks, or sees the other's, in words."""
    network = _policy(agent)
    said = [words for has, words in ((network.builds, "builds its decks"),
                                     (network.knows, "sees the other's deck")) if has]
    return " and ".join(said)


def play_rows(executor: Executor, rows: Array, agents: Array,
              setting: Setting) -> Iterator[tuple[Array, Array]]:
    """See `players.Family`."""
    records, pairings = seated(agents, rows)
    needed, places = np.unique([pairings["a"], pairings["b"]], return_inverse=True)
    again = pairings.copy()
    again["a"], again["b"] = places.reshape(2, -1)
    at = 0
    for part, results in matches.play_rows(executor, again, _players(records[needed]), setting):
        yield rows[at:at + len(part)], results
        at += len(part)


def play_block(pairings: Array, agents: Array, setting: Setting) -> Array:
    """See `players.Family`."""
    records, again = seated(agents, pairings)
    with open_workers(SERIAL) as executor:
        _, results = matches.play_all_rows(executor, again, _players(records), setting)
    total, of = np.zeros(len(pairings), RESULT), np.repeat(range(len(pairings)), again["games"])
    for name in RESULT.names or ():
        np.add.at(total[name], of, results[name])
    return total


def _players(agents: Array) -> list[Player]:
    return [player(agents[k:k + 1]) for k in range(len(agents))]


def built(decks: tuple[Deck, Deck], agents: Sequence[Array], ruleset: str,
          seed: int) -> tuple[Deck, Deck]:
    """See `players.Family`; as in a match, without random-CB."""
    players = [player(one) for one in agents]
    if not any(getattr(one, "builds", False) for one in players):
        return decks
    with one_thread():
        found, _ = build_decks(players, np.array([[0, 1]]), [decks], np.array([seed], np.uint64),
                               random=False)
    return found[0]


def bot(agent: Array) -> NetworkBot:
    """Return a policy, AGENT (1,), as one that is asked move by move."""
    return NetworkBot(_policy(agent))


class NetworkBot:
    """A network that plays games move by move: a `players.Bot`.

    It draws as in `rounds.play`: by the game's seed, the seat and the number of the decision.
    """

    def __init__(self, network: Policy) -> None:
        self.network = network

    def start(self, deck: Deck) -> State:
        """Return the memory with which a game begins. Raises ConfigError for another class."""
        check_classes(self.network, [deck])
        return self.network.start(1)

    def fork(self, memory: State) -> State:
        """Return the memory, which is never changed."""
        return memory

    @torch.no_grad()
    def act(self, decision: Decision, memory: State) -> tuple[int, State]:
        """Return the move that it draws, and its new memory."""
        seen, legal = self._seen(decision)
        draws = uniform(decision.clock, np.array([decision.seed], np.uint64),
                        decision.state["me"].astype(np.int64), PARTS)
        with one_thread():
            chosen, _, new = self.network.act(seen, legal, memory, torch.from_numpy(draws))
        return int(moves_of(chosen.numpy())[0]), new

    @torch.no_grad()
    def chances(self, decision: Decision, memory: State) -> dict[int, float]:
        """Return the probability of each legal move."""
        seen, legal = self._seen(decision)
        moves = np.flatnonzero(_games(decision).legal_moves()[0])
        parts = parts_of(moves, np.repeat(decision.state["pending"] == Phase.CHOICE, len(moves)))
        with one_thread():
            logs = self.network.weigh(seen, legal, memory, torch.from_numpy(parts))
        return dict(zip(moves.tolist(), logs.double().exp().tolist(), strict=True))

    def _seen(self, decision: Decision) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the player to move sees, and what it may do."""
        seen, legal = observe(_games(decision))
        if self.network.knows:
            other = 1 - int(decision.state["me"][0])
            seen[:, ENEMY_DECK] = deck_lists(decision.setting)[other]
        return torch.from_numpy(seen), torch.from_numpy(legal.astype(np.int64))


def _games(decision: Decision) -> Games:
    return Games(np.array(decision.state).view(np.recarray), decision.setting.ruleset)
