"""What a changed card did to a metagame of human decks: two nerfs that were made."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import hsevo
from studies.measure.figures import Figure, Figures, cpu, percent, read, signed
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work

PILOTS = ("rl:2026", "eva:2018")


@recipe
def nerf_history(command: str) -> Figures:
    works = {pilot: Work(f"{command} --pilots {pilot} --json") for pilot in PILOTS}
    every = [*works.values()]

    def decks(lab: Lab) -> str:
        archetypes = hsevo.search_decks().set_index("deck")["archetype"]
        found = [{row["deck"]: row for row in lab.json(work)["decks"]} for work in every]
        lines = ["| deck | changed cards | " + " | ".join(f"`{pilot}`" for pilot in PILOTS) + " |",
                 "|---|---|" + "---|" * len(PILOTS)]
        for deck, row in found[0].items():
            changes = [_points(each[deck]) for each in found]
            lines.append(f"| {archetypes[deck]} | {row['copies']} | {' | '.join(changes)} |")
        return "\n".join(lines)

    def shaman(pilot: str) -> Figure:
        def write(lab: Lab) -> str:
            (row,) = (row for row in lab.json(works[pilot])["classes"] if row["class"] == "Shaman")
            was, is_now = (percent(row[when], 0) for when in ("before", "after"))
            return f"{was} before, {is_now} after: {_points(row, 0)} points"
        return read(write, works[pilot])

    def uneven(lab: Lab) -> str:
        table = lab.json(works["eva:2018"])["decks"]
        before, after = (100 * fmean((row[when]["value"] - 0.5)**2 for row in table)**0.5
                         for when in ("before", "after"))
        return f"{before:.1f} before and {after:.1f} after"

    games = read(lambda lab: f"{lab.json(every[0])['before']['games']:,}", *every)
    return {"decks": read(decks, *every), "learned": shaman(PILOTS[0]), "eva": shaman(PILOTS[1]),
            "uneven": read(uneven, *every), "games": games, "cpu": cpu(every[0])}


def _points(row: dict[str, Any], digits: int = 1) -> str:
    return signed({end: 100 * x for end, x in row["change"].items()}, digits)


def _proposal(row: dict[str, Any]) -> str:
    """Return the cells of a proposal's steps, changes and unevenness."""
    points = {end: 100 * x for end, x in row["unevenness"].items()}
    said = f"{points['value']:.1f} ({points['low']:.1f} to {points['high']:.1f})"
    return f"| {row['size']} | {row['changes'] or 'none'} | {said} |"


@recipe
def balance_history(command: str) -> Figures:
    it = Work(f"{command} --json")

    def table(lab: Lab) -> str:
        lines = ["| steps | changes | uneven | in the search |", "|---|---|---|---|"]
        for row in lab.json(it)["front"]:
            searched = f"{100 * row['searched']:.1f}" if row["changes"] else ""
            lines.append(f"{_proposal(row)} {searched} |")
        return "\n".join(lines)

    return {"front": read(table, it), "cpu": cpu(it)}


@recipe
def nerf_evolved(command: str) -> Figures:
    it = Work(f"{command} --json")

    def table(lab: Lab) -> str:
        found = lab.json(it)
        decks = {row["deck"]: row for row in found["decks"]}
        lines = ["| deck | found | won in the search's last games | in the matrix before | after |"
                 " share before | share after |", "|---|---|---|---|---|---|---|"]
        known = {row["deck"]: row for row in found["evolved"]}
        for name, row in decks.items():
            new = known.get(name)
            own = [new["when"], percent(new["rate"], 1)] if new else ["", ""]
            rates = [percent(row[when], 1) for when in ("before", "after")]
            shares = [percent(row[f"share_{when}"], 0) for when in ("before", "after")]
            lines.append(f"| {' | '.join((name, *own, *rates, *shares))} |")
        return "\n".join(lines)

    return {"table": read(table, it), "cpu": cpu(it)}


@recipe
def balance_evolved(command: str) -> Figures:
    it = Work(f"{command} --json")
    plain = Work(f"{command.replace(' --re-evolve', '')} --json")

    def table(lab: Lab) -> str:
        lines = ["| steps | changes | uneven | best challenger | its rate |",
                 "|---|---|---|---|---|"]
        for row in lab.json(it)["front"]:
            best = [row["challenger"], percent(row["challenger_rate"], 1)] if (
                row["challenger"]) else ["none", ""]
            lines.append(f"{_proposal(row)} {' | '.join(best)} |")
        return "\n".join(lines)

    return {"table": read(table, it), "cpu": cpu(it), "plain": cpu(plain)}
