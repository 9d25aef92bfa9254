"""Tables of the chapter on what voting learns: votes that fail and win, centres, margins, classes of votes.

Laws of teachers are exact sums over all samples where the population is tiny, and drawn else; laws of votes
and of halting runs are exact.
"""

from privml.experiments.when_voting_wins.centres import centre_distances, teacher_map
from privml.experiments.when_voting_wins.examples import (
    inconsistency,
    majority_errors,
    majority_tails,
    students_by_class,
    vote_dimensions,
    voting_table,
)
from privml.experiments.when_voting_wins.margins import (
    finishing_by_teachers,
    margin_profiles,
    markov_steps,
    private_students,
)

__all__ = [
    "centre_distances",
    "finishing_by_teachers",
    "inconsistency",
    "majority_errors",
    "majority_tails",
    "margin_profiles",
    "markov_steps",
    "private_students",
    "students_by_class",
    "teacher_map",
    "vote_dimensions",
    "voting_table",
]
