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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hsevo.cards.decks import Deck, check_deck, read_deck
from hsevo.cards.tables import find_ruleset
from hsevo.cards.terms import Class
from hsevo.config import check_number, short
from hsevo.errors import CardError, ConfigError, DeckError, RunError, quoted
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
FORMAT = 2  # of checkpoints
ALONE = ("settings", "decks", "network")  # what the network of a checkpoint needs to play
PARTS = {"net": NetSettings, "hyper": Hyper, "pool": Pool}  # of Settings


def check_device(device: str) -> None:
    """Raise ConfigError if PyTorch has no such device here."""
    if device not in ("cpu", "cuda"):
        raise ConfigError(f"device is {quoted(device)}, but must be cpu or cuda")
    if device == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device is cuda, but PyTorch finds no GPU here; use cpu, or a build of"
                          " PyTorch for your GPU (pytorch.org)")


@dataclass(frozen=True)
class Settings:
    """What a learner does; the defaults are for two cores, `PAPER` has the paper's sizes.

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
        for key in ("ruleset", "against"):
            if not isinstance(value := getattr(self, key), str):
                raise ConfigError(f"{key} is {short(value)}, but must be a name")
        try:
            find_ruleset(self.ruleset)
        except CardError as error:
            raise ConfigError(str(error)) from None
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

    seed: a whole number from 0. kept: a checkpoint, whose decks and opponent are taken instead of
    the files that the settings name. Raises ConfigError, DeckError, AgentError and RunError.
    """

    def __init__(self, settings: Settings, seed: int,
                 kept: Mapping[str, Any] | None = None) -> None:
        check_number("seed", seed, 0)
        self.settings, self.seed, self.number = settings, seed, 0
        self.decks = _decks(kept) if kept else [read_deck(name) for name in settings.decks]
        self.network = self._fresh()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.rate)
        self.osfp = OSFP(settings.pool, seed)
        self.pool: list[Policy] = []
        self.rival: dict[str, Any] | None = kept["rival"] if kept else read_rival(settings.against)
        self.opponent: Player | None = None
        if self.rival is not None:
            self.opponent = network_of(self.rival, settings.device)
        elif settings.against:
            self.opponent = read_agent(settings.against)

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
        seed = int(derive((self.seed, Stream.ROUND))[0] >> np.uint64(1))
        return make_network(self.settings, self.decks, seed).to(self.settings.device)

    def save(self, path: Path | str) -> None:
        """Write a checkpoint: it needs no deck's file, nor its opponent's. Raises RunError."""
        kept = {"format": FORMAT, "settings": asdict(self.settings), "seed": self.seed,
                "decks": [asdict(deck) for deck in self.decks], "rival": self.rival,
                "number": self.number, "network": self.network.state_dict(),
                "optimizer": self.optimizer.state_dict(), "osfp": self.osfp.state(),
                "pool": [one.state_dict() for one in self.pool]}
        data = io.BytesIO()
        torch.save(kept, data)
        write_whole(Path(path), data.getvalue())

    @classmethod
    def load(cls, path: Path | str, device: str = "") -> Learner:
        """Return a learner as it was saved, on its device or another.

        Raises RunError, also for a damaged file; ConfigError if its device is not here; and
        AgentError if an agent that is its opponent is not.
        """
        kept = read_checkpoint(path)
        with undamaged(path):
            settings = _settings(kept["settings"] | {"device": "cpu"})
            device = device or kept["settings"]["device"]
        check_device(device)
        with undamaged(path):
            return cls(replace(settings, device=device), kept["seed"], kept)._restored(kept)

    def _restored(self, kept: dict[str, Any]) -> Learner:
        """Take over what `save` kept. Raises several errors if it did not."""
        check_number("number", kept["number"], 0)
        self.number = kept["number"]
        _fill(self.network, kept["network"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.osfp = OSFP.resume(self.settings.pool, kept["osfp"])
        self.pool = [_fill(self._fresh(), parameters) for parameters in kept["pool"]]
        if self.osfp.members != len(self.pool):
            raise ValueError(f"{self.osfp.members} members, but {len(self.pool)} networks")
        return self


def make_network(settings: Settings, decks: Sequence[Deck], seed: int = 0) -> Policy:
    """Return a network, on the CPU, whose random parameters depend on the seed alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Network(settings.net)
        if settings.build:
            network.builder = Builder(network.cards, card_pool(settings.ruleset), settings.net)
    classes = [Class[deck.hero] for deck in decks]
    return Isolated(network, classes) if settings.isolate else network


def network_of(kept: Mapping[str, Any], device: str) -> Policy:
    """Return the network of a checkpoint; ALONE is enough."""
    settings = _settings(kept["settings"] | {"device": "cpu"})
    return _fill(make_network(settings, _decks(kept)), kept["network"]).to(device)


def _fill(network: Policy, parameters: Mapping[str, Tensor]) -> Policy:
    """Return a network with these parameters. Raises ValueError if it has others."""
    try:
        network.load_state_dict(parameters)
    except RuntimeError as error:  # names or shapes
        raise ValueError("a network has other parameters") from error
    return network


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
    for player in players:
        check_classes(player, learner.decks)
    dealt, seeds = draw_decks(learner.decks, len(who), seed)
    draft = None
    if any(getattr(one, "builds", False) for one in players):
        dealt, draft = build_decks(players, who, dealt, seed, random)
    first, second = zip(*dealt, strict=True)
    return Games.new(first, second, seeds, learner.settings.ruleset), draft


def check_classes(player: Player, decks: Sequence[Deck]) -> None:
    """Raise ConfigError if a player has networks of classes, but none for a deck's."""
    if isinstance(player, Isolated):
        known = [Class(int(one)).name for one in player.networks]
        if unknown := sorted({deck.hero for deck in decks} - {*known}):
            raise ConfigError(f"a player has networks of {', '.join(known)} alone (isolate), but"
                              f" there are decks of {', '.join(unknown)}")


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
    rival = read_rival(name)
    if rival is None:
        return read_agent(name)
    with undamaged(name):
        return network_of(rival, device)


def read_rival(name: str) -> dict[str, Any] | None:
    """Return what the network of a checkpoint, FILE.pt, needs; None for others. Raises RunError."""
    if not name.endswith(".pt"):
        return None
    kept = read_checkpoint(name)
    with undamaged(name):
        rival = {key: kept[key] for key in ALONE}
        network_of(rival, "cpu")
    return rival


@contextmanager
def undamaged(path: Path | str) -> Iterator[None]:
    """Read a checkpoint inside: what is missing or wrong in it becomes a RunError."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ConfigError, DeckError) as error:
        raise RunError(f"{path} is damaged, or of another version of hsevo") from error


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


def _settings(kept: Mapping[str, Any]) -> Settings:
    """Return the settings of a checkpoint. Raises several errors if they are none."""
    return Settings(**{key: PARTS[key](**value) if key in PARTS else value
                       for key, value in kept.items()})


def _decks(kept: Mapping[str, Any]) -> list[Deck]:
    """Return the decks of a checkpoint. Raises several errors if they are none."""
    decks = [Deck(one["name"], one["hero"], tuple(one["cards"])) for one in kept["decks"]]
    if not decks:
        raise ValueError("no decks")
    return [check_deck(deck, len(deck.cards)) for deck in decks]
