"""Ratings and games of agents, from the folders of hsevo arena and hsevo benchmark.

    arena.yaml, ratings.csv (or benchmark.csv), deck_pairs.csv --read()--> StoredArena --> tables

A folder is read if it is complete: its tables must be of the agents that its arena.yaml names, and
hold the same games.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from hsevo.agents.registry import EVOLVED, NET, ROSTER, kind_name
from hsevo.errors import ConfigError, RunError, resuming
from hsevo.files import read_table
from hsevo.play.specs import split_deck
from hsevo.strength import lineup, rating
from hsevo.strength.contest import PairedContest
from hsevo.strength.lineup import estimate_columns
from hsevo.strength.panel import places

SUMS = ["games", "wins", "draws", "losses"]
RATING = ["agent", "rating", "low", "high", "lead", "lead_low", "lead_high", *SUMS, "faults",
          "rate", "rate_low", "rate_high"]
DECKS = ["agent", "opponent", "deck", "opponent_deck", *SUMS]
BY_DECK = ["deck", "opponent_deck", "rate", "rate_low", "rate_high", "games"]
MOST_MAPS = 3  # of agents that were not asked for: more are too many for one picture
EVA = "eva:2018"


@dataclass(frozen=True)
class StoredArena:
    """A finished folder of hsevo arena or benchmark."""

    path: Path
    plan: lineup.ContestPlan
    table: pd.DataFrame  # RATING and more, best first: ratings.csv or benchmark.csv, as it is
    deck_pairs: pd.DataFrame  # DECKS and more: deck_pairs.csv, as it is
    decks: pd.DataFrame  # BY_DECK: deck_crosstab.csv, as it is
    benchmarked: str | None = None  # the agent, if the folder is a benchmark's

    @property
    def names(self) -> list[str]:
        """The agents, best first."""
        return list(self.table["agent"])

    @property
    def place(self) -> tuple[int, int, int]:
        """The benchmarked agent's place, the best and the worst that it may have."""
        assert self.benchmarked is not None
        return places(self.table, self.benchmarked)


def read(path: Path) -> StoredArena:
    """Read a folder. Raises RunError if it is no such folder, not finished, or damaged."""
    if not path.exists():
        raise RunError(f"there is no folder {path}")
    if not (path / PairedContest.ABOUT.name).is_file():
        instead = ("a match has no report: run hsevo arena A B --out DIR instead"
                   if (path / "match.yaml").is_file()
                   else "give a folder of hsevo arena or hsevo benchmark")
        raise RunError(f"{path} has no arena.yaml; {instead}")
    plan = _plan(path)
    if not (path / "ratings.csv").exists():
        command = "benchmark" if plan.against and len(plan.agents) == 1 else "arena"
        raise RunError(f"{path} is not finished: it has no ratings.csv; continue with:"
                       f" {resuming(command, path)}")
    deck_pairs = _table(path / "deck_pairs.csv", DECKS)
    ratings = _table(path / "ratings.csv", RATING)
    _agree(path, plan, ratings, deck_pairs)
    decks = _decks(path / "deck_crosstab.csv", deck_pairs)
    if not (path / "benchmark.csv").exists():
        return StoredArena(path, plan, ratings, deck_pairs, decks)
    table, agent = _table(path / "benchmark.csv", RATING), plan.agents[0]
    met = table[table["agent"] != agent].set_index("agent")["games"]
    own = deck_pairs[deck_pairs["agent"] == agent].groupby("opponent")["games"].sum()
    if sorted(table["agent"]) != sorted(ratings["agent"]) or met.to_dict() != own.to_dict():
        raise RunError(f"{path / 'benchmark.csv'} and the deck_pairs.csv next to it count"
                       " different games; one is damaged")
    return StoredArena(path, plan, table, deck_pairs, decks, agent)


def evolved(names: Iterable[str], sources: Mapping[str, Path]) -> dict[str, str]:
    """Return the label of the source of each agent `KIND:PATH...` that is from one of them.

    sources: runs, or a file of weights, by label. A path that does not exist here names the source
    whose own path ends like it: the arena may have been played in another folder.
    """
    whose = {}
    for name in names:
        path = source_of(name)
        for label, source in sources.items() if path else ():
            if path and _same(path, source):
                whose[name] = label
    return whose


def source_of(name: str) -> Path | None:
    """Return the run folder or file that an agent's spec names; None if hsevo comes with it."""
    name = split_deck(name)[0]
    kind, plain = kind_name(name), name.partition("?")[0]
    if plain in ROSTER or kind not in (*EVOLVED, NET) or not name.startswith(f"{kind}:"):
        return None
    source = name.removeprefix(f"{kind}:").partition("#")[0]
    return Path(source.partition("?")[0] if kind == NET else source)


def to_map(field: StoredArena, own: Sequence[str]) -> list[tuple[str, str | None]]:
    """Choose (agent, opponent or None: all) of which to draw maps by deck pair.

    own: the agents that the report is about. Agents that met the same opponents can be compared:
    the first two of own, then the first of all, EVA of 2018, and the next until there are
    MOST_MAPS. If only one agent met all others: its games against all, against the first of them,
    and against EVA.
    """
    met = [name for name in field.names if name in field.plan.agents]
    others = [name for name in field.names if name in field.plan.against]
    if len(met) == 1:
        rivals = dict.fromkeys([*others[:1], *(name for name in others if name == EVA)])
        return [(met[0], None), *((met[0], rival) for rival in rivals)]
    known = [name for name in met if name in own][:2]
    picked = dict.fromkeys([*known, met[0], *(name for name in met if name == EVA)])
    for name in met:
        if len(picked) < MOST_MAPS:
            picked[name] = None
    return [(name, None) for name in met if name in picked]


def by_deck_pair(field: StoredArena, agent: str, opponent: str | None) -> pd.DataFrame:
    """Add up an agent's games against one opponent, or all (None), by the decks of both.

    Columns agent, opponent, deck, opponent_deck, SUMS, rate, rate_low, rate_high: a draw is half a
    win; the intervals are those of single games (rating.rate).
    """
    table = field.deck_pairs[field.deck_pairs["agent"] == agent]
    if opponent is not None:
        table = table[table["opponent"] == opponent]
    keys = ["deck", "opponent_deck"]
    sums = table.groupby(keys, as_index=False, sort=False)[SUMS].sum()
    rates = [rating.rate(row) for row in sums[["losses", "draws", "wins"]].to_numpy()]
    sums.insert(0, "opponent", opponent or "all")
    sums.insert(0, "agent", agent)
    return sums.assign(**estimate_columns("rate", rates))


def by_opponent(field: StoredArena) -> pd.DataFrame:
    """Add up each agent's games against each other one, over all decks; columns as `by_deck_pair`.

    Without the columns of decks.
    """
    sums = field.deck_pairs.groupby(["agent", "opponent"], as_index=False, sort=False)[SUMS].sum()
    rates = [rating.rate(row) for row in sums[["losses", "draws", "wins"]].to_numpy()]
    return sums.assign(**estimate_columns("rate", rates))


def _decks(path: Path, deck_pairs: pd.DataFrame) -> pd.DataFrame:
    """Read the table of decks; add it up from single games in a folder of an older version."""
    keys = ["deck", "opponent_deck"]
    others = deck_pairs[deck_pairs["deck"] != deck_pairs["opponent_deck"]]
    sums = others.groupby(keys, as_index=False)[SUMS].sum()
    if not path.exists():
        rates = [rating.rate(row) for row in sums[["losses", "draws", "wins"]].to_numpy()]
        return sums.assign(**estimate_columns("rate", rates))[BY_DECK]
    table = _table(path, BY_DECK)
    listed, summed = (by.set_index(keys)["games"].sort_index().to_dict() for by in (table, sums))
    if listed != summed:
        raise RunError(f"{path} and the deck_pairs.csv next to it count different games; one is"
                       " damaged")
    return table


def _plan(folder: Path) -> lineup.ContestPlan:
    try:
        plan: lineup.ContestPlan = PairedContest.read_plan(folder)[1]
        return plan
    except ConfigError as error:
        raise RunError(f"{folder / PairedContest.ABOUT.name} is damaged:"
                       f" {str(error).splitlines()[0]}") from None


def _table(path: Path, columns: list[str]) -> pd.DataFrame:
    leads = [name for name in columns if name.startswith("lead")]  # the last has none
    return read_table(path, columns, ("agent", "opponent", "deck", "opponent_deck"), leads)


def _agree(path: Path, plan: lineup.ContestPlan, ratings: pd.DataFrame,
           decks: pd.DataFrame) -> None:
    """Raise RunError unless both tables hold the same games, of the plan's agents."""
    if sorted(ratings["agent"]) != sorted([*plan.agents, *plan.against]):
        raise RunError(f"{path / 'ratings.csv'} is damaged: its agents differ from the agents of"
                       " arena.yaml")
    rated, paired = (table.groupby("agent")[SUMS].sum().sort_index() for table in (ratings, decks))
    if not rated.equals(paired):
        raise RunError(f"{path / 'deck_pairs.csv'} and the ratings.csv next to it count different"
                       " games; one is damaged")


def _same(path: Path, source: Path) -> bool:
    whole = source.resolve()
    if path.exists():
        return path.resolve() == whole
    parts = [part for part in path.parts if part not in (".", "..")]
    return bool(parts) and whole.parts[-len(parts):] == tuple(parts)
