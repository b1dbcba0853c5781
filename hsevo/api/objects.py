"""Results as plain objects, for JSON: what the commands print with --json.

The same things have the same shape everywhere:

    an estimate    {"value": 0.573, "low": 0.558, "high": 0.588}, with its 95 % interval
    a rate         points per game, 0 to 1; a draw is half a point (of `study`,
                   the population of a run and what a learner met: wins per game)
    a table        a list of objects, one per row, with the columns of the CSV file; name, name_low
                   and name_high are one estimate
    null           no number: infinite, or not defined
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import singledispatch
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd

from hsevo.analysis.examine import Examination
from hsevo.analysis.profile import shares
from hsevo.api.analysing import Analysis, Mistakes
from hsevo.api.analysis import StudyResult
from hsevo.api.balancing import Balance
from hsevo.api.best_lines import BestLines
from hsevo.api.best_of import SeriesResult
from hsevo.api.changed_cards import Nerf
from hsevo.api.coevolution import Coevolution
from hsevo.api.deck_building import DeckBuilding
from hsevo.api.deck_evolution import DeckEvolution
from hsevo.api.deck_tuning import CardValues, Improved
from hsevo.api.decks import Deck
from hsevo.api.entries import CheckedEntry
from hsevo.api.experiment import RunFolder
from hsevo.api.exploitability import Exploit
from hsevo.api.frontiers import Frontier
from hsevo.api.ladders import LadderResult
from hsevo.api.learned import Learned
from hsevo.api.metagame import Metagame
from hsevo.api.results import ArenaResult, BenchmarkResult, MatchResult
from hsevo.api.run import Champion, Run
from hsevo.cards import tables
from hsevo.cards.decks import SIZE
from hsevo.coevolution.experiment import CoevolutionState
from hsevo.config import Section
from hsevo.deckbuilding.experiment import DeckState
from hsevo.evolution.state import EvolutionState
from hsevo.experiments.watching import State
from hsevo.learning.state import LearningState
from hsevo.reports.report import PageReport
from hsevo.store.checked import Checked
from hsevo.strength.champions import last_population
from hsevo.strength.rating import Estimate, Sprt

RULES = ("decks", "games", "seed", "ruleset", "information", "max_turns")


@singledispatch
def to_object(value: Any) -> Any:
    """Return a result, a table, an estimate or a plain value as JSON has it."""
    if isinstance(value, np.generic):
        return to_object(value.item())
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or isinstance(value, int | str) else str(value)


@to_object.register
def _(value: Mapping) -> Any:  # type: ignore[type-arg]
    return {str(key): to_object(one) for key, one in value.items()}


@to_object.register(list)
@to_object.register(tuple)
@to_object.register(np.ndarray)
def _(value: Sequence[Any]) -> list[Any]:
    return [to_object(one) for one in value]


@to_object.register
def _(value: Estimate) -> Any:
    return {name: to_object(number) for name, number in asdict(value).items()}


@to_object.register
def _(value: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a row's estimates in one, be they rate_low or, of the table's own figure, low."""
    ends = {name: (f"{name}_low", f"{name}_high") for name in value if f"{name}_low" in value}
    if "low" in value:
        ends["rating" if "rating" in value else "rate"] = ("low", "high")
    inside = {end for pair in ends.values() for end in pair}
    rows = []
    for row in value.to_dict("records"):
        estimates = {name: Estimate(row[name], row[low], row[high])
                     for name, (low, high) in ends.items()}
        rows.append({str(name): to_object(estimates.get(str(name), one))
                     for name, one in row.items() if name not in inside})
    return rows


@to_object.register
def _(value: Sprt) -> Any:
    return {**asdict(value), "bounds": list(value.bounds)}


@to_object.register
def _(value: MatchResult) -> Any:
    test = None if value.sprt is None else {
        **to_object(value.sprt), "llr": to_object(value.sprt.llr(value.pairs)),
        "accepted": value.verdict}
    return to_object({
        "agents": value.names, "answer": value.test_sentence or value.sentence, "sure": value.sure,
        "plan": _plan(value.record.lineup.plan), "games": value.played, "wins": value.wins,
        "draws": value.draws, "losses": value.losses, "faults": value.faults, "rate": value.rate,
        "elo": value.elo, "nelo": value.nelo, "pairs": value.pairs, "sprt": test,
        **({"classes": value.classes} if value.record.lineup.side else {}),
        "deck_pairs": value.deck_pairs})


@to_object.register
def _(value: Analysis) -> Any:
    return to_object({
        "title": value.title, "players": value.names, "agent": value.agent,
        "played_on_by": value.players, "games": value.games, "seed": value.seed,
        "loss": value.lost, "turns": value.turns, "decisions": value.decisions})


@to_object.register
def _(value: BestLines) -> Any:
    return to_object({
        "position": value.position.data, "agent": value.agent, "played_on_by": value.players,
        "games": value.games, "seed": value.seed, "chance": value.chance,
        "lethal": {"answer": value.lethal, "least": value.lethal_least, "most": value.lethal_most,
                   "line": value.lethal_line}, "lines": value.lines})


@to_object.register
def _(value: Mistakes) -> Any:
    return to_object({
        "games": len(value.analyses), "loss": value.lost, "missed_lethals": value.missed,
        "sentences": value.sentences, "kinds": value.kinds, "habits": value.habits,
        "decisions": value.decisions})


@to_object.register
def _(value: Exploit) -> Any:
    return to_object({
        "agent": value.agent, "path": value.path, "answer": value.sentence, "bound": value.bound,
        "learned_from": value.games, "response": value.learned, "match": value.match})


@to_object.register
def _(value: ArenaResult) -> Any:
    return to_object({
        "path": value.path, "plan": _plan(value.record.lineup.plan), "games": value.record.done,
        "ratings": value.ratings, "pairs": value.pairs, "deck_pairs": value.deck_pairs})


@to_object.register
def _(value: Metagame) -> Any:
    rules = [name for name in RULES if name != "decks"]
    plan = value.arena.record.lineup.plan
    return to_object({
        "path": value.path, "plan": {name: getattr(plan, name) for name in rules},
        "games": value.arena.record.done, "decks": value.table, "matchups": value.cells})


@to_object.register
def _(value: SeriesResult) -> Any:
    plan = value.record.lineups.plan
    return to_object({
        "path": value.path, "agents": value.names, "answer": str(value),
        "plan": plan.model_dump(exclude={"a", "b", "decks"}), "series": value.played,
        "best_of": value.record.lineups.best_of, "rate": value.rate, "games": value.game_rate,
        "chance": value.chance, "scores": value.scores, "decks": value.decks})


@to_object.register
def _(value: Nerf) -> Any:
    return to_object({"path": value.path, "ruleset": value.ruleset,
                      "before": value.before, "after": value.after, "decks": value.table,
                      "classes": value.classes, "matchups": value.matchups,
                      "evolved": value.evolved})


@to_object.register
def _(value: Balance) -> Any:
    return to_object({"rulesets": value.rulesets, "front": value.front, "before": value.before,
                      "after": value.after})


@to_object.register
def _(value: Improved) -> Any:
    return to_object({"before": value.before, "deck": value.deck, "answer": value.sentence,
                      "swaps": value.swaps, "comparison": {
                          "games": 2 * value.comparison.pairs, "before": value.comparison.before,
                          "after": value.comparison.after, "gain": value.comparison.gain,
                          "chance": value.comparison.chance}})


@to_object.register
def _(value: DeckBuilding) -> Any:
    return to_object({"run": value.run, "path": value.path, "number": value.number,
                      "seed": value.seed, "building": value.building, "cards": value.cards,
                      "decks": value.decks, "worth": value.worth})


@to_object.register
def _(value: CardValues) -> Any:
    return to_object({"deck": value.deck, "rate": value.rate, "cards": value.table})


@to_object.register
def _(value: BenchmarkResult) -> Any:
    own = value.table[value.table["agent"] == value.agent]
    place, best, worst = value.place
    return to_object({
        "agent": value.agent, "panel": value.panel.name, "path": value.path,
        "plan": _plan(value.record.lineup.plan), "place": Estimate(place, best, worst),
        "rating": value.rating, "rate": value.rate,
        **own[["games", "wins", "draws", "losses", "faults"]].iloc[0].to_dict(),
        "standing": value.table, "decks": value.decks})


@to_object.register
def _(value: CheckedEntry) -> Any:
    wins, draws, losses = value.result
    return to_object({"agent": value.agent, "panel": value.panel, "games": value.total,
                      "wins": wins, "draws": draws, "losses": losses, "rating": value.rating,
                      "checked": value.games, "seed": value.seed,
                      "most_forged": value.most_forged, "unranked": value.unranked})


@to_object.register
def _(value: Frontier) -> Any:
    return to_object({"panel": value.panel, "path": value.path, "seconds": value.seconds,
                      "agents": value.table, "budgets": value.budgets})


@to_object.register
def _(value: Examination) -> Any:
    style = [{"figure": one.says, "unit": one.unit, "agent": one.own, "opponents": one.others}
             for one in shares(value.turns, value.games, value.agent)]
    return to_object({"agent": value.agent, "plan": _plan(value.plan),
                      "landscape": value.landscape, "style": style})


@to_object.register
def _(value: StudyResult) -> Any:
    return to_object({"path": value.path, "plan": value.plan.model_dump(),
                      "x": value.plan.axis, "players": value.plan.players, "curve": value.table})


@to_object.register
def _(value: LadderResult) -> Any:
    return to_object({"path": value.path, "plan": value.ladder.model_dump(),
                      "matrix": value.matrix, "steps": value.steps, "others": value.others,
                      "matches": value.pairs})


@to_object.register
def _(value: Checked) -> Any:
    return {"ok": not value.problems, **asdict(value)}


@to_object.register
def _(value: State) -> Any:  # type: ignore[type-arg]
    return to_object({
        **_run(value, value.plan), "games": value.played, "games_left": value.left,
        "games_per_second": value.pace.speed if value.pace else None,
        "seconds_left": value.seconds_left})


@to_object.register
def _(value: EvolutionState) -> Any:
    execution, generation = value.at or (None, None)
    best = dict(zip(value.genome.names, value.weights[0], strict=True)) if value.at else None
    return to_object.dispatch(State)(value) | to_object({
        "execution": execution, "generation": generation, "best": best,
        "statistics": value.statistics, "references": value.references})


@to_object.register
def _(value: Champion) -> Any:
    return to_object({
        "agent": value.best.name, "spec": value.spec, "weights": dict(value.weights),
        "rate": value.rate, "against": value.against, "favourites": value.favourites,
        "run_rate": value.run_rate, "fresh_rate": value.fresh_rate,
        "run_against": value.run_against, "optimism": value.best.optimism, "z": value.z,
        "separable": value.separable, "ranking": value.ranking})


@to_object.register
def _(value: RunFolder) -> Any:
    return to_object(_run(value, value.folder.plan))


@to_object.register
def _(value: Run) -> Any:
    names, rows = last_population(value.folder)
    best = int(rows["fitness"].argmax())
    weights = dict(zip(value.folder.genome.names, rows["weights"][best], strict=True))
    return to_object({
        **_run(value, value.config),
        "best": {"agent": names[best], "spec": value.best.spec, "fitness": rows["fitness"][best],
                 "estimated": bool(value.config.rating.racing), "weights": weights},
        "statistics": value.statistics, "references": value.references})


@to_object.register
def _(value: Learned) -> Any:
    return to_object({
        **_run(value, value.plan),
        "checkpoints": value.checkpoints, "learning": value.learning,
        "references": value.references})


@to_object.register
def _(value: DeckEvolution) -> Any:
    best = value.best if value.done else None
    return to_object({
        **_run(value, value.plan), "best": best, "rate": value.rate if best else None,
        "generations": value.generations, "archive": value.archive})


@to_object.register
def _(value: DeckState) -> Any:
    return to_object(DeckEvolution(value.path))


@to_object.register
def _(value: Coevolution) -> Any:
    done = value.done
    return to_object({
        **_run(value, value.plan), "deck": value.deck if done else None,
        "agent": value.agent.spec if done else None, "rate": value.rate if done else None,
        "confirmed": value.confirmed, "reference": value.reference, "hall": value.hall,
        "generations": value.generations})


@to_object.register
def _(value: CoevolutionState) -> Any:
    return to_object(Coevolution(value.path))


@to_object.register
def _(value: LearningState) -> Any:
    return to_object(Learned(value.path))


@to_object.register
def _(value: PageReport) -> Any:
    return to_object({"page": value.page, "files": value.files})


@to_object.register
def _(value: Deck) -> Any:
    cards = [{"name": tables.every_card()[id].name, "id": id, "cost": tables.every_card()[id].cost,
              "copies": value.ids.count(id)} for id in dict.fromkeys(value.ids)]
    return to_object({
        "deck": value.name, "class": value.hero, "size": len(value), "cards": cards,
        "curve": dict(value.curve), "standard": value.legal,
        "code": value.code if len(value) == SIZE else None})


def _plan(plan: Any) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in RULES}


def _run(value: RunFolder | State[Any], plan: Section) -> dict[str, Any]:
    """Return what all folders of runs, and their states, have."""
    dumped = plan.model_dump(mode="json", by_alias=True)
    return {"path": value.path, "config": dumped, "done": value.done}
