"""Entries of a leaderboard as a file: the model of what a benchmark submits, key by key."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from hsevo.config.models import Count, Listed, Section, Text

Whole = Annotated[int, Field(ge=0)]
Numbers = Annotated[tuple[float, ...], Field(max_length=100_000), Listed]


class RatedEntry(Section):
    """A rating in Elo, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


class OwnDeck(Section):
    """The deck that an agent plays alone."""

    name: Text
    hero: Text
    cards: Annotated[tuple[Text, ...], Field(max_length=100), Listed]


class OnePlayer(Section):
    """The parameters of an agent. See hsevo.play.participants.agent_data."""

    kind: int
    budget: Numbers
    w: Numbers
    net: str | None = None
    """Its network, or for a Python player the identification of its file."""
    policy: str | None = None
    """The network of its policy, if `net` is the network of its values."""


class PlayerByDecks(Section):
    """An agent with different parameters for each deck and each deck of its opponent."""

    by_decks: Annotated[tuple[Annotated[tuple[OnePlayer, ...], Listed], ...], Listed]


def _shape(player: Any) -> str:
    return "<decks>" if isinstance(player, dict) and "by_decks" in player else "<one>"


class EntryFile(Section):
    """A file of an entry; see hsevo.strength.entries."""

    format: str
    version: int
    hsevo: Text
    engine: Text
    panel: Text
    agent: Text
    games: Count
    seed: Whole
    decks: Annotated[tuple[Text, ...], Field(max_length=1000), Listed]
    own: OwnDeck | None
    digest: Annotated[Text, Field(alias="agents and decks")]
    won: Whole
    drawn: Whole
    lost: Whole
    refused: Whole
    rating: RatedEntry
    results: dict[Text, str]
    """Result of each game by opponent, one letter per game."""
    turns: dict[Text, Annotated[tuple[Annotated[int, Field(ge=0, le=10_000)], ...], Listed]]
    """Number of turns of each game by opponent."""
    player: Annotated[Annotated[OnePlayer, Tag("<one>")]
                      | Annotated[PlayerByDecks, Tag("<decks>")], Discriminator(_shape)]
    sha256: dict[Text, Text]
