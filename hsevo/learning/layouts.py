"""The layout of observations and actions: what stands where, in which range, and what it means.

engine/view/observe.py writes them; this says it in words and gives Python access by name:

    layout()                   a table of all numbers of an observation
    actions()                  a table of the parts of an action, with what each points at
    split(observations)        int16 (..., SIZE) -> {"own_board": (..., 7, 33) ...}, views

Observations have two versions. The second one also has what happened in the game so far, as
play/acts.py writes it: SIZE + HISTORY numbers.

Left out, though a game has it and it can matter: how often a text was attached to a minion, and
whether all of it was or only its Deathrattle; texts attached to a hero; what a minion remembers (a
card that it is to summon, and for which player); and what was added to cards in the deck.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import pandas as pd

from hsevo.cards.terms import Class
from hsevo.engine.record.codec import ENEMY_TARGET, HERO, OWN_TARGET, PLACES, SEATS, TARGETS
from hsevo.engine.record.state import HAND
from hsevo.engine.view.actions import (
    CHOICES,
    WHAT_ATTACK,
    WHAT_CHOOSE,
    WHAT_PLAY,
    WHAT_POWER,
    WHAT_THROW,
    WHATS,
)
from hsevo.engine.view.observe import (
    BLOCKS,
    OFFSETS,
    SIZE,
    Grave,
    Hero,
    Listed,
    Minion,
    Power,
    SeenCard,
    SeenDecision,
    SeenPlayer,
    Weapon,
)
from hsevo.learning.vocabulary import CARDS
from hsevo.play.acts import BLOCKS as HISTORY_BLOCKS
from hsevo.play.acts import HISTORY, Acted
from hsevo.types import Array

__all__ = ["PLACES", "SIZE", "TARGETS", "WHATS", "ObservationBlock", "actions", "blocks", "layout",
           "split"]

Range = tuple[int, int]
Column = tuple[str, Range]

_CARD, _FLAG, _COUNT = (0, CARDS - 1), (0, 1), (0, 32_767)
_SIGNED, _HAND, _MANA = (-32_768, 32_767), (0, 2 * HAND), (0, 127)

_MEANINGS: dict[type[IntEnum], dict[str, Column]] = {
    SeenDecision: {
        "card": ("the card whose text asks for a choice", _CARD),
        "kind": ("0 a turn, 1 a choice (Discover ...), 2 a mulligan", (0, 2)),
        "turn": ("turns of both players that have begun", _COUNT),
        "turns_left": ("until the game is a draw", _COUNT),
        "began": ("1: this player began the game", _FLAG),
        "to_move": ("1: this player is to move", _FLAG),
    },
    SeenPlayer: {
        "class": (" ".join(f"{int(c)} {c.name.title()}," for c in Class if c)[:-1],
                  (0, len(Class) - 1)),
        "mana": ("to spend now", _MANA),
        "crystals": ("mana crystals, full or empty", _MANA),
        "locked": ("crystals locked by Overload", _MANA),
        "overload": ("crystals that will be locked next turn", _COUNT),
        "fatigue": ("damage of the last draw from an empty deck", _COUNT),
        "armor": ("armour", _COUNT),
        "hand": ("cards in hand, with those being thrown back", _HAND),
        "deck": ("cards in the deck", (0, 60)),
        "secrets": ("secrets in play", (0, 5)),
        "minions": ("minions in play", (0, 7)),
        "died": ("own minions that died", _COUNT),
        "jade": ("Jade Golems summoned", _COUNT),
        "totems": ("totems summoned", _COUNT),
        "played": ("cards played this turn", _COUNT),
        "minions_played": ("minions played this turn", _COUNT),
        "spell_damage": ("Spell Damage", _SIGNED),
        "spells_cast": ("spells cast this game", _COUNT),
        "secrets_played": ("secrets played this game", _COUNT),
        "powers_used": ("uses of the hero power this game", _COUNT),
        "died_this_turn": ("own minions that died this turn", _COUNT),
        "cthun_attack": ("attack that C'Thun has gained", _SIGNED),
        "cthun_health": ("health that C'Thun has gained", _SIGNED),
        "cthun_taunt": ("C'Thun has Taunt", _COUNT),
        "dragon_cheaper": ("how much less the next Dragon costs", _SIGNED),
        "power_cheaper": ("how much less the next hero power costs", _SIGNED),
        "power_dearer": ("how much more the hero power costs this turn", _SIGNED),
        "power_price": ("what the hero power costs from now on, plus 1; 0: as printed", _COUNT),
        "spells_dearer": ("how much more spells cost in a turn of spells_cost_more", _SIGNED),
        "elementals_now": ("Elementals played in the current or last own turn", _COUNT),
        "elementals_played": ("Elementals played in the own turn before that", _COUNT),
        "quest_progress": ("progress of the open quest", _COUNT),
        "foreign_cards": ("cards of another class played this game", _COUNT),
        "extra_turns": ("extra turns after the current one", _COUNT),
        "minion_size": ("attack and health of all own minions; 0: their own", _COUNT),
        "made_card": ("1: the card played last did not start in the deck", _COUNT),
        "discarded": ("cards discarded this game", _COUNT),
        "healed": ("health that the hero has regained this turn", _COUNT),
        "overloaded": ("mana crystals overloaded this game", _COUNT),
        "hero_hurt": ("the turn in which the hero last took damage", _COUNT),
        "costly_spells": ("spells of a printed cost of 5 or more cast this game", _COUNT),
        "later_turns": ("extra turns after the opponent's next turn", _COUNT),
        "tally": ("what a card in play counts for itself", _SIGNED),
        "kept_attack": ("attack of a weapon that keeps what it was given", _SIGNED),
        "kept_durability": ("durability of that weapon", _SIGNED),
        "next_spell_twice": ("how often more the next spell this turn is cast", _COUNT),
        "next_spell_damage": ("Spell Damage of the next spell this turn", _COUNT),
        "spell_damage_now": ("Spell Damage that the spell cast last had by it", _COUNT),
        "spells_drain": ("above 0: spells have Lifesteal this turn", _COUNT),
        "rightmost": ("1: the card played last was the rightmost one in hand", _COUNT),
        "pogo_hoppers": ("Pogo-Hoppers played this game", _COUNT),
        "hero_damage": ("damage that the hero has taken this turn", _COUNT),
        "spells_now": ("spells cast this turn", _COUNT),
        "last_minion": ("the minion played last: its number in the tables of the engine", _COUNT),
        "grown": ("how often the card played last had grown in hand", _COUNT),
        "restored": ("health restored this game, if a text asks for it", _COUNT),
        "healing_hurts": ("this turn, own healing deals damage", _FLAG),
        "spells_free": ("this turn, spells cost 0", _FLAG),
        "spells_cost_more": ("this turn, by spells_dearer", _FLAG),
        "next_secret_free": ("this turn, the next secret costs 0", _FLAG),
        "next_spell_cheaper": ("this turn, the next spell costs 3 less", _FLAG),
        "next_spell_free": ("this turn, the next spell costs 0", _FLAG),
        "murloc_for_health": ("this turn, the next Murloc costs health", _FLAG),
        "spell_for_health": ("this turn, the next spell costs health", _FLAG),
        "unbreakable": ("this turn, own minions keep at least 1 health", _FLAG),
    },
    Hero: {
        "card": ("the hero", _CARD),
        "attack": ("attack; in its own turn with its weapon", _COUNT),
        "health": ("health", _SIGNED),
        "max_health": ("health at most", _COUNT),
        "attacks": ("attacks made this turn", _COUNT),
        "frozen": ("Frozen", _FLAG),
        "immune": ("Immune", _FLAG),
        "windfury": ("Windfury", _FLAG),
        "stealth": ("Stealth", _FLAG),
        "lifesteal": ("Lifesteal of its weapon", _FLAG),
    },
    Power: {
        "card": ("the hero power", _CARD),
        "cost": ("its cost now", _COUNT),
        "used": ("how often it was used this turn", _COUNT),
    },
    Weapon: {
        "card": ("the weapon", _CARD),
        "attack": ("its attack", _SIGNED),
        "durability": ("its durability", _SIGNED),
    },
    Minion: {
        "card": ("the minion", _CARD),
        "attack": ("attack as shown, with auras", _COUNT),
        "health": ("health", _SIGNED),
        "max_health": ("health at most", _COUNT),
        "attacks": ("attacks made this turn", _COUNT),
        "asleep": ("it came this turn, and has no Charge", _FLAG),
        "borrowed": ("it returns at the end of the turn", _FLAG),
        "spell_damage": ("Spell Damage", _SIGNED),
        "taunt": ("Taunt", _FLAG),
        "charge": ("Charge", _FLAG),
        "divine_shield": ("Divine Shield", _FLAG),
        "windfury": ("Windfury", _FLAG),
        "stealth": ("Stealth", _FLAG),
        "poisonous": ("Poisonous", _FLAG),
        "lifesteal": ("Lifesteal", _FLAG),
        "freezes": ("it freezes what it damages", _FLAG),
        "immune": ("Immune", _FLAG),
        "cant_attack": ("it can't attack", _FLAG),
        "elusive": ("it can't be targeted by spells or hero powers", _FLAG),
        "deathrattle": ("Deathrattle", _FLAG),
        "inspire": ("Inspire", _FLAG),
        "cant_attack_heroes": ("it can't attack heroes", _FLAG),
        "frozen": ("Frozen", _FLAG),
        "silenced": ("Silenced", _FLAG),
        "mega_windfury": ("four attacks a turn", _FLAG),
        "cleave": ("it also damages the neighbours of what it attacks", _FLAG),
        "unlimited": ("it attacks as often as it likes", _FLAG),
        "text_1": ("a card whose text was attached to it", _CARD),
        "text_2": ("another one", _CARD),
        "text_3": ("another one", _CARD),
        "text_4": ("another one", _CARD),
        "text_5": ("another one", _CARD),
        "text_6": ("another one", _CARD),
    },
    SeenCard: {
        "card": ("the card", _CARD),
        "cost": ("its cost now", _COUNT),
        "attack": ("attack, with what was given to it; 0 for spells", _SIGNED),
        "health": ("health or durability, likewise", _SIGNED),
        "joined": ("a second card, whose keywords it has as well", _CARD),
    },
    Grave: {
        "card": ("a minion that died", _CARD),
        "times": ("how often", _COUNT),
    },
    Acted: {
        "card": ("the card played, the attacker or the hero power; 1: a secret", _CARD),
        "target": ("what it was aimed at, not what it hit", _CARD),
        "played": ("a card was played", _FLAG),
        "attacked": ("a minion or the hero attacked", _FLAG),
        "used_power": ("the hero power was used", _FLAG),
        "at_own": ("it was aimed at the observing player's side", _FLAG),
        "number": ("which act of that turn, from 1", _COUNT),
    },
    Listed: {"card": ("a card", _CARD)},
}  # fmt: skip

_SAYS = {
    "decision": "the decision",
    "player": "own, enemy",
    "hero": "own, enemy",
    "power": "own, enemy, zeros if there is none",
    "weapon": "own, enemy, zeros if there is none",
    "own_board": "own minions from left to right",
    "enemy_board": "enemy minions from left to right",
    "hand": "own hand in its order",
    "choices": "offered by a choice",
    "thrown": "thrown back in this mulligan so far",
    "secrets": "own secrets in play, the oldest first",
    "deck": "left in your deck, sorted by number, 1 for each hidden card",
    "enemy_deck": "the opponent's deck list, sorted, zeros unless opponent_deck is known",
    "own_graveyard": "own minions that died, sorted by number",
    "enemy_graveyard": "enemy minions that died, sorted by number",
    "own_later": "own texts that wait for the end of a turn",
    "enemy_later": "enemy texts that wait for the end of a turn",
    "own_played": "the last cards that this player played from its hand, in order",
    "enemy_played": "the last cards that the opponent played, 1 for a secret",
    "enemy_acts": "what the opponent did last in its last turn, in order",
}


@dataclass(frozen=True)
class ObservationBlock:
    """Describe a part of an observation: `rows` rows of `columns`, from `offset` on, row by row.

    cards: the columns with numbers of the vocabulary. low, high: range of each column.
    """

    name: str
    offset: int
    rows: int
    columns: tuple[str, ...]
    cards: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, len(self.columns)

    @property
    def end(self) -> int:
        """Offset of the next block."""
        return self.offset + self.rows * len(self.columns)


def _block(name: str, rows: int, columns: type[IntEnum], offset: int) -> ObservationBlock:
    meant = _MEANINGS[columns]
    ranges = [range_ for _, range_ in meant.values()]
    return ObservationBlock(name, offset, rows, tuple(meant),
                            tuple(k for k, range_ in enumerate(ranges) if range_ is _CARD),
                            tuple(low for low, _ in ranges), tuple(high for _, high in ranges))


def blocks(history: bool = False) -> dict[str, ObservationBlock]:
    """Return the blocks of an observation by name, in order.

    Parameters
    ----------
    history : bool, default False
        Whether to return the blocks of the second version, with a history.

    Returns
    -------
    dict of str to ObservationBlock
        The blocks.
    """
    by_name = {name: _block(name, rows, columns, OFFSETS[name]) for name, rows, columns in BLOCKS}
    at = SIZE
    for name, rows, columns in HISTORY_BLOCKS if history else ():
        by_name[name] = _block(name, rows, columns, at)
        at = by_name[name].end
    return by_name


def bounds() -> tuple[Array, Array]:
    """Return the lowest and the highest value of each number of an observation, int16 (SIZE,)."""
    low, high = (np.concatenate([np.tile(getattr(block, end), block.rows) for block in
                                 blocks().values()]) for end in ("low", "high"))
    return low.astype(np.int16), high.astype(np.int16)


def split(observations: Array) -> dict[str, Array]:
    """Return views of the blocks of observations.

    Parameters
    ----------
    observations : ndarray of shape (..., SIZE) or (..., SIZE + HISTORY)
        Observations of any type.

    Returns
    -------
    dict of str to ndarray, shape (..., rows, columns)
        Views by the names of the blocks.

    Raises
    ------
    ValueError
        If the observations have another shape.
    """
    size = observations.shape[-1] if observations.ndim else 0
    if size not in (SIZE, SIZE + HISTORY):
        raise ValueError(f"observations have shape {observations.shape}, but their last axis must"
                         f" have {SIZE} numbers, or {SIZE + HISTORY} with a history")
    before = observations.shape[:-1]
    return {name: observations[..., block.offset:block.end].reshape(*before, *block.shape)
            for name, block in blocks(size > SIZE).items()}


def layout(history: bool = False) -> pd.DataFrame:
    """Return a description of each number of an observation.

    Row r of a column has the index first + r * stride in an observation.

    Parameters
    ----------
    history : bool, default False
        Describe the second version, (SIZE + HISTORY,), which includes the history of the game
        (`learning.History`). False: the first version, (SIZE,).

    Returns
    -------
    pandas.DataFrame
        One row for each column of each block. Columns name ("block.column"), shape (of the rows of
        the block), low, high, card (whether it is a number of the vocabulary,
        `learning.card_names`), first, stride.

    Examples
    --------
    >>> from hsevo import learning
    >>> table = learning.layout().set_index("name")
    >>> table.loc["own_board.attack", ["shape", "low", "high"]].tolist()
    [(7,), 0, 32767]
    >>> len(learning.layout(history=True)) - len(table)
    9
    """
    lines = []
    columns_of = {name: columns for name, _, columns in (*BLOCKS, *HISTORY_BLOCKS)}
    for name, block in blocks(history).items():
        meant = _MEANINGS[columns_of[name]]
        for k, (column, (meaning, (low, high))) in enumerate(meant.items()):
            lines.append({
                "name": f"{name}.{column}", "shape": (block.rows,), "low": low, "high": high,
                "meaning": f"{_SAYS[name]}: {meaning}", "card": k in block.cards,
                "first": block.offset + k, "stride": len(block.columns)})
    return pd.DataFrame(lines)


# -- actions ------------------------------------------------------------------------------------


def actions() -> pd.DataFrame:
    """Return the parts of an action.

    Returns
    -------
    pandas.DataFrame
        One row for each `what`, `at` and `where`. Columns part and index (of the action), block and
        row (its object in an observation, "" and 0 without one), meaning (in words).

    Examples
    --------
    >>> from hsevo import learning
    >>> table = learning.actions()
    >>> table[table.part == "what"].meaning.tolist()[0]
    'end the turn; in a mulligan, keep the rest'
    """
    lines = [("what", *what) for what in _whats()]
    lines += [("at", *target) for target in _targets()]
    lines += [("where", k, "", 0, f"position {k}; 0 for what has none") for k in range(PLACES)]
    return pd.DataFrame(lines, columns=["part", "index", "block", "row", "meaning"])


def _whats() -> list[tuple[int, str, int, str]]:
    """Return index, block, row, meaning of each `what`."""
    lines = [(0, "", 0, "end the turn; in a mulligan, keep the rest")]
    lines += [(WHAT_ATTACK + k, "own_board", k, f"attack with the minion at position {k}")
              for k in range(HERO)]
    lines += [(WHAT_ATTACK + HERO, "hero", 0, "attack with the hero"),
              (WHAT_POWER, "power", 0, "use the hero power")]
    for option, words in enumerate(("", ", second option", ", both options")):
        lines += [(WHAT_PLAY + HAND * option + k, "hand", k, f"play card {k} of the hand{words}")
                  for k in range(HAND)]
    lines += [(WHAT_CHOOSE + k, "choices", k, f"take choice {k}") for k in range(CHOICES)]
    return lines + [(WHAT_THROW + k, "hand", k, f"throw back card {k} of the hand")
                    for k in range(HAND)]


def _targets() -> list[tuple[int, str, int, str]]:
    """Return index, block, row, meaning of each `at`."""
    lines = [(0, "", 0, "at nothing")]
    for first, side, row in ((OWN_TARGET, "own", 0), (ENEMY_TARGET, "enemy", 1)):
        lines += [(first + k, f"{side}_board", k, f"the {side} minion at position {k}")
                  for k in range(SEATS - 1)]
        lines.append((first + HERO, "hero", row, f"the {side} hero"))
    return lines
