"""`curves` draws each column of a table, and nothing else."""

import io
import subprocess
import sys

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import image
from matplotlib.figure import Figure

from privml import figures
from privml.figures import curves, style

TABLE = pd.DataFrame(
    {"epsilon": [1.0, 2.0, 4.0], "bound": [4.0, 2.0, 1.0], "exact": [3.0, np.nan, 0.5]}
)


def drawn(**options):
    axes = Figure().subplots()
    curves(TABLE, axes, **options)
    return axes


def test_every_column_after_the_first_is_a_curve_without_the_values_it_lacks():
    bound, exact = drawn().lines
    np.testing.assert_array_equal(bound.get_xydata(), TABLE[["epsilon", "bound"]])
    np.testing.assert_array_equal(exact.get_xydata(), [[1.0, 3.0], [4.0, 0.5]])
    assert (bound.get_label(), exact.get_label()) == ("bound", "exact")
    assert (bound.get_linestyle(), bound.get_color()) != (
        exact.get_linestyle(),
        exact.get_color(),
    )


def test_axes_lines_bands_and_words_are_those_asked_for():
    words = {"xlabel": "ε", "ylabel": "records"}
    axes = drawn(
        log="xy", xlim=(0.5, 8), ylim=(0.1, None), y_at=[1.5], x_at=[3], **words
    )
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert (axes.get_xlim(), axes.get_ylim()[0]) == ((0.5, 8), 0.1)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("ε", "records")
    assert [line.get_xdata()[0] for line in axes.lines[2:]] == [3, 0]
    said = [
        text.get_text()
        for text in drawn(labels=["a", "b"], x_band=[1, 2, "proved"]).get_legend().texts
    ]
    assert said == ["a", "b", "proved"]
    assert (drawn(legend="").get_legend(), drawn().get_xlabel()) == (None, "epsilon")


def test_every_column_needs_its_label():
    with pytest.raises(ValueError, match="zip"):
        drawn(labels=["one"])


def named(far, log="", **words):
    """What names two curves that end at 1 and at `far`: words beside them, the axes' legend, the figure's."""
    table = pd.DataFrame(
        {"x": [1.0, 2.0, 3.0], "low": [1.0, 1.0, 1.0], "high": [far, far, far]}
    )
    sheet = Figure(layout="constrained")
    axes = sheet.subplots()
    curves(table, axes, log=log, **words)
    own, outside = (
        axes.get_legend(),
        [text.get_text() for one in sheet.legends for text in one.texts],
    )
    return (
        [text.get_text() for text in axes.texts],
        own and [text.get_text() for text in own.texts],
        outside,
    )


def test_curves_are_named_at_their_ends_where_there_is_room_and_else_in_a_legend():
    assert named(3.0) == (["low", "high"], None, [])
    assert all(
        named(3.0, xlim=ends)[0] == [] for ends in ((3, 1), (1, 9), (1, 2))
    )  # not their right ends
    assert named(1.01, ylim=(0, 4)) == ([], ["low", "high"], [])
    assert named(3.0, labels=["low", "a name that is longer than its margin"])[0] == []
    assert named(3.0, x_band=[1, 2, "band"])[1] == ["low", "high", "band"]


def test_a_legend_that_would_lie_on_a_curve_stands_above_the_figure():
    assert named(1.01, ylim=(0.9, 1.1), legend="center") == ([], None, ["low", "high"])
    assert named(1.01, ylim=(0, 4), legend="upper right") == ([], ["low", "high"], [])


def test_an_unknown_draw_function_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = figures.nonsense


def test_the_package_alone_does_not_import_matplotlib():
    code = "import sys, privml.figures.style; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def curve(table, axes):
    """Draw for the tests."""
    axes.plot(table["x"], table["x"] ** 2)


def picture_of_a_curve(**saving):
    return style.picture(
        curve, pd.DataFrame({"x": [0.0, 1.0, 2.0]}), (3, 2), {}, **saving
    )


def test_curves_differ_by_colour_and_dashes_and_marker():
    for values in (style.COLOURS, style.DASHES, style.MARKERS):
        assert len(set(values)) == len(values)
    for index, colour in enumerate(style.COLOURS):
        drawn = {
            "color": colour,
            "linestyle": style.DASHES[index],
            "marker": style.MARKERS[index],
        }
        assert style.line(index, markers=True) == drawn


def test_the_first_colours_have_the_contrast_with_white_that_graphics_need():
    def luminance(colour):
        channels = np.array(matplotlib.colors.to_rgb(colour))
        linear = np.where(
            channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
        )
        return linear @ [0.2126, 0.7152, 0.0722]

    assert all(1.05 / (luminance(colour) + 0.05) >= 3 for colour in style.COLOURS[:4])


def test_the_style_overrides_the_readers_settings_and_restores_them():
    with matplotlib.rc_context({"lines.linewidth": 9.0, "font.size": 3.0}):
        with style.style():
            assert (
                matplotlib.rcParams["lines.linewidth"]
                == style.SETTINGS["lines.linewidth"]
            )
            assert matplotlib.rcParams["font.size"] == style.SETTINGS["font.size"]
        assert matplotlib.rcParams["lines.linewidth"] == 9.0


def test_a_picture_does_not_depend_on_the_readers_settings():
    plain = picture_of_a_curve()
    with matplotlib.rc_context(
        {"lines.linewidth": 9.0, "savefig.dpi": 30, "axes.facecolor": "black"}
    ):
        assert picture_of_a_curve() == plain


def test_a_picture_is_opaque_and_white_at_its_corners():
    pixels = image.imread(io.BytesIO(picture_of_a_curve()))
    assert pixels.shape[:2] == (300, 450)
    for corner in (pixels[0, 0], pixels[-1, -1], pixels[0, -1]):
        assert corner == pytest.approx([1, 1, 1, 1])


@pytest.mark.parametrize(
    ("kind", "metadata"), [("svg", {"Date": None}), ("pdf", {"CreationDate": None})]
)
def test_vector_pictures_repeat_byte_for_byte(kind, metadata):
    first, second = (
        picture_of_a_curve(format=kind, metadata=metadata) for _ in range(2)
    )
    assert first == second
