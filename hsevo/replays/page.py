"""A game as one web page to step through: its steps as JSON, with style sheets and scripts.

    page(meeting, k, steps)    page.html.j2 with page.css, .js and the data put in

The table is that of the game in the browser (web/static). The page needs nothing else, and fetches
nothing. What comes from a folder is text to it: escaped in
the HTML, and in the script's data, which puts it on the page as text nodes alone.

`faces` has all cards of a ruleset as the page draws them: numbers, kind, class, rarity, hsevo's own
text. They are the same for every game, so they tell nothing of any.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from hsevo.cards import browse
from hsevo.cards.catalogue import classes
from hsevo.cards.decks import most_copies
from hsevo.cards.tables import cards, find_ruleset, sets
from hsevo.cards.terms import Kind
from hsevo.cards.vocabulary.model import Card
from hsevo.cards.wording.phrases import RACES
from hsevo.cards.wording.text import text
from hsevo.pages import render
from hsevo.play.narrator import Narrator
from hsevo.play.placing import KEYWORDS
from hsevo.replays.chances import Chances
from hsevo.replays.replay import SAME, Step, StoredMatch, headline
from hsevo.replays.wording import YOU, to_you, turning_point, yours
from hsevo.texts import say

BODIES = (Kind.MINION, Kind.WEAPON)


@functools.cache
def faces(ruleset: str) -> dict[str, dict[str, Any]]:
    """Return each card by its id: name, cost, kind, class, rarity, text and so on."""
    return {card.id: _face(card, ruleset) for card in cards(ruleset).values()}


def _face(card: Card, ruleset: str) -> dict[str, Any]:
    face: dict[str, Any] = {
        "name": card.name, "cost": card.cost, "kind": card.kind.name.lower(),
        "class": card.cls.name.lower(), "whose": browse.whose(card),
        "rarity": card.rarity.name.lower() if card.rarity else "",
        "text": text(cards(ruleset), card.id), "triggers": bool(card.triggers)}
    if card.kind in BODIES:
        face |= {"attack": card.attack, "health": card.health}
    if card.race:
        face["race"] = RACES[card.race]
    if words := [word for word, bit in KEYWORDS.items() if card.keywords & bit]:
        face["words"] = words
    if card.secret:
        face["secret"] = True
    return face | _in_decks(card, ruleset)


def _in_decks(card: Card, ruleset: str) -> dict[str, Any]:
    """Return what counts when decks are built; nothing if none can hold it."""
    if not (most := most_copies(card)):
        return {}
    where = sets()[card.id]
    return {"for": [cls.name.lower() for cls in classes(card)], "most": most,
            "set": browse.set_title(where), "standard": where in find_ruleset(ruleset).sets}


Ways: TypeAlias = Sequence[tuple[str, str]]  # words and address of each


class Costly(NamedTuple):
    """A turn that cost much. step: its costliest decision, from 0. says: what it cost, in words.

    line: the analyst's moves from that decision to the end of the turn, a step before each, and
    last how the game stands after them; () if it is not shown.
    """

    step: int
    says: str
    made: str
    better: str
    line: Sequence[Step] = ()


class CostlyTurns(NamedTuple):
    """The turns that cost most, the costliest first. says: how they were found, in words.

    exercises: the address of a page on which they are exercises, "" if there is none.
    """

    says: str
    turns: Sequence[Costly]
    exercises: str = ""


class Around(NamedTuple):
    """What stands around a game on its page.

    about: the line under the title; "": which game of the match it is, and its seed. costs: shown
    as links; the page opens at the first. ways: links above the title. tries: an address that opens
    a game at a step, whose number comes after it, and at which steps.
    """

    about: str = ""
    costs: CostlyTurns | None = None
    ways: Ways = ()
    tries: tuple[str, Sequence[int]] = ("", ())


ALONE = Around()


def page(meeting: StoredMatch, k: int, steps: Sequence[Step], chances: Chances | None = None,
         viewer: int | None = None, below: int = 0, around: Around = ALONE) -> str:
    """Return game k of a match as HTML.

    steps: all that replay.steps yields. chances: of player 0 to win, as a curve; None: no curve.
    viewer: the player from which the steps hide the other's cards; None: they show all. below: the
    player on the lower side, whose chances are drawn. A player whose name is YOU is spoken to.
    """
    names, ruleset = meeting.names, meeting.setting.ruleset
    narrator = Narrator(names, ruleset)
    if steps:
        narrator.meet_heroes(steps[0].scene)
    costs = around.costs
    lines = [turn.line for turn in costs.turns] if costs else []
    if YOU in names:
        steps = [_to_you(step, names) for step in steps]
        lines = [[_to_you(step, names) for step in line] for line in lines]
    plain = [_plain(step, narrator) for step in steps]
    chances = chances and chances.of(below)
    game = {"names": names, "players": meeting.players, "steps": plain, "viewer": viewer,
            "faces": _faces([*steps, *chain.from_iterable(lines)], ruleset), "below": below,
            "costly": [turn.step for turn in costs.turns] if costs else [],
            "lines": [[_plain(step, narrator) for step in line] for line in lines],
            "tries": [*around.tries[1]],
            "chances": chances and _curve(chances, steps)}
    return render("replays/page.html.j2", title=str(meeting), whole="\n".join(meeting.legend),
                  headline=around.about or headline(meeting, k), game=game,
                  hides=viewer is not None, costs=costs, ways=around.ways, tries=around.tries[0])


def _to_you(step: Step, names: tuple[str, str]) -> Step:
    """Return a step whose outcome, and options of YOU, are said to that player."""
    scene = replace(step.scene, outcome=to_you(step.scene.outcome))
    if names[scene.me] != YOU:
        return replace(step, scene=scene)
    return replace(step, scene=scene, options=tuple(
        replace(option, text=yours(option.text)) for option in step.options))


def _plain(step: Step, narrator: Narrator) -> dict[str, Any]:
    """Return a step as data for the page, its events in words."""
    words = narrator.lines(step.events)
    narrator.meet_heroes(step.scene)
    if YOU in narrator.names:
        words = [*map(to_you, words)]
    plain = asdict(step) | {"events": words}
    for option in plain["options"]:  # which are sorted
        option["worth"] = say("stepped.double") if option["worth"] == SAME else option["worth"]
    return plain


def _faces(steps: Sequence[Step], ruleset: str) -> dict[str, Any]:
    """Return the cards that the steps show, each as the page draws it, by id."""
    known = faces(ruleset)
    seen = dict.fromkeys(id for step in steps for side in step.scene.sides for id in (
        side.hero_card, side.power.card, *(card.card for card in side.hand),
        *(minion.card for minion in side.board), *(secret.card for secret in side.secrets),
        *([side.weapon.card] if side.weapon else [])))
    return {id: known[id] for id in seen if id in known}


def _curve(chances: Chances, steps: Sequence[Step]) -> dict[str, Any]:
    """Return the chances as data for the page, their turning points in words."""
    at = {point.step: point.chance for point in chances.points}
    turning = [{"step": step, "text": turning_point(steps[step], at[step], at[step + 1])}
               for step in sorted(chances.turning)]
    return asdict(chances) | {"turning": turning}
