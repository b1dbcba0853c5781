"""hsevo decks: check, export, list, search, guess, improve and value decks, and see how they are
built.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsevo import api, cards, play
from hsevo.api.decks import Deck
from hsevo.cards import deck_facts
from hsevo.cards.decks import SIZE
from hsevo.cards.tables import every_card
from hsevo.cards.wording.phrases import counted
from hsevo.cli.completion import AGENT, AGENTS, DECK, DECKS
from hsevo.cli.deck_evolution import evolve
from hsevo.cli.lines import first_sentence
from hsevo.cli.shared import FOLDER, given, json_option, losing, print_json, split, workers_options
from hsevo.cli.tables import paragraph, say, show_table, within
from hsevo.config import find, names
from hsevo.errors import DeckError, HsevoError, printable
from hsevo.files import probe

if TYPE_CHECKING:
    import pandas as pd

    from hsevo.api.deck_search import DeckGuess

def field_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say whom a deck meets, and by which rules."""
    for option in (
        click.option("--max-turns", type=int, metavar="N",
                     help="A game of more turns is a draw; default: 89."),
        click.option("--ruleset", metavar="NAME|FILE",
                     help="Version of cards and rules: a name, or an overlay, a file of changed"
                          " cards; default: cig2018."),
        click.option("--seed", type=int, metavar="N",
                     help="The same seed gives the same result; default: 1."),
        click.option("--pilot", metavar="AGENT", shell_complete=AGENT,
                     help="The agent that plays the deck, and all of the field without an agent of"
                          " their own; default: eva:2018."),
        click.option("--against", required=True, metavar="A,B,...", shell_complete=DECKS,
                     help="The field: decks, or AGENT@DECK."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("deck", metavar="DECK", shell_complete=DECK)
@field_options
@click.option("--swaps", type=int, metavar="N", help="Cards to change, at most; default: 1.")
@click.option("--games", type=int, metavar="N",
              help="Games of the races, about; default: 100,000.")
@click.option("--confirm", type=int, metavar="N",
              help="New games of the deck and of the changed one, each; default: 4,000.")
@click.option("--sets", metavar="A,B,...", help="Only cards of these sets come in.")
@click.option("--collection", type=FOLDER, metavar="FILE",
              help="Only cards of this collection come in: a card a line, 2x Fireball.")
@click.option("--keep", multiple=True, metavar="CARD", help="Stays in the deck; may be repeated.")
@click.option("--ban", multiple=True, metavar="CARD", help="Does not come in; may be repeated.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write the changed deck to this file.")
@workers_options
@json_option
def improve(deck: str, against: str, sets: str | None, output: Path | None, as_json: bool,
            **how: Any) -> None:
    """Find the best swaps of cards for a deck against a field.

    \b
    hsevo decks improve mage --against shaman,warrior,zoo-warlock
    hsevo decks improve my.txt --against mage --swaps 3 --collection mine.csv
    hsevo decks improve mage --against gsv@shaman --keep "Reno Jackson"

    Swaps of one card race on common seeds: first all of them (or as many as the games let play two
    pairs each), then the best 64, 16 and 4, each time with a quarter of the games. The best is the
    deck for the next race. What a swap gains in its race is too high, as it is the highest of many.
    So at the end the deck as it was and the changed one play new games, and the difference of these
    is printed, with its interval.
    """
    if output:
        probe(output)
    with losing("nothing is kept of a race"):
        found = api.improve_deck(deck, split(against), sets=split(sets), progress=True,
                                 **given(**how))
    if output:
        api.export_decks(found.deck, "text", output)
    if as_json:
        print_json(found)
        return
    say(_setting(deck, against, how))
    _show_improved(found)
    if output:
        say(f"deck: {output}")


def _setting(deck: str, against: str, how: dict[str, Any]) -> str:
    """Return in words who met whom; see the defaults of hsevo.improve_deck."""
    return (f"{deck}, played by {how['pilot'] or 'eva:2018'}, against"
            f" {', '.join(split(against))}; ruleset {how['ruleset'] or 'cig2018'}")


def _show_improved(found: api.Improved) -> None:
    say(found.sentence)
    if not len(found.swaps):
        return
    show_table(["out", "in", "swaps that raced", "gain in the race"], [
        [row["out"], row["in"], f"{row['tried']:,}", f"{100 * row['race']:+.1f}"]
        for row in found.swaps.to_dict("records")], ["swaps that raced", "gain in the race"])
    one = found.comparison
    say(f"in {2 * one.pairs:,} new games each: before {one.before.percent(1)}, after"
        f" {one.after.percent(1)};\nchance that it is better: {_chance(one.chance)}")
    if len(found.deck) == len(found.before) == 30:
        say(f"deck code: {found.deck.code}")


def _chance(chance: float) -> str:
    return "above 99.9 %" if chance > 0.999 else f"{100 * chance:.1f} %"


@click.command("cards")
@click.argument("deck", metavar="DECK", shell_complete=DECK)
@field_options
@click.option("--games", type=int, metavar="N",
              help="Games of the deck, and again with each card replaced; default: 2,000.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@workers_options
@json_option
def values(deck: str, against: str, as_csv: bool, as_json: bool, **how: Any) -> None:
    """Measure what each card of a deck is worth against a field.

    \b
    hsevo decks cards mage --against shaman,warrior,zoo-warlock
    hsevo decks cards my.txt --against mage --pilot greedy:metastone --games 10000

    worth: points that the deck wins more, in 100 games, than with neutral cards of the same cost in
    the card's place (all copies; in every pair of games another one), on the same seeds. dealt,
    drawn, shown: won in games where it was in the first hand (before a mulligan), drawn, or shown
    to the other, with 95 % intervals. Long games draw more cards: compare cards, not with the
    deck's rate.
    """
    with losing("nothing is kept of these games"):
        found = api.card_values(deck, split(against), progress=True, **given(**how))
    if as_json:
        print_json(found)
    elif as_csv:
        click.echo(found.table.to_csv(index=False), nl=False)
    else:
        say(f"{_setting(deck, against, how)}\n{deck} wins {found.rate.percent(1)}")
        _show_values(found.table)


def _show_values(table: pd.DataFrame) -> None:
    show_table(["card", "n", "worth", "95 % interval", "dealt %", "drawn %", "shown %"], [
        [row["card"], str(row["copies"]), f"{100 * row['value']:+.1f}",
         f"{100 * row['value_low']:+.1f} to {100 * row['value_high']:+.1f}",
         *(within(row, name) for name in ("dealt", "drawn", "shown"))]
        for row in table.to_dict("records")],
        ["n", "worth", "95 % interval", "dealt %", "drawn %", "shown %"],
        ["n", "shown %", "dealt %", "drawn %"], "--csv has them")
    sure = int(((table["value_low"] > 0) | (table["value_high"] < 0)).sum())
    say(f"{sure} of {len(table)} cards have intervals that exclude 0; if none was worth anything,"
        f" {len(table) / 20:.1f} would by luck")


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
    text = api.export_decks(api.Learned(run).build_decks(**how), form, output)
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
        found = api.Learned(run).deck_building(out=out, progress=True, **given(pilots=who, **how))
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


@click.group()
def decks() -> None:
    """Check, export and list decks, search and guess human ones, evolve new ones.

    \b
    hsevo decks list
    hsevo decks check mage my-deck.txt
    hsevo decks check AAEBAf0E...
    hsevo decks search tempo --class mage
    hsevo decks guess --class mage --seen "Mana Wyrm"
    hsevo decks built runs/builder
    hsevo decks building runs/builder
    hsevo decks evolve --config human-field
    hsevo decks improve my-deck.txt --against mage,shaman
    hsevo decks cards my-deck.txt --against mage,shaman
    """


for command in (built, building, evolve, improve, values):
    decks.add_command(command)


@decks.command()
@click.argument("sources", nargs=-1, required=True, metavar="NAME|FILE|CODE|URL...",
                shell_complete=DECK)
@click.option("--format", "wanted", default="wild", show_default=True, metavar="wild|standard",
              help="Refuse cards that this format does not allow.")
@click.option("--ruleset", default="cig2018", show_default=True, metavar="NAME|FILE",
              help="Whose cards, and Standard format.")
@json_option
def check(sources: tuple[str, ...], wanted: str, ruleset: str, as_json: bool) -> None:
    """Check decks: names, files, deck codes, or URLs with a deck code.

    All mistakes of a deck are listed at once, and the exit code is then 2. A correct deck is
    printed as a deck file: its cards, and in comments its mana curve, where it is legal, and its
    deck code.

    \b
    hsevo decks check mage
    hsevo decks check AAEBAf0E... > mine.txt
    hsevo decks check my-deck.txt --format standard --ruleset msg2017
    """
    pass

    cards.find_ruleset(ruleset)
    mistakes: list[dict[str, str]] = []
    right: list[api.Deck] = []
    for source in sources:
        try:
            deck = api.Deck(source)
            if out := deck.check(ruleset, wanted):
                raise DeckError("\n".join(f"{source}: {mistake}" for mistake in out))
            right.append(deck)
        except HsevoError as error:
            mistakes += [{"deck": source, "mistake": line} for line in str(error).splitlines()]
    if as_json:
        print_json({"decks": right, "mistakes": mistakes})
    elif right:
        click.echo("\n\n".join("\n".join(lines(deck)) for deck in right))
    if mistakes:
        raise DeckError("\n".join(one["mistake"] for one in mistakes))


@decks.command()
@click.argument("sources", nargs=-1, required=True, metavar="NAME|FILE|CODE|URL...",
                shell_complete=DECK)
@click.option("--format", "form", default="text", show_default=True, metavar="text|code|csv",
              help="A deck file, deck codes, or rows.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write to this file instead of stdout.")
def export(sources: tuple[str, ...], form: str, output: Path | None) -> None:
    """Write decks as others read them: names, human decks, files, deck codes, or URLs with one.

    text is a deck file, of one deck; code a line for each, as the game's collection takes it; csv a
    row for each, which --database and closed@FILE read.

    \b
    hsevo decks export human:h038e27c68 --output druid.txt
    hsevo decks export mage --format code
    hsevo decks export mage shaman my-deck.txt --format csv --output decks.csv
    """
    text = api.export_decks(sources, form, output)
    click.echo(text if output is None else f"decks: {output}\n", nl=False)


@decks.command("list")
@json_option
def list_decks(as_json: bool) -> None:
    """List the decks that have names: those in ./decks and those shipped with hsevo.

    \b
    hsevo decks list
    hsevo decks list --json
    """
    pass

    heads = ["name", "class", "cards", "what it is"]
    rows = [listed(name) for name in names("decks")]
    if as_json:
        print_json({"decks": [dict(zip(heads, row, strict=True)) for row in rows]})
        return
    show_table(heads, rows, ["cards"], ["cards", "what it is"])
    click.echo("more: hsevo decks check NAME")


database_option = click.option(
    "--database", metavar="PATH",
    help="A CSV or folder of your own decks, instead of the 4,547 human ones.")
class_option = click.option("--class", "cls", metavar="CLASS", help="Such as mage.")


@decks.command()
@click.argument("words", nargs=-1, metavar="[WORD...]")
@class_option
@click.option("--archetype", default="", metavar="WORDS", help="A part of it, such as 'reno'.")
@click.option("--patch", metavar="PATCH",
              help="classic, naxx, gvg, brm, tgt, loe, wotog, kara or msg.")
@click.option("--with", "wanted", multiple=True, metavar="CARD", help="It has this card.")
@click.option("--top", default=20, show_default=True, metavar="N", type=click.IntRange(1),
              help="Rows at most, the newest.")
@database_option
@click.option("--csv", "as_csv", is_flag=True, help="All of them, as comma-separated values.")
@json_option
def search(words: tuple[str, ...], wanted: tuple[str, ...], top: int, as_csv: bool, as_json: bool,
           **wishes: Any) -> None:
    """Search the deck database for decks that fit all words and options.

    A WORD may be part of the name, class, archetype, patch, date, kind (tournament, ladder) or
    source. A deck plays by its name wherever one is named, and `hsevo decks check` prints it.

    \b
    hsevo decks search tempo --class mage
    hsevo decks search tournament 2016-10 --with "N'Zoth, the Corruptor"
    hsevo decks search --patch gvg --archetype zoo --csv > zoo.csv
    hsevo decks check human:h038e27c68
    """
    pass

    found = api.search_decks(" ".join(words), cards=wanted, **wishes)
    if as_json:
        print_json({"decks": found})
    elif as_csv:
        click.echo(found.to_csv(index=False), nl=False)
    else:
        searched(found, top)


@decks.command()
@click.option("--class", "cls", required=True, metavar="CLASS",
              help="The opponent's, such as mage.")
@click.option("--seen", multiple=True, metavar="CARD",
              help="A card of its deck that was shown; once for each copy.")
@click.option("--method", default="likelihood", show_default=True, metavar="METHOD",
              help="likelihood, match, bigrams or uniform.")
@click.option("--patch", metavar="PATCH", help="Only decks and cards of this patch and before.")
@click.option("--top", default=10, show_default=True, metavar="N", type=click.IntRange(1),
              help="Rows of each table.")
@database_option
@json_option
def guess(cls: str, seen: tuple[str, ...], top: int, as_json: bool, **how: Any) -> None:
    """Guess an opponent's deck from the cards that it has shown.

    Two tables: the most probable decks, and the cards that are most probably still to come: the
    chance that at least one more copy is in hand or deck, and that two are.

    \b
    likelihood   a posterior over decks; a card may be in no deck
    match        the decks with most cards in common (Santos 2017)
    bigrams      cards that stood in lists with those seen (Bursztein 2016)
    uniform      nothing is known: every card that the class may use

    \b
    hsevo decks guess --class mage --seen "Mana Wyrm" --seen Flamewaker
    hsevo decks guess --class warlock --seen "Flame Imp" --method match
    """
    pass

    found = api.guess_deck(cls, seen, **how)
    if as_json:
        print_json({"decks": found.decks, "cards": found.cards})
    else:
        guessed(found, top)


def listed(name: str) -> tuple[object, ...]:
    """Return the row of a deck; its first mistake if it is not valid."""
    try:
        deck = Deck(name)
        text = find(name, "decks").read_text(encoding="utf-8-sig")
    except (HsevoError, OSError, UnicodeDecodeError) as error:
        return printable(name), "?", "?", f"not a deck: {printable(str(error).splitlines()[0])}"
    return printable(name), deck.hero, len(deck), first_sentence(text)


def lines(deck: Deck) -> list[str]:
    """Return a deck as the text of a deck file: what is no card stands in comments."""
    pool, copies = every_card(), Counter(deck.ids)
    ordered = sorted(copies, key=lambda id: (pool[id].cost, pool[id].name))
    width = max(len(pool[id].name) for id in ordered)
    lines = [click.style(f"name: {deck.name}", bold=True), f"class: {deck.hero}"]
    lines += [f"size: {len(deck)}"] if len(deck) != SIZE else []
    lines += [f"{copies[id]}x {pool[id].name:<{width}}  # {pool[id].cost} mana" for id in ordered]
    lines += [f"# {mana:>2} mana {'█' * n + ' ' if n else ''}{n}" for mana, n in deck.curve.items()]
    lines += [_comment(fact) for fact in deck_facts.says(deck.plain)]
    return [*lines, f"# deck code: {deck.code}"] if deck_facts.has_code(deck.plain) else lines


def searched(decks: pd.DataFrame, top: int) -> None:
    """Print what a search found, the newest `top` last."""
    if decks.empty:
        click.echo("no deck fits all of that")
        return
    heads = ["deck", "class", "archetype", "patch", "date", "kind"]
    show_table(heads, decks.tail(top)[heads].astype(object).fillna("").to_numpy().tolist(),
               spare=["kind", "date"], more="a wider terminal, a pipe, --csv or --json shows them")
    rest = f"; these are the newest {top}" if len(decks) > top else ""
    click.echo(f"{counted(len(decks), 'deck')}{rest}. more: hsevo decks check NAME")


def guessed(guess: DeckGuess, top: int) -> None:
    """Print the most probable decks and cards of a guess."""
    heads = ["deck", "archetype", "patch", "date", "in common", "probability"]
    decks = guess.decks[guess.decks["probability"] > 0].head(top)
    if decks.empty:
        click.echo("no list is known: every card that the class may use is as likely")
    else:
        cells = decks.astype(object).fillna("").drop(columns="group").to_numpy().tolist()
        show_table(heads, [[*row[:-1], f"{row[-1]:.1%}"] for row in cells], heads[-2:],
                   ["date", "archetype"])
    click.echo()
    show_table(["card still to come", "mana", "chance", "two more"],
               [[card, cost, f"{chance:.0%}", f"{second:.0%}"] for card, cost, chance, second in
                guess.cards.head(top).to_numpy().tolist()], ["mana", "chance", "two more"])


def _comment(words: str) -> str:
    return paragraph(words, "# ", "  ")
