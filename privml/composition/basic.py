"""Composition by adding up, and over disjoint parts of the data.

Both hold for mechanisms that are chosen one after the other in the light of the earlier answers.
"""

from privml import _check as check
from privml.adjacency import Adjacency
from privml.composition.base import common_relation
from privml.guarantee import Guarantee

PARTITIONS = ("record", "index")


def basic_composition(*guarantees: Guarantee) -> Guarantee:
    """Guarantee of releasing all of several answers about the same data: epsilons and deltas add up.

    **Privacy.** Also for adaptive choices of the later mechanisms.  For pure guarantees and delta = 0 this is
    the best possible.
    **Source.** Dwork and Roth (2014), Theorem 3.16; the other side of DR11-thm-3.20.

    Parameters
    ----------
    *guarantees : Guarantee
        At least one, all under one relation; they may differ.

    Examples
    --------
    >>> print(basic_composition(Guarantee(0.5), Guarantee(0.25, 1e-6), Guarantee(0.25, 1e-6)))
    (1, 2e-06)-differential privacy (replace-one)
    """
    adjacency, group_size = common_relation(Guarantee, guarantees)
    epsilon = sum(guarantee.epsilon for guarantee in guarantees)
    delta = min(1.0, sum(guarantee.delta for guarantee in guarantees))
    return Guarantee(epsilon, delta, adjacency, group_size)


def parallel_composition(*guarantees: Guarantee, partition: str) -> Guarantee:
    """Guarantee of answers about disjoint parts of the data, each part asked once: the worst of them.

    **Privacy.** Adding or removing a record changes one part, the one to which it belongs; with a partition
    by index it would shift all later records, so that this is refused.  Replacing a record changes one part
    if parts are sets of positions.  If the record itself decides, the old one may leave one part and the new
    one enter another: two parts change, and both change size.  A replace-one guarantee of the parts says
    nothing about that, so it is refused; compose under ``ADD_OR_REMOVE_ONE`` and convert, which costs a
    factor 2 in epsilon, and the factor is attained.
    **Source.** McSherry (2009), Theorem 4; for WLF16-alg-boost (positions).

    Parameters
    ----------
    *guarantees : Guarantee
        One per part, all under one relation.
    partition : {"record", "index"}
        What decides to which part a record belongs: the record itself (and coins of its own), or its
        position in the data set.

    Examples
    --------
    >>> print(parallel_composition(Guarantee(0.5), Guarantee(0.2), partition="index"))
    0.5-differential privacy (replace-one)
    >>> added = Guarantee(0.5, adjacency=Adjacency.ADD_OR_REMOVE_ONE)
    >>> print(parallel_composition(added, added, partition="record").under(Adjacency.REPLACE_ONE))
    1-differential privacy (replace-one)
    """
    check.one_of(PARTITIONS, partition=partition)
    adjacency, group_size = common_relation(Guarantee, guarantees)
    if group_size > 1:
        raise ValueError(
            f"guarantees must be about single steps, got groups of {group_size}: convert afterwards"
        )
    if (partition == "index") != (adjacency is Adjacency.REPLACE_ONE):
        reason = {
            "record": "a replaced record can change two parts",
            "index": "an added record shifts others",
        }
        raise ValueError(f"partition must fit {adjacency}, got {partition!r}: {reason[partition]}")
    epsilon = max(guarantee.epsilon for guarantee in guarantees)
    return Guarantee(epsilon, max(guarantee.delta for guarantee in guarantees), adjacency)
