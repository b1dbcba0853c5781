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
    """Return a validator of numbers that must lie between two limits."""
    def checked(value: Any, info: ValidationInfo) -> int:
        return whole(str(info.field_name), value, low, high)
    return Field(ge=low, le=high), BeforeValidator(checked)


def _several(value: Any, info: ValidationInfo) -> list[Any]:
    return [value] if isinstance(value, str) else in_order(str(info.field_name), value)


Several = Annotated[list[Text], BeforeValidator(_several)]


class ContestSettings(Rules):
    """Number of games of a contest, and how they are played."""

    games: Count = 360
    """Minimum number of games of every two agents. hsevo rounds it up, so that all pairs of decks
    play equally often, with swapped seats."""

    @property
    def rules(self) -> dict[str, Any]:
        """What the plan of an arena takes of them."""
        return self.model_dump(include={"games", "seed", "ruleset", "information", "max_turns"})


class MatchSettings(ContestSettings):
    """A match of two agents, and a test that may end it."""

    games: Count = 2000
    """Minimum number of games. hsevo rounds it up, so that all pairs of decks play equally often,
    with swapped seats."""
    sprt: Pair | None = None
    """Test whether A is ELO0 or ELO1 Elo stronger than B, and stop when the test has decided."""
    alpha: float = 0.05
    """With sprt, the probability of accepting ELO1 when ELO0 is true."""
    beta: float = 0.05
    """With sprt, the probability of accepting ELO0 when ELO1 is true."""

    @model_validator(mode="before")
    @classmethod
    def _test(cls, settings: Any) -> Any:
        for name in ("alpha", "beta"):
            chance = as_real(settings.get(name, 0.05))
            if chance is None or not 0 < chance < 0.5:
                raise ConfigError(f"{name} is {short(settings[name])}, but must be a number between"
                                  " 0 and 0.5")
        ends = settings.get("sprt")
        if ends is None:
            return settings
        two = isinstance(ends, list | tuple) and len(ends) == 2 and None not in map(as_real, ends)
        if not two or not -10_000 < ends[0] < ends[1] < 10_000:
            said = f"{ends[0]:g} {ends[1]:g}" if two else short(ends)
            raise ConfigError(f"sprt is {said}, but must be a lower and a higher number of Elo,"
                              " such as 0 10")
        return settings


class DatasetSettings(ContestSettings):
    """Games of two agents, stored decision by decision."""

    games: Count = 2000
    """Minimum number of games. hsevo rounds it up, so that all pairs of decks play equally often,
    with swapped seats."""
    history: bool = False
    """Observations include the history of the game."""
    shard_games: Annotated[int, *_between(2, 10_000)] = 400
    """Number of games in each Parquet file, an even number. If you stop the command, unfinished
    files are lost."""

    @model_validator(mode="after")
    def _whole_pairs(self) -> DatasetSettings:
        if self.shard_games % 2:
            raise ConfigError(f"shard_games is {self.shard_games}, but must be even: games come in"
                              " pairs")
        return self


class MetaSettings(ContestSettings):
    """Decks against decks."""

    pilots: str = "eva:2018"
    """The agent that plays the decks. If you name several agents, each deck gets the agent that
    wins most with it in separate games."""
    games: Count = 360
    """Minimum number of games of every two decks."""


class NerfSettings(MetaSettings):
    """Decks against decks before and after a change of cards."""

    pilots: str = "eva:2018"
    """The agent that plays the decks, as in hsevo meta matrix. If you name several agents, each
    deck gets the agent that wins most with it before the change."""
    games: Count = 360
    """Minimum number of games of every two decks, both before and after the change."""
    re_evolve: bool = False
    """Evolve decks before and after the change, and add them to the metagame."""
    evolve_games: int | None = None
    """Games of each search for a deck. If null, 20000."""
    classes: Several = []  # noqa: RUF012 - pydantic copies it
    """Classes of the decks that evolve. Default: classes whose decks have a changed card, or all
    classes if no deck has a changed card."""


class BalanceSettings(Section):
    """A search for card changes that balance the given decks."""

    pilot: str = "eva:2018"
    """The agent that plays all decks."""
    cards: Several = []  # noqa: RUF012
    """Change only these cards. Default: all cards of the decks."""
    most: Annotated[int, *_between(1, 20)] = 3
    """Maximum number of steps in a proposal."""
    proposals: Annotated[int, *_between(1, 100_000)] = 300
    """Number of proposals to try."""
    games: Annotated[int, *_between(2, 1_000_000)] = 20
    """Approximate number of games of every two decks for each proposal."""
    confirm: Annotated[int, *_between(2, 10_000_000)] = 400
    """New games of every two decks for the reported proposals."""
    re_evolve: bool = False
    """Evolve new decks under the best proposals, to challenge the given decks."""
    evolve_games: int | None = None
    """Games of each search for a deck. Reported proposals get ten times this number. If null,
    2000."""
    seed: Annotated[int, *_between(0, MOST_SEED)] = 1
    """The same seed gives the same result."""
    ruleset: str = "cig2018"
    """The ruleset to change."""
    max_turns: Turns = 89
    """A game with more player turns is a draw."""


class ExploitSettings(Section):
    """A player that learns to beat an agent, and its measurement."""

    games: Annotated[int, Field(ge=1)] = 144_000
    """Minimum number of games that the response learns from."""
    start: Text | None = None
    """The response first learns from games that this agent plays against itself."""
    pretrained: Text | None = None
    """The response starts with the weights of this learned player, for example rl:2026."""
    decks: Any = None
    """Decks of all games. If null, the decks of the config."""
    search: bool = False
    """The response searches its turn with its network in the measured games."""
    measure: Count = 2000
    """Minimum number of games that measure the response."""
    seed: Seed = 1
    """The same seed gives the same result."""


class ExamineSettings(Section):
    """The value of each weight of an agent, and its playing style."""

    games: Count = 1800
    """Minimum number of games of each variant (an agent with one weight at one of 11 values)."""
    profile_games: Annotated[int, *_between(1, 1_000_000)] = 360
    """Number of games to analyse move by move for the playing style."""
    games_best: Annotated[int, *_between(1, 1_000_000)] = 200
    """For a RUN, games of every two agents for each pair of decks, to find the best agent."""
    seed: Seed = 1
    """The same seed gives the same games."""
