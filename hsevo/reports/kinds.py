"""How folders are reported, by the kind of their experiment.

    of(paths) -> Kind      see exhibit.py
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hsevo.errors import ConfigError
from hsevo.reports import coevolved, deck_searches, learned, people, studied, swept
from hsevo.reports import sections as evolved
from hsevo.reports.exhibit import ReportKind
from hsevo.store.kinds import (
    COEVOLUTION,
    DECKS,
    KIND,
    LEARNED,
    PEOPLE,
    RUNS,
    STUDY,
    SWEEP,
    kind_of,
    known,
)

KINDS: dict[str, ReportKind] = {
    KIND: evolved.REPORT, LEARNED: learned.REPORT, DECKS: deck_searches.REPORT,
    COEVOLUTION: coevolved.REPORT, STUDY: studied.REPORT, PEOPLE: people.REPORT,
    SWEEP: swept.REPORT,
}


def of(paths: Sequence[Path]) -> ReportKind:
    """Return the kind of folders; that of hsevo evolve for no such, which says so when loaded.

    Raises ConfigError for folders of two kinds.
    """
    by_path = {path: kind for path in paths if (kind := _kind(path)) in KINDS}
    kinds = dict.fromkeys(by_path.values())
    if len(kinds) > 1:
        first, second = (next(path for path in by_path if by_path[path] == kind)
                         for kind in [*kinds][:2])
        raise ConfigError(f"{first} is {words(first)}, but {second} is not; make two reports")
    return KINDS[next(iter(kinds), KIND)]


def words(path: Path) -> str:
    """Return what a folder is that has a report, in words."""
    kind = _kind(path)
    return f"a run of hsevo {RUNS[kind][0]}" if kind in RUNS else f"a {kind}"


def _kind(path: Path) -> str:
    """Return the kind of a run, or the noun of another folder; "" if it is neither."""
    return kind_of(path) or (folder_kind.noun if (folder_kind := known(path)) else "")
