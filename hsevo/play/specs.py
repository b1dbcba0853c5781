"""Specs of agents as text: the deck in one, and short names for all that shows agents.

    split_deck("eva:2018@mage")           -> ("eva:2018", "mage")
    short_names(["rl:/home/me/a#b"])      -> {"rl:/home/me/a#b": "rl:a#b"}

Data keep the whole specs; tables, pages and sentences have short names, and `legend` says where an
agent is if its name does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path, PurePosixPath

from hsevo.agents.registry import EVOLVED, NET, PY, ROSTER, kind_name
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
    if not agent or not deck or ("@" in source and exists(Path(source))):
        return spec, None
    return agent, deck


def short_names(specs: Iterable[str], most: int = MOST) -> dict[str, str]:
    """Return a short name for each spec, all different: "rl:mine@a.txt" for "rl:x/mine@b/a.txt".

    A run folder and a file have their last name, with as many folders before it as tell it from the
    others and from agents of the roster. What is in `runs` itself, where hsevo puts runs, keeps
    that folder, so that its name works in a command. Of an agent of the roster, options that are
    the default are left out. All else stays: kind, #NAME, ?OPTIONS, @DECK, and names that are no
    specs. What is longer than `most` characters loses its middle.
    """
    parts = {spec: _parts(spec) for spec in specs}
    agents, decks = (_apart({text: make(text) for text in texts}) for make, texts in (
        (_of_agent, {agent for agent, _, _ in parts.values()}),
        (_of_deck, {deck for _, _, deck in parts.values()})))
    whole = {spec: agents[agent] + rest + decks[deck]
             for spec, (agent, rest, deck) in parts.items()}
    forms = {spec: [_cut(name, most), printable(spec)] for spec, name in whole.items()}
    return _numbered(_apart({spec: two if len(spec) <= LONGEST_NAME else two[:1]
                             for spec, two in forms.items()}))


def legend(names: Mapping[str, str]) -> list[str]:
    """Return a line for each spec whose short name lacks folders: "rl:mine: rl:/home/me/mine".

    names: of short_names. `decks`, where hsevo itself looks for decks, goes without saying.
    """
    return [f"{name}: {printable(spec)}" for spec, name in names.items()
            if name != printable(spec) and (
                "…" in name or name.count("/") < spec.replace("@decks/", "@", 1).count("/"))]


def _parts(spec: str) -> tuple[str, str, str]:
    """Return an agent, KIND:PATH if it comes from one; then its #NAME and ?OPTIONS; then "@DECK".
    """
    if len(spec) > LONGEST_NAME:
        return spec, "", ""
    agent, source = split_deck(spec)
    deck = "" if source is None else f"@{source}"
    if not _is_path(agent):
        return agent, "", deck
    kind = kind_name(agent)
    match = _SOURCE.fullmatch(agent.removeprefix(f"{kind}:"))
    return (f"{kind}:{match[1]}", match[2], deck) if match and match[1] else (agent, "", deck)


def _is_path(agent: str) -> bool:
    if ":" not in agent or agent.partition("?")[0] in ROSTER:
        return False
    kind = kind_name(agent)
    return kind in (*EVOLVED, NET, PY) and agent.startswith(f"{kind}:")


def _apart(forms: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return one of the forms of each, a later one only where two would be the same."""
    at = dict.fromkeys(forms, 0)
    while True:
        chosen = {spec: forms[spec][i] for spec, i in at.items()}
        times = Counter(chosen.values())
        later = [spec for spec, form in chosen.items()
                 if times[form] > 1 and at[spec] + 1 < len(forms[spec])]
        if not later:
            return chosen
        for spec in later:
            at[spec] += 1


def _of_agent(agent: str) -> list[str]:
    """Return what an agent may be called, the shortest first."""
    name, _, query = agent.partition("?")
    if name in ROSTER and query:
        return [f"{name}?{_chosen(name, query)}".removesuffix("?"), agent]
    if len(agent) > LONGEST_NAME or not _is_path(agent):
        return [agent]
    kind = kind_name(agent)
    names = [f"{kind}:{path}" for path in _tails(agent.removeprefix(f"{kind}:"))]
    if len(names) == 2 and names[1].startswith(f"{kind}:runs/"):
        names = names[1:]
    return [*(short for short in names  # a folder may be called 2018
              if short not in ROSTER and kind_name(short) == kind), agent]


def _chosen(name: str, query: str) -> str:
    """Return the options of an agent of the roster that are not the default."""
    parts, kind = query.split("&"), ROSTER[name].kind
    defaults = {f"{key}={values[0]}" for key, values in kind.options.items()
                if key not in kind.genes}  # which differ from agent to agent of a kind
    once = len({part.partition("=")[0] for part in parts}) == len(parts)
    return "&".join(part for part in parts if part not in defaults) if once else query


def _of_deck(deck: str) -> list[str]:
    """Return what "@DECK" may be called; URLs and codes have slashes that part no folders."""
    if "://" in deck or deck.startswith("@AAE"):
        return [deck]
    return [*(f"@{path}" for path in _tails(deck[1:])), deck]


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
    numbered: dict[str, str] = {}  # by name
    for spec, name in names.items():
        free = (candidate for number in count(2)
                if (candidate := f"{name} ({number})") not in numbered)
        numbered[next(free) if name in numbered else name] = spec
    return {spec: name for name, spec in numbered.items()}
