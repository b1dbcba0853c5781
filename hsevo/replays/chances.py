"""The chance to win at moments of a game, estimated by playing on from there many times.

    estimate(game, moves, games) -> Chances     points of a curve, and the moves that turned it
    of_decisions(table, ...) -> Chances         the same curve from decisions that were analysed

Scores of agents are no chances; these are: at the start of each turn, the true state is copied
`games` times, each copy with random streams of its own, and played to its end. So what is hidden
from the players counts as well. The turns that changed most are estimated at each of their moves.
Agents that search, and learned ones, would take too long: then eva:2018 plays on for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from hsevo.agents.genomes.weights import EVA_2018
from hsevo.agents.shared.agent import ONE_AHEAD, eva
from hsevo.engine.record.state import RUNNING, STATE, WIN_0
from hsevo.play.games import GameBatch
from hsevo.play.session import Session
from hsevo.play.tournament import wilson
from hsevo.seeds import Stream, derive
from hsevo.types import Array

GAMES: int = 100  # a point, by default
MOST_GAMES = 10_000
MOST_TURNS = 40  # starts of turns that are estimated; of longer games, every second or third
TURNING = 3  # turning points that are named, and turns that are estimated move by move
# They look at their own next move alone, and play some 1,500 games a second on one core.
STAND_IN = "eva:2018"


@dataclass(frozen=True)
class ChancePoint:
    """The chance of player 0 to win at a step (from 0), with its 95 % interval, all 0 to 1."""

    step: int
    chance: float
    low: float
    high: float


@dataclass(frozen=True)
class Chances:
    """A curve of points in the order of their steps.

    games: that were played on from each point. players: who played them. turning: the steps whose
    one move changed the chance most, at most TURNING and only where the intervals before and after
    it do not overlap, the largest change first. sampled: in each game that was played on, all that
    the player to move could not see was dealt by chance; else the true state was played on.
    """

    points: tuple[ChancePoint, ...]
    games: int
    players: tuple[str, str]
    turning: tuple[int, ...]
    sampled: bool = False

    def of(self, player: int) -> Chances:
        """Return the curve of a player's chances: of player 1, what player 0 does not have."""
        return self if player == 0 else replace(self, points=tuple(map(_mirrored, self.points)))


def _mirrored(point: ChancePoint) -> ChancePoint:
    return ChancePoint(point.step, 1 - point.chance, 1 - point.high, 1 - point.low)


def estimate(game: Session, moves: Sequence[int], games: int) -> Chances | None:
    """Return the chances of player 0 in a game in which these moves were made; None for games 0.

    game: at any point of it; its rules, decks, seed and players count. games: a point.
    """
    if not games or not moves:
        return None
    players, agents = _who(game)
    states = states_of(game, moves)
    starts = _starts(states)
    known = _played(game, states, starts, agents, games)
    known |= _played(game, states, sorted(_inside(known, starts) - {*known}), agents, games)
    points = tuple(known[step] for step in sorted(known))
    return Chances(points, games, players, _turning(points))


def of_decisions(table: pd.DataFrame, game: Session, games: int, agent: str) -> Chances:
    """Return the chances of player 0 by the games that judged decisions: no game is played on.

    table: of decisions.judged. Each decision has two points: the chance before it, which is that of
    the analyst's move, and after it, which is that of the move that was made. So the curve falls
    within a decision by what the table says that the decision cost, and between two decisions by
    luck and by the opponent. agent: who played on. games: after each move.
    """
    points = []
    for row in table.to_dict("records"):
        for step, name in ((row["step"], "better_chance"), (row["step"] + 1, "chance")):
            point = ChancePoint(step, row[name], row[f"{name}_low"], row[f"{name}_high"])
            points.append(_mirrored(point) if row["player"] else point)
    if game.over:
        won = float(game.winner == 0)
        points.append(ChancePoint(len(game.history), won, won, won))
    return Chances(tuple(points), games, (agent, agent), (), sampled=True)


def _who(game: Session) -> tuple[tuple[str, str], Array]:
    """Return who plays on, names and AGENT (2,): the players if both are quick."""
    agents = [player.agent for player in game.players if player.agent is not None]
    if len(agents) == 2 and all(int(np.atleast_1d(agent)["kind"][0]) in ONE_AHEAD
                                for agent in agents):
        return (game.players[0].name, game.players[1].name), np.concatenate(
            [np.atleast_1d(agent) for agent in agents])
    return (STAND_IN, STAND_IN), np.repeat(eva(EVA_2018[None]), 2)


def states_of(game: Session, moves: Sequence[int]) -> GameBatch:
    """Return the states before each move and after the last, one game each."""
    rules = game.setting
    now = GameBatch(game.beginning().states().view(np.recarray), rules.ruleset, all_places=True)
    states = np.zeros(len(moves) + 1, STATE).view(np.recarray)
    states[0] = now.states[0]
    for number, move in enumerate(moves, start=1):
        now.step(np.array([move]))
        states[number] = now.states[0]
    return GameBatch(states, rules.ruleset, all_places=True)


def _starts(states: GameBatch) -> list[int]:
    """Return the first step of each turn, and the last one of all."""
    turns = states.states["turn"]
    starts = [0, *(int(k) for k in np.flatnonzero(np.diff(turns)) + 1)]
    last = len(states) - 1
    return sorted({*starts[::-(-len(starts) // MOST_TURNS)], last})


def _inside(known: dict[int, ChancePoint], starts: Sequence[int]) -> set[int]:
    """Return the steps inside those turns that changed the chance most."""
    turns = sorted(pairwise(starts), reverse=True,
                   key=lambda turn: abs(known[turn[1]].chance - known[turn[0]].chance))
    return {step for begin, end in turns[:TURNING] for step in range(begin, end)}


def _played(game: Session, states: GameBatch, steps: Sequence[int], agents: Array,
            games: int) -> dict[int, ChancePoint]:
    """Return the chance at each of some steps; a game that is over has its result."""
    if not steps:
        return {}
    copies = states.take(np.repeat(np.array(steps), games))
    parts = np.repeat(np.array(steps), games), np.tile(np.arange(games), len(steps))
    for stream, field in enumerate(("rng", "lookahead_rng")):
        copies.states[field] = derive((game.seed, Stream.SAMPLE, stream), *parts)
    while copies.running.any():
        copies.ask(agents, information=game.setting.information)
    won = (copies.results == WIN_0).reshape(len(steps), games).sum(axis=1)
    ends = zip(*wilson(won, [games] * len(steps)), strict=True)
    points = {}
    for step, wins, (low, high) in zip(steps, won, ends, strict=True):
        chance = float(wins) / games
        over = states.results[step] != RUNNING
        bounds = (chance, chance) if over else (round(float(low), 4), round(float(high), 4))
        points[step] = ChancePoint(step, chance, *bounds)
    return points


def _turning(points: Sequence[ChancePoint]) -> tuple[int, ...]:
    """Return the steps whose move changed the chance most, and beyond the intervals."""
    moves = [(a, b) for a, b in pairwise(points)
             if b.step == a.step + 1 and (a.high < b.low or b.high < a.low)]
    moves.sort(key=lambda pair: (-abs(pair[1].chance - pair[0].chance), pair[0].step))
    return tuple(a.step for a, _ in moves[:TURNING])
