"""hsevo series: best-of-n matches of two agents with line-ups of decks."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

import click

import hsevo
from hsevo import play
from hsevo.cli.completion import AGENT, DECKS
from hsevo.cli.shared import (
    FOLDER,
    game_options,
    given,
    json_option,
    losing,
    plan_options,
    print_json,
    repeatable,
    so_far,
    split,
    workers_options,
)
from hsevo.cli.tables import percent_cells, say, show_table
from hsevo.errors import ConfigError


@click.command()
@click.argument("a", metavar="A", shell_complete=AGENT)
@click.argument("b", metavar="B", shell_complete=AGENT)
@click.option("--mine", metavar="D,E,...", shell_complete=DECKS,
              help="The line-up of A: decks of different classes; default: warrior,shaman,mage.")
@click.option("--theirs", metavar="D,E,...", shell_complete=DECKS,
              help="The line-up of B, as many decks; default: that of A.")
@plan_options("series")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder for the games, which hsevo replay plays again; series that were"
                   " stopped continue with the same command.")
@game_options
@workers_options
@json_option
def series(a: str, b: str, mine: str | None, theirs: str | None, out: Path | None, as_json: bool,
           **rules: Any) -> None:
    """Play best-of-n series of two agents, each with a line-up of decks.

    \b
    hsevo series rl:2026 eva:2018
    hsevo series rl:2026 gsv --mine mage,shaman --theirs warrior,zoo-warlock
    hsevo series eva:2018 gsv --format last-hero-standing --out runs/series
    hsevo series gsv gsv --mine mage,shaman,warrior --ban --choose best

    In a series, each game is played with one deck of either line-up. conquest: a deck that has won
    is out, and whoever has won with every deck wins the series. last-hero-standing: a deck that has
    lost is out, the deck that won plays on, and whoever has none left loses. With three decks a
    series is a best of five; so it is with four and --ban. Neither player sees the other's choice
    before both have chosen. A game that ends in a draw is played again. Who begins is random.

    Writes to DIR: series.csv (a row for each series), scores.csv (how they ended), decks.csv (deck
    against deck), games.csv (every game), series.yaml (the rules). Intervals are of 95 %, and count
    series as independent of each other.
    """
    kept = repeatable(out) if out else losing("its games are lost (with --out DIR they are kept)")
    decks: dict[str, Any] = {name: split(words) for name, words in (
        ("mine", mine), ("theirs", theirs)) if words is not None}
    with kept, so_far(_show, as_json):
        if rules["scouting"] is not None and rules["choose"] != "best":
            raise ConfigError("--scouting is of --choose best, in which games scout; leave it out")
        result = hsevo.series(a, b, out=out, progress=True, **decks, **given(**rules))
    if as_json:
        print_json(result)
        return
    _show(result)
    if out:
        say(f"games: {out}; hsevo replay {quote(str(out))} --list lists them")


def _show(result: hsevo.SeriesResult) -> None:
    """Say who is better; then how series ended, and how decks did."""
    from hsevo.play.players import traits

    say(str(result))
    if not result.finished:
        return
    players, names = result.lineup.players, play.short_names(result.names)
    for k, name in enumerate(result.names):
        if said := traits(players[k:k + 1]):
            say(f"  {names[name]} {said}")
    games, chance = result.game_rate, result.chance
    say(f"games of them: {games.percent(1)} of {result.series['games'].sum():,}"
        + ("" if chance is None else
           f"; optimal choices would win {chance.percent(1)} of series at the rates that were"
           " scouted"))
    show_table(["score", "series", "share %", "95 % interval"], [
        [f"{row['wins_a']} : {row['wins_b']}", f"{row['series']:,}", *percent_cells(row, "share")]
        for row in result.scores.to_dict("records")], ["series", "share %"])
    show_table(["deck", "against", "won %", "95 % interval", "games"], [
        [row["deck_a"], row["deck_b"], *percent_cells(row), f"{row['games']:,}"]
        for row in result.decks.to_dict("records")], ["won %", "games"], ["games"])
