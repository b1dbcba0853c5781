"""About a run: about.json, with versions and machine, and the fingerprint of the method.

Formats of run folders: which this version reads, and the names that changed between them.

    3    version 0.2    references.csv; `references` in config.yaml and about.json
    2    version 0.1    yardstick.csv;  `yardstick` in both

A folder keeps its format and its file names when its run is resumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from hsevo import __version__, config, sources
from hsevo.cards.decks import Deck
from hsevo.cards.tables import pool_report
from hsevo.config import Config
from hsevo.engine.jit import fingerprint
from hsevo.store.kinds import KIND
from hsevo.store.machine import made_by
from hsevo.store.sums import short_digest

# The newest first; of each, the old names of keys to new. A new one is added whenever a file, a key
# or a column changes its name or meaning.
FORMATS: Mapping[int, Mapping[str, str]] = {3: {}, 2: {"yardstick": "references"}}
FORMAT = next(iter(FORMATS))


def table_names(number: int) -> tuple[str, str, str]:
    """Return the file names of a format's tables: population, statistics, references."""
    old = {new: old for old, new in FORMATS[number].items()}
    return "population.csv", "statistics.csv", f"{old.get('references', 'references')}.csv"


# How generations are made and rated, apart from the engine.
METHOD_SOURCES = (*(f"evolution/{name}.py" for name in (
    "confirm", "evolve", "fitness", "references", "stored", "strategies")),
    "play/behaviour.py", "play/tournament.py", "runs/tables.py", "strength/archive.py",
    "strength/arena.py", "strength/rating.py", "seeds.py")


def method() -> str:
    """Return a fingerprint of how generations are made and rated: of sources and libraries.

    It depends on what the sources mean; comments, docstrings and messages do not change it.
    """
    ours = sources.remembered("method", lambda: sources.digest(METHOD_SOURCES))
    return short_digest(f"{version('inspyred')} {version('cma')} {ours}")


def about_new(plan: Config, decks: Sequence[Deck]) -> dict[str, Any]:
    """Return the about.json of a new run."""
    return {
        "kind": KIND, "format": FORMAT, "version": __version__,
        "engine": fingerprint(),
        "method": method(), "config": short_digest(config.dump(plan)),
        "seed": plan.seed, "started": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}",
        **made_by(),
        "decks": [deck.data() for deck in decks], "card_pool": _card_pool(plan.ruleset)}


@lru_cache(maxsize=8)
def _card_pool(ruleset: str) -> dict[str, list[str]]:
    """Return the random pools of a ruleset, which takes time and is alike for many runs."""
    return pool_report(ruleset)
