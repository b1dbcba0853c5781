"""What the browser gets of a game: frames and words, with what its player may know alone.

    frame(game, seat, teller, since) -> dict for json.dumps, after every move
    Teller                              what happened, told to the human who plays: "you draw ..."

Everything in it is from `game.view(seat)`, from events as that seat saw them, and from the moves
that are legal for it. Nothing else of a game is ever sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from hsevo.play.events import Event, What, seen_by
from hsevo.play.moves import Move, Piece
from hsevo.play.narrator import Narrator
from hsevo.play.session import Seat, Session
from hsevo.replays.replay import Option, weighed
from hsevo.replays.wording import to_you, yours
from hsevo.texts import say

OPPONENT = say("game.opponent")  # another human
INNER = {"to be destroyed", "calmed", "immune attacking"}  # notes of the engine
# After one of these, what comes into play is another card than the one that was played.
ENDS_PLAYING = {What.SUMMONED, What.EQUIPPED, What.TURN, What.ATTACKED, What.POWER}


class Teller(Narrator):
    """A narrator that calls one player "you"."""

    def meet_view(self, view: Mapping[str, Any]) -> None:
        """Learn what `meet_heroes` does, from what one player sees."""
        powers = ["", ""]
        for player, side in ((view["player"], view["me"]), (1 - view["player"], view["opponent"])):
            self.name(side["hero"]["uid"], f"the hero of {self.names[player]}")
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


Plain: TypeAlias = dict[str, Any]
SCORE = re.compile(r"[+-]\d+\.\d+")  # the worth of an option that is one
# What the page draws of a move, besides the table as it is after it.
DRAWN = {What.ATTACKED, What.DAMAGED, What.HEALED, What.ARMOR, What.DIED, What.PLAYED, What.POWER,
         What.TRIGGERED, What.REVEALED, What.FATIGUE, What.BURNED, What.DREW, What.SUMMONED,
         What.TURN, What.COUNTERED}


def frame(game: Session, seat: int, teller: Teller, since: int,
          given_up_by: int | None = None) -> Plain:
    """Return how a game stands for the player of a seat, and what happened since event `since`.

    teller: has told all events before. given_up_by: the seat that gave up, if one did.
    """
    seen = [seen_by(event, seat) for event in game.events[since:]]
    lines, view = teller.lines(seen), game.view(seat)
    teller.meet_view(view)  # a hero or a power may be new
    goes_on = not game.over and given_up_by is None
    mine = goes_on and game.player == seat and game.players[seat].agent is None
    return {
        "kind": "state", "at": len(game.history), "view": view, "log": lines,
        "events": [_event(event) for event in seen if event.what in DRAWN],
        "moves": [_move(move, seat) for move in game.moves] if mine else [],
        "over": _ending(game, seat, given_up_by), "thinks": goes_on and not mine}


def advice(game: Session, agent: Seat) -> Plain:
    """Return what an agent would do in place of the player to move: its move, and its scores.

    It plays as in a match: it knows no more than the player does. Raises GameError, PlayerError.
    """
    move, considered = game.ask(agent), game.considers()
    options = [option for option in weighed(game, agent.agent) if option.move in considered]
    order = sorted(options, key=lambda option: (
        option.move != move.index, -_rank(option.worth, option.score)))
    return {"kind": "hint", "agent": agent.name, "at": len(game.history), "move": move.index,
            "text": yours(move.text), "options": [
                {"move": option.move, "text": yours(option.text), "worth": _brief(option)}
                for option in order]}


def _brief(option: Option) -> str:
    """Return what an option is worth, a score with two decimals."""
    if option.score is None or not SCORE.fullmatch(option.worth):
        return option.worth
    return f"{option.score:+z.2f}"


def _rank(worth: str, score: float | None) -> float:
    """Return what options are sorted by: what has no score comes last."""
    return {"wins": 1e300, "loses": -1e300}.get(worth, -1e301) if score is None else score


def _ending(game: Session, seat: int, given_up_by: int | None) -> str:
    """Return how the game ended for a seat: "won", "lost", "drawn", "conceded"; "" not yet.

    "opponent conceded": the other player gave up.
    """
    if given_up_by is not None:
        return "conceded" if given_up_by == seat else "opponent conceded"
    if not game.over:
        return ""
    return "drawn" if game.winner is None else "won" if game.winner == seat else "lost"


def _event(event: Event) -> Plain:
    """Return an event with what the page draws of it."""
    plain = event.plain()
    return {name: plain[name] for name in ("what", "player", "card", "uid", "target", "amount")
            if name in plain}


def _move(move: Move, seat: int) -> Plain:
    return {"move": move.index, "kind": str(move.kind), "text": move.text,
            "from": _spot(move.source, seat), "to": _spot(move.target, seat),
            "place": move.position, "option": move.option}


def _spot(piece: Piece | None, seat: int) -> Sequence[Any] | None:
    """Return where something is, as the page names it: ["foe", "board", 2]."""
    if piece is None:
        return None
    return ["me" if piece.player == seat else "foe", piece.zone, piece.position]
