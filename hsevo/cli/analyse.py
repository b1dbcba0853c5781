"""hsevo analyse: what the decisions of stored games cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo import analysis, play
from hsevo.cli.completion import AGENT, RUNS
from hsevo.cli.replays import which_of, which_options
from hsevo.cli.shared import FOLDER, given, json_option, losing, print_json, workers_options
from hsevo.cli.tables import paragraph, percent_cells, say, show_table
from hsevo.errors import ConfigError
from hsevo.files import probe, write_whole

if TYPE_CHECKING:
    from hsevo.replays.exercises import Exercise

WORST = 5  # turns of a game
ENDS = ("", "_low", "_high")
LOST = "the games that were played on are lost; the same command begins again"


@click.command()
@click.argument("source", metavar="GAME|POSITION|FOLDER", type=FOLDER, shell_complete=RUNS)
@click.option("--side", type=click.Choice(["a", "b", "both"]),
              help="Whose decisions; default: a, the human if one played, or else --a, or player 0"
                   " of a saved game.")
@click.option("--at", type=click.IntRange(0), metavar="D",
              help="The position before decision D of the game instead: its best lines.")
@click.option("--save", type=FOLDER, metavar="FILE", help="With --at: write the position there.")
@click.option("--lines", type=int, metavar="N", help="Of a position: lines to compare; default: 5.")
@click.option("--seconds", type=float, metavar="N",
              help="Of a position: after so many, begin no more games, and answer by those that"
                   " were played; default: all are.")
@click.option("--agent", metavar="AGENT", shell_complete=AGENT,
              help="The analyst, whose moves are compared; default: rl:2026?search=turn.")
@click.option("--players", metavar="AGENT", shell_complete=AGENT,
              help="Who plays on for both; default: rl:2026?search=turn.")
@click.option("--games", type=int, metavar="N", default=100, show_default=True,
              help="Games that are played on after each move that is compared.")
@click.option("--budget", type=int, metavar="N", default=100_000, show_default=True,
              help="Actions to simulate in search of a lethal at each decision; 0: no search.")
@click.option("--worst", type=click.IntRange(1), metavar="N",
              help="How many turns of a game to print, or mistakes to make exercises of; default:"
                   " 5.")
@click.option("--all", "most", type=click.IntRange(1), metavar="N",
              help="A table of mistakes over the first N games that fit, instead of one game.")
@click.option("--out", type=FOLDER, metavar="FILE",
              help="Write all decisions, or lines, there as CSV.")
@click.option("--html", type=FOLDER, metavar="FILE",
              help="Write the game as a page to step through, beside the turns that cost most.")
@click.option("--exercises", type=FOLDER, metavar="FILE",
              help="Write the mistakes there as exercises: positions, and what moves there cost.")
@click.option("--seed", type=int, metavar="N", default=1, show_default=True,
              help="The same seed gives the same result.")
@which_options
@workers_options
@json_option
def analyse(source: Path, most: int | None, at: int | None, save: Path | None, out: Path | None,
            html: Path | None, exercises: Path | None, as_json: bool, **options: Any) -> None:
    """Find the turns of a stored game that cost most, or the best lines at a position.

    \b
    hsevo analyse runs/play                         the last game that you played
    hsevo analyse my-match --a eva:2018 --lost      a game that it lost
    hsevo analyse runs/mine --part 5 --side both
    hsevo analyse game.json --agent gsv --games 400
    hsevo analyse runs/play --out decisions.csv --html mistakes.html
    hsevo analyse runs/play --all 20                mistakes over many games
    hsevo analyse runs/play --exercises mine.json   and as exercises
    hsevo analyse runs/play --at 31                 what to do at a decision
    hsevo analyse position.json                     what to do at any position

    FOLDER is what hsevo replay takes, and the options choose the same game; GAME is a saved game
    (Game.save of Python, or a file of hsevo play). POSITION is a JSON file that --save writes, or
    you.

    At each decision the analyst is asked for its move. If it is another one, both are played on to
    the end N times, in worlds in which all that the player can't see is random, and with the same
    random numbers after both. A move's chance is the share of games won, and the loss is the
    difference; a turn's is the sum over its decisions. Luck costs nothing. Intervals are of 95 %. A
    loss below 0 is a move better than the analyst's.

    Of a position, the moves that the analyst likes best are played on in the same way.

    Lethal: at each decision all lines of the own turn are searched, with every outcome of what is
    random. A turn is named whose player could surely win in it, and did not.

    Exercises are made of missed lethals and of the decisions that surely cost most: --worst of
    them. For each, the moves that the analyst likes best are played on from, too, in other worlds;
    what is not sure there as well is left out.
    """
    worst = options.pop("worst")
    if html and (at is not None or most or analysis.names_position(source)):
        raise ConfigError("--html is of one game, not of a position or of many games")
    if exercises and (at is not None or analysis.names_position(source)):
        raise ConfigError("--exercises are made of games, not of a position")
    if most and analysis.names_position(source):
        raise ConfigError(f"--all is of stored games, and {source} is a position")
    if worst and not exercises and (most or at is not None or analysis.names_position(source)):
        raise ConfigError("--worst is of the turns of one game" + (
            ", or of --exercises" if most else "; of a position, give --lines N"))
    worst = worst or WORST
    _refuse_same(source, out, save, html, exercises)
    which = {name: value for name, value in which_of(_which(options)).items() if value}
    how, place = given(**options) | {"progress": True}, _place(source, at, save, which)
    if at is not None:
        which = {}
    with losing(LOST):
        found = (hsevo.mistakes(source, most, **_of_many(how | which, at)) if most
                 else hsevo.analyse(place, **how, **which))
        drills = hsevo.exercises(found, worst, **_team(how)) if exercises else None
    if save:
        say(f"{save}: the position before decision {at}", err=as_json)
    if out:
        what = (f"{len(found.lines)} lines" if isinstance(found, hsevo.BestLines) else
                f"{len(found.decisions)} decisions")
        say(f"{found.write(out)}: {what}", err=as_json)
    if html and isinstance(found, hsevo.Analysis):
        write_whole(html, found.page(worst).encode())
        say(f"{html}: a page with the game and the turns that cost most", err=as_json)
    if exercises and drills is not None:
        what = "1 exercise" if len(drills) == 1 else f"{len(drills)} exercises"
        none = "" if drills else ": nothing surely cost anything; --games N makes surer"
        say("\n".join([f"{drills.write(exercises)}: {what}{none}",
                       *(_told(one, most is not None) for one in drills)]), err=as_json)
    if as_json:
        print_json(found)
    elif isinstance(found, hsevo.Analysis):
        _show(found, worst)
    elif isinstance(found, hsevo.Mistakes):
        _show_kinds(found)
    else:
        _show_lines(found)


def _told(one: Exercise, many: bool) -> str:
    """Return what an exercise is about, and what the mistake cost in games of its own.

    many: whether they are of many games, so that each is named.
    """
    lost = one.cost(one.made[0])
    what = "a lethal that was missed" if lost is None else (
        f"{one.made[0]} cost {100 * lost['loss']:.0f} points ({100 * lost['loss_low']:.0f} to"
        f" {100 * lost['loss_high']:.0f})")
    return f"  {f'{one.title}, ' if many else ''}turn {one.turn}, decision {one.step}: {what}"


def _refuse_same(source: Path, *files: Path | None) -> None:
    """Raise ConfigError if a file would be written over the source, or another; RunError."""
    seen = [source.resolve()]
    for file in filter(None, files):
        probe(file)
        if file.resolve() in seen:
            raise ConfigError(f"{file} can't be written: it is the game itself, or named twice")
        seen.append(file.resolve())


def _place(source: Path, at: int | None, save: Path | None, which: dict[str, Any]) -> Any:
    """Return what is to be analysed: the source, or a position of it, which is saved first."""
    if at is None:
        if save:
            raise ConfigError("--save writes the position before a decision; give it with --at D")
        return source
    position = hsevo.position(source, at, **which)
    if save:
        position.write(save)
    return position


def _of_many(how: dict[str, Any], at: int | None) -> dict[str, Any]:
    """Return arguments of `hsevo.mistakes`. Raises ConfigError for what chooses a single game."""
    if at is not None:
        raise ConfigError("--at is of one game, and --all takes many; leave one out")
    for name in ("lines", "seconds"):
        if name in how:
            raise ConfigError(f"--{name} is of a position, and --all takes games; leave one out")
    for name in ("part", "game", "longest", "execution", "generation"):
        if name in how:
            raise ConfigError(f"--{name} chooses one game, and --all takes many; leave one out")
    return how


def _team(how: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that say who works, and how it is shown."""
    return {name: how[name] for name in ("workers", "backend", "progress") if name in how}


def _show_kinds(found: hsevo.Mistakes) -> None:
    """Print what decisions of each kind cost, and which mistakes come again."""
    from hsevo.replays import habits  # which needs numpy

    lost, first = found.lost, found.analyses[0]
    say(f"{len(found.analyses)} games, {len(found.decisions)} decisions; against the moves of"
        f" {first.agent}, each cost {_points(lost.value, lost.low, lost.high)}, by {first.games}"
        f" games each that {first.players} played on for both")
    heads = ["decision", "made", "others", "points each", "95 %", "points"]
    show_table(heads, [[row["kind"], row["decisions"], row["other"], *percent_cells(row, "loss"),
                        f"{100 * row['total']:.0f}"]
                       for row in found.kinds.to_dict("records")], heads[1:])
    say("others: decisions in which the analyst would have made another move; points: in all")
    say(f"turns in which a lethal was missed: {found.missed}")
    for line in (*found.sentences, habits.about(found.sentences)):
        say(f"\n{line}")


def _which(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options that choose a game out of all."""
    rest = ("side", "lines", "seconds", "agent", "players", "games", "budget", "seed", "workers",
            "backend")
    return {name: options.pop(name) for name in [*options] if name not in rest}


def _show(found: hsevo.Analysis, most: int) -> None:
    names, lost = play.short_names(found.names), found.lost
    say(found.title)
    if found.decisions.empty:
        say("no decision was made")
        return
    say(f"{len(found.decisions)} decisions; against the moves of {found.agent}, each cost"
        f" {_points(lost.value, lost.low, lost.high)}, by {found.games} games each that"
        f" {found.players} played on for both")
    table = found.worst(most)
    say("no turn cost anything" if table.empty else
        "the turns that cost most, the highest of many estimates:")
    for row in table.to_dict("records"):
        _show_turn(row, names[found.names[row["player"]]])
    _show_lethal(found.turns, found.names)


def _show_lethal(turns: Any, names: tuple[str, str]) -> None:
    """Print whether lethals were missed."""
    counts = turns["lethal"].value_counts()
    if "" in counts:
        return
    words = {"taken": "taken", "missed": "missed", "chance": "only with luck",
             "unknown": "not decided within --budget"}
    said = [f"{counts[word]} {text}" for word, text in words.items() if word in counts]
    say(f"\nlethal, of {len(turns)} turns: {', '.join(said) or 'none'}")
    for row in turns[turns["lethal"] == "missed"].to_dict("records"):
        name = play.short_names(names)[names[row["player"]]]
        click.echo(paragraph(f"missed in turn {row['turn']} by {name}:"
                             f" {'; '.join(row['lethal_line'])}"))


def _show_turn(row: Any, name: str) -> None:
    """Print a turn: what it cost, what was done, and the better line."""
    when = f"turn {row['turn']}" if row["turn"] else "mulligan"
    say(f"\n{when}, {name}: {_points(row['loss'], row['loss_low'], row['loss_high'])}"
        f"{'' if row['loss_low'] > 0 else ', not sure'}; at its costliest move (--at"
        f" {row['step']}) the chance to win was {100 * row['chance']:.0f} %, with the better one"
        f" {100 * row['better_chance']:.0f} %")
    for word, moves in (("made", row["moves"]), ("better", row["better"])):
        click.echo(paragraph(f"{word + ':':8}{'; '.join(moves)}", further=" " * 8))


def _points(value: float, low: float, high: float) -> str:
    return f"{100 * value:.1f} points ({100 * low:.1f} to {100 * high:.1f})"


def _show_lines(found: hsevo.BestLines) -> None:
    """Print what can be done at a position."""
    say(str(found.position))
    chance = found.chance
    say(f"lethal: {_lethal(found)}")
    if found.lethal == "yes":
        return
    say(f"chance to win: {100 * chance.value:.1f} % (95 % interval {100 * chance.low:.1f} to"
        f" {100 * chance.high:.1f}) after the move of {found.agent}, by {found.games} games that"
        f" {found.players} played on for both")
    if found.games < found.wanted:
        say(f"the time was up: {found.games} of {found.wanted} games after each move were played")
    say("the best lines, by the chance after their first move, the highest of many estimates:")
    for number, row in enumerate(found.lines.to_dict("records"), start=1):
        _show_line(number, row)


def _lethal(found: hsevo.BestLines) -> str:
    """Return what is known of a lethal, in words."""
    line = "; ".join(found.lethal_line)
    return {"yes": f"yes: {line}", "no": "no", "unknown": "not decided within --budget",
            "chance": f"only with luck, {100 * found.lethal_least:.1f} %: {line}"}.get(
                found.lethal, "not looked for (--budget 0)")


def _show_line(number: int, row: Any) -> None:
    """Print a line: its chance, how far it is behind the first, and its moves."""
    behind = "" if number == 1 else f"; {_points(*(row[f'behind{end}'] for end in ENDS))} behind"
    own = ", the analyst's" if row["own"] else ""
    say(f"\n{number}. {100 * row['chance']:.1f} % ({100 * row['chance_low']:.1f} to"
        f" {100 * row['chance_high']:.1f}){behind}{own}")
    click.echo(paragraph("; ".join(row["line"]), further=""))
