"""Functions with which the tests of the definition of privacy check the theorems of the chapter."""

from fractions import Fraction
from math import exp

import numpy as np

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.distributions import DiscreteLaplace

chapter = chapter_module("what-privacy-promises")
BITS = np.array([0, 1])


def slowest_admission(epsilon, delta, m):
    """The largest probabilities of speaking that the definition permits, by the number of yes."""
    said = [0.0]
    for _ in range(m):
        silent = 1 - exp(-epsilon) * (1 - said[-1] - delta)
        said.append(min(exp(epsilon) * said[-1] + delta, silent, 1.0))
    return np.array(said)


def left_after(images, law, before, grid):
    """Number of values, exact parameter and largest rise of the curve after one map of the outputs."""
    channel, m = np.eye(len(images))[list(images)], len(images) - 1
    after = audit.exact(lambda z: law(z) @ channel, BITS, m, ordered=False)
    return len(set(images)), after.epsilon, (after.delta(grid) - before).max()


def noisy(count):
    """Distribution of a count with discrete Laplace noise, clamped to 0, ..., 3."""
    law = DiscreteLaplace(int(count), scale=1 / Fraction(chapter.epsilon))
    return np.array([law.cdf(0), *np.exp(law.logpmf([1, 2])), law.sf(2)])


def noisy_counts(z):
    """Distribution of the noisy numbers of yes and of no."""
    return np.multiply.outer(noisy(sum(z)), noisy(len(z) - sum(z))).ravel()


def admitted(z):
    """Somebody did, by the number of yes minus that of no, moved so that the most is two."""
    said = slowest_admission(chapter.epsilon, chapter.delta, 2)
    q = said[np.clip(2 * sum(z) - len(z) + 1, 0, 2)]
    return [1 - q, q]


def answer_lists(z):
    """Distribution of the list of randomised answers, among lists of one, two and three."""
    said = chapter.answers_by_name(chapter.epsilon)(z)
    lists = [said if n == len(z) else np.zeros(2**n) for n in (1, 2, 3)]
    return np.concatenate(lists)
