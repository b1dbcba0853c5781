"""The sections of a report: every figure with its caption and the table behind it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.agents.genomes.weights import read_weights
from hsevo.agents.registry import genome_of
from hsevo.analysis.examine import Examination
from hsevo.errors import ConfigError
from hsevo.play.specs import short_names
from hsevo.reports import (
    answer,
    charts,
    comparison,
    groups,
    mapped,
    maps,
    noise,
    rated,
    rematch,
    tables,
    trees,
)
from hsevo.reports.answer import Answer
from hsevo.reports.exhibit import PAPER, Exhibit, Section, meanings, percent
from hsevo.reports.tables import KEY, Evolutions
from hsevo.strength.champions import name_of

# Parts that the paper drew.
FIGURES = {"battlefield": f" (as Fig. 6 of {PAPER})", "minion": f" (as Fig. 7 of {PAPER})"}
BOX = ("Boxes: quartiles, with the median; whiskers: the farthest value within 1.5 box heights;"
       " dots: beyond.")


def of_runs(data: Evolutions, number: int | None = None,
            on_section: Callable[[str], object] = lambda name: None,
            examined: Sequence[Examination] = (),
            bests: pd.DataFrame | None = None) -> list[Section]:
    """Return the sections of a report of runs. number: of groups, else by silhouette.

    bests: the rates of each execution's best in new games (strength.bests.rates).
    on_section: called with the name of each section before it is drawn.
    Raises RunError if matches are missing or damaged.
    """
    on_section("the runs")
    luck, pairs = noise.noise(data), tables.last_matches(data)  # first, for they may be damaged
    strength, champion = _strength(data), _champion(data, examined)
    measured = sum(len(section.exhibits) for section in champion) == len(data.names)
    about = [*champion, Section("Runs", [_overview(data, measured)]),
             *comparison.of_series(data)]
    if bests is not None:
        about.insert(0, Section("Bests in new games",
                                rematch.exhibits(data, rematch.keyed(data, bests))))
    sections = [strength, *about] if strength.exhibits else about
    on_section("the evolution")
    sections.append(Section("Evolution", [
        _fitness(data), _lifespans(data), _ages(data), *_newcomers(data), _sigmas(data),
        _champions(data)]))
    sections += mapped.sections(data.runs)
    on_section("strength and luck")
    if not strength.exhibits:
        sections.append(strength)
    sections.append(Section("Luck", _noise(data, luck)))
    where = (f"the last generation's games of the survivors of {_executions(data)}"
             + rated.met(data, pairs))
    alone = len(data.statistics[KEY].drop_duplicates()) == 1
    solutions = _Solutions(data.last(), data.genome, "the last survivors", groups.record(pairs),
                           pairs, where, rated.apart(data), alone, _kind(data))
    return sections + solutions.sections(number, on_section)


def course(data: Evolutions) -> list[Exhibit]:
    """Return strength by generation where it was measured, and fitness."""
    return [*_progress(data), _fitness(data)]


def of_agents(agents: Path, kind: str, tournament: Path | None, number: int | None = None,
              on_section: Callable[[str], object] = lambda name: None,
              ) -> tuple[list[Section], Answer]:
    """Return the sections and the answer of a report of weight vectors, and of their games.

    agents: a file of weights of that kind of agent. tournament: the folder of their games. Raises
    AgentError, RunError, and ConfigError if the games are of other agents.
    """
    genome = genome_of(kind)
    names, weights = read_weights(agents, genome)
    solutions = pd.DataFrame(weights, columns=list(genome.names))
    solutions.insert(0, "series", agents.stem)
    solutions.insert(0, "agent", names)
    pairs = groups.read_games(tournament) if tournament else None
    record = None if pairs is None else groups.record(pairs)
    if record is not None and set(record["agent"]) != set(names):
        stranger = sorted(set(record["agent"]) ^ set(names))[0]
        raise ConfigError(f"{tournament} and {agents} do not hold the same agents: '{stranger}'"
                          " is in one of them alone")
    where = f"all games of {tournament.name}" if tournament else ""
    first = answer.of_agents(agents, kind, names, record, tournament)
    given = _Solutions(solutions, genome, "the given agents", record, pairs, where, kind=kind)
    return given.sections(number, on_section), first


def _strength(data: Evolutions) -> Section:
    """Return the strength by generation; it stands first, if it was measured."""
    return Section("Strength", _progress(data), needs="" if len(data.references) else
                   "Needs external reference opponents: name them in the config, as references, or"
                   " run hsevo benchmark.")


def _champion(data: Evolutions, examined: Sequence[Examination]) -> list[Section]:
    """Return the weights of each series' champion with what each of them means, if there is one."""
    found = [one for name in data.names if (one := answer.champion_of(data, name, examined))]
    exhibits = [_weights_in_words(data, label, one.name, f"-{i}" if i > 1 else "")
                for i, (label, one) in enumerate(found, start=1)]
    return [Section("Champion", exhibits)] if exhibits else []


def _weights_in_words(data: Evolutions, label: str, champion: str, ending: str) -> Exhibit:
    """Return the weights of an individual of a run; ending: of the exhibit's name."""
    run, genome = data.runs[label], data.genome
    people = run.population()
    who = [name_of(run, int(execution), int(one)) == champion for execution, one in zip(
        people["execution"], people["individual"], strict=True)]
    row = people[who].iloc[-1]
    table = pd.DataFrame({
        "weight": genome.names, "value": [float(row[name]) for name in genome.names],
        "what it counts": [genome.glossary[name] for name in genome.names]})
    return Exhibit(f"champion{ending}", f"Weights of {champion}, in words", (
        f"The champion of {label}. Weights are {genome.range_text}; the larger, the more that"
        " counts in what it thinks of an action."), table, on_page=table)


def _overview(data: Evolutions, measured: bool) -> Exhibit:
    """Return how far all executions are; measured: whether new games named each champion."""
    table = tables.overview(data)
    more = ("the champion above was chosen by new games." if measured else
            "re-estimate with hsevo export-best.")
    return Exhibit("runs", "Executions", (
        "How far each execution is, and the best of its last generation: the share of its games"
        " that it won, with the 95 % Wilson interval. It was selected by these very games, so the"
        f" rate is biased upwards; {more}"),
        table, on_page=pd.DataFrame({
            "run": table["run"], "execution": table["execution"], "seed": table["seed"],
            "generations": [f"{n} of {all_}" for n, all_ in zip(table["generations"],
                                                                table["planned"], strict=True)],
            "state": np.where(table["done"], "done", "not finished"),
            "best by fitness": table["individual"], "games": table["games"],
            "won % (95 %)": [percent(row) for row in table.to_dict("records")]}))


def _fitness(data: Evolutions) -> Exhibit:
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
    if any(rating.hall_of_fame or rating.opponents or rating.shares for rating in ratings):
        most = {}  # a hall fills up over the first generations
    return Exhibit("fitness", f"Fitness by generation (as Fig. 2 of {PAPER})", (
        f"{rated.unit(data)} of each generation's survivors in that generation, n ="
        f" {_people(table)} per generation from {_executions(data)}."
        f" {BOX}{_highest(most)} The axis does not begin at 0 if the"
        f" values lie in a narrow band.{rated.compared(data)}"),
        table, charts.boxes_by_generation(table, data.names, "fitness", "fitness", most))


def _highest(most: Mapping[str, Mapping[int, int]]) -> str:
    """Return what the picture says of the highest possible fitness, if it says it."""
    if not most:
        return ""
    return (" The highest possible is dashed, or written above the figure where it is far beyond"
            " the values.")


def _lifespans(data: Evolutions) -> Exhibit:
    table = tables.lifespans(data)
    return Exhibit("lifespans", f"Lifespan and first generation (as Fig. 3 of {PAPER})", (
        "All individuals that ever survived a generation, n ="
        f" {len(table):,}: how many generations later they survived for the last time, and the"
        " first generation that they survived. Of these, the newest population has"
        f" {int(table['alive'].sum()):,}, whose lifespans are those until now. {BOX}"),
        table, charts.boxes_of([("lifespan", "lifespan"), ("first", "first generation")], table,
                               data.names, "generations"))


def _ages(data: Evolutions) -> Exhibit:
    table = tables.survivors(data)
    return Exhibit("ages", f"Ages by generation (as Fig. 4 of {PAPER})", (
        "Age of each generation's survivors: generations since they were born, n ="
        f" {_people(table)} per generation from {_executions(data)}. {BOX}"),
        table.drop(columns="fitness"),
        charts.boxes_by_generation(table, data.names, "age", "age (generations)"))


def _newcomers(data: Evolutions) -> list[Exhibit]:
    table = tables.newcomers(data)
    if table.empty:
        return []
    band = ("Shaded: the 95 % interval of the mean over executions (Student's t), cut where it"
            " is far above all lines."
            if table["low"].notna().any() else "No band: one execution.")
    return [Exhibit("newcomers", f"Newcomers by generation (as Fig. 5 of {PAPER})", (
        "Offspring that entered the population, on average over"
        f" {_executions(data)}. {band}"), table,
        charts.bands(table, data.names, "mean", "newcomers (individuals)"))]


def _sigmas(data: Evolutions) -> Exhibit:
    table = tables.sigmas(data)
    return Exhibit("sigmas", "Sigma by generation", (
        f"The step sizes of the survivors, over all {data.genome.size} weights and"
        f" {_executions(data)}: the median, and shaded from the lower to the upper quartile. In"
        f" the unit of {_unit(data.genome)}.{_of_strategies(data)}"), table,
        charts.bands(table, data.names, "median", "sigma"))


def _of_strategies(data: Evolutions) -> str:
    """Return what sigmas are with strategies whose individuals have none of their own."""
    used = {run.config.evolution.strategy for run in data.runs.values()}
    notes = {"ga": "Strategy ga has no step sizes: 0.",
             "cma-es": "With cma-es, they are those of the distribution that they are drawn from.",
             "cma-me": "With cma-me, they are those of the distributions that they are drawn from.",
             "map-elites": "With map-elites, they are all evolution.mutation_sigma."}
    return "".join(f" {note}" for name, note in notes.items() if name in used)


def _champions(data: Evolutions) -> Exhibit:
    table = tables.champions(data)
    return Exhibit("champions", "Weights of the best by generation", (
        f"The best individual of each generation, from {_executions(data)}. Thin lines:"
        " executions, if there are several; thick lines: their mean. Weights range"
        f" {data.genome.range_text}."), table,
        charts.champion_weights(table, data.names, data.genome), terms=dict(data.genome.glossary))


def _unit(genome: Genome) -> str:
    """Say what the unit of sigmas is."""
    if genome.unit:
        return "the weights, which run from 0 to 1"
    return "each weight's scale, about the width of its bounds"


def _progress(data: Evolutions) -> list[Exhibit]:
    if data.references.empty:
        return []
    columns = [*KEY, "generation", "individual", "opponent", "games", "wins", "draws", "losses",
               "rate", "rate_low", "rate_high", "elo", "elo_low", "elo_high"]
    table, games = data.references[columns], sorted(data.references["games"].unique())
    measured = len(table[KEY].drop_duplicates())
    return [Exhibit("progress", "Absolute strength by generation", (
        "Score of a generation's best against the external reference opponents (a win counts 1, a"
        f" draw half): {' or '.join(f'{n:,}' for n in games)} games per point, from"
        f" {_executions(data, measured)}, with the same deals in every generation. One execution:"
        " bars are"
        " 95 % intervals. Several: thin lines are executions, the thick line is their mean, and"
        " the band its 95 % interval (Student's t), cut at the edge of the figure."), table,
        charts.progress(table, data.names), terms=meanings(short_names(table["opponent"]))),
        _by_games(data, table)]


def _by_games(data: Evolutions, table: pd.DataFrame) -> Exhibit:
    """Return the same measurements by the games that their executions had played until then."""
    played = data.statistics[[*KEY, "generation"]].assign(
        games_played=data.statistics.groupby(KEY)["games"].cumsum())
    by_games = table.merge(played, on=[*KEY, "generation"])[
        [*KEY, "generation", "games_played", "opponent", "rate", "rate_low", "rate_high"]]
    return Exhibit("progress-by-games", "Absolute strength by games played", (
        "The same measurements by the games of fitness that an execution had played until then, so"
        " that series with different budgets can be compared. Thin lines: executions, if there are"
        " several; thick lines: their mean at the mean games of a generation."), by_games,
        charts.progress_by_games(by_games, data.names))


def _noise(data: Evolutions, table: pd.DataFrame) -> list[Exhibit]:
    if table.empty:
        return []
    shares = noise.share(table)
    late = shares[shares["generation"]
                  >= shares.groupby("series")["generation"].transform("max") / 2]
    total = late.groupby(["series", "who"], as_index=False, sort=False)[
        ["observed", "noise"]].sum(min_count=1)
    said = "; ".join((f"{row['series']}, " if len(data.names) > 1 else "")
                     + f"{charts.SHOWN[row['who']]} {_part(row['noise'], row['observed'])}"
                     for row in total.to_dict("records"))
    return [Exhibit("noise", "How much of the differences is luck", (
        "Standard deviation of the win rates between individuals of a generation (solid), and what"
        " luck alone would give (dashed), from"
        f" {_executions(data)}; the axis is logarithmic unless all is 0. {_luck(data, table)}"
        f" Luck's share of the variance, over the second half of the generations: {said}."), table,
        charts.luck(shares, data.names))]


def _part(luck: float, observed: float) -> str:
    if not luck >= 0:
        return "unknown, as each has one game"
    return f"{100 * luck / observed:.0f} %" if observed else "unknown, as all rates are equal"


def _luck(data: Evolutions, table: pd.DataFrame) -> str:
    """Return how luck was estimated; table: `noise.noise`."""
    ratings = [run.config.rating for run in data.runs.values()]
    pairs = ", with what one wins the other loses" * any(one.coevolves for one in ratings)
    said = [f"Luck is the binomial variance within matches{pairs} (the formula is in the docs' page"
            " on statistics)."]
    if table["noise"].isna().any():
        said.append("Where matches have one game, the plain binomial variance, r(1−r)/(G−1), stands"
                    " in for it; it is larger.")
    if any(rating.common_random_numbers for rating in ratings):
        said.append("With common random numbers all share the luck of the deals, so this estimate"
                    " is too large.")
    if any(map(rated.weighs, ratings)):
        said.append("All games count alike here, whatever the shares of their opponents.")
    if (table["who"] == "parents").any():
        said.append("Parents are rated again with new games; new survivors are also selected for"
                    " their luck.")
    return " ".join(said)


@dataclass(frozen=True)
class _Solutions:
    """Solutions that a report shows, and the games that compare them."""

    people: pd.DataFrame  # agent, series, weights of the genome
    genome: Genome
    who: str  # they are, in words
    record: pd.DataFrame | None  # results of each with each deck pair; None: there are no games
    pairs: pd.DataFrame | None  # the same for each pair of them
    where: str  # the games are from, in words
    apart: str = ""  # what is to be said if not all of them met
    relatives: bool = False  # all are of one execution
    kind: str = ""  # of agents; "": their weights are not all of an agent's, so no file of agents

    def sections(self, number: int | None, on_section: Callable[[str], object]) -> list[Section]:
        """Return the sections on weights, decks and groups; number: of groups."""
        on_section("the solutions")
        shown = [_weights(self.people, self.genome, part, self.who) for part in self.genome.parts]
        first = [Section("Weights of the solutions", shown), *self._decks()]
        on_section("the groups")
        return [*first, self._groups(number)]

    def _decks(self) -> list[Section]:
        if self.record is None:
            return []
        matrix = groups.deck_matrix(self.record)
        return [Section("Decks", [Exhibit(
            "decks", "Victories by deck pair (as Table 4)", (
                f"Share of games that the row's deck won against the column's: {self.where}; on"
                f" average {matrix['games'].mean():,.0f} games per cell. The table has 95 % Wilson"
                " intervals, in per cent."), matrix, maps.deck_matrix(matrix),
            on_page=_wide(matrix))])]

    def _groups(self, number: int | None) -> Section:
        people, title = self.people, "Groups of solutions"
        vectors = people[list(self.genome.names)].to_numpy(np.float64) / self.genome.scale
        found = groups.cluster(list(people["agent"]), vectors, number)
        if found is None:
            return Section(title, [], needs="Needs at least four different solutions.")
        exhibits = [_tree(found, people, self.genome, self.kind), _silhouettes(found),
                    _centres(found, people, self.genome)]
        missing = []
        if self.record is None:
            missing.append("To compare how the groups play, give their games: --tournament DIR,"
                           " from hsevo arena --runs.")
        else:
            exhibits.append(_against_all(self.record, found, self.apart))
        if self.pairs is not None:
            exhibits += _head_to_head(self.pairs, found, self.apart)
        needs = (f"Needs several executions: these {len(people)} solutions are relatives, from"
                 " one." if self.relatives else "")
        return Section(title, exhibits, " ".join(missing), needs)


def _weights(people: pd.DataFrame, genome: Genome, part: str, who: str) -> Exhibit:
    words, columns = genome.parts[part]
    sizes = people.groupby("series", sort=False).size()
    kept = [column for column in ("series", "agent", "run", "execution", "generation",
                                  "individual") if column in people]
    count = ", ".join(f"{size} of {label}" for label, size in sizes.items())
    count = f" ({count})" if len(sizes) > 1 else ""
    return Exhibit(f"weights-{part}", f"Weights that score {words}{FIGURES.get(part, '')}", (
        f"Weights of {who}, n = {len(people)}{count}, {genome.range_text}. {BOX}"),
        people[[*kept, *columns]],
        charts.boxes_of([(column, column) for column in columns], people, list(sizes.index),
                        "weight"),
        terms={column: genome.glossary[column] for column in columns})


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


def _tree(grouping: groups.Groups, people: pd.DataFrame, genome: Genome, kind: str) -> Exhibit:
    name, sign, options = kind.partition("?")
    agents = (f", and is a file of agents: hsevo arena --runs {name}:groups.csv{sign}{options} has"
              " all play against all" * bool(kind))
    cut = int(grouping.members["group"].max())
    return Exhibit("groups", f"Groups by Ward's method (as Fig. 8 of {PAPER})", (
        f"Euclidean distances between the {genome.size} weights of n = {len(people)} solutions"
        f"{'' if genome.unit else ', each in the unit of its scale'}. Cut into {cut} groups,"
        " numbered from the left, with their sizes below. The table also has the weights"
        f"{agents}."),
        grouping.members.merge(people[["agent", "series", *genome.names]], on="agent"),
        trees.tree(grouping))


def _silhouettes(grouping: groups.Groups) -> Exhibit:
    cut = int(grouping.members["group"].max())
    best = grouping.silhouettes.set_index("groups")["silhouette"]
    said = f"{best[cut]:.3f}" if cut in best else "unknown"
    return Exhibit("silhouettes", "How many groups", (
        "Mean silhouette of each cut of the tree (1: clearly separated; 0: not at all). Cut into"
        f" {cut} groups, with a silhouette of {said}: the first peak unless --groups says"
        f" otherwise. The highest of those tried is {best.max():.3f} at {best.idxmax()}."),
        grouping.silhouettes, trees.silhouettes(grouping))


def _centres(grouping: groups.Groups, people: pd.DataFrame, genome: Genome) -> Exhibit:
    members = people.merge(grouping.members, on="agent").groupby("group")
    table = members[list(genome.names)].mean()
    wide = table.T.rename_axis("weight").add_prefix("group ").reset_index()
    return Exhibit("centres", "Centres of the groups", "Mean weight of each group's solutions.",
                   wide.rename_axis(columns=None), on_page=wide.round(3),
                   terms=dict(genome.glossary))


def _against_all(record: pd.DataFrame, grouping: groups.Groups, apart: str) -> Exhibit:
    table = groups.against_all(record, grouping.members)
    count = int(grouping.members["group"].max())
    return Exhibit("groups-against-all", f"Groups with the same deck (as Fig. 9 of {PAPER})", (
        "Two groups compared, each with the row's deck against anyone with the column's: the"
        f" win rates of their solutions. {_tests(table)}{apart}"), table,
        maps.behaviour(table, count, *maps.decks_of(record), "opponent's deck, whoever plays it"))


def _head_to_head(pairs: pd.DataFrame, grouping: groups.Groups, apart: str) -> list[Exhibit]:
    table = groups.head_to_head(pairs, grouping.members)
    if table.empty:
        return []
    count = int(grouping.members["group"].max())
    return [Exhibit("groups-head-to-head", f"Groups against each other (as Fig. 10 of {PAPER})", (
        "Two groups in the games between them: the first group's win rates with the row's deck,"
        " and the second's with the column's. The samples come from the same games, so p is"
        f" too small. {_tests(table)}{apart}"), table,
        maps.behaviour(table, count, *maps.decks_of(table), "second group's deck"))]


def _tests(table: pd.DataFrame) -> str:
    found, left = (int((table[name] < groups.ALPHA).sum()) for name in ("p", "p_adjusted"))
    return (f"Colour: p of a two-sided Wilcoxon rank-sum test, blue where the first group wins"
            f" more; framed: p < {groups.ALPHA:g} ({found} of {len(table)} tests, {left} after"
            " Benjamini and Hochberg's correction). n and medians are in the table.")


def _people(table: pd.DataFrame) -> str:
    """Return how many individuals a generation has, over all executions of a series."""
    sizes = table.groupby(["series", "generation"]).size()
    least, most = sizes.min(), sizes.max()
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def _executions(data: Evolutions, count: int = 0) -> str:
    """Say how many executions, of all by default."""
    count = count or len(data.statistics[KEY].drop_duplicates())
    return f"{count} execution{'s' if count > 1 else ''}"
