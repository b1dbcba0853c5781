"""The report on runs of hsevo learn: the player's strength and course, all checkpoints, its decks.

    run folders --REPORT--> Courses --> ReportSection, Answer --> page.py

Runs that differ in their seed alone are one series: one colour, with the mean over its seeds.

Of a policy that builds decks (`Drafts`), exhibits show by period how sure it is, which cards it
takes, and its typical decks. At each of some checkpoints compiled code draws decks as in a match,
without random-CB, with the same random numbers: what differs between two periods is what was
learned.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from shlex import quote
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from hsevo.cards import tables
from hsevo.cards.decks import SIZE, Deck, as_code
from hsevo.cards.terms import Class
from hsevo.config.learning import END_TO_END, SCRATCH, TD, TURN, Plan
from hsevo.config.named import CIG2018
from hsevo.errors import ConfigError, DeckError, RunError, names_or_count, resuming
from hsevo.experiments.progress import duration
from hsevo.learning import builds as building
from hsevo.learning.acting import checkpoints
from hsevo.learning.builds import LATE, Builds
from hsevo.learning.folder import PICKS, LearningRun, period_name
from hsevo.play.specs import short_names
from hsevo.play.tournament import wilson
from hsevo.reports import charts
from hsevo.reports.exhibit import (
    Answer,
    Chapter,
    Drawn,
    Folders,
    ReportKind,
    Topic,
    each,
    exhibit,
    meanings,
    percent,
)
from hsevo.reports.tables import mean_band
from hsevo.runs.checkpoints import path_of

DECKS = 200  # of each class, with each checkpoint
SEED = 1  # of these decks
SHOWN = 12  # cards of a class on the page


@exhibit("picks", "Heroes picked")
def picks(run: LearningRun) -> Drawn:
    """Show how likely each class was picked after each period."""
    columns = [name for name in run.tables["learning.csv"].names if name.startswith(PICKS)]
    table = run.table("learning.csv").melt("period", columns, "class", "chance")
    table["class"] = table["class"].str.removeprefix(PICKS).str.title()
    return Drawn((
        "Probability that each class is picked, after each period (PH; Figure 1 of Xiao and"
        " others, 2023)."), table, charts.picks(table))


Drafted: TypeAlias = dict[tuple[str, Class], Builds]  # by checkpoint and class


@dataclass(frozen=True)
class Drafts:
    """The decks that a run's policy builds. shown: the names of checkpoints."""

    run: LearningRun
    shown: Sequence[str]

    @cached_property
    def drawn(self) -> Drafted:
        """Some decks of each class and checkpoint. Raises RunError."""
        return {(name, hero_class): building.drawn(
            checkpoints.read(path_of(self.run.path, name)).actor(), hero_class, DECKS, SEED)
            for name in self.shown for hero_class in self.classes}

    @property
    def classes(self) -> list[Class]:
        """The classes of the run's decks."""
        return sorted({Class[deck.hero_class] for deck in self.run.decks})


@exhibit("builds", "Entropy of the card choices")
def builds(drafts: Drafts) -> Drawn:
    """Show how sure the policy is of its choices."""
    sure = sureness(drafts.drawn)
    return Drawn((
        f"Based on {DECKS} decks of each class, drawn as in a match, but without random-CB and"
        " without a view of the opponent. Mean entropy of a choice in bits (0: it always builds"
        " the same deck; a uniform choice among 500 cards has 9.0), and the number of different"
        " decks. These are the first decks that hsevo decks built writes."),
        sure, charts.builds(sure), on_page=sure)


@exhibit("cards", "Cards in its decks")
def cards(drafts: Drafts) -> Drawn:
    """Show how often each card is taken."""
    table = taken(drafts.drawn)
    return Drawn((
        f"Share of {DECKS} decks that have the card, in %, after each of these periods, for the"
        f" {SHOWN} cards of each class that are most frequent at the end. The file has all cards,"
        " with the mean copies per deck."), table, on_page=_wide(table, drafts.shown))


@exhibit("decks", "Its typical decks")
def decks(drafts: Drafts) -> Drawn:
    """Show the typical deck of each class after the last period."""
    typical = pd.DataFrame([{
        "class": building.title(hero_class),
        **described(drafts.drawn[drafts.shown[-1], hero_class].decks, drafts.run.plan.ruleset)}
        for hero_class in drafts.classes])
    return Drawn((
        f"After the last period: of {DECKS} decks of each class, the deck with the most cards in"
        " common with all others, the number of its cards that cost 0, 1 ... 7 and more mana, and"
        " the human deck with the most cards in common. The file has its card list."),
        typical, on_page=typical.drop(columns="cards"))


EXHIBITS = (builds, cards, decks)


def sureness(drawn: Drafted) -> pd.DataFrame:
    """Return the columns period, class, entropy (bits a choice), different (decks)."""
    return pd.DataFrame([
        {"period": int(charts.period_of(name)), "class": building.title(hero_class),
         "entropy": float(builds.bits.mean()),
         "different": len({tuple(sorted(deck.ids)) for deck in builds.decks})}
        for (name, hero_class), builds in drawn.items()])


def taken(drawn: Drafted) -> pd.DataFrame:
    """Return the columns period, class, card, decks (the share that has it), copies (a deck)."""
    parts = [building.cards_of(builds.decks).rename(columns={"share": "decks"})
             for builds in drawn.values()]
    for (name, _), part in zip(drawn, parts, strict=True):
        part.insert(0, "period", int(charts.period_of(name)))
    return pd.concat(parts, ignore_index=True)


def _wide(taken: pd.DataFrame, shown: Sequence[str]) -> pd.DataFrame:
    """Return the share in % of the last period's most frequent cards, a column a period."""
    last = taken[taken["period"] == int(charts.period_of(shown[-1]))]
    rows = last.sort_values(["class", "decks", "copies"], ascending=[True, False, False])
    rows = rows.groupby("class").head(SHOWN)[["class", "card"]]
    for name in shown:
        period = int(charts.period_of(name))
        own = taken[taken["period"] == period].set_index(["class", "card"])["decks"]
        rows[f"period {period}"] = [
            f"{100 * own.get((hero_class, card), 0.0):.0f}"
            for hero_class, card in zip(rows["class"], rows["card"], strict=True)]
    return rows.reset_index(drop=True)


def described(decks: Sequence[Deck], ruleset: str = "cig2018") -> dict[str, Any]:
    """Return what is typical of decks of a class: code, curve, nearest (human deck), cards."""
    typical = _typical(decks)
    costs = Counter(min(tables.every_card()[id].cost, LATE) for id in typical.ids)
    listed = Counter(sorted(typical.ids, key=lambda id: (tables.every_card()[id].cost, id)))
    return {"code": as_code(typical),
            "curve": " ".join(str(costs[cost]) for cost in range(LATE + 1)),
            "nearest human deck": nearest(typical, ruleset),
            "cards": ", ".join(f"{times} {_name(id)}" for id, times in listed.items())}


def _typical(decks: Sequence[Deck]) -> Deck:
    """Return the deck that has most cards in common with all; of several, the first."""
    names = sorted({id for deck in decks for id in deck.ids})
    counts = np.array([[deck.ids.count(id) for id in names] for deck in decks])
    shared = sum((counts >= copy) @ (counts >= copy).astype(int).sum(0) for copy in (1, 2))
    return decks[int(np.argmax(shared))]


def nearest(deck: Deck, ruleset: str = "cig2018") -> str:
    """Return the human deck of the class with most cards in common, in words; "" if none has any.
    """
    try:
        (shared,), lists = building.nearest([deck], ruleset)
    except (DeckError, KeyError):  # cards that no human deck has
        return ""
    row = lists.iloc[0]
    return f"{row['archetype']} ({row['deck']}), {shared} of {SIZE} cards" if shared else ""


def _name(id: str) -> str:
    return tables.every_card()[id].name


RATES = ("Rates are games won of all games (a draw is not a win), with 95 % Wilson intervals; both"
         " sides played the same shuffles from either seat.")
HELD_OUT = "human:held-out"  # decks of a suggested match
MATCH_DECKS = 9  # in a suggested match: of more, all pairs would take too many games
WRITTEN = 8  # checkpoints in the matrix on the page, at most: its cells have intervals


# What may differ between runs of one series. about.json has the decks' cards.
FREE = {"name", "seed", "out", "workers", "decks"}
MADE_BY = ("engine", "method", "decks", "agents")  # of about.json, alike in a series
MEAN = ("the mean over {} runs that differ only in their seed, with its 95 % interval (Student's t"
        " over seeds)")


@dataclass(frozen=True)
class Courses(Folders[LearningRun]):
    """Runs of hsevo learn, and their tables with the columns series and run (the label)."""

    learning: pd.DataFrame
    references: pd.DataFrame

    @classmethod
    def of(cls, runs: dict[str, LearningRun], names: Mapping[str, str]) -> Courses:
        """Return runs by their labels.

        Raises ConfigError for runs of two policies, whose losses are of different kinds.
        """
        if len({run.plan.policy for run in runs.values()}) > 1:
            raise ConfigError("some runs have an end-to-end policy, and some do not; make two"
                              " reports")
        series = _series(runs)
        learning, references = (
            pd.concat([run.table(name).assign(series=series[label], run=label)
                       for label, run in runs.items()], ignore_index=True)
            for name in ("learning.csv", "references.csv"))
        return cls(runs, series, learning, references)

    @property
    def end_to_end(self) -> bool:
        """Whether these are runs of the end-to-end policy."""
        return any(run.plan.policy == END_TO_END for run in self.runs.values())


def _series(runs: dict[str, LearningRun]) -> dict[str, str]:
    """Return the series of each run, named after its run or the first of many.

    A run that repeats another one, seed and all, is no further sample: it is a series of its own.
    """
    seen: Counter[str] = Counter()
    groups: dict[tuple[str, int], list[str]] = {}
    for label, run in runs.items():
        plan = run.plan.model_dump(mode="json", exclude=_free(run.plan))
        experiment = json.dumps([plan, *(run.about.get(key) for key in MADE_BY)])
        same = f"{run.plan.seed} {experiment}"
        groups.setdefault((experiment, seen[same]), []).append(label)
        seen[same] += 1
    series = {label: labels[0] + f" and {len(labels) - 1} more" * (len(labels) > 1)
              for labels in groups.values() for label in labels}
    return {label: series[label] for label in runs}


def _free(plan: Plan) -> set[str]:
    """Return the keys that do not part runs; decks that are drawn have no cards in about.json."""
    return FREE - {"decks"} if plan.shares else FREE


def answers(data: Courses) -> list[Answer]:
    """Return the top of the page: each run's last checkpoint, and how strong it is.

    Means over seeds come first.
    """
    return [*_mean_answers(data), *(_answer(data, label) for label in data.runs)]


def means(data: Courses) -> pd.DataFrame:
    """Return the mean rates over seeds: series, opponent, period, seeds, rate, its interval.

    Columns rate_low and rate_high are the ends of Student's 95 % interval, cut at 0 and 1, and NaN
    where all seeds agree, which says nothing of their spread. Of each series of several runs, where
    all of them were measured.
    """
    if data.references.empty:
        return pd.DataFrame(columns=["series", "opponent", "period", "seeds", "rate", "rate_low",
                                     "rate_high"])
    sizes = Counter(data.series.values())
    band = mean_band(data.references, ["series", "opponent", "period"], "rate").rename(columns={
        "executions": "seeds", "mean": "rate", "low": "rate_low", "high": "rate_high"})
    band = band[(band["seeds"] > 1) & (band["seeds"] == band["series"].map(sizes))]
    spread = band["rate_high"] - band["rate_low"] > 1e-9  # all the same, up to rounding: none
    return band.assign(**{end: band[end].clip(0, 1).where(spread) for end in
                          ("rate_low", "rate_high")}).reset_index(drop=True)


def _last(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the last period that was measured."""
    last: pd.Series[bool] = table["period"] == table["period"].max()
    return table[last]


def _mean_answers(data: Courses) -> list[Answer]:
    """Return an answer a series of several runs: its mean rates."""
    answers = []
    for name, here in means(data).groupby("series", sort=False):
        last = _last(here)
        whom = short_names(last["opponent"])
        rates = [(whom[row["opponent"]], percent(row, unit=" %"))
                 for row in last.to_dict("records")]
        seeds = int(last["seeds"].iloc[0])
        answers.append(Answer(str(name), [
            f"After period {last['period'].iloc[0]}: {MEAN.format(seeds)}."], rates,
            title=f"Mean over {seeds} seeds"))
    return answers


def both_ways(payoff: pd.DataFrame) -> pd.DataFrame:
    """Return every two checkpoints twice: checkpoint, opponent, games, wins, draws, rate, ends.

    payoff: payoff.csv, each pair once.
    """
    ours = ["checkpoint", "opponent", "games", "wins", "draws", "losses"]
    sides = [payoff[[own, theirs, "games", f"wins_{own}", "draws", f"wins_{theirs}"]].set_axis(
        ours, axis=1) for own, theirs in (("a", "b"), ("b", "a"))]
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
    newest = _last(table[table["run"] == label]) if len(table) else table
    rates, last = [], period_name(run.periods - 1)
    if len(newest):
        whom = short_names(newest["opponent"])
        rates = [(whom[row["opponent"]], _rate(row)) for row in newest.to_dict("records")]
        last = period_name(int(newest["period"].iloc[0]))
    agent = f"rl:{run.path}" if run.final else f"rl:{run.path}#{last}"
    plays = ("samples its actions from its policy" if data.end_to_end else
             "plays the action with the highest probability")
    says = [f"It is the checkpoint after period {int(last.removeprefix('period-'))}, and {plays}."
            " It was not selected by these rates."
            if rates else "Its strength was not measured yet.", _progress(data, label), RATES]
    return Answer(agent, [line for line in says if line], rates, _facts(run, data, label),
                  _next(run, agent), f"Learned player{f', {label}' * (len(data.runs) > 1)}")


def _rate(row: Any) -> str:
    return f"{percent(row, unit=' %')} of {row['games']:,} games"


def _progress(data: Courses, label: str) -> str:
    """Return how the last checkpoint did against all earlier ones."""
    payoff = data.runs[label].table("payoff.csv")
    if payoff.empty:
        return ""
    names = sorted({*payoff["a"], *payoff["b"]})
    rate, low, high, games = against_earlier(payoff, names[-1])
    earlier = f"the {len(names) - 1} earlier checkpoints" if len(names) > 2 else "the earlier one"
    return (f"Against {earlier} it won"
            f" {_rate({'rate': rate, 'rate_low': low, 'rate_high': high, 'games': games})}.")


def _facts(run: LearningRun, data: Courses, label: str) -> dict[str, str]:
    """Return what was played, in words."""
    here, times = data.learning[data.learning["run"] == label], run.table("times.csv")
    plan = run.plan
    whom = (f"only {_called(plan.against)}" if plan.against else
            "itself" if plan.osfp.self_play == 1 or not here["pool"].any() else
            f"itself ({100 * plan.osfp.self_play:g} % of games) and its pool")
    start = ("" if plan.start == SCRATCH else
             f", imitating {_called(plan.start)} in its first {plan.imitates} periods"
             if data.end_to_end or plan.learner.method != TD else
             f", after {plan.imitates} periods of games of {_called(plan.start)}")
    if plan.pretrained:
        start = f", from the weights of {names_or_count(map(_called, plan.pretrained))}{start}"
    return {
        "decks": plan.shares.says if plan.shares else names_or_count(
            deck.name for deck in run.decks),
        "learned from": f"{here['games'].sum():,} games, {here['positions'].sum():,} positions",
        "opponents": f"{whom}{start}",
        "periods": f"{run.periods} of {plan.periods} (counted from 0), {plan.rounds} rounds of"
                   f" {plan.games_per_round:,} games each",
        "seed": str(plan.seed),
        "CPU time": f"{duration(float(times['cpu_seconds'].sum()))} of the main process, excluding"
                    " measurements",
        "settings": f"{_of_network(plan) if data.end_to_end else _of_learner(plan)}, ruleset"
                    f" {plan.ruleset}"}


def _called(spec: str) -> str:
    return short_names([spec])[spec]


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
                "sees the opponent's deck": own.opponent_deck == "known",
                "sees part of the opponent's deck": own.opponent_deck == "peek"}
    return ", ".join([
        f"an LSTM of {own.lstm}, {own.gradient}, ratios clipped to {own.clip[0]:g} and"
        f" {own.clip[1]:g}, gamma {own.discount:g}, entropy {own.entropy:g}, learning rate"
        f" {own.rate:g}, {own.updates} updates a pass, {own.reuse} passes",
        *(words for words, on in switches.items() if on)])


def rules(run: LearningRun) -> str:
    """Return the options by which `hsevo match` plays the decks and rules that it has met.

    Of more than MATCH_DECKS, the first: every two of them meet. If they are drawn, human lists that
    it has not met.
    """
    plan = run.plan
    decks = HELD_OUT if plan.shares else ",".join(plan.deck_names[:MATCH_DECKS])
    return ("" if {*plan.deck_names} == {*CIG2018} else f" --decks {quote(decks)}") + (
        f" --ruleset {quote(plan.ruleset)}" if plan.ruleset != "cig2018" else "")


def which_decks(run: LearningRun) -> str:
    """Return how many of its decks `rules` names, if not all: "with the first 9 of its 36 decks".
    """
    n = 0 if run.plan.shares else len(run.plan.deck_names)
    return f"with the first {MATCH_DECKS} of its {n} decks" if n > MATCH_DECKS else ""


def _next(run: LearningRun, agent: str) -> list[tuple[str, str]]:
    """Return the commands that say more about the player."""
    shell, path = quote(agent), quote(str(run.path))
    out = quote(f"against-{run.path.resolve().name}")  # not where the plan has it: there is the run
    which = which_decks(run)
    more = [] if run.final else [(resuming("learn", run.path), "it is not finished: continue")]
    return [*more,
            (f"hsevo match {shell} eva:2018 --games 2000{rules(run)}",
             f"measure it in new games{which and f', {which}'}"),
            *([] if run.plan.policy == END_TO_END else [
                (f"hsevo benchmark {shell}", "measure it against a fixed panel")]),
            (f"hsevo learn --config {quote(str(run.path / 'config.yaml'))} --start {SCRATCH}"
             f" --against {shell} --out {out}",
             "see how exploitable it is"),
            (f"hsevo verify {path}", "replay the games that are measured here")]


@exhibit("settings", "Settings that differ")
def _settings(data: Courses) -> Drawn | None:
    """Show what differs between the plans of several runs."""
    if len(data.runs) < 2:
        return None
    plans = {label: pd.json_normalize(run.plan.model_dump(mode="json")).iloc[0].astype(str)
             for label, run in data.runs.items()}
    table = pd.DataFrame(plans).T.drop(columns=["out", "name"], errors="ignore").fillna("")
    table = table.loc[:, [name for name in table if not str(name).startswith("workers.")]]
    differ = table.loc[:, table.nunique() > 1].rename_axis("run").reset_index()
    return Drawn("The config keys that differ between the runs.", differ,
                 on_page=differ)


@exhibit("rates", "Win rates by period")
def _rates(data: Courses) -> Drawn | None:
    table = data.references
    if table.empty:
        return None
    games, band = sorted({*table["games"]}), means(data)
    marks = "Bars: 95 % intervals."
    if len(band):
        alone = len(data.names) > band["series"].nunique()
        marks = (f"{'Bars: 95 % intervals of a single run. ' * alone}Thin lines: runs that differ"
                 " only in their seed. Thick line: their mean, with its 95 % interval over seeds"
                 " as a band, cut where the runs' own intervals end.")
    return Drawn((
        f"Win rate of the network after each period, {_ways(data)}, against each reference "
        f"opponent: {' or '.join(f'{n:,}' for n in games)} games per point, with the same shuffles"
        f" in every period, so points are not independent. {marks} The learner did not train on"
        " these games."), _runs_first(data, table),
        charts.rates(table, band, data.names), terms=meanings(short_names(table["opponent"])))


@exhibit("means", "Win rates, mean over seeds")
def _means(data: Courses) -> Drawn | None:
    """Show the mean rates, below the runs that they are of."""
    band = means(data)
    if band.empty:
        return None
    rows, whom = [], short_names(band["opponent"])
    for name, here in band.groupby("series", sort=False):
        labels = [label for label, series in data.series.items() if series == name]
        last = _last(here)
        for mean in last.to_dict("records"):
            own = data.references[(data.references["opponent"] == mean["opponent"])
                                  & (data.references["period"] == mean["period"])]
            name = whom[mean["opponent"]]
            rows += [{"run": row["run"], "against": name, "games won (%)": percent(row)}
                     for row in own[own["run"].isin(labels)].to_dict("records")]
            rows.append({"run": f"mean over {mean['seeds']} seeds", "against": name,
                         "games won (%)": percent(mean)})
    return Drawn((
        "After the last period that all seeds have. Mean: over runs that differ only in their"
        " seed, with its 95 % interval (Student's t over seeds), except where all seeds agree."
        " Single runs have Wilson intervals from their own games. The file has all periods."),
        band, on_page=pd.DataFrame(rows))


def _ways(data: Courses) -> str:
    return "sampling its actions" if data.end_to_end else "playing the actions that it rates best"


@exhibit("losses")
def _losses(data: Courses) -> Drawn:
    table = data.learning
    if data.end_to_end:
        parts = ["value", "entropy", "policy", "upgo"]
        return Drawn((
            "Means over all decisions of a period. Value: half of the squared error against the"
            " V-trace targets (0.5 for a network that predicts 0 for every position). Entropy: of "
            "the policy, in nats per decision; it falls as the policy becomes more certain, and at"
            " 0 it no longer explores. The file also has the policy and UPGO losses, which do not"
            " measure strength."),
            _runs_first(data, table[["run", "period", "games", "positions", "loss", *parts]]),
            charts.parts(table, data.names), title="Losses by period")
    return Drawn((
        "Mean cross-entropy over all positions of a period. Solid: against the outcomes of the "
        "games, by the network before it trained on them (an untrained network has 0.693). Dashed:"
        " against the TD targets, during training. With PPO or mirror descent, both belong to the"
        " value network. As both players improve, outcomes may become harder to predict, so a loss"
        " that does not fall does not mean that nothing was learned."),
        _runs_first(data, table[["run", "period", "games", "positions", "loss",
                                   "loss_after"]]), charts.losses(table, data.names),
        title="Loss by period")


@exhibit("pool", "Pool by period")
def _pool(data: Courses) -> Drawn:
    table = data.learning
    plans = [run.plan for run in data.runs.values()]
    note = (" A learner with `against` meets only one agent and has no opponent pool."
            * any(plan.against is not None for plan in plans)
            + " A learner that only plays itself (osfp.self_play 1) does not meet its opponent"
              " pool."
            * any(plan.osfp.self_play == 1 for plan in plans))
    return Drawn((
        "Number of earlier versions in the opponent pool after each period. Dots: the learner"
        " joined the pool, because it beats all members or because its patience ended (column"
        f" reason).{note}"),
        _runs_first(data, table[["run", "period", "pool", "added", "reason"]]),
        charts.pool(table, data.names))


def _runs_first(data: Courses, table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the run before, or without it if there is but one."""
    rest = table.drop(columns=["series", "run"], errors="ignore")
    if len(data.runs) > 1:
        rest.insert(0, "run", table["run"])
    return rest


def _pickers(data: Courses) -> list[Topic]:
    """Return the runs whose policies pick their heroes."""
    return _topics(data, {label for label, run in data.runs.items()
                          if run.plan.network.pick_hero})


def _builders(data: Courses) -> list[Topic]:
    """Return the decks of the runs whose policies build them."""
    building = {label for label, run in data.runs.items() if run.plan.builds}
    return [topic._replace(data=Drafts(topic.data, _spread(
        [period_name(k) for k in range(topic.data.periods)])))
        for topic in _topics(data, building)]


def _topics(data: Courses, labels: set[str]) -> list[Topic]:
    """Return some runs; their exhibits are named by their labels, if there are other runs."""
    return [topic._replace(tag=f"-{label}" * (len(data.runs) > 1))
            for label, topic in zip(data.runs, each(data), strict=True) if label in labels]


def _unmet(run: LearningRun) -> str:
    """Return why there are no games of all checkpoints, if there are none."""
    if not run.table("payoff.csv").empty:
        return ""
    if not run.final:
        return "Checkpoints play each other when the run is done."
    if run.plan.payoff_games and run.plan.periods > 1:
        raise RunError(f"{run.path} is damaged: payoff.csv is missing")
    return "Checkpoints did not play each other: the config has payoff_games 0, or one period."


@exhibit("matrix", "Win matrix")
def _matrix(run: LearningRun) -> Drawn:
    table = both_ways(run.table("payoff.csv"))
    names = sorted({*table["checkpoint"]})
    counts = " or ".join(f"{n:,}" for n in sorted({*table["games"]}))
    shown = _spread(names)
    left = f" The table below has {len(shown)} of {len(names)}." if len(shown) < len(names) else ""
    return Drawn((
        "Share of games that the row's checkpoint won against the column's, in %, with 95 %"
        f" Wilson intervals: {counts} games for each pair, with the same shuffles from either"
        f" seat.{left} The file has all pairs. Below the diagonal, blue: the later checkpoint won"
        " more often; orange: the earlier one did."),
        table, charts.matrix(table, names), on_page=_wide_learned(table, shown))


def _spread(names: Sequence[str]) -> list[str]:
    """Return at most WRITTEN names, evenly spread, with the first and the last."""
    if len(names) <= WRITTEN:
        return [*names]
    return [names[round(k * (len(names) - 1) / (WRITTEN - 1))] for k in range(WRITTEN)]


def _wide_learned(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return rows against columns, each cell a rate in % with its interval."""
    cells = {(row["checkpoint"], row["opponent"]): percent(row)
             for row in table.to_dict("records")}
    return pd.DataFrame([{"after period": charts.period_of(checkpoint)} | {
        f"against {charts.period_of(opponent)}": cells.get((checkpoint, opponent), "")
        for opponent in names}
        for checkpoint in names])


REPORT: ReportKind = ReportKind(
    "the results of learning", LearningRun, (
        Chapter("Learning", (_settings, _rates, _means, _losses, _pool)),
        Chapter("Learning", (picks,), _pickers),
        Chapter("Checkpoints", (_matrix,), each, apart=True, needs=_unmet),
        Chapter("Decks that it builds", EXHIBITS, _builders, apart=True)),
    answers, (_rates, _means, _losses), Courses, step="period", began=lambda run: run.periods,
    command="learn")
