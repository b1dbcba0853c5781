"""The wording of each operation of a text: one clause per row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Gains, Kind, Rule, Selector
from hsevo.cards.vocabulary.model import Pool, Row, Value, Who
from hsevo.cards.wording.costs import RULES
from hsevo.cards.wording.phrases import (
    EACH,
    GROUPS,
    a,
    counted,
    keywords,
    listed,
    noun_of,
    parted,
    phrase,
    pool_noun,
)
from hsevo.cards.wording.scene import ONE, OPS, TextScene

NOT_INCREASED = " (not increased by Spell Damage)"


def _damage(s: TextScene, row: Row) -> str:
    head, tail = s.much(row.value, "damage")
    times = {0: NOT_INCREASED, 1: "", 2: " (Spell Damage counts twice)"}
    empowered = s.card.kind is Kind.SPELL and not row.by_target
    note = phrase(times, row.spell_damage) if empowered else ""
    verb = "it deals" if row.by_target else "deal"
    return f"{verb} {head} to {s.whom(row.who)}{tail}{note}"


def _buff(s: TextScene, row: Row) -> str:
    gains = _gains(s, row)
    attack, health = row.gains is not Gains.HEALTH, row.gains is not Gains.ATTACK
    if row.value.amount is Amount.LITERAL:
        n = row.value.n
        return f"{gains} {stats(n if attack else 0, n if health else row.health)}"
    if row.value.amount is Amount.BETWEEN:
        return f"{gains} {s.much(row.value, 'attack', '+')[0]}"
    if row.value.amount in EACH:
        n = row.value.n or 1
        return f"{gains} {stats(n * attack, n * health)}{s.much(row.value, '')[1]}"
    what = listed([stat for stat, gained in (("attack", attack), ("health", health)) if gained])
    more_health = f" and {row.health:+} health" if row.health and not health else ""
    return f"{gains} {what}{s.much(row.value, '')[1]}{more_health}"


def _gains(s: TextScene, row: Row) -> str:
    return "gain" if row.who.selector is Selector.SELF else f"give {s.whom(row.who)}"


def _give(s: TextScene, row: Row) -> str:
    have, can = parted(keywords(row.keywords))
    if not have:
        whom = s.whom(row.who)
        return f"{'they' if whom == 'them' else whom} {listed(can)}"
    return f"{_gains(s, row)} {listed(have)}{f'; it {listed(can)}' if can else ''}"


def _give_this_turn(s: TextScene, row: Row) -> str:
    return f"{_give(s, row).removesuffix(' this turn')} until the end of the turn"


def stats(attack: int, health: int) -> str:
    """Return "+2/+1", "+2 attack"."""
    if attack and health:
        return f"{attack:+}/{health:+}"
    return f"{health:+} health" if health else f"{attack:+} attack"


def _buff_weapon(s: TextScene, row: Row) -> str:
    head, tail = s.much(row.value, "attack", "+")
    more = f"+{row.health} durability"
    if row.value == Value(Amount.LITERAL, 0):
        return f"give your weapon {more}"
    return f"give your weapon {head}{f' and {more}' if row.health else ''}{tail}"


def _set(stat: str) -> Callable[[TextScene, Row], str]:
    def clause(s: TextScene, row: Row) -> str:
        head, tail = s.much(row.value, "")
        to = tail.removeprefix(" equal to ") if not head.strip() else head.strip() + tail
        return f"set {s.of(stat, row.who)} to {to}"

    return clause


def _return(s: TextScene, row: Row) -> str:
    whom, n = s.whom(row.who), row.value.n
    several = row.who.selector in GROUPS and row.who.pick != 1
    where = "their owners' hands" if several else "its owner's hand"
    if row.price:
        return f"return {whom} to {where}, where {'they cost' if several else 'it costs'}" \
            f" {row.price - 1}"
    if row.bigger:
        return f"return {whom} to {where}, and give it {stats(row.bigger, row.bigger)}"
    then = "" if not n else f", where {'they cost' if several else 'it costs'} {abs(n)} "
    return f"return {whom} to {where}{then}{'more' if n > 0 else 'less' if n else ''}"


def _attach(s: TextScene, row: Row) -> str:
    rules_text = " ".join(s.text(s.cards, str(row.card))).removesuffix(".")
    hero = row.who.selector is Selector.MY_HERO and not s.cards[str(row.card)].lasts
    times = "" if row.value.amount is Amount.LITERAL else ", as many times"
    until = " until the end of the turn" if hero else ""
    return f'give {s.whom(row.who)} "{rules_text}"{times}{until}'


def _later(s: TextScene, row: Row) -> str:
    later = " ".join(s.text(s.cards, str(row.card))).removesuffix(".")
    moment = "this turn" if row.this_turn else "your turn"
    return f"at the end of {moment}, {later[0].lower()}{later[1:]}"


def _summon(s: TextScene, row: Row) -> str:
    this = "this minion" if s.card.discarded else "this minion again"
    what = this if row.card == 0 else "it again" if row.card == -1 else ""
    for_enemy = _for_enemy(row)
    if row.small:
        return f"summon a {row.small}/{row.small} copy of {what.removesuffix(' again')}"
    if row.value == ONE:
        return f"summon {what or s.a_card(row.card)}{for_enemy}"
    head, tail = s.cards_of(row.value, "copy")
    return f"summon {head} of {what or s.card_of(row.card)}{for_enemy}{tail}"


def _summon_from_deck(s: TextScene, row: Row) -> str:
    noun = noun_of(s.cards, row.who.filter, "minion")
    if row.theirs:
        return f"your opponent summons {a(noun.singular('random'))} from their deck"
    if row.value.amount is Amount.NOTED_MINIONS:
        return f"for each of them, summon {a(noun.singular('random'))} from your deck"
    single = row.value == ONE
    gains = f", and give them {listed(keywords(row.keywords))}" if row.keywords else ""
    return "summon" \
        f" {a(noun.singular('random')) if single else noun.plural(f'{row.value.n} random')}" \
        f" from your deck{gains}"


def _copy_from_deck(s: TextScene, row: Row) -> str:
    if not row.theirs:
        if row.value.n == 0 and not row.new:
            copies = "a copy" if row.copies == 0 else counted(1 + row.copies, "copy")
            return f"summon {copies} of a random minion in your deck"
        which = "each minion in your deck, in random order" if row.new \
            else "a random minion in your deck"
        return f"summon {_copy_of_size(row.value.n)} of {which}"
    return ("summon a copy of a random minion in your opponent's deck, or"
            f" {s.a_card(row.card)} if there is none")


def _summon_copy(s: TextScene, row: Row) -> str:
    where = " to its left" if row.left else ""
    if _is_several(row.who):
        size = f", each {row.small}/{row.small}" if row.small else ""
        return f"summon copies of {s.whom(row.who)}{size}{where}"
    left = f" with {row.health} health remaining" if row.health else ""
    copy = _copy_of_size(row.small) if row.small else "a copy"
    return f"summon {copy} of {s.whom(row.who)}{left}{where}"


def _copy_of_size(n: int) -> str:
    return "a 1/1 copy" if n == 1 else f"a copy, as a {n}/{n},"


def _is_several(who: Who) -> bool:
    """Return whether an effect is on more than one character."""
    return who.selector in GROUPS and who.pick != 1


def _transform_by_cost(s: TextScene, row: Row) -> str:
    n = row.value.n
    cost = f"{abs(n)} {'more' if n > 0 else 'less'}" if n else "the same"
    several = _is_several(row.who)
    into = "random minions that cost" if several else "a random minion that costs"
    return f"transform {s.whom(row.who)} into {into} {cost}"


def _summon_dead(s: TextScene, row: Row) -> str:
    noun, n = noun_of(s.cards, row.who.filter, "minion"), row.value.n
    side = "" if row.both else "friendly"
    which = f"random{' different' if row.new else ''}"
    some = a(noun.singular(which, side)) if n == 1 else noun.plural(f"{n} {which}", side)
    joined = "; they keep the Magnetic minions that had joined them" if row.upgraded else ""
    return f"summon {some} that died this game{', each 1/1' if row.small else ''}{joined}"


def _summon_remembered(s: TextScene, row: Row) -> str:
    if row.mine:
        return f"summon {row.value.n} copies of the minion that this one remembers"
    return "summon the minion that this one remembers, for the player who controlled it"


def _summon_chosen(s: TextScene, row: Row) -> str:
    single = row.pool or row.value.n < 2
    return "summon it" if single else f"summon {counted(row.value.n, 'copy')} of it"


def _jade(s: TextScene, row: Row) -> str:
    cards = _pool(row).cards
    first, last = s.card_of(cards[0]), s.card_of(cards[-1])
    return (f"summon a Jade Golem (your first is {_body(first)}, and each later one is +1/+1"
            f" larger, up to {_body(last)})")


def _body(card: str) -> str:
    return card.partition("(")[2].rstrip(")")


def _discard(s: TextScene, row: Row) -> str:
    if row.value.amount is Amount.HAND:
        return "discard your hand"
    head, tail = s.cards_of(row.value, "random card")
    return f"discard {head}{tail}"


def _shuffle(s: TextScene, row: Row) -> str:
    this = "this minion" if s.card.kind is Kind.MINION else "this card"
    if row.card == -1:
        what = "a copy of it"
    elif row.value == ONE:
        what = s.a_card(row.card) if row.card else this
    else:
        what = f"{row.value.n} copies of {s.card_of(row.card) if row.card else this}"
    priced = ", where it costs 1" if row.priced else ""
    return f"shuffle {what} into {_deck(row)}{priced}"


def _aim(s: TextScene, row: Row) -> str:
    chosen = s.whom(row.who)
    s.said = True
    return f"choose {chosen}"


def _summon_weaker(s: TextScene, row: Row) -> str:
    than = s.much(row.value, "")[1].removeprefix(" equal to ")
    return f"summon a random minion from your deck with an attack lower than {than}"


def _lose_top(s: TextScene, row: Row) -> str:
    if row.both:
        return f"destroy all cards of {_deck(row)}"
    lose = "your opponent loses" if row.theirs else "lose"
    if row.value.amount is Amount.HALF_DECK:
        return f"destroy half of {_deck(row)} (rounded up)"
    if row.value.amount is not Amount.LITERAL:
        return f"{lose} the top card of {'their' if row.theirs else 'your'} deck" \
            f"{s.much(row.value, '')[1]}"
    top = "the top card" if row.value == ONE else f"the top {row.value.n} cards"
    return f"{lose} {top} of {'their' if row.theirs else 'your'} deck"


def _add_dead(s: TextScene, row: Row) -> str:
    noun = noun_of(s.cards, row.who.filter, "minion")
    dead = a(noun.singular("random", "" if row.both else "friendly"))
    return f"add {dead} that died this game to your hand"


def _offer_deck(s: TextScene, row: Row) -> str:
    noun = noun_of(s.cards, row.who.filter, "card")
    return f"choose one of {noun.plural('3 random')} in {_deck(row)}"


def _offer_options(s: TextScene, row: Row) -> str:
    cards = [s.cards[id] for id in _pool(row).cards]
    if cards and all(card.kind is Kind.MINION for card in cards):
        return f"choose one: become {'; or '.join(s.a_card(card.id) for card in cards)}"
    texts = [" ".join(s.text(s.cards, card.id)).removesuffix(".") for card in cards]
    return f"choose one: {'; or '.join(text[0].lower() + text[1:] for text in texts)}"


def _offer_dead(s: TextScene, row: Row) -> str:
    noun = noun_of(s.cards, row.who.filter, "minion")
    return f"choose one of {noun.plural('3 random', 'friendly')} that died this game"


def _add(s: TextScene, row: Row) -> str:
    head, tail = s.cards_of(row.value, "copy")
    if row.small:
        return f"add a 1/1 copy of it, costing 1, to {_your(row)} hand"
    if row.card == -1:
        price = f"; it costs {row.price - 1}" if row.price else ""
        return f"add {'a copy' if row.value == ONE else head} of it to {_your(row)} hand{price}"
    if row.value == ONE:
        what = s.a_card(row.card) if row.card else "this card"
    else:
        what = f"{head} of {s.card_of(row.card) if row.card else 'this card'}"
    return f"add {what} to {_your(row)} hand{tail}"


def _cast_random(s: TextScene, row: Row) -> str:
    each = "" if row.value == ONE else s.much(row.value, "")[1]
    spell = a(pool_noun(s.cards, _pool(row)).singular("random"))
    return f"cast {spell}{each} (targets are random)"


def _add_copy(s: TextScene, row: Row) -> str:
    if row.small > 1:
        body = f"{row.small}/{row.small}"
        return f"add a copy of {s.whom(row.who)} to your hand, as a {body} that costs {row.small}"
    kind = "1/1" if row.small else "plain"
    copies = f"{kind} copies" if row.who.selector in GROUPS else f"a {kind} copy"
    which = f"{s.whom(row.who)}{', costing 1,' if row.small else ''}"
    return f"add {copies} of {which} to your hand"


def _your(row: Row) -> str:
    return "your opponent's" if row.theirs else "your"


def _deck(row: Row) -> str:
    return f"{_your(row)} deck"


def _for_enemy(row: Row) -> str:
    return " for your opponent" if row.theirs else ""


def _pool(row: Row) -> Pool:
    assert row.pool is not None  # else a bug in the card file
    return row.pool


def _discover(s: TextScene, row: Row) -> str:
    pools = row.pools()
    if len(pools) == 2:
        other = pool_noun(s.cards, pools[1]).plural()
        return f"choose one of {s.drawn_from(pools[0], Value(Amount.LITERAL, 3))}, or of {other}" \
            " if your class has none"
    if len(pools) == 1 and len(pools[0].cards) == 3:
        return f"choose {s.one_of(pools[0])}"
    if row.new:
        offered = s.drawn_from(pools[0], Value(Amount.LITERAL, 3))
        other = pool_noun(s.cards, pools[1]).plural()
        return (f"choose one of {offered}, but none that you have in play ({other} if your class"
                " has none)")
    if len(pools) == 1:
        return f"choose one of {s.drawn_from(pools[0], Value(Amount.LITERAL, 3))}"
    return "choose between " + listed(
        [a(pool_noun(s.cards, pool).singular("random")) for pool in pools])


def _copied(where: str) -> Callable[[TextScene, Row], str]:
    def clause(s: TextScene, row: Row) -> str:
        noun = noun_of(s.cards, row.who.filter, "card").head
        head, tail = s.cards_of(row.value, f"random {noun}")
        if row.theirs:
            return f"add a copy of {head} in your {where} to your opponent's hand{tail}"
        copies = "a copy" if row.value == ONE else "copies"
        return f"add {copies} of {head} in your opponent's {where} to your hand{tail}"

    return clause


def _crystals(s: TextScene, row: Row) -> str:
    gain = "your opponent gains" if row.theirs else "gain"
    head, tail = s.cards_of(row.value, "empty mana crystal" if row.empty else "mana crystal")
    return f"{gain} {head}{tail}"


def _rule(s: TextScene, row: Row) -> str:
    said = phrase(RULES, Rule(row.rule)).format(your=_your(row))
    said = said.replace(" more", f" {row.value.n} more") if row.value.n else said
    return f"{said} {'on their next turn' if row.theirs else 'this turn'}"


def _missiles(s: TextScene, row: Row) -> str:
    head, tail = s.much(row.value, "damage")
    note = "" if row.spell_damage else NOT_INCREASED
    return f"deal {head}{tail}, split at random among {s.whom(row.who)}{note}"


def _add_random(s: TextScene, row: Row) -> str:
    less = f"; it costs {row.cheaper} less" if row.cheaper else ""
    if row.value.amount is Amount.UP_TO:
        many_cards = pool_noun(s.cards, _pool(row)).plural("random")
        return f"add {many_cards} to your hand until you have {row.value.n} cards{less}"
    return f"add {s.drawn_from(_pool(row), row.value)} to {_your(row)} hand{less}"


def _cast_copy(s: TextScene, row: Row) -> str:
    on = "the new minion" if row.who.selector is Selector.LAST else s.whom(row.who)
    return f"cast a copy of it on {on}"


def _steal(s: TextScene, row: Row) -> str:
    if row.theirs:
        return f"give {s.whom(row.who)} to your opponent"
    then = " until the end of the turn; it can attack immediately" if row.this_turn else ""
    return f"take control of {s.whom(row.who)}{then}"


def _shuffle_away(s: TextScene, row: Row) -> str:
    deck = "your deck" if row.mine else "its owner's deck"
    deck = _deck(row) if row.theirs else deck
    return f"shuffle {s.whom(row.who)} into {deck}"


def _return_this(s: TextScene, row: Row) -> str:
    less = f", where it costs {row.cheaper} less" if row.cheaper else ""
    into = f" as {s.a_card(row.card)}" if isinstance(row.card, str) else ""
    return f"return {'it' if row.card == -1 else 'this minion'} to your hand{into}{less}"


def _chosen(s: TextScene, row: Row) -> str:
    n = row.value.n
    less = f"; it costs {row.cheaper} less" if row.cheaper else ""
    if row.small:
        body = f"{row.small}/{row.small}"
        return f"add the chosen card to your hand, as a {body} that costs {row.small}"
    return f"add the chosen card{f', with {stats(n, n)},' if n else ''} to your hand{less}"


class _Much:
    """An amount in a template: {much:damage} is "3 damage for each card in your hand".

    part: 0 for "3 damage" alone, 1 for the rest, None for both.
    """

    def __init__(self, s: TextScene, row: Row, part: int | None = None, sign: str = "") -> None:
        self.s, self.row, self.part, self.sign = s, row, part, sign

    def __format__(self, unit: str) -> str:
        parts = self.s.much(self.row.value, unit, self.sign)
        return "".join(parts) if self.part is None else parts[self.part]


class _Number:
    """A number of things in a template: {number:mana crystal} is "2 mana crystals"."""

    def __init__(self, s: TextScene, row: Row) -> None:
        self.s, self.row = s, row

    def __format__(self, noun: str) -> str:
        return "".join(self.s.cards_of(self.row.value, noun))


# what the templates of ops.py (`says`) can name
PARTS: dict[str, Callable[[TextScene, Row], object]] = {
    "who": lambda s, row: s.whom(row.who),
    "aim": lambda s, row: s.aim(),
    "gain": _gains,
    "n": lambda s, row: row.value.n,
    "much": _Much,
    "head": lambda s, row: _Much(s, row, 0),
    "tail": lambda s, row: _Much(s, row, 1),
    "plus": lambda s, row: _Much(s, row, sign="+"),
    "number": _Number,
    "of_n": lambda s, row: (" of 1" if row.value.amount in EACH else "")
    + s.much(row.value, "")[1] or f" of {row.value.n}",
    "attack": lambda s, row: s.of("attack", row.who),
    "health": lambda s, row: s.of("health", row.who),
    "stats": lambda s, row: s.of("attack and health", row.who),
    "keywords": lambda s, row: listed(keywords(row.keywords)),
    "either_keyword": lambda s, row: listed(keywords(row.keywords), "or"),
    "card": lambda s, row: s.card_of(row.card),
    "a_named": lambda s, row: s.a_card(row.card),
    "into": lambda s, row: (s.card_of if _is_several(row.who) else s.a_card)(row.card),
    "name": lambda s, row: s.name(row.card),
    "pool": lambda s, row: s.drawn_from(_pool(row), row.value),
    "one": lambda s, row: s.drawn_from(_pool(row), ONE),
    "one_of": lambda s, row: s.one_of(_pool(row)),
    "names": lambda s, row: listed([s.name(id) for id in _pool(row).cards]),
    "bigger": lambda s, row: f", each +{row.bigger}/+{row.bigger}" if row.bigger else "",
    "a_random_card": lambda s, row: a(noun_of(s.cards, row.who.filter, "card").singular("random")),
    "minions": lambda s, row: noun_of(s.cards, row.who.filter, "minion").plural(),
    "your_minions": lambda s, row: noun_of(s.cards, row.who.filter, "minion").plural("your"),
    "friendly_minions": lambda s, row: noun_of(
        s.cards, row.who.filter, "minion").plural("friendly"),
    "repeated": lambda s, row: s.much(row.value, "")[1].replace("other ", ""),
    "cards": lambda s, row: noun_of(s.cards, row.who.filter, "card").plural(),
    "a_card": lambda s, row: a(noun_of(s.cards, row.who.filter, "card").singular()),
    "plain_copies": lambda s, row: (
        "a plain copy" if row.value == ONE else
        f"{row.value.n} plain copies" if row.value.amount is Amount.LITERAL else
        f"a number of plain copies{s.much(row.value, '')[1]}"),
    "for_enemy": lambda s, row: _for_enemy(row),
    "your": lambda s, row: _your(row),
    "equip": lambda s, row: "your opponent equips" if row.theirs else "equip",
    "gains": lambda s, row: "your opponent gains" if row.theirs else "gain",
    "cost_1": lambda s, row: "; they cost 1" if row.priced else "",
    "random_minions": lambda s, row: (
        f"{1 + row.copies} random minions" if row.copies else "a random minion"),
    "by_spell_damage": lambda s, row: " (more by Spell Damage)" if row.spell_damage else "",
}


class _Said(Mapping[str, object]):
    """The parts of a row's clause, each made when a template asks for it."""

    def __init__(self, s: TextScene, row: Row) -> None:
        self.s, self.row = s, row

    def __getitem__(self, name: str) -> object:
        return PARTS[name](self.s, self.row)

    def __iter__(self) -> Iterator[str]:
        return iter(PARTS)

    def __len__(self) -> int:
        return len(PARTS)


def _by_template(s: TextScene, row: Row) -> str:
    return row.op.says.format_map(_Said(s, row))


OPS |= {op: _by_template for op in Op if op.says}
OPS |= {
    Op.DAMAGE: _damage,
    Op.MISSILES: _missiles,
    Op.BUFF: _buff,
    Op.BUFF_TURN: lambda s, row: f"{_buff(s, row)} this turn",
    Op.SET_ATTACK: _set("attack"),
    Op.SET_HEALTH: _set("health"),
    Op.SET_REMAINING_HEALTH: _set("remaining health"),
    Op.TRANSFORM_BY_COST: _transform_by_cost,
    Op.GIVE: _give,
    Op.GIVE_THIS_TURN: _give_this_turn,
    Op.STEAL: _steal,
    Op.RETURN: _return,
    Op.ATTACH: _attach,
    Op.ADD_COPY: _add_copy,
    Op.SHUFFLE_AWAY: _shuffle_away,
    Op.SUMMON: _summon,
    Op.SUMMON_COPY: _summon_copy,
    Op.SUMMON_DEAD: _summon_dead,
    Op.SUMMON_REMEMBERED: _summon_remembered,
    Op.SUMMON_CHOSEN: _summon_chosen,
    Op.SUMMON_JADE: _jade,
    Op.SUMMON_FROM_DECK: _summon_from_deck,
    Op.SUMMON_COPY_FROM_DECK: _copy_from_deck,
    Op.DISCARD: _discard,
    Op.ADD_CARD: _add,
    Op.ADD_RANDOM: _add_random,
    Op.ADD_CHOSEN: _chosen,
    Op.ADD_FROM_ENEMY_DECK: _copied("deck"),
    Op.ADD_FROM_ENEMY_HAND: _copied("hand"),
    Op.SHUFFLE: _shuffle,
    Op.CAST_RANDOM: _cast_random,
    Op.CAST_COPY: _cast_copy,
    Op.DISCOVER: _discover,
    Op.BUFF_WEAPON: _buff_weapon,
    Op.BUFF_PLAYED_WEAPON: lambda s, row: _buff_weapon(s, row).replace("your", "this", 1),
    Op.CRYSTALS: _crystals,
    Op.RULE_THIS_TURN: _rule,
    Op.LATER: _later,
    Op.RETURN_THIS: _return_this,
    Op.AIM: _aim,
    Op.REMEMBER: lambda s, row: (
        "remember this minion" if row.mine else "remember the chosen minion"),
    Op.SUMMON_WEAKER_FROM_DECK: _summon_weaker,
    Op.LOSE_TOP: _lose_top,
    Op.ADD_DEAD: _add_dead,
    Op.OFFER_DECK: _offer_deck,
    Op.OFFER_OPTIONS: _offer_options,
    Op.OFFER_DEAD: _offer_dead,
    Op.MARK: lambda s, row: f"choose {s.aim()}",
}
