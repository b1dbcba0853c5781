"""Run folders of any kind, by their path."""

from __future__ import annotations

from pathlib import Path

from hsevo.api.coevolution import Coevolution
from hsevo.api.deck_evolution import DeckEvolution
from hsevo.api.experiment import RunFolder
from hsevo.api.learned import Learned
from hsevo.api.run import Run
from hsevo.store.kinds import kind_of

CLASSES: dict[str, type[RunFolder]] = {
    one.KIND.FOLDER.KIND: one for one in (Run, Learned, DeckEvolution, Coevolution)}


def class_of(path: Path) -> type[RunFolder]:
    """Return the class of a run folder; Run for any other, which it then refuses to open."""
    return CLASSES.get(kind_of(path), Run)
