"""Positions in which a mulligan or a choice is open: what waits for the decision.

    describe_pending(state, ruleset)     the keys of a position that tell of it
    place_pending(state, file, ruleset)  the same put into a state (placing.py)

The engine interrupts a text where it offers cards. On its stack wait the rest of that text and the
steps of play that come after it. A file names both by card, part of the text, and row. It leaves
them out where they are those of a card that has just been played.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hsevo.cards.ops import GROUP_BITS, Op, OpGroup
from hsevo.cards.sequences import SEQUENCES
from hsevo.cards.tables import cards, find_ruleset, index, tables
from hsevo.cards.terms import Kind, Sequence
from hsevo.cards.vocabulary.model import Row
from hsevo.config.position import OpenChoice, PositionFile, WaitingText
from hsevo.engine.record.codec import SEATS
from hsevo.engine.record.state import FRAME, NONE, Phase
from hsevo.errors import CardError, ConfigError, GameError, did_you_mean, quoted
from hsevo.play.card_words import HOLDABLE, Cards, cards_of
from hsevo.types import Array

Plain: TypeAlias = dict[str, Any]
STEPS = {sequence.name.lower().replace("_", " "): sequence for sequence in Sequence}
PARTS = ("play", "combo")  # of a card's text: no other part offers cards
TAKES = {Op.ADD_CHOSEN, Op.TAKE_CHOSEN_POWER, Op.SUMMON_CHOSEN, Op.KAZAKUS_CRAFT}
PLAYED = {Kind.MINION: Sequence.PLAY_MINION, Kind.SPELL: Sequence.PLAY_SPELL,
          Kind.WEAPON: Sequence.PLAY_WEAPON, Kind.POWER: Sequence.USE_POWER}
NUMBERS = ("amount", "left", "horizon", "first", "second")
_KEPT_BY = ("pc", "side", "card", "ref", "uid", "target", "target_uid", *NUMBERS)


class _Program(NamedTuple):
    """Where in the tables a step of play or a part of a card's text begins."""

    start: int
    step: str
    card: int  # table index, 0 for steps of play


@functools.lru_cache(maxsize=8)
def _programs(ruleset: str) -> list[_Program]:
    """Return all programs of a ruleset in the order of the tables; those of no use have no step."""
    table = tables(ruleset)
    known = [_Program(int(table["sequence"][sequence]), step, 0)
             for step, sequence in STEPS.items() if sequence in SEQUENCES]
    rows, numbers = np.asarray(table["card"]), range(len(cards(ruleset)) + 1)
    for part in ("play", "combo", "deathrattle", "drawn", "discarded", "at_start"):
        known += [_Program(int(rows[part][card]), part if part in PARTS else "", card)
                  for card in numbers if rows[part][card]]
    known += [_Program(int(start), "", 0) for start in np.asarray(table["trigger"])["program"]]
    return sorted(program for program in known if program.start)


def describe_pending(state: Array, ruleset: str) -> Plain:
    """Return the keys that tell what is open in a state, STATE (1,); {} in a turn.

    Raises GameError if more waits for a choice than a file can tell.
    """
    g = state[0]
    if g["pending"] == Phase.PLAY:
        return {}
    if g["pending"] != Phase.CHOICE:
        return {"mulligan": "first" if g["me"] == g["first"] else "second"}
    known, me = cards_of(ruleset), int(g["me"])
    waiting = [_described(frame, me, known, ruleset) for frame in g["stack"][:int(g["depth"])]]
    own = waiting[0]["card"]
    choice = OpenChoice(card=own, offered=tuple(
        known.word(int(card)) for card in g["choice"][:int(g["n_choices"])]))
    data: Plain = {"card": own, "offered": [*choice.offered]}
    if int(g["chooser"]) != me:
        data["of"] = "opponent"
    if moved := _uids(g, int(g["moved"])):
        data["changed_sides"] = moved
    if not _is_usual(state, choice, known, ruleset):
        data["waiting"] = waiting
    return {"choice": data}


def _is_usual(state: Array, choice: OpenChoice, known: Cards, ruleset: str) -> bool:
    """Return whether what waits in a state is what does if a choice is all that is told."""
    usual = state.copy()
    try:
        _place_choice(usual[0], choice, known, ruleset)
    except (CardError, ConfigError):
        return False
    return bool(usual[0]["stack"].tobytes() == state[0]["stack"].tobytes())


def _uids(g: Any, refs: int) -> list[int]:
    return [int(c["uid"]) for ref, c in enumerate(g["char"]) if refs >> ref & 1]


def _described(frame: Any, me: int, known: Cards, ruleset: str) -> Plain:
    """Return an entry of the stack as a position has it. Raises GameError."""
    programs, plain = _programs(ruleset), _new_frame()
    at = bisect_right([program.start for program in programs], int(frame["pc"])) - 1
    for name in _KEPT_BY:
        plain[name] = frame[name]
    if at < 0 or not programs[at].step or plain.tobytes() != frame.tobytes():
        raise GameError("more waits for this choice than a position can tell")
    program, card = programs[at], known.word(int(frame["card"]))
    entry: Plain = {"step": program.step, "row": int(frame["pc"]) - program.start, "card": card}
    if program.card not in (0, int(frame["card"])):
        entry["text"] = known.word(program.card)
    if int(frame["side"]) != me:
        entry["of"] = "opponent"
    usual = {"uid": 0, "target": 0} | dict.fromkeys(NUMBERS, 0)
    fields = {"uid": frame["uid"], "target": frame["target_uid"]} | {
        name: frame[name] for name in NUMBERS}
    return entry | {name: int(value) for name, value in fields.items() if value != usual[name]}


def _new_frame() -> Any:
    """Return an entry of the stack as `state.clear_frame` leaves it."""
    frame = np.zeros(1, FRAME)
    for name in ("ref", "target", "subject", "other", "place"):
        frame[name] = NONE
    return frame[0]


def place_pending(g: Any, file: PositionFile, ruleset: str) -> None:
    """Open the mulligan or choice of a file in a state. Raises CardError, ConfigError."""
    known, me = cards_of(ruleset), int(g["me"])
    if file.opponent.thrown_back or (file.me.thrown_back and not file.mulligan):
        raise ConfigError("thrown_back is only for the side me in a mulligan")
    if file.mulligan:
        if not find_ruleset(ruleset).mulligan:
            raise ConfigError(f"mulligan: the ruleset {ruleset} has no mulligan")
        g["pending"] = Phase.MULLIGAN + me
        thrown = [known.number(word, f"me.thrown_back.{i}", *HOLDABLE)
                  for i, word in enumerate(file.me.thrown_back)]
        g["aside"][:len(thrown)], g["n_aside"] = thrown, len(thrown)
    if file.choice:
        _place_choice(g, file.choice, known, ruleset)


def _place_choice(g: Any, choice: OpenChoice, known: Cards, ruleset: str) -> None:
    """Open a choice: the cards that it offers, and what waits for it."""
    offered = [known.number(word, f"choice.offered.{i}") for i, word in enumerate(choice.offered)]
    me = int(g["me"])
    g["pending"], g["n_choices"] = Phase.CHOICE, len(offered)
    g["chooser"] = me if choice.of == "me" else 1 - me
    g["choice"][:len(offered)] = offered
    g["moved"] = sum(1 << ref for uid in choice.changed_sides if (ref := _ref(g, uid)) >= 0)
    waiting = choice.waiting or _usual(g, choice, known, ruleset)
    g["stack"][:] = _new_frame()
    for i, entry in enumerate(waiting):
        _place_frame(g, g["stack"][i], entry, known, ruleset, f"choice.waiting.{i}")
    g["depth"] = len(waiting)


def _usual(g: Any, choice: OpenChoice, known: Cards,
           ruleset: str) -> tuple[WaitingText, ...]:
    """Return what waits for the choice of a card that was just played. Raises ConfigError."""
    number = known.number(choice.card, "choice.card", *PLAYED)
    id = known.id(choice.card, "", *PLAYED)
    card, side = known.known[id], int(g["chooser"])
    offers = [k for k, row in enumerate(card.play) if _offers(row)]
    if not offers:
        raise ConfigError(f"choice.card: {card.name} offers no cards; give waiting")
    sequence = PLAYED[card.kind]
    after_text = [row.op for row in SEQUENCES[sequence]].index(Op.TEXT) + 1
    uid, cast_first = 0, find_ruleset(ruleset).cast_first
    if card.kind is Kind.MINION:
        uid = max((int(c["uid"]) for ref, c in enumerate(g["char"])
                   if c["card"] == number and ref // SEATS == side), default=0)
        if not uid:
            raise ConfigError(f"choice.card: {card.name} is not on the board of its player, but a"
                              " minion offers cards when it has just been played")
    is_power = card.kind is Kind.POWER
    horizon = uid + 1 if uid else int(g["next_uid"])
    step = next(name for name, known_step in STEPS.items() if known_step == sequence)
    return (WaitingText(step=step, row=after_text, card=id, of=choice.of, uid=uid,
                        amount=0 if is_power else card.cost,
                        horizon=0 if is_power or not cast_first else horizon),
            WaitingText(step="play", row=offers[0] + 1, card=id, of=choice.of, uid=uid))


def _offers(row: Row) -> bool:
    return row.op >> GROUP_BITS == OpGroup.CHOICES and row.op not in TAKES


def _ref(g: Any, uid: int) -> int:
    """Return where the character with a uid is, NONE if it is not in play."""
    there = np.flatnonzero(g["char"]["uid"] == uid)
    return int(there[0]) if uid and len(there) else NONE


def _place_frame(g: Any, frame: Any, entry: WaitingText, known: Cards, ruleset: str,
                 where: str) -> None:
    """Fill an entry of the stack. Raises CardError, ConfigError."""
    number = known.number(entry.card, f"{where}.card")
    if entry.step in STEPS:
        sequence = STEPS[entry.step]
        start, rows = int(tables(ruleset)["sequence"][sequence]), len(SEQUENCES[sequence])
    elif entry.step in PARTS:
        id = known.id(entry.text or entry.card, f"{where}.text")
        start = int(known.table[index(ruleset)[id]][entry.step])
        rows = len(getattr(known.known[id], entry.step))
    else:
        steps = (*PARTS, *STEPS)
        raise ConfigError(f"{where}.step is {quoted(entry.step)}, but must be one of"
                          f" {', '.join(steps)}{did_you_mean(entry.step, steps)}")
    if not start or entry.row > rows:
        raise ConfigError(f"{where}.row is {entry.row}, but there are only {rows} rows")
    frame["pc"], frame["card"] = start + entry.row, number
    frame["side"] = int(g["me"]) if entry.of == "me" else 1 - int(g["me"])
    frame["ref"], frame["uid"] = _ref(g, entry.uid), entry.uid
    frame["target"], frame["target_uid"] = _ref(g, entry.target), entry.target
    for name in NUMBERS:
        frame[name] = getattr(entry, name)
