class Unavailable(Exception):
    """A service can't be had here; the text says why, in a sentence for the end of the run."""
