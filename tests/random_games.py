"""Random decks and random moves for whole batches of games, and what must hold after every move."""

from collections.abc import Callable
from typing import Any

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards
from hsevo.cards.terms import Class, Keyword, Kind
from hsevo.cards.words import GROUP_CLASSES, Card
from hsevo.engine.state import BOARD, DECK, GAME, HAND, MAX_MANA, PREFIX, RUNNING, SECRETS
from hsevo.games import N_MOVES, Games, legal_moves, new_games, results, step

MAX_TURNS = 89
STATE = [name for name in GAME.names if GAME.fields[name][1] < PREFIX]
HEROES = [cls for cls in Class if cls is not Class.NEUTRAL]


def packed(dtype: Any) -> Any:
    """Return a dtype without the padding between its fields, at any depth."""
    if dtype.subdtype:
        return np.dtype((packed(dtype.base), dtype.shape))
    if dtype.names:
        return np.dtype([(name, packed(dtype[name])) for name in dtype.names])
    return dtype


PACKED = packed(GAME[STATE])


def states(games: Games) -> list[bytes]:
    """Return all that makes up each game, scratch space and padding between fields left out."""
    return [record.tobytes() for record in games.records.view(np.ndarray)[STATE].astype(PACKED)]


def fits_class(card: Card, hero: Class) -> bool:
    classes = GROUP_CLASSES[card.group] if card.group else (card.cls, )
    return card.collectible and (hero in classes or (card.cls is Class.NEUTRAL and not card.group))


def random_deck(random: np.random.Generator, ruleset: str, size: int = 30) -> Deck:
    """Return any cards that a random class may use, at most two of each."""
    hero = HEROES[random.integers(len(HEROES))]
    known = [id for id, card in cards(ruleset).items() if fits_class(card, hero)]
    chosen = random.choice(known * 2, size, replace=False)
    return Deck("random", hero.name, tuple(map(str, chosen)))


def begin(seed: int, n: int, ruleset: str = "cig2018") -> tuple[Games, np.random.Generator]:
    """Begin n games of random decks."""
    random = np.random.default_rng(seed)
    sizes = random.choice([15, 30, 30, 60], (2, n))
    decks = [[random_deck(random, ruleset, size) for size in row] for row in sizes]
    seeds = random.integers(0, 2**63, n)
    ordered = bool(random.integers(2))
    return new_games(*decks, seeds, ruleset, MAX_TURNS, ordered), random


def pick(masks: Any, random: np.random.Generator) -> Any:
    """Return a random legal move of each game, 0 where there is none."""
    counts = np.count_nonzero(masks, axis=1)
    legal = np.append(np.flatnonzero(masks) % N_MOVES, 0)
    first = np.cumsum(counts) - counts
    return np.where(counts > 0, legal[first + (random.random(len(masks)) * counts).astype(int)], 0)


def play_out(games: Games, random: np.random.Generator,
             check: Callable[[Games], None] | None = None) -> Games:
    """Make random moves until every game is over; return the games, none of them lost."""
    over = []
    while len(games):
        masks = legal_moves(games)
        running = results(games) == RUNNING
        assert (masks.any(axis=1) == running).all()  # some move in each, none where it is over
        if running.mean() < 0.7:
            over.append(games.take(~running))
            games, masks = games.take(running), masks[running]
        if len(games):
            step(games, pick(masks, random))
            if check:
                check(games)
    records = np.concatenate([part.records for part in over]).view(np.recarray)
    return Games(records, games.ruleset)


def check_all(games: Games) -> None:
    """Assert the invariants of a position that no legal move can break."""
    if not len(games):
        return
    g = games.records
    s, c = g["side"], g["char"].reshape(-1, 2, 8)
    broken = {**_limits(g, s), **_numbers(s, c, games.ruleset), **_rows(s, c, g["pending"] == 0)}
    for name, bad in broken.items():
        where = np.flatnonzero(np.asarray(bad).reshape(len(games), -1).any(axis=1))
        assert not len(where), f"{name} in game {where[0]}"


def _limits(g: Any, s: Any) -> dict[str, Any]:
    settled = g["pending"] == 0  # during a choice, deaths of the same phase are still to come
    mana = (s["mana"] < 0) | (s["mana"] > MAX_MANA)
    crystals = (s["crystals"] < 0) | (s["crystals"] > MAX_MANA)
    return {
        "a fault": g["fault"] != 0,
        "hand": (s["n_hand"] < 0) | (s["n_hand"] > HAND),
        "deck": (s["n_deck"] < 0) | (s["n_deck"] > DECK),
        "board": (s["minions"] < 0) | (s["minions"] > BOARD),
        "secrets": (s["n_secrets"] < 0) | (s["n_secrets"] > SECRETS),
        "mana": mana | crystals,
        "overload": (s["locked"] < 0) | (s["overload"] < 0),
        "armour": s["armor"] < 0,
        "a worn-out weapon": (s["weapon"] > 0) & (s["durability"] <= 0) & settled[:, None],
        "too long": (g["result"] == RUNNING) & (g["turn"] > g["max_turns"]),
    }


def _first(n: Any, size: int) -> Any:
    """Return which of `size` places are in use, (..., size)."""
    return np.arange(size) < n[..., None]


def _numbers(s: Any, c: Any, ruleset: str) -> dict[str, Any]:
    """Cards that are cards, in their places; secrets that are different secrets."""
    kinds = np.array([Kind.NONE, *(card.kind for card in cards(ruleset).values())])
    secrets = np.array([False, *(card.secret for card in cards(ruleset).values())])
    held, secret = _first(s["n_hand"], HAND), _first(s["n_secrets"], SECRETS)
    owned = s["secret"]["card"]
    same = (owned[..., None] == owned[..., None, :]) & secret[..., None] & secret[..., None, :]
    hand_kind = kinds[s["hand"]["card"]]
    in_hand = (hand_kind == Kind.MINION) | (hand_kind == Kind.SPELL) | (hand_kind == Kind.WEAPON)
    minions = c["card"][..., :7]
    return {
        "no card in hand": held & ~in_hand,
        "no card in deck": _first(s["n_deck"], DECK) & (s["deck"] <= 0),
        "no secret": secret & ~secrets[owned],
        "a secret twice": same.sum(axis=(-1, -2)) != s["n_secrets"],
        "no minion on board": (minions > 0) & (kinds[minions] != Kind.MINION),
        "no weapon": (s["weapon"] > 0) & (kinds[s["weapon"]] != Kind.WEAPON),
        "no hero": kinds[c["card"][..., 7]] != Kind.HERO,
        "no hero power": kinds[s["power"]] != Kind.POWER,
    }


def _rows(s: Any, c: Any, settled: Any) -> dict[str, Any]:
    """Boards: rows of distinct slots that are in use, of living minions with uids of their own."""
    in_row = _first(s["minions"], 7)
    slots = np.where(in_row, s["row"][..., :7].astype(int), -1)
    used = np.zeros((*slots.shape[:-1], 7), int)
    for k in range(7):
        used += slots[..., k, None] == np.arange(7)
    there = c["card"][..., :7] > 0
    minions, everyone = c[..., :7], c["card"] > 0
    uid = np.where(everyone, c["uid"], -np.arange(1, 17).reshape(2, 8)).reshape(len(c), -1)
    return {
        "slots": (used != there) | ((slots < -1) | (slots > 6)),
        "a dead minion": there & settled[:, None, None] & (
            (minions["health"] <= 0) | (minions["keywords"] & Keyword.DOOMED != 0)),
        "health over its maximum": everyone & (c["health"] > c["max_health"]),
        "attack": there & (minions["attack"] < 0),
        "uids": np.diff(np.sort(uid, axis=1), axis=1) == 0,
        "no uid": everyone & (c["uid"] <= 0),
    }
