"""What look-aheads may know, as users write it: fair, closed, closed:match@FILE, leaky."""

from hsevo.errors import ConfigError, did_you_mean, quoted, unsafe

FAIR, LEAKY = "fair", "leaky"
CLOSED = ("closed", "closed:match", "closed:bigrams", "closed:uniform")
INFORMATION = (FAIR, *CLOSED, LEAKY)
GUESSING = CLOSED[:3]  # by a deck database, which a user may name


def parts(information: str) -> tuple[str, str | None]:
    """Return one of INFORMATION, and the file or folder of decks that is named, if any.

    Raises ConfigError.

    >>> parts("closed:match@decks.csv")
    ('closed:match', 'decks.csv')
    """
    name, at, path = information.partition("@")
    if name not in INFORMATION or unsafe(path):
        raise ConfigError(f"information is {quoted(information)}, but must be one of"
                          f" {', '.join(INFORMATION)}{did_you_mean(name, INFORMATION)}")
    if at and (name not in GUESSING or not path):
        raise ConfigError(f"information is {quoted(information)}, but only"
                          f" {', '.join(GUESSING)} take a file or folder of decks: closed@FILE")
    return name, path or None


def is_closed(information: str) -> bool:
    """Return whether agents must guess the opponent's deck list."""
    return parts(information)[0] in CLOSED
