"""hsevo replay: any stored game again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.text import Text

from hsevo import experiments, play
from hsevo.cli.completion import DECK, RUNS
from hsevo.cli.lines import broken
from hsevo.cli.shared import FOLDER, json_option, print_json
from hsevo.cli.tables import say, show_table
from hsevo.errors import ConfigError
from hsevo.files import probe, write_whole

if TYPE_CHECKING:
    import pandas as pd

MOST = 1_000  # lines of a list


def which_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose one of a folder's games; see `which_of`."""
    for option in (
        click.option("--generation", type=int, metavar="G",
                     help="Of a run, from 0; default: the last."),
        click.option("--execution", type=int, metavar="E", help="Of a run; default: the last."),
        click.option("--game", type=int, default=0, metavar="K", show_default=True,
                     help="Which game of the match, from 0."),
        click.option("--part", type=int, metavar="P",
                     help="The match with this number in the --list that the same options give"
                          " to hsevo replay."),
        click.option("--longest", is_flag=True, help="The games with the most turns first."),
        click.option("--drawn", is_flag=True, help="Games that --a drew."),
        click.option("--lost", is_flag=True, help="Games that --a lost."),
        click.option("--won", is_flag=True, help="Games that --a won; default: the best agent."),
        click.option("--deck-b", metavar="DECK", shell_complete=DECK,
                     help="The deck of --b, by name or file; of a run, default: the first."),
        click.option("--deck-a", metavar="DECK", shell_complete=DECK,
                     help="The deck of --a, by name or file; of a run, default: the first."),
        click.option("--b", metavar="AGENT", help="Its opponent; default: the second best."),
        click.option("--a", metavar="AGENT",
                     help="Of a run, an individual's number or an opponent's name; else an agent's"
                          " name or a part of it; default: the best one."),
    ):
        command = option(command)
    return command


def which_of(options: dict[str, Any]) -> dict[str, Any]:
    """Return what `which_options` were given, as arguments of `hsevo.replay` but for part and game.

    Raises ConfigError for several of --won, --lost and --drawn.
    """
    flags = {name: options.pop(name) for name in ("won", "lost", "drawn")}
    return options | {"result": _result(**flags)}


def _refuse_hsreplay(_: click.Context, __: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise ConfigError("--hsreplay was removed in version 0.6: write a page with --html, or"
                          " install version 0.5.0 for HSReplay XML")


@click.command()
@click.argument("path", metavar="FOLDER", type=FOLDER, shell_complete=RUNS)
@which_options
@click.option("--output", type=FOLDER, metavar="FILE", help="Write the game there as well.")
@click.option("--html", type=FOLDER, metavar="FILE",
              help="Write a page on which the game can be stepped through, instead of text.")
@click.option("--chances", type=int, default=100, metavar="N", show_default=True,
              help="Games that --html plays on from each point of its curve of chances to win;"
                   " 0: no curve.")
@click.option("--hsreplay", hidden=True, callback=_refuse_hsreplay, expose_value=False,
              help="Removed in version 0.6: use --html.")
@click.option("--list", "listing", is_flag=True, help="List the matches that fit, and stop.")
@json_option
def replay(path: Path, part: int | None, game: int, output: Path | None, html: Path | None,
           listing: bool, as_json: bool, chances: int, **options: Any) -> None:
    """Play a stored game again from its seed, and show it turn by turn.

    FOLDER is a run, what match, arena or benchmark wrote with --out, or the games that you played
    (hsevo play), of which the last is shown. Shown are boards and hands, every option with the
    agent's score (-> the one it took), and the outcome. All games of the match are played again,
    too, and compared with what is stored: exit code 1 if anything
    differs.

    \b
    hsevo replay runs/mine --list --generation 0          matches, numbered
    hsevo replay runs/mine --generation 0 --part 5        one of them
    hsevo replay runs/mine --generation 3 --a 12 --b 7 --deck-a mage
    hsevo replay runs/mine --game 1 --html game.html      a page to step through
    hsevo replay my-arena --a eva:2018 --b random --part 5
    hsevo replay my-match --a eva:2018 --lost --list      the games that it lost
    hsevo replay my-match --a eva:2018 --lost --longest   the longest of them
    hsevo replay runs/play --lost --html game.html   a game that you lost
    """
    from hsevo.replays import stored  # which takes a second

    which = which_of(options)
    if listing:
        matches = stored.meetings(path, **which).rename_axis("part").reset_index()
        print_json({"matches": matches}) if as_json else _list(matches, path, which)
        return
    found = stored.replay(path, **which, game=game, part=part, chances=chances)
    for file in filter(None, (output, html)):
        probe(file)
    experiments.warm_up()
    said, same = found.verdict()
    if html:
        write_whole(html, found.html.encode())
        click.echo(f"{html}: a page with {len(found.steps)} steps", err=as_json)
    _show_game(found.lines, output, alone=bool(html or as_json))
    if as_json:
        print_json({"match": found.match, "game": game, "reproduced": same,
                    "steps": len(found.steps)})
    say(said, err=True)
    if not same:
        click.get_current_context().exit(1)


def _result(**flags: bool) -> str | None:
    """Return how the games ended that are asked for. Raises ConfigError for several flags."""
    given = [name for name, on in flags.items() if on]
    if len(given) > 1:
        raise ConfigError(f"--{' and --'.join(given)} can't be combined: no game ended in both"
                          " ways; give one")
    return given[0] if given else None


def _list(table: pd.DataFrame, path: Path, which: dict[str, Any]) -> None:
    """Print stored matches, one a line, and the command that plays the first."""
    if table.empty:
        say("no match fits")
        return
    counts = ["games", "wins_a", "wins_b", "draws"]
    heads = ["part", "a", "b", "deck_a", "deck_b", *counts, "mean_turns"]
    agents = {*table["a"], *table["b"]}  # individuals of a run are numbers
    names = play.short_names(sorted(one for one in agents if isinstance(one, str)))
    show_table(heads, [[*(names.get(row[head], row[head]) for head in heads[:-1]),
                        f"{row['turns'] / row['games']:.1f}"]
                       for row in table.head(MOST).to_dict("records")],
               ["part", *counts, "mean_turns", *([] if names else ["a", "b"])],
               [*(["games"] if (table["games"] == 1).all() else []), "draws", "wins_b", "wins_a",
                "mean_turns"])
    for line in play.legend(names):
        say(line)
    if len(table) > MOST:
        say(f"and {len(table) - MOST:,} more; narrow it down with --a, --b, --deck-a, --deck-b")
    game = " --game 0" if table["games"].max() > 1 else ""
    say(f"play the first: {_command(path, which)} --part 0{game}")


def _command(path: Path, which: dict[str, Any]) -> str:
    """Return the command that was given, without --list."""
    flags = [f"--{which['result']}"] if which["result"] else []
    flags += ["--longest"] if which["longest"] else []
    options = [word for name, value in which.items()
               if value is not None and name not in ("result", "longest")
               for word in (f"--{name.replace('_', '-')}", str(value))] + flags
    return shlex.join(["hsevo", "replay", str(path), *options])


def _show_game(lines: Sequence[str], output: Path | None, alone: bool) -> None:
    """Print a game, the moves that were made in colour on a terminal; and write it to a file.

    alone: write it, and nothing else.
    """
    if output:
        write_whole(output, ("\n".join(lines) + "\n").encode())
    if alone:
        return
    console = Console(highlight=False)
    for line in "\n".join(lines).splitlines():  # a step may have several
        if console.is_terminal:
            style = "bold green" if line.startswith("->") else ""
            fits = len(line) <= console.width
            console.print(Text(line if fits else broken(line, console.width), style))
        else:
            click.echo(line)
