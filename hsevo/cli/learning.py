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
@run_options("learn", LEARNING, "learner.trace=0.9", "training iterations", "periods")
def learn(**options: Any) -> None:
    """Train a player that learns from its games, into a run folder.

    \b
    hsevo learn --config osfp-smoke               half a minute; beats eva:2018
    hsevo learn --config osfp-small               decks of CIG2018
    hsevo learn --config osfp-small --start eva:2018
    hsevo learn --config any-deck                 any deck of all nine classes
    hsevo learn --config osfp-small --set osfp.self_play=1   plain self-play
    hsevo learn --config osfp-small --against gsv   train against gsv only
    hsevo learn --config osfp-small --minutes 10
    hsevo learn --config osfp-smoke --log tensorboard
    hsevo learn --config osfp-ladder-discount     gamma 0.99
    hsevo learn --config ppo-smoke                a policy, by PPO
    hsevo learn --config end-to-end-small         a network in PyTorch
    hsevo learn --resume RUN                      continue a stopped run
    hsevo learn --resume RUN --periods 12         extend it
    hsevo match rl:RUN eva:2018                   use the player as an agent

    A small network scores the position after each legal action. It learns by TD(lambda) from games
    against itself and an opponent pool of earlier versions (optimistic smooth fictitious play).
    With learner.method: ppo or mmd, it learns a policy by PPO or by magnetic mirror descent.

    A round is a training iteration. A period is a checkpoint interval, and periods count from 0.
    Each period adds a checkpoint, for example rl:RUN#period-0003, and a row of learning.csv. At the
    end, all checkpoints play each other (payoff.csv).

    With policy: end-to-end, a PyTorch network (install the extra torch) chooses actions without
    look-ahead. You can use this policy as an agent, for example in match and arena, but you cannot
    evolve it.

    Results are bit-identical with any number of workers and any backend. For an end-to-end policy,
    this holds only on the same type of processor. --resume continues a stopped or killed run with
    the same result.
    """
    complete(hsevo.Learned, "give a learning config: hsevo learn"
             " --config osfp-smoke (hsevo config list names more)", _print, **options)


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
