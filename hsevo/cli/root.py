"""The group of all commands, and how errors end them."""

from __future__ import annotations

from typing import Any

import click

from hsevo import __version__
from hsevo.cli.arena import agents, arena, match
from hsevo.cli.cards import cards
from hsevo.cli.decks import decks
from hsevo.cli.evolution import evolve, export_best, replay, verify
from hsevo.cli.games import bench, tournament
from hsevo.errors import HsevoError


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
    hsevo match eva:2018 random            which agent is better, and how sure is that?
    hsevo arena AGENT AGENT ...            ratings of many agents; hsevo agents lists them
    hsevo cards show "Sylvanas"            what a card does
    hsevo decks check mine.txt             is it a deck?
    hsevo bench                            how fast is it here?
    hsevo COMMAND --help                   more about each
    """


for command in (evolve, export_best, verify, replay, tournament, match, arena, agents, bench, cards,
                decks):
    main.add_command(command)
