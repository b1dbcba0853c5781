"""Effects that set up a game for a test: the words of card texts, run by the engine.

    program = program_of("damage", target, game, player, n=3)     a row of a text
    run(program, table, state)                                    -> the state after it, its events

An effect runs like the text of a card that both players see, in a turn of any player: what answers
it is resolved, and deaths follow. It costs nothing, no card is played, and Spell Damage does not
count.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from hsevo.cards import vocabulary
from hsevo.cards.tables import with_program
from hsevo.cards.terms import Keyword, Kind
from hsevo.cards.vocabulary.model import Row, Who
from hsevo.config import whole
from hsevo.engine.record.state import NONE, Phase
from hsevo.engine.view.snapshot import GameSnapshot
from hsevo.errors import ConfigError, GameError, did_you_mean, quoted
from hsevo.play.card_numbers import CardNumbers
from hsevo.play.card_words import HOLDABLE, cards_of
from hsevo.play.events import BOTH, Event
from hsevo.play.match import Table
from hsevo.play.moves import Piece
from hsevo.play.placing import KEYWORDS, LATE_KEYWORDS, words_to_bits
from hsevo.play.recorder import Recorder
from hsevo.types import Array

# Functions of hsevo/cards/vocabulary that need nothing but characters, numbers, cards and keywords.
EFFECTS: dict[str, Callable[..., Row]] = {name: getattr(vocabulary, name) for name in (
    "damage", "missiles", "heal", "heal_fully", "buff", "buff_this_turn", "set_attack",
    "set_health", "set_remaining_health", "swap_stats", "double_attack", "double_health", "give",
    "give_spell_damage", "remove", "destroy", "silence", "freeze", "transform",
    "transform_by_cost", "steal", "steal_this_turn", "return_to_hand", "trigger_deathrattles",
    "summon", "draw", "discard", "add", "add_copy", "shuffle", "shuffle_copy", "shuffle_away",
    "lose_top_of_deck", "armor", "hero_attack", "equip", "buff_weapon", "destroy_weapon",
    "damage_weapon", "crystals", "empty_crystals", "destroy_crystals", "temporary_mana",
    "refresh_mana", "refresh_power", "set_power")}
GROUPS: dict[str, Who] = {
    "all minions": vocabulary.ALL_MINIONS, "my minions": vocabulary.MY_MINIONS,
    "enemy minions": vocabulary.ENEMY_MINIONS, "my hero": vocabulary.MY_HERO,
    "enemy hero": vocabulary.ENEMY_HERO, "my characters": vocabulary.MY_CHARACTERS,
    "enemies": vocabulary.ENEMIES, "all characters": vocabulary.CHARACTERS}
MINIONS_ONLY = {"destroy", "transform", "transform_by_cost", "steal", "steal_this_turn",
                "return_to_hand", "silence", "add_copy", "shuffle_copy", "shuffle_away",
                "set_attack", "set_health", "swap_stats", "double_attack", "double_health",
                "trigger_deathrattles", "buff", "buff_this_turn", "give_spell_damage"}
KINDS: dict[str, tuple[Kind, ...]] = {
    "summon": (Kind.MINION,), "transform": (Kind.MINION,), "equip": (Kind.WEAPON,),
    "set_power": (Kind.POWER,)}
NUMBERS = {"attack": (-1_000, 1_000), "health": (-1_000, 1_000), "durability": (-1_000, 1_000),
           "more": (-10, 10), "dearer": (0, 30), "cheaper": (0, 30), "copies": (0, 10),
           "n": (0, 1_000)}
_OFFERED = {"who", "card", "keywords", *NUMBERS}  # of the parameters that these functions have


class Effect(NamedTuple):
    """An effect: its row, whose it is, and the uid of the character that it aims at, 0 for none."""

    row: Row
    player: int
    target: int


def effect_of(name: str, target: Any, player: int, now: GameSnapshot, ruleset: str,
              arguments: Mapping[str, Any]) -> Effect:
    """Return an effect by its words. Raises CardError, ConfigError, GameError."""
    if not isinstance(name, str) or name not in EFFECTS:
        hint = did_you_mean(str(name), EFFECTS) or f"; known are {', '.join(sorted(EFFECTS))}"
        raise ConfigError(f"unknown effect {quoted(str(name))}{hint}")
    takes = {word: parameter for word, parameter
             in inspect.signature(EFFECTS[name]).parameters.items() if word in _OFFERED}
    aimed = takes.pop("who", None) is not None
    if aimed != (target is not None):
        raise ConfigError(f"the effect {name} " + (
            f"needs a target: a uid, the name of a character, or one of {', '.join(GROUPS)}"
            if aimed else "takes no target"))
    for word in arguments:
        if word not in takes:
            raise ConfigError(f"the effect {name} takes no {quoted(word)}"
                              + (did_you_mean(word, takes) or f"; it takes {', '.join(takes)}"
                                 if takes else "; it takes nothing"))
    for word, parameter in takes.items():
        needed = parameter.default is parameter.empty
        if needed and word not in arguments:
            raise ConfigError(f"the effect {name} needs {word}")
    who, uid = _aim(target, name, now, ruleset) if aimed else (None, 0)
    plain = {word: _argument(name, word, value, ruleset) for word, value in arguments.items()}
    keywords = plain.pop("keywords", ())
    row = EFFECTS[name](who, *keywords, **plain) if keywords else EFFECTS[name](
        **plain, **({"who": who} if aimed else {}))
    return Effect(row, player, uid)


def _argument(name: str, word: str, value: Any, ruleset: str) -> Any:
    """Return an argument as the vocabulary takes it. Raises CardError, ConfigError."""
    if word == "card":
        if not isinstance(value, str):
            raise ConfigError(f"card is {value!r}, but must be the name of a card")
        return cards_of(ruleset).id(value, "card", *KINDS.get(name, HOLDABLE))
    if word == "keywords":
        words = [value] if isinstance(value, str) else [*value]
        if not words:
            raise ConfigError("keywords is empty, but must name at least one")
        barred = 0 if cards_of(ruleset).tables["late"] else LATE_KEYWORDS
        known = {word: bit for word, bit in KEYWORDS.items() if not bit & barred}
        return [Keyword(words_to_bits([str(each)], known, "keywords")) for each in words]
    return whole(word, value, *NUMBERS[word])


def _aim(target: Any, name: str, now: GameSnapshot, ruleset: str) -> tuple[Who, int]:
    """Return the characters that are meant, and the uid of a single one. Raises GameError."""
    if isinstance(target, str) and target in GROUPS:
        return GROUPS[target], 0
    in_play = {c.uid: (c.card, hero) for player in BOTH for hero, c in [
        (True, now.hero(player)), *((False, c) for c in now.board(player))]}
    uid = _uid(target, in_play, ruleset)
    if in_play[uid][1] and name in MINIONS_ONLY:
        raise GameError(f"the effect {name} is for minions, not for heroes")
    return vocabulary.TARGET, uid


def _uid(target: Any, in_play: Mapping[int, tuple[int, bool]], ruleset: str) -> int:
    if not isinstance(target, str):
        uid = target.uid if isinstance(target, Piece) else target
        if isinstance(uid, bool) or not isinstance(uid, int) or uid not in in_play:
            raise GameError(f"no character in play has the uid {uid!r}; views show uids")
        return uid
    words = cards_of(ruleset)
    named = {uid: words.known[words.id(words.word(card), "")].name
             for uid, (card, _) in in_play.items()}
    fit = [uid for uid, title in named.items() if title.casefold() == target.casefold()]
    if len(fit) > 1:
        raise GameError(f"{len(fit)} characters are called {quoted(target)}; give the uid of one:"
                        f" {', '.join(map(str, fit))}")
    if not fit:
        raise GameError(f"no character {quoted(target)} is in play"
                        f"{did_you_mean(target, [*named.values(), *GROUPS])}")
    return fit[0]


def run(effect: Effect, table: Table, state: Array,
        numbers: CardNumbers | None) -> tuple[Array, list[Event]]:
    """Return the state, STATE (1,), after an effect, and its events. Raises GameError."""
    if state["result"][0] or state["pending"][0] != Phase.PLAY:
        raise GameError("an effect needs a running game without an open mulligan or choice")
    tables, start = with_program(table.setting.ruleset, (effect.row, vocabulary.deaths()))
    if tables["late"][0] != state["late"][0]:  # its later moves are another build's
        raise GameError(f"no card of ruleset {table.setting.ruleset} does this")
    changed = state.copy()
    frame = changed[0]["stack"][0]
    frame["pc"], frame["side"] = start, effect.player
    for name in ("ref", "subject", "other", "place", "target"):
        frame[name] = NONE
    if effect.target:
        frame["target_uid"] = effect.target
        frame["target"] = changed[0]["char"]["uid"].tolist().index(effect.target)
    changed[0]["depth"] = 1
    ours = table.by_tables(tables)
    ours.game = changed[0]
    events = Recorder(ours, numbers).resolve()
    after = ours.states()
    if after["depth"][0] or after["fault"][0]:
        raise GameError("the effect did not come to its end")
    return after, events
