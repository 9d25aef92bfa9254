"""What a notebook shows of an object: true numbers, escaped, in the page's colours; exact pictures."""

import re

import numpy as np
import pytest
from scipy.stats import norm

from privml import (
    Categorical,
    DiscreteGaussian,
    Gaussian,
    Guarantee,
    Laplace,
    audit,
    compose,
)
from privml._display import html_card
from privml.distributions import Product
from privml.divergences import PrivacyCurve, hockey_stick
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee
from privml.learners.experts import private_actions, run_curves
from privml.mechanisms import MWEM, ExponentialMechanism, LaplaceMechanism, SparseVector

P, Q = np.log([0.5, 0.3, 0.2]), np.log([0.2, 0.2, 0.6])
SVT = SparseVector(epsilon=1.0, cutoff=2, sensitivity=1)
NOISY = LaplaceMechanism(epsilon=1.0, sensitivity=1.0)


def an_audit():
    mechanism = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)
    return audit.exact(
        lambda z: mechanism.output_distribution([z.sum(), (1 - z).sum()]),
        np.array([0, 1]),
        5,
    )


def a_run():
    return private_actions(np.tile([1, 0], (100, 1)), epsilon=1.0, delta=1e-5, rng=0)


SHOWN = {
    "guarantee": (
        lambda: Guarantee(1.0, 1e-6),
        ["(1, 1e-06)-differential privacy", "replace-one"],
    ),
    "concentrated": (lambda: ConcentratedGuarantee(0.2), ["0.2-concentrated"]),
    "range": (lambda: BoundedRangeGuarantee(0.3), ["0.3-bounded-range"]),
    "composed": (
        lambda: compose((Guarantee(0.05), 1000), delta=1e-5),
        ["7.49285", "1000 releases"],
    ),
    "categorical": (lambda: Categorical(P), ["0.5", "0.3", "0.2"]),
    "noise": (lambda: Laplace(1234.5, scale=2.0), ["Laplace(scale=2.0)"]),
    "exact audit": (an_audit, ["0.877", "5 pairs of 6 data sets"]),
    "vector": (
        lambda: Product(Laplace(np.array([1234.5]), scale=2.0)),
        ["Laplace(scale=2.0)"],
    ),
    "draws": (
        lambda: audit.monte_carlo(NOISY.release, (0.0, 1.0), 400, rng=0),
        ["confidence 0.99"],
    ),
    "table": (
        lambda: MWEM(epsilon=0.5, queries=[[True]], n_rounds=3).release([4]),
        [">3<", "0.5-diff"],
    ),
    "curve": (lambda: PrivacyCurve.between(P, Q, logs=True), ["0.4"]),
    "run": (a_run, ["100 rounds", "differential privacy"]),
    "crossings": (
        lambda: SVT.run([-1e9, 1e9, -1e9, 1e9, 1e9], rng=0),
        ["halted", ">4<", ">1, 3<", "1-diff"],
    ),
    "run curves": (lambda: run_curves([[0, 1]], [[1, 0]], 0.3), ["exact"]),
}


@pytest.mark.parametrize("name", SHOWN)
def test_an_object_shows_its_numbers_in_a_small_card_without_colours_of_its_own(name):
    make, words = SHOWN[name]
    page = make()._repr_html_()
    assert [word for word in words if word not in page] == []
    assert not re.search(r"color|background|#[0-9a-f]{3}", page.replace("&#x27;", ""))
    assert len(page) < 1500


def test_an_answer_without_noise_is_not_shown():
    for law in (Laplace(1234.5, scale=2.0), Gaussian(1234.5, sigma=1.0)):
        assert "1234" not in law._repr_html_()
        assert np.abs(law.plot().axes.lines[0].get_xdata()).max() < 100


def test_text_of_a_card_is_escaped():
    assert html_card("<x>", [("<y>",)], "<z>").count("&lt;") == 3


def test_a_picture_is_a_png_and_draws_where_it_is_told(tmp_path):
    first = Categorical(P).plot()
    assert first._repr_png_().startswith(b"\x89PNG")
    again = Categorical(Q).plot(first.axes)
    assert again.axes is first.axes
    assert [bar.get_height() for bar in first.axes.patches] == pytest.approx(
        np.exp([*P, *Q])
    )
    again.save(tmp_path / "law.svg")
    assert (tmp_path / "law.svg").read_text().startswith("<?xml")


def test_the_picture_of_noise_is_its_density_or_its_probabilities():
    line = Gaussian(5.0, sigma=2.0).plot().axes.lines[0]
    assert line.get_ydata() == pytest.approx(norm.pdf(line.get_xdata(), scale=2.0))
    sticks = DiscreteGaussian(5, variance=4).plot().axes.collections[0].get_segments()
    places, heights = np.array([stick[1] for stick in sticks]).T
    assert heights == pytest.approx(
        np.exp(DiscreteGaussian(0, variance=4).logpmf(places))
    )


def test_a_privacy_curve_and_an_audit_draw_their_exact_delta():
    curve, found = PrivacyCurve.between(P, Q, logs=True), an_audit()
    for shown, delta in (
        (curve, lambda e: hockey_stick(P, Q, e, logs=True)),
        (found, found.delta),
    ):
        line = shown.plot().axes.lines[0]
        wanted = [float(delta(float(e))) for e in line.get_xdata()]
        assert line.get_ydata() == pytest.approx(wanted, abs=1e-12)


def test_an_audit_by_draws_draws_the_least_delta_that_it_does_not_refute():
    found = audit.monte_carlo(NOISY.release, (0.0, 1.0), 400, rng=0)
    *points, last = found.plot().axes.lines[0].get_xydata().tolist()
    told = [
        found.refutes(Guarantee(e, d * share))
        for e, d in points
        for share in (0.999, 1.001)
    ]
    assert told == [True, False] * len(points)
    assert last == pytest.approx([found.epsilon, 0.0], abs=1e-9)


def test_the_trade_off_is_that_of_the_best_tests():
    """Neyman and Pearson: reject Q's outcomes in the order of their ratio; between, mix."""
    order = np.argsort(-(P - Q))
    alarms = np.concatenate([[0.0], np.cumsum(np.exp(Q[order]))])
    misses = 1 - np.concatenate([[0.0], np.cumsum(np.exp(P[order]))])
    line = PrivacyCurve.between(P, Q, logs=True).plot(trade_off=True).axes.lines[0]
    assert line.get_ydata() == pytest.approx(
        np.interp(line.get_xdata(), alarms, misses), abs=1e-12
    )


def test_progress_is_quiet_unless_it_is_asked_for(capsys):
    quiet = audit.monte_carlo(NOISY.release, (0.0, 1.0), 40, rng=0)
    assert capsys.readouterr().err == ""
    assert (
        audit.monte_carlo(NOISY.release, (0.0, 1.0), 40, progress=True, rng=0) == quiet
    )
    assert "draws: 100%" in capsys.readouterr().err


def test_what_is_shown_is_never_stronger_than_what_is_claimed():
    """Of a lower bound on epsilon and a confidence no more, of a delta and a largest loss no less."""
    for seed in range(6):
        found = audit.monte_carlo(
            NOISY.release, (0.0, 1.0), 600, confidence=1 - 1e-7, rng=seed
        )
        page = found._repr_html_()
        shown = float(re.search(r"at least</td><td>([^<]*)", page)[1])
        assert found.epsilon * (1 - 1e-3) <= shown <= found.epsilon
        assert "confidence 0.999999<" in page
    for q in ([0.2, 0.2, 0.6], [0.31, 0.37, 0.32], [0.1, 0.1, 0.8]):
        for curve in (
            PrivacyCurve.between(np.exp(P), q),
            run_curves([[0, 1]], [[1, 0]], q[0]),
        ):
            table = re.findall(
                r"<td>([\d.e-]+)</td><td>([\d.e-]+)</td>", curve._repr_html_()
            )
            assert all(curve.delta(float(e)) <= float(d) for e, d in table)
    loss = re.search(r"loss</td><td>([^<]*)", an_audit()._repr_html_())[1]
    assert an_audit().epsilon <= float(loss) <= an_audit().epsilon + 1e-5
    run = a_run()
    eta = re.search(r"at eta ([\d.]+)", run._repr_html_())[1]
    assert run.eta * (1 - 1e-3) <= float(eta) <= run.eta
