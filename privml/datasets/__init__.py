"""Real data sets, each with what is public about it.

A private learner may use public knowledge freely and private records only through its mechanism.  So a
data set here comes with its public side (feature names, classes, ranges), and features are scaled by
public ranges, never by the ranges of the records at hand.

================================  ========  ==========  ==============================================
Loader                             Records    Features  Form
================================  ========  ==========  ==============================================
:func:`load_breast_cancer`             569          30  array, scaled by published ranges
:func:`load_digits_below_five`       1,797          64  array of darknesses
:func:`load_mushrooms`               8,124         112  array of zeros and ones
:func:`load_a9a`                    48,842         123  sparse zeros and ones, in two published parts
:func:`load_news20_usenet`          18,846      21,595  sparse rows of length 1
:func:`load_real_sim`               72,309      20,958  sparse rows of length 1
================================  ========  ==========  ==============================================
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

__all__ = [name for name, thing in globals().items() if getattr(thing, "__module__", "").startswith(__name__)]
