"""Information states with perfect recall: everything that a player has known in a game so far."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hsevo.cards.tables import index
from hsevo.play import rules
from hsevo.play.events import Event, What, seen_by
from hsevo.play.outcomes import Outcome
from hsevo.play.session import Session
from hsevo.play.view import blanked
from hsevo.types import Array

COLUMNS = ("event", "owner", "card", "uid", "target", "amount", "position", "by_card", "by")
_KINDS = {what: number for number, what in enumerate(What)}
# Attributes of a game: what it continues (a game, and the player whose world it is; or a game, the
# action, and the outcome that it is), and what each player knew when it was last asked for.
_ORIGIN, _CAUSE, _KNOWN = "_origin", "_cause", "_known"


class InformationState(NamedTuple):
    """Hold what a player has known in a game so far.

    Attributes
    ----------
    key : str
        32 hex digits that differ if the player could tell the games apart.
    events : ndarray of int16, shape (n, 9)
        The events that the player has seen, in order. COLUMNS names the columns.

    Notes
    -----
    `event` is the number of the kind in `hsevo.play.events.What`, from 0. `owner` is 1 for the
    player, 0 for the opponent and -1 for neither. `card` and `by_card` are numbers of
    `hsevo.cards.tables.index`. They are 0 if there is no card, or the player does not see it.
    `uid`, `target` and `by` are characters, which keep their numbers for the whole game, or 0.
    `position` counts from 0, and is -1 if there is none.
    """

    key: str
    events: npt.NDArray[np.int16]


def information_state(game: Session, player: int) -> InformationState:
    """Return the information state of a player: see `hsevo.Game.information_state`."""
    known = _known(game, player)
    rows = [_row(event, player, index(game.setting.ruleset)) for event in known.events]
    return InformationState(_hashed(known.past, blanked(game.states(), player).tobytes()).hex(),
                            np.array(rows, np.int16).reshape(-1, len(COLUMNS)))


def go_on(worlds: Iterable[Session], game: Session, player: int) -> None:
    """Let worlds of a player go on with what the player has known in the game until now.

    What the other player knew in the game, a world must not tell: for it, a world begins there.
    """
    game._tell()  # once, not in each copy
    origin = game.copy(), player
    for world in worlds:
        world.__dict__[_ORIGIN] = origin


class _Known(NamedTuple):
    """What a player knew before the decision after so many moves, and the state at that decision.

    It is never changed, so that copies of a game share it until they move.
    """

    moves: int
    state: Array
    past: bytes  # hash
    events: tuple[Event, ...]


def result_of(outcomes: Iterable[Outcome[Any]], game: Session, action: int) -> None:
    """Let outcomes of an action continue with what both players have known in the game."""
    game._tell()  # once, not in each copy
    before = game.copy()
    for outcome in outcomes:
        outcome.game.__dict__[_CAUSE] = before, action, outcome


def _known(game: Session, player: int) -> _Known:
    """Return what a player knew before the current position: the last answer and what followed."""
    answers: dict[int, _Known] = game.__dict__.get(_KNOWN, {})
    known = answers[player] if player in answers else _opening(game, player)
    if player not in answers or known.moves < len(game._played):
        known = _continued(known, game, player)
        game.__dict__[_KNOWN] = answers | {player: known}
    return known


def _opening(game: Session, player: int) -> _Known:
    """Return what a player knew before the first move."""
    origin, cause = game.__dict__.get(_ORIGIN), game.__dict__.get(_CAUSE)
    if origin is not None and origin[1] == player:
        return _known(*origin)._replace(moves=0, state=game._first)
    if cause is not None:
        before, action, outcome = cause
        known = _learned(_known(before, player), player, action, outcome.events)
        return known._replace(moves=0, state=game._first)
    seen = [seen_by(event, player) for event in game.events[:game._ends[0]]]
    return _Known(0, game._first, _hashed(b"", repr(seen).encode()), tuple(seen))


def _continued(known: _Known, game: Session, player: int) -> _Known:
    """Add what a player learned by the moves since then."""
    for at in range(known.moves, len(game._played)):
        action, happened = game._played[at], game.events[game._ends[at]:game._ends[at + 1]]
        following = rules.after(known.state, game.ruleset, action, all_places=True)
        assert following is not None, "a move that was made is legal"
        known = _learned(known, player, action, happened)._replace(moves=at + 1, state=following)
    return known


def _learned(known: _Known, player: int, action: int, happened: Iterable[Event]) -> _Known:
    """Add what a player learned by one move, which it may have made itself."""
    past = known.past
    if int(known.state["me"][0]) == player:
        past = _hashed(past, blanked(known.state, player).tobytes() + action.to_bytes(4, "little"))
    seen = [seen_by(event, player) for event in happened]
    return known._replace(past=_hashed(past, repr(seen).encode()), events=(*known.events, *seen))


def _hashed(past: bytes, then: bytes) -> bytes:
    """Return 16 bytes that differ if the past, or what then happened, differs."""
    return hashlib.sha256(past + then).digest()[:16]


def _row(event: Event, player: int, numbers: Mapping[str, int]) -> tuple[int, ...]:
    """Return the row of an event for the table of a player."""
    owner = -1 if event.player < 0 else int(event.player == player)
    return (_KINDS[event.what], owner, numbers.get(event.card, 0), event.uid, event.target,
            event.amount, event.position, numbers.get(event.by_card, 0), event.by)
