"""The axes of a map in a config: pairs of numbers, and what a map can't have."""

from __future__ import annotations

from typing import Any


def with_pairs(given: Any) -> Any:
    """Return what a section is made of, with the lists within its `ranges` as tuples."""
    if isinstance(given, dict) and isinstance(given.get("ranges"), list):
        pairs = [tuple(one) if isinstance(one, list) else one for one in given["ranges"]]
        return given | {"ranges": tuple(pairs)}
    return given


def refuse_axes(features: tuple[str, str], ranges: tuple[Any, Any] | None) -> None:
    """Raise ValueError for a map with one axis twice, or an axis without a length."""
    if any(low >= high for low, high in ranges or ()):
        raise ValueError("ranges must be two pairs of a low and a higher number")
    if features[0] == features[1]:
        raise ValueError(f"features has {features[0]} twice; a map has two axes")
