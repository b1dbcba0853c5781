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
                     help="Generation of a run, from 0. Default: the last."),
        click.option("--execution", type=int, metavar="E",
                     help="Execution of a run. Default: the last."),
        click.option("--game", type=int, default=0, metavar="K", show_default=True,
                     help="Number of the game in the match, from 0."),
        click.option("--part", type=int, metavar="P",
                     help="Number of the match in the list that hsevo replay --list prints with"
                          " the same options."),
        click.option("--longest", is_flag=True,
                     help="Order the games by number of turns, the longest first."),
        click.option("--drawn", is_flag=True, help="Only games that --a drew."),
        click.option("--lost", is_flag=True, help="Only games that --a lost."),
        click.option("--won", is_flag=True,
                     help="Only games that --a won."),
        click.option("--deck-b", metavar="DECK", shell_complete=DECK,
                     help="Deck of --b, by name or file. Default for a run: the first deck."),
        click.option("--deck-a", metavar="DECK", shell_complete=DECK,
                     help="Deck of --a, by name or file. Default for a run: the first deck."),
        click.option("--b", metavar="AGENT",
                     help="Opponent of --a. Default: the second best agent."),
        click.option("--a", metavar="AGENT",
                     help="For a run, the number of an individual or the name of an opponent. For"
                          " other folders, an agent's name or a part of it. Default: the best"
                          " agent."),
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
@click.option("--output", type=FOLDER, metavar="FILE", help="Also write the game to this file.")
@click.option("--html", type=FOLDER, metavar="FILE",
              help="Write a page on which you can step through the game, instead of text.")
@click.option("--chances", type=int, default=100, metavar="N", show_default=True,
              help="With --html, number of games that hsevo plays to the end from each point of"
                   " the curve of win probabilities. 0 omits the curve.")
@click.option("--hsreplay", hidden=True, callback=_refuse_hsreplay, expose_value=False,
              help="Removed in version 0.6. Use --html.")
@click.option("--list", "listing", is_flag=True, help="List the selected matches and exit.")
@json_option
def replay(path: Path, part: int | None, game: int, output: Path | None, html: Path | None,
           listing: bool, as_json: bool, chances: int, **options: Any) -> None:
    """Replay a stored game from its seed, turn by turn.

    FOLDER is a run folder, the output folder of match, arena or benchmark, or the folder of your
    own games (hsevo play), of which you see the last game by default. You see boards, hands, and
    every option with the agent's score. An arrow (->) marks the chosen option. The command also
    replays all games of the match and compares them with the stored results. The exit code is 1 if
    there is a difference.

    \b
    hsevo replay runs/mine --list --generation 0          number the matches
    hsevo replay runs/mine --generation 0 --part 5        replay a match
    hsevo replay runs/mine --generation 3 --a 12 --b 7 --deck-a mage
    hsevo replay runs/mine --game 1 --html game.html      a page to step through
    hsevo replay my-arena --a eva:2018 --b random --part 5
    hsevo replay my-match --a eva:2018 --lost --list      only lost games
    hsevo replay my-match --a eva:2018 --lost --longest   the longest lost game
    hsevo replay runs/play --lost --html game.html   a game that you lost
    """
    from hsevo.replays import stored  # which takes a second

    which = which_of(options)
    if listing:
        matches = stored.meetings(path, **which).rename_axis("part").reset_index()
        print_json({"matches": matches}) if as_json else _list(matches, path, which)
        return
    replayed = stored.replay(path, **which, game=game, part=part, chances=chances)
    for file in filter(None, (output, html)):
        probe(file)
    experiments.warm_up(ruleset=replayed.meeting.setting.ruleset)
    said, same = replayed.verdict()
    if html:
        write_whole(html, replayed.html.encode())
        click.echo(f"{html}: a page with {len(replayed.steps)} steps", err=as_json)
    _show_game(replayed.lines, output, alone=bool(html or as_json))
    if as_json:
        print_json({"match": replayed.match, "game": game, "reproduced": same,
                    "steps": len(replayed.steps)})
    say(said, err=True)
    if not same:
        click.get_current_context().exit(1)


def _result(**flags: bool) -> str | None:
    """Return how the games ended that are asked for. Raises ConfigError for several flags."""
    results = [name for name, on in flags.items() if on]
    if len(results) > 1:
        raise ConfigError(f"--{' and --'.join(results)} can't be combined; give one")
    return results[0] if results else None


def _list(table: pd.DataFrame, path: Path, which: dict[str, Any]) -> None:
    """Print stored matches, one a line, and the command that plays the first."""
    if table.empty:
        say("no matching match")
        return
    counts = ["games", "wins_a", "wins_b", "draws"]
    heads = ["part", "a", "b", "deck_a", "deck_b", *counts, "mean_turns"]
    agents = {*table["a"], *table["b"]}  # individuals of a run are numbers
    names = play.short_names(sorted(agent for agent in agents if isinstance(agent, str)))
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
