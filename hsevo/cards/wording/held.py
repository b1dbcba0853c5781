"""The wording of operations on cards in hands and decks, and on counters."""

from __future__ import annotations

from hsevo.cards.ops import Op
from hsevo.cards.terms import STARTING, Amount, Class, Counter, Gains, Selector
from hsevo.cards.vocabulary.model import Filter, Row
from hsevo.cards.wording.clauses import stats
from hsevo.cards.wording.phrases import (
    COUNTERS,
    a,
    counted,
    keywords,
    listed,
    noun_of,
    phrase,
    pool_noun,
)
from hsevo.cards.wording.scene import ONE, OPS, TextScene

WHERE = {
    Selector.MY_HAND: "in your hand",
    Selector.MY_HAND_AND_DECK: "in your hand and deck",
    Selector.MY_DECK: "in your deck",
    Selector.ENEMY_HAND: "in your opponent's hand",
}
ONES = {Selector.THIS_CARD: "this card", Selector.DRAWN_CARD: "it"}


def cards_there(s: TextScene, row: Row) -> str:
    """Return the noun for the cards of a row: "all minions in your hand"."""
    if row.who.selector in ONES:
        return ONES[row.who.selector]
    noun = noun_of(s.cards, row.who.filter, "card")
    if row.who.selector is Selector.CHEAPEST:
        return f"the {noun.singular()} in your hand that costs least"
    if row.who.selector is Selector.LEFTMOST:
        return f"the leftmost {noun.singular()} in your hand"
    if row.who.selector is Selector.MARKED:
        return "the cards drawn"
    where = phrase(WHERE, row.who.selector)
    if row.who.pick == 1:
        return f"{a(noun.singular('random'))} {where}"
    return f"{noun.plural(f'{row.who.pick} random' if row.who.pick else 'all')} {where}"


def _buff_cards(s: TextScene, row: Row) -> str:
    if row.value.amount is Amount.LITERAL:
        return f"give {cards_there(s, row)} {stats(row.value.n, row.health)}"
    head, tail = s.much(row.value, "attack", "+")
    return f"give {cards_there(s, row)} {head}{tail}"


def _cost(s: TextScene, row: Row) -> str:
    n, several = row.value.n, row.who.selector not in ONES and row.who.pick != 1
    verb = "cost" if several else "costs"
    return f"{cards_there(s, row)} {verb} {abs(n)} {'more' if n > 0 else 'less'}"


def _summon_from_hand(s: TextScene, row: Row) -> str:
    if row.copies:
        return f"summon a copy of {cards_there(s, row)}"
    words = keywords(row.keywords)
    gains = f", and give them {listed(words)}" if words else ""
    return f"summon {cards_there(s, row)}".replace(" in ", " from ") + gains


def _copy_cards(s: TextScene, row: Row) -> str:
    another = "another copy" if row.who.selector is Selector.DRAWN_CARD else "a copy"
    return f"add {another} of {cards_there(s, row)} to your hand"


def _count(s: TextScene, row: Row) -> str:
    if row.counter == Counter.CTHUN_TAUNT:
        return "give your C'Thun Taunt (wherever it is)"
    if row.counter == Counter.NEXT_POWER_CHEAPER and row.value.n < 0:
        return f"it no longer costs {-row.value.n} less"
    if row.counter == Counter.NEXT_POWER_CHEAPER:
        return f"your next hero power costs {row.value.n} less"
    if row.counter == Counter.NEXT_DRAGON_CHEAPER:
        return f"your next Dragon costs {row.value.n} less"
    if row.counter == Counter.NEXT_ELEMENTAL_CHEAPER:
        return f"your next Elemental this turn costs {row.value.n} less"
    if row.counter == Counter.NEXT_POWER_DAMAGE:
        return f"your next hero power this turn deals {row.value.n} more damage"
    if row.counter == Counter.NEXT_SPELL_TWICE:
        return "your next spell this turn is cast twice"
    if row.counter == Counter.NEXT_SPELL_DAMAGE:
        return f"your next spell this turn has Spell Damage +{row.value.n}"
    if row.counter == Counter.SPELLS_DRAIN:
        return "your spells have Lifesteal this turn"
    if row.counter == Counter.POWER_DEARER:
        return f"your opponent's hero power costs {row.value.n} more on their next turn"
    if row.counter in (Counter.EXTRA_TURNS, Counter.LATER_TURNS):
        if row.theirs:
            return "your opponent takes an extra turn after their next turn"
        this = "this turn" if row.counter == Counter.EXTRA_TURNS else "your next turn"
        return f"take an extra turn after {this}"
    if row.counter == Counter.TALLY:
        return f"this weapon counts {row.value.n}"
    thing = phrase(COUNTERS, Counter(row.counter))
    return f"count {s.much(row.value, '')[0].strip()} more {thing}"


def _set_count(s: TextScene, row: Row) -> str:
    if row.counter == Counter.TALLY:
        return "its count begins again"
    assert row.counter == Counter.POWER_PRICE, "no other counter is set"
    if row.value.n > STARTING:
        return f"the hero power that you begin with costs {row.value.n - 1 - STARTING}"
    return f"your hero power costs {row.value.n - 1} for the rest of the game"


def _progress(s: TextScene, row: Row) -> str:
    head, tail = s.much(row.value, "")
    n = head.strip() + tail.removeprefix(" equal to ")
    return f"it counts {n}; at {row.needed} it becomes {s.name(row.card)}"


def _attach_cards(s: TextScene, row: Row) -> str:
    rules_text = " ".join(s.text(s.cards, str(row.card))).removesuffix(".")
    return f'give {cards_there(s, row)} {stats(row.value.n, row.health)} and "{rules_text}"'


def _grow(s: TextScene, row: Row) -> str:
    if row.value.amount is Amount.LITERAL and row.gains is Gains.ATTACK:
        what = stats(row.value.n, row.health)
    else:
        stat = "health" if row.gains is Gains.HEALTH else "attack"
        what = "".join(s.much(row.value, stat, "+"))
    return f"give your C'Thun {what} (wherever it is)"


def _transform(s: TextScene, row: Row) -> str:
    assert row.pool is not None  # else a bug in the card file
    single = row.who.selector in ONES or row.who.pick == 1
    if len(row.pool.cards) == 1:
        return f"transform {cards_there(s, row)} into {s.card_of(row.pool.cards[0])}"
    into = s.drawn_from(row.pool, ONE) if single else pool_noun(s.cards, row.pool).plural("random")
    return f"transform {cards_there(s, row)} into {into}"


def _draw(s: TextScene, row: Row) -> str:
    if row.value.amount is Amount.UP_TO:
        return f"draw cards until you have {row.value.n} in hand"
    head, tail = s.cards_of(row.value, "card")
    if row.value.amount is Amount.DECK:
        return "draw the rest of your deck"
    if row.who.filter == Filter():
        cost = "costs" if row.value == ONE else "cost"
        they = "it" if row.value == ONE else "they"
        less = f"; {they} {cost} {row.cheaper} less" if row.cheaper else ""
        less = f"; {they} {cost} {row.price - 1}" if row.price else less
        copies = counted(row.copies, "copy")
        copies = f", then add {copies} of it to your hand" if row.copies else ""
        price = f"; {they} {cost} {row.price - 1}" if row.price else ""
        return f"draw {head}{tail}{less}{price}{copies}"
    noun = noun_of(s.cards, row.who.filter, "card")
    if row.discards:
        return f"draw {head}{tail}, and discard the {noun.plural()} among them"
    if row.value != ONE and row.cheaper:
        return f"draw {head}{tail}; the {noun.plural()} among them cost {row.cheaper} less"
    then = f"it costs {row.cheaper} less" if row.cheaper else f"it becomes {s.a_card(row.card)}"
    return f"draw {head}{tail}; if it is {a(noun.singular())}, {then}"


def _draw_for_enemy(s: TextScene, row: Row) -> str:
    if row.value.amount is Amount.ENEMY_UP_TO:
        return f"your opponent draws cards until they have {row.value.n} in hand"
    head, tail = s.cards_of(row.value, "card")
    return f"your opponent draws {head}{tail}"


def _draw_from_deck(s: TextScene, row: Row) -> str:
    noun = noun_of(s.cards, row.who.filter, "card")
    number = row.value.n
    if row.value.amount is Amount.UP_TO:
        return f"draw {noun.plural()} from your deck until you have {number} cards in hand"
    cards = a(noun.singular()) if number == 1 else f"{number} {noun.plural()}"
    if row.new:
        cards = noun.plural(f"{number} different")
    if row.cheapest:
        cards = f"the {noun.singular()} in your deck that costs least"
    if row.small:
        cards += f"; their attack, health and cost become {row.small}"
    missing = f"; for each one missing, add {s.a_card(row.card)} to your hand" if row.card else ""
    bigger = f", and give it {stats(row.bigger, row.bigger)}" if row.bigger else ""
    doubled = ", and double its health" if row.doubled else ""
    return f"draw {cards}{missing}{bigger}{doubled}"


def _wake_by(s: TextScene, row: Row) -> str:
    much = s.much(row.value, "")[1].removeprefix(" equal to ")
    return f"count {much}; at {row.needed} in all, this becomes {s.a_card(row.card)}"


def _stock_chosen(s: TextScene, row: Row) -> str:
    if row.new:
        return "replace your deck with 2 copies of it"
    return "put 2 copies of it into your deck"


def _take_from_enemy_deck(s: TextScene, row: Row) -> str:
    noun = noun_of(s.cards, row.who.filter, "card")
    return f"take {a(noun.singular('random'))} from your opponent's deck into your hand"


def _destroy_cards(s: TextScene, row: Row) -> str:
    noun = noun_of(s.cards, row.who.filter, "card")
    return f"destroy all {noun.plural()} that cost {row.value.n} in both players' hands and decks"


def _renounce(s: TextScene, row: Row) -> str:
    cls = Class(row.cls).name.title()
    return (f"replace your hero power and the {cls} cards in your hand and deck with those of"
            " another class; the new cards cost 1 less")


OPS |= {
    Op.DRAW: _draw,
    Op.DRAW_FOR_ENEMY: _draw_for_enemy,
    Op.DRAW_FROM_DECK: _draw_from_deck,
    Op.TAKE_FROM_ENEMY_DECK: _take_from_enemy_deck,
    Op.DESTROY_CARDS: _destroy_cards,
    Op.RENOUNCE: _renounce,
    Op.WAKE_BY: _wake_by,
    Op.STOCK_CHOSEN: _stock_chosen,
    Op.BUFF_CARDS: _buff_cards,
    Op.DOUBLE_CARDS: lambda s, row: f"double the attack and health of {cards_there(s, row)}",
    Op.SWAP_FORM: lambda s, row: f"swap the attack and health of {cards_there(s, row)}",
    Op.CHANGE_COST: _cost,
    Op.TRANSFORM_CARDS: _transform,
    Op.LEVEL_CARDS: lambda s, row: f"set the attack of {cards_there(s, row)} to their health",
    Op.MAKE_FREE: lambda s, row: f"{cards_there(s, row)} cost 0",
    Op.REMOVE_CARDS: lambda s, row: (
        "it leaves your hand" if row.who.selector in ONES else f"remove {cards_there(s, row)}"),
    Op.SUMMON_FROM_HAND: _summon_from_hand,
    Op.COPY_CARDS: _copy_cards,
    Op.DISCARD_CARDS: lambda s, row: f"discard {cards_there(s, row)}",
    Op.COUNT: _count,
    Op.SET_COUNT: _set_count,
    Op.GROW: _grow,
    Op.UPGRADE: _progress,
    Op.ATTACH_CARDS: _attach_cards,
}
