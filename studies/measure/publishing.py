"""Put what was measured into docs/figures.yml, the pages and README.md."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import hsevo
from hsevo.engine.jit import fingerprint
from hsevo.store.machine import processor
from studies import ROOT
from studies.measure import moved, rewriting
from studies.measure.planning import Measurement
from studies.measure.recipes import AFTER
from studies.measure.works import PROGRAMS, Lab, Work
from tests.docs import figures as docs

README = ROOT / "README.md"
FAMILY = re.compile(r"AMD EPYC|AMD Ryzen|Intel Xeon|Intel Core|Apple M\d")
LEAST = 5  # characters of a figure that can be found in README


def derived(one: Measurement, lab: Lab) -> dict[str, str]:
    """Return a measurement's figures by its works. Raises KeyError for one without a recipe."""
    assert one.recipe
    if missing := set(one.entry["figures"]) - set(one.recipe):
        raise KeyError(f"no recipe for {', '.join(sorted(missing))}")
    return {key: one.recipe[key].write(lab, old) for key, old in one.entry["figures"].items()}


def change(one: Measurement, found: Mapping[str, str], own: Sequence[Work],
           lab: Lab) -> dict[str, Any]:
    """Return what is to be written of a measurement. own: the works that are in its cost."""
    records = [lab.record(work) for work in own]
    new: dict[str, Any] = {"version": hsevo.__version__, "engine": fingerprint(),
                           "date": date.today(), "figures": dict(found)}
    if records and all(record and not record["resumed"] for record in records):
        new["cpu"] = max(round(sum(record["cpu"] for record in records if record)), 1)
    if "machine" in one.entry:
        family = FAMILY.search(processor())
        new["machine"] = FAMILY.sub(family[0] if family else processor(), one.entry["machine"])
    return new


def publish(one: Measurement, new: Mapping[str, Any]) -> list[str]:
    """Write a measurement into the list, the pages and README; return what README now says."""
    before = docs.quoted(docs.read())
    source = docs.SOURCE
    _write(source, rewriting.changed(source.read_text(encoding="utf-8"), {one.name: new}))
    docs.read.cache_clear()
    docs.refresh_pages()
    text = README.read_text(encoding="utf-8")
    pairs = quotable(one.name, one.entry["figures"], new["figures"], docs.read())
    sums = zip(docs.totals(before), docs.totals(docs.quoted(docs.read())), strict=True)
    text, said = rewriting.readme(text, pairs | dict(sums))
    if said:
        _write(README, text)
    return said


def quotable(name: str, before: Mapping[str, str], after: Mapping[str, str],
             entries: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the figures that README may quote of a measurement: what they said, what they say.

    Left out is what is too short to be found, and what is another measurement's own figure: a
    number of games, or a cell of a table that repeats it.
    """
    others = {value for one in entries if one["name"] != name
              for value in map(str, one["figures"].values())}
    own = {value.rstrip("\n") for value in before.values()}
    return {old: new for old, new in moved.pairs(before, after)
            if len(old) >= LEAST and re.search(r"\d", old)
            and (old not in others or (old in own and "(" in old))}


def quoting(names: Collection[str]) -> list[str]:
    """Return the pages that quote any of these figures, by NAME.KEY."""
    pages = docs.SOURCE.parent / "pages"
    return [str(path.relative_to(pages)) for path in sorted(pages.rglob("*.md"))
            if set(docs.slots(path.read_text(encoding="utf-8"))) & set(names)]


def after(name: str, lab: Lab) -> list[str]:
    """Put what else a measurement made into the repository; return the commands that did it."""
    for work in AFTER.get(name, ()):
        folders = (str(lab.folder(need)) for need in work.needs)
        first, *words = shlex.split(work.command.format(*map(shlex.quote, folders)))
        subprocess.run([*PROGRAMS.get(first, (first,)), *words], cwd=ROOT, check=True)
    return [work.shown for work in AFTER.get(name, ())]


def _write(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
