"""Templates: what is escaped, what is not, and what is missing."""

import json
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import DictLoader, UndefinedError

from hsevo import pages

TEMPLATES = {
    "text": '<p title="{{ said }}">{{ said }}</p>',
    "data": '<script type="application/json">{{ said | tojson }}</script>',
    "files": '<style>{{ verbatim("reports/page.css") }}</style>',
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


def test_files_of_the_package_stay_as_they_are(render: Render) -> None:
    sheet = (pages.PACKAGE / "reports" / "page.css").read_text(encoding="utf-8")
    assert render("files") == f"<style>{sheet}</style>"
    assert "system-ui, sans-serif" in sheet


def test_every_template_compiles() -> None:
    found = [str(path.relative_to(pages.PACKAGE)) for path in pages.PACKAGE.rglob("*.j2")]
    assert sorted(found) == ["replays/page.html.j2", "reports/page.html.j2"]
    for name in found:
        assert pages._environment().get_template(name).name == name
