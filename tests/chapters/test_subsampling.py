"""The cells of the chapter on subsampling, against proofs, closed forms and the library's laws."""

from math import exp, expm1, isqrt, log1p, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit, pac
from privml.adjacency import Adjacency
from privml.composition import (
    amplified_epsilon,
    amplified_epsilon_wlf16,
    amplified_wlf16,
    root_subsample_epsilon_wlf16,
    subsampled_mechanism,
    subsampled_with_replacement,
    subsampled_without_replacement,
)
from privml.counterexamples import order_sensitive_mechanism
from privml.guarantee import Guarantee
from tests.chapters.checkers import checkers, several
from tests.chapters.subsampling_functions import (
    combinations_of_relations,
    open_size_law,
    talkative_alarm_law,
)

chapter = chapter_module("subsampling")
BITS, VOTES = np.array([0, 1]), np.array([-1, 0, 1])
REPLACE, ADD = Adjacency


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_alarm_keeps_its_promises_exactly(epsilon):
    law = chapter.alarm_law(epsilon, 3)
    for universe, relation, n in (
        (BITS, REPLACE, 1),
        (BITS, ADD, 1),
        (VOTES, ADD, 1),
        (VOTES, REPLACE, 2),
    ):
        assert audit.exact(
            law, universe, 3, adjacency=relation
        ).epsilon == pytest.approx(n * epsilon)
    in_the_open = open_size_law(epsilon, 3)
    assert audit.exact(in_the_open, BITS, 3).epsilon == pytest.approx(epsilon)
    assert audit.exact(in_the_open, BITS, 3, adjacency=ADD).epsilon == np.inf


@pytest.mark.source("WLF16-lem-31", "WLF16-lem-34")
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.1), (0.4, 0.02)])
def test_both_tight_numbers_are_attained_by_one_pair(epsilon, delta):
    n, k = 5, 2
    base = talkative_alarm_law(epsilon, delta, k)
    assert audit.exact(base, BITS, k).delta(epsilon) == pytest.approx(delta)
    found = audit.exact(subsampled_mechanism(base, k), BITS, n)
    tight = subsampled_without_replacement(
        Guarantee(epsilon, delta), n, k, symmetric=True
    )
    assert found.delta(tight.epsilon) == pytest.approx(tight.delta, rel=1e-9)


@pytest.mark.source("WLF16-lem-34")
def test_the_exact_points_lie_on_the_tight_curve():
    for k in range(1, 7):
        lemma_34, lemma_31, ratio_form, tight = chapter.bounds_at(1.3, k / 6).values()
        found = audit.exact(subsampled_mechanism(chapter.alarm_law(1.3, k), k), BITS, 6)
        assert found.epsilon == pytest.approx(tight, rel=1e-9)
        assert tight <= min(ratio_form + 1e-12, lemma_31)
        assert ratio_form <= lemma_34
    assert lemma_34 > 1.3


@pytest.mark.source("WLF16-lem-34", "WLF16-lem-31")
def test_ratios_tend_to_their_limits_and_stay_above():
    for epsilon in (0.01, 0.5, 1.0, 3.0):
        limits = 2 * (1 + exp(-epsilon)), exp(epsilon), 1 + exp(-epsilon)
        np.testing.assert_allclose(chapter.looseness(epsilon, 1e-9), limits, rtol=1e-6)
        assert chapter.looseness(epsilon, 0.5)[0] >= limits[0]


def test_formulas_fail_exactly_where_scheme_and_relation_do_not_belong_together():
    for n, k in ((3, 1), (4, 2), (5, 2)):
        broken = []
        for (
            scheme,
            _,
            audited,
            law,
            universe,
            theory,
        ) in combinations_of_relations(1.2, n, k):
            drawn = subsampled_mechanism(
                law, k / n if scheme == "coins" else k, scheme=scheme
            )
            found = audit.exact(drawn, np.array(universe), n, adjacency=audited).epsilon
            assert found == pytest.approx(theory, rel=1e-9)
            broken.append(found > amplified_epsilon(1.2, k / n) * (1 + 1e-9))
        assert broken == [False, False, True, True, True]


@pytest.mark.parametrize(("n", "size"), [(3, 2), (4, 2), (5, 3), (4, 4)])
def test_one_pass_agrees_with_going_through_all_subsets(n, size):
    rng, scale = np.random.default_rng(n), exp(-1.3 * (size - 1)) / (1 + exp(1.3))
    all_subsets = subsampled_mechanism(order_sensitive_mechanism(1.3, size), size)
    for _ in range(20):
        records = rng.integers(4, size=n)
        alarm = scale * chapter.mean_growth(records, size, 1.3)
        assert alarm == pytest.approx(all_subsets(records)[0], rel=1e-12)


def test_three_records_break_the_formula_in_index_order():
    """Two of (3, 2, 0) and two of (0, 2, 0), with a factor of 2: 7/4 where the formula has 5/3."""
    means = [
        chapter.mean_growth(np.array([kind, 2, 0]), 2, np.log(2)) for kind in (3, 0)
    ]
    np.testing.assert_allclose(means, [7 / 3, 4 / 3], rtol=1e-12)
    assert means[0] / means[1] > exp(amplified_epsilon(np.log(2), 2 / 3))


def test_the_bell_of_the_unit_rings_as_the_text_says():
    bell = chapter.alarm_law(np.log(2), 4)
    for total, ring in ((4, 2 / 3), (3, 1 / 3)):
        assert bell(np.array([total]))[0] == pytest.approx(ring)
    for relation, ratio in ((REPLACE, 2.0), (ADD, 1.5)):
        kept = subsampled_mechanism(bell, 0.5, scheme="coins")
        found = audit.exact(kept, np.array([-1, 1]), 4, adjacency=relation)
        assert exp(found.epsilon) == pytest.approx(ratio)


@pytest.mark.parametrize(("epsilon", "delta", "m", "k"), [(1.0, 0.05, 4, 2)])
def test_with_repeats_delta_grows_as_the_theorem_says(epsilon, delta, m, k):
    law = talkative_alarm_law(epsilon, delta, k)
    found = audit.exact(subsampled_mechanism(law, k, scheme="draws"), BITS, m)
    promise = subsampled_with_replacement(Guarantee(epsilon, delta), m, k)
    whole = k * log1p(expm1(epsilon) / m)
    assert promise.epsilon == pytest.approx(whole)
    assert promise.delta == pytest.approx(delta * expm1(whole) / expm1(epsilon))
    assert found.delta(whole) <= promise.delta * (1 + 1e-9)


def test_the_layout_of_the_proof_is_a_neighbouring_pair():
    z = np.array([0, 2, 2, 1, 1, 0])
    reader = subsampled_mechanism(order_sensitive_mechanism(2.0, 2), 2)
    here, there = reader(np.append(3, z[1:]))[0], reader(z)[0]
    assert chapter.index_order_loss(6, 2, 2.0, 3, 5) == pytest.approx(
        np.log(here / there), rel=1e-12
    )


@pytest.mark.source("WLF16-lem-34")
@pytest.mark.parametrize(("n", "epsilon"), [(5, 2.0), (30, 4.0), (400, 3.0)])
def test_the_closed_form_for_pairs_agrees_with_the_law(n, epsilon):
    losses = chapter.layout_loss(n, np.arange(1, n + 1), epsilon)
    exact = [
        chapter.index_order_loss(n, 2, epsilon, second)
        for second in range(1, n + 1, max(1, n // 30))
    ]
    np.testing.assert_allclose(exact, losses[:: max(1, n // 30)], rtol=1e-9, atol=1e-14)


@pytest.mark.source("WLF16-lem-34")
@pytest.mark.parametrize("epsilon", [1.0, 2.5, 4.0])
def test_the_loss_of_pairs_tends_to_the_limit_of_the_proposition(epsilon):
    n = 1_000_000
    loss = float(chapter.layout_loss(n, round(n / (1 + exp(epsilon / 2))), epsilon))
    assert n * loss == pytest.approx(expm1(epsilon) * (1 + exp(epsilon / 2)), rel=1e-3)
    assert (loss > amplified_epsilon_wlf16(epsilon, 2 / n)) == (epsilon > 2.43)


@pytest.mark.source("WLF16-lem-4", "WLF16-lem-10", "WLF16-lem-31", "WLF16-lem-34")
def test_larger_subsamples_refute_the_other_lemmas():
    forty = chapter.index_order_loss(2000, 40, 1.0, 16, 120)
    assert forty == pytest.approx(0.1105, abs=6e-5)
    assert (
        forty
        > amplified_epsilon_wlf16(1.0, 0.02)
        > amplified_wlf16(1.0, 0.0, 0.02).epsilon
    )
    hundred = chapter.index_order_loss(10_000, 100, 1.5, 14, 200)
    assert hundred == pytest.approx(0.2230, abs=6e-5)
    assert (
        hundred
        > amplified_wlf16(1.5, 0.0, 0.01).epsilon
        > root_subsample_epsilon_wlf16(1.5, 10_000)
    )


def test_the_error_of_a_share_is_least_when_all_records_are_used():
    rows = [
        chapter.share_deviation(0.05, 1000, 0.3, k) for k in (1, 10, 100, 500, 1000)
    ]
    for column in ("both", "from the noise"):
        assert (np.diff([row[column] for row in rows]) < 0).all()
    for k in (1, 10, 100, 500, 1000):
        inner = chapter.inner_epsilon(0.05, k / 1000)
        assert amplified_epsilon(inner, k / 1000) == pytest.approx(0.05)
        assert k * inner <= 1000 * 0.05 * (1 + 1e-9)
    assert rows[-1]["from the noise"] == pytest.approx(sqrt(2) / (1000 * 0.05))


@pytest.mark.parametrize(("epsilon", "m"), [(np.log(5 / 4), 4), (1e-6, 50), (5.0, 50)])
def test_what_k_records_may_spend_grows_with_their_number(epsilon, m):
    spent = [k * chapter.inner_epsilon(epsilon, k / m) for k in range(1, m + 1)]
    assert (np.diff(spent) > 0).all()
    assert spent[-1] == pytest.approx(m * epsilon)
    if m == 4:  # the people of the unit
        np.testing.assert_allclose(np.exp(spent), [2, 9 / 4, 64 / 27, 625 / 256])
        assert np.round(1 / np.array(spent), 2).tolist() == [1.44, 1.23, 1.16, 1.12]


def test_sampling_error_agrees_with_going_through_all_subsets():
    law = subsampled_mechanism(lambda z: np.eye(3)[int(z.sum())], 2)(
        np.array([1, 1, 0, 0, 0])
    )
    shares = np.arange(3) / 2
    deviation = sqrt(law @ (shares - law @ shares) ** 2)
    assert chapter.share_deviation(1.0, 5, 0.4, 2)["from sampling"] == pytest.approx(
        deviation
    )


@pytest.mark.source("WLF16-lem-4")
def test_learning_from_the_root_is_consistent_and_all_records_learn_better():
    rows = [chapter.learning_from_the_root(1.0, 0.4, m) for m in (4, 16, 100, 400)]
    assert (np.diff([part for part, _ in rows]) < 0).all()
    assert all(whole < part for part, whole in rows)
    for m in (4, 16, 100, 400):
        assert amplified_epsilon(1.0, isqrt(m) / m) < root_subsample_epsilon_wlf16(
            1.0, m
        )
    # Two records: both labels true, one of each, both false; the private learner on each.
    chance = np.dot(
        [0.36, 0.48, 0.16], [1 / (1 + exp(1.0)), 1 / 2, 1 / (1 + exp(-1.0))]
    )
    assert rows[0][0] == pytest.approx(0.2 * chance)


def test_the_subsample_of_a_sample_is_a_sample():
    """The excess error of the whole equals that of the learner on k fresh records, by full enumeration."""
    mistakes = pac.mistake_count_distribution(0.4, 4)
    share = [sum(mistakes[j] * _chosen(j, 4, 2, i) for j in range(5)) for i in range(3)]
    np.testing.assert_allclose(
        share, pac.mistake_count_distribution(0.4, 2), atol=1e-12
    )


def _chosen(marked, total, size, wanted):
    law = subsampled_mechanism(lambda z: np.eye(size + 1)[int(z.sum())], size)
    return float(law(np.repeat([1, 0], [marked, total - marked]))[wanted])


def size(epsilon, target, m):
    return max(
        (k for k in range(1, m + 1) if amplified_epsilon(epsilon, k / m) <= target),
        default=0,
    )


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "drawn_answer": [
            (lambda epsilon, m: log1p(expm1(epsilon) / m), None),
            (lambda epsilon, m: epsilon / m, "the audit finds"),
            (
                lambda epsilon, m: 2 * (exp(epsilon) - exp(-epsilon)) / m,
                "the audit finds",
            ),
        ],
        "largest_subsample": [
            (size, None),
            (lambda e, t, m: min(m, int(m * expm1(t) / expm1(e))), None),
            (lambda e, t, m: size(e, t, m) + 1, "is too large"),
            (
                lambda e, t, m: max(
                    (
                        k
                        for k in range(1, m + 1)
                        if amplified_wlf16(e, 0.0, k / m)[0] <= t
                    ),
                    default=0,
                ),
                "is not the largest",
            ),
            (lambda e, t, m: m + 1, "between 0 and m"),
        ],
        "breaks_even": [
            (several(59, 1.0, 100), None),
            (several(58, 1.0, 100), "still promises more"),
            (several(60, 1.0, 100), "already with"),
        ],
        "director": [
            (several(([1, 0, 0, 0], [0, 0, 0, 0]), 1.0, 2), None),
            (several(([0, 1, 0, 0], [0, 0, 0, 0]), 1.0, 2), "the loss is"),
            (several(([1, 1, 0, 0], [0, 0, 0, 0]), 1.0, 2), "one record"),
            (several(([1, 0], [0, 0]), 1.0, 2), "more than 2 records"),
            (several(([1, 0, 0], [0, 0]), 1.0, 2), "same length"),
            (several(([2, 0, 0], [0, 0, 0]), 1.0, 2), "are bits"),
        ],
        "swung_votes": [
            (several(([1, 0, 0], [-1, 0, 0]), 1.0, 0.25), None),
            (several(([-1], [1]), 1.0, 0.25), None),
            (several(([1, 0, 0], [0, 0, 0]), 1.0, 0.25), "is possible"),
            (several(([1, 1, 0], [-1, 0, 0]), 1.0, 0.25), "exactly one vote"),
            (several(([2, 0, 0], [-1, 0, 0]), 1.0, 0.25), "-1, 0 or 1"),
        ],
    },
    chapter,
)
