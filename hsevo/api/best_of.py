"""`hsevo.series`: best-of-n matches of two agents with line-ups of decks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hsevo import __version__, config
from hsevo.agents.genomes.decks import joined
from hsevo.api.agents import Agent, AgentLike
from hsevo.api.contests import finished, kept_games
from hsevo.api.decks import DeckLike, as_decks, each_deck
from hsevo.api.pool import ARGUMENTS, Progress, keeping, playing, workers_of
from hsevo.api.results import Replayable
from hsevo.config.named import CIG2018
from hsevo.errors import AgentError, RunError
from hsevo.files import write_whole, writing
from hsevo.metagame import series as rounds
from hsevo.metagame.lineups import chances
from hsevo.metagame.matchups import RESAMPLES, drawn_shares, interval, rates_of
from hsevo.metagame.series import Lineups, Plan, Record, series_table
from hsevo.play import participants
from hsevo.play.specs import short_names
from hsevo.play.tournament import wilson, write_table
from hsevo.store import journal
from hsevo.store.journal import Journal
from hsevo.strength import rating
from hsevo.strength.arena import estimate_columns
from hsevo.strength.own_decks import merged
from hsevo.strength.rating import UNKNOWN, Estimate, rate, ratio

NAME = "series.yaml"  # the file of the rules of finished series


@dataclass(frozen=True)
class SeriesResult(Replayable):
    """Series of two agents; `path` is their folder, if they have one.

    >>> found = hsevo.series("eva:2018", "random", 100)
    >>> print(found)
    eva:2018 is better than random: 100.0 % (... to 100.0) of 100 series, best of 5, conquest
    >>> found.scores["series"].sum()
    np.int64(100)
    """

    record: Record
    path: Path | None = None

    @property
    def names(self) -> tuple[str, str]:
        """The two agents."""
        return self.record.lineups.names

    @property
    def played(self) -> int:
        """How many series are over."""
        return len(self.series)

    @property
    def finished(self) -> bool:
        """Whether all series are over; if they were stopped, the short ones are over first."""
        return not len(self.record.left)

    @property
    def series(self) -> pd.DataFrame:
        """A line per series: columns series, games, wins_a, wins_b, draws, points, and struck_a and
        struck_b with bans; points are the first agent's: 1, 0, or 0.5 for a drawn series."""
        return series_table(self.record)

    @property
    def games(self) -> pd.DataFrame:
        """Every game: columns series (0: scouting), game, a, b, deck_a, deck_b, seed, wins_a ..."""
        return self.record.games

    @property
    def rate(self) -> Estimate:
        """The share of series that the first agent won, with its 95 % interval.

        A drawn series is half a win. NaN until all series are over.
        """
        if not self.finished:
            return UNKNOWN
        points = 2 * self.series["points"].to_numpy()
        return rate(np.bincount(points.astype(np.int64), minlength=3))

    @property
    def game_rate(self) -> Estimate:
        """The share of games that the first agent won in the series, with a draw as half a win.

        Games of one series depend on each other, which the interval counts (rating.ratio). NaN
        until all series are over.
        """
        if not self.finished:
            return UNKNOWN
        table = self.series
        points = table["wins_a"] + table["draws"] / 2
        return ratio(points.to_numpy(), table["games"].to_numpy())

    @property
    def chance(self) -> Estimate | None:
        """The first agent's chance to win a series if both choose optimally, with its interval.

        By the rates of the games that scouted, and what these leave open; None without them.
        """
        scouted, own = self.record.scouted, self.record.lineups
        if scouted is None:
            return None
        met = scouted[np.ix_(own.mine, own.theirs)]
        shares = drawn_shares(met.reshape(-1, met.shape[-1]), RESAMPLES, seed=1)
        drawn = (shares @ rating.points(met)).reshape(RESAMPLES, *met.shape[:2])
        value, *draws = chances(np.concatenate([rates_of(met)[None], drawn]), len(own.mine),
                                own.plan.ban, own.plan.format)[:, 0, 0]
        low, high = interval(np.array(draws))
        return Estimate(float(value), min(float(value), float(low)), max(float(value), float(high)))

    @property
    def scores(self) -> pd.DataFrame:
        """How series ended: columns wins_a, wins_b, series, share, share_low, share_high."""
        table = self.series.groupby(["wins_a", "wins_b"]).size().rename("series").reset_index()
        table = table.sort_values(["wins_a", "wins_b"], ascending=[False, True], ignore_index=True)
        low, high = wilson(table["series"], [self.played] * len(table))
        return table.assign(share=table["series"] / self.played, share_low=low, share_high=high)

    @property
    def decks(self) -> pd.DataFrame:
        """The games of the series by decks: a line per deck of a and deck of b that met.

        Columns deck_a, deck_b, games, rate (a's), rate_low, rate_high, and scouted, scouted_low,
        scouted_high, the rate in the games that scouted, if there are some.
        """
        table = self.games
        table = table.assign(points=table["wins_a"] + table["draws"] / 2)
        made = _by_decks(table[table["series"] > 0])
        decks = [deck.name for deck in self.record.lineups.decks]
        made = made.sort_values(["deck_a", "deck_b"], key=lambda names: names.map(decks.index),
                                ignore_index=True)
        scouts = _by_decks(table[table["series"] == 0], "scouted").drop(columns="games")
        if len(scouts) and self.finished:
            made = made.merge(scouts, "left", ["deck_a", "deck_b"], validate="1:1")
        return made

    @property
    def _cast(self) -> Lineups:
        return self.record.lineups

    def __str__(self) -> str:
        """Say who is better with these line-ups, and in which format."""
        lineups, found = self.record.lineups, self.rate
        a, b = (short_names(self.names)[name] for name in self.names)
        if not self.finished:
            return (f"{a} against {b}: {self.played:,} of {lineups.plan.series:,} series are over,"
                    " the short ones first; who is better shows when all are")
        says = f"{a} and {b} can't be told apart"
        if found.low > 0.5 or found.high < 0.5:
            says = f"{a} is {'better' if found.low > 0.5 else 'worse'} than {b}"
        return (f"{says}: {found.percent(1)} of {self.played:,} series, best of {lineups.best_of},"
                f" {lineups.plan.format}{', with bans' if lineups.plan.ban else ''}")

    def save(self, path: str | Path) -> Path:
        """Write a folder as `series` does with `out`, which `open_series` opens.

        Raises RunError, also if the series were stopped; AgentError.
        """
        if not self.finished:
            raise RunError(f"{self.played} of {self.record.lineups.plan.series} series are over,"
                           " and only finished ones are saved; play them with out=DIR, which goes"
                           " on where it was stopped")
        folder, plan = Path(path), self.record.lineups.plan
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        rounds.write_cast(folder, self.record.lineups, self._engine)
        journal.write(folder / "games.csv", self.games.to_csv(index=False).encode())
        for name, table in (("series", self.series), ("scores", self.scores),
                            ("decks", self.decks)):
            write_table(folder / f"{name}.csv", table)
        about = {"kind": "hsevo series", "version": __version__, "engine": self._engine,
                 "plan": plan.model_dump()}
        write_whole(folder / NAME, config.to_yaml(about).encode())  # it says that all is there
        return folder


def series(a: AgentLike, b: AgentLike, series: int = 1000, *,
           mine: DeckLike | Iterable[DeckLike] = CIG2018,
           theirs: DeckLike | Iterable[DeckLike] | None = None, format: str = "conquest",
           ban: bool = False, choose: str = "uniform", scouting: int = 200, seed: int = 1,
           ruleset: str = "cig2018", information: str = "fair", max_turns: int = 89,
           out: str | Path | None = None, workers: int | None = None, backend: str | None = None,
           progress: Progress = False) -> SeriesResult:
    """Play series, best of 2 n - 1 with line-ups of n decks, as tournaments do.

    mine, theirs: the decks of a and of b, one of a class at most; theirs are by default the same.
    format: "conquest" (a deck that has won is out, and who has won with each wins) or
    "last-hero-standing" (a deck that has lost is out, the winner's plays on). ban: each first
    strikes a deck of the other, and the series is a best of 2 n - 3. choose: "uniform", decks are
    chosen at random of those that may play, and struck at random; "best": both first see `scouting`
    games of every deck against every deck, and choose and strike optimally for these rates. A drawn
    game is played again with the same decks; a series with more than 20 of them is drawn.

    The other arguments are those of `match`. The seed of a game draws who begins. out: a folder for
    the games, from which `hsevo.replay` plays any again; series that were stopped continue with the
    same call.

    Raises AgentError, DeckError, ConfigError, CardError, RunError.

    >>> ours = hsevo.series("greedy:metastone", "eva:2018", 200, mine=["mage", "shaman"],
    ...                     theirs=["warrior", "mage"], choose="best", scouting=20)
    >>> len(ours.series), 0 < ours.chance.value < 1
    (200, True)
    """
    team = workers_of(workers, backend)
    own = each_deck(mine)
    given = {"series": series, "format": format, "ban": ban, "choose": choose,
             "scouting": scouting, "seed": seed, "ruleset": ruleset, "information": information,
             "max_turns": max_turns}
    lineups = _lineups((Agent(a), Agent(b)), own, own if theirs is None else each_deck(theirs),
                       given)
    path = Path(out) if out is not None else None
    if path is None:
        return _played(Record(lineups), team, progress, path)
    with kept_games(path, "series", lineups.names, lineups.players, lineups.decks, lineups.mine,
                    lineups.theirs, lineups.plan.model_dump()):
        games = Journal(path / "games.csv", lambda: rounds.write_cast(path, lineups))
        result = _played(Record(lineups, games), team, progress, path)
        with keeping(lambda: result):
            result.save(path)
    return result


def open_series(path: str | Path) -> SeriesResult:
    """Open a folder of finished series: their result, from the games that are stored there.

    Raises RunError, and ConfigError for a damaged series.yaml.

    >>> hsevo.series("greedy:metastone", "random", 20, out="runs/series").played
    20
    >>> hsevo.open_series("runs/series").played
    20
    """
    folder = Path(path)
    about = finished(folder, NAME, "series")
    plan = config.check(Plan, about.get("plan") or {}, str(folder / NAME))
    kept = participants.read(folder)
    place = {deck.name: i for i, deck in enumerate(kept.setting.decks)}
    if strangers := [name for name in (*plan.mine, *plan.theirs) if name not in place]:
        raise RunError(f"{folder} is damaged: {participants.NAME} has no deck '{strangers[0]}'")
    lineups = Lineups.checked(
        plan, (kept.names[0], kept.names[1]), kept.agents, kept.setting.decks,
        [place[name] for name in plan.mine], [place[name] for name in plan.theirs])
    record = Record(lineups, Journal(folder / "games.csv"))
    if len(record.left):
        raise RunError(f"{folder} is damaged: games are missing")
    return SeriesResult(record, folder)


def _lineups(agents: tuple[Agent, Agent], mine: list[DeckLike], theirs: list[DeckLike],
             given: dict[str, Any]) -> Lineups:
    for one in agents:
        if one.deck is not None:
            raise AgentError(f"'{one.name}' has a deck of its own; name line-ups instead (mine,"
                             " theirs)")
    decks, named = merged([], [*as_decks(mine), *as_decks(theirs)])
    place = {deck.name: i for i, deck in enumerate(decks)}
    own, others = named[:len(mine)], named[len(mine):]
    names = agents[0].name, agents[1].name
    plan = config.check(Plan, {"a": names[0], "b": names[1], "decks": [*place], "mine": own,
                               "theirs": others, **given}, ARGUMENTS)
    players = joined([agent._named.on(decks) for agent in agents], len(decks))
    return Lineups.checked(plan, names, players, decks, [place[name] for name in own],
                           [place[name] for name in others])


def _played(record: Record, team: config.Workers, progress: Progress,
            path: Path | None) -> SeriesResult:
    result = SeriesResult(record, path)
    with (keeping(lambda: result if record.done else None),
          playing(record.lineups.most_games, team, progress,
                  before=record.done) as (executor, meter)):
        rounds.play(executor, record, meter.advance)
    return result


def _by_decks(games: pd.DataFrame, name: str = "rate") -> pd.DataFrame:
    """Return a line per deck of a and deck of b that met: a's rate as `name`, and its ends."""
    by = games.groupby(["deck_a", "deck_b"], sort=False)["points"]
    counts = {pair: np.bincount((2 * points).astype(np.int64), minlength=3)
              for pair, points in by}
    return pd.DataFrame({"deck_a": [one for one, _ in counts], "deck_b": [one for _, one in counts],
                         "games": [int(one.sum()) for one in counts.values()],
                         **estimate_columns(name, [rate(one) for one in counts.values()])})
