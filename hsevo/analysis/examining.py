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

REFERENCE = "eva:2018"  # the default opponent
OTHER = "eva:group-1"  # that of the reference itself
EXAMINE = "hsevo examine"  # the kind of work that a folder holds


def examine(agent: AgentLike | Run, *, against: AgentLike | Iterable[AgentLike] = (),
            decks: DeckLike | Sequence[DeckLike] | None = None, out: str | Path | None = None,
            progress: Progress = False,
            chosen: Callable[[Champion], object] = lambda champion: None,
            **fields: Unpack[ExamineFields]) -> Examination:
    """Measure the effect of each weight of an agent on its win rate, and its style of play.

    Parameters
    ----------
    agent : agent or Run
        Any agent with weights, or a learned agent rl:RUN (its style only). Of a run, the best
        individual is examined with the rules and decks of the run, after its last population has
        replayed.
    against : agent or iterable of agents, optional
        Opponents. Default: the last population of a run, or its fixed opponents if individuals do
        not meet. Otherwise eva:2018 (for eva:2018 itself, eva:group-1).
    decks : deck or sequence of decks, optional
        Decks that every agent plays. Default: the decks of the run, or the three decks of CIG2018.
    out : str or Path, optional
        Folder for the tables, from which `hsevo.report` draws figures.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    chosen : callable, optional
        Receives the best individual of a run before it is examined.
    **fields : ExamineFields
        `games` (default 1800, minimum number of games of each variant, which has one weight at one
        of 11 values), `profile_games` (default 360, games analysed move by move), `games_best`
        (default 200, games per pair of decks for every two individuals, to find the best of a run),
        `seed` (default 1), `ruleset`, `information` and `max_turns` (default: those of the run),
        `workers` and `backend`.

    Returns
    -------
    Examination
        Tables `landscape` (one row for each variant), `turns` and `games`.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> found = hsevo.examine("eva:2018", against=["random"], games=18, profile_games=18)
    >>> found.landscape.columns[:4].tolist()
    ['weight', 'value', 'own', 'games']
    """
    settings, worker_fields = parted("examine", ExamineFields, fields)
    own = {key: settings.pop(key) for key in ExamineSettings.model_fields if key in settings}
    asked = config.check(ExamineSettings, own, ARGUMENTS)
    rules = {"games": asked.games, "seed": asked.seed,
             **{key: value for key, value in settings.items() if value is not None}}
    opponents = each_agent(against)
    path = Path(out) if out is not None else None

    def best_of(run: Run) -> Champion:
        champion = run.champion(asked.games_best, progress=progress, **worker_fields)
        chosen(champion)
        return champion

    with claimed(path, EXAMINE, examination.check_folder) if path else nullcontext():
        if isinstance(agent, Run):
            of = among_its_own(agent, opponents, decks, rules, best_of)
        else:
            candidate = as_agent(agent)
            others = opponents or [REFERENCE if candidate.spec != REFERENCE else OTHER]
            of = examination.lineup(
                lineup_of([candidate], others, CIG2018 if decks is None else decks, **rules))
        with playing(examination.games(of, asked.profile_games), workers_of(**worker_fields),
                     progress) as (executor, meter):
            result = examination.examine(executor, of, asked.profile_games, meter.advance)
        if path is not None:
            with keeping(lambda: result), marked(path, EXAMINE):
                result.write(path)
    return result


def among_its_own(run: Run, against: list[AgentLike],
                  decks: DeckLike | Sequence[DeckLike] | None, overrides: dict[str, Any],
                  best_of: Callable[[Run], Champion]) -> Lineup:
    """Return the line-up of the best of a run, by the run's rules unless others are given.

    Errors are raised before games are played to find the best.
    """
    rules = ("ruleset", "information", "max_turns")
    own = {rule: getattr(run.config, rule) for rule in rules} | overrides
    chosen = run.own_decks if decks is None else decks
    names = [str(agent.spec) for agent in run.agents]

    def of(name: str) -> Lineup:
        others = against or examination.companions(run, name.rpartition("#")[2])
        return examination.lineup(lineup_of([name], others or [REFERENCE], chosen, **own))

    taken = {as_agent(opponent).spec for opponent in against}
    of(next((name for name in names if name not in taken), names[0]))
    return of(str(best_of(run).spec))
