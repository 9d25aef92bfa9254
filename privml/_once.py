"""Objects that exist once: they hold noise that is not yet drawn, and know how much of a budget is left.

A copy would draw the same noise again, and forget what the other one has been asked.
"""

from typing import Any, NoReturn


class Once:
    """What cannot be copied or pickled."""

    def _refuse(self, *_: Any) -> NoReturn:
        advice = "Pass the object itself on, or make a new one, which spends its guarantee again."
        raise TypeError(
            f"{type(self).__name__} must not be copied or pickled, since a copy would draw the same noise "
            f"and forget what was asked. {advice}"
        )

    __copy__ = __deepcopy__ = __reduce_ex__ = __reduce__ = __getstate__ = _refuse
