"""hsevo decks built, hsevo decks building: decks that a policy builds, and how it came to that."""

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
              help="A class to build for; may be repeated.  [default: those that it learned]")
@click.option("--number", type=click.IntRange(1, 10_000), default=1, show_default=True,
              help="Decks of each class.")
@click.option("--temperature", type=click.FloatRange(0), default=1.0, show_default=True,
              help="How random choices are: scores are divided by it; 0: the best card each time.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True,
              help="The same seed gives the same decks.")
@click.option("--format", "form", default="code", show_default=True, metavar="text|code|csv",
              help="text: a deck file, of one deck; code: deck codes; csv: a row each.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write to this file instead of stdout.")
def built(run: Path, form: str, output: Path | None, **how: Any) -> None:
    """Write decks that an end-to-end policy builds, card by card, as before a match.

    RUN is a run folder of hsevo learn, of a config with network.build; or its player, rl:RUN.

    \b
    hsevo decks built runs/builder
    hsevo decks built rl:runs/builder --class mage --temperature 0 --format text
    """
    text = hsevo.export_decks(hsevo.Learned(run).build_decks(**how), form, output)
    click.echo(text if output is None else f"decks: {output}\n", nl=False)


@click.command()
@click.argument("run", type=FOLDER)
@click.option("--every", type=int, metavar="K",
              help="Each K-th checkpoint, and the last; default: 1.")
@click.option("--number", type=int, metavar="N",
              help="Decks of each class that each checkpoint builds; default: 200.")
@click.option("--games", type=int, metavar="N",
              help="Games of the built decks with each pilot against each kind of other decks, at"
                   " least; default: 1,800.")
@click.option("--pilots", metavar="A,B,...", shell_complete=AGENTS,
              help="Agents that play both sides, one after the other; own: the policy itself, which"
                   " takes the best moves. Default: own,rl:2026.")
@click.option("--seed", type=int, metavar="N",
              help="The same seed gives the same result; default: 1.")
@click.option("--out", type=FOLDER, metavar="DIR", help="A new folder for tables and picture.")
@workers_options
@json_option
def building(run: Path, pilots: str | None, out: Path | None, as_json: bool, **how: Any) -> None:
    """Show how an end-to-end policy came to build its decks, and what they are worth.

    RUN is a run folder of hsevo learn, of a config with network.build, which may still be learning;
    or its player, rl:RUN.

    \b
    hsevo decks building runs/builder
    hsevo decks building runs/builder --every 4 --pilots own,rl:2026,eva:2018
    hsevo decks building runs/builder --games 6000 --out built

    How it came to them: each checkpoint builds decks at temperature 1. For each class there are the
    mean entropy of a choice of a card in bits (0: always the same deck), how many different cards
    all decks have, their mean cost, and how many of 30 cards a deck has in common with the human
    list that is nearest.

    What they are worth: how often decks of the last checkpoint win where the same agent, the pilot,
    plays both sides, so that only the decks differ. They are sampled (temperature 1) or the best
    (temperature 0), and meet the decks of the config, random decks, and human lists of Standard.
    Each class meets each equally often. The 95 % intervals count that games share decks. A policy
    that peeks (network.opponent_deck) builds here without seeing an opponent.
    """
    who = None if pilots is None else split(pilots)
    with losing("nothing is kept of these games"):
        found = hsevo.Learned(run).deck_building(out=out, progress=True, **given(pilots=who, **how))
    if as_json:
        print_json(found)
        return
    _show_course(found.building)
    click.echo()
    _show_cards(found.cards)
    click.echo()
    _show_decks(found.decks)
    click.echo()
    _show_worth(found.worth)
    if out:
        say(f"tables and picture: {out}")


def shown(periods: list[int]) -> list[int]:
    """Return which periods are printed: uniform choices, the first and last, and some between."""
    first, *rest = periods
    at = (round(k * (len(rest) - 1) / (PERIODS - 1)) for k in range(PERIODS))
    return [first, *dict.fromkeys(rest[k] for k in at)]


def _show_course(table: pd.DataFrame) -> None:
    first, *_ = periods = shown(table["period"].unique().tolist())
    say("the decks that it builds; in common: cards of 30 that a deck shares with the human list"
        "\nthat is nearest, and the archetype of most of these lists")
    show_table(["period", "class", "bits per choice", "cards", "mana", "in common", "archetype"], [
        ["uniform" if row["period"] == first else str(row["period"]), row["class"],
         f"{row['entropy']:.2f}", str(row["cards"]), f"{row['cost']:.2f}",
         f"{row['in_common']:.1f}", f"{row['archetype']} ({100 * row['archetype_share']:.0f} %)"]
        for row in table[table["period"].isin(periods)].to_dict("records")],
        ["bits per choice", "cards", "mana", "in common"], ["mana", "cards"])


def _show_cards(table: pd.DataFrame) -> None:
    """Print the cards of the last period that most decks hold."""
    last = table[table["period"] == table["period"].max()]
    say("the share of decks of the last period that hold a card, in %")
    for name, own in last.groupby("class", sort=False):
        cards = (f"{row['card']} {100 * row['share']:.0f}"
                 for row in own.head(CARDS).to_dict("records"))
        click.echo(paragraph(f"{name}: {', '.join(cards)}", ""))


def _show_decks(table: pd.DataFrame) -> None:
    """Print the best deck of each class at the end."""
    last = table[table["period"] == table["period"].max()]
    say("the best deck at the end, and the human list that is nearest")
    for row in last.to_dict("records"):
        say(f"{row['class']}: {row['in_common']} of 30 cards of {row['nearest']},"
            f" {row['archetype']}\n  {row['code']}")


def _show_worth(table: pd.DataFrame) -> None:
    """Print the rates of all classes together."""
    rows = table[table["class"] == "all"]
    kinds, names = rows["against"].unique().tolist(), play.short_names(rows["pilot"].unique())
    say("% won by the decks that it builds at the end, the same pilot on both sides, against")
    show_table(["pilot", "built", *kinds], [
        [names[str(pilot)], built, *map(_percent, own.to_dict("records"))]
        for (pilot, built), own in rows.groupby(["pilot", "built"], sort=False)], kinds)


def _percent(row: Any) -> str:
    return f"{100 * row['rate']:.0f} ({100 * row['low']:.0f} to {100 * row['high']:.0f})"
