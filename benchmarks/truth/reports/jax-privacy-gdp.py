"""jax_privacy 2.0.0: a lower bound of 95 % on scores of one and the same law."""

import numpy as np
from jax_privacy.auditing import CanaryScoreAuditor

rng, found = np.random.default_rng(0), []
for _ in range(60):
    auditor = CanaryScoreAuditor(rng.normal(size=500), rng.normal(size=500))
    found.append(auditor.epsilon_from_gdp(significance=0.05, delta=1e-5))
print("positive in", sum(x > 0 for x in found), "of 60, median", np.median(found))
