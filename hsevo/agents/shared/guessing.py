"""Guessing a deck list: how probable each list of a class is, and each card still to come.

n cards of a player have been shown. Of them a list has h, its hits (a second copy counts if it has
two), and of u of their kinds it has two copies. Each method gives lists a weight, w being the prior
one:

    LIKELIHOOD  w 2^u (1 - eps)^h (30 - h)! / 30! (eps / L)^(n - h)
    MATCH       w, if no list has more hits; else 0 (Santos 2017, section 4.3.1)
    UNIFORM     0: no list is used, every card that the class may use is as likely
    BIGRAMS     w h, or w if n = 0: the pairs of a shown card and another of the list; so summed
                over lists, a card counts how often it stood in one list with what was shown
                (bigrams, as Santos 2017 describes those of Bursztein, section 3.1)

The likelihood is that of draws without replacement. With probability 1 - eps the next card is one
of those left in the list, each copy alike: it is a certain card with probability
(1 - eps) r / (30 - h), if r copies of it are left. With probability eps it is none of those, but
one of the L cards that the class may use: eps / L. The product over n cards does not depend on
their order: a hit's copies left are 2 and then 1, or 1; the cards left are 30, 29 ... (The
probabilities of one draw add up to 1 - eps k / L with k kinds left in the list: over 0.99.)

EPSILON was chosen among lists that are known, by the log probability of each of the first 16 cards
of 200 lists in random order: 0.1 loses 1.5 nats to the best (0.3) if nothing near the list is in
the database, 0.2 to the best (0.05) if only the list itself is not, 1.4 to the best (0.02) if it
is.

Of the list's 30 - h cards left, the 30 - n that the player still has are a random part; of them a
share 1 - eps with LIKELIHOOD.
"""

import math

import numpy as np

from hsevo.engine.jit import F8, I8, U2, VOID, array, entry_point, kernel

LIKELIHOOD, MATCH, UNIFORM, BIGRAMS = METHODS = range(4)
EPSILON = 0.1
SIZE = 30
DECKS_T, CARDS_T, NUMBERS_T, CHANCES_T = array(U2, 2), array(U2, 1), array(F8, 1), array(F8, 2)


@kernel(I8(DECKS_T, I8, CARDS_T, I8, I8))
def count(decks, i, shown, n, twice):
    """Return a list's hits, or, if `twice` is 1, how many kinds among them it has twice.

    decks: (m, 30), each ascending; shown: the first n, ascending.
    """
    hits, kinds, k, last = np.int64(0), np.int64(0), np.int64(0), np.int64(-1)
    for j in range(SIZE):
        card = np.int64(decks[i, j])
        while k < n and shown[k] < card:
            k += 1
        if k < n and shown[k] == card:
            hits += 1
            k += 1
            if card != last and j + 1 < SIZE and decks[i, j + 1] == card:
                kinds += 1
            last = card
    return kinds if twice == 1 else hits


@kernel(F8(I8, I8, I8, F8, F8))
def log_likelihood(hits, twice, n, epsilon, legal):
    """Return the log probability that a list shows n cards, see above; legal: L."""
    log_chance = twice * math.log(2.0) + (n - hits) * math.log(epsilon / legal)
    for h in range(hits):
        log_chance += math.log((1.0 - epsilon) / (SIZE - h))
    return log_chance


@kernel(F8(I8, I8, I8, I8, I8, F8, F8))
def log_weight(method, hits, twice, most, n, epsilon, legal):
    """Return the log of the factor of a list's prior weight, -inf for 0; most: the best hits."""
    if method == LIKELIHOOD:
        return log_likelihood(hits, twice, n, epsilon, legal)
    if method == MATCH:
        return 0.0 if hits == most else -np.inf
    if method == UNIFORM:
        return -np.inf
    return -np.inf if hits == 0 and n > 0 else math.log(max(hits, 1))


@kernel(VOID(I8, DECKS_T, NUMBERS_T, CARDS_T, I8, F8, F8, NUMBERS_T))
def weigh(method, decks, prior, shown, n, epsilon, legal, out):
    """Write the probability of each list to `out` (m,): they add up to 1, or all are 0."""
    most, best, total = np.int64(0), -np.inf, 0.0
    for i in range(len(decks)):
        most = max(most, count(decks, i, shown, n, 0))
    for i in range(len(decks)):
        out[i] = math.log(prior[i]) + log_weight(
            method, count(decks, i, shown, n, 0), count(decks, i, shown, n, 1), most, n, epsilon,
            legal)
        best = max(best, out[i])
    for i in range(len(decks)):
        out[i] = math.exp(out[i] - best) if out[i] > -np.inf else 0.0
        total += out[i]
    for i in range(len(decks)):
        out[i] = out[i] / total if total > 0 else 0.0


@kernel(F8(I8, I8, I8, F8))
def share_left(method, hits, n, epsilon):
    """Return the probability that a copy left in a list is among what a player still has."""
    share = (SIZE - n) / (SIZE - hits) if n < SIZE and hits < SIZE else 0.0
    return share * (1.0 - epsilon) if method == LIKELIHOOD else share


@kernel(VOID(DECKS_T, I8, CARDS_T, I8, F8, F8, CHANCES_T))
def add_left(decks, i, shown, n, weight, share, out):
    """Add to `out` (cards, 2) what a list of this weight says of each card's next two copies."""
    k, last = np.int64(0), np.int64(-1)
    for j in range(SIZE):
        card = np.int64(decks[i, j])
        while k < n and shown[k] < card:
            k += 1
        if k < n and shown[k] == card:
            k += 1
        elif card == last:  # its second copy: one of both is there, or both are
            out[card, 0] += weight * share * (1.0 - share)
            out[card, 1] += weight * share * share
        else:
            out[card, 0] += weight * share
            last = card


@entry_point(VOID(I8, DECKS_T, NUMBERS_T, CARDS_T, F8, F8, NUMBERS_T, CHANCES_T), "guessing")
def guess(method, decks, prior, shown, epsilon, legal, weights, chances):
    """Write each list's probability, and for each card that one more copy, and two more, come.

    decks: uint16 (m, 30), of one class, each ascending. prior: float64 (m,), > 0. shown: uint16
    (n,), ascending. legal: cards that the class may use. weights: float64 (m,); chances: float64
    (cards, 2), which is added to.
    """
    n = len(shown)
    weigh(method, decks, prior, shown, n, epsilon, legal, weights)
    for i in range(len(decks)):
        if weights[i] > 0:
            hits = count(decks, i, shown, n, 0)
            add_left(decks, i, shown, n, weights[i], share_left(method, hits, n, epsilon), chances)
