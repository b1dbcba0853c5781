"""The vocabulary of the card files, which import all of it: `from hsevo.cards.vocabulary import *`.

    cards       constructors of cards: minion, spell, weapon, ...
    names       classes, races, rarities, keywords, rules; owners of events
    selectors   characters that an effect affects, legal targets, filters; amounts of a game,
                and pools of random cards
    conditions  conditions of effects, triggers, auras and targets
    effects     operations of a text on characters, or that put minions into play; `when`
    hands       operations on hands, decks and secrets, and on cards in them; counters
    players     operations on heroes, weapons, mana and rules
    triggers    events that run a text, and auras: effects of a card while it is in play

Code that reads cards takes their dataclasses from `model`.
"""

from hsevo.cards.terms import CostRule as CostRule
from hsevo.cards.terms import Need as Need
from hsevo.cards.vocabulary.cards import *
from hsevo.cards.vocabulary.conditions import *
from hsevo.cards.vocabulary.effects import *
from hsevo.cards.vocabulary.hands import *
from hsevo.cards.vocabulary.model import ANYTHING as ANYTHING
from hsevo.cards.vocabulary.names import *
from hsevo.cards.vocabulary.players import *
from hsevo.cards.vocabulary.selectors import *
from hsevo.cards.vocabulary.triggers import *
