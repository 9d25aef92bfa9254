"""OpenDP 0.16.0: the chance that one record's key is released, against the delta of `map`."""

import opendp.prelude as dp

dp.enable_features("contrib")
counts = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
space = counts, dp.l01inf_distance(dp.absolute_distance(T=int))
mechanism = dp.m.make_laplace_threshold(*space, scale=1.0, threshold=5)
kept = len(
    mechanism({str(i): 1 for i in range(40_000)})
)  # each key has noise of its own
print("claimed delta", mechanism.map((1, 1, 1))[1], "released", kept / 40_000)
