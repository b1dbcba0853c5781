"""Texts that read the opponent's hand or deck: a fair look-ahead learns nothing of them.

Each position is played many times in look-aheads, in two versions: what matters is in the
opponent's hand, or in its deck. The outcomes that the player sees must come up as often in both;
in a look-ahead that is not fair they must not (so the test can fail).
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from hsevo.engine.record.state import FAIR, LEAKY
from tests.rules.test_cases import WORLD, Case, action_of, position
from tests.support.state_entry import MOVE

pytestmark = pytest.mark.slow

TIMES = 400
# title: own side, their side with {hand} and {deck}, what matters, what does not, the action
READS = {
    "Chillmaw's Deathrattle, if a Dragon is held": (
        "War Golem", "Chillmaw (damage 5) | hand: {} | deck: {}", "Ysera", "Wisp",
        "attack Chillmaw with War Golem"),
    "The Skeleton Knight's Joust": (
        "War Golem | deck: Chillwind Yeti", "The Skeleton Knight (damage 3) | hand: {} | deck: {}",
        "Ysera", "Wisp", "attack The Skeleton Knight with War Golem"),
    "Voidcaller's Demon from hand": (
        "War Golem", "Voidcaller (damage 3) | hand: {} | deck: {}", "Mal'Ganis", "Wisp",
        "attack Voidcaller with War Golem"),
    "Deathwing, Dragonlord's Dragons from hand": (
        "War Golem, War Golem", "Deathwing, Dragonlord (damage 8) | hand: {} | deck: {}", "Ysera",
        "Wisp", "attack Deathwing, Dragonlord with War Golem"),
    "Mad Scientist's Secret from the deck": (
        "War Golem", "Mad Scientist | class Mage | hand: {} | deck: {}", "Mirror Entity", "Wisp",
        "attack Mad Scientist with War Golem"),
    "Deathlord's minion from the enemy's deck": (
        "Deathlord (damage 7)", "War Golem | hand: {} | deck: {}", "Ysera", "Wisp",
        "attack War Golem with Deathlord"),
    "Flame Leviathan, drawn": (
        "War Golem | hand: Coldlight Oracle | deck: Wisp, Wisp, Wisp",
        "War Golem | hand: {} | deck: Wisp, {}", "Flame Leviathan", "Fireball",
        "play Coldlight Oracle"),
    "Dirty Rat's minion from hand": (
        "- | hand: Dirty Rat", "- | hand: {} | deck: {}", "Ysera", "Wisp", "play Dirty Rat"),
    "Mind Vision's card from hand": (
        "- | class Priest | hand: Mind Vision", "- | hand: {} | deck: {}", "Ysera", "Wisp",
        "play Mind Vision"),
    "Thoughtsteal's cards from the deck": (
        "- | class Priest | hand: Thoughtsteal", "- | hand: {} | deck: {}", "Ysera", "Wisp",
        "play Thoughtsteal"),
    "Mindgames' minion from the deck": (
        "- | class Priest | hand: Mindgames", "- | hand: {} | deck: {}", "Ysera", "Wisp",
        "play Mindgames"),
    "Drakonid Operative's offer from the deck": (
        "- | class Priest | hand: Drakonid Operative, Ysera", "- | hand: {} | deck: {}",
        "War Golem", "Wisp", "play Drakonid Operative"),
    "Shifting Shade's copy from the deck": (
        "Shifting Shade (damage 2) | class Priest", "War Golem | hand: {} | deck: {}", "Ysera",
        "Wisp", "attack War Golem with Shifting Shade"),
    "a Joust of one's own": (
        "- | class Paladin | hand: Master Jouster | deck: Chillwind Yeti",
        "- | hand: {} | deck: {}", "Ysera", "Wisp", "play Master Jouster"),
}


def seen(sides: tuple[str, str], action: str, sight: int) -> Counter[str]:
    """Return how often each outcome came up that the player of the first side sees."""
    game = WORLD.load(position(Case("", sides)))
    game["sight"], game["ordered"] = sight, sight == LEAKY
    games = np.repeat(game, TIMES)
    games["rng"] = np.random.default_rng(5).integers(0, 2**63, TIMES)
    WORLD.drive(games, MOVE, [WORLD.number_of(game, action_of(game, action))] * TIMES)
    return Counter(map(_visible, games))


def _visible(game: Any) -> str:
    """Return what the player of the first side sees: boards, health, own hand, offered cards."""
    state = WORLD.state(game.reshape(1))
    own, their = state["players"]
    offered = sorted(game["choice"][:game["n_choices"]].tolist()) if game["pending"] else []
    return repr((own["board"], own["hero"], own["hand"], their["board"], their["hero"],
                 len(their["hand"]), len(their["secrets"]), offered))


def distance(first: Counter[str], second: Counter[str]) -> float:
    """Return the largest difference of two shares, in standard deviations of chance."""
    worst = 0.0
    for outcome in first | second:
        a, b = first[outcome], second[outcome]
        share = (a + b) / (2 * TIMES)
        if 0 < share < 1:
            worst = max(worst, abs(a - b) / (2 * TIMES * share * (1 - share)) ** 0.5)
    return worst


@pytest.mark.parametrize("title", READS)
def test_a_fair_look_ahead_learns_nothing_from(title: str) -> None:
    mine, theirs, matters, other, action = READS[title]
    versions = [(mine, theirs.format(*where)) for where in ((matters, other), (other, matters))]
    fair = [seen(sides, action, FAIR) for sides in versions]
    assert len(fair[0]) > 1  # chance decides
    assert distance(*fair) < 4
    known = [seen(sides, action, LEAKY) for sides in versions]
    assert distance(*known) > 8


def test_the_own_hand_is_not_dealt_anew() -> None:
    """A Dragon that the player holds is held in each look-ahead."""
    sides = ("Chillmaw (damage 5) | hand: Ysera | deck: Wisp, Wisp", "War Golem")
    assert len(seen(sides, "attack War Golem with Chillmaw", FAIR)) == 1
