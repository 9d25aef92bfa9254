"""What is spent when a run stops early: the source's number, valid odometers, and the worst stopping rule."""

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.divergences import gaussian_delta, gaussian_mu
from privml.pate import ex_post_epsilon

stopping_delta = tangled("teachers-and-votes").stopping_delta


def claims(epsilon, n_records, budget, method):
    """The epsilons after every number of queries, and the step of the walk."""
    used = range(1, budget + 1)
    epsilons = [ex_post_epsilon(epsilon, 1 / n_records, budget, q, method=method) for q in used]
    return epsilons, gaussian_mu(epsilon, 1 / n_records) / np.sqrt(budget)


@pytest.mark.source("LZCW21-rem-ex-post")
@pytest.mark.parametrize(
    ("epsilon", "n_records", "budget", "used", "printed"),
    [
        (0.5, 6499, 49, 40.1, 0.4463),
        (1.0, 6499, 49, 42.9, 0.9271),
        (2.0, 6499, 49, 46.5, 1.9402),
        (1.0, 39073, 293, 290.8, 0.9958),
        (2.0, 39073, 293, 290.3, 1.9896),
    ],
)
def test_the_column_of_the_source_is_the_exact_curve_at_the_mean_use(
    epsilon, n_records, budget, used, printed
):
    """The source uses the mean number of queries, so interpolate between two whole numbers."""
    around = [int(used), int(used) + 1]
    fixed = [ex_post_epsilon(epsilon, 1 / n_records, budget, q, method="fixed") for q in around]
    assert np.interp(used, around, fixed) == pytest.approx(printed, abs=2e-4)


@pytest.mark.source("LZCW21-rem-ex-post")
def test_all_methods_grow_with_use_and_only_the_fixed_one_ends_at_the_budget():
    ends = {}
    for method in ("fixed", "union", "line"):
        epsilons, _ = claims(0.5, 6499, 49, method)
        assert (np.diff(epsilons) > 0).all()
        ends[method] = epsilons[-1]
    assert ends["fixed"] == pytest.approx(0.5, rel=1e-9)
    assert 0.5 < ends["union"] < ends["line"]


@pytest.mark.erratum("LZCW21-rem-ex-post/1")
@pytest.mark.parametrize(
    ("epsilon", "n_records", "budget", "times"),
    [(0.5, 6499, 49, 5.5), (1, 6499, 49, 6.1), (2, 6499, 49, 6.7)],
)
def test_the_number_of_the_source_fails_at_its_delta_when_the_stop_depends_on_the_answers(
    epsilon, n_records, budget, times
):
    worst = stopping_delta(*claims(epsilon, n_records, budget, "fixed")) * n_records
    assert worst == pytest.approx(times, abs=0.06)


@pytest.mark.source("LZCW21-rem-ex-post")
@pytest.mark.parametrize("method", ["union", "line"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_odometers_hold_for_every_stopping_rule(method, epsilon):
    assert stopping_delta(*claims(epsilon, 6499, 49, method)) * 6499 <= 1


@pytest.mark.erratum("LZCW21-rem-ex-post/1")
def test_the_odometers_certify_no_saving_at_four_fifths_of_the_budget():
    numbers = [ex_post_epsilon(0.5, 1 / 6499, 49, 40, method=m) for m in ("union", "line")]
    assert numbers == pytest.approx([0.61, 0.68], abs=6e-3)


@pytest.mark.parametrize(("last", "step"), [(1, 0.5), (9, 0.1), (49, 0.07)])
def test_a_stop_that_is_fixed_has_the_delta_of_the_gaussian_curve(last, step):
    waiting = [np.inf] * (last - 1) + [0.4]
    exact = gaussian_delta(0.4, step * np.sqrt(last))
    assert stopping_delta(waiting, step) == pytest.approx(exact, rel=4e-3)


def test_the_worst_stop_of_two_steps_is_that_of_numerical_integration():
    from scipy.integrate import quad
    from scipy.stats import norm

    step, first, second = 0.8, 0.5, 0.9

    def value(loss):
        mean, sd = loss + step**2 / 2, step
        tail = norm.sf(second, mean - sd**2, sd)
        kept = norm.sf(second, mean, sd) - np.exp(second - mean + sd**2 / 2) * tail
        return max(kept, 1 - np.exp(first - loss)) * norm.pdf(loss, step**2 / 2, step)

    exact = quad(value, -8, 8, limit=400)[0]
    assert stopping_delta([first, second], step) == pytest.approx(exact, rel=2e-3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"used": 50}, "used must be at most the budget"),
        ({"used": 0}, "used must be a positive integer"),
        ({"method": "guess"}, "method must be one of"),
        ({"delta": 1.0}, "delta must be in the open interval"),
    ],
)
def test_bad_numbers_are_refused(change, message):
    good = {"epsilon": 0.5, "delta": 1e-4, "budget": 49, "used": 40, "method": "fixed"}
    with pytest.raises(ValueError, match=message):
        ex_post_epsilon(**(good | change))


def test_a_claim_that_no_run_exceeds_has_a_delta_of_zero_and_not_below():
    assert 0.0 <= stopping_delta([0.5] + [np.inf] * 48, 0.02) < 1e-15
