"""The wording of operations on cards in hands and decks, and of counters."""

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Counter, Selector
from hsevo.cards.vocabulary.model import Pool, Row
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
        return f"{a(noun.one('random'))} {where}"
    return f"{noun.more(f'{row.who.pick} random' if row.who.pick else 'all')} {where}"


def _buff(s: Scene, row: Row) -> str:
    if row.value.amount is Amount.LITERAL:
        return f"give {cards_there(s, row)} {stats(row.value.n, int(str(row.a)))}"
    head, tail = s.much(row.value, "attack", "+")
    return f"give {cards_there(s, row)} {head}{tail}"


def _cost(s: Scene, row: Row) -> str:
    n, several = row.value.n, row.who.selector not in ONES and row.who.pick != 1
    verb = "cost" if several else "costs"
    return f"{cards_there(s, row)} {verb} {abs(n)} {'more' if n > 0 else 'less'}"


def _count(s: Scene, row: Row) -> str:
    if row.a == Counter.CTHUN_TAUNT:
        return "give your C'Thun Taunt (wherever it is)"
    if row.a == Counter.NEXT_POWER_CHEAPER:
        return f"your next hero power costs {row.value.n} less"
    if row.a == Counter.NEXT_DRAGON_CHEAPER:
        return f"your next Dragon costs {row.value.n} less"
    if row.a == Counter.POWER_DEARER:
        return f"your opponent's hero power costs {row.value.n} more in their next turn"
    if row.a == Counter.POWER_PRICE:
        return f"your hero power costs {row.value.n - 1} for the rest of the game"
    thing = phrase(COUNTERS, Counter(int(str(row.a))))
    return f"count {s.much(row.value, '')[0].strip()} more {thing}"


def _grow(s: Scene, row: Row) -> str:
    if row.value.amount is Amount.LITERAL and row.b == 0:
        what = stats(row.value.n, int(str(row.a)))
    else:
        what = "{}{}".format(*s.much(row.value, "health" if row.b == 2 else "attack", "+"))
    return f"give your C'Thun {what} (wherever it is)"


def _transform(s: Scene, row: Row) -> str:
    assert isinstance(row.a, Pool)
    one = row.who.selector in ONES or row.who.pick == 1
    into = s.drawn_from(row.a, ONE) if one else pool_noun(s.cards, row.a).more("random")
    return f"transform {cards_there(s, row)} into {into}"


OPS |= {
    Op.BUFF_CARDS: _buff,
    Op.CHANGE_COST: _cost,
    Op.TRANSFORM_CARDS: _transform,
    Op.REMOVE_CARDS: lambda s, row: (
        "it leaves your hand" if row.who.selector in ONES else f"remove {cards_there(s, row)}"),
    Op.SUMMON_FROM_HAND: lambda s, row: f"summon {cards_there(s, row)}",
    Op.DRAW_REVEALED: lambda s, row: "draw your revealed card",
    Op.COPY_DRAWN: lambda s, row: "add another copy of it to your hand",
    Op.COUNT: _count,
    Op.GROW: _grow,
}
