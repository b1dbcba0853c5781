"""What happened in a game in words, told to the human who plays it: "you draw Fireball"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from hsevo.play.events import Event, What
from hsevo.replays.wording import Narrator, to_you
from hsevo.texts import say

OPPONENT = say("game.opponent")  # another human
INNER = {"to be destroyed", "calmed", "immune attacking"}  # notes of the engine
# After one of these, what comes into play is another card than the one that was played.
ENDS_PLAYING = {What.SUMMONED, What.EQUIPPED, What.TURN, What.ATTACKED, What.POWER}


class Teller(Narrator):
    """A narrator to whom one player is "you"."""

    def meet_view(self, view: Mapping[str, Any]) -> None:
        """Learn what `meet_heroes` does, from what one player sees."""
        powers = ["", ""]
        for player, side in ((view["player"], view["me"]), (1 - view["player"], view["opponent"])):
            self.called[side["hero"]["uid"]] = f"the hero of {self.names[player]}"
            powers[player] = side["power"]["card"] if side["power"] else ""
        self.powers = powers

    def lines(self, events: Iterable[Event]) -> list[str]:
        """Return a line for each event that is worth one."""
        said = list[str]()
        for event, is_news in _news(events):
            told = replace(event, gained=tuple(word for word in event.gained if word not in INNER),
                           lost=tuple(word for word in event.lost if word not in INNER))
            lines = super().lines([told])  # of each: it learns what is called how
            said += map(to_you, lines if is_news else [])
        return said


def _news(events: Iterable[Event]) -> Iterator[tuple[Event, bool]]:
    """Yield events, and whether they are news: not that a card comes into play just played."""
    played: tuple[str, int] | None = None
    for event in events:
        same = (event.card, event.player) == played
        yield event, not (same and event.what in (What.SUMMONED, What.EQUIPPED))
        played = (event.card, event.player) if event.what is What.PLAYED else (
            None if event.what in ENDS_PLAYING else played)
