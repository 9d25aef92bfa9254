"""prv_accountant 0.2.0: a hundred pure steps of epsilon 2; the exact epsilon at delta 0.01 is above 179.45."""

import numpy as np
from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import PureDPMechanism

step, alpha, p = PureDPMechanism(2.0), 2.0, 1 / (1 + np.exp(-2.0))
print(
    "rdp(2)", step.rdp(alpha), "of its law", np.log(p**2 / (1 - p) + (1 - p) ** 2 / p)
)
accountant = PRVAccountant(
    [step], eps_error=0.1, delta_error=1e-5, max_self_compositions=[100]
)
print("bounds and estimate", accountant.compute_epsilon(0.01, [100]))
