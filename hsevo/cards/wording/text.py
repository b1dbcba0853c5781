"""English texts of cards, generated from their rows: `text(cards(), id)`.

Sentences follow the order in which the rows run. The target is named once and then called "it"; if
a condition or an amount refers to it first, the text begins with "choose a ...". "You" is the
player that controls the card. In a text given to a minion, it is the player that gave it; in a
given Deathrattle, the player that controls the minion when it dies (engine: events.fire_minion,
deaths.push_deathrattle).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hsevo.cards.ops import Op
from hsevo.cards.sets import heroes, potions
from hsevo.cards.terms import (
    Amount,
    CostRule,
    Event,
    If,
    Is,
    Keyword,
    Kind,
    Need,
    Race,
    Rule,
    Selector,
    Shift,
    Whose,
    Zone,
)
from hsevo.cards.vocabulary.model import (
    ALWAYS,
    Aura,
    Card,
    Condition,
    Filter,
    Row,
    Trigger,
)
from hsevo.cards.wording import held as _held  # noqa: F401 (it adds its clauses)
from hsevo.cards.wording.clauses import stats
from hsevo.cards.wording.costs import COSTS, NEEDS, RULES
from hsevo.cards.wording.phrases import (
    ABOUT_TARGET,
    ATTACKED,
    CARD_DEEDS,
    COUNTERS,
    DEEDS,
    DONE_BY_CARDS,
    FIRST,
    HAPPENINGS,
    KEYWORDS,
    KINDS,
    MOMENTS,
    OWN_DEEDS,
    OWNERS,
    PLAYERS,
    RACES,
    SIDES,
    SINGLES,
    TOLD_BY_TEXT,
    TURNS,
    Cards,
    a,
    a_card,
    keywords,
    listed,
    many,
    noun_of,
    parted,
    phrase,
)
from hsevo.cards.wording.scene import TextScene

ABOUT_AIMED = (Amount.AIMED_ATTACK, Amount.AIMED_HEALTH)
AIMED = (Selector.TARGET, Selector.AROUND_TARGET, Selector.NEXT_TO_TARGET,
         Selector.TARGET_ENEMIES)


def text(cards: Cards, id: str) -> list[str]:
    """Return a card's text, one string per part; [] for a card without text.

    `cards` are those of a ruleset (`tables.cards`). Raises CardError for a term without wording.
    """
    card = cards[id]
    return [
        *_hero(cards, card),
        *_traits(cards, card),
        *_play(cards, card),
        *_quest(cards, card),
        *(_trigger(cards, card, trigger) for trigger in card.triggers),
        *(_aura(cards, card, aura) for aura in card.auras),
        *_program(cards, card, card.deathrattle, "Deathrattle: "),
        *_program(cards, card, card.at_start, "When the game begins, "),
        *([f"Each turn that this is in your hand, it becomes {_shifted(card)}."]
          if card.shifts is not Shift.NOTHING else []),
        *(["When it enters your hand, it becomes"
           f" {TextScene(text, cards, card).one_of(card.becomes)} at random."]
          if card.becomes else []),
        *(["Keeps its enchantments when it is destroyed."] if card.keeps else []),
        *_program(cards, card, card.drawn, "When you draw this, "),
        *_program(cards, card, card.discarded, "If you discard this, "),
        *([f"While this is in your hand, it is a copy, as a {card.attack}/{card.health}, of the"
           " minion that you played last; its cost stays."] if card.mimics else []),
        *(["It has all bonuses that you have given to your C'Thun."] if card.grows else []),
        *([f"Overload: {card.overload}."] if card.overload else []),
        *_need(card),
    ]


def _need(card: Card) -> list[str]:
    """Return a sentence for what a card needs."""
    if card.need is Need.NEVER:
        return ["It can't be used."]
    return [f"Requires {phrase(NEEDS, card.need)}."] if card.need is not Need.NOTHING else []


def _hero(cards: Cards, card: Card) -> list[str]:
    """Return sentences for a hero that is played."""
    if not card.power:
        return []
    power = cards[card.power]
    return [f"Gain {card.armor} armor.", f"Your hero power becomes {power.name}."]


def _shifted(card: Card) -> str:
    """Return what a card becomes each turn that it is in hand."""
    if card.shifts is Shift.LIKE_ENEMY_HAND:
        return "a random card in your opponent's hand"
    return f"a random {'Mage ' if card.kind is Kind.SPELL else ''}{KINDS[card.kind]}"


def makes(cards: Cards, id: str) -> list[str]:
    """Return the ids of all cards that a card's text names, directly or not, without duplicates."""
    reached: dict[str, None] = {}
    waiting = [id]
    while waiting:
        new = [created for created in _names(cards[waiting.pop(0)])
               if created not in (id, *reached)]
        reached |= dict.fromkeys(new)
        waiting += [created for created in new if not cards[created].collectible]
    return [created for created in reached if cards[created].kind is not Kind.NONE]


def _names(card: Card) -> list[str]:
    rows = [*card.play, *card.combo, *card.deathrattle, *card.drawn, *card.discarded,
            *card.at_start, *(row for trigger in card.triggers for row in trigger.rows)]
    pools = [id for row in rows for pool in row.pools() for id in pool.cards]
    parts = [part.id for parts in potions.PARTS for part in parts]
    return [
        *card.options,
        *([card.power] if card.power else []),
        *([card.twin] if card.twin else []),
        *(row.card for row in rows if isinstance(row.card, str)),
        *pools,
        *(card.becomes.cards if card.becomes else ()),
        *(parts if any(row.op is Op.KAZAKUS_PART for row in rows) else ()),
        *([card.reward] if card.reward else ()),
        *(power for hero, power in heroes.BY_CLASS.values() if hero == card.id),
    ]


# -- sentences ----------------------------------------------------------------------------------


def _sentence(prefix: str, clauses: Sequence[str]) -> str:
    """Join clauses as sentences; the first continues the prefix."""
    first, *rest = clauses
    said = (prefix + first if prefix else _upper(first), *map(_upper, rest))
    said = tuple(clause.rstrip(",") for clause in said)
    return " ".join(clause + ("" if clause.endswith(("!", "...")) else ".") for clause in said)


def _upper(words: str) -> str:
    return words[0].upper() + words[1:]


_KEYWORDS = [(keyword, int(keyword)) for keyword in Keyword]


def _traits(cards: Cards, card: Card) -> list[str]:
    """Return sentences for keywords, Spell Damage, rules and the cost rule."""
    told = int(card.keywords & ~TOLD_BY_TEXT)
    bits = [k for k, bit in _KEYWORDS if told & bit and not _lends(card, k)] if told else []
    plain = [phrase(KEYWORDS, k) for k in bits if not phrase(KEYWORDS, k).startswith('"')]
    quoted = [_upper(phrase(KEYWORDS, k).strip('"')) for k in bits
              if phrase(KEYWORDS, k).startswith('"')]
    plain = (["Magnetic"] if card.magnetic else []) + plain
    traits = [", ".join(plain), *quoted]
    if card.twin:
        traits.append("Twinspell: when you play this, a copy without Twinspell enters your hand")
    if card.dormant:
        traits.append("Dormant")
    if card.spell_damage:
        traits.append(f"Spell Damage +{card.spell_damage}")
    if card.power_damage:
        traits.append(f"Your hero power deals {card.power_damage} more damage")
    if card.doubles_power:
        traits.append("Your hero power deals double damage and healing")
    if card.doubles_healing:
        traits.append("All that you restore is doubled")
    if card.widens_power:
        traits.append("Your hero power also targets the minions next to its target")
    if card.takes_for_neighbors:
        traits.append("This minion takes damage instead of the minions next to it")
    if card.lends_echo:
        traits.append("Minions that you play have Echo")
    if card.rules:
        traits += [_upper(phrase(RULES, rule).format(your="your")) for rule in Rule
                   if card.rules & rule]
    if card.doubles_combos:
        traits.append("This is for minions only; their Combos trigger twice, too")
    if card.doubles_weapons:
        traits.append("So do those of your weapons")
    if card.cost_rule is not CostRule.NONE:
        counted = cards[card.cost_arg].name if card.cost_arg else ""
        traits.append(f"Costs {phrase(COSTS, card.cost_rule).format(arg=counted)}")
    return [f"{trait}." for trait in traits if trait]


def _lends(card: Card, keyword: Keyword) -> bool:
    """Return whether a weapon's aura gives its keyword to the hero, so the text names it there."""
    return card.kind is Kind.WEAPON and any(
        aura.keywords & keyword and aura.who.selector is Selector.MY_HERO
        and aura.when == ALWAYS for aura in card.auras)


def _play(cards: Cards, card: Card) -> list[str]:
    """Return sentences for playing the card: Battlecry or effect, Combo, options."""
    parts = []
    if not (card.secret or card.goal):
        cries = card.kind in (Kind.MINION, Kind.WEAPON, Kind.HERO)
        parts += _program(cards, card, card.play, "Battlecry: " if cries else "")
    prefix = "Combo: instead, " if card.play else "Combo: "
    parts += _program(cards, card, card.combo, prefix)
    if card.options:
        clauses = ("; ".join(_clauses(TextScene(text, cards, cards[id]), cards[id].play))
                   for id in card.options[:2])
        both = "".join(f"; with both effects: become {a_card(cards[id])}"
                       for id in card.options[2:])
        parts.append(f"Choose One: {'; or '.join(clauses)}{both}.")
    return parts


def _quest(cards: Cards, card: Card) -> list[str]:
    """Return a sentence for the goal and the reward of a quest."""
    if not card.goal:
        return []
    reward = a_card(cards[card.reward])
    return [f"Quest: with {card.goal} steps of progress, you get {reward}."]


def _program(cards: Cards, card: Card, rows: Sequence[Row], prefix: str) -> list[str]:
    return [_sentence(prefix, _clauses(TextScene(text, cards, card), rows))] if rows else []


def _trigger(cards: Cards, card: Card, trigger: Trigger) -> str:
    scene = TextScene(text, cards, card, trigger.event)
    moment = _moment(cards, card, trigger)
    if trigger.zone is Zone.DECK:
        moment += " while this card is in your deck"
    if trigger.zone is Zone.HAND:
        moment += " while this card is in your hand"
    if trigger.when != ALWAYS:
        moment += f", {scene.condition(trigger.when)}"
    if trigger.also != ALWAYS:
        moment += f" and {scene.condition(trigger.also).removeprefix('if ')}"
    if trigger.zone is Zone.SECRET:
        moment = f"Secret: {moment[0].lower()}{moment[1:]}".replace("whenever", "when", 1)
    clauses = _clauses(scene, trigger.rows)
    if trigger.when != ALWAYS and clauses[0].startswith("if ") and "; otherwise" not in clauses[0]:
        clauses[0] = clauses[0].removeprefix("if ")
        moment += " and"
    elif moment != "Inspire":
        moment += ","
    else:
        moment += ":"
    return _sentence(f"{moment} {FIRST.get(trigger.event, '')}", clauses)


def _moment(cards: Cards, card: Card, trigger: Trigger) -> str:
    """Return when a trigger fires: "Whenever you cast a spell"."""
    event, whose = trigger.event, trigger.whose
    if event in (Event.TURN_START, Event.TURN_END):
        return f"At the {event.name[5:].lower()} of {phrase(TURNS, whose)}"
    if event is Event.POWER_USED and whose is Whose.MINE:
        return "Inspire"
    return f"{MOMENTS.get(event, 'Whenever')} {_happening(cards, card, trigger)}"


def _happening(cards: Cards, card: Card, trigger: Trigger) -> str:
    event, whose = trigger.event, trigger.whose
    if event in HAPPENINGS:
        return _suffered(cards, trigger)
    if event is Event.TARGETED:
        if whose is Whose.MY_AIM:
            return "one of your spells targets this minion"
        aimed = noun_of(cards, trigger.only, "character").singular()
        return f"{_one_of_theirs(whose, 'spell')} targets {a(aimed)}"
    if whose is Whose.MY_SPELL_HERE:
        return "you cast a spell on this minion"
    if whose is Whose.MY_SPELL_ON_FRIEND:
        if card.goal:
            return "you cast a spell on a friendly minion"
        return "you cast a spell on another friendly minion"
    if whose is Whose.OWN:
        return phrase(OWN_DEEDS, event)
    if whose is Whose.MY_SUMMONED:
        return "a card summons a minion for you"
    if event is Event.SECRET_REVEALED:
        return f"{_one_of_theirs(whose, 'secret')} is revealed"
    player = phrase(PLAYERS, whose)
    if event in DEEDS:
        aimed = " on a character" if whose is Whose.MY_AIMED else ""
        return f"{player} {DEEDS[event][player != 'you']}{aimed}"
    verbs = phrase(CARD_DEEDS, event)
    noun = noun_of(cards, trigger.only, verbs[2])
    verb = verbs[player != "you"]
    if trigger.only.test is Is.SPELL_BUT or trigger.only in (
            Filter(Is.KIND, int(Kind.SPELL)), Filter(Is.SECRET)):
        verb = verb.replace("play", "cast")
    is_other = whose in (Whose.MY_OTHERS, Whose.ANY_OTHER)
    return f"{player} {verb} {_another(noun.singular(), card) if is_other else a(noun.singular())}"


def _one_of_theirs(whose: Whose, noun: str) -> str:
    """Return "one of your spells", or "a spell" for either player's."""
    return a(noun) if whose is Whose.ANY else f"{phrase(OWNERS, whose)} {many(noun)}"


def _another(noun: str, card: Card) -> str:
    """Return "another minion" for a card that is one, but "a spell" for a minion."""
    alone = card.kind is not Kind.SPELL and (noun.startswith("spell") or noun == "secret")
    return a(noun) if alone else f"another {noun}"


def _suffered(cards: Cards, trigger: Trigger) -> str:
    """Return what happens to a character: "a friendly minion dies"."""
    event, whose = trigger.event, trigger.whose
    verb, head = HAPPENINGS[event]
    noun = noun_of(cards, trigger.only, head)
    if whose is Whose.BY_MY_CARDS:
        return f"one of your cards {DONE_BY_CARDS[event]} {a(noun.singular())}"
    if whose is Whose.ON_ME_BY_MY_CARDS:
        return f"one of your cards {DONE_BY_CARDS[event]} your hero"
    if whose is Whose.OWN:
        return f"this minion {verb}"
    if whose is Whose.BY_MY_SPELL:
        return f"a spell of yours damages {a(noun.singular())}"
    if whose is Whose.BY_MY_HERO:
        return f"your hero damages {a(noun.singular())} by an attack"
    if whose is Whose.BY_OWN and event is Event.DAMAGED:
        return f"this minion damages {a(noun.singular())}"
    if whose is Whose.BY_OWN and event is Event.ATTACKS:
        return f"{a(noun.singular('enemy'))} {verb} this minion"
    if whose in ATTACKED and event in (Event.ATTACKS, Event.AFTER_ATTACK):
        return f"{a(noun.singular('enemy'))} {verb} {ATTACKED[whose]}"
    if noun.head == "hero" and whose in (Whose.MINE, Whose.THEIRS):
        return f"{'your' if whose is Whose.MINE else 'the enemy'} hero {verb}"
    return f"{a(noun.singular(phrase(SIDES, whose)))} {verb}".replace("an other", "another")


def _aura(cards: Cards, card: Card, aura: Aura) -> str:
    scene = TextScene(text, cards, card)
    when = aura.when != ALWAYS
    end = f" {scene.condition(aura.when, 'while')}" if when else ""
    if aura.price >= 0:
        noun = noun_of(cards, aura.who.filter, "card").plural("" if aura.theirs else "your")
        hands = " in both players' hands" if aura.theirs else ""
        return f"{_upper(noun)} cost {aura.price}{hands}{end}."
    if aura.cost:
        whose = "" if aura.theirs else "your opponent's" if aura.only_theirs else "your"
        noun = noun_of(cards, aura.who.filter, "card").plural(whose)
        end += " in both players' hands" if aura.theirs else ""
        end += f", but not less than {aura.least}" if aura.least else ""
        return f"{_upper(noun)} cost {abs(aura.cost)} {'more' if aura.cost > 0 else 'less'}{end}."
    whom = scene.whom(aura.who).removeprefix("all ")
    end = end.replace(whom, "it")
    if aura.follow and aura.who.selector is Selector.MY_WEAPON:
        return f"The attack of {whom} is always equal to your armor{end}."
    if aura.follow:
        return f"The attack of {whom} is always equal to its health{end}."
    gifts = [stats(aura.attack, aura.health)] if aura.attack or aura.health else []
    gifts += [f"Spell Damage +{aura.spell_damage}"] if aura.spell_damage else []
    each = f" for each other {RACES[aura.each]} in play" if aura.each is not Race.NONE else ""
    each += f" for each {phrase(COUNTERS, aura.per)}" if aura.per is not None else ""
    does = _does(gifts, keywords(aura.keywords), aura.who.selector in SINGLES)
    return f"{_upper(whom)} {does}{each}{end}."


def _does(gifts: list[str], words: list[str], single: bool) -> str:
    """Return what characters have, are and can: "has +1 attack and is Immune"."""
    have, can = parted(words)
    immune = [word for word in have if word.startswith("Immune")]
    gifts = gifts + [word for word in have if word not in immune]
    has, be = ("has", "is") if single else ("have", "are")
    return listed([*([f"{has} {listed(gifts)}"] if gifts else []),
                   *([f"{be} {listed(immune)}"] if immune else []), *can])


# -- programs -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Branch:
    """Rows under conditions (each negated or not), and the rows otherwise."""

    tests: tuple[Row, ...]
    rows: tuple["_Node", ...]
    otherwise: tuple["_Node", ...] = ()


_Node = Row | _Branch


def _parse(rows: Sequence[Row], known: Row | None) -> tuple[_Node, ...]:
    """Return rows as a tree of branches; a condition that `known` implies is no branch."""
    nodes: list[_Node] = []
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        if row.op is not Op.SKIP:
            nodes.append(row)
            continue
        end = at + row.rows
        tests = [row]
        while rows[at].op is Op.SKIP and at + 1 + rows[at].rows == end:
            tests.append(rows[at])
            at += 1
        inner, at = rows[at:end], end
        tests = [test for test in tests if known is None or replace(test, rows=0) != known]
        if not tests:
            nodes += _parse(inner, known)
        elif inner[-1].op is Op.END:
            nodes.append(_Branch(tuple(tests), _parse(inner[:-1], known), _parse(rows[at:], known)))
            break
        else:
            nodes.append(_Branch(tuple(tests), _parse(inner, known)))
    return tuple(nodes)


def _asks_target(node: _Node) -> bool:
    """Return whether a row, or anything in a branch, is about the text's target."""
    if isinstance(node, _Branch):
        return any(test.when.test in ABOUT_TARGET for test in node.tests) or any(
            map(_asks_target, node.rows + node.otherwise))
    return (node.who.selector in AIMED or node.value.amount in ABOUT_AIMED
            or node.op in (Op.COPY_OF, Op.MARK))


def _names_target(nodes: Sequence[_Node]) -> bool:
    """Return whether the target's first mention can name it: "destroy a minion, then ... it"."""
    about = [node for node in nodes if _asks_target(node)]
    if not about:
        return True
    first = about[0]
    if isinstance(first, Row):
        return first.op in (Op.COPY_OF, Op.MARK) or (
            first.who.selector in (Selector.TARGET, Selector.AROUND_TARGET)
            and first.value.amount not in ABOUT_AIMED)
    if len(about) > 1 or any(test.when.test in ABOUT_TARGET for test in first.tests):
        return False
    sides = [side for side in (first.rows, first.otherwise) if any(map(_asks_target, side))]
    return len(sides) == 1 and _names_target(sides[0])


def _clauses(scene: TextScene, rows: Sequence[Row]) -> list[str]:
    """Return the sentences of a program, without capitals and full stops."""
    nodes = _parse(rows, _known(scene.card))
    lead = [] if _names_target(nodes) else [f"choose {scene.target()}"]
    return lead + _sentences(scene, nodes)


def _known(card: Card) -> Row | None:
    """Return the test that every legal target of a card passes."""
    if card.target is None or card.target.filter.test is not Is.RACE:
        return None
    race = card.target.filter.arg
    assert isinstance(race, int), "a race is a number"
    return Row(Op.SKIP, when=Condition(If.TARGET_RACE, race))


def _sentences(scene: TextScene, nodes: Sequence[_Node]) -> list[str]:
    """Return a sentence for each chain of rows and each branch."""
    sentences: list[str] = []
    chain: list[str] = []
    for node in nodes:
        if isinstance(node, Row):
            chain.append(scene.row(node))
            continue
        sentences += _chained(chain)
        chain = []
        if node.tests[0].when.test is If.KNOWN:  # what it says to those who know it
            sentences += _sentences(scene, node.rows)
            continue
        sentences.append(_branch(scene, node))
    return sentences + _chained(chain)


def _branch(scene: TextScene, node: _Branch) -> str:
    """Return the clauses of a branch; what both of its sides have in common is written once."""
    lead = _lead(scene, node)
    while (same := _alternative(node)) is not None:
        node = same
        lead += _lead(scene, node).replace("if", " or", 1)
    text = f"{lead}, {'; '.join(_sentences(scene, node.rows))}"
    if node.otherwise:
        otherwise = "; ".join(_sentences(scene, node.otherwise))
        text += f"; otherwise{',' if otherwise.startswith('if ') else ''} {otherwise}"
    return text


def _lead(scene: TextScene, node: _Branch) -> str:
    tests = [scene.condition(test.when, negated=test.negated) for test in node.tests]
    return " and ".join((tests[0], *(test.removeprefix("if ") for test in tests[1:])))


def _alternative(node: _Branch) -> _Branch | None:
    """Return the branch in `otherwise` that does the same under one other condition, if any."""
    match node.otherwise:
        case (_Branch((test,), rows) as other,) if (
                rows == node.rows and len(node.tests) == 1
                and not (test.negated or node.tests[0].negated)):
            return other
    return None


def _chained(chain: Iterable[str]) -> list[str]:
    """Join clauses, and merge equal neighbours: "a, then b twice"."""
    clauses: list[str] = []
    times: list[int] = []
    for clause in chain:
        if clauses and clauses[-1] == clause:
            times[-1] += 1
        else:
            clauses.append(clause)
            times.append(1)
    often = {1: "", 2: ", twice"}
    said = [clause + often.get(n, f", {n} times") for clause, n in zip(clauses, times, strict=True)]
    return [", then ".join(said)] if said else []
