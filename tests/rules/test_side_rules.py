"""Every rule bit of a side: what several of it do, the ruling, and the case that plays it.

A bit can hold "once or more often" alone. What counts must be counted where it is used.
"""

import pytest

from hsevo.cards.terms import Rule
from tests.rules.test_cases import CASES

STATE = "a state: several do no more than one"
COUNTS = "each counts"
IN_ORDER = "each acts, in order of play"
NEXT = "until the next such card: several end with the same card"
WEAPON = "of a weapon, and a player has one"

# The rule: what several do, the source, and the title of a case.
RULINGS: dict[Rule, tuple[str, str, str]] = {
    Rule.BATTLECRIES_TWICE: (STATE, "card text: twice, not once more",
                             "Two Brann Bronzebeards: a Battlecry runs twice"),
    Rule.DEATHRATTLES_TWICE: (STATE, "wiki, Baron Rivendare",
                              "Two Barons double once"),
    Rule.HEALING_HURTS: (STATE, "card text",
                         "Two Auchenai Soulpriests, and Embrace the Shadow: healing hurts"),
    Rule.DOUBLE_SPELLS: (COUNTS, "wiki.gg and fandom, Prophet Velen: several multiply",
                         "Two Prophet Velens: Fireball does 24"),
    Rule.RANDOM_TARGETS: (STATE, "a random target of random targets is as random", ""),
    Rule.BLUNTS: (WEAPON, "", ""),
    Rule.SHARPENED_BY_POWER: (WEAPON, "", ""),
    Rule.POWER_AIMS: (STATE, "it may aim, or not",
                      "Two Steamwheedle Snipers: 2 damage to a minion"),
    Rule.SPELLS_FREE: (STATE, "the cost is 0", ""),
    Rule.SPELLS_DEARER: (COUNTS, "by Counter.SPELLS_DEARER",
                         "Loatheb beside Brann Bronzebeard: spells cost 10 more"),
    Rule.NEXT_SECRET_FREE: (NEXT, "card text",
                            "Kirin Tor Mage and Kabal Lackey: one free secret, not two"),
    # Two at once can only come of one text that casts both (Yogg-Saron): no source for what that
    # does, and the engine then takes off 3.
    Rule.NEXT_SPELL_CHEAPER: (NEXT, "wiki, Preparation: wears off as soon as a spell is played",
                              "Two Preparations: Sprint costs 3 less"),
    Rule.NEXT_SPELL_FREE: (NEXT, "the cost is 0", ""),
    Rule.NEXT_MURLOC_FOR_HEALTH: (NEXT, "card text; Seadevil Stinger is a Murloc itself", ""),
    Rule.NEXT_SPELL_FOR_HEALTH: (NEXT, "card text", ""),
    Rule.UNBREAKABLE: (STATE, "card text, Commanding Shout", "Two Commanding Shouts: 1 health"),
    Rule.CHOOSE_BOTH: (STATE, "there are two options",
                       "Two Fandral Staghelms: both options, each once"),
    Rule.POWER_TWICE: (STATE, "card text: twice a turn",
                       "Two Garrison Commanders: the hero power twice, not three times"),
    Rule.POWER_UNLIMITED: (STATE, "there is no more than any number", ""),
    Rule.POWER_COSTS_1: (STATE, "it sets the cost",
                         "Two Maidens of the Lake: the hero power costs 1"),
    Rule.POWER_DRAWS_FREE: (STATE, "it sets the cost",
                            "Two Wilfred Fizzlebangs: the card costs 0"),
    Rule.SHARED_SPELL_DAMAGE: (COUNTS, "by auras.shared_spell_damage",
                               "Two Jungle Moonkins of the opponent: Spell Damage +4"),
    Rule.POWER_HITS_HARDER: (COUNTS, "by strikes.power_damage", "Two Fallen Heroes: 3 damage"),
    Rule.HERO_TAKES_1: (IN_ORDER, "rulebook, by health.changed_damage",
                        "Two Animated Armors: 1 damage"),
    Rule.HERO_TAKES_DOUBLE: (IN_ORDER, "rulebook; of a weapon",
                             "Cursed Blade after Animated Armor: two damage"),
    Rule.TAKES_FOR_HERO: (STATE, "the oldest takes it",
                          "Two Bolf Ramshields: the older one takes the damage"),
    Rule.END_TURN_TWICE: (STATE, "hearthstone.wiki.gg, Drakkari Enchanter",
                          "Two Drakkari Enchanters still only double it"),
    Rule.NO_POWERS: (STATE, "card text: disabled", "Mindbreaker disables both hero powers"),
    Rule.LASTING_WEAPON: (STATE, "there is no durability to lose", ""),
    Rule.NEXT_BATTLECRY_TWICE: (NEXT, "no source for two at once", ""),
    Rule.COSTLY_SPELL_CAST: (STATE, "it is cast, or not",
                             "Arcane Tyrant costs 0 after a spell that costs 5"),
    Rule.SECRETS_TWICE: (STATE, "card text: twice, not once more", ""),
}


def test_every_rule_bit_has_a_ruling() -> None:
    assert set(RULINGS) == set(Rule)


@pytest.mark.parametrize("title", sorted({ruling[2] for ruling in RULINGS.values()} - {""}))
def test_the_case_of_a_ruling_is_there(title: str) -> None:
    assert [case for case in CASES if case.title == title]


def test_what_counts_or_acts_in_order_has_a_case() -> None:
    for rule, (several, source, title) in RULINGS.items():
        if several in (COUNTS, IN_ORDER):
            assert source, rule
            assert title, rule
