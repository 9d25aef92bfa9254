"""A unit as a lecture: what of a chapter goes on slides, on a sheet for class and into a quiz.

Nothing has a second copy: the question is the title of the unit, and its opening words, the instance that is
worked by hand, the statements with the ideas of their proofs, the figures and the questions at its end are
those of the chapter, in pieces that a slide can hold. ``book/lectures.yml`` names the section that is the
instance; the sheet for class leaves every second of its results open.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import yaml

from book.tools import short_path, units
from book.tools.chapters import Chapter
from book.tools.handouts import Handout
from book.tools.myst import Block, Directive, Text
from book.tools.plain_markdown import References, markdown

MOST, FEW = 40, 3  # words of a piece, and of a sentence that stays with the one before
LONGEST = 450  # words of an instance, which has to fit a sheet of one page
_SET = re.compile(
    r"(\$\$.*?\$\$|^\|.*(?:\n\|.*)*|^(?:[-*>]|\d+\.)\s.*(?:\n.+)*)",
    re.DOTALL | re.MULTILINE,
)
_ITEM = re.compile(r"\n(?=(?:[-*]|\d+\.)\s)")
_MASKED = re.compile(r"\$[^$]+\$|`[^`]+`|\[[^\]]*\]\([^)]*\)")
_END = re.compile(r"(?<=[.?!])[\"”’)*]*\s+(?=[A-Z“\"(*])")
_CLAUSE = re.compile(
    r"(?<=[;:])\s+|(?<=,)\s+(?=(?:and|but|so|which|where|because|since|while|if|that|then)\b)"
)
_IDEA = re.compile(r"^\*(?:Idea|Plan)\b[^*]*\*")
_ASIDE = re.compile(
    r"\b(?:cells?|[Ff]ig(?:ure|\.)|library|slider|page|code below|functions? returns?)\b|`"
)
_RESULT = re.compile(
    r"""(?x)
    (?P<display>\$\$[^$]*\$\$)                         # a displayed formula, left alone
    | (?<=\|)(?P<cell>[^|\n]*\d[^|\n]*)(?=\|[ ]*$)       # the last column of a table
    | \$(?P<left>[^$]*(?:=|\\approx)\s*)(?P<value>[^$={}]*\d[^$={}]*
        | [^$={}]*(?:\{[^${}]*\}[^$={}]*)+)\$           # what a formula comes to
    | (?P<number>\$(?=[^$]*\d)[\s{}\d.,-]*(?:\\t?frac[\s{}\d]+)?\$   # a number
        | (?<![\w.$\\])\d+\.\d+(?!\w|\.\d))
    | (?P<other>\$[^$]*\$)                             # any other formula, left alone
    """,
    re.MULTILINE,
)
# What it leaves open of an instance without calculations.
_COUNT = re.compile(
    r"(?P<left>)(?P<value>)(?P<cell>)"
    r"(?P<number>\b(?:two|three|four|five|six|seven|eight|nine|ten|half|most|least|none)\b)"
)


class Slide(NamedTuple):
    """Slides on one thing: kind, line above the heading, heading, pieces of Markdown, name of a figure."""

    kind: str
    above: str
    head: str
    pieces: list[str]
    figure: str = ""


class Lecture(NamedTuple):
    """A unit: its name, its question and its slides."""

    name: str
    question: str
    slides: list[Slide]

    def texts(self, kind: str) -> list[tuple[str, str]]:
        """Headings and texts of one kind."""
        return [
            (slide.head, " ".join(slide.pieces))
            for slide in self.slides
            if slide.kind == kind
        ]


def listed(root: Path) -> dict[str, dict]:
    """What ``book/lectures.yml`` says of each lecture."""
    file = root / "book" / "lectures.yml"
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}


def _cut(text: str, places: re.Pattern) -> list[str]:
    """Parts of a text between places outside of formulas and code."""
    masked = _MASKED.sub(lambda m: "M" * len(m[0]), text)
    ends = [0, *(place.end() for place in places.finditer(masked)), len(text)]
    return [text[begin:end].strip() for begin, end in pairwise(ends)]


def sentences(text: str) -> list[str]:
    """Sentences; a long one is cut where clauses end, a very short one stays with the one before."""
    lines: list[str] = []
    for sentence in _cut(" ".join(text.split()), _END):
        few = bool(lines) and short_path.words(sentence) <= FEW
        for clause in (
            _cut(sentence, _CLAUSE) if short_path.words(sentence) > MOST else [sentence]
        ):
            if few or (
                clause != sentence
                and lines
                and short_path.words(f"{lines[-1]} {clause}") <= MOST
            ):
                lines[-1] += f" {clause}"
            else:
                lines.append(clause)
    return lines


def pieces(plain: str) -> list[str]:
    """Sentences, formulas, tables and lists of a text; what a sentence announces stays with it.

    Joined by spaces they are the text again: what begins a paragraph, and what is set off, has blank lines.
    """
    found: list[str] = []
    for paragraph in plain.split("\n\n"):
        begin = len(found)
        for part in map(str.strip, filter(str.strip, _SET.split(paragraph))):
            whole = _SET.match(part) and (
                part[0] in "|$" or short_path.words(part) <= MOST
            )
            joins = (
                part[0].islower()
                or part.startswith("$$")
                or (found and whole and found[-1].endswith(":"))
            )
            made = [f"\n\n{part}\n\n"] if whole else sentences(part)
            if _SET.match(part) and not whole:
                short = [
                    [s] if short_path.words(s) <= MOST else sentences(s)
                    for s in _ITEM.split(part)
                ]
                made = [f"\n\n{line}" for item in short for line in item]
            if found and joins:
                found[-1] += made.pop(0)
            found += made
        found[begin : begin + 1] = [
            f"\n\n{piece}" for piece in found[begin : begin + 1]
        ]
    return found


def by_hand(plain: str) -> list[str]:
    """Pieces of a text without what speaks of code and pictures, or of the idea of a proof."""
    kept = [
        paragraph for paragraph in plain.split("\n\n") if not _IDEA.match(paragraph)
    ]
    kept = [
        paragraph for paragraph in kept if not _ASIDE.search(_cut(paragraph, _END)[0])
    ]
    return [piece for piece in pieces("\n\n".join(kept)) if not _ASIDE.search(piece)]


def with_gaps(instance: str, *, filled: bool) -> str:
    """The instance with a gap, filled or empty, for every second of its results."""

    def gap(text: str) -> str:
        length = len(re.sub(r"\\[a-z]+|[${}\\]", "", text))
        width = min(max(2, 0.5 * length), 6)
        style = f"min-width: {width:.1f}em"
        return f'<span class="gap" style="{style}">{text if filled else ""}</span>'

    results = [
        one
        for one in _RESULT.finditer(instance)
        if not one["other"] and not one["display"]
    ]
    if len(results) < 2:
        results = list(_COUNT.finditer(instance)) or results
    for result in reversed(results[::2] if len(results) > 3 else results):
        if result["value"]:
            text = f"${result['left'].rstrip()}$ " + gap(f"${result['value'].strip()}$")
        elif result["cell"]:
            text = f" {gap(result['cell'].strip())} "
        else:
            text = gap(result["number"])
        instance = instance[: result.start()] + text + instance[result.end() :]
    return instance


def _plain(part: Block, references: References) -> str:
    return markdown(
        "\n".join(line for line in part.lines if not line.startswith("#")), references
    )


def _texts(parts: list[Block], references: References) -> str:
    """Paragraphs of a section, with neither code nor what stands in boxes."""
    return "\n\n".join(
        filter(
            None, (_plain(part, references) for part in parts if isinstance(part, Text))
        )
    )


def _of_part(head: str, part: Block, references: References) -> Iterator[Slide]:
    """Slides on a block of a section: a statement, the idea of a proof, a figure."""
    if isinstance(part, Text):
        for said in filter(_IDEA.match, _plain(part, references).split("\n\n")):
            yield Slide("idea", head, "Why it is true", pieces(_IDEA.sub("", said)))
    elif units.is_statement(part) or getattr(part, "name", "") == "prf:algorithm":
        title = [
            references.words(part.label) if part.label else "",
            markdown(part.argument, references),
        ]
        kind = "statement" if units.is_statement(part) else "algorithm"
        yield Slide(
            kind, head, ". ".join(filter(None, title)), pieces(_plain(part, references))
        )
    elif drawn := (getattr(part, "options", {}).get("mystnb") or {}).get("figure"):
        yield Slide("picture", head, "", [], drawn["name"])


def _first_words(found: list[str], most: int) -> list[str]:
    """The first pieces, as many as have together at most so many words."""
    return [
        piece
        for n, piece in enumerate(found)
        if short_path.words(" ".join(found[: n + 1])) <= most
    ]


def _opening(leads: list[str]) -> list[str]:
    """The first sentences of the first text that has some, as many as a piece may have words."""
    lead = next(filter(None, map(by_hand, leads)), [])
    return _first_words(lead, MOST)


def lecture(
    of: Handout, unit: units.Section, number: int, opening: str, said: dict
) -> Lecture:
    """The lecture of a unit, with what ``book/lectures.yml`` says of it."""
    references, parts = of.references, {"": []}
    for path, block in unit.blocks:
        if not any(map(short_path.is_further, path)):
            parts.setdefault(path[2] if len(path) > 2 else "", []).append(block)
    if said["instance"] not in parts:
        raise ValueError(
            f"{of.topic}: {said['instance']!r} is no section of unit {number}"
        )
    end, question = (
        parts.pop(f"Questions to unit {number}"),
        unit.title.partition(": ")[2],
    )
    leads = [opening if number == 1 else "", _texts(parts[""], references)]
    leads += [
        _texts(parts[head], references)
        for head in list(parts)[1:2]
        if head != said["instance"]
    ]
    slides = [Slide("question", f"Unit {number}", question, _opening(leads))]
    for section, blocks in parts.items():
        head = markdown(section, references)
        if section == said["instance"]:
            slides.append(
                Slide(
                    "instance",
                    "An instance",
                    head,
                    _first_words(by_hand(_texts(blocks, references)), LONGEST),
                )
            )
            slides += (
                [Slide("picture", head, "", [], said["picture"])]
                if "picture" in said
                else []
            )
        slides += [
            slide for block in blocks for slide in _of_part(head, block, references)
        ]
    asked = [
        one
        for text in _texts(end, references).split("\n\n")
        for one in units.QUESTION.split(text)[1:]
    ]
    answers = [_plain(part, references) for part in end if isinstance(part, Directive)]
    for place, (text, answer) in enumerate(zip(asked, answers, strict=True), 1):
        slides.append(Slide("ask", "On the spot", f"Question {place}", pieces(text)))
        slides.append(Slide("answer", f"Question {place}", "Answer", pieces(answer)))
    return Lecture(f"{of.topic}-{number}", question, slides)


def of_chapter(root: Path, of: Handout) -> list[Lecture]:
    """The lectures of a chapter that are listed."""
    text, told = (
        Chapter(root, of.topic).source.read_text(encoding="utf-8"),
        listed(root),
    )
    first = next(
        _texts([block], of.references)
        for path, block in short_path.sections(text)
        if path
    )
    opening = (
        "" if first.startswith("After this chapter") else first.partition("\n\n")[0]
    )
    found = enumerate(filter(units.is_unit, units.chapter_sections(text)), 1)
    named = [(unit, number, told.get(f"{of.topic}-{number}")) for number, unit in found]
    return [
        lecture(of, unit, number, opening, said) for unit, number, said in named if said
    ]
