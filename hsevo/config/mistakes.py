"""Error messages for mistakes in a config: one line each, with the value and what is allowed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from numbers import Real
from operator import index
from reprlib import Repr
from typing import Any, get_args

from pydantic import BaseModel

from hsevo.errors import ConfigError, HsevoError, did_you_mean, printable, quoted

MOST_MEMORY = 4 * 2**30  # bytes, the limit for one generation, tournament, arena or batch
MATCH_BYTES = 600  # of a match in memory with its line in a table: measured, 430 to 600
RENAMED = {"yardstick": "references"}  # keys of version 0.1, and what they are called now
LITERATURE = {"lambda": "trace", "gamma": "discount", "population": "mu",
              "population_size": "mu", "pop_size": "mu", "offspring": "lambda",
              "children": "lambda"}  # words of the literature, and keys that mean the same


class _Repr(Repr):
    """The repr of values, without the integers of more than 4,300 digits that Python refuses."""

    def repr_int(self, x: int, level: int) -> str:
        try:
            repr(x)
        except ValueError:
            return "a number with thousands of digits"
        return super().repr_int(x, level)


_REPR = _Repr()
_REPR.maxstring = _REPR.maxlong = _REPR.maxother = 60
_REPR.maxlevel = 4


def line(model: type[BaseModel], detail: Any) -> str:
    """Describe one pydantic error: the key, its value, and what is allowed."""
    spot = path_of(detail)
    where, kind = ".".join(spot), detail["type"]
    if kind == "extra_forbidden":
        return f"unknown key {quoted(where)}{_nearest(model, spot)}"
    if not spot:  # the whole config
        return str(detail.get("ctx", {}).get("error") or _wanted(detail))
    if kind == "missing":
        return f"'{where}' is missing; it has no default"
    wanted = _wanted(detail)
    if kind in ("tuple_type", "list_type") and isinstance(detail["input"], str):
        wanted += f": [{printable(detail['input'])[:60]}]"
    if kind == "value_error" and isinstance(detail["input"], dict):  # of a section as a whole
        return f"{where}: {wanted}"
    near = did_you_mean(str(detail["input"]), _choices(detail)) if _choices(detail) else ""
    return f"{printable(where)[:100]} is {short(detail['input'])}, but {wanted}{near}"


def path_of(detail: Any) -> list[str]:
    """Return the key of a pydantic error, part by part, without the tags of unions, "<list>"."""
    return [str(part) for part in detail["loc"] if not str(part).startswith("<")]


def _nearest(model: type[BaseModel], spot: Sequence[str]) -> str:
    """Suggest a key: one of the same name in another section, or a similar one in this section."""
    *section, last = spot
    if not section and last in RENAMED:
        return f"; it is now called '{RENAMED[last]}'"
    keys = sorted(_paths(model), key=lambda path: path[:-1] != tuple(section))  # this section first
    for name in (last, LITERATURE.get(last)):
        for path in keys:
            if path[-1] == name:
                return f"; did you mean '{'.'.join(path)}'?"
    here = ["".join(path[-1:]) for path in keys if path[:-1] == tuple(section)]
    near = did_you_mean(last, here, cutoff=0.4)
    known = f"; known keys: {', '.join(here)}"
    return near.replace("'", f"'{'.'.join([*section, ''])}", 1) or known


def _paths(model: type[BaseModel], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the paths of all keys of a model: ("evolution", "mu")."""
    for key, field in model.model_fields.items():
        path = (*above, field.alias or key)
        yield path
        for inner in _parts(field.annotation):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from _paths(inner, path)


def _parts(annotation: Any) -> Iterator[Any]:
    """Yield the types that a type is made of: Section, and of Section | None."""
    yield annotation
    for part in get_args(annotation):
        yield from _parts(part)


def _wanted(detail: Any) -> str:
    context = detail.get("ctx", {})
    limits = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le",
              "less_than": "lt"}
    words = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    if detail["type"] in limits:
        limit = limits[detail["type"]]
        return f"must be {words[limit]} {context[limit]}"
    if detail["type"] in ("too_long", "string_too_long"):
        what = "characters" if "string" in detail["type"] else "entries"
        return f"must have at most {context['max_length']:,} {what}"
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


def as_whole(value: Any) -> int | None:
    """Return a whole number of any library, such as numpy, as an int; None for anything else.

    True and False are no numbers.
    """
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def as_real(value: Any) -> float | None:
    """Return a number of any library as a float; None for anything else."""
    if isinstance(value, bool):
        return None
    return float(value) if isinstance(value, Real) else None


def as_plain(value: Any) -> Any:
    """Return a tree of lists and mappings with numbers of any library as int and float."""
    if isinstance(value, Mapping):
        return {key: as_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(as_plain, value)) if type(value) in (list, tuple) else value
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    number = as_whole(value)
    return number if number is not None else value if (real := as_real(value)) is None else real


def in_order(what: str, values: Any, error: type[HsevoError] = ConfigError) -> list[Any]:
    """Return several values as a list. Raises an error for a set, which has no order, and others.

    The order of a set of texts changes from process to process, so that its games would, too.
    """
    if isinstance(values, Set | Mapping) or not isinstance(values, Iterable):
        why = ", whose order changes between processes" * isinstance(values, Set)
        raise error(f"{what} is {short(values)}, a {type(values).__name__}{why}; give a list")
    return list(values)


def whole(name: str, value: Any, low: int = 1, high: int = 1_000_000) -> int:
    """Return an argument that must be a whole number from low to high. Raises ConfigError."""
    number = as_whole(value)
    if number is None or not low <= number <= high:
        raise ConfigError(f"{name} is {short(value)}, but must be a whole number from {low:,} to"
                          f" {high:,}")
    return number


def short(value: Any) -> str:
    """Return the repr of a value, cut to 60 characters; "empty" for None."""
    if value is None:
        return "empty"
    text = _REPR.repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def check_number(name: str, value: Any, least: int) -> int:
    """Return a value that must be a whole number, not too small. Raises ConfigError."""
    number = as_whole(value)
    if number is None or number < least:
        raise ConfigError(f"{name} is {short(value)}, but must be a whole number from {least} up")
    return number


def check_seconds(seconds: Any) -> None:
    """Raise ConfigError unless `seconds` is a number above 0 and at most an hour."""
    if not 0 < (as_real(seconds) or 0) <= 3600:
        raise ConfigError(f"seconds is {short(seconds)}, but must be a number above 0, at most"
                          " 3600")


def memory_problem(number: int, things: str, each: int) -> str:
    """Return a message if things of `each` bytes exceed MOST_MEMORY, else ""."""
    if number * each <= MOST_MEMORY:
        return ""
    return (f"{number:,} {things} would take {number * each / 2**30:,.0f} GiB of memory, but at"
            f" most {MOST_MEMORY // each:,} ({MOST_MEMORY / 2**30:.0f} GiB) are allowed at a time")


def refuse_memory(number: int, things: str, each: int, hint: str) -> None:
    """Raise ConfigError if things would take too much memory. hint: what to do instead."""
    if problem := memory_problem(number, things, each):
        raise ConfigError(f"{problem}; {hint}")
