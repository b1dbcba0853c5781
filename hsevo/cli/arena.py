"""hsevo match, hsevo arena, hsevo agents: compare agents, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

import hsevo
from hsevo import experiments, play, strength
from hsevo.cli.completion import AGENT, AGENTS, RUN_OR_AGENT
from hsevo.cli.shared import (
    FOLDER,
    crosstab_option,
    given,
    json_option,
    losing,
    plan_options,
    print_json,
    repeatable,
    so_far,
    split,
    stoppable,
    trust_option,
    workers_options,
)
from hsevo.cli.tables import Sheet, Spare, drawn, fitted, gap_cells, percent_cells, say, show_table
from hsevo.errors import AgentError, ConfigError

if TYPE_CHECKING:
    import pandas as pd

    from hsevo.cards.decks import Deck

TABLE_SECONDS = 2.0  # between two updates of the table while an arena runs
MOST_NAMED = 3  # columns of a cross-table with names above them; more have numbers, to be narrow


@click.command()
@click.option("--champions", is_flag=True,
              help="List the agents that were evolved or trained with hsevo, each with its"
                   " command, the SHA-256 of its file, and games that prove the result.")
@click.option("--prove", is_flag=True,
              help="With --champions, replay these games, and check that the results are the same.")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="With --champions, write the agents' files to a new folder.")
@workers_options
@json_option
def agents(champions: bool, prove: bool, out: Path | None, workers: int | None,
           backend: str | None, as_json: bool) -> None:
    """List the named agents and their options.

    A spec names an agent. Its options follow a '?' and are separated by '&'.

    \b
    hsevo agents
    hsevo match eva:2018 random
    hsevo match 'AGENT?OPTION=3&OTHER=60' eva:2018
    hsevo match eva:runs/mine eva:2018      best of a run's last generation
    hsevo match eva:runs/mine#individual-7 eva:best.yaml
    hsevo match rl:runs/learned eva:2018    the player of a run of hsevo learn
    hsevo match py:bot.py#decide eva:2018   a function of a Python file
    hsevo match 'py:bot.py#decide?depth=2' eva:2018   with an option
    hsevo agents --champions --prove        replay the champions' proofs
    """
    from hsevo.agents.registry import EVOLVED, KINDS, NET, choices

    if champions:
        _champions(prove, out, {"workers": workers, "backend": backend}, as_json)
        return
    if workers or backend:
        raise ConfigError("--workers and --backend need --champions --prove")
    if prove or out:
        raise ConfigError(f"--{'prove' if prove else 'out'} needs --champions")
    if as_json:
        print_json({"agents": hsevo.list_agents(), "kinds": EVOLVED})
        return
    rows = []
    for row in hsevo.list_agents().to_dict("records"):
        rows.append((row["agent"], row["description"]))
        rows += [("", f"?{option}") for option in row["options"].split(", ") if option]
    rows += [("eva:RUN", "EVA with the weights of a run: those of the highest fitness in the last"
              " generations of all executions"),
             ("eva:RUN#ID", "EVA with the weights of a run: any individual"),
             ("eva:FILE#NAME", "EVA with weights from a file; #NAME selects one of several agents"),
             ("KIND:...", f"the same for {', '.join(name for name in EVOLVED if name != 'eva')}"),
             (f"{NET}:RUN", "the player of a hsevo learn run: its last checkpoint"),
             (f"{NET}:RUN#CHECKPOINT", "an earlier checkpoint, for example period-0003"),
             (f"{NET}:FILE", "a checkpoint file"),
             *(("", f"?{name}={choices(option)}") for name, option in KINDS[NET].options.items())]
    show_table(("agent", "what it is"), rows)


def _champions(prove: bool, out: Path | None, workers: dict[str, Any], as_json: bool) -> None:
    """List the champions; write their files, and play the games that prove them, if asked for."""
    table = hsevo.list_champions()
    if out:
        hsevo.export_champions(out)
    if prove:
        for name in table["champion"]:
            hsevo.prove(name, progress=True, **workers)
    if as_json:
        print_json({"champions": table, "proven": prove, "path": out})
        return
    rows: list[tuple[object, object]] = []
    for row in table.to_dict("records"):
        rows += [(row["champion"], row["description"]), ("  made by", row["command"]),
                 ("  from", f"{row['games']:,} games, hsevo {row['version']}, engine"
                          f" {row['engine']}"),
                 ("  file", row["file"]), ("  SHA-256", row["sha256"]),
                 ("  proof", f"won {row['won']}, drawn {row['drawn']}, lost {row['lost']} against"
                             f" {row['against']}"), ("  repeat with", row["proof"])]
    show_table(("champion", "what it is"), rows)
    if prove:
        say(f"all {table['proof_games'].sum():,} games were replayed with the same results")
    if out:
        say(f"files: {out}. To check them, run sha256sum --check SHA256SUMS there")


@click.command()
@click.argument("a", metavar="A", shell_complete=AGENT)
@click.argument("b", metavar="B", shell_complete=AGENT)
@plan_options("match", "rules", "workers")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder for the games, which hsevo replay can replay. If you stop the"
                   " command, run it again to continue.")
@crosstab_option
@json_option
def match(a: str, b: str, out: Path | None, as_json: bool, crosstabs: tuple[str, ...],
          **fields: Any) -> None:
    """Play two agents against each other to find out which is better.

    \b
    hsevo match eva:2018 random --games 200
    hsevo match eva:best.yaml eva:2018 --decks mage,shaman --seed 7
    hsevo match eva:best.yaml eva:2018 --sprt 0 10 --games 100000
    hsevo match eva:2018@my-deck.txt eva:2018@mage     which deck is better?
    hsevo match eva:2018 gsv --crosstab decks          each deck against each
    hsevo match eva:2018 gsv --decks human:held-out    lists of nine classes

    AGENT@DECK plays only this deck. Other agents play all --decks. With --decks human:held-out,
    hsevo draws the decks of each pair of games from human decks that the learned players of hsevo
    did not train on (human:known draws from the other human decks). It draws a class first, and
    then a deck of this class. A and B may then be the same agent, which measures the strength of
    each class.

    The result is significant if the 95 % interval of the win rate (a draw is half a win) excludes
    50 %. You also get the difference in Elo and in normalised Elo (nElo), whose unit is a game's
    standard deviation.

    Games come in pairs with the same seed and decks, in which the agents swap seats. This reduces
    the effect of luck with cards. Intervals are computed from the results of pairs, and take into
    account that a deck can occur in several pairs.

    --sprt runs a sequential probability ratio test with at most --games games. The number of
    workers does not change its result.
    """
    hints = repeatable(out) if out else losing("its games are lost (with --out DIR they are kept)")
    with hints, so_far(_show_match, as_json):
        result = hsevo.match(a, b, out=out, progress=True, **given(**fields))
    (print_json if as_json else _show_match)(result)
    show_crosstabs(result, () if as_json else crosstabs)
    if out and not as_json:
        say(f"games: {out}; hsevo replay {out} --list lists them")


def _show_match(result: strength.Match) -> None:
    say("\n".join(_match_lines(result)))
    if result.lineup.side:
        name = play.short_names(result.names)[result.names[0]]
        say(f"\nstrength of each class played by {name}")
        show_table(["class", "lists", "games", "rate %", "95 % interval"], [
            [row["class"], f"{row['decks']:,}", f"{row['games']:,}", *percent_cells(row)]
            for row in result.classes.to_dict("records")], ["lists", "games", "rate %"])


@click.command()
@click.argument("agents", nargs=-1, metavar="AGENT...", shell_complete=RUN_OR_AGENT)
@click.option("--runs", is_flag=True,
              help="Each AGENT is a run of hsevo evolve, whose whole last population plays, or a"
                   " file of weights, whose agents all play (KIND:FILE for other agent families"
                   " than eva).")
@click.option("--against", metavar="A,B,...", shell_complete=AGENTS,
              help="Play a gauntlet, in which every AGENT plays only these agents and not the"
                   " other AGENTs.")
@plan_options("arena", "rules")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder for games and tables. Without it, the command only prints the"
                   " table.")
@click.option("--resume", type=FOLDER, metavar="DIR", help="Continue an arena that was stopped.")
@trust_option
@workers_options
@crosstab_option
@json_option
def arena(agents: tuple[str, ...], runs: bool, out: Path | None, resume: Path | None, trust: bool,
          as_json: bool, crosstabs: tuple[str, ...], **plan: Any) -> None:
    """Play many agents against each other, and rate them.

    \b
    hsevo arena random eva:2018 eva:runs/mine
    hsevo arena random eva:2018 eva:runs/mine --games 1000 --out mine
    hsevo arena eva:a.yaml eva:b.yaml --against random,eva:2018 --out gauntlet
    hsevo arena eva:2018@mage eva:2018@mine.txt gsv@mage --crosstab agents
    hsevo arena py:bot.py#decide eva:2018 random
    hsevo arena --runs runs/mine runs/other --out populations
    hsevo arena --runs gsv:final_populations.csv --against eva:2018
    hsevo arena --resume mine

    AGENT@DECK plays only this deck. Other agents play all --decks. Games come in pairs, as in hsevo
    match.

    DIR contains ratings.csv (Bradley-Terry ratings in Elo with mean 0, and leads over the next
    agent), pairs.csv (every two agents), deck_pairs.csv (every two agents, by decks),
    deck_crosstab.csv (every two decks), and games.csv (every game). Intervals are 95 % intervals. A
    lead is significant if its interval is above 0.

    The column nash is an agent's share of the Nash mixture, which no agent beats. A share of 100 %
    means that a single agent is best. The column faults counts games that the engine rejected
    because of a bug. Results do not include these games.

    --resume continues a stopped arena with the same result.
    """
    workers = experiments.workers_of(plan.pop("workers"), plan.pop("backend"))
    if resume:
        contest = _resumed(resume, trust, (*agents, *(["--runs"] * runs)), out, plan)
    else:
        if not agents:
            raise AgentError("name the agents of the arena (hsevo agents lists them), or --resume"
                             " DIR")
        if runs:
            agents = tuple(spec for source in agents for spec in strength.all_of(source))
        plan["against"] = split(plan["against"])
        contest = strength.arena_of(out, agents, **given(**plan))
    with stoppable("arena", contest.path), so_far(_show_ratings, as_json):
        result = strength.play_out(contest, workers, True, Board(contest))
    _show_arena(result, as_json, crosstabs)


def _show_arena(result: strength.Arena, as_json: bool, crosstabs: Sequence[str]) -> None:
    if as_json:
        print_json(result)
        return
    _show_ratings(result)
    show_crosstabs(result, crosstabs)
    where = (f": {result.path}/ratings.csv, pairs.csv, deck_pairs.csv and games.csv"
             if result.path else "")
    say(f"{result.done:,} games{where}{_mixture(result.ratings)}")
    if result.path:
        folder = quote(str(result.path))
        say(f"To see it as a page, and its games:\n  hsevo report --arena {folder}\n"
            f"  hsevo replay {folder} --list")


def _show_ratings(result: strength.Arena) -> None:
    where = [f"{result.path}/ratings.csv has them"] if result.path else []
    show_table(*_sheet(result.ratings), _spare(result.ratings), *where)
    for note in notes(result):
        say(note)


def _resumed(path: Path, trust: bool, agents: tuple[str, ...], out: Path | None,
             plan: dict[str, Any]) -> strength.Arena:
    words = [*agents, *(["--out"] if out else []),
             *("--" + name.replace("_", "-") for name in given(**plan))]
    if words:
        raise ConfigError(f"{words[0]} can't be combined with --resume, which keeps the settings of"
                          " the arena")
    return strength.Arena.open(path, trust)


def show_crosstabs(record: strength.PairedContest, tables: Sequence[str]) -> None:
    """Print win rates in whole per cent with their intervals, agent by agent or deck by deck."""
    for by in tables:
        table = strength.crosstab(record, by, "text")
        if table.empty:
            say("decks: no two decks played each other")
            continue
        names = play.short_names(record.lineup.names)
        heads = [by.removesuffix("s"), *(names.get(column, column) for column in table.columns)]
        rows = [[names.get(row, row), *table.loc[row]] for row in table.index]
        numbered = ""
        if len(heads) > MOST_NAMED:
            heads[1:] = [str(i) for i in range(1, len(heads))]
            rows = [[f"{i} {name}", *row] for i, (name, *row) in enumerate(rows, start=1)]
            numbered = ", by its number"
        say(f"\n{by}: win rate in % against each{numbered}, with the 95 % interval")
        show_table(heads, rows, heads[1:], heads[:1:-1])


class Board:
    """The live table of an arena, shown once all agents have met."""

    def __init__(self, arena: strength.Arena) -> None:
        self.arena, self.drawn = arena, -inf
        self.tables: tuple[Table, ...] = ()

    def __call__(self) -> Iterable[Table]:
        """Return the table, redrawn every few seconds, or nothing while there is none."""
        if monotonic() - self.drawn >= TABLE_SECONDS:
            self.drawn = monotonic()
            now = self.arena.so_far()  # rich asks from a thread of its own
            self.tables = (_table(now.ratings),) if now.complete else ()
        return self.tables


def _table(ratings: pd.DataFrame) -> Table:
    return drawn(fitted(_sheet(ratings), _spare(ratings), Console(stderr=True).width)[0])


def _spare(ratings: pd.DataFrame) -> Spare:
    """Return the columns that a narrow terminal leaves out; faults stay where there are any."""
    faults = [] if ratings["faults"].any() else ["faults"]
    return [*faults, "games", "nash %", ["lead", "lead 95 %"], "rate 95 %", "rate %"]


def _sheet(ratings: pd.DataFrame) -> Sheet:
    """Return lineup.ratings_table as text."""
    heads = ["agent", "rating", "rating 95 %", "lead", "lead 95 %", "rate %", "rate 95 %", "games",
             "faults"]
    names = play.short_names(ratings["agent"])
    rows = [[names[row["agent"]], f"{row['rating']:+.0f}",
             f"{row['low']:+.0f} to {row['high']:+.0f}", *gap_cells(row), *percent_cells(row),
             f"{row['games']:,}", f"{row['faults']:,}"] for row in ratings.to_dict("records")]
    if "nash" in ratings:
        heads.append("nash %")
        for row, part in zip(rows, ratings["nash"], strict=True):
            row.append(f"{100 * part:.0f}")
    return Sheet(heads, rows, heads[1:])


def _mixture(ratings: pd.DataFrame) -> str:
    """Return a line with the agents of the Nash mixture, if there are several."""
    if "nash" not in ratings or ratings["nash"].max() > 1 - 1e-9:
        return ""
    inside = ratings[ratings["nash"] > 0].sort_values("nash", ascending=False, kind="stable")
    names = play.short_names(ratings["agent"])
    parts = ", ".join(f"{names[row['agent']]} {100 * row['nash']:.0f} %"
                      for row in inside.to_dict("records"))
    return f"\nno agent beats all others, and no agent beats the mixture of {parts}"


def _match_lines(result: strength.Match) -> list[str]:
    """Say how a match ended: the answer first."""
    plan, counts = result.lineup.plan, result.pairs
    a, b = play.short_names(result.names).values()
    lines = [*_answers(result),
             f"{a} against {b}: {result.played:,} games in {result.played // 2:,} pairs,"
             f" {_pairs(result.lineup)}, {plan.ruleset}, {plan.information}"]
    if b == strength.ITSELF:
        return [*lines, "  the two games of a pair are the same, each counted from both sides"]
    lines += [
             f"  won {result.wins:,}, drawn {result.draws:,}, lost {result.losses:,}"
             f"{_faults(result)}",
             f"  rate  {result.rate.percent()}"]
    lines += [f"  {word:<6}{estimate.value:+.1f} ({estimate.low:+.1f} to {estimate.high:+.1f})"
              for word, estimate in (("Elo", result.elo), ("nElo", result.nelo))]
    lines.append("  pairs with 0, 0.5, 1, 1.5, 2 points: " + ", ".join(f"{n:,}" for n in counts))
    lines += [f"  {note}" for note in notes(result)]
    return lines + ([_sprt_line(result.sprt, counts)] if result.sprt else [])


def notes(record: strength.PairedContest) -> list[str]:
    """Return lines on agents: where those are whose short names don't say it, and on learned ones.

    Of these, decks that they have not learned, or have built, or see.
    """
    from hsevo.play.players import traits

    lineup, names = record.lineup, play.short_names(record.lineup.names)
    apart = [f"{names[spec]} {said}" for spec, player in zip(names, lineup.players, strict=True)
             if (said := traits(player))]
    played = ((spec, [lineup.decks[k] for k in lineup.decks_of(i)]) for i, spec in enumerate(names))
    return [*play.legend(names), *apart, *(
        f"{names[spec]} {note}" for spec, decks in played
        if (note := _unlearned(play.split_deck(spec)[0], decks)))]


def _unlearned(spec: str, decks: Sequence[Deck]) -> str:
    from hsevo.agents.registry import NET, ROSTER

    if not spec.startswith(f"{NET}:") or spec.partition("?")[0] in ROSTER:
        return ""
    from hsevo.learning.run import unlearned  # imports what learns, which other agents do not need

    return unlearned(spec, decks)


def _pairs(lineup: strength.Lineup) -> str:
    if lineup.side:
        return f"{len(lineup.decks):,} human lists ({lineup.side})"
    pairs = lineup.deck_pairs(0, 1)
    return "1 deck pair" if pairs == 1 else f"{pairs} deck pairs"


def _answers(result: strength.Match) -> list[str]:
    """Return who is better, and whether that is sure; of a sequential test, what it accepts."""
    if result.sprt:
        more = "" if result.verdict else "; more --games may decide"
        return [result.test_sentence + more]
    if result.names[1] == strength.ITSELF:
        return [result.sentence]
    why = ("sure, as the 95 % interval excludes 50 %" if result.sure else
           "not sure, as the 95 % interval includes 50 %; more --games may decide")
    return [f"{result.sentence}: {result.rate.percent(1)}, {why}"]


def _faults(record: strength.PairedContest) -> str:
    """Say how many games the engine refused, and which first; "" if none."""
    seeds = record.rows["seed"][record.results["faults"] > 0]
    return (f"; faults {len(seeds):,} (games that the engine rejected because of a bug in hsevo;"
            f" the first has the seed {seeds[0]})") if len(seeds) else ""


def _sprt_line(sprt: strength.Sprt, counts: Any) -> str:
    low, high = sprt.bounds
    return (f"  LLR   {sprt.llr(counts):+.2f} (H0, {sprt.elo0:+g} Elo, is accepted at {low:+.2f};"
            f" H1, {sprt.elo1:+g} Elo, at {high:+.2f})")
