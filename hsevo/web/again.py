"""Stored games on the board: their list, and each as the frames that its player would have seen.

    listed(path, first) -> ListedMatches       whole(path, part, game) -> Again

A game whose moves are not stored is played again by its agents, for so many seconds at most.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from hsevo.analysis.analysing import seat_of_a
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError
from hsevo.play.session import Session
from hsevo.play.specs import short_names
from hsevo.replays import own
from hsevo.replays import replay as replaying
from hsevo.replays.page import Around, Ways, faces, page
from hsevo.replays.played import DRAWN, HUMAN, LOST, WON
from hsevo.replays.stored import PlayedReplay, Replay, meetings, replay
from hsevo.replays.wording import YOU
from hsevo.texts import say
from hsevo.web.frames import Teller, frame

ROWS = 100  # matches on a page
MOST_GAMES = 20  # of a match, with a link each
ORDERS = ("part", "longest", "shortest")
SECONDS = 60.0  # for which a game is played again


class MatchRow(NamedTuple):
    """A stored match. result: "won", or "5 : 3" of several games; turns: a game, on average."""

    part: int
    a: str
    b: str
    deck_a: str
    deck_b: str
    games: int
    result: str
    turns: float


class Wish(NamedTuple):
    """Which stored matches are listed, "" for all, and in which order, one of ORDERS.

    a, b: who met, in either order; deck_a, deck_b: their decks. result: of the one named first.
    """

    a: str = ""
    b: str = ""
    deck_a: str = ""
    deck_b: str = ""
    result: str = ""
    order: str = ORDERS[0]


class ListedMatches(NamedTuple):
    """Stored matches, from the one of number `first` on of those that fit, of so many.

    agents, decks: of all stored ones, to choose from; agents by what they are called.
    """

    rows: list[MatchRow]
    first: int
    total: int
    agents: dict[str, str]
    decks: Sequence[str]

    @property
    def before(self) -> int | None:
        """The number of the first on the page before."""
        return max(self.first - ROWS, 0) if self.first else None

    @property
    def after(self) -> int | None:
        """The number of the first on the next page."""
        return self.first + ROWS if self.first + ROWS < self.total else None


class Again(NamedTuple):
    """A game: its players and decks, that of the lower side first, and a frame after every move."""

    names: tuple[str, str]
    decks: tuple[str, str]
    frames: list[dict[str, Any]]
    faces: dict[str, Any]
    note: str


def listed(path: Path, first: int, wish: Wish | None = None) -> ListedMatches:
    """Return stored matches as `hsevo replay --list` numbers them. Raises RunError."""
    table = meetings(path).reset_index(drop=True)
    agents = dict.fromkeys([*table["a"], *table["b"]])
    names = short_names(sorted(agent for agent in agents if isinstance(agent, str)))

    def called(agent: Any) -> str:
        return names.get(agent) or say("games.individual", name=agent)
    fits = _fitting(table, wish or Wish(), names)
    some = fits.iloc[first:first + ROWS]
    rows = [MatchRow(int(part), called(row["a"]), called(row["b"]), str(row["deck_a"]),
                     str(row["deck_b"]), int(row["games"]), _result(row),
                     row["turns"] / row["games"])
            for part, row in zip(some.index, some.to_dict("records"), strict=True)]
    return ListedMatches(rows, first, len(fits), {str(agent): called(agent) for agent in agents},
                         [*dict.fromkeys(map(str, [*table["deck_a"], *table["deck_b"]]))])


def _fitting(table: pd.DataFrame, wish: Wish, names: Mapping[str, str]) -> pd.DataFrame:
    """Return the rows of stored matches that fit a wish, in its order. names: short ones.

    A row that fits the other way round is turned, so that the wished agent comes first.
    """
    short = table[["a", "b"]].map(lambda name: names.get(name, str(name)))

    def fits(a: str, b: str, deck_a: str, deck_b: str) -> pd.Series:
        mask = pd.Series(True, index=table.index)
        for side, name, deck in (("a", a, deck_a), ("b", b, deck_b)):
            if name:
                mask &= (table[side].astype(str) == name) | (short[side] == name)
            if deck:
                mask &= table[f"deck_{side}"].astype(str) == deck
        return mask
    straight = fits(*wish[:4])
    turned = fits(wish.b, wish.a, wish.deck_b, wish.deck_a) & ~straight
    some = table.astype(object)
    for mine, theirs in (("a", "b"), ("deck_a", "deck_b"), ("wins_a", "wins_b")):
        some.loc[turned, [mine, theirs]] = table.loc[turned, [theirs, mine]].to_numpy()
    some = some[straight | turned]
    lead = some["wins_a"] - some["wins_b"]
    results = {WON: lead > 0, LOST: lead < 0, DRAWN: lead == 0}
    if wish.result in results:
        some = some[results[wish.result]]
    if wish.order in ORDERS[1:]:
        turns = (some["turns"] / some["games"]).sort_values(
            ascending=wish.order == ORDERS[2], kind="stable")
        some = some.loc[turns.index]
    return some


def _result(row: dict[Any, Any]) -> str:
    won, lost = int(row["wins_a"]), int(row["wins_b"])
    if row["games"] > 1:
        return f"{won} : {lost}"
    return say(f"results_of.{'won' if won else 'lost' if lost else 'drawn'}")


def whole(path: Path, part: int, game: int) -> Again:
    """Return a stored game. Raises RunError, GameError, ConfigError."""
    stored = _stored(path, part, game)
    ended = _ended(stored)
    seat = seat_of_a(ended, int(stored.meeting.b_first))
    short = short_names([player.name for player in ended.players])
    facts = stored.facts if isinstance(stored, PlayedReplay) else None
    you = "" if facts is None or facts.is_duel else HUMAN
    a, b = (YOU if player.name == you else short[player.name] for player in ended.players)
    decks = ended.setting.decks[0].name, ended.setting.decks[1].name
    note = "" if stored.meeting.engine == fingerprint() else (
        say("replay.other_engine"))
    frames = [*_frames(ended, seat, (a, b), facts.given_up_by if facts else None)]
    cards = faces(ended.setting.ruleset)
    return (Again((b, a), (decks[1], decks[0]), frames, cards, note) if seat else
            Again((a, b), decks, frames, cards, note))


def scored(path: Path, part: int, game: int, ways: Ways = ()) -> str:
    """Return a stored game as a page with every option and its score.

    ways: links above its title. Raises as `whole`.
    """
    stored = _stored(path, part, game)
    if isinstance(stored, PlayedReplay):
        return own.as_page(stored.session, 0, around=Around(ways=ways))
    steps = [*_in_time(replaying.steps(stored.meeting, stored.game))]
    return page(stored.meeting, stored.game, steps, around=Around(ways=ways))


def _stored(path: Path, part: int, game: int) -> Replay:
    stored = replay(path, part=part, game=game, chances=0)
    if game >= (games := int(stored.match["games"])):
        raise RunError(say("replay.no_game", game=game, games=games))
    return stored


def _ended(stored: Replay) -> Session:
    """Return a game, played to its end."""
    if isinstance(stored, PlayedReplay):
        return stored.session
    game = replaying.begin(stored.meeting, stored.game)
    for move in stored.meeting.moves(stored.game) or ():
        game.play(move)

    def moves() -> Iterator[object]:
        while not game.over:
            yield game.step()
    for _ in _in_time(moves()):
        pass
    return game


def _in_time(work: Iterator[Any]) -> Iterator[Any]:
    """Yield what `work` yields within SECONDS. Raises RunError if it needs longer."""
    end = time.monotonic() + SECONDS
    for step in work:
        if time.monotonic() > end:
            raise RunError(say("replay.too_long", seconds=f"{SECONDS:.0f}"))
        yield step


def _frames(ended: Session, seat: int, names: tuple[str, str],
            given_up_by: int | None) -> Iterator[dict[str, Any]]:
    """Yield the state of a game for a seat, at the beginning and after each move."""
    replayed, told = ended.beginning(), 0
    teller = Teller(names, replayed.setting.ruleset)
    teller.meet_view(replayed.view(seat))
    for move in (None, *ended.history):
        if move is not None:
            replayed.play(move.index)
        last = len(replayed.history) == len(ended.history)
        yield frame(replayed, seat, teller, told, given_up_by if last else None)
        told = len(replayed.events)

