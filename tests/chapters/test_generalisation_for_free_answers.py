"""Mean squares: concentrated privacy generalises, and Gaussian noise answers adaptive queries."""

from itertools import product
from math import ceil, exp, log, sqrt, tanh

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import learnability
from privml.bounds.statistical_queries import overfitting_bias
from tests.chapters import generalisation_for_free_functions as functions
from tests.chapters.privacy_is_stability_functions import divergence_stability

chapter = chapter_module("generalisation-for-free")
COIN = learnability.LearningProblem([[0.0, 1.0], [1.0, 0.0]])


def variance_inflation(information):
    """The x of mean_square_gap."""
    return 4 * 7 * functions.mean_square_gap(information / 7, 7)


@pytest.mark.parametrize("information", [1e-14, 1e-6, 0.3, 1.0, 50.0, 1e9])
def test_inflation_solves_its_equation(information):
    x = variance_inflation(information)
    assert x > 1
    step = x - 1
    value = step**2 / 2 - step**3 / 3 if step < 1e-4 else step - log(x)
    assert value == pytest.approx(2 * information, rel=1e-5)


def test_the_inflation_is_the_best_change_of_measure():
    """For X of variance factor s: E X^2 <= (I - ln(1 - u) / 2) / (u / (2 s)) for all u in (0, 1)."""
    u = np.linspace(1e-6, 1 - 1e-6, 2_000_001)
    for information in (0.01, 1.0, 20.0):
        bound = (information - np.log1p(-u) / 2) * 2 / u
        assert variance_inflation(information) == pytest.approx(bound.min(), rel=1e-6)


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_exact_mean_squares_are_within_the_bound(epsilon):
    """The bound needs KL <= rho between neighbours only, and that is computed exactly here."""
    rng = np.random.default_rng(4)
    for m, size in ((1, (2, 2)), (6, (5, 3)), (40, (4, 2))):
        problem = learnability.LearningProblem(rng.random(size).round())
        law = learnability.exponential_learner(problem, epsilon)
        rho = divergence_stability(law, size[1], m)
        counts = learnability.count_vectors(size[1], m)
        for p in rng.dirichlet(np.ones(size[1]), size=3):
            gap = problem.risk(p) - problem.empirical_risk(counts)
            square = learnability.sample_probabilities(counts, p) @ (
                law(counts) * gap**2
            ).sum(axis=1)
            assert square <= functions.mean_square_gap(rho, m) + 1e-12


@pytest.mark.source("S16-rem-recap")
def test_without_privacy_it_is_the_variance_of_a_mean_and_with_many_records_half_of_rho():
    assert functions.mean_square_gap(0.0, 50) == 1 / 200
    assert functions.mean_square_gap(0.1, 10**9) == pytest.approx(0.05, rel=1e-6)
    assert functions.mean_square_gap(0.01, 100) <= 0.01 + log(2) / 200


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("k", [2, 10, 100, 10_000])
def test_the_noise_is_the_best_one_and_the_error_adds_up(k):
    m = 100 * k
    sigma, rho, error = functions.gaussian_answers(m, k)
    assert rho == pytest.approx(k / (2 * m**2 * sigma**2))

    def whole(s):
        return s**2 + functions.mean_square_gap((k - 1) / (2 * m**2 * s**2), m)

    assert error**2 == pytest.approx(whole(sigma))
    assert whole(sigma) <= min(whole(1.01 * sigma), whole(0.99 * sigma))


@pytest.mark.source("S16-rem-recap")
def test_noise_beats_a_split_from_22_queries_on_and_grows_with_the_fourth_root():
    for k in range(2, 200):
        assert (
            functions.gaussian_answers(k * 1000, k)[2]
            < chapter.split_error(k * 1000, k)
        ) == (k >= 22)
    one, many = (
        functions.gaussian_answers(10**6, 1),
        functions.gaussian_answers(10**6, 10**6),
    )
    assert one[::2] == (0, chapter.split_error(10**6, 1)) == (0, sqrt(1 / 4e6))
    assert many[2] * 10**3 / (10**6) ** 0.25 == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("epsilon", [0.05, 0.2])
@pytest.mark.parametrize(
    "make", [learnability.exponential_learner, learnability.permute_and_flip_learner]
)
@pytest.mark.parametrize("m", [1, 6, 40])
def test_small_relative_changes_give_small_gaps(make, m, epsilon):
    p = np.array([0.5, 0.5])
    joint, empirical = chapter.joint_law(make(COIN, epsilon), COIN, p, m)
    laws = make(COIN, epsilon)(np.array([[m - ones, ones] for ones in range(m + 1)]))
    pairs = [
        (laws[i], laws[j]) for i in range(m + 1) for j in (i - 1, i + 1) if 0 <= j <= m
    ]
    kappa = sqrt(max(there @ (here / there - 1) ** 2 for here, there in pairs))
    square = (joint * (COIN.risk(p) - empirical) ** 2).sum()
    assert kappa <= 1
    inner = min(
        (1 + kappa) / 2, 1 / 4 + kappa
    )  # of Exactly and of the unit, before rounding
    assert square <= kappa * sqrt(square) / 2 + inner / m
    assert sqrt(square) <= kappa / 2 + 1 / sqrt(m)
    assert sqrt(square) > kappa / 2 or (m, epsilon) == (
        40,
        0.2,
    )  # the second term is needed


@pytest.mark.parametrize("k", [1, 2, 50, 1002, 10**5])
def test_the_noise_of_the_unit_equals_half_of_the_relative_change_that_it_allows(k):
    for m in (ceil(3 * sqrt(k)), ceil(6 * sqrt(k)), 10 * k):
        sigma = chapter.simple_noise(m, k)
        o = np.linspace(
            -12, 12, 4001
        )  # one answer that moves by 1 / (m sigma) deviations
        move, density = 1 / (m * sigma), np.exp(-(o**2) / 2) / sqrt(2 * np.pi)
        square = np.trapezoid(density * np.exp(2 * move * o - move**2), o)
        assert 4 * sigma**2 == pytest.approx(
            2 * k * log(square), rel=1e-4
        )  # kappa^2 = 2 s
        assert square**k - 1 <= 4 * sigma**2 <= 1
        assert m < 6 * sqrt(k) or 2 * sigma <= 3 / 4  # kappa of the unit
        assert chapter.simple_error(m, k) ** 2 == pytest.approx(
            sigma**2 + (sigma + 1 / sqrt(m)) ** 2
        )


def test_the_smallest_analyst_is_too_optimistic_by_a_quarter():
    """Two records and one feature; and the 18 cases of the ice cream shop."""
    agreed = np.array([0, 1, 1, 2])  # equally likely
    assert (
        np.maximum(agreed, 2 - agreed).mean() / 2 - 1 / 2
        == overfitting_bias(1, 2)
        == 1 / 4
    )
    cases = [(cleo, die) for cleo in range(3) for die in range(1, 7)]
    shown = [cleo if die <= 4 else (cleo + die - 4) % 3 for cleo, die in cases]
    vanilla = [
        cleo for (cleo, _), flavour in zip(cases, shown, strict=True) if flavour == 0
    ]
    assert [vanilla.count(cleo) for cleo in range(3)] == [4, 1, 1]


@pytest.mark.parametrize(("m", "epsilon"), [(1, 3.0), (2, 1.0), (4, 5.0)])
def test_the_deviation_of_a_record_that_was_not_read_has_the_stated_moments(m, epsilon):
    p = np.array([0.5, 0.5])
    laws = learnability.exponential_learner(COIN, epsilon)(
        np.array([[m - ones, ones] for ones in range(m + 1)])
    )
    mean, square, ordinary = 0.0, 0.0, 0.0
    for *z, w in product((0, 1), repeat=m + 1):
        chance = p[[*z, w]].prod()
        for query in (
            0,
            1,
        ):  # "is the record of this kind?", the kind that the learner published
            deviation = [(x == query) - p[query] for x in z]
            gap = sum(deviation) / m
            unread = chance * laws[sum(z[1:]) + w, query]
            mean += unread * gap * deviation[0]
            square += unread * (gap * deviation[0]) ** 2
            ordinary += chance * laws[sum(z), query] * gap**2
    assert mean == pytest.approx(1 / (4 * m))  # the largest there is
    assert sqrt(ordinary) / 3 < sqrt(square) <= sqrt(ordinary) / 2 + 1 / m


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
def test_a_record_changes_places_and_an_output_tells_no_more_than_both_lemmas_say(
    epsilon,
):
    """Random laws of three outputs on two records of three kinds, a score, and a published query."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        laws, p = rng.dirichlet(np.full(3, 4.0), size=(3, 3)), rng.dirichlet(np.ones(3))
        pairs = [
            (u, v)
            for turned in (laws, laws.swapaxes(0, 1))
            for u in turned
            for v in turned
        ]
        delta = max(
            np.maximum(u - np.exp(epsilon) * v, 0).sum(axis=-1).max() for u, v in pairs
        )
        joint = np.einsum("a,b,abo,w->abow", p, p, laws, p)  # the fresh record last
        f, seen = (
            rng.integers(0, 2, (3, 3, 3)),
            sum(np.einsum(f"abow->o{one}", joint) / 2 for one in "ab"),
        )
        before, after = (
            np.einsum("abow,oaw->", joint, f),
            np.einsum("abow,owa->", joint, f),
        )
        assert before <= np.exp(epsilon) * after + delta + 1e-12
        gap = np.maximum(
            seen - np.einsum("abow->ow", joint), 0
        ).sum()  # of the query that errs most
        assert 0 < gap <= np.expm1(epsilon) + delta + 1e-12
        rho = max((u * np.log(u / v)).sum(axis=-1).max() for u, v in pairs)
        mean = np.einsum("a,b,abo->o", p, p, laws)
        assert 0 < np.einsum("a,b,abo->", p, p, laws * np.log(laws / mean)) <= 2 * rho
    response = (
        np.full((3, 3), 1 / 6) + np.eye(3) / 2
    )  # of one record, epsilon ln 4: attains the exchange
    joint, same = np.einsum("ao,w->aow", response, np.full(3, 1 / 9)), np.eye(3)
    hit, missed = (
        (joint * s).sum()
        for s in (same[..., None] * (1 - same), (1 - same)[..., None] * same)
    )
    assert (hit, missed) == pytest.approx((4 / 9, 1 / 9))


def test_the_direct_argument_is_sharp_at_both_ends():
    """Randomised response among K kinds for delta = 0; a record published with probability delta."""
    K, epsilon, delta = 200, 2 * log(199), 1e-3
    gap = exp(epsilon) / (exp(epsilon) + K - 1) - 1 / K
    assert gap == pytest.approx(tanh(epsilon / 4), abs=1e-9)
    problem = learnability.LearningProblem(np.vstack([1 - np.eye(K), np.full(K, 0.5)]))

    def confess(counts):
        return np.column_stack([delta * counts, np.full(len(counts), 1 - delta)])

    probability, risk, empirical = chapter.remembered_risks(
        confess, problem, np.full(K, 1 / K), 1
    )
    knows = risk - empirical >= 1 - 1 / K - 1e-9
    assert probability[knows].sum() == pytest.approx(
        delta
    )  # margin 1 at t = 1 - 1 / K, epsilon 0


@pytest.mark.parametrize("seed", range(8))
def test_the_transfer_theorem_holds_exactly_in_small_universes(seed):
    """Every c and d of a grid: the probability of an answer that is wrong on the population."""
    rng, n_samples = np.random.default_rng(seed), 3 if seed else 1
    epsilon, queries, answers = (
        rng.uniform(0.02, 0.6),
        rng.random((3, 2)),
        rng.random(3),
    )
    counts, p = learnability.count_vectors(2, n_samples), rng.dirichlet([2.0, 2.0])
    one, other = learnability.neighbours(2, n_samples).T
    law = rng.dirichlet(np.full(3, 0.7), size=len(counts))
    law = (law + law.mean(axis=0)) / 2
    if (
        seed == 0
    ):  # one record, published with probability 1/10: without the second term it would be false
        epsilon, queries, answers, p = (
            0.0,
            np.eye(3, 2),
            np.array([1, 1, 0]),
            np.full(2, 0.5),
        )
        law = np.insert(counts / 10, 2, 0.9, axis=1)
    excess = (
        law[u] - np.exp(epsilon) * law[v] for u, v in ((one, other), (other, one))
    )
    delta = max(np.maximum(part, 0).sum(axis=1).max() for part in excess)
    joint = learnability.sample_probabilities(counts, p)[:, None] * law
    for alpha, c, d in product((0.02, 0.1, 0.3), (0.01, 0.1, 0.4), (0.01, 0.1, 0.4)):
        missed = joint[np.abs(answers - counts @ queries.T / n_samples) > alpha].sum()
        wrong = np.abs(answers - queries @ p) > alpha + np.expm1(epsilon) / 4 + c + d
        assert joint.sum(axis=0)[wrong].sum() <= missed / c + delta / d + 1e-12
