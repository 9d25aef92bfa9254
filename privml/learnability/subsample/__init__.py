r"""Running a learner on floor(sqrt(n)) of n records: the exact law, and what it promises.

The transformation of WLF16 turns a constant epsilon into one of order ``1 / sqrt(n)``, and a consistent
learner into one that is always AERM.  For a law on count vectors the subsample is a multivariate
hypergeometric draw, so the law of the whole is one matrix product.

**The order.**  Privacy is amplified only if the learner is symmetric or the subsample is shuffled
(:mod:`privml.composition.subsampling`).  So a law that reads its records in order is shuffled here, unless
it is explicitly asked for as a study of what goes wrong.

**Stability needs no order.**  If record i is not drawn, the data sets that differ in it give the same output;
if it is, the learner sees neighbours, in whatever order.  So every stability constant and the total variation
are multiplied by gamma or less, for any learner, shuffled or not.
"""

from privml.learnability.subsample.base import root_size, subsample_guarantee
from privml.learnability.subsample.laws import (
    LARGEST_SUBSAMPLING,
    hypergeometric_weights,
    shuffled_law,
    subsampled_law,
    subsampled_ordered_law,
)
from privml.learnability.subsample.learner import SubsampledLearner

__all__ = [
    "LARGEST_SUBSAMPLING",
    "SubsampledLearner",
    "hypergeometric_weights",
    "root_size",
    "shuffled_law",
    "subsample_guarantee",
    "subsampled_law",
    "subsampled_ordered_law",
]
