"""Checkers for the exercises of the book, one module a chapter: silent when right, and a hint when wrong."""
