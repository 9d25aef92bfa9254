"""diffprivlib 0.6.6: the value of weight 5 moves into the range. Claimed: epsilon = 1."""

import numpy as np
from diffprivlib.tools import histogram


def count(values):
    options = {"epsilon": 1.0, "bins": 1, "range": (0, 1), "weights": [1, 1, 5]}
    return np.array([histogram(values, **options)[0][0] for _ in range(2000)])


out, within = count([0.5, 0.5, 2.0]), count([0.5, 0.5, 0.5])
print("at least 6:", (out >= 6).mean(), (within >= 6).mean())
