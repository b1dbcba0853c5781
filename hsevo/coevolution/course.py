"""The course of a coevolution: generation after generation, played or told from what was stored.

    course.step(number, play, measure) --> PairGeneration

    every deck     with the pilots of the partners     against the opponents
    all weights    with the decks of the partners      against the opponents
    the best of both are the generation's champion, which enters the hall

Partners and opponents are pairs of the hall as it was before. Those that stayed play again with the
new ones, because the hall has changed: they are compared by this generation's games alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from hsevo.agents.genomes.genome import Genome
from hsevo.agents.registry import evolved_genome
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import Deck
from hsevo.coevolution.pairs import OPPONENTS, PARTNERS, HallOfFame, Pair
from hsevo.config import Config
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.book import Book, Rates
from hsevo.deckbuilding.strategies import MuLambda
from hsevo.evolution.strategies import SelfAdaptive
from hsevo.seeds import Stream, generator
from hsevo.types import Array

DECKS, WEIGHTS = "decks", "weights"
POPULATIONS = (DECKS, WEIGHTS)
REFERENCE = "champions"  # the champion of a generation, against the reference decks


@dataclass(frozen=True)
class Meetings:
    """What one population plays in a generation: candidates (n,), by their numbers.

    own: for each, the m pairs that it is in. partners: the other part of each pair; theirs: the
    pairs that they meet, both (m,).
    """

    number: int
    population: str
    candidates: Array
    own: Sequence[Sequence[Pair]]
    partners: Sequence[Pair]
    theirs: Sequence[Pair]


Play: TypeAlias = Callable[[Meetings], Array]  # -> book.RESULT (n, m)
Measure: TypeAlias = Callable[[int, Pair], Array]  # -> book.RESULT (1, k), or (1, 0)


@dataclass(frozen=True)
class PairGeneration:
    """A generation that was played.

    meetings, results: of both populations. decks: the numbers of the new ones. weights: new rows,
    INDIVIDUAL. champion, references: its games against the reference decks, (1, k) or (1, 0). line:
    its line of generations.csv.
    """

    number: int
    meetings: Sequence[Meetings]
    results: Sequence[Array]
    decks: Array
    weights: Array
    champion: Pair
    references: Array
    line: dict[str, Any]

    @property
    def met(self) -> dict[str, tuple[Array, Array]]:
        """Who played, by number, (n,), and their book.RESULT (n, m), by population."""
        met = {meetings.population: (meetings.candidates, results)
               for meetings, results in zip(self.meetings, self.results, strict=True)}
        champion = {REFERENCE: (np.array([self.number]), self.references)}
        return met | (champion if self.references.size else {})


class PairCourse:
    """A coevolution from its beginning on."""

    def __init__(self, plan: Plan, pool: DeckPool, genome: Genome, first: Sequence[Pair],
                 start: Sequence[Deck]) -> None:
        self.plan, self.pool, self.genome = plan, pool, genome
        self.hall = HallOfFame(plan, first)
        self.book = Book(pool, np.full(plan.slots, 1 / plan.slots), plan.slots, "rate")
        self.decks = MuLambda(plan.search, self.book, [pool.counts(deck) for deck in start])
        self.weights = SelfAdaptive(plan.weights.evolution, genome,
                                    generator((plan.seed, Stream.COEVOLUTION)))
        self.vectors: dict[str, Array] = {}  # all weights so far, (k,), by the pilot's name

    def step(self, number: int, play: Play, measure: Measure) -> PairGeneration:
        """Make the next generation."""
        hall = self.plan.hall
        opponents = self.hall.draw(number, hall.opponents, OPPONENTS)
        partners = self.hall.draw(number, hall.partners, PARTNERS)
        who = ([partner for partner in partners for _ in opponents], [*opponents] * len(partners))
        new, decks = self._ask_decks(number, *who)
        field, weights = self._ask_weights(number, *who)
        results = [play(decks), play(weights)]
        self._tell(number, decks, new, results[0], field, results[1])
        champion = self.champion()
        left = self.hall.enter(champion, number)
        references = measure(number, champion)
        return PairGeneration(number, (decks, weights), results, new,
                          field[field["born"] == number], champion, references,
                          self._line(number, field, results, references, left))

    def _ask_decks(self, number: int, partners: list[Pair],
                   theirs: list[Pair]) -> tuple[Array, Meetings]:
        """Return the new decks of a generation, and the meetings of all decks."""
        new = self.book.add(*self.decks.ask(number), number)
        numbers = np.concatenate([new, self.decks.repeats(new)])
        own = [[Pair(partner.pilot, deck, partner.agent) for partner in partners]
               for deck in map(self.deck, numbers.tolist())]
        return new, Meetings(number, DECKS, numbers, own, partners, theirs)

    def _ask_weights(self, number: int, partners: list[Pair],
                     theirs: list[Pair]) -> tuple[Array, Meetings]:
        """Return the weights of a generation, INDIVIDUAL (n,), and their meetings."""
        field = self.weights.ask(number)
        agents, names = self.genome.build(field["weights"]), [*map(pilot_name, field["id"])]
        self.vectors |= dict(zip(names, field["weights"], strict=True))
        own = [[Pair(name, partner.deck, agents[i:i + 1]) for partner in partners]
               for i, name in enumerate(names)]
        return field, Meetings(number, WEIGHTS, field["id"].astype(np.int64), own, partners, theirs)

    def _tell(self, number: int, decks: Meetings, new: Array, of_decks: Array, field: Array,
              of_weights: Array) -> None:
        """Select by the results of a generation."""
        self.book.take(decks.candidates, of_decks)
        self.decks.tell(new, number)
        field["fitness"] = self._rates(of_weights).fitness("rate")
        field["wins"], field["draws"] = (of_weights[name].sum(axis=1)
                                         for name in ("wins", "draws"))
        field["losses"] = of_weights["games"].sum(axis=1) - field["wins"] - field["draws"]
        self.weights.tell(field)

    def _rates(self, results: Array) -> Rates:
        return Rates(results, self.book.weights, self.plan.slots)

    def deck(self, number: int) -> Deck:
        """Return a deck, which is called deck-NUMBER."""
        return self.pool.deck(self.book.counts[number], f"deck-{number}")

    def champion(self) -> Pair:
        """Return the best deck of the last generation with its best weights."""
        assert self.weights.parents is not None
        best = self.weights.parents[:1]
        return Pair(pilot_name(best["id"][0]), self.deck(int(self.decks.stay[0])),
                    self.genome.build(best["weights"]))

    def _line(self, number: int, field: Array, results: Sequence[Array], references: Array,
              left: int) -> dict[str, Any]:
        assert self.weights.parents is not None
        best = int(self.decks.stay[0])
        at = int(np.flatnonzero(field["id"] == self.weights.parents["id"][0])[0])
        line: dict[str, Any] = {
            "generation": number, "decks": len(self.book),
            "games": sum(int(scored["games"].sum()) for scored in (*results, references))}
        for name, who, rates in (
                ("deck", best, self.book.rates(self.decks.stay[:1], recent=True)),
                ("individual", int(field["id"][at]), self._rates(results[1][at:at + 1]))):
            low, high = rates.ends()
            line |= {name: who, f"{name}_rate": float(rates.rate()[0]),
                     f"{name}_rate_low": float(low[0]), f"{name}_rate_high": float(high[0])}
        return line | {"sigma": float(self.weights.parents["sigmas"].mean()),
                       "hall": len(self.hall.pairs), "left": left}


def genome_of(plan: Plan) -> Genome:
    """Return the genome of the pilots, as of hsevo evolve. Raises AgentError."""
    return evolved_genome(Config(agent=plan.agent, decks=("mage",)), ["mage"])


def pilot_name(id: Any) -> str:
    """Return what the pilot with some weights is called."""
    return f"individual-{int(id)}"


def games_of(plan: Plan, number: int) -> int:
    """Return the games of a generation, without those against reference decks."""
    decks = plan.decks.first if number == 0 else plan.decks.mu + plan.decks.lam
    weights = plan.weights.mu + (0 if number == 0 else plan.weights.lam)
    return (decks + weights) * plan.slots * plan.games


def measured(plan: Plan, number: int) -> bool:
    """Return whether a generation's champion meets the reference decks."""
    return (number + 1) % plan.reference.every == 0
