"""The learner of the end-to-end policy: rounds of games, updates from them, and a pool of its past.

    learner = Learner(config.load("end-to-end-small", model=Plan))
    learner.round()                     play, learn; returns what to log
    learner.save(path)                  a checkpoint between two rounds
    learner = Learner.load(path)        continues exactly

Opponents are drawn by OSFP (Algorithm 1 of Xiao and others, 2023), or are one given agent. On a
CPU, with the same number of threads and the same versions of PyTorch and hsevo, one seed gives
bit-identical parameters, however often the learner is stopped, and whoever plays the games. Other
numbers of threads, other processors and GPUs add floats in another order, so that their courses
differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from hsevo.cards.decks import Deck, read_deck
from hsevo.cards.terms import Class
from hsevo.config import Workers, change, check, check_number
from hsevo.config.learning import END_TO_END, SCRATCH, Plan
from hsevo.errors import ConfigError, RunError
from hsevo.files import write_whole
from hsevo.learning.acting.actor import check_classes
from hsevo.learning.acting.checkpoints import FORMAT, undamaged
from hsevo.learning.acting.drafts import Decks, peeked
from hsevo.learning.acting.jobs import Deals, play_all
from hsevo.learning.acting.pool import card_pool
from hsevo.learning.acting.rounds import Player, outcomes
from hsevo.learning.acting.shapes import PEEK
from hsevo.learning.end_to_end.drafts import Picked
from hsevo.learning.end_to_end.human_decks import HumanDecks
from hsevo.learning.end_to_end.picking import Picker
from hsevo.learning.end_to_end.saved import (
    Policy,
    actor_of,
    as_bytes,
    decks_of,
    fill,
    make_network,
    network_of,
    read_checkpoint,
    read_player,
    read_rival,
)
from hsevo.learning.end_to_end.supply import (
    Lot,
    PlayedRound,
    Queue,
    Ring,
    Supply,
    SupplyBalance,
    orders,
    overlapped,
)
from hsevo.learning.end_to_end.updates import (
    Crew,
    Examples,
    LearnerBatch,
    Updater,
    batch_of,
    check_device,
)
from hsevo.learning.osfp import LATEST, OSFP, OsfpPeriod
from hsevo.play.match import Setting
from hsevo.play.workers import Executor, OnGames, open_workers
from hsevo.seeds import Stream, derive
from hsevo.strength.rating import Estimate, interval
from hsevo.strength.roster import read_agent
from hsevo.types import Array

__all__ = ["Learner", "RoundReport", "read_checkpoint", "win_rate"]

SERIAL = Workers(backend="serial")
# What a checkpoint has of a plan: all that decides how it learns on.
SETTINGS = {"policy", "seed", "ruleset", "decks", "max_turns", "start", "start_periods", "periods",
            "rounds", "games", "against", "network", "osfp"}


class RoundReport(NamedTuple):
    """Report a training iteration; win rates are against other opponents than itself, else NaN."""

    number: int  # from 0
    games: int
    decisions: int
    others: int  # games against others than itself
    rate: float
    loss: float  # the total, and its parts, means over updates
    policy: float
    upgo: float
    value: float
    entropy: float
    members: int  # of the pool
    teacher: float  # a part of the loss, NaN if there was none


class NetworkSnapshot(NamedTuple):
    """Hold a network as it was: its player, its picker of heroes, and the number of iterations."""

    actor: Player
    picker: Picker | None
    number: int


class Learner:
    """Train a network with its optimizer and opponent pool; see the top of the file.

    Parameters
    ----------
    plan : Plan
        Plan with `policy: end-to-end`. Its seed determines all random choices.
    checkpoint : mapping, optional
        Checkpoint, or its parts `decks` and `rival`, which replace the files that the plan names.
    opponent : ndarray of AGENT, shape (1,), optional
        Compiled agent that replaces the opponent of the plan.
    teacher : ndarray of AGENT, shape (1,), optional
        Compiled agent that replaces the teacher of the plan.

    Raises
    ------
    ConfigError
        If an argument has a wrong type or is out of range.
    DeckError
        If a deck is unknown or invalid.
    AgentError
        If an agent is unknown, damaged or unable to play here.
    RunError
        If a folder cannot be written, is in use, or has other content.
    """

    def __init__(self, plan: Plan, checkpoint: Mapping[str, Any] | None = None,
                 opponent: Array | None = None, teacher: Array | None = None) -> None:
        if plan.policy != END_TO_END:
            raise ConfigError(f"policy is '{plan.policy}', but must be '{END_TO_END}'")
        self.plan, self.settings, self.number = plan, plan.network, 0
        check_device(self.settings)
        self.decks = decks_of(checkpoint) if checkpoint else [
            read_deck(name) for name in plan.deck_names]
        self.network = self._fresh()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=self.settings.rate)
        self.osfp = OSFP(plan.osfp, plan.seed)
        self.pool: list[Policy] = []
        self.over: OsfpPeriod | None = None  # the last learning period, once one is over
        # Of the last call, if playing and learning overlap.
        self.balance: SupplyBalance | None = None
        self.rival: dict[str, Any] | None = (
            checkpoint["rival"] if checkpoint
            else read_rival(plan.against) if plan.against else None)
        self.opponent: Player | None = opponent
        if self.rival is not None:
            self.opponent = actor_of(network_of(self.rival, "cpu"))
        elif plan.against and opponent is None:
            self.opponent = read_agent(plan.against)
        self.teacher = teacher
        if plan.start != SCRATCH and teacher is None:
            self.teacher = read_agent(plan.start)
        self._examples: HumanDecks | None = None
        if self.settings.kickstart_decks:
            classes = {int(Class[deck.hero_class]) for deck in self.decks}
            self._examples = HumanDecks(card_pool(plan.ruleset), plan.ruleset, classes)
        self._updater: Updater | None = None

    def round(self, executor: Executor | None = None,
              on_games: OnGames = lambda games: None) -> RoundReport:
        """Play and learn one training iteration, and end the learning period if it is over.

        Parameters
        ----------
        executor : Executor, optional
            Workers that play the games. Default: this thread.
        on_games : callable, optional
            Receives the number of games, after each block of games.

        Returns
        -------
        RoundReport
            Report of the iteration.
        """
        return self.rounds(1, executor, on_games)[0]

    def rounds(self, many: int, executor: Executor | None = None,
               on_games: OnGames = lambda games: None) -> list[RoundReport]:
        """Play and learn training iterations, and end each learning period that is over.

        Playing and learning overlap (`actors`) only within one call, and not beyond `plan.rounds`
        iterations.

        Parameters
        ----------
        many : int
            Number of iterations.
        executor : Executor, optional
            Workers that play the games. Default: this thread.
        on_games : callable, optional
            Receives the number of games just played or, if playing and learning overlap, just
            learned from.

        Returns
        -------
        list of RoundReport
            Reports of the iterations.
        """
        if executor is None:
            with open_workers(SERIAL) as executor:
                return self.rounds(many, executor, on_games)
        reports: list[RoundReport] = []
        while (left := many - len(reports)) > 0:
            period = self.plan.rounds
            part = min(left, period - self.number % period)
            if self.settings.actors == "rounds":
                reports += [self._learn(self._lots(executor, on_games)) for _ in range(part)]
            else:
                reports += self._overlapped(part, executor, on_games)
            if self.opponent is None and self.number % period == 0 and self.osfp.due:
                self._end_period()
        return reports

    def _lots(self, executor: Executor, on_games: OnGames) -> Iterator[Lot]:
        """Play an iteration with the current network, and yield the batch of each update."""
        seed, settings = self._seed(self.number), self.settings
        played = self._play(seed, executor, on_games)
        for which in orders(len(played.round.lengths), seed, settings.reuse, settings.updates):
            yield Lot(played, which)

    def _overlapped(self, many: int, executor: Executor, on_games: OnGames) -> list[RoundReport]:
        """Play and learn rounds of one learning period at the same time.

        This thread plays, and asks and tells OSFP; the other one has the network to itself, of
        which only copies play, and counts what was learned.
        """
        settings, first, queue = self.settings, self.number, self.settings.actors == "queue"
        kind: type[Supply[NetworkSnapshot]] = Queue if queue else Ring
        supply = kind(settings.ahead, settings.reuse, settings.updates)
        supply.publish(self._snapshot())
        assert self.updater  # which starts its processes here, if it has several

        def play(number: int, now: NetworkSnapshot, on_block: OnGames) -> PlayedRound:
            # A ring plays as many rounds as it can: not those of the rounds to come.
            seed = self._seed(first + number) if queue else self._seed(first, number)
            return self._play(seed, executor, on_block, now)

        def learn() -> list[RoundReport]:
            reports = []
            for _ in range(many):
                reports.append(self._learn(supply.lots(self._seed(self.number))))
                supply.publish(self._snapshot())
            return reports

        reports = overlapped(supply, play, learn, many if queue else None,
                             lambda rounds: on_games(rounds * self.plan.games_per_round))
        self.balance = supply.balance()
        return reports

    def _seed(self, *number: int) -> int:
        """Return the seed of a round, by its number."""
        return int(derive((self.plan.seed, Stream.ROUND, *number))[0])

    def _learn(self, lots: Iterator[Lot]) -> RoundReport:
        """Do the updates of a round."""
        seed, rate = self._seed(self.number), self._rate()
        losses, decisions = [], 0
        for k, lot in enumerate(lots):
            losses.append(self.updater.update(self._shares(*lot, (seed, k)), rate))
            decisions += int(lot.played.round.lengths[lot.which].sum())
        loss, policy, upgo, value, entropy, teacher = np.mean(losses, axis=0).tolist()
        others = lot.played.others
        report = RoundReport(
            self.number, self.plan.games_per_round, decisions // self.settings.reuse, others,
            lot.played.won / others if others else np.nan, loss, policy, upgo, value, entropy,
            len(self.pool), teacher if self.teaching else np.nan)
        self.number += 1
        if self.opponent is None:
            self.osfp.learned(report.decisions)
        return report

    def _snapshot(self) -> NetworkSnapshot:
        """Return copies of the network as it is, on the CPU."""
        picker = deepcopy(getattr(self.network, "picker", None))
        return NetworkSnapshot(actor_of(self.network), picker and picker.cpu(), self.number)

    @property
    def teaching(self) -> float:
        """Weight of the teacher's moves in the next iteration."""
        return self.settings.kickstart * self._left(self.number)

    def _left(self, number: int) -> float:
        """Return the share of a teacher's first weight that is left in a round; 0 without one."""
        if self.plan.start == SCRATCH:
            return 0.0
        return max(1 - number / (self.plan.start_periods * self.plan.rounds), 0.0)

    def _rate(self) -> float:
        """Return Adam's rate in the next round."""
        first, last = self.settings.rate, self.settings.last_rate
        if last is None:
            return first
        return first + min(self.number / self.plan.rounds_in_all, 1.0) * (last - first)

    def _end_period(self) -> None:
        """Let OSFP decide whether the network, as it is now, joins the pool."""
        self.over = self.osfp.end_period()
        if self.over.added:
            self.pool.append(deepcopy(self.network).cpu())

    @property
    def device(self) -> str:
        """Device of the network."""
        return self.settings.device

    @property
    def updater(self) -> Updater:
        """Updater of the network. The first use starts its processes, if it has several."""
        if self._updater is None:
            alone = self.settings.processes == 1
            parts = self.network, self.optimizer, self.settings
            self._updater = Updater(*parts) if alone else Crew(*parts, self.checkpoint())
        return self._updater

    def close(self) -> None:
        """Stop the processes of the updater, if there are several."""
        if self._updater is not None:
            self._updater.close()
            self._updater = None

    def _play(self, seed: int, executor: Executor, on_games: OnGames = lambda games: None,
              now: NetworkSnapshot | None = None) -> PlayedRound:
        """Play a round with the network as it was then, or as it is now."""
        n, now = self.plan.games_per_round, now or self._snapshot()
        opponents = self.osfp.ask(n)
        players: list[Player] = [now.actor, *(actor_of(member) for member in self.pool)]
        if self.opponent is not None:
            players, opponents = [players[0], self.opponent], np.zeros(n, int)
        seats = np.arange(n) % 2  # of the learner
        who = np.zeros((n, 2), np.int64)
        who[np.arange(n), 1 - seats] = 1 + opponents
        picks = self._pick_heroes(who, seed, now.picker)
        deals = deal(self, players, who, seed, picks and picks[0])
        if self.settings.opponent_deck == PEEK:  # who meets the learner never sees more
            peeks = peeked(deals.seeds)
            peeks[np.arange(n), 1 - seats] = peeks.min(axis=1)
            deals = replace(deals, peeks=peeks)
        round_, draft = play_all(executor, players, deals,
                                 self.settings.random_cards, 0, on_games,
                                 self.teacher if self._left(now.number) else None)
        scores = outcomes(round_.results, seats)
        if self.opponent is None:
            self.osfp.tell(opponents, scores)
        met = opponents != LATEST
        return PlayedRound(round_, draft, picks, int(met.sum()), float((scores[met] + 1).sum() / 2))

    def _pick_heroes(self, who: Array, seed: int, own: Picker | None
                     ) -> tuple[Array, Array] | None:
        """Return which class each player picks, (n, 2), and the log probability of that.

        Who is no such policy picks each class with the same chance. who (n, 2): 0 is the network,
        whose hero `own` picks.
        """
        if not self.settings.pick_hero:
            return None
        bits = derive((seed, Stream.ROUND), np.arange(len(who))[:, None], np.array([3, 4]))
        draws = (bits >> np.uint64(11)) / 2.0**53
        classes = np.zeros(who.shape, np.int64)
        logs = np.zeros(who.shape, np.float32)
        uniform = Picker(int(Class[deck.hero_class]) for deck in self.decks)
        others = [None] if self.opponent is not None else [
            getattr(member, "picker", None) for member in self.pool]
        for k, picker in enumerate([own, *others]):
            mine = who == k
            classes[mine], logs[mine] = (picker or uniform).picked(draws[mine])
        return classes, logs

    def _shares(self, played: PlayedRound, which: Array,
                key: tuple[int, int]) -> list[LearnerBatch]:
        """Return trajectories as a batch, in a part for each process that learns.

        Too few of them are repeated: it is an update from each of them as often. key: of the random
        numbers of an update.
        """
        n = self.settings.processes
        enough = np.resize(which, n) if len(which) < n else which
        batches = [batch_of(played.round, part, played.draft, self.teaching, played.picks)
                   for part in np.array_split(enough, n)]
        weight = self.settings.kickstart_decks * self._left(self.number)
        if self._examples is not None and weight:
            batches = [batch._replace(examples=Examples(Picked.of(self._examples.draw(
                (*key, k), batch.draft.owners.numpy())), weight))
                for k, batch in enumerate(batches) if batch.draft is not None]
        return [batches[0].to(self.device), *batches[1:]]

    def _fresh(self) -> Policy:
        """Return a network whose parameters depend on the seed alone."""
        seed = int(derive((self.plan.seed, Stream.ROUND))[0] >> np.uint64(1))
        network = make_network(self.settings, self.plan.ruleset, self.decks, seed)
        return network.to(self.settings.device)

    def checkpoint(self) -> dict[str, Any]:
        """Return the input of `load`, as plain data and tensors.

        Returns
        -------
        dict
            The state.
        """
        return {"format": FORMAT, "settings": self.plan.model_dump(mode="json", include=SETTINGS),
                "decks": [deck.data() for deck in self.decks], "rival": self.rival,
                "number": self.number, "network": self.network.state_dict(),
                "optimizer": self.optimizer.state_dict(), "osfp": self.osfp.state(),
                "pool": [member.state_dict() for member in self.pool]}

    def save(self, path: Path | str) -> None:
        """Write a checkpoint, which contains its decks and its opponent.

        Parameters
        ----------
        path : Path or str
            File to write.

        Raises
        ------
        RunError
            If the file cannot be written.
        """
        write_whole(Path(path), as_bytes(self.checkpoint()))

    @classmethod
    def load(cls, path: Path | str, device: str = "") -> Learner:
        """Return a learner as it was saved.

        Parameters
        ----------
        path : Path or str
            Checkpoint.
        device : str, optional
            Device of the network. Default: the saved device.

        Returns
        -------
        Learner
            The learner.

        Raises
        ------
        RunError
            If the file is missing or damaged.
        ConfigError
            If the device is missing.
        AgentError
            If the opponent is missing.
        """
        checkpoint = read_checkpoint(path)
        if checkpoint["format"] != FORMAT:
            raise RunError(f"{path} was saved by an earlier version of hsevo: its network plays"
                           " here, but only that version can continue the training")
        with undamaged(path):
            plan = check(Plan, checkpoint["settings"], str(path))
            plan = change(plan, {"network.device": device or None})
        check_device(plan.network)
        with undamaged(path):
            return cls(plan, checkpoint).restored(checkpoint)

    def restored(self, checkpoint: Mapping[str, Any]) -> Learner:
        """Take over a state that `checkpoint` returned.

        Parameters
        ----------
        checkpoint : mapping
            The state.

        Returns
        -------
        Learner
            The learner itself.
        """
        check_number("number", checkpoint["number"], 0)
        self.number = checkpoint["number"]
        fill(self.network, checkpoint["network"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
        self.osfp = OSFP.resume(self.plan.osfp, checkpoint["osfp"])
        self.pool = [fill(self._fresh().cpu(), parameters) for parameters in checkpoint["pool"]]
        if self.osfp.members != len(self.pool):
            raise ValueError(f"{self.osfp.members} members, but {len(self.pool)} networks")
        return self


def deal(learner: Learner, players: Sequence[Player], who: Array, seed: int,
         heroes: Array | None = None) -> Deals:
    """Begin games of players, who (n, 2), with decks of the learner. Raises ConfigError.

    heroes: picked classes, (n, 2), if any.
    """
    for player in players:
        check_classes(player, learner.decks)
    decks, seeds = draw_decks(learner.decks, len(who), seed, heroes)
    return Deals(who, decks, seeds, Setting(
        learner.plan.ruleset, (), "fair", learner.plan.max_turns))


def draw_decks(decks: Sequence[Deck], n: int, seed: int,
               heroes: Array | None = None) -> tuple[Decks, Array]:
    """Draw one of the decks for each player of n games; return them and the seeds of the games.

    heroes: classes (n, 2) that the decks must have.
    """
    draws = derive((seed, Stream.ROUND), np.arange(n)[:, None], np.arange(3))
    if heroes is None:
        drawn = (draws[:, :2] % np.uint64(len(decks))).astype(int)
        return [(decks[a], decks[b]) for a, b in drawn.tolist()], draws[:, 2]
    of = {owner: [deck for deck in decks if int(Class[deck.hero_class]) == owner]
          for owner in np.unique(heroes).tolist()}
    pairs = [tuple(of[owner][int(draw) % len(of[owner])]
                   for owner, draw in zip(pair, two, strict=True))
             for pair, two in zip(heroes.tolist(), draws[:, :2].tolist(), strict=True)]
    return [(first, second) for first, second in pairs], draws[:, 2]


def win_rate(learner: Learner, opponent: str | Learner, games: int, seed: int) -> Estimate:
    """Return the win rate of a learner's network against an agent or another learner.

    The network samples its moves. Draws are half wins. The games are new games with the learner's
    decks, and the learner is player 0 in every other game.

    Parameters
    ----------
    learner : Learner
        The learner.
    opponent : str or Learner
        Spec of an agent, or another learner.
    games : int
        Number of games.
    seed : int
        Seed of the games.

    Returns
    -------
    Estimate
        The win rate, with a 95 % interval.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.
    """
    check_number("games", games, 1)
    check_number("seed", seed, 0)
    rival = (read_player(opponent) if isinstance(opponent, str)
             else actor_of(opponent.network))
    seats = np.arange(games) % 2
    players = [actor_of(learner.network), rival]
    deals = deal(learner, players, np.stack([seats, 1 - seats], 1), seed)
    with open_workers(SERIAL) as executor:
        played, _ = play_all(executor, players, deals)
    rate = np.array([(outcomes(played.results, seats) + 1).mean() / 2])
    low, high = interval(rate, np.array([games]))
    return Estimate(float(rate[0]), float(low[0]), float(high[0]))
