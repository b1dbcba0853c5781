"""What must hold in every position and for every move, whatever the cards: counted from records.

`check_all(games)` looks at positions, `check_step(before, moves, games)` at what a move did to them
too, `check_attacks(games, masks)` at legal moves. Nothing here asks the engine.
"""

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from hsevo.cards.layout import CARD
from hsevo.cards.tables import tables
from hsevo.cards.terms import Counter, Keyword, Kind, Reach, Rule
from hsevo.engine.game.moves import MOST_PLAYS
from hsevo.engine.record.codec import (
    AGAIN,
    ATTACK,
    CARD_MASK,
    CHOOSE,
    END,
    PLAY,
    POWER,
    RATTLE_ONLY,
)
from hsevo.engine.record.state import (
    BOARD,
    DEAD,
    DECK,
    DRAW,
    HAND,
    LATER,
    MAX_MANA,
    PREFIX,
    RUNNING,
    SECRETS,
    STATE,
    WIN_0,
    WIN_1,
)
from hsevo.engine.rules.events import HAND_KEY
from hsevo.play.games import GameBatch

NAMES = [name for name in STATE.names if STATE.fields[name][1] < PREFIX]
# The part of a record that makes up the game, as it lies there, in PREFIX bytes.
HEAD = np.dtype({"names": NAMES, "formats": [STATE.fields[name][0] for name in NAMES],
                 "offsets": [STATE.fields[name][1] for name in NAMES], "itemsize": PREFIX})
THIS_TURN = int(Keyword.IMMUNE_THIS_TURN | Keyword.NO_HEROES_THIS_TURN | Keyword.WINDFURY_TURN
                | Keyword.CAN_ATTACK_TURN)
POWER_AGAIN = int(Rule.POWER_TWICE | Rule.POWER_UNLIMITED)
IMMUNE = int(Keyword.IMMUNE | Keyword.IMMUNE_THIS_TURN | Keyword.IMMUNE_ATTACKING)
HIDDEN = int(Keyword.STEALTH | Keyword.STEALTH_TURN)
TOUCHY = IMMUNE | int(Keyword.POISONOUS | Keyword.LIFESTEAL | Keyword.FREEZES | Keyword.CLEAVE)
WITH_EXTRA_TURNS = ("rise2019",)
Marks = dict[str, Any]  # what may be broken -> bool (n,) or (n, ...), True where it is


class Broken(AssertionError):
    """Something that must hold does not; `name` says what, `game` which of the batch."""

    def __init__(self, name: str, game: int) -> None:
        super().__init__(f"{name} in game {game}")
        self.name, self.game = name, game


def heads(games: GameBatch) -> Any:
    """Return a copy of the states of n games, (n,) of dtype HEAD."""
    raw = np.ascontiguousarray(games.states).view(np.uint8).reshape(len(games), STATE.itemsize)
    return raw[:, :PREFIX].copy().view(HEAD).reshape(len(games))


def check_all(games: GameBatch) -> None:
    """Raise Broken for a position that no legal move can lead to."""
    raise_first(positions(heads(games), games.ruleset))


def check_step(before: Any, moves: Any, games: GameBatch) -> None:
    """Raise Broken for positions (the games now) that moves cannot have led to from `before`."""
    after, ruleset = heads(games), games.ruleset
    raise_first({**positions(after, ruleset), **transitions(before, after, moves, ruleset)})


def raise_first(broken: Marks) -> None:
    """Raise Broken for the first of what may be broken that is."""
    for name, bad in broken.items():
        bad = np.asarray(bad)
        if bad.any():
            raise Broken(name, int(np.flatnonzero(bad.reshape(len(bad), -1).any(axis=1))[0]))


@functools.cache
def facts(ruleset: str) -> SimpleNamespace:
    """Return the columns of the card table, each an array by table index."""
    table = tables(ruleset).card
    return SimpleNamespace(**{name: table[name].astype(np.int64) for name in CARD.names})


def positions(g: Any, ruleset: str) -> Marks:
    """Return what is broken in positions (n,) of dtype HEAD."""
    k, s, c = facts(ruleset), g["side"], g["char"].reshape(-1, 2, 8)
    live = (g["pending"] == 0) & (g["result"] == RUNNING)
    return {**_limits(g, s), **_numbers(s, c, k),
            **_rows(s, c, k, g["pending"] == 0), **_characters(g, s, c, k, live),
            **_counts(g, s, c, k, live), **_course(g, s, c, ruleset)}


def _limits(g: Any, s: Any) -> Marks:
    settled = g["pending"] == 0  # during a choice, deaths of the same phase are still to come
    return {
        "a fault": g["fault"] != 0,
        "hand": (s["n_hand"] < 0) | (s["n_hand"] > HAND),
        "deck": (s["n_deck"] < 0) | (s["n_deck"] > DECK),
        "board": (s["minions"] < 0) | (s["minions"] + s["dormant"] > BOARD),
        "secrets": (s["n_secrets"] < 0) | (s["n_secrets"] + (s["quest"] > 0) > SECRETS),
        "mana": (s["mana"] < 0) | (s["mana"] > MAX_MANA),
        "crystals": (s["crystals"] < 0) | (s["crystals"] > MAX_MANA),
        "overload": (s["locked"] < 0) | (s["overload"] < 0) | (s["locked"] > MAX_MANA),
        "armour": s["armor"] < 0,
        "fatigue": s["fatigue"] < 0,
        "texts put off": (s["n_later"] < 0) | (s["n_later"] > LATER),
        "cards played": (s["minions_played"] < 0) | (s["minions_played"] > s["played"]),
        "a turn's plays": (s["power_used"] < 0) | (s["played"] + s["power_used"] > MOST_PLAYS),
        "a worn-out weapon": (s["weapon"] > 0) & (s["durability"] <= 0) & settled[:, None],
        "too long": (g["result"] == RUNNING) & (g["turn"] > g["max_turns"]),
    }


def _first(n: Any, size: int) -> Any:
    """Return which of `size` places are in use, (..., size)."""
    return np.arange(size) < n[..., None]


def _numbers(s: Any, c: Any, k: Any) -> Marks:
    """Cards that are cards, in their places; secrets that are different secrets."""
    held, secret = _first(s["n_hand"], HAND), _first(s["n_secrets"], SECRETS)
    owned = s["secret"]["card"]
    same = (owned[..., None] == owned[..., None, :]) & secret[..., None] & secret[..., None, :]
    hand_kind = k.kind[s["hand"]["card"]]
    in_hand, in_deck = (np.isin(kinds, (Kind.MINION, Kind.SPELL, Kind.WEAPON, Kind.HERO))
                        for kinds in (hand_kind, k.kind[s["deck"] & CARD_MASK]))
    counting = k.hand_watch[s["hand"]["card"]] != 0  # a spell that counts in hand, in its attack
    changed = (s["hand"]["attack"] != 0) | (s["hand"]["health"] != 0)
    minions, dead = c["card"][..., :7], _first(s["n_graves"], DEAD)
    return {
        "no card in hand": held & ~in_hand,
        "attack of no minion in hand": held & changed & (hand_kind == Kind.SPELL) & ~counting,
        "no card in deck": _first(s["n_deck"], DECK) & ~in_deck,
        "no quest": (s["quest"] > 0) & (k.goal[s["quest"]] == 0),
        "a quest done": (s["quest"] > 0) & (
            s["counter"][..., Counter.QUEST_PROGRESS] >= k.goal[s["quest"]]),
        "no secret": secret & (k.secret[owned] == 0),
        "a secret twice": same.sum(axis=(-1, -2)) != s["n_secrets"],
        "no minion on board": (minions > 0) & (k.kind[minions] != Kind.MINION),
        "no minion among the dead": dead & (k.kind[s["dead"] & CARD_MASK] != Kind.MINION),
        "no weapon": (s["weapon"] > 0) & (k.kind[s["weapon"]] != Kind.WEAPON),
        "no hero": k.kind[c["card"][..., 7]] != Kind.HERO,
        "no hero power": k.kind[s["power"]] != Kind.POWER,
    }


def _rows(s: Any, c: Any, k: Any, settled: Any) -> Marks:
    """Boards: rows of distinct slots that are in use, of living minions with uids of their own."""
    slots = np.where(_first(s["minions"], 7), s["row"][..., :7].astype(int), -1)
    used = np.zeros((*slots.shape[:-1], 7), int)
    for place in range(7):
        used += slots[..., place, None] == np.arange(7)
    dormant = k.dormant[c["card"][..., :7]] == 1
    there = (c["card"][..., :7] > 0) & ~dormant
    minions, everyone = c[..., :7], c["card"] > 0
    uid = np.where(everyone, c["uid"], -np.arange(1, 17).reshape(2, 8)).reshape(len(c), -1)
    return {
        "dormant cards": dormant.sum(axis=-1) != s["dormant"],
        "slots": (used != there) | ((slots < -1) | (slots > 6)),
        "a dead minion": there & settled[:, None, None] & (
            (minions["health"] <= 0) | (minions["keywords"] & Keyword.TO_BE_DESTROYED != 0)),
        "health over its maximum": everyone & (c["health"] > c["max_health"]),
        # an effect of this turn can take attack below 0, where it counts as 0
        "attack": there & (minions["attack"] - np.minimum(minions["turn_attack"], 0) < 0),
        "uids": np.diff(np.sort(uid, axis=1), axis=1) == 0,
        "no uid": everyone & (c["uid"] <= 0),
        "a uid of nobody": ~everyone & (c["uid"] != 0),
    }


def _characters(g: Any, s: Any, c: Any, k: Any, live: Any) -> Marks:
    """Marks, attacks made, what a hero has; `live`: nothing is left to resolve."""
    everyone, hero = (c["card"] > 0) & live[:, None, None], c[..., 7]
    mine = np.arange(2) == g["me"][:, None]
    newest = np.maximum(c["uid"].max(axis=(1, 2)), s["weapon_uid"].max(axis=1))
    unarmed = s["weapon"] == 0
    remains = (s["weapon_uid"] != 0) | (s["durability"] != 0)
    return {
        "a uid to come": newest >= g["next_uid"],
        "a uid like a hand's": g["next_uid"] >= HAND_KEY,
        "attacks made": everyone & ((c["attacks"] < 0) | (c["attacks"] > 30)),
        "immune after its attack": everyone & (c["keywords"] & Keyword.IMMUNE_ATTACKING != 0),
        "lent to the wrong player": everyone & (c["borrowed"] != 0) & ~mine[..., None],
        "a hero lent": hero["borrowed"] != 0,
        "a hero's own attack": live[:, None] & (
            hero["attack"] != hero["turn_attack"] + hero["aura_attack"]),
        # Amara sets it to 40
        "a hero's health": hero["max_health"] > (40 if k.goal.any() else 30),
        "a weapon that is gone": unarmed & (remains | (s["weapon_attack"] != s["weapon_aura"])),
        "a weapon's attack": ~unarmed & live[:, None] & (s["weapon_attack"] < 0),
        "text of nothing": everyone[..., None] & (np.diff(c["extra"] != 0, axis=-1)
                                                  & (c["extra"][..., 1:] != 0)),
    }


def _or(bits: Any) -> Any:
    return np.bitwise_or.reduce(bits, axis=-1)


def _swapped(reach: Any) -> Any:
    """Return Reach bits as the other player sees them."""
    mine, theirs = reach & Reach.MINE != 0, reach & Reach.THEIRS != 0
    rest = reach & ~(Reach.MINE | Reach.THEIRS)
    return rest | np.where(mine, Reach.THEIRS, 0) | np.where(theirs, Reach.MINE, 0)


def _counts(g: Any, s: Any, c: Any, k: Any, live: Any) -> Marks:
    """What is kept count of: listeners, auras, rules, Spell Damage, what a deck listens to."""
    minions = c[..., :7]
    there = minions["card"] > 0
    card = np.where(there & (minions["keywords"] & Keyword.SILENCED == 0), minions["card"], 0)
    extra = np.where(there[..., None], minions["extra"].astype(int), 0)
    extra = extra.reshape(*there.shape[:-1], -1)
    times = (extra > 0) + (extra >> AGAIN)
    extra = np.where(extra & RATTLE_ONLY, 0, extra & CARD_MASK)
    secret = np.where(_first(s["n_secrets"], SECRETS), s["secret"]["card"], 0)
    deck = np.where(_first(s["n_deck"], DECK), s["deck"] & CARD_MASK, 0)
    held = np.where(_first(s["n_hand"], HAND), s["hand"]["card"], 0)
    listening, in_hand = k.deck_watch[deck], _or(k.hand_watch[held])
    watchers = np.where(listening != 0, deck.astype(int), 0)
    highest, several = watchers.max(axis=-1), np.where(watchers > 0, watchers, 1 << 16).min(axis=-1)
    watcher = np.where(highest == 0, 0, np.where(highest == several, highest, -1))
    watch = (_or(k.watch[card]) | _or(k.watch[extra]) | _or(k.watch[secret])
             | k.watch[s["weapon"]] | k.watch[s["quest"]] | _or(listening) | in_hand)
    on_hero = c[..., 7]["extra"].astype(int) & CARD_MASK  # texts that a hero was given
    watch |= _or(k.watch[on_hero])
    reach = _or(k.reach[card]) | k.reach[s["weapon"]] | _or(k.reach[on_hero])
    auras = (k.n_auras[card] > 0).sum(axis=-1) + (k.n_auras[s["weapon"]] > 0)
    auras += (k.n_auras[on_hero] > 0).sum(axis=-1)
    spell_damage = k.spell_damage[card].sum(axis=-1)
    spell_damage += (k.spell_damage[extra] * times).sum(axis=-1)
    spell_damage += np.where(there, minions["spell_damage"], 0).sum(axis=-1)
    shared = np.where(k.rules[card] & Rule.SHARED_SPELL_DAMAGE, k.spell_damage[card], 0)
    spell_damage += shared.sum(axis=-1)[:, ::-1]
    given = (c["aura_attack"] != 0) | (c["aura_health"] != 0) | (c["aura_keywords"] != 0)
    each = live[:, None]
    rules = _or(k.rules[card]) | k.rules[s["weapon"]]
    rules |= rules[:, ::-1] & Rule.NO_POWERS  # both players have no hero powers
    return {
        "auras to count": live & (g["stale"] != 0),
        "deaths to come": live & (g["dying"] != 0),
        "a listener unheard": live & (_or(watch) & ~g["watch"] != 0),
        "auras counted": live & (auras.sum(axis=1) != g["auras"]),
        "what auras depend on": live & (
            reach[:, 0] | _swapped(reach[:, 1]) != g["reach"]),
        "auras on costs": live & (k.discounts[card].sum(axis=(1, 2)) != g["discounts"]),
        "an aura of nothing": (live & (g["auras"] == 0))[:, None] & (
            ((c["card"] > 0) & given).any(axis=-1) | (s["weapon_aura"] != 0)),
        "rules": each & (rules != s["rules"]),
        "Spell Damage": each & (
            spell_damage + k.spell_damage[s["weapon"]] != s["spell_damage"]),
        "hand listeners": each & (in_hand & ~s["hand_watch"] != 0),
        "deck listeners": each & (_or(listening) != s["deck_watch"]),
        "deck listener": each & (watcher != s["deck_watcher"]),
    }


def _course(g: Any, s: Any, c: Any, ruleset: str) -> Marks:
    """Whose turn it is, and who has won."""
    gone = c[..., 7]["health"] <= 0
    gone |= c[..., 7]["keywords"] & Keyword.TO_BE_DESTROYED != 0
    running, late = g["result"] == RUNNING, g["turn"] > g["max_turns"]
    both = gone.all(axis=1)
    result = np.where(both, tables(ruleset).both_dead, np.where(
        gone[:, 0], WIN_1, np.where(gone[:, 1], WIN_0, RUNNING)))
    turns = (g["pending"] < 2) & (g["turn"] > 0)
    return {
        "the result": (g["pending"] == 0) & ~(late & (g["result"] == DRAW)) & (
            g["result"] != result),
        "whose turn": turns & ~late & (g["me"] != (g["first"] + g["turn"] + 1) % 2)
        & (ruleset not in WITH_EXTRA_TURNS),
        "a choice": running & (g["pending"] == 1) & (
            (g["n_choices"] < 1) | (g["n_choices"] > 8) | (g["chooser"] != g["me"])),
    }


# -- what a move did ------------------------------------------------------------------------------


def transitions(b: Any, a: Any, moves: Any, ruleset: str) -> Marks:
    """Return what is broken between positions b and a, between which `moves` were made."""
    running = (b["result"] == RUNNING) & (a["fault"] == 0)
    playing = running & (b["pending"] == 0)
    ended = playing & (moves == END) & (a["result"] == RUNNING)
    ended &= b["side"]["counter"][np.arange(len(b)), b["me"], Counter.EXTRA_TURNS] == 0
    stays = running & (b["pending"] < 2) & ~((moves == END) & (b["pending"] == 0))
    stays &= ~((b["pending"] == 1) & (a["me"] != b["me"]))  # a choice at the end of a turn
    s, t = b["side"], a["side"]
    later = running[:, None] & (
        (t["n_dead"] < s["n_dead"]) | (t["jade"] < s["jade"]) | (t["totems"] < s["totems"])
        | (t["fatigue"] < s["fatigue"]))
    played = playing & (moves >= PLAY) & (moves < CHOOSE)
    me, each = b["me"], np.arange(len(b))
    return {
        "back in time": later,
        "uids anew": running & (a["next_uid"] < b["next_uid"]),
        "a turn passed": stays & ((a["turn"] != b["turn"]) | (a["me"] != b["me"])),
        "a card played": played & (t["played"][each, me] != s["played"][each, me] + 1),
        "the power used": playing & (moves >= POWER) & (moves < PLAY) & (
            (s["power_used"][each, me] != 0) & (s["rules"][each, me] & POWER_AGAIN == 0)),
        **_turn_marks(b, a, ended & (a["pending"] == 0)),
        **_quiet_turns(b, a, ended, ruleset),
        **_quiet_attacks(b, a, moves, playing, ruleset),
    }


def _turn_marks(b: Any, a: Any, ended: Any) -> Marks:
    """What ends with a turn, and what begins anew, for characters that were there before."""
    each, old = np.arange(len(b)), b["me"].astype(int)
    c, d = b["char"].reshape(-1, 2, 8), a["char"].reshape(-1, 2, 8)
    same = (c["uid"] == d["uid"]) & (d["uid"] > 0) & ended[:, None, None]
    extra = b["side"]["counter"][each, old, Counter.EXTRA_TURNS] > 0
    next_one = np.where(extra, old, 1 - old)
    theirs = np.arange(2) == old[:, None]  # the side whose turn ended
    mine = same & (np.arange(2) == next_one[:, None])[..., None]
    frozen = same & (c["keywords"] & Keyword.FROZEN != 0) & theirs[..., None]
    idle = (c["attacks"] == 0) & ((c["keywords"] & Keyword.FRESH == 0) | (np.arange(8) == 7))
    new, over = a["side"][each, next_one], a["side"][each, old]
    calm = a["side"]["n_secrets"] == b["side"]["n_secrets"]  # Ice Block at the new turn's start
    return {
        "the turn": ended & ((a["turn"] != b["turn"] + 1) | (a["me"] != next_one)),
        "attack beyond the turn": same & (d["turn_attack"] != 0),
        "a mark beyond the turn": same & calm[..., None] & (d["keywords"] & THIS_TURN != 0),
        "a rule beyond the turn": ended & (over["turn_rules"] != 0),
        "lent beyond the turn": same & (d["borrowed"] != 0),
        "attacks of the last turn": mine & (d["attacks"] != 0),
        "asleep in its second turn": mine & (d["keywords"] & Keyword.FRESH != 0),
        "Stealth for a turn": mine & (d["keywords"] & Keyword.STEALTH_TURN != 0),
        "frozen too long": frozen & idle & (d["keywords"] & Keyword.FROZEN != 0),
        "plays of the last turn": ended & (
            (new["played"] != 0) | (new["minions_played"] != 0) | (new["power_used"] != 0)),
        "overload": ended & (new["locked"] > new["crystals"]),
    }


def _quiet_turns(b: Any, a: Any, ended: Any, ruleset: str) -> Marks:
    """The end of a turn where nothing listens and no aura is: one crystal, one card, no more."""
    each, old = np.arange(len(b)), b["me"].astype(int)
    s, t = b["side"][each, 1 - old], a["side"][each, 1 - old]
    quiet = ended & (b["watch"] == 0) & (b["auras"] == 0) & (b["char"]["borrowed"] == 0).all(axis=1)
    quiet &= (b["side"]["n_later"] == 0).all(axis=1) & (s["rules"] == 0)
    quiet &= b["side"]["counter"][each, old, Counter.EXTRA_TURNS] == 0
    deck = np.where(_first(s["n_deck"], DECK), s["deck"] & CARD_MASK, 0)
    quiet &= (facts(ruleset).drawn[deck] == 0).all(axis=1) & (s["shifting"] == 0)
    c, d = b["char"], a["char"]
    still = (c["card"] == d["card"]) & (c["max_health"] == d["max_health"])
    still &= c["attack"] - c["turn_attack"] == d["attack"]
    left = c["health"].astype(int)
    tired = quiet & (s["n_deck"] == 0)
    hero = 15 - 8 * old
    hurt = np.where(tired, np.maximum(s["fatigue"] + 1 - s["armor"], 0), 0)
    hurt[c["keywords"][each, hero] & Keyword.IMMUNE != 0] = 0
    left[each, hero] -= hurt
    there, drawn = c["card"] > 0, s["n_deck"] > 0
    crystals = np.minimum(s["crystals"] + 1, MAX_MANA)
    return {
        "a quiet turn's board": quiet[:, None] & there & ~(still & (d["health"] == left)),
        "a quiet turn's mana": quiet & (
            (t["crystals"] != crystals) | (t["mana"] != crystals - t["locked"])
            | (t["locked"] != np.minimum(s["overload"], crystals)) | (t["overload"] != 0)),
        "a quiet turn's card": quiet & (
            (t["n_deck"] != s["n_deck"] - drawn) | (t["fatigue"] != s["fatigue"] + ~drawn)
            | (t["n_hand"] != np.minimum(s["n_hand"] + drawn, HAND))),
    }


def _quiet_attacks(b: Any, a: Any, moves: Any, playing: Any, ruleset: str) -> Marks:
    """Attacks where nothing listens and no aura is: the two hurt each other, and that is all."""
    k = facts(ruleset)
    attacks = playing & (moves >= ATTACK) & (moves < POWER)
    chosen = np.flatnonzero(attacks & (b["watch"] == 0) & (b["auras"] == 0))
    b, a, each = b[chosen], a[chosen], np.arange(len(chosen))
    code, me = moves[chosen] - ATTACK, b["me"].astype(int)
    fore = 8 * me + np.where(code // 8 == 7, 7, b["side"]["row"][each, me, code // 8])
    aft = 8 * (1 - me) + np.where(code % 8 == 7, 7, b["side"]["row"][each, 1 - me, code % 8])
    c, d = b["char"], a["char"]
    pair = np.zeros(c.shape, bool)
    pair[each, fore] = pair[each, aft] = True
    card = np.where(c["keywords"] & Keyword.SILENCED, 0, c["card"])
    plain = (c["keywords"] & TOUCHY == 0) & (k.deathrattle[card] == 0) & (c["extra"][..., 0] == 0)
    calm = (plain | ~pair).all(axis=1)
    calm &= (b["side"]["turn_rules"] == 0).all(axis=1) & (b["side"]["rules"] == 0).all(axis=1)
    calm &= k.deathrattle[b["side"]["weapon"][each, me]] == 0
    hit = np.zeros(c.shape, int)
    weapon = b["side"]["weapon_attack"][each, me] * (b["side"]["weapon"][each, me] > 0)
    armed = np.where(fore % 8 == 7, weapon, 0)
    hit[each, aft] = c["attack"][each, fore] + armed
    hit[each, fore] = np.where(aft % 8 == 7, 0, c["attack"][each, aft])
    hit[c["keywords"] & Keyword.DIVINE_SHIELD != 0] = 0
    armor = np.zeros(c.shape, int)
    armor[:, 7], armor[:, 15] = b["side"]["armor"].T
    left = c["health"] - np.maximum(hit - armor, 0)
    there = (c["card"] > 0) & ((left > 0) | (np.arange(16) % 8 == 7))
    seen = d["card"] > 0
    broken = (seen != there) | (seen & (
        (d["health"] != left) | (d["attack"] != c["attack"]) | (d["uid"] != c["uid"])))
    out = np.zeros(len(moves), bool)
    out[chosen] = calm & broken.any(axis=1)
    unpaid = np.zeros(len(moves), bool)
    unpaid[chosen] = (d["uid"][each, fore] == c["uid"][each, fore]) & (
        d["attacks"][each, fore] != c["attacks"][each, fore] + 1)
    return {"a quiet attack": out, "an attack that does not count": unpaid}


# -- which attacks are legal ----------------------------------------------------------------------


def check_attacks(games: GameBatch, masks: Any) -> None:
    """Raise Broken where the legal attacks (of masks, (n, N_MOVES)) are not those of the rules."""
    g = heads(games)
    each, me = np.arange(len(g)), g["me"].astype(int)
    c, s = g["char"].reshape(-1, 2, 8), g["side"]
    mine, theirs = _in_order(c[each, me], s[each, me]), _in_order(c[each, 1 - me], s[each, 1 - me])
    marks, hero = mine["keywords"] | mine["aura_keywords"], np.arange(8) == 7
    weapon = np.where(s["weapon"] > 0, s["weapon_attack"], 0)[each, me]
    attack = mine["attack"] + np.where(hero, weapon[:, None], 0)
    rested = hero | (marks & Keyword.FRESH == 0) | (marks & Keyword.CHARGE != 0)
    awake = rested | (marks & Keyword.RUSH != 0)
    held = marks & (Keyword.FROZEN | Keyword.CANT_ATTACK)
    held &= np.where(mine["keywords"] & Keyword.CAN_ATTACK_TURN, int(Keyword.FROZEN), -1)
    ready = awake & (attack > 0) & (held == 0)
    often = 1 + (marks & (Keyword.WINDFURY | Keyword.WINDFURY_TURN) != 0)
    often = np.where(marks & Keyword.MEGA_WINDFURY, 4, often)
    ready &= (mine["attacks"] < often) | (marks & Keyword.UNLIMITED != 0)
    seen = theirs["keywords"] | theirs["aura_keywords"]
    open_ = (theirs["card"] > 0) & (seen & (HIDDEN | IMMUNE) == 0)
    guards = open_ & (seen & Keyword.TAUNT != 0) & ~hero
    aims = np.where(guards.any(axis=1)[:, None], guards, open_)
    peaceful = marks & (Keyword.CANT_ATTACK_HEROES | Keyword.NO_HEROES_THIS_TURN) != 0
    peaceful |= ~rested
    legal = ready[:, :, None] & aims[:, None, :] & ~(peaceful[:, :, None] & hero)
    legal &= ((g["pending"] == 0) & (g["result"] == RUNNING))[:, None, None]
    listed = masks[:, ATTACK:POWER].reshape(-1, 8, 8)
    raise_first({"legal attacks": listed != legal,
            "the end of the turn": masks[:, END] != (g["pending"] != 1) & (g["result"] == RUNNING),
            "moves beside choices": masks[:, ATTACK:CHOOSE].any(axis=1) & (g["pending"] != 0)})


def _in_order(c: Any, s: Any) -> Any:
    """Return a side's characters (n, 8) by position: minions from the left, then the hero."""
    places = np.where(_first(s["minions"], 8), s["row"], 8)  # 8: nobody
    empty = np.zeros((len(c), 1), c.dtype)
    places[:, 7] = 7
    return np.concatenate([c, empty], axis=1)[np.arange(len(c))[:, None], places]
