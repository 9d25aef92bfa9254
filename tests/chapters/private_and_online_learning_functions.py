"""Functions for the tests of the chapter on private and online learning that its page does not need.

They compute the best constant of the recursion in unit 1, the numbers of the theorem on long lines, homogeneous
sets, and the least expected number of mistakes of a private player who guesses a bit.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from math import factorial, floor, log2, prod

import numpy as np
from scipy.optimize import linprog


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


def one_colour(points, colour, k):
    """Points whose sets of k all have one colour, as in the proof of Ramsey's theorem."""
    parts = defaultdict(list)
    if k == 1:
        for x in points:
            parts[colour((x,))].append(x)
        return max(parts.values(), key=len)
    chosen, reserve = [], list(points)
    while reserve:
        a = reserve[0]
        earlier = [(*S, a) for S in combinations(chosen, k - 2)]
        chosen.append(a)
        parts = defaultdict(list)
        for x in reserve[1:]:
            parts[tuple(colour((*S, x)) for S in earlier)].append(x)
        reserve = max(parts.values(), key=len, default=[])
    last = chosen.pop()
    return [*one_colour(chosen, lambda S: colour((*S, last)), k - 1), last]


def bit_mistakes(T, ratio):
    """Least expected mistakes on one secret bit in T rounds; ``ratio`` is the exponential of epsilon.

    The unknowns of the linear program are the probabilities of all lists of guesses, given each list of
    labels. A coin may swap the bits, so it is enough to minimise the mean over both.
    """
    shape = (2,) * (T - 1) + (2,) * T  # T - 1 labels, then T guesses
    size = prod(shape)
    unknown = np.eye(size).reshape(*shape, size)
    equal, private = [], []
    for label in range(T - 1):
        zero, one = unknown.take(0, axis=label), unknown.take(1, axis=label)
        private += [zero - ratio * one, one - ratio * zero]
        later = tuple(range(T - 1 + label, 2 * T - 2))
        equal.append((zero - one).sum(axis=later))  # no guess depends on later labels
    sums = unknown.sum(axis=tuple(range(T - 1, 2 * T - 1)))
    equal = [part.reshape(-1, size) for part in (sums, *equal)]
    sides = np.zeros(sum(map(len, equal)))
    sides[: 2 ** (T - 1)] = 1  # probabilities add up to 1
    ones = np.indices((2,) * T).sum(axis=0).ravel()
    first, *_, last = unknown.reshape(-1, 2**T, size)  # all labels are 0, or 1
    return linprog(
        (ones @ first + (T - ones) @ last) / 2,
        A_ub=np.concatenate([part.reshape(-1, size) for part in private]),
        b_ub=np.zeros((T - 1) * size),
        A_eq=np.concatenate(equal),
        b_eq=sides,
    ).fun
