"""OpenDP: which selection make_noisy_max draws when it is asked for concentrated privacy (issue 2911)."""

from math import exp

import opendp.prelude as dp

dp.enable_features("contrib")
space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
mechanism = dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=1.0)
worse = sum(mechanism([1, -1]) == 1 for _ in range(20_000)) / 20_000
print(
    "drawn",
    worse,
    "exponential mechanism",
    1 / (1 + exp(2)),
    "permute-and-flip",
    exp(-2) / 2,
)
