"""What each decision of a game cost: the move that was made against an analyst's, by playing on.

    choices(game, seats, analysts) -> Choice   a decision: the move that was made, and the analyst's
    jobs(game, choices, players, ...)          what is to be played, for any workers: play_on(*job)
    judged(choices, outcomes) -> table         the chance to win after each move, and the loss
    by_turn(table) -> table                    the same, a row a turn

At a decision, worlds are dealt: copies of the game in which all that its player can't see is random
(play/worlds.py). In each, the move that was made is made, and the analyst's, and both games are
played on to the end by the same players with the same random numbers. The chance of a move is its
share of wins; the loss is the difference. So luck does not count: a good move that a draw
punished costs nothing. Where both moves are the same, nothing is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import Any, Protocol

import numpy as np
import pandas as pd

from hsevo.agents.learned import nets
from hsevo.agents.registry import PROBABILITIES, draws
from hsevo.cards.tables import cards
from hsevo.engine.record.state import WIN_0
from hsevo.play.games import GameBatch
from hsevo.play.moves import Move, MoveKind
from hsevo.play.paired import Z, paired
from hsevo.play.rules import deal_worlds
from hsevo.play.session import Seat, Session
from hsevo.play.tournament import wilson
from hsevo.play.workers import Job
from hsevo.replays.chances import states_of
from hsevo.replays.lethal import Lethal, LethalSearch
from hsevo.replays.replay import scored_by
from hsevo.seeds import Stream, derive
from hsevo.types import Array

WORLDS = 100  # a decision, by default
MOST_WORLDS = 100_000
PART = 50  # worlds of a job
# In keys of random numbers: worlds in which a loss is found, and others in which it is confirmed.
FOUND, CONFIRMED = 2, 3  # those of chances.py have 0 and 1 there
ABOUT = ("step", "turn", "player", "kind", "move", "better", "network", "better_network", "line",
         "lethal", "lethal_least", "lethal_most", "lethal_line", "won")
COLUMNS = [*ABOUT, *(f"{name}{end}" for name in ("chance", "better_chance", "loss")
                     for end in ("", "_low", "_high"))]
TURN_COLUMNS = ["turn", "player", "step", "loss", "loss_low", "loss_high", "chance",
                "better_chance", "moves", "better", "lethal", "lethal_line"]
KIND_COLUMNS = ["kind", "decisions", "other", "loss", "loss_low", "loss_high", "total"]
KINDS = {MoveKind.END_TURN: "end of turn", MoveKind.ATTACK: "attack", MoveKind.POWER: "hero power",
         MoveKind.CHOOSE: "choice", MoveKind.THROW_BACK: "mulligan", MoveKind.KEEP: "mulligan"}


@dataclass(frozen=True)
class JudgedDecision:
    """A decision between several moves.

    step: its number in the game, from 0. turn: 0 in a mulligan. kind: of the move that was made.
    better: the analyst's move, "" if it is the one that was made. line: what the analyst would do
    from here to the end of the turn. network, better_network: the analyst's own chances to win
    after both moves, 0 to 1; NaN if its scores are no chances. lethal: whether the player could win
    in this turn: Lethal.answer, with the bounds of the probability and a line that does; "" if
    nobody looked. won: whether it did.
    """

    step: int
    turn: int
    player: int
    kind: str
    move: str
    better: str
    network: float
    better_network: float
    line: tuple[str, ...]
    lethal: str
    lethal_least: float
    lethal_most: float
    lethal_line: tuple[str, ...]
    won: bool
    moves: tuple[int, ...]  # to play on from: the one that was made, and the analyst's if another


def choices(game: Session, seats: Collection[int], analysts: Sequence[Seat],
            budget: int = 0) -> Iterator[JudgedDecision]:
    """Yield the decisions that players in some seats made in a game so far, with two moves or more.

    analysts: who is asked, by seat; also where there is one move, as in a match. budget: actions to
    simulate in search of each lethal, at most; 0: nobody looks.
    """
    replayed, states = game.beginning(), states_of(game, [move.index for move in game.history])
    setting = game.setting
    search = budget and LethalSearch(setting.ruleset, setting.information == "leaky", budget)
    for step, played in enumerate(game.history):
        if replayed.player in seats:
            asked, analyst = replayed.ask(analysts[replayed.player]), analysts[replayed.player]
            if len(replayed.moves) > 1:
                lethal = search.lethal(states.take(step)) if search else None
                won = (game.winner, game.turn) == (replayed.player, replayed.turn)
                yield _choice(replayed, step, played, asked, analyst, lethal, won)
        replayed.play(played.index)


def _choice(game: Session, step: int, played: Move, asked: Move, analyst: Seat,
            lethal: Lethal | None, won: bool) -> JudgedDecision:
    """Return a decision; asked: what the analyst has just said."""
    seat = game.player
    known, same = chances_of(game, analyst), asked.text == played.text
    kind = KINDS.get(played.kind) or cards(game.setting.ruleset)[
        played.source.card if played.source else ""].kind.name.lower()
    return JudgedDecision(step, game.turn, seat, kind, played.text, "" if same else asked.text,
                          known.get(played.index, nan), known.get(asked.index, nan),
                          () if same else line_of(game, analyst),
                          *(found_by(game, lethal) if lethal else ("", nan, nan, ())), won,
                          (played.index,) if same else (played.index, asked.index))


def found_by(game: Session, lethal: Lethal) -> tuple[str, float, float, tuple[str, ...]]:
    """Return what a search found, its line in words."""
    ahead, texts = game.copy(), []
    ahead.setting = replace(ahead.setting, all_places=True)
    for move in lethal.line:
        if ahead.over or all(option.index != move for option in ahead.moves):
            break  # the true game goes another way: a secret
        texts.append(next(option.text for option in ahead.moves if option.index == move))
        ahead.play(move)
    return lethal.answer, lethal.low, lethal.high, tuple(texts)


def chances_of(game: Session, analyst: Seat) -> Mapping[int, float]:
    """Return the chances to win after moves that the agent asked last has found, by their index."""
    agent = analyst.agent
    if agent is None or scored_by(agent) != PROBABILITIES or draws(np.atleast_1d(agent)[0]):
        return {}
    return game.scores


def line_of(game: Session, analyst: Seat, first: Move | None = None) -> tuple[str, ...]:
    """Return what an analyst would do from here to the end of the turn, after a first move."""
    ahead, seat, texts = game.copy(), game.player, []
    if first:
        texts.append(first.text)
        ahead.play(first.index)
    while not ahead.over and ahead.player == seat and ahead.turn == game.turn:
        move = ahead.ask(analyst)
        texts.append(move.text)
        ahead.play(move.index)
    return tuple(texts)


# -- playing on -----------------------------------------------------------------------------------


class Compared(Protocol):
    """Some moves at a step of a game, to play on from."""

    @property
    def step(self) -> int:
        """The step, from 0."""

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves' indices."""


def jobs(game: Session, decisions: Sequence[Compared], players: Sequence[Seat], count: int,
         seed: int, key: int = FOUND, part: int = PART) -> Iterator[Job]:
    """Yield what `play_on` is to play for some decisions, in the order that `judged` takes.

    players: who plays on, by seat. count: worlds a decision. seed: of these worlds. key: FOUND, or
    CONFIRMED for worlds that have nothing to do with those. part: worlds of a job.
    """
    agents = np.concatenate([player.agent for player in players if player.agent is not None])
    states = states_of(game, [move.index for move in game.history])
    setting, carried = game.setting, nets.carried(agents)
    for decision in decisions:
        state = states.take(decision.step).states
        seeds = derive((seed, Stream.SAMPLE, key, game.seed, decision.step), np.arange(count))
        for at in range(0, count, part):
            yield (state, setting.ruleset, setting.information, decision.moves, seeds[at:at + part],
                   agents, carried)


def play_on(state: Array, ruleset: str, information: str, moves: Sequence[int], seeds: Array,
            agents: Array, carried: Sequence[nets.Net]) -> Array:
    """Return the results, int16 (moves, n), of games that continue from a state, STATE (1,).

    Game k continues in the world of seeds[k], the same for all moves. agents: AGENT (2,).
    """
    nets.keep(carried)
    start = GameBatch(state.view(np.recarray), ruleset, all_places=True).take(
        np.zeros(len(seeds), np.int64))
    deal_worlds(start.states, ruleset, start.players, seeds)
    results = []
    for move in moves:
        games = start.take(slice(None))
        games.step(np.full(len(games), move))
        while games.running.any():
            games.ask(agents, information=information)
        results.append(games.results)
    return np.array(results)


# -- what came of it ------------------------------------------------------------------------------


def judged(decisions: Sequence[JudgedDecision], outcomes: Iterator[Array],
           count: int) -> pd.DataFrame:
    """Return a table of decisions, from what `play_on` returned for each job in order.

    Columns: those of ABOUT, see Choice; chance (to win
    after the move that was made), better_chance and loss, their difference, each with _low and
    _high, the ends of its 95 % interval: Wilson's, and of the loss Agresti and Min's
    (play/paired.py).
    """
    parts = -(-count // PART)
    rows = []
    for decision in decisions:
        won = (np.concatenate([next(outcomes) for _ in range(parts)], axis=1)
               == WIN_0 + decision.player)
        about = {name: getattr(decision, name) for name in ABOUT}
        rows.append(about | _compared(won[0], won[-1]) | lost(won))
    return pd.DataFrame(rows, columns=COLUMNS)


def _compared(chosen: Array, better: Array) -> dict[str, float]:
    """Return the chances of two moves; chosen, better: bool (n,), in which worlds each won."""
    lows, highs = wilson([chosen.sum(), better.sum()], [len(chosen)] * 2)
    return {"chance": chosen.mean(), "chance_low": lows[0], "chance_high": highs[0],
            "better_chance": better.mean(), "better_chance_low": lows[1],
            "better_chance_high": highs[1]}


def lost(won: Array) -> dict[str, float]:
    """Return the loss by the move that was made; won: bool (moves, n), by move and world."""
    if len(won) == 1:
        return _loss(0.0, 0.0, 0.0)
    gaps = won[1].astype(np.int64) - won[0]
    middle, error = paired(gaps)
    return _loss(float(gaps.mean()), middle, error**2)


def _loss(value: float, middle: float, variance: float) -> dict[str, float]:
    half = Z * sqrt(variance)
    return {"loss": value, "loss_low": middle - half, "loss_high": middle + half}


def mean_loss(decisions: pd.DataFrame) -> tuple[float, float, float]:
    """Return what a decision cost on average, and the ends of its 95 % interval; NaN without any.

    The decisions are taken as they are: the interval is of the games that were played on.
    """
    n = len(decisions)
    if n == 0:
        return nan, nan, nan
    total = _sum(decisions)
    return total["loss"] / n, total["loss_low"] / n, total["loss_high"] / n


def _sum(rows: pd.DataFrame) -> dict[str, float]:
    """Return the sum of the losses of decisions, whose worlds are independent."""
    middles, halves = ((rows["loss_high"] + sign * rows["loss_low"]) / 2 for sign in (1, -1))
    return _loss(rows["loss"].sum(), middles.sum(), ((halves / Z) ** 2).sum())


def by_kind(decisions: pd.DataFrame) -> pd.DataFrame:
    """Return what decisions of each kind cost, the kind that cost most in all first.

    Columns: kind; decisions; other, of how many the analyst would have decided otherwise; loss with
    loss_low and loss_high, what one cost on average; total, what all of them cost.
    """
    rows = []
    for kind, some in decisions.groupby("kind"):
        value, low, high = mean_loss(some)
        rows.append({"kind": kind, "decisions": len(some),
                     "other": int((some["better"] != "").sum()), "loss": value, "loss_low": low,
                     "loss_high": high, "total": some["loss"].sum()})
    table = pd.DataFrame(rows, columns=KIND_COLUMNS)
    return table.sort_values("total", ascending=False, kind="stable", ignore_index=True)


def by_turn(decisions: pd.DataFrame) -> pd.DataFrame:
    """Return what the turns of each player cost, in order: the sum over a turn's decisions.

    Columns: turn, player, step (of the decision that cost most), loss with loss_low and loss_high,
    chance and better_chance (to win, after that decision's move and after the analyst's), moves,
    better (the moves up to that decision, and the analyst's from there to the end of the turn),
    each of the two in order; better is () if nothing differed; lethal ("taken": the player could
    surely win in this turn, and did; "missed": it did not; else "no", "chance" or "unknown", the
    last if it was so at any decision; "" if nobody looked), and lethal_line, what wins.
    """
    rows = [_turn(rows) for _, rows in decisions.groupby(["turn", "player"], sort=False)]
    return pd.DataFrame(rows, columns=TURN_COLUMNS)


def _turn(rows: pd.DataFrame) -> dict[str, Any]:
    worst = int(np.argmax(rows["loss"].where(rows["better"] != "", -np.inf)))
    moves, line = tuple(rows["move"]), rows["line"].iloc[worst]
    return {"turn": rows["turn"].iloc[0], "player": rows["player"].iloc[0],
            "step": rows["step"].iloc[worst], **_sum(rows),
            "chance": rows["chance"].iloc[worst],
            "better_chance": rows["better_chance"].iloc[worst], "moves": moves,
            "better": moves[:worst] + line if line else (), **_lethal(rows)}


def _lethal(rows: pd.DataFrame) -> dict[str, Any]:
    """Return what a turn's lethal was."""
    sure = rows["lethal"] == "yes"
    if sure.any():
        first = int(np.argmax(sure))
        return {"lethal": "taken" if rows["won"].iloc[0] else "missed",
                "lethal_line": tuple(rows["move"])[:first] + rows["lethal_line"].iloc[first]}
    answers = ("unknown", "chance", "no")
    return {"lethal": next((answer for answer in answers if (rows["lethal"] == answer).any()), ""),
            "lethal_line": ()}
