"""The page of all cards: every card is on it, as it reads elsewhere, and it fetches nothing."""

import functools
import re
from html import unescape
from pathlib import Path

import pytest

import hsevo
from hsevo.cards import tables
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.terms import Kind
from hsevo.cards.wording.text import text
from hsevo.errors import CardError
from tests.support.command import hsevo as command

CARDS = tables.cards("cig2018")


@pytest.fixture(scope="module")
def page() -> str:
    return hsevo.cards.page()  # of cig2018


@functools.cache
def page_of(ruleset: str) -> str:
    """Return the page of a ruleset, which takes seconds."""
    return hsevo.cards.page(ruleset)


def articles(page: str) -> dict[str, str]:
    """Return the HTML of each card by id."""
    return {unescape(found[1]): found[0] for found in re.finditer(
        r'<article id="([^"]+)".*?</article>', page, re.DOTALL)}


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_card_is_on_the_page_with_its_text(ruleset: str) -> None:
    cards = tables.cards(ruleset)
    shown = articles(page_of(ruleset))
    assert shown.keys() == {id for id, card in cards.items() if card.kind is not Kind.NONE
                            and tables.is_legal(id, ruleset)}
    for id, html in shown.items():
        said = words(html)
        assert words(cards[id].name) in said
        assert all(" ".join(line.split()) in said for line in text(cards, id)), id
        assert f'data-cost="{cards[id].cost}"' in html
        assert (" data-token" in html) != cards[id].collectible


def test_a_card_says_what_it_makes_and_what_other_rulesets_change(page: str) -> None:
    shown = articles(page)
    assert "Whelp, 1 mana, 1/1" in words(shown["EX1_116"])
    assert "In msg2017 it costs 2; it is in these random pools:" in words(shown["CS2_106"])
    assert "In msg2017 its text is: Gain 2 mana this turn only. " in words(shown["EX1_169"])
    assert "<summary>creates 30 cards" in shown["CFM_715"]
    assert 'data-class="mage priest warlock"' in shown["CFM_621"]


def test_every_filter_has_the_words_of_the_cards(page: str) -> None:
    for name in ("set", "rarity"):
        options = set(re.findall(r"<option>([^<]+)", re.search(
            rf'<select id="{name}">.*?</select>', page, re.DOTALL)[0]))  # type: ignore[index]
        there = set(re.findall(rf'data-{name}="([^"]+)"', page))
        assert options == there
    classes = set(" ".join(re.findall(r'data-class="([^"]+)"', page)).split())
    assert classes == {cls.lower() for cls in re.findall(r"<option>([^<]+)", re.search(
        r'<select id="class">.*?</select>', page, re.DOTALL)[0])}  # type: ignore[index]


def test_it_fetches_nothing_and_has_no_picture(page: str) -> None:
    assert "default-src 'none'" in unescape(page)
    assert not re.search(r"<(img|svg|link|iframe|object)|url\(|https?://", page)
    assert len(page) < 3_000_000


def test_an_unknown_ruleset_is_an_error() -> None:
    with pytest.raises(CardError, match="unknown ruleset 'cig2081'"):
        hsevo.cards.page("cig2081")


def test_the_command_writes_it(tmp_path: Path) -> None:
    result = command("cards", "page", "--out", tmp_path / "cards.html", "--ruleset", "msg2017")
    assert result.exit_code == 0, result.output
    written = (tmp_path / "cards.html").read_text(encoding="utf-8")
    assert written == page_of("msg2017")
    assert f"{len(articles(written))} cards of msg2017" in result.output
    assert command("cards", "page", "--out", tmp_path / "x" / "cards.html").exit_code == 2
    assert command("cards", "page").exit_code == 2
