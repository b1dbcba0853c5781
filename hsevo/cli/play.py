"""hsevo play: the game in the browser, a human against any agent."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsevo.cli.completion import AGENTS
from hsevo.cli.shared import FOLDER, given, json_option, print_json, split, trust_option
from hsevo.cli.tables import say, show_table

if TYPE_CHECKING:
    from hsevo.replays import played

PLAYED, WATCHED = "runs/play", "runs/watch"
PASSWORD = "HSEVO_PASSWORD"


@click.command()
@click.argument("agents", nargs=-1, metavar="[AGENT...]", shell_complete=AGENTS)
@click.option("--decks", default="", metavar="A,B,...",
              help="Decks to list first: files, names or deck codes.")
@click.option("--watch", nargs=2, metavar="A B", shell_complete=AGENTS,
              help="Watch two agents play each other instead.")
@click.option("--show", type=FOLDER, multiple=True, metavar="DIR",
              help="Also show the runs, arenas and other results in this folder. May be repeated.")
@click.option("--participants", type=FOLDER, metavar="FILE",
              help="Run a study with participants. FILE contains its design.")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="Folder of the games. You can continue the games in it. Default: runs/play,"
                   " runs/watch, or runs/NAME for a study.")
@click.option("--ruleset", metavar="NAME",
              help="Version of cards and rules. Default: msg2017 (with a mulligan). With --watch:"
                   " cig2018 (without a mulligan).")
@click.option("--information", metavar="I",
              help="Information that agents may use in their look-ahead: fair (the default) or"
                   " closed.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N",
              help="Port of the page. Default: 8642, or a free port if 8642 is in use.")
@click.option("--host", metavar="ADDRESS",
              help="Listen on this network address, for other machines. The command asks for a"
                   f" password, or reads {PASSWORD}. Default: only this machine.")
@trust_option
@click.option("--no-browser", "silent", is_flag=True,
              help="Print the address without opening a browser.")
@click.option("--list", "listing", is_flag=True, help="List the games of the folder and exit.")
@json_option
def play(agents: tuple[str, ...], decks: str, watch: tuple[str, str] | None,
         participants: Path | None, out: Path | None, listing: bool, as_json: bool,
         **options: Any) -> None:
    """Play against any agent in the browser.

    The page runs on your machine and needs no network. It lists the AGENTs first, and then all
    agents of `hsevo agents`. You can choose named decks, human decks and your own decks. hsevo
    saves a game after every move, and you can continue it later. `hsevo replay runs/play` shows
    finished games, with the agent's scores. To play against a person, choose "Another human", and
    send the code to this person.

    \b
    hsevo play                            against rl:2026, eva:2018, gsv ...
    hsevo play eva:runs/mine --decks mine.txt
    hsevo play --host 0.0.0.0             also for other machines
    hsevo play --watch rl:2026 gsv        watch two agents
    hsevo play --show runs                also show runs and results
    hsevo play --participants lab.yaml    run a study with participants
    hsevo play --list                     list your games and win rates
    hsevo replay runs/play --html game.html
    """
    if listing:
        studied = participants and Path("runs", participants.stem)
        _list(out or studied or Path(WATCHED if watch else PLAYED), as_json)
        return
    from hsevo.web.serving import serve

    named = given(watch=watch or None, participants=participants, out=out,
                  browser=not options.pop("silent"), **options)
    if "host" in named and participants is None:
        named["password"] = os.environ.get(PASSWORD) or click.prompt(
            "a password for those who play", hide_input=True)
    serve(agents, split(decks) if decks else (), tell=lambda line: say(line, err=True), **named)


def _list(out: Path, as_json: bool) -> None:
    """Print the games of a folder, and how many the human won, with its interval."""
    from hsevo.replays import played  # which takes a second

    facts = played.facts(out)
    if as_json:
        print_json({"games": [vars(game) for game in facts]})
        return
    heads = ("game", "begun (UTC)", "player", "agent", "deck", "against", "turns", "result")
    show_table(heads, [[game.number, game.begun[:16].replace("T", " "), game.human, game.agent,
                        game.deck, game.against, game.turns,
                        "given up" if game.conceded else game.result] for game in facts],
               ("game", "turns"), ("begun (UTC)", "against", "turns"))
    for line in _conditions(out) or _rates(facts):
        say(line)


def _conditions(out: Path) -> list[str]:
    """Return a line for each condition of a study: how many games its participants won."""
    from hsevo.strength.scores import by_condition

    lines = []
    for score in by_condition(out):
        value, low, high = (
            100 * part for part in (score.rate.value, score.rate.low, score.rate.high))
        lines.append(f"{score.player}: {score.won} of {score.games} games against {score.agent}"
                     f" won, {value:.0f} % (95 % interval {low:.0f} to {high:.0f}, as if all games"
                     " were independent)")
    return lines


def _rates(facts: list[played.GameFacts]) -> list[str]:
    """Return a line for each player and agent: how many of the finished games the player won."""
    from hsevo.strength.panel import NEWEST
    from hsevo.strength.scores import left_out, rated, scores

    lines = []
    for score in scores(facts):
        value, low, high = (
            100 * part for part in (score.rate.value, score.rate.low, score.rate.high))
        lines.append(f"{score.player} against {score.agent}: {score.won} of {score.games} won,"
                     f" {value:.0f} % (95 % interval {low:.0f} to {high:.0f})")
    if human := rated(facts):
        value, low, high = human.rating.value, human.rating.low, human.rating.high
        lines.append(f"the human's rating: {value:.0f} Elo (95 % interval {low:.0f} to"
                     f" {high:.0f}), by {human.games} of these games, with agents of"
                     f" {NEWEST}, whose mean is 0")
    if without := left_out(facts):
        lines.append(f"not counted in a rating: {without}")
    return lines
