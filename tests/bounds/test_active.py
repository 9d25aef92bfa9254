"""Bounds for active learning and for PATE with active queries: proofs by simulation, identities, inverses."""

from math import ceil, exp, log, log2, sqrt

import numpy as np
import pytest
from scipy.special import ndtr

from privml._search import smallest_float
from privml.bounds.pate import gaussian_teachers
from privml.bounds.students import (
    active_excess_error,
    active_expected_queries,
    active_slack,
    asq_realizable_parameters,
)
from privml.hypotheses import Thresholds
from privml.pate import version_space_learning, vote_sigma
from tests.refusals import refused


def active_query_budget(m, size, beta, *, best_error):
    """Chernoff's bound on the labels asked, theta being 2: its mean and its tail have half of beta each."""
    mean = active_expected_queries(m, size, beta / 2, best_error=best_error, theta=TWO)
    log_term = log(2 / beta)
    return min(m, ceil(mean + sqrt(2 * mean * log_term) + 2 / 3 * log_term))


def TWO(radius):
    return 2.0


@pytest.mark.source("LZCW21-alg-4", "LZCW21-lem-33")
@pytest.mark.parametrize("noise", [0.0, 0.05, 0.2])
def test_slack_and_excess_error_satisfy_bernstein_on_both_sides(noise):
    """The tail of a sum of j terms with mean -e and second moment e + 2 nu, at the slack and beyond."""
    for j in (16, 256, 4096):
        size = log(2 * 50 / 0.1) + 2 * log(log2(2 * j))
        slack = active_slack(j, 50, 0.1, best_error=noise)
        worst = active_excess_error(j, 50, 0.1, best_error=noise)
        for e in np.linspace(0, 1, 41):
            variance = j * min(1, e + 2 * noise)
            up = slack + j * e
            assert up**2 / (2 * (variance + 2 * up / 3)) >= size - 1e-9
            down = j * e - slack
            if e > worst:
                assert (
                    down**2 / (2 * (j * (e + 2 * noise) + 2 * down / 3)) >= size - 1e-9
                )
        assert worst <= 8 * size / j + 8 * sqrt(noise * size / j)
        root = slack + 4 / 3 * size + sqrt(2 * size * j * (worst + 2 * noise))
        assert worst == 1 or j * worst == pytest.approx(root)


@pytest.mark.source("LZCW21-lem-33", "LZCW21-lem-39")
@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_survivors_are_good_and_labels_few_on_thresholds(noise):
    cuts, m = Thresholds(np.arange(1, 40) / 40), 4096
    asked = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        stream = rng.uniform(size=m)
        labels = (stream >= 0.5) ^ (rng.random(m) < noise)

        def slack(j):
            return active_slack(j, 39, 0.1, best_error=noise)

        run = version_space_learning(
            cuts.predict(stream), lambda j, y=labels: y[j], slack=slack
        )
        excess = (1 - 2 * noise) * np.abs(cuts.cuts[run.survivors] - 0.5)
        assert excess.max() <= active_excess_error(m, 39, 0.1, best_error=noise)
        asked.append(len(run.queried))
    assert max(asked) <= active_query_budget(m, 39, 0.1, best_error=noise)
    assert np.mean(asked) <= active_expected_queries(
        m, 39, 0.1, best_error=noise, theta=TWO
    )


@pytest.mark.source("LZCW21-lem-39")
def test_expected_labels_grow_with_the_logarithm_without_noise_and_linearly_with_it():
    clean = [
        active_expected_queries(2**k, 50, 0.1, best_error=0.0, theta=TWO)
        for k in (14, 17, 20)
    ]
    noisy = [
        active_expected_queries(2**k, 50, 0.1, best_error=0.1, theta=TWO)
        for k in (14, 17, 20)
    ]
    assert clean[2] - clean[1] == pytest.approx(clean[1] - clean[0], rel=0.1)
    assert noisy[2] / noisy[1] > 6
    assert (
        active_expected_queries(1000, 50, 0.1, best_error=0.3, theta=lambda r: 1 / r)
        == 1000
    )


@pytest.mark.source("LZCW21-lem-33")
@pytest.mark.erratum("LZCW21-lem-33/1")
def test_the_vc_form_needs_the_logarithm_around_theta_and_not_around_the_sum():
    """The printed parentheses do not match; closed the other way, d ln(theta + ln(1 / beta)) grows with d
    even at theta = 1, where no label need be asked."""
    level = log(1e3)
    mended, other = (lambda d: d * log(1) + level), (lambda d: d * log(1 + level))
    assert mended(50) == mended(1) == level
    assert other(50) > 10 * mended(50)


@pytest.mark.source("LZCW21-lem-39")
@pytest.mark.erratum("LZCW21-lem-39/1")
def test_the_label_complexity_is_logarithmic_without_noise_and_takes_the_least_error_as_a_number():
    """Theta (nu^2 / alpha^2 + ln(1 / alpha)) (d ln theta + ln(ln(1 / alpha) / beta)), nu a number."""

    def labels(alpha, nu, theta=2.0, d=1, beta=0.1):
        return (
            theta
            * ((nu / alpha) ** 2 + log(1 / alpha))
            * (d * log(theta) + log(log(1 / alpha) / beta))
        )

    clean = [labels(10.0**-k, 0.0) for k in (2, 4, 8)]
    assert clean[2] < 2.6 * clean[1] < 7 * clean[0]
    budgets = [active_query_budget(2**k, 50, 0.1, best_error=0.0) for k in (12, 15, 18)]
    assert budgets[2] - budgets[1] < 1.3 * (
        budgets[1] - budgets[0]
    )  # so do those of a finite class
    assert labels(0.01, 0.2) / clean[0] == pytest.approx(
        ((0.2 / 0.01) ** 2 + log(100)) / log(100)
    )


@pytest.mark.source("LZCW21-thm-22")
def test_the_number_of_teachers_is_six_sigma_times_the_root():
    for labels, n, epsilon in [(100, 10**4, 1.0), (7, 10**6, 0.2), (300, 10**5, 4.0)]:
        sigma = vote_sigma(labels, epsilon, 1e-6, calibration="source")
        found = gaussian_teachers(n, labels, epsilon, 1e-6)
        assert found - 1 < 6 * sigma * sqrt(2 * log(2 * n)) <= found * (1 + 1e-12)
        bigger = sqrt(labels * log(1e6)) + sqrt(labels * log(1e6) + epsilon * labels)
        assert (
            found - 1 < 6 * sqrt(log(2 * n)) * bigger / epsilon <= found * (1 + 1e-12)
        )


@pytest.mark.source("LZCW21-thm-34")
@pytest.mark.parametrize(("labels", "n"), [(20, 1000), (300, 10**5)])
def test_the_noisy_vote_is_wrong_on_at_most_three_times_the_share_of_wrong_teachers(
    labels, n
):
    sigma, k = (
        vote_sigma(labels, 1.0, 1e-6, calibration="source"),
        gaussian_teachers(n, labels, 1.0, 1e-6),
    )
    room = 0.5 - sigma * sqrt(2 * log(n)) / k
    for p in np.linspace(0, 1, 201):
        assert (
            ndtr((p - 0.5) * k / sigma)
            <= min(1, p / room + 1 / n)
            <= 3 * p + 1 / n + 1e-12
        )
    assert ndtr(-0.5 * (k // 4) / sigma) > 1 / n  # a quarter of the teachers is too few


def excess_error(n, teachers, tau):
    """The first term of Theorem 22 with C_1 = d = eta = 1, gamma = 0.1 and public points in plenty."""
    return (teachers * (log(n) + log(2 * teachers / 0.1)) / n) ** (tau / (2 - tau))


def labels_and_teachers(n, alpha):
    """Its label budget with C_2 = 1 and theta = 2, and the number of teachers, epsilon = 1."""
    labels = 2 * (1 + log(1 / alpha)) * (log(2) + log(log(1 / alpha) / 0.05))
    return labels, gaussian_teachers(n, max(1, ceil(labels)), 1.0, 1e-6)


@pytest.mark.source("LZCW21-thm-22", "LZCW21-thm-34")
@pytest.mark.erratum("LZCW21-thm-22/2")
@pytest.mark.parametrize(("tau", "exponent"), [(1.0, 1.0), (0.5, 1 / 3)])
def test_the_parameters_have_a_fixed_point_that_falls_at_the_exponent_of_the_theorem(
    tau, exponent
):
    def holds(n, alpha):
        return excess_error(n, labels_and_teachers(n, alpha)[1], tau) <= alpha

    sizes = (10**9, 10**12)
    alphas = [
        smallest_float(lambda a, n=n: holds(n, a), lower=1e-12, upper=0.3678)
        for n in sizes
    ]
    for n, alpha in zip(sizes, alphas, strict=True):
        assert [holds(n, alpha * factor) for factor in (0.5, 1 - 1e-6, 1, 1.1, 2)] == [
            False
        ] * 2 + [True] * 3
    slope = log(alphas[0] / alphas[1]) / log(sizes[1] / sizes[0])
    assert 0.8 * exponent < slope < exponent


@pytest.mark.erratum("LZCW21-thm-22/1")
def test_the_union_over_teachers_is_multiplied_by_their_number():
    """In the promise with constants too: an error of 2 nu and more, nu = 3 b."""
    n, beta = 10**8, 1e-9
    alpha, _, k = asq_realizable_parameters(
        n, 2**14, 101, 1.0, 1e-6, beta=beta, theta=TWO
    )
    assert alpha > 6 * k * log(2 * k * 101 / beta) / n
    printed = (k * log(101) + log(2 * k / beta)) / n
    assert alpha > 30 * printed


@pytest.mark.source("LZCW21-thm-22")
def test_with_explicit_constants_the_whole_of_algorithm_5_keeps_its_promise_on_thresholds():
    """Teachers, noise, active student: a hundred million records, through the law of each teacher."""
    n, m, cuts = 10**8, 2**13, Thresholds(np.arange(1, 64) / 64)
    alpha, n_queries, n_teachers = asq_realizable_parameters(
        n, m, 63, 1.0, 1e-6, beta=0.1, theta=TWO
    )
    sigma = vote_sigma(n_queries, 1.0, 1e-6, calibration="source")
    wrong = log(2 * n_teachers * 63 / 0.1) / (n // n_teachers)
    best = 3 * wrong + 1 / n
    assert alpha == pytest.approx(
        2 * best + active_excess_error(m, 63, 0.025, best_error=best)
    )
    assert n_teachers >= gaussian_teachers(n, n_queries, 1.0, 1e-6)
    assert n_queries == active_query_budget(m, 63, 0.05, best_error=best)
    worst, asked = 0.0, 0
    for seed in range(5):
        rng = np.random.default_rng(seed)
        stream = rng.uniform(size=m)
        moved = rng.random(n_teachers) < exp(-n // n_teachers / 64)
        count = np.where(stream >= 0.5, n_teachers, 0) + moved.sum() * (
            (stream >= 31 / 64) & (stream < 0.5)
        )
        labels = count + rng.normal(scale=sigma, size=m) >= n_teachers / 2

        def slack(j):
            return active_slack(j, 63, 0.025, best_error=best)

        def ask(j, y=labels):
            return y[j]

        run = version_space_learning(
            cuts.predict(stream), ask, n_queries=n_queries, slack=slack
        )
        worst, asked = (
            max(worst, abs(cuts.cuts[run.index] - 0.5)),
            max(asked, len(run.queried)),
        )
    assert worst <= alpha < 0.1
    assert asked <= n_queries < m


test_bad_parameters_are_refused = refused(
    (lambda: active_slack(4, 5, 0.1, best_error=1.0), "best_error must be"),
    (lambda: gaussian_teachers(100, 5, 0.0, 1e-6), "epsilon must be"),
    (
        lambda: asq_realizable_parameters(100, 64, 5, 1.0, 1e-6, beta=0.1, theta=TWO),
        "n_samples must be at least",
    ),
)
