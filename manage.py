#!/usr/bin/env python
"""The command line of the project."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")
    try:
        settings.DEBUG  # noqa: B018 - loads them all
    except (ImproperlyConfigured, OSError, ValueError) as error:
        sys.exit(f"The settings cannot be used: {error}")
    execute_from_command_line(sys.argv)
