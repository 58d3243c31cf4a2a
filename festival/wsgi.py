"""The WSGI entry points that application servers load."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from django.core.wsgi import get_wsgi_application

from festival.configuration import environment_file

# Each worker reads the file when it starts, and so again at each reload.
environment_file.load()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")

_django: Callable[[dict[str, Any], Any], Iterable[bytes]] = get_wsgi_application()

from django.conf import settings  # noqa: E402 - these need the settings

from festival import clock  # noqa: E402
from festival.http.replay_cache import ReplayCache  # noqa: E402
from festival.server.forwarding import ForwardedRequests, Forwarder  # noqa: E402
from programme.publishing.current import DatabaseUnavailable, current  # noqa: E402

if settings.BACK_OFFICE_SOCKET:
    # Behind the cache: what is repeated from it costs nothing more.
    _django = Forwarder(_django, settings.BACK_OFFICE_SOCKET, settings.BACK_OFFICE_THREADS)

# Of all processes but the back office's own, which `serve` starts beside those for readers.
application = ReplayCache(_django)
back_office = ForwardedRequests(application)


def development(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer under `runserver`, where no thread loads the programme whose name the back office has."""
    if environ["PATH_INFO"].startswith("/admin/"):
        with suppress(DatabaseUnavailable):
            current.at(clock.now())
    return application(environ, start_response)
