"""Run every test: `python -m tests [arguments of pytest]`.

Four phases, each a pytest process of its own on real services that are started
for this run and removed with it. What could not be had is left out and said so
at the end; with CI=true leaving anything out is a failure.
"""

import os
import sys

from tests.runner import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], ci=os.environ.get("CI") == "true"))
