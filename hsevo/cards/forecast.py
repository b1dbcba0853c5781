"""Which cards have texts of which look-aheads see a number and a new minion (engine/forecast)."""

from collections.abc import Callable, Iterable

from hsevo.cards.ops import Op
from hsevo.cards.terms import (
    PRINTED,
    Amount,
    Event,
    Forecast,
    Keyword,
    Kind,
    Selector,
    Whose,
    Zone,
)
from hsevo.cards.vocabulary.model import ALWAYS, ANYTHING, Card, Pool, Row, Trigger, Value, Who

Find = Callable[[str | Pool], Iterable[Card]]  # the cards of an id or a pool

_SEEN = {
    Op.ARMOR: Forecast.ARMOR,
    Op.TEMPORARY_MANA: Forecast.MANA,
    Op.HIDE_SECRET: Forecast.SECRET,
    Op.DAMAGE: Forecast.DAMAGE,
    Op.HEAL: Forecast.HEALING,
    Op.TRANSFORM: Forecast.BECOMES,
}
_RAISED = {
    Kind.SPELL: (Event.PLAYED, Event.AFTER_PLAYED),
    Kind.MINION: (Event.PLAYED, Event.SUMMONED, Event.AFTER_PLAYED, Event.AFTER_SUMMONED),
    Kind.WEAPON: (Event.PLAYED, Event.EQUIPPED, Event.AFTER_PLAYED),
    Kind.POWER: (Event.POWER_USED,),
}
_SUMMONS = (Op.SUMMON, Op.SUMMON_JADE, Op.SUMMON_MISSING)
_AIMED = (Op.DAMAGE, Op.HEAL, Op.TRANSFORM)
_ARRIVALS = (Op.SHUFFLE, Op.ADD_CARD, Op.ADD_RANDOM)


def forecast(card: Card, find: Find) -> Forecast:
    """Return what look-aheads see of a card that is played, apart from the minion or weapon."""
    enters = card.kind in (Kind.MINION, Kind.WEAPON)
    drains = card.keywords & Keyword.LIFESTEAL and card.kind in (Kind.SPELL, Kind.POWER)
    if card.combo or card.options or card.kind is Kind.HERO or card.magnetic or drains:
        return Forecast.UNKNOWN
    if enters and not _stands_alone(card):
        return Forecast.UNKNOWN
    seen = Forecast.NOTHING if enters or not card.play else _first(card.play[0], find)
    rest = [row for row in card.play[seen is not Forecast.NOTHING:] if not _is_unseen(row, find)]
    alone = not rest or (len(rest) == 1 and card.kind is not Kind.MINION
                         and _summons(rest[0], find) and not draws(card))
    return seen if alone else Forecast.UNKNOWN


def brings(card: Card) -> int | None:
    """Return which row of a card's text summons a minion, if it can be forecast."""
    return next((i for i, row in enumerate(card.play) if row.op in _SUMMONS), None)


def draws(card: Card) -> int:
    """Return how many cards a card's text draws, if it can be forecast."""
    return sum(row.value.n for row in card.play if _is_draw(row))


def gains(card: Card, trigger: Trigger) -> int:
    """Return how much attack a trigger gives to its minion, if it does nothing else; otherwise 0.

    Whether it reacts depends on nothing but the event: listeners.py in the engine relies on it.
    """
    known = trigger.only.test in PRINTED and trigger.whose is not Whose.MY_SPELL_ON_FRIEND
    if card.auras or trigger.when != ALWAYS or not known or len(trigger.rows) != 1:
        return 0
    row = trigger.rows[0]
    return row.value.n if row == Row(Op.BUFF, Who(Selector.SELF), row.value) \
        and row.value.amount is Amount.LITERAL else 0


def raised(card: Card) -> int:
    """Return the events, as bits, of playing a card; those of damage come with it."""
    events = {*_RAISED.get(card.kind, ())}
    if card.overload:
        events.add(Event.OVERLOADED)
    if card.kind is Kind.SPELL and card.target:
        events.add(Event.TARGETED)
    events |= {event for row in card.play if row.op not in _AIMED for event in row.op.raises}
    if any(row.discards for row in card.play):
        events.add(Event.DISCARDED)
    return sum(1 << event for event in events)


def _stands_alone(card: Card) -> bool:
    """Return whether a minion or weapon in play is as printed, and changes nothing else.

    A minion may lend rules and Spell Damage: engine/forecast/outcomes.py looks after that.
    """
    lends = bool(card.rules or card.spell_damage)
    other = card.auras or card.grows or card.keeps or card.keywords & Keyword.DORMANT
    return not (other or (lends and card.kind is Kind.WEAPON))


def _first(row: Row, find: Find) -> Forecast:
    """Return what the first row of a text does; NOTHING if that has to be unseen."""
    plain = row.value.amount is Amount.LITERAL and row.who.filter == ANYTHING and not row.who.pick
    aimed = row.who.selector is Selector.TARGET and not (row.by_target or row.counted)
    if row.op not in _SEEN or not plain or (row.op in _AIMED and not aimed):
        return Forecast.NOTHING
    if row.op is Op.TRANSFORM and not _becomes_plain(row, find):
        return Forecast.NOTHING
    return _SEEN[row.op]


def _becomes_plain(row: Row, find: Find) -> bool:
    """Return whether a row turns a character into a minion that nothing changes or sets off."""
    return not any(card.triggers or card.rules or card.spell_damage or not _stands_alone(card)
                   for card in _cards(row, find))


def _summons(row: Row, find: Find) -> bool:
    """Return whether a row summons one minion for its player, which nothing else changes."""
    if row.op not in _SUMMONS or row.theirs or not (summoned := _cards(row, find)):
        return False
    several = row.op is Op.SUMMON and row.value != Value(Amount.LITERAL, 1)
    return not several and all(map(_stands_alone, summoned))


def _is_unseen(row: Row, find: Find) -> bool:
    """Return whether no look-ahead sees a row: frost, and cards that nothing in hand answers."""
    if row.op is Op.FREEZE or _is_draw(row):
        return True
    if row.op not in _ARRIVALS or not (arrivals := _cards(row, find)):
        return False
    return not any(trigger.zone in (Zone.HAND, Zone.DECK)
                   for card in arrivals for trigger in card.triggers)


def _cards(row: Row, find: Find) -> list[Card]:
    """Return the cards that a row may make; none if it names neither a card nor a pool."""
    named = row.pool or row.card
    return [] if isinstance(named, int) else [*find(named)]


def _is_draw(row: Row) -> bool:
    """Return whether a row draws a known number of cards, and neither changes nor copies them."""
    known = row.value.amount is Amount.LITERAL
    plain = not (row.card or row.copies or row.discards)
    return row.op is Op.DRAW and known and plain
