"""The facts of a deck that are shown next to its cards: where it is legal and so on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hsevo.cards.browse import differences, set_title
from hsevo.cards.decks import SIZE, Deck, foreign, standard
from hsevo.cards.rulesets import RULESETS, STANDARD, STUDY_RULESETS
from hsevo.cards.tables import cards, every_card, home_of, index, sets
from hsevo.cards.wording.phrases import KINDS, counted


def says(deck: Deck) -> list[str]:
    """Return lines: kinds of its cards, their sets, where it is legal, what rulesets change."""
    return [*_made_of(deck), legality(deck), *_changes(deck)]


def has_code(deck: Deck) -> bool:
    """Return whether it can have a deck code: it has 30 cards, all of the game."""
    return len(deck.ids) == SIZE and foreign(deck) not in STUDY_RULESETS


def legality(deck: Deck) -> str:
    """Return where a deck is legal, and which of its cards are not in the Standard of a ruleset."""
    if (home := foreign(deck)) in STUDY_RULESETS:
        return f"only ruleset {home} has its cards, so it has no deck code"
    if len(deck.ids) != SIZE:
        return (f"its file sets its size: hsevo plays it, but the game's decks have {SIZE} cards,"
                " and it has no deck code")
    barred: dict[tuple[str, ...], list[str]] = {}
    there = [name for name in RULESETS if {*deck.ids} <= index(name).keys()]
    for name in there:
        barred.setdefault(tuple(standard(deck, name)), []).append(name)
    allowed = barred.pop((), [])
    years = [str(year) for year in STANDARD if not standard(deck, str(year))]
    said = [f"legal in Wild of {', '.join(there)}" if home else "legal in Wild"]
    said += [f"in the Standard of {', '.join(allowed)}"] if allowed else []
    said += [f"not in the Standard of {', '.join(names)}: {', '.join(out)}"
             for out, names in barred.items()]
    said += [f"in the game's Standard of {', '.join(years)}"] if years else []
    return "; ".join(said)


def _made_of(deck: Deck) -> list[str]:
    listed = [every_card()[id] for id in deck.ids]
    kinds = Counter(KINDS[card.kind] for card in listed)
    where = Counter(set_title(sets()[card.id]) or home_of(card.id) for card in listed)
    mean = sum(card.cost for card in listed) / len(listed)
    said = ", ".join(counted(n, kind) for kind, n in kinds.most_common())
    return [f"{len(listed)} cards: {said}; {mean:.1f} mana on average",
            ", ".join(f"{n} {name}" for name, n in where.most_common())]


def _changes(deck: Deck) -> Iterator[str]:
    """Name the cards that other rulesets than the default change."""
    for ruleset in () if foreign(deck) else RULESETS:
        own = dict.fromkeys(deck.ids)
        changed = [every_card()[id].name for id in own if ruleset in differences(id)
                   and cards(ruleset)[id] != cards()[id]]
        if changed:
            yield f"{ruleset} changes {', '.join(changed)}"
