"""hsevo dataset: the decisions of two agents, for learners."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import hsevo
from hsevo.cli.completion import AGENT
from hsevo.cli.shared import (
    FOLDER,
    given,
    json_option,
    plan_options,
    print_json,
    repeatable,
    so_far,
)
from hsevo.cli.tables import say


@click.command()
@click.argument("a", metavar="A", shell_complete=AGENT)
@click.argument("b", metavar="B", shell_complete=AGENT)
@plan_options("dataset", "rules", "workers")
@click.option("--out", type=FOLDER, metavar="DIR", required=True,
              help="A new folder for the data set. If you stop the command, the same command"
                   " continues it.")
@click.option("--minari", metavar="NAME",
              help="Also write a data set of Minari with this name, such as hsevo/eva-v0.")
@json_option
def dataset(a: str, b: str, out: Path, as_json: bool, **fields: Any) -> None:
    """Play two agents, and store all decisions of both players for learners.

    \b
    hsevo dataset eva:2018 random --games 200 --out data/small
    hsevo dataset rl:2026 eva:2018 --decks human:known --out data/human
    hsevo dataset gsv gsv --decks human:known --history --out data/gsv
    hsevo dataset eva:2018 random --out data/eva --minari hsevo/eva-v0

    The games are those of hsevo match with the same options, and A and B may be the same agent.
    Each row of the Parquet files has what the player sees (the observation of the environments),
    the legal actions, the action and the result of the game.

    Files in DIR: decisions.parquet (the decisions), README.md and card.json (what they are, and how
    to read them), and the files of a match. The number of workers does not change a byte.
    """
    with repeatable(out), so_far(_show, as_json):
        result = hsevo.dataset(a, b, out, progress=True, **given(**fields))
    if as_json:
        print_json(result)
        return
    _show(result)
    say(f"how to read it: {out / 'README.md'}")
    if name := fields["minari"]:
        say(f'Minari: minari.load_dataset("{name}")')


def _show(result: hsevo.DataSet) -> None:
    say(str(result))
