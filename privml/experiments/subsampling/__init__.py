"""Tables of the chapter on subsampling.

Everything is exact: output laws by going through all subsamples, audits of all neighbouring data sets, and
closed forms where the data are many.  One mechanism, an *alarm*, attains nearly every bound of the chapter.
"""

from privml.experiments.subsampling.accuracy import learning_from_the_root, share_deviation
from privml.experiments.subsampling.order import (
    audits_of_order,
    best_layout,
    index_order_losses,
    large_refutations,
)
from privml.experiments.subsampling.rates import (
    alarm_law,
    looseness,
    open_size_law,
    relations_and_schemes,
    sampling_bounds,
    talkative_alarm_law,
)

__all__ = [
    "alarm_law",
    "audits_of_order",
    "best_layout",
    "index_order_losses",
    "large_refutations",
    "learning_from_the_root",
    "looseness",
    "open_size_law",
    "relations_and_schemes",
    "sampling_bounds",
    "share_deviation",
    "talkative_alarm_law",
]
