"""How the fitness of runs was measured, in words that are true of their configs.

    Config --games(), settings()--> facts       Evolutions --unit(), compared(), apart()--> captions
"""

import pandas as pd

from hsevo.config import Config, Rating
from hsevo.errors import names_or_count
from hsevo.evolution.fitness import opponent_games
from hsevo.play.specs import short_names
from hsevo.reports.tables import KEY, Evolutions
from hsevo.runs.folder import RunFolder

GENOMES = {"one": "", "deck": "weights for each deck", "matchup": "weights for each deck pair"}


def relative(rating: Rating) -> bool:
    """Return whether individuals meet opponents that change from generation to generation."""
    return bool(rating.coevolves or rating.hall_of_fame)


def weighs(rating: Rating) -> bool:
    """Return whether the games of an individual do not all count alike in its fitness."""
    fixed = rating.opponents
    return rating.shares is not None and (
        rating.coevolves + bool(rating.hall_of_fame) + (fixed is not None) > 1
        or (fixed is not None and fixed.mixture == "nash"))


def games(plan: Config) -> str:
    """Return how many games individuals play per deck pair, and their opponents."""
    most = "at most " * bool(plan.rating.racing)
    own, theirs = _counted(plan.games), _counted(opponent_games(plan))
    if not relative(plan.rating):
        return f"{most}{theirs} per deck pair against each fixed opponent"
    apart = f", {most}{theirs} against each fixed opponent" * (
        plan.rating.opponents is not None and own != theirs)
    return f"{most}{own} per deck pair{apart}"


def decks(run: RunFolder) -> str:
    """Return the decks of the individuals, and those of fixed opponents that play others."""
    own, theirs = run.own_decks, run.config.opponent_decks
    said = names_or_count(deck.name for deck in own)
    if theirs is None or [*theirs] == [*range(len(own))]:
        return said
    return f"{said}; fixed opponents: {names_or_count(run.decks[i].name for i in theirs)}"


def settings(plan: Config) -> list[str]:
    """Return what is special about how fitness is measured, a phrase for each setting."""
    rating = plan.rating
    return [f"rated with {words}" for words in (
        "common random numbers" * rating.common_random_numbers,
        f"a hall of fame of {rating.hall_of_fame}" * bool(rating.hall_of_fame),
        "racing" * bool(rating.racing), _fixed(rating)) if words]


def unit(data: Evolutions) -> str:
    """Return what fitness is, of each series if they differ."""
    units = {name: _unit(plan.rating) for name, plan in _plans(data).items()}
    if len({*units.values()}) == 1:
        return units[data.names[0]]
    by_series = "; ".join(f"{name}: {words.lower()}" for name, words in units.items())
    return f"Fitness ({by_series})"


def compared(data: Evolutions) -> str:
    """Return whether fitness can be compared between generations."""
    changing = [name for name, plan in _plans(data).items() if relative(plan.rating)]
    if not changing:
        return " Opponents are fixed, so the generations of a series can be compared."
    which = "" if len(changing) == len(data.names) else f" of {' and '.join(changing)}"
    return (f" Fitness{which} is relative: opponents change from generation to generation, so"
            " generations can't be compared.")


def apart(data: Evolutions) -> str:
    """Return what is to be known about rates of several executions; "" of a single one."""
    if len(data.statistics[KEY].drop_duplicates()) == 1:
        return ""
    changing = [name for name, plan in _plans(data).items() if relative(plan.rating)]
    if changing:
        who = "each" if len(changing) == len(data.names) else f"each of {' and '.join(changing)}"
        return (f" Solutions of different executions did not meet, and the rates of {who} come"
                " from its own population, so a group may be better because of weaker opponents."
                " In a tournament all have the same opponents, as in the paper.")
    if len({_opponents(run) for run in data.runs.values()}) == 1:
        return " All solutions met the same fixed opponents, and not each other."
    return (" Solutions met fixed opponents, which differ between the series: a group may be"
            " better because of weaker opponents.")


def met(data: Evolutions, pairs: pd.DataFrame) -> str:
    """Return which opponents survivors met in the last generation, apart from each other.

    pairs: `tables.last_matches`.
    """
    survivors, opponents = set(data.last()["agent"]), set(pairs["opponent"])
    newest = data.population["generation"] == data.population.groupby(KEY)["generation"].transform(
        "max")
    field = {data.name(*key) for key in data.population[newest][["run", "execution", "individual"]]
             .itertuples(index=False)}
    # The numbers of fixed opponents are negative.
    fixed = {opponent for opponent in opponents if "individual--" in opponent}
    others = [words for words, whom in (
        ("individuals that did not survive", opponents & field - survivors),
        ("champions of earlier generations", opponents - field - fixed),
        ("fixed opponents", fixed)) if whom]
    if not others:
        return ""
    also = "also " * bool(opponents & survivors)
    *first, last = others
    return f", {also}against {', '.join(first)}{' and ' * bool(first)}{last}"


def _plans(data: Evolutions) -> dict[str, Config]:
    """Return the plan of each series: that of its first run."""
    labels = [*data.series]
    return {name: data.runs[next(label for label in labels if data.series[label] == name)].config
            for name in data.names}


def _unit(rating: Rating) -> str:
    if rating.fitness:
        return f"Fitness by {rating.fitness}"
    if rating.racing:
        return "Victories (expected over all games if settled early)"
    if rating.shares is None:
        return "Victories"
    return "Win rate in %" + ", weighted by the opponents' shares," * weighs(rating)


def _fixed(rating: Rating) -> str:
    """Return the fixed opponents in words, and how much each group of opponents counts."""
    if rating.opponents is None:
        return ""
    names = [*short_names(rating.opponents.agents).values()]
    said = f"the fixed opponent{'s' * (len(names) > 1)} {' and '.join(names)}"
    said += " by their Nash mixture" * (rating.opponents.mixture == "nash")
    if not relative(rating):
        return f"{said} alone"
    if not rating.shares:
        return said
    shares = {"coevolution": rating.shares.coevolution, "opponents": rating.shares.opponents}
    if rating.hall_of_fame:
        shares["hall of fame"] = rating.shares.hall_of_fame
    return f"{said} (shares: {', '.join(f'{name} {part:g}' for name, part in shares.items())})"


def _opponents(run: RunFolder) -> str:
    """Return the fixed opponents of a run and what they play, to tell whether they are others."""
    fixed, plan = run.config.rating.opponents, run.config
    assert fixed is not None  # nothing else can be met
    theirs = run.own_decks if plan.opponent_decks is None else [
        run.decks[i] for i in plan.opponent_decks]
    return repr((fixed.agents, fixed.mixture, theirs, plan.ruleset, plan.information))


def _counted(n: int) -> str:
    return f"{n:,} game{'s' * (n != 1)}"
