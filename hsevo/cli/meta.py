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
                           metavar="N", help="Seed of the resamples.")
resamples_option = click.option("--resamples", type=int, default=1000, show_default=True,
                                metavar="N",
                                help="Number of bootstrap resamples, for intervals.")


@click.group()
def meta() -> None:
    """Analyse a metagame of decks: win rates, Nash mixture, line-ups and nerfs.

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
              help="A folder for all games, which the other commands read. If you stop the"
                   " command, run it again to continue.")
@game_options
@workers_options
@json_option
def matrix(decks: tuple[str, ...], out: Path | None, as_json: bool, **rules: Any) -> None:
    """Play every two decks against each other.

    Give each DECK as a name, file, code, URL or human:ID.

    \b
    hsevo meta matrix mage shaman warrior
    hsevo meta matrix decks/*.txt --games 1000 --out runs/decks
    hsevo meta matrix mage human:h038e27c68 --pilots eva:2018,greedy:metastone

    Every two decks play pairs of games with the same seed and swapped seats. A draw is half a win.
    Intervals are 95 % intervals. DIR/matrix is an arena folder for hsevo replay, and its pairs.csv
    contains the results of every two decks.
    """
    hints = repeatable(out) if out else losing("its games are lost (with --out DIR they are kept)")
    with hints:
        metagame = hsevo.meta(decks, out=out, progress=True, **_options(rules))
    if as_json:
        print_json(metagame)
        return
    _show_decks(metagame)
    _show_matrix(metagame)
    if out:
        say(f"games: {out / 'matrix'}; Nash mixture and a page:\n"
            f"  hsevo meta nash {quote(str(out))}\n"
            f"  hsevo report --arena {quote(str(out / 'matrix'))}")


def _options(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given; those that are lists of names, as such."""
    return {key: split(value) if key in ("pilots", "classes") else value
            for key, value in given(**fields).items()}


def _show_decks(metagame: hsevo.Metagame) -> None:
    names = play.short_names(metagame.table["pilot"].unique())
    show_table(["deck", "class", "pilot", "won %", "95 % interval", "games"], [
        [row["deck"], row["class"], names[row["pilot"]], *percent_cells(row, "rate"),
         f"{row['games']:,}"] for row in metagame.table.to_dict("records")],
        ["won %", "95 % interval", "games"], ["games", "class", "pilot"])
    for note in notes(metagame.arena):
        say(note)


def _show_matrix(metagame: hsevo.Metagame) -> None:
    """Print win rates in whole per cent; of many decks without their intervals, to be narrow."""
    heads, rows = _numbered(metagame.matrix("text"))
    said = "with the 95 % interval"
    if not Sheet(heads, rows, heads[1:]).fits(WIDTH):
        rates = (100 * metagame.matrix()).map(lambda rate: "" if isnan(rate) else f"{rate:.0f}")
        heads, rows = _numbered(rates)
        cells = metagame.cells
        reach = 100 * max((cells["rate_high"] - cells["rate"]).max(),
                          (cells["rate"] - cells["rate_low"]).max())
        said = (f"\n95 % intervals reach {reach:.0f} points to either side, or less; --json has"
                " them")
    which = "" if heads[1:] == [*metagame.decks] else " by its number"
    say(f"\nwin rate in % against each deck{which}, {said}")
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
    """Print the Nash mixture of decks, which no deck beats.

    \b
    hsevo meta nash runs/decks

    DIR is a folder of hsevo meta matrix, or an arena of AGENT@DECK. The columns share and kept give
    a deck's share of the mixture, and the percentage of resamples in which this share is above 0.
    The column won is the deck's win rate against the mixture. Do not play a deck whose win rate is
    below 50 %. The column alpha is the deck's share in alpha-rank, an evolutionary ranking. The
    column vote is its rank by soft Condorcet optimisation, which counts each game as a vote for the
    winner.
    """
    metagame = hsevo.open_meta(folder)
    table = metagame.nash(resamples, seed)
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
    say(f"{metagame.arena.done:,} games; intervals of {resamples:,} resamples")


@meta.command()
@click.argument("folder", type=FOLDER, metavar="DIR")
@click.option("--mine", metavar="A,B,...",
              help="Decks of your line-up. Default: the best line-ups.")
@click.option("--theirs", multiple=True, required=True, metavar="A,B,...",
              help="Decks of the opponent's line-up. Repeat the option for several opponents.")
@click.option("--decks", metavar="A,B,...",
              help="Without --mine, the decks to build line-ups from. Default: all decks in DIR.")
@click.option("--format", default="conquest", show_default=True,
              metavar="conquest|last-hero-standing",
              help="Rule that removes decks. conquest removes the winning deck of each game, and"
                   " last-hero-standing removes the losing deck.")
@click.option("--ban", is_flag=True,
              help="Before the series, each player bans a deck of the other player.")
@click.option("--any-class", is_flag=True, help="Allow several decks of one class in a line-up.")
@resamples_option
@seed_option
@json_option
def lineup(folder: Path, mine: str | None, theirs: tuple[str, ...], as_json: bool,
           **how: Any) -> None:
    """Print the win probability of a line-up, or the best line-ups.

    \b
    hsevo meta lineup runs/decks --mine mage,shaman --theirs warrior,shaman
    hsevo meta lineup runs/decks --theirs mage,shaman,warrior
    hsevo meta lineup runs/decks --theirs mage,shaman --theirs mage,warrior \\
        --format last-hero-standing

    In conquest, a deck is out after a win, and you need a win with every deck. In
    last-hero-standing, a deck is out after a loss, and the winner's deck stays. Both players choose
    optimally and at the same time. The probability is exact for the win rates in DIR, and its
    interval includes the uncertainty of these rates. Without --mine, the rate of the first line-up
    has a selection bias.
    """
    metagame, field = hsevo.open_meta(folder), [split(names) for names in theirs]
    if mine is None:
        table = metagame.best_lineups(field, **{**how, "decks": split(how["decks"]) or None})
        _show_lineups(table, folder, as_json)
        return
    _show_chances(metagame, split(mine), field, as_json, how)


def _show_lineups(table: pd.DataFrame, folder: Path, as_json: bool) -> None:
    if as_json:
        print_json({"path": folder, "lineups": table})
        return
    show_table(["line-up", "won %", "95 % interval", "best in %"], [
        [row["lineup"], *percent_cells(row, "rate"), f"{100 * row['best']:.0f}"]
        for row in table.to_dict("records")], ["won %", "95 % interval", "best in %"])


def _show_chances(metagame: hsevo.Metagame, mine: Sequence[str], field: Sequence[Sequence[str]],
                  as_json: bool, how: dict[str, Any]) -> None:
    rules = {name: how[name] for name in ("format", "ban")}
    more = {name: how[name] for name in ("resamples", "seed")}
    rates = [metagame.lineup(mine, theirs, **rules, **more) for theirs in field]
    bans = metagame.bans(mine, field[0], format=how["format"]) if how["ban"] else None
    if as_json:
        print_json({"path": metagame.path, "mine": mine, **rules, "matches": [
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
        say(f"ban probabilities against {', '.join(field[0])}:")
        for row in bans[bans["share"] > 0.005].to_dict("records"):
            who = "strike their" if row["side"] == "theirs" else "they strike your"
            say(f"  {who} {row['deck']}: {100 * row['share']:.0f} %")


@meta.command()
@click.argument("words", nargs=-1, required=True, metavar="CARD CHANGE... | FILE")
@plan_options("meta nerf")
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A folder for all games and tables. If you stop the command, run it again to"
                   " continue.")
@rules_options
@workers_options
@json_option
def nerf(words: tuple[str, ...], out: Path | None, decks: str | None, as_json: bool,
         **rules: Any) -> None:
    """Measure the effect of changed cards on a metagame.

    \b
    hsevo meta nerf "Spirit Claws" cost+1 --decks mage,shaman,warrior,zoo-warlock
    hsevo meta nerf "Spirit Claws" cost+1 "Small-Time Buccaneer" health-1 \\
        --decks shaman,mage,warrior --ruleset msg2017 --games 1000
    hsevo meta nerf nerf.yaml --decks shaman,mage,warrior --out runs/nerf

    You get win rates and the Nash mixture before and after the change. Write a change as cost+1,
    health-2, attack=3 or durability-1. You can give several changes and cards, or an overlay of a
    ruleset as FILE. Games before and after the change have the same seeds, so differences have
    narrow intervals. DIR contains before and after (folders of hsevo meta matrix), changes.csv and
    matchups.csv.
    """
    hints = repeatable(out) if out else losing("its games are lost (with --out DIR they are kept)")
    with hints:
        result = hsevo.nerf(split(decks) or CIG2018, changes_of(words), out=out, progress=True,
                            **_options(rules))
    if as_json:
        print_json(result)
        return
    _show_nerf(result)
    if out:
        more = f", {out}/evolved.csv" if result.evolved is not None else ""
        say(f"tables: {out}/changes.csv, {out}/matchups.csv{more}; hsevo meta nash"
            f" {quote(str(out / 'after'))}")


def changes_of(words: Sequence[str]) -> Any:
    """Return the changes by card of the words CARD CHANGE...; or the only word, an overlay."""
    if len(words) == 1 and re.search(r"\.ya?ml$|/|=", words[0]):
        return words[0]
    by_card: dict[str, list[str]] = {}
    card = ""
    for word in words:
        if re.fullmatch(r"[a-z]+[-+=]\d+", word):
            by_card.setdefault(card, []).append(word)
        else:
            card = word
            by_card.setdefault(card, [])
    if bare := [card for card, changes in by_card.items() if not changes or not card]:
        raise ConfigError(f"{quoted(bare[0] or words[0])} stands without a"
                          f" {'change' if bare[0] else 'card'}: CARD cost+1")
    return by_card


def _show_nerf(result: hsevo.Nerf) -> None:
    table = result.table
    if result.evolved is not None:
        _show_evolved(result.evolved)
    say(f"{result.ruleset}, against {result.before.arena.lineup.plan.ruleset}")
    say("win rate of each deck against all others, in %")
    show_table(["deck", "copies", *MOVED], [
        [row["deck"], str(row["copies"]), *_moved(row, "", 1)] for row in table.to_dict("records")],
        ["copies", *MOVED], ["copies"])
    sure = int(((table["change_low"] > 0) | (table["change_high"] < 0)).sum())
    say(f"{sure} of {len(table)} changes exclude 0; by luck alone, {len(table) / 20:.1f} would\n\n"
        "share of the Nash mixture, in %")
    show_table(["deck", *MOVED], [
        [row["deck"], *_moved(row, "share_", 0)] for row in table.to_dict("records")], MOVED)
    if len(result.classes) < len(table):
        show_table(["class", "decks", *MOVED], [
            [row["class"], str(row["decks"]), *_moved(row, "", 0)]
            for row in result.classes.to_dict("records")], ["decks", *MOVED])


def _show_evolved(table: pd.DataFrame) -> None:
    say("win rates against the given decks, in %, of the best evolved decks and of the best given"
        " deck of the class")
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
              help="Two decks or more to balance. Default: mage,shaman,warrior.")
@click.option("--card", "cards", multiple=True, metavar="CARD",
              help="Change only this card. May be repeated. Default: all cards of the decks.")
@plan_options("meta balance", "workers")
@json_option
def balance(decks: str | None, cards: tuple[str, ...], as_json: bool, **how: Any) -> None:
    """Search for a few card changes that balance the given decks.

    \b
    hsevo meta balance --decks mage,shaman,warrior,zoo-warlock
    hsevo meta balance --decks shaman,mage,warrior --ruleset msg2017 \\
        --card "Spirit Claws" --card "Small-Time Buccaneer" --most 2

    A proposal changes the cost, attack, health or durability of cards in the decks, with at most
    --most steps of 1. The search makes new proposals from the best proposals of each size. You see
    a proposal if it balances the decks better than every smaller proposal and than no change. The
    column uneven is the root mean square of the deviations of the decks' win rates from 50 %, in
    percentage points, corrected for chance. hsevo measures it in new games that are not used for
    selection. The decks stay the same, although players would adapt their decks to the change.

    With --re-evolve, new decks of each class evolve under the best proposals. The column uneven
    then includes every evolved deck that wins more than half of its games against your decks. The
    column challenger is the best evolved deck.
    """
    with losing("the games of the search are lost"):
        result = hsevo.balance(CIG2018 if decks is None else split(decks), cards=cards,
                               progress=True, **given(**how))
    if as_json:
        print_json(result)
        return
    table = result.front
    show_table(["size", "changes", "uneven", "95 % interval", "best deck", "worst deck"], [
        [str(row["size"]), row["changes"] or "none", *percent_cells(row, "unevenness"), row["best"],
         row["worst"]] for row in table.to_dict("records")],
        ["size", "uneven", "95 % interval"], [["best deck", "worst deck"]])
    if "challenger" in table:
        _show_challengers(table)
    say(f"to play under the last one: --ruleset {quote(result.rulesets[-1])}"
        if result.rulesets else "no proposal was better balanced than no change in the search")


def _show_challengers(table: pd.DataFrame) -> None:
    show_table(["size", "challenger", "won %", "95 % interval", "code"], [
        [str(row["size"]), row["challenger"], *percent_cells(row, "challenger_rate"),
         row["challenger_code"]] for row in table.to_dict("records") if row["challenger"]],
        ["size", "won %", "95 % interval"])
