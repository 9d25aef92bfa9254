"""Sphinx extensions of the book, one noun a file; ``_config.yml`` names those that are switched on."""
