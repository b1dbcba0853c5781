"""The command: choose, do, write, and say what moved."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click
from filelock import FileLock, Timeout

from hsevo.engine.jit import fingerprint
from studies import ROOT
from studies.measure import moved, publishing
from studies.measure.doing import do
from studies.measure.planning import CLASSES, PANEL, Costs, Measurement, cheapest, kind, load
from studies.measure.works import Lab, Work
from tests.docs import figures as docs

FOLDER = ROOT / "runs" / "measured"
WIDTH = 58  # columns of a command
SLOW = 20.0  # CPU seconds after which the pace so far says more than the number of jobs


class Time(click.ParamType):
    """A time as people write it: 90s, 10m, 2h."""

    name = "time"

    def convert(self, value: object, param: object, ctx: object) -> float:
        """Return seconds."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", str(value))
        if not found:
            self.fail(f"{value!r} is no time; write 90s, 10m or 2h")
        return float(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]]


@click.command()
@click.option("--list", "listed", is_flag=True, help="Only list the measurements.")
@click.option("--only", "names", multiple=True, metavar="NAME",
              help="Measure this one, also if it is of today's engine; may be repeated.")
@click.option("--release", is_flag=True,
              help="Measure what figures.yml marks with release, also of today's engine.")
@click.option("--cost", type=click.Choice([*CLASSES]), help="Only what costs no more than that.")
@click.option("--at-most", "most", type=Time(), metavar="10m",
              help="Only as much as can be done in this time, the cheapest first.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, metavar="N",
              help="Commands at a time; default: one per core.")
@click.option("--speed", is_flag=True, help="Measure speeds, and only these, one by one.")
@click.option("--dry-run", is_flag=True, help="Say what would be done.")
@click.option("--folder", type=click.Path(path_type=Path), default=FOLDER,
              help="Where runs and results are kept; default: runs/measured.")
def main(listed: bool, names: Sequence[str], release: bool, cost: str | None, most: float | None,
         jobs: int, speed: bool, dry_run: bool, folder: Path) -> None:
    """Measure the figures of the docs again, and write them where they are quoted.

    \b
    python -m studies.measure --list             cost and engine of each
    python -m studies.measure --release          what is measured for a release
    python -m studies.measure                    all that are of another engine
    python -m studies.measure --at-most 40m      the cheapest of these
    python -m studies.measure --only run-eva --dry-run     what that would take
    python -m studies.measure --speed            speeds, on a quiet machine

    Stopped at any moment, the same command goes on. At the end it prints what moved.
    """
    every = load(docs.read())
    costs, lab = Costs(every), Lab(folder / fingerprint())
    if listed:
        return show(every, costs, lab)
    if release and (names or cost or speed or most is not None):
        raise click.UsageError("--release takes no other choice of measurements")
    chosen = released(every, costs, lab) if release else choose(every, costs, lab, names, cost,
                                                                speed)
    jobs = 1 if speed else jobs
    if most is not None:
        chosen = cheapest(chosen, costs, lab, most * jobs)
    if not chosen:
        return click.echo("nothing to measure: all such figures are of this engine, or cost more")
    if dry_run:
        return plan(chosen, costs, lab, jobs)
    if release:
        click.echo(f"for a release: {duration(chosen, costs, lab, jobs)}")
    lab.prepare()
    try:
        with FileLock(lab.path / "lock", timeout=0):
            failed = measure_all(chosen, lab, jobs)
    except Timeout:
        raise click.UsageError(f"another measuring runs in {lab.path}; wait for it") from None
    report(lab)
    sys.exit(min(failed, 1))


def measure_all(chosen: Sequence[Measurement], lab: Lab, jobs: int) -> int:
    """Measure the panels, then all else, speeds last and one by one.

    Return how many failed, 1 if Ctrl-C stopped it.
    """
    panels = [one for one in chosen if one.name.startswith(PANEL)]
    speeds = [one for one in chosen if one.is_speed]
    rest = [one for one in chosen if one not in panels and not one.is_speed]
    failed = 0
    try:
        for part, at_a_time in ((panels, jobs), (rest, jobs), (speeds, 1)):
            every = load(docs.read())  # again: a panel changes what is measured by it
            fresh = {one.name: one for one in every}
            failed += measure([fresh[one.name] for one in part], Costs(every), lab, at_a_time)
    except KeyboardInterrupt:
        click.echo("stopped; the same command goes on")
        return 1
    return failed


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
    here = lab.all_before()
    chosen = named or [one for one in every if not one.why_not and one.is_speed == speed
                       and (speed or stale(one, lab, one.name in here))]
    if cost:
        chosen = [one for one in chosen if costs.of(one.works) < CLASSES[cost]]
    return sorted(chosen, key=lambda one: costs.left(one.works, lab))


def released(every: Sequence[Measurement], costs: Costs, lab: Lab) -> list[Measurement]:
    """Return what is measured for a release; says what can't be, and why."""
    marked = [one for one in every if one.of_release]
    for one in (one for one in marked if one.why_not):
        click.echo(f"{one.name} is not measured: {one.why_not}")
    return sorted((one for one in marked if not one.why_not),
                  key=lambda one: costs.left(one.works, lab))


def stale(one: Measurement, lab: Lab, measured_here: bool) -> bool:
    """Return whether a measurement is of another engine, or here of another recipe or panel."""
    return (one.entry["engine"] != fingerprint()
            or (measured_here and not all(map(lab.record, one.works))))


def show(every: Sequence[Measurement], costs: Costs, lab: Lab) -> None:
    """List all measurements, and what can't be measured."""
    today = fingerprint()
    click.echo(f"{'measurement':<22}{'costs':>8}  {'version':<9}{'engine':<18}")
    for one in (one for one in every if not one.why_not):
        age = "today's" if one.entry["engine"] == today else one.entry["engine"]
        mark = "  release" * one.of_release
        click.echo(f"{one.name:<22}{took(costs.of(one.works)):>8}  {one.entry['version']:<9}{age}"
                   f"{mark}")
    click.echo("\nnot measured:")
    for one in (one for one in every if one.why_not):
        click.echo(f"{one.name:<22}{one.why_not}")
    for name in CLASSES:
        found = [one for one in every if not one.why_not and not one.is_speed
                 and kind(costs.of(one.works)) == name]
        works = {work for one in found for work in one.works}
        click.echo(f"{name}: {len(found)} measurements, {took(costs.of(works))} of CPU time with"
                   " what they need")
    marked = [one for one in every if one.of_release and not one.why_not]
    click.echo(f"release: {len(marked)} measurements,"
               f" {took(costs.of({work for one in marked for work in one.works}))} of CPU time")
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
    click.echo(duration(chosen, costs, lab, jobs))


def duration(chosen: Sequence[Measurement], costs: Costs, lab: Lab, jobs: int) -> str:
    """Return in words how many measurements these are, and how long they take; speeds one by one.
    """
    speeds = {work for one in chosen if one.is_speed for work in one.works}
    others = {work for one in chosen if not one.is_speed for work in one.works}
    alone, beside = costs.left(speeds - others, lab), costs.left(others, lab)
    return (f"{len(chosen)} measurements, {took(alone + beside)} of CPU time,"
            f" {took(alone + beside / jobs)} with {jobs} at a time")


def measure(chosen: Sequence[Measurement], costs: Costs, lab: Lab, jobs: int) -> int:
    """Do the works of measurements, and write each when it has all. Return how many failed."""
    waiting = {one.name: set(one.works) for one in chosen}
    by_name = {one.name: one for one in chosen}
    for work in (work for one in chosen if one.is_speed for work in one.works):
        if work.verb in ("bench", "tests.support.play_load"):
            lab.forget(work)  # of a speed, no older result will do
    every = {work for one in chosen for work in one.works}
    failed, clock = 0, Clock(every, costs, lab, jobs)
    known = {work for work in every if lab.record(work)}
    for work, error in do([work for one in chosen for work in one.works], lab, jobs):
        if work not in known:
            click.echo(error or f"{clock.line()}: {short(work.shown)}")
        for name in [name for name, works in waiting.items() if work in works]:
            waiting[name].remove(work)
            if error:
                click.echo(f"{name}: not measured")
            if error or not waiting[name]:
                del waiting[name]
                failed += bool(error) or not finish(by_name[name], costs, lab)
    return failed


class Clock:
    """How long a measuring has taken, and how long it takes yet: by its own pace, after a while."""

    def __init__(self, works: set[Work], costs: Costs, lab: Lab, jobs: int) -> None:
        self._left = lambda: costs.left(works, lab)
        self._began, self._first, self._jobs = time.monotonic(), self._left(), jobs

    def line(self) -> str:
        """Return both in words."""
        spent, left = time.monotonic() - self._began, self._left()
        done = self._first - left
        pace = spent / done if done > SLOW else 1 / self._jobs
        return f"{took(spent):>6}, {took(left * pace):>6} left"


def short(command: str) -> str:
    """Return the beginning of a command, that a line of 80 columns can hold."""
    return command if len(command) <= WIDTH else f"{command[:WIDTH - 3]}..."


def finish(one: Measurement, costs: Costs, lab: Lab) -> bool:
    """Derive a measurement's figures and write them; return whether that went well."""
    try:
        found = publishing.derived(one, lab)
        new = publishing.change(one, found, costs.owners[one.name], lab)
        lab.before(one.name, one.entry["figures"])
        said = publishing.publish(one, new)
        also = publishing.after(one.name, lab)
    except Exception as error:  # of one recipe: the others go on
        click.echo(f"{one.name}: its figures can't be read or written: {error!r}")
        return False
    here = moved.compare(one.name, one.entry["figures"], found)
    click.echo(f"{one.name}: {moved.brief(here)}")
    for line in said:
        click.echo(f"    README: {line}")
    for command in also:
        click.echo(f"    also: {command}")
    return True


def report(lab: Lab) -> None:
    """Print what moved since this engine measured its first figure, and write it to a file."""
    now = {one["name"]: one["figures"] for one in docs.read()}
    lines = [line for name, before in lab.all_before().items()
             for line in moved.compare(name, before, now[name])]
    if not lines:
        return
    text = moved.table(lines)
    if pages := publishing.quoting({line.figure.partition(" ")[0] for line in lines
                                    if line.difference in moved.NEWS}):
        text += f"\nRead again, for they quote what changed: {', '.join(pages)}.\n"
    path = lab.path / "moved.md"
    path.write_text(f"# What moved with engine {lab.path.name}\n\n{text}", encoding="utf-8")
    click.echo(f"\n{text}\n{path}")


if __name__ == "__main__":
    main()
