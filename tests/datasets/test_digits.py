"""Handwritten digits."""

import numpy as np
from sklearn.datasets import load_digits

from privml.datasets import load_digits_below_five


def test_digits_below_five_are_scaled_by_the_range_of_a_pixel():
    digits, bunch = load_digits_below_five(), load_digits()
    assert len(digits.feature_names) == 64
    assert digits.X.min() == 0
    assert digits.X.max() == 1
    np.testing.assert_array_equal(16 * digits.X, bunch.data)
    np.testing.assert_array_equal(digits.y, np.isin(bunch.target, [0, 1, 2, 3, 4]))
