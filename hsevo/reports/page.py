"""A report as files: one HTML page that needs nothing else, its figures, its tables."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import pandas as pd

from hsevo import __version__
from hsevo.errors import RunError
from hsevo.files import write_whole, writing
from hsevo.plot import COLOURS, INK
from hsevo.reports.exhibit import Exhibit, Section

PAGE, MARK = "report.html", '<meta name="generator" content="hsevo report'
LONG = 60  # rows of a table on the page
CSS = """
:root { color-scheme: light dark; --back: #ffffff; --ink: #1a1b1c; --soft: #5b6167;
        --line: #d5d9dd; --link: #005a9c; --first: #0072b2 }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181b; --ink: #e6e8ea; --soft: #a3abb3; --line: #3a3f45; --link: #79b8f3;
          --first: #3f9bd8 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: var(--back);
       color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0 }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem; border-bottom: 1px solid var(--line) }
h3 { font-size: 1.05rem; margin: 2rem 0 .5rem }
a { color: var(--link) }
nav ol { columns: 2 18rem; column-gap: 2.6rem; padding-left: 1.4rem; margin: .5rem 0 }
nav li { break-inside: avoid }
figure { margin: 0 0 1rem }
figcaption, .note, footer { color: var(--soft); font-size: .9rem }
.wide { overflow-x: auto }
.wide svg { display: block; width: 100%; min-width: 21rem; max-width: 38rem; height: auto }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .6rem .15rem 0; text-align: right; white-space: nowrap;
         border-bottom: 1px solid var(--line) }
th:first-child, td:first-child, td.word, th.word { text-align: left }
th, td.word:first-child { white-space: normal; overflow-wrap: normal }
th { vertical-align: bottom } td.word:first-child { min-width: 6.5rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 .8rem; margin: .4rem 0 }
dd { margin: 0 } dt { font-weight: 600 }
@media print {
  :root { --back: #ffffff; --ink: #000000; --soft: #333333; --line: #bbbbbb; --link: #000000;
          --first: #0072b2 }
  body { max-width: none; padding: 0; font-size: 10pt } nav, details { display: none }
  figure { break-inside: avoid } h2, h3 { break-after: avoid }
  .wide { overflow: visible } .wide svg { min-width: 0; max-width: 13cm; max-height: 21cm }
  table { font-size: 7pt } th, td { white-space: normal; padding-right: .4em } }
"""


def check_folder(path: Path) -> None:
    """Raise RunError unless a report can go there: a new folder, an empty one, or a report."""
    with writing(path):
        if not path.exists():
            return
        if not path.is_dir():
            raise RunError(f"{path} is no folder; choose another --out")
        ours = (path / PAGE).is_file() and MARK.encode() in (path / PAGE).read_bytes()[:2000]
        if any(path.iterdir()) and not ours:
            raise RunError(f"{path} is there, not empty, and no report; choose another --out")


def write(path: Path, title: str, sections: Sequence[Section]) -> list[str]:
    """Write a report, in the place of an older one; return the names of its files.

    report.html, figures/NAME.svg and .png, tables/NAME.csv. Raises RunError.
    """
    check_folder(path)
    files: dict[str, bytes] = {}
    for exhibit in (one for section in sections for one in section.exhibits):
        files[f"tables/{exhibit.name}.csv"] = exhibit.table.to_csv(index=False).encode()
        if exhibit.picture:
            files[f"figures/{exhibit.name}.svg"] = exhibit.picture.svg
            files[f"figures/{exhibit.name}.png"] = exhibit.picture.png
    files[PAGE] = html(title, sections).encode()  # last: the page tells a whole report
    with writing(path):
        for folder in ("figures", "tables"):
            (path / folder).mkdir(parents=True, exist_ok=True)
            for old in (path / folder).iterdir():
                if f"{folder}/{old.name}" not in files and old.suffix in (".svg", ".png", ".csv"):
                    old.unlink()
    for name, data in files.items():
        write_whole(path / name, data)
    return list(files)


def html(title: str, sections: Sequence[Section]) -> str:
    """Return the page: all figures in it, and no reference to anything outside the folder."""
    return "\n".join([
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'{MARK} {__version__}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>",
        f"<h1>{escape(title)}</h1>", *_contents(sections),
        *(line for section in sections for line in _section(section)),
        f"<footer>Made by hsevo {__version__}. Fig. and Table numbers are those of García-Sánchez"
        " et al., Optimizing Hearthstone agents using an evolutionary algorithm (2020). Every"
        " figure stands in <code>figures/</code> beside this page, and the numbers behind it in"
        " <code>tables/</code>.</footer>\n</body>\n</html>\n"])


def inline(svg: bytes, name: str, label: str) -> str:
    """Return an SVG file as a part of a page: scalable, its ink the page's text colour.

    name: makes its ids the page's own. label: what a screen reader says.
    """
    text = svg.decode()
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = text.replace("url(#", f"url(#{name}-").replace(INK, "currentColor")
    text = text.replace(COLOURS[0], "var(--first)")  # a little lighter on a dark page
    return text.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1).strip()


def _contents(sections: Sequence[Section]) -> Iterator[str]:
    yield '<nav aria-label="Contents"><ol>'
    for section in sections:
        for exhibit in section.exhibits:
            yield f'<li><a href="#{exhibit.name}">{_together(escape(exhibit.title))}</a></li>'
    yield "</ol></nav>"


def _section(section: Section) -> Iterator[str]:
    yield f"<section>\n<h2>{escape(section.title)}</h2>"
    if section.note:
        yield f'<p class="note">{escape(section.note)}</p>'
    for exhibit in section.exhibits:
        yield f'<figure id="{exhibit.name}">\n<h3>{_together(escape(exhibit.title))}</h3>'
        yield from _body(exhibit)
        yield "</figure>"
    yield "</section>"


def _body(exhibit: Exhibit) -> Iterator[str]:
    if exhibit.picture:
        drawn = inline(exhibit.picture.svg, exhibit.name, exhibit.title)
        yield f'<div class="wide">{drawn}</div>'
    if exhibit.on_page is not None:
        yield f'<div class="wide">{_table(exhibit.on_page)}</div>'
    file = f"tables/{exhibit.name}.csv"
    yield (f"<figcaption>{_together(escape(exhibit.caption))}"
           f' <a href="{file}">{file}</a>, {_counted(len(exhibit.table), "row")}.')
    if exhibit.terms:
        terms = "".join(f"<dt>{escape(name)}</dt><dd>{escape(said)}</dd>"
                        for name, said in exhibit.terms.items())
        yield f"<details><summary>What the names mean</summary><dl>{terms}</dl></details>"
    yield "</figcaption>"


def _together(text: str) -> str:
    """Keep a number and its per cent sign, and a figure and its number, on one line."""
    return text.replace(" %", "&nbsp;%").replace("as Fig. ", "as&nbsp;Fig.&nbsp;")


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' if n != 1 else ''}"


def _table(table: pd.DataFrame) -> str:
    words = [not pd.api.types.is_numeric_dtype(table[name]) for name in table]
    kinds = [' class="word"' if word else "" for word in words]
    head = "".join(f"<th{kind}>{escape(str(name).replace('_', ' '))}</th>"
                   for kind, name in zip(kinds, table, strict=True))
    rows = ["".join(f"<td{kind}>{escape(_cell(value))}</td>"
                    for kind, value in zip(kinds, row, strict=True))
            for row in table.head(LONG).itertuples(index=False)]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    more = f"<p>and {len(table) - LONG:,} more rows</p>" if len(table) > LONG else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: object) -> str:
    """Say a value: whole numbers with commas, but for ids and seeds below 10,000; others short."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "" if value != value else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10_000 else str(value)
