"""Agent profile: what its numbers are worth, and how it plays, as a folder.

A learned policy has no weight that means something alone: its profile is how it plays.

    lineup(plan, run) --examine() over workers--> Examination --write()--> folder

    examined.yaml    the agent, its opponents, the rules and the engine
    landscape.csv    each weight at each value (landscape.py)
    turns.csv, games.csv    its games turn by turn (profile.py)

hsevo report draws what it finds in RUN/examined.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.agents.genomes.genome import Genome
from hsevo.agents.registry import EVOLVED, NET, genome_of, kind_name
from hsevo.analysis import landscape
from hsevo.analysis import profile as style
from hsevo.analysis.landscape import GRID, ITSELF, LEAD
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError, ConfigError, RunError
from hsevo.files import UNFINISHED, inside, probe, read_table, writing
from hsevo.objects import Fields, rules
from hsevo.play.tournament import write_table
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import RunFolder
from hsevo.store.kinds import About
from hsevo.strength.champions import last_population, spec_of
from hsevo.strength.lineup import GAME_BYTES, ContestPlan, Lineup

ABOUT = About("examined.yaml", "hsevo examine")
FOLDER = "examined"  # of a run
STYLE_GAMES = 360  # recorded turn by turn
TABLES = {"landscape": ["weight", "value", "own", "games", "rate", "rate_low", "rate_high", "lead",
                        "lead_low", "lead_high", "p", "changed"],
          "turns": ["game", "agent", "opponent", "turn", "over", "spent", "left", *style.ACTIONS],
          "games": ["game", "opponent", "deck", "opponent_deck", "begins", "points", "turns"]}
UNTOLD = {"value", "own", *LEAD}  # columns that are empty for the agent itself
WORDS = {"weight", "agent", "opponent", "deck", "opponent_deck"}  # columns without numbers


@dataclass(frozen=True)
class Examination:
    """Hold the effect of each weight of an agent, and its style of play.

    Attributes
    ----------
    plan : ContestPlan
        Agents, decks and rules.
    landscape : pandas.DataFrame
        One row for the agent, and one for each variant. Columns weight, value, own (the agent's
        value), games, wins, draws, losses, rate, rate_low, rate_high, lead (rate less that of the
        agent), lead_low, lead_high, p (two-sided), changed (share of pairs of games with any
        difference).
    turns : pandas.DataFrame
        One row for each turn of the games analysed move by move.
    games : pandas.DataFrame
        One row for each of these games.
    """

    FIELDS: ClassVar[Fields] = {
        "agent": "agent", "plan": rules("plan"), "landscape": "landscape",
        "style": lambda self: [
            {"figure": share.says, "unit": share.unit, "agent": share.own,
             "opponents": share.others}
            for share in style.shares(self.turns, self.games, self.agent)]}

    plan: ContestPlan
    landscape: pd.DataFrame
    turns: pd.DataFrame
    games: pd.DataFrame

    @property
    def agent(self) -> str:
        """Spec of the agent."""
        return self.plan.agents[0]

    @property
    def genome(self) -> Genome | None:
        """Genome of the agent's family. None for a learned policy."""
        kind = kind_name(self.agent)
        if kind == NET:
            return None
        return genome_of(kind if kind in EVOLVED else "eva")  # weights of one's own are EVA's

    @property
    def weights(self) -> tuple[str, ...]:
        """Names of the weights that the landscape varies."""
        return self.genome.names if self.genome else ()

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a folder of `hsevo.examine`.

        Parameters
        ----------
        path : Path
            Path of the folder.

        Returns
        -------
        Self
            The result.

        Raises
        ------
        RunError
            If the folder has no complete result, or is damaged.
        """
        try:
            about = ABOUT.read(path)
        except ConfigError:
            raise RunError(f"{path} is not a folder of a finished hsevo examine") from None
        try:
            plan = config.check(ContestPlan, about.get("plan") or {}, "examined.yaml")
            examination = cls(plan, **{
                name: read_table(path / f"{name}.csv", columns, WORDS, UNTOLD, "; examine again")
                for name, columns in TABLES.items()})
            examination._check()
        except (ValueError, ConfigError, AgentError) as error:
            raise RunError(f"{path} is damaged: {str(error).splitlines()[0]}; run hsevo examine"
                           " again"
                           ) from None
        return examination

    def _check(self) -> None:
        """Raise ValueError unless the tables are complete, and of the agents of the plan."""
        variants = [ITSELF, *np.repeat(self.weights, len(GRID))]
        if self.landscape["weight"].tolist() != variants:
            raise ValueError("landscape.csv lacks the line of a variant")
        if self.landscape[1:][list(UNTOLD)].isna().any(axis=None):
            raise ValueError("landscape.csv lacks a number of a variant")
        known = [self.agent, *self.plan.against]
        for name, column in (("turns", "agent"), ("turns", "opponent"), ("games", "opponent")):
            if not getattr(self, name)[column].isin(known).all():
                raise ValueError(f"{name}.csv has other agents than examined.yaml")
        if not (self.games["points"].isin([0, 0.5, 1]).all()
                and self.landscape["p"][1:].between(0, 1).all()):
            raise ValueError("games.csv has impossible points, or landscape.csv an impossible p")
        played = self.games["game"].tolist()
        if not played or played != list(range(len(played))) or (
                set(played) != set(self.turns["game"])):
            raise ValueError("turns.csv and games.csv are from different games")

    def write(self, path: Path) -> None:
        """Write the folder, and replace an older result.

        Parameters
        ----------
        path : Path
            Path of the folder.

        Raises
        ------
        RunError
            If the folder has other content, or cannot be written.
        """
        check_folder(path)
        with writing(path):
            path.mkdir(parents=True, exist_ok=True)
            (path / "examined.yaml").unlink(missing_ok=True)  # until all is there again
        for name in TABLES:
            write_table(path / f"{name}.csv", getattr(self, name))
        ABOUT.write(path, {"engine": fingerprint(), "plan": self.plan.model_dump()})


def check_folder(path: Path) -> None:
    """Raise RunError unless a folder is new, or holds an older examination.

    Whether it can be written is seen here, before the games, and not after them.
    """
    with writing(path):
        if path.exists() and not (path.is_dir() and _replaceable(path)):
            raise RunError(f"{path} already exists and is not an examination; choose another"
                           " folder")
        there = next(folder for folder in (path, *path.parents) if folder.exists())
    probe(there / path.name)


def _replaceable(path: Path) -> bool:
    """Return whether a folder is empty, or holds only an examination, perhaps unfinished."""
    names = {file.name for file in inside(path)}
    ours = "examined.yaml" in names or (path / UNFINISHED).exists()
    return not names or (ours and names <= {"examined.yaml", *(f"{name}.csv" for name in TABLES)})


def companions(run: RunFolder, name: str) -> list[str]:
    """Return the specs of the other individuals of a run's last population.

    If individuals did not meet in the run, those of its fixed opponents.
    """
    if not run.config.rating.coevolves:
        return list(run.opponents.names)
    execution = name.rpartition("individual-")[0]  # "execution-2-" of several
    others = [individual for individual in last_population(run)[0]
              if individual.rpartition("individual-")[0] == execution and individual != name]
    return [spec_of(run, individual) for individual in others]


def lineup(of: Lineup) -> Lineup:
    """Return a line-up whose `games` are those of a variant against all opponents together.

    Raises AgentError, ConfigError.
    """
    plan = of.plan
    if not plan.against:
        raise AgentError(f"{plan.agents[0]} needs an opponent: name one (against)")
    divided = replace(of, plan=plan.model_copy(
        update={"games": ceil(plan.games / len(plan.against))}))
    config.refuse_memory(landscape.games(divided), "games", GAME_BYTES,
                         "use fewer games, opponents or decks")
    return divided


def games(of: Lineup, profiled: int) -> int:
    """Return how many games `examine` plays."""
    return landscape.games(of) + len(style.first_rounds(of, profiled))


def examine(executor: Executor, of: Lineup, profiled: int = STYLE_GAMES,
            on_games: OnGames = lambda games: None) -> Examination:
    """Play the games that examine agent 0 of a line-up. Raises GameError.

    profiled: games to go through move by move, at least.
    """
    # First, because its games take a hundredth of the time.
    around = landscape.landscape(executor, of, on_games)
    return Examination(of.plan, around, *style.record(executor, of, profiled, on_games))
