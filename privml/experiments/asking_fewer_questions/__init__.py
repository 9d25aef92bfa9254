"""Tables of the chapter on active students: version spaces, label counts, noisy votes, overlap with SVT."""

from privml.experiments.asking_fewer_questions.geometry import coefficient_curves
from privml.experiments.asking_fewer_questions.line import label_counts, shrinking_interval
from privml.experiments.asking_fewer_questions.overlap import (
    World,
    combined,
    overlap,
    overlap_by_round,
    world,
)
from privml.experiments.asking_fewer_questions.students import line_students, slopes
from privml.experiments.asking_fewer_questions.votes import audited, realizable_parameters, vote_errors

__all__ = [
    "World",
    "audited",
    "coefficient_curves",
    "combined",
    "label_counts",
    "line_students",
    "overlap",
    "overlap_by_round",
    "realizable_parameters",
    "shrinking_interval",
    "slopes",
    "vote_errors",
    "world",
]
