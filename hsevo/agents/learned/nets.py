"""The networks of learned policies: a store by digest, their files, agents that use them.

    float weights  --quantized()-->  NET ()  --agent()-->  AGENT (1,), which names its net by digest

`read_net` and `write_net` read and write nets. A net may be a TEXT_NET (text.py), too: `playing`
makes a NET of it, for a ruleset.

An AGENT is small and a net is not: `a.w` holds the digest of the net, and the store of this process
the net itself. Jobs for other processes carry the nets along (`carried`, `keep`), and so do
the files of arenas and runs. A player that no compiled code plays (play/players.py) is kept in the
same way: its kind is below 0, and its content bytes, such as the file of a policy's network.

Files of networks are npz archives that name the cards, and the facts of texts, of their rows.

    file  --read_net()-->  NET () or TEXT_NET ()  --write_net()-->  file

Rows are found by name, so a file stays readable when cards or facts are added or renumbered.

A learned player that is shipped has two files, its network and how it was made:

    shipped/2026.npz      the network, as a checkpoint of hsevo learn
    shipped/2026.yaml     says: what it is; sha256: of the network; made: what it comes out of
                          again; learner: how it learned, td if nothing is said; values: true if
                          the file of a policy also has the network of its values
"""

from __future__ import annotations

import base64
import functools
import hashlib
import io
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from zipfile import BadZipFile

import numpy as np

from hsevo.agents.learned.older import ADDED, LAYOUTS, OLD_NET, narrow, wide_first, widened
from hsevo.agents.learned.text import MOST, ROWS, TEXT_NET, composed
from hsevo.agents.mcts.network_tree import ITERATIONS, C
from hsevo.agents.network.network import LOGIT, NET, WEIGHT
from hsevo.agents.network.value import INVERSE, INVERSE_ONE, NETWORK, POLICY
from hsevo.agents.shared import agent as agents
from hsevo.agents.shared.agent import AFTERSTATE, AGENT
from hsevo.agents.shared.scratch import ENDS, LEVELS
from hsevo.agents.shared.secrets import SECRETS, WORST
from hsevo.agents.turn_search.reply import HANDS, KEPT
from hsevo.agents.turn_search.search import DEPTH, NODES, SAMPLES
from hsevo.cards.decks import Deck
from hsevo.cards.facts import names
from hsevo.cards.rulesets import RULESETS, STUDY_RULESETS
from hsevo.cards.tables import home_of, ids, only_in
from hsevo.config import parse, read_text
from hsevo.errors import AgentError
from hsevo.files import read_bytes, write_whole
from hsevo.types import Array

RULESET = "msg2017"  # whose numbers of cards rows of a NET have; those of cig2018 are the same
END_TO_END, PYTHON = -1, -2  # kinds of players that are not compiled; files hold these numbers
HOSTED = {END_TO_END: "end-to-end", PYTHON: "python"}  # by what they are registered as
NOT_COMPILED = "is not compiled, and this plays compiled agents alone"
NOT_HERE = f"{NOT_COMPILED}; use hsevo match, arena or benchmark, or hsevo.Game"
MOST_BYTES = 2**27  # of a network in JSON
DENSEST = 32  # bytes of a hosted player by characters of its text, at most
MAX_TEMPERATURE = 10.0
MOST_INVERSE = 1 << 20  # afterstate.py multiplies it with log-odds
MOST_NODES, MOST_SAMPLES = 1_000_000_000, 1_000
MOST_ITERATIONS, MOST_C = 1_000_000, 100.0
PLACES = {"secrets": SECRETS, "hands": HANDS, "ends": KEPT, "iterations": ITERATIONS}
PARTS = tuple(NET.names or ())

# NET () or TEXT_NET (), or the content of a player that is not compiled
Net: TypeAlias = Array | bytes
Key: TypeAlias = tuple[float, float]  # a digest
_store: dict[Key, Net] = {}


def quantized(weights: Array) -> Array:
    """Return float weights, WEIGHTS (), as a net, NET (): rounded, and cut to what int16 holds.

    Raises AgentError if a weight is not a number: the learner has diverged.
    """
    net = np.zeros((), NET)
    for name in PARTS:
        unit, most = (LOGIT, 2**30) if name == "bias" else (WEIGHT, MOST)
        net[name] = _rounded(weights[name], unit, most)
    for name in ROWS:
        net[name][len(ids(RULESET)):] = 0  # no card has these rows
    return net


def quantized_text(weights: Array, text: Array) -> Array:
    """Return float weights, WEIGHTS (), and matrices, in the shapes of TEXT, as a TEXT_NET ().

    Raises AgentError as `quantized`.
    """
    net = np.zeros((), TEXT_NET)
    net["net"] = quantized(weights)
    for name in ROWS:
        net["text"][name] = _rounded(text[name], WEIGHT, MOST)
    return net


def _rounded(weights: Array, unit: int, most: int) -> Array:
    if not np.isfinite(weights).all():
        raise AgentError("a weight of the network is not a number, because the training diverged;"
                         " use a lower learner.rate")
    rounded: Array = np.clip(np.rint(weights.astype("f8") * unit), -most, most)
    return rounded


def playing(net: Array, ruleset: str) -> Array:
    """Return the NET () that a net plays a ruleset with: itself, or composed of a TEXT_NET ()."""
    if net.dtype != TEXT_NET:
        return net
    return _composed(store(net), ruleset)[1]


@functools.lru_cache(maxsize=64)
def _composed(key: Key, ruleset: str) -> tuple[Key, Array]:
    """Return the NET () of the TEXT_NET () with a digest, and its own digest."""
    text = _named(key)
    assert not isinstance(text, bytes)
    net = composed(text, ruleset, ids(RULESET))
    return _digest(net), net


def agent(net: Array, temperature: float = 0.0, depth: int = 0, nodes: int = 0,
          samples: int = 0, c: float = 0.0, key: Key | None = None, policy: Key | None = None,
          **others: int) -> Array:
    """Return the agent, AGENT (1,), that plays by a net.

    temperature 0: always its best action. depth 0: no search of its turn; else with nodes and
    samples as in turn_search/search.py. key: of the net, if it is known. policy: the key of the net
    of a policy, if the net is that of its values; see network/value.py. others: of PLACES: secrets
    as in shared/secrets.py, hands and ends as in turn_search/reply.py, iterations (with c) as in
    mcts/network_tree.py.
    """
    inverse = round(INVERSE_ONE / (temperature * np.log(2.0))) if temperature else 0
    budget = [0] * AGENT["budget"].shape[0]
    budget[INVERSE] = min(max(inverse, 1), MOST_INVERSE) if temperature else 0
    budget[DEPTH], budget[NODES], budget[SAMPLES] = depth, nodes, samples
    for name, value in others.items():
        budget[PLACES[name]] = value
    return agents.agent(AFTERSTATE, tuple(budget), (*store(net, key), c, *(policy or ())))


def hosted(kind: int, data: bytes) -> Array:
    """Return a player that is not compiled, AGENT (1,), of a kind in HOSTED, from its content."""
    return agents.agent(kind, (), store(data))


def is_hosted(records: Array) -> Array:
    """Return which agents, AGENT (...), no compiled code plays, bool (...)."""
    return np.asarray(records["kind"] < 0)


def grows_tree(records: Array) -> Array:
    """Return which agents, AGENT (...), are learned players that search a tree, bool (...)."""
    budget = records["budget"]
    return np.asarray((records["kind"] == AFTERSTATE) & (budget[..., DEPTH] == 0)
                      & (budget[..., ITERATIONS] > 0))


def content(player: Array) -> bytes:
    """Return the content of a player that is not compiled, AGENT (1,). Raises AgentError."""
    (data,) = carried(player)
    assert isinstance(data, bytes)
    return data


def keep(nets: Sequence[Net] | Array) -> None:
    """Put nets, NET () or bytes, into the store of this process."""
    for net in nets:
        store(net)


def store(net: Net, key: Key | None = None) -> Key:
    """Put a net into the store of this process; return its key, which takes milliseconds to find.
    """
    key = key or _digest(net)
    if key not in _store:
        _store[key] = net if isinstance(net, bytes) else np.array(net)
    return key


def carried(records: Array) -> tuple[Net, ...]:
    """Return the nets that agents, AGENT (...), need, each once. Raises AgentError.

    That of an agent's policy comes after that of its values.
    """
    ours = records[(records["kind"] == AFTERSTATE) | is_hosted(records)]
    return tuple(_named(key) for key in dict.fromkeys(
        key for record in ours for key in _keys(record).values()))


def numbered(records: Array, ruleset: str = RULESET, decks: Sequence[Deck] = ()) -> Array:
    """Set the numbers of their nets in agents, AGENT (n,); return the nets, NET (k,), to be read.

    A net that is composed for the ruleset has a digest of its own, which agents then have.
    Raises AgentError if the rows of a net are numbered otherwise than cards of the ruleset, or a
    deck has cards that it knows nothing of; and for a player that is not compiled.
    """
    if is_hosted(records).any():
        raise AgentError(f"one of the agents {NOT_HERE}")
    numbers: dict[Key, int] = {}
    digests: list[Key] = []
    for i in np.flatnonzero(records["kind"] == AFTERSTATE):
        for place, named in _keys(records[i]).items():
            key, _ = _played(named, ruleset, decks)
            if key not in numbers:
                numbers[key] = len(digests)
                digests.append(named)
            records["w"][i, place:place + 2] = key
            if place == POLICY:
                records["w"][i, POLICY + 2] = numbers[key]
            else:
                records["budget"][i, NETWORK] = numbers[key]
    together = _shared if len(digests) <= _PLAYER else _in_a_row
    return together(tuple(digests), ruleset)


_PLAYER = 2  # most nets of one player: a policy, and its values


def _in_a_row(digests: tuple[Key, ...], ruleset: str) -> Array:
    """Return what the nets with these digests play a ruleset with, NET (k,)."""
    nets = [_played(key, ruleset, ())[1] for key in digests]
    return nets[0].reshape(1) if len(nets) == 1 else np.array(nets, NET)


@functools.lru_cache(maxsize=4)
def _shared(digests: tuple[Key, ...], ruleset: str) -> Array:
    """Return `_in_a_row` once for hundreds of games on a server: a net has 2.5 MB."""
    return _in_a_row(digests, ruleset)


def _played(key: Key, ruleset: str, decks: Sequence[Deck]) -> tuple[Key, Array]:
    """Return what the net with a digest plays a ruleset with, NET (), and its digest."""
    net = _named(key)
    assert not isinstance(net, bytes)
    if net.dtype == TEXT_NET:
        return _composed(key, ruleset)
    refuse_unknown(ruleset, decks, net)
    return key, net


def refuse_unknown(ruleset: str, decks: Sequence[Deck], net: Array | None = None) -> None:
    """Raise AgentError if a NET () can't play by a ruleset, or with one of these decks.

    Cards of later sets have rows only in a net that was composed for such a ruleset, or no card has
    (before the first step of learning). None: a net that knows cards by number.
    """
    if not _knows(ruleset):
        known = ", ".join(filter(_knows, (*RULESETS, *STUDY_RULESETS)))
        raise AgentError(f"a learned agent (rl:) knows the cards of {RULESET}, but ruleset"
                         f" '{ruleset}' has other cards; use {known}")
    if net is not None and _is_composed(net):
        return
    for deck in decks:
        if unknown := next((id for id in deck.ids if home_of(id)), None):
            raise AgentError(f"a learned agent (rl:) does not know the cards of deck '{deck.name}',"
                             f" which {only_in(unknown)}; use other decks or rl:2027")


def _is_composed(net: Array) -> bool:
    """Return whether a NET () has rows of later cards, or of no card: before its first step."""
    return bool(net["held"][len(ids(RULESET)):].any() or not net["held"].any())


def _knows(ruleset: str) -> bool:
    """Return whether the cards of a ruleset have the numbers that nets know; more may follow."""
    return ids(ruleset)[:len(ids(RULESET))] == ids(RULESET)


def check(record: Any) -> None:
    """Raise AgentError if a record AGENT is no valid learned policy, or its net is not known."""
    low, most = np.zeros((2, len(record["budget"])), np.int64)
    most[[INVERSE, DEPTH, NODES, SAMPLES]] = MOST_INVERSE, LEVELS, MOST_NODES, MOST_SAMPLES
    if record["budget"][DEPTH] > 0:
        most[SECRETS] = WORST
        most[HANDS], most[KEPT] = MOST_SAMPLES, ENDS
        low[HANDS] = record["budget"][KEPT] > 0
    else:
        most[ITERATIONS] = MOST_ITERATIONS
    sane = 0.0 <= record["w"][C] <= MOST_C
    if not sane or ((record["budget"] < low) | (record["budget"] > most)).any():
        raise AgentError(f"a learned agent has the budget {record['budget'].tolist()}, which is not"
                         " valid")
    for key in _keys(record).values():
        if isinstance(_named(key), bytes) != (record["kind"] < 0):
            raise AgentError("a learned agent has the network of another agent family")


def text_of(net: Net) -> str:
    """Return a net as text, for JSON. Raises AgentError if it is too large to be read again."""
    data = _bytes(net)
    if len(data) > MOST_BYTES:
        raise AgentError(f"a network of {len(data):,} bytes can't be stored with its games; the"
                         f" limit is {MOST_BYTES:,}")
    return base64.b85encode(zlib.compress(data, 6)).decode()


def of_text(text: str, kind: int) -> Net:
    """Return the net of `text_of`, of an agent of this kind. Raises ValueError if it is damaged."""
    most = min(MOST_BYTES, DENSEST * len(text)) if kind < 0 else TEXT_NET.itemsize
    unpacked = zlib.decompressobj()
    try:
        data = unpacked.decompress(base64.b85decode(text), most)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if kind < 0:
        if not unpacked.eof:
            raise ValueError("a network is truncated, or has more bytes than its text can encode")
        return data
    sizes = {dtype.itemsize: dtype for dtype in (TEXT_NET, *LAYOUTS)}
    dtype = sizes.get(len(data), NET)
    return widened(np.array(np.frombuffer(data, dtype, 1)[0], dtype))


def _bytes(net: Net) -> bytes:
    return net if isinstance(net, bytes) else narrow(net).tobytes()


def _digest(net: Net) -> Key:
    """Return 64 bits that name a net, as two whole numbers; one of another kind has others."""
    digest = hashlib.sha256(b"end-to-end" * isinstance(net, bytes))
    digest.update(_bytes(net))
    high, low = np.frombuffer(digest.digest()[:8], "<u4").tolist()
    return float(high), float(low)


def _keys(record: Any) -> dict[int, Key]:
    """Return the digests of the nets of a record AGENT, by their places in its weights."""
    w = record["w"]
    keys = {0: (float(w[0]), float(w[1]))}
    if record["kind"] == AFTERSTATE and w[POLICY:POLICY + 2].any():
        keys[POLICY] = float(w[POLICY]), float(w[POLICY + 1])
    return keys


def _named(key: Key) -> Net:
    if key not in _store:
        raise AgentError("the network of a learned agent is not loaded in this process; read the"
                         " agent again")
    return _store[key]


T = TypeVar("T")
OLD_FORMAT, OLD_TEXT_FORMAT = 1, 2  # with what older.py tells
FORMAT, TEXT_FORMAT = 3, 4  # with a NET, with a TEXT_NET
VALUES = "values_"  # before the names of a second net's arrays
FORMATS = (OLD_FORMAT, OLD_TEXT_FORMAT, FORMAT, TEXT_FORMAT)


def write_net(path: Path, net: Array) -> None:
    """Write a net as an npz file: its arrays, and the cards that its rows are for."""
    write_whole(path, net_bytes(net))


def net_bytes(net: Array, met: Array | None = None, values: Array | None = None) -> bytes:
    """Return a net as the bytes of an npz file.

    met (CARDS,): how often each card was met. values: the net of the same kind that gives a policy
    its values.
    """
    text, out = net.dtype == TEXT_NET, io.BytesIO()
    arrays = _arrays_of(net)
    if met is not None:
        arrays["met"] = met[:len(ids(RULESET))]
    if values is not None:
        arrays |= {f"{VALUES}{name}": array for name, array in _arrays_of(values).items()}
    if text:
        arrays["facts"] = np.array(names())
    np.savez_compressed(out, format=np.array(TEXT_FORMAT if text else FORMAT),
                        cards=np.array(ids(RULESET)), **arrays)
    return out.getvalue()


def _arrays_of(net: Array) -> dict[str, Any]:
    """Return the arrays of a net in a file."""
    text, known = net.dtype == TEXT_NET, len(ids(RULESET))
    own = net["net"] if text else net
    arrays: dict[str, Any] = {name: own[name] for name in PARTS}
    arrays |= {name: own[name][:known] for name in ROWS}
    if text:
        arrays |= {_matrix(name): net["text"][name][:len(names())] for name in ROWS}
    return arrays


def _matrix(name: str) -> str:
    """Return what the matrix of a part is called in a file."""
    return f"text_{name}"


def read_net(path: Path) -> Array:
    """Read a net, NET () or TEXT_NET (). Raises AgentError if the file holds none."""
    return _read(path, _net_of)


def read_values(path: Path) -> Array | None:
    """Read the net that gives a policy its values; None if there is none in its file.

    Raises AgentError as `read_net`.
    """
    return _read(path, _values_of)


def _values_of(arrays: Mapping[str, Array]) -> Array | None:
    own = {name.removeprefix(VALUES): name for name in arrays if name.startswith(VALUES)}
    if not own:
        return None
    shared = ("format", "cards", "facts")
    return _net_of({name: arrays[name] for name in shared if name in arrays}
                   | {name: arrays[long] for name, long in own.items()})


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
        raise _UnfitError(f"its format is {kind}, but known formats are"
                          f" {', '.join(map(str, FORMATS))}")
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
    order = [str(label) for label in arrays[what]]
    if arrays[what].ndim != 1 or len({*order}) != len(order):
        raise _UnfitError(f"its {what} are not a list of unique names")
    now = {label: i for i, label in enumerate(known)}
    at = [(i, now[label]) for i, label in enumerate(order) if label in now]
    if not any(order[i] for i, _ in at):  # "" is no card
        raise _UnfitError(f"none of its {what} is known here, so it was trained on other cards")
    if 2 * len(at) < len(order):  # a version may lose some, not most
        raise _UnfitError(f"only {len(at):,} of its {len(order):,} {what} are known here")
    old, new = np.array(at, np.int64).T
    into[new] = _fit(arrays, name, into.dtype, (len(order), *into.shape[1:]))[old]


def _fit(arrays: Mapping[str, Array], name: str, dtype: np.dtype[Any],
         shape: tuple[int, ...]) -> Array:
    """Return an array of a file. Raises ValueError if it has another type or shape."""
    array = arrays[name]
    if array.dtype != dtype or array.shape != shape:
        raise _UnfitError(f"{name} is {array.dtype} {array.shape}, but must be {dtype} {shape}")
    return array


FOLDER = Path(__file__).with_name("shipped")


@dataclass(frozen=True)
class Shipped:
    """A shipped player: its description, the SHA-256 of its network, and how it was made."""

    says: str
    sha256: str
    made: Mapping[str, str]
    learner: str  # learner.method: td, ppo or mmd
    cards: str  # learner.cards: number, text or both
    has_values: bool  # whether a policy's file also has the network of its values


@functools.cache
def shipped() -> Mapping[str, Shipped]:
    """Return all shipped players by what follows "rl:" in their names."""
    players = {}
    for file in sorted(FOLDER.glob("*.yaml")):
        tree = parse(read_text(file), str(file))
        origin = {key: str(value) for key, value in tree["made"].items()}
        players[file.stem] = Shipped(tree["says"], tree["sha256"], origin,
                                     tree.get("learner", "td"), tree.get("cards", "number"),
                                     tree.get("values", False))
    return players


@functools.cache
def key(name: str, values: bool = False) -> Key:
    """Return the key of the network of a shipped player. Raises AgentError as `network`."""
    return store(network(name, values))


@functools.cache
def network(name: str, values: bool = False) -> Any:
    """Return the network of a shipped player, or that of its values.

    Raises AgentError if the file is not what was shipped.
    """
    file = FOLDER / f"{name}.npz"
    if hashlib.sha256(read_bytes(file)).hexdigest() != shipped()[name].sha256:
        raise AgentError(f"{file} is damaged: it differs from the shipped network; reinstall hsevo")
    return read_values(file) if values else read_net(file)
