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
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet runs a cell that begins with one
LONGEST_NAME = 1000
LONGEST_LINE = 2000  # of a message; only foreign values make it longer
MOST_NEAR = 2000  # words that one is compared with: 20 ms


class HsevoError(Exception):
    """Anything that hsevo reports without a traceback; its text is for the user.

    What no terminal should be sent is left out of it, whoever's file it comes from.

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
    """Ctrl-C while games were played; `result` is what was found until then, or None."""

    result: Any = None


class Terminated(KeyboardInterrupt):
    """SIGTERM, as from `kill` or the scheduler of a cluster; it stops a command as Ctrl-C does."""


class ConfigError(HsevoError):
    """A config file, key, number or option that cannot be used."""


class DeckError(HsevoError):
    """A deck file or deck code that is not a deck of this ruleset."""


class CardError(HsevoError):
    """A card, pool or ruleset that hsevo does not have."""


class AgentError(HsevoError):
    """A weight vector, or a file of them, that cannot be read."""


class RunError(HsevoError):
    """A run folder that is foreign, damaged, locked or cannot be written."""


class WriteError(RunError):
    """A file that cannot be written, as on a full disk; with room, the work can go on."""


class PlayerError(HsevoError):
    """A Python player that raised, took too long, or named no legal move."""


class WorkersError(HsevoError):
    """The workers that play the games cannot be had, or were lost."""


class GameError(HsevoError):
    """A game that the engine refused to play on; the message names its seed."""


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
    """Return the error of what no user can fix: hsevo itself went wrong."""
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
    """Return the command that continues a folder, for a shell: "hsevo learn --resume RUN"."""
    return shlex.join(["hsevo", *command.split(), "--resume", str(folder)])


def name_problem(name: str) -> str:
    """Say what a name that tables and terminals show must be, and is not; "" if all is well."""
    if len(name) > LONGEST_NAME:
        return f"must have at most {LONGEST_NAME} characters"
    if unsafe(name):
        return "must hold no control characters"
    if name.startswith(FORMULA):
        return f"must not begin with '{name[0]}', which spreadsheets take for a formula"
    return ""


def refuse_unknown(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise TypeError for a keyword that a function does not take, as Python does."""
    names = [*known]
    if unknown := sorted({*given} - {*names}):
        raise TypeError(f"{function}() got an unexpected keyword argument '{unknown[0]}'"
                        f"{did_you_mean(unknown[0], names)}")


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """Return "; did you mean 'x'?" for the nearest known word, or "" when none is near."""
    by_lower = {name.lower(): name for name in islice(known, MOST_NEAR)}
    near = get_close_matches(str(word)[:100].lower(), by_lower, n=1, cutoff=cutoff)
    return f"; did you mean '{by_lower[near[0]]}'?" if near else ""
