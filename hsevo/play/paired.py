"""The mean of differences between two players in the same games, with its standard error.

    middle, error = paired(gaps)      the 95 % interval is middle - Z error to middle + Z error
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

Z = 1.959963984540054  # the normal quantile of 0.975, for intervals of 95 %


def paired(gaps: npt.NDArray[Any]) -> tuple[float, float]:
    """Return the middle of the interval of a mean of differences (n,), and its standard error.

    Each difference is from -1 to 1. This is the method of Agresti and Min ("Simple improved
    confidence intervals for comparing matched proportions", 2005): it adds half a difference of 1,
    half of -1 and one of 0, and so stays valid if all differences are equal.
    """
    n = len(gaps) + 2
    middle = float(np.sum(gaps)) / n
    squares = float(np.sum(np.square(gaps, dtype=np.float64))) + 1
    return middle, sqrt(squares / n - middle**2) / sqrt(n)
