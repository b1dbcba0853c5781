"""What listens and never answers, added to games and taken away again.

The cards belong to rulesets of their own (`deaf`), which are else those that they are named after.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from itertools import groupby
from typing import Any

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.rulesets import RULESETS, STUDY_RULESETS
from hsevo.cards.tables import cards, index
from hsevo.cards.terms import Amount, CostRule, Event, If, Is, Need, Selector, Whose
from hsevo.cards.vocabulary import MY_HERO, damage, in_deck, in_hand
from hsevo.cards.vocabulary.cards import minion, secret, spell, token, weapon
from hsevo.cards.vocabulary.model import Filter, Trigger
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import AGAIN, CARD_MASK, CHOOSE, OWNER, PLAY, hand_of, times_of
from hsevo.engine.record.state import DEAD, DECK, HAND, SECRETS, TEXTS

NOBODY = "DEAF_0"  # is in no game
NEVER = Trigger(Event.DAMAGED, Whose.ANY, (damage(7, MY_HERO), ), Filter(Is.CARD, NOBODY))
TEXT, WEAPON, SECRET, HELD, DECKED = CARDS = (
    "DEAF_1", "DEAF_2", "DEAF_3", "DEAF_4", "DEAF_5")
DEAF = tuple(map(token, (
    minion(NOBODY, "Nobody", 0, 1, 1), minion(TEXT, "Deaf Text", 0, 0, 1, on=NEVER),
    weapon(WEAPON, "Deaf Weapon", 0, 0, 9, on=NEVER), secret(SECRET, "Deaf Secret", 0, on=NEVER),
    spell(HELD, "Deaf Card", 0, on=in_hand(NEVER)),
    spell(DECKED, "Deaf Deck Card", 0, on=in_deck(NEVER)))))
MOST_HELD = HAND - 4  # few hands become full
GAP = 40  # from one uid to the next
Random = np.random.Generator


def deaf(ruleset: str) -> str:
    """Return the name of a ruleset with deaf cards, the numbers of all others as in `ruleset`."""
    name = f"{ruleset}, with deaf cards"
    own = ((None, DEAF),)
    STUDY_RULESETS.setdefault(name, replace(RULESETS[ruleset], name=name, own_cards=own))
    return name


def numbers(ruleset: str) -> list[int]:
    """Return the table indices of CARDS."""
    known = index(deaf(ruleset))
    return [known[id] for id in CARDS]


def spaced(games: Any) -> Any:
    """Return games with the same order of play, and unused uids between any two."""
    out = games.copy()
    for g in out:
        parts = [g["char"]["uid"], g["side"]["weapon_uid"], g["side"]["secret"]["uid"]]
        used = np.unique(np.concatenate([part.ravel() for part in parts]))
        used = used[used > 0]
        for part in parts:
            part[:] = np.where(part > 0, GAP * (1 + np.searchsorted(used, part)), part)
        g["next_uid"] = GAP * (1 + len(used))
        g["attacker_uid"] = g["defender_uid"] = 0
    return out


def unused(g: Any, random: Random) -> int:
    """Return a uid between those in use, of a game that is `spaced`."""
    used = {*g["char"]["uid"].tolist(), *g["side"]["weapon_uid"].tolist(),
            *g["side"]["secret"]["uid"].ravel().tolist()}
    while (uid := int(random.integers(1, g["next_uid"]))) in used:
        pass
    return uid


# -- additions: each returns whether there is room for it -----------------------------------------


def give_text(g: Any, side: int, card: int, random: Random) -> bool:
    """Attach a text to a character, a player's hero or any minion."""
    places = np.flatnonzero(g["char"]["card"])
    extra = g["char"]["extra"][random.choice(places)]
    if extra[TEXTS - 1] > 0:
        return False
    extra[np.count_nonzero(extra)] = card + (side << OWNER)
    return True


def give_hero_text(g: Any, side: int, card: int, random: Random) -> bool:
    """Attach a text to a hero."""
    extra = g["char"]["extra"][8 * side + 7]
    if extra[TEXTS - 1] > 0:
        return False
    extra[np.count_nonzero(extra)] = card + (int(random.integers(2)) << OWNER)
    return True


def arm(g: Any, side: int, card: int, random: Random, attack: int = 0) -> bool:
    """Give a player a weapon, by default without attack."""
    s = g["side"][side]
    if s["weapon"] > 0:
        return False
    s["weapon"], s["weapon_uid"], s["durability"] = card, unused(g, random), 9
    s["weapon_attack"] += attack
    return True


def lay(g: Any, side: int, card: int, random: Random) -> bool:
    """Give a player a secret."""
    s = g["side"][side]
    n = int(s["n_secrets"])
    if n == SECRETS - 1:
        return False
    if card in s["secret"]["card"][:n]:
        return False
    s["secret"][n], s["n_secrets"] = (card, unused(g, random)), n + 1
    return True


def hand_over(g: Any, side: int, card: int, random: Random) -> bool:
    """Give a player a card in hand."""
    s = g["side"][side]
    n = int(s["n_hand"])
    if n > MOST_HELD:
        return False
    s["hand"][n], s["n_hand"] = (card, 0, 0, 0, 0), n + 1
    return True


def put_under(g: Any, side: int, card: int, random: Random) -> bool:
    """Put a card under a player's deck, which is drawn from in its order."""
    s = g["side"][side]
    n = int(s["n_deck"])
    if n in (0, DECK) or g["ordered"] == 0:
        return False
    s["deck"][1:n + 1] = s["deck"][:n].copy()
    s["deck"][0], s["n_deck"], s["unseen"] = card, n + 1, s["unseen"] << 1
    return True


def enter_play(g: Any, side: int, card: int, k: Any, random: Any) -> None:
    """Put a minion to the right end of a player's board, with any order of play."""
    s, chars = g["side"][side], g["char"][8 * side:8 * side + 7]
    if s["minions"] == 7:
        return
    slot = int(np.flatnonzero(chars["card"] == 0)[0])
    c = chars[slot]
    uid = unused(g, random)
    chars[slot:slot + 1] = np.zeros(1, chars.dtype)
    c["card"], c["uid"], c["attack"] = card, uid, k.attack[card]
    c["health"] = c["max_health"] = k.health[card]
    c["keywords"] = k.keywords[card]
    s["row"][s["minions"]] = slot
    s["minions"] += 1


def bury(g: Any, side: int, card: int, random: Random) -> bool:
    """Have a minion of a player be dead for long."""
    s = g["side"][side]
    n = int(s["n_graves"])
    if n == DEAD:
        return False
    s["dead"][1:n + 1] = s["dead"][:n].copy()
    s["dead"][0], s["n_graves"], s["n_dead"] = card, n + 1, s["n_dead"] + 1
    return True


ADDITIONS: dict[str, tuple[str, Callable[[Any, int, int, Random], bool]]] = {
    "a text": (TEXT, give_text), "a hero's text": (TEXT, give_hero_text),
    "a weapon": (WEAPON, arm), "a secret": (SECRET, lay), "a card in hand": (HELD, hand_over),
    "a card in the deck": (DECKED, put_under), "a dead minion": (TEXT, bury)}


def add(g: Any, name: str, ruleset: str, random: Random) -> bool:
    """Add what ADDITIONS names to a game; return whether there was room for it."""
    id, into = ADDITIONS[name]
    return into(g, int(random.integers(2)), index(deaf(ruleset))[id], random)


# What tells a text that an addition is there: an action in which such a text may act can differ.
READ: dict[str, tuple[Any, ...]] = {
    "a weapon": (
        If.HAVE_WEAPON, If.WEAPON_ATTACK_AT_LEAST, Amount.WEAPON_ATTACK, Amount.HERO_ATTACK,
        Amount.ENEMY_DURABILITY, CostRule.WEAPON_ATTACK, Need.WEAPON, Selector.MY_WEAPON,
        Op.BUFF_WEAPON, Op.DAMAGE_WEAPON, Op.DESTROY_WEAPON),
    "a secret": (If.OWN_SECRET, Amount.ENEMY_SECRETS),
    "a card in hand": (
        Amount.HAND, Amount.UP_TO, Amount.ENEMY_UP_TO, Amount.HAND_DIFFERENCE, If.HAND_EMPTY,
        If.ENEMY_HAND_EMPTY, If.ENEMY_CARDS_AT_LEAST, If.HAND_ROOM, If.HOLD_KIND, CostRule.HAND,
        CostRule.ENEMY_HAND)}


def terms(part: Any) -> Iterator[Any]:
    """Yield the terms in a card, or in a part of it."""
    if is_dataclass(part):
        part = [getattr(part, one.name) for one in fields(part)]
    if isinstance(part, tuple | list):
        for inner in part:
            yield from terms(inner)
    elif isinstance(part, Enum):
        yield part


@functools.cache
def readers(ruleset: str, name: str) -> frozenset[int]:
    """Return the table indices of the cards that read whether an addition is there."""
    known, read = cards(ruleset), READ.get(name, ())
    reads = {id for id, card in known.items() if any(
        term is one for term in terms(card) for one in read)}
    return frozenset(number for id, number in index(ruleset).items() if id in reads or not
                     reads.isdisjoint(known[id].options))


def at_hand(state: Any, number: int) -> set[int]:
    """Return the cards whose texts may act in a state, and the one that a move plays."""
    side, char = state["side"], state["char"]
    there = [char["card"], char["extra"] & CARD_MASK, side["weapon"], side["power"],
             side["secret"]["card"]]
    if PLAY <= number < CHOOSE:
        there.append(side["hand"]["card"][state["me"], plain(hand_of)(number)])
    return {int(card) for part in there for card in np.atleast_1d(part).ravel()}


def hear_all(g: Any) -> None:
    """Have all events of a game be announced."""
    g["watch"], g["side"]["hand_watch"], g["side"]["deck_watch"] = -1, -1, -1
    g["side"]["deck_watcher"] = -1


# -- taking away ----------------------------------------------------------------------------------


def drop(rows: Any, size: Any, gone: Any) -> None:
    """Remove the entries of rows (n, m) that are `gone`, and what lies behind their size (n,)."""
    each, place = np.indices(gone.shape)
    gone = gone & (place < size[:, None])
    size -= gone.sum(axis=1).astype(size.dtype)
    kept = rows[each, np.argsort(gone, axis=1, kind="stable")]
    rows[:] = kept
    rows[place >= size[:, None]] = np.zeros(1, rows.dtype)[0]


def without(games: Any, ruleset: str) -> tuple[Any, Any]:
    """Return games without deaf cards, and how many of these were where they belong (n, CARDS).

    What is not used is 0, and so is which events are listened to.
    """
    out = games.copy()
    text, weapon_, secret_, held, decked = numbers(ruleset)
    sides, n = out["side"], len(out)
    found = np.zeros((n, len(CARDS)), int)
    extra = out["char"]["extra"]
    size = np.count_nonzero(extra, axis=2).reshape(-1)
    rows = extra.reshape(-1, TEXTS)
    gone = rows & CARD_MASK == text
    drop(rows, size, gone)
    for i in np.flatnonzero(gone.any(axis=1)):
        rows[i] = in_a_row(rows[i])
    out["char"]["extra"] = rows.reshape(extra.shape)
    for player in range(2):
        s = sides[:, player]
        armed = s["weapon"] == weapon_
        found[:, 1] += armed
        for name in ("weapon", "weapon_uid", "durability"):
            s[name] = np.where(armed, 0, s[name])
        for k, (rows, n_rows, card, bits) in enumerate((
                (s["secret"], "n_secrets", secret_, ""), (s["hand"], "n_hand", held, "shifting"),
                (s["deck"], "n_deck", decked, "unseen"), (s["dead"], "n_graves", text, ""))):
            entries = rows["card"] if rows.dtype.names else rows & CARD_MASK
            gone = (entries == card) & (np.arange(rows.shape[1]) < s[n_rows][:, None])
            found[:, (2, 3, 4, 0)[k]] += gone.sum(axis=1)
            if bits:
                s[bits] = unshifted(s[bits], gone)
            size = s[n_rows].copy()
            drop(rows, size, gone)
            if n_rows == "n_graves":
                s["n_dead"] -= s[n_rows] - size
            s[n_rows] = size
        sides[:, player] = s
    for name in ("hand_watch", "deck_watch", "deck_watcher"):
        sides[name] = 0
    out["watch"], out["side"] = 0, sides
    return out, found


def in_a_row(texts: Any) -> Any:
    """Return attached texts with equal neighbours as one text, as attaching them does."""
    once = [int(text) & (1 << AGAIN) - 1 for text in texts for _ in range(times(text))]
    out = np.zeros_like(texts)
    for k, (text, same) in enumerate(groupby(once)):
        out[k] = text + (len([*same]) - 1 << AGAIN)
    return out


def times(text: Any) -> int:
    """Return how often a text was attached, 0 for none."""
    return int(plain(times_of)(int(text)))


def unshifted(bits: Any, gone: Any) -> Any:
    """Return bits of places (n,) without those of places that are `gone`, (n, m)."""
    out = bits.copy()
    for i in np.flatnonzero(gone.any(axis=1)):
        for k in np.flatnonzero(gone[i])[::-1]:
            below = (1 << int(k)) - 1
            out[i] = int(out[i]) & below | (int(out[i]) >> 1) & ~below
    return out
