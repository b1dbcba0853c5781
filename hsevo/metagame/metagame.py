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
from hsevo.errors import AgentError, ConfigError, DeckError, RunError, did_you_mean, quoted
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
    """Decks against decks, from the games of an arena; `path` is the folder, if it has one.

    pilots: the arena from whose games each deck's pilot was chosen, if several were given.

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
        """The decks, and the pairs of games between them. Raises DeckError."""
        return matchups_of(self.arena)

    @property
    def decks(self) -> tuple[str, ...]:
        """The names of the decks."""
        return self.matchups.decks

    def matrix(self, values: str = "rate") -> pd.DataFrame:
        """Return the win rates of each deck against each, as a table.

        values: as of `hsevo.arena(...).crosstab`: "rate", "rate_low", "rate_high", "games", "text".
        Raises ConfigError.
        """
        table = self.arena.crosstab("agents", values)
        names = dict(zip(self.arena.lineup.names, self.decks, strict=True))
        return table.rename(index=names, columns=names).rename_axis(index="deck")

    @property
    def cells(self) -> pd.DataFrame:
        """A line per match-up: columns deck, opponent, games, rate, rate_low, rate_high, pairs_0,
        pairs_0.5, pairs_1, pairs_1.5 and pairs_2 (of games, by the deck's points)."""
        names = dict(zip(self.arena.lineup.names, self.decks, strict=True))
        table = self.arena.pairs.rename(columns={"agent": "deck"})
        table[["deck", "opponent"]] = table[["deck", "opponent"]].replace(names)
        return table[["deck", "opponent", "games", "rate", "rate_low", "rate_high",
                      *(f"pairs_{points:g}" for points in (0, 0.5, 1, 1.5, 2))]]

    @property
    def table(self) -> pd.DataFrame:
        """A line per deck, the best first: columns deck, class, pilot, rate, rate_low, rate_high.

        rate: of all its games, with each other deck alike.
        """
        lineup, ratings = self.arena.lineup, self.arena.ratings.set_index("agent")
        columns = ["rate", "rate_low", "rate_high", "games"]
        lines = [{"deck": deck, "class": cls, "pilot": split_deck(name)[0],
                  **ratings.loc[name, columns]}
                 for name, deck, cls in zip(lineup.names, self.decks, self.matchups.classes,
                                            strict=True)]
        found = pd.DataFrame(lines).astype({"games": int})
        return found.sort_values("rate", ascending=False, kind="stable", ignore_index=True)

    def nash(self, resamples: int = RESAMPLES, seed: int = 1) -> pd.DataFrame:
        """Return the Nash mixture of the decks, alpha-rank and soft Condorcet: a line per deck.

        Columns deck, share (of the mixture), share_low, share_high (95 % interval of resamples of
        the match-ups), kept (the share of resamples in which it has a share), rate (against this
        mixture), rate_low, rate_high, alpha_rank, soft_condorcet (a rating, 0 to 100, by which as
        few games as can be are in the wrong order). Raises ConfigError.

        >>> found = hsevo.meta(["mage", "shaman", "warrior"], "greedy:metastone", 36)
        >>> float(found.nash()["share"].sum())
        1.0
        """
        resamples = config.whole("resamples", resamples, 10, 100_000)
        return mixture_table(self.matchups, resamples, config.whole("seed", seed, 0, MOST_SEED))

    def lineup(self, mine: Iterable[str], theirs: Iterable[str], *, format: str = CONQUEST,
               ban: bool = False, resamples: int = RESAMPLES, seed: int = 1) -> Estimate:
        """Return the chance that one line-up beats another, both players choosing optimally.

        mine, theirs: as many decks of the matrix. format: "conquest" or "last-hero-standing". ban:
        each first strikes a deck of the other. A match with n decks (without the one that is
        struck) is a best of 2 n - 1. The interval is of resamples of the match-ups. Raises
        DeckError, ConfigError.

        >>> found = hsevo.meta(["mage", "shaman", "warrior"], "greedy:metastone", 36)
        >>> found.lineup(["mage", "shaman"], ["shaman", "mage"]).value
        0.5
        """
        one, other = (self._lineup(names, format, ban) for names in (mine, theirs))
        _refuse_sizes([other], len(one))
        met = np.ix_(one, other)
        drawn = self._resampled(resamples, seed)[:, met[0], met[1]]
        low, high = interval(lineups.chances(drawn, len(one), ban, format)[:, 0, 0])
        value = float(lineups.chances(self.matchups.rates[met], len(one), ban, format)[0, 0])
        return Estimate(value, min(value, float(low)), max(value, float(high)))

    def bans(self, mine: Iterable[str], theirs: Iterable[str], *,
             format: str = CONQUEST) -> pd.DataFrame:
        """Return whom to strike: a line per deck of both line-ups, columns side, deck, share.

        share: how often an optimal opponent strikes this deck. Raises DeckError, ConfigError.
        """
        one, other = (self._lineup(names, format, True) for names in (mine, theirs))
        _refuse_sizes([other], len(one))
        struck = lineups.bans(self.matchups.rates[np.ix_(one, other)], format)
        lines = [("mine", deck, share) for deck, share in zip(one, struck[1], strict=True)]
        lines += [("theirs", deck, share) for deck, share in zip(other, struck[0], strict=True)]
        return pd.DataFrame([{"side": side, "deck": self.decks[deck], "share": float(share)}
                             for side, deck, share in lines])

    def best_lineups(self, field: Sequence[Iterable[str]], *, decks: Iterable[str] | None = None,
                     format: str = CONQUEST, ban: bool = False, any_class: bool = False,
                     resamples: int = TIMES, seed: int = 1) -> pd.DataFrame:
        """Return the ten line-ups that do best against a field of line-ups, the best first.

        The first of many is in part lucky: its rate is too high, and its interval does not count
        that. Where that matters, play new games of its decks, and ask `lineup`.

        field: line-ups of as many decks, each as likely. decks: of which line-ups are made;
        default: all of the matrix. any_class: a line-up may have several decks of one class, which
        tournaments do not allow. format, ban: as of `lineup`.

        Columns lineup, rate, rate_low, rate_high, and best, in how many of the resamples it is the
        best of the ten. Raises DeckError, ConfigError.
        """
        rivals = [self._lineup(one, format, ban) for one in config.in_order("field", field)]
        if not rivals:
            raise DeckError("the field has no line-up; name one at least")
        size = len(rivals[0])
        _refuse_sizes(rivals, size)
        found = self._possible(decks, size, None if any_class else self.matchups.classes)
        drawn = self._resampled(resamples, seed)
        rates = lineups.against(self.matchups.rates, found, rivals, ban, format)
        order = np.argsort(-rates, kind="stable")[:BEST]
        again = np.concatenate([lineups.against(drawn, [found[i]], rivals, ban, format)
                                for i in order], axis=1)
        low, high = interval(again)
        best = np.bincount(again.argmax(axis=1), minlength=len(order)) / len(again)
        return pd.DataFrame({
            "lineup": [", ".join(self.decks[deck] for deck in found[i]) for i in order],
            "rate": rates[order], "rate_low": low, "rate_high": high, "best": best})

    def _resampled(self, resamples: int, seed: int) -> Any:
        resamples = config.whole("resamples", resamples, 10, 100_000)
        return self.matchups.resampled(resamples, config.whole("seed", seed, 0, MOST_SEED))

    def _lineup(self, names: Iterable[str], format: str, ban: bool) -> list[int]:
        """Return the numbers of a line-up's decks. Raises DeckError, ConfigError."""
        if format not in lineups.RULES:
            raise ConfigError(f"format is {quoted(format)}, but must be"
                              f" {' or '.join(lineups.RULES)}{did_you_mean(format, lineups.RULES)}")
        named = [str(one) for one in each_deck(names)]
        found = self.matchups.named(named)
        if len({*found}) < len(found):
            raise DeckError(f"a line-up has {max(named, key=named.count)} twice")
        if not 1 + ban <= len(found) <= lineups.MOST:
            raise DeckError(f"a line-up{' with a ban' if ban else ''} has {1 + ban} to"
                            f" {lineups.MOST} decks, not {len(found)}")
        return found

    def _possible(self, decks: Iterable[str] | None, size: int,
                  classes: Sequence[str] | None) -> list[lineups.Lineup]:
        """Return the line-ups of some decks, all by default. Raises DeckError."""
        own = sorted(self.matchups.named([str(one) for one in each_deck(
            self.decks if decks is None else decks)]))
        if (many := comb(len(own), size)) > MOST_LINEUPS:
            raise DeckError(f"{len(own)} decks have {many:,} line-ups of {size}, and at most"
                            f" {MOST_LINEUPS:,} are compared; give fewer decks")
        found = lineups.possible(own, size, classes)
        if not found:
            raise DeckError(f"no line-up of {size} decks can be made of {len(own)} decks"
                            + ("" if classes is None else ", each of another class"))
        return found


def _refuse_sizes(others: Iterable[Sequence[int]], size: int) -> None:
    for one in others:
        if len(one) != size:
            raise DeckError(f"line-ups have {size} and {len(one)} decks, but must have as many")


def meta(decks: DeckLike | Iterable[DeckLike], pilots: AgentLike | Iterable[AgentLike] = "eva:2018",
         games: int = 360, *, out: str | Path | None = None, progress: Progress = False,
         **fields: Unpack[RulesFields]) -> Metagame:
    """Play decks against decks, every two from both seats.

    decks: two or more, in any form. pilots: the agent that plays all decks; or several, of which
    each deck gets the one that does best with it, in games of all pilots with all decks (as many as
    the matrix has) that the matrix does not count. games: of every two decks, at least. out: a
    folder for all games; the same call continues what was stopped there, and the folder can be read
    again (`open_meta`); pilots then need specs and decks need names. fields: seed, ruleset,
    information, max_turns, workers and backend, as of `match`.

    Raises AgentError, DeckError, ConfigError, CardError, RunError.

    >>> found = hsevo.meta(["mage", "shaman", "warrior"], "greedy:metastone", 36)
    >>> found.matrix().round(2).loc["mage", "mage"]
    np.float64(nan)
    >>> found.table.columns.tolist()
    ['deck', 'class', 'pilot', 'rate', 'rate_low', 'rate_high', 'games']
    """
    path = Path(out) if out is not None else None
    refuse_other(path, (MATRIX, PILOTS))
    given, team = parted("meta", RulesFields, fields)
    rules = config.check(ContestSettings, {"games": games, **given}, ARGUMENTS).rules
    team["progress"] = progress
    chosen, tried = chosen_pilots(decks, pilots, rules, path, team)
    return Metagame(arena_in(path and path / MATRIX, chosen, rules, team), tried, path)


def refuse_other(path: Path | None, names: Iterable[str]) -> None:
    """Raise RunError for a folder that has something in it, but nothing of these names."""
    if path is not None:
        check_path(path)
        if not any((path / name).exists() for name in names):
            refuse_full(path)


def chosen_pilots(decks: DeckLike | Iterable[DeckLike], pilots: AgentLike | Iterable[AgentLike],
                  rules: dict[str, Any], path: Path | None, team: dict[str, Any]
                  ) -> tuple[list[Agent], Arena | None]:
    """Return each deck in the hands of its pilot, and the games that chose it, of several.

    Raises AgentError, DeckError and what `arena_in` raises.
    """
    listed, able = each_once(decks), as_agents(pilots)
    if not able:
        raise AgentError("name an agent that plays the decks, such as eva:2018")
    if len(able) == 1:
        return [_on(able[0], deck) for deck in listed], None
    tried = _tried(able, listed, rules, path, team)
    return _best(able, listed, tried), tried


def each_once(given: DeckLike | Iterable[DeckLike]) -> list[DeckLike]:
    """Return two or more different decks. Raises DeckError."""
    listed = each_deck(given)
    if len(listed) < 2:
        raise DeckError(f"name at least two decks{f': {listed[0]} is one' if listed else ''}")
    known: dict[object, DeckLike] = {}
    for deck in listed:
        same = known.setdefault(contents(Deck(deck)), deck)
        if same is not deck:
            raise DeckError(f"{Deck(same).name} and {Deck(deck).name} are the same deck; give it"
                            " once")
    return listed


def _on(pilot: Agent, deck: DeckLike) -> Agent:
    if pilot.deck is not None:
        raise AgentError(f"pilot '{pilot.name}' has a deck of its own; leave @DECK out")
    return Agent(pilot, deck=deck)


def _tried(pilots: Sequence[Agent], decks: Sequence[DeckLike], rules: dict[str, Any],
           path: Path | None, team: dict[str, Any]) -> Arena:
    """Play all pilots with all decks, with seeds of their own."""
    everyone = [_on(pilot, deck) for deck in decks for pilot in pilots]
    fewer = max(2, ceil(rules["games"] / len(pilots) ** 2))
    own_seed = int(derive((rules["seed"], 2, Stream.ARENA))[0])
    return arena_in(path and path / PILOTS, everyone,
                    {**rules, "games": fewer, "seed": own_seed}, team)


def _best(pilots: Sequence[Agent], decks: Sequence[DeckLike], tried: Arena) -> list[Agent]:
    """Return each deck with the pilot that won most with it, the first named of equal ones."""
    rates = tried.ratings.set_index("agent")["rate"]
    able = [[_on(pilot, deck) for pilot in pilots] for deck in decks]
    return [max(those, key=lambda one: float(rates[one.name])) for those in able]


def arena_in(path: Path | None, agents: Sequence[Agent], rules: dict[str, Any],
             team: dict[str, Any]) -> Arena:
    """Play an arena, or what is left of it in its folder. Raises RunError for another one's.

    path: its folder; None: none. team: workers, backend and progress.
    """
    workers = {key: value for key, value in team.items() if key != "progress"}
    return play_out(arena_of(path, agents, **rules), workers_of(**workers), team["progress"])


def open_meta(path: str | Path) -> Metagame:
    """Open a folder of `meta`, or of any finished arena whose agents each play one deck.

    Raises RunError, ConfigError, AgentError, DeckError.

    >>> made = hsevo.meta(["mage", "shaman"], "greedy:metastone", 36, out="runs/two").decks
    >>> hsevo.open_meta("runs/two").decks == made
    True
    """
    folder = Path(path)
    check_path(folder)
    inside = folder / MATRIX
    tried = _finished(folder / PILOTS) if (folder / PILOTS).exists() else None
    found = Metagame(_finished(inside if inside.exists() else folder), tried, folder)
    _ = found.matchups  # refuses an arena that is no matrix
    return found


def _finished(path: Path) -> Arena:
    arena = Arena.open(path)
    if len(arena.left):
        raise RunError(f"{path} has only {arena.done:,} of {arena.total:,} games; finish it first")
    return arena


Changes: TypeAlias = Mapping[str, str | int | Sequence[str] | Mapping[str, int]] | str | Path

BEFORE, AFTER = "before", "after"
_STEP = re.compile(r"(\w+)([-+=])(\d{1,2})")  # cost+1, health-2, attack=3


@dataclass(frozen=True)
class Nerf:
    """Decks against decks before and after a change of cards; `path` is the folder, if it has one.

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
        """A line per deck: `changes` with its defaults."""
        return self.changes()

    def changes(self, resamples: int = 1000, seed: int = 1) -> pd.DataFrame:
        """Return a line per deck, those that lose most first.

        Columns deck, copies (of changed cards in it), before, after (rates against all others),
        change (of pairs with the same seed), share_before, share_after (of the Nash mixture),
        share_change; beside each of these six the ends of its 95 % interval, before_low,
        before_high ..., those of shares of resamples. Raises ConfigError.
        """
        table = change_table(self.before.matchups, self._joint,
                             config.whole("resamples", resamples, 10, 100_000),
                             config.whole("seed", seed, 0, MOST_SEED))
        table.insert(1, "copies", [self._copies(i) for i in range(len(table))])
        return table.sort_values("change", kind="stable", ignore_index=True)

    @cached_property
    def classes(self) -> pd.DataFrame:
        """A line per class: columns class, decks, and the share of these decks, all together, of
        the Nash mixture: before, after, change, each with its ends."""
        return class_table(self.before.matchups, self._joint)

    @property
    def matchups(self) -> pd.DataFrame:
        """A line per match-up: deck, opponent, games; before, after, change, with their ends."""
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

    changes: by card, such as {"Spirit Claws": "cost+1", "Fireball": ["cost=5"]}, or {"cost": 2}; or
    the path of an overlay file, or its line. pilots: as of `meta`; they are chosen before the
    change, and stay. out: a folder for all games, as of `meta`, with changes.csv and matchups.csv.
    fields: ruleset, which is changed; seed, information, max_turns, workers and backend, as of
    `match`; and re_evolve, evolve_games and classes.

    re_evolve=True: decks evolve against the field, both before and after the change, with the same
    seeds and pilots; they begin with the field's decks. What is found joins the field in both
    matrices, so that the mixtures are of the decks that players would build, too. evolve_games: of
    each such search; default: 20,000. classes: of which decks evolve, or "all" of the field's;
    default: those with a changed card in the field, or all if no deck has one.

    Raises AgentError, DeckError, ConfigError, CardError, RunError.

    >>> hsevo.nerf(["mage", "shaman"], {"Spirit Claws": "cost+1"}, "greedy:metastone", 36)
    Nerf('cig2018+Spirit Claws.cost=3': 2 decks; ... loses most, ... points (...))
    """
    path = Path(out) if out is not None else None
    given, team = parted("nerf", NerfFields, fields)
    changed = changed_ruleset(given.get("ruleset", "cig2018"), changes)
    refuse_other(path, (BEFORE, AFTER, EVOLVED))
    asked = config.check(NerfSettings, {"games": games, **given}, ARGUMENTS)
    rules = asked.rules | {"ruleset": tables.find_ruleset(asked.ruleset).name}
    team["progress"] = progress
    first, second = (path and path / name for name in (BEFORE, AFTER))
    refuse_idle(asked.re_evolve, evolve_games=asked.evolve_games, classes=asked.classes or None)
    chosen, tried = chosen_pilots(decks, pilots, rules, first, team)
    evolved = None
    if asked.re_evolve:
        lineup_of(chosen, **rules)  # refuses what the matrices would, before a search
        both = {BEFORE: str(rules["ruleset"]), AFTER: changed}
        searched = NERF_GAMES if asked.evolve_games is None else asked.evolve_games
        more, evolved = searches(chosen, pilots, both, asked.classes, searched, rules).found(
            path and path / EVOLVED, team)
        chosen += more
    found = Nerf(
        Metagame(arena_in(first and first / MATRIX, chosen, rules, team), tried, first),
        Metagame(arena_in(second and second / MATRIX, chosen, {**rules, "ruleset": changed}, team),
                 None, second), path, evolved)
    if path is not None:
        write_table(path / "changes.csv", found.table)
        write_table(path / "matchups.csv", found.matchups)
        if evolved is not None:
            write_table(path / "evolved.csv", evolved)
    return found


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
        raise ConfigError("no card is changed; name one, such as {'Spirit Claws': 'cost+1'}")
    old = parts(base)[1] if is_overlay(base) else {}
    for card, steps in changes.items():
        name = tables.title(tables.card_of(str(card), base), base)
        old[name] = {**old.get(name, {}), **_facts(name, steps, base)}
    return tables.find_ruleset(config.ruleset_of(written(tables.base_of(base), old))).name


def _overlay(given: str | Path) -> str:
    line = tables.find_ruleset(config.ruleset_of(given)).name
    if not is_overlay(line):
        raise ConfigError(f"{quoted(str(given))} changes no card")
    return line


def _facts(card: str, steps: Any, base: str) -> dict[str, int]:
    """Return the new facts of a card, of "cost+1" or several such, or of facts. Raises ConfigError.
    """
    if isinstance(steps, Mapping):
        return dict(steps)
    found: dict[str, int] = {}
    for step in [steps] if isinstance(steps, str) else steps:
        parsed = _STEP.fullmatch(str(step).strip())
        if parsed is None or parsed[1] not in FACTS:
            raise ConfigError(f"{quoted(card)} is to be changed by {quoted(str(step))}; write it as"
                              f" cost+1, health-2 or attack=3 (of {', '.join(FACTS)})")
        fact, sign, number = parsed[1], parsed[2], int(parsed[3])
        now = found.get(fact, tables.fact_of(card, fact, base))
        found[fact] = {"+": now + number, "-": now - number, "=": number}[sign]
    return found
