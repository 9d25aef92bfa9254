"""Works that are cited alike, by names and year, get a letter after the year; their labels do not."""

import re

from pybtex.database import Entry
from pybtex.plugin import register_plugin
from pybtex.style.formatting.alpha import Style as Alpha
from pybtex.style.labels.alpha import LabelStyle as AlphaLabels
from sphinx.application import Sphinx

from book.tools.citations import lettered


class Labels(AlphaLabels):
    """Labels of letters and the year's last two digits."""

    def format_label(self, entry: Entry) -> str:
        year = entry.fields.get("year", "")
        return (
            super().format_label(entry).removesuffix(year[-2:])
            + re.sub(r"\D", "", year)[-2:]
        )


class Style(Alpha):
    """The style of the bibliography."""

    default_label_style = "lettered"


def tell_apart(app: Sphinx) -> None:
    """Put the letters after the years of the entries that were read."""
    lettered(app.env.get_domain("cite").bibdata.data.entries.values())


def setup(app: Sphinx) -> None:
    register_plugin("pybtex.style.labels", "lettered", Labels)
    register_plugin("pybtex.style.formatting", "lettered", Style)
    app.config.bibtex_default_style = "lettered"
    app.connect("builder-inited", tell_apart)
