"""diffprivlib 0.6.6: 60 records, all at 100; one of them changes its label. Claimed: epsilon = 1."""

import numpy as np
from diffprivlib.models import GaussianNB


def share(n):
    x, y = np.full((60, 1), 100.0), np.array([0] * n + [1] * (60 - n))
    fits = [GaussianNB(epsilon=1.0, bounds=(100, 101)).fit(x, y) for _ in range(1500)]
    return np.mean(
        [fit.class_count_[0] == 30 and fit.theta_[0, 0] > 100.5 for fit in fits]
    )


print("size 30 and mean above 100.5:", share(30), share(31))
