"""The terms of the card files and the kernel: kinds, classes, keywords, events, amounts.

The vocabulary gives them names for the card files; the engine (`hsevo.engine`) gives each number
its meaning. Numbers are internal: they may change from version to version, and no file of a run
contains them.
"""

from enum import IntEnum

from hsevo.cards.kinds import GROUP_CLASSES as GROUP_CLASSES
from hsevo.cards.kinds import UP_TO_GADGETZAN as UP_TO_GADGETZAN
from hsevo.cards.kinds import Class as Class
from hsevo.cards.kinds import Group as Group
from hsevo.cards.kinds import Kind as Kind
from hsevo.cards.kinds import Race as Race
from hsevo.cards.kinds import Rarity as Rarity
from hsevo.cards.kinds import Set as Set


class Family(IntEnum):
    """Pools that depend on a player's class."""

    NONE = 0
    OWN = 1  # cards of the own class, and neutral ones: what Discover offers
    ENEMY = 2  # cards of the opponent's class
    FOREIGN = 3  # cards of classes other than the own


class Keyword(IntEnum):
    """Bits of a character's flags. Silence clears all except board.KEPT_IN_SILENCE."""

    TAUNT = 1 << 0
    CHARGE = 1 << 1
    DIVINE_SHIELD = 1 << 2
    WINDFURY = 1 << 3
    STEALTH = 1 << 4
    POISONOUS = 1 << 5
    LIFESTEAL = 1 << 6
    FREEZES = 1 << 7  # freezes what it damages (Water Elemental)
    IMMUNE = 1 << 8
    CANT_ATTACK = 1 << 9
    ELUSIVE = 1 << 10  # can't be targeted by spells or hero powers
    DEATHRATTLE = 1 << 11
    INSPIRE = 1 << 12
    BATTLECRY = 1 << 13
    NO_HEROES_THIS_TURN = 1 << 14  # can't attack heroes this turn
    CANT_ATTACK_HEROES = 1 << 15
    FROZEN = 1 << 16
    IMMUNE_THIS_TURN = 1 << 17
    FRESH = 1 << 18  # came under its owner's control this turn
    SILENCED = 1 << 19
    TO_BE_DESTROYED = 1 << 20  # leaves in the next death step
    STEALTH_TURN = 1 << 21  # Stealth until its owner's next turn
    IMMUNE_ATTACKING = 1 << 22  # Immune until its attack is over
    CALMED = 1 << 23  # its attack was set: Enrage no longer changes it
    UNLIMITED = 1 << 26  # attacks as often as it likes
    MEGA_WINDFURY = 1 << 24  # four attacks a turn
    CLEAVE = 1 << 25  # its attack damages the neighbours of the defender, too
    WINDFURY_TURN = 1 << 27  # this turn
    CAN_ATTACK_TURN = 1 << 28  # this turn, in spite of CANT_ATTACK
    RUSH = 1 << 29  # can attack minions in the turn in which it comes
    ECHO = 1 << 30  # of cards in hand: a copy of it can be played again this turn
    # The sign bit. In play, but no minion: nothing hits, counts or affects it, and it can't attack.
    DORMANT = -(1 << 31)


class Rule(IntEnum):
    """Rules that a minion in play changes for its owner."""

    BATTLECRIES_TWICE = 1 << 0
    HEALING_HURTS = 1 << 1  # healing by the player deals damage instead (Auchenai Soulpriest)
    DOUBLE_SPELLS = 1 << 2  # own spells and hero power damage and heal twice as much
    RANDOM_TARGETS = 1 << 14  # all cards and hero powers of both players hit a random legal target
    BLUNTS = 1 << 3  # a weapon that loses attack, not durability, when it attacks a minion
    DEATHRATTLES_TWICE = 1 << 8  # of own minions
    POWER_AIMS = 1 << 9  # an own hero power that hits the enemy hero can hit a minion instead
    # for a turn, by RULE_THIS_TURN (HEALING_HURTS, too)
    SPELLS_FREE = 1 << 4
    SPELLS_DEARER = 1 << 15  # by the counter of that name
    NEXT_SECRET_FREE = 1 << 5
    NEXT_SPELL_CHEAPER = 1 << 6  # by 3
    NEXT_SPELL_FREE = 1 << 10
    NEXT_MURLOC_FOR_HEALTH = 1 << 11  # it costs health instead of mana
    UNBREAKABLE = 1 << 7  # own minions keep at least 1 health
    CHOOSE_BOTH = 1 << 12  # both options of Choose One cards
    NEXT_SPELL_FOR_HEALTH = 1 << 13  # it costs health instead of mana
    # of minions and weapons in play
    POWER_TWICE = 1 << 16  # the hero power can be used twice a turn
    POWER_UNLIMITED = 1 << 17  # any number of times
    POWER_COSTS_1 = 1 << 18
    POWER_DRAWS_FREE = 1 << 19  # cards drawn by the hero power cost 0
    SHARED_SPELL_DAMAGE = 1 << 20  # the minion's Spell Damage is the opponent's, too
    SHARPENED_BY_POWER = 1 << 21  # a hero power gives this weapon 1 attack, and no new weapon
    HERO_TAKES_1 = 1 << 22  # damage to the own hero is 1 at most
    HERO_TAKES_DOUBLE = 1 << 23
    # this minion takes the own hero's damage; tables.py sets it for `takes_for_neighbors`, too
    TAKES_FOR_HERO = 1 << 24
    # Of cards with `power_damage`, `doubles_power` or `doubles_healing`, set by tables.py: a fast
    # test. For a turn: counters change the own spells (Counter.NEXT_SPELL_TWICE to SPELLS_DRAIN).
    POWER_HITS_HARDER = 1 << 25
    END_TURN_TWICE = 1 << 26  # what happens at the end of the own turn happens twice
    NO_POWERS = 1 << 27  # hero powers, of both players, are disabled
    LASTING_WEAPON = 1 << 28  # the weapon loses no durability in the own turn
    NEXT_BATTLECRY_TWICE = 1 << 30  # for a turn: the next one triggers twice
    COSTLY_SPELL_CAST = 1 << 29  # for a turn: a spell of a printed cost of 5 or more was cast
    SECRETS_TWICE = -(1 << 31)  # the sign bit: own secrets trigger twice


class Reach(IntEnum):
    """Bits: what auras depend on, apart from hands and turns. Seen from player 0 in a game."""

    MINE = 1 << 0  # which minions their owner has
    THEIRS = 1 << 1  # which minions the opponent has
    WEAPONS = 1 << 2
    ITSELF = 1 << 3  # the attack and health of the card with the aura
    ATTACK = 1 << 4  # its attack, also what other auras give
    ARMOR = 1 << 5  # of heroes


class Forecast(IntEnum):
    """What look-aheads see of a text; UNKNOWN: perhaps more than one of the others."""

    UNKNOWN = 0
    NOTHING = 1
    DAMAGE = 2  # to its target
    BECOMES = 3  # its target becomes a card
    ARMOR = 4  # for its player, as the next two
    MANA = 5
    SECRET = 6
    HEALING = 7  # of its target


class Event(IntEnum):
    """What a trigger can listen to. The subject is the character that the event happens to."""

    TURN_START = 0
    TURN_END = 1
    PLAYED = 2  # a card is played: "whenever you play" / "whenever you cast"; subject = card
    AFTER_PLAYED = 3
    SUMMONED = 4  # a minion enters play: "whenever you summon"
    AFTER_SUMMONED = 5
    DAMAGED = 6  # subject took damage
    HEALED = 7
    DIED = 8
    ATTACKS = 9  # before an attack; subject = attacker, other = defender
    AFTER_ATTACK = 10
    OVERLOADED = 11  # amount = crystals
    POWER_USED = 12  # Inspire
    FATAL_DAMAGE = 13  # subject = a hero about to take fatal damage: prevented
    SECRET_REVEALED = 14
    TARGETED = 15  # a spell is about to affect its target; subject = target
    DISCARDED = 16
    DRAWN = 17
    ARMOR_GAINED = 18
    EQUIPPED = 19  # a weapon
    SHIELD_LOST = 20  # the subject has lost its Divine Shield
    FROZEN = 21  # the subject, which was not frozen before
    WEAPON_DESTROYED = 22
    SHUFFLED = 23  # a player shuffles a card into a deck: amount = whose
    POWER_KILLED = 24  # a hero power has destroyed a minion by its damage


class Whose(IntEnum):
    """Which events of a kind a trigger reacts to, seen from its owner."""

    MINE = 0
    THEIRS = 1
    ANY = 2
    OWN = 3  # the subject is this card
    MY_OTHERS = 4  # mine, but not this card
    AT_ME = 5  # the other side of the event is my hero (attacks)
    ANY_OTHER = 6
    AT_MINIONS = 7  # their attack on one of my minions
    BY_OWN = 8  # the other side of the event is this card (damage dealt by it)
    BY_MY_SPELL = 20  # damage dealt by a spell of mine
    MY_SPELL_ON_FRIEND = 21  # mine, aimed at another of my minions
    MY_AIM = 22  # mine, and the subject is this card (a spell aimed at it)
    MY_DEAD = 23  # mine, and what died has not gone elsewhere meanwhile
    MY_SPELL_HERE = 26  # mine, aimed at this minion
    MY_AIMED = 24  # mine, and it has a subject: a hero power that was aimed
    BY_MY_HERO = 25  # damage that my hero deals, by an attack
    BY_MY_CARDS = 40  # done by a card of mine (damage, healing)
    # a minion that a card summons for me: not this one, none that was played, and no copy that
    # Op.SUMMON_ANOTHER has made
    MY_SUMMONED = 42
    ON_ME_BY_MY_CARDS = 41  # done to my hero by a card of mine


class Zone(IntEnum):
    """Where a trigger listens."""

    BOARD = 0  # minions and weapons in play
    SECRET = 1
    DECK = 2
    HAND = 3


class Noted(IntEnum):
    """Bits of a card: what playing it leaves."""

    ECHO = 1  # a copy in hand
    BATTLECRY = 2  # of these two, that it was played this game
    CLASS = 4  # a card of a class, which may be another one than its player's
    MINION = 8  # a copy in hand if a minion of the player lends Echo
    MAGNETIC = 16  # it joins a Mech to its right
    PLACE = 32  # whether it was the rightmost card in hand
    LAST = 64  # a minion: that it was the last one played
    SPELL = 128  # a spell: that it was played this game, and its cost
    TWIN = 512  # its twin in hand (Twinspell)
    GROWN = 256  # how much it has grown in hand


class Shift(IntEnum):
    """What a card becomes each turn that it is in hand: the mark of its place in `shifting`."""

    NOTHING = 0
    AT_RANDOM = 1 << 0  # a random card of its kind; a spell: one of a Mage
    LIKE_ENEMY_HAND = 1 << 10  # a random card in the opponent's hand


class Sequence(IntEnum):
    """What a player does, as a sequence of events (rulebook); sequences.py has its rows."""

    PLAY_MINION = 0
    PLAY_SPELL = 1
    PLAY_WEAPON = 2
    USE_POWER = 3
    ATTACK = 4
    END_TURN = 5
    CAST = 6  # a spell that a text casts
    PLAY_HERO = 7
    DRAIN = 8  # Lifesteal while healing hurts
    BECOME = 10  # a hero that a text plays
    EQUIP = 11  # a weapon
    PLAY_MAGNETIC = 12  # a minion that joins another one


STARTING = 100  # see Counter.POWER_PRICE
COUNTED_AT = 500  # of a condition on a number: tables hold COUNTED_AT * argument + number


class Counter(IntEnum):
    """Numbers that each player has, and that texts read or add to."""

    SPELLS_CAST = 0  # this game
    SECRETS_PLAYED = 1  # this game
    POWERS_USED = 2  # this game
    MINIONS_DIED = 3  # this turn
    CTHUN_ATTACK = 4  # what the player's C'Thun has beyond its printed numbers, wherever it is
    CTHUN_HEALTH = 5
    CTHUN_TAUNT = 6
    NEXT_DRAGON_CHEAPER = 7  # until it is played
    NEXT_POWER_CHEAPER = 8  # until it is used
    POWER_DEARER = 9  # until the own turn ends
    # what the hero power costs for the rest of the game, plus 1; plus STARTING if only the one that
    # the game began with does; 0: as printed
    POWER_PRICE = 10
    SPELLS_DEARER = 11  # in the turn of Rule.SPELLS_DEARER
    ELEMENTALS_NOW = 12  # Elementals played in the player's current or last turn
    ELEMENTALS_PLAYED = 13  # in the player's turn before that
    QUEST_PROGRESS = 14  # of the open quest
    FOREIGN_CARDS = 15  # cards of another class that were played this game
    EXTRA_TURNS = 16  # which follow the current turn
    MINION_SIZE = 17  # attack and health of all the player's minions, 0: their own
    MADE_CARD = 18  # 1: the card played last did not start in the deck
    DISCARDED = 19  # this game
    HEALED = 20  # health that the hero has regained this turn
    OVERLOADED = 21  # mana crystals, this game
    HERO_HURT = 22  # the turn in which the hero last took damage
    COSTLY_SPELLS = 23  # spells of a printed cost of 5 or more, cast this game
    LATER_TURNS = 24  # as EXTRA_TURNS, after the next turn of the opponent
    TALLY = 25  # what a card in play counts for itself
    KEPT_ATTACK = 26  # what the own weapon that keeps enchantments has beyond its printed numbers
    KEPT_DURABILITY = 27
    # until the own turn ends, as long as Rule.POWER_HITS_HARDER is among its rules
    NEXT_SPELL_TWICE = 28  # how often more the next spell is cast
    NEXT_SPELL_DAMAGE = 29  # the Spell Damage of the next spell
    SPELL_DAMAGE_NOW = 30  # of the spell that is being cast, or was cast last
    SPELLS_DRAIN = 31  # above 0: own spells have Lifesteal
    RIGHTMOST = 32  # 1: the card played last was the rightmost one in hand
    POGO_HOPPERS = 33  # played this game
    HERO_DAMAGE = 34  # that the hero has taken this turn
    SPELLS_NOW = 35  # cast this turn
    LAST_MINION = 36  # the card of the minion played last
    # until the own turn ends, as NEXT_SPELL_TWICE
    NEXT_ELEMENTAL_CHEAPER = 37
    NEXT_POWER_DAMAGE = 38  # what the next hero power adds to its damage
    POWER_DAMAGE_NOW = 39  # of the hero power that is being used, or was used last
    # this game
    POWER_DAMAGE = 40  # that the hero power has dealt
    RESTORED = 41  # health that the player's cards have restored
    MANA_ON_SPELLS = 42  # mana spent on spells
    GROWN = 43  # how often the card played last had grown in hand


class Is(IntEnum):
    """Filters on a card or character."""

    ANYTHING = 0
    RACE = 1
    KIND = 2
    KEYWORD = 3
    DAMAGED = 4
    UNDAMAGED = 5
    ATTACK_AT_LEAST = 6
    ATTACK_AT_MOST = 7
    SECRET = 9
    CARD = 11
    NOT_RACE = 12
    BATTLECRY = 13
    OVERLOAD = 16
    LEGENDARY = 18
    NOT_KEYWORD = 19
    NOT_CARD = 20
    HEALTH = 40  # it has exactly arg health
    HEALTH_AT_LEAST = 50
    MINION_COST = 47  # a minion of printed cost arg
    MINION_WITH = 44  # a minion with keyword arg
    COST_AT_MOST = 46
    OTHER_CLASS = 45  # a class card in hand, of another class than the player's
    IN_PLAY = 21  # it has not left play; with arg, and is of this kind
    UNDESTROYED = 22  # as IN_PLAY, and it is not to be destroyed
    LIVING = 23  # as IN_PLAY, and it is not dying at all
    ATTACK = 49  # a minion with just this attack
    SPELL_BUT = 41  # a spell other than a card
    NOT_OWN_HERO = 42  # for targets: any but the hero of the player to move
    COST_AT_LEAST = 56
    CARD_ATTACK_AT_LEAST = 52  # a minion card; in hand its attack counts with its changes
    COMBO = 33  # a card with Combo
    COST = 34  # a card of printed cost arg
    DYING = 60  # it is about to die
    PLAIN = 61  # for pools: of cost arg or less, and with no other text than keywords
    TEXTED = 62  # for pools: of cost arg or less, and with another text
    MADE = 57  # a card in hand that did not start in the deck
    IN_POOL = 26  # one of the cards of pool arg
    CHOICE = 27  # a spell with Choose One
    AIMED = 28  # a card that has (arg 1) or has not (0) a target
    ATTACK_UP_TO_MANA = 70  # no more attack than the player to move has mana
    NAMESAKE = 53  # of the same name as card arg
    SPELL_COST_AT_LEAST = 54  # a spell of printed cost arg or more
    MINION_NOW_AT_MOST = 55  # a minion in hand that costs arg or less now
    OVERKILLED = 58  # a minion that damage has left with less than 0 health
    FRESH_WITH = 48  # a minion with keyword arg that came under its owner's control this turn
    MINION_COST_NOW = 59  # a minion in a deck that costs arg there
    SPELL_COST_NOW = 51  # a spell likewise
    WEAPON_OF_OTHERS = 43  # a weapon of a class, but not of class arg


# filters on what is printed on a card: they need no character
PRINTED = (Is.ANYTHING, Is.RACE, Is.NOT_RACE, Is.KIND, Is.SECRET, Is.CARD, Is.NOT_CARD,
           Is.COST_AT_MOST, Is.MINION_COST, Is.MINION_WITH, Is.OTHER_CLASS, Is.BATTLECRY,
           Is.OVERLOAD, Is.LEGENDARY, Is.SPELL_BUT, Is.COST_AT_LEAST, Is.CARD_ATTACK_AT_LEAST,
           Is.COMBO, Is.COST, Is.NAMESAKE, Is.SPELL_COST_AT_LEAST, Is.IN_POOL, Is.CHOICE,
           Is.AIMED)


class Selector(IntEnum):
    """The characters that an operation affects, seen from the owner of the text."""

    NOBODY = 0
    SELF = 1
    TARGET = 2
    SUBJECT = 3  # of the event that fired the trigger
    MY_HERO = 5
    ENEMY_HERO = 6
    HEROES = 7
    MY_MINIONS = 8
    ENEMY_MINIONS = 9
    ALL_MINIONS = 10
    MY_OTHER_MINIONS = 11
    ALL_OTHER_MINIONS = 12
    MY_CHARACTERS = 13
    ENEMIES = 14
    CHARACTERS = 15
    OTHER_CHARACTERS = 16  # all but this one
    ADJACENT = 17  # neighbours of this minion
    NEXT_TO_TARGET = 18
    CHARACTERS_BUT_EVENT = 19  # all but attacker and defender (Misdirection)
    LAST = 20  # the minion that the previous rows put into play
    TARGET_ENEMIES = 22  # enemies other than the target
    DEFENDERS = 31  # all enemies of the attacker
    MY_WEAPON = 23  # auras only: the owner's weapon
    AROUND_TARGET = 24  # the target and its neighbours
    # cards in hands and decks: for CHANGE_CARDS and the ops next to it
    MY_HAND = 40
    MY_HAND_AND_DECK = 42
    THIS_CARD = 43  # in hand
    DRAWN_CARD = 44  # that the event is about
    OTHER_DEFENDERS = 30  # enemies of the attacker but the defender
    MY_DECK = 45  # for THERE_IS, as MY_HAND
    ENEMY_HAND = 46
    CHEAPEST = 47  # a card of the own hand that costs least
    NEXT_TO_SUBJECT = 38  # neighbours of the event's subject
    OUTER_ENEMIES = 39  # the leftmost and the rightmost enemy minion
    LEFTMOST = 48  # of the own hand
    MARKED = 49  # cards of the own hand that this text's card has marked
    DEFENDER = 32  # of the attack


class Amount(IntEnum):
    """Where an amount comes from; `n` and `m` are its parameters."""

    LITERAL = 0  # n
    BETWEEN = 1  # uniform in n..m
    MANA_SPENT = 2  # the mana spent by "spend all your mana"
    WEAPON_ATTACK = 3
    HERO_ATTACK = 4
    ARMOR = 5  # at most n, if n is above 0
    HAND = 6  # own cards in hand
    EVENT = 8  # the amount of the event
    OWN_ATTACK = 9
    TARGET_HEALTH = 11
    MINIONS = 12  # own minions
    ENEMY_MINIONS = 13
    OTHER_MINIONS = 14  # all other minions in play
    DAMAGED_FRIENDS = 15  # own damaged characters
    MY_RACE = 16  # own other minions of race m
    PLAYED_EARLIER = 21  # cards that the owner played this turn before this one
    AIMED_ATTACK = 23  # of the text's target, whichever characters the row affects
    MY_OTHER_MINIONS = 24
    WITH_KEYWORD = 25  # n for each minion in play with keyword m
    ENEMY_DURABILITY = 26
    ADJACENT_ATTACK = 27  # sum of both neighbours
    ADJACENT_HEALTH = 28
    COUNTER = 60  # n times counter m
    EVENT_COST = 90  # the printed cost of the event's card
    ENEMY_SECRETS = 40
    CHOSEN_COST = 46  # of the card chosen last
    UP_TO = 50  # n less the own cards in hand
    ENEMY_UP_TO = 51
    HAND_DIFFERENCE = 29  # how many more cards the opponent holds
    ITS_ATTACK = 80  # of each character that the row affects
    DAMAGE_DEALT = 81  # by the row before (Op.DAMAGE, counted)
    ENEMIES_WITH_KEYWORD = 82  # n for each enemy minion with keyword m
    ENEMY_WEAPON_ATTACK = 83
    CRYSTALS_LOST = 84  # by the row before
    DECK = 140  # own cards in the deck
    COUNTER_OTHERS = 141  # n times what counter m is above 1
    HAND_KIND = 142  # own cards of kind m in hand
    CRYSTALS_WITH_ROOM = 85  # own mana crystals, but not more than minions there is room for
    DURABILITY = 100  # of the own weapon
    DISCARDED_ATTACK = 101  # of the cards that the text has discarded
    DISCARDED_HEALTH = 102
    DIED_THIS_TURN = 103  # minions of both players
    DAMAGED_MINIONS = 104  # of both players
    AIMED_HEALTH = 105  # as AIMED_ATTACK
    ENEMY_HAND = 134  # n for each card in the opponent's hand
    REVEALED_ATTACK = 135  # by the row before (Op.REVEAL)
    EXCESS = 120  # by how much the subject's health is below 0
    ARMOR_SPENT = 121  # by Op.SPEND_ARMOR
    OVERKILLED = 150  # minions of both players with less than 0 health
    HERO_HEALTH = 151  # of the own hero, and n
    OWN_COST = 152  # the printed cost of this minion, and n
    EVENT_MORE = 154  # the amount of the event, and n
    HALF_DECK = 153  # of the cards of the own (m 1: the opponent's) deck, rounded up
    GROWN = 160  # n, and n more for each time that the card played last had grown in hand
    ENEMY_DECK_COPIES = 161  # n for each copy of card m in the opponent's deck
    NOTED_MINIONS = 162  # that the player had (Op.NOTE_MINIONS)
    HAND_SHUFFLED = 163  # cards, by the row before


class Gains(IntEnum):
    """What the amount of a buff is added to."""

    ATTACK = 0  # health grows by another number
    BOTH = 1
    HEALTH = 2


class If(IntEnum):
    """Conditions on a whole row or text, seen from its owner."""

    ALWAYS = 0
    HAVE_WEAPON = 1
    NO_DUPLICATES = 2  # the own deck has none
    OTHER_RACE = 4  # own another minion of race arg
    ENEMY_MINIONS_AT_LEAST = 5
    HOLD_RACE = 6  # a card of race arg in hand
    DAMAGED = 7  # this minion is damaged
    SPELL_DAMAGE = 8  # the owner has some
    MY_TURN = 9
    BOARD_SPACE = 10
    HEALTH_AT_MOST = 11  # own hero's
    OTHER_MINION = 12  # own another minion
    TARGET_FROZEN = 13
    TARGET_ALIVE = 14
    TARGET_RACE = 15
    HAND_EMPTY = 16
    CHANCE = 17  # arg per cent
    OWN_SECRET = 19
    TARGET_DEAD = 20
    TARGET_MINE = 21
    SUBJECT_ALIVE = 22
    FULL_MANA = 23
    ENEMY_CARDS_AT_LEAST = 25
    POWER_IS = 26  # card arg
    FIRST_MINION = 28  # no minion was played this turn
    HAS_DIED = 62  # a minion of card arg, of either player
    MINE_HAS_DIED = 63
    JOUST = 60  # a random card of kind arg (0: minion) of each deck is revealed, the own costs more
    COUNTED = 61  # counter arg is n or more (C'Thun's attack: also in play or in hand)
    HERO_IDLE = 40  # the own hero has not attacked this turn
    DEFENDER_DEAD = 41  # the defender of this attack is a minion that dies
    HOLD_TWO = 42  # two cards of race arg in hand: another one, for a card in hand itself
    THERE_IS = 50  # a character of the row's selector that passes its filter
    DEFENDER_KIND = 51  # the character attacked is of kind arg
    OWN_ATTACK_AT_LEAST = 53  # also of a dead minion, in its Deathrattle
    WEAPON_ATTACK_AT_LEAST = 54
    ENEMY_HAND_EMPTY = 55
    HAND_ROOM = 56  # the own hand is not full
    HOLD_KIND = 57  # a card of kind arg in hand
    CAN_TURN = 29  # the attack that is announced can be turned on another character
    OTHER_MINIONS_AT_LEAST = 90  # own minions but this one
    ENEMY_HEALTH_AT_MOST = 91  # of the opponent's hero
    OTHERS_IN_PLAY = 92  # any minion but this one, of both players
    OTHER_SPELL_DAMAGE = 93  # own another minion with Spell Damage
    TEN_MANA = 94  # ten mana to spend
    ENEMY_CLASSLESS = 95  # the opponent's hero belongs to no class
    PLAYED_BEFORE = 27  # a card was played this turn: Combo, before this one is played
    TARGET_DAMAGED = 80
    RULE = 81  # the owner has rule arg
    RACE_AT_LEAST = 82  # own n minions of race arg or more
    PAID = 83  # only for rows: the card that the event is about cost arg
    ENEMY_TURN = 84
    HOLD_ATTACK = 85  # a minion with arg or more attack in hand
    AIMED = 87  # the text has a target
    MADE = 86  # the card played last did not start in the owner's deck
    MORE_ENEMY_MINIONS = 100  # the opponent has more minions
    NO_CARD_COSTS = 101  # no card of the own deck costs arg
    DREW = 102  # only for rows: the text drew a card that passes the row's filter
    NO_SPELL_CAST = 150  # the owner has cast no spell this turn
    KNOWN = 103  # the text is known: not in a look-ahead of the player who does not own it
    NONE_IN_DECK = 120  # the own deck has no card of kind arg
    REVEALED = 121  # a random card of kind arg of the own deck is revealed, if there is one
    ARMOR_BELOW = 123  # the own hero has less than arg armour
    HAS_NEIGHBOR = 124  # the event's subject is next to another minion
    HOLD_SPELL_COSTING = 125  # a spell in hand costs arg or more
    ALL_ODD = 133  # the costs of all cards of the own deck are odd
    ALL_EVEN = 134
    ALL_ODD_AT_START = 135  # of the own deck and hand, The Coin apart
    ALL_EVEN_AT_START = 136
    HERO_HURT = 137  # the own hero took damage this turn
    DEATH_THIS_TURN = 138  # a minion died this turn
    ENEMY_PLAYED_AT_LEAST = 139  # cards that the opponent played this turn
    FIRST_CARD = 140  # the player whose turn it is has played no card this turn
    OTHER_CLASS = 142  # only for rows: the event's card is of a class other than the owner's
    TARGET_OVERKILLED = 160  # the target is a minion with less than 0 health
    EVENT_AT_LEAST = 161  # only for rows: the amount of the event is arg or more
    OVERLOADED = 162  # the player has mana crystals locked, or owes some
    ALONE = 163  # the owner has no other minion
    NO_SPELL_DAMAGE = 165  # the owner has none
    INTO_MY_DECK = 164  # only for rows: the card went into the owner's deck (Event.SHUFFLED)


ON_NUMBERS = (If.COUNTED, If.RACE_AT_LEAST)  # conditions with a number in addition to the argument


class Side(IntEnum):
    """Bits of what a target may be."""

    MINE = 1
    THEIRS = 2
    MINION = 4
    HERO = 8


class CostRule(IntEnum):
    """Cards whose own text changes their cost in hand."""

    NONE = 0
    WEAPON_ATTACK = 1
    TOTEMS = 2  # own totems summoned this game
    HAND = 3  # other own cards in hand
    ALL_MINIONS = 4
    HERO_DAMAGE = 5
    ENEMY_HAND = 6
    MINIONS_DIED = 20  # of both players, this turn
    SPELLS_CAST = 21
    POWERS_USED = 22
    SECRETS_PLAYED = 23  # 2 less for each
    CROWD = 30  # 2 less if the opponent has three minions
    DAMAGED_MINION = 31  # 4 if the player has one
    PIRATES = 40  # own
    MURLOCS = 41  # own
    FOREIGN_CARDS = 42
    DEAD_NAMESAKES = 70  # own minions of the name of the card's `cost_arg` that died this game
    HEALED = 50  # 3 less if the own hero was healed this turn
    OVERLOADED = 51  # crystals, this game
    DEATH_THIS_TURN = 63  # 3 less if a minion died this turn
    COSTLY_SPELL = 60  # all of it if a spell of a printed cost of 5 or more was cast this turn
    OWN_COPIES = 61  # own minions that are copies of the card's `cost_arg`
    ENEMY_MINIONS = 80
    OWN_MINIONS = 81
    ELEMENTALS = 82  # 3 less if the player played an Elemental last turn
    MANA_ON_SPELLS = 83  # this game
    FOREIGN_IN_HAND = 84  # all of it if the player holds another card of another class


class Need(IntEnum):
    """Conditions for playing a card, in addition to its cost and target."""

    NOTHING = 0
    BOARD_SPACE = 1
    ENEMY_MINION = 2
    WEAPON = 3
    TWO_ENEMY_MINIONS = 4
    MINION = 5
    TOTEM_LEFT = 6  # a basic totem not yet on the own board
    TWO_MINIONS = 9
    ENEMY_MINION_AND_SPACE = 10
    SPACE_OR_CRYSTAL = 11  # room for a minion, or for a mana crystal
    DEAD_FRIEND_AND_SPACE = 20  # a friendly minion that died this game
    NO_QUEST = 21  # no open quest, and room for a secret
    NEVER = 30  # a hero power that can't be used
    DEAD_BEAST_AND_SPACE = 63  # a friendly Beast that died this game
