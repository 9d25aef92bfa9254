"""The laws on a lattice stay on their sides of the exact one, and a window pays for what leaves it."""

import math

import numpy as np
import pytest

from privml.composition import bracket, lattice
from privml.composition.steps import FiniteStep, GaussianStep, LaplaceStep
from privml.divergences import gaussian_delta

WIDE = 1e-9  # relative, of what the tests themselves compute


@pytest.mark.parametrize("size", [40, 100, 400])
@pytest.mark.parametrize("tilt", [0.3, 3.0])
def test_a_window_that_is_too_small_keeps_both_ends_true(size, tilt):
    """Sums that leave the window come back on the other side: each end must pay for them."""
    width, k, exact = 0.05, 20, gaussian_delta(1.0, 0.5 * math.sqrt(20))
    step = GaussianStep(0.5)
    for middle in (-4.0, 0.0, 1.0):
        form = bracket.Window(tilt, tilt + 1.0, 0.5, int(middle / width), size)
        low, high = lattice._laws(step.cells(width, 0.0, 1e-14), width)
        below = bracket._curve([(low, k)], width, form, 1.0, above=False)
        above = bracket._curve([(high, k)], width, form, 1.0, above=True)
        if above.x[0] <= 1.0:
            assert below.delta(1.0) <= exact <= above.delta(1.0)


STEPS = [
    GaussianStep(1.0, 0.05),
    GaussianStep(1.0, 0.05, swapped=True),
    GaussianStep(0.7, 0.3, "subset"),
    LaplaceStep(1.0, 0.2),
    LaplaceStep(1.0, 0.2, swapped=True),
    LaplaceStep(0.5, 0.3, "subset"),
    FiniteStep(np.log([2.0, 0.8, 0.5]), np.array([0.4, 0.4, 0.1]), (0.1, 0.1)),
]


def lattice_delta(law, width, epsilon):
    x = law.shift + width * (law.first + np.arange(law.mass.size))
    return law.infinite + float(law.mass @ np.maximum(0.0, -np.expm1(np.minimum(epsilon - x, 0.0))))


@pytest.mark.parametrize("step", STEPS, ids=str)
@pytest.mark.parametrize("width", [0.3, 0.07, 0.01])
def test_a_coarse_lattice_stays_outside_of_a_fine_one(step, width):
    """At every epsilon, also negative ones, where the other direction of the pair shows."""
    fine, shift = step.aligned(width / 64)
    below, above = lattice._laws(step.cells(fine, shift, 1e-13), fine)
    for w in (step.aligned(width)[0], 0.9 * width):
        low, high = lattice._laws(step.cells(w, step.aligned(w)[1], 1e-13), w)
        for epsilon in np.linspace(-1.2, 1.2, 41):
            assert lattice_delta(low, w, epsilon) <= lattice_delta(above, fine, epsilon) * (1 + WIDE)
            assert lattice_delta(high, w, epsilon) >= lattice_delta(below, fine, epsilon) * (1 - WIDE)


@pytest.mark.parametrize("step", STEPS[:6], ids=str)
def test_a_finer_lattice_closes_in_with_the_square_of_its_width(step):
    gaps = []
    for width in (0.004, 0.001):
        width, shift = step.aligned(width)
        low, high = lattice._laws(step.cells(width, shift, 1e-13), width)
        gaps.append(lattice_delta(high, width, 0.02) - lattice_delta(low, width, 0.02))
    assert 0 < gaps[1] <= gaps[0] / 8
