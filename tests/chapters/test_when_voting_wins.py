"""What the chapter on what voting learns computes in its cells, by other routes, and the class of votes."""

from itertools import product
from math import ceil, log

import numpy as np
import pytest
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml.bounds import sauer_shelah
from privml.hypotheses import vc_dimension_by_brute_force
from privml.pate import majority_probability, teacher_distribution, vote_closure
from privml.populations import voting_fails_example, voting_wins_example
from tests.chapters import when_voting_wins_functions as functions
from tests.chapters.checkers import checkers
from tests.enumeration import growth_function

chapter = chapter_module("when-voting-wins")


@pytest.mark.source("LZCW21-fig-1")
def test_the_votes_of_example_one_are_the_printed_ones_and_ties_change_them():
    problem = voting_fails_example()
    drawn = functions.ensemble_of(problem, 24).labels
    first = functions.ensemble_of(problem, 1, ties="first").labels
    assert drawn[:4].tolist() == [True, False, False, False]
    assert first[:4].tolist() == [True, True, False, False]
    table = problem.hypotheses.predictions[:, :4].astype(int).tolist()
    assert table == [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]]
    errors = [
        ~row @ problem.masses for row in (*problem.hypotheses.predictions, drawn, first)
    ]
    assert errors == [0.5, 0.5, 0.5, 0.75, 0.5]


@pytest.mark.source("LZCW21-rem-inconsistency")
@pytest.mark.erratum("LZCW21-ex-1/2")
@pytest.mark.parametrize("best", [0.5, 0.2, 0.05])
def test_the_excess_is_half_of_the_best_error_with_the_fourth_hypothesis_only(best):
    printed, extended = (
        voting_fails_example(with_h4, best) for with_h4 in (False, True)
    )
    for problem, excess in ((printed, 0), (extended, best / 2)):
        assert problem.population.error_rates(
            problem.hypotheses
        ).min() == pytest.approx(best)
        assert problem.hypotheses.vc_dimension == 1
        assert functions.student_excess(problem, 6) == pytest.approx(excess, abs=1e-12)
    assert teacher_distribution(*extended, 6)[3] == pytest.approx(
        0.25 * (1 - 1.5 * best) ** 6
    )


@pytest.mark.source("LZCW21-thm-20")
@pytest.mark.parametrize(
    ("problem", "distances", "excesses"),
    [
        (voting_fails_example(), [0.25, 0], [0, 0.25]),
        (voting_wins_example(), [1 / 3, 0], [0, -1 / 3]),
    ],
)
def test_a_voting_student_finds_the_ensemble_for_better_and_for_worse(
    problem, distances, excesses
):
    _, _, excess, distance = zip(*functions.students(problem), strict=True)
    assert distance == pytest.approx(distances)
    assert excess == pytest.approx(excesses)


@pytest.mark.source("LZCW21-fig-2")
def test_mean_distances_tell_the_three_centres_apart():
    found = {
        name: functions.centre_distances(name, 40, np.random.default_rng(2))
        for name in functions.CENTRES
    }
    y, _, ensemble, *_ = found["no noise"]
    assert y == pytest.approx(ensemble)
    y, best, *_ = found["bounded noise"]
    assert best < 0.15 < y
    y, best, ensemble, _, error, _ = found["agnostic"]
    assert ensemble < best < y
    assert error == pytest.approx(0.75)
    assert ensemble == pytest.approx(0.275)
    assert y == pytest.approx(0.475)
    assert all(
        row[4] <= 2 * row[0] + 1e-9 for row in found.values()
    )  # at most twice the mean error


@pytest.mark.source("LZCW21-fig-2")
@pytest.mark.parametrize("setting", ["no noise", "bounded noise", "agnostic"])
def test_teachers_without_records_are_uniform_and_their_distance_is_the_mean_over_all_pairs(
    setting,
):
    table = functions.ARCS.predictions
    pairs = (table[:, None] != table).astype(float) @ np.append(
        np.full(60, 0.75 / 60), 0.25
    )
    _, best, _, colleague, *_ = functions.centre_distances(
        setting, 0, np.random.default_rng(0), n_draws=10
    )
    assert colleague == pytest.approx(pairs.mean())
    assert colleague == pytest.approx(0.348, abs=5e-4)
    assert best == pytest.approx(pairs[0].mean())


def test_all_arcs_are_equally_good_where_all_labels_are_true():
    assert functions.ring("agnostic").error_rates(functions.ARCS) == pytest.approx(
        np.full(60, 38 / 60 * 0.75)
    )
    assert functions.ARCS.predictions.sum(axis=1).tolist() == [23] * 60


@pytest.mark.source("LZCW21-def-17")
def test_profiles_rise_to_one_and_noise_moves_them_up():
    xi = np.array([0.1, 0.16, 0.17, 0.3, 0.5])
    few, many = (
        functions.on_line(0.3, n, np.random.default_rng(1)).low(xi) for n in (30, 300)
    )
    clean, fails = (
        functions.on_line(0.0, 30, np.random.default_rng(1)).low(xi),
        functions.example_one(False),
    )
    assert fails.low(xi).tolist() == pytest.approx([0, 0, 0.75, 0.75, 1])
    for profile in (few, many, clean):
        assert (np.diff(profile) >= 0).all()
        assert profile[-1] == pytest.approx(1)
    assert (many <= few).all()


def test_the_line_of_the_unit_is_that_of_the_exact_half():
    points, means = chapter.mean_predictions(30, np.random.default_rng(4))
    found = functions.on_line(0.3, 30, np.random.default_rng(4))
    np.testing.assert_allclose(means, found.law @ found.table)
    assert ((means > 0.5) == (points > 0.5)).all()


@pytest.mark.source("LZCW21-rem-21")
def test_the_markov_bound_holds_and_falls():
    rows = [chapter.gathering(n, np.random.default_rng(n)) for n in (5, 20, 80)]
    assert all(max(low, distance) <= bound for low, distance, bound in rows)
    assert rows[0][2] > rows[1][2] > rows[2][2]
    found = functions.on_line(0.3, 20, np.random.default_rng(20))
    far = (found.table != found.best) @ found.masses @ found.law
    vote = (found.ensemble() != found.best) @ found.masses
    assert rows[1] == pytest.approx((found.low(1 / 6), vote, 3 * far))


@pytest.mark.parametrize(("xi", "enough"), [(1 / 6, 1500), (0.05, 8000)])
def test_the_teachers_that_are_asked_for_leave_the_distance_of_the_theorem(xi, enough):
    votes, release = chapter.teachers_needed(xi, 1)
    assert max(votes, release) <= enough
    assert release * xi / 2 - 1 >= chapter.reach(1) > (release - 1) * xi / 2 - 1
    assert 1000 * np.exp(-votes * xi**2 / 2) <= 0.05 * (1 + 1e-9)
    assert chapter.reach(1) == pytest.approx(100.87, abs=0.01)


@pytest.mark.source("LZCW21-prop-18")
def test_more_teachers_finish_more_often_and_the_printed_number_does_not_keep_the_claim():
    numbers = (
        382_737,
        425_124,
        510_316,
        850_526,
    )  # the second is printed, the last corrected
    found = [functions.finishes(K) for K in numbers]
    assert found == sorted(found)
    assert found[1] < 0.2 < 0.95 <= found[3]


@pytest.mark.source("LZCW21-thm-19")
@pytest.mark.parametrize(
    ("with_h4", "excess"), [(False, 0), (True, 0.25), (None, None)]
)
def test_private_students_are_within_the_bound_and_labels_within_the_cut_off(
    with_h4, excess
):
    rng = np.random.default_rng(3)
    if with_h4 is None:
        found = functions.on_line(0.3, 300, rng)
        given = found, 1 / 6, found.best
    else:
        given = functions.example_one(with_h4), 0.15, np.ones(5, dtype=bool)
    _, _, T, off, student, bound, lost = functions.private_student(*given, 400, rng)
    assert off <= T - 1
    assert student <= bound
    assert excess is None or lost == pytest.approx(excess)


def least(xi, beta, step=2):
    number = 1
    while majority_probability(0.5 - xi, number) > beta:
        number += step
    return number


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "voters": [
            (least, None),
            (
                lambda xi, beta: 2 * (ceil(log(1 / beta) / (2 * xi**2)) // 2) + 1,
                "more than needed",
            ),
            (lambda xi, beta: least(xi, beta) - 2, "err with probability"),
            (lambda xi, beta: least(xi, beta) + 1, "not an odd number"),
        ],
        "ring": [
            (np.arange(2 * 9 + 1) < 9, None),
            (np.arange(2 * 10 + 1) < 10, None),
            (np.arange(2 * 30 + 1) < 30, None),
            (np.arange(17) < 8, "the excess"),
            (np.arange(21) < 11, "the excess"),
            (np.arange(3) < 1, "the excess"),
            (np.arange(5) < 0, "the excess"),
            (np.ones(5, dtype=bool), "no error"),
            ([0, 1, 0], "vector of bools"),
        ],
    },
    chapter,
)


@pytest.mark.source("LZCW21-def-vote-class")
@pytest.mark.erratum("LZCW21-def-vote-class/1")
@pytest.mark.parametrize(
    ("table", "n_voters", "dimension"), [("union_class", 2, 2), ("median_class", 3, 3)]
)
def test_the_votes_shatter_all_points_which_are_more_than_voters_times_dimension(
    table, n_voters, dimension
):
    predictions = getattr(chapter if table == "union_class" else functions, table)()
    n_points = predictions.shape[1]
    assert vc_dimension_by_brute_force(predictions) == dimension
    assert len(vote_closure(predictions, n_voters)) == 2**n_points
    assert n_points > n_voters * dimension
    assert n_points <= functions.vote_vc_bound(n_voters, dimension)


@pytest.mark.source("LZCW21-eq-4")
@pytest.mark.erratum("LZCW21-prop-30/2")
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.52, 1.0])
def test_the_mean_margin_is_at_least_twice_the_expected_one_and_more_near_one_half(p):
    for n_teachers in (1, 2, 10, 101):
        votes = np.arange(n_teachers + 1)
        exact = (np.abs(2 * votes - n_teachers) * binom.pmf(votes, n_teachers, p)).sum()
        found = functions.mean_margin(p, n_teachers)
        assert found == pytest.approx(exact)
        assert found >= 2 * n_teachers * abs(p - 0.5) - 1e-9
    gap = functions.mean_margin(p, 101) - 202 * abs(p - 0.5)
    assert (gap > 1) == (p in (0.5, 0.52))


@pytest.mark.source("LZCW21-def-vote-class")
@pytest.mark.parametrize("seed", range(6))
def test_the_growth_function_of_votes_is_at_most_a_power_and_the_dimension_within_its_bound(
    seed,
):
    table = np.random.default_rng(seed).random((6, 7)) < 0.5
    d = vc_dimension_by_brute_force(table)
    for n_voters in (2, 3):
        votes = vote_closure(table, n_voters)
        for size in (2, 4, 6):
            assert (
                growth_function(votes, size) <= growth_function(table, size) ** n_voters
            )
        assert vc_dimension_by_brute_force(votes) <= functions.vote_vc_bound(
            n_voters, d
        )


@pytest.mark.source("LZCW21-def-vote-class")
def test_the_bound_on_the_dimension_is_the_last_size_with_enough_labellings():
    for n_voters, d in product((1, 2, 5, 20), (1, 2, 4)):
        last = functions.vote_vc_bound(n_voters, d)
        holds = [2**m <= sauer_shelah(d, m) ** n_voters for m in range(1, last + 40)]
        assert holds == [True] * last + [False] * 39
    assert [functions.vote_vc_bound(1, d) for d in (1, 2, 7)] == [1, 2, 7]


@pytest.mark.source("LZCW21-thm-20")
@pytest.mark.source("LZCW21-thm-32")
@pytest.mark.erratum("LZCW21-thm-20/2")
@pytest.mark.erratum("LZCW21-thm-32/1")
def test_a_student_among_the_votes_has_at_most_two_disagreements_per_unstable_label():
    """Random labels for the infinite ensemble, mostly no vote of the class; at most U labels are off."""
    rng, outside = np.random.default_rng(8), 0
    for _ in range(600):
        table, n_voters = rng.random((3, 8)) < rng.random(), int(rng.integers(1, 5))
        votes, unstable = vote_closure(table, n_voters), int(rng.integers(0, 3))
        realised = votes[rng.integers(len(votes))]
        infinite, private = realised.copy(), realised.copy()
        low = rng.choice(8, size=unstable, replace=False)
        infinite[low] ^= rng.random(unstable) < 0.7  # low-margin points may differ
        private[low] = np.where(
            rng.random(unstable) < 0.5, rng.random(unstable) < 0.5, private[low]
        )
        outside += not (votes == infinite).all(axis=1).any()
        for student in functions.nearest(votes, private, np.full(8, 1 / 8)):
            assert (votes[student] != infinite).sum() <= 2 * unstable
    assert outside > 50


@pytest.mark.source("LZCW21-thm-19")
@pytest.mark.source("LZCW21-thm-31")
def test_a_student_in_the_class_is_at_the_least_distance_plus_two_per_wrong_label():
    rng = np.random.default_rng(9)
    for _ in range(600):
        table, infinite = rng.random((4, 8)) < 0.5, rng.random(8) < 0.5
        private, wrong = infinite.copy(), int(rng.integers(0, 4))
        private[rng.choice(8, size=wrong, replace=False)] ^= True
        least = (table != infinite).sum(axis=1).min()
        for student in functions.nearest(table, private, np.full(8, 1 / 8)):
            assert (table[student] != infinite).sum() <= least + 2 * wrong
