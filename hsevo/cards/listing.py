"""Lists of configs, decks and cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypedDict, Unpack

import pandas as pd

from hsevo import config
from hsevo.cards import browse, tables
from hsevo.cards.decks import Deck
from hsevo.cards.terms import Kind
from hsevo.cards.wording.text import text
from hsevo.errors import HsevoError, refuse_unknown


def list_configs() -> list[str]:
    """List the names of configs for `hsevo.evolve`, from ./configs and shipped with hsevo.

    Returns
    -------
    list of str
        Names of configs, without ".yaml".

    Examples
    --------
    >>> "cig2018" in hsevo.list_configs()
    True
    """
    return config.names("configs")


def config_text(source: str | Path = "cig2018") -> str:
    """Return the YAML text of a config, study or ladder, with comments.

    Parameters
    ----------
    source : str or Path, default "cig2018"
        Name (see `hsevo.list_configs`) or path. If a study and a learning config have the same
        name, it is the study. If a ladder and a learning config do, it is the learning config.
        Select the other as "learning/NAME" or "ladders/NAME".

    Returns
    -------
    str
        The text.

    Raises
    ------
    ConfigError
        If there is no such config.

    Examples
    --------
    >>> print(hsevo.config_text("cig2018").splitlines()[5])
    name: cig2018             # prefix of the run folder's name: runs/cig2018-...
    """
    return config.read_text(config.find_any(str(source)))


def list_decks() -> pd.DataFrame:
    """List the decks that have names. Invalid files are left out.

    Returns
    -------
    pandas.DataFrame
        Columns deck, class, cards.

    Examples
    --------
    >>> hsevo.list_decks().set_index("deck").loc["mage", "class"]
    'Mage'
    """
    rows = []
    for name in config.names("decks"):
        try:
            deck = Deck(name)
        except HsevoError:
            continue
        rows.append({"deck": name, "class": deck.hero, "cards": len(deck)})
    return pd.DataFrame(rows, columns=["deck", "class", "cards"])


class CardFields(TypedDict, total=False):
    """Set conditions for cards; see `list_cards`."""

    cls: str | None
    """Class."""
    kind: str | None
    """minion, spell, secret or weapon; of tokens also power or hero."""
    cost: int | None
    """Mana cost."""
    race: str | None
    """Race."""
    rarity: str | None
    """Rarity."""
    set: str | None
    """Card set."""
    text: str
    """Words in the name or the text."""


def list_cards(*, ruleset: str = "cig2018", tokens: bool = False,
               **search: Unpack[CardFields]) -> pd.DataFrame:
    """List the cards of a ruleset that meet all conditions.

    Parameters
    ----------
    ruleset : str, default "cig2018"
        Version of cards and rules.
    tokens : bool, default False
        List cards that only other cards create, instead of collectible cards.
    **search : CardFields
        Conditions: `cls` (class), `kind` ("minion", "spell", "secret" or "weapon", of tokens also
        "power" or "hero"), `cost` (mana), `race`, `rarity`, `set`, and `text` (words in the name or
        the text).

    Returns
    -------
    pandas.DataFrame
        Columns name, id, cost, attack, health, kind, class, set, rarity, text.

    Raises
    ------
    CardError
        If a condition or the ruleset is unknown.

    Examples
    --------
    >>> hsevo.list_cards(cls="mage", kind="secret", cost=3).name.tolist()[:2]
    ['Counterspell', 'Duplicate']
    """
    refuse_unknown("list_cards", search, CardFields.__annotations__)
    ruleset = tables.find_ruleset(ruleset).name
    asked = browse.search_of(
        search.get("set"), search.get("cls"), search.get("kind"), search.get("race"),
        search.get("rarity"), search.get("cost"), search.get("text", ""))
    cards = browse.search_cards(asked, ruleset, tokens)
    return pd.DataFrame([_row(card, ruleset) for card in cards],
                        columns=["name", "id", "cost", "attack", "health", "kind", "class", "set",
                                 "rarity", "text"])


def _row(card: Any, ruleset: str) -> dict[str, object]:
    fights = card.kind in (Kind.MINION, Kind.WEAPON)
    attack, health = (card.attack, card.health) if fights else (pd.NA, pd.NA)
    return {"name": card.name, "id": card.id, "cost": card.cost, "attack": attack,
            "health": health, "kind": browse.kind_title(card), "class": browse.whose(card),
            "set": browse.set_title(tables.sets()[card.id]),
            "rarity": card.rarity.name.lower() if card.rarity else "",
            "text": " ".join(text(tables.cards(ruleset), card.id))}
