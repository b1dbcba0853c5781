"""Changes of docs/figures.yml that leave every other byte as it is, and of README.md.

The parser tells where each value stands; the text is changed there alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

Change = Mapping[str, Any]  # version, engine, date, machine, cpu, and figures by key


def changed(text: str, changes: Mapping[str, Change]) -> str:
    """Return the list of figures with other values, by the names of measurements.

    A `cpu` that is not there is added after the date. Raises KeyError for a measurement or a figure
    that is not there, ValueError if the result would not read as it should.
    """
    edits: list[tuple[int, int, str]] = []
    for name, parts in _measurements(text).items():
        for key, value in changes.get(name, {}).items():
            if key == "figures":
                nodes, flow = _children(parts["figures"]), parts["figures"].flow_style
                edits += [_edit(text, nodes[one], new, flow) for one, new in value.items()]
            elif key in parts:
                edits.append(_edit(text, parts[key], value))
            elif key == "cpu":
                at = parts["date"].end_mark.index
                edits.append((at, at, f"\n  cpu: {_plain(value)}"))
            else:
                raise KeyError(key)
    if missing := set(changes) - set(_measurements(text)):
        raise KeyError(sorted(missing)[0])
    new = text
    for begin, end, said in sorted(edits, reverse=True):
        new = new[:begin] + said + new[end:]
    _check(text, new, changes)
    return new


def _measurements(text: str) -> dict[str, dict[str, Any]]:
    """Return the nodes of each measurement by key."""
    nodes = yaml.compose(text, yaml.SafeLoader).value
    parts = [_children(node) for node in nodes]
    return {one["name"].value: one for one in parts}


def _children(node: Any) -> dict[str, Any]:
    return {key.value: value for key, value in node.value}


def _edit(text: str, node: Any, value: Any, flow: bool = False) -> tuple[int, int, str]:
    """Return where a value stands, and what is to stand there. flow: it is between { and }."""
    begin, end = node.start_mark.index, node.end_mark.index
    if node.style == "|":
        first = text[begin:end].splitlines()[1]
        indent = " " * (len(first) - len(first.lstrip()))
        lines = [f"{indent}{line}".rstrip() for line in str(value).rstrip("\n").splitlines()]
        tail = text[begin:end][len(text[begin:end].rstrip()):]
        return begin, end, "\n".join(["|", *lines]) + tail
    if node.style == '"' and isinstance(value, str):
        return begin, end, _quoted(str(value))
    return begin, end, _plain(value, flow)


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _plain(value: Any, flow: bool = False) -> str:
    """Return a value without quotes if it reads as itself so."""
    said = str(value)
    try:
        read = yaml.safe_load(f"{{key: {said}}}" if flow else f"key: {said}")
    except (yaml.YAMLError, ValueError):
        return _quoted(said)
    same = read == {"key": value} or (not isinstance(value, str) and str(read.get("key")) == said)
    return said if same else _quoted(said)


def _check(old: str, new: str, changes: Mapping[str, Change]) -> None:
    """Raise ValueError unless the new text reads as the old one with the changes."""
    before, after = yaml.safe_load(old), yaml.safe_load(new)
    for one in before:
        for key, value in changes.get(one["name"], {}).items():
            if key == "figures":
                one[key] = one[key] | {name: _ended(one[key][name], new)
                                       for name, new in value.items()}
            else:
                one[key] = value
    for one, other in zip(before, after, strict=True):
        if one != other:
            raise ValueError(f"figures.yml would not read as it should: {one['name']}")


def _ended(old: str, new: str) -> str:
    """Return a text that ends with a line break if the one before did."""
    return new.rstrip("\n") + "\n" * old.endswith("\n")


def readme(text: str, pairs: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return README with other digits, and what was changed: "OLD -> NEW".

    pairs: what figures said, and say now. What stands in no pair stays.
    """
    said: dict[str, str] = {}
    new = {old: now for old, now in pairs.items() if old != now}
    if not new:
        return text, []

    def other(found: re.Match[str]) -> str:
        said[found[0]] = new[found[0]]
        return new[found[0]]

    ways = "|".join(map(re.escape, sorted(new, key=len, reverse=True)))
    text = re.sub(rf"(?<![\d,.+-])(?:{ways})(?!\d|[.,]\d)", other, text)
    return text, [f"{old} -> {now}" for old, now in said.items()]
