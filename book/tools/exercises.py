"""The exercises of the book: statement and solution between gates, kind, difficulty, and the checked answer.

An exercise is what stands between ``{exercise-start}`` and ``{exercise-end}``, its solution what stands
between ``{solution-start}`` and ``{solution-end}``. An exercise is *coded* when its solution has a code cell
tagged ``solution``. That cell calls the checker ``check_<slug>``, which the chapter defines in a collapsed
cell after the statement, and which a reader calls on an own answer; the tests of the topic show that it takes
a right answer and refuses a wrong one.

A *proof* problem has no solution in the chapter: its model answer and its rubric stand in the teacher's
edition (`book.tools.teaching`).
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from book.tools.chapter_code import defined, parsed, source, tags, uses
from book.tools.myst import Directive, blocks

SOLVED = ("pencil", "code", "explore", "break")
KINDS = (*SOLVED, "proof")
DIFFICULTIES = ("easy", "medium", "hard")
_PARTS = {"exercise-start": "exercise", "solution-start": "solution"}
_ENDS = {"exercise-end": "exercise", "solution-end": "solution"}
FaultList = list[tuple[int, str]]


@dataclass
class Part:
    """An exercise or a solution: its opening gate, the cell of the gate, and its code cells by number."""

    kind: str
    gate: Directive
    cell: int
    code: dict[int, dict] = field(default_factory=dict)
    closed: bool = False

    @property
    def answer(self) -> str:
        """Code of the cells tagged ``solution``."""
        return "\n".join(
            source(cell) for cell in self.code.values() if "solution" in tags(cell)
        )


class Exercise(NamedTuple):
    """An exercise of a chapter with its solution, if it has one.

    `kinds` and `difficulties` are those that its classes name, one each in a sound exercise; a `proof` is for
    graders, with its model answer in the teacher's edition alone; `coded` says that its solution is a checked
    answer, and `checker` is the function that checks it.
    """

    topic: str
    statement: Part
    solution: Part | None
    label: str
    title: str
    kinds: list[str]
    difficulties: list[str]
    proof: bool
    coded: bool
    checker: str

    @property
    def check(self) -> str:
        """How a reader calls its checker on an answer, as its solution does."""
        return ast.unparse(calls(parsed(self.solution.answer), self.checker)[0])


def _exercise(topic: str, statement: Part, solution: Part | None) -> Exercise:
    gate = statement.gate
    kinds, difficulties = (
        [name for name in gate.classes if name in k] for k in (KINDS, DIFFICULTIES)
    )
    told = (gate.label, gate.argument, kinds, difficulties)
    checker = "check_" + gate.label.removeprefix(f"ex-{topic}-").replace("-", "_")
    coded = bool(solution and solution.answer)
    return Exercise(
        topic, statement, solution, *told, kinds == ["proof"], coded, checker
    )


def gates(cell: dict) -> Iterator[Directive]:
    """Gates of a Markdown cell, in order."""
    for block in blocks(source(cell).splitlines()):
        if isinstance(block, Directive) and block.name in {*_PARTS, *_ENDS}:
            yield block


def parts(cells: list[dict]) -> tuple[list[Part], FaultList]:
    """Exercises and solutions of a chapter in order, and what is wrong with their gates."""
    found: list[Part] = []
    wrong: FaultList = []
    for number, cell in enumerate(cells, 1):
        inside = found[-1] if found and not found[-1].closed else None
        if cell["cell_type"] == "code" and inside:
            inside.code[number] = cell
        for gate in gates(cell) if cell["cell_type"] == "markdown" else ():
            inside = found[-1] if found and not found[-1].closed else None
            if inside and inside.kind == _ENDS.get(gate.name):
                inside.closed = True
            elif inside or gate.name in _ENDS:
                wrong.append((number, f"{gate.name} without what it should follow"))
            else:
                found.append(Part(_PARTS[gate.name], gate, number))
    wrong += [
        (p.cell, f"{p.kind} {p.gate.label!r} is not closed")
        for p in found
        if not p.closed
    ]
    return found, wrong


def of_chapter(topic: str, cells: list[dict]) -> list[Exercise]:
    """Exercises of a chapter in order, each with the first solution that names it."""
    found, _ = parts(cells)
    solutions = {
        part.gate.argument: part for part in reversed(found) if part.kind == "solution"
    }
    return [
        _exercise(topic, p, solutions.get(p.gate.label))
        for p in found
        if p.kind == "exercise"
    ]


def statement(exercise: Exercise, cells: list[dict]) -> str:
    """MyST text of an exercise, from its opening gate to its closing one, which stands in the same cell."""
    cell, first = cells[exercise.statement.cell - 1], exercise.statement.gate.opened
    ends = [
        gate.opened
        for gate in gates(cell)
        if gate.name == "exercise-end" and gate.opened > first
    ]
    if not ends:
        raise ValueError(
            f"{exercise.topic}: {exercise.label} must end in the cell in which it begins"
        )
    return "\n".join(source(cell).splitlines()[first - 1 : ends[0] - 1])


def calls(tree: ast.AST, name: str) -> list[ast.Call]:
    """Calls of a function, by whatever path it is reached."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in found if ast.unparse(call.func).rpartition(".")[2] == name]


def _form_faults(exercise: Exercise) -> Iterator[str]:
    """What is wrong with the classes, the label and the solution of an exercise."""
    classes = (
        ("kind", exercise.kinds, KINDS),
        ("difficulty", exercise.difficulties, DIFFICULTIES),
    )
    for noun, given, allowed in classes:
        if len(given) != 1:
            yield f"must have one {noun} among its classes ({', '.join(allowed)}), has {given}"
    if not exercise.label.startswith(f"ex-{exercise.topic}-"):
        yield f"must have a label ex-{exercise.topic}-..."
    if exercise.proof:
        if exercise.solution is not None:
            yield f"is of kind proof and must have its answer in book/teacher/{exercise.topic}.md, not here"
    elif exercise.solution is None:
        yield "has no solution"
    elif "dropdown" not in exercise.solution.gate.classes:
        yield "must have the class dropdown on its solution"
    elif not exercise.solution.gate.label:
        yield "must have a label on its solution"


def _code_faults(exercise: Exercise, known: set[str]) -> Iterator[str]:
    """What is wrong with the checked answer of an exercise; `known` is what the chapter defines."""
    if not exercise.coded:
        if exercise.kinds == ["code"]:
            yield "is of kind code and must have a solution cell tagged solution"
        return
    if not calls(parsed(exercise.solution.answer), exercise.checker):
        yield f"must call {exercise.checker} in its solution"
    if exercise.checker not in known:
        yield f"has no checker {exercise.checker} in a cell of its own"


def _escaping(cells: list[dict], found: list[Part]) -> Iterator[tuple[int, str]]:
    """Names that only solutions bind and that cells outside of them use: students would miss them."""
    inside = {
        number: cell
        for part in found
        if part.kind == "solution"
        for number, cell in part.code.items()
    }
    outside = {
        n: c
        for n, c in enumerate(cells, 1)
        if c["cell_type"] == "code" and n not in inside
    }
    given, held = (
        set().union(*(uses(source(c))[1] for c in some.values()))
        for some in (outside, inside)
    )
    for number, cell in outside.items():
        for name in sorted(uses(source(cell))[0] & held - given):
            yield number, f"uses {name}, which only a solution defines"


def faults(topic: str, cells: list[dict]) -> FaultList:
    """What is wrong with the exercises of a chapter: numbers of cells and sentences."""
    found, wrong = parts(cells)
    exercises, known = of_chapter(topic, cells), defined(cells)
    for exercise in exercises:
        for fault in [*_form_faults(exercise), *_code_faults(exercise, known)]:
            wrong.append(
                (exercise.statement.cell, f"exercise {exercise.label!r} {fault}")
            )
    labels = [exercise.label for exercise in exercises]
    solved: set[str] = set()
    for part in [part for part in found if part.kind == "solution"]:
        if part.gate.argument not in labels:
            wrong.append(
                (
                    part.cell,
                    f"solution to {part.gate.argument!r}, which is no exercise here",
                )
            )
        elif part.gate.argument in solved:
            wrong.append((part.cell, f"second solution to {part.gate.argument!r}"))
        solved.add(part.gate.argument)
    return wrong + list(_escaping(cells, found))


@cache
def _refusing(test: str) -> str:
    """Code of a file that shows refusals: tests with ``pytest.raises(AssertionError, ...)``, and tables.

    A table is what `checkers` of ``tests/chapters/checkers.py`` is given, which wants a wrong answer to each.
    """
    texts, table = (
        map(ast.unparse, parsed(test).body),
        re.compile(r"test_\w+ = checkers\("),
    )
    return "\n".join(
        one
        for one in texts
        if "pytest.raises(AssertionError" in one or table.match(one)
    )


def untested(found: list[Exercise], tests: list[Path]) -> Iterator[tuple[int, str]]:
    """Coded exercises of which no test of the topic shows that the checker refuses a wrong answer.

    That it takes a right one, its solution shows, which is executed with the chapter.
    """
    shown = "\n".join(_refusing(file.read_text(encoding="utf-8")) for file in tests)
    for exercise in [exercise for exercise in found if exercise.coded]:
        slug = exercise.checker.removeprefix("check_")
        if not re.search(
            rf"\bcheck_{slug}\b|['\"]{slug.replace('_', '[-_]')}['\"]", shown
        ):
            yield (
                exercise.statement.cell,
                f"no test shows that {exercise.checker} refuses a wrong answer",
            )
