"""An observation as text: the board as one player sees it."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy.typing as npt

from hsevo.learning.layouts import ObservationBlock, blocks, split
from hsevo.learning.vocabulary import card_names

Rows: TypeAlias = dict[str, list[dict[str, Any]]]  # of each block, by column; cards by name


def board_text(observation: npt.NDArray[Any]) -> str:
    """Return an observation as text: the clock, both sides, the hand.

    The text does not have all information of the observation.

    Parameters
    ----------
    observation : ndarray of shape (SIZE,)
        The observation.

    Returns
    -------
    str
        Lines of text.

    Raises
    ------
    ValueError
        If the observation has another shape.

    Examples
    --------
    >>> from hsevo import learning
    >>> seen, _ = learning.observe(hsevo.Games("mage", "warrior", [1]))
    >>> print(learning.board_text(seen[0]).splitlines()[0])
    turn 1, 88 left
    """
    if observation.ndim != 1:
        raise ValueError(f"observation has shape {observation.shape}, but must be a single"
                         " observation")
    names, parts = card_names(), split(observation)
    seen = {name: _rows(block, parts[name].tolist(), names) for name, block in blocks().items()}
    lines = [_clock(seen), *_side(seen, 1), *_side(seen, 0)]
    lines += [f"  {name + ':':8} {', '.join(map(_held, seen[name]))}"
              for name in ("hand", "choices", "thrown", "secrets") if seen[name]]
    return "\n".join(lines)


def _rows(block: ObservationBlock, numbers: list[list[int]],
          names: list[str]) -> list[dict[str, Any]]:
    """Return the rows of a block that are not empty; of blocks that have one a player, both."""
    rows: list[dict[str, Any]] = [dict(zip(block.columns, row, strict=True)) for row in numbers
                                  if any(row) or block.rows == 2]
    for row in rows:
        row.update({block.columns[k]: names[row[block.columns[k]]] for k in block.cards})
    return rows


def _clock(seen: Rows) -> str:
    (now,) = seen["decision"]
    kind = ("", f"choice of {now['card']}", "mulligan")[now["kind"]]
    parts = [f"turn {now['turn']}", f"{now['turns_left']} left", kind,
             "" if now["to_move"] else "opponent to move"]
    return ", ".join(filter(None, parts))


def _side(seen: Rows, who: int) -> list[str]:
    """Return a player's side, 0 the own: the hero with its numbers, and the board."""
    side, (owner, hero, power, weapon) = ("own", "enemy")[who], (
        seen[name][who] for name in ("player", "hero", "power", "weapon"))
    parts = [f"{side}: {hero['card']}", f"health {hero['health']}/{hero['max_health']}",
             *(f"{name} {owner[name]}" for name in ("armor", "fatigue", "overload", "secrets")
               if owner[name]),
             f"attack {hero['attack']}" if hero["attack"] else "",
             *(word for word in ("frozen", "immune", "windfury") if hero[word]),
             f"mana {owner['mana']}/{owner['crystals']}",
             f"{weapon['card']} {weapon['attack']}/{weapon['durability']}" * bool(weapon["card"]),
             power["card"] + " (used)" * bool(power["used"]), f"hand {owner['hand']}",
             f"deck {owner['deck']}"]
    board = " | ".join(map(_minion, seen[f"{side}_board"]))
    return [", ".join(filter(None, parts)), f"  board:   {board or '-'}"]


def _minion(minion: dict[str, Any]) -> str:
    """Return a minion as text: name, attack/health(maximum), keywords."""
    block = blocks()["own_board"]
    hurt = f"({minion['max_health']})" * (minion["health"] != minion["max_health"])
    words = [name.replace("_", " ") for name, low, high in zip(
        block.columns, block.low, block.high, strict=True)
        if (low, high) == (0, 1) and minion[name]]
    return " ".join([f"{minion['card']} {minion['attack']}/{minion['health']}{hurt}", *words])


def _held(held: dict[str, Any]) -> str:
    """Return a card as text, with its cost if it has one here."""
    return f"{held['card']} ({held['cost']})" if "cost" in held else str(held["card"])
