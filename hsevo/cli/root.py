"""The group of all commands, and how errors end them."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from hsevo import __version__
from hsevo.cli.arena import agents, arena, match
from hsevo.cli.benchmark import benchmark
from hsevo.cli.cards import cards
from hsevo.cli.decks import decks
from hsevo.cli.evolution import evolve, export_best, replay, verify
from hsevo.cli.examine import examine
from hsevo.cli.games import bench, tournament
from hsevo.cli.report import report
from hsevo.cli.studies import study
from hsevo.cli.watch import watch
from hsevo.errors import HsevoError


class Commands(click.Group):
    """A group whose errors are one line and exit code 2, and whose Ctrl-C is 130."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; a full disk and the like end it with a line, too.

        A pipe whose reader has gone is left to click: it ends in silence, with 1.
        """
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            where = error.filename and f" {error.filename}"  # stdout has no name
            click.echo(f"hsevo: cannot read or write{where or ''}: {error.strerror or error}",
                       err=True)
            _drop_output()
            sys.exit(2)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; turn what it raises into a line on stderr and an exit code."""
        try:
            result = super().invoke(ctx)
            if sys.stdout:  # None: closed from the start
                sys.stdout.flush()  # now, where what fails has its line
            return result
        except HsevoError as error:
            click.echo(f"hsevo: {error}", err=True)
            ctx.exit(2)
        except KeyboardInterrupt as interrupt:
            click.echo(f"hsevo: stopped{interrupt}", err=True)
            ctx.exit(130)


def _drop_output() -> None:
    """Send what cannot be written nowhere: Python would try again at its end, with a traceback."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group("hsevo", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hsevo")
def main() -> None:
    """Evolve Hearthstone agents: the CIG2018 experiment on a compiled engine.

    \b
    hsevo evolve --config smoke            a small run, done in half a minute
    hsevo evolve --config cig2018          the experiment of the paper
    hsevo watch RUN                        follow a run that is going on
    hsevo export-best RUN                  its best agent, after many more games
    hsevo examine RUN                      its best from near: what are its weights worth?
    hsevo report RUN                       what evolved: figures, tables, one page
    hsevo verify RUN                       does everything in it add up?
    hsevo replay RUN                       any of its games, move by move
    hsevo match eva:2018 random            which agent is better, and how sure is that?
    hsevo arena AGENT AGENT ...            ratings of many agents; hsevo agents lists them
    hsevo benchmark RUN                    where its best stands in a frozen panel
    hsevo study taunts                     a published study again, with a plot
    hsevo cards show "Sylvanas"            what a card does
    hsevo decks check mine.txt             is it a deck?
    hsevo bench                            how fast is it here?
    hsevo COMMAND --help                   more about each
    """


for command in (evolve, watch, export_best, examine, report, verify, replay, tournament, match,
                arena, benchmark, agents, bench, study, cards, decks):
    main.add_command(command)
