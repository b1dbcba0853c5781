"""The page of a game that somebody plays: all of it when it is over, before that no hidden card."""

from pathlib import Path

import hsevo
from hsevo.play.events import What
from hsevo.replays.replay import spoken
from tests.support.game_page import Seen, data_of


def written(game: hsevo.Game, folder: Path, chances: int = 0) -> str:
    return game.replay(folder / "game.html", chances=chances).read_text(encoding="utf-8")


def test_a_finished_game_is_shown_whole_with_scores_and_chances(tmp_path: Path) -> None:
    game = hsevo.Game("mage", "warrior", players=["eva:2018", "random"], seed=3)
    game.run()
    text = written(game, tmp_path, 5)
    data = data_of(text)
    assert len(data["steps"]) == len(game.history) + 1
    assert [step["options"][step["taken"]]["text"] for step in data["steps"][:-1]] == [
        spoken(move.text) for move in game.history]
    assert " wins in turn " in data["steps"][-1]["scene"]["outcome"]
    scored = {step["scene"]["me"] for step in data["steps"] for option in step["options"]
              if option["score"] is not None}
    assert scored == {0}  # random has no scores
    assert data["chances"]["points"][-1]["chance"] in (0, 1)
    assert "a game: eva:2018 (mage) against random (warrior)" in Seen(text).text
    assert "seed 3, ruleset cig2018" in Seen(text).text
    assert written(game, tmp_path, 5) == text


def test_moves_by_hand_have_no_scores_and_nothing_is_hidden_of_two_hands(tmp_path: Path) -> None:
    game = hsevo.Game("mage", "warrior", seed=3)
    for _ in range(6):
        game.play(game.moves[-1])
    data = data_of(written(game, tmp_path))
    assert len(data["steps"]) == 7
    assert data["steps"][-1]["options"] == []
    assert data["viewer"] is None
    assert not any(option["worth"] for step in data["steps"] for option in step["options"])
    assert all(card["card"] for step in data["steps"] for side in step["scene"]["sides"]
               for card in side["hand"])


def test_what_the_human_may_not_know_is_not_in_the_page(tmp_path: Path) -> None:
    """Only what the events, seen by the human, name may be named; but its own cards."""
    game = hsevo.Game("shaman", "mage", players=[None, "eva:2018"], seed=19)
    while game.turn < 10:
        game.step() if game.player == 1 else game.play(game.moves[0])  # which ends the turn
    assert game.scene().sides[1].secrets
    text = written(game, tmp_path, 5)
    data = data_of(text)
    assert data["chances"] is None
    assert data["viewer"] == 0
    assert "Cards that are hidden from the player are hidden here" in Seen(text).text
    open_cards = {event.card for event in game.events_for(0)} | {
        card for event in game.events_for(0) for card in event.cards}
    held = {(card.card, card.name) for card in game.scene().sides[1].hand}
    held |= {(one.card, one.name) for one in game.scene().sides[1].secrets}
    own = {card["card"] for step in data["steps"] for card in step["scene"]["sides"][0]["hand"]}
    unseen = {(card, name) for card, name in held if card not in open_cards | own}
    assert unseen
    for card, name in unseen:
        assert f'"{card}"' not in text
        assert name not in text
    for step in data["steps"]:
        assert not any(card["card"] for card in step["scene"]["sides"][1]["hand"])
        assert not any(one["card"] for one in step["scene"]["sides"][1]["secrets"])
        assert step["scene"]["me"] == 0 or step["options"] == []
    counts = [len(side.hand) for side in game.scene().sides]
    assert [len(side["hand"]) for side in data["steps"][-1]["scene"]["sides"]] == counts
    drawn = [event for event in game.events if event.what is What.DREW and event.player == 1]
    assert len(drawn) > 3


def test_a_loaded_game_has_the_same_page(tmp_path: Path) -> None:
    game = hsevo.Game("mage", "warrior", players=["eva:2018", "random"], seed=4)
    for _ in range(10):
        game.step()
    loaded = hsevo.Game.load(game.save())
    assert written(loaded, tmp_path, 2) == written(game, tmp_path, 2)
