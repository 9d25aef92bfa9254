"""Settings of every test: the build's own environment for kernels, and repeatable examples."""

import os
from pathlib import Path

from hypothesis import settings

from book.tools.execute import kernel_environment

os.environ.update(kernel_environment(Path(__file__).resolve().parent))
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
