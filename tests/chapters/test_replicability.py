"""Replicability: each theorem of the chapter against sums by another route, with planted faults."""

from math import ceil, exp, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import linprog
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml.mechanisms import DistanceToInstability, ExponentialMechanism
from tests.chapters import replicability_functions as functions
from tests.chapters.checkers import checkers, several

chapter = chapter_module("replicability")


@pytest.mark.parametrize(
    ("a", "b", "width"), [(0.547, 0.556, 0.1), (0.2, 0.26, 0.05), (0.31, 0.9, 0.7)]
)
def test_rounding_separates_numbers_as_often_as_they_are_apart(a, b, width):
    shifts = (np.arange(100_000) + 0.5) / 100_000
    apart = chapter.rounded(a, shifts, width) != chapter.rounded(b, shifts, width)
    assert apart.mean() == pytest.approx(min(1, (b - a) / width), abs=2e-5)
    assert np.abs(chapter.rounded(a, shifts, width) - a).max() <= width / 2 + 1e-12


@pytest.mark.parametrize("width", [0.05, 0.2, 0.7])
@pytest.mark.parametrize("p", [0.5, 0.1, 1.0])
def test_a_mean_is_as_replicable_as_the_theorem_says_and_hardly_more_for_a_fair_coin(
    width, p
):
    for m in (1, 5, 60):
        exact, bound = chapter.disagreement(m, width, p), 1 / (width * sqrt(2 * m))
        assert exact <= bound
    if p == 0.5 and width == 0.7:
        assert exact > 0.75 * bound  # a smaller constant would be false


@pytest.mark.parametrize(("m", "epsilon"), [(4, 0.3), (8, 0.1), (12, 1.0)])
def test_a_private_learner_forgets_its_sample_and_darts_make_it_replicable(m, epsilon):
    chance, laws = chapter.learner(m, epsilon)
    assert chance.sum() == pytest.approx(1)
    assert np.allclose(laws.sum(axis=1), 1)
    forgotten = chance @ np.abs(laws - chance @ laws).sum(axis=1) / 2
    assert forgotten <= epsilon * sqrt(m) / 4
    assert chapter.differs(chance, laws, chapter.darts) <= min(1, epsilon * sqrt(m))


@pytest.mark.parametrize(("m", "epsilon"), [(3, 0.7), (5, 3.0)])
def test_the_learner_is_the_exponential_mechanism_on_every_list_of_points(m, epsilon):
    """The mean distribution of its output over all lists, by the mechanism of the library."""
    mechanism, mean = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0), 0
    for points in np.ndindex((4,) * m):
        says_yes = np.array(points)[:, None] >= np.arange(4)
        mistakes = (says_yes != says_yes[:, [1]]).sum(axis=0)
        mean = mean + mechanism.output_distribution(-mistakes.astype(float)).pmf()
    chance, outputs = chapter.learner(m, epsilon)
    assert chance @ outputs == pytest.approx(mean / 4**m)
    assert chapter.differs(chance, outputs, chapter.overlap) == pytest.approx(
        sum(
            a * b * np.abs(p - q).sum() / 2
            for a, p in zip(chance, outputs, strict=True)
            for b, q in zip(chance, outputs, strict=True)
        )
    )


def private_algorithm(n_bits, n_outputs, rng):
    """Output distributions on all samples of bits from 2-Lipschitz scores, and the exact loss between neighbours."""
    samples = np.array(list(np.ndindex((2,) * n_bits)))
    apart = np.abs(samples[:, None] - samples[None]).sum(axis=2)
    scores = rng.normal(size=(len(samples), n_outputs)) * rng.choice([0.5, 5.0])
    scores = (scores[None] + 2 * apart[:, :, None]).min(axis=1)
    laws = np.exp(rng.choice([0.02, 0.2, 1.0]) * scores)
    laws /= laws.sum(axis=1, keepdims=True)
    losses = np.log(laws[:, None] / laws[None])[apart == 1]
    return samples, laws, np.abs(losses).max()


def test_every_private_algorithm_forgets_its_sample_within_a_quarter():
    """The relative entropy and total variation, by sums over all samples; the best fraction is nearly 1."""
    rng, entropy, variation = np.random.default_rng(11), [], []
    for _ in range(400):
        m, p = int(rng.integers(1, 5)), rng.uniform(0.05, 0.95)
        samples, laws, epsilon = private_algorithm(m, int(rng.integers(2, 5)), rng)
        if epsilon < 1e-6:  # rounding would decide
            continue
        chance = np.prod(np.where(samples == 1, p, 1 - p), axis=1)
        mean = chance @ laws
        kl = chance @ (laws * np.log(laws / mean)).sum(axis=1)
        tv = chance @ np.abs(laws - mean).sum(axis=1) / 2
        entropy.append(kl / (m * epsilon**2 / 8))
        variation.append(tv / (epsilon * sqrt(m) / 4))
    assert len(entropy) > 300
    assert 0.9 < max(entropy) <= 1 + 1e-6
    assert 0.9 < max(variation) <= 1 + 1e-6
    bit = np.array([[exp(0.01), 1], [1, exp(0.01)]]) / (1 + exp(0.01))
    attained = np.abs(bit - 0.5).sum(axis=1).mean() / 2
    assert attained == pytest.approx(0.01 / 4, rel=1e-4)


@pytest.mark.parametrize(("m", "epsilon"), [(1, 0.3), (6, 1.0), (50, 0.002)])
def test_the_answer_about_bits_spends_its_epsilon_and_no_more(m, epsilon):
    chance, laws = functions.bits(m, epsilon)
    assert np.abs(np.diff(np.log(laws), axis=0)).max() == pytest.approx(
        np.log1p(epsilon)
    )
    assert np.log1p(epsilon) <= epsilon
    forgotten = chance @ np.abs(laws - 0.5).sum(axis=1) / 2
    assert forgotten <= epsilon * sqrt(m) / 4
    if m == 50:
        assert forgotten / (epsilon * sqrt(m) / 4) > 0.7


def test_common_gumbel_noise_never_agrees_on_an_output_less_often_than_darts():
    rng, closest = np.random.default_rng(12), np.inf
    for _ in range(3000):
        n_outputs = int(rng.integers(2, 7))
        p, q = rng.dirichlet(np.full(n_outputs, rng.choice([0.3, 1.0, 5.0])), size=2)
        if rng.random() < 0.3:  # near to each other
            q = p * np.exp(0.2 * rng.normal(size=n_outputs))
            q /= q.sum()
        p, q = np.maximum(p, 1e-12), np.maximum(q, 1e-12)
        apart = np.abs(p - q)
        by_darts = np.minimum(p, q) * (1 + apart) / (1 + apart.sum() / 2)
        costs = np.maximum(p / p[:, None], q / q[:, None]).sum(axis=1)
        assert (1 / costs >= by_darts - 1e-11).all()
        assert chapter.gumbel(p, q) >= chapter.darts(p, q) - 1e-10
        closest = min(closest, float((1 / costs - by_darts).min()))
    assert closest < 1e-6  # no margin is left: two outputs attain equality


def test_samples_without_a_tie_make_a_sure_learner_repeat_itself():
    for m in (5, 10):
        chance, laws = chapter.learner(m, 60.0)
        tied = chance @ (laws.max(axis=1) < 0.9)
        assert tied == pytest.approx(2 * 0.75**m - 0.5**m)
        found = chapter.differs(chance, laws, chapter.darts)
        assert 0.4 * tied < found < tied * (2 - tied)


def by_columns(p, q, n_cells):
    """Agreement of two people with darts on a board of cells, for probabilities that are whole cells."""
    heights = (np.arange(n_cells) + 0.5) / n_cells
    below = [heights[None] < np.asarray(law)[:, None] for law in (p, q)]
    agreed = hit = 0
    for column, height in np.ndindex(below[0].shape):
        first, second = (board[column, height] for board in below)
        if first or second:
            hit += 1
            later = q if first else p  # who has not stopped goes on with fresh darts
            agreed += 1 if first and second else later[column]
    return agreed / hit


@pytest.mark.parametrize(
    ("p", "q"), [([0.6, 0.4], [0.5, 0.5]), ([0.2, 0.3, 0.5], [0.7, 0.1, 0.2])]
)
def test_darts_agree_as_often_as_cell_by_cell(p, q):
    p, q = np.array(p), np.array(q)
    far = np.abs(p - q).sum() / 2
    exact = chapter.darts(p, q)
    assert exact == pytest.approx(by_columns(p, q, 10))
    assert (1 - far) / (1 + far) < exact <= 1 - far + 1e-12
    assert (exact == pytest.approx(1 - far)) == (len(p) == 2)
    assert chapter.darts(
        np.array([2 / 3, 1 / 3]), np.array([1 / 2, 1 / 2])
    ) == pytest.approx(5 / 6)


def test_common_gumbel_noise_agrees_as_often_as_an_integral_says():
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.3, 0.1])
    both = 0.0
    for h in range(3):
        costs = np.maximum(p / p[h], q / q[h])
        both += quad(lambda x: exp(-x) * exp(-x * (costs.sum() - 1)), 0, np.inf)[0]
    assert chapter.gumbel(p, q) == pytest.approx(both)
    noise = np.random.default_rng(1).gumbel(size=(200_000, 3))
    same = (noise + np.log(p)).argmax(axis=1) == (noise + np.log(q)).argmax(axis=1)
    assert same.mean() == pytest.approx(both, abs=5 * sqrt(both / 200_000))


def test_one_answer_for_each_seed_bounds_agreement_from_both_sides():
    rng = np.random.default_rng(3)
    for n_outputs in (2, 3, 5):
        laws = rng.dirichlet(np.full(n_outputs, 0.2), size=30)
        agree, heavy = (laws**2).sum(axis=1).mean(), laws.max(axis=1).mean()
        assert 2 * heavy - 1 <= agree <= heavy + 1e-12


def test_one_common_uniform_number_can_agree_a_tenth_as_often_as_darts_guarantee():
    p = np.full(10, 0.1)
    q = np.r_[0.0, p[2:], 0.2]
    assert np.abs(p - q).sum() / 2 == pytest.approx(0.1)
    assert functions.quantiles(p, q) == pytest.approx(0.1)
    assert chapter.darts(p, q) >= 0.9 / 1.1


def test_quantiles_agree_on_what_their_intervals_share():
    p, q, grid = (
        np.array([0.2, 0.3, 0.5]),
        np.array([0.6, 0.3, 0.1]),
        (np.arange(1000) + 0.5) / 1000,
    )
    shared = np.searchsorted(p.cumsum(), grid) == np.searchsorted(q.cumsum(), grid)
    assert functions.quantiles(p, q) == pytest.approx(shared.mean(), abs=1e-9)


@pytest.mark.parametrize(
    ("rho", "beta", "epsilon"), [(0.02, 0.05, 1.0), (0.1, 0.3, 0.5), (0.0, 0.05, 2.0)]
)
def test_a_vote_of_replicable_answers_is_released_as_often_as_promised(
    rho, beta, epsilon
):
    """Exactly, for seeds of which a fraction has an answer in three of four parts and the others in all."""
    k, delta = functions.parts(epsilon, 1e-6, beta), 1e-6
    form, votes = DistanceToInstability(epsilon=epsilon, delta=delta), np.arange(k + 1)
    radius = np.maximum(0, (2 * votes - k + 1) // 2 - 1)
    answered = np.array([form.answer_probability(int(r)) for r in radius]) * (
        2 * votes > k
    )
    for sure in (0.5, 0.75, 0.9, 1 - 1e-9):
        share = min(1.0, rho / (1 - sure))
        released = (
            share * binom.pmf(votes, k, sure) @ answered + (1 - share) * answered[-1]
        )
        assert released >= 1 - 4 * rho - beta
    assert form.answer_probability(ceil(k / 4) - 1) >= 1 - beta


def test_the_best_test_of_a_coin_is_feasible_between_the_grid_and_no_other_is_better():
    m, tau, beta = 20, 0.2, 0.1
    rho, weights = chapter.best_test(m, tau, beta)
    fine, j = np.linspace(0, 1, 2001)[:, None], np.arange(m + 2)
    above = binom.sf(j - 1, m, fine)
    found = 2 * above * (1 - above) @ weights
    assert rho - 1e-9 <= found.max() <= rho + 1e-3
    assert binom.sf(j - 1, m, 0.5 - tau) @ weights <= beta + 1e-9
    rng, coarse = np.random.default_rng(2), 2 * (above * (1 - above))[::5]
    others = rng.dirichlet(np.ones(m + 2), 4000) * np.exp(
        -((j - 10.5) ** 2) / rng.uniform(1, 40, (4000, 1))
    )
    others /= others.sum(axis=1, keepdims=True)
    wrong = (
        others @ np.c_[binom.sf(j - 1, m, 0.5 - tau), binom.cdf(j - 1, m, 0.5 + tau)]
    )
    allowed = others[(wrong <= beta).all(axis=1)]
    assert len(allowed) > 100
    assert (coarse @ allowed.T).max(axis=0).min() >= rho
    assert np.isnan(chapter.best_test(3, 0.05, 0.01)[0])


@pytest.mark.parametrize(("tau", "beta"), [(0.2, 0.05), (0.15, 0.1), (0.3, 0.02)])
def test_the_best_test_of_a_coin_comes_close_to_its_normal_approximation(tau, beta):
    limit = (1 - 2 * beta) / (sqrt(np.pi) * np.arcsin(2 * tau))
    off = [
        abs(chapter.best_test(m, tau, beta, 201)[0] * sqrt(m) / limit - 1)
        for m in (60, 240)
    ]
    assert off[1] < 0.03
    assert off[1] < off[0]


@pytest.mark.parametrize(("m", "tau", "beta"), [(10, 0.2, 0.15), (14, 0.1, 0.3)])
def test_no_other_function_of_the_heads_makes_a_more_replicable_test_than_thresholds(
    m, tau, beta
):
    """All chances g(s) of the answer 1, compared with a uniform number: runs differ by |g(s) - g(s')|."""
    heads, pairs = np.arange(m + 1), [(s, t) for s in range(m + 1) for t in range(s)]
    apart = np.zeros((len(pairs), m + 1))
    for row, (s, t) in zip(apart, pairs, strict=True):
        row[[s, t]] = 1, -1
    size, none = np.eye(len(pairs)), np.zeros((len(pairs), 1))
    laws = binom.pmf(heads, m, np.linspace(0, 1, 81)[:, None])
    twice = np.array([[2 * law[s] * law[t] for s, t in pairs] for law in laws])
    errors = np.zeros((2, m + 2 + len(pairs)))
    errors[:, : m + 1] = binom.pmf(heads, m, 0.5 - tau), -binom.pmf(heads, m, 0.5 + tau)
    agreed = np.c_[0 * laws, twice, -np.ones(81)]
    rows = [np.c_[apart, -size, none], np.c_[-apart, -size, none], agreed, errors]
    limits = np.r_[np.zeros(2 * len(pairs) + 81), beta, beta - 1]
    bounds = [(0, 1)] * (m + 1) + [(0, None)] * (len(pairs) + 1)
    least = linprog(
        np.r_[np.zeros(m + 1 + len(pairs)), 1], np.vstack(rows), limits, bounds=bounds
    ).fun
    assert least == pytest.approx(chapter.best_test(m, tau, beta, 81)[0], abs=1e-7)


def never_misses(p, rng):
    """Wrong: darts that miss are not thrown, so two people read different numbers."""
    return int(rng.choice(len(p), p=p))


def own_darts(p, rng):
    """Wrong: fresh darts for everybody."""
    rng = np.random.default_rng(int(rng.integers(2**31)) + int(1000 * p[0]))
    return right_darts(p, rng)


def gumbel_noise(p, rng):
    """Wrong: another way of sharing, which agrees more often here."""
    return int((np.log(p) + rng.gumbel(size=len(p))).argmax())


def right_darts(p, rng):
    while True:
        column, height = rng.integers(len(p)), rng.random()
        if height < p[column]:
            return int(column)


test_the_checkers = checkers(
    {
        "records": [
            (lambda off, rho: ceil(1 / (8 * off**2 * rho**2) - 1e-9), None),
            (lambda off, rho: ceil(1 / (2 * off**2 * rho**2)), "are enough"),
            (lambda off, rho: ceil(1 / (16 * off**2 * rho**2)), "promise only"),
            (lambda off, rho: 0.5, "a whole number of records"),
        ],
        "throw": [
            (right_darts, None),
            (never_misses, "two people agree"),
            (own_darts, "two people agree"),
            (gumbel_noise, "two people agree"),
            (lambda p, rng: 0, "the outputs have frequencies"),
        ],
        "seed": [
            (several([0] * 10, [1] + [0] * 9, 0.25), None),
            (several([0] * 10, [1, 1] + [0] * 8, 0.25), "neighbours differ"),
            (several([0] * 9, [1] + [0] * 8, 0.25), "ten bits"),
            (several([0] * 10, [1] + [0] * 9, 1.0), "the shift"),
        ],
        "middle": [
            (lambda m: 1.0, "differ more often"),
            (lambda m: 5.0, "differ more often"),
        ],
    },
    chapter,
)


def test_the_instances_worked_by_hand():
    assert functions.parts(1.0, 1e-6, 0.05) == 66
    assert 1 / (0.1 * sqrt(2 * 5000)) == pytest.approx(0.1)


def test_four_hundred_tosses_move_the_answer_by_less_than_a_fortieth():
    heads = np.arange(401)
    yes = 1 / (1 + np.exp((200 - heads) / 100))  # odds e^(1/100) for each further head
    assert np.abs(np.diff(np.log([yes, 1 - yes]))).max() <= 1 / 100
    forgotten = binom.pmf(heads, 400, 1 / 2) @ np.abs(
        yes - 1 / 2
    )  # the mean answer is even
    assert (
        1 / 60 < forgotten < 1 / 40 < (1 / 100) * sqrt(400) / 4 == pytest.approx(1 / 20)
    )
