"""Ladders: read, checked, and resolved into the learning configs of their rungs.

    configs/ladders/NAME.yaml --load_ladder()--> Ladder --plans_of()--> a Plan for each rung
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.cards.decks import read_decks
from hsevo.config.ladder import RUNS_OWN, Ladder
from hsevo.config.learning import Plan
from hsevo.config.named import agent_beside, yaml_beside
from hsevo.engine.jit import fingerprint
from hsevo.errors import ConfigError, RunError
from hsevo.experiments.playing import Progress, keeping, playing, print_line, workers_of
from hsevo.files import inside, read_table, refuse_full, write_whole
from hsevo.learning.folder import LearningRun, method
from hsevo.learning.plan import refuse_unused
from hsevo.learning.run import Learned
from hsevo.objects import Fields
from hsevo.pictures import Picture
from hsevo.play.match import PAIRING
from hsevo.play.tournament import refuse_faults
from hsevo.play.workers import Executor, OnGames
from hsevo.store.journal import Journal
from hsevo.store.kinds import About
from hsevo.strength import ladders as tables
from hsevo.strength.agents import as_agent
from hsevo.strength.comparing import lineup_of
from hsevo.strength.contest import Contest
from hsevo.strength.ladders import PAIRS, Meeting
from hsevo.strength.lineup import Lineup, schedule
from hsevo.strength.matches import Match
from hsevo.trust import data
from hsevo.types import Array

MATCHES = ("games", "games_against", "match_seed", "temperature")  # keys that matches depend on
LADDER = About("ladder.yaml", "hsevo ladder")


def load_ladder(source: str | Path, changes: Mapping[str, Any] | None = None) -> Ladder:
    """Read the ladder that `source` names: a path, or a name in configs/ladders, here or shipped.

    The ladder.yaml of a ladder's folder works as well. changes: keys with other values. Raises
    ConfigError.
    """
    path, tree = _read(source)
    if "rungs" not in tree:
        raise ConfigError(f"{path} is not a ladder: it has no rungs")
    where = str(path)
    ladder = config.check(Ladder, _beside(path, tree), where)
    return config.change(ladder, changes or {})


def ladder_path(source: str | Path) -> Path:
    """Return the default folder of a ladder: runs/NAME; of a ladder.yaml its own. Raises
    ConfigError.
    """
    path, _ = _read(source)
    if path.name == LADDER.name and (path.parent / "players").is_dir():
        return path.parent
    return Path("runs") / re.sub(r"[^\w.+-]", "-", path.stem)


def plans_of(ladder: Ladder) -> dict[str, Plan]:
    """Return the plan of each rung, in order. Raises ConfigError, also for a rung that changes
    nothing.
    """
    plan = config.load(ladder.config, model=Plan)
    found: dict[str, Plan] = {}
    for rung, settings in ladder.rungs.items():
        where = f"rungs.{rung}"
        before, plan = plan, config.replaced(plan, settings, where)
        try:
            refuse_unused(plan)
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from None
        if plan == before and found:
            raise ConfigError(f"{where} changes nothing: it is the same as the rung before it")
        found[rung] = plan
    return found


def rules_of(ladder: Ladder, first: Plan) -> dict[str, Any]:
    """Return by which rules matches are played; first: the plan of the first rung.

    Raises ConfigError if nobody says with which decks.
    """
    decks = ladder.decks or [*first.deck_names]
    if not decks:
        raise ConfigError(f"the config {ladder.config} draws its decks, so the ladder must name"
                          " those of its matches, such as decks: [mage, shaman, warrior]")
    return {"decks": decks, "ruleset": first.ruleset, "max_turns": first.max_turns,
            **{key: getattr(ladder, key) for key in MATCHES}}


def refuse_other(path: Path, plan: Plan) -> None:
    """Raise ConfigError unless a run learns, or learned, by this plan; RunError if it is none.

    Where it is, and how its games run in parallel, may differ.
    """
    there = LearningRun(path).plan
    own = {*RUNS_OWN} - {"seed"}
    ours, theirs = (dict(_flat(one.model_dump(mode="json", by_alias=True, exclude=own)))
                    for one in (plan, there))
    for key in {**ours, **theirs}:
        if ours.get(key) != theirs.get(key):
            raise ConfigError(f"{path} has {key} {config.short(theirs.get(key))}, but the ladder"
                              f" says {config.short(ours.get(key))}; choose another folder")


def refuse_other_rules(folder: Path, rules: Mapping[str, Any], engine: str) -> None:
    """Raise ConfigError if matches in a folder were played by other rules; RunError: by another
    engine.
    """
    if not (folder / "pairs.csv").exists():
        return
    about = LADDER.read(folder)
    if about.get("engine") != engine:
        raise RunError(f"{folder} has matches of another engine, and this one's games may differ;"
                       " choose another folder, or install the version that played them")
    known = _rules_there(folder, about)
    for key, value in rules.items():
        if known.get(key) != value:
            raise ConfigError(f"{folder} has matches with {key} {config.short(known.get(key))}, but"
                              f" the ladder says {config.short(value)}; choose another folder")


def _rules_there(folder: Path, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return by which rules matches in a folder were played. Raises RunError."""
    known = about.get("rules")
    if not isinstance(known, dict):
        raise RunError(f"{folder / LADDER.name} is damaged: it does not say by which rules its"
                       " matches were played")
    return known


def _read(source: str | Path) -> tuple[Path, dict[str, Any]]:
    path = config.find(str(source), "configs/ladders")
    tree = config.parse(config.read_text(path), str(path))
    played = tree.get("kind") == LADDER.kind and isinstance(tree.get("ladder"), dict)
    return path, tree["ladder"] if played else tree


def _beside(path: Path, tree: dict[str, Any]) -> dict[str, Any]:
    """Return a ladder whose config, decks and agents are found beside it, at `path`, too."""
    found = dict(tree)
    if "config" in tree:
        found["config"] = yaml_beside(path, tree["config"])
    for key, beside in (("decks", config.beside), ("against", agent_beside)):
        if isinstance(tree.get(key), list):
            found[key] = [beside(path, one) for one in tree[key]]
    return found


def _flat(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all values of a tree by their dotted keys."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


PLAYERS = "players"  # where they are in the folder
WORDS, GAPS = ("rung_a", "rung_b", "agents"), ("seed_b",)  # columns of PAIRS
FILES = ("matrix.csv", "steps.csv", "others.csv", "matrix.svg", "matrix.png", LADDER.name,
         "pairs.csv", "pairs.sha256")


class _Player(NamedTuple):
    rung: str
    seed: int
    path: Path
    plan: Plan

    @property
    def done(self) -> bool:
        return self.path.exists() and Learned(self.path).done


class LadderResult(Contest):
    """The matches of a ladder so far; `path` is its folder, which has the same tables.

    players: the runs of its players, if they learn here.

    >>> found = hsevo.ladder("ladder-smoke")
    >>> found.steps[["rung", "before", "changes"]].values.tolist()
    [['trace', 'short', 'learner.trace=0.9']]
    >>> len(found.pairs), len(found.matrix)
    (8, 2)
    """

    FIELDS: ClassVar[Fields] = {
        "path": "path", "plan": lambda self: self.ladder.model_dump(), "matrix": "matrix",
        "steps": "steps", "others": "others", "matches": "pairs"}
    ABOUT = LADDER
    NOUN = "a ladder"
    ROWS = "pairs.csv"
    path: Path
    rows: list[dict[Any, Any]]  # of pairs.csv

    def __init__(self, ladder: Ladder, path: Path, rules: dict[str, Any] | None = None,
                 players: Sequence[_Player] = ()) -> None:
        self.rules, self._players = rules or {}, players
        super().__init__(ladder, path)

    @property
    def ladder(self) -> Ladder:
        """The ladder."""
        found: Ladder = self.lineup
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The rungs."""
        return tuple(self.ladder.rungs)

    @property
    def pairs(self) -> pd.DataFrame:
        """A row a match, from the view of a: columns rung_a, seed_a, rung_b, seed_b (NaN if rung_b
        is an agent and no rung), games, wins_a, draws, wins_b, rate (0 to 1, draws count half) with
        the ends low and high of its 95 % interval, seed (of the match), agents (a fingerprint of
        who played, and of the decks)."""
        return pd.DataFrame(self.rows, columns=[*PAIRS])

    @property
    def games(self) -> pd.DataFrame:
        """The matches, as `pairs`: a ladder keeps no single games."""
        return self.pairs

    @property
    def done(self) -> int:
        """How many games were played."""
        return sum(int(row["games"]) for row in self._met.values())

    @property
    def total(self) -> int:
        """How many games there are to play."""
        return self.done + sum(_games(one, self.rules) for one in self._missing)

    @property
    def left(self) -> Array:
        """The games that remain, match.PAIRING."""
        rows = [schedule(self._lineup(one, self._specs)) for one in self._missing]
        return np.concatenate(rows) if rows else np.zeros(0, PAIRING)

    @property
    def _met(self) -> dict[Meeting, dict[Any, Any]]:
        """The rows of the matches that are of this ladder."""
        there = {Meeting.of(row): row for row in self.rows}
        return {one: there[one] for one in tables.meetings(self.ladder) if one in there}

    @property
    def _missing(self) -> list[Meeting]:
        met = self._met
        return [one for one in tables.meetings(self.ladder) if one not in met]

    @property
    def _specs(self) -> dict[tuple[str, int], str]:
        """The specs of the players, by rung and seed."""
        return {(rung, seed): str(Learned(_player_path(self.path, rung, seed)).agent(
            temperature=self.ladder.temperature).spec)
            for rung in self.ladder.rungs for seed in self.ladder.seeds}

    @property
    def matrix(self) -> pd.DataFrame:
        """Each rung against each other: columns row, column, rate (that the row won), low, high,
        published. Intervals are over seeds; with one seed, of the games alone."""
        return tables.matrix(self.ladder, self.pairs)

    @property
    def steps(self) -> pd.DataFrame:
        """Each rung against the one before: columns rung, before, changes, rate, low, high,
        published, decided ("better", "worse" or "open": its interval is above, below or around
        one half)."""
        return tables.steps(self.ladder, self.pairs)

    @property
    def others(self) -> pd.DataFrame:
        """Each rung against other agents: columns rung, against, rate, low, high."""
        return tables.others(self.ladder, self.pairs)

    @property
    def picture(self) -> Picture:
        """The matrix beside the published one, as `svg` and `png`: bytes of files."""
        return tables.draw(self.matrix, self.path.name)

    def _play(self, executor: Executor, on_games: OnGames) -> None:
        """Play the matches that are missing. Raises RunError if others played those there."""
        specs = self._specs
        for one, row in self._met.items():
            if row["agents"] != self._lineup(one, specs).digest:
                raise RunError(f"{self.path / self.ROWS} has games of {one}, where other players"
                               " or decks played; choose another folder")
        for one in self._missing:
            match = Match(self._lineup(one, specs)).play(executor, on_games)
            refuse_faults(match.results, match.rows["seed"])
            self._add(one, match)

    def _add(self, of: Meeting, match: Match) -> None:
        rate = match.rate
        values = (*of, match.played, match.wins, match.draws, match.losses, rate.value, rate.low,
                  rate.high, of.seed(self.rules["match_seed"]), match.lineup.digest)
        row = dict(zip(PAIRS, values, strict=True))
        if self._journal is not None:
            line = pd.DataFrame([row]).to_csv(index=False, header=not self.rows)
            self._journal.append(line.encode())
        self.rows.append(row)

    def _lineup(self, one: Meeting, specs: Mapping[tuple[str, int], str]) -> Lineup:
        """Return who plays a match. specs: of the players, by rung and seed."""
        a, rules = specs[one.rung_a, one.seed_a], self.rules
        b = one.rung_b if one.seed_b is None else specs[one.rung_b, one.seed_b]
        return lineup_of([a, b], (), rules["decks"], games=_asked(one, rules),
                         seed=one.seed(rules["match_seed"]), ruleset=rules["ruleset"],
                         max_turns=rules["max_turns"], information="fair")

    def _clear(self) -> None:
        self.rows = []

    def _parse(self, journal: Journal) -> None:
        """Take over the matches of a folder. Raises RunError, and ConfigError for other seeds."""
        self.rows = read_table(journal.path, PAIRS, WORDS, GAPS).to_dict("records")
        there = {seed for one in map(Meeting.of, self.rows) for seed in (one.seed_a, one.seed_b)
                 if seed is not None}
        if more := sorted(there.difference(self.ladder.seeds)):
            every = ",".join(map(str, sorted(there.union(self.ladder.seeds))))
            raise ConfigError(f"{self.path} also has matches of seed{'s' * (len(more) > 1)}"
                              f" {', '.join(map(str, more))}, and its tables are of all seeds"
                              f" there; give --seeds {every}, or choose another folder")

    # -- the folder

    @property
    def _cast(self) -> None:
        """None: its players are runs in the folder itself."""

    @property
    def _keeps(self) -> bool:
        return (self.path / PLAYERS).exists()

    @classmethod
    def read_plan(cls, path: Path) -> tuple[dict[str, Any], Ladder]:
        """Read what a folder says of its ladder, and its plan. Raises RunError, ConfigError."""
        about = cls.ABOUT.read(path)
        return about, config.check(Ladder, about.get("ladder") or {}, str(path / LADDER.name))

    @classmethod
    def _lineup_of(cls, path: Path, plan: Ladder, digest: Any) -> Ladder:
        """Return the ladder itself, which names all that play."""
        return plan

    def _take(self, about: dict[str, Any]) -> None:
        """Take over by which rules matches were played. Raises RunError."""
        self.rules = _rules_there(self.path, about)

    @contextmanager
    def held(self) -> Iterator[Self]:
        """Hold the folder, as of any contest; it may be that of a ladder with fewer seeds."""
        with super().held():
            LADDER.write(self.path, self._about())
            yield self

    def _refuse_other(self, path: Path) -> None:
        """Raise ConfigError or RunError for what is not of this ladder, before anybody learns."""
        if not path.is_dir() or {one.name for one in inside(path)} - {PLAYERS, *FILES}:
            refuse_full(path)
        refuse_other_rules(path, self.rules, fingerprint())
        if (path / PLAYERS).exists() and not (path / PLAYERS).is_dir():
            raise RunError(f"{path / PLAYERS} is a file, but players learn in a folder of that"
                           " name; remove it, or choose another folder")
        for player in self._players:
            if player.path.exists():
                refuse_other(player.path, player.plan)
        for policy in {player.plan.policy for player in self._players if not player.done}:
            method(policy)  # is there PyTorch?

    def _course(self) -> dict[str, Any]:
        """Return all that decides how the games go."""
        return {"engine": fingerprint(), "rules": self.rules}

    def _about(self) -> dict[str, Any]:
        return self._course() | {"ladder": self.ladder.model_dump()}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables that the folder has at the end, by their names."""
        return {"matrix": self.matrix, "steps": self.steps, "others": self.others}

    def _write_tables(self, folder: Path) -> None:
        super()._write_tables(folder)
        drawn = self.picture
        write_whole(folder / "matrix.svg", drawn.svg)
        write_whole(folder / "matrix.png", drawn.png)

    def __repr__(self) -> str:
        decided = self.steps["decided"].value_counts()
        says = ", ".join(f"{decided.get(word, 0)} {word}" for word in ("better", "worse", "open"))
        return f"LadderResult({len(self.ladder.rungs)} rungs in {self.path}; steps: {says})"

    def _repr_html_(self) -> str:
        return str(self.steps.to_html(index=False, float_format="{:.3f}".format))


def _player_path(folder: Path, rung: str, seed: int) -> Path:
    return folder / PLAYERS / f"{rung}-seed-{seed}"


def ladder(source: str | Path, *, seeds: Sequence[int] | None = None,
           games: int | None = None, out: str | Path | None = None, trust: bool = False,
           workers: int | None = None, backend: str | None = None,
           progress: Progress = False) -> LadderResult:
    """Have players learn rung by rung, each with some settings changed, and let all meet.

    Table I of Xiao and others ("Mastering Strategy Card Game (Hearthstone) with Improved
    Techniques", 2023) is the ladder "table-1". source: the name of a ladder, or its path. A
    rung is the one before it with some settings of a learning config changed. For each seed, each
    rung's player learns; then all pairs of players of different rungs play mirrored games, and all
    meet the agents in `against`. seeds, games (of each pair of players): instead of the ladder's.

    out: the folder, by default runs/NAME. A ladder that was stopped continues there with the same
    call, and a finished one with more seeds; players that are finished are kept, also such as
    `learn` made, in OUT/players/RUNG-seed-N, if they learned by the rung's settings. Its tables are
    of all seeds that have matches there, so these must be among `seeds`.
    trust: run the files of Python players (py:FILE.py#NAME) that the ladder names.

    Raises ConfigError, also for a player or matches in `out` that are another ladder's or of
    another seed, and without PyTorch where an end-to-end policy is to learn; AgentError, DeckError,
    RunError, GameError, WorkersError.

    >>> import pathlib
    >>> size = pathlib.Path("mine.yaml").write_text('''
    ... config: osfp-smoke
    ... rungs:
    ...   one: {decks: [mage], periods: 1, rounds: 1, payoff_games: 0, references.games: 2}
    ...   two: {learner.trace: 0.9}
    ... ''')
    >>> hsevo.ladder("mine.yaml", seeds=[1], games=8)
    LadderResult(2 rungs in runs/mine; steps: ... better, ... worse, ... open)
    """
    given = [*seeds] if isinstance(seeds, Sequence) else seeds
    with data(trust):
        return _climb(source, load_ladder(source, {"seeds": given, "games": games}), out,
                      {"workers": workers, "backend": backend}, progress)


def _climb(source: str | Path, plan: Ladder, out: str | Path | None, team: dict[str, Any],
           progress: Progress) -> LadderResult:
    """Learn and play what is missing of a ladder."""
    path, workers = Path(out) if out is not None else ladder_path(source), workers_of(**team)
    players = [_Player(rung, seed, _player_path(path, rung, seed),
                       config.change(settings, {"seed": seed, "workers.count": team["workers"],
                                                "workers.backend": team["backend"]}))
               for seed in plan.seeds for rung, settings in plans_of(plan).items()]
    rules = rules_of(plan, players[0].plan)
    read_decks(rules["decks"], rules["ruleset"])
    for agent in plan.against:
        as_agent(agent)
    found = LadderResult(plan, path, rules, players)
    with found.held(), keeping(lambda: found if found.complete else None):
        for number, player in enumerate(players, start=1):
            if progress is True and not player.done:
                print_line(f"player {number} of {len(players)}: {player.rung}, seed {player.seed}")
            _learn(player, team, progress)
        with playing(found.total, workers, progress, before=found.done) as (executor, meter):
            found.play(executor, meter.advance)
    return found


def _learn(player: _Player, team: dict[str, Any], progress: Progress) -> None:
    """Have a player learn, or go on; one that is finished stays as it is."""
    if not player.path.exists():
        Learned.create(player.plan, player.path, progress=progress).resume(progress=progress)
    elif not player.done:
        Learned(player.path).resume(progress=progress, **team)


def _asked(one: Meeting, rules: dict[str, Any]) -> int:
    """Return how many games of a match are asked for."""
    return int(rules["games_against" if one.seed_b is None else "games"])


def _games(one: Meeting, rules: dict[str, Any]) -> int:
    """Return how many games a match has: whole rounds of all pairs of decks from both seats."""
    each = 2 * len(rules["decks"])**2
    return each * ceil(_asked(one, rules) / each)
