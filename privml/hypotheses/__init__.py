"""Finite hypothesis classes: what a learner may choose from.

A *concept* (or hypothesis) is a map h from instances to labels, a *concept class* H a set of them.  A
label is a bool; a hypothesis is its index in the class: learners return an index, laws are laws on indices.

Records never raise because of their value.  A comparison with NaN is False; a point index outside the
domain is moved to the nearest point; a Boolean feature is true when it is positive.
"""

from privml.hypotheses.base import BLOCK_BYTES, HypothesisClass
from privml.hypotheses.cube import Conjunctions, Parities, boolean_cube
from privml.hypotheses.stumps import DecisionStumps, Thresholds
from privml.hypotheses.table import Table, vc_dimension_by_brute_force

__all__ = [
    name
    for name, member in globals().items()
    if getattr(member, "__module__", "").startswith(__name__)
]
__all__.append("BLOCK_BYTES")
__dir__ = __all__.copy
