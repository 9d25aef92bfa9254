"""Table 1, the five questions about tumours and the checkers of the chapter on learnability in general."""

from math import exp, inf, log, log1p

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.composition import no_repeat_probability
from privml.datasets import load_breast_cancer
from privml.learnability import always_aerm_gap, exponential_law, rows
from tests.chapters.checkers import checkers, several

chapter = tangled("learnability-in-general")


@pytest.mark.source("WLF16-tab-1")
def test_table_one_has_thirteen_rows_and_its_instances_can_be_learned_privately():
    assert len(rows()) == 13
    for row in rows():
        small, large = row.growth([1.0, 10.0])
        assert (small == large) == row.bounded
        problem = row.problem()
        gap = always_aerm_gap(exponential_law(problem, 1.0), problem, 3).value
        assert 0.05 < gap <= 2 * log(problem.n_hypotheses) / 3


def test_losses_grow_as_their_names_say():
    growth = {row.name: np.array(row.growth([1.0, 10.0, 100.0])) for row in rows()}
    assert growth["binary classification"][2] == growth["binary classification"][1]
    assert growth["k-means"][2] == pytest.approx(100 * growth["k-means"][1])
    kernel = growth["kernel classification"]
    assert kernel[2] / kernel[1] == pytest.approx(9, abs=1)
    np.testing.assert_allclose(np.diff(growth["density estimation"]), log(10))


CANCER = load_breast_cancer()
X, Y = CANCER.X[:, :2], CANCER.y


@pytest.mark.parametrize("name", ["malignant", "texture_by_size", "sizes", "two_kinds", "direction"])
def test_private_answers_about_tumours_approach_the_best_and_keep_to_the_bound(name):
    problem = getattr(chapter, name)(X, Y)
    for epsilon in (0.001, 0.3, 30.0):
        _, blind, excess = chapter.private_answer(problem, epsilon)
        assert excess <= 2 * log(problem.n_hypotheses) / (len(Y) * epsilon)
        if epsilon == 0.001:
            assert excess == pytest.approx(blind, rel=0.15)
    assert excess < 1e-3


def test_questions_about_tumours_are_scaled_by_public_ranges_and_not_by_what_occurs():
    clusters = chapter.two_kinds(X, Y)
    first = clusters.hypotheses[7]
    distances = ((first[:, None] - X) ** 2).sum(axis=-1).min(axis=0)
    np.testing.assert_allclose(clusters.losses[7] * 2, distances)  # the square has the diameter root 2
    lines = chapter.texture_by_size(X, Y)
    assert lines.losses.shape == (121, 569)
    left, right = lines.hypotheses[17]
    np.testing.assert_allclose(lines.losses[17], (left + (right - left) * X[:, 0] - X[:, 1]) ** 2, atol=1e-12)
    axes = chapter.direction(X, Y)
    np.testing.assert_allclose(axes.losses[0] / 2, (X[:, 1] - 0.5) ** 2, atol=1e-12)
    densities = chapter.sizes(X, Y)
    np.testing.assert_allclose(densities.hypotheses.sum(axis=1), 1)
    share = densities.hypotheses[5, np.minimum((X[:, 0] * 4).astype(int), 3)]
    raw = densities.losses[5] * (np.log(4) - np.log(0.2)) - np.log(4)
    np.testing.assert_allclose(raw, -np.log(4 * share), atol=1e-12)


def logistic(margins, labels):
    return np.logaddexp(0, -labels * margins)


def largest(r):
    return r + log1p(exp(-r))


def gap_over_rate(n, k, epsilon):
    chance, high = no_repeat_probability(n, k), 1 / (1 + exp(-epsilon))
    return high / (chance * high + (1 - chance) * (1 - high))


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "clipped": [
            (several([[0.0, 0.0, 9.0], [2.0, 2.0, 2.0]], 3.0), None),
            (several([[0.0, 9.0], [5.0, 5.0]], 3.0), "best before and after"),
            (several([[0.0, 4.0], [2.0, 2.0]], 3.0), "are tied"),
            (several([[0.0, inf], [2.0, 2.0]], 3.0), "finite"),
            (several([[0.0, -1.0], [2.0, 2.0]], 3.0), "negative"),
        ],
        "logistic": [
            (several(logistic, largest), None),
            (several(lambda m, y: np.log(1 + np.exp(-y * m)), largest), "not inf"),
            (several(lambda m, y: np.logaddexp(0, y * m), largest), "the loss is"),
            (several(lambda m, y: logistic(m, y).ravel(), largest), "shape"),
            (several(logistic, lambda r: r + log(2)), "largest loss is"),
        ],
        "slow_tail": [
            (lambda x: 1 / (1 + log(1 + log(1 + x))), None),
            (lambda x: 1 / (x + 1), "below 0.3"),
            (lambda x: 0.5 if x else 1.0, "does not seem to tend to 0"),
            (lambda x: 0.5 / (x + 1), "tail\\(0\\) is 0.5"),
            (lambda x: 1.0 if x % 2 == 0 else 0.5, "must not increase"),
        ],
        "factor": [
            (gap_over_rate, None),
            (lambda n, k, epsilon: 1 / no_repeat_probability(n, k), "the ratio is"),
            (lambda n, k, epsilon: gap_over_rate(n, k, -epsilon), "the ratio is"),
            (lambda n, k, epsilon: 1 / gap_over_rate(n, k, epsilon), "the ratio is"),
        ],
    },
    chapter,
)
