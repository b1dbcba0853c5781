"""Ladders: players that learn with one setting changed after another, and then all meet.

    configs/ladders/NAME.yaml --load_ladder()--> Ladder --plans_of()--> a Plan for each rung
    hsevo.ladder() --> LadderResult, a contest: its folder has the players and pairs.csv
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, NoReturn

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
    """Read a ladder: a path, or a name in configs/ladders, here or shipped.

    The ladder.yaml of a ladder's folder works as well. changes: keys with other values. Raises
    ConfigError.
    """
    path, tree = _read(source)
    if "rungs" not in tree:
        raise ConfigError(f"{path} is not an ablation: it has no rungs (its steps)")
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
    plans: dict[str, Plan] = {}
    for rung, settings in ladder.rungs.items():
        where = f"rungs.{rung}"
        before, plan = plan, config.replaced(plan, settings, where)
        try:
            refuse_unused(plan)
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from None
        if plan == before and plans:
            raise ConfigError(f"{where} changes nothing: it equals the previous rung")
        plans[rung] = plan
    return plans


def rules_of(ladder: Ladder, first: Plan) -> dict[str, Any]:
    """Return by which rules matches are played; first: the plan of the first rung.

    Raises ConfigError if nobody says with which decks.
    """
    decks = ladder.decks or [*first.deck_names]
    if not decks:
        raise ConfigError(f"the config {ladder.config} draws its decks, so the ladder must name the"
                          " decks of its matches, for example decks: [mage, shaman, warrior]")
    return {"decks": decks, "ruleset": first.ruleset, "max_turns": first.max_turns,
            **{key: getattr(ladder, key) for key in MATCHES}}


def refuse_other(path: Path, plan: Plan) -> None:
    """Raise ConfigError unless a run learns, or learned, by this plan; RunError if it is none.

    Where it is, and how its games run in parallel, may differ.
    """
    there = LearningRun(path).plan
    own = {*RUNS_OWN} - {"seed"}
    ours, theirs = (dict(_flat(learning_plan.model_dump(mode="json", by_alias=True, exclude=own)))
                    for learning_plan in (plan, there))
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
        raise RunError(f"{folder} has matches of another engine version, whose games may differ;"
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
        raise RunError(f"{folder / LADDER.name} is damaged: it does not name the rules of its"
                       " matches")
    return known


def _read(source: str | Path) -> tuple[Path, dict[str, Any]]:
    path = config.find(str(source), "configs/ladders")
    tree = config.parse(config.read_text(path), str(path))
    played = tree.get("kind") == LADDER.kind and isinstance(tree.get("ladder"), dict)
    return path, tree["ladder"] if played else tree


def _beside(path: Path, tree: dict[str, Any]) -> dict[str, Any]:
    """Return a ladder whose config, decks and agents are also found next to it, at `path`."""
    copy = dict(tree)
    if "config" in tree:
        copy["config"] = yaml_beside(path, tree["config"])
    for key, beside in (("decks", config.beside), ("against", agent_beside)):
        if isinstance(tree.get(key), list):
            copy[key] = [beside(path, entry) for entry in tree[key]]
    return copy


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
    """Hold the matches of an ablation (a ladder) so far.

    Parameters
    ----------
    ladder : Ladder
        The plan.
    path : Path
        Folder of the tables.
    rules : dict, optional
        Rules of the matches.
    players : sequence, optional
        Runs of its players, if they learn here.

    Examples
    --------
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
    GROWS = True  # more seeds
    path: Path
    rows: list[dict[Any, Any]]  # of pairs.csv

    def __init__(self, ladder: Ladder, path: Path, rules: dict[str, Any] | None = None,
                 players: Sequence[_Player] = ()) -> None:
        self.rules, self._players = rules or {}, players
        super().__init__(ladder, path)

    @property
    def ladder(self) -> Ladder:
        """The plan."""
        plan: Ladder = self.lineup
        return plan

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the steps."""
        return tuple(self.ladder.rungs)

    @property
    def pairs(self) -> pd.DataFrame:
        """One row for each match.

        Columns rung_a, seed_a, rung_b, seed_b (NaN if rung_b is an agent and not a step), games,
        wins_a, draws, wins_b, rate (of a, 0 to 1, with draws as half wins), low, high (95 %
        interval), seed (of the match), agents (fingerprint of players and decks).
        """
        return pd.DataFrame(self.rows, columns=[*PAIRS])

    @property
    def games(self) -> pd.DataFrame:
        """The matches, as in `pairs`. A ladder stores no single games."""
        return self.pairs

    @property
    def done(self) -> int:
        """Number of games played."""
        return sum(int(row["games"]) for row in self._met.values())

    @property
    def total(self) -> int:
        """Number of games to play."""
        return self.done + sum(_games(meeting, self.rules) for meeting in self._missing)

    @property
    def finished(self) -> bool:
        """Whether all matches were played."""
        return not self._missing

    @property
    def left(self) -> Array:
        """Remaining games, match.PAIRING."""
        with self._as_data():
            rows = [schedule(self._lineup(meeting, self._specs)) for meeting in self._missing]
        return np.concatenate(rows) if rows else np.zeros(0, PAIRING)

    @property
    def _met(self) -> dict[Meeting, dict[Any, Any]]:
        """The rows of the matches that are of this ladder."""
        there = {Meeting.of(row): row for row in self.rows}
        return {meeting: there[meeting] for meeting in tables.meetings(self.ladder)
                if meeting in there}

    @property
    def _missing(self) -> list[Meeting]:
        met = self._met
        return [meeting for meeting in tables.meetings(self.ladder) if meeting not in met]

    @property
    def _specs(self) -> dict[tuple[str, int], str]:
        """The specs of the players, by rung and seed."""
        return {(rung, seed): str(Learned(_player_path(self.path, rung, seed)).agent(
            temperature=self.ladder.temperature).spec)
            for rung in self.ladder.rungs for seed in self.ladder.seeds}

    @property
    def matrix(self) -> pd.DataFrame:
        """Each step against each other step.

        Columns row, column, rate (of the row), low, high, published. Intervals are over seeds. With
        one seed, they are of the games alone.
        """
        return tables.matrix(self.ladder, self.pairs)

    @property
    def steps(self) -> pd.DataFrame:
        """Each step against the previous step.

        Columns rung, before, changes, rate, low, high, published, decided ("better", "worse" or
        "open": the interval is above, below or around one half).
        """
        return tables.steps(self.ladder, self.pairs)

    @property
    def others(self) -> pd.DataFrame:
        """Each step against other agents: columns rung, against, rate, low, high."""
        return tables.others(self.ladder, self.pairs)

    @property
    def picture(self) -> Picture:
        """The matrix next to the published matrix, as `svg` and `png`: bytes of files."""
        return tables.draw(self.matrix, self.path.name)

    def _play(self, executor: Executor, on_games: OnGames) -> None:
        """Play the matches that are missing. Raises RunError if others played those there."""
        specs = self._specs
        for meeting, row in self._met.items():
            if row["agents"] != self._lineup(meeting, specs).digest:
                raise RunError(f"{self.path / self.ROWS} has games of {meeting} with other players"
                               " or decks; choose another folder")
        for meeting in self._missing:
            match = Match(self._lineup(meeting, specs)).play(executor, on_games)
            refuse_faults(match.results, match.rows["seed"])
            self._add(meeting, match)

    def _add(self, of: Meeting, match: Match) -> None:
        rate = match.rate
        values = (*of, match.played, match.wins, match.draws, match.losses, rate.value, rate.low,
                  rate.high, of.seed(self.rules["match_seed"]), match.lineup.digest)
        row = dict(zip(PAIRS, values, strict=True))
        if self._journal is not None:
            line = pd.DataFrame([row]).to_csv(index=False, header=not self.rows)
            self._journal.append(line.encode())
        self.rows.append(row)

    def _lineup(self, meeting: Meeting, specs: Mapping[tuple[str, int], str]) -> Lineup:
        """Return the line-up of a match. specs: of the players, by rung and seed."""
        a, rules = specs[meeting.rung_a, meeting.seed_a], self.rules
        b = meeting.rung_b if meeting.seed_b is None else specs[meeting.rung_b, meeting.seed_b]
        return lineup_of([a, b], (), rules["decks"], games=_asked(meeting, rules),
                         seed=meeting.seed(rules["match_seed"]), ruleset=rules["ruleset"],
                         max_turns=rules["max_turns"], information="fair")

    def _clear(self) -> None:
        self.rows = []

    def _parse(self, journal: Journal) -> None:
        """Take over the matches of a folder. Raises RunError, and ConfigError for other seeds."""
        self.rows = read_table(journal.path, PAIRS, WORDS, GAPS,
                               data=journal.data).to_dict("records")
        there = {seed for meeting in map(Meeting.of, self.rows)
                 for seed in (meeting.seed_a, meeting.seed_b) if seed is not None}
        if more := sorted(there.difference(self.ladder.seeds)):
            every = ",".join(map(str, sorted(there.union(self.ladder.seeds))))
            raise ConfigError(f"{self.path} also has matches of seed{'s' * (len(more) > 1)}"
                              f" {', '.join(map(str, more))}, and its tables include all seeds in"
                              f" the folder; give --seeds {every}, or choose another folder")

    # -- the folder

    @property
    def _cast(self) -> None:
        """None: its players are runs in the folder itself."""

    @property
    def _keeps(self) -> bool:
        return (self.path / PLAYERS).exists()

    @classmethod
    def read_plan(cls, path: Path) -> tuple[dict[str, Any], Ladder]:
        """Read the description of a ladder and its plan from a folder.

        Parameters
        ----------
        path : Path
            Path of the folder.

        Returns
        -------
        tuple of dict and Ladder
            The description and the plan.

        Raises
        ------
        RunError
            If the folder has no ladder, or is damaged.
        ConfigError
            If the plan is damaged.
        """
        about = cls.ABOUT.read(path)
        return about, config.check(Ladder, about.get("ladder") or {}, str(path / LADDER.name))

    @classmethod
    def _lineup_of(cls, path: Path, plan: Ladder, digest: Any) -> Ladder:
        """Return the ladder itself, which names all that play."""
        return plan

    def _take(self, about: dict[str, Any]) -> None:
        """Take over by which rules matches were played. Raises RunError."""
        self.rules = _rules_there(self.path, about)

    def _refuse_other(self, path: Path) -> None:
        """Raise ConfigError or RunError for content of another ladder, before training."""
        if not path.is_dir() or {file.name for file in inside(path)} - {PLAYERS, *FILES}:
            refuse_full(path)
        refuse_other_rules(path, self.rules, fingerprint())
        if (path / PLAYERS).exists() and not (path / PLAYERS).is_dir():
            raise RunError(f"{path / PLAYERS} is a file, but players need a folder with this name;"
                           " remove the file, or choose another folder")
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
        """Return the tables of the finished folder, by name.

        Returns
        -------
        dict of str to pandas.DataFrame
            The tables.
        """
        return {"matrix": self.matrix, "steps": self.steps, "others": self.others}

    def _write_tables(self, folder: Path) -> None:
        super()._write_tables(folder)
        drawn = self.picture
        write_whole(folder / "matrix.svg", drawn.svg)
        write_whole(folder / "matrix.png", drawn.png)

    def save(self, path: str | Path) -> NoReturn:
        """Raise an error: the players are runs in the ladder's own folder.

        Parameters
        ----------
        path : str or Path
            Ignored.

        Raises
        ------
        ConfigError
            Always.
        """
        raise ConfigError("a ladder can't be saved in another folder, because its players are in"
                          f" {self.path}")

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
    """Train players step by step, each with some settings changed, and compare all of them.

    Each step of a ladder is the previous step with some settings of a learning config changed. For
    each seed, the player of each step learns. Then all pairs of players of different steps play
    mirrored games, and all players meet the agents in `against`. Table I of Xiao et al. (2023) is
    the ladder "table-1".

    Parameters
    ----------
    source : str or Path
        Name of a ladder, or the path of its file.
    seeds : sequence of int, optional
        Seeds of the players. Default: as in the ladder. All seeds with matches in the folder must
        be among them.
    games : int, optional
        Games of each pair of players. Default: as in the ladder.
    out : str or Path, optional
        Folder. Default: runs/NAME. Repeat the call to continue a stopped ladder, or to add seeds to
        a finished ladder. Finished players are reused, also players of `hsevo.learn` in
        OUT/players/RUNG-seed-N, if they learned with the settings of the step.
    trust : bool, default False
        Run the files of Python players (``py:FILE.py#NAME``) that the ladder names.
    workers : int, optional
        Number of workers. Default: one per core.
    backend : {"threads", "loky", "dask", "serial"}, optional
        How games run in parallel. It does not change results.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.

    Returns
    -------
    LadderResult
        Tables and picture.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.
    ConfigError
        If an argument is invalid, a player or matches in `out` belong to another ladder or seed, or
        an end-to-end policy is to learn without PyTorch.

    References
    ----------
    Xiao, C. et al. (2023). Mastering Strategy Card Game (Hearthstone) with Improved Techniques.

    Examples
    --------
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
    listed_seeds = [*seeds] if isinstance(seeds, Sequence) else seeds
    with data(trust):
        return _climb(source, load_ladder(source, {"seeds": listed_seeds, "games": games}), out,
                      {"workers": workers, "backend": backend}, progress)


def _climb(source: str | Path, plan: Ladder, out: str | Path | None, workers_fields: dict[str, Any],
           progress: Progress) -> LadderResult:
    """Train and play the missing part of a ladder."""
    path, workers = (Path(out) if out is not None else ladder_path(source),
                     workers_of(**workers_fields))
    players = [_Player(rung, seed, _player_path(path, rung, seed),
                       config.change(settings, {"seed": seed,
                                                "workers.count": workers_fields["workers"],
                                                "workers.backend": workers_fields["backend"]}))
               for seed in plan.seeds for rung, settings in plans_of(plan).items()]
    rules = rules_of(plan, players[0].plan)
    read_decks(rules["decks"], rules["ruleset"])
    for agent in plan.against:
        as_agent(agent)
    result = LadderResult(plan, path, rules, players)
    with result.held(), keeping(lambda: result if result.complete else None):
        for number, player in enumerate(players, start=1):
            if progress is True and not player.done:
                print_line(f"player {number} of {len(players)}: {player.rung}, seed {player.seed}")
            _learn(player, workers_fields, progress)
        with playing(result.total, workers, progress, before=result.done) as (executor, meter):
            result.play(executor, meter.advance)
    return result


def _learn(player: _Player, workers_fields: dict[str, Any], progress: Progress) -> None:
    """Let a player learn, or continue; one that is finished stays as it is."""
    if not player.path.exists():
        Learned.create(player.plan, player.path, progress=progress).resume(progress=progress)
    elif not player.done:
        Learned(player.path).resume(progress=progress, **workers_fields)


def _asked(meeting: Meeting, rules: dict[str, Any]) -> int:
    """Return the requested number of games of a match."""
    return int(rules["games_against" if meeting.seed_b is None else "games"])


def _games(meeting: Meeting, rules: dict[str, Any]) -> int:
    """Return the number of games of a match: whole rounds of all pairs of decks and seats."""
    each = 2 * len(rules["decks"])**2
    return each * ceil(_asked(meeting, rules) / each)
