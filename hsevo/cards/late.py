"""What only cards of 2017 and later need: words, columns of the tables, fields of a game's sides.

Other rulesets are played by an engine without the code for them, which compiles in two thirds of
the time (engine/pruning.py). A test compares the lists with the tables of all shipped rulesets, and
prints what they should be.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import (
    COUNTED_AT,
    Amount,
    CostRule,
    Counter,
    Event,
    If,
    Is,
    Keyword,
    Need,
    Rule,
    Selector,
    Whose,
)

_WORDS: dict[type[IntEnum], str] = {
    Op: (
        "REPEAT HEAL_SPLIT ATTACK ATTACK_NEIGHBOR FIGHT TARGET_ATTACKS ALL_ATTACK KEEP_SPELL AIM "
        "MARK DESTROY_MARKED SWAP_ATTACK BECOME_FROM_DECK WAKE SUMMON_ANOTHER "
        "SUMMON_COPY_FROM_HAND LIE_DORMANT WAKE_AFTER WAKE_BY SUMMON_NOTED_COST SUMMON_DISCARDED "
        "SUMMON_WEAKER_FROM_DECK SUMMON_FROM_TOP NOTE_SLAIN SUMMON_SLAIN SUMMON_TO_ATTACK ADD_DEAD "
        "SHUFFLE_ENEMY_DECK SHUFFLE_HAND TAKE_FROM_ENEMY_DECK DESTROY_CARDS SWAP_DECKS "
        "RETURN_BROKEN REVEAL SHOW_THIS COPY_ENEMY_HAND DESTROY_IN_DECK RETURN_DISCARDED "
        "DRAW_SWAPPED SHUFFLE_RANDOM SHUFFLE_AGAIN DRAW_SPELL_COSTING ADD_OPENING ADD_DISCARDED "
        "SHUFFLE_HAND_AWAY ADD_OPTIONS PRICE_DECK OFFER_GUESS ADD_GUESSED ADAPT GAIN_CHOSEN "
        "ADD_OFFERED OFFER_DEAD OFFER_ENEMY_HAND STOCK_CHOSEN TRIGGER_CHOSEN OFFER_OPTIONS "
        "RUN_CHOSEN HOLD_CHOSEN SHARE_CHOSEN OFFER_TO_DRAW TEACH ADD_JOINED DRAW_CHOSEN "
        "RETURN_PLAYED_SPELLS MAKE_FREE LEVEL_CARDS DISCARD_CARDS ADD_REFLECTION REFLECT "
        "LOSE_REFLECTIONS DOUBLE_CARDS SWAP_FORM GROW_HELD UPGRADE ATTACH_CARDS SET_CRYSTALS "
        "SET_RANDOM_POWER SPEND_ARMOR EXTRA_TURN SIZE_FOR_ALL GIVE_WEAPON THROW_WEAPON PLAY_CHOSEN "
        "OPEN_QUEST PROGRESS PROGRESS_BY_NAME SECRET_FROM_POOL DECK_DEATHRATTLE DEAD_DEATHRATTLES "
        "SHUFFLE_KEPT EAT RETURN_EATEN RETURN_SPELLS CAST_CHOSEN ATTACK_SUBJECT CAST_FROM_DECK "
        "CAST_FROM_HAND CAST_OF_TURN CAST_NOTED CAST_TAUGHT REPEAT_BATTLECRIES RECAST REPLAY"
    ),
    If: (
        "ENEMY_TURN HOLD_ATTACK AIMED MADE MORE_ENEMY_MINIONS NO_CARD_COSTS DREW NO_SPELL_CAST "
        "KNOWN NONE_IN_DECK REVEALED ARMOR_BELOW HAS_NEIGHBOR HOLD_SPELL_COSTING ALL_ODD ALL_EVEN "
        "ALL_ODD_AT_START ALL_EVEN_AT_START HERO_HURT DEATH_THIS_TURN ENEMY_PLAYED_AT_LEAST "
        "FIRST_CARD OTHER_CLASS TARGET_OVERKILLED EVENT_AT_LEAST OVERLOADED ALONE NO_SPELL_DAMAGE "
        "INTO_MY_DECK"
    ),
    Amount: (
        "ENEMY_WEAPON_ATTACK CRYSTALS_LOST DECK COUNTER_OTHERS HAND_KIND CRYSTALS_WITH_ROOM "
        "DURABILITY DISCARDED_ATTACK DISCARDED_HEALTH DIED_THIS_TURN DAMAGED_MINIONS AIMED_HEALTH "
        "ENEMY_HAND REVEALED_ATTACK EXCESS ARMOR_SPENT OVERKILLED HERO_HEALTH OWN_COST EVENT_MORE "
        "HALF_DECK GROWN ENEMY_DECK_COPIES NOTED_MINIONS HAND_SHUFFLED"
    ),
    CostRule: (
        "FOREIGN_CARDS DEAD_NAMESAKES HEALED OVERLOADED DEATH_THIS_TURN COSTLY_SPELL OWN_COPIES "
        "ENEMY_MINIONS OWN_MINIONS ELEMENTALS MANA_ON_SPELLS FOREIGN_IN_HAND"
    ),
    Need: "NO_QUEST NEVER DEAD_BEAST_AND_SPACE",
    Rule: "END_TURN_TWICE NO_POWERS LASTING_WEAPON SECRETS_TWICE",
    Is: (
        "COST_AT_MOST COST_AT_LEAST COMBO COST DYING PLAIN TEXTED MADE IN_POOL CHOICE AIMED "
        "ATTACK_UP_TO_MANA NAMESAKE SPELL_COST_AT_LEAST MINION_NOW_AT_MOST OVERKILLED FRESH_WITH "
        "MINION_COST_NOW WEAPON_OF_OTHERS"
    ),
    Selector: (
        "MY_DECK ENEMY_HAND CHEAPEST NEXT_TO_SUBJECT OUTER_ENEMIES LEFTMOST MARKED DEFENDER"
    ),
    Whose: "MY_SPELL_HERE MY_AIMED BY_MY_HERO BY_MY_CARDS MY_SUMMONED ON_ME_BY_MY_CARDS",
    Keyword: "BATTLECRY RUSH DORMANT",
    Event: "SHIELD_LOST FROZEN WEAPON_DESTROYED SHUFFLED POWER_KILLED",
}
WORDS = {kind.__name__: frozenset(names.split()) for kind, names in _WORDS.items()}
# By table, "": the tables as a whole.
_COLUMNS = {
    "card": (
        "goal reward dormant noted lends_echo restores doubles_power armor power hidden cost_arg "
        "becomes keeps doubles_healing doubles_weapons doubles_combos widens_power "
        "takes_for_neighbors mimics twin"
    ),
    "row": "price needed bigger cheapest discards marks priced upgraded doubled race",
    "trigger": "also",
    "aura": "spell_damage",
    "": (
        "late quests notes asks_hurt asks_power asks_harm keeps_upgrades keeps_given asks_spells "
        "asks_casts asks_opening asks_restored"
    ),
}
COLUMNS = {table: frozenset(names.split()) for table, names in _COLUMNS.items()}
# Fields of a game's sides that are zero (engine.record.state.SIDE has them last).
_FIELDS = (
    "quest quest_uid made reflecting recalled gifted gift broken casts dormant n_recalled n_broken "
    "n_casts opening priced free leveled"
)
FIELDS = frozenset(_FIELDS.split())
FIRST_COUNTER = Counter.ELEMENTALS_NOW  # and all counters after it
# Where tables have the words. Rules and keywords are bits of numbers.
PLACES: dict[type[IntEnum], tuple[tuple[str, str], ...]] = {
    Op: (("row", "op"),),
    If: (("row", "when"), ("trigger", "when"), ("trigger", "also"), ("aura", "when"),
         ("card", "target_when")),
    Amount: (("row", "amount"),),
    CostRule: (("card", "cost_rule"),),
    Need: (("card", "need"),),
    Rule: (("card", "rules"), ("row", "rule")),
    Is: (("row", "test"), ("trigger", "test"), ("aura", "test"), ("card", "target_test")),
    Selector: (("row", "who"), ("aura", "who")),
    Whose: (("trigger", "whose"),),
    Keyword: (("card", "keywords"), ("row", "keywords"), ("aura", "keywords")),
    Event: (("trigger", "event"), ("row", "event")),
}
BITS = (Rule, Keyword)


def needs_late(table: Any) -> bool:
    """Return whether tables, a record of TABLES, have late words or columns."""
    for kind, places in PLACES.items():
        late = np.array([int(word) for word in kind if word.name in WORDS[kind.__name__]])
        for where, column in places:
            values = table[where][column]
            bits = int(np.bitwise_or.reduce(late))
            if (values & bits).any() if kind in BITS else np.isin(values, late).any():
                return True
    return _has_late_counter(table) or any(
        table[where][column].any() if where else table[column]
        for where, columns in COLUMNS.items() for column in columns)


def _has_late_counter(table: Any) -> bool:
    """Return whether a text reads a late counter, or adds to it."""
    rows, least = table["row"], int(FIRST_COUNTER)
    read = (rows["amount"] == Amount.COUNTER) & (rows["nm"] >= least)
    asked = any(((table[where][name] == If.COUNTED)
                 & (table[where][f"{name}_arg"] >= least * COUNTED_AT)).any()
                for where, name in PLACES[If])
    each = table["aura"]["each"] <= -1 - least
    return asked or bool((rows["counter"] >= least).any() or read.any() or each.any())
