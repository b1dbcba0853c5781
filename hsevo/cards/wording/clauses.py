"""The wording of each operation of a text: one clause per row."""

from collections.abc import Callable

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Class, Is, Kind, Rule, Selector
from hsevo.cards.vocabulary.model import Filter, Pool, Row, Value, Who
from hsevo.cards.wording.nouns import a, counted, keywords, listed, noun_of, phrase, pool_noun
from hsevo.cards.wording.phrases import EACH, GROUPS, RULES
from hsevo.cards.wording.scene import ONE, OPS, Scene


def _damage(s: Scene, row: Row) -> str:
    head, tail = s.much(row.value, "damage")
    times = {0: " (Spell Damage does not count)", 1: "", 2: " (Spell Damage counts twice)"}
    empowered = s.card.kind is Kind.SPELL and row.b != 1
    note = phrase(times, _number(row.m)) if empowered else ""
    verb = "it deals" if row.b == 1 else "deal"
    return f"{verb} {head} to {s.whom(row.who)}{tail}{note}"


def _buff(s: Scene, row: Row) -> str:
    """Return the clause of a buff: b=1 adds the amount to both, b=2 only to health."""
    gains = _gains(s, row)
    attack, health = row.b != 2, row.b != 0
    if row.value.amount is Amount.LITERAL:
        n, more = row.value.n, _number(row.a)
        return f"{gains} {stats(n if attack else 0, n if health else more)}"
    if row.value.amount is Amount.BETWEEN:
        return f"{gains} {s.much(row.value, 'attack', '+')[0]}"
    if row.value.amount in EACH:
        n = row.value.n or 1
        return f"{gains} {stats(n * attack, n * health)}{s.much(row.value, '')[1]}"
    what = listed([stat for stat, given in (("attack", attack), ("health", health)) if given])
    more_health = f" and {row.a:+} health" if row.a and not health else ""
    return f"{gains} {what}{s.much(row.value, '')[1]}{more_health}"


def _gains(s: Scene, row: Row) -> str:
    return "gain" if row.who.selector is Selector.SELF else f"give {s.whom(row.who)}"


def stats(attack: int, health: int) -> str:
    """Return "+2/+1", "+2 attack"."""
    if attack and health:
        return f"{attack:+}/{health:+}"
    return f"{health:+} health" if health else f"{attack:+} attack"


def _buff_weapon(s: Scene, row: Row) -> str:
    head, tail = s.much(row.value, "attack", "+")
    more = f"+{row.a} durability"
    if row.value == Value(Amount.LITERAL, 0):
        return f"give your weapon {more}"
    return f"give your weapon {head}{f' and {more}' if row.a else ''}{tail}"


def _set(stat: str) -> Callable[[Scene, Row], str]:
    def clause(s: Scene, row: Row) -> str:
        head, tail = s.much(row.value, "")
        to = tail.removeprefix(" equal to ") if not head.strip() else head.strip() + tail
        return f"set {s.of(stat, row.who)} to {to}"

    return clause


def _remove(s: Scene, row: Row) -> str:
    return f"take {listed(keywords(_number(row.a)))} away from {s.whom(row.who)}"


def _number(value: object) -> int:
    assert isinstance(value, int)  # a card's id or a pool would be a bug in the card file
    return value


def _return(s: Scene, row: Row) -> str:
    whom, n = s.whom(row.who), row.value.n
    several = row.who.selector in GROUPS and row.who.pick != 1
    where = "their owners' hands" if several else "its owner's hand"
    then = "" if not n else f", where {'they cost' if several else 'it costs'} {abs(n)} "
    return f"return {whom} to {where}{then}{'more' if n > 0 else 'less' if n else ''}"


def _attach(s: Scene, row: Row) -> str:
    given = " ".join(s.text(s.cards, str(row.a))).removesuffix(".")
    hero = row.who.selector is Selector.MY_HERO
    return f'give {s.whom(row.who)} "{given}"{" until the end of the turn" if hero else ""}'


def _later(s: Scene, row: Row) -> str:
    later = " ".join(s.text(s.cards, str(row.a))).removesuffix(".")
    moment = "this turn" if row.b == 1 else "your turn"
    return f"at the end of {moment} {later[0].lower()}{later[1:]}"


def _summon(s: Scene, row: Row) -> str:
    this = "this minion" if s.card.discarded else "this minion again"
    what = this if row.a == 0 else "it again" if row.a == -1 else s.card_of(row.a)
    for_enemy = " for your opponent" if row.b == 1 else ""
    if row.value == ONE:
        return f"summon {what}{for_enemy}"
    head, tail = s.cards_of(row.value, "copy")
    return f"summon {head} of {what}{for_enemy}{tail}"


def _summon_from_deck(s: Scene, row: Row) -> str:
    if row.b == 3:
        noun = noun_of(s.cards, row.who.filter, "minion")
        return f"your opponent summons {a(noun.one('random'))} from their deck"
    if row.b == 0:
        noun = noun_of(s.cards, row.who.filter, "minion")
        one = row.value == ONE
        return f"summon {a(noun.one('random')) if one else noun.more(f'{row.value.n} random')}" \
            " from your deck"
    if row.b == 1:
        return "summon a 1/1 copy of a random minion in your deck"
    return ("summon a copy of a random minion in your opponent's deck, or"
            f" {s.card_of(row.a)} if there is none")


def _summon_copy(s: Scene, row: Row) -> str:
    where = " to the left" if row.m == 1 else ""
    if _is_several(row.who):
        return f"summon copies of {s.whom(row.who)}{', each 1/1' if row.b == 1 else ''}{where}"
    return f"summon a {'1/1 ' if row.b == 1 else ''}copy of {s.whom(row.who)}{where}"


def _is_several(who: Who) -> bool:
    """Return whether an effect is on more than one character."""
    return who.selector in GROUPS and who.pick != 1


def _transform_by_cost(s: Scene, row: Row) -> str:
    n = row.value.n
    cost = f"costs {abs(n)} {'more' if n > 0 else 'less'}" if n else "costs as much"
    each = ", each" if _is_several(row.who) else ""
    return f"transform {s.whom(row.who)}{each} into a random minion that {cost}"


def _summon_dead(s: Scene, row: Row) -> str:
    if row.b == 2:
        return "summon all minions of yours that died this turn"
    noun, n = noun_of(s.cards, row.who.filter, "minion"), row.value.n
    some = a(noun.one("random")) if n == 1 else noun.more(f"{n} random")
    return f"summon {some}{'' if row.b == 1 else ' of yours'} that died this game"


def _jade(s: Scene, row: Row) -> str:
    assert isinstance(row.a, Pool)
    first, last = (s.card_of(id) for id in (row.a.cards[0], row.a.cards[-1]))
    return (f"summon a Jade Golem (your first is {_body(first)}, each later one +1/+1 bigger, up to"
            f" {_body(last)})")


def _body(card: str) -> str:
    return card.partition("(")[2].rstrip(")")


def _draw(s: Scene, row: Row) -> str:
    if row.value.amount is Amount.UP_TO:
        return f"draw cards until you hold {row.value.n}"
    head, tail = s.cards_of(row.value, "card")
    if row.who.filter == Filter():
        less = f", which cost{'s' if row.value == ONE else ''} {row.m} less" if row.m else ""
        copies = f", and add {counted(_number(row.b), 'copy')} of it to your hand" if row.b else ""
        return f"draw {head}{tail}{less}{copies}"
    noun = noun_of(s.cards, row.who.filter, "card")
    if row.value != ONE and row.m:
        return f"draw {head}{tail}; the {noun.more()} among them cost {row.m} less"
    then = f"it costs {row.m} less" if row.m else f"it becomes {s.card_of(row.a)}"
    return f"draw {head}{tail}; if it is {a(noun.one())}, {then}"


def _draw_for_enemy(s: Scene, row: Row) -> str:
    if row.value.amount is Amount.ENEMY_UP_TO:
        return f"your opponent draws cards until they hold {row.value.n}"
    head, tail = s.cards_of(row.value, "card")
    return f"your opponent draws {head}{tail}"


def _draw_from_deck(s: Scene, row: Row) -> str:
    test = Filter(Is(_number(row.a)), row.b)  # type: ignore[arg-type]
    noun = noun_of(s.cards, test, "card")
    number = row.value.n
    cards = a(noun.one()) if number == 1 else f"{number} {noun.more()}"
    missing = f", getting {s.card_of(row.m)} for each that is missing" if row.m else ""
    return f"draw {cards}{missing}"


def _discard(s: Scene, row: Row) -> str:
    if row.value.amount is Amount.HAND:
        return "discard your hand"
    head, tail = s.cards_of(row.value, "random card")
    return f"discard {head}{tail}"


def _shuffle(s: Scene, row: Row) -> str:
    this = "this minion" if s.card.kind is Kind.MINION else "this card"
    card = s.card_of(row.a) if row.a else this
    what = card if row.value == ONE else f"{row.value.n} copies of {card}"
    return f"shuffle {what} into {_hand(row).replace('hand', 'deck')}"


def _add(s: Scene, row: Row) -> str:
    head, tail = s.cards_of(row.value, "copy")
    if row.a == -1:
        return f"add {'a copy' if row.value == ONE else head} of it to {_hand(row)}"
    what = "this card" if row.a == 0 else s.card_of(row.a)
    what = what if row.value == ONE else f"{head} of {what}"
    return f"add {what} to {_hand(row)}{tail}"


def _cast_random(s: Scene, row: Row) -> str:
    assert isinstance(row.a, Pool)
    targets = ", with random targets"
    if row.value == ONE:
        return f"cast {a(pool_noun(s.cards, row.a).one('random'))}{targets}"
    each = s.much(row.value, "")[1]
    return f"cast {a(pool_noun(s.cards, row.a).one('random'))}{each}{targets}"


def _renounce(s: Scene, row: Row) -> str:
    cls = Class(_number(row.a)).name.title()
    return (f"replace your hero power, and the {cls} cards in your hand and deck, by those of"
            " another class; the cards cost 1 less")


def _add_copy(s: Scene, row: Row) -> str:
    kind = "1/1" if row.b == 1 else "plain"
    copies = f"{kind} copies" if row.who.selector in GROUPS else f"a {kind} copy"
    which = f"{s.whom(row.who)}{', costing 1,' if row.b == 1 else ''}"
    return f"add {copies} of {which} to your hand"


def _hand(row: Row) -> str:
    return "your opponent's hand" if row.b == 1 else "your hand"


def _discover(s: Scene, row: Row) -> str:
    pools = [pool for pool in (row.a, row.b, row.m) if isinstance(pool, Pool)]
    if len(pools) == 1 and len(pools[0].cards) == 3:
        return f"choose {s.one_of(pools[0])}"
    if len(pools) == 1:
        return f"choose one of {s.drawn_from(pools[0], Value(Amount.LITERAL, 3))}"
    return f"choose between {listed([a(pool_noun(s.cards, pool).one('random')) for pool in pools])}"


def _copied(where: str) -> Callable[[Scene, Row], str]:
    def clause(s: Scene, row: Row) -> str:
        head, tail = s.cards_of(row.value, "random card")
        copies = "a copy" if row.value == ONE else "copies"
        return f"add {copies} of {head} in your opponent's {where} to your hand{tail}"

    return clause


def _crystals(s: Scene, row: Row) -> str:
    gain = "your opponent gains" if row.b == 1 else "gain"
    head, tail = s.cards_of(row.value, "empty mana crystal" if row.a == 1 else "mana crystal")
    return f"{gain} {head}{tail}"


def _rule(s: Scene, row: Row) -> str:
    mine = row.b != 1
    said = phrase(RULES, Rule(_number(row.a))).format(your="your" if mine else "their")
    said = said.replace(" more", f" {row.value.n} more") if row.value.n else said
    return f"{said} this turn" if mine else f"in your opponent's next turn {said}"


def _weapon(row: Row) -> str:
    return "your opponent's weapon" if row.b == 1 else "your weapon"


def _gain(thing: str) -> Callable[[Scene, Row], str]:
    return lambda s, row: "gain {}{}".format(*s.much(row.value, thing))


OPS |= {
    Op.DAMAGE: _damage,
    Op.MISSILES: lambda s, row: "deal {}{}, split at random among ".format(
        *s.much(row.value, "damage")) + s.whom(row.who) + (
        " (Spell Damage does not count)" if row.b == 1 else ""),
    Op.HEAL: lambda s, row: "restore {0} to {2}{1}".format(
        *s.much(row.value, "health"), s.whom(row.who)),
    Op.BUFF: _buff,
    Op.BUFF_TURN: lambda s, row: f"{_buff(s, row)} this turn",
    Op.SET_ATTACK: _set("attack"),
    Op.SET_HEALTH: _set("health"),
    Op.SET_REMAINING_HEALTH: _set("remaining health"),
    Op.SWAP_STATS: lambda s, row: f"swap {s.of('attack and health', row.who)}",
    Op.GIVE: lambda s, row: f"{_gains(s, row)} {listed(keywords(_number(row.a)))}",
    Op.GIVE_THIS_TURN: lambda s, row: (
        f"{_gains(s, row)} {listed(keywords(_number(row.a)))} until the end of the turn"),
    Op.REMOVE: _remove,
    Op.DESTROY: lambda s, row: f"destroy {s.whom(row.who)}",
    Op.SILENCE: lambda s, row: f"silence {s.whom(row.who)}",
    Op.FREEZE: lambda s, row: f"freeze {s.whom(row.who)}",
    Op.TRANSFORM: lambda s, row: f"transform {s.whom(row.who)} into {s.card_of(row.a)}",
    Op.TRANSFORM_RANDOM: lambda s, row: (
        f"transform {s.whom(row.who)} into {s.drawn_from(row.a, ONE)}"),
    Op.STEAL: lambda s, row: f"take control of {s.whom(row.who)}" + (
        " until the end of the turn; it can attack at once" if row.b == 1 else ""),
    Op.RETURN: _return,
    Op.ATTACH: _attach,
    Op.HEAL_FULL: lambda s, row: f"restore {s.whom(row.who)} to full health",
    Op.DOUBLE_HEALTH: lambda s, row: f"double {s.of('health', row.who)}",
    Op.DOUBLE_ATTACK: lambda s, row: f"double {s.of('attack', row.who)}",
    Op.COPY_STATS: lambda s, row: (
        f"swap attack and health with {s.aim()}" if row.b == 1
        else f"set its attack and health to those of {s.aim()}"),
    Op.ATTACK_AGAIN: lambda s, row: "it may attack again",
    Op.REMEMBER: lambda s, row: "remember it",
    Op.SUMMON_ALL_FROM_HAND: lambda s, row: (
        f"summon all {noun_of(s.cards, row.who.filter, 'minion').more()} from your hand"),
    Op.SUMMON_ALL_DEAD: lambda s, row: (
        f"summon all {noun_of(s.cards, row.who.filter, 'minion').more('your')} that died this"
        " game"),
    Op.SUMMON_BY_COST: lambda s, row: "summon a random minion with a cost{}".format(
        s.much(row.value, "")[1] or f" of {row.value.n}"),
    Op.CAST_RANDOM: _cast_random,
    Op.SHUFFLE_UNLIKE: lambda s, row: (
        f"shuffle {s.drawn_from(row.a, row.value)} of your class, or neutral, into your deck (no"
        " copies of what you have)"),
    Op.RENOUNCE: _renounce,
    Op.SUMMON_REMEMBERED: lambda s, row: (
        "summon the minion that this one remembers, for the player who controlled it"),
    Op.COPY_OF: lambda s, row: f"{s.whom(row.who)} becomes a copy of {s.aim()}",
    Op.SUMMON: _summon,
    Op.SUMMON_RANDOM: lambda s, row: f"summon {s.drawn_from(row.a, row.value)}" + (
        " for your opponent" if row.b == 1 else ""),
    Op.SUMMON_COPY: _summon_copy,
    Op.SUMMON_DEAD: _summon_dead,
    Op.SUMMON_BASIC_TOTEM: lambda s, row: (
        f"summon a random one of {listed(map(s.card_of, _pool(row).cards))} that you do not"
        " have in play"),
    Op.SUMMON_JADE: _jade,
    Op.SUMMON_FROM_DECK: _summon_from_deck,
    Op.PULL: lambda s, row: "your opponent summons a random minion from their hand",
    Op.LEAVE_DECK: lambda s, row: "summon this minion from your deck",
    Op.SWAP_WITH_HAND: lambda s, row: "swap this minion with a random minion in your hand",
    Op.DRAW: _draw,
    Op.DRAW_FOR_ENEMY: _draw_for_enemy,
    Op.DISCARD: _discard,
    Op.ADD_CARD: _add,
    Op.ADD_RANDOM: lambda s, row: "add {} to {}{}".format(
        s.drawn_from(row.a, row.value), _hand(row),
        f"; it costs {row.m} less" if row.m else ""),
    Op.ADD_CHOSEN: lambda s, row: "add the chosen card{} to your hand".format(
        f", with {stats(row.value.n, row.value.n)}," if row.value.n else ""),
    Op.DISCOVER: _discover,
    Op.SHUFFLE: _shuffle,
    Op.DRAW_UNTIL: lambda s, row: "draw cards until you draw one that is not {}".format(
        a(noun_of(s.cards, row.who.filter, "card").one())),
    Op.OFFER_ENEMY_DECK: lambda s, row: "choose one of 3 random cards in your opponent's deck",
    Op.OFFER_ALL: lambda s, row: f"choose {s.one_of(_pool(row))}",
    Op.SUMMON_CHOSEN: lambda s, row: "summon it",
    Op.COPY_POWER: lambda s, row: "your hero power becomes a copy of your opponent's",
    Op.UPGRADE_POWER: lambda s, row: "your hero power becomes its better version, if it has one",
    Op.GIVE_SPELL_DAMAGE: lambda s, row: f"{_gains(s, row)} Spell Damage +{row.value.n}",
    Op.BUFF_PLAYED_WEAPON: lambda s, row: _buff_weapon(s, row).replace("your", "this", 1),
    Op.FILL_CRYSTALS: lambda s, row: "fill your mana up to 10 mana crystals",
    Op.COPY_DEATHRATTLE: lambda s, row: f"gain a copy of the Deathrattle of {s.aim()}",
    Op.DRAW_INTO_PLAY: lambda s, row: (
        f"draw {row.value.n} cards, and put the minions among them into play"),
    Op.DESTROY_WEAKER: lambda s, row: (
        "destroy all minions but the one with the highest attack of each player"),
    Op.CAST_COPY: lambda s, row: "cast a copy of it on this minion",
    Op.SHUFFLE_COPY: lambda s, row: "shuffle {} of {} into your deck".format(
        "a plain copy" if row.value == ONE else f"{row.value.n} plain copies", s.whom(row.who)),
    Op.ADD_COPY: _add_copy,
    Op.ADD_FROM_ENEMY_DECK: _copied("deck"),
    Op.ADD_FROM_ENEMY_HAND: _copied("hand"),
    Op.ADD_FROM_DECK: _draw_from_deck,
    Op.ADD_EVENT_CARD: lambda s, row: "add a copy of it to the other player's hand",
    Op.OFFER_TOP: lambda s, row: (
        f"take the top {row.value.n} cards off your deck and choose one of them (the others are"
        " lost)"),
    Op.ARMOR: _gain("armor"),
    Op.HERO_ATTACK: lambda s, row: "give your hero {}{} this turn".format(
        *s.much(row.value, "attack", "+")),
    Op.EQUIP: lambda s, row: f"equip {s.card_of(row.a)}",
    Op.BUFF_WEAPON: _buff_weapon,
    Op.DESTROY_WEAPON: lambda s, row: f"destroy {_weapon(row)}",
    Op.TEMPORARY_MANA: lambda s, row: f"{_gain('mana')(s, row)} this turn only",
    Op.CRYSTALS: _crystals,
    Op.SPEND_MANA: lambda s, row: "spend all your mana",
    Op.SET_POWER: lambda s, row: f"your hero power becomes {s.name(row.a)}",
    Op.REFRESH_POWER: lambda s, row: "you can use your hero power again this turn",
    Op.REFRESH_MANA: lambda s, row: "refresh your mana crystals",
    Op.TAKE_CHOSEN_POWER: lambda s, row: "your hero power becomes the chosen one",
    Op.OFFER_POWERS: lambda s, row: (
        "choose one of 3 random hero powers (not your own) out of "
        + listed([s.name(id) for id in _pool(row).cards])),
    Op.DESTROY_CRYSTALS: lambda s, row: "lose {}{}".format(
        *s.cards_of(row.value, "mana crystal")),
    Op.UNLOCK: lambda s, row: "unlock your overloaded mana crystals",
    Op.DAMAGE_WEAPON: lambda s, row: "take {} off {}{}".format(
        s.much(row.value, "durability")[0], _weapon(row), s.much(row.value, "durability")[1]),
    Op.RULE_THIS_TURN: _rule,
    Op.BECOME_HERO: lambda s, row: f"your hero becomes {s.card_of(row.a)}",
    Op.LATER: _later,
    Op.SWAP_WITH_DECK: lambda s, row: f"swap {s.whom(row.who)} with a random minion in your deck",
    Op.COUNTER: lambda s, row: "counter it",
    Op.RETARGET: lambda s, row: f"redirect the attack to {s.whom(row.who)}",
    Op.RETARGET_SPELL: lambda s, row: f"redirect the spell to {s.whom(row.who)}",
    Op.DESTROY_SECRETS: lambda s, row: "destroy all secrets of your opponent",
    Op.TAKE_SECRET: lambda s, row: "take control of a random secret of your opponent",
    Op.SWAP_HEALTH: lambda s, row: f"swap health with {s.whom(row.who)}",
    Op.GIVE_ONE_OF: lambda s, row: "give {} {}, each a random one".format(
        s.whom(row.who), listed(keywords(_number(row.a)), "or")),
    Op.TRANSFORM_BY_COST: _transform_by_cost,
    Op.DETACH: lambda s, row: "lose this text",
    Op.TRIGGER_DEATHRATTLES: lambda s, row: f"trigger the Deathrattles of {s.whom(row.who)}",
    Op.DEATHS: lambda s, row: "let what is dying leave play with its Deathrattles",
    Op.SHUFFLE_AWAY: lambda s, row: "shuffle {} into {}".format(
        s.whom(row.who), "your deck" if row.b == 1 else "its owner's deck"),
    Op.SHUFFLE_THIS: lambda s, row: "shuffle this minion into {} deck".format(
        "your opponent's" if row.b == 1 else "your"),
    Op.RETURN_THIS: lambda s, row: "return {} to your hand".format(
        "it" if row.b == 1 else "this minion"),
    Op.NOTE_TARGET: lambda s, row: f"note which card {s.whom(row.who)} is",
    Op.SUMMON_NOTED: lambda s, row: "summon that card for its owner",
    Op.NOTE_MINIONS: lambda s, row: "note how many minions each player has",
    Op.SUMMON_FOR_NOTED: lambda s, row: (
        f"summon as many copies of {s.card_of(row.a)} for each"),
    Op.BOUNCE: lambda s, row: (
        f"deal {row.value.n} damage to a random minion, and again until a minion dies"),
    Op.SECRET_FROM_DECK: lambda s, row: (
        "put a random secret that you do not have in play from your deck into play"),
    Op.LOSE_TOP: lambda s, row: f"lose the top {counted(row.value.n, 'card')} of your deck",
    Op.EQUIP_RANDOM: lambda s, row: "{} {}".format(
        "your opponent equips" if row.b == 1 else "equip", s.drawn_from(row.a, ONE)),
    Op.KAZAKUS_COST: lambda s, row: "choose whether a potion costs 1, 5 or 10",
    Op.KAZAKUS_PART: lambda s, row: "choose one of 3 random effects for it",
    Op.KAZAKUS_CRAFT: lambda s, row: "add that potion to your hand",
}


def _pool(row: Row) -> Pool:
    assert isinstance(row.a, Pool)
    return row.a
