"""The parameters of an end-to-end network as compiled code takes them, and its shape.

    weights(parameters, settings)      from PyTorch's names and arrays
    shape(settings)                    where it reads what in an observation
    scratch(settings)                  memory for a call

PyTorch's layers have a row for each output; compiled code adds up rows of inputs, so matrices are
transposed. Each width is padded with zeros to a multiple of STEP: what is padded stays zero.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from hsevo.config.learning import NetworkSettings
from hsevo.engine.record.codec import PLACES
from hsevo.engine.view.actions import WHATS
from hsevo.learning.acting.building import Branch
from hsevo.learning.acting.forward import MOST_ROWS, TOGETHER, Scratch, Shape, Weights
from hsevo.learning.acting.layers import STEP
from hsevo.learning.acting.pool import CardPool
from hsevo.learning.acting.shapes import (
    LIST_SCALE,
    NUMBERED,
    PEEK,
    kinds,
    listed,
    numbers_of,
    placed,
    places,
    pointed_at,
)
from hsevo.learning.layouts import ObservationBlock, blocks
from hsevo.learning.vocabulary import CARDS
from hsevo.types import Array

Parameters: TypeAlias = Mapping[str, Array]
Part: TypeAlias = tuple[int, int]  # how many inputs there are, and with padding
_thread = threading.local()
LN_2, ROOT = 0.6931471805599453, 0.7071067811865476  # ln 2, the root of 1/2


def padded(n: int) -> int:
    """Return a width with padding."""
    return -(-n // STEP) * STEP


def wide(matrix: Array, parts: Sequence[Part], outputs: Sequence[Part]) -> Array:
    """Return a layer's weights (outputs, inputs) as rows of inputs, each part of both padded."""
    used, room = np.array(parts).T
    rows, columns = (np.concatenate([np.arange(n) + at for (n, _), at in zip(
        some, np.cumsum([0, *(most for _, most in some)]), strict=False)])
        for some in (parts, outputs))
    assert matrix.shape == (len(columns), used.sum())
    padded_matrix = np.zeros((room.sum(), sum(most for _, most in outputs)), np.float32)
    padded_matrix[np.ix_(rows, columns)] = matrix.T
    return padded_matrix


def lengthened(row: Array, outputs: Sequence[Part]) -> Array:
    """Return a bias with each of its parts padded."""
    bias: Array = wide(row[:, None], [(1, 1)], outputs)[0]
    return bias


def part(n: int) -> Part:
    """Return a part of n inputs or outputs."""
    return n, padded(n)


def weights(parameters: Parameters, settings: NetworkSettings) -> Weights:
    """Return the parameters, by their names in PyTorch, of a network of these sizes."""
    card, width, lstm = (part(n) for n in (settings.embedding, settings.width, settings.lstm))
    shapes, layers, bias = blocks(settings.history), [], []
    for k, name in enumerate(placed(settings)):
        layers.append(wide(parameters[f"places.{k}.layer.weight"],
                           inputs(shapes[name], settings.embedding), [width]))
        bias.append(lengthened(parameters[f"places.{k}.layer.bias"], [width]))
    pooled = [*[width] * (2 * len(placed(settings))), *[card] * (len(listed(settings)) + 1),
              *(part(len(numbers_of(shapes[name])) * shapes[name].rows) for name in NUMBERED)]
    pointers: dict[str, Array] = {}
    for name, context in (("what", [lstm]), ("at", [lstm, width])):
        own = {key: parameters[f"{name}.{key}"] for key in (
            "place.weight", "context.weight", "context.bias", "kind.weight", "score.weight")}
        pointers |= {
            name: wide(own["place.weight"], [width], [width]),
            f"{name}_context": wide(own["context.weight"], context, [width]),
            f"{name}_kind": np.stack([lengthened(row + own["context.bias"], [width])
                                      for row in own["kind.weight"]]),
            f"{name}_score": lengthened(own["score.weight"][0], [width])}
    memory = parameters["memory.weight_ih_l0"], parameters["memory.weight_hh_l0"]
    return Weights(
        cards=embeddings(parameters, settings),
        places=np.concatenate(layers), places_bias=np.stack(bias),
        trunk=wide(parameters["trunk.weight"], pooled, [lstm]),
        trunk_bias=lengthened(parameters["trunk.bias"], [lstm]),
        memory=wide(np.concatenate(memory, 1), 2 * [lstm], 4 * [lstm]),
        memory_bias=lengthened(
            parameters["memory.bias_ih_l0"] + parameters["memory.bias_hh_l0"], 4 * [lstm]),
        nothing=lengthened(parameters["nothing"], [width]),
        where=wide(parameters["where.weight"], [lstm, width], [part(PLACES)]),
        where_bias=lengthened(parameters["where.bias"], [part(PLACES)]), **pointers)


def inputs(block: ObservationBlock, embedding: int) -> list[Part]:
    """Return the parts of the inputs of a block's places: cards, texts, numbers."""
    texts, numbers = len(block.cards) > 1, len(numbers_of(block))
    return [part(embedding)] * (1 + texts) + [part(numbers)] * (numbers > 0)


@functools.cache
def shape(settings: NetworkSettings) -> Shape:
    """Return where networks of these sizes read what."""
    known, table, first = blocks(settings.history), [], 0
    for name in placed(settings):
        block, numbers = known[name], numbers_of(known[name])
        room = sum(most for _, most in inputs(block, settings.embedding))
        texts = block.cards[1:]
        for run in (texts, numbers):
            assert [*run] == [*range(run[0], run[0] + len(run))] if run else True
        table.append((block.offset, block.rows, len(block.columns), *(texts or (0,))[:1],
                      len(texts), *(numbers or [0])[:1], len(numbers), first, room))
        first += room
    runs = []
    for name in NUMBERED:
        block, numbers = known[name], numbers_of(known[name])
        assert len(numbers) == len(block.columns) or block.rows == 1
        n = len(numbers) * block.rows
        runs.append((block.offset + numbers[0], n, padded(n)))
    lists = [(known[name].offset, *known[name].shape) for name in listed(settings)]
    parts = {f"{name}_kind": np.array(kinds(name)) for name in ("what", "at")}
    parts |= {f"{name}_place": np.array(pointed_at(name, places(settings)))
              for name in ("what", "at")}
    return Shape(np.array(table), np.array(lists), np.array(runs), known["decision"].offset,
                 np.float32(LIST_SCALE), scaled=scaled(), **parts)


def branch(parameters: Parameters, settings: NetworkSettings, pool: CardPool) -> Branch:
    """Return the parameters of the branch that builds decks of a pool."""
    peeks = settings.opponent_deck == PEEK
    card, width = part(settings.embedding), part(settings.width)
    own = {name: parameters[f"builder.{name}"] for name in (
        "hidden.weight", "hidden.bias", "query.weight", "query.bias", "key.weight", "key.bias")}
    cards = embeddings(parameters, settings)
    return Branch(
        cards=cards[pool.numbers], heroes=cards[pool.heroes],
        hidden=wide(own["hidden.weight"], [card] * (2 + peeks) + [part(1)], [width]),
        hidden_bias=lengthened(own["hidden.bias"], [width]),
        query=wide(own["query.weight"], [width], [width]),
        query_bias=lengthened(own["query.bias"], [width]),
        key=wide(own["key.weight"], [card], [width]),
        key_bias=lengthened(own["key.bias"], [width]),
        root=np.float32(settings.width**0.5), list_scale=np.float32(LIST_SCALE), peeks=int(peeks))


def check_parameters(parameters: Parameters, settings: NetworkSettings,
                     classes: Sequence[int]) -> None:
    """Raise ValueError unless these are the parameters of a policy; see `Actor.of`."""
    names = {f"networks.{owner}.{name}": size for owner in classes or [0]
             for name, size in sizes(settings).items()}
    if not classes:
        names = {name.removeprefix("networks.0."): size for name, size in names.items()}
    if {name: parameter.shape for name, parameter in parameters.items()} != names:
        raise ValueError("a network has different parameters")
    for parameter in parameters.values():
        if parameter.dtype != np.float32 or not np.isfinite(parameter).all():
            raise ValueError("a parameter is not a number")


def sizes(settings: NetworkSettings) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter of a network, by PyTorch's names; cards stand once."""
    card, width, lstm = settings.embedding, settings.width, settings.lstm
    shapes = blocks(settings.history)
    numbers = sum(len(numbers_of(shapes[name])) * shapes[name].rows for name in NUMBERED)
    layers = {f"places.{k}.layer": (width, sum(n for n, _ in inputs(shapes[name], card)))
              for k, name in enumerate(placed(settings))}
    layers["trunk"] = lstm, (2 * width * len(placed(settings))
                             + card * (1 + len(listed(settings))) + numbers)
    for name, context in (("what", lstm), ("at", lstm + width)):
        layers |= {f"{name}.context": (width, context), f"{name}.score": (1, width)}
    layers |= {"where": (PLACES, lstm + width), "value.0": (width, lstm), "value.2": (1, width)}
    if settings.build:
        peeks = settings.opponent_deck == PEEK
        layers |= {"builder.hidden": (width, (2 + peeks) * card + 1),
                   "builder.query": (width, width), "builder.key": (width, card),
                   "builder.value": (1, width)}
    parameter_shapes = {"nothing": (width,), "cards.weight": (CARDS, card)}
    parameter_shapes |= {f"memory.{kind}_l0": (4 * lstm, lstm)
                         for kind in ("weight_ih", "weight_hh")}
    parameter_shapes |= {f"memory.{kind}_l0": (4 * lstm,) for kind in ("bias_ih", "bias_hh")}
    for name in ("what", "at"):
        parameter_shapes |= {f"{name}.place.weight": (width, width),
                             f"{name}.kind.weight": (max(kinds(name)) + 1, width)}
    for name, size in layers.items():
        parameter_shapes |= {f"{name}.weight": size, f"{name}.bias": size[:1]}
    return parameter_shapes


def embeddings(parameters: Parameters, settings: NetworkSettings) -> Array:
    """Return the embeddings of all cards."""
    own = parameters["cards.weight"]
    rows = np.zeros((len(own), padded(settings.embedding)), np.float32)
    rows[1:, :settings.embedding] = own[1:]  # number 0 is no card
    return rows


@functools.cache
def scaled() -> Array:
    """Return log(1 + n) of n from 0 to 32,768, float32, which is what numbers are read as."""
    logarithms: Array = logarithm(np.arange(1, 2**15 + 2)).astype(np.float32)
    return logarithms


def logarithm(numbers: Array) -> Array:
    """Return the natural logarithms of numbers above 0, float64, with the same bits everywhere.

    By products and sums alone: x = 2**n m, and log m = 2 artanh z with z = (m - 1) / (m + 1).
    """
    m, n = np.frexp(np.asarray(numbers, np.float64))
    n, m = np.where(m < ROOT, n - 1, n), np.where(m < ROOT, 2 * m, m)
    z = (m - 1) / (m + 1)
    squared, total = z * z, np.zeros_like(z)
    for k in range(25, 0, -2):
        total = total * squared + 1 / k
    logarithms: Array = n * LN_2 + 2 * z * total
    return logarithms


def scratch(settings: NetworkSettings) -> Scratch:
    """Return memory for calls of this thread."""
    known, memory = getattr(_thread, "scratch", (None, None))
    if memory is None or (known is not settings and known != settings):
        memory = _scratch(settings)
        _thread.scratch = settings, memory
    return memory


def _scratch(settings: NetworkSettings) -> Scratch:
    width, lstm, sizes = padded(settings.width), padded(settings.lstm), blocks(settings.history)
    room = max(sum(most for _, most in inputs(sizes[name], settings.embedding))
               for name in placed(settings))
    numbers = sum(padded(len(numbers_of(sizes[name])) * sizes[name].rows) for name in NUMBERED)
    pooled = (2 * width * len(placed(settings))
              + padded(settings.embedding) * (len(listed(settings)) + 1) + numbers)

    def zeros(*shape: int) -> Array:
        return np.zeros(shape, np.float32)

    return Scratch(
        places=zeros(TOGETHER, places(settings) + 1, width), pooled=zeros(TOGETHER, pooled),
        trunk=zeros(TOGETHER, lstm), states=zeros(TOGETHER, 2 * lstm),
        gates=zeros(TOGETHER, 4 * lstm), rows=zeros(MOST_ROWS, room),
        vectors=zeros(MOST_ROWS, width), options=zeros(WHATS, width), hidden=zeros(WHATS, width),
        context=zeros(1, lstm + width), base=zeros(1, width), scores=zeros(1, WHATS),
        where=zeros(1, padded(PLACES)), taken=np.zeros(MOST_ROWS, np.int64),
        open=np.zeros(WHATS, np.int64))
