"""Draws: their laws against quadrature, how they are accepted, refusals, and what stopping early costs."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from privml.divergences import hockey_stick
from privml.guarantee import Guarantee
from privml.learners.penalised_erm import (
    Ball,
    Box,
    ExponentialERM,
    Finite,
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    ProximalChain,
    RampLoss,
    SquaredLoss,
    WholeSpace,
    early_stopping_guarantee,
    mixing_steps,
    proximal_draw,
    ridge_draw,
)
from tests.refusals import refused

KOLMOGOROV = 1.95  # two-sided level 1e-3


def law_of(loss, domain, *, n=200, epsilon=4.0, penalty=0.1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, domain.dimension))
    y = np.sign(X @ np.arange(1.0, domain.dimension + 1) + 0.3 * rng.normal(size=n))
    return ExponentialERM(PenalisedRisk(X, y, loss, domain, penalty=penalty), epsilon)


def distance_to_quadrature(law, draws, direction):
    """Kolmogorov-Smirnov distance of draws from the law, times the root of their number."""
    exact, points = law.quadrature(400), np.sort(draws @ direction)
    cdf, steps = exact.cdf(direction, points), np.arange(points.size + 1) / points.size
    return max((cdf - steps[:-1]).max(), (steps[1:] - cdf).max()) * math.sqrt(
        points.size
    )


BODIES = [
    (LogisticLoss(), Ball(1, 2.0)),
    (LogisticLoss(), Ball(2, 0.5)),
    (HingeLoss(), Ball(2, 2.0)),
    (SquaredLoss(), Box([-1.0, -1.0], [0.5, 1.0])),
]


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.parametrize(("loss", "domain"), BODIES, ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("inverse_step", [0.0, 4.0])
def test_draws_have_the_law_that_quadrature_gives(loss, domain, inverse_step):
    """Exact ones, and those of a chain every 6 steps; of independent draws 1 in 1000 is beyond the limit."""
    law = law_of(loss, domain, n=60, penalty=1.0)
    chain = ProximalChain(law, np.random.default_rng(1), inverse_step)
    steps = 1 if inverse_step == 0 else 6
    draws = np.array([chain.advance() for _ in range(1500 * steps)])[steps - 1 :: steps]
    assert domain.contains(draws).all()
    for direction in np.eye(domain.dimension):
        assert distance_to_quadrature(law, draws, direction) < KOLMOGOROV


def test_noise_is_turned_and_keeps_its_variance():
    """With a step far below 1 / kappa: above it the turn is so small that no law shows a wrong one."""
    law = law_of(LogisticLoss(), Ball(20, 4.0), n=30, penalty=0.1)
    kappa = law.scale * 30 * 0.1
    chain = ProximalChain(law, np.random.default_rng(0), 20 * kappa)
    turn, residuals, offsets = 1 / (1 + 2 / 20), [], []
    chain.advance(fresh=True)
    for _ in range(500):
        before, state = chain.noisy - chain.state, chain.state
        chain.advance()
        offsets.append(chain.noisy - state)
        residuals.append(offsets[-1] + turn * before)
    spread = 1 / chain.inverse_step
    for found, variance in ((residuals, (1 - turn**2) * spread), (offsets, spread)):
        sizes = np.square(found).sum(axis=1) / 20
        size = (
            len(sizes)
            if found is residuals
            else len(sizes) * (1 - turn**2) / (1 + turn**2)
        )
        assert abs(sizes.mean() / variance - 1) < 4.5 * math.sqrt(2 / (20 * size))
    assert abs(
        np.mean(np.multiply(residuals[1:], offsets[:-1]))
    ) < 4.5 / chain.inverse_step / math.sqrt(9980)


def test_in_ten_dimensions_a_stopped_chain_has_the_moments_of_the_gaussian():
    law = law_of(SquaredLoss(), Ball(10, 9.0), n=300, epsilon=32.0, penalty=0.5)
    gram = law.risk.X.T @ law.risk.X
    precision = law.scale * (2 * gram + 300 * 0.5 * np.eye(10))
    mean = np.linalg.solve(precision, 2 * law.scale * law.risk.X.T @ law.risk.y)
    chain = ProximalChain(law, np.random.default_rng(0), 10.0)
    draws = np.array([chain.advance() for _ in range(6000)])[5::5]
    deviations = np.sqrt(np.diag(np.linalg.inv(precision)))
    assert (
        abs(draws.mean(axis=0) - mean) < 4.5 * deviations * math.sqrt(3 / len(draws))
    ).all()
    assert (
        abs(draws.var(axis=0) / deviations**2 - 1) < 4.5 * math.sqrt(6 / len(draws))
    ).all()


@pytest.mark.parametrize(
    "loss", [LogisticLoss(), HingeLoss(), SquaredLoss()], ids=lambda x: type(x).__name__
)
def test_a_point_is_accepted_as_often_as_the_excess_of_the_losses_over_their_tangents_says(
    loss,
):
    law = law_of(loss, Ball(3, 2.0), n=5000, epsilon=0.5)
    chain = ProximalChain(law, np.random.default_rng(0))
    X, y, centre = law.risk.X, law.risk.y, chain.centre
    slopes = (
        loss.value(X @ centre + 1e-6, y) - loss.value(X @ centre - 1e-6, y)
    ) / 2e-6

    def excess(h):
        tangent = loss.value(X @ centre, y) + slopes * (X @ (h - centre))
        return law.scale * (loss.value(X @ h, y) - tangent).sum()

    ways = np.array([[0.1, 0.1, -0.1], [0.9, 0.5, 0.4], [-0.4, 1.0, 0.3]])
    for wanted, way in zip((0.2, 0.5, 0.9), ways, strict=True):
        step = brentq(
            lambda t, w=way, p=wanted: excess(centre + t * w) + math.log(p), 0, 20
        )
        share = len(chain._accepted(np.tile(centre + step * way, (4000, 1)))) / 4000
        assert abs(share - wanted) < 4.5 * math.sqrt(wanted * (1 - wanted) / 4000)


@pytest.mark.parametrize(
    "body", [Ball(1, 2.0), Ball(30, 2.0), Box([-1.0, 0.0], [1.0, 3.0])]
)
def test_gaussians_far_outside_are_cut_off_at_the_nearest_place(body):
    mean = np.full(body.dimension, 40.0)
    draws = body._gaussians(mean, 100.0, 20, np.random.default_rng(0))
    assert body.contains(draws).all()
    np.testing.assert_allclose(
        draws, np.tile(body._nearest(mean), (len(draws), 1)), atol=0.05
    )


def on_a_line(kappa, inverse_step, slope, radius, n_points=81):
    """States, noisy states, their joint steps and the target of the chain for a tilted Gaussian, cut off."""
    x = (np.arange(n_points) + 0.5) / n_points * 2 * radius - radius
    y = np.linspace(-1, 1, 161) * (radius + 5 / math.sqrt(inverse_step))
    log_target = -kappa / 2 * x**2 - slope * abs(x - 0.3)
    joint = log_target[:, None] - inverse_step / 2 * (x[:, None] - y) ** 2
    given = np.exp(joint - joint.max(axis=0))
    target = np.exp(log_target)
    return x, y, given / given.sum(axis=0), target / target.sum()


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.parametrize(
    ("kappa", "inverse_step", "slope"),
    [(1.0, 2.0, 0.0), (0.5, 4.0, 1.0), (2.0, 1.0, 3.0)],
)
def test_the_distance_of_a_stopped_chain_is_at_most_what_is_proved(
    kappa, inverse_step, slope
):
    """The law of the chain, step by step on a grid, from either end of an interval."""
    radius, turn = 2.0, inverse_step / (inverse_step + 2 * kappa)
    x, y, given, target = on_a_line(kappa, inverse_step, slope, radius)
    noise = norm.pdf(y, x[:, None], inverse_step**-0.5)
    noise /= noise.sum(axis=1, keepdims=True)
    middle = x[:, None] - turn * (y - x[:, None])  # of the next noisy state, given both
    turned = norm.pdf(
        y[None, None], middle[..., None], math.sqrt((1 - turn**2) / inverse_step)
    )
    turned /= turned.sum(axis=2, keepdims=True)
    step = np.einsum("xy,xyz->yz", given, turned)
    for start in (0, -1):
        law = noise[start]
        for k in range(2, 12):
            law, before = law @ step, law
            fresh = given @ (
                (given @ before) @ noise
            )  # k - 2 turned steps, and a last one with fresh noise
            proved = (
                2 * radius * math.sqrt(inverse_step / (2 * math.pi)) * turn ** (k - 2)
            )
            assert abs(fresh - target).sum() / 2 <= proved
            assert mixing_steps(math.log(proved), 2 * radius, kappa, inverse_step) in (
                k,
                k + 1,
            )


def test_steps_suffice_for_the_price():
    law = law_of(LogisticLoss(), Ball(30, 4.0), n=1000, epsilon=8.0, penalty=0.01)
    draw = proximal_draw(law, 1e-6, rng=0)
    assert draw.n_steps > 2
    assert draw.n_tries >= draw.n_steps
    assert not draw.exact
    assert proximal_draw(law, 1e-12, rng=0).n_steps > 1.5 * draw.n_steps
    assert proximal_draw(law_of(LogisticLoss(), Ball(2), n=9), rng=0).exact


class Recorded(np.random.Generator):
    """Keeps the normal numbers that it gives."""

    def __init__(self, seed):
        super().__init__(np.random.PCG64(seed))
        self.given = []

    def normal(self, *args, **kwargs):
        self.given.append(super().normal(*args, **kwargs))
        return self.given[-1]


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.5, 1e-2), (8.0, 1e-2), (8.0, 1e-6), (60.0, 1e-6)]
)
def test_a_chain_makes_the_steps_of_the_bound_for_the_price_and_the_outer_ones_with_fresh_noise(
    monkeypatch, epsilon, delta
):
    """First and last noise are normal numbers times the root of the step size; all others are turned."""
    law = law_of(LogisticLoss(), Ball(30, 4.0), n=1000, epsilon=epsilon, penalty=0.01)
    kappa, rng, fresh, inverse_steps = law.scale * 1000 * 0.01, Recorded(0), [], set()
    advance = ProximalChain.advance

    def watched(chain, **options):
        before, given = chain.state.copy(), len(rng.given)
        state = advance(chain, **options)
        noise = rng.given[given] / math.sqrt(chain.inverse_step)
        fresh.append(
            bool(np.allclose(chain.noisy - before, noise, rtol=1e-9, atol=1e-12))
        )
        inverse_steps.add(chain.inverse_step)
        return state

    monkeypatch.setattr(ProximalChain, "advance", watched)
    draw = proximal_draw(law, delta, rng=rng)
    assert fresh == [True, *[False] * (draw.n_steps - 2), True]
    [inverse_step] = inverse_steps
    log_price = math.log(delta) - math.log1p(math.exp(epsilon))
    first = math.log(8.0 * math.sqrt(inverse_step / (2 * math.pi)))
    rate = math.log1p(2 * kappa / inverse_step)
    assert (
        first - (draw.n_steps - 2) * rate
        <= log_price + 1e-9
        < first - (draw.n_steps - 3) * rate
    )


test_what_cannot_be_drawn_is_refused = refused(
    (
        law_of(RampLoss(), Ball(2)),
        "distribution must be log-concave, .*but got RampLoss on Ball",
    ),
    (
        law_of(LogisticLoss(), Finite([[0.0], [1.0]])),
        "distribution must be log-concave, .*but got LogisticLoss on Finite",
    ),
    (law_of(RampLoss(), WholeSpace(1)), "must be log-concave"),
    (law_of(LogisticLoss(), Ball(2), penalty=0.0), "penalty must be positive"),
    (
        law_of(LogisticLoss(), Ball(2), n=2000, penalty=1e-3),
        0.0,
        "delta must be positive for this loss",
    ),
    (law_of(LogisticLoss(), Ball(2), epsilon=101.0), "epsilon must be at most 100"),
    (law_of(LogisticLoss(), Ball(2)), -1.0, "delta must be in the half-open interval"),
    call=proximal_draw,
)


test_bad_parameters_are_named = refused(
    (
        lambda: ridge_draw(law_of(SquaredLoss(), Finite([[0.0, 1.0]]))),
        "domain must be an instance of",
    ),
    (
        lambda: ridge_draw(law_of(LogisticLoss(), Ball(2))),
        "loss must be an instance of SquaredLoss",
    ),
    (
        lambda: early_stopping_guarantee(Guarantee(1.0), 1.5),
        "total_variation must be in the interval",
    ),
)


def test_the_exact_draw_for_the_squared_loss_has_the_law_of_quadrature():
    law = law_of(SquaredLoss(), Ball(1, 1.2), n=20, epsilon=2.0, penalty=0.0)
    rng = np.random.default_rng(3)
    cdf = law.quadrature().cdf(
        [1.0], np.sort([ridge_draw(law, rng=rng)[0] for _ in range(3000)])
    )
    assert (
        np.abs(cdf - (np.arange(3000) + 0.5) / 3000).max()
        < KOLMOGOROV / math.sqrt(3000) + 1e-3
    )


def test_the_exact_draw_gives_up_instead_of_lying():
    far = law_of(SquaredLoss(), Box([-9.0], [-8.0]), n=2000, epsilon=900.0, penalty=0.0)
    assert ridge_draw(far, rng=0) is None
    flat = ExponentialERM(
        PenalisedRisk(np.zeros((3, 2)), np.ones(3), SquaredLoss(), Ball(2)), 1.0
    )
    assert ridge_draw(flat, rng=0) is None


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.erratum("WLF16-prop-26/1")
def test_closeness_in_total_variation_costs_delta_and_perturbed_randomised_response_attains_it():
    epsilon, eta = 1.0, 0.01
    p, q = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    near, far = np.array([p + eta, 1 - p - eta]), np.array([q - eta, 1 - q + eta])
    stopped = early_stopping_guarantee(Guarantee(epsilon), eta)
    with np.errstate(divide="ignore"):
        delta = float(hockey_stick(near, far, epsilon))
    assert delta == pytest.approx(stopped.delta) == pytest.approx((1 + math.e) * eta)
    assert early_stopping_guarantee(Guarantee(1.0, 0.1), 0.0).delta == 0.1
    assert early_stopping_guarantee(Guarantee(1.0), 0.9).delta == 1.0
    assert early_stopping_guarantee(Guarantee(1000.0), 0.0).delta == 0.0
    assert early_stopping_guarantee(Guarantee(1000.0), 1e-6).delta == 1.0


@pytest.mark.parametrize(
    "draw", [ridge_draw, lambda law, rng: proximal_draw(law, rng=rng).weights]
)
def test_draws_do_not_depend_on_the_signs_of_eigenvectors(monkeypatch, draw):
    law = law_of(SquaredLoss(), Ball(3, 5.0))
    here, eigh = draw(law, rng=0), np.linalg.eigh

    def elsewhere(matrix):
        values, vectors = eigh(matrix)
        return values, vectors * [-1.0, 1.0, -1.0]

    monkeypatch.setattr(np.linalg, "eigh", elsewhere)
    np.testing.assert_allclose(draw(law, rng=0), here, rtol=1e-6)
