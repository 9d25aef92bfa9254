"""Accuracies on real records, from the committed study, beside the quoted ones."""

import numpy as np
import pandas as pd

from privml import results
from privml.experiments.private_learners_side_by_side.quoted import quoted
from privml.results.private_erm import EPSILONS


def committed() -> pd.DataFrame:
    """The committed table of accuracies."""
    return results.read("private-erm")


def accuracies(data: str) -> pd.DataFrame:
    """Committed accuracies on one data set, with the quoted ones below, spread out over epsilon.

    Parameters
    ----------
    data : str
        Name of a data set.

    Returns
    -------
    DataFrame
        Columns ``method``, ``promise`` and one for each epsilon.

    Examples
    --------
    >>> accuracies("digits").shape
    (14, 6)
    """
    ours, theirs = committed(), quoted()
    ours = ours[(ours["data"] == data) & np.isfinite(ours["epsilon"])]
    theirs = theirs[theirs["data"] == data].assign(method=lambda t: t["method"] + " [quoted]")
    both = pd.concat([ours, theirs])
    wide = both.pivot_table(index=["method", "promise"], columns="epsilon", values="accuracy", sort=False)
    wide.columns = [f"ε = {epsilon:g}" for epsilon in wide.columns]
    return wide.reset_index()


def duel(data: str) -> pd.DataFrame:
    """For each guarantee and epsilon: the method named beforehand, our best, and the best quoted number.

    Parameters
    ----------
    data : str
        "breast cancer" or "digits".

    Returns
    -------
    DataFrame
        Columns ``promise``, ``epsilon``, ``named`` (objective perturbation where delta is 0, else noisy
        gradient descent), ``error``, ``best``, ``quoted``, ``anew`` (the yardstick in our run).

    Examples
    --------
    >>> duel("digits").shape
    (8, 7)
    """
    ours, theirs, found = committed(), quoted(), []
    ours, theirs = (t[t["data"] == data] for t in (ours, theirs))
    for promise, name in (("ε", "objective perturbation"), ("(ε, δ)", "noisy gradient descent")):
        for epsilon in EPSILONS:
            here = ours[(ours["promise"] == promise) & (ours["epsilon"] == epsilon)]
            there = theirs[(theirs["promise"] == promise) & (theirs["epsilon"] == epsilon)]
            named = here[here["method"] == name].iloc[0]
            anew = here[here["method"].str.startswith("yardstick")]["accuracy"].mean()
            best = here[~here["method"].str.startswith("yardstick")]["accuracy"].max()
            other = there["accuracy"].max()
            found.append((promise, epsilon, named["accuracy"], named["error"], best, other, anew))
    return pd.DataFrame(found, columns=["promise", "epsilon", "named", "error", "best", "quoted", "anew"])


def curves(data: str) -> pd.DataFrame:
    """What a figure shows of one data set: our methods, the best quoted numbers, and the two references.

    Parameters
    ----------
    data : str
        Name of a data set.

    Returns
    -------
    DataFrame
        Columns ``method``, ``promise``, ``epsilon``, ``accuracy``; epsilon is infinite for the references.

    Examples
    --------
    >>> sorted(set(curves("a9a")["promise"]))
    ['(ε, δ)', 'none', 'ε']
    """
    ours, theirs = committed(), quoted()
    ours = ours[(ours["data"] == data) & ~ours["method"].str.startswith("yardstick")]
    theirs = theirs[theirs["data"] == data]
    best = theirs.groupby(["promise", "epsilon"], sort=False, as_index=False)["accuracy"].max()
    both = pd.concat([ours, best.assign(method="best quoted")])
    return both[["method", "promise", "epsilon", "accuracy"]].reset_index(drop=True)
