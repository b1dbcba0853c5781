"""hsevo decks built, hsevo decks building: decks that a policy builds, and how it learned this."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo import play
from hsevo.cli.completion import AGENTS
from hsevo.cli.shared import FOLDER, given, json_option, losing, print_json, split, workers_options
from hsevo.cli.tables import paragraph, say, show_table

if TYPE_CHECKING:
    import pandas as pd

PERIODS, CARDS = 4, 8  # that are printed: periods; cards of a class


@click.command()
@click.argument("run", type=FOLDER)
@click.option("--class", "classes", multiple=True,
              help="Class of the decks. May be repeated. [default: all classes of the policy]")
@click.option("--number", type=click.IntRange(1, 10_000), default=1, show_default=True,
              help="Number of decks for each class.")
@click.option("--temperature", type=click.FloatRange(0), default=1.0, show_default=True,
              help="Sampling temperature, by which the scores of cards are divided. 0 always takes"
                   " the best card.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True,
              help="The same seed gives the same decks.")
@click.option("--format", "form", default="code", show_default=True, metavar="text|code|csv",
              help="text writes one deck file, code writes deck codes, and csv writes a row for"
                   " each deck.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write to this file instead of stdout.")
def built(run: Path, form: str, output: Path | None, **how: Any) -> None:
    """Write decks that an end-to-end policy builds card by card.

    RUN is a run folder of hsevo learn with network.build in its config, or its player rl:RUN.

    \b
    hsevo decks built runs/builder
    hsevo decks built rl:runs/builder --class mage --temperature 0 --format text
    """
    text = hsevo.export_decks(hsevo.Learned(run).build_decks(**how), form, output)
    click.echo(text if output is None else f"decks: {output}\n", nl=False)


@click.command()
@click.argument("run", type=FOLDER)
@click.option("--every", type=int, metavar="K",
              help="Use every K-th checkpoint and the last checkpoint. Default: 1.")
@click.option("--number", type=int, metavar="N",
              help="Number of decks of each class that each checkpoint builds. Default: 200.")
@click.option("--games", type=int, metavar="N",
              help="Minimum number of games of the built decks with each agent against each group"
                   " of other decks. Default: 1,800.")
@click.option("--pilots", metavar="A,B,...", shell_complete=AGENTS,
              help="Agents that play the decks. In each game, the same agent plays both sides. own"
                   " is the policy itself, with its best moves. Default: own,rl:2026.")
@click.option("--seed", type=int, metavar="N",
              help="The same seed gives the same result. Default: 1.")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder for the tables and the picture.")
@workers_options
@json_option
def building(run: Path, pilots: str | None, out: Path | None, as_json: bool, **how: Any) -> None:
    """Measure how an end-to-end policy builds decks.

    RUN is a run folder of hsevo learn with network.build in its config, or its player rl:RUN. The
    training does not have to be finished.

    \b
    hsevo decks building runs/builder
    hsevo decks building runs/builder --every 4 --pilots own,rl:2026,eva:2018
    hsevo decks building runs/builder --games 6000 --out built

    To measure training, each checkpoint builds decks at temperature 1. For each class, you get the
    entropy of a card choice (0 bits means that the deck is always the same), the number of
    different cards, the mean cost, and the overlap with the nearest human deck.

    To measure strength, the last checkpoint builds sampled decks (temperature 1) and its best deck
    (temperature 0). These decks play against the decks of the config, random decks, and human decks
    of the Standard format. The same agent plays both sides. The 95 % intervals take into account
    that games share decks. A policy with network.opponent_deck does not see an opponent's deck
    here.
    """
    who = None if pilots is None else split(pilots)
    with losing("these games are lost"):
        result = hsevo.Learned(run).deck_building(out=out, progress=True,
                                                  **given(pilots=who, **how))
    if as_json:
        print_json(result)
        return
    _show_course(result.building)
    click.echo()
    _show_cards(result.cards)
    click.echo()
    _show_decks(result.decks)
    click.echo()
    _show_worth(result.worth)
    if out:
        say(f"tables and picture: {out}")


def shown(periods: list[int]) -> list[int]:
    """Return which periods are printed: uniform choices, the first and last, and some between."""
    first, *rest = periods
    at = (round(k * (len(rest) - 1) / (PERIODS - 1)) for k in range(PERIODS))
    return [first, *dict.fromkeys(rest[k] for k in at)]


def _show_course(table: pd.DataFrame) -> None:
    first, *_ = periods = shown(table["period"].unique().tolist())
    say("decks of the policy; bits: the entropy of a choice; in common: cards of 30 that a deck"
        "\nshares with the nearest human list, and the most frequent archetype of these lists")
    show_table(["period", "class", "bits", "cards", "mana", "in common", "archetype"], [
        ["uniform" if row["period"] == first else str(row["period"]), row["class"],
         f"{row['entropy']:.2f}", str(row["cards"]), f"{row['cost']:.2f}",
         f"{row['in_common']:.1f}", f"{row['archetype']} ({100 * row['archetype_share']:.0f} %)"]
        for row in table[table["period"].isin(periods)].to_dict("records")],
        ["bits", "cards", "mana", "in common"], ["mana", "cards"])


def _show_cards(table: pd.DataFrame) -> None:
    """Print the cards of the last period that most decks hold."""
    last = table[table["period"] == table["period"].max()]
    say("share of decks of the last period that contain each card, in %")
    for name, own in last.groupby("class", sort=False):
        cards = (f"{row['card']} {100 * row['share']:.0f}"
                 for row in own.head(CARDS).to_dict("records"))
        click.echo(paragraph(f"{name}: {', '.join(cards)}", ""))


def _show_decks(table: pd.DataFrame) -> None:
    """Print the best deck of each class at the end."""
    last = table[table["period"] == table["period"].max()]
    say("best deck at the end, and the nearest human list")
    for row in last.to_dict("records"):
        say(f"{row['class']}: {row['in_common']} of 30 cards of {row['nearest']},"
            f" {row['archetype']}\n  {row['code']}")


def _show_worth(table: pd.DataFrame) -> None:
    """Print the rates of all classes together."""
    rows = table[table["class"] == "all"]
    kinds, names = rows["against"].unique().tolist(), play.short_names(rows["pilot"].unique())
    say("win rate in % of the decks at the end, with the same player on both sides, against")
    show_table(["player", "built", *kinds], [
        [names[str(pilot)], built, *map(_percent, own.to_dict("records"))]
        for (pilot, built), own in rows.groupby(["pilot", "built"], sort=False)], kinds)


def _percent(row: Any) -> str:
    return f"{100 * row['rate']:.0f} ({100 * row['low']:.0f} to {100 * row['high']:.0f})"
