"""Functions with which the tests of subsampling check the theorems of the chapter."""

import numpy as np

from book.tools.chapter_code import chapter_module
from privml.adjacency import Adjacency
from privml.composition import amplified_epsilon, amplified_epsilon_wlf16

chapter = chapter_module("subsampling")


def talkative_alarm_law(epsilon, delta, size):
    """The alarm, or with probability delta the sum of the bits in the open."""
    said = np.eye(size + 1)
    alarm = chapter.alarm_law(epsilon, size)
    return lambda z: np.append((1 - delta) * alarm(z), delta * said[int(np.sum(z))])


def open_size_law(epsilon, size):
    """The alarm together with the number of records."""

    def law(records):
        how_many = np.eye(size + 1)[len(records)]
        return np.kron(how_many, chapter.alarm_law(epsilon, size)(records))

    return law


def combinations_of_relations(epsilon, m, k):
    """Drawing, relations of promise and audit, mechanism, records, theory."""
    replace, add = Adjacency
    rate = k / m
    votes = [-1, 0, 1]
    swung = amplified_epsilon_wlf16(epsilon, rate, form="ratio")
    formula = amplified_epsilon(epsilon, rate)
    twice = amplified_epsilon(2 * epsilon, rate)
    watch_k = chapter.alarm_law(epsilon, k)
    watch_m = chapter.alarm_law(epsilon, m)
    size_too = open_size_law(epsilon, m)
    return [
        ("subset", replace, replace, watch_k, [0, 1], formula),
        ("coins", add, add, watch_m, votes, formula),
        ("coins", add, replace, watch_m, votes, swung),
        ("subset", add, add, watch_k, votes, twice),
        ("coins", replace, replace, size_too, [0, 1], epsilon),
    ]
