"""Positions that are built on the page: read, drawn, and analysed, one after the other.

What a browser sends is JSON as docs/pages/reference/position.md has it; a deck list that is a text
there is one that the page offers, never a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hsevo.analysis.analysing import BestLines, analyse
from hsevo.errors import ConfigError, GameError, printable
from hsevo.play.position import Position
from hsevo.play.session import Session
from hsevo.replays.wording import YOU, yours
from hsevo.texts import say
from hsevo.web import frames
from hsevo.web.choices import Choices
from hsevo.web.frames import Teller
from hsevo.web.searching import Desk, ThreadSearch, workers
from hsevo.web.table import Chair

GAMES = (50, 100, 400)  # that are played on after each move
LINES = 5
SECONDS = 30.0  # after which no more games begin: the page answers by those that were played
OPPONENT = say("position.opponent")


def read(data: Any, choices: Choices) -> Position:
    """Return the position of a page. Raises ConfigError, CardError, DeckError, GameError."""
    if not isinstance(data, Mapping):
        raise ConfigError(say("refused.no_position"))
    position = Position({"ruleset": choices.ruleset} | dict(data), say("position.the_position"),
                        lambda words: choices.deck(words))
    if position.ruleset != choices.ruleset:
        raise ConfigError(say("refused.other_ruleset", ruleset=position.ruleset,
                              here=choices.ruleset))
    position.refuse_open("this page")
    return position


def before(chair: Chair, step: int) -> Position:
    """Return the position before a move of a game that is over. Raises GameError."""
    game = chair.table.copy()
    if not game.over:  # of a game that was given up, hands stay hidden
        raise GameError(say("refused.again_when_over"))
    position = game.before(step).position()
    position.refuse_open("this page")
    return position


def drawn(position: Position) -> dict[str, Any]:
    """Return the first frame of a game that begins at a position, as its player to move sees it."""
    game = Session.at(position)
    names = (YOU, OPPONENT) if position.player == 0 else (OPPONENT, YOU)
    return frames.frame(game, position.player, Teller(names, position.ruleset), 0)


class Adviser:
    """Looks for the best lines at positions in a thread, for one page after the other."""

    def __init__(self, choices: Choices) -> None:
        self.choices, self._desk = choices, Desk("lines")

    def begin(self, wish: Mapping[str, Any]) -> ThreadSearch:
        """Begin to look.

        wish: position, games (of GAMES). Raises ConfigError, CardError, DeckError; GameError if
        somebody is being answered.
        """
        position, games = read(wish.get("position"), self.choices), wish.get("games")
        if type(games) is not int or games not in GAMES:
            raise ConfigError(say("refused.one_of", what="games", value=printable(games),
                                  known=", ".join(map(str, GAMES))))

        def look(progress: Any) -> dict[str, Any]:
            return _plain(analyse(position, games=games, lines=LINES, seconds=SECONDS,
                                  workers=workers(), progress=progress))
        return self._desk.begin(look)

    def stop(self) -> None:
        """End what is being looked for, as the server ends."""
        self._desk.stop()


def _plain(best: BestLines) -> dict[str, Any]:
    """Return the best lines as the page shows them."""
    chance = best.chance
    names = ("chance", "chance_low", "chance_high", "behind", "behind_low", "behind_high")
    rows = [{"line": [yours(text) for text in row["line"]], "own": bool(row["own"]),
             **{name: float(row[name]) for name in names}}
            for row in best.lines.to_dict("records")]
    title = str(best.position)
    if best.games < best.wanted:
        title = say("lines.time_up", title=title, games=best.games, of=best.wanted)
    return {"title": title, "agent": best.agent, "games": best.games,
            "chance": [chance.value, chance.low, chance.high], "lines": rows,
            "lethal": {"answer": best.lethal, "least": best.lethal_least,
                       "line": [yours(text) for text in best.lethal_line]}}
