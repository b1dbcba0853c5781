"""End-to-end policies with random parameters, which need no PyTorch."""

import numpy as np

from hsevo.learning.acting.checkpoints import Stored
from hsevo.learning.acting.shapes import NetSettings
from hsevo.learning.acting.weights import sizes

TINY = NetSettings(embedding=5, width=9, lstm=7)


def random_policy(seed=1, net=TINY, classes=(), build=False, knows=False):
    """Return a policy with parameters of the size that training begins with."""
    random = np.random.default_rng(seed)
    own = {name: (random.standard_normal(size) * (0.3 if len(size) > 1 else 0.1)).astype("f4")
           for name, size in sizes(net, build).items()}
    parameters = {f"networks.{one}.{name}": own[name] * np.float32(1 + one / 10)
                  for one in classes for name in own} or own
    return Stored(net, bool(classes), build, knows, "cig2018", parameters)
