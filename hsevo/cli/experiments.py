"""hsevo verify, and what the commands that make run folders share: evolve and learn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from hsevo import config, experiments
from hsevo.cli.completion import RUNS, Complete
from hsevo.cli.shared import (
    FOLDER,
    json_option,
    plan_keys,
    plan_options,
    print_json,
    resumable,
    workers_options,
)
from hsevo.cli.tables import say
from hsevo.errors import ConfigError, RunError


@click.command()
@click.argument("path", metavar="RUN", type=FOLDER, shell_complete=RUNS)
@json_option
def verify(path: Path, as_json: bool) -> None:
    """Check a run folder: recompute everything in it.

    Every pairing and seed is derived again, every fitness added up again, and the evolution
    repeated from the stored results: births, ages, survivors, weights and sigmas must match. Of an
    unfinished run, the finished generations are checked. Problems are listed, and the exit code is
    then 2.

    Of a run of hsevo learn, the measurements and all games of checkpoints against each other are
    played again, and the first period is learned again: all must come out equal.

    \b
    hsevo verify runs/cig2018-seed-2018-20180817-120000
    hsevo verify runs/osfp-smoke-seed-1-20180817-120000
    """
    from hsevo.reports.folders import class_of

    run = class_of(path)(path)
    report = run.verify(progress=True)
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
                         help=f"Plan as many {unit} as fit into so many minutes, timing some"
                              f" {first} first."),
            click.option(f"--{unit}", "number", type=int, metavar="N",
                         help=f"With --resume: continue to so many {unit}, those that are done"
                              " included."),
            click.option("--resume", type=FOLDER, metavar="RUN", shell_complete=RUNS,
                         help="Continue a run that was stopped, or prolong one."),
            click.option("--log", "logs", multiple=True,
                         metavar="tensorboard",
                         help="Also write a log for TensorBoard, in RUN/tensorboard."),
            click.option("--set", "settings", multiple=True, metavar="KEY=VALUE",
                         help=f"Change a key of the config, such as {key}; may be repeated."),
            click.option("--out", type=FOLDER, metavar="DIR",
                         help="The new run folder; default: runs/NAME-..."),
            plan_options(plan),
            workers_options,
            click.option("--config", "source", metavar="NAME_OR_PATH", shell_complete=configs,
                         help="A config: a path, or a name (hsevo config list)."),
        ):
            command = option(command)
        return command
    return add


def complete(kind: Any, missing: str, show: Callable[[Any], object], *,
             as_json: bool, trust: bool | None = None, **given: Any) -> None:
    """Make a run folder, or open one; take the steps that are left, and show it.

    kind: its class in the API. missing: said if no config is named. show:
    prints it. trust: of those that take it. given: the other options, of `run_options`.
    Raises ConfigError.
    """
    from hsevo.experiments import loggers

    resume, number, logs = given.pop("resume"), given.pop("number"), given.pop("logs")
    team = {name: given.pop(name) for name in ("workers", "backend")}
    trusted = {} if trust is None else {"trust": trust}
    loggers.load(logs)
    steps, unit = kind.STEPS, kind.unit()
    if resume:
        _refuse_new({"config": given.pop("source"), **given}, unit)
        run = kind(resume)
    elif number is not None:
        raise ConfigError(f"--{unit} goes with --resume RUN, which it prolongs; for a new run, use"
                          f" --set {steps}=N")
    else:
        source, settings, minutes = (given.pop(key) for key in ("source", "settings", "minutes"))
        experiments.check_minutes(minutes, steps, (
            text.partition("=")[0].strip() for text in settings))
        if source is None:
            raise ConfigError(missing)
        out = given.pop("out")
        plan = config.change(config.load(source, settings, kind.PLAN), plan_keys(
            given | team | {"out": str(out) if out else None}))
        run = kind.create(plan, minutes=minutes, progress=True, **trusted)
    with resumable(kind.command(), run.path, logs):
        run.resume(**{unit: number}, log=logs, progress=True, **team, **trusted)
    (print_json if as_json else show)(run)


def _refuse_new(new: dict[str, Any], unit: str) -> None:
    """Raise ConfigError for options that --resume does not go with."""
    options = [f"--{name}" for name, value in new.items() if value is not None and value != ()]
    if options:
        raise ConfigError(f"{options[0].replace('settings', 'set')} can't be combined with"
                          f" --resume, which keeps the settings of the run; --{unit} alone goes"
                          " with it")
