"""Functions with which the tests of subsampling check the theorems of the chapter."""

import numpy as np

from book.tools.chapter_code import chapter_module

chapter = chapter_module("subsampling")


def talkative_alarm_law(epsilon, delta, size):
    """The alarm, or with probability delta the sum of the bits in the open."""
    said = np.eye(size + 1)
    alarm = chapter.alarm_law(epsilon, size)
    return lambda z: np.append((1 - delta) * alarm(z), delta * said[int(np.sum(z))])
