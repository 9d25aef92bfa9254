"""Generalisation for free: what privacy promises about queries and hypotheses on fresh records.

* :mod:`~privml.learnability.generalisation.expectation`: in the mean, with the sharp constant.
* :mod:`~privml.learnability.generalisation.tails`: with high probability, for pure privacy.
* :mod:`~privml.learnability.generalisation.monitor`: with high probability, for any privacy.
* :mod:`~privml.learnability.generalisation.exact` and
  :mod:`~privml.learnability.generalisation.monitored`: the same quantities of given learners, exactly.
* :mod:`~privml.learnability.generalisation.mean_square`: in mean square, for concentrated privacy.
* :mod:`~privml.learnability.generalisation.memoriser`: the learner that shows that no more is true.
* :mod:`~privml.learnability.generalisation.adaptive`: the game of adaptive queries.
* :mod:`~privml.learnability.generalisation.power_loss`: the example that ends WLF16.
"""

from privml.learnability.generalisation.adaptive import laplace_bias, laplace_noise, majority_errors
from privml.learnability.generalisation.exact import (
    Remembered,
    exact_generalisation_tail,
    remembered_risks,
)
from privml.learnability.generalisation.expectation import (
    expected_gap_from_concentration,
    expected_gap_from_privacy,
    laplace_answer_epsilon,
    posterior_mean,
    privacy_for_expected_gap,
)
from privml.learnability.generalisation.mean_square import (
    GaussianAnswers,
    gaussian_answers,
    mean_square_gap,
    queries_until_noise_pays,
    split_answers_error,
    variance_inflation,
)
from privml.learnability.generalisation.memoriser import memoriser, memoriser_gap, memoriser_tail
from privml.learnability.generalisation.monitor import (
    MonitorTerms,
    monitor_sample_size,
    monitor_tail,
    monitor_terms,
)
from privml.learnability.generalisation.monitored import MonitoredGap, monitor_privacy, monitored_gap
from privml.learnability.generalisation.power_loss import (
    high_probability_floor,
    laplace_power_excess,
    power_loss_centre,
    power_loss_sensitivity,
)
from privml.learnability.generalisation.tails import (
    generalisation_deviation,
    generalisation_deviation_wlf16,
    generalisation_epsilon,
    generalisation_sample_size,
    generalisation_sample_size_wlf16,
    generalisation_tail,
)

__all__ = [
    "GaussianAnswers",
    "MonitorTerms",
    "MonitoredGap",
    "Remembered",
    "exact_generalisation_tail",
    "expected_gap_from_concentration",
    "expected_gap_from_privacy",
    "gaussian_answers",
    "generalisation_deviation",
    "generalisation_deviation_wlf16",
    "generalisation_epsilon",
    "generalisation_sample_size",
    "generalisation_sample_size_wlf16",
    "generalisation_tail",
    "high_probability_floor",
    "laplace_answer_epsilon",
    "laplace_bias",
    "laplace_noise",
    "laplace_power_excess",
    "majority_errors",
    "mean_square_gap",
    "memoriser",
    "memoriser_gap",
    "memoriser_tail",
    "monitor_privacy",
    "monitor_sample_size",
    "monitor_tail",
    "monitor_terms",
    "monitored_gap",
    "posterior_mean",
    "power_loss_centre",
    "power_loss_sensitivity",
    "privacy_for_expected_gap",
    "queries_until_noise_pays",
    "remembered_risks",
    "split_answers_error",
    "variance_inflation",
]
