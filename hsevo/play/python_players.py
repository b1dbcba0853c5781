"""Python players decide by what they see (view.View), within a time limit for each call.

    def decide(view, depth=1):            a function: view -> a move of view.moves, or its index
        return view.moves[-1]             py:bot.py#decide?depth=2 sets its option

    class Greedy:                         a class: each game has an instance of its own, which may
        def decide(self, view): ...       remember what it likes; an object plays all games itself

    class Network:                        an object with decide_many is asked for the moves of many
        def decide_many(self, views): ... games at once; of one game, with one view

    read("bot.py", "decide")  -->  AGENT (1,)     from a file: hsevo match py:bot.py#decide eva:2018
    of_value(decide)          -->  AGENT (1,)     from a value of this process

    with at_most(5.0):        raises TooLong in the call after five seconds
        call()

The content of such a player (agents/learned/nets.py) names it, with the SHA-256 of its file, but is
no code. So no code runs because a folder of games names it: only files that the user names or
trusts (trust.py), and values that this process was given, play. Its games are stored move by move,
because it need not play them twice alike. This is the family "python" of players.py.

In the main thread, `at_most` uses a timer of the system, which interrupts whatever runs. In other
threads, and where there is no such timer, the exception reaches code once it runs Python again.
TooLong is no Exception, so code that catches all errors of its own lets it pass. Code that catches
it all the same gets it at the end.
"""

from __future__ import annotations

import copy
import ctypes
import functools
import inspect
import json
import math
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

import numpy as np

from hsevo.agents.learned import nets
from hsevo.cards.decks import Deck
from hsevo.config import as_whole
from hsevo.engine.record.state import STATE
from hsevo.errors import AgentError, PlayerError, brief, did_you_mean, printable, quoted
from hsevo.play.games import GameBatch
from hsevo.play.moves import Move
from hsevo.play.players import Decision
from hsevo.play.python_files import Code, said
from hsevo.trust import refuse_data
from hsevo.types import Array

if TYPE_CHECKING:
    from hsevo.play.view import View


class TooLong(BaseException):
    """Raised in code that takes longer than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLong in what runs inside after so many seconds."""
    main = threading.current_thread() is threading.main_thread()
    limit = _alarm if main and hasattr(signal, "setitimer") else _watch
    end = time.monotonic() + seconds
    with limit(seconds):
        yield
    if time.monotonic() > end:  # it caught the exception, or nothing could interrupt it
        raise TooLong


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Let SIGALRM interrupt the main thread; a timer that was set before is set again after."""
    def stop(number: int, frame: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    begun = time.monotonic()
    try:
        yield
    finally:
        try:  # the alarm may come just now
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:
            signal.signal(signal.SIGALRM, before)
            if left:  # if its time has come meanwhile: at once; 0 would stop it
                left = max(left - (time.monotonic() - begun), 1e-6)
                signal.setitimer(signal.ITIMER_REAL, left, interval)


@contextmanager
def _watch(seconds: float) -> Iterator[None]:
    """Let another thread raise the exception in this one."""
    here, lock, over = ctypes.c_ulong(threading.get_ident()), threading.Lock(), threading.Event()
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def stop() -> None:
        with lock:
            if not over.is_set():
                raise_in(here, ctypes.py_object(TooLong))

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over.set()
            raise_in(here, None)  # one that was not delivered yet
        timer.cancel()


SCORED, BATCHED, RECORDED, CLOSED = "", False, True, True  # see players.PlayerFamily
SECONDS = 60.0  # that a decision may take, unless the player says otherwise
MOST_SECONDS = 86_400.0
Option: TypeAlias = "bool | int | float | str"


class Decides(Protocol):
    """An object that plays all games itself; of a class, each game has an instance."""

    def decide(self, view: View) -> Move | int:
        """Return one of view.moves, or its index."""


class DecidesMany(Protocol):
    """An object that plays all games itself, many at once."""

    def decide_many(self, views: Sequence[View]) -> Sequence[Move | int]:
        """Return for each view one of its moves, or its index."""


@dataclass(frozen=True)
class FilePlayer(Code):
    """A player of a file, with options: keyword arguments of its function or class."""

    options: tuple[tuple[str, Option], ...] = ()

    @property
    def label(self) -> str:
        """What messages call it."""
        query = "&".join(f"{name}={_written(value)}" for name, value in self.options)
        return f"{super().label}?{query}" if query else super().label

    def value(self) -> Any:
        """Return the function, class or object. Raises AgentError."""
        module = self.module()
        player = getattr(module, self.name, None)
        if not is_player(player):
            known = [*_defined(module)]
            has = f"it defines {', '.join(known)}" if known else "it defines none"
            raise AgentError(f"{printable(self.path)} has no player '{printable(self.name)}'"
                             f"{did_you_mean(self.name, known)}; {has} (a function of a view, a"
                             " class or object with decide, or an object with decide_many)")
        return player


@dataclass(frozen=True)
class GivenPlayer:
    """A player that is a value of this process."""

    label: str
    player: Any
    options: ClassVar[tuple[tuple[str, Option], ...]] = ()

    def value(self) -> Any:
        """Return the function, class or object."""
        return self.player


_known: dict[bytes, FilePlayer | GivenPlayer] = {}  # by content: those that this process may play


def is_player(value: Any) -> bool:
    """Return whether a value can play: it is callable, or has `decide` or `decide_many`."""
    return callable(value) or _has(value, "decide") or _has(value, "decide_many")


def _has(value: Any, method: str) -> bool:
    return callable(getattr(value, method, None))


def read(source: str) -> Array:
    """Return the player of a source "FILE.py#NAME" or "FILE.py#NAME?OPTION=VALUE&...", AGENT (1,).

    Runs the file. The option seconds: that a decision may take; the others are keyword arguments of
    the function or class. Raises AgentError if there is none, or if only a config or a folder names
    it (trust.py).
    """
    path, _, rest = source.rpartition("#")
    name, _, query = rest.partition("?")
    if not name or not Path(path).is_file():
        path = path or source
        raise AgentError(f"'py:{brief(source)}': {_missing(path)}; write a Python player as"
                         " py:FILE.py#NAME, with the NAME of its function, class or object")
    options = dict(_option(part, source) for part in query.split("&") if part)
    seconds = _seconds(options.pop("seconds", SECONDS), source)
    refuse_data(Path(path), f"py:{source}")
    code = Code.read(path, name)
    player = FilePlayer(path, code.file, name, code.text, code.modules, tuple(options.items()))
    if options:
        _refuse_options(player)
    return _registered(player, code.digests | {"name": name} | (
        {"options": options} if options else {}), seconds)


def _missing(path: str) -> str:
    return "it names no player" if Path(path).is_file() else f"there is no file {brief(path)}"


def _option(part: str, source: str) -> tuple[str, Option]:
    """Return the name of an option, and its value: a number, true or false, or a word."""
    key, _, text = part.partition("=")
    if not key.isidentifier() or not text:
        raise AgentError(f"'py:{brief(source)}' has the option {quoted(part)}, but options are"
                         " written as NAME=VALUE, with & between them")
    if text in ("true", "false"):
        return key, text == "true"
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if math.isfinite(number):
            return key, number
    return key, text


def _written(value: Option) -> str:
    """Return a value as it is written in a spec."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refuse_options(player: FilePlayer) -> None:
    """Raise AgentError for options that the function or class does not take."""
    value, bare = player.value(), f"py:{printable(player.path)}#{player.name}"
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        raise AgentError(f"{bare} is an object, so its only option is seconds; a function or class"
                         " takes its own options")
    parameters = [*inspect.signature(value).parameters.values()]
    view = "" if inspect.isclass(value) or not parameters else parameters[0].name
    kinds = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
    known = [parameter.name for parameter in parameters
             if parameter.kind in kinds and parameter.name != view] + ["seconds"]
    any_other = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)
    for name, _ in player.options:
        if name == view or (name not in known and not any_other):
            raise AgentError(f"{bare} has no option '{name}'{did_you_mean(name, known)}; it has"
                             f" {', '.join(known)}")


def _seconds(value: Option, source: str) -> float:
    if isinstance(value, bool | str):
        raise AgentError(f"'py:{brief(source)}': seconds is {quoted(value)}, but must be a number")
    return checked_seconds(float(value))


def checked_seconds(seconds: float) -> float:
    """Return the seconds that a decision may take, if they are possible. Raises AgentError."""
    if not 0 < seconds <= MOST_SECONDS:
        raise AgentError(f"seconds is {seconds:g}, but must be above 0, and at most"
                         f" {MOST_SECONDS:,.0f}")
    return seconds


def of_value(value: Any, label: str, seconds: float | None = None) -> Array:
    """Return a function, class or object as a player, AGENT (1,). Raises AgentError.

    seconds: that a decision may take; None: SECONDS.

    A function or class of a file is the same player as py:FILE#NAME; others end with this process.
    """
    if place := place_of(value):
        path, name = place
        what = Code.read(path, name).digests | {"name": name}
    else:
        what = {"value": secrets.token_hex(16)}
    return _registered(GivenPlayer(label, value), what,
                       SECONDS if seconds is None else checked_seconds(seconds))


def place_of(value: Any) -> tuple[str, str] | None:
    """Return the file and name under which a function or class can be read again; else None."""
    name = getattr(value, "__qualname__", "")
    try:
        path = inspect.getsourcefile(value)
    except (TypeError, OSError):  # an object; a class of a console
        return None
    module = sys.modules.get(getattr(value, "__module__", ""))
    top = name.isidentifier() and getattr(module, name, None) is value
    return (path, name) if path and top and Path(path).is_file() else None


def is_value(agent: Array) -> bool:
    """Return whether an agent, AGENT (1,), is a Python player that ends with its process."""
    return bool(agent["kind"][0] == nets.PYTHON) and "value" in json.loads(nets.content(agent))


def refuse_values(agents: Array) -> None:
    """Raise AgentError if a Python player among agents, AGENT (...), can't be found again."""
    if any(is_value(agent[None]) for agent in agents.ravel()):
        raise AgentError("a Python player that is not a function or class in a file can't be stored"
                         " with its games; write it into a file, and give py:FILE.py#NAME")


def _registered(player: FilePlayer | GivenPlayer, what: dict[str, Any], seconds: float) -> Array:
    value = player.value()
    if inspect.isclass(value) and _has(value, "decide_many"):
        raise AgentError(f"{player.label} is a class with decide_many, but each game would get its"
                         " own instance; give an object, which decides for all games")
    data = json.dumps(what | {"seconds": seconds}, sort_keys=True).encode()
    _known[data] = player
    return nets.hosted(nets.PYTHON, data)


def _defined(module: ModuleType) -> Iterator[str]:
    """Yield the names of the players that a module defines itself."""
    for name, value in vars(module).items():
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__ and (
                is_player(value)):
            yield name


def check(agents: Array, decks: Sequence[Deck]) -> None:
    """Every Python player can play every deck; raise ConfigError for none."""


def traits(agent: Array) -> str:
    """Return "": nothing sets the games of a Python player apart."""
    return ""


def built(decks: tuple[Deck, Deck], agents: Sequence[Array], ruleset: str,
          seed: int) -> tuple[Deck, Deck]:
    """Return the decks: a Python player plays those that it is dealt."""
    return decks


def packed(agents: Array) -> list[tuple[bytes, FilePlayer | GivenPlayer]]:
    """Return the players, AGENT (n,), with their code. Raises AgentError for foreign ones."""
    return [(data, _player(data)) for data in dict.fromkeys(map(nets.content, agents[:, None]))]


def unpack(packed: list[tuple[bytes, FilePlayer | GivenPlayer]]) -> None:
    """Let this process play the players of another, which trusts them."""
    _known.update(packed)


def _player(data: bytes) -> FilePlayer | GivenPlayer:
    if data not in _known:
        name = brief(json.loads(data).get("name", "a value of a Python process"))
        raise AgentError(f"the Python player '{name}' comes from a file that a folder names, which"
                         " hsevo does not run; if you trust the file, add --trust (in Python,"
                         " trust=True). If that does not help, the file or a module that it imports"
                         " was changed or removed")
    return _known[data]


def bot(agent: Array) -> PythonBot:
    """Return a player, AGENT (1,), as one that is asked move by move. Raises AgentError."""
    data = nets.content(agent)
    player, seconds = _player(data), float(json.loads(data)["seconds"])
    many = _has(player.value(), "decide_many")
    return (ManyPythonBot if many else PythonBot)(player, seconds)


class PythonBot:
    """A Python player that plays games move by move: a players.Bot.

    Its memory of a game is the object that decides; of a class, an instance of its own.
    """

    def __init__(self, player: FilePlayer | GivenPlayer, seconds: float) -> None:
        self.player, self.seconds, self._value = player, seconds, player.value()

    def __reduce__(self) -> tuple[Any, ...]:
        """Make the player first: what it remembers may be of classes that its file defines."""
        return type(self), (self.player, self.seconds), {"_value": self._value}

    def start(self, deck: Deck) -> Any:
        """Return what decides in a new game. Raises PlayerError."""
        options = dict(self.player.options)
        if not inspect.isclass(self._value):
            return functools.partial(self._value, **options) if options else self._value
        instance = self._run(functools.partial(self._value, **options),
                             "before its first decision")
        if not (callable(instance) or _has(instance, "decide")):
            raise PlayerError(f"{self.player.label} is a class whose instances have no method"
                              " decide(self, view)")
        return instance

    def fork(self, memory: Any) -> Any:
        """Return a copy of an instance; a function, or an object of all games, is itself."""
        return copy.deepcopy(memory) if inspect.isclass(self._value) else memory

    def chances(self, decision: Decision, memory: Any) -> dict[int, float]:
        """Return {}: a Python player gives no probabilities."""
        return {}

    def act(self, decision: Decision, memory: Any) -> tuple[int, Any]:
        """Return the move that it decides for. Raises PlayerError."""
        (view,), where = _views([decision]), _place_in_game(decision)
        decide: Callable[[View], Any] = getattr(memory, "decide", memory)
        answer = self._run(functools.partial(decide, view), where)
        return self._checked(answer, view.legal, where), memory

    def _run(self, call: Callable[[], Any], where: str) -> Any:
        try:
            with at_most(self.seconds):
                return call()
        except TooLong:
            raise PlayerError(f"{self.player.label} took more than {self.seconds:g} s for a"
                              f" decision, {where}; ?seconds=N allows more") from None
        except (Exception, SystemExit) as error:
            raise PlayerError(f"{self.player.label} raised {said(error)}, {where}") from error

    def _checked(self, answer: Any, legal: Sequence[int], where: str) -> int:
        number = as_whole(answer.index if isinstance(answer, Move) else answer)
        if number is None:
            raise PlayerError(f"{self.player.label} returned {_shown(answer)}, {where}, but"
                              " must return one of view.moves, or its index")
        if number not in legal:
            raise PlayerError(f"{self.player.label} returned the move {number}, {where}, which is"
                              f" not legal there; view.moves has the {len(legal)} legal moves")
        return number


class ManyPythonBot(PythonBot):
    """A Python player that decides in many games at once: a players.ManyBot."""

    def act(self, decision: Decision, memory: Any) -> tuple[int, Any]:
        """Return the move that it decides for. Raises PlayerError."""
        return self.act_many([decision], [memory])[0]

    def act_many(self, decisions: Sequence[Decision],
                 memories: Sequence[Any]) -> list[tuple[int, Any]]:
        """Return the moves that it decides for, in order. Raises PlayerError."""
        views, places = _views(decisions), [*map(_place_in_game, decisions)]
        where = places[0] if len(views) == 1 else (
            f"asked for {len(views)} moves at once, the first {places[0]}")
        decide_many = memories[0].decide_many
        returned = self._run(lambda: decide_many(views), where)
        try:
            moves = [*returned]
        except TypeError:  # it can't be gone through
            moves = []
        if len(moves) != len(views):
            raise PlayerError(f"{self.player.label} returned {_shown(returned)}, {where}, but"
                              f" decide_many must return a move for each of its {len(views)} views")
        return [(self._checked(move, view.legal, place), memory) for move, view, place, memory
                in zip(moves, views, places, memories, strict=True)]


def _shown(answer: Any) -> str:
    """Return an answer for a message; it may be anything."""
    try:
        return brief(repr(answer))
    except Exception:  # of its own
        return f"a {type(answer).__name__}"


def _views(decisions: Sequence[Decision]) -> list[View]:
    """Return what the player sees at each of some decisions, of games under one ruleset."""
    from hsevo.play.view import View  # with 15 modules that other games do not need

    states = np.zeros(len(decisions), STATE)  # np.concatenate would not keep the dtype
    for i, decision in enumerate(decisions):
        states[i] = decision.state[0]
    legal = GameBatch(states.view(np.recarray), decisions[0].setting.ruleset).legal_moves()
    return [View(decision, np.flatnonzero(moves).tolist())
            for decision, moves in zip(decisions, legal, strict=True)]


def _place_in_game(decision: Decision) -> str:
    """Say where in which game a decision is."""
    first, second = (deck.name for deck in decision.setting.decks)
    return (f"in turn {int(decision.state['turn'][0])} of {first} against {second} with seed"
            f" {decision.seed}")
