"""Operations of card texts: what their declarations say is what the engine and the texts do."""

import ast
import dataclasses
import random
import string
from collections import Counter, defaultdict

import numpy as np
import pytest

from hsevo.benches.games import drawn_decks
from hsevo.cards import late
from hsevo.cards.layout import ROW
from hsevo.cards.ops import GROUP_BITS, Op, OpGroup
from hsevo.cards.tables import cards
from hsevo.cards.terms import Event
from hsevo.cards.vocabulary.model import Card, Row
from hsevo.cards.wording.clauses import PARTS
from hsevo.play.entry import LISTENS, Report
from hsevo.play.match import PAIRING, Setting, Table
from hsevo.strength.roster import read_agent
from tests.support import ROOT

MODULES = {
    OpGroup.SEQUENCE: "turn", OpGroup.CONTROL: "effects", OpGroup.HEALTH: "strikes",
    OpGroup.CHARACTERS: "changes", OpGroup.BOARD: "summons", OpGroup.CARDS: "hand",
    OpGroup.CHOICES: "choices", OpGroup.HELD: "held", OpGroup.PLAYERS: "players",
    OpGroup.SECRETS: "secrets", OpGroup.DEATHRATTLES: "deathrattles", OpGroup.CASTING: "casting",
}  # fmt: skip
# the only operation of its group, or the last one, which the switch does not name
UNNAMED = {Op.SKIP, Op.KAZAKUS_CRAFT}
# rules that turn what an operation does into something else, or add to it
BESIDES = {
    Event.DRAWN: {Event.DAMAGED},  # fatigue
    # Lifesteal; a secret that prevents death; Divine Shield; what freezes what it damages
    Event.DAMAGED: {Event.HEALED, Event.SECRET_REVEALED, Event.SHIELD_LOST, Event.FROZEN},
    Event.EQUIPPED: {Event.WEAPON_DESTROYED},
    Event.DIED: {Event.WEAPON_DESTROYED},  # a weapon breaks, too
    Event.HEALED: {Event.DAMAGED, Event.SECRET_REVEALED},  # healing that hurts
}


def test_numbers_are_generated_and_hold_the_group() -> None:
    assert Op.END == 0  # rows of zeros end a program
    assert len({int(op) for op in Op}) == len(Op)
    for op in Op:
        assert op >> GROUP_BITS == op.group
    assert {op.group for op in Op} == set(OpGroup)


def test_what_operations_take_are_fields_of_a_row_and_of_the_tables() -> None:
    fields = {field.name for field in dataclasses.fields(Row)}
    taken = {name for op in Op for name in op.takes}
    assert taken == fields - {"op", "who", "value"}
    assert taken <= {*ROW.names}


def test_a_row_refuses_what_its_operation_does_not_take() -> None:
    with pytest.raises(ValueError, match=r"<Op.HEAL: \d+> does not take card"):
        Row(Op.HEAL, card="CS2_022")
    with pytest.raises(ValueError, match="does not take theirs"):
        Row(Op.HERO_ATTACK, theirs=True)


def test_templates_name_parts_of_clauses_alone() -> None:
    named = {op: {name for _, name, _, _ in string.Formatter().parse(op.says) if name} for op in Op}
    assert {name for names in named.values() for name in names} == {*PARTS}


def test_the_engines_module_of_a_group_runs_its_operations() -> None:
    for group, module in MODULES.items():
        path = ROOT / "hsevo" / "engine" / "operations" / f"{module}.py"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        switches = [node for node in tree.body if isinstance(node, ast.FunctionDef)
                    and node.name.startswith(("run_", "step_", "resolve_", "change_", "do_hero",
                                              "do_", "next_op"))]
        named = {node.attr for switch in switches for node in ast.walk(switch)
                 if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
                 and node.value.id == "Op"}
        assert {op.name for op in Op if op.group is group} - named <= {op.name for op in UNNAMED}


def test_every_operation_is_used_by_a_card() -> None:
    used = {row.op for ruleset in ("cig2018", "msg2017", "rise2019")
            for card in cards(ruleset).values() for row in _rows(card)}
    steps = {op for op in Op if op.group is OpGroup.SEQUENCE}
    assert set(Op) - used - steps == {Op.DEATHRATTLE}  # put before each Deathrattle


def _rows(card: Card) -> list[Row]:
    return [*card.play, *card.combo, *card.deathrattle, *card.drawn, *card.discarded,
            *card.at_start, *(row for trigger in card.triggers for row in trigger.rows)]


def test_operations_raise_the_events_that_they_declare() -> None:
    raised, run = _events_of_games(40)
    for op, events in raised.items():
        if op is Op.RAISE:  # its row says which
            continue
        besides = {other for event in op.raises for other in BESIDES.get(event, ())}
        assert {*events} <= {*op.raises} | besides, op
    announced = {event for event in Event if event.name not in late.WORDS["Event"]}  # cig2018
    often = [op for op, times in run.items() if times >= 15 and announced & {*op.raises}]
    assert len(often) >= 12
    for op in often:
        assert announced & {*op.raises} <= {*raised[op]}, op


def _events_of_games(games: int) -> tuple[dict[Op, Counter[Event]], Counter[Op]]:
    """Play random games of all cards; return the events that each operation put on the stack."""
    decks, agent = drawn_decks(), np.asarray(read_agent("random")).reshape(1)
    raised: dict[Op, Counter[Event]] = defaultdict(Counter)
    run: Counter[Op] = Counter()
    for k in range(games):
        table = Table(agent, Setting(decks=decks))
        pairing = np.zeros(1, PAIRING)
        pairing["deck_a"], pairing["deck_b"] = k % len(decks), (7 * k + 3) % len(decks)
        pairing["seed"], pairing["games"] = k, 1
        table.deal(pairing[0], 0)
        moves = random.Random(k)
        _resolve(table, raised, run)
        while legal := table.legal():
            table.begin(moves.choice(legal))
            _resolve(table, raised, run)
    return raised, run


def _resolve(table: Table, raised: dict[Op, Counter[Event]], run: Counter[Op]) -> None:
    """Resolve a move; the game believes that somebody listens to every event."""
    game = table.game
    while True:
        game.watch = -1
        depth = int(game.depth)
        report = table.resolve()
        if report is None:
            return
        if report[Report.OP] == LISTENS:
            continue
        op = Op(int(report[Report.OP]))
        run[op] += 1
        new = [game.stack[i] for i in range(depth, int(game.depth))]
        raised[op].update(Event(int(frame.event)) for frame in new if frame.pc == 0)
