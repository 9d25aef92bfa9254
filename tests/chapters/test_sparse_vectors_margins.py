"""Margins of sparse vectors against exact failure probabilities."""

import numpy as np
import pytest
from scipy.optimize import brentq

from book.tools.programme import tangled
from privml.bounds import restarting_margin
from privml.distributions import Laplace
from privml.mechanisms import SparseVector

chapter = tangled("sparse-vectors")
above_threshold_margin, sparse_vector_margin = chapter.above_threshold_margin, chapter.sparse_vector_margin


@pytest.mark.parametrize("beta", [0.5, 0.05])
@pytest.mark.parametrize("cutoff", [1, 3])
def test_beyond_the_margin_all_answers_are_right(cutoff, beta):
    mechanism = SparseVector(epsilon=1.0, cutoff=cutoff, sensitivity=1)
    noise = mechanism.noise
    margin = sparse_vector_margin(8, noise.threshold_scale, noise.query_scale, beta)
    values = np.array([-margin] * 8)
    values[[2, 5]] = margin
    law = mechanism.output_distribution(values).pmf()
    wanted = (False, False, True, False, False, True, False, False)
    wanted = wanted[:3] if cutoff == 1 else wanted
    assert 1 - beta <= law[mechanism.transcripts(8).index(wanted)] < 1


def test_a_quarter_of_the_margin_is_not_enough():
    mechanism = SparseVector(epsilon=1.0, sensitivity=1)
    noise = mechanism.noise
    margin = sparse_vector_margin(12, noise.threshold_scale, noise.query_scale, 0.05) / 4
    law = mechanism.output_distribution(np.full(12, -margin)).pmf()
    assert law[mechanism.transcripts(12).index((False,) * 12)] < 0.9


def test_dwork_and_roth_have_a_larger_margin_for_their_scales():
    for n_queries in (1, 50, 10**6):
        ours = sparse_vector_margin(n_queries, 2 / 0.7, 4 / 0.7, 0.1)
        assert ours <= 0.75 * above_threshold_margin(n_queries, 0.7, 0.1) + 1e-12


@pytest.mark.parametrize("n_queries", [1, 7, 10**6])
@pytest.mark.parametrize("beta", [0.3, 1e-6])
def test_the_margins_are_sums_of_the_quantiles_that_their_proofs_use(n_queries, beta):
    """Each noise beyond its part of the margin: half of beta for the threshold, half for all queries."""

    def outside(margin, scale):
        return 2 * Laplace(scale=scale).sf(margin)

    threshold, query = brentq_tail(3.0, beta / 2), brentq_tail(5.0, beta / (2 * n_queries))
    assert sparse_vector_margin(n_queries, 3.0, 5.0, beta) == pytest.approx(threshold + query, rel=1e-9)
    for cutoff in (1, 4):
        phi = restarting_margin(n_queries, cutoff, 3.0, beta=beta)
        assert outside(phi / 2, 6.0) == pytest.approx(beta / (2 * n_queries * cutoff), rel=1e-9)
        failure = n_queries * outside(phi / 2, 6.0) + cutoff * outside(phi / 2, 3.0)
        assert failure <= beta
    published = above_threshold_margin(n_queries, 0.7, beta)
    thresholds, queries = (outside(published / 2, scale) for scale in (2 / 0.7, 4 / 0.7))
    assert queries == pytest.approx(beta / (2 * n_queries), rel=1e-9)
    assert thresholds <= beta / 2


def brentq_tail(scale, probability):
    """Where Laplace noise of this scale exceeds in size with the probability."""
    tail = lambda x: 2 * Laplace(scale=scale).sf(x) - probability  # noqa: E731
    return brentq(tail, 0, scale * 800, xtol=1e-12)
