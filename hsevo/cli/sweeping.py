"""hsevo sweep: which values of config keys make the best agents?"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo import config
from hsevo.cli.completion import CONFIGS
from hsevo.cli.shared import (
    FOLDER,
    json_option,
    print_json,
    repeatable,
    trust_option,
    workers_options,
)
from hsevo.cli.tables import say, show_table
from hsevo.errors import ConfigError

if TYPE_CHECKING:
    from hsevo.learning.sweeps import Sweep


@click.command()
@click.argument("source", metavar="CONFIG", shell_complete=CONFIGS)
@click.option("--over", multiple=True, required=True, metavar="KEY=VALUES",
              help="A key and its values: LOW..HIGH, LOW..HIGH:log or A,B,C. May be repeated.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE",
              help="Change a key of the config for all trials. May be repeated.")
@click.option("--trials", type=click.IntRange(1), default=20, show_default=True, metavar="N",
              help="Number of trials. Each trial is a run.")
@click.option("--against", default="eva:2018", show_default=True, metavar="AGENT",
              help="The opponent that rates the agent of each trial.")
@click.option("--games", type=click.IntRange(1), default=360, show_default=True, metavar="N",
              help="Minimum number of games that rate a trial.")
@click.option("--final-games", type=click.IntRange(1), default=2000, show_default=True,
              metavar="N", help="Minimum number of new games of the best agent.")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder, or the folder of the same sweep. Default: runs/NAME-sweep.")
@trust_option
@workers_options
@json_option
def sweep(source: str, over: tuple[str, ...], settings: tuple[str, ...], out: Path | None,
          as_json: bool, **options: Any) -> None:
    """Search for the values of config keys that make the best agents.

    \b
    hsevo sweep smoke --over evolution.mu=2,4 --trials 2 --games 36
    hsevo sweep cig2018-fast --over evolution.mu=5,10,20 \\
                --over evolution.sigma_max=0.05..1.0:log --trials 30 --out swept
    hsevo sweep mine.yaml --over evolution.options.sigma=0.05..0.5
    hsevo sweep osfp-smoke --over learner.rate=0.001..0.1:log --trials 10

    CONFIG is a config of hsevo evolve or hsevo learn. --over gives a range from LOW to HIGH, or a
    list of values. A range has whole numbers if both ends are whole, and a logarithmic scale with
    :log. Optuna's TPE sampler proposes the values of each trial from the results of earlier trials.
    This needs optuna: pip install 'hsevo[research]'.

    Each trial is a run in DIR/trial-000, DIR/trial-001 and so on. Its agent (of an evolution, the
    best by fitness) plays --games games against --against, with the same shuffles in all trials.
    The best rate of many trials is biased upwards, so the best agent plays --final-games new games.
    You get the win rate of these games with its 95 % interval.

    hsevo report DIR shows all trials, and the rate by each key. DIR contains sweep.yaml, trials.csv
    (a row per trial) and the runs. If you stop the command, run it again to continue with the same
    results. To extend a sweep, increase --trials. If the config rejects a combination of values,
    the combination counts as a trial, and trials.csv contains the error.
    """
    from hsevo.learning.sweeps import load_plan

    path = out or Path("runs") / f"{config.find_any(source).stem}-sweep"
    parted = [text.partition("=") for text in over]
    if wrong := [text for text, (key, sign, value) in zip(over, parted, strict=True)
                 if not (key and sign and value)]:
        raise ConfigError(f"--over '{wrong[0]}': must be KEY=VALUES, such as evolution.mu=5,10,20")
    command = shlex.join(["hsevo", "sweep", source, *(f"--over={text}" for text in over),
                          *(f"--set={text}" for text in settings), "--out", str(path)])
    with repeatable(path, command):
        result = hsevo.sweep(load_plan(source, settings), {key: value for key, _, value in parted},
                            out=path, progress=True, **options)
    if as_json:
        print_json(result)
    else:
        _show(result)


def _show(result: Sweep) -> None:
    """Print the trials, best first, and the best in new games."""
    table = result.trials.sort_values("rate", ascending=False, kind="stable")
    keys = [*result.values]
    rows = [(row["trial"], *(f"{row[key]:.4g}" if isinstance(row[key], float) else str(row[key])
                             for key in keys),
             "" if row["rate"] != row["rate"] else f"{100 * row['rate']:.1f}",
             row["error"] if row["rate"] != row["rate"] else
             f"{100 * row['rate_low']:.1f} to {100 * row['rate_high']:.1f}")
            for row in table.to_dict("records")]
    show_table(["trial", *keys, "rate %", "rate 95 %"], rows, ["trial", *keys, "rate %"], [])
    say(f"best: trial {result.best}, {result.run.path}; {result.rate.percent()} of new games")
