"""Tools of the build, one noun a file: chapters, normal form, comparison, execution, pages."""
