"""What is seen of a player's cards: against the cards that there are, in random games."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from hsevo.cards.tables import index
from hsevo.engine.record.codec import CARD_MASK
from hsevo.engine.rules.evidence import DRAWN, MADE
from hsevo.play.games import GameBatch
from hsevo.strength.roster import read_agent
from tests.support.random_games import begin

COIN = "GAME_005"


def held(side: Any, coin: int) -> Counter[int]:
    """Return the cards in hand and deck, but The Coin."""
    hand = side["hand"]["card"][:side["n_hand"]].tolist()
    deck = (side["deck"][:side["n_deck"]] & CARD_MASK).tolist()
    return Counter(hand + deck) - Counter({coin: 60})


def origins(side: Any, evidence: Any) -> list[tuple[int, int]]:
    """Return each card in hand and secret, with its origin."""
    n, secrets = side["n_hand"], side["n_secrets"]
    shifting = int(side["shifting"])  # it shows that it was made when it is shown
    hand = [(card, MADE if shifting >> k & 1 else origin) for k, (card, origin) in enumerate(zip(
        side["hand"]["card"][:n].tolist(), evidence["hand"][:n].tolist(), strict=True))]
    return [*hand, *zip(side["secret"]["card"][:secrets].tolist(),
                        evidence["secret"][:secrets].tolist(), strict=True)]


def wrong(side: Any, evidence: Any, deck_list: Counter[int]) -> list[str]:
    """Return what can't be, given the cards with which a player began."""
    known = origins(side, evidence)
    deck = side["deck"][:side["n_deck"]] & CARD_MASK
    seen = int(side["unseen"]) >> np.arange(len(deck)) & 1 == 0
    hidden = Counter(deck[seen].tolist()) + Counter(card for card, from_ in known if from_ == DRAWN)
    shown = Counter(evidence["shown"][:evidence["n_shown"]].tolist())
    inside = Counter(evidence["inside"][:evidence["n_inside"]].tolist())
    found = []
    if any(from_ not in (DRAWN, MADE, card) for card, from_ in known):
        found.append("a card that is known is another")
    if evidence["hand"][side["n_hand"]:].any() or evidence["secret"][side["n_secrets"]:].any():
        found.append("a card that is not there is known")
    if shown - deck_list:
        found.append("a card was shown that was not in the deck")
    if inside - Counter(deck.tolist()) - Counter(card for card, _ in known):
        found.append("a card that is known to be there is not")
    if hidden - (deck_list - shown + inside):
        found.append("a card that was shown is still hidden")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_what_was_seen_agrees_with_the_cards_that_there_are(seed: int) -> None:
    """The list less what was shown, with what went in, has every card that is hidden."""
    games, random = begin(seed, 150)
    coin, count = index()[COIN], Counter[str]()
    lists = [[held(side, coin) for side in game["side"]] for game in states(games)]
    for _ in range(70):
        games.step(games.sample(random))
        for game, pair in zip(states(games), lists, strict=True):
            for side, evidence, deck_list in zip(game["side"], game["evidence"], pair,
                                                 strict=True):
                if game["pending"] < 2 and not evidence["remade"]:
                    assert wrong(side, evidence, deck_list) == []
                    count["shown"] += int(evidence["n_shown"])
                    count["inside"] += int(evidence["n_inside"])
                count["remade"] += int(evidence["remade"])
    assert count["shown"] > 50_000
    assert count["inside"] > 100


def states(games: GameBatch) -> Any:
    return games.states.view(np.ndarray)


def test_the_coin_is_known_and_nothing_else_at_first() -> None:
    games = begin(5, 40)[0]
    while (states(games)["pending"] >= 2).any():
        games.step(np.zeros(40, np.int64))
    for game in states(games):
        second = 1 - game["first"]
        assert game["evidence"][second]["hand"][:5].tolist() == [DRAWN] * 4 + [index()[COIN]]
        assert not game["evidence"][game["first"]]["hand"].any()
        assert not game["evidence"]["n_shown"].any()


def test_a_look_ahead_notes_nothing() -> None:
    """Its copies are made without what was seen, and decide nothing by it."""
    games, random = begin(6, 100)
    for _ in range(30):
        games.step(games.sample(random))
    other = games.take(slice(None))
    other.states.view(np.ndarray)["evidence"] = 0
    eva = read_agent("eva:2018")
    assert (games.ask(eva) == other.ask(eva)).all()
