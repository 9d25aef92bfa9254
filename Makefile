# privml: `make book` builds the book, `make test` proves it. Everything else is set up on the way.
# Needs only make and Python >= 3.11; the environment lives in .venv and follows pyproject.toml and constraints.txt.
# JOBS=N: processes at a time. ARGS="-k word": a part of the unit tests. PYTHON=path: the interpreter to set up with.

SHELL := /bin/sh
VENV := .venv
PY = $(call quoted,$(VENV)/bin/python)
PORT ?= 8000
JOBS ?= 2
PEERS_VENV := _build/peers
PEERS_STAMP := $(PEERS_VENV)/made
AUDITORS_VENV := _build/auditors
AUDITORS_STAMP := $(AUDITORS_VENV)/made
DRIFT := _build/drift
NIGHTLY := _build/nightly
OLDEST := _build/oldest
PAPER := _build/paper
# What needs neither the book nor a browser: tests of the library alone, for other systems and pre-releases.
LIBRARY := privml tests/bounds tests/composition tests/divergences tests/guarantee tests/learners tests/mechanisms tests/pate
# What they import beside the library and its extras; the workflow tests names the same.
LIBRARY_NEEDS := dp-accounting hypothesis jupytext mpmath nbval numpydoc pytest pytest-xdist pyyaml
# All tests of the package, and its examples.
PACKAGE_TESTS := --ignore=tests/book --ignore=tests/browser --ignore=tests/chapters --ignore=tests/live privml tests
COVERED := _build/coverage
REPORTS := _build/reports/tests
WHEEL := _build/wheel
SUMS = cd dist && rm -f SHA256SUMS && sha256sum * > SHA256SUMS && cat SHA256SUMS
# Where nothing learns: the class of the warning that pyproject.toml ignores is in privml.learners, half of a start.
PLAIN := -o filterwarnings=error:::privml
NBVAL := $(PLAIN) --nbval --nbval-current-env --nbval-sanitize-with tests/book/sanitize.cfg --nbval-cell-timeout 600

# What comes from the command line reaches the shell as one word each, whatever it holds (but for ARGS, several words).
define newline


endef
quoted = '$(subst $(newline), ,$(subst ','\'',$(1)))'
# The variables of the command line but for some, as NAME=VALUE: parameters of a chapter, which make does not expand.
named = $(foreach name,$(sort $(filter-out $(1) MAKEFLAGS MAKEOVERRIDES -%,$(.VARIABLES))),\
	$(if $(findstring command line,$(origin $(name))),$(call quoted,$(name)=$(value $(name)))))

# The stamp is named after the content that decides the environment (and the place, since scripts hold absolute paths).
STAMP := $(VENV)/made-$(shell { cat pyproject.toml constraints.txt; pwd; } | cksum | cut -d' ' -f1)

.PHONY: help book page quick drift nightly oldest paper lab figure run verify proofs problems slides teacher coverage size wheel dist offline pdf links test live browser serve bench peers truth clean venv
.DEFAULT_GOAL := help

help:
	@echo "make book    execute the chapters that changed and build the book in _build/html (URL=... to publish it)"
	@echo "make page TOPIC=experts   one chapter as a page in seconds (its code runs only where it changed)"
	@echo "make quick   lint, check and test what changed files touch (SINCE=main: since that commit)"
	@echo "make lab     the book with its notebooks in JupyterLite, in _build/html/live"
	@echo "make figure ID=fig-...   make one figure again and compare it with the published table (or make it with epsilon=0.3)"
	@echo "make run TOPIC=experts epsilon=0.3   execute a chapter with other parameters and say what changes"
	@echo "make verify CHAPTER=experts          execute a chapter and say cell by cell what agrees with the committed one"
	@echo "make proofs  every theorem that Coq has checked, compiled and checked again (RECORD=1 notes its axioms)"
	@echo "make problems TOPIC=experts epsilon=0.3   a chapter as a problem set with other parameters"
	@echo "make slides  slides, sheets for class, assignments and quizzes of the courses, as HTML and PDF"
	@echo "make teacher the teacher's edition: solutions, model answers, rubrics, figures (not for students)"
	@echo "make test    lint, types, unit tests, doctests, chapters against their committed outputs"
	@echo "make coverage   which lines of the package its own tests run: a report, and pages in _build/coverage/html"
	@echo "make size    nodes of the syntax tree in the package, the build and the tests"
	@echo "make live    all chapters in the runtime of a browser (PYODIDE=folder), in about an hour"
	@echo "make browser build the book and look at its pages in Chromium"
	@echo "make serve   build the book, then show it at http://localhost:"$(call quoted,$(PORT))
	@echo "make paper   the article on the project in _build/paper, where TeX is installed"
	@echo "make nightly the tests of the library with pre-releases of numpy, scipy and scikit-learn"
	@echo "make oldest  the same with the oldest versions that pyproject.toml allows"
	@echo "make dist    wheel and sdist with checksums in dist"
	@echo "make offline build the book and pack it into dist, to read from the file system"
	@echo "make pdf     build the book and print it into dist, where TeX is installed"
	@echo "make bench   speed against floors; with PEERS=1 also against other libraries, which writes the table"
	@echo "make truth   what accountants claim, libraries release and auditors find, against the truth; writes the table (HEAD=folder of dp_accounting)"
	@echo "make clean   remove what was built (not .venv; 'make clean VENV_TOO=1' removes that as well)"

venv: $(STAMP)

$(STAMP):
	@PYTHON=$(call quoted,$(value PYTHON)) .ci/environment $(call quoted,$(VENV)) $(call quoted,$(STAMP))

book: $(STAMP)
	@BOOK_URL=$(call quoted,$(value URL)) $(PY) -m book.build --jobs $(call quoted,$(JOBS))

page: $(STAMP)
	@$(PY) -m book.page $(call quoted,$(value TOPIC)) $(if $(OPEN),--open)

quick: $(STAMP)
	@$(PY) -m book.quick --jobs $(call quoted,$(JOBS)) --since $(call quoted,$(or $(value SINCE),HEAD))

# The pages by the newest Sphinx, myst-parser and theme, beside the pinned ones: does a release break them?
drift: $(STAMP)
	@$(PY) -m book.tools.site $(DRIFT)
	@$(PY) -m venv --clear $(DRIFT)/venv
	@$(DRIFT)/venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement book/newest.txt
	@PYTHONPATH=$(CURDIR) $(DRIFT)/venv/bin/python -m sphinx -W -n --keep-going -q -b html -c $(DRIFT) -d $(DRIFT)/doctrees . $(DRIFT)/html

# The library with pre-releases of what it stands on.
nightly: $(STAMP)
	@$(PY) -m venv --clear $(NIGHTLY)
	@$(NIGHTLY)/bin/python -m pip install --quiet --disable-pip-version-check --pre --upgrade '.[notebook,scale]' numpy scipy scikit-learn $(LIBRARY_NEEDS)
	@$(NIGHTLY)/bin/python -m pytest -q -n $(call quoted,$(JOBS)) $(LIBRARY) $(ARGS)

# The library with the oldest versions that it allows: numpy>=2.0 is tried as numpy==2.0.*.
oldest: $(STAMP)
	@$(PY) -m venv --clear $(OLDEST)
	@$(PY) -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; x = p["optional-dependencies"]; print(*[n.replace(">=", "==") + ".*" for n in p["dependencies"] + x["notebook"] + x["scale"] if ">=" in n], sep="\n")' > $(OLDEST)/oldest.txt
	@$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(OLDEST)/oldest.txt '.[notebook,scale]' $(LIBRARY_NEEDS)
	@$(OLDEST)/bin/python -m pytest -q -n $(call quoted,$(JOBS)) $(LIBRARY) $(ARGS)

# The article on the project, as PDF; pandoc comes with a package of Python, TeX is the reader's.
paper: $(STAMP)
	@$(PY) -m venv $(PAPER)/venv && $(PAPER)/venv/bin/python -m pip install --quiet --disable-pip-version-check pypandoc_binary
	@$(PAPER)/venv/bin/python paper/make.py $(PAPER)/paper.pdf

lab: book
	@$(PY) -m book.lab

# Every other variable of the command line is a parameter of the chapter, here and below.
figure: $(STAMP)
	@$(PY) -m book.figure $(call quoted,$(value ID)) $(call named,ID JOBS PYTHON VENV)

run: $(STAMP)
	@$(PY) -m book.run $(call quoted,$(value TOPIC)) $(call named,TOPIC JOBS PYTHON VENV)

verify: $(STAMP)
	@$(PY) -m book.verify $(call quoted,$(value CHAPTER))

# Theorems and certificates, by Coq; without it a sentence says what to install (an error with PRIVML_REQUIRE_COQ=1).
proofs: $(STAMP)
	@$(PY) -m book.proofs --jobs $(call quoted,$(JOBS)) $(if $(RECORD),--record)

# A chapter with other parameters, as notebooks for students and for the teacher.
problems: book
	@$(PY) -m book.in_class problems $(call quoted,$(value TOPIC)) $(call named,TOPIC JOBS PYTHON VENV URL PYODIDE)

# Of each lecture of the courses: slides, a sheet, an assignment, a quiz; as PDF too where Chromium is.
slides: book
	@$(PY) -m book.in_class slides

teacher: book
	@$(PY) -m book.in_class teacher

# What an installation has, unpacked: the chapters are executed against it, and see nothing of the repository.
wheel: $(STAMP)
	@rm -rf $(WHEEL)
	@$(PY) -m hatchling build --target wheel --directory $(WHEEL) >/dev/null
	@$(PY) -m zipfile -e $(WHEEL)/*.whl $(WHEEL)/site

# What a release holds, with checksums.
dist: $(STAMP)
	@rm -rf dist
	@$(PY) -m hatchling build --target sdist --target wheel --directory dist >/dev/null
	@$(SUMS)

# The book to read without a network, beside what `dist` made.
offline: book
	@BOOK_URL=$(call quoted,$(value URL)) $(PY) -m book.offline
	@$(SUMS)

# The book on paper, beside them; without TeX a sentence says what to install (an error with PRIVML_REQUIRE_TEX=1).
pdf: book
	@BOOK_URL=$(call quoted,$(value URL)) $(PY) -m book.pdf
	@if [ -d dist ]; then $(SUMS); fi

# Addresses outside of the book that do not answer; needs a network.
links: $(STAMP)
	@$(PY) -c "from jupyter_book.cli.main import main; main()" build . --builder linkcheck --path-output _build/links

test: $(STAMP) wheel
	@rm -rf $(REPORTS)
	@status=0; \
	$(PY) -m ruff check . || status=$$?; \
	$(PY) -m book.typed || status=$$?; \
	$(PY) -m pytest -q -n $(call quoted,$(JOBS)) --dist worksteal --ignore=tests/browser --ignore=tests/live --junitxml=$(REPORTS)/unit.xml $(ARGS) || status=$$?; \
	$(if $(ARGS),,PYTHONPATH=$(CURDIR)/$(WHEEL)/site $(PY) -m pytest -q -n $(call quoted,$(JOBS)) --dist loadfile $(NBVAL) --junitxml=$(REPORTS)/chapters.xml notebooks || status=$$?; \
	$(PY) -m book.nbval_report $(REPORTS)/chapters.xml || status=$$?;) \
	exit $$status

# Size in nodes of the syntax tree, which laying code out hardly changes.
size: $(STAMP)
	@$(PY) -m book.size

# Which lines of the package its own tests run; fails below the percentage that CONTRIBUTING names.
coverage: $(STAMP)
	@rm -rf $(COVERED)
	@$(PY) -m coverage run -m pytest -q -n $(call quoted,$(JOBS)) --dist worksteal $(PACKAGE_TESTS) $(ARGS)
	@$(PY) -m coverage combine --quiet
	@$(PY) -m coverage html --quiet --directory $(COVERED)/html
	@$(PY) -m coverage report

# Every chapter in the worker of its page, under node, with the runtime in the folder PYODIDE; it takes an hour.
live: $(STAMP)
	@$(PY) -m pytest -q -n $(call quoted,$(JOBS)) --dist worksteal tests/live $(ARGS)

browser: lab
	@rm -f $(REPORTS)/browser.xml
	@$(PY) -m pytest -q -n $(call quoted,$(JOBS)) --dist worksteal $(PLAIN) --junitxml=$(REPORTS)/browser.xml tests/browser $(ARGS)

serve: book
	@echo "http://localhost:"$(call quoted,$(PORT))"  (Ctrl-C stops)"
	@$(PY) -m http.server $(call quoted,$(PORT)) --bind 127.0.0.1 --directory _build/html

bench: $(STAMP) $(if $(PEERS),peers)
	@$(if $(PEERS),:,$(PY) -m benchmarks)

# Ours, floors and the peers in one run, in an environment of their own; writes the table and the figure of the book.
peers: $(STAMP) $(PEERS_STAMP)
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONPATH=$(CURDIR) $(PEERS_VENV)/bin/python -m benchmarks.peers $(ARGS)
	@$(PY) -m benchmarks.table

$(PEERS_STAMP): benchmarks/peers.txt
	@$(PY) -m venv --clear $(PEERS_VENV)
	@$(PEERS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement benchmarks/peers.txt
	@touch $@

# Accountants, auditors, releases and replays, each in a process of its own; ARGS="--part releases" runs one part.
truth: $(STAMP) $(PEERS_STAMP) $(AUDITORS_STAMP)
	@$(PY) -m benchmarks.truth.score --python $(PEERS_VENV)/bin/python --auditors $(AUDITORS_VENV)/bin/python \
		$(if $(HEAD),--head $(call quoted,$(value HEAD))) $(ARGS)

$(AUDITORS_STAMP): benchmarks/truth/auditors.txt
	@$(PY) -m venv --clear $(AUDITORS_VENV)
	@$(AUDITORS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

clean:
	rm -rf _build .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path "./$(VENV)/*" -prune -exec rm -rf {} +
	$(if $(VENV_TOO),rm -rf $(VENV))
