"""What one human at a table sees: its last frame, what it was told, and the pages that listen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from hsevo.play.session import Session
from hsevo.web import frames
from hsevo.web.telling import Teller

Plain: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[Plain], Awaitable[None]]


class Look:
    """A game as the player of a seat may see it. names: of players 0 and 1, as it is told them."""

    def __init__(self, game: Session, seat: int, names: tuple[str, str]) -> None:
        self.seat, self.listeners, self.log = seat, set[Listener](), list[Plain]()
        self._teller, self._told = Teller(names, game.setting.ruleset), 0
        self._teller.meet_view(game.beginning().view(seat))
        self.state: Plain = {}

    @property
    def whole(self) -> Plain:
        """The last frame, with all that was told so far: what a page gets that has just opened."""
        return self.state | {"events": [], "log": [], "past": self.log}

    def renew(self, game: Session, gave_up: int | None) -> None:
        """See how a game stands now, and what happened since. gave_up: the seat that did, if any.
        """
        self.state = frames.frame(game, self.seat, self._teller, self._told, gave_up)
        self._told = len(game.events)
        at = self.state["at"]
        self.log.extend({"at": at, "text": line} for line in self.state["log"])

    async def tell(self, message: Plain) -> None:
        """Send a message to the pages that listen."""
        for listener in [*self.listeners]:
            await listener(message)
