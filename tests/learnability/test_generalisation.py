"""What privacy promises about published queries: in the mean, in mean square, and with high probability."""

from math import exp, tanh

import numpy as np
import pytest
from scipy.optimize import linprog

from privml.learnability import (
    expected_gap_from_privacy,
    generalisation_deviation,
    generalisation_tail,
    posterior_mean,
)


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.0, 0.3), (0.7, 0.0), (0.7, 0.05), (2.0, 0.4)]
)
def test_the_worst_joint_law_that_an_exchange_of_records_allows_is_not_above_the_bound(
    epsilon, delta
):
    """Queries of mean 1/4, 1/2 or 3/4 and any joint law of the mean and of whether the record is inside.

    Unknowns: total mass w_j and inside mass s_j of each mean p_j, and t_j.  With u = s (1 - p) and v = (w -
    s) p the exchange of two records says that the positive parts of u - e^epsilon v add up to at most
    delta.
    """
    p = np.arange(5) / 4
    share = p[1:4]
    size, grow = 3, np.exp(epsilon)
    one, none = np.eye(size), np.zeros((size, size))
    excess = np.hstack(
        [one * (1 - share) + grow * one * share, -grow * one * share, -one]
    )
    total = np.hstack([np.zeros(2 * size), np.ones(size)])[None]
    found = linprog(
        np.hstack([-np.ones(size), share, np.zeros(size)]),
        A_ub=np.vstack([excess, total, np.hstack([one, -one, none])]),
        b_ub=np.hstack([np.zeros(size), delta, np.zeros(size)]),
        A_eq=np.hstack([np.zeros(size), np.ones(size), np.zeros(size)])[None],
        b_eq=[1],
    )
    assert -found.fun <= expected_gap_from_privacy(epsilon, delta) + 1e-9
    assert -found.fun > 0.6 * expected_gap_from_privacy(epsilon, delta)


def test_the_posterior_moves_log_odds_by_epsilon_and_back():
    p = np.array([0.0, 0.01, 0.5, 0.9, 1.0])
    for epsilon in (0.3, 50.0, 800.0):
        both = posterior_mean(p, epsilon) + posterior_mean(1 - p, -epsilon)
        np.testing.assert_allclose(both, 1, rtol=1e-12)
    q = posterior_mean(p[1:4], 0.3)
    np.testing.assert_allclose(np.log(q / (1 - q)) - np.log(p[1:4] / (1 - p[1:4])), 0.3)
    fine = np.linspace(0, 1, 100_001)
    assert (posterior_mean(fine, 1.0) - fine).max() == pytest.approx(
        tanh(1 / 4), abs=1e-9
    )


@pytest.mark.source("WLF16-lem-38")
def test_privacy_adds_a_bias_to_hoeffding_and_nothing_else():
    assert generalisation_tail(50, 0.0, tau=0.2, two_sided=False) == pytest.approx(
        exp(-4)
    )
    assert generalisation_tail(50, 0.0, tau=0.2) == pytest.approx(2 * exp(-4))
    assert generalisation_tail(50, 4.0, tau=tanh(1.0)) == 1
    more, less = (
        generalisation_deviation(50, epsilon, beta=0.1) for epsilon in (0.8, 0.0)
    )
    assert more - less == pytest.approx(tanh(0.2))


@pytest.mark.parametrize(
    "call",
    [
        lambda: posterior_mean([0.5, 1.5], 1.0),
        lambda: generalisation_tail(10, 1.0, tau=1.0),
    ],
)
def test_bad_parameters_are_refused(call):
    with pytest.raises(ValueError):
        call()
