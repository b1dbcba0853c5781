"""Possible results of an action in words: they are those of the games after it."""

import pickle
import random
from collections import Counter

import pytest

import hsevo
from hsevo.play.narrator import Narrator
from hsevo.play.outcomes import NAMES


def results(game: hsevo.Game, text: str) -> dict[str, float]:
    """The results of the only legal move whose text begins so: text -> probability."""
    (action,) = [move.index for move in game.moves if move.text.startswith(text)]
    outcomes = game.outcomes(action)
    assert len({outcome.text for outcome in outcomes}) == len(outcomes)
    return {outcome.text: outcome.probability for outcome in outcomes}


def test_a_draw_names_the_card() -> None:
    side = {"class": "mage", "deck": ["Wisp", "Wisp", "Fireball"]}
    assert results(hsevo.Game.at({"turn": 3, "me": side, "opponent": side}), "end") == (
        pytest.approx({"turn 4: player 1; player 1 draws Fireball": 1 / 3,
                       "turn 4: player 1; player 1 draws Wisp": 2 / 3}))


def test_a_random_hit_names_its_target() -> None:
    """Ragnaros hits one of three enemies, two of which have the same name."""
    game = hsevo.Game.at({"turn": 3, "me": {"class": "mage", "board": ["Ragnaros the Firelord"]},
                          "opponent": {"class": "mage", "board": ["Wisp", "Wisp"]}})
    begins, ends = "Ragnaros the Firelord triggers; ", (
        "; turn 4: player 1; player 1 has no card to draw: 1 fatigue damage; the hero of player 1"
        " takes 1 damage")
    hit = "takes 8 damage by Ragnaros the Firelord"
    wisps = [f"Wisp (minion {place} of player 1)" for place in (1, 2)]
    assert results(game, "end") == pytest.approx({
        f"{begins}{what}{ends}": 1 / 3 for what in (
            f"the hero of player 1 {hit}", *(f"{wisp} {hit}; {wisp} dies" for wisp in wisps))})


def test_an_action_without_chance_has_one_text() -> None:
    game = hsevo.Game.at({"me": {"class": "mage", "hand": ["The Coin"]},
                          "opponent": {"class": "mage"}})
    assert results(game, "play The Coin") == {"nothing else happens": 1}
    game = hsevo.Game.at({"me": {"class": "mage", "hand": ["Arcane Missiles"]},
                          "opponent": {"class": "mage"}})
    (outcome,) = game.outcomes(game.legal_actions()[1])
    hit = "the hero of player 1 takes 1 damage by Arcane Missiles"
    assert (outcome.probability, outcome.text) == (1, "; ".join([hit] * 3))
    assert repr(outcome) == f"Outcome(1, {outcome.text!r})"


def hand(game: hsevo.Game, player: int) -> Counter[str]:
    return Counter(card["name"] for card in game.view(player)["me"]["hand"])


def test_texts_tell_of_the_games_after_the_action() -> None:
    """In random games: who draws what, and the whole text where nothing is random."""
    draws, sure = 0, 0
    for seed in range(3):
        game, rng = hsevo.Game("mage", "warrior", seed=seed, max_turns=16), random.Random(seed)
        while not game.is_over:
            action = rng.choice(game.legal_actions())
            outcomes = game.outcomes(action) or []
            other = 1 - game.player
            for outcome in outcomes if action == 0 else []:
                (new,) = hand(outcome.game, other) - hand(game, other) or [None]
                assert new is None or f"player {other} draws {new}" in outcome.text
                draws += new is not None
            before = Narrator(NAMES, game.ruleset)
            before.lines(game.events)
            before.meet_heroes(game.scene())
            lines = before.lines(game.play(action)[1:])
            if len(outcomes) == 1 and "(minion" not in outcomes[0].text:
                assert outcomes[0].text == ("; ".join(lines) or "nothing else happens")
                sure += 1
    assert draws > 100
    assert sure > 20


def test_an_outcome_can_be_sent_to_another_process() -> None:
    side = {"class": "mage", "deck": ["Wisp", "Fireball"]}
    outcomes = hsevo.Game.at({"me": side, "opponent": side}).outcomes(0)
    again = pickle.loads(pickle.dumps(outcomes))
    assert [repr(outcome) for outcome in again] == [repr(outcome) for outcome in outcomes]
    assert again[1].game.legal_actions() == outcomes[1].game.legal_actions()


def test_players_recall_in_an_outcome_what_they_have_known() -> None:
    """The outcome that is what happens has the same information states, also some moves later."""
    compared, differ = 0, 0
    for seed in range(2):
        game, rng = hsevo.Game("mage", "warrior", seed=seed, max_turns=14), random.Random(seed)
        while not game.is_over:
            action = rng.choice(game.legal_actions())
            outcomes = game.outcomes(action) or []
            game.apply(action)
            keys = [game.information_state(player).key for player in (0, 1)]
            same = [outcome for outcome in outcomes if outcome.events == game.events[
                -len(outcome.events):] and game._digest() == outcome.game._digest()]
            for outcome in same[:1]:
                after = outcome.game
                assert [after.information_state(player).key for player in (0, 1)] == keys
                world = after.worlds(game.player)[0] if not game.is_over else after
                assert world.information_state(game.player).key == keys[game.player]
                (again, *_) = after.outcomes(0) or [None] if not game.is_over else [None]
                assert again is None or (len(again.game.information_state(0).events)
                                         == len(game.events) + len(again.events))
                compared += 1
            differ += len({outcome.game.information_state(game.player).key
                           for outcome in outcomes}) > 1
    assert compared > 40
    assert differ > 5
