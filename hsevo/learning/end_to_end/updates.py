"""Updates of the end-to-end network from batches, by one process or by several with torch's DDP.

    batch = batch_of(round, trajectories)         what is reviewed of a round, as tensors, packed
    updater = Updater(network, optimizer, settings)
    losses = updater.update(batches, rate)        one update, from a batch or from parts of one

With `processes`, a `Crew` starts the others on this machine (cuda: a GPU each). Each learns from a
part of every batch; DDP adds up their gradients, so that an update is that of the whole batch, up
to the order in which floats are added, except for examples of decks: each draws its own. Games are
played, opponents drawn and files written by the first process alone.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as processes
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from hsevo.config.learning import NetworkSettings
from hsevo.errors import ConfigError, WorkersError
from hsevo.learning.acting.checkpoints import network_settings
from hsevo.learning.acting.drafts import Draft
from hsevo.learning.acting.rounds import Round
from hsevo.learning.end_to_end.drafts import Picked, review
from hsevo.learning.end_to_end.losses import Losses, aims, losses
from hsevo.learning.end_to_end.network import Network, Reviewed
from hsevo.learning.end_to_end.picking import Picker
from hsevo.learning.end_to_end.saved import Policy, network_of
from hsevo.types import Array


class Lesson(NamedTuple):
    """What a teacher would have done in N decisions, parts int64 (N, 3), and how much that counts.
    """

    moves: Tensor
    weight: float


class Examples(NamedTuple):
    """Human decks, of the same classes as the B of a batch, and how much they count."""

    decks: Picked
    weight: float


class Heroes(NamedTuple):
    """The classes that were picked, (B,), and the log probabilities of that, (B,)."""

    owners: Tensor
    logs: Tensor


class LearnerBatch(NamedTuple):
    """Whole trajectories as a packed sequence: all first steps, then all second ones ...

    Of N decisions in B trajectories, the longest first, of at most T steps.
    """

    observations: Tensor  # int16 (N, SIZE)
    legal: Tensor  # int64 (N, WHATS)
    chosen: Tensor  # int64 (N, 3)
    log_behaviour: Tensor  # (T, B), zero after the end
    rewards: Tensor  # (T, B)
    valid: Tensor  # bool (T, B)
    alive: Tensor  # int64 (T,), on the CPU: trajectories with that step
    draft: Picked | None = None  # how the B decks were built, if they were
    lesson: Lesson | None = None
    examples: Examples | None = None
    heroes: Heroes | None = None

    def to(self, device: str) -> LearnerBatch:
        """Return it on a device."""
        moved = {name: getattr(self, name).to(device) for name in self._fields[:6]}
        lesson = self.lesson and self.lesson._replace(moves=self.lesson.moves.to(device))
        examples = self.examples and self.examples._replace(decks=self.examples.decks.to(device))
        heroes = self.heroes and Heroes(*(part.to(device) for part in self.heroes))
        return self._replace(**moved, draft=self.draft and self.draft.to(device), lesson=lesson,
                             examples=examples, heroes=heroes)

    def grid(self, numbers: Tensor) -> Tensor:
        """Return numbers (N,) in packed order as a grid (T, B), zero after the ends."""
        return numbers.new_zeros(self.valid.shape).masked_scatter(self.valid, numbers)


def batch_of(played: Round, which: Array, draft: Draft | None = None,
             teaching: float = 0.0, picks: tuple[Array, Array] | None = None) -> LearnerBatch:
    """Return some trajectories of a round, indices (B,), as a batch on the CPU.

    draft: of all decks of the round, as `build_decks` returns it. teaching: how much it counts what
    a teacher would have done; 0 if there was none. picks: the classes that were picked, and the log
    probabilities of that, (n, 2), if they were.
    """
    which = which[np.argsort(-played.lengths[which], kind="stable")]
    lengths, starts = played.lengths[which], (np.cumsum(played.lengths) - played.lengths)[which]
    steps = np.arange(lengths.max())[:, None]
    valid = steps < lengths
    rows = (starts + steps)[valid]
    rewards = np.where(steps == lengths - 1, played.rewards[which], 0)
    places = played.owners[which] @ (2, 1)
    behaviour = np.zeros(valid.shape, np.float32)
    behaviour[valid] = played.log_behaviour[rows]

    heroes = None if picks is None else Heroes(
        *(torch.from_numpy(part.ravel()[places]) for part in picks))
    of, picked = torch.from_numpy, None if draft is None else Picked.of(draft.take(places))
    lesson = Lesson(of(played.taught[rows]), teaching) if teaching else None
    return LearnerBatch(of(played.observations[rows]), of(played.legal[rows].astype(np.int64)),
                 of(played.chosen[rows]), of(behaviour), of(rewards.astype(np.float32)),
                 of(valid), of(valid.sum(1)), picked, lesson, heroes=heroes)


DYING = 1.0  # seconds from a lost connection to the end of the process that had it, at most


def check_device(settings: NetworkSettings) -> None:
    """Raise ConfigError if PyTorch has no such device here, or no GPU for each process."""
    if settings.device == "cpu":
        return
    if not torch.cuda.is_available():
        raise ConfigError("device is cuda, but PyTorch finds no GPU here; use cpu, or a build of"
                          " PyTorch for your GPU (pytorch.org)")
    if settings.processes > (gpus := torch.cuda.device_count()):
        raise ConfigError(f"processes is {settings.processes}, but PyTorch finds {gpus} GPU here,"
                          " and each training process needs its own")


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute with one thread inside: floats are added in an order that depends on their number."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def loss_of(network: Policy, batch: LearnerBatch, hyper: NetworkSettings) -> Losses:
    """Return the losses (14) to (16) of a batch under the network as it is now.

    Equations are those of docs/pages/explanation/learning.md.
    """
    moves = [batch.chosen] if batch.lesson is None else [batch.chosen, batch.lesson.moves]
    now, *taught = network.review_each(batch.observations, batch.legal, moves, batch.alive)
    logs, values, entropies = (batch.grid(part) for part in now)
    log_taught = [batch.grid(reviewed.log_policy) for reviewed in taught]
    behaviour, rewards, valid = batch.log_behaviour, batch.rewards, batch.valid
    for stage, before in stages(network, batch):  # in front: building, then the hero
        logs, values, entropies = (torch.cat(pair) for pair in zip(
            stage, (logs, values, entropies), strict=True))
        behaviour, rewards = torch.cat([before, behaviour]), torch.cat([0 * before, rewards])
        valid = torch.cat([torch.ones_like(before, dtype=torch.bool), valid])
    aim = aims(logs, values, behaviour, rewards, valid, hyper)
    result = losses(logs, values, entropies, behaviour, valid, aim, hyper)
    if batch.heroes is not None and (picker := _picker(network)).factor != 1:
        extra = picker.review(batch.heroes.owners).entropy.sum() / valid.sum()
        result = result._replace(
            total=result.total - hyper.entropy * (picker.factor - 1) * extra)
    if batch.lesson is not None:  # it builds no decks
        result = result.kickstarted(log_taught[0], batch.valid, batch.lesson.weight)
    if batch.examples is not None:
        built = review(network, batch.examples.decks).log_policy.mean()
        result = result._replace(total=result.total - batch.examples.weight * built)
    return result


def stages(network: Policy, batch: LearnerBatch) -> Iterator[tuple[Reviewed, Tensor]]:
    """Yield what a network says now of each stage before the battle, the latest first.

    Each part is (steps, B); with it, the log probabilities when it was played.
    """
    if batch.draft is not None:
        yield review(network, batch.draft), batch.draft.logs.T
    if batch.heroes is not None:
        yield _picker(network).review(batch.heroes.owners), batch.heroes.logs.unsqueeze(0)


def _picker(network: Policy) -> Picker:
    assert isinstance(network, Network)
    assert isinstance(network.picker, Picker)
    return network.picker


class _Loss(nn.Module):
    """The losses as the forward pass of a module, which is what DDP wraps."""

    def __init__(self, network: Policy, hyper: NetworkSettings) -> None:
        super().__init__()
        self.network, self.hyper = network, hyper

    def forward(self, batch: LearnerBatch) -> Tensor:
        """Return the parts of `Losses`, (6,)."""
        return torch.stack(loss_of(self.network, batch, self.hyper))


class Updater:
    """A network and its optimizer, in one process."""

    processes = 1

    def __init__(self, network: Policy, optimizer: torch.optim.Optimizer,
                 settings: NetworkSettings) -> None:
        self.network, self.optimizer, self.settings = network, optimizer, settings
        self.loss: nn.Module = _Loss(network, settings)

    def update(self, batches: Sequence[LearnerBatch], rate: float) -> Array:
        """Learn from a batch, given in `processes` parts; return its losses, (6,).

        rate: Adam's.
        """
        return self.step(batches[0], 1.0, rate)

    def step(self, batch: LearnerBatch, share: float, rate: float) -> Array:
        """Do one process's part of an update; share: by how much its gradients count."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        lost = self.loss(batch)
        self.optimizer.zero_grad()
        (lost[0] * share).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.norm)
        self.optimizer.step()
        weighted = lost.detach() * share
        if dist.is_initialized():
            dist.all_reduce(weighted)
            weighted /= dist.get_world_size()
        parts: Array = weighted.cpu().numpy()
        return parts

    def close(self) -> None:
        """End the other processes, if there are any."""


class Crew(Updater):
    """The first of several processes, which starts the others; `close` ends them.

    Raises WorkersError if one of them is lost.
    """

    def __init__(self, network: Policy, optimizer: torch.optim.Optimizer, settings: NetworkSettings,
                 checkpoint: Mapping[str, Any]) -> None:
        super().__init__(network, optimizer, settings)
        self.processes = settings.processes
        self._folder = tempfile.TemporaryDirectory(prefix="hsevo-")
        place = (Path(self._folder.name) / "meet").as_uri()
        start, data = processes.get_context("spawn"), io.BytesIO()
        torch.save(dict(checkpoint), data)
        self._pipes: list[Connection] = []
        self._others = []
        for rank in range(1, self.processes):
            mine, theirs = start.Pipe()
            process = start.Process(target=_learn, daemon=True,
                                    args=(rank, place, data.getvalue(), settings.device, theirs))
            process.start()
            theirs.close()
            self._pipes.append(mine)
            self._others.append(process)
        _meet(0, self.processes, place, settings.device)
        self.loss = _parallel(network, settings, 0)

    def update(self, batches: Sequence[LearnerBatch], rate: float) -> Array:
        """Learn from a batch, given in `processes` parts; return its losses, (6,).

        rate: Adam's.
        """
        weights = np.array([_decisions(batch) for batch in batches])
        shares = len(batches) * weights / weights.sum()
        try:
            for pipe, batch, share in zip(self._pipes, batches[1:], shares[1:], strict=True):
                pipe.send((batch.to("cpu"), float(share), rate))
            return self.step(batches[0], float(shares[0]), rate)
        except (OSError, RuntimeError) as error:
            lost = wait([process.sentinel for process in self._others], DYING)
            for process in self._others:
                process.kill()  # it would wait for this one
            if not lost:
                raise  # this one's own, such as a GPU without memory
            raise WorkersError(f"a training process was lost: {error}") from error

    def close(self) -> None:
        """End the other processes."""
        for pipe in self._pipes:
            pipe.close()  # which ends its process
        for process in self._others:
            process.join()
        dist.destroy_process_group()
        self._folder.cleanup()


def _decisions(batch: LearnerBatch) -> int:
    """Return over how many decisions the losses of a batch are means, of all stages."""
    drafted = 0 if batch.draft is None else batch.draft.picks.numel()
    picked = 0 if batch.heroes is None else len(batch.heroes.owners)
    return int(batch.valid.sum()) + drafted + picked


def _meet(rank: int, world: int, place: str, device: str) -> None:
    """Join the other processes."""
    if device == "cuda":
        torch.cuda.set_device(rank)
    dist.init_process_group("nccl" if device == "cuda" else "gloo", init_method=place, rank=rank,
                            world_size=world)


def _parallel(network: Policy, settings: NetworkSettings, rank: int) -> nn.Module:
    """Return the loss of a network whose gradients are added up over processes.

    With isolation, a part of a batch may have no game of a class, and its network no gradient.
    """
    return DistributedDataParallel(_Loss(network, settings),
                                   find_unused_parameters=settings.isolate,
                                   device_ids=[rank] if settings.device == "cuda" else None)


def _learn(rank: int, place: str, data: bytes, device: str, pipe: Connection) -> None:
    """Learn from the parts of batches that come, until no more come: the other processes."""
    torch.set_num_threads(1)
    checkpoint = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    settings = network_settings(checkpoint["settings"])
    _meet(rank, settings.processes, place, device)  # from here on, "cuda" is this process's own GPU
    network = network_of(checkpoint, device)
    optimizer = torch.optim.Adam(network.parameters(), lr=settings.rate)
    optimizer.load_state_dict(checkpoint["optimizer"])
    updater = Updater(network, optimizer, settings)
    updater.loss = _parallel(network, settings, rank)
    try:
        while True:
            batch, share, rate = pipe.recv()
            updater.step(batch.to(device), share, rate)
    except (EOFError, KeyboardInterrupt):
        return
