"""Tables behind the figures of the book: one module a chapter, one function a table, one row a point."""
