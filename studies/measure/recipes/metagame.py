"""What changed cards do to a metagame."""

from __future__ import annotations

from typing import Any

import hsevo
from studies.measure.figures import Figures, cpu, percent, read, signed
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work

PILOTS = ("rl:2026", "eva:2018")


@recipe
def nerf_history(command: str) -> Figures:
    every = [Work(f"{command} --pilots {pilot} --json") for pilot in PILOTS]

    def decks(lab: Lab) -> str:
        archetypes = hsevo.search_decks().set_index("deck")["archetype"]
        found = [{row["deck"]: row for row in lab.json(work)["decks"]} for work in every]
        lines = ["| deck | changed cards | " + " | ".join(f"`{pilot}`" for pilot in PILOTS) + " |",
                 "|---|---|" + "---|" * len(PILOTS)]
        for deck, row in found[0].items():
            changes = [_points(each[deck]) for each in found]
            lines.append(f"| {archetypes[deck]} | {row['copies']} | {' | '.join(changes)} |")
        return "\n".join(lines)

    return {"decks": read(decks, *every)}


def _points(row: dict[str, Any]) -> str:
    return signed({end: 100 * x for end, x in row["change"].items()}, 1)


def _proposal(row: dict[str, Any]) -> str:
    """Return the cells of a proposal's steps, changes and unevenness."""
    points = {end: 100 * x for end, x in row["unevenness"].items()}
    said = f"{points['value']:.1f} ({points['low']:.1f} to {points['high']:.1f})"
    return f"| {row['size']} | {row['changes'] or 'none'} | {said} |"


@recipe
def nerf_evolved(command: str) -> Figures:
    return {"cpu": cpu(Work(f"{command} --json"))}


@recipe
def balance_evolved(command: str) -> Figures:
    it = Work(f"{command} --json")
    plain = Work(f"{command.replace(' --re-evolve', '')} --json")

    def table(lab: Lab) -> str:
        lines = ["| steps | changes | imbalance | best challenger | challenger's win rate |",
                 "|---|---|---|---|---|"]
        for row in lab.json(it)["front"]:
            best = [row["challenger"], percent(row["challenger_rate"], 1)] if (
                row["challenger"]) else ["none", ""]
            lines.append(f"{_proposal(row)} {' | '.join(best)} |")
        return "\n".join(lines)

    return {"table": read(table, it), "cpu": cpu(it), "plain": cpu(plain)}
