"""Go on from a state of a truth file: change a game until it shows that state.

A state says less than a position (no order of play, no enchantments), so it is not loaded afresh:
what the game has in common with it stays, and the rest is made to look like it.
"""

from __future__ import annotations

from typing import Any

from hsevo.cards.terms import Keyword
from tests.support.state_adapter import KEYWORDS_OF_2019, Game, State, World
from tests.support.state_compare import ANY, differences
from tests.support.state_entry import SETTLE

ROUNDS = 4  # what auras give and cards cost follows what was changed before
GIVEN = ".spellpower:"  # follows from the cards in play
MANY = 9  # attacks, more than a character has in a turn
ADDED = {  # the bit of several
    "stealth": Keyword.STEALTH,
    "immune": Keyword.IMMUNE_THIS_TURN,
    "windfury": Keyword.WINDFURY,
}


def resume(world: World, game: Game, state: State) -> Game | None:
    """Return a game that shows a state, made from one that is like it; None if that fails."""
    game = game.copy()
    g = game[0]
    if "result" in state or world.unknown(state) or g["me"] != state["turn_player"]:
        return None
    choosing = "choice" in world.state(game)
    if choosing != ("choice" in state) or (g["depth"] and not choosing):
        return None
    for side, player in enumerate(state["players"]):
        _cards(world, g, side, player)
        _side(g["side"][side], world, player)
    if not choosing:
        _boards(world, g, state)
    for _ in range(ROUNDS):
        if not choosing:
            world.drive(game, SETTLE)
        shown = world.state(game)
        if choosing:  # the next step says what may be chosen
            shown["choice"] = state["choice"]
        if not _same_boards(state, shown):
            return None
        wrong = differences(state, shown, frozenset({ANY}))
        if all(GIVEN in line and not choosing for line in wrong):
            return game
        for side in range(2):
            _adjust(g, side, state, shown, side == g["me"] and not choosing)
    return None


def _same_boards(state: State, shown: State) -> bool:
    """Tell whether two states have the same minions."""
    boards = [[[m["id"] for m in player["board"]] for player in one["players"]]
              for one in (state, shown)]
    return boards[0] == boards[1]


def _side(s: Any, world: World, player: State) -> None:
    """Set a player's numbers."""
    mana = player["mana"]
    s["crystals"], s["mana"] = mana["max"], mana["avail"]
    s["locked"], s["overload"] = mana["locked"], mana["overload_next"]
    s["fatigue"], s["jade"] = player["fatigue"], player["jade"] - 1
    s["power"], s["power_used"] = world.number[player["power"]["id"]], player["power"]["used"]
    s["armor"] = player["hero"]["armor"]


def _cards(world: World, g: Any, side: int, player: State) -> None:
    """Set a player's hand, deck, secrets and weapon; cards that stay keep what they have."""
    s = g["side"][side]
    held = list(s["hand"][: s["n_hand"]].copy())
    for i, card in enumerate(player["hand"]):
        number = world.number[card["id"]]
        known = next((k for k, one in enumerate(held) if one["card"] == number), None)
        s["hand"][i] = (number, 0, 0, 0, 0) if known is None else held.pop(known)
        for name, key in (("attack", "atk"), ("health", "hp")):
            s["hand"][i][name] = card.get(key, world.card[number][name]) - world.card[number][name]
    s["n_hand"] = len(player["hand"])
    world.set_deck(s, player["deck"])
    kept = {int(one["card"]): int(one["uid"]) for one in s["secret"][: s["n_secrets"]]}
    for i, id in enumerate(player["secrets"]):
        number = world.number[id]
        s["secret"][i] = number, kept.get(number) or world.new_uid(g)
    s["n_secrets"] = len(player["secrets"])
    if player["weapon"] is None:
        for name in ("weapon", "weapon_uid", "weapon_attack", "weapon_aura", "durability"):
            s[name] = 0
    elif world.number[player["weapon"]["id"]] != s["weapon"]:
        world.set_weapon(g, s, {"id": player["weapon"]["id"], "used": 0})


def _boards(world: World, g: Any, state: State) -> None:
    """Put the minions of a state in their places: those in play, or else new ones."""
    left = [(side, g["char"][8 * side + slot].copy())
            for side in range(2) for slot in g["side"][side]["row"][: g["side"][side]["minions"]]]
    chosen: list[list[Any]] = [[], []]
    for side, player in enumerate(state["players"]):
        for minion in player["board"]:
            number = world.number[minion["id"]]
            same = [k for k, (_, c) in enumerate(left) if c["card"] == number]
            same.sort(key=lambda k: left[k][0] != side)  # own ones first
            chosen[side].append(left.pop(same[0])[1] if same else None)
    for side, player in enumerate(state["players"]):
        s = g["side"][side]
        g["char"][8 * side : 8 * side + 7] = 0
        s["minions"] = 0
        for place, minion in enumerate(player["board"]):
            if chosen[side][place] is None:
                world.new_minion(g, side, place, {"id": minion["id"]})
            else:
                g["char"][8 * side + place] = chosen[side][place]
                s["row"][place], s["minions"] = place, place + 1


def _adjust(g: Any, side: int, state: State, shown: State, mover: bool) -> None:
    """Change what is shown otherwise by the difference; a mover's readiness, too."""
    s = g["side"][side]
    there, here = state["players"][side], shown["players"][side]
    for i, card in enumerate(there["hand"]):
        s["hand"][i]["cost"] += card["cost"] - here["hand"][i]["cost"]
    if there["weapon"]:
        s["weapon_attack"] += there["weapon"]["atk"] - here["weapon"]["atk"]
        s["durability"] += there["weapon"]["dur"] - here["weapon"]["dur"]
    _character(g["char"][8 * side + 7], there["hero"], here["hero"], mover)
    for place, minion in enumerate(there["board"]):
        _character(g["char"][8 * side + place], minion, here["board"][place], mover, True)


def _character(c: Any, there: State, here: State, mover: bool, is_minion: bool = False) -> None:
    """Change a character; attack and readiness of a hero that waits are unknown."""
    c["health"] += there["hp"] - here["hp"]
    c["max_health"] += there["max_hp"] - here["max_hp"]
    if mover or is_minion:
        c["attack"] += there["atk"] - here["atk"]
    _keywords(c, _marks(there), _marks(here))
    if mover and there["can_attack"] != here["can_attack"]:
        c["attacks"] = 0 if there["can_attack"] else MANY
        c["keywords"] &= ~Keyword.FRESH


def _marks(character: State) -> set[str]:
    """Return the keywords of a minion or hero."""
    return set(character.get("kw", ())) | {k for k in ("frozen", "immune") if character.get(k)}


def _keywords(c: Any, there: set[str], here: set[str]) -> None:
    """Give a character the keywords that it lacks, and take what it has too many."""
    for name in here - there:
        c["keywords"] &= ~int(KEYWORDS_OF_2019[name])
        if name == "deathrattle":
            c["extra"] = 0
    for name in there - here:
        c["keywords"] |= int(ADDED.get(name, KEYWORDS_OF_2019[name]))
    if "silenced" in there - here:
        c["extra"], c["turn_attack"] = 0, 0
