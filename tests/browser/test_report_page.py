"""The page of a report in a real browser: what its figures say, what scrolls, what is folded."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import fake
from tests.support.browser import MISSING, browser
from tests.support.command import hsevo
from tests.support.folders import make

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from hsevo.play import match

    folder = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        fake.install(lambda name, value: patch.setattr(match, name, value))
        make(folder / "run")
    result = hsevo("report", folder / "run", "--out", folder / "report")
    assert result.exit_code == 0, result.output
    return folder / "report" / "report.html"


@pytest.fixture(scope="module")
def tab(file: Path) -> Iterator[Any]:
    with browser(390, 800, touch=True) as page:
        page.open(file)
        yield page


def test_nothing_is_wider_than_a_phone_but_what_scrolls(tab: Any) -> None:
    assert tab.run("return document.documentElement.scrollWidth") <= 390
    wide = tab.run("return [...document.querySelectorAll('.wide')].map((box) =>"
                   " [box.scrollWidth > box.clientWidth + 1, box.classList.contains('scrolls'),"
                   " box.tabIndex === 0])")
    assert any(scrolls for scrolls, *_ in wide)
    assert all(scrolls == said == reached for scrolls, said, reached in wide)


def test_each_command_has_a_button_that_copies_it(tab: Any) -> None:
    commands = tab.run("return document.querySelectorAll('.command code').length")
    assert commands == tab.run("return document.querySelectorAll('.command button.copy').length")
    assert commands > 0
    said = tab.run("""
        const button = document.querySelector(".command button.copy");
        button.click();
        return new Promise((done) => setTimeout(() => done(button.textContent), 300));""")
    assert said in ("copied", "selected")


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_as_wcag_aa_asks(file: Path, dark: bool) -> None:
    """Ratio of luminances by WCAG 2.2, 1.4.3: at least 4.5 for text."""
    with browser(1280, 900) as page:
        page.open(file)
        page.dark(dark)
        found = page.run("""
            const style = getComputedStyle(document.documentElement);
            const light = (name) => {
              const hex = style.getPropertyValue(name).trim();
              const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
                .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            return ["--ink", "--soft", "--link"].flatMap((text) => ["--back", "--panel"].map(
              (back) => ratio(light(text), light(back))));""")
    assert min(found) >= 4.5, found


def test_a_figure_says_its_numbers_under_a_finger(tab: Any) -> None:
    said = tab.run("""
        const part = document.querySelector("#fitness svg rect[data-words]");
        part.dispatchEvent(new PointerEvent("pointerdown",
          {bubbles: true, clientX: 50, clientY: 300}));
        const box = document.querySelector("#say");
        const at = box.getBoundingClientRect();
        return [box.hidden, box.textContent, at.left >= 0 && at.right <= innerWidth];""")
    assert said[0] is False
    assert said[1].startswith("generation 0: median ")
    assert said[2] is True
    tab.run("document.body.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))")
    assert tab.run("return document.querySelector('#say').hidden")


def test_the_answer_is_first_and_a_link_unfolds_its_section(tab: Any) -> None:
    first = tab.run("return document.querySelector('h1').nextElementSibling.className")
    assert first == "answer"
    assert tab.run("return document.querySelector('#groups').closest('details').open") is False
    tab.run("location.hash = '#groups'; return new Promise((done) => setTimeout(done, 50))")
    assert tab.run("return document.querySelector('#groups').closest('details').open") is True


def test_the_policy_lets_the_page_be_and_nothing_else(file: Path) -> None:
    with browser(1280, 900) as page:
        page.open(file)
        assert page.run("return getComputedStyle(document.querySelector('.answer')).borderStyle"
                        ) == "solid"  # its own style sheet holds
        refused = page.run("""
            const seen = [];
            document.addEventListener("securitypolicyviolation", (event) =>
              seen.push(event.violatedDirective));
            const image = new Image();
            image.src = "https://example.invalid/x.png";
            document.body.append(image);
            document.querySelector("h1").setAttribute("style", "color: red");
            return new Promise((done) => setTimeout(() => done(seen.sort()), 100));""")
        assert refused == ["img-src", "style-src-attr"]
