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
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

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

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Proof:
    """Hold a match that was played once and can be replayed. sha256: of its games.csv."""

    against: str
    decks: tuple[str, ...]
    games: int
    seed: int
    result: tuple[int, int, int]  # games won, drawn and lost
    sha256: str

    def refute(self, result: tuple[int, int, int], games: pd.DataFrame) -> str:
        """Return how a replayed match differs, or "" if it does not."""
        sha256 = sums.of(games.to_csv(index=False, lineterminator="\n").encode())
        if (result, sha256) == (self.result, self.sha256):
            return ""
        now, then = (" : ".join(map(str, counts)) for counts in (result, self.result))
        return f"{now} and games.csv {sha256}, not {then} and {self.sha256}"


@dataclass(frozen=True)
class ShippedChampion:
    """Hold a champion. sha256: of its file; made: its origin: command, games, version, engine."""

    name: str
    says: str
    sha256: str
    origin: Mapping[str, str]
    proof: Proof

    @property
    def file(self) -> str:
        """Name of its file, such as eva-wide-2026.yaml."""
        return f"{self.name.replace(':', '-')}.{'npz' if self.is_learned else 'yaml'}"

    @property
    def is_learned(self) -> bool:
        """Whether its file is a network."""
        return self.name.startswith(f"{NET}:")

    @property
    def command(self) -> str:
        """Command that replays its proof."""
        proof, decks = self.proof, ",".join(self.proof.decks)
        own = "" if proof.decks == CIG2018 else f" --decks {decks}"
        return (f"hsevo match {self.name} {proof.against} --games {proof.games} --seed {proof.seed}"
                f"{own}")

    def option(self, name: str) -> str:
        """Return an option of the command that made it, such as config or seed."""
        words = shlex.split(self.origin["command"])
        return words[words.index(f"--{name}") + 1]

    def content(self) -> bytes:
        """Return its file. Raises RunError if it is not the one that was proven."""
        if self.is_learned:
            file_bytes = read_bytes(learned.FOLDER / f"{self.name.partition(':')[2]}.npz")
        else:
            entry = ROSTER[self.name]
            assert entry.kind.genome is not None
            text = format_weights("yaml", [self.name], entry.weights[None], entry.kind.genome)
            file_bytes = text.encode()
        if sums.of(file_bytes) != self.sha256:
            raise RunError(f"the file of {self.name} differs from the proven one, so this hsevo was"
                           " changed; reinstall it")
        return file_bytes


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
    shipped = champions().get(name)
    if shipped is None:
        raise AgentError(f"{quoted(name)} is not a champion{did_you_mean(name, champions())}; there"
                         f" are {', '.join(champions())}")
    return shipped


def _champion(name: str, tree: Mapping[str, Any]) -> ShippedChampion:
    try:
        origin = {key: str(value) for key, value in tree["made"].items()}
        proof = tree["proof"]
        result = proof["won"], proof["drawn"], proof["lost"]
        return ShippedChampion(name, tree["says"], tree["sha256"], origin, Proof(
            proof["against"], tuple(proof.get("decks", CIG2018)), proof["games"], proof["seed"],
            result, proof["sha256"]))
    except KeyError as error:
        raise RunError(f"the description of {name} is damaged: it lacks {error}; reinstall"
                       " hsevo") from None


FORMAT, VERSION = "hsevo benchmark entry", 2
LETTERS = "LDWF"
WORDS = ("lost", "drawn", "won", "refused by the engine")
ITSELF, GAMES = "entry", "games.csv"  # whose sums it has
FORGED: tuple[type[Exception], ...] = (*DAMAGE, HsevoError)  # raised by what was changed
MISSED = 0.05  # chance that a sample misses all forged games, at most, to exclude so many
CLOSE = 1e-6  # Elo by which ratings may differ between machines: libraries add in another order


@dataclass(frozen=True)
class Entry:
    """Hold an entry with consistent claims. Only replaying verifies its games.

    ends: how each game of the schedule ended for the agent, (m,): the place in LETTERS. turns:
    player turns of each game, (m,).
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
        """Reason why it has no place on a leaderboard. "" if it has one."""
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
        ended, turns = ends_of(rows, results), results["turns"]
        wrong = np.flatnonzero((ended != self.ends[picked]) | (turns != self.turns[picked]))
        if len(wrong):
            first = wrong[0]
            how = [_course(ends[first], took[first]) for ends, took in (
                (ended, turns), (self.ends[picked], self.turns[picked]))]
            return (f"{len(wrong):,} of {len(picked):,} games had other results; the first,"
                    f" {self._game(picked[first])} was {how[0]}, not {how[1]}")
        if len(picked) < len(self.rows):
            return ""
        sum_ = _sum(games_table(rows, results, self.lineup, 0, moves))
        return "" if sum_ == self.proof.sha256 else (
            "all games had the claimed results and lengths, but some had other moves: the SHA-256"
            f" of games.csv is {sum_}, not {self.proof.sha256}")

    def _game(self, number: int) -> str:
        """Describe a game by its number, seed, decks and opponent."""
        row, decks = self.rows[number], [deck.name for deck in self.lineup.decks]
        opponent = self.lineup.names[max(int(row["a"]), int(row["b"]))]
        return (f"game {int(number):,} (seed {row['seed']}, {decks[row['deck_a']]} against"
                f" {decks[row['deck_b']]}, with {opponent})")


def _course(end: int, turns: int) -> str:
    return f"{WORDS[end]} after {turns:,} turns"


def unranked(panel: Panel, games: int) -> str:
    """Return why an entry with this number of games is not ranked; "" if it is."""
    if games == panel.plan.games:
        return ""
    return (f"it has {games:,} games with each agent, but a leaderboard of {panel.name} ranks"
            f" entries of {panel.plan.games:,}, to prevent stopping at a high rating; submit an"
            " entry without --games")


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
    with_each = {opponent: _with(record.rows, k) for k, opponent in enumerate(lineup.names) if k}
    tree = {
        "format": FORMAT, "version": VERSION, "hsevo": __version__, "engine": fingerprint(),
        "panel": panel.name, "agent": name, "games": lineup.plan.games, "seed": lineup.plan.seed,
        "decks": [*lineup.plan.decks], "own": deck_data(own[0]) if own else None,
        "agents and decks": lineup.digest, **_totals(ends),
        "rating": asdict(rated(panel, counts_of(panel, lineup, ends))),
        "results": {opponent: "".join(LETTERS[end] for end in ends[where])
                    for opponent, where in with_each.items()},
        "turns": {opponent: record.results["turns"][where].tolist()
                  for opponent, where in with_each.items()},
        "player": agent_data(player)}
    return sums.sign(tree, ITSELF, {GAMES: _sum(games)}) + b"\n"


def refuse_unrepeatable(name: str, player: Array) -> None:
    """Raise AgentError for an agent, AGENT (...), whose games can't be played again."""
    refuse_values(player)
    if any(is_timed(record) for record in player.ravel()):
        raise AgentError(f"{name} has a time limit, so its games can't be replayed and its entry"
                         " can't be checked; set iterations instead of seconds")


def read(path: Path) -> Entry:
    """Read an entry, and check that its claims agree with each other and with this hsevo.

    Raises RunError in one line if they do not.
    """
    if os.path.isdir(path):  # as "" is
        raise RunError(f"{path} is a folder, but an entry is a file written by hsevo benchmark"
                       " --submit")
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
                       f" {brief(file.hsevo)}, but this engine is {fingerprint()}, so its games"
                       " can't be replayed here")
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
    if any(record.tobytes() != known for record in player.ravel()):
        raise RunError(f"{names}, but its parameters differ from this agent's")
    if (deck is None) != (file.own is None):
        raise RunError(f"{names}, but has {'no' if file.own is None else 'a'} deck of its own")


def _check_totals(path: Path, file: EntryFile, ends: Array, estimate: Estimate) -> None:
    """Raise RunError unless totals and rating are those of the results."""
    for what, number in _totals(ends).items():
        if getattr(file, what) != number:
            raise RunError(f"{path} claims {brief(getattr(file, what))} games {what}, but its"
                           f" results add up to {number:,}")
    claimed = Estimate(file.rating.value, file.rating.low, file.rating.high)
    if not np.allclose(astuple(claimed), astuple(estimate), rtol=0, atol=CLOSE):
        raise RunError(f"{path} claims a rating of {claimed} Elo, but its results give {estimate}")


def _totals(ends: Array) -> dict[str, int]:
    lost, drawn, won, refused = np.bincount(ends, minlength=4).tolist()
    return {"won": won, "drawn": drawn, "lost": lost, "refused": refused}


def _ends(lineup: Lineup, results: Mapping[str, str]) -> Array:
    """Return how each game ended, from the letters by opponent. Raises ValueError."""
    what = f"letters of {LETTERS}"
    if not {*"".join(results.values())} <= {*LETTERS}:
        raise ValueError(f"its results must be {what}")
    return _by_game(lineup, {name: [LETTERS.index(letter) for letter in letters]
                             for name, letters in results.items()}, what)


def _by_game(lineup: Lineup, numbers: Mapping[str, Sequence[int]], what: str) -> Array:
    """Return a number of each game, (m,), from those by opponent. Raises ValueError."""
    if [*numbers] != [*lineup.names[1:]]:
        raise ValueError("its opponents differ from the panel")
    rows = schedule(lineup)
    game_numbers = np.zeros(len(rows), np.int64)
    for k, those in enumerate(numbers.values(), start=1):
        where = _with(rows, k)
        if len(those) != where.sum():
            raise ValueError(f"what it says of games with {lineup.names[k]} are not"
                             f" {where.sum():,} {what}")
        game_numbers[where] = those
    return game_numbers


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
    pairs = pentanomials(rows, results, len(lineup.names))[0]
    counts = np.zeros((len(panel.plan.agents), 5), np.int64)
    for name, row in zip(lineup.names[1:], pairs[1:], strict=True):
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
    import pandas as pd

    values, spread = joint(panel, [entry.counts for entry in entries])
    low, high = rating.intervals(values, spread)
    order = np.argsort(-values, kind="stable")
    leads = [rating.lead(values, spread, i, j) for i, j in pairwise(order)]
    leads.append(Estimate(np.nan, np.nan, np.nan))
    names = [*panel.plan.agents, *(entry.name for entry in entries)]
    games = [*panel.counts.sum(axis=(1, 2)) * 2, *(len(entry.rows) for entry in entries)]
    files = [*[""] * len(panel.plan.agents), *(str(entry.path) for entry in entries)]
    return pd.DataFrame({
        "place": range(1, len(order) + 1), "agent": [names[i] for i in order],
        "rating": values[order], "low": low[order], "high": high[order],
        "lead": [lead.value for lead in leads], "lead_low": [lead.low for lead in leads],
        "lead_high": [lead.high for lead in leads], "games": [int(games[i]) for i in order],
        "entry": [files[i] for i in order]})


def _sum(games: pd.DataFrame) -> str:
    """Return the SHA-256 of the games, as of Proof."""
    return sums.of(games.to_csv(index=False, lineterminator="\n").encode())


@dataclass(frozen=True)
class CheckedEntry:
    """Hold an entry whose replayed games matched its claims.

    Wins, draws, losses and the rating are recomputed from all games of the entry.

    Attributes
    ----------
    entry : Entry
        The entry.
    games : int
        Number of games that were replayed.
    seed : int or None
        Seed of the sample. None: all games were replayed.

    Examples
    --------
    >>> entry = hsevo.benchmark("eva:group-3", games=18, panel="panel-2026").submit("mine.json")
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
        """Name of the agent."""
        return self.entry.name

    @property
    def panel(self) -> str:
        """Name of the panel that the agent played."""
        return self.entry.panel.name

    @property
    def total(self) -> int:
        """Number of games in the entry."""
        return len(self.entry.rows)

    @property
    def rating(self) -> Estimate:
        """Rating in Elo. The mean of the panel is 0."""
        return self.entry.rating

    @property
    def result(self) -> tuple[int, int, int]:
        """Games won, drawn and lost."""
        return self.entry.proof.result

    @property
    def most_forged(self) -> int:
        """Upper 95 % confidence bound of the number of forged games. 0 if all were replayed."""
        return self.entry.most_forged(self.games)

    @property
    def unranked(self) -> str:
        """Reason why `hsevo.leaderboard` has no place for the entry. "" if it has one."""
        return self.entry.unranked

    def __repr__(self) -> str:
        of = "all" if self.seed is None else f"{self.games:,} of"
        estimate = self.rating
        return (f"{self.agent}: {of} {self.total:,} games had the claimed results; rating"
                f" {estimate.value:+.0f} Elo ({estimate.low:+.0f} to {estimate.high:+.0f}) in"
                f" {self.panel}")


def check_entry(path: str | Path, games: int | None = None, *, seed: int | None = None,
                trust: bool = False, workers: int | None = None, backend: str | None = None,
                progress: Progress = False) -> CheckedEntry:
    """Verify an entry of a leaderboard by replaying its games.

    The check first compares the claims: totals and rating follow from the games, agent and decks
    match their digest, and the engine is this engine. It then replays all games or a random sample.

    Parameters
    ----------
    path : str or Path
        File that `Benchmark.submit` wrote.
    games : int, optional
        Minimum number of games to replay. Default: all. `most_forged` of the result bounds the
        number of forged games that a sample may have missed.
    seed : int, optional
        Seed of the sample. Default: the time, which is not predictable.
    trust : bool, default False
        Run the file of a Python player. The file must be unchanged, at the path that the entry
        states.
    workers : int, optional
        Number of workers. Default: one per core.
    backend : {"threads", "loky", "dask", "serial"}, optional
        How games run in parallel. It does not change results.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.

    Returns
    -------
    CheckedEntry
        The entry and the number of replayed games.

    Raises
    ------
    RunError
        If a claim or a game differs.
    AgentError
        If a Python player is not trusted, or has changed.
    ConfigError
        If an argument has a wrong type or is out of range.

    Examples
    --------
    >>> result = hsevo.benchmark("eva:group-3", games=18, panel="panel-2026")
    >>> hsevo.check_entry(result.submit("entry.json"), games=36, seed=1)
    eva:group-3: 36 of 252 games had the claimed results; rating ... Elo (... to ...) in panel-2026
    """
    worker_config, drawn = workers_of(workers, backend), _seed(games, seed)
    entry = read(Path(path))
    find_players([entry.name], entry.lineup.players[:1], trust)
    picked = entry.pick(games, drawn or 0)
    lineup, parts = entry.lineup, []
    moves: list[str] = []
    with playing(len(picked), worker_config, progress,
                 ruleset=lineup.setting.ruleset) as (executor, meter):
        for block in play(executor, entry.rows[picked], lineup.players, lineup.setting):
            parts.append(block.results)
            moves += block.moves
            meter.advance(len(block.rows))
    if differs := entry.refute(picked, np.concatenate(parts), tuple(moves)):
        raise RunError(f"{path} is refuted: {differs}")
    return CheckedEntry(entry, len(picked), drawn if len(picked) < len(entry.rows) else None)


def _seed(games: int | None, seed: int | None) -> int | None:
    """Return the seed of a sample, None if all games are played. Raises ConfigError."""
    if games is None:
        if seed is not None:
            raise ConfigError(f"seed is {short(seed)}, but all games are played, so no sample is"
                              " drawn; also set the number of games")
        return None
    whole("games", games)
    return time.time_ns() % 10**9 if seed is None else whole("seed", seed, 0, MOST_SEED)


def leaderboard(files: str | Path | Iterable[str | Path] = (), *,
                panel: str = NEWEST) -> pd.DataFrame:
    """Return the standing of a panel together with entries, best first.

    Totals and ratings are recomputed from the entries. Games are not replayed, see
    `hsevo.check_entry`.

    Parameters
    ----------
    files : path or iterable of paths, optional
        Files of entries. Each entry needs as many games against each agent as the panel has.
    panel : str, default "panel-2026c"
        Name of the panel.

    Returns
    -------
    pandas.DataFrame
        Columns place, agent, rating, low, high (Elo, 95 % interval), lead, lead_low, lead_high
        (over the next agent), games, entry (the file, or "" for agents of the panel).

    Raises
    ------
    RunError
        If an entry is damaged, inconsistent or of another panel.
    ConfigError
        If the panel is unknown.
    AgentError
        If two entries have the same agent.

    Examples
    --------
    >>> hsevo.leaderboard().agent.iloc[0]
    'rl:2026?search=turn&depth=3&nodes=300&samples=0'
    """
    field = Panel.read(panel)
    names = [files] if isinstance(files, str | Path) else in_order("files", files)
    entries = [read(Path(name)) for name in names]
    for entry in entries:
        if entry.panel.name != panel:
            raise RunError(f"{entry.path} is an entry of {entry.panel.name}, not of {panel}")
        if entry.unranked:
            raise RunError(f"{entry.path} is not ranked: {entry.unranked}")
    known = {entry.lineup.players[0].tobytes(): entry.path for entry in entries}
    if len(known) < len(entries):
        raise AgentError("two entries have the same agent; leave one out")
    return ranked(field, entries)
