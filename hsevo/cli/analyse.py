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
LOST = "the games played so far are lost. Run the command again to start over"


@click.command()
@click.argument("source", metavar="GAME|POSITION|FOLDER", type=FOLDER, shell_complete=RUNS)
@click.option("--side", type=click.Choice(["a", "b", "both"]),
              help="Side to analyse. Default: a, which is the human player if there is one, or"
                   " else the agent of --a, or player 0 of a saved game.")
@click.option("--at", type=click.IntRange(0), metavar="D",
              help="Analyse the position before decision D of the game instead, and print its"
                   " best action sequences.")
@click.option("--save", type=FOLDER, metavar="FILE",
              help="With --at, write the position to this file.")
@click.option("--lines", type=int, metavar="N",
              help="For a position, the number of action sequences to compare. Default: 5.")
@click.option("--seconds", type=float, metavar="N",
              help="For a position, start no new games after N seconds, and use the games played"
                   " so far. Default: no time limit.")
@click.option("--agent", metavar="AGENT", shell_complete=AGENT,
              help="The analyst, an agent whose moves are compared with the player's moves."
                   " Default: rl:2026?search=turn.")
@click.option("--players", metavar="AGENT", shell_complete=AGENT,
              help="Agent that plays games to the end for both sides. Default:"
                   " rl:2026?search=turn.")
@click.option("--games", type=int, metavar="N", default=100, show_default=True,
              help="Number of games to play to the end after each compared move.")
@click.option("--budget", type=int, metavar="N", default=100_000, show_default=True,
              help="Maximum number of simulated actions in the search for a lethal at each"
                   " decision. 0 turns the search off.")
@click.option("--worst", type=click.IntRange(1), metavar="N",
              help="Number of turns to print, or maximum number of exercises. Default: 5.")
@click.option("--all", "most", type=click.IntRange(1), metavar="N",
              help="Analyse the first N selected games instead of one game, and print a table of"
                   " mistakes.")
@click.option("--out", type=FOLDER, metavar="FILE",
              help="Write all decisions or action sequences to this CSV file.")
@click.option("--html", type=FOLDER, metavar="FILE",
              help="Write a page on which you can step through the game and its costliest turns.")
@click.option("--exercises", type=FOLDER, metavar="FILE",
              help="Write the mistakes to this file as exercises: positions with the cost of each"
                   " move.")
@click.option("--seed", type=int, metavar="N", default=1, show_default=True,
              help="The same seed gives the same result.")
@which_options
@workers_options
@json_option
def analyse(source: Path, most: int | None, at: int | None, save: Path | None, out: Path | None,
            html: Path | None, exercises: Path | None, as_json: bool, **options: Any) -> None:
    """Find the costliest turns of a stored game, or the best action sequences at a position.

    \b
    hsevo analyse runs/play                         the last game that you played
    hsevo analyse my-match --a eva:2018 --lost      a game that eva:2018 lost
    hsevo analyse runs/mine --part 5 --side both
    hsevo analyse game.json --agent gsv --games 400
    hsevo analyse runs/play --out decisions.csv --html mistakes.html
    hsevo analyse runs/play --all 20                mistakes in 20 games
    hsevo analyse runs/play --exercises mine.json   mistakes as exercises
    hsevo analyse runs/play --at 31                 the best actions in a game
    hsevo analyse position.json                     the best actions at a position

    FOLDER and the options that select a game are as in hsevo replay. GAME is a saved game
    (Game.save in Python, or a file of hsevo play). POSITION is a JSON file, which you wrote
    yourself or with --save.

    The analyst is an agent (--agent). If it prefers a different move from the player's, hsevo plays
    --games games to the end after each of the two moves, in determinizations with the same random
    numbers. The chance of a move is its share of won games. The loss of the player's move is the
    chance of the analyst's move minus the chance of the player's move. It does not depend on luck
    in the stored game. If the loss is negative, the player's move was better. The loss of a turn is
    the sum over its decisions. hsevo compares the best moves at a position in the same way.
    Intervals are 95 % intervals.

    A lethal is an action sequence that wins in the current turn. The search for a lethal covers all
    action sequences of the turn. You see every turn in which the player missed a certain lethal.

    --exercises makes at most --worst exercises from missed lethals and from moves with significant
    losses. It tests these moves again in new determinizations, and keeps a move only if its loss is
    significant again.
    """
    worst = options.pop("worst")
    if html and (at is not None or most or analysis.names_position(source)):
        raise ConfigError("--html needs a single game, not a position or several games")
    if exercises and (at is not None or analysis.names_position(source)):
        raise ConfigError("--exercises needs games, not a position")
    if most and analysis.names_position(source):
        raise ConfigError(f"--all needs stored games, but {source} is a position")
    if worst and not exercises and (most or at is not None or analysis.names_position(source)):
        raise ConfigError("--worst needs a single game" + (
            ", or --exercises" if most else ". For a position, use --lines N"))
    worst = worst or WORST
    _refuse_same(source, out, save, html, exercises)
    which = {name: value for name, value in which_of(_which(options)).items() if value}
    how, place = given(**options) | {"progress": True}, _place(source, at, save, which)
    if at is not None:
        which = {}
    with losing(LOST):
        result = (hsevo.mistakes(source, most, **_of_many(how | which, at)) if most
                  else hsevo.analyse(place, **how, **which))
        drills = hsevo.exercises(result, worst, **_workers(how)) if exercises else None
    if save:
        say(f"{save}: the position before decision {at}", err=as_json)
    if out:
        what = (f"{len(result.lines)} lines" if isinstance(result, hsevo.BestLines) else
                f"{len(result.decisions)} decisions")
        say(f"{result.write(out)}: {what}", err=as_json)
    if html and isinstance(result, hsevo.Analysis):
        write_whole(html, result.page(worst).encode())
        say(f"{html}: a page with the game and its costliest turns", err=as_json)
    if exercises and drills is not None:
        what = "1 exercise" if len(drills) == 1 else f"{len(drills)} exercises"
        none = "" if drills else ": no significant loss (try a larger --games)"
        say("\n".join([f"{drills.write(exercises)}: {what}{none}",
                       *(_told(drill, most is not None) for drill in drills)]), err=as_json)
    if as_json:
        print_json(result)
    elif isinstance(result, hsevo.Analysis):
        _show(result, worst)
    elif isinstance(result, hsevo.Mistakes):
        _show_kinds(result)
    else:
        _show_lines(result)


def _told(exercise: Exercise, many: bool) -> str:
    """Describe the mistake of an exercise, and its cost in games of its own.

    many: whether the exercises are from many games, so that the line names the game.
    """
    lost = exercise.cost(exercise.made[0])
    what = "a lethal that was missed" if lost is None else (
        f"{exercise.made[0]} cost {100 * lost['loss']:.0f} points ({100 * lost['loss_low']:.0f} to"
        f" {100 * lost['loss_high']:.0f})")
    return (f"  {f'{exercise.title}, ' if many else ''}turn {exercise.turn}, decision"
            f" {exercise.step}: {what}")


def _refuse_same(source: Path, *files: Path | None) -> None:
    """Raise ConfigError if a file would be written over the source, or another; RunError."""
    seen = [source.resolve()]
    for file in filter(None, files):
        probe(file)
        if file.resolve() in seen:
            raise ConfigError(f"{file} can't be written: it is the input file, or named twice")
        seen.append(file.resolve())


def _place(source: Path, at: int | None, save: Path | None, which: dict[str, Any]) -> Any:
    """Return what is to be analysed: the source, or a position of it, which is saved first."""
    if at is None:
        if save:
            raise ConfigError("--save needs --at D, whose position it writes")
        return source
    position = hsevo.position(source, at, **which)
    if save:
        position.write(save)
    return position


def _of_many(how: dict[str, Any], at: int | None) -> dict[str, Any]:
    """Return arguments of `hsevo.mistakes`. Raises ConfigError for what chooses a single game."""
    if at is not None:
        raise ConfigError("--at and --all can't be combined: --at needs a single game")
    for name in ("lines", "seconds"):
        if name in how:
            raise ConfigError(f"--{name} and --all can't be combined: --{name} needs a position")
    for name in ("part", "game", "longest", "execution", "generation"):
        if name in how:
            raise ConfigError(f"--{name} and --all can't be combined: --{name} chooses one game")
    return how


def _workers(how: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that set workers and the display of progress."""
    return {name: how[name] for name in ("workers", "backend", "progress") if name in how}


def _show_kinds(mistakes: hsevo.Mistakes) -> None:
    """Print what decisions of each kind cost, and which mistakes come again."""
    from hsevo.replays import habits  # which needs numpy

    lost, first = mistakes.lost, mistakes.analyses[0]
    say(f"{len(mistakes.analyses)} games, {len(mistakes.decisions)} decisions; against the moves of"
        f" {first.agent}, each cost {_points(lost.value, lost.low, lost.high)}, by {first.games}"
        f" games each that {first.players} played on for both")
    heads = ["decision", "made", "others", "points each", "95 %", "points"]
    show_table(heads, [[row["kind"], row["decisions"], row["other"], *percent_cells(row, "loss"),
                        f"{100 * row['total']:.0f}"]
                       for row in mistakes.kinds.to_dict("records")], heads[1:])
    say("others: decisions in which the analyst would have made another move; points: in all")
    say(f"turns in which a lethal was missed: {mistakes.missed}")
    for line in (*mistakes.sentences, habits.about(mistakes.sentences)):
        say(f"\n{line}")


def _which(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options that choose a game out of all."""
    rest = ("side", "lines", "seconds", "agent", "players", "games", "budget", "seed", "workers",
            "backend")
    return {name: options.pop(name) for name in [*options] if name not in rest}


def _show(result: hsevo.Analysis, most: int) -> None:
    names, lost = play.short_names(result.names), result.lost
    say(result.title)
    if result.decisions.empty:
        say("no decisions")
        return
    say(f"{len(result.decisions)} decisions; against the moves of {result.agent}, each cost"
        f" {_points(lost.value, lost.low, lost.high)}, by {result.games} games each that"
        f" {result.players} played on for both")
    table = result.worst(most)
    say("no turn has a loss" if table.empty else
        "the costliest turns (highest of many estimates, so biased upwards):")
    for row in table.to_dict("records"):
        _show_turn(row, names[result.names[row["player"]]])
    _show_lethal(result.turns, result.names)


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
        f"{'' if row['loss_low'] > 0 else ', not significant'}; at its costliest move (--at"
        f" {row['step']}) the chance to win was {100 * row['chance']:.0f} %, with the better one"
        f" {100 * row['better_chance']:.0f} %")
    for word, moves in (("made", row["moves"]), ("better", row["better"])):
        click.echo(paragraph(f"{word + ':':8}{'; '.join(moves)}", further=" " * 8))


def _points(value: float, low: float, high: float) -> str:
    return f"{100 * value:.1f} points ({100 * low:.1f} to {100 * high:.1f})"


def _show_lines(best: hsevo.BestLines) -> None:
    """Print what can be done at a position."""
    say(str(best.position))
    chance = best.chance
    say(f"lethal: {_lethal(best)}")
    if best.lethal == "yes":
        return
    say(f"chance to win: {100 * chance.value:.1f} % (95 % interval {100 * chance.low:.1f} to"
        f" {100 * chance.high:.1f}) after the move of {best.agent}, by {best.games} games that"
        f" {best.players} played on for both")
    if best.games < best.wanted:
        say(f"time limit reached: {best.games} of {best.wanted} games per move were played")
    say("best action sequences, by chance after the first move (highest of many, so biased"
        " upwards):")
    for number, row in enumerate(best.lines.to_dict("records"), start=1):
        _show_line(number, row)


def _lethal(best: hsevo.BestLines) -> str:
    """Return what is known of a lethal, in words."""
    line = "; ".join(best.lethal_line)
    return {"yes": f"yes: {line}", "no": "no", "unknown": "not decided within --budget",
            "chance": f"only with luck, {100 * best.lethal_least:.1f} %: {line}"}.get(
                best.lethal, "no search (--budget 0)")


def _show_line(number: int, row: Any) -> None:
    """Print a line: its chance, how far it is behind the first, and its moves."""
    behind = "" if number == 1 else f"; {_points(*(row[f'behind{end}'] for end in ENDS))} behind"
    own = ", the analyst's" if row["own"] else ""
    say(f"\n{number}. {100 * row['chance']:.1f} % ({100 * row['chance_low']:.1f} to"
        f" {100 * row['chance_high']:.1f}){behind}{own}")
    click.echo(paragraph("; ".join(row["line"]), further=""))
