"""Games between two people: one invites, another comes by the code, and each has a seat of its own.

Who invites is always player 0, so that it is "a" wherever stored games are listed and analysed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from anyio import to_thread

from hsevo.cards.decks import Deck
from hsevo.errors import ConfigError, GameError, RunError, quoted
from hsevo.play.session import Seat, Session
from hsevo.replays.exercises import now
from hsevo.replays.invitations import Invitation, Invitations
from hsevo.replays.played import GUEST, HUMAN, GameFacts, PlayedGames
from hsevo.strength.games import Game
from hsevo.texts import say
from hsevo.web.choices import Choices

FIRST = ("any", "me", "agent")  # who begins
TRIES = 200  # seeds that are drawn until the right player begins: half of them do


class InvitationTaken(GameError):
    """The other seat of an invitation is taken."""


class Duels:
    """Invitations, and the games that come of them. begin: saves a game, and returns its number.

    Persons are digests (web/persons.py).
    """

    def __init__(self, games: PlayedGames, choices: Choices, begin: Callable[..., int]) -> None:
        self._games, self._choices, self._begin = games, choices, begin
        self._invitations, self._joining = Invitations(games), asyncio.Lock()

    def of(self, code: str) -> Invitation | None:
        """Return an open invitation, None if there is no such."""
        return self._invitations.of(code)

    def by(self, person: str) -> list[Invitation]:
        """Return a person's open invitations."""
        return [invitation for invitation in self._invitations if invitation.owner == person]

    def begun(self, code: str) -> GameFacts | None:
        """Return the game that came of an invitation, None if there is none."""
        return next((game for game in self._games.facts if code and game.invitation == code), None)

    def invite(self, person: str, wish: Mapping[str, Any], address: str = "") -> str:
        """Invite another person to a game, and return the code.

        wish: deck, first (one of FIRST; "agent" is who comes). address: of who invites. Raises
        DeckError, ConfigError, GameError, RunError.
        """
        deck, first = self._choices.deck(wish.get("deck")), wish.get("first", "any")
        if first not in FIRST:
            raise ConfigError(say("refused.one_of", what="first", value=quoted(first),
                                  known=", ".join(FIRST)))
        return self._invitations.new(now(), person, deck, first, address).code

    async def join(self, person: str, code: str, wish: Mapping[str, Any]) -> int:
        """Take the other seat of an invitation, and return the number of the game that begins.

        wish: deck. Raises Taken, GameError, DeckError, RunError.
        """
        async with self._joining:
            invitation = self.of(code)
            if self.begun(code):
                raise InvitationTaken(say("refused.seat_taken"))
            if invitation is None:
                raise GameError(say("refused.no_invitation"))
            if invitation.owner == person:
                raise GameError(say("refused.own_invitation"))
            deck = self._choices.deck(wish.get("deck"))
            game = await to_thread.run_sync(lambda: self._dealt(invitation, deck))
            number = self._begin(game, owner=invitation.owner, guest=person, invitation=code)
            with suppress(RunError):  # a game that has begun keeps its invitation from being taken
                self._invitations.remove(code)
            return number

    async def withdraw(self, person: str, code: str) -> None:
        """Withdraw a person's invitation. Raises GameError if it is not open, or another one's."""
        async with self._joining:
            invitation = self.of(code)
            if invitation is None or invitation.owner != person:
                raise GameError(say("refused.not_your_invitation"))
            self._invitations.remove(code)

    def _dealt(self, invitation: Invitation, deck: Deck) -> Game:
        """Return a game of both decks with a seed that nobody chose."""
        for _ in range(TRIES):
            game = Game(Deck(invitation.deck), deck, [Seat(HUMAN), Seat(GUEST)],
                        secrets.randbelow(2**63), self._choices.ruleset)
            if begins_as(game, 0, invitation.first):
                return game
        raise AssertionError


def begins_as(game: Session, seat: int, first: str) -> bool:
    """Return whether a game begins as somebody in a seat wishes; first: one of FIRST."""
    return first == "any" or (game.events[0].player == seat) == (first == "me")
