"""The beginning of a game with fixed starting hands, as a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from hsevo.agents.shared.agent import RANDOM, agent
from hsevo.cards.tables import tables
from hsevo.config.models import is_closed
from hsevo.engine.record.codec import CARD_MASK
from hsevo.engine.record.state import GAME, HAND, OPENING
from hsevo.errors import ConfigError, brief, quoted
from hsevo.play.card_words import HOLDABLE, Cards, cards_of
from hsevo.play.match import PAIRING, Setting, Table
from hsevo.play.placing import many
from hsevo.play.position import Position
from hsevo.play.settling import settle_all

Hands: TypeAlias = Sequence[Sequence[str] | None]  # of players 0 and 1, None: by chance


def begun_with(hands: Hands, setting: Setting, seed: int) -> Position:
    """Return where a game begins in which players have these cards instead of those drawn first.

    The cards come out of the decks. The second player has The Coin, too. Raises CardError,
    ConfigError.
    """
    if is_closed(setting.information):
        raise ConfigError(f"hands can't be given with information {quoted(setting.information)}:"
                          " agents that guess deck lists would have to know which cards were drawn")
    if isinstance(hands, str) or not isinstance(hands, Sequence) or len(hands) != 2:
        raise ConfigError(f"hands is {brief(hands)}, but must be two items, each a list of cards or"
                          " None")
    table = Table(np.repeat(agent(RANDOM), 2), setting)
    table.deal(np.array([(0, 1, 0, 1, 1, seed)], PAIRING)[0], 0, begin=False)
    states, known = table.states(), cards_of(setting.ruleset)
    for player, hand in enumerate(hands):
        if hand is not None:
            _give(states[0], player, _numbers(hand, f"hands[{player}]", known), setting, known)
    settle_all(states.view(np.recarray), tables(setting.ruleset), np.zeros(1, GAME).view(
        np.recarray))
    table.game = states[0]
    while table.resolve() is not None:
        pass
    return Position.of(table.states(), setting.ruleset, setting.decks)


def _numbers(hand: Any, where: str, known: Cards) -> list[int]:
    """Return cards by table index. Raises CardError, ConfigError."""
    if isinstance(hand, str) or not isinstance(hand, Sequence) or not all(
            isinstance(word, str) for word in hand):
        raise ConfigError(f"{where} is {brief(hand)}, but must be a list of names of cards, or"
                          " None")
    return [known.number(word, f"{where}[{i}]", *HOLDABLE)
            for i, word in enumerate(many(hand, where))]


def _give(g: Any, player: int, wanted: list[int], setting: Setting, known: Cards) -> None:
    """Put the cards that a player has drawn back into the deck, and give it others of it."""
    side, drawn = g["side"][player], 4 - (player == int(g["first"]))
    held = [int(card) for card in side["hand"]["card"][:int(side["n_hand"])]]
    deck = [int(entry) for entry in side["deck"][:int(side["n_deck"])]] + held[:drawn][::-1]
    for number in wanted:
        there = [k for k, entry in enumerate(deck) if entry & CARD_MASK == number]
        if not there:
            raise ConfigError(f"hands[{player}]: the deck {setting.decks[player].name} has not so"
                              f" many copies of {known.word(number)}; hsevo.Game.at begins with any"
                              " cards")
        del deck[there[-1]]
    hand = [*wanted, *held[drawn:]]
    if len(hand) > HAND - 1 + (player == int(g["first"])):
        raise ConfigError(f"hands[{player}] has {len(wanted)} cards, but must have at most {HAND},"
                          f" and {HAND - 1} of the second player")
    side["hand"], side["deck"] = 0, 0
    side["hand"]["card"][:len(hand)], side["n_hand"] = hand, len(hand)
    side["deck"][:len(deck)], side["n_deck"] = deck, len(deck)
    if side["opening"].any():
        opening = (wanted + [0] * OPENING)[:OPENING]  # of more cards the first ones
        side["opening"] = opening
