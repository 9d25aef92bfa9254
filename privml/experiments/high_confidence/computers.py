"""What a real computer draws: floats, exact coins, inexact candidates; and domains without an end."""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp, inf, log

import numpy as np
import pandas as pd

from privml.coins import exponential_coin
from privml.distributions import Categorical
from privml.learners.exponential import selection_mechanism
from privml.learners.penalised_erm import (
    Box,
    ExponentialERM,
    PenalisedRisk,
    RampLoss,
    early_stopping_guarantee,
    log_truncated_normaliser,
)

GRID = 2**53
"""Uniform floating-point numbers are multiples of one over this."""


def _steps_of_second(law: Categorical) -> int:
    """How many of the 2^53 equally likely uniform numbers make the sampler return the second of two."""
    first, total = (float(weight) for weight in law._cumulative)
    low, high = 0, GRID
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if middle / GRID * total >= first else (middle + 1, high)
    if first == total:  # the second is erased from the sums
        return 0
    return GRID - low


def _logistic(exponent: Fraction) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        power = (Decimal(exponent.numerator) / Decimal(exponent.denominator)).exp()
        return 1 / (1 + power)


def float_choices(leads: Sequence[int], epsilon: float) -> pd.DataFrame:
    """Probability of the second of two candidates, behind by so many validation records: law and floats.

    Parameters
    ----------
    leads : sequence of int
        Difference of the two scores.
    epsilon : float
        Privacy parameter of the choice in nats.

    Returns
    -------
    DataFrame
        Columns ``lead``, ``exact`` (``1 / (1 + exp(epsilon lead / 2))``), ``floats`` (what inversion with
        uniform numbers of 53 bits gives), ``distance`` (total variation of the two), ``loss`` (exact privacy
        loss of the second candidate between this lead and one larger by 2, in floats).

    Examples
    --------
    >>> table = float_choices([70, 76], 1.0)
    >>> table["floats"].tolist()[1], table["loss"].tolist()[0] < 1.5
    (0.0, True)
    """

    def steps(lead: int) -> int:
        return _steps_of_second(selection_mechanism(epsilon).output_distribution([lead, 0]))

    rows = []
    for lead in leads:
        exact, here, there = _logistic(Fraction(epsilon) * lead / 2), steps(lead), steps(lead + 2)
        distance = abs(Decimal(here) / GRID - exact)
        loss = 0.0 if here == there else log(here / there) if there else inf
        rows.append((lead, float(exact), here / GRID, float(distance), loss))
    return pd.DataFrame(rows, columns=["lead", "exact", "floats", "distance", "loss"])


def exact_choices(scores: Sequence[int], epsilon: Fraction, n_draws: int, *, seed: int) -> pd.DataFrame:
    """Draws of the exponential mechanism for whole scores by exact coins, against the law.

    A candidate is proposed uniformly and accepted with a coin of probability ``exp(-epsilon gap / 2)``, its
    gap being what it lacks to the best score.

    Parameters
    ----------
    scores : sequence of int
        Numbers of correct labels.
    epsilon : Fraction
        Privacy parameter in nats, positive.
    n_draws : int
        Number of draws.
    seed : int
        Of all randomness.

    Returns
    -------
    DataFrame
        Columns ``score``, ``probability``, ``frequency``, ``deviations`` (their difference in standard
        deviations), ``rounds`` (mean number of proposals of a draw, in expectation) and ``proposals`` (as
        counted).

    Examples
    --------
    >>> exact_choices([3, 5], Fraction(1), 100, seed=0)["rounds"].round(4).tolist()
    [1.4621, 1.4621]
    """
    rng, k = np.random.default_rng(seed), len(scores)
    gaps = [epsilon * (max(scores) - score) / 2 for score in scores]
    counts, proposals = np.zeros(k, dtype=int), 0
    while counts.sum() < n_draws:
        j = int(rng.integers(k))
        proposals += 1
        counts[j] += bool(gaps[j] == 0 or exponential_coin(gaps[j]).flip(1, rng)[0])
    law = selection_mechanism(float(epsilon)).output_distribution(scores).pmf()
    sigma = np.sqrt(law * (1 - law) / n_draws)
    return pd.DataFrame(
        {
            "score": list(scores),
            "probability": law,
            "frequency": counts / n_draws,
            "deviations": (counts / n_draws - law) / sigma,
            "rounds": k / sum(exp(-float(gap)) for gap in gaps),
            "proposals": proposals / n_draws,
        }
    )


def inexact_candidates(
    distances: Sequence[float], epsilon: float, beta: float, n_candidates: int
) -> pd.DataFrame:
    """What candidates from inexact samplers cost after boosting: privacy, and confidence.

    Parameters
    ----------
    distances : sequence of float
        Bounds on the total variation distance of each candidate's law from the private one.
    epsilon : float
        Privacy parameter of learner and choice in nats.
    beta : float
        Failure probability with exact candidates.
    n_candidates : int
        Number of candidates.

    Returns
    -------
    DataFrame
        Columns ``distance``, ``privacy_delta`` (of the whole: that of one candidate) and ``failure``.

    Examples
    --------
    >>> inexact_candidates([0.001], 1.0, 0.05, 5).round(5).to_numpy().tolist()
    [[0.001, 0.00372, 0.055]]
    """
    stated = selection_mechanism(epsilon).guarantee
    rows = [
        (eta, early_stopping_guarantee(stated, eta).delta, min(1.0, beta + n_candidates * eta))
        for eta in distances
    ]
    return pd.DataFrame(rows, columns=["distance", "privacy_delta", "failure"])


def truncated_normalisers(radii: Sequence[float], epsilon: float, n_records: int) -> pd.DataFrame:
    """Integral of the unnormalised density of a constant score over [-B, B], which does not converge.

    Parameters
    ----------
    radii : sequence of float
        B.
    epsilon : float
        Privacy parameter in nats.
    n_records : int
        Number of records, without a feature: every hypothesis has the loss 1/2.

    Returns
    -------
    DataFrame
        Columns ``radius``, ``quadrature``, ``formula`` and ``over_radius`` (quadrature over B).

    Examples
    --------
    >>> truncated_normalisers([1.0, 10.0], 1.0, 4)["over_radius"].round(6).tolist()
    [0.735759, 0.735759]
    """
    rows = []
    for radius in radii:
        risk = PenalisedRisk([[0.0]] * n_records, [1.0] * n_records, RampLoss(), Box([-radius], [radius]))
        found = exp(ExponentialERM(risk, epsilon).quadrature(20).log_normaliser)
        formula = exp(log_truncated_normaliser(-epsilon * n_records / 4, radius))
        rows.append((radius, found, formula, found / radius))
    return pd.DataFrame(rows, columns=["radius", "quadrature", "formula", "over_radius"])


def prior_on_integers(places: Sequence[int], epsilon: float, beta: float) -> pd.DataFrame:
    """Thresholds at 1, 2, 3, ... with the prior ``1 / (h (h + 1))``: records needed to find the right one.

    Half of the records lie just below the threshold, at w - 1, and are labelled no, half lie at w and are
    labelled yes.  All thresholds but w err on half of the records.

    Parameters
    ----------
    places : sequence of int
        Where the right threshold w is, at least 2.
    epsilon : float
        Privacy parameter in nats.
    beta : float
        Probability with which another threshold may be drawn.

    Returns
    -------
    DataFrame
        Columns ``place``, ``prior`` (of the right threshold), ``records`` (the smallest even number with
        which the exact probability of another threshold is at most beta) and ``bound`` (the smallest number
        by the bound ``ln(1 / (prior beta)) 4 / epsilon``).

    Examples
    --------
    >>> prior_on_integers([2, 1000], 1.0, 0.1)["records"].tolist()
    [16, 66]
    """
    rows = []
    for place in places:
        prior = 1 / (place * (place + 1))

        def failure(n: int, prior: float = prior) -> float:
            others = (1 - prior) * exp(-epsilon * n / 4)
            return others / (others + prior)

        n = 2
        while failure(n) > beta:
            n += 2
        bound = 4 / epsilon * (log(1 / prior) + log(1 / beta))
        rows.append((place, prior, n, bound))
    return pd.DataFrame(rows, columns=["place", "prior", "records", "bound"])
