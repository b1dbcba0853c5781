"""Checkpoints of end-to-end policies, read without PyTorch: what plays, and its bytes.

    stored = read(path)                  of a checkpoint that PyTorch wrote, or of `data`
    stored.actor(), stored.data()        what plays; its bytes, an npz file

A file of PyTorch is a zip file with a pickle, which names the bytes of its tensors. Only plain data
and tensors are read, and of these float32 alone: a file of others cannot run code.
"""

from __future__ import annotations

import functools
import io
import json
import math
import pickle
import pickletools
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

import numpy as np

from hsevo import sources
from hsevo.cards.terms import Class
from hsevo.config.learning import NetworkSettings
from hsevo.errors import CardError, ConfigError, DeckError, RunError, brief
from hsevo.files import DAMAGE, read_bytes
from hsevo.learning.acting.actor import Actor
from hsevo.learning.acting.pool import card_pool
from hsevo.learning.acting.weights import check_parameters
from hsevo.learning.vocabulary import LISTED
from hsevo.types import Array

FORMAT = 3  # of checkpoints
FORMATS = (2, FORMAT)  # that are read
SETTINGS = "settings.json"  # among the parameters of an npz file
SHARPEST = 2.0**20  # scores times this: what is worse by 0.0001 has no chance


@functools.cache
def actors() -> str:
    """Return 16 hex digits that change with what decides how a policy plays."""
    meant = sources.remembered(
        "actors", lambda: sources.digest(sources.ACTORS, sources.NOT_ACTORS))
    return sha256(meant.encode() + LISTED.read_bytes()).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class StoredPolicy:
    """A policy as it is stored.

    parameters: by their names in PyTorch. ruleset: of whose cards it builds decks, if it does.
    """

    settings: NetworkSettings
    ruleset: str
    parameters: Mapping[str, Array]

    @property
    def classes(self) -> list[int]:
        """The classes that have a network of their own."""
        owners = {int(match[1]) for match in map(_OF_CLASS.match, self.parameters) if match}
        return sorted(owners) if self.settings.isolate else []

    def actor(self) -> Actor:
        """Return the policy, to play. Raises RunError."""
        return Actor.of(self.parameters, self.settings, self.classes,
                        card_pool(self.ruleset) if self.settings.build else None)

    def at(self, temperature: float) -> StoredPolicy:
        """Return the policy at a temperature, by which its scores of moves and cards are divided.

        1: as it is. 0: each part of a move, and each card of a deck that it builds, is the best
        one, or drawn among equals.
        """
        by = np.float32(min(1 / temperature, SHARPEST) if temperature else SHARPEST)
        return self if by == 1 else replace(self, parameters={
            key: parameter * by if _SCORES.search(key) else parameter
            for key, parameter in self.parameters.items()})

    def given_decks(self) -> StoredPolicy:
        """Return the policy that plays the decks that it is given: without what builds its own."""
        parameters = {key: parameter for key, parameter in self.parameters.items()
                      if not _BUILDER.search(key)}
        return replace(self, settings=self.settings.model_copy(update={"build": False}),
                       parameters=parameters)

    def data(self) -> bytes:
        """Return it as the bytes of an npz file: arrays of parameters, its settings, and `actors`.

        So games are those of the version that stores it: another one refuses to play on with it.
        """
        header = {"network": self.settings.model_dump(mode="json"), "ruleset": self.ruleset,
                  "actors": actors()}
        said = np.frombuffer(json.dumps(header).encode(), np.uint8)
        arrays: dict[str, Any] = {SETTINGS: said, **self.parameters}
        out = io.BytesIO()
        np.savez(out, **arrays)
        return out.getvalue()

    def check(self) -> StoredPolicy:
        """Return it. Raises ValueError if it has other parameters than its settings say."""
        if not isinstance(self.ruleset, str):
            raise ValueError("its ruleset is not a name")
        classes = self.classes
        if not {*classes} < {*Class} or (self.settings.isolate and not classes):
            raise ValueError("it has networks of no classes")
        if self.settings.build:
            card_pool(self.ruleset)  # are there such cards?
        check_parameters(self.parameters, self.settings, classes)
        return self


# The last layers, in which scores are linear.
_SCORES = re.compile(r"(^|\.)(what\.score|at\.score|where|builder\.query)\.(weight|bias)$")
_BUILDER = re.compile(r"(^|\.)builder\.")
_OF_CLASS = re.compile(r"networks\.(\d{1,2})\.")
# The embedding, once more; and what picks heroes, which are given to who plays.
_APART = re.compile(r"(places\.\d+|builder)\.cards\.weight$|^picker\.")


def read(path: Path) -> StoredPolicy:
    """Return the policy of a checkpoint. Raises RunError."""
    return of_bytes(read_bytes(path), str(path))


def of_bytes(data: bytes, name: str) -> StoredPolicy:
    """Return the policy of a checkpoint's bytes. Raises RunError, which calls it by a name."""
    try:
        with ZipFile(io.BytesIO(data)) as file:
            refuse_packed(file)
            ours = f"{SETTINGS}.npy" in file.namelist()
            checkpoint = None if ours else unpickled(file)
    except Exception as error:
        raise RunError(f"{name} is not a checkpoint of the end-to-end learner") from error
    with undamaged(name):
        return (_of_npz(data, name) if checkpoint is None else _of_torch(checkpoint, name)).check()


def _of_npz(data: bytes, name: str) -> StoredPolicy:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        parameters = {key: arrays[key] for key in arrays.files}
    settings = json.loads(parameters.pop(SETTINGS).tobytes())
    played_by = settings.pop("actors")
    if played_by != actors():
        raise RunError(f"{name} was stored by a version whose end-to-end policies used other code"
                       f" ({brief(played_by)}, here {actors()}), and may play differently here;"
                       " continue with that version, or start a new run from its checkpoint")
    network = NetworkSettings(**settings.pop("network"))
    return StoredPolicy(network, parameters=parameters, **settings)


def _of_torch(checkpoint: Any, name: str) -> StoredPolicy:
    if not isinstance(checkpoint, dict) or checkpoint.get("format") not in FORMATS:
        raise RunError(f"{name} is not a checkpoint of the end-to-end learner of this version")
    settings, parameters = checkpoint["settings"], checkpoint["network"]
    own = {key: tensor for key, tensor in parameters.items() if not _APART.search(key)}
    stored = {id(tensor.storage): len(tensor.storage.data) for tensor in own.values()}
    if sum(4 * math.prod(tensor.size) for tensor in own.values()) > sum(stored.values()):
        raise ValueError("its tensors share storage, and have more numbers than are stored")
    for tensor in parameters.values():
        if isinstance(tensor, Tensor) and tensor.kind != FLOAT:
            raise RunError(f"{name} has {tensor.kind} numbers, but a checkpoint of the end-to-end"
                           f" learner has only {FLOAT}; it is damaged, or from another program")
    return StoredPolicy(network_settings(settings), settings["ruleset"],
                  {key: tensor.array() for key, tensor in own.items()})


def network_settings(settings: Mapping[str, Any]) -> NetworkSettings:
    """Return the settings of a checkpoint's network. Raises several errors if they are none.

    In format 2 they stand next to those of the run, and the network's sizes are a part: "net".
    """
    if "network" in settings:
        return NetworkSettings(**settings["network"])
    every = {**settings, **settings["net"]}
    return NetworkSettings(**{key: every[key] for key in (
        "embedding", "width", "lstm", "history", "isolate", "build", "pick_hero", "hero_entropy",
        "opponent_deck") if key in every})


_DAMAGE: tuple[type[Exception], ...] = (*DAMAGE, MemoryError, CardError, ConfigError, DeckError)


@contextmanager
def undamaged(path: Path | str) -> Iterator[None]:
    """Read a checkpoint inside: what is missing or wrong in it becomes a RunError."""
    try:
        yield
    except _DAMAGE as error:
        raise RunError(f"{path} is damaged, or from another version of hsevo") from error


def refuse_packed(file: ZipFile) -> None:
    """Raise BadZipFile if the parts of a file have more bytes than itself.

    Neither PyTorch nor numpy compresses anything, but both would expand what others compressed.
    """
    if sum(member.file_size for member in file.infolist()) > file.start_dir:
        raise BadZipFile("its parts have more bytes than the file")


# -- files of PyTorch -----------------------------------------------------------------------------

FLOAT = "torch.float32"
_STORAGES = {"FloatStorage": FLOAT, "DoubleStorage": "torch.float64", "HalfStorage":
             "torch.float16", "BFloat16Storage": "torch.bfloat16", "LongStorage": "torch.int64",
             "IntStorage": "torch.int32", "ShortStorage": "torch.int16", "CharStorage":
             "torch.int8", "ByteStorage": "torch.uint8", "BoolStorage": "torch.bool",
             "ComplexFloatStorage": "torch.complex64", "ComplexDoubleStorage": "torch.complex128"}


class StorageKind(NamedTuple):
    """A type of numbers, in the place of PyTorch's class of storages."""

    name: str


class Storage(NamedTuple):
    """The bytes of one or more tensors, in the file."""

    data: bytes
    kind: str


class Tensor(NamedTuple):
    """A tensor that is not read yet."""

    storage: Storage
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]

    @property
    def kind(self) -> str:
        """The type of its numbers, as PyTorch calls it."""
        return self.storage.kind

    def array(self) -> Array:
        """Return its numbers. Raises ValueError if it is not a plain one."""
        expected = np.cumprod((1, *self.size[:0:-1]))[::-1]
        if tuple(self.stride) != tuple(expected.tolist()) or self.kind != FLOAT:
            raise ValueError("a parameter is not a plain tensor")
        n = int(np.prod(self.size, dtype=object))
        whole = np.frombuffer(self.storage.data, "<f4")
        if self.offset < 0 or min(self.size, default=1) < 0 or self.offset + n > len(whole):
            raise ValueError("a tensor is larger than its stored data")
        return whole[self.offset:self.offset + n].reshape(self.size)


class Foreign:
    """What stands for anything else of PyTorch: nothing that could be used."""

    def __init__(self, *parts: Any) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        pass


class _Ordered(OrderedDict[Any, Any]):
    """What PyTorch writes a network's parameters as: empty at first, and without attributes.

    Each could otherwise be made as a copy of another, of any size, by five bytes of a file.
    """

    def __init__(self) -> None:
        super().__init__()

    def __setstate__(self, state: object) -> None:
        pass


def _rebuilt(storage: Storage, offset: int, size: tuple[int, ...], stride: tuple[int, ...],
             *others: Any) -> Tensor:
    """Return a tensor: what PyTorch's function of this place does."""
    return Tensor(storage, offset, size, stride)


class _Unpickler(pickle.Unpickler):
    """A reader of plain data and tensors; what is neither PyTorch's nor plain is refused."""

    def __init__(self, file: ZipFile, root: str) -> None:
        data = file.read(f"{root}/data.pkl")
        # Python's reader in C makes room for as many objects as the number of any that is kept.
        if any(code.name in ("PUT", "BINPUT", "LONG_BINPUT") and (number or 0) > len(data)
               for code, number, _ in pickletools.genops(data)):
            raise pickle.UnpicklingError("it refers to more objects than it has")
        super().__init__(io.BytesIO(data))
        self._file, self._root = file, root
        self._storages: dict[str, Storage] = {}

    def find_class(self, module: str, name: str) -> Any:
        """Return what a name in the file stands for."""
        if (module, name) == ("collections", "OrderedDict"):
            return _Ordered
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _rebuilt
        if module == "torch" and name in _STORAGES:
            return StorageKind(_STORAGES[name])
        if module.partition(".")[0] == "torch":  # tensors that are not plain, say
            return Foreign
        raise pickle.UnpicklingError(f"{module}.{name} is not plain data")

    def persistent_load(self, pid: Any) -> Storage:
        """Return the storage of a name."""
        _, kind, key, *_ = pid
        if type(key) is not str:  # NaN, say, is never known, and would be read again and again
            raise pickle.UnpicklingError("a storage has no name")
        if key not in self._storages:
            data = self._file.read(f"{self._root}/data/{key}")
            self._storages[key] = Storage(data, kind.name)
        return self._storages[key]


def unpickled(file: ZipFile) -> Any:
    """Return the plain data of a file of PyTorch, with a Tensor for each tensor.

    Raises whatever goes wrong.
    """
    roots = {name.partition("/")[0] for name in file.namelist() if name.endswith("/data.pkl")}
    (root,) = roots
    return _Unpickler(file, root).load()
