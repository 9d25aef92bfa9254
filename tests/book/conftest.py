"""A small book made for the tests: one prose page and one chapter."""

from pathlib import Path

import pytest

CHAPTER = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A chapter

The sum is {glue:text}`total`; see {prf:ref}`l4-thm-one`.

```{code-cell} ipython3
:tags: [parameters]

seed = 0
```

```{code-cell} ipython3
:tags: [imports, hide-input]

import os
import numpy as np
import pandas as pd
from privml import notebook
```

## A result

```{prf:theorem}
:label: l4-thm-one
It holds.
```

```{code-cell} ipython3
notebook.value("total", float(np.random.default_rng(seed).random(10).sum()))
print("threads", os.environ["OMP_NUM_THREADS"], "data", os.environ.get("PRIVML_DATA"))
```

```{code-cell} ipython3
---
mystnb:
  figure: {name: fig-a-chapter-line, caption: "A line."}
  image: {alt: "A straight line that rises from left to right."}
---
def line(table, axes):
    axes.plot(table["x"], table["x"])
notebook.figure(line, pd.DataFrame({"x": [0.0, 1 / 3]}))
```
"""

FILES = {
    "_toc.yml": "format: jb-book\nroot: book/start\nchapters:\n- file: notebooks/a-chapter\n",
    "book/start.md": "# Start\n\nRead [on](../notebooks/a-chapter).\n",
    "book/a-chapter.md": CHAPTER,
    "book/references.bib": "",
    "constraints.txt": "numpy==2\n",
    "privml/core.py": "number = 1\n",
}


@pytest.fixture
def small_book(tmp_path):
    """Root of a book with one chapter, and the real book's settings."""
    real = Path(__file__).resolve().parent.parent.parent
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "_config.yml").write_text((real / "_config.yml").read_text())
    (tmp_path / "book" / "_static").symlink_to(real / "book" / "_static")
    return tmp_path
