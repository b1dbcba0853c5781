"""`hsevo.meta`, decks against decks, and `hsevo.nerf`, what changed cards do to them.

A metagame says what it settles on, and which line-ups are best:

    DIR/pilots/    an arena of all pilots with all decks, if several pilots are given
    DIR/matrix/    an arena of all decks, each under its pilot

A change of cards is measured on the same seeds:

    DIR/before/    decks against decks as they are (hsevo.meta)
    DIR/after/     the same games with the changed cards
    DIR/evolved/   decks that evolved before and after, if they did (re_evolving.py)
    DIR/changes.csv, DIR/matchups.csv    each deck, and each match-up, before and after
    DIR/evolved.csv    the best decks that evolved
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, comb
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo import config
from hsevo.cards import tables
from hsevo.cards.decks import Deck, DeckLike, each_deck
from hsevo.config.contests import ContestSettings, NerfSettings
from hsevo.config.overlays import FACTS, is_overlay, parts, written
from hsevo.errors import AgentError, ConfigError, DeckError, did_you_mean, quoted
from hsevo.experiments.playing import ARGUMENTS, Progress, parted, workers_of
from hsevo.files import check_path, refuse_full
from hsevo.generated import NerfFields, RulesFields
from hsevo.metagame import lineups
from hsevo.metagame.balance import change_cells, change_table, class_table, joint_counts
from hsevo.metagame.re_evolving import EVOLVED, NERF_GAMES, refuse_idle, searches
from hsevo.objects import RULES, Fields
from hsevo.play.tournament import write_table
from hsevo.seeds import MOST_SEED, Stream, derive
from hsevo.strength.agents import Agent, AgentLike, as_agents
from hsevo.strength.comparing import arena_of, lineup_of, play_out
from hsevo.strength.contest import Arena
from hsevo.strength.matchups import RESAMPLES, Matchups, interval, matchups_of, mixture_table
from hsevo.strength.rating import Estimate
from hsevo.strength.roster import contents, split_deck

MATRIX, PILOTS, CONQUEST = "matrix", "pilots", "conquest"
MOST_LINEUPS = 5_000  # of a search: a second for each of the field
BEST, TIMES = 10, 200  # line-ups of a search that get intervals; resamples for these


@dataclass(frozen=True)
class Metagame:
    """Hold the results of decks against decks, from the games of an arena.

    Attributes
    ----------
    arena : Arena
        The games.
    pilots : Arena or None
        Games that selected the pilot of each deck, if several pilots were given.
    path : Path or None
        Folder of the games, if there is one.

    Examples
    --------
    >>> found = hsevo.meta(["mage", "shaman", "warrior"], "greedy:metastone", 36)
    >>> found.best_lineups([["mage", "shaman"]], resamples=20)["lineup"].size
    3
    """

    FIELDS: ClassVar[Fields] = {
        "path": "path",
        "plan": {name: f"arena.lineup.plan.{name}" for name in RULES if name != "decks"},
        "games": "arena.done", "decks": "table", "matchups": "cells"}

    arena: Arena
    pilots: Arena | None = None
    path: Path | None = None

    @cached_property
    def matchups(self) -> Matchups:
        """The decks, and the pairs of games between them.

        Raises
        ------
        DeckError
            If the agents of the arena do not play one deck each.
        """
        return matchups_of(self.arena)

    @property
    def decks(self) -> tuple[str, ...]:
        """Names of the decks."""
        return self.matchups.decks

    def matrix(self, values: str = "rate") -> pd.DataFrame:
        """Return the win rates of each deck against each deck as a table.

        Parameters
        ----------
        values : {"rate", "rate_low", "rate_high", "games", "text"}, default "rate"
            Cells, as in `crosstab` of `hsevo.arena`.

        Returns
        -------
        pandas.DataFrame
            The table.

        Raises
        ------
        ConfigError
            If `values` has another value.
        """
        table = self.arena.crosstab("agents", values)
        names = dict(zip(self.arena.lineup.names, self.decks, strict=True))
        return table.rename(index=names, columns=names).rename_axis(index="deck")

    @property
    def cells(self) -> pd.DataFrame:
        """One row for each match-up.

        Columns deck, opponent, games, rate, rate_low, rate_high, pairs_0, pairs_0.5, pairs_1,
        pairs_1.5 and pairs_2 (pairs of games by points of the deck).
        """
        names = dict(zip(self.arena.lineup.names, self.decks, strict=True))
        table = self.arena.pairs.rename(columns={"agent": "deck"})
        table[["deck", "opponent"]] = table[["deck", "opponent"]].replace(names)
        return table[["deck", "opponent", "games", "rate", "rate_low", "rate_high",
                      *(f"pairs_{points:g}" for points in (0, 0.5, 1, 1.5, 2))]]

    @property
    def table(self) -> pd.DataFrame:
        """One row for each deck, the best first.

        Columns deck, class, pilot, rate, rate_low, rate_high, games. The rate is over all other
        decks with equal weight.
        """
        lineup, ratings = self.arena.lineup, self.arena.ratings.set_index("agent")
        columns = ["rate", "rate_low", "rate_high", "games"]
        lines = [{"deck": deck, "class": cls, "pilot": split_deck(name)[0],
                  **ratings.loc[name, columns]}
                 for name, deck, cls in zip(lineup.names, self.decks, self.matchups.classes,
                                            strict=True)]
        table = pd.DataFrame(lines).astype({"games": int})
        return table.sort_values("rate", ascending=False, kind="stable", ignore_index=True)

    def nash(self, resamples: int = RESAMPLES, seed: int = 1) -> pd.DataFrame:
        """Return the Nash mixture of the decks, alpha-rank and soft Condorcet.

        Parameters
        ----------
        resamples : int, optional
            Bootstrap resamples of the match-ups.
        seed : int, default 1
            Seed of the resamples.

        Returns
        -------
        pandas.DataFrame
            One row for each deck. Columns deck, share (of the mixture), share_low, share_high (95 %
            interval over resamples), kept (share of resamples in which the deck is in the mixture),
            rate (against the mixture), rate_low, rate_high, alpha_rank, soft_condorcet (a rating, 0
            to 100, that minimises the number of games in the wrong order).

        Raises
        ------
        ConfigError
            If an argument is invalid.

        Examples
        --------
        >>> found = hsevo.meta(["mage", "shaman", "warrior"], "greedy:metastone", 36)
        >>> float(found.nash()["share"].sum())
        1.0
        """
        resamples = config.whole("resamples", resamples, 10, 100_000)
        return mixture_table(self.matchups, resamples, config.whole("seed", seed, 0, MOST_SEED))

    def lineup(self, mine: Iterable[str], theirs: Iterable[str], *, format: str = CONQUEST,
               ban: bool = False, resamples: int = RESAMPLES, seed: int = 1) -> Estimate:
        """Return the probability that one line-up beats another, if both choose optimally.

        A match with n decks, not counting banned decks, is a best of 2 n - 1. Both players choose
        decks and bans optimally.

        Parameters
        ----------
        mine, theirs : iterable of str
            Names of decks of the matrix, the same number in each.
        format : {"conquest", "last-hero-standing"}, default "conquest"
            Format, as in `hsevo.series`.
        ban : bool, default False
            Each player first bans a deck of the other.
        resamples : int, optional
            Bootstrap resamples of the match-ups, for the interval.
        seed : int, default 1
            Seed of the resamples.

        Returns
        -------
        Estimate
            The probability, with a 95 % interval.

        Raises
        ------
        DeckError
            If a deck is not in the matrix.
        ConfigError
            If an argument is invalid.

        Examples
        --------
        >>> found = hsevo.meta(["mage", "shaman", "warrior"], "greedy:metastone", 36)
        >>> found.lineup(["mage", "shaman"], ["shaman", "mage"]).value
        0.5
        """
        own, opposing = (self._lineup(names, format, ban) for names in (mine, theirs))
        _refuse_sizes([opposing], len(own))
        met = np.ix_(own, opposing)
        drawn = self._resampled(resamples, seed)[:, met[0], met[1]]
        low, high = interval(lineups.chances(drawn, len(own), ban, format)[:, 0, 0])
        value = float(lineups.chances(self.matchups.rates[met], len(own), ban, format)[0, 0])
        return Estimate(value, min(value, float(low)), max(value, float(high)))

    def bans(self, mine: Iterable[str], theirs: Iterable[str], *,
             format: str = CONQUEST) -> pd.DataFrame:
        """Return the optimal bans against each of two line-ups.

        Parameters
        ----------
        mine, theirs : iterable of str
            Names of decks of the matrix, the same number in each.
        format : {"conquest", "last-hero-standing"}, default "conquest"
            Format, as in `hsevo.series`.

        Returns
        -------
        pandas.DataFrame
            One row for each deck of both line-ups. Columns side, deck, share (probability that an
            optimal opponent bans the deck).

        Raises
        ------
        DeckError
            If a deck is not in the matrix.
        ConfigError
            If an argument is invalid.
        """
        own, opposing = (self._lineup(names, format, True) for names in (mine, theirs))
        _refuse_sizes([opposing], len(own))
        struck = lineups.bans(self.matchups.rates[np.ix_(own, opposing)], format)
        lines = [("mine", deck, share) for deck, share in zip(own, struck[1], strict=True)]
        lines += [("theirs", deck, share) for deck, share in zip(opposing, struck[0], strict=True)]
        return pd.DataFrame([{"side": side, "deck": self.decks[deck], "share": float(share)}
                             for side, deck, share in lines])

    def best_lineups(self, field: Sequence[Iterable[str]], *, decks: Iterable[str] | None = None,
                     format: str = CONQUEST, ban: bool = False, any_class: bool = False,
                     resamples: int = TIMES, seed: int = 1) -> pd.DataFrame:
        """Return the ten best line-ups against a metagame of line-ups, the best first.

        Parameters
        ----------
        field : sequence of iterable of str
            Opposing line-ups, equally likely, with the same number of decks.
        decks : iterable of str, optional
            Decks for the line-ups. Default: all decks of the matrix.
        format : {"conquest", "last-hero-standing"}, default "conquest"
            Format, as in `hsevo.series`.
        ban : bool, default False
            Each player first bans a deck of the other.
        any_class : bool, default False
            Allow several decks of one class, which tournaments do not.
        resamples : int, optional
            Bootstrap resamples of the match-ups.
        seed : int, default 1
            Seed of the resamples.

        Returns
        -------
        pandas.DataFrame
            Columns lineup, rate, rate_low, rate_high, best (share of resamples in which it is the
            best of the ten).

        Raises
        ------
        DeckError
            If a deck is not in the matrix.
        ConfigError
            If an argument is invalid.

        Notes
        -----
        The rate of the best of many line-ups is subject to selection bias, which its interval does
        not include. For an unbiased estimate, play new games of its decks and call `lineup`.
        """
        rivals = [self._lineup(lineup, format, ban) for lineup in config.in_order("field", field)]
        if not rivals:
            raise DeckError("field is empty; name at least one line-up")
        size = len(rivals[0])
        _refuse_sizes(rivals, size)
        candidates = self._possible(decks, size, None if any_class else self.matchups.classes)
        drawn = self._resampled(resamples, seed)
        rates = lineups.against(self.matchups.rates, candidates, rivals, ban, format)
        order = np.argsort(-rates, kind="stable")[:BEST]
        resampled = np.concatenate([lineups.against(drawn, [candidates[i]], rivals, ban, format)
                                    for i in order], axis=1)
        low, high = interval(resampled)
        best = np.bincount(resampled.argmax(axis=1), minlength=len(order)) / len(resampled)
        return pd.DataFrame({
            "lineup": [", ".join(self.decks[deck] for deck in candidates[i]) for i in order],
            "rate": rates[order], "rate_low": low, "rate_high": high, "best": best})

    def _resampled(self, resamples: int, seed: int) -> Any:
        resamples = config.whole("resamples", resamples, 10, 100_000)
        return self.matchups.resampled(resamples, config.whole("seed", seed, 0, MOST_SEED))

    def _lineup(self, names: Iterable[str], format: str, ban: bool) -> list[int]:
        """Return the numbers of a line-up's decks. Raises DeckError, ConfigError."""
        if format not in lineups.RULES:
            raise ConfigError(f"format is {quoted(format)}, but must be"
                              f" {' or '.join(lineups.RULES)}{did_you_mean(format, lineups.RULES)}")
        named = [str(name) for name in each_deck(names)]
        numbers = self.matchups.named(named)
        if len({*numbers}) < len(numbers):
            raise DeckError(f"a line-up has {max(named, key=named.count)} twice")
        if not 1 + ban <= len(numbers) <= lineups.MOST:
            raise DeckError(f"a line-up{' with a ban' if ban else ''} has {1 + ban} to"
                            f" {lineups.MOST} decks, not {len(numbers)}")
        return numbers

    def _possible(self, decks: Iterable[str] | None, size: int,
                  classes: Sequence[str] | None) -> list[lineups.Lineup]:
        """Return the line-ups of some decks, all by default. Raises DeckError."""
        own = sorted(self.matchups.named([str(name) for name in each_deck(
            self.decks if decks is None else decks)]))
        if (many := comb(len(own), size)) > MOST_LINEUPS:
            raise DeckError(f"{len(own)} decks have {many:,} line-ups of {size}, and at most"
                            f" {MOST_LINEUPS:,} are compared; give fewer decks")
        candidates = lineups.possible(own, size, classes)
        if not candidates:
            raise DeckError(f"no line-up of {size} decks can be made of {len(own)} decks"
                            + ("" if classes is None else ", each of another class"))
        return candidates


def _refuse_sizes(others: Iterable[Sequence[int]], size: int) -> None:
    for lineup in others:
        if len(lineup) != size:
            raise DeckError(f"line-ups have {size} and {len(lineup)} decks, but need the same"
                            " number of decks")


def meta(decks: DeckLike | Iterable[DeckLike], pilots: AgentLike | Iterable[AgentLike] = "eva:2018",
         games: int = 360, *, out: str | Path | None = None, progress: Progress = False,
         **fields: Unpack[RulesFields]) -> Metagame:
    """Play decks against decks, every two from both seats.

    Parameters
    ----------
    decks : iterable of decks
        Two or more decks, in any form.
    pilots : agent or iterable of agents, default "eva:2018"
        Agent that plays all decks. Of several agents, each deck gets the agent that is best with
        it, in games of all agents with all decks that are not part of the matrix.
    games : int, default 360
        Minimum number of games of every two decks.
    out : str or Path, optional
        Folder for all games, which `hsevo.open_meta` reads. Repeat the call to continue a stopped
        matrix. Pilots then need specs, and decks need names.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : RulesFields
        Rules and workers: `seed`, `ruleset`, `information`, `max_turns`, `workers` and `backend`,
        as in `hsevo.match`.

    Returns
    -------
    Metagame
        Tables and solution concepts.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> found = hsevo.meta(["mage", "shaman", "warrior"], "greedy:metastone", 36)
    >>> found.matrix().round(2).loc["mage", "mage"]
    np.float64(nan)
    >>> found.table.columns.tolist()
    ['deck', 'class', 'pilot', 'rate', 'rate_low', 'rate_high', 'games']
    """
    path = Path(out) if out is not None else None
    refuse_other(path, (MATRIX, PILOTS))
    settings, run_options = parted("meta", RulesFields, fields)
    rules = config.check(ContestSettings, {"games": games, **settings}, ARGUMENTS).rules
    run_options["progress"] = progress
    chosen, tried = chosen_pilots(decks, pilots, rules, path, run_options)
    return Metagame(arena_in(path and path / MATRIX, chosen, rules, run_options), tried, path)


def refuse_other(path: Path | None, names: Iterable[str]) -> None:
    """Raise RunError for a folder that has something in it, but nothing of these names."""
    if path is not None:
        check_path(path)
        if not any((path / name).exists() for name in names):
            refuse_full(path)


def chosen_pilots(decks: DeckLike | Iterable[DeckLike], pilots: AgentLike | Iterable[AgentLike],
                  rules: dict[str, Any], path: Path | None, run_options: dict[str, Any]
                  ) -> tuple[list[Agent], Arena | None]:
    """Return each deck in the hands of its pilot, and the games that chose it, of several.

    Raises AgentError, DeckError and what `arena_in` raises.
    """
    listed, able = each_once(decks), as_agents(pilots)
    if not able:
        raise AgentError("name an agent that plays the decks, such as eva:2018")
    if len(able) == 1:
        return [_on(able[0], deck) for deck in listed], None
    tried = _tried(able, listed, rules, path, run_options)
    return _best(able, listed, tried), tried


def each_once(decks: DeckLike | Iterable[DeckLike]) -> list[DeckLike]:
    """Return two or more different decks. Raises DeckError."""
    listed = each_deck(decks)
    if len(listed) < 2:
        raise DeckError(f"name at least two decks{f': {listed[0]} is one' if listed else ''}")
    known: dict[object, DeckLike] = {}
    for deck in listed:
        same = known.setdefault(contents(Deck(deck)), deck)
        if same is not deck:
            raise DeckError(f"{Deck(same).name} and {Deck(deck).name} are the same deck; remove"
                            " one")
    return listed


def _on(pilot: Agent, deck: DeckLike) -> Agent:
    if pilot.deck is not None:
        raise AgentError(f"pilot '{pilot.name}' already has a deck; remove @DECK")
    return Agent(pilot, deck=deck)


def _tried(pilots: Sequence[Agent], decks: Sequence[DeckLike], rules: dict[str, Any],
           path: Path | None, run_options: dict[str, Any]) -> Arena:
    """Play all pilots with all decks, with seeds of their own."""
    everyone = [_on(pilot, deck) for deck in decks for pilot in pilots]
    fewer = max(2, ceil(rules["games"] / len(pilots) ** 2))
    own_seed = int(derive((rules["seed"], 2, Stream.ARENA))[0])
    return arena_in(path and path / PILOTS, everyone,
                    {**rules, "games": fewer, "seed": own_seed}, run_options)


def _best(pilots: Sequence[Agent], decks: Sequence[DeckLike], tried: Arena) -> list[Agent]:
    """Return each deck with the pilot that won most with it; of equal pilots, the first named."""
    rates = tried.ratings.set_index("agent")["rate"]
    able = [[_on(pilot, deck) for pilot in pilots] for deck in decks]
    return [max(those, key=lambda agent: float(rates[agent.name])) for those in able]


def arena_in(path: Path | None, agents: Sequence[Agent], rules: dict[str, Any],
             run_options: dict[str, Any]) -> Arena:
    """Play an arena, or what is left of it in its folder. Raises RunError for another one's.

    path: its folder; None: none. run_options: workers, backend and progress.
    """
    workers = {key: value for key, value in run_options.items() if key != "progress"}
    return play_out(arena_of(path, agents, **rules), workers_of(**workers), run_options["progress"])


def open_meta(path: str | Path) -> Metagame:
    """Open the folder of a metagame, or of any finished arena whose agents each play one deck.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Returns
    -------
    Metagame
        Result, from the stored games.

    Raises
    ------
    RunError
        If the folder has no finished arena, or is damaged.
    ConfigError
        If the plan in the folder is damaged.
    AgentError
        If an agent is unknown, damaged or unable to play here.
    DeckError
        If a deck is unknown or invalid.

    Examples
    --------
    >>> made = hsevo.meta(["mage", "shaman"], "greedy:metastone", 36, out="runs/two").decks
    >>> hsevo.open_meta("runs/two").decks == made
    True
    """
    folder = Path(path)
    check_path(folder)
    inside = folder / MATRIX
    tried = Arena.open_finished(folder / PILOTS) if (folder / PILOTS).exists() else None
    metagame = Metagame(
        Arena.open_finished(inside if inside.exists() else folder), tried, folder)
    _ = metagame.matchups  # refuses an arena that is no matrix
    return metagame


Changes: TypeAlias = Mapping[str, str | int | Sequence[str] | Mapping[str, int]] | str | Path

BEFORE, AFTER = "before", "after"
_STEP = re.compile(r"(\w+)([-+=])(\d{1,2})")  # cost+1, health-2, attack=3


@dataclass(frozen=True)
class Nerf:
    """Hold the results of decks against decks before and after a change of cards.

    Attributes
    ----------
    before : Metagame
        Results before the change.
    after : Metagame
        Results after the change.
    path : Path or None
        Folder of the games, if there is one.
    evolved : pandas.DataFrame or None
        Evolved decks, with re_evolve.

    Examples
    --------
    >>> found = hsevo.nerf(["mage", "shaman"], {"Spirit Claws": "cost+1"}, "greedy:metastone", 36)
    >>> found.ruleset
    'cig2018+Spirit Claws.cost=3'
    """

    FIELDS: ClassVar[Fields] = {
        "path": "path", "ruleset": "ruleset", "before": "before", "after": "after",
        "decks": "table", "classes": "classes", "matchups": "matchups", "evolved": "evolved"}

    before: Metagame
    after: Metagame
    path: Path | None = None
    evolved: pd.DataFrame | None = None
    """With re_evolve, a line per class and per when (before, after), for the best deck that a
    search found against the field: class, when, deck (its name in the matrices), known (the field's
    best deck of the class), rate, rate_low, rate_high (of the deck) and known_rate, known_rate_low,
    known_rate_high (of that one) against the field, in games that chose nothing, games (of each),
    code (the deck's). If the field has several decks of the class, `known` is the one that won most
    of these games: its rate is the highest of several, and so a little too high."""

    @property
    def ruleset(self) -> str:
        """The ruleset with the changed cards, as an overlay's line."""
        return str(self.after.arena.lineup.plan.ruleset)

    @cached_property
    def _joint(self) -> npt.NDArray[Any]:
        return joint_counts(self.before.arena, self.after.arena)

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row for each deck: `changes` with default arguments."""
        return self.changes()

    def changes(self, resamples: int = 1000, seed: int = 1) -> pd.DataFrame:
        """Return the effect of the change on each deck, the largest loss first.

        Parameters
        ----------
        resamples : int, default 1000
            Bootstrap resamples of the match-ups, for the intervals of shares.
        seed : int, default 1
            Seed of the resamples.

        Returns
        -------
        pandas.DataFrame
            Columns deck, copies (of changed cards in the deck), before, after (rates against all
            others), change (of pairs with the same seed), share_before, share_after (of the Nash
            mixture), share_change, each of the six with the ends of its 95 % interval (before_low,
            before_high ...).

        Raises
        ------
        ConfigError
            If an argument is invalid.
        """
        table = change_table(self.before.matchups, self._joint,
                             config.whole("resamples", resamples, 10, 100_000),
                             config.whole("seed", seed, 0, MOST_SEED))
        table.insert(1, "copies", [self._copies(i) for i in range(len(table))])
        return table.sort_values("change", kind="stable", ignore_index=True)

    @cached_property
    def classes(self) -> pd.DataFrame:
        """One row for each class.

        Columns class, decks, then before, after and change of the total share of these decks in the
        Nash mixture, each with the ends of its interval.
        """
        return class_table(self.before.matchups, self._joint)

    @property
    def matchups(self) -> pd.DataFrame:
        """One row for each match-up.

        Columns deck, opponent, games, then before, after and change with their intervals.
        """
        return change_cells(self.before.matchups, self._joint)

    def _copies(self, agent: int) -> int:
        lineup = self.after.arena.lineup
        old, new = (tables.cards(name) for name in (tables.base_of(self.ruleset), self.ruleset))
        (deck,) = lineup.decks_of(agent)
        return sum(old[id] != new[id] for id in lineup.decks[deck].ids)

    def __repr__(self) -> str:
        most = self.table.iloc[0]
        return (f"Nerf({self.ruleset!r}: {len(self.table)} decks; {most['deck']} loses most,"
                f" {100 * most['change']:+.1f} points ({100 * most['change_low']:+.1f} to"
                f" {100 * most['change_high']:+.1f}))")


def nerf(decks: DeckLike | Iterable[DeckLike], changes: Changes,
         pilots: AgentLike | Iterable[AgentLike] = "eva:2018", games: int = 360, *,
         out: str | Path | None = None, progress: Progress = False,
         **fields: Unpack[NerfFields]) -> Nerf:
    """Play decks against decks before and after a change of cards, with the same seeds.

    Parameters
    ----------
    decks : iterable of decks
        Two or more decks, in any form.
    changes : mapping or str or Path
        Changes by card, such as {"Spirit Claws": "cost+1", "Fireball": ["cost=5"]} or {"cost": 2},
        or the path of an overlay file, or its line.
    pilots : agent or iterable of agents, default "eva:2018"
        Pilots, as in `hsevo.meta`, selected before the change.
    games : int, default 360
        Minimum number of games of every two decks.
    out : str or Path, optional
        Folder for all games, as in `hsevo.meta`, with changes.csv and matchups.csv.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : NerfFields
        `ruleset` (to change), `seed`, `information`, `max_turns`, `workers`, `backend`, `re_evolve`
        (True: decks also evolve against the metagame, before and after the change, and join it in
        both matrices), `evolve_games` (default 20,000, games of each such search) and `classes` (of
        the evolved decks, or "all", default: classes of decks with a changed card, or all if there
        are none).

    Returns
    -------
    Nerf
        Both metagames and the effects.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> hsevo.nerf(["mage", "shaman"], {"Spirit Claws": "cost+1"}, "greedy:metastone", 36)
    Nerf('cig2018+Spirit Claws.cost=3': 2 decks; ... loses most, ... points (...))
    """
    path = Path(out) if out is not None else None
    settings, run_options = parted("nerf", NerfFields, fields)
    changed = changed_ruleset(settings.get("ruleset", "cig2018"), changes)
    refuse_other(path, (BEFORE, AFTER, EVOLVED))
    asked = config.check(NerfSettings, {"games": games, **settings}, ARGUMENTS)
    rules = asked.rules | {"ruleset": tables.find_ruleset(asked.ruleset).name}
    run_options["progress"] = progress
    first, second = (path and path / name for name in (BEFORE, AFTER))
    refuse_idle(asked.re_evolve, evolve_games=asked.evolve_games, classes=asked.classes or None)
    chosen, tried = chosen_pilots(decks, pilots, rules, first, run_options)
    evolved = None
    if asked.re_evolve:
        lineup_of(chosen, **rules)  # refuses what the matrices would, before a search
        both = {BEFORE: str(rules["ruleset"]), AFTER: changed}
        searched = NERF_GAMES if asked.evolve_games is None else asked.evolve_games
        more, evolved = searches(chosen, pilots, both, asked.classes, searched, rules).results(
            path and path / EVOLVED, run_options)
        chosen += more
    result = Nerf(
        Metagame(arena_in(first and first / MATRIX, chosen, rules, run_options), tried, first),
        Metagame(arena_in(second and second / MATRIX, chosen, {**rules, "ruleset": changed},
                          run_options),
                 None, second), path, evolved)
    if path is not None:
        write_table(path / "changes.csv", result.table)
        write_table(path / "matchups.csv", result.matchups)
        if evolved is not None:
            write_table(path / "evolved.csv", evolved)
    return result


def changed_ruleset(ruleset: str, changes: Changes) -> str:
    """Return a ruleset with changed cards, as an overlay's line. Raises ConfigError, CardError."""
    base = tables.find_ruleset(ruleset).name
    if not isinstance(changes, Mapping):
        base_too, new = parts(_overlay(changes))
        if tables.base_of(base) != base_too and ruleset != "cig2018":
            raise ConfigError(f"the overlay changes {base_too}, but ruleset is {ruleset}; leave"
                              " one out")
        return tables.find_ruleset(written(base_too, new)).name
    if not changes:
        raise ConfigError("no card is changed; change at least one, such as {'Spirit Claws':"
                          " 'cost+1'}")
    old = parts(base)[1] if is_overlay(base) else {}
    for card, steps in changes.items():
        name = tables.title(tables.card_of(str(card), base), base)
        old[name] = {**old.get(name, {}), **_facts(name, steps, base)}
    return tables.find_ruleset(config.ruleset_of(written(tables.base_of(base), old))).name


def _overlay(source: str | Path) -> str:
    line = tables.find_ruleset(config.ruleset_of(source)).name
    if not is_overlay(line):
        raise ConfigError(f"{quoted(str(source))} changes no card")
    return line


def _facts(card: str, steps: Any, base: str) -> dict[str, int]:
    """Return the new facts of a card from steps such as "cost+1", or facts. Raises ConfigError.
    """
    if isinstance(steps, Mapping):
        return dict(steps)
    facts: dict[str, int] = {}
    for step in [steps] if isinstance(steps, str) else steps:
        parsed = _STEP.fullmatch(str(step).strip())
        if parsed is None or parsed[1] not in FACTS:
            raise ConfigError(f"the change of {quoted(card)} is {quoted(str(step))}, but must be"
                              f" like cost+1, health-2 or attack=3 ( {', '.join(FACTS)})")
        fact, sign, number = parsed[1], parsed[2], int(parsed[3])
        now = facts.get(fact, tables.fact_of(card, fact, base))
        facts[fact] = {"+": now + number, "-": now - number, "=": number}[sign]
    return facts
