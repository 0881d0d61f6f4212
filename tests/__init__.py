"""The tests, and the real services that they run on. `python -m tests` runs all of them."""
