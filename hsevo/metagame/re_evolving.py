"""What players would build after a change of cards: decks that evolve before it and after it.

    Searches     of hsevo.nerf, with a folder of all searches
    Responder    of hsevo.balance, many small ones in memory

    DIR/evolved/shaman-before/    the search for a class's best deck, as of hsevo decks evolve
    DIR/evolved/evolved-shaman-before.txt    that deck, by the name that it has in the matrices

Before and after, searches have the same seeds, the same number of games and the same field, in the
hands of the same pilots. So what evolving alone gains is in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from hsevo.cards import tables
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import Deck
from hsevo.config import in_order
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding import responses
from hsevo.deckbuilding.field import Field
from hsevo.deckbuilding.run import DeckEvolution, summary
from hsevo.errors import ConfigError, DeckError, RunError, did_you_mean, quoted
from hsevo.experiments.playing import print_line
from hsevo.files import write_whole
from hsevo.metagame import balance
from hsevo.play.specs import split_deck
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, derive
from hsevo.strength.agents import Agent, AgentLike, as_agents, refuse_hosted
from hsevo.strength.roster import contents

EVOLVED = "evolved"
ALL = "all"
CHOOSING = 20  # games against each deck of the field that choose a challenger of the best few
NERF_GAMES, BALANCE_GAMES = 20_000, 2_000  # of a search, unless others are asked for
LAST = 10  # times as many games in the last searches, whose decks are reported


@dataclass(frozen=True)
class FieldSearches:
    """Searches for the best decks of some classes against a field, under some rulesets.

    field: decks, each with the agent that plays it. rulesets: by when, "before" and "after".
    """

    field: Sequence[Agent]
    pilots: Sequence[Agent]
    rulesets: Mapping[str, str]
    classes: Sequence[str]
    games: int
    confirm: int
    seed: int
    max_turns: int

    def results(self, path: Path | None,
              run_options: Mapping[str, Any]) -> tuple[list[Agent], pd.DataFrame]:
        """Return the new decks, each in the hands of its pilot, and a line per class and ruleset.

        path: a folder for all searches, which continue from there. Columns: see `Nerf.evolved`.
        """
        known = {contents(deck): deck.name for deck in map(_deck_of, self.field)}
        taken = {*known.values()}
        agents, lines = [], []
        with ExitStack() as stack:
            where = path or Path(stack.enter_context(TemporaryDirectory(prefix="hsevo-")))
            for cls in self.classes:
                for when in self.rulesets:
                    run = self._run(
                        cls, when, where,
                        {**run_options, "progress": (run_options["progress"] if path else False)},
                        bool(run_options["progress"] is True))
                    deck = run.best
                    name = known.get(contents(deck))
                    if name is None:
                        name = known[contents(deck)] = _free(f"evolved-{cls.lower()}-{when}", taken)
                        agents.append(self._played(cls, name, run, path))
                    lines.append({"class": cls, "when": when, "deck": name, **_rates(run),
                                  "code": run.best.code})
        return agents, pd.DataFrame(lines)

    def _own(self, cls: str) -> list[Agent]:
        """Return the decks of a class in the field."""
        return [agent for agent in self.field if _deck_of(agent).hero == cls]

    def _run(self, cls: str, when: str, where: Path, run_options: dict[str, Any],
             say: bool) -> DeckEvolution:
        """Return a finished search, read from its folder if there is one."""
        if say:
            print_line(f"a {cls.lower()}'s best deck, {when} the change")
        own, agents = self._own(cls), {agent.name: agent.record for agent in self.pilots}
        pilot = split_deck(own[0].name)[0]
        decks = [_deck_of(agent) for agent in self.field]
        beside = [_deck_of(agent) for agent in own]
        field = responses.field_of(decks, [split_deck(agent.name)[0] for agent in self.field],
                                   agents, beside, beside)
        plan = responses.plan_of(field, cls, pilot, self.games, self.confirm, own_seed(self.seed),
                                 self.rulesets[when], self.max_turns)
        run = _begun(where / f"{cls.lower()}-{when}", plan, field)
        return run if run.done else run.resume(**run_options)

    def _played(self, cls: str, name: str, run: DeckEvolution, path: Path | None) -> Agent:
        """Return an evolved deck with its class's pilot; with a folder, write the deck there."""
        pilot = split_deck(self._own(cls)[0].name)[0]
        (agent,) = (candidate for candidate in self.pilots if candidate.name == pilot)
        if path is None:
            return Agent(agent, deck=Deck(run.best, name=name))
        write_whole(path / f"{name}.txt", Deck(run.best, name=name).text.encode())
        return Agent(agent, deck=str(path / f"{name}.txt"))


class Responder:
    """Decks that evolve against the field of `balance` after its proposals, one of each class."""

    def __init__(self, field: balance.BalancedField, pilot: str, games: int) -> None:
        self.field, self.pilot = field, pilot
        self.games = responses.checked_games("evolve_games", games, len(field.decks))
        self.classes = [*dict.fromkeys(deck.hero_class for deck in field.decks)]

    def most_games(self, times: int, more: int = 1) -> int:
        """Return how many games are played at most, if decks evolve so many times."""
        each = more * (self.games + responses.AGAIN * len(self.field.decks) * CHOOSING)
        return times * len(self.classes) * each

    def respond(self, executor: Executor, on_games: OnGames) -> balance.Respond:
        """Return what evolves challengers after a proposal, beginning with earlier ones, too."""
        def evolve(changes: balance.Changes, known: tuple[Deck, ...]
                   ) -> tuple[Deck, ...]:
            return tuple(response.deck
                         for response in self._new(executor, changes, known, 1, on_games))
        return evolve

    def last(self, executor: Executor, changes: Sequence[balance.Changes],
             known: Iterable[tuple[Deck, ...]], on_games: OnGames
             ) -> list[tuple[responses.Response, ...]]:
        """Return those that evolve last, after each proposal; all begin with the same decks."""
        everyone = tuple(deck for decks in known for deck in decks)
        return [self._new(executor, proposal, everyone, LAST, on_games) for proposal in changes]

    def _new(self, executor: Executor, changes: balance.Changes, known: Sequence[Deck],
             more: int, on_games: OnGames) -> tuple[responses.Response, ...]:
        """Return the best deck of each class, without decks of the field itself."""
        best, own = [], {contents(deck) for deck in self.field.decks}
        taken = {deck.name for deck in self.field.decks}
        for cls in self.classes:
            start = [deck for deck in (*self.field.decks, *known) if deck.hero_class == cls]
            field = responses.field_of(self.field.decks, [self.pilot] * len(self.field.decks),
                                       {self.pilot: self.field.agents}, start)
            plan = responses.plan_of(field, cls, self.pilot, more * self.games, more * CHOOSING,
                                     own_seed(self.field.seed, more),
                                     balance.overlay(self.field.ruleset, changes),
                                     self.field.max_turns)
            response = responses.best_response(executor, plan, field, on_games)
            if contents(response.deck) not in own:
                deck = Deck.of(_free(f"evolved-{cls.lower()}", taken), cls, response.deck.ids)
                best.append(response._replace(deck=deck))
        return tuple(best)


def searches(chosen: Sequence[Agent], pilots: AgentLike | Iterable[AgentLike],
             rulesets: Mapping[str, str], classes: Iterable[str], games: int,
             rules: Mapping[str, Any]) -> FieldSearches:
    """Return the searches for a field of `chosen_pilots`, checked.

    classes: names, or "all" of the field's; none: those whose decks have a changed card, or all if
    no deck has one. Raises AgentError, ConfigError, DeckError.
    """
    if rules["information"] != "fair":
        raise ConfigError("re_evolve needs information fair, but information is"
                          f" {rules['information']}")
    able = as_agents(pilots)
    refuse_hosted(able)
    responses.checked_games("evolve_games", games, len(chosen))
    named = _classes(chosen, classes, [*rulesets.values()])
    return FieldSearches(chosen, able, rulesets, named, games, rules["games"], rules["seed"],
                         rules["max_turns"])


def refuse_idle(re_evolve: bool, **options: Any) -> None:
    """Raise ConfigError for what is given to searches, not None, where no deck evolves."""
    for name, value in options.items():
        if value is not None and not re_evolve:
            raise ConfigError(f"{name} needs re_evolve")


def own_seed(seed: int, stage: int = 0) -> int:
    """Return the seed of searches for decks, apart from that of the games that compare them."""
    return int(derive((seed, 10, Stream.ARENA, stage))[0] >> np.uint64(1))


def _classes(chosen: Sequence[Agent], classes: Iterable[str], rulesets: Sequence[str]) -> list[str]:
    decks = [_deck_of(agent) for agent in chosen]
    here = [*dict.fromkeys(deck.hero for deck in decks)]
    named = [classes] if isinstance(classes, str) else in_order("classes", classes)
    if named == [ALL]:
        return here
    for name in named:
        if (cls := str(name).title()) not in here:
            known = [hero.lower() for hero in here]
            raise DeckError(f"the field has no deck of a {quoted(cls.lower())}"
                            + (did_you_mean(cls.lower(), known)
                               or f"; choose from {', '.join(known)}"))
    if named:
        return [cls for cls in here if cls.lower() in {str(name).lower() for name in named}]
    old, new = (tables.cards(name) for name in (rulesets[0], rulesets[-1]))
    hit = {deck.hero for deck in decks if any(old[id] != new[id] for id in deck.ids)}
    return [cls for cls in here if not hit or cls in hit]


def _begun(path: Path, plan: Plan, field: Field) -> DeckEvolution:
    """Return a begun or a new search. Raises RunError if the folder has another search."""
    if not path.exists():
        pool = DeckPool.of(plan.pool.cls, plan.ruleset)
        for deck in field.start:
            pool.counts(deck)
        DeckEvolution.make(path, plan, pool, field).close()
        return DeckEvolution(path)
    run = DeckEvolution(path)
    same = run.plan.model_copy(update={"workers": plan.workers})
    if same != plan or run.field.data() != field.data():
        raise RunError(f"{path} contains a search with other settings or of an older hsevo; choose"
                       " another folder")
    return run


def _rates(run: DeckEvolution) -> dict[str, Any]:
    """Return the rate of the best deck, and of the field's best deck of the class in these games.
    """
    table = summary(run)
    best, known = table.iloc[0], table.iloc[1:].sort_values("rate", ascending=False).iloc[0]
    rates = {f"{name}{end}": float(row[f"{end[1:]}" or "rate"]) for name, row in (
        ("rate", best), ("known_rate", known)) for end in ("", "_low", "_high")}
    return {"known": known["deck"], **rates, "games": int(best["games"])}


def _free(name: str, taken: set[str]) -> str:
    """Return a name, numbered if another deck has it: a field may hold decks evolved earlier."""
    numbered = (f"{name}-{k}" for k in count(2))
    free = next(candidate for candidate in chain([name], numbered) if candidate not in taken)
    taken.add(free)
    return free


def _deck_of(agent: Agent) -> Deck:
    assert agent.deck is not None
    return agent.deck
