"""The article as PDF: python paper/make.py OUT, with pypandoc in the environment and XeLaTeX on the path."""

import shutil
import sys
from pathlib import Path

import pypandoc

HERE = Path(__file__).resolve().parent
OPTIONS = [
    "--citeproc",
    "--pdf-engine=xelatex",
    "--variable=geometry:margin=1in",
    f"--bibliography={HERE / 'paper.bib'}",
]

if __name__ == "__main__":
    if not shutil.which("xelatex"):
        sys.exit("make paper needs XeLaTeX (texlive-xetex, texlive-latex-recommended)")
    pypandoc.convert_file(
        HERE / "paper.md", "pdf", outputfile=sys.argv[1], extra_args=OPTIONS
    )
    print(f"the article: {sys.argv[1]}")
