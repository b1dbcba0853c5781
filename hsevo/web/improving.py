"""Better swaps for a deck that is being built: what `hsevo decks improve` finds, one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hsevo.api.decks import Deck
from hsevo.cards.tables import find_ruleset
from hsevo.errors import ConfigError, DeckError, quoted
from hsevo.texts import say
from hsevo.web.choices import Choices
from hsevo.web.searching import Desk, Look, ThreadSearch, workers

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
        """End what is being looked for, as the server ends."""
        self._desk.stop()

    def _look(self, wish: Mapping[str, Any]) -> Look:
        """Return what looks, with a function for its progress. Raises DeckError, ConfigError."""
        deck, swaps = Deck(self.choices.deck(wish.get("deck")), name=NAME), wish.get("swaps", 1)
        field = self._field(wish.get("against"))
        if type(swaps) is not int or not 1 <= swaps <= MOST_SWAPS:
            raise ConfigError(say("refused.swaps", value=quoted(swaps), most=MOST_SWAPS))
        ruleset = self.choices.ruleset
        sets = sorted(one.name.lower() for one in find_ruleset(ruleset).sets) \
            if wish.get("standard") is True else []

        def look(progress: Any) -> dict[str, Any]:
            from hsevo.api.deck_tuning import improve_deck  # few games in the browser need it

            found = improve_deck(deck, field, swaps=swaps, games=GAMES, confirm=CONFIRM, sets=sets,
                                 ruleset=ruleset, workers=workers(), progress=progress)
            return {"says": found.sentence,
                    "swaps": [{"out": one.out, "in": one.into} for one in found.steps]}
        return look

    def _field(self, words: object) -> list[str]:
        """Return decks that a browser names as hsevo.improve_deck takes them: by their codes."""
        if not isinstance(words, list) or not 1 <= len(words) <= MOST_FIELD:
            raise DeckError(say("refused.field", most=MOST_FIELD))
        return [self.choices.deck(one).code for one in words]
