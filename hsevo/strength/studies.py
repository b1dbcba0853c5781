"""Studies: measure the win rate of an agent as one value changes, and compare with a publication.

    configs/studies/NAME.yaml --load_study()--> Study --jobs() over workers--> counts
        --curve()--> curve.csv, plot.svg, plot.png (curves.py), study.yaml

A study varies one value x. All its games are played with the ruleset `hearthsim`; the agent is
player 0, who begins. Game k of every x has the same seed (and in `taunts`, the same minions in both
decks), so differences between the points of a curve are due to x more than to chance.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from datetime import datetime
from math import nan
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo import config
from hsevo.agents.learned.nets import carried
from hsevo.cards.decks import Deck, read_deck
from hsevo.config import Count, Name, Rate, Section, Seed, Text, Turns, Values
from hsevo.engine.jit import fingerprint
from hsevo.errors import ConfigError, did_you_mean, quoted
from hsevo.files import write_whole
from hsevo.play import match
from hsevo.play.tournament import refuse_faults, wilson, write_table
from hsevo.play.workers import Executor, Job, OnGames
from hsevo.seeds import Stream, derive
from hsevo.store.about import About
from hsevo.strength import curves
from hsevo.strength.roster import read_agent

Array: TypeAlias = npt.NDArray[Any]

ABOUT = About("study.yaml", "hsevo study")
RULESET = "hearthsim"
BLOCK = 50  # games per job, independent of the number of workers: a quarter of a second
SIZE = 30  # cards of a drawn deck
DECKS = ("deck", "opponent_deck")  # keys
MOST_GAMES = 5_000_000  # of a study, of 56 bytes each in memory
MOST_ATTACK, MOST_HEALTH = 5, 4  # of the minions in cards/sets/hearthsim.py


class Published(Section):
    """What the source gives: rates by x, the games behind each, the best x, a summary."""

    rates: dict[float, Rate] | None = None
    games: Count | None = None
    best: float | None = None
    says: str = ""


class Study(Section):
    """What all studies have: a title, an axis, two agents, the values of x, games per value."""

    title: Text
    axis: Text
    seed: Seed = 1
    games: Count
    agent: Name
    opponent: Name
    values: Values
    max_turns: Turns = 200
    published: Published = Published()

    def player(self, x: float) -> Array:
        """Return the agent at x, AGENT (1,). Raises AgentError."""
        return read_agent(self.agent)

    @abstractmethod
    def decks(self, x: float, games: Array) -> tuple[Deck, ...]:
        """Return the decks of games (n,), by number, at x: player 0's and 1's in turn.

        If there is only one pair of decks, all games use it. Raises DeckError.
        """


class OptionStudy(Study):
    """A study that varies one option of the agent, with two decks."""

    study: Literal["option"]
    option: Text
    deck: Text
    opponent_deck: Text

    def player(self, x: float) -> Array:
        """Return the agent with its option at x. Raises AgentError."""
        sign = "&" if "?" in self.agent else "?"
        return read_agent(f"{self.agent}{sign}{self.option}={number(x)}")

    def decks(self, x: float, games: Array) -> tuple[Deck, ...]:
        """Return the two decks of all games."""
        return read_deck(self.deck), read_deck(self.opponent_deck)


class TauntStudy(Study):
    """A study that varies how many of player 0's minions have Taunt; each game has new decks."""

    study: Literal["taunts"]
    attack: int = MOST_ATTACK
    health: int = MOST_HEALTH

    def decks(self, x: float, games: Array) -> tuple[Deck, ...]:
        """Return two random decks for each game; x minions of the first have Taunt.

        Minions, and which of them have Taunt, are drawn uniformly. A minion with Taunt at some x
        has it at every higher x.
        """
        k, kinds = np.asarray(games)[:, None, None], np.uint64(self.attack * self.health)
        key = (self.seed, Stream.STUDY_BODY)
        bodies = derive(key, k, np.arange(2)[:, None], np.arange(SIZE)) % kinds
        key = (self.seed, Stream.STUDY_TAUNT)
        order = np.argsort(derive(key, k[:, 0], np.arange(SIZE)), axis=1)
        taunts = np.zeros(bodies.shape, bool)
        np.put_along_axis(taunts[:, 0], order[:, :int(x)], True, axis=1)
        return tuple(self._deck(f"{k}-{player}", bodies[i, player], taunts[i, player])
                     for i, k in enumerate(games) for player in range(2))

    def _deck(self, name: str, bodies: Array, taunts: Array) -> Deck:
        ids = (f"HS_{1 + body // self.health}{1 + body % self.health}{'T' if taunt else ''}"
               for body, taunt in zip(bodies.tolist(), taunts.tolist(), strict=True))
        return Deck(name, "WARRIOR", tuple(ids))


STUDIES: dict[str, type[OptionStudy | TauntStudy]] = {"option": OptionStudy, "taunts": TauntStudy}


def load_study(source: str | Path) -> OptionStudy | TauntStudy:
    """Read the study that `source` names: a path, or a name in configs/studies, here or shipped.

    The study.yaml of a study's folder works as well. Decks are found as those of a config.
    Raises ConfigError: one line per mistake; AgentError, DeckError for what it names.
    """
    path = config.find(str(source), "configs/studies")
    tree = config.parse(config.read_text(path), str(path))
    played = tree.get("kind") == ABOUT.kind and isinstance(tree.get("study"), dict)
    tree = tree["study"] if played else tree
    decks = {key: config.beside(path, tree[key]) for key in DECKS if key in tree}
    return check_study(tree | decks, str(path))


def check_study(tree: dict[str, Any], where: str) -> OptionStudy | TauntStudy:
    """Return the study that the tree describes; raises as `load_study`."""
    kinds = ", ".join(STUDIES)
    if "study" not in tree:
        raise ConfigError(f"{where} is not a study: it has no line 'study: KIND' ({kinds});"
                          f" to run an evolution: hsevo evolve --config {where}")
    if not isinstance(tree["study"], str) or tree["study"] not in STUDIES:
        raise ConfigError(f"{where}: study is {quoted(tree['study'])}, but must be one of {kinds}"
                          f"{did_you_mean(tree['study'], STUDIES)}")
    study = config.check(STUDIES[tree["study"]], tree, where)
    _refuse_values(study, where)
    for x in study.values:
        study.player(x)
        study.decks(x, np.arange(1))
    read_agent(study.opponent)
    return study


def _refuse_values(study: OptionStudy | TauntStudy, where: str) -> None:
    """Raise ConfigError for values that a study cannot have."""
    values = study.values
    if not values or values != sorted(set(values)):
        raise ConfigError(f"{where}: values is {quoted(values)}, but must be different numbers,"
                          " the lowest first")
    if len(values) * study.games > MOST_GAMES:
        raise ConfigError(f"{where}: that is {len(values) * study.games:,} games, but at most"
                          f" {MOST_GAMES:,} can be played at a time; take fewer games or values")
    if isinstance(study, TauntStudy):
        if any(x != int(x) or not 0 <= x <= SIZE for x in values):
            raise ConfigError(f"{where}: values is {quoted(values)}, but must be whole numbers from"
                              f" 0 to {SIZE}: cards of a deck")
        for key, most in (("attack", MOST_ATTACK), ("health", MOST_HEALTH)):
            if not 1 <= getattr(study, key) <= most:
                raise ConfigError(f"{where}: {key} is {getattr(study, key)}, but must be from 1 to"
                                  f" {most}: there are no other minions")


def number(x: float) -> str:
    """Format a number for options and tables: 1000, -0.25, 0.00001."""
    return np.format_float_positional(x + 0.0, trim="-")


def jobs(study: OptionStudy | TauntStudy) -> Iterator[Job]:
    """Yield the jobs of a study for match.play_block: blocks of games, x by x."""
    opponent = read_agent(study.opponent)
    for x in study.values:
        agents = np.concatenate([study.player(x), opponent])
        for first in range(0, study.games, BLOCK):
            games = np.arange(first, min(first + BLOCK, study.games))
            decks = study.decks(x, games)
            rows = np.zeros(len(games), match.PAIRING)
            rows["b"], rows["games"] = 1, 1
            rows["deck_a"] = 2 * np.arange(len(games)) % len(decks)
            rows["deck_b"] = rows["deck_a"] + 1
            rows["seed"] = derive((study.seed, Stream.STUDY_GAME), games)
            setting = match.Setting(RULESET, decks, "fair", study.max_turns)
            yield rows, agents, setting, *carried(agents)


def play(executor: Executor, study: OptionStudy | TauntStudy,
         on_games: OnGames = lambda games: None) -> Array:
    """Play a study; return match.RESULT (values, games), one game each.

    Raises GameError, with the seed, if the engine refused a game.
    """
    results = np.zeros((len(study.values), study.games), match.RESULT)
    flat, done = results.reshape(-1), 0
    for block in executor(match.play_block, jobs(study)):
        flat[done:done + len(block)] = block
        done += len(block)
        on_games(len(block))
    each = derive((study.seed, Stream.STUDY_GAME), np.arange(study.games))
    refuse_faults(flat, np.tile(each, len(results)),
                  lambda i: f" at x = {number(study.values[i // study.games])}")
    return results


def curve(study: OptionStudy | TauntStudy, results: Array) -> pd.DataFrame:
    """Return the points of a study, one row per value of x.

    Columns x; games, wins, draws; rate (wins / games) with its 95 % Wilson interval low, high;
    turns, the mean player turns of a game; published, published_low, published_high: the rate in
    the source with the Wilson interval of its games, NaN where the source gives none.
    """
    wins, draws = results["wins_a"].sum(axis=1), results["draws"].sum(axis=1)
    games = np.full(len(wins), study.games)
    low, high = wilson(wins, games)
    known = study.published
    rates = np.array([(known.rates or {}).get(x, nan) for x in study.values])
    behind = np.where(np.isnan(rates), 0, known.games or 0)
    ends = wilson(np.rint(np.nan_to_num(rates) * behind), behind)
    return pd.DataFrame({
        "x": [number(x) for x in study.values], "games": games, "wins": wins, "draws": draws,
        "rate": wins / games, "low": low, "high": high,
        "turns": results["turns"].sum(axis=1) / games,
        "published": rates, "published_low": ends[0], "published_high": ends[1]})


def lead(results: Array, i: int, j: int) -> tuple[float, float, float]:
    """Return the difference of the rates of points i and j, and the ends of its 95 % interval.

    It is computed from the differences game by game: game k has the same seed at every x, so part
    of the chance cancels out.
    """
    from scipy.stats import norm  # half a second to import

    gaps = results["wins_a"][i].astype(float) - results["wins_a"][j]
    half = norm.ppf(0.975) * gaps.std() / np.sqrt(len(gaps))
    return gaps.mean(), gaps.mean() - half, gaps.mean() + half


def default_path(source: str | Path, study: OptionStudy | TauntStudy) -> Path:
    """Return the default folder of a study: runs/NAME-seed-SEED-DATE-TIME."""
    return Path("runs") / (f"{Path(source).stem}-seed-{study.seed}"
                           f"-{datetime.now():%Y%m%d-%H%M%S}")


def write(path: Path, study: OptionStudy | TauntStudy, table: pd.DataFrame) -> None:
    """Write study.yaml, curve.csv, plot.svg and plot.png, each atomically. Raises RunError."""
    write_table(path / "curve.csv", table)
    drawn = curves.curve(table, study.title, study.axis, study.published.best)
    write_whole(path / "plot.svg", drawn.svg)
    write_whole(path / "plot.png", drawn.png)
    ABOUT.write(path, {"engine": fingerprint(), "ruleset": RULESET, "study": study.model_dump()})
