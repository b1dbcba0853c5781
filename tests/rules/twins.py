"""Two tests of the rules that need no oracle, on random positions of all cards.

    python -m tests.twins --actions 100000       --seed S; --only seats or --only deaf

seats: an action in a game whose seats are exchanged does the same, with the seats exchanged.
deaf: an action in a game to which something was added that never answers does the same.

Where chance decides, what it draws may differ, but not how likely each outcome is. An outcome that
waits for a choice goes on with one of the options.
"""

import argparse
import itertools
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from hsevo.agents.shared.agent import eva
from hsevo.agents.shared.scratch import DECISION
from hsevo.cards.tables import tables
from hsevo.cards.terms import Event, Kind
from hsevo.engine.jit import INTERPRETED
from hsevo.engine.record.codec import CARD_MASK, CHOOSE, END
from hsevo.engine.record.state import (
    DRAW,
    GAME,
    HAND,
    MAX_MANA,
    RUNNING,
    SCRIPT,
    STATE,
    TRUE_GAME,
    Phase,
)
from hsevo.engine.view.show import game_text, move_text
from hsevo.engine.view.snapshot import snapshot
from hsevo.play.games import GameBatch
from tests.support.deaf import (
    ADDITIONS,
    add,
    arm,
    at_hand,
    deaf,
    enter_play,
    hand_over,
    hear_all,
    lay,
    put_under,
    readers,
    spaced,
    without,
)
from tests.support.dense_games import plan, policies
from tests.support.invariants import facts
from tests.support.mirror import mirrored
from tests.support.random_games import PACKED, pick
from tests.support.state_entry import MOVE, SETTLE, drive, enter

SAME, WRONG = "the same", "wrong"
HELD_AT = 3  # the place of cards in hand among what `without` counts
See: TypeAlias = Callable[[Any], Any]
MOST = 300  # outcomes of an action that are compared one by one
CHOICES = 20  # one after the other
SIZE = 150  # games of a batch
EVERY = 4  # of the positions of a game, one in so many is tried


# -- steps ----------------------------------------------------------------------------------------


def working(states: Any) -> Any:
    """Return working records, dtype GAME, of states."""
    games = np.zeros(len(states), GAME)
    raw = np.ascontiguousarray(states).view(np.uint8).reshape(len(states), STATE.itemsize)
    games.view(np.uint8).reshape(len(states), GAME.itemsize)[:, :STATE.itemsize] = raw
    return games


def states_of(games: Any) -> Any:
    """Return the states of working records, without the frames that wait."""
    raw = games.view(np.uint8).reshape(len(games), GAME.itemsize)[:, :STATE.itemsize]
    states = raw.copy().view(STATE).reshape(len(games))
    states["stack"] = np.zeros(1, STATE["stack"].base)[0]
    return states


def job(games: Any, moves: Any, ruleset: str, what: int = MOVE) -> None:
    """Make a move in each working record, or do another job of state_entry."""
    table, agents = tables(ruleset), eva(np.zeros((1, 21)))
    numbers = np.ascontiguousarray(moves, np.int64)
    if INTERPRETED:
        drive(games.view(np.recarray), table, agents.view(np.recarray), numbers, what)
    else:
        enter(games, table, agents, np.zeros(1, DECISION), numbers, what)


def played(states: Any, moves: Any, ruleset: str) -> Any:
    """Return the states after a move, and after the choices that follow from it."""
    games, moves = working(states), np.array(moves)
    active = np.arange(len(games))
    for _ in range(CHOICES):
        some = games[active]
        job(some, moves[active], ruleset)
        games[active] = some
        open_ = (games["pending"] == Phase.CHOICE) & (games["fault"] == 0)
        active = np.flatnonzero(open_ & (games["result"] == RUNNING))
        if not len(active):
            break
        moves = CHOOSE + (games["turn"] + moves) % np.maximum(games["n_choices"], 1)
    return states_of(games)


def packed(states: Any) -> list[bytes]:
    """Return all that makes up each state, padding between fields left out."""
    return [record.tobytes() for record in states.astype(PACKED)]


def scripted(state: Any, number: int, ruleset: str) -> Iterator[tuple[Any, Fraction]]:
    """Yield the state after each way that chance can go in an action, and its probability.

    Raises OverflowError if there are too many.
    """
    waiting, done = [()], 0
    while waiting:
        batch = working(np.repeat(state[None], len(waiting), axis=0))
        batch["scripted"], batch["n_asked"] = 1, 0
        for one, way in zip(batch, waiting, strict=True):
            one["script"][:len(way)] = way
        job(batch, np.full(len(batch), number), ruleset)
        after, further = states_of(batch), []
        for k, way in enumerate(waiting):
            asked = int(batch["n_asked"][k])
            sizes = [int(n) for n in batch["sizes"][k][:asked]]
            if asked > SCRIPT:
                raise OverflowError
            whole = [*way, *[0] * (asked - len(way))]
            further += [(*whole[:at], value) for at in range(len(way), asked)
                        for value in range(1, sizes[at])]
            share = Fraction(1)
            for n in sizes:
                share /= n
            yield after[k:k + 1], share
        done += len(waiting)
        if done + len(further) > MOST:
            raise OverflowError
        waiting = further


def asked(state: Any, number: int, ruleset: str) -> list[int]:
    """Return among how many chance decides, one time after another, if it takes the first one."""
    games = working(state[None])
    games["scripted"] = 1
    job(games, [number], ruleset)
    return [int(n) for n in games["sizes"][0][:games["n_asked"][0]]]


def odds(state: Any, number: int, ruleset: str, seen: See) -> dict[bytes, Fraction]:
    """Return how likely each outcome is, as `seen` shows it."""
    found: dict[bytes, Fraction] = defaultdict(Fraction)
    for after, share in scripted(state, number, ruleset):
        one = seen(after)
        for name in ("rng", "scripted", "depth"):
            one[name] = 0
        found[packed(one)[0]] += share
    return found


def by_odds(one: Any, other: Any, number: int, ruleset: str, see: See, see_other: See) -> str:
    """Return in words whether two actions have the same outcomes, each as likely."""
    try:
        same = odds(one, number, ruleset, see) == odds(other, number, ruleset, see_other)
    except OverflowError:
        return "too many outcomes"
    return "as likely" if same else WRONG


# -- what differs ---------------------------------------------------------------------------------


def differing(one: Any, other: Any, path: str = "") -> list[str]:
    """Return where two records differ, a line a field."""
    if one.dtype.names:
        return [line for name in one.dtype.names
                for line in differing(one[name], other[name], f"{path}.{name}")]
    places = np.argwhere(np.atleast_1d(one != other))
    return [f"{path}{[*map(int, at)]}: {np.atleast_1d(one)[tuple(at)]}"
            f" {np.atleast_1d(other)[tuple(at)]}" for at in places]


@dataclass
class Find:
    """An action whose outcome differs."""

    test: str
    ruleset: str
    before: Any
    number: int
    one: Any
    other: Any

    def __str__(self) -> str:
        name, before = self.ruleset, snapshot(self.before)
        lines = differing(self.one, self.other)[:12]
        return "\n".join([f"== {self.test}, {name}", game_text(before, name),
                          f"  --> {move_text(before, self.number, name)}", *lines])


@dataclass
class Tally:
    """What came of a test: actions, and how many were the same by what measure."""

    actions: Counter[str] = field(default_factory=Counter)
    finds: list[Find] = field(default_factory=list)

    def note(self, said: str, find: Callable[[], Find]) -> None:
        """Count what is said of an action, and keep what is wrong."""
        self.actions[said] += 1
        if said == WRONG:
            self.finds.append(find())


# -- the two tests --------------------------------------------------------------------------------


def try_seats(states: Any, moves: Any, ruleset: str, tally: Tally) -> None:
    """Compare actions with those of the same games with the seats exchanged."""
    swapped = mirrored(states)
    one, other = played(states, moves, ruleset), mirrored(played(swapped, moves, ruleset))
    both = (one["char"]["health"][:, [7, 15]] <= 0).all(axis=1)
    if tables(ruleset).both_dead != DRAW:  # player 1 wins, by the rules of cig2018-as-run
        other["result"][both] = one["result"][both]
    for i, (mine, theirs) in enumerate(zip(packed(one), packed(other), strict=True)):
        said = SAME if mine == theirs else by_odds(
            states[i], swapped[i], int(moves[i]), ruleset, np.copy, mirrored)
        tally.note(said, lambda i=i: Find(
            "seats", ruleset, states[i], int(moves[i]), one[i], other[i]))


def try_deaf(states: Any, moves: Any, ruleset: str, tally: Tally, random: Any) -> None:
    """Compare actions with those of the same games with something more in it, which is deaf."""
    rules, base = deaf(ruleset), spaced(states)
    names, added = random.choice(list(ADDITIONS), len(base)), base.copy()
    room = np.array([add(g, name, ruleset, random) for g, name in zip(added, names, strict=True)])
    hear_all(added)
    base, added, moves, names = base[room], added[room], np.asarray(moves)[room], names[room]
    before = without(added, ruleset)[1]
    one = without(played(base, moves, rules), ruleset)[0]
    other, left = without(played(added, moves, rules), ruleset)
    for i, (mine, theirs) in enumerate(zip(packed(one), packed(other), strict=True)):
        name, number = str(names[i]), int(moves[i])
        tally.actions[f"with {name}"] += 1
        held = other[i]["side"]["n_hand"] + (before[i][HELD_AT] > 0)
        if mine == theirs:
            said = SAME
        elif (left[i] != before[i]).any():
            said = "the addition did not stay"
        elif (held >= HAND).any():
            said = "a full hand"
        elif not readers(ruleset, name).isdisjoint(at_hand(base[i], number) | at_hand(one[i], END)):
            said = "a text that reads it"
        elif asked(base[i], number, rules) != asked(added[i], number, rules):
            said = "chance among more"
        else:
            said = by_odds(base[i], added[i], number, rules,
                           *[lambda after: without(after, ruleset)[0]] * 2)
        tally.note(said, lambda i=i, name=name: Find(
            f"deaf: {name}", rules, added[i], int(moves[i]), one[i], other[i]))


# -- positions ------------------------------------------------------------------------------------


def crowded(states: Any, ruleset: str, random: Any) -> Any:
    """Return games with much mana, in which several things listen to the same event."""
    out, k = spaced(states), facts(ruleset)
    kinds = ((k.kind == Kind.WEAPON, k.watch), (k.kind == Kind.MINION, k.watch),
             (k.secret > 0, k.watch), (k.kind > 0, k.hand_watch), (k.kind > 0, k.deck_watch))
    listeners = [[np.flatnonzero(of & (watch >> event & 1 > 0)) for of, watch in kinds]
                 for event in Event]
    many = [found for found in listeners if sum(map(len, found)) > 5]
    for g in out:
        if random.random() < 0.6:
            clear(g)
        g["side"]["mana"] = g["side"]["crystals"] = MAX_MANA
        g["char"]["attacks"] = 0
        found = many[random.integers(len(many))]
        for _ in range(int(random.integers(2, 7))):
            side = int(random.integers(2))
            which = int(random.choice([kind for kind, some in enumerate(found) if len(some)]))
            card = int(random.choice(found[which]))
            if which == 0:
                arm(g, side, card, random, int(k.attack[card]))
            elif which == 1:
                enter_play(g, side, card, k, random)
            else:
                (lay, hand_over, put_under)[which - 2](g, side, card, random)
        for s in g["side"]:
            held, deck = s["hand"]["card"][:s["n_hand"]], s["deck"][:s["n_deck"]] & CARD_MASK
            listen = np.unique(deck[k.deck_watch[deck] != 0])
            s["hand_watch"] = np.bitwise_or.reduce(k.hand_watch[held], initial=0)
            s["deck_watch"] = np.bitwise_or.reduce(k.deck_watch[deck], initial=0)
            s["deck_watcher"] = [0, *listen, -1][min(len(listen), 2) if len(listen) < 2 else -1]
    return settled(out, ruleset)


def clear(g: Any) -> None:
    """Take minions, weapons and secrets out of play."""
    for side in range(2):
        chars, s = g["char"][8 * side:8 * side + 7], g["side"][side]
        chars[:] = np.zeros(1, chars.dtype)
        for name in ("minions", "weapon", "weapon_uid", "weapon_attack", "weapon_aura",
                     "durability", "n_secrets"):
            s[name] = 0


def settled(states: Any, ruleset: str) -> Any:
    """Return states in which all that is counted is counted anew."""
    games = working(states)
    for _ in range(3):
        job(games, np.zeros(len(games)), ruleset, SETTLE)
    return states_of(games)


def positions(seed: int, number: int) -> Iterator[tuple[Any, Any, str, Any]]:
    """Yield positions of a batch of random games with an action of each."""
    batch = plan(seed, number, SIZE)
    games, random, choose = batch.begin()
    while len(games):
        masks = games.legal_moves()
        moves = choose(masks, random)
        tried = random.random(len(games)) < 1 / EVERY
        tried &= (games.states["pending"] != Phase.CHOICE) & (games.results == RUNNING)
        if tried.any():
            some = games.take(tried).states.view(np.ndarray)
            some["evidence"], some["sight"] = np.zeros(1, some["evidence"].dtype)[0], TRUE_GAME
            yield some, pick(masks[tried], random), games.ruleset, random
            some = crowded(some[some["pending"] == 0], games.ruleset, random)
            if len(some):
                full = GameBatch(some.view(np.recarray), games.ruleset)
                name = str(random.choice(["any", "attacks first", "plays first"]))
                yield some, policies()[name](full.legal_moves(), random), games.ruleset, random
        games.step(moves)
        games = games.take(games.results == RUNNING)


def run(actions: int, seed: int, only: str = "") -> dict[str, Tally]:
    """Try that many actions by each test."""
    tallies = {name: Tally() for name in ("seats", "deaf") if only in ("", name)}
    tried = 0
    for number in itertools.count():
        for states, moves, ruleset, random in positions(seed, number):
            if tried >= actions:
                return tallies
            if "seats" in tallies:
                try_seats(states, moves, ruleset, tallies["seats"])
            if "deaf" in tallies:
                try_deaf(states, moves, ruleset, tallies["deaf"], random)
            tried += len(states)
    raise AssertionError


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.twins")
    parser.add_argument("--actions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=("seats", "deaf"), default="")
    arguments = parser.parse_args()
    began = time.process_time()
    tallies = run(arguments.actions, arguments.seed, arguments.only)
    for name, tally in tallies.items():
        for find in tally.finds:
            print(find)
        print(f"{name}: " + ", ".join(f"{what} {n:,}" for what, n in tally.actions.items()))
    print(f"{time.process_time() - began:.1f} s")
    sys.exit(any(tally.finds for tally in tallies.values()))
