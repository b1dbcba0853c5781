"""A report as files: one HTML page that needs nothing else, its figures, its tables."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup, escape

from hsevo import __version__
from hsevo.errors import RunError
from hsevo.files import UNFINISHED, inside, read_bytes, refuse_link, write_whole, writing
from hsevo.pages import render
from hsevo.pictures import COLOURS, INK
from hsevo.reports.exhibit import Answer, ReportSection

PAGE = "report.html"
MARK = b'<meta name="generator" content="hsevo report'  # of a report, as page.html.j2 has it
TABLE = rb'<a href="tables/([\w-]+)\.csv">'  # a link of the page to one
LONG = 60  # rows of a table on the page
SENTENCE = 40  # letters from which on a cell may break into lines
LINES = 'stroke-linejoin="round" stroke-linecap="butt"'  # matplotlib's style sheet in every SVG


def check_folder(path: Path) -> None:
    """Raise RunError unless the path is a new folder, an empty one, or a report."""
    with writing(path):
        if not path.exists():
            return
        if not path.is_dir():
            raise RunError(f"{path} is a file; choose another folder")
        ours = (path / PAGE).is_file() and MARK in (path / PAGE).read_bytes()[:2000]
        if any(inside(path)) and not (ours or (path / UNFINISHED).exists()):
            raise RunError(f"{path} already exists and is not a report; choose another folder")


def write(path: Path, title: str, sections: Sequence[ReportSection],
          answers: Sequence[Answer] = ()) -> list[str]:
    """Write a report, in the place of an older one; return the names of its files.

    report.html, figures/NAME.svg and .png, tables/NAME.csv. Raises RunError.
    """
    check_folder(path)
    files: dict[str, bytes] = {}
    for exhibit in (exhibit for section in sections for exhibit in section.exhibits):
        files[f"tables/{exhibit.name}.csv"] = exhibit.table.to_csv(index=False).encode()
        if exhibit.picture:
            files[f"figures/{exhibit.name}.svg"] = exhibit.picture.svg
            files[f"figures/{exhibit.name}.png"] = exhibit.picture.png
    files[PAGE] = html(title, sections, answers).encode()  # last: it means that all is there
    with writing(path):
        for folder in ("figures", "tables"):
            refuse_link(path / folder)
            (path / folder).mkdir(parents=True, exist_ok=True)
        for name in _of_older(path / PAGE) - {*files}:
            (path / name).unlink(missing_ok=True)
    for name, data in files.items():
        write_whole(path / name, data)
    return list(files)


def _of_older(page: Path) -> set[str]:
    """Return the files that a page of an older report names; others there may be a user's."""
    names = re.findall(TABLE, read_bytes(page)) if page.exists() else []
    return {file for name in map(bytes.decode, names) for file in (
        f"figures/{name}.svg", f"figures/{name}.png", f"tables/{name}.csv")}


def html(title: str, sections: Sequence[ReportSection], answers: Sequence[Answer] = (),
         template: str = "reports/page.html.j2", **more: object) -> str:
    """Return the page: all figures in it, and no reference to anything outside the folder.

    template: that extends the report's own, to which `more` is given as well.
    """
    titles = (exhibit.title for section in sections for exhibit in section.exhibits)
    numbered = any(re.search(r"(Fig\.|Table) \d", title) for title in titles)
    return render(template, title=title, sections=sections, answers=answers,
                  version=__version__, numbered=numbered, inline=inline, table=_table,
                  together=_together, counted=_counted, **more)


def inline(svg: bytes, name: str, label: str) -> Markup:
    """Return an SVG file as a part of a page: scalable, its ink the page's text colour.

    It has attributes instead of inline styles, which the page's policy does not allow.

    name: makes its ids the page's own. label: what a screen reader says.
    """
    text = svg.decode()
    text = text[text.index("<svg"):]
    for part in (r"<metadata>.*?</metadata>", r"<!--.*?-->", r"<style[^>]*>.*?</style>"):
        text = re.sub(part, "", text, flags=re.DOTALL)
    text = re.sub(r' style="([^"]*)"', _attributes, text)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = text.replace("url(#", f"url(#{name}-").replace(INK, "currentColor")
    text = text.replace(COLOURS[0], "var(--first)")  # a little lighter on a dark page
    text = text.replace("<svg", f'<svg {LINES} role="img" aria-label="{escape(label)}"', 1).strip()
    return Markup(text)  # a user's names in it are matplotlib's to escape, as text of an XML file


def _attributes(style: re.Match[str]) -> str:
    """Return the declarations of an inline style as attributes."""
    pairs = (declaration.split(":", 1) for declaration in style[1].split(";") if ":" in declaration)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)


_INTERVAL = re.compile(r"\([-+\d.,]+ to [-+\d.,]+\)")


def _together(text: str) -> str:
    """Keep a number and its per cent sign, and a figure and its number, on one line."""
    space = "\N{NO-BREAK SPACE}"
    return text.replace(" %", f"{space}%").replace("as Fig. ", f"as{space}Fig.{space}")


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' if n != 1 else ''}"


def _table(table: pd.DataFrame) -> dict[str, Any]:
    """Return columns (name, class), rows of (cell, class), and how many rows are left out.

    Of words is the class "word", of some sentences "word long", of numbers "".
    """
    words = [_class(table[name]) for name in table]
    names = [str(name).replace("_", " ") for name in table]
    rows = [[(_cell(value), word) for value, word in zip(row, words, strict=True)]
            for row in table.head(LONG).itertuples(index=False)]
    return {"columns": list(zip(names, words, strict=True)), "rows": rows,
            "more": max(len(table) - LONG, 0)}


def _class(column: pd.Series) -> str:
    if pd.api.types.is_numeric_dtype(column):
        return ""
    return "word long" if column.astype(str).str.len().max() > SENTENCE else "word"


def _cell(value: object) -> str:
    """Return a value as text: whole numbers from 10,000 on with commas, floats with 3 decimals."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "" if value != value else f"{value:.3f}"
    if isinstance(value, int) and abs(value) >= 10_000:
        return f"{value:,}"
    return _INTERVAL.sub(lambda match: match[0].replace(" ", "\N{NO-BREAK SPACE}"), str(value))
