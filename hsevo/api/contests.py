"""Compare agents: `match`, `arena`, `benchmark`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from rich.console import RenderableType

from hsevo import config
from hsevo.agents.genomes.decks import joined
from hsevo.api.agents import (
    Agent,
    AgentLike,
    as_agent,
    as_agents,
)
from hsevo.api.decks import Deck, DeckLike, as_decks, each_deck
from hsevo.api.pool import ARGUMENTS, Progress, keeping, playing, workers_of
from hsevo.api.results import (
    ITSELF,
    MATCH,
    ArenaResult,
    BenchmarkResult,
    MatchResult,
)
from hsevo.config.named import CIG2018
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError, ConfigError, DeckError, RunError
from hsevo.files import check_path, claimed, marked, refuse_full
from hsevo.play import participants
from hsevo.play import players as hosted
from hsevo.play.python_players import refuse_values
from hsevo.play.tournament import write_table
from hsevo.strength import arena as arenas
from hsevo.strength import benchmark as panels
from hsevo.strength import drawn
from hsevo.strength.arena import Lineup, Plan
from hsevo.strength.folder import Arena, StoredRecord
from hsevo.strength.own_decks import merged, named_decks, split_deck
from hsevo.strength.rating import Sprt

if TYPE_CHECKING:
    from hsevo.api.run import Run


def match(a: AgentLike, b: AgentLike, games: int = 2000, *,
          decks: DeckLike | Sequence[DeckLike] = CIG2018, seed: int = 1, ruleset: str = "cig2018",
          information: str = "fair", max_turns: int = 89,
          sprt: tuple[float, float] | None = None, alpha: float = 0.05, beta: float = 0.05,
          out: str | Path | None = None, workers: int | None = None, backend: str | None = None,
          progress: Progress = False) -> MatchResult:
    """Play two agents against each other, in pairs of games with the same cards from both sides.

    games: at least so many, rounded up to whole rounds of all pairs of decks. decks: names, files,
    codes, URLs or Deck; each agent plays each. sprt: (elo0, elo1) of a sequential probability ratio
    test, which stops the match once it accepts a hypothesis, with error probabilities alpha and
    beta. information: "fair", "closed" (the agents guess each other's deck lists), "closed:match",
    "closed:bigrams", "closed:uniform" or "leaky". out: a new folder for the games, from which
    `hsevo.replay` plays any again; a match that was stopped continues with the same call. Neither
    workers nor backend change a game.

    decks="human:held-out" draws two human lists for each pair of games, of groups of lists that
    learned players have not met ("human:known": of the others). `classes` of the result then says
    what each class is worth; intervals count that games share lists. There an agent may also meet
    itself: `classes` then says what each class is worth where one agent plays them all.

    Raises AgentError, DeckError, ConfigError, CardError, RunError.

    >>> hsevo.match("eva:2018", "random", games=20, decks="human:held-out").classes["rate"].min()
    np.float64(1.0)
    >>> hsevo.match("eva:2018", "random", games=36)
    eva:2018 is better than random: 100.00 % (... to 100.00) of 36 games, Elo above +...
    """
    test, team = sprt_of(sprt, alpha, beta), workers_of(workers, backend)
    rules: dict[str, Any] = {"games": games, "seed": seed, "ruleset": ruleset,
                             "information": information, "max_turns": max_turns}
    listed = decks if decks is CIG2018 else each_deck(decks)  # which may be read once
    if side := drawn.side_of(each_deck(listed)):
        lineup = _drawn_lineup([a, b], side, each_deck(listed), test, **rules)
    else:
        lineup = lineup_of([a, b], (), listed, **rules)
    path = Path(out) if out is not None else None
    if path is None:
        return _match(arenas.Record(lineup), test, team, progress, path)
    with kept_games(path, "match", lineup.names, lineup.players, lineup.decks, lineup.plan, test):
        result = _match(StoredRecord(lineup, path / "games.csv"), test, team, progress, path)
        with keeping(lambda: result):
            result.save(path)
    return result


def open_match(path: str | Path) -> MatchResult:
    """Open the folder of a finished match: its result, from the games that are stored there.

    A match that was stopped is continued by the call of `match` that began it. Raises RunError, and
    ConfigError for a damaged match.yaml.

    >>> hsevo.match("eva:2018", "random", games=36, out="matches/first").wins
    36
    >>> hsevo.open_match("matches/first").wins
    36
    """
    folder = Path(path)
    about, source = finished(folder, MATCH, "match"), folder / MATCH
    plan = config.check(Plan, about.get("plan") or {}, str(source))
    kept = participants.read(folder)
    lineup = Lineup.checked(plan, kept.names, kept.agents, kept.setting.decks)
    record = StoredRecord(lineup, folder / "games.csv")
    if not record.counts[0, 1].any():
        raise RunError(f"{folder} is damaged: it has no games")
    return MatchResult(record, _stored_test(about.get("sprt"), source), folder)


def finished(folder: Path, name: str, kind: str) -> dict[str, Any]:
    """Return what a folder of finished games says of them, in the file `name`.

    kind: what they are, which is the function's name, too. Raises RunError, and ConfigError for a
    damaged file.
    """
    check_path(folder)
    source = folder / name
    if not source.is_file():
        begun = (folder / "games.csv").is_file()
        why = f"it was stopped, and the same call of hsevo.{kind} continues it" if begun else (
            f"it has no {name}")
        raise RunError(f"{folder} is not a finished {kind} of hsevo: {why}")
    about: dict[str, Any] = config.parse(config.read_text(source), str(source))
    return about


def _drawn_lineup(agents: Sequence[AgentLike], side: str, decks: Sequence[DeckLike],
                  test: Sprt | None, **rules: Any) -> Lineup:
    """Return a line-up of two agents on human lists that are drawn for each pair of games."""
    both = [as_agent(agent) for agent in agents]
    if test or any(agent.deck for agent in both):
        what = "sprt" if test else "an agent with a deck of its own (AGENT@DECK)"
        raise ConfigError(f"decks {decks[0]} can't be combined with {what}")
    same = both[0].spec is not None and both[0].spec == both[1].spec
    names = (both[0].name, ITSELF) if same else tuple(one.name for one in as_agents(both))
    plan = config.check(Plan, {"agents": [*names], "against": [], "decks": [*decks], **rules},
                        ARGUMENTS)
    listed = drawn.lists(side, plan.seed, plan.ruleset, -(-plan.games // 2))
    once = tuple(dict.fromkeys(listed))
    players = joined([agent._named.on(once) for agent in both], len(once))
    return Lineup.checked(plan, names, players, once)


def _stored_test(stored: Any, source: Path) -> Sprt | None:
    """Return the sequential test of a match.yaml. Raises RunError, ConfigError."""
    if stored is None:
        return None
    if not isinstance(stored, dict) or {*stored} != {"elo0", "elo1", "alpha", "beta"}:
        raise RunError(f"{source} is damaged: its sprt is {config.short(stored)}")
    return sprt_of([stored["elo0"], stored["elo1"]], stored["alpha"], stored["beta"])


def _match(record: arenas.Record, test: Sprt | None, team: config.Workers,
           progress: Progress, path: Path | None) -> MatchResult:
    """Play what is left of a match."""
    def so_far() -> MatchResult | None:
        return MatchResult(record, test, path) if record.counts.any() else None

    with (keeping(so_far), playing(len(record.schedule), team, progress,
                                   before=record.done) as (executor, meter)):
        arenas.contest(executor, record.lineup, test, meter.advance, record)
    return MatchResult(record, test, path)


def arena(agents: AgentLike | Iterable[AgentLike], games: int = 360, *,
          against: AgentLike | Iterable[AgentLike] = (),
          decks: DeckLike | Sequence[DeckLike] = CIG2018, seed: int = 1,
          ruleset: str = "cig2018", information: str = "fair", max_turns: int = 89,
          out: str | Path | None = None, workers: int | None = None,
          backend: str | None = None, progress: Progress = False) -> ArenaResult:
    """Play many agents against each other, and rate them.

    games: of every two, at least. against: a gauntlet, each of `agents` plays only these. out: a
    new folder for every game and all tables, from which a stopped arena can be resumed
    (`resume_arena`); agents then need specs and decks need names, to be found again.

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
    record = arenas.Record(lineup)
    with (keeping(lambda: ArenaResult(record) if arenas.complete(record) else None),
          playing(lineup.games, team, progress) as (executor, meter)):
        arenas.contest(executor, lineup, on_games=meter.advance, record=record)
    return ArenaResult(record)


def folder_of(out: str | Path, agents: AgentLike | Iterable[AgentLike],
              against: AgentLike | Iterable[AgentLike] = (),
              decks: DeckLike | Sequence[DeckLike] = CIG2018, **rules: Any) -> Arena:
    """Make the folder of a new arena; it names agents by their specs, which find them again.

    Raises AgentError for an agent without a spec, DeckError for a deck that only has a name.
    """
    one, other = ([_named(agent) for agent in as_agents(given)] for given in (agents, against))
    lineup = lineup_of(one, other, decks, **rules)
    _refuse_nameless(lineup)
    return Arena.create(Path(out), lineup.plan)


def _named(agent: Agent) -> Agent:
    if agent.spec is None:
        how = ("give it as py:FILE.py#NAME" if hosted.among(agent._named.agent) else
               "save it to a file, and give that")
        raise AgentError(f"agent '{agent.name}' has no spec that a folder could store: {how}")
    return Agent(agent.spec)


def _refuse_nameless(lineup: Lineup) -> None:
    for name, deck in zip(lineup.plan.decks, lineup.decks, strict=False):  # then own ones
        if Deck(name).plain != deck:
            raise DeckError(f"deck '{name}' has no name that a folder could store: give a name, a"
                            " path or a deck code")


def resume_arena(path: str | Path, *, trust: bool = False, workers: int | None = None,
                 backend: str | None = None, progress: Progress = False) -> ArenaResult:
    """Resume an arena that was stopped; the result is bit-identical. Raises RunError, AgentError.

    trust: run the files of its Python players (py:FILE.py#NAME), which must be as they were.

    >>> path = hsevo.arena(["random", "eva:2018"], games=18, out="arenas/stopped").path
    >>> hsevo.resume_arena(path)
    ArenaResult(2 agents, 18 games, in arenas/stopped; first eva:2018, +... Elo)
    """
    return play_folder(Arena.resume(Path(path), trust), workers_of(workers, backend), progress)


def play_folder(folder: Arena, team: config.Workers, progress: Progress = False,
                above: Callable[[], Iterable[RenderableType]] = tuple) -> ArenaResult:
    """Play what is left of an arena's folder, and close it."""
    record = folder.record

    def so_far() -> ArenaResult | None:
        return ArenaResult(record, folder.path) if arenas.complete(record) else None

    try:
        with (keeping(so_far), playing(len(record.schedule), team, progress, above,
                                       record.done) as (executor, meter)):
            folder.play(executor, meter.advance)
    finally:
        folder.close()
    return ArenaResult(record, folder.path)


def benchmark(agent: AgentLike | Run, games: int | None = None, *, panel: str = panels.NAME,
              games_best: int = 200, out: str | Path | None = None, workers: int | None = None,
              backend: str | None = None, progress: Progress = False) -> BenchmarkResult:
    """Measure where an agent stands in a fixed panel: `panel-2026`, or `panel-2026c` (stronger).

    agent: any agent; or a Run, whose last population first plays again to find its best (games_best
    games per pair of decks, for every two). games: against each agent of the panel, at least;
    default: as in the panel's own games, 1,800. out: a new folder for games and tables.

    Raises AgentError, ConfigError, RunError.

    >>> hsevo.benchmark("eva:group-3", games=18)
    eva:group-3: place ... of 15 (... to ...), rating +... Elo, ... % (... to ...) of 252 games
    """
    from hsevo.api.run import Run  # imports what evolves, which a match does not need

    field, team = panels.Panel.read(panel), workers_of(workers, backend)
    games_best = config.whole("games_best", games_best)
    if isinstance(agent, Run):
        field.lineup("random", games)  # is `games` a number that can be?
        if out is not None:
            refuse_full(Path(out))  # before a minute of games, not after it
        agent = agent.champion(games_best, workers=workers, backend=backend, progress=progress)
    if out is not None:
        lineup = listed(field, agent, games)
        return benchmark_folder(Arena.create(Path(out), lineup.plan, "benchmark"), team, progress)
    one = as_agent(agent)
    own = one.deck.plain if one.deck else None
    lineup = field.lineup(one.name, games, one._named.on(merged(field.decks, [own])[0]), own)
    result = BenchmarkResult(field, arenas.Record(lineup))
    with (keeping(lambda: result if arenas.complete(result.record) else None),
          playing(lineup.games, team, progress) as (executor, meter)):
        arenas.contest(executor, lineup, on_games=meter.advance, record=result.record)
    return result


def listed(field: panels.Panel, agent: AgentLike, games: int | None) -> arenas.Lineup:
    """Return the line-up of a benchmark as a folder names it. Raises AgentError, ConfigError."""
    return field.lineup(str(_named(as_agent(agent)).spec), games)


def resume_benchmark(path: str | Path, *, trust: bool = False, workers: int | None = None,
                     backend: str | None = None, progress: Progress = False) -> BenchmarkResult:
    """Resume a benchmark that was stopped; the result is bit-identical.

    trust: as of `resume_arena`. Raises RunError, AgentError.

    >>> path = hsevo.benchmark("random", games=18, out="arenas/benchmark").path
    >>> hsevo.resume_benchmark(path).place[0]
    14
    """
    return benchmark_folder(Arena.resume(Path(path), trust), workers_of(workers, backend), progress)


def benchmark_folder(folder: Arena, team: config.Workers, progress: Progress = False,
                     above: Callable[[], Iterable[RenderableType]] = tuple) -> BenchmarkResult:
    """Play what is left of a benchmark's folder, and add benchmark.csv and decks.csv."""
    try:
        panel = panels.Panel.of(folder.lineup, folder.path)
    except BaseException:
        folder.close()
        raise
    result = BenchmarkResult(panel, folder.record, folder.path)
    with keeping(lambda: result if arenas.complete(folder.record) else None):
        play_folder(folder, team, progress, above)
        write_table(folder.path / "benchmark.csv", result.table)
        write_table(folder.path / "decks.csv", result.decks)
    return result


def tournament(*given: object, **named: object) -> NoReturn:
    """Say what to use instead: this function was removed in version 0.6. Raises ConfigError."""
    raise ConfigError("hsevo.tournament was removed in version 0.6: hsevo.arena(agents) plays all"
                      " against all; the agents of a table of weights are [hsevo.Agent(row, name)"
                      " for name, row in table.iterrows()], those of a run hsevo.Run(path).agents")


@contextmanager
def kept_games(path: Path, kind: str, names: Sequence[str], players: Any, *rules: object
          ) -> Iterator[None]:
    """Claim a folder for games; the same command may fill it again if this one is stopped.

    kind: of the games. names, players, rules: whatever could change one of them.
    """
    refuse_values(players)
    content = players.tobytes() + repr((names, rules, fingerprint())).encode()
    work = f"hsevo {kind} {hashlib.sha256(content).hexdigest()}"
    with claimed(path, work), marked(path, work):
        yield


def lineup_of(agents: AgentLike | Iterable[AgentLike],
              against: AgentLike | Iterable[AgentLike] = (),
              decks: DeckLike | Iterable[DeckLike] = CIG2018, **rules: Any) -> Lineup:
    """Return a line-up of agents and decks given in any form, with checked rules."""
    one, other = as_agents(agents), as_agents(against)
    everyone = as_agents([*one, *other])
    if not everyone:
        raise AgentError("no agents are given; name at least two")
    names, alone = [agent.name for agent in everyone], [agent.deck for agent in everyone]
    listed = each_deck(decks)
    if all(alone) and decks is not CIG2018:
        raise ConfigError("each agent names a deck of its own, so nobody would play the given"
                          " decks; leave decks out")
    if all(alone):  # nobody plays these: the plan names the own ones
        own_decks = {deck.plain: split_deck(agent.spec or "")[1] or deck
                     for agent, deck in zip(everyone, alone, strict=True) if deck}
        listed = list(own_decks.values())
    read = as_decks(listed)
    common = sources_of(listed, read)
    all_decks, own = merged(read, [deck.plain if deck else None for deck in alone])
    plan = config.check(Plan, {"agents": [agent.name for agent in one],
                               "against": [agent.name for agent in other], "decks": common,
                               "own": named_decks(names, own), **rules}, ARGUMENTS)
    players = joined([agent._named.on(all_decks) for agent in everyone], len(all_decks))
    return Lineup.checked(plan, tuple(names), players, all_decks)


def sources_of(given: Sequence[DeckLike], read: Sequence[Any]) -> list[str]:
    """Return names that find decks again: their sources if these are text, else their names."""
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
