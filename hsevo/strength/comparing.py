"""`hsevo.match`, `hsevo.arena`, `hsevo.benchmark`: make the plan and the line-up, and play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar, Unpack, runtime_checkable

from rich.console import RenderableType

from hsevo import config
from hsevo.agents.genomes.decks import joined
from hsevo.cards.decks import Deck, DeckLike, as_decks, each_deck
from hsevo.config.contests import MatchSettings
from hsevo.config.named import CIG2018
from hsevo.errors import AgentError, ConfigError, DeckError
from hsevo.experiments.playing import ARGUMENTS, Progress, keeping, parted, playing, workers_of
from hsevo.files import refuse_full
from hsevo.generated import MatchFields, RulesFields, WorkersFields
from hsevo.play import match as engine
from hsevo.play import players as hosted
from hsevo.strength import drawn
from hsevo.strength import panel as panels
from hsevo.strength.agents import Agent, AgentLike, as_agent, as_agents
from hsevo.strength.benchmark import Benchmark
from hsevo.strength.contest import Arena, Contest
from hsevo.strength.lineup import ContestPlan, Lineup
from hsevo.strength.matches import ITSELF, Match, sprt_of
from hsevo.strength.rating import Sprt
from hsevo.strength.roster import merged, named_decks, split_deck

C = TypeVar("C", bound=Contest)


@runtime_checkable
class HasChampion(Protocol):
    """Describe a run that finds its best agent by replaying its last population: `hsevo.Run`."""

    def champion(self, games: int, *, progress: Progress = False, workers: int | None = None,
                 backend: str | None = None) -> Agent:
        """Return the best agent.

        Parameters
        ----------
        games : int
            Games per pair of decks, for every two agents.
        progress : bool or callable, default False
            Show a progress bar, or call a function with the games played and in total.
        workers : int, optional
            Number of workers. Default: one per core.
        backend : {"threads", "loky", "dask", "serial"}, optional
            How games run in parallel. It does not change results.

        Returns
        -------
        Agent
            The best agent.
        """


def play_out(contest: C, workers: config.Workers, progress: Progress = False,
           above: Callable[[], Iterable[RenderableType]] = tuple,
           load: Callable[[], object] | None = None) -> C:
    """Play what is left of a contest, in its folder if it has one; return it.

    load: loads the engine; default: what the games of its line-up call. What stops it, or keeps it
    from being written, has the contest as its `result`.
    """
    with (contest.held(), keeping(lambda: contest if contest.complete else None),
          playing(contest.total, workers, progress, above, contest.done,
                  load or partial(_load, contest.lineup)) as (executor, meter)):
        contest.play(executor, meter.advance)
    return contest


def _load(lineup: Any) -> None:
    """Load what the games of a line-up call; Python players call the rules, and ask others."""
    if hosted.among(lineup.players):
        engine.warm_up(lineup.setting.ruleset)
    else:
        engine.load_for(lineup.players, lineup.setting.information, lineup.setting.ruleset)


def match(a: AgentLike, b: AgentLike, games: int = 2000, *,
          decks: DeckLike | Sequence[DeckLike] = CIG2018, out: str | Path | None = None,
          progress: Progress = False, **fields: Unpack[MatchFields]) -> Match:
    """Play two agents against each other in mirrored pairs of games.

    Parameters
    ----------
    a, b : agent
        Agents in any form that `hsevo.Agent` accepts.
    games : int, default 2000
        Minimum number of games, rounded up to complete rounds of all pairs of decks.
    decks : deck or sequence of decks, default the three decks of CIG2018
        Decks that every agent plays: names, files, deck codes, URLs or `hsevo.Deck` objects.
        "human:held-out" draws two human decks for each pair of games, from groups of decks that
        learned players did not train on. "human:known" draws from the other groups.
    out : str or Path, optional
        New folder for the games, from which `hsevo.replay` replays any game. Repeat the call to
        continue a stopped match.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : MatchFields
        Rules, test and workers. Defaults: seed=1, ruleset="cig2018", max_turns=89,
        information="fair", sprt=None, alpha=0.05, beta=0.05. `sprt` is (elo0, elo1) of a sequential
        probability ratio test that stops the match as soon as it accepts a hypothesis. `workers`
        and `backend` do not change results.

    Returns
    -------
    Match
        Result, with 95 % intervals.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Notes
    -----
    Both games of a pair have the same seed and swapped seats. With drawn decks, `classes` of the
    result has the win rate of each class, and intervals account for games that share decks. An
    agent may then play against itself.

    Examples
    --------
    >>> hsevo.match("eva:2018", "random", games=20, decks="human:held-out").classes["rate"].min()
    np.float64(1.0)
    >>> hsevo.match("eva:2018", "random", games=36)
    eva:2018 is better than random: 100.00 % (... to 100.00) of 36 games, Elo above +...
    """
    settings, worker_fields = parted("match", MatchFields, fields)
    asked = config.check(MatchSettings, {"games": games, **settings}, ARGUMENTS)
    test, rules, workers = sprt_of(asked), asked.rules, workers_of(**worker_fields)
    lineup = lineup_of_two(a, b, decks, test, **rules)
    return play_out(Match(lineup, None if out is None else Path(out), test), workers, progress)


def open_match(path: str | Path) -> Match:
    """Open the folder of a finished match.

    To continue a stopped match, repeat the call of `hsevo.match` that began it.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Returns
    -------
    Match
        Result, from the stored games.

    Raises
    ------
    RunError
        If the folder has no finished match, or is damaged.
    ConfigError
        If match.yaml is damaged.

    Examples
    --------
    >>> hsevo.match("eva:2018", "random", games=36, out="matches/first").wins
    36
    >>> hsevo.open_match("matches/first").wins
    36
    """
    return Match.open_finished(path)


def lineup_of_two(a: AgentLike, b: AgentLike, decks: DeckLike | Sequence[DeckLike],
                  test: Sprt | None = None, itself: bool = False, **rules: Any) -> Lineup:
    """Return the line-up of a match, on decks that are given or drawn, with checked rules.

    itself: whether an agent may also meet itself on decks that are given.
    """
    listed = decks if decks is CIG2018 else each_deck(decks)  # which may be read once
    if side := drawn.side_of(each_deck(listed)):
        return _drawn_lineup([a, b], side, each_deck(listed), test, **rules)
    both = [as_agent(agent) for agent in (a, b)] if itself else []
    if itself and _same(both) and not both[0].deck:
        read = as_decks(each_deck(listed))
        plan = config.check(ContestPlan, {
            "agents": [both[0].name, ITSELF], "against": [],
            "decks": sources_of(each_deck(listed), read), **rules}, ARGUMENTS)
        players = joined([agent._named.on(read) for agent in both], len(read))
        return Lineup.checked(plan, (both[0].name, ITSELF), players, read)
    return lineup_of([a, b], (), listed, **rules)


def _same(both: Sequence[Agent]) -> bool:
    """Return whether two agents have the same spec."""
    return both[0].spec is not None and both[0].spec == both[1].spec


def _drawn_lineup(agents: Sequence[AgentLike], side: str, decks: Sequence[DeckLike],
                  test: Sprt | None, **rules: Any) -> Lineup:
    """Return a line-up of two agents on human lists that are drawn for each pair of games."""
    both = [as_agent(agent) for agent in agents]
    if test or any(agent.deck for agent in both):
        what = "sprt" if test else "an agent with a deck of its own (AGENT@DECK)"
        raise ConfigError(f"decks {decks[0]} can't be combined with {what}")
    names = ((both[0].name, ITSELF) if _same(both) else
             tuple(agent.name for agent in as_agents(both)))
    plan = config.check(ContestPlan, {"agents": [*names], "against": [], "decks": [*decks],
                                      **rules}, ARGUMENTS)
    listed = drawn.lists(side, plan.seed, plan.ruleset, -(-plan.games // 2))
    once = tuple(dict.fromkeys(listed))
    players = joined([agent._named.on(once) for agent in both], len(once))
    return Lineup.checked(plan, names, players, once)


def arena(agents: AgentLike | Iterable[AgentLike], games: int = 360, *,
          against: AgentLike | Iterable[AgentLike] = (),
          decks: DeckLike | Sequence[DeckLike] = CIG2018, out: str | Path | None = None,
          progress: Progress = False, **fields: Unpack[RulesFields]) -> Arena:
    """Play many agents against each other and rate them.

    Parameters
    ----------
    agents : agent or iterable of agents
        Agents in any form that `hsevo.Agent` accepts.
    games : int, default 360
        Minimum number of games of every two agents.
    against : agent or iterable of agents, optional
        Gauntlet: each of `agents` plays only these opponents.
    decks : deck or sequence of decks, default the three decks of CIG2018
        Decks that every agent plays: names, files, deck codes, URLs or `hsevo.Deck` objects.
    out : str or Path, optional
        New folder for all games and tables, from which `hsevo.resume_arena` continues a stopped
        arena. Agents then need specs, and decks need names.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : RulesFields
        Rules and workers: `seed`, `ruleset`, `information`, `max_turns`, `workers` and `backend`,
        as in `hsevo.match`.

    Returns
    -------
    Arena
        Ratings and tables, with 95 % intervals.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> result = hsevo.arena(["random", "eva:2018", "noaggression"], games=18)
    >>> result.ratings.agent.tolist()
    ['eva:2018', 'random', 'noaggression']
    """
    rules, worker_fields = parted("arena", RulesFields, fields)
    return play_out(arena_of(out, agents, against, decks, games=games, **rules),
                    workers_of(**worker_fields), progress)


def arena_of(out: str | Path | None, agents: AgentLike | Iterable[AgentLike],
             against: AgentLike | Iterable[AgentLike] = (),
             decks: DeckLike | Sequence[DeckLike] = CIG2018, **rules: Any) -> Arena:
    """Return an arena that is ready to be played, in a folder unless `out` is None.

    A folder names agents by their specs. Raises AgentError for an agent without a spec, DeckError
    for a deck that only has a name.
    """
    if out is None:
        return Arena(lineup_of(agents, against, decks, **rules))
    compared, opponents = ([_named(agent) for agent in as_agents(group)]
                           for group in (agents, against))
    lineup = lineup_of(compared, opponents, decks, **rules)
    _refuse_nameless(lineup)
    return Arena(lineup, Path(out))


def _named(agent: Agent) -> Agent:
    if agent.spec is None:
        how = ("give it as py:FILE.py#NAME" if hosted.among(agent._named.agent) else
               "save it to a file and give the file")
        raise AgentError(f"agent '{agent.name}' can't be stored in a folder, because it has no"
                         f" spec: {how}")
    return Agent(agent.spec)


def _refuse_nameless(lineup: Lineup) -> None:
    for name, deck in zip(lineup.plan.decks, lineup.decks, strict=False):  # then own ones
        if Deck(name) != deck:
            raise DeckError(f"deck '{name}' can't be stored in a folder: give a name, a path or a"
                            " deck code")


def resume_arena(path: str | Path, *, trust: bool = False, workers: int | None = None,
                 backend: str | None = None, progress: Progress = False) -> Arena:
    """Continue a stopped arena, with bit-identical results.

    Parameters
    ----------
    path : str or Path
        Path of the folder.
    trust : bool, default False
        Run the files of Python players (``py:FILE.py#NAME``) in the folder. The files must be
        unchanged.
    workers : int, optional
        Number of workers. Default: one per core.
    backend : {"threads", "loky", "dask", "serial"}, optional
        How games run in parallel. It does not change results.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.

    Returns
    -------
    Arena
        Ratings and tables.

    Raises
    ------
    RunError
        If the folder has no arena, or is damaged or in use.
    AgentError
        If a Python player is not trusted, or has changed.

    Examples
    --------
    >>> path = hsevo.arena(["random", "eva:2018"], games=18, out="arenas/stopped").path
    >>> hsevo.resume_arena(path)
    Arena(2 agents, 18 games, in arenas/stopped; first eva:2018, +... Elo)
    """
    return play_out(Arena.open(path, trust), workers_of(workers, backend), progress)


def benchmark(agent: AgentLike | HasChampion, games: int | None = None, *,
              panel: str = panels.NEWEST, games_best: int = 200, out: str | Path | None = None,
              progress: Progress = False, **fields: Unpack[WorkersFields]) -> Benchmark:
    """Measure the rating and place of an agent in a fixed panel of agents.

    Parameters
    ----------
    agent : agent or Run
        The agent to measure. The last population of a run first replays its games to find the best
        individual.
    games : int, optional
        Minimum number of games against each agent of the panel. Default: as in the panel's own
        games, 900 for "panel-2026c", else 1,800.
    panel : str, default "panel-2026c"
        Name of the panel. "protocol-1" compares learners: it has held-out decks, and `splits` of
        the result has the win rates with seen and with held-out decks.
    games_best : int, default 200
        Games per pair of decks for every two individuals, to find the best of a run.
    out : str or Path, optional
        New folder for the games and tables.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : WorkersFields
        `workers` and `backend`, which do not change results.

    Returns
    -------
    Benchmark
        Place, rating and tables, with 95 % intervals.

    Raises
    ------
    AgentError
        If an agent is unknown, damaged or unable to play here.
    ConfigError
        If an argument has a wrong type or is out of range.
    DeckError
        If a deck of the agent is unknown or invalid.
    RunError
        If a folder cannot be written, is in use, or has other content.

    Examples
    --------
    >>> hsevo.benchmark("eva:group-3", games=18, panel="panel-2026")
    eva:group-3: place ... of 15 (... to ...), rating +... Elo, ... % (... to ...) of 252 games
    """
    _, worker_fields = parted("benchmark", WorkersFields, fields)
    field, workers = panels.Panel.read(panel), workers_of(**worker_fields)
    games_best = config.whole("games_best", games_best)
    if isinstance(agent, HasChampion):
        field.lineup("random", games)  # is `games` a number that can be?
        if out is not None:
            refuse_full(Path(out))  # before a minute of games, not after it
        agent = agent.champion(games_best, progress=progress, **worker_fields)
    return play_out(benchmark_of(out, agent, games, field), workers, progress)


def benchmark_of(out: str | Path | None, agent: AgentLike, games: int | None,
                 field: panels.Panel) -> Benchmark:
    """Return a benchmark that is ready to be played, in a folder unless `out` is None.

    A folder names the agent by its spec. Raises AgentError, ConfigError.
    """
    candidate = as_agent(agent)
    if out is not None:
        return Benchmark(field.lineup(str(_named(candidate).spec), games), Path(out), field)
    own = candidate.deck
    players = candidate._named.on(merged(field.decks, [own])[0])
    return Benchmark(field.lineup(candidate.name, games, players, own), None, field)


def resume_benchmark(path: str | Path, *, trust: bool = False, workers: int | None = None,
                     backend: str | None = None, progress: Progress = False) -> Benchmark:
    """Continue a stopped benchmark, with bit-identical results.

    Parameters
    ----------
    path : str or Path
        Path of the folder.
    trust : bool, default False
        Run the files of Python players (``py:FILE.py#NAME``) in the folder. The files must be
        unchanged.
    workers : int, optional
        Number of workers. Default: one per core.
    backend : {"threads", "loky", "dask", "serial"}, optional
        How games run in parallel. It does not change results.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.

    Returns
    -------
    Benchmark
        Place, rating and tables.

    Raises
    ------
    RunError
        If the folder has no benchmark, or is damaged or in use.
    AgentError
        If a Python player is not trusted, or has changed.

    Examples
    --------
    >>> path = hsevo.benchmark("random", 18, panel="panel-2026", out="arenas/benchmark").path
    >>> hsevo.resume_benchmark(path).place[0]
    14
    """
    return play_out(Benchmark.open(path, trust), workers_of(workers, backend), progress)


def tournament(*arguments: object, **named: object) -> NoReturn:
    """Raise an error that names the replacement: version 0.6 removed this function.

    Parameters
    ----------
    *arguments
        Ignored.
    **named
        Ignored.

    Raises
    ------
    ConfigError
        Always.

    Examples
    --------
    >>> hsevo.tournament()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    hsevo.errors.ConfigError: hsevo.tournament was removed in version 0.6: hsevo.arena...
    """
    raise ConfigError("hsevo.tournament was removed in version 0.6: use hsevo.arena(agents). The"
                      " agents of a table of weights are [hsevo.Agent(row, name) for name, row in"
                      " table.iterrows()], and the agents of a run are hsevo.Run(path).agents")


def lineup_of(agents: AgentLike | Iterable[AgentLike],
              against: AgentLike | Iterable[AgentLike] = (),
              decks: DeckLike | Iterable[DeckLike] = CIG2018, **rules: Any) -> Lineup:
    """Return a line-up of agents and decks given in any form, with checked rules."""
    compared, opponents = as_agents(agents), as_agents(against)
    everyone = as_agents([*compared, *opponents])
    if not everyone:
        raise AgentError("no agents are given; name at least two")
    names, alone = [agent.name for agent in everyone], [agent.deck for agent in everyone]
    listed = each_deck(decks)
    if all(alone) and decks is not CIG2018:
        raise ConfigError("each agent has its own deck, so no agent would play the given decks;"
                          " leave decks out")
    if all(alone):  # nobody plays these: the plan names the own ones
        own_decks = {deck: split_deck(agent.spec or "")[1] or deck
                     for agent, deck in zip(everyone, alone, strict=True) if deck}
        listed = list(own_decks.values())
    read = as_decks(listed)
    common = sources_of(listed, read)
    all_decks, own = merged(read, alone)
    plan = config.check(ContestPlan, {
        "agents": [agent.name for agent in compared],
        "against": [agent.name for agent in opponents],
        "decks": common, "own": named_decks(names, own), **rules}, ARGUMENTS)
    players = joined([agent._named.on(all_decks) for agent in everyone], len(all_decks))
    return Lineup.checked(plan, tuple(names), players, all_decks)


def sources_of(sources: Sequence[DeckLike], read: Sequence[Any]) -> list[str]:
    """Return names that find decks again: their sources if these are text, else their names."""
    return [str(source) if isinstance(source, str | Path) else deck.name
            for source, deck in zip(sources, read, strict=True)]
