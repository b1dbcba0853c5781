"""The learner of the end-to-end policy: rounds of games, updates from them, and a pool of its past.

    learner = Learner(Settings(decks=("mage",)), seed=1)
    learner.round()                     play, learn; returns what to log
    learner.save(path)                  a checkpoint between two rounds
    learner = Learner.load(path)        goes on exactly

Opponents are drawn by OSFP (the paper's Algorithm 1), or are one given agent. On a CPU, with the
same number of threads and the same versions of PyTorch and hsevo, one seed gives bit-identical
parameters, however often the learner is stopped. Other numbers of threads, other processors and
GPUs add floats in another order, so that their courses differ.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from hsevo.cards.decks import Deck, read_deck
from hsevo.cards.terms import Class
from hsevo.config import short
from hsevo.errors import ConfigError, RunError, quoted
from hsevo.files import write_whole
from hsevo.learning.end_to_end.building import Builder, card_pool
from hsevo.learning.end_to_end.drafts import Decks, Draft, build_decks, review
from hsevo.learning.end_to_end.isolated import Isolated
from hsevo.learning.end_to_end.losses import Losses, aims, losses
from hsevo.learning.end_to_end.network import SMALL, NetSettings, Network
from hsevo.learning.end_to_end.rounds import Batch, Player, Policy, Round, outcomes, play
from hsevo.learning.losses import Hyper
from hsevo.learning.osfp import LATEST, OSFP
from hsevo.learning.osfp import Settings as Pool
from hsevo.play.games import Games
from hsevo.seeds import Stream, derive
from hsevo.strength.roster import read_agent
from hsevo.strength.weighted import interval

Array = npt.NDArray[Any]
FORMAT = 1  # of checkpoints
PARTS = {"net": NetSettings, "hyper": Hyper, "pool": Pool}  # of Settings


def check_device(device: str) -> None:
    """Raise ConfigError if PyTorch has no such device here."""
    if device not in ("cpu", "cuda"):
        raise ConfigError(f"device is {quoted(device)}, but must be cpu or cuda")
    if device == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device is cuda, but PyTorch finds no GPU here; use cpu, or a build of"
                          " PyTorch for your GPU (pytorch.org)")


def check_number(name: str, value: Any, least: int) -> None:
    """Raise ConfigError if a value is no whole number, or is too small."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < least:
        raise ConfigError(f"{name} is {short(value)}, but must be a whole number from {least} up")


@dataclass(frozen=True)
class Settings:
    """What a learner does; the defaults are for two cores, `PAPER` has the paper's numbers.

    decks: of which each player draws one in each game. games: a round. period: rounds a learning
    period of OSFP. rate: of Adam. hyper: its `reuse` is passes over a round. parts: updates a
    pass. norm: to which gradients are clipped; the paper doesn't say. against: the only opponent,
    an agent or a checkpoint, FILE.pt ("": OSFP). isolate: a network for each class. build: networks
    build their decks, of the classes of `decks`. device: cpu or cuda. Raises ConfigError for a
    setting that cannot be; a deck is read by `Learner`.
    """

    decks: tuple[str, ...] = ("mage",)
    ruleset: str = "cig2018"
    games: int = 64
    period: int = 20
    rate: float = 1e-3
    parts: int = 4
    norm: float = 1.0
    against: str = ""
    isolate: bool = False
    build: bool = False
    device: str = "cpu"
    net: NetSettings = SMALL
    hyper: Hyper = field(default_factory=Hyper)
    pool: Pool = field(default_factory=Pool)

    def __post_init__(self) -> None:
        for key in ("games", "period", "parts"):
            check_number(key, getattr(self, key), 1)
        for key in ("rate", "norm"):
            value = getattr(self, key)
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
        check_device(self.device)


# Tables III and IV: 8 GPUs with 10,000 decisions each an update, 3.2e8 decisions a period. With
# about 40 decisions a player and 80 a game, that are 4 updates from 4,000 games, 1,000 times.
PAPER = Settings(games=4_000, period=1_000, rate=7e-5, parts=4, net=NetSettings())


class Report(NamedTuple):
    """A round: win rates are of the learner against others than itself, NaN without such games."""

    number: int  # from 0
    games: int
    decisions: int
    others: int  # games against others than itself
    rate: float
    policy: float  # parts of the loss, means over updates
    upgo: float
    value: float
    entropy: float
    members: int  # of the pool


class Learner:
    """A network that learns, its optimizer, and its pool; see the top of the file.

    seed: a whole number from 0. Raises ConfigError, DeckError, AgentError and RunError.
    """

    def __init__(self, settings: Settings, seed: int) -> None:
        check_number("seed", seed, 0)
        self.settings, self.seed, self.number = settings, seed, 0
        self.decks = [read_deck(name) for name in settings.decks]
        self.network = self._fresh()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.rate)
        self.osfp = OSFP(settings.pool, seed)
        self.pool: list[Policy] = []
        self.opponent = read_player(settings.against, settings.device) if settings.against else None

    def round(self) -> Report:
        """Play a round, learn from it, and end the learning period if it is over."""
        seed = int(derive((self.seed, Stream.ROUND, self.number))[0])
        played, draft, others, won = self._play(seed)
        batches = (played.batch(which, self.device, draft) for which in self._parts(played, seed))
        means = np.mean([[part.item() for part in self._update(one)] for one in batches], axis=0)
        _, policy, upgo, value, entropy = means.tolist()
        report = Report(self.number, len(played.results), len(played.chosen), others,
                        won / others if others else np.nan, policy, upgo, value, entropy,
                        len(self.pool))
        self.number += 1
        if self.opponent is None and self.number % self.settings.period == 0:
            self._end_period()
        return report

    def _end_period(self) -> None:
        """Let OSFP decide whether the network, as it is now, joins the pool."""
        if self.osfp.end_period().added:
            self.pool.append(deepcopy(self.network))

    @property
    def device(self) -> str:
        """Where the network is."""
        return self.settings.device

    def _play(self, seed: int) -> tuple[Round, Draft | None, int, float]:
        """Return a round, its draft, how many games were against others, how many of them won."""
        n = self.settings.games
        players: list[Player] = [self.network, *self.pool]
        opponents = self.osfp.ask(n)
        if self.opponent is not None:
            players, opponents = [self.network, self.opponent], np.zeros(n, int)
        seats = np.arange(n) % 2  # of the learner
        who = np.zeros((n, 2), np.int64)
        who[np.arange(n), 1 - seats] = 1 + opponents
        games, draft = deal(self, players, who, seed, random=True)
        round_ = play(games, players, who, seed, record=0)
        scores = outcomes(round_.results, seats)
        if self.opponent is None:
            self.osfp.tell(opponents, scores)
        met = opponents != LATEST
        return round_, draft, int(met.sum()), float((scores[met] + 1).sum() / 2)

    def _parts(self, played: Round, seed: int) -> list[Array]:
        """Return the trajectories of each update: all of them, in another order each pass."""
        m = np.arange(len(played.lengths))
        orders = [np.argsort(derive((seed, Stream.ORDER, k), m))
                  for k in range(self.settings.hyper.reuse)]
        return [part for order in orders for part in np.array_split(order, self.settings.parts)
                if len(part)]

    def _update(self, batch: Batch) -> Losses:
        """Learn from a batch; return its losses."""
        lost = loss_of(self.network, batch, self.settings.hyper)
        self.optimizer.zero_grad()
        lost.total.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.norm)
        self.optimizer.step()
        return lost

    def _fresh(self) -> Policy:
        """Return a network whose parameters depend on the seed alone."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(derive((self.seed, Stream.ROUND))[0] >> np.uint64(1)))
            network = Network(self.settings.net)
            if self.settings.build:
                pool = card_pool(self.settings.ruleset)
                network.builder = Builder(network.cards, pool, self.settings.net)
        classes = [Class[deck.hero] for deck in self.decks]
        made: Policy = Isolated(network, classes) if self.settings.isolate else network
        return made.to(self.settings.device)

    def save(self, path: Path | str) -> None:
        """Write a checkpoint. Raises RunError."""
        kept = {"format": FORMAT, "settings": asdict(self.settings), "seed": self.seed,
                "number": self.number, "network": self.network.state_dict(),
                "optimizer": self.optimizer.state_dict(), "osfp": self.osfp.state(),
                "pool": [one.state_dict() for one in self.pool]}
        data = io.BytesIO()
        torch.save(kept, data)
        write_whole(Path(path), data.getvalue())

    @classmethod
    def load(cls, path: Path | str, device: str = "") -> Learner:
        """Return a learner as it was saved, on its device or another. Raises RunError."""
        kept = read_checkpoint(path)
        settings = _settings(kept["settings"] | ({"device": device} if device else {}))
        try:
            return cls(settings, kept["seed"])._restored(kept)
        except (KeyError, RuntimeError) as error:  # names or shapes of parameters
            raise RunError(f"{path} is of another version of hsevo: its networks have other"
                           " parameters") from error

    def _restored(self, kept: dict[str, Any]) -> Learner:
        """Take over what `save` kept."""
        self.number = kept["number"]
        self.network.load_state_dict(kept["network"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.osfp = OSFP.resume(self.settings.pool, kept["osfp"])
        for parameters in kept["pool"]:
            member = self._fresh()
            member.load_state_dict(parameters)
            self.pool.append(member)
        return self


def loss_of(network: Policy, batch: Batch, hyper: Hyper) -> Losses:
    """Return the losses of a batch under the network as it is now."""
    now = network.review(batch.observations, batch.legal, batch.chosen, batch.alive)
    logs, values, entropies = (batch.grid(part) for part in now)
    behaviour, rewards, valid = batch.log_behaviour, batch.rewards, batch.valid
    if batch.draft is not None:
        drafted, before = review(network, batch.draft), batch.draft.logs.T
        logs, values, entropies = (torch.cat(pair) for pair in zip(
            drafted, (logs, values, entropies), strict=True))
        behaviour, rewards = torch.cat([before, behaviour]), torch.cat([0 * before, rewards])
        valid = torch.cat([torch.ones_like(before, dtype=torch.bool), valid])
    aim = aims(logs, values, behaviour, rewards, valid, hyper)
    return losses(logs, values, entropies, behaviour, valid, aim, hyper)


def deal(learner: Learner, players: Sequence[Player], who: Array, seed: int,
         random: bool) -> tuple[Games, Draft | None]:
    """Begin games of players, who (n, 2), with decks that they draw, or build: `build_decks`."""
    dealt, seeds = draw_decks(learner.decks, len(who), seed)
    draft = None
    if any(getattr(one, "builds", False) for one in players):
        dealt, draft = build_decks(players, who, dealt, seed, random)
    first, second = zip(*dealt, strict=True)
    return Games.new(first, second, seeds, learner.settings.ruleset), draft


def draw_decks(decks: Sequence[Deck], n: int, seed: int) -> tuple[Decks, Array]:
    """Draw one of the decks for each player of n games; return them, and the seeds of the games."""
    draws = derive((seed, Stream.ROUND), np.arange(n)[:, None], np.arange(3))
    drawn = (draws[:, :2] % np.uint64(len(decks))).astype(int)
    return [(decks[a], decks[b]) for a, b in drawn.tolist()], draws[:, 2]


class Rate(NamedTuple):
    """A win rate with the ends of its 95 % interval; draws count as half."""

    rate: float
    low: float
    high: float

    def __str__(self) -> str:
        rate, low, high = (100 * part for part in self)
        return f"{rate:.2f} % ({low:.2f} to {high:.2f})"


def win_rate(learner: Learner, opponent: str | Learner, games: int, seed: int) -> Rate:
    """Measure the network of a learner, as it draws its moves, against an agent or a learner.

    opponent: as `read_player` takes it. The games are fresh ones of the learner's decks; it is
    player 0 in every other one. Raises ConfigError, AgentError and RunError.
    """
    check_number("games", games, 1)
    check_number("seed", seed, 0)
    other = (read_player(opponent, learner.device) if isinstance(opponent, str)
             else opponent.network)
    seats = np.arange(games) % 2
    who = np.stack([seats, 1 - seats], 1)
    players = [learner.network, other]
    played = play(deal(learner, players, who, seed, random=False)[0], players, who, seed)
    rate = np.array([(outcomes(played.results, seats) + 1).mean() / 2])
    low, high = interval(rate, np.array([games]))
    return Rate(float(rate[0]), float(low[0]), float(high[0]))


def read_player(name: str, device: str) -> Player:
    """Return a compiled agent, or the network of a checkpoint. Raises AgentError and RunError.

    name: an agent as in all of hsevo ("eva:2018"), or a checkpoint's file, which ends with .pt.
    """
    return Learner.load(Path(name), device).network if name.endswith(".pt") else read_agent(name)


def read_checkpoint(path: Path | str) -> dict[str, Any]:
    """Return what `Learner.save` wrote. Raises RunError if it did not write this file.

    Only tensors and plain data are read: a file of others cannot run code.
    """
    try:
        kept = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except Exception as error:
        raise RunError(f"{path} is no checkpoint of the end-to-end learner") from error
    if not isinstance(kept, dict) or kept.get("format") != FORMAT:
        raise RunError(f"{path} is no checkpoint of the end-to-end learner of this version")
    return kept


def _settings(kept: dict[str, Any]) -> Settings:
    return Settings(**{key: PARTS[key](**value) if key in PARTS else value
                       for key, value in kept.items()})
