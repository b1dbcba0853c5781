"""One stored match, and whether its games come out again as they are stored.

    StoredMatch             a with deck_a against b with deck_b, and all that a game of it needs
    check(meeting)          plays all its games again: does every total come out as it is stored?
    play_again(meeting, k)  the result of one of them
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hsevo.engine.jit import fingerprint
from hsevo.errors import GameError, RunError, brief
from hsevo.play import hosting, match

Array = npt.NDArray[Any]

COUNTS = tuple(name for name in match.RESULT.names or () if name != "faults")


@dataclass(frozen=True)
class StoredMatch:
    """One stored match: a with deck_a against b with deck_b, and all that a game of it needs."""

    row: dict[str, Any]  # deck_a, deck_b, games, seed, the counts that are stored; maybe the moves
    names: tuple[str, str]  # of a and b, short
    agents: Array  # AGENT (2,), a and b
    setting: match.Setting
    engine: str  # fingerprint of the engine that played it
    where: str  # it was played: the generation of a run, or a folder
    b_first: bool = False  # in the title: b is whom the user asked for as a
    legend: tuple[str, ...] = ()  # play.specs.legend of the two

    @property
    def pairing(self) -> Any:
        """The match as a row of match.PAIRING."""
        names = [deck.name for deck in self.setting.decks]
        decks = names.index(self.row["deck_a"]), names.index(self.row["deck_b"])
        return np.array([(0, 1, *decks, self.row["games"], self.row["seed"])], match.PAIRING)[0]

    def seed(self, k: int) -> int:
        """Return the seed of game k, as hsevo.Game and hsevo.Games take it."""
        return (int(self.row["seed"]) + k) % 2**64

    def moves(self, k: int) -> list[int] | None:
        """Return the stored moves of game k; None if its agents play it again from its seed.

        Raises RunError if they are damaged.
        """
        text = self.row.get("moves")
        if not isinstance(text, str) or not text:
            return None
        try:
            return hosting.played_moves(text, k)
        except ValueError:
            raise RunError(f"{self.where} is damaged: the moves of a game are not numbers"
                           ) from None

    def __str__(self) -> str:
        one, other = self.players[::-1 if self.b_first else 1]
        return f"{self.where}: {one} against {other}"

    @property
    def players(self) -> tuple[str, str]:
        """The two agents with their decks: "individual 7 (mage)"."""
        a, b = self.names
        return f"{a} ({self.row['deck_a']})", f"{b} ({self.row['deck_b']})"


def check(meeting: StoredMatch) -> list[str]:
    """Play all games of a match again; return what differs from what is stored, in words."""
    if meeting.moves(0) is None:
        pairings = np.array([meeting.pairing], match.PAIRING)
        again = hosting.play_block(pairings, meeting.agents, meeting.setting)[0]
    else:
        try:
            games = [play_again(meeting, k) for k in range(meeting.row["games"])]
        except GameError as error:
            return [str(error)]
        again = {name: sum(int(game[name]) for game in games) for name in COUNTS}
    return [f"{name} {int(again[name])}, stored {int(meeting.row[name])}"
            for name in COUNTS
            if name in meeting.row and int(again[name]) != int(meeting.row[name])]


def play_again(meeting: StoredMatch, k: int) -> Any:
    """Return the RESULT of game k, played once more as a match does, or by its stored moves."""
    moves, pairing = meeting.moves(k), meeting.pairing
    pairing["games"], pairing["seed"] = 1, meeting.seed(k)
    if moves is None:
        return hosting.play_block(np.array([pairing], match.PAIRING), meeting.agents,
                                  meeting.setting)[0]
    return hosting.play_again(pairing, meeting.agents, meeting.setting, moves)


def verdict(meeting: StoredMatch) -> tuple[str, bool]:
    """Check a match; return a line that says how it went, and whether all came out as stored."""
    problems, note = check(meeting), ""
    if meeting.engine != fingerprint():
        note = (f"it was played by the engine {brief(meeting.engine)}, and this is"
                f" {fingerprint()}, whose games may differ")
    if problems:
        said = "; ".join([*problems, note] if note else problems)
        return f"hsevo: NOT reproduced, the match differs from what is stored: {said}", False
    games = (f"reproduced: all {meeting.row['games']} games of the match come out as stored"
             if meeting.row["games"] > 1 else "reproduced: the game comes out as stored")
    return games + (f", although {note}" if note else ""), True
