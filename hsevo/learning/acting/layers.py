"""Layers of the end-to-end policy in compiled code, which give the same bits on every machine.

Numbers are float32, as in PyTorch. Each product and each sum is rounded by itself, in an order that
stands here: it depends neither on how many games are computed at once, nor on how wide the vectors
of a processor are. Exponentials are made of products and sums, too, so that no library's are used.

Widths are multiples of STEP (padded with zeros), so loops have no rest.
"""

import numpy as np

from hsevo.engine.jit import F4, F8, I8, VOID, array, kernel

STEP = 8  # numbers in a vector of 32 bytes
ROWS = 4  # rows of weights that are added at a time: each sum has to be read and written again
ROW_T, MATRIX_T = array(F4, 1), array(F4, 2)

_ZERO, _ONE, _TWO = np.float32(0), np.float32(1), np.float32(2)
_LEAST, _MOST = np.float32(-87), np.float32(88)  # beyond, exp() is no normal float32
_LOG2_E, _SHIFT = np.float32(1 / np.log(2)), np.float32(127)
_ROUNDED = np.float32(127.5)
_LN2, _LN2_REST = np.float32(0.693359375), np.float32(-2.12194440e-4)  # few bits, and the rest
_2, _3, _4, _5, _6, _7 = (np.float32(1 / n) for n in (2, 6, 24, 120, 720, 5040))


@kernel(F4(F4), inline=True)
def exponential(x):
    """Return e**x, exact to a few units of the last place; x below -87 counts as -87.

    2**n e**r with whole n and r within half of ln 2: a polynomial.
    """
    x = min(max(x, _LEAST), _MOST)
    n = np.int32(x * _LOG2_E + _ROUNDED)  # 127 more, so it is rounded to the nearest
    times = np.float32(n) - _SHIFT
    r = x - times * _LN2 - times * _LN2_REST
    y = _ONE + r * (_ONE + r * (_2 + r * (_3 + r * (_4 + r * (_5 + r * (_6 + r * _7))))))
    return y * np.int32(n << 23).view(np.float32)


@kernel(F4(F4), inline=True)
def sigmoid(x):
    """Return 1 / (1 + e**-x).

    np.divide, as numba's / asks whether it divides by 0, which keeps it from vectors.
    """
    return np.divide(_ONE, _ONE + exponential(-x))


@kernel(F4(F4), inline=True)
def tanh(x):
    """Return the hyperbolic tangent."""
    return _ONE - np.divide(_TWO, exponential(x + x) + _ONE)


@kernel(VOID(MATRIX_T, I8, MATRIX_T, I8, MATRIX_T, I8))
def multiply(x, width, weights, first, sums, n):
    """Add to n rows of sums those of x times rows of weights, from `first` on.

    x (n, width), sums (n, m), weights (.., m). Much of x is zero: what is not there.
    """
    for k in range(0, width, ROWS):
        for i in range(n):
            a, b, c, d = x[i, k], x[i, k + 1], x[i, k + 2], x[i, k + 3]
            if a != _ZERO or b != _ZERO or c != _ZERO or d != _ZERO:
                row = first + k
                for j in range(sums.shape[1]):
                    sums[i, j] += (a * weights[row, j] + b * weights[row + 1, j]) + (
                        c * weights[row + 2, j] + d * weights[row + 3, j])


@kernel(VOID(ROW_T, ROW_T, I8), inline=True)
def copy_row(source, target, at):
    """Copy a row to another, from `at` on."""
    for j in range(len(source)):
        target[at + j] = source[j]


@kernel(VOID(ROW_T))
def rectify(row):
    """Set what is below 0 to 0."""
    for j in range(len(row)):
        row[j] = max(row[j], _ZERO)


@kernel(F4(ROW_T, ROW_T))
def rectified_product(row, weights):
    """Return the sum of the products of a row, rectified, and weights: in four parts."""
    a, b, c, d = _ZERO, _ZERO, _ZERO, _ZERO
    for j in range(0, len(row), ROWS):
        a += max(row[j], _ZERO) * weights[j]
        b += max(row[j + 1], _ZERO) * weights[j + 1]
        c += max(row[j + 2], _ZERO) * weights[j + 2]
        d += max(row[j + 3], _ZERO) * weights[j + 3]
    return (a + b) + (c + d)


@kernel(VOID(ROW_T, ROW_T, ROW_T))
def remember(gates, h, c):
    """Update an LSTM's memory, h and c (m,), by its gates (4 m,) before they are bounded.

    In PyTorch's order: input, forget, cell, output.
    """
    m = len(h)
    for j in range(m):
        c[j] = sigmoid(gates[m + j]) * c[j] + sigmoid(gates[j]) * tanh(gates[2 * m + j])
    for j in range(m):
        h[j] = sigmoid(gates[3 * m + j]) * tanh(c[j])


@kernel(F8(ROW_T, I8))
def become_chances(scores, n):
    """Turn the scores of n options into chances times a number, e**(score - most); return it."""
    most, total = scores[0], 0.0
    for k in range(1, n):
        most = max(most, scores[k])
    for k in range(n):
        scores[k] = exponential(scores[k] - most)
    for k in range(n):
        total += scores[k]
    return total


@kernel(I8(ROW_T, I8, F8))
def drawn(chances, n, wanted):
    """Return the first of n options at which the sum of the chances up to it is above `wanted`."""
    below = 0.0
    for k in range(n - 1):
        below += chances[k]
        if below > wanted:
            return k
    return n - 1
