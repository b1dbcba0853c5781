"""`Learned.deck_building`: how a policy came to build its decks, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import ClassVar, Unpack

import pandas as pd

from hsevo.agents.learned import nets
from hsevo.agents.registry import NET
from hsevo.cards.decks import Deck, as_code
from hsevo.cards.terms import Class
from hsevo.config import Workers, check_number, whole
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError
from hsevo.experiments.playing import Progress, playing, print_line, workers_of
from hsevo.files import claimed, write_whole, writing
from hsevo.generated import WorkersFields
from hsevo.learning import builds as building
from hsevo.learning import worth
from hsevo.learning.acting.actor import Actor
from hsevo.learning.acting.agents import builder, policy
from hsevo.learning.acting.checkpoints import actors
from hsevo.learning.folder import LearningRun
from hsevo.learning.worth import DeckMeeting, DeckSide
from hsevo.objects import Fields
from hsevo.pictures import Picture
from hsevo.play import players as hosted
from hsevo.play.tournament import write_table
from hsevo.runs import checkpoints
from hsevo.store.kinds import About
from hsevo.strength.agents import Agent, AgentLike, each_agent
from hsevo.types import Array

ABOUT = About("building.yaml", "hsevo decks building")
OWN = "own"  # the pilot that is the run's policy
PILOTS: tuple[str, ...] = (OWN, "rl:2026")
GAMES = 1_800
MOST = 10_000  # decks or games at a time: the engine numbers at most 32,767 decks
SAMPLED, BEST = "sampled", "best"  # decks at temperature 1 and 0


@dataclass(frozen=True)
class DeckBuilding:
    """Hold how a policy learned to build its decks, and how good the decks are.

    Attributes
    ----------
    run : Path
        Folder of the run.
    number : int
        Number of decks of each class that each checkpoint built.
    seed : int
        Seed of choices and games.
    building : pandas.DataFrame
        One row for each checkpoint interval and class, from decks sampled at temperature 1 without
        random-CB. Period -1 is a policy that samples cards uniformly. Columns period, class,
        entropy (of a choice, in bits), different (number of different decks), cards (number of
        different cards), cost (mean mana of a card), mana_0 to mana_7 (cards of a deck by cost, the
        last: 7 and more), in_common (mean number of cards, of 30, in common with the nearest human
        deck), archetype (most frequent archetype of these decks), archetype_share.
    cards : pandas.DataFrame
        Columns period, class, card, share (of decks with the card), copies (mean).
    decks : pandas.DataFrame
        Deck at temperature 0. Columns period, class, code, in_common, nearest (human deck),
        archetype.
    worth : pandas.DataFrame
        Results of the decks of the last checkpoint, with the same pilot on both sides. Columns
        pilot, built ("sampled": at temperature 1, another deck for each pair of games, "best": at
        temperature 0), against ("config": decks of the run, "random": uniformly sampled cards,
        "human": human decks of Standard), class (of the built deck, or all), games, decks and lists
        (number of different decks on either side), rate, low, high (0 to 1, 95 % interval). Each
        class has the same weight.
    path : Path or None
        Folder of the files, if there is one.

    Examples
    --------
    >>> found = hsevo.Learned("runs/builder").deck_building()  # doctest: +SKIP
    >>> found.worth[["pilot", "built", "against", "rate"]]     # doctest: +SKIP

    Only an end-to-end policy that learned with `network.build` builds decks:

    >>> small = {"periods": 1, "rounds": 1, "games": 2, "payoff_games": 0,
    ...          "references.against": []}
    >>> hsevo.learn("osfp-smoke", out="runs/plain", changes=small).deck_building()
    Traceback (most recent call last):
        ...
    hsevo.errors.AgentError: this player builds no decks
    """

    FIELDS: ClassVar[Fields] = {
        "run": "run", "path": "path", "number": "number", "seed": "seed", "building": "building",
        "cards": "cards", "decks": "decks", "worth": "worth"}

    run: Path
    number: int
    seed: int
    building: pd.DataFrame
    cards: pd.DataFrame
    decks: pd.DataFrame
    worth: pd.DataFrame
    path: Path | None = None

    @property
    def picture(self) -> Picture:
        """Entropy and shares of cards at each checkpoint, as `svg` and `png`: bytes of files."""
        return building.draw(self.building, self.cards)

    def save(self, path: str | Path) -> Path:
        """Write the four tables, building.yaml, building.svg and building.png.

        Parameters
        ----------
        path : str or Path
            New or existing folder.

        Returns
        -------
        Path
            Path of the folder.

        Raises
        ------
        RunError
            If the folder cannot be written.
        """
        folder, drawn = Path(path), self.picture
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        for name in ("building", "cards", "decks", "worth"):
            write_table(folder / f"{name}.csv", getattr(self, name))
        write_whole(folder / "building.svg", drawn.svg)
        write_whole(folder / "building.png", drawn.png)
        ABOUT.write(folder, {"engine": fingerprint(), "actors": actors(), "run": str(self.run),
                             "number": self.number, "seed": self.seed})
        return folder

    def __repr__(self) -> str:
        last = self.building[self.building["period"] == self.building["period"].max()]
        sure = ", ".join(f"{row['class']} {row['entropy']:.2f} bits a choice"
                         for row in last.to_dict("records"))
        return f"DeckBuilding('{self.run}', after period {last['period'].iloc[0]}: {sure})"


def deck_building(folder: LearningRun, number: int = 200, *, every: int = 1, games: int = GAMES,
                  pilots: AgentLike | Iterable[AgentLike] = PILOTS, seed: int = 1,
                  out: str | Path | None = None, progress: Progress = False,
                  **workers_fields: Unpack[WorkersFields]) -> DeckBuilding:
    """Measure how a policy learned to build decks; see `Learned.deck_building`."""
    number = whole("number", number, 1, MOST)
    every = check_number("every", every, 1)
    games = whole("games", games, 1, MOST)
    seed = whole("seed", seed, 0, 2**64 - 1)
    workers, path = workers_of(**workers_fields), None if out is None else Path(out)
    with claimed(path, "hsevo decks building") if path else nullcontext():
        result = _of(folder, number, every, games, pilots, seed, workers, progress)
        if path is None:
            return result
        result.save(path)
    return replace(result, path=path)


def _of(folder: LearningRun, number: int, every: int, games: int,
        pilots: AgentLike | Iterable[AgentLike], seed: int, workers: Workers,
        progress: Progress) -> DeckBuilding:
    source = _Source(folder, seed)
    for owner in source.classes:
        source.builder(owner)  # is there a checkpoint, and does it build?
    players = dict(source.pilot(agent) for agent in each_agent(pilots))
    if not players:
        raise AgentError("name at least one player, for example own")
    meetings = source.meetings(games)
    if progress is True:
        print_line(f"building {number:,} decks of each class with each checkpoint")
    tables, win_rates = source.course(number, every), []
    total = len(players) * sum(2 * len(meeting.first) for meeting in meetings.values())
    with playing(total, workers, progress) as (executor, meter):
        for name, record in players.items():
            points = worth.play(executor, [*meetings.values()], record, folder.setting, seed,
                                meter.advance)
            for (built, against), own in zip(meetings, points, strict=True):
                table = worth.rates(meetings[built, against], own, source.titles)
                win_rates.append(pd.DataFrame({"pilot": name, "built": built, "against": against}
                                              | dict(table.items())))
    return DeckBuilding(folder.path, number, seed, *tables, pd.concat(win_rates, ignore_index=True))


class _Source:
    """A run whose policy builds decks, and what its decks are compared with."""

    def __init__(self, folder: LearningRun, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.names = checkpoints.names(folder.path)  # it may be learning: none that comes later
        self.last = self.names[-1] if self.names else ""
        self.classes = sorted({Class[deck.hero_class] for deck in folder.decks})
        self.titles = [building.title(owner) for owner in self.classes]

    def spec(self, name: str = "") -> str:
        """Return the spec of a checkpoint, by default the last."""
        at = name or self.last
        return f"{NET}:{self.folder.path}" + f"#{at}" * bool(at)

    def builder(self, cls: Class, name: str = "", temperature: int = 1) -> Actor:
        """Return the policy of a checkpoint, by default the last. Raises AgentError, ConfigError.
        """
        return builder(Agent(f"{self.spec(name)}?temperature={temperature}").record, cls)

    def pilot(self, agent: AgentLike) -> tuple[str, Array]:
        """Return the name of an agent and what plays both sides, AGENT (1,). Raises AgentError.

        Raises ConfigError for one that can't play the run's classes.
        """
        own = isinstance(agent, str) and agent == OWN
        pilot = Agent(f"{self.spec()}?temperature=0&decks=given" if own else agent)
        record = pilot.on(None)
        if record["kind"][0] == nets.END_TO_END and policy(record).builds:
            raise AgentError(f"player '{pilot.name}' builds its own decks, but players must play"
                             " the decks that are compared; give it the option decks=given")
        hosted.check(record, self.folder.setting)
        return OWN if own else pilot.name, record

    def course(self, number: int, every: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
        """Return the tables building, cards and decks; every: 4 takes each fourth checkpoint."""
        ruleset = self.folder.plan.ruleset
        lines = [{"period": building.UNIFORM, **building.described(
            building.drawn(building.uniform(self.builder(owner)), owner, number, self.seed),
            ruleset)}
            for owner in self.classes]
        cards, decks = [], []
        for name, owner in product(dict.fromkeys([*self.names[::every], self.last]), self.classes):
            at = {"period": int(name.removeprefix("period-"))}
            builds = building.drawn(self.builder(owner, name), owner, number, self.seed)
            lines.append({**at, **building.described(builds, ruleset)})
            cards.append(pd.DataFrame(at | dict(building.cards_of(builds.decks).items())))
            best = building.decks(self.builder(owner, name, 0), owner, 1, self.seed)
            shared, lists = building.nearest(best, ruleset)
            decks.append({**at, "class": building.title(owner), "code": as_code(best[0]),
                          "in_common": int(shared[0]), "nearest": lists["deck"][0],
                          "archetype": lists["archetype"][0]})
        return pd.DataFrame(lines), pd.concat(cards, ignore_index=True), pd.DataFrame(decks)

    def meetings(self, games: int) -> dict[tuple[str, str], DeckMeeting]:
        """Return pairs of decks, by type of built deck and opponent. Raises ConfigError."""
        fixed: dict[str, list[Deck]] = {}  # in the order of the config
        for deck in self.folder.decks:
            fixed.setdefault(deck.hero_class, []).append(deck)
        c = len(self.classes)
        n = worth.pairs(games, c, c) * c  # decks of a class
        last = {owner: self.builder(owner) for owner in self.classes}
        own = {SAMPLED: DeckSide([
            building.decks(last[owner], owner, n, self.seed)
            for owner in last], True), BEST: DeckSide([
                building.decks(self.builder(owner, temperature=0), owner, 1, self.seed)
                for owner in last], False)}
        others = {"config": DeckSide([*fixed.values()], False), "random": DeckSide([
            building.decks(building.uniform(last[owner]), owner, n,
                           worth.random_seed(self.seed, owner))
            for owner in last], True), "human": DeckSide([
                worth.drawn_lists(owner, last[owner].pool, n, self.seed) for owner in last], True)}
        return {(a, b): DeckMeeting.of(own[a], others[b], games) for a, b in product(own, others)}
