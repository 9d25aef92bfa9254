"""The sharp utility bound of a finite class: random classes, the worst class, and Lambert's function."""

from math import e, log

import numpy as np
import pytest
from scipy.special import lambertw

from privml.bounds.finite_utility import finite_utility_gap
from privml.bounds.penalised_erm import penalised_erm_utility_gap
from privml.bounds.sublevel import finite_class_condition


def mean(x):
    weights = np.exp(-(x - x.min()))
    return float((x - x.min()) @ weights / weights.sum())


@pytest.mark.source("WLF16-lem-36", "WLF16-ex-20")
@pytest.mark.parametrize("n_hypotheses", [2, 3, 16, 1000])
def test_two_values_attain_the_bound_and_no_other_class_exceeds_it(n_hypotheses):
    w = finite_utility_gap(n_hypotheses, 2, 1.0)
    worst = np.r_[0.0, np.full(n_hypotheses - 1, 1 + w)]
    assert mean(worst) == pytest.approx(w, rel=1e-12)
    rng = np.random.default_rng(n_hypotheses)
    for _ in range(300):
        x = rng.gamma(rng.choice([0.3, 1, 5]), rng.choice([0.3, 1, 2]), n_hypotheses)
        assert mean(x) <= w + 1e-12
        assert mean(np.r_[0.0, np.maximum(worst[1:] + rng.normal(0, 0.2, n_hypotheses - 1), 0)]) <= w + 1e-12


@pytest.mark.source("WLF16-ex-20")
def test_the_bound_is_lambert_s_function_and_less_than_the_entropy():
    for n_hypotheses in (2, 5, 100, 10**6, 2**60):
        found = finite_utility_gap(n_hypotheses, 100, 0.5)
        assert found == pytest.approx(float(lambertw((n_hypotheses - 1) / e).real) / 25, rel=1e-12)
        assert found < log(n_hypotheses) / 25
        assert min(found, 1) <= penalised_erm_utility_gap(100, 0.5, finite_class_condition(n_hypotheses))
    assert finite_utility_gap(1, 10, 1.0) == 0
    assert finite_utility_gap(9, 10, 1.0, sensitivity_factor=2.0) == 2 * finite_utility_gap(9, 10, 1.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: finite_utility_gap(0, 10, 1.0), "n_hypotheses must be"),
        (lambda: finite_utility_gap(4, 0, 1.0), "n_samples must be"),
        (lambda: finite_utility_gap(4, 10, 0.0), "epsilon must be"),
        (lambda: finite_utility_gap(4, 10, 1.0, sensitivity_factor=0.0), "sensitivity_factor must be"),
    ],
)
def test_bad_input_is_refused_with_a_reason(make, message):
    with pytest.raises(ValueError, match=message):
        make()
