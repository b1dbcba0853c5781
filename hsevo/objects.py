"""Results as plain objects, for JSON: what the commands print with --json.

The same things have the same shape everywhere:

    an estimate    {"value": 0.573, "low": 0.558, "high": 0.588}, with its 95 % interval
    a rate         points per game, 0 to 1; a draw is half a point (of `study`, the population of a
                   run and what a learner met: wins per game)
    a table        a list of objects, one per row, with the columns of the CSV file; name, name_low
                   and name_high are one estimate
    null           no number: infinite, or not defined

A class declares its object as FIELDS, such as {"loss": "lost", "plan": {"seed": "plan.seed"}}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas as pd

RULES = ("decks", "games", "seed", "ruleset", "information", "max_turns")
# By its name in JSON, a field is the path of an attribute, a function of the result, or an object.
Fields: TypeAlias = Mapping[str, "str | Callable[[Any], Any] | Fields"]


def rules(plan: str) -> Fields:
    """Return the rules of a plan as fields; plan: the path of the attribute that holds it."""
    return {name: f"{plan}.{name}" for name in RULES}


def to_object(value: Any) -> Any:
    """Return a result, a table, an estimate or a plain value as JSON has it."""
    import numpy as np
    import pandas as pd

    if (fields := getattr(value, "FIELDS", None)) is not None:
        return _object(value, fields)
    if isinstance(value, Mapping | pd.Series):
        return {str(key): to_object(element) for key, element in value.items()}
    if isinstance(value, pd.DataFrame):
        return _rows(value)
    if isinstance(value, list | tuple | np.ndarray):
        return [to_object(element) for element in value]
    if isinstance(value, np.generic):
        return to_object(value.item())
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or isinstance(value, int | str) else str(value)


def _object(value: Any, fields: Fields) -> dict[str, Any]:
    """Return the object that a class declares."""
    members = {}
    for name, field in fields.items():
        if isinstance(field, Mapping):
            members[name] = _object(value, field)
        else:
            get = attrgetter(field) if isinstance(field, str) else field
            members[name] = to_object(get(value))
    return members


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as objects, each estimate as one object with its value, low and high."""
    ends = {name: (f"{name}_low", f"{name}_high") for name in table if f"{name}_low" in table}
    if "low" in table:
        ends["rating" if "rating" in table else "rate"] = ("low", "high")
    inside = {end for pair in ends.values() for end in pair}
    rows = []
    for row in table.to_dict("records"):
        estimates = {name: {"value": row[name], "low": row[low], "high": row[high]}
                     for name, (low, high) in ends.items()}
        rows.append({str(name): to_object(estimates.get(str(name), cell))
                     for name, cell in row.items() if name not in inside})
    return rows
