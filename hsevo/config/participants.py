"""The keys of a design of `hsevo play --participants`: which games people play, in what order.

    design.yaml --load_design()--> Design --games_of()--> the games of each participant, in order
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from hsevo.config.models import (
    Information,
    Listed,
    Name,
    OneOrMore,
    Ruleset,
    Section,
    Seed,
    Text,
)
from hsevo.config.named import agent_beside, beside
from hsevo.config.reading import check, parse, read_text
from hsevo.errors import ConfigError, brief
from hsevo.files import read_text as read_file
from hsevo.seeds import Stream, generator

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without what is mistaken for another sign
LENGTH = 5  # signs of a code
MOST, MOST_CONSENT = 1000, 2**16  # participants; bytes of the text shown first
CODES, ORDERS, SEEDS = 20, 21, 22  # keys of Stream.ARENA


def _code(code: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", code):
        raise ValueError("must be up to 32 letters, digits, - and _, and begin with a letter or"
                         " digit; a code is no name of a person")
    return code


Code = Annotated[str, AfterValidator(_code)]
Codes = Annotated[tuple[Code, ...], *OneOrMore]
Number = Annotated[int, Field(ge=1, le=MOST)]
Who = Annotated[Annotated[Number, Tag("<number>")] | Annotated[Codes, Tag("<list>")],
                Discriminator(lambda given: "<list>" if isinstance(given, list | tuple)
                              else "<number>")]


class Block(Section):
    """A condition, and the games that are played in it, one after the other."""

    condition: Name
    """Its name, in the tables."""
    opponent: Name
    """The agent that is met."""
    called: Name | None = None
    """What participants read instead of the agent's name; null: its name."""
    deck: Text
    """The participant's deck: a name, file or deck code."""
    against: Text
    """The agent's deck."""
    first: Literal["any", "me", "agent"] = "any"
    """Who begins: the participant (me), the agent, or any: the game's seed says."""
    games: Annotated[int, Field(ge=1, le=100)] = 1
    """How many games."""
    hints: Name | None = None
    """The agent that gives hints; null: no hints."""
    thinking: bool = False
    """Whether a finished game may be looked at again, with what the agent thought."""


class Design(Section):
    """A design: who takes part, and what is played."""

    participants: Who
    """How many, whose codes the seed makes, or their codes: [P01, P02]. No names."""
    blocks: Annotated[tuple[Block, ...], Listed, Field(min_length=1, max_length=20)]
    """The conditions, and their games."""
    order: Literal["fixed", "random", "latin"] = "fixed"
    """Of the blocks. fixed: as they stand; random: drawn for each participant; latin: the rows of a
    balanced Latin square, one participant after the other."""
    consent: Text | None = None
    """A text file that is shown first, and has to be agreed to; null: none."""
    thanks: Text = "That was the last game. Thank you for taking part!"
    """What is said at the end."""
    ruleset: Ruleset = "cig2018"
    """The cards and rules."""
    information: Information = "fair"
    """What agents' look-aheads may know."""
    seed: Seed = 1
    """Codes, orders and games follow from it."""

    @model_validator(mode="after")
    def _conditions(self) -> Self:
        names = [one.condition for one in self.blocks]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"blocks: the condition {name!r} is given twice; give games: 2 to"
                                 " play it twice")
        return self

    @property
    def codes(self) -> tuple[str, ...]:
        """The participants' codes: those that are given, or such as "P-7K3MQ"."""
        if isinstance(self.participants, tuple):
            return self.participants
        chance, found = generator((self.seed, 0, Stream.ARENA, CODES)), dict[str, None]()
        while len(found) < self.participants:
            found[f"P-{''.join(chance.choices(ALPHABET, k=LENGTH))}"] = None
        return tuple(found)

    @property
    def games(self) -> int:
        """How many games each participant plays."""
        return sum(one.games for one in self.blocks)

    def games_of(self, participant: int) -> list[Block]:
        """Return the block of each game of a participant, by its number from 0, in order."""
        return [self.blocks[at] for at in self.order_of(participant)
                for _ in range(self.blocks[at].games)]

    def order_of(self, participant: int) -> list[int]:
        """Return the order of the blocks of a participant, by its number from 0."""
        count = len(self.blocks)
        if self.order == "random":
            chance = generator((self.seed, 0, Stream.ARENA, ORDERS, participant))
            return chance.sample(range(count), count)
        rows = latin(count) if self.order == "latin" else [[*range(count)]]
        return rows[participant % len(rows)]

    def seed_of(self, participant: int, place: int) -> int:
        """Return the seed of a participant's game number `place`, from 0."""
        return generator((self.seed, 0, Stream.ARENA, SEEDS, participant, place)).randrange(2**63)


def latin(n: int) -> list[list[int]]:
    """Return a balanced Latin square of n conditions (Williams 1949), a list for each row.

    Every condition stands in each place equally often, and follows each other one equally often: in
    n rows if n is even, else in 2 n, of which the second half is the first one reversed.

    >>> from hsevo.config.participants import latin
    >>> latin(4)
    [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
    """
    first = [(k + 1) // 2 if k % 2 else -(k // 2) for k in range(n)]
    rows = [[(one + row) % n for one in first] for row in range(n)]
    return rows if n % 2 == 0 or n == 1 else rows + [row[::-1] for row in rows]


def load_design(source: str | Path) -> tuple[Design, str]:
    """Read a design, and the text that asks for consent, "" for none.

    Raises ConfigError.
    """
    path = Path(source)
    design = check(Design, parse(read_text(path), str(path)), str(path))
    if design.consent is None:
        return design, ""
    text = read_file(path.parent / design.consent, MOST_CONSENT, ConfigError)
    if not text.strip():
        raise ConfigError(f"{path}: consent: {brief(design.consent)} has no words")
    return design, text


def found(design: Design, source: str | Path) -> Design:
    """Return a design whose decks and agents name files beside its own by their paths."""
    path = Path(source)
    blocks = tuple(one.model_copy(update={
        "deck": beside(path, one.deck), "against": beside(path, one.against),
        "opponent": agent_beside(path, one.opponent),
        "hints": one.hints and agent_beside(path, one.hints)}) for one in design.blocks)
    return design.model_copy(update={"blocks": blocks})
