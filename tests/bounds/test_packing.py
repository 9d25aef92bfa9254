"""The packing lower bound for thresholds: its formula, and that the exponential mechanism obeys it."""

import math

import pytest

from privml import pac
from privml.bounds.packing import thresholds_packing_sample_size
from privml.hypotheses import Thresholds
from privml.learners import exponential_law
from privml.populations import FinitePopulation

ALPHA, BETA = 0.2, 0.1


def test_it_grows_with_the_logarithm_of_the_class_and_never_falls_below_zero():
    sizes = [thresholds_packing_sample_size(2**k, 0.5, ALPHA, BETA) for k in (1, 11, 21, 2001)]
    assert sizes[2] - sizes[1] == pytest.approx(sizes[1] - sizes[0])
    assert sizes[0] == pytest.approx(math.log(1.6) / 0.4)
    assert sizes[3] == pytest.approx((2001 * math.log(2) + math.log(0.8)) / 0.4)
    assert thresholds_packing_sample_size(1, 0.5, ALPHA, BETA) == 0


@pytest.mark.source("L4-rem-price-of-privacy", "DR11-cor-pac-iff-private-pac")
@pytest.mark.parametrize("epsilon", [0.1, 0.4])
@pytest.mark.parametrize("n_cuts", [4, 8])
def test_below_it_some_population_of_the_packing_defeats_the_exponential_mechanism(epsilon, n_cuts):
    n_samples = math.ceil(thresholds_packing_sample_size(n_cuts, epsilon, ALPHA, BETA)) - 1
    assert n_samples > 0
    hypotheses, mass = Thresholds(range(1, n_cuts + 1)), ALPHA + 1e-9
    failures = []
    for cut in hypotheses.cuts:
        X, y = [cut - 1, cut, n_cuts + 1.0], [False, True, True]
        population = FinitePopulation(X, y, [mass, mass, 1 - 2 * mass])
        law = exponential_law(epsilon)
        failures.append(pac.failure_probability(law, hypotheses, population, n_samples, ALPHA))
    assert max(failures) > BETA


@pytest.mark.parametrize(
    "arguments", [(0, 1.0, 0.1, 0.1), (4, 0.0, 0.1, 0.1), (4, 1.0, 0.5, 0.1), (4, 1.0, 0.1, 0.6)]
)
def test_parameters_out_of_range_raise(arguments):
    with pytest.raises(ValueError, match="must be"):
        thresholds_packing_sample_size(*arguments)
