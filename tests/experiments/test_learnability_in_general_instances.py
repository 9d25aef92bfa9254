"""Tables of the chapter on learnability in general that show instances: Table 1, tumours, Proposition 11."""

import numpy as np
import pytest

from privml.datasets import load_breast_cancer
from privml.experiments import learnability_in_general as experiments
from privml.learnability import LearningProblem


@pytest.mark.source("WLF16-tab-1")
def test_table_one_has_thirteen_rows_and_its_instances_can_be_learned_privately():
    table = experiments.table_one([1.0, 10.0])
    assert len(table) == 13
    assert ((table["max at 1"] == table["max at 10"]) == (table["bounded in [0, 1]?"] == "yes")).all()
    instances = experiments.private_instances(1.0, 3)
    assert (instances["gap"] <= instances["bound"]).all()
    assert (instances["gap"] > 0.05).all()


def test_losses_grow_as_their_names_say():
    wide = experiments.loss_growth([1.0, 10.0, 100.0]).pivot(
        index="radius", columns="curve", values="largest"
    )
    ratios = (wide.loc[100] / wide.loc[10]).round(1)
    assert ratios["bounded"] == 1
    assert ratios["quadratic"] == 100
    assert ratios["linear"] == pytest.approx(9, abs=1)
    steps = wide["logarithmic"].diff().dropna()
    np.testing.assert_allclose(steps, np.log(10))


def test_private_answers_about_tumours_approach_the_best_and_keep_to_the_bound():
    table = experiments.tumour_answers([0.001, 0.3, 30.0])
    assert (table["excess"] <= table["bound"]).all()
    blind = table[table["epsilon"] == 0.001]
    np.testing.assert_allclose(blind["excess"], blind["blind"], rtol=0.15)
    assert table[table["epsilon"] == 30]["excess"].max() < 1e-3
    curves = experiments.tumour_curves([1.0])
    assert len(curves) == 6
    assert experiments.tumour_problem("regression").losses.shape == (121, 569)


def test_questions_about_tumours_are_scaled_by_public_ranges_and_not_by_what_occurs():
    X = load_breast_cancer().X[:, :2]
    clusters = experiments.tumour_problem("k-means")
    first = clusters.hypotheses[7]
    distances = ((first[:, None] - X) ** 2).sum(axis=-1).min(axis=0)
    np.testing.assert_allclose(clusters.losses[7] * 2, distances)  # the square has the diameter root 2
    lines = experiments.tumour_problem("regression")
    left, right = lines.hypotheses[17]
    np.testing.assert_allclose(lines.losses[17], (left + (right - left) * X[:, 0] - X[:, 1]) ** 2, atol=1e-12)
    axes = experiments.tumour_problem("principal components")
    np.testing.assert_allclose(axes.losses[0] / 2, (X[:, 1] - 0.5) ** 2, atol=1e-12)
    densities = experiments.tumour_problem("density estimation")
    np.testing.assert_allclose(densities.hypotheses.sum(axis=1), 1)
    share = densities.hypotheses[5, np.minimum((X[:, 0] * 4).astype(int), 3)]
    raw = densities.losses[5] * (np.log(4) - np.log(0.2)) - np.log(4)
    np.testing.assert_allclose(raw, -np.log(4 * share), atol=1e-12)


@pytest.mark.source("WLF16-prop-11")
def test_every_branch_breaks_privacy_at_a_price_of_at_most_one_over_n():
    table = experiments.broken_learners(1.0)
    assert table["branch"].tolist() == ["mixing", "conditioning", "erm", "erm with mixing"]
    assert (table["before"] <= 1).all()
    assert np.isinf(table["after"]).all()
    assert (table["change"] <= table["1 / m"] + 1e-12).all()


def test_a_dominated_problem_has_one_best_hypothesis():
    problem = experiments.dominated_problem()
    assert isinstance(problem, LearningProblem)
    assert (problem.losses[0] < problem.losses[1]).all()
    assert experiments.without_last(problem, 1.0)(np.array([[1, 0]])).tolist() == [[1, 0]]
