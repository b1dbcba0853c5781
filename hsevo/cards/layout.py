"""The layout of the integer tables that kernels read: dtypes of NumPy. `tables.py` fills them."""

import numpy as np

MAX_CARDS, MAX_ROWS, MAX_TRIGGERS, MAX_AURAS = 3584, 16384, 2048, 1024
MAX_POOLS, MAX_POOLED = 1024, 65536

# The most used fields come first, within one cache line of 64 bytes.
CARD = np.dtype(
    [
        ("kind", "i2"),
        ("cost", "i2"),
        ("attack", "i2"),
        ("health", "i2"),  # a weapon's durability
        ("keywords", "i4"),
        ("watch", "i4"),  # bit e: listens to event e from the board
        ("rules", "i4"),
        ("spell_damage", "i2"),
        ("passive", "i2"),  # 1: in play it changes rules, auras or Spell Damage
        ("reach", "i2"),  # terms.Reach bits: what its auras depend on
        ("discounts", "i2"),  # 1: it changes the cost of cards in hand
        ("counts_hands", "i2"),  # 1: its auras depend on cards in hand
        ("counts_attacks", "i2"),  # 1: its auras depend on whether the hero has attacked
        ("n_auras", "i2"),
        ("aura", "u2"),
        ("race", "i2"),
        ("play", "u2"),  # program row, 0: none
        ("combo", "u2"),
        ("deathrattle", "u2"),
        ("trigger", "u2"),
        ("n_triggers", "i2"),
        ("overload", "i2"),
        ("target", "i2"),  # terms.Side bits, 0: not aimed
        ("cost_rule", "i2"),
        ("need", "i2"),
        ("secret", "i2"),
        ("positional", "i2"),
        ("rarity", "i2"),
        ("deck_watch", "i4"),
        ("cls", "i2"),
        ("target_test", "i2"),
        ("target_arg", "i4"),
        ("target_when", "i2"),
        ("target_when_arg", "i2"),
        ("option", "u2", (3,)),  # the third: both of them, if that is a card
        ("classes", "i2"),  # bit c: a card of class c; 0: neutral
        ("at_start", "u2"),  # program: when the game begins, if it is in the deck or hand
        ("shifts", "i2"),  # terms.Shift: in hand it becomes other cards, again and again
        ("power_damage", "i2"),
        ("better", "u2"),  # a hero power: what it can be upgraded to
        ("hand_watch", "i4"),  # bit e: listens to event e from the hand
        ("drawn", "u2"),  # programs: when it is drawn, when it is discarded
        ("discarded", "u2"),
        ("grows", "i2"),  # 1: enters play with what its owner has collected for C'Thun
        ("collectible", "i2"),
        ("forecast", "i2"),  # terms.Forecast: what look-aheads see of its text
        ("brings", "u2"),  # row of its text that summons a minion, if forecast
        ("draws", "i2"),  # cards that its text draws, if forecast
        ("raised", "i4"),  # bit e: playing it raises event e, if forecast
        ("shared", "i2"),  # 1: it has auras on others than itself
        ("lends", "i2"),  # 1: it has rules or Spell Damage, which may be conditions of auras
        ("goal", "i2"),  # of a quest
        ("reward", "u2"),
        ("dormant", "i2"),  # 1: in play it is no minion
        ("namesake", "u2"),  # the first card of the same name
        ("noted", "i2"),  # terms.Noted bits: what playing it leaves
        ("lends_echo", "i2"),
        ("restores", "i2"),  # 1: a text attached that gives a minion back the attack it lost
        ("doubles_power", "i2"),
        ("removal", "i2"),  # 1: a spell that destroys, transforms or steals a minion
        ("armor", "i2"),  # of a hero that is played
        ("power", "u2"),  # of a hero that is played: its hero power
        ("lasts", "i2"),  # 1: a hero has this text for the game, not for a turn
        ("hidden", "i2"),  # 1: only its player knows that a minion has this text
        ("cost_arg", "i4"),
        ("becomes", "u2"),  # pool: when it enters the hand it becomes a card of it
        ("keeps", "i2"),  # 1: a weapon that keeps its enchantments when it is destroyed
        ("doubles_healing", "i2"),
        ("doubles_weapons", "i2"),  # 1: Deathrattles of weapons, too, trigger twice
        ("doubles_combos", "i2"),  # 1: Battlecries only of minions, but their Combos, too
        ("widens_power", "i2"),  # 1: the hero power hits the minions next to its target
        ("takes_for_neighbors", "i2"),  # 1: it takes the damage of the minions next to it
        ("mimics", "u2"),  # this card, if in hand it is a copy of the minion played last; else 0
        ("twin", "u2"),  # the card that playing it adds to the hand (Twinspell), 0: none
    ],
    align=True,
)
ROW = np.dtype(
    [
        ("op", "i2"),
        ("who", "i2"),
        ("test", "i2"),
        ("pick", "i2"),
        ("arg", "i4"),
        ("amount", "i2"),
        ("n", "i2"),
        ("nm", "i2"),  # the second parameter of the amount
        # what single operations take: vocabulary.model.Row explains them
        ("card", "i2"),
        ("pool", "i2"),
        ("second_pool", "i2"),
        ("third_pool", "i2"),
        ("health", "i2"),
        ("keywords", "i4"),
        ("rule", "i4"),
        ("when", "i2"),
        ("when_arg", "i2"),
        *((name, "i1") for name in (
            "gains", "spell_damage", "cheaper", "copies", "price", "needed", "counter", "cls",
            "event", "rows", "theirs", "mine", "both", "this_turn", "small", "left", "by_target",
            "counted", "empty", "new", "again", "negated", "bigger", "cheapest", "discards",
            "marks", "priced", "upgraded", "doubled", "race")),
    ],
    align=True,
)
TRIGGER = np.dtype(
    [
        ("event", "i2"),
        ("whose", "i2"),
        ("zone", "i2"),
        ("test", "i2"),
        ("arg", "i4"),
        ("when", "i2"),
        ("when_arg", "i2"),
        ("also", "i2"),  # a second condition
        ("also_arg", "i2"),
        ("program", "u2"),
        ("last", "i2"),
        ("behind", "u2"),  # of a secret: a card that comes first, also if it was played later
        ("gains", "i2"),  # attack that its minion gains, if it does nothing else
    ],
    align=True,
)
AURA = np.dtype(
    [
        ("who", "i2"),
        ("test", "i2"),
        ("arg", "i4"),
        ("keywords", "i4"),
        ("attack", "i2"),
        ("health", "i2"),
        ("when", "i2"),
        ("when_arg", "i2"),
        ("cost", "i2"),
        ("theirs", "i2"),  # 1: of both players' cards, 2: of the opponent's alone
        ("each", "i2"),  # a race; below 0: counter -1 - each
        ("least", "i2"),
        ("price", "i2"),  # above 0: the cost itself, plus 1
        ("follow", "i2"),
        ("spell_damage", "i2"),  # of this minion
    ],
    align=True,
)
TABLES = np.dtype(
    [
        ("card", CARD, (MAX_CARDS,)),
        ("row", ROW, (MAX_ROWS,)),
        ("trigger", TRIGGER, (MAX_TRIGGERS,)),
        ("aura", AURA, (MAX_AURAS,)),
        ("pool", "i4", (MAX_POOLS, 3)),  # first, count in `pooled`; Family: + class is the pool
        ("pooled", "u2", (MAX_POOLED,)),
        ("sequence", "u2", (16,)),  # program rows of sequences.SEQUENCES
        ("hero", "i2", (10,)),  # by class
        ("power", "i2", (10,)),  # 0: none
        ("class_pool", "i2", (10,)),  # pool of all cards of a class
        ("shift_pool", "i2", (6,)),  # by kind: what cards of it that shift become (Shift.AT_RANDOM)
        ("potion", "i2", (3, 10, 10)),  # Kazakus: cost, first part < second part -> card
        ("part", "i2", (3, 10)),  # the choice cards of its parts
        ("n_parts", "i2", (3,)),
        ("potion_cost", "i2", (3,)),  # the choice cards of its costs
        ("of_cost", "u2", (27,)),  # the pool of minions of each cost
        ("coin", "i2"),
        ("both_dead", "i2"),  # the result when both heroes die at once
        ("mulligan", "i2"),
        ("cast_first", "i2"),  # 1: cards then in play react to a cast even if it is countered
        ("first_begins", "i2"),  # 1: player 0 begins every game
        ("late", "i2"),  # 1: some card needs what cards up to 2016 do not (cards.late)
        ("quests", "i2"),  # 1: there are quests, which begin the game in hand
        ("own_cost_first", "i2"),  # 1: a card's own text changes its cost before all else does
        ("fatigue", "i2"),  # 1: who has no card left to draw takes damage
        ("notes", "i2"),  # 1: some card asks for spells cast or weapons destroyed this game
        ("asks_hurt", "i2"),  # 1: some text asks whether the hero took damage this turn
        ("asks_power", "i2"),  # 1: some text asks what damage a hero power deals, or kills
        ("asks_harm", "i2"),  # 1: some text asks how much damage the hero took this turn
        ("keeps_upgrades", "i2"),  # 1: some text asks for what had joined Mechs that died
        ("keeps_given", "i2"),  # 1: some text shuffles a minion with what it was given
        ("asks_spells", "i2"),  # 1: some text asks whether a spell was cast this turn
        ("asks_casts", "i2"),  # 1: some text casts a spell of this turn again
        ("asks_opening", "i2"),  # 1: some text asks for the hand that a player began with
        ("asks_restored", "i2"),  # 1: some text asks how much health was restored this game
        ("keeps_changes", "i2"),  # 1: cards that shift keep what they were given
        ("n_cards", "i2"),
    ],
    align=True,
)
