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
from hsevo.strength.contest import Contest
from hsevo.strength.lineup import GAME_COLUMNS, estimate_columns, play
from hsevo.strength.matchups import RESAMPLES, drawn_shares, interval, rates_of
from hsevo.strength.rating import UNKNOWN, Estimate, rate, ratio
from hsevo.strength.roster import merged
from hsevo.types import Array


class Series(Contest):
    """Series of two agents; `path` is their folder, if they have one.

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
        """Return the line-up that a folder keeps: not all agents can be read anew."""
        kept = participants.read(path)
        if kept.names != (plan.a, plan.b):
            raise RunError(f"{path / participants.NAME} is damaged: it has other agents")
        place = {deck.name: i for i, deck in enumerate(kept.setting.decks)}
        if strangers := [name for name in (*plan.mine, *plan.theirs) if name not in place]:
            raise RunError(f"{path} is damaged: {participants.NAME} has no deck '{strangers[0]}'")
        return SeriesLineup.checked(
            plan, (plan.a, plan.b), kept.agents, kept.setting.decks,
            [place[name] for name in plan.mine], [place[name] for name in plan.theirs])

    def _clear(self) -> None:
        """Forget all results."""
        self.courses = [*begun(self.lineup)]
        self.moves = list[str]()  # of each game so far, if they are recorded
        self.optimal: Optimal | None = None  # what both know once it was scouted, if they choose so
        self._rows, self._results = [], []  # type: list[Array], list[Array]
        self._numbers: list[Array] = []
        self._round, self._at = SeriesRound(*self._first()), 0

    @property
    def left(self) -> Array:
        """The games that come next, match.PAIRING: those of the round that goes on."""
        return self._round.rows[self._at:]

    @property
    def rows(self) -> Array:
        """The games so far, match.PAIRING."""
        return np.concatenate([np.zeros(0, match.PAIRING), *self._rows])

    @property
    def results(self) -> Array:
        """What came of them, match.RESULT, in order."""
        return np.concatenate([np.zeros(0, match.RESULT), *self._results])

    @property
    def done(self) -> int:
        """How many games were played."""
        return sum(map(len, self._rows))

    @property
    def total(self) -> int:
        """How many games there are at most, but for draws."""
        return self.lineup.most_games if len(self.left) else self.done

    @property
    def scouted(self) -> Array | None:
        """The games that scouted, (d, d, 3): lost, drawn and won, by the numbers of decks; or None.
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
        """Every game, as games.csv has it."""
        return games_table(self.lineup, self._columns(), self.rows, self.results, self.moves)

    def add_block(self, block: PlayedBlock) -> None:
        """Add the next games that were played, also to the journal. Raises GameError, RunError."""
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
            for one, row, won in zip(self._round.series, self._round.rows, points, strict=True):
                count_game(self.lineup, one, row, float(won))
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
        """Take over the games of a folder. Raises RunError if they are others, or damaged."""
        table = journal.table((*GAME_COLUMNS, "series", "game"), ("deck_a", "deck_b"))
        ends = table[["wins_a", "wins_b", "draws", "faults"]]
        if not (ends.isin([0, 1]).all(axis=None) and (ends.sum(axis=1) == 1).all()):
            raise RunError(f"{journal.path} is damaged: a game does not have exactly one result")
        results = np.zeros(len(table), match.RESULT)
        for name in GAME_COLUMNS:
            results[name] = table[name]
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
            raise RunError(f"{journal.path} is damaged: its games are not those of these series")
        self.moves = recorded_moves(journal.path)[:len(table)]

    def _play(self, executor: Executor, on_games: OnGames) -> None:
        """Play what is left of all series, round by round. Raises GameError."""
        while len(rows := self.left):
            for block in play(executor, rows, self.lineup.players, self.lineup.setting):
                self.add_block(block)
                on_games(len(block.rows))

    @property
    def played(self) -> int:
        """How many series are over."""
        return len(self.series)

    @property
    def finished(self) -> bool:
        """Whether all series are over; if they were stopped, the short ones are over first."""
        return not len(self.left)

    @property
    def series(self) -> pd.DataFrame:
        """A line per series: columns series, games, wins_a, wins_b, draws, points, and struck_a and
        struck_b with bans; points are the first agent's: 1, 0, or 0.5 for a drawn series."""
        return series_table(self)

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
        decks = [deck.name for deck in self.lineup.decks]
        made = made.sort_values(["deck_a", "deck_b"], key=lambda names: names.map(decks.index),
                                ignore_index=True)
        scouts = _by_decks(table[table["series"] == 0], "scouted").drop(columns="games")
        if len(scouts) and self.finished:
            made = made.merge(scouts, "left", ["deck_a", "deck_b"], validate="1:1")
        return made

    def __str__(self) -> str:
        """Say who is better with these line-ups, and in which format."""
        lineup, found = self.lineup, self.rate
        a, b = (short_names(self.names)[name] for name in self.names)
        if not self.finished:
            return (f"{a} against {b}: {self.played:,} of {lineup.plan.series:,} series are over,"
                    " the short ones first; who is better shows when all are")
        says = f"{a} and {b} can't be told apart"
        if found.low > 0.5 or found.high < 0.5:
            says = f"{a} is {'better' if found.low > 0.5 else 'worse'} than {b}"
        return (f"{says}: {found.percent(1)} of {self.played:,} series, best of {lineup.best_of},"
                f" {lineup.plan.format}{', with bans' if lineup.plan.ban else ''}")

    def __repr__(self) -> str:
        return str(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables series, scores and decks."""
        return {"series": self.series, "scores": self.scores, "decks": self.decks}

    def save(self, path: str | Path) -> Path:
        """Write a folder as `series` does with `out`, which `open_series` opens.

        Raises RunError, also if the series were stopped; AgentError.
        """
        if not self.finished:
            raise RunError(f"{self.played} of {self.lineup.plan.series} series are over, and only"
                           " finished ones are saved; play them with out=DIR, which goes on where"
                           " it was stopped")
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
    for one in record.courses:
        if one.points is None:
            continue
        wins_a, wins_b = one.score
        struck = {} if one.struck is None else {
            "struck_a": names[one.struck[0]], "struck_b": names[one.struck[1]]}
        lines.append({"series": one.number, "games": len(one.games), "wins_a": wins_a,
                      "wins_b": wins_b, "draws": len(one.games) - wins_a - wins_b,
                      "points": one.points} | struck)
    return pd.DataFrame(lines, columns=[*SERIES_COLUMNS, *bans])


def _by_decks(games: pd.DataFrame, name: str = "rate") -> pd.DataFrame:
    """Return a line per deck of a and deck of b that met: a's rate as `name`, and its ends."""
    by = games.groupby(["deck_a", "deck_b"], sort=False)["points"]
    counts = {pair: np.bincount((2 * points).astype(np.int64), minlength=3)
              for pair, points in by}
    return pd.DataFrame({"deck_a": [one for one, _ in counts], "deck_b": [one for _, one in counts],
                         "games": [int(one.sum()) for one in counts.values()],
                         **estimate_columns(name, [rate(one) for one in counts.values()])})


SeriesResult = Series  # its name before version 0.6


def series(a: AgentLike, b: AgentLike, series: int = 1000, *,
           mine: DeckLike | Iterable[DeckLike] = CIG2018,
           theirs: DeckLike | Iterable[DeckLike] | None = None, out: str | Path | None = None,
           progress: Progress = False, **fields: Unpack[SeriesFields]) -> Series:
    """Play series, best of 2 n - 1 with line-ups of n decks, as tournaments do.

    mine, theirs: the decks of a and of b, one of a class at most; theirs are by default the same.
    out: a folder for the games, from which `hsevo.replay` plays any again; series that were stopped
    continue with the same call. A drawn game is played again with the same decks; a series with
    more than 20 of them is drawn. The seed of a game draws who begins.

    fields: format="conquest" (a deck that has won is out, and who has won with each wins) or
    "last-hero-standing" (a deck that has lost is out, the winner's plays on); ban=True: each first
    strikes a deck of the other, and the series is a best of 2 n - 3; choose="uniform": decks are
    chosen at random of those that may play, and struck at random; "best": both first see
    scouting=200 games of every deck against every deck, and choose and strike optimally for these
    rates; and seed, ruleset, information, max_turns, workers and backend, as of `match`.

    Raises AgentError, DeckError, ConfigError, CardError, RunError.

    >>> ours = hsevo.series("greedy:metastone", "eva:2018", 200, mine=["mage", "shaman"],
    ...                     theirs=["warrior", "mage"], choose="best", scouting=20)
    >>> len(ours.series), 0 < ours.chance.value < 1
    (200, True)
    """
    given, team = parted("series", SeriesFields, fields)
    own, workers = each_deck(mine), workers_of(**team)
    lineup = _lineup((Agent(a), Agent(b)), own, own if theirs is None else each_deck(theirs),
                     {"series": series, **given})
    return play_out(Series(lineup, None if out is None else Path(out)), workers, progress)


def open_series(path: str | Path) -> Series:
    """Open a folder of finished series: their result, from the games that are stored there.

    Raises RunError, and ConfigError for a damaged series.yaml.

    >>> hsevo.series("greedy:metastone", "random", 20, out="runs/series").played
    20
    >>> hsevo.open_series("runs/series").played
    20
    """
    found = Series.open(path)
    if not found.finished:
        raise RunError(f"{path} is not a finished series of hsevo: it was stopped, and the same"
                       " call of hsevo.series continues it")
    return found


def _lineup(agents: tuple[Agent, Agent], mine: list[DeckLike], theirs: list[DeckLike],
            given: dict[str, Any]) -> SeriesLineup:
    """Return who plays which decks. Raises AgentError, DeckError, ConfigError."""
    for one in agents:
        if one.deck is not None:
            raise AgentError(f"'{one.name}' has a deck of its own; name line-ups instead (mine,"
                             " theirs)")
    decks, named = merged([], [*as_decks(mine), *as_decks(theirs)])
    place = {deck.name: i for i, deck in enumerate(decks)}
    own, others = named[:len(mine)], named[len(mine):]
    names = agents[0].name, agents[1].name
    plan = config.check(SeriesPlan, {"a": names[0], "b": names[1], "decks": [*place], "mine": own,
                               "theirs": others, **given}, ARGUMENTS)
    players = joined([agent._named.on(decks) for agent in agents], len(decks))
    return SeriesLineup.checked(plan, names, players, decks, [place[name] for name in own],
                                [place[name] for name in others])
