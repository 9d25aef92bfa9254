"""Real data sets, each with what is public about it.

A private learner may use public knowledge freely and private records only through its mechanism.  So a
data set here comes with its public side (feature names, classes, ranges), and features are scaled by
public ranges, never by the ranges of the records at hand.

"""

from privml.datasets.base import Dataset
from privml.datasets.loaders import (
    load_a9a,
    load_breast_cancer,
    load_digits_below_five,
    load_mushrooms,
    load_news20_usenet,
    load_real_sim,
)

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__dir__ = __all__.copy
