"""The best of each execution of some runs, in new games against the same opponents.

    runs --lineup()--> Lineup --rates()--> a line for each best and opponent

The best is that of the last generation's fitness; of a map, the one that was chosen by new games.
These games chose none of them, so the rates have no selection bias. All play the same deals.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from hsevo.errors import ConfigError
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import ARCHIVE, RunFolder
from hsevo.strength.champions import name_of, spec_of
from hsevo.strength.contest import Arena
from hsevo.strength.lineup import ContestPlan, Lineup
from hsevo.strength.roster import read_agents, refuse_twice

RULES = ("ruleset", "information", "max_turns")
RATES = ["opponent", "games", "wins", "draws", "losses", "rate", "rate_low", "rate_high"]


def bests(runs: Mapping[str, RunFolder]) -> pd.DataFrame:
    """Return the best of each execution: run (its label), execution, agent (its spec)."""
    rows = []
    for label, run in runs.items():
        elites = run.table(ARCHIVE)
        figures = run.table(run.names[1])
        chosen = elites[elites["last_games"] > 0] if len(elites) else figures.groupby(
            "execution").tail(1).rename(columns={"best_individual": "individual"})
        rows += [(label, int(execution),
                  spec_of(run, name_of(run, int(execution), int(individual))))
                 for execution, individual in zip(chosen["execution"], chosen["individual"],
                                                  strict=True)]
    return pd.DataFrame(rows, columns=["run", "execution", "agent"])


def lineup(runs: Mapping[str, RunFolder], against: Sequence[str], games: int, seed: int) -> Lineup:
    """Return the games of the bests, each against each of `against`.

    Raises ConfigError if the runs differ in their decks or rules, AgentError for other agents.
    """
    (_, first), *others = runs.items()
    for _, run in others:
        for rule in RULES:
            ours, theirs = (getattr(folder.config, rule) for folder in (first, run))
            if ours != theirs:
                raise ConfigError(f"{first.path} has {rule} {ours}, but {run.path} has {theirs}, so"
                                  " their best agents can't play the same games")
        if run.own_decks != first.own_decks:
            raise ConfigError(f"{run.path} and {first.path} have different decks, so their best"
                              " agents can't play the same games")
    agents = list(bests(runs)["agent"])
    refuse_twice([*agents, *against])
    plan = ContestPlan(agents=agents, against=[*against],
                       decks=[deck.name for deck in first.own_decks], games=games, seed=seed,
                       **{rule: getattr(first.config, rule) for rule in RULES})
    names, players = read_agents([*agents, *against], first.own_decks, compiled=False)
    return Lineup.checked(plan, names, players, first.own_decks)


def rates(runs: Mapping[str, RunFolder], games: Lineup, executor: Executor,
          on_games: OnGames = lambda games: None) -> pd.DataFrame:
    """Play a line-up; return run, execution, agent and RATES, a line for each best and opponent."""
    table = Arena(games).play(executor, on_games).pairs
    rated: pd.DataFrame = bests(runs).merge(table[["agent", *RATES]], on="agent", how="left")
    return rated
