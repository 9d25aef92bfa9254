"""Table 1 of LZCW21: exponents, rows and columns of the rates."""

import numpy as np
import pytest

from privml.bounds.pate import pate_rate


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


@pytest.mark.parametrize(
    ("call", "name"),
    [(lambda: pate_rate("active", "tsybakov", 1, 1, vc_dimension=1, epsilon=1, tau=0.0), "tau")],
)
def test_bad_parameters_are_refused_by_name(call, name):
    with pytest.raises(ValueError, match=name):
        call()
