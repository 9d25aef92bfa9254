"""Real data sets, each with what is public about it.

A private learner may use public knowledge freely and private records only through its mechanism.  So a
data set here comes with its public side (feature names, classes, ranges), and features are scaled by
public ranges, never by the ranges of the records at hand.

Data that scikit-learn does not bundle is looked for in three places, in this order: the folder that the
environment variable ``PRIVML_DATA`` names; a per-user cache; its publisher's page, from which it is
downloaded once into the cache.  Whatever the place, the content must have the published SHA-256.

================================  ========  ==========  ==============================================
Loader                             Records    Features  Form
================================  ========  ==========  ==============================================
:func:`load_breast_cancer`             569          30  array, scaled by published ranges
:func:`load_digits_below_five`       1,797          64  array of darknesses
:func:`load_mushrooms`               8,124         112  array of zeros and ones
:func:`load_a9a`                    48,842         123  sparse zeros and ones, in two published parts
:func:`load_adult`                  48,842         105  sparse, from the raw file, in two published parts
:func:`load_news20_usenet`          18,846      21,595  sparse rows of length 1
:func:`load_real_sim`               72,309      20,958  sparse rows of length 1
================================  ========  ==========  ==============================================
"""

from privml.datasets.base import Dataset
from privml.datasets.loaders import (
    load_a9a,
    load_adult,
    load_breast_cancer,
    load_digits_below_five,
    load_mushrooms,
    load_news20_usenet,
    load_real_sim,
)

__all__ = [
    "Dataset",
    "load_a9a",
    "load_adult",
    "load_breast_cancer",
    "load_digits_below_five",
    "load_mushrooms",
    "load_news20_usenet",
    "load_real_sim",
]
