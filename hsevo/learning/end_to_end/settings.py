"""The settings of the end-to-end learner, for two cores, and those of Xiao and others (2023)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import torch

from hsevo.cards.tables import find_ruleset
from hsevo.config import check_number, short
from hsevo.errors import CardError, ConfigError, quoted
from hsevo.learning.acting.shapes import SHOWN, SMALL, NetSettings
from hsevo.learning.losses import Hyper
from hsevo.learning.osfp import Settings as Pool

ACTORS = ("rounds", "queue", "ring")
PARTS = {"net": NetSettings, "hyper": Hyper, "pool": Pool}  # of Settings


def check_device(device: str, processes: int = 1) -> None:
    """Raise ConfigError if PyTorch has no such device here, or no GPU for each process."""
    if device not in ("cpu", "cuda"):
        raise ConfigError(f"device is {quoted(device)}, but must be cpu or cuda")
    if device == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device is cuda, but PyTorch finds no GPU here; use cpu, or a build of"
                          " PyTorch for your GPU (pytorch.org)")
    if device == "cuda" and processes > (gpus := torch.cuda.device_count()):
        raise ConfigError(f"processes is {processes}, but PyTorch finds {gpus} GPU here, and each"
                          " process that learns needs one of its own")


@dataclass(frozen=True)
class Settings:
    """What a learner does; the defaults are for two cores, `PAPER` has those of Xiao and others.

    decks: of which each player draws one in each game. games: a round. period: after as many rounds
    a learning period of OSFP is over, if it has its samples (`pool.samples`). rate: of Adam; over
    `rounds` rounds it falls linearly to `last_rate` (None: it stays). hyper: its `reuse` is passes
    over a round. parts: updates a pass. norm: to which gradients are clipped; Xiao and others don't
    say. against: the only opponent, an agent or a checkpoint, FILE.pt or rl:RUN ("": OSFP).
    isolate: a network for each class. start: a compiled agent, the teacher of the first
    `start_rounds` rounds ("": none), as in Kickstarting (Schmitt and others 2018): it is asked what
    it would do in each decision that is learned from, and the cross-entropy to that is a part of
    the loss. kickstart: its weight in the first round, which falls linearly to 0. kickstart_decks:
    that of human lists, as examples of decks, which falls alike. build: networks build their decks,
    of the classes of `decks`. pick_hero: the network picks its class among those of `decks` (PH,
    section IV-B); hero_entropy: factor of that pick's entropy in the loss. random_cards: in
    training, the first 0, 1, 2 or 4 cards of a built deck are random (random-CB). opponent_deck:
    "known" shows the opponent's deck list, "peek" the first cards that it chose, also while both
    build (section IV-H): neither is seen by a fair player. device: cpu or cuda, on which it learns;
    games are played on CPUs. processes: that learn, each from a part of every batch, by torch's
    DDP, each on a GPU of its own if the device is cuda. actors: whether games are played in turn
    with learning ("rounds"), or at the same time (section IV-E): the newest network plays rounds,
    which wait in a "queue" of `ahead` rounds, each then learned from as often as without it, or
    overwrite each other in a "ring" of the last `ahead` rounds, from all of whose trajectories each
    update draws with equal chance. Either is not reproducible.
    Raises ConfigError for a setting that cannot be; a deck is read by `Learner`.
    """

    decks: tuple[str, ...] = ("mage",)
    ruleset: str = "cig2018"
    games: int = 64
    period: int = 20
    rate: float = 1e-3
    last_rate: float | None = None
    rounds: int = 1
    parts: int = 4
    norm: float = 1.0
    against: str = ""
    start: str = ""
    start_rounds: int = 20
    kickstart: float = 1.0
    kickstart_decks: float = 0.0
    isolate: bool = False
    build: bool = False
    pick_hero: bool = False
    hero_entropy: float = 1.0
    random_cards: bool = True
    opponent_deck: Literal["hidden", "known", "peek"] = "hidden"
    max_turns: int = 89
    device: str = "cpu"
    processes: int = 1
    actors: Literal["rounds", "queue", "ring"] = "rounds"
    ahead: int = 1
    net: NetSettings = SMALL
    hyper: Hyper = field(default_factory=Hyper)
    pool: Pool = field(default_factory=Pool)

    def __post_init__(self) -> None:
        for key in ("games", "period", "parts", "start_rounds", "max_turns", "processes",
                    "ahead"):
            check_number(key, getattr(self, key), 1)
        check_number("rounds", self.rounds, 1)
        if not 0 <= self.kickstart_decks < np.inf:
            raise ConfigError(f"kickstart_decks is {short(self.kickstart_decks)}, but must be a"
                              " number from 0 up")
        if self.kickstart_decks and not (self.build and self.start):
            raise ConfigError("kickstart_decks needs build, decks to learn, and start, a teacher"
                              " whose weight falls alike")
        for key in ("rate", "last_rate", "norm", "kickstart"):
            value = getattr(self, key)
            if key == "last_rate" and value is None:
                continue
            if not isinstance(value, int | float) or not 0 < value < np.inf:
                raise ConfigError(f"{key} is {short(value)}, but must be a number above 0")
        for key, kind in PARTS.items():
            if not isinstance(value := getattr(self, key), kind):
                raise ConfigError(f"{key} is {short(value)}, but must be a"
                                  f" {kind.__module__}.{kind.__name__}")
        if not isinstance(self.decks, tuple | list):
            raise ConfigError(f"decks is {short(self.decks)}, but must be a tuple of names, such as"
                              " ('mage',)")
        if not self.decks:
            raise ConfigError("decks is empty; name at least one deck")
        for key in ("ruleset", "against", "start"):
            if not isinstance(value := getattr(self, key), str):
                raise ConfigError(f"{key} is {short(value)}, but must be a name")
        try:
            find_ruleset(self.ruleset)
        except CardError as error:
            raise ConfigError(str(error)) from None
        if not isinstance(self.hero_entropy, int | float) or not 0 <= self.hero_entropy < np.inf:
            raise ConfigError(f"hero_entropy is {short(self.hero_entropy)}, but must be a number"
                              " from 0 up")
        if self.pick_hero and self.isolate:
            raise ConfigError("pick_hero picks one network's hero, and isolate has a network for"
                              " each class; set only one of them")
        if self.opponent_deck not in SHOWN:
            raise ConfigError(f"opponent_deck is {short(self.opponent_deck)}, but must be one of:"
                              f" {', '.join(SHOWN)}")
        if self.actors not in ACTORS:
            raise ConfigError(f"actors is {short(self.actors)}, but must be one of:"
                              f" {', '.join(ACTORS)}")
        check_device(self.device, self.processes)

    def rate_of(self, number: int) -> float:
        """Return Adam's rate in a round, from 0."""
        if self.last_rate is None:
            return self.rate
        return self.rate + min(number / self.rounds, 1.0) * (self.last_rate - self.rate)

    def teaching(self, number: int) -> float:
        """Return what the teacher's moves count in a round, from 0; 0 without a teacher."""
        return self.kickstart * self._left(number)

    def teaching_decks(self, number: int) -> float:
        """Return what human lists count in a round, from 0."""
        return self.kickstart_decks * self._left(number)

    def _left(self, number: int) -> float:
        return max(1 - number / self.start_rounds, 0.0) if self.start else 0.0


# Tables III and IV: 8 GPUs with 10,000 decisions each an update, 3.2e8 decisions a learning
# period. A game of the default settings (seed 1) gave 152 decisions to learn from in the first
# round, 110 in the 20th, and 83 in the 24th, with a pool; with 80, that are 4 updates from 4,000
# games.
PAPER = Settings(games=4_000, period=50, rate=7e-5, parts=4, net=NetSettings(),
                 pool=Pool(samples=320_000_000))
