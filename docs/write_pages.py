"""Write the finished pages of the site into a folder, from which any builder of Markdown makes it.

    python docs/write_pages.py build/pages

A finished page has its generated parts and its figures in it: {{ generated.PART }} is a part that
generated.py makes, and <!-- NAME.KEY -->50.31 %<!-- / --> quotes figures.yml. A name that is not
there, or a figure that differs, ends with one line and exit code 1. Pages with a generated part
begin with NOTE, for those who read the file itself.
"""

import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import figures
import generated

PAGES = Path(__file__).parent / "pages"
NOTE = ("*In the clone, parts of this page are missing: `make docs` fills them in, in"
        " `build/site`.*\n\n")
SLOT = re.compile(r"\{\{ *([\w.-]+) *\}\}")
# How much more than others a page counts in a search: who searches wants to do something first.
BOOSTS = (("tutorial", 4), ("how-to/", 4), ("reference/python/index", 3),
          ("reference/python/", 0.5), ("reference/commands", 0.5), ("changes", 0.2))


def finish(text: str, parts: Mapping[str, str], quoted: Mapping[str, str]) -> str:
    """Return a page with its generated parts, without NOTE and the marks of figures.

    Raises KeyError for a part or figure that is not there, ValueError for a figure that differs.
    """
    checked = figures.check(text.replace(NOTE, ""), quoted)
    return SLOT.sub(lambda slot: parts[slot[1]].rstrip(), checked)


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
        write(Path(sys.argv[1]))
    except ValueError as error:
        sys.exit(f"docs: {error}")
