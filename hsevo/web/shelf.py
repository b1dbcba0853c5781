"""The decks that were built on the page, as deck files in one folder, each under a checked name.

Only files NAME.txt of this folder are ever read or written, and only a deck is ever replaced or
deleted.
"""

from __future__ import annotations

import re
from pathlib import Path

from hsevo.cards.decks import LONGEST, Deck, as_text, from_text
from hsevo.errors import DeckError, quoted
from hsevo.files import read_text, write_whole, writing
from hsevo.texts import say

PREFIX = "saved:"  # before the name of a saved deck, where a browser names one
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
MOST = 300  # decks


class Shelf:
    """A folder of deck files; it is made when the first one is saved."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def names(self) -> list[str]:
        """The names of the files that can be decks, in alphabetical order."""
        with writing(self.path):
            found = self.path.glob("*.txt") if self.path.is_dir() else ()
            return sorted(file.stem for file in found if NAME.fullmatch(file.stem))[:MOST]

    def read(self, name: str) -> Deck:
        """Return a deck by its name. Raises DeckError."""
        file = self._file(name)
        if not file.exists():
            raise DeckError(say("refused.not_saved", name=quoted(name)))
        found = from_text(read_text(file, LONGEST, DeckError, "utf-8-sig"), name, file.name)
        return Deck(name, found.hero, found.cards)

    def save(self, name: str, deck: Deck, replace: bool = False) -> None:
        """Write a deck under a name, whole or not at all.

        replace: also if a deck of that name is there. Raises DeckError, RunError.
        """
        file = self._file(name)
        if file.exists() or file.is_symlink():
            self._refuse_other(name, file, replace)
        elif len(self.names) >= MOST:
            raise DeckError(say("refused.many_saved", n=MOST))
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        write_whole(file, as_text(Deck(name, deck.hero, deck.cards)).encode())

    def delete(self, name: str) -> None:
        """Delete a deck that was saved here. Raises DeckError, RunError."""
        file = self._file(name)
        if file.is_symlink():
            raise DeckError(say("refused.link_stays", file=file.name))
        self.read(name)
        with writing(file):
            file.unlink()

    def _refuse_other(self, name: str, file: Path, replace: bool) -> None:
        """Raise DeckError unless what is there is a deck that is to be replaced."""
        if file.is_symlink():
            raise DeckError(say("refused.link", file=file.name))
        try:
            self.read(name)
        except DeckError:
            raise DeckError(say("refused.no_deck_file", file=file.name)) from None
        if not replace:
            raise Taken(say("refused.saved_already", name=quoted(name)))

    def _file(self, name: str) -> Path:
        """Return the file of a name. Raises DeckError if it is no name of a deck."""
        if not NAME.fullmatch(name):
            raise DeckError(say("refused.name", name=quoted(name)))
        return self.path / f"{name}.txt"


class Taken(DeckError):
    """There is a deck of that name, and it was not said to be replaced."""
