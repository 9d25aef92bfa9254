"""The best private learner: private by exhaustive audit, optimal by another program."""

import numpy as np
import pytest
from scipy.optimize import linprog

from privml.adjacency import replacement_pairs, sequences
from privml.audit import exact
from privml.guarantee import Guarantee
from privml.hypotheses import Thresholds
from privml.learnability import (
    LearningProblem,
    count_vectors,
    exponential_learner,
    largest_ratio,
    neighbours,
    optimal_learner,
    permute_and_flip_learner,
    sample_probabilities,
)
from privml.learnability.optimal import certified
from tests.learnability.problems import COIN
from tests.refusals import refused

RANDOM = LearningProblem(np.random.default_rng(5).random((3, 3)))


def thresholds(n_points):
    return LearningProblem.of_class(
        Thresholds(np.arange(n_points + 1.0)), np.arange(float(n_points))
    )


def reflection(problem):
    return [np.arange(problem.n_records)[::-1]]


def worst(law, problem, n_samples):
    counts = count_vectors(problem.n_records, n_samples)
    return float(
        (law(counts) * problem.excess_empirical_risk(counts)).sum(axis=1).max()
    )


def optimum_by_pairs(problem, datasets, pairs, counts, epsilon):
    """The program as it is defined: one inequality an ordered pair and hypothesis."""
    gaps = problem.excess_empirical_risk(counts)
    n_datasets, n_hypotheses = gaps.shape
    rows, right = [], []

    def cell(i, h):
        return i * n_hypotheses + h

    for first, second in np.concatenate([pairs, pairs[:, ::-1]]):
        for h in range(n_hypotheses):
            row = np.zeros(gaps.size + 1)
            row[cell(first, h)], row[cell(second, h)] = 1.0, -np.exp(epsilon)
            rows.append(row)
    for i in range(n_datasets):
        row = np.zeros(gaps.size + 1)
        row[i * n_hypotheses : (i + 1) * n_hypotheses], row[-1] = gaps[i], -1.0
        rows.append(row)
    right = np.zeros(len(rows))
    equal = np.hstack(
        [
            np.kron(np.eye(n_datasets), np.ones((1, n_hypotheses))),
            np.zeros((n_datasets, 1)),
        ]
    )
    cost = np.append(np.zeros(gaps.size), 1.0)
    return linprog(
        cost, np.array(rows), right, equal, np.ones(n_datasets), method="highs-ds"
    ).fun


def optimum_over_count_vectors(problem, n_samples, epsilon):
    counts = count_vectors(problem.n_records, n_samples)
    return optimum_by_pairs(
        problem, counts, neighbours(problem.n_records, n_samples), counts, epsilon
    )


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.0, 3.0])
@pytest.mark.parametrize(
    "problem", [COIN, RANDOM, thresholds(2)], ids=["coin", "random", "thresholds"]
)
def test_the_value_is_that_of_the_program_written_pair_by_pair(problem, epsilon):
    learner = optimal_learner(problem, 3, epsilon)
    assert learner.value == pytest.approx(
        optimum_over_count_vectors(problem, 3, epsilon), abs=1e-9
    )


@pytest.mark.parametrize(
    ("problem", "n_samples"), [(COIN, 4), (RANDOM, 3)], ids=["coin", "random"]
)
def test_learners_that_look_at_the_order_of_the_records_do_no_better(
    problem, n_samples
):
    rows = sequences(problem.n_records, n_samples)
    counts = (rows[:, :, None] == np.arange(problem.n_records)).sum(axis=1)
    ordered = optimum_by_pairs(problem, rows, replacement_pairs(rows), counts, 0.8)
    assert optimal_learner(problem, n_samples, 0.8).value == pytest.approx(
        ordered, abs=1e-9
    )


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize("n_samples", [1, 2, 5, 8])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_for_two_answers_the_optimum_is_the_geometric_rule(n_samples, epsilon):
    steps = (
        np.arange(n_samples // 2 + 1)
        if n_samples % 2 == 0
        else np.arange((n_samples + 1) // 2)
    )
    margins = (2 * steps + n_samples % 2) / n_samples
    at_centre = 1 / 2 if n_samples % 2 == 0 else 1 / (1 + np.exp(epsilon))
    expected = (margins * at_centre * np.exp(-epsilon * steps)).max()
    assert optimal_learner(COIN, n_samples, epsilon).value == pytest.approx(
        expected, abs=1e-9
    )


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_no_mechanism_of_the_library_is_better_and_the_certificate_is_tight(epsilon):
    problem = thresholds(3)
    learner = optimal_learner(problem, 4, epsilon, symmetries=reflection(problem))
    assert 0 <= learner.slack + 1e-12 < 1e-9
    assert learner.value == worst(learner.output_probabilities, problem, 4)
    flipped = worst(permute_and_flip_learner(problem, epsilon), problem, 4)
    assert (
        learner.value
        < flipped
        < worst(exponential_learner(problem, epsilon), problem, 4)
    )
    assert worst(exponential_learner(problem, epsilon), problem, 4) <= 2 * np.log(4) / (
        4 * epsilon
    )


@pytest.mark.source("WLF16-eq-7")
def test_a_class_of_distributions_is_easier_than_all_data_sets():
    problem = thresholds(3)
    distributions = np.random.default_rng(0).dirichlet(np.ones(6), size=12)
    learner = optimal_learner(problem, 3, 1.0, distributions=distributions)
    counts = count_vectors(6, 3)
    excess = (
        learner.output_probabilities(counts) * problem.excess_empirical_risk(counts)
    ).sum(axis=1)
    expected = sample_probabilities(counts, distributions) @ excess
    assert learner.value == pytest.approx(expected.max(), abs=1e-15)
    assert learner.slack < 1e-9
    assert learner.value < optimal_learner(problem, 3, 1.0).value
    assert exact(learner.output_distribution, np.arange(6), 3).epsilon <= 1.0 + 1e-12


def test_a_data_set_is_taken_in_any_order_and_foreign_records_are_clipped():
    learner = optimal_learner(thresholds(2), 3, 1.0)
    one, other = (
        learner.output_distribution([3, 0, 1]),
        learner.output_distribution([0, 1, 99]),
    )
    np.testing.assert_array_equal(one.pmf(), other.pmf())
    assert learner.release([3, 0, 1], rng=4) == one.rvs(rng=4)


test_bad_parameters_are_refused = refused(
    (([[0.0, 1.0]], 2, 1.0), "problem must be an instance of LearningProblem"),
    (
        (thresholds(8), 6, 1.0),
        "at most 600000 privacy constraints in the linear program, but got 4465152 for 54264 data sets",
    ),
    call=lambda arguments: optimal_learner(*arguments),
)


def test_data_sets_of_another_size_or_universe_are_refused():
    learner = optimal_learner(COIN, 2, 1.0)
    for counts in ([[1, 2]], [[1, 1, 0]]):
        with pytest.raises(ValueError, match="must have (n_samples=)?2"):
            learner.output_probabilities(np.array(counts))
    with pytest.raises(ValueError, match="must have n_samples=2 records"):
        learner.output_distribution([0, 1, 1])


@pytest.mark.parametrize("epsilon", [12.0, 25.0, 30.0, 36.0, 40.0, 800.0, 1e300])
@pytest.mark.parametrize(("problem", "n_samples"), [(COIN, 2), (thresholds(3), 3)])
def test_a_law_that_is_accepted_is_optimal_in_relation_to_its_value(
    problem, n_samples, epsilon
):
    try:
        learner = optimal_learner(problem, n_samples, epsilon)
    except ValueError:
        with pytest.raises(
            ValueError,
            match="epsilon must be within the reach of floats and the solver, but got",
        ):
            optimal_learner(problem, n_samples, epsilon)
    else:
        assert 0 < learner.value * (1 - 2e-6) <= learner.lower_bound <= learner.value


@pytest.mark.parametrize("epsilon", [0.0, 1e-300, 1e-6, 1.0, 40.0, 1e4, 1e300])
@pytest.mark.parametrize(
    "losses",
    [[[0.3, 1.0]], [[0.0, 1.0], [0.0, 1.0]], [[1.0, 0.5], [0.2, 0.1], [0.7, 0.1]]],
    ids=str,
)
def test_where_one_hypothesis_is_always_best_nothing_is_lost(losses, epsilon):
    for distributions in (None, [[0.5, 0.5]]):
        learner = optimal_learner(
            LearningProblem(losses), 3, epsilon, distributions=distributions
        )
        assert learner.value == learner.lower_bound == 0
        assert (learner.probabilities == learner.probabilities[0]).all()


@pytest.mark.parametrize("epsilon", [0.0, 1e-300, 1e-15, 1e-9, 1e-7])
@pytest.mark.parametrize("problem", [COIN, thresholds(2), RANDOM])
def test_an_epsilon_near_zero_gives_the_best_constant_law(problem, epsilon):
    from privml.learnability import neighbour_cliques

    gaps = problem.excess_empirical_risk(count_vectors(problem.n_records, 2))
    n_hypotheses = gaps.shape[1]
    found = linprog(
        np.append(np.zeros(n_hypotheses), 1.0),
        np.column_stack([gaps, -np.ones(len(gaps))]),
        np.zeros(len(gaps)),
        [np.append(np.ones(n_hypotheses), 0.0)],
        [1.0],
    )
    learner = optimal_learner(problem, 2, epsilon)
    assert learner.value == pytest.approx(found.fun, rel=1e-5)
    assert (
        largest_ratio(learner.probabilities, neighbour_cliques(problem.n_records, 2))
        <= epsilon
    )


def test_exact_small_optima_are_reached_or_refused():
    """The closed form of one record, 1 / (1 + e^epsilon), to a relative 1e-6 wherever it is printed."""
    printed = 0
    for epsilon in np.linspace(0, 45, 46):
        try:
            learner = optimal_learner(COIN, 1, epsilon)
        except ValueError:
            continue
        printed += 1
        truth = 1 / (1 + np.exp(epsilon))
        assert learner.value == pytest.approx(truth, rel=2e-6)
        assert learner.lower_bound <= truth * (1 + 1e-12)
    assert printed >= 15


@pytest.mark.source("WLF16-rem-beimel-log-H")
def test_a_finer_grid_needs_more_records():
    sizes = []
    for n_points in (1, 2, 4):
        grid = thresholds(n_points)
        values = (
            optimal_learner(grid, m, 2.0, symmetries=reflection(grid)).value
            for m in range(1, 9)
        )
        sizes.append(next(m for m, value in enumerate(values, 1) if value <= 0.1))
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.0), (0.2, 0.1)])
def test_a_table_that_does_not_keep_its_promise_is_no_learner(epsilon, delta):
    """Randomised response on one record, and just a little more of it than is promised."""
    from privml.learnability import OptimalLearner

    truth = (np.exp(epsilon) + delta) / (1 + np.exp(epsilon))
    wanted = {
        "problem": COIN,
        "n_samples": 1,
        "epsilon": epsilon,
        "delta": delta,
        "value": 0.5,
    }
    for more, kept in ((-1e-9, True), (1e-9, False), (0.02, False)):
        table = np.array(
            [[truth + more, 1 - truth - more], [1 - truth - more, truth + more]]
        )
        if kept:
            learner = OptimalLearner(probabilities=table, lower_bound=0.0, **wanted)
            assert (learner.guarantee.epsilon, learner.guarantee.delta) == (
                epsilon,
                delta,
            )
            assert not learner.probabilities.flags.writeable
        else:
            with pytest.raises(ValueError, match="must satisfy .*differential privacy"):
                OptimalLearner(probabilities=table, lower_bound=0.0, **wanted)
    for broken in (table[:1], -table, table / 2):
        with pytest.raises(ValueError, match="must be a table"):
            OptimalLearner(probabilities=broken, lower_bound=0.0, **wanted)


def test_the_value_of_a_learner_is_never_below_what_is_proved_of_all():
    """Rounding may put its worst excess below the bound, which holds for it too."""
    law = np.full((3, 2), 0.5)
    excess = certified(COIN, 2, 1.0, law, 0.0).value
    assert certified(
        COIN, 2, 1.0, law, np.nextafter(excess, 1.0)
    ).value == np.nextafter(excess, 1.0)


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0])
@pytest.mark.parametrize(
    "problem", [RANDOM, thresholds(3)], ids=["random", "thresholds"]
)
def test_the_learner_keeps_its_epsilon_on_every_pair_of_neighbours_and_spends_it(
    problem, epsilon
):
    learner = optimal_learner(problem, 3, epsilon)
    found = exact(learner.output_distribution, np.arange(problem.n_records), 3)
    assert found.epsilon <= epsilon + 1e-12
    assert found.epsilon == pytest.approx(epsilon, abs=1e-7)
    assert learner.guarantee == Guarantee(epsilon)
