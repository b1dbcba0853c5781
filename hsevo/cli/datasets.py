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
              help="A new folder for the data set. If you stop the command, run it again to"
                   " continue.")
@click.option("--minari", metavar="NAME",
              help="Also write a Minari data set with this name, such as hsevo/eva-v0.")
@json_option
def dataset(a: str, b: str, out: Path, as_json: bool, **fields: Any) -> None:
    """Play two agents against each other, and store all decisions as training data.

    \b
    hsevo dataset eva:2018 random --games 200 --out data/small
    hsevo dataset rl:2026 eva:2018 --decks human:known --out data/human
    hsevo dataset gsv gsv --decks human:known --history --out data/gsv
    hsevo dataset eva:2018 random --out data/eva --minari hsevo/eva-v0

    The games are the same as in hsevo match with the same options. A and B may be the same agent.
    Each row of the Parquet files contains the player's observation (as in the environments), the
    legal actions, the player's action and the result of the game.

    DIR contains decisions.parquet (the decisions), README.md and card.json (a description of the
    data set), and the files of a match. The files are byte-identical with any number of workers.
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
