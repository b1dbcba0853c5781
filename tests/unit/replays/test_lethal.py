"""Lethal: positions that can be solved by hand, proofs that hold, and limits that are admitted."""

import numpy as np
import pytest

import hsevo
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import ENEMY_TARGET, HERO, POWER, encode_attack
from hsevo.engine.record.state import STATE, WAITING
from hsevo.errors import ConfigError
from hsevo.play.games import GameBatch
from hsevo.replays.chances import states_of
from hsevo.replays.lethal import Lethal, LethalSearch, wins
from tests.rules import test_cases as cases


def position(me: str, them: str, ordered: int = 0) -> GameBatch:
    """Return a position in the words of tests/cases; ordered: whether decks have an order."""
    cases.WORLD = cases.world("cig2018")
    game = cases.WORLD.load(cases.position(cases.Case("", (me, them))))[0]
    states = np.zeros(1, STATE).view(np.recarray)
    for name in STATE.names or ():
        states[name] = game[name][:WAITING] if name == "stack" else game[name]
    states["ordered"] = ordered
    return GameBatch(states)


def found(me: str, them: str, budget: int = 100_000) -> Lethal:
    return LethalSearch("cig2018", budget=budget).lethal(position(me, them))


# My side (mage, no mana unless said), theirs, and the probability to win this turn.
SOLVED = [
    ("Wisp | mana 0", "- | health 1", 1),
    ("Wisp | mana 0", "- | health 2", 0),
    ("Wisp (asleep) | mana 0", "- | health 1", 0),
    ("Wisp, Wisp | mana 0", "Goldshire Footman | health 1", 0),  # Taunt 1/2: both die on it
    ("Wisp, Wisp, Wisp | mana 0", "Goldshire Footman | health 1", 1),
    ("- | mana 2", "- | health 1", 1),  # Fireblast
    ("- | mana 2", "- | health 2", 0),
    ("Chillwind Yeti | mana 2", "Goldshire Footman (damage 1) | health 4", 1),
    ("Chillwind Yeti | mana 2", "Goldshire Footman | health 4", 0),
    ("- | mana 4 | hand: Fireball", "- | health 6", 1),
    ("- | mana 3 | hand: Fireball", "- | health 6", 0),
    ("- | mana 3 | hand: Fireball, The Coin", "- | health 6", 1),
    ("- | mana 5 | hand: Fireball, Bloodmage Thalnos", "- | health 7", 0),
    ("- | mana 6 | hand: Fireball, Bloodmage Thalnos", "- | health 7", 1),  # in that order
    ("- | mana 1 | hand: Arcane Missiles", "- | health 3", 1),
    # One Wisp: three in a row at the hero, or the Wisp dies and the others hit the hero.
    ("- | mana 1 | hand: Arcane Missiles", "Wisp | health 2", 1),
    ("- | mana 1 | hand: Arcane Missiles", "Wisp | health 3", 1 / 8),
    # Fireblast the Wisp first: then nothing else can be hit.
    ("- | mana 3 | hand: Arcane Missiles", "Wisp | health 3", 1),
    ("- | mana 3 | hand: Arcane Missiles", "Wisp | health 4", 1 / 8),
    # Fireball is among two of three cards with 2 / 3.
    ("- | mana 7 | hand: Arcane Intellect | deck: Fireball, Wisp, Murloc Raider", "- | health 6",
     2 / 3),
    ("- | mana 7 | hand: Arcane Intellect | deck: Fireball, Fireball", "- | health 6", 1),
    # The end of the turn: Ragnaros hits one of two for 8.
    ("Ragnaros the Firelord | mana 0", "- | health 8", 1),
    ("Ragnaros the Firelord | mana 0", "Wisp | health 8", 1 / 2),
    ("Ragnaros the Firelord | mana 2", "Wisp | health 8", 1),  # Fireblast the Wisp
]


@pytest.mark.parametrize(("me", "them", "chance"), SOLVED)
def test_solved_by_hand(me: str, them: str, chance: float) -> None:
    lethal = found(me, them)
    assert (lethal.low, lethal.high) == (pytest.approx(chance), pytest.approx(chance))
    assert lethal.answer == {0: "no", 1: "yes"}.get(chance, "chance")  # type: ignore[call-overload]
    assert bool(lethal.line) == (chance > 0)
    start = position(me, them)
    if chance == 1 and "Missiles" not in me and "Intellect" not in me and "Rag" not in me:
        assert wins(start, lethal.line)


def test_a_line_is_moves_in_order() -> None:
    """Fireblast the Taunt, then attack."""
    assert found("Chillwind Yeti | mana 2", "Goldshire Footman (damage 1) | health 4").line == (
        POWER + ENEMY_TARGET, plain(encode_attack)(0, HERO))


def test_a_line_ends_with_its_first_random_move() -> None:
    """Which card is drawn is not known before: both draws win."""
    drawn = found("- | mana 7 | hand: Arcane Intellect | deck: Fireball, Fireball",
                  "- | health 6")
    assert (drawn.answer, len(drawn.line)) == ("yes", 1)


def test_the_opponents_hand_does_not_count() -> None:
    me = "Wisp | mana 0"
    one, other = (found(me, f"- | health 1 | hand: {card} | deck: Fireball, Wisp")
                  for card in ("Fireball", "Wisp"))
    assert one == other


@pytest.mark.parametrize(("secret", "others"), [
    ("Counterspell", "Ice Barrier"), ("Ice Barrier", "Counterspell")])
def test_a_secret_may_be_each_that_is_left(secret: str, others: str) -> None:
    """Wisp attacks for the last point: Ice Barrier saves, Counterspell does not. Which it is must
    not show."""
    lethal = found("Wisp | mana 0", f"- | health 1 | secrets: {secret} | deck: {others}")
    assert (lethal.low, lethal.high, lethal.answer) == (0.5, 0.5, "chance")


def test_a_secret_that_can_only_be_one_is_known() -> None:
    me = "Wisp | mana 0"
    assert found(me, "- | health 1 | secrets: Ice Block | deck: Wisp").answer == "no"
    assert found(me, "- | health 1 | secrets: Counterspell | deck: Wisp").answer == "yes"


def test_a_line_is_sure_only_if_it_wins_against_every_secret() -> None:
    """An attack first fails against Ice Barrier; Fireball first is countered, or wins."""
    them = "- | health 1 | secrets: Ice Barrier | deck: Counterspell"
    lethal = found("Wisp | mana 4 | hand: Fireball", them)
    assert lethal.answer == "yes"
    assert lethal.line[-1] == plain(encode_attack)(0, HERO)
    assert len(lethal.line) == 2
    few = found("Wisp | mana 4 | hand: Fireball", them, budget=9)
    assert few.simulated <= 9
    assert found("Wisp | mana 4 | hand: Fireball", them, budget=1).answer == "unknown"


def test_a_budget_that_is_too_small_is_admitted() -> None:
    me, them = "Wisp, Wisp, Wisp | mana 0", "Goldshire Footman, Wisp, Wisp | health 9"
    assert found(me, them).answer == "no"
    small = found(me, them, budget=10)
    assert (small.answer, small.high) == ("unknown", 1)
    assert small.simulated <= 10


def test_bad_budgets_are_refused() -> None:
    game = hsevo.Game("mage", "mage", seed=1)
    for budget in (0, -1, True, 1.5, "x", 10**10):
        with pytest.raises(ConfigError, match="budget is"):
            game.lethal(budget)


def test_a_mulligan_and_a_finished_game_have_none() -> None:
    begun = hsevo.Game("mage", "mage", ruleset="msg2017", seed=1)
    search = LethalSearch("msg2017")
    assert search.lethal(states_of(begun, [])).answer == "no"
    done = hsevo.Game("mage", "mage", players=["random", "random"], seed=1)
    done.run()
    states = states_of(done, [move.index for move in done.history])
    assert LethalSearch("cig2018").lethal(states.take([len(states) - 1])).answer == "no"


@pytest.fixture(scope="module")
def searched() -> list[tuple[GameBatch, Lethal]]:
    """Positions of games, and what was found there."""
    search, found = LethalSearch("cig2018", budget=20_000), []
    for seed in range(4):
        game = hsevo.Game("warrior", "shaman", players=["eva:2018", "eva:2018"], seed=seed)
        game.run()
        states = states_of(game, [move.index for move in game.history])
        some = [states.take([i]) for i in range(0, len(states) - 1, 2)]
        found += [(one, search.lethal(one)) for one in some]
    return found


def test_what_is_proved_impossible_never_happens(searched: list[tuple[GameBatch, Lethal]]) -> None:
    """400 random lines from each position that has no lethal: none wins in this turn."""
    refuted = [one for one, lethal in searched if lethal.answer == "no"]
    assert len(refuted) > 20
    for one in refuted:
        games, turn, me = one.take(np.zeros(400, int)), one.states["turn"][0], one.players[0]
        games.states["rng"] = np.arange(400) * 7919
        for step in range(25):
            games.step(games.sample(step))
            here = games.states["turn"] == turn
            assert not (here & (games.results == 1 + me)).any()
            if not here.any():
                break
            games = games.take(np.flatnonzero(here & games.running))
            if not len(games):
                break


def test_what_is_sure_wins_whatever_comes(searched: list[tuple[GameBatch, Lethal]]) -> None:
    """Its line is played with other random numbers, and searched again after each move."""
    sure = [one for one, lethal in searched if lethal.answer == "yes"]
    assert len(sure) >= 3
    search = LethalSearch("cig2018")
    for one in sure:
        for seed in range(5):
            now, me = one.take([0]), int(one.players[0])
            now.states["rng"] = seed
            while now.running[0]:
                lethal = search.lethal(now)
                assert lethal.answer == "yes"
                now.step(np.array(lethal.line[:1]))
            assert now.results[0] == 1 + me
