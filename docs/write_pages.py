"""Write the finished pages of the site into a folder, from which any builder of Markdown makes it.

    python docs/write_pages.py build/pages    the finished pages
    python docs/write_pages.py                the generated parts of the pages in docs/pages, and
                                              hsevo/generated.py (keywords.py)

A page has its generated parts and its figures in it. <!-- begin generated.PART --> and <!-- end
generated.PART --> enclose a part that generated.py makes; in docs/pages, a link stands for a copy
of another file. <!-- NAME.KEY -->50.31 %<!-- / --> quotes figures.yml. A name that is not there, or
a figure that differs, ends with one line and exit code 1.
"""

import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import figures
import generated
import keywords

PAGES = Path(__file__).parent / "pages"
PART = re.compile(r"<!-- begin (generated\.\w+) -->\n.*?<!-- end \1 -->", re.DOTALL)
COPIES = {"generated.changes": "CHANGELOG.md", "generated.cases": "tests/cases/README.md",
          "generated.vocabulary": "hsevo/cards/README.md"}
# How much more than others a page counts in a search: who searches wants to do something first.
BOOSTS = (("tutorial", 4), ("how-to/", 4), ("reference/python/index", 3),
          ("reference/python/", 0.5), ("reference/commands", 0.5), ("changes", 0.2))


def finish(text: str, parts: Mapping[str, str], quoted: Mapping[str, str]) -> str:
    """Return a page with its generated parts, without the marks of parts and figures.

    Raises KeyError for a part or figure that is not there, ValueError for a figure that differs.
    """
    checked = figures.check(text, quoted)
    return PART.sub(lambda part: parts[part[1]].rstrip(), checked)


def without_parts(text: str) -> str:
    """Return a page without its generated parts."""
    return PART.sub("", text)


def refresh(text: str, name: str, parts: Mapping[str, str]) -> str:
    """Return a page of docs/pages with its generated parts as they are now. Raises KeyError."""
    up = "../" * (2 + name.count("/"))

    def part(found: re.Match[str]) -> str:
        copied = COPIES.get(found[1])
        new = f"[{copied}]({up}{copied})" if copied else parts[found[1]].rstrip()
        return f"<!-- begin {found[1]} -->\n\n{new}\n\n<!-- end {found[1]} -->"

    return PART.sub(part, text)


def refresh_pages() -> None:
    """Write the generated parts as they are now into all pages, and hsevo/generated.py."""
    keywords.PATH.write_text(keywords.text(), encoding="utf-8")
    for path in sorted(PAGES.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        new = refresh(text, path.relative_to(PAGES).as_posix(), generated.parts())
        if new != text:
            path.write_text(new, encoding="utf-8")


def head(name: str) -> str:
    """Return what stands above a page for the builder, or "".

    How much it counts in a search; the first page has no lists of pages and sections beside it.
    """
    if name == "index.md":
        return "---\nhide: [navigation, toc]\n---\n\n"
    boost = next((boost for begin, boost in BOOSTS if name.startswith(begin)), None)
    return f"---\nsearch:\n  boost: {boost}\n---\n\n" if boost else ""


def write(folder: Path) -> None:
    """Write all pages, finished, and what they show into a folder, which is emptied first.

    Raises ValueError with the page's name if one can't be finished.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PAGES, folder)
    parts, quoted = generated.parts(), figures.quoted(figures.read())
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).as_posix()
        try:
            text = finish(path.read_text(encoding="utf-8"), parts, quoted)
            path.write_text(f"{head(name)}{text}", encoding="utf-8")
        except (KeyError, ValueError) as error:
            said = f"nothing is called {error}" if isinstance(error, KeyError) else error
            raise ValueError(f"docs/pages/{name}: {said}") from None


if __name__ == "__main__":
    try:
        if sys.argv[1:]:
            write(Path(sys.argv[1]))
        else:
            refresh_pages()
    except ValueError as error:
        sys.exit(f"docs: {error}")
