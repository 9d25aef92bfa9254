"""Questions of `benchmarks.peers` about whole things: a rule learned from real records, and the import."""

import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.questions import EPSILON, Answer, Question


def tumours() -> Question:
    """Mean accuracy of private linear rules for the tumours, pure epsilon = 1, over 20 splits."""
    from privml.datasets import load_breast_cancer

    data = load_breast_cancer()
    orders = [
        np.random.default_rng(seed).permutation(len(data.y)) for seed in range(20)
    ]
    splits = [(order[:398], order[398:]) for order in orders]

    def mean(fitted: Callable[[Any, Any, int], Any]) -> Callable[[], float]:
        def run() -> float:
            models = [
                fitted(data.X[learn], data.y[learn], s)
                for s, (learn, _) in enumerate(splits)
            ]
            scores = [
                m.score(data.X[t], data.y[t])
                for m, (_, t) in zip(models, splits, strict=True)
            ]
            return float(np.mean(scores))

        return run

    def floor() -> Callable[[], Any]:
        from sklearn.linear_model import LogisticRegression

        return mean(lambda X, y, seed: LogisticRegression(max_iter=2000).fit(X, y))

    def ours() -> Callable[[], Any]:
        from privml import ObjectivePerturbation

        options = {"bounds": (0.0, 1.0), "classes": (False, True)}
        return mean(
            lambda X, y, seed: ObjectivePerturbation(EPSILON, **options).fit(
                X, y, rng=seed
            )
        )

    def diffprivlib() -> Callable[[], Any]:
        from diffprivlib.models import LogisticRegression

        options = {
            "epsilon": EPSILON,
            "data_norm": math.sqrt(data.X.shape[1]),
            "max_iter": 1000,
        }
        return mean(
            lambda X, y, seed: LogisticRegression(random_state=seed, **options).fit(
                X, y
            )
        )

    answers = [
        Answer("floor", floor, 20.0, float, "not private"),
        Answer("privml", ours, 20.0, float),
        Answer(
            "diffprivlib",
            diffprivlib,
            20.0,
            float,
            "defaults; its proof fails for this norm",
        ),
    ]
    return Question("a linear rule for the tumours", answers, 3)


def imports() -> Question:
    """A fresh interpreter that imports the package."""

    def fresh(code: str) -> Callable[[], Callable[[], Any]]:
        def make() -> Callable[[], Any]:
            command = [sys.executable, "-W", "ignore", "-c", code]
            return lambda: subprocess.run(command, check=True, capture_output=True)

        return make

    modules = {
        "privml": "privml",
        "diffprivlib": "diffprivlib.mechanisms",
        "OpenDP": "opendp.prelude",
        "dp_accounting": "dp_accounting",
        "autodp": "autodp.mechanism_zoo",
        "prv_accountant": "prv_accountant",
    }
    answers = [
        Answer(tool, fresh(f"import {module}")) for tool, module in modules.items()
    ]
    return Question("start and import", [Answer("floor", fresh("")), *answers], 3)


QUESTIONS = [tumours(), imports()]
