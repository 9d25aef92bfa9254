"""The tables of the chapter on subsampling, against proofs, closed forms and the library's laws."""

from math import exp, expm1, sqrt

import numpy as np
import pytest

from privml import audit, pac
from privml.adjacency import Adjacency
from privml.composition import (
    amplified_epsilon,
    amplified_epsilon_wlf16,
    subsampled_law,
    subsampled_without_replacement,
)
from privml.experiments import subsampling as experiments
from privml.experiments.subsampling.order import layout_loss
from privml.guarantee import Guarantee

BITS, VOTES = np.array([0, 1]), np.array([-1, 0, 1])
REPLACE, ADD = Adjacency


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_alarm_keeps_its_promises_exactly(epsilon):
    law = experiments.alarm_law(epsilon, 3)
    for universe, relation, claim in (
        (BITS, REPLACE, epsilon),
        (BITS, ADD, epsilon),
        (VOTES, ADD, epsilon),
        (VOTES, REPLACE, 2 * epsilon),
    ):
        assert audit.exact(law, universe, 3, adjacency=relation).epsilon == pytest.approx(claim)
    in_the_open = experiments.open_size_law(epsilon, 3)
    assert audit.exact(in_the_open, BITS, 3).epsilon == pytest.approx(epsilon)
    assert audit.exact(in_the_open, BITS, 3, adjacency=ADD).epsilon == np.inf


@pytest.mark.source("WLF16-lem-31", "WLF16-lem-34")
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.1), (0.4, 0.02)])
def test_both_tight_numbers_are_attained_by_one_pair(epsilon, delta):
    n, k = 5, 2
    base = experiments.talkative_alarm_law(epsilon, delta, k)
    assert audit.exact(base, BITS, k).delta(epsilon) == pytest.approx(delta)
    found = audit.exact(subsampled_law(base, k), BITS, n)
    tight = subsampled_without_replacement(Guarantee(epsilon, delta), n, k, symmetric=True)
    assert found.delta(tight.epsilon) == pytest.approx(tight.delta, rel=1e-9)


@pytest.mark.source("WLF16-lem-34")
def test_the_exact_points_lie_on_the_tight_curve():
    table = experiments.sampling_bounds(1.3, 6)
    np.testing.assert_allclose(table["exact"], table["tight"], rtol=1e-9)
    assert (table["tight"] <= table["ratio_form"] + 1e-12).all()
    assert (table["ratio_form"] <= table["lemma_34"]).all()
    assert (table["tight"] <= table["lemma_31"]).all()
    assert table["lemma_34"].iloc[-1] > 1.3


@pytest.mark.source("WLF16-lem-34", "WLF16-lem-31")
def test_ratios_tend_to_their_limits_and_stay_above():
    epsilons = np.array([0.01, 0.5, 1.0, 3.0])
    table = experiments.looseness(epsilons, 1e-9)
    limits = 2 * (1 + np.exp(-epsilons)), 1 + np.exp(-epsilons), np.exp(epsilons)
    for column, limit in zip(["lemma_34", "ratio_form", "lemma_31"], limits, strict=True):
        np.testing.assert_allclose(table[column], limit, rtol=1e-6)
    coarse = experiments.looseness(epsilons, 0.5)
    assert (coarse["lemma_34"] >= limits[0]).all()


def test_formulas_fail_exactly_where_scheme_and_relation_do_not_belong_together():
    for n, k in ((3, 1), (4, 2), (5, 2)):
        table = experiments.relations_and_schemes(1.2, n, k)
        np.testing.assert_allclose(table["exact"], table["theory"], rtol=1e-9)
        broken = table["exact"] > table["formula"] * (1 + 1e-9)
        assert broken.tolist() == [False, False, True, True, True]


@pytest.mark.source("WLF16-lem-34")
def test_only_the_subset_in_index_order_exceeds_its_formula():
    table = experiments.audits_of_order(3.0, 5, 2).set_index("scheme")
    above = table["exact"] > table["formula"] * (1 + 1e-9)
    assert above.tolist() == [True, False, False]
    middle = amplified_epsilon_wlf16(3.0, 2 / 5, form="ratio")
    assert table["exact"].iloc[0] > middle


@pytest.mark.source("WLF16-lem-34")
@pytest.mark.parametrize(("n", "epsilon"), [(5, 2.0), (30, 4.0), (400, 3.0)])
def test_the_closed_form_for_pairs_agrees_with_the_law_and_its_best_layout_is_best(n, epsilon):
    table = experiments.index_order_losses(epsilon, [n])
    second = int(table["second"].iloc[0])
    assert table["index_order"].iloc[0] == pytest.approx(float(layout_loss(n, second, epsilon)), rel=1e-9)
    others = layout_loss(n, np.arange(1, n + 1), epsilon)
    assert table["index_order"].iloc[0] >= others.max() * (1 - 1e-9)


@pytest.mark.source("WLF16-lem-34")
@pytest.mark.parametrize("epsilon", [1.0, 2.5, 4.0])
def test_the_loss_of_pairs_tends_to_the_limit_of_the_proposition(epsilon):
    n = 1_000_000
    loss = float(layout_loss(n, round(n / (1 + exp(epsilon / 2))), epsilon))
    assert n * loss == pytest.approx(expm1(epsilon) * (1 + exp(epsilon / 2)), rel=1e-3)
    refuted = loss > amplified_epsilon_wlf16(epsilon, 2 / n)
    assert refuted == (epsilon > 2.43)


@pytest.mark.source("WLF16-lem-4", "WLF16-lem-31", "WLF16-lem-34")
def test_larger_subsamples_refute_the_other_lemmas():
    table = experiments.large_refutations()
    assert (table["index_order"] > table[["lemma_34", "lemma_31"]].max(axis=1)).all()
    assert (table["tight"] < table[["lemma_34", "lemma_31"]].min(axis=1)).all()


def test_the_error_of_a_share_is_least_when_all_records_are_used():
    table = experiments.share_deviation(0.05, 1000, 0.3, [1, 10, 100, 500, 1000])
    assert (np.diff(table["total"]) < 0).all()
    assert (np.diff(table["noise"]) < 0).all()
    for _, row in table.iterrows():
        rate = row["subsample_size"] / 1000
        assert amplified_epsilon(row["inner_epsilon"], rate) == pytest.approx(0.05)
        assert row["subsample_size"] * row["inner_epsilon"] <= 1000 * 0.05 * (1 + 1e-9)
    assert table["noise"].iloc[-1] == pytest.approx(sqrt(2) / (1000 * 0.05))


def test_sampling_error_agrees_with_going_through_all_subsets():
    records = np.array([1, 1, 0, 0, 0])
    law = subsampled_law(lambda z: np.eye(3)[int(z.sum())], 2)(records)
    shares = np.arange(3) / 2
    deviation = sqrt(law @ (shares - law @ shares) ** 2)
    assert experiments.share_deviation(1.0, 5, 0.4, [2])["sampling"].iloc[0] == pytest.approx(deviation)


@pytest.mark.source("WLF16-lem-4")
def test_learning_from_the_root_is_consistent_and_all_records_learn_better():
    table = experiments.learning_from_the_root(1.0, 0.4, [4, 16, 100, 400])
    assert table["subsample_size"].tolist() == [2, 4, 10, 20]
    assert (np.diff(table["excess"]) < 0).all()
    assert (np.diff(table["tight"]) < 0).all()
    assert (table["tight"] < table["lemma_4"]).all()
    assert (table["excess_of_all"] < table["excess"]).all()
    # Two records: both labels true, one of each, both false; the private learner on each.
    wrong = [1 / (1 + exp(1.0)), 1 / 2, 1 / (1 + exp(-1.0))]
    chance = np.dot([0.36, 0.48, 0.16], wrong)
    assert table["excess"].iloc[0] == pytest.approx(0.2 * chance)


def test_the_subsample_of_a_sample_is_a_sample():
    """The excess error of the whole equals that of the learner on k fresh records, by full enumeration."""
    mistakes = pac.mistake_count_distribution(0.4, 4)
    share = [sum(mistakes[j] * _chosen(j, 4, 2, i) for j in range(5)) for i in range(3)]
    np.testing.assert_allclose(share, pac.mistake_count_distribution(0.4, 2), atol=1e-12)


def _chosen(marked, total, size, wanted):
    law = subsampled_law(lambda z: np.eye(size + 1)[int(z.sum())], size)
    return float(law(np.repeat([1, 0], [marked, total - marked]))[wanted])
