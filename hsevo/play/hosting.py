"""Games of hosted players (players.py), with each other and with compiled agents.

    play_rows(executor, rows, agents, setting)    rows of match.PAIRING on workers: PlayedBlocks
    play_block(pairings, agents, setting)         pairings of any agents to match.RESULT
    open_game(pairing, agents, setting)           one game of any agents, move by move
    Bots(seats, setting, seed)                    the hosted players of one game
    answers(asked)                                moves of many games, asked for at once

What a hosted player remembers of a game follows from its own decisions in it, and what it draws
from the game's seed and the number of the decision. So asking it changes nothing, and whoever was
asked or not, it plays as in a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from pickle import PicklingError
from typing import Any, NamedTuple

import numpy as np

from hsevo.agents.genomes.decks import on_decks, seated
from hsevo.agents.learned import nets
from hsevo.cards.tables import ids
from hsevo.engine.record.codec import HERO, SEATS, Action
from hsevo.engine.record.state import DRAW, RUNNING, STATE, WIN_0, WIN_1
from hsevo.errors import GameError, PlayerError, brief
from hsevo.files import read_table
from hsevo.play import match
from hsevo.play.acts import Act, act_of
from hsevo.play.match import PAIRING, RESULT, Setting, Table
from hsevo.play.players import (
    Bot,
    Decision,
    ManyBot,
    PlayedCard,
    among,
    built,
    check_hidden,
    compiled,
    families,
    family,
    is_recorded,
    packed,
    refuse_leaky,
    unpack,
)
from hsevo.play.workers import Executor, Job
from hsevo.types import Array

LEAST_ROWS, MOST_ROWS, SHARES = 2, 32, 8  # of a job; jobs for each worker, if there are many rows
TOGETHER = 128  # games that players who decide for many at once play at a time: 70 MB
MOST_MANY = 256  # rows of their jobs: with fewer, the last games of a job make small batches
_NO_STATE = np.zeros(0, STATE)


class PlayedBlock(NamedTuple):
    """Rows of match.PAIRING that were played, and their results."""

    rows: Array
    results: Array  # RESULT (n,)
    moves: tuple[str, ...] = ()  # of each row, as `played_moves` reads them; () if not recorded


def play_rows(executor: Executor, rows: Array, agents: Array,
              setting: Setting) -> Iterator[PlayedBlock]:
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
            yield PlayedBlock(part, results)
        return
    luggage, recorded = packed(agents), is_recorded(agents)
    share = len(rows) // (SHARES * executor.workers)
    size = min(max(share - share % 2, LEAST_ROWS), MOST_ROWS)
    if _decide_for_many(agents.ravel()):
        share = -(-len(rows) // executor.workers)
        size = min(share + share % 2, MOST_MANY)
    blocks = [rows[at:at + size] for at in range(0, len(rows), size)]
    jobs: Iterator[Job] = ((block, agents, setting, luggage, nets.carried(agents))
                           for block in blocks)
    try:
        for block, (results, moves) in zip(blocks, executor(play_packed, jobs), strict=True):
            yield PlayedBlock(block, results, moves if recorded else ())
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
    recorded = np.isin(kinds, [k for k, player_family in families(records).items()
                               if player_family.RECORDED])
    singly = recorded.any(axis=0)
    results, moves = np.zeros(len(rows), RESULT), [""] * len(rows)
    if not singly.all():
        results[~singly] = _play_others(rows[~singly], records, setting)
    games = [(i, k) for i in np.flatnonzero(singly) for k in range(rows[i]["games"])]
    begun = (_open(rows[i], k, records, setting) for i, k in games)
    played = _play_together(begun, TOGETHER if _decide_for_many(records) else 1)
    for (i, k), (result, played_actions) in zip(games, played, strict=True):
        for name in RESULT.names or ():
            results[name][i] += result[name]
        moves[i] += ";" * (k > 0) + " ".join(map(str, played_actions))
    return results, tuple(moves)


def _decide_for_many(agents: Array) -> bool:
    """Return whether a hosted player among agents, AGENT (n,), decides for many games at once."""
    return any(isinstance(family(kind).bot(agents[i:i + 1]), ManyBot)
               for i, kind in enumerate(agents["kind"].tolist()) if kind < 0)


def _play_others(rows: Array, records: Array, setting: Setting) -> Array:
    """Play rows of agents of which none is recorded; return RESULT (n,)."""
    used, places = np.unique([rows["a"], rows["b"]], return_inverse=True)
    renumbered = rows.copy()
    renumbered["a"], renumbered["b"] = places.reshape(2, -1)
    return play_block(renumbered, records[used], setting)


@dataclass
class _Playing:
    """A game of a row, the moves that were made in it, and the actions examined for them."""

    game: HostedGame
    moves: list[int] = field(default_factory=list)
    simulated: int = 0

    def asked(self) -> Question | None:
        """Play until a hosted player decides; return what it is asked for, None at the end."""
        while self.game.game["result"] == RUNNING and not self.game.game["fault"]:
            if asked := self.game.asked():
                return asked
            move = self.game.decide()
            self.simulated += self.game.simulated
            self.move(move)
        return None

    def move(self, move: int) -> None:
        """Make a move."""
        self.moves.append(move)
        self.game.move(move)


def _open(row: Any, k: int, agents: Array, setting: Setting) -> _Playing:
    """Return game k of a row at its beginning."""
    once = np.array([row], PAIRING)[0]
    once["games"], once["seed"] = 1, (int(row["seed"]) + k) % 2**64
    game = open_game(once, agents, setting)
    assert isinstance(game, HostedGame)
    return _Playing(game)


def _play_together(games: Iterator[_Playing], at_once: int) -> list[tuple[Any, list[int]]]:
    """Play games to their ends; return the RESULT and the moves of each, in order.

    The hosted players of `at_once` games are asked together. When one ends, the next begins.
    """
    ended: dict[int, tuple[Any, list[int]]] = {}
    numbered = enumerate(games)
    running: dict[int, _Playing] = {}
    while more := dict(islice(numbered, at_once - len(running))) or running:
        running |= more
        asked = {number: playing.asked() for number, playing in running.items()}
        for number, question in asked.items():
            if question is None:
                playing = running.pop(number)
                result = _result(playing.game, len(playing.moves), playing.simulated)
                ended[number] = result, playing.moves
        moves = answers([*filter(None, asked.values())])
        for playing, move in zip(running.values(), moves, strict=True):
            playing.move(move)
    return [ended[number] for number in sorted(ended)]


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
    recorded = [is_recorded(agent) for agent in both]
    game, simulated = open_game(row, agents, setting), 0
    for number, move in enumerate(moves, start=1):
        if game.game["result"] != RUNNING:
            raise GameError(f"the game was over before its stored move {number}")
        asked = move
        if not recorded[int(game.game["me"])]:
            asked = game.decide()
            simulated += game.simulated
        if asked != move or move not in game.legal():
            raise GameError(f"the stored move {number} is {move}, but the replay plays another"
                            " move")
        game.move(move)
    return _result(game, len(moves), simulated)


def played_moves(text: str, k: int) -> list[int]:
    """Return the moves of game k of a row. Raises ValueError if the text is damaged."""
    games = text.split(";")
    return [int(move) for move in games[k].split()] if k < len(games) else []


def recorded_moves(path: Path, data: bytes) -> list[str]:
    """Return the moves that a table of games or matches has, row by row; [] if it has none.

    data: what counts of the file. Raises RunError.
    """
    table = read_table(path, (), ["moves"], data=data)
    if "moves" not in table:
        return []
    return ["" if moves != moves else str(moves) for moves in table["moves"]]


def results_of(states: Array) -> Array:
    """Return the results of finished games, STATE or GAME (n,), as RESULT (n,); a is player 0.

    Decisions and simulated actions are not counted.
    """
    results = np.zeros(len(states), RESULT)
    results["faults"] = states["fault"] != 0
    results["wins_a"], results["wins_b"], results["draws"] = (
        (states["result"] == outcome) & (states["fault"] == 0) for outcome in (WIN_0, WIN_1, DRAW))
    healths, heroes = np.asarray(states["char"]["health"], np.int64), [HERO, SEATS + HERO]
    left = (np.maximum(healths[:, heroes], 0) + states["side"]["armor"]).T
    results["margin_a"] = results["wins_a"] * (left[0] - left[1])
    results["margin_b"] = results["wins_b"] * (left[1] - left[0])
    results["turns"] = np.minimum(states["turn"], states["max_turns"])
    return results


def _played(acts: Sequence[Act], ruleset: str) -> tuple[PlayedCard, ...]:
    """Return the cards among acts that were played from a hand."""
    known = ids(ruleset)
    return tuple(PlayedCard(act.turn, act.player, known[act.card]) for act in acts
                 if act.kind == Action.PLAY)


class Question(NamedTuple):
    """A decision that a hosted player is asked for."""

    who: tuple[bytes, int]  # its AGENT and its seat
    bot: Bot
    decision: Decision
    memories: list[Any]  # at its own decisions so far
    at: int  # the number of this one among them
    once: bool  # it is asked for this one only now, so that its memory needs no copy

    def memory(self) -> Any:
        """Return what it remembers, which it may change."""
        memory = self.memories[self.at]
        return memory if self.once else self.bot.fork(memory)

    def answer(self) -> int:
        """Return the move that it decides for."""
        return self.answered(*self.bot.act(self.decision, self.memory()))

    def answered(self, move: int, memory: Any) -> int:
        """Keep what it remembers after a move; return the move."""
        self.memories[self.at + 1:] = [memory]
        return move


def answers(asked: Sequence[Question]) -> list[int]:
    """Return the move of each decision, in order; some players decide for many games at once."""
    moves, many = [-1] * len(asked), dict[bytes, list[int]]()
    for i, question in enumerate(asked):
        if isinstance(question.bot, ManyBot):
            many.setdefault(question.who[0], []).append(i)
        else:
            moves[i] = question.answer()
    for places in many.values():
        bot = asked[places[0]].bot
        assert isinstance(bot, ManyBot)
        decided = bot.act_many([asked[i].decision for i in places],
                               [asked[i].memory() for i in places])
        for i, (move, memory) in zip(places, decided, strict=True):
            moves[i] = asked[i].answered(move, memory)
    return moves


class Bots:
    """The hosted players of one game: what they remember of it, and how they decide.

    seats: whether each player is hosted. setting: its decks are those of players 0 and 1. once:
    each decision is asked for once, in order, so that memories need no copies.
    Raises ConfigError if there is one in a game whose look-aheads see what is hidden.
    """

    def __init__(self, seats: tuple[bool, bool], setting: Setting, seed: int,
                 once: bool = False) -> None:
        if any(seats):
            refuse_leaky(setting)
        self.seats, self._setting, self._seed, self._once = seats, setting, seed, once
        # Who moved; in which state, STATE (1,), if it may be asked for later; how many acts so far.
        self._past: list[tuple[int, Array, int]] = []
        self._acts: list[Act] = []
        self._memories: dict[tuple[bytes, int], list[Any]] = {}  # at the own decisions of a seat
        self._last: dict[int, Array] = {}  # with `once`: STATE (1,) at the last decision of a seat

    def note_move(self, now: Any, move: int) -> None:
        """Note that the player to move made a move, whoever chose it.

        now: the game before it, a record STATE, or GAME if each decision is asked for once.
        """
        state = _NO_STATE if self._once else np.array([now], STATE)
        self._past.append((int(now["me"]), state, len(self._acts)))
        if act := act_of(now, move):
            self._acts.append(act)

    def act(self, agent: Array, state: Array) -> int:
        """Return the move of a player, AGENT (1,), in a state, STATE (1,), of the player to move.

        It need not be the one that has the seat.
        """
        return self.asked(agent, state).answer()

    def chances(self, agent: Array, state: Array) -> dict[int, float]:
        """Return the probability with which the player draws each legal move there."""
        asked = self.asked(agent, state)
        return asked.bot.chances(asked.decision, asked.memories[asked.at])

    def copy(self) -> Bots:
        """Return an independent copy."""
        copy = Bots(self.seats, self._setting, self._seed)
        copy._past, copy._acts = [*self._past], [*self._acts]
        copy._memories = {key: [*memories] for key, memories in self._memories.items()}
        return copy

    def asked(self, agent: Array, state: Array, bot: Bot | None = None) -> Question:
        """Return what a player is asked for in a state; see `act`.

        It catches up with the decisions of its seat that it was not asked for. bot: the player, if
        the caller has it.
        """
        of = family(int(agent["kind"][0]))
        check_hidden(self._setting, of)
        bot = bot or of.bot(agent)
        seat = int(state["me"][0])
        key = agent.tobytes(), seat
        if key not in self._memories:
            self._memories[key] = [bot.start(self._setting.decks[seat])]
        memories = self._memories[key]
        own = [at for at, (mover, *_) in enumerate(self._past) if mover == seat]
        for at in own[len(memories) - 1:]:
            Question(key, bot, self._decision(self._past[at][1], at, seat), memories,
                     len(memories) - 1, self._once).answer()
        decision = self._decision(state, len(self._past), seat)
        if self._once:
            self._last[seat] = state
        return Question(key, bot, decision, memories, len(own), self._once)

    def decision(self, state: Array, seat: int) -> Decision:
        """Return the present state, STATE (1,), as a decision of a seat, which need not move."""
        return self._decision(state, len(self._past), seat)

    def _decision(self, state: Array, at: int, seat: int) -> Decision:
        """Return the decision of a seat in a state before the move of number `at`."""
        clock = 1 + sum(mover == seat or self.seats[mover] for mover, *_ in self._past[:at])
        known = self._past[at][2] if at < len(self._past) else len(self._acts)
        acts = tuple(self._acts[:known])
        before = self._last.get(seat) if self._once else next(
            (there for mover, there, _ in reversed(self._past[:at]) if mover == seat), None)
        return Decision(state, self._setting, clock, self._seed,
                        _played(acts, self._setting.ruleset), acts, before)


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
        self._bots = Bots((among(agents[:1]), among(agents[1:])), setting, seed, once=True)
        self._batched = any(player_family.BATCHED for player_family in families(agents).values())
        self.game = self._table.game  # a record GAME, the one that moves change
        self.simulated = 0  # actions examined for the last decision; not counted if batched

    def decide(self) -> int:
        """Return the move of the player whose turn it is. Ask once for each move."""
        self.simulated = 0
        if asked := self.asked():
            return asked.answer()
        move = self._table.decide(fresh=self._batched)
        self.simulated = 0 if self._batched else self._table.simulated
        return move

    def asked(self) -> Question | None:
        """Return what the player whose turn it is is asked for; None if it is compiled."""
        agent = self._agents[int(self.game["me"])]
        return self._bots.asked(agent, np.atleast_1d(self._table.state)) if among(agent) else None

    def legal(self) -> list[int]:
        """Return the legal moves."""
        return self._table.legal()

    def move(self, move: int) -> None:
        """Make a legal move: that which `decide` has returned, or one of a recorded player."""
        self._bots.note_move(self.game, move)
        self._table.move(move)
