"""A state of the engine as a position that people can read: what config/position.py takes.

    describe(state, ruleset) -> dict for json.dumps

What is as it would be without being said is left out. `placing.place` makes the same state of it,
but for what no later move depends on: which slots of the record minions have, what the last attack
was, and what has been seen of closed deck lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from hsevo.cards.terms import Class, Counter, Keyword
from hsevo.config.position import FORMAT
from hsevo.engine.record.codec import (
    AGAIN,
    BONUS,
    CARD_MASK,
    CHEAPER,
    HERO,
    MAX_BONUS,
    OWNER,
    RATTLE_ONLY,
    SEATS,
)
from hsevo.engine.record.state import MAX_MANA
from hsevo.play import unsaid
from hsevo.play.placing import (
    BORROWED,
    COUNTERS,
    KEYWORDS,
    MOMENTS,
    RULES,
    cards_of,
    lookahead_seed,
)
from hsevo.types import Array

Plain: TypeAlias = dict[str, Any]
MAX_TURNS = 89


def describe(state: Array, ruleset: str) -> Plain:
    """Return a state, STATE (1,), in which a turn is being played, as a position."""
    g, describing = state[0], _Describing(state[0], ruleset)
    turn, me = int(g["turn"]), int(g["me"])
    own = lookahead_seed(int(g["rng"]))
    return {"format": FORMAT, "ruleset": ruleset, "turn": turn} | _but(
        {"player": 0, "max_turns": MAX_TURNS, "seed": 0, "lookahead_seed": own, "ordered": False},
        player=me, max_turns=int(g["max_turns"]), seed=int(g["rng"]),
        lookahead_seed=int(g["lookahead_rng"]), ordered=bool(g["ordered"])) | {
        "next_uid": int(g["next_uid"]), "me": describing.side(me),
        "opponent": describing.side(1 - me)}


def _but(usual: Mapping[str, Any], **found: Any) -> Plain:
    """Return what was found without that which is as usual."""
    return {name: value for name, value in found.items()
            if name not in usual or usual[name] != value}


def short(entry: Plain) -> Any:
    """Return an entry, or its card alone if nothing else is said of it."""
    return entry["card"] if [*entry] == ["card"] else entry


class _Describing:
    """Describes the sides of one state."""

    def __init__(self, g: Any, ruleset: str) -> None:
        self.g, self.ruleset, self.cards = g, ruleset, cards_of(ruleset)

    def side(self, player: int) -> Plain:
        s, hero = self.g["side"][player], self.g["char"][SEATS * player + HERO]
        cls = Class(int(s["cls"]))
        return ({"class": cls.name.lower()} | self._hero(player, s, hero) | self._mana(player, s)
                | self._power(s, hero) | self._cards(player, s) | self._counts(player, s))

    def _hero(self, player: int, s: Any, hero: Any) -> Plain:
        own, whole = self.cards.tables["hero"][int(s["cls"])], self.cards.table[int(hero["card"])]
        return {"health": int(hero["health"])} | _but(
            {"max_health": max(int(whole["health"]), int(hero["health"])), "armor": 0, "attack": 0,
             "attacks": 0, "words": [], "hero": self.cards.word(int(own)),
             "hero_uid": 1 + player, "hero_texts": []},
            max_health=int(hero["max_health"]), armor=int(s["armor"]),
            attack=int(hero["turn_attack"]), attacks=int(hero["attacks"]),
            words=_words(int(hero["keywords"]), KEYWORDS),
            hero=self.cards.word(int(hero["card"])), hero_uid=int(hero["uid"]),
            hero_texts=self._texts(player, hero))

    def _mana(self, player: int, s: Any) -> Plain:
        later = player != int(self.g["me"])
        usual = min((int(self.g["turn"]) + 1 - later) // 2, MAX_MANA)
        crystals, locked = int(s["crystals"]), int(s["locked"])
        return _but({"crystals": usual, "locked": 0, "owed": 0, "mana": crystals - locked},
                    crystals=crystals, mana=int(s["mana"]), locked=locked, owed=int(s["overload"]))

    def _power(self, s: Any, hero: Any) -> Plain:
        own = self.cards.word(unsaid.power(self.ruleset, int(hero["card"]), int(s["cls"])))
        return _but({"power": own, "power_used": 0}, power=self.cards.word(int(s["power"])),
                    power_used=int(s["power_used"]))

    def _cards(self, player: int, s: Any) -> Plain:
        board = [self._minion(player, int(slot)) for slot in s["row"][:int(s["minions"])]]
        hand = [self._held(s, i) for i in range(int(s["n_hand"]))]
        secrets = [{"card": self.cards.word(int(one["card"])), "uid": int(one["uid"])}
                   for one in s["secret"][:int(s["n_secrets"])]]
        deck = [self._in_deck(s, i) for i in reversed(range(int(s["n_deck"])))]
        return _but({"weapon": None, "secrets": []}, weapon=self._weapon(s), secrets=secrets,
                    board=board, hand=hand, deck=deck)

    def _minion(self, player: int, slot: int) -> Plain:
        c = self.g["char"][SEATS * player + slot]
        card = self.cards.table[int(c["card"])]
        silenced = bool(int(c["keywords"]) & Keyword.SILENCED)
        new = unsaid.new_minion(card, self.g["side"][player]["counter"], silenced)
        printed = new.attack + int(c["aura_attack"]) + int(c["turn_attack"])
        whole = new.health + int(c["aura_health"])
        most = int(c["max_health"])
        own, keywords = int(c["keywords"]), new.keywords
        return {"card": self.cards.word(int(c["card"])), **_but(
            {"attack": printed, "health": most, "max_health": whole, "gained": [], "lost": [],
             "attacks": 0, "attack_this_turn": 0, "spell_damage": 0, "texts": [],
             "remembers": None, "borrowed": BORROWED[0]},
            attack=int(c["attack"]), health=int(c["health"]), max_health=most,
            gained=_words(own if silenced else own & ~keywords, KEYWORDS),
            lost=[] if silenced else _words(keywords & ~own, KEYWORDS),
            attacks=int(c["attacks"]), attack_this_turn=int(c["turn_attack"]),
            spell_damage=int(c["spell_damage"]), texts=self._texts(player, c),
            remembers=self._remembered(player, int(c["memory"])),
            borrowed=BORROWED[int(c["borrowed"])]),
            "uid": int(c["uid"])}

    def _texts(self, player: int, c: Any) -> list[Any]:
        return [short({"card": self.cards.word(text & CARD_MASK), **_but(
            {"times": 1, "deathrattle": False, "of": "me"}, times=1 + (text >> AGAIN),
            deathrattle=bool(text & RATTLE_ONLY), of=_whose(player, text >> OWNER & 1))})
            for text in c["extra"].tolist() if text]

    def _remembered(self, player: int, memory: int) -> Any:
        if not memory:
            return None
        return short({"card": self.cards.word(memory >> 1), **_but(
            {"of": "me"}, of=_whose(player, memory & 1))})

    def _held(self, s: Any, i: int) -> Any:
        held = s["hand"][i]
        shifts = bool(self.cards.table[int(held["card"])]["shifts"])
        return short({"card": self.cards.word(int(held["card"])), **_but(
            {"bonus": [0, 0], "discount": 0, "shifting": shifts},
            bonus=[int(held["attack"]), int(held["health"])], discount=-int(held["cost"]),
            shifting=bool(int(s["shifting"]) >> i & 1))})

    def _in_deck(self, s: Any, i: int) -> Any:
        entry = int(s["deck"][i])
        return short({"card": self.cards.word(entry & CARD_MASK), **_but(
            {"bonus": 0, "discount": 0, "unseen": False}, bonus=entry >> BONUS & MAX_BONUS,
            discount=entry >> CHEAPER, unseen=bool(int(s["unseen"]) >> i & 1))})

    def _weapon(self, s: Any) -> Plain | None:
        if not s["weapon"]:
            return None
        card = self.cards.table[int(s["weapon"])]
        return {"card": self.cards.word(int(s["weapon"])), **_but(
            {"attack": int(card["attack"]) + int(s["weapon_aura"]),
             "durability": int(card["health"])},
            attack=int(s["weapon_attack"]), durability=int(s["durability"])),
            "uid": int(s["weapon_uid"])}

    def _counts(self, player: int, s: Any) -> Plain:
        dead = [grave & CARD_MASK for grave in s["dead"][:int(s["n_graves"])].tolist()
                for _ in range(1 + (grave >> BONUS))]
        died = [self.cards.word(card) for card in dead]
        counters = {word: int(s["counter"][k]) for word, k in COUNTERS.items()
                    if s["counter"][k] != (s["power_used"] if k == Counter.POWERS_USED else 0)}
        board = [int(self.g["char"][SEATS * player + int(slot)]["card"])
                 for slot in s["row"][:int(s["minions"])]]
        later = [short({"card": self.cards.word(entry & CARD_MASK), **_but(
            {"when": "own turn end"}, when=_words(entry >> BONUS, MOMENTS, exact=True)[0])})
            for entry in s["later"][:int(s["n_later"])].tolist()]
        usual = {"fatigue": 0, "jade": unsaid.jade(self.ruleset, board + dead), "played": 0,
                 "minions_played": 0, "died": [], "died_this_turn": 0, "counters": {}, "rules": [],
                 "later": []}
        return _but(usual, fatigue=int(s["fatigue"]), jade=int(s["jade"]), totems=int(s["totems"]),
                    played=int(s["played"]), minions_played=int(s["minions_played"]), died=died,
                    died_this_turn=int(s["counter"][Counter.MINIONS_DIED]), counters=counters,
                    rules=_words(int(s["turn_rules"]), RULES), later=later)


def _whose(player: int, owner: int) -> str:
    return "me" if owner == player else "opponent"


def _words(bits: int, known: Mapping[str, int], exact: bool = False) -> list[str]:
    """Return the words for some bits; exact: for a value."""
    return [word for word, bit in known.items() if (bits == bit if exact else bits & bit)]

