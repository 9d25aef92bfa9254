"""Every entry that the book offers to cite is one that pdflatex and biber read."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from pybtex.database import parse_file, parse_string

from book.tools import editions, figures
from book.tools.latex import latex

ROOT = Path(__file__).resolve().parents[2]
REFERENCES = ROOT / "book" / "references.bib"
PUBLISHED = figures.published(ROOT)
ADDRESS = "https://book.example/~us/a_b%20c"
DOCUMENT = r"""
\documentclass{article}
\usepackage[backend=biber, maxnames=99]{biblatex}
\usepackage{hyperref}
\addbibresource{entries.bib}
\begin{document}
\nocite{*}\sloppy\printbibliography
\end{document}
"""


@cache
def entries(address=""):
    """BibTeX of all figures, in the order of the book."""
    of = editions.book(ROOT, address)
    return [editions.bibtex(figure, f"1.{n}", of) for n, figure in enumerate(PUBLISHED)]


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_every_entry_of_a_figure_is_ascii_and_says_where_the_figure_is(address):
    for figure, text in zip(PUBLISHED, entries(address), strict=True):
        assert text.isascii(), text
        [(key, entry)] = parse_string(text, "bibtex").entries.items()
        assert key == f"privml:{figure.name}"
        where = entry.fields["url" if address else "note"]
        assert where.startswith(address)
        assert where.replace("\\", "").endswith(f"{figure.topic}.html#{figure.name}")


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_the_entry_of_a_chapter_says_where_it_is(address):
    of = editions.book(ROOT, address)
    text = editions.bibtex_of_chapter("noise", "5", "Noise & δ", of)
    [(key, entry)] = parse_string(text, "bibtex").entries.items()
    assert (key, entry.fields["title"]) == (
        "privml:noise",
        r"{Chapter 5: Noise \& $\delta$}",
    )
    where = entry.fields["url" if address else "note"]
    assert where == "/".join(filter(None, [address, "notebooks/noise.html"]))
    assert of.version in entry.fields["howpublished"]
    assert "title        = {{How to}}," in editions.bibtex_of_chapter(
        "how-to", "", "How to", of
    )


def test_every_listed_work_is_ascii():
    assert [
        line
        for line in REFERENCES.read_text("utf-8").splitlines()
        if not line.isascii()
    ] == []


@pytest.mark.parametrize("text", ["a ℵ of it", "$ℵ$", "ạ"])
def test_a_character_without_latex_is_refused_by_name(text):
    with pytest.raises(ValueError, match="don't know how to translate '.' into latex"):
        latex(text)


def test_what_latex_would_take_for_commands_is_escaped():
    escaped = r"5 \% of a\_b \& \{c\} \# \$1 \~{} \^{} \textbackslash{}x"
    assert latex(r"5 % of a_b & {c} # $1 ~ ^ \x") == escaped
    escaped = r"$\sqrt{e m}$ $<$ 10$^{-12}$ $\leq$ D$_{1}$, $\pi$$\cdot$$\frac12$ ``H\'ajek''---x"
    assert latex("√(e m) < 10⁻¹² ≤ D₁, π·½ “Hájek”—x") == escaped


def typeset(folder, bibliography):
    """Typeset these entries; the entries that reached the page, and what the programmes complained of."""
    (folder / "entries.bib").write_text(bibliography, "utf-8")
    (folder / "all.tex").write_text(DOCUMENT, "utf-8")
    latex_run = ["pdflatex", "-interaction=nonstopmode", "-draftmode", "all"]
    for command in (latex_run, ["biber", "all"], latex_run):
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
    logs = (folder / "all.log").read_text("latin-1") + (folder / "all.blg").read_text(
        "utf-8"
    )
    complaints = re.findall(
        r"^!.*|^Missing character.*|.*(?:WARN|ERROR) - .*", logs, re.MULTILINE
    )
    return (folder / "all.bbl").read_text("utf-8").count("\\entry{"), complaints


@pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("biber")),
    reason="needs pdflatex and biber with biblatex",
)
def test_every_entry_is_typeset_by_pdflatex_and_biber(tmp_path):
    whole = "\n".join(
        [*entries()[::2], *entries(ADDRESS)[1::2], REFERENCES.read_text("utf-8")]
    )
    assert typeset(tmp_path, whole) == (
        len(PUBLISHED) + len(parse_file(str(REFERENCES)).entries),
        [],
    )
