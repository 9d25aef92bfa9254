r"""A learner run on k records drawn from the data set *with* replacement.

Draw indices :math:`i_1, \dots, i_k` independently and uniformly and run an epsilon-DP learner on
:math:`z_{i_1}, \dots, z_{i_k}`.  The sample is an i.i.d. sample from the data set's own frequencies, so that

* its expected empirical risk *is* the risk of the learner under that distribution: a learner that is
  universally consistent with rate xi becomes always AERM with rate xi(k), with no further factor;
* each draw hits the record that neighbours differ in with probability 1 / n, so by k steps of amplification
  it is :math:`k \ln(1 + (e^\varepsilon - 1) / n)`-DP
  (:func:`~privml.composition.subsampled_with_replacement`);
* the draws are exchangeable, so that the order of the records of the data set does not matter, whatever the
  learner does with the order of its sample.

Drawing without replacement (as WLF16 does) loses the first and the last point.
"""

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learnability.base import CountLaw
from privml.learnability.counts import count_vectors, sample_probabilities
from privml.learnability.subsample.base import root_size

_BLOCK_ENTRIES = 1 << 21


def resampled_law(law: CountLaw, subsample_size: int | None = None) -> CountLaw:
    """Law of a learner that runs on records drawn with replacement.

    **Returns.** Callable: law of the whole, exactly: all samples up to order, with multinomial weights.
    **Privacy.** :func:`privml.composition.subsampled_with_replacement`, under replace-one.
    **Source.** WLF16-lem-10, with draws with replacement.

    Parameters
    ----------
    law : callable
        Law of the learner on count vectors.  One that minds the order of its records counts with the law of
        the learner that shuffles first: the draws come in random order anyway.
    subsample_size : int, optional
        Number k of draws; floor(sqrt(n)) by default.

    Raises
    ------
    ValueError
        If `subsample_size` is not a positive integer; when called, if there are too many samples.

    Examples
    --------
    >>> publish = resampled_law(lambda counts: counts / counts.sum(axis=1, keepdims=True), 3)
    >>> publish(np.array([[3, 1]])).round(12).tolist()
    [[0.75, 0.25]]
    """
    if subsample_size is not None:
        check.positive_integer(subsample_size=subsample_size)

    def whole(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        counts = np.asarray(counts)
        sizes = counts.sum(axis=1, keepdims=True)
        size = root_size(int(sizes[0, 0])) if subsample_size is None else subsample_size
        samples = count_vectors(counts.shape[1], size)
        outputs = np.asarray(law(samples), dtype=float)
        step = max(1, _BLOCK_ENTRIES // samples.size)
        blocks = ((counts / sizes)[start : start + step] for start in range(0, len(counts), step))
        return np.concatenate([sample_probabilities(samples, block) @ outputs for block in blocks])

    return whole
