"""Tracing: what the page computes against enumeration of small studies, its exact tests, and the checkers."""

from fractions import Fraction
from itertools import product
from math import comb, prod, sinh, sqrt

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml.divergences import gaussian_delta
from privml.learners.perturbation.minimisers import MeanClassifier
from tests.chapters.checkers import checkers, several
from tests.chapters.tracing_functions import (
    best_trade_off,
    blind_misses,
    least_questions,
)

chapter = chapter_module("tracing")


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
    spread = sum(
        weights(x, b)[0] * Fraction(sum(x), n) ** 2 for x in product((-1, 1), repeat=n)
    )
    assert spread == (n + 2 * b) / (n * (2 * b + 1))


def test_every_release_of_a_small_study_traces_as_the_theorem_says():
    lists = list(product((-1, 1), repeat=2))
    closest = 9.0
    for values in product((-1, -0.5, 0, 0.5, 1), repeat=4):
        answer = {x: Fraction(v) for x, v in zip(lists, values, strict=True)}
        score, error = total_score(lambda z, answer=answer: [answer[z[0]]], 2, 1)
        bound = 2 / 3 * (1 - sqrt(3 * error))
        assert score >= bound - 1e-12
        assert score >= Fraction(1, 3) - error  # the simple theorem, exactly
        assert score <= 2 * Fraction(2, 4) * Fraction(
            2, 3
        )  # that of signs, E |mean| being 2/3
        closest = min(closest, float(score) - bound)
    assert closest < 1e-9  # exact means attain it
    rng = np.random.default_rng(1)
    for _ in range(20):  # two questions: a release may look at both
        table = {
            z: [Fraction(int(v), 4) for v in rng.integers(-4, 5, 2)]
            for z in product(lists, repeat=2)
        }
        score, error = total_score(table.__getitem__, 2, 2)
        assert score >= 2 / 3 * (1 - sqrt(3 * error / 2)) * 2 - 1e-12
        assert score >= (Fraction(1, 3) - error / 2) * 2


@pytest.mark.parametrize("d", [1, 100, 10**6])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 3.0])
def test_the_simple_floors_follow_and_the_sharp_ones_ask_for_more(d, epsilon):
    floor = chapter.every_release(d, 0.25, epsilon)
    assert floor == pytest.approx(sqrt(d) / (7 * sinh(epsilon)))
    below = (
        0.999 * floor
    )  # at delta = 1 / (32 n) so few records contradict the two theorems
    assert below * sinh(epsilon) * sqrt(2 * d / 3) + d / 8 < (1 / 3 - 1 / 16) * d
    assert chapter.every_release(d, 0.02, epsilon) == pytest.approx(12.5 * floor)
    if d == 10**6 and epsilon <= 1:  # where n is at least 6 / alpha^2
        least = chapter.centred_floor(d, 0.02, epsilon, 1e-12)
        assert least >= sqrt(d) / (8 * 0.02 * sinh(epsilon))
        assert least > 4 * chapter.every_release(d, 0.02, epsilon)


def test_noise_of_the_stated_size_is_private():
    for d, alpha, epsilon, delta in ((1, 0.1, 1.0, 1e-6), (100, 0.02, 0.3, 1e-9)):
        n = chapter.gaussian_records(d, alpha, epsilon, delta)
        assert gaussian_delta(epsilon, mu=2 * sqrt(d) / (n * alpha)) <= delta
        n = chapter.laplace_records(d, alpha, epsilon)
        assert 2 * d / n / (alpha / sqrt(2)) == pytest.approx(
            epsilon
        )  # L1 sensitivity over scale


def fair(n, d):
    """Score, likelihood ratio's two chances and their number, over all fair studies and records, counted."""
    outside, inside = {}, {}
    for study in product(product((-1, 1), repeat=d), repeat=n):
        sums = np.sum(study, axis=0)
        for y in product((-1, 1), repeat=d):
            key = (y, tuple(sums))
            outside[key] = outside.get(key, 0) + 1
        key = (study[0], tuple(sums))
        inside[key] = inside.get(key, 0) + 2**d
    return outside, inside, 2 ** (d * n + d)


def misses(values, outside, inside, levels):
    """Least misses of tests that say participant for large values, by sorting."""
    order = np.argsort(-np.asarray(values), kind="stable")
    values = np.asarray(values)[order]
    ends = np.append(np.flatnonzero(np.diff(values) < -1e-9), len(values) - 1)
    fa = np.append(0, np.cumsum(np.asarray(outside)[order])[ends])
    return np.interp(
        levels, fa, 1 - np.append(0, np.cumsum(np.asarray(inside)[order])[ends])
    )


@pytest.mark.parametrize(("n", "d"), [(1, 2), (2, 3), (3, 2), (4, 2)])
def test_both_trade_offs_of_fair_studies_are_those_of_enumeration(n, d):
    outside, inside, total = fair(n, d)
    keys = list(outside)
    out = [outside[key] / total for key in keys]
    hit = [inside.get(key, 0) / total for key in keys]
    levels = np.linspace(0, 1, 33)
    scores = [np.dot(*key) for key in keys]
    assert chapter.exact_trade_off(n, d, levels) == pytest.approx(
        misses(scores, out, hit, levels)
    )
    ratio = [prod(1 + y * s / n for y, s in zip(*key, strict=True)) for key in keys]
    for key, L in zip(keys, ratio, strict=True):
        assert inside.get(key, 0) == pytest.approx(L * outside[key])
    assert best_trade_off(n, d, levels) == pytest.approx(
        misses(ratio, out, hit, levels)
    )
    assert (
        misses(ratio, out, hit, levels) <= misses(scores, out, hit, levels) + 1e-12
    ).all()


def test_noisy_scores_are_mixtures_of_normal_laws():
    n, d, sigma = 2, 3, 0.4
    outside, inside, total = fair(n, d)
    t = np.linspace(6, -6, 4001)

    def above(counts):
        parts = (
            c * ndtr((np.dot(*key) / n - t) / (sigma * sqrt(d)))
            for key, c in counts.items()
        )
        return sum(parts) / total

    levels = np.linspace(0.01, 0.99, 25)
    exact = np.interp(levels, above(outside), 1 - above(inside))
    assert chapter.noisy_trade_off(n, d, sigma, levels) == pytest.approx(
        exact, abs=1e-4
    )


@pytest.mark.parametrize("sigma", [0.3, 1.0])
def test_the_best_blind_test_is_that_of_a_grid_in_the_plane(sigma):
    n, d = 2, 2
    edges = np.linspace(-1 - 7 * sigma, 1 + 7 * sigma, 801)
    parts = [np.diff(ndtr((edges - value) / sigma)) for value in (-1, 0, 1)]
    one = (
        np.array([[0.25, 0.5, 0.25], [0, 0.5, 0.5]]) @ parts
    )  # how many of two agree: outsider, participant
    out, hit = (np.outer(law, law).ravel() for law in one)
    kept = out > 1e-14
    levels = np.linspace(0.02, 0.98, 25)
    exact = misses(np.log(hit[kept] / out[kept]), out[kept], hit[kept], levels)
    found = blind_misses(n, d, sigma, levels)
    assert found == pytest.approx(exact, abs=1e-3)
    assert (found <= chapter.noisy_trade_off(n, d, sigma, levels) + 1e-3).all()


def test_least_numbers_of_questions_are_least():
    for n in (2, 3):
        best, scored = least_questions(n)
        for least, trade_off in (
            (best, best_trade_off),
            (scored, chapter.exact_trade_off),
        ):
            assert trade_off(n, least, 0.05) <= 0.05 < trade_off(n, least - 1, 0.05)
        assert best < scored
    # without the primes: two people, so a question has ratio 0, 1 or 2, and only the number of twos counts
    d = least_questions(2)[0]
    k = np.arange(d + 1)  # questions with ratio 2, none with ratio 0
    out = binom.pmf(k, d, 1 / 3) * 0.75**d
    exact = misses([*k, -1], [*out, 1 - out.sum()], [*binom.pmf(k, d, 0.5), 0], 0.05)
    assert best_trade_off(2, d, 0.05) == pytest.approx(exact)


def test_records_have_the_means_of_the_population_and_scores_are_taken_about_them():
    p = np.array([-1, -0.5, 0.2, 1])
    drawn = chapter.records(p, 40_000, np.random.default_rng(5))
    assert np.abs(drawn.mean(axis=0) - p).max() < 5 * sqrt(
        1 / 40_000
    )  # five standard errors
    assert set(np.unique(drawn)) == {-1, 1}
    y, a = np.array([[-1, 1, -1, 1], [-1, -1, 1, 1]]), np.array([1, 0.5, -1, 0.3])
    exact = [sum((u - v) * w for u, v, w in zip(row, p, a, strict=True)) for row in y]
    assert chapter.score(y, p, a) == pytest.approx(exact)


def test_the_mean_classifier_is_attacked_by_its_score():
    rng = np.random.default_rng(0)
    X, y = rng.choice([-1.0, 1.0], (12, 5)) / sqrt(5), rng.random(12) < 0.5
    learner = MeanClassifier(1e6, 0.5, bounds="unit", classes=(False, True)).fit(
        X, y, rng=0
    )
    signed = X * np.where(y, 1, -1)[:, None]
    scores = chapter.score(signed, 0, signed.mean(axis=0))
    assert learner.decision_function(X) * np.where(y, 1, -1) == pytest.approx(
        scores, abs=0.01
    )


test_checkers = checkers(
    {
        "three": [
            ([5 / 3, 1, 1], None),
            ([5, 3, 3], "the score of person 1"),
            ([5 / 3, 1, 1 / 3], "the score of person 3"),
            ([1, 1], "there are three people"),
        ],
        "rounding": [
            (several([1, 1, 1], [1, 1, -1]), None),
            (several([-1, -1, -1], [1, -1, -1]), None),
            (several([1, 1, -1], [1, -1, -1]), "both studies release 0"),
            (several([1, 1, 1], [1, -1, -1]), "differ in one answer"),
            (several([1, 1, 0], [1, 1, 1]), "answers are 1 and -1"),
        ],
        "hide": [
            (1.38, None),
            (0.2, "too small"),
            (5.0, "less noise would do"),
            (0, "positive"),
        ],
        "safe": [
            (lambda n: n, None),
            (lambda n: n * n, "participants stand out"),
            (lambda n: 2 * n, "participants stand out"),
            (lambda n: max(1, n // 2), "one more question"),
        ],
    },
    chapter,
)


def test_centring_asks_for_more_records_than_the_simple_bound_where_the_error_is_small():
    cases = (
        (10**9, 0.1, 1.0, 1e-9),
        (10**6, 0.25, 1.0, 1e-6),
        (10**8, 0.02, 0.5, 1e-12),
    )
    for d, alpha, epsilon, delta in cases:
        least = chapter.centred_floor(d, alpha, epsilon, delta)
        gamma = alpha + sqrt(2 / (3 * least))
        ceiling = least * (sinh(epsilon) * gamma * sqrt(d) + 8 * delta * d)
        assert ceiling >= 2 / 3 * (1 - sqrt(3) * alpha) * d
        enough = chapter.gaussian_records(d, alpha, epsilon, delta)
        assert 4 * chapter.every_release(d, alpha, epsilon) < least < enough
        assert least < chapter.laplace_records(d, alpha, epsilon)
    assert chapter.centred_floor(10**6, 0.25, 1.0, 1e-6) == 1145
    assert sqrt(10**9) / (8 * 0.1 * sinh(1)) <= chapter.centred_floor(
        10**9, 0.1, 1.0, 1e-12
    )


@pytest.mark.parametrize("d", [*range(1, 60), 1000, 4001])
def test_an_output_is_good_for_as_few_records_as_the_bound_of_pure_privacy_says(d):
    assert binom.cdf(d // 8, d, 0.5) <= np.exp(-9 * d / 32)
    if d <= 10:  # the number of agreements less that of disagreements, counted
        signs = np.array(list(product((-1, 1), repeat=d))).sum(axis=1)
        assert (signs >= 3 * d / 4).mean() == pytest.approx(binom.cdf(d // 8, d, 0.5))


def test_noise_and_pure_privacy_need_the_numbers_of_the_page():
    assert 9 / 32 * 10**6 - np.log(2) == pytest.approx(281_250, abs=1)
    gaussian = chapter.gaussian_records(10**6, 0.25, 1.0, 1e-9)
    assert gaussian == pytest.approx(51_300, abs=50)
    laplace = chapter.laplace_records(10**6, 0.25, 1.0)
    assert laplace / (9 / 32 * 10**6) == pytest.approx(40, abs=0.5)
    assert chapter.gaussian_records(10**6, 0.25, 1.0, 1e-6) == pytest.approx(
        42_000, abs=500
    )
