"""The printed edition: its check finds planted faults, and its settings fit the book."""

import re
from pathlib import Path

import pytest
import yaml
from docutils import nodes
from sphinx.util import texescape

from book import pdf
from book.extensions import printed, printed_blocks
from book.extensions.printed_blocks import frame
from book.tools import print_checks
from book.tools.chapters import pages, source_of
from book.tools.myst import labels_in

ROOT = Path(__file__).resolve().parents[2]
PAGE = """<article><section id="noise"><h1><span class="section-number">5. </span>Noise</h1>
<figure id="fig-noise-tents"><figcaption>
<p><span class="caption-number">Figure 5.1 </span>Why.</p></figcaption></figure>
<div class="proof lemma admonition" id="lem-noise-steps"><p class="admonition-title">
<span class="caption-number">Lemma 5.5 </span> (Steps)</p></div>
<div class="exercise code easy admonition" id="ex-noise-share"><p class="admonition-title">
<span class="caption-number">Exercise 5.4 </span> (The share)</p></div></section></article>"""
AUX = r"""
\newlabel{notebooks/noise:noise}{{5}{59}{Noise}{chapter.5}{}}
\newlabel{notebooks/noise:fig-noise-tents}{{5.1}{63}{A \texorpdfstring {$\star $}{ *}}{figure.caption.27}{}}
\newlabel{notebooks/noise:lem-noise-steps}{{Lemma 5.5}{66}{The exact curve}{section*.10}{}}
\newlabel{notebooks/noise:ex-noise-share}{{Exercise 5.4}{83}{Exercises}{section*.21}{}}
"""
LOG = r"""This is XeTeX
Overfull \hbox (0.9pt too wide) in paragraph at lines 8--9
Overfull \vbox (19.9pt too high) detected at line 4
Output written on privml-book.xdv (92 pages, 812300 bytes).
"""


@pytest.fixture
def html(tmp_path):
    """A site of one page."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "noise.html").write_text(PAGE, encoding="utf-8")
    return tmp_path


def number_faults(html, aux):
    """What the comparison says of an edition with these labels."""
    return print_checks.number_faults(
        print_checks.printed_numbers(aux),
        print_checks.page_numbers(html, ["notebooks/noise"]),
    )


def test_sections_figures_statements_and_exercises_are_compared(html):
    assert len(print_checks.page_numbers(html, ["notebooks/noise"])) == 4
    assert number_faults(html, AUX) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("{5}{59}", "{6}{59}"),
        ("{5.1}", "{5.2}"),
        ("{Lemma 5.5}", "{Lemma 5.6}"),
        ("{Exercise 5.4}", "{}"),
    ],
)
def test_another_number_in_print_is_a_fault(html, right, wrong):
    [fault] = number_faults(html, AUX.replace(right, wrong))
    assert "on its page and" in fault


def test_a_place_that_print_lacks_is_a_fault(html):
    [fault] = number_faults(html, AUX.replace("lem-noise-steps", "lem-noise-stairs"))
    assert (
        fault
        == "notebooks/noise:lem-noise-steps is Lemma 5.5 on its page and has no place in print"
    )


def test_a_sound_log_has_no_fault():
    assert print_checks.log_faults(LOG) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (
            "LaTeX Warning: Hyper reference `a:b' on page 7 undefined on input line 9.",
            "dead link to a:b on page 7",
        ),
        (
            "LaTeX Warning: Reference `a:b' on page 7 undefined on input line 9.",
            "dead link to a:b on page 7",
        ),
        ("LaTeX Warning: Label `a:b' multiply defined.", "two places are called a:b"),
        (
            "Missing character: There is no ₁ (U+2081) in font [texgyrepagella-regular.otf]!",
            "no character ₁ (U+2081) in [texgyrepagella-regular.otf]",
        ),
        (
            r"Overfull \hbox (20.1pt too wide) in paragraph at lines 1--2",
            "a hbox is 20 points too large in paragraph at lines 1--2",
        ),
        (
            r"Overfull \vbox (61.0pt too high) detected at line 3",
            "a vbox is 61 points too large detected at line 3",
        ),
        ("! Undefined control sequence.", "error: Undefined control sequence."),
    ],
)
def test_what_the_log_complains_of_is_a_fault(line, fault):
    assert print_checks.log_faults(f"{LOG}{line}\n{line}\n") == [fault]


def test_a_cited_work_that_is_not_listed_is_a_fault():
    tex = r"\privmlcited{book/bibliography:id1}\privmlwork{ACG+16} "
    tex += r"\hyperlink{cite.book/bibliography:id1}{2016}"
    assert print_checks.citation_faults(tex) == []
    [fault] = print_checks.citation_faults(
        tex + r"\hyperlink{cite.book/bibliography:id2}{2019}"
    )
    assert fault == "dead link to the work book/bibliography:id2"


def test_what_has_a_star_is_set_in_smaller_type_with_all_below_it():
    def part(title, *content, star=False):
        return nodes.section(
            "", nodes.title(title, title), *content, classes=["further"] if star else []
        )

    inner = part("Part", nodes.paragraph("", "Small."), star=True)
    tree = part(
        "Noise",
        part("Unit", nodes.paragraph("", "Large.")),
        part("Exactly", inner, star=True),
    )
    printed.set_exact(tree)
    begin, end = "\\begin{privmlexact}", "\\end{privmlexact}"
    said = [text.strip() for text in tree.findall(nodes.Text)]
    assert said == ["Noise", "Unit", "Large.", "Exactly", begin, "Part", "Small.", end]
    style = (ROOT / "book" / "print" / "privml.sty").read_text(encoding="utf-8")
    assert "\\newenvironment{privmlexact}{\\par\\small}" in style


def test_code_has_eight_points_and_the_page_says_its_chapter():
    style = (ROOT / "book" / "print" / "privml.sty").read_text(encoding="utf-8")
    [scale] = re.findall(r"\\setmonofont\{[^}]*\}\[Scale=([\d.]+)\]", style)
    [size] = re.findall(r"\\fvset\{fontsize=\\(\w+)", style)
    told = pdf.settings(ROOT)["sphinx"]["config"]["latex_elements"]["pointsize"]
    assert float(scale) * {"normalsize": float(told.removesuffix("pt"))}[size] >= 8
    assert "\\fancyhead[L]{\\small\\sffamily\\nouppercase{\\leftmark}}" in style


def test_code_stays_on_a_page_with_its_first_output_and_a_last_section_with_what_is_above_it():
    code = nodes.container(
        "", nodes.literal_block("", "a\nb\nc"), classes=["cell_input"]
    )
    shown = nodes.container("", nodes.literal_block("", "d"), classes=["cell_output"])
    tree = nodes.section("", nodes.container("", code, shown, classes=["cell"]))
    printed_blocks.set_code(tree)
    begun = [text.strip() for text in tree.findall(nodes.Text) if "begin" in text]
    assert begun == ["\\begin{privmlin}{5}", "\\begin{privmlout}{3}"]
    last = nodes.section(
        "", nodes.title("", "What next"), nodes.paragraph("", "Go on.")
    )
    printed.set_rest(
        nodes.section("", nodes.title("", "Noise"), last, docname="notebooks/noise")
    )
    begin, end = "\\privmltoc{0}\\privmlkeep", "\\privmltoc{1}\\privmlkeptfalse"
    assert [text.strip() for text in last.findall(nodes.Text)] == [
        begin,
        "What next",
        end,
        "Go on.",
    ]
    style = (ROOT / "book" / "print" / "privml.sty").read_text(encoding="utf-8")
    assert "\\newenvironment{privmlin}[1]{\\par\\needspace{#1\\baselineskip}}" in style
    assert "\\newcommand{\\privmlkeep}{\\par\\nobreak\\@nobreaktrue" in style


@pytest.mark.parametrize("name", ["pdf", "release"])
def test_the_workflows_install_what_the_edition_needs_and_insist_on_it(name):
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    assert f"apt-get install --yes --no-install-recommends {pdf.PACKAGES}\n" in text
    assert "PRIVML_REQUIRE_TEX" in text


def test_the_edition_has_every_page_but_those_that_it_names():
    printed = [
        page["file"]
        for part in pdf.contents(ROOT, [])["parts"]
        for page in part["chapters"]
    ]
    book = [page for page in pages(ROOT) if not page.startswith("book/api/")]
    assert set(pdf.LEFT_OUT) <= set(book), (
        "a page that is left out must be one of the book"
    )
    assert printed == [page for page in book[1:] if page not in pdf.LEFT_OUT]
    numbered = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    left = {
        page["file"]
        for part in numbered
        if part.get("numbered")
        for page in part["chapters"]
    }
    assert not left & set(pdf.LEFT_OUT), (
        "without a numbered chapter all later numbers would change"
    )


def test_no_printed_page_refers_to_a_label_of_a_page_that_is_left_out():
    texts = {
        page: source_of(ROOT, page).read_text(encoding="utf-8") for page in pages(ROOT)
    }
    absent = {label for page in pdf.LEFT_OUT for label, _ in labels_in(texts[page])}
    printed = "".join(text for page, text in texts.items() if page not in pdf.LEFT_OUT)
    assert not absent & set(re.findall(r"\{ref\}`(?:[^`<]*<)?([^`>]+)>?`", printed))


def test_bookmarks_know_each_command_of_a_formula_in_a_heading():
    texts = [source_of(ROOT, page).read_text(encoding="utf-8") for page in pages(ROOT)]
    heads = [
        head for text in texts for head in re.findall(r"^#+ .*\$.*", text, re.MULTILINE)
    ]
    used = {name for head in heads for name in re.findall(r"\\([A-Za-z]+)", head)}
    style = (ROOT / "book" / "print" / "privml.sty").read_text(encoding="utf-8")
    line = next(
        line
        for line in style.splitlines()
        if line.startswith("\\pdfstringdefDisableCommands")
    )
    assert used <= set(re.findall(r"\\def\\([A-Za-z]+)", line)), (
        "TeX stops at what is no text"
    )
    assert used


def test_pages_know_nothing_of_the_printed_edition():
    pages_have = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))[
        "sphinx"
    ]["config"]
    print_has = pdf.settings(ROOT)["sphinx"]["config"]
    assert "book.extensions.printed" not in pages_have["extensions"]
    assert "book.extensions.printed" in print_has["extensions"]
    assert not [key for key in pages_have if key.startswith("latex")]


def test_a_table_of_values_keeps_its_cells_and_aligns_numbers_to_the_right():
    table = """<table><thead><tr><th>name</th><th>a_b</th></tr></thead>
    <tbody><tr><td>50%</td><td>−1.5</td></tr><tr><td>x</td><td>inf</td></tr></tbody></table>"""
    texescape.init()  # as Sphinx does for LaTeX
    lines = "\n".join(frame(table))
    assert "{lr}" in lines
    assert r"50\% & −1.5 \\" in lines
    assert r"a\_b \\\midrule" in lines


def test_without_tex_the_edition_is_skipped_with_a_reason(monkeypatch, capsys):
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    monkeypatch.delenv("PRIVML_REQUIRE_TEX", raising=False)
    assert pdf.main([]) == 0
    assert "apt-get install texlive-xetex" in capsys.readouterr().err
    monkeypatch.setenv("PRIVML_REQUIRE_TEX", "1")
    assert pdf.main([]) == 1


@pytest.mark.parametrize(("columns", "marks"), [(9, 0), (10, 1)])
def test_a_written_table_of_many_columns_is_set_smaller(columns, marks):
    group = nodes.tgroup("", *(nodes.colspec() for _ in range(columns)))
    tree = nodes.section("", nodes.table("", group))
    printed_blocks.set_tables(tree)
    assert [text.strip() for text in tree.findall(nodes.Text)] == [
        "\\privmldense"
    ] * marks


def test_an_exercise_takes_the_places_of_all_its_names():
    title = nodes.title("", "Exercise 5.2 (Guess)")
    box = nodes.admonition("", title, type="exercise", ids=["new", "old"])
    tree = nodes.section("", nodes.target(refid="old"), box, docname="notebooks/noise")
    printed_blocks.set_exercises(tree)
    assert not list(tree.findall(nodes.target))
    assert [name for name in ("new", "old") if f":{name}}}" in tree.astext()] == [
        "new",
        "old",
    ]
