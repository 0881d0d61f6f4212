"""Production's own settings; only the gathered static files lie outside the project."""

import os
from pathlib import Path

from config.settings import *  # noqa: F403

STATIC_ROOT = Path(os.environ["TEST_STATIC_ROOT"])
