"""Better swaps for a deck that is being built: what `hsevo decks improve` finds, one at a time."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeAlias

from anyio import to_thread

from hsevo.api.deck_tuning import Improved, improve_deck
from hsevo.api.decks import Deck
from hsevo.cards.tables import find_ruleset
from hsevo.errors import ConfigError, DeckError, GameError, HsevoError, quoted
from hsevo.web.choices import Choices

Plain: TypeAlias = dict[str, Any]
NAME = "your deck"
GAMES, CONFIRM = 100_000, 4_000  # as of hsevo.improve_deck
MOST_FIELD, MOST_SWAPS = 9, 3
EVERY = 0.3  # seconds between two lines of progress


class Improver:
    """Looks for swaps in a thread, for one page after the other."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self._busy: asyncio.Task[Improved] | None = None

    def begin(self, wish: Mapping[str, Any]) -> AsyncIterator[str]:
        """Begin to look; return lines of JSON: {"games", "of"}, and last what was found, or "why".

        wish: deck, against (words of decks), swaps, standard (only such cards come in). Raises
        GameError if somebody is being answered, DeckError, ConfigError.
        """
        if self._busy is not None and not self._busy.done():
            raise GameError("Swaps are being looked for already; wait until they are found.")
        look, told = self._look(wish), {"games": 0, "of": 1}
        self._busy = asyncio.create_task(to_thread.run_sync(
            look, lambda games, of: told.update(games=games, of=of)))
        return _lines(self._busy, told)

    def _look(self, wish: Mapping[str, Any]) -> Callable[[Callable[[int, int], object]], Improved]:
        """Return what looks, with a function for its progress. Raises DeckError, ConfigError."""
        deck, swaps = Deck(self.choices.deck(wish.get("deck")), name=NAME), wish.get("swaps", 1)
        field = self._field(wish.get("against"))
        if type(swaps) is not int or not 1 <= swaps <= MOST_SWAPS:
            raise ConfigError(f"swaps is {quoted(swaps)}, but must be from 1 to {MOST_SWAPS}")
        ruleset = self.choices.ruleset
        sets = sorted(one.name.lower() for one in find_ruleset(ruleset).sets) \
            if wish.get("standard") is True else []
        workers = max(1, (os.cpu_count() or 1) // 2)  # games go on meanwhile
        return lambda progress: improve_deck(
            deck, field, swaps=swaps, games=GAMES, confirm=CONFIRM, sets=sets,
            ruleset=ruleset, workers=workers, progress=progress)

    def _field(self, words: object) -> list[str]:
        """Return decks that a browser names as hsevo.improve_deck takes them: by their codes."""
        if not isinstance(words, list) or not 1 <= len(words) <= MOST_FIELD:
            raise DeckError(f"the field is a list of 1 to {MOST_FIELD} decks")
        return [self.choices.deck(one).code for one in words]


async def _lines(task: asyncio.Task[Improved], told: Plain) -> AsyncIterator[str]:
    """Yield how far a search is, and what it found."""
    while not (await asyncio.wait([task], timeout=EVERY))[0]:
        yield json.dumps(told) + "\n"
    try:
        yield json.dumps(_found(task.result())) + "\n"
    except HsevoError as error:
        yield json.dumps({"why": str(error)}) + "\n"


def _found(found: Improved) -> Plain:
    """Return what was found as the page shows it."""
    return {"says": found.sentence,
            "swaps": [{"out": one.out, "in": one.into} for one in found.steps]}
