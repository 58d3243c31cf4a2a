"""The WSGI entry point that an application server loads."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")

_django = get_wsgi_application()

from festival.replay_cache import ReplayCache  # noqa: E402 - needs the settings

application = ReplayCache(_django)
