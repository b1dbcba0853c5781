"""`hsevo.examine`: what each weight of an agent is worth, and how the agent plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Unpack

from hsevo import config
from hsevo.analysis import examine as examination
from hsevo.analysis.examine import Examination
from hsevo.cards.decks import DeckLike
from hsevo.config.contests import ExamineSettings
from hsevo.config.named import CIG2018
from hsevo.evolution.run import Champion, Run
from hsevo.experiments.playing import (
    ARGUMENTS,
    Progress,
    keeping,
    parted,
    playing,
    workers_of,
)
from hsevo.files import claimed, marked
from hsevo.generated import ExamineFields
from hsevo.strength.agents import AgentLike, as_agent, each_agent
from hsevo.strength.comparing import lineup_of
from hsevo.strength.lineup import Lineup

REFERENCE = "eva:2018"  # the opponent where none is given
OTHER = "eva:group-1"  # that of the reference itself
EXAMINE = "hsevo examine"  # what fills a folder


def examine(agent: AgentLike | Run, *, against: AgentLike | Iterable[AgentLike] = (),
            decks: DeckLike | Sequence[DeckLike] | None = None, out: str | Path | None = None,
            progress: Progress = False,
            chosen: Callable[[Champion], object] = lambda champion: None,
            **fields: Unpack[ExamineFields]) -> Examination:
    """Measure what each weight of an agent is worth, and how the agent plays.

    agent: any agent with weights, or a learned one, rl:RUN (its style alone); or a Run, of which
    the best is examined by the run's rules and decks, after its last population has played again
    (games_best games per pair of decks, for every two).
    against: opponents; default: the last population of a Run, or its fixed opponents if individuals
    do not meet; else eva:2018 (for eva:2018 itself, eva:group-1). out: a folder for the tables,
    which `report` draws. chosen: called with the best of a Run before it is examined.
    fields: games=1800, of each variant (a weight at one of 11 values), at least; profile_games=360,
    how many of them to analyse move by move; games_best=200; seed=1; ruleset, information and
    max_turns, of a Run its own by default; workers and backend.

    Returns an Examination with the tables `landscape` (a row a variant), `turns` and `games`.
    Raises AgentError, ConfigError, RunError, GameError.

    >>> found = hsevo.examine("eva:2018", against=["random"], games=18, profile_games=18)
    >>> found.landscape.columns[:4].tolist()
    ['weight', 'value', 'own', 'games']
    """
    given, team = parted("examine", ExamineFields, fields)
    own = {key: given.pop(key) for key in ExamineSettings.model_fields if key in given}
    asked = config.check(ExamineSettings, own, ARGUMENTS)
    rules = {"games": asked.games, "seed": asked.seed,
             **{key: value for key, value in given.items() if value is not None}}
    opponents = each_agent(against)
    path = Path(out) if out is not None else None

    def best_of(run: Run) -> Champion:
        champion = run.champion(asked.games_best, progress=progress, **team)
        chosen(champion)
        return champion

    with claimed(path, EXAMINE, examination.check_folder) if path else nullcontext():
        if isinstance(agent, Run):
            of = among_its_own(agent, opponents, decks, rules, best_of)
        else:
            one = as_agent(agent)
            others = opponents or [REFERENCE if one.spec != REFERENCE else OTHER]
            of = examination.lineup(
                lineup_of([one], others, CIG2018 if decks is None else decks, **rules))
        with playing(examination.games(of, asked.profile_games), workers_of(**team),
                     progress) as (executor, meter):
            found = examination.examine(executor, of, asked.profile_games, meter.advance)
        if path is not None:
            with keeping(lambda: found), marked(path, EXAMINE):
                found.write(path)
    return found


def among_its_own(run: Run, against: list[AgentLike],
                  decks: DeckLike | Sequence[DeckLike] | None, given: dict[str, Any],
                  best_of: Callable[[Run], Champion]) -> Lineup:
    """Return the line-up of the best of a run, by the run's rules unless others are given.

    Errors are raised before games are played to find the best.
    """
    rules = ("ruleset", "information", "max_turns")
    own = {rule: getattr(run.config, rule) for rule in rules} | given
    chosen = run.own_decks if decks is None else decks
    names = [str(agent.spec) for agent in run.agents]

    def of(name: str) -> Lineup:
        others = against or examination.companions(run, name.rpartition("#")[2])
        return examination.lineup(lineup_of([name], others or [REFERENCE], chosen, **own))

    taken = {as_agent(one).spec for one in against}
    of(next((name for name in names if name not in taken), names[0]))
    return of(str(best_of(run).spec))
