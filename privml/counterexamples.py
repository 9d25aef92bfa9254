"""A private mechanism that depends on the order of the records, for subsampling without a hypothesis.

WLF16 leaves the hypothesis out: its lemmas compare "record 1 is in the subsample" with "it is not" by giving
its place to another record.  In index order the place of record 1 is the first; without it all others move up
by one.  :func:`order_sensitive_mechanism` notices: it prefers one kind of record in each place, and the data
are laid out so that with record 1 in front the others are where they are liked.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from privml import _check as check
from privml.distributions import Categorical


def order_sensitive_mechanism(
    epsilon: float, subsample_size: int
) -> Callable[[ArrayLike], Categorical]:
    """A mechanism on its subsample: private, but it depends on the order of the records.

    ``P(alarm) = c e^(epsilon M)``, M being the number of places that hold a record of the kind liked there:
    kind 3 in place 1, kind 2 in place 2, kinds 1 and 2 in all further places.  One replaced record changes M
    by at most 1; c keeps P(alarm) below logistic(epsilon).

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    subsample_size : int
        Number of records drawn, a positive integer.

    Returns
    -------
    callable
        Callable: from the ordered records, of kinds 0 to 3, to the law of (alarm, none).

    Raises
    ------
    ValueError
        If epsilon times subsample_size exceeds 700.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under ``REPLACE_ONE``, as claimed.

    References
    ----------
    For WLF16-lem-34 and WLF16-lem-31.

    Examples
    --------
    >>> from privml import audit
    >>> round(audit.exact(order_sensitive_mechanism(1.0, 3), np.arange(4), 3, ordered=True).epsilon, 6)
    1.0
    """
    check.positive(epsilon=epsilon)
    check.positive_integer(subsample_size=subsample_size)
    if epsilon * subsample_size > 700:
        product = epsilon * subsample_size
        raise ValueError(
            f"epsilon times subsample_size must be at most 700, but got {product!r}."
        )

    def mechanism(records: ArrayLike) -> Categorical:
        kinds = np.asarray(records)[:subsample_size]
        matches = (
            (kinds[:1] == 3).sum()
            + (kinds[1:2] == 2).sum()
            + np.isin(kinds[2:], (1, 2)).sum()
        )
        log_alarm = epsilon * (matches - subsample_size + 1) - np.log1p(np.exp(epsilon))
        return Categorical([log_alarm, np.log1p(-np.exp(log_alarm))])

    return mechanism


check.wrap_module(__name__)
