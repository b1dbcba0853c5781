"""Rank an agent by games against a frozen panel of reference agents.

    panel's folder --Panel.read()--> Panel --lineup(agent)--> Benchmark.play()
                                       |                          |
                                       +-------> standing(), by_deck()

A panel is an arena shipped with hsevo, without its games: arena.yaml (its settings), pairs.csv (the
results of every two agents) and ratings.csv. Its name always means the same agents, decks and
rules; a better panel gets another name. An agent plays all of the panel with seeds that the
panel's own games did not use, and is rated on the panel's scale, whose zero is the panel's mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from hsevo import config
from hsevo.agents.genomes.decks import joined
from hsevo.cards.decks import Deck, read_deck
from hsevo.cards.human_decks import PREFIX
from hsevo.errors import ConfigError, RunError, did_you_mean, quoted, resuming
from hsevo.strength import rating
from hsevo.strength.contest import Arena, PairedContest
from hsevo.strength.lineup import (
    ContestPlan,
    Lineup,
    estimate_columns,
    pentanomials,
)
from hsevo.strength.roster import merged, named_decks, read_agent, read_agents, split_deck
from hsevo.types import Array

if TYPE_CHECKING:
    import pandas as pd

FOLDER = Path(__file__).parent / "panels"
NEWEST = "panel-2026c"  # the default everywhere
SUMS = ["games", "wins", "draws", "losses", "faults"]
PAIRS = [f"pairs_{score:g}" for score in (0, 0.5, 1, 1.5, 2)]  # columns of pairs.csv


@dataclass(frozen=True)
class Panel:
    """The panel and the results of its own games."""

    name: str
    plan: ContestPlan
    counts: Array  # (n, n, 5) of its agents, see lineup.pentanomials

    @classmethod
    def read(cls, name: str = NEWEST) -> Self:
        """Read a panel. Raises ConfigError if there is none of that name.

        Raises RunError if one of its agents or decks has changed.
        """
        import pandas as pd

        plan, known = read_plan(name), _about(name)["agents and decks"]
        decks = _decks(plan)
        lineup = Lineup.checked(plan, *read_agents(plan.agents, decks), decks)
        if (now := lineup.digest) != known:
            raise RunError(f"the agents or decks of {name} differ here ({now}) from those of its"
                           f" games ({known}): this hsevo was changed; reinstall it")
        table = pd.read_csv(FOLDER / name / "pairs.csv")
        place = {name: i for i, name in enumerate(plan.agents)}
        counts = np.zeros((len(place), len(place), 5), np.int64)
        counts[table["agent"].map(place), table["opponent"].map(place)] = table[PAIRS]
        return cls(name, plan, counts)

    @classmethod
    def of(cls, lineup: Lineup, where: Path) -> Self:
        """Return the panel of a benchmark's line-up. Raises RunError if it is of none."""
        plan, player = lineup.plan, lineup.players[:1]
        for panel in map(cls.read, panels()):
            own = [lineup.decks[k] for k in lineup.decks_of(0)] if plan.own else [None]
            if len(plan.agents) == 1 and (
                    plan == panel.lineup(plan.agents[0], plan.games, player, own[0]).plan):
                return panel
        raise RunError(f"{where} is an arena, not a benchmark against a panel; continue with:"
                       f" {resuming('arena', where)}")

    @property
    def decks(self) -> tuple[Deck, ...]:
        """The decks that all play."""
        return _decks(self.plan)

    @property
    def held_out(self) -> tuple[str, ...]:
        """The names of its decks that are held-out human lists, on which no agent may train."""
        if not any(name.startswith(PREFIX) for name in self.plan.decks):
            return ()
        from hsevo.cards.database import NEWEST, DeckDatabase  # with pandas

        held = {*DeckDatabase.load(NEWEST).split("held-out").facts["deck"]}
        return tuple(name for name in self.plan.decks if name in held)

    def lineup(self, agent: str, games: int | None = None, player: Array | None = None,
               own: Deck | None = None) -> Lineup:
        """Return the line-up of an agent against the panel, `games` with each of its agents.

        agent: its spec; or its name, if `player`, AGENT (1,) or (1, d, d), is given, and `own`, the
        deck that it plays alone, if there is one.
        If the agent is in the panel itself, it does not meet itself. The seeds are not those of the
        panel's own games. Raises AgentError, ConfigError.
        """
        spec, source = (agent, None) if player is not None else split_deck(agent)
        decks, named = merged(self.decks, [own or (read_deck(source) if source else None)])
        if named[0] and self.held_out:
            raise ConfigError(f"{agent} has a deck of its own, but {self.name} measures agents with"
                              " seen and with held-out decks; leave the deck out")
        record = read_agent(spec, decks, compiled=False) if player is None else player
        others = [name for name in self.plan.agents
                  if named[0] or read_agent(name).tobytes() != record.tobytes()]
        changes = {"agents": [agent], "own": named_decks([agent], named), "against": others,
                   "seed": self.plan.seed + 1, "games": self.plan.games if games is None else games}
        plan = config.check(ContestPlan, self.plan.model_dump() | changes, "the arguments")
        players = joined([record, *map(read_agent, others)], len(decks))
        return Lineup.checked(plan, (agent, *others), players, decks)

    def ratings(self, names: Sequence[str]) -> tuple[Array, Array]:
        """Return the Bradley-Terry ratings of some of its agents, and their covariance, in Elo.

        The mean rating of the whole panel is 0.
        """
        rows = [self.plan.agents.index(name) for name in names]
        values, spread = rating.bradley_terry(self.counts)
        return values[rows], spread[np.ix_(rows, rows)]


def joint(panel: Panel, others: Sequence[Array]) -> tuple[Array, Array]:
    """Return ratings (n + k,) of a panel and k others, and their covariance, in Elo.

    others: the pairs by score of each against every agent of the panel, (n, 5); they did not meet
    each other.
    """
    values, spread = panel.ratings(panel.plan.agents)
    for before, counts in enumerate(others):
        unmet = np.zeros((before, 5), counts.dtype)
        values, spread = rating.place(values, spread, np.concatenate([counts, unmet]))
    return values, spread


def standing(panel: Panel, record: Arena) -> pd.DataFrame:
    """Return a table of the panel and the agent of a benchmark's record, best first.

    Columns agent, rating, low, high (Elo; the panel's ratings come only from its own games); lead,
    lead_low, lead_high: by how much the agent is rated above this one; then the agent's results
    against this one: games, wins, draws, losses, faults, rate and elo with their intervals. The
    agent's own row has no lead and no elo; its results are those of all its games.
    """
    import pandas as pd

    names = record.lineup.names
    counts = record.counts[0]
    values, spread = rating.place(*panel.ratings(names[1:]), counts[1:])
    low, high = rating.intervals(values, spread)
    agents = [*names[1:], names[0]]
    leads = [rating.lead(values, spread, -1, i) for i in range(len(names) - 1)]
    table = pd.DataFrame({"agent": agents, "rating": values, "low": low, "high": high,
                          **estimate_columns("lead", [*leads, rating.UNKNOWN])})
    pairs = record.pairs
    pairs = pairs[pairs["agent"] == names[0]].set_index("opponent")
    own = pd.DataFrame({**pairs[SUMS].sum(),
                        **estimate_columns("rate", [rating.rate(counts.sum(axis=0))])},
                       index=[names[0]])
    shown = pd.concat([pairs, own])[[*SUMS, *(f"{measure}{end}" for measure in ("rate", "elo")
                                              for end in ("", "_low", "_high"))]]
    return table.join(shown, on="agent").sort_values("rating", ascending=False, kind="stable",
                                                     ignore_index=True)


def by_deck(record: PairedContest, keys: Sequence[str] = ("opponent", "deck")) -> pd.DataFrame:
    """Return the results of a benchmark's agent grouped by `keys`.

    Columns: keys (of opponent, deck), games, wins, draws, losses, rate, rate_low, rate_high. The
    intervals are those of single games, as in lineup.deck_pairs_table.
    """
    table = record.deck_pairs
    table = table[table["agent"] == record.lineup.names[0]]
    sums = table.groupby(list(keys), sort=False)[["games", "wins", "draws", "losses"]].sum()
    rates = [rating.rate(row) for row in sums[["losses", "draws", "wins"]].to_numpy()]
    return sums.assign(**estimate_columns("rate", rates)).reset_index()


SPLITS = ("seen", "mixed", "held-out")  # by how many decks of a game are held out


def by_split(panel: Panel, record: PairedContest) -> pd.DataFrame:
    """Return the results of a benchmark's agent against each opponent by split of decks.

    Columns opponent, split (of SPLITS; "mixed": one of the two decks is held out), games, rate,
    rate_low, rate_high. Both games of a pair have the same decks, so intervals count pairs.
    """
    import pandas as pd

    names = [deck.name for deck in record.lineup.decks]
    held, rows = np.isin(names, panel.held_out), record.rows
    split = held[rows["deck_a"]].astype(int) + held[rows["deck_b"]]
    counts = np.stack([pentanomials(rows[split == k], record.results[split == k],
                                    len(record.lineup.names))[0] for k in range(len(SPLITS))], 1)
    lines = [(name, split, 2 * int(pairs.sum())) for name, each in
             zip(record.lineup.names[1:], counts[1:], strict=True)
             for split, pairs in zip(SPLITS, each, strict=True)]
    rates = [rating.rate(pairs) for pairs in counts[1:].reshape(-1, 5)]
    return pd.DataFrame(lines, columns=["opponent", "split", "games"]).assign(
        **estimate_columns("rate", rates))


def places(table: pd.DataFrame, agent: str) -> tuple[int, int, int]:
    """Return an agent's place in its `standing`, and the best and worst places it may have.

    Its order with an agent is open if the interval of the lead contains 0.
    """
    behind, ahead = (table["lead_high"] < 0).sum(), (table["lead_low"] > 0).sum()
    here = int((table["agent"] == agent).to_numpy().argmax())
    return 1 + here, 1 + int(behind), len(table) - int(ahead)


def panels() -> list[str]:
    """List the panels."""
    return sorted(path.parent.name for path in FOLDER.glob("*/arena.yaml"))


def read_plan(name: str = NEWEST) -> ContestPlan:
    """Read the plan of a panel's own games: agents, decks and rules. Raises ConfigError."""
    return config.check(ContestPlan, _about(name)["plan"], str(FOLDER / name / "arena.yaml"))


def _decks(plan: ContestPlan) -> tuple[Deck, ...]:
    """Return the decks of a panel: the shipped decks, even if other decks here have their names."""
    return tuple(
        read_deck(name if name.startswith(PREFIX) else config.shipped("decks") / f"{name}.txt")
        for name in plan.decks)


def _about(name: str) -> dict[str, Any]:
    if name not in panels():
        raise ConfigError(f"there is no panel {quoted(name)}{did_you_mean(name, panels())}; there"
                          f" are {', '.join(panels())}")
    source = FOLDER / name / "arena.yaml"
    return config.parse(config.read_text(source), str(source))
