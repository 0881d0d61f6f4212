"""The charter: the world's numbers, changed by writing a new version of it."""
