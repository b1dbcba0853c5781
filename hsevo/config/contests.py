"""What contests are asked for: keys that are keywords of their functions and options of commands.

What the folder of a contest stores besides names who plays: strength.lineup.ContestPlan and
metagame.series.SeriesPlan.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from hsevo.config.mistakes import as_real, in_order, short, whole
from hsevo.config.models import Count, Pair, Rules, Section, Seed, Text, Turns
from hsevo.errors import ConfigError
from hsevo.seeds import MOST_SEED


def _between(low: int, high: int) -> tuple[Any, ...]:
    """Return what makes a number one that must lie between two, and says so."""
    def checked(value: Any, info: ValidationInfo) -> int:
        return whole(str(info.field_name), value, low, high)
    return Field(ge=low, le=high), BeforeValidator(checked)


def _several(value: Any, info: ValidationInfo) -> list[Any]:
    return [value] if isinstance(value, str) else in_order(str(info.field_name), value)


Several = Annotated[list[Text], BeforeValidator(_several)]


class ContestSettings(Rules):
    """How many games of a contest are played, and how."""

    games: Count = 360
    """Games of every two at least; rounded up to all pairs of decks from both sides."""

    @property
    def rules(self) -> dict[str, Any]:
        """What the plan of an arena takes of them."""
        return self.model_dump(include={"games", "seed", "ruleset", "information", "max_turns"})


class MatchSettings(ContestSettings):
    """A match of two agents, and a test that may end it."""

    games: Count = 2000
    """Games at least; rounded up to all pairs of decks from both sides."""
    sprt: Pair | None = None
    """Test whether A is ELO0 or ELO1 better than B, and stop when decided."""
    alpha: float = 0.05
    """With sprt: the chance to accept ELO1 when ELO0 is true."""
    beta: float = 0.05
    """With sprt: the chance to accept ELO0 when ELO1 is true."""

    @model_validator(mode="before")
    @classmethod
    def _test(cls, given: Any) -> Any:
        for name in ("alpha", "beta"):
            chance = as_real(given.get(name, 0.05))
            if chance is None or not 0 < chance < 0.5:
                raise ConfigError(f"{name} is {short(given[name])}, but must be a number between 0"
                                  " and 0.5")
        ends = given.get("sprt")
        if ends is None:
            return given
        two = isinstance(ends, list | tuple) and len(ends) == 2 and None not in map(as_real, ends)
        if not two or not -10_000 < ends[0] < ends[1] < 10_000:
            said = f"{ends[0]:g} {ends[1]:g}" if two else short(ends)
            raise ConfigError(f"sprt is {said}, but must be a lower and a higher number of Elo,"
                              " such as 0 10")
        return given


class MetaSettings(ContestSettings):
    """Decks against decks."""

    pilots: str = "eva:2018"
    """The agent that plays the decks; of several, each deck gets the one that does best with it, in
    games of their own."""
    games: Count = 360
    """Games of every two decks, at least."""


class NerfSettings(MetaSettings):
    """Decks against decks before and after a change of cards."""

    pilots: str = "eva:2018"
    """As of hsevo meta matrix; they are chosen before the change."""
    games: Count = 360
    """Games of every two decks, at least, before and again after."""
    re_evolve: bool = False
    """Decks evolve before and after the change, and join the field."""
    evolve_games: int | None = None
    """Games of each search for a deck; null: 20000."""
    classes: Several = []  # noqa: RUF012 - pydantic copies it
    """Of which decks evolve; default: those with a changed card in the field, or all if no deck has
    one."""


class BalanceSettings(Section):
    """A search for changes of cards that make a field of decks even."""

    pilot: str = "eva:2018"
    """The agent that plays all decks."""
    cards: Several = []  # noqa: RUF012
    """Only these cards change; default: all cards of the decks."""
    most: Annotated[int, *_between(1, 20)] = 3
    """Steps of a proposal, at most."""
    proposals: Annotated[int, *_between(1, 100_000)] = 300
    """How many are tried."""
    games: Annotated[int, *_between(2, 1_000_000)] = 20
    """Games of every two decks after each proposal, about."""
    confirm: Annotated[int, *_between(2, 10_000_000)] = 400
    """New games of every two decks for what is reported."""
    re_evolve: bool = False
    """Decks evolve against each proposal that is kept, and challenge the field."""
    evolve_games: int | None = None
    """Games of each search for a deck; null: 2000. Ten times as many against what is reported."""
    seed: Annotated[int, *_between(0, MOST_SEED)] = 1
    """The same seed gives the same result."""
    ruleset: str = "cig2018"
    """Which is changed."""
    max_turns: Turns = 89
    """A game of more turns is a draw."""


class ExploitSettings(Section):
    """A player that learns to beat an agent, and its measurement."""

    games: Annotated[int, Field(ge=1)] = 144_000
    """Games that the response (see above) learns from, at least."""
    start: Text | None = None
    """The response first learns from games of this agent against itself."""
    pretrained: Text | None = None
    """The response begins with the weights of this learned player, such as rl:2026."""
    decks: Any = None
    """Decks of all games; null: the config's."""
    search: bool = False
    """The response searches its turn with its network when it is measured."""
    measure: Count = 2000
    """Games that measure the response, at least."""
    seed: Seed = 1
    """The same seed gives the same result."""


class ExamineSettings(Section):
    """What each weight of an agent is worth, and how it plays."""

    games: Count = 1800
    """Games of each variant (a weight at one of 11 values), at least."""
    profile_games: Annotated[int, *_between(1, 1_000_000)] = 360
    """How many of these to analyse move by move, for the style."""
    games_best: Annotated[int, *_between(1, 1_000_000)] = 200
    """To find the best of a RUN: games per pair of decks, for every two agents."""
    seed: Seed = 1
    """The same seed gives the same games."""
