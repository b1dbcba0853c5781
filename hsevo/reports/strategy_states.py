"""The state of strategies by generation: of CMA-ES, and as the user's own strategy logs it."""

from __future__ import annotations

from hsevo.reports import charts, tables
from hsevo.reports.exhibit import Drawn, exhibit
from hsevo.reports.tables import KEY, Evolutions


@exhibit("cma-es", "State of CMA-ES by generation")
def cma_es(data: Evolutions) -> Drawn | None:
    """Show step size and axis ratio of CMA-ES, and the stopping conditions that were met."""
    table = tables.cma_states(data)
    if table.empty:
        return None
    stopped = table[table["stop"] != ""].groupby(KEY, as_index=False, sort=False).first()
    said = ", ".join(f"{row['stop']} from generation {row['generation']}"
                     for row in stopped.head(3).to_dict("records"))
    more = f" and {len(stopped) - 3} more" * (len(stopped) > 3)
    met = (f" Stopping conditions of the library cma: {said}{more} ({len(stopped)} of"
           f" {len(table[KEY].drop_duplicates())} executions); the run continued." if said else
           " No stopping condition of the library cma was met.")
    return Drawn((
        "Step size sigma, and the axis ratio of the distribution: its longest axis by its shortest,"
        " which is the square root of the covariance matrix's condition number (in the table)."
        f" Thin lines: executions, if there are several. Thick lines: their mean.{met}"),
        table, charts.cma_states(table, data.names))


@exhibit("logged", "Numbers that your strategy logs, by generation")
def logged(data: Evolutions) -> Drawn | None:
    """Show the numbers that own strategies log."""
    table = tables.logged(data)
    names = [name for name in table.columns[len(KEY) + 1:] if table[name].notna().any()]
    if not names:
        return None
    shown = names[:charts.MOST_LOGGED]
    rest = "" if shown == names else f" The figure has the first {len(shown)}, the table all."
    return Drawn((
        "What the method log of your own strategy returned after each generation. Thin lines:"
        f" executions, if there are several. Thick lines: their mean.{rest}"),
        table, charts.logged(table, data.names, shown))
