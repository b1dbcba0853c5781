"""What moved: figures before and after, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from studies.measure.figures import ESTIMATE

HEADS = ("figure", "before", "after", "intervals", "difference")
SHORT = 46  # characters of a text in the table
NEWS = ("changed", "BEYOND NOISE")  # differences after which a page may say what is no longer so


@dataclass(frozen=True)
class Line:
    """A figure, or a cell of a table, before and after. chance: how often it exceeds its 95 %."""

    figure: str
    before: str
    after: str
    intervals: str = ""  # overlap, apart
    difference: str = ""  # none, within noise, BEYOND NOISE

    @property
    def moved(self) -> bool:
        """Whether it is another than before."""
        return self.before.strip() != self.after.strip()


def compare(name: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[Line]:
    """Return a line for every figure of a measurement, of tables for every estimate.

    A figure that was not there before did not move.
    """
    return [line for key in after if key in before
            for line in _lines(f"{name}.{key}", before[key], after[key])]


def _lines(figure: str, before: str, after: str) -> Iterator[Line]:
    """Compare a figure: by its estimates if it has as many as before, else line by line."""
    old, new = [*_estimates(before)], [*_estimates(after)]
    if old and len(old) == len(new):
        several = len(old) > 1
        rest = ESTIMATE.sub("", before) != ESTIMATE.sub("", after)
        if rest:
            yield Line(f"{figure} (its text)", "", "other words or order", "", "changed")
        for (label, one), (other, two) in zip(old, new, strict=True):
            where = label if label == other else f"{label} / {other}"
            yield _line(f"{figure} {where}".strip() if several else figure, one, two)
        return
    if before.strip() == after.strip():
        yield Line(figure, before, after, "", "none")
        return
    rows = [*zip_longest(before.splitlines(), after.splitlines(), fillvalue="")]
    for i, (one, two) in enumerate(rows, start=1):
        if one != two:
            where = f" line {i}" if len(rows) > 1 else ""
            yield Line(f"{figure}{where}", one.strip(), two.strip(), "", "changed")


def _estimates(text: str) -> Iterator[tuple[str, str]]:
    """Yield each estimate of a text with the row and the column that it has in a table."""
    heads: list[str] = []
    for line in text.splitlines():
        row = [part.strip() for part in line.strip("| ").split(" | ")] if "|" in line else [line]
        if "|" in line and not heads:
            heads = row
        for i, part in enumerate(row):
            head = heads[i] if i < len(heads) and len(row) > 2 else ""
            label = ", ".join(filter(None, [row[0] if i else "", head]))
            for match in ESTIMATE.finditer(part):
                yield label, match[0]


def _line(figure: str, before: str, after: str) -> Line:
    """Compare two estimates."""
    if before == after:
        return Line(figure, before, after, "same", "none")
    (value, low, high), (new, new_low, new_high) = map(_numbers, (before, after))
    together = low <= new_high and new_low <= high
    noise = (((high - low) / 2)**2 + ((new_high - new_low) / 2)**2)**0.5
    return Line(figure, before, after, "overlap" if together else "apart",
                "within noise" if abs(new - value) <= noise else "BEYOND NOISE")


def _numbers(text: str) -> tuple[float, float, float]:
    match = ESTIMATE.fullmatch(text)
    assert match
    value, low, high = (float(match[i].replace(",", "")) for i in (1, 3, 4))
    return value, low, high


def pairs(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what stood and what stands now, as README may quote it: figures, estimates, lines."""
    for key in after:
        old, new = before[key].rstrip("\n"), after[key].rstrip("\n")
        parts = [([old], [new]), (old.splitlines(), new.splitlines()),
                 ([one for _, one in _estimates(old)], [one for _, one in _estimates(new)])]
        for ours, theirs in parts:
            if len(ours) == len(theirs):
                yield from zip(ours, theirs, strict=True)


def table(lines: list[Line]) -> str:
    """Return what moved as a Markdown table, and how much of it chance explains."""
    moved = [line for line in lines if line.moved]
    rows = [(line.figure, _short(line.before), _short(line.after), line.intervals, line.difference)
            for line in moved]
    text = "".join(f"| {' | '.join(_cell(part) for part in row)} |\n"
                   for row in [HEADS, ["---"] * len(HEADS), *rows]) if moved else ""
    return f"{text}\n{summary(lines)}\n".lstrip()


def summary(lines: list[Line]) -> str:
    """Return in words how many figures moved, and how many by more than noise."""
    estimates = [line for line in lines if line.intervals]
    return (f"{brief(lines)}; {len(estimates):,} have intervals, and if nothing but luck had"
            f" changed, about {len(estimates) / 20:.0f} of these would move beyond noise")


def brief(lines: list[Line]) -> str:
    """Return how many figures moved, in a few words."""
    moved = sum(line.moved for line in lines)
    beyond = sum(line.difference == "BEYOND NOISE" for line in lines)
    return (f"{moved:,} of {len(lines):,} figures moved, {beyond:,} of them beyond noise" if moved
            else f"none of {len(lines):,} figures moved")


def _short(text: str) -> str:
    return text if len(text) <= SHORT else f"{text[:SHORT - 3]}..."


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
