"""Specs of agents as text: the deck in one, and short names for all that shows agents.

    split_deck("eva:2018@mage")           -> ("eva:2018", "mage")
    short_names(["rl:/home/me/a#b"])      -> {"rl:/home/me/a#b": "rl:a#b"}

Data keep the whole specs; tables, pages and sentences have short names, and `legend` says where an
agent is if its name does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path, PurePosixPath

from hsevo.agents.registry import EVOLVED, NET, ROSTER, kind_name
from hsevo.config.named import exists
from hsevo.errors import LONGEST_NAME, printable

MOST = 60  # characters of a short name
DEEPEST = 8  # folders before the last name; who has more of them in common is shown whole
_SOURCE = re.compile(r"([^#]*?)/*((?:\?[^#/]*)?(?:#.*)?)", re.DOTALL)  # a path; #NAME and ?OPTIONS


def split_deck(spec: str) -> tuple[str, str | None]:
    """Return an agent's spec and its deck's source, None without: ("eva:2018", "mage").

    The last @ separates the deck, unless a file or run folder of the whole name exists; but if what
    follows an earlier @ is a file, that is the deck.
    """
    for sign in re.finditer("@", spec):
        before, after = spec[:sign.start()], spec[sign.end():]
        if before and after and exists(Path(after)):
            return before, after
    agent, _, deck = spec.rpartition("@")
    source = re.split("[#?]", spec.partition(":")[2])[0]
    if not agent or not deck or (source and exists(Path(source))):
        return spec, None
    return agent, deck


def short_names(specs: Iterable[str], most: int = MOST) -> dict[str, str]:
    """Return a short name for each spec, all different: "rl:mine@a.txt" for "rl:runs/mine@b/a.txt".

    A run folder and a file have their last name, with as many folders before it as tell it from the
    others and from agents of the roster. Of an agent of the roster, options that are the default
    are left out. All else stays: kind, #NAME, ?OPTIONS, @DECK, and names that are no specs. What is
    longer than `most` characters loses its middle.
    """
    forms = {spec: [*dict.fromkeys(_forms(spec, most))] for spec in specs}
    at = dict.fromkeys(forms, 0)
    while True:
        names = {spec: forms[spec][i] for spec, i in at.items()}
        times = Counter(names.values())
        longer = [spec for spec, name in names.items()
                  if times[name] > 1 and at[spec] + 1 < len(forms[spec])]
        if not longer:
            return _numbered(names)
        for spec in longer:
            at[spec] += 1


def legend(names: Mapping[str, str]) -> list[str]:
    """Return a line for each spec whose short name lacks folders: "rl:mine: rl:/home/me/mine".

    names: of short_names. Folders that go without saying are `runs` and `decks`, where hsevo itself
    puts runs and looks for decks.
    """
    return [f"{name}: {printable(spec)}" for spec, name in names.items()
            if name != printable(spec) and (
                "…" in name or name.count("/") < _usual(spec).count("/"))]


def _usual(spec: str) -> str:
    return spec.replace(":runs/", ":", 1).replace("@decks/", "@", 1)


def _forms(spec: str, most: int) -> Iterator[str]:
    """Yield what a spec may be called, the shortest first, the last as it is written."""
    if len(spec) > LONGEST_NAME:
        yield _cut(spec, most)
        return
    agent, deck = split_deck(spec)
    agents, decks = [*_of_agent(agent)], [*_of_deck(deck)]
    for i in range(max(len(agents), len(decks))):
        yield _cut(agents[min(i, len(agents) - 1)] + decks[min(i, len(decks) - 1)], most)
    yield printable(spec)


def _of_agent(spec: str) -> Iterator[str]:
    name, _, query = spec.partition("?")
    kind = kind_name(spec)
    if name in ROSTER and query:
        yield f"{name}?{_chosen(name, query)}".removesuffix("?")
    elif name not in ROSTER and kind in (*EVOLVED, NET) and spec.startswith(f"{kind}:"):
        source = _SOURCE.fullmatch(spec.removeprefix(f"{kind}:"))
        assert source is not None  # it matches any text
        for path in _tails(source[1]):
            short = f"{kind}:{path}"
            if short not in ROSTER and kind_name(short) == kind:  # a folder may be called 2018
                yield short + source[2]
    yield spec


def _chosen(name: str, query: str) -> str:
    """Return the options of an agent of the roster that are not the default."""
    parts, options = query.split("&"), ROSTER[name].options
    defaults = {f"{key}={values[0]}" for key, values in options.items()}
    once = len({part.partition("=")[0] for part in parts}) == len(parts)
    return "&".join(part for part in parts if part not in defaults) if once else query


def _of_deck(source: str | None) -> Iterator[str]:
    if source is None:
        yield ""
        return
    if "://" not in source and not source.startswith("AAE"):  # a URL or a code, which has slashes
        yield from (f"@{path}" for path in _tails(source))
    yield f"@{source}"


def _tails(path: str) -> list[str]:
    """Return the last name of a path, then with the folder before it, and so on."""
    parts = PurePosixPath(path).parts
    if not parts or parts[-1] == "..":
        return []
    return [str(PurePosixPath(*parts[-n:])) for n in range(1, min(len(parts), DEEPEST) + 1)]


def _cut(text: str, most: int) -> str:
    said = printable(text)
    return said if len(said) <= most else f"{said[:most // 2]}…{said[1 + most // 2 - most:]}"


def _numbered(names: dict[str, str]) -> dict[str, str]:
    """Return names with a number where they differ only in what can't be printed."""
    found: dict[str, str] = {}  # by name
    for spec, name in names.items():
        free = (one for number in count(2) if (one := f"{name} ({number})") not in found)
        found[next(free) if name in found else name] = spec
    return {spec: name for name, spec in found.items()}
