"""Information states with perfect recall: everything that a player has known in a game so far."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hsevo.cards.tables import index
from hsevo.play.events import Event, What, seen_by
from hsevo.play.session import Session
from hsevo.play.view import blanked

# Columns of the table of events. `event`: number of the kind in `events.What`, from 0. `owner`: 1
# for the player itself, 0 for the opponent, -1 for neither. `card` and `by_card`: numbers of
# `cards.tables.index`, 0 if there is none or the player does not see it. `uid`, `target` and `by`:
# characters, which keep their numbers for the whole game. `position`: from 0, -1 for none.
COLUMNS = ("event", "owner", "card", "uid", "target", "amount", "position", "by_card", "by")
_KINDS = {what: number for number, what in enumerate(What)}
# Attributes of a game: what it goes on from (a game, and the player whose world it is), and what a
# player knew before the position that was asked for last.
_ORIGIN, _KNOWN = "_origin", "_known"


class InformationState(NamedTuple):
    """Hold what a player has known in a game so far.

    Attributes
    ----------
    key : str
        32 hex digits that differ if the player could tell the games apart.
    events : ndarray of int16, shape (n, 9)
        The events that the player has seen, in order, with the columns COLUMNS.
    """

    key: str
    events: npt.NDArray[np.int16]


def information_state(game: Session, player: int) -> InformationState:
    """Return the information state of a player: see `hsevo.Game.information_state`."""
    past, events = _known(game, player)
    rows = [_row(event, player, index(game.setting.ruleset)) for event in events]
    return InformationState(_hashed(past, blanked(game.states(), player).tobytes()).hex(),
                            np.array(rows, np.int16).reshape(-1, len(COLUMNS)))


def go_on(worlds: Iterable[Session], game: Session, player: int) -> None:
    """Let worlds of a player go on with what the player has known in the game until now.

    What the other player knew in the game, a world must not tell: for it, a world begins there.
    """
    game._tell()  # once, not in each copy
    origin = game.copy(), player
    for world in worlds:
        world.__dict__[_ORIGIN] = origin


def _known(game: Session, player: int) -> tuple[bytes, list[Event]]:
    """Return the hash and the events of all that a player knew before the current position.

    The last answer is kept, also for copies, which share it until they move.
    """
    key = player, len(game._played)
    answer: tuple[tuple[int, int], bytes, list[Event]] | None = game.__dict__.get(_KNOWN)
    if answer is None or answer[0] != key:
        answer = game.__dict__[_KNOWN] = (key, *_recalled(game, player))
    return answer[1], answer[2]


def _recalled(game: Session, player: int) -> tuple[bytes, list[Event]]:
    steps, events = [*game.past()], [*game.events_for(player)]
    opening = events[:len(events) - sum(len(happened) for *_, happened in steps)]
    past, origin = _hashed(b"", repr(opening).encode()), game.__dict__.get(_ORIGIN)
    if origin is not None and origin[1] == player:
        past, earlier = _known(*origin)
        events = [*earlier, *events[len(opening):]]
    for state, action, happened in steps:
        if int(state["me"][0]) == player:
            past = _hashed(past, blanked(state, player).tobytes() + action.to_bytes(4, "little"))
        past = _hashed(past, repr([seen_by(event, player) for event in happened]).encode())
    return past, events


def _hashed(past: bytes, then: bytes) -> bytes:
    """Return 16 bytes that differ if the past, or what then happened, differs."""
    return hashlib.sha256(past + then).digest()[:16]


def _row(event: Event, player: int, numbers: Mapping[str, int]) -> tuple[int, ...]:
    """Return the row of an event for the table of a player."""
    owner = -1 if event.player < 0 else int(event.player == player)
    return (_KINDS[event.what], owner, numbers.get(event.card, 0), event.uid, event.target,
            event.amount, event.position, numbers.get(event.by_card, 0), event.by)
