"""The words of the card files, which import all of them: `from hsevo.cards.vocabulary import *`.

    cards       minion, spell, weapon, ...: what is printed on a card
    names       classes, races, rarities, keywords, rules; whose events
    selectors   whom an effect is about, what a card may be aimed at, filters
    amounts     how much
    conditions  if what
    pools       at random out of what
    effects     what a text does
    triggers    when it does it
    auras       what a card in play gives

Code that reads cards takes their dataclasses from `model`.
"""

from hsevo.cards.terms import CostRule as CostRule
from hsevo.cards.terms import Need as Need
from hsevo.cards.vocabulary.amounts import *
from hsevo.cards.vocabulary.auras import *
from hsevo.cards.vocabulary.cards import *
from hsevo.cards.vocabulary.conditions import *
from hsevo.cards.vocabulary.effects import *
from hsevo.cards.vocabulary.names import *
from hsevo.cards.vocabulary.pools import *
from hsevo.cards.vocabulary.selectors import *
from hsevo.cards.vocabulary.triggers import *
