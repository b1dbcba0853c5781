"""The words of the pages, all of texts.yaml: an unknown text, or one without a value, is an error.

    say("build.save") -> "Save"
    say("match.one", format="Conquest", agent="gsv", n=2) -> "Conquest against gsv, 2 games"

Templates know `say`, and scripts have the same of web/static/say.js, which imports `script()`.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, TypeAlias

from markupsafe import escape

from hsevo.config import parse, read_text
from hsevo.errors import ConfigError, did_you_mean, quoted

FILE = Path(__file__).with_name("texts.yaml")
NAME = re.compile(r"[a-z][a-z0-9_-]*")
NUMBERS = {"one", "other"}  # a text with these depends on the number n
Text: TypeAlias = str | Mapping[str, str]


def say(key: str, **values: object) -> str:
    """Return a text in words; HTML if one of its values is (Markup), the rest of it escaped then.

    key: "GROUP.NAME". values: of all its placeholders, and no others. Raises KeyError for a key
    that is not there, TypeError for other values.

    >>> from hsevo.texts import say
    >>> say("exercises.tried", n=3)
    'tried 3 times'
    """
    known = texts()
    if key not in known:
        raise KeyError(f"there is no text {quoted(key)} in {FILE.name}{did_you_mean(key, known)}")
    text = known[key]
    if values.keys() != placeholders(text):
        raise TypeError(f"the text {quoted(key)} needs {sorted(placeholders(text))}, but got"
                        f" {sorted(values)}")
    words = text if isinstance(text, str) else text["one" if values["n"] == 1 else "other"]
    if any(hasattr(value, "__html__") for value in values.values()):
        return escape(words).format(**values)
    return words.format(**values)


@functools.cache
def texts() -> Mapping[str, Text]:
    """Return all texts by their keys. Raises ConfigError if texts.yaml has something else."""
    return dict(flat(parse(read_text(FILE), FILE.name)))


def flat(tree: Mapping[str, Any], group: str = "") -> Iterator[tuple[str, Text]]:
    """Yield the texts of a tree by their keys. Raises ConfigError for what is no text."""
    for name, node in tree.items():
        key = f"{group}{name}"
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise ConfigError(f"{FILE.name}: {quoted(key)} is not a valid name; use lowercase"
                              " letters")
        if isinstance(node, Mapping) and node.keys() != NUMBERS:
            yield from flat(node, f"{key}.")
            continue
        if not all(isinstance(form, str) and form.strip() for form in forms(node)):
            raise ConfigError(f"{FILE.name}: {key} is {quoted(node)}, but must be a text;"
                              " quote it")
        yield key, node


def forms(text: Any) -> list[Any]:
    """Return all that a text can be."""
    return [*text.values()] if isinstance(text, Mapping) else [text]


def placeholders(text: Text) -> set[str]:
    """Return the names of what is filled in, and n if the text depends on it."""
    names = {name for form in forms(text) for _, name, _, _ in Formatter().parse(form)
             if name is not None}
    return names if isinstance(text, str) else names | {"n"}


def script(groups: Collection[str] = ()) -> str:
    """Return the texts of some groups as a module of the pages' scripts; (): all."""
    some = {key: text for key, text in texts().items()
            if not groups or key.partition(".")[0] in groups}
    return f"export default {json.dumps(some)};\n"
