"""Conditions of effects, triggers, auras and targets, seen from the card's owner."""

from hsevo.cards.terms import If, Kind, Race, Rule, Selector
from hsevo.cards.vocabulary.model import Condition, Filter, Who

HAVE_WEAPON, HAVE_SECRET = Condition(If.HAVE_WEAPON), Condition(If.OWN_SECRET)
HAVE_SPELL_DAMAGE, HAVE_ROOM = Condition(If.SPELL_DAMAGE), Condition(If.BOARD_SPACE)
HAND_EMPTY, CAN_TURN = Condition(If.HAND_EMPTY), Condition(If.CAN_TURN)
TEN_MANA, ENEMY_CLASSLESS = Condition(If.TEN_MANA), Condition(If.ENEMY_CLASSLESS)
FULL_MANA, NO_DUPLICATES = Condition(If.FULL_MANA), Condition(If.NO_DUPLICATES)
FIRST_MINION, PLAYED_BEFORE = Condition(If.FIRST_MINION), Condition(If.PLAYED_BEFORE)
SELF_DAMAGED, SUBJECT_ALIVE = Condition(If.DAMAGED), Condition(If.SUBJECT_ALIVE)
MY_TURN, CONTROL_ANOTHER_MINION = Condition(If.MY_TURN), Condition(If.OTHER_MINION)
TARGET_ALIVE, TARGET_DEAD = Condition(If.TARGET_ALIVE), Condition(If.TARGET_DEAD)
TARGET_DAMAGED = Condition(If.TARGET_DAMAGED)
TARGET_FROZEN, TARGET_MINE = Condition(If.TARGET_FROZEN), Condition(If.TARGET_MINE)
OTHERS_IN_PLAY, OTHER_SPELL_DAMAGE = Condition(If.OTHERS_IN_PLAY), Condition(If.OTHER_SPELL_DAMAGE)

ENEMY_TURN, NOT_FROM_DECK = Condition(If.ENEMY_TURN), Condition(If.MADE)
AIMED = Condition(If.AIMED)
HERO_IDLE, DEFENDER_DEAD = Condition(If.HERO_IDLE), Condition(If.DEFENDER_DEAD)
DEFENDER_IS_MINION = Condition(If.DEFENDER_KIND, int(Kind.MINION))
DEFENDER_IS_HERO = Condition(If.DEFENDER_KIND, int(Kind.HERO))
ENEMY_HAND_EMPTY = Condition(If.ENEMY_HAND_EMPTY)
ODD_DECK, EVEN_DECK = Condition(If.ALL_ODD), Condition(If.ALL_EVEN)
ALL_ODD_AT_START = Condition(If.ALL_ODD_AT_START)
ALL_EVEN_AT_START = Condition(If.ALL_EVEN_AT_START)
HERO_HURT, DEATH_THIS_TURN = Condition(If.HERO_HURT), Condition(If.DEATH_THIS_TURN)
FIRST_CARD, PLAYED_OF_OTHER_CLASS = Condition(If.FIRST_CARD), Condition(If.OTHER_CLASS)
HAND_ROOM, HOLDING_A_MINION = Condition(If.HAND_ROOM), Condition(If.HOLD_KIND, int(Kind.MINION))


SUBJECT_HAS_NEIGHBOR = Condition(If.HAS_NEIGHBOR)
NO_SPELL_CAST = Condition(If.NO_SPELL_CAST)
NO_SPELL_DAMAGE = Condition(If.NO_SPELL_DAMAGE)
ALONE, INTO_MY_DECK = Condition(If.ALONE), Condition(If.INTO_MY_DECK)


def there_are(n: int, who: Who) -> Condition:
    """Hold if there are n such characters or more; for effects only."""
    return Condition(If.THERE_IS, n, who=who)


def there_is(who: Who) -> Condition:
    """Hold if there is such a character; for effects only."""
    return Condition(If.THERE_IS, who=who)


def own_attack_at_least(n: int) -> Condition:
    """Hold if this minion has n attack or more, or had in a Deathrattle."""
    return Condition(If.OWN_ATTACK_AT_LEAST, n)


def weapon_attack_at_least(n: int) -> Condition:
    """Hold if the own weapon has n attack or more."""
    return Condition(If.WEAPON_ATTACK_AT_LEAST, n)


def has_died(card: str, *, mine: bool = False) -> Condition:
    """Hold if a minion of a card (of the owner's) has died this game."""
    return Condition(If.MINE_HAS_DIED if mine else If.HAS_DIED, card)


def chance(percent: int) -> Condition:
    """Hold with a probability in per cent."""
    return Condition(If.CHANCE, percent)


def control_another(race: Race) -> Condition:
    """Hold if the owner controls another minion of a race."""
    return Condition(If.OTHER_RACE, race)


def control_at_least(n: int, race: Race) -> Condition:
    """Hold if the owner controls n minions of a race or more."""
    return Condition(If.RACE_AT_LEAST, race, n=n)


def paid(n: int) -> Condition:
    """Hold if the card that was played cost n; only for rows of a trigger."""
    return Condition(If.PAID, n)


def rule_holds(rule: Rule) -> Condition:
    """Hold if a rule holds for the owner."""
    return Condition(If.RULE, int(rule))


def enemy_minions_at_least(n: int) -> Condition:
    """Hold if the opponent has n minions or more."""
    return Condition(If.ENEMY_MINIONS_AT_LEAST, n)


def enemy_cards_at_least(n: int) -> Condition:
    """Hold if the opponent holds n cards or more."""
    return Condition(If.ENEMY_CARDS_AT_LEAST, n)


def holding_big_minion(attack: int) -> Condition:
    """Hold if the owner has a minion with so much attack in hand."""
    return Condition(If.HOLD_ATTACK, attack)


def holding(race: Race) -> Condition:
    """Hold if the owner has a card of a race in hand."""
    return Condition(If.HOLD_RACE, race)


def other_minions_at_least(n: int) -> Condition:
    """Hold if the owner controls n other minions or more."""
    return Condition(If.OTHER_MINIONS_AT_LEAST, n)


def enemy_health_at_most(n: int) -> Condition:
    """Hold if the opponent's hero has n health or less."""
    return Condition(If.ENEMY_HEALTH_AT_MOST, n)


def health_at_most(n: int) -> Condition:
    """Hold if the own hero has n health or less."""
    return Condition(If.HEALTH_AT_MOST, n)


def holding_another(race: Race) -> Condition:
    """Hold if the owner has two cards of a race in hand: this one, not yet played, and another."""
    return Condition(If.HOLD_TWO, race)


def power_is(card: str) -> Condition:
    """Hold if the own hero power is a card."""
    return Condition(If.POWER_IS, card)


def target_is(race: Race) -> Condition:
    """Hold if the target is of a race."""
    return Condition(If.TARGET_RACE, race)


MORE_ENEMY_MINIONS = Condition(If.MORE_ENEMY_MINIONS)
KNOWN = Condition(If.KNOWN)


def no_card_costs(n: int) -> Condition:
    """Hold if no card of the own deck costs n."""
    return Condition(If.NO_CARD_COSTS, n)


def drew(test: Filter) -> Condition:
    """Hold if the text drew a card that passes a filter: by `draw(noted=True)`."""
    return Condition(If.DREW, who=Who(Selector.NOBODY, test))


def none_in_deck(kind: Kind) -> Condition:
    """Hold if the own deck has no card of a kind."""
    return Condition(If.NONE_IN_DECK, int(kind))


def reveals(kind: Kind) -> Condition:
    """Reveal a random card of a kind in the own deck; hold if there is one. CHOSEN_COST is its."""
    return Condition(If.REVEALED, int(kind))


def joust_won(kind: Kind) -> Condition:
    """Reveal a random card of a kind in each deck; hold if the own one costs more."""
    return Condition(If.JOUST, int(kind))


def armor_below(n: int) -> Condition:
    """Hold if the own hero has less than n armour."""
    return Condition(If.ARMOR_BELOW, n)


def holding_spell_of_cost(n: int) -> Condition:
    """Hold if the owner holds a spell that costs n or more."""
    return Condition(If.HOLD_SPELL_COSTING, n)


def enemy_played_at_least(n: int) -> Condition:
    """Hold if the opponent has played n cards or more this turn."""
    return Condition(If.ENEMY_PLAYED_AT_LEAST, n)


TARGET_OVERKILLED, OVERLOADED_NOW = Condition(If.TARGET_OVERKILLED), Condition(If.OVERLOADED)


def event_at_least(n: int) -> Condition:
    """Hold if the amount of the event is n or more; only for rows of a trigger."""
    return Condition(If.EVENT_AT_LEAST, n)
