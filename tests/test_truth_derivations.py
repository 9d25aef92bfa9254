"""The truth bench: derivations of its intervals by other routes."""

from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace, norm

from benchmarks.truth import choices, derivations, integers, lattice
from benchmarks.truth import intervals as I
from benchmarks.truth.claims import size
from benchmarks.truth.entries import noise, pure
from tests.test_truth import ENTRIES, named

IV = I.IV


@pytest.fixture(autouse=True)
def precise():
    """Enough bits for what is compared with floats."""
    IV.prec = I.START


def delta(curve, epsilon):
    """The middle of a narrow interval, as a float."""
    low, high = I.floats(curve(I.exact(epsilon)))
    assert low <= high <= low * (1 + 1e-12) + 1e-30
    return high


@pytest.mark.parametrize("x", [-9.0, -1.5, 0.0, 0.3, 4.0, 12.0, 30.0])
def test_the_normal_tail_is_that_of_floats(x):
    low, high = I.floats(I.normal_tail(I.exact(x)))
    assert low <= norm.sf(x) * (1 + 1e-12)
    assert high == pytest.approx(
        norm.sf(x), rel=1e-12, abs=1e-33
    )  # far out, the interval reaches from 0
    assert (
        I.floats(I.normal_tail(I.hull(I.exact(x), I.exact(x + 0.1))))[0]
        <= norm.sf(x + 0.09)
        <= high
    )


def test_an_interval_that_is_not_known_well_is_refused():
    with pytest.raises(I.TooWide):
        I.narrowed(lambda: IV.mpf([1, 2]))


def test_randomised_response_by_going_through_all_answers_in_fractions():
    """Where e^epsilon is a rational number; here 3, of which the float ln 3 is a little off."""
    truth, k, epsilon = Fraction(3, 4), 6, 1.25
    exactly = 0.0
    for answers in product((True, False), repeat=k):
        p = np.prod([truth if a else 1 - truth for a in answers])
        q = np.prod([1 - truth if a else truth for a in answers])
        exactly += max(0.0, float(p) - exp(epsilon) * float(q))
    [curve] = derivations.finite([pure(log(3), k)])
    assert delta(curve, epsilon) == pytest.approx(exactly, rel=1e-12)


def test_laplace_twice_by_quadrature():
    [curve] = derivations.laplace([noise("laplace", 2.0, 2)])

    def loss(x):
        return (abs(x) - abs(x - 1)) / 2

    def inner(x):
        rest = 0.6 - loss(x)  # what the other release must exceed
        return 1 - exp(rest) if rest < -0.5 else max(0.0, 1 - exp((rest - 0.5) / 2))

    knots = [0.0, 0.35, 1.0]
    by_floats, _ = quad(
        lambda x: laplace.pdf(x, 1, 2) * inner(x), -60, 60, points=knots, limit=400
    )
    assert delta(curve, 0.6) == pytest.approx(by_floats, rel=1e-7)


def test_noise_beside_a_finite_step_is_that_of_noise_alone_where_the_step_says_nothing():
    [alone] = derivations.gaussian([noise("gaussian", 2.0, 3)])
    [beside] = derivations.mixed([noise("gaussian", 2.0, 3), pure(1e-12, 1)])
    assert delta(beside, 1.0) == pytest.approx(delta(alone, 1.0), rel=1e-9)


def test_the_discrete_gaussian_by_a_sum_in_floats():
    step = named("discrete gaussian (sigma 2.0")["steps"][0]
    [curve] = integers.discrete_gaussian([step | {"times": 2}])
    law = np.exp(-(np.arange(-80, 81) ** 2) / 8)
    both = np.convolve(law / law.sum(), law / law.sum())
    assert delta(curve, 0.7) == pytest.approx(
        np.maximum(both[2:] - exp(0.7) * both[:-2], 0).sum(), rel=1e-9
    )


@pytest.mark.parametrize(
    ("epsilon", "k", "total"), [(0.5, 1, 0.2), (1.0, 3, 0.9), (2.0, 6, 4.0)]
)
def test_what_exponential_mechanisms_attain_is_what_the_theorem_allows(
    epsilon, k, total
):
    """Every pair on a grid is below; the best of the grid is close; and the two losses are epsilon apart."""
    allowed = I.floats(choices.range_sums(epsilon, k, I.exact(total)))[1]
    attained = []
    for share in (Fraction(i, 200) for i in range(1, 200)):
        pair = choices.skewed(epsilon, share)
        assert sum(float(p.mid) for p, _ in pair) == pytest.approx(1)
        large, small = (log(float((p / q).mid)) for p, q in pair)
        assert large - small == pytest.approx(epsilon)
        attained.append(
            I.floats(I.excess(derivations.repeated(pair, k), I.exact(total)))[0]
        )
    assert allowed * (1 - 1e-3) < max(attained) <= allowed * (1 + 1e-12)


def test_permute_and_flip_on_two_options_is_enumerated_by_its_own_steps():
    """A random order; an option is taken with chance e^(epsilon (score - best) / 2), else the next."""
    epsilon = 1.0

    def second(gap):  # chance of the option that is behind, or of the best one
        behind = exp(-epsilon * abs(gap) / 2) / 2
        return behind if gap >= 0 else 1 - behind

    for (_, pair), share in zip(
        choices.flips(pure(epsilon)), choices.GAPS, strict=True
    ):
        gap = 2 * float(share)
        assert [float(x.mid) for x in pair] == pytest.approx(
            [second(gap), second(gap + 2)]
        )


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_the_lattice_holds_the_closed_form_of_one_sampled_release(kind):
    step = noise(kind, 1.0, 1, sampling_rate=0.1)
    exactly = derivations.sampled_step([step])
    for curve, whole in zip(
        lattice.sampled_noise([step], 0.01, 2.0), exactly, strict=True
    ):
        for epsilon in (0.02, 0.07):
            low, high = I.floats(curve(I.exact(epsilon)))
            value = I.floats(whole(I.exact(epsilon)))
            assert low <= value[0] <= value[1] <= high
            assert high - low < 0.1 * high + 1e-4


def test_the_lattice_and_privml_agree_on_many_releases():
    """Two routes with proved ends that know nothing of each other: the intervals meet."""
    from privml.composition import gaussian_loss, laplace_loss

    for entry in (entry for entry in ENTRIES if entry["derivation"] == "sampled_noise"):
        [step] = entry["steps"]
        made = gaussian_loss if step["mechanism"] == "gaussian" else laplace_loss
        loss = made(size(step), step["times"], sampling_rate=step["sampling_rate"])
        target, low, high = entry["epsilon_at"][1]
        ours = loss.epsilon_bounds(target)
        assert max(low, ours.lower) <= min(high, ours.upper), entry["name"]
        assert high <= 1.25 * low, entry["name"]
