"""Participants of a study at their tables: who has a link plays the games of its code, no others.

Nothing that a participant's page sends names a game, a deck or an agent: the server knows what is
next. What it does is written down (replays/participants.py).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from anyio import to_thread

from hsevo.cards.decks import Deck
from hsevo.config.participants import Block, Design, load_design, with_paths
from hsevo.errors import GameError, HsevoError
from hsevo.play.participants import agent_data, deck_data
from hsevo.replays.participants import Participant, Participants
from hsevo.replays.played import PlayedGames
from hsevo.strength.agents import Agent
from hsevo.strength.games import as_player
from hsevo.texts import say
from hsevo.trust import data
from hsevo.web import efforts
from hsevo.web.choices import Choices
from hsevo.web.guard import REQUESTS, Bucket, same
from hsevo.web.hall import GameHall
from hsevo.web.reasons import Spot, name_at
from hsevo.web.shelf import Shelf
from hsevo.web.table import Chair
from hsevo.web.talk import Act, Acts, Plain, acts_of, spot_of

NOTES = ("look", "choose", "dialog")  # what a page tells of itself: a text, a choice, "give up?"
ADVISER = say("study.adviser")
ACTS = ("move", "hint", "concede")  # are always written
MOST_NOTES = 20_000  # an hour of all else that a page tells or tries; what is beyond is not written


class StudyCondition(NamedTuple):
    """What a block of a design is played with."""

    opponent: Agent
    deck: Deck
    against: Deck
    adviser: Agent | None

    @property
    def digests(self) -> dict[str, str]:
        """Digests of what is played with, by the keys of a block: of an agent, all its numbers; of
        one of Python, its file; "" for no hints. Raises AgentError.
        """
        decks = self.deck, self.against
        contents = {"deck": deck_data(decks[0]), "against": deck_data(decks[1]),
                    "opponent": agent_data(self.opponent.on(decks)[0])}
        if self.adviser:
            contents["hints"] = agent_data(self.adviser.on(decks)[0])
        return {"hints": ""} | {key: _digest(data) for key, data in contents.items()}


class Links:
    """The tokens of participants' links, and their cookies, which last as long as the folder.

    A cookie follows from the token: a server that is started anew knows it.
    """

    asks = False
    closed = say("closed.study")

    def __init__(self, people: Participants) -> None:
        self._of = {hashlib.sha256(f"cookie {participant.token}".encode()).hexdigest(): participant
                    for participant in people.all.values()}
        self._buckets = {cookie: Bucket(*REQUESTS) for cookie in self._of}

    def renew(self) -> None:
        """Do nothing: a link stays as it is."""

    def enter(self, said: str) -> str | None:
        """Return the cookie for a token; None if it is none."""
        return next((cookie for cookie, participant in self._of.items()
                     if same(said, participant.token)), None)

    def who(self, cookie: str) -> Participant | None:
        """Return the participant with a cookie, None if there is none."""
        return next((who for issued, who in self._of.items() if same(cookie, issued)), None)

    def requests(self, cookie: str) -> Bucket | None:
        """Return the request limit of a cookie; None if no participant has it."""
        return next((self._buckets[issued] for issued in self._of if same(cookie, issued)), None)


class LoadedStudy(NamedTuple):
    """A design, the text that is agreed to, and what its conditions are played with, by name."""

    design: Design
    consent: str
    conditions: dict[str, StudyCondition]

    @property
    def digests(self) -> dict[str, dict[str, str]]:
        """What each condition is played with: digests by the keys of its block. Raises AgentError.
        """
        return {name: condition.digests for name, condition in self.conditions.items()}

    def choices(self, folder: Path) -> Choices:
        """Return the decks; participants choose nothing. Raises DeckError if one can't be played.
        """
        decks = [deck for condition in self.conditions.values()
                 for deck in (condition.deck, condition.against)]
        return Choices(Shelf(folder / "decks"), (), decks, self.design.ruleset)


def read_study(source: Path, trust: bool = False) -> LoadedStudy:
    """Read a study. trust: run the files of its Python players.

    Raises ConfigError, AgentError, DeckError, CardError.
    """
    design, consent = load_design(source)
    with data(trust):
        return LoadedStudy(design, consent, {block.condition: condition_of(block)
                                             for block in with_paths(design, source).blocks})


class StudyHall:
    """A study in a folder: its participants, and the tables at which they sit.

    Raises RunError, ConfigError if the folder is of another design.
    """

    def __init__(self, games: PlayedGames, study: LoadedStudy, choices: Choices) -> None:
        self.people = Participants(games, study.design, study.consent, study.digests)
        self.links, self.conditions = Links(self.people), study.conditions
        self.hall = GameHall(games, choices, study.design.information)
        self._beginning = asyncio.Lock()
        # Of each participant, in whatever tabs: a page that is opened again may not tell more.
        self._notes = {code: Bucket(MOST_NOTES / 3600, MOST_NOTES) for code in self.people.all}

    async def begin(self, who: Participant) -> None:
        """Begin a participant's next game, unless one is open.

        Raises GameError after the last, RunError if it can't be written: then the next try goes on.
        """
        async with self._beginning:
            self.people.settle(who)
            if not who.agreed:
                raise GameError(say("study.agree_first"))
            self.people.adopt(who)
            if self.people.is_open(who):
                return
            if who.next is None:
                raise GameError(say("study.all_played"))
            place, condition = len(who.games), self.conditions[who.next.condition]
            number = await self.hall.begin(
                condition.deck, condition.against, condition.opponent, who.next.first,
                self.people.design.seed_of(who.number, place), code=who.code, place=place + 1)
            self.people.begin(who, number, datetime.now(UTC))

    def advisers(self, block: Block) -> list[str]:
        """Return who gives hints in a block: one name, or none."""
        adviser = self.conditions[block.condition].adviser
        return [adviser.name] if adviser else []

    async def chair(self, who: Participant) -> Chair:
        """Return where a participant sits in its last game. Raises GameError if there is none."""
        if not who.games:
            raise GameError(say("study.none_begun"))
        return (await self.hall.table(who.games[-1][0])).chair

    def acts(self, who: Participant, chair: Chair) -> Acts:
        """Return what a participant's page can ask for; all of it is written down."""
        condition = self.conditions[who.blocks[len(who.games) - 1].condition]
        return Noting(self.people, who, chair, self._notes[who.code]).acts(
            acts_of(self.hall, chair, who.code), condition)


class Noting:
    """One page at one game of a participant's: what it asks for, and what is written of it."""

    def __init__(self, people: Participants, who: Participant, chair: Chair,
                 notes: Bucket) -> None:
        self._people, self._who, self._chair = people, who, chair
        self._place, self._bucket = len(who.games), notes

    def acts(self, acts: Acts, condition: StudyCondition) -> Acts:
        """Return the acts of a game that a participant may ask for; each call is noted."""
        allowed = {name: acts[name] for name in ("move", "why", "concede")}
        if condition.adviser is not None:
            allowed["hint"] = partial(self._hint, condition.adviser)
        return {do: partial(self._noted, do, act) for do, act in allowed.items()} | {
            "note": self._note}

    async def _hint(self, adviser: Agent, _: Plain) -> Plain:
        player = as_player(adviser, self._chair.table.decks, self._chair.seat)
        assert player
        return await self._chair.advice(player, self._who.code)

    async def _noted(self, do: str, act: Act, message: Plain) -> Plain | None:
        """Do what is asked for, and write down what came of it."""
        at, turn, words = datetime.now(UTC), self._chair.turn, ""
        if do == "move":
            words = self._chair.words(message.get("move"))
        try:
            answer = await act(message)
        except HsevoError as error:
            await self._write(turn, at, "refused", f"{do}: {error}")
            raise
        except asyncio.CancelledError:  # the page has gone, but a hint was asked for
            await self._write(turn, at, do, words)
            raise
        if do == "why":
            await self._write(turn, at, "illegal", self._tried(message, answer))
        else:
            await self._write(turn, at, do, words or str((answer or {}).get("text", "")))
        return answer

    async def _note(self, message: Plain) -> None:
        """Write down what a page tells of itself. Raises GameError for what is no such thing."""
        what, spot = message.get("what"), spot_of(message.get("at"))
        if what not in NOTES:
            raise GameError(say("refused.no_message"))
        await self._write(self._chair.turn, datetime.now(UTC), str(what),
                          self._name(spot) if spot else "")

    async def _write(self, turn: int, at: datetime, what: str, action: str) -> None:
        if what in ACTS or self._bucket.take():
            await to_thread.run_sync(self._people.click, self._who, self._place, turn, at, what,
                                     action)

    def _tried(self, message: Plain, answer: Any) -> str:
        """Return the illegal action that was tried, and the reason."""
        spots = [spot_of(message.get(name)) for name in ("from", "to")]
        names = " at ".join(self._name(spot) for spot in spots if spot)
        return f"{names}: {answer['why']}" if names else str(answer["why"])

    def _name(self, spot: Spot) -> str:
        return name_at(self._chair.state["view"], self._chair.table.ruleset, spot)


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def condition_of(block: Block) -> StudyCondition:
    """Return what a block is played with. Raises AgentError, DeckError."""
    opponent = Agent(block.opponent)
    named = Agent(opponent, block.called) if block.called else opponent
    adviser = Agent(block.hints) if block.hints else None
    if adviser:
        efforts.check(adviser)
    if adviser and block.called:  # its name would tell what the other name hides
        adviser = Agent(adviser, ADVISER)
    return StudyCondition(named, Deck(block.deck), Deck(block.against), adviser)
