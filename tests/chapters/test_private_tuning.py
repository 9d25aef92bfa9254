"""The cells of the chapter on private tuning, against sums over runs, exact losses and the library."""

from math import exp, log, tanh

import numpy as np
import pytest
from scipy.optimize import brentq

from book.tools.chapter_code import chapter_module
from privml.composition import best_of_geometric, geometric_stopping
from privml.divergences import hockey_stick, max_divergence
from privml.guarantee import Guarantee
from tests.chapters.checkers import checkers, several

chapter = chapter_module("private-tuning")


def numbers_of_runs(gamma, eta, most=60_000):
    """Probabilities of 1, 2, ... runs under the truncated negative binomial stopping rule."""
    j = np.arange(1, most + 1)
    # The coefficients of (1 - x)^(-1 - eta), integrated term by term.
    growth = np.concatenate([[0.0], np.cumsum(np.log1p(eta / j[:-1]))])
    weights = np.exp(growth + j * log(1 - gamma)) / j
    return weights / weights.sum()


def best_of(p, runs):
    """Distribution of the best outcome of a random number of runs, as a sum over the number."""
    worse = np.minimum(np.cumsum(p), 1.0)
    j = np.arange(1, runs.size + 1)
    at_most = [float(runs @ x**j) for x in worse]
    return np.diff(at_most, prepend=0.0)


def nearly_worst(epsilon, sliver=1e-6):
    """The pair of the theorem on the exact loss."""
    high = 1 / (1 + exp(-epsilon))
    low = 1 - high
    first = np.array([(1 - sliver) * high, sliver * high, low])
    second = np.array([(1 - sliver) * low, sliver * low, high])
    return first, second


@pytest.mark.parametrize("eta", [-0.5, 0.0, 1.0, 2.0])
@pytest.mark.parametrize("gamma", [0.5, 0.05])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 2.0])
def test_the_exact_loss_of_each_stopping_rule(epsilon, gamma, eta):
    runs = numbers_of_runs(gamma, eta, 4000)
    claimed = chapter.exact_loss(epsilon, gamma, eta)
    best = [best_of(p, runs) for p in nearly_worst(epsilon)]
    reached = log(best[0][1] / best[1][1])
    assert claimed * (1 - 1e-4) <= reached <= claimed * (1 + 1e-6)
    assert epsilon <= claimed <= (2 + eta) * epsilon
    rng = np.random.default_rng(0)
    for _ in range(40):
        q = rng.dirichlet(np.ones(5))
        raised = np.where(rng.random(5) < 0.5, exp(epsilon), 1.0)
        p = q * raised / (q * raised).sum()
        pair = best_of(p, runs), best_of(q, runs)
        assert np.abs(np.log(pair[0] / pair[1])).max() <= claimed * (1 + 1e-9)


def test_the_exact_loss_tends_to_the_limit():
    for eta in (-0.5, 0.0, 1.0):
        assert chapter.exact_loss(1.0, 1e-12, eta) == pytest.approx(2 + eta, rel=1e-9)
        assert chapter.exact_loss(1.0, 1 - 1e-12, eta) == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("gamma", [0.9, 0.3, 0.01])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_library_has_the_loss_of_geometric_stopping(epsilon, gamma):
    found = geometric_stopping(Guarantee(epsilon), gamma).epsilon
    assert found == pytest.approx(chapter.exact_loss(epsilon, gamma, 1), rel=1e-9)


@pytest.mark.parametrize("total", [0.1, 1.0, 4.0])
def test_one_run_spends_what_makes_the_whole(total):
    for gamma in (0.5, 0.1, 0.01):
        one = chapter.one_run_epsilon(total, gamma)
        whole = geometric_stopping(Guarantee(one), gamma).epsilon
        assert total * (1 - 1e-6) <= whole <= total


@pytest.mark.parametrize("k", [1, 2, 7])
def test_the_best_of_k_runs_costs_k_times_as_much(k):
    epsilon = 0.7
    one = np.array([1, exp(epsilon)]) / (1 + exp(epsilon))
    pair = [np.diff(np.cumsum(p) ** k, prepend=0.0) for p in (one, one[::-1])]
    assert max_divergence(pair[1], pair[0]) == pytest.approx(k * epsilon)


def test_how_often_a_search_fails():
    q, gamma = 0.05, 0.005
    exact = best_of_geometric([1 - q, q], gamma).pmf()[0]
    assert exact == pytest.approx(gamma * (1 - q) / (gamma + (1 - gamma) * q))
    assert exact <= gamma / q
    runs = numbers_of_runs(0.2, 0.0, 2000)
    assert runs @ np.arange(1, 2001) == pytest.approx(chapter.logarithmic_mean(0.2))
    fails = log(0.2 + 0.8 * q) / log(0.2)
    assert best_of(np.array([1 - q, q]), runs)[0] == pytest.approx(fails)


@pytest.mark.parametrize("gamma", [0.5, 0.05])
def test_a_delta_counts_accidents(gamma):
    """The pair that reveals the data set with probability delta, and is randomised response otherwise."""
    epsilon, delta = 1.0, 0.01
    for order in ([0, 1, 2, 3], [1, 0, 2, 3], [0, 2, 3, 1], [2, 3, 0, 1]):
        high = (1 - delta) / (1 + exp(-epsilon))
        low = (1 - delta) / (1 + exp(epsilon))
        first = np.array([delta, high, low, 0.0])[order]
        second = np.array([0.0, low, high, delta])[order]
        pair = [best_of_geometric(p, gamma).pmf() for p in (first, second)]
        stop = gamma + (1 - gamma) * delta
        claimed = chapter.exact_loss(epsilon, stop, 1)
        assert hockey_stick(*pair, claimed) <= delta / stop * (1 + 1e-9)
        assert hockey_stick(*pair[::-1], claimed) <= delta / stop * (1 + 1e-9)


@pytest.mark.parametrize("delta", [1e-6, 0.01, 0.3])
@pytest.mark.parametrize("gamma", [1.0, 0.5, 0.05])
def test_with_a_delta_neither_number_can_be_lowered(gamma, delta):
    """The three outcomes of the exact loss, below two names of data sets."""
    epsilon = 1.0
    stop = gamma + (1 - gamma) * delta
    loss = chapter.exact_loss(epsilon, stop, 1)
    first, second = ((1 - delta) * p for p in nearly_worst(epsilon))
    first, second = np.append(first, [delta, 0.0]), np.append(second, [0.0, delta])
    pair = [best_of_geometric(p, gamma).pmf() for p in (first, second)]
    assert pair[0][3] == pytest.approx(delta / stop)
    assert pair[1][3] == 0
    assert hockey_stick(*pair, loss) == pytest.approx(delta / stop, rel=1e-9)
    below = pair[0][1] - exp(loss * (1 - 1e-3)) * pair[1][1]
    assert below > 0


def five_patients(replaced=None):
    """Probabilities of all pairs of a rule and a score in one run on the five patients."""
    # fever, cough, ill
    records = [(1, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1), (0, 1, 0)]
    if replaced is not None:
        place, record = replaced
        records[place - 1] = record
    scores = np.arange(-30, 34)
    law = {}
    for symptom in (0, 1):
        agrees = [record[symptom] == record[2] for record in records]
        odds = 2.0 ** (2 * sum(agrees[:3]) - 3)
        rules = ((True, odds / (1 + odds)), (False, 1 / (1 + odds)))
        for same, chance in rules:
            right = sum(fits == same for fits in agrees[3:])
            noise = 0.6 * 0.25 ** np.abs(scores - right)
            for score, p in zip(scores, noise, strict=True):
                law[symptom, same, int(score)] = chance * p / 2
    return law


def test_five_patients_by_hand():
    ill_with_fever, ill_with_cough = (1, 0, 1), (0, 1, 1)
    laws = [
        five_patients(),
        five_patients((3, ill_with_fever)),
        five_patients((5, ill_with_cough)),
    ]
    pair = (0, True, 2)  # the fever rule with score 2
    found = [law[pair] for law in laws]
    assert found == pytest.approx([0.2, 4 / 15, 0.05])
    best = []
    for law in laws:
        u = sum(p for key, p in law.items() if key[2] > 2)
        v = sum(p for key, p in law.items() if key[2] >= 2)
        best.append((u, v, 0.5 * law[pair] / ((0.5 + 0.5 * u) * (0.5 + 0.5 * v))))
    assert best[0] == pytest.approx((3 / 32, 3 / 8, 0.266), abs=5e-4)
    assert best[2] == pytest.approx((1 / 16, 1 / 4, 0.075), abs=5e-4)
    assert best[0][2] / best[2][2] == pytest.approx(3.5, abs=0.05)
    assert exp(chapter.exact_loss(log(4), 0.5, 1)) == pytest.approx(9)
    for place in range(1, 6):
        for bits in np.ndindex(2, 2, 2):
            other = five_patients((place, bits))
            ratios = [laws[0][key] / other[key] for key in other]
            assert min(ratios) >= 1 / 4 - 1e-9
            assert max(ratios) <= 4 + 1e-9


def test_a_search_that_draws_no_good_setting():
    fails = best_of_geometric([0.6, 0.4], 0.1).pmf()[0]
    assert fails == pytest.approx(0.13, abs=0.005)


def test_a_poisson_number_of_runs():
    """The model answer of the proof problem: the largest difference, and the loss."""
    epsilon, mean = 1.0, 3.0
    difference = tanh(epsilon / 2)
    assert difference == pytest.approx((exp(epsilon) - 1) / (exp(epsilon) + 1))
    best = []
    for p in nearly_worst(epsilon):
        at_most = np.exp(mean * (np.cumsum(p) - 1))
        best.append(np.diff(at_most, prepend=exp(-mean)))
    loss = np.abs(np.log(best[0] / best[1])).max()
    assert loss <= epsilon + mean * difference
    assert loss == pytest.approx(epsilon + mean * difference, rel=1e-4)


def test_twenty_settings_and_rows_of_length_at_most_one():
    settings = chapter.twenty_settings()
    assert len(settings) == 20
    X, y = chapter.records(500, np.random.default_rng(0))
    for exponents, _ in settings:
        rows = chapter.monomials(X, exponents)
        assert (rows**2).sum(axis=1).max() <= 1 + 1e-12
    model = chapter.fit(X, y, settings[0], 1.0, 0)
    assert model.predict(X).shape == (500,)


def falls_slowly(fraction):
    return 1 / fraction


def exactly(fraction):
    return 1 / brentq(
        lambda gamma: chapter.exact_loss(fraction, gamma, 1) - 1, 1e-12, 1 - 1e-12
    )


test_checkers = checkers(
    {
        "three": [(4, None), (3, "compare all three outcomes")],
        "secret": [
            (several(lambda j: j * log(3), 4), None),
            (several(lambda j: j * log(3), 3), "is not right"),
            (several(lambda j: log(3), 4), "the loss is"),
        ],
        "plan": [
            (lambda q, b: min(1.0, b * q / ((1 - q) * (1 - b))), None),
            (lambda q, b: b * q, "a larger probability is enough"),
            (lambda q, b: b, "the search fails"),
        ],
        "explore": [
            (exactly, None),
            (falls_slowly, "on average the whole has"),
        ],
    },
    chapter,
)
