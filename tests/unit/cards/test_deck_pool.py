"""The cards that decks may be built of."""

from pathlib import Path

import numpy as np
import pytest

from hsevo.cards.deck_pool import DeckPool, read_collection
from hsevo.cards.decks import read_deck
from hsevo.cards.terms import Rarity
from hsevo.errors import DeckError, HsevoError


def test_a_pool_has_cards_of_its_class_and_neutral_ones() -> None:
    pool = DeckPool.of("mage", sets=["basic", "classic"])
    classes = {card.cls.name for card in pool.cards}
    assert classes == {"MAGE", "NEUTRAL"}
    legendary = np.array([card.rarity is Rarity.LEGENDARY for card in pool.cards])
    assert {*pool.most[legendary].tolist()} == {1}
    assert {*pool.most[~legendary].tolist()} == {2}
    assert list(pool.costs) == sorted(pool.costs)


def test_a_deck_and_its_counts_are_the_same() -> None:
    pool, deck = DeckPool.of("mage"), read_deck("mage")
    again = pool.deck(pool.counts(deck), "mage")
    assert sorted(again.ids) == sorted(deck.ids)
    with pytest.raises(DeckError, match="is a warrior deck, but must be a mage deck"):
        pool.counts(read_deck("warrior"))
    with pytest.raises(DeckError, match="but the pool allows fewer"):
        DeckPool.of("mage", ban=["Frostbolt", "Mana Wyrm"]).counts(deck)
    with pytest.raises(DeckError, match="too few copies of Wisp"):
        DeckPool.of("mage", keep=["Wisp"]).counts(deck)


def test_a_collection_limits_copies(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("card,copies\nFireball,1\nFrostbolt,0\nWisp,7\n\"N'Zoth, the Corruptor\",1\n")
    owned = read_collection(file)
    assert sorted(owned.values()) == [1, 1, 7]
    lines = tmp_path / "mine.txt"
    lines.write_text("# what I have\n1x Fireball\n" + "".join(f"2x {card.name}\n" for card in
                     DeckPool.of("mage", sets=["basic"]).cards if card.name != "Fireball"))
    pool = DeckPool.of("mage", collection=lines)
    copies = dict(zip([card.name for card in pool.cards], pool.most.tolist(), strict=True))
    assert copies["Fireball"] == 1
    assert copies["Frostbolt"] == 2
    assert "Dr. Boom" not in copies


@pytest.mark.parametrize(("how", "says"), [
    ({"sets": ["naxxx"]}, "unknown set 'naxxx'"),
    ({"ban": ["Fierball"]}, "ban: unknown card 'Fierball'; did you mean 'Fireball'?"),
    ({"ban": ["Execute"]}, "ban has 'Execute', which no deck of a mage has here anyway"),
    ({"keep": ["3x Fireball"]}, "keep has 3x Fireball, but a mage deck may have 2"),
    ({"keep": ["Wisp"], "ban": ["Wisp"]}, "Wisp is in both keep and ban"),
    ({"sets": ["basic"], "keep": ["Dr. Boom"]}, "keep has 1x Dr. Boom, but a mage deck may have 0"),
    ({"collection": "none.txt"}, "none.txt"),
])
def test_what_is_no_pool_gets_one_line(how: dict[str, object], says: str) -> None:
    with pytest.raises(HsevoError) as error:
        DeckPool.of("mage", **how)  # type: ignore[arg-type]
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("text", "says"), [
    ("", "has no card; a collection has lines"), ("2x Fierball\n", "did you mean 'Fireball'?"),
    ("card,copies\n", "has no card"), ("2x Fireball\n", "a mage may take 2 here"),
    ("card,copies\nFireball\n", "unknown card"), ("0x Fireball\n", "from 1 to 60 copies")])
def test_a_collection_that_is_none_gets_one_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises(DeckError) as error:
        DeckPool.of("mage", collection=tmp_path / "mine.csv")
    assert says in str(error.value)
    assert "\n" not in str(error.value)
