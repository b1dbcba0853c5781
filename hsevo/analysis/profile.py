"""How an agent plays: games move by move, with the actions of each turn.

    rows of games --record() over workers--> a table of turns, a table of games
    mean_ratio()   a share over turns, with an interval that knows which are of one pair of games

For people who compare agents: whether one attacks heroes or minions, how much mana it leaves, how
soon it wins. Both players of every game are recorded.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from hsevo.agents.learned.nets import Net, carried, keep
from hsevo.cards.tables import cards, ids
from hsevo.cards.terms import Kind
from hsevo.engine.record.codec import END, HERO, Action, decode
from hsevo.engine.record.state import DRAW, RUNNING, WIN_0
from hsevo.errors import own_fault
from hsevo.play import match
from hsevo.play.hosting import HostedGame, open_game
from hsevo.play.paired import Z
from hsevo.play.players import among, compiled, packed, unpack
from hsevo.play.workers import Executor, Job, OnGames
from hsevo.strength.lineup import Lineup, schedule
from hsevo.strength.rating import UNKNOWN, Estimate
from hsevo.types import Array

Game: TypeAlias = match.Table | HostedGame  # with hosted players

BLOCK = 18  # games per job: about half a second
# The kinds of moves that a player would count.
ACTIONS: tuple[str, ...] = ("minions", "spells", "weapons", "powers", "at_heroes", "at_minions")
SAID = {"minions": "minions played", "spells": "spells played", "weapons": "weapons played",
        "powers": "hero powers", "at_heroes": "attacks on the hero",
        "at_minions": "attacks on minions"}
# A turn of one player. turn: its own, from 1. over: the game ended in it, so the mana left says
# nothing. spent: mana that cards and powers took; left: at the end of the turn.
TURN = np.dtype([("game", "i4"), ("player", "i2"), ("turn", "i2"), ("over", "?"), ("spent", "i4"),
                 ("left", "i4"), *((name, "i4") for name in ACTIONS)])
# first: who begins. points of player 0: 0, 1/2, 1. turns: player turns.
GAME = np.dtype([("first", "i2"), ("points", "f4"), ("turns", "i4")])


def record(executor: Executor, lineup: Lineup, number: int,
           on_games: OnGames = lambda games: None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Play the first rounds of a line-up move by move: at least `number` games.

    lineup: of agent 0 and those that it meets. Returns two tables.
    games, a row a game: game (from 0), opponent, deck, opponent_deck, seed, begins (whether
    agent 0 does), points (of agent 0: 0, 0.5, 1), turns (of both players together).
    turns, a row a turn: game, agent (its name), opponent (its name), turn (the player's own, from
    1), over (whether the game ended in it), spent and left (mana; left means little if over), and
    how often it did each of ACTIONS.
    Raises GameError if the engine refused a game.
    """
    rows = first_rounds(lineup, number)
    games = np.zeros(len(rows), GAME)
    blocks, at = [], 0
    for turns, results in executor(play, _jobs(rows, lineup)):
        turns["game"] += at
        games[at:at + len(results)] = results
        at += len(results)
        blocks.append(turns)
        on_games(len(results))
    return _turns_table(rows, np.concatenate(blocks), lineup), _games_table(rows, games, lineup)


def first_rounds(lineup: Lineup, number: int) -> Array:
    """Return the first rounds of a line-up: at least `number` games, or all."""
    rows = schedule(lineup)
    each = len(rows) // lineup.rounds
    return rows[:-(-number // each) * each]


def _jobs(rows: Array, lineup: Lineup) -> Iterator[Job]:
    for at in range(0, len(rows), BLOCK):
        yield (rows[at:at + BLOCK], lineup.players, lineup.setting, packed(lineup.players),
               *carried(lineup.players))


def play(rows: Array, agents: Array, setting: match.Setting, luggage: dict[int, Any],
         *nets: Net) -> tuple[Array, Array]:
    """Play game 0 of every row; return TURN rows, game by game, and GAME (n,): a job."""
    keep(nets)
    unpack(luggage)
    deal = _dealer(agents, setting)
    kinds = [cards(setting.ruleset)[card].kind if card else Kind.NONE
             for card in ids(setting.ruleset)]
    turns: list[Any] = []
    games = np.zeros(len(rows), GAME)
    for k, row in enumerate(rows):
        table = deal(row)
        own, g = list(_turns(table, kinds)), table.game
        if g.fault:
            raise own_fault(f"the engine rejected the game with seed {row['seed']}")
        games[k] = (own[0]["player"], 0.5 if g.result == DRAW else g.result == WIN_0,
                    min(g.turn, g.max_turns))
        for turn in own:
            turn["game"] = k
        turns += own
    return np.array(turns, TURN), games


def _dealer(agents: Array, setting: match.Setting) -> Callable[[Any], Game]:
    """Return a function that starts game 0 of a row."""
    table = match.Table(compiled(agents), setting)

    def deal(row: Any) -> Game:
        if among(agents[[row["a"], row["b"]]]):
            return open_game(row, agents, setting)
        table.deal(row, 0)
        return table

    return deal


def _turns(table: Game, kinds: Sequence[Kind]) -> Iterator[Any]:
    """Play the game that was dealt; yield its turns, TURN, as they end."""
    now = np.zeros((), TURN)
    while (g := table.game).result == RUNNING and not g.fault:
        me, mana, turn, choosing = int(g.me), int(g.side[g.me].mana), int(g.turn), bool(g.pending)
        move = table.decide()
        name = "" if choosing else action(g, move, kinds)
        table.move(move)
        g = table.game
        now["player"], now["turn"] = me, (turn + 1) // 2
        if name:
            now[name] += 1
            now["spent"] += max(mana - int(g.side[me].mana), 0)
        ended = move == END and not choosing
        if ended or g.result != RUNNING:
            now["over"], now["left"] = not ended, mana if ended else g.side[me].mana
            yield now.copy()
            now = np.zeros((), TURN)


def action(g: Any, move: int, kinds: Sequence[Kind]) -> str:
    """Return which of ACTIONS a legal move is, outside choices; "" for the end of the turn.

    g: a record of dtype engine.record.state.STATE or GAME. kinds: of each card of its tables.
    """
    decoded = decode(move)
    if decoded.action is Action.END:
        return ""
    if decoded.action is Action.PLAY:
        kind = kinds[g.side[g.me].hand[decoded.hand].card]
        return {Kind.SPELL: "spells", Kind.WEAPON: "weapons"}.get(kind, "minions")
    if decoded.action is Action.POWER:
        return "powers"
    return "at_heroes" if decoded.defender == HERO else "at_minions"


def _turns_table(rows: Array, turns: Array, lineup: Lineup) -> pd.DataFrame:
    names = np.array(lineup.names, object)
    seats = np.stack([rows["a"], rows["b"]], axis=1)
    own = seats[turns["game"], turns["player"]]
    opponents = seats[turns["game"], 1 - turns["player"]]
    counted = {name: turns[name] for name in ("spent", "left", *ACTIONS)}
    return pd.DataFrame({"game": turns["game"], "agent": names[own], "opponent": names[opponents],
                         "turn": turns["turn"], "over": turns["over"]} | counted)


def _games_table(rows: Array, games: Array, lineup: Lineup) -> pd.DataFrame:
    names, first = np.array(lineup.names, object), rows["a"] == 0
    decks = np.array([deck.name for deck in lineup.decks], object)
    own, theirs = (np.where(first, rows[a], rows[b]) for a, b in (("deck_a", "deck_b"),
                                                               ("deck_b", "deck_a")))
    return pd.DataFrame({
        "game": np.arange(len(rows)), "opponent": names[np.where(first, rows["b"], rows["a"])],
        "deck": decks[own], "opponent_deck": decks[theirs], "seed": rows["seed"],
        "begins": (games["first"] == 0) == first,
        "points": np.where(first, games["points"], 1 - games["points"]), "turns": games["turns"]})


@dataclass(frozen=True)
class StyleShare:
    """One figure of a style of play: the agent's, and that of its opponents in the same games."""

    says: str
    unit: str  # "%" (of values from 0 to 1) or none
    own: Estimate
    others: Estimate


def shares(turns: pd.DataFrame, games: pd.DataFrame, agent: str) -> list[StyleShare]:
    """Return the figures of an agent's style, in the order of the report.

    turns, games: of `record`. Turns that the end of the game cut short count for no mana.
    """
    own, others = (with_sums(turns[(turns["agent"] == agent) == mine]) for mine in (True, False))
    figures = [StyleShare(says, unit, mean_ratio(own_turns, above, below),
                          mean_ratio(their_turns, above, below))
               for says, unit, above, below in RATIOS
               for own_turns, their_turns in [(own, others) if below != "had" else
                                              (own[~own["over"]], others[~others["over"]])]]
    ends = [round_of(games[games["points"] == points]) for points in (1, 0)]
    won, lost = (mean_ratio(ended, "round", "one") for ended in ends)
    return [*figures, StyleShare("round in which it wins", "", won, lost)]


# What describes a style, its unit, and the sums that it is a ratio of (`with_sums`).
RATIOS = (
    ("mana spent, of the mana available", "%", "spent", "had"),
    ("attacks on the hero, of all attacks", "%", "at_heroes", "attacks"),
    ("cards played per turn", "", "cards", "one"),
    ("minions, of cards played", "%", "minions", "cards"),
    ("turns with the hero power", "%", "powers", "one"),
    ("attacks per turn", "", "attacks", "one"),
)


def with_sums(turns: pd.DataFrame) -> pd.DataFrame:
    """Add columns to a table of turns: had (mana), attacks, cards, one."""
    return turns.assign(had=turns["spent"] + turns["left"],
                        attacks=turns["at_heroes"] + turns["at_minions"],
                        cards=turns["minions"] + turns["spells"] + turns["weapons"], one=1)


def round_of(games: pd.DataFrame) -> pd.DataFrame:
    """Add to a table of games the round in which each ended: the turn of either player; and one."""
    return games.assign(round=(games["turns"] + 1) // 2, one=1)


def mean_ratio(table: pd.DataFrame, above: str, below: str) -> Estimate:
    """Return sum(above) / sum(below) with its 95 % interval, over pairs of games.

    Games 2i and 2i + 1 are a pair (lineup.py): of the same cards, and so not independent. The
    variance is that of a ratio estimator over clusters (Cochran, "Sampling techniques", 1977,
    section 6.4): n / (n - 1) sum((a - r b)^2) / (sum b)^2, a and b the sums of each of n pairs.
    NaN, without an interval, if there is nothing below; without one, too, if there is one pair.
    """
    sums = table.groupby(table["game"] // 2)[[above, below]].sum()
    total, n = float(sums[below].sum()), len(sums)
    if not total:
        return UNKNOWN
    ratio = float(sums[above].sum()) / total
    if n < 2:
        return Estimate(ratio, nan, nan)
    rest = sums[above] - ratio * sums[below]
    half = Z * sqrt(n / (n - 1) * float((rest**2).sum())) / total
    return Estimate(ratio, ratio - half, ratio + half)
