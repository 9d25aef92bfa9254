"""Post-processing of finite laws never helps whoever compares them."""

import math

import numpy as np
import pytest

from privml.divergences import after_channel, hockey_stick, renyi_divergence


def random_pair(seed, n=5):
    rng = np.random.default_rng(seed)
    return (np.log(rng.dirichlet(np.ones(n))) for _ in range(2))


@pytest.mark.source("LZCW21-lem-40")
@pytest.mark.parametrize("seed", range(20))
def test_post_processing_never_helps_the_attacker(seed):
    p, q = random_pair(seed)
    channel = np.random.default_rng(seed).dirichlet(0.3 * np.ones(3), size=5)
    after_p, after_q = after_channel(p, channel), after_channel(q, channel)
    for epsilon in (0.0, 0.4, 1.0, 2.0):
        assert hockey_stick(after_p, after_q, epsilon) <= hockey_stick(p, q, epsilon) + 1e-14
    for order in (1, 2, np.inf):
        assert renyi_divergence(after_p, after_q, order) <= renyi_divergence(p, q, order) + 1e-12


@pytest.mark.source("LZCW21-lem-40")
def test_looking_at_the_data_again_is_not_post_processing():
    p, q = np.log([0.5, 0.5]), np.log([0.4, 0.6])
    honest, peeking = np.eye(2), np.eye(2)[::-1]
    assert hockey_stick(after_channel(p, honest), after_channel(q, peeking), 0.0) > 0
    assert (
        hockey_stick(after_channel(p, honest), after_channel(q, peeking), math.log(1.25))
        > hockey_stick(p, q, math.log(1.25)) - 1e-15
    )


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="one row per outcome"):
        after_channel(np.zeros(1), np.eye(2))
    with pytest.raises(ValueError, match="probability vectors"):
        after_channel(np.log([0.5, 0.5]), [[1.0, 0.0], [0.5, 0.6]])
