"""A game prints its board, without what a player may not know."""

import hsevo


def test_a_printed_game_hides_the_hand_of_the_agent_that_one_plays_against() -> None:
    open_game = hsevo.Game("mage", "warrior", seed=3)
    closed = hsevo.Game("mage", "warrior", players=[None, "random"], seed=3)
    mine, its = (side.hand for side in open_game.scene().sides)
    assert all(card.name in str(open_game) for card in (*mine, *its))
    assert all(card.name in str(closed) for card in mine)
    assert f"hidden of random: {len(its)} in hand" in str(closed)
    only_its = {card.name for card in its} - {card.name for card in mine}
    assert only_its
    assert not any(name in str(closed) for name in only_its)
    assert max(map(len, str(closed).splitlines())) <= 80


def test_a_notebook_shows_the_same_board() -> None:
    game = hsevo.Game("mage", "warrior", players=[None, "eva:2018"], seed=3)
    shown = game._repr_html_()
    assert shown.startswith("<pre>")
    assert "hidden of eva:2018" in shown
