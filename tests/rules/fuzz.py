"""Play random games of random and of dense decks, and check every position and every move.

    python -m tests.fuzz --games 1000000              or --seconds 3600; --seed S, --workers W
    python -m tests.fuzz --seed S --batch B           that batch alone
    python -m tests.fuzz --seed S --first B ...       go on with that batch, after a mend
    python -m tests.fuzz --seed S --interpreted 300   that many games, compiled and interpreted

A batch is the same on every machine and with any number of workers. A fault ends the run (exit
code 1) with its seed and batch, the move after which it showed, and the fewest cards that show it.
The last lines say how close games came to the limits of the record, and which cards none met.
"""

import argparse
import dataclasses
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hsevo.agents.genomes.weights import EVA_2018
from hsevo.agents.shared.agent import eva
from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards
from hsevo.config import Workers
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import CARD_MASK, CHOOSE, PLAY, hand_of, option_of
from hsevo.engine.record.state import DEAD, LATER, STATE, TEXTS, WAITING
from hsevo.engine.rules.events import HAND_KEY
from hsevo.engine.view.show import game_text, move_text
from hsevo.engine.view.snapshot import snapshot
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting, Table, warm_up
from hsevo.play.workers import open_workers
from tests.support.course import first_difference
from tests.support.dense_games import Plan, plan
from tests.support.invariants import NAMES, Broken, check_attacks, check_step, facts, heads
from tests.support.random_games import batch_of, play_out, states
from tests.support.recounts import check_auras, check_costs, check_recount

SIZE = 4_000  # games a batch: 1.7 times as fast as 1,000
OFTEN, SELDOM, RARELY = 8, 128, 1024  # dear checks look at one position in so many
AGAIN = 10  # one batch in so many is played twice
MOST_STEPS = 10_000  # of a game; one that makes more goes round in circles
TRIES = 200  # games in which fewer cards must show a fault again


# -- checks that are too dear for every position --------------------------------------------------


def check_legal(games: GameBatch) -> None:
    """Raise Broken where the legal attacks are not those of the rules."""
    check_attacks(games, games.legal_moves())


def check_plays(games: GameBatch) -> None:
    """Raise Broken where costs are not those of the cards."""
    check_costs(games, games.legal_moves())


def check_texts(games: GameBatch) -> None:
    """Raise Broken where a position or a legal move can't be shown, or two moves read alike."""
    for i, (g, mask) in enumerate(zip(games.states, games.legal_moves(), strict=True)):
        try:
            now = snapshot(g)
            game_text(now, games.ruleset)
            texts = [move_text(now, int(move), games.ruleset) for move in np.flatnonzero(mask)]
        except Exception as error:
            raise Broken(f"a text ({type(error).__name__}: {error})", i) from error
        if not all(texts):
            raise Broken("a move without words", i)


def check_decisions(games: GameBatch) -> None:
    """Raise Broken where deciding changes a game, or the greedy agent would do what is illegal."""
    masks, before = games.legal_moves(), heads(games)
    for i, record in enumerate(games.states):
        for information in ("fair", "leaky"):
            table = Table(eva(EVA_2018[None]), Setting(games.ruleset, information=information))
            table.game = record
            if masks[i].any() and not masks[i, table.decide()]:
                raise Broken(f"an illegal decision ({information})", i)
            now = heads(batch_of([table.state], games.ruleset))[0]
            names = [name for name in NAMES if name != "lookahead_rng"]
            if any((now[name] != before[name][i]).any() for name in names):
                raise Broken(f"a look-ahead that leaves a trace ({information})", i)


CHECKS = ((check_legal, OFTEN), (check_recount, OFTEN), (check_auras, SELDOM),
          (check_plays, SELDOM), (check_texts, RARELY),
          (check_decisions, RARELY))


def sample(games: GameBatch, every: int) -> Any:
    """Return the places of about one game in `every`, drawn by the games' own random streams."""
    return np.flatnonzero((games.states["rng"] >> np.uint64(40)) % np.uint64(every) == 0)


def uses(games: GameBatch) -> dict[str, Any]:
    """Return how many of the places that a record has for each thing each game uses, (n,)."""
    g, s = games.states, games.states["side"]
    texts = ((g["char"]["extra"] > 0) & (g["char"]["card"] > 0)[..., None]).sum(axis=-1)
    return {"effects that wait": g["depth"], "texts on a character": texts.max(axis=1),
            "texts put off": s["n_later"].max(axis=1), "graves": s["n_graves"].max(axis=1),
            "uids": g["next_uid"]}


LIMITS = {"effects that wait": WAITING, "texts on a character": TEXTS, "texts put off": LATER,
          "graves": DEAD, "uids": HAND_KEY}


def check_places(used: dict[str, Any]) -> None:
    """Raise Broken where all places for something are taken: one more would be lost."""
    for name, n in used.items():
        if (n >= LIMITS[name]).any():
            raise Broken(f"no place is left for {name}", int(n.argmax()))


def higher(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """Return the higher of two numbers by name."""
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in {**one, **other}}


@dataclass
class Watch:
    """Checks every move of a batch, remembers the last one, and notes which cards were met."""

    ruleset: str
    legal: bool = False  # games begin as the game's do, so no place may be missing
    met: Any = field(init=False)  # by table index: played, in play, or chosen
    steps: int = 0
    moves: int = 0
    peaks: dict[str, int] = field(default_factory=dict)
    last: tuple[Any, Any, GameBatch] | None = None

    def __post_init__(self) -> None:
        self.met = np.zeros(len(cards(self.ruleset)) + 1, bool)

    def __call__(self, before: Any, moves: Any, games: GameBatch) -> None:
        """Check what moves did to positions `before`."""
        self.last, self.steps = (before, moves, games), self.steps + 1
        self.moves += len(moves)
        self.note(before, moves, games)
        used = uses(games)
        self.peaks = higher(self.peaks, {name: int(n.max()) for name, n in used.items()})
        check_step(before, moves, games)
        if self.legal:
            check_places(used)
        for check, every in CHECKS:
            chosen = sample(games, every)
            try:
                if len(chosen):
                    check(games.take(chosen))
            except Broken as broken:
                raise Broken(broken.name, int(chosen[broken.game])) from broken
        if self.steps > MOST_STEPS:
            raise Broken("a game without end", 0)

    def note(self, before: Any, moves: Any, games: GameBatch) -> None:
        """Note the cards that were played, chosen or put into play."""
        each, g, k = np.arange(len(moves)), games.states, facts(self.ruleset)
        plays = (moves >= PLAY) & (moves < CHOOSE)
        held = before["side"]["hand"]["card"][each, before["me"].astype(int)]
        played = np.where(plays, held[each, np.where(plays, plain(hand_of)(moves), 0)], 0)
        option = k.option[played, plain(option_of)(moves) % 2]
        choices = before["choice"][each, np.maximum(moves - CHOOSE, 0) % 8]
        chosen = np.where((before["pending"] == 1) & (moves >= CHOOSE), choices, 0)
        side, char = g["side"], g["char"]
        for some in (played, option, chosen, char["card"], side["weapon"], side["power"]):
            self.met[some] = True
        self.met[char["extra"][char["card"] > 0] & CARD_MASK] = True
        later = side["later"][np.arange(LATER) < side["n_later"][..., None]]
        self.met[later & CARD_MASK] = True

    def text(self, game: int) -> str:
        """Return the last move of a game of the batch, with the positions before and after it."""
        before, moves, games = self.last  # type: ignore[misc]
        g = np.zeros(1, STATE).view(np.recarray)
        for name in NAMES:
            g[name] = before[name][game]
        before = snapshot(g[0])
        return "\n".join([game_text(before, self.ruleset),
                          f"  --> {move_text(before, int(moves[game]), self.ruleset)}",
                          game_text(snapshot(games.states[game]), self.ruleset)])


# -- a batch --------------------------------------------------------------------------------------


@dataclass
class Report:
    """What a batch came to; `fault` is empty if nothing was broken."""

    number: int
    ruleset: str
    ends: Any  # games by result
    turns: int
    moves: int
    met: Any
    legal: bool
    peaks: dict[str, int]
    fault: str = ""


def attempt(of: Plan) -> tuple[Watch, GameBatch | None, Exception | None]:
    """Play a batch; return what was watched, and the games at their ends or what stopped them."""
    games, random, choose = of.begin()
    watch = Watch(of.ruleset, of.legal)
    try:
        return watch, play_out(games, random, watch, choose), None
    except Exception as error:  # whatever it is, it is a find
        return watch, None, error


def play_batch(seed: int, number: int) -> Report:
    """Play a batch of a run, some of them twice."""
    batch = plan(seed, number, SIZE)
    watch, over, error = attempt(batch)
    report = Report(number, batch.ruleset, np.zeros(4, int), 0, watch.moves, watch.met,
                    batch.legal, watch.peaks)
    if over is None:
        report.fault = f"{batch}: {name_of(error)}\n{describe(batch, watch, error)}"
        return report
    report.ends = np.bincount(over.results, minlength=4)
    report.turns = int(over.states["turn"].sum())
    games, random, choose = batch.begin()
    if number % AGAIN == 0 and (
            sorted(states(over)) != sorted(states(play_out(games, random, None, choose)))):
        report.fault = f"{batch}: played again, it ended in another way"
    return report


# -- a fault --------------------------------------------------------------------------------------


def name_of(error: Exception | None) -> str:
    """Return what is broken, the same for the same fault in another game."""
    return error.name if isinstance(error, Broken) else f"{type(error).__name__}: {error}"


def describe(batch: Plan, watch: Watch, error: Exception | None) -> str:
    """Return the last move before a fault, and the fewest cards that show it again."""
    if not isinstance(error, Broken):
        return ""
    stream = watch.last[2].states["lookahead_rng"][error.game]  # type: ignore[index]
    i = int(np.flatnonzero(batch.begin()[0].states["lookahead_rng"] == stream)[0])
    decks = batch.decks[0][i], batch.decks[1][i]
    fewest = fewer_cards(dataclasses.replace(batch, decks=([decks[0]], [decks[1]])), error.name)
    known = cards(batch.ruleset)
    names = [f"  with {deck.hero}: " + ", ".join(
        sorted({known[id].name for id in deck.ids})) for deck in fewest]
    return "\n".join([watch.text(error.game), f"shown again in {TRIES} games", *names])


def fewer_cards(batch: Plan, name: str) -> tuple[Deck, Deck]:
    """Drop different cards from the two decks of a game for as long as a fault shows again."""
    decks = [batch.decks[0][0], batch.decks[1][0]]
    for which in (0, 1):
        step = max(len(set(decks[which].ids)) // 2, 1)
        while step:
            kinds = sorted(set(decks[which].ids))
            for first in range(0, len(kinds), step):
                left = sorted(set(decks[which].ids) - set(kinds[first:first + step]))
                if not left:
                    continue
                trial = list(decks)
                repeated = tuple(itertools.islice(itertools.cycle(left), 30))
                trial[which] = Deck.of(decks[which].name, decks[which].hero_class, repeated)
                if shows(dataclasses.replace(
                        batch, decks=([trial[0]] * TRIES, [trial[1]] * TRIES)), name):
                    decks = trial
            step //= 2
    return decks[0], decks[1]


def shows(batch: Plan, name: str) -> bool:
    """Tell whether a batch breaks what `name` says."""
    error = attempt(batch)[2]
    return error is not None and name_of(error) == name


# -- a run ----------------------------------------------------------------------------------------


def numbers(games: int, seconds: float, only: int | None, first: int = 0) -> Iterator[int]:
    """Yield the batches of a run, from `first`, until there are enough of them, or time is up."""
    if only is not None:
        yield only
        return
    until = time.monotonic() + seconds
    for number in itertools.count(first):
        if (number - first) * SIZE >= games if games else time.monotonic() > until:
            return
        yield number


def unmet(met: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the collectible cards that no game of some ruleset met, and others that none did."""
    seen = {ruleset: dict(zip(cards(ruleset), was[1:], strict=True))
            for ruleset, was in met.items()}
    known = {id: card for ruleset in met for id, card in cards(ruleset).items()}
    decked = [f"{known[id].name} ({ruleset})" for ruleset, was in seen.items()
              for id in was if known[id].collectible and not was[id]]
    others = Counter(card.name.partition(" (")[0] for id, card in known.items()
                     if not card.collectible and not any(was[id] for was in seen.values()))
    return decked, [f"{name} ({n})" for name, n in others.items()]


def pace(games: int, began: float) -> str:
    """Return how many games were played, in what time."""
    seconds = time.monotonic() - began
    return f"{games:,} games, {seconds:,.0f} s, {games / seconds:.0f} games/s"


def run(arguments: argparse.Namespace) -> None:
    """Play batches until the end or a fault, and say what was played."""
    began, total, turns, moves = time.monotonic(), np.zeros(4, int), 0, 0
    met: dict[str, Any] = {}
    peaks: dict[bool, dict[str, int]] = {}
    warm_up()
    chosen = numbers(arguments.games, arguments.seconds, arguments.batch, arguments.first)
    with open_workers(Workers(backend="loky", count=arguments.workers)) as executor:
        for report in executor(play_batch, ((arguments.seed, number) for number in chosen)):
            if report.fault:
                sys.exit(f"seed {arguments.seed}, batch {report.number}, {report.fault}")
            total, turns, moves = total + report.ends, turns + report.turns, moves + report.moves
            met[report.ruleset] = report.met | met.get(report.ruleset, False)
            peaks[report.legal] = higher(peaks.get(report.legal, {}), report.peaks)
            if report.number % 10 == 9:
                print(pace(int(total.sum()), began), flush=True)
    print(f"{moves:,} moves without a fault: {total[1]:,} and {total[2]:,} games won by the two"
          f" players, {total[3]:,} drawn, {turns / total.sum():.1f} turns a game")
    print(pace(int(total.sum()), began))
    for legal, most in peaks.items():
        print("most used by", "legal decks:" if legal else "other decks:",
              ", ".join(f"{name} {n:,} of {LIMITS[name]:,}" for name, n in most.items()))
    for what, names in zip(("deck", "other"), unmet(met), strict=True):
        print(f"{what} cards never met: {len(names)}", *names[:20], sep=", ")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--interpreted", type=int)
    arguments = parser.parse_args()
    if arguments.interpreted is None:
        run(arguments)
    else:
        steps, difference = first_difference(str(arguments.interpreted), str(arguments.seed))
        sys.exit(difference or print(f"{steps:,} steps, the same compiled and interpreted"))


if __name__ == "__main__":
    main()
