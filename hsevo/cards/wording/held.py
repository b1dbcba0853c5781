"""The wording of operations on cards in hands and decks, and of counters."""

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Counter, Gains, Selector
from hsevo.cards.vocabulary.model import Row
from hsevo.cards.wording.clauses import stats
from hsevo.cards.wording.nouns import a, noun_of, phrase, pool_noun
from hsevo.cards.wording.phrases import COUNTERS
from hsevo.cards.wording.scene import ONE, OPS, Scene

WHERE = {
    Selector.MY_HAND: "in your hand",
    Selector.MY_HAND_AND_DECK: "in your hand and deck",
}
ONES = {Selector.THIS_CARD: "this card", Selector.DRAWN_CARD: "it"}


def cards_there(s: Scene, row: Row) -> str:
    """Return the noun for the cards of a row: "all minions in your hand"."""
    if row.who.selector in ONES:
        return ONES[row.who.selector]
    noun, where = noun_of(s.cards, row.who.filter, "card"), phrase(WHERE, row.who.selector)
    if row.who.pick == 1:
        return f"{a(noun.singular('random'))} {where}"
    return f"{noun.plural(f'{row.who.pick} random' if row.who.pick else 'all')} {where}"


def _buff(s: Scene, row: Row) -> str:
    if row.value.amount is Amount.LITERAL:
        return f"give {cards_there(s, row)} {stats(row.value.n, row.health)}"
    head, tail = s.much(row.value, "attack", "+")
    return f"give {cards_there(s, row)} {head}{tail}"


def _cost(s: Scene, row: Row) -> str:
    n, several = row.value.n, row.who.selector not in ONES and row.who.pick != 1
    verb = "cost" if several else "costs"
    return f"{cards_there(s, row)} {verb} {abs(n)} {'more' if n > 0 else 'less'}"


def _count(s: Scene, row: Row) -> str:
    if row.counter == Counter.CTHUN_TAUNT:
        return "give your C'Thun Taunt (wherever it is)"
    if row.counter == Counter.NEXT_POWER_CHEAPER:
        return f"your next hero power costs {row.value.n} less"
    if row.counter == Counter.NEXT_DRAGON_CHEAPER:
        return f"your next Dragon costs {row.value.n} less"
    if row.counter == Counter.POWER_DEARER:
        return f"your opponent's hero power costs {row.value.n} more in their next turn"
    thing = phrase(COUNTERS, Counter(row.counter))
    return f"count {s.much(row.value, '')[0].strip()} more {thing}"


def _set_count(s: Scene, row: Row) -> str:
    assert row.counter == Counter.POWER_PRICE, "no other counter is set"
    return f"your hero power costs {row.value.n - 1} for the rest of the game"


def _grow(s: Scene, row: Row) -> str:
    if row.value.amount is Amount.LITERAL and row.gains is Gains.ATTACK:
        what = stats(row.value.n, row.health)
    else:
        stat = "health" if row.gains is Gains.HEALTH else "attack"
        what = "".join(s.much(row.value, stat, "+"))
    return f"give your C'Thun {what} (wherever it is)"


def _transform(s: Scene, row: Row) -> str:
    assert row.pool is not None  # else a bug in the card file
    one = row.who.selector in ONES or row.who.pick == 1
    into = s.drawn_from(row.pool, ONE) if one else pool_noun(s.cards, row.pool).plural("random")
    return f"transform {cards_there(s, row)} into {into}"


OPS |= {
    Op.BUFF_CARDS: _buff,
    Op.CHANGE_COST: _cost,
    Op.TRANSFORM_CARDS: _transform,
    Op.REMOVE_CARDS: lambda s, row: (
        "it leaves your hand" if row.who.selector in ONES else f"remove {cards_there(s, row)}"),
    Op.SUMMON_FROM_HAND: lambda s, row: f"summon {cards_there(s, row)}",
    Op.COUNT: _count,
    Op.SET_COUNT: _set_count,
    Op.GROW: _grow,
}
