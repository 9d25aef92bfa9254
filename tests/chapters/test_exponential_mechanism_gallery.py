"""Each wrong variant is caught with its exact epsilon, and its right counterpart is not."""

import math

import numpy as np
import pytest

from book.tools.programme import tangled
from privml import audit

chapter = tangled("exponential-mechanism")
ENDS = np.array([0.0, 1.0])


@pytest.mark.parametrize("variant", ["half_sensitivity", "wrong_scale", "clipped_after_scoring"])
@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_bad_epsilon_is_refused(variant, bad):
    with pytest.raises(ValueError, match="epsilon must be positive and finite"):
        getattr(chapter, variant)(bad)(ENDS)


def test_half_the_sensitivity_is_found_out_by_draws():
    law = tangled("exponential-mechanism").half_sensitivity(1.0)

    def sample(records, size, rng):
        return law(records).rvs(size, rng=rng)

    pair = np.array([0.0] * 6), np.array([1.0] + [0.0] * 5)
    found = audit.monte_carlo(sample, pair, 100_000, rng=1)
    assert found.epsilon > 1.2
    assert found.event in {"output == 1", "output >= 1"}
    assert found.counts[0] > found.counts[1]
