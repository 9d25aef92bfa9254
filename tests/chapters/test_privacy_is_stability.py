"""What the chapter on privacy and stability computes in its cells, and its checkers."""

from math import inf, log, sqrt, tanh

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import learnability
from privml.learnability import (
    LearningProblem,
    count_vectors,
    exact_privacy,
    expected_excess_risk,
    exponential_learner,
    generalisation_gap,
    replace_one_stability,
    stability_from_bounded_range,
    stability_from_privacy,
    total_variation_stability,
    worst_excess_empirical_risk,
)
from tests.chapters.checkers import checkers, several
from tests.chapters.privacy_is_stability_functions import (
    divergence_stability,
    learners,
    links,
    mean_of_bits,
    response,
    terms,
)
from tests.learnability.problems import RANDOM, every_law, every_problem

chapter = chapter_module("privacy-is-stability")
coin = chapter.COIN


@pytest.mark.source("WLF16-lem-8", "WLF16-def-6")
@pytest.mark.parametrize("m", [3, 4])
@pytest.mark.parametrize("name", ["coin", "median", "thresholds"])
def test_all_learners_keep_all_promises_on_all_problems(m, name):
    problem, found = chapter.PROBLEMS[name], {}
    for learner, law in learners(problem, 1.0).items():
        stability = replace_one_stability(law, problem, m).value
        variation = total_variation_stability(law, problem.n_records, m).value
        epsilon = exact_privacy(law, problem.n_records, m).value
        assert stability <= variation + 1e-13
        assert variation <= tanh(epsilon / 2) + 1e-13
        found[learner] = variation, epsilon
    assert found["exponential"][0] <= stability_from_bounded_range(1.0) + 1e-13
    assert found["permute and flip"][1] <= 1 + 1e-12
    assert found["ERM on a subsample"][0] == pytest.approx(int(sqrt(m)) / m)


@pytest.mark.source("WLF16-lem-8")
@pytest.mark.parametrize("epsilon", [0.2, 0.9, 2.5])
def test_randomised_response_and_the_exponential_mechanism_attain_the_bounds(epsilon):
    found = replace_one_stability(
        response(epsilon), LearningProblem([[1, 1], [0, 0]]), 1
    ).value
    assert found == pytest.approx(stability_from_privacy(epsilon), rel=1e-12)
    law = exponential_learner(coin, epsilon)
    assert replace_one_stability(law, coin, 7).value == pytest.approx(
        tanh(epsilon / 4), rel=1e-12
    )
    assert replace_one_stability(law, coin, 6).value == pytest.approx(
        tanh(epsilon / 2) / 2, rel=1e-12
    )


@pytest.mark.parametrize("rows", [[0, 1], [1, 0]])
def test_a_divergence_is_taken_in_both_orders(rows):
    table = np.array([[0.9, 0.1], [0.5, 0.5]])[rows]
    found = divergence_stability(lambda counts: table[counts[:, 1]], 2, 1)
    assert found == pytest.approx(0.5 * log(0.5 / 0.9) + 0.5 * log(0.5 / 0.1))


@pytest.mark.source("WLF16-rem-lem-8-converse")
@pytest.mark.parametrize("m", [2, 10, 50])
def test_the_mean_is_as_stable_as_it_should_be_and_not_private(m):
    problem, law = mean_of_bits(m)
    assert replace_one_stability(law, problem, m).value == pytest.approx(
        1 / m, rel=1e-12
    )
    assert divergence_stability(law, 2, m) == inf
    assert exact_privacy(law, 2, m).value == inf


@pytest.mark.source("WLF16-cor-9")
def test_the_bounds_of_the_rates_are_in_order_and_above_the_truth():
    table = chapter.rates("median", 4, [0.2, 1.0, 5.0], 3)
    assert (
        np.diff(table[["excess", "stable", "range", "tight", "printed"]], axis=1)
        >= -1e-12
    ).all()
    assert (table["gap"].diff().dropna() < 0).all()


@pytest.mark.source("WLF16-fig-2")
@pytest.mark.parametrize(
    ("name", "m", "steps"), [("coin", 9, 6), ("median", 4, 3), ("thresholds", 4, 2)]
)
def test_every_arrow_of_the_map_stands_for_an_inequality_that_holds(name, m, steps):
    for left, right in chapter.map_numbers(name, m, 1.0, steps).values():
        assert left <= right + 1e-12


@pytest.mark.source("WLF16-fig-2", "WLF16-lem-10")
def test_the_arrow_of_the_subsample_pays_for_repeats():
    excess = expected_excess_risk(
        exponential_learner(coin, 1.0), coin, count_vectors(2, 9) / 9, 3
    ).max()
    _, right = chapter.map_numbers("coin", 9, 1.0, 3)["subsample"]
    assert right == pytest.approx(excess / (8 / 9 * 7 / 9))


@pytest.mark.source("WLF16-fig-2")
def test_no_notion_of_the_map_that_needs_two_premises_has_one():
    into = {end for _, end, _ in chapter.ARROWS}
    ands = {name for name in chapter.NOTIONS if name.strip() == "and"}
    assert all(sum(end == name for _, end, _ in chapter.ARROWS) == 2 for name in ands)
    assert all(
        sum(start == name for start, _, _ in chapter.ARROWS) == 1 for name in ands
    )
    for name in ("consistency", "private and\nalways AERM"):
        assert [start for start, end, _ in chapter.ARROWS if end == name][0] in ands
    assert into | {start for start, _, _ in chapter.ARROWS} == set(chapter.NOTIONS)


@pytest.mark.source("WLF16-fig-2")
def test_privacy_alone_makes_no_minimiser_and_consistency_alone_no_private_one():
    def blind(counts):
        return np.tile([1.0, 0.0], (len(counts), 1))

    assert exact_privacy(blind, 2, 9).value == 0
    assert worst_excess_empirical_risk(blind, coin, 9).value == 1
    assert exact_privacy(learners(coin, 1.0)["ERM"], 2, 9).value == inf


@pytest.mark.parametrize("epsilon", [0.5, 3.0, inf])
def test_the_memorising_class_agrees_with_enumeration(epsilon):
    """Three points with fair coins as labels, all eight rules, four records."""
    labels, m = np.arange(8)[:, None] >> np.arange(3) & 1, 4
    problem = LearningProblem(np.hstack([labels, 1 - labels]))
    gap = generalisation_gap(
        exponential_learner(problem, min(epsilon, 500.0)), problem, np.full(6, 1 / 6), m
    )
    assert chapter.training_error(epsilon, 3, m) == pytest.approx(0.5 - gap, rel=1e-10)


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_one_record_at_a_point_is_wrong_with_the_chance_of_one_lost_vote(epsilon):
    assert chapter.wrong_at_a_point(epsilon, 1) == pytest.approx(
        1 / (1 + np.exp(epsilon / 2)), rel=1e-13
    )
    assert chapter.wrong_at_a_point(inf, 1) == 0
    assert chapter.wrong_at_a_point(inf, 2) == pytest.approx(0.5)


@pytest.mark.source("WLF16-thm-35")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_gap_of_the_memorising_class_is_below_the_bound_and_above_two_fifths_of_it(
    epsilon,
):
    gap = 0.5 - chapter.training_error(epsilon, 10_000, 1000)
    assert 0.4 * tanh(epsilon / 4) < gap <= tanh(epsilon / 4)


def test_splits_of_tumours_show_gaps_within_their_errors_of_the_bound():
    stumps = chapter.DecisionStumps.on_grid(30, 0.0, 1.0, n_cuts=8)
    data, epsilons = chapter.load_breast_cancer(), np.array([0.01, 1.0, inf])
    rngs = np.random.default_rng(1).spawn(12)
    splits = np.array(
        [chapter.errors_of_split(data, stumps, epsilons, rng) for rng in rngs]
    )
    gaps = splits[:, 1] - splits[:, 0]
    limit = np.tanh(epsilons / 4) + 4 * gaps.std(axis=0, ddof=1) / sqrt(12)
    assert (gaps.mean(axis=0) <= limit).all()
    assert (np.diff(splits[:, 0].mean(axis=0)) < 0).all()


def subsampled(laws, m):
    k, comb = (len(laws) - 1, chapter.comb)
    ways = [
        [comb(c, j) * comb(m - c, k - j) / comb(m, k) for j in range(k + 1)]
        for c in range(m + 1)
    ]
    return np.array(ways) @ laws


def with_repeats(laws, m):
    k, share = (len(laws) - 1, np.arange(m + 1)[:, None] / m)
    j = np.arange(k + 1)
    return (
        np.array([chapter.comb(k, i) for i in j])
        * share**j
        * (1 - share) ** (k - j)
        @ laws
    )


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "even_sizes": [
            (lambda epsilon: 1 / (1 + np.exp(-epsilon)) - 0.5, None),
            (lambda epsilon: tanh(epsilon / 4), "the exact constant is"),
        ],
        "meter": [
            (lambda laws, losses: np.abs(np.diff(laws @ losses, axis=0)).max(), None),
            (
                lambda laws, losses: (
                    np.abs(np.diff(laws, axis=0)).sum(axis=1).max() / 2
                ),
                "the constant is",
            ),
            (
                lambda laws, losses: np.ptp(laws @ losses, axis=0).max(),
                "the constant is",
            ),
        ],
        "subsampled_table": [
            (subsampled, None),
            (with_repeats, "a probability is off by"),
            (lambda laws, m: laws, "there are 4 rows"),
        ],
        "best_epsilon": [
            (several(0.8, 4.0), None),
            (several(1.0, 4.0), "for the bound another"),
            (several(0.8, 0.8), "for the excess risk another"),
            (several(0.85, 4.0), "multiple of 1/10"),
        ],
        "stable_not_private": [
            (lambda counts: counts / 10, None),
            (lambda counts: np.eye(11)[counts[:, 1]], "above 1/10"),
            (lambda counts: (counts + 1) / 12, "it must be infinite"),
        ],
    },
    chapter,
)


@pytest.mark.source("WLF16-thm-35")
@every_law
@every_problem
@pytest.mark.parametrize("seed", [1, 2])
def test_every_link_of_the_chain_holds_and_the_identities_are_equalities(
    make, problem, seed
):
    population = np.random.default_rng(seed).dirichlet(np.ones(problem.n_records))
    table = links(make(problem), problem, population, 4)
    assert len(table) == 10
    assert (table["slack"] == table["right_value"] - table["left_value"]).all()
    assert (table["slack"] >= -1e-12).all()
    assert (table["slack"].abs()[table["relation"] == "="] < 1e-12).all()
    found = terms(make(problem), problem, population, 4)
    assert abs(found["generalisation gap"]) <= found["mean change"] + 1e-14
    assert found["optimism"] >= -1e-15


@pytest.mark.source("WLF16-thm-35")
@every_law
def test_the_terms_of_the_chain_are_those_of_the_functions(make):
    law, population = make(RANDOM), np.random.default_rng(1).dirichlet(np.ones(3))
    found = terms(law, RANDOM, population, 4)
    assert (
        found["uniform stability"]
        == learnability.replace_one_stability(law, RANDOM, 4).value
    )
    assert found["tanh(ε/2)"] == pytest.approx(
        tanh(learnability.exact_privacy(law, 3, 4).value / 2)
    )
    assert (
        found["always AERM gap"]
        == learnability.worst_excess_empirical_risk(law, RANDOM, 4).value
    )
    excess = learnability.expected_excess_risk(law, RANDOM, population, 4)
    assert found["excess risk"] == pytest.approx(excess, abs=1e-15)
