"""Learning for people who are not in the data: the theorems of the units by enumeration, and the checkers."""

from fractions import Fraction
from itertools import product
from math import ceil, log, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.composition import gaussian_loss
from privml.divergences import gaussian_mu
from tests.chapters.checkers import checkers, several

chapter = chapter_module("stochastic-convex-optimisation")


def huber(x):
    return x * x / 2 if abs(x) <= 1 else abs(x) - 0.5


def mean_risk(w, records):
    return float(np.mean([huber(w - z) for z in records]))


def points(records, n_steps, rate, noise=None):
    """Gradient descent on a line, by hand: w_0, ..., w_T; the noise is given."""
    found = [0.0]
    for t in range(n_steps):
        slope = np.mean([np.clip(found[-1] - z, -1, 1) for z in records])
        found.append(found[-1] - rate * (slope + (0.0 if noise is None else noise[t])))
    return found


def test_the_gradient_is_the_derivative_of_the_risk_and_at_most_one_long():
    rng = np.random.default_rng(0)
    z, w, step = 2 * rng.standard_normal((40, 3)), rng.standard_normal(3), 1e-6
    slopes = [
        (chapter.risk(w + step * e, z) - chapter.risk(w - step * e, z)) / (2 * step)
        for e in np.eye(3)
    ]
    assert chapter.gradients(w, z).mean(axis=0) == pytest.approx(
        np.array(slopes), abs=1e-8
    )
    assert np.linalg.norm(chapter.gradients(w, z), axis=1).max() <= 1 + 1e-12


def test_the_three_passengers_are_where_the_table_says():
    cleo = chapter.descend(np.array([[0.0], [1.0], [4.0]]), 4, 1.0)[:, 0]
    dora = chapter.descend(np.array([[0.0], [1.0], [-4.0]]), 4, 1.0)[:, 0]
    thirds = [1 - Fraction(1, 3**t) for t in range(5)]
    assert [Fraction(float(w)).limit_denominator(100) for w in cleo] == thirds
    assert np.all(dora == 0)
    assert np.all(abs(cleo - dora) <= 2 / 3 * np.arange(5) + 1e-15)


@pytest.mark.parametrize("rate", [0.3, 1.0, 2.0])
def test_steps_do_not_drive_apart_up_to_twice_the_inverse_of_the_smoothness(rate):
    rng = np.random.default_rng(1)
    z = 1.5 * rng.standard_normal((4, 2))
    for _ in range(300):
        v, w = 2 * rng.standard_normal((2, 2))
        stepped = [x - rate * chapter.gradients(x, z).mean(axis=0) for x in (v, w)]
        assert np.linalg.norm(stepped[0] - stepped[1]) <= np.linalg.norm(v - w) * (
            1 + 1e-12
        )


@pytest.mark.parametrize("rate", [0.1, 1.0, 2.0])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_an_exchanged_record_moves_gradient_descent_no_farther_than_proved(n, rate):
    rng = np.random.default_rng(n)
    for _ in range(60):
        z = rng.uniform(-6, 6, n)
        other = np.append(z[:-1], rng.uniform(-60, 60))
        noise = rng.standard_normal(8)
        moved = np.abs(
            np.subtract(points(z, 8, rate, noise), points(other, 8, rate, noise))
        )
        limit = 2 * rate * np.arange(9) / n
        assert np.all(moved <= limit + 1e-12)
    far = np.subtract(
        points([50.0] * n, 1, rate), points([50.0] * (n - 1) + [-50.0], 1, rate)
    )
    assert abs(far[1]) == pytest.approx(2 * rate / n)  # attained in the first step


POPULATIONS = [
    {0.0: 0.5, 4.0: 0.5},
    {-1.0: 0.9, 7.0: 0.1},
    {-0.5: 0.3, 0.5: 0.4, 3.0: 0.3},
]


def expected(law, n, n_steps, rate, sigma):
    """Exact means of the risk of the mean point, on new people and on the sample; the noise is +-sigma."""
    on_new = on_sample = 0.0
    signs = (
        list(product((-sigma, sigma), repeat=n_steps)) if sigma else [(0.0,) * n_steps]
    )
    for sample in product(law, repeat=n):
        chance = np.prod([law[z] for z in sample]) / len(signs)
        for noise in signs:
            w = np.mean(points(sample, n_steps, rate, noise)[:-1])
            on_new += chance * sum(p * huber(w - z) for z, p in law.items())
            on_sample += chance * mean_risk(w, sample)
    return on_new, on_sample


@pytest.mark.parametrize("law", POPULATIONS)
@pytest.mark.parametrize(
    ("n", "n_steps", "rate"), [(1, 3, 2.0), (2, 6, 1.0), (3, 4, 0.5)]
)
def test_gradient_descent_does_not_overfit_more_than_proved(law, n, n_steps, rate):
    on_new, on_sample = expected(law, n, n_steps, rate, 0.0)
    assert on_new - on_sample <= rate * (n_steps - 1) / n + 1e-12


@pytest.mark.parametrize(
    ("n_steps", "rate", "sigma"), [(1, 1.0, 0.5), (6, 0.7, 0.3), (8, 2.0, 2.0)]
)
def test_noisy_steps_go_downhill_as_fast_as_proved(n_steps, rate, sigma):
    for sample in ((0.0, 1.0, 4.0), (-3.0, -3.0), (9.0,)):
        signs = list(product((-sigma, sigma), repeat=n_steps))
        found = np.mean(
            [
                mean_risk(np.mean(points(sample, n_steps, rate, s)[:-1]), sample)
                for s in signs
            ]
        )
        for u in (-2.0, 0.0, 0.5, 1.0, 3.0):
            proved = u**2 / (2 * rate * n_steps) + rate / 2 * (1 + sigma**2)
            assert found - mean_risk(u, sample) <= proved + 1e-12


@pytest.mark.parametrize("law", POPULATIONS)
@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("mu", [0.5, 3.0])
def test_private_learning_by_gradient_descent_has_the_excess_that_is_proved(law, n, mu):
    for R in (0.2, 1.0, 4.0):
        B = sqrt(3 / n + 4 / (n * mu) ** 2)
        rate, sigma = R / (B * n), 2 * sqrt(n) / (n * mu)
        if rate > 2:
            continue
        on_new, _ = expected(law, n, n, rate, sigma)
        best = min(
            sum(p * huber(u - z) for z, p in law.items())
            for u in np.linspace(-R, R, 201)
        )
        assert on_new - best <= R * B
        assert chapter.bound(rate * n, mu, n, 1, 1.0, R) == pytest.approx(R * B)
        assert R * B <= R * (sqrt(3 / n) + 2 / (n * mu)) + 1e-12


def test_the_noise_of_all_steps_together_has_the_ratio_mu():
    n, steps, L, mu = 50, 17, 2.0, gaussian_mu(0.8, 1e-6)
    sigma = 2 * L * sqrt(steps) / (n * mu)
    one = 2 * L / n / sigma
    assert gaussian_loss(one, steps).epsilon_bounds(1e-6).upper == pytest.approx(
        0.8, rel=2e-3
    )
    assert mu >= 0.8 / sqrt(2 * log(1 / 2e-6) + 0.8)


def people_for(excess, d, mu):
    return ceil((3 + sqrt(9 + 16 * d * excess**2 / mu**2)) / (2 * excess**2) - 1e-9)


def worst(T):
    return 1e-6, float(
        chapter.waste(chapter.reading_weights(np.full(T, 1 / T), 1 - 1e-6))
    )


test_the_checkers = checkers(
    {
        "steps": [
            ([1 / 2, 5 / 8, 21 / 32], None),
            ([1 / 2, 3 / 4, 7 / 8], "after 2 steps"),
            ([1 / 2], "three numbers"),
        ],
        "people": [
            (people_for, None),
            (lambda e, d, mu: ceil(3 / e**2), "promise only"),
            (lambda e, d, mu: people_for(e, d, mu) + 1, "fewer than"),
            (lambda e, d, mu: 0.5, "a number of people"),
        ],
        "realised": [
            (several([1.0], [1.0, -1.0]), None),
            (several([1.0, 1.0], [1.0, 1.0, -1.0]), "moves by 0.667 only"),
            (several([1.0], [-1.0, 1.0]), "one more record"),
            (several([1.0], [1.0, -3.0]), "at most 1 long"),
            (several([], [1.0]), "empty batch"),
        ],
        "worst": [
            (worst, None),
            (lambda T: (0.5, worst(T)[1]), "the waste at this place"),
            (
                lambda T: (
                    0.5,
                    float(
                        chapter.waste(chapter.reading_weights(np.full(T, 1 / T), 0.5))
                    ),
                ),
                "can be reached",
            ),
            (lambda T: (1.0, 1.0), "not between 0 and 1"),
        ],
    },
    chapter,
)


@pytest.mark.parametrize("a", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("T", [1, 2, 7, 40])
def test_the_last_point_is_as_private_as_the_formulas_say(a, T):
    """The recursion itself, with the mean and the variance carried along, for a move of one record."""
    eta, sigma, move, n = 0.7, 1.3, 2.0, 5
    for k in [*range(1, T + 1), None]:  # None: each step reads all records
        mean = variance = 0.0
        for t in range(1, T + 1):
            shift = move / n if k is None else move * (t == k)
            mean = a * mean + eta * shift
            variance = a**2 * variance + eta**2 * sigma**2
        ratio = mean / sqrt(variance)
        if k is None:
            powers = (1 + a) / (1 - a) * (1 - a**T) / (1 + a**T)
            wasted = chapter.waste(
                chapter.reading_weights(chapter.averages(T)["last"], a)
            )
            assert ratio == pytest.approx(move / (n * sigma) * sqrt(powers))
            assert ratio == pytest.approx(move / (n * sigma) * sqrt(T / wasted))
        else:
            powers = a ** (T - k) * sqrt((1 - a**2) / (1 - a ** (2 * T)))
            assert ratio == pytest.approx(move / sigma * powers)
