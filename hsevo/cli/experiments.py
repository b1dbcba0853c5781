"""hsevo verify, and what the commands that make run folders share: evolve and learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from hsevo import api, config, experiments
from hsevo.cli.completion import RUNS
from hsevo.cli.shared import FOLDER, json_option, print_json, resumable
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
    run = api.class_of(path)(path)
    report = run.verify(progress=True)
    if as_json:
        print_json(report)
    if report.problems:
        raise RunError(report.text(run.path))
    if not as_json:
        say(report.sentence(run.path))


def experiment_options(unit: str, key: str, first: str) -> Callable[..., Any]:
    """Add the options of a new run, of its steps, and of one that is resumed.

    unit: what steps are called. key: of the config, with a value. first: what is timed.
    """
    def add(command: Callable[..., Any]) -> Callable[..., Any]:
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
        ):
            command = option(command)
        return command
    return add


def complete(kind: Any, resume: Path | None, number: int | None, logs: Sequence[str],
             new: dict[str, Any], create: Callable[[], Any], show: Callable[[Any], object] | None,
             **how: Any) -> None:
    """Make a run folder, or open one; take the steps that are left, and show it.

    kind: its class in the API. number: of steps to continue to. new: the options of a new run.
    show: prints it; None: as JSON. how: further arguments of `resume`. Raises ConfigError.
    """
    from hsevo.experiments import loggers

    loggers.load(logs)
    steps, unit = kind.KIND.STEPS, kind.KIND.unit()
    if resume:
        _refuse_new(new, unit)
    elif number is not None:
        raise ConfigError(f"--{unit} goes with --resume RUN, which it prolongs; for a new run, use"
                          f" --set {steps}=N")
    else:
        experiments.check_minutes(new["minutes"], steps, (
            text.partition("=")[0].strip() for text in new["settings"]))
    run = kind(resume) if resume else create()
    with resumable(kind.KIND.command(), run.path, logs):
        run.resume(**{unit: number}, log=logs, progress=True, **how)
    (show or print_json)(run)


def plan_of(kind: Any, source: str | None, hint: str, settings: Sequence[str],
            changes: dict[str, Any]) -> Any:
    """Return the plan of a new run. Raises ConfigError.

    kind: its class in the API. hint: which configs there are. changes: values by their keys; None
    is not given.
    """
    if source is None:
        raise ConfigError(hint)
    return config.change(config.load(source, settings, kind.KIND.FOLDER.PLAN), changes)


def _refuse_new(new: dict[str, Any], unit: str) -> None:
    """Raise ConfigError for options that --resume does not go with."""
    options = [f"--{name}" for name, value in new.items() if value is not None and value != ()]
    if options:
        raise ConfigError(f"{options[0].replace('settings', 'set')} can't be combined with"
                          f" --resume, which keeps the settings of the run; --{unit} alone goes"
                          " with it")
