"""The losses of Table 1 against direct formulas, one hypothesis and one record at a time."""

from math import log

import numpy as np
import pytest

from privml.learnability import problems

POINTS = np.random.default_rng(11).normal(size=(5, 3))
PROJECTIONS = [
    b @ np.linalg.pinv(b) for b in np.random.default_rng(12).normal(size=(4, 3, 2))
]


@pytest.fixture
def rng():
    return np.random.default_rng(13)


def by_hand(loss, hypotheses, records):
    return np.array([[loss(h, z) for z in records] for h in hypotheses])


@pytest.mark.source("WLF16-tab-1")
def test_the_losses_without_labels_are_their_formulas(rng):
    centres = rng.normal(size=(4, 2, 3))
    nearest = by_hand(
        lambda h, z: min(np.sum((c - z) ** 2) for c in h), centres, POINTS
    )
    np.testing.assert_allclose(problems.centres_loss(centres, POINTS), nearest)
    topics, mixtures = (
        rng.dirichlet([1.0] * 3, size=(4, 2)),
        np.array([[0.3, 0.7], [1.0, 0.0], [0.5, 0.5]]),
    )

    def fit(h, words):
        return -max(sum(log(b @ h[:, w]) for w in words) for b in mixtures)

    documents = [(0, 0), (0, 1), (2, 1)]
    counts = [np.bincount(words, minlength=3) for words in documents]
    np.testing.assert_allclose(
        problems.topic_loss(topics, counts, mixtures), by_hand(fit, topics, documents)
    )


@pytest.mark.source("WLF16-tab-1")
def test_the_losses_of_projections_are_their_formulas():
    def sparse(p, z):
        return np.sum((p @ z - z) ** 2) + 0.3 * np.abs(p).sum()

    def robust(p, z):
        return np.abs(p @ z - z).sum() + 0.3 * np.linalg.matrix_rank(p)

    found = problems.projection_loss(PROJECTIONS, POINTS, penalty=0.3)
    np.testing.assert_allclose(found, by_hand(sparse, PROJECTIONS, POINTS))
    found = problems.robust_projection_loss(PROJECTIONS, POINTS, penalty=0.3)
    np.testing.assert_allclose(found, by_hand(robust, PROJECTIONS, POINTS))
    pairs = [(PROJECTIONS[i], PROJECTIONS[j]) for i, j in ((0, 1), (1, 2), (0, 3))]
    nearest = by_hand(
        lambda h, z: min(np.sum((p @ z - z) ** 2) for p in h), pairs, POINTS
    )
    np.testing.assert_allclose(problems.subspaces_loss(pairs, POINTS), nearest)


@pytest.mark.source("WLF16-tab-1")
def test_a_completion_leaves_what_the_subspace_cannot_say_about_the_seen_entries(rng):
    seen = np.array([[1, 1, 1], [1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 0, 0]])
    bases = [rng.normal(size=(3, rank)) for rank in (1, 2)]

    def distance(basis, j):
        rows = seen[j].astype(bool)
        code = np.linalg.lstsq(basis[rows], POINTS[j][rows], rcond=None)[0]
        return (
            np.sum((basis[rows] @ code - POINTS[j][rows]) ** 2) + 0.2 * basis.shape[1]
        )

    expected = by_hand(distance, bases, range(5))
    found = problems.completion_loss(bases, POINTS, seen, penalty=0.2)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.source("WLF16-tab-1")
def test_codes_of_a_dictionary_are_optimal_among_a_fine_grid_and_where_the_gradient_says(
    rng,
):
    dictionaries, penalty = rng.normal(size=(4, 3, 2)), 0.4
    values = np.linspace(-8, 8, 641)
    codes = np.stack(np.meshgrid(values, values), axis=-1).reshape(-1, 2)

    def fit(h, z):
        return np.sum((codes @ h.T - z) ** 2, axis=1)

    sparse = by_hand(
        lambda h, z: (fit(h, z) + penalty * np.abs(codes).sum(1)).min(),
        dictionaries,
        POINTS,
    )
    found = problems.dictionary_loss(dictionaries, POINTS, penalty=penalty)
    assert (found <= sparse + 1e-9).all()
    np.testing.assert_allclose(found, sparse, atol=5e-3)
    kept = (codes >= 0).all(axis=1)
    grid = by_hand(lambda h, z: fit(h, z)[kept].min(), dictionaries, POINTS)
    found = problems.nonnegative_loss(dictionaries, POINTS)
    assert (found <= grid + 1e-9).all()
    np.testing.assert_allclose(found, grid, atol=5e-3)


def test_nonnegative_codes_agree_with_a_solver(rng):
    from scipy.optimize import nnls

    dictionaries = rng.normal(size=(5, 3, 3))
    solved = by_hand(lambda h, z: nnls(h, z)[1] ** 2, dictionaries, POINTS)
    np.testing.assert_allclose(
        problems.nonnegative_loss(dictionaries, POINTS), solved, atol=1e-12
    )


def test_dependent_columns_and_a_zero_penalty_are_no_trouble():
    twice = np.array([[[1.0, 2.0], [1.0, 2.0]]])
    assert problems.dictionary_loss(twice, [[1.0, 3.0]], penalty=0.0) == pytest.approx(
        2.0
    )
    assert problems.dictionary_loss(twice, [[2.0, 2.0]], penalty=1.0) == pytest.approx(
        1 - 1 / 32
    )
    with pytest.raises(ValueError, match="at most 6"):
        problems.dictionary_loss(np.zeros((1, 2, 7)), [[0.0, 0.0]], penalty=0.0)


@pytest.mark.source("WLF16-tab-1")
@pytest.mark.erratum("WLF16-tab-1")
def test_with_labels_zero_and_one_half_of_the_records_have_the_loss_one_whatever_the_hypothesis(
    rng,
):
    scores = rng.normal(size=(6, 4))
    printed = np.maximum(0, 1 - np.array([0, 1, 0, 1]) * scores)
    assert (printed[:, [0, 2]] == 1).all()
    labels = np.array([-1, 1, -1, 1])
    corrected = problems.hinge_loss(scores, labels)
    assert (
        corrected
        == by_hand(lambda h, j: max(0.0, 1 - labels[j] * h[j]), scores, range(4))
    ).all()
    assert np.ptp(corrected[:, [0, 2]], axis=0).min() > 0.1
    with pytest.raises(ValueError, match=r"labels must be -1 or 1"):
        problems.hinge_loss(scores, [0, 1, 0, 1])


def test_projections_onto_lines_are_projections():
    for p in problems.line_projections([0.3, 1.0]):
        np.testing.assert_allclose(p @ p, p, atol=1e-15)
        assert np.trace(p) == pytest.approx(1)
