"""The finished pages keep what they load, and lose what they do not."""

import shutil
from pathlib import Path

import numpy as np
import pydata_sphinx_theme
import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from book.extensions import formulas
from book.tools.light import lighten
from book.tools.vectors import lighter

ICONS = (
    'var r={sun:[512,512,[],"f185","M9 9"]},i={"circle-half-stroke":[512,512,[9680,"adjust"],"f042","M448"],'
    'list:[640,512,["list-squares"],"f03a","M24 56"],sun:[512,512,[],"f185","M361.5 1.2"]};start(i)'
)
PAGE = """\
<link rel="preload" as="script" href="../_static/scripts/bootstrap.js?digest=1" />
<script defer src="../_static/scripts/bootstrap.js?digest=1"></script>
<button title="Search" aria-label="Search it" data-bs-placement="bottom" data-bs-toggle="tooltip"></button>
<button data-bs-title="Mode" data-bs-toggle="tooltip"></button>
<script src="../_static/design-tabs.js?v=1"></script>
<script src="../_static/searchtools.js?v=1"></script>
<script src="../searchindex.js"></script>
<script defer src="../_static/scripts/fontawesome.js?digest=1"></script>
<b class="btn used"><i class="a fa-solid fa-adjust" title="Dark"></i><i class="fa-solid fa-sun"></i></b>
<pre><span></span><span class="k">if</span><span class="w"> </span><span class="n">x</span>\
<span class="o">&lt;</span><a href="#"><span class="n">f</span></a><span class="mi">1</span></pre>
<pre><span class="sa">f</span><span class="s2">&quot;a </span><span class="si">{</span>\
<span class="n">x</span><span class="si">}</span><span class="s2">&quot;</span></pre>
"""
SHEET = """\
/*! Theirs, {2026}. */
/* a { comment } */
.used, .unused{color:red}.unused:hover{color:blue}
@media (min-width:1px){p.unused>b{top:0}a:not(.unused,.b){left:0}.show-later{top:1px}}
@font-face{src:url(x/icons.woff2) format("woff2"), url(x/icons.ttf) format("truetype")}
.btn::before{content:"\\f05a"}.unused::before{content:"\\f185"}
"""
LIGHT_SHEET = """\
/*! Theirs, {2026}. */

.used, .unused{color:red}
@media (min-width:1px){a:not(.unused,.b){left:0}.show-later{top:1px}}
@font-face{src:url(x/icons.ttf) format("truetype")}
.btn::before{content:"\\f05a"}
"""
VECTOR = """\
<svg width="460.8pt"><g id="figure_1">
  <!-- two
  lines -->
  <path d="M 48.283834 253.955229
L 457.79976 3.00024
z
" style="fill: none; stroke: #dddddd" transform="scale(.015625)"/>
  <use xlink:href="#DejaVuSans-13" transform="translate(63.625 -0.765625)"/>
</g></svg>
"""
LIGHT_VECTOR = """\
<svg width="460.8pt">\
<path d="m48.28 253.96 409.52-250.96z" style="fill:none;stroke:#dddddd" transform="scale(.015625)"/>
<use xlink:href="#g-13" x="63.62" y="-.77"/>
</svg>
"""


@pytest.fixture
def site(tmp_path):
    """A small finished site with what the theme brings."""
    files = {
        "notebooks/a.html": PAGE,
        "search.html": PAGE.replace("../", ""),
        "_static/scripts/fontawesome.js": ICONS,
        "_static/scripts/fontawesome.js.map": "{}",
        "_static/scripts/theme.js": 'element.classList.add("show-later")',
        "_static/locales/de/LC_MESSAGES/words.mo": "",
        "_static/vendor/icons/icons.woff2": "",
        "_static/styles/theme.css": SHEET,
        "figures/fig-a.svg": VECTOR,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    shades = np.linspace(0, 255, 64 * 64).astype(np.uint8).reshape(64, 64)
    curve = np.stack([shades, shades.T, 255 - shades, np.full_like(shades, 255)], axis=-1)
    (tmp_path / "_images").mkdir()
    Image.fromarray(np.kron(curve, np.ones((8, 8, 1), np.uint8))).save(tmp_path / "_images" / "p.png")
    return tmp_path


def contents(folder):
    """Every file below a folder with its bytes."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_what_no_page_loads_is_gone_and_the_rest_is_there(site):
    before = set(contents(site))
    lighten(site)
    gone = {"scripts/fontawesome.js", "scripts/fontawesome.js.map", "vendor/icons/icons.woff2"}
    assert before - set(contents(site)) == {
        f"_static/{name}" for name in gone | {"locales/de/LC_MESSAGES/words.mo"}
    }


def test_styles_keep_the_rules_of_classes_that_pages_and_scripts_have(site):
    lighten(site)
    assert (site / "_static/styles/theme.css").read_text() == LIGHT_SHEET


def test_icons_stand_in_the_page_and_of_two_kinds_the_solid_one(site):
    lighten(site)
    page = (site / "notebooks/a.html").read_text()
    assert "<i " not in page
    assert (
        '<svg class="svg-inline--fa a fa-adjust" title="Dark" aria-hidden="true" viewBox="0 0 512 5' in page
    )
    assert '<path fill="currentColor" d="M448"/></svg>' in page
    assert "M361.5" in page
    assert "M9 9" not in page


def test_an_icon_that_is_not_there_is_an_error(site):
    (site / "notebooks/a.html").write_text('<i class="fa-solid fa-lost"></i>')
    with pytest.raises(KeyError, match="lost"):
        lighten(site)


def test_words_of_code_in_the_colour_of_the_text_are_plain(site):
    lighten(site)
    code = '<pre><span class=k>if</span> x&lt;<a href="#">f</a><span class=mi>1</span></pre>'
    assert code in (site / "notebooks/a.html").read_text()


def test_strings_with_values_are_runs_of_one_colour(site):
    lighten(site)
    assert (
        "<pre><span class=s2>f&quot;a {</span>x<span class=s2>}&quot;</span></pre>"
        in (site / "notebooks/a.html").read_text()
    )


def test_buttons_keep_their_names_without_the_library_of_widgets(site):
    lighten(site)
    page = (site / "notebooks/a.html").read_text()
    assert "bootstrap" not in page
    assert '<button data-name="Search" aria-label="Search it"></button>' in page
    assert '<button aria-label="Mode" data-name="Mode"></button>' in page


def test_a_picture_of_a_cell_waits_for_the_reader_in_a_place_of_its_size(site):
    (site / "notebooks/b.html").write_text('<img alt="A &gt; b" src="../_images/p.png" />')
    lighten(site)
    assert (site / "notebooks/b.html").read_text() == (
        '<img alt="A &gt; b" src="../_images/p.png" width="512" height="512" loading="lazy">'
    )


def test_a_vector_picture_waits_too_and_says_its_size_itself(site):
    (site / "_images/v.svg").write_text("<svg></svg>")
    (site / "notebooks/b.html").write_text('<img alt="A" src="../_images/v.svg" />')
    lighten(site)
    assert (site / "notebooks/b.html").read_text() == '<img alt="A" src="../_images/v.svg" loading="lazy">'


def test_a_formula_is_told_by_one_word_and_the_script_adds_the_others(site):
    (site / "notebooks/b.html").write_text('<div class="math notranslate nohighlight" id="e">$</div>')
    lighten(site)
    assert (site / "notebooks/b.html").read_text() == '<div class=math id="e">$</div>'
    assert '".math"' in formulas.SCRIPT.read_text(encoding="utf-8")
    assert '.classList.add("notranslate","nohighlight")' in formulas.SCRIPT.read_text(encoding="utf-8")


def test_lines_begin_at_the_margin_but_where_spaces_count(site):
    kept = "<pre>\n  a\n\n  b</pre><script>\n  f()</script><textarea>  c\n  d</textarea>"
    (site / "notebooks/b.html").write_text(f"<p>one\n    two</p>\n\n  {kept}\n  <b>x</b>\n")
    lighten(site)
    assert (site / "notebooks/b.html").read_text() == f"<p>one\ntwo</p>\n{kept}\n<b>x</b>\n"


def test_scripts_of_tabs_stay_where_tabs_are(site):
    tabs = '<div class="sd-tab-set"></div>'
    (site / "notebooks/b.html").write_text(PAGE + tabs)
    lighten(site)
    assert "design-tabs.js" in (site / "notebooks/b.html").read_text()


def test_links_of_a_text_lose_words_that_no_style_asks_for(site):
    link = '<a class="reference internal" href="x">x</a>'
    (site / "notebooks/b.html").write_text(f"<nav>{link}</nav><article>{link}</article>")
    lighten(site)
    kept = f'<nav>{link}</nav><article><a href="x">x</a></article>'
    assert (site / "notebooks/b.html").read_text() == kept


def test_the_contents_of_a_page_are_there_once(site):
    again = '<div id="jb-print-toc">\n<div>\n<h2>Contents</h2></div><nav><ul></ul></nav>\n</div>'
    (site / "notebooks/b.html").write_text(f"<h1>A</h1>{again}<p>b</p>")
    lighten(site)
    assert (site / "notebooks/b.html").read_text() == "<h1>A</h1><p>b</p>"


def test_a_glyph_is_drawn_in_tens():
    drawn = '<path id="DejaVuSans-17" d="M 2419 4116 \nL 825 1621 \nz\n" transform="scale(0.015625)"/>'
    made = '<path id="g-17" d="m242 412-160-250z" transform="scale(.15625)"/>'
    assert lighter(drawn) == lighter(made) == made


def test_marks_of_one_style_are_a_group_unless_the_style_is_not_inherited():
    marks = '<use x="1.001" style="fill:#fff"/>\n<use x="2.50" style="fill:#fff"/>\n'
    assert lighter(f"<g>\n{marks}</g>\n") == '<g style="fill:#fff">\n<use x="1"/>\n<use x="2.5"/>\n</g>\n'
    faint = marks.replace("fill", "opacity")
    assert lighter(faint).count("style") == 2


def test_a_path_that_returns_to_its_start_goes_on_from_there():
    assert lighter('<path d="M 1 1\nL 2 3\nz\nM 5 5\nQ 6 6 7 5.004\nL 7 6\n"/>') == (
        '<path d="m1 1 1 2zm4 4q1 1 2 0l0 1"/>'
    )
    with pytest.raises(ValueError, match="H 3"):
        lighter('<path d="M 1 1 H 3"/>')


def test_only_the_page_that_searches_loads_the_index(site):
    lighten(site)
    assert "<script" not in (site / "notebooks/a.html").read_text()
    assert (site / "search.html").read_text().count("<script") == 2


def test_a_font_of_icons_keeps_those_that_the_styles_name(site):
    fonts = Path(pydata_sphinx_theme.__file__).parent.glob("**/fa-solid-900.ttf")
    font = site / "_static/vendor/icons/icons.ttf"
    shutil.copyfile(next(fonts), font)
    lighten(site)
    assert set(TTFont(font).getBestCmap()) == {0xF05A}


def test_a_vector_picture_has_short_lengths_and_names(site):
    lighten(site)
    assert (site / "figures/fig-a.svg").read_text() == LIGHT_VECTOR


def test_a_picture_of_fewer_colours_looks_the_same(site):
    picture = site / "_images" / "p.png"
    before, bytes_before = np.array(Image.open(picture)).astype(float), picture.stat().st_size
    lighten(site)
    after = np.array(Image.open(picture).convert("RGBA")).astype(float)
    assert picture.stat().st_size < bytes_before
    assert abs(after - before).mean() < 8  # of 255, for a picture of 4,096 colours


def test_a_second_run_changes_nothing(site):
    lighten(site)
    once = contents(site)
    lighten(site)
    assert contents(site) == once
