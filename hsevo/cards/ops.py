"""The operations of card texts: what a row of a text does, by number. Numbers are internal."""

from enum import IntEnum


class Op(IntEnum):
    """Operations. The first block is for the sequences of play: only `sequences.py` uses it."""

    END = 0
    RAISE = 1  # raise event a about the frame's own card
    TEXT = 2  # run the card's play text
    DEATHS = 3  # rulebook: death phase, repeated until nothing dies, then the win check
    STOP_IF_COUNTERED = 4
    TARGETED = 5  # announce the target (Spellbender)
    STRIKE = 6
    EQUIP_PLAYED = 7
    PASS_TURN = 8
    FATIGUE_DRAW = 9  # the turn's own draw
    END_FOR_TURN = 10  # run texts put off to the end of the turn; return minions taken for it
    MARK_DELAYED = 11  # texts put off to the end of this turn: those of later ones wait
    HIDE_SECRET = 19  # a played secret goes to its zone
    # control
    SKIP = 20  # skip the next b rows unless the condition (who=If, n=arg) holds; m=1 negates
    # characters
    # m: times Spell Damage counts; b=1: dealt by the target; b=2: for Amount.DAMAGE_DEALT
    DAMAGE = 30
    MISSILES = 31  # amount hits of 1, each at a random one of `who`; b=1: without Spell Damage
    HEAL = 32
    BUFF = 34  # attack by the amount, health by a (b=1: both by the amount, b=2: only health)
    BUFF_TURN = 35  # attack this turn
    SET_ATTACK = 36
    SET_HEALTH = 37
    SET_REMAINING_HEALTH = 38
    SWAP_STATS = 39  # attack with health
    GIVE = 40  # keyword bits a
    GIVE_THIS_TURN = 41
    REMOVE = 42
    DESTROY = 43
    SILENCE = 44
    FREEZE = 45
    TRANSFORM = 46  # into card a
    TRANSFORM_RANDOM = 47  # into a card of pool a
    STEAL = 48  # b=1: until the end of the turn
    RETURN = 49  # to its owner's hand; costs n more
    ATTACH = 50  # gives the text of card a (deathrattles, triggers)
    HEAL_FULL = 52
    DOUBLE_HEALTH = 53
    DOUBLE_ATTACK = 55
    COPY_STATS = 57  # attack and health of the target; b=1: and it gets theirs
    ATTACK_AGAIN = 58  # one attack more this turn
    REMEMBER = 59  # this minion keeps the target's card and owner in mind
    COPY_OF = 54  # this minion becomes a copy of the target (Faceless Manipulator)
    # board
    SUMMON = 60  # amount copies of card a (0: this, -1: the event's) next to it; b=1: for the enemy
    SUMMON_RANDOM = 61  # of pool a
    SUMMON_COPY = 62  # of `who`; b=1: each 1/1
    SUMMON_ALL_FROM_HAND = 190  # own minions in hand that pass the filter of `who`
    CAST_RANDOM = 192  # amount random spells of pool a, with random targets
    CAST_COPY = 196  # the event's spell, at this minion
    SUMMON_BY_COST = 193  # a random minion that costs the amount
    SHUFFLE_UNLIKE = 194  # amount cards of pool a, unlike those of the deck, fit for the class
    SUMMON_ALL_DEAD = 195  # own minions that died this game and pass the filter of `who`
    RENOUNCE = 191  # hero power and cards of class a become those of a random other class
    SUMMON_REMEMBERED = 78  # what REMEMBER noted, for its owner
    SUMMON_DEAD = 63  # random own minions that died this game; b=1: of both players; b=2: all
    # own ones of this turn
    SUMMON_BASIC_TOTEM = 64
    SUMMON_JADE = 65
    SUMMON_FROM_DECK = 66  # a random minion of the own deck; b=1: a 1/1 copy of it; b=2: a copy of
    # one of the enemy's deck, or else card a
    PULL = 67  # a random minion of the opponent's hand enters its board
    LEAVE_DECK = 68  # this card leaves the deck and enters play
    SWAP_WITH_HAND = 69  # this minion with a random one in the own hand
    # cards
    DRAW = 80  # those that pass the filter of `who` cost m less and (a) become card a
    DRAW_FOR_ENEMY = 81
    DISCARD = 82
    ADD_CARD = 83  # card a (-1: the event's) to hand, amount of them; b=1 to the opponent's
    ADD_RANDOM = 84  # of pool a; costing m less; b=1 to the opponent's
    ADD_CHOSEN = 85  # a minion with +amount/+amount
    DISCOVER = 86  # three of pools a, b, m (one of each, or three of a)
    SHUFFLE = 87  # amount copies of card a (0: this) into the own deck; b=1: into the enemy's
    SHUFFLE_COPY = 88  # of `who`
    ADD_COPY = 89  # of `who` to hand; b=1: a 1/1 that costs 1
    ADD_FROM_ENEMY_DECK = 90
    ADD_FROM_ENEMY_HAND = 91
    ADD_FROM_DECK = 92  # draw cards of the own deck that pass filter (a, b), or else get card m
    ADD_EVENT_CARD = 97  # the event's card to the hand of the player that does not own it
    DRAW_UNTIL = 93  # cards are drawn until one does not pass the filter
    OFFER_ENEMY_DECK = 94  # three different cards of the enemy's deck
    OFFER_TOP = 96  # the top n cards of the own deck leave it; one of them can be chosen
    # cards in hands and decks that have changed; `who` is a selector of cards
    BUFF_CARDS = 70  # attack by the amount, health by a
    CHANGE_COST = 71  # by the amount
    TRANSFORM_CARDS = 72  # into a card of pool a
    REMOVE_CARDS = 73  # they leave the hand, and are gone
    DRAW_REVEALED = 74  # the card that If.JOUST has revealed
    COPY_DRAWN = 75  # another copy of the drawn card
    # counters
    COUNT = 76  # the amount is added to counter a; b=1: of the enemy; b=2: the counter is set to it
    GROW = 77  # as BUFF, for the own C'Thun, wherever it is
    # hero
    ARMOR = 100
    HERO_ATTACK = 101  # this turn
    EQUIP = 102  # card a
    BUFF_WEAPON = 103  # attack by amount, durability by a
    DESTROY_WEAPON = 104  # b=1 the enemy's
    TEMPORARY_MANA = 105
    CRYSTALS = 106  # amount; a=1 empty ones; b=1 for the enemy
    SPEND_MANA = 107
    SET_POWER = 109  # to card a
    TAKE_CHOSEN_POWER = 110
    OFFER_POWERS = 111
    DESTROY_CRYSTALS = 112
    UNLOCK = 113
    DAMAGE_WEAPON = 114  # amount off its durability; b=1 the enemy's
    RULE_THIS_TURN = 115  # rule a, until the owner's (b=1: enemy's) turn ends
    BECOME_HERO = 116  # this minion (b=1: a new one) becomes the own hero: card a
    LATER = 117  # card a's text runs when the owner's turn ends; b=1: when this turn ends
    REFRESH_POWER = 118  # it can be used again this turn
    REFRESH_MANA = 119
    # hero powers
    COPY_POWER = 170  # the enemy's
    UPGRADE_POWER = 171  # to the better one of its card
    OFFER_ALL = 172  # all cards of pool a
    SUMMON_CHOSEN = 173  # the card of pool b in the place that the chosen one has in pool a
    # minions, weapons and mana
    GIVE_SPELL_DAMAGE = 174
    BUFF_PLAYED_WEAPON = 175  # the weapon being played: attack by the amount, durability by a
    FILL_CRYSTALS = 176  # ten crystals, all full
    COPY_DEATHRATTLE = 177  # of the target, for this minion
    DRAW_INTO_PLAY = 179  # amount cards; minions enter play
    DESTROY_WEAKER = 180  # all minions but the one with the most attack of each player
    # triggers and secrets
    COUNTER = 120
    RETARGET = 121  # the running attack or spell goes to `who`
    RETARGET_SPELL = 122  # the running spell goes to `who`
    DESTROY_SECRETS = 123
    TAKE_SECRET = 124
    # one card each
    SUMMON_FROM_HAND = 131  # minions of the own hand; `who` is a selector of cards
    SWAP_WITH_DECK = 130  # the minions of `who` with random ones of the own deck
    KAZAKUS_COST = 140
    KAZAKUS_PART = 141
    KAZAKUS_CRAFT = 142
    # a few cards each: engine.rare
    DEATHRATTLE = 150  # before the rows of a Deathrattle: they may run twice
    SWAP_HEALTH = 151  # this minion's with the target's
    GIVE_ONE_OF = 152  # of keyword bits a
    TRANSFORM_BY_COST = 153  # into a random minion that costs n more
    DETACH = 154  # takes away the text of card a
    TRIGGER_DEATHRATTLES = 155
    # b=1: into the own deck
    SHUFFLE_AWAY = 156  # minions into their owners' decks
    SHUFFLE_THIS = 157  # this minion into the own deck (b=1: the enemy's), dead or alive
    RETURN_THIS = 166  # this minion to the own hand, dead or alive; b=1: the event's, dead
    NOTE_TARGET = 158  # the target's card and owner
    SUMMON_NOTED = 159
    NOTE_MINIONS = 160  # how many each player has
    SUMMON_FOR_NOTED = 161  # card a for each of them
    BOUNCE = 162  # damage to a random minion, until one dies
    SECRET_FROM_DECK = 163  # into play
    LOSE_TOP = 164  # cards of the own deck
    EQUIP_RANDOM = 165  # of pool a; b=1 for the enemy
