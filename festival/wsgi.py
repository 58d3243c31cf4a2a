"""The WSGI entry point that an application server loads."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")

application = get_wsgi_application()
