"""Effects that put minions into play."""

from hsevo.cards.ops import Op
from hsevo.cards.terms import Selector
from hsevo.cards.vocabulary.effects import deaths, destroy
from hsevo.cards.vocabulary.model import ANYTHING, Filter, Number, Pool, Row, Who, value_of
from hsevo.cards.vocabulary.selectors import TARGET


def summon_remembered() -> Row:
    """Summon what this minion kept in mind, for the player that controlled it."""
    return Row(Op.SUMMON_REMEMBERED)


def swap_with_hand() -> Row:
    """Swap this minion with a random one in the own hand."""
    return Row(Op.SWAP_WITH_HAND)


def return_to_life() -> tuple[Row, ...]:
    """Destroy the target, then summon its card anew for its owner."""
    return (Row(Op.NOTE_TARGET, TARGET), destroy(), deaths(), Row(Op.SUMMON_NOTED))


def replace_all_minions(card: str) -> tuple[Row, ...]:
    """Destroy all minions, then summon a card for each."""
    everything = Who(Selector.ALL_MINIONS)
    fill = Row(Op.SUMMON_FOR_NOTED, card=card)
    return (Row(Op.NOTE_MINIONS), destroy(everything), deaths(), fill)


def summon(card: str, n: Number = 1) -> Row:
    """Summon n copies of a card, to the right of this minion."""
    return Row(Op.SUMMON, value=value_of(n), card=card)


def summon_this() -> Row:
    """Summon this text's card again (for a dead minion, the minion itself)."""
    return Row(Op.SUMMON, value=value_of(1))


def summon_again() -> Row:
    """Summon the card of the event's subject again, such as a minion that died."""
    return Row(Op.SUMMON, value=value_of(1), card=-1)


def summon_for_enemy(card: str, n: Number = 1) -> Row:
    """Summon n copies of a card for the opponent."""
    return Row(Op.SUMMON, value=value_of(n), card=card, theirs=True)


def summon_random(pool: Pool, n: Number = 1) -> Row:
    """Summon n random minions of a pool."""
    return Row(Op.SUMMON_RANDOM, value=value_of(n), pool=pool)


def summon_random_for_enemy(pool: Pool) -> Row:
    """Summon a random minion of a pool for the opponent."""
    return Row(Op.SUMMON_RANDOM, value=value_of(1), pool=pool, theirs=True)


def summon_by_cost(n: Number) -> Row:
    """Summon a random minion of a printed cost, counted when it resolves."""
    return Row(Op.SUMMON_BY_COST, value=value_of(n))


def summon_copy(who: Who, become: str | None = None, left: bool = False) -> Row:
    """Summon exact copies, which can become another card; to the right of this minion, or left."""
    return Row(Op.SUMMON_COPY, who, card=become or 0, left=left)


def summon_small_copy(who: Who) -> Row:
    """Summon copies, each as a 1/1."""
    return Row(Op.SUMMON_COPY, who, small=True)


def summon_dead(n: int, test: Filter = ANYTHING, *, both: bool = False) -> Row:
    """Summon n of the own (or both players') minions that died this game and pass `test`."""
    return Row(Op.SUMMON_DEAD, Who(Selector.NOBODY, test), value_of(n), both=both)


def summon_dead_of_this_turn() -> Row:
    """Summon all own minions that died this turn, in the order of their deaths."""
    return Row(Op.SUMMON_DEAD_OF_TURN)


def summon_all_dead(test: Filter) -> Row:
    """Summon the own minions that died this game and pass `test`: as many as there is room for."""
    return Row(Op.SUMMON_ALL_DEAD, Who(Selector.NOBODY, test))


def summon_all_from_hand(test: Filter) -> Row:
    """Put all own minions in hand that pass `test` into play."""
    return Row(Op.SUMMON_ALL_FROM_HAND, Who(Selector.NOBODY, test))


def summon_missing(pool: Pool) -> Row:
    """Summon a random minion of a pool that the owner does not have in play."""
    return Row(Op.SUMMON_MISSING, pool=pool)


def summon_next(pool: Pool) -> Row:
    """Summon the owner's next Jade Golem: the first of the pool, the second, ..., then the last."""
    return Row(Op.SUMMON_JADE, pool=pool)


def summon_from_deck(test: Filter = ANYTHING, n: int = 1) -> Row:
    """Put n random minions of the own deck that pass `test` into play."""
    return Row(Op.SUMMON_FROM_DECK, Who(Selector.NOBODY, test), value_of(n))


def summon_from_enemy_deck(test: Filter = ANYTHING) -> Row:
    """Have the opponent put a random minion of their deck that passes `test` into play."""
    return Row(Op.SUMMON_FROM_DECK, Who(Selector.NOBODY, test), value_of(1), theirs=True)


def swap_with_deck(who: Who = TARGET) -> Row:
    """Swap minions with random ones of the own deck, which take their places."""
    return Row(Op.SWAP_WITH_DECK, who)


def summon_small_copy_from_deck() -> Row:
    """Summon a 1/1 copy of a random minion of the own deck."""
    return Row(Op.SUMMON_COPY_FROM_DECK)


def summon_copy_from_enemy_deck(otherwise: str) -> Row:
    """Summon a copy of a random minion of the opponent's deck, or else a card."""
    return Row(Op.SUMMON_COPY_FROM_DECK, card=otherwise, theirs=True)


def summon_this_from_deck() -> Row:
    """Put this card from the deck into play."""
    return Row(Op.LEAVE_DECK)


def pull_from_enemy_hand() -> Row:
    """Have the opponent summon a random minion from hand."""
    return Row(Op.PULL)


def draw_into_play(n: int) -> Row:
    """Draw n cards; minions drawn enter play at once."""
    return Row(Op.DRAW_INTO_PLAY, value=value_of(n))


def choose_summon(offered: Pool, summoned: Pool) -> tuple[Row, ...]:
    """Choose one of the cards offered, and summon what stands in its place in `summoned`."""
    return (Row(Op.OFFER_ALL, pool=offered),
            Row(Op.SUMMON_CHOSEN, pool=offered, second_pool=summoned))
