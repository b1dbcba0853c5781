"""Jobs: the games of a round, cut into blocks for the workers of an executor.

    deals = Deals(who, decks, seeds, setting)
    round, draft = play_all(executor, players, deals)      policies travel with the jobs

The executor is any of `play.workers`: this process, threads, processes, a dask cluster. Results are
the same whatever their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hsevo.agents.learned import nets
from hsevo.learning.acting.drafts import Decks, Draft, build_decks, peeked
from hsevo.learning.acting.rounds import Player, Round, play
from hsevo.learning.acting.showing import lists_shown
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting
from hsevo.play.players import refuse_unfair
from hsevo.play.workers import Executor, OnGames
from hsevo.types import Array

BLOCK = 256  # games of a job at most, if there are enough for all workers


@dataclass(frozen=True)
class Deals:
    """Games to play: who (n, 2) has which seat, with which decks, from which seeds, uint64 (n,).

    setting: the rules of the games; its own decks do not count.
    peeks: how many cards that the other chose each seat sees, if it peeks, int64 (n, 2); None: as
    `peeked` draws them.
    """

    who: Array
    decks: Decks
    seeds: Array
    setting: Setting
    peeks: Array | None = None

    def __len__(self) -> int:
        return len(self.seeds)

    def take(self, part: Array) -> Deals:
        """Return some of them, by their numbers (k,)."""
        return replace(self, who=self.who[part], decks=[self.decks[k] for k in part],
                       seeds=self.seeds[part],
                       peeks=None if self.peeks is None else self.peeks[part])


def begin(players: Sequence[Player], deals: Deals,
          random: bool) -> tuple[GameBatch, Draft | None, Array | None]:
    """Begin games, with decks that policies build, if they do; return also the draft and `lists`.

    random: whether random-CB draws the first cards. Raises ConfigError unless the rules are fair.
    """
    refuse_unfair(deals.setting)
    decks, draft = deals.decks, None
    peeks = peeked(deals.seeds) if deals.peeks is None else deals.peeks
    if any(getattr(player, "builds", False) for player in players):
        decks, draft = build_decks(players, deals.who, decks, deals.seeds, random, peeks)
    lists = lists_shown(players, deals.who, decks, peeks, deals.setting.ruleset)
    first, second = zip(*decks, strict=True)
    return GameBatch.under(deals.setting, first, second, deals.seeds), draft, lists


def play_part(players: Sequence[Player], deals: Deals, random: bool, record: int | None,
              teacher: Array | None, carried: Sequence[nets.Net]) -> tuple[Round, Draft | None]:
    """Play games to their ends: a job. The draft is returned if it is of `record`.

    carried: the nets of compiled agents, which this process may lack.
    """
    nets.keep(carried)
    games, draft, lists = begin(players, deals, random)
    played = play(games, players, deals.who, deals.seeds, record, lists, teacher)
    learns = record is not None and getattr(players[record], "builds", False)
    return played, draft if learns else None


def play_all(executor: Executor, players: Sequence[Player], deals: Deals, random: bool = False,
             record: int | None = None, on_games: OnGames = lambda games: None,
             teacher: Array | None = None) -> tuple[Round, Draft | None]:
    """Play games to their ends on the workers; see `rounds.play`."""
    rounds, drafts = [], []
    compiled = [player for player in (*players, teacher) if isinstance(player, np.ndarray)]
    carried = nets.carried(np.concatenate(compiled)) if compiled else ()
    for played, draft in run(executor, play_part, players, deals, random, record, teacher, carried):
        rounds.append(played)
        drafts.append(draft)
        on_games(len(played.results))
    return Round.joined(rounds), Draft.joined(drafts)


def run(executor: Executor, job: Callable[..., Any], players: Sequence[Player], deals: Deals,
        *more: Any) -> Iterator[Any]:
    """Yield job(players, deals, ...) for each block of games, in order.

    A block gets the players that it needs: `record`, if more has one, must be 0, who then comes
    first.
    """
    size = max(min(BLOCK, -(-len(deals) // executor.workers)), 1)

    def jobs() -> Iterator[tuple[Any, ...]]:
        for at in range(0, len(deals), size):
            part = deals.take(np.arange(at, min(at + size, len(deals))))
            needed = np.union1d([0], part.who)
            who = np.searchsorted(needed, part.who)
            yield [players[k] for k in needed], replace(part, who=who), *more

    yield from executor(job, jobs())
