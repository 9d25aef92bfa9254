"""Five rows of Table 1 on one set of real records: size and texture of tumours, on public scales."""

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.datasets import load_breast_cancer
from privml.hypotheses import Thresholds
from privml.learnability import LearningProblem, exponential_law
from privml.learnability.problems import rescaled_problem
from privml.learnability.problems.subspaces import line_projections, projection_loss
from privml.learnability.problems.supervised import squared_loss, zero_one_loss
from privml.learnability.problems.unsupervised import centres_loss, log_loss

FEATURES = (0, 1)  # mean radius and mean texture
N_CUTS, N_CENTRES, N_LINES, N_CELLS, N_ANGLES, FLOOR = 33, 6, 11, 4, 24, 0.2


def _classification(X: NDArray, y: NDArray) -> LearningProblem:
    cuts = Thresholds(np.linspace(0, 1, N_CUTS))
    return rescaled_problem(zero_one_loss(cuts.predict(X[:, 0]), y), upper=1.0)


def _regression(X: NDArray, y: NDArray) -> LearningProblem:
    ends = np.array(list(product(np.linspace(0, 1, N_LINES), repeat=2)))
    predicted = ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * X[:, 0]
    return rescaled_problem(squared_loss(predicted, X[:, 1]), upper=1.0, hypotheses=ends)


def _density(X: NDArray, y: NDArray) -> LearningProblem:
    shares = [np.diff((-1, *bars, N_CELLS + 7)) - 1 for bars in combinations(range(N_CELLS + 7), N_CELLS - 1)]
    masses = FLOOR / N_CELLS + (1 - FLOOR) * np.array(shares) / np.sum(shares[0])
    cells = np.minimum((X[:, 0] * N_CELLS).astype(int), N_CELLS - 1)
    bounds = {"lower": -np.log(N_CELLS), "upper": -np.log(FLOOR)}
    return rescaled_problem(log_loss(N_CELLS * masses[:, cells]), hypotheses=masses, **bounds)


def _clustering(X: NDArray, y: NDArray) -> LearningProblem:
    values = np.linspace(0, 1, N_CENTRES)
    points = np.stack(np.meshgrid(values, values, indexing="ij"), axis=-1).reshape(-1, 2)
    centres = points[np.array(list(combinations(range(len(points)), 2)))]
    return rescaled_problem(centres_loss(centres, X), upper=2.0, hypotheses=centres)


def _components(X: NDArray, y: NDArray) -> LearningProblem:
    angles = np.arange(N_ANGLES) * np.pi / N_ANGLES
    return rescaled_problem(
        projection_loss(line_projections(angles), X - 0.5), upper=0.5, hypotheses=np.degrees(angles)
    )


TASKS = {
    "binary classification": _classification,
    "regression": _regression,
    "density estimation": _density,
    "k-means": _clustering,
    "principal components": _components,
}


def tumour_problem(task: str) -> LearningProblem:
    """One question about the tumours as a learning problem; its records are the 569 tumours themselves.

    Parameters
    ----------
    task : str
        A key of `TASKS`.

    Returns
    -------
    LearningProblem
        With losses in [0, 1] from public ranges.

    Examples
    --------
    >>> tumour_problem("k-means").losses.shape
    (630, 569)
    """
    cancer = load_breast_cancer()
    return TASKS[task](cancer.X[:, FEATURES], cancer.y)


def tumour_answers(epsilons: Sequence[float]) -> pd.DataFrame:
    """Private answers to all five questions: exact expected excess of the empirical risk.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters in nats, replace-one.

    Returns
    -------
    DataFrame
        Columns ``question``, ``hypotheses``, ``epsilon``, ``best`` (least empirical risk, in [0, 1]),
        ``blind`` (excess of a uniformly drawn hypothesis), ``excess`` of the exponential mechanism, and
        ``bound``, ``2 ln|H| / (m epsilon)``.

    Examples
    --------
    >>> tumour_answers([1.0])["excess"].round(4).tolist()
    [0.0003, 0.003, 0.0018, 0.0069, 0.0018]
    """
    lines = []
    for task in TASKS:
        problem = tumour_problem(task)
        counts = np.ones((1, problem.n_records), dtype=np.int64)
        gaps = problem.excess_empirical_risk(counts)[0]
        best = float(problem.best_empirical_risk(counts)[0])
        for epsilon in epsilons:
            excess = float(exponential_law(problem, epsilon)(counts)[0] @ gaps)
            bound = 2 * np.log(problem.n_hypotheses) / (problem.n_records * epsilon)
            lines.append((task, problem.n_hypotheses, epsilon, best, gaps.mean(), excess, bound))
    columns = ["question", "hypotheses", "epsilon", "best", "blind", "excess", "bound"]
    return pd.DataFrame(lines, columns=columns)


def tumour_curves(epsilons: Sequence[float]) -> pd.DataFrame:
    """Excess of the private answers against epsilon, one row a point, for a figure.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters in nats, replace-one.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``curve``, ``excess``: one curve a question, and the bound for the largest class.

    Examples
    --------
    >>> tumour_curves([1.0])["curve"].tolist()[-1]
    'bound for 630 hypotheses'
    """
    answers = tumour_answers(epsilons)
    curves = answers.rename(columns={"question": "curve"})[["epsilon", "curve", "excess"]]
    largest = answers[answers["hypotheses"] == answers["hypotheses"].max()]
    name = f"bound for {largest['hypotheses'].iloc[0]} hypotheses"
    bound = pd.DataFrame({"epsilon": largest["epsilon"], "curve": name, "excess": largest["bound"]})
    return pd.concat([curves, bound], ignore_index=True)
