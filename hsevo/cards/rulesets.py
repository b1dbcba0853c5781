"""Rulesets: the numbers, texts, random pools and conventions of a game.

The card files follow build 23180 (patch 10.2, February 2018); a ruleset changes some of it.
Sources: card data of builds 18792 and 23180, patch notes of 2016-2018; for `cig2018-as-run` the
behaviour of the simulator that the CIG2018 competition used.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hsevo.cards.sets import hearthsim
from hsevo.cards.terms import Set
from hsevo.cards.vocabulary import (
    ADJACENT,
    CHARGE,
    HAVE_ROOM,
    IN_PLAY,
    MINION_IN_PLAY,
    MURLOC,
    MY_HERO,
    MY_OTHER_MINIONS,
    NO_DUPLICATES,
    SUBJECT,
    TARGET,
    THEIRS,
    after_play,
    buff_weapon,
    damage,
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
KRAKEN = frozenset(Set) - {Set.NAXXRAMAS, Set.GOBLINS_VS_GNOMES}
DRAW, SECOND_WINS = 3, 2  # results as in engine.record.state


@dataclass(frozen=True)
class Ruleset:
    """A ruleset. `sets`: of the random pools. `changes`: card fields by card id."""

    name: str
    says: str
    sets: frozenset[Set] = KRAKEN
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
    powers: bool = True  # heroes have hero powers
    first_begins: bool = False  # player 0 begins every game; else the game's seed decides
    own_cards: tuple[Card, ...] = ()  # cards that no other ruleset has


def _played(row: Row, only: Filter = IN_PLAY, when: Condition = ALWAYS) -> Trigger:
    """Return the trigger of a secret that reacts to the opponent's card once it is in play."""
    return hidden(after_play(row, whose=THEIRS, only=only, when=when))


RULESETS: dict[str, Ruleset] = {
    "cig2018": Ruleset(
        "cig2018",
        "build 23180 as the CIG2018 competition used it, full card texts, no mulligan",
    ),
    "msg2017": Ruleset(
        "msg2017",
        "Mean Streets of Gadgetzan as released in January 2017, with mulligan",
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
            # Until patch 7.1 (hs-bugs 58, 648, 693, 698) these answered a dying minion, too, and
            # Snipe could come before Potion of Polymorph; until patch 9.2 the first two affected
            # Lord Jaraxxus as the hero.
            "EX1_609": {"triggers": (_played(damage(4, SUBJECT)),)},  # Snipe
            "EX1_379": {"triggers": (_played(set_health(1, SUBJECT)),)},  # Repentance
            "EX1_294": {  # Mirror Entity
                "triggers": (_played(summon_copy(SUBJECT), when=HAVE_ROOM),)
            },
            "CFM_620": {  # Potion of Polymorph
                "triggers": (_played(transform(SUBJECT, "CS2_tk1"), only=MINION_IN_PLAY),)
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
        "what the competition's simulator really played in 2018",
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
}

# Only for studies (hsevo/strength/studies.py).
STUDY_RULESETS: dict[str, Ruleset] = {
    "hearthsim": Ruleset(
        "hearthsim",
        "HearthSim's of July 2014: heroes without powers, player 0 begins, textless minions",
        powers=False,
        first_begins=True,
        own_cards=hearthsim.CARDS,
    ),
}

# The rulesets that are part of the engine's fingerprint; programs can add others.
SHIPPED: tuple[str, ...] = (*RULESETS, *STUDY_RULESETS)
