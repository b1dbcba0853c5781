"""Where two states differ, one of a truth file and one that was reached here."""

from __future__ import annotations

from typing import Any

State = dict[str, Any]

ANY = "?"  # stands for any card of a step's pools, and for any value of other fields
# What means nothing for the player who waits (README of the files), or while a choice is open.
IDLE = {"can_attack", "atk of hero", "avail of mana"}
Pool = frozenset[str]
NO_POOL: Pool = frozenset()


def differences(expected: State, found: State, pool: Pool = NO_POOL) -> list[str]:
    """Return where two states differ, as `part: expected, found`; a result hides all else.

    `pool` has the cards that an unknown card may be.
    """
    for key in ("fault", "result"):
        if key in expected or key in found:
            return _differ(expected.get(key), found.get(key), key)
    lines = _differ(expected["turn_player"], found["turn_player"], "turn_player")
    lines += _choices(expected.get("choice"), found.get("choice"), pool)
    for side in range(len(expected["players"])):
        idle = side != expected["turn_player"] or "choice" in expected
        pair = expected["players"][side], found["players"][side]
        if pair[0].get("deck_unordered"):
            pair = _sorted_deck(pair[0]), _sorted_deck(pair[1])
        lines += _differ(*pair, f"player {side}", idle, pool)
    return lines


def _sorted_deck(player: State) -> State:
    """Return a player whose deck is a multiset: the whole deck was shuffled."""
    rest = {key: value for key, value in player.items() if key != "deck_unordered"}
    return rest | {"deck": sorted(player["deck"])}


def _choices(expected: State | None, found: State | None, pool: Pool) -> list[str]:
    """Return how open choices differ: whose, and the set of options."""
    if expected is None or found is None or expected["player"] != found["player"]:
        return _differ(expected, found, "choice")
    named = [id for id in expected["options"] if id != ANY]
    rest = list(found["options"])
    for id in named:
        if id in rest:
            rest.remove(id)
    same_size = len(expected["options"]) == len(found["options"])
    if same_size and len(rest) == len(expected["options"]) - len(named) and set(rest) <= pool:
        return []
    return [f"choice: {expected['options']} in the file, {found['options']} here"]


def _differ(
    expected: Any, found: Any, path: str, idle: bool = False, pool: Pool = NO_POOL
) -> list[str]:
    """Return where two parts of states differ; `idle` if they are the waiting player's."""
    if expected == found:
        return []
    pair = (expected, found)
    if expected == ANY or (isinstance(expected, dict) and expected.get("id") == ANY):
        return _unknown(expected, found, path, pool)
    if all(isinstance(part, dict) for part in pair):
        name = path.rsplit(".", 1)[-1]
        keys = sorted(expected.keys() | found.keys())
        if idle:
            keys = [key for key in keys if key not in IDLE and f"{key} of {name}" not in IDLE]
        parts = [(expected.get(key), found.get(key), f"{path}.{key}") for key in keys]
    elif _are_rows(expected, found):
        parts = [(x, y, f"{path}[{i}]") for i, (x, y) in enumerate(zip(*pair, strict=True))]
    else:
        if path.endswith(".kw"):
            expected, found = sorted(expected or ()), sorted(found or ())
        return [] if expected == found else [f"{path}: {expected} in the file, {found} here"]
    return [line for part in parts for line in _differ(*part, idle, pool)]


def _unknown(expected: Any, found: Any, path: str, pool: Pool) -> list[str]:
    """Return how what is found differs from an unknown card; a field that is no card never does."""
    if isinstance(expected, dict):
        card = found["id"] if found else None
    else:
        card = found if path.endswith("]") else ANY
    return [] if card == ANY or card in pool else [f"{path}: a card of the pool, {card} here"]


def _are_rows(expected: Any, found: Any) -> bool:
    """Tell whether both are lists of as many minions or cards."""
    if not isinstance(expected, list) or not isinstance(found, list) or len(expected) != len(found):
        return False
    return all(isinstance(x, dict) for x in expected) or ANY in expected
