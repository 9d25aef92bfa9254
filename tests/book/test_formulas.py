"""The committed part of MathJax is of the version whose fonts the site takes."""

import re

from fontTools.ttLib import TTFont

from book.extensions import formulas


def test_script_and_fonts_are_of_one_version():
    whole = (formulas.installed() / "core.js").read_text(encoding="utf-8")
    [version] = set(re.findall(r'VERSION="([\d.]+)"', whole))
    part = formulas.SCRIPT.read_text(encoding="utf-8")
    assert part.startswith(f"/*! MathJax {version}, ")
    assert f'"{version}"' in part
    assert f"mathjax-full@{version}" in (formulas.SCRIPT.parent / "make.sh").read_text()


def test_every_font_that_the_script_names_is_copied_and_the_letters_are_a_part_of_their_font(
    tmp_path,
):
    formulas.put(tmp_path / "mathjax")
    fonts = tmp_path / "mathjax" / "fonts"
    named = set(
        re.findall(
            r"%%URL%%/([\w-]+\.woff)", formulas.SCRIPT.read_text(encoding="utf-8")
        )
    )
    assert named - {font.name for font in fonts.iterdir()} == set()
    letters, whole = (
        TTFont(fonts / formulas.LETTERS),
        TTFont(fonts / "MathJax_AMS-Regular.woff"),
    )
    assert set(letters.getBestCmap()) == set(range(ord("A"), ord("Z") + 1))
    for code, name in letters.getBestCmap().items():
        assert letters["hmtx"][name] == whole["hmtx"][whole.getBestCmap()[code]]
