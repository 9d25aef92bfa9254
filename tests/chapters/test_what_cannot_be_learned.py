"""What the chapter on what cannot be learned computes: orders, brute force, and the errata they show."""

import numpy as np
import pytest

from book.tools.programme import tangled
from privml import learnability
from tests.chapters.checkers import checkers

chapter = tangled("what-cannot-be-learned")


@pytest.mark.source("WLF16-prop-12")
@pytest.mark.parametrize(("n_points", "n_samples", "epsilon"), [([2, 3, 4], 2, 1.0), ([2, 3], 3, 0.5)])
def test_lower_bound_optimum_mechanism_and_theorem_are_in_this_order(n_points, n_samples, epsilon):
    table = np.array([chapter.between(size, n_samples, epsilon)[1:] for size in n_points])
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
    rows = np.array([chapter.digits(x, cancer.y, bits, 0.1) for bits in (10, 40, 100)])
    _, tumours, packed, bound = rows.T
    assert np.ptp(tumours) < 1e-3
    assert packed[2] > 0.499999
    assert (bound[1:] <= packed[1:]).all()
    assert bound[2] > 0.4999


@pytest.mark.source("WLF16-prop-12")
@pytest.mark.parametrize("bits", [8, 64, 4096])
def test_not_enough_is_below_enough_and_the_ratio_tends_to_four(bits):
    _, least, at_the_cut, most = chapter.crossing_sizes(bits, 0.1, 0.1)
    assert at_the_cut <= least < most
    assert bits < 4096 or 4 < most / least < 4.1
    bound = [learnability.thresholds_excess_risk(2**bits, size, 0.1) for size in (least, least + 1)]
    assert bound[0] >= 0.1 > bound[1]


@pytest.mark.erratum("WLF16-prop-12")
def test_a_risk_of_a_tenth_leaves_a_fifth_outside():
    """A threshold of another interval is wrong on half of the records: 1 - 0.1 / 0.5 inside, not 0.9."""
    packing = chapter.threshold_packing(3, 8)
    mistakes = packing.thresholds.mistakes(packing.X[0], packing.y[0])
    assert mistakes.tolist() == [0, 4, 4]
    assert 1 - 0.1 / (mistakes[1:].min() / 8) == pytest.approx(0.8)


@pytest.mark.erratum("WLF16-prop-12/2")
@pytest.mark.parametrize("exponent", [0.7, 3.0, 9.0])
def test_one_term_less_is_less_than_one(exponent):
    _, _, all_terms, one_less = chapter.union_of_intervals(exponent)
    assert one_less < 1 <= all_terms


@pytest.mark.source("WLF16-ex-16")
@pytest.mark.parametrize("n_samples", [5, 19, 20, 400])
def test_missing_masses_are_in_order(n_samples):
    _, uniform, worst, bound, source, hidden = chapter.missing_masses(20, n_samples)
    assert max(uniform, worst) <= bound + 1e-12
    assert bound <= source
    assert hidden >= 2 / 3


@pytest.mark.source("WLF16-ex-17")
@pytest.mark.parametrize("n_samples", [1, 2, 3])
def test_subset_selection_does_not_beat_the_bound(n_samples):
    risk, bound = chapter.subset_selection_risk(6, n_samples, 2, 1.0), chapter.private_support_risk(6, 2, 1.0)
    assert risk >= bound - 1e-12
    assert n_samples > 1 or risk == pytest.approx(bound)
    assert bound >= 1 - np.exp(1) * 2 / 6


@pytest.mark.source("WLF16-lem-14")
def test_the_expected_least_risk_is_as_close_as_the_direct_bound_says():
    for n_samples in (16, 100):
        _, exact, direct, fourth_root, printed = chapter.best_risk_gap(n_samples)
        assert exact <= direct <= fourth_root < printed / 12
    problem = learnability.LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    counts, laws = (
        learnability.count_vectors(2, 5),
        np.stack([np.linspace(0, 1, 201), np.linspace(1, 0, 201)], axis=1),
    )
    chosen = learnability.sample_probabilities(counts, laws) @ learnability.erm_law(problem)(counts)
    assert chapter.erm_rate(5) == pytest.approx((chosen * problem.excess_risk(laws)).sum(axis=1).max())


def point_packing():
    return 4 * np.hstack([np.zeros((6, 6), dtype=int), np.eye(6, dtype=int)])


def guessing_risk(universe, support, n, guesses, spare=0):
    same = 1 / support if n == 2 else 1.0
    terms = [(same, 1), (1 - same, 2)]
    return sum(c * (1 - seen / support) * (1 - guesses / (universe - seen + spare)) for c, seen in terms)


ENDS = [(0.02, True), (0.98, False)]
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "points": [
            (point_packing(), None),
            (point_packing()[:5], "shape"),
            (point_packing() // 2, "4 records"),
            (4 * np.eye(6, 12, dtype=int), "costs nothing"),
            (point_packing() // 2 + 2 * np.eye(6, 12, dtype=int)[[1, 2, 3, 4, 5, 0]], "is possible"),
        ],
        "digits": [(65, None), (64, "below 0.1"), (66, "enough, too")],
        "jump": [
            (([*ENDS, (0.5, True)], [*ENDS, (0.5, False)]), None),
            (([(0.5, True)], [(0.5, False)]), "can be 0 apart"),
            (([(0.1, True), (0.2, True)], [(0.9, False), (0.8, False)]), "2 records differ"),
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
