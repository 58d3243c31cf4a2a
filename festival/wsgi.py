"""The WSGI entry point that an application server loads."""

import os

from django.core.wsgi import get_wsgi_application

from festival import environment_file

# Each worker reads the file when it starts, and so anew at each reload.
environment_file.load()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")

_django = get_wsgi_application()

from festival.replay_cache import ReplayCache  # noqa: E402 - needs the settings

application = ReplayCache(_django)
