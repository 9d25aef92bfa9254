"""The checkers of a chapter's exercises as one table: what each takes, and what it refuses with what hint."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


class Several(tuple):
    """An answer of several arguments."""


def several(*arguments: Any) -> Several:
    """An answer that is passed as several arguments."""
    return Several(arguments)


def checkers(
    table: dict[str, list[tuple[Any, str | None]]], *chapters: ModuleType
) -> Callable:
    """A test of each answer in a table: each with the hint, or with None if it is right.

    A checker without a wrong answer in its table is not tested.
    """
    untested = [
        name
        for name, answers in table.items()
        if all(hint is None for _, hint in answers)
    ]
    assert not untested, f"no wrong answer to {untested}"
    found = {
        name: getattr(chapter, name) for chapter in chapters for name in vars(chapter)
    }
    cases = [
        pytest.param(
            found[f"check_{name}"], answer, hint, id=f"{name}-{hint or 'right'}"
        )
        for name, answers in table.items()
        for answer, hint in answers
    ]

    @pytest.mark.parametrize(("checker", "answer", "hint"), cases)
    def takes_or_refuses(checker: Callable, answer: Any, hint: str | None) -> None:
        arguments = answer if isinstance(answer, Several) else (answer,)
        if hint is None:
            checker(*arguments)
        else:
            with pytest.raises(AssertionError, match=hint):
                checker(*arguments)

    return takes_or_refuses
