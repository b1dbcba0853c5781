"""Prolong a run: other generations than it was planned with, as if it had been planned so before.

No strategy knows how long a run is to be, so generations do not depend on it. What does: the
execution's place in the tables, `done`, and the last generation, which is always measured.
"""

from hsevo.errors import ConfigError, RunError
from hsevo.evolution.references import References, due
from hsevo.evolution.strategies import strategy
from hsevo.runs.folder import Run
from hsevo.runs.formats import FORMAT
from hsevo.seeds import generator


def refuse_damage(run: Run) -> None:
    """Read all that a run goes on with. Raises RunError if it can't; nothing is written."""
    References.of(run)
    _ = run.opponents
    if run.start is not None and not run.done:
        execution = run.start.execution
        random = generator((run.config.seed, execution))
        strategy(run.config.evolution, run.genome, random, run.start, run.fields(execution))


def prolong(run: Run, generations: int | None) -> str:
    """Have a run that is locked go on to so many generations; return what was changed, in words.

    None: as many as planned. Ends what a killed process began. Raises ConfigError for a number that
    it can't have, RunError for a run that can't have another.
    """
    said = run.prolong("evolution.generations", generations, lambda many: _refuse(run, many))
    if run.start and not run.done and not due(run.config, run.start.number):
        run.forget_references()  # of what was the last generation
    return said


def _refuse(run: Run, generations: int) -> None:
    """Raise ConfigError or RunError if a run can't have so many generations."""
    if run.about["format"] != FORMAT:
        raise RunError(f"{run.path} is of an older hsevo, and keeps its"
                       f" {run.config.evolution.generations:,} generations; begin a new run")
    if run.start is None:
        return
    if run.start.execution > 1:
        raise RunError(
            f"{run.path} can't have {generations:,} generations: its first execution ended with"
            f" {run.config.evolution.generations:,}, and the others follow it in the tables; begin"
            f" a new run with --set evolution.generations={generations}")
    if generations <= run.start.number + 1:
        raise ConfigError(f"generations is {generations:,}, but {run.path} has"
                          f" {run.start.number + 1:,} already, and they count; for"
                          f" {generations:,} more, give {run.start.number + 1 + generations}")
