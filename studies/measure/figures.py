"""Figures that are read from works, and how they are written in docs/figures.yml."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
from scipy.stats import t

from studies.measure.works import Lab, Work

# A value with its interval, as the docs write it: 50.57 % (50.03 to 51.11), +9 Elo (+4 to +14).
NUMBER = r"[+-]?\d[\d,]*(?:\.\d+)?"
ESTIMATE = re.compile(rf"(?<![\w.,])(?<!of )({NUMBER})( %| Elo)? \(({NUMBER}) to ({NUMBER})\)")
WORDS = ("", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
         "twelve")


@dataclass(frozen=True)
class Figure:
    """A figure: the works that it is read from, and `write(lab, old)`, its text.

    old: the text that stands in figures.yml, for figures that fill in the numbers of a table.
    """

    works: tuple[Work, ...]
    write: Callable[[Lab, str], str]


Figures = dict[str, Figure]


def read(write: Callable[[Lab], str], *works: Work) -> Figure:
    """Return a figure that `write` reads from works."""
    return Figure(works, lambda lab, old: write(lab))


def cells(*figures: Figure, slot: re.Pattern[str] = ESTIMATE) -> Figure:
    """Return a table in which these figures stand in the place of its estimates, in order.

    Raises ValueError if the table has more or fewer of them.
    """
    def write(lab: Lab, old: str) -> str:
        found = slot.findall(old)
        if len(found) != len(figures):
            raise ValueError(f"the table has {len(found)} numbers, the recipe {len(figures)}")
        texts = iter([figure.write(lab, "") for figure in figures])
        return slot.sub(lambda _: next(texts), old)

    return Figure(tuple(work for figure in figures for work in figure.works), write)


def percent(one: Mapping[str, float], digits: int = 2) -> str:
    """Return a rate with its interval: "50.57 % (50.03 to 51.11)"."""
    value, low, high = (f"{100 * one[end]:.{digits}f}" for end in ("value", "low", "high"))
    return f"{value} % ({low} to {high})"


def signed(one: Mapping[str, float], digits: int = 0, unit: str = "") -> str:
    """Return a difference with its interval: "+144 Elo (+138 to +149)"."""
    value, low, high = (f"{one[end]:+.{digits}f}" for end in ("value", "low", "high"))
    return f"{value}{unit} ({low} to {high})"


def estimate(row: Mapping[str, Any], name: str, ends: str | None = None) -> dict[str, float]:
    """Return the estimate of a row of a CSV table: columns name, name_low and name_high."""
    ends = f"{name}_" if ends is None else ends
    return {"value": float(row[name]), "low": float(row[f"{ends}low"]),
            "high": float(row[f"{ends}high"])}


def mean(values: Any) -> dict[str, float]:
    """Return the mean of several seeds with Student's 95 % interval."""
    found = np.asarray(values, float)
    half = t.ppf(0.975, len(found) - 1) * found.std(ddof=1) / len(found)**0.5
    return {"value": found.mean(), "low": found.mean() - half, "high": found.mean() + half}


def spread(values: Any, digits: int, unit: str = "") -> str:
    """Return the least and the most: "49 to 51 %"; "49 %" if both read the same."""
    low, high = (f"{end:.{digits}f}" for end in (min(values), max(values)))
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"


def duration(seconds: float) -> str:
    """Return a time in words: "24 seconds", "two and a half minutes", "18 minutes"."""
    if seconds < 55:
        return f"{seconds:.0f} seconds"
    halves = round(seconds / 30)
    if halves % 2 and halves < 11:
        if halves == 1:
            return "half a minute"
        return (f"{WORDS[halves // 2]} and a half minutes" if halves > 3 else "a minute and a half")
    minutes = round(seconds / 60)
    said = WORDS[minutes] if minutes < len(WORDS) else f"{minutes}"
    return f"{said} minute{'s' * (minutes > 1)}"


# What a match with --json says


def match(a: str, b: str, options: str, *needs: Work) -> Work:
    """Return the match of two agents; {0} in their names is the folder of the first need."""
    return Work(f"hsevo match '{a}' '{b}' {options} --json", needs)


def rate(work: Work, digits: int = 2) -> Figure:
    """Return the rate of a match (or the best of an export-best) with its interval."""
    return read(lambda lab: percent(lab.json(work)["rate"], digits), work)


def games(work: Work) -> Figure:
    """Return how many games a match, an arena or a tournament had."""
    return read(lambda lab: f"{lab.json(work)['games']:,}", work)


def half(work: Work) -> Figure:
    """Return half the width of a match's interval, in points."""
    def write(lab: Lab) -> str:
        found = lab.json(work)["rate"]
        return f"{50 * (found['high'] - found['low']):.2f}"
    return read(write, work)


def cpu(work: Work) -> Figure:
    """Return in words what a work cost."""
    return read(lambda lab: duration(lab.cpu(work)), work)


def mean_cpu(works: Sequence[Work], ends: str = "") -> Figure:
    """Return in words what works cost, their mean."""
    return read(lambda lab: duration(fmean(map(lab.cpu, works))) + ends, *works)


def constant(text: str, *works: Work) -> Figure:
    """Return a figure that the commands themselves give."""
    return read(lambda lab: text, *works)
