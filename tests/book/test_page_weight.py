"""The finished pages keep what they load, and lose what they do not."""

import shutil
from pathlib import Path

import pydata_sphinx_theme
import pytest
from fontTools.ttLib import TTFont

from book.tools.page_weight import remove_unused_files

ICONS = (
    'var r={sun:[512,512,[],"f185","M9 9"]},i={"circle-half-stroke":[512,512,[9680,"adjust"],"f042","M448"],'
    'list:[640,512,["list-squares"],"f03a","M24 56"],sun:[512,512,[],"f185","M361.5 1.2"]};start(i)'
)
PAGE = """\
<script src="../_static/searchtools.js?v=1"></script>
<script src="../searchindex.js"></script>
<script defer src="../_static/scripts/fontawesome.js?digest=1"></script>
<script data-tabs="a" src="../_static/design-tabs.js?v=1"></script>
<b class="btn used"><i class="a fa-solid fa-adjust" title="Dark"></i><i class="fa-solid fa-sun"></i></b>
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
        "_static/ours.js": "// Why.\n{\n  // And how.\n  go(); // now\n}\n",
        "_static/styles/theme.css": SHEET,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def contents(folder):
    """Every file below a folder with its bytes."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file()
    }


def test_what_no_page_loads_is_gone_and_the_rest_is_there(site):
    before = set(contents(site))
    remove_unused_files(site)
    gone = {
        "scripts/fontawesome.js",
        "scripts/fontawesome.js.map",
        "vendor/icons/icons.woff2",
    }
    gone |= {"locales/de/LC_MESSAGES/words.mo"}
    assert before - set(contents(site)) == {f"_static/{name}" for name in gone}


def test_styles_keep_the_rules_of_classes_that_pages_and_scripts_have(site):
    remove_unused_files(site)
    assert (site / "_static/styles/theme.css").read_text() == LIGHT_SHEET
    assert (site / "_static/ours.js").read_text() == "{\ngo(); // now\n}\n"


def test_icons_stand_in_the_page_and_of_two_kinds_the_solid_one(site):
    remove_unused_files(site)
    page = (site / "notebooks/a.html").read_text()
    assert "<i " not in page
    assert (
        '<svg class="svg-inline--fa a fa-adjust" title="Dark" aria-hidden="true" viewBox="0 0 512'
        in page
    )
    assert '<path fill="currentColor" d="M448"/></svg>' in page
    assert "M361.5" in page
    assert "M9 9" not in page


def test_an_icon_that_is_not_there_is_an_error(site):
    (site / "notebooks/a.html").write_text('<i class="fa-solid fa-lost"></i>')
    with pytest.raises(KeyError, match="lost"):
        remove_unused_files(site)


def test_words_of_code_in_the_colour_of_the_text_are_plain(site):
    code = '<pre><span></span><span class="k">v</span><span class="w"> </span><span class="nb">x</span></pre>'
    (site / "notebooks/a.html").write_text(code)
    remove_unused_files(site)
    assert (
        site / "notebooks/a.html"
    ).read_text() == '<pre><span class="k">v</span> x</pre>'


def test_only_the_page_that_searches_loads_the_index(site):
    remove_unused_files(site)
    assert "<script" not in (site / "notebooks/a.html").read_text()
    assert (site / "search.html").read_text().count("<script") == 2


def test_a_font_of_icons_keeps_those_that_the_styles_name(site):
    fonts = Path(pydata_sphinx_theme.__file__).parent.glob("**/fa-solid-900.ttf")
    font = site / "_static/vendor/icons/icons.ttf"
    shutil.copyfile(next(fonts), font)
    remove_unused_files(site)
    assert set(TTFont(font).getBestCmap()) == {0xF05A}


def test_a_second_run_changes_nothing(site):
    remove_unused_files(site)
    once = contents(site)
    remove_unused_files(site)
    assert contents(site) == once
