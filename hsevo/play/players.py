"""Players that no compiled code plays: what they are to hsevo, and who plays them.

    family(kind)             what plays a kind of them, as it registered itself
    families(agents)         the same for all among some agents, by kind
    check(agents, setting)   whether they can play, and fairly

Such a player is *hosted*: its AGENT has a kind below 0, and agents/learned/nets.py keeps its
content as bytes. What plays a kind is a family: a module that registers itself by an entry point of
the group `hsevo.players`, and that is imported when a game first needs it. So nothing here knows
any; hosting.py plays their games. End-to-end policies and Python players are such families.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from hsevo.agents.learned import nets
from hsevo.agents.mcts.named import is_timed
from hsevo.agents.shared.agent import AGENT, RANDOM, agent
from hsevo.cards.decks import Deck
from hsevo.errors import ConfigError
from hsevo.play.acts import Act
from hsevo.play.match import Setting
from hsevo.play.workers import Executor
from hsevo.types import Array

GROUP = "hsevo.players"  # of the entry points


class PlayedCard(NamedTuple):
    """A card that was played from a hand."""

    turn: int
    player: int
    card: str | None  # its id; None: a secret that the one who looks did not see


class Decision(NamedTuple):
    """What a hosted player decides by, apart from its memory. Its family hides what is hidden."""

    state: Array  # STATE (1,)
    setting: Setting  # its decks are those of players 0 and 1
    clock: int  # 1 + how many decisions of hosted players the game has had
    seed: int  # of the game
    played: tuple[PlayedCard, ...] = ()  # so far, by both players, secrets with their ids
    acts: tuple[Act, ...] = ()  # so far, by both players, played cards among them
    before: Array | None = None  # STATE (1,) at this player's last decision; None: there was none


class Bot(Protocol):
    """A hosted player that plays games move by move."""

    def start(self, deck: Deck) -> Any:
        """Return the memory with which a game begins. Raises ConfigError for another class."""

    def fork(self, memory: Any) -> Any:
        """Return a memory that `act` may change."""

    def act(self, decision: Decision, memory: Any) -> tuple[int, Any]:
        """Return its move, and its new memory. Raises PlayerError if it has no legal one."""

    def chances(self, decision: Decision, memory: Any) -> dict[int, float]:
        """Return the probability of each legal move; {} if it gives none."""


@runtime_checkable
class ManyBot(Bot, Protocol):
    """A hosted player that decides in many games at once."""

    def act_many(self, decisions: Sequence[Decision],
                 memories: Sequence[Any]) -> list[tuple[int, Any]]:
        """Return what `act` does for each decision, in order. Raises PlayerError."""


class PlayerFamily(Protocol):
    """What plays one kind of hosted players: a module.

    SCORED: what `Bot.chances` are, as of registry.AgentKind; "" for nothing. BATCHED: it plays many
    games at once, with `play_rows` and `play_block`; then a tree search that it meets begins a new
    tree with each decision. RECORDED: its games are stored move by move, as it need not play them
    twice alike. CLOSED: it can play with closed deck lists.
    """

    SCORED: str
    BATCHED: bool
    RECORDED: bool
    CLOSED: bool

    def read(self, source: str) -> Array:
        """Return the player of a source, AGENT (1,): what its spec has after the kind.

        Raises AgentError, RunError, ConfigError.
        """

    def check(self, agents: Array, decks: Sequence[Deck]) -> None:
        """Raise ConfigError if one of its players, AGENT (n,), can't play one of these decks."""

    def traits(self, agent: Array) -> str:
        """Return what sets the games of a player, AGENT (1,), apart, in words; "" for nothing."""

    def built(self, decks: tuple[Deck, Deck], agents: Sequence[Array], ruleset: str,
              seed: int) -> tuple[Deck, Deck]:
        """Return the decks of a game after its players have built theirs, if they do."""

    def bot(self, agent: Array) -> Bot:
        """Return a player, AGENT (1,), as one that is asked move by move."""

    def packed(self, agents: Array) -> Any:
        """Return what another process needs to play its players, AGENT (n,); goes to `unpack`."""

    def unpack(self, packed: Any) -> None:
        """Take over what `packed` returned in another process."""

    def play_rows(self, executor: Executor, rows: Array, agents: Array,
                  setting: Setting) -> Iterator[tuple[Array, Array]]:
        """Play rows of one game each on the workers; yield them in order, with RESULT rows."""

    def play_block(self, pairings: Array, agents: Array, setting: Setting) -> Array:
        """Play every game of every pairing; return RESULT (n,)."""


@functools.cache
def family(kind: int) -> PlayerFamily:
    """Return what plays a kind of hosted players. Raises ConfigError if it is not installed."""
    name = nets.HOSTED[kind]
    for entry_point in entry_points(group=GROUP, name=name):
        module: PlayerFamily = entry_point.load()
        return module
    raise ConfigError(f"no players are registered for the agent family '{name}'; reinstall hsevo"
                      " (in a clone: make setup)")


def among(agents: Array) -> bool:
    """Return whether one of some agents, AGENT (...), is hosted."""
    return bool(nets.is_hosted(agents).any())


def families(agents: Array) -> dict[int, PlayerFamily]:
    """Return what plays the hosted players among agents, AGENT (...), by kind."""
    kinds = np.unique(agents["kind"][nets.is_hosted(agents)])
    return {int(kind): family(int(kind)) for kind in kinds}


def scored(agent: Any) -> str:
    """Return what the chances of a hosted player are, a record AGENT; see Family."""
    return family(int(agent["kind"])).SCORED


def is_recorded(agents: Array) -> bool:
    """Return whether games of agents, AGENT (...), are stored move by move."""
    return any(player_family.RECORDED for player_family in families(agents).values())


def traits(agent: Array) -> str:
    """Return what sets the games of an agent, AGENT (...), apart, in words; "" if nothing does."""
    if among(agent):
        return family(int(agent["kind"].flat[0])).traits(agent)
    return "has a time limit, so its games can't be replayed" if is_timed(agent) else ""


def packed(agents: Array) -> dict[int, Any]:
    """Return what another process needs to play the hosted ones among agents, AGENT (...)."""
    return {kind: player_family.packed(of_kind(agents, kind))
            for kind, player_family in families(agents).items()}


def unpack(packed: dict[int, Any]) -> None:
    """Take over what `packed` returned in another process."""
    for kind, players in packed.items():
        family(kind).unpack(players)


def of_kind(agents: Array, kind: int) -> Array:
    """Return those of a kind among agents, AGENT (...), as AGENT (n,)."""
    return np.ascontiguousarray(agents[agents["kind"] == kind], AGENT)


def check(agents: Array, setting: Setting) -> None:
    """Raise ConfigError if one of some agents, AGENT (...), is hosted and can't play this.

    Its games hide what is hidden, and it may have networks for some classes alone.
    """
    for kind, player_family in families(agents).items():
        check_hidden(setting, player_family)
        player_family.check(of_kind(agents, kind), setting.decks)


def refuse_leaky(setting: Setting) -> None:
    """Raise ConfigError where look-aheads see what is hidden: no hosted player does."""
    if setting.information == "leaky":
        raise ConfigError("an end-to-end policy or a Python player sees only public information, so"
                          " it can't play with --information leaky")


def check_hidden(setting: Setting, of: PlayerFamily) -> None:
    """Raise ConfigError unless a hosted player of a family can play with what is known there."""
    refuse_leaky(setting)
    if not of.CLOSED:
        refuse_unfair(setting)


def refuse_unfair(setting: Setting) -> None:
    """Raise ConfigError unless deck lists are open and look-aheads are fair."""
    if setting.information != "fair":
        raise ConfigError("an end-to-end policy needs open deck lists, so it can't play with"
                          f" --information {setting.information}")


def built(decks: tuple[Deck, Deck], agents: Sequence[Array | None], ruleset: str,
          seed: int) -> tuple[Deck, Deck]:
    """Return the decks of a game after players that build theirs have done so.

    agents: AGENT (1,) of players 0 and 1; None for one that plays through Python.
    """
    seats = [agent(RANDOM) if record is None else record for record in agents]
    for player_family in families(np.concatenate(seats)).values():
        decks = player_family.built(decks, seats, ruleset, seed)
    return decks


def compiled(agents: Array) -> Array:
    """Return agents, AGENT (...), with one that compiled code takes in the place of hosted ones."""
    replaced = agents.copy()
    replaced[nets.is_hosted(replaced)] = agent(RANDOM)[0]
    return replaced
