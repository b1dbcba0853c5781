"""End-to-end policies with random parameters, which need no PyTorch."""

from unittest.mock import patch

import numpy as np

from hsevo import config
from hsevo.cards.decks import read_deck
from hsevo.config.learning import NetworkSettings, Plan
from hsevo.learning import folder
from hsevo.learning.acting.checkpoints import StoredPolicy
from hsevo.learning.acting.weights import sizes
from hsevo.learning.folder import LearnedPeriod, LearningRun

TINY = NetworkSettings(embedding=5, width=9, lstm=7)
WATCHFUL = TINY.model_copy(update={"history": True})  # it sees what happened in the game


def random_policy(seed=1, net=TINY, classes=(), build=False, shown="hidden"):
    """Return a policy with parameters of the size that training begins with."""
    random = np.random.default_rng(seed)
    settings = net.model_copy(update={"isolate": bool(classes), "build": build,
                                      "opponent_deck": shown})
    own = {name: (random.standard_normal(size) * (0.3 if len(size) > 1 else 0.1)).astype("f4")
           for name, size in sizes(settings).items()}
    parameters = {f"networks.{one}.{name}": own[name] * np.float32(1 + one / 10)
                  for one in classes for name in own} or own
    return StoredPolicy(settings, "cig2018", parameters)


def random_run(path, periods=3, build=True, decks="mage,warrior"):
    """Make the run folder of such policies of some decks, one a period; return its path."""
    plan = config.load("end-to-end-smoke", [f"network.build={build}", "periods=5",
                                          f"decks=[{decks}]"], model=Plan)
    with patch.object(folder, "method", lambda policy: ""), patch.object(
            folder, "version", lambda name: ""):  # of PyTorch
        run = LearningRun.make(path, plan, [read_deck(name) for name in plan.decks], {})
        for number in range(periods):
            line = dict.fromkeys(run.tables["learning.csv"].names, 0)
            line |= {"period": number, "reason": ""}
            data = random_policy(number, build=build).data()
            run.append(LearnedPeriod(line, 0.0, None, data, {}, {}))
    return path
