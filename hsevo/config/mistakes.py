"""Mistakes in a config: one line for each, with what stands there and what may."""

import re
from collections.abc import Iterator
from operator import index
from typing import Any, get_args

from pydantic import BaseModel

from hsevo.errors import ConfigError, did_you_mean


def line(model: type[BaseModel], detail: Any) -> str:
    """Say one pydantic error in hsevo's words: where, what is there, what must be there."""
    spot = [str(part) for part in detail["loc"]]
    where, kind = ".".join(spot), detail["type"]
    if kind == "extra_forbidden":
        near = did_you_mean(spot[-1], _keys(model, spot[:-1]))
        return f"unknown key '{where}'{near or '; known are ' + _known(model, spot[:-1])}"
    if kind == "missing":
        return f"'{where}' is missing; it has no default"
    wanted = _wanted(detail)
    near = did_you_mean(str(detail["input"]), _choices(detail)) if _choices(detail) else ""
    return f"{where} is {short(detail['input'])}, but {wanted}{near}"


def _wanted(detail: Any) -> str:
    context = detail.get("ctx", {})
    limits = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le",
              "less_than": "lt"}
    words = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    if detail["type"] in limits:
        limit = limits[detail["type"]]
        return f"must be {words[limit]} {context[limit]}"
    if detail["type"] == "value_error":
        return str(context["error"])
    if detail["type"] == "literal_error":
        return f"must be {context['expected']}"
    return _TYPES.get(detail["type"]) or detail["msg"]


_TYPES = {
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be text",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "too_short": "must name at least one",
    "model_type": "must be a section of 'key: value' lines",
    "model_attributes_type": "must be a section of 'key: value' lines",
    "dict_type": "must be a section of 'key: value' lines",
}


def _choices(detail: Any) -> list[str]:
    expected = detail.get("ctx", {}).get("expected")
    return re.findall(r"'([^']+)'", expected) if isinstance(expected, str) else []


def _keys(model: type[BaseModel], spot: list[str]) -> Iterator[str]:
    """Yield the keys of the section at `spot`, as a config writes them."""
    for name in spot:
        kind = next(field.annotation for key, field in model.model_fields.items()
                    if name in (key, field.alias))
        model = next(inner for inner in (kind, *get_args(kind))  # a section, or one or None
                     if isinstance(inner, type) and issubclass(inner, BaseModel))
    for key, field in model.model_fields.items():
        yield field.alias or key


def _known(model: type[BaseModel], spot: list[str]) -> str:
    return ", ".join(_keys(model, spot))


def whole(name: str, value: Any, low: int = 1, high: int = 1_000_000) -> int:
    """Return an argument that must be a whole number from low to high. Raises ConfigError."""
    try:
        number = low - 1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        raise ConfigError(f"{name} is {short(value)}, but must be a whole number from {low:,} to"
                          f" {high:,}")
    return number


def short(value: Any) -> str:
    """Show a value in at most 60 characters, with what it is when that is not plain."""
    if value is None:
        return "empty"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
