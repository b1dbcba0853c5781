"""What auras give and cards cost, counted anew: by the engine on a copy, and from the cards' words.

The counts from words are plain Python, and slow: for a sample of positions.
"""

from typing import Any

import numpy as np

from hsevo.agents.shared.agent import AGENT
from hsevo.cards.tables import cards, find_ruleset, ids, tables
from hsevo.cards.terms import CostRule, Counter, If, Is, Keyword, Kind, Race, Rule, Selector
from hsevo.cards.vocabulary.model import Aura, Card, Filter
from hsevo.engine.game.moves import MOST_PLAYS
from hsevo.engine.record.codec import CHOOSE, PLAY
from hsevo.engine.record.state import BOARD, GAME, RUNNING, STATE
from hsevo.play.games import GameBatch
from tests.support.invariants import NAMES, Broken, heads, raise_first
from tests.support.random_games import batch_of
from tests.support.state_entry import SETTLE, drive

FOR_HEALTH = int(Rule.NEXT_SPELL_FOR_HEALTH | Rule.NEXT_MURLOC_FOR_HEALTH)  # costs no mana


def at_work(states: Any) -> Any:
    """Return copies of states (n,) as working records, GAME (n,)."""
    games = np.zeros(len(states), GAME)
    raw = games.view(np.uint8).reshape(len(games), GAME.itemsize)
    raw[:, :STATE.itemsize] = np.ascontiguousarray(states).view(np.uint8).reshape(len(games), -1)
    return games.view(np.recarray)


def check_recount(games: GameBatch) -> None:
    """Raise Broken where the engine, counting auras anew on a copy, comes to something else."""
    g = heads(games)
    live = np.flatnonzero((g["pending"] == 0) & (g["result"] == RUNNING))
    if not len(live):
        return
    nobody, nothing = np.zeros(0, AGENT).view(np.recarray), np.zeros(0, np.int64)
    anew = at_work(games.states[live])
    drive(anew, tables(games.ruleset), nobody, nothing, SETTLE)
    b, a = g[live], heads(batch_of(anew, games.ruleset))
    bad = np.zeros(len(g), bool)
    b["side"]["hand_watch"] = a["side"]["hand_watch"]
    for name in set(NAMES) - {"watch"}:  # listeners that have gone may still be noted there
        bad[live] |= (b[name] != a[name]).reshape(len(live), -1).any(axis=1)
    raise_first({"auras counted anew": bad})


def check_auras(games: GameBatch) -> None:
    """Raise Broken where what auras give is not what the cards' own data say; slow."""
    known, names = cards(games.ruleset), ids(games.ruleset)
    for i, g in enumerate(heads(games)):
        if g["pending"] == 0 and g["result"] == RUNNING and given(g, known, names) != has(g):
            raise Broken("what auras give", i)


Given = dict[int, tuple[int, int, int]]  # ref -> attack, health, keywords; -1 - side: the weapon


def has(g: Any) -> Given:
    """Return what characters and weapons of a position have from auras."""
    found = {ref: (int(c["aura_attack"]), int(c["aura_health"]), int(c["aura_keywords"]))
             for ref, c in enumerate(g["char"]) if c["card"] > 0}
    found |= {-1 - side: (int(s["weapon_aura"]), 0, 0) for side, s in enumerate(g["side"])}
    return {ref: what for ref, what in found.items() if any(what)}


def given(g: Any, known: Any, names: Any) -> Given:
    """Return what the cards in play say that they should have."""
    sums: dict[int, list[int]] = {}
    follows = []
    for side, ref, aura in _sources(g, known, names):
        if not _holds(g, known, names, aura, side, ref):
            continue
        for to in _whom(g, known, names, aura, side, ref):
            attack, health, keywords = sums.setdefault(to, [0, 0, 0])
            times = _others(g, known, names, aura.each) if aura.each else 1
            # an attack that was set gets none for damage
            if aura.when.test is If.DAMAGED and to >= 0:
                times *= not g["char"][to]["keywords"] & Keyword.CALMED
            sums[to] = [attack + aura.attack * times, health + aura.health,
                        keywords | aura.keywords]
            follows += [to] if aura.follow else []
    for ref in follows:
        c = g["char"][ref]
        sums[ref][0] = int(c["health"]) - (int(c["attack"]) - int(c["aura_attack"]))
    return {ref: tuple(what) for ref, what in sums.items() if any(what)}  # type: ignore[misc]


def _sources(g: Any, known: Any, names: Any) -> list[tuple[int, int, Aura]]:
    found = []
    for side, s in enumerate(g["side"]):
        for slot in s["row"][:s["minions"]]:
            c = g["char"][8 * side + slot]
            if not c["keywords"] & Keyword.SILENCED:
                found += [(side, 8 * side + int(slot), a) for a in known[names[c["card"]]].auras]
        if s["weapon"]:
            found += [(side, -1, aura) for aura in known[names[s["weapon"]]].auras]
    return found


def _holds(g: Any, known: Any, names: Any, aura: Aura, side: int, ref: int) -> bool:
    s, c = g["side"][side], g["char"][ref]
    return {
        If.ALWAYS: True,
        If.DAMAGED: ref >= 0 and c["health"] < c["max_health"],
        If.HAVE_WEAPON: s["weapon"] > 0,
        If.SPELL_DAMAGE: s["spell_damage"] > 0,
        If.MY_TURN: g["me"] == side,
        If.ENEMY_TURN: g["me"] != side,
        If.FIRST_MINION: s["minions_played"] == 0,
        If.ENEMY_CARDS_AT_LEAST: g["side"][1 - side]["n_hand"] >= int(aura.when.arg),
        If.HERO_IDLE: g["me"] != side or g["char"][8 * side + 7]["attacks"] == 0,
        If.OTHERS_IN_PLAY: g["side"]["minions"].sum() > (ref >= 0),
        If.OTHER_RACE: _race(g, known, names, side, aura.when.arg) > (
            ref >= 0 and known[names[c["card"]]].race in (aura.when.arg, Race.ALL)),
        If.FIRST_CARD: g["side"][g["me"]]["played"] == 0,
        If.OWN_ATTACK_AT_LEAST: ref >= 0 and c["attack"] >= aura.when.arg,
    }[aura.when.test]


def _race(g: Any, known: Any, names: Any, side: int, race: int | str) -> int:
    """Return how many minions of a race a player has."""
    s = g["side"][side]
    return sum(known[names[g["char"][8 * side + slot]["card"]]].race in (race, Race.ALL)
               for slot in s["row"][:s["minions"]])


def _whom(g: Any, known: Any, names: Any, aura: Aura, side: int, ref: int) -> list[int]:
    rows = [[8 * p + int(slot) for slot in s["row"][:s["minions"]]]
            for p, s in enumerate(g["side"])]
    mine, whom = rows[side], aura.who.selector
    place = mine.index(ref) if ref in mine else 0
    others = [to for to in mine if to != ref]
    everyone = {
        Selector.NOBODY: [],
        Selector.SELF: [ref],
        Selector.MY_HERO: [8 * side + 7],
        Selector.MY_WEAPON: [-1 - side],
        Selector.ADJACENT: mine[max(place - 1, 0):place] + mine[place + 1:place + 2],
        Selector.MY_MINIONS: mine,
        Selector.MY_OTHER_MINIONS: others,
        Selector.ALL_OTHER_MINIONS: [to for to in rows[0] + rows[1] if to != ref],
    }[whom]
    test = aura.who.filter
    return [to for to in everyone if to < 0 or (
        _passes(g["char"][to], known, names, test))]


def _passes(c: Any, known: Any, names: Any, test: Filter) -> bool:
    card = known[names[c["card"]]]
    return {
        Is.ANYTHING: True,
        Is.RACE: card.race in (test.arg, Race.ALL),
        Is.CARD: card.id == test.arg,
        Is.KEYWORD: test.test is Is.KEYWORD and bool(
            (c["keywords"] | c["aura_keywords"]) & int(test.arg)),
    }[test.test]


def _others(g: Any, known: Any, names: Any, race: Race) -> int:
    """Return how many minions of a race there are beside the one that asks, of that race too."""
    return sum(known[names[card]].race in (race, Race.ALL)
               for card in g["char"]["card"] if card) - 1


# -- costs ----------------------------------------------------------------------------------------


def check_costs(games: GameBatch, masks: Any) -> None:
    """Raise Broken where a card in hand can be played that costs too much, or a minion can't be."""
    known, names = cards(games.ruleset), ids(games.ruleset)
    own_first = find_ruleset(games.ruleset).own_cost_first
    for i, g in enumerate(heads(games)):
        if g["pending"] != 0 or g["result"] != RUNNING:
            continue
        s = g["side"][g["me"]]
        plays = masks[i, PLAY:CHOOSE].reshape(10, -1).any(axis=1)
        for k in range(s["n_hand"]):
            card = known[names[s["hand"]["card"][k]]]
            if s["turn_rules"] & FOR_HEALTH:
                continue
            enough = cost(g, known, names, k, own_first) <= s["mana"]
            if plays[k] and not enough:
                raise Broken("a card for less than it costs", i)
            room = s["minions"] < BOARD and s["played"] + s["power_used"] < MOST_PLAYS
            if enough and card.kind is Kind.MINION and room and not plays[k]:
                raise Broken("a minion that can't be played", i)


def cost(g: Any, known: Any, names: Any, k: int, own_first: bool) -> int:
    """Return what card k in the hand of the player to move costs."""
    me = int(g["me"])
    s, o = g["side"][me], g["side"][1 - me]
    card, hero = known[names[s["hand"]["card"][k]]], g["char"][8 * me + 7]
    less = {
        CostRule.NONE: 0,
        CostRule.WEAPON_ATTACK: int(s["weapon_attack"]) if s["weapon"] else 0,
        CostRule.TOTEMS: int(s["totems"]),
        CostRule.HAND: int(s["n_hand"]) - 1,
        CostRule.ALL_MINIONS: int(s["minions"]) + int(o["minions"]),
        CostRule.HERO_DAMAGE: int(hero["max_health"]) - int(hero["health"]),
        CostRule.ENEMY_HAND: int(o["n_hand"]),
        CostRule.MINIONS_DIED: int(g["side"]["counter"][:, Counter.MINIONS_DIED].sum()),
        CostRule.SPELLS_CAST: int(s["counter"][Counter.SPELLS_CAST]),
        CostRule.POWERS_USED: int(s["counter"][Counter.POWERS_USED]),
        CostRule.SECRETS_PLAYED: 2 * int(s["counter"][Counter.SECRETS_PLAYED]),
        CostRule.CROWD: 2 * int(o["minions"] >= 3),
        CostRule.DAMAGED_MINION: 4 * any(
            c["health"] < c["max_health"] for c in (
                g["char"][8 * me + slot] for slot in s["row"][:s["minions"]])),
        CostRule.PIRATES: _race(g, known, names, me, Race.PIRATE),
        CostRule.MURLOCS: _race(g, known, names, me, Race.MURLOC),
        CostRule.DEATH_THIS_TURN: 3 * bool(g["side"]["counter"][:, Counter.MINIONS_DIED].any()),
        CostRule.FOREIGN_CARDS: int(s["counter"][Counter.FOREIGN_CARDS]),
    }[card.cost_rule]
    printed, more = card.cost - less * own_first, int(s["hand"]["cost"][k])
    less *= not own_first
    more -= int(s["counter"][Counter.NEXT_DRAGON_CHEAPER]) * (card.race in (Race.DRAGON, Race.ALL))
    for side, ref, aura in _sources(g, known, names):
        changes = (aura.cost or aura.price >= 0) and ref >= 0
        concerns = changes and (side == me or aura.theirs) and _is(card, aura.who.filter)
        if concerns and _holds(g, known, names, aura, side, ref):
            if aura.price >= 0:
                printed = aura.price
            elif not aura.least:
                more += aura.cost
            elif printed > aura.least:
                printed = max(printed + aura.cost, aura.least)
    dearer = int(s["counter"][Counter.SPELLS_DEARER])
    return max(_ruled(card, int(s["turn_rules"]), printed + more - less, dearer), 0)


def _ruled(card: Card, rules: int, n: int, dearer: int) -> int:
    """Return what a card of some cost costs under the rules of this turn."""
    if card.kind is not Kind.SPELL:
        return n
    free = Rule.SPELLS_FREE | Rule.NEXT_SPELL_FREE
    if rules & free or (card.secret and rules & Rule.NEXT_SECRET_FREE):
        return 0
    n += dearer if rules & Rule.SPELLS_DEARER else 0
    return n - 3 if rules & Rule.NEXT_SPELL_CHEAPER else n


def _is(card: Card, test: Filter) -> bool:
    return {Is.KIND: card.kind == test.arg, Is.SECRET: card.secret,
            Is.RACE: card.race in (test.arg, Race.ALL),
            Is.BATTLECRY: card.kind is Kind.MINION and bool(card.play),
            Is.ANYTHING: True}[test.test]
