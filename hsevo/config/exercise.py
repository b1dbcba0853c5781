"""Exercises as a file: the model of what `Exercises.write` writes, key by key."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from hsevo.config.models import Listed, Section

FORMAT = "hsevo exercises"
MOST = 1000  # exercises of a file
Said = Annotated[str, Field(max_length=400)]
Moves = Annotated[tuple[Said, ...], Field(max_length=200), Listed]


def _format(text: str) -> str:
    if text != FORMAT:
        raise ValueError(f"must be '{FORMAT}'")
    return text


class ComparedMove(Section):
    """A move, and results of games played on from it, as values from 0 to 1 (-1 to 1 for a
    loss)."""

    move: Said
    """The move in words."""
    chance: float
    """Share of games won after the move."""
    chance_low: float
    chance_high: float
    loss: float
    """Chance after the analyst's move minus the chance after this move, in the same games."""
    loss_low: float
    loss_high: float


class ExerciseEntry(Section):
    """One exercise; see hsevo.replays.exercises.Exercise."""

    title: Said
    ask: Literal["move", "lethal"]
    step: Annotated[int, Field(ge=0)]
    turn: Annotated[int, Field(ge=1)]
    made: Moves
    line: Moves
    agent: Said
    games: Annotated[int, Field(ge=1)]
    moves: Annotated[tuple[ComparedMove, ...], Field(max_length=200), Listed] = ()
    position: dict[str, Any]


class ExercisesFile(Section):
    """A file of exercises."""

    format: Annotated[str, AfterValidator(_format)]
    exercises: Annotated[tuple[ExerciseEntry, ...], Field(max_length=MOST), Listed]
