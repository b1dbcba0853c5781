"""Blackrock Mountain: so far the card behind Ragnaros' hero power."""

from hsevo.cards.vocabulary import *

CARDS = (
    minion(
        "BRM_027", "Majordomo Executus", 9, 9, 7, LEGENDARY,
        deathrattle=[become_hero("BRM_027h"), set_power("BRM_027p")],
    ),
    hero("BRM_027h", "Ragnaros the Firelord", 8),
    power("BRM_027p", "DIE, INSECT!", 2, play=damage(8, ENEMIES.random(1))),
)
