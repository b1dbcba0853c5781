"""hsevo meta: decks against decks, the mixture that they settle on, line-ups, changed cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isnan
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo import play
from hsevo.cli.arena import MOST_NAMED, notes
from hsevo.cli.completion import DECK, DECKS
from hsevo.cli.shared import (
    FOLDER,
    game_options,
    given,
    json_option,
    losing,
    plan_options,
    print_json,
    repeatable,
    rules_options,
    split,
    workers_options,
)
from hsevo.cli.tables import Sheet, percent_cells, say, show_table, within
from hsevo.config.named import CIG2018
from hsevo.errors import ConfigError, quoted

if TYPE_CHECKING:
    import pandas as pd

MOVED = ["before", "after", "change", "95 % interval"]  # columns of what changed
WIDTH = 80  # columns of a matrix with its intervals, at most

seed_option = click.option("--seed", type=click.IntRange(0), default=1, show_default=True,
                           metavar="N", help="Of the resamples.")
resamples_option = click.option("--resamples", type=int, default=1000, show_default=True,
                                metavar="N", help="Draws of the match-ups, for intervals.")


@click.group()
def meta() -> None:
    """Decks against decks: who wins, what a metagame settles on, line-ups, nerfs.

    \b
    hsevo meta matrix mage shaman warrior decks/*.txt --out runs/decks
    hsevo meta nash runs/decks
    hsevo meta lineup runs/decks --mine mage,shaman,warrior \\
        --theirs zoo-warlock,mage,shaman
    hsevo meta nerf "Spirit Claws" cost+1 --decks mage,shaman,warrior
    hsevo meta balance --decks mage,shaman,warrior
    """


@meta.command()
@click.argument("decks", nargs=-1, required=True, metavar="DECK...", shell_complete=DECK)
@plan_options("meta matrix")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A folder for all games, which the other commands read; what was stopped there"
                   " goes on with the same command.")
@game_options
@workers_options
@json_option
def matrix(decks: tuple[str, ...], out: Path | None, as_json: bool, **rules: Any) -> None:
    """Play decks against decks: names, files, codes, URLs or human:ID.

    \b
    hsevo meta matrix mage shaman warrior
    hsevo meta matrix decks/*.txt --games 1000 --out runs/decks
    hsevo meta matrix mage human:h038e27c68 --pilots eva:2018,greedy:metastone

    Every two decks play pairs of games with the same seed, once from each seat. Rates count a draw
    as half a win; intervals are of 95 %, from the spread of the pairs. DIR/matrix is an arena:
    hsevo replay plays its games again, and its pairs.csv has each deck against each.
    """
    kept = repeatable(out) if out else losing("its games are lost (with --out DIR they are kept)")
    with kept:
        found = hsevo.meta(decks, out=out, progress=True, **_given(rules))
    if as_json:
        print_json(found)
        return
    _show_decks(found)
    _show_matrix(found)
    if out:
        say(f"games: {out / 'matrix'}; what they settle on, and a page:\n"
            f"  hsevo meta nash {quote(str(out))}\n"
            f"  hsevo report --arena {quote(str(out / 'matrix'))}")


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given; those that are lists of names, as such."""
    return {key: split(value) if key in ("pilots", "classes") else value
            for key, value in given(**fields).items()}


def _show_decks(found: hsevo.Metagame) -> None:
    names = play.short_names(found.table["pilot"].unique())
    show_table(["deck", "class", "pilot", "won %", "95 % interval", "games"], [
        [row["deck"], row["class"], names[row["pilot"]], *percent_cells(row, "rate"),
         f"{row['games']:,}"] for row in found.table.to_dict("records")],
        ["won %", "95 % interval", "games"], ["games", "class", "pilot"])
    for note in notes(found.arena):
        say(note)


def _show_matrix(found: hsevo.Metagame) -> None:
    """Print win rates in whole per cent; of many decks without their intervals, to be narrow."""
    heads, rows = _numbered(found.matrix("text"))
    said = "with the 95 % interval"
    if not Sheet(heads, rows, heads[1:]).fits(WIDTH):
        rates = (100 * found.matrix()).map(lambda rate: "" if isnan(rate) else f"{rate:.0f}")
        heads, rows = _numbered(rates)
        cells = found.cells
        reach = 100 * max((cells["rate_high"] - cells["rate"]).max(),
                          (cells["rate"] - cells["rate_low"]).max())
        said = (f"\n95 % intervals reach {reach:.0f} points to either side, or less; --json has"
                " them")
    which = "" if heads[1:] == [*found.decks] else " by its number"
    say(f"\nwon in % against each deck{which}, {said}")
    show_table(heads, rows, heads[1:], heads[:1:-1])


def _numbered(table: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of a matrix; numbers stand above the columns of a large one."""
    heads = ["deck", *table.columns]
    rows = [[name, *table.loc[name]] for name in table.index]
    if len(heads) > MOST_NAMED + 1:
        heads[1:] = [str(i) for i in range(1, len(heads))]
        rows = [[f"{i} {name}", *row] for i, (name, *row) in enumerate(rows, start=1)]
    return heads, rows


@meta.command()
@click.argument("folder", type=FOLDER, metavar="DIR")
@resamples_option
@seed_option
@json_option
def nash(folder: Path, resamples: int, seed: int, as_json: bool) -> None:
    """Print the mixture of decks that no deck beats: what a metagame settles on.

    \b
    hsevo meta nash runs/decks

    DIR is a folder of hsevo meta matrix, or an arena of AGENT@DECK. share is a deck's part of the
    Nash mixture, its interval that of resamples of the match-ups; kept says in how many of these
    it has any. won is its rate against this mixture: a deck below 50 % should not be played. alpha
    is the share of alpha-rank, which follows who takes over from whom. vote is its place if each
    game is a vote for who won it, and as few votes as can be are in the wrong order (soft
    Condorcet).
    """
    found = hsevo.open_meta(folder)
    table = found.nash(resamples, seed)
    if as_json:
        print_json({"path": folder, "mixture": table})
        return
    places = table["soft_condorcet"].rank(ascending=False, method="min")
    heads = ["share %", "share 95 %", "kept %", "won %", "won 95 %", "alpha %", "vote"]
    show_table(["deck", *heads], [
        [row["deck"], *percent_cells(row, "share", 0), f"{100 * row['kept']:.0f}",
         *percent_cells(row, "rate"), f"{100 * row['alpha_rank']:.0f}", f"{place:.0f}"]
        for row, place in zip(table.to_dict("records"), places, strict=True)],
        heads, ["kept %", "alpha %", "vote"])
    say(f"{found.arena.done:,} games; intervals of {resamples:,} resamples")


@meta.command()
@click.argument("folder", type=FOLDER, metavar="DIR")
@click.option("--mine", metavar="A,B,...", help="The decks of a line-up; default: the best ones.")
@click.option("--theirs", multiple=True, required=True, metavar="A,B,...",
              help="The other's decks; a field of line-ups, if repeated.")
@click.option("--decks", metavar="A,B,...",
              help="Without --mine: of which decks line-ups are made; default: all.")
@click.option("--format", default="conquest", show_default=True,
              metavar="conquest|last-hero-standing", help="Which decks are out after a game.")
@click.option("--ban", is_flag=True, help="Both first strike a deck of the other.")
@click.option("--any-class", is_flag=True, help="A line-up may have several decks of one class.")
@resamples_option
@seed_option
@json_option
def lineup(folder: Path, mine: str | None, theirs: tuple[str, ...], as_json: bool,
           **how: Any) -> None:
    """Print the chance that a line-up of decks wins a match, or which line-up is best.

    \b
    hsevo meta lineup runs/decks --mine mage,shaman --theirs warrior,shaman
    hsevo meta lineup runs/decks --theirs mage,shaman,warrior
    hsevo meta lineup runs/decks --theirs mage,shaman --theirs mage,warrior \\
        --format last-hero-standing

    In conquest, a deck that has won is out, and who has won with all decks wins. In
    last-hero-standing, a deck that has lost is out, and the winner's plays on. Both players choose
    as well as can be, not knowing the other's choice. With n decks (less the one that is struck)
    it is a best of 2 n - 1. The chance is exact for the rates of DIR; its interval carries their
    errors. Of the best line-ups, the first one's rate is in part luck: see its interval.
    """
    found, field = hsevo.open_meta(folder), [split(one) for one in theirs]
    if mine is None:
        table = found.best_lineups(field, **{**how, "decks": split(how["decks"]) or None})
        _show_lineups(table, folder, as_json)
        return
    _show_chances(found, split(mine), field, as_json, how)


def _show_lineups(table: pd.DataFrame, folder: Path, as_json: bool) -> None:
    if as_json:
        print_json({"path": folder, "lineups": table})
        return
    show_table(["line-up", "won %", "95 % interval", "best in %"], [
        [row["lineup"], *percent_cells(row, "rate"), f"{100 * row['best']:.0f}"]
        for row in table.to_dict("records")], ["won %", "95 % interval", "best in %"])


def _show_chances(found: hsevo.Metagame, mine: Sequence[str], field: Sequence[Sequence[str]],
                  as_json: bool, how: dict[str, Any]) -> None:
    rules = {name: how[name] for name in ("format", "ban")}
    more = {name: how[name] for name in ("resamples", "seed")}
    rates = [found.lineup(mine, theirs, **rules, **more) for theirs in field]
    bans = found.bans(mine, field[0], format=how["format"]) if how["ban"] else None
    if as_json:
        print_json({"path": found.path, "mine": mine, **rules, "matches": [
            {"theirs": theirs, "rate": rate} for theirs, rate in zip(field, rates, strict=True)],
            **({} if bans is None else {"bans": bans})})
        return
    say(f"{', '.join(mine)}: {how['format']}, {'a ban' if how['ban'] else 'no ban'}, best of"
        f" {2 * (len(mine) - how['ban']) - 1}")
    show_table(["against", "won %", "95 % interval"], [
        [", ".join(theirs), f"{100 * rate.value:.1f}",
         f"{100 * rate.low:.1f} to {100 * rate.high:.1f}"]
        for theirs, rate in zip(field, rates, strict=True)], ["won %", "95 % interval"])
    if bans is not None:
        say(f"which deck to strike, against {', '.join(field[0])}:")
        for row in bans[bans["share"] > 0.005].to_dict("records"):
            who = "strike their" if row["side"] == "theirs" else "they strike your"
            say(f"  {who} {row['deck']}: {100 * row['share']:.0f} %")


@meta.command()
@click.argument("words", nargs=-1, required=True, metavar="CARD CHANGE... | FILE")
@plan_options("meta nerf")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A folder for all games and tables; what was stopped there goes on with the same"
                   " command.")
@rules_options
@workers_options
@json_option
def nerf(words: tuple[str, ...], out: Path | None, decks: str | None, as_json: bool,
         **rules: Any) -> None:
    """Show what a change of cards does to a metagame: rates and mixture, before and after.

    \b
    hsevo meta nerf "Spirit Claws" cost+1 --decks mage,shaman,warrior,zoo-warlock
    hsevo meta nerf "Spirit Claws" cost+1 "Small-Time Buccaneer" health-1 \\
        --decks shaman,mage,warrior --ruleset msg2017 --games 1000
    hsevo meta nerf nerf.yaml --decks shaman,mage,warrior --out runs/nerf

    A change is cost+1, health-2, attack=3 or durability-1; several may follow a card, and several
    cards may be given; or FILE, an overlay of a ruleset. The decks play the same games before and
    after, seed by seed, so that a difference has a narrower interval than the rates. DIR/before
    and DIR/after are as of hsevo meta matrix, and changes.csv and matchups.csv have the tables.
    """
    kept = repeatable(out) if out else losing("its games are lost (with --out DIR they are kept)")
    with kept:
        found = hsevo.nerf(split(decks) or CIG2018, changes_of(words), out=out, progress=True,
                           **_given(rules))
    if as_json:
        print_json(found)
        return
    _show_nerf(found)
    if out:
        more = f", {out}/evolved.csv" if found.evolved is not None else ""
        say(f"tables: {out}/changes.csv, {out}/matchups.csv{more}; hsevo meta nash"
            f" {quote(str(out / 'after'))}")


def changes_of(words: Sequence[str]) -> Any:
    """Return the changes by card of the words CARD CHANGE...; or the only word, an overlay."""
    if len(words) == 1 and re.search(r"\.ya?ml$|/|=", words[0]):
        return words[0]
    found: dict[str, list[str]] = {}
    card = ""
    for word in words:
        if re.fullmatch(r"[a-z]+[-+=]\d+", word):
            found.setdefault(card, []).append(word)
        else:
            card = word
            found.setdefault(card, [])
    if bare := [card for card, changes in found.items() if not changes or not card]:
        raise ConfigError(f"{quoted(bare[0] or words[0])} stands without a"
                          f" {'change' if bare[0] else 'card'}: CARD cost+1")
    return found


def _show_nerf(found: hsevo.Nerf) -> None:
    table = found.table
    if found.evolved is not None:
        _show_evolved(found.evolved)
    say(f"{found.ruleset}, against {found.before.arena.lineup.plan.ruleset}")
    say("won by each deck against all others, in %")
    show_table(["deck", "copies", *MOVED], [
        [row["deck"], str(row["copies"]), *_moved(row, "", 1)] for row in table.to_dict("records")],
        ["copies", *MOVED], ["copies"])
    sure = int(((table["change_low"] > 0) | (table["change_high"] < 0)).sum())
    say(f"{sure} of {len(table)} changes exclude 0; by luck alone, {len(table) / 20:.1f} would\n\n"
        "share of the Nash mixture, in %")
    show_table(["deck", *MOVED], [
        [row["deck"], *_moved(row, "share_", 0)] for row in table.to_dict("records")], MOVED)
    if len(found.classes) < len(table):
        show_table(["class", "decks", *MOVED], [
            [row["class"], str(row["decks"]), *_moved(row, "", 0)]
            for row in found.classes.to_dict("records")], ["decks", *MOVED])


def _show_evolved(table: pd.DataFrame) -> None:
    say("best decks that evolved, and the field's best of the class, in % won against the field")
    show_table(["class", "when", "deck", "won %", "95 % interval", "the field's", "won"], [
        [row["class"], row["when"], row["deck"], *percent_cells(row, "rate"), row["known"],
         within(row, "known_rate")] for row in table.to_dict("records")],
        ["won %", "95 % interval", "won"], ["the field's"])
    for row in table.drop_duplicates("deck").to_dict("records"):
        say(f"{row['deck']}: {row['code']}")
    say("")


def _moved(row: Any, of: str, digits: int) -> list[str]:
    """Return what a share in per cent was and is, and its change, with their intervals.

    of: begins the names of its columns.
    """
    change = f"{of}change"
    return [within(row, f"{of}before"), within(row, f"{of}after"),
            f"{100 * row[change]:+.{digits}f}", _signed(row, change, digits)]


def _signed(row: Any, name: str, digits: int = 1) -> str:
    low, high = (100 * row[name + end] for end in ("_low", "_high"))
    return f"{low:+.{digits}f} to {high:+.{digits}f}"


@meta.command()
@click.option("--decks", metavar="A,B,...", shell_complete=DECKS,
              help="The field, two decks or more; default: mage,shaman,warrior.")
@click.option("--card", "cards", multiple=True, metavar="CARD",
              help="Only this card changes; may be repeated. Default: all cards of the decks.")
@plan_options("meta balance", "workers")
@json_option
def balance(decks: str | None, cards: tuple[str, ...], as_json: bool, **how: Any) -> None:
    """Find the few changes of cards that make a field of decks even.

    \b
    hsevo meta balance --decks mage,shaman,warrior,zoo-warlock
    hsevo meta balance --decks shaman,mage,warrior --ruleset msg2017 \\
        --card "Spirit Claws" --card "Small-Time Buccaneer" --most 2

    A proposal makes cards of the decks cheaper or dearer, weaker or stronger, by at most --most
    steps of 1. The best of each size is kept and changed further. uneven is the root mean square of
    the decks' rates against all others less 50 %, in points, without what chance adds; it and its
    interval are of new games, in which nothing was chosen. A proposal is shown if no smaller one,
    nor none, is as good in the search. The decks stay as they are: players would build others, and
    some other deck may then be best.

    With --re-evolve, decks evolve against each proposal that is kept, one of each class, and once
    more against what is shown. uneven counts those that win more than half against the field, by as
    much as they do; challenger is the best of them.
    """
    with losing("nothing is kept of a search"):
        found = hsevo.balance(CIG2018 if decks is None else split(decks), cards=cards,
                              progress=True, **given(**how))
    if as_json:
        print_json(found)
        return
    table = found.front
    show_table(["size", "changes", "uneven", "95 % interval", "best deck", "worst deck"], [
        [str(row["size"]), row["changes"] or "none", *percent_cells(row, "unevenness"), row["best"],
         row["worst"]] for row in table.to_dict("records")],
        ["size", "uneven", "95 % interval"], [["best deck", "worst deck"]])
    if "challenger" in table:
        _show_challengers(table)
    say(f"to play under the last one: --ruleset {quote(found.rulesets[-1])}" if found.rulesets else
        "no proposal was more even than none in the search")


def _show_challengers(table: pd.DataFrame) -> None:
    show_table(["size", "challenger", "won %", "95 % interval", "code"], [
        [str(row["size"]), row["challenger"], *percent_cells(row, "challenger_rate"),
         row["challenger_code"]] for row in table.to_dict("records") if row["challenger"]],
        ["size", "won %", "95 % interval"])
