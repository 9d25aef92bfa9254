"""Contribution bounding: how many rows of a table one person may have.

A guarantee speaks of records.  If a person can have several rows, all of them must be counted as one group, and
their number must be bounded first, by a rule that treats each person by himself or herself.
"""

import warnings
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import entries, one_value_each, or_none
from privml.adjacency import Adjacency


def _person_numbers(persons: Any) -> NDArray[np.intp]:
    """A number for the person of each row, in order of first appearance, and -1 where no person is named."""
    values = one_value_each("persons", persons)
    dated = isinstance(values, np.ndarray) and values.dtype.kind in "mM"
    identifiers = entries(values if dated else np.asarray(values, dtype=object))
    numbers: dict[Any, int] = {}
    unused = count()

    def number(identifier: object) -> int:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                key = or_none(identifier)
                if key is None:
                    return -1
                if key not in numbers:
                    numbers[key] = next(unused)
                return numbers[key]
        except Exception:  # what cannot be hashed or compared names nobody
            return -1

    return np.fromiter(map(number, identifiers), np.intp, len(identifiers))


def bound_contributions(
    persons: ArrayLike,
    max_rows: int,
    *,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.intp]:
    """Positions of the rows that may be used, so that no person contributes more than a given number.

    Each person's rows are chosen uniformly at random, without looking at what they hold or at anybody else's
    rows.  A release from the chosen rows, with a guarantee under the same relation, protects all rows of a person
    by ``guarantee.for_group(max_rows)``.

    Parameters
    ----------
    persons : array_like of shape (n_rows,)
        Private identifier of the person to whom each row belongs. Rows without one (None, NaN) are left out.
    max_rows : int
        Largest number of rows of one person, a positive integer up to 10^6.
    adjacency : Adjacency
        Neighbouring relation of the release that follows. Under ``ADD_OR_REMOVE_ONE`` a person keeps at most
        `max_rows` rows. Under ``REPLACE_ONE``, where the number of records is public, everybody contributes
        exactly `max_rows` rows: whoever has fewer has them repeated.
    rng : int or Generator, optional
        Generator for the choice, or None: fresh entropy.  A seed that others know, or
        that is used twice, voids the promise: with it, one person's rows change the choice among those of others.

    Returns
    -------
    ndarray of shape (n_chosen,)
        Positions of the chosen rows, for ``values[rows]`` or ``table.iloc[rows]``. The rows of a person stand
        together, and persons are in the order of their first rows.

    Raises
    ------
    ValueError
        If `persons` does not have one identifier for each row, or `max_rows` is out of range.

    Notes
    -----
    *Privacy.* Think of the data as a list of persons, each with his or her rows. If a person is removed (replaced),
    the choices of all others keep their distribution, and the chosen rows differ in at most `max_rows` records.
    They are therefore neighbours that many steps apart, and group privacy applies to each outcome of the choice.
    Under ``REPLACE_ONE`` the number of persons is public. The positions themselves are not private.

    Examples
    --------
    >>> from privml import Adjacency, PrivateCount
    >>> patients = ["ann", "bob", "ann", "ann", "eve", "ann"]
    >>> coughs = np.array([1, 0, 1, 1, 0, 1])
    >>> add = Adjacency.ADD_OR_REMOVE_ONE
    >>> rows = bound_contributions(patients, 2, adjacency=add, rng=0)
    >>> np.array(patients)[rows].tolist()
    ['ann', 'ann', 'bob', 'eve']
    >>> found = PrivateCount(epsilon=0.5, adjacency=add).release(coughs[rows], rng=0)
    >>> print(found.guarantee.for_group(2))
    1-differential privacy (add-or-remove-one, a person or group with at most 2 records)
    """
    check.positive_integer(max_rows=max_rows)
    check.at_most(10**6, max_rows=max_rows)
    check.instance(Adjacency, adjacency=adjacency)
    numbers = _person_numbers(persons)
    # A stable sort by person keeps the random order within each person.
    shuffled = np.random.default_rng(rng).permutation(numbers.size)
    shuffled = shuffled[numbers[shuffled] >= 0]
    order = shuffled[np.argsort(numbers[shuffled], kind="stable")]
    sizes = np.bincount(numbers[order])
    starts = np.cumsum(sizes) - sizes
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE:
        place_within_person = np.arange(order.size) - np.repeat(starts, sizes)
        return order[place_within_person < max_rows]
    repeats = np.arange(max_rows)[None, :] % sizes[:, None]
    return order[starts[:, None] + repeats].ravel()


check.wrap_module(__name__)
