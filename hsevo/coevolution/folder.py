"""The tables of a coevolution: the only file that knows its file names and columns.

See store/tables.py for what all such folders have.

    config.yaml      the resolved plan             about.json       versions, hall, field, pool
    decks.csv        every deck that was made      weights.csv      all weights that were made
    matches.csv      what everyone scored          references.csv   champions against the reference
    generations.csv  one line a generation         log.txt          what happened when
    checkpoint.json  how far it is: the commit     done             exists when it is finished

At the end: hall.csv, the hall of fame; confirmed.csv, games after the last generation; champion.txt
and champion.yaml, its deck and its weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

from hsevo import sources
from hsevo.agents.genomes.genome import Genome
from hsevo.coevolution.course import Meetings
from hsevo.deckbuilding.book import COUNTS as SUMS
from hsevo.deckbuilding.folder import DECK_TABLE, GAMES, METHOD_SOURCES
from hsevo.engine.jit import fingerprint
from hsevo.runs.tables import SIGMA
from hsevo.store.sums import short_digest
from hsevo.store.tables import Column, DataTable
from hsevo.types import Array

FORMAT = 1
SOURCES = (*METHOD_SOURCES, *(f"coevolution/{name}.py" for name in (
    "confirm", "course", "pairs")), "evolution/strategies.py")
ALL_TABLES: tuple[DataTable, ...] = (
    DECK_TABLE,
    DataTable("weights.csv", "All weights that were made.", (
        Column("individual", int, "Their number, from 0."),
        Column("parent", int, "The number of their parent; -1 for first ones."),
        Column("born", int, "The generation in which they were made."),
        Column("<weight>", float, "One column a weight, by its name."),
        Column("sigma_<weight>", float,
            "One column a weight, its step size, in units of the genome's scale."),
    )),
    DataTable("matches.csv",
            "What everyone scored in a generation, a row a partner and opponent. Its seeds "
            "follow from the run's.", (
        Column("generation", int, "Which generation, from 0.", logged=False),
        Column("population", str, "`decks` or `weights`."),
        Column("number", int, "The number of the deck or of the weights."),
        Column("partner", str,
            "The pair of the hall, PILOT@DECK, whose pilot played the deck, or whose deck "
            "the weights played."),
        Column("opponent", str, "The pair of the hall that was met."),
        *GAMES,
    )),
    DataTable("references.csv",
            "Champions against the reference decks, a row a deck, every `reference.every` "
            "generations; they chose nothing.", (
        Column("generation", int, "Whose champion.", logged=False),
        Column("deck", str, "The champion's deck."),
        Column("pilot", str, "Its pilot."),
        Column("opponent", str, "The reference deck."),
        Column("agent", str, "The spec of the agent that played that one."),
        *GAMES,
    )),
    DataTable("generations.csv", "A row a generation.", (
        Column("generation", int, "Which generation, from 0.", logged=False),
        Column("games", int, "Games of the generation, with those against reference decks."),
        Column("decks", int, "Decks so far."),
        Column("deck", int, "The number of the best deck.", logged=False),
        Column("deck_rate", float,
            "Its win rate in this generation, draws counting half: the highest of many, and"
            " so too high, against a hall that changes."),
        Column("deck_rate_low", float, "Lower end of its 95 % interval.", logged=False),
        Column("deck_rate_high", float, "Upper end.", logged=False),
        Column("individual", int, "The number of the best weights.", logged=False),
        Column("individual_rate", float, "Their win rate, likewise."),
        Column("individual_rate_low", float, "Lower end of its 95 % interval.", logged=False),
        Column("individual_rate_high", float, "Upper end.", logged=False),
        Column("sigma", float, "The mean step size of the weights that stay."),
        Column("hall", int, "Pairs in the hall after the generation."),
        Column("left", int, "The generation whose champion left the hall; -1 if none did.",
               logged=False),
    )),
    DataTable("hall.csv", "The hall of fame at the end.", (
        Column("generation", int,
            "The generation in which the pair entered; -1 of the first ones, which stay.",
               logged=False),
        Column("deck", str, "Its deck."),
        Column("pilot", str, "Its pilot."),
        Column("cards", str, "The cards of the deck."),
    ), grows=False),
    DataTable("confirmed.csv", "The games at the end.", (
        Column("stage", str,
            "`chosen`: the newest champions against the hall; `last`: the best of these "
            "against the reference decks; its deck with the first pilot; the first deck "
            "with its pilot; the first pair."),
        Column("deck", str, "The deck."),
        Column("pilot", str, "Who played it."),
        Column("opponent", str, "The deck that was met."),
        Column("agent", str, "Who played that one."),
        *GAMES,
    ), grows=False),
)


def marks(genome: Genome) -> dict[str, str]:
    """Return the fingerprints of the engine, the genome, and how decks and weights evolve."""
    ours = sources.remembered("coevolution", lambda: sources.digest(SOURCES))
    method = short_digest(f"{np.__version__} {version('inspyred')} {ours}")
    return {"engine": fingerprint(), "method": method, "genome": genome.digest()}


def weights_table(genome: Genome, rows: Array) -> pd.DataFrame:
    """Return weights, INDIVIDUAL (n,), as lines of weights.csv."""
    return pd.DataFrame(
        {"individual": rows["id"], "parent": rows["parent"], "born": rows["born"]}
        | {name: rows["weights"][:, i] for i, name in enumerate(genome.names)}
        | {SIGMA + name: rows["sigmas"][:, i] for i, name in enumerate(genome.names)})


def matches_table(meetings: Meetings, results: Array) -> pd.DataFrame:
    """Return what a population scored, RESULT (n, m), as lines of matches.csv."""
    n, m = results.shape
    flat: Mapping[str, Any] = {name: results[name].ravel() for name in SUMS}
    return pd.DataFrame({
        "generation": meetings.number, "population": meetings.population,
        "number": np.repeat(meetings.candidates, m),
        "partner": [partner.name for partner in meetings.partners] * n,
        "opponent": [opponent.name for opponent in meetings.theirs] * n,
        **flat, "losses": flat["games"] - flat["wins"] - flat["draws"]})
