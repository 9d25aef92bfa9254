"""What the chapter on lower bounds for private learning computes: orders, brute force, and the errata."""

from itertools import combinations, product
from math import e, exp

import numpy as np
import pytest
from scipy.optimize import linprog

from book.tools.chapter_code import chapter_module
from privml import learnability
from privml.learnability import packing_excess_risk, thresholds_excess_risk
from tests.chapters import what_cannot_be_learned_functions as functions
from tests.chapters.checkers import checkers

chapter = chapter_module("what-cannot-be-learned")


@pytest.mark.source("WLF16-prop-12")
@pytest.mark.parametrize(
    ("n_points", "n_samples", "epsilon"), [([2, 3, 4], 2, 1.0), ([2, 3], 3, 0.5)]
)
def test_lower_bound_optimum_mechanism_and_theorem_are_in_this_order(
    n_points, n_samples, epsilon
):
    table = np.array(
        [chapter.between(size, n_samples, epsilon)[1:] for size in n_points]
    )
    assert (np.diff(table, axis=1) > 0).all()
    assert (np.diff(table, axis=0) > 0).all()


def test_the_reflection_is_a_symmetry_of_the_problem():
    problem = learnability.grid_packing(3, 2).problem
    np.testing.assert_array_equal(problem.losses[::-1, ::-1], problem.losses)


def brute_error(places, y, bits, epsilon):
    """Cut by cut."""
    mistakes = np.array([((places >= cut) != y).sum() for cut in range(2**bits + 1)])
    weights = np.exp(-epsilon * mistakes / 2)
    return weights @ mistakes / weights.sum() / len(y)


@pytest.mark.parametrize("bits", [1, 3, 7])
def test_expected_error_by_gaps_is_that_of_all_cuts(bits):
    rng = np.random.default_rng(bits)
    x, y = rng.random(20).round(2), rng.random(20) < 0.5
    x[0] = 1.0
    brute = brute_error(np.floor(x * 2**bits), y, bits, 0.4)
    assert chapter.expected_error(x, y, bits, 0.4) == pytest.approx(brute, rel=1e-12)


def test_packed_data_are_packed():
    places = np.repeat([3, 4], 5)
    brute = brute_error(places, places == 4, 3, 0.7)
    assert chapter.packed_error(10, 3, 0.7) == pytest.approx(brute, rel=1e-12)


def test_digits_cost_nothing_on_tumours_and_everything_on_packed_data():
    cancer = chapter.load_breast_cancer()
    x = cancer.X[:, cancer.feature_names.index("radius (worst)")]
    assert 0 <= x.min() <= x.max() <= 1
    rows = np.array(
        [
            list(chapter.digits(x, cancer.y, bits, 0.1).values())
            for bits in (10, 40, 100)
        ]
    )
    _, tumours, packed, bound = rows.T
    assert np.ptp(tumours) < 1e-3
    assert packed[2] > 0.499999
    assert (bound[1:] <= packed[1:]).all()
    assert bound[2] > 0.4999


@pytest.mark.source("WLF16-prop-12")
@pytest.mark.parametrize("bits", [8, 64, 4096])
def test_not_enough_is_below_enough_and_the_ratio_tends_to_four(bits):
    least = chapter.too_few(2**bits, 0.1, 0.1)
    most = np.ceil(2 * (bits * np.log(2)) / (0.1 * 0.1))
    assert least == functions.thresholds_impossible_size(2**bits, 0.1, 0.1)
    assert functions.all_at_the_cut(2**bits, 0.1, 0.1) <= least < most
    assert least <= bits * np.log(2) / (2 * 0.1 * 0.1)
    assert bits < 4096 or 4 < most / least < 4.1
    bound = [
        learnability.thresholds_excess_risk(2**bits, size, 0.1)
        for size in (least, least + 1)
    ]
    assert bound[0] >= 0.1 > bound[1]


@pytest.mark.source("WLF16-ex-16")
@pytest.mark.parametrize("n_samples", [5, 19, 20, 400])
def test_missing_masses_are_in_order(n_samples):
    _, uniform, worst, bound, source, hidden = functions.missing_masses(20, n_samples)
    assert max(uniform, worst) <= bound + 1e-12
    assert bound <= source
    assert hidden >= 2 / 3


@pytest.mark.source("WLF16-ex-17")
@pytest.mark.parametrize("n_samples", [1, 2, 3])
def test_subset_selection_does_not_beat_the_bound(n_samples):
    risk, bound = (
        functions.subset_selection_risk(6, n_samples, 2, 1.0),
        functions.private_support_risk(6, 2, 1.0),
    )
    assert risk >= bound - 1e-12
    assert n_samples > 1 or risk == pytest.approx(bound)
    assert bound >= 1 - np.exp(1) * 2 / 6


@pytest.mark.source("WLF16-lem-14")
def test_the_expected_least_risk_is_as_close_as_the_direct_bound_says():
    for n_samples in (16, 100):
        _, exact, direct, fourth_root, printed = functions.best_risk_gap(n_samples)
        assert exact <= direct <= fourth_root < printed / 12
    problem = learnability.LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    counts, grid = learnability.count_vectors(2, 5), np.linspace(0, 1, 201)
    laws = np.stack([grid, 1 - grid], axis=1)
    chosen = learnability.sample_probabilities(counts, laws) @ learnability.erm_learner(
        problem
    )(counts)
    assert functions.erm_rate(5) == pytest.approx(
        (chosen * problem.excess_risk(laws)).sum(axis=1).max()
    )


def point_packing():
    return 4 * np.hstack([np.zeros((6, 6), dtype=int), np.eye(6, dtype=int)])


def guessing_risk(universe, support, n, guesses, spare=0):
    same = 1 / support if n == 2 else 1.0
    terms = [(same, 1), (1 - same, 2)]
    return sum(
        c * (1 - seen / support) * (1 - guesses / (universe - seen + spare))
        for c, seen in terms
    )


ENDS = [(0.02, True), (0.98, False)]
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "points": [
            (point_packing(), None),
            (point_packing()[:5], "shape"),
            (point_packing() // 2, "4 records"),
            (4 * np.eye(6, 12, dtype=int), "costs nothing"),
            (
                point_packing() // 2 + 2 * np.eye(6, 12, dtype=int)[[1, 2, 3, 4, 5, 0]],
                "is possible",
            ),
        ],
        "digits": [(65, None), (64, "below 0.1"), (66, "enough, too")],
        "jump": [
            (([*ENDS, (0.5, True)], [*ENDS, (0.5, False)]), None),
            (([(0.5, True)], [(0.5, False)]), "can be 0 apart"),
            (
                ([(0.1, True), (0.2, True)], [(0.9, False), (0.8, False)]),
                "2 records differ",
            ),
            (([(0.1, True)], [(0.1, True), (0.9, False)]), "keeps their number"),
            (([(1.5, True)], [(-0.5, False)]), "lie in"),
        ],
        "guess": [
            (guessing_risk, None),
            (lambda *sizes: guessing_risk(*sizes, spare=1), "is not"),
            (lambda universe, support, n, guesses: (1 - 1 / support) ** n, "is not"),
        ],
    },
    chapter,
)


def brute_missing_mass(law, n_samples):
    total = 0.0
    for sample in product(range(len(law)), repeat=n_samples):
        total += np.prod([law[i] for i in sample]) * sum(
            p for i, p in enumerate(law) if i not in sample
        )
    return total


@pytest.mark.source("WLF16-ex-16")
@pytest.mark.parametrize("law", [[1.0], [0.5, 0.3, 0.2], [0.7, 0.1, 0.1, 0.1]])
def test_missing_mass_is_the_risk_of_returning_what_was_seen(law):
    for n in (1, 4):
        assert functions.missing_mass(law, n) == pytest.approx(
            brute_missing_mass(law, n), abs=1e-12
        )


@pytest.mark.erratum("WLF16-ex-16/2")
def test_the_rate_of_the_source_is_true_and_e_times_too_large():
    for n_atoms, n in product((1, 2, 10, 1000), (1, 9, 10, 5000)):
        assert (
            functions.missing_mass_bound(n_atoms, n)
            <= min(1, n_atoms / (e * n)) + 1e-15
        )
    assert functions.missing_mass_bound(10, 10**6) * 10**6 / 10 == pytest.approx(
        1 / e, rel=1e-5
    )
    assert functions.missing_mass_bound(8, 8) == pytest.approx(8 / 9 * (8 / 9) ** 8)
    assert functions.missing_mass(np.full(8, 1 / 8), 7) == pytest.approx(
        functions.missing_mass_bound(8, 7)
    )


@pytest.mark.source("WLF16-ex-16")
@pytest.mark.erratum("WLF16-ex-16")
def test_three_times_as_many_points_as_records_defeat_every_learner_and_each_law_alone_does_not():
    risks = [functions.hidden_support_risk(3 * n, n) for n in (1, 2, 10, 1000, 10**6)]
    np.testing.assert_allclose(risks[:4], [0.667, 0.694, 0.712, 0.717], atol=6e-4)
    assert min(risks) >= 2 / 3 - 1e-12
    assert max(risks) < exp(-1 / 3)
    law = np.full(30, 1 / 30)
    assert functions.missing_mass(law, 10) == pytest.approx(
        functions.hidden_support_risk(30, 10)
    )
    assert (
        functions.missing_mass(law, 1000) < 1e-13
    )  # pointwise, returning what was seen does learn this law


def best_private_support_risk(n_points, output_size, epsilon):
    """Linear program: one record, outputs are all sets of at most output_size points."""
    outputs = [
        set(c)
        for size in range(output_size + 1)
        for c in combinations(range(n_points), size)
    ]
    width = len(outputs)
    cost = (
        np.concatenate([[float(z not in h) for h in outputs] for z in range(n_points)])
        / n_points
    )
    rows = []
    for z, other in product(range(n_points), repeat=2):
        if z != other:
            block = np.zeros((width, n_points * width))
            block[:, z * width : (z + 1) * width] = np.eye(width)
            block[:, other * width : (other + 1) * width] = -exp(epsilon) * np.eye(
                width
            )
            rows.append(block)
    sums = np.kron(np.eye(n_points), np.ones(width))
    zeros = np.zeros(len(rows) * width)
    return linprog(
        cost, A_ub=np.vstack(rows), b_ub=zeros, A_eq=sums, b_eq=np.ones(n_points)
    ).fun


@pytest.mark.source("WLF16-ex-17")
@pytest.mark.parametrize(
    ("n_points", "output_size", "epsilon"),
    [(3, 1, 1.0), (4, 2, 0.5), (5, 2, 2.0), (3, 3, 1.0)],
)
def test_for_one_record_the_bound_is_the_optimum_of_all_private_learners(
    n_points, output_size, epsilon
):
    exact = best_private_support_risk(n_points, output_size, epsilon)
    assert functions.private_support_risk(
        n_points, output_size, epsilon
    ) == pytest.approx(exact, abs=1e-9)


@pytest.mark.source("WLF16-lem-14")
@pytest.mark.parametrize(
    ("form", "rate"),
    [("source", 1 / 81 + 12 * 2 / 9 + 37 / 81), ("direct", 2 / 9 + 3 / 81)],
)
def test_the_rate_adds_up_what_the_proofs_add_up(form, rate):
    found = functions.d_universal_aerm_rate(
        lambda k: 1 / k, lambda k: 2 / k, 6561, form=form
    )
    assert found == pytest.approx(rate)


@pytest.mark.source("WLF16-prop-12")
def test_two_data_sets_of_the_packing_differ_in_the_records_around_the_cut_only():
    packing = functions.threshold_packing(6, 10, distance=4)
    for i in range(6):
        for j in range(i):
            differ = (packing.X[i] != packing.X[j]) | (packing.y[i] != packing.y[j])
            assert differ.sum() == 4


def test_the_table_of_the_packing_has_its_records_its_intervals_and_probabilities_that_privacy_allows():
    table = chapter.packing_table(3, 8, 0.1)
    packing = functions.threshold_packing(3, 8)
    for i, rows in table.groupby("data set"):
        bars = rows[rows["what"] == "interval"]
        np.testing.assert_allclose(bars[["from", "to"]], packing.intervals)
        assert bars["value"].sum() == pytest.approx(1)
        assert bars["value"].max() / bars["value"].min() == pytest.approx(exp(0.8))
        records = rows[rows["what"] != "interval"]["from"]
        np.testing.assert_allclose(records, packing.X[i - 1, [0, -1]])


@pytest.mark.source("WLF16-prop-12")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_a_data_set_in_between_makes_the_packing_of_two_harder(epsilon):
    """Two data sets two records apart and their common neighbour: the least average error, by linear programming."""
    factor = exp(epsilon)
    rows = []  # the unknowns are the probabilities of the first answer on the three data sets
    bounds = []
    for i, j in ((0, 1), (1, 0), (1, 2), (2, 1)):
        row = np.zeros(3)
        row[i], row[j] = 1, -factor
        rows += [row, -row]  # the first answer, and the second one
        bounds += [0, factor - 1]
    found = linprog([-0.5, 0, 0.5], A_ub=rows, b_ub=bounds, bounds=[(0, 1)] * 3)
    least = 0.5 + found.fun
    assert least == pytest.approx(exp(-epsilon) / 2)
    assert least > packing_excess_risk(2, 2, epsilon, loss=1.0)


@pytest.mark.erratum("WLF16-prop-12")
def test_outside_of_its_interval_a_threshold_is_wrong_on_half_of_the_records_and_not_on_all():
    """So a risk below 0.1 needs a probability inside of more than 0.8 only, not 0.9."""
    packing = functions.threshold_packing(3, 8)
    table = [
        packing.thresholds.mistakes(packing.X[i], packing.y[i]) / 8 for i in range(3)
    ]
    np.testing.assert_allclose(table, 0.5 * (1 - np.eye(3)))


@pytest.mark.erratum("WLF16-prop-12/2")
@pytest.mark.parametrize("exponent", [0.5, 0.7, 1.3, 3.0, 4.0, 9.0])
def test_the_sum_over_the_other_data_sets_falls_short_of_one_and_one_more_threshold_does_not_fit(
    exponent,
):
    _, n_datasets, all_terms, one_less = functions.union_of_intervals(exponent)
    assert (all_terms, one_less) == (
        n_datasets * exp(-exponent),
        (n_datasets - 1) * exp(-exponent),
    )
    assert one_less < 1 <= all_terms
    assert functions.threshold_packing(n_datasets + 1, 2).intervals.max() < 1


@pytest.mark.parametrize("n_thresholds", [1, 2, 50, 2**30, 2**200])
@pytest.mark.parametrize(("epsilon", "alpha"), [(0.2, 0.05), (1.0, 0.3), (3.0, 0.01)])
def test_the_impossible_size_is_the_largest_at_which_the_bound_reaches_alpha(
    n_thresholds, epsilon, alpha
):
    size = functions.thresholds_impossible_size(n_thresholds, epsilon, alpha)
    bounds = [
        thresholds_excess_risk(n_thresholds, n, epsilon)
        for n in range(size + 1, size + 40)
    ]
    assert max(bounds) < alpha
    assert size == 0 or thresholds_excess_risk(n_thresholds, size, epsilon) >= alpha


@pytest.mark.parametrize(
    ("distance", "epsilon"), [(1, 0.1), (10, 1.0), (40, 2.0), (1000, 1.0)]
)
@pytest.mark.parametrize("alpha", [0.01, 0.25, 0.49])
def test_the_inverses_are_inverses(distance, epsilon, alpha):
    size = functions.packing_size(distance, epsilon, alpha)
    assert packing_excess_risk(size, distance, epsilon) >= alpha
    assert (
        packing_excess_risk(size - 1, distance, epsilon) < alpha if size > 1 else True
    )
    reached = functions.packing_distance(size, epsilon, alpha)
    assert reached >= distance
    assert packing_excess_risk(size, reached, epsilon) >= alpha
    assert packing_excess_risk(size, reached + 1, epsilon) < alpha
