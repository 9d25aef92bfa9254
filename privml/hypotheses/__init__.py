"""Finite hypothesis classes: what a learner may choose from.

A *concept* (or hypothesis) is a map h from instances to labels, a *concept class* H a set of them.  The
sources write labels as +1, -1 or as 1, 0; here a label is a bool.  A class is an object that knows its
size, its VC dimension and how to label many instances with many hypotheses at once::

    predict(X)       bool array, one row per hypothesis, one column per record
    mistakes(X, y)   how many records each hypothesis gets wrong
    blocks(X)        the rows of predict(X) in pieces of bounded memory

A hypothesis is its index in the class: learners return an index, laws are laws on indices.

A set of instances is *shattered* when the class labels it in every way; the *VC dimension* is the size of
the largest shattered set, and the *growth function* counts the labellings of the best set of each size.

=======================  ==============================================  =======================
class                    hypotheses                                      VC dimension
=======================  ==============================================  =======================
:class:`Table`           any, listed on a finite domain                  by brute force
:class:`Thresholds`      ``x >= cut``                                    1
:class:`DecisionStumps`  ``x[feature] >= cut`` and its negation          about log2(n_features)
:class:`Conjunctions`    ands of features (and negated features)         n_features
:class:`Parities`        sums modulo 2 of features                       n_features
=======================  ==============================================  =======================

Small classes (one cut point, one feature) have smaller or larger values; each class says which.

Records never raise because of their value.  A comparison with NaN is False; a point index outside the
domain is moved to the nearest point; a Boolean feature is true when it is positive.
"""

from privml.hypotheses.base import BLOCK_BYTES, HypothesisClass
from privml.hypotheses.cube import Conjunctions, Parities, boolean_cube
from privml.hypotheses.stumps import DecisionStumps
from privml.hypotheses.table import Table, vc_dimension_by_brute_force
from privml.hypotheses.thresholds import Thresholds

__all__ = [
    "BLOCK_BYTES",
    "Conjunctions",
    "DecisionStumps",
    "HypothesisClass",
    "Parities",
    "Table",
    "Thresholds",
    "boolean_cube",
    "vc_dimension_by_brute_force",
]
