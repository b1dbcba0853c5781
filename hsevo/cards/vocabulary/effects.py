"""Effects on characters, and conditions of effects: each function returns one row, or a few.
"""

from __future__ import annotations

from collections.abc import Sequence

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Gains, Is, Keyword, Selector
from hsevo.cards.vocabulary.model import (
    ANYTHING,
    Condition,
    Filter,
    Number,
    Pool,
    Row,
    Rows,
    Value,
    Who,
    rows_of,
    value_of,
)
from hsevo.cards.vocabulary.selectors import ENEMIES, GROWN, SELF, TARGET, times

THIS_TURN = {
    Keyword.IMMUNE: Keyword.IMMUNE_THIS_TURN,
    Keyword.WINDFURY: Keyword.WINDFURY_TURN,
    Keyword.CAN_ATTACK_TURN: Keyword.CAN_ATTACK_TURN,
}


_ADAPTATIONS = Pool(name="adaptation", cards=(
    "UNG_999t2", "UNG_999t3", "UNG_999t4", "UNG_999t5", "UNG_999t6", "UNG_999t7", "UNG_999t8",
    "UNG_999t10", "UNG_999t13", "UNG_999t14",
))


def damage(n: Number, who: Who = TARGET, *, spell_damage: int = 1) -> Row:
    """Deal n damage; in a spell, Spell Damage counts `spell_damage` times."""
    return Row(Op.DAMAGE, who, value_of(n), spell_damage=spell_damage)


def damage_by_target(n: Number, who: Who) -> Row:
    """Have the target deal n damage."""
    return Row(Op.DAMAGE, who, value_of(n), by_target=True)


def counted_damage(n: Number, who: Who = TARGET) -> Row:
    """Deal n damage; DAMAGE_DEALT is then what was dealt, 0 if it was prevented."""
    return Row(Op.DAMAGE, who, value_of(n), spell_damage=1, counted=True)


def damage_until_one_dies(n: int) -> Row:
    """Deal n damage to a random minion, and again until a minion dies."""
    return Row(Op.BOUNCE, value=value_of(n), spell_damage=1)


def missiles(n: Number, who: Who = ENEMIES, *, spell_damage: int = 1) -> Row:
    """Deal n damage split at random among `who`, one point at a time; Spell Damage 0: not added."""
    return Row(Op.MISSILES, who, value_of(n), spell_damage=spell_damage)


def heal(n: Number, who: Who = TARGET) -> Row:
    """Restore n health."""
    return Row(Op.HEAL, who, value_of(n))


def heal_fully(who: Who) -> Row:
    """Restore all health."""
    return Row(Op.HEAL_FULL, who)


def buff(who: Who, attack: Number = 0, health: int = 0) -> Row:
    """Give +attack/+health for good."""
    return Row(Op.BUFF, who, value_of(attack), health=health)


def buff_both(who: Who, n: Number) -> Row:
    """Give +n/+n for good, n counted when it resolves."""
    return Row(Op.BUFF, who, value_of(n), gains=Gains.BOTH)


def buff_health(who: Who, n: Number) -> Row:
    """Give +n health for good, n counted when it resolves."""
    return Row(Op.BUFF, who, value_of(n), gains=Gains.HEALTH)


def buff_this_turn(who: Who, attack: Number) -> Row:
    """Give +attack until the end of the turn."""
    return Row(Op.BUFF_TURN, who, value_of(attack))


def set_attack(n: Number, who: Who = TARGET) -> Row:
    """Set attack to n; earlier changes are overwritten."""
    return Row(Op.SET_ATTACK, who, value_of(n))


def set_health(n: Number, who: Who = TARGET) -> Row:
    """Set health and maximum health to n."""
    return Row(Op.SET_HEALTH, who, value_of(n))


def set_remaining_health(n: int, who: Who = TARGET) -> Row:
    """Set a hero's remaining health to n; the maximum is raised if it is lower."""
    return Row(Op.SET_REMAINING_HEALTH, who, value_of(n))


def swap_health() -> Row:
    """Swap this minion's health with the target's."""
    return Row(Op.SWAP_HEALTH, TARGET)


def swap_attack(who: Who = TARGET) -> Row:
    """Swap this minion's attack with another's."""
    return Row(Op.SWAP_ATTACK, who)


def attack(who: Who) -> Row:
    """Have this minion attack a character, besides the attacks that it may make."""
    return Row(Op.ATTACK, who)


def heal_split(n: int, who: Who) -> Row:
    """Restore n health split at random among `who`, one point at a time."""
    return Row(Op.HEAL_SPLIT, who, value_of(n))


def wake_enemies(after: int) -> Row:
    """Count for the opponent's dormant minions; each awakens when it has counted `after` times."""
    return Row(Op.WAKE, value=value_of(after), theirs=True)


def swap_stats(who: Who = TARGET) -> Row:
    """Swap attack and health."""
    return Row(Op.SWAP_STATS, who)


def copy_stats() -> Row:
    """Set this minion's attack and health to the target's."""
    return Row(Op.COPY_STATS, SELF)


def exchange_stats() -> Row:
    """Swap this minion's attack and health with the target's."""
    return Row(Op.EXCHANGE_STATS, SELF)


def attack_again(who: Who = SELF) -> Row:
    """Let this minion, or another character, attack once more this turn."""
    return Row(Op.ATTACK_AGAIN, who)


def remember() -> Row:
    """Have this minion keep the target's card in mind, and who controls it."""
    return Row(Op.REMEMBER, SELF)


def remember_this() -> Row:
    """Have this minion keep its own card in mind, and who controls it: `summon_remembered`."""
    return Row(Op.REMEMBER, SELF, mine=True)


def attack_next_to(who: Who) -> Row:
    """Force a minion to attack a random one of its neighbours."""
    return Row(Op.ATTACK_NEIGHBOR, who)


def summon_to_attack(n: int) -> Row:
    """Put n minions of the own deck into play; each attacks an enemy minion, then dies."""
    return Row(Op.SUMMON_TO_ATTACK, value=value_of(n))


def double_attack(who: Who = TARGET) -> Row:
    """Double attack."""
    return Row(Op.DOUBLE_ATTACK, who)


def double_health(who: Who = TARGET) -> Row:
    """Double health."""
    return Row(Op.DOUBLE_HEALTH, who)


def give(who: Who, *keywords: Keyword) -> Row:
    """Give keywords for good."""
    return Row(Op.GIVE, who, keywords=sum(keywords))


def give_one_of(who: Who, *keywords: Keyword) -> Row:
    """Give each of them one of the keywords at random."""
    return Row(Op.GIVE_ONE_OF, who, keywords=sum(keywords))


def give_this_turn(who: Who, keyword: Keyword) -> Row:
    """Give Immune, Windfury or CAN_ATTACK until the end of the turn."""
    return Row(Op.GIVE_THIS_TURN, who, keywords=int(THIS_TURN[keyword]))


def give_spell_damage(who: Who, n: int) -> Row:
    """Give Spell Damage +n."""
    return Row(Op.GIVE_SPELL_DAMAGE, who, value_of(n))


def remove(who: Who, *keywords: Keyword) -> Row:
    """Take keywords away."""
    return Row(Op.REMOVE, who, keywords=sum(keywords))


def destroy(who: Who = TARGET) -> Row:
    """Destroy minions; they leave in the next death step."""
    return Row(Op.DESTROY, who)


def mark() -> Row:
    """Have this minion remember the target, for `destroy_marked`."""
    return Row(Op.MARK, SELF)


def destroy_marked() -> Row:
    """Destroy the minion that this one has remembered; for Deathrattles."""
    return Row(Op.DESTROY_MARKED)


def silence(who: Who = TARGET) -> Row:
    """Remove text and enchantments."""
    return Row(Op.SILENCE, who)


def freeze(who: Who = TARGET) -> Row:
    """Freeze characters."""
    return Row(Op.FREEZE, who)


def transform(who: Who, card: str) -> Row:
    """Turn minions into new ones, without deathrattles."""
    return Row(Op.TRANSFORM, who, card=card)


def transform_random(who: Who, pool: Pool) -> Row:
    """Turn each of them into a random minion of a pool."""
    return Row(Op.TRANSFORM_RANDOM, who, pool=pool)


def transform_by_cost(who: Who, more: int = 0) -> Row:
    """Turn each of them into a random minion that costs `more` than it."""
    return Row(Op.TRANSFORM_BY_COST, who, value_of(more))


def become_copy() -> Row:
    """Turn this minion into a copy of the target."""
    return Row(Op.COPY_OF, SELF)


def become_from_deck(n: int) -> Row:
    """Turn this minion into an n/n copy of a random one of the own deck with another name."""
    return Row(Op.BECOME_FROM_DECK, SELF, value_of(n))


def fight() -> Row:
    """Have the target attack the minion put into play last, if that is on the other side."""
    return Row(Op.FIGHT)


def steal(who: Who) -> Row:
    """Take control of minions; on a full board they are destroyed."""
    return Row(Op.STEAL, who)


def steal_this_turn(who: Who) -> Row:
    """Take control of minions until the end of the turn; they can attack at once."""
    return Row(Op.STEAL, who, this_turn=True)


def return_to_hand(
    who: Who = TARGET, *, dearer: int = 0, cheaper: int = 0, costing: int | None = None,
    bigger: int = 0,
) -> Row:
    """Return minions to their owner's hand, where they cost more or less, or just `costing`.

    They can be `bigger` there, by as much attack and health.
    """
    return Row(Op.RETURN, who, value_of(dearer - cheaper), price=fixed(costing), bigger=bigger)


def fixed(cost: int | None) -> int:
    """Return what a row has for a cost: one more than it, 0 for none."""
    return 0 if cost is None else cost + 1


def deathrattle_from_deck() -> Row:
    """Give this minion the Deathrattle of a random minion in the own deck."""
    return Row(Op.DECK_DEATHRATTLE)


def copy_deathrattle() -> Row:
    """Give this minion the target's Deathrattles."""
    return Row(Op.COPY_DEATHRATTLE)


def cast_from_deck() -> Row:
    """Cast a random spell of the own deck, with random targets."""
    return Row(Op.CAST_FROM_DECK)


def have_enemy_cast() -> Row:
    """Have the opponent cast a random spell from hand, with random targets."""
    return Row(Op.CAST_FROM_HAND)


def cast_of_turn() -> Row:
    """Cast a random one of the spells that the owner has cast this turn."""
    return Row(Op.CAST_OF_TURN)


def cast_again() -> Row:
    """Cast on this minion all spells that the owner has cast on own minions this game."""
    return Row(Op.CAST_NOTED)


def choose_effect(pool: Pool) -> tuple[Row, ...]:
    """Choose one of the cards of a pool, and run its text."""
    return (Row(Op.OFFER_ALL, pool=pool), Row(Op.RUN_CHOSEN))


def cast_copy(who: Who = SELF) -> Row:
    """Cast a copy of the event's spell on this minion, or another one."""
    return Row(Op.CAST_COPY, who)


def keep_spell() -> Row:
    """Have this minion keep the event's spell, for `return_spells`."""
    return Row(Op.KEEP_SPELL, SELF)


def return_spells() -> Row:
    """Add the spells that this minion keeps to the hand."""
    return Row(Op.RETURN_SPELLS)


def attack_subject() -> Row:
    """Have this minion attack the event's subject at once."""
    return Row(Op.ATTACK_SUBJECT)


def adapt(who: Who = SELF) -> Row:
    """Choose one of three random adaptations for this minion, or one for all of several."""
    return Row(Op.ADAPT, who, pool=_ADAPTATIONS)


def lie_dormant(card: str) -> Row:
    """Put a dormant card on the own side of the board, if there is room."""
    return Row(Op.LIE_DORMANT, card=card)


def wake_by(n: Number, needed: int, card: str) -> Row:
    """Turn this dormant card into a minion once it has counted so much."""
    return Row(Op.WAKE_BY, value=value_of(n), card=card, needed=needed)


def wake_after(n: int, card: str) -> Row:
    """Turn this dormant card into a minion once this has run n times in a turn."""
    return Row(Op.WAKE_AFTER, value=value_of(n), card=card)


def summon_discarded() -> Row:
    """Summon a random minion that the owner discarded this game."""
    return Row(Op.SUMMON_DISCARDED)


def attach(who: Who, card: str, n: Number = 0) -> Row:
    """Give the deathrattle or triggers of an (invisible) card, n times."""
    return Row(Op.ATTACH, who, value_of(n), card=card)


def detach(who: Who, card: str) -> Row:
    """Take away the text of an (invisible) card that was attached."""
    return Row(Op.DETACH, who, card=card)


def trigger_deathrattles(who: Who) -> Row:
    """Run the Deathrattles of minions that stay in play."""
    return Row(Op.TRIGGER_DEATHRATTLES, who)


def deaths() -> Row:
    """Let what is dying leave play at once, with its Deathrattles."""
    return Row(Op.DEATHS)


def destroy_weaker() -> Row:
    """Destroy all minions but each player's strongest, by attack."""
    return Row(Op.DESTROY_WEAKER)


def when(
    condition: Condition | tuple[Condition, ...], rows: Rows, *, otherwise: Rows | None = None
) -> tuple[Row, ...]:
    """Run rows only if a condition holds, or all of several.

    `otherwise` are the rows that run if not: the text ends with them.
    """
    held, rest = rows_of(rows), rows_of(otherwise)
    if rest:
        held = (*held, Row(Op.END))
    for test in reversed(condition if isinstance(condition, tuple) else (condition,)):
        held = (_skip(test, held), *held)
    return held + rest


def unless(condition: Condition, rows: Rows) -> tuple[Row, ...]:
    """Run rows only if a condition does not hold."""
    held = rows_of(rows)
    return (_skip(condition, held, negated=True), *held)


def weaken_grown(ending: str) -> tuple[Row, ...]:
    """Take as much attack off the target as this card has grown, until `ending` gives it again."""
    return (buff(TARGET, times(-1, GROWN)), attach(TARGET, ending, GROWN))


def weaken(who: Who, n: int, ending: str) -> tuple[Row, ...]:
    """Take n attack off minions, to whom an (invisible) card gives it again: `strengthen_again`."""
    return (buff(who, -n), attach(who, ending))


def strengthen_again(n: int, this: str) -> tuple[Row, ...]:
    """Give this minion n attack again, and take the text that does so away."""
    return (buff(SELF, n), detach(SELF, this))


def _skip(condition: Condition, rows: Sequence[Row], negated: bool = False) -> Row:
    return Row(Op.SKIP, condition.who, when=condition, rows=len(rows), negated=negated)


def summon_remembered() -> Row:
    """Summon what this minion kept in mind, for the player that controlled it."""
    return Row(Op.SUMMON_REMEMBERED)


def summon_remembered_copies(n: int) -> Row:
    """Summon n copies of what this minion kept in mind, for its own side."""
    return Row(Op.SUMMON_REMEMBERED, value=value_of(n), mine=True)


def swap_with_hand() -> Row:
    """Swap this minion with a random one in the own hand."""
    return Row(Op.SWAP_WITH_HAND)


def return_to_life() -> tuple[Row, ...]:
    """Destroy the target, then summon a new copy of its card for its owner."""
    return (Row(Op.NOTE_TARGET, TARGET), destroy(), deaths(), Row(Op.SUMMON_NOTED))


def replace_by_cost(n: int) -> tuple[Row, ...]:
    """Destroy the target, then summon n random minions that cost as much in its place."""
    replacing = Row(Op.SUMMON_NOTED_COST, value=value_of(n))
    return (Row(Op.NOTE_TARGET, TARGET), destroy(), deaths(), replacing)


def replace_own_minions_from_deck() -> tuple[Row, ...]:
    """Destroy all own minions, then put as many random ones of the own deck into play."""
    return (Row(Op.NOTE_MINIONS), destroy(Who(Selector.MY_MINIONS)), deaths(),
            Row(Op.SUMMON_FROM_DECK, value=Value(Amount.NOTED_MINIONS)))


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


def summon_small_again() -> Row:
    """Summon the card of the event's subject, such as a card that was drawn, as a 1/1."""
    return Row(Op.SUMMON, value=value_of(1), card=-1, small=1)


def summon_for_enemy(card: str, n: Number = 1) -> Row:
    """Summon n copies of a card for the opponent."""
    return Row(Op.SUMMON, value=value_of(n), card=card, theirs=True)


def summon_random(pool: Pool, n: Number = 1, *, different: bool = False) -> Row:
    """Summon n random minions of a pool, which can be all `different`."""
    return Row(Op.SUMMON_RANDOM, value=value_of(n), pool=pool, new=different)


def summon_random_for_enemy(pool: Pool) -> Row:
    """Summon a random minion of a pool for the opponent."""
    return Row(Op.SUMMON_RANDOM, value=value_of(1), pool=pool, theirs=True)


def summon_by_cost(n: Number, *, spell_damage: int = 0, copies: int = 0) -> Row:
    """Summon a random minion of a printed cost, counted when it resolves, and `copies` more.

    Spell Damage is added `spell_damage` times to the cost.
    """
    return Row(Op.SUMMON_BY_COST, value=value_of(n), spell_damage=spell_damage, copies=copies)


def summon_copy(
    who: Who, become: str | None = None, left: bool = False, *, health: int = 0
) -> Row:
    """Summon exact copies, which can become another card; to the right of this minion, or left.

    With `health`, that much of it is left to them.
    """
    return Row(Op.SUMMON_COPY, who, card=become or 0, left=left, health=health)


def summon_another() -> Row:
    """Summon an exact copy of the minion of the event, next to it."""
    return Row(Op.SUMMON_ANOTHER)


def summon_small_copy(who: Who) -> Row:
    """Summon copies, each as a 1/1."""
    return summon_copy_of_size(who, 1)


def summon_copy_of_size(who: Who, n: int) -> Row:
    """Summon copies, each as an n/n."""
    return Row(Op.SUMMON_COPY, who, small=n)


def summon_dead(
    n: int, test: Filter = ANYTHING, *, both: bool = False, small: bool = False,
    different: bool = False, upgraded: bool = False,
) -> Row:
    """Summon n of the own (or both players') minions that died this game and pass `test`.

    They can be `small`, 1/1 each, `different` cards, each as likely however often it died, or
    `upgraded` by the Magnetic minions that had joined them.
    """
    who = Who(Selector.NOBODY, test)
    return Row(Op.SUMMON_DEAD, who, value_of(n), both=both, small=small, new=different,
               upgraded=upgraded)


def summon_dead_of_this_turn(test: Filter = ANYTHING) -> Row:
    """Summon all own minions that died this turn and pass `test`, in the order of their deaths."""
    return Row(Op.SUMMON_DEAD_OF_TURN, Who(Selector.NOBODY, test))


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


def summon_from_deck(
    test: Filter = ANYTHING, n: int = 1, *, giving: Keyword | None = None
) -> Row:
    """Put n random minions of the own deck that pass `test` into play, with one more keyword."""
    who = Who(Selector.NOBODY, test)
    return Row(Op.SUMMON_FROM_DECK, who, value_of(n), keywords=int(giving or 0))


def summon_from_enemy_deck(test: Filter = ANYTHING) -> Row:
    """Have the opponent put a random minion of their deck that passes `test` into play."""
    return Row(Op.SUMMON_FROM_DECK, Who(Selector.NOBODY, test), value_of(1), theirs=True)


def swap_with_deck(who: Who = TARGET) -> Row:
    """Swap minions with random ones of the own deck, which take their places."""
    return Row(Op.SWAP_WITH_DECK, who)


def summon_small_copy_from_deck(n: int = 1) -> Row:
    """Summon a copy of a random minion of the own deck, as an n/n."""
    return Row(Op.SUMMON_COPY_FROM_DECK, value=value_of(n))


def summon_small_copy_from_hand() -> Row:
    """Summon a 1/1 copy of a random minion of the own hand."""
    return Row(Op.SUMMON_COPY_FROM_HAND)
def summon_small_copy_of_deck() -> Row:
    """Summon a 1/1 copy of each minion of the own deck, in random order."""
    return Row(Op.SUMMON_COPY_FROM_DECK, value=value_of(1), new=True)


def summon_copy_from_deck(n: int = 1) -> Row:
    """Summon n copies of a random minion of the own deck."""
    return Row(Op.SUMMON_COPY_FROM_DECK, copies=n - 1)


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


def repeat(most: Number) -> Row:
    """Run this text once more from its start, `most` times at most; the last row of a text."""
    return Row(Op.REPEAT, value=value_of(most))


def aim(who: Who) -> Row:
    """Make a random character the TARGET of the rows that follow."""
    return Row(Op.AIM, who)


def give_away(who: Who = TARGET) -> Row:
    """Give own minions to the opponent; they are destroyed if the opponent has no room."""
    return Row(Op.STEAL, who, theirs=True)


def summon_weaker_from_deck(n: Number) -> Row:
    """Put a random minion of the own deck with less attack than n into play."""
    return Row(Op.SUMMON_WEAKER_FROM_DECK, value=value_of(n))


def summon_from_top(n: int) -> Row:
    """Remove the top n cards of the own deck, and put the minions among them into play."""
    return Row(Op.SUMMON_FROM_TOP, value=value_of(n))


def note_slain() -> Row:
    """Keep the defender's card in mind, for `summon_slain`."""
    return Row(Op.NOTE_SLAIN)


def summon_slain() -> Row:
    """Summon the minions that `note_slain` kept in mind."""
    return Row(Op.SUMMON_SLAIN)


def choose_one(*options: str) -> tuple[Row, ...]:
    """Choose one of the texts of some cards: the Choose One of a hero power."""
    pool = Pool(cards=options)
    return (Row(Op.OFFER_OPTIONS, pool=pool), Row(Op.RUN_CHOSEN, pool=pool))


def discover_summon(pool: Pool, n: int) -> tuple[Row, ...]:
    """Choose one of three minions of a pool, and summon n copies of it."""
    return (Row(Op.DISCOVER, pool=pool), Row(Op.SUMMON_CHOSEN, value=value_of(n)))


def target_attacks(who: Who) -> Row:
    """Have the target attack a character, besides the attacks that it may make."""
    return Row(Op.TARGET_ATTACKS, who)


def all_attack() -> Row:
    """Force each minion, in order of play, to attack another random minion."""
    return Row(Op.ALL_ATTACK)


def gain_dead_deathrattles(n: int) -> Row:
    """Give this minion the Deathrattles of n own minions that died this game."""
    who = Who(Selector.NOBODY, Filter(Is.MINION_WITH, int(Keyword.DEATHRATTLE)))
    return Row(Op.DEAD_DEATHRATTLES, who, value_of(n))


def eat() -> Row:
    """Have this minion eat a random one of the own deck, and gain its attack and health."""
    return Row(Op.EAT)


def return_eaten() -> Row:
    """Add the minion that this one ate to the own hand; for Deathrattles."""
    return Row(Op.RETURN_EATEN)
