"""Is the printed edition sound? Its numbers against those of the pages, and what TeX's log complains of."""

import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup, Tag

WIDEST = 20  # points by which a line may stick out
_LABEL = re.compile(
    r"^\\newlabel\{([^{}]+)\}\{\{((?:[^{}]|\{[^{}]*\})*)\}\{", re.MULTILINE
)
_DEAD = re.compile(
    r"Warning: (?:Hyper reference|Reference|Citation) [`'](.+?)' on page (\d+) undefined"
)
_TWICE = re.compile(r"Warning: Label [`'](.+?)' multiply defined")
_MISSING = re.compile(r"Missing character: There is no (.+?) in font (.+?)!")
_BOX = re.compile(
    r"Overfull \\(?P<kind>[hv])box \((?P<over>[\d.]+)pt too (?:wide|high|large)\)(?P<where>.*)"
)
_ERROR = re.compile(r"^! (.+)$", re.MULTILINE)


def printed_numbers(aux: str) -> dict[str, str]:
    """What stands as the number of each place of the printed edition, by page and name of the place."""
    return dict(_LABEL.findall(aux))


def _numbers_of(page: Tag) -> Iterator[tuple[str, str]]:
    """Anchors of a page with the numbers that it shows: sections, figures, statements, exercises."""
    for number in page.select(
        "h1 > .section-number, h2 > .section-number, h3 > .section-number"
    ):
        yield (
            str(number.find_parent("section")["id"]),
            number.get_text().strip().removesuffix("."),
        )
    for number in page.select("figure[id] figcaption .caption-number"):
        yield str(number.find_parent("figure")["id"]), number.get_text().split()[1]
    for title in page.select(
        "div.proof[id] > p.admonition-title, div.exercise[id] > p.admonition-title"
    ):
        number = title.select_one(".caption-number")
        said = (number or title).get_text().partition("(")[0]
        yield str(title.parent["id"]), " ".join(said.split())


def page_numbers(html: Path, docnames: list[str]) -> dict[str, str]:
    """The numbers of the finished pages, under the names that the printed edition gives to their places."""
    found = {}
    for docname in docnames:
        tree = BeautifulSoup(
            (html / f"{docname}.html").read_text(encoding="utf-8"), "html.parser"
        )
        article = tree.select_one("article") or tree
        found |= {f"{docname}:{name}": number for name, number in _numbers_of(article)}
    return found


def number_faults(printed: dict[str, str], shown: dict[str, str]) -> list[str]:
    """Places of the pages that the printed edition lacks, or that have another number there."""
    found = []
    for name, number in shown.items():
        if name not in printed:
            found.append(f"{name} is {number} on its page and has no place in print")
        elif printed[name] != number:
            found.append(
                f"{name} is {number} on its page and {printed[name] or 'without a number'} in print"
            )
    return found


def log_faults(log: str) -> list[str]:
    """Errors, dead and double links, missing characters, and lines that stick out of the page.

    The log must have been written with long lines (`max_print_line`).
    """
    found = [f"error: {error}" for error in _ERROR.findall(log)]
    found += [
        f"dead link to {name} on page {page}" for name, page in _DEAD.findall(log)
    ]
    found += [f"two places are called {name}" for name in _TWICE.findall(log)]
    found += [f"no character {sign} in {font}" for sign, font in _MISSING.findall(log)]
    for box in _BOX.finditer(log):
        if float(box["over"]) > WIDEST:
            found.append(
                f"a {box['kind']}box is {float(box['over']):.0f} points too large{box['where']}"
            )
    return list(dict.fromkeys(found))


def citation_faults(tex: str) -> list[str]:
    """Works that are cited and not listed: of these links TeX says nothing."""
    listed = set(re.findall(r"\\privmlcited\{([^{}]+)\}", tex))
    cited = dict.fromkeys(re.findall(r"\\hyperlink\{cite\.([^{}]+)\}", tex))
    return [f"dead link to the work {name}" for name in cited if name not in listed]
