"""Parameters of a chapter as numbers of its sentences, captions and alternative texts.

``{glue:text}`given-epsilon``` is the value of the parameter epsilon as prose writes it: no cell has to say
it, and a run under other values (`book.run`, a live page) shows those.
"""

import ast
import re
from contextlib import suppress
from typing import Any

from nbformat.v4 import new_output

from book.tools.chapter_code import parsed, source, tags
from privml.notebook import GLUE_PREFIX, formatted

NAMED = re.compile(r"\{glue:text\}`([^`]+)`")
_HOLD = {"parameters", "injected-parameters"}
_SIGNS = {
    "epsilon": r"\\varepsilon|ε",
    "delta": r"\\delta|δ",
    "beta": r"\\beta|β",
    "alpha": r"\\alpha|α",
}
_SIGNS |= {
    "sigma": r"\\sigma|σ",
    "gamma": r"\\gamma|γ",
    "n_samples": "[mn]",
    "n_rounds": "T",
    "k": "k",
}
_PLAIN = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[+-]?\d+)?"
_POWER = r"10\^\{-\d+\}|10⁻[⁰¹²³⁴-⁹]+|\\frac\{?\d\}?\{?\d+\}?"
_NUMBER = rf"\s*=\s*\$?\s*({_POWER}|{_PLAIN}(?:\s*/\s*{_PLAIN})?)"


def _read(number: str) -> float:
    """A number as prose writes it: 1/20, \\frac1{20}, 10^{-5}, 1,000, 1e+06."""
    plain = number.replace(",", "").translate(
        str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", " 0123456789")
    )
    digits = re.findall(_PLAIN, plain)
    if number.startswith(("10^", "10⁻")):
        return 10.0 ** -int(digits[1])
    if number.startswith("\\frac"):
        digits = digits if len(digits) == 2 else [digits[0][0], digits[0][1:]]
    return float(digits[0]) / (float(digits[1]) if len(digits) > 1 else 1)


def parameters(cells: list[dict]) -> dict[str, Any]:
    """The parameters of a chapter, with the values that they were given last."""
    found: dict[str, Any] = {}
    for cell in [
        cell
        for cell in cells
        if cell["cell_type"] == "code" and _HOLD & set(tags(cell))
    ]:
        for node in [
            node for node in parsed(source(cell)).body if isinstance(node, ast.Assign)
        ]:
            with suppress(ValueError):
                found[ast.unparse(node.targets[0])] = ast.literal_eval(node.value)
    return found


def values(cells: list[dict]) -> dict[str, str]:
    """The numbers among the parameters of a chapter, by the names that its text calls them."""
    numbers = {
        name: value
        for name, value in parameters(cells).items()
        if isinstance(value, int | float)
    }
    return {f"given-{name}": formatted(value, None) for name, value in numbers.items()}


def typed_parameters(
    text: str, given: dict[str, Any], *, alone: bool = False
) -> list[str]:
    """Names of those parameters whose value a text types after their sign, or alone: they may be meant."""
    found, bare = (
        [],
        {_read(number) for number in re.findall(rf"(?<![\w.]){_PLAIN}", text) if alone},
    )
    for name, value in [
        (name, value) for name, value in given.items() if isinstance(value, int | float)
    ]:
        typed = re.finditer(rf"(?<![\w\\])(?:{_SIGNS.get(name, name)}){_NUMBER}", text)
        signed = any(
            abs(_read(match[1]) - value) <= 1e-12 * abs(value) for match in typed
        )
        found += (
            [name]
            if signed or (value > 3 and bare & {value, float(f"{value:g}")})
            else []
        )
    return found


def shown_values(cells: list[dict]) -> dict[str, str]:
    """The numbers that cells showed for the text, by name."""
    found = {}
    for output in [output for cell in cells for output in cell.get("outputs", [])]:
        if name := output.get("metadata", {}).get("scrapbook", {}).get("name"):
            found[name] = "".join(next(iter(output["data"].values())))
    return found


def glued_numbers(cells: list[dict]) -> dict[str, str]:
    """All numbers that the text of a chapter may name: the parameters', and those that its cells showed."""
    return values(cells) | shown_values(cells)


def filled(text: str, numbers: dict[str, str]) -> str:
    """A caption or an alternative text with its numbers; a name that has none stays as it is."""
    return NAMED.sub(lambda match: numbers.get(match[1], match[0]), text)


def outputs(cells: list[dict]) -> list[dict]:
    """What a cell would have shown that gave the parameters their names."""
    told = {
        name: {"scrapbook": {"name": name, "mime_prefix": GLUE_PREFIX}}
        for name in values(cells)
    }
    glued = {
        name: {GLUE_PREFIX + "text/plain": text} for name, text in values(cells).items()
    }
    return [
        new_output("display_data", glued[name], metadata=told[name]) for name in told
    ]
