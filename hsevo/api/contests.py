"""Who is better, and how sure is that: `match`, `arena`, `benchmark`, `tournament`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import RenderableType

from hsevo import config
from hsevo.agents.agent import AGENT
from hsevo.api.agents import Agent, AgentLike, as_agent, as_agents
from hsevo.api.decks import CIG2018, Deck, DeckLike, as_decks, each_deck
from hsevo.api.pool import ARGUMENTS, Progress, playing, workers_of
from hsevo.api.results import ArenaResult, BenchmarkResult, MatchResult, TournamentResult
from hsevo.api.run import Run
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError, ConfigError, DeckError
from hsevo.files import probe, refuse_full, writing
from hsevo.play import cast
from hsevo.play import tournament as rounds
from hsevo.play.cast import Cast
from hsevo.play.match import Setting
from hsevo.play.tournament import write_table
from hsevo.strength import arena as arenas
from hsevo.strength import benchmark as panels
from hsevo.strength.arena import Arena, Lineup, Plan
from hsevo.strength.rating import Sprt


def match(a: AgentLike, b: AgentLike, games: int = 2000, *,
          decks: DeckLike | Sequence[DeckLike] = CIG2018, seed: int = 1, ruleset: str = "cig2018",
          information: str = "fair", max_turns: int = 89,
          sprt: tuple[float, float] | None = None, alpha: float = 0.05, beta: float = 0.05,
          out: str | Path | None = None, workers: int | None = None, backend: str | None = None,
          progress: Progress = False) -> MatchResult:
    """Play two agents against each other, in pairs of games with the same cards from either side.

    games: at least so many, up to whole rounds of all pairs of decks. decks: names, files, codes
    or Deck; each agent plays each. sprt: (elo0, elo1) of a sequential probability ratio test, which
    stops the match as soon as it is sure, with error chances alpha and beta. out: a new folder for
    the games, from which `hsevo.replay` plays any again. Neither workers nor backend change a game.

    Raises AgentError, DeckError, ConfigError, CardError for what can't be played; RunError.

    >>> hsevo.match("eva:2018", "random", games=36)
    eva:2018 is better than random: 100.00 % (... to 100.0) of 36 games, Elo +inf (... to +inf)
    """
    lineup = lineup_of([a, b], (), decks, games=games, seed=seed, ruleset=ruleset,
                       information=information, max_turns=max_turns)
    test = sprt_of(sprt, alpha, beta)
    team = workers_of(workers, backend)
    if out is not None:
        make_room(Path(out))
    with playing(lineup.games, team, progress) as (work, meter):
        result = MatchResult(arenas.contest(work, lineup, test, meter.tick), test)
    if out is not None:
        result.save(out)
    return result


def arena(agents: AgentLike | Iterable[AgentLike], games: int = 360, *,
          against: AgentLike | Iterable[AgentLike] = (),
          decks: DeckLike | Sequence[DeckLike] = CIG2018, seed: int = 1,
          ruleset: str = "cig2018", information: str = "fair", max_turns: int = 89,
          out: str | Path | None = None, workers: int | None = None,
          backend: str | None = None, progress: Progress = False) -> ArenaResult:
    """Play many agents against each other, and rate them.

    games: of every two, at least. against: a gauntlet, each of `agents` meets these alone. out: a
    new folder for every game and all tables, with which a stopped arena can go on
    (`resume_arena`); agents and decks must then have specs and names, to be found again.

    Raises AgentError, DeckError, ConfigError, CardError, RunError.

    >>> result = hsevo.arena(["random", "eva:2018", "noaggression"], games=18)
    >>> result.ratings.agent.tolist()
    ['eva:2018', 'random', 'noaggression']
    """
    rules: dict[str, Any] = {"against": against, "decks": decks, "games": games, "seed": seed,
                             "ruleset": ruleset, "information": information,
                             "max_turns": max_turns}
    team = workers_of(workers, backend)
    if out is not None:
        return play_folder(folder_of(out, agents, **rules), team, progress)
    lineup = lineup_of(agents, **rules)
    with playing(lineup.games, team, progress) as (work, meter):
        return ArenaResult(arenas.contest(work, lineup, tick=meter.tick))


def folder_of(out: str | Path, agents: AgentLike | Iterable[AgentLike],
              against: AgentLike | Iterable[AgentLike] = (),
              decks: DeckLike | Sequence[DeckLike] = CIG2018, **rules: Any) -> Arena:
    """Make the folder of a new arena; its agents go by their specs, for these find them again.

    Raises AgentError for an agent without a spec, DeckError for a deck that only has a name.
    """
    one, other = ([_named(agent) for agent in as_agents(given)] for given in (agents, against))
    lineup = lineup_of(one, other, decks, **rules)
    _refuse_nameless(lineup)
    return Arena.create(Path(out), lineup.plan)


def _named(agent: Agent) -> Agent:
    if agent.spec is None:
        raise AgentError(f"agent '{agent.name}' has no spec by which a folder could name it: save"
                         " it to a file, and give that")
    return Agent(agent.spec)


def _refuse_nameless(lineup: Lineup) -> None:
    for name, deck in zip(lineup.plan.decks, lineup.decks, strict=True):
        if Deck(name).plain != deck:
            raise DeckError(f"deck '{name}' has no name by which a folder could find it again: give"
                            " a name, a path or a deck code")


def resume_arena(path: str | Path, *, workers: int | None = None, backend: str | None = None,
                 progress: Progress = False) -> ArenaResult:
    """Go on with an arena that was stopped; it ends with the same bits. Raises RunError.

    >>> path = hsevo.arena(["random", "eva:2018"], games=18, out="arenas/stopped").path
    >>> hsevo.resume_arena(path)
    ArenaResult(2 agents, 18 games, in arenas/stopped; first eva:2018, +... Elo)
    """
    return play_folder(Arena.resume(Path(path)), workers_of(workers, backend), progress)


def play_folder(folder: Arena, team: config.Workers, progress: Progress = False,
                above: Callable[[], Iterable[RenderableType]] = tuple) -> ArenaResult:
    """Play what is left of an arena's folder, and close it."""
    try:
        if not (folder.path / cast.NAME).exists():
            lineup = folder.lineup
            cast.write(folder.path, lineup.names, lineup.players, lineup.setting)
        with playing(len(folder.record.left()), team, progress, above) as (work, meter):
            folder.play(work, meter.tick)
    finally:
        folder.close()
    return ArenaResult(folder.record, folder.path)


def benchmark(agent: AgentLike | Run, games: int | None = None, *, games_best: int = 200,
              out: str | Path | None = None, workers: int | None = None,
              backend: str | None = None, progress: Progress = False) -> BenchmarkResult:
    """Measure an agent against the frozen panel `panel-2026`: where does it stand?

    agent: any agent, or a Run, whose last population then plays again first (games_best games a
    deck pair of every two) to say who is its best. games: against each of the panel, at least;
    default: as many as the panel's own, 1,800. out: a new folder for games and tables.

    Raises AgentError, ConfigError, RunError.

    >>> hsevo.benchmark("eva:group-3", games=18)
    eva:group-3: place ... of 15 (... to ...), rating +... Elo, ... % (... to ...) of 252 games
    """
    panel, team = panels.Panel.read(), workers_of(workers, backend)
    config.whole("games_best", games_best)
    if isinstance(agent, Run):
        panel.lineup("random", games)  # is `games` a number that can be?
        if out is not None:
            refuse_full(Path(out))  # before a minute of games, not after it
        agent = agent.champion(games_best, workers=workers, backend=backend, progress=progress)
    one = as_agent(agent)
    if out is not None:
        lineup = panel.lineup(str(_named(one).spec), games)
        return benchmark_folder(panel, Arena.create(Path(out), lineup.plan), team, progress)
    lineup = panel.lineup(one.name, games, one.record)
    with playing(lineup.games, team, progress) as (work, meter):
        return BenchmarkResult(panel, arenas.contest(work, lineup, tick=meter.tick))


def resume_benchmark(path: str | Path, *, workers: int | None = None,
                     backend: str | None = None, progress: Progress = False) -> BenchmarkResult:
    """Go on with a benchmark that was stopped; it ends with the same bits. Raises RunError.

    >>> path = hsevo.benchmark("random", games=18, out="arenas/benchmark").path
    >>> hsevo.resume_benchmark(path).place[0]
    14
    """
    return benchmark_folder(panels.Panel.read(), Arena.resume(Path(path)),
                            workers_of(workers, backend), progress)


def benchmark_folder(panel: panels.Panel, folder: Arena, team: config.Workers,
                     progress: Progress = False,
                     above: Callable[[], Iterable[RenderableType]] = tuple) -> BenchmarkResult:
    """Play what is left of a benchmark's folder, and add benchmark.csv and decks.csv."""
    try:
        panel.check(folder.lineup, folder.path)
    except BaseException:
        folder.close()
        raise
    played = play_folder(folder, team, progress, above)
    result = BenchmarkResult(panel, played.record, folder.path)
    write_table(folder.path / "benchmark.csv", result.table)
    write_table(folder.path / "decks.csv", result.decks)
    return result


def tournament(agents: Iterable[AgentLike] | pd.DataFrame, games: int = 20, *,
               decks: DeckLike | Sequence[DeckLike] = CIG2018, seed: int = 1,
               ruleset: str = "cig2018", information: str = "fair", max_turns: int = 89,
               kind: str | None = None, out: str | Path | None = None,
               workers: int | None = None, backend: str | None = None,
               progress: Progress = False) -> TournamentResult:
    """Play a round robin over all pairs of decks, `games` a pair of decks of every two agents.

    agents: whatever names agents, or a DataFrame with a column a weight and the names as index (or
    as column `agent`). kind: what the rows of a DataFrame are the weights of; default: "eva". out:
    a new folder for the tables.

    Raises AgentError, ConfigError, DeckError, GameError, RunError.

    >>> result = hsevo.tournament(["eva:2018", "eva:group-1"], games=2)
    >>> int(result.matches.games.sum())
    18
    """
    if kind is not None and not isinstance(agents, pd.DataFrame):
        raise ConfigError(f"kind is {kind!r}, but only goes with a DataFrame of weights")
    found = as_agents(rows_of(agents, kind) if isinstance(agents, pd.DataFrame) else agents)
    if len(found) < 2:
        raise ConfigError("a tournament needs two agents")
    listed = each_deck(decks)
    read = as_decks(listed)
    plan = config.change(config.load("cig2018"), {
        "name": "tournament", "decks": sources_of(listed, read), "games": games, "seed": seed,
        "ruleset": ruleset, "information": information, "max_turns": max_turns,
        "workers.count": workers, "workers.backend": backend})
    matches = len(found) * (len(found) - 1) // 2 * len(read) ** 2
    config.refuse_memory(matches, f"matches of {plan.games:,} games", config.MATCH_BYTES,
                         "take fewer agents or decks")
    if out is not None:
        make_room(Path(out))
    result = _round_robin(plan, found, read, progress)
    if out is not None:
        result.save(out)
    return result


def make_room(path: Path) -> None:
    """Make a new folder, before games are played for it. Raises RunError."""
    refuse_full(path)
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
    probe(path / "games.csv")


def _round_robin(plan: config.Config, agents: Sequence[Agent], decks: Any,
                 progress: Progress) -> TournamentResult:
    names, n = [agent.name for agent in agents], len(agents)
    players = np.concatenate([agent.record for agent in agents]).astype(AGENT)
    rules = Setting(plan.ruleset, decks, plan.information, plan.max_turns)
    pairings = rounds.round_robin(range(n), len(decks), plan.games, (plan.seed,))
    with playing(int(pairings["games"].sum(dtype="i8")), plan.workers, progress) as (work, meter):
        results = rounds.play(work, pairings, players, rules, meter.tick)
    return TournamentResult(
        plan, rounds.agents_table(names, rounds.tally(pairings, results, n)),
        rounds.deck_pairs_table(names, decks, pairings, results),
        rounds.matches_table(names, decks, pairings, results), meter.speed,
        Cast(tuple(names), players, rules, fingerprint()))


def rows_of(table: pd.DataFrame, kind: str | None = None) -> list[Agent]:
    """Return an agent a row of a table of weights, named by its column `agent` or its index."""
    named = table.set_index("agent") if "agent" in table else table
    return [Agent(row, str(name), kind) for name, row in named.iterrows()]


def lineup_of(agents: AgentLike | Iterable[AgentLike],
              against: AgentLike | Iterable[AgentLike] = (),
              decks: DeckLike | Iterable[DeckLike] = CIG2018, **rules: Any) -> Lineup:
    """Return a line-up of agents and decks in whatever form, with checked rules."""
    one, other = as_agents(agents), as_agents(against)
    everyone = as_agents([*one, *other])
    if not everyone:
        raise AgentError("there is nobody to play; name two agents at least")
    listed = each_deck(decks)
    read = as_decks(listed)
    plan = config.check(Plan, {"agents": [agent.name for agent in one],
                               "against": [agent.name for agent in other],
                               "decks": sources_of(listed, read), **rules}, ARGUMENTS)
    return Lineup.checked(plan, tuple(agent.name for agent in everyone),
                          np.concatenate([agent.record for agent in everyone]), read)


def sources_of(given: Sequence[DeckLike], read: Sequence[Any]) -> list[str]:
    """Return what names decks again: their sources where they are text, else their names."""
    return [str(source) if isinstance(source, str | Path) else deck.name
            for source, deck in zip(given, read, strict=True)]


def sprt_of(ends: Any, alpha: Any, beta: Any) -> Sprt | None:
    """Return a sequential test of two hypotheses in Elo, or None. Raises ConfigError."""
    for name, chance in (("alpha", alpha), ("beta", beta)):
        if not isinstance(chance, float | int | np.number) or not 0 < chance < 0.5:
            raise ConfigError(f"{name} is {config.short(chance)}, but must be a number between 0"
                              " and 0.5")
    if ends is None:
        return None
    two = isinstance(ends, list | tuple) and len(ends) == 2 and all(
        isinstance(end, float | int | np.number) for end in ends)
    if not two or not -10_000 < ends[0] < ends[1] < 10_000:
        said = f"{ends[0]:g} {ends[1]:g}" if two else config.short(ends)
        raise ConfigError(f"sprt is {said}, but must be a lower and a higher number of Elo, such"
                          " as 0 10")
    return Sprt(ends[0], ends[1], alpha, beta)
