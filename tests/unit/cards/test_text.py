"""What cards do, in words: every card has a text, every term its own wording."""

import re
from itertools import pairwise

import pytest

from hsevo.cards import tables
from hsevo.cards.ops import Op
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.sequences import SEQUENCES
from hsevo.cards.terms import (
    Amount,
    Class,
    CostRule,
    Counter,
    Event,
    Gains,
    If,
    Is,
    Keyword,
    Kind,
    Need,
    Race,
    Rule,
    Selector,
    Whose,
    Zone,
)
from hsevo.cards.vocabulary import (
    CHARACTER,
    ENEMY_MINIONS,
    HAVE_WEAPON,
    MY_HAND,
    MY_MINIONS,
    SELF,
    TARGET,
    cards_with,
    costs,
    damage,
    draw,
    enemy_class_cards,
    enrage,
    gives,
    gives_keywords,
    having,
    minion,
    own_cards,
    spell,
    unless,
    when,
    whenever,
)
from hsevo.cards.vocabulary.model import (
    Aura,
    Condition,
    Filter,
    Pool,
    Row,
    Trigger,
    Value,
    Who,
)
from hsevo.cards.wording import phrases
from hsevo.cards.wording.scene import OPS, TextScene
from hsevo.cards.wording.text import makes, text
from hsevo.engine.view import show
from hsevo.errors import CardError

CARDS = tables.cards()
IDS = [(ruleset, id) for ruleset in RULESETS for id in tables.cards(ruleset)]
ENUMS = (Amount, CostRule, Event, If, Is, Keyword, Need, Op, Race, Rule, Selector, Whose, Zone)
RAW = {term.name for terms in ENUMS for term in terms}
SHOUTED = {"INFERNO", "DIE", "INSECT", "KABOOM", "EVIL"}  # words of names


def said(name: str, ruleset: str = "cig2018") -> str:
    """Return the text of a card by its name."""
    return " ".join(text(tables.cards(ruleset), tables.by_name()[name]))


def told(**words: object) -> str:
    """Return the text of a minion made up here."""
    card = minion("x", "X", 1, 1, 1, **words)
    return " ".join(text({**CARDS, "x": card}, "x"))


# Written by hand, from what the cards do.
SENTENCES = {
    "Fireball": "Deal 6 damage to a character.",
    "Elven Archer": "Battlecry: deal 1 damage to a character.",
    "Chillwind Yeti": "",
    "Frostbolt": "Deal 3 damage to a character, then freeze it.",
    "Swipe": "Deal 4 damage to an enemy, then deal 1 damage to all other enemies.",
    "Execute": "Destroy a damaged enemy minion.",
    "Mortal Coil": "Deal 1 damage to a minion. If it dies, draw a card.",
    "Kill Command": "Choose a character. If you control a Beast, deal 5 damage to it; otherwise"
                    " deal 3 damage to it.",
    "Ice Lance": "Choose a character. If it is frozen, deal 4 damage to it; otherwise freeze it.",
    "Demonfire": "Choose a minion. If it is friendly and it is a Demon, give it +2/+2; otherwise"
                 " deal 2 damage to it.",
    "Shadowflame": "Choose a friendly minion. Deal damage to all enemy minions equal to its"
                   " attack, then destroy it.",
    "Betrayal": "Choose an enemy minion. It deals damage to the minions next to it equal to its"
                " attack.",
    "Blizzard": "Deal 2 damage to all enemy minions, then freeze them.",
    "Arcane Missiles": "Deal 3 damage, split at random among all enemies.",
    "Hungry Crab": "Battlecry: destroy a Murloc, then gain +2/+2.",
    "Mind Control Tech": "Battlecry: if your opponent has 4 or more minions, take control of a"
                         " random enemy minion.",
    "Stampeding Kodo": "Battlecry: destroy a random enemy minion with 2 or less attack.",
    "Brawl": "Destroy all minions except 1 at random. Requires two minions in play.",
    "Harvest Golem": "Deathrattle: summon a Damaged Golem (2/1).",
    "The Beast": "Deathrattle: summon Finkle Einhorn (3/3) for your opponent.",
    "Sylvanas Windrunner": "Deathrattle: take control of a random enemy minion.",
    "Abomination": "Taunt. Deathrattle: deal 2 damage to all characters.",
    "Acolyte of Pain": "Whenever this minion takes damage, draw a card.",
    "Frothing Berserker": "Whenever a minion takes damage, gain +1 attack.",
    "Northshire Cleric": "Whenever a minion is healed, draw a card.",
    "Knife Juggler": "After you summon another minion, deal 1 damage to a random enemy.",
    "Questing Adventurer": "Whenever you play another card, gain +1/+1.",
    "Mana Wyrm": "Whenever you cast a spell, gain +1 attack.",
    "Unbound Elemental": "Whenever you play another card with Overload, gain +1/+1.",
    "Lightwell": "At the start of your turn, restore 3 health to a random damaged friendly"
                 " character.",
    "Gruul": "At the end of each turn, gain +1/+1.",
    "Nat Pagle": "At the start of your turn, with a 50% chance, draw a card.",
    "Grommash Hellscream": "Charge. This minion has +6 attack while it is damaged.",
    "Stormwind Champion": "Your other minions have +1/+1.",
    "Flametongue Totem": "The minions next to this one have +2 attack.",
    "Old Murk-Eye": "Charge. This minion has +1 attack for each other Murloc in play.",
    "Mana Wraith": "Minions cost 1 more in both players' hands.",
    "Summoning Portal": "Your minions cost 2 less, but not less than 1.",
    "Dread Corsair": "Taunt. Costs 1 less for each point of your weapon's attack.",
    "Mountain Giant": "Costs 1 less for each other card in your hand.",
    "Edwin VanCleef": "Combo: gain +1/+1 for each card you played earlier this turn, twice.",
    "Eviscerate": "Deal 2 damage to a character. Combo: instead, deal 4 damage to a character.",
    "Wrath": "Choose One: deal 3 damage to a minion; or deal 1 damage to a minion, then draw a"
             " card.",
    "Feral Spirit": "Summon 2 copies of Spirit Wolf (2/3, Taunt). Overload: 2. Requires room for a"
                    " minion.",
    "Corruption": 'Give an enemy minion "At the start of your turn, destroy this minion".',
    "Shadowform": "Unless your hero power is Mind Shatter, if your hero power is Mind Spike, your"
                  " hero power becomes Mind Shatter; otherwise your hero power becomes Mind Spike.",
    "Doomhammer": "Your hero has Windfury. Overload: 2.",
    "Tracking": "Take the top 3 cards of your deck and choose one of them (the others are lost),"
                " then add the chosen card to your hand.",
    "Misdirection": "Secret: when an enemy attacks your hero, if there is another character to"
                    " attack, redirect the attack to a random character other than the attacker"
                    " and the defender.",
    "Ice Block": "Secret: when your hero would take fatal damage, prevent it, then give your hero"
                 " Immune until the end of the turn.",
    "Freezing Trap": "Secret: when an enemy minion attacks, if it is still alive, return the"
                     " attacker to its owner's hand, where it costs 2 more.",
    "Noble Sacrifice": "Secret: when an enemy attacks, if you have room for a minion, summon a"
                       " Defender (2/1), then redirect the attack to it.",
    "Eaglehorn Bow": "Whenever one of your secrets is revealed, give your weapon +1 durability.",
    "Truesilver Champion": "Whenever your hero attacks, restore 2 health to your hero.",
    "Patches the Pirate": "After you play a Pirate while this card is in your deck, summon this"
                          " minion from your deck.",
    "Firelands Portal": "Deal 5 damage to a character, then summon a random 5-cost minion.",
    "Cabalist's Tome": "Add 3 random Mage spells to your hand.",
    "Sense Demons": "Draw 2 Demons; for each one missing, add a Worthless Imp (1/1) to your hand.",
    "Millhouse Manastorm": "Battlecry: your opponent's spells cost 0 on their next turn.",
    "Lord Jaraxxus": "Battlecry: your hero becomes Lord Jaraxxus (15 health), then your hero power"
                     " becomes INFERNO!, then equip Blood Fury (3/8 weapon).",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_sentences_written_by_hand(name):
    assert said(name) == SENTENCES[name]


def test_rulesets_have_their_own_texts():
    assert said("Innervate") == "Gain 1 mana this turn only."
    assert said("Innervate", "msg2017") == "Gain 2 mana this turn only."
    assert said("Patches the Pirate", "msg2017").startswith("Charge. ")
    assert said("Firelands Portal", "cig2018-as-run").startswith(
        "Deal 5 damage to a character (not increased by Spell Damage), then")
    assert said("Reno Jackson", "cig2018-as-run") == ""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_card_has_a_text_in_plain_english(ruleset):
    """No term, id or fallback in it; sentences begin with a capital and end in a full stop."""
    cards = tables.cards(ruleset)
    for id, card in cards.items():
        for part in text(cards, id):
            words = set(re.findall(r"[\w:]+", part))
            assert not (RAW | set(cards)) & words, (id, part)
            assert {word for word in words if re.fullmatch(r"[A-Z]{3,}", word)} <= SHOUTED, part
            assert not re.search(r"[{}\[\]<>=|_]|None|  | [,.;:]", part), part
            assert not re.search(r"[.,;:]{2}", part.replace("...", "")), part
            assert part[0].isupper() or part[0] == '"', (id, part)
            assert part.endswith((".", "!", "...", '".')), (id, part)
            row = re.findall(r"[A-Za-z']+", part.replace(card.name, ""))
            assert [a for a, b in pairwise(row) if a == b] == [], (id, part)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_articles_and_numbers_agree(ruleset):
    cards = tables.cards(ruleset)
    for id in cards:
        for part in text(cards, id):
            assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", part, re.IGNORECASE), part
            assert not re.search(r"\b1 (random )?(cards|copies|minions|spells)\b", part), part
            several = r"\b([02-9]|\d\d) (random )?(card|copy|minion|spell|mana crystal)\b"
            assert not re.search(several, part), part


def test_only_a_card_that_does_nothing_has_no_text():
    for ruleset, id in IDS:
        card = tables.cards(ruleset)[id]
        shown = card.keywords & ~int(phrases.TOLD_BY_TEXT)
        does = (card.play, card.combo, card.deathrattle, card.triggers, card.auras, card.options,
                card.rules, card.spell_damage, card.overload, card.cost_rule, card.need, shown,
                card.power_damage, card.drawn, card.discarded, card.at_start, card.shifts,
                card.becomes, card.keeps, card.doubles_power, card.lends_echo,
                card.magnetic, card.mimics, card.doubles_healing, card.doubles_weapons,
                card.takes_for_neighbors)
        assert bool(text(tables.cards(ruleset), id)) == any(map(bool, does)), id


def test_cards_of_one_text_do_the_same():
    """What differs in effect differs in words: equal texts have equal rows."""
    seen = {}
    for id, card in CARDS.items():
        effect = (card.kind, card.play, card.combo, card.deathrattle, card.triggers,
                  card.auras, card.target)
        key = (card.kind, *text(CARDS, id))
        if card.play or card.triggers or card.deathrattle:
            seen.setdefault(key, {}).setdefault(effect, card.name)
    parted = {tuple(effects.values()) for effects in seen.values() if len(effects) > 1}
    assert {names for names in parted if len(set(names)) > 1} == set()


# -- every term -----------------------------------------------------------------------------------


def distinct(said: dict) -> None:
    """Fail if two terms have one wording."""
    seen = {}
    for term, words in said.items():
        assert words, term
        assert seen.setdefault(words, term) == term, (words, term)


def scene(event: Event | None = None) -> TextScene:
    card = spell("x", "X", 1, target=CHARACTER)
    found = TextScene(text, {**CARDS, "x": card}, card, event)
    found.target()
    return found


IN_SEQUENCES = {row.op for rows in SEQUENCES.values() for row in rows} - {Op.HEAL} | {
    Op.END, Op.SKIP, Op.HIDE_SECRET, Op.DEATHRATTLE}
MINION_POOL = Pool(Kind.MINION)
TAKEN = {
    "card": "hexfrog", "pool": MINION_POOL, "keywords": int(Keyword.TAUNT),
    "rule": int(Rule.SPELLS_FREE), "cls": int(Class.WARLOCK),
}
PARAMETERS = {
    Op.ATTACH: {"card": "CS2_063e"}, Op.EQUIP: {"card": "CS2_082"},
    Op.SET_POWER: {"card": "CS2_034"}, Op.BECOME_HERO: {"card": "HERO_08"},
    Op.LATER: {"card": "EX1_137e"}, Op.DETACH: {"card": "EX1_137e"},
    Op.DRAW: {}, Op.SUMMON_COPY: {}, Op.RETURN_THIS: {}, Op.SUMMON_COPY_FROM_DECK: {},
    Op.DISCOVER: {"pool": MINION_POOL},
    Op.SUMMON_MISSING: {"pool": Pool(cards=("CS2_050",))},
    Op.OFFER_ALL: {"pool": Pool(cards=("CS2_050",))},
    Op.OFFER_POWERS: {"pool": Pool(cards=("CS2_034",))},
    Op.SET_RANDOM_POWER: {"pool": Pool(cards=("CS2_034",))},
    Op.SUMMON_JADE: {"pool": Pool(cards=("CFM_712_t01", "CFM_712_t02"))},
    Op.GIVE_THIS_TURN: {"keywords": int(Keyword.IMMUNE_THIS_TURN)},
    Op.GIVE_ONE_OF: {"keywords": Keyword.TAUNT | Keyword.CHARGE},
    Op.EQUIP_RANDOM: {"pool": Pool(Kind.WEAPON)}, Op.CAST_RANDOM: {"pool": Pool(Kind.SPELL)},
    Op.SET_COUNT: {"counter": int(Counter.POWER_PRICE)},
    Op.OFFER_OPTIONS: {"pool": Pool(cards=("CFM_308a", "CFM_308b"))},
    Op.SUMMON_CHOSEN: {}, Op.ATTACH_CARDS: {"card": "CS2_063e"},
}  # fmt: skip


TWO = Value(Amount.LITERAL, 2)
NO_YES = (False, True)


# selectors and operations of cards in hands and decks
OF_CARDS = tuple(who for who in Selector if who >= Selector.MY_HAND)
ON_CARDS = (Op.BUFF_CARDS, Op.CHANGE_COST, Op.TRANSFORM_CARDS, Op.REMOVE_CARDS,
            Op.SUMMON_FROM_HAND, Op.MAKE_FREE, Op.COPY_CARDS, Op.DISCARD_CARDS, Op.DOUBLE_CARDS,
            Op.SWAP_FORM, Op.UPGRADE, Op.ATTACH_CARDS, Op.LEVEL_CARDS)


def row(op: Op, value: Value = TWO, who: Who = ENEMY_MINIONS) -> Row:
    who = MY_HAND if op in ON_CARDS else who
    taken = PARAMETERS.get(op, {name: TAKEN[name] for name in op.takes if name in TAKEN})
    return Row(op, who, value, **taken)


def test_every_operation_has_its_wording():
    assert set(Op) - IN_SEQUENCES | {Op.DEATHS} == set(OPS)
    distinct({op: scene().row(row(op)) for op in OPS})


def test_variants_of_operations_differ():
    for rows in (
        [Row(Op.SUMMON, card="hexfrog", theirs=b, value=Value(Amount.LITERAL, 1)) for b in NO_YES],
        [Row(Op.SUMMON, card=a, value=Value(Amount.LITERAL, 1)) for a in ("hexfrog", 0, -1)],
        [Row(Op.ADD_CARD, card="hexfrog", theirs=b) for b in NO_YES],
        [Row(Op.ADD_CARD, card=a, value=Value(Amount.LITERAL, 1)) for a in ("hexfrog", -1)],
        [Row(Op.SHUFFLE, card=a, theirs=b, value=Value(Amount.LITERAL, n))
         for a in ("hexfrog", 0) for b in NO_YES for n in (1, 3)],
        [Row(Op.SUMMON_COPY, SELF, left=b) for b in NO_YES],
        [Row(Op.CRYSTALS, empty=a, theirs=b) for a in NO_YES for b in NO_YES],
        [Row(Op.DESTROY_WEAPON, theirs=b) for b in NO_YES],
        [Row(Op.DAMAGE_WEAPON, theirs=b) for b in NO_YES],
        [Row(Op.STEAL, TARGET, this_turn=b) for b in NO_YES],
        [*(Row(Op.SUMMON_FROM_DECK, theirs=b) for b in NO_YES),
         *(Row(Op.SUMMON_COPY_FROM_DECK, card="hexfrog", theirs=b) for b in NO_YES)],
        [Row(Op.BUFF, TARGET, Value(Amount.LITERAL, 2), health=1, gains=each) for each in Gains],
        [Row(Op.RULE_THIS_TURN, rule=int(Rule.SPELLS_FREE), theirs=b) for b in NO_YES],
        [Row(Op.RETURN, TARGET, Value(Amount.LITERAL, n)) for n in (-2, 0, 2)],
        [Row(Op.SUMMON_DEAD_OF_TURN), *(Row(Op.SUMMON_DEAD, value=TWO, both=b) for b in NO_YES)],
        [Row(Op.LATER, card="EX1_137e", this_turn=b) for b in NO_YES],
        [Row(Op.GROW, value=TWO, health=health, gains=each)
         for health, each in ((0, Gains.ATTACK), (2, Gains.ATTACK), (0, Gains.HEALTH))],
        [Row(Op.CHANGE_COST, MY_HAND, Value(Amount.LITERAL, n)) for n in (1, -1)],
        [Row(Op.DAMAGE, TARGET, spell_damage=n) for n in (0, 1, 2)],
        [Row(Op.DAMAGE, TARGET, by_target=b) for b in NO_YES],
        [Row(Op.DRAW, value=Value(Amount.LITERAL, 2), cheaper=n) for n in (0, 3)],
        [Row(Op.DRAW, value=TWO, price=n) for n in (0, 1, 3)],
        [Row(Op.RETURN, TARGET, price=n) for n in (0, 1, 3)],
        [Row(Op.RETURN_THIS, card=-1, cheaper=n) for n in (0, 2)],
        [Row(Op.ADD_CARD, card=-1, value=Value(Amount.LITERAL, 1), small=b) for b in NO_YES],
        [Row(Op.SUMMON_DEAD, value=TWO, small=a, new=b) for a in NO_YES for b in NO_YES],
        [Row(Op.SUMMON_REMEMBERED, value=TWO, mine=b) for b in NO_YES],
        [Row(Op.LOSE_TOP, value=TWO, theirs=a, both=b) for a in NO_YES for b in NO_YES],
        [Row(Op.SHUFFLE_AWAY, TARGET, mine=m, theirs=t)
         for m, t in ((False, False), (True, False), (False, True))],
        [Row(Op.COUNT, value=Value(Amount.LITERAL, 1), counter=int(counter), theirs=b)
         for counter, b in ((Counter.EXTRA_TURNS, False), (Counter.EXTRA_TURNS, True),
                            (Counter.LATER_TURNS, False), (Counter.TALLY, False))],
    ):
        distinct({each: scene().row(each) for each in rows})


def test_every_selector_has_its_wording():
    alone = (Selector.NOBODY, Selector.MY_WEAPON, *OF_CARDS)
    words = {who: scene(Event.ATTACKS).row(Row(Op.FREEZE, Who(who)))
             for who in Selector if who not in alone}
    for pick in (0, 1):
        distinct({who: scene().row(Row(Op.BUFF_CARDS, Who(who, pick=pick), TWO))
                  for who in OF_CARDS})
    # after its first mention the target is "it", as is what was put into play last
    assert words.pop(Selector.LAST) == words[Selector.TARGET] == "freeze it"
    distinct(words)
    one = {who: scene().row(Row(Op.FREEZE, Who(who).random(1))) for who in phrases.GROUPS}
    distinct(one)
    distinct({n: scene().row(Row(Op.FREEZE, Who(Selector.ENEMIES, pick=n))) for n in range(-2, 3)})
    assert told(aura=gives(Who(Selector.MY_WEAPON), 2)) == "Your weapon has +2 attack."


def test_every_amount_has_its_wording():
    for unit in (Op.DAMAGE, Op.DRAW, Op.SUMMON, Op.BUFF):
        words = {}
        for amount in Amount:
            m = {Amount.WITH_KEYWORD: Keyword.TAUNT, Amount.BETWEEN: 4}.get(amount, Race.BEAST)
            value = Value(amount, 3, int(m))
            words[amount] = scene(Event.DAMAGED).row(row(unit, value))
        distinct(words)


def test_every_condition_has_its_wording():
    race = (If.OTHER_RACE, If.HOLD_RACE, If.HOLD_TWO, If.TARGET_RACE)
    args = dict.fromkeys(race, int(Race.BEAST)) | {
        If.RACE_AT_LEAST: int(Race.BEAST), If.COUNTED: int(Counter.SPELLS_CAST),
        If.RULE: int(Rule.POWER_AIMS)}
    for word in (when, unless):
        tests = {test: Condition(test, args.get(test, 30), MY_MINIONS, n=3) for test in If if test}
        kinds = (If.DEFENDER_KIND, If.HOLD_KIND, If.JOUST, If.NONE_IN_DECK, If.REVEALED)
        tests |= {test: Condition(test, int(Kind.SPELL)) for test in kinds}
        words = {test: told(target=CHARACTER, battlecry=word(condition, draw()))
                 for test, condition in tests.items()}
        distinct(words)


def test_every_filter_has_its_wording():
    for head in ("card", "minion"):
        args = {Is.CARD: "hexfrog", Is.NOT_CARD: "hexfrog", Is.NAMESAKE: "hexfrog"}
        words = {test: phrases.noun_of(CARDS, Filter(test, args.get(test, 2)), head).singular()
                 for test in Is}
        assert words.pop(Is.IN_PLAY) not in words.values()
        distinct(words)


PLAYERS = (Whose.MINE, Whose.THEIRS, Whose.ANY)
THINGS = (*PLAYERS, Whose.OWN, Whose.MY_OTHERS, Whose.ANY_OTHER)
ANSWERED = {  # what an event can be asked; all else makes no sense and has no wording
    **dict.fromkeys(Event, THINGS),
    **dict.fromkeys((Event.TURN_START, Event.TURN_END, Event.OVERLOADED, Event.POWER_USED,
                     Event.SECRET_REVEALED, Event.ARMOR_GAINED, Event.EQUIPPED,
                     Event.WEAPON_DESTROYED, Event.SHUFFLED, Event.POWER_KILLED), PLAYERS),
    Event.TARGETED: (*PLAYERS, Whose.MY_AIM),
    Event.DAMAGED: (*THINGS, Whose.BY_OWN, Whose.BY_MY_HERO),
    Event.ATTACKS: (*THINGS, Whose.AT_ME, Whose.AT_MINIONS, Whose.BY_OWN),
    Event.AFTER_ATTACK: (*THINGS, Whose.AT_ME, Whose.AT_MINIONS),
}


def test_every_event_and_whose_it_is_has_its_wording():
    distinct({(event, whose): told(on=whenever(event, whose, draw()))
              for event, all_whose in ANSWERED.items() for whose in all_whose})
    distinct({zone: told(on=Trigger(Event.DRAWN, Whose.OWN, (draw(),), zone=zone))
              for zone in Zone})


@pytest.mark.parametrize("trigger", [
    whenever(Event.TURN_START, Whose.OWN, draw()), whenever(Event.PLAYED, Whose.AT_ME, draw()),
    whenever(Event.HEALED, Whose.BY_OWN, draw())])
def test_what_makes_no_sense_has_no_wording(trigger):
    with pytest.raises(CardError, match="no wording for"):
        told(on=trigger)


def test_needs_costs_rules_and_keywords_have_their_wordings():
    distinct({need: told(need=need) for need in Need if need})
    distinct({rule: told(cost_rule=rule) for rule in CostRule if rule})
    distinct({rule: " ".join(text({"x": minion("x", "X", 1, 1, 1, rule)}, "x")) for rule in Rule})
    told_by_text = {Keyword.DEATHRATTLE, Keyword.INSPIRE, Keyword.BATTLECRY}
    distinct({keyword: " ".join(text({"x": minion("x", "X", 1, 1, 1, keyword)}, "x"))
              for keyword in set(Keyword) - told_by_text})
    distinct({keyword: told(aura=gives_keywords(SELF, keyword)) for keyword in Keyword})


def test_auras_of_every_shape_differ():
    shapes = [gives(SELF, 1), gives(SELF, 0, 1), gives(SELF, 1, 1), enrage(1), costs(1, Filter()),
              costs(-1, Filter()), costs(1, Filter(), both=True), costs(-1, Filter(), least=1),
              Aura(SELF, follow=True), Aura(SELF, 1, each=Race.BEAST)]
    distinct({shape: told(aura=shape) for shape in shapes})


def test_pools_of_every_rule_differ():
    rules = [Pool(), Pool(Kind.SPELL), Pool(cls=Class.MAGE), Pool(cost=3), Pool(race=Race.BEAST),
             own_cards(), enemy_class_cards(), cards_with(having(Keyword.TAUNT))]
    distinct({pool: phrases.pool_noun({}, pool).singular() for pool in rules})


def test_a_term_without_wording_is_an_error(monkeypatch):
    monkeypatch.delitem(OPS, Op.FREEZE)
    with pytest.raises(CardError, match=r"no wording for <Op\.FREEZE"):
        said("Frostbolt")


# -- how a text is told ---------------------------------------------------------------------------


def test_the_target_is_named_in_the_only_branch_that_is_about_it():
    cry = when(Condition(If.HOLD_RACE, Race.DRAGON), damage(3))
    assert told(target=CHARACTER, battlecry=cry) == (
        "Battlecry: if you hold a Dragon, deal 3 damage to a character.")


def test_what_follows_a_condition_is_a_sentence():
    assert told(battlecry=[when(HAVE_WEAPON, draw()), draw(2)]) == (
        "Battlecry: if you have a weapon, draw a card. Draw 2 cards.")
    assert told(battlecry=unless(HAVE_WEAPON, draw())) == (
        "Battlecry: unless you have a weapon, draw a card.")


def test_a_text_about_a_target_needs_one():
    with pytest.raises(CardError, match="refers to a target"):
        told(battlecry=damage(1, TARGET))


def test_what_a_card_makes():
    names = {name: [CARDS[id].name for id in makes(CARDS, tables.by_name()[name])]
             for name in ("Soul of the Forest", "Lord Jaraxxus", "Archmage Antonidas", "Fireball")}
    assert names == {
        "Soul of the Forest": ["Treant"],
        "Lord Jaraxxus": ["Lord Jaraxxus", "INFERNO!", "Blood Fury", "Infernal"],
        "Archmage Antonidas": ["Fireball"],
        "Fireball": [],
    }
    assert len(makes(CARDS, "CFM_621")) == 29 + 4  # Kazakus: parts, demons and a sheep
    assert makes(CARDS, "HERO_08") == ["CS2_034"]


def test_no_two_options_of_a_card_are_told_alike() -> None:
    known = tables.cards("cig2018")
    told = {card.name: [show.option_text(card.options, i, "cig2018")
                        for i in range(len(card.options))]
            for card in known.values() if card.options}
    assert all(len(set(options)) == len(options) for options in told.values())
    assert told["Wrath"] == ["Wrath (deal 3 damage to a minion)",
                             "Wrath (deal 1 damage to a minion, then draw a card)"]
    assert told["Druid of the Claw"] == ["Cat Form", "Bear Form", "both"]
