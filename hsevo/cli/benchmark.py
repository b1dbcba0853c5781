"""hsevo benchmark: where an agent stands in a fixed panel."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsevo import api, play, strength
from hsevo.cli.arena import Board, notes
from hsevo.cli.completion import PANEL, RUN_OR_AGENT
from hsevo.cli.frontier import show_frontier
from hsevo.cli.shared import (
    FOLDER,
    given,
    json_option,
    losing,
    print_json,
    rate,
    resumable,
    so_far,
    trust_option,
    workers_options,
)
from hsevo.cli.tables import say, show_table
from hsevo.errors import AgentError, ConfigError, names_or_count
from hsevo.files import refuse_full

if TYPE_CHECKING:
    import pandas as pd

THIS = "(this agent)"


@click.command()
@click.argument("agents", nargs=-1, metavar="[RUN|AGENT]...", shell_complete=RUN_OR_AGENT)
@click.option("--frontier", is_flag=True,
              help="Compare strength with CPU time a decision: the panel, and any agents.")
@click.option("--panel", metavar="NAME", shell_complete=PANEL,
              help="Another panel than panel-2026 (of --frontier: panel-2026b).")
@click.option("--games", type=int, metavar="N",
              help="Games against each agent of the panel, at least; default: 1800.")
@click.option("--games-best", type=click.IntRange(1), default=200, show_default=True, metavar="N",
              help="To find the best of a RUN: games per pair of decks, for every two agents.")
@click.option("--seconds", type=float, metavar="S",
              help="With --frontier: CPU seconds to time each agent, about; default: 2.")
@click.option("--out", type=FOLDER, metavar="DIR", help="A new folder for games and tables.")
@click.option("--resume", type=FOLDER, metavar="DIR", help="Continue a benchmark that was stopped.")
@trust_option
@workers_options
@json_option
def benchmark(agents: tuple[str, ...], frontier: bool, panel: str | None, games: int | None,
              games_best: int, seconds: float | None, out: Path | None, resume: Path | None,
              trust: bool, workers: int | None, backend: str | None, as_json: bool) -> None:
    """Measure where an agent stands in a fixed panel of 15 agents.

    \b
    hsevo benchmark runs/mine                  the best agent of a run
    hsevo benchmark runs/mine --out where-mine-stands
    hsevo benchmark eva:best.yaml --games 450  a quarter of the games
    hsevo benchmark 'gsv?depth=2'              any agent (see hsevo agents)
    hsevo benchmark eva:2018@my-deck.txt       with a deck of yours alone
    hsevo benchmark --resume where-mine-stands
    hsevo benchmark --frontier                 strength against time a decision
    hsevo benchmark --frontier 'eva:turn?nodes=3000' --games 90 --out front

    The panel, panel-2026, never changes, so results can be compared for ever: random and greedy
    agents, EVA of 2018 and the centres of the paper's four groups, and turn searches; three decks,
    and fixed seeds. Its own games, 1,800 of every two agents, came with hsevo and define the scale:
    0 Elo is the mean of the panel. It has no tree search, which would take longer than all others
    together. panel-2026b has two agents more, which hsevo evolved, and its own games were played
    with all cards up to Mean Streets of Gadgetzan.

    Of a RUN, the last population first plays again to find the best. Printed are its rating, its
    lead over each agent of the panel, and its win rates against each and with each deck, with 95 %
    intervals; a lead is sure if its interval excludes 0. With a quarter of the games, the intervals
    of ratings and leads are 1.6 times as wide, those of rates twice.

    Writes to DIR: benchmark.csv and decks.csv with the same numbers, and the files of hsevo arena,
    whose ratings.csv counts only the games of this benchmark.

    --frontier prints who is the best of all that are as fast: the panel's agents with their frozen
    ratings, and any others, which are rated first. Times are of one core of this machine; the
    column `ratio`, to eva:2018 in the same run, depends less on it. In DIR: frontier.csv,
    budgets.csv, and a picture, frontier.svg and .png. The same command continues in DIR.
    """
    if frontier:
        if resume:
            raise ConfigError("--frontier can't be combined with --resume: the same command"
                              " continues in its --out DIR")
        show_frontier(_named(agents, games_best, workers, backend), as_json, out, given(
            games=games, panel=panel, seconds=seconds, workers=workers, backend=backend))
        return
    if seconds is not None:
        raise ConfigError("--seconds is of --frontier, which times decisions; leave it out")
    shown = so_far(_show, as_json)
    if resume:
        if agents or any(value is not None for value in (panel, games, out)):
            raise ConfigError("--resume can't be combined with other settings: it keeps those of"
                              " the benchmark")
        result = _in_folder(strength.Arena.resume(resume, trust), workers, backend, shown)
    elif not agents:
        raise AgentError("name a RUN or an AGENT (hsevo agents lists them), or --resume DIR")
    elif len(agents) > 1:
        raise AgentError(f"{len(agents)} agents are given, but a benchmark is of one; --frontier"
                         " compares several, and hsevo arena has them meet")
    else:
        result = _begun(agents[0], strength.Panel.read(*filter(None, [panel])), games, games_best,
                        out, workers, backend, shown)
    (print_json if as_json else _show)(result)


def _named(words: Sequence[str], games_best: int, workers: int | None,
           backend: str | None) -> list[str]:
    """Return the specs of agents, of a RUN that of its best."""
    return [best_of_run(api.Run(word), games_best, workers, backend) if names_run(word) else word
            for word in words]


def _show(result: api.BenchmarkResult) -> None:
    table, name = result.table, result.agent
    say("\n".join([*_head(result), "", ""]))
    _places(table, name)
    if len(result.record.lineup.decks_of(0)) > 1:
        say("\nwith each deck; these intervals are of single games, those above of pairs of games")
        _decks(result.record, [other for other in table["agent"] if other != name])
    for note in notes(result.record):
        say(note)


def _begun(agent: str, panel: strength.Panel, games: int | None, games_best: int,
           out: Path | None, workers: int | None, backend: str | None,
           shown: AbstractContextManager[None]) -> api.BenchmarkResult:
    """Play a benchmark, in a new folder if --out is given."""
    if names_run(agent):
        panel.lineup("random", games)  # is `games` a number that can be?
        if out is not None:
            refuse_full(out)  # before a minute of games, not after it
        agent = best_of_run(api.Run(agent), games_best, workers, backend)
    if out is not None:
        folder = strength.Arena.create(out, panel.lineup(agent, games).plan, "benchmark")
        return _in_folder(folder, workers, backend, shown)
    with losing("its games are lost (with --out DIR it could be resumed)"), shown:
        return api.benchmark(agent, games, panel=panel.name, workers=workers, backend=backend,
                             progress=True)


def _in_folder(folder: strength.Arena, workers: int | None, backend: str | None,
               shown: AbstractContextManager[None]) -> api.BenchmarkResult:
    with resumable("benchmark", folder.path), shown:
        return api.benchmark_folder(folder, api.workers_of(workers, backend), True,
                                    Board(folder.record))


def names_run(word: str) -> bool:
    """Return whether a word names a run folder and not an agent."""
    from hsevo.agents.registry import ROSTER

    return word not in ROSTER and Path(word).is_dir()


def best_of_run(run: api.Run, games: int, workers: int | None, backend: str | None) -> str:
    """Play the last population of a run again; print which is best, and return its spec."""
    best = run.champion(games, workers=workers, backend=backend, progress=True)
    say(f"the last population played again; best: {rate(best.ranking.iloc[0])}", err=True)
    return str(best.spec)


def _head(result: api.BenchmarkResult) -> list[str]:
    """Return lines on what was played, and where the agent stands."""
    plan, agent, table = result.record.lineup.plan, result.agent, result.table
    row = table[table["agent"] == agent].iloc[0]
    place, best, worst = result.place
    name = play.short_names(table["agent"])[agent]
    lines = [f"{name} against {result.panel.name}: {row['games']:,} games in"
             f" {row['games'] // 2:,} pairs, {names_or_count(plan.decks)}, {plan.ruleset},"
             f" {plan.information}",
             f"  place {place} of {len(table)} ({best} to {worst}); rating {row['rating']:+.0f} Elo"
             f" ({row['low']:+.0f} to {row['high']:+.0f}); rate {' % ('.join(_percent(row))})"]
    if row["faults"]:
        lines.append(f"  faults {row['faults']:,}: games that the engine refused, a bug in hsevo")
    if len(plan.against) < len(result.panel.plan.agents):
        lines.append("  it is itself in the panel, and is measured against the others")
    return lines


def _places(table: pd.DataFrame, agent: str) -> None:
    """Print the standing, and the agent's results against each."""
    heads = ["place", "agent", "rating", "rating 95 %", "lead", "lead 95 %", "rate %",
             "rate 95 %", "Elo", "Elo 95 %"]
    names = play.short_names(table["agent"]) | {agent: THIS}
    rows = [[str(place), names[row["agent"]], f"{row['rating']:+.0f}",
             f"{row['low']:+.0f} to {row['high']:+.0f}",
             *_gap(row, "lead"), *_percent(row), *_gap(row, "elo")]
            for place, row in enumerate(table.to_dict("records"), start=1)]
    show_table(heads, rows, [head for head in heads if head != "agent"],
               [["Elo", "Elo 95 %"], "rating 95 %", "rate 95 %", "rate %"])


def _decks(record: strength.Record, order: Sequence[str]) -> None:
    """Print the agent's win rates with each deck: against all, then against each in order."""
    import pandas as pd

    decks = [record.lineup.decks[k].name for k in record.lineup.decks_of(0)]
    every = strength.by_deck(record, ["deck"]).assign(opponent="all")
    table = pd.concat([every, strength.by_deck(record)]).set_index(["opponent", "deck"])
    ends = [f"{deck} 95 %" for deck in decks]
    heads = ["rate % with", *(head for pair in zip(decks, ends, strict=True) for head in pair)]
    names = {"all": "all"} | play.short_names(record.lineup.names)
    rows = [[names[name], *(cell for deck in decks for cell in _percent(table.loc[(name, deck)]))]
            for name in ["all", *order]]
    show_table(heads, rows, heads[1:], [ends, *decks[:0:-1]])


def _percent(row: Any) -> list[str]:
    return [f"{100 * row['rate']:.1f}",
            f"{100 * row['rate_low']:.1f} to {100 * row['rate_high']:.1f}"]


def _gap(row: Any, name: str) -> list[str]:
    """Return an Elo difference and its interval as two cells; empty in the agent's own row."""
    if isnan(row[name]):
        return ["", ""]
    return [f"{row[name]:+.0f}", f"{row[name + '_low']:+.0f} to {row[name + '_high']:+.0f}"]
