"""Work that plays many games for a page: in a thread, one after the other, told line by line.

`Improver` finds better swaps for a deck that is being built, as `hsevo decks improve` does.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeAlias

from anyio import to_thread

from hsevo.cards.decks import Deck
from hsevo.cards.tables import find_ruleset
from hsevo.errors import ConfigError, DeckError, GameError, HsevoError, quoted
from hsevo.texts import say
from hsevo.web.choices import Choices

Plain: TypeAlias = dict[str, Any]
Task: TypeAlias = asyncio.Task[Plain]
Look: TypeAlias = Callable[[Callable[[int, int], object]], Plain]
EVERY = 0.3  # seconds between two lines of progress
PARTS = 1000  # what a part of a search counts in its progress


class ThreadSearch:
    """A search in a thread: lines of JSON, {"games", "of"}, and last what was found, or "why".

    look: finds it, as the page gets it, and tells its progress. what: as texts.yaml
    names what is looked for. person: who began it.
    """

    def __init__(self, look: Look, after: ThreadSearch | None, what: str, person: str = "") -> None:
        self._look, self._told, self.stopped = look, {"games": 0, "of": 1}, False
        self._what, self.person = what, person
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
        answer: Plain = await to_thread.run_sync(self._outcome)
        return answer

    def _outcome(self) -> Plain:
        try:
            self._tell(**self._told)
            return self._look(self._tell)
        except HsevoError as error:
            return {"why": str(error)}

    def _tell(self, games: int, of: int) -> None:
        """Note how far it is. Raises GameError if it was stopped."""
        if self.stopped:
            raise GameError(say(f"searching.stopped.{self._what}"))
        self._told = {"games": games, "of": of}


class Desk:
    """Runs searches one after the other. what: as texts.yaml names it. most: running and waiting.
    """

    def __init__(self, what: str, most: int = 1) -> None:
        self._what, self._most = what, most
        self._last: ThreadSearch | None = None
        self._open: list[ThreadSearch] = []

    def begin(self, look: Look, person: str = "") -> ThreadSearch:
        """Begin a search for a person. Raises GameError if too many run or wait."""
        self._open = [search for search in self._open if not search.over]
        if len(self._open) >= self._most:
            raise GameError(say(f"searching.busy.{self._what}"))
        self._last = ThreadSearch(look, self._last, self._what, person)
        self._open.append(self._last)
        return self._last

    def stop(self) -> None:
        """End all searches, as the server ends."""
        for search in self._open:
            search.stop()


def part(tell: Callable[[int, int], object], k: int, of: int) -> Callable[[int, int], object]:
    """Return what tells the progress of part k of so many, which take about as long each."""
    def telling(games: int, total: int) -> None:
        tell(round(PARTS * (k + games / max(1, total))), of * PARTS)
    return telling


def workers() -> int:
    """Return how many workers a search has: games continue meanwhile."""
    return max(1, (os.cpu_count() or 1) // 2)


NAME = say("swaps.your_deck")
GAMES, CONFIRM = 100_000, 4_000  # as of hsevo.improve_deck
MOST_FIELD, MOST_SWAPS = 9, 3


class Improver:
    """Looks for swaps in a thread, for one page after the other."""

    def __init__(self, choices: Choices) -> None:
        self.choices, self._desk = choices, Desk("swaps")

    def begin(self, wish: Mapping[str, Any]) -> ThreadSearch:
        """Begin to look.

        wish: deck, against (words of decks), swaps, standard (only such cards come in). Raises
        GameError if somebody is being answered, DeckError, ConfigError.
        """
        return self._desk.begin(self._look(wish))

    def stop(self) -> None:
        """End all searches, as the server ends."""
        self._desk.stop()

    def _look(self, wish: Mapping[str, Any]) -> Look:
        """Return the search function, which takes its progress. Raises DeckError, ConfigError."""
        deck, swaps = Deck(self.choices.deck(wish.get("deck")), name=NAME), wish.get("swaps", 1)
        field = self._field(wish.get("against"))
        if type(swaps) is not int or not 1 <= swaps <= MOST_SWAPS:
            raise ConfigError(say("refused.swaps", value=quoted(swaps), most=MOST_SWAPS))
        ruleset = self.choices.ruleset
        sets = sorted(card_set.name.lower() for card_set in find_ruleset(ruleset).sets) \
            if wish.get("standard") is True else []

        def look(progress: Any) -> dict[str, Any]:
            from hsevo.deckbuilding.tuning import improve_deck  # few games in the browser need it

            tuned = improve_deck(deck, field, swaps=swaps, games=GAMES, confirm=CONFIRM, sets=sets,
                                 ruleset=ruleset, workers=workers(), progress=progress)
            return {"says": tuned.sentence,
                    "swaps": [{"out": step.out, "in": step.into} for step in tuned.steps]}
        return look

    def _field(self, words: object) -> list[str]:
        """Return decks that a browser names as hsevo.improve_deck takes them: by their codes."""
        if not isinstance(words, list) or not 1 <= len(words) <= MOST_FIELD:
            raise DeckError(say("refused.field", most=MOST_FIELD))
        return [self.choices.deck(name).code for name in words]
