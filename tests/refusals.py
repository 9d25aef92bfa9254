"""What makes no sense as one table: each case is refused with a ValueError that has its words."""

from collections.abc import Callable
from typing import Any

import pytest


def refused(
    *cases: Any, call: Callable = lambda made: made(), words: str | None = None
) -> Callable:
    """A test that `call` refuses each case: arguments, then words; or one argument if all share `words`."""

    @pytest.mark.parametrize("case", cases)
    def is_refused(case: Any) -> None:
        *arguments, said = (case, words) if words else case
        with pytest.raises(ValueError, match=said):
            call(*arguments)

    return is_refused
