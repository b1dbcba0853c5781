"""Games in which much meets at once: decks of few cards or of one theme, full hands and boards.

Decks need keep to no deck-building rule here. A batch is a function of its seed and number alone.
"""

import functools
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.tables import cards, index
from hsevo.cards.terms import UP_TO_GADGETZAN, Keyword, Kind
from hsevo.cards.vocabulary.model import Card
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import ATTACK, CHOOSE, END, PLAY, POWER, target_of
from hsevo.engine.record.state import HAND, MAX_MANA
from hsevo.play.games import N_MOVES, GameBatch
from tests.support.invariants import facts
from tests.support.random_games import HEROES, MAX_TURNS, Choose, pick, random_deck

# Decks have all cards here; not those that tests register later.
PRESETS = tuple(name for name, rules in RULESETS.items() if rules.legal >= UP_TO_GADGETZAN)
Decks: TypeAlias = tuple[Sequence[Deck], Sequence[Deck]]


# -- decks ----------------------------------------------------------------------------------------


def traits(card: Card) -> Iterator[str]:
    """Yield what a card has to do with: operations, events, keywords and the like."""
    triggers = [row for trigger in card.triggers for row in trigger.rows]
    for row in (*card.play, *card.combo, *card.deathrattle, *triggers):
        yield f"op {row.op.name}"
    for trigger in card.triggers:
        yield f"event {trigger.event.name}"
    for keyword in Keyword:
        if card.keywords & keyword:
            yield f"keyword {keyword.name}"
    for name in ("race", "group", "cost_rule", "need", "overload", "auras", "deathrattle",
                 "spell_damage", "options", "secret", "positional", "combo", "rules", "target"):
        value = getattr(card, name)
        if value:
            yield f"{name} {value.name}" if name in ("race", "group", "cost_rule") else name
    if card.kind is Kind.WEAPON:
        yield "weapon"


@functools.cache
def themes(ruleset: str) -> dict[str, tuple[str, ...]]:
    """Return the collectible cards of each theme that at least two have."""
    found: dict[str, set[str]] = defaultdict(set)
    for id in playable(ruleset):
        for trait in traits(cards(ruleset)[id]):
            found[trait].add(id)
    return {name: tuple(sorted(found[name])) for name in sorted(found) if len(found[name]) > 1}


@functools.cache
def playable(ruleset: str) -> tuple[str, ...]:
    """Return every card that can be in a deck."""
    return tuple(id for id, card in cards(ruleset).items()
                 if card.collectible and card.kind is not Kind.HERO)


def deck_of(random: np.random.Generator, name: str, ids: Any, size: int) -> Deck:
    """Return a deck of `size` cards, each any of `ids`, of a random class."""
    hero = HEROES[random.integers(len(HEROES))]
    return Deck.of(name, hero.name, tuple(map(str, random.choice(ids, size))))


def few(random: np.random.Generator, ruleset: str, size: int) -> Deck:
    """Return a deck of three to six different cards."""
    return deck_of(random, "few", random.choice(playable(ruleset), random.integers(3, 7)), size)


def themed(random: np.random.Generator, ruleset: str, size: int) -> Deck:
    """Return a deck of two themes, and of some other cards."""
    known = themes(ruleset)
    mine = [known[list(known)[i]] for i in random.integers(len(known), size=2)]
    others = random.choice(playable(ruleset), 4)
    ids = [id for theme in mine for id in random.choice(theme, 8)]
    return deck_of(random, "themed", [*ids, *others], size)


def singles(random: np.random.Generator, ruleset: str, size: int) -> Deck:
    """Return a deck of different cards, as some texts want it."""
    chosen = random.choice(playable(ruleset), size, replace=False)
    return Deck.of("singles", HEROES[random.integers(len(HEROES))].name, tuple(map(str, chosen)))


def dealt(ruleset: str, size: int, random: np.random.Generator) -> list[Deck]:
    """Return decks that hold every card once, the last one filled up."""
    order = list(random.permutation(playable(ruleset)))
    order += order[:-len(order) % size]
    return [Deck.of("dealt", HEROES[random.integers(len(HEROES))].name,
                 tuple(map(str, order[i:i + size]))) for i in range(0, len(order), size)]


# -- positions ------------------------------------------------------------------------------------


def prime(games: GameBatch, random: np.random.Generator, decks: Decks, crowd: bool) -> None:
    """Give both players full mana and a full hand of cards as in their decks, then pass the turn.

    With `crowd` boards are full, too: of the minions of the decks, as they are printed.
    """
    for _ in range(2):  # nobody throws a card back
        waiting = games.states["pending"] > 1
        if waiting.any():
            some = games.take(waiting)
            some.step(np.zeros(len(some), int))
            games.states[waiting] = some.states
    for i, g in enumerate(games.states):
        for side in range(2):
            fill(g, side, decks[side][i], random, games.ruleset, crowd)
    games.states["watch"], games.states["stale"] = -1, 1  # until they are counted, at once
    games.states["side"]["hand_watch"] = -1
    games.step(np.full(len(games), END))


def fill(g: Any, side: int, deck: Deck, random: np.random.Generator, ruleset: str,
         crowd: bool) -> None:
    """Fill one player's mana, hand and, with `crowd`, board."""
    numbers, k, s = index(ruleset), facts(ruleset), g["side"][side]
    ids = [numbers[id] for id in random.choice(deck.ids, HAND + 7)]
    s["crystals"] = s["mana"] = MAX_MANA
    s["hand"]["card"][s["n_hand"]:] = ids[:HAND - s["n_hand"]]
    s["n_hand"] = HAND
    for number in ids[HAND:] if crowd else ():
        if k.kind[number] == Kind.MINION:
            place(g, side, number, k)


def place(g: Any, side: int, number: int, k: Any) -> None:
    """Put a minion to the right end of a board that nothing has left yet."""
    s = g["side"][side]
    if s["minions"] == 7:
        return
    c = g["char"][8 * side:8 * side + 7][s["minions"]]
    assert c["card"] == 0
    c["card"], c["uid"], c["attack"] = number, g["next_uid"], k.attack[number]
    c["health"] = c["max_health"] = k.health[number]
    c["keywords"] = k.keywords[number] | Keyword.FRESH
    s["row"][s["minions"]] = s["minions"]
    s["minions"] += 1
    g["next_uid"] += 1


# -- moves ----------------------------------------------------------------------------------------


def biased(weights: Any) -> Choose:
    """Return a choice among legal moves in proportion to weights (N_MOVES,)."""
    def choose(masks: Any, random: np.random.Generator) -> Any:
        game, move = np.divmod(np.flatnonzero(masks), N_MOVES)
        keys = random.exponential(size=len(move)) / weights[move]  # the least wins
        order = np.lexsort((keys, game))
        first = np.flatnonzero(np.diff(game, prepend=-1))  # counts of moves stay as they are
        moves = np.zeros(len(masks), int)
        moves[game[first]] = move[order][first]
        return moves
    return choose


def policies() -> dict[str, Choose]:
    """Return ways to choose moves: any, busy ones, and such with odd likings."""
    move = np.arange(N_MOVES)
    plays = (move >= PLAY) & (move < CHOOSE)
    target = np.where(plays, plain(target_of)(move), np.where(move >= POWER, move - POWER, 0))
    own = (target >= 1) & (target <= 8) & (move >= POWER) & (move < CHOOSE)
    busy = np.where(move == END, 1e-6, 1.0)
    powers, attacks = (move >= POWER) & (move < PLAY), (move >= ATTACK) & (move < POWER)
    return {
        "any": pick,
        "busy": biased(busy),
        "plays first": biased(busy * np.where(plays, 20, 1)),
        "aims at its own": biased(busy * np.where(own, 20, 1)),
        "power first": biased(busy * np.where(powers, 20, 1)),
        "attacks first": biased(busy * np.where(attacks, 20, 1)),
    }


# -- batches --------------------------------------------------------------------------------------

MAKERS = {"random": random_deck, "few": few, "themed": themed, "singles": singles}


@dataclass(frozen=True)
class Plan:
    """What fixes a batch of games, to the last move."""

    ruleset: str
    decks: Decks  # of the players, one of each a game
    seed: int  # of the batch: whole numbers and a stream of moves follow from it
    policy: str = "any"
    ordered: bool = False
    early: bool = False  # begin with full hands and mana ...
    crowd: bool = False  # ... and boards

    def begin(self) -> tuple[GameBatch, np.random.Generator, Choose]:
        """Return the games, the stream for their moves, and what chooses these."""
        random = np.random.default_rng(self.seed)
        seeds = random.integers(0, 2**63, len(self.decks[0]))
        games = GameBatch.new(*self.decks, seeds, self.ruleset, MAX_TURNS, self.ordered)
        if self.early:
            prime(games, random, self.decks, self.crowd)
        return games, random, policies()[self.policy]

    @property
    def legal(self) -> bool:
        """Tell whether games begin as the game's do: 30 cards at most, two of each, of a class."""
        return self.decks[0][0].name == "random" and not self.early

    def __str__(self) -> str:
        marks = [name for name in ("ordered", "early", "crowd") if getattr(self, name)]
        return ", ".join([self.ruleset, self.decks[0][0].name + " decks", self.policy, *marks])


def plan(seed: int, number: int, size: int) -> Plan:
    """Return a batch of a fuzz run: the kind of decks, how they are played, what with."""
    random = np.random.default_rng([seed, number])
    ruleset = PRESETS[number % len(PRESETS)]
    maker = MAKERS[str(random.choice(list(MAKERS)))]
    sizes = random.choice([10, 20, 30, 30, 60], (2, size))
    ordered, early, crowd = map(bool, random.random(3) < (0.5, 0.6, 0.5))
    if maker is random_deck and not early:
        sizes = np.minimum(sizes, 30)  # as the game has them: Plan.legal
    mine, theirs = [[maker(random, ruleset, int(n)) for n in row] for row in sizes]
    policy = str(random.choice(list(policies())))
    return Plan(ruleset, (mine, theirs), int(random.integers(2**63)), policy, ordered, early, crowd)


def count_batches(compare: Callable[[Plan], Any], names: Sequence[str], wrong: int, what: str,
                  seed: int, size: int) -> None:
    """Compare in as many batches as the command line says, and print the counts; stop at a fault.

    compare: returns the counts of a batch, int64 (len(names),). wrong: which of them must be 0.
    """
    batches, total = int(sys.argv[1]), np.zeros(len(names), np.int64)
    for number in range(batches):
        total += compare(plan(seed, number, size))
        if total[wrong]:
            sys.exit(f"batch {number}: {total[wrong]} {what} differ")
        counts = ", ".join(f"{name} {n:,}" for name, n in zip(names, total, strict=True))
        print(f"{number + 1} of {batches}: {counts}", flush=True)
