"""Work by public numbers: counted passes, exact acceptance for the worst records, and what delta pays for."""

import math

import numpy as np
import pytest

from privml.learners import (
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
    ExponentialRidge,
)
from privml.learners.penalised_erm import (
    Ball,
    Box,
    ExponentialERM,
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    ProximalChain,
    RampLoss,
    SquaredLoss,
    largest_log_tries,
    largest_sampler_cost,
    proximal,
    proximal_draw,
)
from privml.learners.penalised_erm.bounded_chain import (
    BoundedChain,
    bounded_chain_plan,
    bounded_inverse_step,
)
from privml.learners.penalised_erm.envelopes import (
    CENTRE_TOLERANCE,
    Envelope,
    centre_rounds,
    curvature_of,
)
from tests.learners.penalised_erm.test_samplers import (
    KOLMOGOROV,
    distance_to_quadrature,
)

LOSSES = [LogisticLoss(), HingeLoss(), SquaredLoss()]
every_loss = pytest.mark.parametrize(
    "loss", LOSSES, ids=lambda loss: type(loss).__name__
)
LINE = np.ones(1)


def records(n, d):
    """Rows and labels at their extremes: no feature, one direction, kinks in the middle, opposite labels."""
    ones, tilted = (
        np.eye(d)[np.zeros(n, dtype=int)],
        np.tile(np.linspace(-1, 1, n)[:, None], (1, d)),
    )
    turns, middle = np.where(np.arange(n) % 2, 1.0, -1.0), np.full(n, 0.5)
    return [
        (0 * ones, turns),
        (ones, turns),
        (ones, abs(turns)),
        (ones, middle),
        (tilted, turns),
    ]


def laws(loss, domain, *, n=6, epsilon=2.0, penalty=0.3):
    for X, y in records(n, domain.dimension):
        yield ExponentialERM(
            PenalisedRisk(X, y, loss, domain, penalty=penalty), epsilon
        )


class Counted:
    """Passes over the records, counted where they happen: tangents, and columns of scores."""

    def __init__(self, monkeypatch, most=math.inf):
        self.passes, self.most = 0, most
        for loss in LOSSES:
            monkeypatch.setattr(type(loss), "_sum", self.watched(type(loss)._sum))
        tangents = PenalisedRisk._tangents

        def seen(risk, h, width=0.0):
            self.passes += bool(width)  # without a width it passes through `_sum`
            return tangents(risk, h, width)

        monkeypatch.setattr(PenalisedRisk, "_tangents", seen)

    def watched(self, method):
        def summed(loss, scores, y):
            self.passes += scores.shape[1]
            assert self.passes <= self.most, "more passes than public numbers allow"
            return method(loss, scores, y)

        return summed


class Refusing(np.random.Generator):
    """Coins by which no proposal is ever accepted, but maybe those of the pilot, which are many at a time."""

    def __init__(self, pilot):
        super().__init__(np.random.PCG64(0))
        self.pilot = pilot

    def exponential(self, *, size):
        return np.full(size, 1e9 if size > 64 and self.pilot else -1.0)


@every_loss
@pytest.mark.parametrize("pilot", [True, False])
def test_a_draw_by_which_every_try_fails_ends_within_the_public_work(
    monkeypatch, loss, pilot
):
    """The unlucky coins are the same for all records.  Before, such a draw had no end."""
    for law in laws(loss, Ball(1, 1.0), n=3, epsilon=0.3, penalty=0.2):
        work = largest_sampler_cost(law, 0.3)
        with monkeypatch.context() as patch:
            counted = Counted(patch, work.n_passes)
            draw = proximal_draw(law, 0.3, rng=Refusing(pilot))
        assert draw.n_steps <= work.n_steps
        assert counted.passes == draw.n_passes
        assert counted.passes > 0.02 * (work.n_passes - 4102)


@pytest.mark.parametrize(
    "make", [ExponentialLogisticRegression, ExponentialLinearSVC, ExponentialRidge]
)
@pytest.mark.parametrize("epsilon", [1.0, 25.0])
def test_passes_of_fits_are_those_that_are_counted_and_below_the_public_number(
    monkeypatch, make, epsilon
):
    """Three unit rows with a kink between them: steps of the chain took any number of tries before."""
    seen = set()
    for X, y in (
        (np.zeros((3, 2)), np.ones(3)),
        (np.ones((3, 2)), np.array([-1.0, 1.0, 1.0])),
    ):
        law = make(epsilon, 1e-2, bounds="unit").output_distribution(
            X / math.sqrt(2), y
        )
        work = largest_sampler_cost(law, 1e-2)
        with monkeypatch.context() as patch:
            counted = Counted(patch, work.n_passes)
            draw = proximal_draw(law, 1e-2, rng=0)
        assert counted.passes == draw.n_passes <= work.n_passes
        assert draw.n_steps <= work.n_steps
        seen.add(work)
    assert len(seen) == 1


def test_the_public_work_grows_with_epsilon_and_records_and_falls_with_delta_and_radius():
    def of(loss=HingeLoss(), n=20, epsilon=2.0, delta=1e-6, radius=2.0, penalty=0.1):  # noqa: B008
        [law, *_] = laws(loss, Ball(2, radius), n=n, epsilon=epsilon, penalty=penalty)
        return largest_sampler_cost(law, delta).n_passes

    base = of()
    assert max(of(delta=1e-3), of(penalty=0.2), of(loss=LogisticLoss())) < base
    assert min(of(n=40), of(epsilon=4.0), of(delta=1e-9)) > base
    assert of(delta=0.0) == math.inf


def test_what_cannot_be_drawn_has_no_work():
    [law, *_] = laws(RampLoss(), Ball(2))
    with pytest.raises(ValueError, match="distribution must be log-concave"):
        largest_sampler_cost(law)
    [law, *_] = laws(LogisticLoss(), Ball(2), penalty=0.0)
    with pytest.raises(ValueError, match="penalty must be positive"):
        largest_sampler_cost(law)


def accepted(envelope, y):
    """Exact probability that a proposal is accepted, by quadrature."""
    law, (H, weights) = (
        envelope.distribution,
        envelope.distribution.domain.nodes(
            300 if envelope.body.dimension == 1 else 100
        ),
    )
    below = sum(
        total + (H - envelope.centre) @ gradient
        for total, gradient in envelope.tangents
    )
    losses = law.risk.loss.value(law.risk.X @ H.T, law.risk.y[:, None]).sum(axis=0)
    logs = (
        -envelope.kappa * (H**2).sum(axis=1) / 2
        - envelope.inverse_step * ((H - y) ** 2).sum(axis=1) / 2
    )
    logs += H @ (np.zeros(H.shape[1]) + envelope.anchor)
    heights = weights * np.exp(
        logs - law.scale * below - (logs - law.scale * below).max()
    )
    excess = law.scale * (losses - below)
    assert excess.min() > -1e-9 * (1 + abs(losses).max())  # it is an envelope
    return float(heights @ np.exp(-excess) / heights.sum())


@every_loss
@pytest.mark.parametrize(
    "domain", [Ball(1, 2.0), Ball(2, 1.5), Box([-1.0, -0.5], [0.5, 2.0])]
)
@pytest.mark.parametrize("inverse_step", [0.0, 3.0, "steady"])
def test_tries_are_at_most_the_public_number_for_the_worst_records(
    loss, domain, inverse_step
):
    """From centres that public rounds find: near enough to the mean of their envelope, and so accepted."""
    for law in laws(loss, domain, epsilon=6.0 / domain.dimension):
        kappa = curvature_of(law)
        precision = kappa + (
            bounded_inverse_step(law, kappa)
            if inverse_step == "steady"
            else inverse_step
        )
        for place in (-40.0, 0.3, 5.0):
            envelope = Envelope(law, np.random.default_rng(0), kappa, precision - kappa)
            y = np.full(domain.dimension, place)
            envelope._linearise(domain._nearest(-y))
            envelope._centre_envelope(y)
            assert envelope._off_centre(y) <= CENTRE_TOLERANCE
            assert envelope.n_passes <= centre_rounds(law, precision) + 2
            assert accepted(envelope, y) >= math.exp(
                -largest_log_tries(law, precision)
            ) * (1 - 1e-3)
        if inverse_step == "steady":
            assert (
                largest_log_tries(law, precision)
                <= (1 + CENTRE_TOLERANCE**2) / 2 + 1e-12
            )


@every_loss
def test_a_steady_chain_draws_from_the_law(loss):
    *_, law = laws(loss, Ball(1, 2.0), epsilon=1.0)
    kappa, rng = curvature_of(law), np.random.default_rng(1)
    plan = bounded_chain_plan(law, kappa, math.log(1e-2))
    draws = [
        BoundedChain(law, rng, kappa, np.zeros(1), plan).draw() for _ in range(150)
    ]
    assert distance_to_quadrature(law, np.reshape(draws, (-1, 1)), LINE) < KOLMOGOROV


def test_the_outer_steps_of_a_steady_chain_have_fresh_noise_and_the_others_turned_noise(
    monkeypatch,
):
    """By hand, with noise and states that are always 1."""
    [law, *_] = laws(HingeLoss(), Ball(1, 2.0))
    kappa, noisy = curvature_of(law), []
    plan = bounded_chain_plan(law, kappa, math.log(1e-2))._replace(n_steps=6)
    monkeypatch.setattr(
        BoundedChain, "_centre_envelope", lambda chain, y: noisy.append(y[0])
    )
    monkeypatch.setattr(BoundedChain, "_drawn", lambda chain, y, size: np.ones(1))

    class Ones(np.random.Generator):
        def normal(self, *args, **kwargs):
            return np.ones(1)

    BoundedChain(law, Ones(np.random.PCG64(0)), kappa, np.zeros(1), plan).draw()
    size, turn = plan.inverse_step**-0.5, 1 / (1 + 2 * kappa / plan.inverse_step)
    assert noisy[0] == pytest.approx(size)
    assert noisy[-1] == pytest.approx(1 + size)
    for before, after in zip([noisy[0], *noisy[1:-2]], noisy[1:-1], strict=True):
        assert after == pytest.approx(
            1 - turn * (before - 1) + math.sqrt(1 - turn**2) * size
        )


@every_loss
@pytest.mark.parametrize("inverse_step", [0.0, 1.0])
def test_steps_whose_tries_all_fail_are_drawn_from_the_same_law(
    monkeypatch, loss, inverse_step
):
    """Every second step, so that both ways mix: a bias of either would stay in the state."""
    *_, law = laws(loss, Ball(1, 2.0), epsilon=1.0)
    chain = ProximalChain(law, np.random.default_rng(1), inverse_step)
    chain.plan = bounded_chain_plan(law, chain.kappa + inverse_step, math.log(0.03))
    found, calls = ProximalChain._found, []

    def failing(chain, n_batches):
        calls.append(n_batches)
        return found(chain, n_batches) if len(draws) % 2 else False

    monkeypatch.setattr(ProximalChain, "_found", failing)
    draws = []
    for _ in range(240):
        for _ in range(3 if inverse_step else 1):
            chain.advance(fresh=True)
        draws.append(chain.state)
    assert chain.n_rescued >= 120 * chain.plan.n_steps
    assert (
        distance_to_quadrature(law, np.reshape(draws[::2], (-1, 1)), LINE) < KOLMOGOROV
    )
    assert (
        distance_to_quadrature(law, np.reshape(draws[1::2], (-1, 1)), LINE) < KOLMOGOROV
    )


@every_loss
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-2), (8.0, 1e-6), (90.0, 1e-9)])
def test_all_that_a_draw_may_be_off_by_adds_up_to_what_delta_pays_for(
    loss, epsilon, delta
):
    """Steps of the chain, steps that the steady chain draws, its own steps, and its tries that all fail."""
    [law, *_] = laws(loss, Ball(2, 2.0), epsilon=epsilon)
    kappa, paid = curvature_of(law), math.log(delta) - np.logaddexp(0, epsilon)

    def off(n_steps, precision, inverse_step):
        """Logarithm of the proved distance of a chain."""
        turn = inverse_step / (inverse_step + 2 * precision)
        return math.log(4.0 * math.sqrt(inverse_step / (2 * math.pi))) + (
            n_steps - 2
        ) * math.log(turn)

    def of_plan(plan, precision):
        least = math.exp(-largest_log_tries(law, precision + plan.inverse_step)) / 2
        failed = math.log(plan.n_steps) + plan.n_batches * math.log1p(-least)
        if not plan.inverse_step:
            return failed
        return np.logaddexp(off(plan.n_steps, precision, plan.inverse_step), failed)

    assert of_plan(bounded_chain_plan(law, kappa, paid), kappa) <= paid + 1e-9
    for inverse_step in proximal.bounded_chain._inverse_steps(law):
        plan = proximal.bounded_chain._plan(law, inverse_step, paid)
        assert plan.inverse_step == pytest.approx(
            bounded_inverse_step(law, kappa + inverse_step)
        )
        total = of_plan(plan, kappa + inverse_step)
        if inverse_step:
            n_steps = proximal.bounded_chain._steps(law, inverse_step, paid)
            total = np.logaddexp(
                off(n_steps, kappa, inverse_step), math.log(n_steps) + total
            )
        assert total <= paid + 1e-9
        step = math.log1p(2 * kappa / inverse_step) if inverse_step else 1.0
        assert total > paid - 6 * max(1.0, step)  # not wasteful


@pytest.mark.parametrize(
    "loss", [LogisticLoss(), HingeLoss()], ids=lambda loss: type(loss).__name__
)
def test_without_delta_the_worst_records_decide_and_draws_have_the_law(loss):
    *_, law = laws(loss, Ball(1, 2.0), epsilon=3.0)
    rng = np.random.default_rng(0)
    draws = [proximal_draw(law, 0.0, rng=rng).weights for _ in range(400)]
    assert distance_to_quadrature(law, np.reshape(draws, (-1, 1)), LINE) < KOLMOGOROV
    refused = set()
    for law in laws(loss, Ball(1, 2.0), n=400, epsilon=3.0, penalty=0.001):
        assert largest_log_tries(law, curvature_of(law)) > proximal.LARGEST_LOG_TRIES
        with pytest.raises(ValueError, match="delta must be positive") as error:
            proximal_draw(law, 0.0)
        refused.add(str(error.value))
    assert len(refused) == 1


def test_without_delta_losses_are_touched_near_the_mean_of_their_envelope(monkeypatch):
    """From the mode, which a ball that cuts off half of the envelope leaves far from it."""
    centres, found = [], ProximalChain._found

    def watched(chain, n_batches):
        centres.append(chain._off_centre(chain.noisy))
        return found(chain, n_batches)

    monkeypatch.setattr(ProximalChain, "_found", watched)
    for law in laws(LogisticLoss(), Ball(2, 1.0), n=60, epsilon=3.0, penalty=0.1):
        proximal_draw(law, 0.0, rng=0)
    assert max(centres) <= CENTRE_TOLERANCE


def test_a_step_whose_tries_all_fail_hands_over_its_own_law(monkeypatch):
    """Given y: the precision is larger by the inverse step size, the linear part is that times y."""
    *_, law = laws(LogisticLoss(), Ball(2, 2.0))
    chain, given = ProximalChain(law, np.random.default_rng(1), 1.5), []
    chain.plan = bounded_chain_plan(law, chain.kappa + 1.5, math.log(0.1))
    monkeypatch.setattr(ProximalChain, "_found", lambda chain, n_batches: False)
    monkeypatch.setattr(
        BoundedChain, "draw", lambda steady: given.append(steady) or np.zeros(2)
    )
    chain.advance(fresh=True)
    [steady] = given
    assert steady.kappa == pytest.approx(curvature_of(law) + 1.5)
    np.testing.assert_allclose(steady.anchor, 1.5 * chain.noisy)
