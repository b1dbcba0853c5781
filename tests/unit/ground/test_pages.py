"""Templates: what is escaped, what is not, and what is missing."""

import html
import json
import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import DictLoader, UndefinedError

from hsevo import pages
from hsevo.pictures import style_sheet

TEMPLATES = {
    "text": '<p title="{{ said }}">{{ said }}</p>',
    "data": '<script type="application/json">{{ said | tojson }}</script>',
    "files": '{{ head("reports/page.css", "reports/page.js") }}{{ script("reports/page.js") }}',
}
Render = Callable[..., str]


@pytest.fixture(scope="module")
def render() -> Render:
    """Return `pages.render` with templates of this test's."""
    made = pages._environment().overlay(loader=DictLoader(TEMPLATES))
    return lambda name, **values: made.get_template(name).render(values)


class Seen(HTMLParser):
    """What a browser finds: tags, attributes, text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.titles: list[str | None] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.titles += [value for name, value in attrs if name == "title"]

    def handle_data(self, data: str) -> None:
        self.text += data


# A carriage return is no text of a name, and HTMLParser leaves surrogates alone.
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]))


@settings(deadline=None)  # the first example compiles a template
@given(texts | texts.map(lambda text: f'"><script>{text}</script>'))
def test_any_text_stays_text(render: Render, said: str) -> None:
    seen = Seen(render("text", said=said))
    assert (seen.tags, seen.titles, seen.text) == (["p"], [said], said)


@settings(deadline=None)  # the first example compiles a template
@given(st.recursive(texts | st.integers() | st.booleans(), lambda inner: st.lists(inner)))
def test_data_is_read_back_and_cannot_end_its_script(render: Render, said: Any) -> None:
    page = render("data", said=["</script><!--", said])
    seen = Seen(page)
    assert seen.tags == ["script"]
    assert json.loads(seen.text) == ["</script><!--", said]
    assert page.count("<") == 2


def test_data_with_no_number_is_refused(render: Render) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        render("data", said=float("nan"))


def test_a_value_that_is_not_given_is_an_error(render: Render) -> None:
    with pytest.raises(UndefinedError, match="'said' is undefined"):
        render("text")


def test_the_policy_allows_the_page_its_own_style_and_script_alone(render: Render) -> None:
    """The hashes are those of what stands between the tags, as a browser computes them."""
    page = render("files")
    sheet, code = ((pages.PACKAGE / "reports" / f"page.{ending}").read_text(encoding="utf-8")
                   for ending in ("css", "js"))
    style, script = (re.search(rf"<{tag}>(.*)</{tag}>", page, re.DOTALL) for tag in
                     ("style", "script"))
    assert style is not None
    assert script is not None
    assert style[1] == style_sheet() + sheet
    assert script[1] == code
    policy = html.unescape(re.search(r'content="([^"]*)"', page)[1])  # type: ignore[index]
    digests = [b64encode(sha256(text.encode()).digest()).decode() for text in (style[1], script[1])]
    assert policy == (f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src"
                      f" 'sha256-{digests[1]}'; base-uri 'none'; form-action 'none'")


def test_what_a_script_and_a_sheet_import_stands_before_them_once() -> None:
    """The board of the browser game is in the page of a game, and nothing is left to fetch."""
    code, sheet = pages._code("replays/page.js"), pages._sheet("replays/page.css")
    for name, module in (("board.js", "class Board"), ("draw.js", "function make("),
                         ("say.js", "const say =")):
        text = (pages.PACKAGE / "web/static" / name).read_text(encoding="utf-8")
        body = [line for line in text.splitlines() if not line.startswith(("import ", "export "))]
        assert all(line in code for line in body)
        assert code.count(module) == 1
    assert not re.search("^(import|export) ", code, re.MULTILINE)
    for name in ("palette", "play", "board"):
        text = (pages.PACKAGE / f"web/static/{name}.css").read_text(encoding="utf-8")
        assert sheet.count(text) == 1
    assert "@import" not in sheet


def test_every_template_compiles() -> None:
    found = [str(path.relative_to(pages.PACKAGE)) for path in pages.PACKAGE.rglob("*.j2")]
    assert {"cards/gallery.html.j2", "replays/page.html.j2", "reports/page.html.j2",
            "web/game.html.j2"} <= {*found}
    for name in found:
        assert pages._environment().get_template(name).name == name
