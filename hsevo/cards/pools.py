"""The members of random pools: which cards of a ruleset's format an effect can draw.

A pool of a class family (`Family`) stands for nine, one for each class.
"""

from collections.abc import Iterable

from hsevo.cards.terms import GROUP_CLASSES, Class, Family, Is, Keyword, Kind, Race
from hsevo.cards.vocabulary.model import Card, Filter, Pool
from hsevo.errors import CardError

KNOWN_KEYWORDS = (
    Keyword.TAUNT | Keyword.CHARGE | Keyword.DIVINE_SHIELD | Keyword.WINDFURY | Keyword.STEALTH
    | Keyword.POISONOUS | Keyword.LIFESTEAL | Keyword.ELUSIVE | Keyword.RUSH | Keyword.ECHO
)
OWN_CLASS_WEIGHT = 4  # Discover finds a class card four times as often as a neutral one


def classes(card: Card) -> tuple[Class, ...]:
    """Return the classes that may have a card in their decks; NEUTRAL stands for all."""
    return GROUP_CLASSES[card.group] if card.group else (card.cls,)


def in_pool(card: Card, pool: Pool) -> bool:
    """Return whether a card belongs to a random pool (format and family aside)."""
    return (card.collectible and not card.goal  # no text makes a quest
            and (pool.kind is None or card.kind is pool.kind)
            and (pool.cls is None or pool.cls in classes(card))
            and (pool.cost is None or card.cost == pool.cost)
            and (pool.race is None or card.race in (pool.race, Race.ALL))
            and passes(card, pool.test))


def passes(card: Card, test: Filter) -> bool:
    """Return whether a card passes a filter, as query.card_matches. Raises CardError if unknown."""
    arg = test.arg
    assert not isinstance(arg, Pool), "a pool's filter is not another pool"
    match test.test:
        case Is.ANYTHING:
            return True
        case Is.KEYWORD:
            return bool(card.keywords & int(arg))
        case Is.OVERLOAD:
            return card.overload > 0
        case Is.RACE:
            return int(card.race) in (arg, Race.ALL)
        case Is.SECRET:
            return card.secret
        case Is.COST_AT_MOST:
            return card.cost <= int(arg)
        case Is.COST_AT_LEAST:
            return card.cost >= int(arg)
        case Is.CARD_ATTACK_AT_LEAST:
            return card.kind is Kind.MINION and card.attack >= int(arg)
        case Is.BATTLECRY:
            cry = card.kind is Kind.MINION and bool(card.play)
            return cry or bool(card.keywords & Keyword.BATTLECRY)
        case Is.PLAIN:
            return card.cost <= int(arg) and is_plain(card)
        case Is.TEXTED:
            return card.cost <= int(arg) and not is_plain(card)
        case Is.WEAPON_OF_OTHERS:
            return card.cls is not Class.NEUTRAL and Class(int(arg)) not in classes(card)
        case Is.SPELL_COST_AT_LEAST:
            return card.kind is Kind.SPELL and card.cost >= int(arg)
        case Is.AIMED:
            return (card.target is not None) == bool(arg)
        case Is.LEGENDARY:
            return int(card.rarity) == 4
    raise CardError(f"a pool can't be filtered by {test.test!r}; cards/pools.py needs it")


def is_plain(card: Card) -> bool:
    """Return whether a card has no other text than keywords that players know by their names."""
    numbers = (card.rules, card.overload, card.spell_damage, card.power_damage, card.cost_rule)
    parts = (card.play, card.combo, card.deathrattle, card.drawn, card.discarded, card.at_start,
             card.triggers, card.auras, card.options)
    odd = card.keywords & ~KNOWN_KEYWORDS or card.shifts or card.grows or card.positional
    return not (odd or any(numbers) or any(parts))


def of_class(pool: Pool, cls: Class, cards: Iterable[Card]) -> list[str]:
    """Return the ids of a family's pool for a class, each as often as it counts."""
    members = []
    for card in cards:
        own, neutral = cls in classes(card), card.cls is Class.NEUTRAL and not card.group
        if pool.family is Family.FOREIGN:
            members += [] if own or neutral else [card.id]
        elif own:
            members += [card.id] * (OWN_CLASS_WEIGHT if pool.family is Family.OWN else 1)
        elif neutral and pool.family is Family.OWN:
            members.append(card.id)
    return members
