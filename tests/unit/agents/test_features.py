"""What a learned policy sees of a position besides minions: by hand-made positions."""

from hsevo.agents.network import features
from hsevo.agents.network.features import (
    DECK_LEFT,
    ENEMY,
    HELD,
    ONE,
    OWN,
    QUARTER,
    REST,
    SIDES,
    SIXTEENTH,
    describe,
)
from hsevo.agents.shared.scratch import SCRATCH, TRUE
from hsevo.cards.tables import by_name, cards, ids, index, tables
from hsevo.cards.terms import Counter
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, entry_point, records
from tests.rules.test_equations import Position

NAMES = {card.id: card.name for card in cards("cig2018").values()}


@entry_point(VOID(records(SCRATCH), TABLES_T, I8, BOOL),
             needs_late=lambda scratch, t, *rest: t.late)
def describe_it(scratch, t, known, ended):
    """Describe the true game for player 0, as if its last action had changed nothing."""
    s = scratch[0]
    describe(s.games[TRUE], s.games[TRUE], t, s.features[0], 0, known, ended)


def number(name):
    """Return the number of a card."""
    return index()[by_name()[name]]


def seen(position, group, known=0, ended=False):
    """Return what a group has of a position for player 0: {name or number: value}."""
    scratch = position.table._context.scratch
    describe_it(scratch, tables(), known, ended)
    f = scratch[0].features[0]
    rows = slice(int(f.begin[group]), int(f.begin[group + 1]))
    entries = zip(f.index[rows].tolist(), f.value[rows].tolist(), strict=True)
    return {NAMES[ids("cig2018")[i]] if group >= HELD else i: value for i, value in entries}


def emptied(*hand):
    """Return a position with nothing but two heroes, their powers, and an own hand."""
    position = Position(hand)
    for side in position.g.side:
        side.n_deck = side.n_secrets = side.weapon = side.unseen = 0
    return position


def test_cards_in_play_that_are_no_minions():
    position = emptied()
    own, enemy = position.g.side
    own.weapon, enemy.weapon = number("Fiery War Axe"), number("Doomhammer")
    for side, secret in ((own, "Ice Block"), (enemy, "Counterspell")):
        side.secret["card"][0], side.n_secrets = number(secret), 1
    powers = [NAMES[ids("cig2018")[int(side.power)]] for side in (own, enemy)]
    assert seen(position, OWN) == {"Fiery War Axe": ONE, powers[0]: ONE, "Ice Block": ONE}
    assert seen(position, ENEMY) == {"Doomhammer": ONE, powers[1]: ONE}  # not its secret


def test_what_is_left_of_decks():
    """A copy counts a quarter; of the opponent it is one heap, and what nobody saw is left out."""
    position = emptied()
    own, enemy = position.g.side
    own.deck[:3] = number("Fireball"), number("Polymorph"), number("Fireball")
    own.n_deck = 3
    enemy.deck[0], enemy.n_deck = number("Wisp"), 1
    enemy.hand["card"][:2], enemy.n_hand = (number("Wisp"), number("Hex")), 2
    enemy.secret["card"][0], enemy.n_secrets = number("Ice Block"), 1
    assert seen(position, DECK_LEFT) == {"Fireball": 2 * QUARTER, "Polymorph": QUARTER}
    heap = {"Wisp": 2 * QUARTER, "Hex": QUARTER, "Ice Block": QUARTER}
    assert seen(position, REST) == heap
    enemy.deck[0], enemy.hand["card"][1] = number("Hex"), number("Wisp")
    assert seen(position, REST) == heap
    own.unseen = 0b010
    assert seen(position, DECK_LEFT) == {"Fireball": 2 * QUARTER}


def test_numbers_that_texts_count():
    base = seen(emptied("Wisp"), SIDES, known=1)
    position = emptied("Wisp")
    own, enemy = position.g.side
    own.jade, enemy.jade, own.played = 3, 1, 2
    enemy.counter[Counter.CTHUN_ATTACK], own.counter[Counter.SPELLS_CAST] = 4, 5
    own.hand["attack"][0], own.hand["health"][0] = 1, 2
    more = {i: value for i, value in seen(position, SIDES, known=1).items() if base.get(i) != value}
    eighth = 2 * SIXTEENTH
    assert more == {features._JADE: 3 * eighth, features._JADE + 1: eighth,
                    features._CTHUN + 1: 4 * SIXTEENTH, features._COMBO: ONE,
                    features._BUFFS: 3 * SIXTEENTH, features._SPELLS: 5 * SIXTEENTH}
    assert features._COMBO not in seen(position, SIDES, known=1, ended=True)
    assert features._BUFFS not in seen(position, SIDES, known=0)
