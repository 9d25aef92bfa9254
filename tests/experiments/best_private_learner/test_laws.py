"""Tables on the optimal law: the geometric rule, the laws side by side, and the constraints they use."""

import numpy as np
import pytest

from privml.audit import exact
from privml.experiments import best_private_learner as experiments
from privml.learnability import always_aerm_gap, count_vectors
from privml.learnability.optimal import optimal_learner
from privml.learnability.problems import coin_problem, thresholds_problem
from privml.results.best_private_learner_times import reflection


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize("n_samples", [1, 2, 5, 6])
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_the_geometric_rule_is_private_and_optimal(n_samples, epsilon):
    rule = experiments.geometric_rule(n_samples, epsilon)
    found = exact(lambda z: rule(np.bincount(z, minlength=2)[None])[0], np.array([0, 1]), n_samples)
    assert found.epsilon == pytest.approx(epsilon, abs=1e-12)
    value = always_aerm_gap(rule, coin_problem(), n_samples).value
    assert value == pytest.approx(optimal_learner(coin_problem(), n_samples, epsilon).value, abs=1e-9)
    assert value <= 1 / (np.e * n_samples * epsilon) + 1e-12


def test_on_two_answers_the_ratios_are_those_of_the_corollary():
    for n_samples, epsilon in ((4, 1.0), (5, 1.0)):
        table = experiments.coin_laws(n_samples, epsilon)
        wide = table.pivot(index="margin", columns="curve", values="probability")
        wide = wide[wide.index > 0]
        decay = np.exp(-epsilon * wide.index / 2)
        half = np.exp(epsilon / 2) + np.exp(-epsilon / 2)
        to_exponential = (1 + decay) / (2 if n_samples % 2 == 0 else half)
        to_flip = 1 if n_samples % 2 == 0 else 2 / half
        np.testing.assert_allclose(wide["best"] / wide["exponential"], to_exponential, rtol=1e-12)
        np.testing.assert_allclose(wide["best"] / wide["permute-and-flip"], to_flip, rtol=1e-12)


def test_the_optimum_uses_twice_the_range_and_tight_constraints():
    table = experiments.constraint_use(2, 3, 1.0).set_index("law")
    assert table.loc["exponential", "range"] == pytest.approx(1.0)
    assert table.loc["optimum", "range"] == pytest.approx(2.0)
    assert table.loc["exponential", "tight"] == 0 < table.loc["optimum", "tight"]
    assert (table["exact_epsilon"] <= 1 + 1e-9).all()


def test_a_few_laws_are_rows_of_the_tables():
    table = experiments.few_laws(2, [[(1, 0), (0, 1)]], 1.0)
    assert table["data"].tolist() == ["1- 0+", "1- 0+"]
    learner = optimal_learner(thresholds_problem(2), 2, 1.0, symmetries=reflection(2))
    counts = count_vectors(4, 2)
    row = int(np.flatnonzero((counts == [0, 1, 1, 0]).all(axis=1))[0])
    np.testing.assert_allclose(table.iloc[1, 2:5].astype(float), learner.probabilities[row], atol=1e-12)


def test_the_dense_program_finds_the_same():
    value, learner = experiments.by_hand(thresholds_problem(2), 2, 0.7)
    assert value == pytest.approx(learner.value, abs=1e-9)
