r"""First statistics of private records: counts, histograms, running counts, means and quantiles, with intervals.

Each class is told what is public (categories, bounds, a grid, the neighbouring relation), knows the
sensitivity that belongs to it, and releases one answer with its guarantee and an interval.  The records are
only passed, one value each: a table of several columns is refused, since each column is a release of its own.

Counts get integer noise. A mean is computed in whole numbers: values are clipped to the bounds and rounded to
a fine public grid, so that its noise is that of an integer as well, and what is promised of the law holds for
what the computer does. A quantile is a choice among public options, by the exponential mechanism.

No value of a record raises or warns: numbers are clipped, what is no number counts as the lower bound,
and a record in none of the categories is counted in none. Under replace-one the number of records is
public; under add-or-remove-one it is not, and a mean pays for it.

If a person can have several rows, `bound_contributions` chooses at most a given number of each.

>>> ages = [34, 51, 29, 62, 47, 38, 55, 41]
>>> print(PrivateMean(bounds=(18, 90), epsilon=2.0).release(ages, rng=1))
46 in [32.5, 59.6] with probability 0.95; 2-differential privacy (replace-one)
"""

from privml.statistics.contributions import bound_contributions
from privml.statistics.counts import PrivateCount, PrivateHistogram
from privml.statistics.estimates import PrivateEstimate
from privml.statistics.frequencies import local_frequencies
from privml.statistics.numbers import PrivateMean, PrivateQuantile, PrivateSum
from privml.statistics.running import PrivateRunningCounts, RunningCounts

__all__ = [
    "PrivateCount",
    "PrivateHistogram",
    "PrivateMean",
    "PrivateQuantile",
    "PrivateSum",
    "PrivateRunningCounts",
    "PrivateEstimate",
    "bound_contributions",
    "RunningCounts",
    "local_frequencies",
]
__dir__ = __all__.copy
