"""Theorems as functions: each bound is named for what it returns; `smallest_sample` inverts one."""

from privml._search import smallest_sample as smallest_sample
