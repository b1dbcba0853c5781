"""Checkpoints of the end-to-end learner, and its networks as policies that play.

    read_checkpoint(path)                   all that `Learner.save` wrote
    actor_of(network)                       what plays, in compiled code
    read_player("rl:RUN" or "FILE.pt")      the same of a checkpoint, or a compiled agent
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias
from zipfile import ZipFile

import torch
from torch import Tensor

from hsevo.cards.decks import Deck, check_deck
from hsevo.cards.terms import Class
from hsevo.config.learning import NetworkSettings
from hsevo.errors import RunError
from hsevo.learning.acting.actor import Actor
from hsevo.learning.acting.checkpoints import (
    FORMAT,
    FORMATS,
    network_settings,
    refuse_packed,
    undamaged,
)
from hsevo.learning.acting.pool import card_pool
from hsevo.learning.acting.rounds import Player
from hsevo.learning.end_to_end.network import Builder, Isolated, Network
from hsevo.learning.end_to_end.picking import Picker
from hsevo.learning.vocabulary import CARDS
from hsevo.runs.checkpoints import TORCH
from hsevo.strength.roster import read_agent, torch_file

Policy: TypeAlias = Network | Isolated
ALONE = ("settings", "decks", "network")  # what the network of a checkpoint needs to play


def make_network(settings: NetworkSettings, ruleset: str, decks: Sequence[Deck],
                 seed: int = 0) -> Policy:
    """Return a network, on the CPU, whose random parameters depend on the seed alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Network(settings)
        if settings.build:
            network.builder = Builder(network.cards, card_pool(ruleset), settings)
    classes = [Class[deck.hero_class] for deck in decks]
    if settings.pick_hero:
        network.picker = Picker(classes, settings.hero_entropy)
    return Isolated(network, classes) if settings.isolate else network


def actor_of(network: Policy) -> Actor:
    """Return a network, as it is now, as a policy that plays: a copy."""
    parameters = {name: parameter.detach().cpu().numpy()
                  for name, parameter in network.named_parameters()
                  if not name.startswith("picker.")}
    parts = [*network.networks.values()] if isinstance(network, Isolated) else [network]
    classes = [int(owner) for owner in network.networks] if isinstance(network, Isolated) else []
    builder = parts[0].builder
    pool = builder.pool if isinstance(builder, Builder) else None
    return Actor.of(parameters, network.settings, classes, pool)


def as_bytes(checkpoint: Mapping[str, Any]) -> bytes:
    """Return a checkpoint as bytes."""
    data = io.BytesIO()
    torch.save(dict(checkpoint), data)
    return data.getvalue()


def alone_bytes(checkpoint: Mapping[str, Any]) -> bytes:
    """Return the network of a checkpoint as a checkpoint that has nothing else."""
    return as_bytes({"format": FORMAT} | {key: checkpoint[key] for key in ALONE})


def network_of(checkpoint: Mapping[str, Any], device: str) -> Policy:
    """Return the network of a checkpoint; ALONE is enough."""
    settings = network_settings(checkpoint["settings"])
    _check_sizes(settings, checkpoint["network"])
    network = make_network(settings, checkpoint["settings"]["ruleset"], decks_of(checkpoint))
    return fill(network, checkpoint["network"]).to(device)


def _check_sizes(sizes: NetworkSettings, parameters: Mapping[str, Tensor]) -> None:
    """Raise ValueError if a network of these sizes has more parameters than a file has.

    So that a forged file takes no more memory than a small multiple of its own length.
    """
    least = 8 * sizes.lstm**2 + sizes.width**2 + CARDS * sizes.embedding
    there = {}  # bytes of each storage, which many tensors may share
    for parameter in parameters.values():
        if parameter.layout is not torch.strided or parameter.device.type != "cpu":
            raise ValueError("a parameter is not a plain tensor")
        there[parameter.untyped_storage().data_ptr()] = parameter.untyped_storage().nbytes()
    if sum(there.values()) < least * torch.float32.itemsize:
        raise ValueError("a network has fewer parameters than its sizes require")


def fill(network: Policy, parameters: Mapping[str, Tensor]) -> Policy:
    """Return a network with these parameters. Raises ValueError if it has others."""
    try:
        network.load_state_dict(parameters)
    except RuntimeError as error:  # names or shapes
        raise ValueError("a network has different parameters") from error
    if not all(bool(torch.isfinite(parameter).all()) for parameter in network.parameters()):
        raise ValueError("a parameter is not a number")
    return network


def same(first: Policy, second: Policy) -> bool:
    """Return whether the parameters of two networks are bit-identical."""
    ours, theirs = (part.state_dict() for part in (first, second))
    return ours.keys() == theirs.keys() and all(
        torch.equal(ours[name].cpu(), theirs[name].cpu()) for name in ours)


def read_player(name: str) -> Player:
    """Return a compiled agent, or the policy of a checkpoint. Raises AgentError and RunError.

    name: an agent as in all of hsevo ("eva:2018"), an end-to-end run (rl:RUN), or a checkpoint's
    file, which ends with .pt.
    """
    rival = read_rival(name)
    if rival is None:
        return read_agent(name)
    with undamaged(name):
        return actor_of(network_of(rival, "cpu"))


def read_rival(name: str) -> dict[str, Any] | None:
    """Return what the network of an end-to-end checkpoint needs; None for others. Raises RunError.
    """
    path = Path(name) if name.endswith(TORCH) and not name.startswith("rl:") else torch_file(name)
    if path is None:
        return None
    checkpoint = read_checkpoint(path)
    with undamaged(path):
        rival = {key: checkpoint[key] for key in ALONE}
        network_of(rival, "cpu")
    return rival


def read_checkpoint(path: Path | str, data: bytes | None = None) -> dict[str, Any]:
    """Return what `Learner.save` wrote. Raises RunError if it did not write this file.

    data: what is to be read, if it is a part of the file. Only tensors and plain data are read: a
    file of others cannot run code. All tensors are float32: PyTorch would convert others, and
    only warn that complex numbers lose a part.
    """
    try:
        with Path(path).open("rb") if data is None else io.BytesIO(data) as source:
            _refuse_packed(source)
            checkpoint = torch.load(source, map_location="cpu", weights_only=True)
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except Exception as error:
        raise RunError(f"{path} is not a checkpoint of the end-to-end learner") from error
    if not isinstance(checkpoint, dict) or checkpoint.get("format") not in FORMATS:
        raise RunError(f"{path} is not a checkpoint of the end-to-end learner of this version")
    for tensor in _tensors(checkpoint):
        if tensor.dtype != torch.float32:
            raise RunError(f"{path} has {tensor.dtype} numbers, but a checkpoint of the end-to-end"
                           f" learner has only {torch.float32}; it is damaged, or from another"
                           " program")
    return checkpoint


def _tensors(content: object) -> Iterator[Tensor]:
    """Yield all tensors in plain data, which may hold itself."""
    left, met = [content], set[int]()
    while left:
        part = left.pop()
        if isinstance(part, Tensor):
            yield part
        elif isinstance(part, dict | list | tuple) and id(part) not in met:
            met.add(id(part))
            left += part.values() if isinstance(part, dict) else part


def _refuse_packed(source: BinaryIO) -> None:
    """Raise BadZipFile if the parts of a file have more bytes than itself; go to its beginning."""
    with ZipFile(source) as file:
        refuse_packed(file)
    source.seek(0)


def decks_of(checkpoint: Mapping[str, Any]) -> list[Deck]:
    """Return the decks of a checkpoint. Raises several errors if they are none."""
    decks = [Deck.of(deck["name"], deck["hero"], tuple(deck["cards"]))
             for deck in checkpoint["decks"]]
    if not decks:
        raise ValueError("no decks")
    return [check_deck(deck, len(deck.ids)) for deck in decks]
