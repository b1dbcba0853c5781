"""Run folders of any kind, by their path."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from hsevo.store.kinds import COEVOLUTION, DECKS, KIND, LEARNED, kind_of

if TYPE_CHECKING:
    from hsevo.api.experiment import RunFolder

# Modules and classes by name: each of them imports what makes such a run.
CLASSES = {KIND: ("run", "Run"), LEARNED: ("learned", "Learned"),
           DECKS: ("deck_evolution", "DeckEvolution"), COEVOLUTION: ("coevolution", "Coevolution")}


def class_of(path: Path) -> type[RunFolder]:
    """Return the class of a run folder; Run for any other, which it then refuses to open."""
    module, name = CLASSES.get(kind_of(path), CLASSES[KIND])
    found: type[RunFolder] = getattr(import_module(f"hsevo.api.{module}"), name)
    return found
