"""Bernstein's inequality for one hypothesis, its uniform form, and the error of minimisers."""

from math import ceil, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from privml.bounds.fast_rates import (
    bernstein_count,
    log_sauer_shelah,
    uniform_bernstein_upper,
)
from tests.refusals import refused

SIZES = [5, 50, 500]
ERRORS = [0.0, 0.003, 0.05, 0.3, 0.5, 0.9, 1.0]
BETAS = [0.5, 0.05, 1e-4]


@pytest.mark.source("LZCW21-lem-14", "LZCW21-lem-35")
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("beta", BETAS)
def test_a_binomial_count_exceeds_bernsteins_bound_with_probability_at_most_beta(
    n, beta
):
    for p in ERRORS:
        assert binom.sf(bernstein_count(n, p, beta=beta) + 1e-9, n, p) <= beta
        assert (
            binom.cdf(ceil(n * p - sqrt(2 * p * n * log(1 / beta)) - 1e-9) - 1, n, p)
            <= beta
        )


def test_the_bound_on_a_count_has_the_stated_form():
    unit = log(1 / 0.01)
    assert np.isclose(
        bernstein_count(1000, 0.05, beta=0.01), 50 + sqrt(100 * unit) + 2 * unit / 3
    )


@pytest.mark.source("LZCW21-lem-36")
def test_the_bound_is_below_the_form_with_the_root_of_the_empirical_error():
    for empirical in (0.0, 0.01, 0.3):
        unit = (5.0 + log(4 / 0.05)) / 1000
        bound = uniform_bernstein_upper(empirical, 1000, beta=0.05, log_growth=5.0)
        assert np.isclose(bound, empirical + 2 * sqrt(unit * bound))
        assert bound <= empirical + 2 * sqrt(unit * empirical) + 4 * unit + 1e-12


@pytest.mark.source("LZCW21-lem-36")
@pytest.mark.erratum("LZCW21-lem-36")
def test_without_the_logarithm_the_uniform_bound_is_false():
    d, n_points, n, beta = 200, 80_685, 443_767, 0.05
    unseen = n_points - len(
        np.unique(np.random.default_rng(0).integers(n_points, size=n))
    )
    assert unseen >= d  # so some set of d points has empirical error 0
    true_error = d / n_points
    assert true_error > 1.3 * 4 * (d + log(4 / beta)) / n
    assert (
        true_error
        < uniform_bernstein_upper(
            0.0, n, beta=beta, log_growth=log_sauer_shelah(d, 2 * n)
        )
        / 5
    )


test_bad_parameters_are_refused_by_name = refused(
    (lambda: bernstein_count(10, 1.1, beta=0.05), "error"),
    (
        lambda: uniform_bernstein_upper(0.1, 10, beta=0.05, log_growth=-1.0),
        "log_growth",
    ),
)


@pytest.mark.source("LZCW21-lem-36")
def test_no_threshold_of_many_samples_leaves_the_uniform_bound():
    n, n_runs, beta, cuts = (
        200,
        400,
        0.3,
        np.linspace(0, 1, 200),
    )  # the error of the threshold at c is c
    x = np.sort(np.random.default_rng(0).random((n_runs, n)), axis=1)
    growth = log_sauer_shelah(1, 2 * n)
    table = np.array(
        [
            uniform_bernstein_upper(k / n, n, beta=beta, log_growth=growth)
            for k in range(n + 1)
        ]
    )
    upper = table[np.stack([np.searchsorted(row, cuts) for row in x])]
    assert (upper < cuts).any(axis=1).mean() <= beta + 3 * sqrt(
        beta * (1 - beta) / n_runs
    )
    assert upper[:, 50].mean() < 0.6  # not trivial
