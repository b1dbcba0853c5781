"""hsevo benchmark: where an agent stands in a fixed panel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo import experiments, play, strength
from hsevo.cli.arena import Board, notes
from hsevo.cli.completion import PANEL, RUN_OR_AGENT
from hsevo.cli.entries import show_check, show_leaderboard
from hsevo.cli.frontier import show_frontier
from hsevo.cli.shared import (
    FOLDER,
    games_best_option,
    given,
    json_option,
    print_json,
    rate,
    so_far,
    stoppable,
    trust_option,
    workers_options,
)
from hsevo.cli.tables import gap_cells, percent_cells, say, show_table
from hsevo.errors import AgentError, ConfigError, names_or_count
from hsevo.files import refuse_full

if TYPE_CHECKING:
    import pandas as pd

THIS = "(this agent)"


@click.command()
@click.argument("agents", nargs=-1, metavar="[RUN|AGENT]...", shell_complete=RUN_OR_AGENT)
@click.option("--frontier", is_flag=True,
              help="Compare strength with CPU time per decision, for the panel and any agents"
                   " that you name.")
@click.option("--panel", metavar="NAME", shell_complete=PANEL,
              help="The benchmark opponents: panel-2026c (the default), panel-2026b, panel-2026 or"
                   " protocol-1.")
@click.option("--games", type=int, metavar="N",
              help="Minimum number of games against each agent of the panel. Default: 900 for"
                   " panel-2026c, and 1800 for other panels.")
@games_best_option
@click.option("--seconds", type=float, metavar="S",
              help="With --frontier, approximate CPU seconds to time each agent. Default: 2.")
@click.option("--out", type=FOLDER, metavar="DIR", help="A new folder for games and tables.")
@click.option("--resume", type=FOLDER, metavar="DIR", help="Continue a benchmark that was stopped.")
@click.option("--submit", type=FOLDER, metavar="FILE",
              help="Write a leaderboard entry to a new file.")
@click.option("--leaderboard", is_flag=True,
              help="Print the panel and your entries in one ranking. The arguments are then files"
                   " of entries instead of agents.")
@click.option("--check", type=FOLDER, metavar="FILE",
              help="Check an entry by replaying its games and recomputing the rating.")
@click.option("--sample", type=click.IntRange(1), metavar="N",
              help="With --check, replay only N games, drawn at random.")
@click.option("--seed", type=int, metavar="N",
              help="With --sample, the seed of the draw. Default: the current time.")
@trust_option
@workers_options
@json_option
def benchmark(agents: tuple[str, ...], games_best: int, as_json: bool, workers: int | None,
              backend: str | None, **options: Any) -> None:
    """Rate an agent against fixed benchmark opponents (a panel).

    \b
    hsevo benchmark runs/mine                  the best agent of a run
    hsevo benchmark runs/mine --panel panel-2026   fewer and weaker agents
    hsevo benchmark runs/mine --out where-mine-stands
    hsevo benchmark eva:best.yaml --games 225  a quarter of the games
    hsevo benchmark 'gsv?depth=2'              any agent (see hsevo agents)
    hsevo benchmark eva:2018@my-deck.txt       only with your deck
    hsevo benchmark --resume where-mine-stands
    hsevo benchmark --frontier                 strength and time per decision
    hsevo benchmark --frontier 'eva:turn?nodes=3000' --games 90 --out front
    hsevo benchmark --leaderboard              print the ranking of the panel
    hsevo benchmark rl:runs/mine --submit mine.json
    hsevo benchmark --check mine.json --sample 500
    hsevo benchmark --leaderboard mine.json    print the ranking with your entry
    hsevo benchmark rl:runs/mine --panel protocol-1   the protocol for learners

    A panel never changes, so you can compare results over years. panel-2026c has 22 agents, for
    example random play and rl:2026 with a search of its turn. Every two of these agents played 900
    games, and their mean rating is 0 Elo. panel-2026 has 15 of these agents, and panel-2026b has
    17. Use protocol-1 to compare learners. It has four agents and six decks, and three of the decks
    are held out.

    For a RUN, the last population first plays more games to find the best agent. You get the
    agent's rating, its lead over each opponent, and its win rates by opponent and deck, with 95 %
    intervals. A lead is significant if its interval excludes 0.

    DIR contains benchmark.csv, decks.csv and the files of hsevo arena, and with protocol-1 also
    splits.csv.

    --frontier compares strength with CPU time per decision on one core. The column ratio is the
    time relative to eva:2018, which depends less on your machine. DIR then contains frontier.csv,
    budgets.csv, frontier.svg and frontier.png. If you stop the command, run it again to continue.

    --submit writes a leaderboard entry with the agent's parameters, all results, and the rating. A
    leaderboard ranks only entries with the panel's number of games, so omit --games. --check
    replays the games of an entry and recomputes the rating. It prints each problem on a line, and
    the exit code is then 2. To check a Python player, you need its file and --trust. With --sample,
    the check can miss forged games, and you see how many.
    """
    mode = _mode(agents, options)
    worker_options = given(workers=workers, backend=backend)
    if mode == "leaderboard":
        show_leaderboard(agents, options["panel"], as_json)
    elif mode == "check":
        show_check(options["check"], as_json, given(
            games=options["sample"], seed=options["seed"], trust=options["trust"],
            **worker_options))
    elif mode == "frontier":
        show_frontier(_named(agents, games_best, workers, backend), as_json, options["out"], given(
            games=options["games"], panel=options["panel"], seconds=options["seconds"],
            **worker_options))
    else:
        result = _played(agents, games_best, as_json, workers, backend, options)
        (print_json if as_json else _show)(result)
        if options["submit"]:
            say(f"entry: {result.submit(options['submit'])}", err=as_json)


# What each way to call it takes, in addition to workers and --json; a name without dashes: words.
TAKES = {
    "frontier": {"agents", "panel", "games", "seconds", "out"},
    "leaderboard": {"agents", "panel"},
    "check": {"sample", "seed", "trust"},
    "resume": {"trust", "submit"},
    "": {"agents", "panel", "games", "out", "submit"},
}


def _mode(agents: Sequence[str], options: Mapping[str, Any]) -> str:
    """Return the mode that the options select.

    Raises ConfigError for options that the mode would ignore.
    """
    has = [name for name, value in {"agents": agents, **options}.items()
           if value is not None and value is not False and value != ()]  # 0 is a value
    ways = [name for name in TAKES if name in has]
    if len(ways) > 1:
        raise ConfigError(f"--{ways[0]} can't be combined with --{ways[1]}")
    way = ways[0] if ways else ""
    for name in has:
        if name not in (way, *TAKES[way]):
            raise ConfigError(_ignored(way, name))
    if "seed" in has and "sample" not in has:
        raise ConfigError("--seed needs --sample N")
    return way


def _ignored(way: str, name: str) -> str:
    """Say why an option can't be given."""
    what = "an agent" if name == "agents" else f"--{name}"
    if way == "resume":
        return "--resume can't be combined with other settings: it keeps its own"
    if way:
        return f"--{way} can't be combined with {what}"
    return f"--{name} needs {' or '.join(f'--{mode}' for mode in TAKES if name in TAKES[mode])}"


def _played(agents: Sequence[str], games_best: int, as_json: bool, workers: int | None,
            backend: str | None, options: Mapping[str, Any]) -> strength.Benchmark:
    """Play a benchmark, or what is left of it."""
    if options["submit"]:  # before minutes of games, not after them
        strength.refuse_old(options["submit"])
    if options["resume"]:
        contest = strength.Benchmark.open(options["resume"], options["trust"])
    else:
        contest = _asked(agents, games_best, workers, backend, options)
    with stoppable("benchmark", contest.path), so_far(_show, as_json):
        settings = experiments.workers_of(workers, backend)
        return strength.play_out(contest, settings, True, Board(contest))


def _asked(agents: Sequence[str], games_best: int, workers: int | None, backend: str | None,
           options: Mapping[str, Any]) -> strength.Benchmark:
    """Return the benchmark that the words of the command ask for. Raises AgentError."""
    if not agents:
        raise AgentError("name a RUN or an AGENT (hsevo agents lists them), or --resume DIR")
    if len(agents) > 1:
        raise AgentError(f"{len(agents)} agents were given, but a benchmark rates only one;"
                         " --frontier compares several, and hsevo arena plays them against each"
                         " other")
    if options["submit"] and not names_run(agents[0]):
        agent = hsevo.Agent(agents[0])
        strength.refuse_unrepeatable(agent.name, agent._named.agent)
    panel = strength.Panel.read(options["panel"] or strength.NEWEST)
    if options["submit"] and options["games"] and (
            reason := strength.unranked(panel, options["games"])):
        say(f"note: the entry will not be ranked on a leaderboard: {reason}", err=True)
    return _begun(agents[0], panel, options["games"], games_best, options["out"], workers, backend)


def _named(words: Sequence[str], games_best: int, workers: int | None,
           backend: str | None) -> list[str]:
    """Return the specs of agents, of a RUN that of its best."""
    return [best_of_run(hsevo.Run(word), games_best, workers, backend) if names_run(word) else word
            for word in words]


def _show(result: strength.Benchmark) -> None:
    table, name = result.table, result.agent
    say("\n".join([*_head(result), "", ""]))
    _places(table, name)
    if len(result.lineup.decks_of(0)) > 1:
        say("\nwith each deck; these intervals count single games, the intervals above pairs of"
            " games")
        _decks(result, [other for other in table["agent"] if other != name])
    if result.panel.held_out:
        say("\nwith seen and with held-out decks; these intervals count pairs of games")
        _splits(result)
    for note in notes(result):
        say(note)


def _begun(agent: str, panel: strength.Panel, games: int | None, games_best: int,
           out: Path | None, workers: int | None, backend: str | None) -> strength.Benchmark:
    """Return a benchmark that is to be played, in a new folder if --out is given."""
    if names_run(agent):
        panel.lineup("random", games)  # is `games` a number that can be?
        if out is not None:
            refuse_full(out)  # before a minute of games, not after it
        agent = best_of_run(hsevo.Run(agent), games_best, workers, backend)
    return strength.benchmark_of(out, agent, games, panel)


def names_run(word: str) -> bool:
    """Return whether a word names a run folder and not an agent."""
    from hsevo.agents.registry import ROSTER

    return word not in ROSTER and Path(word).is_dir()


def best_of_run(run: hsevo.Run, games: int, workers: int | None, backend: str | None) -> str:
    """Play the last population of a run again; print which is best, and return its spec."""
    best = run.champion(games, workers=workers, backend=backend, progress=True)
    say(f"new games of the last population; best: {rate(best.ranking.iloc[0])}", err=True)
    return str(best.spec)


def _head(result: strength.Benchmark) -> list[str]:
    """Return lines on what was played, and where the agent stands."""
    plan, agent, table = result.lineup.plan, result.agent, result.table
    row = table[table["agent"] == agent].iloc[0]
    place, best, worst = result.place
    name = play.short_names(table["agent"])[agent]
    lines = [f"{name} against {result.panel.name}: {row['games']:,} games in"
             f" {row['games'] // 2:,} pairs, {names_or_count(plan.decks)}, {plan.ruleset},"
             f" {plan.information}",
             f"  place {place} of {len(table)} ({best} to {worst}); rating {row['rating']:+.0f} Elo"
             f" ({row['low']:+.0f} to {row['high']:+.0f}); rate {' % ('.join(percent_cells(row))})"]
    if row["faults"]:
        lines.append(f"  faults {row['faults']:,}: games that the engine rejected because of a bug"
                     " in hsevo")
    if len(plan.against) < len(result.panel.plan.agents):
        lines.append("  it is in the panel itself, and is measured against the other agents")
    return lines


def _places(table: pd.DataFrame, agent: str) -> None:
    """Print the standing, and the agent's results against each."""
    heads = ["place", "agent", "rating", "rating 95 %", "lead", "lead 95 %", "rate %",
             "rate 95 %", "Elo", "Elo 95 %"]
    names = play.short_names(table["agent"]) | {agent: THIS}
    rows = [[str(place), names[row["agent"]], f"{row['rating']:+.0f}",
             f"{row['low']:+.0f} to {row['high']:+.0f}",
             *gap_cells(row, "lead"), *percent_cells(row), *gap_cells(row, "elo")]
            for place, row in enumerate(table.to_dict("records"), start=1)]
    show_table(heads, rows, [head for head in heads if head != "agent"],
               [["Elo", "Elo 95 %"], "rating 95 %", "rate 95 %", "rate %"])


def _decks(record: strength.Benchmark, order: Sequence[str]) -> None:
    """Print the agent's win rates with each deck: against all, then against each in order."""
    import pandas as pd

    decks = [record.lineup.decks[k].name for k in record.lineup.decks_of(0)]
    every = strength.by_deck(record, ["deck"]).assign(opponent="all")
    table = pd.concat([every, strength.by_deck(record)]).set_index(["opponent", "deck"])
    ends = [f"{deck} 95 %" for deck in decks]
    heads = ["rate % with", *(head for pair in zip(decks, ends, strict=True) for head in pair)]
    names = {"all": "all"} | play.short_names(record.lineup.names)
    rows = [[names[name], *(cell for deck in decks
                            for cell in percent_cells(table.loc[(name, deck)]))]
            for name in ["all", *order]]
    show_table(heads, rows, heads[1:], [ends, *decks[:0:-1]])


def _splits(record: strength.Benchmark) -> None:
    """Print the agent's win rates against each opponent by split of decks."""
    heads = ["opponent", "decks", "games", "rate %", "rate 95 %"]
    names = play.short_names(record.lineup.names)
    rows = [[names[row["opponent"]], row["split"], f"{row['games']:,}", *percent_cells(row)]
            for row in record.splits.to_dict("records")]
    show_table(heads, rows, heads[2:], [])
