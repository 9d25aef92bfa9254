"""Functions for the tests of the chapter on private and online learning that its page does not need.

They compute the best constant of the recursion in unit 1, the numbers of the theorem on long lines, and the
least expected number of mistakes of a private player for any small class.
"""

from fractions import Fraction
from itertools import product
from math import factorial, floor, inf, log2

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, vstack


def last_good(eta, d):
    """``g_d`` minus ``eta`` in the recursion of the proof, and below 0 if some ``g_j`` is below ``eta``."""
    g = 1.0
    for _ in range(d):
        g = g * (g - eta) / 2 if g >= eta else -1.0
    return g - eta


def block(m, t, ratio, delta, beta):
    """The number M of the theorem on long lines; ``ratio`` is the exponential of epsilon."""
    spare = (1 - Fraction(beta)) / (2 * t + 1) - (1 + ratio) * Fraction(delta)
    return floor(m - 1 + ratio**2 / spare) + 1


def ramsey(k, C, M):
    """R_k(C, M) as a power tower: the number of twos, and the top; M itself for one colour."""
    if C == 1:
        return 0, M
    R = C * (M - 1) + 1
    height, top = 1, log2(R + 1) + R * log2(C)  # of R_2
    for r in range(2, k):  # log2 log2 of the next is about r log2 R
        if height == 1:
            top = r * top + log2(log2(C) / factorial(r))
        elif height == 2:
            top += log2(r)
        height += 1
    return height, top


def _sparse(columns, values, width):
    """A matrix whose rows have these values in these columns."""
    columns = np.asarray(columns)
    rows = np.repeat(np.arange(len(columns)), columns.shape[1])
    filled = np.broadcast_to(values, columns.shape).ravel()
    return coo_array((filled, (rows, columns.ravel())), (len(columns), width))


def _unseen(place, Z, A, T):
    """What is published up to a round does not depend on the example of this round."""
    for t in range(1, T):
        part = place[(slice(None),) * t + (0,) * (T - 1 - t)]
        part = part.reshape(Z ** (t - 1), Z, A**t, A ** (T - t))
        signs = np.repeat([1, -1], A ** (T - t))
        for z in range(1, Z):
            pair = np.concatenate([part[:, 0], part[:, z]], axis=-1)
            yield _sparse(pair.reshape(-1, len(signs)), signs, place.size + 1)


def _private(place, Z, T, ratio):
    """The inequalities of privacy for neighbours, which differ in one round."""
    for t, z, other in product(range(T - 1), range(Z), range(Z)):
        if z != other:
            pair = [place.take(k, axis=t).ravel() for k in (z, other)]
            yield _sparse(np.transpose(pair), [1, -ratio], place.size + 1)


def _mistakes(place, examples, hypotheses, answers, T):
    """For each sequence with which a hypothesis agrees, the mistakes minus the bound."""
    wrong = np.array([[f[x] != y for f in answers] for x, y in examples], float)
    fit = np.array([[h[x] == y for x, y in examples] for h in hypotheses])
    for shown in product(range(len(examples)), repeat=T):
        if fit[:, shown].all(axis=1).any():
            total = sum(
                np.expand_dims(wrong[z], [k for k in range(T) if k != t])
                for t, z in enumerate(shown)
            ).ravel()
            columns = np.append(place[shown[:-1]].ravel(), place.size)
            yield _sparse([columns], np.append(total, -1), place.size + 1)


def private_mistakes(hypotheses, answers, T, ratio):
    """Least expected number of mistakes of a private player who publishes functions among ``answers``.

    ``ratio`` is the exponential of epsilon, and infinite for a player without privacy.
    """
    examples = list(product(range(len(hypotheses[0])), (0, 1)))
    Z, A = len(examples), len(answers)
    place = np.arange(Z ** (T - 1) * A**T).reshape((Z,) * (T - 1) + (A,) * T)
    sums = _sparse(place.reshape(-1, A**T), 1, place.size + 1)
    equal = vstack([sums, *_unseen(place, Z, A, T)])
    sides = np.zeros(equal.shape[0])
    sides[: len(place.reshape(-1, A**T))] = 1
    hidden = _private(place, Z, T, ratio) if ratio < inf else ()
    counted = _mistakes(place, examples, hypotheses, answers, T)
    upper = vstack([*counted, *hidden])
    cost = np.append(np.zeros(place.size), 1)
    return linprog(
        cost, upper, np.zeros(upper.shape[0]), equal, sides, method="highs-ipm"
    ).fun
