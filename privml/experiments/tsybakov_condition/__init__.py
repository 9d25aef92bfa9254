"""Tables of the chapter on the Tsybakov condition: margins, fast rates, teachers near h*, and the student."""

from privml.experiments.tsybakov_condition.noise import (
    agnostic_constants,
    bernstein_constants,
    margin_tails,
)
from privml.experiments.tsybakov_condition.promises import bounds_by_records, published_rates
from privml.experiments.tsybakov_condition.rates import pair_rates, slopes, threshold_rates
from privml.experiments.tsybakov_condition.students import noisy_students, tuned_students
from privml.experiments.tsybakov_condition.teachers import (
    far_teachers,
    printed_teachers,
    third_of_votes,
    unseen_points,
)

__all__ = [
    "agnostic_constants",
    "bernstein_constants",
    "bounds_by_records",
    "far_teachers",
    "margin_tails",
    "noisy_students",
    "pair_rates",
    "printed_teachers",
    "published_rates",
    "slopes",
    "third_of_votes",
    "threshold_rates",
    "tuned_students",
    "unseen_points",
]
