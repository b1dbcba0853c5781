"""All games and matches of a folder: new ones, and those that somebody goes on with.

An exercise at a table of its own: the position, the human's moves, and how good they were.

Until it is solved, or its answer is asked for, nothing of the answer is sent; and never what the
player could not know in the game: what is hidden is dealt anew for each page that opens it, so that
who tries a move, and draws, learns nothing of the game. The first try on a page counts.

Positions that are built on the page: read, drawn, and analysed, one after the other.

What a browser sends is JSON as docs/pages/reference/position.md has it; a deck list that is a text
there is one that the page offers, never a file.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import pandas as pd
from anyio import to_thread

from hsevo.api.agents import Agent
from hsevo.api.analysing import analyse
from hsevo.api.best_lines import BestLines
from hsevo.api.decks import Deck
from hsevo.api.exercising import cost_of
from hsevo.api.games import Game, as_player
from hsevo.cards import decks as plain
from hsevo.errors import ConfigError, GameError, RunError, printable, quoted
from hsevo.play.position import Position
from hsevo.play.session import Seat, Session
from hsevo.replays.exercises import Drill, Drills, Exercise, dealt, may_be_best, now
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
from hsevo.replays.wording import YOU, yours
from hsevo.texts import say
from hsevo.web import efforts, frames
from hsevo.web.choices import Choices
from hsevo.web.duels import FIRST, Duels, begins_as
from hsevo.web.frames import Teller
from hsevo.web.mistakes import Analyst
from hsevo.web.reasons import Spot, why
from hsevo.web.results import Results
from hsevo.web.searching import Desk, Improver, ThreadSearch, workers
from hsevo.web.table import Chair, GameTable, Listener, told
from hsevo.web.threads import Threads

Plain: TypeAlias = dict[str, Any]
UNSEEN = ("hand", "choice")  # zones to which cards come from the deck


class Practice:
    """One page at one exercise. opponent: its name. note: called with whether it was solved.

    cost: what a move costs that was not compared, by its text: it is played on, which takes long.
    seed: of what is hidden.
    """

    def __init__(self, drill: Drill, opponent: str, note: Callable[[bool], None],
                 cost: Callable[[str], dict[str, float]], seed: int,
                 threads: Threads) -> None:
        self._listeners = set[Listener]()
        self._exercise, self._opponent, self._note = drill.exercise, opponent, note
        self._cost, self._threads, self._lock, self._told = cost, threads, asyncio.Lock(), 0
        self._who = ""
        self._game = Session.at(dealt(drill.exercise.position, seed))
        self._seat, self._ruleset = self._game.player, self._game.setting.ruleset
        names = (YOU, opponent) if self._seat == 0 else (opponent, YOU)
        self._teller = Teller(names, self._ruleset)
        self._teller.meet_view(self._game.view(self._seat))
        self._tried = False  # so that nothing counts any more
        self.state = self._frame()

    @property
    def whole(self) -> Plain:
        """The first frame."""
        return self.state | {"events": [], "log": [], "past": []}

    async def come(self, listener: Listener, who: str) -> None:
        """Take a page in."""
        self._listeners.add(listener)
        self._who = who

    async def go(self, listener: Listener) -> None:
        """Let a page go."""
        self._listeners.discard(listener)

    async def move(self, move: int, at: int) -> None:
        """Judge a move; of a lethal, make it, and judge when the turn is over.

        at: how many moves the page has seen. Raises GameError, and changes nothing.
        """
        if self._lock.locked():  # which may take long
            raise GameError(say("refused.judging"))
        async with self._lock:
            if at != len(self._game.history):
                raise GameError(say("refused.exercise_went_on"))
            made = next((one for one in self._game.moves if one.index == move), None)
            if made is None or not self.state["moves"]:
                raise GameError(say("refused.not_legal"))
            if self._exercise.ask == "move":
                cost = await self._threads.hints.run(
                    self._who, lambda: self._exercise.cost(made.text) or self._cost(made.text))
                await self._tell(await self._run(lambda: self._judged(made.text, cost)))
                return
            verdict = await self._run(lambda: self._play(move))
            await self._tell(self.state)
            if verdict:
                await self._tell(verdict)

    async def answer(self) -> Plain:
        """Return the answer; whoever asks for it first has not solved it."""
        async with self._lock:
            found: Plain = await self._run(lambda: self._verdict(None, ""))
            return found

    def why(self, source: Spot | None, target: Spot | None) -> str:
        """Return why no legal move is made with `source` at `target`."""
        return why(self.state["view"], self._opponent, self._ruleset, source, target)

    def _judged(self, text: str, cost: dict[str, float]) -> Plain:
        """Return how good a move is that costs so much."""
        one = self._exercise
        solved, same = may_be_best(cost), text == one.moves["move"].iloc[0]
        if solved:
            says = say("verdict.same" if same else "verdict.as_good", agent=one.agent)
        else:
            says = say("verdict.yours" if text == one.made[0] else "verdict.worse")
        return self._verdict(solved, says, text, cost)

    def _verdict(self, solved: bool | None, says: str, text: str = "",
                 cost: dict[str, float] | None = None) -> Plain:
        """Return what the page is told, and note how it went. solved: None if it was given up."""
        if solved and self._tried:
            says = f"{says} {say('verdict.first_counts')}"
        if not self._tried:
            self._note(bool(solved))
        self._tried, shown = True, solved is not False
        return {"kind": "verdict", "solved": solved, "says": says, "move": text, "cost": cost,
                "answer": _answer(self._exercise) if shown else None}

    def _play(self, move: int) -> Plain | None:
        """Make a move, and return the verdict if the turn is over, which is noted first."""
        game, verdict = self._game.copy(), None
        game.play(move)
        if game.over or game.player != self._seat:
            solved = game.winner == self._seat
            verdict = self._verdict(solved, say("verdict.won" if solved else "verdict.not_won"))
        self._game = game
        self.state = self._frame()
        return verdict

    def _frame(self) -> Plain:
        found = frames.frame(self._game, self._seat, self._teller, self._told)
        self._told = len(self._game.events)
        return found | {"thinks": False}

    async def _run(self, act: Callable[[], Any]) -> Any:
        return await to_thread.run_sync(act, limiter=self._threads.quick)

    async def _tell(self, message: Plain) -> None:
        for listener in [*self._listeners]:
            await listener(message)


def _answer(one: Exercise) -> Plain:
    """Return the answer of an exercise as the page shows it: the analyst's move first."""
    rows = one.moves.to_dict("records")
    return {"made": [yours(text) for text in one.made],
            "line": [yours(text) for text in _known(one)], "agent": one.agent,
            "games": one.games, "moves": [row | {
                "text": yours(row["move"]), "yours": row["move"] in one.made}
                for row in [*rows[:1], *sorted(rows[1:], key=lambda row: row["loss"])]]}


def _known(one: Exercise) -> list[str]:
    """Return the line of an exercise up to the first card that its player had yet to see."""
    game, line = Session.at(one.position), list[str]()
    held = {card["card"] for card in game.view(game.player)["me"]["hand"]}
    for text in one.line:
        move = next((move for move in game.moves if move.text == text), None)
        if move is None or (move.source and move.source.zone in UNSEEN
                            and move.source.card not in held):
            return [*line, say("verdict.drawn")]
        line.append(text)
        game.play(move)
    return line


GAMES = (50, 100, 400)  # that are played on after each move
LINES = 5
SECONDS = 30.0  # after which no more games begin: the page answers by those that were played
OPPONENT = say("position.opponent")


def read(data: Any, choices: Choices) -> Position:
    """Return the position of a page. Raises ConfigError, CardError, DeckError."""
    if not isinstance(data, Mapping):
        raise ConfigError(say("refused.no_position"))
    found = Position({"ruleset": choices.ruleset} | dict(data), say("position.the_position"),
                     lambda words: choices.deck(words).plain)
    if found.ruleset != choices.ruleset:
        raise ConfigError(say("refused.other_ruleset", ruleset=found.ruleset,
                              here=choices.ruleset))
    return found


def before(chair: Chair, step: int) -> Position:
    """Return the position before a move of a game that is over. Raises GameError."""
    game = chair.table.copy()
    if not game.over:  # of a game that was given up, hands stay hidden
        raise GameError(say("refused.again_when_over"))
    return game.before(step).position()


def drawn(position: Position) -> dict[str, Any]:
    """Return the first frame of a game that begins at a position, as its player to move sees it."""
    game = Session.at(position)
    names = (YOU, OPPONENT) if position.player == 0 else (OPPONENT, YOU)
    return frames.frame(game, position.player, Teller(names, position.ruleset), 0)


class Adviser:
    """Looks for the best lines at positions in a thread, for one page after the other."""

    def __init__(self, choices: Choices) -> None:
        self.choices, self._desk = choices, Desk("lines")

    def begin(self, wish: Mapping[str, Any]) -> ThreadSearch:
        """Begin to look.

        wish: position, games (of GAMES). Raises ConfigError, CardError, DeckError; GameError if
        somebody is being answered.
        """
        position, games = read(wish.get("position"), self.choices), wish.get("games")
        if type(games) is not int or games not in GAMES:
            raise ConfigError(say("refused.one_of", what="games", value=printable(games),
                                  known=", ".join(map(str, GAMES))))

        def look(progress: Any) -> dict[str, Any]:
            return _plain(analyse(position, games=games, lines=LINES, seconds=SECONDS,
                                  workers=workers(), progress=progress))
        return self._desk.begin(look)

    def stop(self) -> None:
        """End what is being looked for, as the server ends."""
        self._desk.stop()


def _plain(found: BestLines) -> dict[str, Any]:
    """Return what was found as the page shows it."""
    chance = found.chance
    names = ("chance", "chance_low", "chance_high", "behind", "behind_low", "behind_high")
    rows = [{"line": [yours(text) for text in row["line"]], "own": bool(row["own"]),
             **{name: float(row[name]) for name in names}}
            for row in found.lines.to_dict("records")]
    title = str(found.position)
    if found.games < found.wanted:
        title = say("lines.time_up", title=title, games=found.games, of=found.wanted)
    return {"title": title, "agent": found.agent, "games": found.games,
            "chance": [chance.value, chance.low, chance.high], "lines": rows,
            "lethal": {"answer": found.lethal, "least": found.lethal_least,
                       "line": [yours(text) for text in found.lethal_line]}}


MOST_LOADED = 256  # tables that nobody looks at are put away beyond that
MOST_OPEN = 1000  # games that are not finished


class NotSeated(GameError):
    """Somebody asked for the game of two others."""


class GameHall:
    """The tables of one folder of games, and what new games can be made of.

    watch: the names of two agents whose games are watched; the first has the human's place.
    results: what else is shown.
    """

    def __init__(self, games: PlayedGames, choices: Choices, information: str = "fair",
                 watch: Sequence[str] = (), results: Results | None = None) -> None:
        self.games, self.choices, self.information = games, choices, information
        self.watch, self.results = watch, results or Results()
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

        first: one of FIRST. ruleset: default: the server's. more: of Games.new. Raises AgentError,
        ConfigError, GameError, RunError.
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
        games = [MatchGame(*one, self.games.of(one[0]).result) for one in match.games]
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
        found = (await self.table(number)).chair_of(person)
        if found is None:
            raise NotSeated(say("refused.two_others"))
        return found

    def told(self, person: str) -> list[GameFacts]:
        """Return the facts of all games that a person may know of, as they are told, newest first.

        These are the games with agents, and those with other people in which the person sits.
        """
        found = []
        for one in self.games.facts[::-1]:
            seat = one.seat_of(person)
            if seat is not None:
                found.append(told(one.of(seat)))
            elif not one.is_duel:
                found.append(one)
        return found

    async def has_exercises(self, person: str) -> bool:
        """Return whether there is something to see on the page of a person's exercises."""
        there = self._played_by(person)
        return self.drills.any(there) or await to_thread.run_sync(self.judged.any, there)

    async def exercises(self, person: str) -> list[tuple[Drill, GameFacts]]:
        """Return the exercises made of a person's games, with these games.

        Raises RunError, ConfigError for damaged files.
        """
        found = await to_thread.run_sync(lambda: [*self.drills], limiter=self._threads.quick)
        there = self._played_by(person)
        return [(one, there[one.game]) for one in found if one.game in there]

    async def next_exercise(self, person: str, but: tuple[int, int]) -> Drill | None:
        """Return what a person is to try after an exercise; None if nothing is. Raises as those."""
        there = self._played_by(person)
        found: Drill | None = await to_thread.run_sync(
            lambda: self.drills.next(now(), but, there), limiter=self._threads.quick)
        return found

    async def mistakes(self, person: str) -> pd.DataFrame:
        """Return what decisions cost in those of a person's games whose mistakes were found.

        Raises RunError for damaged files.
        """
        there = self._played_by(person)
        found: pd.DataFrame = await to_thread.run_sync(lambda: self.judged.of(there),
                                                       limiter=self._threads.quick)
        return found

    def _played_by(self, person: str) -> dict[int, GameFacts]:
        """Return the games of a person with agents, and those of which nobody knows whose they are.
        """
        return {one.number: one for one in self.games.facts
                if not one.is_duel and one.owner in (person, "")}

    def exercise(self, number: int, place: int, person: str) -> tuple[Drill, GameFacts]:
        """Return an exercise made of a person's game, with this game.

        Raises NotThere for another person's, too; RunError, ConfigError for damaged files.
        """
        facts = self._played_by(person).get(number)
        if facts is None:
            raise NotThere(f"no game {number} of who asks")
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
        return player

    def _line_up(self, words: object) -> list[plain.Deck]:
        """Return the decks of a line-up as a browser names them. Raises DeckError, GameError."""
        if not isinstance(words, list) or len(words) != DECKS:
            raise GameError(say("refused.line_up", n=DECKS))
        return [self.choices.deck(one).plain for one in words]

    def _sit(self, game: Game, seat: int, **more: Any) -> int:
        """Save a game that begins, and return its number. more: of Games.new."""
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
        if sum(one.result == OPEN for one in self.games.facts) >= MOST_OPEN:
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
