"""The place reader is private on its subsample; what it does on drawn ones is in its chapter's tests."""

import numpy as np
import pytest

from privml import audit
from privml.counterexamples import order_sensitive_mechanism

KINDS = np.arange(4)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_on_its_subsample_the_mechanism_keeps_its_promise_exactly(epsilon, size):
    found = audit.exact(
        order_sensitive_mechanism(epsilon, size), KINDS, size, ordered=True
    )
    assert found.epsilon == pytest.approx(epsilon)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="epsilon must be positive and finite"):
        order_sensitive_mechanism(0.0, 2)
    with pytest.raises(ValueError, match="subsample_size must be a positive integer"):
        order_sensitive_mechanism(1.0, 1.5)
    with pytest.raises(ValueError, match="at most 700, but got 800"):
        order_sensitive_mechanism(8.0, 100)
