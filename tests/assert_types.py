"""What a type checker sees of a release; ``python -m book.typed`` reads it, nothing runs it."""

from typing import Any, assert_type

from numpy.typing import NDArray

from privml.learnability import OptimalLearner
from privml.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    PermuteAndFlip,
)


def of_noise(laplace: LaplaceMechanism, gaussian: GaussianMechanism) -> None:
    assert_type(laplace.release(1.0), float)
    assert_type(gaussian.release(1.0, rng=0), float)
    assert_type(laplace.release([1.0, 2.0]), NDArray[Any])


def of_integers(
    laplace: DiscreteLaplaceMechanism, gaussian: DiscreteGaussianMechanism
) -> None:
    assert_type(laplace.release(1), int)
    assert_type(gaussian.release(1, rng=0), int)
    assert_type(gaussian.release([1, 2]), NDArray[Any])


def of_choices(
    one: ExponentialMechanism, other: PermuteAndFlip, learner: OptimalLearner
) -> None:
    assert_type(one.release([0.0, 1.0]), int)
    assert_type(other.release([0.0, 1.0]), int)
    assert_type(learner.release([0, 1]), int)
