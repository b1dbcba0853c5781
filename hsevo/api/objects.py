"""Contests as plain objects, for JSON; see hsevo.objects."""

from __future__ import annotations

from typing import Any

from hsevo.api.metagame import Metagame
from hsevo.metagame.best_of import Series
from hsevo.objects import RULES, to_object
from hsevo.strength.benchmarks import Benchmark
from hsevo.strength.contest import Arena
from hsevo.strength.matches import Match
from hsevo.strength.rating import Estimate

__all__ = ["to_object"]

@to_object.register
def _(value: Match) -> Any:
    test = None if value.sprt is None else {
        **to_object(value.sprt), "llr": to_object(value.sprt.llr(value.pairs)),
        "accepted": value.verdict}
    return to_object({
        "agents": value.names, "answer": value.test_sentence or value.sentence, "sure": value.sure,
        "plan": _plan(value.lineup.plan), "games": value.played, "wins": value.wins,
        "draws": value.draws, "losses": value.losses, "faults": value.faults, "rate": value.rate,
        "elo": value.elo, "nelo": value.nelo, "pairs": value.pairs, "sprt": test,
        **({"classes": value.classes} if value.lineup.side else {}),
        "deck_pairs": value.deck_pairs})


@to_object.register
def _(value: Arena) -> Any:
    return to_object({
        "path": value.path, "plan": _plan(value.lineup.plan), "games": value.done,
        "ratings": value.ratings, "pairs": value.pairs, "deck_pairs": value.deck_pairs})


@to_object.register
def _(value: Metagame) -> Any:
    rules = [name for name in RULES if name != "decks"]
    plan = value.arena.lineup.plan
    return to_object({
        "path": value.path, "plan": {name: getattr(plan, name) for name in rules},
        "games": value.arena.done, "decks": value.table, "matchups": value.cells})


@to_object.register
def _(value: Series) -> Any:
    plan = value.lineup.plan
    return to_object({
        "path": value.path, "agents": value.names, "answer": str(value),
        "plan": plan.model_dump(exclude={"a", "b", "decks"}), "series": value.played,
        "best_of": value.lineup.best_of, "rate": value.rate, "games": value.game_rate,
        "chance": value.chance, "scores": value.scores, "decks": value.decks})


@to_object.register
def _(value: Benchmark) -> Any:
    own = value.table[value.table["agent"] == value.agent]
    place, best, worst = value.place
    return to_object({
        "agent": value.agent, "panel": value.panel.name, "path": value.path,
        "plan": _plan(value.lineup.plan), "place": Estimate(place, best, worst),
        "rating": value.rating, "rate": value.rate,
        **own[["games", "wins", "draws", "losses", "faults"]].iloc[0].to_dict(),
        "standing": value.table, "decks": value.decks})


def _plan(plan: Any) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in RULES}
