"""The releases of the peers: for each mechanism a neighbouring pair, the library's own claim, and the law.

Laws are derived from the library's documentation where it names one, and else from its source.  Where a library
does not say which relation its claim is for, a pair is chosen that no relation forgives: the fault must show
both for adding a record and for replacing one, or the row says which relation the documentation cites.
"""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.special import expit, ndtr

from benchmarks.truth.release import (
    PUBLIC,
    Release,
    discrete_gaussian,
    discrete_laplace,
    laplace,
    of_cdf,
    of_values,
    permute_and_flip,
    softmax,
)

WHOLE = np.arange(-12, 15) - 0.5  # edges between integers
VALUES = np.arange(-400, 401)
REAL = np.linspace(-8, 9, 35) + 1e-3
SCORES = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0]])  # of neighbours: each moves by 1


def repeated(one: Callable[[int], Any]) -> Callable[[int, int], np.ndarray]:
    """Draws one by one."""

    def draw(side: int, n: int) -> np.ndarray:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.array([one(side) for _ in range(n)], float)

    return draw


def additive(
    cdf: Callable[[np.ndarray, float], np.ndarray], edges: np.ndarray = REAL
) -> Callable:
    """The law of noise on the values 0 and 1."""
    return lambda side: of_cdf(lambda x: cdf(x, float(side)), edges)


def whole(
    masses: Callable[[np.ndarray, int], np.ndarray], edges: np.ndarray = WHOLE
) -> Callable:
    """The law of noise on the integers 0 and 1."""
    return lambda side: of_values(VALUES, masses(VALUES, side), edges)


def normal(sigma: float) -> Callable:
    """The law of Gaussian noise on 0 and 1."""
    return additive(lambda x, centre: ndtr((x - centre) / sigma))


def opendp() -> Iterator[Release]:
    """OpenDP: claims are what a measurement's `map` says of this distance."""
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious")
    ints = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    reals = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    scores = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False)),
        dp.linf_distance(T=float),
    )

    def made(
        name: str,
        kind: str,
        measurement: Any,
        values: tuple,
        distance: Any,
        edges: np.ndarray,
        law: Any = None,
        **more: Any,
    ) -> Release:
        claimed = measurement.map(distance)
        read, vector = more.pop("read", float), more.pop("vector", None)
        claim = claimed if isinstance(claimed, tuple) else (claimed, 0.0)
        rho = None
        if measurement.output_measure == dp.zero_concentrated_divergence():
            rho = claimed
            curve = dp.c.make_zCDP_to_approxDP(measurement).map(distance)
            claim = (curve.epsilon(PUBLIC), PUBLIC)
        draw = repeated(lambda side: read(measurement(values[side])))
        if vector is not None:  # one call for many values, each with noise of its own

            def draw(side: int, n: int) -> np.ndarray:
                return np.array(vector([values[side]] * n), float)

        else:
            more = {"size": 3000} | more
        return Release("OpenDP", name, kind, claim, draw, edges, law, rho=rho, **more)

    def noise(
        name: str,
        constructor: Any,
        space: tuple,
        metric: Any,
        scale: float,
        edges: np.ndarray,
        law: Any,
    ) -> Release:
        """Noise on one number; its draws are those of one call on a vector of equal numbers."""
        atom, _ = space
        number = float if space is reals else int
        vector = constructor(dp.vector_domain(atom), metric(T=number), scale)
        measurement = constructor(*space, scale)
        values = number(0), number(1)
        return made(
            name, "noise", measurement, values, values[1], edges, law, vector=vector
        )

    yield noise(
        "make_laplace, integers",
        dp.m.make_laplace,
        ints,
        dp.l1_distance,
        1.0,
        WHOLE,
        whole(lambda v, c: discrete_laplace(v, c, 1.0)),
    )
    yield noise(
        "make_laplace, floats",
        dp.m.make_laplace,
        reals,
        dp.l1_distance,
        1.0,
        REAL,
        additive(lambda x, c: laplace(x, c, 1.0)),
    )
    yield noise(
        "make_gaussian, integers",
        dp.m.make_gaussian,
        ints,
        dp.l2_distance,
        2.0,
        WHOLE,
        whole(lambda v, c: discrete_gaussian(v, c, 2.0)),
    )
    yield noise(
        "make_gaussian, floats",
        dp.m.make_gaussian,
        reals,
        dp.l2_distance,
        1.0,
        REAL,
        normal(1.0),
    )
    yield made(
        "make_canonical_noise",
        "noise",
        dp.m.make_canonical_noise(*reals, d_in=1.0, d_out=(1.0, 0.01)),
        (0.0, 1.0),
        1.0,
        REAL,
    )

    def response(side: int) -> np.ndarray:
        law = np.full(3, 0.2)
        law[side] = 0.6
        return law

    options = np.array([0.5, 1.5])
    yield made(
        "make_randomized_response",
        "noise",
        dp.m.make_randomized_response([0, 1, 2], 0.6),
        (0, 1),
        1,
        options,
        response,
    )
    pure, zcdp = dp.max_divergence(), dp.zero_concentrated_divergence()
    rows = SCORES.tolist()
    yield made(
        "make_noisy_max, pure",
        "selection",
        dp.m.make_noisy_max(*scores, pure, scale=2.0),
        rows,
        1.0,
        options,
        lambda side: permute_and_flip(SCORES[side] / 2),
    )
    yield made(
        "make_noisy_max, zCDP",
        "selection",
        dp.m.make_noisy_max(*scores, zcdp, scale=2.0),
        rows,
        1.0,
        options,
        lambda side: softmax(SCORES[side] / 2),
    )

    def pairs(chosen: list) -> int:
        return 3 * chosen[0] + chosen[1]

    for name, measure in (("pure", pure), ("zCDP", zcdp)):
        yield made(
            f"make_noisy_top_k, {name}",
            "selection",
            dp.m.make_noisy_top_k(*scores, measure, k=2, scale=2.0),
            rows,
            1.0,
            np.arange(8) + 0.5,
            read=pairs,
        )
    data = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    quantile = dp.m.make_private_quantile(
        *data, pure, candidates=[0, 1, 2, 3, 4], alpha=0.5, scale=2.0
    )
    yield made(
        "make_private_quantile",
        "quantiles",
        quantile,
        ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 4]),
        1,
        np.arange(4) + 0.5,
    )
    clamped = dp.t.make_clamp(*data, bounds=(0, 3))
    total = clamped >> dp.t.then_sum() >> dp.m.then_laplace(scale=3.0)
    yield made(
        "clamp, sum, Laplace",
        "clipped sums",
        total,
        ([0, 1, 2], [0, 1, 2, 9]),
        1,
        np.arange(-20, 30) - 0.5,
        lambda side: of_values(
            VALUES,
            discrete_laplace(VALUES, 3 + 3 * side, 3.0),
            np.arange(-20, 30) - 0.5,
        ),
    )

    def keys(measurement: Any, one: Any) -> Callable[[int, int], np.ndarray]:
        """Many keys that one record each holds, in one call: each has noise of its own, and is kept or not."""

        def draw(side: int, n: int) -> np.ndarray:
            if not side:
                return np.full(n, -1e9)
            released = measurement({str(i): one for i in range(n)})
            return np.array([released.get(str(i), -1e9) for i in range(n)], float)

        return draw

    def thresholded(
        name: str,
        space: Any,
        constructor: Any,
        one: Any,
        masses: Any,
        threshold: Any,
        scale: float,
    ) -> Release:
        """A key that one record alone holds: without the record nothing, with it 1 and noise, if that reaches the threshold."""
        edges = np.array(
            [threshold - 0.5 if one == 1 and isinstance(one, int) else threshold]
        )

        def law(side: int) -> np.ndarray:
            kept = masses(threshold) if side else 0.0
            return np.array([1 - kept, kept])

        measurement = constructor(*space, scale=scale, threshold=threshold)
        claim = measurement.map((1, one, one))
        draw = keys(measurement, one)
        return Release(
            "OpenDP", name, "thresholds", claim, draw, edges, law, size=40_000
        )

    counts = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    sums = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=float, nan=False))
    by_one = dp.l01inf_distance(dp.absolute_distance(T=int))
    far = np.arange(0, 2000)
    for scale, threshold in ((1.0, 5), (2.0, 20)):
        yield thresholded(
            f"make_laplace_threshold, counts, scale {scale:g}, threshold {threshold}",
            (counts, by_one),
            dp.m.make_laplace_threshold,
            1,
            lambda t, s=scale: discrete_laplace(far + t, 1, s).sum(),
            threshold,
            scale,
        )
    yield thresholded(
        "make_laplace_threshold, floats",
        (sums, dp.l01inf_distance(dp.absolute_distance(T=float))),
        dp.m.make_laplace_threshold,
        1.0,
        lambda t: 1 - laplace(t, 1.0, 1.0),
        5.0,
        1.0,
    )
    space = counts, dp.l02inf_distance(dp.absolute_distance(T=int))
    gaussian = dp.m.make_gaussian_threshold(*space, scale=1.0, threshold=4)
    rho, delta = gaussian.map((1, 1, 1))
    curve = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*reals, 1.0)).map(
        1.0
    )  # of this rho, without delta
    claim = (curve.epsilon(PUBLIC), delta + PUBLIC)
    kept = float(discrete_gaussian(far + 4, 1, 1.0).sum())
    yield Release(
        "OpenDP",
        "make_gaussian_threshold, counts, scale 1, threshold 4",
        "thresholds",
        claim,
        keys(gaussian, 1),
        np.array([3.5]),
        lambda side: np.array([1 - kept * side, kept * side]),
        size=40_000,
    )


def diffprivlib() -> Iterator[Release]:
    """diffprivlib: claims are the epsilon and delta that are passed; the documentation names no relation."""
    from diffprivlib import mechanisms as m
    from diffprivlib import models, tools

    def made(
        name: str,
        kind: str,
        claim: tuple,
        draw: Any,
        edges: np.ndarray,
        law: Any = None,
        **more: Any,
    ) -> Release:
        return Release(
            "diffprivlib", name, kind, claim, repeated(draw), edges, law, **more
        )

    def noise(
        name: str,
        mechanism: Any,
        claim: tuple,
        edges: np.ndarray = REAL,
        law: Any = None,
    ) -> Release:
        return made(
            name,
            "noise",
            claim,
            lambda side: mechanism.randomise(side if edges is WHOLE else float(side)),
            edges,
            law,
            size=5000,
        )

    one = {"epsilon": 1.0, "sensitivity": 1}
    scale = 1 / (1 - np.log(1 - 0.1))
    yield noise(
        "Laplace",
        m.Laplace(**one),
        (1.0, 0.0),
        law=additive(lambda x, c: laplace(x, c, 1.0)),
    )
    yield noise(
        "Laplace with delta",
        m.Laplace(delta=0.1, **one),
        (1.0, 0.1),
        law=additive(lambda x, c: laplace(x, c, scale)),
    )
    inner = np.linspace(-0.99, 1.98, 28)
    bounds = {"lower": -1.0, "upper": 2.0}
    yield noise(
        "LaplaceTruncated",
        m.LaplaceTruncated(**one, **bounds),
        (1.0, 0.0),
        inner,
        additive(lambda x, c: laplace(x, c, 1.0), inner),
    )
    yield noise("LaplaceFolded", m.LaplaceFolded(**one, **bounds), (1.0, 0.0), inner)
    bounded = m.LaplaceBoundedDomain(**one, **bounds)
    width = bounded._find_scale()

    def inside(x: np.ndarray, c: float) -> np.ndarray:
        low, high = (laplace(np.array(end), c, width) for end in (-1.0, 2.0))
        return (laplace(x, c, width) - low) / (high - low)

    yield noise(
        "LaplaceBoundedDomain", bounded, (1.0, 0.0), inner, additive(inside, inner)
    )
    yield noise(
        "LaplaceBoundedNoise", m.LaplaceBoundedNoise(delta=0.05, **one), (1.0, 0.05)
    )
    yield noise(
        "Geometric",
        m.Geometric(**one),
        (1.0, 0.0),
        WHOLE,
        whole(lambda v, c: discrete_laplace(v, c, 1.0)),
    )
    yield noise(
        "GeometricTruncated",
        m.GeometricTruncated(**one, lower=-2, upper=3),
        (1.0, 0.0),
        WHOLE,
        lambda side: of_values(
            np.clip(VALUES, -2, 3), discrete_laplace(VALUES, side, 1.0), WHOLE
        ),
    )
    yield noise(
        "GeometricFolded",
        m.GeometricFolded(**one, lower=-2, upper=3),
        (1.0, 0.0),
        WHOLE,
    )
    near = {"epsilon": 1.0, "delta": 0.01, "sensitivity": 1}
    for name in ("Gaussian", "GaussianAnalytic"):
        mechanism = getattr(m, name)(**near)
        yield noise(name, mechanism, (1.0, 0.01), law=normal(mechanism._scale))
    discrete = m.GaussianDiscrete(**near)
    yield noise(
        "GaussianDiscrete",
        discrete,
        (1.0, 0.01),
        WHOLE,
        whole(lambda v, c: discrete_gaussian(v, c, discrete._scale)),
    )
    yield noise("Staircase", m.Staircase(**one), (1.0, 0.0))
    yield noise(
        "Uniform",
        m.Uniform(delta=0.2, sensitivity=1),
        (0.0, 0.2),
        law=additive(lambda x, c: np.clip((x - c + 2.5) / 5, 0, 1)),
    )
    yield noise(
        "Snapping",
        m.Snapping(epsilon=1.0, sensitivity=1.0, lower=-4.0, upper=5.0),
        (1.0, 0.0),
    )
    told = m.Binary(epsilon=1.0, value0="no", value1="yes")
    yield made(
        "Binary",
        "noise",
        (1.0, 0.0),
        lambda side: told.randomise(("no", "yes")[side]) == "yes",
        np.array([0.5]),
        lambda side: np.array([expit(1.0), expit(-1.0)])[:: 1 - 2 * side],
    )

    options = np.array([0.5, 1.5])
    for name, law in (("Exponential", softmax), ("PermuteAndFlip", permute_and_flip)):
        chosen = [
            getattr(m, name)(epsilon=1.0, sensitivity=1.0, utility=row)
            for row in SCORES.tolist()
        ]
        yield made(
            name,
            "selection",
            (1.0, 0.0),
            lambda side, c=chosen: c[side].randomise(),
            options,
            lambda side, f=law: f(SCORES[side] / 2),
        )
    letters = m.ExponentialCategorical(
        epsilon=1.0, utility_list=[["a", "b", 1.0], ["a", "c", 2.0], ["b", "c", 2.0]]
    )
    yield made(
        "ExponentialCategorical",
        "selection",
        (1.0, 0.0),
        lambda side: "abc".index(letters.randomise("ac"[side])),
        options,
    )

    data = np.array([0.2, 0.4, 0.9, 0.0]), np.array([0.2, 0.4, 0.9, 1.0])
    means = np.linspace(0.01, 0.99, 25)
    yield made(
        "tools.mean",
        "clipped sums",
        (1.0, 0.0),
        lambda side: tools.mean(data[side], epsilon=1.0, bounds=(0, 1)),
        means,
        lambda side: of_cdf(lambda x: laplace(x, data[side].mean(), 0.25), means),
        size=3000,
    )
    yield made(
        "tools.var",
        "clipped sums",
        (1.0, 0.0),
        lambda side: tools.var(data[side], epsilon=1.0, bounds=(0, 1)),
        means / 4,
        size=1500,
    )
    yield made(
        "tools.sum",
        "clipped sums",
        (1.0, 0.0),
        lambda side: tools.sum(data[side], epsilon=1.0, bounds=(0, 1)),
        means * 4,
        lambda side: of_cdf(lambda x: laplace(x, data[side].sum(), 1.0), means * 4),
        size=3000,
    )
    gaps = tuple(np.array([0.5, end, *[np.nan] * 18]) for end in (0.0, 1.0))
    yield made(
        "tools.nanmean, 18 of 20 missing",
        "clipped sums",
        (1.0, 0.0),
        lambda side: tools.nanmean(gaps[side], epsilon=1.0, bounds=(0, 1)),
        means,
        lambda side: of_cdf(lambda x: laplace(x, 0.25 + side / 2, 0.05), means),
        size=3000,
    )
    inside = ([0.5, 0.5, 2.0], [0.5, 0.5, 0.5])  # values outside the range are ignored
    bins = np.arange(-1, 20) - 0.5
    yield made(
        "tools.histogram, a weight of 5",
        "clipped sums",
        (1.0, 0.0),
        lambda side: tools.histogram(
            inside[side], epsilon=1.0, bins=1, range=(0, 1), weights=[1, 1, 5]
        )[0][0],
        bins,
        lambda side: of_values(
            np.maximum(VALUES, 0), discrete_laplace(VALUES, 2 + 5 * side, 1.0), bins
        ),
        size=3000,
    )
    yield made(
        "tools.histogram",
        "clipped sums",
        (1.0, 0.0),
        lambda side: tools.histogram(
            [0.5] * (2 + side), epsilon=1.0, bins=1, range=(0, 1)
        )[0][0],
        bins,
        lambda side: of_values(
            np.maximum(VALUES, 0), discrete_laplace(VALUES, 2 + side, 1.0), bins
        ),
        size=3000,
    )
    yield made(
        "tools.quantile",
        "quantiles",
        (1.0, 0.0),
        lambda side: tools.quantile(data[side], 0.5, epsilon=1.0, bounds=(0, 1)),
        means,
        size=3000,
    )
    yield from learners(models, made)


def learners(models: Any, made: Callable) -> Iterator[Release]:
    """The estimators of diffprivlib."""
    far = np.linspace(-40, 40, 41)

    def line(side: int) -> float:
        x = np.array([[1.0 if side else 0.1], [0.1]])
        model = models.LinearRegression(
            epsilon=1.0, bounds_X=(0, 1), bounds_y=(-1, 1), fit_intercept=False
        )
        return model.fit(x, np.zeros(2)).coef_[0]

    def of_line(side: int) -> np.ndarray:
        """Noise of scale 2 / (epsilon / 3) on the sum of x y, over the sum of x^2, which has none."""
        squares = 1.01 if side else 0.02
        return of_cdf(lambda w: laplace(w * squares, 0.0, 6.0), far)

    yield made(
        "LinearRegression, bounds_X (0, 1), no intercept",
        "learners",
        (1.0, 0.0),
        line,
        far,
        of_line,
        size=1500,
    )

    radius, near = 100.0, np.linspace(-0.1, 0.1, 41)

    def logistic(side: int) -> float:
        x = np.array([[radius * side], [0.0]])
        model = models.LogisticRegression(
            epsilon=1.0, data_norm=radius, fit_intercept=False, C=1.0, tol=1e-8
        )
        return model.fit(x, np.array([0, 1])).coef_[0, 0]

    def of_logistic(side: int) -> np.ndarray:
        """The noise of objective perturbation is a decreasing function of the minimiser: Laplace of scale 2 R / epsilon'."""
        shortened = 1.0 - 2 * np.log(1 + 0.25 * radius)
        more = 0.25 * radius / np.expm1(0.25) - 1.0 if shortened <= 0 else 0.0
        scale = 2 * radius / (0.5 if shortened <= 0 else shortened)
        x = radius * side

        def noise(w: np.ndarray) -> np.ndarray:
            return -(x * expit(x * w) + (1.0 + more) * w)

        return of_cdf(lambda w: 1 - laplace(noise(w), 0.0, scale), near)

    yield made(
        "LogisticRegression, data_norm 100, no intercept",
        "learners",
        (1.0, 0.0),
        logistic,
        near,
        of_logistic,
        size=600,
    )

    def bayes(side: int) -> float:
        """One label of 60 records changes: a class of 30 or 31 at 100; its mean is read where its noisy size is 30."""
        x, y = np.full((60, 1), 100.0), np.array([0] * (30 + side) + [1] * (30 - side))
        model = models.GaussianNB(epsilon=1.0, bounds=(100, 101)).fit(x, y)
        return model.theta_[0, 0] if model.class_count_[0] == 30 else -1.0

    yield made(
        "GaussianNB, bounds (100, 101)",
        "learners",
        (1.0, 0.0),
        bayes,
        np.array([0.0, 100.5]),
        size=4000,
    )

    def trees(side: int) -> float:
        x, y = np.zeros((4 + side, 1)), np.array([0, 1, 1, 0, 1][: 4 + side])
        model = models.RandomForestClassifier(
            n_estimators=1, epsilon=1.0, bounds=(0, 1), classes=[0, 1], max_depth=1
        )
        return model.fit(x, y).predict([[0.0]])[0]

    yield made(
        "RandomForestClassifier, one tree",
        "learners",
        (1.0, 0.0),
        trees,
        np.array([0.5]),
        size=60,
    )

    def centre(side: int) -> float:
        model = models.KMeans(n_clusters=1, epsilon=1.0, bounds=(0, 1))
        return model.fit(np.array([[0.0]] * 3 + [[1.0]] * side)).cluster_centers_[0, 0]

    yield made(
        "KMeans, one cluster",
        "learners",
        (1.0, 0.0),
        centre,
        np.linspace(0.05, 0.95, 10),
        size=500,
    )

    def scaled(side: int) -> float:
        x = np.array([[0.5], [0.2], [float(side)]])
        return models.StandardScaler(epsilon=1.0, bounds=(0, 1)).fit(x).mean_[0]

    yield made(
        "StandardScaler",
        "learners",
        (1.0, 0.0),
        scaled,
        np.array([0.25, 0.5, 0.75]),
        size=500,
    )


def pipelinedp() -> Iterator[Release]:
    """PipelineDP: its primitives, with the epsilon and delta that are passed; one record more."""
    import pipeline_dp
    from pipeline_dp import dp_computations as c
    from pipeline_dp import partition_selection

    def made(
        name: str,
        kind: str,
        claim: tuple,
        draw: Any,
        edges: np.ndarray,
        law: Any = None,
        **more: Any,
    ) -> Release:
        return Release(
            "PipelineDP", name, kind, claim, repeated(draw), edges, law, **more
        )

    yield made(
        "apply_laplace_mechanism",
        "noise",
        (1.0, 0.0),
        lambda side: c.apply_laplace_mechanism(side, 1.0, 1.0),
        REAL,
        additive(lambda x, centre: laplace(x, centre, 1.0)),
    )
    sigma = c.compute_sigma(1.0, 0.01, 1.0)
    yield made(
        "apply_gaussian_mechanism",
        "noise",
        (1.0, 0.01),
        lambda side: c.apply_gaussian_mechanism(side, 1.0, 0.01, 1.0),
        REAL,
        normal(sigma),
    )

    class Scores(c.ExponentialMechanism.ScoringFunction):
        global_sensitivity, is_monotonic = 1.0, False

        def __init__(self, side: int) -> None:
            self.side = side

        def score(self, k: int) -> float:
            return float(SCORES[self.side, k])

    chosen = [c.ExponentialMechanism(Scores(side)) for side in (0, 1)]
    yield made(
        "ExponentialMechanism",
        "selection",
        (1.0, 0.0),
        lambda side: chosen[side].apply(1.0, [0, 1, 2]),
        np.array([0.5, 1.5]),
        lambda side: softmax(SCORES[side] / 2),
    )
    kinds = pipeline_dp.PartitionSelectionStrategy
    for kind in (
        kinds.TRUNCATED_GEOMETRIC,
        kinds.LAPLACE_THRESHOLDING,
        kinds.GAUSSIAN_THRESHOLDING,
    ):
        strategy = partition_selection.create_partition_selection_strategy(
            kind, 1.0, 0.01, 1
        )
        for n in (0, 3):

            def law(side: int, s: Any = strategy, count: int = n) -> np.ndarray:
                kept = s.probability_of_keep(count + side)
                return np.array([1 - kept, kept])

            yield made(
                f"{kind.value}, {n} or {n + 1} records",
                "thresholds",
                (1.0, 0.01),
                lambda side, s=strategy, count=n: s.should_keep(count + side),
                np.array([0.5]),
                law,
            )
        if kind != kinds.TRUNCATED_GEOMETRIC:

            def noised(side: int, s: Any = strategy) -> float:
                value = s.noised_value_if_should_keep(1 + side)
                return -1e9 if value is None else value

            edges = strategy.threshold + np.linspace(0, 5, 6) - 1e-3
            yield made(
                f"{kind.value}, noisy count, 1 or 2 records",
                "thresholds",
                (1.0, 0.01),
                noised,
                edges,
            )
    yield made(
        "QuantileTree, median",
        "quantiles",
        (1.0, 0.0),
        median(pipeline_dp),
        np.linspace(0.5, 9.5, 10),
        size=3000,
    )


def median(_: Any) -> Callable[[int], float]:
    """The quantile tree that PipelineDP computes percentiles by."""
    from pydp.algorithms.quantile_tree import QuantileTree

    def one(side: int) -> float:
        tree = QuantileTree(0.0, 10.0, 4, 16)
        for value in [1.0, 2.0, 8.0, 9.0][: 3 + side]:
            tree.add_entry(value)
        return tree.compute_quantiles(1.0, 0.0, 1, 1, [0.5], "laplace")[0]

    return one


def jax_privacy() -> Iterator[Release]:
    """jax_privacy: noise as documented, and samplers as their formal guarantees say, which accountants rely on."""
    import dp_accounting
    import jax
    from jax_privacy import batch_selection, noise_addition

    sigma = dp_accounting.get_sigma_gaussian(1.0, 0.01)

    def noisy(side: int, n: int) -> np.ndarray:
        privatizer = noise_addition.gaussian_privatizer(stddev=sigma, prng_key=7 + side)
        zeros = jax.numpy.full(n, float(side))
        return np.asarray(privatizer.update(zeros, privatizer.init(zeros))[0])

    yield Release(
        "jax_privacy",
        "gaussian_privatizer, sigma by dp_accounting",
        "noise",
        (1.0, 0.01),
        noisy,
        REAL,
        normal(sigma),
        size=40_000,
    )

    def sampled(strategy: Any, records: int) -> Callable[[int], float]:
        """The noisy size of a batch, with one record more; Laplace noise of scale 1 on it."""
        rng = np.random.default_rng(11)

        def one(side: int) -> float:
            batch = next(iter(strategy.batch_iterator(records + side, rng)))
            return batch.size + rng.laplace()

        return one

    def law(side: int) -> np.ndarray:
        sizes = np.arange(5 + side)
        chances = np.array(
            [
                np.prod([(4 + side - i) / (i + 1) for i in range(k)])
                * 0.3**k
                * 0.7 ** (4 + side - k)
                for k in sizes
            ]
        )
        return of_cdf(
            lambda x: sum(
                w * laplace(x, float(k), 1.0)
                for k, w in zip(sizes, chances, strict=True)
            ),
            REAL,
        )

    amplified = float(np.log1p(0.3 * np.expm1(1.0)))
    poisson = batch_selection.CyclicPoissonSampling(sampling_prob=0.3, iterations=1)
    yield Release(
        "jax_privacy",
        "CyclicPoissonSampling, then Laplace",
        "sampling",
        (amplified, 0.0),
        repeated(sampled(poisson, 4)),
        REAL,
        law,
    )


LIBRARIES = {
    "OpenDP": ("opendp", opendp),
    "diffprivlib": ("diffprivlib", diffprivlib),
    "PipelineDP": ("pipeline-dp", pipelinedp),
    "jax_privacy": ("jax-privacy", jax_privacy),
}
