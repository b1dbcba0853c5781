"""hsevo verify, and what the commands that make run folders share: evolve and learn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

import hsevo
from hsevo import config, experiments
from hsevo.cli.completion import RUNS, Complete
from hsevo.cli.shared import (
    FOLDER,
    json_option,
    plan_keys,
    plan_options,
    print_json,
    resumable,
    trust_option,
    workers_options,
)
from hsevo.cli.tables import say
from hsevo.errors import ConfigError, RunError


@click.command()
@click.argument("path", metavar="RUN", type=FOLDER, shell_complete=RUNS)
@trust_option
@json_option
def verify(path: Path, trust: bool, as_json: bool) -> None:
    """Check a run folder by recomputing all results in it.

    For a run of hsevo evolve, hsevo recomputes pairings, seeds and fitness, and repeats the
    evolution from the stored game results. You can also check an unfinished run. If the command
    finds problems, it lists them, and the exit code is 2. If the run uses your own strategy or
    fitness (py:FILE.py), add --trust to run the copies of these files in RUN.

    For a run of hsevo learn, hsevo replays the measurements and the games between checkpoints, and
    repeats the training of the first period. All results must equal the stored results.

    \b
    hsevo verify runs/cig2018-seed-2018-20180817-120000
    hsevo verify runs/osfp-smoke-seed-1-20180817-120000
    """
    from hsevo.reports.folders import class_of

    run: Any = class_of(path)(path)
    report = (run.verify(progress=True, trust=trust) if isinstance(run, hsevo.Run) else
              run.verify(progress=True))
    if as_json:
        print_json(report)
    if report.problems:
        raise RunError(report.text(run.path))
    if not as_json:
        say(report.sentence(run.path))


def run_options(plan: str, configs: Complete, key: str, first: str,
                unit: str = "generations") -> Callable[..., Any]:
    """Add the options of a new run, of its steps, and of one that is resumed.

    plan: whose keys are options (cli/shared.py). configs: complete a config's name. key: of the
    config, with a value. first: what is timed. unit: what steps are called.
    """
    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        command = json_option(command)
        for option in (
            click.option("--minutes", type=float, metavar="M",
                         help=f"Set the number of {unit} so that the run takes about M minutes."
                              f" hsevo times a few {first} first."),
            click.option(f"--{unit}", "number", type=int, metavar="N",
                         help=f"With --resume, continue to N {unit} in total."),
            click.option("--resume", type=FOLDER, metavar="RUN", shell_complete=RUNS,
                         help="Continue a stopped run, or extend a finished run."),
            click.option("--log", "logs", multiple=True,
                         metavar="tensorboard",
                         help="Also write a log for TensorBoard to RUN/tensorboard."),
            click.option("--set", "settings", multiple=True, metavar="KEY=VALUE",
                         help=f"Change a value of the config, for example {key}. May be repeated."),
            click.option("--out", type=FOLDER, metavar="DIR",
                         help="The new run folder. Default: runs/NAME-..."),
            plan_options(plan),
            workers_options,
            click.option("--config", "source", metavar="NAME_OR_PATH", shell_complete=configs,
                         help="Path or name of a config (see hsevo config list)."),
        ):
            command = option(command)
        return command
    return add


def complete(kind: Any, missing: str, show: Callable[[Any], object], *,
             as_json: bool, trust: bool | None = None, **options: Any) -> None:
    """Create or open a run folder, make the remaining steps, and print the run.

    kind: class of the run. missing: error message if no config is named. show: prints the run.
    trust: for classes that take it. options: the others, of `run_options`. Raises ConfigError.
    """
    from hsevo.experiments import loggers

    resume, number, logs = options.pop("resume"), options.pop("number"), options.pop("logs")
    workers = {name: options.pop(name) for name in ("workers", "backend")}
    trusted = {} if trust is None else {"trust": trust}
    loggers.load(logs)
    steps, unit = kind.STEPS, kind.unit()
    if resume:
        _refuse_new({"config": options.pop("source"), **options}, unit)
        run = kind(resume)
    elif number is not None:
        raise ConfigError(f"--{unit} needs --resume RUN. For a new run, use"
                          f" --set {steps}=N")
    else:
        source, settings, minutes = (options.pop(key) for key in ("source", "settings", "minutes"))
        experiments.check_minutes(minutes, steps, (
            text.partition("=")[0].strip() for text in settings))
        if source is None:
            raise ConfigError(missing)
        out = options.pop("out")
        plan = config.change(config.load(source, settings, kind.PLAN), plan_keys(
            options | workers | {"out": str(out) if out else None}))
        run = kind.create(plan, minutes=minutes, progress=True, **trusted)
    with resumable(kind.command(), run.path, logs):
        run.resume(**{unit: number}, log=logs, progress=True, **workers, **trusted)
    (print_json if as_json else show)(run)


def _refuse_new(new: dict[str, Any], unit: str) -> None:
    """Raise ConfigError for options that --resume does not go with."""
    options = [f"--{name}" for name, value in new.items() if value is not None and value != ()]
    if options:
        raise ConfigError(f"{options[0].replace('settings', 'set')} can't be combined with"
                          f" --resume, which keeps the settings of the run; --{unit} alone goes"
                          " with it")
