"""Ladders: read, checked, and resolved into the learning configs of their rungs.

    configs/ladders/NAME.yaml --load_ladder()--> Ladder --plans_of()--> a Plan for each rung
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pandas as pd

from hsevo import config
from hsevo.cards.decks import read_decks
from hsevo.config.ladder import RUNS_OWN, Ladder
from hsevo.config.learning import Plan
from hsevo.config.named import agent_beside, yaml_beside
from hsevo.engine.jit import fingerprint
from hsevo.errors import ConfigError, RunError
from hsevo.experiments.playing import Progress, keeping, playing, print_line, workers_of
from hsevo.files import claimed, inside, marked, read_table, refuse_full, write_whole
from hsevo.learning.folder import LearningRun, method
from hsevo.learning.plan import refuse_unused
from hsevo.learning.run import Learned
from hsevo.objects import Fields
from hsevo.pictures import Picture
from hsevo.play.tournament import refuse_faults, write_table
from hsevo.store.journal import Journal
from hsevo.store.kinds import About
from hsevo.strength import ladders as tables
from hsevo.strength.agents import as_agent
from hsevo.strength.arena import Lineup
from hsevo.strength.comparing import lineup_of
from hsevo.strength.ladders import PAIRS, Meeting
from hsevo.strength.matches import Match
from hsevo.trust import data

MATCHES = ("games", "games_against", "match_seed", "temperature")  # keys that matches depend on
ABOUT = About("ladder.yaml", "hsevo ladder")


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
    if path.name == ABOUT.name and (path.parent / "players").is_dir():
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
    about = ABOUT.read(folder)
    if about.get("engine") != engine:
        raise RunError(f"{folder} has matches of another engine, and this one's games may differ;"
                       " choose another folder, or install the version that played them")
    known = about.get("rules")
    if not isinstance(known, dict):
        raise RunError(f"{folder / ABOUT.name} is damaged: it does not say by which rules its"
                       " matches were played")
    for key, value in rules.items():
        if known.get(key) != value:
            raise ConfigError(f"{folder} has matches with {key} {config.short(known.get(key))}, but"
                              f" the ladder says {config.short(value)}; choose another folder")


def _read(source: str | Path) -> tuple[Path, dict[str, Any]]:
    path = config.find(str(source), "configs/ladders")
    tree = config.parse(config.read_text(path), str(path))
    played = tree.get("kind") == ABOUT.kind and isinstance(tree.get("ladder"), dict)
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


LADDER, PLAYERS = "hsevo ladder", "players"  # what fills the folder; where its players are
WORDS, GAPS = ("rung_a", "rung_b", "agents"), ("seed_b",)  # columns of PAIRS
FILES = ("matrix.csv", "steps.csv", "others.csv", "matrix.svg", "matrix.png", ABOUT.name,
         "pairs.csv", "pairs.sha256")


@dataclass(frozen=True)
class LadderResult:
    """What the matches of a ladder say; `path` is its folder, which has the same tables.

    ladder: the ladder. pairs: a row a match, from the view of a: columns rung_a, seed_a, rung_b,
    seed_b (NaN if rung_b is an agent and no rung), games, wins_a, draws, wins_b, rate (0 to 1,
    draws count half) with the ends low and high of its 95 % interval, seed (of the match), agents
    (a fingerprint of who played, and of the decks).

    >>> found = hsevo.ladder("ladder-smoke")
    >>> found.steps[["rung", "before", "changes"]].values.tolist()
    [['trace', 'short', 'learner.trace=0.9']]
    >>> len(found.pairs), len(found.matrix)
    (8, 2)
    """

    FIELDS: ClassVar[Fields] = {
        "path": "path", "plan": lambda self: self.ladder.model_dump(), "matrix": "matrix",
        "steps": "steps", "others": "others", "matches": "pairs"}

    ladder: Ladder
    pairs: pd.DataFrame
    path: Path

    @cached_property
    def matrix(self) -> pd.DataFrame:
        """Each rung against each other: columns row, column, rate (that the row won), low, high,
        published. Intervals are over seeds; with one seed, of the games alone."""
        return tables.matrix(self.ladder, self.pairs)

    @cached_property
    def steps(self) -> pd.DataFrame:
        """Each rung against the one before: columns rung, before, changes, rate, low, high,
        published, decided ("better", "worse" or "open": its interval is above, below or around
        one half)."""
        return tables.steps(self.ladder, self.pairs)

    @cached_property
    def others(self) -> pd.DataFrame:
        """Each rung against other agents: columns rung, against, rate, low, high."""
        return tables.others(self.ladder, self.pairs)

    @property
    def picture(self) -> Picture:
        """The matrix beside the published one, as `svg` and `png`: bytes of files."""
        return tables.draw(self.matrix, self.path.name)

    def __repr__(self) -> str:
        decided = self.steps["decided"].value_counts()
        says = ", ".join(f"{decided.get(word, 0)} {word}" for word in ("better", "worse", "open"))
        return f"LadderResult({len(self.ladder.rungs)} rungs in {self.path}; steps: {says})"

    def _repr_html_(self) -> str:
        return str(self.steps.to_html(index=False, float_format="{:.3f}".format))


class _Player(NamedTuple):
    rung: str
    seed: int
    path: Path
    plan: Plan

    @property
    def done(self) -> bool:
        return self.path.exists() and Learned(self.path).done


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
        return _climb(source, load_ladder(source, {"seeds": given, "games": games}), out, workers,
                      backend, progress)


def _climb(source: str | Path, plan: Ladder, out: str | Path | None, workers: int | None,
           backend: str | None, progress: Progress) -> LadderResult:
    """Learn and play what is missing of a ladder."""
    path, team = Path(out) if out is not None else ladder_path(source), workers_of(workers, backend)
    players = [_Player(rung, seed, path / PLAYERS / f"{rung}-seed-{seed}",
                       config.change(settings, {"seed": seed, "workers.count": workers,
                                                "workers.backend": backend}))
               for seed in plan.seeds for rung, settings in plans_of(plan).items()]
    rules = rules_of(plan, players[0].plan)
    read_decks(rules["decks"], rules["ruleset"])
    for agent in plan.against:
        as_agent(agent)
    with claimed(path, LADDER, _refuse_foreign):
        _check(path, players, rules)
        matches = _Matches(path, plan)
        with marked(path, LADDER):
            ABOUT.write(path, {"engine": fingerprint(), "rules": rules,
                               "ladder": plan.model_dump()})
            with keeping(lambda: matches.result if matches.rows else None):
                for number, player in enumerate(players, start=1):
                    if progress is True and not player.done:
                        print_line(f"player {number} of {len(players)}: {player.rung}, seed"
                                   f" {player.seed}")
                    _learn(player, workers, backend, progress)
                specs = {(one.rung, one.seed): str(Learned(one.path).agent(
                    temperature=plan.temperature).spec) for one in players}
                matches.play(specs, rules, team, progress)
                _write(matches.result)
    return matches.result


def _check(path: Path, players: Sequence[_Player], rules: dict[str, Any]) -> None:
    """Raise ConfigError or RunError before anything is learned that what is there does not fit."""
    refuse_other_rules(path, rules, fingerprint())
    if (path / PLAYERS).exists() and not (path / PLAYERS).is_dir():
        raise RunError(f"{path / PLAYERS} is a file, but players learn in a folder of that name;"
                       " remove it, or choose another folder")
    for player in players:
        if player.path.exists():
            refuse_other(player.path, player.plan)
    for policy in {player.plan.policy for player in players if not player.done}:
        method(policy)  # is there PyTorch?


def _refuse_foreign(folder: Path) -> None:
    """Raise RunError unless a folder is empty, or holds nothing but what a ladder has."""
    if not folder.is_dir() or {one.name for one in inside(folder)} - {PLAYERS, *FILES}:
        refuse_full(folder)


def _learn(player: _Player, workers: int | None, backend: str | None, progress: Progress) -> None:
    """Have a player learn, or go on; one that is finished stays as it is."""
    if not player.path.exists():
        Learned.create(player.plan, player.path, progress=progress).resume(progress=progress)
    elif not player.done:
        Learned(player.path).resume(workers=workers, backend=backend, progress=progress)


class _Matches:
    """All matches of a ladder, kept in a file, so that a stopped ladder goes on."""

    def __init__(self, path: Path, ladder: Ladder) -> None:
        self.path, self.ladder = path, ladder
        self._journal = Journal(path / "pairs.csv")
        self.rows: list[dict[Any, Any]] = []
        if self._journal.read():
            self.rows = read_table(self._journal.path, PAIRS, WORDS, GAPS).to_dict("records")
        self._refuse_fewer_seeds()

    def _refuse_fewer_seeds(self) -> None:
        """Raise ConfigError if there are matches of seeds that the ladder has not."""
        there = {seed for one in map(Meeting.of, self.rows) for seed in (one.seed_a, one.seed_b)
                 if seed is not None}
        if more := sorted(there.difference(self.ladder.seeds)):
            every = ",".join(map(str, sorted(there.union(self.ladder.seeds))))
            raise ConfigError(f"{self.path} also has matches of seed{'s' * (len(more) > 1)}"
                              f" {', '.join(map(str, more))}, and its tables are of all seeds"
                              f" there; give --seeds {every}, or choose another folder")

    @property
    def result(self) -> LadderResult:
        """What is known so far."""
        return LadderResult(self.ladder, pd.DataFrame(self.rows, columns=[*PAIRS]), self.path)

    def play(self, specs: dict[tuple[str, int], str], rules: dict[str, Any], team: config.Workers,
             progress: Progress) -> None:
        """Play the matches that are missing. specs: of the players, by rung and seed."""
        of = [*tables.meetings(self.ladder)]
        there = tables.known(self.result.pairs)
        left = [one for one in of if one not in there]
        total, todo = (sum(_games(one, rules) for one in some) for some in (of, left))
        known = {Meeting.of(row): row["agents"] for row in self.rows}
        for one in of:
            if one in known and known[one] != _lineup(one, specs, rules).digest:
                raise RunError(f"{self.path / 'pairs.csv'} has games of {one}, where other players"
                               " or decks played; choose another folder")
        with playing(total, team, progress, before=total - todo) as (executor, meter):
            for one in left:
                match = Match(_lineup(one, specs, rules)).play(executor, meter.advance)
                refuse_faults(match.results, match.rows["seed"])
                self._add(one, rules, match)

    def _add(self, of: Meeting, rules: dict[str, Any], match: Match) -> None:
        rate = match.rate
        values = (*of, match.played, match.wins, match.draws, match.losses, rate.value, rate.low,
                  rate.high, of.seed(rules["match_seed"]), match.lineup.digest)
        row = dict(zip(PAIRS, values, strict=True))
        line = pd.DataFrame([row]).to_csv(index=False, header=not self.rows)
        self._journal.append(line.encode())
        self.rows.append(row)


def _lineup(one: Meeting, specs: dict[tuple[str, int], str],
            rules: dict[str, Any]) -> Lineup:
    """Return who plays a match. specs: of the players, by rung and seed."""
    a = specs[one.rung_a, one.seed_a]
    b = one.rung_b if one.seed_b is None else specs[one.rung_b, one.seed_b]
    return lineup_of([a, b], (), rules["decks"], games=_asked(one, rules),
                     seed=one.seed(rules["match_seed"]), ruleset=rules["ruleset"],
                     max_turns=rules["max_turns"], information="fair")


def _asked(one: Meeting, rules: dict[str, Any]) -> int:
    """Return how many games of a match are asked for."""
    return int(rules["games_against" if one.seed_b is None else "games"])


def _games(one: Meeting, rules: dict[str, Any]) -> int:
    """Return how many games a match has: whole rounds of all pairs of decks from both seats."""
    each = 2 * len(rules["decks"])**2
    return each * ceil(_asked(one, rules) / each)


def _write(found: LadderResult) -> None:
    """Write the tables and the picture, each atomically. Raises RunError."""
    for name, table in _tables(found):
        write_table(found.path / f"{name}.csv", table)
    drawn = found.picture
    write_whole(found.path / "matrix.svg", drawn.svg)
    write_whole(found.path / "matrix.png", drawn.png)


def _tables(found: LadderResult) -> Iterator[tuple[str, pd.DataFrame]]:
    yield "matrix", found.matrix
    yield "steps", found.steps
    yield "others", found.others
