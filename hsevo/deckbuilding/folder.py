"""The tables of a search for decks: the only file that knows its file names and columns.

See store/folder.py for what all folders of experiments have.

    config.yaml      the resolved plan             about.json       versions, field, pool, agents
    decks.csv        every deck that was made      matches.csv      what every deck scored
    generations.csv  one line a generation         log.txt          what happened when
    checkpoint.json  how far it is: the commit     done             exists when it is finished

At the end: archive.csv, the decks that stayed; rates.csv, how every deck did in the search;
confirmed.csv, games after the search; best.txt and decks/, deck files with deck codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from hsevo import sources
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.tables import cards
from hsevo.deckbuilding.book import Book
from hsevo.deckbuilding.features import LISTED, WATCHED
from hsevo.deckbuilding.field import OWN, Field
from hsevo.engine.jit import fingerprint
from hsevo.play.behaviour import SEEN
from hsevo.store.sums import short_digest
from hsevo.store.tables import Column, DataTable
from hsevo.types import Array

FORMAT = 1
METHOD_SOURCES = (*(f"deckbuilding/{name}.py" for name in (
    "book", "confirm", "course", "features", "field", "strategies", "surrogate")),
    "play/behaviour.py", "play/tournament.py", "strength/archive.py", "strength/rating.py",
    "seeds.py")
CONFIRMED = ("confirmed_games", "confirmed_rate", "confirmed_rate_low", "confirmed_rate_high")
# The behaviour in watched games, see play/behaviour.py.
SAYS = ("Turns that it ended, or the game did", "Cards in hand at the end of each",
        "Damage that the enemy hero took in each, but by an empty deck")
# Of a deck in a meeting: sums over its games, see book.RESULT.
GAMES = (
    Column("games", int, "Games, half of them from either seat."),
    Column("wins", int, "Games won."),
    Column("draws", int, "Games drawn."),
    Column("losses", int, "Games lost."),
    Column("turns", int, "Player turns, summed over the games."),
    Column("margin", int,
           "Summed over the games won: own health and armour less the loser's; less the same of"
           " those lost."),
)
MEETING = (
    Column("pilot", str, "The spec of the agent that played it."),
    Column("opponent", str, "The deck of the field."),
    Column("agent", str, "The spec of the agent that played that one."),
    *GAMES,
)
DECK_TABLE = DataTable("decks.csv", "Every deck that was made.", (
    Column("deck", int, "Its number, from 0."),
    Column("parent", int, "The deck that it was made of; -1 for a first one."),
    Column("second_parent", int, "The other one, if two were crossed; else -1."),
    Column("born", int, "The generation in which it was made."),
    Column("cards", str, "Its cards: `Fireball*2|Wisp`."),
    Column("mana", float, "Sum of the costs of its cards."),
    Column("mana_variance", float, "Variance of these costs."),
    Column("minions", float, "Share of minions."),
    Column("class_cards", float, "Share of cards of its class."),
    Column("dust", float, "Dust to craft it; cards of the Basic set are free."),
))
MATCH_TABLE = DataTable("matches.csv",
        "What every deck scored in a generation, a row a pilot and deck of the field. "
        "Its seeds follow from the run's.", (
    Column("generation", int, "Which generation, from 0.", logged=False),
    Column("deck", int, "The deck's number."),
    *MEETING,
    *(Column(name, int, f"{says}, in its first games, summed; 0 of later ones.", only="watched")
      for name, says in zip(SEEN, SAYS, strict=True)),
))
GENERATIONS = DataTable("generations.csv", "A row a generation.", (
    Column("generation", int, "Which generation, from 0.", logged=False),
    Column("new", int, "Decks that were made.", logged=False),
    Column("games", int, "Games of the generation."),
    Column("decks", int, "Decks so far."),
    Column("best", int, "The number of the best deck that stays.", logged=False),
    Column("fitness", float, "Its fitness, by all its games so far."),
    Column("mean_fitness", float, "The mean fitness of those that stay."),
    Column("rate", float,
        "Its win rate by all its games so far, draws counting half; the highest of "
        "many, and so too high."),
    Column("rate_low", float, "Lower end of its 95 % interval."),
    Column("rate_high", float, "Upper end."),
    Column("cells", int, "Cells of the map that have a deck; 0 without a map."),
    Column("coverage", float, "Their share of all cells."),
    Column("qd_score", float, "The sum of their fitness."),
))
RATES = DataTable("rates.csv", "How every deck did in the search. There when the run is over.", (
    Column("deck", int, "Its number."),
    Column("games", int, "Its games in the search."),
    Column("rate", float, "Its win rate in these; the highest of many are too high."),
    Column("rate_low", float, "Lower end of its 95 % interval."),
    Column("rate_high", float, "Upper end."),
), grows=False)
ARCHIVE = DataTable("archive.csv",
        "The decks that stayed (on a map, the elite of each cell): the chosen one "
        "first, then by their fitness in the search. There when the run is over.", (
    Column("deck", int, "Its number."),
    Column("class", str, "Its class."),
    Column("cell_1", int, "Its cell along the first axis, from 0; empty without a map.",
           empty=True),
    Column("cell_2", int, "Its cell along the second axis.", empty=True),
    Column("games", int, "Its games in the search."),
    Column("rate", float, "Its win rate in these."),
    Column("rate_low", float, "Lower end of its 95 % interval."),
    Column("rate_high", float, "Upper end."),
    Column("confirmed_games", int,
        "Games after the search; of the chosen one, those that chose nothing.", empty=True),
    Column("confirmed_rate", float, "Its win rate in these; empty if it played none.", empty=True),
    Column("confirmed_rate_low", float, "Lower end of its 95 % interval.", empty=True),
    Column("confirmed_rate_high", float, "Upper end.", empty=True),
    Column("mana", float, "As in decks.csv."),
    Column("mana_variance", float, "As in decks.csv."),
    Column("minions", float, "As in decks.csv."),
    Column("class_cards", float, "As in decks.csv."),
    Column("dust", float, "As in decks.csv."),
    Column("turns", float, "Player turns a game, of its first generation."),
    *(Column(name, float, f"{says}, a turn, of its first generation.", only="watched")
      for name, says in zip(WATCHED, SAYS[1:], strict=True)),
    Column("code", str, "Its deck code."),
    Column("cards", str, "Its cards."),
), grows=False)
CONFIRMED_TABLE = DataTable("confirmed.csv", "The games after the search.", (
    Column("stage", str,
        "`chosen`: the best decks by the search; `last`: the best of these, and decks "
        "to compare; `map`: all other elites."),
    Column("deck", str, "`deck-N`, or the name of a deck to compare."),
    *MEETING,
), grows=False)
ALL_TABLES: tuple[DataTable, ...] = (
    DECK_TABLE, MATCH_TABLE, GENERATIONS, RATES, ARCHIVE, CONFIRMED_TABLE)


def marks() -> dict[str, str]:
    """Return the fingerprints of the engine and of the search for decks, without comments."""
    ours = sources.remembered("deckbuilding", lambda: sources.digest(METHOD_SOURCES))
    return {"engine": fingerprint(), "method": short_digest(f"{np.__version__} {ours}")}


def meetings_table(field: Field, decks: Sequence[Any], results: Array,
                   pilots: Sequence[str]) -> pd.DataFrame:
    """Return results (n, m) of decks (n,) as a table with the columns deck and MEETING."""
    rows = [(pilot, deck.name, pilot if agent == OWN else agent) for pilot in pilots
            for deck, agent in zip(field.decks, field.played_by, strict=True)]
    pilot, opponent, agent = (np.tile(np.array(column, object), len(decks))
                              for column in zip(*rows, strict=True))
    flat = results.ravel()
    return pd.DataFrame({
        "deck": np.repeat(np.array(decks, object), len(rows)), "pilot": pilot,
        "opponent": opponent, "agent": agent, "games": flat["games"], "wins": flat["wins"],
        "draws": flat["draws"], "losses": flat["games"] - flat["wins"] - flat["draws"],
        "turns": flat["turns"], "margin": flat["margin"],
        **{name: flat[name] for name in SEEN}})


def pool_data(pool: DeckPool) -> dict[str, Any]:
    """Return a pool as data that json.dumps takes."""
    return {"hero": pool.hero, "cards": [card.id for card in pool.cards],
            "least": pool.least.tolist(), "most": pool.most.tolist()}


def pool_of(data: Mapping[str, Any], ruleset: str) -> DeckPool:
    """Return the pool of `pool_data`. Raises LookupError, TypeError or ValueError if damaged."""
    known = cards(ruleset)
    least, most = (np.array(data[name], np.int64) for name in ("least", "most"))
    members = tuple(known[id] for id in data["cards"])
    if not len(members) == len(least) == len(most) or (least > most).any():
        raise ValueError("its cards are inconsistent")
    return DeckPool(str(data["hero"]), members, least, most)


def decks_table(book: Book, numbers: Array) -> pd.DataFrame:
    """Return decks as rows of decks.csv."""
    parents = book.parents[numbers]
    known = {name.replace("-", "_"): book.features[name][numbers].round(6) for name in LISTED}
    return pd.DataFrame({
        "deck": numbers, "parent": parents[:, 0], "second_parent": parents[:, 1],
        "born": book.born[numbers], "cards": [cards_text(book, i) for i in numbers]} | known)


def cards_text(book: Book, number: int) -> str:
    """Return the cards of a deck as deck databases have them: "Fireball*2|Wisp"."""
    return "|".join(f"{card.name}*{n}" if n > 1 else card.name for card, n in zip(
        book.pool.cards, book.counts[number].tolist(), strict=True) if n)
