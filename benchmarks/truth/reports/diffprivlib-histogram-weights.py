"""diffprivlib 0.6.6: a record of weight 5 comes in. Claimed: epsilon = 1."""

import numpy as np
from diffprivlib.tools import histogram


def count(weights):
    options = {"epsilon": 1.0, "bins": 1, "range": (0, 1), "weights": weights}
    return np.array(
        [histogram([0.5] * len(weights), **options)[0][0] for _ in range(2000)]
    )


print("at least 6:", (count([1, 1]) >= 6).mean(), (count([1, 1, 5]) >= 6).mean())
