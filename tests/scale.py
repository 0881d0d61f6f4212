"""How large a figure is shown: a small one in `make test`, the large one in `make soak`."""

import os

SOAKING = os.environ.get("SOAK") == "1"


def figure(test: int, *, soak: int) -> int:
    """How many rounds, turns or kills a test goes through in this run."""
    return soak if SOAKING else test
