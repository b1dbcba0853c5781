"""The group of all commands, each imported when it is used, and how errors end them.

Under a limit of addresses (`ulimit -v`), the program ends with an error where a library would wait
for ever. OpenBLAS, in numpy and scipy, allocates memory for each of its threads while it is loaded.
If that fails it tries again, without an end, and neither Ctrl-C nor SIGTERM stops it.

Standard output and error outlive their reader: `hsevo evolve 2>&1 | head` plays on.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import IO, Any, NamedTuple, NoReturn, Self, TextIO

import click
from click.shell_completion import CompletionItem

from hsevo import __version__
from hsevo.cli.lines import tell
from hsevo.errors import (
    HsevoError,
    Terminated,
    brief,
    did_you_mean,
    out_of_memory,
    printable,
    quoted,
    unsafe,
)
from hsevo.trust import command_line

LOADERS = ("numpy", "scipy.linalg")  # modules that load an OpenBLAS
# Megabytes: scipy 1.17 took 94, and 40 for each further thread, of which OpenBLAS has at most 64.
FIRST, FURTHER, MOST_THREADS = 100, 40, 64
MEGABYTE = 2**20


def spare_megabytes() -> float:
    """Return the addresses that this process may still take, in MB; infinite without a limit."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getpagesize, getrlimit  # not on Windows

        limit = getrlimit(RLIMIT_AS)[0]
        if limit == RLIM_INFINITY:
            return float("inf")
        with open("/proc/self/statm", encoding="ascii") as file:
            return (limit - int(file.read().split()[0]) * getpagesize()) / MEGABYTE
    except (ImportError, OSError):  # not on Linux
        return float("inf")


class Finder:
    """A finder of modules that finds none, and raises MemoryError before one that would hang."""

    def find_spec(self, name: str, path: Sequence[str] | None = None,
                  target: object = None) -> None:
        """Raise MemoryError if OpenBLAS has not enough room."""
        threads = min(os.cpu_count() or 1, MOST_THREADS)
        if name in LOADERS and spare_megabytes() < FIRST + FURTHER * (threads - 1):
            raise MemoryError(f"{name} cannot be loaded")


def guard_imports() -> None:
    """Have libraries be loaded only where there is room, if addresses are limited."""
    if spare_megabytes() < float("inf") and not any(isinstance(finder, Finder)
                                                    for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())


class Outlet:
    """A stream that drops what is written once nobody reads it any more."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.closed_by_reader = stream, False

    def write(self, text: str) -> int:
        """Write a text, or drop it; a full disk is an OSError as ever."""
        try:
            return self.stream.write(text)
        except BrokenPipeError:
            self._drop()
            return len(text)

    def flush(self) -> None:
        """Flush what was written, or drop it."""
        try:
            self.stream.flush()
        except BrokenPipeError:
            self._drop()

    def _drop(self) -> None:
        """Send the rest nowhere, what is still in the stream's buffer as well."""
        self.closed_by_reader = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def guard() -> None:
    """Put an Outlet before standard output and error, where they are open."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, Outlet):
            setattr(sys, name, Outlet(stream))


def unread() -> bool:
    """Return whether the reader of standard output is known to have gone."""
    return getattr(sys.stdout, "closed_by_reader", False)


class Verb(NamedTuple):
    """Where a command is, and its line in the list of commands."""

    place: str  # module:attribute, in hsevo.cli
    help: str


# Their help lines stand here, too, for `hsevo --help` imports none of them.
COMMANDS = {
    "evolve": Verb("evolution:evolve", "Evolve the weights of an agent into a run folder."),
    "learn": Verb("learning:learn", "Train a player that learns from its games."),
    "coevolve": Verb("coevolution:coevolve", "Evolve decks and the agents that play them."),
    "exploit": Verb("exploit:exploit", "Compute a lower bound of an agent's exploitability."),
    "watch": Verb("watch:watch", "Follow the progress of a run."),
    "export-best": Verb("evolution:export_best", "Print the best agent of a run."),
    "examine": Verb("examine:examine", "Measure the value of each weight, and the playing style."),
    "report": Verb("report:report", "Write a page with figures and tables of results."),
    "verify": Verb("experiments:verify", "Check a run folder by recomputing all results."),
    "play": Verb("play:play", "Play against any agent in the browser."),
    "replay": Verb("replays:replay", "Replay a stored game, turn by turn."),
    "analyse": Verb("analyse:analyse", "Find the costliest turns of a game."),
    "match": Verb("arena:match", "Play two agents against each other."),
    "dataset": Verb("datasets:dataset", "Store every decision of two agents as Parquet files."),
    "arena": Verb("arena:arena", "Play many agents against each other, and rate them."),
    "benchmark": Verb("benchmark:benchmark", "Rate an agent against fixed opponents (a panel)."),
    "series": Verb("series:series", "Play best-of-n series with line-ups of decks."),
    "meta": Verb("meta:meta", "Analyse a metagame: win rates, Nash mixture, line-ups."),
    "agents": Verb("arena:agents", "List the named agents and their options."),
    "bench": Verb("games:bench", "Measure speed, compile time and memory."),
    "sweep": Verb("sweeping:sweep", "Search for the best values of config keys."),
    "ladder": Verb("ladders:ladder", "Measure the effect of settings on learning."),
    "study": Verb("studies:study", "Measure a win rate at several values of one setting."),
    "cards": Verb("cards:cards", "Browse the cards."),
    "config": Verb("config:config", "List or show configs, or print their schema."),
    "completion": Verb("completion:completion", "Print a completion script for bash, zsh or fish."),
    "decks": Verb("decks:decks", "Check, export, list, search and evolve decks."),
}


# What to use instead of commands that were removed.
RETIRED = {"tournament": "hsevo tournament was removed in version 0.6: hsevo arena --runs FILE"
                         " --out DIR plays all weights of a file against each other"}


class Misuse(click.UsageError):
    """What click finds wrong with the words of a command, as one line."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it like any other error."""
        tell(self.message)

    @classmethod
    def of(cls, error: click.UsageError, path: str) -> Self:
        """Return an error of click as one line; path: the command, if the error knows none."""
        said = " ".join(printable(error.format_message()).split()).rstrip(".")
        for next_sentence in ("Did you mean", "Choose from"):
            said = said.replace(f". {next_sentence}", f"; {next_sentence.lower()}")
        where = error.ctx.command_path if error.ctx else path
        return cls(f"{said[:1].lower()}{said[1:]} (see {where} --help)")


@contextmanager
def _in_a_line(path: Callable[[], str]) -> Iterator[None]:
    """Have click say what is wrong in one line, not in four; help is no error."""
    try:
        yield
    except click.UsageError as error:
        is_help = type(error).__name__ == "NoArgsIsHelpError"  # of click 8.2 and later
        raise error if is_help else Misuse.of(error, path()) from None


class Commands(click.Group):
    """A group whose errors are one line and exit code 2; Ctrl-C is 130, and SIGTERM 143."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of use."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if there is no such."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].place.partition(":")
        command: click.Command = getattr(import_module(f"hsevo.cli.{module}"), attribute)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse words that would reach the terminal as commands: a folder with ESC in its name."""
        for word in args:
            if unsafe(word):
                raise click.UsageError(f"{quoted(word)} contains control characters; rename it",
                                       ctx)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first word names; else suggest the nearest."""
        word = args[0]
        if word in RETIRED:
            raise HsevoError(RETIRED[word])
        if word not in COMMANDS and not word.startswith("-"):
            raise click.UsageError(f"No such command {quoted(word)}{did_you_mean(word, COMMANDS)}",
                                   ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer commands without importing them, and options."""
        completions = [CompletionItem(name, help=entry.help) for name, entry in COMMANDS.items()
                       if name.startswith(incomplete)]
        return completions + super(click.Group, self).shell_complete(ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def make_context(self, info_name: str | None, *args: Any, **kwargs: Any) -> click.Context:
        """Read the words before the command."""
        with _in_a_line(lambda: info_name or "hsevo"):
            return super().make_context(info_name, *args, **kwargs)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; a full disk and the like end it with a line, too.

        A pipe whose reader has gone gets no more, and the command goes on.
        """
        guard()
        guard_imports()
        before = gc.get_threshold()
        gc.set_threshold(100_000, 50, 50)  # what is imported stays: looking for waste took a tenth
        try:
            words = args[0] if args else kwargs.get("args")
            with _terminable(), command_line(sys.argv[1:] if words is None else words):
                return super().main(*args, **kwargs)
        except (MemoryError, ImportError, RuntimeError, OSError, SystemError) as error:
            if out_of_memory(error):
                _end("not enough memory for this command; free some, raise the limit"
                     " (ulimit -v, the job's limit on a cluster), or give fewer --workers")
            if not isinstance(error, OSError):
                raise
            where = error.filename and f" {brief(error.filename)}"  # stdout has no name
            _end(f"cannot read or write{where or ''}: {error.strerror or error}")
        finally:
            gc.set_threshold(*before)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; turn what it raises into a line on stderr and an exit code."""
        try:
            with _in_a_line(lambda: f"{ctx.command_path} {ctx.invoked_subcommand}"):
                result = super().invoke(ctx)
            if sys.stdout:  # None: closed from the start
                sys.stdout.flush()  # now, where what fails has its line
            return result
        except HsevoError as error:
            tell(str(error))
            ctx.exit(2)
        except KeyboardInterrupt as interrupt:
            tell(f"stopped{interrupt}")
            ctx.exit(128 + (signal.SIGTERM if _terminated(interrupt) else signal.SIGINT))


@contextmanager
def _terminable() -> Iterator[None]:
    """Have SIGTERM raise Terminated once, which stops a command as Ctrl-C does; then it kills."""
    def stop(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise Terminated

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can change signal handlers
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminated(stop: BaseException | None) -> bool:
    """Return whether SIGTERM began what stops a command, whatever was raised in its place."""
    return stop is not None and (isinstance(stop, Terminated) or _terminated(stop.__context__))


def _end(said: str) -> NoReturn:
    """Print an error as one line, and end the command with exit code 2."""
    tell(said)
    _drop_output()
    sys.exit(2)


def _drop_output() -> None:
    """Send what cannot be written nowhere: Python would try again at its end, with a traceback."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group("hsevo", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hsevo")
def main() -> None:
    """Evolve and train agents that play Hearthstone, and measure their strength.

    \b
    hsevo evolve --config smoke            evolve agents in a few seconds
    hsevo evolve --config cig2018          run the experiment of the paper
    hsevo learn --config osfp-smoke        train a player by self-play
    hsevo watch RUN                        follow the progress of a run
    hsevo export-best RUN                  find and print a run's best agent
    hsevo examine RUN                      measure the value of each weight
    hsevo report RUN                       write a page with figures and tables
    hsevo verify RUN                       check a run by recomputing its results
    hsevo replay RUN                       replay a game of a run
    hsevo analyse RUN                      find the costliest turns of a game
    hsevo play                             play against any agent yourself
    hsevo match eva:2018 random            find the better of two agents
    hsevo arena AGENT AGENT ...            rate many agents (see hsevo agents)
    hsevo benchmark RUN                    rate a run's best agent in a panel
    hsevo series AGENT AGENT               play best of five with line-ups
    hsevo meta matrix mage shaman ...      play decks against each other
    hsevo ladder table-1                   measure the effect of settings
    hsevo study taunts                     repeat a published study
    hsevo cards show "Sylvanas"            show the text of a card
    hsevo decks check mine.txt             check a deck
    hsevo bench                            measure speed on your machine
    hsevo config show cig2018              print a config with explanations
    hsevo completion bash                  set up completion with Tab
    hsevo COMMAND --help                   describe a command

    In Python, import hsevo and call hsevo.match("eva:2018", "random").
    """
