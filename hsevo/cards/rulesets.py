"""Rulesets: the numbers, texts, random pools and conventions of a game.

The card files follow build 23180 (patch 10.2, February 2018); a ruleset changes some of it.
Sources: card data of builds 18792 and 23180, patch notes of 2016-2018; for `cig2018-as-run` the
behaviour of the simulator that the CIG2018 competition used; for `blackrock2015` see
docs/pages/reference/rulesets.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hsevo.cards.sets import (
    boomsday,
    classic_2019,
    frozen_throne,
    hearthsim,
    kobolds,
    rastakhan,
    shadows,
    ungoro,
    witchwood,
)
from hsevo.cards.terms import UP_TO_GADGETZAN, Kind, Need, Race, Set
from hsevo.cards.vocabulary import (
    ADJACENT,
    ALL_OTHER_MINIONS,
    ANY,
    ANY_OTHER,
    CHARGE,
    ENEMIES,
    HAVE_ROOM,
    HERO_IN_PLAY,
    IN_PLAY,
    MINION_IN_PLAY,
    MURLOC,
    MY_HERO,
    MY_OTHER_MINIONS,
    NO_DUPLICATES,
    SELF,
    STEALTH,
    SUBJECT,
    TARGET,
    THEIRS,
    WEAPON_ATTACK,
    after_play,
    after_summon,
    attack_at_most,
    buff,
    buff_weapon,
    damage,
    destroy,
    destroy_weapon,
    draw,
    end_of_turn,
    enemy_minions_at_least,
    give,
    gives,
    hidden,
    minions_of_cost,
    of_race,
    on_summon,
    set_health,
    set_power_cost,
    summon,
    summon_copy,
    summon_random,
    temporary_mana,
    transform,
    when,
)
from hsevo.cards.vocabulary.model import ALWAYS, Card, Condition, Filter, Row, Trigger

# Standard of the Year of the Kraken (2016): Naxxramas and Goblins vs Gnomes were rotated out.
KRAKEN = UP_TO_GADGETZAN - {Set.NAXXRAMAS, Set.GOBLINS_VS_GNOMES}
# The Standard format of each year from its rotation in spring on, and what had left it for the Hall
# of Fame although its set was still in it (patch notes 7.1, 8.0, 11.0 and 14.0).
_CORE = {Set.BASIC, Set.CLASSIC}
# Ice Block, Coldlight Oracle, Molten Giant
_HALL_OF_2018 = frozenset({"EX1_295", "EX1_050", "EX1_620"})
_HALL_OF_2019 = _HALL_OF_2018 | {
    "EX1_310", "EX1_161", "EX1_349",  # Doomguard, Naturalize, Divine Favor
    "GIL_826", "GIL_692", "GIL_838", "GIL_837", "GIL_130", "GIL_530",  # Baku, Genn and their cards
}  # fmt: skip
STANDARD: dict[int, tuple[frozenset[Set], frozenset[str]]] = {
    2016: (KRAKEN, frozenset()),
    2017: (frozenset({*_CORE, Set.OLD_GODS, Set.KARAZHAN, Set.GADGETZAN, Set.UNGORO,
                      Set.FROZEN_THRONE, Set.KOBOLDS}), frozenset()),
    2018: (frozenset({*_CORE, Set.UNGORO, Set.FROZEN_THRONE, Set.KOBOLDS, Set.WITCHWOOD,
                      Set.BOOMSDAY, Set.RASTAKHAN}), _HALL_OF_2018),
    2019: (frozenset({*_CORE, Set.WITCHWOOD, Set.BOOMSDAY, Set.RASTAKHAN, Set.SHADOWS}),
           _HALL_OF_2019),
}
UP_TO_BOOMSDAY = frozenset(where for where in Set if where <= Set.BOOMSDAY)
# All of April 2015. Cards of the Hall of Fame were Classic ones, rewards and promotions then.
UP_TO_BLACKROCK = frozenset({Set.BASIC, Set.CLASSIC, Set.HALL_OF_FAME, Set.NAXXRAMAS,
                             Set.GOBLINS_VS_GNOMES, Set.BLACKROCK})
DRAW, SECOND_WINS = 3, 2  # results as in engine.record.state


@dataclass(frozen=True)
class Ruleset:
    """A ruleset. `sets`: of the random pools. `changes`: card fields by card id."""

    name: str
    says: str
    sets: frozenset[Set] = KRAKEN
    legal: frozenset[Set] = UP_TO_GADGETZAN  # whose cards may be in decks
    year: int = 0  # of its Standard format; 0: that has the sets of the random pools
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    textless_sets: frozenset[Set] = frozenset()  # cards keep only cost, attack, health and tags
    both_dead: int = DRAW  # the result when both heroes die at once
    mulligan: bool = False
    # Since patch 9.2 (October 2017), cards in play when a spell is played react to its cast even if
    # it is countered, and cards that enter play later do not.
    cast_first: bool = True
    # Until patch 9.1 (August 2017; of spells, 9.2) what others make a card cost came after its own
    # reduction, so that Naga Sea Witch made a giant in hand cost 5.
    own_cost_first: bool = False
    # Until patch 12.0 (July 2018) cards that shift in hand kept what they were given.
    keeps_changes: bool = True
    powers: bool = True  # heroes have hero powers
    first_begins: bool = False  # player 0 begins every game; else the game's seed decides
    fatigue: bool = True  # who has no card left to draw takes damage
    # cards that cig2018 has not, by set (None: of no set), in table order
    own_cards: tuple[tuple[Set | None, tuple[Card, ...]], ...] = ()


def _played(row: Row, only: Filter = IN_PLAY, when: Condition = ALWAYS) -> Trigger:
    """Return the trigger of a secret that reacts to the opponent's card once it is in play."""
    return hidden(after_play(row, whose=THEIRS, only=only, when=when))


_MURLOCS = ALL_OTHER_MINIONS.where(of_race(MURLOC))
# Until patch 7.1 (hs-bugs 58, 648, 693, 698) these answered a dying minion, too, and Snipe could
# come before Potion of Polymorph; until patch 9.2 the first two affected Lord Jaraxxus as the hero.
_SECRETS: dict[str, dict[str, Any]] = {
    "EX1_609": {"triggers": (_played(damage(4, SUBJECT)),)},  # Snipe
    "EX1_379": {"triggers": (_played(set_health(1, SUBJECT)),)},  # Repentance
    "EX1_294": {  # Mirror Entity
        "triggers": (_played(summon_copy(SUBJECT), when=HAVE_ROOM),)
    },
}

# The sets of 2017 to 2019, in the order of their release.
SETS_OF_2018: tuple[tuple[Set | None, tuple[Card, ...]], ...] = (
    (Set.UNGORO, ungoro.CARDS),
    (Set.FROZEN_THRONE, frozen_throne.CARDS),
    (Set.KOBOLDS, kobolds.CARDS),
    (Set.WITCHWOOD, witchwood.CARDS),
    (Set.BOOMSDAY, boomsday.CARDS),
)
SETS_OF_2019 = (
    *SETS_OF_2018,
    (Set.RASTAKHAN, rastakhan.CARDS),
    (Set.SHADOWS, shadows.CARDS),
    (Set.CLASSIC, classic_2019.CARDS),
)
# What differs between builds 23180 (February 2018) and 25770 (August 2018) in older cards, and
# between that and 30103 (April 2019), according to the card data: costs, minion types, and names of
# what cards offer.
_ELEMENTALS = (
    "CS2_118", "CS2_033", "CS2_042", "EX1_283", "EX1_614t", "EX1_249", "EX1_105", "EX1_620",
    "EX1_335", "EX1_243", "EX1_258", "EX1_250", "NEW1_010", "EX1_298", "GVG_042", "BRM_012",
    "AT_092", "LOE_053", "LOE_016", "OG_120", "OG_229", "OG_209", "OG_031a", "KAR_036", "CFM_715",
    "CFM_606", "CFM_606t",
)  # fmt: skip
_NAMES_OF_2019 = {
    "EX1_154a": "Solar Wrath", "EX1_154b": "Nature's Wrath",
    "EX1_155a": "Tiger's Fury", "EX1_155b": "Thick Hide",
    "EX1_164a": "Rampant Growth", "EX1_164b": "Enrich",
    "NEW1_007a": "Stellar Drift", "NEW1_007b": "Starlord",
    "GVG_041a": "Call the Guardians", "GVG_041b": "Nature's Defense",
    "AT_037a": "Grasping Roots", "AT_037b": "One, Two, Trees!",
    "AT_042t": "Druid of the Saber", "AT_042t2": "Druid of the Saber",
    "OG_044c": "Druid of the Saber",
    "LOE_115a": "Break Free", "LOE_115b": "Awakened",
    "CFM_602a": "Cut from Jade", "CFM_602b": "Jade Stash",
}  # fmt: skip
_CHANGES_OF_2018: dict[str, dict[str, Any]] = {
    **{id: {"race": Race.ELEMENTAL} for id in _ELEMENTALS},
    "AT_103": {"race": Race.BEAST},  # North Sea Kraken
    "LOE_051": {"race": Race.NONE},  # Jungle Moonkin
    "EX1_620": {"race": Race.ELEMENTAL, "cost": 20},  # Molten Giant
    "FP1_019t": {"cost": 2},  # Treant of Poison Seeds
    "LOE_038": {"cost": 8},  # Naga Sea Witch
    # Cleave, Multi-Shot and Forked Lightning need one enemy minion, not two.
    **{id: {"need": Need.ENEMY_MINION} for id in ("CS2_114", "DS1_183", "EX1_251")},
}
_COSTS_OF_2019 = {
    "CS2_013": 3,  # Wild Growth
    "CS2_084": 2,  # Hunter's Mark
    "EX1_565": 3,  # Flametongue Totem
    "EX1_164": 6,  # Nourish
    "NEW1_012": 2,  # Mana Wyrm
    "EX1_619": 4,  # Equality
    "CS2_073": 2,  # Cold Blood
    "AT_045": 10,  # Aviana
    # the options of Justicar Trueheart's totems
    "AT_132_SHAMANa": 1, "AT_132_SHAMANb": 1, "AT_132_SHAMANc": 1, "AT_132_SHAMANd": 1,
}  # fmt: skip
_CHANGES_OF_2019 = {
    **_CHANGES_OF_2018,
    **{id: {"cost": cost} for id, cost in _COSTS_OF_2019.items()},
    **{id: {"name": name} for id, name in _NAMES_OF_2019.items()},
}
# The card files have the numbers of 2019; what cards of 2017 and 2018 had in August 2018.
_BEFORE_2019: dict[str, dict[str, Any]] = {
    **{id: {"kind": Kind.SPELL, "cost": 0, "attack": 0, "health": 0, "race": Race.NONE}
       for id in ("GIL_188a", "GIL_188b")},  # options of Druid of the Scythe
    "ICC_221": {"cost": 2},  # Leeching Poison, whose Lifesteal then stayed
    "ICC_221e": {"lasts": True},
    "ICC_466": {"play": (summon_copy(SELF),)},  # Saronite Chain Gang
    "LOOT_080": {"cost": 5},  # Lesser Emerald Spellstone, and its better forms
    "LOOT_080t2": {"cost": 5},
    "LOOT_080t3": {"cost": 5},
    "LOOT_333": {"cost": 5},  # Level Up!
    "BOT_270": {"cost": 5},  # Giggling Inventor
}

RULESETS: dict[str, Ruleset] = {
    "cig2018": Ruleset(
        "cig2018",
        says="build 23180, which the CIG2018 competition used, with full card texts and without a"
        " mulligan",
    ),
    "msg2017": Ruleset(
        "msg2017",
        says="Mean Streets of Gadgetzan in January 2017, with a mulligan",
        changes={
            "CS2_106": {"cost": 2},  # Fiery War Axe
            "EX1_246": {"cost": 3},  # Hex
            "GVG_056t": {"cost": 0},  # Burrowing Mine
            "KAR_063": {"cost": 1},  # Spirit Claws
            "CFM_325": {"health": 2},  # Small-Time Buccaneer
            "CFM_637": {"keywords": int(CHARGE)},  # Patches the Pirate
            "CFM_020": {"play": when(NO_DUPLICATES, set_power_cost(0))},  # Raza the Chained
            "CFM_900": {"triggers": (on_summon(damage(5, MY_HERO)),)},  # Unlicensed Apothecary
            "AT_019": {"deathrattle": (summon("AT_019"),)},  # Dreadsteed
            "AT_035t": {"name": "Ambush!", "cost": 0},
            "LOE_110t": {"cost": 0},  # Ancient Curse
            "EX1_169": {"play": (temporary_mana(2),)},  # Innervate
            **_SECRETS,
            "CFM_620": {  # Potion of Polymorph
                "triggers": (_played(transform(SUBJECT, "CS2_tk1"), only=MINION_IN_PLAY),)
            },
            "LOE_027": {  # Sacred Trial: until patch 9.2 Lord Jaraxxus, the hero, was one of four
                "triggers": (
                    _played(destroy(SUBJECT), MINION_IN_PLAY, enemy_minions_at_least(4)),
                    _played(destroy(SUBJECT), HERO_IN_PLAY, enemy_minions_at_least(3)),
                )
            },
            "EX1_507": {  # Murloc Warleader
                "auras": (gives(MY_OTHER_MINIONS.where(of_race(MURLOC)), 2, 1),)
            },
        },
        mulligan=True,
        cast_first=False,
        own_cost_first=True,
    ),
    "cig2018-as-run": Ruleset(
        "cig2018-as-run",
        says="the rules and texts of 2018 as the competition's simulator implemented them",
        changes={
            "EX1_565": {"auras": (gives(ADJACENT, 0, 2),)},  # Flametongue gave health
            "KAR_076": {  # Firelands Portal ignores Spell Damage
                "play": (damage(5, TARGET, spell_damage=0), summon_random(minions_of_cost(5)))
            },
            "OG_315": {"play": (buff_weapon(1, 1),)},  # Bloodsail Cultist counts itself
        },
        textless_sets=frozenset({Set.EXPLORERS, Set.GRAND_TOURNAMENT}),
        both_dead=SECOND_WINS,
    ),
    "blackrock2015": Ruleset(
        "blackrock2015",
        says="April 2015, when Blackrock Mountain was released, with a mulligan; decks contain only"
        " cards of this time",
        sets=UP_TO_BLACKROCK,
        legal=UP_TO_BLACKROCK,
        changes={
            # patch 3.1 (October 2015)
            "EX1_084": {  # Warsong Commander
                "auras": (),
                "triggers": (after_summon(give(SUBJECT, CHARGE), only=attack_at_most(3)),),
            },
            # hs-bugs 329 (logs and a video of 2015)
            "FP1_023": {  # Dark Cultist: not itself, under Feign Death
                "deathrattle": (buff(MY_OTHER_MINIONS.random(1), health=3),)
            },
            # patch 5.0 (April 2016)
            "NEW1_008a": {"play": (draw(2),)},  # Ancient of Lore: Ancient Teachings
            "EX1_571": {"cost": 6},  # Force of Nature, and its Treant
            "EX1_tk9": {
                "cost": 1,
                "keywords": int(CHARGE),
                "triggers": (end_of_turn(destroy(SELF), whose=ANY),),
            },
            "EX1_166": {"health": 4},  # Keeper of the Grove
            "CS2_203": {"cost": 2},  # Ironbeak Owl
            "EX1_005": {"cost": 3},  # Big Game Hunter
            "CS2_084": {"cost": 0},  # Hunter's Mark
            "CS2_233": {  # Blade Flurry
                "cost": 2,
                "play": (damage(WEAPON_ATTACK, ENEMIES), destroy_weapon()),
            },
            "NEW1_019": {"attack": 3},  # Knife Juggler
            "EX1_029": {"attack": 2},  # Leper Gnome
            "EX1_089": {"health": 2, "keywords": int(CHARGE)},  # Arcane Golem
            "EX1_620": {"cost": 20},  # Molten Giant
            "NEW1_014": {"play": (give(TARGET, STEALTH),)},  # Master of Disguise
            # October 2016
            "CS2_045": {"cost": 1},  # Rockbiter Weapon
            "CS2_108": {"cost": 1},  # Execute
            "CS2_103": {"cost": 3, "play": (buff(TARGET, 2), give(TARGET, CHARGE))},  # Charge
            "CS2_188": {"attack": 2},  # Abusive Sergeant
            "EX1_507": {"auras": (gives(_MURLOCS, 2, 1),)},  # Murloc Warleader
            "EX1_508": {"auras": (gives(_MURLOCS, 1),)},  # Grimscale Oracle
            "EX1_103": {"play": (buff(_MURLOCS, health=2),)},  # Coldlight Seer
            "EX1_509": {  # Murloc Tidecaller
                "triggers": (on_summon(buff(SELF, 1), whose=ANY_OTHER, only=of_race(MURLOC)),)
            },
            # as in msg2017
            "CS2_106": {"cost": 2},  # Fiery War Axe
            "EX1_246": {"cost": 3},  # Hex
            "EX1_169": {"play": (temporary_mana(2),)},  # Innervate
            "GVG_056t": {"cost": 0},  # Burrowing Mine
            **_SECRETS,
            # what cards create, and its cost in hand
            "EX1_506a": {"cost": 0},  # Murloc Scout
            "CS2_tk1": {"cost": 0},  # Sheep
            "EX1_finkle": {"cost": 2},  # Finkle Einhorn
            "EX1_554t": {"cost": 0},  # Snake
            "tt_010a": {"cost": 0},  # Spellbender
            "EX1_158t": {"cost": 1},  # Treant of Soul of the Forest
            "EX1_573t": {"cost": 1},  # Treant of Cenarius
            "NEW1_026t": {"cost": 0},  # Violet Apprentice
            "FP1_007t": {"cost": 3},  # Nerubian
        },
        mulligan=True,
        cast_first=False,
        own_cost_first=True,
    ),
    "cig2018-wild": Ruleset(
        "cig2018-wild",
        says="the Wild format in August 2018 (build 25770), up to The Boomsday Project, without a"
        " mulligan; random cards come from all sets",
        sets=UP_TO_BOOMSDAY,
        legal=UP_TO_BOOMSDAY,
        year=2018,
        changes=_CHANGES_OF_2018 | _BEFORE_2019,
        keeps_changes=False,
        own_cards=SETS_OF_2018,
    ),
    "rise2019": Ruleset(
        "rise2019",
        says="Rise of Shadows in April 2019 (build 30103), with a mulligan; random cards come from"
        " all sets",
        sets=frozenset(Set),
        legal=frozenset(Set),
        year=2019,
        changes=_CHANGES_OF_2019,
        mulligan=True,
        keeps_changes=False,
        own_cards=SETS_OF_2019,
    ),
}

# Only for studies (hsevo/strength/studies.py).
STUDY_RULESETS: dict[str, Ruleset] = {
    "hearthsim": Ruleset(
        "hearthsim",
        says="HearthSim's studies of July 2014: heroes have no powers, minions have no texts, and"
        " player 0 begins",
        powers=False,
        first_begins=True,
        own_cards=((None, hearthsim.CARDS),),
    ),
}

# The rulesets that are part of the engine's fingerprint; programs can add others.
SHIPPED: tuple[str, ...] = (*RULESETS, *STUDY_RULESETS)
