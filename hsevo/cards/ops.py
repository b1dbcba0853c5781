"""The operations of card texts: one declaration each.

A row of a text is an operation, the characters that it affects (`who`), by how much (`amount`), and
its other arguments. A declaration says which part of the engine runs it, its arguments, which
events it raises itself, and how texts say it. Numbers are generated: they are
internal, and no order means anything.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from hsevo.cards.terms import Event

GROUP_BITS = 6  # an operation's number is its group, and in the low bits which of the group it is


class OpGroup(IntEnum):
    """The parts of the engine that run operations: a module each."""

    SEQUENCE = 0  # turn: the steps of playing a card, attacking, ending a turn
    CONTROL = 1  # effects
    HEALTH = 2  # strikes: damage and healing
    CHARACTERS = 3  # changes: of minions and heroes
    BOARD = 4  # summons: minions that enter play
    CARDS = 5  # hand: cards drawn, added, discarded, shuffled
    CHOICES = 6  # choices: cards offered to a player
    HELD = 7  # held: changes of cards in hands and decks, counters
    PLAYERS = 8  # players: hero, weapon, mana, hero power
    SECRETS = 9  # secrets, and what they do to a running attack or spell
    DEATHRATTLES = 10  # deathrattles, and dead minions that go elsewhere
    CASTING = 11  # casting: spells that texts cast


class _Operation(NamedTuple):
    group: OpGroup
    takes: tuple[str, ...]
    raises: tuple[Event, ...]
    says: str


def _op(group: OpGroup, *takes: str, raises: tuple[Event, ...] = (), says: str = "") -> _Operation:
    """Declare an operation.

    takes: fields of `vocabulary.model.Row` that it reads besides `who` and `value`. raises: events
    of what it does (rules add others: fatigue, Lifesteal, healing that hurts).
    says: its clause, with the parts of `wording.clauses.PARTS`; without one, `wording` has a
    function for it.
    """
    return _Operation(group, takes, raises, says)


_HURT, _HEALED, _DRAWN = (Event.DAMAGED,), (Event.HEALED,), (Event.DRAWN,)
_SHUFFLED = (Event.SHUFFLED,)
_EQUIPPED, _SUMMONED = (Event.EQUIPPED,), (Event.SUMMONED, Event.AFTER_SUMMONED)
_G = OpGroup


class Op(IntEnum):
    """The operations; `group`, `takes`, `raises` and `says` as declared."""

    group: OpGroup
    takes: tuple[str, ...]
    raises: tuple[Event, ...]
    says: str

    def __new__(cls, group: OpGroup, takes: tuple[str, ...], raises: tuple[Event, ...],
                says: str) -> Op:
        """Number an operation: the next one of its group."""
        earlier = sum(1 for op in cls.__members__.values() if op.group is group)
        assert earlier >> GROUP_BITS == 0, f"{group!r} is full"
        op = int.__new__(cls, (group << GROUP_BITS) + earlier)
        op._value_ = int(op)
        op.group, op.takes, op.raises, op.says = group, takes, raises, says
        return op

    # -- steps of sequences: only sequences.py uses most of them
    END = _op(_G.SEQUENCE)  # the first, 0: a row of zeros ends a program
    RAISE = _op(_G.SEQUENCE, "event", "again")  # about the frame's own card
    TEXT = _op(_G.SEQUENCE)  # run the card's play text
    # rulebook: death phase, repeated until nothing dies, then the win check
    DEATHS = _op(_G.SEQUENCE, raises=(Event.DIED,),
                 says="resolve deaths and Deathrattles")
    STOP_IF_COUNTERED = _op(_G.SEQUENCE, "rows", raises=(Event.OVERLOADED,))  # skips so many
    TARGETED = _op(_G.SEQUENCE, raises=(Event.TARGETED,))  # announce the target (Spellbender)
    STRIKE = _op(_G.SEQUENCE, raises=_HURT)
    EQUIP_PLAYED = _op(_G.SEQUENCE, raises=_EQUIPPED)
    PASS_TURN = _op(_G.SEQUENCE)
    FATIGUE_DRAW = _op(_G.SEQUENCE, raises=_DRAWN)  # the turn's own draw
    END_FOR_TURN = _op(_G.SEQUENCE)  # run texts put off to the end of the turn; return minions
    JOIN = _op(_G.SEQUENCE)  # a Magnetic minion joins its Mech
    MARK_DELAYED = _op(_G.SEQUENCE)  # texts put off to the end of this turn: later ones wait
    HERO_PLAYED = _op(_G.SEQUENCE, raises=(Event.ARMOR_GAINED,))  # the hero becomes the card

    # skip the next rows unless the condition holds (negated: if it holds)
    SKIP = _op(_G.CONTROL, "when", "rows", "negated")
    # the text, from its start; so often at most
    REPEAT = _op(_G.CONTROL, says="cast this again{repeated}")

    # -- health
    # spell_damage: how often it counts; by_target: dealt by the target; counted: for DAMAGE_DEALT
    DAMAGE = _op(_G.HEALTH, "spell_damage", "by_target", "counted", raises=_HURT)
    # hits of 1, each at a random one of `who`
    MISSILES = _op(_G.HEALTH, "spell_damage", raises=_HURT)
    HEAL = _op(_G.HEALTH, raises=_HEALED,
               says="restore {head:health} to {who}{tail:health}")
    # damage to a random minion, until one dies
    BOUNCE = _op(_G.HEALTH, "spell_damage", raises=_HURT,
                 says="deal {n} damage to a random minion, and repeat this until a minion dies")
    # health of 1, each to a random one of `who`
    HEAL_SPLIT = _op(_G.HEALTH, raises=_HEALED,
                     says="restore {head:health}, split at random among {who}")
    # this minion attacks one of `who`, besides its own attacks
    ATTACK = _op(_G.HEALTH, raises=(Event.ATTACKS, Event.DAMAGED, Event.AFTER_ATTACK),
                 says="attack {who}")

    # a minion attacks a random one of its neighbours
    ATTACK_NEIGHBOR = _op(_G.HEALTH, raises=(Event.ATTACKS, Event.DAMAGED, Event.AFTER_ATTACK),
                          says="force {who} to attack one of its neighbors")
    # the target attacks the minion put into play last, if it is an enemy
    FIGHT = _op(_G.HEALTH, raises=(Event.ATTACKS, Event.DAMAGED, Event.AFTER_ATTACK),
                says="they attack each other")

    # the text's target attacks one of `who`
    TARGET_ATTACKS = _op(_G.HEALTH, raises=(Event.ATTACKS, Event.DAMAGED, Event.AFTER_ATTACK),
                         says="it attacks {who}")
    ALL_ATTACK = _op(_G.HEALTH, raises=(Event.ATTACKS, Event.DAMAGED, Event.AFTER_ATTACK),
                     says="each minion attacks another random minion, in order of play")

    # -- characters
    BUFF = _op(_G.CHARACTERS, "health", "gains")
    BUFF_TURN = _op(_G.CHARACTERS)  # attack this turn
    SET_ATTACK = _op(_G.CHARACTERS)
    SET_HEALTH = _op(_G.CHARACTERS)
    SET_REMAINING_HEALTH = _op(_G.CHARACTERS)
    SWAP_STATS = _op(_G.CHARACTERS, says="swap {stats}")  # attack with health
    GIVE = _op(_G.CHARACTERS, "keywords")
    GIVE_THIS_TURN = _op(_G.CHARACTERS, "keywords")
    REMOVE = _op(_G.CHARACTERS, "keywords", raises=(Event.SHIELD_LOST,),
                 says="remove {keywords} from {who}")
    DESTROY = _op(_G.CHARACTERS, says="destroy {who}")
    SILENCE = _op(_G.CHARACTERS, says="silence {who}")
    FREEZE = _op(_G.CHARACTERS, raises=(Event.FROZEN,), says="freeze {who}")
    TRANSFORM = _op(_G.CHARACTERS, "card", says="transform {who} into {into}")
    TRANSFORM_RANDOM = _op(_G.CHARACTERS, "pool", says="transform {who} into {one}")
    TRANSFORM_BY_COST = _op(_G.CHARACTERS)  # into a random minion that costs so much more
    STEAL = _op(_G.CHARACTERS, "this_turn", "theirs")  # theirs: own ones are given away
    RETURN = _op(_G.CHARACTERS, "price", "bigger")  # to its owner's hand; costs so much more
    ATTACH = _op(_G.CHARACTERS, "card")  # gives the text of a card (deathrattles, triggers)
    DETACH = _op(_G.CHARACTERS, "card", says="lose this text")  # takes such a text away
    HEAL_FULL = _op(_G.CHARACTERS, raises=_HEALED,
                    says="restore {who} to full health")
    DOUBLE_HEALTH = _op(_G.CHARACTERS, says="double {health}")
    DOUBLE_ATTACK = _op(_G.CHARACTERS, says="double {attack}")
    # this minion's attack and health become the target's
    COPY_STATS = _op(_G.CHARACTERS, says="set this minion's attack and health to those of {aim}")
    EXCHANGE_STATS = _op(_G.CHARACTERS, says="swap attack and health with {aim}")
    SWAP_HEALTH = _op(_G.CHARACTERS, says="swap health with {who}")  # this minion's
    ATTACK_AGAIN = _op(_G.CHARACTERS, says="it may attack again")  # one attack more this turn
    # the target and its player; mine: itself
    REMEMBER = _op(_G.CHARACTERS, "mine")
    # this minion becomes a copy of the target (Faceless Manipulator)
    COPY_OF = _op(_G.CHARACTERS, says="{who} becomes a copy of {aim}")
    SHUFFLE_COPY = _op(_G.CHARACTERS, "bigger", raises=_SHUFFLED,
                       says="shuffle {plain_copies} of {who} into your deck{bigger}")
    ADD_COPY = _op(_G.CHARACTERS, "small")  # to hand; small n: an n/n that costs n
    GIVE_ONE_OF = _op(_G.CHARACTERS, "keywords",
                      says="give {who} {either_keyword} (at random for each)")
    # into their owners' decks; mine: into the own; theirs: into the opponent's
    SHUFFLE_AWAY = _op(_G.CHARACTERS, "mine", "theirs", raises=_SHUFFLED)
    GIVE_SPELL_DAMAGE = _op(_G.CHARACTERS, says="{gain} Spell Damage +{n}")
    # all minions but the one with the most attack of each player
    DESTROY_WEAKER = _op(
        _G.CHARACTERS,
        says="destroy all minions except each player's minion with the highest attack")
    KEEP_SPELL = _op(_G.CHARACTERS, says="{who} keeps it")  # the event's, for RETURN_SPELLS
    AIM = _op(_G.CHARACTERS)  # `who` becomes the target of the text
    MARK = _op(_G.CHARACTERS)  # this minion remembers the target itself
    DESTROY_MARKED = _op(_G.CHARACTERS, says="destroy the minion that this one remembers")
    SWAP_ATTACK = _op(_G.CHARACTERS, says="swap attack with {who}")  # this minion's
    # this minion becomes a random other one of the own deck, as an n/n
    BECOME_FROM_DECK = _op(_G.CHARACTERS,
                           says="{who} becomes a copy of a random minion in your deck with another"
                                " name, as a {n}/{n}")
    # dormant minions count; at the amount they awaken
    WAKE = _op(_G.CHARACTERS, "theirs",
               says="put out a candle of {your} dormant minions; after {n}, they awaken")

    # -- the board
    # card 0: this one, -1: the event's; next to this
    SUMMON = _op(_G.BOARD, "card", "theirs", "small", raises=_SUMMONED)
    SUMMON_RANDOM = _op(_G.BOARD, "pool", "theirs", "new", raises=_SUMMONED,  # new: all different
                        says="summon {pool}{for_enemy}")
    # of `who`, which becomes a card
    # with `health`, that much health is left to it
    SUMMON_COPY = _op(_G.BOARD, "card", "small", "left", "health", raises=_SUMMONED)
    # an exact copy of the minion of the event to its right, for its owner; LAST stays
    SUMMON_ANOTHER = _op(_G.BOARD, raises=_SUMMONED, says="summon another copy of it")
    SUMMON_ALL_FROM_HAND = _op(_G.BOARD, raises=_SUMMONED,
                               says="summon all {minions} from your hand")
    SUMMON_BY_COST = _op(_G.BOARD, "spell_damage", "copies", raises=_SUMMONED,
                         says="summon {random_minions} with a cost{of_n}{by_spell_damage}")
    # own minions that died this game and pass the filter of `who`
    SUMMON_ALL_DEAD = _op(_G.BOARD, raises=_SUMMONED,
                          says="summon all {your_minions} that died this game")
    # for who controlled it; mine: copies, for the own side
    SUMMON_REMEMBERED = _op(_G.BOARD, "mine", raises=_SUMMONED)
    # at random; both: of both players; new: all different
    SUMMON_DEAD = _op(_G.BOARD, "both", "small", "new", "upgraded", raises=_SUMMONED)
    SUMMON_DEAD_OF_TURN = _op(_G.BOARD, raises=_SUMMONED,
                              says="summon all {friendly_minions} that died this turn")
    # one of a pool that is not in play
    SUMMON_MISSING = _op(_G.BOARD, "pool", raises=_SUMMONED,
                         says="summon {one_of} at random, but none that you have in play")
    SUMMON_JADE = _op(_G.BOARD, "pool", raises=_SUMMONED)
    # random minions; theirs: of their deck, for them
    SUMMON_FROM_DECK = _op(_G.BOARD, "theirs", "keywords", raises=_SUMMONED)
    # a 1/1 copy of a minion of the own deck; theirs: a copy of one of theirs, or else a card
    # new: of each minion there
    # amount 0: exact copies
    SUMMON_COPY_FROM_DECK = _op(_G.BOARD, "card", "theirs", "new", "copies", raises=_SUMMONED)
    # a random minion of the opponent's hand enters its board
    PULL = _op(_G.BOARD, raises=_SUMMONED,
               says="your opponent summons a random minion from their hand")
    LEAVE_DECK = _op(_G.BOARD, raises=_SUMMONED,
                     says="summon this minion from your deck")
    SWAP_WITH_HAND = _op(_G.BOARD, raises=_SUMMONED,
                         says="swap this minion with a random minion in your hand")
    SWAP_WITH_DECK = _op(_G.BOARD, raises=_SUMMONED,
                         says="swap {who} with a random minion in your deck")
    # `who` is a selector of cards; copies 1: they stay in hand
    SUMMON_FROM_HAND = _op(_G.BOARD, "keywords", "copies", raises=_SUMMONED)
    DRAW_INTO_PLAY = _op(_G.BOARD, raises=(Event.DRAWN, *_SUMMONED),
                         says="draw {n} cards, and put the minions among them into play")
    NOTE_TARGET = _op(_G.BOARD, says="remember {who}")  # and who controls it
    SUMMON_NOTED = _op(_G.BOARD, raises=_SUMMONED,
                       says="summon a new copy of it for its owner")
    NOTE_MINIONS = _op(_G.BOARD, says="count each player's minions")
    SUMMON_FOR_NOTED = _op(_G.BOARD, "card", raises=_SUMMONED,
                           says="summon that many copies of {card} for each player")
    SUMMON_COPY_FROM_HAND = _op(_G.BOARD, raises=_SUMMONED,
                                says="summon a 1/1 copy of a random minion in your hand")
    LIE_DORMANT = _op(_G.BOARD, "card", says="{name} lies dormant on your side of the board")
    WAKE_AFTER = _op(_G.BOARD, "card", raises=_SUMMONED,
                     says="if you have played {n} cards in this turn since it lay dormant, it"
                          " becomes {a_named}")
    # dormant: at so much in all it becomes a minion
    WAKE_BY = _op(_G.BOARD, "card", "needed", raises=_SUMMONED)
    # random minions that cost as much as the card noted, in its place, for its owner
    SUMMON_NOTED_COST = _op(
        _G.BOARD, raises=_SUMMONED,
        says="summon {n} random minions of the same cost in its place, for its owner")
    SUMMON_DISCARDED = _op(_G.BOARD, raises=_SUMMONED,
                           says="summon a random minion that you discarded this game")
    # a random minion with less attack than the amount
    SUMMON_WEAKER_FROM_DECK = _op(_G.BOARD, raises=_SUMMONED)
    # the top cards leave the deck; minions among them enter play
    SUMMON_FROM_TOP = _op(
        _G.BOARD, raises=_SUMMONED,
        says="remove the top {n} cards of your deck, and summon the minions among them")
    NOTE_SLAIN = _op(_G.BOARD, says="remember the minion it attacked")  # the defender
    SUMMON_SLAIN = _op(_G.BOARD, raises=_SUMMONED, says="summon all minions remembered")
    # random minions of the own deck, each of which attacks a random enemy minion and dies
    SUMMON_TO_ATTACK = _op(
        _G.BOARD, raises=(*_SUMMONED, Event.ATTACKS, Event.DAMAGED, Event.AFTER_ATTACK),
        says="summon {n} random minions from your deck; each attacks a random enemy minion, and"
             " then they die")

    # -- cards
    # those that pass the filter of `who` cost less, and become a card; counted: for If.DREW
    DRAW = _op(_G.CARDS, "card", "cheaper", "copies", "price", "counted", "discards", "marks",
               raises=_DRAWN)
    DRAW_FOR_ENEMY = _op(_G.CARDS, raises=_DRAWN)
    # those that pass the filter; a card for missing ones
    # new: all different
    # small: as an n/n that costs n; bigger, doubled: with more attack and health, twice its health
    DRAW_FROM_DECK = _op(_G.CARDS, "card", "cheapest", "new", "small", "bigger", "doubled",
                         raises=_DRAWN)
    DRAW_UNTIL = _op(_G.CARDS, raises=_DRAWN,
                     says="draw cards until you draw one that is not {a_card}")
    DISCARD = _op(_G.CARDS, raises=(Event.DISCARDED,))
    ADD_CARD = _op(_G.CARDS, "card", "theirs", "small", "price")  # as SUMMON; small: a 1/1 for 1
    ADD_RANDOM = _op(_G.CARDS, "pool", "cheaper", "theirs")
    ADD_EVENT_CARD = _op(_G.CARDS, says="add a copy of it to the other player's hand")
    ADD_FROM_ENEMY_DECK = _op(_G.CARDS, "theirs")  # theirs: from the own one, to the opponent
    ADD_FROM_ENEMY_HAND = _op(_G.CARDS)
    # card 0: this one; -1: the event's
    SHUFFLE = _op(_G.CARDS, "card", "theirs", "priced", raises=_SHUFFLED)
    # cards of a pool, unlike those that one has, fit for the class
    SHUFFLE_UNLIKE = _op(_G.CARDS, "pool", raises=_SHUFFLED,
                         says="shuffle {pool} (your class or neutral) into your deck, but none"
                              " that you already have")
    LOSE_TOP = _op(_G.CARDS, "theirs", "both")  # both: all cards
    # a random one of the own minions that died this game and pass the filter; both: of both players
    ADD_DEAD = _op(_G.CARDS, "both")
    SHUFFLE_ENEMY_DECK = _op(_G.CARDS, raises=_SHUFFLED,
                             says="shuffle a copy of your opponent's deck into your deck")
    SHUFFLE_HAND = _op(_G.CARDS, raises=_SHUFFLED,
                       says="shuffle a copy of your hand into your deck")
    TAKE_FROM_ENEMY_DECK = _op(_G.CARDS)  # a random card that passes the filter
    # cards of hands and decks that cost just the amount and pass the filter
    DESTROY_CARDS = _op(_G.CARDS)
    SWAP_DECKS = _op(_G.CARDS, says="swap decks with your opponent")
    RETURN_BROKEN = _op(_G.CARDS, says="add one of your destroyed weapons to your hand")
    # a random card that passes the filter, for REVEALED_ATTACK; without one, skip the next rows
    REVEAL = _op(_G.CARDS, "rows", says="reveal {a_random_card} in your deck")
    SHOW_THIS = _op(_G.CARDS, says="show this card")  # in hand or deck, as the game begins
    COPY_ENEMY_HAND = _op(_G.CARDS, says="replace your hand with a copy of your opponent's hand")
    DESTROY_IN_DECK = _op(_G.CARDS, says="destroy all {cards} in your deck")
    # the card of a text that runs as it is discarded, n/n larger than it was
    RETURN_DISCARDED = _op(_G.CARDS, says="give it +{n}/+{n} and return it to your hand")
    DRAW_SWAPPED = _op(_G.CARDS, raises=_DRAWN,
                       says="draw a minion and a spell from your deck, and swap their costs")
    SHUFFLE_RANDOM = _op(_G.CARDS, "pool", "priced", raises=_SHUFFLED,
                         says="shuffle {pool} into your deck{cost_1}")
    SHUFFLE_AGAIN = _op(_G.CARDS, says="shuffle another copy of it into that deck")
    # a spell that costs the amount in the own deck
    DRAW_SPELL_COSTING = _op(_G.CARDS, raises=_DRAWN,
                             says="draw a spell that costs 1 more from your deck")
    ADD_OPENING = _op(_G.CARDS,  # but no copies of the text's own card
                      says="add a copy of each other card that you began the game with to your"
                           " hand")
    ADD_DISCARDED = _op(_G.CARDS,
                        says="add {n} random cards that you discarded this game to your hand")
    SHUFFLE_HAND_AWAY = _op(_G.HELD, raises=_SHUFFLED, says="shuffle your hand into your deck")
    # both options of the event's card, each at its cost
    ADD_OPTIONS = _op(_G.HELD, says="add copies of both of its options to your hand")
    PRICE_DECK = _op(_G.CARDS, says="all {cards} in your deck cost 1")

    # -- choices
    # Three of one, or one of each; without the second, the third stands in for an empty one. new:
    # no secrets that the player has in play.
    DISCOVER = _op(_G.CHOICES, "pool", "second_pool", "third_pool", "new")
    OFFER_DECK = _op(_G.CHOICES, "theirs")  # three different cards there that pass the filter
    # the top cards of the own deck leave it; one of them can be chosen
    OFFER_TOP = _op(_G.CHOICES, says="take the top {n} cards of your deck and choose one of them"
                                     " (the others are lost)")
    OFFER_ALL = _op(_G.CHOICES, "pool", says="choose {one_of}")
    OFFER_POWERS = _op(_G.CHOICES, "pool",
                       says="choose one of 3 random hero powers other than your own ({names})")
    # a minion with so much more attack and health; at a lower cost
    ADD_CHOSEN = _op(_G.CHOICES, "cheaper", "small")  # small n: an n/n that costs n
    TAKE_CHOSEN_POWER = _op(_G.CHOICES, says="your hero power becomes the chosen one")
    # the card of the second pool in the place that the chosen one has in the first; without pools
    # the chosen card itself
    SUMMON_CHOSEN = _op(_G.CHOICES, "pool", "second_pool", raises=_SUMMONED)
    KAZAKUS_COST = _op(_G.CHOICES, says="choose whether a potion costs 1, 5 or 10")
    KAZAKUS_PART = _op(_G.CHOICES, says="choose one of 3 random effects for it")
    KAZAKUS_CRAFT = _op(_G.CHOICES, says="add that potion to your hand")
    # one card that started in the opponent's deck, and two of the pool that are not there
    OFFER_GUESS = _op(_G.CHOICES, "pool",
                      says="look at a card that started in your opponent's deck and at two random"
                           " cards of their class that did not, and guess which one it is")
    ADD_GUESSED = _op(_G.CHOICES, says="if you are right, add a copy of it to your hand")
    # by the text of one of 3 cards
    ADAPT = _op(_G.CHOICES, "pool", says="adapt {who} (choose one of 3 random adaptations)")
    GAIN_CHOSEN = _op(_G.CHOICES, says="gain its Deathrattle")
    ADD_OFFERED = _op(_G.CHOICES, "pool", says="add {pool}, all different, to your hand")
    OFFER_DEAD = _op(_G.CHOICES)  # three different own minions that died this game
    OFFER_ENEMY_HAND = _op(_G.CHOICES,
                           says="choose one of 3 random cards in your opponent's hand")
    # twice into the own deck; new: which has no other cards
    STOCK_CHOSEN = _op(_G.CHOICES, "new")
    TRIGGER_CHOSEN = _op(_G.CHOICES, says="trigger its Deathrattle")
    # Choose One of a hero power: the options, and the play text of the chosen one
    OFFER_OPTIONS = _op(_G.CHOICES, "pool")
    RUN_CHOSEN = _op(_G.CHOICES, "pool", says="do what was chosen")
    HOLD_CHOSEN = _op(_G.CHOICES, says="remember it")
    SHARE_CHOSEN = _op(_G.CHOICES,
                       says="add one of the two, at random, to your hand, and the other one to your"
                            " opponent's")
    # three cards of the own deck; if all of them pass a filter, they are drawn
    OFFER_TO_DRAW = _op(_G.CHOICES, "race", raises=_DRAWN,
                        says="choose one of 3 {cards} in your deck; if all 3 are Beasts, draw them"
                             " all instead")
    # the card remembered and the chosen one, of a pool of 64 at most,
    # for a card that enters the hand
    TEACH = _op(_G.CHOICES, "card", "pool",
                says="add {a_named} to your hand, that casts the two as its Battlecry")
    # the card remembered, with the numbers and keywords of the chosen one added to its own
    ADD_JOINED = _op(_G.CHOICES, says="add to your hand a Zombeast that is both: with the sums of"
                                      " their costs, attacks and healths")

    # -- cards in hands and decks that have changed; `who` is a selector of cards
    BUFF_CARDS = _op(_G.HELD, "health")
    CHANGE_COST = _op(_G.HELD)
    TRANSFORM_CARDS = _op(_G.HELD, "pool")
    REMOVE_CARDS = _op(_G.HELD)  # they leave the hand, and are gone
    DRAW_REVEALED = _op(_G.HELD, raises=_DRAWN,
                        says="draw your revealed card")  # that If.JOUST has revealed
    DRAW_CHOSEN = _op(_G.HELD, raises=_DRAWN, says="draw the chosen card")
    RETURN_PLAYED_SPELLS = _op(_G.HELD,
                               says="add all spells that you played last turn to your hand")
    COPY_CARDS = _op(_G.HELD)  # into the own hand, with their changes
    COUNT = _op(_G.HELD, "counter", "theirs")  # the amount is added
    SET_COUNT = _op(_G.HELD, "counter")
    GROW = _op(_G.HELD, "health", "gains")  # as BUFF, for the player's C'Thun, wherever it is
    RENOUNCE = _op(_G.HELD, "cls")  # power and cards of a class become those of another
    MAKE_FREE = _op(_G.HELD)
    LEVEL_CARDS = _op(_G.HELD)  # of a deck: their attack becomes their health
    DISCARD_CARDS = _op(_G.HELD, raises=(Event.DISCARDED,))  # their attack and health are noted
    # a card that becomes a copy of each card that the player plays, until the turn ends
    ADD_REFLECTION = _op(_G.HELD, "card", says="add {a_named} to your hand")
    REFLECT = _op(_G.HELD, says="your Shadow Reflections become copies of it")
    LOSE_REFLECTIONS = _op(_G.HELD, says="your Shadow Reflections leave your hand")
    DOUBLE_CARDS = _op(_G.HELD)
    # it becomes a card, and what was given to its attack and health changes places
    SWAP_FORM = _op(_G.HELD, "card")
    GROW_HELD = _op(_G.HELD, says="it improves by {n}")
    UPGRADE = _op(_G.HELD, "card", "needed")  # a card in hand counts; it becomes another one
    ATTACH_CARDS = _op(_G.HELD, "card", "health")  # as BUFF and ATTACH, for minions in hand

    # -- players
    ARMOR = _op(_G.PLAYERS, "theirs", raises=(Event.ARMOR_GAINED,),
                says="{gains} {much:armor}")
    HERO_ATTACK = _op(_G.PLAYERS, says="give your hero {plus:attack} this turn")
    EQUIP = _op(_G.PLAYERS, "card", "theirs", raises=_EQUIPPED,
                says="{equip} {a_named}")
    EQUIP_RANDOM = _op(_G.PLAYERS, "pool", "theirs", raises=_EQUIPPED,
                       says="{equip} {one}")
    BUFF_WEAPON = _op(_G.PLAYERS, "health")  # attack by the amount, durability by `health`
    BUFF_PLAYED_WEAPON = _op(_G.PLAYERS, "health")
    DESTROY_WEAPON = _op(_G.PLAYERS, "theirs", says="destroy {your} weapon")
    DAMAGE_WEAPON = _op(_G.PLAYERS, "theirs",
                        says="{your} weapon loses {head:durability}{tail:durability}")
    TEMPORARY_MANA = _op(_G.PLAYERS, says="gain {much:mana} this turn only")
    CRYSTALS = _op(_G.PLAYERS, "empty", "theirs")
    DESTROY_CRYSTALS = _op(_G.PLAYERS, says="lose {number:mana crystal}")
    SET_CRYSTALS = _op(_G.PLAYERS, says="set each player to {n} mana crystals")
    FILL_CRYSTALS = _op(_G.PLAYERS, says="fill your mana up to 10 mana crystals")
    UNLOCK = _op(_G.PLAYERS, says="unlock your overloaded mana crystals")
    SPEND_MANA = _op(_G.PLAYERS, says="spend all your mana")
    REFRESH_MANA = _op(_G.PLAYERS, says="refresh your mana crystals")
    SET_POWER = _op(_G.PLAYERS, "card", says="your hero power becomes {name}")
    SET_RANDOM_POWER = _op(_G.PLAYERS, "pool",
                           says="your hero power becomes a random other one of these: {names}")
    COPY_POWER = _op(_G.PLAYERS, says="your hero power becomes a copy of your opponent's")
    UPGRADE_POWER = _op(_G.PLAYERS,
                        says="your hero power becomes its upgraded version, if it has one")
    REFRESH_POWER = _op(_G.PLAYERS, says="you can use your hero power again this turn")
    RULE_THIS_TURN = _op(_G.PLAYERS, "rule", "theirs")  # until the owner's or their turn ends
    # this minion (new: another one) becomes the own hero: a card
    BECOME_HERO = _op(_G.PLAYERS, "card", "new", says="your hero becomes {card}")
    LATER = _op(_G.PLAYERS, "card", "this_turn")  # its text runs when the own, or this, turn ends
    SPEND_ARMOR = _op(_G.PLAYERS, says="spend all your armor")
    EXTRA_TURN = _op(_G.PLAYERS, says="take an extra turn after this one")
    SIZE_FOR_ALL = _op(_G.PLAYERS, says="for the rest of the game, your minions are {n}/{n}")
    GIVE_WEAPON = _op(_G.PLAYERS, "keywords", says="give your weapon {keywords}")
    # the own weapon damages `who` and returns to the hand
    THROW_WEAPON = _op(_G.PLAYERS, raises=_HURT,
                       says="your weapon deals its damage to {who}, then returns to your hand")

    # -- secrets
    HIDE_SECRET = _op(_G.SECRETS)  # a played secret goes to its zone
    COUNTER = _op(_G.SECRETS, says="counter it")
    RETARGET = _op(_G.SECRETS, says="redirect the attack to {who}")
    RETARGET_SPELL = _op(_G.SECRETS, says="redirect the spell to {who}")
    DESTROY_SECRETS = _op(_G.SECRETS, says="destroy all your opponent's secrets")
    TAKE_SECRET = _op(_G.SECRETS, says="take control of a random enemy secret")
    PLAY_CHOSEN = _op(_G.SECRETS, says="put the chosen secret into play")
    SECRET_FROM_DECK = _op(_G.SECRETS, says="put into play a random secret from your deck, but none"
                                            " that you already have in play")
    OPEN_QUEST = _op(_G.SECRETS, says="open this quest")
    PROGRESS = _op(_G.SECRETS, says="the quest progresses")  # the reward comes with the last
    PROGRESS_BY_NAME = _op(
        _G.SECRETS, says="the quest's progress is how many you have played of one name")
    SECRET_FROM_POOL = _op(_G.SECRETS, "pool", says="put {one} into play, but none that you"
                                                    " already have in play")

    # -- deathrattles
    DEATHRATTLE = _op(_G.DEATHRATTLES)  # before the rows of one: they may run twice
    TRIGGER_DEATHRATTLES = _op(_G.DEATHRATTLES, says="trigger the Deathrattles of {who}")
    COPY_DEATHRATTLE = _op(_G.DEATHRATTLES,  # for this minion
                           says="gain a copy of the Deathrattle of {aim}")
    SHUFFLE_THIS = _op(_G.DEATHRATTLES, "theirs", raises=_SHUFFLED,
                       says="shuffle this minion into {your} deck")
    # first in its text: rules/kept.py
    SHUFFLE_KEPT = _op(_G.DEATHRATTLES, raises=_SHUFFLED,
                       says="shuffle this minion into your deck, with what it was given")
    # this minion, or (card -1) the event's, to hand; as another card
    RETURN_THIS = _op(_G.DEATHRATTLES, "card", "cheaper")
    DECK_DEATHRATTLE = _op(_G.DEATHRATTLES,
                           says="gain a copy of the Deathrattle of a random minion in your deck")
    DEAD_DEATHRATTLES = _op(_G.DEATHRATTLES,  # of own minions that died this game
                            says="gain the Deathrattles of {n} friendly minions that died this"
                                 " game")
    EAT = _op(_G.DEATHRATTLES, says="eat a random minion in your deck, and gain its stats")
    RETURN_EATEN = _op(_G.DEATHRATTLES, says="add the minion that this one ate to your hand")
    RETURN_SPELLS = _op(_G.DEATHRATTLES, says="add the spells that it keeps to your hand")

    # -- casting
    # random spells, with random targets
    CAST_RANDOM = _op(_G.CASTING, "pool", raises=(Event.OVERLOADED,))
    CAST_COPY = _op(_G.CASTING)  # the event's spell
    CAST_CHOSEN = _op(_G.CASTING, raises=(Event.OVERLOADED,),
                      says="cast it (targets are random)")
    ATTACK_SUBJECT = _op(_G.CASTING, says="this minion attacks it")
    CAST_FROM_DECK = _op(_G.CASTING, raises=(Event.OVERLOADED,),
                         says="cast a random spell from your deck (targets are random)")
    # of the opponent's hand
    CAST_FROM_HAND = _op(_G.CASTING, raises=(Event.OVERLOADED,),
                         says="your opponent casts a random spell from their hand (targets are"
                              " random)")
    CAST_OF_TURN = _op(_G.CASTING, raises=(Event.OVERLOADED,),
                       says="cast a random one of the spells that you have cast this turn (targets"
                            " are random)")
    CAST_NOTED = _op(_G.CASTING, raises=(Event.OVERLOADED,),
                     says="cast on this minion each spell that you have cast on your minions this"
                          " game")
    CAST_TAUGHT = _op(_G.CASTING, "pool", raises=(Event.OVERLOADED, *_SUMMONED),
                      says="cast the two spells that it was taught")
    REPEAT_BATTLECRIES = _op(
        _G.CASTING, says="repeat the Battlecries of other cards that you have played this game, at"
                         " most {n} of them, in random order (targets are random)")
    RECAST = _op(_G.CASTING, raises=(Event.OVERLOADED, *_SUMMONED),
                 says="cast the spells that you have played this game, at most {n} of them, in"
                      " random order (targets are random)")
    REPLAY = _op(_G.CASTING, raises=(Event.OVERLOADED, *_SUMMONED),
                 says="replay the cards of other classes that you have played this game, at most"
                      " {n} of them, in random order (targets are random)")

