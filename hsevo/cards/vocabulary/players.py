"""Effects on a player: hero, weapon, mana, hero power, rules, the running attack or spell."""

from hsevo.cards.ops import Op
from hsevo.cards.terms import STARTING as _STARTING
from hsevo.cards.terms import Class, Counter, Keyword, Rule
from hsevo.cards.vocabulary.model import Number, Pool, Row, Who, value_of
from hsevo.cards.vocabulary.selectors import CRYSTALS_WITH_ROOM


def set_starting_power_cost(n: int) -> Row:
    """Have the hero power that the game began with cost n, until it is replaced."""
    counter = int(Counter.POWER_PRICE)
    return Row(Op.SET_COUNT, value=value_of(n + 1 + _STARTING), counter=counter)


def discover_power(pool: Pool) -> tuple[Row, ...]:
    """Replace the own hero power by one chosen from three others of a pool."""
    return (Row(Op.OFFER_POWERS, pool=pool), Row(Op.TAKE_CHOSEN_POWER))


def armor(n: Number) -> Row:
    """Gain armour."""
    return Row(Op.ARMOR, value=value_of(n))


def spend_armor() -> Row:
    """Lose all armour; `ARMOR_SPENT` is how much it was."""
    return Row(Op.SPEND_ARMOR)


def hero_attack(n: Number) -> Row:
    """Give the own hero attack this turn."""
    return Row(Op.HERO_ATTACK, value=value_of(n))


def equip(card: str) -> Row:
    """Equip a weapon; the old one is destroyed."""
    return Row(Op.EQUIP, card=card)


def equip_for_enemy(card: str) -> Row:
    """Have the opponent equip a weapon."""
    return Row(Op.EQUIP, card=card, theirs=True)


def armor_for_enemy(n: int) -> Row:
    """Give the opponent armour."""
    return Row(Op.ARMOR, value=value_of(n), theirs=True)


def equip_random(pool: Pool) -> Row:
    """Equip a random weapon of a pool."""
    return Row(Op.EQUIP_RANDOM, pool=pool)


def equip_random_for_enemy(pool: Pool) -> Row:
    """Have the opponent equip a random weapon of a pool."""
    return Row(Op.EQUIP_RANDOM, pool=pool, theirs=True)


def buff_weapon(attack: Number = 0, durability: int = 0) -> Row:
    """Give the own weapon +attack/+durability."""
    return Row(Op.BUFF_WEAPON, value=value_of(attack), health=durability)


def buff_played_weapon(attack: Number = 0, durability: int = 0) -> Row:
    """Give the weapon whose Battlecry this is +attack/+durability."""
    return Row(Op.BUFF_PLAYED_WEAPON, value=value_of(attack), health=durability)


def destroy_weapon() -> Row:
    """Destroy the own weapon."""
    return Row(Op.DESTROY_WEAPON)


def destroy_enemy_weapon() -> Row:
    """Destroy the opponent's weapon."""
    return Row(Op.DESTROY_WEAPON, theirs=True)


def damage_weapon(n: Number = 1) -> Row:
    """Take n durability off the own weapon."""
    return Row(Op.DAMAGE_WEAPON, value=value_of(n))


def damage_enemy_weapon(n: Number = 1) -> Row:
    """Take n durability off the opponent's weapon."""
    return Row(Op.DAMAGE_WEAPON, value=value_of(n), theirs=True)


def temporary_mana(n: int) -> Row:
    """Gain mana this turn only."""
    return Row(Op.TEMPORARY_MANA, value=value_of(n))


def crystals(n: int) -> Row:
    """Gain n mana crystals."""
    return Row(Op.CRYSTALS, value=value_of(n))


def set_crystals(n: int) -> Row:
    """Have both players have n mana crystals."""
    return Row(Op.SET_CRYSTALS, value=value_of(n))


def fill_crystals() -> Row:
    """Have ten mana crystals, all full."""
    return Row(Op.FILL_CRYSTALS)


def empty_crystals(n: Number) -> Row:
    """Gain n empty mana crystals."""
    return Row(Op.CRYSTALS, value=value_of(n), empty=True)


def crystals_for_enemy(n: int) -> Row:
    """Give the opponent n mana crystals."""
    return Row(Op.CRYSTALS, value=value_of(n), theirs=True)


def unlock() -> Row:
    """Unlock the own overloaded mana crystals, and owe none."""
    return Row(Op.UNLOCK)


def destroy_crystals(n: int = 1) -> Row:
    """Lose mana crystals, empty ones first."""
    return Row(Op.DESTROY_CRYSTALS, value=value_of(n))


def destroy_secrets() -> Row:
    """Destroy the opponent's secrets."""
    return Row(Op.DESTROY_SECRETS)


def counter() -> Row:
    """Counter the spell that is being cast."""
    return Row(Op.COUNTER)


def at_end_of_turn(card: str) -> Row:
    """Run the text of an (invisible) card when the own turn ends."""
    return Row(Op.LATER, card=card)


def at_end_of_this_turn(card: str) -> Row:
    """Run the text of an (invisible) card when this turn ends, whosever it is."""
    return Row(Op.LATER, card=card, this_turn=True)


def become_hero(card: str) -> Row:
    """Replace the own hero by a new one: this minion, if it is in play."""
    return Row(Op.BECOME_HERO, card=card)


def replace_hero(card: str) -> Row:
    """Replace the own hero by a card; this minion, if it is still in play, stays there."""
    return Row(Op.BECOME_HERO, card=card, new=True)


def refresh_power() -> Row:
    """Let the own hero power be used again this turn."""
    return Row(Op.REFRESH_POWER)


def refresh_mana() -> Row:
    """Fill the own mana crystals that are not locked."""
    return Row(Op.REFRESH_MANA)


def set_power(card: str) -> Row:
    """Replace the own hero power."""
    return Row(Op.SET_POWER, card=card)


def set_random_power(pool: Pool) -> Row:
    """Replace the own hero power by a random other one of a pool."""
    return Row(Op.SET_RANDOM_POWER, pool=pool)


def renounce(cls: Class) -> Row:
    """Replace the hero power, and the cards of a class in hand and deck, by another class's."""
    return Row(Op.RENOUNCE, cls=int(cls))


def copy_enemy_power() -> Row:
    """Replace the own hero power by a copy of the opponent's."""
    return Row(Op.COPY_POWER)


def upgrade_power() -> Row:
    """Replace the own hero power by the better one that it names, if it does."""
    return Row(Op.UPGRADE_POWER)


def rule_this_turn(rule: Rule) -> Row:
    """Apply a rule until the end of the turn."""
    return Row(Op.RULE_THIS_TURN, rule=int(rule))


def rule_next_enemy_turn(rule: Rule, n: int = 0) -> Row:
    """Apply a rule, with a number, to the opponent in its next turn."""
    return Row(Op.RULE_THIS_TURN, value=value_of(n), rule=int(rule), theirs=True)


def extra_turn() -> Row:
    """Take another turn after this one."""
    return Row(Op.EXTRA_TURN)


def size_for_all(n: int) -> Row:
    """Have all own minions be n/n for the rest of the game."""
    return Row(Op.SIZE_FOR_ALL, value=value_of(n))


def give_weapon(*keywords: Keyword) -> Row:
    """Give the own weapon keywords."""
    return Row(Op.GIVE_WEAPON, keywords=sum(keywords))


def lose_crystals_for_room() -> Row:
    """Lose as many mana crystals as there is room for minions; CRYSTALS_LOST counts them."""
    return Row(Op.DESTROY_CRYSTALS, value=CRYSTALS_WITH_ROOM)


def spend_mana() -> Row:
    """Spend all mana; `MANA_SPENT` is what it took."""
    return Row(Op.SPEND_MANA)


def retarget_attack(who: Who) -> Row:
    """Redirect the current attack to another character."""
    return Row(Op.RETARGET, who)


def retarget_spell(who: Who) -> Row:
    """Redirect the current spell to another character."""
    return Row(Op.RETARGET_SPELL, who)


def throw_weapon(who: Who) -> Row:
    """Have the own weapon damage a character by its attack, then return to the own hand."""
    return Row(Op.THROW_WEAPON, who)
