"""`hsevo.nerf`: what a change of cards does to a metagame of decks, on the same seeds.

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
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import numpy.typing as npt
import pandas as pd

from hsevo import config
from hsevo.api.agents import AgentLike
from hsevo.api.contests import lineup_of
from hsevo.api.decks import DeckLike
from hsevo.api.metagame import MATRIX, Metagame, arena_in, chosen_pilots, refuse_other
from hsevo.api.pool import Progress
from hsevo.api.re_evolving import EVOLVED, NERF_GAMES, refuse_idle, searches
from hsevo.cards import tables
from hsevo.config.overlays import FACTS, is_overlay, parts, written
from hsevo.errors import ConfigError, quoted
from hsevo.metagame.changes import change_cells, change_table, class_table, joint_counts
from hsevo.objects import Fields
from hsevo.play.tournament import write_table
from hsevo.seeds import MOST_SEED

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
        return sum(old[id] != new[id] for id in lineup.decks[deck].cards)

    def __repr__(self) -> str:
        most = self.table.iloc[0]
        return (f"Nerf({self.ruleset!r}: {len(self.table)} decks; {most['deck']} loses most,"
                f" {100 * most['change']:+.1f} points ({100 * most['change_low']:+.1f} to"
                f" {100 * most['change_high']:+.1f}))")


def nerf(decks: DeckLike | Iterable[DeckLike], changes: Changes,
         pilots: AgentLike | Iterable[AgentLike] = "eva:2018", games: int = 360, *, seed: int = 1,
         ruleset: str = "cig2018", information: str = "fair", max_turns: int = 89,
         re_evolve: bool = False, evolve_games: int | None = None, classes: Iterable[str] = (),
         out: str | Path | None = None, workers: int | None = None, backend: str | None = None,
         progress: Progress = False) -> Nerf:
    """Play decks against decks before and after a change of cards, with the same seeds.

    changes: by card, such as {"Spirit Claws": "cost+1", "Fireball": ["cost=5"]}, or {"cost": 2}; or
    the path of an overlay file, or its line. pilots: as of `meta`; they are chosen before the
    change, and stay. ruleset: which is changed. out: a folder for all games, as of `meta`, with
    changes.csv and matchups.csv.

    re_evolve: decks evolve against the field, both before and after the change, with the same seeds
    and pilots; they begin with the field's decks. What is found joins the field in both matrices,
    so that the mixtures are of the decks that players would build, too. evolve_games: of each such
    search; default: 20,000. classes: of which decks evolve, or "all" of the field's; default: those
    with a changed card in the field, or all if no deck has one.

    Raises AgentError, DeckError, ConfigError, CardError, RunError.

    >>> hsevo.nerf(["mage", "shaman"], {"Spirit Claws": "cost+1"}, "greedy:metastone", 36)
    Nerf('cig2018+Spirit Claws.cost=3': 2 decks; ... loses most, ... points (...))
    """
    path = Path(out) if out is not None else None
    changed = changed_ruleset(ruleset, changes)
    refuse_other(path, (BEFORE, AFTER, EVOLVED))
    rules: dict[str, Any] = {"games": games, "seed": seed,
                             "ruleset": tables.find_ruleset(ruleset).name,
                             "information": information, "max_turns": max_turns}
    team: dict[str, Any] = {"workers": workers, "backend": backend, "progress": progress}
    first, second = (path and path / name for name in (BEFORE, AFTER))
    refuse_idle(re_evolve, evolve_games=evolve_games, classes=classes or None)
    chosen, tried = chosen_pilots(decks, pilots, rules, first, team)
    evolved = None
    if re_evolve:
        lineup_of(chosen, **rules)  # refuses what the matrices would, before a search
        both = {BEFORE: str(rules["ruleset"]), AFTER: changed}
        more, evolved = searches(chosen, pilots, both, classes, NERF_GAMES if evolve_games is None
                                  else evolve_games, rules).found(
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
