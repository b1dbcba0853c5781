"""AGENT@DECK: an agent that plays one deck alone, while the others play the decks of the plan.

The deck is whatever `--decks` takes: a name, a file, a deck code; play/specs.py splits the spec.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hsevo.cards.decks import Deck
from hsevo.errors import ConfigError
from hsevo.play.specs import split_deck as split_deck

ELSEWHERE = ("names a deck; only match, arena and benchmark take AGENT@DECK: elsewhere give the"
             " agent without it, and its decks where decks are asked for (--decks,"
             " opponent_decks=, rating.opponents.decks)")


def contents(deck: Deck) -> tuple[str, tuple[str, ...]]:
    """Return what makes two decks the same, whatever they are called."""
    return deck.hero, tuple(sorted(deck.cards))


def merged(common: Sequence[Deck],
           own: Iterable[Deck | None]) -> tuple[tuple[Deck, ...], list[str]]:
    """Return the decks of all, each once, those of all agents first; and each agent's, by name.

    own: the deck that an agent plays alone, None for all of `common`; its name is then "".
    Raises ConfigError if two different decks have one name.
    """
    decks, names = list(common), []
    for deck in own:
        if deck is None:
            names.append("")
            continue
        same = next((one for one in decks if contents(one) == contents(deck)), None)
        if same is None:
            if deck.name in [one.name for one in decks]:
                raise ConfigError(f"two decks are called '{deck.name}'; give each a name of its"
                                  " own")
            decks.append(same := deck)
        names.append(same.name)
    return tuple(decks), names


def named_decks(agents: Sequence[str], own: Sequence[str]) -> dict[str, str]:
    """Return the own decks by agent, of those that have one."""
    return {agent: deck for agent, deck in zip(agents, own, strict=True) if deck}
