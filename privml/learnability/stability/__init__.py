"""Stability of learners: exact constants, what privacy promises about them, and what they promise.

* :mod:`~privml.learnability.stability.constants`: the largest change of a learner's law between neighbours,
  in four senses, with the pair that attains it.
* :mod:`~privml.learnability.stability.bounds`: what privacy promises about these, and the printed bounds.
* :mod:`~privml.learnability.stability.gaps`, :mod:`~privml.learnability.stability.expectations` and
  :mod:`~privml.learnability.stability.grids`: AERM gaps, generalisation gaps and excess risks, exactly.
* :mod:`~privml.learnability.stability.consistency`: from stability to consistency, term by term.
"""

from privml.learnability.stability.bounds import (
    stability_from_bounded_range,
    stability_from_privacy,
)
from privml.learnability.stability.consistency import (
    ConsistencyChain,
    Link,
    consistency_chain,
    on_average_stability,
)
from privml.learnability.stability.constants import (
    Stability,
    exact_privacy,
    kullback_leibler_stability,
    replace_one_stability,
    total_variation_stability,
)
from privml.learnability.stability.expectations import (
    Expectations,
    expected_aerm_gap,
    expected_excess_risk,
    expected_risks,
    generalisation_gap,
)
from privml.learnability.stability.gaps import WorstDataset, aerm_gaps, always_aerm_gap
from privml.learnability.stability.grids import WorstDistribution, simplex_grid, worst_distribution

__all__ = [
    "ConsistencyChain",
    "Expectations",
    "Link",
    "Stability",
    "WorstDataset",
    "WorstDistribution",
    "aerm_gaps",
    "always_aerm_gap",
    "consistency_chain",
    "exact_privacy",
    "expected_aerm_gap",
    "expected_excess_risk",
    "expected_risks",
    "generalisation_gap",
    "kullback_leibler_stability",
    "on_average_stability",
    "replace_one_stability",
    "simplex_grid",
    "stability_from_bounded_range",
    "stability_from_privacy",
    "total_variation_stability",
    "worst_distribution",
]
