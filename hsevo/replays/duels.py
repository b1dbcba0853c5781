"""Games of two people: who was invited, and whose link opens which seat, in a file of the folder.

    duels.json   invitations that nobody has taken; the codes of both seats of each game

An invitation has a code to hand on. The one who takes it gets a seat, whose code only it has: it is
in the address of its page, so whoever has that address plays this seat, also after the server began
anew. The other's is never told.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hsevo.cards.decks import Deck
from hsevo.errors import GameError, RunError, brief
from hsevo.files import read_text, write_whole, writing
from hsevo.play.participants import deck_data, deck_of

FILE = "duels.json"
MOST = 100  # invitations that nobody took: the oldest give way
MOST_BYTES = 2**22
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without those that look alike
LENGTH = 8  # letters of an invitation, one in 10^11


class Invitation(NamedTuple):
    """An invitation. code: to take it; seat: of the one who invites; first: who is to begin."""

    code: str
    seat: str
    deck: Deck
    first: str


class Duels:
    """The invitations and seats of a folder. Raises RunError for a damaged file."""

    def __init__(self, path: Path) -> None:
        self.path = path / FILE
        self._invitations: dict[str, Invitation] = {}
        self._seats: dict[str, tuple[int, int]] = {}  # game and seat, by the seat's code
        with writing(self.path):
            found = self.path.is_file()
        if found:
            self._read()

    def invite(self, deck: Deck, first: str) -> Invitation:
        """Add an invitation. Raises RunError."""
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        made = Invitation(code, secrets.token_urlsafe(18), deck, first)
        for old in [*self._invitations][:max(0, len(self._invitations) + 1 - MOST)]:
            del self._invitations[old]
        self._invitations[code] = made
        self._write()
        return made

    def invitation(self, code: str) -> Invitation:
        """Return an invitation that nobody has taken. Raises GameError if there is none."""
        if code not in self._invitations:
            raise GameError("There is no such invitation, or somebody has taken it.")
        return self._invitations[code]

    def waiting(self, seat: str) -> Invitation | None:
        """Return the invitation of the one who waits in a seat; None if nobody does."""
        return next((one for one in self._invitations.values() if one.seat == seat), None)

    def seat(self, code: str) -> tuple[int, int] | None:
        """Return the game and the seat, 0 or 1, of a seat's code; None if it is none."""
        return self._seats.get(code)

    def begin(self, invitation: Invitation, game: int, seat: int) -> str:
        """Note the game of an invitation, and return the code of the other's seat. Raises RunError.

        seat: of the one who invited.
        """
        other = secrets.token_urlsafe(18)
        del self._invitations[invitation.code]
        self._seats |= {invitation.seat: (game, seat), other: (game, 1 - seat)}
        self._write()
        return other

    def _write(self) -> None:
        text = json.dumps({"invitations": [
            {**one._asdict(), "deck": deck_data(one.deck)} for one in self._invitations.values()],
            "seats": self._seats}, indent=1)
        write_whole(self.path, f"{text}\n".encode(), private=True)

    def _read(self) -> None:
        try:
            data = json.loads(read_text(self.path, MOST_BYTES))
            self._invitations = {str(one["code"]): _invitation(one) for one in data["invitations"]}
            self._seats = {str(code): (int(game), int(seat))
                           for code, (game, seat) in data["seats"].items()}
            if not {seat for _, seat in self._seats.values()} <= {0, 1}:
                raise ValueError("a seat that is neither 0 nor 1")
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise RunError(f"{self.path} is damaged ({brief(error)}); delete it, and open games of"
                           " two people are lost") from None


def _invitation(data: Mapping[str, Any]) -> Invitation:
    return Invitation(str(data["code"]), str(data["seat"]), deck_of(data["deck"]),
                      str(data["first"]))
