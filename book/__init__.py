"""The book: pages people write, and the tools that execute, normalise, build and check them."""
