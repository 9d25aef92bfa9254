"""What the chapter on teachers and votes computes in its cells, by other routes."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from book.tools.chapter_code import chapter_module
from privml.divergences import gaussian_delta, gaussian_mu
from privml.mechanisms import gaussian_sigma
from privml.pate import GaussianAggregator, NoisyMaxAggregator, vote_sigma
from tests.chapters.checkers import checkers
from tests.chapters.teachers_and_votes_functions import (
    audit_of_labels,
    curves_of_labels,
    label_delta,
)
from tests.pate.test_spent import claims

chapter = chapter_module("teachers-and-votes")
chapter.model = chapter.LogisticRegression(
    solver="liblinear"
)  # as in the cell after the definition


def test_more_teachers_are_worse_alone_and_heard_better():
    aggregator = GaussianAggregator(n_queries=20, epsilon=1.0, delta=1e-5)
    table = chapter.labels_by_teachers(4000, [10, 100], aggregator, 0)
    assert table["teacher"].is_monotonic_decreasing
    assert table["released"].is_monotonic_increasing
    assert (table["released"] < table["majority"]).all()
    assert table["records"].tolist() == [400, 40]


def test_the_released_share_is_that_of_draws():
    aggregator = GaussianAggregator(n_queries=2000, epsilon=30.0, delta=1e-2)
    row = chapter.labels_by_teachers(2000, [40], aggregator, 0).loc[0]
    assert 0.5 < row["released"] < 0.95
    assert row["released"] == pytest.approx(
        norm.cdf(row["margin"] * 20 / aggregator.sigma), abs=0.05
    )


def test_labels_follow_the_rule_but_for_noise():
    _, y, truth = chapter.wards(4000, 0)
    assert (y == truth).mean() == pytest.approx(0.85, abs=0.02)


def test_a_safe_margin_is_safe():
    for n_queries, beta, sigma in (
        (1, 0.5, 3.0),
        (100, 0.05, 37.0),
        (10**6, 1e-9, 1.0),
    ):
        safe = 2 * sigma * np.sqrt(2 * np.log(n_queries / (2 * beta)))
        assert n_queries * norm.cdf(-safe / (2 * sigma)) <= beta + 1e-15


@pytest.mark.erratum("LZCW21-alg-pate-framework/1")
def test_an_even_split_under_add_or_remove_spends_more_than_is_claimed():
    """The mixture's hockey stick at a threshold, by brute force over a grid."""
    sigma = gaussian_sigma(1.0, 1e-6)
    x = np.linspace(-60, 60, 400_001)
    mixture = 0.6 * norm.pdf(x, 1, sigma) + 0.4 * norm.pdf(x, 2, sigma)
    exact = np.maximum(mixture - np.e * norm.pdf(x, 0, sigma), 0).sum() * (x[1] - x[0])
    assert chapter.even_split_delta(1.0, 1e-6) == pytest.approx(exact, rel=1e-5)
    assert exact == pytest.approx(3.6e-4, rel=0.02)


@pytest.mark.source("LZCW21-alg-1")
def test_curves_of_labels_lie_below_those_of_counts_and_these_below_the_bound():
    table = curves_of_labels(30, 1.0, 1e-5, np.array([0.2, 0.6, 1.0]))
    assert (table["labels, constant votes"] < table["noisy counts"]).all()
    assert (table["noisy counts"] < table["source"]).all()
    assert table["source"].iloc[-1] == pytest.approx(1e-5)


@pytest.mark.erratum("LZCW21-alg-1/2")
@pytest.mark.parametrize(("number", "ratio"), [(100, 0.803), (1000, 0.798)])
def test_labels_amount_to_the_root_of_two_over_pi(number, ratio):
    sigma = vote_sigma(number, 1.0, 1e-6)
    worst = label_delta(number, sigma, [1.0])[0]
    found = gaussian_mu(1.0, worst) * sigma / np.sqrt(number)
    assert found == pytest.approx(ratio, abs=5e-4)
    assert found == pytest.approx(np.sqrt(2 / np.pi), abs=6e-3)


@pytest.mark.source("LZCW21-thm-2")
def test_the_audit_of_one_label_is_the_curve_of_two_coins():
    """One point: the worst pair is a majority that turns, and delta is that of two probabilities."""
    table = audit_of_labels(4, 1, [1.0], 0.05)
    assert (table.drop(columns="claimed") <= 1.0).all(axis=None)
    sigma = gaussian_sigma(1.0, 0.05)
    chances = norm.cdf((np.arange(5) - 2) / sigma)
    delta = max(
        (chances[1:] - np.exp(table.loc[0, "Gaussian, exact"]) * chances[:-1]).max(), 0
    )
    assert delta == pytest.approx(0.05, rel=1e-9)
    assert gaussian_delta(1.0, mu=1 / sigma) <= 0.05


@pytest.mark.source("LZCW21-rem-ex-post")
def test_what_is_spent_is_ordered_and_ends_at_the_budget():
    fixed, union, line = (
        chapter.claims(0.5, 1e-4, 10, method) for method in chapter.METHODS
    )
    assert (np.array(fixed) < union).all()
    assert fixed[-1] == pytest.approx(0.5)
    worst = [chapter.worst_stop(1.0, 6499, 20, method) for method in chapter.METHODS]
    assert worst[0] > 1 > worst[1] > worst[2]


def test_the_smaller_of_an_odometer_and_the_budget_is_not_valid():
    step = gaussian_mu(0.5, 1 / 6499) / 7
    smaller = np.minimum(chapter.claims(0.5, 1 / 6499, 49, "union"), 0.5)
    whole = chapter.stopping_delta([0.5] * 49, step) * 6499
    assert whole == pytest.approx(1, abs=0.01)
    assert chapter.stopping_delta(smaller.tolist(), step) * 6499 > 1.05


def test_a_rival_among_many_classes_wins_as_one_of_two_with_that_margin():
    """The sum over the rivals bounds the exact law of the noisy maximum."""
    setting = {"n_queries": 100, "epsilon": 1.0, "delta": 1e-5}
    counts = [40, 60, 300]
    law = NoisyMaxAggregator(n_classes=3, **setting).label_distribution([counts])[0]
    sigma = GaussianAggregator(**setting).sigma
    bound = norm.cdf(-np.array([260, 240]) / (2 * sigma)).sum()
    assert law[:2].sum() < bound < 0.001
    assert law[:2].sum() == pytest.approx(bound, rel=0.05)


def queries(n_teachers, epsilon, delta, beta, factor=2):
    return int(
        (n_teachers / (factor * vote_sigma(1, epsilon, delta) * norm.isf(beta))) ** 2
    )


def test_teachers_are_tried_on_records_that_are_not_the_private_ones():
    tried = next(
        cell for cell in notebook_cells() if "labels_by_teachers(10_000" in cell
    )
    seed = int(re.search(r"setting, (\d+)\)", tried).group(1))
    ours = [
        chapter.seed + k for k in range(3)
    ]  # private records, public points, new points
    assert not {seed, seed + 1} & set(ours)


def notebook_cells():
    text = (Path(__file__).parents[2] / "book" / "teachers-and-votes.md").read_text(
        encoding="utf-8"
    )
    return re.findall(r"```\{code-cell\}.*?```", text, re.DOTALL)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "queries": [
            (queries, None),
            (lambda *arguments: queries(*arguments, 1), "too many"),
            (lambda *arguments: queries(*arguments, 2 * 2**0.5), "fewer than possible"),
        ],
        "share": [(1000 / 1100, None), (1000 / 1050, "the noise of a check is")],
        "stop": [
            (lambda loss: loss > 2.3, None),
            (lambda loss: True, "times δ"),
            (lambda loss: False, "times δ"),
            (lambda loss: loss < 2.3, "times δ"),
        ],
    },
    chapter,
)
stopping_delta = chapter_module("teachers-and-votes").stopping_delta


@pytest.mark.erratum("LZCW21-rem-ex-post/1")
@pytest.mark.parametrize(
    ("epsilon", "n_records", "budget", "times"),
    [(0.5, 6499, 49, 5.5), (1, 6499, 49, 6.1), (2, 6499, 49, 6.7)],
)
def test_the_number_of_the_source_fails_at_its_delta_when_the_stop_depends_on_the_answers(
    epsilon, n_records, budget, times
):
    worst = stopping_delta(*claims(epsilon, n_records, budget, "fixed")) * n_records
    assert worst == pytest.approx(times, abs=0.06)


@pytest.mark.source("LZCW21-rem-ex-post")
@pytest.mark.parametrize("method", ["union", "line"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_odometers_hold_for_every_stopping_rule(method, epsilon):
    assert stopping_delta(*claims(epsilon, 6499, 49, method)) * 6499 <= 1


@pytest.mark.parametrize(("last", "step"), [(1, 0.5), (9, 0.1), (49, 0.07)])
def test_a_stop_that_is_fixed_has_the_delta_of_the_gaussian_curve(last, step):
    waiting = [np.inf] * (last - 1) + [0.4]
    exact = gaussian_delta(0.4, mu=step * np.sqrt(last))
    assert stopping_delta(waiting, step) == pytest.approx(exact, rel=4e-3)


def test_the_worst_stop_of_two_steps_is_that_of_numerical_integration():
    from scipy.integrate import quad
    from scipy.stats import norm

    step, first, second = 0.8, 0.5, 0.9

    def value(loss):
        mean, sd = loss + step**2 / 2, step
        tail = norm.sf(second, mean - sd**2, sd)
        kept = norm.sf(second, mean, sd) - np.exp(second - mean + sd**2 / 2) * tail
        return max(kept, 1 - np.exp(first - loss)) * norm.pdf(loss, step**2 / 2, step)

    exact = quad(value, -8, 8, limit=400)[0]
    assert stopping_delta([first, second], step) == pytest.approx(exact, rel=2e-3)


def test_a_claim_that_no_run_exceeds_has_a_delta_of_zero_and_not_below():
    assert 0.0 <= stopping_delta([0.5] + [np.inf] * 48, 0.02) < 1e-15
