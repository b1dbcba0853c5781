"""Cards that a text has put into the own deck without showing them are hidden from their player."""

from typing import Any

import numpy as np
import pytest

from hsevo import learning
from hsevo.cards.decks import Deck, read_deck
from hsevo.cards.tables import cards, index
from hsevo.cards.terms import Class
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import CARD_MASK, PLAY, PLAYS, encode_play
from hsevo.engine.record.state import DECK, Phase
from hsevo.engine.view.observe import UNKNOWN
from hsevo.play.games import GameBatch
from tests.support.random_games import pick

PRINCE, MONKEY, RENOUNCE, BARNES, JOUSTER, IDOL = (
    "KAR_096", "LOE_019t2", "OG_118", "KAR_114", "AT_108", "CFM_602")
VANILLA = ("CS2_120", "CS2_182", "CS2_200", "CS2_119", "CS2_118", "CS2_186", "CS2_172")


def unseen(games: GameBatch) -> Any:
    """Return which cards of the decks are unseen, bool (n, 2, DECK)."""
    return games.states["side"]["unseen"][:, :, None] >> np.arange(DECK) & 1 == 1


def in_decks(games: GameBatch) -> Any:
    """Return the numbers of the cards in the decks, (n, 2, DECK), 0 behind the last."""
    side = games.states["side"]
    there = np.arange(DECK) < side["n_deck"][:, :, None]
    return np.where(there, side["deck"] & CARD_MASK, 0)


def only_known(games: GameBatch, known: list[int]) -> Any:
    """Return the legal moves without plays of other cards than those known."""
    masks = games.legal_moves()
    for i, player in enumerate(games.players):
        for h, held in enumerate(games.states[i]["side"][player]["hand"]["card"]):
            if held not in known:
                masks[i, PLAY + h * PLAYS:PLAY + (h + 1) * PLAYS] = False
    return masks


@pytest.mark.parametrize("ordered", [False, True])
def test_what_the_prince_adds_is_unknown_until_it_is_drawn(ordered: bool) -> None:
    """Drawn cards leave the deck, and Jade Idols, which all see, are shuffled into it."""
    n, number = 30, index()
    deck = Deck.of("prince", "DRUID", (PRINCE, *(IDOL,) * 3, *VANILLA * 2))
    games = GameBatch.new(deck, read_deck("mage"), np.arange(n), ordered=ordered)
    known, random = [number[id] for id in deck.ids], np.random.default_rng(1)
    assert {*unseen(games).sum(axis=2)[:, 0].tolist()} == {4, 5}  # one may be drawn at once
    grown = drawn = 0
    for _ in range(80):
        before = games.states["side"]["n_deck"][:, 0].copy()
        games.step(pick(only_known(games, known), random))
        held, hidden = in_decks(games)[:, 0], unseen(games)[:, 0]
        assert (hidden == ((held > 0) & ~np.isin(held, known))).all()
        grown += (games.states["side"]["n_deck"][:, 0] > before)[hidden.any(axis=1)].sum()
        drawn += (hidden.sum(axis=1) < 5).sum()
        seen = learning.split(learning.observe(games, 0)[0])["deck"][:, :, 0]
        rows = learning.vocabulary.rows("cig2018")[held]
        rows[hidden] = UNKNOWN
        for shown, true in zip(seen, rows, strict=True):
            assert shown[shown > 0].tolist() == sorted(true[true > 0].tolist())
    assert min(grown, drawn) > 5


def after_playing(card: str, hero: Deck, hidden: int = 0) -> GameBatch:
    """Return 20 games after a turn's player 0 has played a card; hidden: unseen before, as bits."""
    games = GameBatch.new(hero, read_deck("mage"), np.arange(60))
    games = games.take(games.players == 0).take(slice(20))
    side = games.states.view(np.ndarray)["side"]
    side["hand"]["card"][:, 0, 0], side["mana"][:, 0] = index()[card], 10
    side["unseen"] = hidden
    games.step(np.full(20, plain(encode_play)(0, 0, 0, 0)))
    assert (games.states["pending"] == Phase.PLAY).all()
    return games


def test_a_new_deck_is_unknown() -> None:
    games = after_playing(MONKEY, read_deck("shaman"))
    deck = learning.split(learning.observe(games, 0)[0])["deck"][:, :, 0]
    size = games.states["side"]["n_deck"][:, 0]
    assert (deck == np.where(np.arange(DECK) < size[:, None], UNKNOWN, 0)).all()
    assert not unseen(games)[:, 1].any()


def test_what_renounced_cards_became_is_unknown() -> None:
    deck = Deck.of("warlock", "WARLOCK", (*VANILLA * 2, *("EX1_302", "CS2_062", "EX1_308") * 5))
    games = after_playing(RENOUNCE, deck)
    assert all(cards()[id].cls is Class.WARLOCK for id in deck.ids[14:])
    held, hidden = in_decks(games)[:, 0], unseen(games)[:, 0]
    assert (hidden == ((held > 0) & ~np.isin(held, [index()[id] for id in VANILLA]))).all()
    assert hidden.any(axis=1).all()


@pytest.mark.parametrize(("card", "revealed"), [(BARNES, [1, 0]), (JOUSTER, [1, 1])])
def test_a_card_that_a_text_shows_is_known(card: str, revealed: list[int]) -> None:
    every = (1 << 20) - 1  # fewer than are left, all minions in the own deck
    deck = Deck.of("minions", "PRIEST", VANILLA * 4)
    games = after_playing(card, deck, every)
    known = (np.arange(20) < 20) & ~unseen(games)[:, :, :20]
    gone = known.sum(axis=2)
    assert (gone <= revealed).all()
    assert (gone.sum(axis=0) >= np.array(revealed) * 5).all()
    if card == BARNES:
        copies = games.states["char"]["card"][:, 1]
        for shown, bits, held in zip(copies, known[:, 0], in_decks(games)[:, 0], strict=True):
            assert set(held[:20][bits]) <= {shown}
