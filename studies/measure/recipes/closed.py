"""What deck lists are worth: the same agents with open, closed and all cards open to see."""

from __future__ import annotations

import re

from studies.measure.figures import Figures, cells, games, match, rate
from studies.measure.recipes import recipe

KNOWLEDGE = ("leaky", "fair", "closed", "closed:match", "closed:bigrams", "closed:uniform")
PAIRS = (("eva:2018", "greedy:metastone", 4000), ("eva:reply", "eva:2018", 1000),
         ("mcts:knowledge?iterations=10&rollouts=2", "eva:2018", 600))
DECKS = "human:h93d5574f3,human:hc46821198,human:h475e39bd5,human:h67d64465d"
OTHERS = ("rl:2026?search=turn", "eva:wide-reply:2026", "rl:2026", "dl:miller", "gsv", "tyche:mc",
          "eva:turn", "hearthsim", "eva:wide:2026")
WHOLE = re.compile(r"\d[\d,]*")


@recipe
def closed_lists(command: str) -> Figures:
    rows = [[match(a, b, f"--games {n} --seed 26 --decks {DECKS} --information {one}")
             for a, b, n in PAIRS] for one in KNOWLEDGE]
    return {"table": cells(*(rate(one, 1) for row in rows for one in row)),
            "games": cells(*(games(one) for one in rows[0]), slot=WHOLE)}


@recipe
def closed_agents(command: str) -> Figures:
    rows = [[match(agent, "eva:2018", f"--games 3000 --seed 26 --decks {DECKS} --information {one}")
             for one in ("fair", "closed")] for agent in OTHERS]
    return {"table": cells(*(rate(one, 1) for row in rows for one in row)),
            "games": games(rows[0][0])}
