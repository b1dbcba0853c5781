"""The champion of a run, as its report names it: the best after new games, if these were played.

    RUN/champion.json, RUN/examined --of_run()--> Leading --answer.py--> the top of the page
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from hsevo.analysis.examine import Examination
from hsevo.analysis.landscape import ITSELF
from hsevo.play.specs import short_names
from hsevo.reports.arenas import evolved
from hsevo.runs.folder import Run
from hsevo.strength import champion_file
from hsevo.strength.champion_file import Measured
from hsevo.strength.champions import last_population, name_of, spec_of


@dataclass(frozen=True)
class Leading:
    """The champion of a run. rate: with its interval and games, in words; against: whom it met."""

    name: str
    spec: str
    rate: str
    against: str
    chosen: str  # how, in words


def of_run(run: Run, examined: Iterable[Examination] = ()) -> Leading | None:
    """Return the champion of a run, or the best of its map; None if neither played again.

    examined: examinations, of which one may be of the run's best: hsevo examine plays the last
    population again, too, and until 0.4 stored nothing else of it. Raises RunError.
    """
    if (found := champion_file.read(run)) is not None:
        return _measured(run, found)
    if len(elites := run.archive()):
        return _of_map(run, elites)
    names = last_population(run)[0] if run.start else []
    for one in examined:
        name = one.agent.rpartition("#")[2]
        if name in names and is_of(run, one.agent):
            return _examined(run, name, one)
    return None


def is_of(run: Run, agent: str) -> bool:
    """Return whether an agent's spec names an individual of a run."""
    return bool(evolved([agent], {"": Path(run.path)}))


def _measured(run: Run, measured: Measured) -> Leading:
    best = measured.best
    row, n = best.table.iloc[0], len(best.table)
    said = ["after the last generation, all of the last population played again, with new deals,"
            f" and of these {n} it won most."]
    if n > 1:
        said.append(f"It is {best.z:.1f} standard errors ahead of {best.table['agent'][1]}, "
                    + ("more than chance explains (1.96)." if best.separable else
                       "which may be chance (1.96 are needed)."))
        said.append("It was chosen by these very games, so its rate is biased upwards a little.")
    rate = _rate(float(row["rate"]), float(row["low"]), float(row["high"]), measured.total)
    return Leading(best.name, spec_of(run, best.name), rate, f"{best.against} (draws are not won)",
                   " ".join(said))


def _of_map(run: Run, elites: pd.DataFrame) -> Leading:
    """Return the elite that won most when all elites played again; its rate is of later games."""
    chosen = elites[elites["last_games"] > 0]
    row = chosen.iloc[int(chosen["confirmed_rate"].argmax())]
    name = name_of(run, int(row["execution"]), int(row["individual"]))
    rate, low, high = (float(row[f"last_{end}"]) for end in ("rate", "rate_low", "rate_high"))
    said = _rate(rate, low, high, int(row["last_games"]))
    return Leading(name, spec_of(run, name), said, _some(run.opponents.names), (
        f"all {len(elites)} elites of the map played again, with new deals, and of these it won"
        " most. It then played once more: its rate is of those games, which chose nothing."))


def _examined(run: Run, name: str, examined: Examination) -> Leading:
    row = examined.landscape[examined.landscape["weight"] == ITSELF].iloc[0]
    return Leading(name, spec_of(run, name), _rate(
        row["rate"], row["rate_low"], row["rate_high"], int(row["games"])),
        _some(examined.plan.against),
        "it was chosen to be examined, by new games of the last population; its rate is of its"
        " examination.")


def _some(names: Sequence[str]) -> str:
    return short_names(names)[names[0]] if len(names) == 1 else f"its {len(names)} opponents"


def _rate(rate: float, low: float, high: float, games: int) -> str:
    if rate != rate:
        return "no games"
    return f"{100 * rate:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of {games:,} games"
