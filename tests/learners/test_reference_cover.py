"""Covers under a public reference law: the covering property, its size, and the learner."""

from math import log

import numpy as np
import pytest

from privml.hypotheses import DecisionStumps, Table, Thresholds
from privml.learners import ReferenceCoverLearner, greedy_cover
from privml.learners.representation import HypothesisSubset, loss_distances
from tests.refusals import refused


def dominated(reference, ratio, rng):
    """A random law with density at most `ratio` with respect to the reference."""
    density = ratio * rng.uniform(size=len(reference)) ** 4
    mass = density @ reference
    if mass >= 1:
        return density * reference / mass
    return (density + (1 - mass) / (ratio - mass) * (ratio - density)) * reference


@pytest.mark.source("WLF16-ex-24")
@pytest.mark.parametrize("ratio", [1.0, 2.0, 5.0])
def test_the_cover_works_for_every_dominated_law(ratio):
    rng, alpha = np.random.default_rng(0), 0.3
    losses = rng.integers(0, 2, size=(60, 12)).astype(bool)
    reference = rng.dirichlet(np.full(12, 5.0))
    cover = greedy_cover(loss_distances(losses, reference), alpha / ratio)
    assert len(cover) < 60 or ratio > 1
    for _ in range(50):
        law = dominated(reference, ratio, rng)
        assert (law <= ratio * reference + 1e-9).all()
        assert loss_distances(losses, law)[:, cover].min(axis=1).max() <= alpha + 1e-9


@pytest.mark.erratum("WLF16-ex-24/1")
def test_a_cover_of_radius_alpha_and_not_alpha_over_c_is_not_enough():
    losses = np.eye(8, dtype=bool)
    reference = np.full(8, 1 / 8)
    loose = greedy_cover(loss_distances(losses, reference), 0.25)
    tight = greedy_cover(loss_distances(losses, reference), 0.25 / 4)
    distances = loss_distances(losses, np.r_[np.full(2, 0.5), np.zeros(6)])
    assert distances[:, loose].min(axis=1).max() > 0.25
    assert distances[:, tight].min(axis=1).max() <= 0.25


@pytest.mark.source("WLF16-ex-24")
def test_for_thresholds_the_size_of_the_cover_does_not_depend_on_the_grid():
    sizes = []
    for n_cuts in (101, 401, 1601):
        cuts = np.linspace(0, 1, n_cuts)
        distances = abs(cuts[:, None] - cuts)  # under the uniform law
        sizes.append(len(greedy_cover(distances, 0.05)))
        assert 1 / (2 * 0.05) <= sizes[-1] <= (1 + log(n_cuts)) * (1 / (2 * 0.05) + 1)
    assert max(sizes) <= 15


def test_greedy_takes_what_covers_most_and_covers_everything():
    rng = np.random.default_rng(1)
    for radius in (0.0, 0.1, 0.3, 2.0):
        points = rng.uniform(size=(80, 2))
        distances = np.linalg.norm(points[:, None] - points, axis=2)
        cover = greedy_cover(distances, radius)
        assert distances[:, cover].min(axis=1).max() <= radius + 1e-9
        assert (np.diff(cover) > 0).all()
    assert len(cover) == 1
    assert len(greedy_cover(distances, 0.0)) == 80


def test_distances_of_labels_and_of_losses_agree():
    rng = np.random.default_rng(2)
    labels, law = (
        rng.integers(0, 2, size=(9, 5)).astype(bool),
        rng.dirichlet(np.ones(5)),
    )
    direct = np.array([[law @ (a != b) for b in labels] for a in labels])
    np.testing.assert_allclose(loss_distances(labels, law), direct, atol=1e-12)
    np.testing.assert_allclose(
        loss_distances(labels.astype(float), law), direct, atol=1e-12
    )
    assert (loss_distances(labels).diagonal() == 0).all()


@pytest.mark.source("WLF16-ex-24")
def test_a_finer_grid_costs_nothing_behind_the_cover():
    """Cuts that crowd near 0, as floats do: a cover sees them as one."""
    X = np.linspace(0, 1, 200)[:, None]
    y = X[:, 0] >= 0.5
    wrong = {}
    for bits in (10, 1000):
        cuts = np.unique(
            np.r_[
                np.geomspace(2.0**-bits, 0.01, 20 * bits // 10),
                np.linspace(0.02, 1, 50),
            ]
        )
        learner = ReferenceCoverLearner(
            0.2, Thresholds(cuts), np.linspace(0, 1, 101)[:, None], alpha=0.1
        )
        law = learner.output_distribution(X, y)
        wrong[bits] = law.pmf() @ learner._class_for(1).mistakes(X, y) / len(y)
    assert wrong[1000] == pytest.approx(wrong[10], abs=0.02)


@pytest.mark.erratum("WLF16-ex-24/1")
def test_the_learner_divides_the_radius_by_the_density_ratio():
    public, whole = np.linspace(0, 1, 201)[:, None], Thresholds(np.linspace(0, 1, 41))
    y = public[:, 0] >= 0.5
    distances = loss_distances(whole.predict(public))
    for ratio in (1.0, 4.0):
        learner = ReferenceCoverLearner(
            1.0, whole, public, alpha=0.2, density_ratio=ratio
        )
        chosen = learner.fit(public, y, rng=0).hypotheses_.chosen
        np.testing.assert_array_equal(chosen, greedy_cover(distances, 0.2 / ratio))


def test_members_predict_as_in_the_whole_class():
    whole = DecisionStumps.on_grid(2, -1.0, 1.0, 4)
    part = HypothesisSubset(whole, [3, 0, 11])
    X = np.random.default_rng(0).uniform(-1, 1, size=(20, 2))
    np.testing.assert_array_equal(part.predict(X), whole.predict(X)[[3, 0, 11]])
    assert part.describe(1) == whole.describe(0)
    assert part.n_hypotheses == 3
    assert part.vc_dimension == 1
    assert HypothesisSubset(Thresholds([0.0, 1.0, 2.0]), [0, 1]).n_features == 1
    two = HypothesisSubset(Table(np.eye(3, dtype=bool)), [2])
    np.testing.assert_array_equal(two.mistakes([2, 1], [True, False]), [0])


test_bad_parameters_raise = refused(
    lambda: greedy_cover([[0.0, 1.0]], 1.0),
    lambda: greedy_cover([[1.0]], 1.0),
    lambda: loss_distances(np.zeros((2, 3)), [0.5, 0.5]),
    lambda: loss_distances(np.zeros((2, 2)), [0.9, 0.5]),
    lambda: loss_distances(np.zeros((0, 2))),
    lambda: HypothesisSubset(Thresholds([0.0]), []),
    lambda: HypothesisSubset(Thresholds([0.0]), [1]),
    lambda: ReferenceCoverLearner(density_ratio=0.5).fit([[0.0], [1.0]], [0, 1]),
    lambda: ReferenceCoverLearner(alpha=0.0).fit([[0.0], [1.0]], [0, 1]),
    words="must",
)
