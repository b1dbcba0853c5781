"""Ten executions of the paper's experiment beside the ten that its authors published.

    hsevo evolve --config cig2018 --executions 10 --out RUN
    python -m studies.ten_runs agents RUN FILE.csv
    hsevo arena --runs FILE.csv --ruleset cig2018 --games 36 --out GAMES
    python -m studies.ten_runs compare RUN GAMES

`agents` writes the last populations of both, 200 vectors of weights, which then meet each other.
`compare` writes what the docs quote and draw into studies/data, draws Figures 6 to 10, and prints
the tables. An execution is what is independent: intervals of means are Student's over executions,
and weights are compared by the medians of executions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import false_discovery_control, mannwhitneyu
from scipy.stats import t as student

import hsevo
from hsevo.agents.registry import genome_of
from hsevo.pictures import COLOURS, INK, Picture, picture
from hsevo.reports import charts, groups, maps, tables
from hsevo.reports.sections import REPORT
from studies import DATA, ROOT
from studies.published_tournament import PUBLISHED, TABLE_4

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

Array: TypeAlias = npt.NDArray[Any]

IMAGES = ROOT / "docs" / "pages" / "images"
VECTORS, TESTS = DATA / "ten_runs.csv", DATA / "ten_runs_tests.csv"
FIELDS = ("published", "here")
NUMBER = 4  # groups, as in the paper
DECKS = ["warrior", "mage", "shaman"]  # in the order of Table 4
PARTS = {"battlefield": "the changes of a move (Fig. 6)", "minion": "a minion (Fig. 7)"}
KINDS = {"against-all": "opponent's deck, whoever plays it", "head-to-head": "second group's deck"}
WEIGHTS = list(genome_of("eva").names)
KEY = ["deck", "opponent_deck"]


def vectors(run: Path) -> pd.DataFrame:
    """Return the last populations of both: agent, field, execution, fitness, weights."""
    ours = REPORT.load([run]).last().assign(field="here")
    theirs = pd.read_csv(PUBLISHED).rename(columns={"run": "execution"})
    theirs["agent"] = [f"published-{run}-{rank}" for run, rank in
                       theirs[["execution", "rank"]].itertuples(index=False)]
    both = pd.concat([theirs.assign(field="published"), ours], ignore_index=True)
    return both[["agent", "field", "execution", "fitness", *WEIGHTS]]


def mean_of(values: Any) -> tuple[float, float]:
    """Return the mean of the values of executions, and half of its 95 % interval (Student's t)."""
    found = np.asarray(values, np.float64)
    half = student.ppf(0.975, len(found) - 1) * found.std(ddof=1) / np.sqrt(len(found))
    return float(found.mean()), float(half)


def said(values: Any, digits: int = 1, unit: str = " %") -> str:
    """Return that mean and interval as the docs quote it."""
    mean, half = mean_of(values)
    return (f"{mean:.{digits}f}{unit} ({mean - half:.{digits}f} to {mean + half:.{digits}f})")


# -- weights ---------------------------------------------------------------------------------------


def weights_table(people: pd.DataFrame) -> pd.DataFrame:
    """Return medians and quartiles of each weight in both fields, and p of their difference.

    p: of a two-sided rank-sum test of the medians of executions; p_adjusted: Benjamini and
    Hochberg's over all weights.
    """
    rows = []
    for weight in WEIGHTS:
        row: dict[str, Any] = {"weight": weight}
        medians = people.groupby(["field", "execution"])[weight].median()
        for field in FIELDS:
            low, middle, high = people[people["field"] == field][weight].quantile([.25, .5, .75])
            row |= {field: middle, f"{field}_low": low, f"{field}_high": high}
        rows.append(row | {"p": mannwhitneyu(*(medians[field] for field in FIELDS)).pvalue})
    table = pd.DataFrame(rows)
    return table.assign(p_adjusted=false_discovery_control(table["p"]))


def weights_picture(people: pd.DataFrame) -> Picture:
    """Draw boxes of all weights of both fields beside each other (Figs. 6 and 7)."""
    def draw(figure: Figure) -> None:
        for axes, (part, words) in zip(figure.subplots(2), PARTS.items(), strict=True):
            names = genome_of("eva").parts[part][1]
            for i, field in enumerate(FIELDS):
                here = people[people["field"] == field]
                _boxes(axes, [here[name] for name in names], 0.36 * (i - 0.5), COLOURS[i], field)
            axes.set_xticks(range(len(names)), names, rotation=90)
            axes.set(ylim=(-0.03, 1.03), ylabel="weight")
            axes.set_title(f"Weights that score {words}", loc="left")
            axes.grid(axis="y")
        figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)

    return picture(draw, 6.4)


def _boxes(axes: Axes, samples: list[Any], aside: float, colour: str, label: str) -> None:
    lines: dict[str, Any] = {"color": INK, "linewidth": 0.9}
    drawn = axes.boxplot(
        samples, positions=[k + aside for k in range(len(samples))], widths=0.3,
        manage_ticks=False, patch_artist=True, medianprops=lines, whiskerprops=lines,
        capprops=lines, boxprops=lines | {"facecolor": colour},
        flierprops={"marker": ".", "markersize": 3, "markeredgecolor": colour})
    drawn["boxes"][0].set_label(label)


# -- groups ----------------------------------------------------------------------------------------


def clusters(people: pd.DataFrame, number: int | None = NUMBER) -> dict[str, groups.Groups]:
    """Return Ward's tree of each field, cut into so many groups; None: by silhouette."""
    found = {}
    for field in FIELDS:
        here = people[people["field"] == field]
        found[field] = groups.cluster(list(here["agent"]), here[WEIGHTS].to_numpy(), number)
    return found  # type: ignore[return-value]  # a hundred vectors differ


def trees_picture(found: dict[str, groups.Groups]) -> Picture:
    """Draw both trees, one above the other (Fig. 8)."""
    def draw(figure: Figure) -> None:
        for axes, field in zip(figure.subplots(2), FIELDS, strict=True):
            groups.draw_tree(axes, found[field])
            axes.set_title(field, loc="left")

    return picture(draw, 6.6)


def tests_table(matches: pd.DataFrame, found: dict[str, groups.Groups]) -> pd.DataFrame:
    """Return the tests of Figs. 9 and 10 in both fields: field, kind, and groups.TESTS."""
    parts = []
    for field, tree in found.items():
        own = set(tree.members["agent"])
        here = matches[matches["agent"].isin(own) & matches["opponent"].isin(own)]
        for kind, table in (("against-all", groups.against_all(groups.record(here), tree.members)),
                            ("head-to-head", groups.head_to_head(here, tree.members))):
            parts.append(table.assign(field=field, kind=kind))
    table = pd.concat(parts, ignore_index=True)
    return table[["field", "kind", *table.columns.drop(["field", "kind"])]]


def behaviour_picture(tests: pd.DataFrame, field: str, kind: str) -> Picture:
    """Draw the tests of a field as the paper's Fig. 9 (against-all) or 10 (head-to-head)."""
    here = tests[(tests["field"] == field) & (tests["kind"] == kind)]
    return maps.behaviour(here, NUMBER, DECKS, DECKS, KINDS[kind])


# -- games -----------------------------------------------------------------------------------------


def read_games(folder: Path) -> pd.DataFrame:
    """Return all matches of the tournament from both sides, tables.PAIRS."""
    return groups.read_games(folder)


def by_execution(matches: pd.DataFrame, people: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return how often executions of ours won against the published: a row each, rates."""
    of = people.set_index("agent")
    known = matches.assign(field=matches["agent"].map(of["field"]),
                           other=matches["opponent"].map(of["field"]),
                           execution=matches["agent"].map(of["execution"]),
                           against=matches["opponent"].map(of["execution"]))
    met = known[(known["field"] == "here") & (known["other"] == "published")]
    sums = met.groupby(["execution", "against", *columns])[["wins", "draws", "games"]].sum()
    return ((sums["wins"] + sums["draws"] / 2) / sums["games"]).rename("rate").reset_index()


def across(rates: pd.DataFrame) -> tuple[float, float]:
    """Return the mean rate of executions against executions, and half of its 95 % interval.

    Both are ten draws: the variances of the means of rows and of columns add up, and Student's t
    has 9 degrees of freedom.
    """
    wide = rates.pivot(index="execution", columns="against", values="rate").to_numpy()
    spread = sum(wide.mean(axis=axis).var(ddof=1) / wide.shape[1 - axis] for axis in (0, 1))
    half = student.ppf(0.975, min(wide.shape) - 1) * np.sqrt(spread)
    return float(wide.mean()), float(half)


def last_generations(run: Path) -> pd.DataFrame:
    """Return rates by deck and opponent's deck of each execution's survivors (as Table 4)."""
    data = REPORT.load([run])
    pairs = tables.last_matches(data)
    of = data.last().set_index("agent")["execution"]
    sums = pairs.assign(execution=pairs["agent"].map(of)).groupby(["execution", *KEY])[
        ["wins", "games"]].sum()
    return (sums["wins"] / sums["games"]).rename("rate").reset_index()


def course_pictures(run: Path) -> dict[str, Picture]:
    """Draw the evolution (Figs. 2 to 5), as `hsevo report` does."""
    data = REPORT.load([run])
    kept, lives, new = tables.survivors(data), tables.lifespans(data), tables.newcomers(data)
    columns = [("lifespan", "lifespan"), ("first", "first generation")]
    return {"ten-fitness": charts.boxes_by_generation(kept, data.names, "fitness", "fitness"),
            "ten-lifespans": charts.boxes_of(columns, lives, data.names, "generations"),
            "ten-ages": charts.boxes_by_generation(kept, data.names, "age", "age (generations)"),
            "ten-newcomers": charts.bands(new, data.names, "mean", "newcomers (individuals)")}


# -- what is printed -------------------------------------------------------------------------------


def _weights_lines(people: pd.DataFrame) -> Iterator[str]:
    yield "| weight | published: median (quartiles) | hsevo | p | corrected p |"
    yield "|---|---|---|---|---|"
    for row in weights_table(people).to_dict("records"):
        cells = [f"{row[one]:.2f} ({row[f'{one}_low']:.2f} to {row[f'{one}_high']:.2f})"
                 for one in FIELDS]
        ps = [f"{row[one]:.3f}" for one in ("p", "p_adjusted")]
        yield f"| {row['weight']} | {' | '.join(cells + ps)} |"


def _deck_lines(run: Path) -> Iterator[str]:
    rates = last_generations(run).set_index(KEY)["rate"].sort_index()
    yield f"| win rate of ... against | {' | '.join(DECKS)} |"
    yield "|---|---|---|---|"
    for deck in DECKS:
        cells = [f"{said(100 * rates[deck, other])}; {TABLE_4[deck, other]:.1f} %"
                 for other in DECKS]
        yield f"| {deck} | {' | '.join(cells)} |"


def _course_lines(run: Path) -> Iterator[str]:
    """Yield what the text says of Figs. 2 to 5, counted here: means over executions."""
    data = REPORT.load([run])
    kept, lives = tables.survivors(data), tables.lifespans(data)
    spread = kept.groupby(["execution", "generation"])["fitness"].std().unstack()
    for generation in (0, 10, 99):
        yield (f"fitness, generation {generation}: standard deviation"
               f" {said(spread[generation], 0, '')}")
    late = lives.assign(late=lives["first"].between(30, 60)).groupby("execution")["late"].mean()
    yield f"first generation from 30 to 60: {said(100 * late)}"
    yield (f"lifespan: mean {said(lives.groupby('execution')['lifespan'].mean(), 1, '')}, median"
           f" {lives['lifespan'].median():.0f}")
    new = data.statistics[data.statistics["generation"] >= 20]
    yield f"newcomers from generation 20 on: {said(new.groupby('execution')['new'].mean(), 2, '')}"


def _group_lines(people: pd.DataFrame, tests: pd.DataFrame) -> Iterator[str]:
    by_silhouette = clusters(people, None)
    for field in FIELDS:
        yield (f"{field}: first peak of the silhouette at"
               f" {by_silhouette[field].members['group'].max()} groups")
        for kind in KINDS:
            here = tests[(tests["field"] == field) & (tests["kind"] == kind)]
            found, left = (int((here[name] < groups.ALPHA).sum()) for name in ("p", "p_adjusted"))
            yield f"{field}, {kind}: {found} of {len(here)} tests, {left} corrected"


def _meeting_lines(matches: pd.DataFrame, people: pd.DataFrame) -> Iterator[str]:
    mean, half = (100 * one for one in across(by_execution(matches, people, [])))
    yield f"here against published: {mean:.2f} % ({mean - half:.2f} to {mean + half:.2f})"
    yield f"games between them: {int(_between(matches, people)['games'].sum()):,}"
    apart = by_execution(matches, people, KEY)
    yield ""
    yield f"| hsevo with ... against published with | {' | '.join(DECKS)} |"
    yield "|---|---|---|---|"
    for deck in DECKS:
        cells = []
        for other in DECKS:
            mean, half = (100 * one for one in across(
                apart[(apart["deck"] == deck) & (apart["opponent_deck"] == other)]))
            cells.append(f"{mean:.1f} % ({mean - half:.1f} to {mean + half:.1f})")
        yield f"| {deck} | {' | '.join(cells)} |"


def _between(matches: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    field = people.set_index("agent")["field"]
    return matches[(matches["agent"].map(field) == "here")
                   & (matches["opponent"].map(field) == "published")]


def draw(people: pd.DataFrame, tests: pd.DataFrame) -> dict[str, Picture]:
    """Return the pictures of the docs by name, from what is stored in studies/data."""
    found = {"ten-weights": weights_picture(people), "ten-groups": trees_picture(clusters(people))}
    for kind in KINDS:
        for field in FIELDS:
            found[f"ten-{kind}-{field}"] = behaviour_picture(tests, field, kind)
    return found


def compare(run: Path, games: Path) -> None:
    """Write the tables and pictures, and print what the docs quote."""
    people, matches = vectors(run), read_games(games)
    tests = tests_table(matches, clusters(people)).round(6)
    pictures = draw(people, tests) | course_pictures(run)
    parts = (_weights_lines(people), _deck_lines(run), _course_lines(run),
             _group_lines(people, tests), _meeting_lines(matches, people))
    text = "\n\n".join("\n".join(lines) for lines in parts)
    people.to_csv(VECTORS, index=False)  # from here on it writes, and nothing fails
    tests.to_csv(TESTS, index=False)
    for name, drawn in pictures.items():
        (IMAGES / f"{name}.svg").write_bytes(drawn.svg)
    print(text)


def refuse_others(run: Path) -> None:
    """Stop with a line for a run that is not of as many generations and executions as the paper's.
    """
    plan = hsevo.Run(run).config
    if (found := (plan.evolution.generations, plan.executions)) != (100, 10):
        sys.exit(f"{run} has {found[0]} generations and {found[1]} executions, and the figures are"
                 " of 100 and 10: hsevo evolve --config cig2018 --executions 10")


def main() -> None:
    """Write the agents, or compare."""
    what, run, path = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    refuse_others(run)
    if what == "agents":
        vectors(run)[["agent", *WEIGHTS]].to_csv(path, index=False)
    else:
        compare(run, path)


if __name__ == "__main__":
    main()
