"""Effects of a text: each function returns one row, or a few that belong together."""

from hsevo.cards.terms import Amount, Class, Keyword, Op, Rule, Selector
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
from hsevo.cards.vocabulary.selectors import ENEMIES, SELF, TARGET

THIS_TURN = {
    Keyword.IMMUNE: Keyword.IMMUNE_THIS_TURN,
    Keyword.WINDFURY: Keyword.WINDFURY_TURN,
    Keyword.CAN_ATTACK_TURN: Keyword.CAN_ATTACK_TURN,
}


def damage(n: Number, who: Who = TARGET, *, spell_damage: int = 1) -> Row:
    """Deal n damage; in a spell, Spell Damage counts `spell_damage` times."""
    return Row(Op.DAMAGE, who, value_of(n), m=spell_damage)


def damage_by_target(n: Number, who: Who) -> Row:
    """Have the target deal n damage."""
    return Row(Op.DAMAGE, who, value_of(n), b=1)


def counted_damage(n: Number, who: Who = TARGET) -> Row:
    """Deal n damage; DAMAGE_DEALT is then what was dealt, 0 if it was prevented."""
    return Row(Op.DAMAGE, who, value_of(n), b=2, m=1)


def damage_until_one_dies(n: int) -> Row:
    """Deal n damage to a random minion, and again until a minion dies."""
    return Row(Op.BOUNCE, value=value_of(n), m=1)


def missiles(n: Number, who: Who = ENEMIES, *, spell_damage: int = 1) -> Row:
    """Deal n damage split at random among `who`, one point at a time; Spell Damage 0: not added."""
    return Row(Op.MISSILES, who, value_of(n), b=1 - spell_damage)


def heal(n: Number, who: Who = TARGET) -> Row:
    """Restore n health."""
    return Row(Op.HEAL, who, value_of(n))


def heal_fully(who: Who) -> Row:
    """Restore all health."""
    return Row(Op.HEAL_FULL, who)


def buff(who: Who, attack: Number = 0, health: int = 0) -> Row:
    """Give +attack/+health for good."""
    return Row(Op.BUFF, who, value_of(attack), a=health)


def buff_both(who: Who, n: Number) -> Row:
    """Give +n/+n for good, n counted when it resolves."""
    return Row(Op.BUFF, who, value_of(n), b=1)


def buff_health(who: Who, n: Number) -> Row:
    """Give +n health for good, n counted when it resolves."""
    return Row(Op.BUFF, who, value_of(n), b=2)


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


def swap_stats(who: Who = TARGET) -> Row:
    """Swap attack and health."""
    return Row(Op.SWAP_STATS, who)


def copy_stats() -> Row:
    """Set this minion's attack and health to the target's."""
    return Row(Op.COPY_STATS, SELF)


def exchange_stats() -> Row:
    """Swap this minion's attack and health with the target's."""
    return Row(Op.COPY_STATS, SELF, b=1)


def attack_again() -> Row:
    """Let this minion attack once more this turn."""
    return Row(Op.ATTACK_AGAIN, SELF)


def remember() -> Row:
    """Have this minion keep the target's card in mind, and who controls it."""
    return Row(Op.REMEMBER, SELF)


def summon_remembered() -> Row:
    """Summon what this minion kept in mind, for the player that controlled it."""
    return Row(Op.SUMMON_REMEMBERED)


def double_attack(who: Who = TARGET) -> Row:
    """Double attack."""
    return Row(Op.DOUBLE_ATTACK, who)


def double_health(who: Who = TARGET) -> Row:
    """Double health."""
    return Row(Op.DOUBLE_HEALTH, who)


def give(who: Who, *keywords: Keyword) -> Row:
    """Give keywords for good."""
    return Row(Op.GIVE, who, a=sum(keywords))


def give_one_of(who: Who, *keywords: Keyword) -> Row:
    """Give each of them one of the keywords at random."""
    return Row(Op.GIVE_ONE_OF, who, a=sum(keywords))


def give_this_turn(who: Who, keyword: Keyword) -> Row:
    """Give Immune, Windfury or CAN_ATTACK until the end of the turn."""
    return Row(Op.GIVE_THIS_TURN, who, a=int(keyword), b=int(THIS_TURN[keyword]))


def give_spell_damage(who: Who, n: int) -> Row:
    """Give Spell Damage +n."""
    return Row(Op.GIVE_SPELL_DAMAGE, who, value_of(n))


def remove(who: Who, *keywords: Keyword) -> Row:
    """Take keywords away."""
    return Row(Op.REMOVE, who, a=sum(keywords))


def destroy(who: Who = TARGET) -> Row:
    """Destroy minions; they leave in the next death step."""
    return Row(Op.DESTROY, who)


def silence(who: Who = TARGET) -> Row:
    """Remove text and enchantments."""
    return Row(Op.SILENCE, who)


def freeze(who: Who = TARGET) -> Row:
    """Freeze characters."""
    return Row(Op.FREEZE, who)


def transform(who: Who, card: str) -> Row:
    """Turn minions into new ones, without deathrattles."""
    return Row(Op.TRANSFORM, who, a=card)


def transform_random(who: Who, pool: Pool) -> Row:
    """Turn each of them into a random minion of a pool."""
    return Row(Op.TRANSFORM_RANDOM, who, a=pool)


def transform_by_cost(who: Who, more: int = 0) -> Row:
    """Turn each of them into a random minion that costs `more` than it."""
    return Row(Op.TRANSFORM_BY_COST, who, value_of(more))


def become_copy() -> Row:
    """Turn this minion into a copy of the target."""
    return Row(Op.COPY_OF, SELF)


def steal(who: Who) -> Row:
    """Take control of minions; on a full board they are destroyed."""
    return Row(Op.STEAL, who)


def steal_this_turn(who: Who) -> Row:
    """Take control of minions until the end of the turn; they can attack at once."""
    return Row(Op.STEAL, who, b=1)


def return_to_hand(who: Who = TARGET, *, dearer: int = 0, cheaper: int = 0) -> Row:
    """Return minions to their owner's hand, where they cost more or less."""
    return Row(Op.RETURN, who, value_of(dearer - cheaper))


def swap_with_hand() -> Row:
    """Swap this minion with a random one in the own hand."""
    return Row(Op.SWAP_WITH_HAND)


def copy_deathrattle() -> Row:
    """Give this minion the target's Deathrattles."""
    return Row(Op.COPY_DEATHRATTLE)


def cast_copy() -> Row:
    """Cast a copy of the event's spell on this minion."""
    return Row(Op.CAST_COPY)


def attach(who: Who, card: str) -> Row:
    """Give the deathrattle or triggers of an (invisible) card."""
    return Row(Op.ATTACH, who, a=card)


def detach(who: Who, card: str) -> Row:
    """Take away the text of an (invisible) card that was attached."""
    return Row(Op.DETACH, who, a=card)


def trigger_deathrattles(who: Who) -> Row:
    """Run the Deathrattles of minions that stay in play."""
    return Row(Op.TRIGGER_DEATHRATTLES, who)


def deaths() -> Row:
    """Let what is dying leave play at once, with its Deathrattles."""
    return Row(Op.DEATHS)


def return_to_life() -> tuple[Row, ...]:
    """Destroy the target, then summon its card anew for its owner."""
    return (Row(Op.NOTE_TARGET, TARGET), destroy(), deaths(), Row(Op.SUMMON_NOTED))


def replace_all_minions(card: str) -> tuple[Row, ...]:
    """Destroy all minions, then summon a card for each."""
    everything = Who(Selector.ALL_MINIONS)
    fill = Row(Op.SUMMON_FOR_NOTED, a=card)
    return (Row(Op.NOTE_MINIONS), destroy(everything), deaths(), fill)


def summon(card: str, n: Number = 1) -> Row:
    """Summon n copies of a card, to the right of this minion."""
    return Row(Op.SUMMON, value=value_of(n), a=card)


def summon_this() -> Row:
    """Summon this text's card again (for a dead minion, the minion itself)."""
    return Row(Op.SUMMON, value=value_of(1))


def summon_again() -> Row:
    """Summon the card of the event's subject again, such as a minion that died."""
    return Row(Op.SUMMON, value=value_of(1), a=-1)


def summon_for_enemy(card: str, n: Number = 1) -> Row:
    """Summon n copies of a card for the opponent."""
    return Row(Op.SUMMON, value=value_of(n), a=card, b=1)


def summon_random(pool: Pool, n: Number = 1) -> Row:
    """Summon n random minions of a pool."""
    return Row(Op.SUMMON_RANDOM, value=value_of(n), a=pool)


def summon_random_for_enemy(pool: Pool) -> Row:
    """Summon a random minion of a pool for the opponent."""
    return Row(Op.SUMMON_RANDOM, value=value_of(1), a=pool, b=1)


def summon_by_cost(n: Number) -> Row:
    """Summon a random minion of a printed cost, counted when it resolves."""
    return Row(Op.SUMMON_BY_COST, value=value_of(n))


def summon_copy(who: Who, become: str | None = None, left: bool = False) -> Row:
    """Summon exact copies, which can become another card; to the right of this minion, or left."""
    return Row(Op.SUMMON_COPY, who, a=become or 0, m=int(left))


def summon_small_copy(who: Who) -> Row:
    """Summon copies, each as a 1/1."""
    return Row(Op.SUMMON_COPY, who, b=1)


def summon_dead(n: int, test: Filter = ANYTHING, *, both: bool = False) -> Row:
    """Summon n of the own (or both players') minions that died this game and pass `test`."""
    return Row(Op.SUMMON_DEAD, Who(Selector.NOBODY, test), value_of(n), b=int(both))


def summon_dead_of_this_turn() -> Row:
    """Summon all own minions that died this turn, in the order of their deaths."""
    return Row(Op.SUMMON_DEAD, b=2)


def summon_all_dead(test: Filter) -> Row:
    """Summon the own minions that died this game and pass `test`: as many as there is room for."""
    return Row(Op.SUMMON_ALL_DEAD, Who(Selector.NOBODY, test))


def summon_all_from_hand(test: Filter) -> Row:
    """Put all own minions in hand that pass `test` into play."""
    return Row(Op.SUMMON_ALL_FROM_HAND, Who(Selector.NOBODY, test))


def summon_missing(pool: Pool) -> Row:
    """Summon a random minion of a pool that the owner does not have in play."""
    return Row(Op.SUMMON_BASIC_TOTEM, a=pool)


def summon_next(pool: Pool) -> Row:
    """Summon the owner's next Jade Golem: the first of the pool, the second, ..., then the last."""
    return Row(Op.SUMMON_JADE, a=pool)


def summon_from_deck(test: Filter = ANYTHING, n: int = 1) -> Row:
    """Put n random minions of the own deck that pass `test` into play."""
    return Row(Op.SUMMON_FROM_DECK, Who(Selector.NOBODY, test), value_of(n))


def summon_from_enemy_deck(test: Filter = ANYTHING) -> Row:
    """Have the opponent put a random minion of their deck that passes `test` into play."""
    return Row(Op.SUMMON_FROM_DECK, Who(Selector.NOBODY, test), value_of(1), b=3)


def swap_with_deck(who: Who = TARGET) -> Row:
    """Swap minions with random ones of the own deck, which take their places."""
    return Row(Op.SWAP_WITH_DECK, who)


def summon_small_copy_from_deck() -> Row:
    """Summon a 1/1 copy of a random minion of the own deck."""
    return Row(Op.SUMMON_FROM_DECK, b=1)


def summon_copy_from_enemy_deck(otherwise: str) -> Row:
    """Summon a copy of a random minion of the opponent's deck, or else a card."""
    return Row(Op.SUMMON_FROM_DECK, a=otherwise, b=2)


def summon_this_from_deck() -> Row:
    """Put this card from the deck into play."""
    return Row(Op.LEAVE_DECK)


def pull_from_enemy_hand() -> Row:
    """Have the opponent summon a random minion from hand."""
    return Row(Op.PULL)


def draw(
    n: Number = 1,
    cheaper: int = 0,
    *,
    only: Filter = ANYTHING,
    becoming: str | None = None,
    copies: int = 0,
) -> Row:
    """Draw n cards, and get `copies` of each. EVENT_AMOUNT is then the last one's printed cost.

    Those that pass `only` cost `cheaper` less and turn into a card, `becoming`.
    """
    who = Who(Selector.NOBODY, only)
    return Row(Op.DRAW, who, value_of(n), a=becoming or 0, b=copies, m=cheaper)


def draw_into_play(n: int) -> Row:
    """Draw n cards; minions drawn enter play at once."""
    return Row(Op.DRAW_INTO_PLAY, value=value_of(n))


def destroy_weaker() -> Row:
    """Destroy all minions but each player's strongest, by attack."""
    return Row(Op.DESTROY_WEAKER)


def draw_until_not(test: Filter) -> Row:
    """Draw cards until one does not pass a filter."""
    return Row(Op.DRAW_UNTIL, Who(Selector.NOBODY, test))


def draw_for_enemy(n: Number) -> Row:
    """Have the opponent draw n cards."""
    return Row(Op.DRAW_FOR_ENEMY, value=value_of(n))


def draw_from_deck(test: Filter, n: int = 1, *, otherwise: str | None = None) -> Row:
    """Draw n cards that pass `test`; get card `otherwise` for each that is missing."""
    return Row(Op.ADD_FROM_DECK, value=value_of(n), a=int(test.test), b=test.arg, m=otherwise or 0)


def choose_from_top(n: int) -> tuple[Row, ...]:
    """Take the top n cards off the own deck, choose one to add to hand, and lose the others."""
    return (Row(Op.OFFER_TOP, value=value_of(n)), Row(Op.ADD_CHOSEN))


def copy_from_enemy_deck(n: int = 1) -> Row:
    """Add copies of n random cards of the opponent's deck to the own hand."""
    return Row(Op.ADD_FROM_ENEMY_DECK, value=value_of(n))


def copy_from_enemy_hand(n: int = 1) -> Row:
    """Add copies of n random cards of the opponent's hand to the own hand."""
    return Row(Op.ADD_FROM_ENEMY_HAND, value=value_of(n))


def copy_to_other_player() -> Row:
    """Add a copy of the card that was played to the hand of the player who did not play it."""
    return Row(Op.ADD_EVENT_CARD)


def discard(n: Number) -> Row:
    """Discard n random cards."""
    return Row(Op.DISCARD, value=value_of(n))


def add(card: str, n: Number = 1) -> Row:
    """Add n copies of a card to the own hand."""
    return Row(Op.ADD_CARD, value=value_of(n), a=card)


def add_copy(who: Who) -> Row:
    """Add plain copies of minions' cards to the own hand."""
    return Row(Op.ADD_COPY, who)


def add_again(n: Number = 1) -> Row:
    """Add n copies of the card of the event's subject to the own hand."""
    return Row(Op.ADD_CARD, value=value_of(n), a=-1)


def add_this() -> Row:
    """Add this text's card to the own hand (for a dead minion, a plain copy of it)."""
    return Row(Op.ADD_CARD, value=value_of(1))


def add_for_enemy(card: str, n: Number = 1) -> Row:
    """Add n copies of a card to the opponent's hand."""
    return Row(Op.ADD_CARD, value=value_of(n), a=card, b=1)


def add_random(pool: Pool, n: Number = 1, *, cheaper: int = 0) -> Row:
    """Add n random cards of a pool to the own hand, repeats allowed; they cost less."""
    return Row(Op.ADD_RANDOM, value=value_of(n), a=pool, m=cheaper)


def add_random_for_enemy(pool: Pool, n: Number = 1) -> Row:
    """Add n random cards of a pool to the opponent's hand, repeats allowed."""
    return Row(Op.ADD_RANDOM, value=value_of(n), a=pool, b=1)


def discover(pool: Pool, *others: Pool, bigger: int = 0) -> tuple[Row, ...]:
    """Choose one of three different cards, from one pool or one from each of three, and add it.

    A minion can be `bigger`, by as much attack and health.
    """
    second, third = others or (0, 0)
    chosen = Row(Op.ADD_CHOSEN, value=value_of(bigger))
    return (Row(Op.DISCOVER, a=pool, b=second, m=third), chosen)


def discover_from_enemy_deck() -> tuple[Row, ...]:
    """Choose one of three different cards of the opponent's deck, and add a copy to hand."""
    return (Row(Op.OFFER_ENEMY_DECK), Row(Op.ADD_CHOSEN))


def discover_power(pool: Pool) -> tuple[Row, ...]:
    """Replace the own hero power by one chosen from three others of a pool."""
    return (Row(Op.OFFER_POWERS, a=pool), Row(Op.TAKE_CHOSEN_POWER))


def craft_potion() -> tuple[Row, ...]:
    """Choose a cost and two effects, and add that potion to hand (Kazakus)."""
    parts = (Row(Op.KAZAKUS_PART), Row(Op.KAZAKUS_PART))
    return (Row(Op.KAZAKUS_COST), *parts, Row(Op.KAZAKUS_CRAFT))


def shuffle(card: str, n: int = 1) -> Row:
    """Shuffle n copies of a card into the own deck."""
    return Row(Op.SHUFFLE, value=value_of(n), a=card)


def shuffle_this_for_enemy() -> Row:
    """Shuffle a copy of this text's card into the opponent's deck."""
    return Row(Op.SHUFFLE, value=value_of(1), b=1)


def shuffle_for_enemy(card: str) -> Row:
    """Shuffle a card into the opponent's deck."""
    return Row(Op.SHUFFLE, value=value_of(1), a=card, b=1)


def shuffle_this() -> Row:
    """Shuffle this minion, alive or dead, into the own deck."""
    return Row(Op.SHUFFLE_THIS)


def shuffle_away(who: Who = TARGET) -> Row:
    """Shuffle minions into their owners' decks."""
    return Row(Op.SHUFFLE_AWAY, who)


def shuffle_into_mine(who: Who = TARGET) -> Row:
    """Shuffle minions into the own deck, whoever owns them."""
    return Row(Op.SHUFFLE_AWAY, who, b=1)


def lose_top_of_deck(n: Number) -> Row:
    """Lose the top n cards of the own deck."""
    return Row(Op.LOSE_TOP, value=value_of(n))


def secret_from_deck() -> Row:
    """Put a random secret of the own deck into play, none that is there already."""
    return Row(Op.SECRET_FROM_DECK)


def shuffle_unlike(pool: Pool, n: int) -> Row:
    """Shuffle n different cards of a pool into the own deck, no copies of what is there or in hand.

    They are of the own class, or neutral.
    """
    return Row(Op.SHUFFLE_UNLIKE, value=value_of(n), a=pool)


def shuffle_copy(who: Who, n: int = 1) -> Row:
    """Shuffle n plain copies of a minion's card into the own deck."""
    return Row(Op.SHUFFLE_COPY, who, value_of(n))


def armor(n: Number) -> Row:
    """Gain armour."""
    return Row(Op.ARMOR, value=value_of(n))


def hero_attack(n: Number) -> Row:
    """Give the own hero attack this turn."""
    return Row(Op.HERO_ATTACK, value=value_of(n))


def equip(card: str) -> Row:
    """Equip a weapon; the old one is destroyed."""
    return Row(Op.EQUIP, a=card)


def equip_random(pool: Pool) -> Row:
    """Equip a random weapon of a pool."""
    return Row(Op.EQUIP_RANDOM, a=pool)


def equip_random_for_enemy(pool: Pool) -> Row:
    """Have the opponent equip a random weapon of a pool."""
    return Row(Op.EQUIP_RANDOM, a=pool, b=1)


def buff_weapon(attack: Number = 0, durability: int = 0) -> Row:
    """Give the own weapon +attack/+durability."""
    return Row(Op.BUFF_WEAPON, value=value_of(attack), a=durability)


def buff_played_weapon(attack: Number = 0, durability: int = 0) -> Row:
    """Give the weapon whose Battlecry this is +attack/+durability."""
    return Row(Op.BUFF_PLAYED_WEAPON, value=value_of(attack), a=durability)


def destroy_weapon() -> Row:
    """Destroy the own weapon."""
    return Row(Op.DESTROY_WEAPON)


def destroy_enemy_weapon() -> Row:
    """Destroy the opponent's weapon."""
    return Row(Op.DESTROY_WEAPON, b=1)


def damage_weapon(n: Number = 1) -> Row:
    """Take n durability off the own weapon."""
    return Row(Op.DAMAGE_WEAPON, value=value_of(n))


def damage_enemy_weapon(n: Number = 1) -> Row:
    """Take n durability off the opponent's weapon."""
    return Row(Op.DAMAGE_WEAPON, value=value_of(n), b=1)


def temporary_mana(n: int) -> Row:
    """Gain mana this turn only."""
    return Row(Op.TEMPORARY_MANA, value=value_of(n))


def crystals(n: int) -> Row:
    """Gain n mana crystals."""
    return Row(Op.CRYSTALS, value=value_of(n))


def fill_crystals() -> Row:
    """Have ten mana crystals, all full."""
    return Row(Op.FILL_CRYSTALS)


def empty_crystals(n: Number) -> Row:
    """Gain n empty mana crystals."""
    return Row(Op.CRYSTALS, value=value_of(n), a=1)


def crystals_for_enemy(n: int) -> Row:
    """Give the opponent n mana crystals."""
    return Row(Op.CRYSTALS, value=value_of(n), b=1)


def unlock() -> Row:
    """Unlock the own overloaded mana crystals, and owe none."""
    return Row(Op.UNLOCK)


def destroy_crystals(n: int = 1) -> Row:
    """Lose mana crystals, empty ones first."""
    return Row(Op.DESTROY_CRYSTALS, value=value_of(n))


def destroy_secrets() -> Row:
    """Destroy the opponent's secrets."""
    return Row(Op.DESTROY_SECRETS)


def add_small_copy(who: Who) -> Row:
    """Add copies of minions' cards to the own hand, as 1/1s that cost 1."""
    return Row(Op.ADD_COPY, who, b=1)


def take_secret() -> Row:
    """Take control of a random secret of the opponent; a second copy of an own one is lost."""
    return Row(Op.TAKE_SECRET)


def counter() -> Row:
    """Counter the spell that is being cast."""
    return Row(Op.COUNTER)


def at_end_of_turn(card: str) -> Row:
    """Run the text of an (invisible) card when the own turn ends."""
    return Row(Op.LATER, a=card)


def at_end_of_this_turn(card: str) -> Row:
    """Run the text of an (invisible) card when this turn ends, whosever it is."""
    return Row(Op.LATER, a=card, b=1)


def become_hero(card: str) -> Row:
    """Replace the own hero by a new one: this minion, if it is in play."""
    return Row(Op.BECOME_HERO, a=card)


def replace_hero(card: str) -> Row:
    """Replace the own hero by a card; this minion, if it is still in play, stays there."""
    return Row(Op.BECOME_HERO, a=card, b=1)


def refresh_power() -> Row:
    """Let the own hero power be used again this turn."""
    return Row(Op.REFRESH_POWER)


def refresh_mana() -> Row:
    """Fill the own mana crystals that are not locked."""
    return Row(Op.REFRESH_MANA)


def set_power(card: str) -> Row:
    """Replace the own hero power."""
    return Row(Op.SET_POWER, a=card)


def cast_random(pool: Pool, n: Number = 1) -> Row:
    """Cast n random spells of a pool, with random targets and choices."""
    return Row(Op.CAST_RANDOM, value=value_of(n), a=pool)


def renounce(cls: Class) -> Row:
    """Replace the hero power, and the cards of a class in hand and deck, by another class's."""
    return Row(Op.RENOUNCE, a=int(cls))


def copy_enemy_power() -> Row:
    """Replace the own hero power by a copy of the opponent's."""
    return Row(Op.COPY_POWER)


def upgrade_power() -> Row:
    """Replace the own hero power by the better one that it names, if it does."""
    return Row(Op.UPGRADE_POWER)


def choose_summon(offered: Pool, summoned: Pool) -> tuple[Row, ...]:
    """Choose one of the cards offered, and summon what stands in its place in `summoned`."""
    return (Row(Op.OFFER_ALL, a=offered), Row(Op.SUMMON_CHOSEN, a=offered, b=summoned))


def rule_this_turn(rule: Rule) -> Row:
    """Apply a rule until the end of the turn."""
    return Row(Op.RULE_THIS_TURN, a=int(rule))


def rule_next_enemy_turn(rule: Rule, n: int = 0) -> Row:
    """Apply a rule, with a number, to the opponent in its next turn."""
    return Row(Op.RULE_THIS_TURN, value=value_of(n), a=int(rule), b=1)


def spend_mana() -> Row:
    """Spend all mana; `MANA_SPENT` is what it took."""
    return Row(Op.SPEND_MANA)


def retarget_attack(who: Who) -> Row:
    """Redirect the current attack to another character."""
    return Row(Op.RETARGET, who)


def retarget_spell(who: Who) -> Row:
    """Redirect the current spell to another character."""
    return Row(Op.RETARGET_SPELL, who)


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
        held = (_skip(test, len(held)), *held)
    return held + rest


def unless(condition: Condition, rows: Rows) -> tuple[Row, ...]:
    """Run rows only if a condition does not hold."""
    held = rows_of(rows)
    return (_skip(condition, len(held), negated=True), *held)


def _skip(condition: Condition, rows: int, negated: bool = False) -> Row:
    test = Value(Amount.LITERAL, int(condition.test), condition.arg)
    return Row(Op.SKIP, condition.who, test, b=rows, m=int(negated))
