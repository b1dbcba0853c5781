"""Positions of the truth files <-> game records: load, list moves, play, read back.

A position (`init`) names cards by id, counts players 0 (to move) and 1, and minions from the left.
A state (`before`, `outcomes`) is what can be seen of a game. Formats: tests/data/README.md.
"""

from __future__ import annotations

import csv
import functools
import json
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from hsevo.agents.shared.agent import eva
from hsevo.agents.shared.scratch import DECISION
from hsevo.cards.ops import Op
from hsevo.cards.tables import cards, ids, index, tables
from hsevo.cards.terms import Counter as Counts
from hsevo.cards.terms import Keyword, Kind, Noted, Rule
from hsevo.config.position import PositionFile
from hsevo.engine.jit import INTERPRETED
from hsevo.engine.record.codec import (
    BONUS,
    BOTH_OPTIONS,
    CARD_MASK,
    CHEAPER,
    CHOOSE,
    END,
    MAX_BONUS,
    N_MOVES,
    POWER,
    MoveParts,
    decode,
    encode,
)
from hsevo.engine.record.codec import Action as Made
from hsevo.engine.record.state import DRAW, GAME, LEAKY, PREFIX, STATE, WIN_0, WIN_1, Phase
from hsevo.play.placing import place
from tests.support.state_compare import ANY
from tests.support.state_entry import (
    COSTS,
    DECIDE,
    LIST,
    MOVE,
    PLACES,
    READY,
    SCORE,
    SHOW,
    STRENGTHS,
    drive,
    enter,
)

State = dict[str, Any]
Action = dict[str, Any]
Game = Any  # an array (1,) of GAME

NO_WEIGHTS = np.zeros((1, 21))
MANY_TURNS = 10_000
JADE = 30  # the largest golem
CTHUN = "OG_280"

KEYWORDS = {
    "taunt": Keyword.TAUNT,
    "charge": Keyword.CHARGE,
    "divine_shield": Keyword.DIVINE_SHIELD,
    "windfury": Keyword.WINDFURY | Keyword.WINDFURY_TURN,
    "stealth": Keyword.STEALTH | Keyword.STEALTH_TURN,
    "poisonous": Keyword.POISONOUS,
    "immune": Keyword.IMMUNE | Keyword.IMMUNE_THIS_TURN,
    "cant_attack": Keyword.CANT_ATTACK,
    "elusive": Keyword.ELUSIVE,
    "deathrattle": Keyword.DEATHRATTLE,
    "inspire": Keyword.INSPIRE,
    "frozen": Keyword.FROZEN,
    "silenced": Keyword.SILENCED,
}
# The files of 2019 say these, too.
KEYWORDS_OF_2019 = {
    **KEYWORDS,
    "lifesteal": Keyword.LIFESTEAL,
    "rush": Keyword.RUSH,
    "mega_windfury": Keyword.MEGA_WINDFURY,
    "dormant": Keyword.DORMANT,
}
LOST = {"divine shield": "no_shield", "stealth": "no_stealth"}
# Members of enumerations, which a class takes longer to find than a module its numbers.
MINION, SPELL, LAST_WORDS = int(Kind.MINION), int(Kind.SPELL), int(Keyword.DEATHRATTLE)
GROWN, MINION_SIZE = int(Noted.GROWN), int(Counts.MINION_SIZE)
CTHUN_ATTACK, CTHUN_HEALTH = int(Counts.CTHUN_ATTACK), int(Counts.CTHUN_HEALTH)
FIRST_UID = 3  # after the heroes
STREAMS = 16  # bytes of a game: its random streams come first
RESULTS = {WIN_0: ["WON", "LOST"], WIN_1: ["LOST", "WON"], DRAW: ["TIED", "TIED"]}


SKIN, PLAIN = b"AT_132_ROGUEt_H1", b"AT_132_ROGUEt"  # one dagger, with another hero's picture


def read(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a .jsonl or .jsonl.xz file."""
    path = Path(path)
    with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
        for line in file:
            yield json.loads(line.replace(SKIN, PLAIN))


def exceptions(path: Path) -> set[str]:
    """Return the places ("id", "id step", ...) that an exceptions file excuses, each a reason."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if not row["reason"]:
            raise ValueError(f"{path.name}: {row['id']} has no reason")
    return {" ".join(filter(None, (row["id"], row["step"]))) for row in rows}


NAMES_CARDS = {"id", "card", "power", "deck", "hand", "secrets", "dead", "options"}


def cards_in(tree: Any, key: str = "") -> set[str]:
    """Return every card id that stands in a position, state or action."""
    found: set[str] = set()
    _add_cards(tree, key, found)
    return found


def _add_cards(tree: Any, key: str, found: set[str]) -> None:
    if isinstance(tree, dict):
        for name, value in tree.items():
            if isinstance(value, dict | list) or name in NAMES_CARDS:  # few of many thousands
                _add_cards(value, name, found)
    elif isinstance(tree, list):
        for value in tree:
            if isinstance(value, dict | list | str):
                _add_cards(value, key, found)
    elif key in NAMES_CARDS and isinstance(tree, str) and tree != ANY:
        found.add(tree)


def position_data(init: dict[str, Any]) -> dict[str, Any]:
    """Return a position of a truth file as data of `hsevo.Position`."""
    init = _without_dormant(init)
    sides = [_side_data(player) for player in init["players"]]
    first = FIRST_UID + sum(len(side["secrets"]) + ("weapon" in side) for side in sides)
    for uid, (side, at) in enumerate(init["order"], first):
        sides[side]["board"][at]["uid"] = uid
    return {"turn": init["turn"], "max_turns": MANY_TURNS, "ordered": True, "me": sides[0],
            "opponent": sides[1]}


@functools.cache
def _dormant() -> frozenset[str]:
    """Return the cards that lie on the board as no minions."""
    return frozenset(id for id, card in cards("rise2019").items() if card.dormant)


def _without_dormant(init: dict[str, Any]) -> dict[str, Any]:
    """Return a position of a truth file with the dormant cards of its boards in a list."""
    if _dormant().isdisjoint(m["id"] for player in init["players"] for m in player["board"]):
        return init
    players, order = [], []
    for player in init["players"]:
        board = player["board"]
        players.append(player | {
            "dormant": [m["id"] for m in board if m["id"] in _dormant()],
            "board": [m for m in board if m["id"] not in _dormant()]})
    for side, at in init["order"]:
        board = init["players"][side]["board"]
        if board[at]["id"] not in _dormant():
            before = sum(m["id"] in _dormant() for m in board[:at])
            order.append([side, at - before])
    return init | {"players": players, "order": order}


def _side_data(player: dict[str, Any]) -> dict[str, Any]:
    """Return a player of a truth file as a side of a position."""
    spent = player["mana_used"] + player["overload_locked"]
    attack, health = player.get("cthun") or (0, 0)
    hand: list[dict[str, Any]] = [{"card": id} for id in player["hand"]]
    for at, bonus, cost in player.get("hand_mods") or ():
        hand[at] |= {"bonus": bonus, "discount": -cost}
    for at in player.get("not_from_deck") or ():
        hand[at]["made"] = True
    for at, spells in enumerate(player.get("taught") or ()):
        hand[at]["taught"] = spells
    weapon, power = player["weapon"], player.get("power")
    return {
        "class": player["class"], "health": player["hp"], "armor": player["armor"],
        "max_health": player.get("hero_max_hp", 30), "attack": player.get("hero_temp_atk", 0),
        "attacks": player["hero_attacks"],
        "words": ["frozen"] if player.get("hero_frozen") else [],
        "crystals": player["mana_max"], "locked": player["overload_locked"],
        "mana": max(player["mana_max"] + player.get("mana_temp", 0) - spent, 0),
        "owed": player["overload_next"], "fatigue": player["fatigue"],
        "jade": player["jade"] - 1, "played": player["cards_played"],
        "totems": player["totems"], "power_used": int(player["power_used"]),
        "secrets": player["secrets"], "hand": hand, "deck": player["deck"],
        "board": [_minion_data(one) for one in player["board"]],
        "opening_hand": player.get("opening_hand", ()),
        "died": player.get("dead", ()), "died_this_turn": player.get("dead_this_turn", 0),
        # The files don't say how often a hero power was used in the game; their costs count none.
        "counters": {"cthun attack": attack, "cthun health": health, "powers used": 0,
                     "spells cast": player.get("spells_cast", 0),
                     "elementals played": player.get("elementals_last_turn", 0)},
        "dormant": player.get("dormant", ()),
        **_quest_data(player.get("quest")),
        **({"hero": player["hero"]} if player.get("hero") else {}),
        **({"power": power} if power else {}),
        **({"weapon": _weapon_data(weapon)} if weapon else {})}


TIMES = ("played once", "played twice", "played three times", "played four times")


def _quest_data(quest: dict[str, Any] | None) -> dict[str, Any]:
    if not quest:
        return {}
    return {"quest": {"card": quest["id"], "progress": quest["progress"]},
            "later": [{"card": id, "when": TIMES[n - 1]}
                      for id, n in quest.get("names", {}).items()]}


def _weapon_data(weapon: dict[str, Any]) -> dict[str, Any]:
    attack, durability = weapon.get("buff", (0, 0))
    return {"card": weapon["id"], "bonus": (attack, durability - weapon["used"])}


def _minion_data(minion: dict[str, Any]) -> dict[str, Any]:
    gained = [word for word in ("silenced", "asleep", "frozen") if minion.get(word)]
    lost = [word for word, key in LOST.items() if minion.get(key)]
    return {"card": minion["id"], "bonus": minion.get("buff", (0, 0)), "gained": gained,
            "lost": [] if "silenced" in gained else lost, "damage": minion.get("damage", 0),
            "attacks": minion.get("attacks_used", 0)}


class World:
    """A ruleset's cards, by number and by id, and what can be done to games under it."""

    def __init__(self, ruleset: str = "cig2018") -> None:
        self.ruleset, self.tables = ruleset, tables(ruleset)
        self.cards = cards(ruleset)
        self.number, self.id = index(ruleset), ids(ruleset)
        self.card = np.asarray(self.tables["card"])
        self.keywords = KEYWORDS_OF_2019 if ruleset == "rise2019" else KEYWORDS
        self.last_words = {n for n, k in enumerate(self.card["deathrattle"]) if k}
        self.marks = [(name, int(keyword)) for name, keyword in self.keywords.items()]
        # Printed facts as lists of Python's own numbers, of which millions are read.
        self.kinds, self.costs = self.card["kind"].tolist(), self.card["cost"].tolist()
        self.attacks, self.healths = self.card["attack"].tolist(), self.card["health"].tolist()
        self.noted = self.card["noted"].tolist()

    def unknown(self, tree: Any) -> set[str]:
        """Return the cards of a position or state that hsevo has not."""
        return cards_in(tree) - self.number.keys()

    def drive(self, games: Any, job: int, moves: Any = (0,), weights: Any = NO_WEIGHTS) -> float:
        """Do a job on games.

        Fields as attributes, which only the interpreted engine needs, take longer than many a job.
        """
        numbers, agents = np.ascontiguousarray(moves, np.int64), eva(weights)
        agents["sight"] = LEAKY
        if INTERPRETED:
            return drive(games.view(np.recarray), self.tables, agents.view(np.recarray), numbers,
                         job)
        return float(enter(games, self.tables, agents, np.zeros(1, DECISION), numbers, job))

    # -- loading ----------------------------------------------------------------------------

    def load(self, init: dict[str, Any]) -> Game:
        """Return the game of a position, decks in their given order."""
        file = PositionFile.model_validate(position_data(init)).model_copy(
            update={"ruleset": self.ruleset})  # also one that hsevo does not have
        hands, decks = zip(*((side.hand, side.deck) for side in (file.me, file.opponent)),
                           strict=True)
        state, games = place(file, hands, decks), np.zeros(1, GAME)
        for name in {*(STATE.names or ())} - {"stack"}:  # nothing is put off
            games[name] = state[name]
        games["rng"] = games["lookahead_rng"] = 0
        return games

    def new_uid(self, g: Any) -> int:
        g["next_uid"] += 1
        return int(g["next_uid"]) - 1

    def set_deck(self, s: Any, names: list[str]) -> None:
        """Give a player a deck, the next draw first."""
        deck = [self.number[id] for id in reversed(names)]  # the last is drawn next
        s["deck"][: len(deck)], s["n_deck"] = deck, len(deck)
        s["deck_watch"] = np.bitwise_or.reduce(self.card["deck_watch"][deck]) if deck else 0

    def set_weapon(self, g: Any, s: Any, weapon: dict[str, Any]) -> None:
        number = self.number[weapon["id"]]
        attack, durability = weapon.get("buff", (0, 0))
        s["weapon"], s["weapon_uid"] = number, self.new_uid(g)
        s["weapon_attack"] = self.card[number]["attack"] + attack
        s["durability"] = self.card[number]["health"] + durability - weapon["used"]

    def new_minion(self, g: Any, side: int, place: int, minion: dict[str, Any]) -> None:
        s, c, number = g["side"][side], g["char"][8 * side + place], self.number[minion["id"]]
        attack, health = minion.get("buff", (0, 0))
        keywords = int(self.card[number]["keywords"])
        if minion.get("no_shield"):
            keywords &= ~Keyword.DIVINE_SHIELD
        if minion.get("no_stealth"):
            keywords &= ~Keyword.STEALTH
        if minion.get("silenced"):
            keywords = int(Keyword.SILENCED)
        keywords |= Keyword.FRESH if minion.get("asleep") else 0
        keywords |= Keyword.FROZEN if minion.get("frozen") else 0
        c["card"], c["uid"], c["keywords"] = number, self.new_uid(g), keywords
        c["attack"] = self.card[number]["attack"] + attack
        c["health"] = c["max_health"] = self.card[number]["health"] + health
        c["attacks"] = minion.get("attacks_used", 0)
        s["row"][place], s["minions"] = place, s["minions"] + 1

    # -- reading back -----------------------------------------------------------------------

    def state(self, game: Game) -> State:
        """Return what can be seen of a game, as the truth files have it."""
        g = game[0]
        self.drive(game, SHOW)
        state = {"turn_player": int(g["me"]), "players": [self._player(g, 0), self._player(g, 1)]}
        if g["result"]:
            state["result"] = RESULTS[int(g["result"])]
        if g["fault"]:
            state["fault"] = int(g["fault"])
        if g["pending"] == Phase.CHOICE:
            options = sorted(self.id[n] for n in g["choice"][: g["n_choices"]])
            state["choice"] = {"player": int(g["chooser"]), "options": options}
        return state

    def _player(self, g: Any, side: int) -> State:
        s = g["side"][side]
        costs = g["moves"][COSTS + 10 * side :][: s["n_hand"]]
        names = ("crystals", "max"), ("mana", "avail"), ("locked", "locked")
        return {
            "hero": self._hero(g, side),
            "power": {"id": self.id[s["power"]], "used": self._is_used(s)},
            "weapon": self._weapon(s),
            "mana": {key: int(s[name]) for name, key in (*names, ("overload", "overload_next"))},
            "board": [self._minion(g, 8 * side + slot) for slot in s["row"][: s["minions"]]]
            + self._dormant(g, side),
            "hand": [self._held(s, i, cost) for i, cost in enumerate(costs)],
            "deck": [self.id[n & CARD_MASK] for n in s["deck"][: s["n_deck"]][::-1].tolist()],
            **self._changes(s),
            "secrets": [self.id[n] for n in s["secret"]["card"][: s["n_secrets"]]],
            **self._quest(s),
            "fatigue": int(s["fatigue"]),
            "jade": min(int(s["jade"]) + 1, JADE),
            "spellpower": int(s["spell_damage"] + s["counter"][Counts.NEXT_SPELL_DAMAGE]),
        }

    def _is_used(self, s: Any) -> bool:
        """Tell whether the hero power is used up; one that always can be used counts, too."""
        disabled = bool(s["rules"] & Rule.NO_POWERS)
        return disabled or bool(s["power_used"] > (1 if s["rules"] & Rule.POWER_TWICE else 0))

    def _changes(self, s: Any) -> State:
        """Return what is not as printed in a deck, and of C'Thun."""
        found: State = {}
        deck = s["deck"][: s["n_deck"]][::-1].tolist()
        free, priced, leveled = int(s["free"]), int(s["priced"]), int(s["leveled"])
        size = int(s["counter"][MINION_SIZE])
        last = len(deck) - 1
        mods = [[i, self._mod(n, free >> last - i & 1, leveled >> last - i & 1, size)
                 | ({"cost": 1} if priced >> last - i & 1 and self.costs[n & CARD_MASK] != 1
                    else {})]
                for i, n in enumerate(deck)]
        if mods := [mod for mod in mods if mod[1]]:
            found["deck_mods"] = mods
        attack, health, taunt = s["counter"][CTHUN_ATTACK:][:3].tolist()
        if attack or health or taunt:
            found["cthun"] = [6 + attack, 6 + health, *([1] if taunt else [])]
        return found

    def _mod(self, entry: int, free: int, level: int, size: int) -> State:
        """Return what is not as printed of a card in a deck; size: of all minions, or 0."""
        card, n = entry & CARD_MASK, entry >> BONUS & MAX_BONUS
        cost, less = self.costs[card], entry >> CHEAPER
        if free:
            less = cost
        if not (n or less or size or level):
            return {}
        attack, health = self.attacks[card], self.healths[card]
        if minion := self.kinds[card] == MINION:
            now = (size or attack, size or health)
        else:
            now = (attack, 0)
        if level:
            now = (now[1], now[1])
        mod = {"atk": now[0] + n} if now[0] + n != attack else {}
        mod |= {"hp": now[1] + n} if minion and now[1] + n != health else {}
        return mod | ({"cost": max(cost - less, 0)} if less else {})

    def _held(self, s: Any, place: int, cost: int) -> State:
        """Return a card in hand; attack and health (durability) only where not as printed."""
        card, _, attack, health, _ = s["hand"][place].item()
        state, kind = {"id": self.id[card], "cost": int(cost)}, self.kinds[card]
        if kind == SPELL:  # what it counts in hand
            counts = attack and not self.noted[card] & GROWN
            return state | ({"progress": attack} if counts else {})
        if state["id"] == CTHUN:
            attack += int(s["counter"][CTHUN_ATTACK])
            health += int(s["counter"][CTHUN_HEALTH])
        size = int(s["counter"][MINION_SIZE]) if kind == MINION else 0
        for key, printed, more in (("atk", self.attacks[card], attack),
                                   ("hp", self.healths[card], health)):
            more += size - printed if size else 0
            if more:
                state[key] = printed + more
        return state

    def _weapon(self, s: Any) -> State | None:
        if not s["weapon"]:
            return None
        attack, durability = int(s["weapon_attack"]), int(s["durability"])
        return {"id": self.id[s["weapon"]], "atk": attack, "dur": durability}

    def _quest(self, s: Any) -> State:
        if not s["quest"]:
            return {}
        return {"quest": {"id": self.id[s["quest"]],
                          "progress": int(s["counter"][Counts.QUEST_PROGRESS]),
                          "total": int(self.card[s["quest"]]["goal"])}}

    def _dormant(self, g: Any, side: int) -> list[State]:
        cards = g["char"]["card"][8 * side :][:7] if g["side"][side]["dormant"] else ()
        return [{"id": self.id[n], "atk": ANY, "hp": ANY, "max_hp": ANY, "kw": ["dormant"],
                 "can_attack": False} for n in cards if self.card[n]["dormant"]]

    def _hero(self, g: Any, side: int) -> State:
        ref = 8 * side + 7
        hero, marks = g["char"][ref], self._marks(g["char"][ref])
        return {
            "id": self.id[hero["card"]],
            "hp": int(hero["health"]),
            "max_hp": int(hero["max_health"]),
            "armor": int(g["side"][side]["armor"]),
            "atk": int(g["moves"][STRENGTHS + ref]),
            "frozen": "frozen" in marks,
            "immune": "immune" in marks,
            "can_attack": bool(g["moves"][READY + ref]),
        }

    def _minion(self, g: Any, ref: int) -> State:
        c = g["char"][ref]
        return {
            "id": self.id[c["card"]],
            "atk": int(g["moves"][STRENGTHS + ref]),
            "hp": int(c["health"]),
            "max_hp": int(c["max_health"]),
            "kw": self._marks(c),
            "can_attack": bool(g["moves"][READY + ref]),
        }

    def _marks(self, c: Any) -> list[str]:
        bits = int(c["keywords"]) | int(c["aura_keywords"])
        if not self.last_words.isdisjoint((c["extra"] & CARD_MASK).tolist()):
            bits |= LAST_WORDS
        return [name for name, keyword in self.marks if bits & keyword]

    # -- moves ------------------------------------------------------------------------------

    def moves(self, game: Game, all_places: bool = False) -> list[tuple[int, Action]]:
        """Return the legal moves, in the engine's order, as numbers and as actions."""
        self.drive(game, PLACES if all_places else LIST)
        g = game[0]
        moves = [(int(m), self._action(g, int(m))) for m in g["moves"][: g["n_moves"]]]
        if all_places:
            return moves
        return [one for move in moves for one in self._with_options(g, *move)]

    def _with_options(self, g: Any, move: int, action: Action) -> list[tuple[int, Action]]:
        """Return a use of a hero power with Choose One as an action for each of its options."""
        if action["t"] != "power" or not self._offers(int(g["side"][g["me"]]["power"])):
            return [(move, action)]
        return [(N_MOVES + k, action | {"choose": k}) for k in range(2)]

    def _offers(self, power: int) -> bool:
        return any(row.op is Op.OFFER_OPTIONS for row in self.cards[self.id[power]].play)

    def _action(self, g: Any, move: int) -> Action:
        """Return a move as the truth files have it; `pos` for minions, `choose` for options."""
        me = int(g["me"])
        made = decode(move)
        if made.action is Made.CHOOSE:
            return {"t": "choose", "k": made.choice, "card": self.id[g["choice"][made.choice]]}
        if made.action is Made.PLAY:
            return self._play(g, made)
        if made.action is Made.POWER:
            return {"t": "power", **_aimed(me, made.target)}
        if made.action is Made.ATTACK:
            return {"t": "attack", "attacker": [me, _slot(made.attacker)],
                    "target": [1 - me, _slot(made.defender)]}
        return {"t": "end"}

    def _play(self, g: Any, made: MoveParts) -> Action:
        me = int(g["me"])
        number = g["side"][me]["hand"][made.hand]["card"]
        action = {"t": "play", "hand": made.hand, "card": self.id[number],
                  **_aimed(me, made.target)}
        if self.card[number]["kind"] == Kind.MINION:
            action["pos"] = made.place
        if self.card[number]["option"].any() and made.option != BOTH_OPTIONS:
            action["choose"] = made.option
        return action

    def number_of(self, game: Game, action: Action) -> int:
        """Return an action of a truth file as a move; without `pos`, to the right end."""
        g = game[0]
        me = int(g["me"])
        target = _target(me, action.get("target"))
        if action["t"] == "end":
            return END
        if action["t"] == "attack":
            return encode(MoveParts(Made.ATTACK, attacker=action["attacker"][1] % 8,
                               defender=action["target"][1] % 8))
        if action["t"] == "power":
            if "choose" in action:  # two moves here: `play` makes both
                return N_MOVES + int(action["choose"])
            return encode(MoveParts(Made.POWER, target=target))
        if action["t"] == "choose":
            return encode(MoveParts(Made.CHOOSE, choice=action["k"]))
        card = g["side"][me]["hand"][action["hand"]]["card"]
        is_minion = self.card[card]["kind"] == Kind.MINION
        place = int(g["side"][me]["minions"]) if is_minion else 0
        place = action.get("pos", place)
        both = BOTH_OPTIONS if self.card[card]["option"].any() else 0
        option = action.get("choose", both)
        return encode(MoveParts(Made.PLAY, action["hand"], target, place, option))

    def offer(self, game: Game, options: list[str]) -> Game:
        """Return a game whose open choice has just these options."""
        game = game.copy()
        numbers = [self.number[id] for id in options]
        game[0]["choice"][: len(numbers)], game[0]["n_choices"] = numbers, len(numbers)
        return game

    def play(self, game: Game, move: int, n: int = 1) -> Game:
        """Return n copies of a game, each with a random stream of its own, after a move."""
        games = np.repeat(game, n)
        games["rng"] = np.random.default_rng(1).integers(2**63, size=n)
        if move >= N_MOVES:
            self.drive(games, MOVE, [POWER] * n)
            move = CHOOSE + move - N_MOVES
        self.drive(games, MOVE, [move] * n)
        return games

    def score(self, game: Game, move: int, weights: Any, seed: int = 1) -> float:
        """Return what EVA with these weights (1, 21) gives a move, leaky information."""
        return self.drive(np.repeat(game, 2), SCORE, (move, seed), weights)

    def decide(self, game: Game, weights: Any) -> int:
        """Return the move of EVA with these weights (1, 21), leaky information."""
        return int(self.drive(np.repeat(game, 2), DECIDE, weights=weights))


def _slot(position: int) -> int:
    return -1 if position == 7 else position


def _aimed(me: int, code: int) -> Action:
    """Return the target of a move's target number, none for 0."""
    if code == 0:
        return {}
    return {"target": [me if code < 9 else 1 - me, _slot((code - 1) % 8)]}


def _target(me: int, target: list[int] | None) -> int:
    """Return the target number of a file's target."""
    if target is None:
        return 0
    return (1 if target[0] == me else 9) + target[1] % 8


def distinct(games: Game) -> list[tuple[Game, int]]:
    """Return the games that differ in more than their random streams, and how many of each."""
    first: dict[bytes, int] = {}
    raw = games.view(np.uint8).reshape(len(games), -1)[:, STREAMS:PREFIX]
    keys = [row.tobytes() for row in raw]  # of what counts alone: records are ten times longer
    for i, key in enumerate(keys):
        first.setdefault(key, i)
    times = Counter(keys)
    return [(games[i : i + 1].copy(), times[key]) for key, i in first.items()]
