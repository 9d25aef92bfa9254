"""One step on a lattice, piece by piece, against the deltas of a law of which every outcome is known."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from privml.composition import bracket, lattice
from privml.composition.lattice import Cells

WIDTH, SHIFT = 0.25, 0.06
FIRST, COUNT = -6, 11  # cells from -1.44 to 1.31
EPSILONS = np.concatenate([[-40.0, -5.0], np.linspace(-3.2, 3.2, 65), [5.0, 40.0]])


class KnownLaw:
    """Losses in the cells, beyond them at both sides, atoms on and off the lattice, and infinite ones."""

    def __init__(self, seed=0, beyond=0.3):
        rng = np.random.default_rng(seed)
        left, right = SHIFT + WIDTH * FIRST, SHIFT + WIDTH * (FIRST + COUNT)
        self.inner = rng.uniform(left, right, 400)
        self.outer = np.concatenate(
            [left - rng.exponential(0.5, 30), right + rng.exponential(0.5, 30)]
        )
        on = SHIFT + WIDTH * np.array([-8.0, 0.0, 3.0, 9.0])
        self.atoms = np.concatenate([on, SHIFT + WIDTH * np.array([-2.7, 0.4, 5.95])])
        self.losses = np.concatenate([self.inner, self.outer, self.atoms])
        weights = [
            rng.dirichlet(np.ones(losses.size))
            for losses in (self.inner, self.outer, self.atoms)
        ]
        shares = (0.9 - beyond, beyond, 0.07)
        p = [share * part for share, part in zip(shares, weights, strict=True)]
        self.p = np.concatenate(p)
        self.infinite = 0.03, 0.02

    def cells(self, above_factor=1.0):
        q = self.p * np.exp(-self.losses)
        place = np.floor((self.inner - SHIFT) / WIDTH).astype(int) - FIRST
        n = self.inner.size
        masses = [np.bincount(place, m[:n], minlength=COUNT) for m in (self.p, q)]
        below, above = (slice(n, n + 30), slice(n + 30, n + 60))
        return Cells(
            FIRST,
            *masses,
            *np.zeros((2, COUNT)),
            (float(self.p[below].sum()), float(q[below].sum())),
            tuple(float(m[above].sum() * above_factor) for m in (self.p, q)),
            self.atoms,
            self.p[n + 60 :],
            self.infinite,
            SHIFT,
        )

    def delta(self, epsilon):
        rest = -np.expm1(np.minimum(epsilon - self.losses, 0.0))
        return self.infinite[0] + float(self.p @ rest)


def places(law):
    return law.shift + WIDTH * (law.first + np.arange(law.mass.size))


def lattice_delta(law, epsilon):
    rest = -np.expm1(np.minimum(epsilon - places(law), 0.0))
    return law.infinite + float(law.mass @ rest)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("beyond", [0.01, 0.3, 0.8])
def test_the_curve_of_a_law_lies_between_those_of_its_lattices(seed, beyond):
    law = KnownLaw(seed, beyond)
    low, high = lattice._bounding_distributions(law.cells(), WIDTH)
    for epsilon in EPSILONS:
        exact = law.delta(epsilon)
        assert lattice_delta(low, epsilon) <= exact * (1 + 1e-15)
        assert lattice_delta(high, epsilon) >= exact * (1 - 1e-15)


def test_from_above_all_masses_are_kept_but_those_below_the_cells():
    """What is below moves up to the first place; of what is above, the rest of P gets an infinite loss."""
    law = KnownLaw()
    cells = law.cells()
    _, high = lattice._bounding_distributions(cells, WIDTH)
    assert high.mass.sum() + high.infinite == pytest.approx(1.0, abs=1e-12)
    q = law.p * np.exp(-law.losses)
    moved = cells.below[0] * math.exp(-(SHIFT + WIDTH * FIRST))
    wanted = q.sum() - cells.below[1] + moved
    assert high.mass @ np.exp(-places(high)) == pytest.approx(wanted, rel=1e-11)
    end = SHIFT + WIDTH * (FIRST + COUNT)
    rest = cells.above[0] - math.exp(end) * cells.above[1]
    assert rest > 0.01
    assert high.infinite == pytest.approx(law.infinite[0] + rest, rel=1e-11)


def test_from_below_what_lies_above_the_cells_is_at_their_end():
    law = KnownLaw(beyond=0.8)
    cells = law.cells()
    low, _ = lattice._bounding_distributions(cells, WIDTH)
    assert low.infinite == pytest.approx(law.infinite[0], rel=1e-12)
    end = FIRST + COUNT - low.first
    floor = math.exp(SHIFT + WIDTH * (FIRST + COUNT)) * cells.above[1]
    assert low.mass[end] >= floor * (1 - 1e-11)
    assert low.mass.sum() <= 1 - law.infinite[0]


@pytest.mark.parametrize("factor", [1 - 2.0**-41, 1 + 2.0**-41])
def test_masses_beyond_the_cells_may_be_off_by_their_rounding(factor):
    """Far out, where the lattice adds nothing to hide behind."""
    law = KnownLaw(beyond=0.8)
    low, high = lattice._bounding_distributions(law.cells(factor), WIDTH)
    total = law.p.sum() + law.infinite[0]
    assert lattice_delta(high, -40.0) >= total
    assert high.infinite >= law.infinite[0] + sum(
        sign * mass
        for sign, mass in zip(
            (1, -math.exp(SHIFT + WIDTH * (FIRST + COUNT))),
            law.cells().above,
            strict=True,
        )
    )
    for epsilon in EPSILONS:
        assert lattice_delta(low, epsilon) <= law.delta(epsilon)
        assert lattice_delta(high, epsilon) >= law.delta(epsilon)


def test_atoms_stay_on_the_lattice_or_move_to_both_of_their_neighbours():
    place, distance = lattice._placed(np.array([-0.5, 0.25, 0.3, -0.1]), 0.25)
    assert place.tolist() == [-2, 1, 1, -1]
    assert distance == pytest.approx([0.0, 0.0, 0.05, 0.15])
    near = 0.25 * (1 + 2.0**-48)
    assert [float(found[0]) for found in lattice._placed(np.array([near]), 0.25)] == [
        1,
        0,
    ]


@pytest.mark.parametrize("beyond", [0.01, 0.8])
def test_errors_of_the_cells_are_paid_for(beyond):
    """Masses that may be off by a share: any law within it lies between the ends."""
    law = KnownLaw(1, beyond)
    cells = law.cells()
    errors = {"p_error": 1e-4 * cells.p, "q_error": 1e-4 * cells.q}
    low, high = lattice._bounding_distributions(cells._replace(**errors), WIDTH)
    n = law.inner.size
    for factor in (1 - 1e-4, 1 + 1e-4):
        other = KnownLaw(1, beyond)
        other.p = law.p.copy()
        other.p[:n] *= factor
        for epsilon in EPSILONS:
            assert lattice_delta(low, epsilon) <= other.delta(epsilon)
            assert lattice_delta(high, epsilon) >= other.delta(epsilon)


def test_both_directions_are_each_the_other_swapped():
    law = KnownLaw()
    cells = law.cells()
    swapped = cells.swapped()
    assert (swapped.first, swapped.shift) == (-FIRST - COUNT, -SHIFT)
    assert swapped.p.tolist() == cells.q[::-1].tolist()
    assert (swapped.above, swapped.below) == (cells.below[::-1], cells.above[::-1])
    assert swapped.infinite == cells.infinite[::-1]
    atoms = dict(zip(cells.losses.tolist(), cells.atoms.tolist(), strict=True))
    for loss, mass in zip(swapped.losses, swapped.atoms, strict=True):
        assert mass == pytest.approx(atoms[-loss] * math.exp(loss), rel=1e-14)
    back = swapped.swapped()
    for one, other in zip(back, cells, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-14)


NONE = np.empty(0)


def one_cell(p, q, *, above=(0.0, 0.0), p_error=0.0, q_error=0.0):
    """A cell of losses from 0 to a width, and what lies above it."""
    cell = (np.array([value]) for value in (p, q, p_error, q_error))
    return lattice._bounding_distributions(Cells(0, *cell, above=above), WIDTH)


def atom(loss, mass=0.5):
    cells = Cells(0, NONE, NONE, NONE, NONE, losses=np.array([loss]))
    return lattice._bounding_distributions(
        cells._replace(atoms=np.array([mass])), WIDTH
    )


def test_masses_of_atoms_may_be_off_by_their_rounding():
    low, high = atom(2 * WIDTH)
    share = 2.0**-44
    assert (low.first + np.arange(low.mass.size))[low.mass > 0].tolist() == [2]
    assert 0.5 * (1 - 2.0**-40) <= low.mass.sum() <= 0.5 * (1 - share)
    assert 0.5 * (1 + share) <= high.mass.sum() <= 0.5 * (1 + 2.0**-40)


def test_an_atom_off_the_lattice_loses_mass_from_below_and_splits_from_above():
    """From below it goes left, with as much of P as the ratio of the place allows."""
    distance = 0.3 * WIDTH
    low, high = atom(distance)
    kept = 0.5 * math.exp(-distance)
    assert kept * (1 - 2.0**-40) <= low.mass.sum() <= kept * (1 - 2.0**-44)
    assert low.mass[1:].max() < 1e-15
    assert high.mass.sum() == pytest.approx(0.5, rel=1e-12)
    assert high.mass @ np.exp(-places(high)) == pytest.approx(kept, rel=1e-12)
    assert high.mass[0] > high.mass[1] > 0.1


@pytest.mark.parametrize("share", [-(2.0**-48), 2.0**-48])
def test_the_offset_covers_what_an_atom_is_moved(share):
    moved = 3 * WIDTH * share
    low, high = atom(3 * WIDTH + moved)
    assert np.flatnonzero(low.mass > 0).tolist() == [3 - low.first]
    for law in low, high:
        assert abs(moved) <= law.offset <= 100 * abs(moved)
    assert one_cell(0.5, 0.4)[0].offset == 0.0


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize("loss", [0.0, WIDTH])
@pytest.mark.parametrize("which", ["p", "q"])
def test_errors_show_where_all_losses_of_a_cell_stand_at_one_end(which, loss, change):
    """There the lattice gives nothing away, so that only errors keep the ends apart."""
    share = 1e-6
    p, q = 0.5, 0.5 * math.exp(-loss)
    errors = {f"{which}_error": share * (p if which == "p" else q)}
    stated = {"p": p, "q": q}
    stated[which] *= 1 + change * share * (1 - 1e-9)
    low, high = one_cell(stated["p"], stated["q"], **errors)
    for epsilon in (-9.0, loss - 0.1, loss - 0.01):
        exact = p - math.exp(epsilon) * q
        assert lattice_delta(low, epsilon) <= exact * (1 + 1e-12)
        assert lattice_delta(high, epsilon) >= exact * (1 - 1e-12)
        assert lattice_delta(high, epsilon) <= exact * (1 + 1e-3)


def test_what_lies_above_lends_to_a_cell_only_what_it_has():
    """So much above that nearly all of a cell goes right: P is lowered to the ratio, no place gets more."""
    p, q = 0.6, 0.59
    low, _ = one_cell(p, q, above=(0.4, 0.001))
    most = math.exp(WIDTH) * (q + 0.001)
    assert 0.98 * most < low.mass[1] < most
    assert low.mass.sum() <= 1.0
    assert low.mass @ np.exp(-places(low)) == pytest.approx(q + 0.001, rel=1e-9)


def test_what_lies_just_above_the_cells_stays_at_their_end():
    above = 0.3 * (1 + 1e-6), 0.3 * math.exp(-WIDTH)
    low, _ = one_cell(0.5, 0.45, above=above)
    assert lattice_delta(low, -40.0) <= 0.5 + above[0]
    only, _ = one_cell(1e-280, 1e-280, above=above)
    assert only.mass.sum() == pytest.approx(0.3, rel=1e-11)


@pytest.mark.parametrize("change", [-(2.0**-41), 2.0**-41])
def test_masses_above_may_be_off_by_their_rounding(change):
    """Of a cell at its left end, of which as much goes right as what lies above can pay for."""
    p, above, q_above = 0.8, 0.1, 0.001
    stated = above * (1 + change), q_above * (1 + change)
    low, high = one_cell(p, p, above=stated)
    assert 0.01 < low.mass[0] < 0.5
    assert p + above - 1e-9 < low.mass.sum() <= p + above
    assert high.mass.sum() + high.infinite >= p + above
    low, _ = one_cell(1e-280, 1e-280, above=(0.5, 0.2 * (1 + change)))
    assert low.mass.sum() <= math.exp(WIDTH) * 0.2


@pytest.mark.parametrize("seed", range(3))
def test_neighbouring_cells_lend_to_each_other(seed):
    """Laws whose losses fill their cells lose little, far less than a move to the left end would cost."""
    x = np.linspace(-1.5, 1.5, 13)  # ends of cells
    rng = np.random.default_rng(seed)
    rises = rng.uniform(0.5, 1.5, x.size - 1)
    p = rises / rises.sum()
    q = p * np.exp(-(x[:-1] + x[1:]) / 2)
    none = np.zeros(p.size)
    low, high = lattice._bounding_distributions(Cells(-6, p, q, none, none), WIDTH)
    for epsilon in (-1.0, -0.3, 0.0, 0.4):
        middle = float(np.maximum(p - math.exp(epsilon) * q, 0.0).sum())
        left = float(np.maximum(q * np.exp(x[:-1]) - math.exp(epsilon) * q, 0.0).sum())
        found = lattice_delta(low, epsilon)
        assert left < found <= middle <= lattice_delta(high, epsilon)
        assert middle - found < 0.3 * (middle - left)


@pytest.mark.parametrize("epsilon", [1e-5, 1e-4])
def test_a_deficit_is_paid_as_if_q_were_as_large_as_it_may_be(epsilon):
    """All of a cell at loss 0, but with a smaller Q-mass stated: what is above pays for the larger one."""
    p, q_error, above = 0.6, 6e-4, (0.05, 0.001)
    low, _ = one_cell(p, p - q_error, above=above, q_error=q_error)
    assert 0.01 < low.mass[1] < 0.3
    assert lattice_delta(low, epsilon) <= above[0] - math.exp(epsilon) * above[1]


@pytest.mark.parametrize("payer", ["the same cell", "its neighbour"])
def test_a_cell_pays_as_if_p_were_as_small_as_it_may_be(payer):
    p, error, epsilon = np.array([0.6, 0.1]), 1e-3, 1e-6
    q = np.array([0.6, 0.1 * math.exp(-1.7 * WIDTH)])
    which = payer == "its neighbour"
    stated, p_error = p.copy(), np.zeros(2)
    stated[int(which)] += error  # the true one is smaller
    p_error[int(which)] = error
    cells = Cells(0, stated, q, p_error, np.zeros(2))
    low, _ = lattice._bounding_distributions(cells, WIDTH)
    assert 0.01 < low.mass[1] < 0.5
    exact = p[1] - math.exp(epsilon) * q[1]  # the first cell has loss 0
    assert lattice_delta(low, epsilon) <= exact


def test_rounding_of_exponentials_and_differences_is_paid_for():
    """Against fifty digits: cells far out, and narrow ones, whose differences lose many digits."""
    rng = np.random.default_rng(0)
    with localcontext() as context:
        context.prec = 50
        for first in (-120, 2, 30, 100):
            x = WIDTH * first
            q = float(rng.uniform(0.1, 1.0)) * math.exp(-max(x, 0.0))
            p = q * math.exp(x)
            cell = (np.array([value]) for value in (p, q, 8 * lattice.UNIT * p, 0.0))
            low, _ = lattice._bounding_distributions(Cells(first, *cell), WIDTH)
            assert Decimal(float(low.mass[0])) <= Decimal(q) * Decimal(x).exp()
        width = 2.0**-14
        grow = Decimal(width).exp()
        for share in rng.uniform(0.0, 1.0, 50).tolist():
            p = float(rng.uniform(0.1, 1.0))
            q = p * math.exp(-share * width)
            cell = (np.array([value]) for value in (p, q, 0.0, 0.0))
            _, high = lattice._bounding_distributions(Cells(0, *cell), width)
            left = (grow * Decimal(q) - Decimal(p)) / (grow - 1)
            right = (Decimal(p) - Decimal(q)) / (1 - 1 / grow)
            for mass, exact in zip(high.mass.tolist(), (left, right), strict=True):
                assert exact <= Decimal(mass) <= exact + Decimal(1e-9)


def test_two_losses_added_are_never_too_small():
    """Each mass against exact sums of exact products; accidents of both count."""
    rng = np.random.default_rng(4)
    one, other = (
        lattice.LatticeDistribution(
            first, rng.dirichlet(np.ones(n)), chance, shift, off
        )
        for first, n, chance, shift, off in (
            (-3, 30, 0.2, 0.5, 1e-9),
            (5, 12, 0.1, -0.125, 3e-9),
        )
    )
    found = bracket._added(one, other)
    assert (found.first, found.shift, found.mass.size) == (2, 0.375, 41)
    assert one.offset + other.offset <= found.offset <= 1.001 * 4e-9
    assert 1 - 0.8 * 0.9 <= found.infinite <= 0.3 * (1 + 1e-12)
    for place, mass in enumerate(found.mass.tolist()):
        exact = sum(
            Fraction(float(one.mass[i])) * Fraction(float(other.mass[place - i]))
            for i in range(max(0, place - 11), min(place, 29) + 1)
        )
        assert exact <= Fraction(mass) <= exact * (1 + Fraction(1, 10**13))


@pytest.mark.parametrize("above", [True, False])
def test_what_rounding_has_moved_moves_the_curve_to_its_safe_side(above):
    law = lattice.LatticeDistribution(-4, np.full(9, 1 / 9), 0.0, 0.25, 0.01)
    form = bracket.Window(1.0, 2.0, 0.5, -40, 128)
    curve = bracket._curve([(law, 3)], 0.5, form, 0.0, above=above)
    assert curve.offset == pytest.approx(3 * (0.26 if above else 0.24), rel=1e-12)
