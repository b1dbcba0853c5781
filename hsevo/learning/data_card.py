"""The card of a data set: what it is, what made it, what its columns mean, and how to read it.

    card_of(data)  --> card.json, which also has all columns of observations and all card numbers
    readme_of(card) --> README.md, the same for people
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hsevo import __version__
from hsevo.learning import vocabulary
from hsevo.learning.decisions import COLUMNS, NUMBERS, DecisionSet, sizes
from hsevo.learning.layouts import actions, layout

LICENCE = ("MIT, the licence of hsevo, unless its author states another one. Hearthstone is a"
           " trademark of Blizzard Entertainment, which is not involved.")
MEANINGS = {
    "game": "number of the game, the row of games.csv",
    "step": "number of the decision in its game, of both players",
    "player": "player who decides: 0 or 1, the seat",
    "agent": "agent that decides",
    "opponent": "agent of the other player",
    "deck": "deck of the player who decides",
    "opponent_deck": "deck of the other player, which the observation does not show",
    "seed": "seed of the game",
    "observation": "what the player sees, int16, little-endian",
    "legal": "bits of the legal actions, uint32, little-endian: bit `at` (0 to 16) and bit 17 +"
             " `where` of word `what`; a word of 0 is an illegal `what`",
    "what": "first part of the action: end the turn, attack, play card 3, ...",
    "at": "second part of the action: the target, 0 for none",
    "where": "third part of the action: the board position, 0 where there is none",
    "move": "the action as one number",
    "return": "result of the game for the player: 1 win, 0 draw, -1 loss; the reward of its last"
              " decision, and the undiscounted return of every decision",
    "last": "whether it is the last decision of the player in its game",
}


def card_of(data: DecisionSet) -> dict[str, Any]:
    """Return the card of a data set as data that json.dumps takes."""
    plan = data.lineup.plan
    return {
        "what": "Decisions of both players in games of two agents of Hearthstone, for offline"
                " reinforcement learning and imitation learning",
        "made by": {"hsevo": __version__, "engine": data.engine,
                    "agents and decks": data.lineup.digest},
        "licence": LICENCE,
        "agents": [*data.names],
        "decks": [*plan.decks], "lists": len(data.lineup.decks),
        "rules": {name: getattr(plan, name)
                  for name in ("ruleset", "information", "max_turns", "seed")},
        "games": len(data.rows), "refused games": int(data.results["faults"].sum()),
        "decisions": data.decisions, "files": len(data.files), "shard_games": data.shard_games,
        "history": data.history,
        "columns": [_column(name, data.history) for name in COLUMNS],
        "observation": layout(data.history).to_dict("records"),
        "actions": actions().to_dict("records"),
        "cards": vocabulary.card_names(),
    }


def _column(name: str, history: bool) -> dict[str, Any]:
    """Return the type, range and meaning of a column."""
    line: dict[str, Any] = {"name": name, "type": "string", "meaning": MEANINGS[name]}
    if name in NUMBERS:
        kind, most = NUMBERS[name]
        kind = ("uint" if kind[0] == "u" else "int") + str(8 * int(kind[1]))
        line |= {"type": kind, "low": -1 if name == "return" else 0, "high": most}
    elif name == "last":
        line["type"] = "bool"
    elif name in sizes(history):
        kind, n = sizes(history)[name]
        line |= {"type": f"{int(kind[2]) * n} bytes", "numbers": n, "dtype": kind}
    return line


def readme_of(card: Mapping[str, Any]) -> str:
    """Return the card of a data set as a page."""
    rules, maker = card["rules"], card["made by"]
    rows = "\n".join(f"| `{line['name']}` | {line['type']} | {_range(line)} | {line['meaning']} |"
                     for line in card["columns"])
    size = next(line["numbers"] for line in card["columns"] if line["name"] == "observation")
    first, second = card["agents"]
    return f"""# {card["decisions"]:,} decisions of {first} and {second}

{card["what"]}.

- Agents: `{first}` and `{second}`, with all their parameters in `cast.json`.
- Decks: {", ".join(f"`{deck}`" for deck in card["decks"])}; {card["lists"]:,} lists, with all their
  cards in `cast.json`.
- Games: {card["games"]:,} in {card["files"]:,} files of {card["shard_games"]:,} games. `games.csv`
  has the result of each. The decisions of {card["refused games"]:,} games that the engine refused
  are left out.
- Rules: ruleset {rules["ruleset"]}, look-aheads with information `{rules["information"]}`, a draw
  after {rules["max_turns"]} turns, seed {rules["seed"]}.
- Made by hsevo {maker["hsevo"]}, engine {maker["engine"]}.
- Licence: {card["licence"]}

`observation` and `legal` contain only what the player who decides may know.

## Read the data set

```python
import hsevo
data = hsevo.read_dataset("DIR")
arrays = data.arrays()          # or: for batch in data.batches(): ...
```

Without hsevo:

```python
import numpy as np, pandas as pd
table = pd.read_parquet("DIR/decisions.parquet")
observations = np.frombuffer(b"".join(table.observation), "<i2").reshape(-1, {size})
```

`sha256sum --check decisions.sha256` checks the files.

## Columns

| column | type | range | meaning |
|---|---|---|---|
{rows}

`card.json` describes every number of an observation, every part of an action, and the name of
every card number.
"""


def _range(line: Mapping[str, Any]) -> str:
    """Return the range of a column in words."""
    if "numbers" in line:
        return f"{line['numbers']:,} numbers"
    return f"{line['low']:,} to {line['high']:,}" if "low" in line else ""
