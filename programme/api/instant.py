"""The instant at which a request is answered, read from the clock once, by festival.http.middleware."""

from datetime import datetime

from django.http import HttpRequest
from rest_framework.request import Request


def get_instant(request: HttpRequest | Request) -> datetime:
    """Return the request's instant, an aware datetime in UTC."""
    instant: datetime = request.instant  # type: ignore[union-attr]
    return instant
