#!/usr/bin/env python
"""Django's command line, for this project's settings."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # a sentence says it; where in the code does not matter
        sys.exit(str(error))


if __name__ == "__main__":
    main()
