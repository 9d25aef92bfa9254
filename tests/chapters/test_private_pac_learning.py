"""What the chapter on private PAC learning computes, against brute force, other formulas and the theorems."""

import math
from functools import partial
from itertools import product
from math import log, sqrt

import numpy as np
import pandas as pd
import pytest

from book.tools.chapter_code import chapter_module
from privml import pac
from privml._search import smallest_integer
from privml.adjacency import Adjacency
from privml.bounds import private_erm_gap
from privml.hypotheses import Table, Thresholds, boolean_cube
from privml.learners import erm_mistake_learner, exponential_mistake_learner
from privml.populations import FinitePopulation
from tests.chapters import private_pac_learning_functions as functions
from tests.chapters.checkers import checkers, several
from tests.chapters.private_pac_learning_functions import RULES, UNIVERSE

chapter = chapter_module("private-pac-learning")
REPLACE, REMOVE = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE


@pytest.mark.erratum("S16-alg-3")
def test_under_add_or_remove_one_the_printed_weights_use_half_of_epsilon_and_twice_the_exponent_all_of_it():
    assert functions.audited(REMOVE, REPLACE, 6, 0.5).epsilon <= 0.25
    assert 0.25 < functions.audited(REMOVE, REMOVE, 6, 0.5).epsilon <= 0.5


def test_the_count_of_correct_labels_speaks_about_the_empirical_error():
    """With the true error in the place of the empirical one, u = m - m err fails on some data set."""
    hypotheses, population = (
        Table([[True], [False]]),
        FinitePopulation([0, 0], [True, False], [0.6, 0.4]),
    )
    correct = 3 - hypotheses.mistakes([0, 0, 0], np.array([False, False, True]))
    assert correct.tolist() == [1, 2]
    assert abs(3 - 3 * population.error_rates(hypotheses)[0] - correct[0]) > 0.5


def test_below_the_knee_the_size_is_inverse_and_not_linear_in_alpha_and_in_epsilon():
    size = partial(functions.sample_size, "L4")
    assert size(16, 0.0005, 0.1, 0.05) == pytest.approx(
        2 * size(16, 0.001, 0.1, 0.05), rel=1e-4
    )
    assert size(16, 0.0005, 0.05, 0.05) == pytest.approx(
        2 * size(16, 0.0005, 0.1, 0.05), rel=1e-4
    )


def test_a_sample_size_without_the_class_fails_on_large_classes_and_one_with_it_does_not():
    table = pd.DataFrame(
        [functions.without_the_class(k, 1.0, 0.25, 0.1) for k in (10, 100, 2000)]
    ).set_index("k")
    assert table.loc[100, "m = 47"] > 0.999
    assert table.loc[100, "m = 470"] > 0.95
    assert table.loc[2000, "m = 470"] > 0.999
    assert (table["failure there"] < 0.1).all()


@pytest.mark.parametrize(
    ("empirical", "one_sided", "two_sided"),
    [(0.3, True, True), (0.31, False, False), (0.09, True, False)],
)
def test_the_events_of_the_proofs_are_recognised_at_their_edges(
    empirical, one_sided, two_sided
):
    found = functions.proof_check([0.2, 0.5], [empirical, 0.5], 0, 0.1)
    assert (found["printed_event"], found["two_sided_event"]) == (one_sided, two_sided)
    assert found["excess_error"] == 0


def test_the_printed_event_holds_and_the_output_is_bad():
    found = functions.proof_check([0.1, 0.6], [0.1, 0.0], 1, 0.1)
    assert found["printed_event"]
    assert not found["two_sided_event"]
    assert found["empirical_gap"] == 0
    assert found["excess_error"] == pytest.approx(0.5)


@pytest.mark.erratum("S16-thm-0.3")
def test_two_slacks_of_half_alpha_reach_three_halves_of_alpha_and_a_quarter_does_not_exceed_alpha():
    found = functions.proof_check([0.1, 0.4], [0.2, 0.3], 1, 0.1)
    assert found["two_sided_event"]
    assert (found["empirical_gap"], found["excess_error"]) == pytest.approx((0.1, 0.3))
    errors = np.linspace(0, 0.5, 11)
    for first, second, shift, other in product(
        errors, errors, (-0.05, 0, 0.05), (-0.05, 0, 0.05)
    ):
        found = functions.proof_check(
            [first, second], [first + shift, second + other], 1, 0.05
        )
        assert found["two_sided_event"]
        if found["empirical_gap"] <= 0.1 + 1e-12:
            assert found["excess_error"] <= 0.2 + 1e-12


@pytest.mark.erratum("DR11-thm-private-pac")
def test_the_quantity_that_the_chain_bounds_can_be_small_while_learning_fails():
    goals = {m: functions.goals(m, 1.0, 0.2, 1024)[1:] for m in (10, 50, 100)}
    assert all(empirical < true for empirical, true in goals.values())
    assert goals[100][0] < 0.01 < 0.25 < goals[100][1]


@pytest.mark.erratum("DR11-cor-pac-iff-private-pac")
def test_thresholds_are_learned_from_far_fewer_records_than_the_footnote_allows():
    assert 16 * log(2) / 0.2**2 > 2 * 120
    assert functions.erm_failures(16, 120, 0.2, 0.2, 60, np.random.default_rng(1)) == 0
    assert (
        2 * (1 - 0.2) ** 120 < 1e-11
    )  # the proved bound for realizable thresholds, any number of them


@pytest.mark.parametrize("epsilon", [0.3, 4.0])
def test_the_law_on_a_crowd_is_that_of_the_learner_with_all_rivals_written_out(epsilon):
    mistakes = np.array([[0, 0], [3, 5], [7, 2]])
    full = exponential_mistake_learner(epsilon)(mistakes[:, [0, 1, 1, 1, 1]])
    crowded = functions.crowd_law(epsilon, math.log(4))(mistakes)
    np.testing.assert_allclose(
        crowded, np.stack([full[:, 0], full[:, 1:].sum(axis=1)], axis=1)
    )
    erm = erm_mistake_learner("uniform")(mistakes[:, [0, 1, 1, 1, 1]])
    np.testing.assert_allclose(functions.crowd_erm_law(5)(mistakes)[:, 0], erm[:, 0])


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 9.0])
def test_independent_rivals_agree_with_the_enumeration_of_all_samples(epsilon):
    alpha, n_samples = 0.2, 6
    cube = boolean_cube(3)
    rates = np.array([0.4, 0.6, 0.6]) + np.array([-1, 1, 1]) * functions.HAIR / 2
    weights = np.where(cube, 1 - rates, rates).prod(axis=1)
    population = FinitePopulation(np.arange(8), np.ones(8, dtype=bool), weights)
    bits = Table(cube.T)
    enumerated = pac.failure_probability(
        exponential_mistake_learner(epsilon), bits, population, n_samples, alpha
    )
    assert functions.private_failure(3, n_samples, epsilon, alpha) == pytest.approx(
        enumerated, abs=1e-11
    )
    enumerated = pac.failure_probability(
        erm_mistake_learner("uniform"), bits, population, n_samples, alpha
    )
    assert functions.erm_failure(3, n_samples, alpha) == pytest.approx(
        enumerated, abs=1e-12
    )


@pytest.mark.parametrize(("m", "epsilon"), [(50, 0.1), (200, 1.0), (80, 20.0)])
def test_the_quadrature_does_not_depend_on_its_step(m, epsilon):
    coarse, fine = (
        functions.private_failure(16, m, epsilon, 0.2, step=step)
        for step in (0.1, 0.03)
    )
    assert coarse == pytest.approx(fine, abs=1e-10)


@pytest.mark.source("L4-private-erm", "DR11-alg-exp-mech-learner")
def test_the_audit_stays_below_epsilon_and_approaches_it_where_the_theorem_is_tight():
    designs = [(REPLACE, REPLACE), (REMOVE, REPLACE), (REMOVE, REMOVE)]
    shares = [functions.audited(*design, 6, 1.0).epsilon for design in designs]
    assert all(functions.audited(*design, 2, 1.0).epsilon < 1 for design in designs)
    assert 0.97 < shares[0] < 1
    assert 0.48 < shares[1] < 0.5
    assert 0.99 < shares[2] < 1


@pytest.mark.source("S16-alg-3", "DR11-alg-exp-mech-learner")
def test_counting_and_averaging_give_one_law_and_a_wrong_average_is_noticed(
    monkeypatch,
):
    assert functions.two_ways_to_score(0.7, 4) == 0
    wrong = functions.empirical_error
    monkeypatch.setattr(functions, "empirical_error", lambda *data: 1.01 * wrong(*data))
    assert functions.two_ways_to_score(0.7, 4) > 0


def test_all_mistakes_are_those_of_all_ordered_data_sets():
    losses = (RULES.predict(UNIVERSE[0]) != UNIVERSE[1]).T.astype(int)
    brute = {
        tuple(losses[list(rows)].sum(axis=0)) for rows in product(range(8), repeat=3)
    }
    assert {tuple(row) for row in functions.all_mistakes(3).tolist()} == brute


@pytest.mark.source("L4-private-erm-gap", "DR11-lem-empirical-utility")
@pytest.mark.parametrize("epsilon", [0.8, 3.0])
def test_on_no_data_set_is_the_training_error_far_from_the_least_more_often_than_beta(
    epsilon,
):
    mistakes = functions.all_mistakes(10)
    for beta in (0.05, 0.3):
        gap = private_erm_gap(5, 10, epsilon, beta=beta)
        assert functions.worst_failure(mistakes, epsilon, 10 * gap) <= beta
    exact = functions.worst_gap(mistakes, 10, epsilon, 0.1)
    assert exact <= 10 * private_erm_gap(5, 10, epsilon, beta=0.1)
    assert functions.worst_failure(mistakes, epsilon, exact + 1) <= 0.1
    assert functions.worst_failure(mistakes, epsilon, exact) > 0.1


def size(tails, n_hypotheses, epsilon, alpha, beta):
    def holds(m):
        radius = sqrt(log(2 * tails / beta) / (2 * m))
        return 2 * radius + 2 * log(2 * n_hypotheses / beta) / (epsilon * m) <= alpha

    return smallest_integer(holds)


def label_probabilities(n_true, n_false, epsilon, factor=0.5):
    return 1 / (1 + np.exp(-factor * epsilon * (np.asarray(n_true) - n_false)))


def test_drawing_a_rival_is_what_enumerating_the_samples_of_a_crowd_says():
    for m, epsilon in ((1, 1.0), (11, 0.1), (101, 1.0)):
        drawn = chapter.rival_drawn(m, epsilon, 15, 0.2 + functions.HAIR)
        law = functions.crowd_law(epsilon, log(15))
        exact = pac.failure_probability(law, *functions.crowd(0.2), m, 0.2)
        assert drawn == pytest.approx(exact, abs=1e-12)
    law = functions.crowd_erm_law(16)
    exact = pac.failure_probability(law, *functions.crowd(0.2), 51, 0.2)
    assert chapter.rival_drawn(51, 1e9, 15, 0.2 + functions.HAIR) == pytest.approx(
        exact, abs=1e-12
    )
    for m, epsilon, k in ((40, 1.0, 3), (200, 0.1, 64)):
        drawn = chapter.crowd_failure(k * log(2), m, epsilon, 0.25 + functions.HAIR)
        exact = functions.crowd_failure(k * log(2), m, epsilon, 0.25)
        assert drawn == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("n_rules", [2, 16])
def test_the_sizes_of_unit_2_are_those_of_the_enumeration_and_of_the_theorem(n_rules):
    for epsilon in (0.1, 0.5):
        arguments = n_rules, epsilon, 0.2, 0.05
        assert chapter.exact_size(*arguments) == functions.exact_size(*arguments)
        theorem = functions.sample_size("S16", *arguments)
        assert chapter.theorem_size(*arguments) == theorem
    erm = functions.exact_size(n_rules, math.inf, 0.2, 0.05)
    assert chapter.exact_size(n_rules, 1e9, 0.2, 0.05) == erm


def test_the_numbers_of_the_sharper_theorem_worked_by_hand():
    factor = {x: 0.6 * math.exp(-x) + 0.4 * math.exp(x) for x in (0.1, 0.2, 0.4, 1.0)}
    rounded = [round(value, 3) for value in factor.values()]
    assert rounded == [0.985, 0.980, 0.999, 1.308]
    assert functions.sample_size("one moment", 16, 0.5, 0.2, 0.05) == 289
    assert chapter.theorem_size(16, 0.5, 0.2, 0.05) == 1431
    records = (2 * 50 * 21 * log(2) + log(20)) * 200
    assert 291_500 < records < 292_500


def test_part_1_of_the_sharper_theorem_asks_for_enough_records():
    """The two demands of the page are never weaker than the excess error that the library computes."""
    for n_rules, epsilon, alpha in product((2, 960), (0.01, 0.3, 4.0), (0.05, 0.3)):
        least = functions.sample_size("one moment", n_rules, epsilon, alpha, 0.05)
        demand = log(n_rules / 0.05) * max(2 / alpha**2, 4 / (alpha * epsilon))
        assert least <= math.ceil(demand) <= 2 * least


@pytest.mark.parametrize(
    ("size", "steps", "epsilon"), [(3, 0, 1.0), (9, 8, 0.25), (40, 4, 0.5)]
)
def test_thresholds_that_are_packed_closely_do_not_all_fit(size, steps, epsilon):
    x, t = np.full((size, 20), size + 1.0), np.arange(size)[:, None]
    x[:, :steps] = t + np.arange(steps) % 2
    cuts = Thresholds(np.arange(1.0, size + 1))
    mistakes = np.array([cuts.mistakes(*data) for data in zip(x, x > t, strict=True)])
    total = [
        size * exponential_mistake_learner(e)(mistakes).diagonal().min()
        for e in (epsilon, 50.0)
    ]
    assert total[0] <= math.exp(steps * epsilon) + 1e-12
    assert steps == 0 or total[1] > math.exp(
        steps * epsilon
    )  # a learner that is not as private


def test_the_numbers_of_the_packing_worked_by_hand():
    least = [chapter.packing(size, 8, 1 / 4, 9 / 10)["on z_0"].sum() for size in (8, 9)]
    assert least[0] < 1 < least[1]
    assert 60 * 0.9 < math.exp(8 / 2) < 61 * 0.9
    assert 1106 < functions.thresholds_packing(2**64, 0.1, 0.1, 0.05) < 1107
    assert 2215 < functions.thresholds_packing(2**128, 0.1, 0.1, 0.05) < 2216
    assert 2 * 0.9**36 <= 0.05 < 2 * 0.9**35


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "one_sided": [
            (lambda h, e, a, b: size(h + 1, h, e, a, b), None),
            (lambda h, e, a, b: size(2 * h, h, e, a, b), "would do"),
            (lambda h, e, a, b: size(1, h, e, a, b), "not enough"),
            (lambda h, e, a, b: size(h + 1, h, e, a, b) + 1, "would do"),
        ],
        "label_probabilities": [
            (label_probabilities, None),
            (
                lambda t, f, e: label_probabilities(t, f, e, factor=1.0),
                "wrong distribution",
            ),
            (lambda t, f, e: label_probabilities(f, t, e), "wrong distribution"),
            (lambda t, f, e: label_probabilities(t[:3], f[:3], e), "10,000"),
        ],
        "free_epsilon": [
            (0.7, None),
            (0.65, "needs 152 records"),
            (0.75, "already ε = 0\\.70"),
            (0.71, "multiple"),
        ],
        "own_cuts": [
            (
                (([2, 7, 7], [False, True, True]), ([2, 6, 7], [False, True, True]))[
                    ::-1
                ],
                None,
            ),
            ((([2, 7], [False, True]), ([2, 7], [True, True])), "still finite"),
            ((([2, 7], [False, True]), ([3, 6], [False, True])), "differ in 2"),
            ((([2, 7], [False, True]), ([2, 7], [False, True])), "differ in 0"),
            ((([2, 7], [False, True]), ([2], [False])), "same size"),
        ],
        "no_class_size": [
            (several(102, 470, 1.0, 0.25), None),
            (several(101, 470, 1.0, 0.25), "only"),
            (several(103, 470, 1.0, 0.25), "already"),
        ],
    },
    chapter,
)
