"""Expected margins, runs that finish, and private students measured against the infinite ensemble."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.bounds.voting import high_margin_parameters, pate_agnostic_bound
from privml.pate import (
    NO_ANSWER,
    SparseVectorAggregator,
    erm_law,
    expected_margin,
    finishing_probability,
    high_margin_mass,
    infinite_ensemble,
    nearest_hypotheses,
    vote_noise,
    vote_threshold,
)
from privml.populations import TsybakovLine, voting_fails_example

N_POINTS = 32
DRAWS = 4000
SLOW = {"nu": 0.0, "xi": 0.0072, "n_public": 1000, "epsilon": 1.0, "delta": 1e-10, "beta": 0.05}
"""A problem whose printed number of teachers is too small."""


class _Problem:
    """A table of labels, the masses of its points, the best hypothesis, and the law of a teacher."""

    def __init__(self, table: NDArray, masses: NDArray, best: NDArray, law: NDArray) -> None:
        self.table, self.masses, self.best, self.law = table, masses, best, law

    @property
    def margins(self) -> NDArray[np.float64]:
        return expected_margin(self.law, self.table)


def _line(noise: float, n_samples: int, rng: np.random.Generator) -> _Problem:
    """Thresholds on a line with bounded noise."""
    line = TsybakovLine(tau=1.0, n_points=N_POINTS, scale=1 - 2 * noise)
    law = erm_law(line.hypotheses, line.population, n_samples, n_draws=DRAWS, rng=rng)
    table = line.hypotheses.predict(line.points)
    return _Problem(table, np.full(N_POINTS, 1 / N_POINTS), line.points >= 0.5, law)


def _example(with_centre: bool, n_samples: int = 24) -> _Problem:
    problem = voting_fails_example(with_centre)
    table = problem.hypotheses.predictions
    return _Problem(table, problem.masses, table[0], erm_law(*problem, n_samples))


def margin_profiles(xis: Sequence[float], seed: int) -> pd.DataFrame:
    """Mass of points with an expected margin of at most xi, for four problems.

    Parameters
    ----------
    xis : sequence of float
        Levels.
    seed : int
        Seed of the draws for the laws of teachers on the line.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``xi``, ``nu``.

    Notes
    -----
    **Source.** LZCW21-def-17 and LZCW21-rem-21.

    Examples
    --------
    >>> margin_profiles([0.5], 0)["nu"].round(6).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    rngs = np.random.default_rng(seed).spawn(3)
    problems = {
        "no noise, 30 records": _line(0.0, 30, rngs[0]),
        "noise, 30 records": _line(0.3, 30, rngs[1]),
        "noise, 300 records": _line(0.3, 300, rngs[2]),
        "voting fails": _example(False),
    }
    xi = np.asarray(xis, dtype=float)
    parts = [
        pd.DataFrame({"problem": name, "xi": xi, "nu": high_margin_mass(found.margins, found.masses, xi)})
        for name, found in problems.items()
    ]
    return pd.concat(parts, ignore_index=True)


def markov_steps(sizes: Sequence[int], seed: int) -> pd.DataFrame:
    """Low margins, the distance of the ensemble from the best threshold, and the bound on both.

    Parameters
    ----------
    sizes : sequence of int
        Records of a teacher.
    seed : int
        Seed of the draws.

    Returns
    -------
    DataFrame
        Columns ``records``, ``low margins``: mass with a margin of at most 1/6, ``distance``, ``bound``:
        three times the mean disagreement of a teacher with the best threshold.

    Notes
    -----
    **Source.** LZCW21-rem-21.

    Examples
    --------
    >>> table = markov_steps([10, 100], 0)
    >>> bool((table["low margins"] <= table["bound"]).all())
    True
    """
    rows = []
    for number, rng in zip(sizes, np.random.default_rng(seed).spawn(len(sizes)), strict=True):
        found = _line(0.3, number, rng)
        labels = infinite_ensemble(found.law, found.table).labels
        bound = 3 * found.law @ ((found.table != found.best) @ found.masses)
        low = float(high_margin_mass(found.margins, found.masses, 1 / 6))
        rows.append((number, low, float((labels != found.best) @ found.masses), float(bound)))
    return pd.DataFrame(rows, columns=["records", "low margins", "distance", "bound"])


def finishing_by_teachers(factors: Sequence[float]) -> pd.DataFrame:
    """Exact probability that a run labels all 1000 points, against the number of teachers.

    Parameters
    ----------
    factors : sequence of float
        Numbers of teachers, in multiples of the corrected one.

    Returns
    -------
    DataFrame
        Columns ``n_teachers``, ``finishes``, and ``statement``: "printed" and "corrected" for these two
        numbers, which are added to the list, and "" else.

    Notes
    -----
    All expected margins are 0.0072, votes are independent across points, epsilon = 1, delta = 1e-10.
    **Source.** LZCW21-prop-18.

    Examples
    --------
    >>> finishing_by_teachers([])[["n_teachers", "statement"]].values.tolist()
    [[425124, 'printed'], [850526, 'corrected']]
    """
    problem = tuple(SLOW.values())
    cutoff, teachers = high_margin_parameters(*problem)
    _, fewer = high_margin_parameters(*problem, statement="printed")
    noise = vote_noise(cutoff, SLOW["epsilon"], SLOW["delta"], calibration="source", split="printed")
    options = {"calibration": "source", "n_queries": SLOW["n_public"]}
    threshold = vote_threshold(cutoff, noise, SLOW["delta"], **options)
    numbers = {round(factor * teachers): "" for factor in factors} | {fewer: "printed", teachers: "corrected"}
    rows = []
    for number, statement in sorted(numbers.items()):
        run = (0.5 + SLOW["xi"], number, SLOW["n_public"], cutoff, noise, threshold)
        rows.append((number, finishing_probability(*run), statement))
    return pd.DataFrame(rows, columns=["n_teachers", "finishes", "statement"])


def private_students(n_public: int, epsilon: float, delta: float, beta: float, seed: int) -> pd.DataFrame:
    """Runs of Algorithm 2 with the teachers and the cut-off of the theory, and the students in the class.

    Parameters
    ----------
    n_public : int
        Number of public points m.
    epsilon, delta : float
        Privacy of the labels.
    beta : float
        Failure probability of the labels, and again of the student.
    seed : int
        Seed of laws, teachers, points and noise.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``nu``, ``K``, ``T``, ``off``: labels that differ from the infinite ensemble's,
        ``student``: its distance from the infinite ensemble, ``bound`` on it, ``excess`` over the best.

    Notes
    -----
    Teachers are independent; each of K draws from the law of one, so their number costs nothing here.
    **Source.** LZCW21-thm-19 and LZCW21-prop-18, by simulation.

    Examples
    --------
    >>> private_students(1000, 1.0, 1e-6, 0.05, 0)[["off", "K"]].iloc[0].tolist()
    [0, 25148]
    """
    rngs = np.random.default_rng(seed).spawn(6)
    problems = {
        "voting fails": (_example(False), 0.15, np.zeros(5, dtype=bool)),
        "voting fails, with h4": (_example(True), 0.15, np.zeros(5, dtype=bool)),
        "line, noise, 300 records": (_line(0.3, 300, rngs[0]), 1 / 6, None),
    }
    rows = []
    for (name, (found, xi, labels)), rng in zip(problems.items(), rngs[1:], strict=False):
        rows.append((name, *_run(found, xi, labels, (n_public, epsilon, delta, beta), rng)))
    return pd.DataFrame(rows, columns=["problem", "nu", "K", "T", "off", "student", "bound", "excess"])


def _run(
    found: _Problem, xi: float, wrong: NDArray | None, setting: tuple, rng: np.random.Generator
) -> tuple:
    """One run: parameters, released labels, student; `wrong` is the label False where all labels are True."""
    n_public, epsilon, delta, beta = setting
    nu = float(high_margin_mass(found.margins, found.masses, xi))
    cutoff, teachers = high_margin_parameters(nu, xi, n_public, epsilon, delta, beta)
    votes = rng.multinomial(teachers, found.law) @ found.table
    points = rng.choice(len(found.masses), size=n_public, p=found.masses)
    counts = np.stack([teachers - votes, votes], axis=1)[points]
    options = {"calibration": "source", "split": "printed", "n_queries": n_public}
    aggregator = SparseVectorAggregator(cutoff=cutoff, epsilon=epsilon, delta=delta, **options)
    released = aggregator.answer_counts(counts, rng=rng).labels
    labels = np.where(released == NO_ANSWER, 0, released).astype(bool)
    ensemble = infinite_ensemble(found.law, found.table).labels
    shares = np.full(n_public, 1 / n_public)
    student = found.table[nearest_hypotheses(found.table[:, points], labels, shares)[0]]
    least = float(((found.table != ensemble) @ found.masses).min())
    growth = np.log(len(np.unique(found.table, axis=0)))
    bound = pate_agnostic_bound(least, cutoff, n_public, beta, log_growth=growth)
    truth = found.best if wrong is None else ~wrong
    errors = (found.table != truth) @ found.masses
    excess = float((student != truth) @ found.masses - errors.min())
    off = int((labels != ensemble[points]).sum())
    return nu, teachers, cutoff, off, float((student != ensemble) @ found.masses), bound, excess
