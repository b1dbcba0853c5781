"""HearthSim's study of Taunt (July 2014): minions of attack 1 to 5 and health 1 to 4, and no text.

They are not cards of the game: only the ruleset `hearthsim` has them, and they are in no random
pool and only in the decks that the study draws. The cost is half of attack + health, rounded down,
as for such minions of the game (2/1 for 1, 3/2 for 2, 4/5 for 4); the study does not give its
costs. A guard is the same minion with Taunt.
"""

from hsevo.cards.vocabulary import *

CARDS = (
    token(minion("HS_11", "Body 1/1", 1, 1, 1)),
    token(minion("HS_12", "Body 1/2", 1, 1, 2)),
    token(minion("HS_13", "Body 1/3", 2, 1, 3)),
    token(minion("HS_14", "Body 1/4", 2, 1, 4)),
    token(minion("HS_21", "Body 2/1", 1, 2, 1)),
    token(minion("HS_22", "Body 2/2", 2, 2, 2)),
    token(minion("HS_23", "Body 2/3", 2, 2, 3)),
    token(minion("HS_24", "Body 2/4", 3, 2, 4)),
    token(minion("HS_31", "Body 3/1", 2, 3, 1)),
    token(minion("HS_32", "Body 3/2", 2, 3, 2)),
    token(minion("HS_33", "Body 3/3", 3, 3, 3)),
    token(minion("HS_34", "Body 3/4", 3, 3, 4)),
    token(minion("HS_41", "Body 4/1", 2, 4, 1)),
    token(minion("HS_42", "Body 4/2", 3, 4, 2)),
    token(minion("HS_43", "Body 4/3", 3, 4, 3)),
    token(minion("HS_44", "Body 4/4", 4, 4, 4)),
    token(minion("HS_51", "Body 5/1", 3, 5, 1)),
    token(minion("HS_52", "Body 5/2", 3, 5, 2)),
    token(minion("HS_53", "Body 5/3", 4, 5, 3)),
    token(minion("HS_54", "Body 5/4", 4, 5, 4)),
    token(minion("HS_11T", "Guard 1/1", 1, 1, 1, TAUNT)),
    token(minion("HS_12T", "Guard 1/2", 1, 1, 2, TAUNT)),
    token(minion("HS_13T", "Guard 1/3", 2, 1, 3, TAUNT)),
    token(minion("HS_14T", "Guard 1/4", 2, 1, 4, TAUNT)),
    token(minion("HS_21T", "Guard 2/1", 1, 2, 1, TAUNT)),
    token(minion("HS_22T", "Guard 2/2", 2, 2, 2, TAUNT)),
    token(minion("HS_23T", "Guard 2/3", 2, 2, 3, TAUNT)),
    token(minion("HS_24T", "Guard 2/4", 3, 2, 4, TAUNT)),
    token(minion("HS_31T", "Guard 3/1", 2, 3, 1, TAUNT)),
    token(minion("HS_32T", "Guard 3/2", 2, 3, 2, TAUNT)),
    token(minion("HS_33T", "Guard 3/3", 3, 3, 3, TAUNT)),
    token(minion("HS_34T", "Guard 3/4", 3, 3, 4, TAUNT)),
    token(minion("HS_41T", "Guard 4/1", 2, 4, 1, TAUNT)),
    token(minion("HS_42T", "Guard 4/2", 3, 4, 2, TAUNT)),
    token(minion("HS_43T", "Guard 4/3", 3, 4, 3, TAUNT)),
    token(minion("HS_44T", "Guard 4/4", 4, 4, 4, TAUNT)),
    token(minion("HS_51T", "Guard 5/1", 3, 5, 1, TAUNT)),
    token(minion("HS_52T", "Guard 5/2", 3, 5, 2, TAUNT)),
    token(minion("HS_53T", "Guard 5/3", 4, 5, 3, TAUNT)),
    token(minion("HS_54T", "Guard 5/4", 4, 5, 4, TAUNT)),
)
