"""The report on runs of hsevo decks evolve: the best deck, its match-ups, the map, the search.

    run folders --REPORT--> ReportSection, Answer --> page.py

Match-ups of a search's best decks with its field are of the games that chose the best deck, which
all of the chosen decks played. The best mixture of these decks is that of a game in which one
player brings one of them, and the other any deck of the field.
"""

from __future__ import annotations

from shlex import quote

import numpy as np
import pandas as pd

from hsevo.deckbuilding.confirm import CHOSEN, LAST
from hsevo.deckbuilding.features import AXES
from hsevo.deckbuilding.run import DeckEvolution, of_stage, rates_of, summary
from hsevo.errors import names_or_count, resuming
from hsevo.experiments.progress import duration
from hsevo.experiments.watching import spent
from hsevo.play.specs import short_names
from hsevo.reports import deck_pictures, maps
from hsevo.reports.exhibit import (
    Answer,
    Chapter,
    Drawn,
    Exhibit,
    Folders,
    ReportKind,
    each,
    exhibit,
    meanings,
    percent,
)
from hsevo.seeds import Stream, generator
from hsevo.strength.matchups import best_mixture, sure_of
from hsevo.strength.rating import interval as ends_of
from hsevo.types import Array

RESAMPLES = 200
ENDS = (2.5, 97.5)  # percentiles


def met(run: DeckEvolution) -> pd.DataFrame:
    """Return the games that chose: deck, opponent_deck, games, rate, low, high; over all pilots.

    A deck that is in the field twice, in the hands of two agents, is two opponents.
    """
    rows, k = run.table("confirmed.csv"), len(run.field.decks)
    rows = rows[rows["stage"] == CHOSEN]
    names = [deck.name for deck in run.field.decks]
    names = [name if names.count(name) == 1 else f"{name} ({agent})"
             for name, agent in zip(names, run.field.played_by, strict=True)]
    rows = rows.assign(opponent_deck=np.tile(np.array(names, object), len(rows) // k))
    sums = rows.groupby(["deck", "opponent_deck"], sort=False)[["games", "wins", "draws"]].sum()
    rate = (sums["wins"] + sums["draws"] / 2) / sums["games"]
    low, high = ends_of(rate.to_numpy(), sums["games"].to_numpy())
    table: pd.DataFrame = sums[["games"]].assign(rate=rate, low=low, high=high).reset_index()
    return table


@exhibit("matrix", "Best decks against each opponent deck")
def _matrix(run: DeckEvolution) -> Drawn | None:
    """Return the matrix with its mixture; None for a single deck."""
    table = met(run)
    decks, theirs = maps.decks_of(table)
    if len(decks) < 2:
        return None
    rates, games = (table.pivot(index="deck", columns="opponent_deck", values=name).reindex(
        index=decks, columns=theirs).to_numpy(np.float64) for name in ("rate", "games"))
    shares, least = best_mixture(rates)
    random = generator((run.plan.seed, Stream.DECK_CONFIRM))
    draw = np.vectorize(random.betavariate)
    resampled = [best_mixture(draw(rates * games + 0.5, (1 - rates) * games + 0.5))[0]
                 for _ in range(RESAMPLES)]
    low, high = np.percentile(resampled, ENDS, axis=0)
    worst = table.loc[table.groupby("deck", sort=False)["rate"].idxmin()].to_dict("records")
    shown = pd.DataFrame([{
        "deck": deck, "share (%)": f"{100 * shares[i]:.0f} ({100 * low[i]:.0f} to"
                                   f" {100 * high[i]:.0f})",
        "worst against": row["opponent_deck"],
        "won there (%)": percent(row)}
        for i, (deck, row) in enumerate(zip(decks, worst, strict=True))])
    return Drawn((
        "Rates in the games that selected the best deck. In these games, a player who mixes the "
        f"decks by the shares below wins {100 * least:.1f} % against the worst opponent, more than"
        " with any other mixture. This rate is biased upwards, because the same games chose the"
        " shares. If other games had chosen the shares, the rate would be"
        f" {100 * sure_of(rates, games, shares):.1f} % or more against each opponent, with a"
        f" probability of 95 %. Intervals of shares are from {RESAMPLES} draws of all rates"
        " (Jeffreys) and show how much the shares depend on luck."),
        table, maps.deck_matrix(table), on_page=shown)


MATRIX: Exhibit[DeckEvolution] = _matrix


HALF = "Rates count a draw as half a win; 95 % intervals are Wilson's."
SHOWN = 10  # ancestors on the page


# --- Numbers


def match_ups(run: DeckEvolution) -> pd.DataFrame:
    """Return the last games of the best deck: deck, pilot, opponent, agent, games, rate, ends."""
    rows = of_stage(run, LAST)
    rows = rows[rows["deck"] == rows["deck"].iloc[0]].reset_index(drop=True)
    names = rows[["deck", "pilot", "opponent", "agent"]]
    pairings: pd.DataFrame = pd.concat([names, rates_of(run, rows, np.ones(1))], axis=1)
    return pairings


def optimism(run: DeckEvolution) -> str:
    """Return how much too high rates were in the search, in words."""
    table = run.table("archive.csv")
    replayed = table[table["confirmed_games"] > 0]
    gap = 100 * (replayed["rate"] - replayed["confirmed_rate"])
    best = gap.iloc[0]
    return (f"in the search it had {100 * replayed['rate'].iloc[0]:.2f} %, {abs(best):.2f} points"
            f" too {'high' if best >= 0 else 'low'} ({gap.mean():+.2f} on average over"
            f" {len(replayed)} decks)")


def _choosing(run: DeckEvolution) -> dict[str, str]:
    """Return the rates of the games that chose the best deck, by deck."""
    rows, weights = of_stage(run, CHOSEN), run.field.weights(len(run.plan.pilots))
    rates = rates_of(run, rows, weights).to_dict("records")
    return {name: percent(row)
            for name, row in zip(rows["deck"].iloc[::len(weights)], rates, strict=True)}


def lineage(run: DeckEvolution, number: int) -> pd.DataFrame:
    """Return a deck and its first parents, newest first: deck, born, out, in."""
    decks, rows = run.table("decks.csv").to_dict("records"), []
    while number >= 0:
        row, parent = decks[number], int(decks[number]["parent"])
        gone, came = ("", "") if parent < 0 else _swaps(decks[parent]["cards"], row["cards"])
        rows.append({"deck": f"deck-{number}", "born": int(row["born"]), "out": gone, "in": came})
        number = parent
    return pd.DataFrame(rows)


def _swaps(before: str, after: str) -> tuple[str, str]:
    """Return the cards that left and that came, in words."""
    old, new = counted(before), counted(after)
    return _more(old, new), _more(new, old)


def _more(deck: dict[str, int], reference: dict[str, int]) -> str:
    """Return the copies that one deck has more than another, in words."""
    return ", ".join(f"{n - reference.get(name, 0)}x {name}" for name, n in deck.items()
                     if n > reference.get(name, 0))


def counted(cards: str) -> dict[str, int]:
    """Return the copies of each card of a cell such as "Fireball*2|Wisp", by name."""
    parts = (part.rpartition("*") if part[-2:-1] == "*" else (part, "*", "1")
             for part in cards.split("|"))
    return {name: int(n) for name, _, n in parts}


# --- The page


@exhibit("search", "Best rate by games played")
def _course(data: Folders[DeckEvolution]) -> Drawn:
    tables = {label: run.table("generations.csv") for label, run in data.runs.items()}
    whole = pd.concat([table.assign(run=label) for label, table in tables.items()])
    if len(tables) == 1:
        whole = whole.drop(columns="run")
    return Drawn((
        "Solid: the rate of the best deck of the archive in all its games so far, with its 95 %"
        " interval as a band. It is the highest of many rates, so it is biased upwards. Dots: the"
        " confirmed rate of the selected deck, from games that were not used for"
        " selection."), whole,
        deck_pictures.course(tables, {label: run.table("archive.csv")
                                      for label, run in data.runs.items()}))


@exhibit("match-ups", "Match-ups of the best deck")
def _match_ups(run: DeckEvolution) -> Drawn:
    table = match_ups(run)
    names = short_names([*table["pilot"], *table["agent"]])
    shown = pd.DataFrame([{
        "against": row["opponent"], "its pilot": names[row["agent"]],
        "our pilot": names[row["pilot"]], "games": row["games"], "won (%)": percent(row)}
        for row in table.to_dict("records")])
    return Drawn((
        f"{table['deck'].iloc[0]} against each opponent deck, in its last games."), table,
        deck_pictures.match_ups(table), on_page=shown, terms=meanings(names))


@exhibit("last-games", "Last games")
def _summary(run: DeckEvolution) -> Drawn:
    table = summary(run)
    names = short_names(table["pilot"])
    shown = pd.DataFrame([{"deck": row["deck"], "pilot": names[row["pilot"]],
                           "games": row["games"], "won (%)": percent(row)}
                          for row in table.to_dict("records")])
    others = [pilot for pilot in run.plan.confirm.pilots if pilot not in run.plan.pilots]
    more = f" The deck was not evolved with {names_or_count(others, 'players')}." if others else ""
    return Drawn((
        "Rates against all opponents, weighted by their shares. All decks played the same"
        " shuffles." + more),
        table, on_page=shown, terms=meanings(names))


@exhibit("map", "Map of decks")
def _map(run: DeckEvolution) -> Drawn | None:
    search = run.plan.search
    if search.strategy != "map-elites":
        return None
    table = run.table("archive.csv")
    titles = [AXES[name].title for name in search.features]
    rate = "confirmed_rate" if (table["confirmed_games"] > 0).all() else "rate"
    kind = ("rates in games after the search" if rate == "confirmed_rate" else
            "rates in the search, which are biased upwards")
    last = run.table("generations.csv").iloc[-1]
    score = f"QD-score {100 * table[rate].sum():,.0f} (the sum of these rates in %)"
    return Drawn((
        f"{len(table)} of {search.cells[0] * search.cells[1]} cells"
        f" ({100 * last['coverage']:.1f} %) have a deck; colours are {kind}. {score}. Axes:"
        f" {titles[0]}, {titles[1]}; boundaries are {search.boundaries}."), table,
        deck_pictures.deck_map(table, search, rate))


@exhibit("archive", "Best decks")
def _archive(run: DeckEvolution) -> Drawn:
    table = run.table("archive.csv")
    replayed, chose = table[table["confirmed_games"] > 0], _choosing(run)
    shown = pd.DataFrame([{
        "deck": f"deck-{row['deck']}",
        "search (%)": percent(row),
        "games that chose (%)": chose[f"deck-{row['deck']}"],
        "last games (%)": "" if i else percent(row, "confirmed_rate"),
        "mana": int(row["mana"]), "dust": int(row["dust"])}
        for i, row in enumerate(replayed.head(run.plan.confirm.best).to_dict("records"))])
    gap = 100 * (replayed["rate"] - replayed["confirmed_rate"])
    return Drawn((
        f"Rates in the search minus rates in new games: {gap.mean():+.2f} points on average over"
        f" {len(replayed)} decks (selection bias). The deck that won the most in the selection"
        " games played further games. The file has the decks' cards and deck codes; decks/ has"
        " deck files."),
        table, on_page=shown)


@exhibit("cards", "Cards")
def _cards(run: DeckEvolution) -> Drawn:
    table = run.table("archive.csv")
    lists = [counted(cards) for cards in table["cards"]]
    best, names = lists[0], sorted({name for deck in lists for name in deck})
    whole = pd.DataFrame({
        "card": names, "decks": [sum(name in deck for deck in lists) for name in names],
        "share": [sum(name in deck for deck in lists) / len(lists) for name in names],
        "copies": [sum(deck.get(name, 0) for deck in lists) / len(lists) for name in names],
        "in_best": [best.get(name, 0) for name in names]})
    corners = _corners(run, table)
    for corner, here in corners.items():
        whole[corner] = [np.mean([name in deck for deck, at in zip(lists, here, strict=True) if at])
                         for name in names]
    whole = whole.sort_values(["copies", "card"], ascending=[False, True], ignore_index=True)
    more = ("; and the share of decks in each quarter of the map (low or high on either axis)"
            if corners else "")
    return Drawn((
        f"How often a card is in the {len(lists)} decks of the archive: share of decks, mean"
        f" copies, copies in the best deck{more}. archive.csv has the cards of every cell."), whole,
        on_page=whole.head(30))


def _corners(run: DeckEvolution, table: pd.DataFrame) -> dict[str, Array]:
    """Return which decks of an archive are in each quarter of a map that has decks."""
    search = run.plan.search
    if search.strategy != "map-elites":
        return {}
    first_high, second_high = ((table[f"cell_{k}"] >= n / 2).to_numpy()
                               for k, n in enumerate(search.cells, 1))
    words = [name.replace("-", " ") for name in search.features]
    quarters = {f"{('low', 'high')[i]} {words[0]}, {('low', 'high')[j]} {words[1]}":
                (first_high == i) & (second_high == j) for i in (0, 1) for j in (0, 1)}
    return {corner: here for corner, here in quarters.items() if here.any()}


@exhibit("lineage", "Lineage of the best deck")
def _lineage(run: DeckEvolution) -> Drawn:
    best = int(run.table("archive.csv")["deck"].iloc[0])
    table = lineage(run, best)
    more = f" The table below has the last {SHOWN} of {len(table)}." if len(table) > SHOWN else ""
    return Drawn((
        "The deck and its first parents, newest first: the generation in which each deck was"
        " made, and the cards that were removed and"
        f" added.{more}"), table, on_page=table.head(SHOWN))


def _answers(data: Folders[DeckEvolution]) -> list[Answer]:
    """Return the top of the page: the best deck of each run, and how good it is."""
    return [_answer(label, run, len(data.runs) > 1) for label, run in data.runs.items()]


def _answer(label: str, run: DeckEvolution, many: bool) -> Answer:
    title = f"Best deck{f', {label}' * many}"
    path = quote(str(run.path))
    if not run.final:
        last = run.table("generations.csv").iloc[-1]
        return Answer(f"deck-{int(last['best'])}", [
            f"The search is not finished. Its best deck so far won {percent(last)} % of its games."
            " This is the highest of many rates, so it is biased upwards.",
            HALF],
            facts=_facts(run), next=[(resuming("decks evolve", run.path), "go on")], title=title)
    best = run.table("archive.csv").iloc[0]
    rows = summary(run)
    names = short_names(rows["pilot"])
    own = rows[rows["deck"] == rows["deck"].iloc[0]].to_dict("records")
    rates = [(f"all opponents, when played by {names[row['pilot']]}",
              f"{percent(row, unit=' %')} of {row['games']:,} games") for row in own]
    pilot = run.plan.pilots[0]
    cards = ", ".join(f"{n}x {name}" for name, n in counted(best["cards"]).items())
    lost = ["It wins less than half of its games against these opponents (95 % confidence): search"
            " longer."
            ] * bool(best["confirmed_rate_high"] < 0.5)
    return Answer(f"deck-{best['deck']}", [
        *lost, "It was selected by other games, so this rate has no selection bias;"
        f" {optimism(run)}.", HALF], rates,
        {**_facts(run), "cards": cards, "deck code": best["code"]}, [
        (f"hsevo match {quote(f'{pilot}@{run.path}/best.txt')} {quote(f'{pilot}@mage')}",
         "play it against any deck"),
        (f"hsevo decks check {quote(str(run.path / 'best.txt'))}", "see its mana curve, and the"
                                                                   " formats in which it is legal"),
        (f"hsevo verify {path}", "repeat the search and replay its last games")], title=title)


def _facts(run: DeckEvolution) -> dict[str, str]:
    """Return what was searched and played, in words."""
    plan, table = run.plan, run.table("generations.csv")
    search, field = plan.search, run.field
    pilots = short_names(plan.pilots)
    took = spent(run.path)
    return {
        "class": run.pool.hero.title(), "pool": f"{len(run.pool.cards):,} cards",
        "field": names_or_count(deck.name for deck in field.decks),
        "pilots": names_or_count(pilots.values(), "pilots"),
        "strategy": search.strategy + f", a surrogate of {search.surrogate}" * (
            search.surrogate > 1),
        "searched": f"{int(table['decks'].iloc[-1]):,} decks, {table['games'].sum():,} games,"
                    f" {run.steps_done} of {search.generations} generations",
        "fitness": plan.fitness, "seed": str(plan.seed),
        **({"time": duration(took)} if took else {})}


def _needs(run: DeckEvolution) -> str:
    return "" if run.final else "The best decks play new games, and are shown, after the search."


REPORT: ReportKind = ReportKind(
    "the decks that were found", DeckEvolution, (
        Chapter("Search", (_course,)),
        Chapter("Decks", (_match_ups, _summary, _map, _archive, MATRIX, _cards,
                       _lineage), each, apart=True, needs=_needs)),
    _answers, (_course,), step="generation", began=lambda run: run.steps_done,
    command="decks evolve")
