"""People with two records each, for the proof problem of the chapter on weaker privacy."""

from itertools import combinations_with_replacement

import numpy as np

from book.tools.chapter_code import chapter_module

chapter = chapter_module("weaker-privacy")


def success_users(K, n, epsilon):
    """Largest success for n people with two records each, each person protected."""
    people = chapter.data_sets(K, 2)
    sets = list(combinations_with_replacement(people, n))
    place = {z: i for i, z in enumerate(sets)}
    pairs = []
    for z in sets:
        for i in range(n):
            for person in people:
                changed = tuple(sorted(z[:i] + z[i + 1 :] + (person,)))
                pairs.append((place[z], place[changed]))
    costs = []
    for i, z in enumerate(sets):
        inconsistent = chapter.mistakes(sum(z, ()), K) > 0
        if not inconsistent.all():
            cost = np.zeros((len(sets), K + 1))
            cost[i] = inconsistent
            costs.append(cost.ravel())
    private = chapter.privacy_rows(pairs, len(sets), K + 1, epsilon)
    return 1 - chapter.least_largest_cost(costs, private, K + 1)
