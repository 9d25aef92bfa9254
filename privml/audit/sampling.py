"""Auditing by draws: a lower bound on epsilon for a mechanism whose distribution is not at hand.

An event with probability p on one of two neighbouring data sets and q on the other shows that epsilon is at
least ``ln((p - delta) / q)``.  It is chosen on one half of the draws and judged on the other half, so the
choice costs nothing: for numbers among single values, if there are few or they are repeated, half-lines,
intervals and their complements, and NaN; for other outputs among single ones, told apart by their bytes.
Each draw is judged by itself: its type counts, and not what all draws of one side have in common, which one
rare draw may change.  Of a sampler whose two arrays differ in type each draw is therefore asked for alone.
Limits of the choice are stricter where many events compete: of two that tell as much the frequent one wins.

A low value proves nothing.  Sampling cannot see an event of a probability far below one in `n_draws`, draws
that depend on each other, noise of a fixed seed, which is the same for both data sets, the time of a call, or
another pair.
"""

import inspect
import pickle
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, combinations
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._display import POINTS, Picture, curve_picture, html_card, rounded_down
from privml._optional import counted
from privml.guarantee.promises import require_guarantee

N_CUTS = 200  # places at which half-lines end, from quantile to quantile
N_ENDS = 67  # of them those at which intervals end: two thousand intervals
ONE = (
    "Return a number or a label computed from the output, such as one entry, the difference of two, or "
    "str(run.crossings)."
)
MOST_DRAWS = 10**10  # more on one data set no memory holds


class MonteCarloAudit(NamedTuple):
    """What an audit by draws found: the event, and its counts where it is frequent and elsewhere.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative: the lower bound.
    event : str
        What was judged, in words.
    counts : tuple of int
        Here how often it occurred, where it is frequent and elsewhere.
    n_judged : int
        Number of draws judged on each data set, a positive integer.
    confidence : float
        Probability with which the bound holds, in (0, 1).
    """

    epsilon: float
    event: str
    counts: tuple[int, int]
    n_judged: int
    confidence: float

    def refutes(self, claim: Any) -> bool:
        """Whether the counts contradict a claim about the pair, which was made before the draws.

        A true claim is refuted with probability at most ``1 - confidence``; one that is not may be false.

        Parameters
        ----------
        claim : Guarantee, or mechanism or fitted learner that has one
            What is said of the sampler, under a relation that makes the pair neighbours.
        """
        claim = require_guarantee("claim", claim)
        return bool(
            _bounds(self.counts, self.n_judged, claim.delta, 1 - self.confidence)
            > claim.epsilon
        )

    def _repr_html_(self) -> str:
        rows = [
            ("epsilon at least", rounded_down(self.epsilon, 4)),
            ("event", self.event),
        ]
        note = (
            f"of {self.n_judged} draws each, confidence {rounded_down(self.confidence)}"
        )
        return html_card(
            "Monte Carlo audit",
            [*rows, ("counts", " and ".join(map(str, self.counts)))],
            note,
        )

    def plot(self, axes: Any = None) -> Picture:
        """Picture of the least delta that is not refuted at each epsilon, on `axes` if they are given."""
        low, high = clopper_pearson(
            self.counts, self.n_judged, (1 - self.confidence) / 2
        )
        places = np.linspace(
            0.0, float(np.log(max(low[0] / high[1], 1.0))) or 1.0, POINTS
        )
        deltas = np.maximum(low[0] - np.exp(places) * high[1], 0.0)
        return curve_picture(
            places, deltas, "epsilon", "delta at least", axes, ylim=(0, None)
        )


def clopper_pearson(
    counts: ArrayLike, n_draws: int, error: float
) -> tuple[NDArray, NDArray]:
    """Clopper-Pearson limits for probabilities, each one missed with probability at most `error`.

    Parameters
    ----------
    counts : array_like
        Here numbers of successes, integers from 0 to n_draws.
    n_draws : int
        Number of draws, a positive integer.
    error : float
        Here the chance that a limit misses, in (0, 1).

    Returns
    -------
    tuple
        Lower and upper limits, of the shape of the counts.

    Raises
    ------
    ValueError
        If a count is not from 0 to n_draws.

    Examples
    --------
    >>> [round(float(limit), 3) for limit in clopper_pearson(0, 100, 0.05)]
    [0.0, 0.03]
    """
    from scipy.special import betaincinv

    check.positive_integer(n_draws=n_draws)
    check.probability_open(error=error)
    counts = check.numbers(counts=counts)
    if not ((counts >= 0) & (counts <= n_draws) & (counts % 1 == 0)).all():
        raise ValueError(
            f"counts must be whole numbers from 0 to n_draws ({n_draws}), but some entries are not."
        )
    lower = betaincinv(
        np.maximum(counts, 1), n_draws - np.maximum(counts, 1) + 1, error
    )
    fewer = np.minimum(counts, n_draws - 1)
    upper = betaincinv(fewer + 1, n_draws - fewer, 1 - error)
    return np.where(counts == 0, 0.0, lower), np.where(counts == n_draws, 1.0, upper)


class _Event(NamedTuple):
    """The outputs from low to high, ends included, or all others."""

    name: str
    low: float
    high: float
    inside: bool = True


NAN = _Event("output is NaN", -np.inf, np.inf, inside=False)  # what no interval holds
NO_NUMBER = NAN._replace(name="output is no number")


def _events(outputs: NDArray) -> list[_Event]:
    """Single values if there are few, half-lines, intervals and their complements, NaN."""
    outputs = np.sort(outputs[outputs == outputs])
    if not outputs.size:
        return [NAN]
    values = np.unique(outputs)
    singles = (
        [_Event(f"output == {v!r}", v, v) for v in values.tolist()]
        if values.size <= N_CUTS
        else []
    )
    places = np.linspace(0, outputs.size - 1, N_CUTS).astype(int)
    cuts = (values if singles else np.unique(outputs[places])).tolist()
    below = [_Event(f"output <= {v:.6g}", -np.inf, v) for v in cuts]
    above = [_Event(f"output >= {v:.6g}", v, np.inf) for v in cuts]
    ends = combinations(cuts[:: -(-len(cuts) // N_ENDS)], 2)
    within = [_Event(f"{v:.6g} <= output <= {w:.6g}", v, w) for v, w in ends]
    beyond = [
        _Event(f"not {event.name}", event.low, event.high, inside=False)
        for event in within
    ]
    return [*singles, *below, *above, *within, *beyond, NAN]


def _counts(events: list[_Event], side: NDArray) -> NDArray[np.int64]:
    """How many of the outputs of one side lie in each event."""
    ordered = np.sort(side[side == side])
    last = np.searchsorted(ordered, [event.high for event in events], side="right")
    counts = last - np.searchsorted(
        ordered, [event.low for event in events], side="left"
    )
    return np.where([event.inside for event in events], counts, side.size - counts)


def _key(output: object) -> tuple:
    """What tells one output from another: type and bytes; of an object its pickle, or else what it shows."""
    if not isinstance(output, (np.ndarray, np.generic)) or output.dtype.hasobject:
        with suppress(Exception):  # whatever an object's own methods raise
            return type(output), pickle.dumps(output)
        return type(output), repr(output)
    return output.dtype.str, output.shape, output.tobytes()


def _coded(
    draws: list[list[Any]], chosen_from: int
) -> tuple[list[NDArray], list[_Event]]:
    """Outputs of any kind as numbers: the place in the list of the most frequent ones, or -1."""
    keys = [list(map(_key, side)) for side in draws]
    frequent = Counter(key for side in keys for key in side[chosen_from:]).most_common(
        N_CUTS
    )
    place = {key: float(i) for i, (key, _) in enumerate(frequent)}
    coded = [np.array([place.get(key, -1.0) for key in side]) for side in keys]
    shown = dict(zip(chain(*keys), chain(*draws), strict=True))
    events = [_Event(f"output == {shown[key]!r}", i, i) for key, i in place.items()]
    return coded, [*events, _Event("another output", -1.0, -1.0)]


def _number(output: Any) -> float:
    """An output as a number on the line, NaN if it is none."""
    if not isinstance(output, (Real, np.bool_)):
        return np.nan
    try:
        return float(output)
    except OverflowError:
        return np.inf if output > 0 else -np.inf  # type: ignore[operator]
    except Exception:  # whatever an object's own conversion raises
        return np.nan


def _standard(output: Any) -> Any:
    """Python's number for numpy's of the same range, which a sampler may give as well."""
    same = isinstance(output, (np.float64, np.int64, np.bool_))
    return output.item() if same else output


def _kind_of(outputs: list[Any]) -> type | None:
    """The one type of all outputs, if numpy computes with it exactly."""
    kinds = set(map(type, outputs))
    kind = next(iter(kinds))
    if len(kinds) > 1 or not issubclass(kind, (float, int, np.number)):
        return None
    exact = kind is float or issubclass(kind, (np.floating, np.integer))
    return kind if exact or kind is int and all(map(_fits, outputs)) else None


def _fits(output: Any) -> bool:
    return type(output) is not int or -(2**63) <= output < 2**63


View = tuple[list[NDArray], list[_Event]]


def _views(draws: list[Any], n_judged: int) -> list[View]:
    """Outputs as numbers, in one way or two, and the events among which the second halves choose."""
    if all(isinstance(side, np.ndarray) for side in draws):
        return _views_of_numbers(draws, draws, n_judged)
    draws = [list(map(_standard, side)) for side in draws]
    chosen = [*draws[0][n_judged:], *draws[1][n_judged:]]
    if (kind := _kind_of(chosen)) is not None:
        own = [[type(o) is kind and _fits(o) for o in side] for side in draws]
        bits = [
            np.array(
                [o if mine else kind(0) for o, mine in zip(side, mask, strict=True)]
            )
            for side, mask in zip(draws, own, strict=True)
        ]
        sides = [
            side if all(mask) else np.array(list(map(_number, outputs)))
            for side, mask, outputs in zip(bits, own, draws, strict=True)
        ]
        views = _views_of_numbers(sides, bits, n_judged)
        for side, mask in zip(views[1][0], own, strict=True):
            side[~np.array(mask)] = -1  # an output of another type is none of those
        return views
    numbers = [np.array(list(map(_number, side))) for side in draws]
    line, coded = (
        np.concatenate([side[n_judged:] for side in numbers]),
        _coded(draws, n_judged),
    )
    if np.isnan(line).all() or set(map(type, chosen)) == {bool}:  # labels
        return [coded]
    events = [NO_NUMBER if event is NAN else event for event in _events(line)]
    types = Counter(map(type, chosen)).most_common(N_CUTS)
    place = {kind: float(i) for i, (kind, _) in enumerate(types)}
    sides = [np.array([place.get(type(o), -1.0) for o in side]) for side in draws]
    kinds = [
        _Event(f"output of type {each.__name__}", i, i) for each, i in place.items()
    ]
    return [(numbers, events), coded, (sides, kinds)]


def _views_of_numbers(
    sides: list[NDArray], bits: list[NDArray], n_judged: int
) -> list[View]:
    events = _events(np.concatenate([side[n_judged:] for side in sides]))
    return [(sides, events), _repeated(bits, n_judged)]


def _repeated(
    draws: list[NDArray], chosen_from: int
) -> tuple[list[NDArray], list[_Event]]:
    """Numbers that come more than once, told apart bit by bit: a record, a signed zero, a payload of NaN."""
    words = "u8" if draws[0].dtype.itemsize > 8 else f"u{draws[0].dtype.itemsize}"
    bits = [
        np.ascontiguousarray(side).view(words).reshape(side.size, -1)[:, 0]
        for side in draws
    ]
    chosen = np.concatenate([side[chosen_from:] for side in bits])
    values, where, counts = np.unique(chosen, return_index=True, return_counts=True)
    most = np.sort(np.argsort(-counts, kind="stable")[:N_CUTS])
    most = most[counts[most] > 1]
    repeated = np.concatenate([side[chosen_from:] for side in draws])[
        where[most]
    ].tolist()
    events = [
        _Event(f"output == {value!r}, bit by bit", i, i)
        for i, value in enumerate(repeated)
    ]
    if not events:
        return [np.zeros(side.size) for side in bits], []
    places = [
        np.searchsorted(values[most], side).clip(max=most.size - 1) for side in bits
    ]
    tests = zip(places, bits, strict=True)
    return [np.where(values[most][at] == side, at, -1.0) for at, side in tests], events


def _bounds(
    counts: tuple[ArrayLike, ArrayLike], n_draws: int, delta: float, error: float
) -> NDArray:
    """Lower limits of ln((p - delta) / q), at least 0, for counts of events on the two sides."""
    low, high = (
        clopper_pearson(side, n_draws, error / 2)[i] for i, side in enumerate(counts)
    )
    return np.maximum(0.0, np.log(np.maximum(low - delta, 1e-300) / high))


def _takes_one(sample: Callable) -> bool:
    """Whether a sampler takes the data and `rng` alone, and so gives one output a call."""
    try:
        signature = inspect.signature(sample)
    except ValueError:  # a built-in function may have none
        return False
    for arguments, named in ((None,), {"rng": None}), ((None,) * 3, {}):
        with suppress(TypeError):
            signature.bind(*arguments, **named)
            return bool(named) and "size" not in signature.parameters
    raise ValueError(
        f"sample must take (data, size, rng), or (data, rng=rng) for one output each, but got {signature}."
    )


def _judged(answer: Any) -> Any:
    """What is judged of one answer: of what holds a guarantee its value, if there is one."""
    output = (
        getattr(answer, "value", answer) if hasattr(answer, "guarantee") else answer
    )
    if (
        isinstance(output, list | tuple)
        or hasattr(output, "__next__")
        or bool(getattr(output, "ndim", 0))
    ):
        raise ValueError(
            f"sample must return one output per draw, but got {check._kind(output)}. {ONE}"
        )
    return output


def _drawn(
    sample: Callable,
    data: object,
    n_draws: int,
    rng: np.random.Generator,
    progress: bool,
    alone: bool = False,
) -> NDArray | list[Any]:
    """The outputs: an array of numbers as it is, all else one by one; each drawn `alone`, if that is asked."""
    steps = counted(range(n_draws), progress, total=n_draws, desc="draws")
    if _takes_one(sample):
        outputs = [sample(data, rng=rng) for _ in steps]
    elif alone:
        outputs = [_one_of(sample(data, 1, rng)) for _ in steps]
    else:
        outputs = sample(data, n_draws, rng)
    if isinstance(outputs, list | tuple):
        if len(outputs) != n_draws:
            raise ValueError(
                f"sample must return one output per draw, but got {len(outputs)}. {ONE}"
            )
        return [*map(_judged, outputs)]
    outputs = np.asarray(outputs)
    if outputs.shape != (n_draws,):
        raise ValueError(
            f"sample must return one output per draw, but got shape {outputs.shape}. {ONE}"
        )
    if outputs.dtype.kind in "OSU":
        return outputs.tolist()
    return outputs.astype(np.int8) if outputs.dtype.kind == "b" else outputs


def _one_of(outputs: Any) -> Any:
    """The one output of a call for one."""
    outputs = outputs if isinstance(outputs, list | tuple) else np.asarray(outputs)
    if len(outputs) != 1:
        raise ValueError(
            f"sample must return one output per draw, but got {len(outputs)}. {ONE}"
        )
    return outputs[0]


def _pair_of_draws(
    sample: Callable, pair: Any, n_draws: int, rng: np.random.Generator, progress: bool
) -> list[Any]:
    """The draws on both data sets, as two arrays of numbers of one type or as two lists."""
    draws = [_drawn(sample, data, n_draws, rng, progress) for data in pair]
    arrays = [side for side in draws if isinstance(side, np.ndarray)]
    if arrays and (len(arrays) == 1 or arrays[0].dtype != arrays[1].dtype):
        draws = [
            _drawn(sample, data, n_draws, rng, progress, alone=True) for data in pair
        ]
    elif arrays and arrays[0].dtype.kind not in "iuf":
        draws = [[*side] for side in arrays]
    return draws


def monte_carlo(
    sample: Callable,
    pair: tuple[object, object],
    n_draws: int,
    *,
    delta: float = 0.0,
    confidence: float = 0.99,
    progress: bool = False,
    rng: np.random.Generator | int | None = None,
) -> MonteCarloAudit:
    """Lower bound on epsilon from draws on one pair of neighbouring data sets.

    Parameters
    ----------
    sample : callable
        ``sample(data, size, rng)`` gives `size` independent outputs, numbers or labels, as an array; one that
        takes no size, as ``mechanism.release``, is called as ``sample(data, rng=rng)`` for each of them, and
        of what holds a ``guarantee`` its ``value`` is judged; of a run or table hand over a number or label.
    pair : tuple
        Two neighbouring data sets, in the form that `sample` takes.
    n_draws : int
        Number of draws on each data set, a positive integer from 4 to 10^10.
    delta : float
        Additive slack, in [0, 1).
    confidence : float
        Probability with which the bound holds, in (0, 1).
    progress : bool, default False
        Whether to show a bar on the error stream, for a sampler of one output a call.
    rng : int or Generator, optional
        Seed or Generator; None draws fresh entropy.

    Raises
    ------
    ValueError
        If `pair` does not hold two data sets.

    Notes
    -----
    *Privacy.* No (epsilon, delta)-DP mechanism with a smaller epsilon gives a bound this large with
    probability above ``1 - confidence``. A low bound proves nothing: see the module for what it cannot see.

    References
    ----------
    Clopper and Pearson (1934); the split into choosing and judging is sample splitting.

    Examples
    --------
    >>> from privml.mechanisms import RandomisedResponse
    >>> result = monte_carlo(RandomisedResponse(1.0).release, (0, 1), 2000, rng=0)
    >>> bool(0.7 < result.epsilon < 1.0)
    True
    """
    rng = np.random.default_rng(rng)
    check.function(sample=sample)
    check.flag(progress=progress)
    given: Any = pair
    is_sequence = hasattr(given, "__len__") and not isinstance(given, (str, dict))
    if not (is_sequence and len(given) == 2):
        found = f"{len(given)} of them" if is_sequence else check._kind(pair)
        raise ValueError(f"pair must be two neighbouring data sets, but got {found}.")
    check.positive_integer(n_draws=n_draws)
    check.probability_half_open(delta=delta)
    check.probability_open(confidence=confidence)
    if not 4 <= n_draws <= MOST_DRAWS:
        raise ValueError(f"n_draws must be from 4 to {MOST_DRAWS}, but got {n_draws}.")
    n_judged, error = n_draws // 2, 1 - confidence
    views = _views(_pair_of_draws(sample, pair, n_draws, rng, progress), n_judged)
    tried, n_places = [], max(1, len({event.low for event in views[0][1]}) - 1)
    for sides, events in views:
        first, second = (_counts(events, side[n_judged:]) for side in sides)
        for order, counts in enumerate(
            ((first, second), (second, first)) if events else ()
        ):
            bounds = _bounds(counts, n_draws - n_judged, delta, error / n_places)
            tried.append(
                (float(bounds.max()), sides, events[int(bounds.argmax())], order)
            )
    _, sides, event, order = max(tried, key=lambda candidate: candidate[0])
    first, second = (
        int(_counts([event], side[:n_judged])[0])
        for side in sides[:: -1 if order else 1]
    )
    bound = float(_bounds((first, second), n_judged, delta, error))
    return MonteCarloAudit(bound, event.name, (first, second), n_judged, confidence)


check.wrap_module(__name__)
