"""The exact law of a program that flips exact coins: all sequences of flips, each with its probability.

The program is run again and again.  Each run follows a script of flips; flips beyond the script come up
tails, and the run is extended to both sides there.  This examines the code that runs, not a model of it.
"""

import math
from itertools import combinations
from unittest.mock import patch

import numpy as np

from privml.coins import Coin


def heads_probability(coin):
    """Probability of a coin from its first four digits: exact to 2^-64."""
    return math.fsum(
        coin.digit(index) * 2.0 ** (-16 * (index + 1)) for index in range(4)
    )


def exact_law(program, *, lost):
    """Probabilities of the results of a program, and the probability of the branches that were cut off.

    A branch is cut off when its probability is at most `lost`.
    """
    law, missing, scripts = {}, 0.0, [()]
    while scripts:
        script = scripts.pop()
        probabilities, flips = [], list(script)

        def flip(coin, size, rng, probabilities=probabilities, flips=flips):
            results = []
            for _ in range(size):
                if len(probabilities) == len(flips):
                    flips.append(False)
                results.append(flips[len(probabilities)])
                probabilities.append(heads_probability(coin))
            return np.array(results, dtype=bool)

        with patch.object(Coin, "flip", flip):
            result = program()
        chances = [
            p if up else 1 - p for p, up in zip(probabilities, flips, strict=True)
        ]
        law[result] = law.get(result, 0.0) + math.prod(chances)
        for place in range(len(script), len(flips)):
            branch = (*flips[:place], True)
            weight = math.prod(chances[:place]) * probabilities[place]
            if weight > lost:
                scripts.append(branch)
            else:
                missing += weight
    return law, missing


class Scripted(np.random.Generator):
    """A generator whose uniform floats are given."""

    def __init__(self, *uniform):
        super().__init__(np.random.PCG64(0))
        self.left = list(uniform)

    def random(self, size=None):
        return np.array([self.left.pop(0) for _ in range(size)])


def growth_function(predictions, size):
    """Largest number of different labellings of `size` points, by trying all sets of them."""
    columns = combinations(range(len(predictions[0])), size)
    return max(
        len({tuple(row[point] for point in points) for row in predictions})
        for points in columns
    )
