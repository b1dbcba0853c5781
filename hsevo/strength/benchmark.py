"""Where an agent stands: its games against a frozen panel, and its place among them.

    panel's folder --Panel.read()--> Panel --lineup(agent)--> arena.contest() or an arena.Arena
                                       |                          |
                                       +-------> standing(), by_deck() <-- Record

A panel is an arena that hsevo ships, without its games: arena.yaml (its settings), pairs.csv (how
the pairs of every two ended) and ratings.csv. Its name stands for these very agents, decks and
rules for ever; a better panel will have another name. An agent meets all of it from seeds of its
own, and is rated on the scale of the panel's own games, whose zero is the panel's mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo import config
from hsevo.cards.decks import read_deck
from hsevo.errors import RunError
from hsevo.strength import rating
from hsevo.strength.arena import (
    Lineup,
    Plan,
    Record,
    deck_pairs_table,
    estimate_columns,
    pairs_table,
)
from hsevo.strength.roster import read_agent

Array: TypeAlias = npt.NDArray[Any]

NAME = "panel-2026"
FOLDER = Path(__file__).parent / "panels" / NAME
SUMS = ["games", "wins", "draws", "losses", "faults"]
NOTHING = rating.Estimate(nan, nan, nan)
PAIRS = [f"pairs_{score:g}" for score in (0, 0.5, 1, 1.5, 2)]  # columns of pairs.csv


@dataclass(frozen=True)
class Panel:
    """The panel, and how its own games ended."""

    plan: Plan
    counts: Array  # (n, n, 5) of its agents, see arena.pentanomials

    @classmethod
    def read(cls) -> Self:
        """Read it. Raises RunError if a name means other agents or decks here than it did then."""
        plan, now = read_plan(), Lineup.of(read_plan()).digest
        if now != _about()["agents and decks"]:
            raise RunError(f"the agents or decks of {NAME} are others here ({now}) than in its"
                           f" games ({_about()['agents and decks']}); are there decks called"
                           f" {', '.join(plan.decks)} in ./decks? Go to another folder")
        table = pd.read_csv(FOLDER / "pairs.csv")
        place = {name: i for i, name in enumerate(plan.agents)}
        counts = np.zeros((len(place), len(place), 5), np.int64)
        counts[table["agent"].map(place), table["opponent"].map(place)] = table[PAIRS]
        return cls(plan, counts)

    def lineup(self, agent: str, games: int | None = None, player: Array | None = None) -> Lineup:
        """Return who meets whom in the benchmark of an agent, `games` with each.

        agent: its spec; or what it is called, and `player`, AGENT (1,), is the agent.
        The panel's own double of the agent, if there is one, is left out. The seeds are not those
        of the panel's own games. Raises AgentError, ConfigError.
        """
        one = read_agent(agent) if player is None else player
        others = [name for name in self.plan.agents
                  if read_agent(name).tobytes() != one.tobytes()]
        changes = {"agents": [agent], "against": others, "seed": self.plan.seed + 1,
                   "games": self.plan.games if games is None else games}
        plan = config.check(Plan, self.plan.model_dump() | changes, "the arguments")
        players = np.concatenate([one, *map(read_agent, others)])
        decks = tuple(read_deck(name) for name in plan.decks)
        return Lineup.checked(plan, (agent, *others), players, decks)

    def check(self, lineup: Lineup, where: Path) -> None:
        """Raise RunError unless a line-up is that of a benchmark against this panel."""
        plan = lineup.plan
        if len(plan.agents) > 1 or plan != self.lineup(plan.agents[0], plan.games).plan:
            raise RunError(f"{where} is no benchmark against {NAME}, but another arena; go on with:"
                           f" hsevo arena --resume {where}")

    def ratings(self, names: Sequence[str]) -> tuple[Array, Array]:
        """Return the Bradley-Terry ratings of some of its agents, their mean with all being 0, and
        their covariance, both in Elo."""
        rows = [self.plan.agents.index(name) for name in names]
        values, spread = rating.bradley_terry(self.counts)
        return values[rows], spread[np.ix_(rows, rows)]


def standing(panel: Panel, record: Record) -> pd.DataFrame:
    """Show the panel and the agent of a benchmark's record among them, best first.

    Columns agent, rating, low, high (Elo; the panel's own games alone give its ratings); lead,
    lead_low, lead_high: by how much the agent is rated above this one; then what the agent's games
    against this one came to: games, wins, draws, losses, faults, rate and elo with their ends. In
    the agent's own row, which has no lead, they are those of all its games, without elo.
    """
    names = record.lineup.names
    counts = record.counts[0]
    values, spread = rating.place(*panel.ratings(names[1:]), counts[1:])
    low, high = rating.intervals(values, spread)
    agents = [*names[1:], names[0]]
    leads = [rating.lead(values, spread, -1, i) for i in range(len(names) - 1)]
    table = pd.DataFrame({"agent": agents, "rating": values, "low": low, "high": high,
                          **estimate_columns("lead", [*leads, NOTHING])})
    pairs = pairs_table(record)
    pairs = pairs[pairs["agent"] == names[0]].set_index("opponent")
    own = pd.DataFrame({**pairs[SUMS].sum(),
                        **estimate_columns("rate", [rating.rate(counts.sum(axis=0))])},
                       index=[names[0]])
    shown = pd.concat([pairs, own])[[*SUMS, *(f"{measure}{end}" for measure in ("rate", "elo")
                                              for end in ("", "_low", "_high"))]]
    return table.join(shown, on="agent").sort_values("rating", ascending=False, kind="stable",
                                                     ignore_index=True)


def by_deck(record: Record, keys: Sequence[str] = ("opponent", "deck")) -> pd.DataFrame:
    """Show how the agent of a benchmark did with each of its decks, against each or (deck) all.

    Columns of keys; games, wins, draws, losses, rate, rate_low, rate_high. The intervals are those
    of single games, as in arena.deck_pairs_table.
    """
    table = deck_pairs_table(record)
    table = table[table["agent"] == record.lineup.names[0]]
    sums = table.groupby(list(keys), sort=False)[["games", "wins", "draws", "losses"]].sum()
    rates = [rating.rate(row) for row in sums[["losses", "draws", "wins"]].to_numpy()]
    return sums.assign(**estimate_columns("rate", rates)).reset_index()


def places(table: pd.DataFrame, agent: str) -> tuple[int, int, int]:
    """Return an agent's place in its `standing`, the best and the worst that it may have.

    It may change places with all whose lead's interval holds 0.
    """
    behind, ahead = (table["lead_high"] < 0).sum(), (table["lead_low"] > 0).sum()
    here = int((table["agent"] == agent).to_numpy().argmax())
    return 1 + here, 1 + int(behind), len(table) - int(ahead)


def read_plan() -> Plan:
    """Read what the panel's own games were: its agents, decks and rules."""
    return config.check(Plan, _about()["plan"], str(FOLDER / "arena.yaml"))


def _about() -> dict[str, Any]:
    source = FOLDER / "arena.yaml"
    return config.parse(config.read_text(source), str(source))
