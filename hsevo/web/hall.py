"""All games and matches of a folder, new and continued ones.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from anyio import to_thread

from hsevo.analysis.exercising import cost_of
from hsevo.cards import decks as plain
from hsevo.cards.decks import Deck
from hsevo.errors import ConfigError, GameError, RunError, quoted
from hsevo.play.match import searches
from hsevo.play.session import Seat
from hsevo.replays.exercises import Drill, Drills, now
from hsevo.replays.judged import Judged
from hsevo.replays.matches import (
    DECKS,
    MatchGame,
    MatchStanding,
    PlayedMatch,
    PlayedMatches,
    standing,
)
from hsevo.replays.played import HUMAN, OPEN, GameFacts, NotThere, PlayedGames
from hsevo.replays.wording import YOU
from hsevo.strength.agents import Agent
from hsevo.strength.games import Game, as_player
from hsevo.texts import say
from hsevo.web import efforts
from hsevo.web.choices import Choices
from hsevo.web.duels import FIRST, Duels, begins_as
from hsevo.web.mistakes import Analyst
from hsevo.web.positions import Adviser, read
from hsevo.web.practice import Practice
from hsevo.web.results import Results
from hsevo.web.searching import Improver
from hsevo.web.starting import Engine
from hsevo.web.table import Chair, GameTable, told
from hsevo.web.threads import Threads

MOST_LOADED = 256  # tables that nobody looks at are put away beyond that
MOST_OPEN = 1000  # games that are not finished


class NotSeated(GameError):
    """Somebody asked for the game of two others."""


class GameHall:
    """The tables of one folder of games, and what new games can be made of.

    watch: the names of two agents whose games are watched; the first has the human's place.
    results: what else is shown. `engine`: what its pages wait for.
    """

    def __init__(self, games: PlayedGames, choices: Choices, information: str = "fair",
                 watch: Sequence[str] = (), results: Results | None = None) -> None:
        self.games, self.choices, self.information = games, choices, information
        self.watch, self.results, self.engine = watch, results or Results(), Engine(())
        self.matches, self.improver = PlayedMatches(games.path), Improver(choices)
        self.drills, self.judged = Drills(games.path), Judged(games.path)
        self.duels = Duels(games, choices, self._begin_duel)
        self.analyst, self.adviser_at = Analyst(self.drills, self.judged), Adviser(choices)
        self._matching = asyncio.Lock()
        self._tables: OrderedDict[int, GameTable] = OrderedDict()
        self._loading = asyncio.Lock()
        self._threads = Threads.new()

    def stop(self) -> None:
        """End all searches, as the server ends."""
        self.improver.stop()
        self.analyst.stop()
        self.adviser_at.stop()

    async def new(self, wish: Mapping[str, Any], person: str = "") -> int:
        """Begin a game, and return its number.

        wish: deck, agent, against (the agent's deck), first (one of FIRST), and seed, a whole
        number or None. person: who plays it, "" if nobody knows. Raises AgentError, DeckError,
        ConfigError, GameError.
        """
        self._refuse_many()
        game, seat = await to_thread.run_sync(lambda: self._wished(wish),
                                              limiter=self._threads.quick)
        return self._sit(game, seat, owner="" if self.watch else person)

    async def begin(self, mine: Deck, theirs: Deck, agent: Agent, first: str, seed: int,
                    ruleset: str = "", **more: Any) -> int:
        """Begin a game of a human's against an agent, and return its number.

        first: one of FIRST. ruleset: default: the server's. more: of PlayedGames.new. Raises
        AgentError, ConfigError, GameError, RunError.
        """
        return self._sit(*await to_thread.run_sync(
            lambda: self._begun(mine, theirs, agent, first, seed, Seat(HUMAN), ruleset),
            limiter=self._threads.quick), **more)

    async def new_at(self, wish: Mapping[str, Any], person: str = "") -> int:
        """Begin a game at a position in which the human is to move, and return its number.

        wish: position, agent. person: as of `new`. Raises AgentError, ConfigError, CardError,
        DeckError, GameError.
        """
        self._refuse_many()
        agent = self.choices.agent(wish.get("agent"))

        def begun() -> tuple[Game, int]:
            position = read(wish.get("position"), self.choices)
            seat, me = position.player, self._me
            return Game.at(position, [me, agent] if seat == 0 else [agent, me]), seat
        return self._sit(*await to_thread.run_sync(begun, limiter=self._threads.quick),
                         owner="" if self.watch else person)

    async def new_match(self, wish: Mapping[str, Any]) -> int:
        """Begin a match, and return its number.

        wish: format, agent, mine and theirs, three decks each. Raises AgentError, DeckError,
        ConfigError, GameError.
        """
        agent, format = self.choices.agent(wish.get("agent")), wish.get("format")
        mine, theirs = self._line_up(wish.get("mine")), self._line_up(wish.get("theirs"))
        return self.matches.new(now(), str(format), agent.name, mine, theirs,
                                secrets.randbelow(2**63)).number

    async def rematch(self, number: int, person: str = "") -> int:
        """Begin a finished game again with the same decks and seats swapped; return its number.

        The ruleset stays that of the game. person: who played it. Raises NotSeated, RunError,
        GameError, AgentError.
        """
        self._refuse_many()
        chair = await self.chair(number, person)
        facts, table = chair.table.facts, chair.table
        if (not table.over or table.watched or facts.is_duel or facts.built
                or chair.spoken_to(person) is None):
            raise GameError(say("refused.no_rematch"))
        agent, mine = self.choices.agent(facts.agent), chair.seat
        decks, began = table.decks, begins_as(table.copy().beginning(), mine, "me")
        return await self.begin(Deck(decks[mine]), Deck(decks[1 - mine]), agent,
                                "agent" if began else "me", secrets.randbelow(2**63), table.ruleset,
                                owner=person)

    def cards_of(self, facts: GameFacts) -> str:
        """Return the path of the cards of a game, which may have another ruleset than the server.
        """
        same = facts.ruleset == self.choices.ruleset
        return "/cards.json" if same else f"/game/{facts.number}/cards.json"

    def standing(self, match: PlayedMatch) -> tuple[list[MatchGame], MatchStanding]:
        """Return the games of a match, and how it stands."""
        games = [MatchGame(*game, self.games.of(game[0]).result) for game in match.games]
        return games, standing(match.format, games)

    def match_of(self, game: int) -> PlayedMatch | None:
        """Return the match that a game is of."""
        return next((match for match in self.matches
                     if game in {number for number, _, _ in match.games}), None)

    async def next_game(self, number: int, deck: object, person: str = "") -> int:
        """Begin the next game of a match with one of the human's decks; return its number.

        person: as of `new`.
        Raises RunError, GameError, AgentError.
        """
        async with self._matching:
            match = self.matches.of(number)
            _, stands = self.standing(match)
            if stands.game or stands.result != OPEN:
                raise GameError(say("refused.match_open") if stands.game else
                                say("refused.match_over"))
            if type(deck) is not int or deck not in stands.mine:
                raise GameError(say("refused.deck_not_now"))
            theirs, seed = match.drawn(stands.theirs)
            agent, decks = self.choices.agent(match.agent), match.decks
            begun = await self.begin(Deck(decks[0][deck]), Deck(decks[1][theirs]), agent, "any",
                                     seed, owner=person)
            try:
                self.matches.add(match, begun, deck, theirs)
            except RunError:  # the next try begins the same game
                self.games.drop(begun)
                del self._tables[begun]
                raise
            return begun

    async def table(self, number: int) -> GameTable:
        """Return the table of a game. Raises RunError, GameError."""
        async with self._loading:
            if number not in self._tables:
                facts = self.games.of(number)
                game = await to_thread.run_sync(lambda: self.games.load(number),
                                                limiter=self._threads.quick)
                self._tables[number] = GameTable(self.games, facts, game, self._threads)
                self._put_away()
            self._tables.move_to_end(number)
            return self._tables[number]

    async def chair(self, number: int, person: str) -> Chair:
        """Return where a person sits in a game, or watches it.

        Raises NotSeated for the game of two others, RunError, GameError.
        """
        chair = (await self.table(number)).chair_of(person)
        if chair is None:
            raise NotSeated(say("refused.two_others"))
        return chair

    def told(self, person: str) -> list[GameFacts]:
        """Return the facts of all games that a person may know of, as they are told, newest first.

        These are the games with agents, and those with other people in which the person sits.
        """
        visible = []
        for game in self.games.facts[::-1]:
            seat = game.seat_of(person)
            if seat is not None:
                visible.append(told(game.of(seat)))
            elif not game.is_duel:
                visible.append(game)
        return visible

    async def has_exercises(self, person: str) -> bool:
        """Return whether there is something to see on the page of a person's exercises."""
        there = self._played_by(person)
        return self.drills.any(there) or await to_thread.run_sync(self.judged.any, there)

    async def exercises(self, person: str) -> list[tuple[Drill, GameFacts]]:
        """Return the exercises made of a person's games, with these games.

        Raises RunError, ConfigError for damaged files.
        """
        drills = await to_thread.run_sync(lambda: [*self.drills], limiter=self._threads.quick)
        there = self._played_by(person)
        return [(drill, there[drill.game]) for drill in drills if drill.game in there]

    async def next_exercise(self, person: str, but: tuple[int, int]) -> Drill | None:
        """Return the exercise that a person is to try next, None if none is due.

        Raises RunError, ConfigError for damaged files.
        """
        there = self._played_by(person)
        drill: Drill | None = await to_thread.run_sync(
            lambda: self.drills.next(now(), but, there), limiter=self._threads.quick)
        return drill

    async def mistakes(self, person: str) -> pd.DataFrame:
        """Return what decisions cost in a person's games whose mistakes were found.

        Raises RunError for damaged files.
        """
        there = self._played_by(person)
        table: pd.DataFrame = await to_thread.run_sync(lambda: self.judged.of(there),
                                                       limiter=self._threads.quick)
        return table

    def _played_by(self, person: str) -> dict[int, GameFacts]:
        """Return a person's games with agents, and games with agents that have no known owner."""
        return {game.number: game for game in self.games.facts
                if not game.is_duel and game.owner in (person, "")}

    def exercise(self, number: int, place: int, person: str) -> tuple[Drill, GameFacts]:
        """Return an exercise made of a person's game, with this game.

        Raises NotThere for another person's, too; RunError, ConfigError for damaged files.
        """
        facts = self._played_by(person).get(number)
        if facts is None:
            raise NotThere(f"the visitor has no game {number}")
        return self.drills.of(number, place), facts

    async def practice(self, number: int, place: int, person: str) -> Practice:
        """Return an exercise, to be tried once. Raises as `exercise`."""
        def begun() -> Practice:
            drill, facts = self.exercise(number, place, person)
            return Practice(
                drill, facts.agent, lambda solved: self.drills.note(number, place, solved, now()),
                lambda move: cost_of(drill.exercise, move), secrets.randbelow(2**63),
                self._threads)
        practice: Practice = await to_thread.run_sync(begun, limiter=self._threads.quick)
        return practice

    def adviser(self, name: object, chair: Chair) -> Seat:
        """Return the agent of a name, to be asked in a chair. Raises AgentError, GameError."""
        if chair.table.facts.is_duel:  # first: an agent that refuses a deck would name it
            raise GameError(say("refused.no_hints"))
        agent = self.choices.agent(name)
        efforts.check(agent)
        player = as_player(agent, chair.table.decks, chair.seat)
        assert player
        assert player.agent is not None
        if searches(player.agent) and not self.engine.complete:
            raise GameError(self.engine.why)
        return player

    def _line_up(self, words: object) -> list[plain.Deck]:
        """Return the decks of a line-up as a browser names them. Raises DeckError, GameError."""
        if not isinstance(words, list) or len(words) != DECKS:
            raise GameError(say("refused.line_up", n=DECKS))
        return [self.choices.deck(name) for name in words]

    def _sit(self, game: Game, seat: int, **more: Any) -> int:
        """Save a game that begins, and return its number. more: of PlayedGames.new."""
        facts = self.games.new(now(), seat, game, **more)
        self._tables[facts.number] = GameTable(self.games, facts, game, self._threads)
        self._put_away()
        return facts.number

    def _begin_duel(self, game: Game, **more: str) -> int:
        """Save a game between two people that begins, and return its number. Raises GameError."""
        self._refuse_many()
        return self._sit(game, 0, **more)

    def _wished(self, wish: Mapping[str, Any]) -> tuple[Game, int]:
        """Return a game as it is wished for, and the human's seat."""
        mine, agent = self.choices.deck(wish.get("deck")), self.choices.agent(wish.get("agent"))
        theirs, first = self.choices.deck(wish.get("against")), wish.get("first", "any")
        if first not in FIRST:
            raise ConfigError(say("refused.one_of", what="first", value=quoted(first),
                                  known=", ".join(FIRST)))
        seed = wish.get("seed")
        return self._begun(mine, theirs, agent, first,
                           secrets.randbelow(2**63) if seed is None else seed, self._me)

    @property
    def _me(self) -> Seat | Agent:
        """Who has the human's place."""
        return self.choices.agent(self.watch[0]) if self.watch else Seat(HUMAN)

    def _refuse_many(self) -> None:
        """Raise GameError if too many games are open."""
        if sum(game.result == OPEN for game in self.games.facts) >= MOST_OPEN:
            raise GameError(say("refused.many_open", n=f"{MOST_OPEN:,}"))

    def _begun(self, mine: Deck, theirs: Deck, agent: Agent, first: str, seed: Any,
               me: Seat | Agent, ruleset: str = "") -> tuple[Game, int]:
        """Return a game that begins, and the seat of `me`: of two, the first that fits `first`."""
        for seat in (0, 1):
            decks = (mine, theirs) if seat == 0 else (theirs, mine)
            game = Game(*decks, [me, agent] if seat == 0 else [agent, me], seed,
                        ruleset or self.choices.ruleset, self.information)
            if begins_as(game, seat, first):
                return game, seat
        raise GameError(say("refused.seed", seed=seed,
                            who=YOU if first == "me" else say("start.agent")))

    def _put_away(self) -> None:
        """Forget tables that nobody looks at, the longest unused first; their games are saved."""
        for number in [*self._tables][:max(0, len(self._tables) - MOST_LOADED)]:
            if self._tables[number].idle:
                del self._tables[number]
