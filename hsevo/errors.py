"""The errors of hsevo: one small tree, every leaf a thing the user can fix.

    HsevoError           what is wrong, the value, what to do; the command line exits with 2
    ├── ConfigError      a config file, key, number or option that cannot be used
    ├── DeckError        a deck file or deck code that is not a deck of this ruleset
    ├── CardError        a card, pool or ruleset that hsevo does not have
    ├── AgentError       a weight vector, or a file of them, that cannot be read
    ├── RunError         a run folder that is foreign, damaged, locked or cannot be written
    │   └── WriteError   a file that cannot be written, as on a full disk
    ├── PlayerError      a Python player that raised, took too long, or named no legal move
    ├── WorkersError     the workers that play the games cannot be had, or were lost
    └── GameError        a game that the engine refused to play on; names its seed
"""

import errno
import shlex
import shutil
import sys
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet runs a cell that begins with one
LONGEST_NAME = 1000
LONGEST_LINE = 2000  # of a message; only foreign values make it longer
MOST_NEAR = 4000  # words that one is compared with: 40 ms


class HsevoError(Exception):
    """Report an error that hsevo shows without a traceback.

    The text is for the user. Characters that could command a terminal are removed. `hsevo.errors`
    has a subclass for each kind of problem:

    - `ConfigError`: a config file, key, number or option is invalid.
    - `DeckError`: a deck, deck file or deck code is unknown or invalid.
    - `CardError`: a card, card pool or ruleset is unknown or invalid.
    - `AgentError`: an agent is unknown, damaged or unable to play here.
    - `RunError`: a folder or file has other content, is damaged, in use or not writable.
    - `PlayerError`: a Python player failed, exceeded its time limit, or returned no legal move.
    - `WorkersError`: workers could not be started, or were lost.
    - `GameError`: the engine refused to continue a game.

    Parameters
    ----------
    said : object, default ""
        The text.

    Attributes
    ----------
    result : object or None
        Result so far, if games were played.

    Examples
    --------
    >>> try:
    ...     hsevo.Deck("maeg")
    ... except hsevo.HsevoError as error:
    ...     print(error)
    no deck 'maeg'; did you mean 'mage'?; `hsevo decks list` lists all
    """

    result: Any = None  # what was found until then, if games were played

    def __init__(self, said: object = "") -> None:
        super().__init__("\n".join(map(_line, str(said).split("\n"))))


class Stopped(KeyboardInterrupt):
    """Signal Ctrl-C while games were played; `result` is the result so far, or None."""

    result: Any = None


class Terminated(KeyboardInterrupt):
    """Signal SIGTERM, as from `kill` or a cluster's scheduler. It stops a command like Ctrl-C."""


class ConfigError(HsevoError):
    """Report an invalid config file, key, number or option."""


class DeckError(HsevoError):
    """Report an invalid deck, deck file or deck code."""


class CardError(HsevoError):
    """Report an unknown card, card pool or ruleset."""


class AgentError(HsevoError):
    """Report an unknown agent, invalid weights, or an unreadable file of an agent."""


class RunError(HsevoError):
    """Report a folder that is foreign, damaged, in use or not writable."""


class WriteError(RunError):
    """Report a file that cannot be written, for example on a full disk."""


class PlayerError(HsevoError):
    """Report a Python player that failed, exceeded its time limit, or returned no legal move."""


class WorkersError(HsevoError):
    """Report workers that could not be started, or were lost."""


class GameError(HsevoError):
    """Report a game that the engine refused to continue. The message has its seed."""


STARVED = ("failed to map segment", "cannot allocate memory", "can't start new thread",
           "cannot apply additional memory protection",  # by the loader of libraries, by threads
           "error return without exception set",  # by a library that could not be loaded, and by
           "returned null without setting an exception")  # Python itself


def out_of_memory(error: BaseException | None) -> bool:
    """Return whether it is for lack of memory that something was raised, maybe in other words."""
    if error is None:
        return False
    said = str(error).lower()
    own = isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM or any(
        words in said for words in STARVED)
    return own or out_of_memory(error.__cause__ or error.__context__)


def own_fault(said: str) -> GameError:
    """Return the error for a fault of hsevo itself, which no user can fix."""
    return GameError(f"{said}; this is a bug in hsevo, please report it")


def _line(text: str) -> str:
    """Return a line of a message: printable, at most LONGEST_LINE characters."""
    said = printable(text)
    return said if len(said) <= LONGEST_LINE else said[:LONGEST_LINE - 3] + "..."


def printable(text: object) -> str:
    """Return text of a user's with spaces for all that no terminal should be sent."""
    return "".join(sign if sign.isprintable() else " " for sign in str(text))


def brief(text: object) -> str:
    """Return text of a user's for a message: printable, at most 60 characters."""
    said = printable(text)
    return said if len(said) <= 60 else said[:57] + "..."


def quoted(text: object) -> str:
    """Return text of a user's for a message as `brief` does, in quotes."""
    return f"'{brief(text)}'"


def names_or_count(names: Iterable[str], noun: str = "decks", most: int = 12) -> str:
    """Return a few names with commas, each once; of more than `most`, only how many.

    >>> from hsevo.errors import names_or_count
    >>> names_or_count(["mage", "warrior", "mage"])
    'mage, warrior'
    >>> names_or_count(map(str, range(430)))
    '430 decks'
    """
    once = [*dict.fromkeys(names)]
    return ", ".join(once) if len(once) <= most else f"{len(once):,} {noun}"


def unsafe(text: str) -> bool:
    """Return whether text has characters that could command a terminal or forge a line."""
    return not text.isprintable() and any(
        not sign.isprintable() and unicodedata.category(sign) != "Zs" for sign in text)


def resuming(command: str, folder: object) -> str:
    """Return the command that continues a folder, for a shell: "hsevo learn --resume RUN".

    A user who started hsevo by a path, and has not activated its environment, gets the path.
    """
    started = sys.argv[0] if sys.argv and Path(sys.argv[0]).name == "hsevo" else "hsevo"
    program = "hsevo" if shutil.which("hsevo") else started
    return shlex.join([program, *command.split(), "--resume", str(folder)])


def name_problem(name: str) -> str:
    """Return the problem of a name in tables and terminals; "" if there is none."""
    if len(name) > LONGEST_NAME:
        return f"must have at most {LONGEST_NAME} characters"
    if unsafe(name):
        return "must hold no control characters"
    if name.startswith(FORMULA):
        return f"must not begin with '{name[0]}', because spreadsheets read it as a formula"
    return ""


def refuse_unknown(function: str, arguments: Iterable[str], known: Iterable[str]) -> None:
    """Raise TypeError for a keyword that a function does not take, as Python does."""
    names = [*known]
    if unknown := sorted({*arguments} - {*names}):
        raise TypeError(f"{function}() got an unexpected keyword argument '{unknown[0]}'"
                        f"{did_you_mean(unknown[0], names)}")


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """Return "; did you mean 'x'?" for the nearest known word, or "" when none is near."""
    by_lower = {name.lower(): name for name in islice(known, MOST_NEAR)}
    near = get_close_matches(str(word)[:100].lower(), by_lower, n=1, cutoff=cutoff)
    return f"; did you mean '{by_lower[near[0]]}'?" if near else ""
