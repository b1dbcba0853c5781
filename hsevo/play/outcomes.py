"""A possible result of an action: its probability, the game after it, what happened in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from hsevo.cards.tables import cards, ids
from hsevo.engine.view.show import scene
from hsevo.engine.view.snapshot import GameSnapshot, snapshot
from hsevo.play.events import BOTH, Event, What
from hsevo.play.match import Setting, Table
from hsevo.play.narrator import Narrator
from hsevo.play.recorder import Recorder
from hsevo.play.rules import MOST_TURNS, NO_AGENTS
from hsevo.types import Array


class _Ruled(Protocol):
    """A game, of which this module knows the ruleset alone."""

    @property
    def ruleset(self) -> str: ...


G = TypeVar("G", bound=_Ruled)
NAMES = "player 0", "player 1"
_ACTION = {What.PLAYED, What.POWER, What.ATTACKED, What.CHOSE, What.TURN_ENDED}


@dataclass(frozen=True, repr=False, eq=False)
class Outcome(Generic[G]):
    """Hold a possible result of an action. It unpacks as a pair: `probability, game = outcome`.

    Attributes
    ----------
    probability : float
        Probability of the result, 0 to 1.
    game : GameState
        The game after the action: continue with it to force the result.
    """

    probability: float
    game: G
    _before: Array
    _action: int
    _script: Array  # the random results, for `entry.force`

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Events of the action, including hidden events, as `hsevo.Game.play` returns them."""
        table = Table(NO_AGENTS, Setting(self.game.ruleset, (), "fair", MOST_TURNS))
        table.game = self._before
        table.game.scripted, table.game.n_asked = 1, 0
        table.game.script[:] = self._script
        return tuple(Recorder(table).move(self._action))

    def __iter__(self) -> Iterator[Any]:
        return iter((self.probability, self.game))

    def __repr__(self) -> str:
        return f"Outcome({self.probability:.3g}, {self.text!r})"

    @cached_property
    def text(self) -> str:
        """What happened, without the action itself, in one line: "player 1 draws Fireball".

        Results that lead to the same game are merged: the text is that of the first of them.
        """
        before, ruleset = self._before, self.game.ruleset
        narrator = Narrator(NAMES, ruleset)
        now = snapshot(before[0])
        narrator.meet_heroes(scene(now, ruleset))
        _tell_apart(narrator, now)
        own = self.events and self.events[0].what in _ACTION
        told = narrator.lines(self.events[1:] if own else self.events)
        return "; ".join(told) or "nothing else happens"


def _tell_apart(narrator: Narrator, now: GameSnapshot) -> None:
    """Name the minions in play that have the name of another by their places."""
    known, numbers = cards(narrator.ruleset), ids(narrator.ruleset)
    minions = [(known[numbers[minion.card]].name, minion.uid, place, player) for player in BOTH
               for place, minion in enumerate(now.board(player), start=1)]
    times = Counter(name for name, *_ in minions)
    for name, uid, place, player in minions:
        narrator.called[uid] = name
        if times[name] > 1:
            narrator.name(uid, f"{name} (minion {place} of {NAMES[player]})")
