"""League of Explorers (45 cards), with tokens under the card that makes them."""

from hsevo.cards.sets.heroes import BASIC_POWERS
from hsevo.cards.vocabulary import *

CARDS = (
    minion(
        "LOE_076", "Sir Finley Mrrgglton", 1, 1, 3, MURLOC, LEGENDARY,
        battlecry=discover_power(BASIC_POWERS),
    ),
    minion("LOE_077", "Brann Bronzebeard", 3, 2, 4, LEGENDARY, BATTLECRIES_TWICE),
    minion(
        "LOE_011", "Reno Jackson", 6, 4, 6, LEGENDARY,
        battlecry=when(NO_DUPLICATES, heal_fully(MY_HERO)),
    ),
    spell(
        "LOE_002", "Forgotten Torch", 3, MAGE, COMMON,
        target=CHARACTER, play=[damage(3), shuffle("LOE_002t")],
    ),
    token(spell("LOE_002t", "Roaring Torch", 3, MAGE, target=CHARACTER, play=damage(6))),
    minion(
        "LOE_018", "Tunnel Trogg", 1, 1, 3, SHAMAN, COMMON,
        on=on_overload(buff(SELF, EVENT_AMOUNT)),
    ),
)
