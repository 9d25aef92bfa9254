"""Tracing: what the page computes, against enumeration of small studies and its theorems."""

from fractions import Fraction
from itertools import product
from math import prod, sinh, sqrt

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.divergences import gaussian_delta

chapter = tangled("tracing")


def rising(a, k):
    return prod((a + i for i in range(k)), start=Fraction(1))


def moment(j, k, b=Fraction(1)):
    """Mean of u^j (1 - u)^k, u from the symmetric beta distribution."""
    return rising(b, j) * rising(b, k) / rising(2 * b, j + k)


def weights(x, b=Fraction(1)):
    """Chance of one question's answers, and the mean of p on them: exact, as integrals over p = 2 u - 1."""
    yes, no = x.count(1), x.count(-1)
    chance = moment(yes, no, b)
    return chance, 2 * moment(yes + 1, no, b) - chance


def studies(n, d):
    """All studies, one tuple of n answers for each question, with chances and the means of each p_j."""
    for columns in product(product((-1, 1), repeat=n), repeat=d):
        parts = [weights(x) for x in columns]
        chance = prod(c for c, _ in parts)
        yield columns, chance, [chance * m / c for c, m in parts]


def total_score(release, n, d):
    """Mean total score, and mean square error, of a release; exact."""
    score = error = Fraction(0)
    for columns, chance, means in studies(n, d):
        for x, mean, a in zip(columns, means, release(columns), strict=True):
            score += a * (sum(x) * chance - n * mean)
            error += chance * (a - Fraction(sum(x), n)) ** 2
    return score, error


@pytest.mark.parametrize("n", [1, 3, 4])
def test_both_sides_that_the_page_shows_are_exact(n):
    for power in (1, 2, 3):
        exact = float(total_score(lambda z, k=power: [sum(z[0]) ** k], n, 1)[0])
        found = chapter.both_sides(lambda s, k=power: s**k, n)
        assert found == pytest.approx((exact, exact), abs=1e-9)


@pytest.mark.parametrize("d", [100, 10_000, 10**6])
@pytest.mark.parametrize(("alpha", "epsilon"), [(0.05, 0.2), (0.1, 1.0), (0.28, 2.0)])
def test_the_floor_is_what_padding_gives_and_noise_is_above_it(d, alpha, epsilon):
    def possible(n):
        """No group of m among n contradicts the theorem."""
        m = np.arange(1, n + 1)
        most = m * (sinh(epsilon) * sqrt(2 * d / 3) + 4 * d / (24 * n))
        return bool((most >= 2 / 3 * (1 - sqrt(3) * alpha * n / m) * d).all())

    floor = chapter.floor(d, alpha, epsilon)
    impossible = range(1, int(floor) + 1)
    assert not any(map(possible, impossible[:200]))
    assert not any(map(possible, impossible[-200:]))
    assert possible(int(3 * max(floor, 0)) + 20)
    assert floor < chapter.gaussian_records(d, alpha, epsilon, 1e-9)
    assert floor < chapter.laplace_records(d, alpha, epsilon)


@pytest.mark.parametrize("d", [1, 100, 10**6])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 3.0])
def test_the_simple_floors_follow_and_the_sharp_ones_ask_for_more(d, epsilon):
    floor = chapter.every_release(d, 0.25, epsilon)
    assert floor == pytest.approx(sqrt(d) / (7 * sinh(epsilon)))
    below = 0.999 * floor  # at delta = 1 / (32 n) so few records contradict the two theorems
    assert below * sinh(epsilon) * sqrt(2 * d / 3) + d / 8 < (1 / 3 - 1 / 16) * d
    assert chapter.every_release(d, 0.02, epsilon) == pytest.approx(12.5 * floor)
    assert sqrt(d / 24) / sinh(epsilon) > floor
    if floor > 20:
        assert chapter.floor(d, 0.02, epsilon) > chapter.every_release(d, 0.02, epsilon)


def test_noise_of_the_stated_size_is_private():
    for d, alpha, epsilon, delta in ((1, 0.1, 1.0, 1e-6), (100, 0.02, 0.3, 1e-9)):
        n = chapter.gaussian_records(d, alpha, epsilon, delta)
        assert gaussian_delta(epsilon, 2 * sqrt(d) / (n * alpha)) <= delta
        n = chapter.laplace_records(d, alpha, epsilon)
        assert 2 * d / n / (alpha / sqrt(2)) == pytest.approx(epsilon)  # L1 sensitivity over scale
