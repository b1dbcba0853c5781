"""What is kept of participants, next to their games, in a folder of `hsevo play --participants`.

    design.yaml   the design, with every key; consent.txt what was agreed to
    conditions.json  digests of the decks and agents that each condition is played with
    codes.csv     each participant's code, the order of its conditions, and the token of its link
    links.csv     each participant's link, as the server was started last
    steps.csv     when it agreed, and when each of its games began: where it continues
    games.csv     a row for each game that is over
    clicks.csv    a row for all that was done in a game

No address, no name and nothing of a browser is written. Times are UTC. A server that is killed, or
whose disk is full, loses no more than what a page was telling: a game says itself whose it is, and
what the tables lack of it is added when the folder is opened again.
"""

from __future__ import annotations

import csv
import io
import json
import os
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from hsevo import __version__
from hsevo.config.participants import Block, Design
from hsevo.config.reading import check, dump, parse
from hsevo.engine.jit import fingerprint
from hsevo.errors import FORMULA, ConfigError, RunError, brief, quoted
from hsevo.files import (
    append,
    check_regular,
    read_json,
    read_text,
    refuse_link,
    undamaged,
    write_whole,
    writing,
)
from hsevo.play.session import Session
from hsevo.replays.played import OPEN, GameFacts, PlayedGames

MOST_TABLE, MOST_LINE = 2**30, 2**16  # bytes
DESIGN, CONSENT, LINKS = "design.yaml", "consent.txt", "links.csv"
CONDITIONS = "conditions.json"
CODES = ("code", "order", "token")
STEPS = ("code", "place", "game", "seed", "time")  # place 0: it agreed
GAMES = ("code", "place", "condition", "opponent", "deck", "against", "seed", "first", "result",
         "conceded", "turns", "begin", "end", "seconds", "game")
CLICKS = ("code", "place", "game", "turn", "ms", "what", "action")
TABLES = {"steps.csv": STEPS, "games.csv": GAMES, "clicks.csv": CLICKS}
OWNER = 0o600  # a file that nobody else on the machine may read: who has a token plays as its code


@dataclass
class Participant:
    """One of them: its code, token, the blocks of its games, and the games that began so far.

    number: from 0. games: of each its number in the folder, and when it began.
    """

    number: int
    code: str
    token: str
    blocks: Sequence[Block]
    agreed: bool = False
    games: list[tuple[int, datetime]] = field(default_factory=list)

    @property
    def next(self) -> Block | None:
        """The block of its next game, None after the last."""
        return self.blocks[len(self.games)] if len(self.games) < len(self.blocks) else None


class Participants:
    """All of a folder. played: for each condition the digests of what it is played with, by key.

    Raises RunError for damaged files, ConfigError for those of another design, or if a deck, an
    agent or the engine is another one than when the study began.
    """

    def __init__(self, games: PlayedGames, design: Design, consent: str,
                 played: Mapping[str, Mapping[str, str]]) -> None:
        self.games, self.path, self.design, self.consent = games, games.path, design, consent
        self._lock, self._late = Lock(), list[Sequence[Any]]()  # clicks that could not be written
        if games.facts and not (self.path / DESIGN).exists():
            raise ConfigError(f"{self.path} has games that belong to no study; choose another"
                              " --out")
        _keep(self.path / DESIGN, dump(design))
        if consent:
            _keep(self.path / CONSENT, consent)
        _pin(self.path / CONDITIONS, design, played)
        tokens = _tokens(self.path / "codes.csv", design)
        self.all = {code: Participant(number, code, tokens[code], design.games_of(number),
                                      agreed=not consent)
                    for number, code in enumerate(design.codes)}
        for name, columns in TABLES.items():
            _mend(self.path / name, columns)
        self._go_on()

    def write_links(self, links: Mapping[str, str]) -> None:
        """Write the link of each code."""
        _write_private(self.path / LINKS, [("code", "link"), *links.items()])

    def agree(self, who: Participant) -> None:
        """Note that a participant agreed."""
        if not who.agreed:
            self._add("steps.csv", [[who.code, 0, 0, 0, _text(datetime.now(UTC))]])
            who.agreed = True

    def begin(self, who: Participant, game: int, begun: datetime) -> None:
        """Note that a participant's next game began, and when (UTC); game: its number."""
        place = len(who.games) + 1
        seed = self.design.seed_of(who.number, place - 1)
        self._add("steps.csv", [[who.code, place, game, seed, _text(begun)]])
        who.games.append((game, begun))

    def adopt(self, who: Participant) -> None:
        """Note a participant's next game if it was saved, and the server then stopped."""
        saved = next((game for game in self.games.facts
                      if (game.code, game.place) == (who.code, len(who.games) + 1)), None)
        if saved:
            self.begin(who, saved.number, datetime.fromisoformat(saved.begun))

    def click(self, who: Participant, place: int, turn: int, at: datetime, what: str,
              action: str) -> None:
        """Note what was done in a participant's game number `place`, from 1, and when (UTC).

        What can't be written is, with the next one. Raises RunError.
        """
        game, begun = who.games[place - 1]
        ms = round((at - begun).total_seconds() * 1000)
        with self._lock:
            self._late.append([who.code, place, game, turn, ms, what, action])
        self._add("clicks.csv", self._late)

    def settle(self, who: Participant) -> None:
        """Write the row of a participant's last game, once it is over. Raises RunError."""
        place = len(who.games)
        if place and (who.code, place) not in self._settled:
            facts = self.games.of(who.games[-1][0])
            if facts.result != OPEN:
                self._add("games.csv", [self._row(who, facts)])
                self._settled.add((who.code, place))

    def is_open(self, who: Participant) -> bool:
        """Return whether a game of a participant is not over."""
        return bool(who.games) and self.games.of(who.games[-1][0]).result == OPEN

    def _row(self, who: Participant, facts: GameFacts) -> list[Any]:
        """Return the row of a finished game. It ended when its file was written last."""
        place, block, begun = len(who.games), who.blocks[len(who.games) - 1], who.games[-1][1]
        ended = self.games.written(facts.number)
        return [who.code, place, block.condition, block.opponent, block.deck, block.against,
                self.design.seed_of(who.number, place - 1), block.first, facts.result,
                int(facts.conceded), facts.turns, _text(begun), _text(ended),
                f"{(ended - begun).total_seconds():.3f}", facts.number]

    def _go_on(self) -> None:
        """Take up where the folder's tables end."""
        with undamaged(self.path, "", csv.Error):
            for row in read(self.path / "steps.csv"):
                who = self.all[row["code"]]
                who.agreed = True
                if int(row["place"]):
                    number = self.games.of(int(row["game"])).number
                    who.games.append((number, datetime.fromisoformat(row["time"])))
            self._settled = {(row["code"], int(row["place"]))
                             for row in read(self.path / "games.csv")}
        for who in self.all.values():
            self.adopt(who)
        self._add_moves()
        for who in self.all.values():
            self.settle(who)

    def _add_moves(self) -> None:
        """Add the clicks of moves that were saved before their server was killed.

        They have the time at which their game was saved last.
        """
        last = {(who.code, str(len(who.games))): who for who in self.all.values()
                if who.games and (who.code, len(who.games)) not in self._settled}
        if not last:
            return
        with undamaged(self.path / "clicks.csv", "", csv.Error):
            written = Counter((row["code"], row["place"], row["what"])
                              for row in rows(self.path / "clicks.csv")
                              if (row["code"], row["place"]) in last)
        for (code, place), who in last.items():
            number, facts = who.games[-1][0], self.games.of(who.games[-1][0])
            game, at = self.games.load(number), self.games.written(number)
            for turn, text in _moves(game, facts.seat)[written[code, place, "move"]:]:
                self.click(who, int(place), turn, at, "move", text)
            if facts.conceded and not written[code, place, "concede"]:
                self.click(who, int(place), game.turn, at, "concede", "")

    def _add(self, name: str, lines: list[Sequence[Any]]) -> None:
        """Move rows to a table, all of them or none. Raises RunError."""
        path = self.path / name
        with self._lock, writing(path):
            size = path.stat().st_size
            try:
                append(path, b"".join(_line([*map(_cell, line)]) for line in lines))
            except RunError:
                with suppress(OSError):  # what a full disk took of it
                    os.truncate(path, size)
                raise
            lines.clear()


def played_out(path: Path) -> bool:
    """Return whether all games of a study's folder are over. Raises RunError, ConfigError."""
    design = check(Design, parse(read_text(path / DESIGN), DESIGN), DESIGN)
    with undamaged(path / "games.csv", "", csv.Error):
        return sum(1 for _ in rows(path / "games.csv")) >= design.games * len(design.codes)


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of one of the tables. Raises RunError."""
    return [*csv.DictReader(io.StringIO(read_text(path, MOST_TABLE)))]


def rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a table, which need not fit the memory.

    Raises RunError; csv.Error or ValueError if it is damaged.
    """
    check_regular(path)
    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def _moves(game: Session, seat: int) -> list[tuple[int, str]]:
    """Return the moves of a seat in a game, each with its turn, in words."""
    replayed, moves = game.beginning(), []
    for move in game.history:
        if replayed.player == seat:
            moves.append((replayed.turn, move.text))
        replayed.play(move.index)
    return moves


def _pin(path: Path, design: Design, played: Mapping[str, Mapping[str, str]]) -> None:
    """Write what the conditions are played with. Raises ConfigError if that was something else."""
    now = {"hsevo": __version__, "engine": fingerprint(), "conditions": played}
    if not path.exists():
        write_whole(path, (json.dumps(now, indent=1) + "\n").encode())
        return
    with undamaged(path):
        then = read_json(path)
        engine, hsevo, stored = then["engine"], brief(then["hsevo"]), then["conditions"]
        changed = [(block, key) for block in design.blocks
                   for key, digest in played[block.condition].items()
                   if stored[block.condition][key] != digest]
    if changed:
        block, key = changed[0]
        raise ConfigError(f"{path.parent}: {key} of the condition {quoted(block.condition)} changed"
                          f" after the study began: {brief(getattr(block, key))} is different now;"
                          " restore it, or choose another --out")
    if engine != fingerprint():
        raise ConfigError(f"{path.parent} began with engine {brief(engine)} of hsevo {hsevo}, but"
                          f" this is engine {fingerprint()}; continue with that version, or choose"
                          " another --out")


def _keep(path: Path, text: str) -> None:
    """Write what a folder is made of; raise ConfigError if it was made of something else."""
    if not path.exists():
        write_whole(path, text.encode())
    elif read_text(path) != text:
        raise ConfigError(f"{path} belongs to another design or consent; choose another --out")


def _tokens(path: Path, design: Design) -> Mapping[str, str]:
    """Return the token of each code, drawn once: nobody can guess it, also who has the seed."""
    if not path.exists():
        orders = (">".join(design.blocks[at].condition for at in design.order_of(number))
                  for number in range(len(design.codes)))
        rows = [[code, order, secrets.token_urlsafe(24)]
                for code, order in zip(design.codes, orders, strict=True)]
        _write_private(path, [CODES, *rows])
    tokens = {row["code"]: row["token"] for row in read(path) if row.get("token")}
    if [*tokens] != [*design.codes]:
        raise RunError(f"{path} is damaged: its codes do not match the design")
    return tokens


def _write_private(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """Write a table that nobody else on the machine may read."""
    write_whole(path, b"".join(map(_line, rows)), OWNER)


def _mend(path: Path, columns: Sequence[str]) -> None:
    """Begin a table, or cut off the half line that a killed server left."""
    refuse_link(path)
    if not path.exists():
        write_whole(path, _line(columns))
        return
    with writing(path), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - MOST_LINE, 0))
        last = file.read()
    torn = len(last) - last.rfind(b"\n") - 1
    if 0 < torn < MOST_LINE:
        with writing(path):
            os.truncate(path, size - torn)


def _cell(value: Any) -> Any:
    """Return a value of a table; a spreadsheet takes no text for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _line(row: Sequence[Any]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(row)
    return text.getvalue().encode()


def _text(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds")
