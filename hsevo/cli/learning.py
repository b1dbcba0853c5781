"""hsevo learn: a player that learns by playing."""

from __future__ import annotations

from shlex import quote
from typing import Any

import click

import hsevo
from hsevo import play
from hsevo.cli.completion import LEARNING
from hsevo.cli.experiments import complete, run_options
from hsevo.cli.tables import say, show_table


@click.command()
@run_options("learn", LEARNING, "learner.trace=0.9", "rounds", "periods")
def learn(**given: Any) -> None:
    """Have a player learn by playing, into a run folder.

    \b
    hsevo learn --config osfp-smoke               half a minute: beats eva:2018
    hsevo learn --config osfp-small               the decks of CIG2018
    hsevo learn --config osfp-small --start eva:2018
    hsevo learn --config any-deck                 any deck of the nine classes
    hsevo learn --config osfp-small --set osfp.self_play=1   plain self-play
    hsevo learn --config osfp-small --against gsv   how far it can be beaten
    hsevo learn --config osfp-small --minutes 10
    hsevo learn --config osfp-smoke --log tensorboard
    hsevo learn --config osfp-ladder-discount     with one setting changed
    hsevo learn --config ppo-smoke                the policy itself, by PPO
    hsevo learn --config end-to-end-small         a network in PyTorch
    hsevo learn --resume RUN                      a run folder that was stopped
    hsevo learn --resume RUN --periods 12         prolong it
    hsevo match rl:RUN eva:2018                   the player, as any other agent

    A small network scores the position after each legal action. It learns by TD(lambda) from games
    against itself and against earlier selves, its pool (optimistic smooth fictitious play). With
    learner.method ppo or mmd, its scores are the logits of a policy, which learns by PPO or mirror
    descent. Learning is in rounds of games, and a period is some rounds: after each there is a
    checkpoint, rl:RUN#period-0003, and a line in learning.csv; at the end, all checkpoints meet all
    (payoff.csv). Periods count from 0: the last of six is "period 5 of 5".

    A config with policy: end-to-end has a network in PyTorch (the extra torch), which chooses from
    what it sees, without looking ahead. match, arena, benchmark, examine and replay take it as an
    agent; evolve and tournaments don't.

    Results are bit-identical with any number of workers and any backend; those of an end-to-end
    policy also need the same kind of processor. A run that was stopped or killed at any moment
    continues with --resume, and its result is the same. Logs are written from the run folder and
    change no result: --resume RUN --log tensorboard writes the log of a finished run.
    """
    complete(hsevo.Learned, "give a learning config: hsevo learn"
             " --config osfp-smoke (hsevo config list names more)", _print, **given)


def _print(run: hsevo.Learned) -> None:
    """Print the last measurement, and what to do with the player."""
    from hsevo.reports.learned import rules, which_decks

    table = run.references
    if len(table):
        last = table[table["period"] == table["period"].iloc[-1]]
        names = play.short_names(last["opponent"])
        show_table(["against", "games", "won", "95 % interval"], [
            [names[row["opponent"]], f"{row['games']:,}", f"{100 * row['rate']:.2f} %",
             f"{100 * row['rate_low']:.2f} to {100 * row['rate_high']:.2f}"]
            for row in last.to_dict("records")])
        for line in play.legend(names):
            say(line)
    say(f"run folder: {run.path}")
    say(f"the player: rl:{run.path}")
    which = which_decks(run)
    say(f"To measure it in new games{which and f' {which}'}, and to see how it learned:"
        f"\n  hsevo match {quote(f'rl:{run.path}')} eva:2018{rules(run)}"
        f"\n  hsevo report {quote(str(run.path))}")
