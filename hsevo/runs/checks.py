"""Checks of a run folder's contents, which may be damaged or hostile, before they are used.

All raise ValueError with a text to follow "is damaged:".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.cards.decks import LARGEST, SMALLEST, Deck
from hsevo.cards.tables import index
from hsevo.cards.terms import Class
from hsevo.config import Config, short
from hsevo.errors import name_problem
from hsevo.runs.tables import MATCHES, STATISTICS, logged_problem
from hsevo.types import Array

NEAR = 1e-9  # of a weight's range: rounding may put a weight so far outside


def check_weights(population: pd.DataFrame, genome: Genome) -> None:
    """Refuse weights outside the bounds of a genome; compiled code does not check them."""
    for name, low, high in zip(genome.names, genome.low, genome.high, strict=True):
        edge = NEAR * (high - low)
        if not population[name].between(low - edge, high + edge).all():
            raise ValueError(f"column {name} has a weight that is not from {low:g} to {high:g}")


def check_generations(population: pd.DataFrame, plan: Config, execution: int,
                      number: int) -> None:
    """Refuse a population without survivors of each generation, or with an individual twice."""
    keys = ["execution", "generation"]
    left = population.groupby(keys)["survived"].max()
    wanted = pd.MultiIndex.from_tuples(
        [(earlier, k) for earlier in range(1, execution + 1)
         for k in range(number + 1 if earlier == execution else plan.evolution.generations)])
    if not left.index.equals(wanted) or left.min() < 1:
        raise ValueError("population.csv lacks the survivors of a generation")
    if population.duplicated([*keys, "individual"]).any():
        raise ValueError("population.csv has an individual twice in a generation")


def check_moment(plan: Config, execution: int, number: int, statistics: int) -> None:
    """Refuse an impossible last generation. statistics: the size of statistics.csv in bytes."""
    last = plan.evolution.generations
    if not (1 <= execution <= plan.executions and 0 <= number < last):
        raise ValueError(f"execution {execution}, generation {number} is not of this run")
    lines = (execution - 1) * last + number + 1
    least = sum(1 + (not column.empty) for column in STATISTICS.columns if not column.only)
    if statistics < least * lines:  # of each column a comma, and a digit unless it may be empty
        raise ValueError(f"statistics.csv is too short for {lines:,} generations")


def logged(names: Any) -> tuple[str, ...]:
    """Return the names that about.json has of the numbers that the user's strategy logs."""
    if not isinstance(names, list) or (problem := logged_problem(names)):
        raise ValueError(f"its strategy logs {short(names)}: {problem or 'must be a list'}")
    return tuple(names)


def module(path: str) -> str:
    """Return the path of a Python module, within a folder."""
    if not re.fullmatch(r"([^\W\d]\w*/)*[^\W\d]\w*\.py", path):
        raise ValueError(f"{short(path)} is no path of a module")
    return path


def random_state(state: Any) -> tuple[Any, ...]:
    """Return the state of a random.Random as `setstate` takes it."""
    kind, words, gauss = state
    if gauss is not None and not (isinstance(gauss, float) and np.isfinite(gauss)):
        raise ValueError("a random state without its Gaussian number")
    checked = (kind, tuple(words), gauss)
    try:
        Random().setstate(checked)
    except (TypeError, OverflowError) as error:
        raise ValueError(f"no random state: {error}") from None
    return checked


def deck(entry: Mapping[str, Any], ruleset: str) -> Deck:
    """Return a deck of about.json, if the engine can play it."""
    name, hero, cards = entry["name"], entry["hero"], tuple(entry["cards"])
    if not isinstance(name, str) or (problem := name_problem(name)):
        raise ValueError(f"a deck's name is {short(name)}, and {problem or 'must be text'}")
    if hero not in Class.__members__ or not SMALLEST <= len(cards) <= LARGEST:
        raise ValueError(f"deck {name} has the class {short(hero)} and {len(cards)} cards")
    if unknown := [card for card in cards if card not in index(ruleset)]:
        raise ValueError(f"deck {name} has the card {short(unknown[0])}, which {ruleset} lacks")
    return Deck.of(name, hero, cards)


def decks(entries: Sequence[Mapping[str, Any]], ruleset: str, number: int) -> tuple[Deck, ...]:
    """Return the decks of about.json, if there are as many as the plan has."""
    listed = tuple(deck(entry, ruleset) for entry in entries)
    if len(listed) != number:
        raise ValueError(f"it has {len(listed)}, and config.yaml {number}")
    return listed


def matches(file: Any, plan: Config, names: Sequence[str]) -> Any:
    """Return columns of a file of matches, a pyarrow.Table of a pyarrow.parquet.ParquetFile."""
    if file.metadata.num_rows > plan.most_matches:
        raise ValueError(f"{file.metadata.num_rows:,} matches, but at most {plan.most_matches:,}")
    known = set(file.schema_arrow.names)
    if missing := [name for name in names if name not in known]:
        raise ValueError(f"it has no column {missing[0]}")
    table = file.read([*names], use_threads=False)  # a file of a generation is small
    columns = {name: table.column(name).to_numpy() for name in names}
    MATCHES.of({"feature": [""]}).check(columns)
    opponents = plan.rating.opponents
    most = max(plan.games, (opponents and opponents.games) or 0)
    least = -len(opponents.agents) if opponents else 0  # the id of the last fixed opponent
    for name, low, high in (("games", 1, most), ("a", least, None), ("b", least, None),
                            ("seed", 0, None)):
        if name in columns and not _within(columns[name], low, high):
            raise ValueError(f"column {name} has an impossible number")
    return table


def _within(numbers: Array, low: int, high: int | None) -> bool:
    return not len(numbers) or bool(numbers.min() >= low and (high is None or
                                                              numbers.max() <= high))
