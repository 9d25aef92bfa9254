"""Table 1 of LZCW21: its entries follow from the two-term rates at the best number of public points."""

from itertools import product

import numpy as np
import pytest

from privml.bounds.pate_rates import (
    optimal_public_size,
    pate_cutoff_rate,
    pate_private_rate,
    pate_rate,
    pate_rate_terms,
)

CASES = list(product(["gaussian", "sparse_vector"], [0.3, 0.5, 1.0], [1.0, 5.0], [0.5, 2.0]))


def options(d, epsilon, tau):
    return {"vc_dimension": d, "epsilon": epsilon, "tau": tau}


@pytest.mark.source("LZCW21-rem-12")
@pytest.mark.source("LZCW21-rem-29")
@pytest.mark.parametrize(("algorithm", "tau", "d", "epsilon"), CASES)
def test_at_the_best_number_of_public_points_the_two_terms_are_equal(algorithm, tau, d, epsilon):
    n = 1e7
    best = optimal_public_size(algorithm, n, **options(d, epsilon, tau))
    private, public = pate_rate_terms(algorithm, n, best, **options(d, epsilon, tau))
    assert np.isclose(private, public)
    grid = best * np.logspace(-3, 3, 61)
    worst = [max(pate_rate_terms(algorithm, n, m, **options(d, epsilon, tau))) for m in grid]
    assert np.argmin(worst) == 30


@pytest.mark.source("LZCW21-tab-1")
@pytest.mark.parametrize(("algorithm", "tau", "d", "epsilon"), CASES)
def test_an_entry_of_the_table_is_the_least_over_the_public_points_that_are_labelled(
    algorithm, tau, d, epsilon
):
    n = 1e7
    best = optimal_public_size(algorithm, n, **options(d, epsilon, tau))
    for available in (best / 50, best, 50 * best):
        used = np.minimum(available, best * np.logspace(-3, 3, 601))
        least = min(max(pate_rate_terms(algorithm, n, m, **options(d, epsilon, tau))) for m in used)
        entry = pate_rate(algorithm, "tsybakov", n, available, **options(d, epsilon, tau))
        assert np.isclose(entry, least, rtol=0.02)


@pytest.mark.source("LZCW21-tab-1")
def test_the_realizable_row_is_the_noise_row_at_tau_one():
    for algorithm in ("gaussian", "sparse_vector", "active"):
        common = {"vc_dimension": 3.0, "epsilon": 0.7, "disagreement_coefficient": 2.0}
        noisy = pate_rate(algorithm, "tsybakov", 1e6, 1e4, tau=1.0, **common)
        assert noisy == pate_rate(algorithm, "realizable", 1e6, 1e4, **common)


@pytest.mark.source("LZCW21-tab-1")
def test_known_exponents_are_read_off_the_table():
    common = {"vc_dimension": 2.0, "epsilon": 1.0}

    def slope(algorithm, setting, **more):
        values = [pate_rate(algorithm, setting, n, 1e30, **common, **more) for n in (1e6, 1e8)]
        return np.log(values[1] / values[0]) / np.log(100)

    assert np.isclose(slope("gaussian", "realizable"), -2 / 3)
    assert np.isclose(slope("sparse_vector", "realizable"), -1)
    assert np.isclose(slope("sparse_vector_2018", "realizable"), -2 / 3)
    assert np.isclose(slope("sparse_vector", "tsybakov", tau=0.5), -1 / 3)
    assert np.isclose(slope("gaussian", "tsybakov", tau=0.5), -2 / 7)
    assert np.isclose(slope("sparse_vector_2018", "tsybakov", tau=0.5), -2 / 5)
    assert slope("active", "agnostic", best_error=0.1) == 0


@pytest.mark.source("LZCW21-tab-1")
def test_active_queries_gain_only_where_theta_is_below_the_dimension_of_the_passive_bound():
    common = {"vc_dimension": 4.0, "epsilon": 1.0}
    passive = pate_rate("sparse_vector", "realizable", 1e6, 1e9, **common)
    assert pate_rate("active", "realizable", 1e6, 1e9, disagreement_coefficient=1.0, **common) == passive
    assert pate_rate("active", "realizable", 1e6, 1e9, disagreement_coefficient=9.0, **common) == 3 * passive


@pytest.mark.source("LZCW21-thm-10")
@pytest.mark.parametrize("tau", [0.2, 0.5, 1.0])
def test_the_cutoff_solves_its_own_equation_and_gives_the_private_term(tau):
    n, m, d, epsilon = 1e7, 1e4, 3.0, 0.5
    cutoff = pate_cutoff_rate(n, m, **options(d, epsilon, tau))
    assert np.isclose(cutoff, m * (d * np.sqrt(cutoff) / (n * epsilon)) ** (tau / (2 - tau)))
    assert np.isclose(cutoff / m, pate_rate_terms("sparse_vector", n, m, **options(d, epsilon, tau))[0])


@pytest.mark.source("LZCW21-rem-contributions")
@pytest.mark.erratum("LZCW21-rem-contributions")
def test_gaussian_votes_need_more_private_records_than_the_list_of_contributions_says():
    listed = 4**1.5 / 0.01
    found = pate_private_rate("gaussian", 0.01, vc_dimension=4.0, epsilon=1.0)
    assert np.isclose(found, listed / 0.01**0.5)
    common = {"vc_dimension": 4.0, "epsilon": 1.0}
    assert pate_rate("gaussian", "realizable", listed, 1e300, **common) > 4 * 0.01
    assert np.isclose(pate_rate("gaussian", "realizable", found, 1e300, **common), 0.01)


@pytest.mark.source("LZCW21-rem-11")
def test_with_bounded_noise_private_records_go_as_one_over_the_excess():
    for alpha in (0.1, 0.001):
        needed = pate_private_rate("sparse_vector", alpha, vc_dimension=4.0, epsilon=0.5)
        assert np.isclose(needed, 4**1.5 / (alpha * 0.5))
        more = pate_private_rate("gaussian", alpha, vc_dimension=4.0, epsilon=0.5)
        assert np.isclose(more, 4**1.5 / (alpha**1.5 * 0.5))
    terms = pate_rate_terms("sparse_vector", 1e6, 1e3, **options(2.0, 0.5, 1.0))
    assert np.allclose(terms, (2.0**2 * 1e3 / (1e6 * 0.5) ** 2, 2e-3))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: pate_rate("laplace", "agnostic", 1, 1, vc_dimension=1, epsilon=1), "algorithm"),
        (lambda: pate_rate("active", "easy", 1, 1, vc_dimension=1, epsilon=1), "setting"),
        (lambda: pate_rate("active", "tsybakov", 1, 1, vc_dimension=1, epsilon=1, tau=0.0), "tau"),
        (lambda: pate_rate("active", "agnostic", 1, 1, vc_dimension=1, epsilon=1, best_error=2), "error"),
        (lambda: pate_rate_terms("active", 1, 1, **options(1, 1, 1)), "algorithm"),
        (lambda: optimal_public_size("gaussian", 0, **options(1, 1, 1)), "n_samples"),
        (lambda: pate_cutoff_rate(1, 0, **options(1, 1, 1)), "n_public"),
        (lambda: pate_private_rate("gaussian", 1.0, vc_dimension=1, epsilon=1), "alpha"),
    ],
)
def test_bad_parameters_are_refused_by_name(call, name):
    with pytest.raises(ValueError, match=name):
        call()
