"""Invitations to games between two people that play: a file each, until the other has sat down.

    invitations/K7MQX2.json   who invites, with which deck, who begins

The file of the game that comes of it names the invitation, so that one is never taken twice, also
after a crash between the two. What nobody took in LASTS is dropped.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from hsevo.cards.decks import Deck, as_text, from_text
from hsevo.errors import GameError, RunError
from hsevo.replays.cabinet import Cabinet, as_json
from hsevo.replays.played import PlayedGames

FORMAT = "hsevo invitation"
SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that look alike
LENGTH = 6
CODE = re.compile(f"[{SIGNS}]{{{LENGTH}}}")
MOST_FILE = 2**14  # bytes
MOST, MOST_EACH = 200, 5  # that are open: of all, and of one person
MOST_FROM = 20  # of one address: whoever forgets its cookies is another person
LASTS = timedelta(days=1)


@dataclass(frozen=True)
class Invitation:
    """An invitation. begun: UTC, ISO 8601. owner: a digest, as in GameFacts. text: a deck file.

    first: who begins, "any", "me" (who invites) or "agent" (who comes).
    """

    code: str
    begun: str
    owner: str
    text: str
    first: str

    @property
    def deck(self) -> Deck:
        """The deck of who invites. Raises DeckError."""
        return from_text(self.text, "deck")


class Invitations:
    """The open ones of a folder of games. Raises RunError for damaged files."""

    def __init__(self, games: PlayedGames) -> None:
        self._games = games
        self._files = Cabinet(games.path / "invitations", _invitation_of, _content, MOST_FILE, CODE)
        self._open = {invitation.code: invitation for invitation in sorted(
            self._files, key=lambda invitation: invitation.begun)}
        self._from: dict[str, str] = {}  # addresses by code, which are not written
        self._adding = threading.Lock()  # those of many pages are added in threads
        for code in {game.invitation for game in games.facts} & {*self._open}:
            self.remove(code)

    def __iter__(self) -> Iterator[Invitation]:
        self._drop_old()
        return iter([*self._open.values()])

    def of(self, code: str) -> Invitation | None:
        """Return an open invitation, None if there is no such."""
        self._drop_old()
        return self._open.get(code)

    def new(self, begun: str, owner: str, deck: Deck, first: str,
            address: str = "") -> Invitation:
        """Add an invitation. address: from which it came, "" if that is not known.

        Raises GameError if too many are open, RunError.
        """
        with self._adding:
            if sum(invitation.owner == owner for invitation in self) >= MOST_EACH:
                raise GameError(f"you have {MOST_EACH} open invitations; withdraw one")
            if address and [*self._from.values()].count(address) >= MOST_FROM:
                raise GameError(f"this address has {MOST_FROM} open invitations; withdraw one")
            if len(self._open) >= MOST:
                raise GameError(f"{MOST} invitations are open, which is the limit; try again later")
            added = Invitation(self._code(), begun, owner, as_text(deck), first)
            self._files.put(added.code, added)
            self._open[added.code] = added
            if address:
                self._from[added.code] = address
            return added

    def remove(self, code: str) -> None:
        """Forget an open invitation."""
        self._files.drop(code)
        self._open.pop(code, None)
        self._from.pop(code, None)

    def _drop_old(self) -> None:
        """Forget what nobody took in LASTS."""
        old = (datetime.now(UTC) - LASTS).isoformat()
        for code in [invitation.code for invitation in [*self._open.values()]
                     if invitation.begun < old]:
            with suppress(RunError):  # the file is dropped another time
                self.remove(code)

    def _code(self) -> str:
        """Return a code that none has or had."""
        known = {*self._open, *(game.invitation for game in self._games.facts)}
        while (code := "".join(secrets.choice(SIGNS) for _ in range(LENGTH))) in known:
            pass
        return code


def _content(invitation: Invitation) -> bytes:
    return as_json({"format": FORMAT, "invitation": asdict(invitation)})


def _invitation_of(data: Any, code: str) -> Invitation:
    """Return the invitation of a file's data."""
    invitation = Invitation(**data["invitation"])
    if {type(value) for value in asdict(invitation).values()} != {str}:
        raise TypeError("each value must be a text")
    if invitation.code != code:
        raise ValueError(f"it is the invitation {invitation.code}")
    _ = invitation.deck  # it can be read
    return invitation
