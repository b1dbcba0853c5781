"""The report on runs of hsevo evolve, and on files of agents: strength, evolution, groups.

    run folders --REPORT--> ReportedEvolutions --> ReportSection, Answer --> page.py
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.agents.genomes.weights import read_weights
from hsevo.agents.registry import genome_of
from hsevo.errors import ConfigError
from hsevo.play.specs import short_names
from hsevo.reports import (
    answer,
    charts,
    comparison,
    groups,
    maps,
    noise,
    rated,
    strategy_states,
    tables,
)
from hsevo.reports.exhibit import (
    PAPER,
    Answer,
    Besides,
    Chapter,
    Drawn,
    ReportKind,
    ReportSection,
    Say,
    Topic,
    exhibit,
    meanings,
    percent,
    sections,
)
from hsevo.reports.tables import KEY, Evolutions
from hsevo.runs.folder import RunFolder
from hsevo.strength.champions import name_of

# Parts that the paper drew.
FIGURES = {"battlefield": f" (as Fig. 6 of {PAPER})", "minion": f" (as Fig. 7 of {PAPER})"}
BOX = ("Boxes: quartiles, with the median; whiskers: the farthest value within 1.5 box heights;"
       " dots: beyond.")


@dataclass(frozen=True)
class ReportedEvolutions(Evolutions):
    """Runs, and what their report is asked for besides them."""

    besides: Besides

    @classmethod
    def joined(cls, data: Evolutions, besides: Besides) -> ReportedEvolutions:
        """Return the report on runs."""
        return cls(data.runs, data.series, data.population, data.statistics, data.references,
                   besides)

    @cached_property
    def luck(self) -> pd.DataFrame:
        """The luck in fitness; see noise.noise. Raises RunError."""
        return noise.noise(self)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The last matches of the survivors; see tables.last_matches. Raises RunError."""
        return tables.last_matches(self)

    @cached_property
    def bests(self) -> pd.DataFrame | None:
        """The rates of each execution's best in new games, if they were asked for."""
        if self.besides.rematch is not None:
            _ = self.luck, self.pairs  # first, because their matches may be damaged
        return self.rematched

    @property
    def rematched(self) -> pd.DataFrame | None:
        """The same, without a look at the matches."""
        rematch = self.besides.rematch
        return None if rematch is None else comparison.keyed(self, rematch(self.runs))

    @cached_property
    def champions(self) -> list[tuple[str, str]]:
        """The label of the run and the name of each series' champion, of those that have one."""
        measured = (answer.champion_of(self, name, self.besides.examined) for name in self.names)
        return [(label, lead.name) for label, lead in filter(None, measured)]

    @cached_property
    def solutions(self) -> Solutions:
        """The last survivors. Raises RunError."""
        where = (f"the last generation's games of the survivors of {_executions(self)}"
                 + rated.met(self, self.pairs))
        alone = len(self.statistics[KEY].drop_duplicates()) == 1
        return Solutions(self.last(), self.genome, "the last survivors", self.pairs, where,
                         self.besides.groups, rated.apart(self), alone, _kind(self))


def of_agents(agents: Path, kind: str, tournament: Path | None, number: int | None = None,
              say: Say = lambda title: None) -> tuple[list[ReportSection], Answer]:
    """Return the sections and the answer of a report of weight vectors, and of their games.

    agents: a file of weights of that kind of agent. tournament: the folder of their games. Raises
    AgentError, RunError, and ConfigError if the games are of other agents.
    """
    genome = genome_of(kind)
    names, weights = read_weights(agents, genome)
    people = pd.DataFrame(weights, columns=list(genome.names))
    people.insert(0, "series", agents.stem)
    people.insert(0, "agent", names)
    pairs = groups.read_games(tournament) if tournament else None
    record = None if pairs is None else groups.record(pairs)
    if record is not None and set(record["agent"]) != set(names):
        stranger = sorted(set(record["agent"]) ^ set(names))[0]
        raise ConfigError(f"{tournament} and {agents} have different agents: '{stranger}' is only"
                          " in one of them")
    where = f"all games of {tournament.name}" if tournament else ""
    first = answer.of_agents(agents, kind, names, record, tournament)
    solutions = Solutions(people, genome, "the given agents", pairs, where, number, kind=kind)
    return sections(SOLUTIONS, solutions, say), first


class SeriesChampion(NamedTuple):
    """The champion of a series: the label of its run, the run, and its name."""

    label: str
    run: RunFolder
    name: str


def _champions(report: ReportedEvolutions) -> list[Topic]:
    return [Topic(SeriesChampion(label, report.runs[label], name), f"-{i}" * (i > 1))
            for i, (label, name) in enumerate(report.champions, start=1)]


@exhibit("champion")
def _weights_in_words(champion: SeriesChampion) -> Drawn:
    """Show the weights of the champion with what each of them means."""
    label, run, champion_name = champion
    genome = run.genome
    people = run.table(run.names[0])
    who = [name_of(run, int(execution), int(individual)) == champion_name
           for execution, individual in zip(people["execution"], people["individual"],
                                            strict=True)]
    row = people[who].iloc[-1]
    table = pd.DataFrame({
        "weight": genome.names, "value": [float(row[name]) for name in genome.names],
        "meaning": [genome.glossary[name] for name in genome.names]})
    return Drawn((
        f"The champion of {label}. Weights are {genome.range_text}. The larger a weight, the more"
        " it counts in the score of an action."), table, on_page=table,
        title=f"Weights of {champion_name}, in words")


@exhibit("runs", "Executions")
def _overview(report: ReportedEvolutions) -> Drawn:
    """Show how far all executions are."""
    table = tables.overview(report)
    measured = len(report.champions) == len(report.names)
    more = ("the champion above was selected by new games." if measured else
            "re-estimate with hsevo export-best.")
    advised = any(run.methods.recommends for run in report.runs.values())
    unless = " unless your own strategy recommended it" * advised
    return Drawn((
        "Progress of each execution, and the share of games won by the best individual of its"
        " last generation, with the 95 % Wilson interval. The individual was selected by these"
        f" games, so the rate is biased upwards{unless}; {more}"),
        table, on_page=pd.DataFrame({
            "run": table["run"], "execution": table["execution"], "seed": table["seed"],
            "generations": [f"{n} of {all_}" for n, all_ in zip(table["generations"],
                                                                table["planned"], strict=True)],
            "state": np.where(table["done"], "done", "not finished"),
            "best by fitness": table["individual"], "games": table["games"],
            "won % (95 %)": [percent(row) for row in table.to_dict("records")]}))


@exhibit("fitness", f"Fitness by generation (as Fig. 2 of {PAPER})")
def _fitness(data: Evolutions) -> Drawn:
    table, most = tables.survivors(data), {}
    for label, series in data.series.items():
        plan = data.runs[label].config
        each = plan.games * len(plan.decks) ** 2
        ends = data.population[data.population["series"] == series]
        rivals = ends.groupby(["run", "execution", "generation"])["individual"].count()
        size = rivals.groupby("generation").max() - 1 + plan.rating.hall_of_fame
        numbers, rivals_of = size.index.to_numpy(), size.to_numpy()
        most[series] = dict(zip(numbers.tolist(), (rivals_of * each).tolist(), strict=True))
    ratings = [run.config.rating for run in data.runs.values()]
    if any(rating.hall_of_fame or rating.opponents or rating.shares or rating.fitness
           for rating in ratings):
        most = {}  # a hall fills up over the first generations
    counted = not any(rating.fitness for rating in ratings)
    return Drawn((
        f"{rated.unit(data)} of each generation's survivors in that generation, n ="
        f" {_people(table)} per generation from {_executions(data)}."
        f" {BOX}{_highest(most)} The axis does not begin at 0 if the"
        f" values lie in a narrow band.{rated.compared(data)}"),
        table, charts.boxes_by_generation(table, data.names, "fitness", "fitness", most, counted))


def _highest(most: Mapping[str, Mapping[int, int]]) -> str:
    """Return what the picture says of the highest possible fitness, if it says it."""
    if not most:
        return ""
    return (" The highest possible value is dashed, or written above the figure if it is far above"
            " the data.")


@exhibit("lifespans", f"Lifespan and first generation (as Fig. 3 of {PAPER})")
def _lifespans(data: Evolutions) -> Drawn | None:
    if not _have(data, "has_ages"):
        return None
    table = tables.lifespans(data)
    return Drawn((
        f"All individuals that survived at least one generation, n = {len(table):,}. Lifespan: the"
        " number of generations from their first to their last survival."
        f" {int(table['alive'].sum()):,} of them are in the newest population, so their lifespans"
        f" are not final. {BOX}"),
        table, charts.boxes_of([("lifespan", "lifespan"), ("first", "first generation")], table,
                               data.names, "generations"))


@exhibit("ages", f"Ages by generation (as Fig. 4 of {PAPER})")
def _ages(data: Evolutions) -> Drawn | None:
    if not _have(data, "has_ages"):
        return None
    table = tables.survivors(data)
    return Drawn((
        f"Age of each generation's survivors in generations, n = {_people(table)} per generation"
        f" from {_executions(data)}. {BOX}"),
        table.drop(columns="fitness"),
        charts.boxes_by_generation(table, data.names, "age", "age (generations)"))


@exhibit("newcomers", f"Newcomers by generation (as Fig. 5 of {PAPER})")
def _newcomers(data: Evolutions) -> Drawn | None:
    table = tables.newcomers(data)
    if table.empty or not _have(data, "has_ages"):
        return None
    band = ("Shaded: the 95 % interval of the mean over executions (Student's t), cut where it"
            " is far above all lines."
            if table["low"].notna().any() else "No band: one execution.")
    return Drawn((
        "Offspring that entered the population, on average over"
        f" {_executions(data)}. {band}"), table,
        charts.bands(table, data.names, "mean", "newcomers (individuals)"))


@exhibit("sigmas", "Sigma by generation")
def _sigmas(data: Evolutions) -> Drawn | None:
    if not _have(data, "has_sigmas"):
        return None
    table = tables.sigmas(data)
    return Drawn((
        f"The step sizes of the survivors, over all {data.genome.size} weights and"
        f" {_executions(data)}: the median, and shaded from the lower to the upper quartile. In"
        f" the unit of {_unit(data.genome)}.{_of_strategies(data)}"), table,
        charts.bands(table, data.names, "median", "sigma"))


def _have(data: Evolutions, what: str) -> bool:
    """Return whether the individuals of some strategy have ages or sigmas."""
    return any(getattr(run.config.evolution, what) for run in data.runs.values())


def _of_strategies(data: Evolutions) -> str:
    """Return what sigmas are with strategies whose individuals have none of their own."""
    plans = [run.config.evolution for run in data.runs.values()]
    used = {"own" if plan.own else plan.strategy for plan in plans}
    notes = {"ga": "Strategy ga has no step sizes: 0.",
             "own": "Your own strategies have no step sizes.",
             "cma-es": "With cma-es, step sizes belong to the distribution that individuals are"
                       " drawn from.",
             "cma-me": "With cma-me, step sizes belong to the distributions that individuals are"
                       " drawn from.",
             "map-elites": "With map-elites, all step sizes equal evolution.mutation_sigma."}
    return "".join(f" {note}" for name, note in notes.items() if name in used)


@exhibit("champions", "Weights of the best by generation")
def _bests(data: Evolutions) -> Drawn:
    table = tables.champions(data)
    return Drawn((
        f"Weights of the best individual of each generation, from {_executions(data)}. Thin lines:"
        " executions, if there are several. Thick lines: their mean. Weights range"
        f" {data.genome.range_text}."), table,
        charts.champion_weights(table, data.names, data.genome), terms=dict(data.genome.glossary))


def _unit(genome: Genome) -> str:
    """Say what the unit of sigmas is."""
    if genome.unit:
        return "the weights, which run from 0 to 1"
    return "each weight's scale, about the width of its bounds"


def _strength(data: Evolutions) -> pd.DataFrame:
    """Return what was measured against the external reference opponents."""
    return data.references[[*KEY, "generation", "individual", "opponent", "games", "wins", "draws",
                            "losses", "rate", "rate_low", "rate_high", "elo", "elo_low",
                            "elo_high"]]


@exhibit("progress", "Absolute strength by generation")
def _progress(data: Evolutions) -> Drawn | None:
    if data.references.empty:
        return None
    table, games = _strength(data), sorted(data.references["games"].unique())
    measured = len(table[KEY].drop_duplicates())
    return Drawn((
        "Score of a generation's best against the external reference opponents (a win counts 1, a"
        f" draw half): {' or '.join(f'{n:,}' for n in games)} games per point, from"
        f" {_executions(data, measured)}, with the same shuffles in every generation. One"
        " execution: bars are 95 % intervals. Several executions: thin lines are executions, the"
        " thick line is their mean, and the band its 95 % interval (Student's t), cut at the edge"
        " of the figure."), table,
        charts.progress(table, data.names), terms=meanings(short_names(table["opponent"])))


@exhibit("progress-by-games", "Absolute strength by games played")
def _by_games(data: Evolutions) -> Drawn | None:
    """Show the same measurements by the games that their executions had played until then."""
    if data.references.empty:
        return None
    played = data.statistics[[*KEY, "generation"]].assign(
        games_played=data.statistics.groupby(KEY)["games"].cumsum())
    by_games = _strength(data).merge(played, on=[*KEY, "generation"])[
        [*KEY, "generation", "games_played", "opponent", "rate", "rate_low", "rate_high"]]
    return Drawn((
        "The same measurements by the number of fitness games that an execution had played, so"
        " that series with different budgets can be compared. Thin lines: executions, if there are"
        " several; thick lines: their mean at the mean games of a generation."), by_games,
        charts.progress_by_games(by_games, data.names))


@exhibit("noise", "Share of luck in the differences")
def _noise(data: ReportedEvolutions) -> Drawn | None:
    if (table := data.luck).empty:
        return None
    shares = noise.share(table)
    late = shares[shares["generation"]
                  >= shares.groupby("series")["generation"].transform("max") / 2]
    total = late.groupby(["series", "who"], as_index=False, sort=False)[
        ["observed", "noise"]].sum(min_count=1)
    said = "; ".join((f"{row['series']}, " if len(data.names) > 1 else "")
                     + f"{charts.SHOWN[row['who']]} {_part(row['noise'], row['observed'])}"
                     for row in total.to_dict("records"))
    return Drawn((
        "Standard deviation of the win rates between individuals of a generation (solid), and the"
        f" value expected from luck alone (dashed), from {_executions(data)}; the axis is "
        f"logarithmic unless all is 0. {_luck(data, table)} Luck's share of the variance, over the"
        f" second half of the generations: {said}."), table,
        charts.luck(shares, data.names))


def _part(luck: float, observed: float) -> str:
    if not luck >= 0:
        return "unknown, because each individual has one game"
    return f"{100 * luck / observed:.0f} %" if observed else "unknown, because all rates are equal"


def _luck(data: Evolutions, table: pd.DataFrame) -> str:
    """Return how luck was estimated, from the table of `noise.noise`."""
    ratings = [run.config.rating for run in data.runs.values()]
    pairs = ("; one individual's win is the other's loss"
             * any(rating.coevolves for rating in ratings))
    said = [f"Luck is the binomial variance within matches{pairs} (the formula is in the docs' page"
            " on statistics)."]
    if table["noise"].isna().any():
        said.append("Where matches have one game, the plain binomial variance, r(1−r)/(G−1), is"
                    " used instead, which is larger.")
    if any(rating.common_random_numbers for rating in ratings):
        said.append("With common random numbers all individuals share the luck of the shuffles, so"
                    " this estimate is too large.")
    if any(map(rated.weighs, ratings)):
        said.append("All games have equal weight here, whatever the shares of their opponents.")
    if (table["who"] == "parents").any():
        said.append("Parents are re-evaluated with new games; new survivors are also selected for"
                    " their luck.")
    return " ".join(said)


@dataclass(frozen=True)
class Solutions:
    """Solutions that a report shows, and the games that compare them."""

    people: pd.DataFrame  # agent, series, weights of the genome
    genome: Genome
    who: str  # they are, in words
    pairs: pd.DataFrame | None  # results of each pair by deck pair; None: there are no games
    where: str  # the games are from, in words
    number: int | None = None  # of groups; None: by silhouette
    apart: str = ""  # what is to be said if not all of them met
    relatives: bool = False  # all are of one execution
    kind: str = ""  # of agents; "": their weights are not all of an agent's, so no file of agents

    @property
    def solutions(self) -> Solutions:
        """Itself: a report on solutions alone shows what a report on runs shows of them."""
        return self

    @cached_property
    def record(self) -> pd.DataFrame | None:
        """The results of each with each deck pair; None if there are no games."""
        return None if self.pairs is None else groups.record(self.pairs)

    @cached_property
    def grouping(self) -> groups.Groups | None:
        """The groups; None if there are too few different solutions."""
        vectors = self.people[list(self.genome.names)].to_numpy(np.float64) / self.genome.scale
        return groups.cluster(list(self.people["agent"]), vectors, self.number)

    @property
    def grouped(self) -> groups.Groups:
        """The groups, where there are any."""
        assert self.grouping is not None
        return self.grouping


HasSolutions: TypeAlias = ReportedEvolutions | Solutions


def _parts_of_weights(report: HasSolutions) -> list[Topic]:
    return [Topic((report.solutions, part), f"-{part}") for part in report.solutions.genome.parts]


def _played(report: HasSolutions) -> list[Topic]:
    """Return the solutions if there are games of them."""
    return [] if report.solutions.pairs is None else [Topic(report.solutions)]


def _too_few(report: HasSolutions) -> str:
    few = report.solutions.grouping is None
    return "Needs at least four different solutions." if few else ""


def _missing(report: HasSolutions) -> str:
    """Return what the groups lack to be compared."""
    if report.solutions.pairs is not None:
        return ""
    return ("To compare how the groups play, make their games with hsevo arena --runs and give"
            " them with --tournament DIR.")


def _relatives(report: HasSolutions) -> str:
    if not report.solutions.relatives:
        return ""
    return (f"Needs several executions: these {len(report.solutions.people)} solutions are"
            " related, because they are from one.")


@exhibit("weights")
def _weights(some: tuple[Solutions, str]) -> Drawn:
    """Show a part of the weights of solutions."""
    solutions, part = some
    people, genome = solutions.people, solutions.genome
    words, columns = genome.parts[part]
    sizes = people.groupby("series", sort=False).size()
    identifiers = [column for column in ("series", "agent", "run", "execution", "generation",
                                         "individual") if column in people]
    count = ", ".join(f"{size} of {label}" for label, size in sizes.items())
    count = f" ({count})" if len(sizes) > 1 else ""
    return Drawn((
        f"Weights of {solutions.who}, n = {len(people)}{count}, {genome.range_text}. {BOX}"),
        people[[*identifiers, *columns]],
        charts.boxes_of([(column, column) for column in columns], people, list(sizes.index),
                        "weight"),
        terms={column: genome.glossary[column] for column in columns},
        title=f"Weights that score {words}{FIGURES.get(part, '')}")


@exhibit("decks", "Victories by deck pair (as Table 4)")
def _decks(solutions: Solutions) -> Drawn:
    assert solutions.record is not None
    matrix = groups.deck_matrix(solutions.record)
    return Drawn((
        f"Share of games that the row's deck won against the column's: {solutions.where}; on"
        f" average {matrix['games'].mean():,.0f} games per cell. The table has 95 % Wilson"
        " intervals, in per cent."), matrix, maps.deck_matrix(matrix), on_page=_wide(matrix))


def _wide(matrix: pd.DataFrame) -> pd.DataFrame:
    """Lay `groups.deck_matrix` out as the paper's Table 4: row name wins against column name."""
    said = matrix.assign(said=[percent(row) for row in matrix.to_dict("records")]).pivot(
        index="deck", columns="opponent_deck", values="said")
    decks, theirs = maps.decks_of(matrix)
    return said.loc[decks, theirs].add_prefix("against ").rename_axis(columns=None).reset_index()


def _kind(data: Evolutions) -> str:
    """Return the kind of agents whose weights all evolved, the same for all decks, or ""."""
    agent = next(iter(data.runs.values())).config.agent
    return agent.kind if data.genome.whole is None and agent.genome == "one" else ""


@exhibit("groups", f"Groups by Ward's method (as Fig. 8 of {PAPER})")
def _tree(solutions: Solutions) -> Drawn:
    genome, kind, grouping = solutions.genome, solutions.kind, solutions.grouped
    name, sign, options = kind.partition("?")
    agents = (f", and is a file of agents: hsevo arena --runs {name}:groups.csv{sign}{options}"
              " plays a round robin of them" * bool(kind))
    cut = int(grouping.members["group"].max())
    return Drawn((
        f"Euclidean distances between the {genome.size} weights of n = {len(solutions.people)}"
        f" solutions{'' if genome.unit else ', each in the unit of its scale'}. Cut into {cut}"
        " groups, numbered from the left, with their sizes below. The table also has the weights"
        f"{agents}."),
        grouping.members.merge(solutions.people[["agent", "series", *genome.names]], on="agent"),
        groups.tree(grouping))


@exhibit("silhouettes", "How many groups")
def _silhouettes(solutions: Solutions) -> Drawn:
    grouping = solutions.grouped
    cut = int(grouping.members["group"].max())
    best = grouping.silhouettes.set_index("groups")["silhouette"]
    said = f"{best[cut]:.3f}" if cut in best else "unknown"
    return Drawn((
        "Mean silhouette of each cut of the tree (1: clearly separated; 0: not at all). The"
        f" report cuts it into {cut} groups, with a silhouette of {said}: the first peak, unless"
        f" you set --groups. The highest of those tried is {best.max():.3f} at {best.idxmax()}."),
        grouping.silhouettes, groups.silhouettes(grouping))


@exhibit("centres", "Centres of the groups")
def _centres(solutions: Solutions) -> Drawn:
    genome = solutions.genome
    members = solutions.people.merge(solutions.grouped.members, on="agent").groupby("group")
    table = members[list(genome.names)].mean()
    wide = table.T.rename_axis("weight").add_prefix("group ").reset_index()
    return Drawn("Mean weight of each group's solutions.", wide.rename_axis(columns=None),
                 on_page=wide.round(3), terms=dict(genome.glossary))


@exhibit("groups-against-all", f"Groups with the same deck (as Fig. 9 of {PAPER})")
def _against_all(solutions: Solutions) -> Drawn | None:
    if solutions.record is None:
        return None
    table = groups.against_all(solutions.record, solutions.grouped.members)
    count = int(solutions.grouped.members["group"].max())
    return Drawn((
        "Two groups compared by the win rates of their solutions with the row's deck against any"
        f" player of the column's deck. {_tests(table)}{solutions.apart}"), table,
        maps.behaviour(table, count, *maps.decks_of(solutions.record),
                       "opponent's deck, whoever plays it"))


@exhibit("groups-head-to-head", f"Groups against each other (as Fig. 10 of {PAPER})")
def _head_to_head(solutions: Solutions) -> Drawn | None:
    if solutions.pairs is None:
        return None
    table = groups.head_to_head(solutions.pairs, solutions.grouped.members)
    if table.empty:
        return None
    count = int(solutions.grouped.members["group"].max())
    return Drawn((
        "Two groups in the games between them: the first group's win rates with the row's deck,"
        " and the second group's with the column's deck. The samples come from the same games, so"
        f" p is too small. {_tests(table)}{solutions.apart}"), table,
        maps.behaviour(table, count, *maps.decks_of(table), "second group's deck"))


def _tests(table: pd.DataFrame) -> str:
    significant, corrected = (int((table[name] < groups.ALPHA).sum())
                              for name in ("p", "p_adjusted"))
    return (f"Colour: p of a two-sided Wilcoxon rank-sum test, blue where the first group wins"
            f" more; framed: p < {groups.ALPHA:g} ({significant} of {len(table)} tests,"
            f" {corrected} after Benjamini and Hochberg's correction). n and medians are in the"
            " table.")


def _people(table: pd.DataFrame) -> str:
    """Return how many individuals a generation has, over all executions of a series."""
    sizes = table.groupby(["series", "generation"]).size()
    least, most = sizes.min(), sizes.max()
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def _executions(data: Evolutions, count: int = 0) -> str:
    """Return the number of executions in words; all of them by default."""
    count = count or len(data.statistics[KEY].drop_duplicates())
    return f"{count} execution{'s' if count > 1 else ''}"


def _when_measured(data: Evolutions) -> list[Topic]:
    """Return the runs, if their strength was measured."""
    return [] if data.references.empty else [Topic(data)]


def _when_unmeasured(data: Evolutions) -> list[Topic]:
    return [Topic(data)] if data.references.empty else []


SOLUTIONS = (
    Chapter("Weights of the solutions", (_weights,), _parts_of_weights),
    Chapter("Decks", (_decks,), _played),
    Chapter("Groups of solutions", (_tree, _silhouettes, _centres, _against_all, _head_to_head),
         lambda report: [Topic(report.solutions)], needs=_too_few, note=_missing,
         folded=_relatives))
REPORT: ReportKind = ReportKind(
    "what evolved", RunFolder, (
        Chapter("Strength", (_progress, _by_games), _when_measured),
        comparison.PLAYED_AGAIN,
        Chapter("Champion", (_weights_in_words,), _champions),
        Chapter("Runs", (_overview,)),
        comparison.SIDE_BY_SIDE,
        Chapter("Evolution", (_fitness, _lifespans, _ages, _newcomers, _sigmas,
                              strategy_states.cma_es, strategy_states.logged, _bests)),
        *maps.MAPS,
        Chapter("Strength", (), _when_unmeasured, needs=(
            "Needs external reference opponents: name them in the config under references, or run"
            " hsevo benchmark.")),
        Chapter("Luck", (_noise,)),
        *SOLUTIONS),
    lambda report: answer.of_runs(report, report.besides.arenas, report.besides.examined,
                                  report.rematched),
    (_progress, _by_games, _fitness), Evolutions, step="generation",
    began=lambda run: run.start is not None, command="evolve", joined=ReportedEvolutions.joined,
    series_named=True, population=True)
