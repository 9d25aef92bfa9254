"""A small book made for the tests: one prose page and one chapter."""

from pathlib import Path

import pytest

from book.tools.chapters import Chapter, write_whole
from book.tools.execute import executed
from book.tools.normalise import normalised

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
from privml.figures import curves
```

## A result

```{prf:theorem}
:label: l4-thm-one
It holds.
```

```{code-cell} ipython3
:tags: [values, hide-input]

notebook.glue("total", float(np.random.default_rng(seed).random(10).sum()))
print("threads", os.environ["OMP_NUM_THREADS"], "data", os.environ.get("PRIVML_DATA"))
```

```{code-cell} ipython3
---
mystnb:
  figure: {name: fig-a-chapter-line, caption: "A line."}
  image: {alt: "A straight line that rises from left to right."}
---
table = pd.DataFrame({"n_samples": [1, 2], "probability": [0.5, 1 / 3]})
notebook.figure(curves, table, ylabel="probability", y_at=[0.1])
```
"""
CITATION = """\
title: "A small book"
authors:
  - name: "Some people"
"""

FILES = {
    "_toc.yml": "format: jb-book\nroot: book/start\nchapters:\n- file: notebooks/a-chapter\n",
    "book/start.md": "# Start\n\nRead [on](../notebooks/a-chapter).\n",
    "book/a-chapter.md": CHAPTER,
    "book/references.bib": "",
    "CITATION.cff": CITATION,
    "constraints.txt": "numpy==2\n",
    "privml/core.py": "number = 1\n",
}


def written(root):
    """A folder with the files of the small book and the real book's settings."""
    real = Path(__file__).resolve().parent.parent.parent
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "_config.yml").write_text((real / "_config.yml").read_text())
    (root / "book" / "_static").symlink_to(real / "book" / "_static")
    return root


@pytest.fixture
def small_book(tmp_path, monkeypatch):
    """Root of a book with one chapter, and the real book's settings."""
    monkeypatch.delenv("PYODIDE", raising=False)  # no runtime inside of it
    return written(tmp_path)


@pytest.fixture(scope="session")
def made_notebook(tmp_path_factory):
    """The notebook of the small book's chapter, executed once."""
    return normalised(
        executed(Chapter(written(tmp_path_factory.mktemp("executed")), "a-chapter"))
    )


@pytest.fixture
def committed(small_book, made_notebook):
    """The chapter of the small book, with its notebook."""
    chapter = Chapter(small_book, "a-chapter")
    write_whole(chapter.notebook, made_notebook)
    return chapter


EXERCISES = """
## Exercises

```{exercise-start} A sum
:label: ex-a-chapter-sum
:class: code easy
```
Add the numbers of {numref}`fig-a-chapter-line`, and call the result `answer`.
```{exercise-end}
```

```{code-cell} ipython3
:tags: [checker, hide-input]

def check_sum(total):
    assert abs(total - 5 / 6) < 1e-9, "add all of them"
```

```{solution-start} ex-a-chapter-sum
:label: sol-a-chapter-sum
:class: dropdown
```
It is the sum.

```{code-cell} ipython3
:tags: [solution]

answer = 5 / 6
check_sum(answer)
```
```{solution-end}
```

```{exercise-start} A proof
:label: ex-a-chapter-proof
:class: pencil hard
```
Prove {prf:ref}`l4-thm-one` again.
```{exercise-end}
```

```{solution-start} ex-a-chapter-proof
:label: sol-a-chapter-proof
:class: dropdown
```
As above.
```{solution-end}
```
"""


@pytest.fixture
def exercise_book(small_book):
    """The small book with two exercises."""
    source = small_book / "book" / "a-chapter.md"
    source.write_text(source.read_text() + EXERCISES)
    return small_book
