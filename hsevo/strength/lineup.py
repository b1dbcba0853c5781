"""The schedule of games in pairs, and the tables of their results; see contest.py.

    Lineup --schedule()--> PAIRING rows --play() over workers--> RESULT rows --pentanomials()-->
        counts of pairs by score --rating.py--> pairs_table(), ratings_table() ...

Rows 2i and 2i + 1 are a *pair*: the same seed and decks in the same seats, the agents swapped. Seed
and decks determine who begins, both starting hands and the stream of all later draws
(`engine.game.setup.new_game`): so each agent plays the same cards once from either side, and an
agent against a copy of itself scores 1 of 2 points in every pair. (With the decks swapped, too, the
same random numbers would draw other cards.) The random numbers of look-aheads also belong to the
game.
If an agent plays a deck of its own alone (roster.py), both agents of a pair keep their decks,
and the seats are swapped.

`Pace` learns from the games so far how many of them to give a worker per job.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from math import ceil
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from hsevo import config
from hsevo.agents.genomes.decks import joined
from hsevo.agents.learned.nets import carried
from hsevo.cards.decks import Deck, digested, read_deck
from hsevo.config import Agents, ByName, Count, Name, Rules
from hsevo.errors import AgentError, ConfigError, DeckError
from hsevo.play import closed, hosting, match, tournament
from hsevo.play import players as hosted
from hsevo.play.hosting import PlayedBlock
from hsevo.play.workers import Executor, Job
from hsevo.seeds import Stream, derive
from hsevo.strength import rating
from hsevo.strength.drawn import design_effect, lists, side_of
from hsevo.strength.rating import Estimate
from hsevo.strength.roster import merged, named_decks, read_agent, refuse_twice, split_deck
from hsevo.types import Array

if TYPE_CHECKING:
    import pandas as pd


class Pace:
    """The work that a game of every two agents takes, measured so far."""

    def __init__(self, n: int, block: int) -> None:
        self.block = block
        self.work, self.games = np.zeros((n, n)), np.zeros((n, n))

    def cut(self, rows: Array) -> Array:
        """Return the first rows that are about a block, in whole pairs, one at least."""
        a, b = rows["a"], rows["b"]
        each = np.full(len(rows), float(self.block))  # nothing known: a pair is a block
        known = self.games[a, b] > 0
        each[known] = self.work[a, b][known] / self.games[a, b][known]
        whole = int(np.searchsorted(np.cumsum(each), self.block)) + 1
        return rows[:whole + whole % 2]

    def learn(self, rows: Array, results: Array) -> None:
        """Add what games took."""
        work = results["decisions"] + results["simulated"]
        for side, opposite in (("a", "b"), ("b", "a")):
            np.add.at(self.work, (rows[side], rows[opposite]), work)
            np.add.at(self.games, (rows[side], rows[opposite]), 1)


# Decisions and simulated actions per job: a quarter of a second of EVA or a search; results stay.
BLOCK = 500_000
MOST_ROWS = 1280  # of a block, however fast its agents are

GAME_BYTES = 560  # in memory, with its lines in the tables: measured at 500,000 games
FIRST_LOOK = 100  # pairs before the first look at a sequential test; then one per 5 % more
GAME_COLUMNS = ("wins_a", "wins_b", "draws", "faults", "turns", "margin_a", "margin_b",
                "decisions", "simulated")


class ContestPlan(Rules):
    """What to play: agents, number of games, decks and rules."""

    agents: Agents
    against: list[Name]  # if not empty, the agents meet only these
    own: ByName = {}  # noqa: RUF012 - by agent: the deck that it plays alone; pydantic copies it
    games: Count = 360  # of every two agents that meet, at least


@dataclass(frozen=True)
class Lineup:
    """A plan with its agents (n,), those of `against` last, and its decks loaded.

    decks: those of the plan, then those that single agents play alone (roster.py).
    """

    plan: ContestPlan
    names: tuple[str, ...]
    players: Array  # AGENT (n,) or (n, d, d)
    decks: tuple[Deck, ...]

    @classmethod
    def of(cls, plan: ContestPlan) -> Self:
        """Read agents and decks. Raises AgentError, DeckError, ConfigError."""
        specs = [*plan.agents, *plan.against]
        split = [split_deck(spec) for spec in specs]
        decks, own = merged([read_deck(name) for name in plan.decks],
                            [read_deck(deck) if deck else None for _, deck in split])
        plan = plan.model_copy(update={"own": named_decks(specs, own)})
        refuse_twice(specs)
        agents = [read_agent(spec, decks, compiled=False) for spec, _ in split]
        return cls.checked(plan, tuple(specs), joined(agents, len(decks)), decks)

    @classmethod
    def checked(cls, plan: ContestPlan, names: tuple[str, ...], players: Array,
                decks: tuple[Deck, ...]) -> Self:
        """Return the line-up of these agents and decks, instead of those named in the plan.

        Raises AgentError, ConfigError.
        """
        if len(names) < 2:
            raise AgentError("; ".join(["name at least two agents",
                                        *(f"{name} needs an opponent" for name in names)]))
        called = [deck.name for deck in decks]
        if len(set(called)) < len(called):
            raise ConfigError(f"two decks are called '{max(called, key=called.count)}'; rename one")
        lineup = cls(plan, names, players, decks)
        hosted.check(players, lineup.setting)
        config.refuse_memory(lineup.games, "games", GAME_BYTES, "take fewer games, agents or decks")
        return lineup

    @property
    def setting(self) -> match.Setting:
        """The rules of all games."""
        plan = self.plan
        return match.Setting(plan.ruleset, self.decks, plan.information, plan.max_turns)

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """The pairs of agents that meet: each agent with each of `against`, or all with all."""
        n, k = len(self.names), len(self.plan.agents)
        return list(product(range(k), range(k, n)) if k < n else combinations(range(n), 2))

    def decks_of(self, agent: int) -> list[int]:
        """Return which decks an agent plays: its own one, or all that those without one play."""
        own = self.plan.own.get(self.names[agent])
        if own is not None:
            return [[deck.name for deck in self.decks].index(own)]
        return list(range(len(self.plan.decks)))

    @property
    def side(self) -> str | None:
        """The side whose human lists are drawn for each pair of games; None: all decks meet."""
        return side_of(self.plan.decks)

    def deck_pairs(self, a: int, b: int) -> int:
        """Return with how many ordered pairs of decks two agents meet in a round."""
        return 1 if self.side else len(self.decks_of(a)) * len(self.decks_of(b))

    def rounds_of(self, a: int, b: int) -> int:
        """Return how often two agents meet with each pair of their decks, from each side."""
        return ceil(self.plan.games / (2 * self.deck_pairs(a, b)))

    @property
    def rounds(self) -> int:
        """The number of rounds; in each, all meet with every ordered pair of their decks.

        Agents with a deck of their own, who have fewer pairs of decks, may have more of them.
        """
        if not self.plan.own:
            return ceil(self.plan.games / (2 * self._deck_pairs))
        return max(self.rounds_of(a, b) for a, b in self.meetings)

    @property
    def games(self) -> int:
        """The total number of games."""
        if self.plan.own:
            return sum(2 * self.rounds_of(a, b) * self.deck_pairs(a, b) for a, b in self.meetings)
        n, k = len(self.names), len(self.plan.agents)
        meetings = k * (n - k) if k < n else n * (n - 1) // 2
        return self.rounds * meetings * 2 * self._deck_pairs

    @property
    def _deck_pairs(self) -> int:
        return 1 if self.side else len(self.decks) ** 2

    @property
    def digest(self) -> str:
        """A fingerprint of agents and decks that does not depend on file names."""
        own = repr(self.plan.own) if self.plan.own else ""
        lists = closed.digest(self.plan.information)
        content = self.players.tobytes() + (digested(self.decks) + own + lists).encode()
        return hashlib.sha256(content).hexdigest()[:16]


class PairedGames(Protocol):
    """Games of a line-up, in pairs, of which tables are made; see contest.PairedContest."""

    @property
    def lineup(self) -> Lineup:
        """Who plays, with which decks, by which rules."""

    @property
    def rows(self) -> Array:
        """The games that were played, match.PAIRING (m,)."""

    @property
    def results(self) -> Array:
        """What came of them, match.RESULT (m,)."""

    @property
    def counts(self) -> Array:
        """The numbers of pairs of games by score, (n, n, 5)."""


def schedule(lineup: Lineup) -> Array:
    """Return all games of a line-up, match.PAIRING, one per row, pair by pair, round by round."""
    if lineup.plan.own:
        return _schedule_own(lineup)
    if lineup.side:
        return _schedule_drawn(lineup, lineup.side)
    meetings, n = np.array(lineup.meetings), len(lineup.decks)
    k, meeting, deck_a, deck_b = (
        part.ravel() for part in np.indices((lineup.rounds, len(meetings), n, n)))
    a, b = meetings[meeting].T
    seeds = derive((lineup.plan.seed, 0, Stream.ARENA), a, b, deck_a, deck_b, k)
    return match.pairs(match.pairings(a, b, deck_a, deck_b, seeds), decks=False).ravel()


def _schedule_drawn(lineup: Lineup, side: str) -> Array:
    """Return all games if each round has two decks of its own. Raises DeckError."""
    meetings, plan = np.array(lineup.meetings), lineup.plan
    number = {deck: i for i, deck in enumerate(lineup.decks)}
    listed = lists(side, plan.seed, plan.ruleset, lineup.rounds)
    if not number.keys() >= {*listed}:
        raise DeckError("the human lists of this hsevo differ from the lists of the stored games;"
                        " use the hsevo that played them")
    deck = np.array([number[drawn_deck] for drawn_deck in listed]).reshape(-1, 2)
    k, meeting = (part.ravel() for part in np.indices((lineup.rounds, len(meetings))))
    a, b = meetings[meeting].T
    seeds = derive((plan.seed, 0, Stream.ARENA), a, b, k)
    rows = match.pairings(a, b, deck[k, 0], deck[k, 1], seeds)
    return match.pairs(rows, decks=False).ravel()


def _schedule_own(lineup: Lineup) -> Array:
    """Return all games if some agents play only one deck: both then keep their decks in a pair."""
    parts = []
    for a, b in lineup.meetings:
        own, theirs = (np.array(lineup.decks_of(agent)) for agent in (a, b))
        k, i, j = (part.ravel() for part in np.indices(
            (lineup.rounds_of(a, b), len(own), len(theirs))))
        deck_a, deck_b = own[i], theirs[j]
        alone = lineup.names[a] in lineup.plan.own or lineup.names[b] in lineup.plan.own
        seeds = derive((lineup.plan.seed, 0, Stream.ARENA, a, b), deck_a, deck_b, k)
        rows = match.pairings(a, b, deck_a, deck_b, seeds)
        parts.append((k, match.pairs(rows, decks=alone)))
    order = np.argsort(np.concatenate([k for k, _ in parts]), kind="stable")
    return np.concatenate([rows for _, rows in parts])[order].ravel()


def play(executor: Executor, rows: Array, players: Array, setting: match.Setting,
         block: int = BLOCK) -> Iterator[PlayedBlock]:
    """Play rows (2m,) on the workers; yield them in order, in blocks, with match.RESULT rows.

    block: the size of a job (see BLOCK). The cuts between blocks depend on how long earlier games
    took, and so on the workers; the rows and their results don't. If there is a hosted player,
    play/hosting.py plays, in jobs of its own. Raises ConfigError, GameError, PlayerError.
    """
    if hosted.among(players):
        yield from hosting.play_rows(executor, rows, players, setting)
        return
    pace, nets = Pace(len(players), block), carried(players)
    dealt: deque[Array] = deque()

    def jobs() -> Iterator[Job]:
        at = 0
        while at < len(rows):
            part = pace.cut(rows[at:at + MOST_ROWS])
            at += len(part)
            dealt.append(part)
            yield part, players, setting, *nets

    for results in executor(match.play_block, jobs()):
        part = dealt.popleft()
        pace.learn(part, results)
        yield PlayedBlock(part, results)


def pentanomials(rows: Array, results: Array, n: int) -> Array:
    """Count pairs by score: (n, n, 5), [i, j] the pairs of i and j by the points of i, 0 to 2.

    Pairs with a game that the engine refused are not counted.
    """
    counts = np.zeros((n, n, 5), np.int64)
    whole = sound(results)[::2]
    twice_a = 2 * results["wins_a"] + results["draws"]
    twice_b = 2 * results["wins_b"] + results["draws"]
    scored = (twice_a[::2] + twice_b[1::2])[whole]
    a, b = rows["a"][::2][whole], rows["b"][::2][whole]
    np.add.at(counts, (a, b, scored), 1)
    np.add.at(counts, (b, a, 4 - scored), 1)
    return counts


def sound(results: Array) -> Array:
    """Return which games count, bool (2m,): those of pairs without refused games."""
    return np.repeat((results["faults"][::2] + results["faults"][1::2]) == 0, 2)


def looks(lineup: Lineup) -> Iterator[int]:
    """Yield the numbers of rounds after which to evaluate a sequential test; the last is all."""
    least, done = ceil(FIRST_LOOK / lineup.deck_pairs(0, 1)), 0
    while done < lineup.rounds:
        done = min(done + max(least, done // 20), lineup.rounds)
        yield done


def games_table(rows: Array, results: Array, lineup: Lineup, first: int,
                moves: Sequence[str] = ()) -> pd.DataFrame:
    """Return lines of games.csv, one per game, for pairs from number `first` on.

    a has seat 0 and deck_a; the seed of a game determines which seat begins. simulated: actions.
    moves: of each game, if they are recorded; "" where both agents are compiled.
    """
    import pandas as pd

    names = np.array(lineup.names, object)
    decks = np.array([deck.name for deck in lineup.decks], object)
    table = {"pair": first + np.arange(len(rows)) // 2,
             "a": names[rows["a"]], "b": names[rows["b"]],
             "deck_a": decks[rows["deck_a"]], "deck_b": decks[rows["deck_b"]],
             "seed": rows["seed"]}
    table |= {name: results[name] for name in GAME_COLUMNS}
    return pd.DataFrame(table | ({"moves": list(moves)} if moves else {}))


def pairs_table(record: PairedGames) -> pd.DataFrame:
    """Return the results of each agent against each opponent, from both sides.

    Columns agent, opponent, games (of whole pairs), wins, draws, losses, faults (games that the
    engine refused), rate, elo and nelo with the ends of their intervals (rating.py), and the
    numbers of pairs with 0, 1/2, 1, 3/2 and 2 points.
    """
    import pandas as pd

    return pd.DataFrame(pair_columns(record))


def pair_columns(record: PairedGames) -> dict[str, Any]:
    """Return the columns of pairs_table, which a match reads without pandas."""
    counts, names = record.counts, record.lineup.names
    columns, sums = _sums(record)
    met = list(zip(*columns.values(), strict=True))
    sizes = [counts[a, b] / _design_effect(record, a, b) for a, b in met]  # for the intervals
    measures = {"rate": rating.rate, "elo": rating.elo, "nelo": rating.normalised_elo}
    table: dict[str, Any] = {column: [names[index] for index in indices]
                             for column, indices in columns.items()} | sums
    for name, measure in measures.items():
        table |= estimate_columns(name, [measure(pairs) for pairs in sizes])
    return table | {f"pairs_{score:g}": [int(counts[a, b][int(2 * score)]) for a, b in met]
                    for score in (0, 0.5, 1, 1.5, 2)}


def _sums(record: PairedGames) -> tuple[dict[str, list[int]], dict[str, Array]]:
    """Return the numbers of each agent and opponent that met, and their results summed."""
    rows, results, n = record.rows, record.results, len(record.lineup.names)
    fine = sound(results)
    wins_a, wins_b, draws = (np.where(fine, results[name], 0)
                             for name in ("wins_a", "wins_b", "draws"))
    sides = {"games": (fine, fine), "wins": (wins_a, wins_b), "draws": (draws, draws),
             "losses": (wins_b, wins_a), "faults": (results["faults"], results["faults"])}
    agents = np.concatenate([rows["a"], rows["b"]], dtype=np.int64)
    opponents = np.concatenate([rows["b"], rows["a"]], dtype=np.int64)
    met, line = np.unique(n * agents + opponents, return_inverse=True)
    sums = {name: np.zeros(len(met), np.int64) for name in sides}
    for name, side in sides.items():
        np.add.at(sums[name], line, np.concatenate(side, dtype=np.int64))
    return {"agent": (met // n).tolist(), "opponent": (met % n).tolist()}, sums


def _design_effect(record: PairedGames, a: int, b: int) -> float:
    """Return the design effect of the pairs of two agents; 1 where no decks are drawn."""
    if not record.lineup.side:
        return 1.0
    whole = sound(record.results)
    rows, results = record.rows[whole], record.results[whole]
    met = (rows["a"] == a) & (rows["b"] == b) | (rows["a"] == b) & (rows["b"] == a)
    rows, points = rows[met], (2 * results["wins_a"] + results["draws"])[met]
    first = rows["a"] == a
    scores = np.where(first, points, 2 - points).reshape(-1, 2).sum(axis=1) / 4
    if not len(scores):
        return 1.0
    return design_effect(scores, rows["deck_a"][::2], rows["deck_b"][::2])


def classes_table(record: PairedGames) -> pd.DataFrame:
    """Return the first agent's results by the class of its deck.

    Columns class, decks, games, wins, draws, losses, rate, rate_low, rate_high. Of decks that are
    drawn, the intervals count that games share decks (drawn.py).
    """
    import pandas as pd

    lineup, fine = record.lineup, sound(record.results)
    rows, results = record.rows[fine], record.results[fine]
    first = rows["a"] == 0
    own, theirs = (np.where(first, rows[f"deck_{x}"], rows[f"deck_{y}"]) for x, y in ("ab", "ba"))
    points = 2 * np.where(first, results["wins_a"], results["wins_b"]) + results["draws"]
    heroes = np.array([deck.hero for deck in lineup.decks], object)[own]
    lines = [_class_line(name, points[heroes == name], own[heroes == name], theirs[heroes == name],
                         bool(lineup.side)) for name in sorted({*heroes})]
    return pd.DataFrame(lines)


def _class_line(name: str, points: Array, own: Array, theirs: Array,
                shared: bool) -> dict[str, Any]:
    losses, draws, wins = (int((points == n).sum()) for n in range(3))
    effect = design_effect(points / 2, own, theirs) if shared else 1.0
    estimate = rating.rate(np.array([losses, draws, wins]) / effect)
    return {"class": name, "decks": len({*own.tolist()}), "games": len(points), "wins": wins,
            "draws": draws, "losses": losses, "rate": estimate.value, "rate_low": estimate.low,
            "rate_high": estimate.high}


def ratings_table(pairs: pd.DataFrame, counts: Array, names: Sequence[str]) -> pd.DataFrame:
    """Rank the agents: by Bradley-Terry rating, best first.

    Columns agent, rating, low, high (Elo, mean 0), lead, lead_low, lead_high (over the next one,
    in Elo; empty for the last), rate, rate_low, rate_high (of all its games), games, wins, draws,
    losses, faults; and nash, its share of the Nash mixture (rating.nash), if all met all.
    """
    import pandas as pd

    values, spread = rating.bradley_terry(counts)
    low, high = rating.intervals(values, spread)
    order = np.argsort(-values, kind="stable")
    leads = [rating.lead(values, spread, i, j) for i, j in pairwise(order)]
    rates = [rating.rate(counts[i].sum(axis=0)) for i in order]
    table = pd.DataFrame({"agent": [names[i] for i in order], "rating": values[order],
                          "low": low[order], "high": high[order],
                          **estimate_columns("lead", [*leads, rating.UNKNOWN]),
                          **estimate_columns("rate", rates)})
    sums = pairs.groupby("agent")[["games", "wins", "draws", "losses", "faults"]].sum()
    table = table.join(sums, on="agent")
    mixture = mixed(counts)
    return table if mixture is None else table.assign(nash=mixture[order])


def estimate_columns(name: str, estimates: Sequence[Estimate]) -> dict[str, list[float]]:
    """Return the columns name, name_low and name_high of a table of estimates."""
    return {name: [estimate.value for estimate in estimates],
            f"{name}_low": [estimate.low for estimate in estimates],
            f"{name}_high": [estimate.high for estimate in estimates]}


def mixed(counts: Array) -> Array | None:
    """Return the Nash mixture (n,) of the observed rates, or None if two agents never met."""
    pairs = counts.sum(axis=2)
    if (pairs + np.eye(len(pairs)) == 0).any():
        return None
    rates = (counts @ rating.points(counts)) / np.maximum(pairs, 1)
    np.fill_diagonal(rates, 0.5)
    return rating.nash(rates)


def deck_pairs_table(record: PairedGames) -> pd.DataFrame:
    """Return the results of each agent against each opponent by their decks.

    Columns agent, opponent, deck, opponent_deck, games, wins, draws, losses, rate, rate_low,
    rate_high, mean_turns. The two games of a pair belong to two deck pairs, so the intervals are
    those of single games.
    """
    fine, lineup = sound(record.results), record.lineup
    keys = ["agent", "opponent", "deck", "opponent_deck"]
    games = tournament.both_sides(record.rows[fine], record.results[fine])
    table = games.groupby(keys, as_index=False).sum()
    rates = [rating.rate(np.array(line)) for line in
             table[["losses", "draws", "wins"]].itertuples(index=False, name=None)]
    table = table.assign(**estimate_columns("rate", rates))
    table["mean_turns"] = table["turns"] / table["games"]
    for column in keys:
        called = [deck.name for deck in lineup.decks] if "deck" in column else lineup.names
        table[column] = [called[index] for index in table[column]]
    return table.drop(columns=["turns", "margin"])
