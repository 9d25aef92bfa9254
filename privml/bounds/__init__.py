"""Theorems as functions: each bound is named for what it returns, with its inverse below it."""
