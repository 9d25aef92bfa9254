"""The look of figures: `privml.figures.style`."""

import io

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import image

from privml.figures import style


def curve(table, axes):
    """Draw for the tests."""
    axes.plot(table["x"], table["x"] ** 2)


def picture_of_a_curve(**saving):
    return style.picture(curve, pd.DataFrame({"x": [0.0, 1.0, 2.0]}), (3, 2), {}, **saving)


def test_curves_differ_by_colour_and_dashes_and_marker():
    for values in (style.COLOURS, style.DASHES, style.MARKERS):
        assert len(set(values)) == len(values)
    for index, colour in enumerate(style.COLOURS):
        assert style.line(index, markers=True) == {
            "color": colour,
            "linestyle": style.DASHES[index],
            "marker": style.MARKERS[index],
        }


def test_the_first_colours_have_the_contrast_with_white_that_graphics_need():
    def luminance(colour):
        channels = np.array(matplotlib.colors.to_rgb(colour))
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    assert all(1.05 / (luminance(colour) + 0.05) >= 3 for colour in style.COLOURS[:4])


def test_the_style_overrides_the_readers_settings_and_restores_them():
    with matplotlib.rc_context({"lines.linewidth": 9.0, "font.size": 3.0}):
        with style.style():
            assert matplotlib.rcParams["lines.linewidth"] == style.SETTINGS["lines.linewidth"]
            assert matplotlib.rcParams["font.size"] == style.SETTINGS["font.size"]
        assert matplotlib.rcParams["lines.linewidth"] == 9.0


def test_a_picture_does_not_depend_on_the_readers_settings():
    plain = picture_of_a_curve()
    with matplotlib.rc_context({"lines.linewidth": 9.0, "savefig.dpi": 30, "axes.facecolor": "black"}):
        assert picture_of_a_curve() == plain


def test_a_picture_is_opaque_and_white_at_its_corners():
    pixels = image.imread(io.BytesIO(picture_of_a_curve()))
    assert pixels.shape[:2] == (300, 450)
    for corner in (pixels[0, 0], pixels[-1, -1], pixels[0, -1]):
        assert corner == pytest.approx([1, 1, 1, 1])


@pytest.mark.parametrize(("kind", "metadata"), [("svg", {"Date": None}), ("pdf", {"CreationDate": None})])
def test_vector_pictures_repeat_byte_for_byte(kind, metadata):
    first, second = (picture_of_a_curve(format=kind, metadata=metadata) for _ in range(2))
    assert first == second
