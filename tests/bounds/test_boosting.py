"""From expectation to high confidence: exact failure probabilities against bounds, and the false claim."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from privml import pac
from privml.bounds import private_pac as boosting
from privml.bounds import required_sample_size
from privml.hypotheses import Table
from privml.learners import boosted_distribution, exponential_mistake_learner
from privml.populations import FinitePopulation
from tests.refusals import refused

GRID = [
    (v, a, e, b)
    for v in (1, 50, 10**6)
    for a in (2, 7, 700)
    for e in (0.01, 1, 9)
    for b in (0.3, 1e-9)
]
BETAS = [0.1, 1e-2, 1e-10, 1e-50, 1e-300]


def root_rate(n):
    return 0.25 / math.sqrt(n)


def selection_failure(v, a, epsilon, gap):
    """The lemma's bound on the probability that the chosen risk exceeds the least one by more than a gap."""
    tilt = min(gap, epsilon / 2)
    return (a - 1) * math.exp(-v * (tilt * gap - tilt**2 / 2))


def free_epsilon(v, a, beta):
    """From which on the private choice has the bound of the one without privacy."""
    return math.sqrt(8 * math.log((a - 1) / beta) / v)


def source_excess_risk(rate, n, epsilon, delta):
    """The bound of the source, corrected: the deviation on the validation block, twice."""
    a = boosting.boosting_candidates(delta / 3)
    m, share = n // (a + 1), math.log(3 * a) - math.log(delta)
    return (
        math.e * rate(m)
        + 2 * math.sqrt((math.log(2) + share) / (2 * m))
        + 2 * share / (m * epsilon)
    )


def population(error):
    """Two constants; the second errs with this probability, the first otherwise."""
    return FinitePopulation(
        np.zeros(2, dtype=int), np.array([True, False]), np.array([1 - error, error])
    )


CONSTANTS = Table(np.array([[False], [True]]))


@pytest.mark.source("WLF16-rem-markov")
@pytest.mark.parametrize("delta", [0.01, 0.2, 0.9])
def test_markov_holds_for_a_learner_and_is_attained_by_another(delta):
    law, drawn = exponential_mistake_learner(0.2), population(0.2)
    rate = pac.expected_excess_error(law, CONSTANTS, drawn, 12)
    assert pac.failure_probability(law, CONSTANTS, drawn, 12, rate / delta) <= delta
    one_shot = 0.6 * delta  # the mean of an excess of 0.6 with probability delta
    assert one_shot / delta == pytest.approx(0.6, rel=1e-15)


@pytest.mark.parametrize("failure", [0.999, 0.5, 0.05 / 3, 1e-9, 1e-300])
def test_the_number_of_candidates_is_the_smallest_that_suffices(failure):
    a = boosting.boosting_candidates(failure)
    assert math.exp(-a) <= failure * (1 + 1e-12)
    assert a == 1 or math.exp(1 - a) > failure


@pytest.mark.erratum("WLF16-alg-boost/3")
def test_rounding_the_number_of_blocks_down_breaks_the_first_step():
    failure = 0.05 / 3
    assert (
        math.floor(math.log(1 / failure)),
        boosting.boosting_candidates(failure),
    ) == (4, 5)
    assert math.exp(-4) > failure >= math.exp(-5)


@pytest.mark.parametrize("validation", boosting.VALIDATIONS)
@pytest.mark.parametrize("a", [1, 2, 5])
def test_blocks_use_every_record_and_leave_enough_for_validation(validation, a):
    fewest = a + 1 if validation == "equal" else 2 * a
    for n in range(fewest, fewest + 40):
        blocks = boosting.boosting_blocks(n, a, validation=validation)
        assert a * blocks.learning + blocks.validation == n
        assert blocks.learning == n // fewest >= 1
        assert blocks.validation >= (
            blocks.learning if validation == "equal" else n / 2
        )
    with pytest.raises(
        ValueError, match=f"n_samples must be at least {fewest} for {a} candidates"
    ):
        boosting.boosting_blocks(fewest - 1, a, validation=validation)


@pytest.mark.parametrize(("v", "a", "epsilon", "beta"), GRID)
def test_gap_and_failure_of_the_choice_are_inverse_and_the_free_epsilon_is_where_they_say(
    v, a, epsilon, beta
):
    gap = boosting.selection_gap(v, a, epsilon, beta=beta)
    assert selection_failure(v, a, epsilon, gap) == pytest.approx(beta, rel=1e-6)
    without = boosting.selection_gap(v, a, math.inf, beta=beta)
    free = free_epsilon(v, a, beta)
    assert free == pytest.approx(2 * without, rel=1e-12)
    assert boosting.selection_gap(v, a, free * (1 + 1e-12), beta=beta) == without
    assert boosting.selection_gap(v, a, free / 1.01, beta=beta) > without
    assert gap >= without


def test_nothing_is_lost_when_there_is_one_candidate():
    assert boosting.selection_gap(9, 1, math.inf, beta=0.1) == 0.0


@pytest.mark.source("WLF16-thm-25")
@pytest.mark.parametrize("delta", BETAS)
@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 5.0])
def test_our_bound_is_below_the_corrected_bound_of_the_source(epsilon, delta):
    for n in (2000, 123_457, 10**8):
        ours = boosting.boosted_excess_risk(root_rate, n, epsilon, beta=delta)
        assert ours < source_excess_risk(root_rate, n, epsilon, delta)


@pytest.mark.source("WLF16-thm-25")
@pytest.mark.parametrize(
    ("validation", "m", "v"), [("equal", 857, 857), ("half", 500, 3001)]
)
@pytest.mark.parametrize("epsilon", [0.01, 0.3, math.inf])
def test_the_two_steps_share_delta_and_use_the_blocks_that_the_split_leaves(
    validation, m, v, epsilon
):
    n, delta = 6001, 0.005
    a = boosting.boosting_candidates(delta / 2)
    assert a == 6
    bound = boosting.boosted_excess_risk(
        root_rate, n, epsilon, beta=delta, validation=validation
    )
    gap = bound - math.e * root_rate(m)
    assert math.exp(-a) + selection_failure(v, a, epsilon, gap) == pytest.approx(
        delta, rel=1e-9
    )


@pytest.mark.source("WLF16-thm-25", "WLF16-alg-boost")
@pytest.mark.parametrize(
    ("error", "learning_epsilon", "epsilon"), [(0.02, 0.3, 1.0), (0.02, 0.3, 0.3)]
)
def test_the_exact_failure_probability_of_the_whole_is_below_delta(
    error, learning_epsilon, epsilon
):
    """Candidates by the private learner on blocks of 60, two of them, and 60 records for the choice."""
    n, delta, law, drawn = (
        180,
        0.3,
        exponential_mistake_learner(learning_epsilon),
        population(error),
    )

    def excess(m):
        return pac.expected_excess_error(law, CONSTANTS, drawn, m)

    bound = boosting.boosted_excess_risk(excess, n, epsilon, beta=delta)
    assert bound < 1 - 2 * error  # so that the worse constant is a failure
    bad = pac.failure_probability(law, CONSTANTS, drawn, 60, bound)
    chosen = [
        boosted_distribution([[bad, 1 - bad]] * 2, [k, 60 - k], epsilon)[0]
        for k in range(61)
    ]
    failure = binom.pmf(np.arange(61), 60, error) @ chosen
    assert 0 < failure <= delta


@pytest.mark.parametrize("validation", boosting.VALIDATIONS)
@pytest.mark.parametrize(
    ("alpha", "epsilon", "delta"),
    [(0.3, 0.1, 0.1), (0.05, 1.0, 1e-6), (0.1, math.inf, 0.5)],
)
def test_sample_size_and_excess_risk_are_inverse(alpha, epsilon, delta, validation):
    def bound(n):
        return boosting.boosted_excess_risk(
            root_rate, n, epsilon, beta=delta, validation=validation
        )

    n = required_sample_size(
        bound, alpha, least=2 * boosting.boosting_candidates(delta / 2)
    )
    assert bound(n - 1) > alpha >= bound(n)


def test_a_rate_that_stays_above_the_target_is_refused():
    with pytest.raises(ValueError, match="target must be reachable"):
        required_sample_size(
            lambda n: boosting.boosted_excess_risk(lambda m: 0.2, n, 1.0, beta=0.1),
            0.3,
            least=9,
        )


@pytest.mark.erratum("WLF16-thm-25/1")
def test_the_printed_block_size_is_negative_and_ours_is_not():
    assert math.log(3 / 9) + 1 == pytest.approx(-0.0986, abs=1e-4)
    a = boosting.boosting_candidates(0.05 / 3)
    assert boosting.boosting_blocks(9, a).learning == 9 // (a + 1) == 1


@pytest.mark.source("WLF16-thm-25")
def test_half_of_the_records_for_validation_make_the_claim_true():
    n = 10**12
    ratios = {"half": [], "equal": []}
    for delta in BETAS:
        a = boosting.boosting_candidates(delta / 2)
        epsilon = free_epsilon(n // 2, a, delta - math.exp(-a))
        for validation, found in ratios.items():
            gap = boosting.boosted_excess_risk(
                lambda m: 0.0, n, epsilon, beta=delta, validation=validation
            )
            found.append(gap / math.sqrt(math.log(3 / delta) / n))
    assert max(ratios["half"]) < 2.2
    assert ratios["equal"][-1] > 20


test_bad_parameters_are_refused = refused(
    (lambda: boosting.selection_gap(5, 2, 0.0, beta=0.1), "epsilon must be positive"),
    (
        lambda: boosting.boosted_excess_risk(root_rate, 3, 1.0, beta=0.1),
        "n_samples must be at least",
    ),
    (
        lambda: boosting.boosted_excess_risk(0.1, 99, 1.0, beta=0.1),
        "rate must be a function",
    ),
)
