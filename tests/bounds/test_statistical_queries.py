"""Sample sizes of statistical queries: explicit forms, inverses, and the comparison with no privacy."""

import math

import pytest

from privml.bounds import required_sample_size
from privml.bounds import statistical_queries as bounds
from tests.refusals import refused

CASES = [
    (2, 0.1, 0.5, 0.05),
    (50, 0.05, 1.0, 0.1),
    (402, 1 / 402, 1.0, 0.05),
    (7, 0.3, 4.0, 0.01),
    (50, 0.3, 0.01, 0.1),
]


def free_size(m, alpha, beta, **how):
    return required_sample_size(lambda n: bounds.sq_accuracy(m, n, beta, **how), alpha)


def private_size(m, alpha, budget, beta, *, accuracy=bounds.private_sq_accuracy, **how):
    return required_sample_size(
        lambda n: accuracy(m, n, budget, beta=beta, **how), alpha
    )


def gaussian_size(*arguments, **how):
    return private_size(*arguments, accuracy=bounds.concentrated_sq_accuracy, **how)


@pytest.mark.source("DR11-thm-private-sq-sample-complexity")
@pytest.mark.parametrize(("m", "alpha", "epsilon", "beta"), CASES)
def test_the_explicit_sizes_are_those_of_the_statement(m, alpha, epsilon, beta):
    sampling = 2 * math.log(4 * m / beta) / alpha**2
    noise = 2 * m * math.log(2 * m / beta) / (epsilon * alpha)
    assert private_size(m, alpha, epsilon, beta, form="halves") == math.ceil(
        max(sampling, noise)
    )
    adaptive = private_size(m, alpha, epsilon, beta, adaptive=True, form="halves")
    assert adaptive == m * math.ceil(max(sampling, noise / m))
    free = free_size(m, alpha, beta)
    assert free == math.ceil(math.log(2 * m / beta) / (2 * alpha**2))
    assert free_size(m, alpha, beta, adaptive=True) == m * free
    rho = epsilon**2 / 2
    gaussian = 2 * math.sqrt(m * math.log(2 * m / beta) / rho) / alpha
    assert gaussian_size(m, alpha, rho, beta, form="halves") == math.ceil(
        max(sampling, gaussian)
    )


@pytest.mark.source("DR11-thm-private-sq-sample-complexity")
@pytest.mark.parametrize(("m", "alpha", "epsilon", "beta"), CASES)
@pytest.mark.parametrize("adaptive", [False, True])
def test_the_sum_is_never_worse_than_halves(m, alpha, epsilon, beta, adaptive):
    for size in (private_size, gaussian_size):
        both = [
            size(m, alpha, epsilon, beta, adaptive=adaptive, form=form)
            for form in ("sum", "halves")
        ]
        assert both[0] <= both[1]


@pytest.mark.source("DR11-rem-sq-comparison")
def test_privacy_costs_a_bounded_factor_where_the_remark_says_so():
    for m in (2, 10, 100, 1000):
        for alpha, beta in ((1 / m, 0.05), (0.3 / m, 0.3)):
            assert private_size(m, alpha, 1.0, beta, form="halves") <= 6 * free_size(
                m, alpha, beta
            )
        for alpha, epsilon in ((0.1, 0.1), (0.01, 0.5)):
            how = {"adaptive": True, "form": "halves"}
            adaptive = private_size(m, alpha, epsilon, 0.05, **how)
            assert adaptive <= 6 * free_size(m, alpha, 0.05, adaptive=True)


def test_fewer_records_than_batches_promise_nothing():
    assert bounds.sq_accuracy(10, 9, 0.1, adaptive=True) == math.inf
    assert bounds.private_sq_accuracy(10, 9, 1.0, beta=0.1, adaptive=True) == math.inf
    assert (
        bounds.concentrated_sq_accuracy(10, 9, 1.0, beta=0.1, adaptive=True) == math.inf
    )


test_bad_parameters_are_refused = refused(
    (lambda: bounds.sq_accuracy(2, 5.0, 0.1), "n_samples must be a positive integer")
)
