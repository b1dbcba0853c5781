"""An end-to-end policy that plays: its networks in compiled code, and what a player remembers.

    actor = Actor.of(parameters, settings, ...)
    memory = actor.start(n)                                   of n players
    chosen, logs = actor.act(seen, legal, memory, players, draws)     memory is updated

The bits of what it does depend on its parameters, on what it sees and on its draws: neither on the
machine nor on how many games are played at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hsevo.cards.decks import SIZE, Deck
from hsevo.cards.terms import Class
from hsevo.config.learning import NetworkSettings
from hsevo.engine.view.observe import OFFSETS, SeenPlayer
from hsevo.errors import ConfigError
from hsevo.learning.acting.building import Branch, Drafted, build, drafted
from hsevo.learning.acting.forward import Asked, Weights, act
from hsevo.learning.acting.pool import CardPool
from hsevo.learning.acting.weights import branch, logarithm, padded, scratch, shape, weights
from hsevo.types import Array

PARTS = 3  # of a move
ANY = int(Class.NEUTRAL)  # in the place of a class: the network of all
CLASS = OFFSETS["player"] + SeenPlayer.CLASS  # in an observation: the own class


class Memory(NamedTuple):
    """What n players remember: the LSTM's states, float32 (n, lstm), and their classes, (n,).

    A class is ANY before the first decision, and then stays, whatever the hero becomes.
    """

    h: Array
    c: Array
    classes: Array

    def copy(self, players: Any = slice(None)) -> Memory:
        """Return a copy, of some of the players."""
        return Memory(*(part[players].copy() for part in self))


class Drafting(NamedTuple):
    """n decks that are built card by card, in parts: those of each network."""

    n: int
    parts: list[tuple[Array, Branch, Drafted]]  # which of the decks; what builds them; their cards

    def see(self, step: int, theirs: Array) -> None:
        """Let each see which card its opponent chose at a step: places in the pool, (n,), or -1."""
        for rows, _, own in self.parts:
            own.theirs[:, step] = theirs[rows]

    def advance(self, first: int, last: int) -> None:
        """Choose the cards from a step on, before another one."""
        for _, branch_, own in self.parts:
            build(branch_, own, first, last)

    def chosen(self, step: int) -> Array:
        """Return what was chosen at a step: places in the pool, int64 (n,)."""
        picks = np.zeros(self.n, np.int64)
        for rows, _, own in self.parts:
            picks[rows] = own.picks[:, step]
        return picks

    def deck_choices(self) -> tuple[Array, Array, Array]:
        """Return what was chosen, its log probabilities, and what opponents chose, all (n, 30)."""
        picks, theirs = np.zeros((self.n, SIZE), np.int64), np.full((self.n, SIZE), -1)
        logs = np.zeros((self.n, SIZE), np.float32)
        for rows, _, own in self.parts:
            picks[rows], theirs[rows] = own.picks, own.theirs
            logs[rows] = logarithm(own.chances)
        return picks, logs, theirs


@dataclass(frozen=True, eq=False)
class Actor:
    """A policy that plays.

    networks: by class; the only one has the key ANY if it is for all classes. branches: likewise,
    those that build decks of `pool`.
    """

    settings: NetworkSettings
    networks: Mapping[int, Weights]
    branches: Mapping[int, Branch]
    pool: CardPool | None = None

    @classmethod
    def of(cls, parameters: Mapping[str, Array], settings: NetworkSettings,
           classes: Sequence[int] = (), pool: CardPool | None = None) -> Actor:
        """Return the policy with PyTorch's parameters, by their names there.

        classes: those that have a network of their own; (): one network has all. pool: of the decks
        that it builds, if it does. Raises KeyError and ValueError for other parameters.
        """
        parts: dict[int, Mapping[str, Array]] = {
            owner: _part(parameters, f"networks.{owner}.") for owner in classes}
        parts = parts or {ANY: parameters}
        networks = {owner: weights(part, settings) for owner, part in parts.items()}
        branches = {} if pool is None else {
            owner: branch(part, settings, pool) for owner, part in parts.items()}
        return cls(settings, networks, branches, pool)

    @property
    def shown(self) -> str:
        """What it sees of the opponent's deck, one of `shapes.SHOWN`."""
        return self.settings.opponent_deck

    @property
    def builds(self) -> bool:
        """Whether it builds its decks."""
        return self.pool is not None

    @property
    def classes(self) -> list[int]:
        """The classes that it plays; [] for all."""
        return [owner for owner in self.networks if owner != ANY]

    def start(self, n: int) -> Memory:
        """Return the memories with which n players begin a game."""
        zeros = np.zeros((n, padded(self.settings.lstm)), np.float32)
        return Memory(zeros, zeros.copy(), np.full(n, ANY, np.int64))

    def act(self, seen: Array, legal: Array, memory: Memory, players: Array,
            draws: Array) -> tuple[Array, Array]:
        """Choose moves in n games; return their parts, int64 (n, 3), and log probabilities (n,).

        seen, legal: as `learning.observe` returns them, with a history if settings.history.
        players (n,): whose memories these are, no one twice; they are updated. draws: float64
        (n, 3), in [0, 1).
        """
        chosen = np.zeros((len(seen), PARTS), np.int64)
        chances = self._run(seen, legal, memory, players, draws, chosen)
        return chosen, logarithm(chances).astype(np.float32)

    def chances(self, seen: Array, legal: Array, memory: Memory, parts: Array) -> Array:
        """Return the probabilities, float64 (k,), of legal moves, parts (k, 3), in one game.

        seen (1, SIZE), legal (1, WHATS), memory: of one player; it stays as it is.
        """
        every = np.zeros(len(parts), np.int64)
        return self._run(seen[every], legal[every], memory.copy(every), np.arange(len(parts)),
                         np.zeros((0, PARTS)), np.array(parts, np.int64))

    def build(self, owners: Array, uniform: Array, draws: Array) -> tuple[Array, Array]:
        """Choose the cards of n decks: places in the pool, int64 (n, 30), and log probabilities.

        As `drafting` takes them; nothing is seen of an opponent.
        """
        every = self.drafting(owners, uniform, draws, np.zeros(len(owners), np.int64))
        every.advance(0, SIZE)
        return every.deck_choices()[:2]

    def drafting(self, owners: Array, uniform: Array, draws: Array, peeks: Array) -> Drafting:
        """Return n decks of which no card is chosen yet.

        owners (n,): classes. uniform (n,): how many cards of each are drawn uniformly. draws:
        float64 (n, 30), in [0, 1). peeks (n,): how many cards of the opponent's are seen.
        """
        assert self.pool is not None
        return Drafting(len(owners), [
            (np.arange(len(owners))[rows], self.branches[owner], drafted(
                self.branches[owner], owners[rows], uniform[rows], draws[rows], self.pool.most,
                peeks[rows])) for owner, rows in self._rows(owners)])

    def _run(self, seen: Array, legal: Array, memory: Memory, players: Array, draws: Array,
             chosen: Array) -> Array:
        """Let the network of each player's class choose, or say how likely choices are."""
        chances = np.zeros(len(seen))
        known = memory.classes[players]
        memory.classes[players] = classes = np.where(known == ANY, seen[:, CLASS], known)
        for owner, rows in self._rows(classes):
            own = Asked(seen[rows], legal[rows], memory.h, memory.c, players[rows],
                        draws[rows] if len(draws) else draws, chosen[rows], chances[rows])
            act(self.networks[owner], shape(self.settings), scratch(self.settings), own)
            chosen[rows], chances[rows] = own.chosen, own.chances
        return chances

    def _rows(self, classes: Array) -> Iterator[tuple[int, Any]]:
        """Yield each network that has rows, by its key, and these rows."""
        if ANY in self.networks:
            yield ANY, slice(None)
            return
        for owner in np.unique(classes).tolist():
            yield owner, np.flatnonzero(classes == owner)


def check_classes(player: Any, decks: Sequence[Deck]) -> None:
    """Raise ConfigError if a player has networks of classes, but none for a deck's."""
    if isinstance(player, Actor) and player.classes:
        known = [Class(owner).name for owner in player.classes]
        if unknown := sorted({deck.hero_class for deck in decks} - {*known}):
            raise ConfigError(f"a player has networks only for {', '.join(known)} (isolate), but"
                              f" there are decks of {', '.join(unknown)}")


def _part(parameters: Mapping[str, Array], prefix: str) -> dict[str, Array]:
    """Return the parameters whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): parameter for name, parameter in parameters.items()
            if name.startswith(prefix)}
