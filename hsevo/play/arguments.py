"""Checks of the arguments of games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hsevo import config
from hsevo.agents.registry import check_agents
from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import Deck, refuse_foreign
from hsevo.cards.tables import index
from hsevo.engine.record.state import NONE
from hsevo.errors import CardError, ConfigError, GameError, did_you_mean, printable, quoted
from hsevo.types import Array


def player_number(player: int) -> int:
    """Return 0 or 1. Raises GameError for anything else."""
    number = config.as_whole(player)
    if number not in (0, 1):
        raise GameError(f"player is {quoted(player)}, but must be 0 or 1")
    return int(number)


def check_rules(ruleset: str, decks: tuple[Deck, ...], seed: int, information: str, max_turns: int,
                players: Sequence[object]) -> None:
    """Refuse what no game can be played by. Raises CardError, ConfigError, DeckError."""
    refuse_foreign(decks, ruleset)
    known = index(ruleset)
    for deck in decks:
        for card in deck.ids:
            if card not in known:
                raise CardError(f"deck {quoted(deck.name)}: the ruleset {ruleset} has no card"
                                f" {quoted(card)}{did_you_mean(card, known)}")
    config.parts(information if isinstance(information, str) else repr(information))
    for name, number, low, high in (("max_turns", max_turns, 1, 32_000),
                                    ("seed", seed, 0, 2**64 - 1)):
        whole = config.as_whole(number)
        if whole is None or not low <= whole <= high:
            raise ConfigError(f"{name} is {printable(number)}, but must be a whole number from"
                              f" {low} to {high:,}")
    if len(players) != 2:
        raise ConfigError(f"players has {len(players)} entries, but must have 2")


def check_first(first: object) -> int:
    """Return the player who begins, NONE for None. Raises ConfigError."""
    number = NONE if first is None else config.as_whole(first)
    if number not in (NONE, 0, 1) or (first is not None and number == NONE):
        raise ConfigError(f"first is {printable(first)}, but must be 0, 1 or None (by chance)")
    return int(number)


def check_fatigue(fatigue: object) -> bool:
    """Return whether there is fatigue. Raises ConfigError."""
    if not isinstance(fatigue, bool | np.bool_):
        raise ConfigError(f"fatigue is {printable(fatigue)}, but must be True or False")
    return bool(fatigue)


def one_agent(agent: Array) -> Array:
    """Return an agent as AGENT (1,). Raises AgentError, GameError."""
    if getattr(agent, "dtype", None) != AGENT or agent.size != 1:
        raise GameError("an agent must be an AGENT record (1,) from hsevo.agents")
    check_agents(np.atleast_1d(agent))
    return np.atleast_1d(agent)
