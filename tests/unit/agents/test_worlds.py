"""Sampled worlds: changes of hidden cards stay, and are dealt anew."""

from collections import Counter
from typing import Any

import numpy as np

from hsevo.cards.tables import by_name, index, tables
from hsevo.engine.record.codec import BONUS, CARD_MASK, CHEAPER
from hsevo.engine.record.state import FAIR, GAME, LEAKY
from tests.support.state_adapter import World
from tests.support.state_entry import DEAL, FAIR_WORLD

WORLD = World()

WISP, AXE, COIN = (index()[id] for id in ("CS2_231", "CS2_106", "GAME_005"))
BIGGER, CHEAP = 1 << BONUS, 1 << CHEAPER


def dealt(deck: list[int], seed: int) -> list[int]:
    """Return a deck after its changes were dealt anew."""
    games: Any = np.zeros(1, GAME).view(np.recarray)
    games["rng"] = seed
    side = games[0].side[1]
    side.deck[: len(deck)], side.n_deck = deck, len(deck)
    WORLD.drive(games, DEAL, [1])
    return side.deck[: len(deck)].tolist()


def test_changes_go_to_random_minions_and_weapons_and_none_is_lost() -> None:
    deck = [WISP + BIGGER, COIN, WISP, AXE + CHEAP, WISP]
    seen = set()
    for seed in range(60):
        after = dealt(deck, seed)
        assert [entry & CARD_MASK for entry in after] == [WISP, COIN, WISP, AXE, WISP]
        changes = Counter(entry & ~CARD_MASK for entry in after)
        assert changes == {0: 3, BIGGER: 1, CHEAP: 1}
        assert after[1] == COIN
        seen.add(tuple(entry & ~CARD_MASK for entry in after))
    assert len(seen) == 4 * 3  # each ordered pair of places


def test_where_the_changes_were_does_not_matter() -> None:
    one, other = [WISP + BIGGER, WISP, AXE], [WISP, WISP, AXE + BIGGER]
    assert all(dealt(one, seed) == dealt(other, seed) for seed in range(20))


def test_a_deck_without_changes_stays_as_it_is() -> None:
    assert dealt([WISP, COIN, AXE], 1) == [WISP, COIN, AXE]


def test_secrets_listen_in_a_world_even_of_a_position_where_none_do() -> None:
    """As in a fair look-ahead, from which the reply to a turn begins."""
    games: Any = np.zeros(2, GAME).view(np.recarray)
    g, cards, events = games[0], tables().card, 0
    for player, name in enumerate(("Explosive Trap", "Ice Block")):
        number = index()[by_name()[name]]
        g.side[player].secret[0].card, g.side[player].n_secrets = number, 1
        assert int(cards[number].watch) & ~events  # each listens to something else
        events |= int(cards[number].watch)
    g.sight = FAIR
    WORLD.drive(games, FAIR_WORLD, [0])
    assert games[1].watch == events
    assert games[1].sight == LEAKY
