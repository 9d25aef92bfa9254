"""What it costs to stop a sampler early: total variation and privacy.

If every law is within eta of an (epsilon, delta)-private one in total variation, then for neighbours and
every event::

    P'(E) <= P(E) + eta <= e^epsilon Q(E) + delta + eta <= e^epsilon Q'(E) + delta + (1 + e^epsilon) eta.

Nothing better holds in general, and eta is rarely known: diagnostics measure symptoms, they prove no bound.
"""

from math import exp, inf

from privml import _check as check
from privml.guarantee import Guarantee

LARGEST_EXPONENT = 700.0


def early_stopping_guarantee(guarantee: Guarantee, total_variation: float) -> Guarantee:
    """Guarantee of a sampler whose law is within a total-variation distance of a private law.

    **Returns.** Guarantee: the same epsilon, and ``delta + (1 + e^epsilon) eta``, at most 1.
    **Privacy.** Under the relation of `guarantee`.
    **Source.** WLF16-prop-26, as corrected: the source's "arbitrarily close in total variation" is not pure.

    Parameters
    ----------
    guarantee : Guarantee
        What the exact law guarantees.

    Examples
    --------
    >>> early_stopping_guarantee(Guarantee(1.0), 1e-6).delta
    3.718281828459045e-06
    """
    check.instance(Guarantee, guarantee=guarantee)
    check.non_negative(total_variation=total_variation)
    if total_variation > 1:
        raise ValueError(f"total_variation must be at most 1, got {total_variation!r}")
    growth = exp(guarantee.epsilon) if guarantee.epsilon < LARGEST_EXPONENT else inf
    added = (1 + growth) * total_variation if total_variation else 0.0
    delta = min(1.0, guarantee.delta + added)
    return Guarantee(guarantee.epsilon, delta, guarantee.adjacency, guarantee.group_size)
