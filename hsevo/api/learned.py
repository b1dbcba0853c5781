"""`hsevo.learn` and `hsevo.Learned`: a player that learns by playing, and its folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, Unpack

import numpy as np
import pandas as pd

from hsevo.agents.learned.nets import refuse_unknown
from hsevo.agents.registry import NET, ROSTER
from hsevo.api import deck_building as built
from hsevo.api.deck_building import DeckBuilding
from hsevo.api.experiment import RunFolder, read_decks
from hsevo.cards import decks as api
from hsevo.cards.deck_pool import DeckDraws
from hsevo.cards.decks import DeckList, class_of, refuse_lists
from hsevo.cards.terms import Class
from hsevo.config import as_whole, check_number, in_order, whole
from hsevo.config.learning import END_TO_END, SCRATCH, Plan
from hsevo.errors import AgentError, HsevoError, RunError, names_or_count, quoted
from hsevo.experiments.playing import Progress
from hsevo.generated import LearnFields, WorkersFields
from hsevo.learning.experiment import Learning, LearningState
from hsevo.learning.folder import LearningRun, is_learning, period_name
from hsevo.learning.plan import refuse_unused
from hsevo.learning.pretrained import check_pretrained
from hsevo.objects import Fields
from hsevo.runs import checkpoints
from hsevo.strength.agents import Agent, AgentLike
from hsevo.strength.roster import contents, net_parts, read_agent
from hsevo.types import Array


class Learned(RunFolder):
    """A run folder of hsevo learn, finished or not. Raises RunError if `path` is not one.

    path: the folder, or "rl:RUN", as its player is named.

    >>> few = {"periods": 2, "rounds": 1, "games": 4, "payoff_games": 1}
    >>> path = hsevo.learn("osfp-smoke", out="runs/learned", changes=few).path
    >>> hsevo.Learned(path)
    Learned('runs/learned': osfp-smoke, seed 1, 2 of 2 periods, done)
    >>> hsevo.Learned(path).checkpoints
    ['period-0000', 'period-0001']
    """

    FIELDS: ClassVar[Fields] = {
        **RunFolder.FIELDS, "checkpoints": "checkpoints", "learning": "learning",
        "references": "references"}

    KIND = Learning
    STATE_AS_JSON = False
    folder: LearningRun

    def __init__(self, path: str | Path) -> None:
        super().__init__(_folder_of(str(path)))

    @classmethod
    def _parts(cls, plan: Plan) -> tuple[Sequence[DeckList], dict[str, Array], dict[str, bytes]]:
        """Read decks, agents and files; refuse keys that only the other policy reads."""
        refuse_unused(plan)
        decks = read_decks(plan.deck_names, plan.ruleset)
        if plan.shares:
            if sum(plan.shares.parts[:3]):
                refuse_lists(plan.ruleset)
            DeckDraws(plan.shares, plan.ruleset, decks)  # can decks be drawn?
        if plan.policy != END_TO_END:
            refuse_unknown(plan.ruleset, decks)
        files: dict[str, bytes] = {}
        if plan.policy == END_TO_END:
            from hsevo.learning.end_to_end import train as runs
            from hsevo.learning.end_to_end.updates import check_device

            check_device(plan.network)
            if data := runs.opponent_bytes(plan.against):
                files[runs.OPPONENT] = data
        named = [name for name in (plan.start, plan.pretrained, plan.against)
                 if name not in (None, SCRATCH) and not (name == plan.against and files)]
        agents = {name: read_agent(name, decks,
                                   compiled=plan.policy != END_TO_END or name == plan.start)
                  for name in (*named, *plan.references.against)}
        for name, agent in agents.items():
            if agent.ndim > 1:
                raise AgentError(f"'{name}' has other weights for each deck, which hsevo learn does"
                                 " not take yet")
        if plan.pretrained is not None:
            check_pretrained(plan.pretrained, agents[plan.pretrained])
        return decks, agents, files

    @property
    def learning(self) -> pd.DataFrame:
        """A row a period: games, positions, loss before and after a round's steps, pool."""
        return self.table("learning.csv")

    @property
    def references(self) -> pd.DataFrame:
        """The learner against each reference opponent after a period: win rate with interval."""
        return self.table("references.csv")

    @property
    def times(self) -> pd.DataFrame:
        """CPU seconds of each period, in this process, without its measurements."""
        return self.table("times.csv")

    @property
    def payoff(self) -> pd.DataFrame:
        """All checkpoints against all, each pair once; empty until the run is done."""
        return self.table("payoff.csv")

    @property
    def checkpoints(self) -> list[str]:
        """The names of its checkpoints, the oldest first."""
        return checkpoints.names(self.path)

    def agent(self, checkpoint: str | int = "", temperature: float | None = None) -> Agent:
        """Return the learned player of a checkpoint, by name or period (default: the last).

        temperature: 0 for the best actions, else as in its spec; default: 1 of an end-to-end
        policy, which samples its actions, 0 of others. Raises AgentError.
        """
        if not isinstance(checkpoint, str) and (period := as_whole(checkpoint)) is not None:
            checkpoint = period_name(period)
        spec = f"rl:{self.path}" + (f"#{checkpoint}" if checkpoint else "")
        if temperature is not None:  # without an exponent, which specs don't have
            spec += f"?temperature={np.format_float_positional(temperature, trim='-')}"
        return Agent(spec)

    def build_decks(self, number: int = 1, *, classes: Sequence[str] = (), seed: int = 1,
                    checkpoint: str | int = "", temperature: float = 1.0) -> list[api.Deck]:
        """Return decks that an end-to-end policy builds, `number` of each class, class after class.

        classes: by default those that it learned to build for. temperature: 0 for the best card
        each time, which is always the same deck. Equal seeds are equal decks. Raises AgentError
        for a player that builds none, ConfigError for a class that it has no network of.
        """
        number = check_number("number", number, 1)
        seed = whole("seed", seed, 0, 2**64 - 1)
        from hsevo.learning.acting.agents import built_decks

        heroes = [class_of(one) for one in in_order("classes", classes)] or sorted(
            {Class[deck.hero] for deck in self.folder.decks})
        record = self.agent(checkpoint, temperature).record
        return [api.Deck(deck, name=f"{deck.hero.lower()}-{k}") for one in heroes
                for k, deck in enumerate(built_decks(record, one, number, seed), 1)]

    def deck_building(self, number: int = 200, *, every: int = 1, games: int = built.GAMES,
                      pilots: AgentLike | Iterable[AgentLike] = built.PILOTS, seed: int = 1,
                      out: str | Path | None = None, progress: Progress = False,
                      **team: Unpack[WorkersFields]) -> DeckBuilding:
        """Return how an end-to-end policy came to build its decks, and what these are worth.

        number: decks of each class that each checkpoint builds, 1 to 10,000. every: 4 takes
        each fourth checkpoint, and the last. games: at least so many, 1 to 10,000, of the decks of
        the last checkpoint with each pilot against each kind of other decks. pilots: who plays both
        sides, "own" for the policy itself at temperature 0. out: a new folder for tables and
        picture. Equal seeds give equal results, with any workers and backend.

        Raises AgentError for a player that builds no decks, a run without a checkpoint, or an
        unknown pilot; ConfigError, RunError, WorkersError.
        """
        return built.deck_building(self.folder, number, every=every, games=games, pilots=pilots,
                                   seed=seed, out=out, progress=progress, **team)

    def resume(self, *, periods: int | None = None,  # type: ignore[override]
               workers: int | None = None, backend: str | None = None, log: Sequence[str] = (),
               progress: Progress = False) -> Self:
        """Continue to the end; a finished run is only logged.

        periods: continue to so many, as if the run had been planned so from its start. log:
        "tensorboard". Raises RunError if the run is another engine's, or in use;
        ConfigError for periods that it has, or if its learning rate depends on their number.
        """
        self._resume(periods, workers, backend, log, progress)
        return self

    def lines(self) -> list[str]:
        """Return a line of text per period, with what it was measured against."""
        state: LearningState = self.state
        return state.lines() if state.periods else []


def _folder_of(name: str) -> Path:
    """Return the folder of a run that is named by its path or as rl:RUN. Raises RunError."""
    if not name.startswith(f"{NET}:") or Path(name).exists():
        return Path(name)
    if name.partition("?")[0] in ROSTER:
        raise RunError(f"{quoted(name)} is shipped without the run that it learned in; name a run"
                       f" of yours: {NET}:RUN")
    source, checkpoint, options = net_parts(name)
    if checkpoint or options:
        raise RunError(f"{quoted(name)} is one player of a run; name the run alone:"
                       f" {NET}:{source}")
    return Path(source)


def unlearned(spec: str, decks: Iterable[DeckList]) -> str:
    """Return what decks the player of a run folder learned with, if not with all of these; or "".

    In words that go on after its name. Also "" for other agents, and where the decks can't be read:
    a checkpoint's file has none.
    """
    path = Path(spec.removeprefix(f"{NET}:").partition("?")[0].partition("#")[0])
    named = spec.partition("?")[0] in ROSTER
    if named or not spec.startswith(f"{NET}:") or not is_learning(path):
        return ""
    try:
        run = LearningRun.open(path)
        known = run.decks
    except HsevoError:  # also of a config with keys unknown here
        return ""  # damaged; its checkpoint, which played, is not
    if run.plan.shares:
        return ""  # it learned any deck
    lists = {contents(deck) for deck in known}
    others = [deck.name for deck in decks if contents(deck) not in lists]
    learned = names_or_count(deck.name for deck in known)
    return f"learned {learned}, and not {names_or_count(others)}" if others else ""


def learn(source: str | Path | Plan = "osfp-small", changes: Mapping[str, Any] | None = None, *,
          out: str | Path | None = None, minutes: float | None = None, log: Sequence[str] = (),
          progress: Progress = False, **fields: Unpack[LearnFields]) -> Learned:
    """Have a player learn by playing, into a run folder, and return the run.

    source: the name of a learning config, a path, or a Plan. changes: keys of the config with other
    values, {"periods": 4, "learner.trace": 0.9}; those without a point may be keywords, too, as
    seed=7 or start="eva:2018", and so may workers and backend. log: "tensorboard". Results are
    bit-identical with any workers and backend. A stopped run continues with
    `Learned(path).resume()`. minutes: plan as many periods as fit into them; not with periods in
    changes.

    Raises ConfigError, DeckError, AgentError, RunError, WorkersError, GameError.

    >>> few = {"periods": 1, "rounds": 2, "games": 4, "payoff_games": 0}
    >>> run = hsevo.learn("osfp-smoke", seed=7, out="runs/mine", changes=few)
    >>> run.learning[["period", "games", "pool"]].values.tolist()
    [[0, 72, 1]]
    """
    return Learned._begin(
        source, changes, "{'periods': 4}", log=log, minutes=minutes, progress=progress,
        given={**fields, "out": str(out) if out else None})
