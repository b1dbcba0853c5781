"""The top of a report: the best agent, how strong it is, what was played, what to do next.

    of_runs(), of_arena(), of_examined() --> Answer --page.html.j2--> the top of the page

    RUN/champion.json, RUN/examined --of_run()--> Leading --of_runs()--> Answer

The champion of a run (`Leading`) is the best after new games, if these were played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

import numpy as np
import pandas as pd

from hsevo.analysis.examine import Examination
from hsevo.analysis.landscape import ITSELF
from hsevo.errors import names_or_count, resuming
from hsevo.experiments.progress import duration
from hsevo.experiments.watching import spent
from hsevo.play.specs import short_names
from hsevo.play.tournament import wilson
from hsevo.reports import arenas, rated
from hsevo.reports.arenas import StoredArena, evolved
from hsevo.reports.exhibit import Answer, interval
from hsevo.reports.tables import KEY, Evolutions
from hsevo.runs.folder import ARCHIVE, RunFolder
from hsevo.strength import champion_file
from hsevo.strength.champion_file import Measured
from hsevo.strength.champions import last_population, name_of, spec_of


@dataclass(frozen=True)
class Leading:
    """The champion of a run. rate: in words, with interval and games; against: its opponents."""

    name: str
    spec: str
    rate: str
    against: str
    chosen: str  # how, in words


def of_run(run: RunFolder, examined: Iterable[Examination] = ()) -> Leading | None:
    """Return the champion of a run, or the best of its map; None if neither played again.

    examined: examinations, of which one may be of the run's best: hsevo examine plays the last
    population again, too, and until 0.4 stored nothing else of it. Raises RunError.
    """
    if (champion := champion_file.read(run)) is not None:
        return _measured_lead(run, champion)
    if len(elites := run.table(ARCHIVE)):
        return _of_map(run, elites)
    names = last_population(run)[0] if run.start else []
    for examination in examined:
        name = examination.agent.rpartition("#")[2]
        if name in names and is_of(run, examination.agent):
            return _examined(run, name, examination)
    return None


def is_of(run: RunFolder, agent: str) -> bool:
    """Return whether an agent's spec names an individual of a run."""
    return bool(evolved([agent], {"": Path(run.path)}))


def _measured_lead(run: RunFolder, measured: Measured) -> Leading:
    best = measured.best
    row, n = best.table.iloc[0], len(best.table)
    said = ["after the last generation, the whole last population played new games with new"
            f" shuffles, and this agent won the most of its {n} individuals."]
    if n > 1:
        said.append(f"It is {best.z:.1f} standard errors ahead of {best.table['agent'][1]}, "
                    + ("more than chance explains (1.96)." if best.separable else
                       "which may be chance (below 1.96)."))
        said.append("It was selected by these games, so its rate is biased slightly upwards.")
    rate = _leading_rate(float(row["rate"]), float(row["low"]), float(row["high"]), measured.total)
    return Leading(best.name, spec_of(run, best.name), rate, f"{best.against} (draws are not won)",
                   " ".join(said))


def _of_map(run: RunFolder, elites: pd.DataFrame) -> Leading:
    """Return the elite that won most when all elites played again; its rate is of later games."""
    chosen = elites[elites["last_games"] > 0]
    row = chosen.iloc[int(chosen["confirmed_rate"].argmax())]
    name = name_of(run, int(row["execution"]), int(row["individual"]))
    rate, low, high = (float(row[f"last_{end}"]) for end in ("rate", "rate_low", "rate_high"))
    said = _leading_rate(rate, low, high, int(row["last_games"]))
    return Leading(name, spec_of(run, name), said, _some(run.opponents.names), (
        f"all {len(elites)} elites of the map played new games with new shuffles, and this one won"
        " the most. Its rate is from further games, which were not used for selection."))


def _examined(run: RunFolder, name: str, examined: Examination) -> Leading:
    row = examined.landscape[examined.landscape["weight"] == ITSELF].iloc[0]
    return Leading(name, spec_of(run, name), _leading_rate(
        row["rate"], row["rate_low"], row["rate_high"], int(row["games"])),
        _some(examined.plan.against),
        "it was selected for examination by new games of the last population; its rate is from the"
        " examination.")


def _some(names: Sequence[str]) -> str:
    return short_names(names)[names[0]] if len(names) == 1 else f"its {len(names)} opponents"


def _leading_rate(rate: float, low: float, high: float, games: int) -> str:
    if rate != rate:
        return "no games"
    return f"{100 * rate:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of {games:,} games"


HALF = "Rates count a draw as half a win, with 95 % intervals."
BIASED = ("It was selected by this rate among {} executions, so the rate is biased upwards;"
          " re-estimate it with hsevo benchmark.")


def of_runs(data: Evolutions, fields: Sequence[StoredArena],
            examined: Sequence[Examination] = (),
            rematched: pd.DataFrame | None = None) -> list[Answer]:
    """Return an answer for each series. fields, examined: what else is in the report.

    rematched: the rates of each execution's best in new games (comparison.keyed), if it played any.
    """
    return [_of_series(data, name, fields, examined,
                       None if rematched is None else rematched[rematched["series"] == name])
            for name in data.names]


def of_arena(played: StoredArena) -> Answer:
    """Return the answer of an arena or a benchmark."""
    name = played.benchmarked or played.names[0]
    row = played.table[played.table["agent"] == name].to_dict("records")[0]
    rating = interval((row["rating"], row["low"], row["high"]), sign=True, digits=0)
    if played.benchmarked:
        place, best, worst = played.place
        says = [f"Place {place} of {len(played.names)} (95 %: {best} to {worst}) among the"
                " benchmark opponents."]
    else:
        says = [_lead(played)]
    plan = played.plan
    return Answer(name, [*says, f"Rating {rating} Elo.", HALF],
                  [("its opponents", _rate(row["rate"], row["rate_low"], row["rate_high"],
                                           int(row["games"])))],
                  {"agents": str(len(played.names)),
                   "decks": names_or_count(played.deck_pairs["deck"]),
                   "games": f"{played.deck_pairs['games'].sum() // 2:,}", "seed": str(plan.seed),
                   "rules": _rules(plan.ruleset, plan.information, plan.max_turns)},
                  [(f"hsevo replay {_shell(played.path)}", "watch one of its games")],
                  "Measured agent" if played.benchmarked else "Best agent",
                  short_names(played.names)[name])


def of_examined(examinations: Sequence[Examination]) -> Answer:
    """Return the answer of examined agents alone."""
    first = examinations[0]
    itself = first.landscape[first.landscape["weight"] == ITSELF].iloc[0]
    plan, worth = first.plan, "how much each weight contributes and " if first.weights else ""
    whom = [*short_names(plan.against).values()]
    return Answer(
        first.agent, [f"The profile below shows {worth}how the agent plays.", HALF],
        [(", ".join(whom[:3]) + (" and more" if len(whom) > 3 else ""),
          _rate(itself["rate"], itself["rate_low"], itself["rate_high"], int(itself["games"])))],
        {"decks": names_or_count(plan.decks), "seed": str(plan.seed),
         "rules": _rules(plan.ruleset, plan.information, plan.max_turns)},
        [(f"hsevo benchmark {_shell(first.agent)}", "measure it against the benchmark opponents")],
        title="Examined agent")


def of_agents(path: Path, kind: str, names: Sequence[str], record: pd.DataFrame | None,
              tournament: Path | None) -> Answer:
    """Return the answer of a file of agents; record: their games by deck pair, if there are any."""
    name, sign, options = kind.partition("?")
    if record is None:
        return Answer(f"{len(names)} agents of {path.name}", [
            "No games are given, so this report cannot say which agent is best."], next=[
            (f"hsevo arena --runs {_shell(f'{name}:{path}{sign}{options}')} --out cup",
             "play a round robin of all agents"),
            (f"hsevo report --agents {_shell(path)} --tournament cup", "then make this report"
                                                                       " again with those games")],
            title="Agents")
    total = record.groupby("agent")[["wins", "games"]].sum()
    best = str((total["wins"] / total["games"]).idxmax())
    won, games = int(total["wins"][best]), int(total["games"][best])
    low, high = (float(end[0]) for end in wilson([won], [games]))
    return Answer(best, [f"The best of {len(total)} agents in these games by its share of games"
                         " won (a draw is not a win; 95 % Wilson interval). It was selected by"
                         " this share, so the share is biased upwards."],
                  [("the other agents", _rate(won / games, low, high, games))],
                  {"decks": names_or_count(record["deck"]),
                   "games": f"{record['games'].sum() // 2:,}"},
                  [(f"hsevo benchmark {_shell(f'{name}:{path}#{best}{sign}{options}')}",
                    "measure it against the benchmark opponents"),
                   (f"hsevo replay {_shell(tournament)}", "watch one of its games")])


def _of_series(data: Evolutions, series: str, fields: Sequence[StoredArena],
               examined: Sequence[Examination], rematched: pd.DataFrame | None) -> Answer:
    """Return the answer of one series: its champion, or the best of its last generations."""
    here = data.statistics[data.statistics["series"] == series]
    newest = here.groupby(KEY, sort=False).tail(1)
    label, execution, number, best = _best(data, newest, rematched)
    champion = champion_of(data, series, examined)
    if champion:
        first, lead = champion
        where = f" of {first}" * (len({*data.series.values()}) < len(data.runs))
        rates = [(lead.against, lead.rate), *_rates(data, first, lead.name, rematched)]
        says = [f"The champion{where}: {lead.chosen}", *_fittest(data, newest, first, lead.name)]
        label, name = first, lead.spec
    else:
        name = name_of(data.runs[label], execution, best)
        rates = _rates(data, label, name, rematched)
        says = _says(rates, len(newest), number, data.runs[label])
        name = spec_of(data.runs[label], name)
    says += [line for arena in fields if (line := _place(arena, label, data.runs[label]))]
    return Answer(name, says, rates, _facts(data, series),
                  _next(data, label, fields, examined, name, bool(champion)))


def champion_of(data: Evolutions, series: str,
                examined: Sequence[Examination]) -> tuple[str, Leading] | None:
    """Return the champion of a series, and the label of its run; None if none was measured.

    If several runs have one, it is the champion of the run with the best last generation.
    """
    here = data.statistics[data.statistics["series"] == series]
    best = _best(data, here.groupby(KEY, sort=False).tail(1))[0]
    champions = {label: champion for label, run in data.runs.items()
                 if data.series[label] == series and (champion := of_run(run, examined))}
    label = best if best in champions else next(iter(champions), None)
    return (label, champions[label]) if label is not None else None


def _rates(data: Evolutions, label: str, name: str,
           rematched: pd.DataFrame | None) -> list[tuple[str, str]]:
    """Return an individual's rates in new games, and against the other reference opponents."""
    measured = dict(_against_references(data, label, name))
    if rematched is None:
        return [*measured.items()]
    called = short_names(rematched["opponent"])
    new = {called[row["opponent"]]: _rate(row["rate"], row["rate_low"], row["rate_high"],
                                          int(row["games"])) for row in
           rematched[rematched["agent"] == spec_of(data.runs[label], name)].to_dict("records")}
    return [*(new | {whom: rate for whom, rate in measured.items() if whom not in new}).items()]


def _against_references(data: Evolutions, label: str, name: str) -> list[tuple[str, str]]:
    """Return an individual's rates against the reference opponents, where it was measured last."""
    run, table = data.runs[label], data.references
    here = table[table["run"] == label]
    if here.empty:
        return []
    names = [name_of(run, int(execution), int(individual)) for execution, individual in
             zip(here["execution"], here["individual"], strict=True)]
    rows = here[np.array(names) == name]
    rows = rows[rows["generation"] == rows["generation"].max()]
    called = short_names(here["opponent"])
    return [(called[row["opponent"]], _rate(row["rate"], row["rate_low"], row["rate_high"],
                                          int(row["games"]))) for row in rows.to_dict("records")]


def _fittest(data: Evolutions, newest: pd.DataFrame, label: str, champion: str) -> list[str]:
    """Return who was best by fitness alone, if it was another than the champion."""
    rows = newest[newest["run"] == label]
    names = [name_of(data.runs[label], int(row["execution"]), int(row["best_individual"]))
             for row in rows.to_dict("records")]
    others = [name for name in names if name != champion]
    by = ("Your strategy recommended" if data.runs[label].methods.recommends else
          "By the fitness of the last generation alone, which is partly luck, the best would be")
    return [f"{by} {' or '.join(others[:3])}."] if others and champion not in names else []


def _best(data: Evolutions, newest: pd.DataFrame,
          rematched: pd.DataFrame | None = None) -> tuple[str, int, int, int]:
    """Return run, execution, generation and individual of the best of some last generations.

    By the mean rate in new games, if the best of each execution played any; else against the
    external reference opponents where it was measured, else by fitness as in KIND:RUN.
    """
    if rematched is not None:
        rates = rematched.groupby(KEY, sort=False)["rate"].mean().reset_index()
        first = rates.sort_values("rate", ascending=False, kind="stable").head(1)
        newest = first[KEY].merge(newest)
    table = data.references.merge(newest[KEY], on=KEY)
    if len(table) and rematched is None:
        last = table[table["generation"] == table.groupby(KEY)["generation"].transform("max")]
        means = last.groupby([*KEY, "generation", "individual"], sort=False)["rate"].mean()
        row = means.reset_index().sort_values("rate", ascending=False, kind="stable").iloc[0]
        best = row["individual"]
    else:
        row = newest.sort_values("best", ascending=False, kind="stable").iloc[0]
        best = row["best_individual"]
    return str(row["run"]), int(row["execution"]), int(row["generation"]), int(best)


def _says(rates: Sequence[object], executions: int, number: int, run: RunFolder) -> list[str]:
    """Return how the best was selected, and what that does to its rate."""
    recommended, apart = run.methods.recommends, run.config.rating.coevolves
    chosen = (f"The recommendation of your strategy in generation {number}." if recommended else
              f"The best of generation {number} by fitness, which is partly luck.")
    if not rates:
        each = (f" Each execution has its own best; this one, as in {run.kind}:RUN, has the highest"
                " fitness" + ", although you can't compare the fitness of executions, which have"
                " different opponents" * apart + ".") * (executions > 1)
        return [f"{chosen}{each} Its strength was not measured, because the config names no"
                " external reference opponents (references)."]
    biased = [BIASED.format(executions)] if executions > 1 else []
    return [chosen, *biased, HALF]


def _place(played: StoredArena, label: str, run: RunFolder) -> str:
    """Return where an agent of a run stands in a benchmark of the report, or ""."""
    agent = played.benchmarked
    if agent is None or agent not in arenas.evolved([agent], {label: run.path}):
        return ""
    place, best, worst = played.place
    name = short_names(played.names)[agent]
    return (f"In the benchmark {played.path.name}, {name} has place {place} of"
            f" {len(played.names)} (95 %: {best} to {worst}).")


def _facts(data: Evolutions, series: str) -> dict[str, str]:
    """Return what was played, in words."""
    runs = [run for label, run in data.runs.items() if data.series[label] == series]
    here, plan = data.statistics[data.statistics["series"] == series], runs[0].config
    evolution = plan.evolution
    seconds = sum(spent(run.path) for run in runs)
    generations = here.groupby(KEY)["generation"].max() + 1
    least, most = generations.min(), generations.max()
    return {
        "decks": rated.decks(runs[0]),
        "games": f"{here['games'].sum():,} in the evolution"
                 + _measured(data.references[data.references["series"] == series]),
        "generations": (f"{most:,}" if least == most else f"{least:,} to {most:,}")
                       + f" of {evolution.generations:,}, {_executions(len(generations))}",
        "seed": ", ".join(dict.fromkeys(str(run.config.seed) for run in runs)),
        "duration": duration(seconds) if seconds else "not recorded",
        "settings": ", ".join(filter(None, [
            plan.agent.kind, rated.GENOMES[plan.agent.genome],
            f"{evolution.strategy} with mu {evolution.mu} and lambda {evolution.lam}",
            rated.games(plan), *rated.settings(plan),
            _rules(plan.ruleset, plan.information, plan.max_turns)]))}


def _measured(reference: pd.DataFrame) -> str:
    games = reference["games"].sum()
    return f", {games:,} against the external reference opponents" if games else ""


def _executions(count: int) -> str:
    return f"{count} execution{'s' if count > 1 else ''}"


def _next(data: Evolutions, label: str, fields: Sequence[StoredArena],
          examined: Sequence[Examination], best: str, champion: bool) -> list[tuple[str, str]]:
    """Return the commands that would say more about the best, which is of the run `label`.

    best: its spec. champion: whether the last population has played again. Commands that have
    already run are left out.
    """
    run, series = data.runs[label], data.series[label]
    path, folder = _shell(run.path), run.path.resolve().name
    open_ = [run for name, run in data.runs.items()
             if data.series[name] == series and not run.final]
    commands = [(resuming("evolve", unfinished.path), "it is not finished: continue")
                for unfinished in open_[:1]]
    if not champion:
        commands.append((f"hsevo export-best {path}",
                         "replay the last population with new games, to separate strength from"
                         " luck"))
    if not any(is_of(run, examination.agent) for examination in examined):
        commands.append((f"hsevo examine {path}",
                         "measure how much each weight contributes, and how the agent plays"))
    if not any(_place(arena, label, run) for arena in fields):
        out = _shell(f"where-{folder}")
        commands.append((f"hsevo benchmark {path} --out {out}",
                         "measure its best agent against the benchmark opponents"))
    if not any(not arena.benchmarked and arenas.evolved(arena.names, {label: run.path})
               for arena in fields):
        out = _shell(f"arena-{folder}")
        commands.append((f"hsevo arena {_shell(best)} eva:2018 random --out {out}",
                         "rate it among others"))
    return [*commands, (f"hsevo replay {path}{_player(best)} --html game.html",
                        "watch a game of its best agent")]


def _player(best: str) -> str:
    """Return the options of hsevo replay that choose an individual of a run, given by its spec."""
    execution, _, number = best.rpartition("#")[2].rpartition("individual-")
    options = [("--execution", execution.removeprefix("execution-").strip("-")), ("--a", number)]
    return "".join(f" {option} {value}" for option, value in options if value)


def _shell(word: object) -> str:
    """Return a path or name as a shell takes it."""
    return quote(str(word))


def _lead(played: StoredArena) -> str:
    """Return who leads an arena, and whether that is sure."""
    row, second = played.table.iloc[0], short_names(played.names)[played.names[1]]
    lead = interval((row["lead"], row["lead_low"], row["lead_high"]), sign=True, digits=0)
    sure = "ahead by more than chance" if row["lead_low"] > 0 else "which may be chance"
    return f"The best of {len(played.names)} agents: {lead} Elo over {second}, {sure}."


def _rate(rate: float, low: float, high: float, games: int) -> str:
    return f"{100 * rate:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of {games:,} games"


def _rules(ruleset: str, information: str, max_turns: int) -> str:
    return f"ruleset {ruleset}, {information} information, at most {max_turns} turns"
