"""Journey to Un'Goro, with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

CARDS = ()
