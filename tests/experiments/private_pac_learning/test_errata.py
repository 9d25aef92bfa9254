"""What the sources print on private PAC learning, and the computation that shows otherwise."""

from itertools import product

import numpy as np
import pytest

from privml.bounds import private_pac
from privml.experiments import private_pac_learning as experiments
from privml.hypotheses import Table
from privml.populations import FinitePopulation


@pytest.mark.erratum("S16-alg-3")
def test_under_add_or_remove_one_the_printed_weights_use_half_of_epsilon_and_twice_the_exponent_all_of_it():
    table = experiments.learner_audit(1.0, [6]).set_index(["relation", "exponent"])["exact_epsilon"]
    assert table["add-or-remove-one", 0.5] <= 0.5
    assert 0.5 < table["add-or-remove-one", 1.0] <= 1


@pytest.mark.erratum("L4-private-erm-gap")
def test_the_count_of_correct_labels_speaks_about_the_empirical_error():
    """With the true error in the place of the empirical one, u = m - m err fails on some data set."""
    hypotheses, population = Table([[True], [False]]), FinitePopulation([0, 0], [True, False], [0.6, 0.4])
    correct = 3 - hypotheses.mistakes([0, 0, 0], np.array([False, False, True]))
    assert correct.tolist() == [1, 2]
    assert abs(3 - 3 * population.error_rates(hypotheses)[0] - correct[0]) > 0.5


@pytest.mark.erratum("L4-rem-price-of-privacy")
def test_below_the_knee_the_size_is_inverse_and_not_linear_in_alpha_and_in_epsilon():
    size = private_pac.private_pac_sample_size_l4
    assert size(16, 0.0005, 0.1, 0.05) == pytest.approx(2 * size(16, 0.001, 0.1, 0.05), rel=1e-4)
    assert size(16, 0.0005, 0.05, 0.05) == pytest.approx(2 * size(16, 0.0005, 0.1, 0.05), rel=1e-4)


@pytest.mark.erratum("L4-private-agnostic-pac")
def test_a_sample_size_without_the_class_fails_on_large_classes_and_the_corrected_one_does_not():
    table = experiments.transcribed_size([10, 100, 2000], [1, 10], 1.0, 0.25, 0.1).set_index("k")
    assert table.loc[100, "m = 47"] > 0.999
    assert table.loc[100, "m = 470"] > 0.95
    assert table.loc[2000, "m = 470"] > 0.999
    assert (table["failure there"] < 0.1).all()


@pytest.mark.parametrize(
    ("empirical", "one_sided", "two_sided"), [(0.3, True, True), (0.31, False, False), (0.09, True, False)]
)
def test_the_events_of_the_proofs_are_recognised_at_their_edges(empirical, one_sided, two_sided):
    found = experiments.proof_check([0.2, 0.5], [empirical, 0.5], 0, 0.1)
    assert (found["printed_event"], found["two_sided_event"]) == (one_sided, two_sided)
    assert found["excess_error"] == 0


@pytest.mark.erratum("S16-thm-0.3/3")
def test_the_printed_event_holds_and_the_output_is_bad():
    found = experiments.proof_check([0.1, 0.6], [0.1, 0.0], 1, 0.1)
    assert found["printed_event"]
    assert not found["two_sided_event"]
    assert found["empirical_gap"] == 0
    assert found["excess_error"] == pytest.approx(0.5)


@pytest.mark.erratum("S16-thm-0.3/4")
def test_two_slacks_of_half_alpha_reach_three_halves_of_alpha_and_a_quarter_does_not_exceed_alpha():
    table = experiments.one_sided_and_split(0.2)
    assert table["two_sided_event"].tolist() == [False, True, True]
    np.testing.assert_allclose(table["empirical_gap"].astype(float), [0, 0.1, 0.1], atol=1e-12)
    np.testing.assert_allclose(table["excess_error"].astype(float), [0.5, 0.3, 0.2])
    errors = np.linspace(0, 0.5, 11)
    for first, second, shift, other in product(errors, errors, (-0.05, 0, 0.05), (-0.05, 0, 0.05)):
        found = experiments.proof_check([first, second], [first + shift, second + other], 1, 0.05)
        assert found["two_sided_event"]
        if found["empirical_gap"] <= 0.1 + 1e-12:
            assert found["excess_error"] <= 0.2 + 1e-12


@pytest.mark.erratum("S16-thm-0.3/6")
def test_the_last_arrow_of_the_printed_chain_runs_the_other_way():
    weak, strong = experiments.arrows(10, 5, 0.5, 0.2, 0.05)
    assert (round(weak, 5), round(strong, 5)) == (0.00571, 0.00417)
    assert 0.005 <= weak
    assert not 0.005 <= strong


@pytest.mark.erratum("DR11-thm-private-pac")
def test_the_quantity_that_the_chain_bounds_can_be_small_while_learning_fails():
    table = experiments.printed_goal([10, 50, 100], 1.0, 0.2, 1024)
    assert (table["true_error_too_large"] > table["empirical_error_too_large"]).all()
    assert table.loc[2, "empirical_error_too_large"] < 0.01 < 0.25 < table.loc[2, "true_error_too_large"]


@pytest.mark.erratum("DR11-cor-pac-iff-private-pac")
def test_thresholds_are_learned_from_far_fewer_records_than_the_footnote_allows():
    table = experiments.large_threshold_class([16], 120, 0.2, 0.2, 60, seed=1)
    assert table.loc[0, "printed_size"] > 2 * 120
    assert table.loc[0, "failures"] == 0
    assert 2 * (1 - 0.2) ** 120 < 1e-11  # the proved bound for realizable thresholds, any number of them
