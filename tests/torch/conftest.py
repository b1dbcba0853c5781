"""What several test files share: a finished run, made once in each process of tests."""

import pytest


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """Return a finished run, which had a teacher to its end, and which no test changes."""
    from tests.torch.support import TAUGHT, learn  # needs PyTorch

    return learn(tmp_path_factory.mktemp("learned") / "whole", workers=1, changes=TAUGHT)


@pytest.fixture(scope="session")
def switched_run(tmp_path_factory):
    """Return one of a network for each class, which build their decks, and see much.

    They see the other's deck, and what happened in the game.

    They have a teacher, which builds no decks.
    """
    from tests.torch.support import TAUGHT, learn

    return learn(tmp_path_factory.mktemp("switched") / "run", workers=1, changes=TAUGHT | {
        "network.isolate": True, "network.build": True, "network.opponent_deck": "known",
        "network.history": True, "periods": 1, "games": 4, "payoff_games": 0})
