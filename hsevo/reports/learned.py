"""The report on runs of hsevo learn: how strong the player is, how it came to be, all checkpoints.

    run folders --load()--> Courses --of_courses(), answers()--> Section, Answer --> page.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

import pandas as pd

from hsevo.config.learning import END_TO_END, SCRATCH, TURN, Plan
from hsevo.config.named import CIG2018
from hsevo.errors import ConfigError, RunError, resuming
from hsevo.evolution.progress import duration
from hsevo.learning.folder import LearningRun, is_learning, period_name
from hsevo.pictures import COLOURS
from hsevo.play.tournament import wilson
from hsevo.reports import courses
from hsevo.reports.answer import Answer
from hsevo.reports.exhibit import Exhibit, Section, interval
from hsevo.reports.tables import labels_of

RATES = ("Rates are games won of all games (a draw is no win), with 95 % Wilson intervals; both"
         " sides played the same deals from either seat.")
WRITTEN = 8  # checkpoints in the matrix on the page, at most: its cells have intervals


@dataclass(frozen=True)
class Courses:
    """Runs of hsevo learn, by label, and their tables with a column `series` before: the label."""

    runs: dict[str, LearningRun]
    learning: pd.DataFrame
    references: pd.DataFrame
    payoff: dict[str, pd.DataFrame]  # by label; empty while a run goes on, or without games

    @property
    def names(self) -> list[str]:
        """The labels."""
        return [*self.runs]

    @property
    def end_to_end(self) -> bool:
        """Whether these are runs of the end-to-end policy."""
        return any(run.plan.policy == END_TO_END for run in self.runs.values())


def are_learned(paths: Sequence[Path]) -> bool:
    """Return whether these are runs of hsevo learn. Raises ConfigError if only some are."""
    kinds = [is_learning(path) for path in paths]
    if any(kinds) and not all(kinds):
        one, other = paths[kinds.index(True)], paths[kinds.index(False)]
        raise ConfigError(f"{one} is a run of hsevo learn, and {other} is not; make two reports")
    return bool(kinds) and all(kinds)


def load(paths: Sequence[Path], names: Sequence[str] = ()) -> Courses:
    """Read runs, each finished or not. names: their labels, "" for that of the folder.

    Raises ConfigError for one label twice or runs of two policies, whose losses are of different
    kinds; RunError for a damaged run or one without a period.
    """
    folders = labels_of(paths)
    labels = [name or label for name, label in zip(names or folders, folders, strict=True)]
    if len({*labels}) < len(labels):
        raise ConfigError("two runs have one label; give each a label of its own")
    if len(labels) > len(COLOURS):
        raise RunError(f"{len(labels)} runs, but a report can draw at most {len(COLOURS)}; give"
                       " fewer runs, and make several reports")
    runs = {label: _opened(path) for label, path in zip(labels, paths, strict=True)}
    if len({run.plan.policy for run in runs.values()}) > 1:
        raise ConfigError("some runs are of an end-to-end policy, some are not; make two reports")
    learning, references = (
        pd.concat([run.table(name).assign(series=label) for label, run in runs.items()],
                  ignore_index=True) for name in ("learning.csv", "references.csv"))
    return Courses(runs, learning, references,
                   {label: run.table("payoff.csv") for label, run in runs.items()})


def _opened(path: Path) -> LearningRun:
    run = LearningRun.open(path)
    if not run.periods:
        raise RunError(f"{path} has no period yet; wait for its first, or go on with:"
                       f" {resuming('learn', path)}")
    return run


def of_courses(data: Courses, on_section: Callable[[str], object] = lambda name: None
               ) -> list[Section]:
    """Return the sections of a report of learning runs."""
    on_section("the learning")
    learned = [*_rates(data), _losses(data), _pool(data)]
    if len(data.runs) > 1:
        learned.insert(0, _settings(data))
    on_section("the win matrix")
    return [Section("Learning", learned), *(_matrix(data, label) for label in data.names)]


def answers(data: Courses) -> list[Answer]:
    """Return the top of the page: each run's last checkpoint, and how strong it is."""
    return [_answer(data, label) for label in data.names]


def both_ways(payoff: pd.DataFrame) -> pd.DataFrame:
    """Return every two checkpoints twice: checkpoint, opponent, games, wins, draws, rate, ends.

    payoff: payoff.csv, each pair once.
    """
    ours = ["checkpoint", "opponent", "games", "wins", "draws", "losses"]
    sides = [payoff[[one, other, "games", f"wins_{one}", "draws", f"wins_{other}"]].set_axis(
        ours, axis=1) for one, other in (("a", "b"), ("b", "a"))]
    table = pd.concat(sides, ignore_index=True).sort_values(["checkpoint", "opponent"])
    low, high = wilson(table["wins"], table["games"])
    return table.assign(rate=table["wins"] / table["games"], rate_low=low,
                        rate_high=high).reset_index(drop=True)


def against_earlier(payoff: pd.DataFrame, name: str) -> tuple[float, float, float, int]:
    """Return a checkpoint's share of games won against all earlier ones, its interval, games."""
    table = both_ways(payoff)
    here = table[(table["checkpoint"] == name) & (table["opponent"] < name)]
    won, games = int(here["wins"].sum()), int(here["games"].sum())
    low, high = wilson([won], [games])
    return won / games, float(low[0]), float(high[0]), games


def _answer(data: Courses, label: str) -> Answer:
    run, table = data.runs[label], data.references
    measured = table[table["series"] == label] if len(table) else table
    rates, last = [], period_name(run.periods - 1)
    if len(measured):
        newest = measured[measured["period"] == measured["period"].max()]
        rates = [(str(row["opponent"]), _rate(row)) for row in newest.to_dict("records")]
        last = period_name(int(newest["period"].iloc[0]))
    agent = f"rl:{run.path}" if run.done else f"rl:{run.path}#{last}"
    plays = ("draws its actions from its policy" if data.end_to_end else
             "plays the action that its policy thinks best")
    says = [f"It is the checkpoint after period {int(last.removeprefix('period-'))}, and {plays}."
            " It was not chosen by these rates."
            if rates else "How strong it is was not measured yet.", _progress(data, label), RATES]
    return Answer(agent, [line for line in says if line], rates, _facts(run, data, label),
                  _next(run, agent), f"Learned player{f', {label}' * (len(data.runs) > 1)}")


def _rate(row: Any) -> str:
    rate = interval((100 * row["rate"], 100 * row["rate_low"], 100 * row["rate_high"]))
    value, _, ends = rate.partition(" ")
    return f"{value} % {ends} of {row['games']:,} games"


def _progress(data: Courses, label: str) -> str:
    """Return how the last checkpoint did against all earlier ones."""
    payoff = data.payoff[label]
    if payoff.empty:
        return ""
    names = sorted({*payoff["a"], *payoff["b"]})
    rate, low, high, games = against_earlier(payoff, names[-1])
    return (f"Against the {len(names) - 1} earlier checkpoints it won"
            f" {_rate({'rate': rate, 'rate_low': low, 'rate_high': high, 'games': games})}.")


def _facts(run: LearningRun, data: Courses, label: str) -> dict[str, str]:
    """Return what was played, in words."""
    here, times = data.learning[data.learning["series"] == label], run.table("times.csv")
    plan = run.plan
    whom = (f"only {plan.against}" if plan.against else
            "itself" if plan.osfp.self_play == 1 else
            f"itself ({100 * plan.osfp.self_play:g} % of games) and its pool")
    start = "" if plan.start == SCRATCH else f", after {plan.imitates} periods of {plan.start}"
    return {
        "decks": ", ".join(deck.name for deck in run.decks),
        "learned from": f"{here['games'].sum():,} games, {here['positions'].sum():,} positions",
        "opponents": f"{whom}{start}",
        "periods": f"{run.periods} of {plan.periods}, {plan.rounds} rounds of"
                   f" {plan.games_per_round:,} games each",
        "seed": str(plan.seed),
        "CPU time": f"{duration(float(times['cpu_seconds'].sum()))} of the main process, without"
                    " measurements",
        "settings": f"{_of_network(plan) if data.end_to_end else _of_learner(plan)}, ruleset"
                    f" {plan.ruleset}"}


def _of_learner(plan: Plan) -> str:
    """Return how a net of the afterstate policy learned, in words."""
    own = plan.learner
    return (f"lambda {own.trace:g}, gamma {own.discount:g}, temperature {own.temperature:g},"
            f" learning rate {own.rate:g} to {own.last_rate:g}"
            + (f", expert iteration ({own.depth} actions deep, {own.nodes:,} nodes)"
               if own.expert == TURN else ""))


def _of_network(plan: Plan) -> str:
    """Return how a network of the end-to-end policy learned, and what it does and sees."""
    own = plan.network
    switches = {"a network for each class": own.isolate, "builds its decks": own.build,
                "random-CB": own.build and own.random_cards,
                "sees the opponent's deck": own.opponent_deck == "known"}
    return ", ".join([
        f"an LSTM of {own.lstm}, {own.gradient}, ratios clipped to {own.clip[0]:g} and"
        f" {own.clip[1]:g}, gamma {own.discount:g}, entropy {own.entropy:g}, learning rate"
        f" {own.rate:g}, {own.updates} updates a pass, {own.reuse} passes",
        *(words for words, on in switches.items() if on)])


def rules(run: LearningRun) -> str:
    """Return the options by which `hsevo match` plays the decks and rules that it has met."""
    plan = run.plan
    return ("" if {*plan.decks} == {*CIG2018} else f" --decks {quote(','.join(plan.decks))}") + (
        f" --ruleset {plan.ruleset}" if plan.ruleset != "cig2018" else "")


def _next(run: LearningRun, agent: str) -> list[tuple[str, str]]:
    """Return the commands that say more about the player."""
    shell, path = quote(agent), quote(str(run.path))
    out = quote(f"against-{run.path.resolve().name}")  # not where the plan has it: there is the run
    more = [] if run.done else [(resuming("learn", run.path), "it is not finished: go on")]
    return [*more,
            (f"hsevo match {shell} eva:2018 --games 2000{rules(run)}", "measure it in new games"),
            *([] if run.plan.policy == END_TO_END else [
                (f"hsevo benchmark {shell}", "measure it against a fixed panel")]),
            (f"hsevo learn --config {quote(str(run.path / 'config.yaml'))} --start {SCRATCH}"
             f" --against {shell} --out {out}",
             "see how exploitable it is"),
            (f"hsevo verify {path}", "play what is measured here again")]


def _settings(data: Courses) -> Exhibit:
    """Return what differs between the plans of several runs, and their last measurements."""
    plans = {label: pd.json_normalize(run.plan.model_dump(mode="json")).iloc[0].astype(str)
             for label, run in data.runs.items()}
    table = pd.DataFrame(plans).T.drop(columns=["out", "name"], errors="ignore").fillna("")
    table = table.loc[:, [name for name in table if not str(name).startswith("workers.")]]
    differ = table.loc[:, table.nunique() > 1].rename_axis("run").reset_index()
    return Exhibit("settings", "Settings that differ",
                   "The keys of the configs that are not the same in all runs.", differ,
                   on_page=differ)


def _rates(data: Courses) -> list[Exhibit]:
    table = data.references
    if table.empty:
        return []
    games = sorted({*table["games"]})
    return [Exhibit("rates", "Win rates by period", (
        f"Games won by the network after a period, {_ways(data)}, against each reference"
        f" opponent: {' or '.join(f'{n:,}' for n in games)} games a point, with the same deals in"
        f" every period, so that points are not independent of each other. Bars: 95 % intervals."
        " The learner did not learn from these games."), _series_first(data, table),
        courses.rates(table, data.names))]


def _ways(data: Courses) -> str:
    return "drawing its actions" if data.end_to_end else "playing its best actions"


def _losses(data: Courses) -> Exhibit:
    table = data.learning
    if data.end_to_end:
        parts = ["value", "entropy", "policy", "upgo"]
        return Exhibit("losses", "Losses by period", (
            "Means over all decisions of a period. Value: half of the squared error against the"
            " targets of V-trace (0.5 for a network that says 0 of every position). Entropy: of the"
            " policy, in nats a decision; it falls as the policy gets surer, and at 0 it explores"
            " no more. The losses of policy and UPGO, in the file, are no measure of strength."),
            _series_first(data, table[["series", "period", "games", "positions", "loss", *parts]]),
            courses.parts(table, data.names))
    return Exhibit("losses", "Loss by period", (
        "Mean cross-entropy over all positions of a period. Solid: of the games' outcomes, by the"
        " network before it learned from them (a network that knows nothing has 0.693). Dashed: of"
        " the TD targets, while it learned. As both players get better, outcomes may be harder to"
        " foresee: a loss that does not fall is no sign that nothing was learned."),
        _series_first(data, table[["series", "period", "games", "positions", "loss",
                                   "loss_after"]]), courses.losses(table, data.names))


def _pool(data: Courses) -> Exhibit:
    table = data.learning
    if any(run.plan.against for run in data.runs.values()):
        note = " A learner with `against` meets one agent alone, and has no pool."
    else:
        note = ""
    return Exhibit("pool", "Pool by period", (
        "Earlier selves that the learner meets, after each period; dots: it joined them, because it"
        f" beats all, or by patience (the column reason).{note}"),
        _series_first(data, table[["series", "period", "pool", "added", "reason"]]),
        courses.pool(table, data.names))


def _series_first(data: Courses, table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the series before, or without it if there is but one."""
    rest = table.drop(columns="series")
    if len(data.runs) > 1:
        rest.insert(0, "run", table["series"])
    return rest


def _matrix(data: Courses, label: str) -> Section:
    """Return the section of all checkpoints of a run against all."""
    payoff, run = data.payoff[label], data.runs[label]
    many = len(data.runs) > 1
    title = f"Checkpoints of {label}" if many else "Checkpoints"
    if payoff.empty and run.done and run.plan.payoff_games and run.plan.periods > 1:
        raise RunError(f"{run.path} is damaged: payoff.csv is missing")
    if payoff.empty:
        why = ("They meet once the run is done." if not run.done else
               "They did not meet: the config has payoff_games 0, or one period.")
        return Section(title, [], needs=why)
    table = both_ways(payoff)
    names = sorted({*table["checkpoint"]})
    each = " or ".join(f"{n:,}" for n in sorted({*table["games"]}))
    shown = _spread(names)
    left = f" The table below has {len(shown)} of {len(names)}." if len(shown) < len(names) else ""
    return Section(title, [Exhibit(
        f"matrix-{data.names.index(label) + 1}" if many else "matrix", "Win matrix", (
            "Share of games that the row's checkpoint won against the column's, in %, with 95 %"
            f" Wilson intervals: {each} games of every two, with the same deals from either"
            f" seat.{left} All pairs are in the file. Below the diagonal, blue: the later"
            " checkpoint won more often; orange: the earlier one did."),
        table, courses.matrix(table, names), on_page=_wide(table, shown))])


def _spread(names: Sequence[str]) -> list[str]:
    """Return at most WRITTEN names, evenly spread, with the first and the last."""
    if len(names) <= WRITTEN:
        return [*names]
    return [names[round(k * (len(names) - 1) / (WRITTEN - 1))] for k in range(WRITTEN)]


def _wide(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return rows against columns, each cell a rate in % with its interval."""
    cells = {(row["checkpoint"], row["opponent"]): interval(
        (100 * row["rate"], 100 * row["rate_low"], 100 * row["rate_high"]))
        for row in table.to_dict("records")}
    return pd.DataFrame([{"%": one} | {f"against {other.removeprefix('period-')}":
                                       cells.get((one, other), "") for other in names}
                         for one in names])
