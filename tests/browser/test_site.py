"""The site in a real browser, from disk: the copy button, the search, pages on a phone."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import site as built
from tests.support.browser import MISSING, browser

pytestmark = [pytest.mark.browser, pytest.mark.slow,
              pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]

# What a reader types, and the page that must be among the first three answers.
SEARCHES = {
    "deck code": "how-to/decks.html", "jupyter": "reference/python/index.html",
    "play against": "how-to/play.html", "callback": "reference/python/index.html",
    "gymnasium": "how-to/environments.html", "resume": "how-to/experiment.html",
    "which agent": "how-to/players.html", "tensorboard": "how-to/reports.html",
}
COPY = """
window.copied = null;
document.execCommand = () => { window.copied = getSelection().toString()
    || document.activeElement.value; return true; };
const block = [...document.querySelectorAll(".highlight")].find(
    (one) => one.textContent.includes(arguments[0]));
block.querySelector("button").click();
"""
FOUND = """
return [...document.querySelectorAll(".md-search-result__item > .md-search-result__link")]
    .map((link) => link.href);
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built.built(tmp_path_factory)


@pytest.fixture(scope="module")
def tab() -> Iterator[Any]:
    with browser(390, 800, touch=True) as page:
        yield page


def test_the_copy_button_copies_commands_without_their_prompts(site: Path, tab: Any) -> None:
    tab.open(site / "tutorial.html")
    tab.run(COPY, "source .venv/bin/activate")
    assert tab.soon("return window.copied") == "source .venv/bin/activate\nhsevo --help"


def test_a_search_finds_the_page(site: Path, tab: Any) -> None:
    missing = {}
    tab.open(site / "index.html")
    tab.run('document.querySelector("label.md-header__button[for=__search]").click()')
    for words, page in SEARCHES.items():
        tab.run('document.querySelector("[data-md-component=search-query]").select()')
        tab.write(words)
        if (found := _answers(tab, site, page)) is not None:
            missing[words] = found
    assert missing == {}


@pytest.mark.parametrize("page", ["index.html", "how-to/players.html", "tutorial.html"])
def test_a_page_fits_a_phone(site: Path, tab: Any, page: str) -> None:
    tab.open(site / page)
    assert tab.run("return document.documentElement.scrollWidth") <= 390


# Blocks of commands that are wider than the page, and words that stand on two lines.
BROKEN = """
const blocks = [...document.querySelectorAll(".md-typeset pre > code:has(> .gp)")];
return [...blocks.filter((code) => code.textContent.startsWith("$ ") && !code.querySelector(".go")
    && code.scrollWidth > code.clientWidth + 1).map((code) => code.textContent),
  ...blocks.flatMap((code) => [...code.querySelectorAll(".whole")]).filter(
    (word) => word.getClientRects().length > 1).map((word) => word.textContent)];
"""


@pytest.mark.parametrize("page", ["reference/commands.html", "results/evolving.html"])
def test_commands_are_read_on_a_phone_without_scrolling(site: Path, tab: Any, page: str) -> None:
    tab.open(site / page)
    assert tab.run('return document.querySelectorAll("pre > code .whole").length') > 5
    assert tab.run(BROKEN) == []


def _answers(tab: Any, site: Path, page: str) -> list[str] | None:
    """Return the first five answers, unless the page comes to be among the first three.

    The search answers while it is typed into: what stands there at first is for fewer letters.
    """
    found: list[str] = []
    for _ in range(100):
        found = [link.partition(f"{site.name}/")[2] for link in tab.run(FOUND)]
        if any(link.startswith(page) for link in found[:3]):
            return None
        time.sleep(0.05)
    return found[:5]
