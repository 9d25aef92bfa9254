"""Votes that fail and votes that win, exactly; and the dimension of classes of votes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.bounds.voting import majority_error_bound, vote_vc_bound
from privml.counterexamples import median_class, union_class
from privml.hypotheses import Thresholds, vc_dimension_by_brute_force
from privml.pate import erm_law, infinite_ensemble, majority_probability, nearest_hypotheses, vote_closure
from privml.populations import VotingProblem, voting_fails_example, voting_wins_example

RECORDS = 24  # of a teacher, in the exact sums over all samples


def _ensemble(problem: VotingProblem, ties: str = "uniform", n_samples: int = RECORDS) -> np.ndarray:
    law = erm_law(*problem, n_samples, ties=ties)
    return infinite_ensemble(law, problem.hypotheses.predictions).labels


def voting_table() -> pd.DataFrame:
    """Labels and errors of Example 1: three hypotheses, and two infinite ensembles by how ties are broken.

    Returns
    -------
    DataFrame
        One row a classifier; columns ``classifier``, ``x1`` to ``x4``, ``error``.

    Notes
    -----
    **Source.** LZCW21-fig-1, with a last row for ties to the first and one record a teacher.

    Examples
    --------
    >>> voting_table()["error"].tolist()
    [0.0, 0.5, 0.5, 0.5, 0.75, 0.5]
    """
    problem = voting_fails_example()
    rows = {"y": np.ones(5, dtype=bool)}
    rows |= {f"h{i + 1}": row for i, row in enumerate(problem.hypotheses.predictions)}
    rows["vote, ties drawn"] = _ensemble(problem)
    rows["vote, first of ties, 1 record"] = _ensemble(problem, ties="first", n_samples=1)
    table = pd.DataFrame([row[:4].astype(int) for row in rows.values()], columns=["x1", "x2", "x3", "x4"])
    table.insert(0, "classifier", list(rows))
    return table.assign(error=[float((~row) @ problem.masses) for row in rows.values()])


def majority_errors(n_teachers: Sequence[int]) -> pd.DataFrame:
    """Expected error of the majority of independent teachers, where voting fails and where it wins.

    Parameters
    ----------
    n_teachers : sequence of int
        Numbers of teachers.

    Returns
    -------
    DataFrame
        Columns ``n_teachers``, ``example``, ``majority``, ``voter``: the error of one teacher.

    Notes
    -----
    **Source.** LZCW21-ex-1 and LZCW21-ex-2.

    Examples
    --------
    >>> majority_errors([1, 3])["majority"].round(4).tolist()
    [0.5, 0.5556, 0.3333, 0.2593]
    """
    number = np.asarray(n_teachers)
    fails = 3 / 4 * (1 - majority_probability(1 / 3, number))
    wins = 1 - majority_probability(2 / 3, number)
    parts = [("voting fails", fails, 1 / 2), ("voting wins", wins, 1 / 3)]
    return pd.concat(
        [
            pd.DataFrame({"n_teachers": number, "example": name, "majority": error, "voter": voter})
            for name, error, voter in parts
        ],
        ignore_index=True,
    )


def majority_tails(xis: Sequence[float], n_teachers: Sequence[int]) -> pd.DataFrame:
    """Exact error of a majority of voters that are better than a coin by xi, and Hoeffding's bound.

    Parameters
    ----------
    xis : sequence of float
        How much better than a coin.
    n_teachers : sequence of int
        Numbers of voters; ties count as errors.

    Returns
    -------
    DataFrame
        Columns ``xi``, ``n_teachers``, ``exact``, ``bound``.

    Notes
    -----
    **Source.** LZCW21-ex-2.

    Examples
    --------
    >>> majority_tails([0.1], [1, 11]).round(4).values.tolist()
    [[0.1, 1.0, 0.4, 0.9802], [0.1, 11.0, 0.2465, 0.8025]]
    """
    rows = []
    for xi in xis:
        for number in n_teachers:
            exact = float(majority_probability(0.5 - xi, number))
            rows.append((xi, number, exact, majority_error_bound(number, xi)))
    return pd.DataFrame(rows, columns=["xi", "n_teachers", "exact", "bound"])


def inconsistency(best_errors: Sequence[float], n_samples: int = RECORDS) -> pd.DataFrame:
    """Error of a student of the infinite ensemble, in the class of Example 1 and with the centre added.

    Parameters
    ----------
    best_errors : sequence of float
        Least errors of the class.
    n_samples : int, default 24
        Records of a teacher.

    Returns
    -------
    DataFrame
        Columns ``best error``, ``printed class`` and ``with h4``: the student's excess error, ``share``: the
        latter over the best error, ``centre``: how often a teacher returns the fourth hypothesis.

    Notes
    -----
    Of students at the least distance, the worst; the public points are infinitely many.
    **Source.** LZCW21-rem-inconsistency.

    Examples
    --------
    >>> inconsistency([0.5], 12).drop(columns="centre").round(6).values.tolist()
    [[0.5, 0.0, 0.25, 0.5]]
    """
    rows = []
    for best in best_errors:
        excess = []
        for with_centre in (False, True):
            problem = voting_fails_example(with_centre, best)
            errors = problem.population.error_rates(problem.hypotheses)
            labels = _ensemble(problem, n_samples=n_samples)
            students = nearest_hypotheses(problem.hypotheses.predictions, labels, problem.masses)
            excess.append(float(errors[students].max() - errors.min()))
        rows.append((best, *excess, excess[1] / best, float(erm_law(*problem, n_samples)[3])))
    return pd.DataFrame(rows, columns=["best error", "printed class", "with h4", "share", "centre"])


def students_by_class() -> pd.DataFrame:
    """Error of a student of the infinite ensemble in the class and among votes of three, for both examples.

    Returns
    -------
    DataFrame
        Columns ``example``, ``student in``, ``error``, ``excess`` over the best hypothesis, ``distance`` from
        the infinite ensemble.

    Notes
    -----
    **Source.** LZCW21-thm-20: the case for and against a student that votes.

    Examples
    --------
    >>> students_by_class()["error"].round(4).tolist()
    [0.5, 0.75, 0.3333, 0.0]
    """
    rows = []
    for name, problem in (("voting fails", voting_fails_example()), ("voting wins", voting_wins_example())):
        labels, table = _ensemble(problem, n_samples=12), problem.hypotheses.predictions
        best = problem.population.best(problem.hypotheses).error
        for kind, rules in (("H", table), ("Vote3(H)", vote_closure(table, 3))):
            student = rules[nearest_hypotheses(rules, labels, problem.masses)[0]]
            error = float((~student) @ problem.masses)
            distance = float((student != labels) @ problem.masses)
            rows.append((name, kind, error, error - best, distance))
    return pd.DataFrame(rows, columns=["example", "student in", "error", "excess", "distance"])


def vote_dimensions() -> pd.DataFrame:
    """VC dimension of classes and of their votes, by going through everything.

    Returns
    -------
    DataFrame
        Columns ``class``, ``voters`` K, ``d``, ``K d``, ``dimension`` of the votes, and ``bound``.

    Notes
    -----
    **Source.** LZCW21-def-vote-class.

    Examples
    --------
    >>> vote_dimensions()["dimension"].tolist()
    [1, 1, 5, 10]
    """
    cuts = Thresholds(np.arange(0.5, 8)).predict(np.arange(9.0))
    cases = [
        ("thresholds", cuts, 3),
        ("Example 1", voting_fails_example().hypotheses.predictions, 3),
        ("16 sets of 5 points", union_class(), 2),
        ("166 sets of 10 points", median_class(), 3),
    ]
    rows = []
    for name, table, voters in cases:
        d = vc_dimension_by_brute_force(table)
        votes = vc_dimension_by_brute_force(vote_closure(table, voters))
        rows.append((name, voters, d, voters * d, votes, vote_vc_bound(voters, d)))
    return pd.DataFrame(rows, columns=["class", "voters", "d", "K d", "dimension", "bound"])
