"""Files of networks: npz archives that name the cards, and the facts of texts, of their rows.

    file  --read_net()-->  NET () or TEXT_NET ()  --write_net()-->  file

Rows are found by name, so a file stays readable when cards or facts are added or renumbered.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile

import numpy as np

from hsevo.agents.learned.nets import PARTS, RULESET
from hsevo.agents.learned.older import ADDED, OLD_NET, wide_first
from hsevo.agents.learned.text import ROWS, TEXT_NET
from hsevo.agents.network.network import NET
from hsevo.cards.facts import names
from hsevo.cards.tables import ids
from hsevo.errors import AgentError
from hsevo.files import read_bytes, write_whole
from hsevo.types import Array

T = TypeVar("T")
OLD_FORMAT, OLD_TEXT_FORMAT = 1, 2  # with what older.py tells
FORMAT, TEXT_FORMAT = 3, 4  # with a NET, with a TEXT_NET
FORMATS = (OLD_FORMAT, OLD_TEXT_FORMAT, FORMAT, TEXT_FORMAT)


def write_net(path: Path, net: Array) -> None:
    """Write a net as an npz file: its arrays, and the cards that its rows are for."""
    write_whole(path, net_bytes(net))


def net_bytes(net: Array, met: Array | None = None) -> bytes:
    """Return a net as the bytes of an npz file; met (CARDS,): how often each card was met."""
    text, out = net.dtype == TEXT_NET, io.BytesIO()
    own, known = net["net"] if text else net, ids(RULESET)
    arrays: dict[str, Any] = {name: own[name] for name in PARTS}
    arrays |= {name: own[name][:len(known)] for name in ROWS}
    if met is not None:
        arrays["met"] = met[:len(known)]
    if text:
        arrays["facts"] = np.array(names())
        arrays |= {_matrix(name): net["text"][name][:len(names())] for name in ROWS}
    np.savez_compressed(out, format=np.array(TEXT_FORMAT if text else FORMAT),
                        cards=np.array(known), **arrays)
    return out.getvalue()


def _matrix(name: str) -> str:
    """Return what the matrix of a part is called in a file."""
    return f"text_{name}"


def read_net(path: Path) -> Array:
    """Read a net, NET () or TEXT_NET (). Raises AgentError if the file holds none."""
    return _read(path, _net_of)


def read_met(path: str | Path) -> dict[str, int] | None:
    """Read how often a net met each card while it learned, by id; None if its file does not say.

    A card is met in each position that the net learned from in which it was on the board, or in the
    hand of the player who had acted. Raises AgentError as `read_net`.
    """
    return _read(Path(path), _met_of)


def _read(path: Path, read: Callable[[Mapping[str, Array]], T]) -> T:
    """Return what `read` makes of a file's arrays. Raises AgentError."""
    data = read_bytes(path)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return read(arrays)
    except _UnfitError as error:
        raise AgentError(f"{path} is not a network of this version of hsevo: {error}") from None
    except (OSError, LookupError, TypeError, ValueError, EOFError, OverflowError, MemoryError,
            BadZipFile, zlib.error, NotImplementedError) as error:
        raise AgentError(f"{path} is damaged, or not a network of hsevo") from error


class _UnfitError(ValueError):
    """What is wrong with the arrays of a file, in words."""


def _net_of(arrays: Mapping[str, Array]) -> Array:
    """Return the net of a file's arrays; cards and facts that this version lacks are left out."""
    kind = int(arrays["format"])
    if kind not in FORMATS:
        raise _UnfitError(f"its format is {kind}, and formats {', '.join(map(str, FORMATS))} are"
                          " known")
    net, older = np.zeros((), NET), kind in (OLD_FORMAT, OLD_TEXT_FORMAT)
    parts = [name for name in PARTS if not (older and name in ADDED)]
    for name in parts:
        if name in ROWS:
            _take_rows(net[name], arrays, name, "cards", ids(RULESET))
        elif older and name == "first":
            net[name] = wide_first(_fit(arrays, name, net[name].dtype, OLD_NET[name].shape))
        else:
            net[name][...] = _fit(arrays, name, net[name].dtype, net[name].shape)
    if kind in (OLD_FORMAT, FORMAT):
        return net
    whole = np.zeros((), TEXT_NET)
    whole["net"] = net
    for name in ROWS:
        if name in parts:
            _take_rows(whole["text"][name], arrays, _matrix(name), "facts", names())
    return whole


def _met_of(arrays: Mapping[str, Array]) -> dict[str, int] | None:
    if "met" not in arrays:
        return None
    order = [str(card) for card in arrays["cards"]]
    met = _fit(arrays, "met", np.dtype(np.int64), (len(order),))
    return dict(zip(order, met.tolist(), strict=True))


def _take_rows(into: Array, arrays: Mapping[str, Array], name: str, what: str,
               known: Sequence[str]) -> None:
    """Set the rows of those that are known to those of a file, whose order `arrays[what]` has."""
    order = [str(one) for one in arrays[what]]
    if arrays[what].ndim != 1 or len({*order}) != len(order):
        raise _UnfitError(f"its {what} are not a list, each named once")
    now = {one: i for i, one in enumerate(known)}
    at = [(i, now[one]) for i, one in enumerate(order) if one in now]
    if not any(order[i] for i, _ in at):  # "" is no card
        raise _UnfitError(f"none of its {what} is known here: it is of other cards")
    if 2 * len(at) < len(order):  # a version may lose some, not most
        raise _UnfitError(f"only {len(at):,} of its {len(order):,} {what} are known here")
    old, new = np.array(at, np.int64).T
    into[new] = _fit(arrays, name, into.dtype, (len(order), *into.shape[1:]))[old]


def _fit(arrays: Mapping[str, Array], name: str, dtype: np.dtype[Any],
         shape: tuple[int, ...]) -> Array:
    """Return an array of a file. Raises ValueError if it has another type or shape."""
    array = arrays[name]
    if array.dtype != dtype or array.shape != shape:
        raise _UnfitError(f"{name} is {array.dtype} {array.shape}, and {dtype} {shape} is wanted")
    return array
