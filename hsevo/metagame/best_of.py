"""Best-of-n matches of two agents with line-ups of decks, and what they say; see series.py."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.agents.genomes.decks import joined
from hsevo.cards.decks import DeckLike, as_decks, each_deck
from hsevo.config.named import CIG2018
from hsevo.errors import AgentError, RunError
from hsevo.experiments.playing import ARGUMENTS, Progress, parted, workers_of
from hsevo.generated import SeriesFields
from hsevo.metagame.lineups import Optimal, chances
from hsevo.metagame.series import (
    SERIES_COLUMNS,
    SeriesCourse,
    SeriesLineup,
    SeriesPlan,
    SeriesRound,
    begun,
    count_game,
    games_table,
    next_games,
    points_of,
    strike_decks,
)
from hsevo.objects import Fields
from hsevo.play import match, participants
from hsevo.play.hosting import PlayedBlock, recorded_moves
from hsevo.play.specs import short_names
from hsevo.play.tournament import refuse_faults, wilson
from hsevo.play.workers import Executor, OnGames
from hsevo.store.journal import Journal
from hsevo.store.kinds import About
from hsevo.strength import rating
from hsevo.strength.agents import Agent, AgentLike
from hsevo.strength.comparing import play_out
from hsevo.strength.contest import Contest, results_in
from hsevo.strength.lineup import GAME_COLUMNS, estimate_columns, play
from hsevo.strength.matchups import RESAMPLES, drawn_shares, interval, rates_of
from hsevo.strength.rating import UNKNOWN, Estimate, rate, ratio
from hsevo.strength.roster import merged
from hsevo.types import Array


class Series(Contest):
    """Hold series of games of two agents.

    Parameters
    ----------
    lineup : SeriesLineup
        Agents, decks and format.
    path : Path, optional
        Folder of the games, if there is one.

    Examples
    --------
    >>> found = hsevo.series("eva:2018", "random", 100)
    >>> print(found)
    eva:2018 is better than random: 100.0 % (... to 100.0) of 100 series, best of 5, conquest
    >>> found.scores["series"].sum()
    np.int64(100)
    """

    ABOUT = About("series.yaml", "hsevo series")
    NOUN = "a folder of series"
    PLAN = SeriesPlan
    RULES = ("seed", "ruleset", "information", "max_turns", "format", "ban", "choose", "scouting",
             "series")
    FIELDS: ClassVar[Fields] = {
        "path": "path", "agents": "names", "answer": str,
        "plan": lambda self: self.lineup.plan.model_dump(exclude={"a", "b", "decks"}),
        "series": "played", "best_of": "lineup.best_of", "rate": "rate", "games": "game_rate",
        "chance": "chance", "scores": "scores", "decks": "decks"}
    lineup: SeriesLineup

    @classmethod
    def _lineup_of(cls, path: Path, plan: SeriesPlan, digest: Any) -> SeriesLineup:
        """Return the stored line-up of a folder: not all agents can be read again."""
        cast = participants.read(path)
        if cast.names != (plan.a, plan.b):
            raise RunError(f"{path / participants.NAME} is damaged: it has other agents")
        place = {deck.name: i for i, deck in enumerate(cast.setting.decks)}
        if strangers := [name for name in (*plan.mine, *plan.theirs) if name not in place]:
            raise RunError(f"{path} is damaged: {participants.NAME} has no deck '{strangers[0]}'")
        return SeriesLineup.checked(
            plan, (plan.a, plan.b), cast.agents, cast.setting.decks,
            [place[name] for name in plan.mine], [place[name] for name in plan.theirs])

    def _clear(self) -> None:
        """Forget all results."""
        self.courses = [*begun(self.lineup)]
        self.moves = list[str]()  # of each game so far, if they are recorded
        self.optimal: Optimal | None = None  # what both know after scouting, if they choose by it
        self._rows, self._results = [], []  # type: list[Array], list[Array]
        self._numbers: list[Array] = []
        self._round, self._at = SeriesRound(*self._first()), 0

    @property
    def left(self) -> Array:
        """Next games, match.PAIRING: the remaining games of the current round."""
        return self._round.rows[self._at:]

    @property
    def rows(self) -> Array:
        """Games so far, match.PAIRING."""
        return np.concatenate([np.zeros(0, match.PAIRING), *self._rows])

    @property
    def results(self) -> Array:
        """Results of the games, match.RESULT, in order."""
        return np.concatenate([np.zeros(0, match.RESULT), *self._results])

    @property
    def done(self) -> int:
        """Number of games played."""
        return sum(map(len, self._rows))

    @property
    def total(self) -> int:
        """Maximum number of games without draws."""
        return self.lineup.most_games if len(self.left) else self.done

    @property
    def scouted(self) -> Array | None:
        """Results of the scouting games, (d, d, 3), by deck numbers. None without them.

        The last axis has the numbers of games lost, drawn and won.
        """
        rows = self.lineup.scouting
        if not len(rows) or self.done < len(rows):
            return None
        counts = np.zeros((len(self.lineup.decks),) * 2 + (3,), np.int64)
        ended = (2 * points_of(self.results[:len(rows)])).astype(np.int64)
        np.add.at(counts, (rows["deck_a"], rows["deck_b"], ended), 1)
        return counts

    @property
    def games(self) -> pd.DataFrame:
        """All games, with the columns of games.csv."""
        return games_table(self.lineup, self._columns(), self.rows, self.results, self.moves)

    def add_block(self, block: PlayedBlock) -> None:
        """Add the next block of games, also to the folder.

        Parameters
        ----------
        block : PlayedBlock
            Games and their results.

        Raises
        ------
        GameError
            If the engine refused a game.
        RunError
            If the folder cannot be written.
        """
        refuse_faults(block.results, block.rows["seed"])
        end = self._at + len(block.rows)
        if self._journal is not None:
            lines = games_table(self.lineup, self._round.numbers[self._at:end], block.rows,
                                block.results, block.moves)
            self._journal.append(lines.to_csv(index=False, header=not self.done).encode())
        self.moves += block.moves
        self._add(block.rows, block.results)

    def _add(self, rows: Array, results: Array) -> None:
        self._rows.append(rows)
        self._results.append(results)
        self._numbers.append(self._round.numbers[self._at:self._at + len(rows)])
        self._at += len(rows)
        if not len(self.left):
            self._finish_round()

    def _finish_round(self) -> None:
        """Count the games of a round, and draw the next one's."""
        points = points_of(self.results[-len(self._round.rows):])
        if self._round.series:
            for course, row, won in zip(self._round.series, self._round.rows, points, strict=True):
                count_game(self.lineup, course, row, float(won))
        else:
            scouted = self.scouted
            assert scouted is not None  # a round without series is one of scouting
            self.optimal = Optimal(self.lineup.plan.format, rates_of(scouted))
            strike_decks(self.lineup, self.courses, self.optimal)
        self._round, self._at = SeriesRound(*next_games(self.lineup, self.courses, self.optimal)), 0

    def _first(self) -> tuple[list[SeriesCourse], Array, Array]:
        scouts = self.lineup.scouting
        if len(scouts):
            return [], scouts, np.zeros((len(scouts), 2), np.int64)
        strike_decks(self.lineup, self.courses, None)
        return next_games(self.lineup, self.courses, None)

    def _columns(self) -> Array:
        return np.concatenate([np.zeros((0, 2), np.int64), *self._numbers])

    def _parse(self, journal: Journal) -> None:
        """Take over the games of a folder. Raises RunError if they are foreign or damaged."""
        table = journal.table((*GAME_COLUMNS, "series", "game"), ("deck_a", "deck_b"))
        results = results_in(table, journal.path)
        names = np.array([deck.name for deck in self.lineup.decks], object)
        at = 0
        while at < len(table) and len(rows := self.left[:len(table) - at]):
            part = table.iloc[at:at + len(rows)]
            same = (np.array_equal(part["seed"], rows["seed"])
                    and np.array_equal(part["deck_a"], names[rows["deck_a"]])
                    and np.array_equal(part["deck_b"], names[rows["deck_b"]]))
            if not same:
                break
            self._add(rows, results[at:at + len(rows)])
            at += len(rows)
        if at < len(table):
            raise RunError(f"{journal.path} is damaged: its games do not belong to these series")
        self.moves = recorded_moves(journal.path, journal.data)

    def _play(self, executor: Executor, on_games: OnGames) -> None:
        """Play the rest of all series, round by round. Raises GameError."""
        while len(rows := self.left):
            for block in play(executor, rows, self.lineup.players, self.lineup.setting):
                self.add_block(block)
                on_games(len(block.rows))

    @property
    def played(self) -> int:
        """Number of finished series."""
        return len(self.series)

    @property
    def series(self) -> pd.DataFrame:
        """One row for each finished series.

        Columns series, games, wins_a, wins_b, draws, points, and with bans struck_a and struck_b.
        The points of the first agent are 1, 0, or 0.5 for a drawn series.
        """
        return series_table(self)

    @property
    def rate(self) -> Estimate:
        """Share of series that the first agent won, with its 95 % interval.

        A drawn series is half a win. NaN until all series are finished.
        """
        if not self.finished:
            return UNKNOWN
        points = 2 * self.series["points"].to_numpy()
        return rate(np.bincount(points.astype(np.int64), minlength=3))

    @property
    def game_rate(self) -> Estimate:
        """Share of games in the series that the first agent won, with a draw as half a win.

        The interval accounts for the dependence of the games of one series (rating.ratio). NaN
        until all series are finished.
        """
        if not self.finished:
            return UNKNOWN
        table = self.series
        points = table["wins_a"] + table["draws"] / 2
        return ratio(points.to_numpy(), table["games"].to_numpy())

    @property
    def chance(self) -> Estimate | None:
        """Probability that the first agent wins a series with optimal choices, with its interval.

        Both players choose optimally. The probability is computed from the rates of the scouting
        games and their uncertainty. None without scouting games.
        """
        scouted, own = self.scouted, self.lineup
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
        """Final scores of series: columns wins_a, wins_b, series, share, share_low, share_high."""
        table = self.series.groupby(["wins_a", "wins_b"]).size().rename("series").reset_index()
        table = table.sort_values(["wins_a", "wins_b"], ascending=[False, True], ignore_index=True)
        low, high = wilson(table["series"], [self.played] * len(table))
        return table.assign(share=table["series"] / self.played, share_low=low, share_high=high)

    @property
    def decks(self) -> pd.DataFrame:
        """Games of the series by decks: one row for each deck of a and deck of b that met.

        Columns deck_a, deck_b, games, rate (of a), rate_low, rate_high. With scouting games, also
        scouted, scouted_low and scouted_high, the rate in these games.
        """
        table = self.games
        table = table.assign(points=table["wins_a"] + table["draws"] / 2)
        rates = _by_decks(table[table["series"] > 0])
        decks = [deck.name for deck in self.lineup.decks]
        rates = rates.sort_values(["deck_a", "deck_b"], key=lambda names: names.map(decks.index),
                                  ignore_index=True)
        scouts = _by_decks(table[table["series"] == 0], "scouted").drop(columns="games")
        if len(scouts) and self.finished:
            rates = rates.merge(scouts, "left", ["deck_a", "deck_b"], validate="1:1")
        return rates

    def __str__(self) -> str:
        """Return the better agent with these line-ups, and the format, in words."""
        lineup, estimate = self.lineup, self.rate
        a, b = (short_names(self.names)[name] for name in self.names)
        if not self.finished:
            return (f"{a} against {b}: {self.played:,} of {lineup.plan.series:,} series are"
                    " finished. Short series finish first, so the result is known only when all"
                    " are")
        says = f"{a} and {b} can't be told apart"
        if estimate.low > 0.5 or estimate.high < 0.5:
            says = f"{a} is {'better' if estimate.low > 0.5 else 'worse'} than {b}"
        return (f"{says}: {estimate.percent(1)} of {self.played:,} series, best of"
                f" {lineup.best_of}, {lineup.plan.format}"
                f"{', with bans' if lineup.plan.ban else ''}")

    def __repr__(self) -> str:
        return str(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables of the finished folder: series, scores and decks.

        Returns
        -------
        dict of str to pandas.DataFrame
            The tables.
        """
        return {"series": self.series, "scores": self.scores, "decks": self.decks}

    def save(self, path: str | Path) -> Path:
        """Write a folder as `hsevo.series` does with `out`, which `hsevo.open_series` opens.

        Parameters
        ----------
        path : str or Path
            New folder.

        Returns
        -------
        Path
            Path of the folder.

        Raises
        ------
        RunError
            If the series are not finished, or the folder cannot be written.
        AgentError
            If an agent cannot be stored.
        """
        if not self.finished:
            raise RunError(f"{self.played} of {self.lineup.plan.series} series are finished, but"
                           " unfinished series can't be saved; use out=DIR, which can be resumed")
        return super().save(path)


def series_table(record: Series) -> pd.DataFrame:
    """Return a line per series that is over.

    Columns series, games, wins_a, wins_b, draws (of games), points (a's of the series: 1, 0, or 0.5
    if its games were drawn more than MOST_REPLAYED times), and with bans struck_a and struck_b (the
    deck of each that the other struck).
    """
    names = [deck.name for deck in record.lineup.decks]
    bans = ["struck_a", "struck_b"] if record.lineup.plan.ban else []
    lines = []
    for course in record.courses:
        if course.points is None:
            continue
        wins_a, wins_b = course.score
        struck = {} if course.struck is None else {
            "struck_a": names[course.struck[0]], "struck_b": names[course.struck[1]]}
        lines.append({"series": course.number, "games": len(course.games), "wins_a": wins_a,
                      "wins_b": wins_b, "draws": len(course.games) - wins_a - wins_b,
                      "points": course.points} | struck)
    return pd.DataFrame(lines, columns=[*SERIES_COLUMNS, *bans])


def _by_decks(games: pd.DataFrame, name: str = "rate") -> pd.DataFrame:
    """Return a line per deck of a and deck of b that met: a's rate as `name`, and its ends."""
    by = games.groupby(["deck_a", "deck_b"], sort=False)["points"]
    counts = {pair: np.bincount((2 * points).astype(np.int64), minlength=3)
              for pair, points in by}
    return pd.DataFrame({"deck_a": [deck for deck, _ in counts],
                         "deck_b": [deck for _, deck in counts],
                         "games": [int(count.sum()) for count in counts.values()],
                         **estimate_columns(name, [rate(count) for count in counts.values()])})


SeriesResult = Series  # its name before version 0.6


def series(a: AgentLike, b: AgentLike, series: int = 1000, *,
           mine: DeckLike | Iterable[DeckLike] = CIG2018,
           theirs: DeckLike | Iterable[DeckLike] | None = None, out: str | Path | None = None,
           progress: Progress = False, **fields: Unpack[SeriesFields]) -> Series:
    """Play tournament series: best of 2 n - 1, with line-ups of n decks.

    Parameters
    ----------
    a, b : agent
        Agents in any form that `hsevo.Agent` accepts.
    series : int, default 1000
        Number of series.
    mine, theirs : deck or iterable of decks
        Decks of `a` and `b`, at most one of each class. Default: the three decks of CIG2018 for
        `a`, and the same decks for `b`.
    out : str or Path, optional
        Folder for the games, from which `hsevo.replay` replays any game. Repeat the call to
        continue stopped series.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : SeriesFields
        `format` ("conquest", the default: a deck that has won is out, and a player wins by winning
        with each deck, "last-hero-standing": a deck that has lost is out, and the winner's deck
        plays on), `ban` (True: each player first bans a deck of the other, and the series is a best
        of 2 n - 3), `choose` ("uniform": choices of decks and bans are random, "best": they are
        optimal for the rates of scouting games), `scouting` (default 200, scouting games of every
        deck against every deck), `seed`, `ruleset`, `information`, `max_turns`, `workers` and
        `backend`, as in `hsevo.match`.

    Returns
    -------
    Series
        Result, with 95 % intervals.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Notes
    -----
    A drawn game is replayed with the same decks. A series with more than 20 draws is drawn. The
    seed of a game determines the player who begins.

    Examples
    --------
    >>> ours = hsevo.series("greedy:metastone", "eva:2018", 200, mine=["mage", "shaman"],
    ...                     theirs=["warrior", "mage"], choose="best", scouting=20)
    >>> len(ours.series), 0 < ours.chance.value < 1
    (200, True)
    """
    settings, worker_fields = parted("series", SeriesFields, fields)
    own, workers = each_deck(mine), workers_of(**worker_fields)
    lineup = _lineup((Agent(a), Agent(b)), own, own if theirs is None else each_deck(theirs),
                     {"series": series, **settings})
    return play_out(Series(lineup, None if out is None else Path(out)), workers, progress)


def open_series(path: str | Path) -> Series:
    """Open the folder of finished series.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Returns
    -------
    Series
        Result, from the stored games.

    Raises
    ------
    RunError
        If the folder has no finished series, or is damaged.
    ConfigError
        If series.yaml is damaged.

    Examples
    --------
    >>> hsevo.series("greedy:metastone", "random", 20, out="runs/series").played
    20
    >>> hsevo.open_series("runs/series").played
    20
    """
    return Series.open_finished(path)


def _lineup(agents: tuple[Agent, Agent], mine: list[DeckLike], theirs: list[DeckLike],
            settings: dict[str, Any]) -> SeriesLineup:
    """Return the players and their decks. Raises AgentError, DeckError, ConfigError."""
    for agent in agents:
        if agent.deck is not None:
            raise AgentError(f"'{agent.name}' already has a deck; remove @DECK and set line-ups"
                             " (mine, theirs)")
    decks, named = merged([], [*as_decks(mine), *as_decks(theirs)])
    place = {deck.name: i for i, deck in enumerate(decks)}
    own, others = named[:len(mine)], named[len(mine):]
    names = agents[0].name, agents[1].name
    plan = config.check(SeriesPlan, {"a": names[0], "b": names[1], "decks": [*place], "mine": own,
                               "theirs": others, **settings}, ARGUMENTS)
    players = joined([agent._named.on(decks) for agent in agents], len(decks))
    return SeriesLineup.checked(plan, names, players, decks, [place[name] for name in own],
                                [place[name] for name in others])
