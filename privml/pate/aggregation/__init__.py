r"""Aggregators: from the votes of the teachers to labels that may be published.

One record belongs to one teacher (:mod:`privml.pate.teachers`), so that two neighbouring data sets give votes
that differ in one row.  An aggregator hides that row.  Its budget is fixed when it is made, and spent by

* ``answer(votes, rng=...)``: a block of queries that is known beforehand, an array of shape
  ``(n_teachers, n_points)`` of class indices; returns :class:`Answers`;
* ``stream(rng=...)``: a :class:`VoteStream`, whose ``answer(votes)`` labels one point or a block of them at a
  time, so that the next points may depend on the labels so far.  Queries beyond the budget are refused with a
  ``ValueError`` before anything is drawn, and cost nothing.

Both take counts of votes, of shape ``(n_points, n_classes)``, through ``answer_counts``; with one seed they
give one set of labels, however the points are cut into blocks.  Labels are class indices, and ``NO_ANSWER``
(-1) stands where there is none.  ``guarantee`` is what the whole run promises, whatever is asked and whenever
the analyst stops.  ``label_law(counts)`` and ``output_distribution(votes)`` are exact.

* :class:`GaussianAggregator`: Gaussian noise on the count of votes, for two classes (Algorithm 1 of the
  source).  Budget: ``n_queries``.
* :class:`SparseVectorAggregator`: the exact majority where it is stable, and payment for unstable queries
  only (Algorithm 2).  Budget: ``cutoff``; the run halts at that many unstable queries, so a block is
  finished for sure when at most ``cutoff - 1`` queries come out unstable.
* :class:`NoisyMaxAggregator`: Laplace or Gaussian noise on the counts of any number of classes.  Budget:
  ``n_queries``.
* :class:`ConfidentAggregator`: a noisy check that the winner has enough votes, then a noisy maximum.  Budget:
  ``n_queries`` checks and ``n_answers`` answers.
"""

from privml.pate.aggregation.base import Answers, VoteAggregator
from privml.pate.aggregation.confident import ConfidentAggregator
from privml.pate.aggregation.gaussian import GaussianAggregator, vote_sigma
from privml.pate.aggregation.noisy_max import NoisyMaxAggregator
from privml.pate.aggregation.sparse_vector import SparseVectorAggregator, vote_noise, vote_threshold
from privml.pate.aggregation.stream import NO_ANSWER, VoteStream

__all__ = [
    "NO_ANSWER",
    "Answers",
    "ConfidentAggregator",
    "GaussianAggregator",
    "NoisyMaxAggregator",
    "SparseVectorAggregator",
    "VoteAggregator",
    "VoteStream",
    "vote_noise",
    "vote_sigma",
    "vote_threshold",
]
