"""diffprivlib 0.6.6: one record, 0 or 100, beside a record at 0. Claimed: epsilon = 1."""

import warnings

import numpy as np
from diffprivlib.models import LogisticRegression

warnings.simplefilter("ignore")


def near(x):
    options = {"epsilon": 1.0, "data_norm": 100.0, "fit_intercept": False, "tol": 1e-8}
    fits = (
        LogisticRegression(**options).fit(np.array([[x], [0.0]]), [0, 1])
        for _ in range(2000)
    )
    return np.mean([abs(fit.coef_[0, 0]) < 0.005 for fit in fits])


print("weight within 0.005 of 0:", near(0.0), near(100.0))
