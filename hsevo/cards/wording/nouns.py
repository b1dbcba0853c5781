"""Nouns of card texts: cards, characters and pools, with their filters and keywords.

Nouns are written without article and in the singular.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from hsevo.cards.terms import Family, Is, Keyword, Kind, Race
from hsevo.cards.vocabulary.model import Card, Filter, Pool
from hsevo.errors import CardError

Term = TypeVar("Term")
Phrase = TypeVar("Phrase")
Cards = Mapping[str, Card]


def phrase(table: Mapping[Term, Phrase], term: Term) -> Phrase:
    """Return a term's phrase. Raises CardError if it has none."""
    if term not in table:
        raise CardError(f"no wording for {term!r}; cards/wording needs one")
    return table[term]


def a(noun: str) -> str:
    """Put the indefinite article before a noun."""
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def listed(items: Iterable[str], word: str = "and") -> str:
    """Return "A, B and C"."""
    *most, last = items
    return f"{', '.join(most)} {word} {last}" if most else last


def counted(n: int, noun: str) -> str:
    """Return "1 card", "2 cards"."""
    return f"{n} {noun if n == 1 else many(noun)}"


def many(noun: str) -> str:
    """Return the plural of a noun."""
    if noun.endswith("copy"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith("o") else f"{noun}s"


@dataclass(frozen=True)
class Noun:
    """A noun with the words before and after it: damaged | minion | with Taunt."""

    head: str
    before: str = ""
    after: str = ""

    def singular(self, *words: str) -> str:
        """Return the singular, with words before it."""
        return self._spelt(words, self.head)

    def plural(self, *words: str) -> str:
        """Return the plural, with words before it."""
        return self._spelt(words, many(self.head))

    def _spelt(self, words: tuple[str, ...], head: str) -> str:
        known = " ".join(words).split()
        side = [known.pop()] if known and known[-1] in ("friendly", "enemy") else []
        text = " ".join(word for word in (*known, self.before, *side, head) if word) + self.after
        return text.replace("enemy characters", "enemies").replace("enemy character", "enemy")


RACES = {race: race.name.title() for race in Race if race}
KINDS = {
    Kind.MINION: "minion",
    Kind.SPELL: "spell",
    Kind.WEAPON: "weapon",
    Kind.POWER: "hero power",
    Kind.HERO: "hero",
    Kind.NONE: "enchantment",
}
KEYWORDS = {
    Keyword.TAUNT: "Taunt",
    Keyword.CHARGE: "Charge",
    Keyword.DIVINE_SHIELD: "Divine Shield",
    Keyword.WINDFURY: "Windfury",
    Keyword.STEALTH: "Stealth",
    Keyword.POISONOUS: "Poisonous",
    Keyword.LIFESTEAL: "Lifesteal",
    Keyword.FREEZES: '"freezes what it damages"',
    Keyword.IMMUNE: "Immune",
    Keyword.CANT_ATTACK: '"can\'t attack"',
    Keyword.ELUSIVE: '"can\'t be targeted by spells or hero powers"',
    Keyword.DEATHRATTLE: "Deathrattle",
    Keyword.INSPIRE: "Inspire",
    Keyword.BATTLECRY: "Battlecry",
    Keyword.NO_HEROES_THIS_TURN: '"can\'t attack heroes this turn"',
    Keyword.CANT_ATTACK_HEROES: '"can\'t attack heroes"',
    Keyword.FROZEN: '"frozen"',
    Keyword.IMMUNE_THIS_TURN: "Immune this turn",
    Keyword.FRESH: '"new in play"',
    Keyword.SILENCED: '"silenced"',
    Keyword.TO_BE_DESTROYED: '"about to leave play"',
    Keyword.STEALTH_TURN: "Stealth until your next turn",
    Keyword.IMMUNE_ATTACKING: "Immune until the attack is over",
    Keyword.UNLIMITED: '"attacks as often as it likes"',
    Keyword.MEGA_WINDFURY: "Mega-Windfury",
    Keyword.CLEAVE: '"its attacks damage the minions next to the defender, too"',
    Keyword.WINDFURY_TURN: "Windfury this turn",
    Keyword.CAN_ATTACK_TURN: '"can attack"',
    Keyword.CALMED: '"no attack from being damaged"',
}
TOLD_BY_TEXT = Keyword.DEATHRATTLE | Keyword.INSPIRE | Keyword.BATTLECRY
LASTING = {Keyword.STEALTH_TURN: Keyword.STEALTH}  # worded like the permanent one


def keywords(bits: int) -> list[str]:
    """Return the phrases of keyword bits."""
    return [phrase(KEYWORDS, k) for k in Keyword
            if bits & k and not bits & LASTING.get(k, 0)]


FILTERS: dict[Is, Callable[[Noun, int, str], Noun]] = {
    Is.ANYTHING: lambda noun, n, name: noun,
    Is.RACE: lambda noun, n, name: replace(noun, head=RACES[Race(n)]),
    Is.KIND: lambda noun, n, name: replace(noun, head=KINDS[Kind(n)]),
    Is.KEYWORD: lambda noun, n, name: (
        replace(noun, before="frozen") if n == Keyword.FROZEN
        else _behind(noun, f" with {listed(keywords(n))}")),
    Is.DAMAGED: lambda noun, n, name: replace(noun, before="damaged"),
    Is.UNDAMAGED: lambda noun, n, name: replace(noun, before="undamaged"),
    Is.HEALTH_AT_LEAST: lambda noun, n, name: _behind(noun, f" with {n} or more health"),
    Is.ATTACK_AT_LEAST: lambda noun, n, name: _behind(noun, f" with {n} or more attack"),
    Is.ATTACK_AT_MOST: lambda noun, n, name: _behind(noun, f" with {n} or less attack"),
    Is.ATTACK: lambda noun, n, name: Noun("minion", noun.before, f" with {n} attack"),
    Is.SPELL_BUT: lambda noun, n, name: Noun("spell", noun.before, f" other than {name}"),
    Is.NOT_OWN_HERO: lambda noun, n, name: _behind(noun, " other than your hero"),
    Is.SECRET: lambda noun, n, name: replace(noun, head="secret"),
    Is.CARD: lambda noun, n, name: replace(noun, head=name),
    Is.NOT_RACE: lambda noun, n, name: _behind(noun, f" other than {many(RACES[Race(n)])}"),
    Is.BATTLECRY: lambda noun, n, name: Noun(
        "card" if n == 1 else "minion", "Battlecry", noun.after),
    Is.OVERLOAD: lambda noun, n, name: _behind(noun, " with Overload"),
    Is.LEGENDARY: lambda noun, n, name: replace(noun, before="legendary"),
    Is.NOT_KEYWORD: lambda noun, n, name: (
        _behind(noun, " that is not frozen") if n == Keyword.FROZEN
        else _behind(noun, f" without {listed(keywords(n))}")),
    Is.COST_AT_MOST: lambda noun, n, name: _behind(noun, f" of cost {n} or less"),
    Is.MINION_COST: lambda noun, n, name: Noun("minion", "", f" of cost {n}"),
    Is.MINION_WITH: lambda noun, n, name: Noun("minion", listed(keywords(n))),
    Is.OTHER_CLASS: lambda noun, n, name: _behind(noun, " of a class other than your own"),
    Is.HEALTH: lambda noun, n, name: _behind(noun, f" with {n} health"),
    Is.NOT_CARD: lambda noun, n, name: _behind(noun, f" other than {name}"),
    Is.IN_PLAY: lambda noun, n, name: Noun(KINDS[Kind(n)] if n else noun.head, noun.before,
                                           f"{noun.after} that is still in play"),
    Is.UNDESTROYED: lambda noun, n, name: Noun(
        KINDS[Kind(n)] if n else noun.head, noun.before,
        f"{noun.after} that is still in play and not destroyed"),
    Is.LIVING: lambda noun, n, name: Noun(
        KINDS[Kind(n)] if n else noun.head, noun.before, f"{noun.after} that is still alive"),
}


def _behind(noun: Noun, words: str) -> Noun:
    return replace(noun, after=noun.after + words)


def noun_of(cards: Cards, test: Filter, head: str) -> Noun:
    """Return the noun for what passes a filter; `head` is the noun without a filter."""
    name = cards[test.arg].name if isinstance(test.arg, str) else ""
    number = 0 if isinstance(test.arg, str) else test.arg
    return phrase(FILTERS, test.test)(Noun(head), number, name)


def named(card: Card) -> str:
    """Return a card's name with attack, health and keywords: "Frog (0/1, Taunt)"."""
    body = {
        Kind.MINION: ", ".join((f"{card.attack}/{card.health}",
                                *(word for word in keywords(card.keywords & ~TOLD_BY_TEXT)
                                  if not word.startswith('"')))),
        Kind.WEAPON: f"{card.attack}/{card.health} weapon",
        Kind.HERO: f"{card.health} health",
    }
    return f"{card.name} ({body[card.kind]})" if card.kind in body else card.name


FAMILIES = {
    Family.NONE: "",
    Family.OWN: ", of your class or neutral",
    Family.ENEMY: " of your opponent's class",
}


def pool_noun(cards: Cards, pool: Pool) -> Noun:
    """Return the noun for a card of a random pool that has a name or no explicit list."""
    head = pool.name or (
        RACES[pool.race] if pool.race else KINDS[pool.kind] if pool.kind else "card")
    noun = noun_of(cards, pool.test, head)
    before = (
        "" if pool.cost is None else f"{pool.cost}-cost",
        pool.cls.name.title() if pool.cls else "",
        noun.before,
    )
    after = noun.after + phrase(FAMILIES, pool.family)
    return Noun(noun.head, " ".join(filter(None, before)), after)
