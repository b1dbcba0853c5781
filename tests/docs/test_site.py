"""The site: builds strictly, every link in it leads somewhere, no network is needed to read it."""

import re
import shlex
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pytest

from hsevo.agents.genomes.weights import NAMES
from hsevo.cli import main
from hsevo.config import Config
from tests.docs import PAGES, figures, generated, keywords, write_pages
from tests.support import ROOT, site

COMMANDS = dict(generated.walk(main, "hsevo"))
TEXTS = [*sorted(PAGES.rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    """The ids, links and loaded files of an HTML page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.ids = path, set[str]()
        self.links, self.loaded = list[str](), list[str]()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preconnect"):
            self.loaded.append(given["href"])
        self.loaded += [value for name, value in given.items() if (tag, name) in LOADED]


@pytest.mark.slow
def test_the_site_builds_and_every_link_leads_somewhere(
        tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = site.built(tmp_path_factory)
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    assert len(pages) > len(list(PAGES.rglob("*.md")))
    broken = [f"{page.path.name}: {link}" for page in pages.values()
              for link in [*page.links, *page.loaded] if not _leads(link, page, pages)]
    assert broken == []
    loaded = {link for page in pages.values() for link in page.loaded}
    assert {link for link in loaded if urlsplit(link).netloc} == set()
    styles = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.css"))
    assert re.findall(r"url\(['\"]?https?://", styles) == []
    assert (folder / "search" / "search_index.js").is_file()  # which a page from disk can read
    texts = [path.read_text(encoding="utf-8") for path in pages]
    assert not any("{{" in text for text in texts)


def _leads(link: str, page: Page, pages: dict[Path, Page]) -> bool:
    """Tell whether a link has a target here, or the form of an address elsewhere."""
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme == "https" and "." in parts.netloc
    target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
    target = target / "index.html" if target.is_dir() else target
    if page.path.name == "404.html":
        return True  # is made for a server's root
    return target.is_file() and (not parts.fragment or target not in pages
                                 or unquote(parts.fragment) in pages[target].ids)


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.md")), ids=lambda path: path.name)
def test_the_generated_parts_of_a_page_are_current(path: Path) -> None:
    """Whoever reads the file in a clone sees them: python docs/write_pages.py brings them up."""
    text, name = path.read_text(encoding="utf-8"), path.relative_to(PAGES).as_posix()
    assert write_pages.refresh(text, name, generated.parts()) == text
    assert "{{" not in text
    assert text.count("<!-- begin ") == len(write_pages.PART.findall(text))


def test_keywords_and_options_are_those_of_the_plans() -> None:
    """A change of a field is in hsevo/generated.py after `make pages`."""
    assert keywords.PATH.read_text(encoding="utf-8") == keywords.text(), "run: make pages"


def test_every_generated_part_is_on_a_page() -> None:
    used = [name for path in PAGES.rglob("*.md")
            for name in write_pages.PART.findall(path.read_text(encoding="utf-8"))]
    assert sorted(used) == sorted(generated.parts())


def test_a_page_read_in_a_clone_has_the_21_weights_in_it() -> None:
    text = (PAGES / "explanation" / "weights.md").read_text(encoding="utf-8")
    assert all(f"| {name} |" in text for name in NAMES)
    page = "<!-- begin generated.weights -->\nold\n<!-- end generated.weights -->\n"
    parts = {"generated.weights": "new"}
    assert write_pages.refresh(page, "x.md", parts) == page.replace("old", "\nnew\n")
    assert write_pages.finish(page, parts, {}) == "new\n"


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CONTRIBUTING.md"],
                         ids=lambda path: path.name)
def test_links_of_a_file_at_the_top_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8"))
    assert len(links) > 2
    for link in links:
        parts = urlsplit(link)
        assert parts.scheme == "https" or (ROOT / parts.path).exists(), link


def lines(path: Path) -> list[str]:
    """Return the commands that a text tells its reader to run, without prompts and comments."""
    text = write_pages.without_parts(path.read_text(encoding="utf-8"))
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    found = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    return [re.sub(r"\s+(#|> ).*", "", line) for line in found]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_command_in_a_text_exists_with_its_options(path: Path) -> None:
    for line in lines(path):
        _check(line)


def test_every_command_of_a_figure_exists_with_its_options() -> None:
    for one in figures.read():
        if "command" in one:
            _check(one["command"])


def test_the_first_commands_of_the_readme_are_there() -> None:
    found = lines(ROOT / "README.md")
    assert found[:2] == ["make evolve", "make test"]


def _check(line: str) -> None:
    """Raise if a command line names a command, option, target or module that is not there."""
    words = shlex.split(line.partition(" | ")[0])
    if words[0] == "make":
        targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
        assert {word for word in words[1:] if "=" not in word} <= set(targets), line
    elif words[:2] == ["python", "-m"]:
        assert words[2] == "pytest" or find_spec(words[2]), line
    elif words[0] == "hsevo":
        name = max((name for name in COMMANDS if f"{line} ".startswith(f"{name} ")), key=len)
        try:
            COMMANDS[name].make_context(name, words[len(name.split()):])
        except click.exceptions.Exit:
            pass  # --help, --version
        except click.UsageError as error:
            pytest.fail(f"{line}: {error.format_message()}")


def test_every_command_and_option_is_on_the_page_of_commands() -> None:
    page = generated.commands()
    for path, command in COMMANDS.items():
        section = page.partition(f"## {path}\n")[2].partition("\n## ")[0]
        assert section
        options = [one for one in command.params if isinstance(one, click.Option)]
        assert all(name in section for one in options for name in one.opts)


def test_every_config_key_is_described() -> None:
    page = generated.config_keys()
    schema = Config.model_json_schema(by_alias=True)
    parts = [schema, *schema["$defs"].values()]
    assert all(key.get("description") for part in parts for key in part["properties"].values())
    for key in ("`evolution.lambda`", "`rating.racing.rounds`", "`references.against`",
                "`workers.scheduler`", "`seed`"):
        assert key in page
    assert "| `evolution.mu` | whole number | `10` | &gt;= 1, &lt;= 5,000 |" in page


def test_readme_is_short() -> None:
    assert (ROOT / "README.md").stat().st_size <= 10_240


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_no_empty_line_splits_a_table(path: Path) -> None:
    """Rows after an empty line are shown as text with bars, unless they begin another table."""
    text = re.sub(r"(?s)^ *```.*?^ *```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    split = re.findall(r"^ *\|.*\n(?: *\n)+( *\|.*)\n(?! *\| *:?-)", text, re.MULTILINE)
    assert split == []
