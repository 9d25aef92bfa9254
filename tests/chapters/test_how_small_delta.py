"""What the chapter on how small delta must be computes: brute force, orders, and the errata they show."""

from itertools import combinations
from math import ceil, e, exp, inf, log

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit, learnability
from privml.composition import subsampled_mechanism, subsampling_alone
from privml.divergences import hockey_stick
from privml.hypotheses import Thresholds
from privml.learnability import subset_learner as on_a_share
from tests.chapters.checkers import checkers
from tests.chapters.how_small_delta_functions import (
    aerm_privacy,
    chain,
    group_at_half,
    lasting_risk,
    log_delta_limit,
    optima,
    packing_bound,
    population_risk,
    subtracted,
)

chapter = chapter_module("how-small-delta")


def published_cut(x, y):
    """The largest reading labelled False, or 0."""
    return max((xi for xi, yi in zip(x, y, strict=True) if not yi), default=0.0)


@pytest.mark.source("WLF16-prop-33")
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_published_cut_errs_on_packed_data_as_the_table_says(k):
    x, y = [0.5] * 3 + [0.6] * 3, [False] * 3 + [True] * 3
    errors = []
    for chosen in combinations(range(6), k):
        cut = published_cut([x[i] for i in chosen], [y[i] for i in chosen])
        errors.append(np.mean([(xi > cut) != yi for xi, yi in zip(x, y, strict=True)]))
    size, delta, packed, worst = chapter.published(6, k)
    assert size == k
    assert delta == pytest.approx(subsampling_alone(6, k).delta, rel=1e-15, abs=0)
    assert np.mean(errors) == pytest.approx(packed)
    assert np.mean(errors) <= worst


@pytest.mark.parametrize("k", [1, 4])
def test_the_risk_of_the_published_cut_is_at_most_one_over_k_plus_one(k):
    """Populations on five readings, the first `n_false` of them labelled False: exact over all samples."""
    weights = np.array([0.1, 0.3, 0.25, 0.15, 0.2])
    for n_false in range(6):
        risk = 0.0
        for top in range(-1, n_false):  # the largest False reading in the sample
            below = 1 - weights[top + 1 : n_false].sum()
            chance = below**k - ((below - weights[top]) ** k if top >= 0 else 0.0)
            risk += chance * weights[top + 1 : n_false].sum()
        assert risk <= chapter.published(100, k)[3]


@pytest.mark.source("WLF16-prop-33", "WLF16-fig-4")
def test_the_bound_is_below_the_optimum_and_the_optimum_below_the_simple_learners():
    table = np.array([optima(3, 0.7, delta) for delta in (0.001, 0.05, 0.3, 0.7)])
    bound, best = table[:, 1], table[:, 2]
    assert (bound < best + 1e-6).all()
    assert (best[:, None] <= table[:, 3:] + 1e-6).all()
    assert (np.diff(best) < 0).all()
    problem = learnability.grid_packing(2, 3).problem
    pure = learnability.optimal_approximate_learner(problem, 3, 0.7, 0.0).value
    assert best[0] == pytest.approx(pure, rel=0.02)


@pytest.mark.source("WLF16-prop-33")
@pytest.mark.parametrize(
    ("distance", "epsilon"), [(1, 0.3), (4, 0.5), (10, 1.0), (60, 2.0)]
)
def test_the_packing_bound_vanishes_just_at_the_limit(distance, epsilon):
    limit = exp(log_delta_limit(distance, epsilon))
    assert chapter.group_delta(distance, epsilon, limit) == pytest.approx(1, rel=1e-12)
    at = learnability.packing_excess_risk(
        100, distance, epsilon, delta=min(1.0, limit * (1 + 1e-9))
    )
    assert at == pytest.approx(0, abs=1e-12)
    for K, share in ((2, 0.0), (11, 1 / 9), (10**80, 0.999)):
        sharp = learnability.packing_excess_risk(
            K, distance, epsilon, delta=limit * share
        )
        assert packing_bound(K, distance, 0.5, epsilon, limit * share) == pytest.approx(
            sharp
        )
        simple = (1 - share - exp(distance * epsilon) / (K - 1)) / 2  # of unit 2
        assert simple <= sharp * (1 + 1e-9)
    assert (
        simple
        == pytest.approx(sharp)
        == chapter.cut_bound(distance, distance, epsilon, limit * share)
    )
    assert log_delta_limit(5000, 1.0) == pytest.approx(log(exp(1) - 1) - 5000)


@pytest.mark.source("WLF16-rem-phase-transition")
def test_the_risk_that_lasts_approaches_its_limit_from_below():
    for c, limit in ((0.5, 0.25), (4.0, 0.5)):
        assert lasting_risk(c, 40, 1.0) <= limit + 1e-12
        assert 0.8 * limit < lasting_risk(c, 300, 1.0) <= limit + 1e-12


def populations(n_thresholds, mass):
    """The grid with two points for each cut and one at 0; its thresholds; the populations of the packing."""
    points = np.arange(2 * n_thresholds + 1.0)
    cuts = Thresholds(np.arange(1, n_thresholds + 1) * 2 - 0.5)
    problem = learnability.LearningProblem.of_class(cuts, points)
    laws = np.zeros((n_thresholds, problem.n_records))
    laws[:, 0] = 1 - 2 * mass
    for i in range(n_thresholds):
        laws[i, 2 * i + 1], laws[i, len(points) + 2 * i + 2] = mass, mass
    return problem, laws


def chosen_on(make, mass):
    """Laws of a learner's output on three records of each population of three cuts, and its excess risk."""
    problem, laws = populations(3, mass)
    counts = learnability.count_vectors(problem.n_records, 3)
    samples = learnability.sample_probabilities(counts, laws)
    np.testing.assert_allclose(samples.sum(axis=1), 1)
    chosen = samples @ make(problem)(counts)
    return chosen, (chosen * problem.excess_risk(laws)).sum(axis=1)


@pytest.mark.source("WLF16-rem-phase-transition", "WLF16-prop-12")
@pytest.mark.parametrize("mass", [0.5, 0.2])
@pytest.mark.parametrize("epsilon", [0.4, 1.5])
def test_no_private_learner_beats_the_bound_on_all_populations_of_the_packing(
    mass, epsilon
):
    chosen, risk = chosen_on(
        lambda problem: learnability.exponential_learner(problem, epsilon), mass
    )
    assert 0 < population_risk(3, epsilon, mass, 0.0, 3) <= risk.max()
    np.testing.assert_allclose(risk, mass * (1 - chosen.diagonal()))


@pytest.mark.source("WLF16-prop-33", "WLF16-rem-phase-transition")
@pytest.mark.parametrize("mass", [0.5, 0.2])
@pytest.mark.parametrize("size", [1, 2])
def test_publishing_some_records_does_not_beat_the_bound_with_its_delta(mass, size):
    _, risk = chosen_on(
        lambda problem: on_a_share(learnability.erm_learner(problem), size), mass
    )
    bounds = [
        population_risk(3, epsilon, mass, size / 3, 3) for epsilon in (0.01, 0.3, 1.0)
    ]
    assert max(bounds) <= risk.max()
    assert mass == 0.5 or max(bounds) > 0


def test_the_bound_on_populations_is_the_mean_of_packings_of_random_distance():
    epsilon, delta, mass = 0.7, 0.001, 0.25
    values = [
        learnability.packing_excess_risk(50, d, epsilon, delta=delta, loss=1.0)
        for d in range(1, 4)
    ]
    by_hand = mass * (0.125 * 49 / 50 + np.dot([0.375, 0.375, 0.125], values))
    assert population_risk(3, epsilon, mass, delta, 50) == pytest.approx(
        by_hand, rel=1e-12
    )
    one = learnability.packing_excess_risk(50, 6, epsilon)
    assert population_risk(6, epsilon, 0.5, 0.0, 50) == pytest.approx(one, rel=1e-12)


@pytest.mark.source("WLF16-rem-phase-transition", "WLF16-prop-33")
@pytest.mark.parametrize("rate", [0.05, 0.5])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_every_exponentially_small_delta_keeps_thresholds_out_of_reach(rate, epsilon):
    mass = min(0.5, rate / (4 * epsilon))
    risks = [population_risk(n, epsilon, mass, exp(-rate * n)) for n in (100, 340)]
    assert risks[-1] > 0.8 * mass


@pytest.mark.erratum("WLF16-rem-phase-transition", "WLF16-prop-33")
def test_the_borders_are_in_order_and_the_source_is_linear_in_m():
    for m in (1000, 10_000):
        border = chapter.borders(m, 1.0, 0.05)
        assert (np.diff(list(border.values())) > 0).all()
        assert border["WLF16, one ε"] / m == pytest.approx(e * (e - 1), rel=0.01)


@pytest.mark.source("WLF16-prop-33")
@pytest.mark.erratum("WLF16-prop-33")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.0])
def test_the_exponent_is_linear_in_n_and_lies_between_two_lines(epsilon):
    growth = exp(epsilon) * (exp(epsilon) - 1)
    for n in (1, 10, 100, 10**4, 10**6):
        exponent = -chapter.log_delta_limit_wlf16(n, epsilon) - epsilon + log(0.4 / n)
        assert n * log(1 + growth) * (1 - 1e-9) <= exponent <= n * growth * (1 + 1e-9)
    assert -chapter.log_delta_limit_wlf16(100, 1.0) - 1 + log(0.004) == pytest.approx(
        456.5, abs=0.1
    )


@pytest.mark.erratum("WLF16-prop-33/2")
def test_with_n_in_the_numerator_the_subtracted_term_is_far_above_one():
    for n in (10, 100):
        delta = 0.4 * n * exp(-0.5 * n)
        term, bound = subtracted(n, 0.5, delta)
        assert term == pytest.approx(0.4 * exp(-0.5) * n**2)
        assert (
            bound == 0
        )  # not only the proof fails: group privacy over n records says nothing
        assert learnability.thresholds_excess_risk(inf, n, 0.5, delta=delta) < 0.5
        term, bound = subtracted(n, 0.5, 0.4 * exp(-0.5 * n) / n)
        assert term == pytest.approx(0.4 * exp(-0.5))
        assert bound > 0.45


@pytest.mark.erratum("WLF16-prop-33/3")
@pytest.mark.parametrize("exponent", [1.5, 3.0, 10.0])
def test_with_the_corrected_constants_the_contradiction_survives(exponent):
    _, printed, outside, risk = chain(exponent)
    assert (np.ceil(exp(exponent)) - 1) * exp(-exponent) * 0.8 - 0.4 >= outside - 1e-12
    assert outside < printed
    assert risk == pytest.approx(0.2 - 0.4 * exp(-exponent))
    assert (risk > 0.1) == (exp(-exponent) < 0.25)


@pytest.mark.erratum("WLF16-prop-33/4")
def test_theorem_32_at_n_squared_needs_the_constant_that_is_dropped():
    n, epsilon = 30, 0.5

    def delta(k):
        return exp(chapter.log_delta_limit_wlf16(k, epsilon))

    *_, new_epsilon, new_delta = aerm_privacy(epsilon, delta, n**2)
    needed = 0.4 * exp(-new_epsilon * n**2) / n**2
    assert new_delta == pytest.approx(needed, rel=1e-9)
    assert exp(epsilon) / 0.4 * new_delta > needed  # without the constant


@pytest.mark.source("WLF16-thm-32", "WLF16-def-28", "WLF16-def-negligible")
def test_a_family_of_deltas_is_kept_and_epsilon_vanishes():
    sizes = (1, 10, 100, 10_000, 1_000_000)
    table = np.array([aerm_privacy(1.0, lambda k: k**-1.5, m) for m in sizes])
    tight, printed = table[:, :2], table[:, 2:]
    assert (tight <= printed).all()
    assert (printed[:, 0] <= exp(1) * (exp(1) - 1) / np.sqrt(sizes)).all()
    assert tight[-1, 0] < 0.002
    assert (np.diff(np.array(sizes) * tight[:, 1])[1:] < 0).all()
    kept = aerm_privacy(1.0, lambda k: 1 / k, 10_000)  # not o(1/k), nor is the new one
    assert 10_000 * kept[1] == pytest.approx(1.0)


@pytest.mark.source("WLF16-thm-32")
def test_a_subsampled_approximate_mechanism_keeps_the_parameters_exactly():
    epsilon, delta = 0.8, 0.1

    def learner(z):
        """The canonical mechanism on the number of ones, for two records."""
        ones = int(sum(z))
        first = {0: [delta, 0.0], 1: [0.0, 0.0], 2: [0.0, delta]}[ones]
        odds = exp(epsilon) ** (ones - 1)
        rest = 1 - sum(first)
        return np.array([*first, rest / (1 + odds), rest * odds / (1 + odds)])

    worst = audit.exact(learner, np.arange(2), 2).delta(epsilon)
    new_epsilon, new_delta, *_ = aerm_privacy(epsilon, lambda k: worst, 4)
    found = audit.exact(subsampled_mechanism(learner, 2), np.arange(2), 4)
    assert found.delta(new_epsilon) <= new_delta + 1e-12
    assert found.delta(0.3 * new_epsilon) > 0.3 * new_delta


@pytest.mark.parametrize("epsilon", [0.2, log(2), 3.0])
def test_a_moderate_delta_costs_as_much_on_populations_up_to_a_constant(epsilon):
    for delta in (1e-12, 1e-4, 0.01):
        for m in (1, 3, 20, 400):
            packed = min(group_at_half(epsilon, delta), m)
            mass = packed / (4 * m)
            bound = population_risk(m, epsilon, mass, delta)
            assert bound >= packed / (16 * m)


def test_a_group_of_46_of_100_records_and_the_numbers_of_the_errata():
    delta = 2.0**-50
    assert chapter.cut_bound(46, 100, log(2), delta) > 15 / 16 * 0.23 > 1 / 5
    slope = -chapter.log_delta_limit_wlf16(100, 1.0) - 1 + log(0.4 / 100)
    assert slope / 100 == pytest.approx(4.565, abs=5e-4)
    assert subtracted(10, 0.5, 4.0 * exp(-5))[0] == pytest.approx(24.3, abs=0.05)
    assert subtracted(10, 0.5, 0.04 * exp(-5))[0] == pytest.approx(0.243, abs=5e-4)
    assert chain(3.0)[3] == pytest.approx(0.180, abs=5e-4)
    assert aerm_privacy(1.0, lambda k: 1 / k, 10_000)[0] == pytest.approx(
        0.017, abs=5e-4
    )


def test_randomised_response_that_may_tell_the_truth_attains_the_packing_bound():
    K, epsilon, delta = 5, 0.7, 0.1
    p = (exp(epsilon) + (K - 1) * delta) / (exp(epsilon) + K - 1)
    laws = np.full((K, K), (1 - p) / (K - 1))
    np.fill_diagonal(laws, p)
    for i, j in ((0, 1), (3, 2)):
        assert hockey_stick(laws[i], laws[j], epsilon) == pytest.approx(delta)
    assert 1 - p == pytest.approx(packing_bound(K, 1, 1.0, epsilon, delta))


def needed(alpha, n_samples, more=0):
    return (ceil(1 / alpha - 1 - 1e-9) + more) / n_samples


SECOND = 0.1 * exp(1) + 0.1


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "needed": [
            (needed, None),
            (lambda alpha, n: needed(alpha, n, 1), "are enough"),
            (lambda alpha, n: needed(alpha, n, -1), "too few"),
            (lambda alpha, n: (1 / alpha - 1) / n, "whole number"),
        ],
        "exponent": [(11, None), (10, "below 0.1"), (12, "small enough, too")],
        "group": [
            (([1.0, 0.0], [0.9, 0.1], [1 - SECOND, SECOND]), None),
            (([1.0, 0.0], [0.9, 0.1], [0.8, 0.2]), "not above 0.2"),
            (([1.0, 0.0], [0.9, 0.1], [0.5, 0.5]), "from law 2 to law 1"),
            (([1.0, 0.0], [0.9, 0.1]), "three laws"),
            (([1.0, 0.0], [0.9, 0.2], [0.8, 0.2]), "sum to 1"),
        ],
    },
    chapter,
)
