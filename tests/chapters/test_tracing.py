"""Tracing: the theorems of the units against enumeration of all small studies."""

from fractions import Fraction
from itertools import product
from math import comb, factorial, prod, sinh, sqrt

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


def test_a_mean_of_powers_is_what_it_is_called():
    nodes, mass = np.polynomial.legendre.leggauss(12)
    u = (1 + nodes) / 2
    for j, k in product(range(4), repeat=2):
        assert float(moment(j, k)) == pytest.approx((u**j * (1 - u) ** k) @ mass / 2, rel=1e-12)
        assert moment(j, k) == Fraction(factorial(j) * factorial(k), factorial(j + k + 1))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_rule_of_succession_holds_for_every_list_of_answers(n):
    for x in product((-1, 1), repeat=n):
        chance, mean = weights(x)
        assert mean / chance == Fraction(sum(x), n + 2)
        assert chance * comb(n, x.count(1)) == Fraction(1, n + 1)


@pytest.mark.parametrize("b", [Fraction(1, 2), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_fingerprinting_identity_holds_for_every_function_of_the_answers(n, b):
    # both sides are linear in the function, so the indicators of single lists of answers suffice
    for x in product((-1, 1), repeat=n):
        chance, mean = weights(x, b)
        assert sum(x) * chance - n * mean == 2 * b * mean
        if b == 1:
            assert 2 * mean == Fraction(2 * n, n + 2) * chance * Fraction(sum(x), n)
    second = 4 * moment(2, 0, b) - 4 * moment(1, 0, b) + 1
    assert second == 1 / (2 * b + 1)
    spread = sum(weights(x, b)[0] * Fraction(sum(x), n) ** 2 for x in product((-1, 1), repeat=n))
    assert spread == (n + 2 * b) / (n * (2 * b + 1))


@pytest.mark.parametrize("n", [1, 3, 4])
def test_both_sides_that_the_page_shows_are_exact(n):
    for power in (1, 2, 3):
        exact = float(total_score(lambda z, k=power: [sum(z[0]) ** k], n, 1)[0])
        found = chapter.both_sides(lambda s, k=power: s**k, n)
        assert found == pytest.approx((exact, exact), abs=1e-9)


def test_exact_means_have_two_thirds_and_signs_the_most():
    for n, d in ((1, 2), (3, 1), (3, 2)):
        means = total_score(lambda z, n=n: [Fraction(sum(x), n) for x in z], n, d)
        assert means == (Fraction(2, 3) * d, 0)
        signs = total_score(lambda z: [1 if sum(x) > 0 else -1 for x in z], n, d)[0]
        assert signs == Fraction(n + 1, n + 2) * d  # part (a) of a proof problem; part (b) is below


def test_three_answers_tell_what_the_table_of_the_page_says():
    pulls = {k: [] for k in range(4)}
    for x in product((-1, 1), repeat=3):
        chance, mean = weights(x)
        pulls[x.count(1)].append((chance, mean / chance, (sum(x) * chance - 3 * mean) / chance))
    for k, s in enumerate((-3, -1, 1, 3)):
        assert sum(chance for chance, *_ in pulls[k]) == Fraction(1, 4)
        assert all((mean, pull) == (Fraction(s, 5), Fraction(2 * s, 5)) for _, mean, pull in pulls[k])
    assert total_score(lambda z: [Fraction(sum(z[0]), 3)], 3, 1)[0] == Fraction(2, 3)
    assert total_score(lambda z: [1 if sum(z[0]) > 0 else -1], 3, 1)[0] == Fraction(4, 5)


def test_every_release_of_a_small_study_traces_as_the_theorem_says():
    lists = list(product((-1, 1), repeat=2))
    closest = 9.0
    for values in product((-1, -0.5, 0, 0.5, 1), repeat=4):
        answer = {x: Fraction(v) for x, v in zip(lists, values, strict=True)}
        score, error = total_score(lambda z, answer=answer: [answer[z[0]]], 2, 1)
        bound = 2 / 3 * (1 - sqrt(3 * error))
        assert score >= bound - 1e-12
        assert score >= Fraction(1, 3) - error  # the simple theorem, exactly
        assert score <= 2 * Fraction(2, 4) * Fraction(2, 3)  # that of signs, E |mean| being 2/3
        closest = min(closest, float(score) - bound)
    assert closest < 1e-9  # exact means attain it
    rng = np.random.default_rng(1)
    for _ in range(20):  # two questions: a release may look at both
        table = {z: [Fraction(int(v), 4) for v in rng.integers(-4, 5, 2)] for z in product(lists, repeat=2)}
        score, error = total_score(table.__getitem__, 2, 2)
        assert score >= 2 / 3 * (1 - sqrt(3 * error / 2)) * 2 - 1e-12
        assert score >= (Fraction(1, 3) - error / 2) * 2


def laws(rng, n, d, n_outputs, scale):
    """A random algorithm: outputs in the cube, and a law for each data set, similar for a small scale."""
    outputs = rng.uniform(-1, 1, (n_outputs, d)).round(2)
    outputs[0], outputs[1] = 1, -1
    table = {}
    for z, _, _ in studies(n, d):
        tilt = np.array([sum(x) for x in z]) @ outputs.T
        mass = np.exp(scale * (tilt + rng.uniform(-1, 1, n_outputs)))
        table[z] = mass / mass.sum()
    return outputs, table


def neighbours(z):
    """Data sets in which one person's answers differ, all questions at once."""
    n, d = len(z[0]), len(z)
    for i, y in product(range(n), product((-1, 1), repeat=d)):
        yield tuple(x[:i] + (answer,) + x[i + 1 :] for x, answer in zip(z, y, strict=True))


@pytest.mark.parametrize(("n", "d"), [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)])
@pytest.mark.parametrize("scale", [0.05, 0.4, 1.5])
def test_privacy_bounds_the_score_of_each_participant(n, d, scale):
    rng = np.random.default_rng(7)
    for _ in range(3):
        outputs, table = laws(rng, n, d, 4, scale)
        pairs = [(table[z], table[y]) for z in table for y in neighbours(z)]
        largest = max(np.log(p / q).max() for p, q in pairs)
        scores, error, about = np.zeros(n), 0.0, d / 3  # about: the error about p, with E p^2 = 1/3
        for z, chance, means in studies(n, d):
            for i in range(n):
                pull = np.array([x[i] * float(chance) - float(m) for x, m in zip(z, means, strict=True)])
                scores[i] += table[z] @ (outputs @ pull)
            off = outputs - np.mean(z, axis=1)
            error += float(chance) * (table[z] @ (off**2).sum(axis=1))
            about += float(chance) * (
                table[z] @ (outputs * (outputs - 2 * np.sum(z, axis=1) / (n + 2))).sum(axis=1)
            )
        for epsilon in (largest, largest / 2, 0.0):
            delta = max(np.maximum(p - np.exp(epsilon) * q, 0).sum() for p, q in pairs)
            ceiling = sinh(epsilon) * sqrt(2 * d / 3) + 4 * delta * d
            assert scores.max() <= ceiling + 1e-12
            alpha = sqrt(error / d)
            assert n * ceiling >= 2 / 3 * (1 - sqrt(3) * alpha) * d - 1e-12
            beta = sqrt(alpha**2 + (4 * alpha / sqrt(3) + 2 / 3) / n)
            assert about <= beta**2 * d + 1e-12
            centred = sinh(epsilon) * sqrt(about) + 8 * delta * d
            assert scores.max() <= centred + 1e-12
        assert scores.max() <= 2 * sinh(largest / 2) * sqrt(2 * d / 3) + 1e-12  # by chi-square


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_randomised_response_has_a_good_part_of_the_score_that_privacy_allows(epsilon):
    # one person, one question: the mean answer is tanh(epsilon / 2) times the record
    truth = np.tanh(epsilon / 2)
    score = sum(truth * x[0] * (x[0] * float(c) - float(m)) for x, c, m in
                ((x, *weights(x)) for x in ((1,), (-1,))))  # fmt: skip
    assert score == pytest.approx(2 / 3 * truth)
    assert 0.3 < score / (2 * sinh(epsilon / 2) * sqrt(2 / 3)) < 1


def test_an_outsider_has_the_mean_square_that_the_proposition_says():
    for n in (1, 3):
        # one question, exact means: 2/15 + 8/(15 n), as a proof problem has it; signs: 2/3
        squares = [Fraction(0), Fraction(0)]
        for x in product((-1, 1), repeat=n):
            yes, no = x.count(1), x.count(-1)
            spread = 4 * moment(yes + 1, no + 1)  # of 1 - p^2 = 4 u (1 - u)
            squares[0] += spread * Fraction(sum(x), n) ** 2
            squares[1] += spread
        assert squares == [Fraction(2, 15) + Fraction(8, 15 * n), Fraction(2, 3)]


def test_means_that_were_zero_change_by_at_most_the_lemma_says_and_nearly_so_much():
    rng = np.random.default_rng(3)
    for _ in range(300):
        q, p = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(5))
        g = rng.uniform(-1, 1, 5)
        g -= q @ g
        T, epsilon = np.abs(g).max(), rng.uniform(0, 2)
        delta = max(np.maximum(a - np.exp(epsilon) * b, 0).sum() for a, b in ((p, q), (q, p)))
        assert p @ g <= sinh(epsilon) * (q @ np.abs(g)) + 2 * delta * T + 1e-12
        pure = np.abs(np.log(p / q)).max()
        assert p @ g <= sqrt(((p - q) ** 2 / q).sum() * (q @ g**2)) + 1e-12
        assert sqrt(((p - q) ** 2 / q).sum()) <= 2 * sinh(pure / 2) + 1e-12
    q, g = np.array([1, 1, 2]) / 4, np.array([1, -1, 0])  # the example of the page: a factor of 2
    p = np.array([2, 0.5, 1.5]) / 4
    assert p @ g == pytest.approx(sinh(np.log(2)) * (q @ np.abs(g)))
    e = 0.7  # chi-square is attained on two outcomes
    q = np.array([np.exp(-e), 1]) / (1 + np.exp(-e))
    assert sqrt((((q[::-1] - q) ** 2) / q).sum()) == pytest.approx(2 * sinh(e / 2))


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


def test_means_of_a_few_drawn_records_are_private_with_a_large_delta_whatever_the_dimension():
    n, m = 4, 2  # the page has m = 16

    def law(z):
        found = {}
        for drawn in product(range(n), repeat=m):
            mean = Fraction(sum(z[i] for i in drawn), m)
            found[mean] = found.get(mean, 0) + Fraction(1, n**m)
        return found

    for z in product((-1, 1), repeat=n):
        p, q = law(z), law((-z[0], *z[1:]))
        distance = sum(max(p.get(a, 0) - q.get(a, 0), 0) for a in {*p, *q})
        assert distance <= Fraction(m, n)
        mean = Fraction(sum(z), n)
        assert sum(c * (a - mean) ** 2 for a, c in p.items()) == (1 - mean**2) / m
