"""Accuracies of other private learners on breast cancer, measured elsewhere and quoted here."""

from collections.abc import Sequence

import pandas as pd

QUOTED = (
    ("naive Bayes, diffprivlib", 0.513, 0.625, 0.647, 0.729),
    ("logistic regression, diffprivlib, as it comes", 0.463, 0.530, 0.600, 0.589),
    ("the same, rows of norm 1", 0.485, 0.573, 0.615, 0.746),
    ("the same, best of 12 settings, chosen on test sets", 0.655, 0.811, 0.846, 0.892),
    ("noisy gradient descent, one setting of ten tried", 0.651, 0.870, 0.911, 0.922),
)
"""Mean accuracies on breast cancer at epsilon 0.1, 0.5, 1 and 2, from an earlier comparison of ours."""


def quoted() -> pd.DataFrame:
    """Accuracies of private learners on breast cancer that were measured elsewhere.

    Returns
    -------
    DataFrame
        Columns ``learner``, ``epsilon``, ``accuracy``.

    Examples
    --------
    >>> quoted().query("epsilon == 2.0")["accuracy"].tolist()
    [0.729, 0.589, 0.746, 0.892, 0.922]
    """
    rows = [
        (name, epsilon, value)
        for name, *values in QUOTED
        for epsilon, value in zip((0.1, 0.5, 1.0, 2.0), values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["learner", "epsilon", "accuracy"])


def beside_quoted(table: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """Our accuracies beside the quoted ones, one column for each epsilon.

    Parameters
    ----------
    table : DataFrame
        From `breast_cancer`.
    learners : sequence of str
        Rows of ours to show.

    Returns
    -------
    DataFrame
        Columns ``learner``, ``source`` and one for each epsilon.

    Examples
    --------
    >>> ours = pd.DataFrame({"learner": ["x"], "epsilon": [0.1], "accuracy": [0.5]})
    >>> beside_quoted(ours, ["x"]).shape
    (6, 6)
    """
    ours = table[table["learner"].isin(learners)].assign(source="here")
    both = pd.concat([ours, quoted().assign(source="quoted")])
    wide = both.pivot_table(index=["learner", "source"], columns="epsilon", values="accuracy", sort=False)
    wide.columns = [f"ε = {epsilon:g}" for epsilon in wide.columns]
    return wide.reset_index()
