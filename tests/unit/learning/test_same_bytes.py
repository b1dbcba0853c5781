"""Observations and masks, byte for byte: networks are trained on them.

If this fails and no rule of the game has changed, what players see has. If it should: put the new
digests here, and say why in the commit.
"""

import hashlib

import numpy as np
import pytest

import hsevo
from hsevo import learning
from tests.support.hidden import positions


@pytest.mark.parametrize(("ruleset", "expected"), [
    ("cig2018", "ae2b287d74369261"), ("msg2017", "82c8fb5a42bb32a7")])
def test_positions_are_seen_as_before(ruleset, expected):
    """Random positions of random decks, as either player sees them."""
    digest, games = hashlib.sha256(), positions(21, 400, ruleset)
    for player in (0, 1):
        for one in learning.observe(games, np.full(len(games), player)):
            digest.update(one.tobytes())
    assert digest.hexdigest()[:16] == expected


def test_steps_show_as_before():
    """Random play in a vector environment: observations, masks, rewards, and the actions drawn."""
    digest = hashlib.sha256()
    env = hsevo.make_vec("battle", num_envs=64, ruleset="msg2017", seed=8, opponent_deck="known",
                         decks=["mage", "zoo-discard-warlock"])
    seen, _ = env.reset()
    for step in range(120):
        actions = env.sample(step)
        seen, rewards, *_ = env.step(actions)
        for one in (actions, rewards, *(seen[name] for name in ("observation", "what", "at",
                                                                  "where"))):
            digest.update(one.tobytes())
    assert digest.hexdigest()[:16] == "ff2009507b5c60b8"
