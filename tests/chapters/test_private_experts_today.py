"""Private online prediction: laws of whole runs, both theorems against exact computations, faults found."""

from itertools import product
from math import exp, log, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.guarantee import concentrated_delta
from privml.learners import experts
from privml.mechanisms import ExponentialMechanism
from tests.chapters.checkers import checkers
from tests.chapters.private_experts_today_functions import lazy_chooser, punished

chapter = chapter_module("private-experts-today")
GAMES = [
    (2, 2, 0.5, 0.2),
    (2, 4, 0.5, 0.2),
    (2, 3, 2.0, 0.5),
    (3, 3, 0.3, 0.05),
    (2, 4, 0.1, 1.0),
]


def marked_law(losses, eta, q, rule=None):
    """Law of choices together with the marks of redraws, path by path; losses by a rule of the past."""
    n_rounds, k = np.shape(losses)
    paths = {(): 1.0}
    for t in range(n_rounds):
        longer = {}
        for path, chance in paths.items():
            choices = [choice for choice, _ in path]
            past = [
                rule(losses, choices[:s], s) if rule else losses[s] for s in range(t)
            ]
            odds = np.exp(-eta * np.sum(past, axis=0)) if t else np.ones(k)
            keep = (1 - q) * exp(-eta * past[-1][choices[-1]]) if t else 0.0
            for choice in range(k):
                longer[(*path, (choice, True))] = (
                    chance * (1 - keep) * odds[choice] / odds.sum()
                )
            if t:
                longer[(*path, (choices[-1], False))] = chance * keep
        paths = longer
    return paths


def delta_of(first, second, epsilon):
    pairs = (first, second), (second, first)
    return max(
        sum(max(p[path] - exp(epsilon) * q[path], 0.0) for path in p) for p, q in pairs
    )


@pytest.mark.parametrize("seed", range(6))
def test_each_choice_of_the_lazy_learner_has_the_law_of_weighted_majority(seed):
    rng = np.random.default_rng(seed)
    n_rounds, k, eta, q = (
        rng.integers(1, 6),
        rng.integers(2, 4),
        rng.uniform(0.1, 3),
        rng.random(),
    )
    losses = rng.random((n_rounds, k))
    joint = chapter.lazy_law(losses, eta, q).reshape([k] * n_rounds)
    singles = [joint.sum(axis=tuple({*range(n_rounds)} - {t})) for t in range(n_rounds)]
    assert singles == pytest.approx(
        np.asarray(experts.action_probabilities(losses, eta)), abs=1e-12
    )
    marked = marked_law(losses, eta, q)
    for choices in product(range(k), repeat=n_rounds):
        found = sum(
            p for path, p in marked.items() if tuple(c for c, _ in path) == choices
        )
        assert joint[choices] == pytest.approx(found, abs=1e-12)


def test_simulated_runs_have_the_exact_law():
    rng = np.random.default_rng(1)
    losses, n = np.array([[0.2, 1.0], [1.0, 0.0], [0.0, 0.0]]), 6000
    law = chapter.lazy_law(losses, 0.7, 0.2)
    seen = np.zeros(8)
    for _ in range(n):
        seen[
            int("".join(map(str, chapter.lazy_choices(losses, 0.7, 0.2, rng))), 2)
        ] += 1
    assert (np.abs(seen - n * law) < 4.5 * np.sqrt(n * law * (1 - law))).all()


@pytest.mark.parametrize(("k", "n_rounds", "eta", "q"), GAMES)
def test_no_neighbours_exceed_the_theorem(k, n_rounds, eta, q):
    vectors = np.array(list(product((0.0, 1.0), repeat=k)))
    found = audit.exact(
        lambda losses: chapter.lazy_law(losses, eta, q), vectors, n_rounds, ordered=True
    )
    for epsilon in (0.0, eta, 3 * eta):
        assert found.delta(epsilon) <= chapter.lazy_delta(epsilon, eta, q, n_rounds)
    assert found.epsilon <= max(eta, log((1 - (1 - q) * exp(-eta)) / q)) + 2 * eta * (
        n_rounds - 1
    )


@pytest.mark.parametrize("seed", range(4))
def test_it_holds_against_an_adversary_who_answers(seed):
    answers = np.random.default_rng(seed).integers(0, 2, (5, 32, 2)).astype(float)

    def rule(losses, choices, s):
        return (
            losses[0]
            if s == 0
            else answers[s, int("0" + "".join(map(str, choices)), 2)]
        )

    first, second = np.zeros((5, 2)), np.zeros((5, 2))
    first[0], second[0] = (0, 1), (1, 0)
    for eta, q, epsilon in ((0.5, 0.2, 0.5), (1.0, 0.4, 1.5), (0.2, 0.05, 0.2)):
        found = delta_of(
            marked_law(first, eta, q, rule), marked_law(second, eta, q, rule), epsilon
        )
        assert 0.001 < found <= chapter.lazy_delta(epsilon, eta, q, 5)


def test_planted_faults_exceed_the_claim():
    vectors = np.array(list(product((0.0, 1.0), repeat=2)))
    claim = chapter.lazy_delta(1.5, 0.5, 0.2, 2)
    rare = audit.exact(
        lambda losses: chapter.lazy_law(losses, 0.5, 0.002), vectors, 2, ordered=True
    )
    assert rare.delta(1.5) > claim
    fast = audit.exact(
        lambda losses: chapter.lazy_law(losses, 2.0, 0.2), vectors, 2, ordered=True
    )
    assert fast.delta(1.5) > claim
    none = audit.exact(
        lambda losses: chapter.lazy_law(losses, 0.5, 0.0), vectors, 3, ordered=True
    )
    assert np.isinf(none.epsilon)


@pytest.mark.parametrize(
    ("eta", "n_rounds", "epsilon"), [(0.01, 1000, 1.0), (0.1, 20, 0.5), (0.5, 2, 1.0)]
)
def test_always_redrawing_is_the_concentrated_bound_of_weighted_majority(
    eta, n_rounds, epsilon
):
    rho = (n_rounds - 1) * eta**2 / 2
    known = concentrated_delta(rho=rho, epsilon=epsilon)
    assert (
        known * (1 - 1e-9)
        <= chapter.lazy_delta(epsilon, eta, 1.0, n_rounds)
        <= known * 1.02
    )
    assert experts.concentrated_run(eta, n_rounds).rho <= rho


def test_every_decision_is_simulated_from_the_worst_one():
    rng = np.random.default_rng(2)
    for q, eta, c in rng.random((500, 3)):
        r = 1 - (1 - q) * exp(-eta)
        u, v = (1 - q) * np.exp(-eta * np.sort([c, rng.random()]))
        after_keep = (r * u - q * v) / (r - q)
        after_redraw = ((1 - q) * v - (1 - r) * u) / (r - q)
        assert -1e-9 <= min(after_keep, after_redraw)
        assert max(after_keep, after_redraw) <= 1 + 1e-9
        for kept, wanted in ((1 - q, u), (1 - r, v)):
            found = kept * after_keep + (1 - kept) * after_redraw
            assert found == pytest.approx(wanted)


def test_the_best_rate_keeps_its_promise_and_beats_weighted_majority():
    for epsilon, delta, n_rounds in (
        (1.0, 1e-6, 1000),
        (0.1, 1e-5, 10_000),
        (3.0, 1e-8, 100_000),
    ):
        eta, q = chapter.lazy_rate(epsilon, delta, n_rounds)
        assert chapter.lazy_delta(epsilon, eta, q, n_rounds) <= delta
        assert chapter.lazy_delta(epsilon, eta * 1.01, q, n_rounds) > delta
        assert eta > 1.5 * chapter.majority_rate(epsilon, delta, n_rounds)


def test_scaling_flatters_weighted_majority_a_little():
    exact = experts.private_eta(1.0, 1e-6, 20_000, method="nonadaptive")
    assert exact <= chapter.majority_rate(1.0, 1e-6, 20_000) <= exact * 1.001


def test_whoever_punishes_the_last_choice_beats_the_lazy_and_not_the_fresh():
    n_rounds, k, eta, rng = 3000, 5, 0.02, np.random.default_rng(8)
    for q in (0.02, 0.3):
        r = 1 - (1 - q) * exp(-eta)
        floor = (1 - r) * (n_rounds - 1) / n_rounds - 1 / k
        found = punished(n_rounds, k, lazy_chooser(eta, q, rng))
        assert found > floor - 4 * sqrt(r * (1 - r) / n_rounds)
    fresh = punished(n_rounds, k, lazy_chooser(eta, 1.0, rng))
    assert fresh < eta / 8 + np.log(k) / (eta * n_rounds) + 4 / sqrt(4 * n_rounds)


def epoch_laws(losses, epsilon):
    """Law of the choices of three epochs, of 1, 2 and 4 rounds."""
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    parts = losses[:1].sum(axis=0), losses[1:3].sum(axis=0)
    laws = [np.full(losses.shape[1], 1 / losses.shape[1])]
    laws += [mechanism.output_distribution(-part).pmf() for part in parts]
    return laws


def test_epochs_regret_what_they_say_and_are_private_without_delta():
    losses = np.random.default_rng(9).random((7, 3))
    laws = epoch_laws(losses, 0.8)
    suffered = (
        laws[0] @ losses[0]
        + laws[1] @ losses[1:3].sum(axis=0)
        + laws[2] @ losses[3:].sum(axis=0)
    )
    exact = (suffered - losses.sum(axis=0).min()) / 7
    assert chapter.epoch_regret(losses, 0.8) == pytest.approx(exact)
    five = suffered - laws[2] @ losses[5:].sum(axis=0) - losses[:5].sum(axis=0).min()
    assert chapter.epoch_regret(losses[:5], 0.8) * 5 == pytest.approx(five)
    vectors = np.array(list(product((0.0, 1.0), repeat=3)))

    def joint(table):
        return np.multiply.outer(*epoch_laws(table, 0.8)[1:]).ravel()

    assert 0.5 < audit.exact(joint, vectors, 3, ordered=True).epsilon <= 0.8 + 1e-12


def test_epochs_keep_their_bound_on_independent_losses_and_not_on_turning_ones():
    rng, n_rounds, k = np.random.default_rng(10), 4000, 10
    means = np.linspace(0.4, 0.6, k)
    found = [
        chapter.epoch_regret(rng.random((n_rounds, k)) < means, 1.0) for _ in range(5)
    ]
    bound = (
        1 + 4 * 11 * np.log(k) + (2 + sqrt(2)) * sqrt(n_rounds * np.log(k))
    ) / n_rounds
    assert np.mean(found) <= bound
    turned = chapter.turning(1023, 4)
    assert turned.sum(axis=1).tolist() == [3] * 1023
    assert chapter.epoch_regret(turned, 1.0) > 0.5


def test_the_laziest_learner_plays_the_law_of_each_round():
    laws = chapter.laziest_law(np.array([[0.3, 0.9, 0.1]] * 3), 0.5).reshape(3, 3, 3)
    fresh = experts.action_probabilities([[0.3, 0.9, 0.1]] * 3, 0.5)
    assert [
        laws.sum(axis=(1, 2)),
        laws.sum(axis=(0, 2)),
        laws.sum(axis=(0, 1)),
    ] == pytest.approx(fresh)


def right(losses, eta, q):
    law = experts.action_probabilities(losses, eta)[:-1]
    return (1 - (1 - q) * (law * np.exp(-eta * losses[:-1])).sum(axis=1)).sum()


def ratio(h):
    return sqrt(h * (h + 1)) / chapter.ROWS[2**h - 1]


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "redraws": [
            (right, None),
            (lambda losses, eta, q: right(losses, eta, 0.0), "it is"),
        ],
        "tree_ratio": [
            (ratio, None),
            (lambda h: (h + 1) / chapter.ROWS[2**h - 1], "it is"),
        ],
        "laziest": [
            (np.array([[[1, 0], [0, 0]], [[0, 1], [0, 0]]]), None),
            (np.array([[[1, 1], [0, 0]], [[0, 0], [0, 0]]]), "not above"),
            (np.array([[[1, 0], [0, 1]], [[0, 0], [0, 0]]]), "differ in 2"),
        ],
    },
    chapter,
)


def test_a_lazy_round_counts_as_two_r_draws_just_while_the_exponent_is_small():
    assert all(
        np.log1p(r * np.expm1(x)) <= 2 * r * x
        for x in (1e-9, 0.1, 1.0)
        for r in (1e-6, 0.3, 1.0)
    )
    assert np.log1p(0.01 * np.expm1(3.0)) > 2 * 0.01 * 3.0


def test_the_squares_of_the_weights_of_the_root_are_below_the_odd_fractions():
    weights = chapter.root(2000)
    n = np.arange(2000)
    assert (weights**2 <= 1 / (2 * n + 1) * (1 + 1e-12)).all()
    assert (np.cumsum(weights**2) <= 1 + np.log(2 * (n + 1)) / 2).all()
