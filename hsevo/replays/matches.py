"""Matches of line-ups that people play: best of five, a file each next to their games.

    matches/0001.json   format, agent, decks of both, the seed, and which games were played

How a match stands follows from its games, by the rules of its format (play/formats.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from hsevo.cards.decks import Deck, as_text, from_text
from hsevo.errors import ConfigError, GameError, did_you_mean, quoted
from hsevo.play import formats
from hsevo.play.formats import FORMATS
from hsevo.replays.cabinet import Cabinet, as_json, numbered
from hsevo.replays.played import LOST, OPEN, POINTS, WON, NotThere
from hsevo.seeds import MOST_SEED, Stream, generator

DECKS = 3  # of a line-up: best of five
FORMAT = "hsevo played match"
MOST_MATCH = 2**16  # bytes of a match's file


class MatchGame(NamedTuple):
    """A game of a match: its number, the decks 0 to 2 of both, and its result for the human."""

    game: int
    mine: int
    theirs: int
    result: str


class MatchStanding(NamedTuple):
    """How a match stands: whose decks may still be chosen, and how it ended for the human.

    game: the one that is open, or 0. result: OPEN, WON or LOST.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    game: int
    result: str


@dataclass(frozen=True)
class PlayedMatch:
    """A match. mine, theirs: deck files. games: number, the human's deck, the agent's deck."""

    number: int
    begun: str
    format: str
    agent: str
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    seed: int
    games: tuple[tuple[int, int, int], ...] = ()

    @property
    def decks(self) -> tuple[tuple[Deck, ...], tuple[Deck, ...]]:
        """The decks of the human and of the agent."""
        mine, theirs = ([from_text(text, "deck") for text in texts]
                        for texts in (self.mine, self.theirs))
        return tuple(mine), tuple(theirs)

    def drawn(self, left: Sequence[int]) -> tuple[int, int]:
        """Return which deck the agent chooses for the next game, and the seed of that game."""
        chance = generator((self.seed, len(self.games), Stream.ARENA))
        return chance.choice(left), chance.randrange(MOST_SEED)


def standing(format: str, games: Sequence[MatchGame]) -> MatchStanding:
    """Return how a match of a format stands after its games, of which the last may be open."""
    at = formats.begin(range(DECKS), range(DECKS))
    for game in games:
        if game.result == OPEN:
            return MatchStanding((game.mine,), (game.theirs,), game.game, OPEN)
        at = formats.after(format, at, game.mine, game.theirs, POINTS[game.result])
    won = formats.winner(format, at)
    return MatchStanding(*at.choices, 0, OPEN if won is None else WON if won else LOST)


class PlayedMatches:
    """The matches of a folder of games. Raises RunError for damaged files."""

    def __init__(self, path: Path) -> None:
        self._files = Cabinet(path / "matches", _match_of, _content, MOST_MATCH)
        self._matches = {match.number: match for match in self._files}

    def __iter__(self) -> Iterator[PlayedMatch]:
        return iter([self._matches[number] for number in sorted(self._matches)])

    def of(self, number: int) -> PlayedMatch:
        """Return a match. Raises RunError if there is no such."""
        if number not in self._matches:
            raise NotThere(f"{self._files.path.parent} has no match {number}")
        return self._matches[number]

    def new(self, begun: str, format: str, agent: str, mine: Sequence[Deck],
            theirs: Sequence[Deck], seed: int) -> PlayedMatch:
        """Add a match that begins. Raises ConfigError, GameError, RunError."""
        if format not in FORMATS:
            raise ConfigError(f"format is {quoted(format)}, but must be one of"
                              f" {', '.join(FORMATS)}{did_you_mean(format, FORMATS)}")
        for whose, decks in (("your", mine), ("the agent's", theirs)):
            if len(decks) != DECKS or len({deck.hero_class for deck in decks}) != DECKS:
                raise GameError(f"{whose} line-up must have {DECKS} decks of different classes")
        return self._save(PlayedMatch(max(self._matches, default=0) + 1, begun, format, agent,
                                tuple(map(as_text, mine)), tuple(map(as_text, theirs)), seed))

    def add(self, match: PlayedMatch, game: int, mine: int, theirs: int) -> PlayedMatch:
        """Add a game to a match."""
        return self._save(replace(match, games=(*match.games, (game, mine, theirs))))

    def _save(self, match: PlayedMatch) -> PlayedMatch:
        self._files.put(numbered(match.number), match)
        self._matches[match.number] = match
        return match


def _content(match: PlayedMatch) -> bytes:
    return as_json({"format": FORMAT, "match": asdict(match)})


def _match_of(data: Any, name: str) -> PlayedMatch:
    """Return the match of a file's data."""
    data = data["match"]
    return PlayedMatch(**data | {"mine": tuple(data["mine"]), "theirs": tuple(data["theirs"]),
                           "games": tuple(map(tuple, data["games"]))})
