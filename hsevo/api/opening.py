"""Run folders of any kind, by their path."""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from hsevo.store.kinds import COEVOLUTION, DECKS, KIND, LEARNED, kind_of

if TYPE_CHECKING:
    from hsevo.api.experiment import RunFolder

# By name, as each class imports what makes such a run.
CLASSES = {KIND: "hsevo.api.run:Run", LEARNED: "hsevo.api.learned:Learned",
           DECKS: "hsevo.api.deck_evolution:DeckEvolution",
           COEVOLUTION: "hsevo.api.coevolution:Coevolution"}


def class_of(path: Path) -> type[RunFolder]:
    """Return the class of a run folder; Run for any other, which it then refuses to open."""
    found: type[RunFolder] = resolve_name(CLASSES.get(kind_of(path), CLASSES[KIND]))
    return found
