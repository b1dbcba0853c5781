"""Files that prove strength by games: entries of a leaderboard, and the champions that are shipped.

    content(panel, record)  -->  FILE  --read()-->  Entry  --pick()-->  games  --refute()-->  ""

    agents/genomes/champions.yaml      weights     --+
    agents/learned/shipped/*.yaml      networks    --+--> champions() --content()--> the file

An entry is a benchmark's claims in one file, which anybody can check by playing. It holds the agent
itself, with all its numbers, and of each of its games against the panel how it ended, one letter
(W, D, L, or F for one that the engine refused), and how many turns it took. The games follow from
the panel and the agent, so that each can be played again; the totals and the rating follow from the
letters. Of a Python player it holds the SHA-256 of its file alone.

The seed is the panel's, and a leaderboard ranks only entries with as many games as the panel's own.
Otherwise an entry could choose the number of games by the rating, and would be rated too high.

Files of champions say what made the agent, and

    sha256   of its file: its weights as Agent.save() writes them (YAML), or its network
    proof    a match: against, decks, games, seed; result: games won, drawn and lost; and the
             sha256 of its games.csv, whose games follow from the seed
"""

from __future__ import annotations

import functools
import os
import shlex
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from hsevo import __version__
from hsevo.agents.genomes import champions as evolved
from hsevo.agents.genomes.weights import format_weights
from hsevo.agents.learned import nets as learned
from hsevo.agents.mcts.named import full_name, is_timed
from hsevo.agents.registry import NET, ROSTER, check_agents
from hsevo.config import in_order, parse, read_text, short, whole
from hsevo.config.entry import EntryFile
from hsevo.config.named import CIG2018
from hsevo.config.reading import check as check_tree
from hsevo.engine.jit import fingerprint
from hsevo.errors import (
    AgentError,
    ConfigError,
    HsevoError,
    RunError,
    brief,
    did_you_mean,
    printable,
    quoted,
)
from hsevo.experiments.playing import Progress, playing, workers_of
from hsevo.files import DAMAGE, check_path, read_bytes, read_json, writing
from hsevo.objects import Fields
from hsevo.play import match
from hsevo.play import players as hosted
from hsevo.play.participants import MOST_BYTES, agent_data, agent_of, deck_data, deck_of
from hsevo.play.python_players import refuse_values
from hsevo.seeds import MOST_SEED, Stream, generator
from hsevo.store import sums
from hsevo.strength import rating
from hsevo.strength.contest import PairedContest
from hsevo.strength.lineup import Lineup, games_table, pentanomials, play, schedule
from hsevo.strength.panel import NEWEST, Panel, joint
from hsevo.strength.rating import Estimate
from hsevo.strength.roster import find_players, names_hosted, read_agent, split_deck
from hsevo.types import Array


@dataclass(frozen=True)
class Proof:
    """A match that was played once, and comes out the same again. sha256: of its games.csv."""

    against: str
    decks: tuple[str, ...]
    games: int
    seed: int
    result: tuple[int, int, int]  # games won, drawn and lost
    sha256: str

    def refute(self, result: tuple[int, int, int], games: pd.DataFrame) -> str:
        """Say how a match that was played again differs; "" if it does not."""
        found = sums.of(games.to_csv(index=False, lineterminator="\n").encode())
        if (result, found) == (self.result, self.sha256):
            return ""
        now, then = (" : ".join(map(str, one)) for one in (result, self.result))
        return f"{now} and games.csv {found}, not {then} and {self.sha256}"


@dataclass(frozen=True)
class ShippedChampion:
    """A champion. sha256: of its file; made: what made it: command, games, version, engine ..."""

    name: str
    says: str
    sha256: str
    made: Mapping[str, str]
    proof: Proof

    @property
    def file(self) -> str:
        """What its file is called: eva-wide-2026.yaml."""
        return f"{self.name.replace(':', '-')}.{'npz' if self.is_learned else 'yaml'}"

    @property
    def is_learned(self) -> bool:
        """Whether its file is a network."""
        return self.name.startswith(f"{NET}:")

    @property
    def command(self) -> str:
        """The command that plays its proof again."""
        one, decks = self.proof, ",".join(self.proof.decks)
        own = "" if one.decks == CIG2018 else f" --decks {decks}"
        return (f"hsevo match {self.name} {one.against} --games {one.games} --seed {one.seed}"
                f"{own}")

    def option(self, name: str) -> str:
        """Return an option of the command that made it, such as config or seed."""
        words = shlex.split(self.made["command"])
        return words[words.index(f"--{name}") + 1]

    def content(self) -> bytes:
        """Return its file. Raises RunError if it is not the one that was proven."""
        if self.is_learned:
            found = read_bytes(learned.FOLDER / f"{self.name.partition(':')[2]}.npz")
        else:
            entry = ROSTER[self.name]
            assert entry.kind.genome is not None
            text = format_weights("yaml", [self.name], entry.weights[None], entry.kind.genome)
            found = text.encode()
        if sums.of(found) != self.sha256:
            raise RunError(f"the file of {self.name} is not the one that was proven: this hsevo was"
                           " changed; install it again")
        return found


@functools.cache
def champions() -> Mapping[str, ShippedChampion]:
    """Return all champions by their names in the roster, those that were evolved first."""
    trees = parse(read_text(evolved.FILE), str(evolved.FILE))
    for name in learned.shipped():
        file = learned.FOLDER / f"{name}.yaml"
        trees[f"{NET}:{name}"] = parse(read_text(file), str(file))
    return {name: _champion(name, tree) for name, tree in trees.items()}


def champion(name: str) -> ShippedChampion:
    """Return a champion by its name. Raises AgentError."""
    found = champions().get(name)
    if found is None:
        raise AgentError(f"{quoted(name)} is no champion{did_you_mean(name, champions())}; there"
                         f" are {', '.join(champions())}")
    return found


def _champion(name: str, tree: Mapping[str, Any]) -> ShippedChampion:
    try:
        made = {key: str(value) for key, value in tree["made"].items()}
        proof = tree["proof"]
        result = proof["won"], proof["drawn"], proof["lost"]
        return ShippedChampion(name, tree["says"], tree["sha256"], made, Proof(
            proof["against"], tuple(proof.get("decks", CIG2018)), proof["games"], proof["seed"],
            result, proof["sha256"]))
    except KeyError as error:
        raise RunError(f"what hsevo knows of {name} is damaged: it lacks {error}; install it"
                       " again") from None


FORMAT, VERSION = "hsevo benchmark entry", 2
LETTERS = "LDWF"
WORDS = ("lost", "drawn", "won", "refused by the engine")
ITSELF, GAMES = "entry", "games.csv"  # whose sums it has
FORGED: tuple[type[Exception], ...] = (*DAMAGE, HsevoError)  # raised by what was changed
MISSED = 0.05  # chance that a sample misses all forged games, at most, to exclude so many
CLOSE = 1e-6  # Elo by which ratings may differ between machines: libraries add in another order


@dataclass(frozen=True)
class Entry:
    """An entry whose claims agree with each other; whether its games do, playing tells.

    ends: how each game of the schedule ended for the agent, (m,): the place in LETTERS. turns: how
    many each took, (m,).
    """

    path: Path
    panel: Panel
    lineup: Lineup
    ends: Array
    turns: Array
    proof: Proof

    @property
    def name(self) -> str:
        """The name of its agent."""
        return self.lineup.names[0]

    @cached_property
    def rows(self) -> Array:
        """Its games, match.PAIRING (m,)."""
        return schedule(self.lineup)

    @property
    def counts(self) -> Array:
        """Its pairs by score against each agent of the panel, (n, 5); one that is in it: zeros."""
        return counts_of(self.panel, self.lineup, self.ends)

    @property
    def rating(self) -> Estimate:
        """Its rating on the panel's scale."""
        return rated(self.panel, self.counts)

    def pick(self, games: int | None, seed: int) -> Array:
        """Return the numbers (k,) of a random sample of at least so many games, in whole pairs.

        None: of all.
        """
        pairs = len(self.rows) // 2
        if games is None or games >= len(self.rows):
            return np.arange(len(self.rows))
        chosen = sorted(generator((seed, 1, Stream.SAMPLE)).sample(range(pairs), -(-games // 2)))
        return np.array([[2 * pair, 2 * pair + 1] for pair in chosen]).ravel()

    @property
    def unranked(self) -> str:
        """Why it has no place on a leaderboard; "" if it has one."""
        return unranked(self.panel, self.lineup.plan.games)

    def most_forged(self, played: int) -> int:
        """Return the most games that may be forged although so many of a sample were not, at 95 %.

        played: games, in whole pairs, drawn by chance. With one pair more forged, such a sample
        would have met one more often than 19 times in 20 (hypergeometric).
        """
        from scipy.stats import hypergeom  # half a second to import

        pairs = len(self.rows) // 2
        missed = hypergeom.pmf(0, pairs, np.arange(pairs + 1), played // 2)
        return 2 * int(np.flatnonzero(missed >= MISSED)[-1])

    def refute(self, picked: Array, results: Array, moves: tuple[str, ...] = ()) -> str:
        """Say which of its games went otherwise when they were played again; "" if none did.

        picked: their numbers. results: match.RESULT (k,). moves: as of lineup.games_table.
        """
        rows = self.rows[picked]
        found, turns = ends_of(rows, results), results["turns"]
        wrong = np.flatnonzero((found != self.ends[picked]) | (turns != self.turns[picked]))
        if len(wrong):
            one = wrong[0]
            how = [_course(ends[one], took[one]) for ends, took in (
                (found, turns), (self.ends[picked], self.turns[picked]))]
            return (f"{len(wrong):,} of {len(picked):,} games came out otherwise; the first,"
                    f" {self._game(picked[one])} was {how[0]}, not {how[1]}")
        if len(picked) < len(self.rows):
            return ""
        sum_ = _sum(games_table(rows, results, self.lineup, 0, moves))
        return "" if sum_ == self.proof.sha256 else (
            "all games ended as claimed, after as many turns, but in some other moves were made:"
            f" the SHA-256 of games.csv is {sum_}, not {self.proof.sha256}")

    def _game(self, number: int) -> str:
        """Say which game one is."""
        row, decks = self.rows[number], [deck.name for deck in self.lineup.decks]
        other = self.lineup.names[max(int(row["a"]), int(row["b"]))]
        return (f"game {int(number):,} (seed {row['seed']}, {decks[row['deck_a']]} against"
                f" {decks[row['deck_b']]}, with {other})")


def _course(end: int, turns: int) -> str:
    return f"{WORDS[end]} after {turns:,} turns"


def unranked(panel: Panel, games: int) -> str:
    """Say why an entry of so many games an opponent has no place on a leaderboard; "" if it has."""
    if games == panel.plan.games:
        return ""
    return (f"it has {games:,} games with each agent, and a leaderboard of {panel.name} ranks"
            f" entries of {panel.plan.games:,}, so that nobody chooses their number by the rating;"
            " submit one without --games")


def refuse_old(path: Path) -> None:
    """Raise RunError unless a new file can be written there."""
    check_path(path)
    with writing(path):
        if path.exists() or path.is_symlink():
            raise RunError(f"{path} already exists; choose another file for the entry")
        if not path.parent.is_dir():
            raise RunError(f"cannot write {path}: there is no folder {path.parent}")


def content(panel: Panel, record: PairedContest) -> bytes:
    """Return the file of a benchmark that is finished. Raises AgentError if it can't be checked."""
    lineup, player = record.lineup, record.lineup.players[0]
    name, ends = lineup.names[0], ends_of(record.rows, record.results)
    refuse_unrepeatable(name, lineup.players[:1])
    games = games_table(record.rows, record.results, lineup, 0, record.moves)
    own = [lineup.decks[k] for k in lineup.decks_of(0)] if name in lineup.plan.own else []
    with_each = {other: _with(record.rows, k) for k, other in enumerate(lineup.names) if k}
    tree = {
        "format": FORMAT, "version": VERSION, "hsevo": __version__, "engine": fingerprint(),
        "panel": panel.name, "agent": name, "games": lineup.plan.games, "seed": lineup.plan.seed,
        "decks": [*lineup.plan.decks], "own": deck_data(own[0]) if own else None,
        "agents and decks": lineup.digest, **_totals(ends),
        "rating": asdict(rated(panel, counts_of(panel, lineup, ends))),
        "results": {other: "".join(LETTERS[end] for end in ends[where])
                    for other, where in with_each.items()},
        "turns": {other: record.results["turns"][where].tolist()
                  for other, where in with_each.items()},
        "player": agent_data(player)}
    return sums.sign(tree, ITSELF, {GAMES: _sum(games)}) + b"\n"


def refuse_unrepeatable(name: str, player: Array) -> None:
    """Raise AgentError for an agent, AGENT (...), whose games can't be played again."""
    refuse_values(player)
    if any(is_timed(one) for one in player.ravel()):
        raise AgentError(f"{name} thinks by the clock, so its games can't be played again, and an"
                         " entry of it not be checked; give it iterations instead of seconds")


def read(path: Path) -> Entry:
    """Read an entry, and check that its claims agree with each other and with this hsevo.

    Raises RunError in one line if they do not.
    """
    if os.path.isdir(path):  # as "" is
        raise RunError(f"{path} is a folder, and an entry is a file, as hsevo benchmark --submit"
                       " writes it")
    try:
        tree = read_json(path, MOST_BYTES, what="damaged, or was changed")
        if not isinstance(tree, dict) or tree.get("format") != FORMAT:
            raise RunError(f"{path} is not an entry of hsevo benchmark --submit")
        if tree["version"] != VERSION:
            raise RunError(f"{path} has version {brief(tree['version'])}, but this hsevo reads"
                           f" version {VERSION}")
        others = sums.check(tree, ITSELF)
        return _entry(path, check_tree(EntryFile, tree, ITSELF), tree["player"], others[GAMES])
    except RunError:
        raise
    except FORGED as error:
        raise RunError(f"{path} is damaged, or was changed: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    text = printable(str(error).split("\n")[0].removeprefix(f"{ITSELF}: "))
    return text if isinstance(error, HsevoError) or text == sums.DIFFERS else (
        f"{type(error).__name__}: {text}")


def _entry(path: Path, file: EntryFile, agent: Mapping[str, Any], games: str) -> Entry:
    """Return the entry of a file's data; raise RunError for a claim that does not hold."""
    if file.engine != fingerprint():
        raise RunError(f"{path} was played by the engine {brief(file.engine)} of hsevo"
                       f" {brief(file.hsevo)}, and this is {fingerprint()}: its games can't be"
                       " played again here")
    panel, player = Panel.read(file.panel), agent_of(agent)
    check_agents(player.ravel())
    _refuse_borrowed(path, file, player)
    own = deck_of(file.own.model_dump()) if file.own is not None else None
    lineup = panel.lineup(file.agent, file.games, player, own)
    for what, claimed, now in (("agents and decks", file.digest, lineup.digest),
                               ("seed", file.seed, lineup.plan.seed),
                               ("decks", [*file.decks], [*lineup.plan.decks])):
        if claimed != now:
            raise RunError(f"{path} claims {what} {brief(claimed)}, but has {brief(now)}")
    ends, turns = _ends(lineup, file.results), _by_game(lineup, file.turns, "numbers of turns")
    _check_totals(path, file, ends, rated(panel, counts_of(panel, lineup, ends)))
    return Entry(path, panel, lineup, ends, turns, Proof(
        panel.name, tuple(lineup.plan.decks), lineup.plan.games, lineup.plan.seed,
        (file.won, file.drawn, file.lost), games))


def _refuse_borrowed(path: Path, file: EntryFile, player: Array) -> None:
    """Raise RunError if an entry has no name, or that of another agent or kind of agent."""
    names = f"{path} names {brief(file.agent)}"
    spec, deck = split_deck(file.agent)
    if not file.agent or file.agent != file.agent.strip():
        raise RunError(f"{names}, but a name has no blanks around it")
    if names_hosted(spec) != hosted.among(player):
        raise RunError(f"{names}, but its agent is {'no' if names_hosted(spec) else 'a'} Python"
                       " player or end-to-end policy")
    spec = full_name(spec.strip()).casefold()
    if spec.partition("?")[0] not in ROSTER:
        return
    known = read_agent(spec).tobytes()
    if any(one.tobytes() != known for one in player.ravel()):
        raise RunError(f"{names}, but its numbers are not those of that agent")
    if (deck is None) != (file.own is None):
        raise RunError(f"{names}, but has {'no' if file.own is None else 'a'} deck of its own")


def _check_totals(path: Path, file: EntryFile, ends: Array, found: Estimate) -> None:
    """Raise RunError unless totals and rating are those of the results."""
    for what, number in _totals(ends).items():
        if getattr(file, what) != number:
            raise RunError(f"{path} claims {brief(getattr(file, what))} games {what}, but its"
                           f" results add up to {number:,}")
    claimed = Estimate(file.rating.value, file.rating.low, file.rating.high)
    if not np.allclose(astuple(claimed), astuple(found), rtol=0, atol=CLOSE):
        raise RunError(f"{path} claims a rating of {claimed} Elo, but that of its results is"
                       f" {found}")


def _totals(ends: Array) -> dict[str, int]:
    lost, drawn, won, refused = np.bincount(ends, minlength=4).tolist()
    return {"won": won, "drawn": drawn, "lost": lost, "refused": refused}


def _ends(lineup: Lineup, results: Mapping[str, str]) -> Array:
    """Return how each game ended, from the letters by opponent. Raises ValueError."""
    what = f"letters of {LETTERS}"
    if not {*"".join(results.values())} <= {*LETTERS}:
        raise ValueError(f"its results are not {what}")
    return _by_game(lineup, {name: [LETTERS.index(one) for one in letters]
                             for name, letters in results.items()}, what)


def _by_game(lineup: Lineup, numbers: Mapping[str, Sequence[int]], what: str) -> Array:
    """Return a number of each game, (m,), from those by opponent. Raises ValueError."""
    if [*numbers] != [*lineup.names[1:]]:
        raise ValueError("its opponents are not those of the panel")
    rows = schedule(lineup)
    found = np.zeros(len(rows), np.int64)
    for k, those in enumerate(numbers.values(), start=1):
        where = _with(rows, k)
        if len(those) != where.sum():
            raise ValueError(f"what it says of games with {lineup.names[k]} are not"
                             f" {where.sum():,} {what}")
        found[where] = those
    return found


def _with(rows: Array, opponent: int) -> Array:
    """Return which games are with an opponent, bool (m,)."""
    return np.asarray((rows["a"] == opponent) | (rows["b"] == opponent))


def ends_of(rows: Array, results: Array) -> Array:
    """Return how games ended for agent 0, the place in LETTERS, (m,)."""
    first = rows["a"] == 0
    won = np.where(first, results["wins_a"], results["wins_b"])
    return np.asarray(np.where(results["faults"], 3, 2 * won + results["draws"]), np.int64)


def counts_of(panel: Panel, lineup: Lineup, ends: Array) -> Array:
    """Return the agent's pairs by score against each agent of the panel, (n, 5)."""
    rows = schedule(lineup)
    results = np.zeros(len(rows), match.RESULT)
    first = rows["a"] == 0
    results["wins_a"] = np.where(first, ends == 2, ends == 0)
    results["wins_b"] = np.where(first, ends == 0, ends == 2)
    results["draws"], results["faults"] = ends == 1, ends == 3
    found = pentanomials(rows, results, len(lineup.names))[0]
    counts = np.zeros((len(panel.plan.agents), 5), np.int64)
    for name, row in zip(lineup.names[1:], found[1:], strict=True):
        counts[panel.plan.agents.index(name)] = row
    return counts


def rated(panel: Panel, counts: Array) -> Estimate:
    """Return the rating of an agent by its pairs with the panel, (n, 5)."""
    values, spread = joint(panel, [counts])
    low, high = rating.intervals(values, spread)
    return Estimate(float(values[-1]), float(low[-1]), float(high[-1]))


def ranked(panel: Panel, entries: list[Entry]) -> pd.DataFrame:
    """Return the panel and some entries, the best first.

    Columns place, agent, rating, low, high (Elo); lead, lead_low, lead_high (over the next one;
    entries did not meet each other); games; entry (the file; empty for the panel's own).
    """
    values, spread = joint(panel, [one.counts for one in entries])
    low, high = rating.intervals(values, spread)
    order = np.argsort(-values, kind="stable")
    leads = [rating.lead(values, spread, i, j) for i, j in pairwise(order)]
    leads.append(Estimate(np.nan, np.nan, np.nan))
    names = [*panel.plan.agents, *(one.name for one in entries)]
    games = [*panel.counts.sum(axis=(1, 2)) * 2, *(len(one.rows) for one in entries)]
    files = [*[""] * len(panel.plan.agents), *(str(one.path) for one in entries)]
    return pd.DataFrame({
        "place": range(1, len(order) + 1), "agent": [names[i] for i in order],
        "rating": values[order], "low": low[order], "high": high[order],
        "lead": [one.value for one in leads], "lead_low": [one.low for one in leads],
        "lead_high": [one.high for one in leads], "games": [int(games[i]) for i in order],
        "entry": [files[i] for i in order]})


def _sum(games: pd.DataFrame) -> str:
    """Return the SHA-256 of the games, as of Proof."""
    return sums.of(games.to_csv(index=False, lineterminator="\n").encode())


@dataclass(frozen=True)
class CheckedEntry:
    """An entry whose games came out as it says, when they were played again.

    games: how many of its `total` were played; seed: of the sample (None: all were). wins, draws,
    losses: of all its games; their sum and the rating were worked out again from every game.

    >>> entry = hsevo.benchmark("eva:group-3", games=18).submit("mine.json")
    >>> found = hsevo.check_entry(entry, 36, seed=1)
    >>> found.games, found.total, found.panel
    (36, 252, 'panel-2026')
    """

    FIELDS: ClassVar[Fields] = {
        "agent": "agent", "panel": "panel", "games": "total", "wins": lambda self: self.result[0],
        "draws": lambda self: self.result[1], "losses": lambda self: self.result[2],
        "rating": "rating", "checked": "games", "seed": "seed", "most_forged": "most_forged",
        "unranked": "unranked"}

    entry: Entry
    games: int
    seed: int | None

    @property
    def agent(self) -> str:
        """The name of its agent."""
        return self.entry.name

    @property
    def panel(self) -> str:
        """The name of the panel that it met."""
        return self.entry.panel.name

    @property
    def total(self) -> int:
        """The number of its games."""
        return len(self.entry.rows)

    @property
    def rating(self) -> Estimate:
        """Its rating in Elo; 0 is the mean of the panel."""
        return self.entry.rating

    @property
    def result(self) -> tuple[int, int, int]:
        """Games won, drawn and lost."""
        return self.entry.proof.result

    @property
    def most_forged(self) -> int:
        """How many games may be forged although the sample met none, at 95 %; 0 if all played."""
        return self.entry.most_forged(self.games)

    @property
    def unranked(self) -> str:
        """Why `leaderboard` has no place for it; "" if it has."""
        return self.entry.unranked

    def __repr__(self) -> str:
        of = "all" if self.seed is None else f"{self.games:,} of"
        one = self.rating
        return (f"{self.agent}: {of} {self.total:,} games came out as claimed; rating"
                f" {one.value:+.0f} Elo ({one.low:+.0f} to {one.high:+.0f}) in {self.panel}")


def check_entry(path: str | Path, games: int | None = None, *, seed: int | None = None,
                trust: bool = False, workers: int | None = None, backend: str | None = None,
                progress: Progress = False) -> CheckedEntry:
    """Check an entry of a leaderboard (`Benchmark.submit`) by playing its games again.

    First its claims are compared: totals and rating follow from its games, agent and decks are
    those of its digest, the engine is this one. Then games are played: all, or a random sample of
    at least so many, whose `most_forged` says how many forged ones it may have missed. seed: of
    the sample; default: the time, so that nobody knows it before. trust: run the file of a Python
    player, which must be as it was (and where the entry says).

    Raises RunError in one line for what does not hold, AgentError, ConfigError.

    >>> result = hsevo.benchmark("eva:group-3", games=18)
    >>> hsevo.check_entry(result.submit("entry.json"), games=36, seed=1)
    eva:group-3: 36 of 252 games came out as claimed; rating ... Elo (... to ...) in panel-2026
    """
    team, drawn = workers_of(workers, backend), _seed(games, seed)
    one = read(Path(path))
    find_players([one.name], one.lineup.players[:1], trust)
    picked = one.pick(games, drawn or 0)
    lineup, parts = one.lineup, []
    moves: list[str] = []
    with playing(len(picked), team, progress) as (executor, meter):
        for block in play(executor, one.rows[picked], lineup.players, lineup.setting):
            parts.append(block.results)
            moves += block.moves
            meter.advance(len(block.rows))
    if differs := one.refute(picked, np.concatenate(parts), tuple(moves)):
        raise RunError(f"{path} is refuted: {differs}")
    return CheckedEntry(one, len(picked), drawn if len(picked) < len(one.rows) else None)


def _seed(games: int | None, seed: int | None) -> int | None:
    """Return the seed of a sample, None if all games are played. Raises ConfigError."""
    if games is None:
        if seed is not None:
            raise ConfigError(f"seed is {short(seed)}, but no sample is drawn: all games are"
                              " played; give a number of games, too")
        return None
    whole("games", games)
    return time.time_ns() % 10**9 if seed is None else whole("seed", seed, 0, MOST_SEED)


def leaderboard(files: str | Path | Iterable[str | Path] = (), *,
                panel: str = NEWEST) -> pd.DataFrame:
    """Return the standing of a panel with entries among it, the best first.

    files: of entries, whose totals and ratings are worked out again, but whose games are not
    played: `check_entry` does. Each must have as many games with each agent as those of the panel.
    Columns place, agent, rating, low, high (Elo, 95 % interval), lead, lead_low, lead_high (over
    the next one), games, entry (the file; "" for the panel's own).
    Raises RunError, ConfigError; AgentError for two entries of one agent.

    >>> hsevo.leaderboard().agent.iloc[0]
    'rl:2026?search=turn&depth=3&nodes=300&samples=0'
    """
    field = Panel.read(panel)
    names = [files] if isinstance(files, str | Path) else in_order("files", files)
    found = [read(Path(name)) for name in names]
    for one in found:
        if one.panel.name != panel:
            raise RunError(f"{one.path} is an entry of {one.panel.name}, not of {panel}")
        if one.unranked:
            raise RunError(f"{one.path} has no place: {one.unranked}")
    known = {one.lineup.players[0].tobytes(): one.path for one in found}
    if len(known) < len(found):
        raise AgentError("two entries are of the same agent; leave one out")
    return ranked(field, found)
