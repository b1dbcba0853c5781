"""Cards in hands and decks that texts change, and numbers that texts count for a player."""

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Counter, Gains, If, Selector
from hsevo.cards.vocabulary.model import Condition, Number, Pool, Row, Value, Who, value_of

MY_HAND, MY_HAND_AND_DECK = Who(Selector.MY_HAND), Who(Selector.MY_HAND_AND_DECK)
THIS_CARD, DRAWN_CARD = Who(Selector.THIS_CARD), Who(Selector.DRAWN_CARD)

SPELLS_CAST, SECRETS_PLAYED = Counter.SPELLS_CAST, Counter.SECRETS_PLAYED
POWERS_USED, MINIONS_DIED = Counter.POWERS_USED, Counter.MINIONS_DIED
NEXT_DRAGON_CHEAPER = Counter.NEXT_DRAGON_CHEAPER
NEXT_POWER_CHEAPER, POWER_DEARER = Counter.NEXT_POWER_CHEAPER, Counter.POWER_DEARER
CTHUN_ATTACK, CTHUN_HEALTH = Counter.CTHUN_ATTACK, Counter.CTHUN_HEALTH

JOUST_WON = Condition(If.JOUST)


def buff_cards(who: Who, attack: Number = 0, health: int = 0) -> Row:
    """Give cards in hand or deck +attack/+health."""
    return Row(Op.BUFF_CARDS, who, value_of(attack), health=health)


def reduce_cost(who: Who, n: int) -> Row:
    """Have cards in hand (in a deck: n is 1) cost n less."""
    return Row(Op.CHANGE_COST, who, value_of(-n))


def transform_cards(who: Who, pool: Pool) -> Row:
    """Turn cards in hand into random ones of a pool."""
    return Row(Op.TRANSFORM_CARDS, who, pool=pool)


def summon_from_hand(who: Who) -> Row:
    """Put minions of the own hand into play, with their changes."""
    return Row(Op.SUMMON_FROM_HAND, who)


def draw_revealed() -> Row:
    """Draw the card of the own deck that a Joust has revealed."""
    return Row(Op.DRAW_REVEALED)


def copy_drawn() -> Row:
    """Add another copy of the card that was drawn to the own hand."""
    return Row(Op.COPY_DRAWN, DRAWN_CARD)


def count_up(counter: Counter, n: Number = 1) -> Row:
    """Add n to a counter of the own."""
    return Row(Op.COUNT, value=value_of(n), counter=int(counter))


def count_up_for_enemy(counter: Counter, n: int) -> Row:
    """Add n to a counter of the opponent's."""
    return Row(Op.COUNT, value=value_of(n), counter=int(counter), theirs=True)


def set_power_cost(n: int) -> Row:
    """Have the own hero power cost n for the rest of the game, also a new one."""
    return Row(Op.SET_COUNT, value=value_of(n + 1), counter=int(Counter.POWER_PRICE))


def buff_cthun(attack: Number = 0, health: int = 0) -> Row:
    """Give the own C'Thun +attack/+health, wherever it is."""
    return Row(Op.GROW, value=value_of(attack), health=health)


def buff_cthun_health(n: Number) -> Row:
    """Give the own C'Thun +n health, wherever it is."""
    return Row(Op.GROW, value=value_of(n), gains=Gains.HEALTH)


def taunt_for_cthun() -> Row:
    """Give the own C'Thun Taunt, wherever it is."""
    return count_up(Counter.CTHUN_TAUNT)


def counted(counter: Counter, n: int = 1) -> Value:
    """Return n times a counter."""
    return Value(Amount.COUNTER, n, int(counter))


def counted_at_least(counter: Counter, n: int) -> Condition:
    """Hold if a counter is n or more."""
    return Condition(If.COUNTED, int(counter), n=n)
