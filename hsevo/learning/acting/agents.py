"""End-to-end policies as agents: the family "end-to-end" of play/players.py.

    read(source)               the policy of a checkpoint; agents/learned keeps it
    play_rows, play_block      matches of AGENT records, some of which are such policies
    bot(agent)                 one that is asked move by move
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from hsevo.agents.genomes.decks import seated
from hsevo.agents.learned import nets
from hsevo.agents.registry import KINDS, NET, NET_DECKS, PROBABILITIES, read_options
from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import SIZE, Deck
from hsevo.cards.terms import Class
from hsevo.config import Workers
from hsevo.engine.record.state import Phase
from hsevo.errors import AgentError, ConfigError
from hsevo.learning.acting import checkpoints, matches
from hsevo.learning.acting.actor import PARTS, Actor, Memory, check_classes
from hsevo.learning.acting.drafts import build_decks, peeked, uniform
from hsevo.learning.acting.rounds import ENEMY_DECK, Player
from hsevo.learning.acting.shapes import HIDDEN, KNOWN, PEEK
from hsevo.learning.acting.showing import lists_shown
from hsevo.learning.batch import History, moves_of, observe, parts_of
from hsevo.play.games import GameBatch
from hsevo.play.match import RESULT, Setting
from hsevo.play.players import Decision
from hsevo.play.workers import Executor, open_workers
from hsevo.seeds import Stream, derive
from hsevo.types import Array

SERIAL = Workers(backend="serial")

TEMPERATURE, DECKS = "temperature", "decks"  # options
_SEES = {KNOWN: "sees the other's deck", PEEK: "sees some of the other's deck"}
SCORED, BATCHED, RECORDED, CLOSED = PROBABILITIES, True, False, False  # see players.PlayerFamily


def read(source: str) -> Array:
    """Return the policy of a checkpoint with options, FILE?OPTIONS, AGENT (1,).

    Raises RunError, and AgentError for options that it does not have.
    """
    file, _, query = source.rpartition("?")
    options = read_options(query, KINDS[NET], NET)
    if others := sorted({*options} - {TEMPERATURE, DECKS}):
        raise AgentError(f"an end-to-end policy has only the options {TEMPERATURE} and {DECKS}, not"
                         f" {others[0]}; remove '{others[0]}=...'")
    stored = checkpoints.read(Path(file)).at(options.get(TEMPERATURE, 1.0))
    played = stored.given_decks() if options.get(DECKS) == NET_DECKS.index("given") else stored
    return nets.hosted(nets.END_TO_END, played.data())


def packed(agents: Array) -> None:
    """Return None: another process needs nothing but the networks, which jobs carry."""


def unpack(packed: None) -> None:
    """Do nothing."""


def player(agent: Array) -> Player:
    """Return an agent, AGENT (1,), as this package plays it. Raises AgentError, RunError."""
    return policy(agent) if agent["kind"][0] == nets.END_TO_END else agent


def policy(agent: Array) -> Actor:
    """Return an end-to-end policy, AGENT (1,), as one that plays. Raises AgentError, RunError."""
    return _actor(nets.content(agent))


@functools.lru_cache(maxsize=16)
def _actor(data: bytes) -> Actor:
    return checkpoints.of_bytes(data, "the network of an end-to-end policy").actor()


def check(agents: Array, decks: Sequence[Deck]) -> None:
    """Raise ConfigError if a policy among agents, AGENT (...), can't play one of these decks."""
    for agent in agents:
        check_classes(policy(np.array([agent], AGENT)), decks)


def traits(agent: Array) -> str:
    """Return whether a policy builds its decks, or sees the other's, in words."""
    actor = policy(agent)
    said = [words for has, words in ((actor.builds, "builds its decks"),
                                     (actor.shown in _SEES, _SEES.get(actor.shown, ""))) if has]
    return " and ".join(said)


def play_rows(executor: Executor, rows: Array, agents: Array,
              setting: Setting) -> Iterator[tuple[Array, Array]]:
    """See `players.PlayerFamily`."""
    records, pairings = seated(agents, rows)
    needed, places = np.unique([pairings["a"], pairings["b"]], return_inverse=True)
    renumbered = pairings.copy()
    renumbered["a"], renumbered["b"] = places.reshape(2, -1)
    at = 0
    for part, results in matches.play_rows(executor, renumbered, _players(records[needed]),
                                           setting):
        yield rows[at:at + len(part)], results
        at += len(part)


def play_block(pairings: Array, agents: Array, setting: Setting) -> Array:
    """See `players.PlayerFamily`."""
    records, rows = seated(agents, pairings)
    with open_workers(SERIAL) as executor:
        _, results = matches.play_all_rows(executor, rows, _players(records), setting)
    total, of = np.zeros(len(pairings), RESULT), np.repeat(range(len(pairings)), rows["games"])
    for name in RESULT.names or ():
        np.add.at(total[name], of, results[name])
    return total


def _players(agents: Array) -> list[Player]:
    return [player(agents[k:k + 1]) for k in range(len(agents))]


def built(decks: tuple[Deck, Deck], agents: Sequence[Array], ruleset: str,
          seed: int) -> tuple[Deck, Deck]:
    """See `players.PlayerFamily`; as in a match, without random-CB."""
    players = [player(agent) for agent in agents]
    if not any(getattr(actor, "builds", False) for actor in players):
        return decks
    seeds = np.array([seed], np.uint64)
    chosen, _ = build_decks(players, np.array([[0, 1]]), [decks], seeds, False, peeked(seeds))
    return chosen[0]


def built_decks(agent: Array, owner: Class, n: int, seed: int) -> list[Deck]:
    """Return n decks that a policy, AGENT (1,), builds for a class.

    Raises AgentError if it builds none, or is no such policy; ConfigError if it has no network of
    the class.
    """
    actor = builder(agent, owner)
    assert actor.pool is not None
    return [actor.pool.deck(owner, picks) for picks in picked(actor, owner, n, seed)]


def builder(agent: Array, owner: Class) -> Actor:
    """Return a policy, AGENT (1,), that builds decks of a class. Raises as `built_decks`."""
    actor = policy(agent) if agent["kind"][0] == nets.END_TO_END else None
    if actor is None or actor.pool is None:
        raise AgentError("this player does not build decks; use an end-to-end policy that learned"
                         " with network.build")
    if actor.classes and owner not in actor.classes:
        own = ", ".join(Class(hero).name.lower() for hero in actor.classes)
        raise ConfigError(f"this policy has networks only for {own}, not for {owner.name.lower()}")
    return actor


def picked(actor: Actor, owner: Class, n: int, seed: int) -> Array:
    """Return the cards of n decks of a class in the order of their choice: places in the pool,
    int64 (n, 30). Equal seeds are equal decks, whatever n is.
    """
    owners = np.full(n, int(owner))
    draws = uniform(0, derive((seed, Stream.DECKS), np.arange(n)), owners, SIZE)
    picks, _ = actor.build(owners, np.zeros(n, np.int64), draws)
    return picks


def bot(agent: Array) -> PolicyBot:
    """Return a policy, AGENT (1,), as one that is asked move by move."""
    return PolicyBot(policy(agent))


class PolicyBot:
    """A policy that plays games move by move: a `players.Bot`.

    It draws as in `rounds.play`: by the game's seed, the seat and the number of the decision.
    """

    def __init__(self, actor: Actor) -> None:
        self.actor = actor

    def start(self, deck: Deck) -> Memory:
        """Return the memory with which a game begins. Raises ConfigError for another class."""
        check_classes(self.actor, [deck])
        return self.actor.start(1)

    def fork(self, memory: Memory) -> Memory:
        """Return the memory, which is never changed."""
        return memory

    def act(self, decision: Decision, memory: Memory) -> tuple[int, Memory]:
        """Return the move that it draws, and its new memory."""
        seen, legal = self._seen(decision)
        draws = uniform(decision.clock, np.array([decision.seed], np.uint64),
                        decision.state["me"].astype(np.int64), PARTS)
        new = memory.copy()
        chosen, _ = self.actor.act(seen, legal, new, np.zeros(1, np.int64), draws)
        return int(moves_of(chosen)[0]), new

    def chances(self, decision: Decision, memory: Memory) -> dict[int, float]:
        """Return the probability of each legal move."""
        seen, legal = self._seen(decision)
        moves = np.flatnonzero(_games(decision).legal_moves()[0])
        parts = parts_of(moves, np.repeat(decision.state["pending"] == Phase.CHOICE, len(moves)))
        chances = self.actor.chances(seen, legal, memory, parts)
        return dict(zip(moves.tolist(), chances.tolist(), strict=True))

    def _seen(self, decision: Decision) -> tuple[Array, Array]:
        """Return what the player to move sees, and what it may do."""
        games = _games(decision)
        history = History.of(games, decision.acts) if self.actor.settings.history else None
        seen, legal = observe(games, history=history)
        if self.actor.shown != HIDDEN:
            seat = int(decision.state["me"][0])
            peeks = peeked(np.array([decision.seed], np.uint64))
            first, second = decision.setting.decks
            lists = lists_shown([self.actor], np.zeros((1, 2), np.int64), [(first, second)], peeks,
                                decision.setting.ruleset)
            assert lists is not None
            seen[:, ENEMY_DECK] = lists[0, seat]
        return seen, legal


def _games(decision: Decision) -> GameBatch:
    return GameBatch(np.array(decision.state).view(np.recarray), decision.setting.ruleset)
