"""Measure the figures of the docs again.

    python -m tests.measure --list                     what there is, what it costs, how old it is
    python -m tests.measure                            all that is not of today's engine
    python -m tests.measure --at-most 40m              the cheapest of it
    python -m tests.measure --only run-eva --dry-run   what that would take
    python -m tests.measure --speed                    speeds, on a quiet machine
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from hsevo.engine.jit import fingerprint
from tests.docs import figures as docs
from tests.measure import moved, publishing
from tests.measure.doing import do
from tests.measure.planning import CLASSES, PANEL, Costs, Measurement, cheapest, kind, load
from tests.measure.works import Lab, Work
from tests.support import ROOT

FOLDER = ROOT / "runs" / "measured"
WIDTH = 58  # columns of a command


class Time(click.ParamType):
    """A time as people write it: 90s, 10m, 2h."""

    name = "time"

    def convert(self, value: object, param: object, ctx: object) -> float:
        """Return seconds."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", str(value))
        if not found:
            self.fail(f"{value!r} is no time; write 90s, 10m or 2h")
        return float(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]]


@click.command(help=__doc__)
@click.option("--list", "listed", is_flag=True, help="Only list the measurements.")
@click.option("--only", "names", multiple=True, metavar="NAME",
              help="Measure this one, also if it is of today's engine; may be repeated.")
@click.option("--cost", type=click.Choice([*CLASSES]), help="Only what costs no more than that.")
@click.option("--at-most", "most", type=Time(), metavar="10m",
              help="Only as much as can be done in this time, the cheapest first.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, metavar="N",
              help="Commands at a time; default: one per core.")
@click.option("--speed", is_flag=True, help="Measure speeds, and only these, one by one.")
@click.option("--dry-run", is_flag=True, help="Say what would be done.")
@click.option("--folder", type=click.Path(path_type=Path), default=FOLDER,
              help="Where runs and results are kept; default: runs/measured.")
def main(listed: bool, names: Sequence[str], cost: str | None, most: float | None, jobs: int,
         speed: bool, dry_run: bool, folder: Path) -> None:
    every = load(docs.read())
    costs, lab = Costs(every), Lab(folder / fingerprint())
    if listed:
        return show(every, costs, lab)
    chosen = choose(every, costs, lab, names, cost, speed)
    jobs = 1 if speed else jobs
    if most is not None:
        chosen = cheapest(chosen, costs, lab, most * jobs)
    if dry_run:
        return plan(chosen, costs, lab, jobs)
    lab.prepare()
    lines: list[moved.Line] = []
    failed = 0
    panels = [one for one in chosen if one.name.startswith(PANEL)]
    for part in (panels, [one for one in chosen if one not in panels]):
        fresh = {one.name: one for one in load(docs.read())}  # a panel changes what needs it
        failed += measure([fresh[one.name] for one in part], costs, lab, jobs, lines)
    if lines:
        report(lines, folder)
    sys.exit(min(failed, 1))


def choose(every: Sequence[Measurement], costs: Costs, lab: Lab, names: Sequence[str],
           cost: str | None, speed: bool) -> list[Measurement]:
    """Return what is to be measured; says of what was named and can't be why. Raises UsageError."""
    known = {one.name: one for one in every}
    for name in names:
        if name not in known:
            raise click.UsageError(f"there is no measurement {name!r}; --list names all")
        if known[name].why_not:
            raise click.UsageError(f"{name} is not measured: {known[name].why_not}")
    named = [known[name] for name in dict.fromkeys(names)]
    if any(one.is_speed for one in named) and not speed:
        raise click.UsageError("speeds are measured with --speed, on a machine that does nothing"
                               " else")
    today = fingerprint()
    chosen = named or [one for one in every if not one.why_not and one.is_speed == speed
                       and (speed or one.entry["engine"] != today)]
    if cost:
        chosen = [one for one in chosen if costs.of(one.works) < CLASSES[cost]]
    return sorted(chosen, key=lambda one: costs.left(one.works, lab))


def show(every: Sequence[Measurement], costs: Costs, lab: Lab) -> None:
    """List all measurements, and what can't be measured."""
    today = fingerprint()
    click.echo(f"{'measurement':<22}{'costs':>8}  {'version':<9}{'engine':<18}")
    for one in (one for one in every if not one.why_not):
        age = "today's" if one.entry["engine"] == today else one.entry["engine"]
        click.echo(f"{one.name:<22}{took(costs.of(one.works)):>8}  {one.entry['version']:<9}{age}")
    click.echo("\nnot measured:")
    for one in (one for one in every if one.why_not):
        click.echo(f"{one.name:<22}{one.why_not}")
    for name in CLASSES:
        found = [one for one in every if not one.why_not and not one.is_speed
                 and kind(costs.of(one.works)) == name]
        works = {work for one in found for work in one.works}
        click.echo(f"{name}: {len(found)} measurements, {took(costs.of(works))} of CPU time with"
                   " what they need")
    ours = {work for one in every if not one.why_not and not one.is_speed for work in one.works}
    click.echo(f"all but speeds: {took(costs.of(ours))} of CPU time, {took(costs.left(ours, lab))}"
               " of it not yet done by this engine")


def took(seconds: float) -> str:
    """Return a time for a table: 40 s, 12 min, 1.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def plan(chosen: Sequence[Measurement], costs: Costs, lab: Lab, jobs: int) -> None:
    """Print what would be done, and how long it takes."""
    paid: set[Work] = set()
    for one in chosen:
        new = [work for work in one.works if work not in paid]
        paid |= set(new)
        click.echo(f"{one.name}: {took(costs.left(new, lab))}")
        for work in new:
            done = "done: " if lab.record(work) else ""
            click.echo(f"    {done}{work.shown}")
    left = costs.left(paid, lab)
    click.echo(f"{len(chosen)} measurements, {took(left)} of CPU time, {took(left / jobs)} with"
               f" {jobs} at a time")


def measure(chosen: Sequence[Measurement], costs: Costs, lab: Lab, jobs: int,
            lines: list[moved.Line]) -> int:
    """Measure, write and say what moved; add it to `lines`. Return how many failed."""
    waiting = {one.name: set(one.works) for one in chosen}
    every = {work for one in chosen for work in one.works}
    for one in chosen:
        for work in one.works if one.is_speed else ():
            if work.verb == "bench":
                lab.forget(work)
    failed, began = 0, time.monotonic()
    for work, error in do([work for one in chosen for work in one.works], lab, jobs):
        left = costs.left(every, lab) / jobs
        click.echo(error or f"{took(time.monotonic() - began):>6}, {took(left):>6} left:"
                   f" {short(work.shown)}")
        for one in chosen:
            if one.name not in waiting:
                continue
            waiting[one.name] -= set() if error else {work}
            if error and work in one.works:
                click.echo(f"{one.name}: not measured")
                failed += 1
                del waiting[one.name]
            elif not waiting[one.name]:
                del waiting[one.name]
                failed += not finish(one, costs, lab, lines)
    return failed


def short(command: str) -> str:
    """Return the beginning of a command, that a line of 80 columns can hold."""
    return command if len(command) <= WIDTH else f"{command[:WIDTH - 3]}..."


def finish(one: Measurement, costs: Costs, lab: Lab, lines: list[moved.Line]) -> bool:
    """Derive a measurement's figures and write them; return whether that went well."""
    try:
        found = publishing.derived(one, lab)
        new = publishing.change(one, found, costs.owners[one.name], lab)
        said = publishing.publish(one, new)
        also = publishing.after(one.name, lab)
    except Exception as error:  # of one recipe: the others go on
        click.echo(f"{one.name}: its figures can't be read: {error!r}")
        return False
    here = moved.compare(one.name, one.entry["figures"], found)
    lines += here
    click.echo(f"{one.name}: {moved.brief(here)}")
    for line in said:
        click.echo(f"    README: {line}")
    for command in also:
        click.echo(f"    also: {command}")
    return True


def report(lines: list[moved.Line], folder: Path) -> None:
    """Print what moved, and write it to a file."""
    text = moved.table(lines)
    path = folder / fingerprint() / "moved.md"
    path.write_text(f"# What moved, engine {fingerprint()}\n\n{text}", encoding="utf-8")
    click.echo(f"\n{text}\n{path}")


if __name__ == "__main__":
    main()
