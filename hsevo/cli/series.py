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
              help="Decks of A's line-up, of different classes. Default: warrior,shaman,mage.")
@click.option("--theirs", metavar="D,E,...", shell_complete=DECKS,
              help="Decks of B's line-up, the same number of decks. Default: A's line-up.")
@plan_options("series")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder for the games, which hsevo replay can replay. If you stop the"
                   " command, run it again to continue.")
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

    In conquest, a deck is out after a win, and you need a win with every deck. In
    last-hero-standing, a deck is out after a loss, and the winner's deck stays. A series with three
    decks, or with four decks and --ban, is a best of five. The players choose their decks at the
    same time. A drawn game is played again. The first player of each game is random.

    DIR contains series.csv (every series), scores.csv (final scores), decks.csv (every two decks),
    games.csv (every game) and series.yaml (the rules). The 95 % intervals treat series as
    independent of each other.
    """
    hints = repeatable(out) if out else losing("its games are lost (with --out DIR they are kept)")
    decks: dict[str, Any] = {name: split(words) for name, words in (
        ("mine", mine), ("theirs", theirs)) if words is not None}
    with hints, so_far(_show, as_json):
        if rules["scouting"] is not None and rules["choose"] != "best":
            raise ConfigError("--scouting needs --choose best")
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
           f"; optimal choices would win {chance.percent(1)} of series at the scouted"
           " rates"))
    show_table(["score", "series", "share %", "95 % interval"], [
        [f"{row['wins_a']} : {row['wins_b']}", f"{row['series']:,}", *percent_cells(row, "share")]
        for row in result.scores.to_dict("records")], ["series", "share %"])
    show_table(["deck", "against", "won %", "95 % interval", "games"], [
        [row["deck_a"], row["deck_b"], *percent_cells(row), f"{row['games']:,}"]
        for row in result.decks.to_dict("records")], ["won %", "games"], ["games"])
