"""Exact failure probabilities of learners: enumeration, PAC guarantees, sample sizes."""

from itertools import product

import numpy as np
import pytest

from privml import pac
from privml.bounds import agnostic_erm_excess_error, required_sample_size
from privml.hypotheses import Conjunctions, Parities, Table, boolean_cube
from privml.populations import FinitePopulation
from tests.pac.test_deviation import small_cases
from tests.refusals import refused

TWO = Table([[False], [True]])


def erm_size(n_hypotheses, alpha, beta):
    return required_sample_size(
        lambda n: agnostic_erm_excess_error(n_hypotheses, n, beta), alpha
    )


def first_of_the_best(mistakes):
    """ERM, ties to the first, written out on its own."""
    law = np.zeros(mistakes.shape)
    law[np.arange(len(mistakes)), mistakes.argmin(axis=1)] = 1
    return law


def worst_of_the_best(errors):
    """ERM whose ties go to the truly worst hypothesis: no learner, the adversary's tie-break."""

    def law(mistakes):
        chosen = np.where(
            mistakes == mistakes.min(axis=1, keepdims=True), errors, -1.0
        ).argmax(axis=1)
        return np.eye(len(errors))[chosen]

    return law


def softened(mistakes):
    weights = np.exp(-0.7 * mistakes)
    return weights / weights.sum(axis=1, keepdims=True)


def by_ordered_samples(law, hypotheses, population, size, gain):
    total = 0.0
    for sample in product(range(population.n_points), repeat=size):
        sample = list(sample)
        probabilities = law(
            hypotheses.mistakes(population.X[sample], population.y[sample])[None]
        )[0]
        total += np.prod(population.probabilities[sample]) * sum(probabilities * gain)
    return total


@pytest.mark.source("L4-def-pac")
@small_cases
def test_failure_and_mean_excess_equal_sums_over_ordered_samples(
    chosen, weights, size, alpha
):
    hypotheses = Table(boolean_cube(3)[sorted(chosen)])
    law = np.array(weights) / sum(weights)
    population = FinitePopulation([0, 1, 2] * 2, [True] * 3 + [False] * 3, law)
    excess = (
        population.error_rates(hypotheses) - population.error_rates(hypotheses).min()
    )
    for learner in (first_of_the_best, softened):
        fails = (excess > alpha + pac.SLACK).astype(float)
        expected = by_ordered_samples(learner, hypotheses, population, size, fails)
        exact = pac.failure_probability(learner, hypotheses, population, size, alpha)
        assert exact == pytest.approx(expected, abs=1e-12)
        expected = by_ordered_samples(learner, hypotheses, population, size, excess)
        exact = pac.expected_excess_error(learner, hypotheses, population, size)
        assert exact == pytest.approx(expected, abs=1e-12)


@pytest.mark.source("L4-def-pac")
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.5), (0.5, 0.1), (0.4, 0.25)])
def test_erm_is_an_agnostic_pac_learner_at_the_promised_sample_size_whatever_the_population(
    alpha, beta
):
    """All populations over 2 points with probabilities in quarters, and the worst tie-break."""
    hypotheses = Table(boolean_cube(2))
    n_samples = erm_size(4, alpha, beta)
    laws = [np.array(law) / 4 for law in product(range(5), repeat=4) if sum(law) == 4]
    assert len(laws) == 35
    for law in laws:
        population = FinitePopulation([0, 0, 1, 1], [False, True] * 2, law)
        learner = worst_of_the_best(population.error_rates(hypotheses))
        assert (
            pac.failure_probability(learner, hypotheses, population, n_samples, alpha)
            <= beta
        )


SQUARE = boolean_cube(2)
CLASSES_ON_THE_SQUARE = [Conjunctions(2), Conjunctions(2, monotone=True), Parities(2)]


@pytest.mark.source("DR11-def-11.3", "DR11-def-11.1")
@pytest.mark.parametrize("hypotheses", CLASSES_ON_THE_SQUARE)
def test_erm_pac_learns_classes_on_the_square_when_a_hypothesis_is_right(hypotheses):
    n_samples = erm_size(hypotheses.n_hypotheses, 0.5, 0.2)
    for target in np.unique(hypotheses.predict(SQUARE), axis=0):
        population = FinitePopulation(SQUARE, target, [0.1, 0.2, 0.3, 0.4])
        assert population.best(hypotheses).error == 0
        learner = worst_of_the_best(population.error_rates(hypotheses))
        assert (
            pac.failure_probability(learner, hypotheses, population, n_samples, 0.5)
            <= 0.2
        )
        assert pac.failure_probability(learner, hypotheses, population, 1, 0.05) > 0.2


@pytest.mark.source("DR11-def-11.3", "DR11-def-11.1")
@pytest.mark.parametrize("hypotheses", CLASSES_ON_THE_SQUARE)
def test_erm_pac_learns_classes_on_the_square_when_no_hypothesis_is_right(hypotheses):
    """Labels by equality of the two features; or on two corners, and flipped with probability 0.2."""
    n_samples = erm_size(hypotheses.n_hypotheses, 0.5, 0.2)
    target = SQUARE[:, 0] == SQUARE[:, 1]
    clean = FinitePopulation(SQUARE, target, [0.25] * 4)
    noisy = FinitePopulation(SQUARE, target, [0.5, 0.0, 0.5, 0.0]).with_label_noise(0.2)
    for population in (clean, noisy):
        assert population.best(hypotheses).error > 0.1
        learner = worst_of_the_best(population.error_rates(hypotheses))
        assert (
            pac.failure_probability(learner, hypotheses, population, n_samples, 0.5)
            <= 0.2
        )


@pytest.mark.source("L4-def-pac", "DR11-def-11.3")
def test_a_learner_that_ignores_the_sample_fails_however_large_the_sample():
    def stubborn(mistakes):
        return np.tile([1.0, 0.0], (len(mistakes), 1))

    population = FinitePopulation([0, 0], [False, True], [0.2, 0.8])
    for n_samples in (1, 10, 100):
        failure = pac.failure_probability(stubborn, TWO, population, n_samples, 0.5)
        assert failure == pytest.approx(1, abs=1e-12)
        assert pac.expected_excess_error(
            stubborn, TWO, population, n_samples
        ) == pytest.approx(0.6)
        assert pac.failure_probability(stubborn, TWO, population, n_samples, 0.6) == 0


COIN = FinitePopulation([0, 0], [False, True], [0.35, 0.65])


def sizes_that_hold(beta, upper):
    def failure(n):
        return pac.failure_probability(first_of_the_best, TWO, COIN, n, 0.1)

    return [n for n in range(1, upper + 1) if failure(n) <= beta]


@pytest.mark.source("L4-def-pac")
@pytest.mark.parametrize("beta", [0.3, 0.2, 0.1])
def test_the_smallest_sample_size_is_the_first_from_which_all_sizes_hold(beta):
    upper = 90
    holding = sizes_that_hold(beta, upper)
    failing = sorted(set(range(1, upper + 1)) - set(holding))
    full = pac.smallest_sample_size(
        first_of_the_best, TWO, COIN, 0.1, beta=beta, upper=upper
    )
    assert full == failing[-1] + 1
    assert holding[0] < full  # even sizes fail after odd ones have held
    for run in (1, 2, 3):
        found = pac.smallest_sample_size(
            first_of_the_best, TWO, COIN, 0.1, beta=beta, upper=upper, run=run
        )
        assert found == min(
            n for n in holding if all(n + k in holding for k in range(run))
        )


def test_the_smallest_sample_size_is_one_when_every_hypothesis_will_do():
    assert (
        pac.smallest_sample_size(first_of_the_best, TWO, COIN, 0.3, beta=0.5, upper=4)
        == 1
    )
    assert (
        pac.smallest_sample_size(
            first_of_the_best, TWO, COIN, 0.3, beta=0.5, upper=4, run=4
        )
        == 1
    )


test_parameters_out_of_range_are_refused = refused(
    *(
        ({"run": run}, r"upper must be .* at most beta=0.01, but got 12")
        for run in (None, 1, 5)
    ),
    ({"upper": 0}, "upper must be a positive integer"),
    ({"upper": 10.0}, "upper must be a positive integer"),
    ({"run": 0}, "run must be a positive integer"),
    call=lambda change: pac.smallest_sample_size(
        first_of_the_best, TWO, COIN, 0.1, beta=0.01, **{"upper": 12, **change}
    ),
)


def test_a_law_of_the_wrong_shape_is_refused():
    with pytest.raises(
        ValueError, match=r"learner must return shape \(4, 2\), but got shape \(4,\)"
    ):
        pac.failure_probability(lambda mistakes: mistakes[:, 0], TWO, COIN, 3, 0.1)
    with pytest.raises(ValueError, match="n_samples must be a positive integer"):
        pac.expected_excess_error(first_of_the_best, TWO, COIN, 0)


def test_a_failure_of_exactly_beta_up_to_rounding_is_allowed():
    coin = FinitePopulation([0, 0], [False, True], [0.3, 0.7])
    beta = pac.failure_probability(first_of_the_best, TWO, coin, 5, 0.1)
    for shift in (0.0, -1e-14):
        assert (
            pac.smallest_sample_size(
                first_of_the_best, TWO, coin, 0.1, beta=beta + shift, upper=5
            )
            == 5
        )


def test_one_record_is_not_enough_where_only_one_record_fails():
    population = FinitePopulation([0], [True], [1.0])

    def late(mistakes):
        found = np.zeros(mistakes.shape)
        found[:, 1 if mistakes.max() > 1 else 0] = 1
        return found

    assert pac.smallest_sample_size(late, TWO, population, 0.1, beta=0.5, upper=9) == 2
    assert (
        pac.smallest_sample_size(late, TWO, population, 0.1, beta=0.5, upper=9, run=1)
        == 2
    )


def test_a_learner_that_always_fails_does_so_with_probability_one_and_no_more():
    """The weights of all samples sum to 1 + 7e-15 at 28 records."""
    probabilities = np.random.default_rng(0).dirichlet(np.ones(3))
    population = FinitePopulation(np.arange(3), np.ones(3, dtype=bool), probabilities)
    table = Table(np.array(list(product([False, True], repeat=3))))

    def last_of_all(mistakes):
        return np.eye(8)[mistakes.argmax(axis=1)]

    found = [
        pac.failure_probability(last_of_all, table, population, n, 0.01)
        for n in range(1, 30)
    ]
    assert max(found) == 1
    assert min(found) > 1 - 1e-12
