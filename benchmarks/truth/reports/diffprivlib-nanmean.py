"""diffprivlib 0.6.6: two of twenty values are not missing; one of them is replaced. Claimed: epsilon = 1."""

import numpy as np
from diffprivlib.tools import nanmean

low, high = (np.array([0.5, end] + [np.nan] * 18) for end in (0.0, 1.0))
draws = [
    np.array([nanmean(x, epsilon=1.0, bounds=(0, 1)) for _ in range(2000)])
    for x in (low, high)
]
print("below 0.5:", *(float((x < 0.5).mean()) for x in draws))
