"""`hsevo.match`, `hsevo.arena`, `hsevo.benchmark`: make the plan and the line-up, and play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar, Unpack, runtime_checkable

from rich.console import RenderableType

from hsevo import config
from hsevo.agents.genomes.decks import joined
from hsevo.cards.decks import Deck, DeckLike, as_decks, each_deck
from hsevo.config.contests import MatchSettings
from hsevo.config.named import CIG2018
from hsevo.errors import AgentError, ConfigError, DeckError, RunError
from hsevo.experiments.playing import ARGUMENTS, Progress, keeping, parted, playing, workers_of
from hsevo.files import refuse_full
from hsevo.generated import MatchFields, RulesFields, WorkersFields
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
    """A run whose last population first plays again, to find its best: `hsevo.Run`."""

    def champion(self, games: int, *, progress: Progress = False, workers: int | None = None,
                 backend: str | None = None) -> Agent:
        """Return the best agent, found by so many games."""


def play_out(contest: C, team: config.Workers, progress: Progress = False,
           above: Callable[[], Iterable[RenderableType]] = tuple) -> C:
    """Play what is left of a contest, in its folder if it has one; return it.

    What stops it, or keeps it from being written, has the contest as its `result`.
    """
    with (contest.held(), keeping(lambda: contest if contest.complete else None),
          playing(contest.total, team, progress, above, contest.done) as (executor, meter)):
        contest.play(executor, meter.advance)
    return contest


def match(a: AgentLike, b: AgentLike, games: int = 2000, *,
          decks: DeckLike | Sequence[DeckLike] = CIG2018, out: str | Path | None = None,
          progress: Progress = False, **fields: Unpack[MatchFields]) -> Match:
    """Play two agents against each other, in pairs of games with the same cards from both sides.

    games: at least so many, rounded up to whole rounds of all pairs of decks. decks: names, files,
    codes, URLs or Deck; each agent plays each. out: a new folder for the games, from which
    `hsevo.replay` plays any again; a match that was stopped continues with the same call.

    fields: seed=1, ruleset="cig2018" and max_turns=89; information: "fair", "closed" (the agents
    guess each other's deck lists), "closed:match", "closed:bigrams", "closed:uniform" or "leaky";
    sprt: (elo0, elo1) of a sequential probability ratio test, which stops the match once it accepts
    a hypothesis, with error probabilities alpha=0.05 and beta=0.05; workers and backend, which
    change no game.

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
    given, team = parted("match", MatchFields, fields)
    asked = config.check(MatchSettings, {"games": games, **given}, ARGUMENTS)
    test, rules, workers = sprt_of(asked), asked.rules, workers_of(**team)
    listed = decks if decks is CIG2018 else each_deck(decks)  # which may be read once
    if side := drawn.side_of(each_deck(listed)):
        lineup = _drawn_lineup([a, b], side, each_deck(listed), test, **rules)
    else:
        lineup = lineup_of([a, b], (), listed, **rules)
    return play_out(Match(lineup, None if out is None else Path(out), test), workers, progress)


def open_match(path: str | Path) -> Match:
    """Open the folder of a finished match: its result, from the games that are stored there.

    A match that was stopped is continued by the call of `match` that began it. Raises RunError, and
    ConfigError for a damaged match.yaml.

    >>> hsevo.match("eva:2018", "random", games=36, out="matches/first").wins
    36
    >>> hsevo.open_match("matches/first").wins
    36
    """
    found = Match.open(path)
    if not found.finished:
        raise RunError(f"{path} is not a finished match of hsevo: the same call of hsevo.match"
                       " continues it, if it was stopped")
    return found


def _drawn_lineup(agents: Sequence[AgentLike], side: str, decks: Sequence[DeckLike],
                  test: Sprt | None, **rules: Any) -> Lineup:
    """Return a line-up of two agents on human lists that are drawn for each pair of games."""
    both = [as_agent(agent) for agent in agents]
    if test or any(agent.deck for agent in both):
        what = "sprt" if test else "an agent with a deck of its own (AGENT@DECK)"
        raise ConfigError(f"decks {decks[0]} can't be combined with {what}")
    same = both[0].spec is not None and both[0].spec == both[1].spec
    names = (both[0].name, ITSELF) if same else tuple(one.name for one in as_agents(both))
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
    """Play many agents against each other, and rate them.

    games: of every two, at least. against: a gauntlet, each of `agents` plays only these. out: a
    new folder for every game and all tables, from which a stopped arena can be resumed
    (`resume_arena`); agents then need specs and decks need names, to be found again. fields: seed,
    ruleset, information, max_turns, workers and backend, as of `match`.

    Raises AgentError, DeckError, ConfigError, CardError, RunError.

    >>> result = hsevo.arena(["random", "eva:2018", "noaggression"], games=18)
    >>> result.ratings.agent.tolist()
    ['eva:2018', 'random', 'noaggression']
    """
    rules, team = parted("arena", RulesFields, fields)
    return play_out(arena_of(out, agents, against, decks, games=games, **rules),
                    workers_of(**team), progress)


def arena_of(out: str | Path | None, agents: AgentLike | Iterable[AgentLike],
             against: AgentLike | Iterable[AgentLike] = (),
             decks: DeckLike | Sequence[DeckLike] = CIG2018, **rules: Any) -> Arena:
    """Return an arena that is to be played, in a folder unless `out` is None.

    A folder names agents by their specs, which find them again. Raises AgentError for an agent
    without a spec, DeckError for a deck that only has a name.
    """
    if out is None:
        return Arena(lineup_of(agents, against, decks, **rules))
    one, other = ([_named(agent) for agent in as_agents(given)] for given in (agents, against))
    lineup = lineup_of(one, other, decks, **rules)
    _refuse_nameless(lineup)
    return Arena(lineup, Path(out))


def _named(agent: Agent) -> Agent:
    if agent.spec is None:
        how = ("give it as py:FILE.py#NAME" if hosted.among(agent._named.agent) else
               "save it to a file, and give that")
        raise AgentError(f"agent '{agent.name}' has no spec that a folder could store: {how}")
    return Agent(agent.spec)


def _refuse_nameless(lineup: Lineup) -> None:
    for name, deck in zip(lineup.plan.decks, lineup.decks, strict=False):  # then own ones
        if Deck(name) != deck:
            raise DeckError(f"deck '{name}' has no name that a folder could store: give a name, a"
                            " path or a deck code")


def resume_arena(path: str | Path, *, trust: bool = False, workers: int | None = None,
                 backend: str | None = None, progress: Progress = False) -> Arena:
    """Resume an arena that was stopped; the result is bit-identical. Raises RunError, AgentError.

    trust: run the files of its Python players (py:FILE.py#NAME), which must be as they were.

    >>> path = hsevo.arena(["random", "eva:2018"], games=18, out="arenas/stopped").path
    >>> hsevo.resume_arena(path)
    Arena(2 agents, 18 games, in arenas/stopped; first eva:2018, +... Elo)
    """
    return play_out(Arena.open(path, trust), workers_of(workers, backend), progress)


def benchmark(agent: AgentLike | HasChampion, games: int | None = None, *, panel: str = panels.NAME,
              games_best: int = 200, out: str | Path | None = None, progress: Progress = False,
              **fields: Unpack[WorkersFields]) -> Benchmark:
    """Measure where an agent stands in a fixed panel: `panel-2026`, or `panel-2026c` (stronger).

    agent: any agent; or a Run, whose last population first plays again to find its best (games_best
    games per pair of decks, for every two). games: against each agent of the panel, at least;
    default: as in the panel's own games, 1,800. out: a new folder for games and tables. fields:
    workers and backend.

    Raises AgentError, ConfigError, RunError.

    >>> hsevo.benchmark("eva:group-3", games=18)
    eva:group-3: place ... of 15 (... to ...), rating +... Elo, ... % (... to ...) of 252 games
    """
    _, team = parted("benchmark", WorkersFields, fields)
    field, workers = panels.Panel.read(panel), workers_of(**team)
    games_best = config.whole("games_best", games_best)
    if isinstance(agent, HasChampion):
        field.lineup("random", games)  # is `games` a number that can be?
        if out is not None:
            refuse_full(Path(out))  # before a minute of games, not after it
        agent = agent.champion(games_best, progress=progress, **team)
    return play_out(benchmark_of(out, agent, games, field), workers, progress)


def benchmark_of(out: str | Path | None, agent: AgentLike, games: int | None,
                 field: panels.Panel) -> Benchmark:
    """Return a benchmark that is to be played, in a folder unless `out` is None.

    A folder names the agent by its spec. Raises AgentError, ConfigError.
    """
    one = as_agent(agent)
    if out is not None:
        return Benchmark(field.lineup(str(_named(one).spec), games), Path(out), field)
    own = one.deck
    players = one._named.on(merged(field.decks, [own])[0])
    return Benchmark(field.lineup(one.name, games, players, own), None, field)


def resume_benchmark(path: str | Path, *, trust: bool = False, workers: int | None = None,
                     backend: str | None = None, progress: Progress = False) -> Benchmark:
    """Resume a benchmark that was stopped; the result is bit-identical.

    trust: as of `resume_arena`. Raises RunError, AgentError.

    >>> path = hsevo.benchmark("random", games=18, out="arenas/benchmark").path
    >>> hsevo.resume_benchmark(path).place[0]
    14
    """
    return play_out(Benchmark.open(path, trust), workers_of(workers, backend), progress)


def tournament(*given: object, **named: object) -> NoReturn:
    """Say what to use instead: this function was removed in version 0.6. Raises ConfigError.

    >>> hsevo.tournament()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    hsevo.errors.ConfigError: hsevo.tournament was removed in version 0.6: hsevo.arena...
    """
    raise ConfigError("hsevo.tournament was removed in version 0.6: hsevo.arena(agents) plays all"
                      " against all; the agents of a table of weights are [hsevo.Agent(row, name)"
                      " for name, row in table.iterrows()], those of a run hsevo.Run(path).agents")


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
        own_decks = {deck: split_deck(agent.spec or "")[1] or deck
                     for agent, deck in zip(everyone, alone, strict=True) if deck}
        listed = list(own_decks.values())
    read = as_decks(listed)
    common = sources_of(listed, read)
    all_decks, own = merged(read, alone)
    plan = config.check(ContestPlan, {
        "agents": [agent.name for agent in one], "against": [agent.name for agent in other],
        "decks": common, "own": named_decks(names, own), **rules}, ARGUMENTS)
    players = joined([agent._named.on(all_decks) for agent in everyone], len(all_decks))
    return Lineup.checked(plan, tuple(names), players, all_decks)


def sources_of(given: Sequence[DeckLike], read: Sequence[Any]) -> list[str]:
    """Return names that find decks again: their sources if these are text, else their names."""
    return [str(source) if isinstance(source, str | Path) else deck.name
            for source, deck in zip(given, read, strict=True)]
