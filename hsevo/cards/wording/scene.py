"""The state of writing a text, and the parts of its clauses: characters, amounts, cards."""

from collections.abc import Callable
from dataclasses import dataclass

from hsevo.cards.ops import Op
from hsevo.cards.terms import (
    Amount,
    Counter,
    Event,
    If,
    Keyword,
    Kind,
    Race,
    Rule,
    Selector,
)
from hsevo.cards.vocabulary.model import Card, Condition, Filter, Pool, Row, Value, Who
from hsevo.cards.wording.costs import RULES
from hsevo.cards.wording.phrases import (
    CONDITIONS,
    COUNTERS,
    CTHUN,
    EACH,
    EQUAL,
    EVENT_AMOUNTS,
    GROUPS,
    KEYWORDS,
    KINDS,
    RACES,
    SINGLES,
    SUBJECTS,
    Cards,
    a,
    a_card,
    counted,
    listed,
    many,
    named,
    noun_of,
    phrase,
    pool_noun,
    target_noun,
)
from hsevo.errors import CardError

ONE = Value(Amount.LITERAL, 1)
# "other than this minion": on a spell, all of them
OF_KINDS = (If.DEFENDER_KIND, If.HOLD_KIND, If.JOUST, If.NONE_IN_DECK, If.REVEALED)
OTHERS_IN_PLAY = (Amount.OTHER_MINIONS, Amount.MY_RACE)


# the wording of each operation: `clauses` and `held` fill it in
OPS: dict[Op, Callable[["TextScene", Row], str]] = {}


@dataclass
class TextScene:
    """The state of writing one text: the event of its trigger, and what was mentioned so far.

    `text` returns the text of another card, which this one gives to a character.
    """

    text: Callable[[Cards, str], list[str]]
    cards: Cards
    card: Card
    event: Event | None = None
    said: bool = False  # the target was mentioned
    last: Who | None = None  # the characters of the previous row

    def target(self) -> str:
        """Return the noun for the card's target; later mentions use "it"."""
        if self.card.target is None:
            raise CardError(f"{self.card.id}: its text refers to a target, but it has none")
        self.said = True
        return target_noun(self.cards, self.card.target)

    def condition(self, condition: Condition, word: str = "if", negated: bool = False) -> str:
        """Return a condition with `word`, such as "if you have a weapon"."""
        test, arg = condition.test, condition.arg
        if test is If.CHANCE:
            return f"with a {100 - int(arg) if negated else arg}% chance"
        if test is If.COUNTED:
            clause = said_counter(Counter(int(arg)), condition.n)
            return f"{'unless' if negated else word} {clause}"
        if test is If.THERE_IS:
            group = GROUPS[condition.who.selector]
            noun = noun_of(self.cards, condition.who.filter, group.head)
            there = f"is {a(noun.singular(group.each))}{group.after}"
            if int(arg) > 1:
                there = f"are {noun.plural(f'{arg} or more', group.each)}{group.after}"
            return f"{'unless' if negated else word} there {there}"
        if test is If.DREW:
            noun = noun_of(self.cards, condition.who.filter, "card")
            return f"{'unless' if negated else word} it is {a(noun.singular())}"
        if test is If.RACE_AT_LEAST:
            clause = f"you control at least {condition.n} {many(RACES[Race(int(arg))])}"
            return f"{'unless' if negated else word} {clause}"
        if test is If.RULE:
            rule = phrase(RULES, Rule(int(arg))).format(your="your")
            return f"{'unless' if negated else word} {rule}"
        race = test in (If.OTHER_RACE, If.HOLD_RACE, If.HOLD_TWO, If.TARGET_RACE)
        said = RACES[Race(int(arg))] if race else self.name(arg)
        said = KINDS[Kind(int(arg) or Kind.MINION)] if test in OF_KINDS else said
        if test is If.OTHER_MINIONS_AT_LEAST and arg == 1:
            test = If.OTHER_MINION
        is_minion = self.card.kind is Kind.MINION
        another, other = ("another", "other ") if is_minion else ("a", "")
        clause = phrase(CONDITIONS, test).format(
            arg=said, a_arg=a(said), another=another, other=other)
        return f"{'unless' if negated else word} {clause}"

    def name(self, value: object) -> str:
        """Return the name of a card by its id; a number unchanged."""
        return self.cards[value].name if isinstance(value, str) else str(value)

    def row(self, row: Row) -> str:
        """Return the clause of a row: "deal 3 damage to a minion"."""
        clause = phrase(OPS, row.op)(self, row)
        self.last = row.who
        return clause

    # -- parts of a clause

    def whom(self, who: Who) -> str:
        """Return the noun for a row's characters; "them" if they are those of the previous row."""
        around = who.selector is Selector.AROUND_TARGET
        if who == self.last and not who.pick and (around or who.selector in GROUPS):
            return "them"
        if who.selector in GROUPS:
            return self._several(who)
        single = self._single(who.selector)
        if who.filter == Filter():
            return single
        noun = noun_of(self.cards, who.filter, "character").singular()
        return f"{single}, if it is {a(noun)},"

    def _several(self, who: Who) -> str:
        group = GROUPS[who.selector]
        noun = noun_of(self.cards, who.filter, group.head)
        if who.pick == 1:
            words = a(noun.singular("random", group.each)) + group.after
            return words.replace("a random other", "another random")
        if who.pick > 1:
            return noun.plural(f"{who.pick} random", group.each) + group.after
        but = f" except {-who.pick} at random" if who.pick else ""
        return noun.plural(group.all) + group.after + but

    def _single(self, selector: Selector) -> str:
        if selector is Selector.SUBJECT:
            return SUBJECTS.get(self.event, "it") if self.event is not None else "it"
        if selector is Selector.AROUND_TARGET:
            return f"{self.aim()} and the minions next to it"
        return self.aim() if selector is Selector.TARGET else phrase(SINGLES, selector)

    def aim(self) -> str:
        """Return the target: by name at its first mention, then "it"."""
        return "it" if self.said else self.target()

    def much(self, value: Value, unit: str, number: str = "") -> tuple[str, str]:
        """Return "3 damage" and what follows later: " for each card in your hand".

        `number` is put before the number.
        """
        if value.amount is Amount.LITERAL:
            return f"{number}{value.n} {unit}", ""
        if value.amount is Amount.BETWEEN:
            return f"{number}{value.n} to {value.m} {unit}", ""
        if value.amount in EACH:
            m = self._kind_counted(value)
            each = EACH[value.amount].format(m=m)
            if self.card.kind is Kind.SPELL and value.amount in OTHERS_IN_PLAY:
                each = each.replace("other ", "")
            return f"{number}{value.n or 1} {unit}", f" for each {each}"
        if value.amount is Amount.EVENT:
            return unit, f" equal to {phrase(EVENT_AMOUNTS, self.event)}"
        if value.amount is Amount.ARMOR and value.n > 0:
            return unit, f" equal to {phrase(EQUAL, value.amount)} ({value.n} at most)"
        twice = f"{'twice' if value.n == 2 else f'{value.n} times'} "
        several = twice if value.amount is Amount.MANA_SPENT and value.n > 1 else ""
        return unit, f" equal to {several}{phrase(EQUAL, value.amount)}"

    def _kind_counted(self, value: Value) -> str:
        if value.amount is Amount.ENEMY_DECK_COPIES:
            return self.name(value.m)
        m = int(value.m)
        if value.amount in (Amount.WITH_KEYWORD, Amount.ENEMIES_WITH_KEYWORD):
            return phrase(KEYWORDS, Keyword(m))
        if value.amount is Amount.HAND_KIND:
            return KINDS[Kind(m)]
        if value.amount in (Amount.COUNTER, Amount.COUNTER_OTHERS):
            return phrase(COUNTERS, Counter(m))
        return RACES[Race(m)] if m else ""

    def cards_of(self, value: Value, noun: str) -> tuple[str, str]:
        """Return "2 cards" and what follows: " for each enemy minion"."""
        if value.amount is Amount.LITERAL:
            return a(noun) if value.n == 1 else counted(value.n, noun), ""
        if value.amount in EACH:
            return a(noun), self.much(value, noun)[1]
        head, tail = self.much(value, many(noun))
        return (head if value.amount is Amount.BETWEEN else f"a number of {many(noun)}"), tail

    def one_of(self, pool: Pool) -> str:
        """Return "A, B or C" for a pool that is an explicit list."""
        names = [self.a_card(id) for id in pool.cards]
        return listed(names, "or")

    def drawn_from(self, pool: object, value: Value) -> str:
        """Return the noun for random cards: "a random Mage spell", "3 random minions"."""
        assert isinstance(pool, Pool)
        if pool.cards and not pool.name:
            times = "" if value == ONE else f"{value.n} of "
            return f"{times}{self.one_of(pool)} at random"
        noun = pool_noun(self.cards, pool)
        if value == ONE:
            return a(noun.singular("random"))
        if value.amount is Amount.UP_TO:
            return f"{noun.plural('random')} (until you hold {value.n} cards)"
        head, tail = self.much(value, noun.plural("random"))
        return head + tail

    def of(self, stat: str, who: Who) -> str:
        """Return "the attack of a minion", "its attack"."""
        whom = self.whom(who)
        own = {"it": "its", "them": "their"}
        return f"{own[whom]} {stat}" if whom in own else f"the {stat} of {whom}"

    def card_of(self, value: object) -> str:
        """Return the name of a card by its id, with attack and health."""
        return named(self.cards[str(value)])

    def a_card(self, value: object) -> str:
        """Return `card_of` with its article."""
        return a_card(self.cards[str(value)])


TOTALS = {  # conditions on what is no number of things
    Counter.POWER_DAMAGE: "your hero power has dealt {n} or more damage this game",
    Counter.RESTORED: "you have restored {n} or more health this game",
    Counter.SPELLS_NOW: "you have cast {n} or more spells this turn",
}


def said_counter(counter: Counter, n: int) -> str:
    """Return the condition that a counter is n or more."""
    if counter is Counter.TALLY:
        return f"its count is {n} or more"
    if counter is Counter.ELEMENTALS_PLAYED and n == 1:
        return "you played an Elemental last turn"
    if counter in CTHUN:
        stat = "attack" if counter is Counter.CTHUN_ATTACK else "health"
        return f"your C'Thun has {CTHUN[counter] + n} or more {stat}"
    if counter is Counter.RIGHTMOST:
        return "it was the rightmost card in your hand"
    if counter is Counter.NEXT_POWER_CHEAPER:
        return "it has not been used"
    if counter in TOTALS:
        return TOTALS[counter].format(n=n)
    return f"there are {n} or more {many(phrase(COUNTERS, counter))}"
