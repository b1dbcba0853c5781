"""The decks that were built on the page, as deck files in one folder, each under a checked name.

Only files NAME.txt of this folder are ever read or written, and only a deck is ever replaced or
deleted.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from hsevo.cards.decks import LONGEST, Deck, as_text, from_text
from hsevo.errors import DeckError, quoted
from hsevo.files import read_text
from hsevo.replays.cabinet import Cabinet, Form
from hsevo.texts import say

PREFIX = "saved:"  # before the name of a saved deck, where a browser names one
TEXT = Form(".txt", partial(read_text, encoding="utf-8-sig"), DeckError)
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
MOST = 300  # decks


class Shelf:
    """A folder of deck files; it is made when the first one is saved."""

    def __init__(self, path: Path) -> None:
        self._files = Cabinet(
            path, lambda text, name: from_text(text, name, f"{name}.txt"),
            lambda deck: as_text(deck).encode(), LONGEST, NAME, keeps=False, form=TEXT)

    @property
    def names(self) -> list[str]:
        """The names of the files that can be decks, in alphabetical order."""
        return self._files.names[:MOST]

    def read(self, name: str) -> Deck:
        """Return a deck by its name. Raises DeckError."""
        if not self._file(name).exists():
            raise DeckError(say("refused.not_saved", name=quoted(name)))
        stored = self._files.of(name)
        return Deck.of(name, stored.hero_class, stored.ids)

    def save(self, name: str, deck: Deck, replace: bool = False) -> None:
        """Write a deck under a name, whole or not at all.

        replace: also if a deck of that name is there. Raises DeckError, RunError.
        """
        file = self._file(name)
        if file.exists() or file.is_symlink():
            self._refuse_other(name, file, replace)
        elif len(self.names) >= MOST:
            raise DeckError(say("refused.many_saved", n=MOST))
        self._files.put(name, Deck.of(name, deck.hero_class, deck.ids))

    def delete(self, name: str) -> None:
        """Delete a deck that was saved here. Raises DeckError, RunError."""
        file = self._file(name)
        if file.is_symlink():
            raise DeckError(say("refused.link_stays", file=file.name))
        self.read(name)
        self._files.drop(name)

    def _refuse_other(self, name: str, file: Path, replace: bool) -> None:
        """Raise DeckError unless what is there is a deck that is to be replaced."""
        if file.is_symlink():
            raise DeckError(say("refused.link", file=file.name))
        try:
            self.read(name)
        except DeckError:
            raise DeckError(say("refused.no_deck_file", file=file.name)) from None
        if not replace:
            raise NameTaken(say("refused.saved_already", name=quoted(name)))

    def _file(self, name: str) -> Path:
        """Return the file of a name. Raises DeckError if it is no name of a deck."""
        if not NAME.fullmatch(name):
            raise DeckError(say("refused.name", name=quoted(name)))
        return self._files.file(name)


class NameTaken(DeckError):
    """There is a deck of that name, and it was not said to be replaced."""
