"""The vocabulary of the card files, which import all of it: `from hsevo.cards.vocabulary import *`.

    cards       constructors of cards: minion, spell, weapon, ...
    names       classes, races, rarities, keywords, rules; owners of events
    selectors   characters that an effect affects, legal targets, filters
    amounts     amounts read from the game
    conditions  conditions of effects, triggers, auras and targets
    pools       pools of random cards
    effects     operations of a text on characters; `when`
    summons     operations that put minions into play
    hands       operations on hands, decks and secrets
    players     operations on heroes, weapons, mana and rules
    held        cards in hands and decks, counters
    triggers    events that run a text
    auras       effects of a card while it is in play

Code that reads cards takes their dataclasses from `model`.
"""

from hsevo.cards.terms import CostRule as CostRule
from hsevo.cards.terms import Need as Need
from hsevo.cards.vocabulary.cards import *
from hsevo.cards.vocabulary.conditions import *
from hsevo.cards.vocabulary.effects import *
from hsevo.cards.vocabulary.hands import *
from hsevo.cards.vocabulary.model import *
from hsevo.cards.vocabulary.model import ANYTHING as ANYTHING
from hsevo.cards.vocabulary.players import *
from hsevo.cards.vocabulary.selectors import *
from hsevo.cards.vocabulary.triggers import *
