"""Games of hosted players (players.py), with each other and with compiled agents.

    play_rows(executor, rows, agents, setting)    rows of match.PAIRING over workers, as Blocks
    play_block(pairings, agents, setting)         pairings of any agents to match.RESULT
    open_game(pairing, agents, setting)           one game of any agents, move by move
    Minds(seats, setting, seed)                   the hosted players of one game

What a hosted player remembers of a game follows from its own decisions in it, and what it draws
from the game's seed and the number of the decision. So asking it changes nothing, and whoever was
asked or not, it plays as in a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from pickle import PicklingError
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.agents.genomes.decks import on_decks, seated
from hsevo.agents.learned import nets
from hsevo.cards.tables import ids
from hsevo.engine.record.codec import HERO, SEATS, Action, decode
from hsevo.engine.record.state import DRAW, RUNNING, STATE, WIN_0, WIN_1
from hsevo.errors import GameError, PlayerError, brief
from hsevo.files import read_table
from hsevo.play import match
from hsevo.play.ending import out_of_torch
from hsevo.play.match import PAIRING, RESULT, Setting, Table
from hsevo.play.players import (
    Decision,
    Mind,
    Played,
    among,
    built,
    check_fair,
    compiled,
    families,
    family,
    is_recorded,
    packed,
    unpack,
)
from hsevo.play.workers import Executor, Job

Array: TypeAlias = npt.NDArray[Any]
LEAST_ROWS, MOST_ROWS, SHARES = 2, 32, 8  # of a job; jobs for each worker, if there are many rows
_NO_STATE = np.zeros(0, STATE)


class Block(NamedTuple):
    """Rows of match.PAIRING that were played, and their results."""

    rows: Array
    results: Array  # RESULT (n,)
    moves: tuple[str, ...] = ()  # of each row, as `played_moves` reads them; () if not recorded


def play_rows(executor: Executor, rows: Array, agents: Array,
              setting: Setting) -> Iterator[Block]:
    """Play rows on the workers; yield them in order, in blocks of pairs.

    agents: AGENT (m,) or (m, d, d), with a hosted one; games of compiled agents alone come out as
    they do without hosted ones. Raises ConfigError for a player that can't play these decks, or not
    fairly, PlayerError for one without a legal move.
    """
    if not len(rows):
        return  # what is finished needs nobody's code
    needed = families(agents)
    only = next(iter(needed.values()))
    if len(needed) == 1 and only.BATCHED and (rows["games"] == 1).all():
        for part, results in only.play_rows(executor, rows, agents, setting):
            yield Block(part, results)
        return
    luggage, recorded = packed(agents), is_recorded(agents)
    share = len(rows) // (SHARES * executor.workers)
    size = min(max(share - share % 2, LEAST_ROWS), MOST_ROWS)
    blocks = [rows[at:at + size] for at in range(0, len(rows), size)]
    jobs: Iterator[Job] = ((block, agents, setting, luggage, nets.carried(agents))
                           for block in blocks)
    try:
        for block, (results, moves) in zip(blocks, executor(play_packed, jobs), strict=True):
            yield Block(block, results, moves if recorded else ())
    except PicklingError as error:
        raise PlayerError(f"a Python player can't be sent to other processes"
                          f" ({brief(error.__cause__ or error)}); play with --workers 1 --backend"
                          " serial, or with --backend threads") from error


def play_packed(rows: Array, agents: Array, setting: Setting, luggage: dict[int, Any],
                carried: Sequence[nets.Net]) -> tuple[Array, tuple[str, ...]]:
    """Play rows in a process that may lack players and nets; see `play_recorded`: a job."""
    nets.keep(carried)
    unpack(luggage)
    return play_recorded(rows, agents, setting)


def play_block(pairings: Array, agents: Array, setting: Setting) -> Array:
    """Play every game of every pairing of any agents; return RESULT (n,): see match.play_block."""
    needed = families(agents)
    if not needed:
        return match.play_block(pairings, agents, setting)
    if len(needed) == 1 and (only := next(iter(needed.values()))).BATCHED:
        return only.play_block(pairings, agents, setting)
    return play_recorded(pairings, agents, setting)[0]


def play_recorded(pairings: Array, agents: Array,
                  setting: Setting) -> tuple[Array, tuple[str, ...]]:
    """Play every game of every pairing; return RESULT (n,) and the moves of each.

    Games without a player of a recorded family are played together, and have no moves.
    """
    records, rows = seated(agents, pairings)
    kinds = np.stack([records["kind"][rows["a"]], records["kind"][rows["b"]]])
    recorded = np.isin(kinds, [k for k, one in families(records).items() if one.RECORDED])
    singly = recorded.any(axis=0)
    results, moves = np.zeros(len(rows), RESULT), [""] * len(rows)
    if not singly.all():
        results[~singly] = _play_others(rows[~singly], records, setting)
    for i in np.flatnonzero(singly):
        played = [_play_game(rows[i], k, records, setting) for k in range(rows[i]["games"])]
        for name in RESULT.names or ():
            results[name][i] = sum(int(result[name]) for result, _ in played)
        moves[i] = ";".join(made for _, made in played)
    return results, tuple(moves)


def _play_others(rows: Array, records: Array, setting: Setting) -> Array:
    """Play rows of agents of which none is recorded; return RESULT (n,)."""
    used, places = np.unique([rows["a"], rows["b"]], return_inverse=True)
    again = rows.copy()
    again["a"], again["b"] = places.reshape(2, -1)
    return play_block(again, records[used], setting)


def _play_game(row: Any, k: int, agents: Array, setting: Setting) -> tuple[Any, str]:
    """Play game k of a row to its end; return its RESULT and its moves."""
    once = np.array([row], PAIRING)[0]
    once["games"], once["seed"] = 1, (int(row["seed"]) + k) % 2**64
    game, made, simulated = open_game(once, agents, setting), [], 0
    while game.game["result"] == RUNNING and not game.game["fault"]:
        made.append(game.decide())
        simulated += game.simulated
        game.move(made[-1])
    return _result(game, len(made), simulated), " ".join(map(str, made))


def _result(game: Table | HostedGame, decisions: int, simulated: int) -> Any:
    """Return the RESULT of a finished game."""
    result = results_of(np.array([game.game]))[0]
    result["decisions"], result["simulated"] = decisions, simulated
    return result


def play_again(row: Any, agents: Array, setting: Setting, moves: Sequence[int]) -> Any:
    """Return the RESULT of a game, a row of PAIRING, in which these moves were made.

    Recorded players are not asked again; of all others, each move must be what they choose. Raises
    GameError if it is not, or is not legal.
    """
    both = on_decks(agents[[row["a"], row["b"]]], row["deck_a"], row["deck_b"])
    recorded = [is_recorded(one) for one in both]
    game, simulated = open_game(row, agents, setting), 0
    for number, move in enumerate(moves, start=1):
        if game.game["result"] != RUNNING:
            raise GameError(f"the game was over before its stored move {number}")
        asked = move
        if not recorded[int(game.game["me"])]:
            asked = game.decide()
            simulated += game.simulated
        if asked != move or move not in game.legal():
            raise GameError(f"the stored move {number} is {move}, which is not played there")
        game.move(move)
    return _result(game, len(moves), simulated)


def played_moves(text: str, k: int) -> list[int]:
    """Return the moves of game k of a row. Raises ValueError if the text is damaged."""
    games = text.split(";")
    return [int(move) for move in games[k].split()] if k < len(games) else []


def recorded_moves(path: Path) -> list[str]:
    """Return the moves that a table of games or matches has, row by row; [] if it has none.

    Raises RunError.
    """
    table = read_table(path, (), ["moves"])
    if "moves" not in table:
        return []
    return ["" if moves != moves else str(moves) for moves in table["moves"]]


def results_of(states: Array) -> Array:
    """Return the results of finished games, STATE or GAME (n,), as RESULT (n,); a is player 0.

    Decisions and simulated actions are not counted.
    """
    found = np.zeros(len(states), RESULT)
    found["faults"] = states["fault"] != 0
    found["wins_a"], found["wins_b"], found["draws"] = (
        (states["result"] == one) & (states["fault"] == 0) for one in (WIN_0, WIN_1, DRAW))
    healths, heroes = np.asarray(states["char"]["health"], np.int64), [HERO, SEATS + HERO]
    left = (np.maximum(healths[:, heroes], 0) + states["side"]["armor"]).T
    found["margin_a"] = found["wins_a"] * (left[0] - left[1])
    found["margin_b"] = found["wins_b"] * (left[1] - left[0])
    found["turns"] = np.minimum(states["turn"], states["max_turns"])
    return found


def _played(now: Any, move: int, ruleset: str) -> Played | None:
    """Return the card that a move plays from the hand in a game, a record; None for others."""
    made = decode(move)
    if made.action is not Action.PLAY:
        return None
    me = int(now["me"])
    card = int(now["side"][me]["hand"][made.hand]["card"])
    return Played(int(now["turn"]), me, ids(ruleset)[card])


class Minds:
    """The hosted players of one game: what they remember of it, and how they decide.

    seats: whether each player is hosted. setting: its decks are those of players 0 and 1. once:
    each decision is asked for once, in order, so that memories need no copies.
    Raises ConfigError if there is one in a game that is not fair.
    """

    def __init__(self, seats: tuple[bool, bool], setting: Setting, seed: int,
                 once: bool = False) -> None:
        if any(seats):
            check_fair(setting)
        self.seats, self._setting, self._seed, self._once = seats, setting, seed, once
        # Who moved; in which state, STATE (1,), if it may be asked for later; cards played so far.
        self._past: list[tuple[int, Array, int]] = []
        self._cards: list[Played] = []
        self._memories: dict[tuple[bytes, int], list[Any]] = {}  # at the own decisions of a seat

    def made(self, now: Any, move: int) -> None:
        """Note that the player to move made a move, whoever chose it.

        now: the game before it, a record STATE, or GAME if each decision is asked for once.
        """
        state = _NO_STATE if self._once else np.array([now], STATE)
        self._past.append((int(now["me"]), state, len(self._cards)))
        if card := _played(now, move, self._setting.ruleset):
            self._cards.append(card)

    def act(self, one: Array, state: Array) -> int:
        """Return the move of a player, AGENT (1,), in a state, STATE (1,), of the player to move.

        It need not be the one that has the seat.
        """
        mind, memories, at = self._asked(one, state)
        move, memory = mind.act(self._decision(state, len(self._past)),
                                self._own(mind, memories[at]))
        memories[at + 1:] = [memory]
        return move

    def chances(self, one: Array, state: Array) -> dict[int, float]:
        """Return the probability with which the player draws each legal move there."""
        mind, memories, at = self._asked(one, state)
        return mind.chances(self._decision(state, len(self._past)), memories[at])

    def copy(self) -> Minds:
        """Return an independent copy."""
        other = Minds(self.seats, self._setting, self._seed)
        other._past, other._cards = [*self._past], [*self._cards]
        other._memories = {key: [*found] for key, found in self._memories.items()}
        return other

    def _own(self, mind: Mind, memory: Any) -> Any:
        return memory if self._once else mind.fork(memory)

    def _asked(self, one: Array, state: Array) -> tuple[Mind, list[Any], int]:
        """Return a player, its memories, and the number of the own decision that it is asked for.

        It catches up with the decisions of its seat that it was not asked for.
        """
        check_fair(self._setting)
        mind = family(int(one["kind"][0])).mind(one)
        seat = int(state["me"][0])
        key = one.tobytes(), seat
        if key not in self._memories:
            self._memories[key] = [mind.start(self._setting.decks[seat])]
        memories = self._memories[key]
        own = [at for at, (mover, *_) in enumerate(self._past) if mover == seat]
        for at in own[len(memories) - 1:]:
            decision = self._decision(self._past[at][1], at)
            memories.append(mind.act(decision, self._own(mind, memories[-1]))[1])
        return mind, memories, len(own)

    def _decision(self, state: Array, at: int) -> Decision:
        """Return the decision in a state before the move of number `at`."""
        seat = int(state["me"][0])
        clock = 1 + sum(mover == seat or self.seats[mover] for mover, *_ in self._past[:at])
        known = self._past[at][2] if at < len(self._past) else len(self._cards)
        return Decision(state, self._setting, clock, self._seed, tuple(self._cards[:known]))


def open_game(pairing: Any, agents: Array, setting: Setting) -> Table | HostedGame:
    """Return game 0 of a pairing, a row of match.PAIRING, at its beginning, to play move by move.

    agents: AGENT (m,) or (m, d, d).
    """
    both = on_decks(agents[[pairing["a"], pairing["b"]]], pairing["deck_a"], pairing["deck_b"])
    if among(both):
        dealt = setting.decks[pairing["deck_a"]], setting.decks[pairing["deck_b"]]
        return HostedGame(both, replace(setting, decks=dealt), int(pairing["seed"]))
    table = Table(agents, setting)
    table.deal(pairing, 0)
    return table


class HostedGame:
    """A game of hosted players, or of one and a compiled agent, move by move.

    agents: AGENT (2,), of players 0 and 1. setting: its decks are theirs; players of some families
    build others. seed: of the game.
    """

    def __init__(self, agents: Array, setting: Setting, seed: int) -> None:
        self._agents = agents[:1], agents[1:]
        decks = (setting.decks[0], setting.decks[1])
        setting = replace(setting, decks=built(decks, self._agents, setting.ruleset, seed))
        self._table = Table(compiled(agents), setting)
        self._table.deal(np.array([(0, 1, 0, 1, 1, seed)], PAIRING)[0], 0)
        self._minds = Minds((among(agents[:1]), among(agents[1:])), setting, seed, once=True)
        self._batched = any(one.BATCHED for one in families(agents).values())
        self.game = self._table.game  # a record GAME, the one that moves change
        self.simulated = 0  # actions examined for the last decision; not counted if batched

    def decide(self) -> int:
        """Return the move of the player whose turn it is. Ask once for each move."""
        one = self._agents[int(self.game["me"])]
        self.simulated = 0
        if among(one):
            return self._minds.act(one, np.atleast_1d(self._table.state))
        with out_of_torch():
            move = self._table.decide(fresh=self._batched)
        self.simulated = 0 if self._batched else self._table.simulated
        return move

    def legal(self) -> list[int]:
        """Return the legal moves."""
        return self._table.legal()

    @out_of_torch()
    def move(self, move: int) -> None:
        """Make a legal move: that which `decide` has returned, or one of a recorded player."""
        self._minds.made(self.game, move)
        self._table.move(move)
