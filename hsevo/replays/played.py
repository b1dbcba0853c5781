"""A folder of games that people play, each in a file that is written after every move.

    play.yaml           what the folder is
    agents/DIGEST.json  an agent with all its numbers, once for all games
    games/0001.json     a game: decks, seed, moves, and how it stands
    decks/NAME.txt      a deck that was built on the page (hsevo/web/shelf.py)
    matches/0001.json   a match of line-ups (matches.py)
    invitations/K7MQX2.json  to a game between two people (invitations.py)
    exercises/0001.json exercises made of a game's mistakes (exercises.py)

A killed program loses no move: `PlayedGames(path).load(1)` plays the moves again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TypedDict, Unpack

import pandas as pd

from hsevo.errors import ConfigError, GameError, RunError, quoted
from hsevo.files import check_path, inside, lock, undamaged, writing
from hsevo.play.participants import MOST_BYTES
from hsevo.play.session import Session
from hsevo.replays.cabinet import Cabinet, as_json, numbered
from hsevo.store.kinds import About

ABOUT = About("play.yaml", "hsevo play")
FORMAT = "hsevo played game"
HUMAN, GUEST = "human", "human-2"  # the names of humans; GUEST: who was invited by another one
OPEN, WON, DRAWN, LOST = "open", "won", "drawn", "lost"  # how a game stands, for the human
MIRRORED = {OPEN: OPEN, WON: LOST, DRAWN: DRAWN, LOST: WON}  # for the other player
POINTS = {WON: 1.0, DRAWN: 0.5, LOST: 0.0}
DIGEST = re.compile(r"[0-9a-f]{16}")  # the name of an agent's file
MOST_GAME = 2**20  # bytes of a game's file


class NotThere(RunError):
    """A folder has no game, exercise or match of a number."""


@dataclass(frozen=True)
class GameFacts:
    """What is known of a game without playing it again.

    number: from 1. seat: of the human, 0 or 1. result: OPEN, WON, DRAWN or LOST, for the human.
    conceded: it gave the game up. begun: UTC, ISO 8601. built: it began at a position. hinted: an
    agent was asked for a hint. ruleset, information: of the game. repeat: an earlier game of the
    folder had the same seed, and so, with the same decks, the same cards.

    owner: a digest of what the browser shows (see web/persons.py) in which somebody plays in
    `seat`; "" if it showed nothing, or two agents play.

    Of a game between two people, the human is the one that invited, the agent the one that came;
    opponent_conceded: that one gave it up. guest: as owner, of the other one. invitation: its code.
    Of any other game these are empty.

    code, place: of a game of a study, its participant, and which of its games it is, from 1; else
    "" and 0.
    """

    number: int
    begun: str
    seat: int
    human: str
    agent: str
    deck: str  # the human's
    against: str  # the agent's deck
    turns: int = 0
    result: str = OPEN
    conceded: bool = False
    built: bool = False
    hinted: bool = False
    ruleset: str = "cig2018"
    information: str = "fair"
    repeat: bool = False
    opponent_conceded: bool = False
    owner: str = ""
    guest: str = ""
    invitation: str = ""
    code: str = ""
    place: int = 0

    @property
    def is_duel(self) -> bool:
        """Whether two people play it."""
        return bool(self.guest)

    @property
    def given_up_by(self) -> int | None:
        """The seat that gave it up, None if nobody did."""
        return self.seat if self.conceded else 1 - self.seat if self.opponent_conceded else None

    @property
    def person(self) -> str:
        """Who plays it as the human, "" if nobody knows: a study's participant, or an owner."""
        return self.code or self.owner

    def seat_of(self, person: str) -> int | None:
        """Return where a person sits in a game between two people, None if nowhere."""
        seats = {self.owner: self.seat, self.guest: 1 - self.seat} if self.is_duel else {}
        return seats.get(person)

    def of(self, seat: int) -> GameFacts:
        """Return the same facts with who sits there as the human."""
        return self if seat == self.seat else replace(
            self, seat=seat, human=self.agent, agent=self.human, deck=self.against,
            against=self.deck, result=MIRRORED[self.result], conceded=self.opponent_conceded,
            opponent_conceded=self.conceded, owner=self.guest, guest=self.owner)


class PeopleFields(TypedDict, total=False):
    """Whose a game is: facts of `GameFacts` that are known when it begins."""

    owner: str
    guest: str
    invitation: str
    code: str
    place: int


class SavedGame(NamedTuple):
    """What a game's file holds: its facts, and the game as Session.save makes data of it."""

    facts: GameFacts
    game: Any

    @property
    def seed(self) -> int:
        """The seed of the game."""
        seed: int = self.game["seed"]
        return seed


class PlayedGames:
    """The folder, opened to play in it: made if it is not there, and locked until `close`.

    Raises RunError if it is another folder, in use, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._agents: dict[int, list[str | None]] = {}  # digests of both players, by game
        self._saving, self._closed = Lock(), False
        check_path(path)
        if not is_folder(path):
            _make(path)
        self._lock = lock(path)
        try:
            if not is_folder(path):
                ABOUT.write(path, {})
            ABOUT.read(path)
            with writing(path):
                for name in ("games", "agents"):
                    (path / name).mkdir(exist_ok=True)
            self._games, self._players = _games(path), _agents(path)
            entries = [*_all(path)]
            self._facts = {game.number: game for game, _ in entries}
            self._seeds = {seed for _, seed in entries}
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let other programs use the folder. What an agent still thinks out is not saved."""
        with self._saving:
            self._closed = True
            self._lock.release()

    @property
    def facts(self) -> list[GameFacts]:
        """What is known of all games, the oldest first."""
        return [self._facts[number] for number in sorted(self._facts)]

    def of(self, number: int) -> GameFacts:
        """Return what is known of a game. Raises RunError if there is no such."""
        if number not in self._facts:
            raise NotThere(f"{self.path} has no game {number}")
        return self._facts[number]

    def new(self, begun: str, seat: int, game: Session, **of: Unpack[PeopleFields]) -> GameFacts:
        """Add a game that begins, and return its facts. of: whose it is. Raises RunError."""
        decks, names = game.setting.decks, [player.name for player in game.players]
        facts = GameFacts(
            max(self._facts, default=0) + 1, begun, seat, names[seat], names[1 - seat],
            decks[seat].name, decks[1 - seat].name, built=game.start is not None,
            ruleset=game.setting.ruleset, information=game.setting.information,
            repeat=game.seed in self._seeds, **of)
        saved = self.save(facts, game)
        self._seeds.add(game.seed)  # after it was written: who tries again repeats nothing
        return saved

    def save(self, facts: GameFacts, game: Session) -> GameFacts:
        """Write a game as it stands now, and return its facts. Raises RunError."""
        now = standing(facts, game)
        data = game.save()
        agents = self._agents.get(now.number)  # a player stays the same: written once
        if agents is None:
            agents = [player["agent"] and self._keep(player["agent"])
                      for player in data["players"]]
        for player, digest in zip(data["players"], agents, strict=True):
            player["agent"] = digest
        with self._saving:
            if self._closed:
                raise RunError(f"{self.path} was closed")
            self._games.put(numbered(now.number), SavedGame(now, data))
        # After it was written: the number of a game that could not begin goes to the next one.
        self._facts[now.number], self._agents[now.number] = now, agents
        return now

    def drop(self, number: int) -> None:
        """Forget a game that has just begun. Raises RunError."""
        self._games.drop(numbered(number))
        del self._facts[number], self._agents[number]

    def load(self, number: int) -> Session:
        """Return a game as it stands. Raises RunError, GameError."""
        return load(self.path, self.of(number).number)

    def written(self, number: int) -> datetime:
        """Return when a game was saved last (UTC): its last move, or when it was given up."""
        file = self._games.file(numbered(number))
        with writing(file):
            return datetime.fromtimestamp(file.stat().st_mtime, UTC)

    def _keep(self, agent: dict[str, Any]) -> str:
        """Write an agent, unless it is there, and return its digest."""
        digest = hashlib.sha256(json.dumps(agent).encode()).hexdigest()[:16]
        if digest not in self._players:
            self._players.put(digest, agent)
        return digest


def standing(facts: GameFacts, game: Session) -> GameFacts:
    """Return a game's facts as it stands now."""
    result = OPEN
    if facts.given_up_by is not None:
        result = LOST if facts.conceded else WON
    elif game.over:
        result = DRAWN if game.winner is None else WON if game.winner == facts.seat else LOST
    return replace(facts, turns=min(game.turn, game.setting.max_turns), result=result)


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder of games that people play. Raises RunError."""
    check_path(path / ABOUT.name)
    return (path / ABOUT.name).is_file()


def facts(path: Path) -> list[GameFacts]:
    """Return what is known of all games of a folder, the oldest first.

    Raises RunError if it is not such a folder, or is damaged.
    """
    check_path(path)
    if not is_folder(path):
        raise RunError(f"{path} has no games of hsevo play")
    ABOUT.read(path)
    return [game for game, _ in _all(path)]


def table(path: Path) -> pd.DataFrame:
    """Return the finished games of a folder as `hsevo replay --list` shows them: a is the human.

    Columns: number, a, b, deck_a, deck_b, games, wins_a, wins_b, draws, turns. Raises RunError.
    """
    rows = [{"number": game.number, "a": game.human, "b": game.agent, "deck_a": game.deck,
             "deck_b": game.against, "games": 1, "wins_a": int(game.result == WON),
             "wins_b": int(game.result == LOST), "draws": int(game.result == DRAWN),
             "turns": game.turns} for game in facts(path) if game.result != OPEN]
    if not rows:
        raise RunError(f"{path} has no finished game yet")
    return pd.DataFrame(rows)


def shared(path: Path) -> bool:
    """Return whether a folder has games of several people with agents. Raises RunError."""
    return is_folder(path) and len({game.person for game in facts(path)
                                    if game.person and not game.is_duel}) > 1


def fitting(path: Path, a: str | None = None, b: str | None = None, deck_a: str | None = None,
            deck_b: str | None = None, result: str | None = None,
            longest: bool = False) -> pd.DataFrame:
    """Return the finished games that fit, as `hsevo.replay` of other folders does: a is the human.

    a, b, deck_a, deck_b: parts of names. Raises RunError.
    """
    rows = table(path)
    for column, part in (("a", a), ("b", b), ("deck_a", deck_a), ("deck_b", deck_b)):
        if part is not None:
            rows = rows[rows[column].str.contains(part, regex=False)]
    if result is not None:
        rows = rows[rows[_column(result)] > 0]
    if longest:
        rows = rows.sort_values("turns", ascending=False, kind="stable")
    return rows.reset_index(drop=True)


def find(path: Path, part: int | None, **which: Any) -> int:
    """Return the number of one of the games that fit, by default of the last. Raises RunError."""
    rows = fitting(path, **which)
    at = len(rows) - 1 if part is None else part
    if rows.empty:
        raise RunError(f"{path} has no such game; list its games with hsevo replay FOLDER --list")
    if not 0 <= at < len(rows):
        raise RunError(f"there is no part {at}: {len(rows):,} games fit, 0 to {len(rows) - 1}; list"
                       " them with --list")
    return int(rows["number"][at])


def load(path: Path, number: int) -> Session:
    """Return a game of a folder as it stands, by playing its moves again; raises as `read`."""
    return read(path, number)[1]


def read(path: Path, number: int) -> tuple[GameFacts, Session]:
    """Return a game of a folder as it stands, by playing its moves again, and its facts.

    Raises RunError if its files are damaged, GameError if they lead to another position.
    """
    games, agents = _games(path), _agents(path)
    known, game = games.of(numbered(number))
    file = games.file(numbered(number))
    with undamaged(file):
        for player in game["players"]:
            if (digest := player["agent"]) and not DIGEST.fullmatch(digest):
                raise LookupError(f"{digest} is not an agent")
            player["agent"] = digest and agents.of(digest)
    try:
        return known, Session.load(game)
    except GameError as error:
        raise GameError(f"{file}: {error}") from None


def _make(path: Path) -> None:
    with writing(path):
        if path.exists() and (not path.is_dir() or any(inside(path))):
            raise RunError(f"{path} is not a folder of hsevo play; choose another folder")
        path.mkdir(parents=True, exist_ok=True)


def _column(result: str) -> str:
    """Return the column that counts a result of a's. Raises ConfigError."""
    columns = {"won": "wins_a", "lost": "wins_b", "drawn": "draws"}
    if result not in columns:
        raise ConfigError(f"result is {quoted(result)}, but must be one of {', '.join(columns)}")
    return columns[result]


def _games(path: Path) -> Cabinet[SavedGame]:
    """Return the games of a folder; they are large, so none is kept in memory."""
    return Cabinet(path / "games", _game_of, _content, MOST_GAME, keeps=False)


def _agents(path: Path) -> Cabinet[Any]:
    """Return the agents of a folder, by their digests."""
    return Cabinet(path / "agents", lambda agent, name: agent,
                   lambda agent: json.dumps(agent).encode(), MOST_BYTES, DIGEST, keeps=False)


def _game_of(data: Any, name: str) -> SavedGame:
    """Return the game of a file's data."""
    game, facts = data["game"], GameFacts(**data["facts"])
    if name != numbered(facts.number):
        raise ValueError(f"it is game {facts.number}")
    hash(game["seed"])  # which is looked up
    return SavedGame(replace(facts, ruleset=str(game["ruleset"]),
                             information=str(game["information"])), game)


def _content(saved: SavedGame) -> bytes:
    return as_json({"format": FORMAT, "facts": asdict(saved.facts), "game": saved.game})


def _all(path: Path) -> Iterator[tuple[GameFacts, int]]:
    """Yield the facts of all games of a folder, the oldest first, and their seeds."""
    seen = set[int]()
    for game in _games(path):
        yield replace(game.facts, repeat=game.seed in seen), game.seed
        seen.add(game.seed)
