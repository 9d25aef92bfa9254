r"""Sparse vectors: many threshold questions for the price of the few that are answered with yes.

A stream of queries arrives, each of sensitivity Delta, and for each the analyst learns only whether it
crosses a threshold.  Crossings cost privacy; the other answers are free, however many there are.  The run
halts when the cut-off number of crossings is reached.

* :class:`SparseVector`: pure epsilon-DP; the threshold's noise is drawn once.  With ``cutoff=1`` this is
  *AboveThreshold*.
* :class:`RestartingSparseVector`: (epsilon, delta)-DP; fresh threshold noise after each crossing, so a
  run of cut-off T is T runs of cut-off 1, composed.

Two sign conventions are in use and both are here: ``side="above"`` counts queries above the threshold
(Dwork and Roth), ``side="below"`` those below it (Liu et al., whose unstable queries are the costly ones).
"""

from privml.mechanisms.sparse_vector.runs import RestartingSparseVector, SparseVector, SparseVectorRun

__all__ = ["RestartingSparseVector", "SparseVector", "SparseVectorRun"]
