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
Task: TypeAlias = asyncio.Task[Plain]
Look: TypeAlias = Callable[[Callable[[int, int], object]], Improved]
NAME = "your deck"
GAMES, CONFIRM = 100_000, 4_000  # as of hsevo.improve_deck
MOST_FIELD, MOST_SWAPS = 9, 3
EVERY = 0.3  # seconds between two lines of progress


class Search:
    """A search in a thread: lines of JSON, {"games", "of"}, and last what was found, or "why"."""

    def __init__(self, look: Look, after: Search | None) -> None:
        self._look, self._told, self.stopped = look, {"games": 0, "of": 1}, False
        self._task: Task = asyncio.create_task(self._run(after._task if after else None))

    @property
    def over(self) -> bool:
        """Whether nothing is looked for any more, or soon."""
        return self.stopped or self._task.done()

    def stop(self) -> None:
        """End it after the games that are being played: nobody waits for what it finds."""
        self.stopped = True

    async def __aiter__(self) -> AsyncIterator[str]:
        while not (await asyncio.wait([self._task], timeout=EVERY))[0]:
            yield json.dumps(self._told) + "\n"
        yield json.dumps(self._task.result()) + "\n"

    async def _run(self, after: Task | None) -> Plain:
        if after is not None:
            await asyncio.wait([after])
        found: Plain = await to_thread.run_sync(self._found)
        return found

    def _found(self) -> Plain:
        """Return what was found as the page shows it."""
        try:
            self._tell(**self._told)
            found = self._look(self._tell)
        except HsevoError as error:
            return {"why": str(error)}
        return {"says": found.sentence,
                "swaps": [{"out": one.out, "in": one.into} for one in found.steps]}

    def _tell(self, games: int, of: int) -> None:
        """Note how far it is. Raises GameError if it was stopped."""
        if self.stopped:
            raise GameError("The search for swaps was stopped.")
        self._told = {"games": games, "of": of}


class Improver:
    """Looks for swaps in a thread, for one page after the other."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self._last: Search | None = None

    def begin(self, wish: Mapping[str, Any]) -> Search:
        """Begin to look.

        wish: deck, against (words of decks), swaps, standard (only such cards come in). Raises
        GameError if somebody is being answered, DeckError, ConfigError.
        """
        if self._last is not None and not self._last.over:
            raise GameError("Swaps are being looked for already; wait until they are found.")
        self._last = Search(self._look(wish), self._last)
        return self._last

    def stop(self) -> None:
        """End what is being looked for, as the server ends."""
        if self._last is not None:
            self._last.stop()

    def _look(self, wish: Mapping[str, Any]) -> Look:
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
