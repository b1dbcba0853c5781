"""Docstrings of the public API are in numpydoc form, and agree with the signatures."""

import importlib
import inspect
import pydoc
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import griffe
import yaml

import hsevo
from hsevo import errors
from tests.docs import PAGES

LIMIT = 100  # of a line, in the source: pyproject.toml
# Classes that public functions return, and that no page shows.
RETURNED = ("analysis.examine.Examination", "deckbuilding.responses.Response",
            "deckbuilding.swaps.Comparison", "deckbuilding.swaps.Swap", "learning.aec.BattleEnv",
            "learning.batch.History", "learning.batch.Masks", "metagame.balance.Tried",
            "pictures.Picture", "play.decision_times.Times", "play.moves.Move",
            "play.session.Session", "replays.exercises.Exercise", "replays.lethal.Lethal",
            "reports.report.PageReport", "store.sums.Checked", "strength.matchups.Matchups",
            "strength.studies.StudyResult", "web.serving.Server")
PARAMETERS = griffe.DocstringSectionKind.parameters
ATTRIBUTES = griffe.DocstringSectionKind.attributes
RETURNS = griffe.DocstringSectionKind.returns
YIELDS = griffe.DocstringSectionKind.yields
RAISES = griffe.DocstringSectionKind.raises
# Types that docstrings call otherwise than annotations.
OTHER_WORDS = {"Array": "ndarray", "NDArray": "ndarray", "Step": "tuple"}


def shown() -> dict[str, list[str]]:
    """Return the names on the pages of the Python reference, with the members of a choice."""
    text = "\n".join(page.read_text(encoding="utf-8")
                     for page in sorted((PAGES / "reference" / "python").glob("*.md")))
    blocks = re.findall(r"^::: (\S+)\n((?: {4}.*\n)*)", text + "\n", re.MULTILINE)
    return {name: (yaml.safe_load(block) or {}).get("options", {}).get("members", [])
            for name, block in blocks}


def public() -> Iterator[tuple[str, Any]]:
    """Yield the public names, what they return, and all on the pages of the Python reference."""
    listed = {f"hsevo.{name}" for name in (*hsevo.__all__, *RETURNED)}
    for name in sorted(listed | {*shown()}):
        module, _, own = name.rpartition(".")
        with suppress(hsevo.HsevoError):  # without PyTorch
            yield name, getattr(importlib.import_module(module), own)


def described() -> Iterator[tuple[str, Any]]:
    """Yield every object that the reference documents, with its name, once."""
    seen, chosen = set[int](), shown()
    for name, value in public():
        yield name, value
        for key in dir(value) if inspect.isclass(value) else ():
            member = inspect.getattr_static(value, key)
            plain = getattr(member, "__func__", member)
            ours = getattr(_code(plain), "__module__", None) or ""
            if key.startswith("_") or not ours.startswith("hsevo") or id(plain) in seen:
                continue
            if (members := chosen.get(name)) and key not in members:
                continue  # the machinery of runs
            seen.add(id(plain))
            yield f"{name}.{key}", plain


def _code(member: Any) -> Any:
    """Return the function behind a property, cached property or method."""
    return getattr(member, "fget", None) or getattr(member, "func", None) or (
        member if inspect.isfunction(member) else None)


def sections(value: Any) -> dict[griffe.DocstringSectionKind, list[str]]:
    """Return the names in the sections of a docstring."""
    text = griffe.Docstring(inspect.getdoc(value) or "", parser="numpy")
    return {part.kind: [entry.name.lstrip("*") for entry in part.value]
            for part in text.parse(warnings=False) if part.kind in (PARAMETERS, ATTRIBUTES)}


def returned(annotation: Any) -> list[str]:
    """Return the types that a function returns or yields, as docstrings call them."""
    inner = re.sub(r"^(Iterator|Generator)\[(.*)\]$", r"\2", str(annotation))
    heads = (part.split("[")[0].rpartition(".")[2] for part in inner.split(" | "))
    return [OTHER_WORDS.get(head, head) for head in heads]


def disagreements(value: Callable[..., Any]) -> Iterator[str]:
    """Yield where the sections Returns, Yields and Raises are not those of a function."""
    parts = {part.kind: part.value for part in griffe.Docstring(
        inspect.getdoc(value) or "", parser="numpy").parse(warnings=False)}
    for error in parts.get(RAISES, ()):
        name = str(error.annotation)
        known = getattr(errors, name, None) or pydoc.locate(name)
        if not (inspect.isclass(known) and issubclass(known, Exception)):
            yield f"no exception {name}"
    wanted = returned(inspect.signature(value).return_annotation)
    entries = parts.get(RETURNS, parts.get(YIELDS, []))
    if wanted in (["None"], ["NoReturn"]):
        if entries:
            yield "it returns nothing"
        return
    said = re.findall(r"[\w.]+", " or ".join(str(entry.annotation) for entry in entries))
    names = {word.rpartition(".")[2] for word in said}
    if not names or not {*wanted} - {"Any"} <= names:
        yield f"it returns {' | '.join(wanted)}, not {' '.join(said) or 'nothing'}"


def taken(value: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters of a function, method or class, without `self`, `cls`."""
    found = list(inspect.signature(value).parameters)
    bound = "." in value.__qualname__ and found[:1] in (["self"], ["cls"])
    return found[1:] if bound else found


def lines(value: Any) -> list[str]:
    """Return the lines of a docstring as they are in the source."""
    return (getattr(value, "__doc__", None) or "").splitlines()


def offences(value: Any) -> Iterator[str]:
    """Yield the offences of one docstring against the form."""
    text = (inspect.getdoc(value) or "").splitlines()
    if not text:
        yield "no docstring"
        return
    if not text[0].endswith("."):
        yield "the first line does not end with a period"
    if text[1:] and text[1]:
        yield "the summary has more than one line"
    if long := [line for line in lines(value) if len(line) > LIMIT]:
        yield f"a line is too long: {long[0]}"
    found = sections(value)
    named = found.get(PARAMETERS, [])
    if hasattr(value, "model_fields"):
        return  # each field of a plan has a description of its own
    if inspect.isclass(value):
        wanted = taken(value)
        if wanted != named and (named or not {*wanted} <= {*found.get(ATTRIBUTES, [])}):
            yield f"parameters {named}, not {wanted}"
    elif inspect.isfunction(value) and taken(value) != named:
        yield f"parameters {named}, not {taken(value)}"
    if inspect.isfunction(value):
        yield from disagreements(value)


def test_docstrings_have_the_form() -> None:
    """All offenders are listed at once."""
    found = {name: [*offences(value)] for name, value in described()}
    assert len(found) > 300
    assert {name: said for name, said in found.items() if said} == {}
