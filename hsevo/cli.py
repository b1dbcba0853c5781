"""The command line: parse, call one function, print. The work is done by the floors below.

Libraries are imported inside the commands: `hsevo --help` must not wait for numba and pandas.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsevo import __version__
from hsevo.errors import ConfigError, GameError, HsevoError, RunError, WorkersError

if TYPE_CHECKING:
    from hsevo.config import Config
    from hsevo.progress import Meter
    from hsevo.runs import Run
    from hsevo.workers import Map

FOLDER = click.Path(path_type=Path)
BACKENDS = click.Choice(["threads", "loky", "dask", "serial"])


class Commands(click.Group):
    """A group whose errors are one line and exit code 2, and whose Ctrl-C is 130."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; turn what it raises into a line on stderr and an exit code."""
        try:
            return super().invoke(ctx)
        except HsevoError as error:
            click.echo(f"hsevo: {error}", err=True)
            ctx.exit(2)
        except KeyboardInterrupt as interrupt:
            click.echo(f"hsevo: stopped{interrupt}", err=True)
            ctx.exit(130)


@click.group("hsevo", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hsevo")
def main() -> None:
    """Evolve Hearthstone agents: the CIG2018 experiment on a compiled engine.

    \b
    hsevo evolve --config smoke            a small run, done in half a minute
    hsevo evolve --config cig2018          the experiment of the paper
    hsevo export-best RUN                  its best agent, after many more games
    hsevo verify RUN                       does everything in it add up?
    hsevo replay RUN                       any of its games, move by move
    hsevo bench                            how fast is it here?
    hsevo COMMAND --help                   more about each
    """


def workers_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say who plays the games."""
    for option in (
        click.option("--workers", type=int, metavar="N", help="Workers; default: one a core."),
        click.option("--backend", type=BACKENDS, help="Who they are; default: threads."),
    ):
        command = option(command)
    return command


@main.command()
@click.option("--config", "source", metavar="NAME_OR_PATH",
              help="A config: a path, a name in ./configs, or one shipped with hsevo.")
@click.option("--seed", type=int, help="Another seed. The same seed gives the same bits.")
@workers_options
@click.option("--executions", type=int, metavar="E", help="Independent evolutions in one run.")
@click.option("--out", type=FOLDER, metavar="DIR", help="Run folder; default: runs/NAME-...")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the config, such as evolution.mu=20; may be repeated.")
@click.option("--resume", type=FOLDER, metavar="RUN", help="Go on with a run that was stopped.")
def evolve(source: str | None, resume: Path | None, workers: int | None, backend: str | None,
           **new: Any) -> None:
    """Evolve the weights of the EVA agent, into a run folder.

    \b
    hsevo evolve --config cig2018                       the paper's experiment, one execution
    hsevo evolve --config cig2018 --executions 10       its ten executions
    hsevo evolve --config cig2018 --set games=40 --set evolution.mu=20 --seed 7
    hsevo evolve --config mine.yaml --backend dask --set workers.scheduler=tcp://host:8786
    hsevo evolve --resume runs/cig2018-seed-2018-20180817-120000

    Neither the number of workers nor the backend changes a result. A run that was stopped, or
    killed at any moment, goes on with --resume and ends with the same bits.
    """
    from hsevo.config import change

    run = _resumed(resume, source, new) if resume else _created(source, workers, backend, new)
    try:
        plan = change(run.config, {"workers.count": workers, "workers.backend": backend})
        if not run.done:
            _evolve(run, plan)
        _print_run(run)
    finally:
        run.close()


@main.command("export-best")
@click.argument("path", metavar="RUN", type=FOLDER)
@click.option("--games", type=click.IntRange(1), metavar="N", default=200, show_default=True,
              help="Games a deck pair, of every two of the last population.")
@click.option("--format", "kind", type=click.Choice(["yaml", "csv", "sabberstone"]),
              default="yaml", show_default=True, help="sabberstone: the competition's '#' string.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write here instead of to stdout.")
@workers_options
def export_best(path: Path, games: int, kind: str, output: Path | None, workers: int | None,
                backend: str | None) -> None:
    """Name the best agent of a run, after playing its last population again.

    The best of one generation is a guess, for its fitness is noise as much as strength: so all
    survivors meet again, with more games and fresh seeds. The agent goes to stdout (or FILE), its
    win rate with a 95 % interval to stderr.

    \b
    hsevo export-best RUN > best.yaml
    hsevo export-best RUN --games 1000 --format sabberstone --output best.txt
    """
    from hsevo.agents.weights import format_weights
    from hsevo.best import find_best, pool_size
    from hsevo.config import change
    from hsevo.files import probe, write_whole
    from hsevo.runs import Run

    run = Run.open(path)
    if output is not None:
        probe(output)
    plan = change(run.config, {"workers.count": workers, "workers.backend": backend})
    with _playing(plan, pool_size(run, games)) as (work, meter):
        best = find_best(run, work, games, meter.tick)
    click.echo(_judgement(best), err=True)
    text = format_weights(kind, [best.name], best.weights[None])
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text.encode())


@main.command()
@click.option("--agents", type=FOLDER, required=True, metavar="FILE",
              help="Weight vectors: CSV with the paper's acronyms as columns, YAML, or '#' lines.")
@click.option("--ruleset", default="cig2018", show_default=True, metavar="NAME")
@click.option("--information", default="fair", show_default=True, metavar="fair|leaky",
              help="May the look-ahead see what a player can't?")
@click.option("--games", type=int, default=20, show_default=True, metavar="N",
              help="Games a deck pair, of every two agents.")
@click.option("--decks", metavar="A,B,...", default="warrior,shaman,mage", show_default=True,
              help="Names, paths or deck codes; with cig2018-as-run, take mage-21.")
@click.option("--max-turns", type=int, default=89, show_default=True, metavar="N")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--out", type=FOLDER, required=True, metavar="DIR")
@workers_options
def tournament(agents: Path, out: Path, workers: int | None, backend: str | None, decks: str,
               **rules: Any) -> None:
    """Play a round robin of agents over all deck pairs.

    Writes agents.csv (agent, wins, draws, losses, rate, low, high: a 95 % interval) and
    deck_pairs.csv (each agent with each deck against each deck) to DIR, and the rules to
    tournament.yaml.

    \b
    hsevo tournament --agents final_populations.csv --games 20 --out published
    hsevo tournament --agents mine.yaml --decks mage,my-deck.txt --games 1000 --out mages
    hsevo tournament --agents mine.csv --ruleset cig2018-as-run --information leaky
                     --decks warrior,shaman,mage-21 --max-turns 1000 --out as-run
    """
    from hsevo.agents.weights import read_weights
    from hsevo.config import change, load

    settings = {"decks": decks.split(","), "workers.count": workers, "workers.backend": backend}
    plan = change(load("cig2018"), {"name": "tournament", **rules, **settings})
    names, weights = read_weights(agents)
    if len(names) < 2:
        raise ConfigError(f"{agents} holds one agent; a tournament needs two")
    _tournament(plan, names, weights, out)


@main.command()
@click.argument("path", metavar="RUN", type=FOLDER)
def verify(path: Path) -> None:
    """Add up everything in a run folder again.

    Every pairing and seed is derived again, every fitness added up again, and the evolution made
    again from the stored results: births, ages, survivors, weights and sigmas must come out.
    A run that is still going on, or was stopped, is checked as far as it is committed.

    \b
    hsevo verify runs/cig2018-seed-2018-20180817-120000
    """
    from hsevo.runs import Run
    from hsevo.verify import problems_text
    from hsevo.verify import verify as check

    run = Run.open(path)
    report = check(run)
    if report.problems:
        raise RunError(problems_text(run, report))
    state = "done" if report.done else "not finished"
    click.echo(f"{path}: {state}; {report.generations:,} generations, {report.matches:,} matches"
               f" and {report.games:,} games add up")


@main.command()
@click.argument("path", metavar="RUN", type=FOLDER)
@click.option("--execution", type=int, metavar="E", help="Default: the last.")
@click.option("--generation", type=int, metavar="G", help="From 0; default: the last.")
@click.option("--a", type=int, metavar="ID", help="An individual; default: the best one.")
@click.option("--b", type=int, metavar="ID", help="Its opponent; default: the best but one.")
@click.option("--deck-a", metavar="NAME", help="The deck of --a; default: the run's first.")
@click.option("--deck-b", metavar="NAME", help="The deck of --b; default: the run's first.")
@click.option("--game", type=int, default=0, metavar="K", show_default=True,
              help="Which of their games, from 0.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write the game there as well.")
@click.option("--list", "listing", is_flag=True, help="List the matches that fit, and stop.")
def replay(path: Path, game: int, output: Path | None, listing: bool, **which: Any) -> None:
    """Play a game of a run again from its seed, and show it turn by turn.

    Shown are boards and hands, every option with the score that the agent gave it (-> the one it
    took), and the outcome. All games of the match are played again, too, and compared with what is
    stored: exit code 1 if anything differs.

    \b
    hsevo replay RUN --list --generation 0
    hsevo replay RUN --generation 3 --a 12 --b 7 --deck-a mage --deck-b shaman --game 1
    """
    from hsevo import replay as replays
    from hsevo.runs import Run

    run = Run.open(path)
    if listing:
        click.echo(replays.list_text(replays.meetings(run, **which)))
        return
    meeting = replays.find(run, **which)
    _warm_up()
    said, same = replays.verdict(meeting)
    _show_game([str(meeting), *replays.tell(meeting, game)], output)
    click.echo(said, err=True)
    if not same:
        click.get_current_context().exit(1)


@main.command()
@click.option("--seconds", type=click.FloatRange(0.1), default=10.0, show_default=True,
              help="Time for the speeds; compiling and starting take a minute more.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def bench(seconds: float, as_json: bool) -> None:
    """Measure games a second, compile time, start, memory; nothing else should run meanwhile.

    Speeds are medians of five rounds, per second of CPU time of one core.
    """
    import json

    from hsevo import bench as benches

    _warm_up()
    report = benches.measure(seconds, lambda line: click.echo(line, err=True))
    click.echo(json.dumps(report, indent=1) if as_json else benches.text(report))


def _show_game(lines: Sequence[str], output: Path | None) -> None:
    """Print a game, the moves that were made in colour on a terminal; and write it to a file."""
    from rich.console import Console

    from hsevo.files import write_whole

    if output:
        write_whole(output, ("\n".join(lines) + "\n").encode())
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for line in lines:
        style = "bold green" if line.startswith("->") else None
        if console.is_terminal:
            console.print(line, style=style)
        else:
            click.echo(line)


def _created(source: str | None, workers: int | None, backend: str | None,
             new: dict[str, Any]) -> Run:
    from hsevo.config import change, load, names
    from hsevo.runs import Run, default_path

    if source is None:
        raise ConfigError(f"give --config NAME_OR_PATH (shipped: {', '.join(names('configs'))}),"
                          " or --resume RUN")
    plan = change(load(source, new["settings"]), {
        "seed": new["seed"], "executions": new["executions"], "workers.count": workers,
        "workers.backend": backend, "out": str(new["out"]) if new["out"] else None})
    decks = _decks(plan)
    return Run.create(Path(plan.out) if plan.out else default_path(plan), plan, decks)


def _resumed(path: Path, source: str | None, new: dict[str, Any]) -> Run:
    from hsevo.runs import Run

    given = [f"--{name}" for name, value in {"config": source, **new}.items()
             if value is not None and value != ()]
    if given:
        raise ConfigError(f"--resume goes on with what the run was begun with: leave"
                          f" {given[0].replace('settings', 'set')} out")
    return Run.resume(path)


def _decks(plan: Config) -> list[Any]:
    from hsevo.cards.decks import read_deck

    decks = [read_deck(name) for name in plan.decks]
    names = [deck.name for deck in decks]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two decks are called '{name}'; the tables would mix them up")
    return decks


def _evolve(run: Run, plan: Config) -> None:
    """Evolve to the end, log and show every generation; say how to go on when it is stopped."""
    from hsevo.evolve import evolve as run_evolution
    from hsevo.progress import games_to_play

    resume = f"; go on with: hsevo evolve --resume {run.path}"
    try:
        run.log(f"begin with {plan.workers.backend}, {plan.workers.count or 'all'} workers")
        with _playing(plan, games_to_play(run.config, run.start)) as (work, meter):
            meter.say(f"run folder {run.path}")
            run_evolution(run, work, lambda g: run.log(meter.generation(plan, g)), meter.tick)
        run.log("done")
    except KeyboardInterrupt:
        raise KeyboardInterrupt(resume) from None
    except (RunError, WorkersError, GameError) as error:
        raise type(error)(f"{error}{resume}") from error


def _tournament(plan: Config, names: Sequence[str], weights: Any, out: Path) -> None:
    from hsevo import config, match
    from hsevo import tournament as games
    from hsevo.agents.agent import eva
    from hsevo.files import probe, write_whole, writing

    decks = _decks(plan)
    with writing(out):
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise RunError(f"{out} is there and not empty; choose another --out")
        out.mkdir(parents=True, exist_ok=True)
    probe(out / "agents.csv")
    rules = match.Setting(ruleset=plan.ruleset, decks=tuple(decks), information=plan.information,
                          max_turns=plan.max_turns)
    pairings = games.round_robin(range(len(names)), len(decks), plan.games, (plan.seed,))
    with _playing(plan, int(pairings["games"].sum(dtype="i8"))) as (work, meter):
        results = games.play(work, pairings, eva(weights), rules, meter.tick)
    ranking = games.agents_table(names, games.tally(pairings, results, len(names)))
    games.write_table(out / "agents.csv", ranking)
    games.write_table(out / "deck_pairs.csv",
                      games.deck_pairs_table(names, decks, pairings, results))
    write_whole(out / "tournament.yaml", config.dump(plan).encode())
    click.echo(f"{meter.done:,} games, {meter.speed:,.0f} games/s: {out}/agents.csv and"
               f" {out}/deck_pairs.csv\nbest: {_rate(ranking.iloc[0])}")


def _warm_up() -> None:
    """Load the engine, or compile it and say so."""
    from hsevo import match

    if not match.is_compiled():
        click.echo("compiling the engine: once for this version, about half a minute ...", err=True)
    match.warm_up()


@contextmanager
def _playing(plan: Config, games: int) -> Iterator[tuple[Map, Meter]]:
    """Compile the engine if need be, open the workers, and show how far they are."""
    from hsevo.progress import Meter
    from hsevo.workers import open_workers

    _warm_up()
    with open_workers(plan.workers) as work, Meter(games) as meter:
        yield work, meter


def _print_run(run: Run) -> None:
    """Print where the run is and the best of its last generation, with its weights named."""
    from hsevo.agents.weights import GLOSSARY
    from hsevo.best import last_population

    names, rows = last_population(run)
    best = int(rows["wins"].argmax())
    click.echo(f"run folder: {run.path}\nbest of the last generation: {names[best]}, with"
               f" {rows['wins'][best]:,} wins")
    for (name, meaning), weight in zip(GLOSSARY.items(), rows["weights"][best], strict=True):
        click.echo(f"  {name:<5}{weight:.4f}  {meaning}")
    click.echo(f"One generation's wins are in part luck. To name the best after more games:"
               f"\n  hsevo export-best {run.path}")


def _rate(row: Any) -> str:
    games = row["wins"] + row["draws"] + row["losses"]
    return (f"{row['agent']}, {100 * row['rate']:.2f} % of {games:,} games won"
            f" (95 % interval {100 * row['low']:.2f} to {100 * row['high']:.2f})")


def _judgement(best: Any) -> str:
    lines = [f"best: {_rate(best.table.iloc[0])}"]
    if len(best.table) > 1:
        lines.append(f"next: {_rate(best.table.iloc[1])}")
        lines.append(f"{best.z:.1f} standard errors apart: "
                     + ("the best is separable from the next" if best.separable else
                        "not separable (1.96 are needed); more --games may tell"))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
