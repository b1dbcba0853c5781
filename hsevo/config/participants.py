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

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without characters that look like others
LENGTH = 5  # signs of a code
MOST, MOST_CONSENT = 1000, 2**16  # participants; bytes of the text shown first
CODES, ORDERS, SEEDS = 20, 21, 22  # keys of Stream.ARENA


def _code(code: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", code):
        raise ValueError("must be up to 32 letters, digits, - and _, and begin with a letter or"
                         " digit; don't use names of people")
    return code


Code = Annotated[str, AfterValidator(_code)]
Codes = Annotated[tuple[Code, ...], *OneOrMore]
Number = Annotated[int, Field(ge=1, le=MOST)]
Who = Annotated[Annotated[Number, Tag("<number>")] | Annotated[Codes, Tag("<list>")],
                Discriminator(lambda who: "<list>" if isinstance(who, list | tuple)
                              else "<number>")]


class Block(Section):
    """A condition of your study and its games, which are played one after another."""

    condition: Name
    """Name of the condition in tables."""
    opponent: Name
    """The agent that the participant plays against."""
    called: Name | None = None
    """Name of the agent for participants. If null, the agent's name."""
    deck: Text
    """The participant's deck: a name, file or deck code."""
    against: Text
    """The agent's deck."""
    first: Literal["any", "me", "agent"] = "any"
    """Player who begins: me (the participant), agent, or any (decided by the game's seed)."""
    games: Annotated[int, Field(ge=1, le=100)] = 1
    """Number of games."""
    hints: Name | None = None
    """The agent that gives hints. If null, no hints."""
    thinking: bool = False
    """If true, participants can view a finished game with the agent's scores."""


class Design(Section):
    """The design of a study with participants, who play against agents."""

    participants: Who
    """Number of participants, whose codes hsevo makes from the seed, or a list of codes: [P01,
    P02]. Do not use names of people."""
    blocks: Annotated[tuple[Block, ...], Listed, Field(min_length=1, max_length=20)]
    """The conditions and their games."""
    order: Literal["fixed", "random", "latin"] = "fixed"
    """Order of the blocks. fixed keeps your order, random draws an order for each participant, and
    latin uses the rows of a balanced Latin square in turn."""
    consent: Text | None = None
    """A text file that participants read first and must agree to. If null, none."""
    thanks: Text = "That was the last game. Thank you for taking part!"
    """Text after the last game."""
    ruleset: Ruleset = "cig2018"
    """The cards and rules."""
    information: Information = "fair"
    """Information that agents may use in their look-ahead."""
    seed: Seed = 1
    """Seed of codes, orders and games."""

    @model_validator(mode="after")
    def _conditions(self) -> Self:
        names = [block.condition for block in self.blocks]
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
        chance, codes = generator((self.seed, 0, Stream.ARENA, CODES)), dict[str, None]()
        while len(codes) < self.participants:
            codes[f"P-{''.join(chance.choices(ALPHABET, k=LENGTH))}"] = None
        return tuple(codes)

    @property
    def games(self) -> int:
        """How many games each participant plays."""
        return sum(block.games for block in self.blocks)

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
    rows = [[(condition + row) % n for condition in first] for row in range(n)]
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


def with_paths(design: Design, source: str | Path) -> Design:
    """Return a design whose decks and agents name files next to its own by their paths."""
    path = Path(source)
    blocks = tuple(block.model_copy(update={
        "deck": beside(path, block.deck), "against": beside(path, block.against),
        "opponent": agent_beside(path, block.opponent),
        "hints": block.hints and agent_beside(path, block.hints)}) for block in design.blocks)
    return design.model_copy(update={"blocks": blocks})
